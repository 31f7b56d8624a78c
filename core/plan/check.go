package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

// Checker says of a plan, in whatever form a person or a model has written it down,
// whether it is valid, where it goes wrong if not, and which valid plan is nearest.
// It never changes and may be shared.
type Checker struct {
	g       *grammar.Grammar // of the plans' words
	rules   *rules
	table   *Table    // of a grammar; or
	walk    *Walkable // of an automaton
	telling *telling  // of its steps
	lexicon *lexicon
	firsts  []firstSet
	labels  []string // by letter: what a person reads
}

// NewChecker returns a checker of the plans of a grammar.
func NewChecker(g *grammar.Grammar, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Checker, error) {
	table, err := NewTable(g, limits, m, properties...)
	if err != nil {
		return nil, err
	}
	c := &Checker{g: g, rules: table.rules, table: table, telling: table.postfix(), lexicon: newLexicon()}
	for _, p := range g.Productions {
		if p.Label != "" {
			c.lexicon.add(p.Label, c.telling.sentences[p.Label], -1, false)
		}
	}
	c.addLetters(nil)
	return c.ready(), nil
}

// NewPushdownChecker returns a checker of the words of a pushdown automaton.
func NewPushdownChecker(w *pushdown.Words, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Checker, error) {
	walk, err := NewPushdown(w, limits, m, properties...)
	if err != nil {
		return nil, err
	}
	c := &Checker{g: walk.g, rules: walk.rules, walk: walk, telling: spelled(walk.g), lexicon: newLexicon()}
	c.telling.reversed = w.PDA.Backwards
	for _, t := range w.PDA.Transitions {
		if letter, ok := c.g.Lookup(t.Read); ok && t.Label != "" {
			c.lexicon.add(t.Label, letter, letter, false)
		}
	}
	c.addLetters(walk.labels)
	return c.ready(), nil
}

// NewFlowChecker returns a checker of the ways through a flowchart to a good end.
func NewFlowChecker(f *flow.Flow, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Checker, error) {
	g := f.Grammar()
	r, err := newRules(g, limits, properties, m)
	if err != nil {
		return nil, err
	}
	c := &Checker{g: g, rules: r, walk: &Walkable{g: g, rules: r, chart: f}, telling: answered(g, f), lexicon: newLexicon()}
	for i, s := range f.States {
		for _, e := range s.Edges {
			if letter, ok := g.Lookup(f.Letter(i, e)); ok && s.Kind != flow.Choose {
				said := f.Text(s.Question, nil) + " " + e.Answer
				if e.Text != "" {
					c.lexicon.add(said+". "+f.Text(e.Text, nil), letter, letter, false)
				}
				c.lexicon.add(said, letter, letter, false)
			}
		}
	}
	c.addLetters(nil)
	return c.ready(), nil
}

// Letters returns the names of the symbols that plans are made of.
func (c *Checker) Letters() []string { return c.g.Names[:c.g.NumTerminals] }

// addLetters adds the labels and the names of letters.
func (c *Checker) addLetters(labels map[string]string) {
	told := func(t grammar.Symbol) grammar.Symbol {
		if c.telling.inputs[t] {
			return -1
		}
		return c.telling.names[t]
	}
	for t := range grammar.Symbol(c.g.NumTerminals) {
		if labels[c.g.Names[t]] != "" {
			c.lexicon.add(labels[c.g.Names[t]], told(t), t, false)
		}
		if c.g.Label(t) != c.g.Names[t] {
			c.lexicon.add(c.g.Label(t), told(t), t, false)
		}
	}
	for t := range grammar.Symbol(c.g.NumTerminals) {
		c.lexicon.add(c.g.Names[t], told(t), t, c.g.Label(t) != c.g.Names[t])
	}
}

func (c *Checker) ready() *Checker {
	c.lexicon.settle()
	c.lexicon.kindLabels(c.g)
	c.firsts = firstSets(c.g)
	c.labels = make([]string, c.g.NumTerminals)
	for t := range c.labels {
		c.labels[t] = c.g.Label(grammar.Symbol(t))
		if c.walk != nil && c.walk.labels[c.g.Names[t]] != "" {
			c.labels[t] = c.walk.labels[c.g.Names[t]]
		}
	}
	if c.walk == nil || c.walk.chart == nil {
		return c
	}
	chart := c.walk.chart
	named := make([]bool, len(c.labels))
	for i, s := range chart.States {
		for _, e := range s.Edges {
			if t, ok := c.g.Lookup(chart.Letter(i, e)); ok && !named[t] {
				named[t] = true
				if c.labels[t] = chart.Text(s.Question, nil) + " " + e.Answer; s.Kind == flow.Choose {
					c.labels[t] = "the question " + e.Answer
				}
			}
		}
	}
	return c
}

// nameOf returns the symbol that a phrase mentions.
func (c *Checker) nameOf(p phrase) string {
	if p.letter < 0 {
		return ""
	}
	return c.g.Names[p.letter]
}

// labelOf returns what a person reads for it.
func (c *Checker) labelOf(p phrase) string {
	if p.letter < 0 {
		return p.text
	}
	return c.labels[p.letter]
}

// unknown says of a name that it is none of the spec's.
func (c *Checker) unknown(name string) string {
	message := fmt.Sprintf("there is no %q", name)
	if near := source.Nearest(name, c.g.Names[:c.g.NumTerminals]); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return message
}

// Verdict is what is found of a plan. Places are in bytes of the text.
type Verdict struct {
	Form   string   `json:"form"` // one of the Form constants
	Found  []Found  `json:"found"`
	Unread []Unread `json:"unread"`
	Notes  []string `json:"notes"`

	Valid    bool     `json:"valid"`
	Word     []string `json:"word"`     // of the plan; empty where it is not known
	Function string   `json:"function"` // of a valid plan, as its steps
	Steps    []Step   `json:"steps"`

	BadEnd   *End      `json:"badEnd,omitempty"` // the bad end of a flowchart, where the plan leads to one
	Fault    string    `json:"fault,omitempty"`  // what is wrong first
	Reason   string    `json:"reason,omitempty"` // of a property, line by line
	At       int       `json:"at"`               // what is at fault, among Found; -1 where the plan as a whole is
	Start    int       `json:"start"`            // where that is
	End      int       `json:"end"`
	Expected []Choice  `json:"expected"` // what would do there instead
	Nearest  *NearPlan `json:"nearest,omitempty"`
}

// NearPlan is the valid plan with the fewest edits.
type NearPlan struct {
	Word     []string   `json:"word"`
	Function string     `json:"function"`
	Steps    []Step     `json:"steps"`
	Distance int        `json:"distance"`
	Edits    []PlanEdit `json:"edits"`
}

// PlanEdit is an edit of what was found: Op is "insert" (in front of Found number
// At), "delete" or "substitute".
type PlanEdit struct {
	Op     string `json:"op"`
	At     int    `json:"at"`
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
	Text   string `json:"text"` // "insert Colorization in front of step 2"
}

// given is a plan as it was read, in terms of a telling.
type given struct {
	telling *telling
	told    []grammar.Symbol // in the order of the telling; -1 for what is none of the spec's
	at      []int            // by told: which of Found it is
	word    []grammar.Symbol // where the text says all of it; or nil
	from    []int            // by letter of word: which of Found it comes from
}

// MaxPlanText is how many bytes of text are read as a plan: more than any plan that
// a person reads.
const MaxPlanText = 50_000

// Check reads a plan and judges it. The error is the meter's, or has code
// "limit.text" for a text that is too long. The nearest plan is left out where it is
// too hard to find.
func (c *Checker) Check(text string, m *meter.Meter) (*Verdict, error) {
	if len(text) > MaxPlanText {
		return nil, source.NewError("limit.text", fmt.Sprintf("a plan is read from at most %d bytes of text; these are %d", MaxPlanText, len(text)))
	}
	v, err := c.judge(text, c.readText(text), m)
	if err == nil && !v.Valid && c.onlyLabels(text, v) {
		// Labels in a row may be steps that do not mention the inputs.
		if steps, err := c.judge(text, c.readSteps(text, splitLines(text), false), m); err != nil || steps.Valid {
			return steps, err
		}
	}
	return v, err
}

// onlyLabels reports whether a word is written in labels of tools, or in their names
// with commas or brackets, and has no inputs.
func (c *Checker) onlyLabels(text string, v *Verdict) bool {
	return v.Form == FormWord && len(v.Found) > 0 && !slices.ContainsFunc(v.Found, func(f Found) bool {
		return f.letter < 0 || c.telling.inputs[f.letter] || text[f.Start:f.End] == f.Symbol && !strings.ContainsAny(text, ",[;")
	})
}

// judge judges a plan as it was read.
func (c *Checker) judge(text string, r reading, m *meter.Meter) (*Verdict, error) {
	v := &Verdict{Form: r.form, Found: r.found, Unread: r.unread, Notes: r.notes, At: -1, Word: []string{}, Steps: []Step{}, Expected: []Choice{}}
	if r.form == FormSteps && len(r.found) == 0 {
		v.Found = r.alone
	}
	if v.Form == FormSteps && len(v.Found) == 0 {
		v.Fault = "no step of a plan was found in the text"
		return v.orEmpty(), nil
	}
	p := c.given(v)
	word, made, err := c.read(v, p, m)
	if err != nil {
		return nil, err
	}
	if word == nil && p.word == nil && c.telling.reversed && r.form == FormSteps {
		// Perhaps the steps stand in the order of the word.
		straight := *p
		straight.told, straight.at = slices.Clone(p.told), slices.Clone(p.at)
		slices.Reverse(straight.told)
		slices.Reverse(straight.at)
		if word, err = c.wordOf(&straight, m); err != nil {
			return nil, err
		}
		if word != nil {
			p = &straight
			v.Notes = append(v.Notes, "the steps are listed from the last to the first")
		}
	}
	if word != nil {
		v.Word = names(c.g, word)
		var told []grammar.Symbol
		if v.Form == FormSteps && p.word == nil {
			told = p.told
		}
		if made != nil {
			v.Function, v.Steps, err = c.renderAs(readPlan{word, made}, m)
		} else {
			v.Function, v.Steps, err = c.render(word, told, m)
		}
		if v.Form == FormSteps && err == nil {
			v.compareTimes(text)
		}
		if v.Form == FormFunction && r.fault == "" && err == nil {
			r.fault, err = c.misshapen(text, r, word, m)
		}
		if v.Valid = r.fault == ""; !v.Valid {
			v.Fault, v.Nearest = r.fault, &NearPlan{Word: v.Word, Function: v.Function, Steps: v.Steps, Edits: []PlanEdit{}}
			v.Word, v.Function, v.Steps = []string{}, "", []Step{}
		}
		return v.orEmpty(), err
	}
	for i, t := range p.word {
		name := v.Found[p.from[i]].Label
		if t >= 0 {
			name = c.g.Names[t]
		}
		v.Word = append(v.Word, name)
	}
	if v.Fault = r.fault; v.Fault == "" {
		if err := c.diagnose(v, p, m); err != nil {
			return nil, err
		}
	}
	if v.At >= 0 && v.At < len(v.Found) {
		v.Start, v.End = v.Found[v.At].Start, v.Found[v.At].End
	} else if v.At == len(v.Found) {
		v.Start, v.End = len(text), len(text)
	}
	v.Nearest, err = c.nearestPlan(v, p, m)
	var limit *meter.LimitError
	switch {
	case errors.As(err, &limit):
		v.Notes, err = append(v.Notes, "the nearest valid plan was not found: "+err.Error()), nil
	case err == nil && v.Nearest == nil:
		v.Notes = append(v.Notes, "there is no valid plan at all")
	case err == nil && v.Nearest.Distance == 0 && r.fault == "":
		v.Notes = append(v.Notes, "without their references the same steps are a valid plan")
	}
	return v.orEmpty(), err
}

// orEmpty makes nil lists empty, so that they are arrays on the wire.
func (v *Verdict) orEmpty() *Verdict {
	if v.Found == nil {
		v.Found = []Found{}
	}
	if v.Unread == nil {
		v.Unread = []Unread{}
	}
	if v.Notes == nil {
		v.Notes = []string{}
	}
	return v
}

// given returns what was read in terms of a telling.
func (c *Checker) given(v *Verdict) *given {
	p := &given{telling: spelled(c.g)}
	if v.Form != FormSteps {
		p.word = []grammar.Symbol{}
		for i, f := range v.Found {
			p.told, p.at = append(p.told, f.letter), append(p.at, i)
		}
		p.word, p.from = p.told, p.at
		return p
	}
	p.telling = c.telling
	for i, f := range v.Found {
		p.told, p.at = append(p.told, f.told), append(p.at, i)
	}
	if c.telling.reversed {
		slices.Reverse(p.told)
		slices.Reverse(p.at)
	}
	if c.table != nil {
		p.word, p.from = c.structure(v.Found)
	}
	if len(v.Found) == 1 || c.telling.inFull {
		// Names and nothing else are the word itself, where it is one: of a tool it
		// would be said what it takes.
		alone := &given{telling: spelled(c.g)}
		for i, f := range v.Found {
			if !f.bare || f.letter < 0 {
				return p
			}
			alone.told, alone.at = append(alone.told, f.letter), append(alone.at, i)
		}
		alone.word, alone.from = alone.told, alone.at
		if word, err := c.wordOf(alone, nil); word != nil && err == nil {
			return alone
		}
	}
	return p
}

// structure returns the word of steps that say all of what they take; nil where
// they do not.
func (c *Checker) structure(found []Found) (word []grammar.Symbol, from []int) {
	used := make([]bool, len(found))
	for i, f := range found {
		if f.letter < 0 || len(f.args) == 0 && !f.chosen {
			return nil, nil
		}
		if i+1 < len(found) && f.chosen && found[i+1].chosen && found[i+1].Step == f.Step {
			used[i] = true // with the last that was chosen with it
		}
		for _, a := range f.args {
			if a.step >= i {
				return nil, nil
			}
			if a.step >= 0 {
				used[a.step] = true
			}
		}
	}
	last := len(found) - 1
	for i := range last {
		if !used[i] {
			return nil, nil
		}
	}
	const longest = 10_000 // a result that is used often doubles the word each time
	var write func(i int) bool
	write = func(i int) bool {
		first := i
		for first > 0 && found[i].chosen && found[first-1].chosen && found[first-1].Step == found[i].Step {
			first--
		}
		for k := first; k <= i; k++ {
			word, from = append(word, found[k].letter), append(from, k)
		}
		for _, a := range found[i].args {
			if len(word) > longest {
				return false
			}
			if a.step < 0 {
				word, from = append(word, a.input), append(from, i)
			} else if !write(a.step) {
				return false
			}
		}
		return true
	}
	if last < 0 || !write(last) {
		return nil, nil
	}
	return word, from
}

// wordOf returns the word of a plan, if it is valid.
func (c *Checker) wordOf(p *given, m *meter.Meter) ([]grammar.Symbol, error) {
	if p.word != nil {
		if slices.Contains(p.word, -1) || !c.rules.satisfied(p.word) {
			return nil, nil
		}
		ok, err := earley.New(c.g).Recognize(p.word, m)
		if !ok || err != nil {
			return nil, err
		}
		return p.word, nil
	}
	if slices.Contains(p.told, -1) {
		return nil, nil
	}
	return c.exactly(p, c.rules.caps, true, m)
}

// exactly returns a word that is told as a plan is, within limits (nil for none) and
// with properties if they are asked for; nil where there is none.
func (c *Checker) exactly(p *given, caps []int64, properties bool, m *meter.Meter) ([]grammar.Symbol, error) {
	t := p.telling
	d := c.rules.automaton
	if !properties {
		d = nil
	}
	if caps == nil {
		caps = make([]int64, c.g.NumTerminals)
		for i := range caps {
			caps[i] = grammar.Unlimited
		}
	}
	told, err := verify.Heard(t.g, t.caps(caps), t.automaton(d), t.silent, p.told, m)
	if err != nil || told == nil {
		return nil, err
	}
	return t.word(told), nil
}

// maxTrees is how many derivations of an ambiguous word are looked at to find the one
// that was told.
const maxTrees = 100

// render returns a word as a function and as steps, those that were told where that
// is known.
func (c *Checker) render(word, told []grammar.Symbol, m *meter.Meter) (function string, steps []Step, err error) {
	if c.walk != nil {
		written := names(c.g, word)
		steps, err = c.walk.Steps(written, m)
		return strings.Join(written, " "), steps, err
	}
	var first *Node
	err = c.trees(word, m, func(drawn *Node) bool {
		matches := told == nil || slices.Equal(c.toldIn(c.table.stepsOf(drawn)), told)
		if first == nil || matches {
			first = drawn
		}
		return !matches
	})
	if err != nil || first == nil {
		return "", []Step{}, err
	}
	return functionForm(c.table.call(first)), c.table.stepsOf(first), nil
}

// toldIn returns what is heard when steps are told.
func (c *Checker) toldIn(steps []Step) []grammar.Symbol {
	var out []grammar.Symbol
	for _, s := range steps {
		if told, ok := c.telling.sentences[s.Text]; ok {
			out = append(out, told)
		} else if letter, ok := c.g.Lookup(s.Symbol); ok {
			out = append(out, c.telling.names[letter])
		}
	}
	return out
}

// drawn returns the tree of a derivation.
func (c *Checker) drawn(tree *earley.Tree) *Node {
	var derivation []int
	for open := []*earley.Tree{tree}; len(open) > 0; {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if c.g.IsTerminal(n.Symbol) {
			continue
		}
		derivation = append(derivation, n.Production)
		for i := len(n.Children) - 1; i >= 0; i-- {
			open = append(open, n.Children[i])
		}
	}
	return c.table.tree(derivation)
}

// nearest returns the valid plan with the fewest edits; nil where there is none.
func (c *Checker) nearest(v *Verdict, p *given, m *meter.Meter) (*NearPlan, error) {
	t := p.telling
	near, err := verify.NearestHeard(t.g, t.caps(c.rules.caps), t.automaton(c.rules.automaton), t.silent, p.told, m)
	if err != nil || near == nil {
		return nil, err
	}
	word := t.word(near.Word)
	out := &NearPlan{Word: names(c.g, word), Distance: near.Distance, Edits: []PlanEdit{}}
	for _, e := range near.Edits {
		out.Edits = append(out.Edits, c.edit(v, p, e))
	}
	if t.reversed {
		slices.Reverse(out.Edits)
	}
	out.Function, out.Steps, err = c.render(word, nil, m)
	return out, err
}

// edit says what an edit does.
func (c *Checker) edit(v *Verdict, p *given, e verify.Edit) PlanEdit {
	out := PlanEdit{Op: e.Op, At: len(v.Found)}
	place := e.At
	if p.telling.reversed && v.Form == FormSteps && e.Op == verify.EditInsert {
		place-- // in front of the one that is told afterwards
	}
	if place >= 0 && place < len(p.at) {
		out.At = p.at[place]
	}
	if e.Symbol >= 0 {
		if letter := p.telling.letter[e.Symbol]; letter >= 0 {
			out.Symbol, out.Label = c.g.Names[letter], c.labels[letter]
		} else {
			out.Label = p.telling.g.Names[e.Symbol]
		}
	}
	where := "at the end"
	if out.At < len(v.Found) {
		where = "in front of " + c.called(v, out.At)
	}
	switch e.Op {
	case verify.EditInsert:
		out.Text = fmt.Sprintf("insert %s %s", out.Label, where)
	case verify.EditDelete:
		out.Text = "leave out " + c.called(v, out.At)
	default:
		out.Text = fmt.Sprintf("%s instead of %s", out.Label, c.called(v, out.At))
	}
	return out
}

// called names something that was found.
func (c *Checker) called(v *Verdict, at int) string {
	f := v.Found[at]
	if v.Form == FormSteps {
		return fmt.Sprintf("step %d (%s)", f.Step, f.Label)
	}
	twice := 0
	before := 1
	for i, o := range v.Found {
		if o.Label == f.Label {
			twice++
			if i < at {
				before++
			}
		}
	}
	if twice > 1 {
		return fmt.Sprintf("%s (the %s)", f.Label, ordinal(before))
	}
	return f.Label
}

func ordinal(n int) string {
	switch {
	case n == 1:
		return "first"
	case n == 2:
		return "second"
	case n == 3:
		return "third"
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	default:
		return fmt.Sprintf("%dth", n)
	}
}
