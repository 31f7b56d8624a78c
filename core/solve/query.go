// Package solve checks problems for solvers and reads their answers: SMT-LIB 2 for Z3, and the
// LP format of CPLEX for HiGHS.
//
// A text is checked here, with the place of every fault, before a solver sees it, because a
// solver reports only the first fault and often the line after it. The solver's output is
// converted to a [Result], with places in the text that the person wrote.
//
// The package does not solve. [Prepare] creates the [Query] that a host passes to a solver,
// and [Read] reads its [Reply]; in between a process waits for an effect. A model's text is
// data at both ends: only the SMT-LIB commands that describe a problem are accepted, and
// only options that cannot access files, clocks or threads.
//
// Why not package sexpr: in its texts # begins a comment, in SMT-LIB a number; and a
// problem of 10⁵ variables is read one command at a time, so that its complete tree is
// never in memory.
package solve

// Solver is the name of a solver, which determines the language of its problems.
type Solver string

// The solvers.
const (
	Z3    Solver = "z3"    // SMT-LIB 2
	HiGHS Solver = "highs" // LP
)

// Limits bound one query. Zero means the default.
type Limits struct {
	Milliseconds int   `json:"milliseconds,omitempty"`
	Memory       int   `json:"memory,omitempty"` // MiB
	Work         int64 `json:"work,omitempty"`   // in Z3's unit, which does not depend on the machine; HiGHS has none
	First        bool  `json:"first,omitempty"`  // accept the first solution, whatever its objective
}

// Query is the input of a solver: the prepared text, and when to stop. A host enforces
// Milliseconds by ending the solver. For Z3 the limits of memory and work are in the text.
type Query struct {
	Solver       Solver `json:"solver"`
	Text         string `json:"text"`
	Milliseconds int    `json:"milliseconds"`
	Memory       int    `json:"memory"` // MiB
	// First makes HiGHS stop at the first solution; for Z3 the text then has no objectives.
	First bool `json:"first,omitempty"`
}

// Reply is a solver's output: Z3's text, or HiGHS's result as the JSON of [highsReply].
// Milliseconds exclude the loading of the solver.
type Reply struct {
	Text         string `json:"text"`
	Milliseconds int    `json:"milliseconds"`
	Version      string `json:"version,omitempty"`
}
