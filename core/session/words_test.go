package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

func TestMethodsOfWordsAndComparisons(t *testing.T) {
	compare := func(a, textA, b, textB string) string {
		text, err := json.Marshal(SpecCompareParams{First: File{Name: a, Text: textA}, Second: File{Name: b, Text: textB}, MaxLength: 8})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	quoted := func(text string) string {
		out, _ := json.Marshal(text)
		return string(out)
	}
	only := func(word string, exact bool, upTo int) string {
		if word != "null" {
			word = `{"word":` + word + `}`
		}
		return fmt.Sprintf(`{"word":%s,"exact":%t,"upTo":%d}`, word, exact, upTo)
	}
	result := func(relation, first, second string) string {
		return `{"relation":"` + relation + `","onlyFirst":` + first + `,"onlySecond":` + second + `,"traces":`
	}
	const (
		states = `(define r (:states (A (:text "[A]")) (B (:text "[B]"))) `
		react  = states + "(:behavior (next A (until B A))))"
		anbn   = "S -> a S b | ε"
		astar  = "S -> a S | b S | ε"
		noFile = `{"first":{"name":"a.md","text":""},"second":{"name":"a.cfg","text":"S -> a"}}`
	)
	for _, c := range []struct{ method, params, want string }{
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a S b | ε"}],"name":"a.cfg","number":0}`, `{"shortest":{"word":[]},"empty":false,"counts":[{"length":0,"words":"1"},{"length":1,"words":"0"},{"length":2,"words":"1"}`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a S b | a b"}],"name":"a.cfg","number":2,"length":6}`, `{"shortest":{"word":["a","b"]},"empty":false,"counts":[{"length":2,"words":"1"},{"length":3,"words":"0"},{"length":4,"words":"1"}`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a S | a\nlimit 2 a"}],"name":"a.cfg","number":0}`, `{"shortest":{"word":["a"]},"empty":false,"counts":[{"length":1,"words":"1"},{"length":2,"words":"1"},{"length":3,"words":"0"}`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a a\nlimit 1 a"}],"name":"a.cfg","number":3}`, `{"shortest":null,"empty":true,"counts":[],"words":[],"walks":false,"nearMisses":[]}`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> ⟨[7-7]⟩ \"⟨\\\"\\\\n\\\"⟩\""}],"name":"a.cfg","number":0}`, `{"shortest":{"word":["⟨[7-7]⟩","⟨\"\\n\"⟩"],"text":"7\n"}`},
		{"spec.words", `{"files":[{"name":"a.agent","text":` + quoted(react) + `}],"name":"a.agent","number":1}`, `{"shortest":{"word":["A","A"]},"empty":false,"counts":[{"length":2,"words":"1"}`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S a"}],"name":"a.cfg","number":1}`, `source.invalid: `},
		{"spec.words", `{"files":[{"name":"a.ltl","text":"one: F a\n\ntwo: X b & G !a"}],"name":"a.ltl","number":0,"view":"1"}`, `{"shortest":{"word":["b","b"]},"empty":false,"counts":[{"length":2,"words":"2"}`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a b c"},{"name":"a.ltl","text":"F a"}],"name":"a.ltl","number":0}`, `{"shortest":{"word":["a"]},"empty":false,"counts":[{"length":1,"words":"1"},{"length":2,"words":"5"}`},
		{"spec.words", `{"files":[{"name":"a.ltl","text":"F ("}],"name":"a.ltl","number":0}`, `source.invalid: `},
		{"spec.compare", `{"first":{"name":"a.ltl","text":"G(a -> F b)"},"second":{"name":"a.ltl","text":"G(a -> X b)"},"files":[{"name":"b.cfg","text":"S -> a b c"}]}`, `{"relation":"contains","onlyFirst":{"word":{"word":["a","c","b"]},"exact":true,"upTo":0},"onlySecond":{"word":null,"exact":true,"upTo":0},"traces":false}`},
		{"spec.words", `{"files":[{"name":"a.md","text":""}],"name":"a.md","number":1}`, `words.kind: a.md has no words or runs`},
		{"spec.words", `{"files":[{"name":"a.team","text":""}],"name":"a.team","number":1}`, `words.kind: a.team has no words or runs`},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a"}],"name":"a.cfg","number":101}`, `limit.length: `},
		{"spec.words", `{"files":[{"name":"a.cfg","text":"S -> a"}],"name":"a.cfg","number":1,"length":-1}`, `limit.length: `},
		{"grammar.trees", `{"source":"S -> S S | a","word":["a","a","a"],"number":5}`, `{"drawings":[{"title":"Derivation tree 1"`},
		{"grammar.trees", `{"source":"S -> S S | a","word":["b"],"number":5}`, `{"drawings":[]}`},
		{"grammar.trees", `{"source":"S -> S S | a b","word":["a"],"number":5}`, `{"drawings":[]}`},
		{"grammar.trees", `{"source":"S -> S | a","word":["a"],"number":2}`, `{"drawings":[{"title":"Derivation tree 1"`},
		{"grammar.trees", `{"source":"S -> a","word":["a"],"number":11}`, `limit.trees: `},
		{"grammar.trees", `{"source":"S a","word":["a"],"number":1}`, `source.invalid: `},
		{"grammar.railroad", `{"source":"S a"}`, `source.invalid: `},
		{"spec.explain", `{"files":[{"name":"a.ltl","text":"one: G !a"}],"name":"a.ltl"}`, `{"items":[{"name":"one","text":"No a step occurs.","from":0,"to":9}]}`},
		{"spec.explain", `{"files":[{"name":"a.md","text":""}],"name":"a.md"}`, `explain.kind: a.md has no explanations`},
		{"spec.explain", `{"files":[],"name":"a.md"}`, `workspace.`},

		{"spec.compare", compare("a.cfg", astar, "b.cfg", "S -> b S | a S | ε"), result("equal", only("null", true, 0), only("null", true, 0))},
		{"spec.compare", compare("a.cfg", "S -> a S | ε", "b.cfg", astar), result("contained", only("null", true, 0), only(`["b"]`, true, 0))},
		{"spec.compare", compare("a.cfg", anbn, "b.cfg", astar), result("contained", only("null", true, 0), only(`["a"]`, false, 0))},
		{"spec.compare", compare("a.cfg", astar, "b.cfg", anbn), result("contains", only(`["a"]`, false, 0), only("null", true, 0))},
		{"spec.compare", compare("a.cfg", anbn, "b.cfg", "S -> ε | a b | a S b"), result("equal", only("null", false, 8), only("null", false, 8))},
		{"spec.compare", compare("a.cfg", anbn, "b.cfg", "S -> ε | a b | a a S b b"), result("equal", only("null", false, 8), only("null", false, 8))},
		{"spec.compare", compare("a.cfg", anbn, "b.cfg", "S -> b S a | a b"), result("different", only(`[]`, false, -1), only(`["b","a","b","a"]`, false, 3))},
		{"spec.compare", compare("a.cfg", "S -> a S | ε\nlimit 3 a", "b.cfg", "S -> a S | ε\nlimit 2 a"), result("contains", only(`["a","a","a"]`, true, 0), only("null", true, 0))},
		{"spec.compare", compare("a.agent", react, "b.agent", states+"(:behavior (next A B A)))"), result("contains", only(`["A","A"]`, true, 0), only("null", true, 0))},
		{"spec.compare", compare("a.agent", react, "b.agent", react), result("equal", only("null", true, 0), only("null", true, 0))},
		{"spec.compare", compare("a.ltl", "G(a -> F b)", "b.ltl", "G(a -> X F b)"), result("contains", only(`["a&b"]`, true, 0), only("null", true, 0))},
		{"spec.compare", compare("a.ltl", "!a W b", "b.ltl", "one: b R !a"), result("contains", only(`["a&b"]`, true, 0), only("null", true, 0))},
		{"spec.compare", compare("a.ltl", "F B", "b.agent", react), result("different", only(`["B"]`, true, 0), only(`["A","A"]`, true, 0))},
		{"spec.compare", compare("b.agent", react, "a.ltl", "F B"), result("different", only(`["A","A"]`, true, 0), only(`["B"]`, true, 0))},
		{"spec.compare", compare("a.ltl", "F C", "b.agent", react), `compare.symbols: b.agent has no symbol "C", which a.ltl contains`},
		{"spec.compare", compare("a.ltl", "", "b.ltl", "F C"), `source.invalid: `},
		{"spec.compare", compare("a.ltl", "F (", "b.ltl", "F C"), `source.invalid: `},
		{"spec.compare", compare("a.cfg", "S -> a", "b.cfg", "S a"), `source.invalid: `},
		{"spec.compare", noFile, `words.kind: a.md has no words or runs`},
		{"spec.compare", `{"first":{"name":"a.cfg","text":"S -> a"},"second":{"name":"a.cfg","text":"S -> a"},"maxLength":-1}`, `limit.length: `},
	} {
		if got := replied(t, c.method, c.params); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s\n got %s\nwant %s", c.method, c.params, got, c.want)
		}
	}
}

// Samples and shortest words of every spec of the gallery are valid when they are stepped, and
// near misses are invalid at their place.
func TestWordsOfTheGalleryCanBeStepped(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	s, words, walks, misses := New(), 0, 0, 0
	for _, e := range examples {
		for _, f := range e.Files {
			kind := workspace.KindOf(f.Name)
			if !slices.Contains([]workspace.Kind{workspace.KindGrammar, workspace.KindPushdown, workspace.KindFlow, workspace.KindAgent, workspace.KindFormulas}, kind) {
				continue
			}
			got, err := s.specWords(SpecWordsParams{Files: e.Files, Name: f.Name, Number: 3, Seed: 1})
			if err != nil || got.Shortest == nil || len(got.Words) == 0 {
				t.Errorf("%s/%s: %+v, %v", e.ID, f.Name, got, err)
				continue
			}
			walks += len(got.Words)
			if !got.Walks {
				walks -= len(got.Words)
			}
			for _, w := range append(got.Words, *got.Shortest) {
				if r, err := s.stepWalk(StepWalkParams{Files: e.Files, Name: f.Name, Word: w.Word}); err != nil || r.Verdict != "valid" {
					t.Errorf("%s/%s: %v is %s, %v", e.ID, f.Name, w.Word, r.Verdict, err)
				}
				words++
			}
			for _, miss := range got.NearMisses {
				misses++
				r, err := s.stepWalk(StepWalkParams{Files: e.Files, Name: f.Name, Word: miss.Word})
				at := len(miss.Word)
				if r.Violation != nil {
					at = *r.Violation
				}
				if err != nil || r.Verdict == "valid" || at != miss.At {
					t.Errorf("%s/%s: %v is %s at %d, not at %d; %v", e.ID, f.Name, miss.Word, r.Verdict, at, miss.At, err)
				}
			}
		}
	}
	if words < 100 || walks == 0 || misses < 100 {
		t.Errorf("%d words, %d of them walks, %d near misses", words, walks, misses)
	}
}

// Words of up to 40 symbols have near misses.
func TestLongWordsHaveNoNearMisses(t *testing.T) {
	for length, want := range map[int]bool{40: true, 41: false} {
		file := File{Name: "a.cfg", Text: "S ->" + strings.Repeat(" a", length)}
		got, err := New().specWords(SpecWordsParams{Files: []File{file}, Name: file.Name, Number: 1, Seed: 1})
		if err != nil || len(got.Words) != 1 || (len(got.NearMisses) > 0) != want {
			t.Errorf("%d symbols: %+v, %v", length, got.NearMisses, err)
		}
	}
}

// The symbols of a railroad diagram have their places in the text, and its other parts none.
func TestPlacesOfRailroads(t *testing.T) {
	const text = "S -> a A | ε\nA -> b | x S"
	got, err := grammarRailroad(GrammarRailroadParams{Source: text})
	if err != nil {
		t.Fatal(err)
	}
	var placed []string
	var walk func(r *Rail)
	walk = func(r *Rail) {
		switch {
		case r.From >= 0 && r.From <= r.To:
			placed = append(placed, string(utf16.Decode(utf16.Encode([]rune(text))[r.From:r.To])))
		case r.From != -1 || r.To != -1:
			t.Errorf("%+v has no place", r)
		}
		for _, part := range r.Of {
			walk(part)
		}
	}
	for _, d := range got.Diagrams {
		walk(d.Rail)
	}
	if got := strings.Join(placed, " "); got != "a A b x S" {
		t.Errorf("the places of the symbols have %q", got)
	}
}

// A walk marks nodes and edges of the drawing, or lines of edges: one for an agent's last letter
// unless it is the first.
func TestMarksOfWalksAreInDrawings(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	s, marks := New(), 0
	for _, e := range examples {
		for _, f := range e.Files {
			kind := workspace.KindOf(f.Name)
			if kind != workspace.KindAgent && kind != workspace.KindFlow {
				continue
			}
			words, err := s.specWords(SpecWordsParams{Files: e.Files, Name: f.Name, Number: 1, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			drawing := result[DrawingWholeResult](t, s, "drawing.whole", DrawingWholeParams{Files: e.Files, Name: f.Name}).Drawing
			for _, w := range words.Words {
				for n := range len(w.Word) + 1 {
					walk, err := s.stepWalk(StepWalkParams{Files: e.Files, Name: f.Name, Word: w.Word[:n]})
					if err != nil {
						t.Fatal(err)
					}
					edges := 0
					for _, id := range walk.Active {
						marks++
						switch {
						case slices.ContainsFunc(drawing.Edges, func(e DrawingEdge) bool {
							return e.ID == id || slices.ContainsFunc(e.Lines, func(l DrawingLine) bool { return l.ID == id })
						}):
							edges++
						case !slices.ContainsFunc(drawing.Nodes, func(n DrawingNode) bool { return n.ID == id }):
							t.Errorf("%s/%s %v: %s is not in the drawing", e.ID, f.Name, w.Word[:n], id)
						}
					}
					if kind == workspace.KindAgent && edges != min(max(n-1, 0), 1) {
						t.Errorf("%s/%s %v: %d edges are marked", e.ID, f.Name, w.Word[:n], edges)
					}
				}
			}
		}
	}
	if marks < 100 {
		t.Errorf("%d marks", marks)
	}
}

// The derivation tree of a walk has the labels of its rules, also of the first one. The walk counts
// the uses of limited symbols, if there are many only of those that occur.
func TestTreesAndUsesOfWalks(t *testing.T) {
	got := result[StepWalkResult](t, New(), "step.walk", StepWalkParams{Files: files("a.cfg", "S -> T T as \"Twice\"\nT -> a\nlimit 2 a\n"), Name: "a.cfg", Word: []string{"a", "a"}})
	if got.Tree == nil || got.Tree.Label != "Twice" || len(got.Uses) != 1 || got.Uses[0].Used != 2 || got.Uses[0].Limit != 2 {
		t.Errorf("%+v, %+v", got.Tree, got.Uses)
	}
	for number, uses := range map[int]int{200: 200, 201: 1} {
		text := "S -> S S | a1"
		for i := 2; i <= number; i++ {
			text += fmt.Sprintf(" | a%d", i)
		}
		got := result[StepWalkResult](t, New(), "step.walk", StepWalkParams{Files: files("a.cfg", text+"\nlimit 3 each\n"), Name: "a.cfg", Word: []string{"a7"}})
		if len(got.Uses) != uses || !slices.ContainsFunc(got.Uses, func(u Use) bool { return u.Name == "a7" && u.Used == 1 }) {
			t.Errorf("%d symbols: %d uses", number, len(got.Uses))
		}
	}
}

// The parts of a problem's data have their colours.
func TestJSONTokensHaveClasses(t *testing.T) {
	const text = `{"a": [true, NaN, -1.5e3, "x"], "b" : null}`
	got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: files("p.problem/data.json", text), Name: "p.problem/data.json"})
	var parts []string
	for _, k := range got.Tokens {
		parts = append(parts, text[k.From:k.To]+" "+k.Class)
	}
	if got, want := strings.Join(parts, "|"), `"a" state|true keyword|NaN invalid|-1.5e3 number|"x" string|"b" state|null keyword`; got != want {
		t.Errorf("%s", got)
	}
}
