package guard_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/guard"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/guardcase"
)

// A guard rejects the same state as the check of the text, and a run may end if the check
// reports it valid.
func TestGuardAgreesWithTextCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 4))
	runs, refused, done := 0, 0, 0
	for _, a := range guardcase.Agents(t) {
		spec, err := guard.Open(a.Spec, a.Properties)
		if err != nil {
			t.Fatal(a.Name, err)
		}
		for range effort.Sample(300, 60) {
			runs++
			c := a.Random(r)
			at, run := -1, spec.Begin()
			for i, s := range c.Steps {
				if i%2 == 1 {
					run = resumed(t, spec, run)
				}
				allowed, _ := run.Next()
				err := run.Enter(s.State, s.Content)
				var v *guard.Violation
				if errors.As(err, &v) {
					if v.Index != i || v.State != s.State || v.Reason == "" || !slices.Equal(v.Allowed, allowed) {
						t.Fatalf("%s: %+v: %+v", a.Name, c, v)
					}
					at = i
					break
				}
			}
			_, ends := run.Next()
			if err := run.End(); (err == nil) != ends {
				t.Fatalf("%s: %+v: done is %v, the end says %v", a.Name, c, ends, err)
			}
			if at != c.Refused || ends != c.Done {
				t.Fatalf("%s: the guard refuses %d, done %v; the check says %+v", a.Name, at, ends, c)
			}
			if at >= 0 {
				refused++
			}
			if ends {
				done++
			}
		}
	}
	if refused < runs/10 || done < runs/20 {
		t.Errorf("of %d runs %d are refused and %d complete: too few to cover both verdicts", runs, refused, done)
	}
}

// resumed returns a run after a round trip through JSON.
func resumed(t *testing.T, spec *guard.Spec, run *guard.Run) *guard.Run {
	t.Helper()
	text, err := json.Marshal(run.Save())
	if err != nil {
		t.Fatal(err)
	}
	var saved guard.Saved
	if err := json.Unmarshal(text, &saved); err != nil {
		t.Fatal(err)
	}
	again, err := spec.Resume(saved)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

const desk = `(define desk
  (:states
    (Ask (:text "[Ask]"))
    (Act (:text "[Act]") (:one-of "lookup" "refund"))
    (Input (:text "[Input]") (:matches "[a-z]+[0-9]{2}"))
    (Result (:text "[Result]") (:flags :env-input))
    (Reply (:text "[Reply]") (:max-tokens 3)))
  (:behavior (next Ask (until (next Act Input Result) Reply))))`

func open(t *testing.T, properties string, steps ...string) *guard.Run {
	t.Helper()
	spec, err := guard.Open(desk, properties)
	if err != nil {
		t.Fatal(err)
	}
	run := spec.Begin()
	for i := 0; i < len(steps); i += 2 {
		if err := run.Enter(steps[i], steps[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return run
}

func TestForbiddenStepsAreRejectedWithReason(t *testing.T) {
	for _, c := range []struct {
		properties     string
		before         []string
		state, content string
		reason         string
		allowed        string
	}{
		{"", nil, "Act", "lookup", `"Act" is not allowed here; expected "Ask"`, "Ask"},
		{"", nil, "ask", "x", `unknown state "ask"; did you mean "Ask"?`, "Ask"},
		{"", nil, "", "x", `unknown state ""`, "Ask"},
		{"", []string{"Ask", "x"}, "Act", "delete_user", `"Act" may not begin with "delete_user"; it must be "lookup" or "refund"`, "Act Reply"},
		{"", []string{"Ask", "x"}, "Act", "", `"Act" is empty; it must be "lookup" or "refund"`, "Act Reply"},
		{"", []string{"Ask", "x"}, "Act", " \n", `"Act" is empty; it must be "lookup" or "refund"`, "Act Reply"},
		{"", []string{"Ask", "x"}, "Act", "look", `"Act" may not end here; it must be "lookup" or "refund"`, "Act Reply"},
		{"", []string{"Ask", "x"}, "Act", "lookup now", `"Act" may not continue with "now"; it must be "lookup" or "refund"`, "Act Reply"},
		{"", []string{"Ask", "x", "Act", "lookup"}, "Input", "ab1", `"Input" may not end here; it must match "[a-z]+[0-9]{2}"`, "Input"},
		{"", []string{"Ask", "x"}, "Reply", "far too long a reply", `"Reply" is longer than 3 tokens`, "Act Reply"},
		{"", []string{"Ask", "x"}, "Reply", "[Act] refund", `"Reply" contains the prompt "[Act]"; enter "Act" as a separate state`, "Act Reply"},
		{"", []string{"Ask", "x", "Reply", "y"}, "Reply", "z", `"Reply" is not allowed after the end of the run`, ""},
		{"G !Act", []string{"Ask", "x"}, "Act", "lookup", `"Act" violates the property "G !Act", however the run continues`, "Reply"},
		{"F Act", []string{"Ask", "x"}, "Reply", "y", `"Reply" violates the property "F Act", because the run ends with it`, "Act"},
		{"once: !F(Act & X F Act)", []string{"Ask", "x", "Act", "lookup", "Input", "a12", "Result", "r"}, "Act", "lookup", `"Act" violates the property "once", however the run continues`, "Reply"},
	} {
		run := open(t, c.properties, c.before...)
		var v *guard.Violation
		if err := run.Enter(c.state, c.content); !errors.As(err, &v) || v.Reason != c.reason || strings.Join(v.Allowed, " ") != c.allowed || v.Index != len(c.before)/2 {
			t.Errorf("%v, then %s %q: %+v", c.before, c.state, c.content, v)
		}
	}
}

func TestPromptInResultIsText(t *testing.T) {
	run := open(t, "", "Ask", "x", "Act", "lookup", "Input", "a12")
	if err := run.Enter("Result", "they wrote: [Act] refund"); err != nil {
		t.Error(err)
	}
}

func TestStateWithoutContentIsRejected(t *testing.T) {
	var v *guard.Violation
	if err := open(t, "").EnterUnknown("Ask"); !errors.As(err, &v) || v.Reason != `missing content of "Ask"; pass its text, "" where it is empty` {
		t.Error(err)
	}
}

func TestRejectionClosesRunUntilRetracted(t *testing.T) {
	run := open(t, "", "Ask", "x")
	if run.Retract() {
		t.Error("there was nothing to retract")
	}
	first := run.Enter("Act", "delete")
	if err := run.Enter("Act", "lookup"); err == nil || !strings.Contains(err.Error(), `state 2 was refused ("Act" may not begin with "delete"`) {
		t.Error(first, err)
	}
	if _, done := run.Next(); done {
		t.Error("a refused run is done")
	}
	if !run.Retract() {
		t.Error("the refusal is not retracted")
	}
	if err := run.Enter("Act", "lookup"); err != nil {
		t.Error(err)
	}
}

func TestEndRejectsIncompleteRuns(t *testing.T) {
	for _, c := range []struct {
		properties string
		steps      []string
		reason     string
	}{
		{"", nil, "the run is not complete; expected Ask"},
		{"", []string{"Ask", "x"}, "the run is not complete; expected Act or Reply"},
		{"F Act", []string{"Ask", "x", "Reply", "y"}, `"Reply" violates`},
		{"", []string{"Ask", "x", "Reply", "y"}, ""},
	} {
		run := open(t, c.properties)
		for i := 0; i < len(c.steps); i += 2 {
			_ = run.Enter(c.steps[i], c.steps[i+1])
		}
		err := run.End()
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) && c.properties == "" {
			t.Errorf("%v: %v", c.steps, err)
		}
		if c.properties != "" && err == nil {
			t.Errorf("%v with %s ends well", c.steps, c.properties)
		}
		if err := run.Enter("Ask", "x"); err == nil || !strings.Contains(err.Error(), "the run has ended") {
			t.Errorf("after the end: %v", err)
		}
		if err := run.End(); err == nil {
			t.Error("a run ends twice")
		}
	}
}

func TestInvalidSpecsOpenNoGuard(t *testing.T) {
	for _, c := range []struct{ spec, properties, want string }{
		{"", "", "the specification has errors"},
		{"(define", "", "the specification has errors: line 1"},
		{strings.Replace(desk, `"[a-z]+[0-9]{2}"`, `"[a-z"`, 1), "", "the specification has errors: line 5"},
		{desk, "G !Actt", `the property "G !Actt" cannot be judged: unknown state "Actt"; did you mean "Act"?`},
		{desk, "x: G (", "a property has errors: line 1"},
	} {
		if _, err := guard.Open(c.spec, c.properties); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}

func TestRunOfAnotherGuardIsNotResumed(t *testing.T) {
	saved := open(t, "F Reply", "Ask", "x").Save()
	for name, change := range map[string]func(*guard.Saved){
		"another spec": func(s *guard.Saved) { s.Spec = "" },
		"a state":      func(s *guard.Saved) { s.State = 99 },
		"below":        func(s *guard.Saved) { s.State = -1 },
		"a property":   func(s *guard.Saved) { s.Properties = []int{77} },
		"none":         func(s *guard.Saved) { s.Properties = nil },
		"its index":    func(s *guard.Saved) { s.Index = -1 },
	} {
		spec, _ := guard.Open(desk, "F Reply")
		bad := saved
		bad.Properties = slices.Clone(saved.Properties)
		if _, err := spec.Resume(bad); err != nil {
			t.Fatal(err)
		}
		change(&bad)
		if _, err := spec.Resume(bad); err == nil {
			t.Errorf("%s: resumed", name)
		}
	}
}

// A run without a continuation states that it is not complete, and promises no continuation.
func TestEndWithoutContinuation(t *testing.T) {
	run := open(t, "G !Ask")
	if allowed, done := run.Next(); len(allowed) > 0 || done {
		t.Errorf("%v may come, done: %v", allowed, done)
	}
	if err := run.End(); err == nil || err.Error() != "the run is not complete" {
		t.Error(err)
	}
}

// A saved run is resumed only in states of its properties that exist.
func TestResumedRunsHaveStatesOfProperties(t *testing.T) {
	spec, err := guard.Open(desk, "F Reply")
	if err != nil {
		t.Fatal(err)
	}
	resumed := 0
	for q := -2; q < 10; q++ {
		saved := spec.Begin().Save()
		saved.Properties = []int{q}
		if run, err := spec.Resume(saved); err == nil {
			resumed++
			run.Next()
			_ = run.Enter("Ask", "x") // an unknown state would panic
		}
	}
	if resumed < 2 || resumed > 9 {
		t.Errorf("%d of 12 runs are resumed", resumed)
	}
}
