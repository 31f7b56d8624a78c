package team

import (
	"strings"
	"unicode/utf8"
)

// String writes the expression again: read, it is the same.
func (e *Expression) String() string { return e.root.print() }

func (n *node) print() string {
	switch n.kind {
	case kindLiteral:
		return n.value.String()
	case kindName:
		return n.name
	case kindMember:
		return n.of[0].within(bindPath) + "." + n.name
	case kindIndex:
		return n.of[0].within(bindPath) + "[" + n.of[1].print() + "]"
	case kindNot:
		return "not " + n.of[0].within(bindNot)
	case kindNegate:
		return "-" + n.of[0].within(bindNegate)
	case kindList:
		return "[" + printAll(n.of) + "]"
	case kindCall:
		if n.variable != "" {
			return n.name + "(" + n.of[0].print() + ", " + n.variable + ": " + n.of[1].print() + ")"
		}
		return n.name + "(" + printAll(n.of) + ")"
	}
	left, right := binary[n.name], binary[n.name]+1
	if left == bindCompare { // which cannot be chained
		left++
	}
	return n.of[0].within(left) + " " + n.name + " " + n.of[1].within(right)
}

// within writes a node that has to bind at least so strongly.
func (n *node) within(least int) string {
	if n.binding() < least {
		return "(" + n.print() + ")"
	}
	return n.print()
}

func printAll(list []*node) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = n.print()
	}
	return strings.Join(parts, ", ")
}

// quoteText writes a text as an expression has it: in single quotes, for double ones
// would end the text in quotes that the expression stands in.
func quoteText(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", `\'`) + "'"
}

// shown is how much of a value a message shows.
const shown = 80

// brief writes a value for a message.
func (v Value) brief() string {
	text := v.String()
	if utf8.RuneCountInString(text) <= shown {
		return text
	}
	return string([]rune(text)[:shown]) + "…"
}
