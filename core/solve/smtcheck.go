package solve

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// smtChecker follows an SMT-LIB text command by command, as a solver does, without
// solving. A sort is represented by its text, or by "" if it is unknown because of a
// fault that has already been reported.
type smtChecker struct {
	file   *source.File
	found  faults
	p      Problem
	sorts  map[string]*sortDef
	funs   map[string]*funDef
	locals map[string][]string // sorts of bound variables, innermost last
	parts  map[string][]string // the arguments of parametric sorts, by the sort
	scopes []smtScope
	named  map[string]source.Span
	// beyond reports whether the text is more than one question about propositions.
	beyond bool
	defs   map[string]*definition // including the bodies of define-fun and define-const
	grades grading
	// asked is the last check-sat, and after are the commands that follow it.
	asked struct {
		objectives []Objective
		goals      []goal
		defs       map[string]*definition
	}
	after []*term
	meter *meter.Meter
	err   error // of the meter; checking stops
}

// checkSMT checks an SMT-LIB 2.6 text with Z3's commands for optimization.
func checkSMT(file *source.File, m *meter.Meter) (Problem, []source.Diagnostic, error) {
	c := &smtChecker{
		file: file, sorts: map[string]*sortDef{}, funs: map[string]*funDef{}, locals: map[string][]string{},
		parts: map[string][]string{}, named: map[string]source.Span{}, scopes: []smtScope{{}}, meter: m,
		defs: map[string]*definition{}, grades: grading{known: map[string]int{}, locals: map[string][]int{}},
	}
	r := smtReader{text: file.Text, found: &c.found, meter: m}
	for len(c.found.list) < maxCollected && c.err == nil {
		form, ok := r.next()
		if !ok {
			c.err = r.err
			break
		}
		if form.head() == "exit" && len(form.items) == 1 {
			c.exit(form.span)
			break
		}
		c.command(&form)
	}
	c.end()
	c.p.propositional = !c.beyond && c.p.Checks <= 1 && len(c.p.Named) == 0 && len(c.p.Objectives) == 0
	if c.p.Constraints == 0 && len(c.p.Objectives) == 0 && len(c.found.list) == 0 {
		c.found.warn(source.Span{}, "smt.empty", "no assertion and no objective: every assignment is a solution")
	}
	return c.p, c.found.list, c.err
}

// exit ends the text; the solver does not see the rest.
func (c *smtChecker) exit(span source.Span) {
	rest := smtReader{text: c.file.Text[span.End:], found: &faults{}, quiet: true}
	if t, more := rest.token(); more {
		c.found.add(source.Diagnostic{Code: "smt.exit", Severity: source.SeverityInfo, Span: source.Span{Start: span.End + t.span.Start, End: span.End + t.span.End},
			Message: "ignored text after (exit)"})
	}
	c.p.prints = append(c.p.prints, source.Span{Start: span.Start, End: source.Pos(len(c.file.Text))})
}

// smtWords are the supported commands, for suggestions.
var smtWords = []string{
	"set-logic", "set-option", "set-info", "declare-sort", "define-sort", "declare-const", "declare-fun", "define-const", "define-fun", "define-fun-rec",
	"declare-datatypes", "declare-datatype", "exit", "assert", "assert-soft", "minimize", "maximize", "push", "pop", "check-sat", "check-sat-assuming",
	"get-model", "get-value", "get-objectives", "get-unsat-core", "get-info", "echo",
}

// smtRefused are commands of Z3 that a text must not contain, with the reason.
var smtRefused = map[string]string{
	"reset":            "would reset the page's limits; remove it, or use push and pop",
	"reset-assertions": "would drop assertions; use push and pop",
	"include":          "would read a file; insert the text here",
	"check-sat-using":  "needs threads, which the page does not have; write (check-sat)",
	"apply":            "needs threads, which the page does not have; write (check-sat)",
	"set-simplifier":   "is unsupported",
	"eval":             "is unsupported; use get-value",
	"simplify":         "is unsupported; use get-value",
	"display":          "is unsupported",
	"help":             "is unsupported",
	"get-proof":        "is unsupported; the unsat core lists the named assertions that contradict each other",
	"get-assertions":   "is unsupported",
	"get-assignment":   "is unsupported; use get-value",
	"get-option":       "is unsupported",
	"labels":           "is unsupported",
	"query":            "belongs to Z3's fixed-point language, which is unsupported",
	"rule":             "belongs to Z3's fixed-point language, which is unsupported",
	"declare-rel":      "belongs to Z3's fixed-point language, which is unsupported",
	"declare-var":      "belongs to Z3's fixed-point language, which is unsupported",
}

func printsAnswer(name string) bool {
	switch name {
	case "echo", "set-info", "get-info", "get-model", "get-objectives", "get-unsat-core", "get-value":
		return true
	}
	return false
}

// changesAssertions reports whether a command changes the assertions or the objectives.
func changesAssertions(name string) bool {
	switch name {
	case "assert", "assert-soft", "minimize", "maximize", "push", "pop":
		return true
	}
	return false
}

// command checks a top-level form.
func (c *smtChecker) command(form *term) {
	name := form.head()
	if form.kind != termList {
		c.found.report(form.span, "smt.form", "unexpected text outside a command such as (assert …)")
		return
	}
	if name == "" {
		if form.text != tooDeep {
			c.found.report(form.blame(), "smt.form", "expected the name of a command, as in (assert …)")
		}
		return
	}
	if printsAnswer(name) {
		c.p.prints = append(c.p.prints, form.span)
	}
	if why, ok := smtRefused[name]; ok {
		c.found.report(form.items[0].span, "smt.forbidden", "%s %s", name, why)
		return
	}
	if changesAssertions(name) {
		c.follows(form)
	}
	c.dispatch(form, name)
}

// dispatch checks a command by its name. It is a flat table: a case for each command.
func (c *smtChecker) dispatch(form *term, name string) {
	at, args := form.items[0].span, form.items[1:]
	switch name {
	case "set-info":
	case "set-logic", "get-info", "echo":
		c.takes(at, name, args, 1, 1)
	case "set-option":
		c.option(form)
	case "declare-sort":
		c.declareSort(at, args)
	case "define-sort":
		c.defineSort(at, args)
	case "declare-const":
		c.declareConst(at, args)
	case "declare-fun":
		c.declareFun(at, args)
	case "define-const":
		c.defineConst(at, args)
	case "define-fun", "define-fun-rec":
		c.define(at, name, args)
	case "declare-datatypes", "declare-datatype":
		c.datatypes(at, name, args)
	case "assert":
		c.assert(at, args)
	case "assert-soft":
		c.soft(form)
	case "minimize", "maximize":
		c.objective(form, name)
	case "push", "pop":
		c.beyond, c.p.scoped = true, true
		c.pushPop(at, name, args)
	case "check-sat":
		c.takes(at, name, args, 0, 0)
		c.check(form)
	case "check-sat-assuming":
		c.beyond = true
		c.checkAssuming(form)
	case "get-model", "get-objectives", "get-unsat-core":
		c.takes(at, name, args, 0, 0)
		c.afterCheck(at, name)
	case "get-value":
		c.values(at, args)
		c.afterCheck(at, name)
	default:
		c.found.add(form.items[0].unknown("smt.command", "command", smtWords))
	}
}

// assert reads (assert term).
func (c *smtChecker) assert(at source.Span, args []term) {
	if c.takes(at, "assert", args, 1, 1) {
		c.p.Constraints++
		c.want(&args[0], "Bool")
		c.degreeOf(&args[0])
	}
}

// objective reads (minimize term) or (maximize term).
func (c *smtChecker) objective(form *term, sense string) {
	at, args := form.items[0].span, form.items[1:]
	if !c.takes(at, sense, args, 1, -1) {
		return
	}
	s := c.sortOf(&args[0])
	if s != "" && !numeric(s) && width(s) == 0 {
		c.found.report(args[0].blame(), "smt.mismatch", "expected a numeric objective, got sort %s", s)
	}
	c.degreeOf(&args[0])
	c.p.aims = append(c.p.aims, form.span)
	c.p.goals = append(c.p.goals, goal{term: &args[0], sort: s})
	c.p.Objectives = append(c.p.Objectives, Objective{Expression: c.file.Slice(args[0].span), Sense: sense, Span: args[0].span})
}

// checkAssuming reads (check-sat-assuming (term …)).
func (c *smtChecker) checkAssuming(form *term) {
	at, args := form.items[0].span, form.items[1:]
	if !c.takes(at, "check-sat-assuming", args, 1, 1) || !c.list(&args[0], "the assumptions") {
		return
	}
	for i := range args[0].items {
		c.want(&args[0].items[i], "Bool")
	}
	c.check(form)
	c.p.assumes = true
}

// values reads (get-value (term …)).
func (c *smtChecker) values(at source.Span, args []term) {
	if c.takes(at, "get-value", args, 1, 1) && c.list(&args[0], "the terms to evaluate") {
		for i := range args[0].items {
			c.sortOf(&args[0].items[i])
		}
	}
}

func (c *smtChecker) afterCheck(at source.Span, name string) {
	if c.p.Checks == 0 {
		c.found.report(at, "smt.early", "misplaced %s: expected a check-sat before it", name)
	}
}

// unknown reports a name that is not among the candidates.
func (t *term) unknown(code, what string, candidates []string) source.Diagnostic {
	d := source.Diagnostic{Code: code, Span: t.span, Message: fmt.Sprintf("unknown %s %q", what, t.text)}
	if near := source.Nearest(t.text, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: t.span, Text: near}}}}
	}
	return d
}

// takes reports a wrong number of arguments, and returns whether the number is valid;
// most = -1 means no maximum.
func (c *smtChecker) takes(at source.Span, name string, args []term, least, most int) bool {
	if len(args) >= least && (most < 0 || len(args) <= most) {
		return true
	}
	want := strconv.Itoa(least)
	switch {
	case most < 0:
		want = "at least " + want
	case most > least:
		want += " or " + strconv.Itoa(most)
	}
	noun := " arguments"
	if want == "1" || want == "at least 1" {
		noun = " argument"
	}
	c.found.report(at, "smt.arity", "%s takes %s%s, got %d", name, want, noun, len(args))
	return false
}

func (c *smtChecker) symbol(t *term) bool {
	if t.kind != termSymbol {
		c.found.report(t.span, "smt.form", "expected a name")
		return false
	}
	return true
}

func (c *smtChecker) list(t *term, what string) bool {
	if t.kind != termList {
		c.found.report(t.span, "smt.form", "expected %s in parentheses, or ()", what)
		return false
	}
	return true
}

// degreeOf raises the degree of the problem to that of a term, if it is higher.
func (c *smtChecker) degreeOf(t *term) {
	if c.beyond && c.p.degree < degreeOther {
		c.p.degree = max(c.p.degree, c.grade(t))
	}
}

// follows records a command that changes the assertions. After the last check-sat such
// commands are removed: a pop would remove the solution, and an assertion would not be
// part of it.
func (c *smtChecker) follows(form *term) {
	if c.p.Checks > 0 {
		c.after = append(c.after, form)
	}
}

// end determines the part of the text that the answer is about: everything up to its last
// check-sat.
func (c *smtChecker) end() {
	c.p.defs = c.defs
	if c.p.Checks == 0 {
		return
	}
	c.p.Objectives, c.p.goals = c.asked.objectives, c.asked.goals
	if c.asked.defs != nil {
		c.p.defs = c.asked.defs
	}
	for _, form := range c.after {
		c.p.prints = append(c.p.prints, form.span)
		if name := form.head(); name != "pop" && name != "push" {
			c.found.warn(form.items[0].span, "smt.after", "ignored %s after the last check-sat", name)
		}
	}
}

// check records a check-sat of the text.
func (c *smtChecker) check(form *term) {
	c.p.Checks++
	c.after = nil
	c.asked.objectives, c.asked.goals = slices.Clone(c.p.Objectives), slices.Clone(c.p.goals)
	if c.p.scoped {
		c.asked.defs = map[string]*definition{}
		for name, def := range c.defs {
			c.asked.defs[name] = def
		}
	}
	c.p.checks = append(c.p.checks, form.span)
	c.p.last = form.span
}

// soft reads (assert-soft term :weight 2 :id name).
func (c *smtChecker) soft(form *term) {
	at, args := form.items[0].span, form.items[1:]
	if !c.takes(at, "assert-soft", args, 1, -1) {
		return
	}
	c.want(&args[0], "Bool")
	c.degreeOf(&args[0])
	c.p.aims = append(c.p.aims, form.span)
	weight := "1"
	id := ""
	for i := 1; i < len(args); i++ {
		switch {
		case args[i].kind == termKeyword && (args[i].text == ":weight" || args[i].text == ":id") && i+1 < len(args):
			if args[i].text == ":id" {
				id = args[i+1].text
			} else {
				weight = args[i+1].text // "" for a list, which is not evaluated
			}
			i++
		default:
			c.found.report(args[i].span, "smt.form", "expected :weight or :id with its value")
			return
		}
	}
	constraint := soft{&args[0], weight}
	for i, o := range c.p.Objectives {
		if o.Sense == "soft" && o.Expression == id {
			c.p.goals[i].soft = append(c.p.goals[i].soft, constraint)
			return
		}
	}
	c.p.goals = append(c.p.goals, goal{sort: "Real", soft: []soft{constraint}})
	c.p.Objectives = append(c.p.Objectives, Objective{Expression: id, Sense: "soft", Span: args[0].span})
}
