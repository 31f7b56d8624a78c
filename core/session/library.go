package session

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

func libraryMethods() []Method {
	return []Method{
		pure("agent.compare", agentCompare),
		pure("agent.verify", agentVerify),
		pure("formula.explain", formulaExplain),
		pure("grammar.ambiguity", grammarAmbiguity),
		pure("grammar.complete", grammarComplete),
		pure("grammar.count", grammarCount),
		pure("grammar.parsing", grammarParsing),
		pure("grammar.plans", grammarPlans),
		pure("grammar.sample", grammarSample),
	}
}

// MaxAmbiguityLength bounds the length that grammar.ambiguity searches.
const MaxAmbiguityLength = 1_000

// GrammarAmbiguityParams are a grammar and the maximum length of a word.
type GrammarAmbiguityParams struct {
	Source    string `json:"source"`
	Start     string `json:"start,omitempty"`
	MaxLength int    `json:"maxLength"`
}

// GrammarAmbiguityResult reports that the grammar is proved unambiguous; or has a
// shortest word with several derivation trees and their number (-1 for infinitely many);
// or the length up to which no word has several.
type GrammarAmbiguityResult struct {
	Unambiguous bool      `json:"unambiguous"`
	Witness     *[]string `json:"witness"`
	Trees       int64     `json:"trees"`
	UpTo        int       `json:"upTo"`
}

func grammarAmbiguity(p GrammarAmbiguityParams) (GrammarAmbiguityResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarAmbiguityResult{}, err
	}
	if p.MaxLength < 0 || p.MaxLength > MaxAmbiguityLength {
		return GrammarAmbiguityResult{}, source.NewError("limit.length", "maxLength out of range: expected 0 to "+strconv.Itoa(MaxAmbiguityLength)+", not "+strconv.Itoa(p.MaxLength))
	}
	a, err := counting.FindAmbiguity(g, p.MaxLength, meter.New(callBudget))
	if err != nil {
		return GrammarAmbiguityResult{}, err
	}
	out := GrammarAmbiguityResult{Unambiguous: a.Unambiguous, Trees: a.Trees, UpTo: a.UpTo}
	if a.Witness != nil {
		out.Witness = wordNames(g, a.Witness)
	}
	return out, nil
}

// GrammarCompleteParams are a grammar and a prefix.
type GrammarCompleteParams struct {
	Source string   `json:"source"`
	Start  string   `json:"start,omitempty"`
	Prefix []string `json:"prefix"`
}

// GrammarCompleteResult is a shortest list of terminals that completes the prefix to a
// word, null if no word begins with it.
type GrammarCompleteResult struct {
	Rest *[]string `json:"rest"`
}

func grammarComplete(p GrammarCompleteParams) (GrammarCompleteResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarCompleteResult{}, err
	}
	word, unknown := symbols(g, p.Prefix)
	run := earley.New(g).Start(meter.New(callBudget))
	for _, t := range word {
		if ok, err := run.Push(t); !ok || err != nil {
			return GrammarCompleteResult{}, err
		}
	}
	rest, ok := run.Completion()
	if !ok || unknown >= 0 {
		return GrammarCompleteResult{}, nil
	}
	return GrammarCompleteResult{Rest: wordNames(g, rest)}, nil
}

// GrammarParsingParams are the text of a grammar and its start symbol, by default the first.
type GrammarParsingParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
}

// ParsingConflict is a next terminal ("" at the end of the word) with which a parser
// cannot choose among productions; with Shift, reading the terminal is a choice, too.
type ParsingConflict struct {
	Nonterminal string   `json:"nonterminal,omitempty"` // of LL(1)
	Lookahead   string   `json:"lookahead"`
	Productions []string `json:"productions"`
	Shift       bool     `json:"shift"`
}

// GrammarParsingResult explains why parsers with one terminal of look-ahead reject the grammar:
// nonterminals each of which can begin with the next one, and the last with the first, and the
// conflicts of its LL(1) and LR(1) tables.
type GrammarParsingResult struct {
	LeftRecursion []string          `json:"leftRecursion"`
	LL            []ParsingConflict `json:"ll"`
	LR            []ParsingConflict `json:"lr"`
}

func grammarParsing(p GrammarParsingParams) (GrammarParsingResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarParsingResult{}, err
	}
	table, err := g.LR1(meter.New(callBudget))
	if err != nil {
		return GrammarParsingResult{}, err
	}
	return GrammarParsingResult{
		LeftRecursion: *wordNames(g, g.LeftRecursion()), LL: wireConflicts(g, g.LL1()), LR: wireConflicts(g, table.Conflicts),
	}, nil
}

func wireConflicts(g *grammar.Grammar, list []grammar.Conflict) []ParsingConflict {
	out := []ParsingConflict{}
	for _, c := range list {
		w := ParsingConflict{Shift: c.Shift, Productions: []string{}}
		if c.Left >= 0 {
			w.Nonterminal = g.Names[c.Left]
		}
		if c.Lookahead != grammar.AtEnd {
			w.Lookahead = g.Names[c.Lookahead]
		}
		for _, i := range c.Productions {
			w.Productions = append(w.Productions, g.Write(i))
		}
		out = append(out, w)
	}
	return out
}

// MaxCountLength bounds the length that grammar.count counts to.
const MaxCountLength = 10_000

// GrammarCountParams are a grammar and the maximum length.
type GrammarCountParams struct {
	Source    string `json:"source"`
	Start     string `json:"start,omitempty"`
	MaxLength int    `json:"maxLength"`
}

// GrammarCountResult has the number of different words of each length from 0.
type GrammarCountResult struct {
	Words []*big.Int `json:"words"`
}

func grammarCount(p GrammarCountParams) (GrammarCountResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarCountResult{}, err
	}
	if p.MaxLength < 0 || p.MaxLength > MaxCountLength {
		return GrammarCountResult{}, source.NewError("limit.length", "maxLength out of range: expected 0 to "+strconv.Itoa(MaxCountLength)+", not "+strconv.Itoa(p.MaxLength))
	}
	words, err := counting.Words(g, p.MaxLength, meter.New(callBudget))
	return GrammarCountResult{Words: words}, err
}

// GrammarPlansParams are a grammar and use limits.
type GrammarPlansParams struct {
	Source string         `json:"source"`
	Start  string         `json:"start,omitempty"`
	Limits grammar.Limits `json:"limits"`
}

// GrammarPlansResult has two counts, as decimal strings: the complete paths of a planner,
// and the dead ends of a planner without look-ahead.
type GrammarPlansResult struct {
	Plans    string `json:"plans"`
	DeadEnds string `json:"deadEnds"`
}

func grammarPlans(p GrammarPlansParams) (GrammarPlansResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarPlansResult{}, err
	}
	caps, err := g.Caps(p.Limits)
	if err != nil {
		return GrammarPlansResult{}, err
	}
	plans, deadEnds, err := counting.Plans(g, caps, meter.New(callBudget))
	if err != nil {
		return GrammarPlansResult{}, err
	}
	return GrammarPlansResult{Plans: plans.String(), DeadEnds: deadEnds.String()}, nil
}

// MaxSamples bounds the words that grammar.sample draws in one call.
const MaxSamples = 1_000

// GrammarSampleParams are a grammar, the length and number of the words, and a seed.
type GrammarSampleParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
	Length int    `json:"length"`
	Number int    `json:"number"`
	Seed   uint64 `json:"seed,omitempty"`
}

// GrammarSampleResult has words drawn uniformly from those of the length, with
// replacement; it is empty if there are none.
type GrammarSampleResult struct {
	Words [][]string `json:"words"`
}

func grammarSample(p GrammarSampleParams) (GrammarSampleResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarSampleResult{}, err
	}
	if p.Length < 0 || p.Length > MaxCountLength || p.Number < 0 || p.Number > MaxSamples {
		return GrammarSampleResult{}, source.NewError("limit.length", fmt.Sprintf("out of range: expected a length from 0 to %d and a number from 0 to %d", MaxCountLength, MaxSamples))
	}
	words := counting.NewSampler(g, meter.New(callBudget))
	random := rand.New(rand.NewPCG(p.Seed, 0))
	out := GrammarSampleResult{Words: [][]string{}}
	for range p.Number {
		word, ok, err := words.Sample(p.Length, random)
		if err != nil || !ok {
			return out, err
		}
		out.Words = append(out.Words, *wordNames(g, word))
	}
	return out, nil
}

// FormulaExplainParams are a formula and a trace of at least one step: for each step the
// true propositions.
type FormulaExplainParams struct {
	Formula string     `json:"formula"`
	Trace   [][]string `json:"trace"`
}

// FormulaExplainResult reports whether the formula holds and why: Reason has a line per
// part, with its causes indented below it. Simpler is the formula without redundant
// parts.
type FormulaExplainResult struct {
	Holds   bool   `json:"holds"`
	Reason  string `json:"reason"`
	Simpler string `json:"simpler"`
}

func formulaExplain(p FormulaExplainParams) (FormulaExplainResult, error) {
	f, err := openFormula(p.Formula)
	if err != nil {
		return FormulaExplainResult{}, err
	}
	if len(p.Trace) == 0 {
		return FormulaExplainResult{}, source.NewError("ltl.trace", "empty trace; expected at least one step")
	}
	trace := make([]map[string]bool, len(p.Trace))
	for i, step := range p.Trace {
		trace[i] = map[string]bool{}
		for _, name := range step {
			trace[i][name] = true
		}
	}
	reason := ltl.Explain(f, trace)
	return FormulaExplainResult{Holds: reason.Holds, Reason: reason.String(), Simpler: ltl.Simplify(f).String()}, nil
}

// AgentVerifyParams are an agent and a formula over its states.
type AgentVerifyParams struct {
	Source  string `json:"source"`
	Formula string `json:"formula"`
}

// AgentVerifyResult reports whether every complete run satisfies the formula; if not, the
// counterexample is a shortest run that violates it.
type AgentVerifyResult struct {
	Holds          bool      `json:"holds"`
	Counterexample *[]string `json:"counterexample"`
}

func agentVerify(p AgentVerifyParams) (AgentVerifyResult, error) {
	a, err := openAgent(p.Source)
	if err != nil {
		return AgentVerifyResult{}, err
	}
	f, err := openFormula(p.Formula)
	if err != nil {
		return AgentVerifyResult{}, err
	}
	holds, run, err := verify.Agent(a, f, meter.New(callBudget))
	if err != nil || holds {
		return AgentVerifyResult{Holds: holds}, err
	}
	return AgentVerifyResult{Counterexample: &run}, nil
}

// AgentCompareParams are two agents.
type AgentCompareParams struct {
	Source string `json:"source"`
	Other  string `json:"other"`
}

// AgentCompareResult reports whether the agents have the same complete runs; if not, Run is a
// shortest run that only one of them accepts: "source" or "other".
type AgentCompareResult struct {
	Equivalent bool      `json:"equivalent"`
	Run        *[]string `json:"run"`
	Of         string    `json:"of,omitempty"`
}

func agentCompare(p AgentCompareParams) (AgentCompareResult, error) {
	a, err := openAgent(p.Source)
	if err != nil {
		return AgentCompareResult{}, err
	}
	b, err := openAgent(p.Other)
	if err != nil {
		return AgentCompareResult{}, err
	}
	d, err := verify.Agents(a, b, meter.New(callBudget))
	if err != nil || d == nil {
		return AgentCompareResult{Equivalent: err == nil}, err
	}
	out := AgentCompareResult{Run: &d.Run, Of: "other"}
	if d.First {
		out.Of = "source"
	}
	return out, nil
}
