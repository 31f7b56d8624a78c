package travel

import "github.com/stile-playground/stile/core/bench"

// Scores are the benchmark's measures of plans, one for each query.
type Scores struct {
	Delivery         bench.Rate    `json:"delivery"`         // delivered plans out of queries
	CommonsenseMicro bench.Rate    `json:"commonsenseMicro"` // passed constraints out of eight per query
	CommonsenseMacro bench.Rate    `json:"commonsenseMacro"` // plans that pass all eight
	HardMicro        bench.Rate    `json:"hardMicro"`        // passed constraints out of those of the queries
	HardMacro        bench.Rate    `json:"hardMacro"`        // plans that pass all of their query's
	Final            bench.Rate    `json:"final"`            // plans that pass all constraints
	Constraints      []ScoreOfRule `json:"constraints"`      // by constraint: plans that pass out of queries that have it
}

// ScoreOfRule is the pass rate of a constraint.
type ScoreOfRule struct {
	Constraint string     `json:"constraint"`
	Rate       bench.Rate `json:"rate"`
}

// ScoreAll returns the scores of reports, one per query, including undelivered plans.
// Constraints that were not evaluated because of the gate (see [Report]) count as failed:
// the benchmark divides by all constraints of its queries (105 hard ones in the training
// set, 420 in the validation set, 2,290 in the test set).
func ScoreAll(reports []Report) Scores {
	n := len(reports)
	var delivered, macro, hardMacro, final int
	var micro, hardMicro [2]int
	passed, asked := map[string]int{}, map[string]int{}
	for _, r := range reports {
		for _, c := range r.Commonsense {
			asked[c.Constraint]++
			micro[1]++
			if c.Verdict == Pass {
				passed[c.Constraint]++
				micro[0]++
			}
		}
		for _, c := range r.Hard {
			if !c.Asked {
				continue
			}
			asked[c.Constraint]++
			hardMicro[1]++
			if c.Verdict == Pass {
				passed[c.Constraint]++
				hardMicro[0]++
			}
		}
		delivered += one(r.Delivered)
		macro += one(r.CommonsensePass)
		hardMacro += one(r.HardPass)
		final += one(r.Final)
	}
	s := Scores{
		Delivery: bench.RateOf(delivered, n), CommonsenseMicro: bench.RateOf(micro[0], micro[1]), CommonsenseMacro: bench.RateOf(macro, n),
		HardMicro: bench.RateOf(hardMicro[0], hardMicro[1]), HardMacro: bench.RateOf(hardMacro, n), Final: bench.RateOf(final, n), Constraints: []ScoreOfRule{},
	}
	for _, name := range append(Commonsense(), Hard()...) {
		if asked[name] > 0 {
			s.Constraints = append(s.Constraints, ScoreOfRule{name, bench.RateOf(passed[name], asked[name])})
		}
	}
	return s
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
