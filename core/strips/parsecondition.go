package strips

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// The words of conditions and effects.
var (
	comparisons = []string{"<", "<=", ">=", ">"}
	changes     = []string{"increase", "decrease", "assign", "scale-up", "scale-down"}
	arithmetic  = []string{"+", "-", "*", "/"}
	directions  = []string{"minimize", "maximize"}
	opposite    = map[string]string{"<": ">=", "<=": ">", "=": "!=", ">=": "<", ">": "<="}
)

// The requirements of features that PDDL without requirements does not have.
const (
	reqDisjunction = ":disjunctive-preconditions"
	reqExists      = ":existential-preconditions"
	reqForall      = ":universal-preconditions"
	reqWhen        = ":conditional-effects"
	reqNegative    = ":negative-preconditions"
	reqNumbers     = ":numeric-fluents"
	reqCosts       = ":action-costs"
	reqDerived     = ":derived-predicates"
)

// implied are requirements that include others.
var implied = map[string][]string{
	":adl":                      {":strips", ":typing", ":negative-preconditions", ":equality", reqDisjunction, reqExists, reqForall, reqWhen},
	":quantified-preconditions": {reqExists, reqForall},
	":fluents":                  {reqNumbers, reqCosts},
	reqNumbers:                  {reqCosts},
}

// use is the first use of a feature.
type use struct {
	requirement string
	span        source.Span
}

// needs records that a text uses a feature.
func (p *parser) needs(requirement string, span source.Span) {
	for _, u := range p.uses {
		if u.requirement == requirement {
			return
		}
	}
	p.uses = append(p.uses, use{requirement, span})
}

// undeclared warns about features whose requirement is missing.
func undeclared(uses []use, declared map[string]bool, at source.Pos, section bool) (found []source.Diagnostic) {
	for _, u := range uses {
		if declared[u.requirement] || u.requirement == reqNegative && !section {
			continue
		}
		text := " " + u.requirement
		if !section {
			text = " (:requirements" + text + ")"
		}
		found = append(found, source.Diagnostic{
			Code: "strips.requirement", Severity: source.SeverityWarning, Span: u.span, Message: "missing requirement " + u.requirement,
			Fixes: []source.Fix{{Title: "Add " + u.requirement, Edits: []source.Edit{{Span: source.Span{Start: at, End: at}, Text: text}}}},
		})
	}
	return found
}

// parts reports a list that does not have the wanted number of parts: at the first surplus part, or at
// its head if parts are missing.
func (p *parser) parts(n *sexpr.Node, wanted int, form string) bool {
	if len(n.Items) == wanted+1 {
		return true
	}
	at := n.Blame()
	if len(n.Items) > wanted+1 {
		at = n.Items[wanted+1].Span
	}
	p.report(at, "strips.form", fmt.Sprintf("expected %s, got %s", form, count(len(n.Items)-1, "part")))
	return false
}

// condition reads a condition, or its negation. It returns nil for a fault.
func (p *parser) condition(n *sexpr.Node, negated bool) *Condition {
	if n.Kind == sexpr.KindList && len(n.Items) == 0 {
		return &Condition{Op: junction(negated), Span: n.Span}
	}
	head := fold(n.Head())
	switch {
	case head == "and", head == "or":
		if head == "or" {
			p.needs(reqDisjunction, n.Blame())
		}
		c := &Condition{Op: junction((head == "or") != negated), Span: n.Span}
		for _, item := range n.Items[1:] {
			if part := p.condition(item, negated); part != nil {
				c.Parts = append(c.Parts, part)
			}
		}
		return c
	case head == "not":
		if len(n.Items) != 2 {
			p.report(n.Blame(), "strips.literal", "expected one condition: (not (name …))")
			return nil
		}
		return p.condition(n.Items[1], !negated)
	case head == "imply":
		p.needs(reqDisjunction, n.Blame())
		if !p.parts(n, 2, "(imply condition condition)") {
			return nil
		}
		c := &Condition{Op: junction(!negated), Span: n.Span}
		if left, right := p.condition(n.Items[1], !negated), p.condition(n.Items[2], negated); left != nil && right != nil {
			c.Parts = []*Condition{left, right}
			return c
		}
		return nil
	case head == "forall", head == "exists":
		return p.quantifier(n, head == "exists", negated)
	case contains(comparisons, head), head == Equal && len(n.Items) == 3 && (numeric(n.Items[1]) || numeric(n.Items[2])):
		return p.comparison(n, head, negated)
	case head == "when", contains(changes, head):
		p.report(n.Blame(), "strips.effect", fmt.Sprintf("unexpected %s in a condition; it is an effect", head))
		return nil
	}
	a, ok := p.atom(n)
	if !ok {
		return nil
	}
	if negated && a.Predicate != Equal {
		p.needs(reqNegative, n.Span)
	}
	return &Condition{Op: OpLiteral, Literal: Literal{Atom: a, Negated: negated}, Span: n.Span}
}

func junction(or bool) Op {
	if or {
		return OpOr
	}
	return OpAnd
}

// numeric reports whether a side of an equality is a number.
func numeric(n *sexpr.Node) bool {
	if n.Kind == sexpr.KindList {
		return true
	}
	_, fault := readDecimal(n.Text)
	return fault == ""
}

func (p *parser) quantifier(n *sexpr.Node, exists, negated bool) *Condition {
	form, requirement := "(forall (?x) condition)", reqForall
	if exists {
		form, requirement = "(exists (?x) condition)", reqExists
	}
	p.needs(requirement, n.Blame())
	if !p.parts(n, 2, form) {
		return nil
	}
	variables, ok := p.variables(n.Items[1])
	part := p.condition(n.Items[2], negated)
	if !ok || part == nil {
		return nil
	}
	c := &Condition{Op: OpForall, Variables: variables, Parts: []*Condition{part}, Span: n.Span}
	if exists != negated {
		c.Op = OpExists
	}
	return c
}

func (p *parser) variables(n *sexpr.Node) ([]Typed, bool) {
	if n.Kind != sexpr.KindList {
		p.report(n.Span, "strips.parameter", "expected variables in parentheses: (?x - type)")
		return nil, false
	}
	list := p.typed(n.Items, true)
	for i := 0; i < len(list); i++ {
		if first := slices.IndexFunc(list, func(v Typed) bool { return v.Name == list[i].Name }); first < i {
			p.report(list[i].Span, "strips.twice", fmt.Sprintf("duplicate variable %q", list[i].Name), source.Note{Span: list[first].Span, Message: "first definition"})
			list = slices.Delete(list, i, i+1)
			i--
		}
	}
	return list, true
}

func (p *parser) comparison(n *sexpr.Node, op string, negated bool) *Condition {
	p.needs(reqNumbers, n.Blame())
	if !p.parts(n, 2, "("+op+" number number)") {
		return nil
	}
	c := &Condition{Op: OpCompare, Compare: op, Left: p.number(n.Items[1]), Right: p.number(n.Items[2]), Span: n.Span}
	if negated {
		c.Compare = opposite[op]
	}
	if c.Left == nil || c.Right == nil {
		return nil
	}
	return c
}

// number reads a numeric expression. It returns nil for a fault.
func (p *parser) number(n *sexpr.Node) *Number {
	if n.Kind != sexpr.KindList {
		value, fault := readDecimal(n.Text)
		if fault != "" || n.Kind != sexpr.KindAtom {
			p.report(n.Span, "strips.number", fault)
			return nil
		}
		return &Number{Value: value, Span: n.Span}
	}
	head := n.Head()
	if !contains(arithmetic, head) {
		a, ok := p.atom(n)
		if !ok {
			return nil
		}
		return &Number{Function: &a, Span: n.Span}
	}
	out := &Number{Op: head, Span: n.Span}
	for _, item := range n.Items[1:] {
		part := p.number(item)
		if part == nil {
			return nil
		}
		out.Parts = append(out.Parts, part)
	}
	least, most := 2, len(out.Parts)
	if head == "-" || head == "/" {
		most = 2
	}
	if head == "-" {
		least = 1
	}
	if len(out.Parts) < least || len(out.Parts) > most {
		p.report(n.Blame(), "strips.form", fmt.Sprintf("expected (%s number number), got %s", head, count(len(out.Parts), "part")))
		return nil
	}
	if by := out.Parts[len(out.Parts)-1]; head == "/" && by.Op == "" && by.Function == nil && by.Value == 0 {
		p.report(by.Span, "strips.number", "division by 0; the number is never defined")
	}
	return out
}

// effects adds the effects of a list to an action.
func (p *parser) effects(a *Action, n *sexpr.Node, e Effect) {
	if n.Kind == sexpr.KindList && len(n.Items) == 0 {
		return
	}
	head := fold(n.Head())
	switch {
	case head == "and":
		for _, item := range n.Items[1:] {
			p.effects(a, item, e)
		}
	case head == "forall":
		p.needs(reqWhen, n.Blame())
		if !p.parts(n, 2, "(forall (?x) effect)") {
			return
		}
		if variables, ok := p.variables(n.Items[1]); ok {
			e.Variables = append(e.Variables[:len(e.Variables):len(e.Variables)], variables...)
			p.effects(a, n.Items[2], e)
		}
	case head == "when":
		p.needs(reqWhen, n.Blame())
		if !p.parts(n, 2, "(when condition effect)") {
			return
		}
		if condition := p.condition(n.Items[1], false); condition != nil {
			e.When, e.Variables = append(e.When[:len(e.When):len(e.When)], Guard{e.Variables, condition}), nil
			p.effects(a, n.Items[2], e)
		}
	case contains(changes, head):
		p.change(a, n, head, e)
	case head == "or", head == "imply", head == "exists", contains(comparisons, head):
		p.report(n.Blame(), "strips.effect", fmt.Sprintf("unexpected %q in an effect; an effect is certain", head))
	case head == Equal && len(n.Items) == 3 && (numeric(n.Items[1]) || numeric(n.Items[2])):
		p.report(n.Blame(), "strips.effect", "unexpected = in an effect; write (assign (function …) number)")
	default:
		l, ok := p.literal(n)
		switch {
		case !ok:
		case len(e.When)+len(e.Variables) == 0:
			a.Effect = append(a.Effect, l)
		default:
			e.Literal, e.Span = l, n.Span
			a.Effects = append(a.Effects, e)
		}
	}
}

// change reads an effect on a number.
func (p *parser) change(a *Action, n *sexpr.Node, head string, e Effect) {
	if !p.parts(n, 2, "("+head+" (function …) number)") {
		return
	}
	requirement := reqNumbers
	if head == "increase" && fold(n.Items[1].Head()) == totalCost {
		requirement = reqCosts
	}
	p.needs(requirement, n.Blame())
	if n.Items[1].Kind != sexpr.KindList {
		p.report(n.Items[1].Span, "strips.form", "expected a function in parentheses: ("+strings.TrimPrefix(n.Items[1].Text, "?")+")")
		return
	}
	f, ok := p.atom(n.Items[1])
	value := p.number(n.Items[2])
	if !ok || value == nil {
		return
	}
	if head == "scale-down" && value.Op == "" && value.Function == nil && value.Value == 0 {
		p.report(value.Span, "strips.number", "division by 0; the number is never defined")
	}
	e.Change, e.Function, e.Value, e.Span = head, &f, value, n.Span
	a.Effects = append(a.Effects, e)
}

// functions reads the declarations of functions: (distance ?a ?b - place) - number.
func (p *parser) functions(d *Domain, items []*sexpr.Node) {
	for i := 0; i < len(items); i++ {
		n := items[i]
		switch {
		case n.Text == "-" && n.Kind == sexpr.KindAtom && i > 0 && i+1 < len(items):
			i++
			if fold(items[i].Text) != "number" {
				p.report(items[i].Span, "strips.unsupported", "unsupported function of objects; the type of a function is number")
			}
		case n.Kind != sexpr.KindList || len(n.Items) == 0:
			p.report(n.Span, "strips.function", "expected a function such as (distance ?x ?y)")
		default:
			d.Functions = append(d.Functions, Predicate{Name: p.name(n.Items[0], "the name of a function"), Parameters: p.typed(n.Items[1:], true), Span: n.Items[0].Span})
		}
	}
}

// metric reads (:metric minimize expression) or (:metric maximize expression).
func (p *parser) metric(out *Problem, n *sexpr.Node) {
	switch {
	case len(n.Items) != 3:
		p.report(n.Blame(), "strips.metric", "expected (:metric minimize (total-cost))")
	case !contains(directions, fold(n.Items[1].Text)):
		p.found = append(p.found, n.Items[1].Unknown("strips.metric", "direction", directions))
	default:
		out.Metric, out.Largest = p.number(n.Items[2]), fold(n.Items[1].Text) == "maximize"
	}
}

// length reads (:length (:serial n) (:parallel m)): in the first PDDL, the number of steps of a
// known plan. It is advice, which changes no plan.
func (p *parser) length(out *Problem, n *sexpr.Node) {
	out.Length = map[string]int{}
	for _, item := range n.Items[1:] {
		key := fold(item.Head())
		switch {
		case key != "" && !contains(lengths, key):
			p.unknown(item.Items[0], "strips.length", "length", lengths)
			return
		case key == "" || len(item.Items) != 2 || !digits(item.Items[1].Text):
			p.report(item.Blame(), "strips.length", "expected (:serial number) or (:parallel number)")
			return
		}
		out.Length[key], _ = strconv.Atoi(item.Items[1].Text)
	}
	p.found = append(p.found, source.Diagnostic{Code: "strips.length", Severity: source.SeverityInfo, Span: n.Blame(), Message: "length hint without effect: the search finds the number of steps"})
}

// digits reports whether a word is a number of steps.
func digits(word string) bool {
	return word != "" && len(word) < 10 && strings.Trim(word, "0123456789") == ""
}

// initial reads an item of the initial state: a literal, or the value of a function.
func (p *parser) initial(out *Problem, n *sexpr.Node) {
	if n.Head() == Equal && len(n.Items) == 3 && (numeric(n.Items[1]) || numeric(n.Items[2])) {
		f, ok := p.atom(n.Items[1])
		value := p.number(n.Items[2])
		switch {
		case !ok || value == nil:
		case value.Op != "" || value.Function != nil:
			p.report(value.Span, "strips.number", "expected a constant number in the initial state")
		default:
			out.Values = append(out.Values, Value{Function: f, Value: value.Value, Span: n.Span})
		}
		return
	}
	if fold(n.Head()) == "and" {
		start, last := source.Span{Start: n.Span.Start, End: n.Items[0].Span.End}, source.Span{Start: max(n.Span.End-1, n.Items[0].Span.End), End: n.Span.End}
		p.found = append(p.found, source.Diagnostic{
			Code: "strips.init", Span: n.Blame(), Message: "unexpected and in the initial state; list its facts",
			Fixes: []source.Fix{{Title: "Remove (and …)", Edits: []source.Edit{{Span: start}, {Span: last}}}},
		})
		for _, item := range n.Items[1:] {
			p.initial(out, item)
		}
		return
	}
	if n.Kind == sexpr.KindList && len(n.Items) == 0 {
		return
	}
	if head := fold(n.Head()); head == "or" || head == "forall" || head == "exists" || head == "when" || head == "imply" || contains(changes, head) || contains(comparisons, head) {
		p.report(n.Blame(), "strips.init", fmt.Sprintf("unexpected %s in the initial state; list its facts", head))
		return
	}
	switch l, ok := p.literal(n); {
	case ok && l.Negated:
		p.needless(source.SeverityInfo, n.Span, "needless (not …): a fact that is not in :init is false", n.Span)
	case ok:
		out.Init = append(out.Init, l.Atom)
	}
}

// needless reports a part of the initial state that has no effect, and removes the given spans.
func (p *parser) needless(severity source.Severity, at source.Span, message string, remove ...source.Span) {
	d := source.Diagnostic{Code: "strips.needless", Severity: severity, Span: at, Message: message}
	fix := source.Fix{Title: "Remove it"}
	for _, span := range remove {
		fix.Edits = append(fix.Edits, source.Edit{Span: span})
	}
	d.Fixes = []source.Fix{fix}
	p.found = append(p.found, d)
}
