package language

import (
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// completeAgent adds the candidates at a position of an agent, which depend on the enclosing lists.
func completeAgent(c *notation.Completer) {
	open, in, section, starts := c.Around()
	depth := len(open)
	switch {
	case depth == 0:
		c.Opening("define")
	case c.Inside != nil && c.Inside.Quoted:
		completeQuoted(c, in.Head)
	case depth == 1, depth == 2 && starts:
		c.Opening(":states", ":behavior", ":require", ":prompt", ":examples")
	case section == ":states" && (depth == 4 && starts || depth == 3):
		c.Opening(":text", ":flags", ":one-of", ":matches", ":max-tokens", ":aliases", ":from")
	case section == ":states" && in.Head == ":flags":
		c.Keywords(":env-input", ":empty")
	case section == ":states" && in.Head == ":from" && in.Items == 0:
		c.Keywords("tools", "summary", "solver", "evaluator", "person")
	case section == ":behavior" || section == ":behaviour":
		if !starts {
			completeStates(c)
		}
		c.Opening("next", "or", "until", "always", "and", "not", "->", "eventually")
	}
}

// completeStates adds the agent's states.
func completeStates(c *notation.Completer) {
	spec, _ := agent.Parse(c.File.Source())
	for _, s := range spec.States {
		c.Add(notation.Item{Label: s.Name, Kind: agent.KindState, Detail: s.Text})
	}
}

// completeQuoted completes quoted text: a file name or a formula.
func completeQuoted(c *notation.Completer, head string) {
	written := c.File.Text[c.Inside.Span.Start+1 : c.Place]
	switch head {
	case ":prompt", ":examples", ":from":
		c.From = c.Inside.Span.Start + 1
		for _, f := range c.Workspace.Files {
			if c.Table.Of(f.Name).Kind == workspace.KindText {
				c.Add(notation.Item{Label: f.Name, Kind: agent.KindFile})
			}
		}
	case ":require":
		// Complete the formula as a file that ends at the partial word.
		formula := workspace.File{Name: "require." + string(workspace.KindFormulas), Text: written}
		row := c.Table.Kind(workspace.KindFormulas)
		inner := &notation.Completer{
			Table: c.Table, Workspace: workspace.Workspace{Files: []workspace.File{c.File}}, File: formula, Row: row,
			Place: source.Pos(len(written)), From: source.Pos(len(written)),
		}
		for _, p := range row.Split(formula) {
			if int(p.Span.End) == len(written) && !strings.Contains("()&|!", p.Text[len(p.Text)-1:]) {
				inner.From = p.Span.Start
				break
			}
			inner.Before = append(inner.Before, p)
		}
		completeFormulas(inner)
		c.Items = inner.Items
		c.From = c.Inside.Span.Start + 1 + inner.From
		for i, item := range c.Items {
			if strings.Contains(item.Insert, `"`) {
				c.Items[i].Insert = strings.ReplaceAll(item.Insert, `"`, `\"`)
			}
		}
	}
}

func describeAgent(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	spec, _ := agent.Parse(d.File)
	a, _ := agent.Compile(spec, meter.New(hoverBudget))
	if a == nil {
		return
	}
	letter := a.Index(s.Name)
	if s.Kind == agent.KindAgent || letter < 0 {
		return
	}
	c.Kind = agent.KindState
	state := a.States[letter]
	c.Add("Prompt: " + state.Text)
	for _, alias := range state.Aliases {
		c.Add("Alias: " + alias.Text)
	}
	switch {
	case state.EnvInput:
		c.Add("The environment writes its content.")
	case state.Empty:
		c.Add("It has no content.")
	case len(state.OneOf) > 0:
		c.Add("Content: one of " + strings.Join(state.OneOf, ", ") + ".")
	case state.Matches != "":
		c.Add("Content matches " + state.Matches + ".")
	}
	before, after := neighbours(a, letter)
	if len(before) > 0 {
		c.Add("Follows " + strings.Join(before, ", ") + ".")
	}
	if len(after) > 0 {
		c.Add("Followed by " + strings.Join(after, ", ") + ".")
	}
	both, err := automaton.Product(a.DFA, seen(len(a.States), letter), func(a, b bool) bool { return a && b }, meter.New(hoverBudget))
	if err != nil {
		return
	}
	word, ok := both.Shortest()
	if !ok {
		c.Add("Unreachable: no run contains it.")
		return
	}
	list := make([]string, len(word))
	for i, l := range word {
		list[i] = a.States[l].Name
	}
	c.Example(list)
}

// neighbours returns the possible predecessors and successors of a state.
func neighbours(a *agent.Agent, letter int) (before, after []string) {
	n := len(a.States)
	follows := make([]bool, n)
	comes := make([]bool, n)
	for q := range a.DFA.NumStates() {
		if !a.Live(q) {
			continue
		}
		for l := range n {
			to := a.DFA.Next(q, l)
			if !a.Live(to) {
				continue
			}
			if at := a.DFA.Next(to, letter); a.Live(at) {
				comes[l] = true
			}
			if l == letter {
				for m := range n {
					follows[m] = follows[m] || a.Live(a.DFA.Next(to, m))
				}
			}
		}
	}
	for l := range n {
		if comes[l] {
			before = append(before, a.States[l].Name)
		}
		if follows[l] {
			after = append(after, a.States[l].Name)
		}
	}
	return before, after
}
