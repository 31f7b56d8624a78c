package apibank_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/apibank"
	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

func benchmark(t testing.TB) *apibank.Simulator {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../grammars/apibank/level3.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := apibank.ReadTasks(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return apibank.NewSimulator(tasks)
}

// perfect returns the transcripts of an agent that makes the gold calls and gives the reference
// responses.
func perfect(s *apibank.Simulator) []apibank.Transcript {
	var out []apibank.Transcript
	for _, task := range s.Tasks() {
		t := apibank.Transcript{Sample: task.Sample, Response: task.Response}
		for _, g := range task.Calls {
			t.Calls = append(t.Calls, apibank.Made{Text: "I call " + written(g) + "."})
		}
		out = append(out, t)
	}
	return out
}

// written is a gold call in the benchmark's notation.
func written(g apibank.Gold) string {
	c, err := apibank.CallOf(g.Name, g.Input)
	if err != nil {
		panic(err)
	}
	return c.String()
}

func score(t *testing.T, s *apibank.Simulator, list []apibank.Transcript) apibank.Scores {
	t.Helper()
	scores, err := s.Score(list)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

func TestBenchmarkHas50TasksAnd245Calls(t *testing.T) {
	s := benchmark(t)
	tasks, calls, searches := s.Tasks(), 0, 0
	for _, task := range tasks {
		calls += len(task.Calls)
		for _, g := range task.Calls {
			if g.Name == apibank.Searcher {
				searches++
			}
		}
	}
	if len(tasks) != 50 || calls != 245 || searches != 114 || len(s.Specs()) != 21 {
		t.Errorf("%d tasks, %d calls, %d searches, %d tools", len(tasks), calls, searches, len(s.Specs()))
	}
}

func TestPerfectTranscriptHasFullScore(t *testing.T) {
	s := benchmark(t)
	scores := score(t, s, perfect(s))
	whole := bench.Rate{Count: 245, Of: 245, Share: 1}
	if scores.Correctness != whole || scores.Completeness != whole || scores.Accuracy != whole || scores.Repeats != 0 ||
		scores.SampleAccuracy != (bench.Rate{Count: 50, Of: 50, Share: 1}) || math.Abs(scores.Rouge-1) > 1e-7 {
		scores.Tasks = nil
		t.Errorf("%+v", scores)
	}
	for _, task := range scores.Tasks {
		if !task.Accurate || len(task.Missing) > 0 || math.Abs(task.Rouge.F-1) > 1e-7 {
			t.Errorf("%+v", task)
		}
	}
	none := score(t, s, nil)
	if none.Correctness != (bench.Rate{}) || none.Completeness != (bench.Rate{Of: 245}) || none.SampleAccuracy.Count != 0 || none.Rouge != 0 {
		t.Errorf("%+v", none.Completeness)
	}
}

// PMC's figures for completeness are shares of 245 calls.
func TestCompletenessCounts245Calls(t *testing.T) {
	s := benchmark(t)
	for _, c := range []struct {
		made int
		want string
	}{{157, "64.08"}, {117, "47.76"}, {143, "58.37"}, {173, "70.61"}} {
		list, left := perfect(s), c.made
		for i := range list {
			n := min(left, len(list[i].Calls))
			list[i].Calls, left = list[i].Calls[:n], left-n
		}
		if got := fmt.Sprintf("%.2f", 100*score(t, s, list).Completeness.Share); got != c.want {
			t.Errorf("%d calls are %s %%, not %s", c.made, got, c.want)
		}
	}
}

// moved lists how the scores differ from those of a perfect transcript.
type moved struct {
	correct, made, repeats, inPlace, accurate int
	rouge                                     bool
}

func of(s apibank.Scores) moved {
	return moved{s.Correctness.Count, s.Correctness.Of, s.Repeats, s.Accuracy.Count, s.SampleAccuracy.Count, math.Abs(s.Rouge-1) > 1e-7}
}

func TestCorruptionsChangeOnlyTheirMeasures(t *testing.T) {
	s := benchmark(t)
	tasks := s.Tasks()
	whole := perfect(s)
	same := of(score(t, s, whole))
	corruptions := []struct {
		name    string
		corrupt func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) (want moved)
	}{
		{"a call is left out", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			at := r.IntN(len(t.Calls))
			for i := range t.Calls {
				t.Calls[i].Gold = i + 1
			}
			t.Calls = append(t.Calls[:at], t.Calls[at+1:]...)
			return moved{correct: -1, made: -1, inPlace: -1, accurate: -1}
		}},
		{"a call is made again, at the end", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			again := t.Calls[r.IntN(len(t.Calls))]
			again.Gold = 0
			t.Calls = append(t.Calls, again)
			return moved{made: 1, repeats: 1, accurate: -1}
		}},
		{"a call of a tool that is not there, at the end", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			t.Calls = append(t.Calls, apibank.Made{Name: fmt.Sprintf("Oracle%d", r.IntN(1000)), Input: json.RawMessage(`{"q": "why?"}`)})
			return moved{made: 1, accurate: -1}
		}},
		{"a text of an input is another", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			at := notSearch(task, r)
			c, _ := apibank.CallOf(task.Calls[at].Name, task.Calls[at].Input)
			a := &c.Arguments[r.IntN(len(c.Arguments))]
			a.Value = json.RawMessage(fmt.Sprintf(`"someone else %d"`, r.IntN(1000)))
			t.Calls[at] = apibank.Made{Text: c.String()}
			return moved{correct: -1, inPlace: -1, accurate: -1}
		}},
		{"a parameter is missing", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			at := notSearch(task, r)
			c, _ := apibank.CallOf(task.Calls[at].Name, task.Calls[at].Input)
			i := r.IntN(len(c.Arguments))
			c.Arguments = append(c.Arguments[:i], c.Arguments[i+1:]...)
			t.Calls[at] = apibank.Made{Text: c.String()}
			return moved{correct: -1, inPlace: -1, accurate: -1}
		}},
		{"a search for something else", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			for {
				at := r.IntN(len(task.Calls))
				if task.Calls[at].Name == apibank.Searcher {
					t.Calls[at] = apibank.Made{Text: "[ToolSearcher(keywords='zzz " + fmt.Sprint(r.IntN(1000)) + "')]"}
					return moved{correct: -1, inPlace: -1, accurate: -1}
				}
			}
		}},
		{"a search in other words", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			for at, g := range task.Calls {
				if g.Name == apibank.Searcher {
					var in struct {
						Keywords string `json:"keywords"`
					}
					_ = json.Unmarshal(g.Input, &in)
					t.Calls[at] = apibank.Made{Text: "[ToolSearcher(keywords='" + strings.ToLower(in.Keywords) + " tool')]"}
				}
			}
			return moved{}
		}},
		{"an output is claimed that never came", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			g := task.Calls[r.IntN(len(task.Calls))]
			for i := range task.Calls {
				if string(task.Calls[i].Input) == string(g.Input) && task.Calls[i].Name == g.Name {
					t.Calls[i] = apibank.Made{Name: g.Name, Input: g.Input, Output: json.RawMessage(`{"made": "up"}`)}
				}
			}
			return moved{correct: -1, inPlace: -1, accurate: -1}
		}},
		{"an exception is claimed", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			at := r.IntN(len(task.Calls))
			g := task.Calls[at]
			t.Calls[at] = apibank.Made{Name: g.Name, Input: g.Input, Output: g.Output, Exception: json.RawMessage(`"no"`)}
			return moved{correct: -1, inPlace: -1, accurate: -1}
		}},
		{"two calls are exchanged", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			i := r.IntN(len(t.Calls) - 1)
			t.Calls[i], t.Calls[i+1] = t.Calls[i+1], t.Calls[i]
			return moved{inPlace: -2, accurate: -1}
		}},
		{"a call is broken off", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			at := r.IntN(len(t.Calls))
			text := t.Calls[at].Text
			t.Calls[at].Text = text[:strings.IndexByte(text, '=')+2]
			return moved{correct: -1, inPlace: -1, accurate: -1}
		}},
		{"the answer has a word too many", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			t.Response += " indeed"
			return moved{rouge: true}
		}},
		{"the speakers are named", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			t.Response = "AI: " + t.Response
			return moved{}
		}},
		{"numbers are quoted, texts that are numbers are not", func(t *apibank.Transcript, task apibank.Task, r *rand.Rand) moved {
			for i, g := range task.Calls {
				c, _ := apibank.CallOf(g.Name, g.Input)
				for j, a := range c.Arguments {
					if a.Value[0] != '"' && a.Value[0] != '[' {
						c.Arguments[j].Value = json.RawMessage(`"` + string(a.Value) + `"`)
					} else if text := strings.Trim(string(a.Value), `"`); text != "" && strings.Trim(text, "0123456789") == "" && text[0] != '0' {
						c.Arguments[j].Value = json.RawMessage(text)
					}
				}
				t.Calls[i] = apibank.Made{Text: c.String()}
			}
			return moved{}
		}},
	}
	total, step := 0, effort.SampleStep(5, 10)
	for k, c := range corruptions {
		for i := k % step; i < len(tasks); i += step {
			task := tasks[i]
			for seed := range uint64(2) {
				list := slices.Clone(whole)
				list[i].Calls = slices.Clone(list[i].Calls)
				want := c.corrupt(&list[i], task, rand.New(rand.NewPCG(seed, uint64(100*k+i))))
				got := of(score(t, s, list))
				want = moved{same.correct + want.correct, same.made + want.made, same.repeats + want.repeats, same.inPlace + want.inPlace, same.accurate + want.accurate, want.rouge}
				if got != want {
					t.Errorf("%s, sample %d, seed %d: %+v, not %+v", c.name, task.Sample, seed, got, want)
				}
				total++
			}
		}
	}
	if total != len(corruptions)*100/step {
		t.Errorf("%d corruptions were tried", total)
	}
}

// notSearch draws a call that is no search.
func notSearch(task apibank.Task, r *rand.Rand) int {
	for {
		if at := r.IntN(len(task.Calls)); task.Calls[at].Name != apibank.Searcher {
			return at
		}
	}
}

func TestSearchesFindToolsByGoldAndOtherWords(t *testing.T) {
	s := benchmark(t)
	for _, task := range s.Tasks() {
		for _, g := range task.Calls {
			c, _ := apibank.CallOf(g.Name, g.Input)
			if got := s.Do(c); string(got.Output) != string(g.Output) || string(got.Exception) != string(g.Exception) {
				t.Errorf("%s: %s", written(g), got.Output)
			}
		}
	}
	for keywords, want := range map[string]string{
		"query meeting": "QueryMeeting", "email reminders": "EmailReminder", "weather coordinates": "GetWeatherForCoordinates", "geo coding": "Geocoding",
		"tax": "TaxCalculator", "nearby restaurant": "NearbyRestaurants", "flight_search": "FlightSearch", "movie recommendation": "MovieRecommendations", "calculator": "Calculator",
	} {
		if spec, near := s.Nearest(keywords); spec.Name != want || near <= 0 || near > 1 {
			t.Errorf("%q finds %s (%.2f), not %s", keywords, spec.Name, near, want)
		}
	}
	if spec, near := s.Nearest("zzz"); near != 0 {
		t.Errorf("%s is like zzz", spec.Name)
	}
}

func TestUnrecordedCallIsException(t *testing.T) {
	s := benchmark(t)
	for _, c := range []struct{ call, code, says string }{
		{`[Teleport(to='Paris')]`, apibank.CodeTool, "unknown tool"},
		{`[QueryMeeting(name='John')]`, apibank.CodeParameter, `no parameter "name" (expected user_name)`},
		{`[QueryMeeting()]`, apibank.CodeParameter, "QueryMeeting: missing user_name"},
		{`[QueryMeeting(user_name='Nobody')]`, apibank.CodeInput, "no recorded result of QueryMeeting"},
		{`[ToolSearcher(keywords='')]`, apibank.CodeParameter, "missing keywords"},
		{`[ToolSearcher(words='x')]`, apibank.CodeParameter, "(expected keywords)"},
		{`[ToolSearcher(keywords='zzz')]`, apibank.CodeTool, "no tool matches"},
	} {
		call, fault := apibank.ParseCall(c.call)
		if fault != nil {
			t.Fatal(fault)
		}
		got := s.Do(call)
		if !got.Failed() || got.Code != c.code || !strings.Contains(strings.ReplaceAll(string(got.Exception), `\"`, `"`), c.says) || string(got.Output) != "null" {
			t.Errorf("%s: %+v %s", c.call, got, got.Exception)
		}
	}
}

func TestToolsOfARunAnswerFromTheRecords(t *testing.T) {
	s := benchmark(t)
	var r tool.Registry
	for _, c := range s.Tools() {
		if err := r.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	for _, task := range s.Tasks() {
		for _, g := range task.Calls {
			got, err := r.Run(nil, g.Name, g.Input)
			if err != nil || got.Err != nil || got.Left > 0 {
				t.Errorf("%s: %+v %v", written(g), got, err)
			}
		}
	}
	if got, _ := r.Run(nil, "QueryMeeting", json.RawMessage(`{"user_name": "Nobody"}`)); got.Err == nil || got.Err.Code != apibank.CodeInput {
		t.Errorf("%+v", got)
	}
	if got, _ := r.RunText(nil, "tool searcher", "weather"); got.Err != nil || !strings.Contains(got.Text, "GetWeatherForCoordinates") {
		t.Errorf("%+v", got)
	}
}

// testdata/rouge.jsonl has the scores that the benchmark's package computes.
func TestRougeLIsThatOfTheBenchmark(t *testing.T) {
	text, err := os.ReadFile("testdata/rouge.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(text)) {
		var c struct {
			Reference, Candidate string
			F, P, R              float64
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		count++
		got := apibank.RougeL(c.Reference, c.Candidate)
		if math.Abs(got.Precision-c.P) > 1e-12 || math.Abs(got.Recall-c.R) > 1e-12 || math.Abs(got.F-c.F) > 1e-12 {
			t.Errorf("%q for %q: %+v, not %v, %v, %v", c.Candidate, c.Reference, got, c.P, c.R, c.F)
		}
	}
	if count != 73 {
		t.Errorf("%d scores", count)
	}
	for _, c := range [][2]string{{"", "y"}, {"x", "..."}} {
		if got := apibank.RougeL(c[0], c[1]); got != (apibank.Rouge{}) {
			t.Errorf("%q: %+v", c, got)
		}
	}
	long := strings.Repeat("a b ", 10_000)
	if got := apibank.RougeL(long, long); math.Abs(got.F-1) > 1e-7 {
		t.Errorf("long texts: %+v", got)
	}
}

func TestTasksAreReadInBothShapes(t *testing.T) {
	released := `[{"requirement": " Do it.", "response": "Done.", "apis": [{"api_name": "ToolSearcher", "input": {"keywords": "Do"}, "output":
	  {"api_name": "ToolSearcher", "input": {"keywords": "Do"}, "output": {"name": "Do", "input_parameters": {"n": {"type": "int"}}}, "exception": null}},
	  {"api_name": "Do", "input": {"n": "1"}, "output": {"api_name": "Do", "input": {"n": 1}, "output": 7, "exception": null}}]}]`
	flat := `{"sample_id": 0, "requirement": "Do it.", "response": "Done.", "api_calls": [
	  {"api_name": "ToolSearcher", "input": {"keywords": "Do"}, "output": {"name": "Do", "input_parameters": {"n": {"type": "int"}}}, "exception": null},
	  {"api_name": "Do", "input": {"n": "1"}, "output": 7}]}`
	a, err := apibank.ReadTasks(released)
	b, err2 := apibank.ReadTasks(flat)
	if err != nil || err2 != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v %v\n%+v\n%+v", err, err2, a, b)
	}
	s := apibank.NewSimulator(a)
	if got := s.Do(apibank.Call{Name: "Do", Arguments: []apibank.Argument{{Name: "n", Value: json.RawMessage("1.0")}}}); string(got.Output) != "7" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct{ text, says string }{
		{"", "no tasks; write"}, {"{", "line 1, column 2"}, {"[1]", "task 1: expected an object"}, {`{"response": ""}`, `missing list "api_calls"`},
		{flat + flat, "task 2: duplicate sample 0"}, {`{"sample_id": "x"}`, "whole number"}, {`{"api_calls": [{"api_name": "A", "input": {}}]}`, "call 1 has no"},
	} {
		var coded *source.Error
		if _, err := apibank.ReadTasks(c.text); err == nil || !errors.As(err, &coded) || coded.ID != apibank.CodeTasks || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	if _, err := s.Score([]apibank.Transcript{{Sample: 9}}); err == nil || !strings.Contains(err.Error(), "sample_id 9") {
		t.Error(err)
	}
	if _, err := s.Score([]apibank.Transcript{{}, {}}); err == nil || !strings.Contains(err.Error(), "duplicate transcript") {
		t.Error(err)
	}
}
