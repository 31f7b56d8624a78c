package language

import (
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// form is a list that is open at a place.
type form struct {
	head  string
	items int // behind the head
}

// agent completes an agent: what may stand in a list depends on the lists around it.
func (c *completer) agent() {
	open, in, section, starts := c.around()
	depth := len(open)
	switch {
	case depth == 0:
		c.opening("define")
	case c.inside != nil && c.inside.quoted:
		c.quoted(in.head)
	case depth == 1, depth == 2 && starts:
		c.opening(":states", ":behavior", ":require", ":prompt", ":examples")
	case section == ":states" && (depth == 4 && starts || depth == 3):
		c.opening(":text", ":flags", ":one-of", ":matches", ":max-tokens", ":from")
	case section == ":states" && in.head == ":flags":
		c.keywords(":env-input", ":empty")
	case section == ":states" && in.head == ":from" && in.items == 0:
		c.keywords("tools", "summary", "solver", "evaluator", "person")
	case section == ":behavior" || section == ":behaviour":
		if !starts {
			c.states()
		}
		c.opening("next", "or", "until", "always", "and", "not", "->", "eventually")
	}
}

// around returns the lists that are open at the place, the innermost of them, the head
// of the section, and whether a list begins here.
func (c *completer) around() (open []form, in form, section string, starts bool) {
	if open = c.forms(); len(open) > 0 {
		in = open[len(open)-1]
	}
	if len(open) > 1 {
		section = open[1].head
	}
	return open, in, section, len(c.before) > 0 && c.before[len(c.before)-1].text == "("
}

// forms returns the lists that are open at the place, the outermost first.
func (c *completer) forms() []form {
	var open []form
	for i, p := range c.before {
		switch n := len(open); {
		case p.comment:
		case p.text == "(":
			if n > 0 {
				open[n-1].items++
			}
			open = append(open, form{items: -1})
		case p.text == ")":
			if n > 0 {
				open = open[:n-1]
			}
		case n > 0:
			if open[n-1].items++; c.before[i-1].text == "(" {
				open[n-1].head = p.text
			}
		}
	}
	for i := range open {
		open[i].items = max(open[i].items, 0)
	}
	return open
}

// opening adds words that begin a list, with its parenthesis where that is not
// written yet.
func (c *completer) opening(words ...string) {
	c.keywords(words...)
	n := len(c.before)
	if n > 0 && c.before[n-1].text == "(" {
		return
	}
	for i := range c.items {
		if c.items[i].Kind == "keyword" {
			c.items[i].Insert = "(" + c.items[i].Label
		}
	}
}

// states adds the agent's states.
func (c *completer) states() {
	spec, _ := agent.Parse(c.f.Source())
	for _, s := range spec.States {
		c.add(Item{Label: s.Name, Kind: agent.KindState, Detail: s.Text})
	}
}

// quoted completes a text in quotes: the name of a file, or a formula.
func (c *completer) quoted(head string) {
	written := c.f.Text[c.inside.span.Start+1 : c.place]
	switch head {
	case ":prompt", ":examples", ":from":
		c.from = c.inside.span.Start + 1
		for _, f := range c.w.Files {
			if workspace.KindOf(f.Name) == workspace.KindText {
				c.add(Item{Label: f.Name, Kind: agent.KindFile})
			}
		}
	case ":require":
		// The formula as if it were a file, up to the word that has been begun.
		formula := workspace.File{Name: "require." + string(workspace.KindFormulas), Text: written}
		inner := &completer{w: workspace.Workspace{Files: []workspace.File{c.f}}, f: formula, kind: workspace.KindFormulas, place: source.Pos(len(written)), from: source.Pos(len(written))}
		for _, p := range pieces(formula) {
			if int(p.span.End) == len(written) && !strings.Contains("()&|!", p.text[len(p.text)-1:]) {
				inner.from = p.span.Start
				break
			}
			inner.before = append(inner.before, p)
		}
		inner.formulas(inner.before)
		c.items = inner.items
		c.from = c.inside.span.Start + 1 + inner.from
		for i, item := range c.items {
			if strings.Contains(item.Insert, `"`) {
				c.items[i].Insert = strings.ReplaceAll(item.Insert, `"`, `\"`)
			}
		}
	}
}
