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

// inline returns a schema with its references expanded. A recursive reference becomes a
// schema that allows every value. note is the description of a schema that has none.
func (d *description) inline(schema *json.Node, note string) string {
	w := &inliner{description: d}
	out := w.schema(schema, 0)
	if w.nodes > maxSchemaNodes {
		return "{}"
	}
	if note != "" && strings.HasPrefix(out, "{") && schema.TextOf("description") == "" {
		rest := strings.TrimPrefix(out, "{")
		if rest != "}" {
			rest = "," + rest
		}
		out = `{"description":` + jsonfile.Quoted(phrase.Shorten(note, 300)) + rest
	}
	return out
}

type inliner struct {
	*description
	nodes int
	path  []string // references that are being expanded
}

func (w *inliner) schema(n *json.Node, depth int) string {
	if w.nodes++; n.Kind == 0 || depth > 20 || w.nodes > maxSchemaNodes {
		return "{}"
	}
	switch n.Kind {
	case '[':
		parts := make([]string, len(n.Items))
		for i, item := range n.Items {
			parts[i] = w.schema(item, depth+1)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case '{':
	default:
		return jsonfile.Compact(n)
	}
	if ref, ok := n.Get("$ref"); ok && ref.Kind == '"' {
		if slices.Contains(w.path, ref.Text) {
			return "{}"
		}
		target, found := schema.Pointer(w.root, ref.Text)
		if !found {
			w.report(ref, "agent-tools.reference", fmt.Sprintf("unknown reference %q; references within the description begin with #/", ref.Text))
			return "{}"
		}
		w.path = append(w.path, ref.Text)
		out := w.schema(target, depth+1)
		w.path = w.path[:len(w.path)-1]
		return out
	}
	var parts []string
	for _, m := range n.Members {
		switch m.Key {
		case "example", "examples", "xml", "externalDocs", "discriminator", "deprecated", "$schema", "$id":
			continue // useless for a model
		}
		parts = append(parts, jsonfile.Quoted(m.Key)+":"+w.schema(m.Value, depth+1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}
