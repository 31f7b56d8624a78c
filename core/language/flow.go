package language

import (
	"slices"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

func flowRow() notation.Notation {
	document := flowDocument(fullProver)
	document.Refine, document.Draw, document.Format = explainFlow, drawFlow, formatFlow
	document.Spec = specOfFlow
	return notation.Notation{
		Kind:     workspace.KindFlow,
		Facts:    notation.Facts{Name: "flowchart", Title: "a flowchart", Offer: "a flowchart", Embed: "chart.flow", Runs: plannedRuns, Exports: export.FormatsOfAutomata, Shapes: true, Template: flowTemplate, About: "One question per state; each answer leads to the next.", Starter: flowStarter},
		Document: document,
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(flow.Parse(file)) },
			Occurrences: flow.Occurrences,
			Lex:         lexLines,
			Words:       flowWords,
			Explain:     flowSentences,
			Define: func(o source.Occurrence) (group, name string) {
				switch {
				case o.Kind == flow.KindAnswer:
					return notation.GroupAnswer, o.Of + "." + o.Name
				case o.Kind == flow.KindQuestion && o.Defines:
					return notation.GroupQuestion, o.Name
				}
				return "", ""
			},
			Key:      func(_ string, o source.Occurrence) string { return choiceKey(o) },
			Complete: completeFlow,
			Describe: describeFlow,
			Fold: func(x *notation.Folder) {
				foldBraces(x, func(line string) bool { return line[0] == ' ' || line[0] == '\t' })
			},
			Spell: spellLines,
		},
	}
}

// choiceKey returns the key of a question or an answer, shared with formulas; "" for any other
// occurrence.
func choiceKey(o source.Occurrence) string {
	if o.Kind == flow.KindAnswer || o.Kind == flow.KindQuestion {
		return notation.Key("", o)
	}
	return ""
}

func flowDocument(prover grammarProver) notation.Document {
	return notation.Document{
		Analyze: analyzeFlow,
		Walk: func(s *notation.Scope, word []string) (out notation.Walk, err error) {
			f, found := CompileFlow(s.File)
			if f == nil || source.HasErrors(found) {
				return out, notation.Invalid(s.File, found)
			}
			return out, stepFlow(f, word, &out)
		},
		Subject: func(file *source.File) (notation.Subject, bool) {
			f, found := CompileFlow(file)
			if f == nil || source.HasErrors(found) {
				return notation.Subject{}, false
			}
			return grammarSubject(file.Name, f.Grammar(), grammar.Limits{}, prover), true
		},
	}
}

// CompileFlow parses and compiles a flowchart, and returns the diagnostics of both steps.
func CompileFlow(file *source.File) (*flow.Flow, []source.Diagnostic) {
	syntax, found := flow.Parse(file)
	f, more := flow.Compile(syntax)
	found = append(found, more...)
	if f != nil {
		found = append(found, f.CheckVariables(file)...)
	}
	return f, found
}

func analyzeFlow(s *notation.Scope) (a notation.Analysis) {
	f, found := CompileFlow(s.File)
	a.Add(found...)
	a.Tokens = lineTokens(s.File, "ask accept stop start let in any order some next as")
	if f == nil {
		a.Summary = "no flowchart yet"
		return a
	}
	questions := 0
	for _, s := range f.States {
		if s.Kind == flow.Ask {
			questions++
		}
	}
	a.Summary = notation.Count(len(f.States), "state") + ", " + notation.Count(questions, "question")
	for _, s := range f.States[:min(len(f.States), notation.MaxShown)] {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: s.Name, Detail: s.Question, Span: s.Span})
	}
	letters := f.Letters()
	for _, letter := range letters[:min(len(letters), notation.MaxShown)] {
		a.Symbols = append(a.Symbols, notation.Letter{Name: letter, Label: letter})
	}
	if a.Sound() {
		a.Draw(view.Flow(f, view.Picture))
	}
	return a
}

func formatFlow(file *source.File) (string, []source.Diagnostic) {
	syntax, found := flow.Parse(file)
	return formatted(file, found, syntax.Format)
}

func drawFlow(s *notation.Scope, w *notation.Graph) {
	f, found := CompileFlow(s.File)
	if f == nil || source.HasErrors(found) {
		return
	}
	d := view.Flow(f, view.Complete)
	w.Drawing = &d
	w.PlaceNames(flow.Occurrences(s.File), flow.KindQuestion, flow.KindEnd)
}

// stepFlow walks the answers of a flowchart.
func stepFlow(f *flow.Flow, word []string, out *notation.Walk) error {
	if _, err := stepLanguage(f.Grammar(), word, out, meter.New(callBudget)); err != nil || !out.Viable {
		return err
	}
	state := f.Start
	for _, letter := range word {
		i := slices.IndexFunc(f.States[state].Edges, func(e flow.Edge) bool { return f.Letter(state, e) == letter })
		if i < 0 {
			return nil
		}
		out.Active = []string{view.FlowEdge(state, i)}
		state = f.States[state].Edges[i].To
	}
	out.Highlight(view.FlowNode(state))
	out.Configurations = []notation.Configuration{{State: f.States[state].Name, Stack: []string{}}}
	return nil
}
