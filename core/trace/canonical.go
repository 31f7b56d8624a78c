package trace

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// writeCanonical writes a value with sorted keys and numbers in one form.
func writeCanonical(b *strings.Builder, n *node) {
	switch n.Kind {
	case '{':
		members := slices.Clone(n.Members)
		slices.SortStableFunc(members, func(a, b json.Member) int { return strings.Compare(a.Key, b.Key) })
		b.WriteByte('{')
		for i, m := range members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Quote(m.Key))
			b.WriteByte(':')
			writeCanonical(b, m.Value)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCanonical(b, item)
		}
		b.WriteByte(']')
	case '"':
		b.WriteString(strconv.Quote(n.Text))
	case '0':
		// 1.0 and 1e0 are 1, too. Numbers that a float64 may round keep their digits.
		number := n.Text
		if f, err := strconv.ParseFloat(number, 64); err == nil && len(number) <= 15 && strings.ContainsAny(number, ".eE") {
			number = strconv.FormatFloat(f, 'f', -1, 64)
		}
		b.WriteString(number)
	default:
		b.WriteString(n.Text)
	}
}
