package llm

import (
	"strings"

	"github.com/stile-playground/stile/core/process"
)

// Current models of Anthropic refuse a budget for thoughts. They decide themselves how long to
// think, within a level of effort. Older models refuse this, and no field of the list of models
// distinguishes the two, so that a request begins with the budget and follows the refusal.

// budgetName is the name of the refused budget in reports.
const budgetName = "a budget for thoughts"

// withAdaptive is the end of the report of a retry with adaptive thinking.
const withAdaptive = "with adaptive thinking"

// adaptive returns the field for adaptive thinking. Without "summarized", the newest models send no
// text of their thoughts.
func (w wire) adaptive() *thinkingField {
	if w.without.display {
		return &thinkingField{Type: "adaptive"}
	}
	return &thinkingField{Type: "adaptive", Display: "summarized"}
}

// level returns the effort of adaptive thinking, or "" if the model refuses it.
func (e Endpoint) level(w wire) string {
	switch {
	case w.without.level:
		return ""
	case e.Effort == "minimal":
		return "low"
	}
	return e.Effort
}

// concede is [concessions.concede] for a failed attempt. retry ends the report of the next one. Earlier
// versions did not know adaptive thinking and omitted the thoughts.
func (m *endpointModel) concede(env *process.Env, a *attempt, sent string) (name, retry string) {
	if m.without.refusesBudget(a.status, a.failure.message, sent) && !env.Earlier() {
		env.Revise()
		m.without.adaptive = true
		return budgetName, withAdaptive
	}
	return m.without.concede(a.status, a.failure.message, sent, m.Body), "without it"
}

// refusesBudget reports whether a refusal asks for adaptive thinking instead of a budget.
func (c concessions) refusesBudget(status int, detail, sent string) bool {
	low := strings.ToLower(detail)
	return status == 400 && !c.adaptive && strings.Contains(sent, `"budget_tokens":`) && strings.Contains(low, "adaptive") && strings.Contains(low, "support")
}

// concedeAdaptive records a refused field of adaptive thinking and returns its name, or "".
func (c *concessions) concedeAdaptive(low, sent string) string {
	switch {
	case !c.adaptive:
	case !c.display && strings.Contains(low, "display") && strings.Contains(sent, `"display":"summarized"`):
		c.display = true
		return "thinking.display"
	case !c.level && strings.Contains(low, "effort") && strings.Contains(sent, `"effort":"`):
		c.level = true
		return "output_config.effort"
	}
	return ""
}
