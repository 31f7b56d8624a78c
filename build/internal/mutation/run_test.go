package mutation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/build/internal/checkout"
)

const mutatedPackage = `package a

import "time"

const most = 2 + 1

type word string

// Over counts what is over a limit, at most three.
func Over(xs []int, limit int) (n int) {
	for i := 0; i < len(xs); i++ {
		if xs[i]-limit > 0 && n < most {
			n++
		}
	}
	return n
}

func Twice(d time.Duration) time.Duration { return d * 2 }

func Join(a, b string) string { return a + b }

func JoinWords(a, b word) word { return a + b }

func Same(a int) bool { return a == a+0 }
`

const mutatedTest = `package a

import (
	"testing"
	"time"
)

func TestOver(t *testing.T) {
	if Over([]int{1, 2, 3, 4, 5, 6}, 1) != 3 || Over([]int{1, 2, 3}, 2) != 1 {
		t.Error("wrong")
	}
}

func TestRest(t *testing.T) {
	if Twice(time.Second) != 2*time.Second || Join("a", "b") != "ab" || JoinWords("a", "b") != "ab" {
		t.Error("wrong")
	}
}
`

// mutatedModule is a module with the package a, and its mutants.
func mutatedModule(t *testing.T) (*mutantRun, []placed) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a/a.go": mutatedPackage, "a/a_test.go": mutatedTest} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var report mutationReport
	report.Files = append(report.Files, struct {
		Name      string     `json:"file_name"`
		Mutations []mutation `json:"mutations"`
	}{Name: "a.go"})
	for i, line := range strings.Split(mutatedPackage, "\n") {
		if strings.HasPrefix(line, "//") {
			continue
		}
		for kind, with := range mutated {
			for op := range with {
				if at := strings.Index(line, " "+op+" "); at >= 0 {
					report.Files[0].Mutations = append(report.Files[0].Mutations, mutation{Type: kind, Line: i + 1, Column: at + 2})
				} else if at := strings.Index(line, op); at >= 0 && len(op) == 2 && strings.HasPrefix(kind, "INCREMENT") {
					report.Files[0].Mutations = append(report.Files[0].Mutations, mutation{Type: kind, Line: i + 1, Column: at + 1})
				}
			}
		}
	}
	r := &mutantRun{Dir: checkout.Dir(dir), pkg: "a", tests: "a", work: t.TempDir()}
	if _, err := r.readPackage(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r, place(report, r.files)
}

//stile:race
func TestMutantsAreTriedInOneBinary(t *testing.T) {
	ctx := context.Background()
	r, list := mutatedModule(t)
	text, err := r.compile(ctx, "a", list)
	if err != nil {
		t.Fatal(err)
	}
	memo := readMemo("")
	if err := r.measure(ctx, len(list), r.hash, &memo); err != nil {
		t.Fatal(err)
	}
	if err := r.tryAll(ctx, list, sampleMutants(list, 0, "", text.barren), text, 2, &memo); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a.go|ARITHMETIC_BASE|const most = 2 + 1|1":                                         mutantKilled,
		"a.go|CONDITIONALS_BOUNDARY|for i := 0; i < len(xs); i++ {|1":                       mutantKilled,
		"a.go|CONDITIONALS_NEGATION|for i := 0; i < len(xs); i++ {|1":                       mutantKilled,
		"a.go|INCREMENT_DECREMENT|for i := 0; i < len(xs); i++ {|1":                         mutantKilled, // by its index
		"a.go|CONDITIONALS_BOUNDARY|if xs[i]-limit > 0 && n < most {|1":                     mutantKilled,
		"a.go|CONDITIONALS_BOUNDARY|if xs[i]-limit > 0 && n < most {|2":                     mutantKilled,
		"a.go|CONDITIONALS_NEGATION|if xs[i]-limit > 0 && n < most {|1":                     mutantKilled,
		"a.go|CONDITIONALS_NEGATION|if xs[i]-limit > 0 && n < most {|2":                     mutantKilled,
		"a.go|INCREMENT_DECREMENT|n++|1":                                                    mutantKilled,
		"a.go|ARITHMETIC_BASE|func Twice(d time.Duration) time.Duration { return d * 2 }|1": mutantKilled,
		"a.go|ARITHMETIC_BASE|func Join(a, b string) string { return a + b }|1":             mutantNone,
		"a.go|ARITHMETIC_BASE|func JoinWords(a, b word) word { return a + b }|1":            mutantNone,
		"a.go|CONDITIONALS_NEGATION|func Same(a int) bool { return a == a+0 }|1":            mutantLives,
	}
	got := map[string]string{}
	for _, m := range list {
		got[m.key] = m.Status
	}
	for key, status := range want {
		if got[key] != status {
			t.Errorf("%s: %q, want %q", key, got[key], status)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d mutants, want %d: %v", len(got), len(want), got)
	}
	if !text.alone[1] || len(text.barren) != 1 {
		t.Errorf("alone %v, barren %v", text.alone, text.barren)
	}
	if killer := memo.Tried["a.go|INCREMENT_DECREMENT|n++|1"].Killer; killer != "TestOver" {
		t.Errorf("killed by %q", killer)
	}
	// A mutant is tried with the tests that reach it.
	for i, m := range list {
		inOver := m.Line >= 10 && m.Line <= 13
		if !text.alone[i+1] && !text.barren[i+1] && r.measured.Tests["TestOver"].reaches(i+1) != inOver {
			t.Errorf("TestOver reaches %s: %v", m.key, !inOver)
		}
		if m.unreached != (m.Status == mutantLives) {
			t.Errorf("%s is unreached: %v", m.key, m.unreached)
		}
	}
	// Known outcomes are not tried again, and a change without effect keeps the hash.
	hash, binary := r.hash, r.binary
	if _, err := r.compile(ctx, "a", list); err != nil {
		t.Fatal(err)
	}
	if r.hash != hash {
		t.Error("the hash is another one")
	}
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	if err := r.tryAll(ctx, list, sampleMutants(list, 0, "", text.barren), text, 1, &memo); err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if got[m.key] != m.Status {
			t.Errorf("%s: %q, was %q", m.key, m.Status, got[m.key])
		}
	}
	name := filepath.Join(t.TempDir(), "kept", "a.json")
	if err := writeMemo(name, memo); err != nil {
		t.Fatal(err)
	}
	if kept := readMemo(name); len(kept.Tried) != len(memo.Tried) {
		t.Errorf("%d mutants are kept of %d", len(kept.Tried), len(memo.Tried))
	}
}

// A fault that the tests of one package miss is noticed by those of the next.
func TestTestsOfOtherPackagesKillMutants(t *testing.T) {
	r, list := mutatedModule(t)
	other := "package b\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/a\"\n)\n\nfunc TestSame(t *testing.T) {\n\tif !a.Same(7) {\n\t\tt.Error(7)\n\t}\n}\n"
	if err := os.MkdirAll(r.Path("b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.Path("b", "b_test.go"), []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	r.next = &mutantRun{Dir: r.Dir, pkg: "a", tests: "b", work: r.work, files: r.files}
	ctx := context.Background()
	text, err := r.compile(ctx, "a", list)
	if err != nil {
		t.Fatal(err)
	}
	memo := readMemo("")
	if err := r.measure(ctx, len(list), r.hash, &memo); err != nil {
		t.Fatal(err)
	}
	if err := r.tryAll(ctx, list, sampleMutants(list, 0, "", text.barren), text, 1, &memo); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(list, func(m placed) bool { return m.unreached }) {
		t.Error("a mutant that the tests of b reach is unreached")
	}
	for key, want := range map[string]string{
		"a.go|CONDITIONALS_NEGATION|func Same(a int) bool { return a == a+0 }|1": "TestSame", "a.go|INCREMENT_DECREMENT|n++|1": "TestOver",
	} {
		if got := memo.Tried[key]; got.Status != mutantKilled || got.Killer != want || got.Hash != r.hash {
			t.Errorf("%s: %+v", key, got)
		}
	}
	if !text.alone[1] || memo.Tried["a.go|ARITHMETIC_BASE|const most = 2 + 1|1"].Status != mutantKilled {
		t.Errorf("%+v", memo.Tried)
	}
}

func TestEndlessMutantIsReported(t *testing.T) {
	r, _ := mutatedModule(t)
	ctx := context.Background()
	binary := filepath.Join(r.work, "a.test")
	if _, err := r.build(ctx, binary, map[string]string{"a.go": strings.Replace(mutatedPackage, "i++", "i += 0", 1)}); err != nil {
		t.Fatal(err)
	}
	out, err := r.run(ctx, binary, 0, 1, false)
	if err != nil || out.status != mutantEndless || killerOf(out.printed) != "TestOver" || out.seconds < 0.5 {
		t.Errorf("%s after %.1f s, by %q, %v", out.status, out.seconds, killerOf(out.printed), err)
	}
}

func TestQuickTestsAreTriedFirst(t *testing.T) {
	reached := func(numbers ...int) []byte {
		out := make([]byte, 2)
		for _, n := range numbers {
			out[n/8] |= 1 << (n % 8)
		}
		return out
	}
	m := measurement{Tests: map[string]*measuredTest{
		"TestA": {Seconds: 0.125, Reached: reached(1, 9)},
		"TestB": {Seconds: 0.03125, Reached: reached(1, 9)},
		"TestC": {Seconds: 40, Few: 1, Reached: reached(1)},
		"TestD": {Seconds: 0.0625, Reached: reached(1, 2)},
		"TestE": {Seconds: 0.5, Reached: reached(1)},
		"TestF": {Seconds: 0.625, Reached: reached(1)},
		"TestG": {Seconds: 50, Reached: reached(1)},
	}}
	for _, c := range []struct {
		number int
		before string
		want   string
	}{
		{1, "", "[{[TestB TestD TestA] false 0.21875} {[TestE TestF] false 1.125} {[TestC] true 1} {[TestC] false 40} {[TestG] false 50}]"},
		{1, "TestC", "[{[TestC] true 1} {[TestB TestD TestA] false 0.21875} {[TestE TestF] false 1.125} {[TestC] false 40} {[TestG] false 50}]"},
		{9, "TestC", "[{[TestB TestA] false 0.15625}]"},
		{2, "TestD", "[{[TestD] false 0.0625}]"},
		{3, "", "[]"},
		{anyMutant, "TestB", "[{[TestB] false 0.03125} {[TestD TestA] false 0.1875} {[TestE TestF] false 1.125} {[TestC] true 1} {[TestC] false 40} {[TestG] false 50}]"},
	} {
		if got := fmt.Sprint(m.parts(c.number, c.before)); got != c.want {
			t.Errorf("%d: %s, want %s", c.number, got, c.want)
		}
	}
	if got := (part{seconds: 2}).limit(); got != 16.5 {
		t.Error(got)
	}
}

func TestFailedTest(t *testing.T) {
	const printed = "=== RUN   TestA\n=== RUN   TestA/x\n    --- PASS: TestA/x (0.01s)\n--- PASS: TestA (0.20s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\n=== RUN   TestC\n--- PASS: TestC (4.00s)\n=== RUN   TestD\n--- PASS: TestD (0.05s)\nPASS\n"
	for _, c := range []struct{ printed, want string }{
		{printed, "TestD"},
		{"=== RUN   TestA\n--- FAIL: TestA (0.00s)\n=== RUN   TestB\n", "TestA"},
		{"=== RUN   TestA\n=== RUN   TestB\n=== RUN   TestB/x\npanic: y\n", "TestB"},
		{"", ""},
	} {
		if got := killerOf(c.printed); got != c.want {
			t.Errorf("%q: %q, want %q", c.printed, got, c.want)
		}
	}
}

func TestACompilerErrorIsBlamedOnTheMutantBeforeIt(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nvar x = (/*mutant 4*/func() T { return (/*mutant 7*/func() int {}()) }())\n"}
	for _, c := range []struct {
		errors string
		want   []int
	}{
		{"# m/a\na/a.go:3:27: undefined: T\n", []int{4}},
		{"a/a.go:3:65: missing return\n", []int{7}},
		{"a/a.go:3:27: x\n./a/a.go:3:65: y\n", []int{4, 7}},
		{"a/a.go:1:3: x\nb.go:3:65: y\na.go:9:1: z\nno place", nil},
	} {
		var got []int
		for n := range blamed(c.errors, files) {
			got = append(got, n)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.errors, got, c.want)
		}
	}
}

func TestSampleOfMutantsIsStable(t *testing.T) {
	texts := map[string]string{"a.go": strings.Repeat("x := a + b\n", 50)}
	var r mutationReport
	r.Files = append(r.Files, struct {
		Name      string     `json:"file_name"`
		Mutations []mutation `json:"mutations"`
	}{Name: "p/a.go"})
	for i := range 50 {
		r.Files[0].Mutations = append(r.Files[0].Mutations, mutation{Type: "ARITHMETIC_BASE", Line: 50 - i, Column: 8})
	}
	list := place(r, texts)
	if len(list) != 50 || list[0].Line != 1 || list[1].key != "a.go|ARITHMETIC_BASE|x := a + b|2" {
		t.Fatalf("%d mutants, %+v", len(list), list[1])
	}
	count := func(wanted []bool) (n int) {
		for _, w := range wanted {
			if w {
				n++
			}
		}
		return n
	}
	ten := sampleMutants(list, 10, "", nil)
	if count(ten) != 10 || count(sampleMutants(list, 0, "", nil)) != 50 || count(sampleMutants(list, 99, "", map[int]bool{1: true, 50: true})) != 48 {
		t.Error("a sample has another size")
	}
	if slices.Equal(ten, sampleMutants(list, 10, "2", nil)) || count(sampleMutants(list, 10, "2", nil)) != 10 {
		t.Error("another seed draws the same sample")
	}
	shorter := sampleMutants(list[:49], 10, "", nil)
	both := 0
	for i := range shorter {
		if shorter[i] && ten[i] {
			both++
		}
	}
	if both < 9 {
		t.Errorf("one mutant less changes %d of 10", 10-both)
	}
}

func TestMutationSettings(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		long bool
		want mutationSettings
	}{
		{nil, false, mutationSettings{sample: mutationSample, workers: 1}},
		{nil, true, mutationSettings{workers: 1}},
		{map[string]string{"STILE_MUTANTS": "all"}, false, mutationSettings{workers: 1}},
		{map[string]string{"STILE_MUTANTS": "7", "STILE_MUTANTS_WORKERS": "2", "STILE_MUTANTS_SEED": "x", "STILE_MUTANTS_OF": "core/a,core/b"}, true, mutationSettings{sample: 7, workers: 2, seed: "x", only: []string{"core/a", "core/b"}}},
	} {
		got, err := readMutationSettings(func(name string) string { return c.env[name] }, c.long)
		if err != nil || got.sample != c.want.sample || got.workers != c.want.workers || got.seed != c.want.seed || !slices.Equal(got.only, c.want.only) {
			t.Errorf("%v: %+v, %v", c.env, got, err)
		}
	}
	for _, text := range []string{"0", "-1", "many"} {
		if _, err := readMutationSettings(func(string) string { return text }, false); err == nil {
			t.Errorf("%q is a number", text)
		}
	}
}
