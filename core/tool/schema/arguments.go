package schema

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// Arguments converts the input that an agent wrote for a tool to JSON arguments. A JSON
// object stays as it is. Any other text becomes the value of the only property, or of the
// only required property. The error is an [*Error] that shows the expected object.
func Arguments(tool string, schemaText json.RawMessage, input string) (json.RawMessage, error) {
	input = strings.TrimSpace(input)
	schema, err := read(schemaText)
	if err != nil {
		return nil, err
	}
	properties, name := only(schema)
	if strings.HasPrefix(input, "{") {
		if tree, fault := jsonfile.Read(input, ""); fault == nil && (name == "" || knows(properties, tree)) {
			return json.RawMessage(input), nil
		} else if fault != nil && name == "" {
			return nil, &Error{Message: "the input is not a JSON object: " + fault.Message}
		}
	}
	if name == "" {
		if input == "" || len(properties.Members) == 0 {
			return json.RawMessage("{}"), nil
		}
		return nil, &Error{Message: tool + " takes a JSON object: " + exampleOf(properties)}
	}
	property, _ := properties.Get(name)
	value := json.RawMessage(input)
	if root := (&check{root: schema}); root.allowsText(property, 0) || !isJSON(input) {
		var text string
		if !strings.HasPrefix(input, `"`) || json.Unmarshal([]byte(input), &text) != nil {
			text = input
		}
		if value, err = json.Marshal(text); err != nil {
			return nil, err
		}
	}
	head, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return json.RawMessage("{" + string(head) + ":" + string(value) + "}"), nil
}

func isJSON(text string) bool {
	var raw json.RawMessage
	return json.Unmarshal([]byte(text), &raw) == nil
}

// allowsText reports whether a schema's type allows a string.
func (c *check) allowsText(schema *json.Node, depth int) bool {
	if c.work++; depth > maxDepth || c.work > maxWork {
		return false
	}
	for range maxDepth {
		ref, ok := schema.Get("$ref")
		if !ok {
			break
		}
		schema, _ = Pointer(c.root, ref.Text)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		subs, _ := schema.Get(keyword)
		for _, sub := range subs.Items {
			if c.allowsText(sub, depth+1) {
				return true
			}
		}
		if len(subs.Items) > 0 {
			return false
		}
	}
	return c.checkType(schema, &json.Node{Kind: '"'}, "", 0) == ""
}

// only returns the properties of an object's schema, and the name of the property that a
// plain text sets: the only property, or the only required property. The name is "" if
// there is no such property.
func only(n *json.Node) (properties *json.Node, name string) {
	properties, _ = n.Get("properties")
	required, _ := n.Get("required")
	switch {
	case len(required.Items) == 1:
		name = required.Items[0].Text
	case len(required.Items) == 0 && len(properties.Members) == 1:
		name = properties.Members[0].Key
	}
	if _, ok := properties.Get(name); !ok {
		name = ""
	}
	return properties, name
}

// knows reports whether v is a non-empty object and n has a property for each member.
func knows(n, v *json.Node) bool {
	for _, m := range v.Members {
		if _, ok := n.Get(m.Key); !ok {
			return false
		}
	}
	return v.Kind == '{' && len(v.Members) > 0
}

// exampleOf formats an object with these properties: {"a": …, "b": …}.
func exampleOf(n *json.Node) string {
	parts := make([]string, len(n.Members))
	for i, m := range n.Members {
		parts[i] = strconv.Quote(m.Key) + ": …"
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
