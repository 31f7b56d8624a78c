package mutation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// readPackage reads the package's files, and returns its name in Go.
func (r *mutantRun) readPackage(ctx context.Context) (string, error) {
	out, err := r.Command(ctx, nil, "go", "list", "-json=Name,GoFiles", "./"+r.pkg)
	if err != nil {
		return "", err
	}
	var listed struct {
		Name    string
		GoFiles []string
	}
	if err := json.Unmarshal([]byte(out), &listed); err != nil {
		return "", err
	}
	r.files = map[string]string{}
	for _, name := range listed.GoFiles {
		text, err := os.ReadFile(r.Path(filepath.FromSlash(r.pkg), name))
		if err != nil {
			return "", err
		}
		r.files[name] = string(text)
	}
	return listed.Name, nil
}

// find runs the tool to list the mutants. The tool measures the coverage of the tests first,
// which the list does not need, so no test is run.
func (r *mutantRun) find(ctx context.Context) (report mutationReport, err error) {
	name := filepath.Join(r.work, "report.json")
	if _, err := r.Command(ctx, []string{"GOFLAGS=-run=^$"}, "go", "run", mutationTool, "unleash", "--dry-run", "--silent", "--output", name, "./"+r.pkg); err != nil {
		return report, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return report, err
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return report, fmt.Errorf("the report on %s: %w", r.pkg, err)
	}
	// The tool also lists the subpackages, whose files may have equal base names.
	report.Files = slices.DeleteFunc(report.Files, func(f mutatedFile) bool {
		dir := path.Dir(f.Name)
		return dir != "." && dir != r.pkg
	})
	return report, nil
}

// compile builds a test binary of all mutants, without those that do not compile.
func (r *mutantRun) compile(ctx context.Context, name string, list []placed) (mutantText, error) {
	exports, err := r.exports(ctx)
	if err != nil {
		return mutantText{}, err
	}
	export := func(at string) (io.ReadCloser, error) { return os.Open(exports[at]) }
	r.binary = filepath.Join(r.work, "all.test")
	alone := map[int]bool{}
	for {
		text, err := schema(r.pkg, r.files, list, export, alone)
		if err != nil {
			return text, err
		}
		files := map[string]string{"mutant_switch.go": fmt.Sprintf(mutantSwitch, name)}
		for file, changed := range text.files {
			if changed != r.files[file] {
				files[file] = changed
			}
		}
		printed, err := r.build(ctx, r.binary, files)
		if err == nil {
			if r.hash, err = r.hashRun(); err != nil {
				return text, err
			}
			return text, nil
		}
		wrong := blamed(printed, text.files)
		if len(wrong) == 0 || ctx.Err() != nil {
			return text, err
		}
		for n := range wrong {
			alone[n] = true
		}
	}
}

// exports returns the export data files of the imported packages.
func (r *mutantRun) exports(ctx context.Context) (map[string]string, error) {
	out, err := r.Command(ctx, nil, "go", "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", "./"+r.pkg)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(out) {
		if at, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			files[at] = file
		}
	}
	return files, nil
}

// build builds the test binaries with files that replace those of the package.
func (r *mutantRun) build(ctx context.Context, binary string, files map[string]string) (printed string, err error) {
	dir, err := os.MkdirTemp(r.work, "text-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for name, text := range files {
		overlay.Replace[r.Path(filepath.FromSlash(r.pkg), name)] = filepath.Join(dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	table, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), table, 0o644); err != nil {
		return "", err
	}
	_, printed, err = r.Run(ctx, ".", nil, "go", "test", "-c", "-vet=off", "-trimpath", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, "./"+r.tests)
	if err == nil && r.next != nil {
		r.next.binary = nextBinary(binary)
		return r.next.build(ctx, r.next.binary, files)
	}
	return printed, err
}

// hashRun returns the hash of the binaries, which contain all code of the tests, and of the
// data that the tests read.
func (r *mutantRun) hashRun() (string, error) {
	files := map[string]string{}
	read := func(name string) error {
		text, err := os.ReadFile(name)
		files[filepath.Base(name)] += string(text)
		return err
	}
	if err := read(r.binary); err != nil {
		return "", err
	}
	err := filepath.WalkDir(r.Path(filepath.FromSlash(r.tests), "testdata"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return read(name)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	rest := ""
	if r.next != nil {
		if rest, err = r.next.hashRun(); err != nil {
			return "", err
		}
	}
	return hashOf(rest, files), nil
}

// hashOf returns a hash of a word and of files with their names.
func hashOf(word string, files map[string]string) string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	fmt.Fprintf(h, "%q", word)
	for _, name := range names {
		fmt.Fprintf(h, "%q%d:%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}
