// Package pushdown implements pushdown automata: those of grammars, by the
// construction of Formal-LLM's Figure 3 (Li et al. 2024; Hopcroft, Motwani and
// Ullman 2001), and their reachable configurations.
package pushdown

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// PDA is a nondeterministic pushdown automaton. It accepts by state, and, with
// AcceptEmpty, also by empty stack.
type PDA struct {
	States      []string
	Start       int
	Accept      []int
	AcceptEmpty bool
	StackStart  string // the symbol that the stack begins with, or "" for none
	Transitions []Transition
	Limits      grammar.Limits // of "limit" lines
	Backwards   bool           // words are written from the last step to the first

	labels map[string]string // of letters
	spans  []source.Span     // by state
}

// Transition is (Read, Pop; Push) from the state From to the state To. It reads the letter Read, or
// none if Read is "", pops Pop and pushes Push, whose first symbol is then on top. With ReadAny it
// reads any letter, and with PopAny it pops any symbol; with neither PopAny nor Pop it ignores the
// stack. Keep leaves the popped symbol below the pushed ones.
type Transition struct {
	From, To        int
	Read, Pop       string
	ReadAny, PopAny bool
	Push            []string
	Keep            bool
	Label           string      // its "as" text, or ""
	Span            source.Span // of its production or label; empty without one
	Production      int         // -1 without one
}

// Accepting reports whether a state accepts.
func (p *PDA) Accepting(state int) bool {
	for _, a := range p.Accept {
		if a == state {
			return true
		}
	}
	return false
}

// The states of an automaton of a grammar.
const (
	stateStart = iota
	stateWork
	stateAccept
)

// FromGrammar returns the three-state automaton of a grammar. The first state
// puts the start symbol on the stack, the last is reached when only the stack's
// bottom is left; between them the middle state does all the work: A → a α
// becomes (a, A; α), any other A → α becomes (ε, A; α), and a terminal b that
// comes to the top of the stack becomes (b, b; ε).
func FromGrammar(g *grammar.Grammar) *PDA {
	p := &PDA{States: []string{"q0", "q1", "q2"}, Start: stateStart, Accept: []int{stateAccept}, StackStart: bottom(g)}
	p.Transitions = append(p.Transitions, Transition{
		From: stateStart, To: stateWork, Pop: p.StackStart, Push: []string{g.Names[g.Start], p.StackStart},
		Span: g.Span(g.Start), Production: -1,
	})
	stacked := make([]bool, g.NumTerminals)
	for i, production := range g.Productions {
		t := Transition{From: stateWork, To: stateWork, Pop: g.Names[production.Left], Span: production.Span, Production: i}
		right := production.Right
		if len(right) > 0 && g.IsTerminal(right[0]) {
			t.Read = g.Names[right[0]]
			right = right[1:]
		}
		for _, s := range right {
			t.Push = append(t.Push, g.Names[s])
			if g.IsTerminal(s) {
				stacked[s] = true
			}
		}
		p.Transitions = append(p.Transitions, t)
	}
	for s, is := range stacked {
		if is {
			name := g.Names[s]
			p.Transitions = append(p.Transitions, Transition{
				From: stateWork, To: stateWork, Read: name, Pop: name, Span: g.Span(grammar.Symbol(s)), Production: -1,
			})
		}
	}
	p.Transitions = append(p.Transitions, Transition{
		From: stateWork, To: stateAccept, Pop: p.StackStart, Push: []string{p.StackStart}, Production: -1,
	})
	return p
}

// bottom returns an unused name for the bottom of the stack: Z, or Z0, Z1, …
func bottom(g *grammar.Grammar) string {
	name := "Z"
	for i := 0; ; i++ {
		if _, taken := g.Lookup(name); !taken {
			return name
		}
		name = "Z" + strconv.Itoa(i)
	}
}

// Letters returns the letters that transitions name, in the order of their first
// use.
func (p *PDA) Letters() []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range p.Transitions {
		if t.Read != "" && !seen[t.Read] {
			seen[t.Read] = true
			out = append(out, t.Read)
		}
	}
	return out
}

// LetterLabels returns the display texts of letters: a letter's "as" text, or else the text of the
// transitions that read it, if they agree. Other letters have none.
func (p *PDA) LetterLabels() map[string]string {
	out := map[string]string{}
	for _, t := range p.Transitions {
		if t.Read == "" || t.Label == "" {
			continue
		}
		if label, ok := out[t.Read]; ok && label != t.Label {
			out[t.Read] = "" // they differ
		} else if !ok {
			out[t.Read] = t.Label
		}
	}
	for letter, label := range p.labels {
		out[letter] = label
	}
	for letter, label := range out {
		if label == "" {
			delete(out, letter)
		}
	}
	return out
}

// Notation writes the transition's (read, pop; push) without its parentheses.
func (t Transition) Notation() string {
	or := func(any bool, name string) string {
		switch {
		case any:
			return "*"
		case name == "":
			return "ε"
		}
		return name
	}
	push := strings.Join(t.Push, " ")
	if t.Keep {
		push = strings.TrimSpace(push + " *")
	}
	return or(t.ReadAny, t.Read) + ", " + or(t.PopAny, t.Pop) + "; " + or(false, push)
}

// String prints the automaton, a line a transition.
func (p *PDA) String() string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace("start "+p.States[p.Start]+" "+p.StackStart) + "\n")
	if len(p.Accept) > 0 {
		b.WriteString("accept")
		for _, a := range p.Accept {
			b.WriteString(" " + p.States[a])
		}
		b.WriteByte('\n')
	}
	if p.AcceptEmpty {
		b.WriteString("accept empty\n")
	}
	if p.Backwards {
		b.WriteString("backwards\n")
	}
	for _, t := range p.Transitions {
		b.WriteString(p.States[t.From] + " -> " + p.States[t.To] + " (" + t.Notation() + ")\n")
	}
	return b.String()
}

// StateSpan returns the span of a state's first occurrence, which may be a name with variables; it
// is empty if no text names the state.
func (p *PDA) StateSpan(state int) source.Span {
	if state >= len(p.spans) {
		return source.Span{}
	}
	return p.spans[state]
}
