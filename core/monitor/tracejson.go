package monitor

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

type node = json.Node

// readValues reads consecutive JSON values.
func readValues(text string) ([]*node, *source.Diagnostic) {
	values, fault := json.Trees(text)
	switch {
	case fault != nil:
		at := json.Range{Start: min(fault.Offset, len(text)), End: min(fault.Offset+1, len(text))}
		return nil, &source.Diagnostic{Code: "trace.json", Message: fault.Message, Span: span(at)}
	case len(values) == 0:
		return nil, &source.Diagnostic{Code: "trace.json", Message: "the trace is empty"}
	}
	return values, nil
}

func span(at json.Range) source.Span {
	return source.Span{Start: source.Pos(at.Start), End: source.Pos(at.End)}
}

func has(n *node, key string) bool {
	_, ok := n.Get(key)
	return ok
}

// pathTo returns the path of the value at a place, in the syntax of jq. In a file of
// several values it begins with the index of the value, as with jq -s.
func pathTo(roots []*node, at source.Span) string {
	path := ""
	holds := func(n *node) bool { return n.At.Start <= int(at.Start) && n.At.End >= int(at.End) }
	step := func(items []*node) (*node, int) {
		for i, n := range items {
			if holds(n) {
				return n, i
			}
		}
		return nil, 0
	}
	n, i := step(roots)
	if len(roots) > 1 {
		path = "[" + strconv.Itoa(i) + "]"
	}
	for n != nil && (n.At.Start != int(at.Start) || n.At.End != int(at.End)) {
		next, i := step(n.Items)
		if next != nil {
			path += "[" + strconv.Itoa(i) + "]"
		}
		for _, m := range n.Members {
			if holds(m.Value) {
				next = m.Value
				if strings.Trim(m.Key, wordCharacters) == "" && m.Key != "" && !strings.Contains(m.Key, "-") {
					path += "." + m.Key
				} else {
					path += "[" + strconv.Quote(m.Key) + "]"
				}
				break
			}
		}
		n = next
	}
	return path
}
