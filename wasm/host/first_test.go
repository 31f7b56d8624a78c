package host_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/wasm/host"
)

// firstMethods lists the methods of the first module. It reports all others as unknown, and the
// page then fetches the full module.
var firstMethods = []string{"document.analyze", "share.decode", "step.walk", "workspace.export", "workspace.import"}

// isNote reports whether the first module treats a file as a note that the full one analyses.
func isNote(name string) bool {
	return name == "tools.json" || session.Core().Notations.Of(name).Analyze == nil && session.Notations().Of(name).Kind != workspace.KindText
}

// The first module answers its methods as the full one does, except for the searches and
// suggestions that document.analyze leaves to the full module. The page repeats the request
// as soon as the full module has arrived. Differences:
//
//   - fullOnly diagnostics are missing;
//   - errors of a formula (ltl.syntax and the like, ltl.unknown) have no explanation: they
//     are errors in the same paragraphs, with their own code, place and message;
//   - errors of other notations have no explanation and fewer fixes: both modules report one;
//   - fixOnly warnings have fewer fixes;
//   - it refuses a formula that products and progression do not translate within the limits.
var (
	fullOnly = []string{"cfg.foreign", "cfg.limit-empty", "cfg.ambiguous", "ltl.suspect", "pda.epsilon", "pda.unknown", "pda.duplicate", "pda.mark", "flow.mark", "flow.variable", "agent.mark"}
	fixOnly  = []string{"cfg.habit", "cfg.empty", "cfg.unproductive", "cfg.duplicate", "cfg.cyclic", "cfg.limit-twice", "flow.unreachable", "pda.unreachable", "agent.state-unused"}
)

// sharedAnalysis returns the part of a document.analyze reply that both modules share. Errors of
// formulas are reduced to their lines.
func sharedAnalysis(t *testing.T, reply []byte, name, text string) string {
	t.Helper()
	var whole struct {
		ID     json.RawMessage                `json:"id"`
		Result *session.DocumentAnalyzeResult `json:"result"`
	}
	if err := json.Unmarshal(reply, &whole); err != nil {
		t.Fatal(err)
	}
	if whole.Result == nil {
		return string(reply)
	}
	r := whole.Result
	r.Diagnostics = slices.DeleteFunc(r.Diagnostics, func(d session.Diagnostic) bool { return slices.Contains(fullOnly, d.Code) })
	for i, d := range slices.Clone(r.Diagnostics) {
		if len(r.Diagnostics) <= i {
			break // an error of another notation
		}
		switch formula := workspace.KindOf(name) == workspace.KindFormulas; {
		case slices.Contains(fixOnly, d.Code):
			r.Diagnostics[i].Fixes = nil
		case d.Severity == "error" && !formula:
			r.Diagnostics, r.Drawing = []session.Diagnostic{{Severity: d.Severity}}, nil
		case d.Severity == "error":
			r.Diagnostics[i] = session.Diagnostic{Severity: d.Severity, Line: strings.Count(text[:paragraphOf(text, d.From)], "\n")}
		}
	}
	shared, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return string(shared)
}

// paragraphOf returns the start of the paragraph at a place, for texts in ASCII.
func paragraphOf(text string, at int) int {
	return strings.LastIndex(text[:min(at, len(text))], "\n\n") + 1
}

func firstModule(t *testing.T) *host.Instance {
	t.Helper()
	m, err := first()
	if err != nil {
		t.Fatal(err)
	}
	wasm := m.Instance(nil)
	t.Cleanup(func() {
		if err := wasm.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return wasm
}

// ask sends a request to both modules.
func ask(t *testing.T, native, wasm interface {
	Handle(context.Context, []byte) ([]byte, error)
}, request string) (want, got []byte) {
	t.Helper()
	want, err := native.Handle(context.Background(), []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	if got, err = wasm.Handle(context.Background(), []byte(request)); err != nil {
		t.Fatalf("%.300s: %v", request, err)
	}
	return want, got
}

func TestFirstModuleAgreesWithTheFullOne(t *testing.T) {
	native, wasm := host.Native(session.New()), firstModule(t)
	own, explained, others := 0, 0, 0
	for _, request := range append(requests(t), faultRequests(t)...) {
		var parsed struct {
			Method string                 `json:"method"`
			Params session.DocumentParams `json:"params"`
		}
		if json.Unmarshal([]byte(request), &parsed) != nil || isNote(parsed.Params.Name) {
			continue
		}
		want, got := ask(t, native, wasm, request)
		if !slices.Contains(firstMethods, parsed.Method) {
			others++
			if !strings.Contains(string(got), `"protocol.`) {
				t.Fatalf("%.300s: %.600s", request, got)
			}
			continue
		}
		own++
		if string(got) == string(want) {
			if strings.HasPrefix(request, `{"id":"fault"`) {
				t.Errorf("the first module finds all in %s", request)
			}
			continue
		}
		if parsed.Method == "document.analyze" {
			text := ""
			for _, f := range parsed.Params.Files {
				if f.Name == parsed.Params.Name {
					text = f.Text
				}
			}
			explained++
			want, got = []byte(sharedAnalysis(t, want, parsed.Params.Name, text)), []byte(sharedAnalysis(t, got, parsed.Params.Name, text))
		}
		if string(got) != string(want) {
			t.Fatalf("%.300s:\nnative %.600s\nmodule %.600s", request, want, got)
		}
	}
	if own == 0 || others == 0 || explained == 0 {
		t.Errorf("%d of its own methods, %d of them explained by the whole module, %d of others", own, explained, others)
	}
	t.Logf("%d of its own methods, %d of them explained by the whole module, %d of others", own, explained, others)
}

// faultRequests lists analyses in which the full module finds more.
func faultRequests(t *testing.T) (out []string) {
	spec := session.File{Name: "g.cfg", Text: "S -> a S | b\n"}
	for _, files := range [][]session.File{
		{{Name: "g.cfg", Text: "S -> S S | a\n"}},
		{{Name: "g.cfg", Text: "S -> a a\nlimit 1 a\n"}},
		{{Name: "g.cfg", Text: "S -> a [ b ] | ( c d )* e\n"}},
		{{Name: "p.ltl", Text: "always a\n\none: a /\\ b\n\nG F a\n\nG(a => F b\n"}, spec},
		{{Name: "p.ltl", Text: "G(B -> Fa)\n\nF a\n\nG a & G c\n"}, spec},
		{{Name: "a.agent", Text: `(define a (:states (S (:text "S:") (:one-of "x" "x")) (T (:text "T:")) (U (:text "U:"))) (:behavior (next S T)))`}},
	} {
		raw, err := json.Marshal(session.DocumentParams{Files: files, Name: files[0].Name})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, `{"id":"fault","method":"document.analyze","params":`+string(raw)+`}`)
	}
	return out
}

// An unedited page shows the complete analysis of its first example without the full module.
func TestFirstModuleAnalysesTheFirstExample(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	native, wasm := host.Native(session.New()), firstModule(t)
	e := examples[slices.IndexFunc(examples, func(e grammars.Example) bool { return e.ID == grammars.Default })]
	main := slices.IndexFunc(e.Files, func(f session.File) bool { return f.Name == e.Main })
	for _, files := range [][]session.File{e.Files[main : main+1], e.Files} {
		raw, err := json.Marshal(session.DocumentParams{Files: files, Name: e.Main})
		if err != nil {
			t.Fatal(err)
		}
		if want, got := ask(t, native, wasm, `{"id":1,"method":"document.analyze","params":`+string(raw)+`}`); string(want) != string(got) {
			t.Errorf("%s of %d files:\nnative %.600s\nmodule %.600s", e.Main, len(files), want, got)
		}
	}
}
