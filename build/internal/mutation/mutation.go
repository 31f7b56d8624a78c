// Package mutation checks whether the tests of the core's packages detect faults: it
// finds mutants of a package, each with one fault, and runs the package's tests on every
// one.
package mutation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// mutationTool finds the mutants of a package, each with one fault (gremlins, Apache 2.0).
// This package runs the tests itself: the tool compiles each mutant alone, copies the module
// for it, and skips places that Go's coverage does not record, such as the conditions of a
// switch's cases.
const mutationTool = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// mutationScore is the minimum share of a package's mutants that its tests must detect.
const mutationScore = 0.85

// mutationSample is the default number of mutants per package.
const mutationSample = 60

// mutationMemory is the memory limit of a mutant, in KiB, because a mutant whose loop counts down
// below zero would fill all memory.
const mutationMemory = 2_500_000

// speedOnly begins the explanation of a mutant that returns the same results, possibly more slowly.
const speedOnly = "speed only:"

// listFile is the list that explains the surviving mutants.
const listFile = "build/internal/mutation/testdata/mutants.txt"

// mutants is the content of [listFile]: the tested packages, and their surviving
// mutants, each with the reason why it may survive.
type mutants struct {
	packages []string
	by       map[string][]string // the packages with the tests of a package; nil: itself
	living   []mutant
}

// mutant identifies a mutant by the text of its line, because the number of the line
// changes with every edit above it.
type mutant struct {
	file, kind, line, why string
}

// readMutants reads the list: a line with a package, or PACKAGE by PACKAGE… if other
// packages have its tests, and below it, indented, its mutants as FILE | KIND | LINE | WHY.
func readMutants(text string) (mutants, error) {
	out := mutants{by: map[string][]string{}}
	for n, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case trimmed == line:
			pkg, tests, ok := strings.Cut(trimmed, " by ")
			if ok {
				out.by[pkg] = strings.Fields(tests)
			}
			out.packages = append(out.packages, pkg)
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

type mutationReport struct {
	Files []mutatedFile `json:"files"`
}

type mutatedFile struct {
	Name      string     `json:"file_name"`
	Mutations []mutation `json:"mutations"`
}

// mutation is a mutant and its outcome.
type mutation struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
}

// mutated are the operators that each kind of mutant replaces.
var mutated = map[string]map[string]string{
	"CONDITIONALS_NEGATION": {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"},
	"CONDITIONALS_BOUNDARY": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
	"ARITHMETIC_BASE":       {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
	"INVERT_NEGATIVES":      {"-": "+"},
	"INCREMENT_DECREMENT":   {"++": "--", "--": "++"},
}

// mutate returns a text with a mutant's fault; ok is false if the text at its place is not
// of that kind.
func (m mutation) mutate(text string) (out string, ok bool) {
	lines := strings.SplitAfter(text, "\n")
	if m.Line < 1 || m.Line > len(lines) || m.Column < 1 || m.Column > len(lines[m.Line-1]) {
		return "", false
	}
	line := lines[m.Line-1]
	before, rest := line[:m.Column-1], line[m.Column-1:]
	for _, size := range []int{2, 1} {
		if size > len(rest) {
			continue
		}
		if with, ok := mutated[m.Type][rest[:size]]; ok {
			lines[m.Line-1] = before + with + rest[size:]
			return strings.Join(lines, ""), true
		}
	}
	return "", false
}

// placed is a mutation in a file, with a name that changes elsewhere in the file do not affect.
type placed struct {
	mutation
	file string // base name
	key  string // file, kind, the text of the line, and the index among equal ones

	unreached bool // it survives because no test reaches it
}

// place lists a report's mutants in the order of their places. texts has the texts of the
// package's files, by base name.
func place(r mutationReport, texts map[string]string) (out []placed) {
	for _, f := range r.Files {
		for _, m := range f.Mutations {
			if _, ok := texts[path.Base(f.Name)]; ok {
				out = append(out, placed{mutation: m, file: path.Base(f.Name)})
			}
		}
	}
	slices.SortFunc(out, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Type, b.Type))
	})
	lines := map[string][]string{}
	for name, text := range texts {
		lines[name] = strings.Split(text, "\n")
	}
	met := map[string]int{}
	for i := range out {
		m := &out[i]
		key := m.file + "|" + m.Type + "|" + lineOf(lines[m.file], m.Line)
		met[key]++
		m.key = fmt.Sprintf("%s|%d", key, met[key])
	}
	return out
}

func lineOf(lines []string, n int) string {
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// sampleMutants selects n of a package's mutants by the hashes of their names, so that a change of
// the package changes the sample little; n = 0 selects all. Another seed draws another sample. The
// mutants with the numbers in without are excluded.
func sampleMutants(list []placed, n int, seed string, without map[int]bool) []bool {
	out := make([]bool, len(list))
	var order []int
	hashes := make([]string, len(list))
	for i, m := range list {
		sum := sha256.Sum256([]byte(seed + m.key))
		hashes[i] = string(sum[:])
		if !without[i+1] {
			order = append(order, i)
		}
	}
	if n > 0 && n < len(order) {
		slices.SortFunc(order, func(a, b int) int { return strings.Compare(hashes[a], hashes[b]) })
		order = order[:n]
	}
	for _, i := range order {
		out[i] = true
	}
	return out
}

// wilson returns the lower bound of the share, given hits of n, at 95 % (E. B. Wilson, 1927).
func wilson(hits, n int) float64 {
	const z = 1.96
	p, m := float64(hits)/float64(n), float64(n)
	return (p + z*z/(2*m) - z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))) / (1 + z*z/m)
}

// The outcomes of a mutant; "" if it was not tried.
const (
	mutantKilled  = "KILLED"     // a test failed
	mutantEndless = "TIMED OUT"  // the tests did not end, which counts as detected
	mutantLives   = "LIVED"      // no test detected it
	mutantNone    = "NOT VIABLE" // it does not compile
)

// judgeMutants compares the outcomes of a package's mutants with the list. Mutants that
// do not compile do not count.
func judgeMutants(pkg string, tried []placed, listed []mutant, texts map[string]string) (score string, faults []string) {
	seen, all, viable := 0, 0, 0
	met, open := make([]bool, len(listed)), make([]bool, len(listed))
	lines := map[string][]string{}
	for name, text := range texts {
		lines[name] = strings.Split(text, "\n")
	}
	for _, m := range tried {
		if m.Status != mutantNone {
			viable++
		}
		line := lineOf(lines[m.file], m.Line)
		at := slices.IndexFunc(listed, func(l mutant) bool {
			return l.file == path.Join(pkg, m.file) && l.kind == m.Type && l.line == line
		})
		switch m.Status {
		case mutantKilled, mutantEndless:
			seen++
			all++
			// A mutant that is only slower may run out of time. If another listed mutant does,
			// its explanation is wrong.
			if at >= 0 && m.Status == mutantEndless && strings.HasPrefix(listed[at].why, speedOnly) {
				met[at] = true
			}
		case mutantLives:
			all++
			if at >= 0 {
				met[at] = true
				continue
			}
			faulty, _ := m.mutate(texts[m.file])
			fault := fmt.Sprintf("%s:%d:%d: %s of %q lives, as %q", path.Join(pkg, m.file), m.Line, m.Column, m.Type, line, lineOf(strings.Split(faulty, "\n"), m.Line))
			if m.unreached {
				fault += "; no test reaches it"
			}
			faults = append(faults, fault)
		case "":
			if at >= 0 {
				open[at] = true
			}
		}
	}
	for i, l := range listed {
		if path.Dir(l.file) == pkg && !met[i] && !open[i] {
			faults = append(faults, fmt.Sprintf("mutants.txt lists %s of %q in %s, which no longer survives", l.kind, l.line, l.file))
		}
	}
	if all == 0 {
		return "", append(faults, pkg+" has no mutants at all")
	}
	share := float64(seen) / float64(all)
	if share < mutationScore {
		faults = append(faults, fmt.Sprintf("the tests of %s kill %.0f %% of its mutants; %.0f %% are required", pkg, 100*share, 100*mutationScore))
	}
	if all == viable {
		return fmt.Sprintf("%d of %d, %.1f %%", seen, all, 100*share), faults
	}
	return fmt.Sprintf("%d of a sample of %d of %d, %.1f %% (at least %.1f %%)", seen, all, viable, 100*share, 100*wilson(seen, all)), faults
}

// mutationSettings are the settings of the step in the environment: STILE_MUTANTS, the number of
// mutants per package or "all"; STILE_MUTANTS_SEED, a word that draws another sample;
// STILE_MUTANTS_OF, the packages; and STILE_MUTANTS_WORKERS, the number of mutants that run
// concurrently.
type mutationSettings struct {
	sample, workers int
	seed            string
	only            []string
}

func readMutationSettings(env func(string) string, long bool) (s mutationSettings, err error) {
	s.sample, s.workers, s.seed = mutationSample, 1, env("STILE_MUTANTS_SEED")
	if long {
		s.sample = 0
	}
	number := func(name string, into *int) {
		text := env(name)
		if text == "" || err != nil {
			return
		}
		n, fault := strconv.Atoi(text)
		if fault != nil || n < 1 {
			err = fmt.Errorf("%s is %q, expected a number from 1", name, text)
		}
		*into = n
	}
	if env("STILE_MUTANTS") == "all" {
		s.sample = 0
	} else {
		number("STILE_MUTANTS", &s.sample)
	}
	number("STILE_MUTANTS_WORKERS", &s.workers)
	if text := env("STILE_MUTANTS_OF"); text != "" {
		s.only = strings.Split(text, ",")
	}
	return s, err
}

// testsOf returns the packages whose tests must detect a package's mutants.
func (m mutants) testsOf(pkg string) []string {
	if by := m.by[pkg]; len(by) > 0 {
		return by
	}
	return []string{pkg}
}

// Check tries the mutants of the packages in testdata/mutants.txt: all if long is set and
// the environment does not set a sample. It prints a score and the faults of each
// package: a survivor without an explanation, an explanation without a survivor, a score
// that is too low. It returns the number of packages that passed and the number of faults.
func Check(ctx context.Context, dir checkout.Dir, long bool, printf func(format string, args ...any)) (passed, failed int, err error) {
	text, err := os.ReadFile(dir.Path(filepath.FromSlash(listFile)))
	if err != nil {
		return 0, 0, err
	}
	list, err := readMutants(string(text))
	if err != nil {
		return 0, 0, err
	}
	settings, err := readMutationSettings(os.Getenv, long)
	if err != nil {
		return 0, 0, err
	}
	patterns := list.packages
	if settings.only != nil {
		patterns = settings.only
	}
	packages, err := expandPackages(ctx, dir, patterns)
	if err != nil {
		return 0, 0, err
	}
	for _, pkg := range packages {
		began := time.Now()
		tried, texts, err := tryMutants(ctx, dir, pkg, list.testsOf(pkg), settings)
		if err != nil {
			return passed, failed, err
		}
		score, faults := judgeMutants(pkg, tried, list.living, texts)
		printf("mutation: %s %s, %.0f s\n", pkg, score, time.Since(began).Seconds())
		for _, f := range faults {
			printf("FAIL mutation: %s\n", f)
			failed++
		}
		if len(faults) == 0 {
			passed++
		}
	}
	return passed, failed, nil
}

// expandPackages replaces a pattern such as core/plan/... with the matching packages that
// the list does not name and that have files other than tests, so that a package that is
// split stays listed.
func expandPackages(ctx context.Context, dir checkout.Dir, patterns []string) (out []string, err error) {
	for _, pattern := range patterns {
		if !strings.HasSuffix(pattern, "/...") {
			out = append(out, pattern)
			continue
		}
		listed, err := dir.Command(ctx, nil, "go", "list", "-f", "{{if .GoFiles}}{{.ImportPath}}{{end}}", "./"+pattern)
		if err != nil {
			return nil, err
		}
		packages := strings.Fields(listed)
		if len(packages) == 0 {
			return nil, fmt.Errorf("no package matches %s", pattern)
		}
		for _, pkg := range packages {
			if pkg = strings.TrimPrefix(pkg, checkout.ModulePath+"/"); !slices.Contains(patterns, pkg) {
				out = append(out, pkg)
			}
		}
	}
	return out, nil
}
