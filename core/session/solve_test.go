package session

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
)

// solveStarted starts a run of a solver and gives its first slice.
func solveStarted(t *testing.T, settings SolveSettings) (*Session, int, RunResumeResult) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	started, err := s.runStart(RunStartParams{Kind: RunSolve, Settings: raw})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.runResume(RunResumeParams{Run: started.Run})
	if err != nil {
		t.Fatal(err)
	}
	return s, started.Run, out
}

func solved(t *testing.T, out RunResumeResult) SolveOutcome {
	t.Helper()
	if out.State != process.StateDone {
		t.Fatalf("the run is %s: %+v", out.State, out.Error)
	}
	var o SolveOutcome
	if err := json.Unmarshal(out.Result, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestSolverRunQueriesItsHost(t *testing.T) {
	const text = "(declare-const x Int)\n(assert (! (> x 3) :named high))(assert (! (< x 2) :named low))"
	s, run, out := solveStarted(t, SolveSettings{Solver: solve.Z3, Text: text, Limits: solve.Limits{Milliseconds: 1_000, Memory: 100, Work: 7}})
	if len(out.Effects) != 1 || out.Effects[0].Kind != "solve" {
		t.Fatalf("effects %+v", out.Effects)
	}
	q := out.Effects[0].Solve
	if q.Solver != solve.Z3 || q.Milliseconds != 1_000 || q.Memory != 100 || !strings.Contains(q.Text, text) || !strings.Contains(q.Text, ":rlimit 7)") {
		t.Errorf("the query is %+v", q)
	}
	reply := `{"text":"unsat\nstile.model\nstile.core\n(low high)","milliseconds":12,"version":"5.2"}`
	out, err := s.runResume(RunResumeParams{Run: run, Answers: []process.Answer{{Effect: "e1", Value: json.RawMessage(reply)}}})
	if err != nil {
		t.Fatal(err)
	}
	o := solved(t, out)
	if o.Answer.Status != solve.StatusUnsat || o.Answer.Milliseconds != 12 || len(o.Core) != 2 || text[o.Core[1].From:o.Core[1].To] != "(! (< x 2) :named low)" {
		t.Errorf("it came to %+v", o)
	}
}

func TestFaultyTextIsNotSent(t *testing.T) {
	_, _, out := solveStarted(t, SolveSettings{Solver: solve.HiGHS, Text: "Minimize\n obj: x\nSubject To\n c: x > 1\nEnd\n"})
	o := solved(t, out)
	if o.Answer.Status != solve.StatusError || len(o.Diagnostics) != 1 || o.Diagnostics[0].Code != "lp.strict" || o.Diagnostics[0].Line != 4 {
		t.Errorf("it came to %+v", o)
	}
}

func TestSolverFailureIsAResult(t *testing.T) {
	for code, want := range map[string]solve.Status{"timeout": solve.StatusTimeout, "memory": solve.StatusMemory, "aborted": solve.StatusCancelled, "solver.load": solve.StatusError} {
		s, run, _ := solveStarted(t, SolveSettings{Solver: solve.Z3, Text: "(assert true)"})
		out, err := s.runResume(RunResumeParams{Run: run, Answers: []process.Answer{{Effect: "e1", Error: &process.EffectError{Code: code, Message: "why"}}}})
		if err != nil {
			t.Fatal(err)
		}
		if o := solved(t, out); o.Answer.Status != want || o.Answer.Message != "why" {
			t.Errorf("%s came to %+v", code, o)
		}
	}
}

func TestSolveCheckReportsPlacesAndMissingParts(t *testing.T) {
	r, err := solveCheck(SolveCheckParams{Solver: solve.Z3, Text: "; é𝄞\n(declare-const x Int)\n(assert (> x y))", Optimize: true})
	if err != nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Line != 3 || r.Diagnostics[0].Column != 14 || r.Diagnostics[0].From != 41 || r.Variables != 1 {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = solveCheck(SolveCheckParams{Solver: solve.Z3, Text: "(assert true)", Optimize: true}); err != nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "smt.objective" {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := solvePrepare(SolvePrepareParams{Solver: solve.Z3, Text: "(assert y)"}); err == nil {
		t.Error("a faulty text is prepared")
	}
}

func TestFileIsSolvedAfterItsProblemsDefinitions(t *testing.T) {
	const text = "(declare-const x Int)\n(assert (! (> (cost x) 3) :named dear))\n"
	given := File{Name: "a.problem/api.smt2", Text: "(define-fun cost ((x Int)) Int (* 2 x))"}
	for _, c := range []struct {
		name  string
		files []File
		file  string
		reply string // "": no query is made
		says  string // the first diagnostic
		core  string
	}{
		{"a formulation", []File{given, {Name: "a.problem/model.smt2", Text: text}}, "a.problem/model.smt2", "unsat\nstile.core\n(dear)", "", "(! (> (cost x) 3) :named dear)"},
		{"a formulation elsewhere", []File{given, {Name: "model.smt2", Text: text}}, "model.smt2", "", `unknown function "cost"`, ""},
		{"a formulation that defines anew", []File{given, {Name: "a.problem/model.smt2", Text: "(define-fun cost () Int 1)"}}, "a.problem/model.smt2", "",
			`duplicate definition of "cost"; use the one in a.problem/api.smt2, line 1`, ""},
		{"behind definitions with a fault", []File{{Name: given.Name, Text: "\n(define-fun cost (x Int) Int 1)"}, {Name: "a.problem/model.smt2", Text: "(assert true)"}}, "a.problem/model.smt2", "",
			"a.problem/api.smt2, line 2, before this text: expected a parameter (name Sort)", ""},
		{"an LP", []File{{Name: "a.lp", Text: "Minimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n"}}, "a.lp", `{"status":"optimal"}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			started := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: c.files, Name: c.file}})
			out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: started.Run})
			if (len(out.Effects) > 0) != (c.reply != "") {
				t.Fatalf("%+v", out)
			}
			if c.reply != "" {
				reply, _ := json.Marshal(solve.Reply{Text: c.reply})
				out = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: started.Run, Answers: []process.Answer{{Effect: "e1", Value: reply}}})
			}
			o := solved(t, out)
			says, core := "", ""
			for _, f := range c.files {
				if f.Name == c.file && len(o.Core) > 0 {
					core = f.Text[o.Core[0].From:o.Core[0].To]
				}
			}
			if len(o.Diagnostics) > 0 {
				says = o.Diagnostics[0].Message
			}
			if says != c.says || core != c.core {
				t.Errorf("it says %q, the core is %q", says, core)
			}
			if log := result[RunLogResult](t, s, "run.log", RunLogParams{Run: started.Run}).Log; log.Kind != RunSolve || log.Name != c.file {
				t.Errorf("%+v", log)
			}
		})
	}
	if _, fault := call(t, New(), "run.start", RunStartParams{Kind: RunSolve, Workspace: RunWorkspace{Files: []File{given}, Name: given.Name}, Settings: []byte(`{"solver":"highs"}`)}); fault == nil || fault.Code != "solve.solver" {
		t.Errorf("%+v", fault)
	}
}
