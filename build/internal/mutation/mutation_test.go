package mutation

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMutantsThatLiveAreListedAndThoseListedLive(t *testing.T) {
	list, err := readMutants("# why\ncore/a\n  a.go | ARITHMETIC_BASE | x := a | b | it is the same\n\ncore/b by core/a core/b\n")
	if err != nil || len(list.packages) != 2 || list.packages[1] != "core/b" || !slices.Equal(list.testsOf("core/b"), []string{"core/a", "core/b"}) || !slices.Equal(list.testsOf("core/a"), []string{"core/a"}) || len(list.living) != 1 || list.living[0] != (mutant{"core/a/a.go", "ARITHMETIC_BASE", "x := a | b", "it is the same"}) {
		t.Fatalf("%+v, %v", list, err)
	}
	texts := map[string]string{"a.go": "package a\n\tx := a | b\n\ty := 1\n"}
	tried := func(statuses ...string) (out []placed) {
		for i, status := range statuses {
			out = append(out, placed{mutation{Type: "ARITHMETIC_BASE", Status: status, Line: 2 + min(i, 1), Column: 1}, "a.go", "", i == 1})
		}
		return out
	}
	many := strings.Split(strings.Repeat("KILLED,", 6), ",")[:6]
	for _, c := range []struct {
		pkg      string
		statuses []string
		score    string
		want     string
	}{
		{"core/a", append([]string{"LIVED"}, many...), "6 of 7, 85.7 %", ""},
		{"core/a", append([]string{"LIVED", "TIMED OUT", "NOT VIABLE"}, many...), "7 of 8, 87.5 %", ""},
		{"core/a", append([]string{"LIVED", ""}, many...), "6 of a sample of 7 of 8, 85.7 % (at least 48.7 %)", ""},
		{"core/a", append([]string{""}, many...), "6 of a sample of 6 of 7, 100.0 % (at least 61.0 %)", ""},
		{"core/a", append([]string{"TIMED OUT"}, many...), "7 of 7, 100.0 %", "no longer survives"},
		{"core/a", append([]string{"KILLED"}, many...), "7 of 7, 100.0 %", "no longer survives"},
		{"core/a", append([]string{"LIVED", "LIVED"}, many...), "6 of 8, 75.0 %", `"y := 1" lives, as ""; no test reaches it`},
		{"core/a", []string{"LIVED", "KILLED"}, "1 of 2, 50.0 %", "50 %"},
		{"core/b", append([]string{"LIVED"}, many...), "6 of 7, 85.7 %", `core/b/a.go:2`},
		{"core/b", nil, "", "no mutants"},
	} {
		score, faults := judgeMutants(c.pkg, tried(c.statuses...), list.living, texts)
		if got := strings.Join(faults, "; "); score != c.score || (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %q, %q, want %q, %q", c.pkg, c.statuses, score, got, c.score, c.want)
		}
	}
	for why, want := range map[string]int{"speed only: it looks elsewhere first": 0, "the speed only: changes": 1} {
		listed := []mutant{{"core/a/a.go", "ARITHMETIC_BASE", "x := a | b", why}}
		if _, faults := judgeMutants("core/a", tried(append([]string{"TIMED OUT"}, many...)...), listed, texts); len(faults) != want {
			t.Errorf("%s: %q", why, faults)
		}
	}
	for _, text := range []string{"  a.go | X | y | z", "core/a\n  a.go | X"} {
		if _, err := readMutants(text); err == nil {
			t.Errorf("%q is a list", text)
		}
	}
}

func TestMutateChangesTheTextAtItsPlace(t *testing.T) {
	const text = "package a\n\tcase x<=1, y == 2, z--, a+b:\n\t\tx = -y\n"
	for _, c := range []struct {
		m    mutation
		want string // the line
	}{
		{mutation{Type: "CONDITIONALS_BOUNDARY", Line: 2, Column: 8}, "\tcase x<1, y == 2, z--, a+b:"},
		{mutation{Type: "CONDITIONALS_NEGATION", Line: 2, Column: 8}, "\tcase x>1, y == 2, z--, a+b:"},
		{mutation{Type: "CONDITIONALS_NEGATION", Line: 2, Column: 15}, "\tcase x<=1, y != 2, z--, a+b:"},
		{mutation{Type: "INCREMENT_DECREMENT", Line: 2, Column: 22}, "\tcase x<=1, y == 2, z++, a+b:"},
		{mutation{Type: "ARITHMETIC_BASE", Line: 2, Column: 27}, "\tcase x<=1, y == 2, z--, a-b:"},
		{mutation{Type: "INVERT_NEGATIVES", Line: 3, Column: 7}, "\t\tx = +y"},
		{mutation{Type: "INVERT_NEGATIVES", Line: 2, Column: 8}, ""}, {mutation{Type: "ARITHMETIC_BASE", Line: 9, Column: 1}, ""}, {mutation{Type: "ARITHMETIC_BASE", Line: 1, Column: 99}, ""},
	} {
		got, ok := c.m.mutate(text)
		if ok != (c.want != "") {
			t.Errorf("%+v: %v", c.m, ok)
			continue
		}
		if lines := strings.Split(got, "\n"); ok && (lines[c.m.Line-1] != c.want || len(lines) != 4) {
			t.Errorf("%+v: %q", c.m, got)
		}
	}
}

func TestListOfMutantsMatchesTheSource(t *testing.T) {
	text, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	list, err := readMutants(string(text))
	if err != nil || len(list.packages) == 0 {
		t.Fatal(err)
	}
	for _, pkg := range list.packages {
		if _, err := os.Stat("../../../" + strings.TrimSuffix(pkg, "/...")); err != nil {
			t.Error(err)
		}
	}
	for _, m := range list.living {
		source, err := os.ReadFile("../../../" + m.file)
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(source), m.line) || m.why == "" {
			t.Errorf("%s has no line %q", m.file, m.line)
		}
	}
}
