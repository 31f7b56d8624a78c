package rules

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/source"
)

// Check compares the rules of a file with the contracts: it warns of unknown tools and fields, and
// of comparisons that are false for every value that the schemas allow.
func (c *Contracts) Check(f *File) []source.Diagnostic {
	if len(c.List) == 0 {
		return nil
	}
	var found []source.Diagnostic
	for _, r := range f.Rules {
		if r.Fault || r.Formula == nil {
			continue
		}
		k := &typeChecker{contracts: c, types: map[*Variable]*typed{}, bound: map[*Variable]int{}}
		eachFormula(r.Formula, func(f *Formula) {
			if f.Atom == nil {
				return
			}
			for _, p := range f.Atom.Patterns {
				if p.Var != nil {
					k.bound[p.Var.Variable]++
				}
			}
			k.atom(f.Atom)
		})
		eachFormula(r.Formula, k.comparison)
		found = append(found, k.found...)
	}
	return found
}

// typeChecker checks a rule.
type typeChecker struct {
	contracts *Contracts
	types     map[*Variable]*typed
	bound     map[*Variable]int // the number of patterns that bind a variable
	found     []source.Diagnostic
}

// typed is the domain of a variable or a term, with its description and its span for messages.
type typed struct {
	domain domain
	of     string
	span   source.Span
}

func (k *typeChecker) warn(code string, span source.Span, message string, fixes ...source.Fix) {
	k.found = append(k.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message, Fixes: fixes})
}

// write returns the fix that replaces the text of a span with a name.
func write(name string, span source.Span) source.Fix {
	text := name
	if !Plain(name) {
		text = string(exact.OfText(name).JSON())
	}
	return source.Fix{Title: "Write " + name, Edits: []source.Edit{{Span: span, Text: text}}}
}

func (k *typeChecker) atom(a *Atom) {
	if a.Any || a.Kind == "message" || a.Kind == "end" {
		return
	}
	t := k.contracts.of(a.Name)
	if t == nil {
		k.tool(a)
		return
	}
	for i := range a.Patterns {
		p := &a.Patterns[i]
		if p.Meta {
			continue
		}
		at, unknown, names := t.place(a.Kind, p.Path)
		if unknown >= 0 {
			k.field(a, p, unknown, names)
			continue
		}
		d := t.domain(at)
		if !d.known {
			continue
		}
		of := `"` + strings.Join(p.Path, ".") + `" of ` + a.Name
		k.test(p, &d, of)
		if items := t.items(at); p.Test == "has" && items != nil && !items.has(p.Values[0]) {
			k.value(p.Span, items, "an element of "+of, p.Values[0])
		}
		if p.Var != nil {
			k.bind(p.Var, &d, of)
		}
	}
}

func (k *typeChecker) tool(a *Atom) {
	if k.contracts.Open {
		return
	}
	names := k.contracts.Names()
	if near := source.Nearest(a.Name, names); near != "" {
		k.warn("rules.tool", a.NameSpan, `unknown tool "`+a.Name+`"; did you mean "`+near+`"?`, write(near, a.NameSpan))
		return
	}
	k.warn("rules.tool", a.NameSpan, `unknown tool "`+a.Name+`"; no contract of the workspace declares it`)
	k.found[len(k.found)-1].Severity = source.SeverityInfo
}

func (k *typeChecker) field(a *Atom, p *Pattern, unknown int, names []string) {
	message := `unknown field "` + strings.Join(p.Path[:unknown+1], ".") + `" of ` + a.Name
	near := source.Nearest(p.Path[unknown], names)
	switch {
	case near != "":
		path := slices.Clone(p.Path)
		path[unknown] = near
		for i, segment := range path {
			if !Plain(segment) {
				path[i] = string(exact.OfText(segment).JSON())
			}
		}
		k.warn("rules.field", p.Span, message+`; did you mean "`+near+`"?`, source.Fix{
			Title: "Write " + near, Edits: []source.Edit{{Span: p.Span, Text: strings.Join(path, ".")}},
		})
	case len(names) == 0:
		k.warn("rules.field", p.Span, message+"; it has no fields")
	default:
		k.warn("rules.field", p.Span, message+" (expected "+strings.Join(names[:min(len(names), 8)], ", ")+")")
	}
}

// test checks the literals of a pattern.
func (k *typeChecker) test(p *Pattern, d *domain, of string) {
	never := func(kind Kind, name string) {
		if !d.kinds[kind] {
			k.warn("rules.type", p.Span, "the test is always false: "+of+" is "+d.String()+", never "+name)
		}
	}
	switch p.Test {
	case "~":
		never(exact.KindString, "a string")
	case "has":
		never(exact.KindList, "a list")
	default:
		for _, v := range p.Values {
			k.literal(p.Span, p.Test, d, of, v)
		}
	}
}

// literal checks a comparison of a value in a domain with a literal.
func (k *typeChecker) literal(span source.Span, op string, d *domain, of string, v *Value) {
	switch op {
	case "=", "in":
		if !d.has(v) {
			k.value(span, d, of, v)
		}
	case "!=":
		if d.values != nil && !d.has(v) {
			k.warn("rules.enum", span, "the comparison is always true: "+of+" is "+d.String()+", never "+string(v.JSON()))
		}
	case "<", "<=", ">", ">=":
		if !d.kinds[v.Kind()] || v.Kind() != exact.KindNumber && v.Kind() != exact.KindString {
			k.warn("rules.type", span, "the comparison is always false: "+of+" is "+d.String()+", never "+op+" "+string(v.JSON()))
		} else if v.Kind() == exact.KindNumber && !d.meets(op, v.Number()) {
			k.warn("rules.range", span, "the comparison is always false: "+of+" is "+d.String()+", never "+op+" "+string(v.JSON()))
		}
	}
}

// meets reports whether a number in the domain can satisfy a comparison with n: "<", "<=", ">" or ">=".
func (d *domain) meets(op string, n Decimal) bool {
	if d.values != nil {
		return slices.ContainsFunc(d.values, func(v *Value) bool { return exact.Holds(op, v, exact.OfNumber(n)) })
	}
	switch op {
	case "<":
		return d.low == nil || d.low.Compare(n) < 0
	case ">":
		return d.high == nil || d.high.Compare(n) > 0
	case "<=":
		return !d.below(n)
	}
	return !d.above(n)
}

func (k *typeChecker) value(span source.Span, d *domain, of string, v *Value) {
	code, message := "rules.type", of+" is "+d.String()+"; it cannot be "+string(v.JSON())
	switch {
	case d.values != nil:
		code = "rules.enum"
		var names []string
		for _, other := range d.values {
			if other.Kind() == exact.KindString {
				names = append(names, other.Text())
			}
		}
		if near := source.Nearest(v.Text(), names); near != "" && v.Kind() == exact.KindString {
			message += `; did you mean "` + near + `"?`
		}
	case d.kinds[v.Kind()]:
		code = "rules.range"
	}
	k.warn(code, span, message)
}

// bind records the domain of a field as that of its variable. If the variable has a domain
// already, it warns if the two have no type in common.
func (k *typeChecker) bind(u *Use, d *domain, of string) {
	before := k.types[u.Variable]
	if before == nil {
		k.types[u.Variable] = &typed{*d, of, u.Span}
		return
	}
	for i, has := range before.domain.kinds {
		if has && d.kinds[i] {
			return
		}
	}
	k.warn("rules.type", u.Span, of+" is "+d.String()+", and "+before.of+" is "+before.domain.String()+"; they are never equal")
	k.found[len(k.found)-1].Notes = []source.Note{{Span: before.span, Message: "the other field"}}
}

// comparison checks the types of a comparison of terms.
func (k *typeChecker) comparison(f *Formula) {
	if f.Op != OpCompare || k.variable(f) {
		return
	}
	left, right := k.term(f.Terms[0]), k.term(f.Terms[1])
	if left == nil || right == nil || f.Relation == "!=" {
		return
	}
	for kind := range left.domain.kinds {
		ordered := Kind(kind) == exact.KindNumber || Kind(kind) == exact.KindString
		if left.domain.kinds[kind] && right.domain.kinds[kind] && (f.Relation == "=" || ordered) {
			return
		}
	}
	k.warn("rules.type", f.Span, "the comparison is always false: "+left.of+" is "+left.domain.String()+", "+right.of+" is "+right.domain.String())
}

// flipped are the relations with their sides exchanged.
var flipped = map[string]string{"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// variable checks a comparison of a variable that a single field binds with a literal. It returns false for another comparison, and
// for a literal of another type.
func (k *typeChecker) variable(f *Formula) bool {
	op := f.Relation
	for i, t := range f.Terms {
		if other := f.Terms[1-i]; t.Op == TermVariable && other.Op == TermLiteral {
			known := k.types[t.Use.Variable]
			if known == nil || k.bound[t.Use.Variable] != 1 || known.domain.values == nil && !known.domain.kinds[other.Value.Kind()] {
				return false
			}
			k.literal(f.Span, op, &known.domain, known.of, other.Value)
			return true
		}
		op = flipped[op]
	}
	return false
}

// term returns the domain of a term, or nil if it is unknown, and warns of operands that are no numbers.
func (k *typeChecker) term(t *Term) *typed {
	out := &typed{of: "the term"}
	out.domain.known, out.domain.fraction = true, true
	switch t.Op {
	case TermVariable:
		return k.types[t.Use.Variable]
	case TermLiteral:
		out.of = string(t.Value.JSON())
		out.domain.kinds[t.Value.Kind()] = true
		return out
	case TermArithmetic:
		for _, kid := range t.Kids {
			if v := k.term(kid); v != nil && !v.domain.kinds[exact.KindNumber] {
				k.warn("rules.type", kid.Span, v.of+" is "+v.domain.String()+"; arithmetic needs a number")
			}
		}
	case TermAggregate:
		out.of = "the " + t.Function
		if v := k.types[variableOf(t)]; t.Function != "count" && v != nil && !v.domain.kinds[exact.KindNumber] {
			k.warn("rules.type", t.Use.Span, v.of+" is "+v.domain.String()+"; "+t.Function+" skips it")
		}
	}
	out.domain.kinds[exact.KindNumber] = true
	return out
}

func variableOf(t *Term) *Variable {
	if t.Use == nil {
		return nil
	}
	return t.Use.Variable
}
