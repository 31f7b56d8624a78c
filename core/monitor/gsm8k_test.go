package monitor

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool/calculator"
)

type problem struct{ ID, Question, Answer, Final string }

var calculation = regexp.MustCompile(`<<([^=]*)=([^>]*)>>`)

// reasoner returns the replies of a model that follows the worked solution of a problem
// and uses the calculator for each marked calculation.
func reasoner(p problem) (calls, results []string) {
	worked, _, _ := strings.Cut(p.Answer, "\n####")
	for _, line := range strings.Split(worked, "\n") {
		for _, c := range calculation.FindAllStringSubmatch(line, -1) {
			calls = append(calls, "[Thought] "+calculation.ReplaceAllString(line, "")+"\n[Action] Calculator\n[Action Input] "+c[1]+"\n[Observation]")
			results = append(results, c[2])
		}
	}
	return append(calls, "[Final Thought] That is all.\n[Answer] It is "+p.Final+"."), results
}

func TestGradeSchoolProblemsWithCalculator(t *testing.T) {
	s := find(t, "react/calculate.agent")
	s.setup = s.setup.with(calculator.New("Calculator"))
	problems := conformance.Records[problem](t, "gsm8k.jsonl")
	right, calls, violations := 0, 0, 0
	for _, p := range problems {
		script, results := reasoner(p)
		settings := Settings{Question: p.Question, Environment: EnvironmentTools, MaxSteps: 100, Model: llm.Spec{Kind: llm.KindScripted, Script: script}}
		transcript, events, err := play(t, s, settings)
		if err != nil {
			t.Fatalf("%s: %v\n%s", p.ID, err, strings.Join(events, "\n"))
		}
		if SameNumber(transcript.Answer, transcript.Text, p.Final) {
			right++
		}
		calls += transcript.Stats.ToolCalls
		violations += transcript.Stats.Violations
		i := 0
		for _, segment := range transcript.Segments {
			if segment.State != "Obs" {
				continue
			}
			if !SameAnswer(segment.Text, results[i]) && !rounded(segment.Text, results[i]) {
				t.Errorf("%s: the calculator returns %s, the solution has %s", p.ID, segment.Text, results[i])
			}
			i++
		}
	}
	if len(problems) != 56 || right != 56 || violations != 0 {
		t.Errorf("%d of %d right, %d violations", right, len(problems), violations)
	}
	t.Logf("%d problems, %d calculations", len(problems), calls)
}

// rounded reports whether a figure is the calculator's result with fewer digits.
func rounded(exact, said string) bool {
	exact, said = strings.TrimPrefix(exact, "0"), strings.TrimPrefix(said, "0")
	return strings.HasPrefix(exact, strings.TrimRight(said, "0123456789")) && strings.Contains(said, ".")
}

func TestKilledRunResumesFromItsLog(t *testing.T) {
	s := find(t, "react/calculate.agent")
	s.setup = s.setup.with(calculator.New("Calculator"))
	p := conformance.Records[problem](t, "gsm8k.jsonl")[2]
	script, _ := reasoner(p)
	body := func(env *process.Env) (any, error) {
		return Run(env, s.agent, s.setup, Settings{Question: p.Question, Environment: EnvironmentTools, Model: llm.Spec{Kind: llm.KindPerson}})
	}
	// resume continues from a log with the answers of the script, and kills the run after a
	// number of answers.
	resume := func(log []process.Answer, kill int, slice int64) (*process.Process, process.Output) {
		run := process.New(body, 9, meter.Budget{}, log)
		var answers []process.Answer
		for {
			out, err := run.Resume(answers, slice)
			if err != nil {
				t.Fatal(err)
			}
			answers = nil
			if len(run.Log()) == kill || out.State == process.StateDone || out.State == process.StateFailed {
				return run, out
			}
			for _, e := range out.Effects {
				value, _ := json.Marshal(script[len(run.Log())])
				answers = append(answers, process.Answer{Effect: e.ID, Value: value})
			}
		}
	}
	whole, want := resume(nil, -1, 0)
	if want.State != process.StateDone {
		t.Fatal(want.Err)
	}
	for kill := range len(script) {
		for _, slice := range []int64{0, 150} {
			killed, _ := resume(nil, kill, slice)
			resumed, out := resume(killed.Log(), -1, slice)
			if string(out.Result) != string(want.Result) || !reflect.DeepEqual(resumed.Log(), whole.Log()) {
				t.Errorf("killed after %d answers: %s %v", kill, out.Result, out.Err)
			}
			killed.Stop()
		}
	}
}
