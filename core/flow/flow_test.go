package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

// written prints a flowchart, an edge a line.
func written(f *flow.Flow) string {
	var b strings.Builder
	kinds := []string{"ask", "choose", "accept", "stop"}
	for i, s := range f.States {
		mark := ""
		if i == f.Start {
			mark = "start "
		}
		fmt.Fprintf(&b, "%s%s %s %q\n", mark, kinds[s.Kind], s.Name, s.Question)
		for _, e := range s.Edges {
			fmt.Fprintf(&b, "  %s -> %s %q\n", f.Letter(i, e), f.States[e.To].Name, e.Text)
		}
	}
	fmt.Fprintf(&b, "variables %v\n", f.Variables)
	return b.String()
}

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.flow", in["in.flow"])
		syntax, found := flow.Parse(file)
		f, more := flow.Compile(syntax)
		found = append(found, more...)
		out := []golden.File{{Name: "diagnostics", Text: golden.Diagnostics(file, found)}}
		if f != nil && !source.HasErrors(found) {
			out = append(out, golden.File{Name: "flow", Text: written(f)})
		}
		return append(out, golden.File{Name: "formatted", Text: syntax.Format()})
	})
}

func TestEveryCodeHasACase(t *testing.T) { golden.EveryCode(t, "flow", "flow.variable") }

// A summary of the analysis of Formal-LLM's Figure 7.
const risk = `let seller "Alpha"
ask entitled "Is {seller} entitled to sell {company}?"
  yes -> checks   no -> stop as "It is not entitled to sell."   unsure -> checks as "More is needed to know that."
in any order checks {
  ask antitrust "Does the deal have to be filed?"
    yes -> next as "File it."   no -> next
  ask liabilities "Are there great liabilities?"
    yes -> stop as "The deal is dead."   no -> next   unsure -> next
  ask sensitive "Is the industry sensitive?"
    yes -> next as "Have it cleared."   no -> next
} -> pass
accept pass "The preliminary analysis of {company} is passed."
`

func compile(t testing.TB, text string) *flow.Flow {
	t.Helper()
	syntax, found := flow.Parse(source.NewFile("t.flow", text))
	f, more := flow.Compile(syntax)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%s%v", text, found)
	}
	return f
}

func TestQuestionsInAnyOrderAreAskedOnceEach(t *testing.T) {
	f := compile(t, risk)
	d := f.DFA()
	letters := map[string]int{}
	for i, l := range f.Letters() {
		letters[l] = i
	}
	accepts := func(word string) bool {
		var w []int
		for _, l := range strings.Fields(word) {
			i, ok := letters[l]
			if !ok {
				t.Fatalf("no letter %s in %v", l, f.Letters())
			}
			w = append(w, i)
		}
		return d.Accepts(w)
	}
	for word, want := range map[string]bool{
		"entitled.yes antitrust antitrust.yes liabilities liabilities.no sensitive sensitive.no":       true,
		"entitled.unsure sensitive sensitive.no antitrust antitrust.no liabilities liabilities.unsure": true,
		"entitled.no": false,
		"entitled.yes antitrust antitrust.yes antitrust antitrust.yes":                           false,
		"entitled.yes antitrust antitrust.yes liabilities liabilities.yes":                       false,
		"entitled.yes antitrust liabilities.no":                                                  false,
		"entitled.yes antitrust antitrust.yes liabilities liabilities.no sensitive":              false,
		"entitled.yes sensitive sensitive.no antitrust antitrust.no liabilities liabilities.yes": false,
	} {
		if accepts(word) != want {
			t.Errorf("%s: %v", word, !want)
		}
	}
	// 2 ways to be entitled, 6 orders, 2·2·2 answers that continue.
	if n := countWords(d, 7); n != 96 {
		t.Errorf("%d words, want 96", n)
	}
	counts, err := counting.Words(f.Grammar(), 8, nil)
	if err != nil || fmt.Sprint(counts) != "[0 0 0 0 0 0 0 96 0]" {
		t.Errorf("the grammar has %v (%v)", counts, err)
	}
}

func TestTextsContainValuesOfVariables(t *testing.T) {
	f := compile(t, risk)
	if got := f.Text(f.States[f.Start].Question, map[string]string{"company": "Beta"}); got != "Is Alpha entitled to sell Beta?" {
		t.Error(got)
	}
	if got := f.Text("{seller}, {company}, {a b} and { {seller}", nil); got != "Alpha, {company}, {a b} and { Alpha" {
		t.Error(got)
	}
	if fmt.Sprint(f.Variables) != "[seller company]" {
		t.Error(f.Variables)
	}
}

func TestBracesWithoutNameAreNoVariables(t *testing.T) {
	f := compile(t, "let a \"A\"\nask q \"{} {a} {b\" y -> stop\n")
	if fmt.Sprint(f.Variables) != "[a]" {
		t.Error(f.Variables)
	}
	if got := f.Text("{} {a} {b", nil); got != "{} A {b" {
		t.Error(got)
	}
}

// A flowchart whose start is not its first state, with choices, answers that are taken
// together, and ways to a bad end.
const ways = `let who "Ada"
ask late "Is it late?" yes -> stop as "Too late, {who}." no -> pass
ask early "Is it early?"
  some a b as "Some." c -> rest as "Then."
  some d e -> rest
  never -> shut
in any order rest {
  ask one "Is {who} one?" y -> next n -> stop
  ask two "Two?" y -> next as "Two, {who}."
} -> late
accept pass
stop shut "Shut."
start early
`

func TestLettersAndStopsAreSorted(t *testing.T) {
	f := compile(t, ways)
	want := "[early.a early.b early.c early.d early.e early.enough early.never late.no late.yes one one.n one.y two two.y]"
	if got := fmt.Sprint(f.Letters()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := fmt.Sprint(f.Stops()); got != "[early.never late.yes one.n]" {
		t.Error(got)
	}
}

func TestCombinedAnswersHaveTheirGroup(t *testing.T) {
	f := compile(t, ways)
	groups := map[string]int{}
	for i, s := range f.States {
		for _, e := range s.Edges {
			letter := f.Letter(i, e)
			if was, ok := groups[letter]; ok && was != e.Group {
				t.Errorf("%s is of group %d and of group %d", letter, was, e.Group)
			}
			groups[letter] = e.Group
		}
	}
	for letter, group := range groups {
		switch letter {
		case "early.a", "early.b", "early.c":
			if group < 1 || group != groups["early.a"] {
				t.Errorf("%s is of group %d", letter, group)
			}
		case "early.d", "early.e":
			if group < 1 || group != groups["early.d"] || group == groups["early.a"] {
				t.Errorf("%s is of group %d", letter, group)
			}
		default:
			if group != 0 {
				t.Errorf("%s is of group %d", letter, group)
			}
		}
	}
}

// The automaton, the grammars and a walk over the edges have the same words.
func TestGrammarsHaveCompleteWords(t *testing.T) {
	f := compile(t, ways)
	good, all := make([]int, 9), make([]int, 9)
	var walk func(state, length int)
	walk = func(state, length int) {
		if length >= len(good) {
			return
		}
		switch s := f.States[state]; s.Kind {
		case flow.Accept:
			good[length]++
			all[length]++
		case flow.Stop:
			all[length]++
		default:
			for _, e := range s.Edges {
				walk(e.To, length+1)
			}
		}
	}
	walk(f.Start, 0)
	count := func(what string, counts any, err error, want []int) {
		if err != nil || fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("%s: %v words (%v), not %v", what, counts, err, want)
		}
	}
	counts, err := counting.Words(f.Grammar(), 8, nil)
	count("good ends", counts, err, good)
	counts, err = counting.Words(f.Outcomes(), 8, nil)
	count("all ends", counts, err, all)
	if good[8] == 0 || all[1] != 1 {
		t.Errorf("the walk found %v and %v", good, all)
	}
	for length, want := range good {
		if n := countWords(f.DFA(), length); n != want {
			t.Errorf("the automaton has %d words of %d letters, want %d", n, length, want)
		}
	}
}

func TestGrammarLabelsLettersWithTheirTexts(t *testing.T) {
	f := compile(t, ways)
	g := f.Grammar()
	for letter, want := range map[string]string{
		"one": "Is Ada one?", "two": "Two?", "two.y": "Two, Ada.", "late.yes": "Too late, Ada.", "early.a": "early.a", "early.b": "Some.", "early.c": "Then.",
	} {
		symbol, ok := g.Lookup(letter)
		if got := g.Label(symbol); !ok || got != want {
			t.Errorf("%s is told as %q, not %q", letter, got, want)
		}
	}
}

func TestOccurrencesHaveSpansOfNames(t *testing.T) {
	file := source.NewFile("ways.flow", ways+"ask last \"{x}?\" some f g -> next h -> nowhere i ->\n")
	const want = `1:5 variable who defined
2:5 question late defined
2:24 answer (late) yes defined
2:58 answer (late) no defined
3:5 question early defined
4:8 answer (early) a defined
4:10 answer (early) b defined
4:23 answer (early) c defined
5:8 answer (early) d defined
5:10 answer (early) e defined
6:3 answer (early) never defined
7:14 question rest defined
8:7 question one defined
8:27 answer (one) y defined
8:37 answer (one) n defined
9:7 question two defined
9:18 answer (two) y defined
11:8 end pass defined
12:6 end shut defined
14:5 question last defined
14:22 answer (last) f defined
14:24 answer (last) g defined
14:34 answer (last) h defined
2:64 end pass
4:28 question rest
5:15 question rest
6:12 end shut
10:6 question late
13:7 question early
14:39 question nowhere
2:51 variable who
8:16 variable who
9:38 variable who
14:12 variable x
`
	if got := golden.Occurrences(file, flow.Occurrences(file)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestLimitsHoldAndAreReached(t *testing.T) {
	questions := func(n int) string {
		var b strings.Builder
		b.WriteString("in any order all {")
		for i := range n {
			fmt.Fprintf(&b, " ask q%d \"?\" y -> next", i)
		}
		return b.String() + " } -> end\naccept end"
	}
	some := func(n int) string {
		text := "ask a \"?\" some"
		for i := range n {
			text += fmt.Sprintf(" a%d", i)
		}
		return text + " -> end\naccept end"
	}
	// A state for each set of remaining questions except the empty one, and for each
	// question with the set that remains after it.
	if f := compile(t, questions(flow.MaxAnyOrder)); len(f.States) != (1<<flow.MaxAnyOrder)-1+flow.MaxAnyOrder<<(flow.MaxAnyOrder-1)+1 {
		t.Errorf("%d states", len(f.States))
	}
	if f := compile(t, some(flow.MaxSome)); len(f.Letters()) != flow.MaxSome+1 {
		t.Errorf("%d letters", len(f.Letters()))
	}
	for _, c := range []struct {
		what, text string
		want       int
		code       string
	}{
		{"too many in any order", questions(flow.MaxAnyOrder + 1), 1, "limit.any-order"},
		{"too many together", some(flow.MaxSome + 1), 1, "limit.some"},
		{"lines that are none", strings.Repeat("x\naccept a\n", 49), 49, "flow.line"},
		{"more lines that are none", strings.Repeat("x\naccept a\n", 90), 50, "flow.line"},
		{"answers to nowhere", "ask a \"?\"" + strings.Repeat(" yes ->", 90) + " b accept b", 50, "flow.answer"},
		{"names twice", "ask a \"?\" y -> b accept b" + strings.Repeat(" accept b", 90), 50, "flow.twice"},
		{"unknown names", "accept b ask a \"?\"" + func() (text string) {
			for i := range 90 {
				text += fmt.Sprintf(" y%d -> nowhere", i)
			}
			return text
		}(), 50, "flow.unknown"},
		{"states that nothing leads to", "accept b ask a \"?\" y -> b" + func() (text string) {
			for i := range 90 {
				text += fmt.Sprintf(" ask a%d \"?\" y -> b", i)
			}
			return text
		}(), 50, "flow.unreachable"},
	} {
		syntax, found := flow.Parse(source.NewFile("t.flow", c.text))
		if len(found) == 0 {
			_, found = flow.Compile(syntax)
		}
		of := 0
		for _, d := range found {
			if d.Code == c.code {
				of++
			}
		}
		if of != c.want || len(found) != c.want {
			t.Errorf("%s: %d diagnostics, %d of them %s; want %d", c.what, len(found), of, c.code, c.want)
		}
	}
}

func FuzzFormattingKeepsTheMeaning(f *testing.F) {
	f.Add(risk)
	f.Add("ask a \"?\"\n some x as \"y\" z w -> b some c -> b\n some -> stop in any order d { ask e \"?\" some f g -> next h -> next } -> b accept b")
	f.Add("ask a \"?\" yes -> b as \"x\" \"no no\" -> stop\nstart a accept b stop c \"d\"")
	f.Fuzz(func(t *testing.T, text string) {
		syntax, found := flow.Parse(source.NewFile("f.flow", text))
		chart, more := flow.Compile(syntax)
		for _, d := range append(found, more...) {
			if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
				t.Fatalf("%s stands at %v in a text of %d bytes", d.Code, d.Span, len(text))
			}
		}
		formatted := syntax.Format()
		again, foundAgain := flow.Parse(source.NewFile("f.flow", formatted))
		if twice := again.Format(); twice != formatted {
			t.Fatalf("formatted\n%q\nbecomes\n%q", formatted, twice)
		}
		if source.HasErrors(found) {
			return
		}
		other, moreAgain := flow.Compile(again)
		if len(foundAgain) != len(found) || len(moreAgain) != len(more) || (chart == nil) != (other == nil) || chart != nil && written(chart) != written(other) {
			t.Fatalf("%q\nmeans something else than\n%q", formatted, text)
		}
		if chart != nil && !source.HasErrors(more) {
			chart.DFA()
			chart.Grammar()
		}
	})
}

// countWords returns the number of words of a length that an automaton accepts.
func countWords(d *automaton.DFA, length int) int {
	counts := make([]int, d.NumStates()) // of the words from each state
	for q := range counts {
		if d.Accepting(q) {
			counts[q] = 1
		}
	}
	for range length {
		longer := make([]int, d.NumStates())
		for q := range longer {
			for letter := range d.NumLetters() {
				longer[q] += counts[d.Next(q, letter)]
			}
		}
		counts = longer
	}
	return counts[d.Start()]
}
