package cedar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
)

// Marks of variables in the text of a node are keys between two mark characters. A key that begins
// with argumentKey is the path of an argument, agentKey is the principal, and any other key is a
// variable of "exists" or of an aggregate.
const (
	mark        = "\x00"
	argumentKey = "a"
	agentKey    = "p"
	separator   = "\x1f"
)

func argument(path []string) string { return argumentKey + strings.Join(path, separator) }

func marked(key string) string { return mark + key + mark }

// quote returns a text as a JSON string.
func quote(text string) string {
	out, _ := json.Marshal(text) // a string is always encodable
	return string(out)
}

// quotePattern returns a regular expression as rules write it.
func quotePattern(expression string) string {
	return `"` + strings.ReplaceAll(expression, `"`, `\"`) + `"`
}

// segments returns a path as rules write it.
func segments(path []string) string {
	out := make([]string, len(path))
	for i, s := range path {
		if out[i] = s; !rules.Plain(s) {
			out[i] = quote(s)
		}
	}
	return strings.Join(out, ".")
}

// anyTool is the name that denotes any tool. No string of Cedar's text is equal to it.
const anyTool = "\xff"

// toolName returns the name of a tool as rules write it.
func toolName(tool string) string {
	switch {
	case tool == anyTool:
		return "*"
	case rules.Plain(tool) && tool != "end" && tool != "message":
		return tool
	}
	return quote(tool)
}

// fieldOf returns the field that the key of an argument or the principal denotes.
func fieldOf(key string) string {
	if key == agentKey {
		return "@agent"
	}
	return segments(strings.Split(key[len(argumentKey):], separator))
}

// writer writes the formula of a rule.
type writer struct {
	tool string
	used map[string]bool // the names of variables
}

func newWriter(tool string) *writer { return &writer{tool: toolName(tool), used: map[string]bool{}} }

// variable returns a new variable for a key.
func (w *writer) variable(key string) string {
	base, _, _ := strings.Cut(key[1:], "#")
	switch {
	case key == agentKey:
		base = "agent"
	case strings.HasPrefix(key, argumentKey):
		base = key[max(strings.LastIndex(key, separator), 0)+1:]
	}
	var b strings.Builder
	for i := range len(base) {
		if isLetter(base[i]) || isDigit(base[i]) && b.Len() > 0 {
			b.WriteByte(base[i])
		}
	}
	name := b.String()
	if name == "" {
		name = "x"
	}
	for out, i := name, 2; ; i++ {
		if !w.used[out] {
			w.used[out] = true
			return "?" + out
		}
		out = name + strconv.Itoa(i)
	}
}

// disjunction writes the parts of a disjunction, one a line after the first.
func (w *writer) disjunction(n *node, names map[string]string, force bool, between string) string {
	parts := []*node{n}
	if n.op == nodeOr {
		parts = n.kids
	}
	out := make([]string, len(parts))
	for i, p := range parts {
		list := w.conjunction(p, names, force)
		out[i] = strings.Join(list, " & ")
	}
	return strings.Join(out, between)
}

// conjunction writes the parts of a conjunction. The first one binds the variables that the others
// share, so the scope of a variable is this conjunction.
func (w *writer) conjunction(n *node, outer map[string]string, force bool) []string {
	parts := []*node{n}
	switch n.op {
	case nodeAnd:
		parts = n.kids
	case nodeTrue:
		return []string{w.tool + "()"}
	case nodeFalse:
		return []string{"!" + w.tool + "()"}
	}
	names := map[string]string{}
	for key, name := range outer {
		names[key] = name
	}
	var patterns [][2]string
	for _, p := range parts {
		if p.op == nodePattern {
			patterns = append(patterns, [2]string{fieldOf(p.key), p.text})
		}
	}
	for _, p := range parts {
		if p.op != nodeText {
			continue
		}
		for i, key := range strings.Split(p.text, mark) {
			if i%2 == 0 || names[key] != "" {
				continue
			}
			names[key] = w.variable(key)
			if key == agentKey || strings.HasPrefix(key, argumentKey) {
				patterns = append(patterns, [2]string{fieldOf(key), names[key]})
			}
		}
	}
	out := w.atoms(patterns, force)
	for _, op := range []nodeOp{nodeText, nodeNot, nodeOr} {
		for _, p := range parts {
			if p.op == op {
				out = append(out, w.part(p, names, len(parts) > 1))
			}
		}
	}
	return out
}

// atoms writes the patterns of the call. An atom has a path once.
func (w *writer) atoms(patterns [][2]string, force bool) (out []string) {
	for len(patterns) > 0 {
		var atom []string
		var rest [][2]string
		seen := map[string]bool{}
		for _, p := range patterns {
			if seen[p[0]] {
				rest = append(rest, p)
			} else {
				seen[p[0]] = true
				atom = append(atom, p[0]+": "+p[1])
			}
		}
		out = append(out, w.tool+"("+strings.Join(atom, ", ")+")")
		patterns = rest
	}
	if len(out) == 0 && force {
		out = []string{w.tool + "()"}
	}
	return out
}

func (w *writer) part(p *node, names map[string]string, several bool) string {
	switch p.op {
	case nodeNot:
		kid := p.kids[0]
		text := w.disjunction(kid, names, false, " | ")
		if kid.op == nodePattern || kid.op == nodeText && !kid.loose && !strings.Contains(text, " & ") {
			return "!" + text
		}
		return "!(" + text + ")"
	case nodeOr:
		text := w.disjunction(p, names, false, " | ")
		if several {
			return "(" + text + ")"
		}
		return text
	}
	pieces := strings.Split(p.text, mark)
	for i := 1; i < len(pieces); i += 2 {
		pieces[i] = names[pieces[i]]
	}
	return strings.Join(pieces, "")
}

// ruleName returns a name for a rule that no other rule has.
func ruleName(used map[string]bool, parts ...string) string {
	name := []byte(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "-"))
	for i, c := range name {
		if !isLetter(c) && !isDigit(c) {
			name[i] = '-'
		}
	}
	base := strings.Trim(string(name), "-")
	if base == "" || !isLetter(base[0]) {
		base = "rule-" + base
	}
	for out, i := base, 2; ; i++ {
		if !used[out] {
			used[out] = true
			return out
		}
		out = base + "-" + strconv.Itoa(i)
	}
}
