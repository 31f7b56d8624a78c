package export_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

func formula(t testing.TB, text string, letters ltl.Letters, props ...string) *ltl.Automaton {
	t.Helper()
	list, found := ltl.Parse(source.NewFile("t.ltl", text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	if props == nil {
		props = list[0].Formula.Props()
	}
	a, err := ltl.NewAlphabet(props, letters)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ltl.Translate(list[0].Formula, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// texts returns the texts of a grammar's words of up to max terminals.
func texts(g *grammar.Grammar, max int, separator string) map[string]bool {
	out := map[string]bool{}
	for w := range enum.Words(g, max)[g.Start] {
		var names []string
		for _, s := range enum.Symbols(w) {
			names = append(names, g.Names[s])
		}
		out[strings.Join(names, separator)] = true
	}
	return out
}

func TestGrammarsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 1))
	for range effort.Of(400) {
		g := must.Grammar(t, enum.Grammar(random))
		if g.Empty() {
			continue
		}
		for _, separator := range []string{"", " "} {
			want := texts(g, 4, separator)
			rules := export.FromGrammar(g, separator)
			for name, read := range map[string]func() (string, []source.Diagnostic){
				"GBNF": func() (string, []source.Diagnostic) { return export.ReadGBNF(source.NewFile("t.gbnf", rules.GBNF())) },
				"Lark": func() (string, []source.Diagnostic) { return export.ReadLark(source.NewFile("t.lark", rules.Lark())) },
			} {
				text, found := read()
				if len(found) > 0 {
					t.Fatalf("%s%s\n%v", g, rules.GBNF(), found)
				}
				if got := texts(must.Grammar(t, text), 4, ""); !sameSet(got, want) {
					t.Fatalf("%s by way of %s %q\n%s\n%s\nhas %v, not %v", g, name, separator, rules.GBNF(), text, got, want)
				}
			}
		}
	}
}

func sameSet(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for w := range a {
		if !b[w] {
			return false
		}
	}
	return true
}

func TestEmptyLanguageStaysEmpty(t *testing.T) {
	g := must.Grammar(t, "S -> a S")
	text, found := export.ReadGBNF(source.NewFile("t.gbnf", export.FromGrammar(g, " ").GBNF()))
	if len(found) > 0 || !must.Grammar(t, text).Empty() {
		t.Errorf("%s%v", text, found)
	}
	d := automaton.NewDFA([][]int{{0}}, []bool{false})
	text, found = export.ReadGBNF(source.NewFile("t.gbnf", export.FromDFA(d, []string{"a"}, "").GBNF()))
	if len(found) > 0 || !must.Grammar(t, text).Empty() {
		t.Errorf("%s%v", text, found)
	}
	if expression, err := export.Regexp(d, []string{"a"}, ""); err != nil || regexp.MustCompile(expression).MatchString("") {
		t.Errorf("%s (%v)", expression, err)
	}
}

func drawDFA(random *rand.Rand, letters int) *automaton.DFA {
	n := 1 + random.IntN(5)
	var rows [][]int
	var accept []bool
	for range n {
		row := make([]int, letters)
		for i := range row {
			row[i] = random.IntN(n)
		}
		rows, accept = append(rows, row), append(accept, random.IntN(2) == 0)
	}
	return automaton.NewDFA(rows, accept)
}

func TestRegexpAndRulesAcceptWordsOfAutomaton(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 2))
	letters := []string{"a.", "(b", "|"}
	for range effort.Of(300) {
		d := drawDFA(random, len(letters))
		for _, separator := range []string{"", " "} {
			expression, err := export.Regexp(d, letters, separator)
			if err != nil {
				t.Fatal(err)
			}
			compiled := regexp.MustCompile(expression)
			text, found := export.ReadGBNF(source.NewFile("t.gbnf", export.FromDFA(d, letters, separator).GBNF()))
			if len(found) > 0 {
				t.Fatal(found)
			}
			of := texts(must.Grammar(t, text), 4, "")
			for _, s := range enum.Strings(len(letters), 4) {
				var word []int
				var names []string
				for _, symbol := range enum.Symbols(s) {
					word = append(word, int(symbol))
					names = append(names, letters[symbol])
				}
				joined := strings.Join(names, separator)
				if compiled.MatchString(joined) != d.Accepts(word) || of[joined] != d.Accepts(word) {
					t.Fatalf("%s%s\n%q is matched: %v, derived: %v, accepted: %v", d, expression, joined, compiled.MatchString(joined), of[joined], d.Accepts(word))
				}
			}
		}
	}
}

func TestAutomataRoundTripThroughHOA(t *testing.T) {
	for _, text := range []string{"G (a -> F b)", "a U (b & X last)", "F (a & X X b) | G !c", "true", "false", "G (a <-> X b)"} {
		d := formula(t, text, ltl.Powerset, "a", "b", "c")
		names := d.Names()
		written, ok := export.HOA(text, d.Symbolic, names)
		if !ok {
			t.Fatal("too many guards")
		}
		again, readNames, found := export.ReadHOA(source.NewFile("t.hoa", written), nil)
		if len(found) > 0 || !slices.Equal(readNames, names) {
			t.Fatalf("%s%v %v", written, found, readNames)
		}
		if word, differ, err := d.Distinguish(again, nil); differ || err != nil {
			t.Errorf("%s: %v tells them apart (%v)\n%s", text, word, err, written)
		}
	}
}

// The output of Spot for "G(a -> F b)" on infinite words, with an alias and another start
// added.
const foreign = `HOA: v1
tool: "another" "1.0"
States: 3
Start: 2
AP: 2 "a" "b"
acc-name: Buchi
Acceptance: 1 Inf(0)
Alias: @waits 0 & !1
/* a comment */
--BODY--
State: 0 "idle" {0}
[!0 | 1] 0
[@waits] 1
State: 1
[1] 0
[!1] 1
State: 2
[t] 0
--END--
`

func TestForeignAutomata(t *testing.T) {
	s, names, found := export.ReadHOA(source.NewFile("t.hoa", foreign), nil)
	if len(found) > 0 || fmt.Sprint(names) != "[a b]" {
		t.Fatal(found, names)
	}
	step := func(q int, holds ...int) int {
		return s.Next(q, func(v int) bool { return slices.Contains(holds, v) })
	}
	q := step(s.Start())
	if s.Accepting(s.Start()) || !s.Accepting(q) || s.Accepting(step(q, 0)) || !s.Accepting(step(step(q, 0), 1)) {
		t.Error("another automaton is read")
	}
	if s, _, found := export.ReadHOA(source.NewFile("t.hoa", "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [0] 0 --END--"), nil); len(found) > 0 || s.Accepting(s.Next(s.Start(), func(int) bool { return false })) {
		t.Errorf("a missing transition must reject: %v", found)
	}
}

func TestStructuralTagIsJSON(t *testing.T) {
	tag, err := export.FromGrammar(must.Grammar(t, "S -> a"), "").Write("structural-tag", nil, nil)
	if err != nil || tag != `{"format":{"grammar":"root ::= S\nS ::= \"a\"\n","type":"grammar"},"type":"structural_tag"}` {
		t.Errorf("%s: %v", tag, err)
	}
}

func TestLargeRegexpIsALimit(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 3))
	var rows [][]int
	accept := make([]bool, 60)
	for q := range accept {
		row := make([]int, 6)
		for i := range row {
			row[i] = random.IntN(len(accept))
		}
		rows, accept[q] = append(rows, row), q%7 == 0
	}
	_, err := export.Regexp(automaton.NewDFA(rows, accept), []string{"a", "b", "c", "d", "e", "f"}, " ")
	var fault *source.Error
	if !errors.As(err, &fault) || fault.Code() != "limit.regexp" {
		t.Errorf("got %v", err)
	}
}

func compileAgent(t *testing.T, text string) *agent.Agent {
	t.Helper()
	spec, found := agent.Parse(source.NewFile("t.agent", text))
	a, more := agent.Compile(spec, nil)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatal(found)
	}
	return a
}

// A case has one spec, which is exported to every possible notation, or one text in another
// notation, which is imported.
func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		var out []golden.File
		add := func(name, text string) { out = append(out, golden.File{Name: name, Text: text}) }
		rules := func(r export.Rules, notes []export.Note) {
			for _, target := range []string{"gbnf", "lark", "w3c"} {
				text, err := r.Write(target, notes, nil)
				if err != nil {
					t.Fatal(err)
				}
				add("out."+target, text)
			}
		}
		graph := func(g export.Graph) {
			add("out.dot", g.DOT())
			add("out.mmd", g.Mermaid())
		}
		for name, text := range in {
			file := source.NewFile(name, text)
			switch name {
			case "in.cfg":
				g := must.Grammar(t, text)
				within, notes, err := export.WithinLimits(g)
				if err != nil {
					t.Fatal(err)
				}
				rules(export.FromGrammar(within, " "), notes)
				graph(export.GraphOfPDA("grammar", pushdown.FromGrammar(g)))
				add("texts.json", samples(t, within))
				tag, err := export.FromGrammar(within, " ").Write("structural-tag", notes, nil)
				if err != nil {
					t.Fatal(err)
				}
				add("out.tag.json", tag)
			case "in.ltl":
				d := formula(t, text, ltl.Powerset)
				g, ok := export.GraphOfFormula("formula", d)
				if !ok {
					t.Fatal("too many guards")
				}
				graph(g)
				hoa, _ := export.HOA("formula", d.Symbolic, d.Names())
				add("out.hoa", hoa)
			case "in.agent":
				a := compileAgent(t, text)
				var names []string
				for _, s := range a.States {
					names = append(names, s.Name)
				}
				graph(export.GraphOfAgent(a))
				r, notes, err := export.FromAgent(a, nil)
				if err != nil {
					t.Fatal(err)
				}
				rules(r, notes)
				expression, err := export.Regexp(a.DFA, names, " ")
				if err != nil {
					t.Fatal(err)
				}
				add("out.regexp", expression)
			case "in.gbnf":
				text, found := export.ReadGBNF(file)
				add("out.cfg", text)
				add("diagnostics", golden.Diagnostics(file, found))
			case "in.lark":
				text, found := export.ReadLark(file)
				add("out.cfg", text)
				add("diagnostics", golden.Diagnostics(file, found))
			case "in.hoa":
				_, _, found := export.ReadHOA(file, nil)
				add("diagnostics", golden.Diagnostics(file, found))
			}
		}
		return out
	})
}

// samples returns up to 40 texts of a grammar's words, and up to 40 other texts, for a
// comparison with other tools.
func samples(t *testing.T, g *grammar.Grammar) string {
	var out struct {
		Accepted []string `json:"accepted"`
		Rejected []string `json:"rejected"`
	}
	add := func(list *[]string, symbols []grammar.Symbol) {
		var names []string
		for _, s := range symbols {
			names = append(names, g.Names[s])
		}
		if text := strings.Join(names, " "); len(*list) < 40 && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	p := earley.New(g)
	for _, w := range enum.Strings(min(g.NumTerminals, 4), 5) {
		symbols := enum.Symbols(w)
		is, err := p.Recognize(symbols, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !is {
			add(&out.Rejected, symbols)
		}
	}
	words := counting.NewSampler(g, nil)
	random := rand.New(rand.NewPCG(21, 4))
	for length := range 12 {
		for range 5 {
			symbols, ok, err := words.Sample(length, random)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				add(&out.Accepted, symbols)
			}
		}
	}
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCodesHaveCases(t *testing.T) {
	golden.EveryCode(t, "import")
	golden.EveryCode(t, "hoa", "hoa.depth")
}

func FuzzReaders(f *testing.F) {
	f.Add("root ::= \"a\" [b-c]* (x | \"\\x41\"){2,3}\nx ::= root? | .")
	f.Add("start: \"a\"i /b+/ (x | [y])~2..3 -> z\n?x.2: start? // c\n%ignore / /")
	f.Add(foreign)
	f.Fuzz(func(t *testing.T, text string) {
		for name, read := range map[string]func(*source.File) (string, []source.Diagnostic){"gbnf": export.ReadGBNF, "lark": export.ReadLark} {
			file := source.NewFile("t."+name, text)
			out, found := read(file)
			for _, d := range found {
				if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
					t.Fatalf("%s: %s stands at %v in a text of %d bytes", name, d.Code, d.Span, len(text))
				}
			}
			if source.HasErrors(found) {
				continue
			}
			syntax, found := grammar.Parse(source.NewFile("t.cfg", out))
			g, more := grammar.Compile(syntax, "")
			for _, d := range append(found, more...) {
				if d.Severity == source.SeverityError && !strings.HasPrefix(d.Code, "limit.") && d.Code != "cfg.empty" && d.Code != "cfg.symbol-long" {
					t.Fatalf("%s %q is read as\n%s%v", name, text, out, d)
				}
			}
			_ = g
		}
		s, names, found := export.ReadHOA(source.NewFile("t.hoa", text), nil)
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		if s == nil {
			return
		}
		written, ok := export.HOA("again", s, names)
		if !ok {
			return
		}
		again, _, found := export.ReadHOA(source.NewFile("t.hoa", written), nil)
		if len(found) > 0 {
			t.Fatalf("%q is written as\n%s%v", text, written, found)
		}
		if word, differ, err := s.Distinguish(again, nil); differ || err != nil {
			t.Fatalf("%q and\n%s are told apart by %v (%v)", text, written, word, err)
		}
	})
}
