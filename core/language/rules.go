package language

import (
	sentences "github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/workspace"
)

// rulesRow returns the row of rules about data.
func rulesRow() notation.Notation {
	return notation.Notation{
		Kind:     workspace.KindRules,
		Facts:    notation.Facts{Name: "rules", Title: "rules about data", Offer: "rules about data", Embed: "policy.rules", Exports: export.FormatsOfFormulas, Template: rulesTemplate, About: "Rules about the arguments, results, times and counts of calls.", Starter: rulesStarter},
		Document: notation.Document{Analyze: analyzeRules, Draw: drawRules, Walk: walkRules, Spec: specOfRules, Format: formatRules, Judge: judgeRules},
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return rules.Parse(file).Diagnostics },
			Occurrences: rules.Occurrences,
			Lex:         lexRules,
			Words:       rulesWords,
			Fixed: func(s *notation.Symbol) string {
				switch s.Kind {
				case rules.KindTool:
					return "the name of a tool is declared by the tool"
				case rules.KindField:
					return "the name of a field is declared by its tool"
				}
				return ""
			},
			Complete: completeRules,
			Describe: describeRules,
			Refers:   true,
			Explain:  sentences.Rules,
			Fold: func(x *notation.Folder) {
				x.Lines(func(line string) bool { return line[0] == ' ' || line[0] == '\t' })
			},
			Spell: func(f workspace.File, at source.Pos, name string) string {
				if f.Text[at] == '?' {
					return "?" + name
				}
				return name
			},
		},
	}
}

func analyzeRules(s *notation.Scope) (a notation.Analysis) {
	f := rules.Parse(s.File)
	a.Add(f.Diagnostics...)
	a.Tokens = f.Tokens()
	a.Summary = notation.Count(len(f.Rules), "rule")
	for _, r := range f.Rules[:min(len(f.Rules), notation.MaxShown)] {
		item := notation.OutlineItem{Name: r.Name, Span: r.NameSpan}
		if r.Formula != nil {
			item.Detail = s.File.Slice(r.Formula.Span)
		}
		a.Outline = append(a.Outline, item)
	}
	a.Add(CheckContracts(s.File, f, s.Files)...)
	a.Add(proveRules(s, f)...)
	pictureOfRules(&a, f)
	return a
}

func formatRules(file *source.File) (string, []source.Diagnostic) {
	f := rules.Parse(file)
	return formatted(file, f.Diagnostics, func() string { return rules.Format(file) })
}

// judgeRules judges a run by all rules of a file. It is violated at its first violation, and has no
// verdict if one of the rules has a fault.
func judgeRules(file *source.File, text string) (out notation.Judgement) {
	f := rules.Parse(file)
	run, found := rules.ReadRun(text)
	if len(found) > 0 {
		return notation.Judgement{Reason: found[0].Message, At: found[0].Span}
	}
	if source.HasErrors(f.Diagnostics) {
		return notation.Judgement{Reason: "not run: fix the errors in " + file.Name}
	}
	m := rules.NewMonitor(f)
	out.Verdict = spectest.Valid
	for i, e := range run.Events {
		for _, v := range m.Step(e) {
			if out.Verdict == spectest.Valid {
				out = notation.Judgement{Verdict: spectest.Violated, Reason: m.Explain(v), At: run.Places[i]}
			}
		}
	}
	if m.Err() != nil {
		return notation.Judgement{Reason: m.Err().Error()}
	}
	for i, r := range f.Rules {
		if err := m.Limit(i); err != nil {
			return notation.Judgement{Reason: r.Name + ": " + err.Error()}
		}
	}
	return out
}
