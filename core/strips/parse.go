package strips

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

var (
	domainSections  = []string{":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action"}
	problemSections = []string{":domain", ":requirements", ":objects", ":init", ":goal", ":length", ":metric"}
	actionParts     = []string{":parameters", ":precondition", ":effect"}
	requirements    = []string{":strips", ":typing", ":negative-preconditions", ":equality", reqDisjunction, reqExists, reqForall, ":quantified-preconditions", reqWhen, ":adl", reqNumbers, ":fluents", reqCosts, reqDerived}
	lengths         = []string{":serial", ":parallel"}
	words           = []string{"or", "imply", "forall", "exists", "when", "either", "increase", "decrease", "assign", "scale-up", "scale-down", "minimize", "maximize"}
	// beyond are the unsupported keywords of PDDL.
	beyond = map[string]string{
		"preference": "a preference", "always": "a trajectory constraint", "sometime": "a trajectory constraint",
		":durative-action": "a durative action", ":constraints": "a trajectory constraint",
	}
)

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	out := []string{"define", "domain", "problem", "and", "not"}
	for _, list := range [][]string{domainSections, problemSections, actionParts, requirements, lengths, words} {
		for _, w := range list {
			if !contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// Requirements returns the supported requirements.
func Requirements() []string { return slices.Clone(requirements) }

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// Parse reads a text with a domain, a problem or one of each. It always returns the valid
// part and all diagnostics. If the text has both, it checks the problem against the
// domain; for two texts, see [Check].
func Parse(file *source.File) (*Spec, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := &parser{text: file.Text, found: found, broken: len(found) > 0}
	spec := &Spec{}
	for _, n := range tree.Nodes {
		p.define(spec, n)
	}
	if len(tree.Nodes) == 0 && !p.broken {
		p.report(source.Span{}, "strips.empty", "missing domain or problem; begin with (define (domain name) …)")
	}
	if spec.Domain != nil {
		p.found = append(p.found, checkDomain(spec.Domain)...)
		if spec.Problem != nil {
			p.found = append(p.found, Check(spec.Domain, spec.Problem)...)
		}
	}
	if source.HasErrors(p.found) { // these may follow from the errors
		p.found = slices.DeleteFunc(p.found, func(d source.Diagnostic) bool {
			return d.Code == "strips.costs" || strings.HasPrefix(d.Message, "missing requirement")
		})
	}
	source.Sort(p.found)
	return spec, p.found
}

type parser struct {
	text   string
	found  []source.Diagnostic
	broken bool

	uses     []use           // of features, in the current define
	declared map[string]bool // requirements of the current define
	end      source.Pos      // of its requirements, or of its head
}

// totalCost is the function of action costs.
const totalCost = "total-cost"

func (p *parser) report(span source.Span, code, message string, notes ...source.Note) {
	p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

func (p *parser) unknown(n *sexpr.Node, code, what string, candidates []string) {
	if fold(n.Text) == ":axiom" {
		p.report(n.Span, "strips.unsupported", `unsupported ":axiom"; write (:derived (name ?x) condition)`)
		return
	}
	if is, ok := beyond[fold(n.Text)]; ok {
		p.report(n.Span, "strips.unsupported", fmt.Sprintf("unsupported %s (%q); write the domain without it", strings.TrimPrefix(strings.TrimPrefix(is, "a "), "an "), n.Text))
		return
	}
	p.found = append(p.found, n.Unknown(code, what, candidates))
}

// fold returns a name in lower case. It folds only ASCII letters, because other tools
// require PDDL texts to be ASCII.
func fold(name string) string { return strings.ToLower(name) }

// isName reports whether a word is a valid name: a letter, then letters, digits, "-" and
// "_". Names become parts of SMT-LIB symbols, in which "." and "@" separate them.
func isName(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i] | 0x20
		if !(c >= 'a' && c <= 'z' || i > 0 && (word[i] >= '0' && word[i] <= '9' || word[i] == '-' || word[i] == '_')) {
			return false
		}
	}
	return word != ""
}

// name reads a name, and reports an invalid one.
func (p *parser) name(n *sexpr.Node, what string) string {
	if n.Kind != sexpr.KindAtom || !isName(n.Text) {
		p.report(n.Span, "strips.name", "expected "+what+": a letter, then letters, digits, - and _")
		return ""
	}
	return fold(n.Text)
}

// label reads the name of a problem. It is part of no symbol, and published problems have names
// such as 8-puzzle and p01.pddl.
func (p *parser) label(n *sexpr.Node) string {
	if n.Kind == sexpr.KindAtom && isName("p"+strings.ReplaceAll(n.Text, ".", "-")) {
		return fold(n.Text)
	}
	return p.name(n, "the name of a problem")
}

func (p *parser) define(spec *Spec, n *sexpr.Node) {
	if fold(n.Head()) != "define" || len(n.Items) < 2 || n.Items[1].Kind != sexpr.KindList {
		p.report(n.Blame(), "strips.define", "expected (define (domain name) …) or (define (problem name) …)")
		return
	}
	head := n.Items[1]
	p.uses, p.declared, p.end = nil, nil, head.Span.End
	switch kind := fold(head.Head()); {
	case kind != "domain" && kind != "problem":
		p.report(head.Blame(), "strips.define", "expected (domain name) or (problem name)")
	case len(head.Items) != 2:
		p.report(head.Span, "strips.define", "a "+kind+" requires exactly one name: ("+kind+" name)")
	case kind == "domain" && spec.Domain != nil || kind == "problem" && spec.Problem != nil:
		p.report(head.Span, "strips.twice", "duplicate "+kind)
	case kind == "domain":
		spec.Domain = &Domain{Name: p.name(head.Items[1], "the name of a domain"), Span: head.Items[1].Span}
		p.domain(spec.Domain, n.Items[2:])
	default:
		spec.Problem = &Problem{Name: p.label(head.Items[1]), Span: head.Items[1].Span}
		p.problem(spec.Problem, n)
	}
}

// section reports whether a list begins with a section's keyword, and reports duplicates
// of sections other than actions and axioms.
func (p *parser) section(seen map[string]*sexpr.Node, n *sexpr.Node, words []string) string {
	head := fold(n.Head())
	switch {
	case head == "":
		p.report(n.Span, "strips.misplaced", "expected a section: "+strings.Join(words, ", "))
	case !contains(words, head):
		p.unknown(n.Items[0], "strips.section", "section", words)
	case seen[head] != nil && head != ":action" && head != ":derived":
		p.report(n.Blame(), "strips.twice", "duplicate section "+head, source.Note{Span: seen[head].Blame(), Message: "first section"})
	default:
		seen[head] = n
		return head
	}
	return ""
}

func (p *parser) domain(d *Domain, items []*sexpr.Node) {
	seen := map[string]*sexpr.Node{}
	for _, n := range items {
		switch p.section(seen, n, domainSections) {
		case ":requirements":
			p.requirements(n)
		case ":types":
			for _, t := range p.typed(n.Items[1:], false) {
				if t.Type == "" {
					t.Type = Object
				}
				if t.Name != Object || t.Type != Object {
					d.Types = append(d.Types, Type{Name: t.Name, Parent: t.Type, Span: t.Span})
				}
			}
		case ":constants":
			d.Constants = p.typed(n.Items[1:], false)
		case ":predicates":
			for _, item := range n.Items[1:] {
				if item.Kind != sexpr.KindList || len(item.Items) == 0 {
					p.report(item.Span, "strips.predicate", "expected a predicate such as (name ?x ?y)")
					continue
				}
				d.Predicates = append(d.Predicates, Predicate{Name: p.name(item.Items[0], "the name of a predicate"), Parameters: p.typed(item.Items[1:], true), Span: item.Items[0].Span})
			}
		case ":functions":
			p.functions(d, n.Items[1:])
		case ":derived":
			p.axiom(d, n)
		case ":action":
			p.action(d, n)
		}
	}
	d.uses, d.declared = p.uses, p.declared
	if !p.broken {
		p.found = append(p.found, undeclared(p.uses, p.declared, p.end, seen[":requirements"] != nil)...)
	}
}

func (p *parser) problem(out *Problem, n *sexpr.Node) {
	seen := map[string]*sexpr.Node{}
	for _, n := range n.Items[2:] {
		switch p.section(seen, n, problemSections) {
		case ":domain":
			if len(n.Items) == 2 {
				out.Domain, out.domainAt = p.name(n.Items[1], "the name of the problem's domain"), n.Items[1].Span
			} else {
				p.report(n.Blame(), "strips.domain", "expected one domain: (:domain name)")
			}
		case ":requirements":
			p.requirements(n)
		case ":objects":
			out.Objects = p.typed(n.Items[1:], false)
		case ":init":
			out.initAt = n.Blame()
			for _, item := range n.Items[1:] {
				p.initial(out, item)
			}
		case ":goal":
			if len(n.Items) == 2 {
				out.Goal, out.Goals = p.condition(n.Items[1], false).split(nil, nil)
			} else {
				p.report(n.Blame(), "strips.goal", "expected one goal, a literal or (and …) of several")
			}
		case ":metric":
			p.metric(out, n)
		case ":length":
			p.length(out, n)
		}
	}
	out.uses, out.declared, out.end, out.section = p.uses, p.declared, p.end, seen[":requirements"] != nil
	if domain := seen[":domain"]; domain != nil && !out.section {
		out.end = domain.Span.End
	}
	out.close = n.Span.End - 1
	for _, section := range []string{":domain", ":goal"} {
		if seen[section] == nil && !p.broken {
			p.report(n.Blame(), "strips.missing", "missing "+section)
		}
	}
}

func (p *parser) requirements(n *sexpr.Node) {
	p.declared, p.end = map[string]bool{}, n.Span.End-1
	var declare func(word string)
	declare = func(word string) {
		p.declared[word] = true
		for _, other := range implied[word] {
			declare(other)
		}
	}
	for _, item := range n.Items[1:] {
		declare(fold(item.Text))
		if !contains(requirements, fold(item.Text)) {
			d := item.Unknown("strips.requirement", "requirement", requirements)
			d.Severity, d.Message = source.SeverityWarning, strings.Replace(d.Message, "unknown", "unsupported", 1)
			p.found = append(p.found, d)
		}
	}
}

// typed reads "a b - block c", for parameters with question marks.
func (p *parser) typed(items []*sexpr.Node, parameters bool) []Typed {
	var out []Typed
	untyped := 0 // index of the first name without a type
	for i := 0; i < len(items); i++ {
		n := items[i]
		switch {
		case n.Kind == sexpr.KindAtom && n.Text == "-":
			if untyped == len(out) {
				p.report(n.Span, "strips.type", "expected a dash between names and their type: a b - block")
				continue
			}
			name, parts, at := "", []source.Span(nil), n.Span // without a name, nothing follows from the fault
			if p.untyped(items[i:]) {
				p.report(n.Span, "strips.type", `missing type after "-"`)
			} else {
				i++
				name, parts = p.typeName(items[i])
				at = items[i].Span
			}
			for ; untyped < len(out); untyped++ {
				out[untyped].Type, out[untyped].typeAt, out[untyped].parts = name, at, parts
			}
		case parameters && (n.Kind != sexpr.KindAtom || !strings.HasPrefix(n.Text, "?")):
			p.report(n.Span, "strips.parameter", "expected a parameter such as ?x")
		case parameters && !isName(n.Text[1:]):
			p.report(n.Span, "strips.parameter", "expected a name after the question mark: a letter, then letters, digits, - and _")
		case parameters:
			out = append(out, Typed{Name: fold(n.Text[1:]), Type: Object, Span: n.Span})
		default:
			if name := p.name(n, "a name"); name != "" {
				out = append(out, Typed{Name: name, Type: Object, Span: n.Span})
			}
		}
	}
	return out
}

// untyped reports whether a dash has no type: it ends the list, or a name with its own dash follows,
// a parameter or on another line.
func (p *parser) untyped(items []*sexpr.Node) bool {
	return len(items) == 1 || strings.HasPrefix(items[1].Text, "?") ||
		len(items) > 2 && items[2].Text == "-" && strings.Contains(p.text[items[0].Span.End:items[1].Span.Start], "\n")
}

// typeName reads the name of a type, or (either a b) and the places of its parts. The name is ""
// after a fault.
func (p *parser) typeName(n *sexpr.Node) (string, []source.Span) {
	if n.Kind != sexpr.KindList || len(n.Items) == 0 {
		return p.name(n, "the name of a type"), nil
	}
	if fold(n.Head()) != "either" || len(n.Items) < 2 {
		p.report(n.Blame(), "strips.type", "expected a type or (either type …)")
		return "", nil
	}
	name, parts := either, []source.Span(nil)
	for _, item := range n.Items[1:] {
		word := p.name(item, "the name of a type")
		if word == "" {
			return "", nil
		}
		name, parts = name+" "+word, append(parts, item.Span)
	}
	return name + ")", parts
}

func (p *parser) action(d *Domain, n *sexpr.Node) {
	if len(n.Items) < 2 {
		p.report(n.Blame(), "strips.action", "expected the name of the action: (:action name :parameters (…) :precondition … :effect …)")
		return
	}
	a := Action{Name: p.name(n.Items[1], "the name of an action"), Span: n.Items[1].Span}
	seen := map[string]bool{}
	for items := n.Items[2:]; len(items) > 0; {
		key := fold(items[0].Text)
		switch {
		case items[0].Kind != sexpr.KindAtom:
			p.report(items[0].Span, "strips.part", "expected :parameters, :precondition or :effect")
			items = items[1:]
			continue
		case !contains(actionParts, key):
			p.unknown(items[0], "strips.part", "part of an action", actionParts)
			items = items[1:]
			continue
		case seen[key]:
			p.report(items[0].Span, "strips.twice", "duplicate "+key)
		case len(items) == 1 || items[1].Kind != sexpr.KindList:
			p.report(items[0].Span, "strips.part", "expected a list after "+key)
			items = items[1:]
			continue
		case key == ":parameters":
			a.Parameters = p.typed(items[1].Items, true)
		case key == ":precondition":
			a.Precondition, a.Conditions = p.condition(items[1], false).split(nil, nil)
		case key == ":effect":
			p.effects(&a, items[1], Effect{})
		}
		seen[key] = true
		items = items[2:]
	}
	if !seen[":effect"] && !p.broken {
		p.report(n.Items[1].Span, "strips.part", "missing :effect; for an action without one write :effect ()")
	}
	d.Actions = append(d.Actions, a)
}

func (p *parser) literal(n *sexpr.Node) (Literal, bool) {
	if fold(n.Head()) != "not" {
		a, ok := p.atom(n)
		return Literal{Atom: a}, ok
	}
	if len(n.Items) != 2 {
		p.report(n.Blame(), "strips.literal", "expected one atom: (not (name …))")
		return Literal{}, false
	}
	a, ok := p.atom(n.Items[1])
	return Literal{Atom: a, Negated: true}, ok
}

func (p *parser) atom(n *sexpr.Node) (Atom, bool) {
	head := fold(n.Head())
	switch {
	case head == "":
		p.report(n.Span, "strips.literal", "expected a literal: (name …) or (not (name …))")
		return Atom{}, false
	case beyond[head] != "":
		p.unknown(n.Items[0], "", "", nil)
		return Atom{}, false
	case head == "and" || head == "not" || head == "or" || head == "imply" || head == "forall" || head == "exists" || head == "when":
		p.report(n.Blame(), "strips.literal", "unexpected "+head+"; (not …) contains one atom")
		return Atom{}, false
	case head != Equal && p.name(n.Items[0], "the name of a predicate") == "":
		return Atom{}, false
	}
	a := Atom{Predicate: head, Span: n.Span}
	for _, item := range n.Items[1:] {
		word, variable := strings.CutPrefix(item.Text, "?")
		if item.Kind != sexpr.KindAtom || !isName(word) {
			p.report(item.Span, "strips.term", "expected an object or a parameter")
			return Atom{}, false
		}
		if word = fold(word); variable {
			word = "?" + word
		}
		a.Terms = append(a.Terms, word)
		a.places = append(a.places, item.Span)
	}
	return a, true
}
