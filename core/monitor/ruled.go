package monitor

import (
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/rules"
)

// judged returns the content of a state that a person or the simulation writes. First the rules
// judge the calls whose results the state holds; the result of a denied call is the reason for the
// denial. The text of a person is a message of the user for the rules.
func (e environment) judged(state agent.State, answer func() (string, error)) (string, error) {
	var actions []*action
	switch from := SourceOf(state); {
	case e.rules == nil:
		return answer()
	case from == agent.FromPerson:
		content, err := answer()
		if err == nil {
			err = e.rules.Message(e.env, "user", content, "")
		}
		return content, err
	case from == agent.FromTools, from == agent.FromSummary:
		actions = e.actions()
	}
	var made []*enforce.Made
	var denied []string
	for _, a := range actions {
		m, reason, err := e.propose(a)
		switch {
		case err != nil:
			return "", err
		case m == nil:
			denied = append(denied, "Error: "+reason)
		default:
			made = append(made, m)
		}
	}
	if len(denied) > 0 && len(made) == 0 {
		return strings.Join(denied, "\n"), nil
	}
	content, err := answer()
	for _, m := range made {
		if err == nil {
			err = m.Result(e.env, content)
		}
	}
	return strings.Join(append(denied, content), "\n"), err
}

// propose lets the rules judge a call. A nil result means that the call is denied for the returned reason.
func (e environment) propose(a *action) (*enforce.Made, string, error) {
	input := a.input
	if a.arguments != nil {
		input = string(a.arguments)
	}
	return e.rules.Call(e.env, enforce.Call{Agent: e.setup.Member, Tool: a.tool, Fields: rules.Fields(input, nil)})
}

// allow makes a call, unless a rule denies it.
func (e environment) allow(a *action, answer func() (string, error)) (err error) {
	var made *enforce.Made
	if e.rules != nil {
		var reason string
		if made, reason, err = e.propose(a); err != nil {
			return err
		}
		if made == nil {
			a.output, a.done = "Error: "+reason, true
			return nil
		}
	}
	if a.output, err = answer(); err != nil {
		return err
	}
	a.done = true
	if made != nil {
		return made.Result(e.env, a.output)
	}
	return nil
}

// said adds a text of the model as a message of the assistant.
func (r *runner) said(text string) error {
	if r.rules == nil || text == "" {
		return nil
	}
	return r.rules.Message(r.env, "assistant", text, r.setup.Member)
}

// judgeRules reports the answer and the end of the run to the rules, and adds their verdicts to the transcript.
func (r *runner) judgeRules(t *Transcript) (err error) {
	if r.settings.Surface != SurfaceTools {
		err = r.said(t.Answer)
	}
	if err != nil || !r.owner {
		return err
	}
	t.Rules, err = r.rules.End(r.env)
	for _, rule := range t.Rules {
		switch rule.Verdict {
		case string(rules.Violated):
			t.Verdict = Worse(t.Verdict, VerdictViolated)
		case string(rules.Fault):
			t.Verdict = Worse(t.Verdict, VerdictFault)
		}
	}
	return err
}
