package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// WriteMarkdown writes a report; the curves are pictures in the same folder.
func (r *Report) WriteMarkdown(out io.Writer, folder string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Speed and size\n\nCommit %s of %s.\n\n", r.Commit, r.Date)
	m := r.Machine
	b.WriteString("| machine | |\n|---|---|\n")
	for _, row := range [][2]string{
		{"class", m.Class()}, {"Go", m.Go}, {"Node", m.Node}, {"Chromium", m.Chromium}, {"load at the start", strconv.FormatFloat(m.Load, 'f', 2, 64)},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
		}
	}
	if m.Busy() {
		b.WriteString("\nThe machine had much else to do when this began: compare ratios instead of times.\n")
	}
	r.writeSummary(&b)
	for _, section := range r.Sections() {
		fmt.Fprintf(&b, "\n## %s\n", upper(section))
		r.writeSection(&b, section)
	}
	r.writeGrowth(&b, folder)
	_, err := io.WriteString(out, b.String())
	return err
}

func upper(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func (r *Report) writeSummary(b *strings.Builder) {
	kept, broken, open := r.Kept()
	fmt.Fprintf(b, "\n**%d of %d targets are kept.**\n", kept, kept+len(broken)+len(open))
	list := func(title string, figures []*Figure, say func(*Figure) string) {
		if len(figures) == 0 {
			return
		}
		fmt.Fprintf(b, "\n%s\n\n", title)
		for _, f := range figures {
			fmt.Fprintf(b, "- %s, %s: %s\n", f.Group, f.Name, say(f))
		}
	}
	list("Not kept:", broken, func(f *Figure) string { return f.reached() + ", promised " + f.promise() })
	list("Not measured:", open, func(f *Figure) string { return "promised " + f.promise() })
	list("Worse than in the last run on the same kind of machine:", r.Worse(), (*Figure).changed)
	if len(r.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, note := range r.Notes {
		fmt.Fprintf(b, "- %s\n", note)
	}
}

// reached returns the value that the target limits.
func (f *Figure) reached() string {
	switch f.Target.Of {
	case OfRatio:
		for _, p := range f.Peers {
			if p.Tool == f.Target.Tool {
				return times(p.Ratio.Median) + " as good as " + p.Tool
			}
		}
	case OfWorst:
		if f.More {
			return Measure(f.Least, f.Unit) + " at worst"
		}
		return Measure(f.Most, f.Unit) + " at worst"
	}
	return Measure(f.Median, f.Unit)
}

func (f *Figure) promise() string {
	sign := "≤ "
	if f.More {
		sign = "≥ "
	}
	switch f.Target.Of {
	case OfRatio:
		if f.Target.Bound == 1 {
			return "as good as " + f.Target.Tool
		}
		if f.Target.Bound < 1 {
			return "≤ " + number(1/f.Target.Bound) + " × " + f.Target.Tool
		}
		return times(f.Target.Bound) + " as good as " + f.Target.Tool
	case OfWorst:
		return sign + Measure(f.Target.Bound, f.Unit) + " at worst"
	}
	return sign + Measure(f.Target.Bound, f.Unit)
}

func (f *Figure) changed() string {
	c := f.Change
	what := Measure(c.Was, f.Unit)
	if c.Tool != "" {
		what = times(c.Was) + " as good as " + c.Tool
	}
	return fmt.Sprintf("was %s at %s, %s worse", what, c.Commit, times(c.Factor))
}

// cell returns the change as a table cell.
func (f *Figure) cell() string {
	c := f.Change
	switch {
	case c == nil:
		return ""
	case c.Worse:
		return "**" + times(c.Factor) + " worse**"
	case c.Better:
		return times(1/c.Factor) + " better"
	}
	return "="
}

func (r *Report) writeSection(b *strings.Builder, section string) {
	group := ""
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Section != section {
			continue
		}
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(b, "\n### %s\n\n| | median | least to most | runs | target | | peer | its | ratio | since |\n|---|---:|---:|---:|---:|---|---|---:|---:|---|\n", upper(group))
		}
		f.writeRows(b)
	}
}

func (f *Figure) writeRows(b *strings.Builder) {
	target, mark := "", ""
	if f.Target != nil {
		target, mark = f.promise(), "?"
		if f.Kept != nil {
			mark = "✗"
			if *f.Kept {
				mark = "✓"
			}
		}
	}
	spread := ""
	if f.Runs > 1 && f.Least != f.Most {
		spread = number(f.Least) + " – " + number(f.Most)
	}
	own := fmt.Sprintf("| %s | %s | %s | %d | %s | %s |", strings.ReplaceAll(f.Name, "|", "\\|"), Measure(f.Median, f.Unit), spread, f.Runs, target, mark)
	if len(f.Peers) == 0 {
		fmt.Fprintf(b, "%s | | | %s |\n", own, f.cell())
		return
	}
	for i, p := range f.Peers {
		since := f.cell()
		if i > 0 {
			own, since = "| | | | | | |", ""
		}
		tool, least := p.Tool, ""
		if p.Note != "" {
			tool += " (" + p.Note + ")"
		}
		if p.Elsewhere {
			tool += " *"
		}
		if p.Stopped {
			least = "> "
		}
		if p.Runs == 0 { // it failed; the note has the reason
			fmt.Fprintf(b, "%s %s | | | %s |\n", own, tool, since)
			continue
		}
		fmt.Fprintf(b, "%s %s | %s%s | %s%s | %s |\n", own, tool, least, Measure(p.Median, f.Unit), least, times(p.Ratio.Median), since)
	}
}

// writeGrowth writes the growth of the measured values with the size.
func (r *Report) writeGrowth(b *strings.Builder, folder string) {
	if len(r.Curves) == 0 {
		return
	}
	b.WriteString("\n## Growth\n\nThe power of the size with which a figure grows: 1 is linear, 2 square.\n")
	for _, c := range r.Curves {
		fmt.Fprintf(b, "\n### %s\n\n![%s](%s)\n\n| | %s | %s | power |\n|---|---|---|---:|\n", c.Title, c.Title, strings.TrimPrefix(folder+"/"+c.File, "/"), c.X, c.Y)
		for _, s := range c.Series {
			var sizes, values []string
			for _, p := range s.Points {
				value := number(p.Y)
				if p.Stopped {
					value = "> " + value
				}
				sizes, values = append(sizes, number(p.X)), append(values, value)
			}
			power := ""
			if p, ok := s.Power(); ok {
				power = strconv.FormatFloat(p, 'f', 1, 64)
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", s.Label, strings.Join(sizes, "; "), strings.Join(values, "; "), power)
		}
	}
	if slices.ContainsFunc(r.Figures, func(f Figure) bool { return slices.ContainsFunc(f.Peers, func(p Peer) bool { return p.Elsewhere }) }) {
		b.WriteString("\n\\* Measured elsewhere, on two cores; it is in no registry.\n")
	}
}

func times(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return number(ratio) + "×"
}

// Measure formats a value with its unit.
func Measure(value float64, unit string) string {
	if unit == "bytes" {
		return grouped(int64(math.Round(value))) + " bytes"
	}
	return strings.TrimSpace(number(value) + " " + unit)
}

// number formats at least three digits, and all digits before the decimal point.
func number(v float64) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	if math.Abs(v) >= 100 {
		return grouped(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, text = "-", text[1:]
	}
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return sign + text
}
