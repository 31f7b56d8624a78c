package formulate

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
)

// A form may name what stands at a place: a text in braces is a reference, and
// "{objective}" is the best value, "{plan}" the steps, "{ship}" a table of the values
// ship.…, and "{ship.a.b}" a value. What a form refers to is known without a model, and a
// model that writes something else there is wrong.

// reference returns what a leaf of a form refers to.
func reference(n *json.Node) (name string, ok bool) {
	if n.Kind != '"' || !strings.HasPrefix(n.Text, "{") {
		return "", false
	}
	name, _, ok = strings.Cut(n.Text[1:], "}")
	return name, ok && name != ""
}

// misfits says where a value is not in a form: members that are missing, or of another
// kind. A leaf of a form takes any value: a text that says what stands there, or a
// reference.
func misfits(form, value *json.Node, path string) (faults []string) {
	switch {
	case form.Kind == '{' && value.Kind != '{':
		return []string{path + " is no object"}
	case form.Kind == '[' && value.Kind != '[':
		return []string{path + " is no list"}
	case form.Kind == '{':
		for _, m := range form.Members {
			v, ok := value.Get(m.Key)
			if !ok {
				faults = append(faults, fmt.Sprintf("%s has no %q", path, m.Key))
				continue
			}
			faults = append(faults, misfits(m.Value, v, path+"."+m.Key)...)
		}
	case form.Kind == '0' && value.Kind != '0' && value.Kind != 'n':
		faults = append(faults, path+" is no number")
	case form.Kind == '[' && len(form.Items) > 0:
		for i, v := range value.Items {
			if more := misfits(form.Items[0], v, fmt.Sprintf("%s[%d]", path, i)); len(more) > 0 {
				return append(faults, more[0])
			}
		}
	}
	return faults
}

// source of a solution, for forms.
type outcome struct {
	objective string
	model     []solve.Value
	families  []solve.Family
	plan      []string // nil where plans have no steps
}

// refer returns what a reference stands for as JSON, "" where there is no such thing.
func (o *outcome) refer(name string) string {
	switch name {
	case "objective":
		if o.plan != nil {
			return fmt.Sprint(len(o.plan))
		}
		return number(o.objective)
	case "plan":
		text, _ := json.Marshal(o.plan)
		return string(text)
	}
	for _, v := range o.model {
		if v.Name == name {
			return number(v.Value)
		}
	}
	for i := range o.families {
		if f := &o.families[i]; strings.EqualFold(f.Name, strings.ReplaceAll(name, ".", " ")) {
			return table(f, 0, f.Cells)
		}
	}
	return ""
}

// number writes a value as JSON: as a number where it is a whole or a decimal one.
func number(value string) string {
	switch {
	case value == "":
		return "null"
	case value == "true" || value == "false":
		return value
	}
	if _, fault := json.Tree(value); fault == nil {
		return value
	}
	text, _ := json.Marshal(value) // "2/3", "∞"
	return string(text)
}

// table writes the cells of a family that agree in their first axes as objects within
// objects, without what is 0 or false.
func table(f *solve.Family, axis int, cells []solve.Cell) string {
	var b strings.Builder
	b.WriteByte('{')
	first := true
	for i, word := range f.Axes[axis] {
		var rest []solve.Cell
		for _, c := range cells {
			if c.At[axis] == i && c.Value != "0" && c.Value != "0.0" && c.Value != "false" {
				rest = append(rest, c)
			}
		}
		if len(rest) == 0 {
			continue
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		key, _ := json.Marshal(word)
		b.Write(key)
		b.WriteString(": ")
		if axis+1 < len(f.Axes) {
			b.WriteString(table(f, axis+1, rest))
		} else {
			b.WriteString(number(rest[0].Value))
		}
	}
	b.WriteByte('}')
	return b.String()
}

// filled writes a form with its references filled in. whole is false where a leaf of the
// form is no reference, or refers to nothing.
func (o *outcome) filled(form *json.Node) (text string, whole bool) {
	whole = true
	var write func(n *json.Node) string
	write = func(n *json.Node) string {
		switch n.Kind {
		case '{':
			parts := make([]string, len(n.Members))
			for i, m := range n.Members {
				key, _ := json.Marshal(m.Key)
				parts[i] = string(key) + ": " + write(m.Value)
			}
			return "{" + strings.Join(parts, ", ") + "}"
		case '[':
			parts := make([]string, len(n.Items))
			for i, item := range n.Items {
				parts[i] = write(item)
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		if name, ok := reference(n); ok {
			if v := o.refer(name); v != "" {
				return v
			}
		}
		whole = false
		return "null"
	}
	text = write(form)
	return text, whole
}

// wrongFigures says where an answer has something else than what its form refers to.
func (o *outcome) wrongFigures(form, value *json.Node, path string) (faults []string) {
	if name, ok := reference(form); ok {
		want := o.refer(name)
		if want == "" {
			return nil
		}
		if right, fault := json.Tree(want); fault == nil && !sameJSON(right, value) {
			return []string{fmt.Sprintf("%s is %s in the answer, and %s in the solution", path, short(value), short(right))}
		}
		return nil
	}
	for _, m := range form.Members {
		if v, ok := value.Get(m.Key); ok {
			faults = append(faults, o.wrongFigures(m.Value, v, path+"."+m.Key)...)
		}
	}
	return faults
}

func short(n *json.Node) string {
	text := n.Text
	if n.Kind == '"' {
		text = `"` + text + `"`
	}
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// sameJSON reports whether two values say the same. Of an object members that are 0,
// false, null or empty may be left out, and numbers may be written otherwise.
func sameJSON(a, b *json.Node) bool {
	switch {
	case nothing(a) && nothing(b):
		return true
	case a.Kind == '{' && b.Kind == '{':
		for _, pair := range [][2]*json.Node{{a, b}, {b, a}} {
			for _, m := range pair[0].Members {
				other, _ := pair[1].Get(m.Key)
				if !sameJSON(m.Value, other) {
					return false
				}
			}
		}
		return true
	case a.Kind == '[' && b.Kind == '[' && len(a.Items) == len(b.Items):
		for i := range a.Items {
			if !sameJSON(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	}
	return a.Kind == b.Kind && plain(a.Text) == plain(b.Text) && a.Kind != '{' && a.Kind != '['
}

// nothing reports whether a value says nothing.
func nothing(n *json.Node) bool {
	switch n.Kind {
	case 0, 'n', 'f':
		return true
	case '{':
		for _, m := range n.Members {
			if !nothing(m.Value) {
				return false
			}
		}
		return true
	case '[':
		return len(n.Items) == 0
	}
	return n.Kind == '0' && plain(n.Text) == "0"
}

// plain writes a number without what makes no difference.
func plain(text string) string {
	if strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
