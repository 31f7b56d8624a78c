package language

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// lexRules returns the words of a file.
func lexRules(file *source.File) (out []notation.Word) {
	for _, t := range rules.Parse(file).Words() {
		out = append(out, notation.Word{Span: t.Span, Comment: t.Class == source.ClassComment})
	}
	return out
}

// completeRules completes formulas, fields and values.
func completeRules(c *notation.Completer) {
	// A sign that ends at the position is complete.
	if c.Inside != nil && c.Inside.Span.End == c.Place && strings.IndexByte(".:@&|!", c.Inside.Text[0]) >= 0 {
		c.Before, c.From = append(c.Before, *c.Inside), c.Place
		c.Inside = nil
	}
	before := c.Before
	text := func(back int) string {
		if i := len(before) - back; i >= 0 {
			return before[i].Text
		}
		return ""
	}
	last := text(1)
	p, inside := openAtom(before)
	switch {
	case last == "@":
		c.Keywords("time", "agent", "id")
	case inside && p.value:
		valuesIn(c, p)
		if last == ":" && (c.Inside == nil || !c.Inside.Quoted) {
			variablesIn(c)
			c.Keywords("_", "in", "has", "~", "true", "false", "null")
		}
	case inside && (last == "(" || last == "," || last == "."):
		for _, field := range fieldsOf(c, p.kind, p.tool, p.path) {
			c.Add(notation.Item{Label: field, Kind: rules.KindField, Insert: quoteRules(field)})
		}
		if last != "." {
			c.Keywords("@time", "@agent", "@id")
		}
	case last == "." && text(2) == "message":
		c.Keywords("user", "assistant", "system")
	case last == ".":
		c.Keywords("call", "result", "error")
	case last == "for" || last == "distinct":
		variablesIn(c)
	case last == ")":
		c.Keywords("->", "&", "|", "since")
	default:
		for _, name := range toolNames(c) {
			c.Add(notation.Item{Label: name, Kind: rules.KindTool, Insert: quoteRules(name)})
		}
		variablesIn(c)
		c.Keywords("once", "historically", "previous", "!", "count", "sum", "min", "max", "message", "end")
	}
}

// quoteRules returns a name as it is written in a rule.
func quoteRules(name string) string {
	if rules.Plain(name) {
		return name
	}
	text, _ := json.Marshal(name) // cannot fail
	return string(text)
}

// patternPlace is a position in the patterns of an atom: after the segments of a path, or, if value is
// true, after its colon.
type patternPlace struct {
	kind, tool string
	path       []string
	value      bool
}

// openAtom returns the place in the atom whose patterns contain the position.
func openAtom(before []notation.Word) (p patternPlace, inside bool) {
	depth, from := 0, -1
	for i := len(before) - 1; i > 0; i-- {
		switch before[i].Text {
		case ")":
			depth++
		case ",":
			if depth == 0 && from < 0 {
				from = i + 1
			}
		case "(":
			if depth--; depth >= 0 {
				continue
			}
			if before[i-1].Text == "in" { // a list of values
				depth, from = 0, -1
				continue
			}
			if from < 0 {
				from = i + 1
			}
			p.read(before[from:])
			return p, p.name(before[:i])
		}
	}
	return p, false
}

// read reads a pattern that may be unfinished.
func (p *patternPlace) read(words []notation.Word) {
	for _, w := range words {
		switch w.Text {
		case ":":
			p.value = true
			return
		case ".":
		default:
			p.path = append(p.path, unquoteRules(w))
		}
	}
}

// name reads the kind and the tool of an atom from the words before its parenthesis.
func (p *patternPlace) name(words []notation.Word) bool {
	name := words[len(words)-1]
	p.kind = "call"
	if n := len(words); n > 2 && words[n-2].Text == "." {
		p.kind, name = name.Text, words[n-3]
	}
	p.tool = unquoteRules(name)
	if name.Text == "message" {
		p.kind, p.tool = "message", "*"
	}
	return p.kind == "message" || rules.Plain(name.Text) || name.Quoted || name.Text == "*"
}

func unquoteRules(w notation.Word) string {
	out := w.Text
	if w.Quoted && json.Unmarshal([]byte(w.Text), &out) != nil {
		return w.Text
	}
	return out
}

// valuesIn offers the values of an enumeration.
func valuesIn(c *notation.Completer, p patternPlace) {
	d, _ := Contracts(c.Workspace.Files).Domain(p.kind, p.tool, p.path)
	for _, v := range d.Values {
		i := notation.Item{Label: string(v.JSON()), Kind: "value"}
		if w := c.Inside; w != nil && w.Quoted {
			if i.Label[0] != '"' {
				continue
			}
			if w.Span.End == c.Place+1 && strings.HasSuffix(w.Text, `"`) { // its quote follows the position
				i.Insert = i.Label[:len(i.Label)-1]
			}
		}
		c.Add(i)
	}
}

func variablesIn(c *notation.Completer) {
	for _, w := range c.Before {
		if strings.HasPrefix(w.Text, "?") {
			c.Add(notation.Item{Label: w.Text, Kind: rules.KindVariable})
		}
	}
}

// toolNames returns the tools that the workspace declares, those of its runs and its agents, and those of
// the file's rules.
func toolNames(c *notation.Completer) []string {
	out := Contracts(c.Workspace.Files).Names()
	for _, e := range seenEvents(c.Workspace.Files) {
		if e.Kind != "message" && e.Kind != "end" {
			out = append(out, e.Name)
		}
	}
	for _, f := range c.Workspace.Files {
		if workspace.KindOf(f.Name) == workspace.KindAgent {
			out = append(out, toolsOfAgent(f)...)
		}
	}
	file := c.File.Source()
	for _, t := range rules.Parse(file).Words() {
		if t.Class == source.ClassTerminal && t.Span.End < c.From {
			out = append(out, strings.Trim(file.Slice(t.Span), `"`))
		}
	}
	return out
}

// fieldsOf returns the fields at a path of the events of a kind and a tool: those that contracts declare,
// those of the runs of the workspace, and those of the file's rules.
func fieldsOf(c *notation.Completer, kind, tool string, path []string) []string {
	contracts, seen, file := Contracts(c.Workspace.Files), seenEvents(c.Workspace.Files), rules.Parse(c.File.Source())
	at := func(kind string, path []string) []string {
		out := contracts.Fields(kind, tool, path)
		for _, e := range seen {
			if e.Kind == kind && (tool == "*" || e.Name == tool) {
				out = append(out, e.FieldsAt(path)...)
			}
		}
		return append(out, file.Fields(kind, tool, path)...)
	}
	out := at(kind, path)
	answers := kind == "result" || kind == "error"
	switch {
	case len(path) > 0 && answers && path[0] == "input":
		return append(out, at("call", path[1:])...)
	case len(path) > 0:
		return out
	case kind == "result" && len(out) == 0:
		out = append(out, "value")
	case kind == "message" || kind == "error":
		out = append(out, "text")
	}
	if answers {
		out = append(out, "input")
	}
	return out
}

func describeRules(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	switch s.Kind {
	case rules.KindRule:
		for _, r := range rules.Parse(d.File).Rules {
			if r.Name == s.Name && r.Formula != nil {
				c.Add(d.File.Slice(r.Formula.Span))
				return
			}
		}
	case rules.KindVariable:
		for _, r := range rules.Parse(d.File).Rules {
			for _, v := range r.ForAll {
				if r.Name == s.Of && v.Name == s.Name {
					c.Add("The rule holds for each value of this variable on the left of the arrow.")
					return
				}
			}
		}
		if strings.Contains(s.Of, " ") {
			c.Add("The aggregate collects the values of this variable.")
			return
		}
		c.Add("Some value that makes its operand true.")
	case rules.KindTool:
		c.Add("Matches calls of this tool, or its results or errors.")
	case rules.KindField:
		c.Add("A field of " + s.Of + ".")
		if text := Contracts(d.Files).Describe(s.Of, strings.Split(s.Name, ".")); text != "" {
			c.Add("Type: " + text + ".")
		}
	}
}
