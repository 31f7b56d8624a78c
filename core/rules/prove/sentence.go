package prove

import (
	"strconv"

	"github.com/stile-playground/stile/core/rules"
)

// Sentence describes an answer. "None" has the bound, because longer sessions were not searched.
func (q Query) Sentence(a Answer) string {
	switch a.Status {
	case Unknown:
		return "not decided for " + eventCount(a.UpTo+1) + ": " + a.Message
	case Unconfirmed:
		return "not confirmed for " + eventCount(a.UpTo+1) + ": " + a.Message
	}
	length, bound := eventCount(len(a.Events)), "up to "+eventCount(a.UpTo)
	if a.Exact {
		bound = "any length"
	}
	if q.Words != nil {
		length, bound = length+" within "+q.Words.Name, bound+" within "+q.Words.Name
	}
	found := a.Status == Found
	pick := func(yes, no string) string {
		if found {
			return yes
		}
		return no
	}
	switch q.Question {
	case Violable:
		return pick("a session of "+length+" violates the rule", "no session of "+bound+" violates the rule")
	case Applies:
		return pick("the rule applies and holds in a permitted session of "+length, "the rule applies in no permitted session of "+bound)
	case Callable:
		return pick("a permitted session of "+length+" ends with a call of "+q.Tool, "no permitted session of "+bound+" ends with a call of "+q.Tool)
	case Superfluous:
		return pick("needed: a session of "+length+" violates no other rule", "the other rules imply this one in all sessions of "+bound)
	case Reachable:
		return pick("a permitted session of "+length+" reaches the goal", "no permitted session of "+bound+" reaches the goal")
	case Stricter:
		return pick("the other version forbids a session of "+length+" that this one permits", "the other version permits every session of "+bound+" that this one permits")
	}
	return pick("this version forbids a session of "+length+" that the other one permits", "this version permits every session of "+bound+" that the other one permits")
}

func eventCount(n int) string {
	if n == 1 {
		return "1 event"
	}
	return strconv.Itoa(n) + " events"
}

// Called returns the tools whose calls a rule mentions, each once, in the order of the text.
func Called(r *rules.Rule) (out []string) {
	seen := map[string]bool{}
	eachPart(r.Formula, func(f *rules.Formula) {
		if a := f.Atom; a != nil && a.Kind == "call" && !a.Any && !seen[a.Name] {
			seen[a.Name] = true
			out = append(out, a.Name)
		}
	}, func(*rules.Value) {})
	return out
}
