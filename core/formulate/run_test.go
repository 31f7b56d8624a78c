package formulate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/strips"
)

// tea is a problem whose solution changes with every mistake of a model: waste earns
// money if it is negative, and unconnected pickings are free.
func tea() *Problem {
	return &Problem{
		Folder: "tea.problem", Task: "Pick, carry and deliver tea.", Data: `{"cost": {"hill": 4, "lake": 3}, "demand": 4}`, API: teaAPI,
		Query:  "Why is tea picked by the lake?",
		Output: `{"cost": "{objective}", "picked": "{pick}", "note": "why"}`,
		Goal:   "## Goal\nthe least cost\n## Constraints\n- the harvest\n- the demand\n- what is picked is sent or wasted\n- no tea by the lake\n",
		Variables: `{"variable_1": {"name": "pick"}, "variable_2": {"name": "send"}}
`,
		SMT: `(declare-const pick.hill Int)
(declare-const pick.lake Int)
(declare-const send.shop Int)
(declare-const waste Int)
(assert (! (and (>= pick.hill 0) (>= pick.lake 0)) :named low))
(assert (>= send.shop 0))
(assert (>= waste 0))
(assert (! (<= pick.hill 5) :named harvest))
(assert (! (>= send.shop 4) :named demand))
(assert (! (= (+ pick.hill pick.lake) (+ send.shop waste)) :named mill))
(assert (! (= pick.lake 0) :named query.lake))
(minimize (+ (* 4 pick.hill) (* 3 pick.lake) (fee send.shop) (* 2 waste)))
`,
	}
}

// Without the query 4 are picked by the lake, for 4·3 + 4·2; with it on the hill, for 4·4 + 4·2.
const (
	teaCost = "24"
	teaBase = "20"
)

var simulatedModel = llm.Spec{Kind: llm.KindFirst}

func stageOf(r *Result, stage string) StageSpent {
	for _, s := range r.Stages {
		if s.Stage == stage {
			return s
		}
	}
	return StageSpent{}
}

func productOf(r *Result, name string) string {
	for _, p := range r.Products {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

func TestRunOfSimulatedModelGivesTheOptimum(t *testing.T) {
	p := tea()
	h := &host{}
	r, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel}, h)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != StatusSolved || r.Objective != teaCost || r.Ask != AskWhy || r.Method != MethodFormulate || r.Notation != NotationSMT || r.Rounds != 1 || !r.Assessed {
		t.Errorf("%+v", r)
	}
	if got := string(r.Answer); got != `{"cost": 24, "picked": {"hill": 4}, "note": null}` {
		t.Errorf("answer %s", got)
	}
	if r.Base == nil || r.Base.Objective != teaBase || r.Base.Status != StatusSolved || fmt.Sprint(r.Base.Changed) != "[{pick.hill 0 4} {pick.lake 4 0}]" {
		t.Errorf("base %+v", r.Base)
	}
	if len(r.Findings) > 0 || len(r.Fixed) > 0 || r.Findings == nil || r.Fixed == nil || r.Checks == nil || len(r.Checks) > 0 {
		t.Errorf("findings %+v, fixed %+v, checks %+v", r.Findings, r.Fixed, r.Checks)
	}
	// Query, base and direction; every other stage calls the model once.
	if r.Spent.Solves != 3 || r.Spent.Solving != 21 || r.Spent.Calls != 5 {
		t.Errorf("spent %+v", r.Spent)
	}
	var names []string
	for _, s := range r.Stages {
		names = append(names, s.Stage)
		want := Spent{Calls: 1, Usage: s.Spent.Usage}
		if s.Stage == StageSolver {
			want = Spent{Solves: 3, Solving: 21}
		}
		if s.Runs != 1 || s.Spent != want {
			t.Errorf("%+v", s)
		}
	}
	if !slices.Equal(names, Stages) {
		t.Errorf("stages %v", names)
	}
	for name, want := range map[string]string{FileGoal: p.Goal, FileVariables: p.Variables, FileSMT: p.SMT, FileAnswer: string(r.Answer) + "\n"} {
		if got := productOf(r, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if len(r.Verdicts) != 5 || r.Verdicts[1] != (Verdict{"the demand", true, "The solver was given it.", "model"}) || !r.Verdicts[4].Holds {
		t.Errorf("verdicts %+v", r.Verdicts)
	}
	var purposes []string
	for _, e := range ofKind(events, "solve") {
		purposes = append(purposes, fmt.Sprint(e.Purpose, " ", len(e.Result) > 0))
	}
	if got := strings.Join(purposes, ", "); got != "query false, query true, base false, base true, direction false, direction true" {
		t.Errorf("queries: %s", got)
	}
	assess := ofKind(events, "assess")
	if len(assess) != 1 || assess[0].Wrong != "" || len(assess[0].Ratings) != 3 {
		t.Errorf("%+v", assess)
	}
	if report := productsIn(events, FileAssessment); len(report) != 1 || !strings.HasPrefix(report[0].Text, "# Self-assessment, round 1\n\n## definer: right\n") || strings.Contains(report[0].Text, "Faults found by the checks") || strings.Contains(report[0].Text, "To mend it") {
		t.Errorf("%+v", report)
	}
}

func productsIn(events []seenEvent, name string) (out []seenEvent) {
	for _, e := range ofKind(events, "product") {
		if e.Name == name {
			out = append(out, e)
		}
	}
	return out
}

// Every mistake of a simulated model is found, and the result is that of the right
// formulation.
func TestMistakesAreFoundAndFixed(t *testing.T) {
	for mistake, c := range map[string]struct {
		rounds  int
		stage   string
		certain bool
		message string
	}{
		MistakeSyntax:      {1, StageGenerator, true, ""},
		MistakeImplicit:    {2, StageDefiner, true, "no constraint connects: pick | send | waste; pick is always 0: the plan does not use it"},
		MistakeNegative:    {2, StageGenerator, true, "unbounded objective: missing lower bound of pick.hill, send.shop, waste"},
		MistakeOverwritten: {1, StageGenerator, true, ""},
		MistakeDirection:   {2, StageGenerator, false, "the plan already satisfies the question's constraints: a \"why\" question must forbid the property that it asks about; ignore this if the plan lacks that property"},
		MistakeQuery:       {2, StageGenerator, true, "the question asks why, and no constraint is named query.…, so the question forbids or forces nothing"},
		MistakeObjective:   {2, StageGenerator, true, "missing objective: the goal asks for an optimum"},
		MistakeFigures:     {1, "", false, ""},
	} {
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Mistakes: []string{mistake}}, &host{})
		if err != nil {
			t.Errorf("%s: %v", mistake, err)
			continue
		}
		if r.Objective != teaCost || r.Rounds != c.rounds || !r.Assessed || r.Status != StatusSolved {
			t.Errorf("%s: objective %s after %d rounds, %+v", mistake, r.Objective, r.Rounds, r.Findings)
		}
		found := ofKind(events, "finding")
		if c.stage == "" {
			if len(found) > 0 || stageOf(r, StageFormatter).Spent.Calls != 2 {
				t.Errorf("%s: %+v", mistake, found)
			}
			continue
		}
		if len(found) == 0 {
			t.Errorf("%s: no finding", mistake)
			continue
		}
		f := found[0].Finding
		if f.Mistake != mistake || f.Stage != c.stage || f.Certain != c.certain || !strings.HasPrefix(f.Message, c.message) || f.Round != 1 {
			t.Errorf("%s: %+v", mistake, f)
		}
		if mistake == MistakeDirection && f.Line != 11 {
			t.Errorf("%s: line %d", mistake, f.Line)
		}
		if c.rounds == 2 {
			assess := ofKind(events, "assess")
			if len(assess) != 2 || assess[0].Wrong != c.stage || len(r.Fixed) == 0 || r.Fixed[0] != f || len(r.Findings) > 0 {
				t.Errorf("%s: %+v, fixed %+v, left %+v", mistake, assess, r.Fixed, r.Findings)
			}
			prompts := ofKind(events, "prompt")
			again := slices.IndexFunc(prompts, func(e seenEvent) bool { return e.Stage == c.stage && e.Round == 2 })
			if again < 0 || !strings.Contains(prompts[again].Prompt, "Correct it as follows: "+corrections[mistake]) || !strings.Contains(prompts[again].Prompt, "Faults found by the checks:\n- "+f.Message) {
				t.Errorf("%s: the second prompt lacks the finding", mistake)
			}
		} else if c.stage == StageGenerator && stageOf(r, StageGenerator).Spent.Calls != 2 {
			t.Errorf("%s: %+v", mistake, stageOf(r, StageGenerator))
		}
	}
}

// Mistakes are made one per round, until the rounds are used up.
func TestRoundsBoundTheRun(t *testing.T) {
	mistakes := []string{MistakeObjective, MistakeQuery, MistakeNegative}
	for rounds := 0; rounds <= 5; rounds++ {
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Mistakes: mistakes, Rounds: &rounds}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		want := min(max(rounds, 1), 4)
		if r.Rounds != want || r.Assessed != (rounds >= 4) || len(ofKind(events, "assess")) != min(rounds, 4) {
			t.Errorf("%d rounds: ended in %d, %d assessments", rounds, r.Rounds, len(ofKind(events, "assess")))
		}
		for i, f := range r.Fixed {
			if f.Round > r.Rounds || i > 0 && f.Round < r.Fixed[i-1].Round {
				t.Errorf("fixed %+v", r.Fixed)
			}
		}
		if rounds < 4 && len(r.Findings) == 0 {
			t.Errorf("%d rounds: the last mistake is not in the result", rounds)
		}
	}
}

// script returns a model that answers with texts.
func script(texts ...string) llm.Spec { return llm.Spec{Kind: llm.KindScripted, Script: texts} }

const (
	allRight = `{"steps": [{"step": 1, "reason": "fine", "right": true}, {"step": 2, "reason": "fine", "right": true}, {"step": 3, "reason": "fine", "right": true}]}`
	// teaAnswer is the answer of the Result Formatter.
	teaAnswer = `{"answer": {"cost": 24, "picked": {"hill": 4}, "note": "dear"}, "constraints": [{"constraint": "the harvest", "holds": true, "reason": "it is"}, {"constraint": "The demand.", "holds": true, "reason": "it is"}, {"constraint": "what is picked is sent or wasted", "holds": true, "reason": "it is"}, {"constraint": "no tea by the lake", "holds": true, "reason": "it is"}], "sensible": {"holds": true, "reason": "cheap"}}`
)

// wrongStep is a self-assessment that judges a step wrong; instead is JSON.
func wrongStep(step int, instead string) string {
	text := strings.Replace(allRight, fmt.Sprintf(`{"step": %d, "reason": "fine", "right": true}`, step), fmt.Sprintf(`{"step": %d, "reason": "not right", "how": "think", "right": false, "instead": %s}`, step, instead), 1)
	if text == allRight {
		panic("unknown step")
	}
	return text
}

// A product with faults is requested again, with its faults, at most as often as the
// settings allow.
func TestUnreadableProductsAreAskedForAgain(t *testing.T) {
	for _, stage := range []string{StageDefiner, StageFormulator, StageGenerator, StageFormatter, StageAssessor} {
		good := map[string]string{StageDefiner: tea().Goal, StageFormulator: tea().Variables, StageGenerator: tea().SMT, StageFormatter: teaAnswer, StageAssessor: allRight}[stage]
		for bad := 0; bad <= 3; bad++ {
			texts := slices.Repeat([]string{"nothing ("}, bad)
			texts = append(texts, good)
			more, rounds := 2, 1
			r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Models: map[string]llm.Spec{stage: script(texts...)}, Regenerations: &more, Rounds: &rounds}, &host{})
			prompts, replies := 0, 0
			for _, e := range events {
				if e.Stage != stage {
					continue
				}
				switch e.Kind {
				case "formulate.prompt":
					prompts++
					if e.Attempt != prompts || (prompts > 1) != strings.HasPrefix(e.Prompt, "The answer is not usable:\n- ") {
						t.Errorf("%s: attempt %d: %.60s", stage, e.Attempt, e.Prompt)
					}
				case "formulate.reply":
					replies++
					if (len(e.Faults) > 0) != (replies <= bad) || e.Faults == nil || e.Spent.Calls < replies {
						t.Errorf("%s, reply %d of %d bad ones: %q", stage, replies, bad, e.Faults)
					}
				}
			}
			if want := min(bad, more) + 1; prompts != want || replies != want {
				t.Errorf("%s, %d bad: %d prompts, %d replies", stage, bad, prompts, replies)
			}
			if bad <= more {
				if err != nil || r.Status != StatusSolved || r.Objective != teaCost || !r.Assessed || stageOf(r, stage).Runs != 1 {
					t.Errorf("%s, %d bad: %+v, %v", stage, bad, r, err)
				}
				continue
			}
			switch stage {
			case StageDefiner, StageFormulator:
				if err == nil || !strings.HasPrefix(err.Error(), "the "+stage+" wrote no valid product: ") {
					t.Errorf("%s: %v", stage, err)
				}
			case StageGenerator:
				if err != nil || r.Status != StatusFailed || !strings.HasPrefix(r.Message, "line 1: ") || r.Findings[0].Mistake != MistakeSyntax || r.Findings[0].Line != 1 {
					t.Errorf("%+v, %v", r, err)
				}
			case StageFormatter:
				// The references of the form are filled, but the note is unknown.
				if err != nil || string(r.Answer) != "null" || !r.Assessed || len(r.Findings) != 1 || r.Findings[0].Mistake != MistakeForm || !r.Findings[0].Certain {
					t.Errorf("%+v, %v", r, err)
				}
			case StageAssessor:
				if err != nil || r.Assessed || r.Status != StatusSolved || r.Rounds != 1 {
					t.Errorf("%+v, %v", r, err)
				}
			}
		}
	}
}

// The self-assessment's product replaces the one it judges wrong, and the later stages run
// again; without a product the stage itself runs again.
func TestWrongStagesAreReplaced(t *testing.T) {
	goal := `"## Goal\nthe least cost\n## Constraints\n- other\n"`
	model := fmt.Sprintf("%q", "```\n"+strings.Replace(tea().SMT, "send.shop 4", "send.shop 3", 1)+"```")
	for _, c := range []struct {
		step    int
		instead string
		runs    [3]int // of the makers
		cost    string
	}{
		{1, "null", [3]int{2, 2, 2}, teaCost},
		{1, goal, [3]int{1, 2, 2}, teaCost},
		{1, `"no goal"`, [3]int{2, 2, 2}, teaCost},
		{2, "null", [3]int{1, 2, 2}, teaCost},
		{2, `{"variable_1": {"name": "x"}}`, [3]int{1, 1, 2}, teaCost},
		{2, `{"variable_1": 3}`, [3]int{1, 2, 2}, teaCost},
		{3, "null", [3]int{1, 1, 2}, teaCost},
		{3, model, [3]int{1, 1, 1}, "18"}, // for 3 parcels
	} {
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageAssessor: script(wrongStep(c.step, c.instead), allRight)}}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		for i, stage := range Stages[:3] {
			if got := stageOf(r, stage).Runs; got != c.runs[i] {
				t.Errorf("step %d, %s: the %s ran %d times", c.step, c.instead, stage, got)
			}
		}
		if r.Objective != c.cost || r.Rounds != 2 || !r.Assessed {
			t.Errorf("step %d, %s: %s, %d rounds", c.step, c.instead, r.Objective, r.Rounds)
		}
		taken := slices.ContainsFunc(ofKind(events, "product"), func(e seenEvent) bool { return e.By == "assessor" && e.Round == 2 && e.Before != "" })
		if again := c.runs[c.step-1] == 2; taken == again {
			t.Errorf("step %d, %s: taken %v", c.step, c.instead, taken)
		}
		// The faults found in a stage are in its next prompt only.
		troubles := 0
		for _, e := range ofKind(events, "prompt") {
			if strings.Contains(e.Prompt, "An earlier version was wrong:\n- not right\nCorrect it as follows: think") {
				troubles++
				if e.Stage != Stages[c.step-1] || e.Round != 2 {
					t.Errorf("trouble in the prompt of the %s", e.Stage)
				}
			}
		}
		if troubles > 1 || (troubles == 1) == taken {
			t.Errorf("step %d, %s: %d prompts with trouble", c.step, c.instead, troubles)
		}
		report := productsIn(events, FileAssessment)
		if want := "## " + Stages[c.step-1] + ": wrong\n\nnot right\n\nTo mend it: think\n"; len(report) != 2 || !strings.Contains(report[0].Text, want) || strings.Contains(report[1].Text, "wrong") {
			t.Errorf("reports %+v", report)
		}
	}
}

// A certain finding overrides a model that judges the stage right; an uncertain one does not.
func TestCertainFindingsOverrideTheModel(t *testing.T) {
	rounds := 1
	for mistake, certain := range map[string]bool{MistakeObjective: true, MistakeQuery: true, MistakeDirection: false} {
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageAssessor: script(allRight)}, Mistakes: []string{mistake}, Rounds: &rounds, Ask: AskWhy}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		rating := ofKind(events, "assess")[0].Ratings[2]
		if rating.Right == certain || (rating.By == "check") != certain || certain && rating.Reason != r.Findings[0].Message || r.Assessed == certain {
			t.Errorf("%s: %+v, assessed %v", mistake, rating, r.Assessed)
		}
		if report := productsIn(events, FileAssessment)[0].Text; !strings.Contains(report, "\n## Faults found by the checks\n\n- generator: "+r.Findings[0].Message) {
			t.Errorf("%s: report %s", mistake, report)
		}
		prompts := ofKind(events, "prompt")
		judged := prompts[len(prompts)-1].Prompt
		if perhaps := strings.Contains(judged, "Faults found by the checks:\n- step 3: perhaps: "); perhaps == certain || !strings.Contains(judged, r.Findings[0].Message) {
			t.Errorf("%s: the prompt of the assessor: %s", mistake, judged)
		}
	}
}

// A run that begins with a stage reads the products of the earlier stages from files.
func TestRunContinuesFromFiles(t *testing.T) {
	for i, from := range Stages[:4] {
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, From: from}, &host{})
		if err != nil || r.Objective != teaCost {
			t.Fatalf("%s: %+v, %v", from, r, err)
		}
		for j, stage := range Stages[:3] {
			kept := slices.ContainsFunc(ofKind(events, "stage"), func(e seenEvent) bool { return e.Stage == stage && e.State == StateKept })
			by := map[string]string{}
			for _, e := range ofKind(events, "product") {
				by[e.Stage] += e.By
			}
			if want := map[bool]string{true: "file", false: "model"}[j < i]; kept != (j < i) || by[stage] != want {
				t.Errorf("from %s: the %s's product is by %q, kept %v", from, stage, by[stage], kept)
			}
			if runs := stageOf(r, stage).Runs; (runs > 0) == (j < i) {
				t.Errorf("from %s: the %s ran %d times", from, stage, runs)
			}
		}
		for j := range i {
			p := tea()
			missing := []*string{&p.Goal, &p.Variables, &p.SMT}[j]
			name := []string{FileGoal, FileVariables, FileSMT}[j]
			*missing = " "
			if _, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel, From: from}, &host{}); err == nil || !strings.HasPrefix(err.Error(), "missing "+name+" in tea.problem") {
				t.Errorf("from %s without %s: %v", from, name, err)
			}
		}
	}
	// A kept text is not reported as written.
	_, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, From: StageSolver}, &host{})
	if err != nil || slices.ContainsFunc(ofKind(events, "stage"), func(e seenEvent) bool { return e.Stage == StageGenerator && e.State == StateDone }) {
		t.Errorf("a kept text is done: %v", err)
	}
	p := tea()
	p.Variables = "{}"
	if _, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel, From: StageGenerator}, &host{}); err == nil || err.Error() != "tea.problem/variables.json: missing variables" {
		t.Error(err)
	}
	// A kept text with faults is written again, with the faults in the prompt.
	p = tea()
	p.SMT = strings.TrimSuffix(p.SMT, ")\n")
	r, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageGenerator: script(tea().SMT)}, From: StageSolver}, &host{})
	if err != nil || r.Objective != teaCost || stageOf(r, StageGenerator).Spent.Calls != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if prompt := ofKind(events, "prompt")[0]; prompt.Stage != StageGenerator || !strings.Contains(prompt.Prompt, "The solver could not read an earlier text:\n- line 12: ") || !strings.Contains(prompt.Prompt, "The text was:\n(declare-const") {
		t.Errorf("%+v", prompt)
	}
}

// Stages that are left out do not run, and the later ones are asked without their products.
func TestStagesCanBeLeftOut(t *testing.T) {
	for _, without := range [][]string{{StageDefiner}, {StageFormulator}, {StageDefiner, StageFormulator}} {
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Without: without}, &host{})
		if err != nil || r.Objective != teaCost || !r.Assessed {
			t.Fatalf("%v: %+v, %v", without, r, err)
		}
		for _, stage := range Stages[:3] {
			out := slices.Contains(without, stage)
			name, _ := (&run{p: tea(), notation: NotationSMT}).fileOf(stage)
			if (stageOf(r, stage).Runs == 0) != out || (productOf(r, name) == "") != out {
				t.Errorf("without %v: the %s ran %d times, %q", without, stage, stageOf(r, stage).Runs, productOf(r, name))
			}
			if out {
				for _, e := range ofKind(events, "prompt") {
					if has := strings.Contains(e.Prompt, leftOut()[stage]); has != (e.Stage == StageGenerator || e.Stage == StageAssessor || e.Stage == StageFormulator && stage == StageDefiner) {
						t.Errorf("without %v: the prompt of the %s", without, e.Stage)
					}
				}
			}
		}
		if want := map[bool]string{true: "what the task and the question demand", false: "the harvest"}[slices.Contains(without, StageDefiner)]; r.Verdicts[0].Constraint != want {
			t.Errorf("without %v: %+v", without, r.Verdicts)
		}
	}
}

// A person accepts products, or replaces them with valid ones.
func TestPersonApprovesProducts(t *testing.T) {
	other := strings.Replace(tea().SMT, "send.shop 4", "send.shop 3", 1)
	h := &host{person: []string{"OK.", "{}", tea().Variables, "(assert", other}}
	r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Approve: true}, h)
	if err != nil || r.Objective != "18" || len(h.person) > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	offers := ofKind(events, "offer")
	var got []string
	for i, e := range offers {
		got = append(got, fmt.Sprint(e.Name, " ", e.At, " ", len(e.Faults)))
		if strings.HasPrefix(h.asked[i], "Faults:\n- ") != (len(e.Faults) > 0) || !strings.Contains(h.asked[i], e.Text) {
			t.Errorf("the question about %s: %s", e.Name, h.asked[i])
		}
	}
	if want := "goal.md 0 0,variables.json 1 0,variables.json 2 1,model.smt2 3 0,model.smt2 4 1"; strings.Join(got, ",") != want {
		t.Errorf("offers %v", got)
	}
	for name, by := range map[string]string{FileGoal: "model", FileVariables: "person", FileSMT: "person"} {
		if e := productsIn(events, name); len(e) != 1 || e[0].By != by {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestBudgetAndTokensBoundTheModel(t *testing.T) {
	s := Settings{Model: simulatedModel}
	s.Budget.Calls = 3
	_, events, err := played(t, tea(), Setup{}, s, &host{})
	if err == nil || len(ofKind(events, "reply")) != 3 {
		t.Errorf("%d replies, %v", len(ofKind(events, "reply")), err)
	}
	s.Budget.Calls = 5
	if _, _, err := played(t, tea(), Setup{}, s, &host{}); err != nil {
		t.Error(err)
	}
	// An endpoint receives the prompt with the last answer and its faults, and the default limit of tokens or that of the
	// settings; a reply that the limit cut off is reported as such, if it has faults.
	for limit, want := range map[int]string{0: "4096", 77: "77"} {
		endpoint := llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "m", URL: "https://example.org/v1", Model: "m"}}
		s = Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageDefiner: endpoint}, MaxTokens: limit}
		h := &host{models: []string{"first", "second", tea().Goal}}
		_, events, err := played(t, tea(), Setup{}, s, h)
		if err != nil {
			t.Fatal(err)
		}
		for i, body := range h.bodies {
			if !strings.Contains(body, `tokens":`+want) || strings.Count(body, `"assistant"`) != min(i, 1) || strings.Count(body, `"user"`) != min(i, 1)+1 {
				t.Errorf("request %d: %s", i, body)
			}
		}
		for i, e := range ofKind(events, "reply")[:3] {
			if cut := len(e.Faults) > 0 && e.Faults[0] == "the answer was cut off after "+want+" tokens; be brief"; cut != (i < 2) {
				t.Errorf("reply %d: %q", i, e.Faults)
			}
		}
		// Each reply uses 50 tokens.
		s.Budget.Tokens = 100
		if _, _, err := played(t, tea(), Setup{}, s, &host{models: []string{"first", "second", tea().Goal}}); err == nil {
			t.Error("the budget of tokens is exceeded")
		}
	}
}

// The direction of constraints is checked only for questions "why" and "why not", once each.
func TestDirectionIsCheckedForQuestionsWhy(t *testing.T) {
	for query, want := range map[string]struct {
		purposes, act string
	}{
		"Why is tea picked by the lake?":     {"query base direction", "forbid"},
		"Why is tea not picked on the hill?": {"query base direction", "force"},
		"What if no tea grew by the lake?":   {"query base", ""},
		"No tea by the lake.":                {"query base", ""},
	} {
		p := tea()
		for _, satisfied := range []bool{false, true} {
			rounds := 0
			if satisfied { // by the plan without the question
				p.SMT = strings.Replace(p.SMT, "(= pick.lake 0)", "(= pick.hill 0)", 1)
			}
			r, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Query: query, Rounds: &rounds}, &host{})
			if err != nil {
				t.Fatal(err)
			}
			var purposes []string
			for _, e := range ofKind(events, "solve") {
				if len(e.Result) == 0 {
					purposes = append(purposes, e.Purpose)
				}
			}
			if got := strings.Join(purposes, " "); got != want.purposes {
				t.Errorf("%s: %s", query, got)
			}
			if found := len(r.Findings) > 0; found != (satisfied && want.act != "") || found && !strings.Contains(r.Findings[0].Message, " question must "+want.act+" ") {
				t.Errorf("%s: %+v", query, r.Findings)
			}
		}
	}
}

// A text that the solver rejects is written again, with the solver's faults.
func TestFaultsOfTheSolverAreReported(t *testing.T) {
	queries := 0
	h := &host{solve: func(text string) string {
		if queries++; queries == 1 {
			return `(error "line 4 column 10: odd")`
		}
		return newOracle(text).reply()
	}}
	r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel}, h)
	if err != nil || r.Objective != teaCost || stageOf(r, StageGenerator).Spent.Calls != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if again := ofKind(events, "prompt")[3]; again.Stage != StageGenerator || !strings.HasPrefix(again.Prompt, "The answer is not usable:\n- line ") {
		t.Errorf("%+v", again)
	}
	none, rounds := 0, 0
	r, _, err = played(t, tea(), Setup{}, Settings{Model: simulatedModel, Regenerations: &none, Rounds: &rounds}, &host{solve: func(string) string { return `(error "line 4 column 10: odd")` }})
	if err != nil || r.Status != StatusFailed || !strings.Contains(r.Message, "odd") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A simulated model makes at most one mistake in a round.
func TestOneMistakeInARound(t *testing.T) {
	r, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Mistakes: []string{MistakeSyntax, MistakeObjective}}, &host{})
	if err != nil || r.Rounds != 1 || stageOf(r, StageGenerator).Spent.Calls != 2 || r.Objective != teaCost {
		t.Errorf("%+v, %v", r, err)
	}
}

// Findings that the Generator or the Formatter fixed in their round are not open, unless the
// text failed.
func TestOpenFindings(t *testing.T) {
	for _, c := range []struct {
		f    Finding
		open bool
	}{
		{Finding{Mistake: MistakeSyntax, Line: 3}, false}, {Finding{Mistake: MistakeOverwritten, Line: 3}, false}, {Finding{Mistake: MistakeOverwritten}, true},
		{Finding{Mistake: MistakeNegative, Line: 3}, true}, {Finding{Mistake: MistakeForm, Stage: StageFormatter}, false},
	} {
		for _, status := range []string{StatusSolved, StatusFailed} {
			r := &run{found: []Finding{c.f}}
			r.solved.status = status
			if open := len(r.openFindings()) == 1; open != (c.open || status == StatusFailed) {
				t.Errorf("%s, %+v: %v", status, c.f, open)
			}
		}
	}
}

// The baselines call the model once, without the stages.
func TestBaselines(t *testing.T) {
	p := tea()
	p.Answer = `{"cost": 24, "picked": {"hill": 4}, "note": "dear"}`
	for _, method := range []string{MethodDirect, MethodCoT} {
		r, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Method: method}, &host{})
		if err != nil || r.Status != StatusUnchecked || string(r.Answer) != p.Answer || r.Spent.Calls != 1 || r.Method != method || len(r.Findings) > 0 || r.Assessed || r.Rounds != 1 {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
		if prompt := ofKind(events, "prompt")[0].Prompt; strings.Contains(prompt, "step by step") != (method == MethodCoT) || !strings.Contains(prompt, p.Output) {
			t.Errorf("%s: %s", method, prompt)
		}
	}
	for text, want := range map[string]struct{ status, answer, fault string }{
		`Thus {"cost": 3, "picked": {}, "note": ""}`: {StatusUnchecked, `{"cost": 3, "picked": {}, "note": ""}`, ""},
		`{"cost": 3}`: {StatusUnchecked, `{"cost": 3}`, `answer has no "picked"`},
		`none`:        {StatusFailed, "null", "the answer contains no JSON; answer with only the JSON object"},
	} {
		r, _, err := played(t, p, Setup{}, Settings{Model: script(text), Method: MethodCoT}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		fault := ""
		if len(r.Findings) > 0 {
			fault = r.Findings[0].Message
		}
		if r.Status != want.status || string(r.Answer) != want.answer || fault != want.fault {
			t.Errorf("%s: %s %s %q", text, r.Status, r.Answer, fault)
		}
	}
	r, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Method: MethodCode}, &host{})
	if err != nil || r.Objective != teaCost || string(r.Answer) != `{"cost": 24, "picked": {"hill": 4}, "note": null}` || r.Spent.Calls != 1 || r.Spent.Solves != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	r, _, err = played(t, tea(), Setup{}, Settings{Model: script("(assert"), Method: MethodCode}, &host{})
	if err != nil || r.Status != StatusFailed || !strings.HasPrefix(r.Message, "line 1: ") || string(r.Answer) != "null" {
		t.Errorf("%+v, %v", r, err)
	}
	infeasible := strings.Replace(tea().SMT, "(= pick.lake 0)", "(>= pick.hill 6)", 1)
	r, _, err = played(t, tea(), Setup{}, Settings{Model: script(infeasible), Method: MethodCode}, &host{})
	if err != nil || r.Status != StatusInfeasible || string(r.Answer) != "null" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A rambler with the error rate 1 errs in every round, one with the rate 0 never.
func TestRamblersErrAtTheirRate(t *testing.T) {
	for rate, right := range map[float64]bool{0: true, 1: false} {
		rounds := 3
		model := llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}
		models := map[string]llm.Spec{StageDefiner: model, StageGenerator: model}
		if right {
			models[StageFormatter], models[StageAssessor] = model, model
		}
		r, events, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Models: models, Rounds: &rounds}, &host{})
		if err != nil || (len(ofKind(events, "finding")) == 0) != right || right && r.Objective != teaCost {
			t.Errorf("rate %v: %+v, %v", rate, r, err)
		}
		if right && (stageOf(r, StageFormatter).Spent.Calls != 1 || !r.Assessed) {
			t.Errorf("rate %v: %+v", rate, r.Stages)
		}
		p := tea()
		p.Answer = `{"cost": 1890}`
		r, _, err = played(t, p, Setup{}, Settings{Model: model, Method: MethodDirect}, &host{})
		if want := map[bool]string{true: p.Answer, false: `{"cost": 2990}`}[right]; err != nil || string(r.Answer) != want {
			t.Errorf("rate %v: %s, %v", rate, r.Answer, err)
		}
	}
	p := tea()
	p.SMT = ""
	if _, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel}, &host{}); err == nil || !strings.Contains(err.Error(), "model.smt2 is missing") {
		t.Error(err)
	}
}

// A contradiction is explained by named assertions; unnamed ones get the names of their lines.
func TestContradictionsAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(tea().SMT, "(= pick.lake 0)", "(>= pick.hill 6)", 1):                                                                 "harvest query.lake",
		"(declare-const x Int)\n(assert (>= x 3))\n(assert (<= x 2))\n(assert (>= x 0))\n(minimize x)":                                       "line 2 line 3",
		"(declare-const x Int)\n(minimize x)\n(assert (>= x 3)) (assert (<= x 2))\n(assert (! (>= x 0) :named query.low))":                   "line 3 line 3 (2)",
		"(declare-const x Int)\n(declare-const y Int)\n(maximize x)(assert (<= x 2))\n(assert (= x y))\n(assert (>= y 3))\n(assert (< x 9))": "line 3 line 4 line 5",
	} {
		p := tea()
		p.SMT = text
		r, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, From: StageSolver}, &host{})
		if err != nil || r.Status != StatusInfeasible || r.Solution == nil {
			t.Errorf("%+v, %v", r, err)
			continue
		}
		var names []string
		for _, n := range r.Solution.Core {
			names = append(names, n.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q", text, got)
		}
		if state := ofKind(events, "stage"); !slices.ContainsFunc(state, func(e seenEvent) bool { return e.Stage == StageFormatter && e.Reason == "no solution to format" }) {
			t.Error("the formatter ran without a solution")
		}
		for _, e := range ofKind(events, "prompt") {
			if e.Stage == StageAssessor && !strings.Contains(e.Prompt, "The problem has no solution.\nThese constraints contradict each other: "+strings.Join(names, ", ")) {
				t.Errorf("prompt %s", e.Prompt)
			}
		}
	}
}

// walk is a problem with steps: a shortest plan has two.
const walk = `(define (domain walks) (:requirements :strips)
  (:predicates (home) (street) (shop))
  (:action leave :parameters () :precondition (home) :effect (and (street) (not (home))))
  (:action enter :parameters () :precondition (street) :effect (and (shop) (not (street))))
  (:action back :parameters () :precondition (street) :effect (and (home) (not (street)))))
(define (problem shopping) (:domain walks) (:init (home)) (:goal (shop)))
`

func walking() *Problem {
	return &Problem{
		Folder: "walk.problem", Task: "Go shopping.", Query: "Go to the shop.", Output: `{"plan": ["step"]}`, PDDL: walk,
		Variables: `{"objects": {}, "predicates": {}, "actions": {}, "update": {}, "goal": {}}`,
	}
}

func TestPlansWithStepsAreShortest(t *testing.T) {
	checked := 0
	setup := Setup{Check: func(spec *strips.Spec, plan strips.Plan, states []strips.State) []Check {
		checked++
		return []Check{{File: "a.cfg", Holds: len(plan) == 2 && len(states) == 3}}
	}}
	r, events, err := played(t, walking(), setup, Settings{Model: simulatedModel}, &host{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != StatusSolved || r.Objective != "2" || r.Notation != NotationPDDL || string(r.Answer) != `{"plan": ["(leave)","(enter)"]}` || !r.Assessed || r.Spent.Calls != 4 {
		t.Errorf("%+v", r)
	}
	s := r.Steps
	if s == nil || strings.Join(s.Plan, " ") != "(leave) (enter)" || len(s.States) != 3 || !s.Optimal || s.States[2].Facts[0] != "(shop)" || s.States[0].Gains == nil || s.States[0].Loses == nil {
		t.Errorf("%+v", s)
	}
	if checked != 1 || len(r.Checks) != 1 || !r.Checks[0].Holds {
		t.Errorf("checks %+v", r.Checks)
	}
	if stageOf(r, StageDefiner).Runs > 0 || stageOf(r, StageSolver).Spent.Solves != len(s.Tried) || stageOf(r, StageSolver).Spent.Solving != 7*len(s.Tried) {
		t.Errorf("%+v", r.Stages)
	}
	for _, e := range ofKind(events, "solve") {
		if e.Horizon < 1 || e.Horizon > 2 || e.Bytes == 0 {
			t.Errorf("%+v", e)
		}
	}
	if v := r.Verdicts; len(v) != 4 || v[0].Constraint != "every step can be done where it stands" {
		t.Errorf("%+v", v)
	}
}

func TestHorizonsThatExcludeShortestPlansAreFound(t *testing.T) {
	solver := rememberingOracle()
	for horizon, want := range map[string]struct {
		status, message string
		steps           int
		optimal         bool
	}{
		`{"from": 1}`:             {StatusSolved, "", 2, true},
		`{"from": 2, "most": 2}`:  {StatusSolved, "", 2, true},
		`{"from": 4}`:             {StatusSolved, "the horizon excludes plans of fewer than 4 steps, but a plan of 2 exists", 4, false},
		`{"from": 1, "most": 1}`:  {StatusInfeasible, "the horizon excludes plans of more than 1 step, but every plan has at least 2", 0, false},
		`{"from": 3, "most": 3}`:  {StatusInfeasible, "the horizon excludes plans of more than 3 steps, but a plan of 4 exists", 0, false},
		`{"from": 3}`:             {StatusSolved, "", 4, true},
		`{"from": 3, "most": 30}`: {StatusSolved, "", 4, true},
		`{"from": 3, "most": 50}`: {StatusSolved, "", 4, true},
	} {
		p := walking()
		p.Variables = strings.TrimSuffix(p.Variables, "}") + `, "horizon": ` + horizon + "}"
		rounds := 1
		r, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Rounds: &rounds, From: StageGenerator}, &host{solve: solver})
		if err != nil {
			t.Fatal(err)
		}
		message := ""
		if len(r.Findings) > 0 {
			message = r.Findings[0].Message
		}
		if r.Status != want.status || message != want.message || len(r.Steps.Plan) != want.steps || r.Steps.Optimal != want.optimal {
			t.Errorf("%s: %s %q %+v", horizon, r.Status, message, r.Steps)
		}
	}
	// The simulated mistake is such a horizon.
	r, _, err := played(t, walking(), Setup{}, Settings{Model: simulatedModel, Mistakes: []string{MistakeHorizon}}, &host{})
	if err != nil || r.Rounds != 2 || r.Objective != "2" || len(r.Fixed) != 1 || r.Fixed[0].Stage != StageFormulator || !r.Fixed[0].Certain {
		t.Errorf("%+v, %v", r, err)
	}
	// The settings bound the steps, too.
	for _, horizon := range []string{"", `, "horizon": {"most": 1}`} {
		p := walking()
		p.Variables = strings.TrimSuffix(p.Variables, "}") + horizon + "}"
		r, _, err = played(t, p, Setup{}, Settings{Model: simulatedModel, Horizon: 1}, &host{})
		if err != nil || r.Status != StatusInfeasible || r.Message != "no plan of at most 1 step" || len(r.Findings) > 0 || r.Rounds != 1 || r.Families == nil {
			t.Errorf("%q: %+v, %v", horizon, r, err)
		}
	}
}

func TestFaultyDomainsAreReported(t *testing.T) {
	domain, problem, _ := strings.Cut(walk, "(define (problem")
	for text, want := range map[string]string{
		"":                              "missing text for the solver",
		domain:                          "missing problem: (define (problem …) …)",
		"(define (problem" + problem:    "missing domain: (define (domain …) …)",
		strings.TrimSuffix(walk, ")\n"): "line ",
		strings.Replace(walk, "(:goal (shop))", "(:goal (market))", 1): "line 6: ",
	} {
		p := walking()
		p.PDDL = text
		none := 0
		r, _, err := played(t, p, Setup{}, Settings{Model: script("```\n" + text + "```"), Method: MethodCode, Notation: NotationPDDL, Regenerations: &none}, &host{})
		if err != nil || r.Status != StatusFailed || !strings.HasPrefix(r.Message, want) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
	unreachable := strings.Replace(walk, "(:init (home))", "(:init)", 1)
	p := walking()
	p.PDDL = unreachable
	r, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel}, &host{})
	if err != nil || r.Status != StatusInfeasible || r.Message != "the goal is unreachable" || r.Spent.Solves != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A shortest plan may be longer than the lower bound of its encoding: only the solver can exclude
// shorter ones.
func TestHorizonsAboveTheLowerBound(t *testing.T) {
	const lights = `(define (domain lights) (:requirements :strips) (:predicates (p) (q) (home))
  (:action a :parameters () :precondition (home) :effect (and (p) (not (home))))
  (:action b :parameters () :precondition (home) :effect (and (q) (not (home))))
  (:action back :parameters () :effect (home)))
(define (problem x) (:domain lights) (:init (home)) (:goal (and (p) (q))))
`
	for horizon, want := range map[string]struct{ status, message string }{
		`{"from": 3}`: {StatusSolved, ""},
		`{"most": 1}`: {StatusInfeasible, "the horizon excludes plans of more than 1 step, but every plan has at least 2"},
		`{"most": 2}`: {StatusInfeasible, "the horizon excludes plans of more than 2 steps, but a plan of 3 exists"},
	} {
		p := walking()
		p.PDDL = lights
		p.Variables = strings.TrimSuffix(p.Variables, "}") + `, "horizon": ` + horizon + "}"
		rounds := 1
		r, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Rounds: &rounds}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		message := ""
		if len(r.Findings) > 0 {
			message = r.Findings[0].Message
		}
		if r.Steps.Least != 2 || r.Status != want.status || message != want.message || r.Status == StatusSolved && !r.Steps.Optimal {
			t.Errorf("%s: %s %q %+v", horizon, r.Status, message, r.Steps)
		}
	}
}

// A finding is reported once in a round.
func TestFindingsAreReportedOnce(t *testing.T) {
	r := &run{}
	found := []Finding{{Mistake: MistakeQuery, Message: "a"}, {Mistake: MistakeQuery, Message: "b"}, {Mistake: MistakeNegative, Message: "a"}}
	out, err := effectsOf(func(env *process.Env) error {
		r.env = env
		for _, f := range []Finding{found[0], found[0], found[1], found[2], found[1], found[0]} {
			r.find(f)
		}
		return nil
	})
	if err != nil || !slices.Equal(r.found, found) || len(out.Events) != len(found) {
		t.Errorf("%+v, %d events, %v", r.found, len(out.Events), err)
	}
}

// A question is compared with the plan without its constraints if the solver decided it: also if
// its constraints contradict the others.
func TestContradictingQuestionsAreCompared(t *testing.T) {
	for text, base := range map[string]string{
		strings.Replace(tea().SMT, "(= pick.lake 0)", "(>= pick.hill 6)", 1): StatusSolved,
		// Assertions without names contradict each other, so the core is asked for again.
		tea().SMT + "(assert (> waste 2))(assert (< waste 2))": StatusInfeasible,
	} {
		p := tea()
		p.SMT = text
		r, _, err := played(t, p, Setup{}, Settings{Model: simulatedModel, From: StageSolver}, &host{})
		if err != nil || r.Status != StatusInfeasible || r.Base == nil || r.Base.Status != base {
			t.Errorf("%+v, %v", r, err)
		}
	}
	r, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel}, &host{solve: func(string) string { return "unknown" }})
	if err != nil || r.Status != StatusUnknown || r.Base != nil || r.Spent.Solves != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The places of a solution are those of the names in the model's text, not in the definitions that
// precede it.
func TestSolutionsHavePlacesInTheText(t *testing.T) {
	r, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel}, &host{})
	if err != nil || len(r.Solution.Model) != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	file := sourceOf(tea().SMT)
	for _, v := range r.Solution.Model {
		if got := file.Slice(v.Span); got != v.Name {
			t.Errorf("the place of %s is %q", v.Name, got)
		}
	}
}

// A direction can be wrong only in a question that has one.
func TestDirectionIsMistakenInQuestionsWhy(t *testing.T) {
	for query, want := range map[string]bool{
		"Why is tea picked by the lake?": true, "Why is tea not picked on the hill?": true, "What if no tea grew by the lake?": false, "No tea by the lake.": false,
	} {
		rounds := 0
		r, _, err := played(t, tea(), Setup{}, Settings{Model: simulatedModel, Query: query, Mistakes: []string{MistakeDirection}, Rounds: &rounds}, &host{})
		if err != nil || (productOf(r, FileSMT) != tea().SMT) != want {
			t.Errorf("%s: %+v, %v", query, r, err)
		}
	}
}

// An answer that lacks a part of the required form is asked for again.
func TestAnswersHaveTheRequiredForm(t *testing.T) {
	s := Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageFormatter: script(`{"answer": {"cost": 24, "note": "dear"}}`, teaAnswer)}}
	r, events, err := played(t, tea(), Setup{}, s, &host{})
	if err != nil || string(r.Answer) != `{"cost": 24, "picked": {"hill": 4}, "note": "dear"}` {
		t.Errorf("%+v, %v", r, err)
	}
	var faults []string
	for _, e := range ofKind(events, "reply") {
		if e.Stage == StageFormatter {
			faults = append(faults, strings.Join(e.Faults, "; "))
		}
	}
	if got := strings.Join(faults, "|"); got != `answer has no "picked"|` {
		t.Errorf("faults %q", got)
	}
}

// An answer may be better than a solution that is not proved optimal. That is reported, and not
// asked for again; a rounded figure is not reported.
func TestAnswersBetterThanUnprovenSolutionsAreReported(t *testing.T) {
	for said, want := range map[string]string{
		"6.9284": "", "6.928": "", "6.5": "the answer states 6.5, better than the solver's best 6.9284; neither is proved optimal",
	} {
		p := tea()
		p.SMT, p.API, p.Output, p.Goal = "", "", `{"cost": "{objective}"}`, "## Goal\nthe least cost\n## Constraints\n- the demand\n"
		p.LP = "Minimize\n cost: 1.7321 hill\nSubject To\n demand: hill >= 4\nGeneral\n hill\nEnd\n"
		h := &host{solve: func(string) string {
			return `{"status": "timeLimit", "objective": 6.9284, "bound": 6, "names": ["hill"], "values": [4]}`
		}}
		rounds := 0
		r, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageFormatter: script(`{"answer": {"cost": ` + said + `}, "constraints": [{"constraint": "the demand", "holds": true}]}`)}, Rounds: &rounds}, h)
		if err != nil || r.Status != StatusFeasible || string(r.Answer) != `{"cost": `+said+`}` || stageOf(r, StageFormatter).Spent.Calls != 1 {
			t.Errorf("%s: %+v, %v", said, r, err)
			continue
		}
		message := ""
		for _, e := range ofKind(events, "finding") {
			if f := e.Finding; f.Mistake == MistakeFigures && !f.Certain {
				message += f.Message
			}
		}
		if message != want {
			t.Errorf("%s: %q", said, message)
		}
	}
}
