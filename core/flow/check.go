package flow

import (
	"fmt"
	"sort"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// check reports unreachable states and missing accepting ends, and collects variables.
func (c *compiler) check(s *Syntax) {
	f := c.f
	reach := make([]bool, len(f.States))
	reach[f.Start] = true
	accepts := false
	for queue := []int{f.Start}; len(queue) > 0; queue = queue[1:] {
		state := f.States[queue[0]]
		accepts = accepts || state.Kind == Accept
		for _, e := range state.Edges {
			if !reach[e.To] {
				reach[e.To] = true
				queue = append(queue, e.To)
			}
		}
	}
	sound := !source.HasErrors(c.found)
	missed := -1 // an accepting end, if none is reached
	for i, is := range reach {
		if state := f.States[i]; sound && !is && !accepts && missed < 0 && state.Kind == Accept && c.declared[state.Name].Span == state.Span {
			missed = i
			c.warnAt(state.Span, "flow.no-accept", fmt.Sprintf("no answers lead to the accepting end %q", state.Name))
		} else if sound && !is && c.declared[state.Name].Span == state.Span {
			c.warnAt(state.Span, "flow.unreachable", fmt.Sprintf("unreachable: no answer leads to %q", state.Name))
		}
	}
	if sound {
		c.checkLoops()
	}
	if sound && !accepts && missed < 0 {
		c.warnAt(f.States[f.Start].Span, "flow.no-accept", `no answers lead to an accepting end; add accept name "…"`)
	}
	known := map[string]bool{}
	note := func(text string) {
		variables(text, func(name string, _ int) {
			if !known[name] {
				known[name] = true
				f.Variables = append(f.Variables, name)
			}
		})
	}
	for _, st := range s.statements {
		switch st := st.(type) {
		case question:
			note(st.text.Text)
		case block:
			for _, q := range st.questions {
				note(q.text.Text)
			}
		case end:
			note(st.text)
		}
	}
}

// checkLoops reports the first question from which no answers lead to an end.
func (c *compiler) checkLoops() {
	f := c.f
	distances := f.leadingTo(Accept, Stop).Distances()
	for i, s := range f.States {
		if distances[f.place(i)] < 0 && i != f.Start {
			c.warnAt(s.Span, "flow.loop", fmt.Sprintf("dead end: no answers of %q lead to an end", s.Name))
			return
		}
	}
}

// CheckVariables warns of each {name} in a text of the file to which no "let" line gives a value;
// the caller of [Flow.Text] may supply such values.
func (f *Flow) CheckVariables(file *source.File) (found []source.Diagnostic) {
	var names []string
	said := map[string]bool{}
	for name := range f.Values {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return names[i] < names[j] })
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Text {
			continue
		}
		variables(file.Slice(t.Span), func(name string, at int) {
			if _, ok := f.Values[name]; ok || said[name] || len(found) >= maxFound {
				return
			}
			said[name] = true
			start := t.Span.Start + source.Pos(at)
			d := source.Diagnostic{
				Code: "flow.variable", Severity: source.SeverityWarning, Span: source.Span{Start: start, End: start + source.Pos(len(name))},
				Message: fmt.Sprintf("unknown variable %q", name),
				Fixes:   []source.Fix{{Title: "Add let " + name, Edits: []source.Edit{{Text: "let " + name + " \"\"\n"}}}},
			}
			if near := source.Nearest(name, names); near != "" {
				d.Message += fmt.Sprintf("; did you mean %q?", near)
				d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: d.Span, Text: near}}}}
			}
			found = append(found, d)
		})
	}
	return found
}
