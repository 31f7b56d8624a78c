package strips

import (
	"slices"
	"strings"
)

// either begins the name of a union of types, "(either a b)".
const either = "(either"

// alternatives returns the names in a union of types, or the name itself.
func alternatives(name string) []string {
	if names, union := strings.CutPrefix(name, either); union {
		return strings.Fields(strings.TrimSuffix(names, ")"))
	}
	return []string{name}
}

// isA reports whether the type name is wanted or a subtype of wanted. A union is a
// subtype if all its alternatives are subtypes.
func (d *Domain) isA(name, wanted string) bool {
	if strings.HasPrefix(name, either) || strings.HasPrefix(wanted, either) {
		for _, name := range alternatives(name) {
			if !slices.ContainsFunc(alternatives(wanted), func(wanted string) bool { return d.isA(name, wanted) }) {
				return false
			}
		}
		return true
	}
	types := []string{name} // and its supertypes
	for i := 0; i < len(types); i++ {
		if types[i] == wanted || wanted == Object {
			return true
		}
		for _, t := range d.Types {
			if t.Name == types[i] {
				for _, parent := range alternatives(t.Parent) {
					if !contains(types, parent) {
						types = append(types, parent)
					}
				}
			}
		}
	}
	return false
}

// meet reports whether an object may be of both types.
func (d *Domain) meet(one, other string) bool {
	return slices.ContainsFunc(d.Types, func(t Type) bool { return d.isA(t.Name, one) && d.isA(t.Name, other) })
}

func (d *Domain) hasType(name string) bool {
	return slices.ContainsFunc(d.Types, func(t Type) bool { return t.Name == name })
}

// mergeTypes declares the types that are used only as supertypes, and moves the supertype of a
// type that was declared without one before to the first declaration: "area - object area - surface".
func (d *Domain) mergeTypes() {
	first := map[string]int{}
	types := d.Types[:0:0]
	for _, t := range d.Types {
		if i, again := first[t.Name]; again && types[i].Parent == Object && t.Parent != Object {
			types[i].Parent = t.Parent
			continue
		} else if !again {
			first[t.Name] = len(types)
		}
		types = append(types, t)
	}
	for _, t := range types {
		for _, parent := range alternatives(t.Parent) {
			if _, known := first[parent]; parent != Object && !known {
				first[parent] = len(types)
				types = append(types, Type{Name: parent, Parent: Object, Span: t.Span})
			}
		}
	}
	d.Types = types
}

// cyclicTypes returns the types that are their own ancestors, and the types between two of these.
func cyclicTypes(types []Type) map[string]bool {
	var up, down [][2]string
	for _, t := range types {
		for _, parent := range alternatives(t.Parent) {
			if t.Name != Object && parent != Object {
				up = append(up, [2]string{t.Name, parent})
			}
		}
	}
	for _, e := range endless(up) {
		down = append(down, [2]string{e[1], e[0]})
	}
	cyclic := map[string]bool{}
	for _, e := range endless(down) {
		cyclic[e[0]], cyclic[e[1]] = true, true
	}
	return cyclic
}

// endless returns the edges from which a path continues without end.
func endless(edges [][2]string) (out [][2]string) {
	next, into := map[string]int{}, map[string][]string{}
	for _, e := range edges {
		next[e[0]]++
		into[e[1]] = append(into[e[1]], e[0])
	}
	var ends []string
	for _, e := range edges {
		if _, leads := next[e[1]]; !leads {
			next[e[1]] = 0
			ends = append(ends, e[1])
		}
	}
	for len(ends) > 0 {
		last := ends[len(ends)-1]
		ends = ends[:len(ends)-1]
		for _, name := range into[last] {
			if next[name]--; next[name] == 0 {
				ends = append(ends, name)
			}
		}
	}
	for _, e := range edges {
		if next[e[0]] > 0 && next[e[1]] > 0 {
			out = append(out, e)
		}
	}
	return out
}
