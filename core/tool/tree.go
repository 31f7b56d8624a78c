package tool

import (
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

type node = json.Node

// absent is what is not there.
var absent = &node{}

// readTree reads a JSON text. The diagnostic says what is no JSON about it.
func readTree(text, code string) (*node, *source.Diagnostic) {
	n, fault := json.Tree(text)
	if fault == nil {
		return n, nil
	}
	at := json.Range{Start: min(fault.Offset, len(text)), End: min(fault.Offset+1, len(text))}
	return absent, &source.Diagnostic{Code: code, Message: fault.Message, Span: span(at)}
}

func span(at json.Range) source.Span {
	return source.Span{Start: source.Pos(at.Start), End: source.Pos(at.End)}
}

// isWord reports whether a character may be part of a number, a name or a constant.
func isWord(c byte) bool {
	return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
