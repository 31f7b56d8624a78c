package formulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// queryMark is the prefix of the names of parts that answer the query, followed by a dot
// in SMT-LIB and by an underscore or a dot in LP.
const queryMark = "query"

// solved is the solver's result for a formulation.
type solved struct {
	status  string // one of the Status constants
	message string
	result  *solve.Result
	outcome outcome
	base    *Comparison
	without []solve.Value // the base plan
	steps   *Steps
	checks  []Check
	outline *solve.Outline // of the model's text
}

// planned reports whether there is a plan, optimal or not.
func (s *solved) planned() bool { return s.status == StatusSolved || s.status == StatusFeasible }

// String formats the result for a model's prompt.
func (s *solved) String() string {
	var b strings.Builder
	switch {
	case s.status == StatusSolved && s.steps != nil:
		fmt.Fprintf(&b, "The solver found a shortest plan, of %d steps:\n%s\n", len(s.steps.Plan), strings.Join(s.steps.Plan, "\n"))
	case s.planned():
		if s.status == StatusSolved {
			b.WriteString("The solver found an optimal solution.\n")
		} else {
			b.WriteString("The solver found a solution. Whether it is optimal is not proven.\n")
		}
		if s.outcome.objective != "" {
			b.WriteString("objective: " + s.outcome.objective + "\n")
			if r := s.result; s.status == StatusFeasible && r != nil && r.Bound != "" {
				b.WriteString("no solution is better than: " + r.Bound + "\n")
			}
		}
		zeros := 0
		for i, v := range s.outcome.model {
			if zero(v.Value) {
				zeros++
				continue
			}
			if i > maxReported {
				b.WriteString("… and more\n")
				break
			}
			b.WriteString(v.Name + " = " + v.Value + "\n")
		}
		if zeros > 0 {
			fmt.Fprintf(&b, "%d other variables are 0 or false\n", zeros)
		}
	case s.status == StatusInfeasible:
		b.WriteString("The problem has no solution.\n")
		if s.result != nil && len(s.result.Core) > 0 {
			names := make([]string, len(s.result.Core))
			for i, n := range s.result.Core {
				names[i] = n.Name
			}
			b.WriteString("These constraints contradict each other: " + strings.Join(names, ", ") + "\n")
		}
	case s.status == StatusUnbounded:
		b.WriteString("The objective is unbounded: for every solution there is a better one.\n")
	case s.status == StatusFailed:
		b.WriteString("The solver cannot read the text.\n")
	default:
		b.WriteString("The solver found no answer.\n")
	}
	if s.message != "" {
		b.WriteString(s.message + "\n")
	}
	if s.base != nil {
		fmt.Fprintf(&b, "Without the constraints of the question: %s, objective %s\n", s.base.Status, s.base.Objective)
	}
	return strings.TrimSpace(b.String())
}

// maxReported is the maximum number of values in a prompt.
const maxReported = 400

// generate makes the Code Generator write for the solver, and solves the text. A text
// with faults is written again, with the faults and their places in the prompt. If kept
// is true, the existing text is tried first.
func (r *run) generate(kept bool) error {
	var talk *conversation
	var faults []string
	for attempt := 1; ; attempt++ {
		if !kept || attempt > 1 {
			var err error
			switch {
			case talk == nil:
				values := r.values(StageGenerator)
				if len(faults) > 0 {
					values["trouble"] = bullets("The solver could not read an earlier text:", faults) + "The text was:\n" + r.model
				}
				talk, err = r.converse(StageGenerator, fill(r.settings.Templates.Generator, DefaultGenerator, values))
			default:
				talk.say(again(faults))
			}
			if err != nil {
				return err
			}
			var text string
			faults, err = talk.answer(func(said string) []string {
				text = fenced(said)
				return r.checkModel(text)
			})
			if err != nil {
				return err
			}
			by := "model"
			if len(faults) == 0 {
				if text, by, err = r.approve(StageGenerator, text, func(said string) (string, []string) {
					made := fenced(said)
					return made, r.checkModel(made)
				}); err != nil {
					return err
				}
			}
			r.take(StageGenerator, text, by)
		} else {
			faults = r.checkModel(r.model)
		}
		if len(faults) == 0 {
			if !kept || attempt > 1 {
				r.state(StageGenerator, StateDone, attempt, "")
			}
			var err error
			if faults, err = r.solve(attempt); err != nil || len(faults) == 0 {
				return err
			}
		}
		if attempt > r.regenerations {
			r.state(StageGenerator, StateFailed, attempt, faults[0])
			r.solved = solved{status: StatusFailed, message: strings.Join(faults, "; ")}
			return nil
		}
	}
}

// given returns the definitions before the model's text.
func (r *run) given() string {
	if r.notation != NotationSMT || strings.TrimSpace(r.p.API) == "" {
		return ""
	}
	return r.p.API
}

// withPrelude returns a text for Z3 after the given definitions.
func (r *run) withPrelude(text string) solve.WithPrelude {
	return solve.NewWithPrelude(source.NewFile(FileAPI, r.given()), source.NewFile(FileSMT, text))
}

func (r *run) solver() solve.Solver {
	if r.notation == NotationLP {
		return solve.HiGHS
	}
	return solve.Z3
}

// checkModel returns the faults of a text for the solver, with their lines, and records
// the mistakes.
func (r *run) checkModel(text string) []string {
	if strings.TrimSpace(text) == "" {
		return []string{"missing text for the solver"}
	}
	if r.steps() {
		spec, found := strips.Parse(source.NewFile(FilePDDL, text))
		if spec.Domain == nil && !source.HasErrors(found) {
			return []string{"missing domain: (define (domain …) …)"}
		}
		if spec.Problem == nil && !source.HasErrors(found) {
			return []string{"missing problem: (define (problem …) …)"}
		}
		if !source.HasErrors(found) {
			found = append(found, strips.Check(spec.Domain, spec.Problem)...)
		}
		return r.faulty(source.NewFile(FilePDDL, text), found)
	}
	file := source.NewFile(modelFile(r.notation), text)
	var found []source.Diagnostic
	if r.notation == NotationLP {
		_, found = solve.Check(solve.HiGHS, file)
	} else {
		_, found = r.withPrelude(text).Check()
	}
	return r.faulty(file, found)
}

// faulty returns the errors of a text with their lines, and records the mistakes: syntax
// errors and redefinitions of given names.
func (r *run) faulty(file *source.File, found []source.Diagnostic) (faults []string) {
	var given []string
	if text := r.given(); text != "" {
		o := solve.Outlined(solve.Z3, sourceOf(text))
		for _, n := range slices.Concat(o.Defines, o.Names) {
			given = append(given, n.Name)
		}
	}
	for _, d := range found {
		if d.Severity != source.SeverityError {
			continue
		}
		line := file.Locate(d.Span.Start).Line
		f := Finding{Mistake: MistakeSyntax, Stage: StageGenerator, Certain: true, Message: d.Message, File: file.Name, Line: line}
		if d.Code == "smt.redeclared" && slices.Contains(given, file.Slice(d.Span)) {
			f.Mistake = MistakeOverwritten
		}
		if len(faults) == 0 || f.Mistake == MistakeOverwritten {
			r.find(f)
		}
		if len(faults) < 8 {
			faults = append(faults, fmt.Sprintf("line %d: %s", line, d.Message))
		}
	}
	return faults
}

// solve solves the model and examines the result. It returns the faults of a text that
// the solver cannot read.
func (r *run) solve(attempt int) (faults []string, err error) {
	r.solved = solved{}
	r.state(StageSolver, StateRunning, attempt, "")
	if r.steps() {
		err = r.solveSteps(attempt)
	} else {
		faults, err = r.solveChoice(attempt)
	}
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		r.state(StageSolver, StateFailed, attempt, faults[0])
		return faults, nil
	}
	r.state(StageSolver, StateDone, attempt, r.solved.message)
	return nil, nil
}

// question sends a query to the solver.
func (r *run) question(purpose, text string, attempt, steps int) (solve.Result, error) {
	e := SolveEvent{Kind: "formulate.solve", Round: r.round, Attempt: attempt, Purpose: purpose, Horizon: steps, Solver: r.solver(), Bytes: len(text)}
	r.env.Emit(e)
	result, err := r.env.Solve(r.solver(), text, r.settings.Limits)
	if err != nil {
		return result, err
	}
	r.count(StageSolver, Spent{Solving: result.Milliseconds, Solves: 1})
	e.Result = &result
	r.env.Emit(e)
	return result, nil
}

// solveChoice solves a model whose plan is a choice of values.
func (r *run) solveChoice(attempt int) (faults []string, err error) {
	text := r.model
	if r.notation == NotationSMT {
		text = r.withPrelude(text).Text()
	}
	result, err := r.question("query", text, attempt, 0)
	if err != nil {
		return nil, err
	}
	if r.notation == NotationSMT {
		result = r.withPrelude(r.model).Result(result)
	}
	file := source.NewFile(modelFile(r.notation), r.model)
	s := &r.solved
	s.outline = solve.Outlined(r.solver(), file)
	if result.Status == solve.StatusError {
		if faults = r.faulty(file, result.Faults); len(faults) == 0 {
			faults = []string{result.Message}
		}
		return faults, nil
	}
	s.result = &result
	s.status, s.message = statusOf(result)
	if s.status == StatusInfeasible && len(result.Core) == 0 {
		if err := r.core(text, attempt); err != nil {
			return nil, err
		}
	}
	s.outcome = outcomeOf(result)
	if err := r.compare(text, attempt); err != nil {
		return nil, err
	}
	r.examine()
	return nil, r.examineDirection(text, attempt)
}

// statusOf converts a solver's answer to the status of a query.
func statusOf(result solve.Result) (status, message string) {
	best := len(result.Objectives) > 0
	if best && !result.Proven && (result.Status == solve.StatusSat || len(result.Model) > 0) && result.Status != solve.StatusUnbounded {
		return StatusFeasible, or(result.Message, result.Quality())
	}
	switch result.Status {
	case solve.StatusSat:
		for _, o := range result.Objectives {
			if strings.Contains(o.Value, "∞") {
				return StatusUnbounded, ""
			}
		}
		return StatusSolved, result.Message
	case solve.StatusUnsat:
		return StatusInfeasible, result.Message
	case solve.StatusUnbounded:
		return StatusUnbounded, result.Message
	case solve.StatusTimeout:
		message = "the solver reached its time limit"
	case solve.StatusMemory:
		message = "the solver reached its memory limit"
	}
	return StatusUnknown, or(result.Message, message)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// outcomeOf prepares a solution for filling forms.
func outcomeOf(result solve.Result) outcome {
	o := outcome{model: result.Model, families: solve.Families(result.Model)}
	if len(result.Objectives) > 0 {
		o.objective = result.Objectives[0].Value
		if !result.Proven {
			o.aim, o.bound = &result.Objectives[0], result.Bound
		}
	}
	return o
}

// core asks the solver for the assertions that contradict each other. Before that it
// names unnamed assertions by their lines.
func (r *run) core(text string, attempt int) error {
	if r.solver() != solve.Z3 {
		return nil
	}
	file := source.NewFile(FileSMT, text)
	outline := solve.Outlined(solve.Z3, file)
	var b strings.Builder
	at := source.Pos(0)
	named := false
	used := map[int]int{}                                        // assertions that begin on a line
	before := strings.Count(text[:len(text)-len(r.model)], "\n") // lines of the given definitions
	for _, p := range outline.Parts {
		body := text[p.Span.Start:p.Span.End]
		switch {
		case p.Objective(): // feasibility does not depend on the objective
			b.WriteString(text[at:p.Span.Start])
			at = p.Span.End
		case p.Name == "" && strings.HasPrefix(body, "(assert"):
			open := p.Span.Start + source.Pos(len("(assert"))
			line := file.Locate(p.Span.Start).Line - before
			name := fmt.Sprintf("line %d", line)
			if used[line]++; used[line] > 1 { // names are unique
				name += fmt.Sprintf(" (%d)", used[line])
			}
			fmt.Fprintf(&b, "%s (! %s :named |%s|))", text[at:open], strings.TrimSpace(text[open:p.Span.End-1]), name)
			at = p.Span.End
			named = true
		}
	}
	if !named {
		return nil
	}
	b.WriteString(text[at:])
	result, err := r.question("core", b.String(), attempt, 0)
	if err == nil && result.Status == solve.StatusUnsat {
		r.solved.result.Core = result.Core
	}
	return err
}
