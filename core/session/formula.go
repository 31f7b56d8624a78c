package session

import (
	"fmt"
	"strconv"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

func formulaMethods() []Method {
	return []Method{
		method("formula.automaton", (*Session).formulaAutomaton),
		method("formula.verdict", (*Session).formulaVerdict),
		method("grammar.verify", (*Session).grammarVerify),
	}
}

// openFormula parses a text that has to hold exactly one formula.
func openFormula(text string) (*ltl.Formula, error) {
	file := source.NewFile("formula.ltl", text)
	list, found := ltl.Parse(file)
	if len(found) > 0 {
		return nil, invalid(file, found)
	}
	if len(list) != 1 {
		return nil, source.NewError("ltl.one", "one formula is expected here, not "+strconv.Itoa(len(list)))
	}
	return list[0].Formula, nil
}

// FormulaParams are a formula in .ltl notation over propositions, and what its
// traces' steps may be: "powerset", any set of the propositions, or "onehot",
// exactly one.
type FormulaParams struct {
	Formula      string      `json:"formula"`
	Propositions []string    `json:"propositions"`
	Letters      ltl.Letters `json:"letters"`
}

func (p FormulaParams) translate(m *meter.Meter) (*automaton.DFA, *ltl.Alphabet, error) {
	f, err := openFormula(p.Formula)
	if err != nil {
		return nil, nil, err
	}
	a, err := ltl.NewAlphabet(p.Propositions, p.Letters)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range f.Props() {
		if _, err := a.Letter([]string{name}); err != nil {
			return nil, nil, err
		}
	}
	d, err := ltl.Translate(f, a, m)
	return d, a, err
}

// FormulaAutomatonResult is the smallest complete automaton of a formula, which
// rejects the empty trace: Transitions[q][i] is where state q goes with the i-th
// letter, of which Letters[i] are the propositions that hold.
type FormulaAutomatonResult struct {
	States      int        `json:"states"`
	Start       int        `json:"start"`
	Accepting   []int      `json:"accepting"`
	Letters     [][]string `json:"letters"`
	Transitions [][]int    `json:"transitions"`
}

func (s *Session) formulaAutomaton(p FormulaParams) (FormulaAutomatonResult, error) {
	d, a, err := p.translate(meter.New(callBudget))
	if err != nil {
		return FormulaAutomatonResult{}, err
	}
	out := FormulaAutomatonResult{States: d.NumStates(), Start: d.Start(), Letters: make([][]string, a.Len())}
	for letter := range out.Letters {
		out.Letters[letter] = a.PropsOf(letter)
	}
	out.Accepting, out.Transitions = wireDFA(d)
	return out, nil
}

// FormulaVerdictParams are a formula as in [FormulaParams] and a trace: for each
// step the propositions that hold.
type FormulaVerdictParams struct {
	Formula      string      `json:"formula"`
	Propositions []string    `json:"propositions"`
	Letters      ltl.Letters `json:"letters"`
	Trace        [][]string  `json:"trace"`
}

// FormulaVerdictResult says whether the formula holds on the trace as it is, and
// what can be said of all its continuations.
type FormulaVerdictResult struct {
	Holds   bool        `json:"holds"`
	Verdict ltl.Verdict `json:"verdict"`
}

func (s *Session) formulaVerdict(p FormulaVerdictParams) (FormulaVerdictResult, error) {
	d, a, err := FormulaParams{p.Formula, p.Propositions, p.Letters}.translate(meter.New(callBudget))
	if err != nil {
		return FormulaVerdictResult{}, err
	}
	state := d.Start()
	for i, step := range p.Trace {
		letter, err := a.Letter(step)
		if err != nil {
			return FormulaVerdictResult{}, fmt.Errorf("step %d: %w", i+1, err)
		}
		state = d.Next(state, letter)
	}
	return FormulaVerdictResult{Holds: d.Accepting(state), Verdict: ltl.Verdicts(d)[state]}, nil
}

// GrammarVerifyParams are a grammar and a formula over its terminals.
type GrammarVerifyParams struct {
	Source  string `json:"source"`
	Start   string `json:"start,omitempty"`
	Formula string `json:"formula"`
}

// GrammarVerifyResult says whether the formula holds of every non-empty word;
// if not, the counterexample is a shortest word that violates it.
type GrammarVerifyResult struct {
	Holds          bool      `json:"holds"`
	Counterexample *[]string `json:"counterexample"`
}

func (s *Session) grammarVerify(p GrammarVerifyParams) (GrammarVerifyResult, error) {
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
