package solve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestOutlineListsTheVariablesOfParts(t *testing.T) {
	const smt = `(declare-const ship.a Int)
(declare-const ship.b Int)
(declare-const made Real)
(declare-const open Bool)
(define-fun both () Int (+ ship.a ship.b))
(assert (! (>= ship.a 0) :named low))
(assert (and (>= ship.b 0) (<= 0 made 5.5)))
(assert (! (<= both (* 3 (cost 1 2))) :named query.most))
(assert (=> open (= ship.a 1)))
(minimize (+ both made))`
	const lp = `Minimize
 cost: 3 x + 2 y - z
Subject To
 most: x + y <= 4
 query_1: z = 0
 x - z >= - 2
Bounds
 y free
 -3 <= z <= 4
 x <= 4
End`
	for _, c := range []struct {
		solver Solver
		text   string
		want   string
	}{
		{Z3, smt, "low[0]bounds  [1 2] query.most[0 1] [3 0] [0 1 2]objective | true true true true | 0 5.5 3 1 2 | cost"},
		{HiGHS, lp, "cost[0 1 2]objective most[0 1] query_1[2] [0 2] | true false false | 3 2 4 0 | "},
	} {
		o := Outlined(c.solver, source.NewFile("x", c.text))
		var parts []string
		for _, p := range o.Parts {
			text := p.Name + fmt.Sprint(p.Variables)
			if p.Bounds {
				text += "bounds "
			}
			if p.Objective() {
				text += "objective"
			}
			parts = append(parts, text)
		}
		var uses []string
		for _, u := range o.Uses {
			if strings.Trim(u, "+*<=>-") != "" && u != "and" {
				uses = append(uses, u)
			}
		}
		got := strings.Join(parts, " ") + " | " + strings.Trim(fmt.Sprint(o.Low), "[]") + " | " + strings.Join(o.Numbers, " ") + " | " + strings.Join(uses, " ")
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.solver, got, c.want)
		}
		file := source.NewFile("x", c.text)
		var query []Part
		for _, p := range o.Parts {
			if strings.HasPrefix(p.Name, "query") {
				query = append(query, p)
			}
		}
		base := Without(c.text, query)
		if strings.Contains(base, "query") || strings.Count(base, "\n") != strings.Count(c.text, "\n") || len(base) != len(file.Text) {
			t.Errorf("without the query %s is\n%s", c.solver, base)
		}
		if _, found := Check(c.solver, source.NewFile("x", base)); c.solver == HiGHS && source.HasErrors(found) {
			t.Errorf("without the query there is a fault: %s", found[0].Message)
		}
	}
}
