package solve

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// mark is the prefix of the lines that Z3 prints before each part of its answer. Since the
// text's own prints are removed, no other line has it.
const mark = "stile."

// lead is the number of lines that [Prepare] adds before a text for Z3.
const lead = 1

// Prepare returns the query for a checked text: with the limits that a solver enforces
// itself, and for Z3 with the commands that complete an answer. Line breaks of the text are
// kept, because [Read] maps lines to places.
//
// Without opt.elim_01 Z3 is a hundred times slower at the optimum of a small supply chain. A
// problem about propositions uses Z3's SAT solver directly: Z3's default preprocessing takes
// four times as long as the answer. The unsat core is requested only if something has a name,
// because it disables some simplifications.
func Prepare(solver Solver, text string, p Problem, limits Limits) Query {
	l := limits.filled()
	q := Query{Solver: solver, Text: text, Milliseconds: l.Milliseconds, Memory: l.Memory, First: l.First}
	if solver != Z3 {
		return q
	}
	if len(p.Objectives) > 0 && p.degree >= degreeOther {
		q.Milliseconds = max(l.Milliseconds/4, min(l.Milliseconds, 1_000)) // the remaining time is for a [Search]
	}
	var b strings.Builder
	b.Grow(len(text) + 700)
	b.WriteString("(set-option :print-success false)(set-option :opt.elim_01 false)(set-option :rlimit " + strconv.FormatInt(l.Work, 10) +
		")(set-option :memory_max_size " + strconv.Itoa(l.Memory) + ")")
	if len(p.Named) > 0 {
		b.WriteString("(set-option :produce-unsat-cores true)")
	}
	if p.propositional {
		b.WriteString("(set-option :tactic.default_tactic sat)")
	}
	drop := p.prints
	if l.First && len(p.Objectives) > 0 {
		drop = append(drop[:len(drop):len(drop)], p.aims...)
		p.Objectives = nil
	}
	b.WriteString("\n" + blanked(text, drop) + "\n")
	if p.Checks == 0 {
		b.WriteString("(check-sat)")
	}
	ask := func(part, command string) { b.WriteString("(echo \"" + mark + part + "\")" + command) }
	ask("reason", "(get-info :reason-unknown)")
	if len(p.Objectives) > 0 {
		ask("objectives", "(get-objectives)")
	}
	ask("model", "(get-model)")
	if len(p.Named) > 0 {
		ask("core", "(get-unsat-core)")
	}
	ask("statistics", "(get-info :all-statistics)")
	b.WriteString("\n")
	q.Text = b.String()
	return q
}

// blanked returns the text with spaces instead of commands that print. The output of an echo
// could be mistaken for an answer, and printing a model can take Z3 as long as finding it,
// although only the last model is read. Z3 also reports a wrong (set-info :status) as an
// error.
func blanked(text string, commands []source.Span) string {
	if len(commands) == 0 {
		return text
	}
	out := []byte(text)
	for _, span := range commands {
		for i := span.Start; i < span.End; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// Failed returns the result of a query that a host answers with an error of that code.
func Failed(solver Solver, code, message string) Result {
	r := empty(solver)
	r.Message = message
	r.broke = code == CodeCrashed || code == CodeThreads
	switch code {
	case CodeTimeout:
		r.Status = StatusTimeout
	case CodeMemory:
		r.Status = StatusMemory
	case CodeAborted:
		r.Status = StatusCancelled
	default:
		r.Status = StatusError
	}
	return r
}

// Faulty returns the result of a text with faults, which no solver sees.
func Faulty(solver Solver, found []source.Diagnostic) Result {
	r := empty(solver)
	r.Status, r.Faults = StatusError, found
	errors := 0
	for _, d := range found {
		if d.Severity == source.SeverityError {
			if errors++; errors == 1 {
				r.Message = d.Message
			}
		}
	}
	if errors > 1 {
		r.Message += "; and " + strconv.Itoa(errors-1) + " more"
	}
	return r
}

func empty(solver Solver) Result {
	return Result{Solver: solver, Objectives: []Objective{}, Model: []Value{}, Core: []Named{}, Checks: []Status{}, Statistics: []Statistic{}}
}

// Read converts a solver's reply to the text that was passed to [Prepare].
func Read(file *source.File, p Problem, reply Reply) Result {
	r := empty(p.Solver)
	r.Milliseconds, r.Version = reply.Milliseconds, reply.Version
	if p.Solver == Z3 {
		readZ3(file, p, reply.Text, &r)
	} else {
		readHiGHS(file, p, reply.Text, &r)
	}
	return r
}
