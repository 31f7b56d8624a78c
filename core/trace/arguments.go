package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// refuseArguments refuses the arguments of calls that begin as an object or a list and are none: a rule would not find
// the fields that the call had.
func (t *Trace) refuseArguments(roots []*node) {
	a := account{unread: t.Unread, more: t.More}
	for _, run := range t.Runs {
		for _, item := range run.Items {
			if item.Kind != Call || !malformed(item) {
				continue
			}
			at := item.Span
			if item.Value != nil && item.Value.At.End > item.Value.At.Start {
				at = spanOf(item.Value)
			}
			if u := a.refuseAt(at, "malformed arguments of %q", shorten(item.Tool)); u != nil {
				u.Path = PathTo(roots, at)
			}
		}
	}
	slices.SortStableFunc(a.unread, func(a, b Unread) int { return int(a.Span.Start) - int(b.Span.Start) })
	t.Unread, t.More = a.unread, a.more
}

// malformed reports whether the arguments of a call are a text that begins as an object or a list and is not JSON.
func malformed(call *Item) bool {
	text := call.Text
	if call.Value != nil {
		n := unquoted(call.Value)
		if n.Kind != '"' {
			return false
		}
		text = n.Text
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, bom))
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	_, fault := json.Tree(text)
	return fault != nil
}

// refuseUnjudged refuses the parts of a trace that were read and that no rule can judge.
func (t *Trace) refuseUnjudged(roots []*node) {
	t.refuseExecuted(roots)
	t.refuseArguments(roots)
}
