package host

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
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
)

// Solvers answers queries with the page's solvers under Node. A solver starts at its first query
// and is reused; after a cancellation, a timeout or a crash it is restarted. Solvers is safe for
// concurrent use; each solver answers one query at a time.
type Solvers struct {
	// Web is the folder with tools/solve.mjs and node_modules.
	Web string
	// Z3 is a program that replaces the page's Z3, such as Debian's; "": none.
	Z3 string

	mu    sync.Mutex
	lines map[solve.Solver]*solverLine
}

// solverLine is a solver process with its waiting caller.
type solverLine struct {
	mu      sync.Mutex
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// solverGrace is the additional time for a solver that enforces its time limit itself.
const solverGrace = 2 * time.Second

// Solve answers a query. The error is a [process.EffectError] with a code of package solve.
func (s *Solvers) Solve(ctx context.Context, q solve.Query) (solve.Reply, error) {
	s.mu.Lock()
	if s.lines == nil {
		s.lines = map[solve.Solver]*solverLine{}
	}
	line := s.lines[q.Solver]
	if line == nil {
		line = &solverLine{}
		s.lines[q.Solver] = line
	}
	s.mu.Unlock()
	line.mu.Lock()
	defer line.mu.Unlock()
	if s.Z3 != "" && q.Solver == solve.Z3 {
		return s.program(ctx, q)
	}
	if line.command == nil {
		if err := line.start(filepath.Join(s.Web, "tools", "solve.mjs"), q.Solver); err != nil {
			return solve.Reply{}, &process.EffectError{Code: solve.CodeUnavailable, Message: err.Error()}
		}
	}
	reply, fault := line.ask(ctx, q)
	if fault != nil {
		line.end()
		return reply, fault
	}
	return reply, nil
}

// Close stops the solvers' processes.
func (s *Solvers) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.lines {
		line.mu.Lock()
		line.end()
		line.mu.Unlock()
	}
}

// solverLineAnswer is an output line of tools/solve.mjs.
type solverLineAnswer struct {
	Ready bool                 `json:"ready"`
	Reply *solve.Reply         `json:"reply"`
	Fault *process.EffectError `json:"fault"`
}

func (l *solverLine) start(script string, solver solve.Solver) error {
	command := exec.Command("node", script, string(solver))
	command.Stderr = nil
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start %s with Node: %w", solver, err)
	}
	l.command, l.in, l.out = command, in, bufio.NewReaderSize(out, 1<<16)
	a, err := l.read()
	switch {
	case err != nil:
		l.end()
		return fmt.Errorf("%s did not start; has npm ci been run in web/? (%w)", solver, err)
	case a.Fault != nil:
		l.end()
		return fmt.Errorf("%s did not start: %s", solver, a.Fault.Message)
	}
	return nil
}

func (l *solverLine) end() {
	if l.command == nil {
		return
	}
	_ = l.command.Process.Kill() // it may have ended already
	_ = l.command.Wait()
	l.command = nil
}

func (l *solverLine) read() (solverLineAnswer, error) {
	var a solverLineAnswer
	text, err := l.out.ReadBytes('\n')
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(text, &a)
}

func (l *solverLine) ask(ctx context.Context, q solve.Query) (solve.Reply, *process.EffectError) {
	limit := time.Duration(q.Milliseconds) * time.Millisecond
	if q.Solver == solve.HiGHS {
		limit += solverGrace
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	type answer struct {
		solverLineAnswer
		err error
	}
	done := make(chan answer, 1)
	go func() {
		text, err := json.Marshal(q)
		if err == nil {
			_, err = l.in.Write(append(text, '\n'))
		}
		var a solverLineAnswer
		if err == nil {
			a, err = l.read()
		}
		done <- answer{a, err}
	}()
	select {
	case a := <-done:
		switch {
		case a.err != nil:
			return solve.Reply{}, &process.EffectError{Code: solve.CodeCrashed, Message: string(q.Solver) + " broke down: " + a.err.Error()}
		case a.Fault != nil:
			return solve.Reply{}, a.Fault
		case a.Reply == nil:
			return solve.Reply{}, &process.EffectError{Code: solve.CodeCrashed, Message: string(q.Solver) + " gave no answer"}
		}
		return *a.Reply, nil
	case <-ctx.Done():
		_ = l.command.Process.Kill() // so that the reader ends
		<-done
		return solve.Reply{}, stopped(ctx, q)
	}
}

// stopped returns the reason why a query was abandoned.
func stopped(ctx context.Context, q solve.Query) *process.EffectError {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &process.EffectError{Code: solve.CodeTimeout, Message: fmt.Sprintf("the time limit was reached: %g s", float64(q.Milliseconds)/1000)}
	}
	return &process.EffectError{Code: solve.CodeAborted, Message: "the query was cancelled"}
}

// program answers a query with an installed Z3.
func (s *Solvers) program(ctx context.Context, q solve.Query) (solve.Reply, error) {
	ctx, stop := context.WithTimeout(ctx, time.Duration(q.Milliseconds)*time.Millisecond)
	defer stop()
	command := exec.CommandContext(ctx, s.Z3, "-in", "-smt2")
	command.Stdin = strings.NewReader(q.Text)
	began := time.Now()
	out, err := command.Output()
	if ctx.Err() != nil {
		return solve.Reply{}, stopped(ctx, q)
	}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || len(out) == 0) {
		return solve.Reply{}, &process.EffectError{Code: solve.CodeCrashed, Message: "z3: " + err.Error()}
	}
	if exit != nil && exit.ExitCode() == 101 {
		return solve.Reply{}, &process.EffectError{Code: solve.CodeMemory, Message: "Z3 ran out of memory"}
	}
	return solve.Reply{Text: string(out), Milliseconds: int(time.Since(began).Milliseconds()), Version: "Z3 of this machine"}, nil
}

// InstalledZ3 returns the Z3 on the PATH, or "".
func InstalledZ3() string {
	name, err := exec.LookPath("z3")
	if err != nil {
		return ""
	}
	return name
}

// WebFolder returns the page's folder for [Solvers], searched upwards from a folder of the
// repository; "" if there is none.
func WebFolder(from string) string {
	from, err := filepath.Abs(from)
	for err == nil {
		web := filepath.Join(from, "web")
		if _, err := os.Stat(filepath.Join(web, "tools", "solve.mjs")); err == nil {
			return web
		}
		above := filepath.Dir(from)
		if above == from {
			return ""
		}
		from = above
	}
	return ""
}
