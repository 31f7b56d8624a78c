package monitor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// calls are the arguments of the calls of one tool.
type calls []string

func callKey(tool, id string) string { return tool + "\x00" + id }

// executed refuses the spans of tools that no conversation accounts for: the tool was
// called, but no message asks for it, or the message has other arguments. A span with an
// identifier belongs to the call with that identifier, any other span to one call of its
// tool. Spans without arguments are assigned last, so that they do not take the calls that
// match the arguments of other spans.
func (s *spans) executed(judged []*otlpSpan) {
	traces := map[string]*known{}
	for _, span := range judged {
		if traces[span.trace] == nil {
			traces[span.trace] = newKnown()
		}
		traces[span.trace].add(span.parts)
	}
	for _, compared := range []bool{true, false} {
		for _, span := range s.list {
			tool, ok := span.tool()
			arguments, has := span.attributes["gen_ai.tool.call.arguments"]
			if !ok || has != compared {
				continue
			}
			asked := calls(nil)
			key := tool
			id, identified := span.attributes["gen_ai.tool.call.id"]
			if identified {
				key = callKey(tool, id.Text)
			}
			k := traces[span.trace]
			if k != nil {
				asked = k.calls[key]
			}
			if len(asked) == 0 {
				s.refuse(span.node, "call of %q that no conversation has", shorten(tool))
				continue
			}
			at := 0
			if has {
				at = slices.IndexFunc(asked, func(text string) bool { return sameArguments(text, arguments.Text) })
			}
			if at < 0 {
				s.refuse(arguments, "arguments of %q that differ from the call in the conversation", shorten(tool))
			} else if !identified {
				k.calls[key] = slices.Delete(asked, at, at+1)
			}
		}
	}
}

// sameArguments reports whether two texts are the same JSON value, apart from the order
// of keys and white space. Texts that are not JSON are the same if they are equal. No
// text, null and an empty object are the same: a call without arguments.
func sameArguments(a, b string) bool { return canonicalArguments(a) == canonicalArguments(b) }

func canonicalArguments(text string) string {
	text = strings.TrimSpace(text)
	roots, fault := readValues(text)
	if fault != nil || len(roots) != 1 {
		return text
	}
	var b strings.Builder
	writeValue(&b, roots[0], true)
	if out := b.String(); out != "null" && out != "{}" {
		return out
	}
	return ""
}

// writeValue writes a value as JSON. If canonical is true, keys are sorted and equal
// numbers are written identically.
func writeValue(b *strings.Builder, n *node, canonical bool) {
	switch n.Kind {
	case '{':
		members := n.Members
		if canonical {
			members = slices.Clone(members)
			slices.SortStableFunc(members, func(a, b json.Member) int { return strings.Compare(a.Key, b.Key) })
		}
		b.WriteByte('{')
		for i, m := range members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, m.Key)
			b.WriteByte(':')
			writeValue(b, m.Value, canonical)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeValue(b, item, canonical)
		}
		b.WriteByte(']')
	case '"':
		writeString(b, n.Text)
	case '0':
		// 1.0 and 1e0 are 1, too. Numbers that a float64 may round keep their digits, so
		// that no difference is lost.
		number := n.Text
		if f, err := strconv.ParseFloat(number, 64); canonical && err == nil && len(number) <= 15 && strings.ContainsAny(number, ".eE") {
			number = strconv.FormatFloat(f, 'f', -1, 64)
		}
		b.WriteString(number)
	default:
		b.WriteString(n.Text)
	}
}

func writeString(b *strings.Builder, text string) {
	quoted, _ := json.Marshal(text)
	b.Write(quoted)
}
