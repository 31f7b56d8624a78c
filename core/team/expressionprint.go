package team

import (
	"strings"
	"unicode/utf8"
)

// String prints the expression. Parsing the text yields an equal expression.
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
	if left == bindCompare { // comparisons cannot be chained
		left++
	}
	return n.of[0].within(left) + " " + n.name + " " + n.of[1].within(right)
}

// within prints a node, in parentheses if its precedence is lower.
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

// quoteText quotes a text with single quotes. Double quotes would end the string of the
// file that contains the expression.
func quoteText(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", `\'`) + "'"
}

// shown is the length to which a message abbreviates a value.
const shown = 80

// brief prints a value for a message.
func (v Value) brief() string {
	text := v.String()
	if utf8.RuneCountInString(text) <= shown {
		return text
	}
	return string([]rune(text)[:shown]) + "…"
}
