package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// describe keeps the arguments that a schema describes, in its order, and the one that a plain text sets:
// the only property, or the only required property.
func (c *Checker) describe(root *json.Node) {
	properties, _ := root.Get("properties")
	for _, m := range properties.Members {
		c.members = append(c.members, m.Key)
	}
	required, _ := root.Get("required")
	switch {
	case len(required.Items) == 1:
		c.only = required.Items[0].Text
	case len(required.Items) == 0 && len(c.members) == 1:
		c.only = c.members[0]
	}
	if !slices.Contains(c.members, c.only) || c.root < 0 {
		c.only = ""
		return
	}
	for _, one := range c.nodes[c.root] {
		if k, ok := one.index[c.only]; ok && one.Op == "properties" {
			c.text = c.allowsText(one.Kids[k], map[int]bool{})
			return
		}
	}
	c.text = true // a property without restrictions
}

// allowsText reports whether the types of a node allow a string. seen has the nodes that are judged, so that the work is
// linear.
func (c *Checker) allowsText(node int, seen map[int]bool) bool {
	if node < 0 {
		return true
	}
	if allowed, ok := seen[node]; ok {
		return allowed
	}
	allowed := true
	allows := func(kid int) bool { return c.allowsText(kid, seen) }
	for _, one := range c.nodes[node] {
		switch one.Op {
		case "never":
			allowed = false
		case "type":
			allowed = allowed && slices.Contains(one.Names, "string")
		case "any", "one":
			allowed = allowed && slices.ContainsFunc(one.Kids, allows)
		case "all":
			allowed = allowed && !slices.ContainsFunc(one.Kids, func(kid int) bool { return !allows(kid) })
		}
	}
	seen[node] = allowed
	return allowed
}

// Arguments converts the input that an agent wrote for a tool to JSON arguments. A JSON
// object stays as it is. Any other text becomes the value of the only property, or of the
// only required property. The error is an [*Error] that shows the expected object.
func (c *Checker) Arguments(tool, input string) (json.RawMessage, error) {
	input = strings.TrimSpace(input)
	if strings.HasPrefix(input, "{") {
		tree, fault := json.Tree(input)
		switch {
		case fault == nil && (c.only == "" || c.knows(tree)):
			return json.RawMessage(input), nil
		case fault != nil && c.only == "":
			return nil, &Error{Message: "the input is not a JSON object: " + fault.Message}
		}
	}
	if c.only == "" {
		if input == "" || len(c.members) == 0 {
			return json.RawMessage("{}"), nil
		}
		return nil, &Error{Message: tool + " takes a JSON object: " + c.example()}
	}
	value := input
	if c.text || !isJSON(input) {
		text := input
		if strings.HasPrefix(input, `"`) && isJSON(input) {
			_ = json.Unmarshal([]byte(input), &text) // a string
		}
		value = jsonfile.Quoted(text)
	}
	return json.RawMessage("{" + jsonfile.Quoted(c.only) + ":" + value + "}"), nil
}

func isJSON(text string) bool {
	var raw json.RawMessage
	return json.Unmarshal([]byte(text), &raw) == nil
}

// knows reports whether v is a non-empty object whose members the schema describes.
func (c *Checker) knows(v *json.Node) bool {
	for _, m := range v.Members {
		if !slices.Contains(c.members, m.Key) {
			return false
		}
	}
	return len(v.Members) > 0
}

// example formats an object with the described members: {"a": …, "b": …}.
func (c *Checker) example() string {
	parts := make([]string, len(c.members))
	for i, name := range c.members {
		parts[i] = strconv.Quote(name) + ": …"
	}
	return "{" + phrase.Shorten(strings.Join(parts, ", "), 400) + "}"
}

// percentDecoded decodes each %XX and keeps malformed escapes.
func percentDecoded(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
