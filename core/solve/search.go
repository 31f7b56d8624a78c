//go:build !first

package solve

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// goal is an objective as it is evaluated.
type goal struct {
	term   *term
	sort   string
	wishes []soft // in place of a term: the penalty is the sum of the weights of those that do not hold
}

// soft is what assert-soft wishes for.
type soft struct {
	term   *term
	weight string
}

// Bounds of a [Search], all of which end it without a proof.
const (
	maxRounds  = 48
	maxUnknown = 2 // questions without an answer
	// searchWork is the most work for a question, in Z3's count: some seconds, while most
	// take a thousandth of it.
	searchWork = 100_000_000
	// leastMilliseconds is what a further question is worth asking for.
	leastMilliseconds = 50
)

// Search finds out how good the solution of a text with objectives is.
//
// The optimizer of Z3 is exact for linear problems only. For any other one its value is
// neither always that of its model nor always the best. So a Search evaluates the objective
// on the model, and asks Z3 whether there is a better solution: only if there is none is
// the solution proven to be the best. Each better solution replaces the one before; where
// it can, the search halves the interval between the value and what is refuted. It also
// looks for a solution where the optimizer ran out of time and returned none.
type Search struct {
	file   *source.File
	p      Problem
	limits Limits
	result Result
	left   int // milliseconds
	rounds int

	unknown int
	over    bool
	asking  question

	value  []number // of the objectives in the model; nil without one
	bound  *big.Rat // no solution has less, of the only objective as a minimum
	step   *big.Rat // how far below the value is asked for while there is no bound
	given  int      // milliseconds of the question that is asked
	simple bool     // a simple number between bound and value was asked for
	sorts  map[string]string
}

// closeEnough is how near to each other, as a part of the value, a value and its bound are
// brought.
const closeEnough = "1e-9"

// question is what is asked in a round.
type question struct {
	any   bool     // for any solution at all
	best  bool     // for one that is better than the best so far
	less  *big.Rat // for one below this, or, with equal, of this
	equal bool
}

// Improve begins a search with the result of the text itself.
func Improve(file *source.File, p Problem, limits Limits, first Result) *Search {
	s := &Search{file: file, p: p, limits: limits.filled(), result: first}
	s.sorts = map[string]string{}
	for _, n := range p.Names {
		s.sorts[n.Name] = n.Sort
	}
	s.begin()
	return s
}

// begin judges the first result and decides whether anything is to be asked.
func (s *Search) begin() {
	r := &s.result
	s.over = true
	if s.p.Solver != Z3 || len(s.p.Objectives) == 0 {
		return
	}
	if points := len(r.Checks) - 1; points > 0 && s.p.priority == "pareto" {
		if r.Status == StatusUnsat && !slices.Contains(r.Checks[:points], StatusUnsat) {
			r.Message = "the Pareto front has been listed: " + strconv.Itoa(points) + " solutions, and no further one"
		}
		return
	}
	s.left = s.limits.Milliseconds / 4
	switch r.Status {
	case StatusTimeout, StatusMemory, StatusUnknown, StatusError:
		if r.Status == StatusError && (!r.broke || len(r.Faults) > 0) {
			return
		}
		if r.Status == StatusUnknown && len(r.Model) > 0 && s.holds(r) != holdsAll {
			r.Model, r.Objectives, r.model = []Value{}, s.without(), nil
		}
		if len(r.Model) == 0 {
			s.over, s.asking = false, question{any: true}
			return
		}
		s.measure()
		s.over = s.value == nil
	case StatusUnbounded:
		if s.p.degree >= degreeOther {
			r.Status, r.Message = StatusSat, "Z3 reports no bound, which is not proven for terms that are not linear"
			s.measure()
		}
		return
	case StatusSat:
		s.judge()
	default:
		return
	}
	s.asking = question{best: true}
}

// judge decides whether the optimizer's claim of a best solution is accepted.
func (s *Search) judge() {
	r := &s.result
	if s.limits.First {
		s.measure()
		r.Message = firstFound
		return
	}
	claimed := slices.Clone(r.Objectives)
	strict := slices.ContainsFunc(claimed, func(o Objective) bool { return o.Strict })
	if s.holds(r) == holdsNot {
		r.Status, r.Message = StatusUnknown, "Z3's solution breaks an assertion of the text, so it is not shown"
		r.Model, r.Objectives = []Value{}, s.without()
		return
	}
	s.measure()
	linear := s.p.degree < degreeOther
	same := len(claimed) == len(r.Objectives) && len(claimed) == len(s.p.Objectives)
	for i := range claimed {
		if same && claimed[i].Value != "" {
			n, ok := numberOf(claimed[i].Value)
			same = ok && s.value != nil && s.value[i].exact() && n.Cmp(s.value[i].lo) == 0
		} else {
			same = false
		}
	}
	switch {
	case linear && (same || strict || s.p.priority == "box" || s.value == nil && s.bits()):
		r.Objectives, r.Proven = claimed, true
		for i := range r.Objectives {
			if s.value != nil {
				r.Objectives[i].Shown = s.value[i].String()
			}
		}
	case s.value == nil:
		r.Objectives = claimed
		r.Message = "the objective could not be evaluated exactly in this solution, so its value is the solver's claim"
	case s.p.priority == "box":
		r.Message = notProven
	default:
		r.Message = notProven
		s.left, s.over = max(s.limits.Milliseconds-r.Milliseconds, 2_000), false
	}
}

const (
	notProven  = "best found, not proven"
	firstFound = "first solution found, no better one was looked for"
)

// bits reports whether all objectives are of bits, for which the optimizer is exact.
func (s *Search) bits() bool {
	return !slices.ContainsFunc(s.p.goals, func(g goal) bool { return width(g.sort) == 0 })
}

// without returns the objectives without values.
func (s *Search) without() []Objective { return slices.Clone(s.p.Objectives) }

// evaluator returns an evaluator in a result's model.
func (s *Search) evaluator(r *Result) *evaluator {
	e := &evaluator{defs: s.p.defs, sorts: s.sorts, model: map[string]*definition{}}
	if r.model == nil {
		return e
	}
	for i := range r.model.items {
		d := &r.model.items[i]
		if (d.head() == "define-fun" || d.head() == "define-fun-rec") && len(d.items) == 5 {
			def := &definition{body: &d.items[4]}
			for j := range d.items[2].items {
				if p := &d.items[2].items[j]; len(p.items) == 2 {
					def.params = append(def.params, p.items[0].text)
				}
			}
			e.model[d.items[1].text] = def
		}
	}
	return e
}

// measure sets the objectives to their values in the model.
func (s *Search) measure() {
	r := &s.result
	s.value = s.evaluate(r)
	r.Objectives = s.without()
	for i := range s.value {
		r.Objectives[i].Value = s.value[i].String()
		r.Objectives[i].Shown = r.Objectives[i].Value
	}
}

// evaluate returns the values of all objectives in a model, nil if one has none.
func (s *Search) evaluate(r *Result) []number {
	if r.model == nil {
		return nil
	}
	e := s.evaluator(r)
	var out []number
	for _, g := range s.p.goals {
		n, ok := e.goal(g)
		if !ok {
			return nil
		}
		out = append(out, n)
	}
	return out
}

func (e *evaluator) goal(g goal) (number, bool) {
	if g.term != nil {
		v, ok := e.term(g.term, nil)
		return v.number, ok && v.lo != nil
	}
	sum := exactly(new(big.Rat))
	for _, w := range g.wishes {
		v, ok := e.term(w.term, nil)
		weight, known := new(big.Rat).SetString(w.weight)
		if !ok || v.lo == nil || !known {
			return number{}, false
		}
		if v.lo.Sign() == 0 {
			sum = combine(sum, exactly(weight), (*big.Rat).Add)
		}
	}
	return sum, true
}

// What [Search.holds] finds.
const (
	holdsUnknown = iota
	holdsAll
	holdsNot
)

// holds evaluates the assertions of the text in a model.
func (s *Search) holds(r *Result) int {
	if r.model == nil || len(s.file.Text) > 1<<20 || s.p.scoped {
		return holdsUnknown
	}
	e := s.evaluator(r)
	reader := smtReader{text: blanked(s.file.Text, s.p.prints), found: &faults{}, quiet: true}
	all := holdsAll
	for {
		form, ok := reader.next()
		if !ok {
			return all
		}
		if form.head() != "assert" || len(form.items) != 2 || s.p.Checks > 0 && form.span.Start > s.p.last.Start {
			continue
		}
		v, ok := e.term(&form.items[1], nil)
		switch {
		case !ok || v.lo == nil:
			all = holdsUnknown
		case v.lo.Sign() == 0:
			return holdsNot
		}
	}
}

// numberOf reads a value as [rational] writes it.
func numberOf(text string) (*big.Rat, bool) {
	if strings.ContainsAny(text, "?eE() ") {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// Next returns the next question with the problem that its reply is read by, false at the
// end of the search.
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

// better is the condition of the question that is asked.
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

// dominates says that a solution is better than the one that is there: in the first
// objective that differs, or, of a Pareto front, in one and in none worse.
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

// sense is 1 for what is to be least and -1 for what is to be greatest.
func (s *Search) sense(i int) int {
	if s.p.Objectives[i].Sense == "maximize" {
		return -1
	}
	return 1
}

// String writes the objective as a term on one line.
func (g goal) String() string {
	if g.term != nil {
		return written(g.term)
	}
	var b strings.Builder
	b.WriteString("(+ 0.0 0.0")
	for _, w := range g.wishes {
		weight := w.weight
		if !strings.Contains(weight, ".") {
			weight += ".0"
		}
		b.WriteString(" (ite " + written(w.term) + " 0.0 " + weight + ")")
	}
	return b.String() + ")"
}

// literal writes a number of an objective's sort.
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

// Tell gives the search the result of its question.
func (s *Search) Tell(r Result) {
	spent := r.Milliseconds
	if r.Status == StatusTimeout {
		spent = s.given
	}
	s.left -= max(spent, 1)
	s.result.Milliseconds += spent
	s.result.Searched++
	asked := s.asking
	switch {
	case r.Status == StatusSat && s.holds(&r) != holdsNot:
		s.adopt(&r)
	case r.Status == StatusUnsat && asked.any:
		s.result.Status, s.result.Message, s.over = StatusUnsat, "", true
	case r.Status == StatusUnsat && asked.best:
		s.proved()
	case r.Status == StatusUnsat:
		s.bound = asked.less
		s.asks()
	default:
		s.unknown++
		s.over = asked.any || asked.best
		if s.bound == nil && s.step != nil {
			s.step.Quo(s.step, big.NewRat(16, 1))
		}
		s.asks()
	}
}

// proved notes that no solution is better than that which is there.
func (s *Search) proved() {
	s.over = true
	s.result.Proven = !slices.ContainsFunc(s.value, func(n number) bool { return !n.exact() })
	if s.single() {
		s.bound = s.cost().lo
	}
}

// adopt takes a solution in place of the one before.
func (s *Search) adopt(r *Result) {
	value := s.evaluate(r)
	before := s.value
	if value == nil && before != nil {
		s.over = true
		return
	}
	s.result.Model, s.result.model = r.Model, r.model
	s.measure()
	if s.over = value == nil; s.over {
		return
	}
	if before != nil && s.single() {
		step := combine(value[0], before[0], (*big.Rat).Sub)
		s.step = new(big.Rat).Abs(step.lo)
	}
	if before == nil || !s.single() {
		s.asking = question{best: true}
		return
	}
	s.asks()
}

// single reports whether there is one objective, and it is a number: its value can be
// closed in on.
func (s *Search) single() bool { return len(s.p.goals) == 1 && numeric(s.p.goals[0].sort) }

// cost is the value as a minimum.
func (s *Search) cost() number {
	if s.sense(0) < 0 {
		return s.value[0].neg()
	}
	return s.value[0]
}

// asks chooses the next question about a single objective: further and further below the
// value until that is refuted, then in the middle between.
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

// simplest returns the rational of the least denominator between two, both included.
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
	// Both have the same whole part: it is that, and one over what is simplest between the
	// reciprocals of the rest.
	r := simplest(new(big.Rat).Inv(new(big.Rat).Sub(hi, below)), new(big.Rat).Inv(new(big.Rat).Sub(lo, below)))
	return r.Add(below, r.Inv(r))
}

// Result is what the search has found.
func (s *Search) Result() Result {
	r := s.result
	if s.value == nil || s.p.Solver != Z3 {
		return r
	}
	switch {
	case r.Proven:
		r.Status, r.Message = StatusSat, ""
		return r
	case s.bound != nil:
		v := s.cost()
		low, high := bounded(s.bound, false), bounded(v.hi, true)
		r.Bound = low
		if s.sense(0) < 0 {
			low, high = bounded(new(big.Rat).Neg(v.hi), false), bounded(new(big.Rat).Neg(s.bound), true)
			r.Bound = high
		}
		r.Objectives[0].Low, r.Objectives[0].High = low, high
		r.Gap = gapOf(v.hi, s.bound)
	}
	r.Message = r.Standing()
	return r
}

// gapOf is how far a value is from its bound, as a part of the value.
func gapOf(v, bound *big.Rat) string {
	gap := new(big.Rat).Sub(v, bound)
	if v.Sign() != 0 {
		gap.Quo(gap, new(big.Rat).Abs(v))
	}
	return bounded(gap, true)
}
