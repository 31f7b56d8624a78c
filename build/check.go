package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// checkVerb runs the tests of workspaces: folders, or archives of them. It fails unless every
// workspace has cases and all of them pass.
func checkVerb(_ context.Context, _ repo, args []string) error {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./build check FOLDER | ARCHIVE…")
		return errUsage
	}
	passed := true
	for _, name := range args {
		ok, err := checkWorkspace(os.Stdout, name)
		if err != nil {
			return err
		}
		passed = passed && ok
	}
	if !passed {
		return errFailed
	}
	return nil
}

// checkWorkspace runs the tests of a workspace and prints each case that does not pass.
func checkWorkspace(out io.Writer, name string) (bool, error) {
	w, err := readWorkspace(name)
	if err != nil {
		return false, err
	}
	got, err := runTests(w)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
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
	} else {
		fmt.Fprintf(out, "%s: %d passed, %d failed, %d errors\n", name, got.Passed, got.Failed, got.Errors)
	}
	return got.Verdict == "pass", nil
}

func reasonOf(c session.TestsCase) string {
	if c.Reason == "" {
		return "got " + c.Actual
	}
	return c.Reason
}

func runTests(w workspace.Workspace) (out session.TestsRunResult, err error) {
	params, err := json.Marshal(session.TestsRunParams{Files: w.Files})
	if err != nil {
		return out, err
	}
	var reply struct {
		Result *session.TestsRunResult
		Error  *session.Error
	}
	if err := json.Unmarshal(session.New().Handle(requestOf(1, []byte(`"tests.run"`), params)), &reply); err != nil {
		return out, err
	}
	if reply.Error != nil {
		return out, errors.New(reply.Error.Message)
	}
	return *reply.Result, nil
}

// readWorkspace reads an archive, or the texts of a folder and its subfolders. It skips hidden
// folders, installed packages and files that are not text.
func readWorkspace(name string) (w workspace.Workspace, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return w, err
	}
	if !info.IsDir() {
		text, err := os.ReadFile(name)
		if err != nil {
			return w, err
		}
		w, err = workspace.ParseArchive(string(text))
		if err == nil && len(w.Files) == 0 {
			err = errors.New("not an archive of files (expected lines -- NAME --)")
		}
		if err != nil {
			return w, fmt.Errorf("%s: %w", name, err)
		}
		return w, nil
	}
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && path != name && (strings.HasPrefix(base, ".") || base == "node_modules") {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(name, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		spec := workspace.KindOf(rel) != workspace.KindText
		if !spec && (!utf8.Valid(text) || len(text) > source.MaxFileSize || strings.ContainsRune(string(text), 0)) {
			return nil
		}
		w.Files = append(w.Files, workspace.File{Name: rel, Text: string(text)})
		return nil
	})
	return w, err
}
