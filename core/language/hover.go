package language

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/workspace"
)

// Card is what is told of what stands at a place.
type Card struct {
	Span  source.Span
	Kind  string // "terminal", "state", …, "keyword"
	Name  string
	Form  string   // of a keyword: how it is used
	Lines []string // sentences
	Word  []string // a shortest word with it, or of it; nil where that is not known
	OfIt  bool     // the word is derived from it
}

// hoverBudget bounds the search for an example.
var hoverBudget = meter.Budget{Steps: 2_000_000, States: 200_000}

// maxExample is how long an example may be to be worth reading.
const maxExample = 40

// Hover says what stands at a place, or returns nil.
func Hover(w workspace.Workspace, name string, at source.Pos) *Card {
	f, ok := w.File(name)
	if !ok {
		return nil
	}
	s := Find(w, name, at)
	if s == nil {
		return keyword(f, at)
	}
	c := &Card{Span: s.Span, Kind: s.Kind, Name: s.Name}
	home, kind := f, workspace.KindOf(name)
	for _, p := range s.Places {
		// A proposition is told of by the spec that has it as its letter.
		if g, ok := w.File(p.File); ok && kind == workspace.KindFormulas && workspace.KindOf(p.File) != kind {
			home, kind = g, workspace.KindOf(p.File)
		}
	}
	d := describer{w: w, file: home.Source(), kind: kind}
	d.describe(c, s)
	c.Lines = append(c.Lines, uses(w, s, name))
	return c
}

// keyword says what a reserved word means.
func keyword(f workspace.File, at source.Pos) *Card {
	kind := workspace.KindOf(f.Name)
	span, ok := wordAt(f, at)
	if !ok {
		return nil
	}
	word := f.Text[span.Start:span.End]
	e, ok := entry(kind, word)
	if !ok && kind == workspace.KindAgent {
		if name, _, bounded := strings.Cut(word, "_"); bounded {
			e, ok = entry(kind, name)
		}
	}
	if !ok {
		return nil
	}
	return &Card{Span: span, Kind: "keyword", Name: e.Words[0], Form: e.Form, Lines: []string{e.Text}}
}

// describer knows the spec in which a symbol is at home.
type describer struct {
	w    workspace.Workspace
	file *source.File
	kind workspace.Kind
}

func (d describer) describe(c *Card, s *Symbol) {
	switch d.kind {
	case workspace.KindGrammar:
		d.grammar(c, s)
	case workspace.KindPushdown:
		d.pushdown(c, s)
	case workspace.KindFlow:
		d.flow(c, s)
	case workspace.KindAgent:
		d.agent(c, s)
	case workspace.KindTeam:
		d.team(c, s)
	case workspace.KindSMT, workspace.KindLP:
		d.solve(c, s)
	case workspace.KindPDDL:
		d.steps(c, s)
	case workspace.KindFormulas:
		if s.Kind == ltl.KindProposition {
			c.Lines = append(c.Lines, "No spec of the workspace has a letter of this name.")
		}
	}
}

func (d describer) grammar(c *Card, s *Symbol) {
	syntax, _ := grammar.Parse(d.file)
	g, _ := grammar.Compile(syntax, "")
	if g == nil {
		return
	}
	symbol, ok := g.Lookup(s.Name)
	if !ok {
		return
	}
	if label := g.Label(symbol); label != s.Name {
		c.Lines = append(c.Lines, label)
	}
	if g.IsTerminal(symbol) {
		c.Kind = grammar.KindTerminal
		if word, found, err := verify.Shortest(g, seen(g.NumTerminals, int(symbol)), meter.New(hoverBudget)); found && err == nil {
			c.example(names(g, word))
		} else if err == nil {
			c.Lines = append(c.Lines, "No plan uses it.")
		}
		return
	}
	c.Lines = append(c.Lines, plural(len(g.ByLeft(symbol)), "production")+".")
	from := *g
	from.Start = symbol
	word, found, err := earley.Shortest(&from)
	switch {
	case err != nil:
	case !found:
		c.Lines = append(c.Lines, "No word can be derived from it.")
	default:
		c.OfIt = true
		c.example(names(g, word))
		if len(word) == 0 {
			c.Lines = append(c.Lines, "It may be left out.")
		}
	}
}

func (d describer) pushdown(c *Card, s *Symbol) {
	syntax, _ := pushdown.Parse(d.file)
	p, _ := pushdown.Compile(syntax)
	if p == nil {
		return
	}
	switch s.Kind {
	case pushdown.KindState:
		in, out, accepts := 0, 0, false
		for _, t := range p.Transitions {
			if p.States[t.To] == s.Name {
				in++
			}
			if p.States[t.From] == s.Name {
				out++
			}
		}
		for _, q := range p.Accept {
			accepts = accepts || p.States[q] == s.Name
		}
		c.Lines = append(c.Lines, plural(in, "transition")+" in, "+plural(out, "transition")+" out.")
		if p.States[p.Start] == s.Name {
			c.Lines = append(c.Lines, "Words begin here.")
		}
		if accepts {
			c.Lines = append(c.Lines, "Words may end here.")
		}
	case pushdown.KindFamily:
		c.Lines = append(c.Lines, "It stands for a name with each value of its variables.")
	case pushdown.KindLetter, ltl.KindProposition:
		c.Kind = pushdown.KindLetter
		if label := p.LetterLabels()[s.Name]; label != "" {
			c.Lines = append(c.Lines, label)
		}
		g, err := p.Grammar(meter.New(hoverBudget))
		if err != nil {
			return
		}
		if letter, ok := g.Lookup(s.Name); ok {
			if word, found, err := verify.Shortest(g, seen(g.NumTerminals, int(letter)), meter.New(hoverBudget)); found && err == nil {
				c.example(names(g, word))
			}
		}
	}
}

func (d describer) flow(c *Card, s *Symbol) {
	syntax, _ := flow.Parse(d.file)
	chart, _ := flow.Compile(syntax)
	if chart == nil {
		return
	}
	if value, ok := chart.Values[s.Name]; ok && s.Kind == flow.KindVariable {
		c.Lines = append(c.Lines, value)
	}
	question := s.Name
	if s.Kind == flow.KindAnswer {
		question, _, _ = strings.Cut(strings.TrimPrefix(s.key, flow.KindAnswer+"\x00"), "\x00")
	}
	for _, state := range chart.States {
		name, _, _ := strings.Cut(state.Name, "{")
		if name != question || s.Kind == flow.KindVariable {
			continue
		}
		if state.Question != "" {
			c.Lines = append(c.Lines, chart.Text(state.Question, nil))
		}
		for _, e := range state.Edges {
			if to := chart.States[e.To].Name; s.Kind == flow.KindAnswer && e.Answer == s.Name {
				c.Lines = append(c.Lines, "Leads to "+to+".")
			} else if s.Kind == flow.KindQuestion {
				c.Lines = append(c.Lines, e.Answer+" leads to "+to+".")
			}
		}
		return
	}
}

func (d describer) agent(c *Card, s *Symbol) {
	spec, _ := agent.Parse(d.file)
	a, _ := agent.Compile(spec, meter.New(hoverBudget))
	if a == nil {
		return
	}
	letter := a.Index(s.Name)
	if s.Kind == agent.KindAgent || letter < 0 {
		return
	}
	c.Kind = agent.KindState
	state := a.States[letter]
	c.Lines = append(c.Lines, "Prompt: "+state.Text)
	switch {
	case state.EnvInput:
		c.Lines = append(c.Lines, "The environment writes what stands in it.")
	case state.Empty:
		c.Lines = append(c.Lines, "Nothing stands in it.")
	case len(state.OneOf) > 0:
		c.Lines = append(c.Lines, "It is one of "+strings.Join(state.OneOf, ", ")+".")
	case state.Matches != "":
		c.Lines = append(c.Lines, "It matches "+state.Matches+".")
	}
	before, after := neighbours(a, letter)
	if len(before) > 0 {
		c.Lines = append(c.Lines, "May come after "+strings.Join(before, ", ")+".")
	}
	if len(after) > 0 {
		c.Lines = append(c.Lines, "May be followed by "+strings.Join(after, ", ")+".")
	}
	both, err := automaton.Product(a.DFA, seen(len(a.States), letter), func(a, b bool) bool { return a && b }, meter.New(hoverBudget))
	if err != nil {
		return
	}
	word, ok := both.Shortest()
	if !ok {
		c.Lines = append(c.Lines, "No run comes to it.")
		return
	}
	list := make([]string, len(word))
	for i, l := range word {
		list[i] = a.States[l].Name
	}
	c.example(list)
}

// neighbours returns the states that may come right before and right after one.
func neighbours(a *agent.Agent, letter int) (before, after []string) {
	n := len(a.States)
	follows := make([]bool, n)
	comes := make([]bool, n)
	for q := range a.DFA.NumStates() {
		if !a.Live(q) {
			continue
		}
		for l := range n {
			to := a.DFA.Next(q, l)
			if !a.Live(to) {
				continue
			}
			if at := a.DFA.Next(to, letter); a.Live(at) {
				comes[l] = true
			}
			if l == letter {
				for m := range n {
					follows[m] = follows[m] || a.Live(a.DFA.Next(to, m))
				}
			}
		}
	}
	for l := range n {
		if comes[l] {
			before = append(before, a.States[l].Name)
		}
		if follows[l] {
			after = append(after, a.States[l].Name)
		}
	}
	return before, after
}

// seen is the automaton of the words with a letter in them.
func seen(letters, letter int) *automaton.DFA {
	rows := [][]int{make([]int, letters), make([]int, letters)}
	for l := range letters {
		rows[1][l] = 1
	}
	rows[0][letter] = 1
	return automaton.NewDFA(rows, []bool{false, true})
}

func (c *Card) example(word []string) {
	if len(word) > 0 && len(word) <= maxExample {
		c.Word = word
	}
}

func names(g *grammar.Grammar, word []grammar.Symbol) []string {
	out := make([]string, len(word))
	for i, s := range word {
		out[i] = g.Names[s]
	}
	return out
}

// uses says where a symbol stands.
func uses(w workspace.Workspace, s *Symbol, here string) string {
	const most = 8
	var parts []string
	for _, f := range w.Files {
		file := f.Source()
		var lines []string
		for _, p := range s.Places {
			if p.File != f.Name {
				continue
			}
			line := strconv.Itoa(file.Locate(p.Span.Start).Line)
			if n := len(lines); n == 0 || lines[n-1] != line {
				lines = append(lines, line)
			}
		}
		if len(lines) == 0 {
			continue
		}
		more := ""
		if len(lines) > most {
			more, lines = fmt.Sprintf(" and %d more", len(lines)-most), lines[:most]
		}
		part := "line " + strings.Join(lines, ", ") + more
		if len(lines) > 1 {
			part = "lines " + strings.Join(lines, ", ") + more
		}
		if f.Name != here {
			part = f.Name + ", " + part
		}
		parts = append(parts, part)
	}
	return "Named " + plural(len(s.Places), "time") + ": " + strings.Join(parts, "; ") + "."
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
