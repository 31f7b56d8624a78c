package session

import (
	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// policyOf returns the rules that a run enforces or, if observed is true, only judges; nil for "".
func policyOf(text string, observed bool) (*enforce.Policy, error) {
	if text == "" {
		return nil, nil
	}
	file := source.NewFile("policy.rules", text)
	policy, found := enforce.New(file)
	if policy == nil {
		return nil, notation.Invalid(file, found)
	}
	if observed {
		policy = policy.Observed()
	}
	return policy, nil
}
