package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stile-playground/stile/build/internal/report"
	"github.com/stile-playground/stile/core/domains"
	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/wasm/host"
)

// solveTarget is the maximum ratio of the time of the page's Z3 to that of the machine's Z3.
const solveTarget = 2

// solve measures the page's solvers under Node, where they are warm, next to the
// machine's own Z3 on the same texts, one after the other, so that other load on the
// machine slows both. The arguments are the number of records per domain, and the
// domains.
func (r *reporter) solve(ctx context.Context, args []string) error {
	most := 9
	if len(args) > 0 {
		if n, err := strconv.Atoi(args[0]); err == nil && n > 0 {
			most, args = n, args[1:]
		}
	}
	if err := r.NPM(ctx); err != nil {
		return err
	}
	if err := r.debianTool(ctx, "z3"); err != nil {
		r.miss("%v", err)
	}
	sb := &solveBench{native: host.InstalledZ3()}
	for solver, line := range map[solve.Solver]**solveLine{solve.Z3: &sb.z3, solve.HiGHS: &sb.highs} {
		l, err := r.startSolveLine(ctx, solver)
		if err != nil {
			return err
		}
		defer l.end()
		*line = l
	}
	for _, name := range []string{"coffee", "workforce", "facility", "task_allocation", "warehouse", "blocksworld", "mystery_blocksworld", "movie", "gripper"} {
		if len(args) > 0 && !has(args, name) {
			continue
		}
		r.say(name + " by the page's solvers")
		records, err := r.solveRecords(name, most)
		if err != nil {
			return err
		}
		figures, err := sb.measure(ctx, name, records)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.Figures = append(r.Figures, figures...)
	}
	return nil
}

func has(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// solveRecord has the questions of one record of a domain: all its texts for Z3, and one for
// HiGHS if the domain has no steps.
type solveRecord struct {
	z3 []string
	lp string
}

// solveRecords returns records of a domain, up to a number, spread evenly over its data.
func (r *reporter) solveRecords(name string, most int) ([]solveRecord, error) {
	spread := func(n int) (out []int) {
		for i := range min(n, most) {
			out = append(out, i*n/min(n, most))
		}
		return out
	}
	var out []solveRecord
	if formulate, ok := domains.Formulations(name); ok {
		raw, err := os.ReadFile(r.Path("core", "testdata", name+".json"))
		if err != nil {
			return nil, err
		}
		tree, fault := corejson.Tree(string(raw))
		if fault != nil {
			return nil, fault
		}
		data, _ := tree.Get("data")
		queries, _ := tree.Get("queries")
		for _, i := range spread(len(queries.Items)) {
			p, err := formulate(data, queries.Items[i])
			if err != nil {
				return nil, err
			}
			out = append(out, solveRecord{z3: []string{p.SMTLIB()}, lp: p.LP()})
		}
		return out, nil
	}
	texts := map[string]string{"blocksworld": domains.Blocksworld, "mystery_blocksworld": domains.MysteryBlocksworld, "movie": domains.Movie, "gripper": domains.Gripper}
	raw, err := os.ReadFile(r.Path("core", "testdata", name+".jsonl"))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	d := domains.Steps(texts[name])
	for _, i := range spread(len(lines)) {
		var instance struct {
			Objects, Init, Goal []string
			Optimal             int `json:"optimal_plan_length"`
		}
		if err := json.Unmarshal([]byte(lines[i]), &instance); err != nil {
			return nil, err
		}
		text := domains.Instance{Name: "instance", Objects: instance.Objects, Init: instance.Init, Goal: instance.Goal}.Problem(d)
		spec, _ := strips.Parse(source.NewFile("problem.pddl", text))
		task, err := strips.Ground(d, spec.Problem, nil)
		if err != nil {
			return nil, err
		}
		encoding, err := task.Encode(nil)
		if err != nil {
			return nil, err
		}
		least, _ := encoding.Least()
		var record solveRecord
		for steps := least; steps <= instance.Optimal; steps++ {
			text, err := encoding.Text(steps, nil)
			if err != nil {
				return nil, err
			}
			record.z3 = append(record.z3, text)
		}
		out = append(out, record)
	}
	return out, nil
}

type solveBench struct {
	z3, highs *solveLine
	native    string
}

// solved is a record's time with one solver, and the statuses of its questions.
type solved struct {
	seconds float64
	said    string
}

// question is an input text of a solver.
type question struct {
	file    *source.File
	problem solve.Problem
	query   solve.Query
}

func newQuestion(solver solve.Solver, text string) (question, error) {
	q := question{file: source.NewFile("problem", text)}
	var found []source.Diagnostic
	if q.problem, found = solve.Check(solver, q.file); source.HasErrors(found) {
		return q, errors.New(found[0].Message)
	}
	q.query = solve.Prepare(solver, text, q.problem, solve.Limits{Milliseconds: 600_000})
	return q, nil
}

func (s *solved) answered(q question, seconds float64, reply solve.Reply) {
	s.seconds += seconds
	s.said += " " + string(solve.Read(q.file, q.problem, reply).Status)
}

// answer runs the questions one after the other with the page's solver. If other is not nil, it
// runs each question with another solver first.
func (l *solveLine) answer(solver solve.Solver, texts []string, other func(question) error) (solved, error) {
	var out solved
	for _, text := range texts {
		q, err := newQuestion(solver, text)
		if err != nil {
			return out, err
		}
		if other != nil {
			if err := other(q); err != nil {
				return out, err
			}
		}
		seconds, reply, err := l.ask(q.query)
		if err != nil {
			return out, err
		}
		out.answered(q, seconds, reply)
	}
	return out, nil
}

func (b *solveBench) measure(ctx context.Context, name string, records []solveRecord) ([]report.Figure, error) {
	var ours, native, highs []float64
	// Run all queries once before measuring, because the engine compiles hot code again with
	// better optimization.
	for _, record := range records {
		if _, err := b.z3.answer(solve.Z3, record.z3, nil); err != nil {
			return nil, err
		}
	}
	for i, record := range records {
		var theirs solved
		other := func(q question) error {
			// Debian's Z3 4.8.12 finds no bound of any objective if unsatisfiable cores are
			// enabled.
			text := strings.Replace(q.query.Text, "(set-option :produce-unsat-cores true)", "", 1)
			seconds, said, err := nativeZ3(ctx, b.native, text)
			theirs.answered(q, seconds, solve.Reply{Text: said})
			return err
		}
		if b.native == "" {
			other = nil
		}
		own, err := b.z3.answer(solve.Z3, record.z3, other)
		if err != nil {
			return nil, err
		}
		if b.native != "" {
			if own.said != theirs.said {
				return nil, fmt.Errorf("record %d is%s for the page's Z3 and%s for the machine's", i, own.said, theirs.said)
			}
			native = append(native, theirs.seconds)
		}
		ours = append(ours, own.seconds)
		if record.lp != "" {
			s, err := b.highs.answer(solve.HiGHS, []string{record.lp}, nil)
			if err != nil {
				return nil, err
			}
			highs = append(highs, s.seconds)
		}
	}
	return solveFigures(name, ours, native, highs), nil
}

// solveFigures returns a domain's figures: the seconds of processor time per record. A
// record with steps is one question for each number of steps, from the first possible
// number to that of the shortest plan.
func solveFigures(name string, ours, native, highs []float64) []report.Figure {
	f := report.Figure{Section: "solve", Group: "the page's solvers, processor time of a record", Name: name + ", Z3", Unit: "s", Sample: report.Of(ours...),
		Target: &report.Target{Bound: 1. / solveTarget, Of: report.OfRatio, Tool: "native Z3"}}
	if len(native) > 0 {
		f.AddPeer(report.Peer{Tool: "native Z3"}, ours, native)
	}
	out := []report.Figure{f}
	if len(highs) > 0 {
		h := report.Figure{Section: f.Section, Group: f.Group, Name: name + ", HiGHS", Unit: "s", Sample: report.Of(highs...)}
		h.AddPeer(report.Peer{Tool: "the page's Z3"}, highs, ours)
		out = append(out, h)
	}
	return out
}

// nativeZ3 runs Z3 on a text. The program exits after its answer; the time that it takes to start,
// some hundredths of a second, is subtracted.
func nativeZ3(ctx context.Context, program, text string) (seconds float64, said string, err error) {
	run := func(text string) (time.Duration, string, error) {
		cmd := exec.CommandContext(ctx, program, "-in", "-smt2")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return 0, "", err
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), string(out), ctx.Err()
	}
	empty, _, err := run("")
	if err != nil {
		return 0, "", err
	}
	spent, said, err := run(text)
	return max(spent-empty, time.Millisecond).Seconds(), said, err
}

// solveLine is one of the page's solvers under Node.
type solveLine struct {
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Scanner
}

func (r *reporter) startSolveLine(ctx context.Context, solver solve.Solver) (*solveLine, error) {
	cmd := exec.CommandContext(ctx, "node", filepath.Join("tools", "solve.mjs"), string(solver))
	cmd.Dir, cmd.Stderr = r.Path("web"), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	l := &solveLine{cmd, in, bufio.NewScanner(out)}
	l.out.Buffer(nil, 64<<20)
	if !l.out.Scan() {
		return nil, fmt.Errorf("%s did not start", solver)
	}
	// The first answers come from code that is not yet fully optimised.
	text := "(declare-const x Int)(assert (> x 3))(minimize x)(check-sat)"
	if solver == solve.HiGHS {
		text = "Minimize\n x\nSubject To\n c: x >= 3\nEnd\n"
	}
	for range 3 {
		if _, _, err := l.ask(solve.Query{Solver: solver, Text: text, Milliseconds: 60_000}); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *solveLine) ask(q solve.Query) (seconds float64, reply solve.Reply, err error) {
	text, err := json.Marshal(q)
	if err != nil {
		return 0, reply, err
	}
	before := l.spent()
	if _, err := l.in.Write(append(text, '\n')); err != nil {
		return 0, reply, err
	}
	if !l.out.Scan() {
		return 0, reply, fmt.Errorf("%s broke off", q.Solver)
	}
	var a struct {
		Reply *solve.Reply
		Fault *struct{ Message string }
	}
	if err := json.Unmarshal(l.out.Bytes(), &a); err != nil {
		return 0, reply, err
	}
	if a.Reply == nil {
		return 0, reply, errors.New(a.Fault.Message)
	}
	if spent := l.spent() - before; spent > 0 {
		return spent.Seconds(), *a.Reply, nil
	}
	return float64(a.Reply.Milliseconds) / 1e3, *a.Reply, nil
}

// spent returns the processor time of the thread that solves; 0 where the system does not report
// it. Other threads optimise the module in the meantime.
func (l *solveLine) spent() time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", l.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(raw), " ")
	n, _ := strconv.ParseInt(first, 10, 64)
	return time.Duration(n)
}

func (l *solveLine) end() {
	_ = l.cmd.Process.Kill() // the solver waits for more input
	_ = l.cmd.Wait()
}
