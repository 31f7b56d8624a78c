package solve

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// lpChecker checks a text in the LP format of CPLEX as HiGHS reads it.
type lpChecker struct {
	file   *source.File
	tokens []lpToken
	at     int
	found  faults
	p      Problem
	index  map[string]int // index of a variable in p.Names
	rows   map[string]source.Span
	meter  *meter.Meter
	err    error
	names  []string // the variables of constraints and the objective, computed for the first fault that needs them
}

// checkLP checks an LP text.
func checkLP(file *source.File, m *meter.Meter) (Problem, []source.Diagnostic, error) {
	tokens, err := lpTokensWithin(file.Text, m)
	if err != nil {
		return Problem{}, nil, err
	}
	c := &lpChecker{file: file, tokens: tokens, meter: m, index: map[string]int{}, rows: map[string]source.Span{}}
	c.text()
	return c.p, c.found.list, c.err
}

func (c *lpChecker) peek() lpToken { return c.tokens[c.at] }

func (c *lpChecker) next() lpToken {
	t := c.tokens[c.at]
	if t.kind != lpEnd {
		c.at++
		if err := c.meter.Step(5); err != nil {
			c.at, c.err = len(c.tokens)-1, err // at the end, so that all loops end
		}
	}
	return t
}

// over reports whether a section ends here.
func (c *lpChecker) over() bool {
	k := c.peek().kind
	return k == lpEnd || k == lpSection || len(c.found.list) >= maxCollected
}

// lpOrder is the position of a section; a section must not follow one with a greater
// number.
var lpOrder = map[string]int{"minimize": 0, "maximize": 0, "subject to": 1, "bounds": 2, "general": 2, "binary": 2, "semi-continuous": 2, "sos": 2, "end": 3}

func (c *lpChecker) text() {
	first := c.peek()
	if first.kind != lpSection || lpOrder[first.text] != 0 {
		d := source.Diagnostic{Code: "lp.objective", Span: first.span, Message: "expected Minimize or Maximize and a sum; for any solution write Minimize and obj: 0"}
		if near := source.Nearest(strings.ToLower(first.text), []string{"minimize", "maximize"}); first.kind == lpWord && near != "" {
			d.Message = fmt.Sprintf("unknown section %q; did you mean %s?", first.text, near)
			c.at++
		}
		c.found.add(d)
		for !c.over() {
			c.next()
		}
	}
	seen := map[string]source.Span{}
	ended := false
	order := 0
	for len(c.found.list) < maxCollected {
		t := c.next()
		if t.kind == lpEnd {
			break
		}
		if ended {
			c.found.report(t.span, "lp.end", "unexpected text after End")
			return
		}
		if t.kind != lpSection {
			c.found.report(t.span, "lp.section", "expected a section")
			for !c.over() {
				c.next()
			}
			continue
		}
		if lpOrder[t.text] < order {
			c.found.report(t.span, "lp.section", "misplaced %s; the order is the objective, Subject To, Bounds and the kinds of variables, End", c.file.Slice(t.span))
		}
		order = max(order, lpOrder[t.text])
		kind := t.text
		if kind == "maximize" {
			kind = "minimize" // there is one objective
		}
		if before, ok := seen[kind]; ok && lpOrder[kind] < 2 {
			c.found.add(source.Diagnostic{Code: "lp.section", Span: t.span, Message: "duplicate section", Notes: []source.Note{{Span: before, Message: "the first"}}})
		}
		seen[kind] = t.span
		ended = t.text == "end"
		c.section(t)
	}
	if len(c.found.list) > 0 {
		return
	}
	if !ended {
		c.found.report(c.peek().span, "lp.end", "missing End")
	}
}

func (c *lpChecker) section(t lpToken) {
	switch t.text {
	case "minimize", "maximize":
		c.objective(t)
	case "subject to":
		for !c.over() {
			c.constraint()
		}
	case "bounds":
		for !c.over() {
			c.bound()
		}
	case "general", "binary", "semi-continuous":
		for !c.over() {
			w := c.next()
			if w.kind != lpWord {
				c.found.report(w.span, "lp.form", "expected names of variables")
				c.recover(w)
				continue
			}
			if i, ok := c.known(w); ok {
				c.p.Names[i].Sort = map[string]string{"general": "Int", "binary": "Bool", "semi-continuous": "Real"}[t.text]
			}
		}
	case "sos":
		c.found.report(t.span, "lp.sos", "unsupported special ordered sets; write them with binary variables")
		for !c.over() {
			c.next()
		}
	}
}

// recover skips the rest of a line with a fault.
func (c *lpChecker) recover(t lpToken) {
	end := source.LineEnd(c.file.Text, int(t.span.Start))
	for !c.over() && int(c.peek().span.Start) < end {
		c.next()
	}
}

func (c *lpChecker) objective(section lpToken) {
	o := Objective{Sense: section.text, Span: section.span}
	c.label()
	if c.over() {
		c.p.Objectives = append(c.p.Objectives, o)
		return
	}
	first := c.peek().span
	if c.sum(true) {
		o.Span = source.Span{Start: first.Start, End: c.tokens[c.at-1].span.End}
		o.Expression = strings.Join(strings.Fields(c.file.Slice(o.Span)), " ")
	}
	if t := c.peek(); !c.over() {
		c.found.report(t.span, "lp.form", "unexpected %s: the objective is only a sum", c.file.Slice(t.span))
		for !c.over() {
			c.next()
		}
	}
	c.p.Objectives = append(c.p.Objectives, o)
}

// label reads a name with a colon, if one follows.
func (c *lpChecker) label() (lpToken, bool) {
	if t := c.peek(); c.labels() {
		c.at += 2
		return t, true
	}
	return lpToken{}, false
}

// labels reports whether the next token is a name with a colon.
func (c *lpChecker) labels() bool {
	return c.peek().kind == lpWord && c.tokens[c.at+1].kind == lpColon
}

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

// lpTermResult is the result of reading a term.
type lpTermResult uint8

const (
	lpTermRead     lpTermResult = iota
	lpTermInfinite              // infinity, which ends a sum
	lpTermFaulty                // a reported fault
)

// term reads signs, a number, and a variable or the squares of an objective.
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

func (c *lpChecker) constraint() {
	begin := c.peek()
	name, labelled := c.label()
	if labelled {
		if before, ok := c.rows[name.text]; ok {
			c.found.add(source.Diagnostic{Code: "lp.redeclared", Span: name.span, Message: fmt.Sprintf("duplicate constraint %q", name.text),
				Notes: []source.Note{{Span: before, Message: "the first"}}})
		}
		c.rows[name.text] = name.span
	}
	fail := func() {
		for !c.over() {
			if c.labels() {
				return
			}
			if c.recover(c.next()); !c.over() {
				return
			}
		}
	}
	if begin.kind == lpOther || begin.kind == lpColon || begin.kind == lpRelation {
		c.found.report(begin.span, "lp.form", "expected a sum, then <=, >= or = and a number")
		c.next()
		fail()
		return
	}
	first := c.at
	if !c.sum(false) {
		fail()
		return
	}
	t := c.peek()
	if t.kind != lpRelation {
		c.found.report(t.span, "lp.relation", "expected <=, >= or = and a number")
		fail()
		return
	}
	constant := onlyNumber(c.tokens[first:c.at])
	c.relation()
	if at := c.peek().span; !c.constant() {
		c.found.report(at, "lp.right", "expected a number on the right; move the variables to the left, and split a constraint with two sides")
		fail()
		return
	}
	if constant {
		c.found.report(c.tokens[first].span, "lp.right", "missing variable; the variables belong on the left, the number on the right")
	}
	if n := c.peek(); n.kind == lpRelation {
		c.found.report(n.span, "lp.right", "unexpected second side; write two constraints")
		fail()
		return
	}
	c.p.Constraints++
	if labelled {
		c.p.Named = append(c.p.Named, Named{Name: name.text, Span: source.Span{Start: begin.span.Start, End: c.tokens[c.at-1].span.End}})
	}
}

func (c *lpChecker) relation() {
	if t := c.next(); t.text == "<" || t.text == ">" {
		c.found.add(source.Diagnostic{Code: "lp.strict", Span: t.span, Message: "no strict bounds in LP; write " + t.text + "=",
			Fixes: []source.Fix{{Title: "Write " + t.text + "=", Edits: []source.Edit{{Span: t.span, Text: t.text + "="}}}}})
	}
}

// onlyNumber reports whether a sum has no variable.
func onlyNumber(sum []lpToken) bool {
	for _, t := range sum {
		if t.kind == lpWord || t.kind == lpOther {
			return false
		}
	}
	return true
}

func isInfinity(word string) bool {
	word = strings.ToLower(word)
	return word == "inf" || word == "infinity" || word == "infinite"
}

// constant reads a signed number, and reports whether there is one that no sum continues.
func (c *lpChecker) constant() bool {
	for c.peek().kind == lpSign {
		c.next()
	}
	t := c.peek()
	if t.kind != lpNumber && (t.kind != lpWord || !isInfinity(t.text)) {
		return false
	}
	c.next()
	n := c.peek()
	if n.kind == lpSign {
		return c.newline(n)
	}
	return n.kind != lpWord || c.newline(n) || c.tokens[c.at+1].kind == lpColon
}

// bound reads one of: x free, x <= 3, 0 <= x <= 3, 0 <= x.
func (c *lpChecker) bound() {
	t := c.peek()
	fail := func(what string) {
		c.found.report(c.peek().span, "lp.form", "%s", what)
		c.recover(c.next())
	}
	left := false
	if t.kind == lpSign || t.kind == lpNumber || t.kind == lpWord && isInfinity(t.text) {
		c.constant()
		if c.peek().kind != lpRelation {
			fail("expected a bound such as 0 <= x <= 3, x >= 1, x = 2 or x free")
			return
		}
		c.relation()
		left = true
	}
	if t = c.peek(); t.kind != lpWord {
		fail("expected a variable")
		return
	}
	c.next()
	c.known(t)
	n := c.peek()
	switch {
	case n.kind == lpWord && strings.EqualFold(n.text, "free") && !left:
		c.next()
	case n.kind == lpRelation:
		c.relation()
		if !c.constant() {
			fail("expected a number; a bound has one variable")
		}
	case !left:
		fail("expected a bound such as 0 <= x <= 3, x >= 1, x = 2 or x free")
	}
}
