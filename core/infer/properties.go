package infer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Cases are some of the runs of a call: their number, and the indices of the first of them.
type Cases struct {
	Number int   `json:"number"`
	Runs   []int `json:"runs"`
}

// maxCases bounds the runs that a property lists; the numbers have no bound.
const maxCases = 20

// Property is a formula that all or most passing runs satisfy. Its propositions are steps.
type Property struct {
	Name     string `json:"name"` // of the formula in a file
	Formula  string `json:"formula"`
	Template string `json:"template"` // of Declare, or "formula"
	Sentence string `json:"sentence"` // describes a template; "" for another formula
	For      Cases  `json:"for"`      // passing runs to which it applies and on which it holds
	Against  Cases  `json:"against"`  // passing runs on which it does not hold
	Rejects  Cases  `json:"rejects"`  // failing runs on which it does not hold
	Altered  int    `json:"altered"`  // altered runs (two steps exchanged or one omitted) on which it does not hold
	Chosen   bool   `json:"chosen"`   // it rejects a run that no property before it rejects
	Text     string `json:"text"`     // of the formula in a file, with its counts as a comment
}

// PropertyOptions are the settings of [Find]; zeros are the defaults.
type PropertyOptions struct {
	Support    int     // passing runs to which a property has to apply; 0: a twentieth of them, at least 2
	Confidence float64 // the share of these on which it has to hold; 0: all
	Most       int     // the maximum number of properties; 0: 60
}

// Properties has the properties of runs, the most selective ones first.
type Properties struct {
	List []Property
	// Size is the number of operators and propositions up to which the search is complete: each
	// formula was tried, or omitted because another has the same truth on all runs.
	Size      int
	Separated bool // a formula holds on all passing and no failing runs
}

// Limits of the search for formulas.
const (
	maxSize     = 7
	maxAltered  = 1_000     // altered runs that measure templates
	fewAltered  = 150       // and formulas
	maxTruths   = 1_500_000 // units of 64 bits that are stored
	maxUnits    = 25_000_000
	maxFormulas = 8 // that are proposed
)

// Find returns the properties of runs. The error has code "infer.runs" if no run passes, or is the
// meter's.
func Find(runs []Run, o PropertyOptions, m *meter.Meter) (*Properties, error) {
	s := newSample(runs)
	s.settle()
	f := &finder{sample: s, runs: runs, options: o, meter: m}
	for _, w := range s.words {
		f.passing += w.pass
	}
	if f.passing == 0 {
		return nil, source.NewError("infer.runs", "no passing run with steps to learn from")
	}
	if f.options.Support <= 0 {
		f.options.Support = max(2, f.passing/20)
	}
	if f.options.Confidence <= 0 {
		f.options.Confidence = 1
	}
	if f.options.Most <= 0 {
		f.options.Most = 60
	}
	f.own = len(s.words)
	f.alter(maxAltered)
	f.positions = layOut(s)
	if err := f.templates(); err != nil {
		return nil, err
	}
	f.choose()
	out := &Properties{}
	found, err := f.search()
	if err != nil {
		return nil, err
	}
	out.Size, out.Separated = found.size, found.separated
	for _, p := range f.found {
		if len(out.List) == f.options.Most {
			break
		}
		out.List = append(out.List, p.Property)
	}
	return out, nil
}

// finder is a search for properties.
type finder struct {
	*sample
	runs      []Run
	options   PropertyOptions
	meter     *meter.Meter
	positions *positions
	passing   int
	own       int // words of the runs; the others are altered
	found     []candidate
	names     map[string]bool
}

// candidate is a property with the words that it rejects.
type candidate struct {
	Property
	rejects []bool // by word
	weight  int    // words that it rejects: failing runs first
}

// alter adds words of passing runs with two adjacent steps exchanged or one step omitted. A property
// that all these words satisfy is hardly specific.
func (f *finder) alter(most int) {
	var list [][]int
	for _, w := range f.words[:f.own] {
		if w.pass == 0 {
			continue
		}
		for i := range w.letters {
			if i > 0 && w.letters[i] != w.letters[i-1] {
				swapped := slices.Clone(w.letters)
				swapped[i], swapped[i-1] = swapped[i-1], swapped[i]
				list = append(list, swapped)
			}
			if len(w.letters) > 1 {
				list = append(list, slices.Delete(slices.Clone(w.letters), i, i+1))
			}
		}
	}
	stride := max(1, (len(list)+most-1)/most)
	for i := 0; i < len(list); i += stride {
		f.word(f.sample.names(list[i]))
	}
}

// altered reports whether a word is altered.
func (f *finder) altered(i int) bool { return i >= f.own }

// templates tries the templates on all symbols and pairs of them.
func (f *finder) templates() error {
	n := len(f.symbols)
	occurs, passes := make([]int, n), make([]bool, n)
	for _, w := range f.words[:f.own] {
		seen := make([]bool, n)
		for _, letter := range w.letters {
			if !seen[letter] {
				seen[letter] = true
				occurs[letter] += w.pass
				passes[letter] = passes[letter] || w.pass > 0
			}
		}
	}
	held := map[constraint]bool{}
	for _, t := range templates() {
		for a := range n {
			if t.arity == 1 {
				if passes[a] == (t.name == "absence") {
					continue
				}
				if err := f.template(t, held, a, a); err != nil {
					return err
				}
				continue
			}
			for b := range n {
				if a == b || !passes[a] || !passes[b] || t.name == "not co-existence" && a > b {
					continue
				}
				if negative(t.name) && occurs[a]*occurs[b] < 3*f.passing {
					continue // too rare to expect them together
				}
				if err := f.template(t, held, a, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func negative(name string) bool { return len(name) > 4 && name[:4] == "not " }

// constraint is a template that holds, with its symbols.
type constraint struct {
	template string
	a, b     int
}

func (f *finder) template(t template, held map[constraint]bool, a, b int) error {
	if err := f.meter.Step(1 + f.positions.size/8); err != nil {
		return err
	}
	implied := held[constraint{t.name, a, b}]
	left, right := ltl.NewProp(f.symbols[a]), ltl.NewProp(f.symbols[b])
	formula := t.formula(left, right)
	if !implied {
		truth := f.positions.eval(formula, f.sample)
		applies := f.positions.valid
		if t.applies != nil {
			applies = f.positions.eval(t.applies(left, right), f.sample)
		}
		c, ok := f.judge(truth, applies)
		if !ok {
			return nil
		}
		names := []string{f.symbols[a]}
		if t.arity == 2 {
			names = append(names, f.symbols[b])
		}
		c.Template, c.Formula, c.Sentence = t.name, formula.String(), t.sentence(f.symbols[a], f.symbols[b])
		c.Name = f.unique(t.title(names...))
		f.found = append(f.found, c)
	}
	for _, weaker := range t.weaker() {
		held[constraint{weaker, a, b}] = true
	}
	return nil
}

func (f *finder) unique(name string) string {
	if f.names == nil {
		f.names = map[string]bool{}
	}
	out := name
	for i := 2; f.names[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	f.names[out] = true
	return out
}

// judge counts the runs of a property. ok is false if it has too little support, or rejects nothing.
func (f *finder) judge(truth, applies truth) (c candidate, ok bool) {
	c.For.Runs, c.Against.Runs, c.Rejects.Runs = []int{}, []int{}, []int{}
	c.rejects = make([]bool, len(f.words))
	for i, w := range f.words {
		holds := f.positions.holds(truth, i)
		c.rejects[i] = !holds
		switch {
		case f.altered(i):
			if !holds {
				c.Altered++
				c.weight++
			}
			continue
		case holds && f.positions.holds(applies, i):
			c.For.add(f, w, false)
		case !holds:
			c.Against.add(f, w, false)
			c.Rejects.add(f, w, true)
		}
	}
	c.weight += c.Rejects.Number * (maxAltered + 1)
	total := c.For.Number + c.Against.Number
	ok = c.For.Number >= f.options.Support && float64(c.For.Number) >= f.options.Confidence*float64(total) && c.weight > 0
	return c, ok
}

// add adds the passing or the failing runs of a word.
func (c *Cases) add(f *finder, w word, failed bool) {
	for _, r := range w.runs {
		if f.runs[r].Failed != failed {
			continue
		}
		c.Number++
		if len(c.Runs) < maxCases {
			c.Runs = append(c.Runs, r)
		}
	}
}

// choose sorts the properties by the words that they reject, and marks those that reject a word which
// no earlier one does.
func (f *finder) choose() {
	slices.SortStableFunc(f.found, func(a, b candidate) int {
		if c := cmp.Compare(b.weight, a.weight); c != 0 {
			return c
		}
		return cmp.Compare(b.For.Number, a.For.Number)
	})
	covered := make([]bool, len(f.words))
	for i := range f.found {
		c := &f.found[i]
		c.Text = fmt.Sprintf("# %s\n%s: %s\n", c.counts(), c.Name, c.Formula)
		for k, rejected := range c.rejects {
			if rejected && !covered[k] && (f.altered(k) || f.words[k].fail > 0) {
				covered[k], c.Chosen = true, true
			}
		}
	}
}

// counts describes the runs for and against a property.
func (p *Property) counts() string {
	text := fmt.Sprintf("%d runs for, %d against", p.For.Number, p.Against.Number)
	if p.Rejects.Number > 0 {
		text += fmt.Sprintf(", %d failing runs rejected", p.Rejects.Number)
	}
	if p.Sentence != "" {
		text = p.Sentence + ": " + text
	}
	return text
}
