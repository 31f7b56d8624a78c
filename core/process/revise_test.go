package process_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// deciding asks a person questions until the answer is "end", and decides on each by the
// earlier rules (in lower case) or by the present ones (in upper case). Answers with an "x" make
// a difference.
func deciding(env *process.Env) (any, error) {
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
		switch {
		case !strings.Contains(text, "x"):
		case env.Earlier():
			text += "-"
		default:
			env.Revise()
			text += "+"
		}
		out = append(out, text)
	}
}

// nested runs deciding within another process.
func nested(env *process.Env) (any, error) {
	made, err := env.Nest(process.Nested{Body: deciding})
	if err != nil {
		return nil, err
	}
	var text string
	if err := json.Unmarshal(made.Result, &text); err != nil {
		return nil, err
	}
	again, _, _ := play(made.Log)
	return text + " | " + again, made.Err
}

// play runs deciding, or nested, from a log with answers.
func play(log []process.Answer, answers ...string) (string, []process.Answer, error) {
	return playOf(deciding, log, answers...)
}

func playOf(f process.Func, log []process.Answer, answers ...string) (string, []process.Answer, error) {
	p := process.New(f, 1, meter.Budget{}, log)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil || out.State == process.StateFailed {
			return "", nil, err
		}
		if out.State == process.StateDone {
			var text string
			err := json.Unmarshal(out.Result, &text)
			return text, p.Log(), err
		}
		given = nil
		for _, e := range out.Effects {
			value, _ := json.Marshal(answers[0])
			given, answers = append(given, process.Answer{Effect: e.ID, Value: value}), answers[1:]
		}
	}
}

// Recorded answers follow the earlier rules up to the mark in the log, and new ones the present
// rules; the log of either repeats the run.
func TestPresentRulesAreMarkedInLog(t *testing.T) {
	_, plain, err := play(nil, "a", "b", "end")
	if err != nil || len(plain) != 3 {
		t.Fatalf("%+v, %v", plain, err)
	}
	text, log, err := play(nil, "a", "x", "b", "x", "end")
	if err != nil || text != "a x+ b x+" || len(log) != 6 {
		t.Fatalf("%q, %+v, %v", text, log, err)
	}
	if again, copied, err := play(log); err != nil || again != text || len(copied) != len(log) {
		t.Errorf("%q, %+v, %v", again, copied, err)
	}
	unmarked := slices.DeleteFunc(slices.Clone(log), func(a process.Answer) bool { return a.Error != nil })
	if again, copied, err := play(unmarked); err != nil || again != "a x- b x-" || len(copied) != len(unmarked) {
		t.Errorf("%q, %+v, %v", again, copied, err)
	}
	resumed, longer, err := play(unmarked[:4:4], "x", "end")
	if err != nil || resumed != "a x- b x- x+" || len(longer) != 7 {
		t.Errorf("%q, %+v, %v", resumed, longer, err)
	}
	if again, _, err := play(longer); err != nil || again != resumed {
		t.Errorf("%q, %v", again, err)
	}
	if settled := process.Settled(longer); len(settled) != len(longer) {
		t.Errorf("%+v", settled)
	}
}

// The current rules may make a difference at a later decision between the same two answers; a replay
// counts the entry of the log from the same decision on.
func TestMarkIsCountedFromTheSameDecision(t *testing.T) {
	for _, asks := range []bool{false, true} {
		decide := func(env *process.Env) (any, error) {
			if asks {
				if _, err := env.Start(process.Request{Question: &process.Question{Prompt: "?"}}).Value(); err != nil {
					return nil, err
				}
			}
			for _, differs := range []bool{false, false, true, false, true} {
				if !env.Earlier() && differs {
					env.Revise()
				}
				env.Emit(map[string]int{"at": env.Delivered()})
			}
			return env.Delivered(), nil
		}
		run := func(log []process.Answer) (string, []process.Answer) {
			p := process.New(decide, 1, meter.Budget{}, log)
			defer p.Stop()
			var events []string
			var given []process.Answer
			for {
				out, err := p.Resume(given, 0)
				if err != nil || out.Err != nil {
					t.Fatal(err, out.Err)
				}
				for _, e := range out.Events {
					events = append(events, string(e))
				}
				if out.State == process.StateDone {
					return strings.Join(append(events, string(out.Result)), " "), p.Log()
				}
				given = []process.Answer{{Effect: out.Effects[0].ID, Value: []byte("1")}}
			}
		}
		events, log := run(nil)
		again, copied := run(log)
		if again != events || len(copied) != len(log) || !strings.Contains(events, "0") && !asks {
			t.Errorf("asks %v: %s with %d entries, again %s with %d", asks, events, len(log), again, len(copied))
		}
	}
}

// A nested process follows the rules of the outer one, and its own log has the mark.
func TestNestedProcessFollowsRulesOfOuter(t *testing.T) {
	text, log, err := playOf(nested, nil, "a", "x", "b", "end")
	if err != nil || text != "a x+ b | a x+ b" || len(log) != 5 {
		t.Fatalf("%q, %+v, %v", text, log, err)
	}
	if again, copied, err := playOf(nested, log); err != nil || again != text || len(copied) != len(log) {
		t.Errorf("%q, %+v, %v", again, copied, err)
	}
	unmarked := slices.DeleteFunc(slices.Clone(log), func(a process.Answer) bool { return a.Error != nil })
	if again, _, err := playOf(nested, unmarked); err != nil || again != "a x- b | a x- b" {
		t.Errorf("%q, %v", again, err)
	}
}
