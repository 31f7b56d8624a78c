package session

import (
	"strings"
	"testing"
)

func TestToolsAreAnalysed(t *testing.T) {
	s := New()
	spec := File{Name: "x.cfg", Text: "S -> a S | i\n"}
	analyze := func(text string) DocumentAnalyzeResult {
		return result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: []File{spec, {Name: "tools.json", Text: text}}, Name: "tools.json"})
	}
	good := `{"types": ["x"], "inputs": {"i": {"type": "x", "text": "one"}}, "tools": {"a": {"takes": ["x"], "gives": "x"}}}`
	if out := analyze(good); out.Summary != "1 tool" || len(out.Diagnostics) != 0 {
		t.Errorf("%+v", out)
	}
	out := analyze(strings.Replace(good, `"gives": "x"`, `"gives": "y"`, 1))
	if len(out.Diagnostics) != 1 || out.Diagnostics[0].Severity != "error" || out.Diagnostics[0].From != strings.Index(good, `"gives": "x"`)+len(`"gives": `) {
		t.Errorf("%+v", out.Diagnostics)
	}
	if out := analyze(`{"types": ["x"], "inputs": {"i": {"type": "x", "text": "one"}}, "tools": {}}`); len(out.Diagnostics) != 1 || !strings.Contains(out.Diagnostics[0].Message, "for a") {
		t.Errorf("%+v", out.Diagnostics)
	}
	if out := analyze(`{"types": `); len(out.Diagnostics) != 1 || out.Diagnostics[0].Severity != "error" {
		t.Errorf("%+v", out.Diagnostics)
	}
	_, fault := call(t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: []File{spec, {Name: "tools.json", Text: `{"tpyes": []}`}}}, Settings: []byte(`{"model":{"kind":"first"}}`)})
	if fault == nil || len(fault.Diagnostics) == 0 || fault.Diagnostics[0].File != "tools.json" {
		t.Errorf("%+v", fault)
	}
}
