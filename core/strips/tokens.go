package strips

import (
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the tokens of a text, in order: predicates and actions are "terminal",
// types "nonterminal", objects and parameters "state". Parentheses have no token.
func Tokens(file *source.File) []source.Token {
	if len(file.Check()) > 0 {
		return nil
	}
	named := map[source.Pos]string{}
	for _, o := range Occurrences(file) {
		switch o.Kind {
		case KindPredicate, KindFunction, KindAction:
			named[o.Span.Start] = "terminal"
		case KindType:
			named[o.Span.Start] = "nonterminal"
		}
	}
	keywords := map[string]bool{}
	for _, w := range Keywords() {
		keywords[w] = true
	}
	var out []source.Token
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
		case word == "and" || word == "not" || word == "=" || word == "-" || contains(comparisons, word) || contains(arithmetic, word):
			class = "operator"
		case keywords[word] || strings.HasPrefix(word, ":"):
			class = "keyword"
		default:
			class = "state"
		}
		out = append(out, source.Token{Span: t.Span, Class: class})
	}
	return out
}

// Format formats a text, including its comments. The text must have parsed without
// errors.
func Format(file *source.File) string {
	tree, _ := sexpr.Parse(file)
	for _, define := range tree.Nodes {
		for _, n := range define.Items {
			switch fold(n.Head()) {
			case ":action", ":derived":
				n.InPairs()
			case ":objects", ":constants", ":types":
				joinTyped(file, n)
			}
		}
	}
	return tree.Format()
}

// maxNames is the maximum length of a line of names.
const maxNames = 66

// joinTyped writes each group of names with its type on one line, "a b - block", if the
// whole list does not fit on one line. Names with a comment keep their own line, and an
// empty line is kept.
func joinTyped(file *source.File, list *sexpr.Node) {
	items := list.Items
	gapAfter := func(i int) (free bool, lines int) { // only space, with this many line breaks
		end := list.Span.End - 1
		if i+1 < len(items) {
			end = items[i+1].Span.Start
		}
		gap := file.Slice(source.Span{Start: items[i].Span.End, End: end})
		return strings.TrimSpace(gap) == "", strings.Count(gap, "\n")
	}
	list.Items = items[:1:1]
	line := items[0] // the token that the next words are joined to; nothing is joined to the head
	before := ""     // the word before, unchanged
	dash := false    // the word before is a dash, so the line is complete
	for i := 1; i < len(items); i++ {
		n, word := items[i], items[i].Text
		full := word != "-" && before != "-" && len(line.Text)+len(word) > maxNames
		adjacent, lines := gapAfter(i - 1)
		free, _ := gapAfter(i)
		if i == 1 || dash || full || n.Kind != sexpr.KindAtom || !adjacent || lines > 1 || !free {
			list.Items = append(list.Items, n)
			line = n
		} else {
			line.Text += " " + word
		}
		dash, before = before == "-", word
	}
}
