package solve

import (
	"math"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// highsReply is HiGHS's result as a host reports it. Numbers that are not finite are
// missing.
type highsReply struct {
	Status     string      `json:"status"` // HiGHS's name of the status: "optimal", "infeasible", …
	Objective  *float64    `json:"objective"`
	Bound      *float64    `json:"bound"`
	Gap        *float64    `json:"gap"`
	Names      []string    `json:"names"`
	Values     []float64   `json:"values"`
	Rows       []string    `json:"rows"`   // names of rows that contradict each other
	Bounds     []string    `json:"bounds"` // variables whose bounds take part in the contradiction
	Statistics []Statistic `json:"statistics"`
}

// integerTolerance is HiGHS's tolerance for integer variables.
const integerTolerance = 1e-5

func readHiGHS(file *source.File, p Problem, text string, r *Result) {
	var reply highsReply
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		r.Status, r.Message = StatusError, "cannot read HiGHS's answer: "+err.Error()
		return
	}
	r.Statistics = append(r.Statistics, reply.Statistics...)
	solution := highsStatus(p, reply, r)
	r.Checks = append(r.Checks, r.Status)
	values := make([]*float64, len(p.Names))
	if solution {
		values = highsModel(p, reply, r)
	}
	for _, o := range p.Objectives {
		if solution && reply.Objective != nil {
			o.Value = decimal(*reply.Objective)
		}
		if r.Status == StatusUnbounded {
			o.Value = map[string]string{"minimize": "-" + infinite, "maximize": infinite}[o.Sense]
		}
		r.Objectives = append(r.Objectives, o)
	}
	if reply.Bound != nil {
		r.Bound = decimal(*reply.Bound)
	}
	if reply.Gap != nil {
		r.Gap = decimal(*reply.Gap)
	}
	judgeLP(file.Text, p, values, r)
}

// highsStatus sets the status of the result and reports whether the reply has a solution.
func highsStatus(p Problem, reply highsReply, r *Result) (solution bool) {
	switch reply.Status {
	case "optimal", "modelEmpty":
		r.Status = StatusSat
		return true
	case "infeasible":
		r.Status = StatusUnsat
		highsCore(p, reply, r)
	case "unbounded":
		r.Status = StatusUnbounded
	case "unboundedOrInfeasible":
		r.Status, r.Message = StatusUnknown, "no optimum: the problem is infeasible or unbounded"
	case "timeLimit":
		r.Status, r.Message = StatusTimeout, "the time limit was reached"
		return reply.Objective != nil
	case "solutionLimit":
		r.Status, r.first = StatusSat, true
		return reply.Objective != nil
	case "memoryLimit":
		r.Status, r.Message = StatusMemory, "the memory limit was reached"
	default:
		r.Status, r.Message = StatusUnknown, "HiGHS ended with the status "+strconv.Quote(reply.Status)
	}
	return false
}

// highsModel adds the values of a solution to the result. It returns HiGHS's values in the
// order of the problem's names, nil where HiGHS reports none.
func highsModel(p Problem, reply highsReply, r *Result) []*float64 {
	at := make(map[string]int, len(p.Names))
	for i, n := range p.Names {
		at[n.Name] = i
	}
	values := make([]*float64, len(p.Names))
	for i, name := range reply.Names {
		if n, ok := at[name]; ok && i < len(reply.Values) {
			values[n] = &reply.Values[i]
		}
	}
	whole := true
	for i, value := range values {
		if value == nil {
			continue
		}
		n := p.Names[i]
		v := Value{Name: n.Name, Sort: n.Sort, Params: []string{}, Span: n.Span}
		if n.Sort == "Real" {
			v.Value = decimal(*value)
		} else {
			v.Value = decimal(math.Round(*value))
			whole = whole && math.Abs(*value-math.Round(*value)) <= integerTolerance
		}
		if n.Sort == "Bool" {
			v.Sort = "Int"
		}
		r.Model = append(r.Model, v)
	}
	if !whole && r.Message == "" {
		r.Message = "some integer values were rounded"
	}
	return values
}

// highsCore returns the constraints and bounds that contradict each other.
func highsCore(p Problem, reply highsReply, r *Result) {
	in := map[string]bool{}
	for _, name := range reply.Rows {
		in[name] = true
	}
	for _, n := range p.Named {
		if in[n.Name] {
			r.Core = append(r.Core, n)
		}
	}
	bounds := map[string]bool{}
	for _, name := range reply.Bounds {
		bounds[name] = true
	}
	for _, n := range p.Names {
		if bounds[n.Name] {
			r.Core = append(r.Core, Named{Name: "bounds of " + n.Name, Span: n.Span})
		}
	}
	if len(r.Core) > 0 {
		r.Message = strconv.Itoa(len(r.Core)) + " constraints and bounds contradict each other"
	}
}

// decimal formats a number with ten digits, the precision of HiGHS, as briefly as
// possible: 2470 for 2469.9999999998.
func decimal(x float64) string {
	text := strconv.FormatFloat(x, 'g', 10, 64)
	if strings.ContainsAny(text, "e") {
		if y, err := strconv.ParseFloat(text, 64); err == nil {
			text = strconv.FormatFloat(y, 'f', -1, 64)
		}
	}
	if text == "-0" {
		return "0"
	}
	return text
}
