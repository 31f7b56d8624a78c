package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// Bounds of one check. Without them, a schema whose parts refer to each other could cause exponentially
// many checks.
const (
	maxCheckDepth = 128
	maxCheckWork  = 1 << 18
)

// mismatch is a part of a value that a schema does not allow. The path is relative to the value.
type mismatch struct {
	path, message string
	check         *readCheck // that the part fails
	value         *exact.Value
}

// checking is one check of a value.
type checking struct {
	*Checker
	show   func(string) string // quotes a name
	once   bool                // names of members have to differ
	work   int
	broken bool // a bound is exceeded; no part of the value counts as a match
}

// Check returns the first mismatch of arguments in JSON, as a sentence that continues "in the call": "arguments.q
// is missing", or "". show quotes a name.
func (c *Checker) Check(text string, show func(string) string) string {
	tree, fault := json.Tree(text)
	if fault != nil {
		return "the value of arguments is not JSON"
	}
	found := c.find(&checking{Checker: c, show: show}, tree)
	switch {
	case found == nil:
		return ""
	case found.path == "":
		return "the value of arguments " + found.message
	}
	return "arguments" + found.path + " " + found.message
}

// Validate checks the arguments of a call. The error is an [*Error].
func (c *Checker) Validate(arguments json.RawMessage) error {
	tree, fault := jsonfile.Read(string(arguments), "")
	if fault != nil {
		return &Error{Message: "arguments: are not JSON: " + fault.Message}
	}
	if found := c.find(&checking{Checker: c, show: quoted, once: true}, tree); found != nil {
		return &Error{Message: "arguments" + found.path + ": " + found.message + found.hint()}
	}
	return nil
}

func quoted(name string) string { return strconv.Quote(phrase.Shorten(name, 60)) }

func (c *Checker) find(run *checking, tree *json.Node) *mismatch {
	found := run.check(c.root, exact.Of(tree), 0)
	if run.broken {
		return &mismatch{message: tooComplex}
	}
	return found
}

const tooComplex = "is too complex to check"

// hint returns the help that only a live check has: the size of the value or the most similar name.
func (m *mismatch) hint() string {
	if m.check == nil {
		return ""
	}
	near := ""
	switch m.check.Op {
	case "properties":
		near = phrase.Nearest(m.value.Text(), m.check.Names)
	case "enum":
		var texts []string
		for _, value := range m.check.Values {
			if tree, _ := json.Tree(value); tree.Kind == '"' {
				texts = append(texts, tree.Text)
			}
		}
		near = phrase.Nearest(m.value.Text(), texts)
	case "minimum", "maximum", "above", "below", "multipleOf":
		return "; it is " + m.value.Number().String()
	case "minLength", "maxLength":
		return "; it has " + strconv.Itoa(utf8.RuneCountInString(m.value.Text()))
	case "minItems", "maxItems", "minProperties", "maxProperties":
		items, _ := m.value.Content()
		return "; it has " + strconv.Itoa(len(items))
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + quoted(near) + "?"
}

// stepTo returns the path of a member: .name for a plain name, else ["name"].
func stepTo(name string, show func(string) string) string {
	plain := func(c rune) bool {
		return c == '_' || c == '-' || c < utf8.RuneSelf && jsonfile.IsWord(byte(c)) && c != '+' && c != '.'
	}
	if name == "" || strings.IndexFunc(name, func(c rune) bool { return !plain(c) }) >= 0 {
		return "[" + show(name) + "]"
	}
	return "." + name
}

// check returns the first mismatch of a value, or nil.
func (c *checking) check(node int, v *exact.Value, depth int) *mismatch {
	if node < 0 {
		return nil
	}
	if c.work++; depth > maxCheckDepth || c.work > maxCheckWork {
		c.broken = true
	}
	switch {
	case c.broken:
		return &mismatch{message: tooComplex}
	case c.once && v.Repeats():
		return &mismatch{message: "has several members of the same name"}
	}
	for i := range c.nodes[node] {
		one := &c.nodes[node][i]
		if one.Op == "null" {
			if v.Kind() == exact.KindNull {
				return nil
			}
			continue
		}
		if found := c.one(one, v, depth); found != nil {
			return found
		}
	}
	return nil
}

// one returns the mismatch of one check of a node.
func (c *checking) one(one *readCheck, v *exact.Value, depth int) *mismatch {
	if message := one.simple(v, c.show); message != "" {
		return &mismatch{message: message, check: one, value: v}
	}
	var found *mismatch
	switch v.Kind() {
	case exact.KindObject:
		found = c.object(one, v, depth)
	case exact.KindList:
		found = c.list(one, v, depth)
	}
	if found == nil {
		found = c.combined(one, v, depth)
	}
	return found
}

var kindTypes = [...]string{"null", "boolean", "boolean", "number", "string", "array", "object"}

// typeNames are the types with their articles.
var typeNames = map[string]string{
	"null": "null", "boolean": "a boolean", "number": "a number", "integer": "an integer", "string": "a string", "array": "an array", "object": "an object",
}

// simple returns the mismatch of a check without parts.
func (c *readCheck) simple(v *exact.Value, show func(string) string) string {
	switch c.Op {
	case "never":
		return "is not allowed"
	case "type":
		return c.typed(v)
	case "enum":
		if !c.values[v.Identity()] {
			return "must be one of: " + c.listed(show)
		}
	case "minLength", "maxLength":
		if v.Kind() == exact.KindString {
			return c.counted(utf8.RuneCountInString(v.Text()), "characters")
		}
	case "minItems", "maxItems":
		if v.Kind() == exact.KindList {
			items, _ := v.Content()
			return c.counted(len(items), "items")
		}
	case "minProperties", "maxProperties":
		if v.Kind() == exact.KindObject {
			items, _ := v.Content()
			return c.counted(len(items), "properties")
		}
	case "minimum", "maximum", "above", "below", "multipleOf":
		if v.Kind() == exact.KindNumber {
			return c.bounded(v.Number())
		}
	case "pattern", "format":
		if v.Kind() == exact.KindString && !c.regexes[0].MatchString(v.Text()) {
			if c.Op == "format" {
				return "must have the format " + show(c.Value)
			}
			return "must match " + show(c.Value)
		}
	}
	return ""
}

func (c *readCheck) typed(v *exact.Value) string {
	got := kindTypes[v.Kind()]
	var names []string
	for _, name := range c.Names {
		if name == got || name == "integer" && got == "number" && v.Number().IsInteger() {
			return ""
		}
		names = append(names, typeNames[name])
	}
	return "is " + typeNames[got] + "; expected " + strings.Join(names, " or ")
}

// listed shows the values of an enumeration.
func (c *readCheck) listed(show func(string) string) string {
	return shortList(c.Values, func(text string) string {
		if tree, _ := json.Tree(text); tree.Kind == '"' {
			return show(tree.Text)
		}
		quoted := show(text)
		return quoted[1 : len(quoted)-1]
	})
}

func (c *readCheck) counted(n int, unit string) string {
	switch {
	case c.Op[:3] == "min" && n < c.Count:
		return "has fewer than " + strconv.Itoa(c.Count) + " " + unit
	case c.Op[:3] == "max" && n > c.Count:
		return "has more than " + strconv.Itoa(c.Count) + " " + unit
	}
	return ""
}

func (c *readCheck) bounded(n exact.Decimal) string {
	order := n.Compare(c.number)
	switch {
	case c.Op == "minimum" && order < 0:
		return "must be at least " + c.Value
	case c.Op == "maximum" && order > 0:
		return "must be at most " + c.Value
	case c.Op == "above" && order <= 0:
		return "must be more than " + c.Value
	case c.Op == "below" && order >= 0:
		return "must be less than " + c.Value
	case c.Op == "multipleOf" && !n.IsMultiple(c.number):
		return "must be a multiple of " + c.Value
	}
	return ""
}

// object returns the mismatch of a check of an object.
func (c *checking) object(one *readCheck, v *exact.Value, depth int) *mismatch {
	items, names := v.Content()
	switch one.Op {
	case "required", "dependent":
		if one.Op == "dependent" && !slices.Contains(names, one.Value) {
			return nil
		}
		for _, name := range one.Names {
			if _, has := slices.BinarySearch(names, name); !has {
				return &mismatch{path: stepTo(name, c.show), message: "is missing"}
			}
		}
	case "dependentSchema":
		if slices.Contains(names, one.Value) {
			return c.check(one.Kids[0], v, depth+1)
		}
	case "propertyNames":
		for _, name := range names {
			if found := c.check(one.Kids[0], exact.OfText(name), depth+1); found != nil {
				found.path, found.message = stepTo(name, c.show), "has a name that "+found.message
				return found
			}
		}
	case "properties":
		for i, name := range names {
			if found := c.member(one, name, items[i], depth); found != nil {
				found.path = stepTo(name, c.show) + found.path
				return found
			}
		}
	}
	return nil
}

// member checks a member of an object by the schemas of its name and of the patterns that match the name, or
// else by that of the other members.
func (c *checking) member(one *readCheck, name string, item *exact.Value, depth int) *mismatch {
	known := false
	if k, has := one.index[name]; has {
		known = true
		if found := c.check(one.Kids[k], item, depth+1); found != nil {
			return found
		}
	}
	for k, pattern := range one.regexes {
		if pattern.MatchString(name) {
			known = true
			if found := c.check(one.Kids[len(one.Names)+k], item, depth+1); found != nil {
				return found
			}
		}
	}
	if known {
		return nil
	}
	other := one.Kids[len(one.Kids)-1]
	found := c.check(other, item, depth+1)
	if found != nil && len(one.Names) > 0 && len(c.nodes[other]) > 0 && c.nodes[other][0].Op == "never" {
		found.message, found.check, found.value = "is unknown; expected: "+shortList(one.Names, c.show), one, exact.OfText(name)
	}
	return found
}

// maxListed bounds the elements that a message lists.
const maxListed = 8

// shortList shows the first elements of a list, and the number of the others.
func shortList(list []string, show func(string) string) string {
	var out []string
	for i, text := range list {
		if i == maxListed {
			out = append(out, strconv.Itoa(len(list)-i)+" more")
			break
		}
		out = append(out, show(text))
	}
	return strings.Join(out, ", ")
}

// list returns the mismatch of a check of a list.
func (c *checking) list(one *readCheck, v *exact.Value, depth int) *mismatch {
	items, _ := v.Content()
	switch one.Op {
	case "items":
		last := len(one.Kids) - 1
		for i, item := range items {
			if found := c.check(one.Kids[min(i, last)], item, depth+1); found != nil {
				found.path = "[" + strconv.Itoa(i) + "]" + found.path
				return found
			}
		}
	case "contains", "maxContains":
		fits := 0
		for _, item := range items {
			if c.check(one.Kids[0], item, depth+1) == nil {
				fits++
			}
		}
		if one.Op == "contains" && fits < one.Count {
			return &mismatch{message: "has fewer than " + strconv.Itoa(one.Count) + " suitable items"}
		}
		if one.Op == "maxContains" && fits > one.Count {
			return &mismatch{message: "has more than " + strconv.Itoa(one.Count) + " suitable items"}
		}
	case "unique":
		seen := map[string]bool{}
		for i, item := range items {
			if seen[item.Identity()] {
				return &mismatch{path: "[" + strconv.Itoa(i) + "]", message: "is a duplicate"}
			}
			seen[item.Identity()] = true
		}
	}
	return nil
}

// combined returns the mismatch of a check that combines schemas of the same value.
func (c *checking) combined(one *readCheck, v *exact.Value, depth int) *mismatch {
	switch one.Op {
	case "all":
		for _, kid := range one.Kids {
			if found := c.check(kid, v, depth+1); found != nil {
				return found
			}
		}
	case "any", "one":
		return c.alternatives(one, v, depth)
	case "not":
		if c.check(one.Kids[0], v, depth+1) == nil {
			return &mismatch{message: "matches an excluded schema"}
		}
	case "if":
		branch := one.Kids[1]
		if c.check(one.Kids[0], v, depth+1) != nil {
			branch = one.Kids[2]
		}
		return c.check(branch, v, depth+1)
	}
	return nil
}

func (c *checking) alternatives(one *readCheck, v *exact.Value, depth int) *mismatch {
	var first *mismatch
	fits, n := 0, strconv.Itoa(len(one.Kids))
	for _, kid := range one.Kids {
		found := c.check(kid, v, depth+1)
		if found == nil {
			if fits++; one.Op == "any" {
				return nil
			}
		} else if first == nil {
			first = found
		}
	}
	switch {
	case fits == 0 && len(one.Kids) == 1:
		return first
	case fits == 0:
		first.path, first.message = "", "matches none of "+n+" alternatives; in the first one, value"+first.path+" "+first.message
		return first
	case fits > 1:
		return &mismatch{message: "matches " + strconv.Itoa(fits) + " alternatives; expected one"}
	}
	return nil
}
