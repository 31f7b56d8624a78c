package guard

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

func readGuard(files []workspace.File, o compile.Options) (*gate.Guard, error) {
	file, err := compile.Compile(language.Table(), files, o)
	if err != nil {
		return nil, err
	}
	text, err := compile.Text(file)
	if err != nil {
		return nil, err
	}
	return gate.Read(text)
}

// otherBehaviour changes a workspace in one place, so that many runs remain permitted.
func otherBehaviour(r *rand.Rand, files []workspace.File) []workspace.File {
	out := slices.Clone(files)
	for i, f := range out {
		lines := strings.Split(f.Text, "\n")
		k := r.IntN(len(lines))
		switch {
		case f.Name == "g.cfg" && r.IntN(2) == 0:
			lines = append(lines, lines[r.IntN(len(lines))])
			if fields := strings.Fields(lines[len(lines)-1]); len(fields) > 3 {
				j := 2 + r.IntN(len(fields)-2)
				fields[j] = []string{"login", "look", "pay", "logout"}[r.IntN(4)]
				lines[len(lines)-1] = strings.Join(fields, " ")
			}
		case f.Name == "a.agent" && r.IntN(3) == 0:
			lines[k] = strings.Replace(lines[k], "(or ", "(next ", 1)
		case f.Name == "a.agent" && r.IntN(2) == 0:
			lines[k] = strings.Replace(lines[k], "(next ", "(until ", 1)
		case f.Name == "p.ltl":
			lines[0] = strings.Replace(lines[0], "G", "F", 1)
		}
		out[i].Text = strings.Join(lines, "\n")
	}
	return out
}

// A session that moved is the session of the new guard after the same events. Concurrent calls are excluded,
// because the new guard may enter their results in another order.
func TestMovedSessionsEqualReplayedOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 26))
	moved, kept, steps := 0, 0, 0
	for round := range sample() {
		files := randomSpecs(r)
		before, err := readGuard(files, compile.Options{})
		if err != nil {
			continue
		}
		after, err := readGuard(otherBehaviour(r, otherBehaviour(r, files)), compile.Options{})
		if err != nil || round%8 > 0 && reflect.DeepEqual(before.File.Specs, after.File.Specs) {
			continue
		}
		adoption := after.Adopt(before)
		for range 4 {
			session, err := before.Begin(gate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			replay, err := after.Begin(gate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			same, open := true, ""
			for i := range 8 {
				next, _ := session.Next()
				e := gate.Event{Kind: "message", Name: "assistant", Content: "5", Final: r.IntN(4) == 0}
				switch {
				case open != "":
					e = gate.Event{Kind: "result", ID: open, Content: "ok"}
				case i == 0 || r.IntN(5) == 0:
					e = gate.Event{Kind: "message", Name: "user", Content: "x"}
				case len(next) > 0 && r.IntN(4) > 0:
					e = gate.Event{Kind: "call", Name: next[r.IntN(len(next))], ID: fmt.Sprint("c", i), Arguments: []string{"", "7", `{"a":1}`, `"ab1"`}[r.IntN(4)]}
				}
				saved := session.Save()
				if d := session.Record(e); d.Verdict != gate.Allow {
					if session, err = before.Load(saved, gate.Options{}); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if open = ""; e.Kind == "call" {
					open = e.ID
				}
				steps++
				same = same && replay.Record(e).Verdict == gate.Allow
				out, difference := adoption.Move(session, gate.Options{})
				switch {
				case out == nil && (difference.Reason == "" || difference.String() == ""):
					t.Fatalf("round %d: no reason", round)
				case out == nil:
					kept++
				case !same || now(out) != now(replay):
					t.Fatalf("round %d, %v: a session moved to\n%s, but the events lead to\n%s\n%s\n%s", round, e, now(out), now(replay), before.Text(), after.Text())
				default:
					moved++
				}
			}
		}
	}
	if moved < 200 || kept < 50 {
		t.Errorf("%d sessions moved and %d were kept in %d steps", moved, kept, steps)
	}
	t.Logf("%d sessions moved and %d were kept in %d steps", moved, kept, steps)
}

// now returns the part of a state that later decisions depend on.
func now(s *gate.Session) string {
	text := s.Save()
	_, text, _ = strings.Cut(text, `"now":`)
	text, _, _ = strings.Cut(text, `,"undo":`)
	return text
}

// A session that does not move has a shortest run that its state permits and the new guard does not.
func TestDifferencesAreShortest(t *testing.T) {
	shop := func(specs ...string) []workspace.File {
		var files []workspace.File
		for i := 0; i < len(specs); i += 2 {
			files = append(files, workspace.File{Name: specs[i], Text: specs[i+1]})
		}
		return files
	}
	const order = "S -> login work\nwork -> lookup work | refund work | logout\n"
	const once = "once: refund() -> !(previous once refund())\n"
	for _, c := range []struct {
		about         string
		before, after []workspace.File
		calls, want   string
	}{
		{"a call is not permitted", shop("a.cfg", order), shop("a.cfg", "S -> login work\nwork -> lookup work | logout\n"), "login lookup lookup refund lookup",
			`a.cfg: in the run "login" "refund", step 2 is not permitted by the new specs`},
		{"other state", shop("a.cfg", order), shop("a.cfg", "S -> login S2\nS2 -> lookup work | logout\nwork -> lookup work | refund work | logout\n"), "login lookup",
			`a.cfg: in the run "login" "refund", step 2 is not permitted by the new specs`},
		{"two states", shop("a.cfg", order), shop("a.cfg", order, "p.ltl", "calm: G(refund -> X !refund)\n"), "login lookup",
			`a.cfg: in the run "login" "refund" "refund", step 3 violates the property "p.ltl: calm" of the new specs`},
		{"two states without a violation", shop("a.cfg", "S -> a S | b S | c\n"), shop("a.cfg", "S -> a S | b T | c\nT -> a T | b T | d | c\n"), "b",
			`a.cfg: after the run "b", the new specs are in a different state from that after no step`},
		{"a new spec", shop("a.cfg", order), shop("a.cfg", order, "b.cfg", order), "login", "b.cfg: the spec is new, and earlier events cannot be judged by it"},
		{"another rule", shop("a.rules", once), shop("a.rules", "once: refund() -> !(previous once login())\n"), "login",
			"a.rules: once: the rule is new or changed, and earlier events cannot be judged by it"},
		{"a grammar", shop("a.cfg", "S -> login S logout S | lookup S | refund S | ε\n"), shop("a.cfg", "S -> login S logout S | lookup S | ε\n"), "lookup login refund",
			`a.cfg: in the run "login" "refund", step 2 is not permitted by the new specs`},
		{"no events", shop("a.cfg", order), shop("b.cfg", order), "", ""},
		{"fewer specs", shop("a.cfg", order, "b.cfg", order), shop("b.cfg", order), "login", ""},
		{"fewer rules", shop("a.rules", "other: refund() -> once login()\n"+once), shop("a.rules", once), "login refund", ""},
		{"more runs", shop("a.cfg", order), shop("a.cfg", strings.ReplaceAll(order, "refund work", "refund work | drop work")), "login refund", ""},
	} {
		before, err := readGuard(c.before, compile.Options{})
		if err != nil {
			t.Fatal(c.about, err)
		}
		after, err := readGuard(c.after, compile.Options{})
		if err != nil {
			t.Fatal(c.about, err)
		}
		session, err := before.Begin(gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(c.calls) {
			if d := session.Allow(gate.Event{Name: name}); d.Verdict != gate.Allow {
				t.Fatal(c.about, d)
			}
		}
		out, difference := after.Adopt(before).Move(session, gate.Options{})
		switch {
		case out != nil && c.want != "":
			t.Errorf("%s: the session moved", c.about)
		case out == nil && difference.String() != c.want:
			t.Errorf("%s: %s", c.about, difference)
		case out != nil && len(c.after) == 1 && strings.HasSuffix(c.after[0].Name, ".rules"):
			if d := out.Allow(gate.Event{Name: "refund"}); d.Verdict != gate.Deny {
				t.Errorf("%s: the state of the rule is lost: %+v", c.about, d)
			}
		}
	}
}
