package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/schema"
)

// inliner expands the references in the schemas of an operation. A schema that contains itself
// becomes a definition of the operation's schema.
type inliner struct {
	*description
	nodes     int
	path      []string          // references that are being expanded
	names     map[string]string // the names of the definitions, by reference
	recursive []string          // the references of the definitions
	large     bool              // whether a limit is exceeded
}

// annotations are the keywords that neither restrict a value nor help a model. Local definitions
// are expanded where they are used.
var annotations = []string{"example", "examples", "xml", "externalDocs", "discriminator", "deprecated", "$schema", "$id", "$comment", "$defs", "definitions"}

// inline returns a schema with its references expanded. note is the description of a schema
// that has none.
func (w *inliner) inline(n *json.Node, note string) string {
	out := w.schema(n, 0)
	if note == "" || !strings.HasPrefix(out, "{") || n.TextOf("description") != "" {
		return out
	}
	rest := strings.TrimPrefix(out, "{")
	if rest != "}" {
		rest = "," + rest
	}
	return `{"description":` + jsonfile.Quoted(phrase.Shorten(note, 300)) + rest
}

// withDefinitions adds the definitions to the schema of the arguments, the text of an object.
func (w *inliner) withDefinitions(arguments string) string {
	var parts []string
	for i := 0; i < len(w.recursive); i++ { // a definition can add others
		ref := w.recursive[i]
		target, _ := schema.Pointer(w.root, ref)
		parts = append(parts, jsonfile.Quoted(w.names[ref])+":"+w.schema(target, 0))
	}
	if len(parts) == 0 {
		return arguments
	}
	return strings.TrimSuffix(arguments, "}") + `,"$defs":{` + strings.Join(parts, ",") + "}}"
}

// schema returns the text of a schema at a depth.
func (w *inliner) schema(n *json.Node, depth int) string {
	if !w.count(depth) || n.Kind == 0 {
		return "{}"
	}
	if n.Kind != '{' {
		return w.value(n, depth)
	}
	ref, ok := n.Get("$ref")
	if !ok || ref.Kind != '"' {
		return w.object(n, depth)
	}
	target := w.reference(ref, depth)
	if siblings := w.object(n, depth); siblings != "{}" && !strings.HasPrefix(w.root.TextOf("openapi"), "3.0") {
		return `{"allOf":[` + target + "," + siblings + "]}"
	}
	return target
}

// object returns the text of a schema without its reference and annotations.
func (w *inliner) object(n *json.Node, depth int) string {
	var parts []string
	for _, m := range n.Members {
		if (m.Key != "$ref" || m.Value.Kind != '"') && !slices.Contains(annotations, m.Key) {
			parts = append(parts, jsonfile.Quoted(m.Key)+":"+w.keyword(m.Key, m.Value, depth+1))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// keyword returns the text of a keyword's value.
func (w *inliner) keyword(key string, n *json.Node, depth int) string {
	switch key {
	case "properties", "patternProperties", "dependentSchemas", "dependencies":
		if n.Kind != '{' || !w.count(depth) {
			break
		}
		parts := make([]string, len(n.Members))
		for i, m := range n.Members {
			parts[i] = jsonfile.Quoted(m.Key) + ":" + w.schema(m.Value, depth+1)
		}
		return "{" + strings.Join(parts, ",") + "}"
	case "allOf", "anyOf", "oneOf", "prefixItems", "items":
		if n.Kind != '[' {
			return w.schema(n, depth)
		}
		parts := make([]string, len(n.Items))
		for i, item := range n.Items {
			parts[i] = w.schema(item, depth+1)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
		return w.schema(n, depth)
	}
	return w.value(n, depth)
}

// value returns the text of a value that contains no schema.
func (w *inliner) value(n *json.Node, depth int) string {
	w.measure(n, depth)
	if w.large {
		return "{}"
	}
	return jsonfile.Compact(n)
}

// measure counts the parts of a value.
func (w *inliner) measure(n *json.Node, depth int) {
	for _, item := range n.Items {
		if w.count(depth + 1) {
			w.measure(item, depth+1)
		}
	}
	for _, m := range n.Members {
		if w.count(depth + 1) {
			w.measure(m.Value, depth+1)
		}
	}
}

// count counts a node. It returns false if a limit is exceeded.
func (w *inliner) count(depth int) bool {
	w.nodes++
	w.large = w.large || w.nodes > maxSchemaNodes || depth > maxSchemaDepth
	return !w.large
}

// reference returns the expanded schema of a reference; of one within its own expansion, a
// reference to a definition.
func (w *inliner) reference(ref *json.Node, depth int) string {
	target, found := schema.Pointer(w.root, ref.Text)
	if !found {
		w.report(ref, "agent-tools.reference", fmt.Sprintf("unknown reference %q; references within the description begin with #/", ref.Text))
		return "{}"
	}
	if w.names[ref.Text] == "" && slices.Contains(w.path, ref.Text) {
		w.define(ref.Text)
	}
	if name := w.names[ref.Text]; name != "" {
		return `{"$ref":"#/$defs/` + name + `"}`
	}
	w.path = append(w.path, ref.Text)
	out := w.schema(target, depth+1)
	w.path = w.path[:len(w.path)-1]
	return out
}

// define names the definition of a reference by its last part.
func (w *inliner) define(ref string) {
	if w.names == nil {
		w.names = map[string]string{}
	}
	base := wordsOf(ref[strings.LastIndexByte(ref, '/')+1:])
	name := base
	for n := 2; w.defines(name); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	w.names[ref] = name
	w.recursive = append(w.recursive, ref)
}

func (w *inliner) defines(name string) bool {
	for _, ref := range w.recursive {
		if w.names[ref] == name {
			return true
		}
	}
	return name == ""
}
