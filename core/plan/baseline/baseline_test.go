package baseline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

func newChecker(t *testing.T, s plantest.Spec) (c *checker.Checker) {
	t.Helper()
	var err error
	switch {
	case s.Grammar != nil:
		c, err = checker.New(s.Grammar, s.Grammar.DeclaredLimits(), nil)
	case s.Words != nil:
		c, err = checker.NewPushdown(s.Words, s.Words.PDA.Limits, nil)
	default:
		c, err = checker.NewFlow(s.Chart, grammar.Limits{}, nil)
	}
	if err != nil {
		t.Fatal(s.Name, err)
	}
	return c
}

// baselines runs a baseline with a simulated author that makes plans from the grammar.
func baselines(t *testing.T, c *checker.Checker, s Settings, seed uint64) (*Result, []string) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	var made *Result
	out, events := plantest.Play(t, func(env *process.Env) (_ any, err error) {
		model, err := Author(c, s.Model)
		if err != nil {
			return nil, err
		}
		made, err = RunWith(env, c, model, s)
		return made, err
	}, seed)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return made, events
}

// A simulated model of Run is given no plans made from the grammar: its plans are valid by chance,
// also where a plan is an input.
func TestSimulatedModelsDrawSteps(t *testing.T) {
	for text, most := range map[string]int{plantest.Tools: 15, "S -> a | b\n": 20} {
		g := must.Grammar(t, text)
		c, err := checker.New(g, g.DeclaredLimits(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{llm.KindUniform, llm.KindFirst, llm.KindRambler} {
			valid := 0
			for seed := range uint64(50) {
				out, _ := plantest.Play(t, func(env *process.Env) (any, error) {
					made, err := Run(env, c, Settings{Model: llm.Spec{Kind: kind}})
					if err == nil && made.Valid {
						valid++
					}
					return made, err
				}, seed)
				if out.Err != nil {
					t.Fatal(out.Err)
				}
			}
			if valid > most {
				t.Errorf("%s: %d of 50 plans of %.20q are valid", kind, valid, text)
			}
		}
	}
}

func TestSimulatedAuthorsHaveTheirErrorRate(t *testing.T) {
	for _, p := range plantest.Gallery(t) {
		c := newChecker(t, p)
		for _, test := range []struct {
			spec        llm.Spec
			most, least float64
		}{
			{llm.Spec{Kind: llm.KindUniform}, 1, 1},
			{llm.Spec{Kind: llm.KindFirst}, 1, 1},
			{llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}, 0, 0},
			{llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.5}, 0.9, 0.1},
		} {
			valid, n := 0, effort.Sample(16, 8)
			for seed := range uint64(n) {
				made, _ := baselines(t, c, Settings{Model: test.spec, Method: []string{MethodZeroShot, MethodFewShot}[seed%2]}, seed)
				if made.Valid {
					valid++
				} else if test.least == 1 {
					t.Fatalf("%s: %s\n%s", p.Name, made.Text, made.Check.Fault)
				}
			}
			if share := float64(valid) / float64(n); n >= 8 && (share > test.most || share < test.least) {
				t.Errorf("%s: %d of %d plans of a %s are valid", p.Name, valid, n, test.spec.Kind)
			}
		}
	}
}

func TestPromptsOfTheBaselines(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	c, err := checker.New(g, g.DeclaredLimits(), nil, plantest.Properties(t, "noise_first: G(b1 -> F a2)")...)
	if err != nil {
		t.Fatal(err)
	}
	const tools = `Steps: Colorization; Image Denoising; Image Captioning; Object Detection; Text to Image Generation; Machine Translation; Visual Question Answering; Question Answering.
Given: the input image.
Each may be used at most once.
The plan must satisfy noise_first: G (b1 -> F a2).
`
	_, events := baselines(t, c, Settings{Task: "name it", Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	var prompt Prompt
	if err := json.Unmarshal([]byte(events[0]), &prompt); err != nil {
		t.Fatal(err)
	}
	if want := "Problem: name it\n" + tools + "\nHow is it solved, step by step? Begin each line with \"Step\" and its number, and write nothing else."; prompt.Prompt != want {
		t.Errorf("%s\nwant\n%s", prompt.Prompt, want)
	}
	_, events = baselines(t, c, Settings{Task: "name it", Model: llm.Spec{Kind: llm.KindFirst}, Method: MethodFewShot, Shots: []Shot{{"read it", []string{"Use Image Captioning", "Look"}}}}, 1)
	if err := json.Unmarshal([]byte(events[0]), &prompt); err != nil {
		t.Fatal(err)
	}
	if want := tools + "\nProblem: read it\nSolution:\nStep 1: Use Image Captioning\nStep 2: Look\n\nProblem: name it\nSolution:"; prompt.Prompt != want {
		t.Errorf("%s\nwant\n%s", prompt.Prompt, want)
	}
	shots, err := makeShots(c, 3, nil)
	if err != nil || len(shots) != 3 {
		t.Fatalf("%+v %v", shots, err)
	}
	for _, shot := range shots {
		v, err := c.Check(strings.Join(shot.Steps, "\n"), nil)
		if err != nil || !v.Valid {
			t.Errorf("%v is no plan: %+v", shot.Steps, v)
		}
	}
	for _, s := range []Settings{
		{}, {Model: llm.Spec{Kind: llm.KindFirst}, Method: "best-shot"}, {Model: llm.Spec{Kind: llm.KindFirst}, Template: "{task} {tolls}"},
		{Model: llm.Spec{Kind: llm.KindFirst}, Template: "{tools}"},
	} {
		if s.Check() == nil {
			t.Errorf("%+v can be run", s)
		}
	}
}

// manyTools is a grammar whose shortest plans have one step.
const manyTools = "S -> a T | b T | c T\nT -> d | e | a T\nlimit 2 a\nlimit 1 b c d e\n"

// Simulated authors write in all styles, each of them complete; the first one writes a
// shortest plan, and a rambler's mistakes make its plan invalid.
func TestSimulatedAuthorsWriteInAllStyles(t *testing.T) {
	g := must.Grammar(t, manyTools)
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	styles, lengths := map[string]int{}, map[int]int{}
	for seed := range uint64(60) {
		made, _ := baselines(t, c, Settings{Model: llm.Spec{Kind: llm.KindFirst}}, seed)
		lines := strings.Split(made.Text, "\n")
		steps := 0
		for _, line := range lines {
			if strings.HasPrefix(line, "Step ") || strings.HasPrefix(line, "- **") || line != "" && line[0] >= '1' && line[0] <= '9' {
				steps++
			}
		}
		begun, ended := strings.HasPrefix(made.Text, "Here is how I would do it:\n\n"), strings.HasSuffix(made.Text, "\n\nThat should do it.")
		switch first := lines[0]; {
		case begun:
			styles["prose"]++
		case strings.HasPrefix(first, "Step 1: "):
			styles["steps"]++
		case strings.HasPrefix(first, "1. "):
			styles["numbers"]++
		case strings.HasPrefix(first, "- **"):
			styles["list"]++
		}
		if begun != ended || steps != 1 || !made.Valid {
			t.Fatalf("%q", made.Text)
		}
		other, _ := baselines(t, c, Settings{Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		lengths[len(strings.Fields(strings.ReplaceAll(other.Check.Function, "(", " ")))]++
		wrong, _ := baselines(t, c, Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}}, seed)
		if wrong.Valid || wrong.Text == "" {
			t.Fatalf("%q", wrong.Text)
		}
	}
	if len(styles) != 4 || styles["prose"] < 5 || len(lengths) < 2 {
		t.Errorf("%v, %v", styles, lengths)
	}
}

// A few-shot prompt has generated examples unless some are given, and another prompt has none.
func TestExamplesAreGenerated(t *testing.T) {
	g := must.Grammar(t, manyTools)
	c, err := checker.New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := func(s Settings) string {
		s.Model = llm.Spec{Kind: llm.KindFirst}
		got, err := freePrompt(c, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, x := range []struct {
		s        Settings
		examples int
	}{{Settings{}, 0}, {Settings{Method: MethodZeroShot}, 0}, {Settings{Method: MethodFewShot}, defaultShots}, {Settings{Method: MethodFewShot, Shots: []Shot{{"x", []string{"y"}}}}, 1}} {
		if got := strings.Count(text(x.s), "\nStep 1: "); got != x.examples {
			t.Errorf("%+v: %d examples", x.s, got)
		}
	}
	if got := text(Settings{}); !strings.Contains(got, "make a valid plan") || !strings.Contains(got, "Given: d; e.") || !strings.Contains(got, "Use at most once: b; c.\nUse at most twice: a.\n") {
		t.Errorf("%q", got)
	}
	shots, err := makeShots(c, 4, nil)
	if err != nil || len(shots) != 4 {
		t.Fatalf("%+v %v", shots, err)
	}
	for i, shot := range shots {
		if len(shot.Steps) < 1 || len(shot.Steps) > 4 {
			t.Errorf("%v has %d steps", shot.Steps, len(shot.Steps))
		}
		for _, other := range shots[:i] {
			if strings.Join(other.Steps, ";") == strings.Join(shot.Steps, ";") {
				t.Errorf("%v occurs twice", shot.Steps)
			}
		}
	}
}

// The steps of an example are few and at least one, also of a grammar with longer plans and the
// empty one.
func TestExamplesAreShort(t *testing.T) {
	for text, longest := range map[string]int{"S -> | a S | b\na as \"Go\"\nb as \"Stop\"\n": 5, "S -> | a T\nT -> b": 1} {
		g := must.Grammar(t, text)
		c, err := checker.New(g, g.DeclaredLimits(), nil)
		if err != nil {
			t.Fatal(err)
		}
		shots, err := makeShots(c, 5, nil)
		if err != nil || len(shots) == 0 {
			t.Fatal(shots, err)
		}
		for _, shot := range shots {
			if len(shot.Steps) == 0 || len(shot.Steps) > longest {
				t.Errorf("%s: %d steps of %v", text, len(shot.Steps), shot.Steps)
			}
		}
	}
}

// Plans of an automaton have no inputs. The first author draws longer and longer plans until one
// has a step.
func TestAuthorsOfAutomata(t *testing.T) {
	text := "start q0 Z\naccept q0\n"
	for i := range 9 {
		text += fmt.Sprintf("q%d -> q%d (a, Z; Z)\n", i, (i+1)%9)
	}
	s, ok := plantest.Parse(t, source.NewFile("a.pda", text))
	if !ok {
		t.Fatal(text)
	}
	c := newChecker(t, s)
	if got := toolsText(c); got != "Steps: a.\n" {
		t.Errorf("%q", got)
	}
	made, _ := baselines(t, c, Settings{Task: "x", Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if got := strings.Count(made.Text, "Step "); got != 9 {
		t.Errorf("%d steps: %q", got, made.Text)
	}
}
