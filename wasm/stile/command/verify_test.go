package command

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// chained writes the log of runs with the same calls, and returns its lines and the saved states' hashes.
func chained(t *testing.T, prefix string, runs int) (lines, last []string) {
	t.Helper()
	folder(t, map[string]string{"shop.cfg": twoCalls})
	if _, stderr, code := stile("", "compile", "shop.cfg", "-o", "shop.guard"); code != Pass {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile("shop.guard")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	sessions := make([]*gate.Session, runs)
	for i := range sessions {
		log := func(line string) error {
			if prefix != "" {
				line = fmt.Sprint(prefix, i, " ", line)
			}
			lines = append(lines, line)
			return nil
		}
		if sessions[i], err = g.Begin(gate.Options{Log: log}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"login", "refund", "drop"} {
		for i, s := range sessions {
			s.Allow(gate.Event{Name: name, ID: fmt.Sprintf("%s-%d", name, i), Arguments: `{"text":"a {b"}`})
		}
	}
	for _, s := range sessions {
		_, state, _ := strings.Cut(s.Save(), `"log":"`)
		last = append(last, state[:64])
	}
	return lines, last
}

func verified(t *testing.T, lines []string, flags ...string) (string, int) {
	t.Helper()
	if err := os.WriteFile("d.log", []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := stile("", append([]string{"verify", "d.log"}, flags...)...)
	return stdout + stderr, code
}

// Each change of a log is found: a line that is deleted, changed, repeated or moved within its run. The last lines are missed
// by the hash of a saved state only.
func TestChangedLogsAreFound(t *testing.T) {
	for _, prefix := range []string{"", "session-"} {
		lines, last := chained(t, prefix, 3)
		var flags []string
		for _, hash := range last {
			flags = append(flags, "-last", hash)
		}
		if out, code := verified(t, lines, flags...); code != Pass || !strings.Contains(out, "9 lines of 3 runs") {
			t.Fatal(code, out)
		}
		without := func(i int) []string { return append(append([]string{}, lines[:i]...), lines[i+1:]...) }
		for i := range lines {
			if out, code := verified(t, without(i), flags...); code != Fail {
				t.Errorf("without line %d: %d, %s", i, code, out)
			}
			if out, code := verified(t, without(i)); (code != Fail) != (i >= 6) {
				t.Errorf("without line %d and the last hashes: %d, %s", i, code, out)
			}
			changed := append([]string{}, lines...)
			changed[i] = strings.Replace(changed[i], `"verdict":"`, `"verdict":"x`, 1)
			if out, code := verified(t, changed, flags...); code != Fail {
				t.Errorf("changed line %d: %d, %s", i, code, out)
			}
			repeated := append(append([]string{}, lines[:i+1]...), lines[i:]...)
			if out, code := verified(t, repeated, flags...); (code != Fail) && i >= 3 {
				t.Errorf("repeated line %d: %d, %s", i, code, out)
			}
			for j := i % 3; j < i; j += 3 { // the lines of the same run
				swapped := append([]string{}, lines...)
				swapped[i], swapped[j] = swapped[j], swapped[i]
				if out, code := verified(t, swapped, flags...); code != Fail {
					t.Errorf("swapped lines %d and %d: %d, %s", j, i, code, out)
				}
			}
		}
		if prefix != "" {
			moved := append([]string{}, lines...)
			moved[3] = strings.Replace(moved[3], "session-0 ", "session-1 ", 1)
			if out, code := verified(t, moved, flags...); code != Fail {
				t.Errorf("a line of another session: %d, %s", code, out)
			}
		}
		if out, code := verified(t, lines, "-guard", strings.Repeat("0", 64)); code != Fail {
			t.Errorf("another guard: %d, %s", code, out)
		}
	}
	lines, _ := chained(t, "", 1)
	text := strings.Join(lines, "\n") + "\n"
	for end := range len(text) - 1 {
		if err := os.WriteFile("d.log", []byte(text[:end]), 0o600); err != nil {
			t.Fatal(err)
		}
		whole := end == 0 || text[end-1] == '\n'
		if _, _, code := stile("", "verify", "d.log"); (code != Fail) != whole || end == 0 && code != Error {
			t.Errorf("the first %d bytes: %d", end, code)
		}
	}
	for _, text := range []string{"\n", "{}\n", "null\n", `{"n":0,"prev":"x"}` + "\n", `{"n":1}` + "\n", strings.Repeat("x", 2<<20) + "\n", "\xff\n"} {
		if err := os.WriteFile("d.log", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, _, code := stile("", "verify", "d.log"); code != Fail {
			t.Errorf("%.20q: %d, %s", text, code, out)
		}
	}
}
