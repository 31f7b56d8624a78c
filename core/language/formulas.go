package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

func formulaRow() notation.Notation {
	document := formulaDocument(formulaReader{ltl.Parse, ltl.Meant, ltl.Translate})
	document.Refine, document.Draw, document.Format = searchFormulas, drawFormulas, formatFormulas
	document.Properties, document.Spec = ltl.Parse, specOfFormulas
	return notation.Notation{
		Kind:     workspace.KindFormulas,
		Facts:    notation.Facts{Name: "formulas", Title: "properties", Offer: "properties", Embed: "properties.ltl", Exports: export.FormatsOfFormulas, Template: formulaTemplate, About: "Temporal formulas, proved for every word of another file.", Starter: formulaStarter},
		Document: document,
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(ltl.Parse(file)) },
			Occurrences: ltl.Occurrences,
			Lex:         lexTokens(ltl.Tokens),
			Words:       formulaWords,
			Resolve:     resolvePropositions(true),
			Key: func(_ string, o source.Occurrence) string {
				switch {
				case o.Kind == ltl.KindProposition:
					return notation.LetterKey(o)
				case ofDomain(o):
					return notation.Key("domain", o)
				}
				return choiceKey(o)
			},
			Complete: completeFormulas,
			Explain:  formulaSentences,
			Describe: func(_ *notation.Scope, c *notation.Card, s *notation.Symbol) {
				if s.Kind == ltl.KindProposition {
					c.Add("No spec of the workspace defines this symbol.")
				}
			},
			Refers: true,
			Fold:   func(x *notation.Folder) { x.Lines(func(string) bool { return true }) },
			Spell: func(f workspace.File, at source.Pos, name string) string {
				if strings.Count(f.Text[:at], `"`)%2 == 1 {
					return name // a word of a proposition in quotes
				}
				return ltl.Quote(name)
			},
		},
	}
}

// formulaReader has the functions that read formulas: those of the core module omit the
// searches for intended operators and names, and most constructions of automata.
type formulaReader struct {
	parse func(file *source.File) ([]ltl.Named, []source.Diagnostic)
	meant func(name string, known func(string) bool) string

	translate ltl.Translator
}

// plainReader is the reader of the core module.
func plainReader() formulaReader {
	return formulaReader{ltl.ParsePlain, func(string, func(string) bool) string { return "" }, ltl.TranslatePlain}
}

func formulaDocument(r formulaReader) notation.Document {
	return notation.Document{
		Analyze: func(s *notation.Scope) notation.Analysis { return analyzeFormulas(s, r) },
		Walk: func(s *notation.Scope, word []string) (notation.Walk, error) {
			return walkFormula(s, word, r)
		},
		Temporal: true,
	}
}

// analyzeFormulas draws the first formula of a file. It judges each formula of the first
// spec of the workspace that defines all its propositions.
func analyzeFormulas(s *notation.Scope, r formulaReader) (a notation.Analysis) {
	list, found := r.parse(s.File)
	a.Add(found...)
	a.Tokens = ltl.Tokens(s.File)
	a.Summary = notation.Count(len(list), "formula")
	for _, n := range list[:min(len(list), notation.MaxShown)] {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: n.Name, Detail: n.Formula.String(), Span: n.Span})
	}
	if len(list) == 0 {
		return a
	}
	known := newVocabulary(s.Table, s.Files, r.meant)
	spent := int64(0)
	named := map[string]source.Span{}
	for i, n := range list {
		if before, again := named[n.Name]; again && n.Name != "" {
			a.Add(source.Diagnostic{
				Code: "ltl.duplicate", Severity: source.SeverityWarning, Span: n.NameSpan, Message: "duplicate formula name " + strconv.Quote(n.Name),
				Notes: []source.Note{{Span: before, Message: "first used here"}},
				Fixes: []source.Fix{{Title: "Rename it", Edits: []source.Edit{{Span: n.NameSpan, Text: ltl.Quote(n.Name + "_2")}}}},
			})
		} else {
			named[n.Name] = n.NameSpan
		}
		if !known.free {
			a.Add(known.Faults(s.File, n)...)
		}
		if spent > meter.DefaultSteps {
			// The editor waits for this analysis, so it has a budget. Report the place where it
			// ends.
			a.Add(source.Diagnostic{
				Code: "limit.steps", Severity: source.SeverityInfo, Span: n.Span, Message: "formulas from here on are not judged: the time limit of the analysis was reached",
			})
			break
		}
		m := meter.New(AnalysisBudget)
		for _, s := range known.Subjects {
			if s.Has(n.Formula) {
				a.Add(s.Judge(n, m))
				break
			}
		}
		spent += m.Spent(meter.Steps) + 20*m.Spent(meter.States) + 1_000
		if i > 0 {
			m = meter.New(constantBudget)
		}
		if err := drawFormula(&a, n, i == 0, m, r.translate); err != nil && i == 0 {
			a.Add(source.Diagnostic{Code: source.ErrorCode(err), Severity: source.SeverityInfo, Span: n.Span, Message: "the automaton is not drawn: " + err.Error()})
		}
	}
	return a
}

// searchFormulas warns of each formula that no trace of its spec satisfies. A formula that no
// trace at all satisfies was reported before.
func searchFormulas(s *notation.Scope, a *notation.Analysis) {
	list, found := ltl.Parse(s.File)
	v := newVocabulary(s.Table, s.Files, ltl.Meant)
	if source.HasErrors(found) {
		explainFormulas(s, a, v, found)
		return
	}
	if v.free {
		a.Add(suspectPropositions(s.File, list)...)
	}
	for i := range a.Diagnostics {
		explainUnknown(s, v, &a.Diagnostics[i])
	}
	for _, n := range list {
		if odd := oddOperands(s.File, n, v); len(odd) > 0 {
			a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool {
				return d.Span == n.Span && (d.Severity == source.SeverityInfo || d.Code == "ltl.violated" || d.Code == "ltl.constant")
			})
			a.Add(odd...)
		}
	}
	if v.free {
		duplicates(list, a)
		contradictions(list, a)
	}
	m, subjects := meter.New(AnalysisBudget), s.Table.Subjects(s.Files)
	for _, n := range list {
		reported := slices.IndexFunc(a.Diagnostics, func(d source.Diagnostic) bool {
			return d.Span == n.Span && (d.Code == "ltl.constant" || d.Code == "ltl.holds") || d.Span.Start >= n.Span.Start && d.Span.End <= n.Span.End && (d.Code == "ltl.repeated" || d.Code == "ltl.together")
		})
		if reported >= 0 {
			if a.Diagnostics[reported].Code == "ltl.constant" {
				explainNext(s.File, &a.Diagnostics[reported])
				a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool { return d.Span == n.Span && d.Code == "ltl.violated" })
			}
			continue
		}
		for _, subject := range subjects {
			if subject.Has(n.Formula) {
				a.Add(subject.CheckSatisfiable(n, m)...)
				break
			}
		}
	}
}

// explainNext explains a constant formula that is not constant with the other operator for the next step: X fails
// at the last step of a trace, and WX holds there.
func explainNext(file *source.File, d *source.Diagnostic) {
	operators, own, message := []string{"X", "X[!]", "○"}, "WX", `unsatisfiable: X fails at the last step of a trace; write "WX"`
	if strings.HasPrefix(d.Message, "trivial") {
		operators, own, message = []string{"WX", "N"}, "X", `trivial: WX holds at the last step of a trace; write "X"`
	}
	var edits []source.Edit
	for _, t := range ltl.Tokens(file) {
		if t.Span.Start >= d.Span.Start && t.Span.End <= d.Span.End && slices.Contains(operators, file.Slice(t.Span)) {
			edits = append(edits, source.Edit{Span: t.Span, Text: own})
		}
	}
	list, _ := ltl.Parse(source.NewFile(file.Name, source.Apply(file.Text, edits)))
	for _, n := range list {
		if n.Span.Start != d.Span.Start || len(edits) == 0 {
			continue
		}
		var next notation.Analysis
		if drawFormula(&next, n, false, meter.New(constantBudget), ltl.Translate) == nil && len(next.Diagnostics) == 0 {
			d.Message, d.Fixes = message, []source.Fix{{Title: "Write " + own, Edits: edits}}
		}
	}
}

// suspectPropositions warns of propositions that are probably constants, operators, misspelt, or whole
// formulas in quotes. With a spec in the workspace they are unknown names.
func suspectPropositions(file *source.File, list []ltl.Named) (found []source.Diagnostic) {
	count := map[string]int{}
	places := ltl.Occurrences(file)
	for _, o := range places {
		if o.Kind == ltl.KindProposition {
			count[o.Name]++
		}
	}
	for i, o := range places {
		written := file.Slice(o.Span)
		meant := ltl.Meant(o.Name, func(name string) bool { return name+"." == o.Name || name != o.Name && count[name] > 0 })
		message := ""
		switch {
		case o.Kind != ltl.KindProposition:
			continue
		case written != o.Name:
			meant = ""
			whole := slices.ContainsFunc(list, func(n ltl.Named) bool { return n.Formula.Op == ltl.Prop && n.Span.End == o.Span.End })
			if inner, faults := ltl.Parse(source.NewFile("", o.Name)); whole && len(faults) == 0 && len(inner) == 1 && inner[0].Formula.Op != ltl.Prop {
				meant, message = o.Name, "a formula in quotes is one proposition; remove the quotes"
			}
		case meant == "" && count[o.Name] == 1:
			for k, p := range places {
				if p.Kind == o.Kind && (k < i || count[p.Name] > 1) && habit.Slip(o.Name, p.Name) {
					meant = ltl.Quote(p.Name)
				}
			}
		}
		if meant == "" {
			continue
		}
		if message == "" {
			message = strconv.Quote(o.Name) + " is a proposition; did you mean " + strconv.Quote(meant) + "?"
		}
		found = append(found, source.Diagnostic{
			Code: "ltl.suspect", Severity: source.SeverityWarning, Span: o.Span, Message: message,
			Fixes: []source.Fix{{Title: "Write " + meant, Edits: []source.Edit{{Span: o.Span, Text: meant}}}},
		})
	}
	return found
}

// drawFormula translates a formula, reports one that is constant, and draws the first.
func drawFormula(a *notation.Analysis, n ltl.Named, first bool, m *meter.Meter, translate ltl.Translator) error {
	alphabet, err := ltl.NewAlphabet(n.Formula.Props(), ltl.Powerset)
	if err != nil {
		return err
	}
	d, err := translate(n.Formula, alphabet, m)
	if err != nil {
		return err
	}
	if holds, constant := d.Constant(); constant {
		a.Add(constantFormula(n, holds))
	}
	if first {
		a.Draw(view.Formula(d, n.Formula.String(), view.Picture, nil))
	}
	return nil
}

// constantBudget bounds the search for formulas that are always true or always false.
var constantBudget = meter.Budget{Steps: 100_000, States: 2_000}

func constantFormula(n ltl.Named, holds bool) source.Diagnostic {
	message := "unsatisfiable: no trace satisfies this formula"
	if holds {
		message = "trivial: every trace satisfies this formula"
	}
	return source.Diagnostic{Code: "ltl.constant", Severity: source.SeverityWarning, Span: n.Span, Message: message}
}

func formatFormulas(file *source.File) (string, []source.Diagnostic) {
	_, found := ltl.Parse(file)
	return formatted(file, found, func() string { return ltl.Format(file) })
}

// drawFormulas returns a view for each formula of a file.
func drawFormulas(s *notation.Scope, w *notation.Graph) {
	list, found := ltl.Parse(s.File)
	if source.HasErrors(found) {
		return
	}
	for i, n := range list {
		title := n.Name
		if title == "" {
			title = "formula " + strconv.Itoa(i+1)
		}
		if !w.View(strconv.Itoa(i), title, n.Span) {
			continue
		}
		m := meter.New(AnalysisBudget)
		alphabet, err := ltl.NewAlphabet(n.Formula.Props(), ltl.Powerset)
		if err != nil {
			continue
		}
		automaton, err := ltl.Translate(n.Formula, alphabet, m)
		if err != nil {
			continue
		}
		type guard struct {
			line  string
			props []string
		}
		var guards []guard
		d := view.Formula(automaton, n.Formula.String(), view.Complete, func(line string, props []string) {
			guards = append(guards, guard{line, props})
		})
		w.Drawing = &d
		for _, node := range d.Nodes {
			w.Place(node.ID, n.Span)
		}
		places := map[string][]source.Span{}
		for _, o := range ltl.Occurrences(s.File) {
			if o.Kind == ltl.KindProposition && o.Span.Start >= n.Span.Start && o.Span.End <= n.Span.End {
				places[o.Name] = append(places[o.Name], o.Span)
			}
		}
		for _, g := range guards {
			for _, prop := range g.props {
				for _, span := range places[prop] {
					w.Place(g.line, span)
				}
			}
		}
	}
}
