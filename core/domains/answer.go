package domains

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// stations is the name of the member of a warehouse's answer that has the route.
const stations = "stations"

// planMember is the name of the member of an answer that has the steps.
const planMember = "plan"

// Tolerance is the largest difference of costs that count as equal: distances have nine
// decimals.
const Tolerance = 1e-6

// printedNumber formats a number with at most nine decimals.
func printedNumber(n float64) string {
	return strconv.FormatFloat(math.Round(n*1e9)/1e9, 'f', -1, 64)
}

// rational parses a solver's number.
func rational(value string) (float64, bool) {
	switch value {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	over, under, fraction := strings.Cut(value, "/")
	n, err := strconv.ParseFloat(strings.TrimSpace(over), 64)
	if err == nil && fraction {
		var d float64
		if d, err = strconv.ParseFloat(strings.TrimSpace(under), 64); err == nil {
			n /= d
		}
	}
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// Outcome is a claimed result of a query: infeasible, or the cost of the best plan, and the
// plan. Empty fields claim nothing.
type Outcome struct {
	Infeasible bool
	Objective  string // the cost of the plan
	Answer     string // the plan, in the form of output.json
}

// Judgement compares an outcome with the result of a query.
type Judgement struct {
	Right  bool   // the outcome is correct
	Reason string // the reason of the judgement
	// Plan judges the plan of the answer without comparing it with the result of the query.
	Plan struct {
		Given    bool
		Feasible bool // it can be carried out
		Cost     string
		Faults   []string
	}
}

// maxFaults bounds the faults listed for a plan.
const maxFaults = 10

// Judge compares an outcome with a query. If it has a plan, Judge computes the plan's cost
// instead of the claimed one.
func (s *Set) Judge(index int, o Outcome) (Judgement, error) {
	q, err := s.query(index)
	if err != nil {
		return Judgement{}, err
	}
	var j Judgement
	if answer := strings.TrimSpace(o.Answer); answer != "" && answer != "null" && !o.Infeasible {
		if s.steps != nil {
			err = s.carryOut(&j, index, answer)
		} else {
			err = s.weigh(&j, index, answer)
		}
		if err != nil {
			return Judgement{}, err
		}
	}
	switch {
	case q.Infeasible() && o.Infeasible:
		j.Right, j.Reason = true, "no plan exists, as in the data set"
	case q.Infeasible():
		j.Reason = "the data set states that no plan exists"
	case o.Infeasible:
		j.Reason = "the data set has a plan that costs " + s.measure(q.Optimum)
	case j.Plan.Given && !j.Plan.Feasible:
		j.Reason = "the plan cannot be executed: " + j.Plan.Faults[0]
	case j.Plan.Given:
		j.Right = Same(j.Plan.Cost, q.Optimum)
		j.Reason = "the plan costs " + s.measure(j.Plan.Cost) + s.versusOptimum(j.Right, q)
	case o.Objective == "":
		j.Reason = "neither a plan nor a cost is given"
	default:
		j.Right = Same(o.Objective, q.Optimum)
		j.Reason = "the claimed cost is " + s.measure(o.Objective) + s.versusOptimum(j.Right, q)
	}
	return j, nil
}

func (s *Set) versusOptimum(right bool, q Query) string {
	if right {
		return ", which is optimal"
	}
	return "; the optimum is " + s.measure(q.Optimum)
}

func (s *Set) measure(n string) string {
	if s.steps != nil {
		return n + " steps"
	}
	return n
}

// Same reports whether two costs, as solvers and people write them ("154", "3.5", "7/2"),
// differ by at most [Tolerance]. It is false for texts that are not numbers.
func Same(a, b string) bool {
	x, known := rational(a)
	y, also := rational(b)
	return known && also && math.Abs(x-y) <= Tolerance*max(1, math.Abs(y))
}

// carryOut executes a plan with steps on its instance.
func (s *Set) carryOut(j *Judgement, index int, answer string) error {
	spec, _, err := s.Spec(index)
	if err != nil {
		return err
	}
	j.Plan.Given = true
	lines := answer
	if tree, fault := json.Tree(answer); fault == nil {
		if member, ok := tree.Get(planMember); ok {
			tree = member
		}
		var steps []string
		for _, item := range tree.Items {
			steps = append(steps, item.Text)
		}
		lines = strings.Join(steps, "\n")
	}
	plan, found := strips.ParsePlan(source.NewFile("plan", lines))
	if len(found) > 0 {
		j.Plan.Faults = []string{found[0].Message}
		return nil
	}
	if _, fault := strips.Validate(spec.Domain, spec.Problem, plan); fault != nil {
		j.Plan.Faults = []string{fault.Message}
		return nil
	}
	j.Plan.Feasible, j.Plan.Cost = true, IntegerNumber(len(plan)).String()
	return nil
}

// weigh checks an answer's values against the constraints of the reference formulation and
// computes their cost.
func (s *Set) weigh(j *Judgement, index int, answer string) error {
	p, err := s.Program(index)
	if err != nil {
		return err
	}
	j.Plan.Given = true
	fault := func(format string, args ...any) {
		if len(j.Plan.Faults) < maxFaults {
			j.Plan.Faults = append(j.Plan.Faults, fmt.Sprintf(format, args...))
		}
	}
	tree, syntax := json.Tree(answer)
	if syntax != nil {
		fault("it is not JSON: %s", syntax.Message)
		return nil
	}
	values := make([]float64, len(p.Variables))
	s.readAnswer(p, tree, values, fault)
	sum := func(terms []Term) float64 {
		total := 0.0
		for _, t := range terms {
			total += t.Times.float() * values[t.Variable]
		}
		return total
	}
	if at, ok := p.index["finish"]; ok { // the time that the robots' tasks take
		for _, c := range p.Constraints {
			if family(c.Name) == "busy" {
				values[at] = max(values[at], sum(c.Sum[:len(c.Sum)-1]))
			}
		}
	}
	for i, v := range p.Variables {
		if values[i] < -Tolerance {
			fault("%s is negative", v.Name)
		}
		if v.Kind != Real && math.Abs(values[i]-math.Round(values[i])) > Tolerance {
			fault("%s is not whole", v.Name)
		}
	}
	for _, c := range p.Constraints {
		total, bound := sum(c.Sum), c.Bound.float()
		if c.Sense != AtLeast && total > bound+Tolerance || c.Sense != AtMost && total < bound-Tolerance {
			fault("%s does not hold: %s must be %s %s", c.Name, printedNumber(total), c.Sense, c.Bound)
		}
	}
	j.Plan.Feasible = len(j.Plan.Faults) == 0
	j.Plan.Cost = printedNumber(sum(p.Cost))
	return nil
}

// readAnswer assigns an answer's numbers to variables.
func (s *Set) readAnswer(p *Program, tree *json.Node, values []float64, fault func(format string, args ...any)) {
	if tree.Kind != '{' {
		fault("expected a JSON object in the form of output.json")
		return
	}
	put := func(words []string, value float64) {
		if i, ok := p.index[Name(words...)]; ok {
			values[i] = value
		} else {
			fault("unknown decision %q", strings.Join(words, " "))
		}
	}
	var walk func(n *json.Node, words []string)
	walk = func(n *json.Node, words []string) {
		at := words[:len(words):len(words)]
		switch n.Kind {
		case '{':
			for _, m := range n.Members {
				walk(m.Value, append(at, m.Key))
			}
		case '[':
			for _, item := range n.Items {
				put(append(at, item.Text), 1)
			}
		default:
			if number, ok := rational(n.Text); ok {
				put(words, number)
			} else {
				fault("%s is %q (expected a number)", strings.Join(words, " "), n.Text)
			}
		}
	}
	for _, m := range tree.Members {
		switch m.Key {
		case s.prose.total[0]:
		case stations:
			s.readRoute(p, m.Value.Items, put)
		default:
			walk(m.Value, []string{m.Key})
		}
	}
}

// readRoute reads the stations of a route; the origin may be at both ends.
func (s *Set) readRoute(p *Program, items []*json.Node, put func(words []string, value float64)) {
	origin := p.Variables[0].Words[2]
	tasks := 0
	for _, v := range p.Variables {
		if v.Words[0] == "visit" {
			n, _ := strconv.Atoi(v.Words[1])
			tasks = max(tasks, n-1)
		}
	}
	if n := len(items); n == tasks+2 && items[0].Text == origin && items[n-1].Text == origin {
		items = items[1 : n-1]
	}
	before := origin
	put([]string{"visit", "0", origin}, 1)
	for i := range tasks + 1 {
		at := origin
		if i < tasks && i < len(items) {
			at = items[i].Text
		}
		number := IntegerNumber(i + 1).String()
		put([]string{"visit", number, at}, 1)
		put([]string{"leg", number, before, at}, 1)
		before = at
	}
	if len(items) > tasks {
		put([]string{"visit", IntegerNumber(len(items)).String()}, 1) // one station too many is reported by name
	}
}
