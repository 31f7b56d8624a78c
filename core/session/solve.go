package session

import (
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// RunSolve is the kind of run in which a solver answers one text, without a spec.
const RunSolve = runSolve

// SolveSettings are a text, its solver, and a timeout. For a run of a file, text and
// solver may be empty: the file has the text, and its extension selects the solver. A
// file in a problem folder is appended to the folder's api.smt2.
type SolveSettings struct {
	Solver solve.Solver `json:"solver,omitempty"` // "z3", for SMT-LIB 2, or "highs", for the LP format
	Text   string       `json:"text,omitempty"`
	Limits solve.Limits `json:"limits,omitempty"`
}

// SolvePlace is a named part of the text, in UTF-16 code units.
type SolvePlace struct {
	Name string `json:"name"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// SolveOutcome is the result of a run of kind [RunSolve]. Core lists the places of the
// unsatisfiable core, in its order.
type SolveOutcome struct {
	Answer      solve.Result   `json:"answer"`
	Core        []SolvePlace   `json:"core"`
	Families    []solve.Family `json:"families"`    // the model as tables
	Diagnostics []Diagnostic   `json:"diagnostics"` // of the text, from our check or the solver
}

// SolveCheckParams are a text and its solver.
type SolveCheckParams struct {
	Solver solve.Solver `json:"solver"`
	Text   string       `json:"text"`
	// Optimize requires an objective: a text without one has a fault.
	Optimize bool `json:"optimize,omitempty"`
}

// MaxSolveNames bounds the variables that solve.check lists.
const MaxSolveNames = 2_000

// SolveName is a variable, or a function, that a text declares.
type SolveName struct {
	Name string `json:"name"`
	Sort string `json:"sort"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// SolveCheckResult has the declarations of a text and all its faults. Names are the first
// variables, at most [MaxSolveNames].
type SolveCheckResult struct {
	Variables   int               `json:"variables"`
	Constraints int               `json:"constraints"`
	Names       []SolveName       `json:"names"`
	Named       []SolvePlace      `json:"named"` // named constraints
	Objectives  []solve.Objective `json:"objectives"`
	Diagnostics []Diagnostic      `json:"diagnostics"`
}

// SolveReadParams are a text and the solver's reply to the prepared text.
type SolveReadParams struct {
	Solver solve.Solver `json:"solver"`
	Text   string       `json:"text"`
	Reply  solve.Reply  `json:"reply"`
}

// SolvePrepareParams are a text and limits.
type SolvePrepareParams struct {
	Solver solve.Solver `json:"solver"`
	Text   string       `json:"text"`
	Limits solve.Limits `json:"limits,omitempty"`
}

// SolvePrepareResult is the text for the solver.
type SolvePrepareResult struct {
	Query solve.Query `json:"query"`
}

func solveMethods() []Method {
	return []Method{
		pure("solve.check", solveCheck),
		pure("solve.prepare", solvePrepare),
		pure("solve.read", solveRead),
	}
}

func solveCheck(p SolveCheckParams) (SolveCheckResult, error) {
	file := source.NewFile(solveName(p.Solver), p.Text)
	problem, found, err := solve.CheckWithin(p.Solver, file, meter.New(callBudget))
	if err != nil {
		return SolveCheckResult{}, err
	}
	if p.Optimize && len(problem.Objectives) == 0 && !source.HasErrors(found) {
		end := source.Pos(len(p.Text))
		found = append(found, source.Diagnostic{Code: "smt.objective", Span: source.Span{Start: end, End: end}, Message: "missing objective: minimize or maximize"})
	}
	out := SolveCheckResult{
		Variables: len(problem.Names), Constraints: problem.Constraints, Names: []SolveName{}, Named: solvePlaces(file, problem.Named),
		Objectives: orEmpty(problem.Objectives), Diagnostics: wireDiagnostics(file, found),
	}
	at := places{file: file}
	out.Names = make([]SolveName, min(len(problem.Names), MaxSolveNames))
	for i := range out.Names {
		out.Names[i] = SolveName{Name: problem.Names[i].Name, Sort: problem.Names[i].Sort}
		at.span(&out.Names[i].From, &out.Names[i].To, problem.Names[i].Span)
	}
	at.settle()
	return out, nil
}

func solvePrepare(p SolvePrepareParams) (SolvePrepareResult, error) {
	file := source.NewFile(solveName(p.Solver), p.Text)
	problem, found, err := solve.CheckWithin(p.Solver, file, meter.New(callBudget))
	if err != nil {
		return SolvePrepareResult{}, err
	}
	if source.HasErrors(found) {
		return SolvePrepareResult{}, notation.Invalid(file, found)
	}
	return SolvePrepareResult{Query: solve.Prepare(p.Solver, p.Text, problem, p.Limits)}, nil
}

func solveRead(p SolveReadParams) (SolveOutcome, error) {
	file := source.NewFile(solveName(p.Solver), p.Text)
	problem, _, err := solve.CheckWithin(p.Solver, file, meter.New(callBudget))
	if err != nil {
		return SolveOutcome{}, err
	}
	r := solve.Improve(file, problem, solve.Limits{}, solve.Read(file, problem, p.Reply)).Result() // without further queries
	return solveOutcome(file, r), nil
}

func solveName(solver solve.Solver) string {
	if solver == solve.HiGHS {
		return "problem.lp"
	}
	return "problem.smt2"
}

func solvePlaces(file *source.File, list []solve.Named) []SolvePlace {
	at := places{file: file}
	out := make([]SolvePlace, len(list))
	for i, n := range list {
		out[i].Name = n.Name
		at.span(&out[i].From, &out[i].To, n.Span)
	}
	at.settle()
	return out
}

func solveOutcome(file *source.File, r solve.Result) SolveOutcome {
	return SolveOutcome{Answer: r, Core: solvePlaces(file, r.Core), Families: solve.Families(r.Model), Diagnostics: wireDiagnostics(file, r.Faults)}
}

func solveBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings SolveSettings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if file.Name != "" {
		solver := language.SolverOf(file.Name)
		switch {
		case settings.Solver == "":
			settings.Solver = solver
		case settings.Solver != solver:
			return nil, source.NewError("solve.solver", file.Name+" is for "+string(solver)+", not for "+string(settings.Solver))
		}
		if settings.Text == "" {
			settings.Text = file.Text
		}
	}
	if settings.Solver != solve.Z3 && settings.Solver != solve.HiGHS {
		return nil, source.NewError("solve.solver", "unknown solver \""+string(settings.Solver)+"\" (expected z3 or highs)")
	}
	text := source.NewFile(solveName(settings.Solver), settings.Text)
	withPrelude := solve.NewWithPrelude(language.GivenFor(w.Files, file.Name), text)
	return func(env *process.Env) (any, error) {
		result, err := env.Solve(settings.Solver, withPrelude.Text(), settings.Limits)
		if err != nil {
			return nil, err
		}
		return solveOutcome(text, withPrelude.Result(result)), nil
	}, nil
}
