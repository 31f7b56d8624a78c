//go:build !first

package solve

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxText is the largest problem, in bytes, that is read. A problem of 10⁵ variables
// takes some 10 MB; what is far beyond that no solver in a page gets through.
const MaxText = 24 << 20

// MaxFound is how many faults of one text are reported: who wrote a text with more has
// one mistake in it that was made many times.
const MaxFound = 100

// The defaults of [Limits] and the most that they may be. The solvers in the page have
// 2 GiB of memory at most.
const (
	DefaultMilliseconds = 60_000
	MaxMilliseconds     = 3_600_000
	DefaultMemory       = 1_500
	MaxMemory           = 1_900
	DefaultWork         = 2_000_000_000
)

// filled returns the limits with the defaults in the place of zeros, and nothing beyond
// what is possible.
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

// The codes by which a host says that there is no reply.
const (
	CodeTimeout     = "timeout"       // the time was over
	CodeMemory      = "memory"        // the memory was full
	CodeAborted     = "aborted"       // somebody wanted no answer any more
	CodeUnavailable = "solver.load"   // the solver is not there and cannot be fetched
	CodeCrashed     = "solver.crash"  // the solver broke down
	CodeThreads     = "solver.thread" // the problem wants what takes threads
)

// Status says how a question ended.
type Status string

// The statuses.
const (
	StatusSat       Status = "sat"     // there is a solution; with objectives, a best one
	StatusUnsat     Status = "unsat"   // there is none
	StatusUnknown   Status = "unknown" // the solver gave up; Message says why
	StatusUnbounded Status = "unbounded"
	StatusTimeout   Status = "timeout"
	StatusMemory    Status = "memory"
	StatusCancelled Status = "cancelled"
	StatusError     Status = "error" // the text is at fault, or the solver; see Message and Faults
)

// Result is an answer with its types.
type Result struct {
	Solver     Solver      `json:"solver"`
	Status     Status      `json:"status"`
	Message    string      `json:"message"` // one plain sentence, "" where the status says it all
	Objectives []Objective `json:"objectives"`
	Model      []Value     `json:"model"` // in the order of the declarations
	// Core are the named parts that cannot hold together, where the status is unsat and
	// the solver told.
	Core []Named `json:"core"`
	// Checks are the statuses of all questions of the text; the last is the one that
	// the rest is about.
	Checks     []Status    `json:"checks"`
	Bound      string      `json:"bound"` // what no solution can be better than, "" where not told
	Gap        string      `json:"gap"`   // how far the value is from the bound, as a part of the value
	Statistics []Statistic `json:"statistics"`
	// Proven says that no solution is better: of several objectives, in their order; of a
	// Pareto front, that none is better in one and worse in none.
	Proven   bool `json:"proven"`
	Searched int  `json:"searched"` // further questions that were asked for it
	// Faults are what the solver found wrong, at their places in the person's text.
	Faults       []source.Diagnostic `json:"-"`
	Milliseconds int                 `json:"milliseconds"`
	Version      string              `json:"version"`

	model *term // as the solver printed it
	broke bool  // the solver did, and not for its text
	first bool  // the solver looked for no better one
}

// Objective is what was to be the least or the greatest. Its value is exact where the
// solver is: a whole number, a fraction "-2/3", or "∞" and "-∞". Where the best was not
// reached, Low and High are what it lies between.
type Objective struct {
	Expression string `json:"expression"`
	Sense      string `json:"sense"` // "minimize", "maximize" or "soft"
	Value      string `json:"value"`
	Low        string `json:"low"`
	High       string `json:"high"`
	Strict     bool   `json:"strict"` // the value is approached, never reached
	// Shown is the value in the model, evaluated here: "" where it could not be.
	Shown string      `json:"shown"`
	Span  source.Span `json:"-"`
}

// Value is what a name stands for in a solution. Exact rationals are texts like "-1/3";
// what is no number is as the solver writes it.
type Value struct {
	Name   string      `json:"name"`
	Sort   string      `json:"sort"` // "Int", "Real", "Bool", …, of a function "(Int Int) Int"
	Value  string      `json:"value"`
	Params []string    `json:"params"` // of a function, as its value names them
	Span   source.Span `json:"-"`      // of the declaration
}

// Named is a part of the text that has a name.
type Named struct {
	Name string      `json:"name"`
	Span source.Span `json:"-"`
}

// Statistic is a figure of the solver's.
type Statistic struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Problem is what a text says, without its terms.
type Problem struct {
	Solver      Solver
	Names       []Name      // what it declares, in order
	Named       []Named     // assertions or constraints with a name
	Objectives  []Objective // without values
	Constraints int
	Checks      int // questions that the text itself asks

	propositional bool // it is one question about propositions, for a solver of those
	defs          map[string]*definition
	goals         []goal        // of each objective
	degree        int           // of the text's terms
	priority      string        // of several objectives: "" or "lex", "pareto", "box"
	assumes       bool          // a question has assumptions
	last          source.Span   // the last question of the text
	scoped        bool          // it has push and pop
	checks, aims  []source.Span // questions and objectives, without which another question is asked
	prints        []source.Span // commands that ask nothing of the problem, most of which print
}

// Name is a declaration.
type Name struct {
	Name string
	Sort string // as [Value] has it
	Span source.Span
}

// Check reads a problem and reports all that is wrong with it. The problem is what was
// understood, also where there are faults.
func Check(solver Solver, file *source.File) (Problem, []source.Diagnostic) {
	p, found, _ := CheckWithin(solver, file, nil) // a nil meter ends nothing
	return p, found
}

// CheckWithin is [Check] for a text that may be large: it spends a step of the meter or
// two a byte, and ends with the meter's error.
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
		return p, []source.Diagnostic{{Code: "solve.solver", Message: fmt.Sprintf("there is no solver %q; there are z3 and highs", string(solver))}}, nil
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

// unfit reports what makes a text unfit for any reader.
func unfit(file *source.File) []source.Diagnostic {
	if n := len(file.Text); n > MaxText {
		return []source.Diagnostic{{Code: "limit.text", Span: source.Span{Start: MaxText, End: source.Pos(n)},
			Message: fmt.Sprintf("this problem has %d MB, and %d MB are the most that a solver is given; say it in fewer words, or split it", (n+500_000)/1_000_000, MaxText/1_000_000)}}
	}
	if i := strings.IndexByte(file.Text, 0); i >= 0 {
		return []source.Diagnostic{{Code: "source.binary", Span: source.Span{Start: source.Pos(i), End: source.Pos(i + 1)}, Message: "this looks like a binary file: there is a zero byte here"}}
	}
	return nil
}

// faults gathers what is wrong. Beyond what is ever shown it only counts.
type faults struct {
	list []source.Diagnostic
}

// room bounds what is gathered: enough for the first hundred to be the first by place.
const room = 20 * MaxFound

func (f *faults) add(d source.Diagnostic) {
	if len(f.list) < room {
		f.list = append(f.list, d)
	}
}

func (f *faults) report(span source.Span, code, format string, args ...any) {
	if len(f.list) < room {
		f.list = append(f.list, source.Diagnostic{Code: code, Span: span, Message: fmt.Sprintf(format, args...)})
	}
}

func (f *faults) warn(span source.Span, code, format string, args ...any) {
	if len(f.list) < room {
		f.list = append(f.list, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: fmt.Sprintf(format, args...)})
	}
}
