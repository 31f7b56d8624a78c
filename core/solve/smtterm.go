//go:build !first

package solve

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// shape says how an operator is applied.
type shape uint8

const (
	shapeBool       shape = iota + 1 // arguments and result Bool
	shapeEqual                       // arguments of one sort, result Bool
	shapeCompare                     // numbers, result Bool
	shapeArithmetic                  // numbers, result Int if all are, else Real
	shapeReal                        // numbers, result Real
	shapeWhole                       // Int, result Int
	shapeBits                        // bits of one width, result the same
	shapeBitsBool                    // bits of one width, result Bool
	shapeOwn                         // see apply
	shapeVague                       // of theories that are let through: result is not told
)

// operator is what a text need not declare. Most -1 is any number of arguments.
type operator struct {
	shape       shape
	least, most int
}

var operators = map[string]operator{
	"true": {shapeBool, 0, 0}, "false": {shapeBool, 0, 0}, "not": {shapeBool, 1, 1}, "and": {shapeBool, 1, -1}, "or": {shapeBool, 1, -1},
	"xor": {shapeBool, 2, -1}, "=>": {shapeBool, 2, -1}, "=": {shapeEqual, 2, -1}, "distinct": {shapeEqual, 2, -1}, "ite": {shapeOwn, 3, 3},
	"+": {shapeArithmetic, 1, -1}, "-": {shapeArithmetic, 1, -1}, "*": {shapeArithmetic, 1, -1}, "^": {shapeArithmetic, 2, 2}, "abs": {shapeArithmetic, 1, 1},
	"/": {shapeReal, 2, -1}, "div": {shapeWhole, 2, -1}, "mod": {shapeWhole, 2, 2}, "rem": {shapeWhole, 2, 2},
	"<": {shapeCompare, 2, -1}, "<=": {shapeCompare, 2, -1}, ">": {shapeCompare, 2, -1}, ">=": {shapeCompare, 2, -1},
	"to_real": {shapeReal, 1, 1}, "to_int": {shapeOwn, 1, 1}, "is_int": {shapeCompare, 1, 1},
	"select": {shapeOwn, 2, -1}, "store": {shapeOwn, 3, -1}, "concat": {shapeOwn, 2, -1}, "bvcomp": {shapeOwn, 2, 2},
	"bv2nat": {shapeOwn, 1, 1}, "bv2int": {shapeOwn, 1, 1}, "ubv_to_int": {shapeOwn, 1, 1}, "sbv_to_int": {shapeOwn, 1, 1}, "str.len": {shapeOwn, 1, 1},
	"bvneg": {shapeBits, 1, 1}, "bvnot": {shapeBits, 1, 1},
	"bvand": {shapeBits, 2, -1}, "bvor": {shapeBits, 2, -1}, "bvxor": {shapeBits, 2, -1}, "bvnand": {shapeBits, 2, -1}, "bvnor": {shapeBits, 2, -1}, "bvxnor": {shapeBits, 2, -1},
	"bvadd": {shapeBits, 2, -1}, "bvmul": {shapeBits, 2, -1}, "bvsub": {shapeBits, 2, -1}, "bvudiv": {shapeBits, 2, -1}, "bvurem": {shapeBits, 2, -1},
	"bvsdiv": {shapeBits, 2, -1}, "bvsrem": {shapeBits, 2, -1}, "bvsmod": {shapeBits, 2, -1}, "bvshl": {shapeBits, 2, -1}, "bvlshr": {shapeBits, 2, -1}, "bvashr": {shapeBits, 2, -1},
	"bvult": {shapeBitsBool, 2, 2}, "bvule": {shapeBitsBool, 2, 2}, "bvugt": {shapeBitsBool, 2, 2}, "bvuge": {shapeBitsBool, 2, 2},
	"bvslt": {shapeBitsBool, 2, 2}, "bvsle": {shapeBitsBool, 2, 2}, "bvsgt": {shapeBitsBool, 2, 2}, "bvsge": {shapeBitsBool, 2, 2},
}

// indexed are operators with numbers in their names, as in (_ extract 7 0), with how
// many numbers; -1: any.
var indexed = map[string]int{
	"extract": 2, "zero_extend": 1, "sign_extend": 1, "rotate_left": 1, "rotate_right": 1, "repeat": 1, "int2bv": 1, "int_to_bv": 1, "divisible": 1,
	"at-most": 1, "at-least": 1, "pble": -1, "pbge": -1, "pbeq": -1, "is": 1, "to_fp": 2, "char": 1,
}

// vagueTheory reports whether a name is of a theory whose terms are let through as they
// are: texts, sequences, sets and floating-point numbers.
func vagueTheory(name string) bool {
	for _, beginning := range []string{"str.", "seq.", "re.", "fp.", "set.", "int.to.", "char."} {
		if strings.HasPrefix(name, beginning) {
			return true
		}
	}
	switch name {
	case "RNE", "RNA", "RTP", "RTN", "RTZ", "roundNearestTiesToEven", "fp", "map", "union", "intersection", "subset", "implies", "iff", "if", "array-ext":
		return true
	}
	return false
}

// connective reports whether an operator is one that makes propositions of propositions,
// as long as nothing in the text is of another sort.
func connective(name string) bool {
	switch name {
	case "true", "false", "not", "and", "or", "=>", "=", "ite", "xor":
		return true
	}
	return false
}

func isOperator(name string) bool {
	_, ok := operators[name]
	return ok || name == "let" || name == "forall" || name == "exists" || name == "!" || name == "_" || name == "as" || name == "match"
}

// want reports a term that is not of a sort. A whole number may stand for a real one.
func (c *smtChecker) want(t *term, sort string) {
	got := c.sortOf(t)
	c.fits(t, got, sort, "here")
}

func (c *smtChecker) fits(t *term, got, sort, where string) {
	switch {
	case got == "" || sort == "" || got == sort || got == "Int" && sort == "Real":
	case got == "Real" && sort == "Int":
		c.found.warn(t.blame(), "smt.rounded", "a whole number belongs %s, and this is of sort Real, which the solver rounds down; write (to_int …) if that is meant", where)
	case got == "Bool" && numeric(sort):
		c.found.report(t.blame(), "smt.mismatch", "%s belongs %s, and this is of sort Bool; a truth value counts as (ite … 1 0)", ofSort(sort), where)
	default:
		c.found.report(t.blame(), "smt.mismatch", "%s belongs %s, and this is of sort %s", ofSort(sort), where, got)
	}
}

func ofSort(sort string) string {
	switch sort {
	case "Bool":
		return "something true or false"
	case "Int", "Real":
		return "a number"
	}
	return "a " + sort
}

// sortOf returns the sort of a term, "" where it could not be told, and reports what is
// wrong in it.
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
		c.found.report(t.span, "smt.form", "%s stands behind a term that (! …) is about, nowhere else", t.text)
		return ""
	case termSymbol:
		return c.apply(t, t, nil)
	}
	if len(t.items) == 0 {
		c.found.report(t.span, "smt.form", "a term belongs here, and this is empty")
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
	c.found.report(first.blame(), "smt.form", "a term begins with a function's name, as in (+ x 1); parentheses are not for grouping")
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

// apply returns the sort of a name that is applied to arguments.
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

// vague is the sort of what a theory is let through with, as far as its name tells.
func (c *smtChecker) vague(name string) string {
	switch name {
	case "str.<", "str.<=", "str.prefixof", "str.suffixof", "str.contains", "str.in_re", "str.in.re", "str.is_digit", "fp.lt", "fp.leq", "fp.gt", "fp.geq", "fp.eq", "fp.isNaN", "implies", "iff":
		return "Bool"
	case "str.to_int", "str.to.int", "str.indexof", "str.to_code", "seq.len":
		return "Int"
	case "str.++", "str.at", "str.substr", "str.replace", "str.replace_all", "str.from_int", "str.from_code":
		return "String"
	}
	return ""
}

func (c *smtChecker) wrongCount(name *term, f *funDef, n int) {
	note := []source.Note{{Span: f.span, Message: "the declaration"}}
	message := fmt.Sprintf("%s takes %d arguments, and here are %d", name.text, len(f.params), n)
	if len(f.params) == 0 {
		message = fmt.Sprintf("%s is a constant and takes no arguments", name.text)
	} else if len(f.params) == 1 {
		message = fmt.Sprintf("%s takes one argument, and here are %d", name.text, n)
	}
	c.found.add(source.Diagnostic{Code: "smt.arity", Span: name.span, Message: message, Notes: note})
}

// undeclared reports a name that nothing declares.
func (c *smtChecker) undeclared(name *term, applied bool) {
	var candidates []string
	if len(c.funs) <= 2_000 { // to compare with more takes longer than the hint is worth
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
		d.Message = fmt.Sprintf("there is no %s %q; did you mean %s?", what, name.text, common)
		d.Fixes = []source.Fix{{Title: "Write " + common, Edits: []source.Edit{{Span: name.span, Text: common}}}}
	}
	c.found.add(d)
}

// result is the sort that an operator gives where its arguments do not tell.
func (o operator) result() string {
	switch o.shape {
	case shapeBool, shapeEqual, shapeCompare, shapeBitsBool:
		return "Bool"
	case shapeReal:
		return "Real"
	case shapeWhole:
		return "Int"
	}
	return ""
}

func (c *smtChecker) operate(name *term, op operator, args []term, sorts []string) string {
	where := "in (" + name.text + " …)"
	switch op.shape {
	case shapeBool:
		for i := range args {
			c.fits(&args[i], sorts[i], "Bool", where)
		}
	case shapeEqual:
		c.alike(name, args, sorts)
	case shapeCompare, shapeArithmetic, shapeReal:
		whole := true
		for i := range args {
			if sorts[i] != "" && !numeric(sorts[i]) {
				c.fits(&args[i], sorts[i], "Int", where)
			}
			whole = whole && sorts[i] == "Int"
		}
		if op.shape == shapeArithmetic {
			if whole {
				return "Int"
			}
			for _, s := range sorts {
				if s == "" {
					return ""
				}
			}
			return "Real"
		}
	case shapeWhole:
		for i := range args {
			c.fits(&args[i], sorts[i], "Int", where)
		}
	case shapeBits, shapeBitsBool:
		return c.bitwise(name, op, args, sorts)
	case shapeOwn:
		return c.own(name, args, sorts)
	}
	return op.result()
}

// alike reports arguments that are not of one sort.
func (c *smtChecker) alike(name *term, args []term, sorts []string) {
	first := -1
	for i, s := range sorts {
		switch {
		case s == "":
		case first < 0:
			first = i
		case s != sorts[first] && !(numeric(s) && numeric(sorts[first])):
			hint := ""
			if numeric(s) && sorts[first] == "Bool" || s == "Bool" && numeric(sorts[first]) {
				hint = "; a truth value counts as (ite … 1 0)"
			}
			c.found.report(args[i].blame(), "smt.mismatch", "(%s …) is about things of one sort, and this is of sort %s where the first is of sort %s%s", name.text, s, sorts[first], hint)
			return
		}
	}
}

func (c *smtChecker) bitwise(name *term, op operator, args []term, sorts []string) string {
	common := ""
	for i, s := range sorts {
		switch {
		case s == "":
		case width(s) == 0:
			c.found.report(args[i].blame(), "smt.mismatch", "(%s …) is about bits, and this is of sort %s", name.text, s)
		case common == "":
			common = s
		case s != common:
			c.found.report(args[i].blame(), "smt.mismatch", "(%s …) is about bits of one width, and these are %d where the first are %d", name.text, width(s), width(common))
		}
	}
	if op.shape == shapeBitsBool {
		return "Bool"
	}
	return common
}

// own returns the sort of what has a rule of its own.
func (c *smtChecker) own(name *term, args []term, sorts []string) string {
	switch name.text {
	case "ite":
		c.fits(&args[0], sorts[0], "Bool", "first in (ite …)")
		c.alike(name, args[1:], sorts[1:])
		if sorts[1] == "Int" && sorts[2] == "Real" || sorts[1] == "" {
			return sorts[2]
		}
		return sorts[1]
	case "to_int":
		c.fits(&args[0], sorts[0], "Real", "in (to_int …)")
		return "Int"
	case "select", "store":
		parts := c.parts[sorts[0]]
		if sorts[0] == "" {
			return ""
		}
		if !strings.HasPrefix(sorts[0], "(Array ") {
			c.found.report(args[0].blame(), "smt.mismatch", "(%s …) is about an array, and this is of sort %s", name.text, sorts[0])
			return ""
		}
		wanted := len(parts)
		if name.text == "store" {
			wanted++
		}
		if !c.takes(name.span, name.text+" of this array", args, wanted, wanted) {
			return ""
		}
		for i := 1; i < len(args); i++ {
			c.fits(&args[i], sorts[i], parts[i-1], "in ("+name.text+" …)")
		}
		if name.text == "store" {
			return sorts[0]
		}
		return parts[len(parts)-1]
	case "concat":
		n := 0
		for _, s := range sorts {
			if width(s) == 0 {
				return ""
			}
			n += width(s)
		}
		return bits(n)
	case "bvcomp":
		return bits(1)
	}
	return "Int" // bv2nat, str.len and the like
}

// index returns the sort of (_ name numbers…), applied to arguments.
func (c *smtChecker) index(t *term, args []term) string {
	sorts := c.sortsOf(args)
	if len(t.items) < 3 || t.items[1].kind != termSymbol {
		c.found.report(t.span, "smt.form", "(_ …) takes a name and numbers, as in (_ bv5 8)")
		return ""
	}
	name, numbers := &t.items[1], t.items[2:]
	if value, ok := strings.CutPrefix(name.text, "bv"); ok && only(value, digits) && value != "" {
		n, _ := strconv.Atoi(numbers[0].text)
		return bits(max(n, 1))
	}
	count, ok := indexed[name.text]
	if !ok {
		if vagueTheory(name.text) || name.text == "as-array" || name.text == "+oo" || name.text == "-oo" || name.text == "NaN" {
			return ""
		}
		var candidates []string
		for n := range indexed {
			candidates = append(candidates, n)
		}
		sort.Strings(candidates)
		c.found.add(name.unknown("smt.undeclared", "function with numbers", candidates))
		return ""
	}
	if count >= 0 && len(numbers) != count {
		c.found.report(name.span, "smt.arity", "(_ %s …) takes %d numbers, and here are %d", name.text, count, len(numbers))
		return ""
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(numbers[i].text)
		return n
	}
	of := 0
	if len(sorts) > 0 {
		of = width(sorts[0])
	}
	switch name.text {
	case "extract":
		if of > 0 && (number(0) >= of || number(1) > number(0)) {
			c.found.report(name.span, "smt.mismatch", "of %d bits (_ extract %d %d) takes some that are not there", of, number(0), number(1))
			return ""
		}
		return bits(number(0) - number(1) + 1)
	case "zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat":
		switch {
		case of == 0:
			return ""
		case name.text == "repeat":
			return bits(of * number(0))
		case strings.HasSuffix(name.text, "extend"):
			return bits(of + number(0))
		}
		return sorts[0]
	case "int2bv", "int_to_bv":
		return bits(max(number(0), 1))
	case "divisible":
		return "Bool"
	case "at-most", "at-least", "pble", "pbge", "pbeq":
		for i := range args {
			c.fits(&args[i], sorts[i], "Bool", "in (_ "+name.text+" …)")
		}
		return "Bool"
	case "is":
		if f, ok := c.funs[numbers[0].text]; !ok || !f.made {
			c.found.add(numbers[0].unknown("smt.undeclared", "constructor", nil))
		}
		return "Bool"
	}
	return ""
}

// let reads (let ((x term) …) term), whose terms do not see the names.
func (c *smtChecker) let(t *term) string {
	if !c.takes(t.items[0].span, "let", t.items[1:], 2, 2) || !c.list(&t.items[1], "the names with their terms") {
		return ""
	}
	var names, sorts []string
	for i := range t.items[1].items {
		b := &t.items[1].items[i]
		if b.kind != termList || len(b.items) != 2 || b.items[0].kind != termSymbol {
			c.found.report(b.span, "smt.form", "let binds by (name term)")
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
			c.found.report(b.span, "smt.form", "%s binds by (name Sort)", word)
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
			c.found.report(key.span, "smt.form", "behind the term come annotations such as :named")
			return result
		}
		if key.text != ":named" {
			if i+1 < len(t.items) && t.items[i+1].kind != termKeyword {
				i++
			}
			continue
		}
		if i+1 >= len(t.items) || t.items[i+1].kind != termSymbol {
			c.found.report(key.span, "smt.form", ":named takes a name")
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

// match reads (match term ((pattern term) …)); a variable of a pattern is of no sort
// that is told.
func (c *smtChecker) match(t *term) string {
	if !c.takes(t.items[0].span, "match", t.items[1:], 2, 2) || !c.list(&t.items[2], "the cases") {
		return ""
	}
	c.sortOf(&t.items[1])
	result := ""
	for i := range t.items[2].items {
		one := &t.items[2].items[i]
		if one.kind != termList || len(one.items) != 2 {
			c.found.report(one.span, "smt.form", "a case is written (pattern term)")
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
