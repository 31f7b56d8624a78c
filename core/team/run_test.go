package team

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

func mustTeam(t testing.TB, text string) *Spec {
	t.Helper()
	spec, found := Parse(source.NewFile("t.team", text))
	if source.HasErrors(found) {
		t.Fatalf("%s\n%+v", text, found)
	}
	return spec
}

// research is a team of two executors that search and one that writes.
const research = `(define research
  (:executors
    (dates (:does "Finds years."))
    (people (:does "Finds people."))
    (writer (:does "Writes a sentence.")))
  (:limits (retries 1) (sub-tasks 6)))`

const diamond = `{"thought": "x", "subtasks": [
  {"id": "t1", "task": "find the year of the bridge", "executor": "dates", "needs": [], "local": []},
  {"id": "t2", "task": "find who built the bridge", "executor": "people", "needs": [], "local": []},
  {"id": "t3", "task": "write of the year and the builder", "executor": "writer", "needs": ["t1", "t2"], "local": []}], "global": []}`

func scripted(texts ...string) llm.Spec { return llm.Spec{Kind: llm.KindScripted, Script: texts} }

var person = llm.Spec{Kind: llm.KindPerson}

// answered returns the answer to a prompt of a team.
func answered(prompt string) string {
	switch {
	case strings.Contains(prompt, "You manage a team"):
		return diamond
	case strings.Contains(prompt, "make the sub-task precise"):
		part, _, _ := strings.Cut(after(prompt, "The sub-task: "), "\n")
		return `{"task": "` + part + ` (given ` + strings.ReplaceAll(strings.Join(strings.Fields(after(prompt, "that it needs:")), " "), `"`, "'")[:60] + `)"}`
	case strings.Contains(prompt, "Write the answer to the task"):
		return "Delivered from: " + strings.Join(strings.Fields(after(prompt, "The results of the team:")), " ")
	}
	task, _, _ := strings.Cut(after(prompt, "[Question] "), "\n")
	return " let me see\n[Answer] {\"of\": \"" + strings.ReplaceAll(task, `"`, "'") + "\"}"
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// host plays a process. choose selects the open effect that is answered next.
type host struct {
	p      *process.Process
	open   []process.Effect
	events []string
	most   int // effects under way at the same time
	given  int // answers
}

func (h *host) run(t testing.TB, choose func(n int) int, stopAfter int) process.Output {
	t.Helper()
	var answers []process.Answer
	for {
		out, err := h.p.Resume(answers, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		answers = nil
		for _, e := range out.Events {
			h.events = append(h.events, string(e))
		}
		h.open = append(h.open, out.Effects...)
		h.open = slices.DeleteFunc(h.open, func(e process.Effect) bool { return slices.Contains(out.Cancel, e.ID) })
		h.most = max(h.most, len(h.open))
		if out.State == process.StateDone || out.State == process.StateFailed || h.given == stopAfter {
			return out
		}
		if out.State == process.StateWaiting {
			i := choose(len(h.open))
			e := h.open[i]
			h.open = slices.Delete(h.open, i, i+1)
			value, _ := json.Marshal(answered(e.Question.Prompt))
			answers = []process.Answer{{Effect: e.ID, Value: value}}
			h.given++
		}
	}
}

func inTurn(int) int { return 0 }

func newHost(spec *Spec, setup Setup, s Settings, log []process.Answer) *host {
	return &host{p: process.New(func(env *process.Env) (any, error) { return Problem{spec, setup}.Run(env, s) }, 1, meter.Budget{Steps: 1 << 32}, log)}
}

// play runs a team to its end.
func play(t testing.TB, text string, setup Setup, s Settings) (Result, []string, error) {
	t.Helper()
	h := newHost(mustTeam(t, text), setup, s, nil)
	out := h.run(t, inTurn, -1)
	if out.Err != nil {
		return Result{}, h.events, out.Err
	}
	return decode(t, out.Result), h.events, nil
}

func decode(t testing.TB, raw []byte) Result {
	t.Helper()
	var r Result
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// meaningOf returns a result without its expenses and the order of events.
func meaningOf(r Result) string {
	r.Trace, r.Spent, r.Critical = nil, Spent{}, nil
	for i := range r.Subtasks {
		r.Subtasks[i].Spent = Spent{}
	}
	text, _ := json.Marshal(r)
	return string(text)
}

func hasCode(err error, code string) bool {
	coded, ok := err.(interface{ Code() string })
	return ok && coded.Code() == code
}

func TestOrderOfAnswersDoesNotChangeDelivery(t *testing.T) {
	spec := mustTeam(t, research)
	want := ""
	orders, together := 0, 0
	// Every sequence of choices; the last choice varies fastest.
	for choices := []int{}; ; {
		var sizes []int
		h := newHost(spec, Setup{}, Settings{Task: "the bridge", Model: person}, nil)
		out := h.run(t, func(n int) int {
			at := len(sizes)
			sizes = append(sizes, n)
			if at < len(choices) {
				return choices[at]
			}
			return 0
		}, -1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		orders++
		together = max(together, h.most)
		r := decode(t, out.Result)
		if got := meaningOf(r); want == "" {
			want = got
			if !r.Valid || !strings.Contains(r.Answer, "find the year of the bridge") || !strings.Contains(r.Answer, "(given [t1]") {
				t.Fatalf("%+v", r)
			}
		} else if got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
		for len(choices) < len(sizes) {
			choices = append(choices, 0)
		}
		i := len(sizes) - 1
		for i >= 0 && choices[i]+1 >= sizes[i] {
			i--
		}
		if i < 0 {
			break
		}
		choices = append(choices[:i:i], choices[i]+1)
	}
	if orders < 2 || together != 2 {
		t.Errorf("%d orders, %d effects at the same time", orders, together)
	}
}

func TestOrderOfAnswersInLargeGraphDoesNotChangeDelivery(t *testing.T) {
	spec := mustTeam(t, strings.Replace(research, "(sub-tasks 6)", "(sub-tasks 30) (concurrent 5)", 1))
	g := &Graph{}
	random := rand.New(rand.NewPCG(3, 3))
	for i := range 20 {
		s := Subtask{ID: fmt.Sprintf("t%d", i+1), Task: fmt.Sprintf("part %d", i+1), Executor: spec.Executors[i%3].Name}
		for j := range i {
			if random.IntN(5) == 0 {
				s.Needs = append(s.Needs, fmt.Sprintf("t%d", j+1))
			}
		}
		g.Subtasks = append(g.Subtasks, s)
	}
	want, most := "", 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		h := newHost(spec, Setup{}, Settings{Task: "all of it", Model: person, Graph: g}, nil)
		out := h.run(t, random.IntN, -1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		most = max(most, h.most)
		if got := meaningOf(decode(t, out.Result)); want == "" {
			want = got
		} else if got != want {
			t.Fatalf("seed %d: %s\nwant %s", seed, got, want)
		}
	}
	if most < 3 || most > 5 {
		t.Errorf("%d effects at the same time, want some, and at most 5", most)
	}
}

func TestInterruptedRunEndsWithSameLog(t *testing.T) {
	spec := mustTeam(t, research)
	s := Settings{Task: "the bridge", Model: person}
	whole := newHost(spec, Setup{}, s, nil)
	want := whole.run(t, inTurn, -1)
	if want.Err != nil {
		t.Fatal(want.Err)
	}
	for cut := range whole.given {
		h := newHost(spec, Setup{}, s, nil)
		h.run(t, inTurn, cut)
		resumed := newHost(spec, Setup{}, s, process.Settled(h.p.Log()))
		out := resumed.run(t, inTurn, -1)
		if string(out.Result) != string(want.Result) || !reflect.DeepEqual(resumed.p.Log(), whole.p.Log()) {
			t.Errorf("cut after %d answers: %s %v", cut, out.Result, out.Err)
		}
	}
}

// saying is the text of a ReAct agent that answers at once.
func saying(answer string) string { return "[Final Thought] I know.\n[Answer] " + answer }

func TestWrongResultDoesNotReachDeliverer(t *testing.T) {
	text := strings.Replace(research, `"Finds years."`, `"Finds years.") (:tools "Search") (:constraints (check "result.year > 1000" "it is a year of our time")`, 1)
	models := map[string]llm.Spec{
		"manager": scripted(diamond),
		"task t1": scripted(saying(`{"year": 18}`), saying(`{"year": 1890}`)),
	}
	r, events, err := play(t, text, Setup{}, Settings{Task: "the bridge", Model: person, Models: models})
	if err != nil || !r.Valid || r.Subtasks[0].Attempts != 2 || r.Subtasks[0].Text != `{"year": 1890}` {
		t.Fatalf("%v %+v", err, r)
	}
	reported := false
	for _, e := range events {
		if strings.Contains(e, `"role":"executor"`) && strings.Contains(e, "it does not meet “it is a year of our time”: result.year > 1000 does not hold: result.year is 18") {
			reported = true
		}
		for _, role := range []string{Deliverer, Supervisor} {
			if strings.Contains(e, `"role":"`+role+`"`) && strings.Contains(e, `\"year\": 18}`) {
				t.Errorf("the %s is told of the wrong result: %s", role, e)
			}
		}
	}
	if !reported {
		t.Error("the executor is not told what was wrong")
	}
	// A sub-task without a valid result fails, its dependents are blocked, the others stay.
	models["task t1"] = scripted(saying("none"), saying("none at all"))
	r, events, err = play(t, text, Setup{}, Settings{Task: "the bridge", Model: person, Models: models})
	if err != nil || r.Valid || r.Subtasks[0].State != StateFailed || r.Subtasks[1].State != StateDone || r.Subtasks[2].State != StateBlocked {
		t.Fatalf("%v %+v", err, r)
	}
	if !strings.Contains(r.Subtasks[0].Reason, "the result contains no JSON") || !strings.Contains(r.Answer, "find who built the bridge") {
		t.Errorf("%+v", r)
	}
	for _, e := range events {
		if strings.Contains(e, `"role":"deliverer"`) && strings.Contains(e, "none at all") {
			t.Errorf("the deliverer is told of a result that was refused: %s", e)
		}
	}
	_, _, err = play(t, text, Setup{}, Settings{Task: "x", Model: person, Otherwise: OtherwiseStop, Models: map[string]llm.Spec{
		"manager": scripted(diamond), "task t1": scripted(saying("none"), saying("none")),
	}})
	if !hasCode(err, "team.failed") {
		t.Errorf("%v", err)
	}
}

func TestAbleExecutorTakesOver(t *testing.T) {
	text := `(define a (:executors (one (:does "x")) (two (:does "y")) (tooled (:does "z") (:tools "Search"))) (:local (check "result == 2")) (:limits (retries 0)))`
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "give 2", Executor: "one"}}}
	models := map[string]llm.Spec{"executor one": scripted(" x\n[Answer] 1"), "executor two": scripted(" x\n[Answer] 2")}
	r, _, err := play(t, text, Setup{}, Settings{Graph: g, Model: person, Models: models})
	if err != nil || !r.Valid || r.Subtasks[0].Executor != "two" || r.Subtasks[0].Attempts != 2 {
		t.Fatalf("%v %+v", err, r)
	}
	g.Subtasks[0].Executor = "tooled" // only this executor has its tools
	models["executor tooled"] = scripted(" x\n[Action] Search\n[Action Input] y", "[Final Thought] x\n[Answer] 1")
	if r, _, err = play(t, text, Setup{}, Settings{Graph: g, Model: person, Models: models}); err != nil || r.Subtasks[0].State != StateFailed {
		t.Fatalf("%v %+v", err, r)
	}
}

func TestGlobalChecksRepeatSubtasks(t *testing.T) {
	text := strings.Replace(research, "(:limits", `(:global (check "sum(of('dates'), r: r.result.cost) + sum(of('people'), r: r.result.cost) <= 10" "it costs at most 10")
    (check "has(answer.total)" "the answer has a total")) (:limits`, 1)
	models := map[string]llm.Spec{
		"manager": scripted(diamond), "deliverer": scripted("It is dear.", `{"total": 9}`),
		"task t1": scripted(" x\n[Answer] {\"cost\": 4}"),
		"task t2": scripted(" x\n[Answer] {\"cost\": 7}", " x\n[Answer] {\"cost\": 5}"),
	}
	r, events, err := play(t, text, Setup{}, Settings{Task: "the bridge", Model: person, Models: models})
	if err != nil || !r.Valid || r.Answer != `{"total": 9}` {
		t.Fatalf("%v %+v", err, r)
	}
	if r.Subtasks[0].Attempts != 1 || r.Subtasks[1].Attempts != 2 || r.Subtasks[2].Attempts != 2 {
		t.Errorf("the last of those that the check speaks of is to be done again, and what needs it: %+v", r.Subtasks)
	}
	if all := strings.Join(events, "\n"); !strings.Contains(all, "it costs at most 10”: ") || !strings.Contains(all, "the answer contains no JSON") {
		t.Error("nobody is told why")
	}
	// A violation that repetition does not fix is reported, and the run is invalid.
	models["task t2"] = scripted(" x\n[Answer] {\"cost\": 7}", " x\n[Answer] {\"cost\": 8}")
	models["deliverer"] = scripted("It is dear.", "So be it.")
	r, _, err = play(t, text, Setup{}, Settings{Task: "the bridge", Model: person, Models: models})
	if err != nil || r.Valid || len(r.Violations) != 2 || r.Answer != "So be it." {
		t.Fatalf("%v %+v", err, r)
	}
}

func TestEventFormulasAreEnforced(t *testing.T) {
	text := strings.Replace(research, "(:limits", `(:global (ltl "!started.people W done.dates" "dates come first")) (:limits`, 1)
	h := newHost(mustTeam(t, text), Setup{}, Settings{Task: "the bridge", Model: person}, nil)
	out := h.run(t, inTurn, -1)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	r := decode(t, out.Result)
	if h.most != 1 || !r.Valid {
		t.Errorf("%d effects at the same time, though one has to wait: %+v", h.most, r)
	}
	var kinds []string
	for _, e := range r.Trace {
		kinds = append(kinds, e.Kind+"."+e.Subtask)
	}
	if got := strings.Join(kinds, " "); got != "started.t1 done.t1 started.t2 done.t2 started.t3 done.t3 delivered." {
		t.Error(got)
	}
	// A violation that the run cannot prevent is reported at once and blocks nothing.
	text = strings.Replace(research, `"Finds years."`, `"Finds years.") (:tools "Search") (:constraints (check "result == 1")`, 1)
	text = strings.Replace(text, "(:limits", `(:global (ltl "G !failed" "nothing fails")) (:limits`, 1)
	r, events, err := play(t, text, Setup{}, Settings{Task: "the bridge", Model: person, Models: map[string]llm.Spec{"manager": scripted(diamond), "task t1": scripted(saying("2"), saying("1"))}})
	if err != nil || r.Valid || len(r.Violations) != 1 || r.Subtasks[2].State != StateDone || strings.Count(strings.Join(events, "\n"), `"team.violation"`) != 2 {
		t.Errorf("%v %+v", err, r)
	}
	// The manager is asked again if no order of the graph satisfies a formula.
	for _, formula := range []string{"F done.people & F done.t4", "!started.writer U (done.writer & X true)", "G !delivered"} {
		spec := mustTeam(t, strings.Replace(research, "(:limits", `(:global (ltl "`+formula+`")) (:limits`, 1))
		_, faults, err := Reader{Spec: spec}.Read(diamond)
		if err != nil || len(faults) != 1 || !strings.Contains(faults[0], "contradict the order") {
			t.Errorf("%s: %q %v", formula, faults, err)
		}
	}
	spec := mustTeam(t, strings.Replace(research, "(:limits", `(:global (ltl "F (done.people & F started.dates) & G(started.dates -> X done.dates)")) (:limits`, 1))
	if _, faults, err := (Reader{Spec: spec}).Read(diamond); err != nil || len(faults) > 0 {
		t.Errorf("%q %v", faults, err)
	}
}

func TestGraphChangeKeepsUnaffectedResults(t *testing.T) {
	spec := mustTeam(t, research)
	before := &Graph{}
	if err := json.Unmarshal([]byte(diamond), before); err != nil {
		t.Fatal(err)
	}
	next := before.clone()
	next.Subtasks[1].Task = "find who paid for the bridge"
	if got := next.Consequences(before); !slices.Equal(got, []string{"t2", "t3"}) {
		t.Errorf("the consequences are %v", got)
	}
	whole := newHost(spec, Setup{}, Settings{Task: "the bridge", Model: person}, nil)
	whole.run(t, inTurn, -1)
	for at := 1; at <= whole.given; at++ {
		// The place by events is not later than the place by answers.
		held := newHost(spec, Setup{}, Settings{Task: "the bridge", Model: person}, nil)
		held.run(t, inTurn, at)
		last := 0
		for _, e := range held.events {
			last = max(last, readAnswersEvent(t, e).Told)
		}
		s := Settings{Task: "the bridge", Model: person, Changes: []Change{{After: at, Answers: last, Graph: next}}}
		h := newHost(spec, Setup{}, s, process.Settled(whole.p.Log()[:at]))
		out := h.run(t, inTurn, -1)
		if out.Err != nil {
			t.Fatalf("changed after %d answers: %v", at, out.Err)
		}
		r := decode(t, out.Result)
		if !r.Valid || r.Subtasks[0].Attempts != 1 || strings.Contains(r.Answer, "who built") || !strings.Contains(r.Answer, "who paid") {
			t.Errorf("changed after %d answers: %+v", at, r)
		}
		again := newHost(spec, Setup{}, s, h.p.Log())
		if out := again.run(t, inTurn, -1); again.given > 0 || string(out.Result) == "" || meaningOf(decode(t, out.Result)) != meaningOf(r) {
			t.Errorf("changed after %d answers it does not replay: %d answers more, %v", at, again.given, out.Err)
		}
	}
}

// A team of simulated models has no effects, so a change is placed by events alone.
func TestGraphChangeKeepsSimulatedResults(t *testing.T) {
	text := strings.Replace(research, "(writer", `(checker (:does "Checks."))
    (writer`, 1)
	g := &Graph{Subtasks: []Subtask{
		{ID: "t1", Task: "find the year", Executor: "dates"}, {ID: "t2", Task: "find the builder", Executor: "people", Needs: []string{"t1"}},
		{ID: "t3", Task: "write of it", Executor: "writer", Needs: []string{"t2"}},
	}}
	g.normal()
	next := g.clone()
	next.Subtasks[1].Task = "find who paid"
	next.Subtasks = append(next.Subtasks, Subtask{ID: "t4", Task: "check the year", Executor: "checker", Needs: []string{"t1"}})
	next.normal()
	for _, kind := range []string{llm.KindFirst, llm.KindUniform, llm.KindScripted} {
		s := Settings{Task: "the bridge", Model: llm.Spec{Kind: kind}, Graph: g}
		if kind == llm.KindScripted {
			s.Supervisor = SupervisorPass
			s.Models = map[string]llm.Spec{"executors": scripted(saying("a"), saying("b"), saying("c"), saying("d"), saying("e"), saying("f")), "deliverer": scripted("x", "y")}
			s.Model = person
		}
		_, events, err := play(t, text, Setup{}, s)
		if err != nil {
			t.Fatal(kind, err)
		}
		var before []answersEvent
		for _, e := range events {
			if n := readAnswersEvent(t, e); n.Told > 0 {
				before = append(before, n)
			}
		}
		for i, place := range before {
			if place.Told != i+1 {
				t.Fatalf("%s: the states and replies are numbered %+v", kind, before)
			}
			s.Changes = []Change{{Answers: place.Told, Graph: next}}
			r, events, err := play(t, text, Setup{}, s)
			if err != nil || !r.Valid || len(r.Subtasks) != 4 {
				t.Fatalf("%s, changed at %d: %v %+v", kind, place.Told, err, r)
			}
			// The events before the change are those of the first run. Only the states of
			// a graph, and the sub-task of a supervisor's reply, may be added.
			var after []answersEvent
			changed := false
			for _, e := range events {
				changed = changed || strings.Contains(e, `"kind":"team.graph"`) && strings.Contains(e, `"by":"person"`)
				n := readAnswersEvent(t, e)
				if n.Told == 0 {
					continue
				}
				goesWith := n.State == StateWaiting || place.Kind == "team.reply" && n.Told == place.Told+1
				if !changed && (n.Told > place.Told && !goesWith || n != before[n.Told-1]) {
					t.Errorf("%s, changed at %d: before it there is %+v", kind, place.Told, n)
				}
				if changed {
					after = append(after, n)
				}
			}
			done := func(id string) bool {
				return slices.ContainsFunc(before[:i+1], func(n answersEvent) bool { return n.Subtask == id && n.State == StateDone })
			}
			began := func(id string) int {
				n := 0
				for _, a := range after {
					if a.Subtask == id && a.State == StateRunning && a.Attempt > 0 {
						n++
					}
				}
				return n
			}
			if !changed || done("t1") && began("t1") > 0 || began("t2") == 0 || began("t3") == 0 || began("t4") == 0 {
				t.Errorf("%s, changed at %d: afterwards there is %+v", kind, place.Told, after)
			}
			if done("t1") && !strings.Contains(strings.Join(events, "\n"), `"from":"t1","to":"t4"`) {
				t.Errorf("%s, changed at %d: who is new is not told what is kept", kind, place.Told)
			}
		}
	}
}

// answersEvent is a StateEvent or a ReplyEvent.
type answersEvent struct {
	Kind, Subtask, State, Role string
	Attempt, Told              int
}

func readAnswersEvent(t *testing.T, event string) (n answersEvent) {
	t.Helper()
	if err := json.Unmarshal([]byte(event), &n); err != nil {
		t.Fatal(err)
	}
	if n.Kind != "team.state" && n.Kind != "team.reply" {
		n.Told = 0
	}
	return n
}

func TestGraphChangeUnblocksSubtasks(t *testing.T) {
	const text = `(define a
  (:executors
    (people (:does "Finds people.") (:tools "Book") (:constraints (check "result == 1")))
    (dates (:does "Finds years.") (:tools "Search"))
    (writer (:does "Writes.") (:tools "Other")))
  (:global (ltl "!started.writer W done.dates" "dates come first"))
  (:limits (retries 0)))`
	g := &Graph{Subtasks: []Subtask{
		{ID: "t1", Task: "find the builder", Executor: "people"}, {ID: "t2", Task: "write", Executor: "writer"},
		{ID: "t3", Task: "find the year", Executor: "dates", Needs: []string{"t1"}},
	}}
	g.normal()
	var setup Setup
	setup.Tools = registry
	s := Settings{Task: "x", Model: llm.Spec{Kind: llm.KindFirst}, Graph: g, Models: map[string]llm.Spec{"task t1": scripted(saying("2"), saying("1")), "deliverer": scripted("one", "two")}}
	r, events, err := play(t, text, setup, s)
	if err != nil || r.Subtasks[1].State != StateBlocked {
		t.Fatalf("%v %+v", err, r)
	}
	last := 0
	for _, e := range events {
		last = max(last, readAnswersEvent(t, e).Told)
	}
	next := g.clone()
	next.Subtasks[0].Task = "find the builder's name"
	s.Changes = []Change{{Answers: last, Graph: next}}
	if r, _, err = play(t, text, setup, s); err != nil || !r.Valid || r.Answer != "two" {
		t.Errorf("%v %+v", err, r)
	}
}

func TestInvalidGraphChangeIsRejected(t *testing.T) {
	spec := mustTeam(t, research)
	bad := Settings{Task: "x", Model: person, Changes: []Change{{After: 1, Graph: &Graph{Subtasks: []Subtask{{ID: "t1", Task: "x", Executor: "nobody"}}}}}}
	if out := newHost(spec, Setup{}, bad, nil).run(t, inTurn, -1); out.Err == nil || !strings.Contains(out.Err.Error(), "unknown executor") {
		t.Errorf("%v", out.Err)
	}
}

// moved is a team in which the replacements of mover have fewer constraints.
const moved = `(define moved
  (:executors
    (mover (:does "Finds a mover.") (:tools "Search") (:gives "{\"price\": …}") (:constraints (check "result.price > 0" "the price is known")))
    (flat (:does "Finds a flat.") (:tools "Search" "Map") (:gives "{\"rent\": …}") (:constraints (check "result.rent < 1000" "the rent is low"))))
  (:global {global})
  (:limits (retries 0)))`

func TestConstraintsStayAfterTakeover(t *testing.T) {
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "move", Executor: "mover"}}}
	answer := func(text string) llm.Spec {
		return scripted(" x\n[Action] Search\n[Action Input] y", "[Final Thought] x\n[Answer] "+text)
	}
	for _, c := range []struct {
		global, taken string
		valid         bool
		says          string
	}{
		{`"be brief"`, `{"rent": 900}`, false, "the price is known"},
		{`"be brief"`, `{"price": 5, "rent": 2000}`, false, "the rent is low"},
		{`"be brief"`, `{"price": 5, "rent": 900}`, true, ""},
		{`(check "sum(of('mover'), r: r.result.price) <= 4" "moving is cheap")`, `{"price": 5, "rent": 900}`, false, "moving is cheap"},
		{`(check "length(of('mover')) == 1")`, `{"price": 5, "rent": 900}`, true, ""},
		{`(ltl "F done.mover" "somebody moves it")`, `{"price": 5, "rent": 900}`, true, ""},
	} {
		text := strings.Replace(moved, "{global}", c.global, 1)
		r, events, err := play(t, text, Setup{}, Settings{Graph: g, Model: person, Models: map[string]llm.Spec{
			"executor mover": answer(`{"price": 0}`), "executor flat": answer(c.taken),
		}})
		if err != nil || r.Subtasks[0].Executor != "flat" && c.valid || r.Valid != c.valid {
			t.Fatalf("%s %s: %v %+v", c.global, c.taken, err, r)
		}
		all := strings.Join(events, "\n")
		if !strings.Contains(all, "flat takes over from mover") || !strings.Contains(all, c.says) {
			t.Errorf("%s %s: %s", c.global, c.taken, all)
		}
		for _, e := range events {
			if strings.Contains(e, `"role":"executor"`) && strings.Contains(e, "You are flat") &&
				(!strings.Contains(e, "the price is known") || !strings.Contains(e, "the rent is low") || !strings.Contains(e, `\"price\"`) || !strings.Contains(e, `\"rent\"`)) {
				t.Errorf("flat does not know what holds of the sub-task: %s", e)
			}
		}
	}
}

func TestConstraintsStayAfterReassignment(t *testing.T) {
	text := strings.ReplaceAll(strings.Replace(moved, "{global}", `"be brief"`, 1), `(:tools "Search")`, "")
	text = strings.Replace(text, `(:tools "Search" "Map")`, "", 1)
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "move", Executor: "mover"}}}
	changed := Graph{Subtasks: []Subtask{{ID: "t1", Task: "move", Executor: "flat"}}}
	for taken, valid := range map[string]bool{`{"rent": 900}`: false, `{"price": 5, "rent": 900}`: true} {
		models := map[string]llm.Spec{"executor mover": scripted(" x\n[Answer] {\"price\": 0}"), "executor flat": scripted(" x\n[Answer] " + taken)}
		// A change of the graph after the sub-task has started.
		r, _, err := play(t, text, Setup{}, Settings{Graph: g, Model: person, Models: models, Changes: []Change{{Answers: 1, Graph: &changed}}})
		if err != nil || r.Valid != valid || r.Subtasks[0].Executor != "flat" {
			t.Errorf("a changed graph, %s: %v %+v", taken, err, r)
		}
		// Without tools, only an executor with the same form of results takes over.
		r, _, err = play(t, text, Setup{}, Settings{Graph: g, Model: person, Models: models})
		if err != nil || r.Valid || r.Subtasks[0].Executor != "mover" {
			t.Errorf("nobody is able: %v %+v", err, r)
		}
	}
}

func TestTruncatedDeliveryIsReported(t *testing.T) {
	long := strings.Repeat("and so on ", 40)
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "say 3", Executor: "dates"}}}
	for _, c := range []struct {
		script []string
		valid  bool
	}{{[]string{"It is 3."}, true}, {[]string{long, "It is 3."}, true}, {[]string{long, long}, false}} {
		models := map[string]llm.Spec{"executor dates": scripted(" x\n[Answer] 3"), "deliverer": scripted(c.script...)}
		r, _, err := play(t, research, Setup{}, Settings{Graph: g, Model: person, Models: models, MaxTokens: 40})
		if err != nil || r.Valid != c.valid || !c.valid && r.Violations[0].Constraint != "the answer is complete" {
			t.Errorf("%d answers: %v %+v", len(c.script), err, r)
		}
		alone, _, err := play(t, research, Setup{}, Settings{Task: "x", Method: MethodCoT, Model: scripted(c.script...), MaxTokens: 40})
		if err != nil || alone.Valid != c.valid {
			t.Errorf("alone, %d answers: %v %+v", len(c.script), err, alone)
		}
	}
}
