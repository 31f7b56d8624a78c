package session

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/team"
)

// driveClock drives a run whose clock advances by a minute with each reading. It returns the
// recording, the events of the rules and the last reply.
func driveClock(t *testing.T, begin RunStartParams) (RunLog, []enforce.Event, RunResumeResult) {
	t.Helper()
	s := New()
	number := result[RunStartResult](t, s, "run.start", begin).Run
	var answers []process.Answer
	var events []enforce.Event
	readings := 0
	for {
		out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: answers})
		answers = nil
		for _, raw := range out.Events {
			var e enforce.Event
			if json.Unmarshal(raw, &e) == nil && e.Kind == "rules.event" {
				events = append(events, e)
			}
		}
		for _, e := range out.Effects {
			switch e.Kind {
			case "clock":
				answers = append(answers, process.Answer{Effect: e.ID, Value: fmt.Appendf(nil, "%d.5", 1_000_000_000+60*readings)})
				readings++
			case "question":
				answers = append(answers, process.Answer{Effect: e.ID, Value: []byte(`"yes"`)})
			default:
				t.Fatalf("unexpected effect %s", e.Kind)
			}
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return result[RunLogResult](t, s, "run.log", RunLogParams{Run: number}).Log, events, out
		}
	}
}

// denials returns the denied calls as text.
func denials(events []enforce.Event) string {
	var out []string
	for _, e := range events {
		if e.Denied {
			out = append(out, fmt.Sprintf("%s: %s [%s]", strings.Join(e.Rules, ", "), e.Reason, strings.Join(e.Allowed, ", ")))
		}
	}
	return strings.Join(out, "\n")
}

const actText = `(define spec (:states
	(Task (:text "[Task]"))
	(Act (:text "[Action]"))
	(Inp (:text "[Action Input]"))
	(Obs (:text "[Observation]") (:flags :env-input))
	(Ans (:text "[Answer]")))
	(:behavior (next Task (next Act Inp Obs) (until (next Act Inp Obs) Ans))))`

// runsWithRules are runs in which a model makes a call that a rule denies, and then others.
func runsWithRules(t *testing.T) map[string]RunStartParams {
	settings := func(v any) []byte {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	rules := "approved: refund(order: ?o) -> once[5m] approve(order: ?o)  # a comment\ncap: refund() -> count[1h] refund() <= 1\n"
	act := func(tool, input string) string { return "[Action] " + tool + "\n[Action Input] " + input + "\n" }
	text := []string{act("refund", `{"order":7}`), act("approve", `{"order":7}`), act("refund", `{"order":7}`), act("refund", `{"order":7}`), "[Answer] done"}
	call := func(tool string) string {
		return `{"text":"","calls":[{"name":"` + tool + `","arguments":{"order":7}}]}`
	}
	calls := []string{call("refund"), call("approve"), call("refund"), call("refund"), "done"}
	script := func(list []string) map[string]any { return map[string]any{"kind": "scripted", "script": list} }
	spec := File{Name: "shop.agent", Text: actText}
	asked := strings.NewReplacer(`"arguments":{"order":7}`, `"arguments":{"question":"7"}`, `{"order":7}`, "7", "order:", "question:")
	replaced := func(list []string) (out []string) {
		for _, text := range list {
			out = append(out, asked.Replace(text))
		}
		return out
	}
	tools := File{Name: "agent-tools.json", Text: `{"tools": [{"person": {"name": "refund"}}, {"person": {"name": "approve"}}]}`}
	shop := RunWorkspace{Files: []File{spec, tools}, Name: "shop.agent"}
	return map[string]RunStartParams{
		"simulated": {Workspace: shop, Settings: settings(map[string]any{"question": "refund 7", "model": script(text), "rules": rules})},
		"person":    {Workspace: shop, Settings: settings(map[string]any{"question": "refund 7", "model": script(text), "environment": "person", "rules": rules})},
		"tools":     {Workspace: shop, Settings: settings(map[string]any{"question": "refund 7", "model": script(replaced(text)), "environment": "tools", "rules": asked.Replace(rules)})},
		"calls":     {Workspace: shop, Settings: settings(map[string]any{"question": "refund 7", "model": script(replaced(calls)), "environment": "tools", "surface": "tools", "rules": asked.Replace(rules)})},
	}
}

func TestRunsEnforceRulesAboutData(t *testing.T) {
	for name, begin := range runsWithRules(t) {
		t.Run(name, func(t *testing.T) {
			log, events, out := driveClock(t, begin)
			if out.State != process.StateDone {
				t.Fatalf("%+v", out.Error)
			}
			want := "approved: refund was not called because it violates the rule \"approved\", which requires once[5m] approve(order: 7) [approve]\n" +
				"cap: refund was not called because it violates the rule \"cap\", which requires count[1h] refund() <= 1 [approve]"
			needs := "approve(order: 7)"
			if name == "tools" || name == "calls" {
				needs = `approve(question: "7")`
			}
			want = strings.Replace(want, "approve(order: 7)", needs, 1)
			if got := denials(events); got != want {
				t.Errorf("denied\n%s\nwant\n%s", got, want)
			}
			var transcript monitor.Transcript
			if err := json.Unmarshal(out.Result, &transcript); err != nil {
				t.Fatal(err)
			}
			reports := []enforce.Report{{Name: "approved", Verdict: "holds", Denied: 1}, {Name: "cap", Verdict: "holds", Denied: 1}}
			if !reflect.DeepEqual(transcript.Rules, reports) || transcript.Verdict != "valid" {
				t.Errorf("%+v, %s", transcript.Rules, transcript.Verdict)
			}
			if name != "calls" && !strings.Contains(transcript.Text, `Error: refund was not called because it violates the rule "approved", which requires once[5m] `+needs+`; allowed tools: approve.`) {
				t.Errorf("the model does not read the reason:\n%s", transcript.Text)
			}
			for _, e := range events {
				if *e.Event.Kind == "call" && string(e.Event.Agent) != `"spec"` {
					t.Errorf("the agent of %s is %s", e.Event.Name, e.Event.Agent)
				}
			}
			last := events[len(events)-1].Event
			if *last.Kind != "end" || !strings.HasPrefix(string(last.Time), "10000") {
				t.Errorf("the last event is %+v", last)
			}
			// A replay has the same times and the same decisions.
			begin.Log = &log
			_, again, replayed := driveClock(t, begin)
			if !reflect.DeepEqual(again, events) || string(replayed.Result) != string(out.Result) {
				t.Errorf("the replay has %d events and %s", len(again), replayed.Result)
			}
		})
	}
}

func TestRunWithFaultyRulesDoesNotStart(t *testing.T) {
	s := New()
	begin := runsWithRules(t)["simulated"]
	for text, code := range map[string]string{"a: b(\n": "rules.syntax", "# no rule\n": "rules.empty"} {
		begin.Settings = []byte(`{"model":{"kind":"first"},"rules":` + string(encoded(text)) + `}`)
		if _, fault := call(t, s, "run.start", begin); fault == nil || len(fault.Diagnostics) == 0 || fault.Diagnostics[0].Code != code {
			t.Errorf("%q: %+v", text, fault)
		}
	}
	plan := RunStartParams{Workspace: RunWorkspace{Files: []File{{Name: "x.cfg", Text: "S -> a S | i\n"}}}, Settings: []byte(`{"model":{"kind":"first"},"rules":"a: !b()"}`)}
	if _, fault := call(t, s, "run.start", plan); fault == nil || fault.Code != "plan.settings" {
		t.Errorf("a plan that is not executed: %+v", fault)
	}
}

// A plan that a rule denies is replaced by one that it allows.
func TestExecutedPlanBacktracksFromDeniedCall(t *testing.T) {
	files := []File{
		{Name: "x.cfg", Text: "S -> send T | store T\nT -> scan | i\n"},
		{Name: "tools.json", Text: `{"types": ["x"], "inputs": {"i": {"type": "x", "text": "draft"}}, "tools": {
			"scan": {"takes": [], "gives": "x", "does": [{"text": "clean"}]}, "send": {"takes": ["x"], "gives": "x", "does": [{"text": "sent"}]}, "store": {"takes": ["x"], "gives": "x", "does": [{"text": "stored"}]}}}`},
	}
	begin := RunStartParams{Workspace: RunWorkspace{Files: files, Name: "x.cfg"}, Settings: []byte(
		`{"task":"t","model":{"kind":"scripted","script":["1","2","1","1","2"]},"execute":true,"otherwise":"first","rules":` +
			string(encoded("scanned: send(1.text: ?x) -> once scan.result(text: ?x)\n")) + `}`)}
	begin.Settings = []byte(strings.Replace(string(begin.Settings), "1.text", `\"1\".text`, 1))
	log, events, out := driveClock(t, begin)
	if out.State != process.StateDone {
		t.Fatalf("%+v", out.Error)
	}
	var made plan.Plan
	if err := json.Unmarshal(out.Result, &made); err != nil {
		t.Fatal(err)
	}
	if got := denials(events); !strings.HasPrefix(got, `scanned: send was not called because it violates the rule "scanned", which requires once scan.result(text: "draft")`) {
		t.Errorf("denied %q", got)
	}
	if len(made.Rules) != 1 || made.Rules[0].Denied != 1 || made.Rules[0].Verdict == "violated" || made.Word[0] == "send" && made.Word[1] == "i" {
		t.Errorf("%+v, %v", made.Rules, made.Word)
	}
	begin.Log = &log
	if _, again, replayed := driveClock(t, begin); !reflect.DeepEqual(again, events) || string(replayed.Result) != string(out.Result) {
		t.Errorf("the replay has %s", replayed.Result)
	}
}

// The members of a team share the rules: an approval by one is known to the other.
func TestTeamSharesRules(t *testing.T) {
	files := []File{
		{Name: "shop.team", Text: `(define shop (:executors
			(clerk (:does "refunds") (:tools "refund"))
			(boss (:does "approves") (:tools "approve"))))`},
		{Name: "agent-tools.json", Text: `{"tools": [{"person": {"name": "refund"}}, {"person": {"name": "approve"}}]}`},
	}
	graph := `{"subtasks":[{"id":"t1","executor":"clerk","task":"refund"},{"id":"t2","executor":"boss","task":"approve","needs":["t1"]},{"id":"t3","executor":"clerk","task":"refund again","needs":["t2"]}]}`
	act := func(tool string) string { return "[Thought] x\n[Action] " + tool + "\n[Action Input] 7\n" }
	script := func(tool string) map[string]any {
		return map[string]any{"kind": "scripted", "script": []string{act(tool), "[Final Thought] y\n[Answer] done"}}
	}
	settings, _ := json.Marshal(map[string]any{
		"task": "refund 7", "model": map[string]any{"kind": "first"}, "graph": json.RawMessage(graph), "environment": "tools", "supervisor": "pass",
		"models": map[string]any{"task t1": script("refund"), "task t2": script("approve"), "task t3": script("refund")},
		"rules":  "four-eyes: refund(question: ?o, @agent: ?a) -> once (approve(question: ?o, @agent: ?b) & ?a != ?b)\n",
	})
	_, events, out := driveClock(t, RunStartParams{Workspace: RunWorkspace{Files: files, Name: "shop.team"}, Settings: settings})
	if out.State != process.StateDone {
		t.Fatalf("%+v", out.Error)
	}
	var done team.Result
	if err := json.Unmarshal(out.Result, &done); err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, e := range events {
		if *e.Event.Kind == "call" {
			calls = append(calls, fmt.Sprint(e.Event.Name, " ", string(e.Event.Agent), " ", e.Denied))
		}
	}
	if got := strings.Join(calls, "; "); got != `refund "clerk" true; approve "boss" false; refund "clerk" false` {
		t.Errorf("%s", got)
	}
	if len(done.Rules) != 1 || done.Rules[0].Verdict != "holds" || done.Rules[0].Denied != 1 {
		t.Errorf("%+v", done.Rules)
	}
}
