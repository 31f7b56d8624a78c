package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mutationTool makes mutants of a package, each with one fault, and asks the package's own
// tests whether they see it (gremlins, Apache 2.0).
const mutationTool = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// mutationScore is the least share of a package's mutants that its tests have to see.
const mutationScore = 0.85

// mutationMemory is how much memory a mutant may take, in KiB: one that counts down below
// zero fills all that there is.
const mutationMemory = 5_000_000

// mutants is build/testdata/mutants.txt: the packages that are tried, and the mutants of
// theirs that live, each with why nothing is wrong with that.
type mutants struct {
	packages []string
	living   []mutant
}

// mutant is one by its place: the text of its line rather than the number, which changes
// with every line above.
type mutant struct {
	file, kind, line, why string
}

// readMutants reads such a list: a line with a package, and below it, indented, its
// mutants as FILE | KIND | LINE | WHY.
func readMutants(text string) (mutants, error) {
	var out mutants
	for n, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case trimmed == line:
			out.packages = append(out.packages, trimmed)
		default:
			parts := strings.Split(trimmed, " | ")
			if len(parts) < 4 || len(out.packages) == 0 {
				return out, fmt.Errorf("mutants.txt, line %d: a mutant is FILE | KIND | LINE | WHY, below its package", n+1)
			}
			// A line of Go may have " | " in it.
			last := len(parts) - 1
			out.living = append(out.living, mutant{
				file: path.Join(out.packages[len(out.packages)-1], parts[0]), kind: parts[1], line: strings.Join(parts[2:last], " | "), why: parts[last],
			})
		}
	}
	return out, nil
}

// mutationReport is what the tool writes.
type mutationReport struct {
	Files []struct {
		Name      string `json:"file_name"`
		Mutations []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
			Line   int    `json:"line"`
		} `json:"mutations"`
	} `json:"files"`
}

// checkMutation tries the packages of the list. Every mutant that lives has to be listed,
// everything that is listed has to live, and every package's score has to be high enough.
func checkMutation(ctx context.Context, t *tester) (tally, error) {
	text, err := os.ReadFile(t.path("build", "testdata", "mutants.txt"))
	if err != nil {
		return tally{}, err
	}
	list, err := readMutants(string(text))
	if err != nil {
		return tally{}, err
	}
	dir, err := os.MkdirTemp("", "stile-mutants-")
	if err != nil {
		return tally{}, err
	}
	defer os.RemoveAll(dir)
	// The tool copies the whole module for its work, of which the core is enough.
	for _, name := range []string{"core", "grammars"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(t.path(name))); err != nil {
			return tally{}, err
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(t.path(name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			return tally{}, err
		}
	}
	var counts tally
	for _, pkg := range list.packages {
		report := filepath.Join(dir, "report.json")
		// One mutant at a time: many at once are slow, and slowness looks like an endless
		// loop.
		run := fmt.Sprintf("cd %q && ulimit -v %d && exec go run %s unleash --silent --workers 1 --timeout-coefficient 20 --output %q ./%s", dir, mutationMemory, mutationTool, report, pkg)
		if _, err := t.command(ctx, nil, "sh", "-c", run); err != nil {
			return counts, err
		}
		text, err := os.ReadFile(report)
		if err != nil {
			return counts, err
		}
		source := func(file string) (string, error) {
			text, err := os.ReadFile(t.path(filepath.FromSlash(file)))
			return string(text), err
		}
		score, faults, err := judgeMutants(pkg, text, list.living, source)
		if err != nil {
			return counts, err
		}
		fmt.Printf("mutation: %s %s\n", pkg, score)
		for _, f := range faults {
			fmt.Printf("FAIL mutation: %s\n", f)
			counts.failed++
		}
		if len(faults) == 0 {
			counts.passed++
		}
	}
	return counts, nil
}

// judgeMutants holds a report against the list. A mutant that is not run because no test
// comes by its line lives, and one that does not end is seen.
func judgeMutants(pkg string, report []byte, listed []mutant, source func(file string) (string, error)) (score string, faults []string, err error) {
	var r mutationReport
	if err := json.Unmarshal(report, &r); err != nil {
		return "", nil, fmt.Errorf("the report on %s: %w", pkg, err)
	}
	seen, all := 0, 0
	met := make([]bool, len(listed))
	for _, f := range r.Files {
		name := path.Join(pkg, path.Base(f.Name))
		text, err := source(name)
		if err != nil {
			return "", nil, err
		}
		lines := strings.Split(text, "\n")
		for _, m := range f.Mutations {
			switch m.Status {
			case "KILLED", "TIMED OUT":
				seen++
				all++
			case "LIVED", "NOT COVERED":
				all++
				line := ""
				if m.Line >= 1 && m.Line <= len(lines) {
					line = strings.TrimSpace(lines[m.Line-1])
				}
				at := slices.IndexFunc(listed, func(l mutant) bool { return l.file == name && l.kind == m.Type && l.line == line })
				if at < 0 {
					faults = append(faults, fmt.Sprintf("%s:%d: %s of %q lives (%s)", name, m.Line, m.Type, line, strings.ToLower(m.Status)))
				} else {
					met[at] = true
				}
			}
		}
	}
	for i, l := range listed {
		if path.Dir(l.file) == pkg && !met[i] {
			faults = append(faults, fmt.Sprintf("mutants.txt lists %s of %q in %s, which does not live any more", l.kind, l.line, l.file))
		}
	}
	if all == 0 {
		return "", append(faults, pkg+" has no mutants at all"), nil
	}
	share := float64(seen) / float64(all)
	if share < mutationScore {
		faults = append(faults, fmt.Sprintf("the tests of %s see %.0f %% of its mutants; %.0f %% are wanted", pkg, 100*share, 100*mutationScore))
	}
	return fmt.Sprintf("%d of %d, %.1f %%", seen, all, 100*share), faults, nil
}
