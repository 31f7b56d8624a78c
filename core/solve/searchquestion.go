package solve

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// closeEnough is the relative distance of value and bound at which bisection stops.
const closeEnough = "1e-9"

// farAway lists the distances from the value, as multiples of it, at which the search
// asks for a bound if the solver did not answer questions nearer to the value.
// Propagation alone can refute a condition far from the value, so such a question needs
// little work.
func farAway() []*big.Rat { return []*big.Rat{big.NewRat(1, 8), big.NewRat(1, 1), big.NewRat(8, 1)} }

type question struct {
	any   bool     // for any solution at all
	best  bool     // for a solution better than the best so far
	less  *big.Rat // for a value below this one, or with equal at most this one
	equal bool
}

// Next returns the next query and the problem for reading its reply. The Boolean result is
// false at the end of the search.
func (s *Search) Next() (Query, Problem, bool) {
	if s.over || s.rounds >= maxRounds || s.unknown >= maxUnknown || s.left < leastMilliseconds {
		return Query{}, Problem{}, false
	}
	constraint := ""
	if !s.asking.any {
		constraint = "(assert " + s.better() + ")"
	}
	s.rounds++
	p := s.p
	p.Objectives, p.Named, p.Checks = nil, nil, 0
	limits := s.limits
	s.given = min(s.left, s.left/3+1_000)
	limits.Milliseconds, limits.Work = s.given, min(limits.Work, searchWork)
	text := blanked(s.file.Text, slices.Concat(s.p.prints, s.p.checks, s.p.aims))
	if s.p.Checks > 0 {
		check := s.file.Slice(s.p.last)
		text = text[:s.p.last.Start] + constraint + strings.ReplaceAll(check, "\n", " ") + text[s.p.last.End:]
		p.Checks = 1
	} else {
		text += constraint
	}
	return Prepare(Z3, text, p, limits), p, true
}

// better returns the condition of the current question.
func (s *Search) better() string {
	if s.asking.best {
		return s.dominates()
	}
	m, than := new(big.Rat).Set(s.asking.less), "<"
	if s.asking.equal {
		than = "<="
	}
	if s.sense(0) < 0 {
		m.Neg(m)
		than = strings.Replace(than, "<", ">", 1)
	}
	return "(" + than + " " + s.p.goals[0].String() + " " + s.literal(0, m) + ")"
}

// dominates returns the condition for a better solution: better in the first objective
// whose value differs or, for a Pareto front, better in one objective and worse in none.
func (s *Search) dominates() string {
	var cases []string
	var before []string
	for i := range s.p.goals {
		than, v := "<", s.value[i].lo
		if s.sense(i) < 0 {
			than, v = ">", s.value[i].hi
		}
		if bits := width(s.p.goals[i].sort); bits > 0 {
			than = map[string]string{"<": "bvult", ">": "bvugt"}[than]
		}
		term, literal := s.p.goals[i].String(), s.literal(i, v)
		cases = append(cases, "(and "+strings.Join(append(slices.Clone(before), "("+than+" "+term+" "+literal+")"), " ")+")")
		if s.p.priority == "pareto" {
			continue
		}
		before = append(before, "(= "+term+" "+literal+")")
	}
	all := "(or " + strings.Join(cases, " ") + ")"
	if s.p.priority != "pareto" {
		return all
	}
	for i := range s.p.goals {
		than, v := "<=", s.value[i].lo
		if s.sense(i) < 0 {
			than, v = ">=", s.value[i].hi
		}
		all = "(and (" + than + " " + s.p.goals[i].String() + " " + s.literal(i, v) + ") " + all + ")"
	}
	return all
}

// sense returns 1 for an objective to be minimized and -1 for one to be maximized.
func (s *Search) sense(i int) int {
	if s.p.Objectives[i].Sense == "maximize" {
		return -1
	}
	return 1
}

// String formats the objective as a term on one line.
func (g goal) String() string {
	if g.term != nil {
		return written(g.term)
	}
	var b strings.Builder
	b.WriteString("(+ 0.0 0.0")
	for _, w := range g.soft {
		weight := w.weight
		if !strings.Contains(weight, ".") {
			weight += ".0"
		}
		b.WriteString(" (ite " + written(w.term) + " 0.0 " + weight + ")")
	}
	return b.String() + ")"
}

// literal formats a number as a term of the objective's sort.
func (s *Search) literal(i int, r *big.Rat) string {
	sort := s.p.goals[i].sort
	if n := width(sort); n > 0 {
		return "(_ bv" + r.Num().String() + " " + strconv.Itoa(n) + ")"
	}
	text := new(big.Rat).Abs(r).RatString()
	over, under, fraction := strings.Cut(text, "/")
	switch {
	case fraction:
		text = "(/ " + over + ".0 " + under + ".0)"
	case sort == "Real":
		text += ".0"
	}
	if r.Sign() < 0 {
		text = "(- " + text + ")"
	}
	return text
}

// askFar chooses a question about a bound far from the value and reports whether there is
// one. Its answer bounds the value, so that a search which ends at a limit can report a gap.
func (s *Search) askFar() bool {
	nearer := !s.asking.any && !s.asking.best && s.far == 0 && s.unknown < maxUnknown
	if !s.cut || nearer || s.value == nil || s.bound != nil || !s.single() || s.far == len(farAway()) {
		return false
	}
	v := s.cost().lo
	distance := new(big.Rat).Abs(v)
	if one := big.NewRat(1, 1); distance.Cmp(one) < 0 {
		distance = one
	}
	distance.Mul(distance, farAway()[s.far])
	m := distance.Sub(v, distance)
	if s.p.goals[0].sort == "Int" {
		m = floor(m)
	}
	s.far++
	s.unknown = maxUnknown - 1 // one more unanswered question is allowed
	s.asking = question{less: m}
	return true
}

// single reports whether there is exactly one objective and it is a number, so that it can be
// bisected.
func (s *Search) single() bool { return len(s.p.goals) == 1 && numeric(s.p.goals[0].sort) }

// cost returns the value of the first objective, negated if the objective is maximized.
func (s *Search) cost() number {
	if s.sense(0) < 0 {
		return s.value[0].neg()
	}
	return s.value[0]
}

// asks chooses the next question about a single objective: whether there is a solution at
// a growing distance below the value, until such a question is refuted, then by
// bisection.
func (s *Search) asks() {
	if s.over || !s.single() {
		return
	}
	v := s.cost()
	whole := s.p.goals[0].sort == "Int"
	if s.bound == nil {
		least := new(big.Rat).Abs(v.hi)
		least.Quo(least, big.NewRat(8, 1))
		if whole || least.Sign() == 0 {
			least = big.NewRat(1, 1)
		}
		if s.step == nil || s.step.Sign() == 0 || s.unknown == 0 && s.step.Cmp(least) < 0 {
			s.step = least
		}
		m := new(big.Rat).Sub(v.lo, s.step)
		s.step = new(big.Rat).Mul(s.step, big.NewRat(4, 1))
		if whole {
			m = floor(m)
		}
		s.asking = question{less: m}
		return
	}
	gap := new(big.Rat).Sub(v.hi, s.bound)
	scale := new(big.Rat).Abs(v.hi)
	if one := big.NewRat(1, 1); scale.Cmp(one) < 0 {
		scale = one
	}
	near, _ := new(big.Rat).SetString(closeEnough)
	switch {
	case gap.Sign() <= 0:
		s.proved()
	case whole:
		m := new(big.Rat).Add(s.bound, v.hi)
		m = floor(m.Quo(m, big.NewRat(2, 1)))
		s.asking = question{less: m.Add(m, big.NewRat(1, 1))}
	case gap.Cmp(near.Mul(near, scale)) > 0:
		quarter := new(big.Rat).Quo(gap, big.NewRat(4, 1))
		s.asking = question{less: simplest(new(big.Rat).Add(s.bound, quarter), new(big.Rat).Sub(v.hi, quarter))}
	case !s.simple:
		s.simple = true
		if m := simplest(s.bound, v.hi); m.Cmp(v.hi) < 0 {
			s.asking = question{less: m, equal: true}
			return
		}
		s.asking = question{best: true}
	default:
		s.over = !v.exact()
		s.asking = question{best: true}
	}
}

// simplest returns the rational with the smallest denominator in a closed interval.
func simplest(lo, hi *big.Rat) *big.Rat {
	switch {
	case lo.Sign() <= 0 && hi.Sign() >= 0:
		return new(big.Rat)
	case hi.Sign() < 0:
		r := simplest(new(big.Rat).Neg(hi), new(big.Rat).Neg(lo))
		return r.Neg(r)
	}
	below := floor(lo)
	if below.Cmp(lo) == 0 {
		return below
	}
	if next := new(big.Rat).Add(below, big.NewRat(1, 1)); next.Cmp(hi) <= 0 {
		return next
	}
	// Both have the same integer part: the result is that plus the reciprocal of the simplest
	// rational between the reciprocals of the fractional parts.
	r := simplest(new(big.Rat).Inv(new(big.Rat).Sub(hi, below)), new(big.Rat).Inv(new(big.Rat).Sub(lo, below)))
	return r.Add(below, r.Inv(r))
}
