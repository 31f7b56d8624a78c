package formulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// queryMark is what the names of those parts begin with that answer the query, in
// SMT-LIB with a dot behind it and in LP with an underscore or a dot.
const queryMark = "query"

// solved is what a solver made of a formulation.
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

// planned reports whether there is a plan, the best or not.
func (s *solved) planned() bool { return s.status == StatusSolved || s.status == StatusFeasible }

// String tells a model of it.
func (s *solved) String() string {
	var b strings.Builder
	switch {
	case s.status == StatusSolved && s.steps != nil:
		fmt.Fprintf(&b, "A shortest plan has been found, of %d steps:\n%s\n", len(s.steps.Plan), strings.Join(s.steps.Plan, "\n"))
	case s.planned():
		if s.status == StatusSolved {
			b.WriteString("A best solution has been found; it is proven that none is better.\n")
		} else {
			b.WriteString("A solution has been found. It is not proven that none is better.\n")
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
			if i > maxTold {
				b.WriteString("… and more\n")
				break
			}
			b.WriteString(v.Name + " = " + v.Value + "\n")
		}
		if zeros > 0 {
			fmt.Fprintf(&b, "%d more, which are 0 or false\n", zeros)
		}
	case s.status == StatusInfeasible:
		b.WriteString("There is no solution.\n")
		if s.result != nil && len(s.result.Core) > 0 {
			names := make([]string, len(s.result.Core))
			for i, n := range s.result.Core {
				names[i] = n.Name
			}
			b.WriteString("These cannot hold together: " + strings.Join(names, ", ") + "\n")
		}
	case s.status == StatusUnbounded:
		b.WriteString("Nothing bounds the objective: to every solution there is a better one.\n")
	case s.status == StatusFailed:
		b.WriteString("The solver cannot take the text.\n")
	default:
		b.WriteString("The solver has no answer.\n")
	}
	if s.message != "" {
		b.WriteString(s.message + "\n")
	}
	if s.base != nil {
		fmt.Fprintf(&b, "Without what the question adds: %s, objective %s\n", s.base.Status, s.base.Objective)
	}
	return strings.TrimSpace(b.String())
}

// maxTold is how many values a model is told of.
const maxTold = 400

// generate has the Code Generator write for the solver, and the solver solve it. What
// the solver cannot take is written anew, with its words and places. With kept, the text
// that is there is tried first.
func (r *run) generate(kept bool) error {
	var talk *talk
	var faults []string
	for attempt := 1; ; attempt++ {
		if !kept || attempt > 1 {
			var err error
			switch {
			case talk == nil:
				values := r.values(StageGenerator)
				if len(faults) > 0 {
					values["trouble"] = bullets("It was written before, and the solver could not take it:", faults) + "The text was:\n" + r.model
				}
				talk, err = r.talk(StageGenerator, fill(r.settings.Templates.Generator, DefaultGenerator, values))
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

// given returns what stands before the model's text for the solver.
func (r *run) given() string {
	if r.notation != NotationSMT || strings.TrimSpace(r.p.API) == "" {
		return ""
	}
	return r.p.API
}

// behind is a text for Z3 behind what is given.
func (r *run) behind(text string) solve.Behind {
	return solve.NewBehind(source.NewFile(FileAPI, r.given()), source.NewFile(FileSMT, text))
}

// solver is what the notation is for.
func (r *run) solver() solve.Solver {
	if r.notation == NotationLP {
		return solve.HiGHS
	}
	return solve.Z3
}

// checkModel returns what is wrong with a text for the solver, with its lines, and notes
// the mistakes.
func (r *run) checkModel(text string) []string {
	if strings.TrimSpace(text) == "" {
		return []string{"there is no text for the solver"}
	}
	if r.steps() {
		spec, found := strips.Parse(source.NewFile(FilePDDL, text))
		if spec.Domain == nil && !source.HasErrors(found) {
			return []string{"there is no domain: (define (domain …) …)"}
		}
		if spec.Problem == nil && !source.HasErrors(found) {
			return []string{"there is no problem: (define (problem …) …)"}
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
		_, found = r.behind(text).Check()
	}
	return r.faulty(file, found)
}

// faulty returns the errors of a text with their lines, and notes the mistakes: that the
// solver cannot take it, or that it defines anew what is given.
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

// solve has the solver solve the model, and examines what comes of it. Faults are what
// the solver could not take.
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

// question asks the solver.
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
		text = r.behind(text).Text()
	}
	result, err := r.question("query", text, attempt, 0)
	if err != nil {
		return nil, err
	}
	if r.notation == NotationSMT {
		result = r.behind(r.model).Result(result)
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

// statusOf says how a solver's answer ends a query.
func statusOf(result solve.Result) (status, message string) {
	best := len(result.Objectives) > 0
	if best && !result.Proven && (result.Status == solve.StatusSat || len(result.Model) > 0) && result.Status != solve.StatusUnbounded {
		return StatusFeasible, or(result.Message, result.Standing())
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
		message = "the solver's time was over"
	case solve.StatusMemory:
		message = "the solver's memory was full"
	}
	return StatusUnknown, or(result.Message, message)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// outcomeOf returns a solution for forms.
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

// core asks once more what cannot hold together, with the assertions named by their
// lines that the text leaves without a name.
func (r *run) core(text string, attempt int) error {
	if r.solver() != solve.Z3 {
		return nil
	}
	file := source.NewFile(FileSMT, text)
	outline := solve.Outlined(solve.Z3, file)
	var b strings.Builder
	at := source.Pos(0)
	named := 0
	before := strings.Count(text[:len(text)-len(r.model)], "\n") // lines of what is given
	for _, p := range outline.Parts {
		body := text[p.Span.Start:p.Span.End]
		switch {
		case p.Objective(): // whether there is any solution does not depend on which is best
			b.WriteString(text[at:p.Span.Start])
			at = p.Span.End
		case p.Name == "" && strings.HasPrefix(body, "(assert"):
			open := p.Span.Start + source.Pos(len("(assert"))
			fmt.Fprintf(&b, "%s (! %s :named |line %d|))", text[at:open], strings.TrimSpace(text[open:p.Span.End-1]), file.Locate(p.Span.Start).Line-before)
			at = p.Span.End
			named++
		}
	}
	if named == 0 {
		return nil
	}
	b.WriteString(text[at:])
	result, err := r.question("core", b.String(), attempt, 0)
	if err == nil && result.Status == solve.StatusUnsat {
		r.solved.result.Core = result.Core
	}
	return err
}

// isQuery reports whether a part of a model answers the query.
func isQuery(name string) bool {
	rest, ok := strings.CutPrefix(name, queryMark)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '_')
}

// compare sets the plan beside the one without what the query adds.
func (r *run) compare(text string, attempt int) error {
	s := &r.solved
	whole := solve.Outlined(r.solver(), source.NewFile(modelFile(r.notation), text))
	var added []solve.Part
	for _, p := range whole.Parts {
		if isQuery(p.Name) {
			added = append(added, p)
		}
	}
	if len(added) == 0 || !s.planned() && s.status != StatusInfeasible {
		return nil
	}
	bare := solve.Without(text, added)
	base, err := r.question("base", bare, attempt, 0)
	if err != nil {
		return err
	}
	out := outcomeOf(base)
	s.base = &Comparison{Objective: out.objective, Changed: []Change{}}
	s.base.Status, _ = statusOf(base)
	if s.base.Status != StatusSolved && s.base.Status != StatusFeasible {
		return nil
	}
	s.without = base.Model
	before := map[string]string{}
	for _, v := range base.Model {
		before[v.Name] = v.Value
	}
	for _, v := range s.outcome.model {
		if was, ok := before[v.Name]; ok && was != v.Value && len(s.base.Changed) < maxTold {
			s.base.Changed = append(s.base.Changed, Change{v.Name, was, v.Value})
		}
	}
	return nil
}

// examineDirection finds out whether what a question why, or why not, adds is so without
// it already. Then either its direction is wrong, or the question asks about what the plan
// does not have (Hao et al. 2024, §A.4.3), which words alone can tell; so it is never
// certain. Of a formulation with other mistakes it says nothing.
func (r *run) examineDirection(text string, attempt int) error {
	s := &r.solved
	if r.ask != AskWhy && r.ask != AskWhyNot || s.without == nil {
		return nil
	}
	for _, f := range r.standing() {
		if f.Certain {
			return nil
		}
	}
	fixed, err := r.question("direction", r.fixed(text, s.without), attempt, 0)
	if err != nil || fixed.Status != solve.StatusSat {
		return err
	}
	act := "forbidding"
	if r.ask == AskWhyNot {
		act = "forcing"
	}
	line := 0
	for _, p := range s.outline.Parts {
		if isQuery(p.Name) && line == 0 {
			line = 1 + strings.Count(r.model[:p.Span.Start], "\n")
		}
	}
	r.find(Finding{Mistake: MistakeDirection, Stage: StageGenerator, File: modelFile(r.notation), Line: line,
		Message: "the plan is like that without the question's constraints already: a question " + strings.ReplaceAll(r.ask, "-", " ") + " is answered by " + act + " what it asks about, unless the plan is not as it says"})
	return nil
}

// fixed returns a text in which the variables have the values of another solution.
func (r *run) fixed(text string, model []solve.Value) string {
	var b strings.Builder
	if r.notation == NotationLP {
		at := len(text)
		for _, word := range []string{"\nbounds", "\ngeneral", "\nbinary", "\ninteger", "\nend"} {
			if i := strings.Index(strings.ToLower(text), word); i >= 0 {
				at = min(at, i+1)
			}
		}
		b.WriteString(text[:at] + "Bounds\n")
		for _, v := range model {
			b.WriteString(" " + v.Name + " = " + v.Value + "\n")
		}
		return b.String() + text[at:]
	}
	end := solve.Outlined(solve.Z3, source.NewFile(FileSMT, text)).End
	b.WriteString(text[:end] + "\n")
	for _, v := range model {
		if value, ok := literal(v); ok {
			b.WriteString("(assert (= " + quoted(v.Name) + " " + value + "))\n")
		}
	}
	return b.String() + text[end:]
}

// literal writes a value in SMT-LIB.
func literal(v solve.Value) (string, bool) {
	if len(v.Params) > 0 || v.Sort != "Int" && v.Sort != "Real" && v.Sort != "Bool" || strings.Contains(v.Value, "∞") {
		return "", false
	}
	text, negative := strings.CutPrefix(v.Value, "-")
	if over, under, ok := strings.Cut(text, "/"); ok {
		text = "(/ " + over + ".0 " + under + ".0)"
	} else if v.Sort == "Real" && !strings.Contains(text, ".") {
		text += ".0"
	}
	if negative {
		text = "(- " + text + ")"
	}
	return text, true
}

// quoted writes a name in SMT-LIB.
func quoted(name string) string {
	for _, c := range name {
		if c < 0x80 && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.ContainsRune("~!@$%^&*_-+=<>.?/", c)) {
			continue
		}
		return "|" + name + "|"
	}
	return name
}

// solveSteps looks for a shortest plan.
func (r *run) solveSteps(attempt int) error {
	s := &r.solved
	spec, _ := strips.Parse(source.NewFile(FilePDDL, r.model))
	task, err := strips.Ground(spec.Domain, spec.Problem, r.env.Meter())
	if err != nil {
		return err
	}
	encoding, err := task.Encode(r.env.Meter())
	if err != nil {
		return err
	}
	if r.setup.Restrict != nil {
		if err := r.setup.Restrict(r.env, spec, encoding); err != nil {
			return err
		}
	}
	wanted := horizon{}
	if n, fault := json.Tree(r.variables); fault == nil {
		wanted, _ = horizonOf(n)
	}
	limit := r.settings.Horizon
	if limit == 0 {
		limit = DefaultHorizon
	}
	most := limit
	if wanted.Most > 0 {
		most = min(most, wanted.Most)
	}
	steps, plan, err := r.search(encoding, wanted.From, most, attempt)
	if err != nil {
		return err
	}
	if err := r.examineHorizon(encoding, wanted, &steps, limit, attempt); err != nil {
		return err
	}
	s.steps = &steps
	s.outcome.plan = steps.Plan
	if plan == nil {
		return nil
	}
	s.outcome.objective = fmt.Sprint(len(plan))
	states, fault := strips.Validate(spec.Domain, spec.Problem, plan)
	if fault != nil { // the encoding is at fault, not the model
		return source.NewError("internal", "the plan that was found cannot be carried out: "+fault.Message)
	}
	for _, state := range states {
		steps.States = append(steps.States, State{orNone(state.Facts), orNone(state.Gains), orNone(state.Loses)})
	}
	if r.setup.Check != nil {
		s.checks = r.setup.Check(spec, plan, states)
	}
	return nil
}

func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// search looks for a plan of from to most steps, and tells of each number of steps.
func (r *run) search(e *strips.Encoding, from, most, attempt int) (Steps, strips.Plan, error) {
	s := &r.solved
	steps, plan, status, message, err := SearchSteps(r.env, e, from, most, r.settings.Limits, func(n, bytes int, result *solve.Result) {
		if result != nil {
			r.count(StageSolver, Spent{Solving: result.Milliseconds, Solves: 1})
			slim := *result // the model of all propositions says nothing to a person
			slim.Model = []solve.Value{}
			result = &slim
		}
		r.env.Emit(SolveEvent{Kind: "formulate.solve", Round: r.round, Attempt: attempt, Purpose: "query", Horizon: n, Solver: solve.Z3, Bytes: bytes, Result: result})
	})
	if err == nil {
		s.status, s.message = status, message
		if status == StatusInfeasible && message == "" {
			s.message = "there is no plan of at most " + count(most, "step")
		}
	}
	return steps, plan, err
}

// examineHorizon finds out whether the horizon that the Formulator wrote leaves out the
// shortest plan.
func (r *run) examineHorizon(e *strips.Encoding, wanted horizon, steps *Steps, limit, attempt int) error {
	status, message := r.solved.status, r.solved.message
	find := func(format string, arguments ...any) {
		r.find(Finding{Mistake: MistakeHorizon, Stage: StageFormulator, Certain: true, Message: fmt.Sprintf(format, arguments...), File: FileVariables})
	}
	switch {
	case status == StatusSolved && wanted.From > steps.Least && len(steps.Plan) == wanted.From:
		fewer, _, err := r.search(e, 0, wanted.From-1, attempt)
		if err != nil {
			return err
		}
		steps.Tried = append(steps.Tried, fewer.Tried...)
		if steps.Optimal = r.solved.status == StatusInfeasible; r.solved.status == StatusSolved {
			find("plans of fewer than %s are left out, and there is one of %d", count(wanted.From, "step"), len(fewer.Plan))
		}
	case status == StatusInfeasible && wanted.Most > 0 && wanted.Most < limit:
		if wanted.Most < steps.Least {
			find("plans of more than %s are left out, and none has less than %d", count(wanted.Most, "step"), steps.Least)
			break
		}
		more, _, err := r.search(e, wanted.Most+1, limit, attempt)
		if err != nil {
			return err
		}
		if r.solved.status == StatusSolved {
			find("plans of more than %s are left out, and there is one of %d", count(wanted.Most, "step"), len(more.Plan))
		}
	}
	r.solved.status, r.solved.message = status, message
	return nil
}

func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
