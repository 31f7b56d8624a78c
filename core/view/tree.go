package view

import "strconv"

// Tree is a derivation tree, or a plan as the tree of its tools.
type Tree struct {
	Symbol   string  `json:"symbol"`
	Label    string  `json:"label"` // for people; Symbol by default
	Terminal bool    `json:"terminal"`
	Children []*Tree `json:"children,omitempty"`
}

// Drawing returns the tree as a drawing from top to bottom. The identifier of a node is "n"
// followed by its index in preorder. Nodes beyond the limit [MaxNodes] are omitted.
func (t *Tree) Drawing(title string) Drawing {
	d := Drawing{Title: title, Down: true}
	if t == nil {
		return d
	}
	// An explicit stack, as a derivation may be as deep as its word is long.
	type visit struct {
		tree   *Tree
		parent string
	}
	stack := []visit{{tree: t}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(d.Nodes) == MaxNodes {
			d.Folded++
			continue
		}
		n := Node{ID: "n" + strconv.Itoa(len(d.Nodes)), Label: v.tree.Symbol, Kind: NodeSymbol}
		if v.tree.Terminal {
			n.Kind = NodeTerminal
		}
		if v.tree.Label != v.tree.Symbol {
			n.Detail = v.tree.Label
		}
		d.Nodes = append(d.Nodes, n)
		if v.parent != "" {
			d.Edges = append(d.Edges, Edge{ID: "e" + n.ID, From: v.parent, To: n.ID})
		}
		for i := len(v.tree.Children) - 1; i >= 0; i-- {
			stack = append(stack, visit{tree: v.tree.Children[i], parent: n.ID})
		}
	}
	return d
}
