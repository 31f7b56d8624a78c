package agent

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// contents are what may stand in an agent's states, compiled when it is first asked
// for: who only draws an agent or steps through it has no use for it.
type contents struct {
	once sync.Once
	list []*Content // by state; nil where anything may stand
	err  error
}

// contentBudget is what compiling all patterns of an agent may take.
var contentBudget = meter.Budget{Steps: 5_000_000, States: 100_000}

// Contents compiles what may stand in the states. The error has code "agent.matches"
// for a pattern that is none, and the meter's for one that is too large. [CheckContents]
// says the same with its place.
func (a *Agent) Contents() error {
	a.contents.once.Do(func() {
		m := meter.New(contentBudget)
		for _, s := range a.States {
			c, err := compileContent(s, m)
			if err != nil && a.contents.err == nil {
				a.contents.err = err
			}
			a.contents.list = append(a.contents.list, c)
		}
	})
	return a.contents.err
}

// Content returns what may stand in a state, or nil where anything may; see
// [Agent.Contents].
func (a *Agent) Content(state int) *Content {
	_ = a.Contents()
	return a.contents.list[state]
}

// compileContent returns what may stand in a state, or nil where anything may.
func compileContent(s State, m *meter.Meter) (*Content, error) {
	switch {
	case len(s.OneOf) > 0:
		options := append([]string{}, s.OneOf...)
		for i, o := range options {
			options[i] = strings.TrimSpace(o)
		}
		sort.Slice(options, func(a, b int) bool { return options[a] < options[b] })
		return &Content{options: options}, nil
	case s.Matches != "":
		e, fault := parsePattern(s.Matches)
		if fault != nil {
			return nil, source.NewError("agent.matches", fmt.Sprintf("the pattern of %q cannot be read: %s", s.Name, fault.message))
		}
		p, err := e.compile(m)
		if err != nil {
			return nil, err
		}
		if p.distance[0] < 0 {
			return nil, source.NewError("agent.matches", fmt.Sprintf("no text matches the pattern of %q, but for the space around it", s.Name))
		}
		return &Content{pattern: p}, nil
	}
	return nil, nil
}

// CheckContents reports what is wrong with what a specification says of contents:
// patterns that cannot be read or that nothing matches, and contents that no text
// can have.
func CheckContents(s *Spec) []source.Diagnostic {
	var found []source.Diagnostic
	report := func(span source.Span, code, format string, of ...any) {
		found = append(found, source.Diagnostic{Code: code, Span: span, Message: fmt.Sprintf(format, of...)})
	}
	m := meter.New(contentBudget)
	for _, state := range s.States {
		if _, fault := parsePattern(state.Matches); fault != nil {
			at := source.Span{Start: source.Pos(fault.at), End: source.Pos(min(fault.at+1, len(state.Matches)))}
			report(inside(state.matchesSpan, state.Matches, at), "agent.matches", "this pattern cannot be read: %s", fault.message)
			continue
		}
		for _, other := range s.States {
			for _, option := range state.OneOf {
				if other.Text != "" && strings.Contains(option, other.Text) {
					report(state.Span, "agent.one-of", "%q has the prompt of %q in it, which would begin that state", option, other.Name)
				}
			}
		}
		c, err := compileContent(state, m)
		switch {
		case err != nil:
			report(state.matchesSpan, "agent.matches", "%v", err)
		case c != nil && state.MaxTokens > 0 && utf8.RuneCountInString(c.Begin().Shortest()) > 4*state.MaxTokens:
			report(state.Span, "agent.max-tokens", "no content that %q may have is as short as its :max-tokens says", state.Name)
		}
	}
	return found
}

// inside places a span of a text in quotes in the file. Where the text is written
// with backslashes it is all of it.
func inside(quoted source.Span, text string, s source.Span) source.Span {
	if quoted.Len() != len(text)+2 {
		return quoted
	}
	return source.Span{Start: quoted.Start + 1 + s.Start, End: quoted.Start + 1 + s.End}
}
