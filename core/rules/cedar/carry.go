package cedar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// maxParts bounds the nodes of a policy: an error in Cedar's evaluation doubles conditions.
const maxParts = 20_000

// refusal is the reason why a policy is not imported; methods of a carrier panic with it.
type refusal struct {
	span   source.Span
	reason string
}

// carrier translates the conditions of a policy for the calls of a tool.
type carrier struct {
	*importer
	permit     bool
	tool       string // or anyTool
	parts      int
	exists     int // numbers the variables of "exists" and of aggregates
	quantified int // the variables of "exists" around a condition
	reads      []reading
	tested     map[string]bool // arguments after "has"
}

// reading is an argument that a condition reads.
type reading struct {
	key  string
	span source.Span
}

func (c *carrier) refuse(span source.Span, reason string) {
	panic(refusal{span, reason})
}

// verdict translates a Boolean expression.
func (c *carrier) verdict(e *expr) verdict {
	if c.parts++; c.parts > maxParts {
		c.refuse(e.span, "the condition is too large")
	}
	switch e.op {
	case opTrue, opFalse:
		return known(e.op == opTrue)
	case opNot:
		return c.verdict(e.kids[0]).not()
	case opAnd:
		return c.verdict(e.kids[0]).and(c.verdict(e.kids[1]))
	case opOr:
		return c.verdict(e.kids[0]).or(c.verdict(e.kids[1]))
	case opIf:
		v, yes, no := c.verdict(e.kids[0]), c.verdict(e.kids[1]), c.verdict(e.kids[2])
		return verdict{
			yes: or(and(v.yes, yes.yes), and(v.no, no.yes)), no: or(and(v.yes, yes.no), and(v.no, no.no)),
			total: v.total && yes.total && no.total,
		}
	case opCompare:
		return c.comparison(e)
	case opHas:
		return c.has(e)
	case opLike:
		return c.like(e)
	case opIs:
		return c.is(e)
	case opIn:
		return c.in(e)
	case opMethod:
		return c.method(e)
	case opPast:
		return c.past(e.past, nil)
	case opInt, opString, opList, opRecord, opEntity, opArith, opNegate:
		return verdict{yes: never, no: never} // no Boolean, so Cedar reports an error
	case opAttr:
		key := c.read(e)
		return verdict{yes: pattern(key, "true"), no: pattern(key, "false")}
	}
	c.refuse(e.span, c.unknown(e))
	return verdict{}
}

// unknown returns the message for an expression that rules do not support.
func (c *carrier) unknown(e *expr) string {
	switch e.op {
	case opAttr:
		for e.op == opAttr {
			e = e.kids[0]
		}
		if e.op == opVar {
			return "attributes of the " + e.text + " are not part of a call"
		}
	case opCall:
		return `"` + e.text + `" is a function of an extension type or of an information provider`
	case opMethod:
		return `the method "` + e.text + `" is not supported by rules`
	case opRecord:
		return "records are not supported by rules"
	case opEntity:
		return "entities other than the principal, the action and the resource are not supported by rules"
	case opSlot:
		return `"` + e.text + `" is a slot of a template; link the template first`
	case opVar:
		return `"` + e.text + `" is not compared with an entity`
	}
	return "the expression is not supported by rules"
}

// path returns the path of an attribute of the context, and whether the expression is one.
func path(e *expr) ([]string, bool) {
	var out []string
	for ; e.op == opAttr; e = e.kids[0] {
		out = append(out, e.text)
	}
	slices.Reverse(out)
	return out, e.op == opVar && e.text == "context"
}

// strip returns the path of the argument that a path of the context denotes.
func (c *carrier) strip(path []string, span source.Span) []string {
	if !c.input {
		return path
	}
	if len(path) == 0 || path[0] != "input" {
		c.refuse(span, `"context.`+strings.Join(path, ".")+`" is not an argument of the call (context.input has the arguments)`)
	}
	return path[1:]
}

// argument returns the key of the argument that an expression reads, or "".
func (c *carrier) argument(e *expr) string {
	p, ok := path(e)
	if !ok || len(p) == 0 {
		return ""
	}
	if p = c.strip(p, e.span); len(p) == 0 {
		return ""
	}
	key := argument(p)
	c.reads = append(c.reads, reading{key, e.span})
	return key
}

// read is argument, and refuses other expressions.
func (c *carrier) read(e *expr) string {
	key := c.argument(e)
	if key == "" {
		c.refuse(e.span, c.unknown(e))
	}
	return key
}

func (c *carrier) has(e *expr) verdict {
	base, ok := path(e.kids[0])
	if !ok {
		c.refuse(e.span, `"has" is imported for the context only`)
	}
	full := slices.Concat(base, e.names)
	if c.input && len(full) == 1 && full[0] == "input" {
		return known(true)
	}
	if c.input && len(base) == 0 && len(full) > 1 && full[0] == "input" {
		e.names = e.names[1:]
	}
	inner := c.strip(full, e.span)
	outer := inner[:len(inner)-len(e.names)]
	key := argument(inner)
	c.tested[key] = true
	there := pattern(key, "_")
	out := verdict{yes: there, no: negation(there), total: len(inner) == 1}
	// Cedar reports an error if an outer value is there and no record. Rules cannot test for a record.
	switch {
	case len(inner) == 1:
	case len(outer) == 0 && c.permit:
		out.no = negation(pattern(argument(inner[:1]), "_"))
	case c.permit:
		out.no = never
	case len(outer) > 0:
		out.no = and(pattern(argument(outer), "_"), out.no)
	}
	return out
}

func (c *carrier) like(e *expr) verdict {
	key := c.read(e.kids[0])
	matches := pattern(key, "~ "+quotePattern("(?s)^"+e.text+"$"))
	return verdict{yes: matches, no: and(pattern(key, `~ ""`), negation(matches))}
}

func (c *carrier) is(e *expr) verdict {
	switch v := e.kids[0]; {
	case v.op == opVar && v.text == "principal":
		c.agents = true
		matches := pattern(agentKey, "~ "+quotePattern("^"+e.text+`::"`))
		return verdict{yes: matches, no: negation(matches), total: true}
	case v.op == opVar && v.text == "resource" && c.resource != nil:
		return known(c.resource.text == e.text)
	}
	c.refuse(e.span, `the type of this value is not known`)
	return verdict{}
}

func (c *carrier) in(e *expr) verdict {
	left, right := e.kids[0], e.kids[1]
	list := []*expr{right}
	if right.op == opList {
		list = right.kids
	}
	switch {
	case left.op != opVar || left.text == "context":
		c.refuse(e.span, `"in" needs the entity hierarchy, which is not part of a call`)
	case left.text != "action" || right.op != opList:
		// The hierarchy matters unless the only known entity is meant.
		if left.text == "resource" && c.resource != nil && slices.ContainsFunc(list, c.resource.same) {
			return known(true)
		}
		c.refuse(e.span, `"`+left.text+` in" needs the entity hierarchy, which is not part of a call`)
	}
	out := known(false)
	for _, one := range list {
		out = out.or(c.action(one))
		for _, member := range c.groups[one.names[0]] {
			out = out.or(c.action(&expr{op: opEntity, names: []string{member}}))
		}
		if !c.permit && c.groups == nil {
			c.warn("cedar.group", one.span, `"`+one.names[0]+`" is read as the name of a tool; if it is a group, this forbid does not cover its members`)
		}
	}
	return out
}

// same reports whether two expressions are the same entity.
func (e *expr) same(f *expr) bool {
	return e.op == opEntity && f.op == opEntity && e.text == f.text && e.names[0] == f.names[0]
}

// action translates action == e.
func (c *carrier) action(e *expr) verdict {
	if e.op != opEntity {
		c.refuse(e.span, c.unknown(e))
	}
	if c.tool != anyTool {
		return known(c.tool == e.names[0])
	}
	is := formula(toolName(e.names[0]) + "()")
	is.loose = false
	return verdict{yes: is, no: negation(is), total: true}
}

// literal returns the value of a literal as rules write it.
func literal(e *expr) (string, bool) {
	switch e.op {
	case opTrue:
		return "true", true
	case opFalse:
		return "false", true
	case opString:
		return quote(e.text), true
	case opInt:
		n, err := strconv.ParseInt(e.text, 10, 64)
		return strconv.FormatInt(n, 10), err == nil
	}
	return "", false
}

func (c *carrier) comparison(e *expr) verdict {
	left, right := e.kids[0], e.kids[1]
	switch e.text {
	case "!=":
		return c.equal(e, left, right).not()
	case "==":
		return c.equal(e, left, right)
	}
	return c.order(e.text, c.number(left), c.number(right))
}

func (c *carrier) equal(e, left, right *expr) verdict {
	if right.op == opVar || right.op == opAttr && left.op != opAttr {
		left, right = right, left
	}
	if left.op == opVar {
		return c.scope(e, left, right)
	}
	if isNumber(left) || isNumber(right) {
		return c.order("==", c.number(left), c.number(right))
	}
	a, known1 := literal(left)
	b, known2 := literal(right)
	switch {
	case known1 && known2:
		return known(a == b)
	case left.op == opAttr && known2:
		key := c.read(left)
		return verdict{yes: pattern(key, b), no: pattern(key, "!= "+b)}
	case left.op == opAttr && right.op == opAttr:
		return c.same(c.read(left), c.read(right))
	case isBoolean(left) && isBoolean(right):
		v, w := c.verdict(left), c.verdict(right)
		return verdict{yes: or(and(v.yes, w.yes), and(v.no, w.no)), no: or(and(v.yes, w.no), and(v.no, w.yes)), total: v.total && w.total}
	}
	for _, side := range []*expr{right, left} {
		if side.op != opAttr {
			c.refuse(side.span, c.unknown(side))
		}
	}
	return verdict{}
}

// isNumber reports whether an expression is arithmetic.
func isNumber(e *expr) bool { return e.op == opArith || e.op == opNegate }

// isBoolean reports whether the value of an expression is certainly a Boolean.
func isBoolean(e *expr) bool {
	return slices.Contains([]op{opTrue, opFalse, opNot, opAnd, opOr, opCompare, opHas, opLike, opIs, opIn, opPast}, e.op)
}

// scope translates the comparison of principal, action or resource with an entity.
func (c *carrier) scope(e, left, right *expr) verdict {
	if right.op != opEntity {
		c.refuse(right.span, c.unknown(right))
	}
	switch left.text {
	case "principal":
		c.agents = true
		name := quote(right.text + "::" + quote(right.names[0]))
		return verdict{yes: pattern(agentKey, name), no: pattern(agentKey, "!= "+name), total: true}
	case "action":
		return c.action(right)
	case "resource":
		if c.resource == nil {
			c.refuse(e.span, "the policies name several resources; import those of one resource")
		}
		return known(c.resource.same(right))
	}
	c.refuse(e.span, c.unknown(left))
	return verdict{}
}

// same translates the equality of two arguments. Rules compare lists in their order, Cedar as sets:
// if the values can be lists, a permit does not apply and a forbid does.
func (c *carrier) same(a, b string) verdict {
	out := verdict{yes: formula(marked(a) + " = " + marked(b)), no: formula(marked(a) + " != " + marked(b))}
	if a == b {
		return verdict{yes: pattern(a, "_"), no: never}
	}
	if c.permit {
		out.no = and(out.no, or(scalar(a), scalar(b)))
	} else {
		out.yes = or(out.yes, and(pattern(a, "_"), pattern(b, "_"), negation(scalar(a)), negation(scalar(b))))
	}
	return out
}

// scalar holds if an argument is a string, a Boolean or a number.
func scalar(key string) *node {
	return or(pattern(key, `~ ""`), pattern(key, "in (true, false)"), numeric(key))
}

func numeric(key string) *node { return formula(marked(key) + " < " + marked(key) + " + 1") }

// method translates the methods of sets.
func (c *carrier) method(e *expr) verdict {
	self, args := e.kids[0], e.kids[1:]
	if len(args) != 1 || e.text != "contains" && e.text != "containsAll" && e.text != "containsAny" {
		c.refuse(e.span, c.unknown(e))
	}
	if self.op == opList && e.text == "contains" {
		values := c.literals(self.kids)
		key := c.read(args[0])
		if len(values) == 0 {
			return verdict{yes: never, no: pattern(key, "_")}
		}
		among := pattern(key, "in ("+strings.Join(values, ", ")+")")
		return verdict{yes: among, no: and(pattern(key, "_"), negation(among))}
	}
	list := args
	if e.text != "contains" {
		if args[0].op != opList {
			c.refuse(args[0].span, "the set is not a list of literals")
		}
		list = args[0].kids
	}
	values := c.literals(list)
	key := c.read(self)
	var each []*node
	for _, v := range values {
		each = append(each, pattern(key, "has "+v))
	}
	yes := and(each...)
	if e.text == "containsAny" {
		yes = or(each...)
	}
	// Cedar reports an error unless the argument is a set. Rules cannot test for a list.
	out := verdict{yes: and(pattern(key, "_"), yes), no: and(pattern(key, "_"), negation(scalar(key)), negation(yes))}
	if c.permit {
		if out.no = never; len(each) == 0 {
			out.yes = never
		}
	}
	return out
}

func (c *carrier) literals(list []*expr) (out []string) {
	for _, e := range list {
		v, ok := literal(e)
		if !ok {
			c.refuse(e.span, "the set is not a list of strings, numbers and Booleans")
		}
		out = append(out, v)
	}
	return out
}
