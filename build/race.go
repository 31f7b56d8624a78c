package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
	"golang.org/x/tools/cover"
)

// Directives in doc comments that choose the tests for the race detector. The detector slows tests
// down ten times, and most of them compute in the core, which starts no goroutine.
const (
	// raceDirective marks a test that runs under the race detector.
	raceDirective = "//stile:race"
	// noRaceDirective excuses a function that starts goroutines, with a reason.
	noRaceDirective = "//stile:norace "
)

// racePackage is a package that starts goroutines.
type racePackage struct {
	folder string
	tests  []string    // the marked tests
	starts []raceStart // the starts of goroutines that a marked test must reach
	faults []string    // goroutines that no marked test can reach
}

// raceStart is a place that starts a goroutine.
type raceStart struct {
	file      string // its name in the folder
	line, col int
	what      string
}

// starters are the functions of the standard library that run their argument, or the
// rest of a test, on another goroutine. The value is the package of a function, and ""
// for a method.
var starters = map[string]string{
	"Parallel": "", "RunParallel": "", "WaitGroup": "sync", "AfterFunc": "time",
	"NewServer": "httptest", "NewTLSServer": "httptest", "NewUnstartedServer": "httptest",
}

// goroutines returns the places in a part of a file at which a goroutine starts.
func goroutines(part ast.Node) map[token.Pos]string {
	found := map[token.Pos]string{}
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found[n.Pos()] = "a go statement"
		case *ast.SelectorExpr:
			from, known := starters[n.Sel.Name]
			pkg, isName := n.X.(*ast.Ident)
			if known && (from == "" || isName && pkg.Name == from) {
				found[n.Pos()] = n.Sel.Name
			}
		}
		return true
	})
	return found
}

// racePackages returns the packages below folders that start goroutines.
func (r repo) racePackages(roots ...string) ([]racePackage, error) {
	byFolder := map[string]*racePackage{}
	for _, root := range roots {
		err := filepath.WalkDir(r.Path(root), func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata"):
				return fs.SkipDir
			case entry.IsDir() && separate(name): // its tests run in the step of the module
				return fs.SkipDir
			case entry.IsDir() || !strings.HasSuffix(name, ".go"):
				return nil
			}
			folder, err := filepath.Rel(string(r.Dir), filepath.Dir(name))
			if err != nil {
				return err
			}
			folder = filepath.ToSlash(folder)
			p := byFolder[folder]
			if p == nil {
				p = &racePackage{folder: folder}
				byFolder[folder] = p
			}
			source, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return p.addFile(filepath.Base(name), source)
		})
		if err != nil {
			return nil, err
		}
	}
	var out []racePackage
	for _, folder := range sortedNames(byFolder) {
		p := byFolder[folder]
		if len(p.starts) > 0 && len(p.tests) == 0 {
			p.faults = append(p.faults, folder+": no test has the directive "+raceDirective)
		}
		if len(p.starts)+len(p.tests)+len(p.faults) > 0 {
			out = append(out, *p)
		}
	}
	return out, nil
}

// separate reports whether a folder is a Go module.
func separate(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func (p *racePackage) addFile(name string, source []byte) error {
	text := token.NewFileSet()
	file, err := parser.ParseFile(text, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	isTest := strings.HasSuffix(name, "_test.go")
	for _, d := range file.Decls {
		marked, excused := false, false
		testName := ""
		if f, ok := d.(*ast.FuncDecl); ok {
			marked, excused = hasDirective(f, raceDirective), hasDirective(f, noRaceDirective)
			if isTest && strings.HasPrefix(f.Name.Name, "Test") {
				testName = f.Name.Name
			}
		}
		if marked && testName != "" {
			p.tests = append(p.tests, testName)
		}
		found := goroutines(d)
		place := func(at token.Pos) string {
			return fmt.Sprintf("%s/%s: %s", p.folder, text.Position(at), found[at])
		}
		for at, what := range found {
			switch position := text.Position(at); {
			case excused || marked && testName != "":
			case testName != "":
				p.faults = append(p.faults, place(at)+" starts a goroutine in a test without the directive "+raceDirective)
			case !isTest:
				p.starts = append(p.starts, raceStart{name, position.Line, position.Column, what})
			}
		}
		if excused && len(found) == 0 {
			p.faults = append(p.faults, fmt.Sprintf("%s/%s: the directive %sis unused", p.folder, text.Position(d.Pos()), noRaceDirective))
		}
	}
	slices.Sort(p.faults)
	return nil
}

// hasDirective reports whether a function's doc comment has a line that is the directive,
// or begins with it if it ends with a space.
func hasDirective(f *ast.FuncDecl, directive string) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool {
		return c.Text == directive || strings.HasSuffix(directive, " ") && strings.HasPrefix(c.Text, directive)
	})
}

// checkRace runs the marked tests of the packages that start goroutines under the race
// detector, which needs a C compiler. It fails on a goroutine that the marked tests do not
// start.
func checkRace(ctx context.Context, t *tester) (tally, error) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.printf("race: skipped, because no C compiler (cc) is installed\n")
		return tally{skipped: 1}, nil
	}
	if err := t.npmPackages(ctx); err != nil {
		return tally{}, err
	}
	env, err := t.moduleEnv(ctx, "CGO_ENABLED=1")
	if err != nil {
		return tally{}, err
	}
	packages, err := t.racePackages("build", "core", "grammars", "wasm")
	if err != nil {
		return tally{}, err
	}
	var counts tally
	for _, p := range packages {
		for _, fault := range p.faults {
			t.printf("FAIL race: %s\n", fault)
			counts.failed++
		}
		if len(p.tests) == 0 {
			continue
		}
		profile := t.Cache("race.cover")
		n, err := t.goTest(ctx, env, "-timeout", "30m", "-race", "-coverprofile", profile, "-run", "^("+strings.Join(p.tests, "|")+")$", "./"+p.folder)
		counts.add(n)
		if err != nil {
			return counts, err
		}
		missed, err := p.missed(profile)
		if err != nil {
			return counts, err
		}
		for _, place := range missed {
			t.printf("FAIL race: no test with the directive %s starts the goroutine at %s\n", raceDirective, place)
			counts.failed++
		}
	}
	return counts, nil
}

// missed returns the starts of goroutines that a coverage profile shows as not executed.
func (p racePackage) missed(profile string) (out []string, err error) {
	data, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	files, err := cover.ParseProfilesFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for _, s := range p.starts {
		reached := slices.ContainsFunc(files, func(f *cover.Profile) bool {
			return f.FileName == checkout.ModulePath+"/"+p.folder+"/"+s.file && slices.ContainsFunc(f.Blocks, func(b cover.ProfileBlock) bool { return b.Count > 0 && s.within(b) })
		})
		if !reached {
			out = append(out, fmt.Sprintf("%s/%s:%d (%s)", p.folder, s.file, s.line, s.what))
		}
	}
	return out, nil
}

func (s raceStart) within(b cover.ProfileBlock) bool {
	after := s.line > b.StartLine || s.line == b.StartLine && s.col >= b.StartCol
	before := s.line < b.EndLine || s.line == b.EndLine && s.col <= b.EndCol
	return after && before
}
