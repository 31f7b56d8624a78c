package language

import (
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// piece is a token of any notation.
type piece struct {
	span    source.Span
	text    string // as it is written
	comment bool
	quoted  bool
}

// pieces splits a file. Ends of lines are not among them.
func pieces(f workspace.File) []piece {
	file := f.Source()
	if len(file.Check()) > 0 {
		return nil
	}
	var out []piece
	add := func(span source.Span, comment bool) {
		text := file.Slice(span)
		out = append(out, piece{span: span, text: text, comment: comment, quoted: strings.HasPrefix(text, `"`)})
	}
	switch workspace.KindOf(f.Name) {
	case workspace.KindGrammar:
		for _, t := range grammar.Tokens(file) {
			add(t.Span, t.Class == grammar.TokenComment)
		}
	case workspace.KindPushdown, workspace.KindFlow:
		for _, t := range lines.Lex(f.Text) {
			if t.Kind != lines.Line {
				add(t.Span, t.Kind == lines.Comment)
			}
		}
	case workspace.KindFormulas:
		for _, t := range ltl.Tokens(file) {
			add(t.Span, t.Class == "comment")
		}
	case workspace.KindSMT, workspace.KindLP:
		solvePieces(file, workspace.KindOf(f.Name), add)
	case workspace.KindAgent, workspace.KindTeam, workspace.KindPDDL:
		for t := range sexpr.Tokens(f.Text) {
			add(t.Span, t.Kind == sexpr.TokenComment)
		}
	}
	return out
}

// wordAt returns the token around a place that is neither a text nor a comment.
func wordAt(f workspace.File, at source.Pos) (word source.Span, found bool) {
	for _, p := range pieces(f) {
		if p.span.Start <= at && at <= p.span.End && !p.comment && !p.quoted {
			// Between two tokens that touch it is the one that has a meaning.
			if _, known := entry(workspace.KindOf(f.Name), p.text); known || !found {
				word, found = p.span, true
			}
		}
	}
	return word, found
}
