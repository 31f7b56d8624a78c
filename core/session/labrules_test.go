package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

const ruledLab = `(experiment ruled
  (:tasks (questions "asked.jsonl"))
  (:methods
    (monitor "shop.agent" (:name "enforced") (:rules enforced))
    (monitor "shop.agent" (:name "observed") (:rules observed))
    (monitor "shop.agent" (:name "default")))
  (:models (simulated first))
  (:measures valid rules-kept rules-violated rules-denied rule:approved rule:cap rule:other))
`

func ruledLabFiles() []File {
	return []File{
		{Name: "ruled.lab", Text: ruledLab},
		{Name: "shop.agent", Text: actText},
		{Name: "shop.rules", Text: "approved: refund(order: ?o) -> once approve(order: ?o)\ncap: refund() -> count refund() <= 1\n"},
		{Name: "asked.jsonl", Text: `{"question":"refund 7"}`},
	}
}

// scriptedRefunds is a model that makes a call before its approval, and one call too many.
func scriptedRefunds() lab.NamedModel {
	act := func(tool string) string { return "[Action] " + tool + "\n[Action Input] {\"order\":7}\n" }
	return lab.NamedModel{Name: "scripted", Spec: llm.Spec{Kind: "scripted", Script: []string{act("refund"), act("approve"), act("refund"), act("refund"), "[Answer] done"}}}
}

// The rules of the workspace are measures of an experiment: the same model with rules that are
// enforced, and with rules that are only observed.
func TestExperimentMeasuresRules(t *testing.T) {
	files := ruledLabFiles()
	run := runLabNamed(t, files, "ruled.lab", lab.Settings{Models: []lab.NamedModel{scriptedRefunds()}}, 1<<40, 0)
	if run.end.State != process.StateDone {
		t.Fatalf("%+v", run.end.Error)
	}
	want := map[string]string{
		"enforced": "valid 1/1, rules-kept 1/1, rules-violated 0/0, rules-denied 2/0, rule:approved 1/0, rule:cap 1/0",
		"observed": "valid 0/1, rules-kept 0/1, rules-violated 3/0, rules-denied 0/0, rule:approved 1/0, rule:cap 2/0",
	}
	want["default"] = want["observed"] // a column measures rules
	for _, o := range run.outcomes {
		var list []string
		for _, m := range o.Measures {
			if m.Name == "valid" || strings.HasPrefix(m.Name, "rule") {
				list = append(list, fmt.Sprintf("%s %v/%v", m.Name, m.Count, m.Of))
			}
		}
		if got := strings.Join(list, ", "); got != want[o.Method] || o.State != lab.StateDone || (o.Reason == "") != (o.Method == "enforced") {
			t.Errorf("%s: %s, %q; want %s", o.Method, got, o.Reason, want[o.Method])
		}
	}
	for i, r := range run.result.Table.Rows {
		if v := r.Values; v[1].Value != []float64{1, 0, 0}[i] || !v[1].Share || v[3].Value != []float64{2, 0, 0}[i] || v[6].Known {
			t.Errorf("%s: %+v", r.Method, v)
		}
	}
	if len(run.outcomes) != 3 || len(run.result.Table.Rows) != 3 {
		t.Errorf("%d cells, %d rows", len(run.outcomes), len(run.result.Table.Rows))
	}
}

// Rules that are missing, unknown or cannot be judged are reported, and never count as kept.
func TestExperimentReportsMissingRules(t *testing.T) {
	s := New()
	check := func(files []File) string {
		return result[LabCheckResult](t, s, "lab.check", LabCheckParams{Files: files, Name: "ruled.lab"}).Fault
	}
	analyze := func(files []File) []Diagnostic {
		return result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files, Name: "ruled.lab"}).Diagnostics
	}
	if found := analyze(ruledLabFiles()); len(found) != 1 || found[0].Code != "lab.rules" || !strings.Contains(found[0].Message, `unknown rule "other"`) || found[0].Line != 8 {
		t.Errorf("%+v", found)
	}
	faulty := ruledLabFiles()
	faulty[2].Text += "broken: refund(\n"
	if got := check(faulty); !strings.Contains(got, "shop.rules, line 3: ") {
		t.Errorf("%q", got)
	}
	missing := ruledLabFiles()
	missing[2].Name = "shop.txt"
	if got := check(missing); !strings.Contains(got, "no .rules file is next to its spec") {
		t.Errorf("%q", got)
	}
	wrong := ruledLabFiles()
	wrong[0].Text = strings.Replace(ruledLab, `(monitor "shop.agent" (:name "default"))`, "(baseline zero-shot (:rules observed))", 1)
	if found := analyze(wrong); !strings.Contains(fmt.Sprint(found), ":rules is for (plan …), (monitor …) and (team …)") {
		t.Errorf("%+v", found)
	}
}
