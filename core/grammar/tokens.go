package grammar

import (
	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the tokens of a text with their colours, in order. A symbol is a nonterminal if
// it occurs left of an arrow or after %subset anywhere in the text.
func Tokens(file *source.File) []source.Token {
	if len(file.Check()) > 0 {
		return nil
	}
	lexed := lex(file.Text)
	lefts := leftNames(lexed)
	out := make([]source.Token, 0, len(lexed))
	for start := 0; start < len(lexed); {
		end := start
		for lexed[end].kind != tokenLine {
			end++
		}
		line := lexed[start:end]
		limit := len(line) > 0 && line[0].name == "limit" && !line[0].quoted && (len(line) < 2 || line[1].kind != tokenArrow)
		for i, t := range line {
			class := classOf(t, lefts)
			switch {
			case t.kind == tokenSymbol && i > 0 && line[i-1].kind == tokenAs && t.quoted && !t.open:
				class = source.ClassString
			case limit && (i == 0 || i == 2 && t.name == "each" || i == 3 && t.name == "except"):
				class = source.ClassKeyword
			case limit && i == 1:
				class = source.ClassNumber
			}
			out = append(out, source.Token{Span: t.span, Class: class})
		}
		start = end + 1
	}
	return out
}

// leftNames returns the symbols that begin a rule or follow %subset.
func leftNames(lexed []token) map[string]bool {
	lefts := map[string]bool{}
	first := true // on its line
	for i, t := range lexed {
		if first && t.kind == tokenSymbol && lexed[i+1].kind == tokenArrow {
			lefts[t.name] = true
		}
		if first && t.kind == tokenSubset && lexed[i+1].kind == tokenSymbol {
			lefts[lexed[i+1].name] = true
		}
		first = t.kind == tokenLine
	}
	return lefts
}

func classOf(t token, lefts map[string]bool) string {
	switch t.kind {
	case tokenComment:
		return source.ClassComment
	case tokenArrow, tokenBar, tokenEmpty:
		return source.ClassOperator
	case tokenStart, tokenSubset, tokenAs:
		return source.ClassKeyword
	}
	switch {
	case t.open || len(t.name) > MaxSymbolLength && !t.quoted:
		return source.ClassInvalid
	case lefts[t.name]:
		return source.ClassNonterminal
	default:
		return source.ClassTerminal
	}
}
