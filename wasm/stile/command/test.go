package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// testVerb runs the tests of workspaces: folders, or archives of them. It passes only if every
// workspace has cases and all of them pass.
func testVerb(_ context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "test")
	args, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(args) == 0 {
		flags.Usage()
		return Error, errUsage
	}
	code := Pass
	for _, name := range args {
		got, err := testWorkspace(s, name)
		if err != nil {
			return Error, err
		}
		code = max(code, got)
	}
	return code, nil
}

// testWorkspace runs the tests of a workspace and prints each case that does not pass. It returns the exit code.
func testWorkspace(s Streams, name string) (int, error) {
	out := s.Out
	w, err := readWorkspace(name)
	if err != nil {
		return Error, err
	}
	warn(s.Err, w.Files)
	got, err := runTests(w)
	if err != nil {
		return Error, fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range got.Faults {
		fmt.Fprintf(out, "%s:%d: error: %s\n", filepath.Join(name, f.File), f.Line, f.Message)
	}
	for _, c := range got.Cases {
		if c.Status == "pass" {
			continue
		}
		fmt.Fprintf(out, "%s:%d: %s: %s %s: %s\n", filepath.Join(name, c.File), c.Line, c.Status, c.Expected, c.Label, reasonOf(c))
	}
	if got.Verdict == "none" {
		fmt.Fprintf(out, "%s: no tests\n", name)
		return Error, nil
	}
	fmt.Fprintf(out, "%s: %d passed, %d failed, %d errors\n", name, got.Passed, got.Failed, got.Errors)
	if got.Verdict != "pass" {
		return Fail, nil
	}
	return Pass, nil
}

func reasonOf(c session.TestsCase) string {
	if c.Reason == "" {
		return "got " + c.Actual
	}
	return c.Reason
}

func runTests(w workspace.Workspace) (out session.TestsRunResult, err error) {
	err = request("tests.run", session.TestsRunParams{Files: w.Files}, &out)
	return out, err
}

// request calls a method of a new session, and decodes its result.
func request(method string, params, result any) error {
	text, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	reply := struct {
		Result any
		Error  *session.Error
	}{Result: result}
	if err := json.Unmarshal(session.New().Handle(text), &reply); err != nil {
		return err
	}
	if reply.Error != nil {
		return errors.New(reply.Error.Message)
	}
	return nil
}
