package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

// Node is a node of a plan's derivation tree.
type Node struct {
	Symbol     string  `json:"symbol"`
	Label      string  `json:"label"` // what a person reads; the symbol where nothing better is known
	Terminal   bool    `json:"terminal"`
	Children   []*Node `json:"children,omitempty"`
	production int     // -1 for a leaf
	symbol     grammar.Symbol
}

// Step is one step of a plan as it is carried out.
type Step struct {
	N      int    `json:"n"` // from 1
	Symbol string `json:"symbol"`
	Text   string `json:"text"`
}

// tree builds the tree of a leftmost derivation, with its own stack: a
// derivation may be deep. The items chosen of a subset become children of its
// nonterminal, whatever productions derive them.
func (p *Table) tree(derivation []int) *Node {
	root := p.node(p.g.Start)
	open := []*Node{root}
	var subset *Node // whose items are being derived
	for _, production := range derivation {
		right := p.g.Productions[production].Right
		if subset == nil {
			n := open[len(open)-1]
			open = open[:len(open)-1]
			n.production = production
			if label := p.g.Productions[production].Label; label != "" {
				n.Label = label
			}
			if p.subsets[n.symbol] != nil {
				subset = n
			} else {
				for _, s := range right {
					n.Children = append(n.Children, p.node(s))
				}
				for i := len(right) - 1; i >= 0; i-- {
					if !n.Children[i].Terminal {
						open = append(open, n.Children[i])
					}
				}
				continue
			}
		}
		ends := true
		for _, s := range right {
			if p.g.IsTerminal(s) {
				subset.Children = append(subset.Children, p.node(s))
			} else {
				ends = false
			}
		}
		if ends {
			subset = nil
		}
	}
	return root
}

func (p *Table) node(s grammar.Symbol) *Node {
	return &Node{Symbol: p.g.Names[s], Label: p.g.Label(s), Terminal: p.g.IsTerminal(s), production: -1, symbol: s}
}

// call is a tool with what it takes: a plan as the tree of its tools.
type call struct {
	name, label string
	described   bool // label is that of a production: it says the step by itself
	tool        bool // it begins with a terminal
	subset      bool // it is what was chosen of a subset
	args        []*call
}

// call makes the tools' tree of a derivation tree. A production that begins with
// a terminal, or a kind of tools, is that tool applied to the rest; one that only
// renames passes on what it renames; any other is an application of its left
// side. An empty right side is nil.
func (p *Table) call(n *Node) *call {
	if n.Terminal {
		return &call{name: n.Symbol, label: n.Label, tool: true}
	}
	if p.subsets[n.symbol] != nil {
		out := &call{name: n.Symbol, label: prepare(n.Label, n.Children), described: true, subset: true}
		for _, child := range n.Children {
			out.args = append(out.args, p.call(child))
		}
		return out
	}
	described := n.production >= 0 && p.g.Productions[n.production].Label != ""
	if len(n.Children) == 0 {
		return nil
	}
	if len(n.Children) == 1 && !described {
		return p.call(n.Children[0])
	}
	out := &call{name: n.Symbol, label: n.Label, described: described}
	children := n.Children
	if first := children[0]; first.Terminal || p.toolLike[first.symbol] {
		leaf := first
		for !leaf.Terminal {
			leaf = leaf.Children[0]
		}
		out.name, out.tool = leaf.Symbol, true
		if !described {
			out.label = leaf.Label
		}
		children = children[1:]
	}
	for _, child := range children {
		if arg := p.call(child); arg != nil {
			out.args = append(out.args, arg)
		}
	}
	return out
}

// prepare says what was chosen of a subset: "Prepare the seasoning: garlic, salt".
func prepare(label string, items []*Node) string {
	chosen := make([]string, len(items))
	for i, item := range items {
		chosen[i] = item.Label
	}
	return "Prepare " + label + ": " + strings.Join(chosen, ", ")
}

func functionForm(c *call) string {
	if c == nil {
		return "ε"
	}
	if len(c.args) == 0 {
		return c.name
	}
	args := make([]string, len(c.args))
	for i, a := range c.args {
		args[i] = functionForm(a)
	}
	return c.name + "(" + strings.Join(args, ", ") + ")"
}

// stepsOf lists what is done, in the order it is done: what a tool takes comes
// before the tool. A grammar whose plans are not tools applied to things has the
// terminals as its steps, in the order of the word.
func (p *Table) stepsOf(tree *Node) []Step {
	root := p.call(tree)
	steps := []Step{}
	if toolsOnly(root) {
		p.collect(root, &steps, nil)
	}
	if len(steps) == 0 {
		var walk func(*Node)
		walk = func(n *Node) {
			if n.Terminal {
				steps = append(steps, Step{N: len(steps) + 1, Symbol: n.Symbol, Text: n.Label})
			}
			for _, child := range n.Children {
				walk(child)
			}
		}
		walk(tree)
	}
	return steps
}

// toolsOnly reports whether every application is that of a tool or says itself
// what it does.
func toolsOnly(c *call) bool {
	return c != nil && (c.tool || c.described) && !slices.ContainsFunc(c.args, func(a *call) bool { return !toolsOnly(a) })
}

// collect adds the steps of a tree and returns how its result is referred to. The
// steps have the numbers given, or are numbered as they are added.
func (p *Table) collect(c *call, steps *[]Step, numbers map[*call]int) string {
	var inputs []string
	for _, a := range c.args {
		inputs = append(inputs, p.collect(a, steps, numbers))
		if a.subset && c.described {
			(*steps)[len(*steps)-1].Text += ", for: " + c.label
		}
	}
	if len(c.args) == 0 && !c.described {
		return c.label
	}
	text := c.label
	if !c.described && len(inputs) > 0 {
		text = fmt.Sprintf("Use %s on %s", c.label, strings.Join(inputs, " and "))
	}
	n := len(*steps) + 1
	if numbers != nil {
		n = numbers[c]
	}
	*steps = append(*steps, Step{N: n, Symbol: c.name, Text: text})
	return fmt.Sprintf("the result of step %d", n)
}
