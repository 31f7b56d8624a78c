package checkout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// Command runs a program in the repository and returns its standard output, which
// callers decode. Standard error, where Go reports its downloads, is not part of it.
// The error has the end of both.
func (d Dir) Command(ctx context.Context, env []string, name string, args ...string) (string, error) {
	return d.CommandIn(ctx, ".", env, name, args...)
}

// CommandIn is Command in a folder of the repository.
func (d Dir) CommandIn(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	out, _, err := d.Run(ctx, dir, env, name, args...)
	return out, err
}

// Run runs a program in a folder of the repository. It returns standard output
// alone, and both outputs interleaved, as on a terminal.
func (d Dir) Run(ctx context.Context, dir string, env []string, name string, args ...string) (out, transcript string, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = d.Path(dir)
	cmd.Env = append(os.Environ(), env...)
	var stdout bytes.Buffer
	var both synchronized
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&stdout, &both), &both
	err = cmd.Run()
	Charge(ctx, cmd)
	if err != nil {
		err = commandError(name, args, both.String(), err)
	}
	return stdout.String(), both.String(), err
}

// synchronized is a buffer that both streams of a program write to.
type synchronized struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *synchronized) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *synchronized) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func commandError(name string, args []string, printed string, err error) error {
	line := strings.TrimSpace(name + " " + strings.Join(args, " "))
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s is needed and was not found; install it (see README.md)", name)
	}
	return fmt.Errorf("%s: %w\n%s", line, err, Tail(printed, 60))
}

// Tail returns the last lines of a text.
func Tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(all) > lines {
		all = append([]string{"…"}, all[len(all)-lines:]...)
	}
	return strings.Join(all, "\n")
}

// Pipe runs a program on an input and returns its output.
func (d Dir) Pipe(ctx context.Context, input []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = string(d)
	cmd.Stdin = bytes.NewReader(input)
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	err := cmd.Run()
	Charge(ctx, cmd)
	if err != nil {
		return nil, commandError(name, args, fault.String(), err)
	}
	return out.Bytes(), nil
}
