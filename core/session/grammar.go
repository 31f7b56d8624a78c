package session

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/natural"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// callBudget bounds one call that is no run: it holds the module, and with it
// the editor, for as long as it lasts.
var callBudget = meter.Budget{}

func grammarMethods() []Method {
	return []Method{
		method("grammar.accepts", (*Session).grammarAccepts),
		method("grammar.check", (*Session).grammarCheck),
		method("grammar.count", (*Session).grammarCount),
		method("grammar.next", (*Session).grammarNext),
		method("grammar.plans", (*Session).grammarPlans),
		method("grammar.shortest", (*Session).grammarShortest),
	}
}

// openGrammar compiles a grammar for a method that needs a sound one.
func openGrammar(text, start string) (*grammar.Grammar, error) {
	file := source.NewFile("grammar.cfg", text)
	g, found := compileGrammar(file, start)
	if source.HasErrors(found) || g == nil {
		return nil, invalid(file, found)
	}
	return g, nil
}

// compileGrammar parses and compiles, and joins what both report.
func compileGrammar(file *source.File, start string) (*grammar.Grammar, []source.Diagnostic) {
	syntax, found := grammar.Parse(file)
	g, more := grammar.Compile(syntax, start)
	return g, append(found, more...)
}

// invalid is the error of a method that was given a spec with errors. It says
// the first of them and carries all.
func invalid(file *source.File, found []source.Diagnostic) error {
	what := "the spec"
	if workspace.KindOf(file.Name) == workspace.KindText {
		what = file.Name // that the spec is used with
	}
	message := what + " has errors"
	for _, d := range found {
		if d.Severity == source.SeverityError {
			where := file.Locate(d.Span.Start)
			message += "; the first is in line " + strconv.Itoa(where.Line) + ": " + d.Message
			break
		}
	}
	return &source.Error{ID: "source.invalid", Message: message, File: file, Diagnostics: found}
}

// GrammarCheckParams are a grammar in .cfg notation and, optionally, its start
// symbol.
type GrammarCheckParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
}

// GrammarCheckResult is what the analyses say. All lists are sorted. Productive,
// Reachable and Nullable list nonterminals.
type GrammarCheckResult struct {
	Start        string       `json:"start"`
	Terminals    []string     `json:"terminals"`
	Nonterminals []string     `json:"nonterminals"`
	Productive   []string     `json:"productive"`
	Reachable    []string     `json:"reachable"`
	Nullable     []string     `json:"nullable"`
	Empty        bool         `json:"empty"`
	Finite       bool         `json:"finite"`
	Cyclic       bool         `json:"cyclic"`
	Diagnostics  []Diagnostic `json:"diagnostics"`
}

func (s *Session) grammarCheck(p GrammarCheckParams) (GrammarCheckResult, error) {
	file := source.NewFile("grammar.cfg", p.Source)
	g, found := compileGrammar(file, p.Start)
	out := GrammarCheckResult{
		Terminals: []string{}, Nonterminals: []string{}, Productive: []string{}, Reachable: []string{}, Nullable: []string{},
		Empty: true, Finite: true, Diagnostics: wireDiagnostics(file, found),
	}
	if g == nil {
		return out, nil
	}
	out.Start = g.Names[g.Start]
	productive, reachable, nullable := g.Productive(), g.Reachable(), g.Nullable()
	for i, name := range g.Names {
		symbol := grammar.Symbol(i)
		if g.IsTerminal(symbol) {
			out.Terminals = append(out.Terminals, name)
			continue
		}
		out.Nonterminals = append(out.Nonterminals, name)
		for _, c := range []struct {
			holds bool
			list  *[]string
		}{{productive[i], &out.Productive}, {reachable[i], &out.Reachable}, {nullable[i], &out.Nullable}} {
			if c.holds {
				*c.list = append(*c.list, name)
			}
		}
	}
	for _, list := range [][]string{out.Terminals, out.Nonterminals, out.Productive, out.Reachable, out.Nullable} {
		sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	}
	out.Empty, out.Finite, out.Cyclic = g.Empty(), g.Finite(), g.Cyclic()
	return out, nil
}

// GrammarAcceptsParams are a grammar and a word of terminals.
type GrammarAcceptsParams struct {
	Source string   `json:"source"`
	Start  string   `json:"start,omitempty"`
	Word   []string `json:"word"`
}

// GrammarAcceptsResult says whether the word is of the language, and how many
// derivation trees it has: -1 for infinitely many, exact below 2^53, which stands
// for that many or more.
type GrammarAcceptsResult struct {
	Accepted bool  `json:"accepted"`
	Trees    int64 `json:"trees"`
}

func (s *Session) grammarAccepts(p GrammarAcceptsParams) (GrammarAcceptsResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarAcceptsResult{}, err
	}
	word, unknown := symbols(g, p.Word)
	if unknown >= 0 {
		return GrammarAcceptsResult{}, nil
	}
	trees, err := earley.New(g).Trees(word, meter.New(callBudget))
	if errorCode(err) == "limit.trees" {
		trees, err = earley.MaxTrees, nil
	}
	return GrammarAcceptsResult{Accepted: trees != 0, Trees: trees}, err
}

// symbols turns names into terminals. The second result is the index of the
// first name that is no terminal, or -1.
func symbols(g *grammar.Grammar, names []string) ([]grammar.Symbol, int) {
	out := make([]grammar.Symbol, len(names))
	for i, name := range names {
		symbol, ok := g.Lookup(name)
		if !ok || !g.IsTerminal(symbol) {
			return out[:i], i
		}
		out[i] = symbol
	}
	return out, -1
}

// GrammarNextParams are a grammar, a prefix, and use limits; without limits the
// grammar's own "limit" lines are not applied, for the question is then about
// the language alone.
type GrammarNextParams struct {
	Source string          `json:"source"`
	Start  string          `json:"start,omitempty"`
	Prefix []string        `json:"prefix"`
	Limits *grammar.Limits `json:"limits,omitempty"`
}

// GrammarNextResult says whether a whole word extends the prefix, whether the
// prefix is one, and which terminals (sorted) lead on to one, all within the
// limits.
type GrammarNextResult struct {
	Viable   bool     `json:"viable"`
	Complete bool     `json:"complete"`
	Next     []string `json:"next"`
}

func (s *Session) grammarNext(p GrammarNextParams) (GrammarNextResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarNextResult{}, err
	}
	w, err := walkGrammar(g, p.Prefix, p.Limits, meter.New(callBudget))
	if err != nil {
		return GrammarNextResult{}, err
	}
	out := GrammarNextResult{Viable: w.viable, Complete: w.complete, Next: []string{}}
	for _, t := range w.next {
		out.Next = append(out.Next, g.Names[t])
	}
	sort.Slice(out.Next, func(i, j int) bool { return out.Next[i] < out.Next[j] })
	return out, nil
}

// grammarWalk is where a word leads in a grammar.
type grammarWalk struct {
	word      []grammar.Symbol // up to the first symbol that does not fit
	violation int              // its index, or -1
	viable    bool
	complete  bool
	next      []grammar.Symbol
	remaining []int64 // uses left, by terminal; -1 unlimited; nil without limits
}

// walkGrammar reads the prefix symbol by symbol and stops at the first that no
// word has there, within the limits if there are any.
func walkGrammar(g *grammar.Grammar, prefix []string, limits *grammar.Limits, m *meter.Meter) (grammarWalk, error) {
	var needs *grammar.Needs
	w := grammarWalk{violation: -1}
	if limits != nil {
		caps, err := g.Caps(*limits)
		if err != nil {
			return w, err
		}
		if needs, err = grammar.ComputeNeeds(g, caps, m); err != nil {
			return w, err
		}
		w.remaining = slices.Clone(caps)
	}
	run := earley.New(g).Start(m)
	look := func() error {
		if needs == nil {
			w.viable, w.complete, w.next = run.Viable(), run.Complete(), run.Next()
			return nil
		}
		var err error
		w.viable, w.complete, w.next, err = run.NextWithin(needs, w.remaining)
		return err
	}
	if err := look(); err != nil {
		return w, err
	}
	for i, name := range prefix {
		symbol, ok := g.Lookup(name)
		if !ok || !slices.Contains(w.next, symbol) {
			w.violation, w.viable, w.complete, w.next = i, false, false, nil
			return w, nil
		}
		if _, err := run.Push(symbol); err != nil {
			return w, err
		}
		if w.remaining != nil && w.remaining[symbol] > 0 {
			w.remaining[symbol]--
		}
		w.word = append(w.word, symbol)
		if err := look(); err != nil {
			return w, err
		}
	}
	return w, nil
}

// MaxCountLength is the longest length that grammar.count counts to.
const MaxCountLength = 10_000

// GrammarCountParams are a grammar and the longest length to count.
type GrammarCountParams struct {
	Source    string `json:"source"`
	Start     string `json:"start,omitempty"`
	MaxLength int    `json:"maxLength"`
}

// GrammarCountResult has the number of different words of each length from 0.
type GrammarCountResult struct {
	Words []natural.Number `json:"words"`
}

func (s *Session) grammarCount(p GrammarCountParams) (GrammarCountResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarCountResult{}, err
	}
	if p.MaxLength < 0 || p.MaxLength > MaxCountLength {
		return GrammarCountResult{}, source.NewError("limit.length", "maxLength is from 0 to "+strconv.Itoa(MaxCountLength)+", not "+strconv.Itoa(p.MaxLength))
	}
	words, err := earley.CountWords(g, p.MaxLength, meter.New(callBudget))
	return GrammarCountResult{Words: words}, err
}

// GrammarShortestParams are a grammar.
type GrammarShortestParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
}

// GrammarShortestResult has a shortest word, or null where there is none.
type GrammarShortestResult struct {
	Word *[]string `json:"word"`
}

func (s *Session) grammarShortest(p GrammarShortestParams) (GrammarShortestResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarShortestResult{}, err
	}
	word, ok, err := earley.Shortest(g)
	if err != nil || !ok {
		return GrammarShortestResult{}, err
	}
	return GrammarShortestResult{Word: wordNames(g, word)}, nil
}

// GrammarPlansParams are a grammar and use limits.
type GrammarPlansParams struct {
	Source string         `json:"source"`
	Start  string         `json:"start,omitempty"`
	Limits grammar.Limits `json:"limits"`
}

// GrammarPlansResult counts, as decimal strings, the complete paths of a
// planner and the paths on which one without look-ahead strands.
type GrammarPlansResult struct {
	Plans    string `json:"plans"`
	DeadEnds string `json:"deadEnds"`
}

func (s *Session) grammarPlans(p GrammarPlansParams) (GrammarPlansResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarPlansResult{}, err
	}
	caps, err := g.Caps(p.Limits)
	if err != nil {
		return GrammarPlansResult{}, err
	}
	plans, deadEnds, err := earley.CountPlans(g, caps, meter.New(callBudget))
	if err != nil {
		return GrammarPlansResult{}, err
	}
	return GrammarPlansResult{Plans: plans.String(), DeadEnds: deadEnds.String()}, nil
}

// wordNames names the symbols of a word.
func wordNames(g *grammar.Grammar, word []grammar.Symbol) *[]string {
	names := make([]string, len(word))
	for i, symbol := range word {
		names[i] = g.Names[symbol]
	}
	return &names
}

func unknownTerminal(g *grammar.Grammar, name string) error {
	message := fmt.Sprintf("the formula speaks of %q, which is no terminal of the grammar", name)
	if near := source.Nearest(name, g.Names[:g.NumTerminals]); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return source.NewError("ltl.proposition", message)
}
