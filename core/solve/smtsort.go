package solve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// builtinSorts maps each predefined sort to its number of arguments; -1 means two or
// more.
var builtinSorts = map[string]int{"Bool": 0, "Int": 0, "Real": 0, "String": 0, "RegLan": 0, "RoundingMode": 0, "Float16": 0, "Float32": 0, "Float64": 0, "Float128": 0, "Array": -1, "Seq": 1, "Set": 1}

// maxSort bounds the length of a sort in bytes. In a chain of definitions that each use
// the previous one twice, each definition doubles the length.
const maxSort = 4_000

func numeric(sort string) bool { return sort == "Int" || sort == "Real" }

// bits returns the sort of bit vectors of a width.
func bits(n int) string { return "(_ BitVec " + strconv.Itoa(n) + ")" }

// width returns the width of a sort of bit vectors, 0 for another sort.
func width(sort string) int {
	digits, ok := strings.CutPrefix(sort, "(_ BitVec ")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(digits, ")"))
	return n
}

// sort reads a sort and returns its text, "" after a reported fault.
func (c *smtChecker) sort(t *term) string { return c.sortIn(t, nil, 0) }

// sortIn reads a sort and replaces the parameters in it by the sorts that params maps
// them to.
func (c *smtChecker) sortIn(t *term, params map[string]string, depth int) string {
	if c.err == nil {
		c.err = c.meter.Step(1)
	}
	if c.err != nil {
		return ""
	}
	if depth > 50 {
		c.found.report(t.span, "limit.depth", "sort nested deeper than 50")
		return ""
	}
	if t.kind == termSymbol {
		if s, ok := params[t.text]; ok {
			return s
		}
		return c.applySort(t, t, nil, depth)
	}
	if t.kind != termList || len(t.items) == 0 {
		c.found.report(t.span, "smt.sort", "expected a sort such as Int or (Array Int Bool)")
		return ""
	}
	if t.head() == "_" {
		return c.indexedSort(t)
	}
	if t.items[0].kind != termSymbol {
		c.found.report(t.items[0].span, "smt.sort", "expected the name of a sort")
		return ""
	}
	var args []string
	for i := range t.items[1:] {
		s := c.sortIn(&t.items[1+i], params, depth+1)
		if s == "" {
			return ""
		}
		args = append(args, s)
	}
	return c.applySort(t, &t.items[0], args, depth)
}

func (c *smtChecker) indexedSort(t *term) string {
	if len(t.items) == 3 && t.items[1].is("BitVec") && t.items[2].kind == termNumeral {
		if n, err := strconv.Atoi(t.items[2].text); err == nil && n > 0 && n <= 1<<16 {
			return bits(n)
		}
	}
	if len(t.items) == 4 && t.items[1].is("FloatingPoint") {
		return "(_ FloatingPoint " + t.items[2].text + " " + t.items[3].text + ")"
	}
	c.found.report(t.span, "smt.sort", "unknown indexed sort (expected (_ BitVec 8) or (_ FloatingPoint 5 11))")
	return ""
}

func (c *smtChecker) applySort(t, name *term, args []string, depth int) string {
	arity, known := builtinSorts[name.text]
	def := c.sorts[name.text]
	switch {
	case def != nil:
		arity = def.arity
	case !known:
		c.unknownSort(name)
		return ""
	}
	if arity < 0 { // arrays with one or more indices
		if len(args) < 2 {
			c.found.report(name.span, "smt.arity", "expected (Array Index Element)")
			return ""
		}
	} else if len(args) != arity {
		c.found.report(name.span, "smt.arity", "the sort %s takes %d arguments, got %d", name.text, arity, len(args))
		return ""
	}
	if def != nil && def.body != nil {
		params := map[string]string{}
		for i, p := range def.params {
			params[p] = args[i]
		}
		return c.sortIn(def.body, params, depth+1)
	}
	if len(args) == 0 {
		return name.text
	}
	s := "(" + name.text + " " + strings.Join(args, " ") + ")"
	if len(s) > maxSort {
		c.found.report(t.span, "limit.depth", "the sort is longer than %d characters when its names are expanded", maxSort)
		return ""
	}
	c.parts[s] = args
	return s
}

func (c *smtChecker) unknownSort(name *term) {
	candidates := []string{"Int", "Real", "Bool", "String", "Array"}
	for _, scope := range c.scopes {
		candidates = append(candidates, scope.sorts...)
	}
	d := name.unknown("smt.sort", "sort", candidates)
	if name.text == "List" {
		c.lists(name, &d)
	}
	if common, ok := map[string]string{"Integer": "Int", "int": "Int", "Boolean": "Bool", "bool": "Bool", "Float": "Real", "real": "Real", "Double": "Real", "Number": "Real", "BitVec": "(_ BitVec 8)"}[name.text]; ok {
		d.Message = fmt.Sprintf("unknown sort %q; did you mean %s?", name.text, common)
		d.Fixes = []source.Fix{{Title: "Write " + common, Edits: []source.Edit{{Span: name.span, Text: common}}}}
	}
	c.found.add(d)
}

// lists offers to declare a list datatype instead of Z3's List, which SMT-LIB does not
// have. The datatype needs another name, because Z3 rejects a declaration of List; the
// constructors keep their names.
func (c *smtChecker) lists(name *term, d *source.Diagnostic) {
	d.Message = `unknown sort "List": SMT-LIB has no lists; declare a datatype`
	const declared = "(declare-datatypes ((ListOf 1)) ((par (T) ((nil) (insert (head T) (tail (ListOf T)))))))\n"
	d.Fixes = []source.Fix{{Title: "Declare ListOf and use it", Edits: []source.Edit{{Text: declared}}}}
	r := smtReader{text: c.file.Text, found: &faults{}, quiet: true}
	for t, ok := r.token(); ok; t, ok = r.token() {
		if t.is("List") {
			d.Fixes[0].Edits = append(d.Fixes[0].Edits, source.Edit{Span: t.span, Text: "ListOf"})
		}
	}
}

func (c *smtChecker) addSort(name *term, def *sortDef) bool {
	_, builtin := builtinSorts[name.text]
	if before := c.sorts[name.text]; before != nil || builtin {
		d := source.Diagnostic{Code: "smt.redeclared", Span: name.span, Message: fmt.Sprintf("duplicate declaration of the sort %q", name.text)}
		if before != nil {
			d.Notes = []source.Note{{Span: before.span, Message: "the first declaration"}}
		}
		c.found.add(d)
		return false
	}
	def.span = name.span
	c.sorts[name.text] = def
	c.current().sorts = append(c.current().sorts, name.text)
	return true
}

// declareSort reads (declare-sort name) and (declare-sort name arity).
func (c *smtChecker) declareSort(at source.Span, args []term) {
	if !c.takes(at, "declare-sort", args, 1, 2) || !c.symbol(&args[0]) {
		return
	}
	arity := 0
	if len(args) == 2 {
		arity, _ = strconv.Atoi(args[1].text)
	}
	c.addSort(&args[0], &sortDef{arity: arity})
}

// defineSort reads (define-sort name (parameter …) Sort).
func (c *smtChecker) defineSort(at source.Span, args []term) {
	if !c.takes(at, "define-sort", args, 3, 3) || !c.symbol(&args[0]) || !c.list(&args[1], "its parameters") {
		return
	}
	def := &sortDef{body: &args[2]}
	params := map[string]string{}
	for _, p := range args[1].items {
		def.params = append(def.params, p.text)
		params[p.text] = "Bool" // any sort shows whether the body is a sort
	}
	def.arity = len(def.params)
	if c.sortIn(&args[2], params, 0) != "" {
		c.addSort(&args[0], def)
	}
}

// datatypes reads (declare-datatypes ((T 0)) (((nil) (cons (head Int) (tail T))))) and
// (declare-datatype T ((nil) …)). For parametric datatypes only the names are recorded,
// so the sorts of their terms are unknown.
func (c *smtChecker) datatypes(at source.Span, name string, args []term) {
	if !c.takes(at, name, args, 2, 2) {
		return
	}
	names, bodies := []term{}, []term{}
	if name == "declare-datatype" {
		names, bodies = append(names, args[0]), append(bodies, args[1])
	} else {
		if !c.list(&args[0], "the sorts") || !c.list(&args[1], "their constructors") {
			return
		}
		if old := args[0].items; len(args[1].items) > 0 && (len(old) == 0 || old[0].kind == termSymbol) {
			c.oldDatatypes(args)
			return
		}
		for _, n := range args[0].items {
			if n.kind != termList || len(n.items) != 2 {
				c.found.report(n.span, "smt.form", "expected (Name 0), a datatype with its number of parameters")
				return
			}
			names = append(names, n.items[0])
		}
		bodies = args[1].items
	}
	if len(names) != len(bodies) {
		c.found.report(at, "smt.arity", "expected the definitions of %d datatypes, got %d", len(names), len(bodies))
		return
	}
	for i := range names {
		arity := 0
		if bodies[i].head() == "par" && len(bodies[i].items) == 3 {
			arity = len(bodies[i].items[1].items)
		}
		if !c.symbol(&names[i]) || !c.addSort(&names[i], &sortDef{arity: arity}) {
			return
		}
	}
	for i := range names {
		c.constructors(names[i].text, &bodies[i])
	}
}

// oldDatatypes reads the form before SMT-LIB 2.6, which Z3 accepts: (declare-datatypes
// (T) ((L nil (cons (head T) (tail L))))), with common parameters and each datatype
// followed by its constructors.
func (c *smtChecker) oldDatatypes(args []term) {
	var params []string
	for i := range args[0].items {
		if !c.symbol(&args[0].items[i]) {
			return
		}
		params = append(params, args[0].items[i].text)
	}
	var heads, bodies strings.Builder
	list := args[1].items
	for i := range list {
		if list[i].kind != termList || len(list[i].items) < 2 || !c.symbol(&list[i].items[0]) {
			c.found.report(list[i].span, "smt.form", "expected a datatype with a name and constructors: ((S A B C))")
			return
		}
	}
	for i := range list {
		name := &list[i].items[0]
		if !c.addSort(name, &sortDef{arity: len(params)}) {
			return
		}
		body := term{kind: termList, span: list[i].span, items: list[i].items[1:]}
		fmt.Fprintf(&heads, " (%s %d)", c.file.Slice(name.span), len(params))
		var makers strings.Builder
		for j := range body.items {
			text := written(&body.items[j])
			if body.items[j].kind != termList {
				text = "(" + text + ")"
			}
			makers.WriteString(" " + text)
		}
		made := "(" + makers.String()[1:] + ")"
		if len(params) > 0 {
			made = "(par (" + strings.Join(params, " ") + ") " + made + ")"
			body = term{kind: termList, items: []term{{kind: termSymbol, text: "par"}, args[0], body}}
		}
		bodies.WriteString(" " + made)
		defer c.constructors(name.text, &body)
	}
	d := source.Diagnostic{Code: "smt.old", Severity: source.SeverityWarning, Span: source.Span{Start: args[0].span.Start, End: args[1].span.End},
		Message: "form of declare-datatypes from before SMT-LIB 2.6"}
	text := "(" + heads.String()[1:] + ") (" + bodies.String()[1:] + ")"
	if len(params) == 0 { // the new form writes the sorts of parametric datatypes differently
		d.Fixes = []source.Fix{{Title: "Write the form of SMT-LIB 2.6", Edits: []source.Edit{{Span: d.Span, Text: text}}}}
	}
	c.found.add(d)
}

func (c *smtChecker) constructors(of string, body *term) {
	vague := false
	if body.head() == "par" && len(body.items) == 3 {
		body, vague = &body.items[2], true
	}
	if !c.list(body, "the constructors") {
		return
	}
	for i := range body.items {
		one := &body.items[i]
		name := one
		var fields []term
		if one.kind == termList {
			if len(one.items) == 0 {
				c.found.report(one.span, "smt.form", "expected the name of a constructor")
				continue
			}
			name, fields = &one.items[0], one.items[1:]
		}
		if !c.symbol(name) {
			continue
		}
		var params []string
		for j := range fields {
			f := &fields[j]
			if f.kind != termList || len(f.items) != 2 || f.items[0].kind != termSymbol {
				c.found.report(f.span, "smt.form", "expected a field (name Sort)")
				continue
			}
			sort := ""
			if !vague {
				sort = c.sort(&f.items[1])
			}
			params = append(params, sort)
			argument := of
			if vague {
				argument = ""
			}
			c.declare(&f.items[0], []string{argument}, sort, false)
		}
		result := of
		if vague {
			result = ""
		}
		c.declare(name, params, result, false)
		if f := c.funs[name.text]; f != nil {
			f.made = true
		}
	}
}
