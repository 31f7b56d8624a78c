package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// Walkable is what planning needs to know of an automaton drawn by hand, a
// pushdown automaton or a flowchart: a plan is one of its words, chosen letter by
// letter. It never changes and may be shared by many runs.
type Walkable struct {
	g     *grammar.Grammar
	rules *rules
	words *pushdown.Words // or nil
	chart *flow.Flow      // or nil

	plainParser *earley.Parser // of the words
	boundParser *earley.Parser // of the words that satisfy the properties
	labels      map[string]string
}

// NewPushdown prepares planning with a pushdown automaton, within the limits.
func NewPushdown(w *pushdown.Words, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Walkable, error) {
	return newWalkable(&Walkable{g: w.Grammar, words: w, labels: w.PDA.LetterLabels()}, limits, m, properties)
}

// NewFlow prepares going through a flowchart. Its answers are findings, not wishes:
// one that leads to a bad end is offered like any other, and the properties are
// asked of the ways to a good end only.
func NewFlow(f *flow.Flow, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Walkable, error) {
	var stopped *ltl.Formula
	for _, letter := range f.Stops() {
		if stopped == nil {
			stopped = ltl.NewProp(letter)
		} else {
			stopped = ltl.New(ltl.Or, stopped, ltl.NewProp(letter))
		}
	}
	if stopped != nil {
		unless := make([]Property, len(properties))
		for i, p := range properties {
			unless[i] = Property{Name: p.Name, Formula: ltl.New(ltl.Or, p.Formula, ltl.New(ltl.Finally, stopped))}
		}
		properties = unless
	}
	return newWalkable(&Walkable{g: f.Outcomes(), chart: f}, limits, m, properties)
}

func newWalkable(w *Walkable, limits grammar.Limits, m *meter.Meter, properties []Property) (*Walkable, error) {
	var err error
	if w.rules, err = newRules(w.g, limits, properties, m); err != nil {
		return nil, err
	}
	w.plainParser = earley.New(w.g)
	w.boundParser = w.plainParser
	if w.rules.product != nil {
		w.boundParser = earley.New(w.rules.product.Grammar)
	}
	return w, nil
}

// tracker is a parser's run that is brought to whatever word is looked at.
type tracker struct {
	run  *earley.Run
	word []grammar.Symbol
}

// to reads and unreads letters until the run stands behind a word.
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

// walk is the space of an automaton's words.
type walk struct {
	*Walkable
	meter *meter.Meter
	naive bool
	plain *tracker
	bound *tracker
}

func newWalk(w *Walkable, s Settings, m *meter.Meter) *walk {
	return &walk{
		Walkable: w, meter: m, naive: s.Naive,
		plain: &tracker{run: w.plainParser.Start(m)}, bound: &tracker{run: w.boundParser.Start(m)},
	}
}

func (w *walk) grammar() *grammar.Grammar { return w.g }
func (w *walk) keeps() *rules             { return w.rules }

func (w *walk) asks(now config) bool {
	return w.chart != nil && w.chart.States[now.at].Kind == flow.Ask
}
func (w *walk) derives() bool   { return false }
func (w *walk) backwards() bool { return w.words != nil && w.words.PDA.Backwards }

func (w *walk) begin() (config, error) {
	now := config{left: slices.Clone(w.rules.caps), state: w.rules.start(), nodes: 1}
	if w.chart != nil {
		now.at = w.chart.Start
	}
	return now, nil
}

// ahead returns what may follow a configuration, within all that a plan has to
// keep to.
func (w *walk) ahead(now config) (complete bool, next []grammar.Symbol, err error) {
	if err := w.bound.to(now.word.all()); err != nil {
		return false, nil, err
	}
	_, complete, next, err = w.bound.run.NextWithin(w.rules.needs, now.left)
	return complete, next, err
}

// anyhow returns what may follow if there were no limits and no properties.
func (w *walk) anyhow(now config) (complete bool, next []grammar.Symbol, err error) {
	if err := w.plain.to(now.word.all()); err != nil {
		return false, nil, err
	}
	return w.plain.run.Complete(), w.plain.run.Next(), nil
}

func (w *walk) step(now config) (next config, did, done, dead bool, err error) {
	complete, letters, err := w.offered(now)
	switch {
	case err != nil:
		return now, false, false, false, err
	case now.stopped || complete && len(letters) == 0:
		return now, false, true, false, nil
	default:
		return now, false, false, !complete && len(letters) == 0, nil
	}
}

// offered returns what is offered: within all rules, or, when naive, what does not
// break one at once.
func (w *walk) offered(now config) (complete bool, letters []grammar.Symbol, err error) {
	if !w.naive {
		return w.ahead(now)
	}
	complete, all, err := w.anyhow(now)
	for _, t := range all {
		if now.left[t] != 0 && !w.rules.hopeless(w.rules.next(now.state, t)) {
			letters = append(letters, t)
		}
	}
	return complete && w.rules.accepting(now.state), letters, err
}

func (w *walk) possible(now config) (bool, error) {
	if w.naive {
		return true, nil
	}
	complete, letters, err := w.ahead(now)
	return complete || len(letters) > 0, err
}

func (w *walk) without(now config, t grammar.Symbol) (config, error) { return now.banned(t), nil }

func (w *walk) look(now config) (look, error) {
	complete, letters, err := w.offered(now)
	if err != nil {
		return look{}, err
	}
	_, all, err := w.anyhow(now)
	if err != nil {
		return look{}, err
	}
	w.order(now, all)
	var out look
	for _, t := range all {
		m := move{production: -1, inner: -1, letter: t}
		if w.chart != nil && w.edge(now, t).Group > 0 {
			m.items, out.many = []int{w.edgeIndex(now.at, t)}, true
		}
		if slices.Contains(letters, t) {
			out.moves = append(out.moves, m)
		} else {
			out.withheld = append(out.withheld, m)
		}
	}
	if complete && len(out.moves) > 0 {
		out.moves = append(out.moves, move{production: -1, inner: -1, letter: -1})
	}
	return out, nil
}

// order puts letters in the order in which the spec has them.
func (w *walk) order(now config, letters []grammar.Symbol) {
	rank := func(t grammar.Symbol) int {
		if w.chart == nil {
			return int(t)
		}
		return w.edgeIndex(now.at, t)
	}
	slices.SortStableFunc(letters, func(a, b grammar.Symbol) int { return rank(a) - rank(b) })
}

func (w *walk) refusal(now config, m move) (why, reason string, err error) {
	r, t := w.rules, m.letter
	if now.left[t] == 0 {
		if r.caps[t] == 0 {
			return WithheldLimit, "it may not be used", nil
		}
		return WithheldLimit, "it is used already", nil
	}
	if r.hopeless(r.next(now.state, t)) {
		return WithheldProperty, "it would break " + r.broken(now.word.all(), t), nil
	}
	if r.automaton != nil {
		if err := w.plain.to(now.word.all()); err != nil {
			return "", "", err
		}
		_, _, next, err := w.plain.run.NextWithin(r.plain, now.left)
		if err != nil {
			return "", "", err
		}
		if slices.Contains(next, t) {
			return WithheldProperty, "no plan that goes on so satisfies " + r.names(), nil
		}
	}
	return WithheldLookahead, "what is left would not do for the rest of the plan", nil
}

func (w *walk) apply(now config, m move) (config, []Growth, error) {
	switch {
	case m.items != nil:
		return w.applyTogether(now, m.items)
	case m.letter < 0:
		now.stopped = true
		return now, nil, nil
	}
	c := w.choice(now, m)
	growth := Growth{Children: []Leaf{{ID: now.nodes, Symbol: c.Symbol, Label: c.Label, Terminal: true}}}
	now.nodes++
	if w.chart != nil {
		now.at = w.edge(now, m.letter).To
	}
	return now.read(w.rules, m.letter), []Growth{growth}, nil
}

// applyTogether takes several answers to a question, one after the other, and then
// goes on: to what comes next, where it was enough.
func (w *walk) applyTogether(now config, items []int) (config, []Growth, error) {
	var growth []Growth
	answers := make([]string, len(items))
	for i, item := range items {
		answers[i] = w.chart.States[now.at].Edges[item].Answer
	}
	take := func(want func(flow.Edge) bool) (bool, error) {
		edges := w.chart.States[now.at].Edges
		i := slices.IndexFunc(edges, want)
		if i < 0 {
			return false, nil
		}
		letter, ok := w.g.Lookup(w.chart.Letter(now.at, edges[i]))
		if !ok {
			return false, nil
		}
		next, grown, err := w.apply(now, move{production: -1, inner: -1, letter: letter})
		now, growth = next, append(growth, grown...)
		return true, err
	}
	for _, answer := range answers {
		taken, err := take(func(e flow.Edge) bool { return e.Group > 0 && e.Answer == answer })
		if err != nil {
			return now, nil, err
		}
		if !taken {
			return now, nil, errChoice{answer + " does not go with the others"}
		}
	}
	// Where more could be taken, this was enough.
	for slices.ContainsFunc(w.chart.States[now.at].Edges, func(e flow.Edge) bool { return e.Group > 0 }) {
		if taken, err := take(func(e flow.Edge) bool { return e.Group == 0 }); err != nil || !taken {
			return now, growth, err
		}
	}
	fits, err := w.possible(now)
	if err == nil && !fits {
		err = errChoice{"these cannot be chosen together"}
	}
	return now, growth, err
}

// edge returns the edge of the flowchart's state that a letter names.
func (w *walk) edge(now config, letter grammar.Symbol) flow.Edge {
	return w.chart.States[now.at].Edges[w.edgeIndex(now.at, letter)]
}

func (w *walk) edgeIndex(state int, letter grammar.Symbol) int {
	return slices.IndexFunc(w.chart.States[state].Edges, func(e flow.Edge) bool { return w.chart.Letter(state, e) == w.g.Names[letter] })
}

func (w *walk) item(now config) (item, purpose string) {
	switch {
	case w.chart == nil:
		return "the next step", ""
	case w.chart.States[now.at].Kind == flow.Choose:
		return "the question that matters most now", ""
	default:
		return w.chart.Text(w.chart.States[now.at].Question, nil), ""
	}
}

func (w *walk) choice(now config, m move) Choice {
	c := Choice{Pushes: []string{}}
	if m.items != nil {
		for i, item := range m.items {
			e := w.chart.States[now.at].Edges[item]
			if i > 0 {
				c.Symbol, c.Label = c.Symbol+" ", c.Label+", "
			}
			c.Symbol, c.Label = c.Symbol+w.chart.Letter(now.at, e), c.Label+e.Answer
		}
		return c
	}
	if m.letter < 0 {
		c.Label = "nothing more: the plan is complete"
		return c
	}
	c.Symbol = w.g.Names[m.letter]
	switch {
	case w.chart == nil:
		c.Label = w.reads(names(w.g, now.word.all()), c.Symbol)
	case w.chart.States[now.at].Kind == flow.Choose:
		c.Label = w.chart.Text(w.chart.States[w.edge(now, m.letter).To].Question, nil)
	default:
		e := w.edge(now, m.letter)
		c.Label = e.Answer
		if e.Text != "" {
			c.Label += ": " + w.chart.Text(e.Text, nil)
		}
	}
	return c
}

// report lists the letters as a person reads them. Of a flowchart it lists the
// answers: the choice of a question is nothing to report.
func (w *walk) report(now config) []string {
	word := names(w.g, now.word.all())
	var out []string
	if w.chart == nil {
		for i, letter := range word {
			out = append(out, w.reads(word[:i], letter))
		}
		return out
	}
	for _, text := range w.answers(word) {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// reads returns what a person reads for a letter behind a word: the label of the
// transitions that read it there, if they agree, or else the letter's own.
func (w *walk) reads(word []string, letter string) string {
	const enough = 16
	label, known := "", w.labels[letter]
	list, _, err := w.words.Situations(word, enough, w.meter)
	if err != nil {
		list = nil // the letter's own label does as well
	}
	for _, s := range list {
		for _, t := range w.words.PDA.Transitions {
			if t.From != s.State || t.Read != letter || t.Label == "" {
				continue
			}
			if label != "" && label != t.Label {
				label = ""
				break
			}
			label = t.Label
		}
	}
	switch {
	case label != "":
		return label
	case known != "":
		return known
	default:
		return letter
	}
}

func (w *walk) stackNames(now config) []string {
	if w.chart != nil {
		return []string{}
	}
	list, _, err := w.words.Situations(names(w.g, now.word.all()), 1, w.meter)
	if err != nil || len(list) == 0 {
		return []string{}
	}
	return append([]string{w.words.PDA.States[list[0].State]}, list[0].Stack...)
}

// finish lists the plan's steps, after checking its word once more by a parser
// that knows nothing of the properties.
func (w *walk) finish(now config, plan *Plan) error {
	word := now.word.all()
	ok, err := w.plainParser.Recognize(word, w.meter)
	if err != nil {
		return err
	}
	plan.Word = names(w.g, word)
	if !ok || !w.rules.satisfied(word) {
		return source.NewError("internal", fmt.Sprintf("the planner made %v, which is not valid; please report it with the spec", plan.Word))
	}
	plan.Function = strings.Join(plan.Word, " ")
	if w.chart != nil {
		end := w.chart.States[now.at]
		plan.End = &End{Name: end.Name, Text: w.chart.Text(end.Question, nil), Good: end.Kind == flow.Accept}
	}
	plan.Steps, err = w.Steps(plan.Word, w.meter)
	return err
}

// Steps returns the steps of a word as they are carried out; the word is one of
// the automaton's.
func (w *Walkable) Steps(word []string, m *meter.Meter) ([]Step, error) {
	var texts []string
	backwards := false
	if w.chart != nil {
		texts = w.answers(word)
	} else {
		texts = make([]string, len(word))
		runs, _, err := w.words.Runs(word, 1, m)
		if err != nil {
			return nil, err
		}
		backwards = w.words.PDA.Backwards
		i := 0
		for _, run := range runs {
			for _, n := range run {
				if n < 0 || i == len(word) {
					continue
				}
				t := w.words.PDA.Transitions[n]
				if t.Read == "" && !t.ReadAny {
					continue
				}
				texts[i] = t.Label
				if texts[i] == "" {
					texts[i] = w.labels[word[i]]
				}
				if texts[i] == "" {
					texts[i] = word[i]
				}
				i++
			}
		}
	}
	steps := []Step{}
	for i := range word {
		j := i
		if backwards {
			j = len(word) - 1 - i
		}
		if texts[j] != "" {
			steps = append(steps, Step{N: len(steps) + 1, Symbol: word[j], Text: texts[j]})
		}
	}
	return steps, nil
}

// answers returns what was answered to each question of a flowchart, with what
// follows from it; a choice of the next question is no answer.
func (w *Walkable) answers(word []string) []string {
	texts := make([]string, len(word))
	at := w.chart.Start
	for i, letter := range word {
		for _, e := range w.chart.States[at].Edges {
			if w.chart.Letter(at, e) != letter {
				continue
			}
			if w.chart.States[at].Kind != flow.Choose {
				texts[i] = w.chart.Text(w.chart.States[at].Question, nil) + " " + e.Answer + "."
				if e.Text != "" {
					texts[i] += " " + w.chart.Text(e.Text, nil)
				}
			}
			at = e.To
			break
		}
	}
	return texts
}
