package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// spanName returns the name of a span, or "".
func spanName(n *node) string {
	name := textOf(n, "name span_name displayName display_name")
	if v, ok := n.Get("span_attributes"); ok && name == "" {
		name = v.TextOf("name")
	}
	if op := n.TextOf("op_name"); name == "" && op != "" { // weave:///entity/project/op/name:version
		name, _, _ = strings.Cut(op[strings.LastIndexByte(op, '/')+1:], ":")
	}
	return name
}

// undotted returns a span that is a row of a table of Phoenix, whose columns have names with dots.
func undotted(n *node) *node {
	out, context, attributes := *n, &node{Kind: '{', At: n.At}, &node{Kind: '{', At: n.At}
	out.Members = nil
	for _, m := range n.Members {
		if key, ok := strings.CutPrefix(m.Key, "context."); ok {
			context.Members = append(context.Members, json.Member{Key: key, At: m.At, Value: m.Value})
		} else if key, ok := strings.CutPrefix(m.Key, "attributes."); ok {
			attributes.Members = append(attributes.Members, json.Member{Key: key, At: m.At, Value: undottedItems(m.Value)})
		} else if m.Key == "span_kind" {
			attributes.Members = append(attributes.Members, json.Member{Key: "openinference.span.kind", At: m.At, Value: m.Value})
		} else {
			out.Members = append(out.Members, m)
		}
	}
	out.Members = append(out.Members, member("context", context), member("attributes", attributes))
	return &out
}

// undottedItems returns a value in which the keys with dots of a list's objects are nested objects.
func undottedItems(n *node) *node {
	if n.Kind != '[' {
		return n
	}
	out := *n
	out.Items = nil
	for _, item := range n.Items {
		if item.Kind == '{' {
			members := slices.Clone(item.Members)
			for i := range members {
				members[i].Value = undottedItems(members[i].Value)
			}
			tree := nested(members)
			tree.At = item.At
			if item = tree; len(item.Members) == 1 && Word(" message tool_call message_content ", item.Members[0].Key) {
				item = item.Members[0].Value
			}
		}
		out.Items = append(out.Items, item)
	}
	return &out
}
