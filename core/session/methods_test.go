package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/team"
)

// replied returns the result of a method as JSON or, of an error, its code and message.
func replied(t *testing.T, method, params string) string {
	t.Helper()
	var reply struct {
		Result json.RawMessage
		Error  *Error
	}
	text := New().Handle([]byte(`{"id":1,"method":"` + method + `","params":` + params + `}`))
	if err := json.Unmarshal(text, &reply); err != nil {
		t.Fatalf("%s: %s: %v", method, text, err)
	}
	if reply.Error != nil {
		return reply.Error.Code + ": " + reply.Error.Message
	}
	return string(reply.Result)
}

func TestMethodsOfGrammarsAndFormulas(t *testing.T) {
	for _, c := range []struct{ method, params, want string }{
		{"grammar.check", `{"source":"S -> b S | a T | ε\nT -> c\nU -> T"}`, `{"start":"S","terminals":["a","b","c"],"nonterminals":["S","T","U"],"productive":["S","T","U"],"reachable":["S","T"],"nullable":["S"],"empty":false,"finite":false,"cyclic":false,"diagnostics":[`},
		{"grammar.check", `{"source":"S -> T | a\nT -> T b"}`, `{"start":"S","terminals":["a","b"],"nonterminals":["S","T"],"productive":["S"],"reachable":["S","T"],"nullable":[],"empty":false,"finite":true,"cyclic":false,"diagnostics":[`},
		{"grammar.check", `{"source":"S -> S | a"}`, `{"start":"S","terminals":["a"],"nonterminals":["S"],"productive":["S"],"reachable":["S"],"nullable":[],"empty":false,"finite":true,"cyclic":true,"diagnostics":[`},
		{"grammar.check", `{"source":"S a"}`, `{"start":"","terminals":[],"nonterminals":[],"productive":[],"reachable":[],"nullable":[],"empty":true,"finite":true,"cyclic":false,"diagnostics":[{`},
		{"grammar.accepts", `{"source":"S -> a S | a","word":["a","a"]}`, `{"accepted":true,"trees":1}`},
		{"grammar.accepts", `{"source":"S -> a S | a","word":[]}`, `{"accepted":false,"trees":0}`},
		{"grammar.accepts", `{"source":"S -> a S | a","word":["a","?"]}`, `{"accepted":false,"trees":0}`},
		{"grammar.accepts", `{"source":"S -> a S | a","word":["S"]}`, `{"accepted":false,"trees":0}`},
		{"grammar.accepts", `{"source":"S -> S | a","word":["a"]}`, `{"accepted":true,"trees":-1}`},
		{"grammar.accepts", `{"source":"S a","word":["a"]}`, `source.invalid: `},
		{"grammar.next", `{"source":"S -> a S b | ε","prefix":["a","?"]}`, `{"viable":false,"complete":false,"next":[]}`},
		{"grammar.next", `{"source":"S -> c | b | a","prefix":[]}`, `{"viable":true,"complete":false,"next":["a","b","c"]}`},
		{"grammar.plans", `{"source":"S -> d S | a T\nT -> d","limits":{"d":1}}`, `{"plans":"1","deadEnds":"1"}`},
		{"grammar.plans", `{"source":"S -> a","limits":{"x":2}}`, `limits.unknown: `},
		{"grammar.plans", `{"source":"S a","limits":{}}`, `source.invalid: `},
		{"grammar.verify", `{"source":"S -> a S b | a b","formula":"F b"}`, `{"holds":true,"counterexample":null}`},
		{"grammar.verify", `{"source":"S -> a S b | a b","formula":"X b"}`, `{"holds":false,"counterexample":["a","a","b","b"]}`},
		{"grammar.verify", `{"source":"S -> a S b | a b","formula":"F S"}`, `ltl.proposition: unknown terminal "S" in the formula`},
		{"grammar.verify", `{"source":"S -> a","formula":"F"}`, `source.invalid: `},
		{"grammar.verify", `{"source":"S a","formula":"F a"}`, `source.invalid: `},
		{"grammar.verify", `{"source":"S -> a","formula":"F a\n\nG a"}`, `ltl.one: expected one formula, got 2`},
		{"grammar.verify", `{"source":"S -> a","formula":""}`, `source.invalid: `},
		{"formula.verdict", `{"formula":"F b","propositions":["a","b"],"letters":"powerset","trace":[["a"],["a","b"]]}`, `{"holds":true,"verdict":"satisfied"}`},
		{"formula.verdict", `{"formula":"F b","propositions":["a","b"],"letters":"powerset","trace":[["a"],["a","c"]]}`, `ltl.`},
		{"formula.automaton", `{"formula":"F","propositions":["a"],"letters":"powerset"}`, `source.invalid: `},
		{"formula.explain", `{"formula":"F","trace":[["a"]]}`, `source.invalid: `},
		{"agent.compare", `{"source":"(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until A B)))","other":"(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (next A B)))"}`, `{"equivalent":false,"run":["B"],"of":"source"}`},
		{"agent.compare", `{"source":"(define","other":"(define"}`, `source.invalid: `},
		{"agent.compare", `{"source":"(define a (:states (A (:text \"[A]\"))) (:behavior A))","other":"(define"}`, `source.invalid: `},
		{"agent.verify", `{"source":"(define","formula":"F A"}`, `source.invalid: `},
		{"agent.verify", `{"source":"(define a (:states (A (:text \"[A]\"))) (:behavior A))","formula":"F"}`, `source.invalid: `},
		{"agent.verdict", `{"source":"(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (next (or B A) B)))","sequence":[]}`, `{"verdict":"incomplete","next":["A","B"],"violation":null}`},
		{"agent.aliases", `{"source":"(define a (:states (A (:text \"[A]\"))) (:behavior A))","state":"A","texts":["A:",""," **A:** "]}`, `{"source":"(define a (:states (A (:text \"[A]\") (:aliases \"A:\" \"**A:**\"))) (:behavior A))"}`},
		{"agent.aliases", `{"source":"(define a (:states (A (:text \"[A]\") (:aliases \"A:\"))) (:behavior A))","state":"A","texts":[""]}`, `{"source":"(define a (:states (A (:text \"[A]\"))) (:behavior A))"}`},
		{"agent.aliases", `{"source":"(define a (:states (A (:text \"[A]\"))) (:behavior A))","state":"B","texts":["B:"]}`, `agent.state: unknown state "B"`},
		{"agent.aliases", `{"source":"(define a (:states (A (:text \"[A]\"))) (:behavior A))","state":"A","texts":["[A]"]}`, `agent.alias-twice: `},
		{"agent.verdict", `{"source":"(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (next A B)))","sequence":["B"]}`, `{"verdict":"invalid","next":[],"violation":0}`},
	} {
		if got := replied(t, c.method, c.params); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.method, c.params, got, c.want)
		}
	}
	// The fault of a trace has the number of its step, from 1.
	if got := replied(t, "formula.verdict", `{"formula":"F b","propositions":["a","b"],"letters":"onehot","trace":[["a"],["c"]]}`); !strings.Contains(got, ": step 2: ") {
		t.Error(got)
	}
}

// The ends of each range are accepted, and the numbers next to them are not.
func TestLimitsOfMethodsAreExact(t *testing.T) {
	for _, c := range []struct {
		method, params string // with the number
		least, most    int
		code           string
	}{
		{"grammar.count", `{"source":"S -> a","maxLength":%d}`, 0, MaxCountLength, "limit.length"},
		{"grammar.ambiguity", `{"source":"S -> a","maxLength":%d}`, 0, MaxAmbiguityLength, "limit.length"},
		{"grammar.sample", `{"source":"S -> a","number":1,"length":%d}`, 0, MaxCountLength, "limit.length"},
		{"grammar.sample", `{"source":"S -> a S | a","length":1,"number":%d}`, 0, MaxSamples, "limit.length"},
	} {
		for n, ok := range map[int]bool{c.least: true, c.most: true, c.least - 1: false, c.most + 1: false} {
			if got := replied(t, c.method, fmt.Sprintf(c.params, n)); strings.HasPrefix(got, "{") != ok || !ok && !strings.HasPrefix(got, c.code+": ") {
				t.Errorf("%s of %d: %.200s", c.method, n, got)
			}
		}
	}
	if got := replied(t, "grammar.sample", `{"source":"S -> a S | a","length":2,"number":3}`); got != `{"words":[["a","a"],["a","a"],["a","a"]]}` {
		t.Error(got)
	}
	for _, c := range []struct {
		from, most int
		ok         bool
	}{{0, 0, true}, {0, strips.MaxHorizon, true}, {strips.MaxHorizon, strips.MaxHorizon, true}, {0, strips.MaxHorizon + 1, false}, {-1, 3, false}, {0, -1, false}, {4, 3, false}, {3, 3, true}, {strips.MaxHorizon + 1, 0, false}} {
		s := StepsSettings{From: c.from, Most: c.most}
		if err := s.check(); (err == nil) != c.ok || !c.ok && source.ErrorCode(err) != "limit.horizon" {
			t.Errorf("%d to %d steps: %v", c.from, c.most, err)
		}
	}
	s := StepsSettings{}
	if err := s.check(); err != nil || s.Most != formulate.DefaultHorizon || s.Properties != propertiesEnforce {
		t.Errorf("%+v, %v", s, err)
	}
	s = StepsSettings{From: formulate.DefaultHorizon + 2}
	if err := s.check(); err != nil || s.Most != s.From {
		t.Errorf("%+v, %v", s, err)
	}
}

// A part of a drawing has a place in the text, or none: then both ends are -1.
func TestPartsOfDrawingsHavePlacesOrNone(t *testing.T) {
	placed, none := 0, 0
	check := func(name, text string, from, to int) {
		switch {
		case from == -1 && to == -1:
			none++
		case from >= 0 && from < to && to <= len(text):
			placed++
		default:
			t.Errorf("%s: %d to %d", name, from, to)
		}
	}
	for name, text := range map[string]string{
		"g.cfg": "S -> a S b | c", "p.pda": counter, "f.flow": asking, "one.ltl": "F a", "two.ltl": "one: G a\n\ntwo: F c", "a.agent": guardAgent, "d.pddl": lampDomain + lampProblem,
	} {
		doc := DocumentParams{Files: files(name, text), Name: name}
		whole := fullGraph(t, name, text, "")
		for _, d := range []*Drawing{whole.Drawing, result[DocumentAnalyzeResult](t, New(), "document.analyze", doc).Drawing} {
			if d == nil {
				continue
			}
			for _, n := range d.Nodes {
				check(name+" "+n.ID, text, n.From, n.To)
			}
			for _, e := range d.Edges {
				for _, l := range e.Lines {
					check(name+" "+e.ID, text, l.From, l.To)
				}
			}
		}
		for _, v := range whole.Views {
			check(name+" view "+v.ID, text, v.From, v.To)
		}
		for _, p := range whole.Places {
			check(name+" place "+p.ID, text, p.From, p.To)
		}
	}
	if placed == 0 || none == 0 {
		t.Errorf("%d parts have a place, %d none", placed, none)
	}
}

// A run of every kind checks its settings, its spec and the files that it uses before it starts.
func TestRunsAreCheckedBeforeTheyStart(t *testing.T) {
	const (
		model   = `{"model":{"kind":"first"}}`
		nobody  = `{"model":{"kind":"nobody"}}`
		unknown = `{"model":{"kind":"first"},"wish":1}`
	)
	ab := File{Name: "ab.cfg", Text: "S -> a b"}
	with := func(spec File, more ...File) []File { return append([]File{spec}, more...) }
	react := File{Name: "a.agent", Text: guardAgent}
	task, query := File{Name: "p.problem/task.md", Text: "Plan."}, File{Name: "p.problem/query.md", Text: "What?"}
	for _, c := range []struct {
		kind, settings string
		files          []File
		code           string // "": it starts
	}{
		{RunMonitor, model, with(react), ""},
		{RunMonitor, unknown, with(react), "protocol.params"},
		{RunMonitor, nobody, with(react), "llm.spec"},
		{RunMonitor, model, with(File{Name: "a.agent", Text: "(define"}), "source.invalid"},
		{RunMonitor, `{"model":{"kind":"first"},"then":"b.agent"}`, with(react), "workspace.missing"},
		{RunMonitor, `{"model":{"kind":"first"},"then":"b.agent"}`, with(react, File{Name: "b.agent", Text: guardAgent}), ""},
		{RunMonitor, model, with(react, File{Name: "agent-tools.json", Text: `{"tools":[{"calculator":{}}]}`}), ""},
		{RunMonitor, model, with(react, File{Name: "agent-tools.json", Text: `{"tools":[{"calculator":`}), "source.invalid"},
		{RunMonitor, model, with(react, File{Name: "agent-tools.json", Text: `{"tools":[{"http":{"file":"api.json"}}]}`}), "source.invalid"},
		{RunBaseline, model, with(ab), ""},
		{RunBaseline, unknown, with(ab), "protocol.params"},
		{RunBaseline, nobody, with(ab), "llm.spec"},
		{RunBaseline, `{"model":{"kind":"first"},"limits":{"c":1}}`, with(ab), "limits.unknown"},
		{RunBaseline, model, with(File{Name: "ab.cfg", Text: "S a"}), "source.invalid"},
		{RunBaseline, model, with(react), "run.kind"},
		{RunCompare, model, with(ab), ""},
		{RunCompare, unknown, with(ab), "protocol.params"},
		{RunCompare, nobody, with(ab), "llm.spec"},
		{RunCompare, `{"model":{"kind":"first"},"limits":{"c":1}}`, with(ab), "limits.unknown"},
		{RunCompare, model, with(ab, File{Name: "tools.json", Text: "{"}), "source.invalid"},
		{RunFormulate, model, with(task, query), ""},
		{RunFormulate, unknown, with(task, query), "protocol.params"},
		{RunFormulate, nobody, with(task, query), "llm.spec"},
		{RunFormulate, model, with(task), "formulate.missing"},
		{RunSteps, `{}`, lampFiles(), ""},
		{RunSteps, `{"wish":1}`, lampFiles(), "protocol.params"},
	} {
		params := RunStartParams{Kind: c.kind, Workspace: RunWorkspace{Files: c.files, Name: c.files[0].Name}, Settings: []byte(c.settings)}
		_, fault := call(t, New(), "run.start", params)
		code := ""
		if fault != nil {
			code = fault.Code
		}
		if code != c.code {
			t.Errorf("%s of %s with %s: %+v, want %q", c.kind, c.files, c.settings, fault, c.code)
		}
	}
}

// An incomplete run has the states that may follow as its reason.
func TestIncompleteRunsNameTheStatesThatMayCome(t *testing.T) {
	p := MonitorCheckParams{Source: guardAgent, Text: "[Ask] q\n", Format: "text"}
	found := result[MonitorCheckResult](t, New(), "monitor.check", p)
	checked := result[GuardCheckResult](t, New(), "guard.check", p)
	if v := checked.Violation; found.Verdict != "incomplete" || len(found.Next) == 0 || v == nil || v.Index != 1 || v.Reason != "the run is incomplete; expected "+strings.Join(found.Next, " or ") {
		t.Errorf("%+v, %+v", found, checked.Violation)
	}
}

// The states that may follow are those of the worst conversation, and a property has the verdict of
// the first conversation on which it does not hold.
func TestWorstConversationIsShown(t *testing.T) {
	line := func(role string) string { return `{"role":"` + role + `","content":"x"}` }
	valid, open := `{"messages":[`+line("user")+`,`+line("assistant")+"]}\n", `{"messages":[`+line("user")+"]}\n"
	alone := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: traceAgent, Text: open, Format: "jsonl", Properties: "F Ans"})
	if alone.Verdict == "valid" || len(alone.Next) == 0 || alone.Properties[0].Holds {
		t.Fatalf("%+v", alone)
	}
	for _, text := range []string{valid + open, open + valid, open + open, valid + open + valid} {
		got := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: traceAgent, Text: text, Format: "jsonl", Properties: "F Ans"})
		if got.Spec != alone.Spec || strings.Join(got.Next, " ") != strings.Join(alone.Next, " ") || got.Properties[0].Verdict != alone.Properties[0].Verdict || got.Properties[0].Holds {
			t.Errorf("%s: %+v", text, got)
		}
	}
	good := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: traceAgent, Text: valid, Format: "jsonl", Properties: "F Ans"})
	both := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: traceAgent, Text: valid + valid, Format: "jsonl", Properties: "F Ans"})
	if good.Verdict != "valid" || both.Verdict != "valid" || good.Properties[0].Verdict != "satisfied" || both.Properties[0].Verdict != "satisfied" || len(both.Next) != len(good.Next) {
		t.Errorf("%+v, %+v", good, both)
	}
}

// A grammar without terminals has no steps of a plan, so no plan is judged by it.
func TestGrammarsWithoutTerminalsJudgeNoPlan(t *testing.T) {
	got := result[StepsValidateResult](t, New(), "steps.validate", StepsValidateParams{Files: lampFiles(File{Name: "a.cfg", Text: "S -> ε"}), Name: "evening.pddl", Plan: "(light hall)\n(light porch)"})
	if got.Fault != nil || len(got.Checks) != 0 {
		t.Errorf("%+v", got)
	}
}

// A file that cannot be run is reported with the kinds of run that it has.
func TestKindsOfRunAreReported(t *testing.T) {
	for _, c := range []struct{ name, text, kind, message string }{
		{"notes.md", "hi", "", "notes.md has no kind of run"},
		{"notes.md", "hi", RunPlan, "notes.md has no kind of run"},
		{"g.cfg", "S -> a", RunMonitor, `g.cfg is run with "plan", "baseline", "compare", not with "monitor"`},
		{"g.cfg", "S -> a", "pln", `unknown kind of run "pln"; did you mean "plan"?`},
	} {
		_, fault := call(t, New(), "run.start", RunStartParams{Kind: c.kind, Workspace: RunWorkspace{Files: files(c.name, c.text), Name: c.name}, Settings: []byte(`{"model":{"kind":"first"}}`)})
		if fault == nil || fault.Code != "run.kind" || fault.Message != c.message {
			t.Errorf("%s with %q: %+v", c.name, c.kind, fault)
		}
	}
}

// A scripted model repeats its last answer; a team without a scripted supervisor has none; a
// deliverer repeats the mistakes of the parts until the fault is reported.
func TestScriptedModelsOfContests(t *testing.T) {
	reply := func(model llm.Model, times, messages int) string {
		text := ""
		p := process.New(func(env *process.Env) (any, error) {
			for range times {
				reply, err := model.Generate(env, llm.Request{Messages: make([]llm.Message, messages)}, func(string) bool { return true })
				if err != nil {
					return nil, err
				}
				text += reply.Text
			}
			return nil, nil
		}, 1, meter.Budget{}, nil)
		if out, err := p.Resume(nil, 0); err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		return text
	}
	drawn := 0
	model := says(func(*process.Env) []string { drawn++; return []string{"a", "b"} })
	if got := reply(model, 4, 1); got != "abbb" || drawn != 1 {
		t.Errorf("%s, drawn %d times", got, drawn)
	}
	for said, want := range map[string]bool{"": false, "fine": true} {
		if got := newPlayer(bench.Rehearsal{Supervisor: said}, 0, "").play(team.Supervisor); (got != nil) != want {
			t.Errorf("a supervisor that says %q: %v", said, got)
		}
	}
	player := newPlayer(bench.Rehearsal{Parts: make([]bench.Part, 2), Answers: 1, Answer: func(parts []int, own int) string { return fmt.Sprint(parts, own) }}, 0, "")
	player.drawn = []int{1, 2}
	for messages, want := range map[int]string{1: "[1 2] 0", 3: "[0 0] 0"} {
		if got := reply(player.play(team.Deliverer), 1, messages); got != want {
			t.Errorf("%d messages: %s, want %s", messages, got, want)
		}
	}
}

// The first property that does not hold is the guard's reason.
func TestGuardNamesTheFalseProperty(t *testing.T) {
	got := result[GuardCheckResult](t, New(), "guard.check", MonitorCheckParams{Source: guardAgent, Text: "[Ask] q\n[Reply] x", Format: "text", Properties: "F Ask\n\nacts: F Act\n\nF F Act"})
	if v := got.Violation; v == nil || v.Property != "acts" || v.Reason != `the property "acts" does not hold` {
		t.Errorf("%+v", v)
	}
}

// A formula over an unknown state names it, and the state with the nearest name.
func TestUnknownStatesOfPropertiesAreNamed(t *testing.T) {
	for property, want := range map[string]string{"F Replly": `unknown state "Replly"; did you mean "Reply"?`, "F x": `unknown state "x"`} {
		got := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: guardAgent, Text: "[Ask] q\n[Reply] x", Format: "text", Properties: property})
		if len(got.Properties) != 1 || got.Properties[0].Fault != want || got.Verdict != "fault" {
			t.Errorf("%s: %+v", property, got.Properties)
		}
	}
}

// A formula without propositions is about no problem in particular.
func TestFormulasWithoutPropositionsAreAboutNoProblem(t *testing.T) {
	o, _ := strips.Open(source.NewFile("evening.pddl", lampProblem), []*source.File{source.NewFile("lamps.pddl", lampDomain)})
	for text, want := range map[string]bool{"true": false, "F fused": true, "G x": false} {
		list, _ := ltl.Parse(source.NewFile("a.ltl", text))
		if about, fault := refersTo(&o.Spec, list[0].Formula); about != want || fault != nil {
			t.Errorf("%s: %v, %v", text, about, fault)
		}
	}
}

// Problems are encoded for as many steps as requested; a negative number selects the lower bound.
func TestStepsOfAnEncoding(t *testing.T) {
	for steps, want := range map[int]int{-1: 2, 0: 0, 1: 1, 3: 3} {
		if got := result[StepsEncodeResult](t, New(), "steps.encode", StepsEncodeParams{Files: lampFiles(), Name: "evening.pddl", Steps: steps}); got.Steps != want {
			t.Errorf("%d: %d", steps, got.Steps)
		}
	}
}

// The faults of a plan beyond those that are listed are counted.
func TestFaultsOfPlansAreCounted(t *testing.T) {
	for n, want := range map[int]string{notation.MaxShown: "", notation.MaxShown + 3: "3 more are not listed"} {
		got := result[StepsValidateResult](t, New(), "steps.validate", StepsValidateParams{Files: lampFiles(), Name: "evening.pddl", Plan: strings.Repeat("(light (hall))\n", n)})
		last := got.Diagnostics[len(got.Diagnostics)-1]
		if len(got.Diagnostics) != min(n, notation.MaxShown+1) || (last.Code == "limit.found") != (want != "") || want != "" && last.Message != want {
			t.Errorf("%d faults: %d, %+v", n, len(got.Diagnostics), last)
		}
	}
}

// The states of a recorded conversation have the numbers of their parts, from 1.
func TestStatesHaveTheNumbersOfTheirParts(t *testing.T) {
	out := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: traceAgent, Text: `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}` + "\n" + `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`, Format: "jsonl"})
	for _, s := range out.Segments {
		if s.Part < 1 || s.Part > len(out.Parts) || out.Parts[s.Part-1].Text != s.Content && !s.Implied {
			t.Errorf("%+v of %+v", s, out.Parts)
		}
	}
	if len(out.Parts) != 4 {
		t.Errorf("%+v", out.Parts)
	}
}

func TestTextsAreCutBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"ab", 2, "ab"}, {"abc", 2, "ab…"}, {"aé", 2, "a…"}, {"aéb", 3, "aé…"}, {"\x80\x80", 1, "…"}, {"", 0, ""}} {
		if got, cut := cutText(c.text, c.most); got != c.want || cut != strings.HasSuffix(c.want, "…") {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

// A prompt in another style is unread; a line that only resembles a prompt is reported.
func TestLookalikesAreUnreadOrReported(t *testing.T) {
	got := result[MonitorCheckResult](t, New(), "monitor.check", MonitorCheckParams{Source: guardAgent, Text: "[Ask] q\n[act] lookup\n[Act refund\n[Reply] x", Format: "text"})
	if len(got.Unread) != 1 || got.Unread[0].Line != 2 || len(got.Lookalikes) != 1 || got.Lookalikes[0].Line != 3 {
		t.Errorf("unread %+v, look-alikes %+v", got.Unread, got.Lookalikes)
	}
}

// A run stops after as many pieces of the answer as requested.
func TestAnswersStopAfterPieces(t *testing.T) {
	for stop, want := range map[int]string{0: "abc", 1: "a", 2: "ab", 4: "abc"} {
		s := New()
		settings := fmt.Sprintf(`{"messages":[{"role":"user","content":"?"}],"stopAfter":%d,"model":{"kind":"endpoint","endpoint":{"name":"mine","url":"https://models.example/v1","model":"m"}}}`, stop)
		number := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunAsk, Settings: []byte(settings)}).Run
		effect := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number}).Effects[0].ID
		var answers []process.Answer
		for _, piece := range []string{"a", "b", "c"} {
			chunk := `data: {"choices":[{"delta":{"content":"` + piece + `"}}]}` + "\n\n"
			answers = append(answers, process.Answer{Effect: effect, Chunk: &chunk})
		}
		end := "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
		answers = append(answers, process.Answer{Effect: effect, Chunk: &end}, process.Answer{Effect: effect, Value: []byte(`{"status":200}`)})
		out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: answers})
		var reply AskResult
		if err := json.Unmarshal(out.Result, &reply); err != nil || reply.Text != want || (len(out.Cancel) > 0) != (want != "abc") {
			t.Errorf("after %d: %s, %v, %+v", stop, out.Result, out.Cancel, out.Error)
		}
	}
}

// The automaton of a formula has a table of transitions up to 65,536 entries.
func TestTableOfAnAutomatonHasALimit(t *testing.T) {
	for n, want := range map[int]int{8: 1 << 8, 9: 0} {
		var props, parts []string
		for i := range n {
			props = append(props, fmt.Sprintf("p%d", i))
			parts = append(parts, "F "+props[i])
		}
		got := result[FormulaAutomatonResult](t, New(), "formula.automaton", FormulaParams{Formula: strings.Join(parts, " & "), Propositions: props, Letters: "powerset"})
		if got.States != 1<<n || len(got.Letters) != want || len(got.Transitions) != want {
			t.Errorf("%d propositions: %d states, %d letters, %d rows", n, got.States, len(got.Letters), len(got.Transitions))
		}
	}
}

// A property that cannot be judged is excluded from a run by its name; of one that is judged
// in part, the judged part counts.
func TestExcludedPropertiesOfRuns(t *testing.T) {
	a, err := openAgent(guardAgent)
	if err != nil {
		t.Fatal(err)
	}
	w := New().project(files("p.ltl", "strange: F x\n\nhalf: F Reply & F x\n\nbroken: F Act & F x\n\nplain: F Ask"))
	for _, c := range []struct {
		without []string
		want    string
	}{
		{nil, "strange fault, half fault, broken fault, plain true, "},
		{[]string{"strange", "half", "broken", "plain"}, "half true, broken false, plain true, "},
		{[]string{"half"}, "strange fault, half true, broken fault, plain true, "},
	} {
		list, err := propertyJudge(w, c.without)(a, []string{"Ask", "Reply"})
		got := ""
		for _, p := range list {
			outcome := fmt.Sprint(p.Holds)
			if p.Fault != "" {
				outcome = "fault"
			}
			got += p.Name + " " + outcome + ", "
		}
		if err != nil || got != c.want {
			t.Errorf("without %q: %s%v, want %s", c.without, got, err, c.want)
		}
	}
}

// The cells of an experiment exclude the experiment's properties; runs without a spec have none.
func TestExcludedPropertiesOfExperiments(t *testing.T) {
	for _, c := range []struct{ kind, settings, want string }{
		{RunPlan, `{"task":"t"}`, `{"task":"t","without":["strange"]}`},
		{RunPlan, `{"without":["other"]}`, `{"without":["strange"]}`},
		{RunPlan, `[`, `[`},
		{RunAsk, `{"stop":[]}`, `{"stop":[]}`},
		{"none", `{}`, `{}`},
	} {
		if got := leavingOut([]string{"strange"}, c.kind, []byte(c.settings)); string(got) != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.settings, got, c.want)
		}
		if got := leavingOut(nil, c.kind, []byte(c.settings)); string(got) != c.settings {
			t.Errorf("%s %s without an exclusion: %s", c.kind, c.settings, got)
		}
	}
}
