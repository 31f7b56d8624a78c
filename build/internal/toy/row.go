package toy

import (
	"strconv"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/view"
)

// Row returns the toy notation's row of the table of notations.
func Row() notation.Notation {
	return notation.Notation{
		Kind: Kind,
		Facts: notation.Facts{
			Name: "toy", Title: "a toy", Offer: "a list of words", Embed: "words.toy", Template: "wash dry\n",
			Runs: []string{"plan", "baseline", "compare"}, Exports: export.FormatsOfWords,
		},
		Document: notation.Document{
			Analyze: analyze, Draw: drawWords, Walk: walk, Subject: subject, Spec: spec, Format: Format,
			Inspect: func(s *notation.Scope, out *notation.Inspection) { out.About = "words of " + s.File.Name },
		},
		Editor: notation.Editor{
			Check: func(file *source.File) []source.Diagnostic {
				_, found := Parse(file)
				return found
			},
			Occurrences: Occurrences,
			Lex: func(file *source.File) (out []notation.Word) {
				for _, t := range Tokens(file) {
					out = append(out, notation.Word{Span: t.Span, Comment: t.Class == source.ClassComment})
				}
				return out
			},
			Words: func() []notation.Entry {
				return []notation.Entry{{Words: []string{"#"}, Form: "# dishes", Text: "A comment.", Example: "# dishes\nwash dry\n"}}
			},
			Define: func(o source.Occurrence) (group, name string) { return notation.GroupLetter, o.Name },
			Key:    func(_ string, o source.Occurrence) string { return notation.LetterKey(o) },
			Complete: func(c *notation.Completer) {
				c.Symbols(func(name string) string { return name }, nil, "letter")
			},
			Describe: func(_ *notation.Scope, c *notation.Card, s *notation.Symbol) { c.Add("A letter of the words.") },
			Fold:     func(x *notation.Folder) { x.Lines(func(string) bool { return true }) },
		},
	}
}

func sound(file *source.File) (*grammar.Grammar, error) {
	g, found := Compile(file)
	if g == nil || source.HasErrors(found) {
		return nil, notation.Invalid(file, found)
	}
	return g, nil
}

func analyze(s *notation.Scope) (a notation.Analysis) {
	list, found := Parse(s.File)
	a.Add(found...)
	a.Tokens = Tokens(s.File)
	a.Summary = notation.Count(len(list.Words), "word")
	for _, word := range list.Words {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: text(word), Span: word[0].Span})
	}
	for _, o := range Occurrences(s.File) {
		if o.Defines {
			a.Symbols = append(a.Symbols, notation.Letter{Name: o.Name, Label: o.Name})
		}
	}
	if a.Sound() && len(list.Words) > 0 {
		a.Draw(drawing(list))
	}
	return a
}

// drawing returns a path for each word.
func drawing(list *List) view.Drawing {
	d := view.Drawing{Title: "Words"}
	for i, word := range list.Words {
		from := ""
		for j, l := range word {
			id := strconv.Itoa(i) + "." + strconv.Itoa(j)
			d.Nodes = append(d.Nodes, view.Node{ID: id, Label: l.Name, Kind: view.NodeState, Start: j == 0, Accepting: j == len(word)-1, Span: l.Span})
			if from != "" {
				d.Edges = append(d.Edges, view.Edge{ID: from + "-" + id, From: from, To: id})
			}
			from = id
		}
	}
	return d
}

func drawWords(s *notation.Scope, g *notation.Graph) {
	list, found := Parse(s.File)
	if source.HasErrors(found) {
		return
	}
	d := drawing(list)
	g.Drawing = &d
	g.PlaceNames(Occurrences(s.File), "letter")
}

func walk(s *notation.Scope, word []string) (out notation.Walk, err error) {
	g, err := sound(s.File)
	if err != nil {
		return out, err
	}
	w, err := language.WalkGrammar(g, word, nil, meter.New(meter.Budget{}))
	if err != nil {
		return out, err
	}
	out.Viable, out.Complete = w.Viable, w.Complete
	if w.Violation >= 0 {
		out.Violation = &w.Violation
	}
	for _, t := range w.Next {
		out.Next = append(out.Next, notation.Letter{Name: g.Names[t], Label: g.Label(t)})
	}
	return out, nil
}

func subject(file *source.File) (notation.Subject, bool) {
	g, err := sound(file)
	if err != nil {
		return notation.Subject{}, false
	}
	return notation.Subject{Name: file.Name, Letters: g.Names[:g.NumTerminals], Traces: notation.Words, Verify: func(f *ltl.Formula, m *meter.Meter) (bool, []string, error) {
		holds, word, err := verify.Grammar(g, f, m)
		return holds, language.WordNames(g, word), err
	}}, true
}

func spec(file *source.File) (notation.Spec, []source.Diagnostic) {
	g, found := Compile(file)
	if g == nil {
		return nil, found
	}
	return words{g}, found
}

// words implements [notation.Planner] and [notation.Exporter].
type words struct{ g *grammar.Grammar }

func (w words) Letters() []string                { return w.g.Names[:w.g.NumTerminals] }
func (w words) Limits() grammar.Limits           { return grammar.Limits{} }
func (w words) CheckLimits(grammar.Limits) error { return nil }

func (w words) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	out.Table, err = space.NewTable(w.g, l, m, properties...)
	return out, err
}

func (w words) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	return checker.New(w.g, l, m, properties...)
}

func (w words) Export(o export.Options) (*export.Source, error) {
	return export.SourceOfGrammar(w.g, o), nil
}
