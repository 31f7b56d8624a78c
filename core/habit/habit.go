// Package habit explains the faults of texts that are written with habits of other notations. A
// table of patterns rewrites such constructs. If a rewriting reduces the number of faults, or moves
// the first fault further right, one fault at the construct replaces the faults that the rewriting
// removes.
package habit

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Habit is a construct of another notation. In Message and Write, $0 is the construct and $1 to $9
// are groups of the pattern; in Message they are quoted.
type Habit struct {
	Pattern string // if it has groups, the first one is the construct, otherwise the match
	Message string
	Write   string // replaces the construct
	None    bool   // Write is not equivalent to the construct: it only shows which faults follow from it
	Late    bool   // tried after the search of a small edit, because an error may cause the fault
	// Complete restricts the habit to rewritings after which the text has no error.
	Complete bool
	// Propose replaces Pattern and Write: it returns a rewriting for a fault. The place of the
	// diagnostic is At if it is not empty.
	Propose func(text string, fault source.Diagnostic) Proposal
	// All returns rewritings of a text that do not depend on the place of a fault.
	All func(text string) []Proposal
}

// Proposal is a possible rewriting.
type Proposal struct {
	Edits   []source.Edit
	At      source.Span
	Message string
	Title   string
	None    bool
	Code    string // of the diagnostic; default: that of the nearest fault
}

// Notation describes the texts of a notation.
type Notation struct {
	Habits []Habit
	// Check returns the diagnostics of a text.
	Check func(text string) []source.Diagnostic
	// Comments are the characters that begin a comment, and Lines reports that a string ends with
	// its line.
	Comments string
	Lines    bool
	// Least is the least severe fault that is explained.
	Least source.Severity
	// Repair describes the search of a small edit; nil: none.
	Repair *Repair
}

// Limits of a search, which happens at each edit.
const (
	maxText   = 20_000 // bytes
	maxShort  = 4_000  // bytes of a text that is searched as a whole
	maxChecks = 60
	maxWork   = 160_000 // bytes that are checked
	maxLines  = 8       // with faults
	maxRounds = 12
)

// Explain returns the diagnostics of a text, in which foreign constructs replace the faults that
// follow from them.
func (n *Notation) Explain(text string, found []source.Diagnostic) []source.Diagnostic {
	faults := n.faults(found)
	if len(faults) == 0 || len(text) > maxText {
		return found
	}
	s := &search{n: n, text: text, origin: make([]int, len(text)+1), faults: faults, all: found}
	for i := range s.origin {
		s.origin[i] = i
	}
	original := faults
	for range maxRounds {
		if len(s.faults) == 0 || !s.step() {
			break
		}
	}
	if len(s.steps) == 0 {
		return found
	}
	return s.report(text, found, original)
}

func (n *Notation) faults(found []source.Diagnostic) (out []source.Diagnostic) {
	for _, d := range found {
		if d.Severity <= n.Least {
			out = append(out, d)
		}
	}
	source.Sort(out)
	// An error comes before a warning of the text.
	slices.SortStableFunc(out, func(a, b source.Diagnostic) int { return int(a.Severity) - int(b.Severity) })
	return out
}

// search is a text after some rewritings.
type search struct {
	n      *Notation
	text   string
	origin []int // of each byte, in the original text
	faults []source.Diagnostic
	all    []source.Diagnostic // the faults and all other diagnostics
	steps  []Proposal          // with places in the original text
	checks int
	tried  int // edits, by [repairs.repair]
}

// step makes the first improvement: by a safe small edit, a habit, another small edit, or a late habit.
func (s *search) step() bool {
	masked := s.n.Mask(s.text)
	edits := s.edits(masked)
	return edits.repair(true) || s.habits(masked, false) || edits.repair(false) || s.habits(masked, true)
}

// habits tries the habits in order and makes the first one that is an improvement.
func (s *search) habits(masked string, late bool) bool {
	for i := range s.n.Habits {
		if s.n.Habits[i].Late != late {
			continue
		}
		for _, p := range s.proposals(&s.n.Habits[i], masked) {
			if s.checks++; s.checks > maxChecks || s.checks*len(s.text) > maxWork {
				return false
			}
			next := source.Apply(s.text, p.Edits)
			if next == s.text {
				continue
			}
			found := s.n.Check(next)
			if faults := s.n.faults(found); s.improves(next, faults) && !(s.n.Habits[i].Complete && source.HasErrors(faults)) {
				s.accept(p, next, faults)
				s.all = found
				return true
			}
		}
	}
	return false
}

func (s *search) improves(next string, faults []source.Diagnostic) bool {
	if len(faults) == 0 {
		return true
	}
	was, now := s.faults[0], faults[0]
	switch {
	case now.Severity != was.Severity:
		return now.Severity > was.Severity
	case len(faults) != len(s.faults):
		return len(faults) < len(s.faults)
	}
	return len(next)-int(now.Span.End) < len(s.text)-int(was.Span.End) // less text follows the fault
}

func (s *search) accept(p Proposal, next string, faults []source.Diagnostic) {
	edits := slices.Clone(p.Edits)
	slices.SortStableFunc(edits, func(a, b source.Edit) int { return int(a.Span.Start - b.Span.Start) })
	var origin []int
	done := 0
	for i, e := range edits {
		origin = append(origin, s.origin[done:e.Span.Start]...)
		for range len(e.Text) {
			origin = append(origin, s.origin[e.Span.Start])
		}
		done = int(e.Span.End)
		edits[i].Span = s.original(e.Span)
	}
	origin = append(origin, s.origin[done:]...)
	p.At, p.Edits = s.original(p.At), edits
	s.steps = append(s.steps, p)
	s.text, s.origin, s.faults = next, origin, faults
}

func (s *search) original(at source.Span) source.Span {
	start := source.Pos(s.origin[at.Start])
	if at.Len() == 0 {
		return source.Span{Start: start, End: start}
	}
	end := min(s.origin[at.End-1]+1, s.origin[len(s.origin)-1]) // a byte that was added at the end has no original
	return source.Span{Start: start, End: max(start, source.Pos(end))}
}

// proposals returns the rewritings of one habit at the lines of the faults: at all of them at
// once, then at the first one.
func (s *search) proposals(h *Habit, masked string) (out []Proposal) {
	if h.All != nil {
		return h.All(s.text)
	}
	if h.Propose != nil {
		for _, d := range s.faults[:min(len(s.faults), 3)] {
			if p := h.Propose(s.text, d); len(p.Edits) > 0 {
				out = append(out, p)
			}
		}
		return out
	}
	pattern := NewPattern(h.Pattern)
	var all Proposal
	end := -1
	for _, w := range s.windows() {
		for from := max(w[0], end); from <= w[1]; {
			at := pattern.Find(masked[:w[1]], from)
			if at == nil {
				break
			}
			from = max(at[1], at[0]+1)
			place := [2]int{at[0], at[1]}
			if len(at) > 2 && at[2] >= 0 {
				place = [2]int{at[2], at[3]}
			}
			if place[0] < end {
				continue
			}
			end = place[1]
			edit := source.Edit{Span: span(place[0], place[1]), Text: s.expand(h.Write, at, place, false)}
			if n := len(h.Write); n > 1 && h.Write[n-2] == '$' { // the last group may be empty
				edit.Text = strings.TrimRight(edit.Text, " ")
			}
			if len(all.Edits) == 0 {
				all.At, all.Message, all.None = edit.Span, s.expand(h.Message, at, place, true), h.None
				switch written := strings.TrimSpace(edit.Text); {
				case written == "":
					all.Title = "Remove it"
				case strings.Contains(written, "\n"):
					all.Title = "Rewrite it"
				default:
					all.Title = "Write " + written
				}
			}
			all.Edits = append(all.Edits, edit)
		}
	}
	if len(all.Edits) == 0 {
		return nil
	}
	if out = append(out, all); len(all.Edits) > 1 {
		first := all
		first.Edits = all.Edits[:1]
		out = append(out, first)
	}
	return out
}

func span(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

func (s *search) expand(template string, at []int, place [2]int, quote bool) string {
	var out strings.Builder
	for i := 0; i < len(template); i++ {
		if template[i] != '$' || i+1 == len(template) || template[i+1] < '0' || template[i+1] > '9' {
			out.WriteByte(template[i])
			continue
		}
		i++
		g := int(template[i] - '0')
		text := s.text[place[0]:place[1]]
		if g > 0 {
			text = ""
			if 2*g+1 < len(at) && at[2*g] >= 0 {
				text = s.text[at[2*g]:at[2*g+1]]
			}
		}
		if quote {
			text = Quote(text)
		}
		out.WriteString(text)
	}
	return out.String()
}

// Quote quotes a text for a message, shortened to one line.
func Quote(text string) string {
	text = strings.TrimSpace(text)
	line, _, more := strings.Cut(text, "\n")
	words := strings.Fields(line)
	if len(words) > 3 {
		line, more = strings.Join(words[:3], " "), true
	}
	if more {
		line += " …"
	}
	return source.Quote(line)
}

// windows returns the bounds of the lines with faults, each with the line before and after.
func (s *search) windows() (out [][2]int) {
	if s.faults[0].Severity != source.SeverityError && len(s.text) < maxShort {
		return [][2]int{{0, len(s.text)}} // a warning may be far from its cause
	}
	for _, d := range s.faults[:min(len(s.faults), maxLines)] {
		start := strings.LastIndexByte(s.text[:d.Span.Start], '\n')
		if start > 0 {
			start = strings.LastIndexByte(s.text[:start], '\n')
		}
		end := lineEnd(s.text, lineEnd(s.text, int(d.Span.Start))+1)
		out = append(out, [2]int{start + 1, end})
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

func lineEnd(text string, from int) int {
	if from >= len(text) {
		return len(text)
	}
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

// Mask returns a text of the same length in which comments are blank and the contents of strings
// are underscores.
func (n *Notation) Mask(text string) string {
	out := []byte(text)
	for i := 0; i < len(out); {
		switch c := text[i]; {
		case strings.IndexByte(n.Comments, c) >= 0 && (i == 0 || c == ';' || strings.IndexByte(" \t\n(){}[],", text[i-1]) >= 0):
			for end := lineEnd(text, i); i < end; i++ {
				out[i] = ' '
			}
		case c == '"':
			end := stringEnd(text, i, n.Lines)
			for k := i + 1; k < end-1; k++ {
				if text[k] != '\n' {
					out[k] = '_'
				}
			}
			i = end
		default:
			i++
		}
	}
	return string(out)
}

// stringEnd returns the position after a string, or after its quote if it is not closed.
func stringEnd(text string, start int, lines bool) int {
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return i + 1
		case text[i] == '\\':
			i++
		case text[i] == '\n' && lines:
			return start + 1
		}
	}
	return start + 1
}

// report returns a diagnostic for each rewriting, and the faults that remain.
func (s *search) report(text string, found, original []source.Diagnostic) []source.Diagnostic {
	var fix []source.Fix
	title, none := s.steps[0].Title, false
	edits := s.steps[0].Edits
	for _, p := range s.steps {
		none = none || p.None
	}
	if len(s.steps) > 1 {
		title, edits = "Rewrite it", []source.Edit{Difference(text, s.text)}
	}
	left := !none && !source.HasErrors(s.faults)
	if left {
		fix = []source.Fix{{Title: title, Edits: edits}}
	}
	var out []source.Diagnostic
	for i, p := range s.steps {
		within := func(o Proposal) bool { return o.At.Start <= p.At.Start && p.At.End < o.At.End }
		if left && slices.ContainsFunc(s.steps[:i], within) {
			continue // it completes the rewriting of a construct
		}
		d := nearest(original, text, p.At)
		d.Span, d.Message, d.Notes, d.Fixes = p.At, p.Message, nil, fix
		if p.Code != "" {
			d.Code = p.Code
		}
		if !left && !p.None && !s.failsIn(p.At) {
			d.Fixes = []source.Fix{{Title: p.Title, Edits: p.Edits}}
		}
		out = append(out, d)
	}
	for _, d := range s.faults {
		d.Span = s.original(d.Span)
		d.Notes, d.Fixes = nil, nil
		covered := slices.ContainsFunc(s.steps, func(p Proposal) bool { return p.At.Start <= d.Span.Start && d.Span.Start < p.At.End })
		if !covered && (left || source.HasErrors([]source.Diagnostic{d})) {
			out = append(out, kept(found, d))
		}
	}
	return out
}

// failsIn reports whether an error remains in a construct, so that its rewriting is no fix.
func (s *search) failsIn(at source.Span) bool {
	return slices.ContainsFunc(s.faults, func(d source.Diagnostic) bool {
		start := s.original(d.Span).Start
		return d.Severity == source.SeverityError && at.Start <= start && start < at.End
	})
}

// kept returns the original of a diagnostic, which has its notes and fixes.
func kept(found []source.Diagnostic, d source.Diagnostic) source.Diagnostic {
	for _, o := range found {
		if o.Code == d.Code && o.Span == d.Span && o.Message == d.Message {
			return o
		}
	}
	return d
}

// nearest returns the fault that is nearest to a place; faults on the same line come first.
func nearest(faults []source.Diagnostic, text string, at source.Span) source.Diagnostic {
	best, distance := faults[0], -1
	for _, d := range faults {
		between := text[min(d.Span.Start, at.Start):max(d.Span.Start, at.Start)]
		if n := len(between) + 1000*strings.Count(between, "\n"); distance < 0 || n < distance {
			best, distance = d, n
		}
	}
	return best
}

// Difference returns the edit that turns one text into another.
func Difference(from, to string) source.Edit {
	start := 0
	for start < len(from) && start < len(to) && from[start] == to[start] {
		start++
	}
	for start > 0 && (start < len(from) && from[start]&0xC0 == 0x80 || start < len(to) && to[start]&0xC0 == 0x80) {
		start--
	}
	end, last := len(from), len(to)
	for end > start && last > start && from[end-1] == to[last-1] {
		end, last = end-1, last-1
	}
	for end < len(from) && from[end]&0xC0 == 0x80 {
		end, last = end+1, last+1
	}
	return source.Edit{Span: span(start, end), Text: to[start:last]}
}
