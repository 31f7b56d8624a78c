package formulate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
)

// Many values of a form are known without a model, so an answer with other values is
// wrong:
//
//   - the keys on the path to a value are the words of a variable's name: "ship", "hill",
//     "north" is ship.hill.north;
//   - a list contains the last words of the chosen variables whose other words are the
//     path: "work", "Amy" contains the days d with work.Amy.d = 1;
//   - a text that begins with a name in braces is a reference: "{objective}" is the
//     optimum, "{plan}" the steps, "{ship}" a table of the values ship.…, "{ship.hill}" a
//     value, and "{visit->}" the choices of visit.1.a and its siblings for 1, 2, ….

// reference returns the name in braces that a leaf of a form, or the first item of a
// list, begins with.
func reference(n *json.Node) (name string, ok bool) {
	if n.Kind == '[' && len(n.Items) == 1 {
		n = n.Items[0]
	}
	if n.Kind != '"' || !strings.HasPrefix(n.Text, "{") {
		return "", false
	}
	name, _, ok = strings.Cut(n.Text[1:], "}")
	return name, ok && name != ""
}

// at returns the known value at a path of a form as JSON, or "".
func (o *outcome) at(form *json.Node, path []string) string {
	if name, ok := reference(form); ok {
		return o.refer(name)
	}
	key := pathKey(path)
	switch {
	case form.Kind == '[' && key == planKey && o.plan != nil:
		return o.refer(planKey)
	case form.Kind == '[':
		return o.chosen(key)
	case form.Kind != '{':
		if i, ok := o.index()[key]; ok {
			return number(o.model[i].Value)
		}
	}
	return ""
}

// planKey is the name of the member of an answer that contains the steps.
const planKey = "plan"

// pathKey returns a key that is equal for a path and for the words of a name.
func pathKey(path []string) string {
	var words []string
	for _, name := range path {
		words = append(words, strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("._[](), \t|-", r) })...)
	}
	return strings.Join(words, " ")
}

// index maps the words of names to variables.
func (o *outcome) index() map[string]int {
	if o.places == nil {
		o.places = map[string]int{}
		for i, v := range o.model {
			if len(v.Params) == 0 {
				o.places[pathKey([]string{v.Name})] = i
			}
		}
	}
	return o.places
}

// chosen lists, as JSON, the last words of the chosen variables whose names consist of
// the words of key and one more word. It returns "" if no variable has such a name.
func (o *outcome) chosen(key string) string {
	list := []string{}
	any := false
	for _, v := range o.model {
		name := strings.FieldsFunc(strings.Trim(v.Name, "|"), func(r rune) bool { return r == '.' || r == '[' || r == ']' || r == ',' })
		if len(name) < 2 {
			name = strings.Split(v.Name, "_")
		}
		if len(name) < 2 || pathKey(name[:len(name)-1]) != key {
			continue
		}
		any = true
		if !zero(v.Value) {
			list = append(list, name[len(name)-1])
		}
	}
	if !any {
		return ""
	}
	text, _ := json.Marshal(list)
	return string(text)
}

// zero reports whether a value is 0 or false.
func zero(value string) bool {
	return value == "false" || strings.Trim(value, "-0.") == "" || strings.HasPrefix(value, "0/")
}

// misfits reports the mismatches of a value and a form: missing members, and values of
// another kind. A leaf of a form that is a description or a reference allows any value.
func misfits(form, value *json.Node, path string) (faults []string) {
	switch {
	case form.Kind == '{' && value.Kind != '{':
		return []string{path + " is not an object"}
	case form.Kind == '[' && value.Kind != '[':
		return []string{path + " is not a list"}
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
		faults = append(faults, path+" is not a number")
	case form.Kind == '[' && len(form.Items) > 0:
		for i, v := range value.Items {
			if more := misfits(form.Items[0], v, fmt.Sprintf("%s[%d]", path, i)); len(more) > 0 {
				return append(faults, more[0])
			}
		}
	}
	return faults
}

// outcome is a solution, prepared for filling forms.
type outcome struct {
	objective string
	aim       *solve.Objective // nil if the objective is proved optimal, or without an objective
	bound     string           // no solution is better than this, if known
	model     []solve.Value
	families  []solve.Family
	plan      []string // nil for plans without steps
	places    map[string]int
}

// refer returns the value of a reference as JSON, or "".
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
	if first, ok := strings.CutSuffix(name, "->"); ok {
		return o.eachChosen(first)
	}
	for i := range o.families {
		if f := &o.families[i]; strings.EqualFold(f.Name, strings.ReplaceAll(name, ".", " ")) {
			return table(f, 0, f.Cells)
		}
	}
	return ""
}

// eachChosen lists the chosen elements of the second axis of a family for each element of
// its first axis, in the order of the first axis.
func (o *outcome) eachChosen(name string) string {
	for i := range o.families {
		f := &o.families[i]
		if !strings.EqualFold(f.Name, name) || len(f.Axes) != 2 {
			continue
		}
		list := []string{}
		for first := range f.Axes[0] {
			for _, c := range f.Cells {
				if c.At[0] == first && !zero(c.Value) {
					list = append(list, f.Axes[1][c.At[1]])
				}
			}
		}
		text, _ := json.Marshal(list)
		return string(text)
	}
	return ""
}

// number formats a value as JSON: a number as a number, a fraction with nine decimals,
// and anything else as a string.
func number(value string) string {
	switch {
	case value == "":
		return "null"
	case value == "true" || value == "false":
		return value
	}
	value = strings.TrimSuffix(value, "?") // the following decimals
	if n, fault := json.Tree(value); fault == nil && n.Kind == '0' {
		return value
	}
	if over, under, ok := strings.Cut(value, "/"); ok {
		a, err := strconv.ParseFloat(over, 64)
		b, also := strconv.ParseFloat(under, 64)
		if err == nil && also == nil && b != 0 {
			return plain(strconv.FormatFloat(a/b, 'f', 9, 64))
		}
	}
	text, _ := json.Marshal(value) // "∞"
	return string(text)
}

// table formats the cells of a family as nested objects, without those that are 0 or
// false.
func table(f *solve.Family, axis int, cells []solve.Cell) string {
	var b strings.Builder
	b.WriteByte('{')
	first := true
	for i, word := range f.Axes[axis] {
		var rest []solve.Cell
		for _, c := range cells {
			if c.At[axis] == i && !zero(c.Value) {
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

// filled fills a form with the known values. whole is false if some are unknown.
func (o *outcome) filled(form *json.Node) (text string, complete bool) {
	complete = true
	var write func(n *json.Node, path []string) string
	write = func(n *json.Node, path []string) string {
		if v := o.at(n, path); v != "" {
			return v
		}
		if n.Kind == '{' {
			parts := make([]string, len(n.Members))
			for i, m := range n.Members {
				key, _ := json.Marshal(m.Key)
				parts[i] = string(key) + ": " + write(m.Value, append(path[:len(path):len(path)], m.Key))
			}
			return "{" + strings.Join(parts, ", ") + "}"
		}
		complete = false
		if n.Kind == '[' {
			return "[]"
		}
		return "null"
	}
	text = write(form, nil)
	return text, complete
}

// wrongFigures reports the values of an answer that differ from the known ones.
func (o *outcome) wrongFigures(form, value *json.Node, path ...string) (faults []string) {
	if want := o.at(form, path); want != "" {
		if right, fault := json.Tree(want); fault == nil && !sameJSON(right, value) && !(o.aim != nil && rounds(right.Text, value.Text)) {
			return []string{fmt.Sprintf("%s is %s in the answer, and %s in the solution", strings.Join(append([]string{"answer"}, path...), "."), short(value), short(right))}
		}
		return nil
	}
	for _, m := range form.Members {
		v, _ := value.Get(m.Key)
		faults = append(faults, o.wrongFigures(m.Value, v, append(path[:len(path):len(path)], m.Key)...)...)
	}
	return faults
}

func short(n *json.Node) string {
	text := n.Text
	if n.Kind == 0 {
		text = "not there"
	}
	if n.Kind == '"' {
		text = `"` + text + `"`
	}
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// sameJSON reports whether two values are equal. Members that are 0, false, null or empty
// may be missing, and numbers may have another notation.
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
	if a.Kind == '{' || a.Kind == '[' || b.Kind == '{' || b.Kind == '[' {
		return false
	}
	return plain(a.Text) == plain(b.Text) || near(a.Text, b.Text)
}

// near reports whether two numbers are equal up to truncation after their last decimal.
func near(a, b string) bool {
	x, err := strconv.ParseFloat(number(a), 64)
	y, also := strconv.ParseFloat(number(b), 64)
	return err == nil && also == nil && math.Abs(x-y) <= 1e-6*max(1, math.Abs(x))
}

// nothing reports whether a value is empty.
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

// plain formats a number without redundant characters.
func plain(text string) string {
	if strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// rounds reports whether short, a number with decimals, is exact rounded to as many
// decimals: 6.93 for 6.928203.
func rounds(exact, short string) bool {
	x, err := strconv.ParseFloat(exact, 64)
	_, decimals, some := strings.Cut(short, ".")
	return err == nil && some && !strings.ContainsAny(short, "eE") && strconv.FormatFloat(x, 'f', len(decimals), 64) == short
}

// better returns the objective value that an answer states, if it is better than the
// value of the solution and possible: if the solution is not proved optimal and its bound
// allows the value. Otherwise it returns "".
func (o *outcome) better(form, answer *json.Node) string {
	if o.aim == nil || answer == nil {
		return ""
	}
	if name, ok := reference(form); ok && name == "objective" && answer.Kind == '0' {
		said, err := strconv.ParseFloat(answer.Text, 64)
		found, also := strconv.ParseFloat(number(o.objective), 64)
		bound, bounded := strconv.ParseFloat(number(o.bound), 64)
		sign := 1.0
		if o.aim.Sense == "maximize" {
			sign = -1
		}
		if err == nil && also == nil && sign*(said-found) < 0 && (bounded != nil || sign*(said-bound) >= -1e-6*max(1, math.Abs(bound))) {
			return answer.Text
		}
		return ""
	}
	for _, m := range form.Members {
		if v, ok := answer.Get(m.Key); ok {
			if said := o.better(m.Value, v); said != "" {
				return said
			}
		}
	}
	return ""
}
