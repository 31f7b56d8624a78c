package cedar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// scope has the values of the variables of "exists", as marks, literals or terms.
type scope map[string]string

// with returns a copy of the scope in which a variable has the given value.
func (s scope) with(name, value string) scope {
	out := scope{name: value}
	for k, v := range s {
		if k != name {
			out[k] = v
		}
	}
	return out
}

// The precedences of formulas, loosest first.
const (
	looseAnd = iota
	looseSince
	prefix
	tight
)

// past translates a temporal condition at the call that is judged.
func (c *carrier) past(p *past, s scope) verdict {
	switch p.op {
	case pastAnd:
		return c.pasts(p.kids, s)
	case pastNot:
		return c.past(p.kids[0], s).not()
	case pastExists:
		rest, inner := c.bind(p, s)
		if inner[p.binder] != c.variable(p.binder) {
			return c.pasts(rest, inner) // the variable stands for a value
		}
		c.quantified++
		out := c.pasts(rest, inner)
		c.quantified--
		out.no = negation(out.yes) // for no value, which is more than for some value not
		return out
	}
	text, level := c.pastText(p, s)
	yes := formula(text)
	yes.loose = level < prefix
	out := verdict{yes: yes, no: negation(yes), total: true}
	if p.op != pastCompare || !strings.Contains(text, "count[") && !strings.Contains(text, "sum[") {
		return out
	}
	// An aggregate over no event is a number, too. If the condition needs an argument that is
	// missing, a permit does not apply and a forbid does.
	for i, key := range strings.Split(text, mark) {
		if i%2 == 0 || key != agentKey && !strings.HasPrefix(key, argumentKey) {
			continue
		}
		if c.quantified > 0 {
			c.refuse(p.span, `an aggregate within "exists" depends on an argument of the call`)
		}
		if there := pattern(key, "_"); c.permit {
			out.no = and(there, out.no)
		} else {
			out.yes, out.no = or(out.yes, negation(there)), or(out.no, negation(there))
		}
	}
	return out
}

func (c *carrier) pasts(list []*past, s scope) verdict {
	out := known(true)
	for _, k := range list {
		out = out.and(c.past(k, s))
	}
	return out
}

// bind adds the variable of "exists" to a scope. If an equality defines the variable, the conditions
// are returned without it, and the variable stands for its value.
func (c *carrier) bind(p *past, s scope) ([]*past, scope) {
	rest := flatten(p.kids[0])
	if !bound(p.kids[0], p.binder) {
		for i, k := range rest {
			if k.op != pastCompare || k.text != "==" {
				continue
			}
			for side, t := range k.terms {
				if other := k.terms[1-side]; other.op == termVariable && other.text == p.binder {
					return slices.Delete(rest, i, i+1), s.with(p.binder, c.term(t, s))
				}
			}
		}
	}
	c.exists++
	return rest, s.with(p.binder, c.variable(p.binder))
}

// variable returns the mark of the variable that was added last.
func (c *carrier) variable(name string) string {
	return marked("x" + name + "#" + strconv.Itoa(c.exists))
}

// flatten returns the parts of a conjunction.
func flatten(p *past) (out []*past) {
	if p.op != pastAnd {
		return []*past{p}
	}
	for _, k := range p.kids {
		out = append(out, flatten(k)...)
	}
	return out
}

// bound reports whether an event of a condition has a field with a variable.
func bound(p *past, name string) bool {
	if slices.ContainsFunc(p.args, func(a arg) bool { return a.term.op == termVariable && a.term.text == name }) {
		return true
	}
	return slices.ContainsFunc(p.kids, func(k *past) bool { return bound(k, name) })
}

func wrap(text string, level, least int) string {
	if level < least {
		return "(" + text + ")"
	}
	return text
}

// pastText translates a temporal condition at any event and returns its precedence.
func (c *carrier) pastText(p *past, s scope) (string, int) {
	if c.parts++; c.parts > maxParts {
		c.refuse(p.span, "the condition is too large")
	}
	kid := func(i, least int) string {
		text, level := c.pastText(p.kids[i], s)
		return wrap(text, level, least)
	}
	switch p.op {
	case pastAnd:
		return c.conjunction(p.kids, s, p.span)
	case pastNot:
		if p.kids[0].op == pastNot {
			return c.pastText(p.kids[0].kids[0], s)
		}
		least := prefix
		if p.kids[0].op == pastCompare {
			least = tight + 1
		}
		return "!" + kid(0, least), prefix
	case pastFormerly:
		return "once[" + p.window + "] " + kid(0, prefix), prefix
	case pastPrevious:
		c.previous = true
		return "previous[" + p.window + "] " + kid(0, prefix), prefix
	case pastSince:
		return kid(0, prefix) + " since[" + p.window + "] " + kid(1, prefix), looseSince
	case pastEvent:
		return c.event(p, s), tight
	case pastCompare:
		return c.pastComparison(p, s)
	case pastExists:
		rest, inner := c.bind(p, s)
		return c.conjunction(rest, inner, p.span)
	}
	c.refuse(p.span, `"tp" is supported only in an aggregate`)
	return "", 0
}

func (c *carrier) conjunction(list []*past, s scope, span source.Span) (string, int) {
	if len(list) == 0 {
		c.refuse(span, "the condition always holds")
	}
	if len(list) == 1 {
		return c.pastText(list[0], s)
	}
	out := make([]string, len(list))
	for i, k := range list {
		text, level := c.pastText(k, s)
		out[i] = wrap(text, level, looseAnd)
	}
	return strings.Join(out, " & "), looseAnd
}

func (c *carrier) pastComparison(p *past, s scope) (string, int) {
	left, right := c.term(p.terms[0], s), c.term(p.terms[1], s)
	for _, t := range p.terms {
		if t.op == termAny {
			c.refuse(t.span, "a wildcard has no value to compare")
		}
	}
	switch p.text {
	case "==":
		return left + " = " + right, tight
	case "!=":
		return left + " != " + right, tight
	}
	text := left + " " + p.text + " " + right
	if isMark(left) && isMark(right) {
		// Dogwood compares integers only; rules compare strings, too.
		return text + " & " + left + " < " + left + " + 1", looseAnd
	}
	return text, tight
}

func isMark(text string) bool {
	return strings.Count(text, mark) == 2 && strings.HasPrefix(text, mark) && strings.HasSuffix(text, mark)
}

// event translates the predicate of an event.
func (c *carrier) event(p *past, s scope) string {
	suffix := map[string]string{"request": "", "response": ".result", "error": ".error"}
	kind, ok := suffix[p.kind]
	if !ok {
		c.refuse(p.span, `unsupported event kind "`+p.kind+`" (expected request, response or error)`)
	}
	if p.kind == "response" {
		c.answered[p.action] = true
	}
	var fields []string
	for _, a := range p.args {
		if f := c.field(p.kind, a, s); f != "" {
			fields = append(fields, f)
		}
	}
	return toolName(p.action) + kind + "(" + strings.Join(fields, ", ") + ")"
}

// field translates a field of an event; "" for one that every event of a session has.
func (c *carrier) field(kind string, a arg, s scope) string {
	name, t := a.path[0], a.term
	is := func(variable string) bool { return t.op == termScope && t.text == variable && len(t.path) == 0 }
	switch name {
	case "callerPrincipal", "eventPrincipal":
		c.agents = true
		if is("principal") {
			return "@agent: " + marked(agentKey)
		}
		return "@agent: " + c.term(t, s)
	case "callerResource", "eventResource":
		if t.op == termAny || is("resource") {
			return "" // the rules judge the calls of one resource
		}
	case "requestId", "sessionId":
		if t.op == termAny {
			return ""
		}
	case "input", "output":
		if len(a.path) == 1 || name == "output" && kind != "response" || t.op == termCount || t.op == termSum {
			break
		}
		path := a.path
		if name == "output" || kind == "request" {
			path = path[1:]
		}
		return segments(path) + ": " + c.term(t, s)
	}
	c.refuse(a.span, `the field "`+strings.Join(a.path, ".")+`" with this value is not supported by rules`)
	return ""
}

func (c *carrier) term(t *term, s scope) string {
	switch t.op {
	case termInt:
		if n, err := strconv.ParseInt(t.text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
		c.refuse(t.span, "the number has more than 64 bits")
	case termString:
		return quote(t.text)
	case termBool:
		return t.text
	case termAny:
		return "_"
	case termContext:
		if path := c.strip(t.path, t.span); len(path) > 0 {
			return marked(argument(path))
		}
	case termVariable:
		if value := s[t.text]; value != "" {
			return value
		}
		c.refuse(t.span, `unknown variable "`+t.text+`"`)
	case termCount, termSum:
		return c.aggregate(t, s)
	}
	c.refuse(t.span, "the value is not part of a call")
	return ""
}

// aggregate translates the aggregates over the events of a window.
func (c *carrier) aggregate(t *term, s scope) string {
	body := t.body
	if body.op != pastFormerly {
		c.refuse(t.span, `only aggregates whose condition is "formerly within" are imported`)
	}
	var point string
	var names []string
	for _, b := range t.binders {
		if b.point {
			point = b.name
			continue
		}
		c.exists++
		names = append(names, b.name)
		s = s.with(b.name, c.variable(b.name))
	}
	parts := flatten(body.kids[0])
	rest := slices.DeleteFunc(slices.Clone(parts), func(p *past) bool { return p.op == pastPoint && p.binder == point })
	events := 0
	for _, p := range rest {
		if p.op == pastEvent {
			events++
		}
	}
	if point != "" && len(rest) == len(parts) || events != 1 {
		c.refuse(t.span, "only aggregates with one event per timepoint are imported")
	}
	operand, level := c.conjunction(rest, s, body.span)
	operand = wrap(operand, level, tight)
	window := "[" + body.window + "]"
	switch {
	case t.op == termCount && point != "":
		return "count" + window + " " + operand
	case t.op == termCount && len(names) == 1:
		return "count" + window + " distinct " + s[names[0]] + " for " + operand
	case t.op == termSum && point != "" && len(names) == 1 && names[0] == t.text:
		return "sum" + window + " " + s[t.text] + " for " + operand
	}
	c.refuse(t.span, "the aggregate is not supported by rules (expected a count of timepoints or of one value, or a sum over a value and its timepoint)")
	return ""
}
