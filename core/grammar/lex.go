package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

type tokenKind uint8

const (
	tokenSymbol  tokenKind = iota // a run of characters, or a quoted string
	tokenArrow                    // -> → ::=
	tokenBar                      // |
	tokenEmpty                    // ε %empty
	tokenStart                    // %start
	tokenSubset                   // %subset
	tokenAs                       // as
	tokenComment                  // # to the end of the line
	tokenLine                     // the end of a line
)

// token is a piece of text with its place. Name is a symbol's name, unquoted.
type token struct {
	kind   tokenKind
	span   source.Span
	name   string
	quoted bool
	open   bool // a string whose closing quote is missing
}

var reserved = map[string]tokenKind{
	"->": tokenArrow, "→": tokenArrow, "::=": tokenArrow, "|": tokenBar,
	"ε": tokenEmpty, "%empty": tokenEmpty, "%start": tokenStart, "%subset": tokenSubset, "as": tokenAs,
}

// lex splits a text. Tokens are separated by white space; a comment or a string
// begins only where a token could.
func lex(text string) []token {
	tokens := make([]token, 0, strings.Count(text, " ")+2*strings.Count(text, "\n")+2)
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			tokens = append(tokens, token{kind: tokenLine, span: at(i, i)})
			i++
		case c == '#':
			end := source.LineEnd(text, i)
			tokens = append(tokens, token{kind: tokenComment, span: at(i, end)})
			i = end
		case c == '"':
			t, end := lexString(text, i)
			tokens = append(tokens, t)
			i = end
		default:
			if r, size := utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(r) {
				i += size
				continue
			}
			end := runEnd(text, i)
			word := text[i:end]
			kind, ok := reserved[word]
			if !ok {
				kind = tokenSymbol
			}
			tokens = append(tokens, token{kind: kind, span: at(i, end), name: word})
			i = end
		}
	}
	return append(tokens, token{kind: tokenLine, span: at(len(text), len(text))})
}

// lexString reads a quoted string, in which \" and \\ are escapes. An unclosed string ends with
// its line.
func lexString(text string, start int) (token, int) {
	end := source.LineEnd(text, start)
	var name strings.Builder
	for i := start + 1; i < end; i++ {
		switch {
		case text[i] == '"':
			return token{kind: tokenSymbol, span: at(start, i+1), name: name.String(), quoted: true}, i + 1
		case text[i] == '\\' && i+1 < end && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			name.WriteByte(text[i])
		default:
			name.WriteByte(text[i])
		}
	}
	return token{kind: tokenSymbol, span: at(start, end), name: name.String(), quoted: true, open: true}, end
}

func at(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

func runEnd(text string, from int) int {
	if i := strings.IndexFunc(text[from:], unicode.IsSpace); i >= 0 {
		return from + i
	}
	return len(text)
}

// Quote returns a symbol's name as written in a text: in quotes if it would otherwise not
// parse as one symbol.
func Quote(name string) string { return quoteName(name) }

// quoteName returns a name as written in a text: quoted if it would otherwise not parse
// as one symbol.
func quoteName(name string) string {
	_, isReserved := reserved[name]
	plain := name != "" && len(name) <= MaxSymbolLength && !isReserved && name[0] != '"' && name[0] != '#' &&
		name != "limit" && !glued(name) && strings.IndexFunc(name, unicode.IsSpace) < 0
	if plain {
		return name
	}
	return quoteText(name)
}

func quoteText(text string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}

// glued reports whether a word that is not reserved contains a | or an arrow: a|b usually means
// two symbols.
func glued(word string) bool {
	for _, mark := range []string{"|", "->", "→", "::="} {
		if strings.Contains(word, mark) {
			return true
		}
	}
	return false
}
