package standin

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Texts of the agent's run in which a provider's model acts: see package matrix.
const (
	// Question is the task of the agent.
	Question = "What is six times seven?"
	// Solved is the agent's answer.
	Solved = "42"
	// Calculation is the input of the agent's call.
	Calculation = "6*7"
)

// acted is the agent's complete text. The model writes the part that a request lacks, up to a stop text, so
// that it does not invent the result of the call.
const acted = "[Question] " + Question + "\n[Thought] I calculate it.\n[Action] Calculator\n[Action Input] " + Calculation + "\n[Observation] " + Solved + "\n[Final Thought] That is all.\n[Answer] " + Solved

// act answers a request like a cooperative model, whether the request belongs to a plan, an agent's run, a
// team or a formulation.
func (x *exchange) act(p *Provider) answer {
	a := x.ask
	if len(a.tools) > 0 && a.toolChoice != "none" && a.last("tool") == "" {
		out := p.limited(a, "")
		if out.reason == "length" {
			return out
		}
		out.reason, out.tokens = "tools", nil
		out.calls = a.actCalls(p)
		out.completion += 12 * len(out.calls)
		return p.counted(a, out)
	}
	return p.counted(a, p.limited(a, a.actText()))
}

func (p *Provider) counted(a ask, out answer) answer {
	out.prompt = len(strings.Fields(a.prompt())) + len(strings.Fields(a.prefix))
	return out
}

func (a ask) actCalls(p *Provider) []call {
	n := p.Calls
	if n == 0 {
		n = 2
	}
	var out []call
	for i := range n {
		var schema struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		_ = json.Unmarshal(a.tools[0].schema, &schema) // a schema without properties has none
		arguments := object{}
		for name := range schema.Properties {
			arguments[name] = Calculation
		}
		raw, _ := json.Marshal(arguments)
		out = append(out, call{p.callID(i + 1), a.tools[0].name, string(raw)})
	}
	return out
}

func (a ask) actText() string {
	prompt := a.prompt() + a.prefix
	for _, role := range roles {
		if strings.Contains(prompt, role.mark) {
			return role.text
		}
	}
	done := a.prefix
	if done == "" {
		done = a.last("assistant")
	}
	switch {
	case a.last("tool") != "":
		return Solved
	case strings.Contains(prompt, "[Question] "+Question):
		return restOf(prompt[strings.LastIndex(prompt, "[Question] "+Question):])
	case strings.Contains(done, "[Answer]"):
		return " 1890"
	case strings.Contains(done, "[Question]"), strings.Contains(prompt, "you do this part alone"):
		return " I know it.\n[Answer] 1890"
	case rangeOf.MatchString(prompt):
		return choose(a)
	}
	return Solved
}

// restOf returns the part of acted that follows begun, ignoring white space.
func restOf(begun string) string {
	if i := strings.Index(begun, "\n\n"); i >= 0 { // the request's own words follow
		begun = begun[:i]
	}
	begun, _, _ = strings.Cut(begun, "\nGo on from exactly")
	rest := acted
	for _, c := range begun {
		if strings.ContainsRune(" \t\r\n", c) {
			continue
		}
		trimmed := strings.TrimLeft(rest, " \n")
		if !strings.HasPrefix(trimmed, string(c)) {
			break
		}
		rest = trimmed[len(string(c)):]
	}
	if strings.HasSuffix(begun, " ") || strings.HasSuffix(begun, "\n") {
		rest = strings.TrimLeft(rest, " \n")
	}
	return rest
}

// The texts of the formulation.
const (
	FormulateGoal = "## Goal\nThe least number of apples.\n## Constraints\n- at least three apples\n"
	FormulateVars = `{"variable_1": {"name": "apples", "SMT_variable": true, "number_of_variables": 1, "data_source": "demand", "value": "apples", "specific_requirement": "at least 3; minimize"}}`
	FormulateSMT  = "(declare-const apples Int)\n(assert (! (>= apples 0) :named low))\n(assert (! (>= apples 3) :named demand))\n(assert (! (<= apples 9) :named query.most))\n(minimize apples)\n"
	SolvedSMT     = "sat\nstile.reason\n(:reason-unknown \"\")\nstile.objectives\n(objectives (x 3))\nstile.model\n(\n(define-fun |apples| () Int 3)\n)\nstile.statistics\n(:decisions 1)\n"
)

var roles = []struct{ mark, text string }{
	{"You manage a team", `{"thought": "One finds, one writes.", "subtasks": [{"id": "t1", "task": "find the year of the bridge", "executor": "dates", "needs": [], "local": []}, {"id": "t2", "task": "write about the year", "executor": "writer", "needs": ["t1"], "local": []}], "global": []}`},
	{"make the sub-task precise", `{"task": "write about the year 1890"}`},
	{"Write the answer to the task", "The bridge is from 1890."},
	{"Report its results", "The bridge is from 1890."},
	{"First define the problem", FormulateGoal},
	{"Describe the variables of the formulation", FormulateVars},
	{"A description of its variables is given", "```\n" + FormulateSMT + "```"},
	{"A solver has solved a planning problem", `{"answer": {"apples": 3}, "constraints": [{"constraint": "at least three apples", "holds": true, "reason": "3"}], "sensible": {"holds": true, "reason": "few"}}`},
	{"Judge each step", fmt.Sprintf(`{"steps": [%s, %s, %s]}`, right(1), right(2), right(3))},
}

func right(step int) string {
	return fmt.Sprintf(`{"step": %d, "reason": "fine", "right": true, "how": null, "instead": null}`, step)
}
