package monitor

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

// Lookalike is the beginning of a line that resembles a state's prompt but differs in
// case, in marks around it or in characters that only look alike. Prompts are compared
// character by character, so such a line is part of a content. The report lists it,
// because a reader may take it for a prompt.
type Lookalike struct {
	State  string
	Reason string
	Span   source.Span
}

// FindLookalikes returns the first look-alikes in a text, up to the number most.
func FindLookalikes(a *agent.Agent, text string, most int) []Lookalike {
	p := newPrompts(a)
	folded := make([]string, len(a.States))
	for i, s := range a.States {
		folded[i] = fold(s.Text)
	}
	var out []Lookalike
	for at := 0; at < len(text) && len(out) < most; {
		end := source.LineEnd(text, at)
		if state, length := p.lookalike(folded, text[at:end]); state >= 0 {
			span := source.Span{Start: source.Pos(at), End: source.Pos(at + length)}
			out = append(out, Lookalike{a.States[state].Name, likely(a, state, text[at:at+length]), span})
		}
		at = end
		for at < len(text) && (text[at] == '\n' || text[at] == '\r') {
			at++
		}
		if at == end {
			at++
		}
	}
	return out
}

func likely(a *agent.Agent, state int, written string) string {
	return fmt.Sprintf("unknown prompt %q; did you mean %q of %q?", strings.TrimSpace(written), a.States[state].Text, a.States[state].Name)
}

// meant reports whether a line is the prompt in another style: it has the prompt's words,
// and its brackets are closed. A prompt with a missing character is an error of the model
// and counts as text, as in a run.
func (l Lookalike) meant(a *agent.Agent, text string) bool {
	end := int(l.Span.End)
	for end < len(text) && strings.IndexByte("])*_`:", text[end]) >= 0 {
		end++
	}
	written := text[l.Span.Start:end]
	words := func(text string) int {
		return len(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || foldRune(r) == 0 }))
	}
	return words(written) == words(a.States[a.Index(l.State)].Text) &&
		strings.Count(written, "[")+strings.Count(written, "(") == strings.Count(written, "]")+strings.Count(written, ")")
}

// lookalike returns the state whose prompt a prefix of a line resembles, and the length of
// that prefix. The state is -1 if there is none, or if the line begins with a correct
// prompt.
func (p *prompts) lookalike(folded []string, line string) (state, length int) {
	if found, _ := p.at(line); found >= 0 {
		return -1, 0
	}
	if found, _ := longestForm(p.forms, strings.TrimLeft(line, " \t")); found != nil {
		return -1, 0
	}
	state = -1
	for _, s := range p.longest {
		n := foldedPrefix(line, folded[s])
		after := line[n:min(n+1, len(line))]
		marked := strings.ContainsAny(line[:n]+after, "*_#`>[]():［］：（）")
		if n > length && folded[s] != "" && (marked || strings.EqualFold(line[:n], p.a.States[s].Text)) {
			state, length = s, n
		}
	}
	return state, length
}

// foldedPrefix returns the length of the prefix of a line that equals a prompt after folding, or 0.
func foldedPrefix(line, prompt string) int {
	rest := prompt
	for i, r := range line {
		f := foldRune(r)
		if f == 0 {
			continue
		}
		want, size := utf8.DecodeRuneInString(rest)
		if f != want {
			return 0
		}
		if rest = rest[size:]; rest == "" {
			return i + utf8.RuneLen(r)
		}
	}
	return 0
}

// fold returns the form of a text that all its look-alikes share.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if f := foldRune(r); f != 0 {
			return f
		}
		return -1
	}, text)
}

// alike lists pairs of characters: a letter of another script, followed by the Latin letter that it resembles.
const alike = "аaеeоoрpсcхxуyкkмmтtвbнhіiјjѕsԁdԛqԝw" + "αaοoνvρpτtιiκkυuχx" + "ɡgⅼlӏl"

// foldRune returns the lower-case Latin letter that a character resembles, or 0 for
// space, marks of emphasis and invisible characters.
func foldRune(r rune) rune {
	if r >= 0xFF01 && r <= 0xFF5E { // full width
		r -= 0xFF01 - '!'
	}
	r = unicode.ToLower(r)
	switch {
	case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune("*_#`>[]():", r):
		return 0
	case r < utf8.RuneSelf:
		return r
	}
	if i := strings.IndexRune(alike, r); i >= 0 {
		return rune(alike[i+utf8.RuneLen(r)])
	}
	return r
}
