package guard

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// judged is the verdict of the check of recorded runs on a beginning of a run.
type judged struct {
	agent    *agent.Agent
	formulas []*ltl.Automaton
}

func (j judged) check(t *testing.T, parts []monitor.Part) (allowed, complete bool) {
	t.Helper()
	mapped, report, err := monitor.MapTrace(j.agent, parts, nil, monitor.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Violation != nil || len(report.Unread) > 0 {
		return false, false
	}
	complete = report.Verdict == agent.VerdictValid
	last := complete && len(report.Next) == 0
	for _, f := range j.formulas {
		q := f.Start()
		for _, m := range mapped {
			if q, err = f.Step(q, []string{m.State}); err != nil {
				t.Fatal(err)
			}
		}
		if f.Verdicts()[q] == ltl.Violated || last && !f.Accepting(q) {
			return false, false
		}
		complete = complete && f.Accepting(q)
	}
	return true, complete
}

// A guard allows a call if the check of the run with this call finds no violation, and the
// end of a run that the check accepts.
func TestGuardAgreesWithMonitor(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 2))
	allowed, denied, ends := 0, 0, 0
	for runs := 0; runs < 2*sample(); runs++ {
		files := slices.DeleteFunc(randomSpecs(r), func(f workspace.File) bool { return f.Name == "r.rules" })
		if files[0].Name != "a.agent" {
			continue
		}
		text, err := compiled(files, compile.Options{})
		if err != nil {
			continue
		}
		g, err := gate.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		j := judged{}
		if j.agent, err = language.SoundAgent(files[0].Source()); err != nil {
			t.Fatal(err)
		}
		if len(files) > 1 {
			alphabet, _ := ltl.NewAlphabet(g.File.Specs[0].Letters, ltl.OneHot)
			list, _ := ltl.Parse(source.NewFile("p.ltl", files[1].Text))
			for _, n := range list {
				a, err := ltl.Translate(n.Formula, alphabet, nil)
				if err != nil {
					t.Fatal(err)
				}
				j.formulas = append(j.formulas, a)
			}
		}
		for range 5 {
			s, _ := g.Begin(gate.Options{})
			var parts []monitor.Part
			add := func(p monitor.Part) { p.Turn = len(parts); parts = append(parts, p) }
			if r.IntN(8) > 0 {
				p := monitor.Part{Kind: monitor.PartUser, Text: "do it"}
				ok, _ := j.check(t, append(parts[:len(parts):len(parts)], p))
				d := s.Record(gate.Event{Kind: "message", Name: "user", Content: "do it"})
				if (d.Verdict == gate.Allow) != ok {
					t.Fatalf("%s: message of the user: %+v, the check: %v", files, d, ok)
				}
				if !ok {
					continue
				}
				add(p)
			}
			left := false // by a result that the order does not permit
			for i := range 1 + r.IntN(6) {
				next, _ := s.Next()
				tools := append([]string{"lookup", "nonsense", "check", "pay_out"}, next...)
				tool := tools[r.IntN(len(tools))]
				if tool == "*" {
					tool = "any"
				}
				e := gate.Event{Name: tool, ID: fmt.Sprint("c", i), Arguments: []string{`{"q":"ab1"}`, `{"q":"7"}`, `{"q":7}`, ``, `{"q":"ab1","r":0}`}[r.IntN(5)]}
				p := monitor.Part{Kind: monitor.PartCall, Tool: tool, ID: e.ID, Text: e.Arguments}
				ok, _ := j.check(t, append(parts[:len(parts):len(parts)], p))
				d := s.Allow(e)
				if (d.Verdict == gate.Allow) != ok {
					t.Fatalf("%s\n%+v\ncall %+v: %+v, the check: %v", files, parts, e, d, ok)
				}
				if !ok {
					denied++
					continue
				}
				allowed++
				add(p)
				p = monitor.Part{Kind: monitor.PartResult, Tool: tool, ID: e.ID, Text: "fine"}
				ok, _ = j.check(t, append(parts[:len(parts):len(parts)], p))
				d = s.Record(gate.Event{Kind: "result", Name: tool, ID: e.ID, Content: "fine"})
				if (d.Verdict == gate.Allow) != ok {
					t.Fatalf("%s\n%+v\nresult: %+v, the check: %v", files, parts, d, ok)
				}
				if !ok {
					left = true
					break
				}
				add(p)
			}
			if left {
				continue
			}
			if r.IntN(2) == 0 {
				p := monitor.Part{Kind: monitor.PartText, Text: "done"}
				ok, _ := j.check(t, append(parts[:len(parts):len(parts)], p))
				d := s.Record(gate.Event{Kind: "message", Name: "assistant", Content: "done", Final: true})
				if (d.Verdict == gate.Allow) != ok {
					t.Fatalf("%s\n%+v\nfinal text: %+v, the check: %v", files, parts, d, ok)
				}
				if !ok {
					continue
				}
				add(p)
			}
			_, complete := j.check(t, parts)
			if d := s.End(); (d.Verdict == gate.Allow) != complete {
				t.Fatalf("%s\n%+v\nend: %+v, the check: %v", files, parts, d, complete)
			} else if complete {
				ends++
			}
		}
	}
	if allowed < 200 || denied < 200 || ends < 20 {
		t.Errorf("%d calls allowed, %d denied, %d complete runs: too few", allowed, denied, ends)
	}
}
