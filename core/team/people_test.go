package team

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

func TestInvalidManagerAnswers(t *testing.T) {
	subtask := func(id, executor, needs string) string {
		return fmt.Sprintf(`{"id": %q, "task": "do %s", "executor": %q, "needs": [%s]}`, id, id, executor, needs)
	}
	graph := func(list ...string) string { return `{"subtasks": [` + strings.Join(list, ", ") + `]}` }
	var many []string
	for i := range 200 {
		many = append(many, subtask(fmt.Sprintf("t%d", i+1), "dates", ""))
	}
	for _, c := range []struct{ name, answer, fault string }{
		{"prose", "I would first find out the year.", "the answer contains no JSON; answer with only the JSON object"},
		{"nothing", "", "the answer contains no JSON"},
		{"broken JSON", `{"subtasks": [{"id": "t1", "task" "x"}]}`, `the answer is not JSON: `},
		{"JSON that is cut off", `{"subtasks": [{"id": "t1", "ta`, "the answer is not JSON: "},
		{"another form", `{"tasks": []}`, "subtasks: is missing"},
		{"a number for a text", `{"subtasks": [{"id": 1, "task": "x", "executor": "dates"}]}`, "subtasks[0].id"},
		{"no sub-task", `{"subtasks": []}`, "missing sub-tasks"},
		{"an unknown executor", graph(subtask("t1", "date", "")), `unknown executor "date" of the sub-task "t1"; did you mean "dates"?`},
		{"a dangling reference", graph(subtask("t1", "dates", `"t4"`), subtask("t2", "dates", "")), `unknown sub-task "t4", which the sub-task "t1" needs (expected t1, t2)`},
		{"a sub-task that needs itself", graph(subtask("t1", "dates", `"t1"`)), `the sub-task "t1" needs itself`},
		{"a cycle", graph(subtask("t1", "dates", ""), subtask("t2", "dates", `"t1", "t4"`), subtask("t3", "people", `"t2"`), subtask("t4", "writer", `"t3"`)),
			"the sub-tasks t2 → t4 → t3 → t2 depend on each other in a cycle"},
		{"one id twice", graph(subtask("t1", "dates", ""), subtask("t1", "people", "")), `two sub-tasks have the id "t1"`},
		{"200 sub-tasks", graph(many...), "there are 200 sub-tasks, but at most 6 are allowed"},
		{"an empty task", `{"subtasks": [{"id": "t1", "task": " ", "executor": "dates"}]}`, "has no task"},
	} {
		t.Run(c.name, func(t *testing.T) {
			models := map[string]llm.Spec{"manager": scripted(c.answer, diamond)}
			r, events, err := play(t, research, Setup{}, Settings{Task: "the bridge", Model: person, Models: models, MaxTokens: 100_000})
			if err != nil || !r.Valid || len(r.Subtasks) != 3 {
				t.Fatalf("the fault is not fixed: %v %+v", err, r)
			}
			second := ""
			for _, e := range events {
				var prompt PromptEvent
				if json.Unmarshal([]byte(e), &prompt) == nil && prompt.Kind == "team.prompt" && prompt.Role == Manager && prompt.Attempt == 2 {
					second = prompt.Prompt
				}
			}
			if !strings.Contains(second, c.fault) {
				t.Errorf("the second prompt is %s, want %s", second, c.fault)
			}
			models["manager"] = scripted(c.answer, c.answer)
			_, _, err = play(t, research, Setup{}, Settings{Task: "the bridge", Model: person, Models: models, MaxTokens: 100_000})
			if !hasCode(err, "team.graph") || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("it is reported as %v", err)
			}
		})
	}
}

func TestManagerNamesAreReplaced(t *testing.T) {
	text := "Here it is:\n```json\n" + `[{"id": "look-up", "task": "x", "executor": "dates"}, {"id": "text", "task": "y", "executor": "writer", "needs": ["look-up", "look-up"]}]` + "\n```"
	g, faults, err := Reader{Spec: mustTeam(t, research)}.Read(text)
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	if got := g.String(); got != "t1 dates: x\nt2 writer: y (needs t1)\n" {
		t.Error(got)
	}
}

// search is a tool for tests.
type search struct{ name string }

func (s search) Name() string        { return s.name }
func (s search) Description() string { return "Looks something up." }
func (s search) Schema() corejson.RawMessage {
	return corejson.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)
}
func (s search) Call(*process.Env, corejson.RawMessage) (string, error) {
	return "found by " + s.name, nil
}

func registry() *tool.Registry {
	r := &tool.Registry{}
	for _, name := range []string{"Search", "Book", "Other"} {
		_ = r.Add(search{name})
	}
	return r
}

const booking = `(define a
  (:executors (clerk (:does "Books.") (:tools "Search" "Book") (:steps 2) (:constraints (ltl "!called.Book W called.Search" "what is booked was searched for"))))
  (:limits (retries 0)))`

func TestExecutorCallsItsToolsInRequiredOrder(t *testing.T) {
	var setup Setup
	setup.Tools = registry
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "book it", Executor: "clerk"}}}
	step := func(name string) string {
		return "[Thought] next\n[Action] " + name + "\n[Action Input] it"
	}
	steps := strings.Replace(booking, "(:steps 2)", "(:steps 4)", 1)
	models := map[string]llm.Spec{"task t1": scripted(step("Book"), step("Search"), step("Book"), saying("booked")), "deliverer": scripted("ok")}
	r, events, err := play(t, steps, setup, Settings{Graph: g, Model: person, Models: models})
	all := strings.Join(events, "\n")
	if err != nil || !r.Valid || r.Spent.ToolCalls != 2 {
		t.Fatalf("%v %+v\n%s", err, r, all)
	}
	for _, want := range []string{`"fault":"team.property"`, "Book may not be called now, because “what is booked was searched for” must hold", `"subtask":"t1","kind":"monitor.tool"`} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not said", want)
		}
	}
	if strings.Contains(all, "found by Other") || !strings.Contains(all, "found by Book") {
		t.Error("the wrong tools were called")
	}
	// After the last step only an answer is allowed.
	models["task t1"] = scripted(step("Search"), step("Search"), saying("found"))
	r, _, err = play(t, booking, setup, Settings{Graph: g, Model: person, Models: models})
	if err != nil || !r.Valid || r.Spent.ToolCalls != 2 {
		t.Fatalf("%v %+v", err, r)
	}
	// A required call that is missing is a violation.
	must := strings.Replace(booking, "!called.Book W called.Search", "F called.Search", 1)
	models["task t1"] = scripted(saying("booked"))
	r, _, err = play(t, must, setup, Settings{Graph: g, Model: person, Models: models})
	if err != nil || r.Valid || r.Subtasks[0].State != StateFailed {
		t.Fatalf("%v %+v", err, r)
	}
}

func TestPersonApprovesEditsAndDecides(t *testing.T) {
	ask := func(s Settings, text string, answers ...string) (process.Output, []string) {
		p := process.New(func(env *process.Env) (any, error) { return Problem{Spec: mustTeam(t, text)}.Run(env, s) }, 1, meter.Budget{}, nil)
		var prompts []string
		var given []process.Answer
		for {
			out, err := p.Resume(given, 1<<40)
			if err != nil {
				t.Fatal(err)
			}
			if out.State != process.StateWaiting {
				return out, prompts
			}
			given = nil
			for _, e := range out.Effects {
				prompts = append(prompts, e.Question.Prompt)
				if len(answers) == 0 {
					t.Fatalf("unexpected question: %s", e.Question.Prompt)
				}
				value, _ := json.Marshal(answers[0])
				given, answers = append(given, process.Answer{Effect: e.ID, Value: value}), answers[1:]
			}
		}
	}
	models := map[string]llm.Spec{"manager": scripted(diamond), "deliverer": scripted("done")}
	first := llm.Spec{Kind: llm.KindFirst}
	out, prompts := ask(Settings{Model: first, Models: models, Approve: true}, research, `{"subtasks": [{"id": "t1", "task": "x", "executor": "nobody"}]}`, `{"subtasks": [{"id": "t1", "task": "only this", "executor": "dates"}]}`)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	if r := decode(t, out.Result); len(r.Subtasks) != 1 || r.Subtasks[0].Task != "only this" || !strings.Contains(prompts[1], "unknown executor") {
		t.Fatalf("%+v %q", r, prompts)
	}
	if out, _ = ask(Settings{Model: first, Models: models, Approve: true}, research, "OK."); out.Err != nil {
		t.Fatal(out.Err)
	}
	if r := decode(t, out.Result); len(r.Subtasks) != 3 || !r.Valid {
		t.Fatalf("%+v", r)
	}
	models["manager"] = scripted("no", "no")
	if out, prompts = ask(Settings{Model: first, Models: models, Otherwise: OtherwisePerson}, research, diamond); out.Err != nil {
		t.Fatal(out.Err)
	}
	if r := decode(t, out.Result); !r.Valid || !strings.Contains(prompts[0], "Write the graph") {
		t.Fatalf("%+v %q", r, prompts)
	}
	picky := `(define a (:executors (one (:does "x")) (two (:does "y"))) (:local (check "result == 2")) (:limits (retries 0)))`
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "give 2", Executor: "one"}}}
	for _, c := range []struct {
		answers []string
		state   string
	}{{[]string{"2"}, StateFailed}, {[]string{"1", "4", "2"}, StateFailed}, {[]string{"it is 2"}, StateDone}} {
		out, prompts = ask(Settings{Model: first, Models: map[string]llm.Spec{"deliverer": scripted("done")}, Graph: g, Otherwise: OtherwisePerson}, picky, c.answers...)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if r := decode(t, out.Result); r.Subtasks[0].State != c.state || len(prompts) != len(c.answers) {
			t.Errorf("%q: %+v", c.answers, r)
		}
	}
	// A person's result may violate a constraint, which the run reports.
	for _, c := range []struct {
		answer string
		broken int
	}{{"2", 0}, {"the answer is three", 1}, {`{"x": 2}`, 1}} {
		out, _ = ask(Settings{Model: first, Models: map[string]llm.Spec{"deliverer": scripted("done")}, Graph: g, Otherwise: OtherwisePerson}, picky, "\n "+c.answer)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if r := decode(t, out.Result); c.answer != "2" && (r.Subtasks[0].State != StateDone || r.Valid || len(r.Violations) != c.broken) {
			t.Errorf("%q: %+v", c.answer, r)
		}
	}
	if out, _ = ask(Settings{Model: first, Graph: g, Otherwise: OtherwisePerson}, picky, "3"); !hasCode(out.Err, "team.failed") {
		t.Errorf("a person stops the run: %v", out.Err)
	}
}

func TestBudgetsEndRun(t *testing.T) {
	for code, b := range map[string]meter.Budget{"limit.calls": {Calls: 3}, "limit.tokens": {Tokens: 400}} {
		s := Settings{Task: "x", Model: llm.Spec{Kind: llm.KindFirst}, Budget: b}
		if _, _, err := play(t, research, Setup{}, s); !hasCode(err, code) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

// The tokens of answers count towards the budget as those of prompts do.
func TestTokensOfAnswersCount(t *testing.T) {
	s := Settings{Task: strings.Repeat("the bridge and ", 40), Model: llm.Spec{Kind: llm.KindFirst}}
	r, _, err := play(t, research, Setup{}, s)
	if err != nil || r.Spent.Usage.Completion == 0 {
		t.Fatal(err, r.Spent)
	}
	s.Budget.Tokens = r.Spent.Usage.Prompt
	if _, _, err := play(t, research, Setup{}, s); !hasCode(err, "limit.tokens") {
		t.Errorf("with %d tokens of %+v: %v", s.Budget.Tokens, r.Spent.Usage, err)
	}
}

// The properties of an executor's agent that do not hold are violations, with the reason or the
// fault.
func TestPropertiesOfAnExecutorsAgentAreReported(t *testing.T) {
	var setup Setup
	setup.Agent = func(string) (*agent.Agent, error) {
		spec, _ := agent.Parse(source.NewFile("cot.agent", ReAct(nil)))
		a, _ := agent.Compile(spec, meter.New(meter.Budget{}))
		return a, nil
	}
	setup.Judge = func(*agent.Agent, []string) ([]monitor.Property, error) {
		return []monitor.Property{{Name: "p", Reason: "the reason"}, {Name: "q", Reason: "the reason", Fault: "the fault"}, {Name: "r", Holds: true}}, nil
	}
	g := &Graph{Subtasks: []Subtask{{ID: "t1", Task: "think", Executor: "thinker"}}}
	models := map[string]llm.Spec{"task t1": scripted(saying("well")), "deliverer": scripted("ok")}
	_, events, err := play(t, `(define a (:executors (thinker (:does "Thinks.") (:agent "cot.agent"))))`, setup, Settings{Graph: g, Model: person, Models: models})
	all := strings.Join(events, "\n")
	if err != nil || !strings.Contains(all, `"constraint":"p","reason":"the reason"`) || !strings.Contains(all, `"constraint":"q","reason":"the fault"`) || strings.Contains(all, `"constraint":"r"`) {
		t.Errorf("%v\n%s", err, all)
	}
}

func TestSimulatedTeamsEnd(t *testing.T) {
	var setup Setup
	setup.Tools = registry
	for _, text := range []string{research, booking} {
		for _, kind := range []string{llm.KindFirst, llm.KindUniform, llm.KindRambler} {
			for seed := range uint64(6) {
				spec := mustTeam(t, strings.Replace(text, "(retries 1)", "(retries 3)", 1))
				s := Settings{Task: "the bridge", Model: llm.Spec{Kind: kind, ErrorRate: 0.3}}
				p := process.New(func(env *process.Env) (any, error) { return Problem{spec, setup}.Run(env, s) }, seed, meter.Budget{Steps: 1 << 32}, nil)
				out, err := p.Resume(nil, 1<<40)
				if err != nil || out.State == process.StateWaiting {
					t.Fatalf("%s %d: %v %s", kind, seed, err, out.State)
				}
				if out.Err != nil && (kind != llm.KindRambler || !hasCode(out.Err, "team.graph")) {
					t.Errorf("%s %d: %v", kind, seed, out.Err)
				}
			}
		}
	}
}

func TestBaselines(t *testing.T) {
	text := strings.Replace(booking, "(:limits", `(:global (check "answer == 3") (ltl "F done.clerk")) (:limits`, 1)
	var setup Setup
	setup.Tools = registry
	for method, c := range map[string]struct {
		script []string
		asks   string
	}{
		MethodReAct: {[]string{"[Thought] x\n[Action] Book\n[Action Input] it", saying("3")}, "found by Book"},
		MethodCoT:   {[]string{"3"}, "step by step"},
		MethodSole:  {[]string{"3"}, "The facts:\\nthe number is 3"},
	} {
		r, events, err := play(t, text, setup, Settings{Task: "say 3", Method: method, Known: "the number is 3", Model: scripted(c.script...)})
		if err != nil || !r.Valid || r.Method != method || r.Answer != "3" || (r.Spent.ToolCalls == 1) != (method == MethodReAct) {
			t.Errorf("%s: %v %+v", method, err, r)
		}
		if all := strings.Join(events, "\n"); !strings.Contains(all, c.asks) || strings.Contains(all, `"faults":null`) {
			t.Errorf("%s: %s", method, all)
		}
	}
	r, _, err := play(t, text, setup, Settings{Task: "say 3", Method: MethodCoT, Model: scripted("4")})
	if err != nil || r.Valid || len(r.Violations) != 1 {
		t.Errorf("%v %+v", err, r)
	}
}

func TestInvalidSettings(t *testing.T) {
	bad := 99
	for code, list := range map[string][]Settings{
		"team.settings": {
			{Method: "teams"}, {Supervisor: "x"}, {Otherwise: "x"}, {Environment: "x"}, {Steps: -1}, {Retries: &bad}, {Concurrent: 99}, {Temperature: 3},
			{Budget: meter.Budget{Calls: -1}}, {Changes: []Change{{After: 3}}}, {Models: map[string]llm.Spec{"boss": person}}, {Models: map[string]llm.Spec{"task ": person}},
		},
		"team.template": {{Templates: Templates{Manager: "{tsk}"}}, {Templates: Templates{Executor: "x"}}},
		"llm.spec":      {{Models: map[string]llm.Spec{"manager": {Kind: "x"}}}},
	} {
		for _, s := range list {
			s.Model = person
			if err := s.Check(); !hasCode(err, code) {
				t.Errorf("%+v: %v, want %s", s, err, code)
			}
		}
	}
}
