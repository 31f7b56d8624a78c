package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// declarations are the names of the files that declare tools for the specs in their folder.
var declarations = []string{"tools.json", "agent-tools.json"}

// isSpec reports whether a file is a spec, by the ending of its name, or declares tools for specs.
func isSpec(name string) bool {
	return workspace.KindOf(name) != workspace.KindText || slices.Contains(declarations, filepath.Base(name))
}

// readWorkspace reads an archive, or the texts of a folder and its subfolders. It skips
// hidden folders, installed packages and files that are not text.
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

// specFiles reads the specs of a command line: files, and folders of which only the files
// with the ending of a notation are read.
func specFiles(names []string) ([]workspace.File, error) {
	var out []workspace.File
	add := func(name, path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(out, func(f workspace.File) bool { return f.Name == name }); i >= 0 {
			if out[i].Text == string(text) {
				return nil
			}
			return fmt.Errorf("two specs have the name %s; rename one of them", name)
		}
		out = append(out, workspace.File{Name: name, Text: string(text)})
		return nil
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			if err := add(filepath.Base(name), name); err != nil {
				return nil, err
			}
			continue
		}
		w, err := readWorkspace(name)
		if err != nil {
			return nil, err
		}
		for _, f := range w.Files {
			if isSpec(f.Name) {
				if err := add(f.Name, filepath.Join(name, filepath.FromSlash(f.Name))); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// openSpecs compiles the named specs of a command line. The specs in symbols only define symbols for them.
func openSpecs(names []string, symbols ...string) (*backtest.Specs, error) {
	files, err := specFiles(names)
	if err != nil {
		return nil, err
	}
	others, err := specFiles(symbols)
	if err != nil {
		return nil, err
	}
	s, err := backtest.Open(session.Notations(), files, others...)
	if err != nil {
		return nil, located(err)
	}
	return s, nil
}

// located adds file and line of the first diagnostic to an error.
func located(err error) error {
	var e *source.Error
	if !errors.As(err, &e) || e.File == nil || len(e.Diagnostics) == 0 {
		return err
	}
	d := e.Diagnostics[0]
	for _, found := range e.Diagnostics {
		if found.Severity == source.SeverityError {
			d = found
			break
		}
	}
	at := e.File.Locate(d.Span.Start)
	return fmt.Errorf("%s:%d:%d: %s [%s]", e.File.Name, at.Line, at.Column, d.Message, d.Code)
}

// sorted splits the arguments of a command line into specs and traces. A folder with a spec
// in it is a workspace of specs; any other folder contains traces.
func sorted(args []string) (specs, traces []string, err error) {
	for _, name := range args {
		if name == "-" {
			traces = append(traces, name)
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, nil, err
		}
		spec := isSpec(name)
		if info.IsDir() {
			entries, err := os.ReadDir(name)
			if err != nil {
				return nil, nil, err
			}
			spec = slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
				return !e.IsDir() && workspace.KindOf(e.Name()) != workspace.KindText
			})
		}
		if spec {
			specs = append(specs, name)
		} else {
			traces = append(traces, name)
		}
	}
	return specs, traces, nil
}
