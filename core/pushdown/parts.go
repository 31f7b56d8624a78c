package pushdown

import (
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// The parts of an automaton's text as they are written: names contain their variables.
type (
	// Begin is the start; Stack is "" for an empty stack.
	Begin struct{ State, Stack string }
	// End lists the accepting states. Empty accepts words that empty the stack.
	End struct {
		States []string
		Empty  bool
	}
	// Move is one label of a transition. Read and Pop are "" for ε, and "*" for any symbol; Keep
	// leaves the popped symbol below the pushed ones.
	Move struct {
		From, To, Read, Pop, Text string
		Push                      []string
		Keep                      bool
	}
	// Naming is the text of a letter.
	Naming struct{ Letter, Text string }
	// Limit bounds the uses of the named letters, or, with Each, of each letter except these.
	Limit struct {
		N     int64
		Each  bool
		Names []string
	}
	// Order is the line "backwards".
	Order struct{}
	// Family repeats the following lines for each value of its variables.
	Family struct {
		Variables []Variable
		Condition string
	}
)

// Variable is a variable of a family. Range is the text of a range; "" for a list of words.
type Variable struct {
	Name  string
	Words []string
	Range string
}

// Parts calls visit with each part of the text and its place, in the order of the text.
func (s *Syntax) Parts(visit func(part any, at source.Span)) { s.parts(s.statements, visit) }

func (s *Syntax) parts(list []statement, visit func(part any, at source.Span)) {
	for _, st := range list {
		switch st := st.(type) {
		case startLine:
			b := Begin{State: st.state.Text}
			if len(st.stack) > 0 {
				b.Stack = symbolText(st.stack[0])
			}
			visit(b, st.state.Span)
		case acceptLine:
			visit(End{textsOf(st.states), st.empty.Len() > 0}, st.span)
		case moveLine:
			for _, l := range st.labels {
				visit(moveOf(st, l), l.span)
			}
		case labelLine:
			visit(Naming{st.symbol.Text, st.text.Text}, st.symbol.Span)
		case limitLine:
			visit(Limit{st.n, st.each, textsOf(st.names)}, st.span)
		case backwardsLine:
			visit(Order{}, st.span)
		case family:
			f := Family{Condition: strings.TrimSpace(s.File.Slice(st.when))}
			for _, v := range st.variables {
				f.Variables = append(f.Variables, Variable{v.name.Text, textsOf(v.words), s.File.Slice(v.through)})
			}
			visit(f, st.span)
			s.parts(st.body, visit)
		}
	}
}

func moveOf(st moveLine, l moveLabel) Move {
	m := Move{From: st.from.Text, To: st.to.Text, Read: symbolText(l.read), Pop: symbolText(l.pop)}
	if st.text != nil {
		m.Text = st.text.Text
	}
	for i, push := range l.push {
		// The name of the popped symbol as the last pushed symbol also keeps it.
		if name := symbolText(push); name == "*" || i == len(l.push)-1 && name == m.Pop && name != "" {
			m.Keep = true
		} else if name != "" {
			m.Push = append(m.Push, name)
		}
	}
	return m
}

// symbolText returns a symbol as it is written, "" for ε.
func symbolText(t lines.Token) string {
	if t.Kind == lines.Word && (t.Text == "ε" || t.Text == "%empty") {
		return ""
	}
	return t.Text
}

func textsOf(tokens []lines.Token) []string {
	var out []string
	for _, t := range tokens {
		out = append(out, t.Text)
	}
	return out
}
