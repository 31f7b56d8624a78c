package session

import (
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

func drawingMethods() []Method {
	return []Method{method("drawing.whole", (*Session).drawingWhole)}
}

// DrawingNode is a [view.Node]; From and To are the range of its text in UTF-16 code units, -1 if
// it has none.
type DrawingNode struct {
	ID        string        `json:"id"`
	Label     string        `json:"label"`
	Detail    string        `json:"detail,omitempty"`
	Kind      view.NodeKind `json:"kind"`
	Start     bool          `json:"start"`
	Accepting bool          `json:"accepting"`
	From      int           `json:"from"`
	To        int           `json:"to"`
}

// DrawingLine is a [view.Line], placed like a [DrawingNode].
type DrawingLine struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// DrawingEdge is a [view.Edge].
type DrawingEdge struct {
	ID     string        `json:"id"`
	Source string        `json:"source"`
	Target string        `json:"target"`
	Lines  []DrawingLine `json:"lines"`
	Folded int           `json:"folded"`
}

// Drawing is a [view.Drawing] with its Graphviz source.
type Drawing struct {
	Title  string        `json:"title"`
	Nodes  []DrawingNode `json:"nodes"`
	Edges  []DrawingEdge `json:"edges"`
	DOT    string        `json:"dot"`
	Folded int           `json:"folded"`
	Down   bool          `json:"down"`
}

// wireDrawing returns the drawing for the wire. With a nil at, or for empty spans, the
// places are -1.
func wireDrawing(d view.Drawing, at *places) *Drawing {
	out := &Drawing{
		Title: d.Title, DOT: d.DOT(), Folded: d.Folded, Down: d.Down,
		Nodes: make([]DrawingNode, len(d.Nodes)), Edges: make([]DrawingEdge, len(d.Edges)),
	}
	place := func(from, to *int, s source.Span) {
		if at == nil || s.Len() == 0 {
			*from, *to = -1, -1
			return
		}
		at.span(from, to, s)
	}
	for i, n := range d.Nodes {
		out.Nodes[i] = DrawingNode{ID: n.ID, Label: n.Label, Detail: n.Detail, Kind: n.Kind, Start: n.Start, Accepting: n.Accepting}
		place(&out.Nodes[i].From, &out.Nodes[i].To, n.Span)
	}
	for i, e := range d.Edges {
		out.Edges[i] = DrawingEdge{ID: e.ID, Source: e.From, Target: e.To, Folded: e.Folded, Lines: make([]DrawingLine, len(e.Lines))}
		for j, l := range e.Lines {
			out.Edges[i].Lines[j] = DrawingLine{ID: l.ID, Label: l.Label}
			place(&out.Edges[i].Lines[j].From, &out.Edges[i].Lines[j].To, l.Span)
		}
	}
	return out
}

// DrawingWholeParams name a file and one of its views, "" for the view of
// document.analyze.
type DrawingWholeParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	View  string `json:"view,omitempty"`
}

// DrawingView is a way to draw a file. From and To are the range of the text that is drawn, -1 for
// the complete file.
type DrawingView struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// DrawingPlace is a text that a node or a line of a drawing represents.
type DrawingPlace struct {
	ID   string `json:"id"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// DrawingGroup are nodes that can be drawn as one. Folded reports whether they are by
// default.
type DrawingGroup struct {
	Name   string   `json:"name"`
	Nodes  []string `json:"nodes"`
	Folded bool     `json:"folded"`
}

// DrawingWholeResult is the graph of a file within the larger limits [view.Complete]. It is
// not yet a drawing: it has no Graphviz source. Views are empty if there is only one;
// the first is the default.
type DrawingWholeResult struct {
	Drawing *Drawing       `json:"drawing,omitempty"`
	View    string         `json:"view"`
	Views   []DrawingView  `json:"views"`
	Places  []DrawingPlace `json:"places"`
	Groups  []DrawingGroup `json:"groups"`
}

// MaxPlaces bounds the places of a text that drawing.whole returns.
const MaxPlaces = 40_000

// drawingWhole returns the graph of a file within the limits [view.Complete], with every
// place of the text that its parts represent. A text with errors has no graph.
func (s *Session) drawingWhole(p DrawingWholeParams) (DrawingWholeResult, error) {
	scope, err := s.open(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return DrawingWholeResult{}, err
	}
	g := &notation.Graph{Wanted: p.View}
	if row := s.table.Notations.Of(p.Name); row.Draw != nil {
		row.Draw(scope, g)
	}
	at := &places{file: scope.File}
	out := DrawingWholeResult{View: g.Wanted, Views: []DrawingView{}, Groups: make([]DrawingGroup, len(g.Groups))}
	if len(g.Views) > 1 {
		out.Views = make([]DrawingView, len(g.Views))
	}
	for i := range out.Views {
		v := g.Views[i]
		out.Views[i] = DrawingView{ID: v.ID, Title: v.Title, From: -1, To: -1}
		if v.Span.Len() > 0 {
			at.span(&out.Views[i].From, &out.Views[i].To, v.Span)
		}
	}
	for i, group := range g.Groups {
		out.Groups[i] = DrawingGroup(group)
	}
	out.Places = make([]DrawingPlace, min(len(g.Places), MaxPlaces))
	for i := range out.Places {
		out.Places[i].ID = g.Places[i].ID
		at.span(&out.Places[i].From, &out.Places[i].To, g.Places[i].Span)
	}
	if g.Drawing != nil {
		out.Drawing = wireDrawing(*g.Drawing, at)
		out.Drawing.DOT = ""
	}
	at.settle()
	return out, nil
}
