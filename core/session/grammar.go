package session

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// callBudget bounds a single call outside a run: the module, and with it the editor, is
// blocked until the call ends.
var callBudget = meter.Budget{}

func grammarMethods() []Method {
	return []Method{
		pure("grammar.accepts", grammarAccepts),
		pure("grammar.check", grammarCheck),
		pure("grammar.next", grammarNext),
		pure("grammar.shortest", grammarShortest),
	}
}

// openGrammar compiles a grammar for a method that requires one without errors.
func openGrammar(text, start string) (*grammar.Grammar, error) {
	file := source.NewFile("grammar.cfg", text)
	g, found := language.CompileGrammar(file, start)
	if source.HasErrors(found) || g == nil {
		return nil, notation.Invalid(file, found)
	}
	return g, nil
}

// GrammarCheckParams are a grammar in .cfg notation and, optionally, its start
// symbol.
type GrammarCheckParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
}

// GrammarCheckResult contains the results of the analyses. All lists are sorted.
// Productive, Reachable and Nullable list nonterminals.
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

func grammarCheck(p GrammarCheckParams) (GrammarCheckResult, error) {
	file := source.NewFile("grammar.cfg", p.Source)
	g, found := language.CompileGrammar(file, p.Start)
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
		slices.Sort(list)
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

// GrammarAcceptsResult reports whether the grammar derives the word, and the number of
// its derivation trees: -1 for infinitely many; values from 2^53 on mean that number or
// more.
type GrammarAcceptsResult struct {
	Accepted bool  `json:"accepted"`
	Trees    int64 `json:"trees"`
}

func grammarAccepts(p GrammarAcceptsParams) (GrammarAcceptsResult, error) {
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

// symbols converts names to terminals. The second result is the index of the first name
// that is not a terminal, or -1.
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

// GrammarNextParams are a grammar, a prefix, and use limits. Without limits the grammar's
// own "limit" lines are not applied, because the request then concerns the language
// alone.
type GrammarNextParams struct {
	Source string          `json:"source"`
	Start  string          `json:"start,omitempty"`
	Prefix []string        `json:"prefix"`
	Limits *grammar.Limits `json:"limits,omitempty"`
}

// GrammarNextResult reports whether a complete word extends the prefix, whether the
// prefix is one, and the terminals (sorted) that can follow, all within the limits.
type GrammarNextResult struct {
	Viable   bool     `json:"viable"`
	Complete bool     `json:"complete"`
	Next     []string `json:"next"`
}

func grammarNext(p GrammarNextParams) (GrammarNextResult, error) {
	g, err := openGrammar(p.Source, p.Start)
	if err != nil {
		return GrammarNextResult{}, err
	}
	w, err := language.WalkGrammar(g, p.Prefix, p.Limits, meter.New(callBudget))
	if err != nil {
		return GrammarNextResult{}, err
	}
	out := GrammarNextResult{Viable: w.Viable, Complete: w.Complete, Next: []string{}}
	for _, t := range w.Next {
		out.Next = append(out.Next, g.Names[t])
	}
	slices.Sort(out.Next)
	return out, nil
}

// GrammarShortestParams are the text of a grammar and its start symbol, by default the first.
type GrammarShortestParams struct {
	Source string `json:"source"`
	Start  string `json:"start,omitempty"`
}

// GrammarShortestResult has a shortest word, null if there is none.
type GrammarShortestResult struct {
	Word *[]string `json:"word"`
}

func grammarShortest(p GrammarShortestParams) (GrammarShortestResult, error) {
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

func wordNames(g *grammar.Grammar, word []grammar.Symbol) *[]string {
	names := language.WordNames(g, word)
	return &names
}

func unknownTerminal(g *grammar.Grammar, name string) error {
	message := fmt.Sprintf("unknown terminal %q in the formula", name)
	if near := source.Nearest(name, g.Names[:g.NumTerminals]); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return source.NewError("ltl.proposition", message)
}
