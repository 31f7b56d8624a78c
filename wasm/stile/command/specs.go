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
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
	"github.com/stile-playground/stile/core/workspace"
)

// declarations are the names of the files that declare tools for the specs in their folder.
var declarations = []string{"tools.json", "agent-tools.json"}

// isSpec reports whether a file is a spec, by the ending of its name, or declares tools for specs.
func isSpec(name string) bool {
	return workspace.KindOf(name) != workspace.KindText || slices.Contains(declarations, filepath.Base(name))
}

// notFile is the error of an entry of a folder that is a pipe, a device or a link to a folder.
const notFile = "%s: neither a file nor a link to a file; name a linked folder by itself"

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
		if entry.IsDir() {
			return nil
		}
		if info, err := os.Stat(path); err != nil { // the end of a link, or of a loop of links
			return err
		} else if !info.Mode().IsRegular() {
			return fmt.Errorf(notFile, path)
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
	return openFiles(files, symbols...)
}

// openFiles is openSpecs for specs that were read.
func openFiles(files []workspace.File, symbols ...string) (*backtest.Specs, error) {
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
		if spec && !info.IsDir() && workspace.KindOf(name) == workspace.KindText && !declares(name) {
			return nil, nil, fmt.Errorf("%s has the name of a file that declares tools, and declares none; rename it to judge it as a trace", name)
		}
		if spec {
			specs = append(specs, name)
		} else {
			traces = append(traces, name)
		}
	}
	for _, name := range specs {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if err := onlySpecs(name, traces); err != nil {
				return nil, nil, err
			}
		}
	}
	return specs, traces, nil
}

// declares reports whether a file declares tools and records no run.
func declares(name string) bool {
	text, err := os.ReadFile(name)
	if err != nil {
		return true // the error of reading it as a spec is reported
	}
	var found rules.Contracts
	found.ReadContracts(name, string(text))
	tree, fault := json.Tree(string(text))
	if len(found.List)+len(found.Malformed) == 0 && fault == nil {
		_, named := tree.Get("tools")
		return tree.Kind == '[' && len(tree.Items) == 0 || named && !records(name, string(text))
	}
	return fault == nil && !records(name, string(text))
}

// records reports whether a JSON text records a run.
func records(name, text string) bool {
	t, err := trace.OpenRuns(source.NewFile(name, text), "")
	return err == nil && len(t.Runs) > 0
}

// traceEndings are the endings of the names of files that contain runs or archives of them, and never belong to specs.
var traceEndings = []string{".jsonl", ".ndjson", ".gz", ".zip", ".sse"}

// onlySpecs returns an error that names a trace in a folder of specs, which is not judged: a file whose ending is one of
// [traceEndings], or JSON that is malformed or records a run. Files in the named traces are judged.
func onlySpecs(folder string, traces []string) error {
	var judged []fs.FileInfo
	for _, name := range traces {
		if info, err := os.Stat(name); err == nil {
			judged = append(judged, info)
		}
	}
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(judged, func(trace fs.FileInfo) bool { return os.SameFile(trace, info) }) {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		base := entry.Name()
		if hidden := strings.HasPrefix(base, ".") && path != folder; entry.IsDir() && (hidden || base == "node_modules") {
			return filepath.SkipDir
		} else if entry.IsDir() || hidden || workspace.KindOf(filepath.ToSlash(path)) != workspace.KindText {
			return nil
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf(notFile, path)
		}
		ending := strings.ToLower(filepath.Ext(base))
		if !slices.Contains(traceEndings, ending) {
			if ending != ".json" || strings.HasSuffix(base, ".mapping.json") || slices.Contains(declarations, base) && declares(path) {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if _, fault := json.Tree(strings.TrimPrefix(string(text), "\ufeff")); fault == nil && !records(path, string(text)) {
				return nil
			}
		}
		return fmt.Errorf("%s contains specs and also %s, which would not be judged; move it to a folder without specs, or name the specs and the traces one by one", folder, path)
	})
}
