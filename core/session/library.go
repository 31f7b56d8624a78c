package session

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/workspace"
)

func libraryMethods() []Method {
	return []Method{
		method("agent.compare", (*Session).agentCompare),
		method("agent.verify", (*Session).agentVerify),
		method("formula.explain", (*Session).formulaExplain),
		method("grammar.ambiguity", (*Session).grammarAmbiguity),
		method("grammar.complete", (*Session).grammarComplete),
		method("grammar.parsing", (*Session).grammarParsing),
		method("grammar.sample", (*Session).grammarSample),
		method("spec.export", (*Session).specExport),
		method("spec.import", (*Session).specImport),
	}
}

// MaxAmbiguityLength is the longest length that grammar.ambiguity searches.
const MaxAmbiguityLength = 1_000

// GrammarAmbiguityParams are a grammar and the longest word to look at.
type GrammarAmbiguityParams struct {
	Source    string `json:"source"`
	Start     string `json:"start,omitempty"`
	MaxLength int    `json:"maxLength"`
}

// GrammarAmbiguityResult says that the grammar is proven unambiguous; or has a
// shortest word with several derivation trees and how many (-1 for infinitely
// many); or says up to which length no word has several.
type GrammarAmbiguityResult struct {
	Unambiguous bool      `json:"unambiguous"`
	Witness     *[]string `json:"witness"`
	Trees       int64     `json:"trees"`
	UpTo        int       `json:"upTo"`
}

func (s *Session) grammarAmbiguity(p GrammarAmbiguityParams) (GrammarAmbiguityResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarAmbiguityResult{}, err
	}
	if p.MaxLength < 0 || p.MaxLength > MaxAmbiguityLength {
		return GrammarAmbiguityResult{}, source.NewError("limit.length", "maxLength is from 0 to "+strconv.Itoa(MaxAmbiguityLength)+", not "+strconv.Itoa(p.MaxLength))
	}
	a, err := earley.FindAmbiguity(g, p.MaxLength, meter.New(callBudget))
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

// GrammarCompleteResult is a shortest list of terminals that makes a word of the
// prefix, or null where no word begins with it.
type GrammarCompleteResult struct {
	Rest *[]string `json:"rest"`
}

func (s *Session) grammarComplete(p GrammarCompleteParams) (GrammarCompleteResult, error) {
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

// GrammarParsingParams are a grammar.
type GrammarParsingParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
}

// ParsingConflict is a next terminal ("" at the end of the word) with which a
// parser cannot tell productions apart; with Shift, nor from reading it.
type ParsingConflict struct {
	Nonterminal string   `json:"nonterminal,omitempty"` // of LL(1)
	Lookahead   string   `json:"lookahead"`
	Productions []string `json:"productions"`
	Shift       bool     `json:"shift"`
}

// GrammarParsingResult says what keeps parsers that look one terminal ahead from
// the grammar: nonterminals that each begin with the next, and the last with the
// first, and the conflicts of its LL(1) and LR(1) tables.
type GrammarParsingResult struct {
	LeftRecursion []string          `json:"leftRecursion"`
	LL            []ParsingConflict `json:"ll"`
	LR            []ParsingConflict `json:"lr"`
}

func (s *Session) grammarParsing(p GrammarParsingParams) (GrammarParsingResult, error) {
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

// MaxSamples is how many words grammar.sample draws at once.
const MaxSamples = 1_000

// GrammarSampleParams are a grammar, the length of the words wanted, how many, and
// a seed.
type GrammarSampleParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
	Length int    `json:"length"`
	Number int    `json:"number"`
	Seed   uint64 `json:"seed,omitempty"`
}

// GrammarSampleResult has words drawn with replacement, each word of the length as
// likely as any other; none where there is none.
type GrammarSampleResult struct {
	Words [][]string `json:"words"`
}

func (s *Session) grammarSample(p GrammarSampleParams) (GrammarSampleResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarSampleResult{}, err
	}
	if p.Length < 0 || p.Length > MaxCountLength || p.Number < 0 || p.Number > MaxSamples {
		return GrammarSampleResult{}, source.NewError("limit.length", fmt.Sprintf("length is from 0 to %d and number from 0 to %d", MaxCountLength, MaxSamples))
	}
	words := earley.NewWords(g, meter.New(callBudget))
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

// FormulaExplainParams are a formula and a trace of at least one step: for each
// step the propositions that hold.
type FormulaExplainParams struct {
	Formula string     `json:"formula"`
	Trace   [][]string `json:"trace"`
}

// FormulaExplainResult says whether the formula holds and why: Reason is a line
// for each part, what it follows from indented below it. Simpler is the formula
// without what it does not need.
type FormulaExplainResult struct {
	Holds   bool   `json:"holds"`
	Reason  string `json:"reason"`
	Simpler string `json:"simpler"`
}

func (s *Session) formulaExplain(p FormulaExplainParams) (FormulaExplainResult, error) {
	f, err := openFormula(p.Formula)
	if err != nil {
		return FormulaExplainResult{}, err
	}
	if len(p.Trace) == 0 {
		return FormulaExplainResult{}, source.NewError("ltl.trace", "a trace has at least one step")
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

// AgentVerifyResult says whether the formula holds of every complete run; if not,
// the counterexample is a shortest one that violates it.
type AgentVerifyResult struct {
	Holds          bool      `json:"holds"`
	Counterexample *[]string `json:"counterexample"`
}

func (s *Session) agentVerify(p AgentVerifyParams) (AgentVerifyResult, error) {
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

// AgentCompareResult says whether they have the same complete runs; if not, Run is
// a shortest run that one completes and the other does not: "source" or "other".
type AgentCompareResult struct {
	Equivalent bool      `json:"equivalent"`
	Run        *[]string `json:"run"`
	Of         string    `json:"of,omitempty"`
}

func (s *Session) agentCompare(p AgentCompareParams) (AgentCompareResult, error) {
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

// SpecExportParams are a spec, whose name's ending gives its language, and a
// notation: "dot", "mermaid", "hoa", "gbnf", "ebnf", "lark", "w3c", "regexp" or
// "structural-tag", or, of an agent, a guard: "guard-go", "guard-typescript" or
// "guard-python". Separator stands between two symbols in texts; it is a space
// unless it is given.
type SpecExportParams struct {
	Name      string  `json:"name"`
	Text      string  `json:"text"`
	Format    string  `json:"format"`
	Separator *string `json:"separator,omitempty"`
}

// SpecExportResult is the spec in the other notation.
type SpecExportResult struct {
	Text string `json:"text"`
}

// exportable is a spec as far as it can be written in other notations.
type exportable struct {
	graph  func() (export.Graph, bool)
	rules  func() export.Rules
	regexp func() (string, error)
	hoa    func() (string, bool)
}

func (s *Session) specExport(p SpecExportParams) (SpecExportResult, error) {
	if strings.HasPrefix(p.Format, "guard-") {
		return exportGuard(p)
	}
	separator := " "
	if p.Separator != nil {
		separator = *p.Separator
	}
	spec, err := openExportable(p, separator)
	if err != nil {
		return SpecExportResult{}, err
	}
	unfit := source.NewError("export.format", fmt.Sprintf("%s cannot be written as %q", p.Name, p.Format))
	tooLarge := source.NewError("limit.guards", "the labels of this automaton are too many to write")
	text, ok := "", true
	switch p.Format {
	case "dot", "mermaid":
		var g export.Graph
		if g, ok = spec.graph(); p.Format == "dot" {
			text = g.DOT()
		} else {
			text = g.Mermaid()
		}
	case "hoa":
		if spec.hoa == nil {
			return SpecExportResult{}, unfit
		}
		text, ok = spec.hoa()
	case "regexp":
		if spec.regexp == nil {
			return SpecExportResult{}, unfit
		}
		text, err = spec.regexp()
	case "gbnf", "ebnf", "lark", "w3c", "structural-tag":
		if spec.rules == nil {
			return SpecExportResult{}, unfit
		}
		r := spec.rules()
		switch p.Format {
		case "gbnf":
			text = r.GBNF()
		case "ebnf":
			text = r.EBNF()
		case "lark":
			text = r.Lark()
		case "w3c":
			text = r.W3C()
		default:
			text, err = r.StructuralTag()
		}
	default:
		return SpecExportResult{}, source.NewError("export.format", fmt.Sprintf("there is no notation %q", p.Format))
	}
	if err == nil && !ok {
		err = tooLarge
	}
	return SpecExportResult{Text: text}, err
}

func openExportable(p SpecExportParams, separator string) (exportable, error) {
	file := source.NewFile(p.Name, p.Text)
	var out exportable
	var found []source.Diagnostic
	sound := false
	switch workspace.KindOf(p.Name) {
	case workspace.KindGrammar:
		g, more := compileGrammar(file, "")
		found, sound = more, g != nil
		out.graph = func() (export.Graph, bool) { return export.GraphOfPDA(p.Name, pushdown.FromGrammar(g)), true }
		out.rules = func() export.Rules { return export.FromGrammar(g, separator) }
	case workspace.KindPushdown:
		a, more := compilePushdown(file)
		found, sound = more, a != nil
		if !sound || source.HasErrors(found) {
			break
		}
		g, err := a.Grammar(meter.New(callBudget))
		if err != nil {
			return out, err
		}
		out.graph = func() (export.Graph, bool) { return export.GraphOfPDA(p.Name, a), true }
		out.rules = func() export.Rules { return export.FromGrammar(g, separator) }
	case workspace.KindFlow:
		f, more := compileFlow(file)
		found, sound = more, f != nil
		out.graph = func() (export.Graph, bool) { return export.GraphOfDFA(p.Name, f.DFA(), f.Letters()), true }
		out.rules = func() export.Rules { return export.FromDFA(f.DFA(), f.Letters(), separator) }
		out.regexp = func() (string, error) { return export.Regexp(f.DFA(), f.Letters(), separator) }
	case workspace.KindAgent:
		a, more := compileAgent(file)
		found, sound = more, a != nil
		if !sound {
			break
		}
		var names, prompts []string
		var choices [][]string
		for _, state := range a.States {
			names, prompts, choices = append(names, state.Name), append(prompts, state.Text), append(choices, state.OneOf)
		}
		out.graph = func() (export.Graph, bool) { return export.GraphOfDFA(a.Name, a.DFA, names), true }
		out.rules = func() export.Rules { return export.FromSegments(a.DFA, prompts, choices) }
		out.regexp = func() (string, error) { return export.Regexp(a.DFA, names, separator) }
	case workspace.KindFormulas:
		f, err := openFormula(p.Text)
		if err != nil {
			return out, err
		}
		alphabet, err := ltl.NewAlphabet(f.Props(), ltl.Powerset)
		if err != nil {
			return out, err
		}
		d, err := ltl.Translate(f, alphabet, meter.New(callBudget))
		if err != nil {
			return out, err
		}
		sound = true
		out.graph = func() (export.Graph, bool) { return export.GraphOfFormula(p.Name, d) }
		out.hoa = func() (string, bool) { return export.HOA(f.String(), d.Symbolic, d.Names()) }
	default:
		return out, source.NewError("export.kind", p.Name+" is not a spec")
	}
	if !sound || source.HasErrors(found) {
		return out, invalid(file, found)
	}
	return out, nil
}

// SpecImportParams are a text in another notation: "gbnf", "ebnf" or "lark".
type SpecImportParams struct {
	Text   string `json:"text"`
	Format string `json:"format"`
}

// SpecImportResult is the same grammar in .cfg; empty where the text has errors.
type SpecImportResult struct {
	Text        string       `json:"text"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

func (s *Session) specImport(p SpecImportParams) (SpecImportResult, error) {
	file := source.NewFile("import."+p.Format, p.Text)
	read := export.ReadGBNF
	switch p.Format {
	case "gbnf", "ebnf":
	case "lark":
		read = export.ReadLark
	default:
		return SpecImportResult{}, source.NewError("export.format", fmt.Sprintf("there is no reader of %q; there is one of gbnf, ebnf and lark", p.Format))
	}
	text, found := read(file)
	return SpecImportResult{Text: text, Diagnostics: wireDiagnostics(file, found)}, nil
}
