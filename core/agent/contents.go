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

// contents holds the compiled contents of an agent's states. They are compiled on first use,
// because drawing an agent or stepping through it does not need them.
type contents struct {
	once sync.Once
	list []*Content // by state; nil if any text is allowed
	err  error
}

// contentBudget is the limit for compiling all patterns of an agent.
var contentBudget = meter.Budget{Steps: 5_000_000, States: 100_000}

// Contents compiles the contents of the states. The error has code "agent.matches" for an invalid
// pattern, and the meter's code for one that is too large. [CheckContents] reports the same faults
// with their positions.
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

// Content returns the content of a state, or nil if any text is allowed; see [Agent.Contents].
func (a *Agent) Content(state int) *Content {
	_ = a.Contents()
	return a.contents.list[state]
}

// compileContent returns the content of a state, or nil if any text is allowed.
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
			return nil, source.NewError("agent.matches", fmt.Sprintf("invalid pattern of %q: %s", s.Name, fault.message))
		}
		p, err := e.compile(m)
		if err != nil {
			return nil, err
		}
		if p.distance[0] < 0 {
			return nil, source.NewError("agent.matches", fmt.Sprintf("no text matches the pattern of %q", s.Name))
		}
		return &Content{pattern: p}, nil
	}
	return nil, nil
}

// CheckContents reports faults in the contents of a specification: patterns that are invalid or
// match nothing, and contents that permit no text.
func CheckContents(s *Spec) []source.Diagnostic {
	var found []source.Diagnostic
	report := func(span source.Span, code, format string, of ...any) {
		found = append(found, source.Diagnostic{Code: code, Span: span, Message: fmt.Sprintf(format, of...)})
	}
	m := meter.New(contentBudget)
	for _, state := range s.States {
		if _, fault := parsePattern(state.Matches); fault != nil {
			at := source.Span{Start: source.Pos(fault.at), End: source.Pos(min(fault.at+1, len(state.Matches)))}
			report(inside(state.matchesSpan, state.Matches, at), "agent.matches", "invalid pattern: %s", fault.message)
			continue
		}
		for _, other := range s.States {
			for _, option := range state.OneOf {
				if other.Text != "" && strings.Contains(option, other.Text) {
					report(state.Span, "agent.one-of", "%q contains the prompt of %q, which would begin that state", option, other.Name)
				}
			}
		}
		c, err := compileContent(state, m)
		switch {
		case err != nil:
			report(state.matchesSpan, "agent.matches", "%v", err)
		case c != nil && state.MaxTokens > 0 && utf8.RuneCountInString(c.Begin().Shortest()) > 4*state.MaxTokens:
			report(state.Span, "agent.max-tokens", "every content of %q is longer than its :max-tokens", state.Name)
		}
	}
	return found
}

// inside converts a span of a quoted text to a span of the file. If the text is written with
// backslashes, it returns the span of the entire text.
func inside(quoted source.Span, text string, s source.Span) source.Span {
	if quoted.Len() != len(text)+2 {
		return quoted
	}
	return source.Span{Start: quoted.Start + 1 + s.Start, End: quoted.Start + 1 + s.End}
}
