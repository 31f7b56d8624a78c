package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/export"
)

func codes(list []Diagnostic) (out []string) {
	for _, d := range list {
		out = append(out, d.Code+" "+d.Severity)
	}
	return out
}

// For each feature of a spec and each target: a feature that the target does not support
// is a warning of the result and, if the target has comments, a comment in the text.
func TestExportsReportUnsupportedFeatures(t *testing.T) {
	large := "S -> x"
	for _, name := range strings.Fields("a b c d e f g h i j k l m n") {
		large += " | " + name + " S"
	}
	properties := File{Name: "rules.ltl", Text: "safe: G !b\n\nother: F zzz"}
	agentOf := func(of string) string {
		return `(define t (:states (A (:text "[A]") ` + of + `) (B (:text "[B]") (:one-of "no"))) (:behavior (next A B)))`
	}
	specs := []struct {
		feature         export.Feature
		name, text      string
		carried, formal string // targets that support it, and those that match the spec; the others get a note
	}{
		{export.FeatureLimits, "g.cfg", "S -> a S | b\nlimit 1 a", "gbnf ebnf lark w3c structural-tag", "dot mermaid"},
		{export.FeatureLimits, "large.cfg", large + "\nlimit 1 each", "", "gbnf ebnf lark w3c structural-tag dot mermaid"},
		{export.FeatureLimits, "p.pda", counter, "gbnf ebnf lark w3c structural-tag", "dot mermaid"},
		{export.FeatureBackwards, "p.pda", counter + "backwards\n", "", "gbnf ebnf lark w3c structural-tag dot mermaid"},
		{export.FeatureProperties, "g.cfg", "S -> a S | b", "", "gbnf ebnf lark w3c structural-tag dot mermaid"},
		{export.FeatureMaxTokens, "a.agent", agentOf("(:max-tokens 3)"), "", "gbnf ebnf lark w3c structural-tag dot mermaid regexp"},
		{export.FeatureMatches, "a.agent", agentOf(`(:matches "[0-9]+")`), "gbnf ebnf lark w3c structural-tag", "dot mermaid regexp"},
		{export.FeatureOneOf, "a.agent", agentOf(`(:one-of "yes")`), "gbnf ebnf lark w3c structural-tag", "dot mermaid regexp"},
		{export.FeatureEmpty, "a.agent", agentOf("(:flags :empty)"), "gbnf ebnf lark w3c structural-tag", "dot mermaid regexp"},
		{export.FeatureEnvironment, "a.agent", agentOf("(:flags :env-input)"), "gbnf ebnf lark w3c structural-tag", "dot mermaid regexp"},
	}
	for _, c := range specs {
		for _, format := range strings.Fields(c.carried + " " + c.formal) {
			got := result[SpecExportResult](t, New(), "spec.export", SpecExportParams{Name: c.name, Text: c.text, Format: format, Files: []File{{Name: c.name, Text: c.text}, properties}})
			warned := slices.Contains(codes(got.Diagnostics), "export."+string(c.feature)+" warning")
			if want := !slices.Contains(strings.Fields(c.carried), format); warned != want {
				t.Errorf("%s of %s as %s: %v", c.feature, c.name, format, got.Diagnostics)
			}
			if commented := strings.Contains(got.Text, "Not exported: "); warned && commented != (format != "regexp") {
				t.Errorf("%s of %s as %s has no comment:\n%s", c.feature, c.name, format, got.Text)
			}
		}
	}
	environment := result[SpecExportResult](t, New(), "spec.export", SpecExportParams{Name: "a.agent", Text: agentOf("(:flags :env-input)"), Format: "gbnf"})
	if !slices.Contains(codes(environment.Diagnostics), "export.env-input info") || !strings.Contains(environment.Text, `"[B] no\n"`) || strings.Contains(environment.Text, `::= "[A]`) {
		t.Errorf("%v\n%s", environment.Diagnostics, environment.Text)
	}
}

func TestAFileOfSeveralFormulasIsExported(t *testing.T) {
	list := "safe: G !a\n\nF b\n\nlive: G (a -> F b)\n"
	for format, c := range map[string]struct{ all, one string }{
		"dot": {"digraph ", "digraph \"f.ltl\""}, "hoa": {"HOA: v1", "name: \"F b\""}, "mermaid": {"subgraph ", "flowchart LR\n  start"},
	} {
		got := result[SpecExportResult](t, New(), "spec.export", SpecExportParams{Name: "f.ltl", Text: list, Format: format})
		if strings.Count(got.Text, c.all) != 3 || !slices.Equal(got.Formulas, []string{"safe", "F b", "live"}) {
			t.Errorf("%s: %v\n%s", format, got.Formulas, got.Text)
		}
		second := 1
		got = result[SpecExportResult](t, New(), "spec.export", SpecExportParams{Name: "f.ltl", Text: list, Format: format, Formula: &second})
		if !strings.Contains(got.Text, c.one) || strings.Count(got.Text, c.all) > 1 || len(got.Formulas) != 3 {
			t.Errorf("%s: %v\n%s", format, got.Formulas, got.Text)
		}
	}
	for text, code := range map[string]string{"G a": "export.formula", "# none": "source.invalid", "G (": "source.invalid"} {
		beyond := 1
		if _, fault := call(t, New(), "spec.export", SpecExportParams{Name: "f.ltl", Text: text, Format: "dot", Formula: &beyond}); fault == nil || fault.Code != code {
			t.Errorf("%s: %+v, want %s", text, fault, code)
		}
	}
}

func TestAutomataAreImported(t *testing.T) {
	hoa := func(acceptance, of string) string {
		return "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b c\"\n" + acceptance + "\n--BODY--\nState: 0 " + of + "\n[0 & !1] 1\nState: 1\n--END--\n"
	}
	for _, c := range []struct{ text, want string }{
		{hoa("Acceptance: 0 t", ""), "%start state-0\nstate-0 -> \"a & !\\\"b c\\\"\" state-1 | ε\nstate-1 -> ε\n"},
		{hoa("Acceptance: 1 t", "{0}"), "%start state-0\nstate-0 -> \"a & !\\\"b c\\\"\" state-1 | ε\nstate-1 -> ε\n"},
		{hoa("Acceptance: 0 f", ""), "%start state-0\nstate-0 -> state-0\n"},
		{hoa("Acceptance: 1 Inf(0)", "{0}"), "%start state-0\nstate-0 -> ε\n"},
		{hoa("Acceptance: 2 Inf(0) | Inf(1)", ""), ""},
		{hoa("Acceptance: 0 t\nStart: 1", ""), ""},
		{hoa("Acceptance: 0 t", "{0}"), ""},
	} {
		got := result[SpecImportResult](t, New(), "spec.import", SpecImportParams{Text: c.text, Format: "hoa"})
		if got.Text != c.want || (got.Text == "") != (len(got.Diagnostics) > 0) {
			t.Errorf("%s\n%s%v", c.text, got.Text, got.Diagnostics)
		}
	}
}
