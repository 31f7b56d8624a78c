package grammar

import (
	"github.com/stile-playground/stile/core/source"
)

// TokenClass says how a token is coloured.
type TokenClass uint8

// The classes.
const (
	TokenInvalid TokenClass = iota
	TokenKeyword
	TokenOperator
	TokenNonterminal
	TokenTerminal
	TokenString
	TokenComment
	TokenNumber
)

// String returns the class's name, in lower case.
func (c TokenClass) String() string {
	return [...]string{"invalid", "keyword", "operator", "nonterminal", "terminal", "string", "comment", "number"}[c]
}

// Token is a coloured piece of text.
type Token struct {
	Span  source.Span
	Class TokenClass
}

// Tokens returns the pieces of a text with their colours, in order. What is a
// nonterminal is decided by the whole text: whatever stands left of an arrow or
// behind %subset.
func Tokens(file *source.File) []Token {
	if len(file.Check()) > 0 {
		return nil
	}
	lexed := lex(file.Text)
	lefts := map[string]bool{}
	first := true
	for i, t := range lexed {
		if first && t.kind == tokenSymbol && lexed[i+1].kind == tokenArrow {
			lefts[t.name] = true
		}
		if first && t.kind == tokenSubset && lexed[i+1].kind == tokenSymbol {
			lefts[lexed[i+1].name] = true
		}
		first = t.kind == tokenLine
	}
	out := make([]Token, 0, len(lexed))
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
				class = TokenString
			case limit && (i == 0 || i == 2 && t.name == "each" || i == 3 && t.name == "except"):
				class = TokenKeyword
			case limit && i == 1:
				class = TokenNumber
			}
			out = append(out, Token{Span: t.span, Class: class})
		}
		start = end + 1
	}
	return out
}

func classOf(t token, lefts map[string]bool) TokenClass {
	switch t.kind {
	case tokenComment:
		return TokenComment
	case tokenArrow, tokenBar, tokenEmpty:
		return TokenOperator
	case tokenStart, tokenSubset, tokenAs:
		return TokenKeyword
	}
	switch {
	case t.open || len(t.name) > MaxSymbolLength && !t.quoted:
		return TokenInvalid
	case lefts[t.name]:
		return TokenNonterminal
	default:
		return TokenTerminal
	}
}
