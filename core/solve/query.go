// Package solve holds what is asked of a solver and what it answers: problems in
// SMT-LIB 2, for Z3, and in the LP format of CPLEX, for HiGHS.
//
// A text is checked here, with the place of every fault, before a solver sees it: a
// solver's own words are about the first fault only, and often about the line behind
// it. What the solver then prints is read into a [Result]; what it says about a place
// is put at that place of the text that the person wrote.
//
// The package does no solving. [Prepare] makes the [Query] that a host hands to a
// solver, and [Read] makes sense of its [Reply]; in between a process waits for an
// effect. What a model writes is data to both ends: of SMT-LIB's commands only those
// pass that describe a problem, of its options only those that cannot touch a file, a
// clock or a thread.
//
// Why not package sexpr: a # begins a comment there and a number here, and a problem of
// 10⁵ variables is read one command at a time, so that no tree of all of it is held.
package solve

// Solver names a solver and with it the language of its problems.
type Solver string

// The solvers.
const (
	Z3    Solver = "z3"    // SMT-LIB 2
	HiGHS Solver = "highs" // LP
)

// Limits bound one question to a solver. Zero stands for the default.
type Limits struct {
	Milliseconds int   `json:"milliseconds,omitempty"`
	Memory       int   `json:"memory,omitempty"` // MiB
	Work         int64 `json:"work,omitempty"`   // Z3's own count, the same on every machine; HiGHS has none
	First        bool  `json:"first,omitempty"`  // the first solution will do, however good it is
}

// Query is what a host hands to a solver: a text as the solver takes it, and when to
// give up. A host keeps to Milliseconds by ending the solver; memory and work are in the
// text where the solver counts them itself.
type Query struct {
	Solver       Solver `json:"solver"`
	Text         string `json:"text"`
	Milliseconds int    `json:"milliseconds"`
	Memory       int    `json:"memory"` // MiB
	// First asks HiGHS for the first solution; of a text for Z3 the objectives are left out.
	First bool `json:"first,omitempty"`
}

// Reply is a solver's answer as it printed it: Z3's text, or HiGHS's result as the JSON
// of [highsReply]. Milliseconds are the solver's own, without its loading.
type Reply struct {
	Text         string `json:"text"`
	Milliseconds int    `json:"milliseconds"`
	Version      string `json:"version,omitempty"`
}
