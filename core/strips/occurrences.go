package strips

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence]. Predicates, functions, actions, types and constants belong to their
// domain, so that they are the same in the files of its problems; parameters belong to
// their action or predicate, objects to their problem.
const (
	KindDomain    = "domain"
	KindProblem   = "problem"
	KindType      = "type"
	KindPredicate = "predicate"
	KindFunction  = "function"
	KindAction    = "action"
	KindParameter = "parameter" // Name has no question mark, the span includes it
	KindObject    = "object"
)

// Occurrences returns the places of all names of a domain and a problem.
func Occurrences(file *source.File) []source.Occurrence {
	tree, _ := sexpr.Parse(file)
	o := &occurrences{}
	for _, n := range tree.Nodes {
		o.define(n)
	}
	return o.out
}

type occurrences struct {
	out     []source.Occurrence
	domain  string
	objects map[string]bool // of the problem
}

func (o *occurrences) add(kind, of string, n *sexpr.Node, defines bool) {
	if n.Kind != sexpr.KindAtom || !isName(n.Text) {
		return
	}
	o.out = append(o.out, source.Occurrence{Kind: kind, Of: of, Name: fold(n.Text), Span: n.Span, Defines: defines})
}

// heads returns the name and the sections of a define.
func heads(n *sexpr.Node) (kind string, name *sexpr.Node, sections []*sexpr.Node) {
	if fold(n.Head()) != "define" || len(n.Items) < 2 || len(n.Items[1].Items) < 2 {
		return "", nil, nil
	}
	return fold(n.Items[1].Head()), n.Items[1].Items[1], n.Items[2:]
}

func (o *occurrences) define(n *sexpr.Node) {
	kind, name, sections := heads(n)
	switch kind {
	case KindDomain:
		o.domain = fold(name.Text)
		o.add(KindDomain, "", name, true)
	case KindProblem:
		o.add(KindProblem, "", name, true)
		o.objects = map[string]bool{}
		for _, s := range sections {
			switch fold(s.Head()) {
			case ":domain":
				if len(s.Items) == 2 {
					o.domain = fold(s.Items[1].Text)
					o.add(KindDomain, "", s.Items[1], false)
				}
			case ":objects":
				for _, item := range s.Items[1:] {
					o.objects[fold(item.Text)] = true
				}
			}
		}
	default:
		return
	}
	for _, s := range sections {
		o.section(s)
	}
}

func (o *occurrences) section(s *sexpr.Node) {
	if len(s.Items) == 0 {
		return
	}
	switch fold(s.Head()) {
	case ":types":
		o.typed(KindType, o.domain, s.Items[1:])
	case ":constants":
		o.typed(KindObject, o.domain, s.Items[1:])
	case ":objects":
		o.typed(KindObject, "", s.Items[1:])
	case ":predicates", ":functions":
		kind := KindPredicate
		if fold(s.Head()) == ":functions" {
			kind = KindFunction
		}
		for _, item := range s.Items[1:] {
			if item.Head() != "" {
				o.add(kind, o.domain, item.Items[0], true)
				o.typed(KindParameter, "("+fold(item.Head()), item.Items[1:])
			}
		}
	case ":derived":
		if len(s.Items) == 3 && s.Items[1].Head() != "" {
			of := "(:derived " + strconv.Itoa(int(s.Span.Start))
			o.add(KindPredicate, o.domain, s.Items[1].Items[0], false)
			o.typed(KindParameter, of, s.Items[1].Items[1:])
			o.literals(s.Items[2], of, "", false)
		}
	case ":action":
		o.action(s)
	case ":init", ":goal", ":metric":
		for _, item := range s.Items[1:] {
			o.literals(item, "", "", fold(s.Head()) == ":metric")
		}
	}
}

func (o *occurrences) action(s *sexpr.Node) {
	if len(s.Items) < 2 {
		return
	}
	o.add(KindAction, o.domain, s.Items[1], true)
	of := fold(s.Items[1].Text)
	for i := 2; i+1 < len(s.Items); i++ {
		part := s.Items[i+1]
		switch {
		case part.Kind != sexpr.KindList:
		case fold(s.Items[i].Text) == ":parameters":
			o.typed(KindParameter, of, part.Items)
		default:
			o.literals(part, of, "", false)
		}
	}
}

// typed adds names with their types.
func (o *occurrences) typed(kind, of string, items []*sexpr.Node) {
	for i := 0; i < len(items); i++ {
		n := items[i]
		switch {
		case n.Text == "-" && i+1 < len(items):
			i++
			for _, option := range items[i].Items[min(1, len(items[i].Items)):] { // (either a b)
				o.add(KindType, o.domain, option, false)
			}
			if fold(items[i].Text) != Object {
				o.add(KindType, o.domain, items[i], false)
			}
		case kind == KindParameter:
			o.parameter(n, of, true)
		default:
			o.add(kind, of, n, true)
		}
	}
}

func (o *occurrences) parameter(n *sexpr.Node, of string, defines bool) {
	if name, ok := strings.CutPrefix(n.Text, "?"); ok && n.Kind == sexpr.KindAtom && isName(name) {
		o.out = append(o.out, source.Occurrence{Kind: KindParameter, Of: of, Name: fold(name), Span: n.Span, Defines: defines})
	}
}

// literals adds the names of a condition, an effect or a number. The variables of quantifiers
// belong to the action or, in a problem, to its goal; quantified is "" outside of them.
func (o *occurrences) literals(n *sexpr.Node, of, quantified string, number bool) {
	head := fold(n.Head())
	switch {
	case head == "":
	case (head == "forall" || head == "exists") && len(n.Items) > 1 && n.Items[1].Kind == sexpr.KindList:
		if quantified = of; of == "" {
			quantified = "(goal"
		}
		o.typed(KindParameter, quantified, n.Items[1].Items)
		for _, item := range n.Items[2:] {
			o.literals(item, of, quantified, false)
		}
	case contains([]string{"and", "or", "not", "imply", "when", "forall", "exists"}, head):
		for _, item := range n.Items[1:] {
			o.literals(item, of, quantified, false)
		}
	case contains(comparisons, head), contains(changes, head), number && contains(arithmetic, head), head == Equal && len(n.Items) > 1 && n.Items[1].Kind == sexpr.KindList:
		for _, item := range n.Items[1:] {
			o.literals(item, of, quantified, true)
		}
	default:
		kind := KindPredicate
		if number {
			kind = KindFunction
		}
		o.add(kind, o.domain, n.Items[0], false)
		o.terms(n.Items[1:], of, quantified)
	}
}

func (o *occurrences) terms(items []*sexpr.Node, of, quantified string) {
	for _, item := range items {
		switch {
		case strings.HasPrefix(item.Text, "?") && of == "":
			o.parameter(item, quantified, false)
		case strings.HasPrefix(item.Text, "?"):
			o.parameter(item, of, false)
		case of == "" && o.objects[fold(item.Text)]:
			o.add(KindObject, "", item, false)
		default:
			o.add(KindObject, o.domain, item, false)
		}
	}
}
