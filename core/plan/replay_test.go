package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// talk runs a plan with a person as the model: first a log, then answers in order. It returns
// the plan's word, the log, the prompts, and the faults of the replies.
func talk(t *testing.T, log []process.Answer, answers ...string) (word string, after []process.Answer, prompts, faults []string) {
	t.Helper()
	g := must.Grammar(t, "S -> X Y\nX -> a | b | c\nY -> d | e\n")
	p := process.New(func(env *process.Env) (any, error) {
		return runGrammar(env, g, Settings{Model: llm.Spec{Kind: llm.KindPerson}})
	}, 1, meter.Budget{}, log)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		given = nil
		for _, raw := range out.Events {
			var e ReplyEvent
			if json.Unmarshal(raw, &e) == nil && e.Kind == "plan.reply" {
				faults = append(faults, e.Fault)
			}
		}
		for _, e := range out.Effects {
			prompts = append(prompts, e.Question.Prompt)
			if len(answers) == 0 {
				return "", p.Log(), prompts, faults
			}
			value, _ := json.Marshal(answers[0])
			given, answers = append(given, process.Answer{Effect: e.ID, Value: value}), answers[1:]
		}
		switch out.State {
		case process.StateFailed:
			t.Fatal(out.Err)
		case process.StateDone:
			var plan Plan
			if err := json.Unmarshal(out.Result, &plan); err != nil {
				t.Fatal(err)
			}
			return strings.Join(plan.Word, " "), p.Log(), prompts, faults
		}
	}
}

func recorded(texts ...string) []process.Answer {
	log := []process.Answer{}
	for i, text := range texts {
		value, _ := json.Marshal(text)
		log = append(log, process.Answer{Effect: "e" + string(rune('1'+i)), Value: value})
	}
	return log
}

const prose = "I'd choose 3, since 1 and 2 are slower."

// A log of an earlier version, in which a reply was refused that is read today, gives the
// recorded plan. The reply is read in a new run, whose log replays, too.
func TestOldLogsReplayByTheirRules(t *testing.T) {
	if word, log, _, faults := talk(t, recorded(prose, "2", "1")); word != "b d" || len(log) != 3 || len(faults) != 3 || faults[0] == "" {
		t.Errorf("the old log gives %q with the faults %q", word, faults)
	}
	word, log, _, faults := talk(t, nil, prose, "1")
	if word != "c d" || slices.Contains(faults, "more than one number found") || len(log) != 3 || log[1].Error == nil {
		t.Fatalf("%q, %q, %+v", word, faults, log)
	}
	for at := range len(log) + 1 {
		rest := []string{prose, "1"}
		for _, a := range log[:at] {
			if a.Error == nil {
				rest = rest[1:]
			}
		}
		// A log that ends before the mark has the reply of an earlier version.
		if at == 1 {
			continue
		}
		if again, copied, _, _ := talk(t, slices.Clone(log[:at:at]), rest...); again != word || len(copied) != len(log) {
			t.Errorf("continued after %d entries: %q, %+v", at, again, copied)
		}
	}
	// A run that resumes an old log reads new replies by the current rules.
	if word, log, _, _ := talk(t, recorded("2"), "I'd go with 2, because 1 is slow."); word != "b e" || len(log) != 3 {
		t.Errorf("the resumed log gives %q, %+v", word, log)
	}
	// A log in which the rules agree has no mark.
	if _, log, _, _ := talk(t, nil, "neither", "3", "**1**"); len(log) != 3 {
		t.Errorf("%+v", log)
	}
}

// A request that is repeated has the prompt, the last answer and its fault; in a replay of an
// old log it has all answers.
func TestRetriesAreBounded(t *testing.T) {
	bad := []string{"none", "7", "I'm sorry, but I can't help with that."}
	_, log, prompts, faults := talk(t, nil, bad...)
	last := prompts[len(prompts)-1]
	if strings.Contains(last, "none") || strings.Contains(last, "The answer is invalid: 7") || !strings.Contains(last, bad[2]) || !strings.Contains(last, "The answer is invalid: no number found.") {
		t.Errorf("the fourth request is %q", last)
	}
	if faults[2] != "the reply is a refusal" || len(log) != 4 {
		t.Errorf("%q, %+v", faults, log)
	}
	if _, _, prompts, _ := talk(t, recorded(bad...)); !strings.Contains(prompts[0], "none") || !strings.Contains(prompts[0], "7 is not between") {
		t.Errorf("the old conversation is %q", prompts)
	}
}

// A log follows the readings that it records, whatever package choice reads in the replies today.
func TestRecordedReadingsReplay(t *testing.T) {
	_, log, _, _ := talk(t, nil, prose, "1")
	for recorded, want := range map[string]string{
		`{"chosen":[2],"how":"integer"}`: "b d", `{"chosen":[1],"how":"label"}`: "a d",
	} {
		other := slices.Clone(log)
		other[1].Value = []byte(recorded)
		word, copied, _, faults := talk(t, other)
		if word != want || len(copied) != len(log) || faults[0] != "" {
			t.Errorf("%s: %q, %+v, %q", recorded, word, copied, faults)
		}
	}
	// A reply that was refused when it was recorded is asked for again.
	refused := slices.Insert(slices.Clone(log), 2, process.Answer{Effect: "e2", Value: []byte(`"2"`)})
	refused[1].Value = []byte(`{"chosen":[],"how":"integer","fault":"undecided"}`)
	refused[3].Effect = "e3"
	if word, _, _, faults := talk(t, refused); word != "b d" || faults[0] != "undecided" {
		t.Errorf("%q, %q", word, faults)
	}
	// A reading that is no choice of the offer, or cannot be decoded, is none.
	for _, recorded := range []string{`{"chosen":[9]}`, `{"chosen":[]}`, `{}`, `7`} {
		other := slices.Clone(log[:2:2])
		other[1].Value = []byte(recorded)
		if word, _, _, faults := talk(t, other, "3", "2"); word != "c e" || faults[0] == "" {
			t.Errorf("%s: %q, %q", recorded, word, faults)
		}
	}
}
