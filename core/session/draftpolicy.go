package session

import (
	"errors"
	"strings"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/plan/draft"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

const (
	// draftedEvents bounds the sessions that try a drafted rule. Rules of policies refer to few events.
	draftedEvents = 4
	// draftedMilliseconds bounds a request to the solver about a drafted rule.
	draftedMilliseconds = 5000
)

// policyDraft drafts rules from a policy. The contracts of the workspace are in the prompt, and each rule
// is tried: a session that violates it, and one in which it applies.
func policyDraft(w project, settings draft.Settings) process.Func {
	contracts := language.Contracts(w.Files)
	var tools strings.Builder
	for _, c := range contracts.List {
		tools.WriteString("- " + c.Tool)
		if c.Input != nil {
			tools.WriteString(" " + string(c.Input.Append(nil)))
		}
		tools.WriteByte('\n')
	}
	return func(env *process.Env) (any, error) {
		return draft.RunPolicy(env, settings, tools.String(), func(env *process.Env, name, text string) ([]string, error) {
			return triedRule(env, contracts, name, text)
		})
	}
}

// triedRule returns the problems of a rule: names and comparisons that contradict the contracts, and
// questions whose answer is that there is no session. An undecided question is no problem.
func triedRule(env *process.Env, contracts *rules.Contracts, name, text string) (problems []string, err error) {
	file := rules.Parse(source.NewFile(draft.RulesFile, text))
	for _, d := range contracts.Check(file) {
		problems = append(problems, "the rule \""+name+"\": "+d.Message)
	}
	for _, question := range []prove.Question{prove.Violable, prove.Applies} {
		q := prove.Query{Question: question, File: file, Contracts: contracts}
		a, err := q.Search(env, draftedEvents, solve.Limits{Milliseconds: draftedMilliseconds}, func(prove.Tried) {})
		var refused *source.Error
		switch {
		case errors.As(err, &refused):
			problems = append(problems, "the rule \""+name+"\" was not tried: "+refused.Message)
		case err != nil:
			return nil, err
		case a.Status == prove.None:
			problems = append(problems, "the rule \""+name+"\": "+q.Sentence(a))
		}
	}
	return problems, nil
}
