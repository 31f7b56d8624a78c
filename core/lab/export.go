package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// The formats of exported results.
const (
	FormMarkdown = "markdown"
	FormCSV      = "csv"
	FormJSONL    = "jsonl"   // an object per cell
	FormResults  = "results" // for [ReadResults]; it has no data of endpoints
)

// Forms lists all formats.
var Forms = []string{FormMarkdown, FormCSV, FormJSONL, FormResults}

// Export writes results. It returns an error for an unknown format.
func (x *Experiment) Export(outcomes []Outcome, form string) (string, error) {
	switch form {
	case FormMarkdown:
		return x.Table(outcomes).Markdown(), nil
	case FormCSV:
		return x.Table(outcomes).CSV(), nil
	case FormJSONL:
		return cellLines(outcomes)
	case FormResults:
		return x.results(outcomes)
	}
	return "", source.NewError("lab.form", fmt.Sprintf("unknown format %q (expected %s)", form, strings.Join(Forms, ", ")))
}

// figure formats a value: "47 % (31–64)", "3.2 (2.9–3.5)", "–".
func (v Value) figure(published bool) string {
	scale, unit := 1.0, ""
	switch {
	case v.Unpriced:
		return "unknown"
	case !v.Known:
		return "–"
	case v.Share:
		scale, unit = 100, " %"
	}
	write := func(f float64) string {
		if published && !v.Share {
			return strconv.FormatFloat(f, 'f', 4, 64)
		}
		if v.Share {
			return strconv.FormatFloat(scale*f, 'f', decimals(published), 64)
		}
		return short(f)
	}
	text := trimZeros(write(v.Value)) + unit
	if published || v.N < 2 || v.Low == v.High {
		return text
	}
	return text + " (" + trimZeros(write(v.Low)) + "–" + trimZeros(write(v.High)) + ")"
}

// decimals returns the maximum number of decimals of a percentage. Published figures keep two.
func decimals(published bool) int {
	if published {
		return 2
	}
	return 1
}

func trimZeros(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// short formats a number with three significant digits.
func short(f float64) string {
	for decimals, least := range []float64{100, 10, 1, 0.1, 0.01} {
		if max(f, -f) >= least {
			return strconv.FormatFloat(f, 'f', decimals, 64)
		}
	}
	return strconv.FormatFloat(f, 'f', 5, 64)
}

// Markdown formats the table with its notes and sources. Published rows are in italics.
func (t Table) Markdown() string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("### " + escaped(t.Title) + "\n\n")
	}
	grid := t.grid()
	for i, line := range grid {
		for _, cell := range line {
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			heads := 2
			if t.Across != "" {
				heads = 1
			}
			for k := range line {
				b.WriteString([]string{"|---:", "|---"}[min(max(heads-k, 0), 1)])
			}
			b.WriteString("|\n")
		}
	}
	fmt.Fprintf(&b, "\n%d of %d cells", t.Done, t.Cells)
	if t.Failed > 0 {
		fmt.Fprintf(&b, ", %d failed", t.Failed)
	}
	b.WriteString("; in brackets the interval at 95 %.")
	if len(t.References) > 0 {
		b.WriteString(" Published figures are in italics.")
	}
	b.WriteString("\n")
	for _, note := range t.Notes {
		b.WriteString("\n" + escaped(note) + "\n")
	}
	for _, r := range t.References {
		b.WriteString("\n" + escaped(r.Title))
		if r.Source != "" {
			b.WriteString(": " + escaped(r.Source))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// escaped escapes Markdown and HTML markup for use in a table.
func escaped(text string) string { return markup().Replace(strings.Join(strings.Fields(text), " ")) }

func markup() *strings.Replacer {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "<", "&lt;", "&", "&amp;", "~~", `\~~`)
}

// grid returns the table as Markdown cells, the header first.
func (t Table) grid() [][]string {
	head := []string{"method", "model"}
	for _, c := range t.Columns {
		head = append(head, escaped(c.Title))
	}
	grid := [][]string{append(head, "cells")}
	for _, r := range t.Rows {
		published := r.Reference != ""
		mark := ""
		if published {
			mark = "*"
		}
		model := r.shownModel()
		if published && len(t.References) > 1 { // the table of the row
			if _, part, ok := strings.Cut(r.Reference, ", "); ok {
				if _, rest, ok := strings.Cut(part, ", "); ok {
					part = rest
				}
				model += ", " + part
			}
		}
		line := []string{escaped(r.Method), mark + escaped(model) + mark}
		for _, v := range r.Values {
			text := v.figure(published)
			if v.Known {
				text = mark + text + mark
			}
			line = append(line, text)
		}
		cells := strconv.Itoa(r.Cells)
		if published {
			cells = ""
		}
		grid = append(grid, append(line, cells))
	}
	switch t.Across {
	case "groups":
		return t.byGroup(grid)
	case "":
		return grid
	}
	turned := make([][]string, len(t.Columns)+2)
	turned[0] = []string{""}
	for i, c := range t.Columns {
		turned[i+1] = []string{escaped(c.Title)}
	}
	turned[len(t.Columns)+1] = []string{"cells"}
	for _, line := range grid[1:] {
		turned[0] = append(turned[0], line[0]+", "+line[1])
		for i, cell := range line[2:] {
			turned[i+1] = append(turned[i+1], cell)
		}
	}
	return turned
}

// byGroup arranges a grid so that the columns of the groups are next to each other.
func (t Table) byGroup(grid [][]string) [][]string {
	out := [][]string{{""}}
	for _, line := range grid[1:] {
		for _, group := range t.Groups {
			out[0] = append(out[0], strings.TrimSuffix(line[0]+", "+line[1]+", "+escaped(group), ", "))
		}
	}
	for _, l := range t.Levels {
		row := []string{escaped(l.Title)}
		for _, line := range grid[1:] {
			for _, at := range l.Columns {
				text := ""
				if at >= 0 {
					text = line[2+at]
				}
				row = append(row, text)
			}
		}
		out = append(out, row)
	}
	cells := []string{"cells"}
	for _, line := range grid[1:] {
		cells = append(append(cells, line[len(line)-1]), slices.Repeat([]string{""}, len(t.Groups)-1)...)
	}
	return append(out, cells)
}

// CSV returns the table as CSV. Each column of the table becomes four: the figure, the two ends
// of its interval, and the number of cells. Shares are from 0 to 1.
func (t Table) CSV() string {
	var b strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\n\r") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString("\r\n")
	}
	head := []string{"method", "model", "published in"}
	for _, c := range t.Columns {
		head = append(head, c.Title, c.Title+" low", c.Title+" high", c.Title+" n")
	}
	line(append(head, "cells", "failed"))
	for _, r := range t.Rows {
		cells := []string{r.Method, r.shownModel(), r.Reference}
		for _, v := range r.Values {
			switch {
			case !v.Known:
				cells = append(cells, "", "", "", "")
			case r.Reference != "":
				cells = append(cells, plain(v.Value), "", "", "")
			default:
				cells = append(cells, plain(v.Value), plain(v.Low), plain(v.High), strconv.Itoa(v.N))
			}
		}
		line(append(cells, strconv.Itoa(r.Cells), strconv.Itoa(r.Failed)))
	}
	return b.String()
}

// plain formats a number with six decimals, or with twelve if it is too small for six, such
// as the cost of a call.
func plain(f float64) string {
	decimals := 6
	if max(f, -f) < 0.01 {
		decimals = 12
	}
	return trimZeros(strconv.FormatFloat(f, 'f', decimals, 64))
}

// cellLines returns a JSON object per cell.
func cellLines(outcomes []Outcome) (string, error) {
	var b strings.Builder
	for _, o := range outcomes {
		o.Answers = nil
		text, err := json.Marshal(o)
		if err != nil {
			return "", err
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// resultsVersion changes when an older reader would misread [Results].
const resultsVersion = 1

// Results is an experiment with the results of its cells. It suffices to show the table and
// has no addresses or keys of endpoints.
type Results struct {
	Version    int       `json:"version"`
	Experiment string    `json:"experiment"` // the text of the file
	Outcomes   []Outcome `json:"outcomes"`
}

func (x *Experiment) results(outcomes []Outcome) (string, error) {
	r := Results{Version: resultsVersion, Experiment: x.File.Text, Outcomes: []Outcome{}}
	for _, o := range outcomes {
		if o.State == StateDone || o.State == StateFailed {
			o.Answers = nil
			r.Outcomes = append(r.Outcomes, o)
		}
	}
	text, err := json.Marshal(r)
	return string(text) + "\n", err
}

// ReadResults is the inverse of [Experiment.Export] in [FormResults]. The error has code
// "lab.results".
func ReadResults(text string) (*Experiment, []Outcome, error) {
	var r Results
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, nil, source.NewError("lab.results", "not the results of an experiment: "+err.Error())
	}
	if r.Version != resultsVersion {
		return nil, nil, source.NewError("lab.results", fmt.Sprintf("unknown version %d of results", r.Version))
	}
	x, found := Parse(source.NewFile("experiment.lab", r.Experiment))
	if source.HasErrors(found) {
		return nil, nil, source.NewError("lab.results", "the experiment of these results cannot be read: "+found[0].Message)
	}
	if len(r.Outcomes) > MaxCells {
		return nil, nil, source.NewError("lab.results", fmt.Sprintf("the results have %d cells; an experiment has at most %d", len(r.Outcomes), MaxCells))
	}
	keys := map[string]bool{}
	for i, o := range r.Outcomes {
		fault := o.fault()
		if keys[o.Key] {
			fault = "is a duplicate"
		}
		if keys[o.Key] = true; fault != "" {
			return nil, nil, source.NewError("lab.results", fmt.Sprintf("result %d (cell %q) %s", i+1, o.Key, fault))
		}
	}
	return x, r.Outcomes, nil
}

// fault returns the fault of a result that was read, or "".
func (o Outcome) fault() string {
	if o.State != StateDone && o.State != StateFailed {
		return fmt.Sprintf("has an unknown state %q", o.State)
	}
	for _, m := range o.Measures {
		if m.Count < 0 || m.Of < 0 || m.Of > 0 && m.Count > m.Of {
			return fmt.Sprintf("has an impossible value: %v of %v for %s", m.Count, m.Of, m.Name)
		}
	}
	return ""
}
