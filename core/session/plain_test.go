package session

import (
	"reflect"
	"testing"
)

// The core module draws a formula like the full module, or returns the code on which the
// page asks the full module.
func TestCoreModuleRejectsFormulasItCannotTranslate(t *testing.T) {
	for text, refused := range map[string]bool{
		"G (a -> X (!a U b))":                             false,
		"G (F (a & X b) <-> F (c & X d) <-> F (e & X f))": true,
	} {
		doc := map[string]any{"name": "a.ltl", "files": []File{{Name: "a.ltl", Text: "x: " + text}}}
		want := result[DocumentAnalyzeResult](t, New(), "document.analyze", doc)
		if want.Drawing == nil {
			t.Errorf("%s: not drawn by the full module", text)
		}
		if refused {
			if _, fault := call(t, With(Core()), "document.analyze", doc); fault == nil || fault.Code != codeMethod {
				t.Errorf("%s: %+v", text, fault)
			}
			continue
		}
		if got := result[DocumentAnalyzeResult](t, With(Core()), "document.analyze", doc); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v and not %+v", text, got, want)
		}
	}
}
