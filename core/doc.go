// Package core holds nothing itself; it is the root of the core's packages, all
// of them pure Go: no network, no files, no clock, no goroutine that outlives a
// call. Whatever needs the outside world is a process (core/process) that yields
// an effect and is resumed with its answer.
//
// The packages lie in rows. A package imports only from rows below its own, and
// imports_test.go holds the table:
//
//	0  source, meter, natural,    texts with places; work limits; counts;
//	   bitset, json               small sets; the wire
//	1  sexpr, lines, automaton,   notations, finite automata,
//	   grammar                    grammars
//	2  earley, pushdown, ltl      parsing, pushdown automata, temporal formulas
//	3  flow, agent, verify,       flowcharts; agents' behaviours; proofs;
//	   export, strips             the notations of other tools; plans by steps
//	4  process, llm, tool,        coroutines with effects; language models; what
//	   domains                    carries a plan out; problems to plan in
//	5  plan, monitor              the two ways to run a model
//	6  team, learn                several of them, for one task; learners
//	7  workspace, language, view  what a person edits, and what is drawn
//	8  session                    the façade: one request in, one reply out
package core
