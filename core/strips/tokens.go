package strips

import (
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Token is a coloured piece of text.
type Token struct {
	Span  source.Span
	Class string // "keyword", "operator", "nonterminal", "state", "terminal", "comment" or "invalid"
}

// Tokens returns the pieces of a text with their colours, in order: predicates and
// actions are "terminal", types "nonterminal", objects and parameters "state".
// Parentheses have none.
func Tokens(file *source.File) []Token {
	if len(file.Check()) > 0 {
		return nil
	}
	named := map[source.Pos]string{}
	for _, o := range Occurrences(file) {
		switch o.Kind {
		case KindPredicate, KindAction:
			named[o.Span.Start] = "terminal"
		case KindType:
			named[o.Span.Start] = "nonterminal"
		}
	}
	keywords := map[string]bool{}
	for _, w := range Keywords() {
		keywords[w] = true
	}
	var out []Token
	for t := range sexpr.Tokens(file.Text) {
		class := named[t.Span.Start]
		word := fold(t.Text)
		switch {
		case t.Kind == sexpr.TokenOpen || t.Kind == sexpr.TokenClose:
			continue
		case t.Bad || t.Kind == sexpr.TokenString:
			class = "invalid"
		case t.Kind == sexpr.TokenComment:
			class = "comment"
		case class != "":
		case word == "and" || word == "not" || word == "=" || word == "-":
			class = "operator"
		case keywords[word] || strings.HasPrefix(word, ":"):
			class = "keyword"
		default:
			class = "state"
		}
		out = append(out, Token{t.Span, class})
	}
	return out
}

// Format prints a text again, comments and all. The text must have parsed without
// errors.
func Format(file *source.File) string {
	tree, _ := sexpr.Parse(file)
	for _, define := range tree.Nodes {
		for _, n := range define.Items {
			switch fold(n.Head()) {
			case ":action":
				n.InPairs()
			case ":objects", ":constants", ":types":
				joinTyped(file, n)
			}
		}
	}
	return tree.Format()
}

// maxNames is how long a line of names may be.
const maxNames = 66

// joinTyped has names with their type stand in one line, "a b - block", where the list
// does not fit into one. Names with a comment beside them keep their own, and a line that
// is left free stays.
func joinTyped(file *source.File, list *sexpr.Node) {
	items := list.Items
	behind := func(i int) (free bool, lines int) { // nothing but a blank, with so many ends of lines
		end := list.Span.End - 1
		if i+1 < len(items) {
			end = items[i+1].Span.Start
		}
		gap := file.Slice(source.Span{Start: items[i].Span.End, End: end})
		return strings.TrimSpace(gap) == "", strings.Count(gap, "\n")
	}
	list.Items = items[:1:1]
	line := items[0] // what is joined to; the head begins none
	before := ""     // the word before, as it was
	dash := false    // the word before that is a dash, so that the line is whole
	for i := 1; i < len(items); i++ {
		n, word := items[i], items[i].Text
		full := word != "-" && before != "-" && len(line.Text)+len(word) > maxNames
		beside, lines := behind(i - 1)
		free, _ := behind(i)
		if i == 1 || dash || full || n.Kind != sexpr.KindAtom || !beside || lines > 1 || !free {
			list.Items = append(list.Items, n)
			line = n
		} else {
			line.Text += " " + word
		}
		dash, before = before == "-", word
	}
}
