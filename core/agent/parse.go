package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Limits of a specification, far above what any agent has.
const (
	MaxStates   = 1_000
	MaxBound    = 10_000 // of a loop
	MaxExamples = 100
	MaxContent  = 1_000_000 // tokens
)

// Parse reads an agent. It always returns what it understood, and every problem
// it met.
func Parse(file *source.File) (*Spec, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := parser{spec: &Spec{File: file, tree: tree}, found: found, index: map[string]int{}, broken: len(found) > 0}
	if len(tree.Nodes) == 0 {
		if !p.broken {
			p.errorAt(source.Span{}, "agent.empty", `there is no agent yet; write one such as (define a (:states (s (:text "[S]"))) (:behavior (next s)))`)
		}
		return p.spec, p.found
	}
	if slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "sexpr.depth" }) {
		return p.spec, p.found // what was cut off there would be missed everywhere
	}
	p.define(tree.Nodes[0])
	if rest := tree.Nodes[1:]; len(rest) > 0 && p.spec.defined {
		// One for all of it, however many lists that is.
		p.warnAt(rest[0].Span.Join(rest[len(rest)-1].Span), "agent.further", "only the first definition of a file is used; what follows it is passed over")
	}
	source.Sort(p.found)
	return p.spec, p.found
}

type parser struct {
	spec   *Spec
	found  []source.Diagnostic
	index  map[string]int // of states by name
	names  []string
	broken bool // parentheses or quotes are wrong, so what is missing may be elsewhere
}

func (p *parser) errorAt(span source.Span, code, message string, notes ...source.Note) {
	p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

func (p *parser) warnAt(span source.Span, code, message string) {
	p.found = append(p.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
}

// unknown reports a word that is none of the candidates.
func (p *parser) unknown(n *sexpr.Node, code, what string, candidates []string) {
	p.found = append(p.found, n.Unknown(code, what, candidates))
}

// head returns the span to blame for a whole list.
func head(n *sexpr.Node) source.Span { return n.Blame() }

func (p *parser) define(n *sexpr.Node) {
	p.spec.at = head(n)
	if n.Head() != "define" {
		p.errorAt(head(n), "agent.define", "an agent begins with (define name …)")
		return
	}
	p.spec.defined = true
	items := n.Items[1:]
	if len(items) > 0 && items[0].Kind == sexpr.KindAtom && !strings.HasPrefix(items[0].Text, ":") {
		p.spec.Name, p.spec.NameSpan = items[0].Text, items[0].Span
		items = items[1:]
	} else {
		p.errorAt(n.Items[0].Span, "agent.name", "an agent needs a name: (define name …)")
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
				p.errorAt(item.Span, "agent.misplaced", "only (:states …), (:behavior …), (:require …), (:prompt …) and (:examples …) can stand here")
			}
		}
	}
	if states == nil && !p.broken {
		p.errorAt(p.spec.at, "agent.states-missing", "this agent has no states: add (:states (name (:text \"[Name]\")) …)")
	}
	if states != nil {
		p.states(states)
	}
	if behavior == nil && !p.broken {
		p.errorAt(p.spec.at, "agent.behavior-missing", "this agent has no behaviour: add (:behavior (next …))")
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

// files reads a section of at most so many names of files.
func (p *parser) files(n *sexpr.Node, most int) []FileName {
	var out []FileName
	for _, item := range n.Items[1:] {
		switch {
		case item.Kind != sexpr.KindString || strings.TrimSpace(item.Text) == "":
			p.errorAt(head(item), "agent.file", fmt.Sprintf(`a file is named in quotes: (%s "%s.txt")`, n.Head(), strings.TrimPrefix(n.Head(), ":")))
		case len(out) == most:
			p.errorAt(item.Span, "agent.file", fmt.Sprintf("%s names at most %d", n.Head(), most))
			return out
		default:
			out = append(out, FileName{item.Text, item.Span})
		}
	}
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.file", fmt.Sprintf(`%s is followed by the name of a file in quotes`, n.Head()))
	}
	return out
}

func (p *parser) once(into **sexpr.Node, n *sexpr.Node) {
	if *into != nil {
		p.errorAt(head(n), "agent.twice", n.Head()+" is there twice", source.Note{Span: head(*into), Message: "here first"})
		return
	}
	*into = n
}

func (p *parser) states(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindList || len(item.Items) == 0 || item.Items[0].Kind != sexpr.KindAtom {
			p.errorAt(item.Span, "agent.state-form", `a state is written (name (:text "[Name]"))`)
			continue
		}
		if len(p.spec.States) == MaxStates {
			p.errorAt(item.Span, "limit.agent-states", fmt.Sprintf("an agent has at most %d states", MaxStates))
			p.names = nil // the names of the others are not known
			return
		}
		name := item.Items[0]
		if first, ok := p.index[name.Text]; ok {
			p.errorAt(name.Span, "agent.state-twice", fmt.Sprintf("there are two states %q", name.Text),
				source.Note{Span: p.spec.States[first].Span, Message: "the first is here"})
			continue
		}
		if _, operator := operators[operatorName(name.Text)]; operator {
			p.errorAt(name.Span, "agent.state-name", fmt.Sprintf("%q is an operator and cannot be a state's name", name.Text))
			continue
		}
		s := State{Name: name.Text, Span: name.Span, TextSpan: name.Span}
		p.properties(item, &s)
		p.index[s.Name] = len(p.spec.States)
		p.names = append(p.names, s.Name)
		p.spec.States = append(p.spec.States, s)
	}
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.states-missing", `there is no state; write one such as (Ques (:text "[Question]"))`)
	}
	p.texts()
}

var (
	sections      = []string{":states", ":behavior", ":require", ":prompt", ":examples"}
	stateSections = []string{":text", ":flags", ":one-of", ":matches", ":max-tokens", ":from"}
	flags         = []string{":env-input", ":empty"}
)

func (p *parser) properties(n *sexpr.Node, s *State) {
	hasText := false
	for _, item := range n.Items[1:] {
		switch item.Head() {
		case ":text":
			hasText = true
			if len(item.Items) != 2 || item.Items[1].Kind != sexpr.KindString {
				p.errorAt(head(item), "agent.text-form", `:text is followed by one text in quotes: (:text "[Name]")`)
				continue
			}
			s.Text, s.TextSpan = item.Items[1].Text, item.Items[1].Span
			if strings.TrimSpace(s.Text) == "" {
				p.errorAt(s.TextSpan, "agent.text-empty", "an empty prompt cannot be found in a text; give the state one such as \"[Name]\"")
			}
		case ":flags":
			for _, flag := range item.Items[1:] {
				switch {
				case flag.Kind == sexpr.KindAtom && flag.Text == ":env-input":
					s.EnvInput = true
				case flag.Kind == sexpr.KindAtom && flag.Text == ":empty":
					s.Empty = true
				default:
					p.unknown(flag, "agent.flag", "flag", flags)
				}
			}
		case ":one-of":
			for _, choice := range item.Items[1:] {
				if choice.Kind == sexpr.KindList || strings.TrimSpace(choice.Text) == "" {
					p.errorAt(choice.Span, "agent.one-of", ":one-of is followed by texts in quotes")
					continue
				}
				s.OneOf = append(s.OneOf, choice.Text)
			}
			if len(item.Items) == 1 {
				p.errorAt(head(item), "agent.one-of", ":one-of is followed by at least one text in quotes")
			}
		case ":matches":
			p.matches(item, s)
		case ":max-tokens":
			number := 0
			if len(item.Items) == 2 {
				number, _ = strconv.Atoi(item.Items[1].Text)
			}
			if number < 1 || number > MaxContent {
				p.errorAt(head(item), "agent.max-tokens", fmt.Sprintf(":max-tokens is followed by one whole number from 1 to %d; a state without content is flagged :empty", MaxContent))
				continue
			}
			s.MaxTokens = number
		case ":from":
			p.from(item, s)
		default:
			if item.Kind == sexpr.KindList && len(item.Items) > 0 && item.Items[0].Kind == sexpr.KindAtom {
				p.unknown(item.Items[0], "agent.property", "property", stateSections)
			} else {
				p.errorAt(item.Span, "agent.misplaced", "only properties such as (:text …) can stand here")
			}
		}
	}
	if !hasText {
		p.errorAt(s.Span, "agent.text-missing", fmt.Sprintf("the state %q has no prompt: add (:text \"[%s]\")", s.Name, s.Name))
	}
	switch said := len(s.OneOf) > 0 || s.Matches != "" || s.MaxTokens > 0; {
	case len(s.OneOf) > 0 && s.Matches != "":
		p.errorAt(s.Span, "agent.content-twice", fmt.Sprintf("the content of %q has both :one-of and :matches; one says it all", s.Name))
	case s.Empty && (said || s.EnvInput):
		p.errorAt(s.Span, "agent.content-twice", fmt.Sprintf("the state %q is flagged :empty, so that nothing else is to be said of its content", s.Name))
	case s.From != "" && !s.EnvInput:
		p.errorAt(s.Span, "agent.from", fmt.Sprintf("the content of %q comes from the model; add (:flags :env-input) for :from", s.Name))
	}
}

// matches reads (:matches "pattern").
func (p *parser) matches(n *sexpr.Node, s *State) {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || n.Items[1].Text == "" {
		p.errorAt(head(n), "agent.matches", `:matches is followed by one pattern in quotes: (:matches "[0-9]+")`)
		return
	}
	s.Matches, s.matchesSpan = n.Items[1].Text, n.Items[1].Span
}

// from reads (:from way "file").
func (p *parser) from(n *sexpr.Node, s *State) {
	if len(n.Items) < 2 || len(n.Items) > 3 || n.Items[1].Kind == sexpr.KindList || len(n.Items) == 3 && n.Items[2].Kind != sexpr.KindString {
		p.errorAt(head(n), "agent.from", `:from is followed by a way and, where a model is asked, its prompt's file: (:from summary "summary.txt")`)
		return
	}
	for _, name := range fromNames {
		if n.Items[1].Text == name {
			s.From = name
		}
	}
	if s.From == "" {
		p.unknown(n.Items[1], "agent.from", "way", fromNames)
		return
	}
	if len(n.Items) == 3 {
		s.Prompt = FileName{n.Items[2].Text, n.Items[2].Span}
	}
}

// texts reports prompts that a text cannot tell apart, and those that need care.
func (p *parser) texts() {
	for i, s := range p.spec.States {
		for _, earlier := range p.spec.States[:i] {
			if s.Text == "" || earlier.Text == "" {
				continue
			}
			note := source.Note{Span: earlier.TextSpan, Message: "this prompt"}
			switch {
			case s.Text == earlier.Text:
				p.errorAt(s.TextSpan, "agent.text-twice", fmt.Sprintf("%q and %q have the same prompt, so a text cannot say which is meant", earlier.Name, s.Name), note)
			case strings.HasPrefix(s.Text, earlier.Text) || strings.HasPrefix(earlier.Text, s.Text):
				p.found = append(p.found, source.Diagnostic{
					Code: "agent.text-prefix", Severity: source.SeverityInfo, Span: s.TextSpan, Notes: []source.Note{note},
					Message: fmt.Sprintf("the prompts of %q and %q begin alike; the longer one is taken where both fit", earlier.Name, s.Name),
				})
			}
		}
	}
}

// operators lists how many arguments each operator takes at least and at most.
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
		p.errorAt(head(n), "agent.behavior-one", ":behavior is followed by exactly one formula")
		return
	}
	before := len(p.found)
	b := p.formula(n.Items[1], true)
	if b != nil && !source.HasErrors(p.found[before:]) {
		p.spec.Behavior = b
		p.spec.at = b.Span()
	}
}

// formula reads a behaviour; last says that nothing follows it. It is no deeper
// than the s-expression, which is bounded.
func (p *parser) formula(n *sexpr.Node, last bool) Behavior {
	switch n.Kind {
	case sexpr.KindAtom:
		i, ok := p.index[n.Text]
		if !ok {
			if len(p.names) > 0 { // else the states are what is missing
				p.unknown(n, "agent.state-unknown", "state", p.names)
			}
			return nil
		}
		return Step{State: i, span: n.Span}
	case sexpr.KindString:
		p.errorAt(n.Span, "agent.formula", "a behaviour is made of states and operators, not of texts in quotes")
		return nil
	}
	if len(n.Items) == 0 || n.Items[0].Kind != sexpr.KindAtom {
		p.errorAt(n.Span, "agent.formula", "a formula begins with an operator: (next …), (until …), (or …) or (always …)")
		return nil
	}
	operator := n.Items[0]
	name := operatorName(operator.Text)
	arity, ok := operators[name]
	if !ok {
		if _, isState := p.index[operator.Text]; isState {
			p.errorAt(operator.Span, "agent.operator", fmt.Sprintf("a list begins with an operator, but %q is a state; write (next %s …)", operator.Text, operator.Text))
		} else {
			p.unknown(operator, "agent.operator", "operator", operatorNames)
		}
		return nil
	}
	bounds, ok := p.bounds(operator)
	if !ok {
		return nil
	}
	if got := len(n.Items) - 1; got < arity[0] || got > arity[1] {
		p.errorAt(operator.Span, "agent.arity", fmt.Sprintf("%q takes %s, not %d", name, arityText(arity), got))
		return nil
	}
	if name == "always" && !bounds.Bounded && !last {
		p.errorAt(operator.Span, "agent.always-tail", `nothing comes after "always", so what follows it is never reached`)
	}
	of := make([]Behavior, 0, len(n.Items)-1)
	for i, item := range n.Items[1:] {
		final := i == len(n.Items)-2
		inner := last && (name != "next" && name != "until" && name != "always" || final && name != "always")
		of = append(of, p.formula(item, inner))
	}
	for _, b := range of {
		if b == nil {
			return nil
		}
	}
	switch name {
	case "or":
		return Or{Of: of, span: n.Span}
	case "next":
		return Next{Of: of, span: n.Span}
	case "until":
		return Until{Loop: of[0], Then: of[1], Bounds: bounds, span: n.Span}
	case "and":
		return And{Of: of, span: n.Span}
	case "not":
		return Not{Of: of[0], span: n.Span}
	case "->":
		return Implies{If: of[0], Then: of[1], span: n.Span}
	case "eventually":
		return Eventually{Of: of[0], span: n.Span}
	default:
		return Always{Loop: of[0], Bounds: bounds, span: n.Span}
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

// bounds reads _M or _m_M behind an operator's name.
func (p *parser) bounds(operator *sexpr.Node) (Bounds, bool) {
	_, text, bounded := strings.Cut(operator.Text, "_")
	if !bounded {
		return Bounds{}, true
	}
	var numbers []int
	for _, part := range strings.Split(text, "_") {
		n, err := strconv.Atoi(part)
		if err != nil || n > MaxBound {
			p.errorAt(operator.Span, "agent.bound", fmt.Sprintf("a bound is a whole number up to %d, as in until_5 or until_2_5", MaxBound))
			return Bounds{}, false
		}
		numbers = append(numbers, n)
	}
	b := Bounds{Bounded: true, Max: numbers[len(numbers)-1]}
	if len(numbers) == 2 && strings.HasPrefix(operator.Text, "until_") {
		b.Min = numbers[0]
	}
	if len(numbers) > 2 || len(numbers) == 2 && strings.HasPrefix(operator.Text, "always_") || b.Min > b.Max || b.Max == 0 {
		p.errorAt(operator.Span, "agent.bound", "the bounds of a loop are written until_5 (at most 5), until_2_5 (2 to 5) or always_5, with a maximum of at least 1")
		return Bounds{}, false
	}
	return b, true
}
