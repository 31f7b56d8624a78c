package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

func compileAgent(t testing.TB, behavior string, states ...string) *agent.Agent {
	t.Helper()
	var b strings.Builder
	for _, s := range states {
		fmt.Fprintf(&b, "(%s (:text \"[%s]\")) ", s, s)
	}
	spec, found := agent.Parse(source.NewFile("t.agent", "(define a (:states "+b.String()+") (:behavior "+behavior+"))"))
	a, more := agent.Compile(spec, nil)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatal(found)
	}
	return a
}

const react = "(next Ques (until (next Tht Act Act-Inp Obs) Final-Tht) Ans)"

var reactStates = []string{"Ques", "Tht", "Act", "Act-Inp", "Obs", "Final-Tht", "Ans"}

func TestPropertiesOfReAct(t *testing.T) {
	a := compileAgent(t, react, reactStates...)
	for text, want := range map[string]string{
		"G (Act -> X Act-Inp)": "",
		"G (Act -> F Obs)":     "",
		"F (Ans & last)":       "",
		"!Ans U Final-Tht":     "",
		"F Act":                "Ques Final-Tht Ans",
		"G (Obs -> X Tht)":     "Ques Tht Act Act-Inp Obs Final-Tht Ans",
		"G !Act-Inp | F Never": "Ques Tht Act Act-Inp Obs Final-Tht Ans",
	} {
		list, found := ltl.Parse(source.NewFile("t.ltl", text))
		if len(found) > 0 {
			t.Fatal(found)
		}
		holds, run, err := verify.Agent(a, list[0].Formula, nil)
		if err != nil || holds != (want == "") || strings.Join(run, " ") != want {
			t.Errorf("%s: %v %v (%v), want %q", text, holds, run, err, want)
		}
	}
}

func TestAgentsAreCompared(t *testing.T) {
	a := compileAgent(t, react, reactStates...)
	for _, c := range []struct {
		behavior string
		states   []string
		run      string
		first    bool
	}{
		{react, reactStates, "", false},
		{"(next Ques (until_1 (next Tht Act Act-Inp Obs) Final-Tht) Ans)", nil, "Ques Tht Act Act-Inp Obs Tht Act Act-Inp Obs Final-Tht Ans", true},
		{"(next Ques (until (next Tht (or Act Ask) Act-Inp Obs) Final-Tht) Ans)", append([]string{"Ask"}, reactStates...), "Ques Tht Ask Act-Inp Obs Final-Tht Ans", false},
		{"(next Ques (until (next Tht Act Act-Inp Obs) (next Final-Tht Ans)))", []string{"Ans", "Obs", "Act-Inp", "Act", "Tht", "Final-Tht", "Ques"}, "", false},
	} {
		if c.states == nil {
			c.states = reactStates
		}
		d, err := verify.Agents(a, compileAgent(t, c.behavior, c.states...), nil)
		if err != nil || (d == nil) != (c.run == "") || d != nil && (strings.Join(d.Run, " ") != c.run || d.First != c.first) {
			t.Errorf("%s: %+v (%v), want %q of the first: %v", c.behavior, d, err, c.run, c.first)
		}
	}
}
