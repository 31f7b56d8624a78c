package notation

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Hover returns the card of the symbol or of the reserved word at a position, or nil.
func (t Table) Hover(w workspace.Workspace, name string, at source.Pos) *Card {
	f, ok := w.File(name)
	if !ok {
		return nil
	}
	row := t.Of(name)
	if row.HoverAt != nil {
		return row.HoverAt(w, name, at)
	}
	s := t.Find(w, name, at)
	if s == nil {
		return row.keyword(f, at)
	}
	c := &Card{Span: s.Span, Kind: s.Kind, Name: s.Name}
	home := f
	for _, p := range s.Places {
		// The spec whose letter is the proposition describes the proposition.
		if other := t.Of(p.File); row.Refers && other.Kind != row.Kind {
			if g, ok := w.File(p.File); ok {
				home, row = g, other
			}
		}
	}
	if row.Describe != nil {
		row.Describe(&Scope{Table: t, File: home.Source(), Files: w.Files}, c, s)
	}
	c.Add(uses(w, s, name))
	return c
}

// keyword returns the card of a reserved word, or nil.
func (n *Notation) keyword(f workspace.File, at source.Pos) *Card {
	span, ok := n.wordAt(f, at)
	if !ok {
		return nil
	}
	word := f.Text[span.Start:span.End]
	e, ok := n.Entry(word)
	if !ok && n.Bounded {
		if name, _, bounded := strings.Cut(word, "_"); bounded {
			e, ok = n.Entry(name)
		}
	}
	if !ok {
		return nil
	}
	return &Card{Span: span, Kind: "keyword", Name: e.Words[0], Form: e.Form, Lines: []string{e.Text}}
}

// wordAt returns the word at a position that is neither a quoted text nor a comment.
func (n *Notation) wordAt(f workspace.File, at source.Pos) (word source.Span, found bool) {
	for _, p := range n.Split(f) {
		if p.Span.Start <= at && at <= p.Span.End && !p.Comment && !p.Quoted {
			// Of two words that touch, the one in the manual is preferred.
			if _, known := n.Entry(p.Text); known || !found {
				word, found = p.Span, true
			}
		}
	}
	return word, found
}

// uses lists the lines on which a symbol occurs.
func uses(w workspace.Workspace, s *Symbol, here string) string {
	const most = 8
	var parts []string
	for _, f := range w.Files {
		file := f.Source()
		var lines []string
		for _, p := range s.Places {
			if p.File != f.Name {
				continue
			}
			line := strconv.Itoa(file.Locate(p.Span.Start).Line)
			if n := len(lines); n == 0 || lines[n-1] != line {
				lines = append(lines, line)
			}
		}
		if len(lines) == 0 {
			continue
		}
		more := ""
		if len(lines) > most {
			more, lines = fmt.Sprintf(" and %d more", len(lines)-most), lines[:most]
		}
		part := "line " + strings.Join(lines, ", ") + more
		if len(lines) > 1 {
			part = "lines " + strings.Join(lines, ", ") + more
		}
		if f.Name != here {
			part = f.Name + ", " + part
		}
		parts = append(parts, part)
	}
	return "Named " + Count(len(s.Places), "time") + ": " + strings.Join(parts, "; ") + "."
}

// Count writes a number with a noun in the singular or plural: "1 state", "2 states".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
