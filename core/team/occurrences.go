package team

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindTeam     = "team"
	KindExecutor = "executor"
	KindTool     = "tool" // defined by the workspace
	KindFile     = "file" // defined by the workspace
)

// Occurrences returns the places of the names of the team, its executors, their tools and
// files, including the names in formulas and checks.
func Occurrences(file *source.File) []source.Occurrence {
	spec, _ := Parse(file)
	if spec.tree == nil || len(spec.tree.Nodes) == 0 || !spec.defined {
		return nil
	}
	o := &occurrences{spec: spec}
	if spec.Name != "" {
		o.add(KindTeam, spec.Name, spec.NameSpan, true)
	}
	for _, section := range spec.tree.Nodes[0].Items {
		switch section.Head() {
		case ":executors":
			for _, e := range section.Items[1:] {
				o.executor(e)
			}
		case ":local", ":global":
			o.constraints(section)
		case ":shape":
			o.strings(KindFile, section)
		}
	}
	return o.out
}

type occurrences struct {
	spec *Spec
	out  []source.Occurrence
}

func (o *occurrences) add(kind, name string, span source.Span, defines bool) {
	o.out = append(o.out, source.Occurrence{Kind: kind, Name: name, Span: span, Defines: defines})
}

func (o *occurrences) strings(kind string, n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind == sexpr.KindString {
			o.add(kind, item.Text, item.Span, false)
		}
	}
}

func (o *occurrences) executor(n *sexpr.Node) {
	if n.Head() == "" {
		return
	}
	o.add(KindExecutor, n.Head(), n.Items[0].Span, true)
	for _, property := range n.Items[1:] {
		switch property.Head() {
		case ":agent":
			o.strings(KindFile, property)
		case ":tools":
			o.strings(KindTool, property)
		case ":constraints":
			o.constraints(property)
		}
	}
}

// constraints adds the executors and tools in formulas and checks.
func (o *occurrences) constraints(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if len(item.Items) < 2 || item.Items[1].Kind != sexpr.KindString {
			continue
		}
		text := item.Items[1]
		places := text.Places(o.spec.File)
		inside := func(kind, name string, start, end int) {
			o.add(kind, name, placeIn(places, source.Span{Start: source.Pos(start), End: source.Pos(end)}), false)
		}
		switch item.Head() {
		case "ltl":
			for _, p := range ltl.Occurrences(source.NewFile("", text.Text)) {
				if kind, name, at := o.named(p); kind != "" {
					inside(kind, name, at, at+len(name))
				}
			}
		case "check":
			e, _ := ParseExpression(text.Text)
			if e == nil {
				continue
			}
			e.root.each(func(n *node) {
				if n.kind == kindCall && n.name == "of" && n.of[0].kind == kindLiteral && o.spec.Executor(n.of[0].value.Text) != nil {
					inside(KindExecutor, n.of[0].value.Text, int(n.of[0].span.Start)+1, int(n.of[0].span.End)-1)
				}
			})
		}
	}
}

// named returns the name after the dot of a proposition, and its offset.
func (o *occurrences) named(p source.Occurrence) (kind, name string, at int) {
	if p.Kind != ltl.KindProposition {
		return "", "", 0
	}
	quote := 0
	if p.Span.Len() == len(p.Name)+2 {
		quote = 1
	} else if p.Span.Len() != len(p.Name) {
		return "", "", 0
	}
	for i := range len(p.Name) {
		if p.Name[i] != '.' {
			continue
		}
		name = p.Name[i+1:]
		at = int(p.Span.Start) + quote + i + 1
		switch {
		case p.Name[:i] == EventCalled:
			return KindTool, name, at
		case o.spec.Executor(name) != nil:
			return KindExecutor, name, at
		}
		break
	}
	return "", "", 0
}
