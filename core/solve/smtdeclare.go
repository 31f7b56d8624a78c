package solve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// sortDef is a declared sort. An alias has a body.
type sortDef struct {
	arity  int
	params []string
	body   *term
	span   source.Span
}

// funDef is a declared function or constant.
type funDef struct {
	params []string
	result string
	span   source.Span
	made   bool // a constructor of a datatype
}

// smtScope is the state that a push saves and a pop restores.
type smtScope struct {
	funs, sorts []string
	objectives  int // before the push
}

// current returns the innermost scope.
func (c *smtChecker) current() *smtScope { return &c.scopes[len(c.scopes)-1] }

func (c *smtChecker) pushPop(at source.Span, name string, args []term) {
	n := 1
	if len(args) == 1 && args[0].kind == termNumeral {
		n, _ = strconv.Atoi(args[0].text)
	} else if !c.takes(at, name, args, 0, 1) {
		return
	}
	if n > 1_000 {
		c.found.report(at, "smt.form", "%s more than 1000 levels, which is probably a mistake", name)
		return
	}
	for ; n > 0; n-- {
		if name == "push" {
			c.scopes = append(c.scopes, smtScope{objectives: len(c.p.Objectives)})
			continue
		}
		if len(c.scopes) == 1 {
			c.found.report(at, "smt.pop", "unmatched pop")
			return
		}
		for _, f := range c.current().funs {
			delete(c.funs, f)
			delete(c.named, f)
			delete(c.defs, f)
		}
		c.grades.known = map[string]int{}
		c.p.Objectives, c.p.goals = c.p.Objectives[:c.current().objectives], c.p.goals[:c.current().objectives]
		for _, s := range c.current().sorts {
			delete(c.sorts, s)
		}
		c.scopes = c.scopes[:len(c.scopes)-1]
	}
}

// declare adds a function. If shown is true, its value is part of a solution.
func (c *smtChecker) declare(name *term, params []string, result string, shown bool) bool {
	if !c.free(name) {
		return false
	}
	c.beyond = c.beyond || result != "Bool" || len(params) > 0
	c.funs[name.text] = &funDef{params: params, result: result, span: name.span}
	c.current().funs = append(c.current().funs, name.text)
	if shown {
		sort := result
		if len(params) > 0 {
			sort = "(" + strings.Join(params, " ") + ") " + result
		}
		c.p.Names = append(c.p.Names, Name{Name: name.text, Sort: sort, Span: name.span})
	}
	return true
}

// free reports a name that is already defined.
func (c *smtChecker) free(name *term) bool {
	if before, ok := c.funs[name.text]; ok {
		c.found.add(source.Diagnostic{Code: "smt.redeclared", Span: name.span, Message: fmt.Sprintf("duplicate declaration of %q", name.text),
			Notes: []source.Note{{Span: before.span, Message: "the first declaration"}}})
		return false
	}
	if before, ok := c.named[name.text]; ok {
		c.found.add(source.Diagnostic{Code: "smt.redeclared", Span: name.span, Message: fmt.Sprintf("%q is already the name of an assertion", name.text),
			Notes: []source.Note{{Span: before, Message: "the assertion's name"}}})
		return false
	}
	if isOperator(name.text) {
		c.found.report(name.span, "smt.redeclared", "%q is a reserved name; choose another one", name.text)
		return false
	}
	return true
}

// declareConst reads (declare-const name Sort).
func (c *smtChecker) declareConst(at source.Span, args []term) {
	if c.takes(at, "declare-const", args, 2, 2) && c.symbol(&args[0]) {
		c.declare(&args[0], nil, c.sort(&args[1]), true)
	}
}

// declareFun reads (declare-fun name (Sort …) Sort).
func (c *smtChecker) declareFun(at source.Span, args []term) {
	if !c.takes(at, "declare-fun", args, 3, 3) || !c.symbol(&args[0]) || !c.list(&args[1], "the sorts of its arguments") {
		return
	}
	var params []string
	for i := range args[1].items {
		params = append(params, c.sort(&args[1].items[i]))
	}
	c.declare(&args[0], params, c.sort(&args[2]), true)
}

// defineConst reads (define-const name Sort term).
func (c *smtChecker) defineConst(at source.Span, args []term) {
	if !c.takes(at, "define-const", args, 3, 3) || !c.symbol(&args[0]) {
		return
	}
	result := c.sort(&args[1])
	c.want(&args[2], result)
	if c.declare(&args[0], nil, result, false) {
		c.defs[args[0].text] = &definition{body: &args[2]}
	}
}

// define reads (define-fun name ((parameter Sort) …) Sort term), or define-fun-rec.
func (c *smtChecker) define(at source.Span, name string, args []term) {
	if !c.takes(at, name, args, 4, 4) || !c.symbol(&args[0]) || !c.list(&args[1], "its parameters") {
		return
	}
	var params, names []string
	for i := range args[1].items {
		p := &args[1].items[i]
		if p.kind != termList || len(p.items) != 2 || p.items[0].kind != termSymbol {
			c.found.report(p.span, "smt.form", "expected a parameter (name Sort)")
			continue
		}
		names, params = append(names, p.items[0].text), append(params, c.sort(&p.items[1]))
	}
	result := c.sort(&args[2])
	if name == "define-fun-rec" {
		c.declare(&args[0], params, result, false)
	}
	c.bind(names, params)
	c.want(&args[3], result)
	c.unbind(names)
	if name == "define-fun" && c.declare(&args[0], params, result, false) {
		c.defs[args[0].text] = &definition{params: names, body: &args[3]}
	}
}

func (c *smtChecker) bind(names, sorts []string) {
	for i, n := range names {
		c.locals[n] = append(c.locals[n], sorts[i])
	}
}

func (c *smtChecker) unbind(names []string) {
	for _, n := range names {
		if rest := c.locals[n][:len(c.locals[n])-1]; len(rest) > 0 {
			c.locals[n] = rest
		} else {
			delete(c.locals, n)
		}
	}
}
