package formulate

import (
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

func FuzzProducts(f *testing.F) {
	for _, seed := range []string{
		"## Goal\nleast\n## Constraints\n- all", "[[GOAL: x]]", "```\n(declare-const x Int)(assert (! (>= x 0) :named query.a))(minimize (* 3 x))\n```",
		`{"variable_1": {"name": "x"}, "horizon": {"from": 1}}`, `{"answer": {"cost": "{objective}"}, "constraints": [{}]}`, `{"steps": [{"step": 1, "right": true}]}`,
		"Minimize\n cost: 2 x + y\nSubject To\n query_1: x = 0\nBounds\n y free\nGeneral\n x\nEnd", "(define-fun d ((a Int)) Real 2.0)",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		readGoal(text)
		readVariables(text, false)
		readVariables(text, true)
		readFormatted(text, text)
		readRatings(text, Stages[:3])
		lastObject(text)
		askOf(text)
		o := outcomeOf(solve.Result{Model: []solve.Value{{Name: text, Sort: "Int", Value: "1"}, {Name: "ship.a", Value: text}}})
		if n, fault := json.Tree(text); fault == nil {
			filled, _ := o.filled(n)
			value, fault := json.Tree(filled)
			if fault != nil {
				t.Fatalf("a form is filled with %q", filled)
			}
			o.wrongFigures(n, value)
		}
		for _, solver := range []solve.Solver{solve.Z3, solve.HiGHS} {
			outline := solve.Outlined(solver, source.NewFile("x", text))
			if bare := solve.Without(text, outline.Parts); len(bare) != len(text) {
				t.Fatal("a text without its parts is of another length")
			}
		}
		for _, m := range Mistakes() {
			for _, notation := range []string{NotationSMT, NotationLP, NotationPDDL} {
				for _, stage := range Stages[:3] {
					applyMistake(m.Name, stage, notation, text, text)
				}
			}
		}
	})
}
