package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// command runs a program in the repository and returns what it printed. The
// error has the end of what it printed, for that says why.
func (r repo) command(ctx context.Context, env []string, name string, args ...string) (string, error) {
	return r.commandIn(ctx, ".", env, name, args...)
}

// commandIn is command in a folder of the repository.
func (r repo) commandIn(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.path(dir)
	cmd.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String(), commandError(name, args, out.String(), err)
	}
	return out.String(), nil
}

func commandError(name string, args []string, printed string, err error) error {
	line := strings.TrimSpace(name + " " + strings.Join(args, " "))
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s is needed and was not found; install it (see README.md)", name)
	}
	return fmt.Errorf("%s: %w\n%s", line, err, tail(printed, 60))
}

// tail returns the last lines of a text.
func tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(all) > lines {
		all = append([]string{"…"}, all[len(all)-lines:]...)
	}
	return strings.Join(all, "\n")
}

// pipe runs a program on an input and returns its output.
func (r repo) pipe(ctx context.Context, input []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = string(r)
	cmd.Stdin = bytes.NewReader(input)
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return nil, commandError(name, args, fault.String(), err)
	}
	return out.Bytes(), nil
}
