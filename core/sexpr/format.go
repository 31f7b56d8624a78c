package sexpr

import (
	"strings"
	"unicode/utf8"
)

// width is the length of a line, in characters, beyond which a list is broken into several.
const width = 80

// Format returns the formatted text: each list on one line if it fits, and comments at their
// nodes. Format is idempotent. The text must have parsed without errors.
func (f *File) Format() string {
	var b strings.Builder
	for i, n := range f.Nodes {
		if i > 0 {
			b.WriteByte('\n')
			if n.blank || n.Kind == KindList {
				b.WriteByte('\n')
			}
		}
		comments(&b, n.before, 0)
		n.print(&b, 0)
		if n.after != "" {
			b.WriteString("  " + n.after)
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	comments(&b, f.end, 0)
	out := strings.TrimRight(b.String(), "\n")
	if out == "" {
		return ""
	}
	return out + "\n"
}

func comments(b *strings.Builder, lines []string, indent int) {
	for _, c := range lines {
		b.WriteString(c + "\n" + strings.Repeat(" ", indent))
	}
}

// print writes a node whose first character is in column indent.
func (n *Node) print(b *strings.Builder, indent int) {
	if n.Kind != KindList {
		b.WriteString(n.leaf())
		return
	}
	if flat, ok := n.flat(); ok && indent+utf8.RuneCountInString(flat) <= width {
		b.WriteString(flat)
		return
	}
	b.WriteByte('(')
	inner, onHeadLine := n.layout(indent)
	for i, item := range n.Items {
		column := inner
		switch {
		case n.filled && i >= onHeadLine && n.adjacent(i) && item.Kind != KindList && item.after == "" && fits(b, item.leaf()):
			b.WriteString(" " + item.leaf())
			continue
		case i == 0:
			if onHeadLine == 0 {
				comments(b, item.before, indent+1)
			}
			column = indent + 1
		case n.adjacent(i) && n.property(i):
			b.WriteByte(' ')
			column += utf8.RuneCountInString(n.Items[i-1].Text) + 1
		case n.adjacent(i) && i < onHeadLine:
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
			if item.blank {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Repeat(" ", inner))
			comments(b, item.before, inner)
		}
		item.print(b, column)
		if item.after != "" {
			b.WriteString("  " + item.after)
		}
	}
	if len(n.dangling) > 0 {
		b.WriteString("\n" + strings.Repeat(" ", inner))
		comments(b, n.dangling, inner)
	} else if last := len(n.Items) - 1; last >= 0 && n.Items[last].after != "" {
		b.WriteString("\n" + strings.Repeat(" ", inner))
	}
	b.WriteByte(')')
}

// layout returns the column of the items of a broken list, and how many items are on the
// line of its parenthesis.
func (n *Node) layout(indent int) (inner, onHeadLine int) {
	switch head := n.Head(); {
	case head == "" || n.Items[0].after != "" || len(n.Items[0].before) > 0:
		return indent + 1, 0
	case head == "define" || n.pairs:
		return indent + 2, 2
	case !strings.HasPrefix(head, ":") && !n.Items[0].tooLong() && len(n.Items) > 1 && len(n.Items[1].before) == 0:
		return indent + 2 + utf8.RuneCountInString(head), 2
	}
	return indent + 2, 1
}

// adjacent reports whether no comment separates an item from the one before it.
func (n *Node) adjacent(i int) bool {
	return i > 0 && len(n.Items[i].before) == 0 && n.Items[i-1].after == ""
}

// property reports whether an item is the value of a property, which follows its name on
// the same line.
func (n *Node) property(i int) bool {
	return n.pairs && i > 2 && n.Items[i-1].Kind == KindAtom && strings.HasPrefix(n.Items[i-1].Text, ":")
}

// fits reports whether a text fits on the last line. Long lists of numbers are filled in this way,
// because one number per line would take too many lines.
func fits(b *strings.Builder, text string) bool {
	line := b.String()[strings.LastIndexByte(b.String(), '\n')+1:]
	return utf8.RuneCountInString(line)+1+utf8.RuneCountInString(text) < width
}

// Filled makes Format put as many atoms and strings of the list on a line as fit.
func (n *Node) Filled() { n.filled = true }

// InPairs makes Format print the list as a name and properties: ":effect (…)" on one line.
func (n *Node) InPairs() { n.pairs = true }

// tooLong reports whether this head would indent its arguments too far.
func (n *Node) tooLong() bool { return utf8.RuneCountInString(n.Text) > width/4 }

// flat returns the list on one line; ok is false if it contains a comment.
func (n *Node) flat() (string, bool) {
	if n.Kind != KindList {
		return n.leaf(), !strings.Contains(n.Text, "\n")
	}
	if len(n.dangling) > 0 {
		return "", false
	}
	parts := make([]string, len(n.Items))
	for i, item := range n.Items {
		text, ok := item.flat()
		if !ok || item.after != "" || len(item.before) > 0 {
			return "", false
		}
		parts[i] = text
	}
	return "(" + strings.Join(parts, " ") + ")", true
}

func (n *Node) leaf() string {
	if n.Kind == KindString {
		return Quote(n.Text)
	}
	return n.Text
}

// Quote returns the text as a string literal.
func Quote(text string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}
