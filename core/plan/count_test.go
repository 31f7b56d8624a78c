package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// The figures of a plan are the numbers of its events: moves that were forced, choices of
// the model, and choices undone.
func TestFiguresAreNumbersOfEvents(t *testing.T) {
	const text = "S -> A A A\nA -> a1 | a2 | a3 | B B\nB -> a1 | a2\nlimit 1 each\n"
	ends := 0
	for seed := range uint64(60) {
		p, events, err := planned(t, text, Settings{Naive: seed%2 == 0, Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		if err != nil {
			t.Fatal(err)
		}
		forced, chosen, backs, dead := 0, 0, 0, 0
		for _, raw := range events {
			var e struct{ Kind, By, Why string }
			if err := json.Unmarshal([]byte(raw), &e); err != nil {
				t.Fatal(err)
			}
			switch {
			case e.Kind == "plan.take" && e.By == ByForce:
				forced++
			case e.Kind == "plan.take":
				chosen++
			case e.Kind == "plan.back":
				backs++
				if strings.HasPrefix(e.Why, "dead end") {
					dead++
				}
			}
		}
		if p.Forced != forced || p.Choices != chosen || p.Backtracks != backs || p.DeadEnds != dead {
			t.Fatalf("seed %d: %d forced, %d choices, %d backtracks, %d dead ends; the events are %d, %d, %d, %d", seed, p.Forced, p.Choices, p.Backtracks, p.DeadEnds, forced, chosen, backs, dead)
		}
		ends += dead
	}
	if ends == 0 {
		t.Error("no run has a dead end")
	}
}

// A terminal that its limit excludes is a dead end for a planner without look-ahead.
func TestUsedUpTerminalsAreDeadEnds(t *testing.T) {
	made, _, err := planned(t, "S -> A a | b\nA -> a\nlimit 1 each\n", Settings{Naive: true, Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil || strings.Join(made.Word, " ") != "b" || made.DeadEnds != 1 || made.Backtracks != 1 {
		t.Errorf("%+v, %v", made, err)
	}
}

// A tool that fails temporarily is called again, up to a limit, and every call is counted.
func TestTransientFailuresOfToolsAreRetried(t *testing.T) {
	run := func(fails string) *Plan {
		t.Helper()
		made, _, err := plannedProblem(t, withTools(t, pictures, map[string]string{"b1": fails}), Settings{Execute: true, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "1", "2", "1", "1", "1", "1", "1", "1", "1"}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	for n := 1; n <= tries+1; n++ {
		var calls []string
		for i := range n {
			calls = append(calls, fmt.Sprint(i+1))
		}
		made := run(`{"on": [` + strings.Join(calls, ", ") + `], "transient": true, "message": "busy"}`)
		if n < tries {
			if made.Function != "b1(a1(i))" || made.Failed != n || made.Executed != n+2 {
				t.Errorf("%d failures: %s, %d failed of %d", n, made.Function, made.Failed, made.Executed)
			}
		} else if made.Failed != tries || strings.Contains(made.Function, "b1") {
			t.Errorf("%d failures: %s, %d failed of %d", n, made.Function, made.Failed, made.Executed)
		}
	}
	if made := run(`{"on": [1], "message": "broken"}`); made.Failed != 1 {
		t.Errorf("%s, %d failed of %d", made.Function, made.Failed, made.Executed)
	}
}

// prompts returns the questions of a run.
func prompts(t *testing.T, events []string) (out []string) {
	t.Helper()
	for _, raw := range events {
		var e struct {
			Kind   string
			Prompt string
		}
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if e.Prompt != "" {
			out = append(out, e.Prompt)
		}
	}
	return out
}

// A prompt numbers the decisions: from the first step, or from the last if a plan is made
// backwards, and it reports no trouble before the first failure.
func TestPromptsNumberTheDecisions(t *testing.T) {
	forwards := source.NewFile("a.pda", "start q S\naccept e\nlimit 1 each\nq -> q (a, S; S)\nq -> q (b, S; S)\nq -> q (c, S; S)\nq -> e (d, S; S)\n")
	_, events, err := plannedProblem(t, pushdownProblem(t, forwards), Settings{Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	asked := prompts(t, events)
	if len(asked) < 2 || !strings.Contains(asked[0], "No step is decided yet.") || !strings.Contains(asked[1], "Step 1: a\nStep 2: ?") || strings.Contains(strings.Join(asked, ""), "Keep in mind") {
		t.Errorf("%q", asked)
	}
	_, events, err = plannedProblem(t, pushdownProblem(t, plantest.File(t, "daily/daily.pda")), Settings{Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	backwards := prompts(t, events)
	if last := backwards[len(backwards)-1]; !strings.Contains(last, "Step n: ") || !strings.Contains(last, "Step (n-1): ") || strings.Contains(last, "Step 1:") {
		t.Errorf("%q", last)
	}
	_, events, err = plannedProblem(t, withTools(t, pictures, map[string]string{"b1": `{"always": true, "message": "out of order"}`}), Settings{Execute: true, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "1", "2", "1", "1", "1", "1"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	troubled := prompts(t, events)
	if strings.Contains(troubled[0], "Keep in mind") || !strings.Contains(troubled[len(troubled)-1], "Keep in mind: ") || !strings.Contains(troubled[len(troubled)-1], "out of order") {
		t.Errorf("%q", troubled)
	}
	if !strings.Contains(troubled[0], "(needs ") {
		t.Errorf("%q", troubled[0])
	}
}

func TestChoicesListTheirNeeds(t *testing.T) {
	e := OfferEvent{}
	if err := json.Unmarshal([]byte(`{"choices":[{"n":1,"label":"cut","symbol":"c","pushes":["a text","an image"]},{"n":2,"label":"end","symbol":"e","pushes":[]},{"n":3,"label":"a, then b","symbol":"","pushes":["a","b"]}]}`), &e); err != nil {
		t.Fatal(err)
	}
	if got, want := choiceList(e), "1: cut (needs a text and an image)\n2: end\n3: a, then b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A request asks for one of the choices in the way that is read: their numbers, their labels
// or the likeliest tokens; the answer has room for the numbers.
func TestRequestsAskForTheFormThatIsRead(t *testing.T) {
	for reading, want := range map[string][]string{ReadInteger: {"1", "2"}, ReadLabel: {"Brighten", "a2"}, ReadLogprobs: nil} {
		var requests []llm.Request
		model := llm.Simulate(func(_ *process.Env, r llm.Request) (string, error) {
			requests = append(requests, r)
			return "1", nil
		})
		out, events := plantest.Play(t, func(env *process.Env) (any, error) {
			return withTools(t, pictures, nil).RunWith(env, model, Settings{Reading: reading})
		}, 1)
		if out.Err != nil {
			t.Fatalf("%s: %v", reading, out.Err)
		}
		for i, r := range requests {
			if most := 64 + 4*r.Choices; reading == ReadLogprobs && (r.Constraint != nil || r.TopLogprobs != 20 || r.MaxTokens != 4) || reading != ReadLogprobs && (r.TopLogprobs != 0 || r.MaxTokens != most || len(r.Constraint.Choices) != r.Choices) {
				t.Errorf("%s, request %d: %+v", reading, i, r)
			}
		}
		if want != nil {
			found := false
			for _, r := range requests {
				found = found || strings.Join(r.Constraint.Choices, " ") == strings.Join(want, " ") || strings.HasPrefix(strings.Join(r.Constraint.Choices, " "), want[0]+" ")
			}
			if !found {
				t.Errorf("%s: no request asks for %v", reading, want)
			}
		}
		steps := 0
		for _, raw := range events {
			var e struct {
				Kind string
				Step int
			}
			if err := json.Unmarshal([]byte(raw), &e); err != nil {
				t.Fatal(err)
			}
			if e.Kind == "plan.take" {
				if e.Step < steps || e.Step < 1 {
					t.Errorf("step %d follows step %d", e.Step, steps)
				}
				steps = e.Step
			}
		}
		if steps < 2 {
			t.Errorf("%s: %d steps", reading, steps)
		}
	}
}

// An answer in another form than the one asked for is read as a number.
func TestAnswersAreReadInTheirForm(t *testing.T) {
	offer := OfferEvent{}
	if err := json.Unmarshal([]byte(`{"choices":[{"n":1,"label":"cut"},{"n":2,"label":"glue"}]}`), &offer); err != nil {
		t.Fatal(err)
	}
	many := offer
	many.Multiple = true
	logprobs := []llm.TokenLogprob{{Token: "2", Logprob: -0.1, Top: []llm.TokenLogprob{{Token: "2", Logprob: -0.1}, {Token: "1", Logprob: -2}}}}
	for _, c := range []struct {
		reading string
		offer   OfferEvent
		reply   llm.Reply
		chosen  string
		how     string
		fails   bool
	}{
		{ReadInteger, offer, llm.Reply{Text: "2"}, "[2]", ReadInteger, false}, {ReadInteger, offer, llm.Reply{Text: "1", Logprobs: logprobs}, "[1]", ReadInteger, false},
		{ReadLabel, offer, llm.Reply{Text: "glue"}, "[2]", ReadLabel, false}, {ReadLabel, offer, llm.Reply{Text: "2"}, "[2]", ReadInteger, false}, {ReadLabel, offer, llm.Reply{Text: "paint"}, "", ReadLabel, true}, {ReadLabel, offer, llm.Reply{Text: "3"}, "", ReadLabel, true},
		{ReadLogprobs, offer, llm.Reply{Text: "1", Logprobs: logprobs}, "[2]", ReadLogprobs, false}, {ReadLogprobs, offer, llm.Reply{Text: "1"}, "[1]", ReadInteger, false},
		{ReadLabel, many, llm.Reply{Text: "1, 2"}, "[1 2]", ReadInteger, false}, {ReadInteger, many, llm.Reply{Text: "none"}, "", ReadInteger, true},
	} {
		p := &planner{settings: Settings{Reading: c.reading}}
		for rules, got := range map[string]answer{"earlier": p.readEarlier(c.reply, c.offer), "present": p.readNow(c.reply, c.offer)} {
			if got.how != c.how || (got.fault != "") != c.fails || !c.fails && fmt.Sprint(got.chosen) != c.chosen {
				t.Errorf("%s of %+v by the %s rules: %+v", c.reading, c.reply, rules, got)
			}
		}
	}
	// A label is an answer to a request for a number, too, but was not in earlier versions.
	p, glue := &planner{}, llm.Reply{Text: "glue"}
	if before, now := p.readEarlier(glue, offer), p.readNow(glue, offer); before.fault == "" || now.fault != "" || now.chosen[0] != 2 || now.how != ReadLabel {
		t.Errorf("%+v and %+v", before, now)
	}
	// A copy of the prompt is no answer, whatever numbers it has.
	offer.Prompt = "Choose. Answer with one integer from 1 to 3."
	if copied := p.readNow(llm.Reply{Text: offer.Prompt + "\n2"}, offer); copied.fault == "" {
		t.Errorf("%+v", copied)
	}
}

// The first moves of a plan are numbered from one.
func TestStepsAreNumberedFromOne(t *testing.T) {
	_, events, err := planned(t, "S -> A B\nA -> a | b\nB -> c | d\n", Settings{Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var steps []int
	for _, raw := range events {
		var e struct {
			Kind string
			Step int
		}
		if json.Unmarshal([]byte(raw), &e) == nil && e.Kind == "plan.take" {
			steps = append(steps, e.Step)
		}
	}
	if len(steps) == 0 || steps[0] < 1 || steps[len(steps)-1] <= steps[0] {
		t.Errorf("the steps are %v", steps)
	}
}

// The settings replace the limit and the temperature of each answer. A repeated request raises the
// temperature to at most 2.
func TestSettingsLimitAnswers(t *testing.T) {
	var requests []llm.Request
	model := llm.Simulate(func(_ *process.Env, r llm.Request) (string, error) {
		requests = append(requests, r)
		if len(requests) < 4 {
			return "neither", nil
		}
		return "1", nil
	})
	out, _ := plantest.Play(t, func(env *process.Env) (any, error) {
		return withTools(t, pictures, nil).RunWith(env, model, Settings{MaxTokens: 700, Temperature: 1.85})
	}, 1)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	for i, r := range requests {
		if want := []float64{1.85, 1.95, 2, 2}[min(i, 3)]; r.MaxTokens != 700 || i < 4 && r.Temperature-want > 1e-9 || r.Temperature < 1.85 {
			t.Errorf("request %d: %d tokens, temperature %g (expected %g)", i, r.MaxTokens, r.Temperature, want)
		}
	}
	for settings, want := range map[string]string{
		`{"maxTokens":-1}`: "maxTokens is -1", `{"temperature":2.1}`: "temperature is 2.1", `{"temperature":-1}`: "temperature is -1",
	} {
		s := Settings{Model: llm.Spec{Kind: "first"}}
		if err := json.Unmarshal([]byte(settings), &s); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", settings, err)
		}
	}
}
