package plan

import (
	"encoding/json"
	"sort"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

func pushdownProblem(t testing.TB, file *source.File, properties ...space.Property) Problem {
	t.Helper()
	syntax, found := pushdown.Parse(file)
	p, more := pushdown.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatal(found, more)
	}
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := space.NewPushdown(words, p.Limits, nil, properties...)
	if err != nil {
		t.Fatal(err)
	}
	return Problem{Automaton: w}
}

// reachable returns every plan that some sequence of choices leads to, sorted, and
// how many runs that took.
func reachable(t testing.TB, p Problem, s Settings) (words []string, runs int) {
	t.Helper()
	seen := map[string]bool{}
	for path := []int{}; path != nil; runs++ {
		taken, width := []int{}, []int{}
		model := llm.Simulate(func(_ *process.Env, r llm.Request) (string, error) {
			n := 0
			if len(taken) < len(path) {
				n = path[len(taken)]
			}
			taken, width = append(taken, n), append(width, r.Choices)
			return string(rune('1' + n)), nil
		})
		out, _ := plantest.Play(t, func(env *process.Env) (any, error) { return p.RunWith(env, model, s) }, 1)
		if out.Err != nil {
			t.Fatalf("%v: %v", taken, out.Err)
		}
		var made Plan
		if err := json.Unmarshal(out.Result, &made); err != nil {
			t.Fatal(err)
		}
		if !s.Naive && made.DeadEnds+made.Backtracks > 0 {
			t.Fatalf("%v: %d dead ends", made.Word, made.DeadEnds)
		}
		seen[strings.Join(made.Word, " ")] = true
		path = nil
		for i := len(taken) - 1; i >= 0; i-- {
			if taken[i]+1 < width[i] {
				path = append(append([]int{}, taken[:i]...), taken[i]+1)
				break
			}
		}
	}
	for word := range seen {
		words = append(words, word)
	}
	sort.Strings(words)
	return words, runs
}

func TestReachablePlansOfADayMatchTheData(t *testing.T) {
	words, runs := reachable(t, pushdownProblem(t, plantest.File(t, "daily/daily.pda")), Settings{})
	if len(words) != 7 || runs != 7 {
		t.Errorf("%d plans in %d runs:\n%s", len(words), runs, strings.Join(words, "\n"))
	}
}

func TestPropertyReplacesGuard(t *testing.T) {
	properties := plantest.Properties(t, plantest.File(t, "daily/properties.ltl").Text)
	if properties[0].Name != "no_game_after_a_meal" {
		t.Fatal(properties[0].Name)
	}
	loose := plantest.File(t, "daily/daily-loose.pda")
	for _, c := range []struct {
		with []space.Property
		same string
	}{
		{properties[:1], "testdata/daily-guarded.pda"}, // the rule as a guard of its transitions
		{properties, "daily/daily.pda"},
	} {
		guarded, _ := reachable(t, pushdownProblem(t, plantest.File(t, c.same)), Settings{})
		bound, runs := reachable(t, pushdownProblem(t, loose, c.with...), Settings{})
		if strings.Join(guarded, "\n") != strings.Join(bound, "\n") || runs != len(bound) {
			t.Errorf("with %d properties there are %d plans in %d runs, with guards %d", len(c.with), len(bound), runs, len(guarded))
		}
	}
}

func TestPlansOfAnAutomatonSatisfyItsProperties(t *testing.T) {
	file := source.NewFile("x.pda", "start q Z\naccept q\nlimit 1 each\nq -> q (a, *; *) (b, *; *) (c, *; *)\na as \"Ask\"\n")
	all, _ := reachable(t, pushdownProblem(t, file), Settings{})
	if len(all) != 16 {
		t.Fatalf("%d words", len(all))
	}
	some, _ := reachable(t, pushdownProblem(t, file, plantest.Properties(t, "order: F b & (!b U a)")...), Settings{})
	if got := strings.Join(some, ", "); got != "a b, a b c, a c b, c a b" {
		t.Errorf("with the property: %s", got)
	}
	_, _, err := plannedProblem(t, pushdownProblem(t, file, plantest.Properties(t, "never: F d")...), Settings{Model: llm.Spec{Kind: llm.KindFirst}}, 1)
	if err == nil || !strings.Contains(err.Error(), "property never") {
		t.Errorf("got %v", err)
	}
}

func plannedProblem(t testing.TB, p Problem, s Settings, seed uint64, answers ...string) (*Plan, []string, error) {
	t.Helper()
	out, events := plantest.Play(t, func(env *process.Env) (any, error) { return p.Run(env, s) }, seed, answers...)
	if out.Err != nil {
		return nil, events, out.Err
	}
	var made Plan
	return &made, events, json.Unmarshal(out.Result, &made)
}

func TestFlowchartRequestsFollowItsQuestions(t *testing.T) {
	file := source.NewFile("x.flow", `let who "Beta"
ask owned "Does {who} belong to the seller?"
  yes -> b
  no -> stop as "It may not be sold."
in any order b {
  ask debts "Has {who} debts?"
    yes -> stop as "The deal is off."
    no -> next
  ask law "Is {who} sued?"
    yes -> next as "Settle it first."
    no -> next
} -> pass
accept pass "Passed."
`)
	syntax, found := flow.Parse(file)
	chart, more := flow.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatal(found, more)
	}
	w, err := space.NewFlow(chart, grammar.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := Problem{Automaton: w}
	made, events, err := plannedProblem(t, p, Settings{Task: "Sell Beta.", Model: llm.Spec{Kind: llm.KindPerson}}, 1, "1", "2", "1", "2")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(made.Word, " "); got != "owned.yes law law.yes debts debts.no" {
		t.Errorf("the word is %s", got)
	}
	var texts []string
	for _, s := range made.Steps {
		texts = append(texts, s.Text)
	}
	if got := strings.Join(texts, "|"); got != "Does Beta belong to the seller? yes.|Is Beta sued? yes. Settle it first.|Has Beta debts? no." {
		t.Errorf("the steps are %s", got)
	}
	if all := strings.Join(events, "\n"); !made.End.Good || !strings.Contains(all, "Is Beta sued? The choices are") {
		t.Errorf("%+v, the events are\n%s", made.End, all)
	}
	_, events, err = plannedProblem(t, p, Settings{Template: PaperTemplate, Model: llm.Spec{Kind: llm.KindPerson}}, 1, "1", "2", "1", "2")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, raw := range events {
		var e OfferEvent
		if json.Unmarshal([]byte(raw), &e) != nil || e.Kind != "plan.offer" || !e.Question {
			continue
		}
		if asked++; strings.Contains(e.Prompt, "The deal is off") && !strings.Contains(e.Prompt, "Decided so far") || !strings.Contains(e.Prompt, "1: yes\n2: no\n") {
			t.Errorf("the prompt shows a consequence:\n%s", e.Prompt)
		}
	}
	if asked == 0 {
		t.Error("no question was asked")
	}
	// A bad end completes a plan; the texts after it are not read.
	made, _, err = plannedProblem(t, p, Settings{Model: llm.Spec{Kind: llm.KindPerson}}, 1, "1", "2", "1", "1")
	if err != nil || made.End.Good || len(made.Steps) != 3 || made.Steps[2].Text != "Has Beta debts? yes. The deal is off." {
		t.Errorf("%+v %v", made, err)
	}
}

func TestPropertiesHoldForEveryPlanOfAGrammar(t *testing.T) {
	g := must.Grammar(t, plantest.File(t, "openagi/openagi.cfg").Text)
	properties := plantest.Properties(t, "no_colour_after_blur: G (a1 -> WX !a3)\n\nreads: F (b1 | b2)\n\nend: F (i & WX false)")
	table, err := space.NewTable(g, g.DeclaredLimits(), meter.New(meter.Budget{}), properties...)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(300) {
		made, _, err := plannedProblem(t, Problem{Table: table}, Settings{Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		if err != nil || made.DeadEnds+made.Backtracks > 0 {
			t.Fatalf("seed %d: %v %+v", seed, err, made)
		}
		word := " " + strings.Join(made.Word, " ") + " "
		if strings.Contains(word, " a1 a3 ") || !strings.Contains(word, " b1 ") && !strings.Contains(word, " b2 ") {
			t.Errorf("seed %d: %s", seed, word)
		}
	}
}

func TestCompatibleAnswersAreChosenTogether(t *testing.T) {
	file := source.NewFile("x.flow", `ask where "Where is it filed?"
  some europe as "File it there." usa china -> pass as "Cleared."
  none -> pass
accept pass "Passed."
`)
	syntax, found := flow.Parse(file)
	chart, more := flow.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatal(found, more)
	}
	w, err := space.NewFlow(chart, grammar.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for answers, want := range map[string]string{
		"1": "where.europe where.enough", "3,1": "where.europe where.china", "4": "where.none", "1,4|2 and 1": "where.europe where.usa where.enough",
	} {
		s := Settings{Model: llm.Spec{Kind: llm.KindScripted, Script: strings.Split(answers, "|")}}
		made, events, err := plannedProblem(t, Problem{Automaton: w}, s, 1)
		if err != nil || strings.Join(made.Word, " ") != want || made.Choices != 1 {
			t.Errorf("%s: %+v %v\n%s", answers, made, err, strings.Join(events, "\n"))
		}
	}
}
