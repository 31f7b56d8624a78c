package formulate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// teaGoal is a Definer's product about the question in German, with names of the constraints.
const teaGoal = "## Goal\nthe least cost\n## Constraints\n- harvest: the hill yields at most five\n- demand: the shop gets four\n- mill: what is picked\n  is sent or wasted\n- lake: no tea by the lake\n## Kind of the question\n%s\n## Kind of the plan\nchoice\n"

// The Definer decides the kind of a question in any language; a person's setting precedes it, and
// phrases are only the default.
func TestKindOfTheQuestion(t *testing.T) {
	rounds := 0
	for _, c := range []struct{ query, said, set, ask, by string }{
		{"Warum wird Tee am See gepflückt?", "why", "", AskWhy, AskByDefiner},
		{"Warum wird Tee am See gepflückt?", "Why not.", "", AskWhyNot, AskByDefiner},
		{"Warum wird Tee am See gepflückt?", "**what-if**", AskWhy, AskWhy, AskByPerson},
		{"Why would it cost more if the shop doubled its demand?", "what if", "", AskWhatIf, AskByDefiner},
		{"Why is tea picked by the lake?", "", "", AskWhy, AskByPhrases},
		{"Warum wird Tee am See gepflückt?", "no idea", "", AskPlan, AskByPhrases},
	} {
		s := Settings{Query: c.query, Ask: c.set, Rounds: &rounds, Model: simulatedModel, Models: map[string]llm.Spec{StageDefiner: script(fmt.Sprintf(teaGoal, c.said))}}
		r, events, err := played(t, tea(), Setup{}, s, &host{})
		if err != nil || r.Ask != c.ask || r.AskBy != c.by {
			t.Errorf("%s, %q: %s by %s, %v", c.query, c.said, r.Ask, r.AskBy, err)
			continue
		}
		for _, e := range ofKind(events, "prompt") {
			if rule := strings.Contains(e.Prompt, rules); rule != (e.Stage == StageFormulator || e.Stage == StageGenerator) {
				t.Errorf("%s: the rule about questions in the prompt of the %s: %v", c.query, e.Stage, rule)
			}
			if e.Stage == StageGenerator && !strings.Contains(e.Prompt, "as harvest.1 for harvest") {
				t.Errorf("no names of constraints: %s", e.Prompt)
			}
		}
	}
	if err := (Settings{Model: simulatedModel, Ask: "whether"}).Check(); source.ErrorCode(err) != "formulate.settings" {
		t.Error(err)
	}
}

// A missing constraint of the question is certain only if a person or the Definer decided its kind.
func TestPhrasesDecideNothingForCertain(t *testing.T) {
	rounds := 0
	for said, certain := range map[string]bool{"why": true, "": false} {
		s := Settings{Query: "Why is tea picked by the lake?", Rounds: &rounds, Model: simulatedModel, Mistakes: []string{MistakeQuery}, Models: map[string]llm.Spec{StageDefiner: script(fmt.Sprintf(teaGoal, said))}}
		r, _, err := played(t, tea(), Setup{}, s, &host{})
		found := false
		for _, f := range r.Findings {
			if f.Mistake == MistakeQuery {
				found = true
				if f.Certain != certain {
					t.Errorf("%q: %+v", said, f)
				}
			}
		}
		if err != nil || !found {
			t.Errorf("%q: %+v, %v", said, r.Findings, err)
		}
	}
}

// An ambiguous question is asked back, and the Definer runs again with the answer; without a
// person it is noted.
func TestAmbiguousQuestionsAreAskedBack(t *testing.T) {
	rounds := 0
	goal := fmt.Sprintf(teaGoal, "why\nUnclear: Is the lake in the east meant?")
	for _, c := range []struct {
		back         bool
		answer       string
		calls, noted int
	}{{false, "", 1, 1}, {true, "", 1, 1}, {true, "the one in the west", 2, 1}} {
		s := Settings{AskBack: c.back, Rounds: &rounds, Model: simulatedModel, Models: map[string]llm.Spec{StageDefiner: script(goal, goal)}}
		r, events, err := played(t, tea(), Setup{}, s, &host{person: []string{c.answer}})
		noted := 0
		for _, f := range r.Findings {
			if f.Mistake == MistakeAmbiguous && !f.Certain && f.Message == "ambiguous question: Is the lake in the east meant?" {
				noted++
			}
		}
		if err != nil || stageOf(r, StageDefiner).Spent.Calls != c.calls || noted != c.noted {
			t.Errorf("%+v: %+v, %v", c, r.Findings, err)
		}
		again := 0
		for _, e := range ofKind(events, "prompt") {
			if strings.Contains(e.Prompt, "It was asked back: Is the lake in the east meant?\nThe answer: "+c.answer) {
				again++
			}
		}
		if (again > 0) != (c.calls == 2) {
			t.Errorf("%+v: the answer is in %d prompts", c, again)
		}
	}
}

// A problem without a formulation continues with steps if the Definer says that its plan has them.
func TestProblemsWithStepsAreRecognised(t *testing.T) {
	goal := strings.Replace(fmt.Sprintf(teaGoal, "plan"), "choice", "steps", 1)
	rounds, more := 0, 0
	for _, chosen := range []string{"", NotationSMT} {
		p := tea()
		p.SMT, p.API = "", ""
		s := Settings{Notation: chosen, Rounds: &rounds, Regenerations: &more, Model: script(goal, `{"objects": {}, "predicates": {}, "actions": {}, "update": {}, "goal": {}}`, "nothing")}
		if chosen != "" {
			s.Model = script(goal, tea().Variables, "nothing (")
		}
		r, _, err := played(t, p, Setup{}, s, &host{})
		want := NotationPDDL
		if chosen != "" {
			want = chosen
		}
		if err != nil || r.Notation != want || len(r.Findings) == 0 || r.Findings[0].Mistake != MistakeSteps {
			t.Errorf("%q: %+v, %v", chosen, r, err)
		}
	}
}

// Every constraint of the Definer is demanded once, does not hold without a verdict, and is checked
// by the names of the parts of the solved text.
func TestConstraintsAreDemandedAndCheckedByName(t *testing.T) {
	rounds := 0
	const said = `{"answer": {"cost": 24, "picked": {"hill": 4}, "note": "dear"}, "constraints": [{"constraint": "x", "holds": true}, {"constraint": "the shop gets four", "holds": true}, {"constraint": "harvest", "holds": false, "reason": "no"}, {"constraint": "mill: sent or wasted", "holds": true}]}`
	s := Settings{Rounds: &rounds, Model: simulatedModel, Models: map[string]llm.Spec{StageDefiner: script(fmt.Sprintf(teaGoal, "why")), StageFormatter: script(said, said)}}
	r, events, err := played(t, tea(), Setup{}, s, &host{})
	if err != nil || stageOf(r, StageFormatter).Spent.Calls != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, e := range ofKind(events, "reply") {
		if e.Stage == StageFormatter && e.Attempt == 1 && strings.Join(e.Faults, "") != `the constraint "lake: no tea by the lake" is not judged` {
			t.Errorf("%q", e.Faults)
		}
	}
	want := []Verdict{
		{"x", true, "", "model"},
		{"the shop gets four", true, "the solver's plan satisfies demand", "check"},
		{"harvest", false, "no", "model"},
		{"mill: sent or wasted", true, "the solver's plan satisfies mill", "check"},
		{"lake: no tea by the lake", false, "the formatter does not judge it", "check"},
	}
	if fmt.Sprint(r.Verdicts) != fmt.Sprint(want) {
		t.Errorf("%+v", r.Verdicts)
	}
	missing := false
	for _, f := range r.Findings {
		missing = missing || f.Mistake == MistakeConstraint && strings.HasPrefix(f.Message, `no constraint is named "lake"`) && !f.Certain
	}
	if !missing {
		t.Errorf("%+v", r.Findings)
	}
}

func TestPartsOfConstraints(t *testing.T) {
	o := &solve.Outline{Parts: []solve.Part{{Name: "supply.a"}, {Name: "supply.b"}, {Name: "supplying"}, {Name: "no_more_1"}}}
	for name, want := range map[string]string{"supply": "supply.a supply.b", "no-more": "no_more_1", "sup": ""} {
		if got := strings.Join(partsOf(o, name), " "); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A run that was recorded before the current rules replays with its prompts.
func TestEarlierRunsKeepTheirPrompts(t *testing.T) {
	rounds := 0
	s := Settings{Rounds: &rounds, Model: script(tea().Goal, tea().Variables, tea().SMT, teaAnswer)}
	h := &host{}
	prompts := func(log []process.Answer) []string {
		h.log = log
		_, events, err := played(t, tea(), Setup{}, s, h)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range ofKind(events, "prompt") {
			out = append(out, e.Prompt)
		}
		return out
	}
	prompts(nil)
	log := h.log
	now := prompts(log)
	before := prompts(log[1:]) // without the mark of the current rules
	if !strings.Contains(now[0], sectionAsk) || strings.Contains(before[0], sectionAsk) || strings.Contains(before[1], rules) || !strings.Contains(now[1], rules) {
		t.Errorf("now %s\nbefore %s", now[0], before[0])
	}
}
