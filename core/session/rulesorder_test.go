package session

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

const orderRules = `approved: refund() -> once approve()
closed: end() -> !((!close()) since open())
alone: !(*() & previous review())
data: refund(order: ?o) -> once approve(order: ?o)
`

// orderWords returns all words of up to n letters.
func orderWords(n int, letters ...string) [][]string {
	out := [][]string{{}}
	for from := 0; n > 0; n-- {
		to := len(out)
		for _, w := range out[from:to] {
			for _, l := range letters {
				out = append(out, append(slices.Clone(w), l))
			}
		}
		from = to
	}
	return out
}

// permits reports whether all rules hold of the calls of a complete run.
func permits(text string, word []string) bool {
	end := "end"
	events := []rules.RawEvent{}
	for _, name := range word {
		events = append(events, rules.RawEvent{Name: name})
	}
	f := rules.Parse(source.NewFile("", text))
	m, _ := rules.Judge(f, append(events, rules.RawEvent{Kind: &end}))
	for i := range f.Rules {
		if v := m.Verdict(i); v != rules.Holds && v != rules.Untriggered {
			return false
		}
	}
	return true
}

func TestRulesOfOrderAreSteppedAndExported(t *testing.T) {
	s := New()
	files := []File{{Name: "a.rules", Text: orderRules}}
	for view, name := range []string{"approved", "closed", "alone"} {
		text := strings.Split(orderRules, "\n")[view]
		for _, word := range orderWords(4, "refund", "approve", "open", "close", "review", notation.NoSymbol) {
			got, err := s.stepWalk(StepWalkParams{Files: files, Name: "a.rules", Word: word, View: string(rune('0' + view))})
			if err != nil {
				t.Fatal(err)
			}
			if got.Complete != permits(text, word) {
				t.Errorf("%s: %q is stepped to %s", name, word, got.Verdict)
			}
			for _, l := range got.Next {
				after, err := s.stepWalk(StepWalkParams{Files: files, Name: "a.rules", Word: append(slices.Clone(word), l.Name), View: string(rune('0' + view))})
				if err != nil || !after.Viable {
					t.Errorf("%s: after %q, %s is %s %v", name, word, l.Name, after.Verdict, err)
				}
			}
		}
		whole, err := s.drawingWhole(DrawingWholeParams{Files: files, Name: "a.rules", View: string(rune('0' + view))})
		if err != nil || whole.Drawing == nil || whole.Drawing.Title != name || len(whole.Views) != 4 {
			t.Errorf("%s: drawn as %+v %v", name, whole, err)
		}
		hoa, err := s.specExport(SpecExportParams{Name: "a.rules", Text: text, Format: "hoa"})
		if err != nil {
			t.Fatal(err)
		}
		d, names, found := export.ReadHOA(source.NewFile("", hoa.Text), nil)
		if d == nil {
			t.Fatalf("%s: %v", hoa.Text, found)
		}
		for _, word := range orderWords(4, append(slices.Clone(names), "")...) {
			state := d.Start()
			for _, letter := range word {
				state = d.Next(state, func(v int) bool { return names[v] == letter })
			}
			if d.Accepting(state) != permits(text, word) {
				t.Errorf("%s: HOA reads %q as %v", name, word, d.Accepting(state))
			}
		}
	}
	for format, want := range map[string]string{"dot": "s0 -> s1", "mermaid": "flowchart LR", "hoa": "AP: 2"} {
		got, err := s.specExport(SpecExportParams{Name: "a.rules", Text: orderRules, Format: format, Formula: new(int)})
		if err != nil || !strings.Contains(got.Text, want) || len(got.Formulas) != 4 {
			t.Errorf("%s: %+v %v", format, got, err)
		}
		got, err = s.specExport(SpecExportParams{Name: "a.rules", Text: orderRules, Format: format})
		const note = "not exported: the rule data, which depends on the field order."
		if err != nil || len(got.Diagnostics) != 1 || got.Diagnostics[0].Message != note {
			t.Errorf("%s: %+v %v", format, got, err)
		}
	}
}

func TestRulesWithDataHaveNoAutomaton(t *testing.T) {
	const reason = `rules.data: no automaton: the rule "data" depends on `
	for text, part := range map[string]string{
		`data: pay(order: _) -> once a()`:        "the field order",
		`data: pay() -> once[1m] a()`:            "a window of time",
		`data: pay() -> count a() <= 3`:          "a comparison of values",
		`data: pay() -> once a.result()`:         "results",
		`data: pay.error() -> once a()`:          "errors",
		`data: pay() -> once message.user()`:     "messages",
		`data: pay(@agent: "x") -> once[1s] a()`: "the field @agent",
	} {
		for method, params := range map[string]string{
			"step.walk":    `{"files":[{"name":"a.rules","text":TEXT}],"name":"a.rules","word":[]}`,
			"spec.export":  `{"name":"a.rules","text":TEXT,"format":"dot"}`,
			"spec.words":   `{"files":[{"name":"a.rules","text":TEXT}],"name":"a.rules","number":1}`,
			"spec.compare": `{"first":{"name":"a.rules","text":TEXT},"second":{"name":"a.rules","text":TEXT}}`,
		} {
			if got := replied(t, method, strings.ReplaceAll(params, "TEXT", strconv.Quote(text))); !strings.HasPrefix(got, reason+part+";") {
				t.Errorf("%s of %s: %s", method, text, got)
			}
		}
	}
	s := New()
	whole, err := s.drawingWhole(DrawingWholeParams{Files: []File{{Name: "a.rules", Text: orderRules}}, Name: "a.rules", View: "3"})
	if err != nil || whole.Drawing != nil {
		t.Errorf("drawn as %+v %v", whole.Drawing, err)
	}
}

// The relation of two files of rules, and of rules and another spec, is that of their words.
func TestRulesOfOrderAreCompared(t *testing.T) {
	s := New()
	compare := func(first, second string) SpecCompareResult {
		t.Helper()
		got, err := s.specCompare(SpecCompareParams{First: File{Name: "a.rules", Text: first}, Second: File{Name: "b.rules", Text: second}})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	letters := []string{"a", "b", "c", notation.NoSymbol}
	texts := []string{
		"r: a() -> once b()", "r: a() -> previous b()", "r: !a()", "r: a() -> once b()\ns: !c()", "r: c() -> !once a()", "r: !*()",
		"r: end() -> once a()", "r: a() -> (!c()) since b()", "r: b() -> b()", "r: historically !a()",
	}
	for _, first := range texts {
		for _, second := range texts {
			got := compare(first, second)
			for i, d := range []Difference{got.OnlyFirst, got.OnlySecond} {
				has, lacks := first, second
				if i == 1 {
					has, lacks = second, first
				}
				var want *[]string
				for _, w := range orderWords(3, letters...) {
					if want == nil && permits(has, w) && !permits(lacks, w) {
						want = &w
					}
				}
				switch {
				case !d.Exact, (want == nil) != (d.Word == nil), want != nil && (len(*want) != len(d.Word.Word) || !permits(has, d.Word.Word) || permits(lacks, d.Word.Word)):
					t.Errorf("%q, %q: %+v, want %v", has, lacks, d, want)
				}
			}
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"b.cfg", "S -> b a S | b S | ε", "contains"},
		{"b.cfg", "S -> a S | b S | ε", "contained"},
		{"b.ltl", "!a W b", "contains"}, // a trace of a formula is not empty,
		{"b.ltl", "F b", "different"},
	} {
		got, err := s.specCompare(SpecCompareParams{First: File{Name: "a.rules", Text: texts[0]}, Second: File{Name: c.name, Text: c.text}})
		if err != nil || got.Relation != c.want {
			t.Errorf("%s: %+v %v", c.text, got, err)
		}
	}
	if got := replied(t, "spec.compare", `{"first":{"name":"a.rules","text":"r: !z()"},"second":{"name":"b.cfg","text":"S -> a"}}`); got != `compare.symbols: b.cfg has no symbol "z", which a.rules contains` {
		t.Error(got)
	}
}
