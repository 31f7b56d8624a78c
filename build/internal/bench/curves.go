package bench

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/build/internal/report"
)

// curveLine is a line of a picture: a series of benchmarks, measured with one tool.
type curveLine struct {
	label, prefix string
	tool          string  // "" is ours
	power         float64 // the promised maximum exponent of the size; 0 promises nothing
}

// curves are the pictures of the report, all in milliseconds.
var curves = []struct {
	file, title, x string
	lines          []curveLine
}{
	{"nested-untils.svg", "Nested untils to an automaton", "untils nested in one another", []curveLine{
		{"Stile, to the right", "Translate/untilR/powerset", "", 0}, {"Stile, to the left", "Translate/untilL/powerset", "", 0},
		{"MONA, to the right", "Translate/untilR/powerset", "MONA", 0}, {"Spot *, to the right", "Translate/untilR/powerset", "Spot", 0},
	}},
	{"responses.svg", "Response properties to an automaton", "responses", []curveLine{
		{"Stile, sets of letters", "Translate/resp/powerset", "", 0}, {"Stile, single letters", "Translate/resp/onehot", "", 0},
		{"MONA, sets of letters", "Translate/resp/powerset", "MONA", 0}, {"Spot *, sets of letters", "Translate/resp/powerset", "Spot", 0},
		{"Stile, a chain", "Translate/chain/powerset", "", 0}, {"MONA, a chain", "Translate/chain/powerset", "MONA", 0}, {"Spot *, a chain", "Translate/chain/powerset", "Spot", 0},
	}},
	{"tools.svg", "Tools of a grammar", "tools", []curveLine{
		{"compiling", "Tools", "", 1.3}, {"a plan, each once", "PlanTools", "", 0},
	}},
	{"words.svg", "Recognising words", "letters", []curveLine{
		{"Stile, left recursion", "Recognize/leftrec", "", 1.3}, {"Stile, right recursion", "Recognize/rightrec", "", 1.3},
		{"Stile, brackets", "Recognize/dyck", "", 1.3}, {"Stile, ambiguous", "Recognize/ambiguous", "", 3.1},
		{"nearley, left recursion", "Recognize/leftrec", "nearley", 0}, {"nearley, brackets", "Recognize/dyck", "nearley", 0},
		{"nearley, ambiguous", "Recognize/ambiguous", "nearley", 0}, {"chevrotain, rewritten", "Recognize/leftrec", "chevrotain", 0},
	}},
	{"monitor.svg", "Watching a text", "bytes", []curveLine{
		{"as it streams", "Stream", "", 1.3}, {"a finished run", "Trace", "", 1.3},
	}},
	{"problems.svg", "Checking problems for solvers", "variables", []curveLine{
		{"SMT-LIB", "Check/z3", "", 1.3}, {"LP", "Check/highs", "", 1.3},
	}},
}

// addCurves adds the pictures and the promised growth rates.
func (r *reporter) addCurves(ours *report.Benchmarks, peers *rounds) {
	for _, c := range curves {
		curve := report.Curve{File: c.file, Title: c.title, X: c.x, Y: "milliseconds"}
		for _, l := range c.lines {
			var s report.Series
			if l.tool == "" {
				s = ours.Series(l.label, l.prefix, "ms")
			} else {
				s = peers.series(l)
			}
			if len(s.Points) == 0 {
				continue
			}
			curve.Series = append(curve.Series, s)
			if power, ok := s.Power(); ok && l.power > 0 {
				r.Figures = append(r.Figures, report.Figure{Section: "core", Group: "growth, as a power of the size", Name: l.prefix,
					Sample: report.Of(power), Target: &report.Target{Bound: l.power}})
			}
		}
		r.Curves = append(r.Curves, curve)
	}
}

// series returns a tool's points.
func (p *rounds) series(l curveLine) report.Series {
	s := report.Series{Label: l.label}
	for _, o := range p.order {
		size, ok := strings.CutPrefix(o.Name, l.prefix+"/")
		x, err := strconv.ParseFloat(size, 64)
		if ok && err == nil && o.Tool == l.tool && o.unit == "ms" && len(o.values) > 0 {
			s.Points, s.Elsewhere = append(s.Points, report.Point{X: x, Y: report.Of(o.values...).Median, Stopped: o.stopped}), o.elsewhere
		}
	}
	// Sort by size: the report has another order.
	s.Sort()
	return s
}
