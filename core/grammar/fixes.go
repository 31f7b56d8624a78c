package grammar

import (
	"github.com/stile-playground/stile/core/source"
)

// removal returns a fix that removes a nonterminal: its rules, its label, and the alternatives
// that use it. There is no fix if a rule would lose its first line, or if another nonterminal
// would lose all its rules and so become a terminal.
func (c *compiler) removal(name, title string) []source.Fix {
	text := c.syntax.File.Text
	var edits []source.Edit
	own, orphaned := false, false // about the rule that a line with | continues
	left := ""                    // the left side of that rule
	rules := map[string]int{}     // number of kept rules, by left side
	for _, line := range c.syntax.Lines {
		var alternatives []Alternative
		var start source.Pos
		head := ""
		switch st := line.Statement.(type) {
		case RuleLine:
			left = st.Left.Text
			own = left == name
			alternatives, start, head = st.Alternatives, st.Left.Span.Start, quoteName(st.Left.Text)+" -> "
			orphaned = false
		case MoreLine:
			alternatives, start, head = st.Alternatives, st.Bar.Start, "| "
		case SubsetLine:
			if st.Left.Text == name {
				edits = append(edits, source.Edit{Span: fullLine(text, st.Left.Span.Start)})
			}
			for _, item := range st.Items {
				if item.Text == name {
					return nil
				}
			}
			continue
		case LabelLine:
			if st.Symbol.Text == name {
				edits = append(edits, source.Edit{Span: fullLine(text, st.Symbol.Span.Start)})
			}
			continue
		default:
			continue
		}
		var kept []Alternative
		for _, a := range alternatives {
			if !own && !uses(a, name) {
				kept = append(kept, a)
			}
		}
		rules[left] += len(kept)
		switch {
		case len(kept) == len(alternatives):
			if orphaned {
				return nil
			}
		case len(kept) == 0:
			_, first := line.Statement.(RuleLine)
			orphaned = orphaned || first && !own
			edits = append(edits, source.Edit{Span: fullLine(text, start)})
		default:
			if orphaned {
				return nil
			}
			end := source.Pos(source.LineEnd(text, int(start)))
			tail := ""
			if line.Comment.Len() > 0 {
				end, tail = line.Comment.Start, "  "
			}
			edits = append(edits, source.Edit{Span: source.Span{Start: start, End: end}, Text: head + formatAlternatives(kept) + tail})
		}
	}
	for left, kept := range rules {
		if kept == 0 && left != name {
			return nil
		}
	}
	return []source.Fix{{Title: title, Edits: edits}}
}

func uses(a Alternative, name string) bool {
	for _, s := range a.Symbols {
		if s.Text == name {
			return true
		}
	}
	return false
}

// fullLine returns the line of a position, including its line break.
func fullLine(text string, at source.Pos) source.Span {
	start := int(at)
	for start > 0 && text[start-1] != '\n' {
		start--
	}
	end := source.LineEnd(text, start)
	for end < len(text) && (text[end] == '\r' || text[end] == '\n') {
		end++
		if text[end-1] == '\n' {
			break
		}
	}
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}
