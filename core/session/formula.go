package session

import (
	"fmt"
	"strconv"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

func formulaMethods() []Method {
	return []Method{
		pure("formula.automaton", formulaAutomaton),
		pure("formula.verdict", formulaVerdict),
		pure("grammar.verify", grammarVerify),
	}
}

// openFormula parses a text that must contain exactly one formula.
func openFormula(text string) (*ltl.Formula, error) {
	file := source.NewFile("formula.ltl", text)
	list, found := ltl.Parse(file)
	if len(found) > 0 {
		return nil, notation.Invalid(file, found)
	}
	if len(list) != 1 {
		return nil, source.NewError("ltl.one", "expected one formula, got "+strconv.Itoa(len(list)))
	}
	return list[0].Formula, nil
}

// FormulaParams are a formula in .ltl notation over propositions, and the valid steps of
// its traces: "powerset", any set of the propositions, or "onehot", exactly one.
type FormulaParams struct {
	Formula      string      `json:"formula"`
	Propositions []string    `json:"propositions"`
	Letters      ltl.Letters `json:"letters"`
}

func (p FormulaParams) translate(m *meter.Meter) (*ltl.Automaton, error) {
	f, err := openFormula(p.Formula)
	if err != nil {
		return nil, err
	}
	a, err := ltl.NewAlphabet(p.Propositions, p.Letters)
	if err != nil {
		return nil, err
	}
	for _, name := range f.Props() {
		if err := a.Check([]string{name}); err != nil {
			return nil, err
		}
	}
	return ltl.Translate(f, a, m)
}

// Bounds of the result of formula.automaton: entries of the table, conjunctions in guards, and
// steps of work for the guards.
const (
	maxTable   = 1 << 16
	maxGuards  = 1 << 12
	guardSteps = 3_000_000 // steps of a meter
)

// FormulaAutomatonResult is the smallest complete automaton of a formula, which rejects the empty
// trace: Transitions[q][i] is the successor of state q for the letter i, and Letters[i] are the
// propositions that are true in it. Both are empty if the table would exceed 65,536 entries.
// Guards[q] are the same transitions as formulas; they are empty if they would exceed 4,096
// conjunctions or 3,000,000 steps of work.
type FormulaAutomatonResult struct {
	States      int              `json:"states"`
	Start       int              `json:"start"`
	Accepting   []int            `json:"accepting"`
	Letters     [][]string       `json:"letters"`
	Transitions [][]int          `json:"transitions"`
	Guards      [][]FormulaGuard `json:"guards"`
}

// FormulaGuard is a transition to a state for the letters that satisfy a formula without
// temporal operators.
type FormulaGuard struct {
	To    int    `json:"to"`
	Guard string `json:"guard"`
}

func formulaAutomaton(p FormulaParams) (FormulaAutomatonResult, error) {
	d, err := p.translate(meter.New(callBudget))
	if err != nil {
		return FormulaAutomatonResult{}, err
	}
	out := FormulaAutomatonResult{
		States: d.NumStates(), Start: d.Start(),
		Accepting: []int{}, Letters: [][]string{}, Transitions: [][]int{}, Guards: [][]FormulaGuard{},
	}
	for q := range d.NumStates() {
		if d.Accepting(q) {
			out.Accepting = append(out.Accepting, q)
		}
	}
	room, m := maxGuards, meter.New(meter.Budget{Steps: guardSteps})
	for q := range d.NumStates() {
		guards, cubes := d.Guards(q, m)
		if room -= cubes; cubes < 0 || room < 0 {
			out.Guards = [][]FormulaGuard{}
			break
		}
		row := make([]FormulaGuard, len(guards))
		for i, g := range guards {
			row[i] = FormulaGuard{To: g.To, Guard: g.Formula.String()}
		}
		out.Guards = append(out.Guards, row)
	}
	if n, err := d.Alphabet.Len(); err == nil && n*d.NumStates() <= maxTable {
		for letter := range n {
			out.Letters = append(out.Letters, d.Alphabet.Step(letter))
		}
		table, err := d.Explicit()
		if err != nil {
			return out, err
		}
		_, out.Transitions = wireDFA(table)
	}
	return out, nil
}

// FormulaVerdictParams are a formula as in [FormulaParams] and a trace: for each step the
// true propositions.
type FormulaVerdictParams struct {
	Formula      string      `json:"formula"`
	Propositions []string    `json:"propositions"`
	Letters      ltl.Letters `json:"letters"`
	Trace        [][]string  `json:"trace"`
}

// FormulaVerdictResult reports whether the formula holds on the trace, and the verdict
// for all its continuations.
type FormulaVerdictResult struct {
	Holds   bool        `json:"holds"`
	Verdict ltl.Verdict `json:"verdict"`
}

func formulaVerdict(p FormulaVerdictParams) (FormulaVerdictResult, error) {
	d, err := FormulaParams{p.Formula, p.Propositions, p.Letters}.translate(meter.New(callBudget))
	if err != nil {
		return FormulaVerdictResult{}, err
	}
	state := d.Start()
	for i, step := range p.Trace {
		if state, err = d.Step(state, step); err != nil {
			return FormulaVerdictResult{}, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return FormulaVerdictResult{Holds: d.Accepting(state), Verdict: d.Verdicts()[state]}, nil
}

// GrammarVerifyParams are a grammar and a formula over its terminals.
type GrammarVerifyParams struct {
	Source  string `json:"source"`
	Start   string `json:"start,omitempty"`
	Formula string `json:"formula"`
}

// GrammarVerifyResult reports whether every non-empty word satisfies the formula; if not,
// the counterexample is a shortest word that violates it.
type GrammarVerifyResult struct {
	Holds          bool      `json:"holds"`
	Counterexample *[]string `json:"counterexample"`
}

func grammarVerify(p GrammarVerifyParams) (GrammarVerifyResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarVerifyResult{}, err
	}
	f, err := openFormula(p.Formula)
	if err != nil {
		return GrammarVerifyResult{}, err
	}
	for _, name := range f.Props() {
		if symbol, ok := g.Lookup(name); !ok || !g.IsTerminal(symbol) {
			return GrammarVerifyResult{}, unknownTerminal(g, name)
		}
	}
	holds, word, err := verify.Grammar(g, f, meter.New(callBudget))
	if err != nil || holds {
		return GrammarVerifyResult{Holds: holds}, err
	}
	return GrammarVerifyResult{Counterexample: wordNames(g, word)}, nil
}
