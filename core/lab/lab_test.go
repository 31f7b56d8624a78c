package lab

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// small is an experiment with every section.
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

func TestExperimentIsParsed(t *testing.T) {
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

func TestInvalidExperimentIsReportedAtItsPlace(t *testing.T) {
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
		{"seeds that are not negative", "(:seeds 1 2)", "(:seeds 1 -2)", "lab.number", "-2"},
		{"seeds that a number holds", "(:seeds 1 2)", "(:seeds 99999999999999999999)", "lab.number", "99999999999999999999"},
		{"seeds once", "(:seeds 1 2)", "(:seeds 1 2 1)", "lab.twice", ":seeds"},
		{"tasks once", "(:pick 0 3)", "(:pick 0 3 3)", "lab.twice", ":pick"},
		{"counts within reason", "(:first 2)", "(:first 2000000000)", "lab.number", "2000000000"},
		{"at least one", "(:first 2)", "(:first 0)", "lab.number", "0"},
		{"as many at a time as there may be", "(:concurrent 2)", "(:concurrent 33)", "lab.number", "33"},
		{"money that is some", "(money 0.5)", "(money -0.5)", "lab.number", "money"},
		{"money that is a number", "(money 0.5)", "(money NaN)", "lab.number", "money"},
		{"calls that are some", "(calls 200)", "(calls 0)", "lab.number", "0"},
		{"known budgets", "(calls 200)", "(cals 200)", "lab.budget", "cals"},
		{"lists where lists are", "(calls 200)", "200", "lab.misplaced", "200"},
		{"models with names of their own", "(endpoint \"lab\"", "(endpoint \"rambler 0.5\"", "lab.twice", "(endpoint \"rambler 0.5\" (:only \"Formal-LLM\"))"},
		{"endpoints with names", "(endpoint \"lab\"", "(endpoint", "lab.model", "endpoint"},
		{"tasks with names", "(plans \"openagi-tasks\"", "(plans", "lab.tasks", "plans"},
		{"figures that numbers hold", "0.25", "1e999", "lab.number", "1e999"},
		{"kinds of problems only", "(:first 2)", "(:kind \"a\")", "lab.part", ":kind"},
		{"agents that are files", "(baseline zero-shot)", "(monitor \"react/react.agent\" (:agent \"a\" \"b\"))", "lab.agent", ":agent"},
		{"measures that something has", "score (:of", "scoer (:of", "lab.measure-unknown", "scoer"},
		{"models for methods that there are", "(:only \"Formal-LLM\")", "(:only \"Formal-LM\")", "lab.only", "(endpoint \"lab\" (:only \"Formal-LM\"))"},
		{"nothing without an end", "(:seeds 1 2)", strings.Repeat("(", 300), "sexpr.depth", "("},
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
		t.Errorf("a row without a matching method: %+v", found)
	}
}

// Files of the maximum length are parsed quickly, and each exceeded limit is reported once.
func TestLongListsAreTruncated(t *testing.T) {
	many := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	cases := []struct{ code, text string }{
		{"limit.models", `(:models ` + many(100_000, func(i int) string { return fmt.Sprintf("(endpoint \"e%d\")", i) }) + ")"},
		{"limit.methods", `(:methods ` + many(100_000, func(i int) string { return fmt.Sprintf("(plan (:name \"p%d\"))", i) }) + ")"},
		{"limit.tasks", `(:tasks ` + many(100_000, func(i int) string { return fmt.Sprintf("(plans \"p%d\")", i) }) + ")"},
		{"limit.seeds", `(:seeds ` + many(400_000, func(i int) string { return strconv.Itoa(i) + " " }) + ")"},
		{"limit.columns", `(:measures ` + many(400_000, func(int) string { return "valid " }) + ")"},
		{"limit.rows", `(:methods (plan)) (:measures valid) (:reference (table "a" ` + many(100_000, func(int) string { return `(row "plan" "m" 1)` }) + "))"},
		{"limit.file", many(source.MaxFileSize, func(int) string { return "(" })},
		{"sexpr.depth", many(source.MaxFileSize-100, func(int) string { return "(" })},
	}
	for i := 0; i < len(cases); i += effort.Step(3) {
		c := cases[i]
		_, found := Parse(source.NewFile("x.lab", "(experiment a "+c.text+")"))
		n := 0
		for _, d := range found {
			if d.Code == c.code {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is said %d times, beside %d others", c.code, n, len(found)-n)
		}
	}
}

// Missing tasks and duplicate cells are reported at their lines.
func TestMissingTasksAreReportedAtTheirPlace(t *testing.T) {
	files := append([]workspace.File{
		{Name: "bad/tasks.json", Text: "{"}, {Name: "q.jsonl", Text: "{\"question\":\"a\",\"group\":\"g\"}\n\n{\"question\":"}, {Name: "ok.jsonl", Text: "{\"question\":\"a\",\"group\":\"g\"}\n"},
		{Name: "none.jsonl", Text: "\n"}, {Name: "llmfp/coffee.json", Text: "{}"}, {Name: "travelplanner/queries.json", Text: "[]"},
	}, twelveFiles...)
	for _, c := range []struct{ old, new, code, says, at string }{
		{`(plans "things")`, `(plans "thing")`, "lab.tasks", `line 2 of x.lab: the workspace has no file "thing/tasks.json"`, `(plans "thing")`},
		{`(plans "things")`, `(plans "bad")`, "lab.tasks", "line 2 of x.lab: bad/tasks.json is not a list of tasks", `(plans "bad")`},
		{`(plans "things")`, `(plans "things" (:pick 0 7))`, "lab.tasks", "unknown task 7 of things: it has 3", `(plans "things" (:pick 0 7))`},
		{`(plans "things")`, `(plans "things") (plans "things" (:pick 1))`, "lab.twice", "duplicate cell: zero-shot | first | things 1 | 1", `(plans "things" (:pick 1))`},
		{`(plans "things")`, `(questions "nowhere.jsonl")`, "lab.tasks", `no file "nowhere.jsonl"`, `(questions "nowhere.jsonl")`},
		{`(plans "things")`, `(questions "q.jsonl")`, "lab.tasks", "q.jsonl, line 3", `(questions "q.jsonl")`},
		{`(plans "things")`, `(questions "none.jsonl")`, "lab.tasks", "no matching tasks in none.jsonl", `(questions "none.jsonl")`},
		{`(plans "things")`, `(benchmark apibank)`, "lab.tasks", "level3.jsonl", `(benchmark apibank)`},
		{`(plans "things")`, `(benchmark travelplanner)`, "lab.tasks", "no matching tasks in travelplanner", `(benchmark travelplanner)`},
		{`(plans "things")`, `(problems gripper)`, "lab.tasks", "no data of gripper", `(problems gripper)`},
		{`(plans "things")`, `(problems coffee)`, "", "", `(problems coffee)`},
		{`(plans "things")) (:methods (baseline zero-shot)`, `(questions "ok.jsonl")) (:methods (monitor "a/b.agent")`, "lab.agent", `no file "a/b.agent"`, `(monitor "a/b.agent")`},
	} {
		text := strings.Replace(strings.Replace(twelve, ")\n  (:methods", ") (:methods", 1), c.old, c.new, 1)
		x, found := Parse(source.NewFile("x.lab", text))
		if source.HasErrors(found) {
			t.Fatalf("%+v", found)
		}
		_, _, err := x.Cells(files, Settings{})
		var fault *source.Error
		if !errors.As(err, &fault) || fault.File == nil || len(fault.Diagnostics) != 1 || c.code != "" && fault.ID != c.code || !strings.Contains(fault.Message, c.says) {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		if at := fault.Diagnostics[0].Span; text[at.Start:at.End] != c.at {
			t.Errorf("%s: it is said at %q", c.new, text[at.Start:at.End])
		}
	}
	// The maximum number of cells is accepted, and one more is rejected before their
	// files are read.
	seeds := make([]uint64, MaxCells/6+1)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	x := parsed(t, twelve)
	if cells, _, err := x.Cells(twelveFiles, Settings{Seeds: seeds[:len(seeds)-1]}); err != nil || len(cells) != MaxCells/6*6 {
		t.Errorf("%d cells, %v", len(cells), err)
	}
	if _, _, err := x.Cells(twelveFiles, Settings{Seeds: seeds}); err == nil || !strings.Contains(err.Error(), "at most 20000 cells") {
		t.Errorf("%v", err)
	}
	if _, _, err := x.Cells(twelveFiles, Settings{Seeds: []uint64{4, 4}}); err == nil || !strings.Contains(err.Error(), "duplicate cell") {
		t.Errorf("%v", err)
	}
	if _, notes, err := parsed(t, strings.Replace(twelve, "valid calls)", "valid) (:concurrent 1))", 1)[:strings.Index(twelve, "(:measures")]+`(:columns ("a" valid (:of "Task 9"))))`).Cells(twelveFiles, Settings{}); err != nil || len(notes) != 1 || !strings.Contains(notes[0], `Unknown group "Task 9" in the column "a"`) {
		t.Errorf("%q %v", notes, err)
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
	// Numbers that are all the same have no interval, however they are written in binary.
	for _, x := range []float64{0.1, 0.7, 1.0 / 3, 1e-9, 123456.789} {
		for n := 1; n < 40; n++ {
			if mean, low, high := Mean(slices.Repeat([]float64{x}, n)); mean != x || low != x || high != x {
				t.Errorf("%d times %v: %v from %v to %v", n, x, mean, low, high)
			}
		}
	}
	for n := 1.0; n < 1e6; n *= 3 {
		if low, _ := Wilson(0, n); low != 0 {
			t.Errorf("none of %v: from %v", n, low)
		}
		if _, high := Wilson(n, n); high != 1 {
			t.Errorf("all of %v: to %v", n, high)
		}
	}
	// Values of statistical tables, and values beyond them.
	for freedom, want := range map[int]float64{1: 12.7062, 2: 4.3027, 5: 2.5706, 10: 2.2281, 20: 2.0860, 30: 2.0423, 31: 2.0395, 35: 2.0301, 50: 2.0086, 1000: 1.9623, 40: 2.0211, 60: 2.0003, 120: 1.9799} {
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

func TestTableFormatsAgree(t *testing.T) {
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

4 of 6 cells, 1 failed; in brackets the interval at 95 %. Published figures are in italics.

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
	// The cells may end in any order.
	backwards := made()
	backwards = append(backwards, Outcome{Key: "x", Method: "zero-shot", Model: "rambler 0.5", State: StateDone}, Outcome{Key: "y", Method: "zero-shot", Model: "lab", State: StateDone})
	forwards := x.Table(backwards).CSV()
	slices.Reverse(backwards)
	if got := x.Table(backwards).CSV(); got != forwards || strings.Index(got, "zero-shot,rambler") > strings.Index(got, "zero-shot,lab") {
		t.Errorf("backwards it is\n%s", got)
	}
	x.Across = "methods"
	if turned := x.Table(made()).Markdown(); !strings.Contains(turned, "|  | zero-shot, m | zero-shot, *GPT* | Formal-LLM, m | trained, *GPT* |\n|---|---:|---:|---:|---:|\n| valid | 50 % (9.5–90.5) | *53 %* |") {
		t.Errorf("%s", turned)
	}
}

// In each export format, every line has the same number of columns, and names and texts
// with any characters survive.
func TestTableFormatsRoundTrip(t *testing.T) {
	nasty := "a|b,c \\ \"d\" *e* _f_ `g` <b>h</b> [i](j) ~~k~~ &amp;"
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(nasty)
	text := strings.Replace(strings.Replace(twelve, `(baseline zero-shot)`, `(baseline zero-shot (:name "`+quoted+`"))`, 1), "(:measures valid calls)", `(:columns ("`+quoted+`" valid))`, 1)
	x := parsed(t, text)
	list := []Outcome{{Key: "k", Method: nasty, Model: nasty, Group: nasty, Task: nasty + "\nand a line", State: StateDone, Reason: nasty + "\u2028", Measures: []Measure{yes("valid", true), number("cost", 2.5e-7)}}}
	markdown, err := x.Export(list, FormMarkdown)
	if err != nil {
		t.Fatal(err)
	}
	escaped := "a\\|b,c \\\\ \"d\" \\*e\\* \\_f\\_ \\`g\\` &lt;b>h&lt;/b> \\[i](j) \\~~k\\~~ &amp;amp;"
	if want := "| method | model | " + escaped + " | cells |\n|---|---|---:|---:|\n| " + escaped + " | " + escaped + " | 100 % | 1 |\n"; !strings.HasPrefix(markdown, want) {
		t.Errorf("%s\nnot\n%s", markdown, want)
	}
	sheet, err := x.Export(list, FormCSV)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(sheet)).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[1]) != 9 || rows[0][3] != nasty || rows[1][0] != nasty || rows[1][1] != nasty {
		t.Errorf("%v: %q", err, rows)
	}
	lines, err := x.Export(list, FormJSONL)
	if err != nil || strings.Count(lines, "\n") != 1 {
		t.Fatalf("%v: %q", err, lines)
	}
	var back Outcome
	if err := json.Unmarshal([]byte(lines), &back); err != nil || !reflect.DeepEqual(back, list[0]) {
		t.Errorf("%v: %+v", err, back)
	}
	for f, want := range map[float64]string{0: "0", 2.5e-7: "0.00000025", 1.0 / 3: "0.333333", 1e6: "1000000", 0.005: "0.005", 12.5: "12.5"} {
		if got := plain(f); got != want {
			t.Errorf("%v is written %s", f, got)
		}
	}
	for _, c := range []struct {
		v         Value
		published bool
		want      string
	}{
		{Value{}, false, "–"}, {Value{Known: true, Share: true, Value: 2.0 / 3, Low: 0.2077, High: 0.9386, N: 3}, false, "66.7 % (20.8–93.9)"},
		{Value{Known: true, Share: true, Value: 1, Low: 1, High: 1, N: 1}, false, "100 %"}, {Value{Known: true, Value: 0.4567, N: 1}, false, "0.457"},
		{Value{Known: true, Value: 99.96, Low: 9.996, High: 1234.5, N: 4}, false, "100 (10–1234)"}, {Value{Known: true, Value: 0.00025, N: 1}, false, "0.00025"},
		{Value{Known: true, Value: 0.3056}, true, "0.3056"}, {Value{Known: true, Share: true, Value: 0.1428}, true, "14.28 %"}, {Value{Known: true, Share: true, Value: 0.1}, true, "10 %"},
	} {
		if got := c.v.figure(c.published); got != c.want {
			t.Errorf("%+v is %q, not %q", c.v, got, c.want)
		}
	}
	for _, bad := range []string{
		`{"key":"a","state":"running","measures":[]}`, `{"key":"a","state":"done","measures":[{"name":"valid","count":2,"of":1}]}`, `{"key":"a","state":"done","measures":[{"name":"calls","count":-1}]}`,
		`{"key":"a","state":"done","measures":[]},{"key":"a","state":"done","measures":[]}`,
	} {
		head, err := json.Marshal(twelve)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadResults(`{"version":1,"experiment":` + string(head) + `,"outcomes":[` + bad + `]}`); err == nil || !strings.Contains(err.Error(), `cell "a"`) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Tokens cover each character at most once and in order, for any text.
func FuzzTokensAreInOrder(f *testing.F) {
	f.Add(small)
	f.Add("(experiment ; ü\n \"ü (")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("x.lab", text)
		at := source.Pos(0)
		for _, token := range Tokens(file) {
			if token.Span.Start < at || token.Span.End <= token.Span.Start || int(token.Span.End) > len(text) {
				t.Fatalf("%q: %+v stands after %d", text, token, at)
			}
			at = token.Span.End
		}
	})
}

func FuzzFormattingKeepsTheMeaning(f *testing.F) {
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

func TestReasonsHideEndpointAddresses(t *testing.T) {
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
