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

// over reports whether a section ends at the next token.
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
		d := source.Diagnostic{Code: "lp.objective", Span: first.span, Message: "expected \"Minimize\" or \"Maximize\" and an objective; for any solution write \"Minimize obj: 0\""}
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

// constant reads a signed number, and reports whether it is a complete constant: whether
// no term of a sum follows on its line.
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
