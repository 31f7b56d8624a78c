package solve

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// want reports a term of an unexpected sort. An Int is accepted for a Real.
func (c *smtChecker) want(t *term, sort string) {
	got := c.sortOf(t)
	c.fits(t, got, sort, "here")
}

func (c *smtChecker) fits(t *term, got, sort, where string) {
	switch {
	case got == "" || sort == "" || got == sort || got == "Int" && sort == "Real":
	case got == "Real" && sort == "Int":
		c.found.warn(t.blame(), "smt.rounded", "expected an Int %s, got a Real, which the solver would round down; write (to_int …) for that", where)
	case got == "Bool" && numeric(sort):
		c.found.report(t.blame(), "smt.mismatch", "expected %s %s, got a Bool; convert it with (ite … 1 0)", ofSort(sort), where)
	default:
		c.found.report(t.blame(), "smt.mismatch", "expected %s %s, got sort %s", ofSort(sort), where, got)
	}
}

func ofSort(sort string) string {
	switch sort {
	case "Bool":
		return "a Bool"
	case "Int", "Real":
		return "a number"
	}
	return "a " + sort
}

// sortOf returns the sort of a term, "" if it is unknown, and reports the faults in the
// term.
func (c *smtChecker) sortOf(t *term) string {
	if c.err == nil {
		c.err = c.meter.Step(2)
	}
	if c.err != nil {
		return ""
	}
	switch t.kind {
	case termSymbol, termList:
	default:
		c.beyond = true
	}
	switch t.kind {
	case termNumeral:
		return "Int"
	case termDecimal:
		return "Real"
	case termString:
		return "String"
	case termBits:
		if strings.HasPrefix(t.text, "#b") {
			return bits(len(t.text) - 2)
		}
		return bits(4 * (len(t.text) - 2))
	case termKeyword:
		c.found.report(t.span, "smt.form", "unexpected %s outside of (! term …)", t.text)
		return ""
	case termSymbol:
		return c.apply(t, t, nil)
	}
	if len(t.items) == 0 {
		c.found.report(t.span, "smt.form", "expected a term, got ()")
		return ""
	}
	first := &t.items[0]
	switch first.kind {
	case termSymbol:
		switch first.text {
		case "let":
			return c.let(t)
		}
		switch first.text {
		case "forall", "exists", "lambda", "!", "_", "as", "match":
			c.beyond = true
		}
		switch first.text {
		case "forall", "exists", "lambda":
			return c.quantified(t)
		case "!":
			return c.annotated(t)
		case "_":
			return c.index(t, nil)
		case "as":
			return c.ascribed(t)
		case "match":
			return c.match(t)
		}
		return c.apply(t, first, t.items[1:])
	case termList:
		c.beyond = true
		if first.head() == "_" {
			return c.index(first, t.items[1:])
		}
		if first.head() == "as" {
			result := c.ascribed(first)
			for i := range t.items[1:] {
				c.sortOf(&t.items[1+i])
			}
			return result
		}
	}
	c.found.report(first.blame(), "smt.form", "expected a function's name, as in (+ x 1); parentheses do not group")
	for i := range t.items {
		c.sortOf(&t.items[i])
	}
	return ""
}

func (c *smtChecker) sortsOf(args []term) []string {
	sorts := make([]string, len(args))
	for i := range args {
		sorts[i] = c.sortOf(&args[i])
	}
	return sorts
}

// apply returns the sort of a name applied to arguments.
func (c *smtChecker) apply(t, name *term, args []term) string {
	if bound := c.locals[name.text]; len(bound) > 0 && len(args) == 0 {
		return bound[len(bound)-1]
	}
	if f, ok := c.funs[name.text]; ok {
		sorts := c.sortsOf(args)
		if len(args) != len(f.params) {
			c.wrongCount(name, f, len(args))
			return f.result
		}
		for i := range args {
			c.fits(&args[i], sorts[i], f.params[i], "as argument "+strconv.Itoa(i+1)+" of "+name.text)
		}
		return f.result
	}
	op, ok := operators[name.text]
	c.beyond = c.beyond || !connective(name.text)
	if !ok {
		c.sortsOf(args)
		if vagueTheory(name.text) {
			return c.vague(name.text)
		}
		if _, named := c.named[name.text]; named && len(args) == 0 {
			return "Bool"
		}
		c.undeclared(name, len(args) > 0)
		return ""
	}
	if !c.takes(name.span, name.text, args, op.least, op.most) {
		c.sortsOf(args)
		return op.result()
	}
	return c.operate(name, op, args, c.sortsOf(args))
}

func (c *smtChecker) wrongCount(name *term, f *funDef, n int) {
	note := []source.Note{{Span: f.span, Message: "the declaration"}}
	message := fmt.Sprintf("%s takes %d arguments, got %d", name.text, len(f.params), n)
	if len(f.params) == 0 {
		message = fmt.Sprintf("unexpected arguments of the constant %s", name.text)
	} else if len(f.params) == 1 {
		message = fmt.Sprintf("%s takes one argument, got %d", name.text, n)
	}
	c.found.add(source.Diagnostic{Code: "smt.arity", Span: name.span, Message: message, Notes: note})
}

func (c *smtChecker) undeclared(name *term, applied bool) {
	var candidates []string
	if len(c.funs) <= 2_000 { // comparing with more names takes longer than the hint is worth
		for n := range c.funs {
			candidates = append(candidates, n)
		}
		for n := range c.locals {
			candidates = append(candidates, n)
		}
		if applied {
			for n := range operators {
				candidates = append(candidates, n)
			}
		}
		sort.Strings(candidates)
	}
	what := "constant"
	if applied {
		what = "function"
	}
	d := name.unknown("smt.undeclared", what, candidates)
	if common, ok := map[string]string{"==": "=", "!=": "distinct", "<>": "distinct", "&&": "and", "||": "or", "->": "=>", "%": "mod", "True": "true", "False": "false", "AND": "and", "OR": "or", "NOT": "not"}[name.text]; ok {
		d.Message = fmt.Sprintf("unknown %s %q; did you mean %s?", what, name.text, common)
		d.Fixes = []source.Fix{{Title: "Write " + common, Edits: []source.Edit{{Span: name.span, Text: common}}}}
	}
	c.found.add(d)
}

// let reads (let ((x term) …) term). The names are not visible in the terms.
func (c *smtChecker) let(t *term) string {
	if !c.takes(t.items[0].span, "let", t.items[1:], 2, 2) || !c.list(&t.items[1], "the names with their terms") {
		return ""
	}
	var names, sorts []string
	for i := range t.items[1].items {
		b := &t.items[1].items[i]
		if b.kind != termList || len(b.items) != 2 || b.items[0].kind != termSymbol {
			c.found.report(b.span, "smt.form", "expected a binding (name term)")
			continue
		}
		names, sorts = append(names, b.items[0].text), append(sorts, c.sortOf(&b.items[1]))
	}
	c.bind(names, sorts)
	defer c.unbind(names)
	return c.sortOf(&t.items[2])
}

func (c *smtChecker) quantified(t *term) string {
	word := t.items[0].text
	if !c.takes(t.items[0].span, word, t.items[1:], 2, 2) || !c.list(&t.items[1], "the variables with their sorts") {
		return ""
	}
	var names, sorts []string
	for i := range t.items[1].items {
		b := &t.items[1].items[i]
		if b.kind != termList || len(b.items) != 2 || b.items[0].kind != termSymbol {
			c.found.report(b.span, "smt.form", "expected a variable (name Sort) of %s", word)
			continue
		}
		names, sorts = append(names, b.items[0].text), append(sorts, c.sort(&b.items[1]))
	}
	c.bind(names, sorts)
	defer c.unbind(names)
	if word == "lambda" {
		c.sortOf(&t.items[2])
		return ""
	}
	c.want(&t.items[2], "Bool")
	return "Bool"
}

// annotated reads (! term :named name …).
func (c *smtChecker) annotated(t *term) string {
	if !c.takes(t.items[0].span, "!", t.items[1:], 1, -1) {
		return ""
	}
	result := c.sortOf(&t.items[1])
	for i := 2; i < len(t.items); i++ {
		key := &t.items[i]
		if key.kind != termKeyword {
			c.found.report(key.span, "smt.form", "expected an annotation such as :named after the term")
			return result
		}
		if key.text != ":named" {
			if i+1 < len(t.items) && t.items[i+1].kind != termKeyword {
				i++
			}
			continue
		}
		if i+1 >= len(t.items) || t.items[i+1].kind != termSymbol {
			c.found.report(key.span, "smt.form", "expected a name after :named")
			return result
		}
		i++
		name := &t.items[i]
		if c.free(name) {
			c.named[name.text] = name.span
			c.current().funs = append(c.current().funs, name.text)
			c.p.Named = append(c.p.Named, Named{Name: name.text, Span: t.span})
		}
	}
	return result
}

// ascribed reads (as name Sort) and (as const (Array Int Int)).
func (c *smtChecker) ascribed(t *term) string {
	if !c.takes(t.items[0].span, "as", t.items[1:], 2, 2) {
		return ""
	}
	return c.sort(&t.items[2])
}

// match reads (match term ((pattern term) …)). The sorts of a pattern's variables are
// unknown.
func (c *smtChecker) match(t *term) string {
	if !c.takes(t.items[0].span, "match", t.items[1:], 2, 2) || !c.list(&t.items[2], "the cases") {
		return ""
	}
	c.sortOf(&t.items[1])
	result := ""
	for i := range t.items[2].items {
		one := &t.items[2].items[i]
		if one.kind != termList || len(one.items) != 2 {
			c.found.report(one.span, "smt.form", "expected a case (pattern term)")
			continue
		}
		var names []string
		pattern := &one.items[0]
		if pattern.kind == termList {
			for _, v := range pattern.items[min(1, len(pattern.items)):] {
				names = append(names, v.text)
			}
		} else if c.funs[pattern.text] == nil {
			names = append(names, pattern.text)
		}
		c.bind(names, make([]string, len(names)))
		if s := c.sortOf(&one.items[1]); result == "" {
			result = s
		}
		c.unbind(names)
	}
	return result
}
