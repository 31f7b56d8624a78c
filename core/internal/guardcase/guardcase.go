// Package guardcase makes runs of agents, right and wrong ones, with the verdict that a
// guard has to give. The verdict is that of the checks of recorded texts, so guards must
// agree with them.
package guardcase

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// Agent is a specification with properties.
type Agent struct {
	Name, Spec, Properties string

	agent    *agent.Agent
	formulas []*ltl.Automaton
}

// Step is a state with its content.
type Step struct {
	State   string `json:"state"`
	Content string `json:"content"`
}

// Case is a run with the index of the first rejected step, or -1, and whether the steps
// before it are a complete run.
type Case struct {
	Agent   string `json:"agent"`
	Steps   []Step `json:"steps"`
	Refused int    `json:"refused"`
	Done    bool   `json:"done"`
}

// own lists agents that together use every constraint on contents.
var own = []Agent{
	{Name: "desk", Spec: `(define desk
  (:states
    (Ask (:text "[Ask]") (:max-tokens 5))
    (Think (:text "[Think]"))
    (Act (:text "[Act]") (:one-of "lookup" "look up" "refund"))
    (Input (:text "[Input]") (:matches "[a-z]+[0-9]{2,4}"))
    (Pause (:text "[Pause]") (:flags :empty))
    (Result (:text "[Result]") (:flags :env-input) (:max-tokens 4))
    (Reply (:text "[Reply]") (:one-of "done" "sorry")))
  (:behavior (next Ask (until (or (next Think Act Input Result) Pause) Reply)))
  (:require "G (Pause -> WX !Pause)"))`,
		Properties: "looked: F Result\n\nnot_thrice: !F(Act & X F(Act & X F Act))\n\n\"calm\": G(Pause -> X X Reply | !F Pause | true)"},
	{Name: "loop", Spec: `(define loop
  (:states (Go (:text "Go:") (:one-of "left" "right")) (Stop (:text "Stop:")))
  (:behavior (always (or (next Go Go) Stop))))`, Properties: "F Stop\n\nG(Stop -> WX !Stop)"},
	{Name: "alone", Spec: `(define alone (:states (Say (:text "Say:") (:matches "[A-C]?x+"))) (:behavior Say))`},
}

// Agents returns agents of the gallery with the properties about them, and others that together use
// every constraint on contents.
func Agents(t testing.TB) []*Agent {
	t.Helper()
	all := append([]Agent{}, own...)
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		properties, _ := e.Workspace().File("properties.ltl")
		for _, f := range e.Files {
			if workspace.KindOf(f.Name) == workspace.KindAgent {
				all = append(all, Agent{Name: e.ID + "/" + f.Name, Spec: f.Text, Properties: properties.Text})
			}
		}
	}
	out := make([]*Agent, len(all))
	for i := range all {
		out[i] = &all[i]
		out[i].open(t)
	}
	return out
}

// open compiles an agent and keeps only those properties that are about it.
func (a *Agent) open(t testing.TB) {
	t.Helper()
	spec, found := agent.Parse(source.NewFile(a.Name, a.Spec))
	compiled, more := agent.Compile(spec, nil)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatal(a.Name, found)
	}
	var names []string
	for _, s := range compiled.States {
		names = append(names, s.Name)
	}
	alphabet, err := ltl.NewAlphabet(names, ltl.OneHot)
	if err != nil {
		t.Fatal(err)
	}
	list, found := ltl.Parse(source.NewFile("properties.ltl", a.Properties))
	if a.Properties != "" && source.HasErrors(found) {
		t.Fatal(a.Name, found)
	}
	a.agent, a.Properties = compiled, ""
	for _, n := range list {
		about := true
		for _, p := range n.Formula.Props() {
			about = about && compiled.Index(p) >= 0
		}
		if !about {
			continue
		}
		d, err := ltl.Translate(n.Formula, alphabet, nil)
		if err != nil {
			t.Fatal(err)
		}
		a.formulas = append(a.formulas, d)
		a.Properties += n.Formula.String() + "\n\n"
	}
}

// Random returns a run that mostly follows the behaviour, with mostly valid contents.
func (a *Agent) Random(r *rand.Rand) Case {
	c := Case{Agent: a.Name, Steps: []Step{}}
	run := a.agent.Begin()
	for range 1 + r.IntN(14) {
		next := run.Next()
		if len(next) == 0 {
			break
		}
		state := next[r.IntN(len(next))]
		if r.IntN(25) == 0 {
			state = r.IntN(len(a.agent.States))
		}
		c.Steps = append(c.Steps, Step{a.agent.States[state].Name, a.content(r, state)})
		run, _ = run.Step(state)
	}
	a.Judge(&c)
	return c
}

// content returns a content of a state, sometimes a wrong one.
func (a *Agent) content(r *rand.Rand, state int) string {
	s := a.agent.States[state]
	if r.IntN(6) == 0 {
		return []string{"", " ", "delete_user", "lookups", "Restart", "ref", "ab12", "ab12345", "x", "Axx", strings.Repeat("long ", 20), "  done\n", "ä·☃", "\tLogs", "a b\nc"}[r.IntN(15)]
	}
	switch {
	case s.Empty:
		return ""
	case len(s.OneOf) > 0:
		return s.OneOf[r.IntN(len(s.OneOf))]
	case s.Matches != "":
		return a.agent.Content(state).Begin().Shortest()
	}
	return []string{"so it is", "1", "a longer text, with signs: {}", "two\nlines"}[r.IntN(4)]
}

// text returns the text of a run with these steps, as an agent writes it.
func (a *Agent) text(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s %s\n", a.agent.States[a.agent.Index(s.State)].Text, s.Content)
	}
	return b.String()
}

// Text returns the text of the run, as an agent writes it.
func (c Case) Text(a *Agent) string { return a.text(c.Steps) }

// Judge sets the verdict: that of [monitor.Check] on the text, and of the formulas on
// the states.
func (a *Agent) Judge(c *Case) {
	c.Refused, c.Done = -1, false
	for i := range c.Steps {
		if a.wrong(c.Steps[:i+1]) {
			c.Refused = i
			return
		}
	}
	c.Done = len(c.Steps) > 0 && monitor.Check(a.agent, a.text(c.Steps)).Verdict == agent.VerdictValid
	for _, d := range a.formulas {
		c.Done = c.Done && d.Accepting(a.after(d, c.Steps))
	}
}

func (a *Agent) after(d *ltl.Automaton, steps []Step) int {
	q := d.Start()
	for _, s := range steps {
		q, _ = d.Step(q, []string{s.State})
	}
	return q
}

// wrong reports whether a prefix of a run is invalid. In a text, an empty content at the end counts
// as missing, so the text is also checked with a prompt after it.
func (a *Agent) wrong(steps []Step) bool {
	text := a.text(steps)
	report := monitor.Check(a.agent, text)
	if report.Violation == nil {
		next := monitor.Check(a.agent, text+a.agent.States[0].Text)
		report.Violation = next.Violation
		if v := next.Violation; v != nil && v.Index >= len(steps) {
			report.Violation = nil
		}
	}
	if report.Violation != nil {
		return true
	}
	last := report.Verdict == agent.VerdictValid && len(report.Next) == 0
	for _, d := range a.formulas {
		q := a.after(d, steps)
		if d.Verdicts()[q] == ltl.Violated || last && !d.Accepting(q) {
			return true
		}
	}
	return false
}
