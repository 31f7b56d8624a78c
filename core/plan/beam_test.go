package plan

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
)

// oracle is a model that knows the probability of each choice: a function of the prompt.
type oracle struct {
	calls *int
	of    func(prompt string, n int) []float64 // for n choices; their sum is 1
}

func (o oracle) Generate(_ *process.Env, r llm.Request, _ func(string) bool) (llm.Reply, error) {
	*o.calls++
	prompt := r.Messages[0].Content
	weights := o.of(prompt, r.Choices)
	best := llm.TokenLogprob{Logprob: math.Inf(-1)}
	var top []llm.TokenLogprob
	for i, w := range weights {
		t := llm.TokenLogprob{Token: fmt.Sprint(i + 1), Logprob: math.Log(w)}
		if top = append(top, t); t.Logprob > best.Logprob {
			best = t
		}
	}
	best.Top = top
	return llm.Reply{Text: best.Token, Logprobs: []llm.TokenLogprob{{Token: " "}, best}, Usage: llm.Usage{Prompt: 10, Completion: 1}}, nil
}

// beamRun makes a plan of a grammar with an oracle and returns its word, its events and the calls.
func beamRun(t *testing.T, text string, s Settings, of func(string, int) []float64) (Plan, []string, int, error) {
	t.Helper()
	g := must.Grammar(t, text)
	calls := 0
	out, events := plantest.Play(t, func(env *process.Env) (any, error) {
		table, err := space.NewTable(g, g.DeclaredLimits(), env.Meter())
		if err != nil {
			return nil, err
		}
		return Problem{Table: table}.RunWith(env, oracle{&calls, of}, s)
	}, 1)
	var p Plan
	if out.Err == nil {
		if err := json.Unmarshal(out.Result, &p); err != nil {
			t.Fatal(err)
		}
	}
	return p, events, calls, out.Err
}

// The most probable first choice of this grammar does not lead to the most probable plan: a c has
// probability 0.6 · 0.4 and b f 0.4 · 0.9.
func TestBeamFindsThePlanThatGreedyChoicesMiss(t *testing.T) {
	const text = "S -> a X | b Y\nX -> c | d | e\nY -> f | g\n"
	of := func(prompt string, n int) []float64 {
		switch {
		case n == 3:
			return []float64{0.4, 0.3, 0.3}
		case strings.Contains(prompt, "1: the output of a") || strings.Contains(prompt, "1: a"):
			return []float64{0.6, 0.4}
		}
		return []float64{0.9, 0.1}
	}
	for width, want := range map[int]string{0: "a c", 1: "a c", 2: "b f", MaxBeam: "b f"} {
		s := Settings{Beam: width, Wording: WordingPaper}
		if width == 0 {
			s.Reading = ReadLogprobs
		}
		made, events, calls, err := beamRun(t, text, s, of)
		if got := strings.Join(made.Word, " "); err != nil || got != want || made.Calls != calls || calls > 1+max(width, 1) {
			t.Errorf("width %d: %q after %d calls (%d), %v", width, got, calls, made.Calls, err)
		}
		if width == 2 {
			checkBeamEvents(t, events, math.Log(0.36))
		}
	}
}

// checkBeamEvents checks the last round: the best prefix is complete and has the given score.
func checkBeamEvents(t *testing.T, events []string, score float64) {
	t.Helper()
	var last BeamEvent
	scored := 0
	for _, raw := range events {
		var e BeamEvent
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Kind {
		case "plan.beam":
			last = e
		case "plan.score":
			scored++
		}
	}
	if last.Round != 2 || len(last.Kept) != 2 || !last.Kept[0].Done || math.Abs(last.Kept[0].Score-score) > 1e-4 || len(last.Dropped) != 3 || scored != 3 {
		t.Errorf("after %d scores: %+v", scored, last)
	}
}

const branching = "S -> A B A | B C\nA -> a1 | a2 | a3 C | B\nB -> b1 | b2 | b3\nC -> c1 | c2 b1 | c3\nlimit 1 each\n"

// hashed returns arbitrary probabilities that depend on the prompt.
func hashed(seed int) func(string, int) []float64 {
	return func(prompt string, n int) []float64 {
		out := make([]float64, n)
		total := 0.0
		for i := range out {
			h := fnv.New32a()
			fmt.Fprint(h, seed, i, prompt)
			out[i] = float64(1 + h.Sum32()%1000)
			total += out[i]
		}
		for i := range out {
			out[i] /= total
		}
		return out
	}
}

// The beam never has an invalid plan; its plan is no less probable with a width that keeps all
// prefixes than any plan; with width 1 it equals the plan of greedy choices; a plan takes at most
// one call for each kept prefix of a round.
func TestBeamAgainstAllPlans(t *testing.T) {
	g := must.Grammar(t, branching)
	check := newChecker(t, g, g.DeclaredLimits())
	better := 0
	for seed := range 25 {
		of := hashed(seed)
		score, all := bestOf(t, branching, of)
		greedy, _, _, err := beamRun(t, branching, Settings{Reading: ReadLogprobs}, of)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{1, 2, 5, MaxBeam} {
			made, events, calls, err := beamRun(t, branching, Settings{Beam: width}, of)
			if err != nil {
				t.Fatal(err)
			}
			if err := check.valid(made.Word); err != nil {
				t.Fatalf("seed %d, width %d: %v: %v", seed, width, made.Word, err)
			}
			if width == 1 && !slices.Equal(made.Word, greedy.Word) {
				t.Fatalf("seed %d: width 1 has %v, greedy choices %v", seed, made.Word, greedy.Word)
			}
			rounds, got := 0, 0.0
			for _, raw := range events {
				var e BeamEvent
				if err := json.Unmarshal([]byte(raw), &e); err != nil {
					t.Fatal(err)
				}
				if e.Kind == "plan.beam" {
					rounds, got = e.Round, e.Kept[0].Score
				}
			}
			if calls > width*rounds || made.Calls != calls {
				t.Fatalf("seed %d, width %d: %d calls in %d rounds", seed, width, calls, rounds)
			}
			if got > score+1e-4 {
				t.Fatalf("seed %d, width %d: score %v exceeds that of all %d plans, %v", seed, width, got, all, score)
			}
			if width == MaxBeam && got < score-1e-4 {
				better++
			}
		}
	}
	// 16 prefixes are not all of them, but nearly always enough.
	if better > 2 {
		t.Errorf("the widest beam missed the best plan %d times", better)
	}
}

// bestOf returns the score of the most probable plan and the number of derivations, by
// exhaustive search.
func bestOf(t *testing.T, text string, of func(string, int) []float64) (score float64, all int) {
	t.Helper()
	g := must.Grammar(t, text)
	score = math.Inf(-1)
	plantest.Play(t, func(env *process.Env) (any, error) {
		table, err := space.NewTable(g, g.DeclaredLimits(), env.Meter())
		if err != nil {
			return nil, err
		}
		p := &planner{space: table.Space(false, DefaultMaxSteps, env.Meter()), env: env, settings: Settings{Template: DefaultTemplate}, plan: &Plan{}}
		now, err := p.space.Begin()
		if err != nil {
			return nil, err
		}
		var visit func(x *prefix, sum float64) error
		visit = func(x *prefix, sum float64) error {
			if alive, err := p.proceed(x); err != nil || !alive {
				return fmt.Errorf("a dead end: %w", err)
			}
			if x.done {
				all++
				score = max(score, sum)
				return nil
			}
			offer, err := p.offer(x.config, x.untried)
			if err != nil {
				return err
			}
			for i, w := range of(offer.Prompt, len(x.untried.Moves)) {
				next, _, err := p.space.Apply(x.config, x.untried.Moves[i])
				if err == nil {
					err = visit(&prefix{config: next}, sum+math.Log(w))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
		return nil, visit(&prefix{config: now}, 0)
	}, 1)
	if all == 0 {
		t.Fatal("no plan was found")
	}
	return score, all
}

// Simulated models score choices, equal seeds give equal events, and both sources of
// probabilities work.
func TestBeamsOfSimulatedModels(t *testing.T) {
	for _, s := range []Settings{
		{Model: llm.Spec{Kind: llm.KindUniform}},
		{Model: llm.Spec{Kind: llm.KindFirst}, Score: ScoreGrades},
		{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.3}, Attempts: 20},
		{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}, Otherwise: OtherwiseFirst, Score: ScoreGrades},
	} {
		s.Beam = 3
		first, events, err := planned(t, plantest.Tools, s, 7)
		if err != nil {
			t.Fatal(err)
		}
		again, same, err := planned(t, plantest.Tools, s, 7)
		if err != nil || !slices.Equal(first.Word, again.Word) || !slices.Equal(events, same) {
			t.Errorf("%+v: two runs differ: %v, %v, %v", s.Model, first.Word, again.Word, err)
		}
	}
}

// A beam that cannot be searched is refused with the reason.
func TestRefusedBeams(t *testing.T) {
	endpoint := func(format string) llm.Spec {
		return llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{URL: "http://localhost/v1", Format: format, Model: "m"}}
	}
	uniform := llm.Spec{Kind: llm.KindUniform}
	for _, c := range []struct {
		s    Settings
		want string
	}{
		{Settings{Model: uniform, Score: ScoreGrades}, "score requires a beam; set the width of the beam"},
		{Settings{Model: uniform, Beam: MaxBeam + 1}, "the width of the beam must be from 1 to 16, not 17"},
		{Settings{Model: uniform, Beam: 2, Score: "x"}, `unknown score "x" (expected logprobs or grades)`},
		{Settings{Model: uniform, Beam: 2, Naive: true}, "a beam requires look-ahead; remove \"naive\""},
		{Settings{Model: uniform, Beam: 2, Take: []Take{{1, []int{1}}}}, "a beam does not support changes during the run; remove \"take\" and \"changes\", or \"beam\""},
		{Settings{Model: uniform, Beam: 2, Otherwise: OtherwisePerson}, "a beam cannot ask a person; remove \"otherwise\" or \"beam\""},
		{Settings{Model: endpoint(llm.FormatAnthropic), Beam: 2, Score: ScoreLogprobs}, "log-probabilities are not reported by this model; set score to grades"},
	} {
		if err := c.s.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for format, want := range map[string]string{llm.FormatAnthropic: ScoreGrades, llm.FormatOllama: ScoreLogprobs} {
		if s := (Settings{Model: endpoint(format), Beam: 2}); s.Check() != nil || s.score() != want {
			t.Errorf("%s: %s, %v; want %s", format, s.score(), s.Check(), want)
		}
	}
	silent := Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"That depends.", "[1]", `{"grades":[11,0]}`}}, Beam: 2, Attempts: 3}
	if _, events, err := planned(t, "S -> a | b\n", silent, 1); err == nil || err.Error() != "the model did not score the choices in 3 tries at step 1: 11 is not an integer from 0 to 10" {
		t.Errorf("%v after %v", err, events)
	}
	graded := Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: []string{`Here: {"grades": [0, 7]}`}}, Beam: 2}
	if made, _, err := planned(t, "S -> a | b\n", graded, 1); err != nil || made.Word[0] != "b" {
		t.Errorf("%+v, %v", made, err)
	}
	spent := Settings{Model: uniform, Beam: 8, Budget: meter.Budget{Calls: 3}}
	if _, _, err := planned(t, plantest.Tools, spent, 1); err == nil || !strings.Contains(err.Error(), "calls") {
		t.Errorf("a beam exceeds its budget: %v", err)
	}
}

// Log-probabilities are read where the model first writes a number of a choice.
func TestProbabilities(t *testing.T) {
	token := func(text string, p float64, top ...llm.TokenLogprob) llm.TokenLogprob {
		return llm.TokenLogprob{Token: text, Logprob: math.Log(p), Top: top}
	}
	got, fault := probabilities([]llm.TokenLogprob{token("\n", 1), token("2", 0.3, token("2", 0.3), token(" 2", 0.3), token("3", 0.2), token("x", 0.1))}, 3)
	if fault != "" || math.Abs(got[1]-0.75) > 1e-9 || math.Abs(got[2]-0.25) > 1e-9 || got[0] != 0 {
		t.Errorf("%v, %s", got, fault)
	}
	if _, fault = probabilities([]llm.TokenLogprob{token("1", 0.5), token("2", 0.5)}, 12); !strings.Contains(fault, "split numbers") {
		t.Errorf("%s", fault)
	}
	if _, fault = probabilities([]llm.TokenLogprob{token("one", 1)}, 2); fault != "no number with a log-probability was found" {
		t.Errorf("%s", fault)
	}
}
