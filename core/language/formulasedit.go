package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// completeFormulas completes a formula after the given tokens.
func completeFormulas(c *notation.Completer) {
	before := c.Before
	if n := len(before); n > 0 && isOperand(c, before[n-1].Text, c.File.Text[before[n-1].Span.End:c.From]) {
		c.Keywords("->", "&", "|", "U", "W", "R", "M", "<->")
		return
	}
	for _, i := range c.Table.Propositions(c.Workspace) {
		if quoted := ltl.Quote(i.Label); quoted != i.Label {
			i.Insert = quoted
		}
		c.Add(i)
	}
	c.Keywords("G", "F", "X", "WX", "!", "true", "false", "last")
}

// isOperand reports whether a formula is complete after a token and the text between the token and
// the position.
func isOperand(c *notation.Completer, token, gap string) bool {
	gap = strings.TrimRight(gap, " \t")
	switch {
	case strings.HasSuffix(gap, ")"):
		return true
	case strings.ContainsAny(gap, "(:") || strings.Contains(strings.ReplaceAll(gap, "\r", ""), "\n\n"):
		return false
	}
	e, known := c.Row.Entry(token)
	return !known || slices.Contains([]string{"true", "false", "last"}, e.Words[0])
}

// resolvePropositions links propositions to their definitions: a question; the answer of a
// question ("entitled.yes", which becomes two occurrences); or, with steps, an action or predicate
// of a domain.
func resolvePropositions(steps bool) func(x *notation.Index, f workspace.File, list []source.Occurrence) []source.Occurrence {
	return func(x *notation.Index, f workspace.File, list []source.Occurrence) []source.Occurrence {
		var out []source.Occurrence
		for _, o := range list {
			answer, ok := x.Defined(notation.GroupAnswer, o.Name)
			_, letter := x.Defined(notation.GroupLetter, o.Name)
			_, question := x.Defined(notation.GroupQuestion, o.Name)
			quoted := f.Text[o.Span.Start] == '"'
			switch {
			case o.Kind != ltl.KindProposition:
			case ok && o.Span.Len() == len(o.Name) || ok && quoted && o.Span.Len() == len(o.Name)+2:
				start := o.Span.Start
				if quoted {
					start++
				}
				dot := start + source.Pos(len(answer.Of))
				out = append(out, source.Occurrence{Kind: flow.KindQuestion, Name: answer.Of, Span: source.Span{Start: start, End: dot}})
				o = source.Occurrence{Kind: flow.KindAnswer, Of: answer.Of, Name: answer.Name, Span: source.Span{Start: dot + 1, End: dot + 1 + source.Pos(len(answer.Name))}}
			case question && !letter:
				o.Kind = flow.KindQuestion
			case !letter && steps:
				o = resolveStep(x, f, o)
			}
			out = append(out, o)
		}
		return out
	}
}
