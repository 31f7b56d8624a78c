package report

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Curve is a chart of a measurement against the size of the input; both axes are logarithmic.
type Curve struct {
	File   string   `json:"file"`
	Title  string   `json:"title"`
	X      string   `json:"x"` // the unit of the size
	Y      string   `json:"y"` // with its unit
	Series []Series `json:"series"`
}

// Series is a line of a curve.
type Series struct {
	Label     string  `json:"label"`
	Points    []Point `json:"points"`
	Elsewhere bool    `json:"elsewhere,omitempty"` // measured on another machine
}

// Point is a size and its measured value.
type Point struct {
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Stopped bool    `json:"stopped,omitempty"` // the measurement was stopped at this time
}

// Power returns the exponent of the power of the size that fits a series best, by least squares of
// the logarithms, over the points that were not stopped.
func (s Series) Power() (float64, bool) {
	var n, sx, sy, sxx, sxy float64
	for _, p := range s.Points {
		if p.Stopped || p.X <= 0 || p.Y <= 0 {
			continue
		}
		x, y := math.Log(p.X), math.Log(p.Y)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	d := n*sxx - sx*sx
	if n < 2 || d < 1e-9 {
		return 0, false
	}
	return (n*sxy - sx*sy) / d, true
}

// The dimensions of a picture, in its own units.
const (
	curveWidth, curveHeight = 760, 440
	plotLeft, plotRight     = 76, 540
	plotTop, plotBottom     = 64, 380
	labelHeight             = 17
)

// hues are the colours of lines, for light and dark grounds. Their contrast is at least 4.5:1, and
// the marks distinguish the lines without them.
var hues = [][2]string{
	{"#17694a", "#74d3a4"}, {"#5b3ba8", "#c3adf7"}, {"#a0246a", "#f29ac6"}, {"#8f4a00", "#f0b878"},
	{"#1d5f97", "#8cc2f2"}, {"#6a6f00", "#d5d76a"}, {"#b0251c", "#ff958a"}, {"#0b6b6b", "#6fd3d3"},
}

// axis maps values to places by their logarithm.
type axis struct{ low, high, from, to float64 }

func newAxis(values []float64, from, to float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	if math.IsInf(low, 1) {
		low, high = 1, 10
	}
	a := axis{math.Log10(low), math.Log10(high), from, to}
	if a.high-a.low < 0.3 {
		a.low, a.high = a.low-0.15, a.high+0.15
	}
	room := (a.high - a.low) * 0.05
	a.low, a.high = a.low-room, a.high+room
	return a
}

func (a axis) at(v float64) float64 {
	return a.from + (math.Log10(v)-a.low)/(a.high-a.low)*(a.to-a.from)
}

// ticks returns powers of ten; if there are few, also 2 and 5 times them.
func (a axis) ticks() (out []float64) {
	steps := []float64{1}
	if a.high-a.low < 2.2 {
		steps = []float64{1, 2, 5}
	}
	for e := math.Floor(a.low); e <= a.high; e++ {
		for _, step := range steps {
			if v := step * math.Pow(10, e); math.Log10(v) >= a.low && math.Log10(v) <= a.high {
				out = append(out, v)
			}
		}
	}
	return out
}

// sizes returns the measured sizes for which there is room.
func (a axis) sizes(values []float64) (out []float64) {
	const room = 44
	for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
		if v > 0 && (len(out) == 0 || a.at(v)-a.at(out[len(out)-1]) >= room) {
			out = append(out, v)
		}
	}
	return out
}

// SVG draws the curve. It has its own background and colours, for light and dark, so
// that it is readable on every page.
func (c Curve) SVG() string {
	var xs, ys []float64
	for _, s := range c.Series {
		for _, p := range s.Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	x, y := newAxis(xs, plotLeft, plotRight), newAxis(ys, plotBottom, plotTop)
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title desc\">\n", curveWidth, curveHeight)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", html.EscapeString(c.Title), html.EscapeString(c.inWords()))
	c.style(&b)
	fmt.Fprintf(&b, "<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", curveWidth, curveHeight)
	fmt.Fprintf(&b, "<text class=\"title\" x=\"%d\" y=\"34\">%s</text>\n", plotLeft, html.EscapeString(c.Title))
	for _, v := range x.sizes(xs) {
		fmt.Fprintf(&b, "<path class=\"grid\" d=\"M%s %dV%d\"/><text class=\"tick\" x=\"%[1]s\" y=\"%[4]d\" text-anchor=\"middle\">%[5]s</text>\n", place(x.at(v)), plotTop, plotBottom, plotBottom+20, tick(v))
	}
	for _, v := range y.ticks() {
		fmt.Fprintf(&b, "<path class=\"grid\" d=\"M%d %sH%d\"/><text class=\"tick\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>\n", plotLeft, place(y.at(v)), plotRight, plotLeft-8, place(y.at(v)+4), tick(v))
	}
	fmt.Fprintf(&b, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", plotLeft, plotTop, plotBottom, plotRight)
	fmt.Fprintf(&b, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (plotLeft+plotRight)/2, plotBottom+44, html.EscapeString(c.X))
	fmt.Fprintf(&b, "<text class=\"tick\" x=\"%d\" y=\"%d\">%s</text>\n", plotLeft, plotTop-10, html.EscapeString(c.Y))
	for i, s := range c.Series {
		s.line(&b, i, x, y)
	}
	c.labels(&b, y)
	b.WriteString("</svg>\n")
	return b.String()
}

func (c Curve) style(b *strings.Builder) {
	b.WriteString("<style>\n.ground{fill:#fff}.title{font:600 16px system-ui,sans-serif;fill:#19211c}.tick,.label{font:12px system-ui,sans-serif;fill:#465048}.grid{stroke:#e1e5da}.axis{stroke:#868f83;fill:none}.leader{stroke:#868f83;stroke-width:.75}.line{fill:none;stroke-width:2;stroke-linejoin:round}.elsewhere{stroke-dasharray:5 4}.mark{stroke-width:2}.open{fill:#fff}\n")
	for i := range c.Series {
		fmt.Fprintf(b, ".s%d{stroke:%s}.f%[1]d{fill:%[2]s}", i, hues[i%len(hues)][0])
	}
	b.WriteString("\n@media (prefers-color-scheme:dark){.ground,.open{fill:#171c19}.title{fill:#e9eeea}.tick,.label{fill:#bcc7bf}.grid{stroke:#29322c}.axis,.leader{stroke:#6c786f}")
	for i := range c.Series {
		fmt.Fprintf(b, ".s%d{stroke:%s}.f%[1]d{fill:%[2]s}", i, hues[i%len(hues)][1])
	}
	b.WriteString("}\n</style>\n")
}

// inWords describes the picture for people who cannot see it.
func (c Curve) inWords() string {
	lines := []string{fmt.Sprintf("%s by %s, both axes logarithmic.", upper(c.Y), c.X)}
	for _, s := range c.Series {
		var points []string
		for _, p := range s.Points {
			more := ""
			if p.Stopped {
				more = "more than "
			}
			points = append(points, fmt.Sprintf("%s%s at %s", more, number(p.Y), number(p.X)))
		}
		lines = append(lines, s.Label+": "+strings.Join(points, ", ")+".")
	}
	return strings.Join(lines, " ")
}

// marks are the shapes of points, around 0.
var marks = []string{"M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z", "M-4 -4H4V4H-4Z", "M0 -5L5 0L0 5L-5 0Z", "M0 -5L5 4H-5Z", "M0 5L5 -4H-5Z", "M-5 0H5M0 -5V5", "M-4 -4L4 4M-4 4L4 -4", "M-5 -2H5V2H-5Z"}

func (s Series) line(b *strings.Builder, i int, x, y axis) {
	class := fmt.Sprintf("line s%d", i)
	if s.Elsewhere {
		class += " elsewhere"
	}
	var path []string
	for _, p := range s.Points {
		path = append(path, place(x.at(p.X))+" "+place(y.at(p.Y)))
	}
	if len(path) > 1 {
		fmt.Fprintf(b, "<path class=\"%s\" d=\"M%s\"/>\n", class, strings.Join(path, "L"))
	}
	for _, p := range s.Points {
		fill, above := fmt.Sprintf("f%d", i), ""
		if p.Stopped {
			fill, above = "open", "M0 -8V-17M-4 -13L0 -17L4 -13"
		}
		fmt.Fprintf(b, "<path class=\"mark s%d %s\" transform=\"translate(%s %s)\" d=\"%s%s\"/>\n", i, fill, place(x.at(p.X)), place(y.at(p.Y)), marks[i%len(marks)], above)
	}
}

// labels puts the lines' names to the right of their ends, one below the other.
func (c Curve) labels(b *strings.Builder, y axis) {
	type label struct {
		i      int
		at, to float64
	}
	var all []label
	for i, s := range c.Series {
		if len(s.Points) > 0 {
			at := y.at(s.Points[len(s.Points)-1].Y)
			all = append(all, label{i, at, at})
		}
	}
	slices.SortStableFunc(all, func(p, q label) int { return cmp.Compare(p.at, q.at) })
	for i := range all {
		if i > 0 {
			all[i].to = max(all[i].to, all[i-1].to+labelHeight)
		}
	}
	// Labels below the bottom edge push those above them up.
	for i := len(all) - 1; i >= 0; i-- {
		most := float64(plotBottom - (len(all)-1-i)*labelHeight)
		all[i].to = min(all[i].to, most)
	}
	for _, l := range all {
		fmt.Fprintf(b, "<path class=\"leader\" d=\"M%d %sL%d %s\"/><path class=\"mark s%d f%[5]d\" transform=\"translate(%d %s)\" d=\"%s\"/><text class=\"label\" x=\"%d\" y=\"%s\">%s</text>\n",
			plotRight+2, place(l.at), plotRight+14, place(l.to), l.i, plotRight+22, place(l.to), marks[l.i%len(marks)], plotRight+32, place(l.to+4), html.EscapeString(c.Series[l.i].Label))
	}
}

// place formats a coordinate with one decimal.
func place(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// tick formats a value at an axis.
func tick(v float64) string {
	if v >= 1 {
		return grouped(int64(math.Round(v)))
	}
	return strings.TrimRight(strconv.FormatFloat(v, 'f', 6, 64), "0")
}

// Sort sorts the points by size.
func (s *Series) Sort() {
	slices.SortStableFunc(s.Points, func(p, q Point) int { return cmp.Compare(p.X, q.X) })
}
