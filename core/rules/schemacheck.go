package rules

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
)

// Bounds of one check. Without them, a schema whose parts refer to each other could cause exponentially
// many checks.
const (
	maxCheckDepth = 128
	maxCheckWork  = 1 << 18
)

// mismatch is a part of a value that a schema does not allow. The path is relative to the value.
type mismatch struct{ path, message string }

// checking is one check of a value.
type checking struct {
	*Checker
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
	run := &checking{Checker: c}
	found := run.check(c.root, valueOf(tree), 0, show)
	switch {
	case run.broken:
		return "the value of arguments is too complex to check"
	case found == nil:
		return ""
	case found.path == "":
		return "the value of arguments " + found.message
	}
	return "arguments" + found.path + " " + found.message
}

// stepTo returns the path of a member.
func stepTo(name string, show func(string) string) string {
	for i := range len(name) {
		if c := name[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' {
			return "[" + show(name) + "]"
		}
	}
	if name == "" {
		return "[" + show(name) + "]"
	}
	return "." + name
}

// check returns the first mismatch of a value, or nil.
func (c *checking) check(node int, v *Value, depth int, show func(string) string) *mismatch {
	if node < 0 {
		return nil
	}
	if c.work++; depth > maxCheckDepth || c.work > maxCheckWork {
		c.broken = true
	}
	if c.broken {
		return &mismatch{"", "is too complex to check"}
	}
	for i := range c.nodes[node] {
		one := &c.nodes[node][i]
		if one.Op == "null" {
			if v.kind == KindNull {
				return nil
			}
			continue
		}
		var found *mismatch
		if message := one.simple(v, show); message != "" {
			found = &mismatch{"", message}
		} else if v.kind == KindObject {
			found = c.object(one, v, depth, show)
		} else if v.kind == KindList {
			found = c.list(one, v, depth, show)
		}
		if found == nil {
			found = c.combined(one, v, depth, show)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

var kindTypes = [...]string{"null", "boolean", "boolean", "number", "string", "array", "object"}

// typeNames are the types with their articles.
var typeNames = map[string]string{
	"null": "null", "boolean": "a boolean", "number": "a number", "integer": "an integer", "string": "a string", "array": "an array", "object": "an object",
}

// simple returns the mismatch of a check without parts.
func (c *readCheck) simple(v *Value, show func(string) string) string {
	switch c.Op {
	case "never":
		return "is not allowed"
	case "type":
		return c.typed(v)
	case "enum":
		if !c.values[v.identity()] {
			return "has to be one of: " + c.listed(show)
		}
	case "minLength", "maxLength":
		if v.kind == KindString {
			return c.counted(utf8.RuneCountInString(v.text()), "characters")
		}
	case "minItems", "maxItems":
		if v.kind == KindList {
			items, _ := v.content()
			return c.counted(len(items), "items")
		}
	case "minProperties", "maxProperties":
		if v.kind == KindObject {
			items, _ := v.content()
			return c.counted(len(items), "properties")
		}
	case "minimum", "maximum", "above", "below", "multipleOf":
		if v.kind == KindNumber {
			return c.bounded(v.number)
		}
	case "pattern", "format":
		if v.kind == KindString && !c.regexes[0].MatchString(v.text()) {
			if c.Op == "format" {
				return "has to have the format " + show(c.Value)
			}
			return "has to match " + show(c.Value)
		}
	}
	return ""
}

func (c *readCheck) typed(v *Value) string {
	got := kindTypes[v.kind]
	var names []string
	for _, name := range c.Names {
		if name == got || name == "integer" && got == "number" && v.number.integer() {
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

func (c *readCheck) bounded(n Decimal) string {
	order := n.compare(c.number)
	switch {
	case c.Op == "minimum" && order < 0:
		return "has to be at least " + c.Value
	case c.Op == "maximum" && order > 0:
		return "has to be at most " + c.Value
	case c.Op == "above" && order <= 0:
		return "has to be more than " + c.Value
	case c.Op == "below" && order >= 0:
		return "has to be less than " + c.Value
	case c.Op == "multipleOf" && !n.multipleOf(c.number):
		return "has to be a multiple of " + c.Value
	}
	return ""
}

// multipleOf reports whether d is a whole multiple of step, which is positive. Exponents of any size are
// powers modulo the digits of step.
func (d Decimal) multipleOf(step Decimal) bool {
	if d.digits == "" {
		return true
	}
	power := new(big.Int).Sub(d.exponent(), big.NewInt(int64(len(d.digits))))
	power.Sub(power, big.NewInt(step.lead-int64(len(step.digits))))
	if power.Sign() < 0 { // the last digit of d is not 0
		return false
	}
	n, _ := new(big.Int).SetString(d.digits, 10)
	m, _ := new(big.Int).SetString(step.digits, 10)
	n.Mod(n, m)
	for base, i := big.NewInt(10), 0; i < power.BitLen(); i++ { // math/big's Exp would add 30 kB to the module
		if power.Bit(i) == 1 {
			n.Mod(n.Mul(n, base), m)
		}
		base.Mod(base.Mul(base, base), m)
	}
	return n.Sign() == 0
}

// object returns the mismatch of a check of an object.
func (c *checking) object(one *readCheck, v *Value, depth int, show func(string) string) *mismatch {
	items, names := v.content()
	switch one.Op {
	case "required", "dependent":
		if one.Op == "dependent" && !slices.Contains(names, one.Value) {
			return nil
		}
		for _, name := range one.Names {
			if _, has := slices.BinarySearch(names, name); !has {
				return &mismatch{stepTo(name, show), "is missing"}
			}
		}
	case "dependentSchema":
		if slices.Contains(names, one.Value) {
			return c.check(one.Kids[0], v, depth+1, show)
		}
	case "propertyNames":
		for _, name := range names {
			if found := c.check(one.Kids[0], stringValue(name), depth+1, show); found != nil {
				return &mismatch{stepTo(name, show), "has a name that " + found.message}
			}
		}
	case "properties":
		for i, name := range names {
			if found := c.member(one, name, items[i], depth, show); found != nil {
				return &mismatch{stepTo(name, show) + found.path, found.message}
			}
		}
	}
	return nil
}

// member checks a member of an object by the schemas of its name and of the patterns that match the name, or
// else by that of the other members.
func (c *checking) member(one *readCheck, name string, item *Value, depth int, show func(string) string) *mismatch {
	known := false
	if k, has := one.index[name]; has {
		known = true
		if found := c.check(one.Kids[k], item, depth+1, show); found != nil {
			return found
		}
	}
	for k, pattern := range one.regexes {
		if pattern.MatchString(name) {
			known = true
			if found := c.check(one.Kids[len(one.Names)+k], item, depth+1, show); found != nil {
				return found
			}
		}
	}
	if known {
		return nil
	}
	other := one.Kids[len(one.Kids)-1]
	found := c.check(other, item, depth+1, show)
	if found != nil && len(one.Names) > 0 && c.nodes[other][0].Op == "never" {
		found.message = "is unknown; expected: " + shortList(one.Names, show)
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
func (c *checking) list(one *readCheck, v *Value, depth int, show func(string) string) *mismatch {
	items, _ := v.content()
	switch one.Op {
	case "items":
		last := len(one.Kids) - 1
		for i, item := range items {
			if found := c.check(one.Kids[min(i, last)], item, depth+1, show); found != nil {
				return &mismatch{"[" + strconv.Itoa(i) + "]" + found.path, found.message}
			}
		}
	case "contains", "maxContains":
		fits := 0
		for _, item := range items {
			if c.check(one.Kids[0], item, depth+1, show) == nil {
				fits++
			}
		}
		if one.Op == "contains" && fits < one.Count {
			return &mismatch{"", "has fewer than " + strconv.Itoa(one.Count) + " suitable items"}
		}
		if one.Op == "maxContains" && fits > one.Count {
			return &mismatch{"", "has more than " + strconv.Itoa(one.Count) + " suitable items"}
		}
	case "unique":
		seen := map[string]bool{}
		for i, item := range items {
			if seen[item.identity()] {
				return &mismatch{"[" + strconv.Itoa(i) + "]", "is a duplicate"}
			}
			seen[item.identity()] = true
		}
	}
	return nil
}

// combined returns the mismatch of a check that combines schemas of the same value.
func (c *checking) combined(one *readCheck, v *Value, depth int, show func(string) string) *mismatch {
	switch one.Op {
	case "all":
		for _, kid := range one.Kids {
			if found := c.check(kid, v, depth+1, show); found != nil {
				return found
			}
		}
	case "any", "one":
		return c.alternatives(one, v, depth, show)
	case "not":
		if c.check(one.Kids[0], v, depth+1, show) == nil {
			return &mismatch{"", "matches an excluded schema"}
		}
	case "if":
		branch := one.Kids[1]
		if c.check(one.Kids[0], v, depth+1, show) != nil {
			branch = one.Kids[2]
		}
		return c.check(branch, v, depth+1, show)
	}
	return nil
}

func (c *checking) alternatives(one *readCheck, v *Value, depth int, show func(string) string) *mismatch {
	var first *mismatch
	fits, n := 0, strconv.Itoa(len(one.Kids))
	for _, kid := range one.Kids {
		found := c.check(kid, v, depth+1, show)
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
		return &mismatch{"", "matches none of " + n + " alternatives; in the first one, value" + first.path + " " + first.message}
	case fits > 1:
		return &mismatch{"", "matches " + strconv.Itoa(fits) + " alternatives; expected one"}
	}
	return nil
}
