package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/wasm/host"
)

// solveCase is a row of testdata/solve.json, which the browser's tests run as well.
type solveCase struct {
	Name   string
	Solver solve.Solver
	Text   string
	File   string // of testdata/solve, instead of Text
	Limits solve.Limits
	Want   struct {
		Status    solve.Status
		Objective string
		Core      []string // it has these
		Model     []string // likewise
		Codes     []string // of the faults
	}
}

// solvers returns the page's solvers under Node.
// TestMain ends the solvers that the tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	sharedSolvers.Close()
	os.Exit(code)
}

// sharedSolvers answers the queries of all tests that do not end a solver: starting one takes longer than most
// queries, and each query has a new context.
var sharedSolvers = host.Solvers{Web: host.WebFolder(".")}

// solvers returns the solvers that tests share.
func solvers(t *testing.T) *host.Solvers {
	t.Helper()
	if _, err := os.Stat(filepath.Join(sharedSolvers.Web, "node_modules", "z3-solver")); err != nil {
		t.Skip("the solvers are not there: run npm ci in web/")
	}
	return &sharedSolvers
}

// ownSolvers returns solvers for a test that ends them or limits their memory.
func ownSolvers(t *testing.T) *host.Solvers {
	t.Helper()
	s := &host.Solvers{Web: solvers(t).Web}
	t.Cleanup(s.Close)
	return s
}

func solveCases(t *testing.T) []solveCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/solve.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []solveCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if c.File == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("testdata", "solve", c.File))
		if err != nil {
			t.Fatal(err)
		}
		cases[i].Text = string(text)
	}
	return cases
}

// solveRun runs a run that solves.
func solveRun(t *testing.T, ctx context.Context, h host.Handler, s *host.Solvers, settings session.SolveSettings) (session.SolveOutcome, error) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	runner := host.Runner{Handler: h, Solve: s.Solve}
	outcome, err := runner.Run(ctx, session.RunStartParams{Kind: session.RunSolve, Settings: raw})
	var out session.SolveOutcome
	if err == nil {
		err = json.Unmarshal(outcome.Result, &out)
	}
	return out, err
}

func TestSolversReturnTheRightStatus(t *testing.T) {
	s := ownSolvers(t)
	handler := host.Native(session.New())
	for _, c := range solveCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			out, err := solveRun(t, context.Background(), handler, s, session.SolveSettings{Solver: c.Solver, Text: c.Text, Limits: c.Limits})
			if err != nil {
				t.Fatal(err)
			}
			a := out.Answer
			if a.Status != c.Want.Status {
				t.Errorf("the status is %s (%s), not %s", a.Status, a.Message, c.Want.Status)
			}
			if c.Want.Objective != "" && (len(a.Objectives) != 1 || a.Objectives[0].Value != c.Want.Objective) {
				t.Errorf("the objectives are %+v, not %s", a.Objectives, c.Want.Objective)
			}
			var core, model, codes []string
			for i, n := range a.Core {
				core = append(core, n.Name)
				if !strings.Contains(utf16Slice(c.Text, out.Core[i].From, out.Core[i].To), strings.TrimPrefix(n.Name, "bounds of ")) {
					t.Errorf("%s is not at its place", n.Name)
				}
			}
			for _, v := range a.Model {
				model = append(model, v.Name+" = "+v.Value)
			}
			for _, d := range out.Diagnostics {
				codes = append(codes, d.Code)
			}
			for _, want := range c.Want.Core {
				if !slices.Contains(core, want) {
					t.Errorf("the core %v has no %s", core, want)
				}
			}
			for _, want := range c.Want.Model {
				if !slices.Contains(model, want) {
					t.Errorf("the model %v has not %s", model, want)
				}
			}
			if !slices.Equal(codes, c.Want.Codes) {
				t.Errorf("the faults are %v, not %v", codes, c.Want.Codes)
			}
		})
	}
}

// utf16Slice assumes ASCII.
func utf16Slice(text string, from, to int) string { return text[from:to] }

//stile:race
func TestCancelledQueryEndsItsSolver(t *testing.T) {
	s := ownSolvers(t)
	hard, err := os.ReadFile("testdata/solve/pigeons.smt2")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		close(asked)
		_, err := s.Solve(ctx, solve.Query{Solver: solve.Z3, Text: string(hard), Milliseconds: 600_000})
		done <- err
	}()
	<-asked
	cancel()
	if err := <-done; err == nil || err.Error() != "the query was cancelled" {
		t.Errorf("it ended with %v", err)
	}
	reply, err := s.Solve(context.Background(), solve.Query{Solver: solve.Z3, Text: "(check-sat)", Milliseconds: 600_000})
	if err != nil || reply.Text != "sat\n" {
		t.Errorf("the next question got %q, %v", reply.Text, err)
	}
}

func TestRunWithoutSolversFails(t *testing.T) {
	handler := host.Native(session.New())
	raw, err := json.Marshal(session.SolveSettings{Solver: solve.Z3, Text: "(assert true)"})
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := (&host.Runner{Handler: handler}).Run(context.Background(), session.RunStartParams{Kind: session.RunSolve, Settings: raw})
	var out session.SolveOutcome
	if err != nil || json.Unmarshal(outcome.Result, &out) != nil || out.Answer.Status != solve.StatusError || out.Answer.Message != "this host has no solvers" {
		t.Errorf("%s %v", outcome.Result, err)
	}
}

// TestRecordedRunNeedsNoSolver also compares the module with the native core.
func TestRecordedRunNeedsNoSolver(t *testing.T) {
	s := ownSolvers(t)
	c := solveCases(t)[1]
	raw, err := json.Marshal(session.SolveSettings{Solver: c.Solver, Text: c.Text})
	if err != nil {
		t.Fatal(err)
	}
	runner := host.Runner{Handler: host.Native(session.New()), Solve: s.Solve}
	first, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunSolve, Settings: raw})
	if err != nil {
		t.Fatal(err)
	}
	replay := host.Runner{Handler: instance(t)}
	again, err := replay.Run(context.Background(), session.RunStartParams{Log: &first.Log})
	if err != nil || string(again.Result) != string(first.Result) {
		t.Errorf("played again it comes to\n%s\nnot\n%s\n%v", again.Result, first.Result, err)
	}
}

func TestManyVariablesAreSolved(t *testing.T) {
	s := ownSolvers(t)
	var b strings.Builder
	b.WriteString("Minimize\n obj: v0\nSubject To\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, " c%d: v%d >= %d\n", i, i, i%7)
	}
	b.WriteString("End\n")
	out, err := solveRun(t, context.Background(), host.Native(session.New()), s, session.SolveSettings{Solver: solve.HiGHS, Text: b.String()})
	if err != nil || out.Answer.Status != solve.StatusSat || len(out.Answer.Model) != 100_000 || out.Answer.Model[99_998].Value != "3" {
		t.Errorf("it came to %s, %d values, %s, %v", out.Answer.Status, len(out.Answer.Model), out.Answer.Message, err)
	}
}
