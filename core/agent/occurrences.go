package agent

import (
	"slices"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindState = "state"
	KindAgent = "agent"
	KindFile  = "file" // a file of the workspace; the agent does not define it
)

// Occurrences returns the occurrences of the names of the agent, its states and files, including
// those in temporal formulas.
func Occurrences(file *source.File) []source.Occurrence {
	spec, _ := Parse(file)
	if spec.tree == nil || len(spec.tree.Nodes) == 0 {
		return nil
	}
	o := &occurrences{}
	if spec.Name != "" {
		o.add(KindAgent, spec.Name, spec.NameSpan, true)
	}
	for _, section := range spec.tree.Nodes[0].Items {
		if len(section.Items) == 0 {
			continue
		}
		switch section.Head() {
		case ":states":
			o.states(section.Items[1:])
		case ":behavior", ":behaviour":
			for _, item := range section.Items[1:] {
				o.behavior(item)
			}
		case ":require":
			for _, item := range section.Items[1:] {
				o.formula(file, item)
			}
		case ":prompt", ":examples":
			o.files(section.Items[1:])
		}
	}
	return o.out
}

type occurrences struct{ out []source.Occurrence }

func (o *occurrences) add(kind, name string, span source.Span, defines bool) {
	o.out = append(o.out, source.Occurrence{Kind: kind, Name: name, Span: span, Defines: defines})
}

func (o *occurrences) states(list []*sexpr.Node) {
	for _, item := range list {
		if item.Head() == "" {
			continue
		}
		o.add(KindState, item.Head(), item.Items[0].Span, true)
		for _, property := range item.Items[1:] {
			if property.Head() == ":from" {
				o.files(property.Items[1:])
			}
		}
	}
}

func (o *occurrences) files(list []*sexpr.Node) {
	for _, item := range list {
		if item.Kind == sexpr.KindString {
			o.add(KindFile, item.Text, item.Span, false)
		}
	}
}

func (o *occurrences) behavior(n *sexpr.Node) {
	switch {
	case n.Kind == sexpr.KindAtom:
		o.add(KindState, n.Text, n.Span, false)
	case n.Kind == sexpr.KindList && len(n.Items) > 0:
		for _, item := range n.Items[1:] { // after the operator
			o.behavior(item)
		}
	}
}

// formula adds the occurrences of states in a quoted formula.
func (o *occurrences) formula(file *source.File, n *sexpr.Node) {
	if n.Kind != sexpr.KindString {
		return
	}
	places := n.Places(file)
	for _, p := range ltl.Occurrences(source.NewFile("", n.Text)) {
		if p.Kind == ltl.KindProposition && int(p.Span.End) < len(places) {
			o.add(KindState, p.Name, source.Span{Start: places[p.Span.Start], End: places[p.Span.End]}, false)
		}
	}
}

// Keywords returns the reserved words of the notation: sections, properties, flags, the
// ways of :from, and operators.
func Keywords() []string {
	return slices.Concat([]string{"define"}, sections, stateSections, flags, fromNames, operatorNames)
}
