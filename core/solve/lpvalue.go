package solve

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// lpRow is a sum with the relation to its right side.
type lpRow struct {
	name     string
	terms    []lpTerm
	squares  []lpSquare
	constant float64
	relation byte // '<', '>', '='; 0: the objective
	right    float64
}

type lpTerm struct {
	variable int
	times    float64
}

type lpSquare struct {
	a, b  int
	times float64 // including the factor 1/2 after the bracket
}

// lpModel is an LP text in the form in which solutions are evaluated.
type lpModel struct {
	index     map[string]int
	objective lpRow
	rows      []lpRow
	low, high []float64
	semi      []bool
}

// lpTolerance is the accepted deviation of a solution of HiGHS from a constraint,
// relative to the size of the numbers involved.
const lpTolerance = 1e-5

// lpReader reads an LP text without faults.
type lpReader struct {
	tokens []lpToken
	at     int
	m      *lpModel
}

func readLP(text string, p Problem) *lpModel {
	m := &lpModel{index: map[string]int{}, low: make([]float64, len(p.Names)), high: make([]float64, len(p.Names)), semi: make([]bool, len(p.Names))}
	for i, n := range p.Names {
		m.index[n.Name] = i
		if m.high[i] = math.Inf(1); n.Sort == "Bool" {
			m.high[i] = 1
		}
	}
	r := &lpReader{tokens: lpTokens(text), m: m}
	section := ""
	for r.peek().kind != lpEnd {
		if t := r.peek(); t.kind == lpSection {
			section = t.text
			r.skip(1)
			if section == "minimize" || section == "maximize" {
				m.objective = r.row(false)
			}
			continue
		}
		switch section {
		case "subject to":
			m.rows = append(m.rows, r.row(true))
		case "bounds":
			r.bound()
		case "semi-continuous":
			if i, ok := m.index[r.peek().text]; ok {
				m.semi[i] = true
			}
			r.skip(1)
		default:
			r.skip(1)
		}
	}
	return m
}

func (r *lpReader) peek() lpToken { return r.tokens[r.at] }

// skip steps over n tokens, up to the end.
func (r *lpReader) skip(n int) { r.at = min(r.at+n, len(r.tokens)-1) }

// signed reads signs and an optional number.
func (r *lpReader) signed() (n float64, given bool) {
	n = 1
	for r.peek().kind == lpSign {
		if r.peek().text == "-" {
			n = -n
		}
		r.skip(1)
	}
	t := r.peek()
	switch {
	case t.kind == lpNumber:
		v, _ := strconv.ParseFloat(t.text, 64)
		r.skip(1)
		return n * v, true
	case t.kind == lpWord && isInfinity(t.text):
		r.skip(1)
		return n * math.Inf(1), true
	}
	return n, false
}

// row reads an objective, or, if compared is true, a constraint up to the number on its
// right.
func (r *lpReader) row(compared bool) (row lpRow) {
	if t := r.peek(); t.kind == lpWord && r.tokens[r.at+1].kind == lpColon {
		row.name = t.text
		r.skip(2)
	}
	for {
		begin := r.at
		times, given := r.signed()
		switch t := r.peek(); {
		case t.kind == lpWord:
			r.skip(1)
			row.terms = append(row.terms, lpTerm{r.m.index[t.text], times})
		case t.kind == lpOther && t.text == "[":
			row.squares = append(row.squares, r.squares(times)...)
		case given:
			row.constant += times
		}
		if t := r.peek(); compared && t.kind == lpRelation {
			row.relation = t.text[0]
			if len(t.text) > 1 && row.relation == '=' {
				row.relation = t.text[1]
			}
			r.skip(1)
			row.right, _ = r.signed()
			return row
		}
		if k := r.peek().kind; k == lpSection || k == lpEnd || r.at == begin {
			if r.at == begin && k != lpSection && k != lpEnd {
				r.skip(1)
			}
			return row
		}
	}
}

// squares reads [ 2 x ^ 2 - 3 x * y ] / 2.
func (r *lpReader) squares(times float64) (out []lpSquare) {
	r.skip(1)
	for r.peek().kind != lpEnd && r.peek().text != "]" {
		begin := r.at
		n, _ := r.signed()
		a, ok := r.m.index[r.peek().text]
		if ok {
			b := a
			r.skip(1)
			if r.peek().text == "*" {
				b = r.m.index[r.tokens[r.at+1].text]
			}
			r.skip(2)
			out = append(out, lpSquare{a, b, n * times})
		} else if r.at == begin {
			r.skip(1)
		}
	}
	r.skip(1)
	if r.peek().text == "/" {
		r.skip(1)
		by, _ := r.signed()
		for i := range out {
			out[i].times /= by
		}
	}
	return out
}

// bound reads x free, x <= 3, 0 <= x <= 3, 0 <= x.
func (r *lpReader) bound() {
	apply := func(i int, relation string, n float64) {
		switch {
		case strings.Contains(relation, "<"):
			if r.m.high[i] = n; n < 0 && r.m.low[i] == 0 {
				r.m.low[i] = math.Inf(-1)
			}
		case strings.Contains(relation, ">"):
			r.m.low[i] = n
		default:
			r.m.low[i], r.m.high[i] = n, n
		}
	}
	left, given := r.signed()
	relation := ""
	if given {
		relation = r.peek().text
		r.skip(1)
	}
	i, ok := r.m.index[r.peek().text]
	r.skip(1)
	if !ok {
		return
	}
	if given {
		apply(i, strings.NewReplacer("<", ">", ">", "<").Replace(relation), left)
	}
	switch t := r.peek(); {
	case t.kind == lpWord && strings.EqualFold(t.text, "free"):
		r.skip(1)
		r.m.low[i], r.m.high[i] = math.Inf(-1), math.Inf(1)
	case t.kind == lpRelation:
		r.skip(1)
		n, _ := r.signed()
		apply(i, t.text, n)
	}
}

// at evaluates a sum, and returns the sum of the absolute values of its terms, which
// bounds its error.
func (row *lpRow) at(x []float64) (sum, size float64) {
	sum, size = row.constant, math.Abs(row.constant)+1
	add := func(part float64) {
		sum += part
		size = max(size, math.Abs(part))
	}
	for _, t := range row.terms {
		add(t.times * x[t.variable])
	}
	for _, q := range row.squares {
		add(q.times * x[q.a] * x[q.b])
	}
	return sum, size
}

// broken returns the first violated bound or constraint of a solution, or "".
func (m *lpModel) broken(p Problem, x []float64) string {
	for i, n := range p.Names {
		within := lpTolerance * max(1, math.Abs(x[i]))
		switch {
		case m.semi[i] && math.Abs(x[i]) <= within:
		case x[i] < m.low[i]-within || x[i] > m.high[i]+within:
			return "the bounds of " + n.Name
		}
	}
	for i := range m.rows {
		row := &m.rows[i]
		sum, size := row.at(x)
		within := lpTolerance * max(size, math.Abs(row.right))
		if row.relation != '>' && sum > row.right+within || row.relation != '<' && sum < row.right-within {
			name := row.name
			if name == "" {
				name = "constraint " + strconv.Itoa(i+1)
			}
			return fmt.Sprintf("%s: %s is compared to %s", name, decimal(sum), decimal(row.right))
		}
	}
	return ""
}

// maxConvex is the maximum number of variables with squares for which convexity is
// decided; the work grows with its cube.
const maxConvex = 150

// convex reports whether an objective to be minimized is provably convex: whether its
// squares are a positive semidefinite form, by elimination with exact numbers.
func (m *lpModel) convex(maximize bool) bool {
	at := map[int]int{}
	for _, q := range m.objective.squares {
		for _, v := range []int{q.a, q.b} {
			if _, known := at[v]; !known {
				at[v] = len(at)
			}
		}
	}
	n := len(at)
	if n > maxConvex {
		return false
	}
	a := make([][]*big.Rat, n)
	for i := range a {
		a[i] = make([]*big.Rat, n)
		for j := range a[i] {
			a[i][j] = new(big.Rat)
		}
	}
	for _, q := range m.objective.squares {
		times := new(big.Rat).SetFloat64(q.times)
		if times == nil {
			return false
		}
		if maximize {
			times.Neg(times)
		}
		i, j := at[q.a], at[q.b]
		a[i][j].Add(a[i][j], times)
		a[j][i].Add(a[j][i], times)
	}
	for k := range n {
		switch a[k][k].Sign() {
		case -1:
			return false
		case 0:
			for j := k + 1; j < n; j++ {
				if a[k][j].Sign() != 0 {
					return false
				}
			}
			continue
		}
		for i := k + 1; i < n; i++ {
			if a[i][k].Sign() == 0 {
				continue
			}
			times := new(big.Rat).Quo(a[i][k], a[k][k])
			for j := k + 1; j < n; j++ {
				a[i][j].Sub(a[i][j], new(big.Rat).Mul(times, a[k][j]))
			}
		}
	}
	return true
}

// judgeLP evaluates the solution of an LP and decides whether it is optimal. HiGHS
// computes with 53-bit numbers, so all comparisons use [lpTolerance].
func judgeLP(text string, p Problem, values []*float64, r *Result) {
	if len(r.Model) == 0 || len(p.Objectives) == 0 {
		return
	}
	m := readLP(text, p)
	x, whole := shownLP(p, values)
	if broken := m.broken(p, x); broken != "" {
		r.Status, r.Message = StatusUnknown, "HiGHS's solution violates a constraint, so it is not shown ("+broken+")"
		r.Model, r.Objectives[0].Value = []Value{}, ""
		return
	}
	sum, size := m.objective.at(x)
	o := &r.Objectives[0]
	o.Shown = decimal(sum)
	claimed, err := strconv.ParseFloat(o.Value, 64)
	near := lpTolerance * size
	agrees := err == nil && math.Abs(claimed-sum) <= near
	if !agrees {
		o.Value = o.Shown
	}
	bound, err := strconv.ParseFloat(r.Bound, 64)
	reached := r.Bound == "" || err == nil && math.Abs(bound-sum) <= near
	convex := len(m.objective.squares) == 0 || m.convex(o.Sense == "maximize")
	r.Proven = r.Status == StatusSat && agrees && reached && convex && whole && !r.first
	switch {
	case r.Proven:
	case r.first && reached && r.Status == StatusSat && r.Message == "":
		r.Message = firstFound
	case !convex && r.Message == "":
		r.Message = "best found, not proved optimal: the objective is not convex, so HiGHS may end at a local optimum"
	case r.Message == "" || r.Status == StatusTimeout:
		r.Message = r.Quality()
	}
}

// shownLP returns the values of the variables as the page shows them, and whether integer
// variables have integer values. A missing value is 0.
func shownLP(p Problem, values []*float64) (x []float64, whole bool) {
	x, whole = make([]float64, len(p.Names)), true
	for i, v := range values {
		switch {
		case v == nil:
		case p.Names[i].Sort == "Int" || p.Names[i].Sort == "Bool":
			x[i] = math.Round(*v)
			whole = whole && math.Abs(*v-x[i]) <= integerTolerance
		default:
			x[i] = *v
		}
	}
	return x, whole
}
