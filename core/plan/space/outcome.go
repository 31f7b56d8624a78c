package space

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

// Outcome is the plan of a finished configuration.
type Outcome struct {
	Word     []string
	Function string // e1(a1(i), b1(i)); of an automaton its word
	Steps    []Step // in the order they are carried out
	Tree     *Node  // of a grammar
	End      *End   // of a flowchart
}

// Node is a node of a plan's derivation tree.
type Node struct {
	Symbol     string  `json:"symbol"`
	Label      string  `json:"label"` // the symbol's name if it has no label
	Terminal   bool    `json:"terminal"`
	Children   []*Node `json:"children,omitempty"`
	production int     // -1 for a leaf
	symbol     grammar.Symbol
}

// Step is one executed step of a plan.
type Step struct {
	N      int    `json:"n"` // from 1
	Symbol string `json:"symbol"`
	Text   string `json:"text"`
}

// Tree builds the tree of a leftmost derivation. It keeps an explicit stack because
// derivations may be deep. The chosen items of a subset become children of its nonterminal,
// whatever productions derive them.
func (p *Table) Tree(derivation []int) *Node {
	root := p.node(p.g.Start)
	open := []*Node{root}
	var subset *Node // the node whose items are being derived
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

// Call is a node of a plan as a tree of tools: a tool with its arguments.
type Call struct {
	Name, Label string
	Described   bool // the label is that of a production and states the step by itself
	Tool        bool // it begins with a terminal
	Subset      bool // it is a choice from a subset
	Args        []*Call
}

// Call returns the tree of tools of a derivation tree. A production that begins with a terminal, or
// with a nonterminal whose productions are single terminals, is that tool applied to the remaining
// symbols. A unit production is replaced by its right side. Any other production becomes a call of
// its left side. The call of an empty right side is nil.
func (p *Table) Call(n *Node) *Call {
	if n.Terminal {
		return &Call{Name: n.Symbol, Label: n.Label, Tool: true}
	}
	if p.subsets[n.symbol] != nil {
		out := &Call{Name: n.Symbol, Label: prepare(n.Label, n.Children), Described: true, Subset: true}
		for _, child := range n.Children {
			out.Args = append(out.Args, p.Call(child))
		}
		return out
	}
	described := n.production >= 0 && p.g.Productions[n.production].Label != ""
	if len(n.Children) == 0 {
		return nil
	}
	if len(n.Children) == 1 && !described {
		return p.Call(n.Children[0])
	}
	out := &Call{Name: n.Symbol, Label: n.Label, Described: described}
	children := n.Children
	if first := children[0]; first.Terminal || p.toolLike[first.symbol] {
		leaf := first
		for !leaf.Terminal {
			leaf = leaf.Children[0]
		}
		out.Name, out.Tool = leaf.Symbol, true
		if !described {
			out.Label = leaf.Label
		}
		children = children[1:]
	}
	for _, child := range children {
		if arg := p.Call(child); arg != nil {
			out.Args = append(out.Args, arg)
		}
	}
	return out
}

// prepare describes a choice from a subset: "Prepare the seasoning: garlic, salt".
func prepare(label string, items []*Node) string {
	chosen := make([]string, len(items))
	for i, item := range items {
		chosen[i] = item.Label
	}
	return "Prepare " + label + ": " + strings.Join(chosen, ", ")
}

func FunctionForm(c *Call) string {
	if c == nil {
		return "ε"
	}
	if len(c.Args) == 0 {
		return c.Name
	}
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = FunctionForm(a)
	}
	return c.Name + "(" + strings.Join(args, ", ") + ")"
}

// StepsOf lists the steps in the order they are carried out: the arguments of a tool
// precede it. If the tree does not consist of tools, the steps are the terminals in the
// order of the word.
func (p *Table) StepsOf(tree *Node) []Step {
	root := p.Call(tree)
	steps := []Step{}
	if ToolsOnly(root) {
		p.Collect(root, &steps, nil)
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

// ToolsOnly reports whether every node is a tool or states its step by itself.
func ToolsOnly(c *Call) bool {
	return c != nil && (c.Tool || c.Described) && !slices.ContainsFunc(c.Args, func(a *Call) bool { return !ToolsOnly(a) })
}

// Collect appends the steps of a tree and returns the phrase that refers to its result. It
// uses the given numbers, or numbers the steps as they are appended.
func (p *Table) Collect(c *Call, steps *[]Step, numbers map[*Call]int) string {
	var inputs []string
	for _, a := range c.Args {
		inputs = append(inputs, p.Collect(a, steps, numbers))
		if a.Subset && c.Described {
			(*steps)[len(*steps)-1].Text += ", for: " + c.Label
		}
	}
	if len(c.Args) == 0 && !c.Described {
		return c.Label
	}
	text := c.Label
	if !c.Described && len(inputs) > 0 {
		text = fmt.Sprintf("Use %s on %s", c.Label, strings.Join(inputs, " and "))
	}
	n := len(*steps) + 1
	if numbers != nil {
		n = numbers[c]
	}
	*steps = append(*steps, Step{N: n, Symbol: c.Name, Text: text})
	return fmt.Sprintf("the result of step %d", n)
}
