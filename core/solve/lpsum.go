package solve

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// sum reads a sum of terms and reports whether it is valid. Only an objective may contain
// squares.
func (c *lpChecker) sum(objective bool) bool {
	for !c.over() { // a sign is required before each term but the first
		switch c.term(objective) {
		case lpTermFaulty:
			return false
		case lpTermInfinite:
			return true
		}
		if c.peek().kind != lpSign {
			return c.sumEnds()
		}
	}
	return true
}

// sumEnds reports whether a sum ends here: on this line, no further term follows.
func (c *lpChecker) sumEnds() bool {
	n := c.peek()
	if (n.kind == lpNumber || n.kind == lpWord && !c.labels()) && !c.newline(n) {
		c.found.report(n.span, "lp.term", "expected + or - between the terms of a sum")
		return false
	}
	return true
}

type lpTermResult uint8

const (
	lpTermRead     lpTermResult = iota
	lpTermInfinite              // infinity, which ends a sum
	lpTermFaulty                // a reported fault
)

// term reads signs, an optional number, and a variable or the bracketed squares of an
// objective.
func (c *lpChecker) term(objective bool) lpTermResult {
	for c.peek().kind == lpSign {
		c.next()
	}
	number := c.coefficient()
	t := c.peek()
	switch {
	case t.kind == lpWord && !c.labels():
		c.next()
		if isInfinity(t.text) {
			return lpTermInfinite
		}
		c.variable(t)
		return c.single()
	case c.other("[") && objective:
		c.squares()
	case c.other("/") && number:
		c.found.report(t.span, "lp.term", "unexpected fraction; write decimals")
		return lpTermFaulty
	case t.kind == lpOther:
		c.found.report(t.span, "lp.term", "%q: %s", t.text, misplaced(t.text))
		return lpTermFaulty
	case !number:
		c.found.report(t.span, "lp.form", "expected a number or a variable")
		return lpTermFaulty
	}
	return lpTermRead
}

// coefficient reads a number, if one follows. It reports a * after the number.
func (c *lpChecker) coefficient() bool {
	if c.peek().kind != lpNumber {
		return false
	}
	c.next()
	if t := c.peek(); c.other("*") {
		c.found.report(t.span, "lp.term", "unexpected *; write 3 x")
		c.next()
	}
	return true
}

// single reports a product or a power after a variable.
func (c *lpChecker) single() lpTermResult {
	n := c.peek()
	if n.kind == lpWord && !c.labels() && !c.newline(n) || c.other("*") || c.other("^") {
		c.found.report(n.span, "lp.term", "unexpected product of variables; a term is a number and one variable")
		return lpTermFaulty
	}
	return lpTermRead
}

// misplaced explains a character that cannot begin a term.
func misplaced(character string) string {
	switch character {
	case "(", ")":
		return "unexpected parenthesis; expand the product"
	case "[":
		return "unexpected squares; only an objective may contain them"
	}
	return "unexpected character"
}

// newline reports whether a token, not the first of the text, begins a line.
func (c *lpChecker) newline(t lpToken) bool {
	return strings.IndexByte(c.file.Text[c.tokens[c.at-1].span.End:t.span.Start], '\n') >= 0
}

// squares reads [ 2 x ^ 2 - 3 x * y ] / 2. It reports the first fault between the brackets.
func (c *lpChecker) squares() {
	open := c.next()
	for fault := false; !c.other("]"); {
		switch {
		case c.over():
			if !fault {
				c.found.report(open.span, "lp.term", "unclosed [; write [ 2 x ^ 2 ] / 2")
			}
			return
		case fault:
			c.next()
		default:
			fault = !c.square()
		}
	}
	end := c.next()
	if c.other("/") && c.tokens[c.at+1].text == "2" {
		c.next()
		c.next()
		return
	}
	c.found.add(source.Diagnostic{Code: "lp.term", Span: end.span, Message: "missing / 2 after the squares; write [ 2 x ^ 2 ] / 2",
		Fixes: []source.Fix{{Title: "Write ] / 2", Edits: []source.Edit{{Span: end.span, Text: "] / 2"}}}}})
}

// square reads a term of squares, x ^ 2 or x * y with signs and a number before it, and the
// sign before the next term. It reports whether the term is valid.
func (c *lpChecker) square() bool {
	for c.peek().kind == lpSign {
		c.next()
	}
	if c.peek().kind == lpNumber {
		c.next()
	}
	if c.peek().kind != lpWord {
		c.found.report(c.peek().span, "lp.term", "expected a term like 2 x ^ 2 or 3 x * y")
		return false
	}
	c.variable(c.next())
	switch {
	case c.other("*") && c.tokens[c.at+1].kind == lpWord:
		c.next()
		c.variable(c.next())
	case c.other("^") && c.tokens[c.at+1].text == "2":
		c.next()
		c.next()
	default:
		c.found.report(c.peek().span, "lp.term", "expected ^ 2 or * and a variable")
		return false
	}
	if t := c.peek(); t.kind != lpSign && !c.other("]") && !c.over() {
		c.found.report(t.span, "lp.term", "expected + or - between the terms of a sum")
		return false
	}
	return true
}

// other reports whether the next token is a given character.
func (c *lpChecker) other(character string) bool {
	return c.peek().kind == lpOther && c.peek().text == character
}

// variable adds a variable of the objective or of a constraint.
func (c *lpChecker) variable(t lpToken) {
	if word := strings.ToLower(t.text); lpSections[word] != "" || word == "free" || word == "subject" || word == "such" {
		c.found.report(t.span, "lp.name", "reserved word %q; rename the variable", t.text)
	}
	if _, ok := c.index[t.text]; !ok {
		c.index[t.text] = len(c.p.Names)
		c.p.Names = append(c.p.Names, Name{Name: t.text, Sort: "Real", Span: t.span})
	}
}

// known reports a variable that neither a constraint nor the objective uses.
func (c *lpChecker) known(t lpToken) (int, bool) {
	i, ok := c.index[t.text]
	if ok {
		return i, true
	}
	if c.names == nil && len(c.p.Names) <= 2_000 {
		for _, n := range c.p.Names {
			c.names = append(c.names, n.Name)
		}
	}
	d := source.Diagnostic{Code: "lp.undeclared", Span: t.span, Message: fmt.Sprintf("unused variable %q: no constraint and no objective contains it", t.text)}
	if near := source.Nearest(t.text, c.names); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: t.span, Text: near}}}}
	}
	c.found.add(d)
	return 0, false
}
