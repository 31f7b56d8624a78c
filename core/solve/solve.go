package solve

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxText is the maximum size of a problem in bytes. A problem of 10⁵ variables has about
// 10 MB; a solver in a page cannot handle much larger ones.
const MaxText = 24 << 20

// MaxFound is the maximum number of reported faults of a text; a text with more faults
// usually repeats the same mistake.
const MaxFound = 100

// The defaults and maxima of [Limits]. Solvers in the page have at most 2 GiB of memory.
const (
	DefaultMilliseconds = 60_000
	MaxMilliseconds     = 3_600_000
	DefaultMemory       = 1_500
	MaxMemory           = 1_900
	DefaultWork         = 2_000_000_000
)

// filled returns the limits with defaults instead of zeros, within their maxima.
func (l Limits) filled() Limits {
	fill := func(value, otherwise, most int64) int64 {
		if value <= 0 {
			value = otherwise
		}
		return min(value, most)
	}
	return Limits{
		Milliseconds: int(fill(int64(l.Milliseconds), DefaultMilliseconds, MaxMilliseconds)),
		Memory:       int(fill(int64(l.Memory), DefaultMemory, MaxMemory)),
		Work:         fill(l.Work, DefaultWork, 1<<32-1),
		First:        l.First,
	}
}

// The codes of a host's errors, without a reply.
const (
	CodeTimeout     = "timeout"       // the time limit was reached
	CodeMemory      = "memory"        // the memory limit was reached
	CodeAborted     = "aborted"       // the query was cancelled
	CodeUnavailable = "solver.load"   // the solver cannot be loaded
	CodeCrashed     = "solver.crash"  // the solver crashed
	CodeThreads     = "solver.thread" // the problem needs threads
)

// Status is the outcome of a query.
type Status string

// The statuses.
const (
	StatusSat       Status = "sat"     // a solution exists; with objectives, see Result.Proven
	StatusUnsat     Status = "unsat"   // no solution exists
	StatusUnknown   Status = "unknown" // the solver gave up; Message has the reason
	StatusUnbounded Status = "unbounded"
	StatusTimeout   Status = "timeout"
	StatusMemory    Status = "memory"
	StatusCancelled Status = "cancelled"
	StatusError     Status = "error" // of the text or the solver; see Message and Faults
)

// Result is the answer of a solver.
type Result struct {
	Solver     Solver      `json:"solver"`
	Status     Status      `json:"status"`
	Message    string      `json:"message"` // "" if the status needs no explanation
	Objectives []Objective `json:"objectives"`
	Model      []Value     `json:"model"` // in the order of the declarations
	// Core contains named parts that contradict each other, if the status is unsat and the
	// solver reports them.
	Core []Named `json:"core"`
	// Checks contains the statuses of all check-sat commands; the result is that of the last.
	Checks     []Status    `json:"checks"`
	Bound      string      `json:"bound"` // no solution is better than this; "" if unknown
	Gap        string      `json:"gap"`   // the distance of value and bound, relative to the value, as a decimal
	Statistics []Statistic `json:"statistics"`
	// Proven reports that no solution is better: with several objectives in their order, with
	// a Pareto front that no solution is better in one objective and worse in none.
	Proven   bool `json:"proven"`
	Searched int  `json:"searched"` // number of further queries of a [Search]
	// Faults are the solver's errors, at their places in the person's text.
	Faults       []source.Diagnostic `json:"-"`
	Milliseconds int                 `json:"milliseconds"`
	Version      string              `json:"version"`

	model *term // as the solver printed it
	broke bool  // the solver crashed, not because of its text
	first bool  // the solver stopped at the first solution
}

// Objective is an objective with its value in the solution. The value is exact if the solver
// is: an integer, a fraction "-2/3", or "∞" and "-∞". Of an optimum that is not proved, Low
// and High are the interval that contains it.
type Objective struct {
	Expression string `json:"expression"`
	Sense      string `json:"sense"` // "minimize", "maximize" or "soft"
	Value      string `json:"value"`
	Low        string `json:"low"`
	High       string `json:"high"`
	Strict     bool   `json:"strict"` // the value is a limit that no solution reaches
	// Shown is the value in the model, evaluated by this package; "" if that is impossible.
	Shown string      `json:"shown"`
	Span  source.Span `json:"-"`
}

// Value is the value of a name in a solution. Rationals have the form "-1/3"; values that are
// not numbers are written as the solver does.
type Value struct {
	Name   string      `json:"name"`
	Sort   string      `json:"sort"` // "Int", "Real", "Bool", …, of a function "(Int Int) Int"
	Value  string      `json:"value"`
	Params []string    `json:"params"` // parameters of a function, as its value names them
	Span   source.Span `json:"-"`      // of the declaration
}

// Named is a named part of the text.
type Named struct {
	Name string      `json:"name"`
	Span source.Span `json:"-"`
}

// Statistic is a figure that the solver reports.
type Statistic struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Problem describes a checked text, without its terms.
type Problem struct {
	Solver      Solver
	Names       []Name      // declarations, in order
	Named       []Named     // assertions or constraints with a name
	Objectives  []Objective // without values
	Constraints int
	Checks      int // check-sat commands of the text

	propositional bool // a single question about propositions only
	defs          map[string]*definition
	goals         []goal        // of each objective
	degree        int           // of the text's terms
	priority      string        // of several objectives: "" or "lex", "pareto", "box"
	assumes       bool          // a check-sat has assumptions
	last          source.Span   // the last check-sat of the text
	scoped        bool          // the text has push and pop
	checks, aims  []source.Span // check-sat commands and objectives, which a [Search] removes
	prints        []source.Span // commands without effect on the problem, most of which print
}

// Name is a declared name.
type Name struct {
	Name string
	Sort string // in the form of [Value]
	Span source.Span
}

// Check reads a problem and reports all its faults. The problem contains the valid part of a
// text with faults.
func Check(solver Solver, file *source.File) (Problem, []source.Diagnostic) {
	p, found, _ := CheckWithin(solver, file, nil) // a nil meter never fails
	return p, found
}

// CheckWithin is [Check] for large texts. It spends one or two steps of the meter per byte,
// and returns the meter's error.
func CheckWithin(solver Solver, file *source.File, m *meter.Meter) (Problem, []source.Diagnostic, error) {
	if found := unfit(file); found != nil {
		return Problem{Solver: solver}, found, nil
	}
	var p Problem
	var found []source.Diagnostic
	var err error
	switch solver {
	case Z3:
		p, found, err = checkSMT(file, m)
	case HiGHS:
		p, found, err = checkLP(file, m)
	default:
		return p, []source.Diagnostic{{Code: "solve.solver", Message: fmt.Sprintf("unknown solver %q (expected z3 or highs)", string(solver))}}, nil
	}
	p.Solver = solver
	if err != nil {
		return p, nil, err
	}
	source.Sort(found)
	if len(found) > MaxFound {
		rest := len(found) - MaxFound
		found = append(found[:MaxFound:MaxFound], source.Diagnostic{Code: "limit.found", Severity: source.SeverityInfo, Span: found[MaxFound].Span,
			Message: fmt.Sprintf("not listed: %d more", rest)})
	}
	return p, found, nil
}

// unfit reports a text that is too large or not text.
func unfit(file *source.File) []source.Diagnostic {
	if n := len(file.Text); n > MaxText {
		return []source.Diagnostic{{Code: "limit.text", Span: source.Span{Start: MaxText, End: source.Pos(n)},
			Message: fmt.Sprintf("the problem has %d MB; the maximum is %d MB, so shorten or split it", (n+500_000)/1_000_000, MaxText/1_000_000)}}
	}
	if i := strings.IndexByte(file.Text, 0); i >= 0 {
		return []source.Diagnostic{{Code: "source.binary", Span: source.Span{Start: source.Pos(i), End: source.Pos(i + 1)}, Message: "unexpected zero byte; this looks like a binary file"}}
	}
	return nil
}

// faults collects diagnostics, at most maxCollected of them.
type faults struct {
	list []source.Diagnostic
}

// maxCollected bounds the collected diagnostics. It exceeds MaxFound, because they are sorted
// by place before the first ones are shown.
const maxCollected = 20 * MaxFound

func (f *faults) add(d source.Diagnostic) {
	if len(f.list) < maxCollected {
		f.list = append(f.list, d)
	}
}

func (f *faults) report(span source.Span, code, format string, args ...any) {
	if len(f.list) < maxCollected {
		f.list = append(f.list, source.Diagnostic{Code: code, Span: span, Message: fmt.Sprintf(format, args...)})
	}
}

func (f *faults) warn(span source.Span, code, format string, args ...any) {
	if len(f.list) < maxCollected {
		f.list = append(f.list, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: fmt.Sprintf(format, args...)})
	}
}
