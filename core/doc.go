// Package core is the root of the core's packages. It contains no code itself.
//
// The core is pure Go without I/O, clocks and goroutines. Work that needs the outside
// world is a process (package process): it yields an effect, such as a model call, and
// resumes with the answer.
//
// The packages form rows, and a package imports only packages of lower rows; the table
// is in imports_test.go. From the lowest row to the highest:
//
//   - source, meter, json, bitset: positions in texts, work limits, JSON, sets
//   - event, sexpr, lines, grammar, automaton, earley, counting, pushdown, ltl, flow, agent:
//     notations, their parsers and their automata
//   - verify, export, strips, solve, bench: proofs, exports, PDDL, SMT-LIB and LP,
//     speed comparisons
//   - process, llm, tool, domains, trace: effects, language models, tools, benchmark domains,
//     recorded runs
//   - plan, monitor, team, formulate, guard, learn, travel, apibank, lab: the programs
//     that run models
//   - workspace, language, view: files, editor services, diagrams
//   - session: the API, one request in and one reply out
//   - markdown: Markdown with diagrams, which is not part of the module
//
// ARCHITECTURE.md describes the layers and how data flows through them.
package core
