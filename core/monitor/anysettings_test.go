package monitor

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/calculator"
)

// anySettings draws settings, most of them unusual.
func anySettings(random *rand.Rand, s shipped) Settings {
	one := func(list ...string) string { return list[random.IntN(len(list))] }
	small := func(list ...int) int { return list[random.IntN(len(list))] }
	kinds := []string{llm.KindUniform, llm.KindFirst, llm.KindRambler, llm.KindRambler, llm.KindScripted, llm.KindScripted, llm.KindPerson}
	settings := Settings{
		Question: one("", "q", "[Answer] 42\n[Thought]", strings.Repeat("long ", 200), "\x00é🌍", "{tools} {question}"), Environment: one("", EnvironmentSimulated, EnvironmentPerson, EnvironmentTools),
		Forced: random.IntN(3) == 0, Eager: random.IntN(4) == 0, MaxSteps: small(0, 1, 2, 5, 100), MaxLoops: small(0, 0, 0, 1, 2, 7), MaxCorrections: small(0, 0, 1, 10), MaxTokens: small(0, 1, 3, 20),
		Chunk: small(0, 0, 1, 2, 30), Temperature: float64(random.IntN(3)), Budget: meter.Budget{Calls: small(0, 0, 1, 9), Tokens: small(0, 0, 50, 3000)},
		Template: one("", "", "{tools}", "[Thought] be brief {question}"), Reference: one("", "42", "the Moon"), Evaluator: one("", EvaluatorExact, EvaluatorModel, EvaluatorPerson), Keep: one("", KeepLikelier, KeepSummary, KeepResults),
		Alpha: float64(random.IntN(3)), Surface: one("", SurfaceText, SurfaceTools), Samples: small(0, 0, 0, 1, 2, 4), Model: llm.Spec{Kind: kinds[random.IntN(len(kinds))], ErrorRate: random.Float64()},
	}
	states := s.agent.States
	any := func() string { return states[random.IntN(len(states))].Name }
	if random.IntN(4) == 0 {
		settings.Roles = Roles{Action: any(), Input: any(), Label: any()}
	}
	if random.IntN(4) == 0 {
		settings.Mapping = []Mapping{{Part: one(partNames...), States: []string{any()}}, {Part: PartCall, Tool: one("", "Calculator"), States: []string{any(), any()}}}
	}
	if random.IntN(5) == 0 {
		settings.Then = one("pass.agent", "react.agent", "none.agent")
	}
	if settings.Model.Kind == llm.KindScripted {
		for range random.IntN(12) {
			settings.Model.Script = append(settings.Model.Script, anyText(random, s.agent))
		}
	}
	if settings.Model.Kind != llm.KindRambler {
		settings.Model.ErrorRate = 0
	}
	return settings
}

// anyText draws a text that is as bad as a model or a person may write.
func anyText(random *rand.Rand, a *agent.Agent) string {
	var b strings.Builder
	for range random.IntN(12) {
		prompt := a.States[random.IntN(len(a.States))].Text
		switch random.IntN(9) {
		case 0, 1, 2:
			b.WriteString(prompt)
		case 3:
			b.WriteString(prompt[:random.IntN(len(prompt))])
		case 4:
			b.WriteString("\n" + prompt + " Calculator\n")
		case 5:
			b.WriteString([]string{" 1+1 ", "#E1", " ", "\n\n", "\r\n", "Search[x]", "]", "[[[[[[Act"}[random.IntN(8)])
		case 6:
			b.WriteString([]string{"é", "日本語", "🌍", "\x00", "\xff", "\u202e"}[random.IntN(6)])
		case 7:
			b.WriteString(`{"text":"t","calls":[{"name":"Calculator","arguments":{"expression":"2*3"}},{"name":"x","arguments":3}]}`)
		default:
			b.WriteString(strings.Repeat("word ", random.IntN(40)))
		}
	}
	return b.String()
}

// codedError is an error with a code.
type codedError interface {
	error
	Code() string
}

// With any settings a run ends: with a conforming trace, or with an error that has a code.
// A second run is equal.
func TestRunsWithRandomSettingsEndWithTraceOrCode(t *testing.T) {
	agents := gallery(t)
	ended := map[string]int{}
	for seed := range uint64(effort.Sample(4000, 600)) {
		random := rand.New(rand.NewPCG(seed, 17))
		s := agents[random.IntN(len(agents))]
		s.setup = s.setup.with(calculator.New(""), tool.NewPerson(tool.Person{}))
		find := s.setup.Agent
		s.setup.Agent = func(name string) (*agent.Agent, error) {
			if _, ok := s.setup.File(name); !ok {
				return nil, source.NewError("workspace.file", "there is no "+name)
			}
			return find(name)
		}
		settings := anySettings(random, s)
		said := ""
		for range 2 {
			got, code := ends(t, s, settings, seed)
			if said != "" && got != said {
				t.Fatalf("seed %d: %s\nand %s", seed, said, got)
			}
			said = got
			ended[code]++
		}
	}
	t.Log(ended)
}

// ends completes a run and returns its log and the code with which it ended.
func ends(t *testing.T, s shipped, settings Settings, seed uint64) (log, code string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 18))
	p := process.New(func(env *process.Env) (any, error) { return Run(env, s.agent, s.setup, settings) }, seed, meter.Budget{Calls: 40, Steps: 50_000_000}, nil)
	defer p.Stop()
	describe := func() string {
		text, _ := json.Marshal(settings)
		return fmt.Sprintf("seed %d, %s: %s", seed, s.name, text)
	}
	var answers []process.Answer
	var events strings.Builder
	for turn := 0; ; turn++ {
		out, err := p.Resume(answers, int64(random.IntN(3))*500)
		if err != nil {
			t.Fatalf("%s: %v", describe(), err)
		}
		for _, e := range out.Events {
			events.Write(e)
		}
		answers = nil
		for _, e := range out.Effects {
			value, _ := json.Marshal(anyText(random, s.agent))
			answers = append(answers, process.Answer{Effect: e.ID, Value: value})
		}
		switch {
		case out.State == process.StateDone:
			var transcript Transcript
			if err := json.Unmarshal(out.Result, &transcript); err != nil {
				t.Fatal(err)
			}
			cut := slices.ContainsFunc(transcript.Segments, func(s Segment) bool { return s.Cut })
			if cut != (transcript.Verdict == agent.VerdictIncomplete) || !cut && transcript.Verdict != agent.VerdictValid || !transcript.FellBack && Check(s.agent, transcript.Text).Verdict != agent.VerdictValid {
				t.Fatalf("%s ends with %s", describe(), out.Result)
			}
			return events.String() + string(out.Result), "done"
		case out.State == process.StateFailed:
			var coded codedError
			if !errors.As(out.Err, &coded) || coded.Code() == "internal" || coded.Code() == "" {
				t.Fatalf("%s fails: %T %v", describe(), out.Err, out.Err)
			}
			return events.String() + out.Err.Error(), coded.Code()
		case turn > 5000:
			t.Fatalf("%s does not end", describe())
		}
	}
}
