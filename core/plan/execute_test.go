package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

const pictures = `S -> T
I -> A I | i
T -> B I | D T
A -> a1 | a2
B -> b1 | b2
D -> d1
a1 as "Brighten"
I as "image"
T as "text"
limit 1 each except i
`

// withTools is a grammar with its tools, some of which fail by declaration.
func withTools(t testing.TB, text string, fails map[string]string) Problem {
	t.Helper()
	g := must.Grammar(t, text)
	table, err := space.NewTable(g, g.DeclaredLimits(), meter.New(meter.Budget{}))
	if err != nil {
		t.Fatal(err)
	}
	how := func(name string) string {
		if f, ok := fails[name]; ok {
			return `, "fails": ` + f
		}
		return ""
	}
	file := source.NewFile("tools.json", `{"types": ["image", "text"],
"inputs": {"i": {"type": "image", "text": "a cat", "marks": ["dark", "blurry"]}},
"tools": {
  "a1": {"takes": ["image"], "gives": "image", "does": {"remove": ["dark"], "text": "{1}"}`+how("a1")+`},
  "a2": {"takes": ["image"], "gives": "image", "does": {"remove": ["blurry"], "text": "{1}"}`+how("a2")+`},
  "b1": {"takes": ["image"], "gives": "text", "does": {"text": "a picture of {1}"}`+how("b1")+`},
  "b2": {"takes": ["image"], "gives": "text", "does": {"text": "{1}"}`+how("b2")+`},
  "d1": {"takes": ["text"], "gives": "text", "does": {"text": "about {1}"}`+how("d1")+`}
}}`)
	set, found := tool.Parse(file)
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	return Problem{Table: table, Tools: set}
}

func TestRunPlansAndExecutesATask(t *testing.T) {
	made, events, err := plannedProblem(t, withTools(t, pictures, nil), Settings{Execute: true, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "1", "2"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if made.Function != "b1(a1(i))" || made.Result == nil || made.Result.String() != "text: a picture of a cat" || made.Executed != 2 {
		t.Errorf("%s gives %v after %d executions", made.Function, made.Result, made.Executed)
	}
	var execs []string
	for _, e := range events {
		if strings.Contains(e, `"plan.exec"`) {
			execs = append(execs, e)
		}
	}
	if len(execs) != 2 || !strings.Contains(execs[1], `"n":3,"symbol":"b1"`) || !strings.Contains(execs[0], `"n":2,"symbol":"a1","text":"Brighten","inputs":["image: a cat (dark, blurry)"],"state":"done","output":"image: a cat (blurry)"`) {
		t.Errorf("the executions are\n%s", strings.Join(execs, "\n"))
	}
}

func TestEmptyPlanIsExecuted(t *testing.T) {
	made, _, err := plannedProblem(t, withTools(t, strings.Replace(pictures, "S -> T", "S -> ε | T", 1), nil), Settings{Execute: true, Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil || len(made.Word) != 0 || made.Executed != 0 || made.Result == nil {
		t.Errorf("%+v, %v", made, err)
	}
}

func TestFailedToolIsExcludedFromThePlan(t *testing.T) {
	for seed := range uint64(200) {
		down := []string{"a1", "a2", "b1", "b2", "d1"}[seed%5]
		made, events, err := plannedProblem(t, withTools(t, pictures, map[string]string{down: `{"always": true, "message": "out of order"}`}),
			Settings{Execute: true, Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, down, err)
		}
		if slices.Contains(made.Word, down) || made.Result == nil || made.DeadEnds > 0 {
			t.Fatalf("seed %d: %v, result %v, %d dead ends", seed, made.Word, made.Result, made.DeadEnds)
		}
		if made.Failed > 1 {
			t.Errorf("seed %d: %s was tried %d times", seed, down, made.Failed)
		}
		// No completed call is made again.
		done := map[string]int{}
		for _, e := range events {
			if strings.Contains(e, `"state":"done"`) {
				key := e[strings.Index(e, `"symbol"`):]
				if done[key]++; done[key] > 1 {
					t.Errorf("seed %d: done twice: %s", seed, key)
				}
			}
		}
	}
}

func TestAnotherInputIsTriedAfterFailure(t *testing.T) {
	// Both tools reject a dark picture, a condition that the grammar does not have.
	dark := `{"when": {"mark": "dark"}, "message": "too dark"}`
	for seed := range uint64(100) {
		made, _, err := plannedProblem(t, withTools(t, pictures, map[string]string{"b1": dark, "b2": dark}), Settings{Execute: true, Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		if err != nil || !slices.Contains(made.Word, "a1") {
			t.Fatalf("seed %d: %v %v", seed, made, err)
		}
	}
}

func TestCallsAreCountedByTool(t *testing.T) {
	// The first call of b1 follows a call of another tool, and still counts as its first.
	made, _, err := plannedProblem(t, withTools(t, pictures, map[string]string{"b1": `{"on": [2], "message": "worn out"}`}),
		Settings{Execute: true, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "1", "2"}}}, 1)
	if err != nil || made.Function != "b1(a1(i))" || made.Failed != 0 {
		t.Errorf("%+v %v", made, err)
	}
}

func TestFailureOfEveryAlternativeIsReported(t *testing.T) {
	always := `{"always": true, "message": "no connection"}`
	_, _, err := plannedProblem(t, withTools(t, pictures, map[string]string{"b1": always, "b2": always}), Settings{Execute: true, Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	var fault *source.Error
	if !errors.As(err, &fault) || fault.Code() != "plan.none" || !strings.Contains(err.Error(), "no connection") {
		t.Errorf("got %v", err)
	}
	_, _, err = plannedProblem(t, Problem{Table: withTools(t, pictures, nil).Table}, Settings{Execute: true, Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err == nil || !strings.Contains(err.Error(), "tools.json") {
		t.Errorf("without tools: %v", err)
	}
}

// Tools without a limit that always fail leave no plan, however long plans may become.
func TestFailureOfUnlimitedToolsIsReported(t *testing.T) {
	always := `{"always": true, "message": "no connection"}`
	unlimited := strings.Replace(pictures, "limit 1 each except i\n", "", 1)
	for fails, plan := range map[string]string{"b1": "b2", "b1 b2": "", "b1 a1 a2": "b2", "b1 a1 a2 b2": ""} {
		down := map[string]string{}
		for _, name := range strings.Fields(fails) {
			down[name] = always
		}
		made, events, err := plannedProblem(t, withTools(t, unlimited, down), Settings{Execute: true, MaxSteps: 6, Model: llm.Spec{Kind: llm.KindUniform}}, 1)
		switch {
		case plan != "":
			if err != nil || !slices.Contains(made.Word, plan) {
				t.Errorf("without %s: %v, %v", fails, made, err)
			}
		case source.ErrorCode(err) != "plan.none" || !strings.Contains(err.Error(), "no connection") || len(events) > 200:
			t.Errorf("without %s: %v after %d events", fails, err, len(events))
		}
	}
	tools, found := tool.Parse(source.NewFile("tools.json", `{"order": "steps", "types": ["text"], "tools": {"a": {"takes": [], "gives": "text", "does": {"text": "a"}}, "b": {"takes": [], "gives": "text", "does": {"text": "b"}, "fails": `+always+`}}}`))
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	p := pushdownProblem(t, source.NewFile("x.pda", "start q Z\naccept e\nq -> q (a, Z; Z)\nq -> e (b, Z; Z)\n"))
	p.Tools = tools
	if _, _, err := plannedProblem(t, p, Settings{Execute: true, MaxSteps: 6, Model: llm.Spec{Kind: llm.KindUniform}}, 1); source.ErrorCode(err) != "plan.none" {
		t.Errorf("got %v", err)
	}
}

func TestPersonMayMakeEveryChoice(t *testing.T) {
	s := Settings{Model: llm.Spec{Kind: llm.KindFirst}}
	_, events, err := planned(t, pictures, s, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(events, "\n"), `"reason":"an image for “b1”"`) {
		t.Errorf("no reason in\n%s", strings.Join(events, "\n"))
	}
	s.Take = []Take{{Offer: 1, Choice: []int{3}}}
	made, events, err := planned(t, pictures, s, 1)
	if err != nil || made.Word[0] != "d1" || !strings.Contains(strings.Join(events, "\n"), `"by":"person"`) {
		t.Errorf("%v %v", made, err)
	}
	s.Take[0].Choice = []int{9}
	if _, _, err = planned(t, pictures, s, 1); err == nil || !strings.Contains(err.Error(), "offer 1") {
		t.Errorf("got %v", err)
	}
}

func TestSeveralItemsAreChosenAtOnce(t *testing.T) {
	text := "S -> wok A\n%subset A onion ginger garlic \"white pepper\"\nlimit 1 each\n"
	made, _, err := planned(t, text, Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"7", "4, 1 and 2"}}}, 1)
	if err != nil || strings.Join(made.Word, "|") != "wok|onion|ginger|white pepper" || made.Calls != 2 || made.Choices != 1 {
		t.Fatalf("%+v %v", made, err)
	}
	// If a limit forbids the combination, the reason is reported in words.
	text = "S -> A x | A\n%subset A x y\nlimit 1 each\n"
	made, events, err := planned(t, text, Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "1,2", "2"}}}, 1)
	if err != nil || strings.Join(made.Word, " ") != "y x" || !strings.Contains(strings.Join(events, "\n"), "cannot be chosen together") {
		t.Errorf("%+v %v", made, err)
	}
}

func TestAnswersNameChoicesByLabel(t *testing.T) {
	choices := []space.Choice{{N: 1, Label: "Image Denoising"}, {N: 2, Label: "Denoising"}, {N: 3, Label: "the input image"}}
	for _, c := range []struct {
		answer string
		n      int
		fault  string
	}{
		{"Denoising", 2, ""}, {" \"image denoising\".", 1, ""}, {"I take Image Denoising", 1, ""}, {"The Input Image", 3, ""},
		{"the input image after denoising", 0, "more than one of the choices is in it"}, {"nothing", 0, "none of the choices is in it"},
	} {
		if n, fault := ReadChoiceLabel(c.answer, choices); n != c.n || fault != c.fault {
			t.Errorf("%q: %d %q", c.answer, n, fault)
		}
	}
	token := func(text string, p float64, top ...llm.TokenLogprob) llm.TokenLogprob {
		return llm.TokenLogprob{Token: text, Logprob: p, Top: top}
	}
	if n := likeliest([]llm.TokenLogprob{token("I", -1), token(" 2", -0.9, token("7", -0.1), token("3", -0.5), token("2", -0.9))}, 3); n != 3 {
		t.Errorf("the likeliest is %d", n)
	}
	if n := likeliest([]llm.TokenLogprob{token("none", 0)}, 3); n != 0 {
		t.Errorf("of nothing: %d", n)
	}
	for answer, want := range map[string]string{"1,3": "[1 3]", "3 and 1 and 3": "[1 3]", "1-2": "[1 2]", "0": "[]", "none": "[]"} {
		if got, _ := ReadChoices(answer, 3); fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s", answer, got, want)
		}
	}
}

func TestPromptsAreTemplates(t *testing.T) {
	for _, c := range []struct{ template, says string }{
		{"", ""}, {DefaultTemplate, ""}, {"{choices}", ""}, {"{chioces} {task}", "unknown placeholder {chioces} in line 1 of the prompt; did you mean {choices}?"},
		{"a\nb {x}", "line 2"}, {"no list", "{choices}"}, {"{choices} {not a name} {", ""},
	} {
		err := CheckTemplate(c.template)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.template, err)
		}
	}
	_, events, err := planned(t, pictures, Settings{Task: "T", Template: "Do {task}! {item} of {number} {for} {x y}\n{choices}", Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil || !strings.Contains(events[0]+events[1], `"prompt":"Do T! text of 3  {x y}\n1: b1 (needs image)\n2: b2 (needs image)\n3: d1 (needs text)"`) {
		t.Errorf("%v %v", events, err)
	}
}

// The default prompt names the result of the plan first, then the step that takes the next item.
func TestPromptsNameTheNextItem(t *testing.T) {
	_, events, err := planned(t, pictures, Settings{Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var prompts []string
	for _, e := range events {
		if at := strings.Index(e, `"prompt":`); at >= 0 {
			prompts = append(prompts, e[at:])
		}
	}
	if len(prompts) < 2 || !strings.Contains(prompts[0], "The result must be: text.") || !strings.Contains(prompts[1], `Next, decide: image, for \"b1`) {
		t.Errorf("%s", strings.Join(prompts, "\n"))
	}
}

func TestBudgetEndsRunWithAnError(t *testing.T) {
	_, _, err := planned(t, pictures, Settings{Budget: meter.Budget{Calls: 1}, Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	var fault *meter.BudgetError
	if !errors.As(err, &fault) || fault.Code() != "limit.calls" || !strings.Contains(err.Error(), "1 call") {
		t.Errorf("got %v", err)
	}
}

func TestOtherwiseChoosesIfAnswersAreUnreadable(t *testing.T) {
	s := Settings{Attempts: 2, Otherwise: OtherwisePerson, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"none", "either", "1", "2", "2"}}}
	made, events, err := planned(t, pictures, s, 1, "nine", "3")
	if err != nil || made.Word[0] != "d1" || !strings.Contains(strings.Join(events, "\n"), `"by":"person"`) {
		t.Errorf("a person: %+v %v", made, err)
	}
	s.Otherwise = OtherwiseFirst
	if made, _, err = planned(t, pictures, s, 1); err != nil || made.Word[0] != "b1" {
		t.Errorf("the first: %+v %v", made, err)
	}
	s.Otherwise = "nobody"
	if err := s.Check(); err == nil {
		t.Error("settings that there are not")
	}
}
