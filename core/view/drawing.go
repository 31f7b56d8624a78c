// Package view builds drawings of automata and trees as data. It computes no layout and no
// pixels: a host passes the Graphviz source of a [Drawing] to a layout engine and draws the
// result.
//
// The page does not show the SVG that Graphviz writes, because it has neither the page's
// colours, nor texts for screen readers, nor the source places of transitions.
package view

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Limits of a drawing. A larger picture takes seconds to lay out and is unreadable. The
// numbers of omitted parts are reported.
const (
	MaxNodes     = 300
	MaxEdges     = 900
	MaxEdgeLines = 30 // labels on one edge
)

// NodeKind decides the shape and the colours of a node.
type NodeKind string

// The kinds of nodes.
const (
	NodeState       NodeKind = "state"
	NodeEnvironment NodeKind = "environment" // a state that the environment fills
	NodeSymbol      NodeKind = "symbol"      // a nonterminal of a derivation tree
	NodeTerminal    NodeKind = "terminal"    // a leaf of a derivation tree
)

// Node is a state of an automaton or a node of a tree.
type Node struct {
	ID        string
	Label     string
	Detail    string // a second line, smaller; may be empty
	Kind      NodeKind
	Start     bool
	Accepting bool
	Span      source.Span // of its source; may be empty
}

// Line is one label of an edge: a transition, or several with equal labels.
type Line struct {
	ID    string
	Label string
	Span  source.Span
}

// Edge joins two nodes. Its label has a line for each transition.
type Edge struct {
	ID       string
	From, To string // of nodes
	Lines    []Line
	Folded   int // omitted lines
}

// Drawing is a graph with the Graphviz source that lays it out.
type Drawing struct {
	Title  string
	Nodes  []Node
	Edges  []Edge
	Folded int  // omitted nodes and edges
	Down   bool // the direction is from top to bottom (trees), otherwise from left to right
}

// Sizes for the layout, in points. They fit the page's fonts; the page centres each label
// in its space.
const (
	nodeFont  = 14
	labelFont = 12
	charWidth = 0.62 // of the font's size: a monospaced letter
	rowHeight = 1.2  // of the font's size
)

// DOT returns the Graphviz source. Nodes and edges carry their identifiers in
// the attribute "id"; edge labels are the lines, which reserves their space.
func (d Drawing) DOT() string {
	var b strings.Builder
	b.WriteString("digraph {\n")
	if d.Down {
		b.WriteString("  rankdir=TB; nodesep=0.25; ranksep=0.35;\n")
	} else {
		b.WriteString("  rankdir=LR; nodesep=0.4; ranksep=0.5;\n")
	}
	// Graphviz knows the widths of Courier, and treats other monospaced type as Times.
	b.WriteString("  node [shape=box, fixedsize=true, label=\"\"];\n  edge [fontname=\"Courier\", fontsize=" + strconv.Itoa(labelFont) + "];\n")
	for _, n := range d.Nodes {
		width, height := nodeSize(n)
		b.WriteString("  " + quoteDOT(n.ID) + " [id=" + quoteDOT(n.ID) + ", width=" + inches(width) + ", height=" + inches(height) + "];\n")
		if n.Start {
			entry := quoteDOT("start:" + n.ID)
			b.WriteString("  " + entry + " [id=" + entry + ", width=0.05, height=0.05];\n  " + entry + " -> " + quoteDOT(n.ID) + " [id=" + entry + "];\n")
		}
	}
	for _, e := range d.Edges {
		b.WriteString("  " + quoteDOT(e.From) + " -> " + quoteDOT(e.To) + " [id=" + quoteDOT(e.ID))
		if len(e.Lines) > 0 {
			b.WriteString(", label=" + quoteDOT(edgeLabel(e)))
		}
		b.WriteString("];\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// maxRow is the length of a row of text, in characters, beyond which it is broken.
const maxRow = 24

// Rows breaks a text into as few rows of at most 24 characters as possible, of similar lengths,
// after separators. The rows, concatenated, are the text. A longer name without separators is one
// row. Drawings reserve space for these rows.
func Rows(text string) []string {
	rows := broken(text, maxRow)
	for width := len([]rune(text)) / len(rows); len(rows) > 1 && width < maxRow; width++ {
		if even := broken(text, width); len(even) == len(rows) {
			return even
		}
	}
	return rows
}

// broken breaks a text into rows of at most width characters, except that a longer piece is a row
// by itself.
func broken(text string, width int) []string {
	rows, last := []string{""}, 0
	for _, piece := range pieces(text, " |,;", "_-./:") {
		n := len([]rune(piece))
		if last > 0 && last+len([]rune(strings.TrimRight(piece, " "))) > width {
			rows, last = append(rows, ""), 0
		}
		rows[len(rows)-1] += piece
		last += n
	}
	return rows
}

// pieces splits a text that is too long for a row after each character of the first set, and pieces
// that are still too long after each character of the second set.
func pieces(text, after, further string) []string {
	if len([]rune(text)) <= maxRow {
		return []string{text}
	}
	var out []string
	for text != "" {
		end := strings.IndexAny(text, after) + 1
		if end == 0 {
			end = len(text)
		}
		for end < len(text) && text[end] == ' ' {
			end++
		}
		if piece := text[:end]; further == "" {
			out = append(out, piece)
		} else {
			out = append(out, pieces(piece, further, "")...)
		}
		text = text[end:]
	}
	return out
}

// edgeLabel returns the text for which the layout reserves space.
func edgeLabel(e Edge) string {
	var lines []string
	for _, l := range e.Lines {
		lines = append(lines, Rows(l.Label)...)
	}
	if e.Folded > 0 {
		lines = append(lines, "… "+strconv.Itoa(e.Folded)+" more")
	}
	return strings.Join(lines, "\n")
}

// nodeSize returns a node's width and height in points.
func nodeSize(n Node) (width, height float64) {
	width, height = textSize(n.Label, nodeFont)
	height += 36
	if n.Detail != "" {
		w, h := textSize(n.Detail, labelFont)
		width, height = max(width, w), height+h+12
	}
	return max(width+24, height), height
}

// textSize returns the width of the widest row of a text, and the height of the rows after the
// first.
func textSize(s string, font float64) (width, height float64) {
	rows := Rows(s)
	for _, row := range rows {
		width = max(width, float64(len([]rune(row)))*font*charWidth)
	}
	return width, float64(len(rows)-1) * font * rowHeight
}

func inches(points float64) string { return strconv.FormatFloat(points/72, 'f', 3, 64) }

// quoteDOT returns s as a quoted string of the DOT language, in which a line
// break is written \n and nothing else is special but quotes and backslashes.
func quoteDOT(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`), "\n", `\n`) + `"`
}
