//go:build !first

package solve

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// smtChecker follows a text of SMT-LIB command by command, as a solver would, without
// solving. A sort is its text, "" where it could not be told: what has it is not
// reported once more.
type smtChecker struct {
	file   *source.File
	found  faults
	p      Problem
	sorts  map[string]*sortDef
	funs   map[string]*funDef
	locals map[string][]string // sorts of variables that are bound, the innermost last
	parts  map[string][]string // arguments of sorts that have some, by the sort
	scopes []smtScope
	named  map[string]source.Span
	// beyond says that there is more in the text than one question about propositions.
	beyond bool
	defs   map[string]*definition // with the bodies of define-fun and define-const
	grades grading
	// asked is what the last question is about, and after are the commands that follow it.
	asked struct {
		objectives []Objective
		goals      []goal
		defs       map[string]*definition
	}
	after []*term
	meter *meter.Meter
	err   error // of the meter; nothing is looked at any more
}

// sortDef is a sort that the text declares. An alias has a body.
type sortDef struct {
	arity  int
	params []string
	body   *term
	span   source.Span
}

// funDef is a function or a constant that the text declares.
type funDef struct {
	params []string
	result string
	span   source.Span
	made   bool // a constructor of a datatype
}

// smtScope is what a push begins and a pop takes back.
type smtScope struct {
	funs, sorts []string
	objectives  int // before it
}

// checkSMT checks a text of SMT-LIB 2.6 with Z3's commands of optimization.
func checkSMT(file *source.File, m *meter.Meter) (Problem, []source.Diagnostic, error) {
	c := &smtChecker{
		file: file, sorts: map[string]*sortDef{}, funs: map[string]*funDef{}, locals: map[string][]string{},
		parts: map[string][]string{}, named: map[string]source.Span{}, scopes: []smtScope{{}}, meter: m,
		defs: map[string]*definition{}, grades: grading{known: map[string]int{}, locals: map[string][]int{}},
	}
	r := smtReader{text: file.Text, found: &c.found, meter: m}
	for len(c.found.list) < room && c.err == nil {
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
		c.found.warn(source.Span{}, "smt.empty", "nothing is asserted and nothing is to be the best: everything is a solution")
	}
	return c.p, c.found.list, c.err
}

// exit ends the text: the solver is not given what follows.
func (c *smtChecker) exit(span source.Span) {
	rest := smtReader{text: c.file.Text[span.End:], found: &faults{}, quiet: true}
	if t, more := rest.token(); more {
		c.found.add(source.Diagnostic{Code: "smt.exit", Severity: source.SeverityInfo, Span: source.Span{Start: span.End + t.span.Start, End: span.End + t.span.End},
			Message: "ignored: the text ends at (exit)"})
	}
	c.p.prints = append(c.p.prints, source.Span{Start: span.Start, End: source.Pos(len(c.file.Text))})
}

// smtWords are the commands that a text may have, for suggestions.
var smtWords = []string{
	"set-logic", "set-option", "set-info", "declare-sort", "define-sort", "declare-const", "declare-fun", "define-const", "define-fun", "define-fun-rec",
	"declare-datatypes", "declare-datatype", "exit", "assert", "assert-soft", "minimize", "maximize", "push", "pop", "check-sat", "check-sat-assuming",
	"get-model", "get-value", "get-objectives", "get-unsat-core", "get-info", "echo",
}

// smtRefused are commands that Z3 knows and a text may not have, with the reason.
var smtRefused = map[string]string{
	"reset":            "would forget the limits that this page sets; leave it out, or use push and pop",
	"reset-assertions": "would make the answer about less than the text says; use push and pop",
	"include":          "would read a file; put the text here",
	"check-sat-using":  "chooses tactics, which need threads that a page has not; write (check-sat)",
	"apply":            "chooses tactics, which need threads that a page has not; write (check-sat)",
	"set-simplifier":   "is not offered here",
	"eval":             "is not offered here; use get-value",
	"simplify":         "is not offered here; use get-value",
	"display":          "is not offered here",
	"help":             "is not offered here",
	"get-proof":        "is not offered here; the unsat core says which named assertions do not hold together",
	"get-assertions":   "is not offered here",
	"get-assignment":   "is not offered here; use get-value",
	"get-option":       "is not offered here",
	"labels":           "is not offered here",
	"query":            "is Z3's language of fixed points, which is not offered here",
	"rule":             "is Z3's language of fixed points, which is not offered here",
	"declare-rel":      "is Z3's language of fixed points, which is not offered here",
	"declare-var":      "is Z3's language of fixed points, which is not offered here",
}

func (c *smtChecker) command(form *term) {
	name := form.head()
	if form.kind != termList {
		c.found.report(form.span, "smt.form", "this stands outside of any command: a text is a list of commands like (assert …)")
		return
	}
	if name == "" {
		if form.text != tooDeep {
			c.found.report(form.blame(), "smt.form", "a command begins with its name, as in (assert …)")
		}
		return
	}
	at, args := form.items[0].span, form.items[1:]
	switch name {
	case "echo", "set-info", "get-info", "get-model", "get-objectives", "get-unsat-core", "get-value":
		c.p.prints = append(c.p.prints, form.span)
	}
	if why, ok := smtRefused[name]; ok {
		c.found.report(at, "smt.forbidden", "%s %s", name, why)
		return
	}
	switch name {
	case "assert", "assert-soft", "minimize", "maximize", "push", "pop":
		c.follows(form)
	}
	switch name {
	case "set-info":
	case "set-logic":
		c.takes(at, name, args, 1, 1)
	case "set-option":
		c.option(form)
	case "get-info":
		c.takes(at, name, args, 1, 1)
	case "declare-sort":
		if c.takes(at, name, args, 1, 2) && c.symbol(&args[0]) {
			arity := 0
			if len(args) == 2 {
				arity, _ = strconv.Atoi(args[1].text)
			}
			c.addSort(&args[0], &sortDef{arity: arity})
		}
	case "define-sort":
		c.defineSort(at, args)
	case "declare-const":
		if c.takes(at, name, args, 2, 2) && c.symbol(&args[0]) {
			c.declare(&args[0], nil, c.sort(&args[1]), true)
		}
	case "declare-fun":
		if c.takes(at, name, args, 3, 3) && c.symbol(&args[0]) && c.list(&args[1], "the sorts of its arguments") {
			var params []string
			for i := range args[1].items {
				params = append(params, c.sort(&args[1].items[i]))
			}
			c.declare(&args[0], params, c.sort(&args[2]), true)
		}
	case "define-const":
		if c.takes(at, name, args, 3, 3) && c.symbol(&args[0]) {
			result := c.sort(&args[1])
			c.want(&args[2], result)
			if c.declare(&args[0], nil, result, false) {
				c.defs[args[0].text] = &definition{body: &args[2]}
			}
		}
	case "define-fun", "define-fun-rec":
		c.define(at, name, args)
	case "declare-datatypes", "declare-datatype":
		c.datatypes(at, name, args)
	case "assert":
		if c.takes(at, name, args, 1, 1) {
			c.p.Constraints++
			c.want(&args[0], "Bool")
			c.degreeOf(&args[0])
		}
	case "assert-soft":
		c.soft(form)
	case "minimize", "maximize":
		if c.takes(at, name, args, 1, -1) {
			s := c.sortOf(&args[0])
			if s != "" && !numeric(s) && width(s) == 0 {
				c.found.report(args[0].blame(), "smt.mismatch", "what is to be the best is a number, and this is of sort %s", s)
			}
			c.degreeOf(&args[0])
			c.p.aims = append(c.p.aims, form.span)
			c.p.goals = append(c.p.goals, goal{term: &args[0], sort: s})
			c.p.Objectives = append(c.p.Objectives, Objective{Expression: c.file.Slice(args[0].span), Sense: name, Span: args[0].span})
		}
	case "push", "pop":
		c.beyond, c.p.scoped = true, true
		c.pushPop(at, name, args)
	case "check-sat":
		c.takes(at, name, args, 0, 0)
		c.check(form)
	case "check-sat-assuming":
		c.beyond = true
		if c.takes(at, name, args, 1, 1) && c.list(&args[0], "the assumptions") {
			for i := range args[0].items {
				c.want(&args[0].items[i], "Bool")
			}
			c.check(form)
			c.p.assumes = true
		}
	case "get-model", "get-objectives", "get-unsat-core":
		c.takes(at, name, args, 0, 0)
		c.afterCheck(at, name)
	case "get-value":
		if c.takes(at, name, args, 1, 1) && c.list(&args[0], "what is to be told") {
			for i := range args[0].items {
				c.sortOf(&args[0].items[i])
			}
		}
		c.afterCheck(at, name)
	case "echo":
		c.takes(at, name, args, 1, 1)
	default:
		d := form.items[0].unknown("smt.command", "command", smtWords)
		c.found.add(d)
	}
}

func (c *smtChecker) afterCheck(at source.Span, name string) {
	if c.p.Checks == 0 {
		c.found.report(at, "smt.early", "%s comes before any check-sat, so there is nothing to tell", name)
	}
}

// unknown reports a name that is none of the candidates.
func (t *term) unknown(code, what string, candidates []string) source.Diagnostic {
	d := source.Diagnostic{Code: code, Span: t.span, Message: fmt.Sprintf("there is no %s %q", what, t.text)}
	if near := source.Nearest(t.text, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: t.span, Text: near}}}}
	}
	return d
}

// takes reports a wrong number of arguments; most -1 is any number.
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
	c.found.report(at, "smt.arity", "%s takes %s%s, and here are %d", name, want, noun, len(args))
	return false
}

func (c *smtChecker) symbol(t *term) bool {
	if t.kind != termSymbol {
		c.found.report(t.span, "smt.form", "a name belongs here")
		return false
	}
	return true
}

func (c *smtChecker) list(t *term, what string) bool {
	if t.kind != termList {
		c.found.report(t.span, "smt.form", "%s belong here, in parentheses: ()  where there are none", what)
		return false
	}
	return true
}

// smtOptions are the options that a text may set. All others are refused: some of Z3's
// write files, wait for a clock or start threads.
var smtOptions = map[string]bool{
	":produce-models": true, ":produce-unsat-cores": true, ":print-success": false, ":random-seed": true, ":opt.priority": true, ":opt.elim_01": true,
	":opt.maxsat_engine": true, ":opt.optsmt_engine": true, ":smt.arith.solver": true, ":smt.random_seed": true, ":sat.random_seed": true, ":model.completion": true,
	":smt.core.minimize": true, ":sat.core.minimize": true, ":smt.phase_selection": true, ":produce-assignments": true, ":auto_config": true,
}

// smtIgnored are options that have no effect on the answer, or that the run sets: they are
// left out with a warning. A name that ends with a dot is of a module of Z3; of those, what
// writes a file, starts a thread or waits for a clock is refused, see smtHarmful.
var smtIgnored = []struct{ name, why string }{
	{":print-success", "acknowledgements are not printed"},
	{":produce-proofs", ""}, {":produce-assertions", ""}, {":produce-unsat-assumptions", ""}, {":produce-interpolants", ""}, {":interactive-mode", ""}, {":verbosity", ""}, {":verbose", ""},
	{":reproducible-resource-limit", ""}, {":auto-config", ""}, {":model-validate", ""}, {":model_validate", ""}, {":model_compress", ""}, {":proof", ""}, {":stats", ""}, {":type_check", ""},
	{":well_sorted_check", ""}, {":unsat_core", ""}, {":model", ""}, {":debug_ref_count", ""}, {":smtlib2_compliant", ""}, {":encoding", ""}, {":warning", ""}, {":error-behavior", ""},
	{":mbqi", ""}, {":relevancy", ""}, {":case-split", ""}, {":macro-finder", ""}, {":pull-nested-quantifiers", ""}, {":minimize-lemmas", ""}, {":arith", ""},
	{":pp.", ""}, {":smt.", ""}, {":sat.", ""}, {":nlsat.", ""}, {":rewriter.", ""}, {":model.", ""}, {":model_evaluator.", ""}, {":combined_solver.", ""}, {":parser.", ""},
}

// smtHarmful are parts of the names of options that write files, start threads or wait for
// a clock.
var smtHarmful = []string{"file", "log", "dump", "prefix", "thread", "timeout", "trace", "channel", "memory", "rlimit", "path", "restricted"}

// ignored returns why an option is left out, false for one that is not.
func ignored(name string) (why string, ok bool) {
	harms := func(part string) bool { return strings.Contains(name, part) }
	if slices.ContainsFunc(smtHarmful, harms) {
		return "", false
	}
	for _, o := range smtIgnored {
		if o.name == name || strings.HasSuffix(o.name, ".") && strings.HasPrefix(name, o.name) {
			why = o.why
			if why == "" {
				why = "it does not change the answer"
			}
			return why, true
		}
	}
	return "", false
}

func (c *smtChecker) option(form *term) {
	at, args := form.items[0].span, form.items[1:]
	if len(args) == 0 || args[0].kind != termKeyword {
		c.found.report(at, "smt.form", "set-option takes the name of an option, as in (set-option :produce-models true)")
		return
	}
	option := &args[0]
	switch {
	case smtOptions[option.text]:
		if c.takes(at, "set-option", args, 2, 2) && option.text == ":opt.priority" {
			c.p.priority = args[1].text
		}
	case strings.Contains(option.text, "timeout"):
		c.found.report(option.span, "smt.forbidden", "%s needs a thread, which a page has not, and makes Z3 hang there; the time is limited from outside, in the settings", option.text)
	case strings.Contains(option.text, "rlimit") || strings.Contains(option.text, "memory"):
		c.found.report(option.span, "smt.forbidden", "%s is set from outside, in the settings", option.text)
	case option.text == ":regular-output-channel" || option.text == ":diagnostic-output-channel":
		c.found.report(option.span, "smt.forbidden", "%s would write a file", option.text)
	case option.text == ":print-success" && len(args) == 2 && args[1].is("false"):
	default:
		if why, ok := ignored(option.text); ok {
			c.p.prints = append(c.p.prints, form.span)
			c.found.warn(option.span, "smt.option", "option %s is ignored: %s", option.text, why)
			return
		}
		var known []string
		for name := range smtOptions {
			known = append(known, name)
		}
		for _, o := range smtIgnored {
			known = append(known, o.name)
		}
		slices.Sort(known)
		d := option.unknown("smt.forbidden", "option", known)
		d.Message = fmt.Sprintf("the option %s is not offered here: some options write files, wait for a clock or start threads, so only a few are let through", option.text)
		if len(d.Fixes) > 0 {
			d.Message = fmt.Sprintf("unknown option %s; did you mean %s?", option.text, d.Fixes[0].Edits[0].Text)
		}
		c.found.add(d)
	}
}

// current is the innermost scope.
func (c *smtChecker) current() *smtScope { return &c.scopes[len(c.scopes)-1] }

func (c *smtChecker) pushPop(at source.Span, name string, args []term) {
	n := 1
	if len(args) == 1 && args[0].kind == termNumeral {
		n, _ = strconv.Atoi(args[0].text)
	} else if !c.takes(at, name, args, 0, 1) {
		return
	}
	if n > 1_000 {
		c.found.report(at, "smt.form", "%s more than 1000 levels is surely a mistake", name)
		return
	}
	for ; n > 0; n-- {
		if name == "push" {
			c.scopes = append(c.scopes, smtScope{objectives: len(c.p.Objectives)})
			continue
		}
		if len(c.scopes) == 1 {
			c.found.report(at, "smt.pop", "this pop takes back more than was pushed")
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

// declare adds a function; one that is shown has its value told in a solution.
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

// free reports a name that is taken.
func (c *smtChecker) free(name *term) bool {
	if before, ok := c.funs[name.text]; ok {
		c.found.add(source.Diagnostic{Code: "smt.redeclared", Span: name.span, Message: fmt.Sprintf("%q is declared already", name.text),
			Notes: []source.Note{{Span: before.span, Message: "the first declaration"}}})
		return false
	}
	if before, ok := c.named[name.text]; ok {
		c.found.add(source.Diagnostic{Code: "smt.redeclared", Span: name.span, Message: fmt.Sprintf("%q names an assertion already", name.text),
			Notes: []source.Note{{Span: before, Message: "the assertion's name"}}})
		return false
	}
	if isOperator(name.text) {
		c.found.report(name.span, "smt.redeclared", "%q has a meaning already; choose another name", name.text)
		return false
	}
	return true
}

func (c *smtChecker) define(at source.Span, name string, args []term) {
	if !c.takes(at, name, args, 4, 4) || !c.symbol(&args[0]) || !c.list(&args[1], "its parameters") {
		return
	}
	var params, names []string
	for i := range args[1].items {
		p := &args[1].items[i]
		if p.kind != termList || len(p.items) != 2 || p.items[0].kind != termSymbol {
			c.found.report(p.span, "smt.form", "a parameter is written (name Sort)")
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

// degreeOf notes whether a term keeps the problem linear.
func (c *smtChecker) degreeOf(t *term) {
	if c.beyond && c.p.degree < degreeOther {
		c.p.degree = max(c.p.degree, c.grade(t))
	}
}

// follows notes a command that changes what is asserted. After the last question it is
// taken out: a pop would take the solution back, and an assertion would not be part of it.
func (c *smtChecker) follows(form *term) {
	if c.p.Checks > 0 {
		c.after = append(c.after, form)
	}
}

// end settles what the answer is about: the text up to its last question.
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
			c.found.warn(form.items[0].span, "smt.after", "ignored: %s follows the last check-sat, so no answer is about it", name)
		}
	}
}

// check notes a question of the text.
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
				weight = args[i+1].text // of a list "", which is not evaluated
			}
			i++
		default:
			c.found.report(args[i].span, "smt.form", "behind what is wished for come :weight and :id, each with its value")
			return
		}
	}
	wish := soft{&args[0], weight}
	for i, o := range c.p.Objectives {
		if o.Sense == "soft" && o.Expression == id {
			c.p.goals[i].wishes = append(c.p.goals[i].wishes, wish)
			return
		}
	}
	c.p.goals = append(c.p.goals, goal{sort: "Real", wishes: []soft{wish}})
	c.p.Objectives = append(c.p.Objectives, Objective{Expression: id, Sense: "soft", Span: args[0].span})
}
