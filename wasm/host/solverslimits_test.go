package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/wasm/host"
)

// TestInstalledZ3AgreesWithTheModule uses a native Z3 instead of the page's.
func TestInstalledZ3AgreesWithTheModule(t *testing.T) {
	program := host.InstalledZ3()
	if program == "" {
		t.Skip("there is no z3 on the PATH")
	}
	s := &host.Solvers{Z3: program}
	t.Cleanup(s.Close)
	handler := host.Native(session.New())
	for _, c := range solveCases(t) {
		// The work that a problem takes, and the bounds found within a limit, depend on the
		// version; and Z3 4.8.12, which Debian has, reports that the least cost of the first
		// is unbounded.
		if c.Solver != solve.Z3 || c.Limits.Work > 0 || c.Limits.Memory > 0 || c.Name == "coffee by Z3" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			out, err := solveRun(t, context.Background(), handler, s, session.SolveSettings{Solver: c.Solver, Text: c.Text, Limits: c.Limits})
			if err != nil {
				t.Fatal(err)
			}
			if out.Answer.Status != c.Want.Status {
				t.Errorf("the status is %s (%s), not %s", out.Answer.Status, out.Answer.Message, c.Want.Status)
			}
			if c.Want.Objective != "" && (len(out.Answer.Objectives) != 1 || out.Answer.Objectives[0].Value != c.Want.Objective) {
				t.Errorf("the objectives are %+v, not %s", out.Answer.Objectives, c.Want.Objective)
			}
		})
	}
	t.Run("a program that is not there", func(t *testing.T) {
		missing := &host.Solvers{Z3: filepath.Join(t.TempDir(), "z3")}
		out, err := solveRun(t, context.Background(), handler, missing, session.SolveSettings{Solver: solve.Z3, Text: "(assert true)"})
		if err != nil || out.Answer.Status != solve.StatusError || !strings.HasPrefix(out.Answer.Message, "z3: ") {
			t.Errorf("%s %q %v", out.Answer.Status, out.Answer.Message, err)
		}
	})
	t.Run("a question that is withdrawn", func(t *testing.T) {
		hard, err := os.ReadFile("testdata/solve/pigeons.smt2")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := s.Solve(ctx, solve.Query{Solver: solve.Z3, Text: string(hard), Milliseconds: 600_000}); err == nil || err.Error() != "the query was cancelled" {
			t.Errorf("it ended with %v", err)
		}
	})
}

// TestInterruptedSearchReportsItsBound interrupts searches, which report their best value
// and bound.
func TestInterruptedSearchReportsItsBound(t *testing.T) {
	s := ownSolvers(t)
	handler := host.Native(session.New())
	ask := func(solver solve.Solver, text string, limits solve.Limits) solve.Result {
		out, err := solveRun(t, context.Background(), handler, s, session.SolveSettings{Solver: solver, Text: text, Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		return out.Answer
	}
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Errorf("%q is not a number", text)
		}
		return n
	}
	// A knapsack of forty objects, with enough work for a first solution.
	var b strings.Builder
	var worth, weight []string
	for i := range 40 {
		fmt.Fprintf(&b, "(declare-const x%d Int)(assert (<= 0 x%d 1))\n", i, i)
		worth = append(worth, fmt.Sprintf("(* %d x%d)", 1000+i*i*37%101, i))
		weight = append(weight, fmt.Sprintf("(* %d x%d)", 1000+i*i*53%97, i))
	}
	fmt.Fprintf(&b, "(assert (<= (+ %s) 20500))\n(maximize (+ %s))\n", strings.Join(weight, " "), strings.Join(worth, " "))
	// The work bounds the search; the clock of a busy machine must not.
	a := ask(solve.Z3, b.String(), solve.Limits{Work: 20_000, Milliseconds: solve.MaxMilliseconds})
	if a.Status != solve.StatusUnknown || !strings.HasPrefix(a.Message, "best found, gap ") || !strings.HasSuffix(a.Message, ", not proved optimal") || len(a.Objectives) != 1 {
		t.Fatalf("it is %s (%s), %+v", a.Status, a.Message, a.Objectives)
	}
	// The solution is kept with an upper bound, which are the ends of the interval.
	if o := a.Objectives[0]; o.Shown != o.Value || o.Low != o.Value || o.High != a.Bound || number(o.Value) < 20_000 || number(a.Bound) <= number(o.Value) || number(a.Bound) > 1.125*number(o.Value) || number(a.Gap) <= 0 {
		t.Errorf("the objective is %+v, the bound %q and the gap %q", o, a.Bound, a.Gap)
	}
	market, err := os.ReadFile("testdata/solve/market.lp")
	if err != nil {
		t.Fatal(err)
	}
	// On a busy machine a second may end before the first bound is known.
	for _, limit := range []int{1_000, 5_000, 25_000} {
		if a = ask(solve.HiGHS, string(market), solve.Limits{Milliseconds: limit}); len(a.Objectives) > 0 {
			break
		}
	}
	if a.Status != solve.StatusTimeout || len(a.Objectives) != 1 {
		t.Fatalf("it is %s (%s), %+v", a.Status, a.Message, a.Objectives)
	}
	if a.Bound == "" {
		t.Errorf("there is no bound: %+v", a)
	}
	if best := a.Objectives[0].Value; best != "" {
		if number(a.Bound) > number(best) || number(a.Gap) <= 0 {
			t.Errorf("the best so far is %s, the bound %s and the gap %s", best, a.Bound, a.Gap)
		}
	}
	// Where the optimum is found it equals the bound.
	a = ask(solve.HiGHS, "Minimize\n obj: 3 x + 2 y\nSubject To\n c: 7 x + 5 y >= 13\nGeneral\n x\n y\nEnd\n", solve.Limits{})
	if a.Status != solve.StatusSat || a.Objectives[0].Value != a.Bound || a.Gap != "0" {
		t.Errorf("%s, the best %+v, the bound %s, the gap %s", a.Status, a.Objectives, a.Bound, a.Gap)
	}
}

// TestCrashedSolverIsRestarted crashes one solver and kills another.
//
//stile:race
func TestCrashedSolverIsRestarted(t *testing.T) {
	s := ownSolvers(t)
	hard, err := os.ReadFile("testdata/solve/pigeons.smt2")
	if err != nil {
		t.Fatal(err)
	}
	for _, memory := range []int{4} {
		text := fmt.Sprintf("(set-option :memory_max_size %d)\n%s", memory, hard)
		_, err := s.Solve(context.Background(), solve.Query{Solver: solve.Z3, Text: text, Milliseconds: 600_000})
		if fault, ok := err.(interface{ Error() string }); !ok || !strings.Contains(fault.Error(), "ran out of memory") {
			t.Errorf("with %d MiB it ends with %v", memory, err)
		}
		reply, err := s.Solve(context.Background(), solve.Query{Solver: solve.Z3, Text: "(check-sat)", Milliseconds: 600_000})
		if err != nil || reply.Text != "sat\n" {
			t.Errorf("the next question got %q, %v", reply.Text, err)
		}
	}
	// A text that no check has seen.
	if reply, err := s.Solve(context.Background(), solve.Query{Solver: solve.Z3, Text: strings.Repeat("(", 200_000), Milliseconds: 600_000}); err == nil && !strings.Contains(reply.Text, "error") {
		t.Errorf("it got %q", reply.Text)
	}
	if reply, err := s.Solve(context.Background(), solve.Query{Solver: solve.Z3, Text: "(check-sat)", Milliseconds: 600_000}); err != nil || reply.Text != "sat\n" {
		t.Errorf("the next question got %q, %v", reply.Text, err)
	}
}

// TestSolversAccessNoFile passes texts to the page's solvers that the checker rejects: as a second
// line of defence, the solvers have no file system.
func TestSolversAccessNoFile(t *testing.T) {
	s := ownSolvers(t)
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret.smt2")
	if err := os.WriteFile(secret, []byte("(echo \"it was read\")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(folder, "made")
	for _, text := range []string{
		`(set-option :regular-output-channel "` + made + `")(echo "x")(check-sat)`,
		`(set-option :diagnostic-output-channel "` + made + `")(assert q)(check-sat)`,
		`(include "` + secret + `")(check-sat)`,
		`(set-option :opt.dump_benchmarks true)(declare-const x Int)(minimize x)(check-sat)`,
		`(set-option :smt.proof_log "` + made + `")(declare-const b Bool)(assert b)(check-sat)`,
		`(set-option :sat.drat.file "` + made + `")(set-logic QF_FD)(declare-const b Bool)(assert b)(check-sat)`,
		`(set-option :trace true)(set-option :trace_file_name "` + made + `")(check-sat)`,
	} {
		reply, err := s.Solve(context.Background(), solve.Query{Solver: solve.Z3, Text: text, Milliseconds: 600_000})
		if strings.Contains(reply.Text, "it was read") {
			t.Errorf("%s: %q (%v)", text, reply.Text, err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}
