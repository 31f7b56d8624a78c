package trace

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// numbered reads an object whose keys end with the numbers of steps, such as tool_name_0, tool_args_0 and
// observation_0 of DSPy, and reports whether the object is one. A number that has no name of a tool is
// refused if it has other parts of a call.
func (r *reader) numbered(n *node, s scope) bool {
	steps, most, rest := map[int]*node{}, -1, []json.Member(nil)
	called := false
	for _, m := range n.Members {
		stem, step := numberedKey(m.Key)
		if step < 0 || step >= len(n.Members) {
			rest = append(rest, m)
			continue
		}
		if steps[step] == nil {
			steps[step] = &node{Kind: '{', At: m.Value.At}
		}
		of := steps[step]
		of.At.Start, of.At.End = min(of.At.Start, m.Value.At.Start), max(of.At.End, m.Value.At.End)
		of.Members = append(of.Members, json.Member{Key: stem, At: m.At, Value: m.Value})
		most, called = max(most, step), called || Word(callKeys, stem)
	}
	if !called {
		return false
	}
	r.twice(n)
	for _, m := range rest {
		r.member(m, s)
	}
	for i := range most + 1 {
		if steps[i] != nil {
			r.numberedStep(steps[i], s)
		}
	}
	return true
}

func (r *reader) numberedStep(n *node, s scope) {
	call := *n
	call.Members = nil
	for _, m := range n.Members {
		if Word(" "+thoughtKeys+" ", m.Key) {
			r.member(m, s)
			continue
		}
		call.Members = append(call.Members, m)
	}
	if len(call.Members) > 0 {
		r.call(&call, s, "")
	}
}

// numberedKey splits a key such as tool_name_0. step is -1 for other keys.
func numberedKey(key string) (stem string, step int) {
	i := strings.LastIndexByte(key, '_')
	if i <= 0 {
		return "", -1
	}
	step, err := strconv.Atoi(key[i+1:])
	if err != nil || step < 0 {
		return "", -1
	}
	return key[:i], step
}

// askedIn returns the call that a result repeats, as Haystack and Cohere write it, or nil.
func askedIn(n *node) *node {
	if v, _ := pick(n, "origin call"); v.Kind == '{' && callLike(v) {
		return v
	}
	return nil
}

// repeated reports whether an object only completes a call: its type says that the call is over, and the run
// has the same call without an identifier and without a result.
func (r *reader) repeated(call *Item, kind string) bool {
	n := norm(kind)
	if call.ID != "" || r.list != nil || r.cur == nil || !strings.HasSuffix(n, "finished") && !strings.HasSuffix(n, "completed") && !strings.HasSuffix(n, "error") {
		return false
	}
	open := 0
	for _, item := range r.cur.items {
		switch {
		case item.Kind == Call && item.Tool == call.Tool && sameCall(item, call):
			open++
		case item.Kind == Result && item.Tool == call.Tool:
			open--
		}
	}
	return open > 0
}

// observed reads the text next to the calls of a step that is no message, which is their result, as
// smolagents writes it.
func (r *reader) observed(n *node, s scope) {
	calls, _ := n.Get("tool_calls")
	seen, ok := n.Get("observations")
	if calls.Kind != '[' || len(calls.Items) == 0 || !ok || seen.Kind != '"' {
		return
	}
	if len(calls.Items) > 1 {
		r.refuse(seen, "one result of several calls")
		return
	}
	c := newCalling(calls.Items[0], "")
	fault, _ := n.Get("error")
	item := &Item{Kind: Result, Tool: c.name, ID: c.id(), Text: seen.Text, Span: spanOf(seen)}
	if message := fault.TextOf("message"); message != "" {
		item.Text, item.Fault = message, true
	}
	r.emit(item, s)
}
