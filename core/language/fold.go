package language

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Folds returns what may be folded away, in order: from the end of the line that
// stays to where what is hidden ends. Brackets, rules with what they go on with,
// paragraphs of several lines, and comments of several lines.
func Folds(f workspace.File) []source.Span {
	file := f.Source()
	if len(file.Check()) > 0 {
		return nil
	}
	x := folder{file: file}
	switch workspace.KindOf(f.Name) {
	case workspace.KindAgent, workspace.KindTeam, workspace.KindPDDL, workspace.KindLab:
		for t := range sexpr.Tokens(f.Text) {
			x.bracket(t.Kind == sexpr.TokenOpen, t.Kind == sexpr.TokenClose, t.Span)
		}
	case workspace.KindPushdown:
		x.braces(func(string) bool { return false })
	case workspace.KindFlow:
		x.braces(func(line string) bool { return line[0] == ' ' || line[0] == '\t' })
	case workspace.KindGrammar:
		x.hanging(func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") })
	case workspace.KindFormulas:
		x.hanging(func(line string) bool { return true })
	case workspace.KindSMT, workspace.KindLP:
		x.solveFolds(workspace.KindOf(f.Name))
	default:
		return nil
	}
	x.hanging(nil)
	sort.Slice(x.out, func(i, j int) bool { return x.out[i].Start < x.out[j].Start })
	return x.out
}

type folder struct {
	file *source.File
	open []source.Pos
	out  []source.Span
}

// add folds what stands between two places, unless that is on one line.
func (x *folder) add(from, to source.Pos) {
	from = source.Pos(source.LineEnd(x.file.Text, int(from)))
	if from < to {
		x.out = append(x.out, source.Span{Start: from, End: to})
	}
}

func (x *folder) bracket(opens, closes bool, at source.Span) {
	switch n := len(x.open); {
	case opens:
		x.open = append(x.open, at.Start)
	case closes && n > 0:
		x.add(x.open[n-1], at.Start)
		x.open = x.open[:n-1]
	}
}

// braces folds blocks, and lines with the more deeply indented ones below.
func (x *folder) braces(hangs func(line string) bool) {
	for _, t := range lines.Lex(x.file.Text) {
		x.bracket(t.Is("{"), t.Is("}"), t.Span)
	}
	x.hanging(hangs)
}

// hanging folds lines onto the one that they go on from; without a function
// comments onto the first line of them.
func (x *folder) hanging(goesOn func(line string) bool) {
	comments := goesOn == nil
	first, last, at := -1, -1, 0
	end := func() {
		if first >= 0 && last > first {
			x.add(source.Pos(first), source.Pos(source.LineEnd(x.file.Text, last)))
		}
		first, last = -1, -1
	}
	for line := range strings.Lines(x.file.Text) {
		trimmed := strings.TrimSpace(line)
		comment := strings.HasPrefix(trimmed, "#")
		switch {
		case trimmed == "", comment != comments:
			end()
		case first >= 0 && (comments || goesOn(line)):
			last = at
		default:
			end()
			first, last = at, at
		}
		at += len(line)
	}
	end()
}
