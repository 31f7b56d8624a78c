package session

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// DefaultCostLength is the length up to which spec.cost counts if the request has none; the budget
// may end the count before.
const DefaultCostLength = 40

// costBudget bounds the counts of spec.cost.
var costBudget = meter.Budget{Steps: 40_000_000, States: 1_500_000}

// SpecCostParams name a spec of a workspace, whose formulas are counted as rules, and the maximum length of
// words; 0 means the default, 40.
type SpecCostParams struct {
	Files     []File `json:"files"`
	Name      string `json:"name"`
	MaxLength int    `json:"maxLength,omitempty"`
}

// RuleCost is the cost of a formula in words of the spec, as decimal strings: Alone is the number of
// words that satisfy it, Others of those that satisfy all other formulas, and Then of those that
// satisfy it and all formulas before it.
type RuleCost struct {
	Name   string `json:"name"`
	Alone  string `json:"alone"`
	Others string `json:"others"`
	Then   string `json:"then"`
}

// SpecSize is the number of words of a spec, as a decimal string.
type SpecSize struct {
	Name  string `json:"name"`
	Words string `json:"words"`
}

// SpecCostResult has the number of words of the spec within the limits that it declares, the cost of
// each formula, and the sizes of the workspace's other specs with the same symbols. Words are counted
// up to the length UpTo, where the budget may have ended the count; -1 means that nothing could
// be counted. Last is the length of the longest words that were counted.
type SpecCostResult struct {
	Words string     `json:"words"`
	Left  string     `json:"left"` // the number of words that satisfy all formulas
	Rules []RuleCost `json:"rules"`
	Specs []SpecSize `json:"specs"`
	UpTo  int        `json:"upTo"`
	Last  int        `json:"last"`
}

func (s *Session) specCost(p SpecCostParams) (SpecCostResult, error) {
	out := SpecCostResult{Rules: []RuleCost{}, Specs: []SpecSize{}, UpTo: -1, Last: -1}
	if p.MaxLength < 0 || p.MaxLength > MaxWordLength {
		return out, source.NewError("limit.length", "maxLength out of range: expected 0 to "+strconv.Itoa(MaxWordLength)+", not "+strconv.Itoa(p.MaxLength))
	}
	if p.MaxLength == 0 {
		p.MaxLength = DefaultCostLength
	}
	scope, err := s.open(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return out, err
	}
	words, err := generatorOf(s.table.Notations, scope.File, meter.New(callBudget))
	if err != nil {
		return out, err
	}
	rules, err := workspaceProperties(s.project(p.Files), words.Language.Letters())
	if err != nil {
		return out, err
	}
	// All formulas; then, for each formula: that formula alone, the others, and those up to it.
	formulas := make([]*ltl.Formula, len(rules))
	for i, r := range rules {
		formulas[i] = r.Formula
	}
	sets := [][]*ltl.Formula{nil, formulas}
	for i := range formulas {
		sets = append(sets, formulas[i:i+1], slices.Delete(slices.Clone(formulas), i, i+1), formulas[:i+1])
	}
	counts := make([]count, len(sets))
	for i, set := range sets {
		counts[i].language = words.Language
		if counts[i].within, err = automatonOfAll(set, words.Language.Letters()); err != nil {
			return out, err
		}
	}
	for _, f := range p.Files {
		if other, ok := s.sameLetters(f, words.Language.Letters()); ok && f.Name != p.Name {
			counts = append(counts, count{language: other})
			out.Specs = append(out.Specs, SpecSize{Name: f.Name})
		}
	}
	m := meter.New(costBudget)
	for length := 0; length <= p.MaxLength; length++ {
		if err := addCounts(counts, length, m); isLimit(err) {
			break
		} else if err != nil {
			return out, err
		}
		if out.UpTo = length; counts[0].latest.Sign() > 0 {
			out.Last = length
		}
	}
	out.Words, out.Left = counts[0].sum.String(), counts[1].sum.String()
	for i, r := range rules {
		of := counts[2+3*i:]
		out.Rules = append(out.Rules, RuleCost{r.Name, of[0].sum.String(), of[1].sum.String(), of[2].sum.String()})
	}
	for i := range out.Specs {
		out.Specs[i].Words = counts[len(counts)-len(out.Specs)+i].sum.String()
	}
	return out, nil
}

// count counts the words of a language that an automaton accepts; a nil automaton accepts all
// words.
type count struct {
	language *counting.Language
	within   *automaton.DFA
	latest   *big.Int // of the last length
	sum      big.Int
}

// addCounts adds the words of a length to all counts, or to none if the budget is spent.
func addCounts(counts []count, length int, m *meter.Meter) error {
	for i := range counts {
		c := &counts[i]
		var err error
		if c.latest, err = c.language.NumberWithin(c.within, length, m); err != nil {
			return err
		}
	}
	for i := range counts {
		counts[i].sum.Add(&counts[i].sum, counts[i].latest)
	}
	return nil
}

// automatonOfAll returns the automaton of the conjunction of formulas over letters; nil if there
// are no formulas.
func automatonOfAll(formulas []*ltl.Formula, letters []string) (*automaton.DFA, error) {
	if len(formulas) == 0 {
		return nil, nil
	}
	all := formulas[0]
	for _, f := range formulas[1:] {
		all = ltl.New(ltl.And, all, f)
	}
	alphabet, err := ltl.NewAlphabet(letters, ltl.OneHot)
	if err != nil {
		return nil, err
	}
	d, err := ltl.Translate(all, alphabet, meter.New(callBudget))
	if err != nil {
		return nil, err
	}
	return d.Explicit()
}

// sameLetters returns the words of a file whose letters are those of another spec.
func (s *Session) sameLetters(f File, letters []string) (*counting.Language, bool) {
	if s.table.Notations.Of(f.Name).Properties != nil {
		return nil, false
	}
	words, err := generatorOf(s.table.Notations, f.Source(), meter.New(callBudget))
	if err != nil {
		return nil, false // a file without words, or with errors, which the editor reports
	}
	own := words.Language.Letters()
	same := len(own) == len(letters) && !slices.ContainsFunc(own, func(l string) bool { return !slices.Contains(letters, l) })
	return words.Language, same
}
