package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Limits of a specification, far above the size of any agent.
const (
	MaxStates   = 1_000
	MaxBound    = 10_000 // of a loop
	MaxExamples = 100
	MaxContent  = 1_000_000 // tokens
)

// Parse reads an agent. It always returns a tree of the parsed part and every problem that it
// found.
//
// Faults of the formulas in (:require …) are explained; see [ltl.ParsePlain] for the
// parts that [ParsePlain] omits.
func Parse(file *source.File) (*Spec, []source.Diagnostic) { return parse(file, ltl.Parse) }

// ParsePlain is [Parse] with [ltl.ParsePlain], for the core module.
func ParsePlain(file *source.File) (*Spec, []source.Diagnostic) { return parse(file, ltl.ParsePlain) }

func parse(file *source.File, formulas func(file *source.File) ([]ltl.Named, []source.Diagnostic)) (*Spec, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := parser{formulas: formulas, spec: &Spec{File: file, tree: tree}, found: found, index: map[string]int{}, broken: len(found) > 0}
	if len(tree.Nodes) == 0 {
		if !p.broken {
			p.errorAt(source.Span{}, "agent.empty", `no agent yet; add one, such as (define a (:states (s (:text "[S]"))) (:behavior (next s)))`)
		}
		return p.spec, p.found
	}
	if slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "sexpr.depth" }) {
		return p.spec, p.found // each use of a state past the limit would be reported as unknown
	}
	p.define(tree.Nodes[0])
	if rest := tree.Nodes[1:]; len(rest) > 0 && p.spec.defined {
		// One diagnostic for all lists.
		p.warnAt(rest[0].Span.Join(rest[len(rest)-1].Span), "agent.further", "ignored: only the first definition of a file is used")
	}
	source.Sort(p.found)
	return p.spec, p.found
}

type parser struct {
	formulas func(file *source.File) ([]ltl.Named, []source.Diagnostic)
	spec     *Spec
	found    []source.Diagnostic
	index    map[string]int // of states by name
	names    []string
	broken   bool // parentheses or quotes are wrong, so missing parts may be elsewhere
}

func (p *parser) errorAt(span source.Span, code, message string, notes ...source.Note) {
	p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

func (p *parser) warnAt(span source.Span, code, message string) {
	p.found = append(p.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
}

// unknown reports a word that is not among the candidates.
func (p *parser) unknown(n *sexpr.Node, code, what string, candidates []string) {
	p.found = append(p.found, n.Unknown(code, what, candidates))
}

// head returns the span at which faults of a list are reported.
func head(n *sexpr.Node) source.Span { return n.Blame() }

func (p *parser) define(n *sexpr.Node) {
	p.spec.at = head(n)
	if n.Head() != "define" {
		p.errorAt(head(n), "agent.define", "expected (define name …)")
		return
	}
	p.spec.defined = true
	items := n.Items[1:]
	if len(items) > 0 && items[0].Kind == sexpr.KindAtom && !strings.HasPrefix(items[0].Text, ":") {
		p.spec.Name, p.spec.NameSpan = items[0].Text, items[0].Span
		items = items[1:]
	} else {
		p.errorAt(n.Items[0].Span, "agent.name", "missing name of the agent: (define name …)")
	}
	var states, behavior, require, prompt, examples *sexpr.Node
	for _, item := range items {
		switch item.Head() {
		case ":states":
			p.once(&states, item)
		case ":behavior", ":behaviour":
			p.once(&behavior, item)
		case ":require":
			p.once(&require, item)
		case ":prompt":
			p.once(&prompt, item)
		case ":examples":
			p.once(&examples, item)
		default:
			if item.Kind == sexpr.KindList && len(item.Items) > 0 && item.Items[0].Kind == sexpr.KindAtom {
				p.unknown(item.Items[0], "agent.section", "section", sections)
			} else {
				p.errorAt(item.Span, "agent.misplaced", "expected (:states …), (:behavior …), (:require …), (:prompt …) or (:examples …)")
			}
		}
	}
	if states == nil && !p.broken {
		p.errorAt(p.spec.at, "agent.states-missing", "missing states; add (:states (name (:text \"[Name]\")) …)")
	}
	if states != nil {
		p.states(states)
	}
	if behavior == nil && !p.broken {
		p.errorAt(p.spec.at, "agent.behavior-missing", "missing behaviour; add (:behavior (next …))")
	}
	if behavior != nil {
		p.behavior(behavior)
	}
	if require != nil {
		p.require(require)
	}
	if prompt != nil {
		if list := p.files(prompt, 1); len(list) > 0 {
			p.spec.Prompt = list[0]
		}
	}
	if examples != nil {
		p.spec.Examples = p.files(examples, MaxExamples)
	}
}

// files parses a section that names files and reports the first one after most.
func (p *parser) files(n *sexpr.Node, most int) []FileName {
	var out []FileName
	for _, item := range n.Items[1:] {
		switch {
		case item.Kind != sexpr.KindString || strings.TrimSpace(item.Text) == "":
			p.errorAt(head(item), "agent.file", fmt.Sprintf(`expected a quoted file name, such as (%s "%s.txt")`, n.Head(), strings.TrimPrefix(n.Head(), ":")))
		case len(out) == most:
			p.errorAt(item.Span, "agent.file", fmt.Sprintf("too many files in %s (maximum %d)", n.Head(), most))
			return out
		default:
			out = append(out, FileName{item.Text, item.Span})
		}
	}
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.file", fmt.Sprintf(`expected a quoted file name after %s`, n.Head()))
	}
	return out
}

func (p *parser) once(into **sexpr.Node, n *sexpr.Node) {
	if *into != nil {
		p.errorAt(head(n), "agent.twice", "duplicate "+n.Head(), source.Note{Span: head(*into), Message: "first definition"})
		return
	}
	*into = n
}

func (p *parser) states(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindList || len(item.Items) == 0 || item.Items[0].Kind != sexpr.KindAtom {
			p.errorAt(item.Span, "agent.state-form", `expected a state such as (name (:text "[Name]"))`)
			continue
		}
		if len(p.spec.States) == MaxStates {
			p.errorAt(item.Span, "limit.agent-states", fmt.Sprintf("too many states (maximum %d)", MaxStates))
			p.names = nil // the names of the other states are unknown
			return
		}
		name := item.Items[0]
		if first, ok := p.index[name.Text]; ok {
			p.errorAt(name.Span, "agent.state-twice", fmt.Sprintf("duplicate state %q", name.Text),
				source.Note{Span: p.spec.States[first].Span, Message: "first definition"})
			continue
		}
		if _, operator := operators[operatorName(name.Text)]; operator {
			p.errorAt(name.Span, "agent.state-name", fmt.Sprintf("%q is an operator and cannot be the name of a state", name.Text))
			continue
		}
		s := State{Name: name.Text, Span: name.Span, TextSpan: name.Span}
		p.properties(item, &s)
		p.index[s.Name] = len(p.spec.States)
		p.names = append(p.names, s.Name)
		p.spec.States = append(p.spec.States, s)
	}
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.states-missing", `no states yet; add one, such as (Ques (:text "[Question]"))`)
	}
	p.texts()
	p.aliases()
}

var (
	sections      = []string{":states", ":behavior", ":require", ":prompt", ":examples"}
	stateSections = []string{":text", ":flags", ":one-of", ":matches", ":max-tokens", ":aliases", ":from"}
	flags         = []string{":env-input", ":empty"}
)

// texts reports prompts that are equal, or a prefix of another.
func (p *parser) texts() {
	for i, s := range p.spec.States {
		for _, earlier := range p.spec.States[:i] {
			if s.Text == "" || earlier.Text == "" {
				continue
			}
			note := source.Note{Span: earlier.TextSpan, Message: "other prompt"}
			switch {
			case s.Text == earlier.Text:
				p.errorAt(s.TextSpan, "agent.text-twice", fmt.Sprintf("ambiguous: %q and %q have the same prompt %q", earlier.Name, s.Name, s.Text), note)
			case strings.HasPrefix(s.Text, earlier.Text) || strings.HasPrefix(earlier.Text, s.Text):
				p.found = append(p.found, source.Diagnostic{
					Code: "agent.text-prefix", Severity: source.SeverityInfo, Span: s.TextSpan, Notes: []source.Note{note},
					Message: fmt.Sprintf("the prompt of %q or %q is a prefix of the other; the longer match wins", earlier.Name, s.Name),
				})
			}
		}
	}
}

// operators maps each operator to its minimum and maximum number of arguments.
var operators = map[string][2]int{
	"next": {1, 1 << 30}, "or": {1, 1 << 30}, "until": {2, 2}, "always": {1, 1},
	"and": {1, 1 << 30}, "not": {1, 1}, "->": {2, 2}, "eventually": {1, 1},
}

var operatorNames = []string{"next", "or", "until", "always", "and", "not", "->", "eventually"}

// operatorName returns the name of an operator without its bounds.
func operatorName(text string) string {
	for _, name := range []string{"until", "always"} {
		if rest, ok := strings.CutPrefix(text, name+"_"); ok && strings.Trim(rest, "0123456789_") == "" {
			return name
		}
	}
	return text
}

func (p *parser) behavior(n *sexpr.Node) {
	p.spec.at = head(n)
	if len(n.Items) != 2 {
		p.errorAt(head(n), "agent.behavior-one", "expected exactly one formula after :behavior")
		return
	}
	before := len(p.found)
	b := p.formula(n.Items[1], true)
	if b != nil && !source.HasErrors(p.found[before:]) {
		p.spec.Behavior = b
		p.spec.at = b.Span()
	}
}

// formula parses a behaviour; last states that nothing follows the behaviour. The recursion is no
// deeper than the s-expression, whose depth is limited.
func (p *parser) formula(n *sexpr.Node, last bool) Behavior {
	switch n.Kind {
	case sexpr.KindAtom:
		if i, ok := p.index[n.Text]; ok {
			return Step{State: i, span: n.Span}
		}
		if len(p.names) > 0 { // otherwise the fault is the missing states
			p.unknown(n, "agent.state-unknown", "state", p.names)
		}
		return nil
	case sexpr.KindString:
		p.errorAt(n.Span, "agent.formula", "unexpected quoted text; a behaviour consists of states and operators")
		return nil
	}
	name, bounds, ok := p.operator(n)
	if !ok {
		return nil
	}
	if name == "always" && !bounds.Bounded && !last {
		p.errorAt(n.Items[0].Span, "agent.always-tail", `unreachable: "always" never ends, so nothing can follow it`)
	}
	of := make([]Behavior, 0, len(n.Items)-1)
	for i, item := range n.Items[1:] {
		final := i == len(n.Items)-2
		follows := name == "always" || (name == "next" || name == "until") && !final
		of = append(of, p.formula(item, last && !follows))
	}
	for _, b := range of {
		if b == nil {
			return nil
		}
	}
	return operation(name, of, bounds, n.Span)
}

// operator reads the operator of a list and checks the number of its arguments.
func (p *parser) operator(n *sexpr.Node) (name string, bounds Bounds, ok bool) {
	if len(n.Items) == 0 || n.Items[0].Kind != sexpr.KindAtom {
		p.errorAt(n.Span, "agent.formula", "expected an operator: (next …), (until …), (or …) or (always …)")
		return "", Bounds{}, false
	}
	operator := n.Items[0]
	name = operatorName(operator.Text)
	arity, ok := operators[name]
	if !ok {
		if _, isState := p.index[operator.Text]; isState {
			p.errorAt(operator.Span, "agent.operator", fmt.Sprintf("expected an operator, but %q is a state; write (next %s …)", operator.Text, operator.Text))
		} else {
			p.unknown(operator, "agent.operator", "operator", operatorNames)
		}
		return "", Bounds{}, false
	}
	if bounds, ok = p.bounds(operator); !ok {
		return "", Bounds{}, false
	}
	if got := len(n.Items) - 1; got < arity[0] || got > arity[1] {
		p.errorAt(operator.Span, "agent.arity", fmt.Sprintf("%q expects %s, not %d", name, arityText(arity), got))
		return "", Bounds{}, false
	}
	return name, bounds, true
}

// operation returns the behaviour of an operator with its arguments.
func operation(name string, of []Behavior, bounds Bounds, span source.Span) Behavior {
	switch name {
	case "or":
		return Or{Of: of, span: span}
	case "next":
		return Next{Of: of, span: span}
	case "until":
		return Until{Loop: of[0], Then: of[1], Bounds: bounds, span: span}
	case "and":
		return And{Of: of, span: span}
	case "not":
		return Not{Of: of[0], span: span}
	case "->":
		return Implies{If: of[0], Then: of[1], span: span}
	case "eventually":
		return Eventually{Of: of[0], span: span}
	default:
		return Always{Loop: of[0], Bounds: bounds, span: span}
	}
}

func arityText(arity [2]int) string {
	switch {
	case arity[0] == arity[1] && arity[0] == 1:
		return "one formula"
	case arity[0] == arity[1]:
		return strconv.Itoa(arity[0]) + " formulas"
	default:
		return "at least one formula"
	}
}

// bounds parses _M or _m_M after an operator's name.
func (p *parser) bounds(operator *sexpr.Node) (Bounds, bool) {
	_, text, bounded := strings.Cut(operator.Text, "_")
	if !bounded {
		return Bounds{}, true
	}
	var numbers []int
	for _, part := range strings.Split(text, "_") {
		n, err := strconv.Atoi(part)
		if err != nil || n > MaxBound {
			p.errorAt(operator.Span, "agent.bound", fmt.Sprintf("invalid bound; use whole numbers up to %d, such as until_5 or until_2_5", MaxBound))
			return Bounds{}, false
		}
		numbers = append(numbers, n)
	}
	b := Bounds{Bounded: true, Max: numbers[len(numbers)-1]}
	if len(numbers) == 2 && strings.HasPrefix(operator.Text, "until_") {
		b.Min = numbers[0]
	}
	if len(numbers) > 2 || len(numbers) == 2 && strings.HasPrefix(operator.Text, "always_") || b.Min > b.Max || b.Max == 0 {
		p.errorAt(operator.Span, "agent.bound", "invalid bounds; write until_5 (at most 5), until_2_5 (2 to 5) or always_5")
		return Bounds{}, false
	}
	return b, true
}
