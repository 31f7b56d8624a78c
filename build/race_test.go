package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// The core and the examples start no goroutine outside tests, and each package that starts
// one has tests for the race detector.
func TestPackagesWithGoroutinesHaveRaceTests(t *testing.T) {
	r, err := findRepo()
	if err != nil {
		t.Fatal(err)
	}
	packages, err := r.racePackages("build", "core", "grammars", "wasm")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, p := range packages {
		folders = append(folders, p.folder)
		for _, fault := range p.faults {
			t.Error(fault)
		}
	}
	if want := []string{"build", "build/internal/bench", "build/internal/checkout", "build/internal/mutation", "core/regex", "wasm/host", "wasm/host/standin/matrix", "wasm/stile/command", "wasm/stile/sidecar", "wasm/worker"}; !slices.Equal(folders, want) {
		t.Errorf("goroutines start in %v, want %v", folders, want)
	}
}

func TestGoroutinesAndDirectivesAreFound(t *testing.T) {
	p := racePackage{folder: "p"}
	for name, text := range map[string]string{
		"x.go": `package x
func f(t *testing.T) { go g(); t.Parallel(); var w sync.WaitGroup; time.AfterFunc(1, g); env.Go(g); x.AfterFunc() }

// Serve serves.
//
//stile:norace serves until the process ends
func serve() { go g() }

//stile:norace without a goroutine
func quiet() {}
`,
		"x_test.go": `package x
// TestA has a comment.
//
//stile:race
func TestA(t *testing.T) { go g() }
func TestB(t *testing.T) { httptest.NewServer(nil) }
func helper() { go g() }
`,
	} {
		if err := p.addFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.starts) != 4 || !slices.Equal(p.tests, []string{"TestA"}) || len(p.faults) != 2 {
		t.Fatalf("%+v", p)
	}
	profile := filepath.Join(t.TempDir(), "cover")
	for _, c := range []struct {
		blocks string
		missed int
	}{
		{"", 4}, {"x.go:2.24,2.200 5 1\n", 0}, {"x.go:2.24,2.200 5 0\n", 4}, {"x.go:2.24,2.40 2 1\n" + checkout.ModulePath + "/p/x.go:2.40,2.200 3 0\n", 2},
	} {
		text := "mode: atomic\n"
		if c.blocks != "" {
			text += checkout.ModulePath + "/p/" + c.blocks
		}
		if err := os.WriteFile(profile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		missed, err := p.missed(profile)
		if err != nil || len(missed) != c.missed {
			t.Errorf("%q: missed %v, %v", c.blocks, missed, err)
		}
	}
}

// A step that prints and one that fails, in each lane.
//
//stile:race
func TestLanesRunTheirStepsInOrder(t *testing.T) {
	var out strings.Builder
	var chosen []step
	for _, name := range []string{"a", "b", "c"} {
		for _, l := range []lane{laneGo, lanePage} {
			chosen = append(chosen, step{name + strings.Repeat("'", int(l)), l, always, func(_ context.Context, t *tester) (tally, error) {
				t.printf("in %s\n", name)
				if name == "b" {
					return tally{passed: 1}, errors.New("fault")
				}
				return tally{passed: 2, skipped: 1}, nil
			}})
		}
	}
	total, err := runSteps(t.Context(), &tester{out: &out, shared: &shared{}}, chosen)
	if err != nil || total != (tally{passed: 10, failed: 2, skipped: 4}) {
		t.Errorf("%+v, %v", total, err)
	}
	var order [2]string
	for line := range strings.Lines(out.String()) {
		if name := strings.Fields(line)[0]; strings.Contains("a b c a' b' c'", name) {
			order[strings.Count(name, "'")] += name[:1]
		}
	}
	if order != [2]string{"abc", "abc"} || strings.Count(out.String(), "fault") != 2 {
		t.Errorf("%v\n%s", order, out.String())
	}
}

//stile:race
func TestPackTogetherFillsTheCache(t *testing.T) {
	r := repo{checkout.Dir(t.TempDir())}
	if err := os.CopyFS(r.Path("web", "tools"), os.DirFS("../web/tools")); err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{[]byte("one"), []byte("two"), []byte("two")}
	r.packTogether(t.Context(), texts...)
	for _, text := range texts {
		packed, err := os.ReadFile(r.Cache("packed", checkout.Hash(text)+"."+packing))
		again, packErr := r.packedBrotli(t.Context(), text)
		if err != nil || packErr != nil || !slices.Equal(packed, again) {
			t.Errorf("%s: %v, %v", text, err, packErr)
		}
	}
}

//stile:race
func TestStandinsServe(t *testing.T) {
	env, stop, err := startStandins()
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range env {
		_, address, _ := strings.Cut(setting, "=")
		reply, err := http.Get(address)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := reply.Body.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := stop(); err != nil || len(env) != 2 {
		t.Errorf("%v: %v", env, err)
	}
}
