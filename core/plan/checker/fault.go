package checker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/prompt"
	"github.com/stile-playground/stile/core/plan/space"
)

type fault struct {
	at       int // index in Found; the length of Found if the plan ends too early
	text     string
	reason   string
	expected []grammar.Symbol // letters
	texts    []string         // sentences
}

// diagnose reports the first fault of a plan.
func (c *Checker) diagnose(v *Verdict, p *given, m *meter.Meter) error {
	var all []fault
	misfit := c.misfit
	if p.word == nil && c.partial(v, p) {
		misfit = c.misfitSteps
	}
	f, word, err := misfit(v, p, m)
	if err != nil {
		return err
	}
	if f != nil {
		all = append(all, *f)
	}
	if f := c.overuse(v, p, word); f != nil {
		all = append(all, *f)
	}
	if word != nil {
		if f := c.broken(v, p, word); f != nil {
			all = append(all, *f)
		}
	}
	if len(all) == 0 {
		all = append(all, fault{at: -1, text: "each step fits, but no such plan satisfies all limits and properties"})
	}
	first := all[0]
	for _, f := range all[1:] {
		if f.at >= 0 && (first.at < 0 || f.at < first.at) {
			first = f
		}
	}
	v.At, v.Fault, v.Reason = first.at, first.text, first.reason
	for _, t := range first.expected {
		v.Expected = append(v.Expected, space.Choice{N: len(v.Expected) + 1, Symbol: c.g.Names[t], Label: c.labels[t], Pushes: []string{}})
	}
	for _, text := range first.texts {
		v.Expected = append(v.Expected, space.Choice{N: len(v.Expected) + 1, Label: text, Pushes: []string{}})
	}
	return nil
}

// misfit finds the first symbol that does not continue any word of the language. It also returns
// the word of the plan if the language contains it, regardless of limits and properties.
func (c *Checker) misfit(v *Verdict, p *given, m *meter.Meter) (*fault, []grammar.Symbol, error) {
	listed, at, letters := p.listed, p.at, p.stepGrammar.letter
	g := c.g
	if p.word != nil {
		listed, at, letters = p.word, p.from, spelled(c.g).letter
	} else {
		g = p.stepGrammar.audible()
	}
	run := earley.New(g).Start(m)
	left := slices.Clone(c.rules.Caps)
	for i, s := range listed {
		if s >= 0 {
			ok, err := run.Push(s)
			if err != nil {
				return nil, nil, err
			}
			if ok {
				if letter := letters[s]; letter >= 0 && left[letter] > 0 {
					left[letter]--
				}
				continue
			}
		}
		f := c.unfit(v, at, i, run, letters, left)
		if s < 0 {
			f.text = v.Found[at[i]].Note
			if v.Form == FormSteps {
				f.text = c.unreadStep(v.Found[at[i]])
			}
		}
		return &f, nil, nil
	}
	if !run.Complete() {
		f := c.unfit(v, at, len(listed), run, letters, left)
		return &f, nil, nil
	}
	if p.word != nil {
		return nil, p.word, nil
	}
	word, err := c.exactly(p, nil, false, m)
	return nil, word, err
}

// unfit returns the fault of an unexpected symbol, or of a missing one at the end.
func (c *Checker) unfit(v *Verdict, at []int, i int, run *earley.Run, letters []grammar.Symbol, left []int64) fault {
	f := fault{at: len(v.Found)}
	if i < len(at) {
		f.at = at[i]
	}
	next := run.Next()
	var wanted []grammar.Symbol
	for _, s := range next {
		letter := letters[s]
		switch {
		case letter < 0:
			f.texts = append(f.texts, c.stepGrammar.g.Names[s])
		case !slices.Contains(wanted, letter):
			if wanted = append(wanted, letter); left[letter] != 0 {
				f.expected = append(f.expected, letter)
			}
		}
	}
	need := ""
	if v.Form != FormSteps || len(v.Word) > 0 {
		need = c.wanted(wanted)
	}
	subject := ""
	if i < len(at) {
		subject = c.called(v, f.at)
	}
	before := ""
	if i > 0 {
		before = v.Found[at[i-1]].Label
	}
	switch {
	case i == len(at) && need != "":
		f.text = fmt.Sprintf("the plan ends too early: %s is still needed", need)
	case i == len(at):
		f.text = "the plan ends too early: more is needed to finish it"
	case len(next) == 0:
		f.text = fmt.Sprintf("the plan is complete before %s", subject)
	case i == 0 && need != "":
		f.text = fmt.Sprintf("a plan begins with %s; %s is not valid", need, subject)
	case i == 0:
		f.text = fmt.Sprintf("no plan begins with %s", subject)
	case need != "":
		f.text = fmt.Sprintf("after %s the plan needs %s; %s is not valid", before, need, subject)
	case v.Form == FormSteps:
		f.text = fmt.Sprintf("%s is not valid at this position", subject)
	default:
		f.text = fmt.Sprintf("after %s, %s is not valid", before, subject)
	}
	if i < len(at) {
		if end := c.badEnd(v.Found[f.at].letter, wanted); end != nil {
			f.text = fmt.Sprintf("%s leads to a rejecting end: %s", subject, end.Text)
			if i == len(at)-1 {
				v.BadEnd = end
			}
		}
	}
	return f
}

// badEnd returns the bad end of a flowchart that a letter leads to, or nil. The letter must
// answer the question whose answers are wanted.
func (c *Checker) badEnd(t grammar.Symbol, wanted []grammar.Symbol) *space.End {
	if c.chart == nil || t < 0 {
		return nil
	}
	chart := c.chart
	for i, s := range chart.States {
		for _, e := range s.Edges {
			if chart.Letter(i, e) != c.g.Names[t] || chart.States[e.To].Kind != flow.Stop || !c.asked(i, wanted) {
				continue
			}
			end := &space.End{Name: chart.States[e.To].Name, Text: chart.States[e.To].Name}
			for _, text := range []string{e.Text, chart.States[e.To].Question} {
				if text != "" {
					end.Text = chart.Text(text, nil)
					break
				}
			}
			return end
		}
	}
	return nil
}

// asked reports whether an answer of a flowchart's state is among the letters.
func (c *Checker) asked(state int, letters []grammar.Symbol) bool {
	chart := c.chart
	return slices.ContainsFunc(chart.States[state].Edges, func(e flow.Edge) bool {
		t, ok := c.g.Lookup(chart.Letter(state, e))
		return ok && slices.Contains(letters, t)
	})
}

// takes lists the arguments of a tool; "" if one of them has no label.
func (c *Checker) takes(t grammar.Symbol) string {
	if c.table == nil || t < 0 {
		return ""
	}
	for _, p := range c.g.Productions {
		if len(p.Right) < 2 {
			continue
		}
		head := p.Right[0] == t
		for _, inner := range c.g.ByLeft(p.Right[0]) {
			head = head || c.table.ToolLike(p.Right[0]) && c.g.Productions[inner].Right[0] == t
		}
		if !head {
			continue
		}
		var names []string
		for _, s := range p.Right[1:] {
			if c.g.Label(s) == c.g.Names[s] {
				return ""
			}
			names = append(names, prompt.Article(c.g.Label(s)))
		}
		return strings.Join(names, " and ")
	}
	return ""
}

// overuse returns the fault of the first letter that exceeds its use limit, in the list or
// in the word.
func (c *Checker) overuse(v *Verdict, p *given, word []grammar.Symbol) *fault {
	used := make([]int64, c.g.NumTerminals)
	letters, at := p.word, p.from
	if letters == nil {
		at = p.at
		for _, s := range p.listed {
			if s < 0 {
				break // the first fault
			}
			letters = append(letters, p.stepGrammar.letter[s])
		}
	}
	for i, t := range letters {
		if t < 0 {
			continue
		}
		if used[t]++; c.rules.Caps[t] < 0 || used[t] <= c.rules.Caps[t] {
			continue
		}
		total := used[t]
		for _, later := range letters[i+1:] {
			if later == t {
				total++
			}
		}
		if c.rules.Caps[t] == 0 {
			return &fault{at: at[i], text: c.labels[t] + " may not be used"}
		}
		return &fault{at: at[i], text: fmt.Sprintf("%s is used %s, but may be used %s", c.labels[t], prompt.Times(total), prompt.Times(c.rules.Caps[t]))}
	}
	if p.word == nil && word != nil { // an input is not listed
		return c.overuse(v, &given{stepGrammar: p.stepGrammar, word: word, from: slices.Repeat([]int{-1}, len(word))}, word)
	}
	return nil
}

// broken returns the fault of the first property that is violated.
func (c *Checker) broken(v *Verdict, p *given, word []grammar.Symbol) *fault {
	var first *fault
	for i, property := range c.rules.Properties {
		d := c.rules.Each[i]
		state, dead := d.Start(), len(word)
		distances := d.Distances()
		for k, t := range word {
			if state = d.Next(state, int(t)); distances[state] < 0 {
				dead = k
				break
			}
		}
		if dead == len(word) && d.Accepting(state) {
			continue
		}
		f := &fault{at: c.place(v, p, word, dead), text: fmt.Sprintf("the property %s is not satisfied", property.Name)}
		if dead < len(word) {
			f.text = fmt.Sprintf("the property %s is violated at %s", property.Name, c.labels[word[dead]])
		}
		if len(word) > 0 {
			trace := make([]map[string]bool, len(word))
			for k, t := range word {
				trace[k] = map[string]bool{c.g.Names[t]: true}
			}
			f.reason = ltl.Explain(property.Formula, trace).String()
		}
		if first == nil || f.at >= 0 && f.at < first.at {
			first = f
		}
	}
	return first
}

// place returns the index in Found of the symbol for a letter of the word, given by its index; -1
// if there is no such symbol, or more than one.
func (c *Checker) place(v *Verdict, p *given, word []grammar.Symbol, letter int) int {
	switch {
	case letter == len(word):
		return -1
	case p.word != nil:
		return p.from[letter]
	}
	at := -1
	for i, s := range p.listed {
		if s >= 0 && p.stepGrammar.letter[s] == word[letter] {
			if at >= 0 {
				return -1 // it occurs several times
			}
			at = p.at[i]
		}
	}
	return at
}

// audible returns the step grammar without its silent terminals.
func (t *stepGrammar) audible() *grammar.Grammar {
	productions := make([]grammar.Production, len(t.g.Productions))
	for i, p := range t.g.Productions {
		right := []grammar.Symbol{}
		for _, s := range p.Right {
			if !t.g.IsTerminal(s) || !t.silent[s] {
				right = append(right, s)
			}
		}
		productions[i] = grammar.Production{Left: p.Left, Right: right}
	}
	n := t.g.NumTerminals
	return grammar.New(t.g.Names[:n], t.g.Names[n:], t.g.Start, productions, nil, grammar.Limits{})
}

// firstSet has the terminals that the words of a nonterminal begin with.
type firstSet struct {
	symbol  grammar.Symbol
	letters []grammar.Symbol // sorted
}

func firstSets(g *grammar.Grammar) []firstSet {
	nullable := g.Nullable()
	useful := g.Useful()
	has := make([]map[grammar.Symbol]bool, g.NumSymbols())
	for s := range has {
		has[s] = map[grammar.Symbol]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g.Productions {
			for _, s := range p.Right {
				if !useful[s] {
					break
				}
				if g.IsTerminal(s) && !has[p.Left][s] {
					has[p.Left][s], changed = true, true
				}
				for t := range grammar.Symbol(g.NumTerminals) {
					if has[s][t] && !has[p.Left][t] {
						has[p.Left][t], changed = true, true
					}
				}
				if !nullable[s] {
					break
				}
			}
		}
	}
	var out []firstSet
	for s := g.NumTerminals; s < g.NumSymbols(); s++ {
		f := firstSet{symbol: grammar.Symbol(s)}
		for t := range grammar.Symbol(g.NumTerminals) {
			if has[s][t] {
				f.letters = append(f.letters, t)
			}
		}
		if len(f.letters) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// wanted returns a name for a set of letters: the label of the only letter, or that of a
// nonterminal whose words begin with exactly these letters; "" if there is none.
func (c *Checker) wanted(letters []grammar.Symbol) string {
	if len(letters) == 1 {
		return c.labels[letters[0]]
	}
	sorted := slices.Clone(letters)
	slices.Sort(sorted)
	for _, f := range c.firsts {
		if label := c.g.Label(f.symbol); label != c.g.Names[f.symbol] && slices.Equal(f.letters, sorted) {
			return prompt.Article(label)
		}
	}
	return ""
}
