package grammar

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format prints the text again, tidied: one space between symbols, bars of
// continued rules under the arrow's head, the comments of adjacent lines aligned. Lines and
// comments are kept, and invalid lines are unchanged. Formatting is idempotent.
func (s *Syntax) Format() string {
	codes := make([]string, len(s.Lines))
	indent := 0
	for i, line := range s.Lines {
		if rule, ok := line.Statement.(RuleLine); ok {
			indent = utf8.RuneCountInString(quoteName(rule.Left.Text)) + 2
		}
		codes[i] = formatStatement(line.Statement, indent, s)
	}
	var b strings.Builder
	for start := 0; start < len(s.Lines); {
		// A block is a sequence of lines with code, whose comments are aligned.
		end, width := start, 0
		for end < len(s.Lines) && codes[end] != "" {
			if s.Lines[end].Comment.Len() > 0 {
				width = max(width, utf8.RuneCountInString(codes[end]))
			}
			end++
		}
		if end == start {
			end++
		}
		for i := start; i < end; i++ {
			b.WriteString(codes[i])
			if comment := s.Lines[i].Comment; comment.Len() > 0 {
				if codes[i] != "" {
					b.WriteString(strings.Repeat(" ", width-utf8.RuneCountInString(codes[i])+2))
				}
				b.WriteString(strings.TrimRight(s.File.Slice(comment), " \t\r"))
			}
			b.WriteByte('\n')
		}
		start = end
	}
	out := strings.TrimRight(b.String(), "\n")
	if out == "" {
		return ""
	}
	return out + "\n"
}

func formatStatement(statement Statement, indent int, s *Syntax) string {
	switch st := statement.(type) {
	case StartLine:
		return "%start " + quoteName(st.Symbol.Text)
	case SubsetLine:
		out := "%subset " + quoteName(st.Left.Text)
		for _, item := range st.Items {
			out += " " + quoteName(item.Text)
		}
		return out
	case RuleLine:
		return quoteName(st.Left.Text) + " -> " + formatAlternatives(st.Alternatives)
	case MoreLine:
		return strings.Repeat(" ", indent) + "| " + formatAlternatives(st.Alternatives)
	case LabelLine:
		return quoteName(st.Symbol.Text) + " as " + quoteText(st.Label.Text)
	case LimitLine:
		out := "limit " + strconv.FormatInt(st.N, 10)
		if st.Each {
			out += " each"
			if len(st.Symbols) > 0 {
				out += " except"
			}
		}
		for _, name := range st.Symbols {
			out += " " + formatLimited(name.Text)
		}
		return out
	case BadLine:
		return s.File.Slice(st.Span)
	default:
		return ""
	}
}

// formatLimited quotes a symbol that would otherwise be a keyword of the limit line.
func formatLimited(name string) string {
	if name == "each" || name == "except" {
		return quoteText(name)
	}
	return quoteName(name)
}

func formatAlternatives(list []Alternative) string {
	parts := make([]string, len(list))
	for i, a := range list {
		var words []string
		for _, name := range a.Symbols {
			words = append(words, quoteName(name.Text))
		}
		if len(words) == 0 {
			words = []string{"ε"}
		}
		if a.Label != nil {
			words = append(words, "as", quoteText(a.Label.Text))
		}
		parts[i] = strings.Join(words, " ")
	}
	return strings.Join(parts, " | ")
}
