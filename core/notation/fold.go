package notation

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Folds returns the ranges of a file that can be folded, in order: each from the end of
// the line that stays visible to the end of the hidden text. The ranges are brackets, continued lines,
// paragraphs and comments of several lines.
func (t Table) Folds(f workspace.File) []source.Span {
	file, row := f.Source(), t.Of(f.Name)
	if row.Fold == nil || len(file.Check()) > 0 {
		return nil
	}
	x := &Folder{File: file}
	row.Fold(x)
	x.comments()
	sort.Slice(x.out, func(i, j int) bool { return x.out[i].Start < x.out[j].Start })
	return x.out
}

// Folder collects the foldable ranges of a file.
type Folder struct {
	File *source.File
	open []source.Pos
	out  []source.Span
}

// Add folds the text between two positions, unless it is on one line.
func (x *Folder) Add(from, to source.Pos) {
	from = source.Pos(source.LineEnd(x.File.Text, int(from)))
	if from < to {
		x.out = append(x.out, source.Span{Start: from, End: to})
	}
}

// Bracket reads an opening or closing token, and folds the pair of brackets.
func (x *Folder) Bracket(opens, closes bool, at source.Span) {
	switch n := len(x.open); {
	case opens:
		x.open = append(x.open, at.Start)
	case closes && n > 0:
		x.Add(x.open[n-1], at.Start)
		x.open = x.open[:n-1]
	}
}

// Lines folds continuation lines within a paragraph.
func (x *Folder) Lines(continues func(line string) bool) { x.lines(false, continues) }

// comments folds each group of comment lines onto its first.
func (x *Folder) comments() { x.lines(true, func(string) bool { return true }) }

func (x *Folder) lines(comments bool, continues func(line string) bool) {
	first, last, at := -1, -1, 0
	end := func() {
		if first >= 0 && last > first {
			x.Add(source.Pos(first), source.Pos(source.LineEnd(x.File.Text, last)))
		}
		first, last = -1, -1
	}
	for line := range strings.Lines(x.File.Text) {
		trimmed := strings.TrimSpace(line)
		comment := strings.HasPrefix(trimmed, "#")
		switch {
		case trimmed == "", comment != comments:
			end()
		case first >= 0 && continues(line):
			last = at
		default:
			end()
			first, last = at, at
		}
		at += len(line)
	}
	end()
}
