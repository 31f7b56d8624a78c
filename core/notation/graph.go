package notation

import (
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// Graph collects a complete drawing of a file, with every place of the text that a part of
// the drawing represents. A file can have several views, of which one is drawn.
type Graph struct {
	Wanted  string // the view to draw; "": the first
	Views   []View // none for a file with a single view
	Drawing *view.Drawing
	Places  []Place
	Groups  []Group
}

// View is a way to draw a file.
type View struct {
	ID    string
	Title string
	Span  source.Span // the text that is drawn; empty for all of it
}

// Place is a text that a node or a line of a drawing represents.
type Place struct {
	ID   string
	Span source.Span
}

// Group lists nodes that can be drawn as one. Folded is the default.
type Group struct {
	Name   string
	Nodes  []string
	Folded bool
}

// View adds a view and reports whether it is the one to draw.
func (g *Graph) View(id, title string, span source.Span) bool {
	if g.Wanted == "" {
		g.Wanted = id
	}
	g.Views = append(g.Views, View{ID: id, Title: title, Span: span})
	return g.Wanted == id
}

// Place records a text for a part of the drawing, unless it is empty.
func (g *Graph) Place(id string, span source.Span) {
	if span.Len() > 0 {
		g.Places = append(g.Places, Place{ID: id, Span: span})
	}
}

// PlaceNames records the occurrences of some kinds for the nodes of the same name.
func (g *Graph) PlaceNames(list []source.Occurrence, kinds ...string) {
	nodes := map[string][]string{}
	for _, n := range g.Drawing.Nodes {
		nodes[n.Label] = append(nodes[n.Label], n.ID)
	}
	for _, o := range list {
		for _, kind := range kinds {
			if o.Kind == kind {
				for _, id := range nodes[o.Name] {
					g.Place(id, o.Span)
				}
			}
		}
	}
}
