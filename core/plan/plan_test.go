package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// runGrammar makes a plan of a grammar within the settings' limits or its own.
func runGrammar(env *process.Env, g *grammar.Grammar, s Settings) (*Plan, error) {
	limits := g.DeclaredLimits()
	if s.Limits != nil {
		limits = *s.Limits
	}
	table, err := space.NewTable(g, limits, env.Meter())
	if err != nil {
		return nil, err
	}
	return Problem{Table: table}.Run(env, s)
}

func planned(t testing.TB, text string, s Settings, seed uint64, answers ...string) (*Plan, []string, error) {
	t.Helper()
	g := must.Grammar(t, text)
	out, events := plantest.Play(t, func(env *process.Env) (any, error) { return runGrammar(env, g, s) }, seed, answers...)
	if out.Err != nil {
		return nil, events, out.Err
	}
	var p Plan
	if err := json.Unmarshal(out.Result, &p); err != nil {
		t.Fatal(err)
	}
	return &p, events, nil
}

// checker reports, independently of the planner, whether a word is valid.
type checker struct {
	g      *grammar.Grammar
	parser *earley.Parser
	caps   []int64
}

func newChecker(t testing.TB, g *grammar.Grammar, limits grammar.Limits) checker {
	caps, err := g.Caps(limits)
	if err != nil {
		t.Fatal(err)
	}
	return checker{g, earley.New(g), caps}
}

func (c checker) valid(word []string) error {
	symbols := make([]grammar.Symbol, len(word))
	used := make([]int64, c.g.NumTerminals)
	for i, name := range word {
		s, ok := c.g.Lookup(name)
		if !ok || !c.g.IsTerminal(s) {
			return fmt.Errorf("%q is no terminal", name)
		}
		symbols[i] = s
		if used[s]++; c.caps[s] >= 0 && used[s] > c.caps[s] {
			return fmt.Errorf("%q is used %d times", name, used[s])
		}
	}
	ok, err := c.parser.Recognize(symbols, nil)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%v is no word of the grammar", word)
	}
	return nil
}

func TestSimulatedPlansOfTheSixClassesAreAllValid(t *testing.T) {
	type record struct {
		ID      string         `json:"id"`
		Grammar string         `json:"grammar"`
		Limits  grammar.Limits `json:"limits"`
	}
	classes := 0
	for _, r := range conformance.Records[record](t, "plans.jsonl") {
		if !strings.Contains(r.ID, "paper order") {
			continue
		}
		classes++
		t.Run(r.ID, func(t *testing.T) {
			g := must.Grammar(t, r.Grammar)
			check := newChecker(t, g, r.Limits)
			model, err := llm.New(llm.Spec{Kind: llm.KindUniform})
			if err != nil {
				t.Fatal(err)
			}
			table, err := space.NewTable(g, r.Limits, nil)
			if err != nil {
				t.Fatal(err)
			}
			runs := effort.Sample(10_000, 400)
			words := map[string]bool{}
			for seed := range uint64(runs) {
				var made *Plan
				out, _ := plantest.Play(t, func(env *process.Env) (_ any, err error) {
					made, err = Problem{Table: table}.RunWith(env, model, Settings{})
					return nil, err
				}, seed)
				if out.Err != nil {
					t.Fatalf("seed %d: %v", seed, out.Err)
				}
				if err := check.valid(made.Word); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if made.DeadEnds+made.Backtracks > 0 {
					t.Fatalf("seed %d: %d dead ends, %d backtracks", seed, made.DeadEnds, made.Backtracks)
				}
				words[strings.Join(made.Word, " ")] = true
			}
			t.Logf("%d plans, %d of them different, all valid", runs, len(words))
		})
	}
	if classes != 6 {
		t.Errorf("%d classes, not 6", classes)
	}
}

func TestEveryPlanOfARandomGrammarIsValid(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	made, none := 0, 0
	for i := range effort.Sample(3_000, 1_000) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		s := Settings{
			Limits: &grammar.Limits{Named: map[string]int64{}}, MaxSteps: 1 + random.IntN(40),
			Model: llm.Spec{Kind: []string{llm.KindUniform, llm.KindFirst, llm.KindRambler}[i%3], ErrorRate: 0.3}, Attempts: 60,
			Naive: random.IntN(4) == 0,
		}
		for t := range g.NumTerminals {
			if random.IntN(2) == 0 {
				s.Limits.Named[g.Names[t]] = int64(random.IntN(3))
			}
		}
		p, _, err := planned(t, text, s, uint64(i))
		var fault *source.Error
		var limit *meter.LimitError
		switch {
		case err == nil:
			made++
			if err := newChecker(t, g, *s.Limits).valid(p.Word); err != nil {
				t.Fatalf("%s%+v\n%v", text, s, err)
			}
			if !s.Naive && p.DeadEnds+p.Backtracks > 0 {
				t.Fatalf("%s%+v\n%d dead ends, %d backtracks", text, s, p.DeadEnds, p.Backtracks)
			}
		case errors.As(err, &fault) && fault.Code() == "plan.none":
			none++
			if p, err := anyPlan(g, *s.Limits); err != nil || p {
				t.Fatalf("%s%+v\nthe planner says there is no plan, but there is (%v)", text, s.Limits, err)
			}
		case s.Naive && errors.As(err, &fault) && fault.Code() == "plan.steps":
		case s.Naive && errors.As(err, &limit): // it may backtrack forever
		default:
			t.Fatalf("%s%+v\n%v", text, s, err)
		}
	}
	t.Logf("%d plans made, %d grammars without one", made, none)
	if made == 0 || none == 0 {
		t.Error("the grammars are too much alike")
	}
}

// The terminal after the first one is certain: a second terminal at the same places does not help.
func TestExhaustedTerminalsExcludeTheirProductions(t *testing.T) {
	for _, text := range []string{"S -> X X\nX -> x a y | x b y", "S -> X a | X b\nX -> a | b", "S -> X Y\nX -> a | b\nY -> x a | x b"} {
		for seed := range uint64(effort.Of(20)) {
			p, _, err := planned(t, text, Settings{Limits: &grammar.Limits{Named: map[string]int64{"a": 1, "b": 1}}, Model: llm.Spec{Kind: llm.KindUniform}, Attempts: 20}, seed)
			if err != nil || p.DeadEnds+p.Backtracks > 0 {
				t.Fatalf("%s\n%+v, %v", text, p, err)
			}
		}
	}
}

// anyPlan looks for a word of up to nine symbols within the limits, by trying all.
func anyPlan(g *grammar.Grammar, limits grammar.Limits) (bool, error) {
	caps, err := g.Caps(limits)
	if err != nil {
		return false, err
	}
	run := earley.New(g).Start(nil)
	var try func(depth int) (bool, error)
	try = func(depth int) (bool, error) {
		if run.Complete() {
			return true, nil
		}
		if depth == 9 {
			return false, nil
		}
		for _, t := range run.Next() {
			if caps[t] == 0 {
				continue
			}
			caps[t]--
			if _, err := run.Push(t); err != nil {
				return false, err
			}
			found, err := try(depth + 1)
			run.Pop()
			caps[t]++
			if found || err != nil {
				return found, err
			}
		}
		return false, nil
	}
	return try(0)
}

const anbn = "S -> a S b | ε\n"

func TestPersonIsAskedAgainAfterAnInvalidAnswer(t *testing.T) {
	p, events, err := planned(t, anbn, Settings{Model: llm.Spec{Kind: llm.KindPerson}}, 1, "1", "12", "no idea", "2")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Word, " "); got != "a b" {
		t.Errorf("the word is %q", got)
	}
	faults := 0
	for _, e := range events {
		if strings.Contains(e, `"fault"`) {
			faults++
		}
	}
	if faults != 2 || p.Calls != 4 {
		t.Errorf("%d faults, %d calls; want 2 and 4\n%s", faults, p.Calls, strings.Join(events, "\n"))
	}
}

func TestUnreadableAnswersEndTheRun(t *testing.T) {
	s := Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 1}}
	_, events, err := planned(t, anbn, s, 1)
	var fault *source.Error
	if !errors.As(err, &fault) || fault.Code() != "plan.unreadable" {
		t.Fatalf("got %v", err)
	}
	if n := strings.Count(strings.Join(events, "\n"), `"plan.reply"`); n != DefaultAttempts {
		t.Errorf("%d answers were read, not %d", n, DefaultAttempts)
	}
}

func TestFormsOfAPlan(t *testing.T) {
	const tools = `S -> E I T | B I
I -> A I | i
T -> B I
A -> a1 | a2
B -> b1 | b2
E -> e1
a1 as "Colorization"
b1 as "Classification"
e1 as "Question Answering"
i as "the input image"
limit 1 each except i
`
	p, events, err := planned(t, tools, Settings{Task: "name it", Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "1", "1", "2"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := "e1(a1(a2(i)), b1(i))"; p.Function != want && p.Function != "e1(a1(i), b2(i))" && p.Function != "e1(a1(a2(i)), b2(i))" {
		t.Errorf("the function form is %s", p.Function)
	}
	last := p.Steps[len(p.Steps)-1]
	if last.Symbol != "e1" || !strings.HasPrefix(last.Text, "Use Question Answering on the result of step ") {
		t.Errorf("the last step is %+v", last)
	}
	for i, s := range p.Steps {
		if s.N != i+1 {
			t.Errorf("step %d is numbered %d", i+1, s.N)
		}
	}
	first := events[0]
	for _, part := range []string{`"plan.offer"`, "name it", "1: Question Answering (needs I and T)", "2: Classification (needs I)", "3: b2 (needs I)"} {
		if !strings.Contains(first, part) {
			t.Errorf("the first offer lacks %q: %s", part, first)
		}
	}
}

func TestMissingPlanIsReportedAtOnce(t *testing.T) {
	for _, text := range []string{
		"S -> a a\nlimit 1 each\n",
		"S -> S a | B\nB -> B b\n",
	} {
		g, _ := grammar.Compile(first(grammar.Parse(source.NewFile("g.cfg", text))), "")
		out, events := plantest.Play(t, func(env *process.Env) (any, error) {
			return runGrammar(env, g, Settings{Model: llm.Spec{Kind: llm.KindFirst}})
		}, 1)
		var fault *source.Error
		if !errors.As(out.Err, &fault) || fault.Code() != "plan.none" || len(events) > 0 {
			t.Errorf("%s: got %v after %d events", text, out.Err, len(events))
		}
	}
}

func first(s *grammar.Syntax, _ []source.Diagnostic) *grammar.Syntax { return s }

func TestNaivePlannerBacktracksFromDeadEnds(t *testing.T) {
	const text = "S -> A A A\nA -> a1 | a2 | a3 | B B\nB -> a1 | a2\nlimit 1 each\n"
	strands := 0
	for seed := range uint64(50) {
		p, _, err := planned(t, text, Settings{Naive: true, Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		if err != nil {
			t.Fatal(err)
		}
		strands += p.DeadEnds
		q, _, err := planned(t, text, Settings{Model: llm.Spec{Kind: llm.KindUniform}}, seed)
		if err != nil || q.DeadEnds > 0 {
			t.Fatalf("with look-ahead: %v, %+v", err, q)
		}
	}
	if strands == 0 {
		t.Error("it never stranded, so the grammar shows nothing")
	}
}

func TestLeftRecursionTerminates(t *testing.T) {
	for seed := range uint64(20) {
		p, _, err := planned(t, "S -> S a | S S | ε | b\n", Settings{Model: llm.Spec{Kind: llm.KindUniform}, MaxSteps: 15}, seed)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Word) > 40 {
			t.Errorf("seed %d: %d symbols", seed, len(p.Word))
		}
	}
}

func TestReadChoice(t *testing.T) {
	tests := []struct {
		answer string
		n      int
		want   int
		fault  string
	}{
		{"3", 5, 3, ""},
		{" 3.\n", 5, 3, ""},
		{"I choose 3.", 5, 3, ""},
		{"Choice: 3 (yes, 3)", 5, 3, ""},
		{"**2**", 5, 2, ""},
		{"", 5, 0, "no number"},
		{"none of them", 5, 0, "no number"},
		{"6", 5, 0, "between 1 and 5"},
		{"0", 5, 0, "between 1 and 5"},
		{"-1", 5, 0, "between 1 and 5"},
		{"1 or 2", 5, 0, "more than one"},
		{"2.5", 5, 0, "whole"},
		{"99999999999999999999", 5, 0, "between 1 and 5"},
		{"007", 9, 7, ""},
	}
	for _, test := range tests {
		got, fault := ReadChoice(test.answer, test.n)
		if got != test.want || (test.fault == "") != (fault == "") || !strings.Contains(fault, test.fault) {
			t.Errorf("ReadChoice(%q, %d) = %d, %q; want %d, %q", test.answer, test.n, got, fault, test.want, test.fault)
		}
	}
}

func FuzzReadChoiceIsInRange(f *testing.F) {
	f.Add("I choose 3.", 5)
	f.Add("-2,5 or 1e9", 3)
	f.Fuzz(func(t *testing.T, answer string, n int) {
		n = n%1000 + 1000
		choice, fault := ReadChoice(answer, n)
		if (fault == "") != (choice >= 1 && choice <= n) {
			t.Errorf("ReadChoice(%q, %d) = %d, %q", answer, n, choice, fault)
		}
	})
}

func TestSameSeedSameEvents(t *testing.T) {
	s := Settings{Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.4}}
	_, one, err := planned(t, anbn, s, 9)
	if err != nil {
		t.Fatal(err)
	}
	_, two, _ := planned(t, anbn, s, 9)
	if !slices.Equal(one, two) {
		t.Error("two runs with one seed differ")
	}
}

func TestShortestCompletionIsNoCycle(t *testing.T) {
	// The lowest tree of B needs one x more than the limit allows.
	const text = "S -> x A\nA -> B | D\nB -> x x | A\nD -> E\nE -> F\nF -> z\nlimit 1 x\n"
	p, _, err := planned(t, text, Settings{Model: llm.Spec{Kind: llm.KindUniform}, MaxSteps: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Word, " "); got != "x z" {
		t.Errorf("the word is %q", got)
	}
}
