package space

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/plan/prompt"
)

// Report lists the decisions: a production by its label, or else by its terminals.
func (d *derivation) Report(c Config) []string {
	var out []string
	tree := d.Tree(c.(derivationConfig).derivation.all())
	var walk func(n *Node, silent bool, parent string)
	walk = func(n *Node, silent bool, parent string) {
		switch {
		case n.Terminal && !silent:
			out = append(out, n.Label)
		case n.production < 0:
		case d.subsets[n.symbol] != nil:
			text := prepare(d.g.Label(n.symbol), n.Children)
			if parent != "" {
				text += ", for: " + parent
			}
			out = append(out, text)
		default:
			label := d.g.Productions[n.production].Label
			if label != "" {
				out = append(out, label)
			}
			for _, child := range n.Children {
				walk(child, label != "", label)
			}
		}
	}
	walk(tree, false, "")
	return out
}

func (d *derivation) Refusal(c Config, m Move) (why, reason string, err error) {
	now := c.(derivationConfig)
	if items, ok := m.(Items); ok {
		return WithheldLimit, d.usedUp(d.subsets[now.stack.symbol].Items[items[0]]), nil
	}
	r, head := d.rules, d.head(m)
	switch {
	case head >= 0 && now.left[head] == 0:
		return WithheldLimit, d.usedUp(head), nil
	case head >= 0 && r.Hopeless(r.next(now.state, head)):
		return WithheldProperty, d.breaks(now, head), nil
	}
	rest := d.afterTool(d.g.Productions[m.(expansion).production].Right)
	_, plain, err := d.rest(now, rest, true)
	if err != nil {
		return "", "", err
	}
	if r.Automaton != nil && d.enough(now, r.plain, head, plain) {
		return WithheldProperty, "no continuation satisfies " + r.names(), nil
	}
	for _, s := range rest {
		if !d.g.IsTerminal(s) && !d.enough(now, r.plain, head, r.plain.Of(s)) {
			return WithheldLookahead, fmt.Sprintf("it needs %s, which no remaining tool produces", prompt.Article(d.g.Label(s))), nil
		}
	}
	return WithheldLookahead, "the remaining tools cannot complete the plan", nil
}

func (d *derivation) usedUp(t grammar.Symbol) string {
	switch n := d.rules.Caps[t]; n {
	case 0:
		return "it may not be used"
	case 1:
		return "it is used already"
	default:
		return fmt.Sprintf("it is used %d times already", n)
	}
}

func (d *derivation) breaks(now derivationConfig, t grammar.Symbol) string {
	if name := d.rules.broken(now.word.all(), t); name != "" {
		return "it would break " + name
	}
	return "it would break " + d.rules.names()
}

func (d *derivation) Item(c Config) (item, purpose string) {
	now := c.(derivationConfig)
	return d.g.Label(now.stack.symbol), now.stack.purpose
}

func (d *derivation) Choice(c Config, m Move) Choice {
	now := c.(derivationConfig)
	if items, ok := m.(Items); ok {
		subset := d.subsets[now.stack.symbol]
		out := Choice{Pushes: []string{}}
		for i, item := range items {
			if i > 0 {
				out.Symbol, out.Label = out.Symbol+" ", out.Label+", "
			}
			out.Symbol, out.Label = out.Symbol+d.g.Names[subset.Items[item]], out.Label+d.g.Label(subset.Items[item])
		}
		return out
	}
	production := d.g.Productions[m.(expansion).production]
	out := Choice{Label: production.Label, Pushes: []string{}}
	right := production.Right
	if head := d.head(m); head >= 0 {
		out.Symbol = d.g.Names[head]
		if out.Label == "" {
			out.Label = d.g.Label(head)
		}
		right = right[1:]
	}
	for _, s := range right {
		out.Pushes = append(out.Pushes, d.g.Label(s))
	}
	if out.Label == "" {
		out.Label = strings.Join(out.Pushes, ", then ")
	}
	if out.Label == "" {
		out.Label = "nothing"
	}
	return out
}

// maxStackShown bounds the stack in an event.
const maxStackShown = 50

func (d *derivation) StackNames(c Config) []string {
	out := []string{}
	for f := c.(derivationConfig).stack; f != nil && len(out) < maxStackShown; f = f.next {
		out = append(out, d.g.Names[f.symbol])
	}
	return out
}
