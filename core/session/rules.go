package session

import (
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func rulesMethods() []Method {
	return []Method{pure("rules.check", rulesCheck), method("rules.trace", (*Session).rulesTrace)}
}

// RulesCheckParams are the text of a .rules file and a run.
type RulesCheckParams struct {
	Source string           `json:"source"`
	Events []rules.RawEvent `json:"events"`
}

// RulesCheckResult has a verdict for each rule, in the order of the text, and the diagnostics of
// the text. The diagnostic "rules.run" reports an error in the run, "limit.rules" a rule whose
// state or work exceeds a limit. The verdict on the affected rules is "fault".
type RulesCheckResult struct {
	Rules       []RuleVerdict `json:"rules"`
	Diagnostics []Diagnostic  `json:"diagnostics"`
}

// RuleVerdict is the verdict on a rule: "violated", "untriggered", "holds" or "fault". A rule with
// a fault could not be judged and never counts as a pass.
type RuleVerdict struct {
	Name       string          `json:"name"`
	Verdict    string          `json:"verdict"`
	Violations []RuleViolation `json:"violations"`
}

// RuleViolation is an event that violates a rule, counted from 0, with the values of the rule's
// for-all variables. Witnesses are the earlier events that the violation depends on.
type RuleViolation struct {
	Event     int                        `json:"event"`
	Bindings  map[string]json.RawMessage `json:"bindings"`
	Witnesses []int                      `json:"witnesses,omitempty"`
}

func rulesCheck(p RulesCheckParams) (RulesCheckResult, error) {
	file := source.NewFile("", p.Source)
	parsed := rules.Parse(file)
	monitor, violations := rules.Judge(parsed, p.Events)
	out := RulesCheckResult{Rules: []RuleVerdict{}}
	found := parsed.Diagnostics
	if err := monitor.Err(); err != nil {
		found = append(found, source.Diagnostic{Code: source.ErrorCode(err), Message: err.Error()})
	}
	for i, rule := range parsed.Rules {
		v := RuleVerdict{Name: rule.Name, Verdict: string(monitor.Verdict(i)), Violations: []RuleViolation{}}
		for _, violation := range violations[i] {
			bindings := map[string]json.RawMessage{}
			for k, value := range violation.Bindings {
				bindings["?"+rule.ForAll[k].Name] = value.JSON()
			}
			v.Violations = append(v.Violations, RuleViolation{Event: violation.Event, Bindings: bindings, Witnesses: violation.Witnesses})
		}
		if err := monitor.Limit(i); err != nil {
			found = append(found, source.Diagnostic{Code: source.ErrorCode(err), Span: rule.NameSpan, Message: err.Error()})
		}
		out.Rules = append(out.Rules, v)
	}
	out.Diagnostics = wireDiagnostics(file, found)
	return out, nil
}
