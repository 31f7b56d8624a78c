package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
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
	}
	before := c.Before
	text := func(back int) string {
		if i := len(before) - back; i >= 0 {
			return before[i].Text
		}
		return ""
	}
	last := text(1)
	tool, inside := openAtom(before)
	switch {
	case last == "@":
		c.Keywords("time", "agent", "id")
	case last == "." && text(2) == "message":
		c.Keywords("user", "assistant", "system")
	case last == ".":
		c.Keywords("call", "result", "error")
	case inside && (last == "(" || last == ","):
		for _, field := range fieldsOf(c, tool) {
			c.Add(notation.Item{Label: field, Kind: rules.KindField, Insert: quoteRules(field)})
		}
		c.Keywords("@time", "@agent", "@id")
	case inside && last == ":":
		variablesIn(c)
		c.Keywords("_", "in", "has", "~", "true", "false", "null")
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

// openAtom returns the tool of the atom whose patterns contain the position.
func openAtom(before []notation.Word) (tool string, inside bool) {
	depth := 0
	for i := len(before) - 1; i > 0; i-- {
		switch before[i].Text {
		case ")":
			depth++
		case "(":
			if depth--; depth >= 0 {
				continue
			}
			name := before[i-1]
			if i > 2 && before[i-2].Text == "." {
				name = before[i-3]
			}
			return strings.Trim(name.Text, `"`), rules.Plain(name.Text) || name.Quoted || name.Text == "*"
		}
	}
	return "", false
}

func variablesIn(c *notation.Completer) {
	for _, w := range c.Before {
		if strings.HasPrefix(w.Text, "?") {
			c.Add(notation.Item{Label: w.Text, Kind: rules.KindVariable})
		}
	}
}

// toolNames returns the tools that the workspace declares, and those of the file's rules.
func toolNames(c *notation.Completer) []string {
	out := Contracts(c.Workspace.Files).Names()
	file := c.File.Source()
	for _, t := range rules.Parse(file).Words() {
		name := strings.Trim(file.Slice(t.Span), `"`)
		if t.Class == source.ClassTerminal && t.Span.End < c.From && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// fieldsOf returns the fields of a tool: the properties of its declared arguments, and those of the
// file's rules.
func fieldsOf(c *notation.Completer, name string) []string {
	out := Contracts(c.Workspace.Files).Fields(name)
	for _, o := range rules.Occurrences(c.File.Source()) {
		if o.Kind == rules.KindField && (o.Of == name || name == "*") && !slices.Contains(out, o.Name) {
			out = append(out, o.Name)
		}
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
