//go:build !wasm

package markdown

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/view"
)

// Sizes of a picture, in pixels. They equal those of the page.
const (
	padding    = 14
	lineHeight = 14.4 // Graphviz sets 12 pt type 1.2 apart
	nameHeight = 16.8
	letter     = 7.3 // width of a letter of 12 px type
	tip        = 9   // length of an arrow's head, within the 10 pt that Graphviz leaves
)

// places is a layout of Graphviz, in its format "json0".
type places struct {
	Box     string   `json:"bb"`
	Objects []placed `json:"objects"`
	Edges   []placed `json:"edges"`
}

type placed struct {
	ID     string `json:"id"`
	Pos    string `json:"pos"`
	Label  string `json:"lp"`
	Width  string `json:"width"`
	Height string `json:"height"`
}

type point struct{ x, y float64 }

// Widths of drawings, in pixels. A small drawing shrinks to any column, a large one to a column of
// text but not below, and a wide one keeps its size and scrolls, so that its labels stay legible.
const (
	largeFrom = 480
	wideFrom  = 1_300
)

// sizeOf returns the CSS class for the width of a drawing.
func sizeOf(layout []byte) string {
	var l places
	if json.Unmarshal(layout, &l) != nil {
		return ""
	}
	switch box := numbers(l.Box); {
	case len(box) != 4 || box[2]-box[0] < largeFrom:
		return ""
	case box[2]-box[0] < wideFrom:
		return " large"
	}
	return " wide"
}

// Picture draws a graph with the layout from [Layout], as SVG without styles: colours and type
// come from the document's sheet. The SVG equals the page's byte for byte.
func Picture(d session.Drawing, layout []byte) (string, error) {
	var l places
	if err := json.Unmarshal(layout, &l); err != nil {
		return "", fmt.Errorf("the layout cannot be read: %w", err)
	}
	box := numbers(l.Box)
	if len(box) != 4 {
		return "", fmt.Errorf("the layout has no box: %q", l.Box)
	}
	p := &painter{left: box[0], top: box[3], names: map[string]string{}}
	width, height := round(box[2]-box[0]+2*padding), round(box[3]-box[1]+2*padding)
	nodeAt, edgeAt := map[string]placed{}, map[string]placed{}
	for _, o := range l.Objects {
		nodeAt[o.ID] = o
	}
	for _, e := range l.Edges {
		edgeAt[e.ID] = e
	}
	for _, n := range d.Nodes {
		p.names[n.ID] = n.Label
	}
	name := "drawing"
	if d.Down {
		name = "drawing tree"
	}
	p.open("svg", "class", name, "viewBox", "0 0 "+number(width)+" "+number(height), "width", number(width), "height", number(height), "role", "group", "aria-label", drawingName(d))
	p.open("g", "class", "edges")
	for _, e := range d.Edges {
		if at, ok := edgeAt[e.ID]; ok && at.Pos != "" {
			p.edge(e, at, d.Down)
		}
	}
	for _, n := range d.Nodes {
		if entry, ok := edgeAt["start:"+n.ID]; ok && n.Start && entry.Pos != "" && nodeAt[n.ID].Pos != "" {
			p.open("g", "class", "edge entry")
			p.wire(entry.Pos, true)
			p.close("g")
		}
	}
	p.close("g")
	p.open("g", "class", "nodes")
	for _, n := range d.Nodes {
		if at := nodeAt[n.ID]; at.Pos != "" {
			p.node(n, at)
		}
	}
	p.close("g")
	p.close("svg")
	return p.out.String(), nil
}

func drawingName(d session.Drawing) string {
	kind, title := "state", d.Title
	if d.Down {
		kind = "node"
	}
	if title == "" {
		title = "Automaton"
	}
	if len(d.Nodes) != 1 {
		kind += "s"
	}
	return fmt.Sprintf("%s, %d %s", title, len(d.Nodes), kind)
}

func nodeName(n session.DrawingNode) string {
	parts := []string{n.Label}
	if n.Detail != "" {
		parts = append(parts, n.Detail)
	}
	if n.Start {
		parts = append(parts, "start")
	}
	if n.Accepting {
		parts = append(parts, "accepting")
	}
	if n.Kind == "environment" {
		parts = append(parts, "answered by the environment")
	}
	return strings.Join(parts, ", ")
}

type painter struct {
	out       strings.Builder
	left, top float64
	names     map[string]string
}

func (p *painter) open(tag string, attributes ...string) {
	p.out.WriteString("<" + tag)
	for i := 0; i < len(attributes); i += 2 {
		p.out.WriteString(" " + attributes[i] + `="` + escape(attributes[i+1]) + `"`)
	}
	p.out.WriteString(">")
}

func (p *painter) close(tag string) { p.out.WriteString("</" + tag + ">") }

func (p *painter) shape(tag string, attributes ...string) {
	p.open(tag, attributes...)
	p.close(tag)
}

// text writes rows of text, the first at the given place. It returns the place of the last.
func (p *painter) text(name string, x, y, apart float64, rows []string) float64 {
	p.open("text", "class", name, "x", number(x), "y", number(y), "text-anchor", "middle")
	for i, row := range rows {
		if len(rows) == 1 {
			p.out.WriteString(escape(row))
			break
		}
		p.open("tspan", "x", number(x), "y", number(y+float64(i)*apart))
		p.out.WriteString(escape(row))
		p.close("tspan")
	}
	p.close("text")
	return y + float64(len(rows)-1)*apart
}

func (p *painter) part(id, name, label string) {
	p.open("g", "class", name, "data-id", id, "role", "img", "aria-label", label)
}

func (p *painter) point(text string) point {
	n := append(numbers(text), 0, 0)
	return point{round(n[0] - p.left + padding), round(p.top - n[1] + padding)}
}

func (p *painter) node(n session.DrawingNode, at placed) {
	center := p.point(at.Pos)
	size := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			v = 0.5
		}
		return v * 72
	}
	width, height := size(at.Width), size(at.Height)
	classes := []string{"node", string(n.Kind)}
	if n.Accepting {
		classes = append(classes, "accepting")
	}
	if n.Start {
		classes = append(classes, "start")
	}
	radius := height / 2
	if n.Detail != "" || n.Kind == "symbol" {
		radius = 9
	}
	box := func(inset float64, name string) {
		p.shape("rect", "class", name,
			"x", number(center.x-width/2+inset), "y", number(center.y-height/2+inset),
			"width", number(width-2*inset), "height", number(height-2*inset), "rx", number(max(radius-inset, 3)))
	}
	p.part(n.ID, strings.Join(classes, " "), nodeName(n))
	box(0, "box")
	if n.Accepting {
		box(3.5, "inner")
	}
	names := view.Rows(n.Label)
	if n.Detail != "" {
		details := view.Rows(n.Detail)
		top := center.y - 5 - (float64(len(names)-1)*nameHeight+float64(len(details)-1)*lineHeight)/2
		last := p.text("name", center.x, top, nameHeight, names)
		p.text("detail", center.x, last+19, lineHeight, details)
	} else {
		p.text("name", center.x, center.y+5-float64(len(names)-1)*nameHeight/2, nameHeight, names)
	}
	p.close("g")
}

func (p *painter) edge(e session.DrawingEdge, at placed, plain bool) {
	ends := p.names[e.Source] + " to " + p.names[e.Target]
	switch {
	case plain:
		p.open("g", "class", "edge", "data-id", e.ID)
		p.wire(at.Pos, false)
	case len(e.Lines) == 0 || at.Label == "":
		p.part(e.ID, "edge", "from "+ends)
		p.wire(at.Pos, true)
	default:
		p.open("g", "class", "edge", "data-id", e.ID)
		p.wire(at.Pos, true)
		p.lines(e, p.point(at.Label), ends)
	}
	p.close("g")
}

func (p *painter) lines(e session.DrawingEdge, at point, ends string) {
	count := 0
	for _, line := range e.Lines {
		count += len(view.Rows(line.Label))
	}
	if e.Folded > 0 {
		count++
	}
	middle := func(row int) float64 { return round(at.y + (float64(row)-float64(count-1)/2)*lineHeight) }
	row := 0
	for _, line := range e.Lines {
		rows := view.Rows(line.Label)
		longest := 0
		for _, r := range rows {
			longest = max(longest, utf8.RuneCountInString(r))
		}
		width := round(float64(longest)*letter + 10)
		p.part(line.ID, "line", "from "+ends+": "+line.Label)
		p.shape("rect", "class", "ground", "x", number(at.x-width/2), "y", number(middle(row)-lineHeight/2), "width", number(width), "height", number(float64(len(rows))*lineHeight), "rx", "4")
		p.text("label", at.x, middle(row)+4, lineHeight, rows)
		p.close("g")
		row += len(rows)
	}
	if e.Folded > 0 {
		p.text("label folded", at.x, middle(count-1)+4, lineHeight, []string{fmt.Sprintf("… %d more", e.Folded)})
	}
}

// wire draws the curve of an edge, a wide invisible copy as pointer target, and its arrowhead.
func (p *painter) wire(pos string, head bool) {
	var end *point
	var list []point
	for _, field := range strings.FieldsFunc(pos, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\\' }) {
		switch {
		case strings.HasPrefix(field, "e,"):
			at := p.point(field[2:])
			end = &at
		case strings.HasPrefix(field, "s,"):
		default:
			list = append(list, p.point(field))
		}
	}
	if len(list) == 0 {
		return
	}
	at := func(q point) string { return number(q.x) + " " + number(q.y) }
	d := "M" + at(list[0])
	for i := 1; i+2 < len(list); i += 3 {
		d += " C" + at(list[i]) + " " + at(list[i+1]) + " " + at(list[i+2])
	}
	last := list[len(list)-1]
	to := last
	if end != nil {
		to = *end
	}
	p.shape("path", "class", "reach", "d", d)
	if !head {
		p.shape("path", "class", "wire", "d", d+" L"+at(to))
		return
	}
	p.shape("path", "class", "wire", "d", d)
	p.shape("path", "class", "tip", "d", arrow(last, to))
}

func arrow(from, to point) string {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		length = 1
	}
	ux, uy := (to.x-from.x)/length, (to.y-from.y)/length
	back := point{to.x - ux*tip, to.y - uy*tip}
	side := func(s float64) string { return number(back.x-uy*s) + " " + number(back.y+ux*s) }
	return "M" + number(from.x) + " " + number(from.y) + " L" + number(back.x) + " " + number(back.y) +
		" M" + number(to.x) + " " + number(to.y) + " L" + side(3.6) + " L" + side(-3.6) + " Z"
}

// numbers parses numbers separated by commas.
func numbers(text string) []float64 {
	var out []float64
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return out
		}
		out = append(out, n)
	}
	return out
}

// round rounds to hundredths, halves upwards, as JavaScript does.
func round(n float64) float64 { return math.Floor(n*100+0.5) / 100 }

func number(n float64) string {
	n = round(n)
	if n == 0 {
		n = 0 // no minus zero
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

var escaper = strings.NewReplacer("&", "&#38;", "<", "&#60;", ">", "&#62;", `"`, "&#34;")

// escape escapes a text for an element's content or a quoted attribute.
func escape(s string) string { return escaper.Replace(s) }
