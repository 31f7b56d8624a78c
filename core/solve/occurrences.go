package solve

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindConstant   = "constant"
	KindFunction   = "function"
	KindSort       = "sort"
	KindConstraint = "constraint" // the name of an assertion or constraint
	KindBound      = "bound"      // a variable of let, a quantifier or a definition; Of is the place where it is bound
	KindVariable   = "variable"   // of an LP
	KindName       = "name"       // a name that the text does not declare; another text may
)

// Occurrences returns the places of all names. Undeclared names have the kind [KindName],
// for callers that know further texts.
func Occurrences(solver Solver, file *source.File) []source.Occurrence {
	if unfit(file) != nil {
		return nil
	}
	if solver == HiGHS {
		return lpOccurrences(file)
	}
	o := &smtOccurrences{known: map[string]string{}, bound: map[string][]int{}}
	forms := o.read(file)
	for i := range forms {
		o.declared(&forms[i])
	}
	for i := range forms {
		o.command(&forms[i])
	}
	return o.out
}

type smtOccurrences struct {
	out   []source.Occurrence
	known map[string]string // kinds of declared names
	bound map[string][]int  // the places where variables are bound, innermost last
}

func (o *smtOccurrences) read(file *source.File) []term {
	r := smtReader{text: file.Text, found: &faults{}, quiet: true}
	var forms []term
	for {
		form, ok := r.next()
		if !ok {
			return forms
		}
		forms = append(forms, form)
	}
}

// declared adds the names that a command declares.
func (o *smtOccurrences) declared(form *term) {
	args := form.items
	if len(args) < 2 {
		return
	}
	name := args[1].text
	switch form.head() {
	case "declare-sort", "define-sort":
		o.known[name] = KindSort
	case "declare-const", "define-const":
		o.known[name] = KindConstant
	case "declare-fun", "define-fun", "define-fun-rec":
		o.known[name] = KindFunction
		if len(args) > 2 && args[2].kind == termList && len(args[2].items) == 0 {
			o.known[name] = KindConstant
		}
	case "declare-datatype":
		o.known[name] = KindSort
		if len(args) > 2 {
			o.constructors(&args[2])
		}
	case "declare-datatypes":
		for i := range args[1].items {
			if of := &args[1].items[i]; len(of.items) > 0 {
				o.known[of.items[0].text] = KindSort
			}
		}
		if len(args) > 2 {
			for i := range args[2].items {
				o.constructors(&args[2].items[i])
			}
		}
	}
}

// constructors adds the constructors of a datatype and their fields.
func (o *smtOccurrences) constructors(body *term) {
	if body.head() == "par" && len(body.items) == 3 {
		body = &body.items[2]
	}
	for i := range body.items {
		one := &body.items[i]
		if one.kind == termSymbol {
			o.known[one.text] = KindConstant
			continue
		}
		if len(one.items) > 0 {
			o.known[one.items[0].text] = KindFunction
			for j := range one.items[1:] {
				if field := &one.items[1+j]; len(field.items) > 0 {
					o.known[field.items[0].text] = KindFunction
				}
			}
		}
	}
}

func (o *smtOccurrences) add(t *term, kind, of string, defines bool) {
	if t.kind == termSymbol && t.text != "" {
		o.out = append(o.out, source.Occurrence{Kind: kind, Of: of, Name: t.text, Span: t.span, Defines: defines})
	}
}

// mention adds the use of a name.
func (o *smtOccurrences) mention(t *term) {
	if at := o.bound[t.text]; len(at) > 0 {
		o.add(t, KindBound, strconv.Itoa(at[len(at)-1]), false)
		return
	}
	if kind, ok := o.known[t.text]; ok {
		o.add(t, kind, "", false)
		return
	}
	if _, sort := builtinSorts[t.text]; !sort && !isOperator(t.text) && !vagueTheory(t.text) {
		o.add(t, KindName, "", false)
	}
}

// bind adds a variable where it is bound. Uses of its name in the scope refer to it.
func (o *smtOccurrences) bind(t *term) {
	at := int(t.span.Start)
	o.add(t, KindBound, strconv.Itoa(at), true)
	o.bound[t.text] = append(o.bound[t.text], at)
}

func (o *smtOccurrences) unbind(list []term) {
	for i := range list {
		if len(list[i].items) == 0 {
			continue
		}
		name := list[i].items[0].text
		o.bound[name] = o.bound[name][:len(o.bound[name])-1]
	}
}

func (o *smtOccurrences) command(form *term) {
	if len(form.items) < 2 {
		return
	}
	args := form.items[1:]
	rest := args[1:]
	switch form.head() {
	case "set-logic", "set-info", "set-option", "get-info", "echo", "push", "pop":
		return
	case "declare-const", "declare-fun", "declare-sort", "define-const", "define-sort":
		o.add(&args[0], o.known[args[0].text], "", true)
	case "define-fun", "define-fun-rec":
		o.add(&args[0], o.known[args[0].text], "", true)
		if len(rest) == 3 {
			o.binding(rest[0].items, rest[1:])
			return
		}
	case "declare-datatype", "declare-datatypes":
		o.datatype(args)
		return
	default:
		rest = args
	}
	for i := range rest {
		o.term(&rest[i])
	}
}

// datatype adds the names that the command declares, and the sorts it uses.
func (o *smtOccurrences) datatype(args []term) {
	announced := map[source.Pos]bool{} // the offset of the names in (declare-datatypes ((Name 0) …) …)
	for i := range args[0].items {
		if n := &args[0].items[i]; len(n.items) > 0 {
			announced[n.items[0].span.Start] = true
		}
	}
	var walk func(t *term)
	walk = func(t *term) {
		if t.kind == termSymbol {
			kind := o.known[t.text]
			if kind != "" {
				o.add(t, kind, "", kind != KindSort || t.span == args[0].span || announced[t.span.Start])
			}
			return
		}
		for i := range t.items {
			walk(&t.items[i])
		}
	}
	for i := range args {
		walk(&args[i])
	}
}

// binding walks terms in the scope of variables with sorts, "(x Int)".
func (o *smtOccurrences) binding(variables []term, of []term) {
	for i := range variables {
		if v := &variables[i]; len(v.items) > 1 {
			o.term(&v.items[1])
		}
	}
	for i := range variables {
		if v := &variables[i]; len(v.items) > 0 {
			o.bind(&v.items[0])
		}
	}
	for i := range of {
		o.term(&of[i])
	}
	o.unbind(variables)
}

func (o *smtOccurrences) term(t *term) {
	if t.kind == termSymbol {
		o.mention(t)
		return
	}
	if t.kind != termList || len(t.items) == 0 {
		return
	}
	switch head := t.head(); {
	case (head == "let" || head == "forall" || head == "exists" || head == "lambda") && len(t.items) == 3:
		o.binding(t.items[1].items, t.items[2:])
	case head == "!":
		for i := 1; i < len(t.items); i++ {
			if t.items[i].kind == termKeyword && t.items[i].text == ":named" && i+1 < len(t.items) {
				i++
				o.known[t.items[i].text] = KindConstraint
				o.add(&t.items[i], KindConstraint, "", true)
				continue
			}
			o.term(&t.items[i])
		}
	case head == "match" && len(t.items) == 3:
		o.term(&t.items[1])
		for i := range t.items[2].items {
			if branch := &t.items[2].items[i]; len(branch.items) == 2 {
				o.branch(&branch.items[0], &branch.items[1])
			}
		}
	case head == "_" && len(t.items) == 3 && t.items[1].is("is"):
		o.term(&t.items[2])
	case head == "_":
	default:
		for i := range t.items {
			o.term(&t.items[i])
		}
	}
}

// branch walks a branch of a match, whose pattern binds variables: (cons h t), or a
// single variable that matches any value.
func (o *smtOccurrences) branch(pattern, of *term) {
	variables := []term{*pattern}
	switch {
	case len(pattern.items) > 0:
		o.mention(&pattern.items[0])
		variables = pattern.items[1:]
	case o.known[pattern.text] != "":
		o.mention(pattern)
		variables = nil
	}
	for i := range variables {
		o.bind(&variables[i])
	}
	o.term(of)
	for i := range variables {
		name := variables[i].text
		o.bound[name] = o.bound[name][:len(o.bound[name])-1]
	}
}

// lpOccurrences adds the rows and the variables of an LP.
func lpOccurrences(file *source.File) []source.Occurrence {
	var out []source.Occurrence
	seen := map[string]bool{}
	tokens := lpTokens(file.Text)
	bounds := false
	for i, t := range tokens {
		switch {
		case t.kind == lpSection:
			bounds = lpOrder[t.text] >= 2
		case t.kind != lpWord || isInfinity(t.text) || bounds && strings.EqualFold(t.text, "free"):
		case tokens[i+1].kind == lpColon:
			out = append(out, source.Occurrence{Kind: KindConstraint, Name: t.text, Span: t.span, Defines: true})
		default:
			out = append(out, source.Occurrence{Kind: KindVariable, Name: t.text, Span: t.span, Defines: !seen[t.text]})
			seen[t.text] = true
		}
	}
	return out
}

// Quote writes a name in SMT-LIB, between bars if necessary.
func Quote(name string) string {
	plain := name != "" && !only(name[:1], digits)
	for i := 0; i < len(name) && plain; i++ {
		c := name[i]
		plain = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0
	}
	if plain || strings.ContainsAny(name, "|\\") {
		return name
	}
	return "|" + name + "|"
}

// Keywords returns the commands that a text may contain and the words of terms that are
// not functions; for the LP format, the words of sections.
func Keywords(solver Solver) []string {
	if solver == HiGHS {
		return []string{"minimize", "maximize", "subject to", "bounds", "general", "binary", "semi-continuous", "end", "free", "inf"}
	}
	return append(append([]string{}, smtWords...), ":named", ":weight", ":id", "let", "forall", "exists", "ite", "distinct")
}
