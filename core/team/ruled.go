package team

import "github.com/stile-playground/stile/core/rules"

// asked adds the task as a message of the user.
func (r *run) asked() error {
	if r.enforced == nil || r.settings.Task == "" {
		return nil
	}
	return r.enforced.Message(r.env, "user", r.settings.Task, "")
}

// judgeRules adds the answer as a message of the assistant, ends the run of the rules, and adds
// their verdicts to the result.
func (r *run) judgeRules(result *Result) (err error) {
	if r.enforced == nil {
		return nil
	}
	if result.Answer != "" {
		err = r.enforced.Message(r.env, "assistant", result.Answer, "")
	}
	if err == nil {
		result.Rules, err = r.enforced.End(r.env)
	}
	for _, rule := range result.Rules {
		if rule.Verdict == string(rules.Violated) || rule.Verdict == string(rules.Fault) {
			result.Valid = false
		}
	}
	return err
}
