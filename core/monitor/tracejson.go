package monitor

import (
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
