package grammar

import (
	"fmt"
	"strconv"
)

// Subset declares that Left derives some of the items, at least one, in their order. Its
// productions encode that: of the helpers A, A.2, …, A.n the k-th derives some of the items from
// the k-th on, so that each choice has one derivation. A user interface can therefore ask for all
// items of a subset at once.
type Subset struct {
	Left  Symbol
	Items []Symbol

	helpers []Symbol // the first is Left
	first   []int    // by item: the production that takes it as the last item; two more follow
}

// Derivation returns the productions, leftmost first, that derive the items with
// these indexes; ok is false if there are no indexes, or if
// they do not ascend.
func (s Subset) Derivation(chosen []int) (productions []int, ok bool) {
	if len(chosen) == 0 {
		return nil, false
	}
	taken := 0
	for item := range s.Items {
		switch {
		case chosen[taken] < item:
			return nil, false // they do not ascend
		case chosen[taken] > item:
			productions = append(productions, s.first[item]+skips)
		case taken == len(chosen)-1:
			return append(productions, s.first[item]), true
		default:
			productions = append(productions, s.first[item]+goesOn)
			taken++
		}
	}
	return nil, false
}

// Helps reports whether a symbol is one of the subset's helpers, which derive items that are yet
// to be chosen.
func (s Subset) Helps(symbol Symbol) bool {
	for _, helper := range s.helpers[1:] {
		if helper == symbol {
			return true
		}
	}
	return false
}

// The second and the third production of an item, by their distance from its first.
const (
	goesOn = 1 // takes it and continues
	skips  = 2 // does not take it
)

// SubsetOf returns the subset that a nonterminal declares.
func (g *Grammar) SubsetOf(s Symbol) (Subset, bool) {
	for _, subset := range g.Subsets {
		if subset.Left == s {
			return subset, true
		}
	}
	return Subset{}, false
}

// subset is a %subset line with the names of its helpers. The first helper is the line's left side.
type subset struct {
	line    SubsetLine
	helpers []Name
}

// ruled returns the names with rules.
func (c *compiler) ruled() map[string]bool {
	out := map[string]bool{}
	for _, line := range c.syntax.Lines {
		if st, ok := line.Statement.(RuleLine); ok {
			out[st.Left.Text] = true
		}
	}
	return out
}

// taken returns all names in the text.
func (c *compiler) taken() map[string]bool {
	out := map[string]bool{}
	add := func(names []Name) {
		for _, n := range names {
			out[n.Text] = true
		}
	}
	for _, line := range c.syntax.Lines {
		var alternatives []Alternative
		switch st := line.Statement.(type) {
		case RuleLine:
			out[st.Left.Text] = true
			alternatives = st.Alternatives
		case MoreLine:
			alternatives = st.Alternatives
		case SubsetLine:
			out[st.Left.Text] = true
			add(st.Items)
		}
		for _, a := range alternatives {
			add(a.Symbols)
		}
	}
	return out
}

// subset adds the rules of a line and returns their left sides.
func (c *compiler) subset(st SubsetLine, ruled map[string]bool) []Name {
	if c.helpers == nil {
		c.helpers = map[string]string{}
		c.used = c.taken()
	}
	if ruled[st.Left.Text] {
		c.errorAt(st.Left.Span, "cfg.subset-left", fmt.Sprintf("duplicate definition of %q: a %%subset symbol has no other rules", st.Left.Text))
		return nil
	}
	ruled[st.Left.Text] = true
	s := subset{line: st, helpers: []Name{st.Left}}
	for k := range st.Items[1:] {
		name := st.Left.Text + "." + strconv.Itoa(k+2)
		for c.used[name] {
			name += "'"
		}
		c.used[name] = true
		c.helpers[name] = st.Left.Text
		s.helpers = append(s.helpers, Name{Text: name, Span: st.Left.Span})
	}
	for k, item := range st.Items {
		add := func(symbols ...Name) {
			c.rules = append(c.rules, rule{left: s.helpers[k], alt: Alternative{Symbols: symbols, Span: item.Span}})
		}
		add(item)
		if k+1 < len(st.Items) {
			add(item, s.helpers[k+1])
			add(s.helpers[k+1])
		}
	}
	c.subsets = append(c.subsets, s)
	return s.helpers
}

// recordSubsets records the subsets in the grammar, unless it is truncated.
func (c *compiler) recordSubsets() {
	g := c.g
	for _, s := range c.subsets {
		out := Subset{}
		for k, item := range s.line.Items {
			left := g.lookup[s.helpers[k].Text]
			productions := g.ByLeft(left)
			if len(productions) == 0 {
				return
			}
			out.helpers = append(out.helpers, left)
			out.first = append(out.first, productions[0])
			out.Items = append(out.Items, g.lookup[item.Text])
		}
		out.Left = out.helpers[0]
		g.Subsets = append(g.Subsets, out)
	}
}

// labelHelpers gives helpers the labels of their subsets.
func (c *compiler) labelHelpers() {
	g := c.g
	for i := g.NumTerminals; i < len(g.Names); i++ {
		if left := c.helpers[g.Names[i]]; left != "" && g.labels[i] == "" {
			g.labels[i] = g.Label(g.lookup[left])
		}
	}
}
