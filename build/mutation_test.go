package main

import (
	"os"
	"strings"
	"testing"
)

func TestMutantsThatLiveAreListedAndThoseListedLive(t *testing.T) {
	list, err := readMutants("# why\ncore/a\n  a.go | ARITHMETIC_BASE | x := a | b | it is the same\n\ncore/b\n")
	if err != nil || len(list.packages) != 2 || len(list.living) != 1 || list.living[0] != (mutant{"core/a/a.go", "ARITHMETIC_BASE", "x := a | b", "it is the same"}) {
		t.Fatalf("%+v, %v", list, err)
	}
	source := func(string) (string, error) { return "package a\n\tx := a | b\n\ty := 1\n", nil }
	report := func(statuses ...string) []byte {
		var mutations []string
		for i, status := range statuses {
			mutations = append(mutations, `{"type":"ARITHMETIC_BASE","status":"`+status+`","line":`+[]string{"2", "3"}[min(i, 1)]+`}`)
		}
		return []byte(`{"files":[{"file_name":"a.go","mutations":[` + strings.Join(mutations, ",") + `]}]}`)
	}
	many := strings.Split(strings.Repeat("KILLED,", 6), ",")[:6]
	for _, c := range []struct {
		pkg      string
		statuses []string
		want     string
	}{
		{"core/a", append([]string{"LIVED"}, many...), ""},
		{"core/a", append([]string{"NOT COVERED", "TIMED OUT", "NOT VIABLE"}, many...), ""},
		{"core/a", append([]string{"KILLED"}, many...), "does not live any more"},
		{"core/a", append([]string{"LIVED", "LIVED"}, many...), `"y := 1" lives (lived)`},
		{"core/a", []string{"LIVED", "KILLED"}, "50 %"},
		{"core/b", append([]string{"LIVED"}, many...), `core/b/a.go:2`},
		{"core/b", nil, "no mutants"},
	} {
		score, faults, err := judgeMutants(c.pkg, report(c.statuses...), list.living, source)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(faults, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %q, %q, want %q", c.pkg, c.statuses, score, got, c.want)
		}
	}
	for _, text := range []string{"  a.go | X | y | z", "core/a\n  a.go | X"} {
		if _, err := readMutants(text); err == nil {
			t.Errorf("%q is a list", text)
		}
	}
}

func TestTheListOfMutantsIsOne(t *testing.T) {
	text, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	list, err := readMutants(string(text))
	if err != nil || len(list.packages) == 0 {
		t.Fatal(err)
	}
	for _, pkg := range list.packages {
		if _, err := os.Stat("../" + pkg); err != nil {
			t.Error(err)
		}
	}
	for _, m := range list.living {
		source, err := os.ReadFile("../" + m.file)
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(source), m.line) || m.why == "" {
			t.Errorf("%s has no line %q", m.file, m.line)
		}
	}
}
