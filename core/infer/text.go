package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// maxTerm bounds the states that a behaviour names: a longer text has no reader, and the text of an
// automaton with many cycles is exponential in its states.
const maxTerm = 2_000

// Proposal is an automaton as the text of an agent.
type Proposal struct {
	Automaton
	Text string
}

// Propose returns the automaton of runs as the text of an agent, whose runs are exactly its words. Of
// the bounds of states up to o.States, it chooses the largest with which enough held-back runs are
// accepted, or a smaller bound if the text would be too long. The error is that of [Spec].
func Propose(runs []Run, o Options, name string, m *meter.Meter) (*Proposal, error) {
	if o.States <= 0 {
		o.States = MaxStates
	}
	parts, err := o.parts(runs, m)
	if err != nil {
		return nil, err
	}
	var held Held
	if o.Strict {
		held, err = hold(parts, o.States, m)
	} else {
		held, err = o.choose(parts, m)
	}
	if err != nil {
		return nil, err
	}
	s, err := o.sample(runs)
	if err != nil {
		return nil, err
	}
	prefixes := o.tree(s, m)
	for {
		a, err := s.automaton(prefixes.clone(), o.States, m)
		if err != nil {
			return nil, err
		}
		t := behavior(a.DFA, maxTerm)
		if t == nil && o.States > 1 {
			o.States = min(o.States-1, a.States*4/5)
			if held, err = hold(parts, o.States, m); err != nil {
				return nil, err
			}
			continue
		}
		if t == nil {
			return nil, source.NewError("infer.text", "the automaton has too many symbols for the text of an agent")
		}
		a.Held = held
		text, err := a.text(t, name, m)
		if err != nil {
			return nil, err
		}
		return &Proposal{Automaton: *a, Text: text}, nil
	}
}

// text returns the text of an agent with a behaviour, and checks that its runs are the words of the
// automaton.
func (a *Automaton) text(t *term, name string, m *meter.Meter) (string, error) {
	names := slices.Clone(a.Symbols)
	var b strings.Builder
	fmt.Fprintf(&b, "; Learned from %s and %s: %s.\n", counted(a.Pass, "passing run"), counted(a.Fail, "failing run"), counted(a.States, "state"))
	for _, line := range a.remarks() {
		b.WriteString("; " + line + "\n")
	}
	used := t.used(len(names))
	fmt.Fprintf(&b, "(define %s\n  (:states\n", name)
	for i, state := range names {
		if !used[i] {
			continue
		}
		switch state {
		case User:
			b.WriteString(`(User (:text "[User]") (:flags :env-input) (:from person))`)
		case Message, Answer:
			fmt.Fprintf(&b, `(%s (:text "[%s]"))`, state, state)
		default:
			fmt.Fprintf(&b, `(%s (:text "%s"))`, state, agent.CallPrompt(state))
		}
		steps := 0
		for q := range a.Edges {
			steps += a.Edges[q][i]
		}
		fmt.Fprintf(&b, " ; %s\n", counted(steps, "step"))
	}
	b.WriteString(")\n(:behavior ")
	t.write(&b, names)
	b.WriteString("))\n")
	parsed, _ := agent.Parse(source.NewFile(name+".agent", b.String()))
	text := parsed.Format()
	compiled, err := open(text, m)
	if err != nil {
		return "", err
	}
	if word, found, err := automaton.Distinguish(a.DFA, overSymbols(compiled, names), m); err != nil {
		return "", err
	} else if found {
		return "", source.NewError("infer.text", fmt.Sprintf("the text of the agent and the automaton differ on %v", word))
	}
	return text, nil
}

// open compiles the text of an agent. The error is that of its first diagnostic.
func open(text string, m *meter.Meter) (*agent.Agent, error) {
	file := source.NewFile("learned.agent", text)
	parsed, found := agent.Parse(file)
	compiled, more := agent.Compile(parsed, m)
	for _, d := range append(found, more...) {
		if d.Severity == source.SeverityError {
			return nil, &source.Error{ID: d.Code, Message: d.Message, File: file, Diagnostics: []source.Diagnostic{d}}
		}
	}
	return compiled, nil
}

// overSymbols returns the automaton of an agent with symbols as its letters. It accepts no word with a
// symbol that is not one of the agent's states.
func overSymbols(a *agent.Agent, symbols []string) *automaton.DFA {
	n := a.DFA.NumStates()
	next, accept := make([][]int, n+1), make([]bool, n+1)
	for q := range next {
		next[q] = make([]int, len(symbols))
		for i, name := range symbols {
			next[q][i] = n
			if letter := a.Index(name); q < n && letter >= 0 {
				next[q][i] = a.DFA.Next(q, letter)
			}
		}
		accept[q] = q < n && a.DFA.Accepting(q)
	}
	return automaton.NewDFA(next, accept)
}

// used returns the letters that a term names.
func (t *term) used(n int) []bool {
	out := make([]bool, n)
	var walk func(t *term)
	walk = func(t *term) {
		for _, a := range t.letters {
			out[a] = true
		}
		for _, part := range t.of {
			walk(part)
		}
	}
	walk(t)
	return out
}

// Reservations returns the reservations about an automaton, as sentences.
func (a *Automaton) Reservations() []string {
	var out []string
	add := func(n int, one, many string) {
		if n == 1 {
			out = append(out, fmt.Sprintf(one, n))
		} else if n > 1 {
			out = append(out, fmt.Sprintf(many, n))
		}
	}
	if a.Held.Of > 0 {
		out = append(out, fmt.Sprintf("Automata from four fifths of the runs accept %d of the %d passing runs in the other fifths.", a.Held.Accepted, a.Held.Of))
	}
	add(a.Forced, "%d merge contradicts the evidence; it keeps the automaton small.", "%d merges contradict the evidence; they keep the automaton small.")
	add(a.Conflicts, "%d failing run was ignored: passing runs have the same steps.", "%d failing runs were ignored: passing runs have the same steps.")
	add(a.Unrejected, "%d failing run is accepted.", "%d failing runs are accepted.")
	add(a.Rejected, "%d passing run is rejected.", "%d passing runs are rejected.")
	return out
}

// remarks are the comments of the text: the reservations, and the runs by state and step.
func (a *Automaton) remarks() []string {
	out := a.Reservations()
	for q := range a.Visits {
		if a.Visits[q] == 0 {
			continue
		}
		type edge struct{ letter, runs int }
		var edges []edge
		for letter, runs := range a.Edges[q] {
			if runs > 0 {
				edges = append(edges, edge{letter, runs})
			}
		}
		slices.SortStableFunc(edges, func(x, y edge) int { return cmp.Compare(y.runs, x.runs) })
		line := fmt.Sprintf("state %d, %s:", q, counted(a.Visits[q], "visit"))
		if a.DFA.Accepting(q) {
			line = fmt.Sprintf("state %d, %s, may end:", q, counted(a.Visits[q], "visit"))
		}
		for i, e := range edges {
			if i > 0 {
				line += ","
			}
			line += fmt.Sprintf(" %s %d to %d", a.Symbols[e.letter], e.runs, a.DFA.Next(q, e.letter))
		}
		out = append(out, line)
	}
	return out
}

func counted(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
