package space

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// tracker is a parser's run that can be moved to any word.
type tracker struct {
	run  *earley.Run
	word []grammar.Symbol
}

// to moves the run to the end of a word.
func (t *tracker) to(word []grammar.Symbol) error {
	same := 0
	for same < len(word) && same < len(t.word) && word[same] == t.word[same] {
		same++
	}
	for len(t.word) > same {
		t.run.Pop()
		t.word = t.word[:len(t.word)-1]
	}
	for _, s := range word[same:] {
		if _, err := t.run.Push(s); err != nil {
			return err
		}
		t.word = append(t.word, s)
	}
	return nil
}

// walk is the search space of an automaton's words.
type walk struct {
	*Automaton
	meter *meter.Meter
	naive bool
	plain *tracker
	bound *tracker
}

// Space returns the search space of the automaton's words. A naive space looks ahead
// no further than the next letter.
func (w *Automaton) Space(naive bool, m *meter.Meter) Space {
	return &walk{
		Automaton: w, meter: m, naive: naive,
		plain: &tracker{run: w.plainParser.Start(m)}, bound: &tracker{run: w.boundParser.Start(m)},
	}
}

func (w *walk) Asks(c Config) bool {
	return w.chart != nil && w.chart.States[c.(walkConfig).at].Kind == flow.Ask
}
func (w *Automaton) Grammar() *grammar.Grammar { return w.g }

func (w *walk) Derives() bool   { return false }
func (w *walk) Feasible() error { return w.rules.possible(w.g, w.meter) }
func (w *walk) Backwards() bool { return w.words != nil && w.words.PDA.Backwards }

func (w *walk) Begin() (Config, error) {
	now := walkConfig{progress: progress{left: slices.Clone(w.rules.Caps), state: w.rules.start(), nodes: 1}}
	if w.chart != nil {
		now.at = w.chart.Start
	}
	return now, nil
}

// ahead returns the letters that lead to a complete plan, within limits and properties.
func (w *walk) ahead(now walkConfig) (complete bool, next []grammar.Symbol, err error) {
	if err := w.bound.to(now.word.all()); err != nil {
		return false, nil, err
	}
	_, complete, next, err = w.bound.run.NextWithin(w.rules.needs, now.left)
	return complete, next, err
}

// anyhow returns the letters that can follow, regardless of limits and properties.
func (w *walk) anyhow(now walkConfig) (complete bool, next []grammar.Symbol, err error) {
	if err := w.plain.to(now.word.all()); err != nil {
		return false, nil, err
	}
	return w.plain.run.Complete(), w.plain.run.Next(), nil
}

func (w *walk) Step(c Config) (next Config, status Status, err error) {
	now := c.(walkConfig)
	complete, letters, err := w.offered(now)
	switch {
	case err != nil:
		return now, Dead, err
	case now.stopped || complete && len(letters) == 0:
		return now, Finished, nil
	case len(letters) == 0:
		return now, Dead, nil
	default:
		return now, Undecided, nil
	}
}

// offered returns the letters that are offered: those that lead to a complete plan or, if naive,
// those that break no rule at once.
func (w *walk) offered(now walkConfig) (complete bool, letters []grammar.Symbol, err error) {
	if !w.naive {
		return w.ahead(now)
	}
	complete, all, err := w.anyhow(now)
	for _, t := range all {
		if now.left[t] != 0 && !w.rules.Hopeless(w.rules.next(now.state, t)) {
			letters = append(letters, t)
		}
	}
	return complete && w.rules.accepting(now.state), letters, err
}

func (w *walk) Possible(c Config) (bool, error) {
	if w.naive {
		return true, nil
	}
	complete, letters, err := w.ahead(c.(walkConfig))
	return complete || len(letters) > 0, err
}

func (w *walk) Look(c Config) (Look, error) {
	now := c.(walkConfig)
	complete, letters, err := w.offered(now)
	if err != nil {
		return Look{}, err
	}
	_, all, err := w.anyhow(now)
	if err != nil {
		return Look{}, err
	}
	w.order(now, all)
	var out Look
	for _, t := range all {
		m := Move(letterMove(t))
		if w.chart != nil && w.edge(now, t).Group > 0 {
			m, out.Multiple = Items{w.edgeIndex(now.at, t)}, true
		}
		if slices.Contains(letters, t) {
			out.Moves = append(out.Moves, m)
		} else {
			out.Withheld = append(out.Withheld, m)
		}
	}
	if complete && len(out.Moves) > 0 {
		out.Moves = append(out.Moves, stopMove{})
	}
	return out, nil
}

// order sorts letters in the order of the spec.
func (w *walk) order(now walkConfig, letters []grammar.Symbol) {
	rank := func(t grammar.Symbol) int {
		if w.chart == nil {
			return int(t)
		}
		return w.edgeIndex(now.at, t)
	}
	slices.SortStableFunc(letters, func(a, b grammar.Symbol) int { return rank(a) - rank(b) })
}

func (w *walk) Apply(c Config, m Move) (Config, []Growth, error) {
	now := c.(walkConfig)
	switch m := m.(type) {
	case Items:
		return w.applyTogether(now, m)
	case stopMove:
		now.stopped = true
		return now, nil, nil
	case letterMove:
		after, growth := w.read(now, grammar.Symbol(m))
		return after, []Growth{growth}, nil
	}
	return now, nil, source.NewError("internal", fmt.Sprintf("a walk has no move %v", m))
}

// read returns the configuration after a letter.
func (w *walk) read(now walkConfig, t grammar.Symbol) (walkConfig, Growth) {
	c := w.Choice(now, letterMove(t))
	growth := Growth{Children: []Leaf{{ID: now.nodes, Symbol: c.Symbol, Label: c.Label, Terminal: true}}}
	now.nodes++
	if w.chart != nil {
		now.at = w.edge(now, t).To
	}
	now.progress = now.progress.read(w.rules, t)
	return now, growth
}

// applyTogether takes several answers to a question one after the other, and then the
// answer that ends them.
func (w *walk) applyTogether(now walkConfig, items Items) (Config, []Growth, error) {
	var growth []Growth
	answers := make([]string, len(items))
	for i, item := range items {
		answers[i] = w.chart.States[now.at].Edges[item].Answer
	}
	take := func(want func(flow.Edge) bool) bool {
		edges := w.chart.States[now.at].Edges
		i := slices.IndexFunc(edges, want)
		if i < 0 {
			return false
		}
		t, ok := w.g.Lookup(w.chart.Letter(now.at, edges[i]))
		if !ok {
			return false
		}
		var grown Growth
		now, grown = w.read(now, t)
		growth = append(growth, grown)
		return true
	}
	for _, answer := range answers {
		if !take(func(e flow.Edge) bool { return e.Group > 0 && e.Answer == answer }) {
			return now, nil, ChoiceError{answer + " does not go with the others"}
		}
	}
	// An edge without a group ends the answers.
	for slices.ContainsFunc(w.chart.States[now.at].Edges, func(e flow.Edge) bool { return e.Group > 0 }) {
		if !take(func(e flow.Edge) bool { return e.Group == 0 }) {
			return now, growth, nil
		}
	}
	fits, err := w.Possible(now)
	if err == nil && !fits {
		err = ChoiceError{"these cannot be chosen together"}
	}
	return now, growth, err
}

// edge returns the edge of the flowchart's state that a letter names.
func (w *walk) edge(now walkConfig, letter grammar.Symbol) flow.Edge {
	return w.chart.States[now.at].Edges[w.edgeIndex(now.at, letter)]
}

func (w *walk) edgeIndex(state int, letter grammar.Symbol) int {
	return slices.IndexFunc(w.chart.States[state].Edges, func(e flow.Edge) bool { return w.chart.Letter(state, e) == w.g.Names[letter] })
}

// Finish returns the plan of a finished walk. It checks the word again with a parser that
// does not know the properties.
func (w *walk) Finish(c Config) (Outcome, error) {
	now := c.(walkConfig)
	word := now.word.all()
	ok, err := w.plainParser.Recognize(word, w.meter)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Word: Names(w.g, word)}
	if !ok || !w.rules.Satisfied(word) {
		return out, source.NewError("internal", fmt.Sprintf("the planner made %v, which is not valid; please report it with the spec", out.Word))
	}
	out.Function = strings.Join(out.Word, " ")
	if w.chart != nil {
		end := w.chart.States[now.at]
		out.End = &End{Name: end.Name, Text: w.chart.Text(end.Question, nil), Good: end.Kind == flow.Accept}
	}
	out.Steps, err = w.Steps(out.Word, w.meter)
	return out, err
}
