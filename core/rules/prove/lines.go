package prove

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
)

// Lines returns a run as the text of a test: an event on each line.
func Lines(run []rules.RawEvent) []string {
	out := make([]string, len(run))
	for i, e := range run {
		out[i] = line(e)
	}
	return out
}

func line(e rules.RawEvent) string {
	whole, _ := json.Marshal(e) // cannot fail
	var parts []string
	if len(e.Fields) > 0 {
		tree, fault := json.Tree(string(e.Fields))
		if fault != nil || !flat(tree, "", &parts) {
			return string(whole)
		}
	}
	for _, meta := range []struct {
		name  string
		value json.RawMessage
	}{{"@agent", e.Agent}, {"@id", e.ID}, {"@time", e.Time}} {
		if len(meta.value) > 0 {
			if c := meta.value[0]; c == '[' || c == '{' {
				return string(whole)
			}
			parts = append(parts, meta.name+": "+string(meta.value))
		}
	}
	kind := "call"
	if e.Kind != nil {
		kind = *e.Kind
	}
	head := quoted(e.Name)
	switch kind {
	case "call":
	case "message":
		head = "message." + e.Name
	case "end":
		head = "end"
	default:
		head += "." + kind
	}
	return head + "(" + strings.Join(parts, ", ") + ")"
}

// flat adds the members of an object by their paths. It returns false for a list and for an empty object.
func flat(n *json.Node, prefix string, out *[]string) bool {
	for _, m := range n.Members {
		path := prefix + quoted(m.Key)
		switch m.Value.Kind {
		case '[':
			return false
		case '{':
			if len(m.Value.Members) == 0 || !flat(m.Value, path+".", out) {
				return false
			}
		case '"':
			text, _ := json.Marshal(m.Value.Text) // cannot fail
			*out = append(*out, path+": "+string(text))
		default:
			*out = append(*out, path+": "+m.Value.Text)
		}
	}
	return true
}

func quoted(name string) string {
	if rules.Plain(name) {
		return name
	}
	text, _ := json.Marshal(name) // cannot fail
	return string(text)
}
