package source

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Severity is the severity of a [Diagnostic].
type Severity uint8

// The severities, the gravest first. The zero value is an error, so that an unclassified
// diagnostic is not overlooked.
const (
	SeverityError   Severity = iota // the text has no meaning until this is fixed
	SeverityWarning                 // the text is valid, but probably not intended
	SeverityInfo                    // worth knowing; nothing is wrong
)

// String returns "error", "warning" or "info".
func (s Severity) String() string {
	switch s {
	case SeverityError:
		return "error"
	case SeverityWarning:
		return "warning"
	default:
		return "info"
	}
}

// Diagnostic is a message about a position in a text.
type Diagnostic struct {
	Code     string // stable, e.g. "cfg.arrow-missing"
	Severity Severity
	Span     Span
	Message  string // one plain sentence
	Notes    []Note
	Fixes    []Fix
}

// Note is another position that explains a diagnostic.
type Note struct {
	Span    Span
	Message string
}

// Fix is a change that fixes the problem of a diagnostic.
type Fix struct {
	Title string
	Edits []Edit // do not overlap
}

// Edit replaces the text at Span with Text.
type Edit struct {
	Span Span
	Text string
}

// Sort orders diagnostics by position, then severity, then code.
func Sort(list []Diagnostic) {
	// Package sort has one copy of its code for all types, package slices one for each type, and
	// the core module must be small.
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Span.End, b.Span.End),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Code, b.Code),
		) < 0
	})
}

// Quote quotes a text for a message: between backticks if the text contains quotes or backslashes,
// so that it is readable as it is written.
func Quote(text string) string {
	if strings.ContainsAny(text, "\"\\") && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// HasErrors reports whether any of the diagnostics is an error.
func HasErrors(list []Diagnostic) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Severity == SeverityError })
}

// Apply returns the text with the edits made. Edits that overlap or lie outside
// the text are a programming error and are skipped.
func Apply(text string, edits []Edit) string {
	edits = slices.Clone(edits)
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	var out []byte
	done := Pos(0)
	for _, e := range edits {
		if e.Span.Start < done || e.Span.End < e.Span.Start || int(e.Span.End) > len(text) {
			continue
		}
		out = append(out, text[done:e.Span.Start]...)
		out = append(out, e.Text...)
		done = e.Span.End
	}
	return string(append(out, text[done:]...))
}

// Nearest returns the candidate closest to name, for a "did you mean" note, or
// "" when none is close: at most a third of the letters, and never more than
// three, may differ. Ties go to the candidate that comes first.
func Nearest(name string, candidates []string) string {
	best, bestDistance := "", min(len([]rune(name))/3, 3)+1
	for _, c := range candidates {
		if c == name {
			continue
		}
		if d := Distance(name, c, bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// Distance returns the number of insertions, deletions and substitutions of characters, and of
// exchanges of two adjacent ones, between two texts (optimal string alignment), or bound if it is
// at least bound.
func Distance(from, to string, bound int) int {
	a, b := []rune(from), []rune(to)
	if len(a)-len(b) >= bound || len(b)-len(a) >= bound {
		return bound
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range a {
		next[0] = i + 1
		for j, rb := range b {
			substitute := row[j]
			if ra != rb {
				substitute++
			}
			next[j+1] = min(substitute, next[j]+1, row[j+1]+1)
			if i > 0 && j > 0 && ra == b[j-1] && a[i-1] == rb {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], bound)
}
