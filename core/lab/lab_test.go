package lab

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
)

// small is an experiment in which every section is.
const small = `; a comment
(experiment small
  (:title "Two ways")
  (:note "Nothing is the same.")
  (:tasks (plans "openagi-tasks" (:pick 0 3)) (benchmark apibank (:first 2)))
  (:methods (baseline zero-shot) (plan (:name "Formal-LLM") (:otherwise first)))
  (:models (simulated rambler 0.5) (endpoint "lab" (:only "Formal-LLM")))
  (:seeds 1 2)
  (:columns ("valid" valid) ("calls, in all" calls (:sum)) ("Task 3" score (:of "Task 3")))
  (:budget (calls 200) (money 0.5))
  (:concurrent 2)
  (:reference
    (table "Paper, table 1"
      (:source "somebody")
      (row "zero-shot" "GPT" 53% - 0.25)
      (row "trained" "GPT" - 4 -))))
`

func parsed(t *testing.T, text string) *Experiment {
	t.Helper()
	x, found := Parse(source.NewFile("x.lab", text))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	return x
}

func TestAnExperimentIsWhatItSays(t *testing.T) {
	x := parsed(t, small)
	if x.Name != "small" || x.Title != "Two ways" || len(x.Sources) != 2 || len(x.Methods) != 2 || len(x.Models) != 2 || len(x.Columns) != 3 ||
		x.Budget.Calls != 200 || x.Budget.Money != 0.5 || x.Concurrent != 2 || len(x.Seeds) != 2 {
		t.Errorf("%+v", x)
	}
	if row := x.References[0].Rows[0]; row.Method != "zero-shot" || *row.Values[0] != (Figure{0.53, true}) || row.Values[1] != nil {
		t.Errorf("%+v", row)
	}
	if again := parsed(t, x.Format()); again.Format() != x.Format() || again.Name != x.Name || len(again.References[0].Rows) != 2 {
		t.Errorf("formatted it is\n%s", x.Format())
	}
	if needs := x.Needs(nil); strings.Join(needs, " ") != "openagi-tasks apibank" {
		t.Errorf("needs %q", needs)
	}
}

func TestWhatIsWrongWithAnExperimentIsSaidAtItsPlace(t *testing.T) {
	for _, c := range []struct{ law, old, new, code, at string }{
		{"an experiment is there", small, "", "lab.empty", ""},
		{"it begins with its word", "(experiment small", "(experimental small", "lab.experiment", "experimental"},
		{"a name", "(experiment small", "(experiment", "lab.name", "experiment"},
		{"known sections", "(:seeds", "(:sedes", "lab.section", ":sedes"},
		{"sections once", "(:concurrent 2)", "(:title \"b\")", "lab.twice", ":title"},
		{"tasks", "(:tasks (plans \"openagi-tasks\" (:pick 0 3)) (benchmark apibank (:first 2)))", "", "lab.missing", "experiment"},
		{"known kinds of tasks", "(plans", "(planes", "lab.tasks", "planes"},
		{"known benchmarks", "apibank", "apibanc", "lab.benchmark", "apibanc"},
		{"known methods", "(baseline zero-shot)", "(baselines zero-shot)", "lab.method", "baselines"},
		{"known ways", "zero-shot)", "zeroshot)", "lab.method", "zeroshot"},
		{"parts that the method has", "(:otherwise first)", "(:samples 5)", "lab.part", ":samples"},
		{"methods with names of their own", "(plan (:name \"Formal-LLM\")", "(plan (:name \"zero-shot\")", "lab.twice", "(plan (:name \"zero-shot\") (:otherwise first))"},
		{"known models", "(simulated rambler 0.5)", "(simulated ramble 0.5)", "lab.model", "ramble"},
		{"a rate that is one", "rambler 0.5", "rambler 5", "lab.model", "simulated"},
		{"numbers", "(:seeds 1 2)", "(:seeds 1 two)", "lab.number", "two"},
		{"columns with measures", "(\"valid\" valid)", "(valid)", "lab.column", "valid"},
		{"as many figures as columns", "53% - 0.25", "53% -", "lab.row", "row"},
		{"figures that are numbers", "0.25", "much", "lab.number", "much"},
		{"closed lists", "(:seeds 1 2)", "(:seeds 1 2", "sexpr.open", "("},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		_, found := Parse(source.NewFile("x.lab", text))
		ok := false
		for _, d := range found {
			ok = ok || d.Code == c.code && text[d.Span.Start:d.Span.End] == c.at
		}
		if !ok {
			t.Errorf("%s: %+v", c.law, found)
		}
	}
	if _, found := Parse(source.NewFile("x.lab", strings.Replace(small, `(row "zero-shot"`, `(row "zeroshot"`, 1))); len(found) != 1 || found[0].Code != "lab.reference-method" {
		t.Errorf("a row that stands beside nothing: %+v", found)
	}
}

// near reports whether two numbers are the same to three decimals.
func near(a, b float64) bool { return math.Abs(a-b) < 0.0005 }

func TestIntervalsAreThoseOfTheTextbooks(t *testing.T) {
	for _, c := range []struct{ count, of, low, high float64 }{
		{0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {1, 30, 0.0059, 0.1667}, {0, 0, 0, 1}, {81, 263, 0.2553, 0.3662},
	} {
		if low, high := Wilson(c.count, c.of); !near(low, c.low) || !near(high, c.high) {
			t.Errorf("%v of %v: from %v to %v", c.count, c.of, low, high)
		}
	}
	for _, c := range []struct {
		list            []float64
		mean, low, high float64
	}{
		{nil, 0, 0, 0}, {[]float64{4}, 4, 4, 4}, {[]float64{1, 2, 3}, 2, -0.484, 4.484}, {[]float64{5, 5, 5, 5}, 5, 5, 5},
	} {
		if mean, low, high := Mean(c.list); !near(mean, c.mean) || !near(low, c.low) || !near(high, c.high) {
			t.Errorf("%v: %v from %v to %v", c.list, mean, low, high)
		}
	}
	// Beyond the table as statistical tables have it.
	for freedom, want := range map[int]float64{31: 2.0395, 40: 2.0211, 60: 2.0003, 120: 1.9799} {
		if got := quantile(freedom); !near(got, want) {
			t.Errorf("with %d degrees of freedom %v, not %v", freedom, got, want)
		}
	}
}

// made are outcomes as runs make them.
func made() []Outcome {
	one := func(method, group string, valid bool, score, calls float64) Outcome {
		return Outcome{Method: method, Model: "m", Group: group, State: StateDone, Measures: []Measure{yes("valid", valid), number("score", score), number("calls", calls)}}
	}
	list := []Outcome{
		one("zero-shot", "Task 3", true, 0.5, 1), one("zero-shot", "Task 2", false, 0, 1), one("Formal-LLM", "Task 3", true, 1, 4), one("Formal-LLM", "Task 3", true, 0.5, 6),
		{Method: "zero-shot", Model: "m", Group: "Task 3", State: StateFailed, Reason: "no network"}, {Method: "Formal-LLM", Model: "m", Group: "Task 3", State: StateQueued},
	}
	for i := range list {
		list[i].Key = strconv.Itoa(i)
	}
	return list
}

func TestATableIsTheSameInEveryForm(t *testing.T) {
	x := parsed(t, small)
	markdown, err := x.Export(made(), FormMarkdown)
	if err != nil {
		t.Fatal(err)
	}
	const want = `### Two ways

| method | model | valid | calls, in all | Task 3 | cells |
|---|---|---:|---:|---:|---:|
| zero-shot | m | 50 % (9.5–90.5) | 2 | 0.5 | 2 |
| zero-shot | *GPT* | *53 %* | – | *0.25* |  |
| Formal-LLM | m | 100 % (34.2–100) | 10 | 0.75 (0–1) | 2 |
| trained | *GPT* | – | *4* | – |  |

4 of 6 cells, 1 failed; in brackets the interval at 95 %. In italics what was published.

Nothing is the same.

Paper, table 1: somebody
`
	if markdown != want {
		t.Errorf("%s", markdown)
	}
	csv, err := x.Export(made(), FormCSV)
	if err != nil || !strings.HasPrefix(csv, "method,model,published in,valid,valid low,valid high,valid n,\"calls, in all\",") ||
		!strings.Contains(csv, "\r\nzero-shot,GPT,\"Paper, table 1\",0.53,,,,,,,,0.25,,,,0,0\r\n") {
		t.Errorf("%v\n%s", err, csv)
	}
	lines, err := x.Export(made(), FormJSONL)
	if err != nil || strings.Count(lines, "\n") != 6 || !strings.Contains(lines, `"reason":"no network"`) {
		t.Errorf("%v\n%s", err, lines)
	}
	results, err := x.Export(made(), FormResults)
	if err != nil {
		t.Fatal(err)
	}
	other, outcomes, err := ReadResults(results)
	if err != nil || len(outcomes) != 5 || other.Table(outcomes).CSV() != csv {
		t.Errorf("%v, %d outcomes", err, len(outcomes))
	}
	for _, bad := range []string{"", "{}", `{"version":1,"experiment":"(","outcomes":[]}`} {
		if _, _, err := ReadResults(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := x.Export(nil, "pdf"); err == nil {
		t.Error("there is no such form")
	}
	x.Across = "methods"
	if turned := x.Table(made()).Markdown(); !strings.Contains(turned, "|  | zero-shot, m | zero-shot, *GPT* | Formal-LLM, m | trained, *GPT* |\n|---|---:|---:|---:|---:|\n| valid | 50 % (9.5–90.5) | *53 %* |") {
		t.Errorf("%s", turned)
	}
}

func FuzzWhatParsesFormatsToItself(f *testing.F) {
	f.Add(small)
	f.Add("(experiment a (:tasks (problems coffee (:kind \"x\"))) (:methods (formulate cot)) (:models (simulated first)) (:measures valid score))")
	f.Fuzz(func(t *testing.T, text string) {
		x, found := Parse(source.NewFile("x.lab", text))
		if source.HasErrors(found) {
			return
		}
		once := x.Format()
		y, found := Parse(source.NewFile("x.lab", once))
		if source.HasErrors(found) || y.Format() != once || len(y.Methods) != len(x.Methods) || len(y.Columns) != len(x.Columns) {
			t.Errorf("%q becomes %q, %+v", text, once, found)
		}
	})
}

func TestReasonsDoNotSayWhereAnEndpointIs(t *testing.T) {
	for _, c := range []struct{ url, text, want string }{
		{"http://10.1.2.3:8000/v1", `Post "http://10.1.2.3:8000/v1/chat/completions": dial tcp 10.1.2.3:8000: refused`, `Post "(its address)": dial tcp (its address): refused`},
		{"https://me:secret@lab.example/api?key=1", "at https://me:***@lab.example/api?key=1. Is lab.example there?", "at (its address). Is (its address) there?"},
		{"http://a/v1", "a “http://a/v1/models”, says a: an address", "(its address) “(its address)”, says (its address): an address"},
		{"https://lab.example", "nothing", "nothing"}, {"https://", "nothing", "nothing"}, {"", "nothing", "nothing"},
	} {
		if got := withoutAddress(c.text, &llm.Endpoint{URL: c.url}); got != c.want {
			t.Errorf("%s: %s", c.url, got)
		}
	}
}
