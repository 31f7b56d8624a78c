package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// grammarRow returns the row of context-free grammars.
func grammarRow() notation.Notation {
	document := grammarDocument(CompileGrammar, fullProver)
	document.Refine, document.Draw, document.Format = searchGrammar, drawGrammar, formatGrammar
	document.Spec = specOfGrammar
	return notation.Notation{
		Kind:     workspace.KindGrammar,
		Facts:    notation.Facts{Name: "grammar", Title: "a grammar", Offer: "a grammar", Embed: "grammar.cfg", Runs: plannedRuns, Exports: export.FormatsOfWords, Shapes: true, Template: grammarTemplate, About: "Valid plans, as rules that expand symbols to steps.", Starter: grammarStarter},
		Document: document,
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(grammar.Parse(file)) },
			Occurrences: grammar.Occurrences,
			Lex:         lexTokens(grammar.Tokens),
			Words:       grammarWords,
			Define:      defineLetters(grammar.KindTerminal),
			Key:         shareLetters(grammar.KindTerminal),
			Complete:    completeGrammar,
			Explain:     grammarSentences,
			Describe:    describeGrammar,
			Fold: func(x *notation.Folder) {
				x.Lines(func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") })
			},
			Spell: func(_ workspace.File, _ source.Pos, name string) string { return grammar.Quote(name) },
		},
	}
}

// grammarCompiler is [CompileGrammar] or [compileGrammarPlain].
type grammarCompiler func(file *source.File, start string) (*grammar.Grammar, []source.Diagnostic)

// CompileGrammar parses and compiles a grammar, and returns the diagnostics of both steps. An
// empty start symbol selects the declared one.
func CompileGrammar(file *source.File, start string) (*grammar.Grammar, []source.Diagnostic) {
	syntax, found := grammar.Parse(file)
	g, more := grammar.Compile(syntax, start)
	return g, append(found, more...)
}

// compileGrammarPlain is [CompileGrammar] for the core module.
func compileGrammarPlain(file *source.File, start string) (*grammar.Grammar, []source.Diagnostic) {
	syntax, found := grammar.Parse(file)
	g, more := grammar.CompilePlain(syntax, start)
	return g, append(found, more...)
}

// grammarProver decides formulas of the words of a grammar: [verify.Grammar] or
// [verify.GrammarPlain], and [verify.Satisfiable], which the core module omits.
type grammarProver struct {
	verify      func(g *grammar.Grammar, f *ltl.Formula, m *meter.Meter) (bool, []grammar.Symbol, error)
	satisfiable func(g *grammar.Grammar, caps []int64, f *ltl.Formula, m *meter.Meter) (bool, error)
	shortest    func(g *grammar.Grammar, d *automaton.DFA, m *meter.Meter) ([]grammar.Symbol, bool, error)
}

var (
	fullProver  = grammarProver{verify.Grammar, verify.Satisfiable, verify.Shortest}
	plainProver = grammarProver{verify: verify.GrammarPlain}
)

func grammarDocument(compile grammarCompiler, prover grammarProver) notation.Document {
	return notation.Document{
		Analyze: func(s *notation.Scope) notation.Analysis { return analyzeGrammar(s.File, compile) },
		Walk: func(s *notation.Scope, word []string) (out notation.Walk, err error) {
			g, found := compile(s.File, "")
			if g == nil || source.HasErrors(found) {
				return out, notation.Invalid(s.File, found)
			}
			return out, stepGrammar(g, word, &out)
		},
		Subject: func(file *source.File) (notation.Subject, bool) {
			g, found := compileGrammarPlain(file, "")
			if g == nil || source.HasErrors(found) {
				return notation.Subject{}, false
			}
			return grammarSubject(file.Name, g, g.DeclaredLimits(), prover), true
		},
	}
}

func analyzeGrammar(file *source.File, compile grammarCompiler) (a notation.Analysis) {
	g, found := compile(file, "")
	a.Add(found...)
	a.Tokens = grammar.Tokens(file)
	if g == nil {
		a.Summary = "no grammar yet"
		return a
	}
	nonterminals := len(g.Names) - g.NumTerminals
	a.Summary = notation.Count(nonterminals, "nonterminal") + ", " + notation.Count(g.NumTerminals, "terminal") + ", " + notation.Count(len(g.Productions), "production")
	for i := range min(g.NumTerminals, notation.MaxShown) {
		a.Symbols = append(a.Symbols, notation.Letter{Name: g.Names[i], Label: g.Label(grammar.Symbol(i))})
	}
	for i := range min(nonterminals, notation.MaxShown) {
		symbol := grammar.Symbol(g.NumTerminals + i)
		a.Outline = append(a.Outline, notation.OutlineItem{Name: g.Names[symbol], Detail: notation.Count(len(g.ByLeft(symbol)), "production"), Span: g.Span(symbol)})
	}
	if a.Sound() {
		d, _, _ := view.Pushdown(pushdown.FromGrammar(g), "Pushdown automaton of the grammar", view.Picture)
		a.Draw(d)
	}
	return a
}

// Budgets of the searches at each edit: for a word within the limits, and for an ambiguous word.
var (
	limitBudget     = meter.Budget{Steps: 300_000, States: 30_000}
	ambiguityBudget = meter.Budget{Steps: 200_000, States: 20_000}
)

// searchGrammar warns of limits that no word satisfies, and reports a short ambiguous
// word.
func searchGrammar(s *notation.Scope, a *notation.Analysis) {
	g, _ := CompileGrammar(s.File, "")
	explainGrammar(s, a, g)
	if g == nil || !a.Sound() {
		return
	}
	if found := g.CheckLimits(meter.New(limitBudget)); len(found) > 0 {
		a.Add(found...)
		return
	}
	if count(a.Diagnostics, func(d source.Diagnostic) bool {
		return d.Severity != source.SeverityInfo || d.Code == "cfg.empty-silent"
	}) > 0 {
		return // the ambiguity may follow from it
	}
	ambiguity, err := counting.SearchAmbiguity(g, 8, meter.New(ambiguityBudget))
	if err != nil || ambiguity.Witness == nil || ambiguity.Trees == earley.InfinitelyMany { // cfg.cyclic reports the last
		return
	}
	a.Add(source.Diagnostic{
		Code: "cfg.ambiguous", Severity: source.SeverityInfo, Span: g.Span(g.Start),
		Message: "ambiguous: several derivation trees of " + strings.Join(WordNames(g, ambiguity.Witness), " "),
	})
}

func formatGrammar(file *source.File) (string, []source.Diagnostic) {
	syntax, found := grammar.Parse(file)
	return formatted(file, found, syntax.Format)
}

// The views of a grammar.
const (
	viewAutomaton = "automaton"
	viewSymbols   = "symbols"
)

func drawGrammar(s *notation.Scope, w *notation.Graph) {
	g, found := CompileGrammar(s.File, "")
	if g == nil || source.HasErrors(found) {
		return
	}
	if w.View(viewAutomaton, "Automaton", source.Span{}) {
		p := pushdown.FromGrammar(g)
		d, nodeOf, _ := view.Pushdown(p, "Pushdown automaton of the grammar", view.Complete)
		w.Drawing = &d
		// The first state pushes the start symbol, the second has all productions.
		w.Place(nodeOf[p.Start], g.Span(g.Start))
		all := source.Span{}
		for _, production := range g.Productions {
			if all.Len() == 0 {
				all = production.Span
			} else if production.Span.Len() > 0 {
				all = all.Join(production.Span)
			}
		}
		for _, id := range nodeOf[1:] {
			w.Place(id, all)
		}
	}
	if w.View(viewSymbols, "Symbols", source.Span{}) {
		d := view.Symbols(g, view.Complete)
		w.Drawing = &d
		w.PlaceNames(grammar.Occurrences(s.File), grammar.KindNonterminal)
	}
}

// grammarSubject judges formulas of the words of a grammar. Proofs are about all its words, and
// satisfiability is about those within the limits of the spec.
func grammarSubject(name string, g *grammar.Grammar, limits grammar.Limits, prover grammarProver) notation.Subject {
	s := notation.Subject{Name: name, Letters: g.Names[:g.NumTerminals], Traces: notation.Words, Verify: func(f *ltl.Formula, m *meter.Meter) (bool, []string, error) {
		holds, word, err := prover.verify(g, f, m)
		return holds, WordNames(g, word), err
	}}
	if prover.shortest != nil {
		s.Missing = func(d *automaton.DFA, m *meter.Meter) ([]string, bool, error) {
			word, found, err := prover.shortest(g, d.Complement(), m)
			return WordNames(g, word), found, err
		}
	}
	if prover.satisfiable != nil && !limits.Empty() {
		s.Satisfiable = func(f *ltl.Formula, m *meter.Meter) (bool, error) {
			caps, err := g.Caps(limits)
			if err != nil {
				return false, err
			}
			return prover.satisfiable(g, caps, f, m)
		}
	}
	return s
}

// WordNames returns the names of the symbols of a word.
func WordNames(g *grammar.Grammar, word []grammar.Symbol) []string {
	names := make([]string, len(word))
	for i, symbol := range word {
		names[i] = g.Names[symbol]
	}
	return names
}

func stepGrammar(g *grammar.Grammar, word []string, out *notation.Walk) error {
	m := meter.New(callBudget)
	walked, err := stepLanguage(g, word, out, m)
	if err != nil || !out.Viable {
		return err
	}
	if err := stepPushdown(g, walked, out, m); err != nil {
		return err
	}
	if out.Complete {
		tree, err := earley.New(g).Derivation(walked, m)
		if err != nil {
			return err
		}
		out.Tree = Tree(g, tree)
	}
	return nil
}

// stepLanguage reads a word within the limits that the grammar declares, and lists the
// next symbols. It returns the longest prefix of the word that a word of the language
// continues.
func stepLanguage(g *grammar.Grammar, word []string, out *notation.Walk, m *meter.Meter) ([]grammar.Symbol, error) {
	limits := g.DeclaredLimits()
	var apply *grammar.Limits
	if !limits.Empty() {
		apply = &limits
	}
	w, err := WalkGrammar(g, word, apply, m)
	if err != nil {
		return nil, err
	}
	out.Viable, out.Complete = w.Viable, w.Complete
	if w.Violation >= 0 {
		out.Violation = &w.Violation
	}
	for _, t := range w.Next {
		out.Next = append(out.Next, notation.Letter{Name: g.Names[t], Label: g.Label(t)})
	}
	if apply != nil {
		caps, err := g.Caps(limits)
		if err != nil {
			return nil, err
		}
		for t, limit := range caps {
			if used := limit - w.remaining[t]; limit >= 0 && (used > 0 || len(caps) <= notation.MaxShown) {
				out.Uses = append(out.Uses, notation.Use{Name: g.Names[t], Label: g.Label(grammar.Symbol(t)), Used: used, Limit: limit})
			}
		}
	}
	return w.word, nil
}

// stepPushdown adds the live configurations, and highlights their states and the
// transitions that read the last letter.
func stepPushdown(g *grammar.Grammar, word []grammar.Symbol, out *notation.Walk, m *meter.Meter) error {
	configs, truncated, err := pushdown.Configs(g, word, notation.MaxConfigurations, m)
	if err != nil {
		return err
	}
	p := pushdown.FromGrammar(g)
	out.Truncated = truncated
	for _, c := range configs {
		stack := make([]string, len(c.Stack))
		for i, symbol := range c.Stack {
			stack[i] = g.Names[symbol]
		}
		out.Configurations = append(out.Configurations, notation.Configuration{State: p.States[c.State], Stack: append(stack, p.StackStart)})
	}
	_, nodeOf, lineOf := view.Pushdown(p, "", view.Picture)
	for _, c := range configs {
		out.Highlight(nodeOf[c.State])
	}
	if len(word) == 0 {
		return nil
	}
	last := g.Names[word[len(word)-1]]
	for i, t := range p.Transitions {
		if t.Read == last {
			out.Highlight(lineOf[i])
		}
	}
	return nil
}

// Tree returns a derivation tree with the labels of its grammar.
func Tree(g *grammar.Grammar, t *earley.Tree) *view.Tree {
	out := &view.Tree{Symbol: g.Names[t.Symbol], Label: g.Label(t.Symbol), Terminal: g.IsTerminal(t.Symbol)}
	if t.Production >= 0 && g.Productions[t.Production].Label != "" {
		out.Label = g.Productions[t.Production].Label
	}
	for _, child := range t.Children {
		out.Children = append(out.Children, Tree(g, child))
	}
	return out
}

// GrammarWalk is the state after reading a prefix of words of a grammar.
type GrammarWalk struct {
	Violation int // the index of the first symbol that no word continues with, or -1
	Viable    bool
	Complete  bool
	Next      []grammar.Symbol

	word      []grammar.Symbol // up to the violation
	remaining []int64          // uses left, by terminal; -1 unlimited; nil without limits
}

// WalkGrammar reads a prefix symbol by symbol, within the limits unless they are nil, and stops at
// the first symbol that no word continues with.
func WalkGrammar(g *grammar.Grammar, prefix []string, limits *grammar.Limits, m *meter.Meter) (GrammarWalk, error) {
	var needs *grammar.Needs
	w := GrammarWalk{Violation: -1}
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
			w.Viable, w.Complete, w.Next = run.Viable(), run.Complete(), run.Next()
			return nil
		}
		var err error
		w.Viable, w.Complete, w.Next, err = run.NextWithin(needs, w.remaining)
		return err
	}
	if err := look(); err != nil {
		return w, err
	}
	for i, name := range prefix {
		symbol, ok := g.Lookup(name)
		if !ok || !slices.Contains(w.Next, symbol) {
			w.Violation, w.Viable, w.Complete, w.Next = i, false, false, nil
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
