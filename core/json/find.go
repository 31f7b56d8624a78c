package json

import (
	"strconv"
	"strings"
)

// Find returns the JSON value in a model's reply: the complete text, the content of the
// first code fence, or the first object or array in the text. If ok is false, the error
// is the most specific one.
func Find(text string) (n *Node, fault *SyntaxError, ok bool) {
	text = strings.TrimSpace(text)
	n, fault = Tree(text)
	if fault == nil {
		return n, nil, true
	}
	if _, rest, found := strings.Cut(text, "```"); found {
		_, rest, _ = strings.Cut(rest, "\n")
		body, _, _ := strings.Cut(rest, "```")
		n, why := Tree(body)
		if why == nil {
			return n, nil, true
		}
		if strings.ContainsAny(body, "{[") {
			fault = why
		}
	}
	for at := 0; ; {
		open := strings.IndexAny(text[at:], "{[")
		if open < 0 {
			break
		}
		at += open
		end := closing(text[at:])
		if end == 0 {
			break // an unclosed bracket: values inside it are only parts
		}
		if n, why := Tree(text[at : at+end]); why == nil {
			return n, nil, true
		}
		at += end
	}
	return nil, fault, false
}

// closing returns the length of the bracketed part at the start of a text, or 0 if its
// first bracket is not closed.
func closing(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// Near returns the location of a syntax error with the text around it, to be appended
// to a sentence that reports invalid JSON.
func Near(text string, fault *SyntaxError) string {
	text = strings.TrimSpace(text)
	if fault == nil || !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return ": unclosed bracket, or a syntax error inside the brackets"
	}
	at := min(max(fault.Offset, 0), len(text))
	start := max(at-20, 0)
	near := strings.ToValidUTF8(text[start:min(at+20, len(text))], "")
	return ": " + fault.Message + ", at character " + strconv.Itoa(at+1) + ", near " + strconv.Quote(near)
}
