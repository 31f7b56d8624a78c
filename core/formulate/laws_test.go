package formulate

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// The same small problem in each notation.
const (
	teaSMT = `(declare-const pick.hill Int)
(declare-const pick.lake Int)
(declare-const send.shop Int)
(assert (! (and (>= pick.hill 0) (>= pick.lake 0) (>= send.shop 0)) :named low))
(assert (! (<= pick.hill 50) :named harvest))
(assert (! (>= send.shop 45) :named demand))
(assert (! (= (+ pick.hill pick.lake) send.shop) :named mill))
(assert (! (= pick.lake 0) :named query.lake))
(minimize (+ (* 4 pick.hill) (* 3 pick.lake) (fee send.shop)))
`
	teaLP = `Minimize
 cost: 4 pick_hill + 3 pick_lake + 7 send_shop
Subject To
 harvest: pick_hill <= 50
 demand: send_shop >= 45
 mill: pick_hill + pick_lake - send_shop = 0
 query_lake: pick_lake = 0
General
 pick_hill pick_lake send_shop
End
`
	teaAPI = "(define-fun fee ((parcels Int)) Int (* 2 parcels))\n"
	lamps  = "(define (domain d) (:predicates (p) (q)) (:action go :parameters () :precondition (p) :effect (q)))\n(define (problem x) (:domain d) (:init (p)) (:goal (q)))"
)

// faultsOf returns the errors of a text for the solver, after the given definitions.
func faultsOf(notation, text string) []source.Diagnostic {
	var found []source.Diagnostic
	switch notation {
	case NotationSMT:
		_, found = solve.NewWithPrelude(sourceOf(teaAPI), sourceOf(text)).Check()
	case NotationLP:
		_, found = solve.Check(solve.HiGHS, sourceOf(text))
	case NotationPDDL:
		_, found = strips.Parse(sourceOf(text))
	}
	return slices.DeleteFunc(found, func(d source.Diagnostic) bool { return d.Severity != source.SeverityError })
}

// A simulated mistake changes the text. Only a syntax error and a redefinition make the text
// unreadable for the solver, so every other mistake must be found in the solution.
func TestMistakesChangeTheTextAndKeepItReadable(t *testing.T) {
	made := map[string]int{}
	for notation, text := range map[string]string{NotationSMT: teaSMT, NotationLP: teaLP, NotationPDDL: lamps} {
		if found := faultsOf(notation, text); len(found) > 0 {
			t.Fatalf("%s: %v", notation, found)
		}
		for _, m := range Mistakes() {
			wrong, ok := applyMistake(m.Name, StageGenerator, notation, text, teaAPI)
			if !ok {
				continue
			}
			made[m.Name]++
			if wrong == text {
				t.Errorf("%s, %s: the text is unchanged", notation, m.Name)
			}
			unreadable := m.Name == MistakeSyntax || m.Name == MistakeOverwritten && notation == NotationSMT
			if found := faultsOf(notation, wrong); (len(found) > 0) != unreadable {
				t.Errorf("%s, %s: %v in\n%s", notation, m.Name, found, wrong)
			}
		}
	}
	for _, name := range []string{MistakeSyntax, MistakeNegative, MistakeOverwritten, MistakeDirection, MistakeQuery, MistakeObjective} {
		if made[name] == 0 {
			t.Errorf("%s was never made", name)
		}
	}
}

// Overwriting without given functions leaves no number but 0 and 1.
func TestOverwritingReplacesEveryNumber(t *testing.T) {
	for notation, text := range map[string]string{NotationSMT: strings.Replace(teaSMT, "(fee send.shop)", "(* 2 send.shop)", 1), NotationLP: teaLP} {
		solver := map[string]solve.Solver{NotationSMT: solve.Z3, NotationLP: solve.HiGHS}[notation]
		wrong, ok := overwriting(text, notation, "", solve.Outlined(solver, sourceOf(text)))
		if !ok {
			t.Fatalf("%s: nothing was replaced", notation)
		}
		for _, n := range solve.Outlined(solver, sourceOf(wrong)).Numbers {
			if n != "0" && n != "1" {
				t.Errorf("%s: %s is left in\n%s", notation, n, wrong)
			}
		}
		if _, again := overwriting(wrong, notation, "", solve.Outlined(solver, sourceOf(wrong))); again {
			t.Errorf("%s: a second replacement changes the text", notation)
		}
	}
}

// teaPlan is a solution with families of values.
func teaPlan() outcome {
	o := outcomeOf(solve.Result{
		Proven: true, Status: solve.StatusSat, Objectives: []solve.Objective{{Value: "545/2"}},
		Model: []solve.Value{
			{Name: "pick.hill", Sort: "Int", Value: "45"}, {Name: "pick.lake", Sort: "Int", Value: "0"},
			{Name: "send.north.monday", Sort: "Int", Value: "20"}, {Name: "send.north.friday", Sort: "Int", Value: "0"},
			{Name: "send.south.monday", Sort: "Int", Value: "0"}, {Name: "send.south.friday", Sort: "Int", Value: "25"},
			{Name: "work.Amy.monday", Sort: "Bool", Value: "true"}, {Name: "work.Amy.friday", Sort: "Bool", Value: "false"},
			{Name: "work.Ben.monday", Sort: "Bool", Value: "true"}, {Name: "work.Ben.friday", Sort: "Bool", Value: "true"},
		},
	})
	return o
}

// An answer that is filled from the solution has no wrong figure, and every changed number in
// it is one.
func TestFilledAnswersHaveNoWrongFigures(t *testing.T) {
	o := teaPlan()
	for _, form := range []string{
		`{"cost": "{objective}"}`, `{"picked": "{pick}"}`, `{"sent": "{send}"}`, `{"hill": "{pick.hill}"}`, `{"pick": {"hill": "how many"}}`,
		`{"work": {"Amy": ["day"], "Ben": ["day"]}}`, `{"work": "{work->}"}`, `{"cost": "{objective}", "send": {"north": {"monday": 0}, "south": {"friday": 0}}}`,
	} {
		f, fault := json.Tree(form)
		if fault != nil {
			t.Fatal(fault)
		}
		text, whole := o.filled(f)
		answer, fault := json.Tree(text)
		if fault != nil || !whole {
			t.Errorf("%s is filled with %s, whole %v", form, text, whole)
			continue
		}
		if faults := o.wrongFigures(f, answer); len(faults) > 0 {
			t.Errorf("%s: %v", text, faults)
		}
		for _, digit := range []string{"45", "20", "25", "272.5"} {
			if !strings.Contains(text, digit) {
				continue
			}
			changed, _ := json.Tree(strings.Replace(text, digit, "7", 1))
			if faults := o.wrongFigures(f, changed); len(faults) == 0 {
				t.Errorf("%s: 7 instead of %s is not found", text, digit)
			}
		}
	}
}

// The comparison of JSON values is reflexive and symmetric, and ignores empty members and the
// notation of numbers.
func TestSameJSON(t *testing.T) {
	values := []string{`{}`, `{"a": 0, "b": {}}`, `{"a": 1}`, `{"a": 1.0}`, `[1, 2]`, `[2, 1]`, `"x"`, `"1"`, `1`, `null`, `false`, `{"a": [1]}`, `{"a": {"b": 2}}`}
	equal := map[[2]int]bool{{0, 1}: true, {2, 3}: true}
	for i, a := range values {
		x, _ := json.Tree(a)
		for j, b := range values {
			y, _ := json.Tree(b)
			if got := sameJSON(x, y); got != sameJSON(y, x) {
				t.Errorf("%s and %s: not symmetric", a, b)
			} else if i == j && !got {
				t.Errorf("%s differs from itself", a)
			} else if equal[[2]int{min(i, j), max(i, j)}] && !got {
				t.Errorf("%s and %s differ", a, b)
			}
		}
	}
	for _, c := range [][2]string{{`{"a": 1}`, `{"a": 2}`}, {`[1, 2]`, `[2, 1]`}, {`{"a": 1}`, `{}`}, {`"x"`, `"y"`}} {
		x, _ := json.Tree(c[0])
		y, _ := json.Tree(c[1])
		if sameJSON(x, y) {
			t.Errorf("%s equals %s", c[0], c[1])
		}
	}
}

// A text with variables fixed to a solution stays readable and keeps its constraints.
func TestFixedTextsStayReadable(t *testing.T) {
	for notation, text := range map[string]string{NotationSMT: teaSMT, NotationLP: teaLP} {
		separator := map[string]string{NotationSMT: ".", NotationLP: "_"}[notation]
		r := &run{notation: notation, p: &Problem{API: teaAPI}}
		fixed := r.fixed(text, []solve.Value{{Name: "pick" + separator + "hill", Sort: "Int", Value: "45"}, {Name: "pick" + separator + "lake", Sort: "Int", Value: "0"}})
		if found := faultsOf(notation, fixed); len(found) > 0 {
			t.Errorf("%s: %v in\n%s", notation, found, fixed)
		}
		solver := r.solver()
		before, after := solve.Outlined(solver, sourceOf(text)), solve.Outlined(solver, sourceOf(fixed))
		for _, p := range before.Parts {
			if p.Name != "" && !slices.ContainsFunc(after.Parts, func(q solve.Part) bool { return q.Name == p.Name }) {
				t.Errorf("%s: %s is lost", notation, p.Name)
			}
		}
	}
}

func TestHorizonOf(t *testing.T) {
	for text, want := range map[string]horizon{
		`{}`: {}, `{"horizon": {"from": 2}}`: {From: 2}, `{"horizon": {"from": 1, "most": 1}}`: {From: 1, Most: 1}, `{"horizon": {"most": 9}}`: {Most: 9},
	} {
		n, _ := json.Tree(text)
		if got, faults := horizonOf(n); got != want || len(faults) > 0 {
			t.Errorf("%s: %+v, %v", text, got, faults)
		}
	}
	for _, text := range []string{`{"horizon": 3}`, `{"horizon": {"from": -1}}`, `{"horizon": {"from": 5, "most": 2}}`} {
		n, _ := json.Tree(text)
		if _, faults := horizonOf(n); len(faults) == 0 {
			t.Errorf("%s is accepted", text)
		}
	}
}
