package process_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

// reading asks a person questions until the answer is "end", and reads each answer by the rules
// of a version: the earlier rule, "-", or that of the version. An answer with the name of the
// version makes a difference, and one with "!" makes a difference without a recorded decision.
func reading(version string) process.Func {
	return func(env *process.Env) (any, error) {
		var out []string
		for {
			raw, err := env.Start(process.Request{Question: &process.Question{Prompt: "?"}}).Value()
			if err != nil {
				return nil, err
			}
			var text string
			if err := json.Unmarshal(raw, &text); err != nil || text == "end" {
				return strings.Join(out, " "), err
			}
			if strings.Contains(text, "!") && !env.Earlier() {
				env.Revise()
			}
			now := "-"
			if strings.ContainsAny(text, version) {
				now = version
			}
			current, _ := json.Marshal(now)
			if decision := env.Decide(now != "-", current); decision == nil {
				now = "-"
			} else if err := json.Unmarshal(decision, &now); err != nil {
				return nil, err
			}
			out = append(out, text+now)
		}
	}
}

// without returns a log as the version before recorded decisions wrote it.
func without(t *testing.T, log []process.Answer) []process.Answer {
	t.Helper()
	text, err := json.Marshal(slices.DeleteFunc(slices.Clone(log), func(a process.Answer) bool { return a.Error != nil && a.Value != nil }))
	if err != nil {
		t.Fatal(err)
	}
	var out []process.Answer
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), `"decided"`, `"revised"`)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A later version, whose rules differ, repeats the decisions of a log and adds its own to new
// answers.
func TestDecisionsOfLogAreRepeated(t *testing.T) {
	answers := []string{"a", "x", "y", "!", "xy", "z", "end"}
	text, log, err := playOf(reading("x"), nil, answers...)
	if err != nil || text != "a- xx y- !- xyx z-" || len(log) != len(answers)+2 {
		t.Fatalf("%q, %+v, %v", text, log, err)
	}
	for _, version := range []string{"x", "y", "z"} {
		if again, copied, err := playOf(reading(version), log); err != nil || again != text || len(copied) != len(log) {
			t.Errorf("version %s: %q, %+v, %v", version, again, copied, err)
		}
	}
	for at := range len(log) {
		prefix, rest := slices.Clone(log[:at:at]), slices.Clone(answers)
		for _, a := range prefix {
			if a.Error == nil {
				rest = rest[1:]
			}
		}
		if log[at].Error != nil {
			continue // the log ends before the decision on its last answer
		}
		if again, copied, err := playOf(reading("x"), prefix, rest...); err != nil || again != text || len(copied) != len(log) {
			t.Errorf("continued after %d entries: %q, %+v, %v", at, again, copied, err)
		}
		mixed, copied, err := playOf(reading("z"), prefix, rest...)
		if err != nil || at > 4 && !strings.HasPrefix(mixed, "a- xx y- !-") {
			t.Errorf("continued by a later version after %d entries: %q, %v", at, mixed, err)
		}
		if again, _, err := playOf(reading("y"), copied); err != nil || again != mixed {
			t.Errorf("replayed after %d entries: %q instead of %q, %v", at, again, mixed, err)
		}
	}
}

// A log with the mark of the version before recorded decisions follows the current rules after
// the mark, and gets no entry until an answer is new.
func TestLogsWithoutDecisionsReplay(t *testing.T) {
	text, log, err := playOf(reading("x"), nil, "!", "x", "end")
	if err != nil || text != "!- xx" || len(log) != 5 {
		t.Fatalf("%q, %+v, %v", text, log, err)
	}
	old := without(t, log)
	if again, copied, err := playOf(reading("x"), old); err != nil || again != text || len(copied) != 4 {
		t.Errorf("%q, %+v, %v", again, copied, err)
	}
	again, longer, err := playOf(reading("x"), old[:3:3], "x", "end")
	if err != nil || again != "!- xx xx" || len(longer) != 6 {
		t.Errorf("%q, %+v, %v", again, longer, err)
	}
}

// A decision that the process no longer asks for is a fault of the log.
func TestUnusedDecisionIsReported(t *testing.T) {
	_, log, err := playOf(reading("x"), nil, "x", "end")
	if err != nil {
		t.Fatal(err)
	}
	if text, copied, _ := playOf(deciding, log); copied != nil {
		t.Errorf("it is skipped: %q, %+v", text, copied)
	}
}

// A nested process follows the decisions of the outer one, and its own log has them.
func TestNestedDecisions(t *testing.T) {
	outer := func(inner, alone string) process.Func {
		return func(env *process.Env) (any, error) {
			made, err := env.Nest(process.Nested{Body: reading(inner)})
			if err != nil {
				return nil, err
			}
			var text string
			if err := json.Unmarshal(made.Result, &text); err != nil {
				return nil, err
			}
			again, _, err := playOf(reading(alone), made.Log)
			return text + " | " + again, err
		}
	}
	text, log, err := playOf(outer("x", "y"), nil, "a", "x", "y", "end")
	if err != nil || text != "a- xx y- | a- xx y-" || len(log) != 5 {
		t.Fatalf("%q, %+v, %v", text, log, err)
	}
	if again, copied, err := playOf(outer("z", "y"), log); err != nil || again != text || len(copied) != len(log) {
		t.Errorf("%q, %+v, %v", again, copied, err)
	}
}
