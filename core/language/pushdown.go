package language

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

func pushdownRow() notation.Notation {
	document := pushdownDocument(fullProver)
	document.Refine, document.Draw, document.Format = explainPushdown, drawPushdown, formatPushdown
	document.Spec = specOfPushdown
	return notation.Notation{
		Kind:     workspace.KindPushdown,
		Facts:    notation.Facts{Name: "automaton", Title: "an automaton", Offer: "an automaton", Embed: "automaton.pda", Runs: plannedRuns, Exports: export.FormatsOfWords, Template: pushdownTemplate, About: "States and a stack, written by hand.", Starter: pushdownStarter},
		Document: document,
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(pushdown.Parse(file)) },
			Occurrences: pushdown.Occurrences,
			Lex:         lexLines,
			Words:       pushdownWords,
			Explain:     pushdownSentences,
			Define:      defineLetters(pushdown.KindLetter),
			Key:         shareLetters(pushdown.KindLetter),
			Fixed: func(s *notation.Symbol) string {
				if s.Kind == pushdown.KindFamily {
					return `"` + s.Name + `" is a family of names; rename its variable or its parts one by one`
				}
				return ""
			},
			Complete: completePushdown,
			Describe: describePushdown,
			Fold:     func(x *notation.Folder) { foldBraces(x, func(string) bool { return false }) },
			Spell:    spellLines,
		},
	}
}

func pushdownDocument(prover grammarProver) notation.Document {
	return notation.Document{
		Analyze: analyzePushdown,
		Walk: func(s *notation.Scope, word []string) (out notation.Walk, err error) {
			p, found := CompilePushdown(s.File)
			if p == nil || source.HasErrors(found) {
				return out, notation.Invalid(s.File, found)
			}
			return out, stepWords(p, word, &out)
		},
		Subject:   func(file *source.File) (notation.Subject, bool) { return pushdownSubject(file, prover) },
		Generates: true,
	}
}

// CompilePushdown parses and compiles an automaton, and returns the diagnostics of both steps.
func CompilePushdown(file *source.File) (*pushdown.PDA, []source.Diagnostic) {
	syntax, found := pushdown.Parse(file)
	p, more := pushdown.Compile(syntax)
	return p, append(found, more...)
}

func analyzePushdown(s *notation.Scope) (a notation.Analysis) {
	p, found := CompilePushdown(s.File)
	a.Add(found...)
	a.Tokens = lineTokens(s.File, "start accept empty limit each except backwards for in if as")
	if p == nil {
		a.Summary = "no automaton yet"
		return a
	}
	letters := p.Letters()
	a.Summary = notation.Count(len(p.States), "state") + ", " + notation.Count(len(p.Transitions), "transition") + ", " + notation.Count(len(letters), "letter")
	labels := p.LetterLabels()
	for _, letter := range letters[:min(len(letters), notation.MaxShown)] {
		a.Symbols = append(a.Symbols, notation.Letter{Name: letter, Label: cmp.Or(labels[letter], letter)})
	}
	if a.Sound() {
		d, _, _ := view.Pushdown(p, "Pushdown automaton", view.Picture)
		a.Draw(d)
	}
	return a
}

func formatPushdown(file *source.File) (string, []source.Diagnostic) {
	syntax, found := pushdown.Parse(file)
	return formatted(file, found, syntax.Format)
}

func drawPushdown(s *notation.Scope, w *notation.Graph) {
	p, found := CompilePushdown(s.File)
	if p == nil || source.HasErrors(found) {
		return
	}
	d, nodeOf, _ := view.Pushdown(p, "Pushdown automaton", view.Complete)
	w.Drawing = &d
	for i := range p.States {
		w.Place(nodeOf[i], p.StateSpan(i))
	}
	w.PlaceNames(pushdown.Occurrences(s.File), pushdown.KindState)
	at := map[string]int{}
	for i, name := range p.States {
		family, _, _ := strings.Cut(name, "/")
		g, ok := at[family]
		if !ok {
			g = len(w.Groups)
			at[family] = g
			w.Groups = append(w.Groups, notation.Group{Name: family, Folded: len(p.States) > view.MaxPlain})
		}
		w.Groups[g].Nodes = append(w.Groups[g].Nodes, nodeOf[i])
	}
	groups := w.Groups[:0]
	for _, g := range w.Groups {
		if len(g.Nodes) > 1 {
			groups = append(groups, g)
		}
	}
	w.Groups = groups
}

// pushdownSubject judges formulas of the words of an automaton. If the automaton is too
// large to be translated to a grammar, the subject has its letters, but returns an error
// instead of verdicts.
func pushdownSubject(file *source.File, prover grammarProver) (notation.Subject, bool) {
	p, found := CompilePushdown(file)
	if p == nil || source.HasErrors(found) {
		return notation.Subject{}, false
	}
	out := notation.Subject{Name: file.Name, Traces: notation.Words}
	if g, err := p.Grammar(meter.New(AnalysisBudget)); err == nil {
		out = grammarSubject(file.Name, g, p.Limits, prover)
	} else {
		out.Verify = func(*ltl.Formula, *meter.Meter) (bool, []string, error) { return false, nil, err }
	}
	out.Letters = p.Letters()
	return out, true
}

// stepWords walks the words of an automaton.
func stepWords(p *pushdown.PDA, word []string, out *notation.Walk) error {
	m := meter.New(callBudget)
	words, err := p.Words(m)
	if err != nil {
		return err
	}
	walked, err := stepLanguage(words.Grammar, word, out, m)
	if err != nil || !out.Viable {
		return err
	}
	names := WordNames(words.Grammar, walked)
	list, truncated, err := words.Situations(names, notation.MaxConfigurations, m)
	if err != nil {
		return err
	}
	out.Truncated = truncated
	_, nodeOf, lineOf := view.Pushdown(p, "", view.Picture)
	for _, s := range list {
		out.Configurations = append(out.Configurations, notation.Configuration{State: p.States[s.State], Stack: s.Stack})
		out.Highlight(nodeOf[s.State])
	}
	if len(names) == 0 {
		return nil
	}
	for i, t := range p.Transitions {
		if t.Read == names[len(names)-1] && slices.ContainsFunc(list, func(s pushdown.Situation) bool { return s.State == t.To }) {
			out.Highlight(lineOf[i])
		}
	}
	return nil
}
