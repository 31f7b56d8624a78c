package flow

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// Kind says what a [State] is.
type Kind uint8

// The kinds of states.
const (
	Ask    Kind = iota // asks its question
	Choose             // chooses the next question of a block
	Accept             // a good end
	Stop               // a bad end
)

// State is a state of a flowchart.
type State struct {
	Name     string
	Kind     Kind
	Question string // or what an end says; {name} stands for a variable
	Edges    []Edge
	Span     source.Span
}

// Edge leads on with an answer.
type Edge struct {
	Answer string
	To     int
	Text   string // its "as" text, or ""
	Span   source.Span
	Group  int // of answers that may be taken together, in their order; 0: alone
}

// Flow is a compiled flowchart. It never changes and may be shared.
type Flow struct {
	States    []State
	Start     int
	Variables []string          // that texts name, in the order of their first use
	Values    map[string]string // that "let" lines give
}

// MaxAnyOrder is how many questions may be asked in any order: a state is needed
// for each set of those that are left.
const MaxAnyOrder = 10

// MaxSome is how many answers of a question may be taken together.
const MaxSome = 12

// enoughName ends answers of which several may be taken.
const enoughName = "enough"

// Stop is the name of the end that need not be declared.
const stopName = "stop"

// nextName is where answers of a block lead on.
const nextName = "next"

// Compile makes a flowchart of a text. It is nil where there is no question; with
// errors it is that of what was understood.
func Compile(s *Syntax) (*Flow, []source.Diagnostic) {
	if len(s.File.Check()) > 0 {
		return nil, nil
	}
	c := &compiler{f: &Flow{Values: map[string]string{}}, index: map[string]int{}, declared: map[string]lines.Token{}}
	c.declare(s)
	if len(c.first.Text) == 0 {
		if len(s.statements) == 0 {
			c.errorAt(source.Span{}, "flow.empty", `there is no question yet; write one such as ask name "Is it?" yes -> good no -> stop, and accept good "It is."`)
		}
		return nil, c.found
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case question:
			c.ask(st.name.Text, st, func(a answer) int { return c.target(a.to) })
		case block:
			c.block(st)
		}
	}
	f := c.f
	f.Start = c.target(c.first)
	c.check(s)
	return f, c.found
}

type compiler struct {
	f        *Flow
	index    map[string]int // of states by name
	declared map[string]lines.Token
	first    lines.Token
	found    []source.Diagnostic
}

func (c *compiler) errorAt(span source.Span, code, message string, notes ...source.Note) {
	if len(c.found) < maxFound {
		c.found = append(c.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
	}
}

func (c *compiler) warnAt(span source.Span, code, message string) {
	if len(c.found) < maxFound {
		c.found = append(c.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
	}
}

// declare gives all names a state, so that answers may lead to what comes later.
func (c *compiler) declare(s *Syntax) {
	var started *startLine
	name := func(t lines.Token, state State) {
		if first, twice := c.declared[t.Text]; twice {
			c.errorAt(t.Span, "flow.twice", fmt.Sprintf("there are two of the name %q", t.Text), source.Note{Span: first.Span, Message: "the first is here"})
			return
		}
		if t.Text == nextName {
			c.errorAt(t.Span, "flow.next", `"next" leads on in a block and cannot be a name`)
			return
		}
		c.declared[t.Text] = t
		state.Name, state.Span = t.Text, t.Span
		c.state(state)
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case letLine:
			c.f.Values[st.name.Text] = st.text.Text
		case startLine:
			if started != nil {
				c.errorAt(st.name.Span, "flow.start-twice", "there are two starts; the first holds")
				continue
			}
			started = &st
		case question:
			if c.first.Text == "" {
				c.first = st.name
			}
			name(st.name, State{Question: st.text.Text})
		case block:
			if c.first.Text == "" {
				c.first = st.name
			}
			for _, q := range st.questions {
				if first, twice := c.declared[q.name.Text]; twice {
					c.errorAt(q.name.Span, "flow.twice", fmt.Sprintf("there are two of the name %q", q.name.Text), source.Note{Span: first.Span, Message: "the first is here"})
				}
				c.declared[q.name.Text] = q.name
			}
			name(st.name, State{Kind: Choose})
		case end:
			kind := Stop
			if st.accepts {
				kind = Accept
			}
			name(st.name, State{Kind: kind, Question: st.text})
		}
	}
	if started != nil && c.first.Text != "" {
		c.first = started.name
	}
}

// state adds a state and returns its number.
func (c *compiler) state(s State) int {
	n, ok := c.index[s.Name]
	if !ok {
		n = len(c.f.States)
		c.index[s.Name] = n
		c.f.States = append(c.f.States, s)
	}
	return n
}

// target returns the state that a name leads to.
func (c *compiler) target(t lines.Token) int {
	if n, ok := c.index[t.Text]; ok {
		return n
	}
	if t.Text != stopName {
		var names []string
		for _, s := range c.f.States {
			names = append(names, s.Name)
		}
		d := source.Diagnostic{Code: "flow.unknown", Span: t.Span, Message: fmt.Sprintf("there is no question or end %q", t.Text)}
		switch {
		case t.Text == nextName:
			d.Message = `"next" leads on in a block only`
		default:
			if near := source.Nearest(t.Text, names); near != "" {
				d.Message += fmt.Sprintf("; did you mean %q?", near)
				d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: t.Span, Text: near}}}}
			}
		}
		if len(c.found) < maxFound {
			c.found = append(c.found, d)
		}
	}
	return c.state(State{Name: stopName, Kind: Stop, Span: t.Span})
}

// ask gives the state of a question its edges.
func (c *compiler) ask(name string, q question, to func(answer) int) {
	at := c.state(State{Name: name, Question: q.text.Text, Span: q.name.Span})
	if len(c.f.States[at].Edges) > 0 {
		return // the second of a name
	}
	if len(q.answers) == 0 {
		c.errorAt(q.name.Span, "flow.no-answer", fmt.Sprintf("the question %q has no answer: write yes -> name below it", q.name.Text))
	}
	said := map[string]bool{}
	fresh := func(t lines.Token) bool {
		was := said[t.Text]
		if said[t.Text] = true; was {
			c.errorAt(t.Span, "flow.answer-twice", fmt.Sprintf("%q has two answers %q", q.name.Text, t.Text))
		}
		return !was
	}
	for group, a := range q.answers {
		if len(a.some) > 0 {
			c.some(name, group+1, q, a, to, fresh)
			continue
		}
		if !fresh(a.name) {
			continue
		}
		target := to(a) // may add states
		c.f.States[at].Edges = append(c.f.States[at].Edges, Edge{Answer: a.name.Text, To: target, Text: a.text, Span: a.span})
	}
}

// some gives the state of a question the answers of which several may be taken, and
// adds a state behind each but the last: there what comes later may be answered as
// well, or that it is enough.
func (c *compiler) some(name string, group int, q question, a answer, to func(answer) int, fresh func(lines.Token) bool) {
	at := c.index[name]
	var items []item
	for _, i := range a.some {
		switch {
		case len(items) == MaxSome:
			c.errorAt(i.name.Span, "limit.some", fmt.Sprintf("at most %d answers may be taken together", MaxSome))
			return
		case i.name.Text == enoughName:
			c.errorAt(i.name.Span, "flow.enough", `"enough" ends the answers of which several may be taken, and cannot be one`)
		case fresh(i.name):
			items = append(items, i)
		}
	}
	target := to(a) // may add states
	then := make([]int, len(items))
	for k, i := range items {
		then[k] = target
		if k < len(items)-1 {
			then[k] = c.state(State{Name: name + "{then " + i.name.Text + "}", Question: q.text.Text + " Anything else?", Span: i.name.Span})
		}
	}
	edges := func(state, from int) {
		s := &c.f.States[state]
		for k := from; k < len(items); k++ {
			text := items[k].text
			if k == len(items)-1 {
				text = strings.TrimSpace(text + " " + a.text)
			}
			s.Edges = append(s.Edges, Edge{Answer: items[k].name.Text, To: then[k], Text: text, Span: items[k].name.Span, Group: group})
		}
	}
	edges(at, 0)
	for k := range max(len(items)-1, 0) {
		edges(then[k], k+1)
		s := &c.f.States[then[k]]
		s.Edges = append(s.Edges, Edge{Answer: enoughName, To: target, Text: a.text, Span: a.span})
	}
}

// block expands the questions of a block: a state for each set of those that are
// left, and for each question that is asked with such a set left behind it.
func (c *compiler) block(b block) {
	if len(b.questions) == 0 {
		c.errorAt(b.name.Span, "flow.block", "a block has at least one question")
		return
	}
	if len(b.questions) > MaxAnyOrder {
		c.errorAt(b.name.Span, "limit.any-order", fmt.Sprintf("at most %d questions are asked in any order; these are %d", MaxAnyOrder, len(b.questions)))
		return
	}
	all := 1<<len(b.questions) - 1
	after := c.target(b.to)
	choose := func(left int) int {
		switch left {
		case 0:
			return after
		case all:
			return c.index[b.name.Text]
		}
		return c.state(State{Name: b.name.Text + rest(b.questions, left), Kind: Choose, Span: b.name.Span})
	}
	for left := all; left > 0; left-- {
		at := choose(left)
		for i, q := range b.questions {
			if left>>i&1 == 0 {
				continue
			}
			behind := left &^ (1 << i)
			name := q.name.Text + rest(b.questions, behind)
			c.ask(name, q, func(a answer) int {
				if a.to.Text == nextName {
					return choose(behind)
				}
				return c.target(a.to)
			})
			c.f.States[at].Edges = append(c.f.States[at].Edges, Edge{Answer: q.name.Text, To: c.index[name], Span: q.name.Span})
		}
	}
}

// rest writes the questions that are left.
func rest(questions []question, left int) string {
	if left == 0 {
		return ""
	}
	var names []string
	for i, q := range questions {
		if left>>i&1 == 1 {
			names = append(names, q.name.Text)
		}
	}
	return "{" + strings.Join(names, ",") + "}"
}

// check reports what is odd, and collects variables.
func (c *compiler) check(s *Syntax) {
	f := c.f
	reach := make([]bool, len(f.States))
	reach[f.Start] = true
	accepts := false
	for queue := []int{f.Start}; len(queue) > 0; queue = queue[1:] {
		state := f.States[queue[0]]
		accepts = accepts || state.Kind == Accept
		for _, e := range state.Edges {
			if !reach[e.To] {
				reach[e.To] = true
				queue = append(queue, e.To)
			}
		}
	}
	sound := !source.HasErrors(c.found)
	for i, is := range reach {
		if state := f.States[i]; sound && !is && c.declared[state.Name].Span == state.Span {
			c.warnAt(state.Span, "flow.unreachable", fmt.Sprintf("no answer leads to %q", state.Name))
		}
	}
	if sound && !accepts {
		c.warnAt(f.States[f.Start].Span, "flow.no-accept", `no answers lead to a good end: declare one with accept name "…"`)
	}
	known := map[string]bool{}
	note := func(text string) {
		variables(text, func(name string, _ int) {
			if !known[name] {
				known[name] = true
				f.Variables = append(f.Variables, name)
			}
		})
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case question:
			note(st.text.Text)
		case block:
			for _, q := range st.questions {
				note(q.text.Text)
			}
		case end:
			note(st.text)
		}
	}
}

// CheckVariables warns of each {name} in a text of the file that no let line gives a
// value; a caller of [Flow.Text] may have others.
func (f *Flow) CheckVariables(file *source.File) (found []source.Diagnostic) {
	var names []string
	said := map[string]bool{}
	for name := range f.Values {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return names[i] < names[j] })
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Text {
			continue
		}
		variables(file.Slice(t.Span), func(name string, at int) {
			if _, ok := f.Values[name]; ok || said[name] || len(found) >= maxFound {
				return
			}
			said[name] = true
			start := t.Span.Start + source.Pos(at)
			d := source.Diagnostic{
				Code: "flow.variable", Severity: source.SeverityWarning, Span: source.Span{Start: start, End: start + source.Pos(len(name))},
				Message: fmt.Sprintf("unknown variable %q", name),
				Fixes:   []source.Fix{{Title: "Add let " + name, Edits: []source.Edit{{Text: "let " + name + " \"\"\n"}}}},
			}
			if near := source.Nearest(name, names); near != "" {
				d.Message += fmt.Sprintf("; did you mean %q?", near)
				d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: d.Span, Text: near}}}}
			}
			found = append(found, d)
		})
	}
	return found
}

// Text returns a text with the values of variables in it: those given, then those
// of "let" lines. One without a value stays as it is.
func (f *Flow) Text(text string, values map[string]string) string {
	var b strings.Builder
	done := 0
	variables(text, func(name string, at int) {
		value, ok := values[name]
		if !ok {
			value, ok = f.Values[name]
		}
		if ok {
			b.WriteString(text[done:at-1] + value)
			done = at + len(name) + 1
		}
	})
	return b.String() + text[done:]
}

// Letter returns the name of an edge's letter: the question, a dot, and the
// answer, so that properties can speak of it; a choice is the question chosen.
func (f *Flow) Letter(state int, e Edge) string {
	s := f.States[state]
	if s.Kind == Choose {
		return e.Answer
	}
	name, _, _ := strings.Cut(s.Name, "{")
	return name + "." + e.Answer
}

// Letters returns the names of all letters, sorted.
func (f *Flow) Letters() []string {
	seen := map[string]bool{}
	out := []string{}
	for i, s := range f.States {
		for _, e := range s.Edges {
			if l := f.Letter(i, e); !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}

// DFA returns the automaton of the words that lead to a good end, over the letters
// that Letters lists; what no edge reads leads to a dead state, which comes last.
func (f *Flow) DFA() *automaton.DFA {
	letters := f.Letters()
	index := map[string]int{}
	for i, l := range letters {
		index[l] = i
	}
	// The start must be state 0.
	place := func(state int) int {
		switch state {
		case f.Start:
			return 0
		case 0:
			return f.Start
		}
		return state
	}
	dead := len(f.States)
	rows, accept := make([][]int, dead+1), make([]bool, dead+1)
	for at := range rows {
		row := make([]int, len(letters))
		for i := range row {
			row[i] = dead
		}
		rows[at] = row
		if at == dead {
			continue
		}
		state := place(at)
		accept[at] = f.States[state].Kind == Accept
		for _, e := range f.States[state].Edges {
			row[index[f.Letter(state, e)]] = place(e.To)
		}
	}
	return automaton.NewDFA(rows, accept)
}

// Grammar returns the right-linear grammar of the words that lead to a good end: a
// nonterminal for each state, so that whatever plans with grammars plans with
// flowcharts.
func (f *Flow) Grammar() *grammar.Grammar { return f.endingIn(Accept, Accept) }

// Outcomes is Grammar with the words that lead to a bad end as well.
func (f *Flow) Outcomes() *grammar.Grammar { return f.endingIn(Accept, Stop) }

// Stops returns the letters that lead to a bad end, sorted.
func (f *Flow) Stops() []string {
	out := []string{}
	for i, s := range f.States {
		for _, e := range s.Edges {
			if l := f.Letter(i, e); f.States[e.To].Kind == Stop && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}

func (f *Flow) endingIn(good, bad Kind) *grammar.Grammar {
	letters := f.Letters()
	index := map[string]int{}
	for i, l := range letters {
		index[l] = i
	}
	var names []string
	var productions []grammar.Production
	labels := map[string]string{}
	for i, s := range f.States {
		names = append(names, "["+s.Name+"]")
		left := grammar.Symbol(len(letters) + i)
		if s.Kind == good || s.Kind == bad {
			productions = append(productions, grammar.Production{Left: left, Span: s.Span})
		}
		for _, e := range s.Edges {
			letter := f.Letter(i, e)
			productions = append(productions, grammar.Production{
				Left: left, Right: []grammar.Symbol{grammar.Symbol(index[letter]), grammar.Symbol(len(letters) + e.To)}, Label: e.Text, Span: e.Span,
			})
			switch {
			case s.Kind == Choose:
				labels[letter] = f.Text(f.States[e.To].Question, nil)
			case e.Text != "":
				labels[letter] = f.Text(e.Text, nil)
			}
		}
	}
	return grammar.New(letters, names, grammar.Symbol(len(letters)+f.Start), productions, labels, grammar.Limits{})
}
