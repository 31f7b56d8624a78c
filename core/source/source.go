// Package source represents texts and positions in them.
//
// A position is one byte offset, nothing else. Line, column and UTF-16 offset are computed from it
// for display only, so parsers never count lines and two counts cannot disagree.
package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// MaxFileSize is the largest text, in bytes, that a parser accepts. A readable specification has a
// few hundred kilobytes at most; a larger text is a mistake (a binary, a pasted log), and an error
// is better than parsing it.
const MaxFileSize = 4 << 20

// Pos is a byte offset into the text of a [File].
type Pos int

// Span is the half-open byte range [Start, End) of a [File].
type Span struct {
	Start, End Pos
}

// Len returns the number of bytes that s covers.
func (s Span) Len() int { return int(s.End - s.Start) }

// Contains reports whether p lies in s; an empty span contains only its start.
func (s Span) Contains(p Pos) bool {
	return s.Start <= p && (p < s.End || p == s.Start)
}

// Join returns the smallest span that covers both s and t.
func (s Span) Join(t Span) Span {
	return Span{Start: min(s.Start, t.Start), End: max(s.End, t.End)}
}

// File is a named text. It never changes once made and may be shared.
type File struct {
	Name string
	Text string

	lines []Pos // offset of each line's first byte
	plain bool  // all characters are ASCII
}

// NewFile returns the file with the given name and text.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []Pos{0}}
	bits := byte(0) // the disjunction of all bytes
	for i := range len(text) {
		if bits |= text[i]; text[i] == '\n' {
			f.lines = append(f.lines, Pos(i+1))
		}
	}
	f.plain = bits < utf8.RuneSelf
	return f
}

// Slice returns the text of s, clamped to the file.
func (f *File) Slice(s Span) string {
	end := min(max(int(s.End), 0), len(f.Text))
	start := min(max(int(s.Start), 0), end)
	return f.Text[start:end]
}

// Full returns the span of the entire text.
func (f *File) Full() Span { return Span{End: Pos(len(f.Text))} }

// Location is a position for display.
type Location struct {
	Line   int // from 1
	Column int // from 1, in code points
}

// Locate returns the line and column of p. Unless all characters are ASCII, its cost is linear in
// the line's length.
func (f *File) Locate(p Pos) Location {
	p = min(max(p, 0), Pos(len(f.Text)))
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > p }) - 1
	column := int(p - f.lines[line])
	if !f.plain {
		column = utf8.RuneCountInString(f.Text[f.lines[line]:p])
	}
	return Location{Line: line + 1, Column: column + 1}
}

// UTF16 returns the UTF-16 offset of each of the positions, in their order. It sorts a copy and
// scans the text once, so many positions cost no more than one.
func (f *File) UTF16(positions []Pos) []int {
	out := make([]int, len(positions))
	if f.plain {
		for i, p := range positions {
			out[i] = int(min(max(p, 0), Pos(len(f.Text))))
		}
		return out
	}
	order := make([]int, len(positions))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return positions[order[a]] < positions[order[b]] })
	done, units := Pos(0), 0
	for _, i := range order {
		p := min(max(positions[i], 0), Pos(len(f.Text)))
		units += utf16Len(f.Text[done:p])
		done = p
		out[i] = units
	}
	return out
}

// Offset returns the position at an offset in UTF-16 code units, clamped to the text.
func (f *File) Offset(units int) Pos {
	for i, r := range f.Text {
		if units <= 0 {
			return Pos(i)
		}
		if units--; r > 0xFFFF {
			units--
		}
	}
	return Pos(len(f.Text))
}

// Line returns the text of a line, counted from 1, without its end; "" if there is no
// such line.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start := int(f.lines[n-1])
	return f.Text[start:LineEnd(f.Text, start)]
}

// utf16Len counts the UTF-16 code units of s. An invalid byte counts as one replacement character,
// as in a decoder.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Check reports a text that no parser accepts: too large, binary, or not UTF-8. It returns at most
// one diagnostic; a text with a diagnostic is not parsed.
func (f *File) Check() []Diagnostic {
	if len(f.Text) > MaxFileSize {
		return []Diagnostic{{
			Code: "limit.file", Span: Span{Start: MaxFileSize, End: Pos(len(f.Text))},
			Message: "text is larger than 4 MiB; it is ignored from here",
		}}
	}
	if i := strings.IndexByte(f.Text, 0); i >= 0 {
		return []Diagnostic{{
			Code: "source.binary", Span: Span{Start: Pos(i), End: Pos(i + 1)},
			Message: "unexpected zero byte: this seems to be a binary file",
		}}
	}
	if !utf8.ValidString(f.Text) {
		i := firstInvalid(f.Text)
		return []Diagnostic{{
			Code: "source.utf8", Span: Span{Start: Pos(i), End: Pos(i + 1)},
			Message: "invalid UTF-8; save the file as UTF-8 and open it again",
		}}
	}
	return nil
}

func firstInvalid(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(s)
}

// LineEnd returns the end offset of the line that contains from, before its line break (LF or
// CRLF).
func LineEnd(text string, from int) int {
	end := len(text)
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		end = from + i
	}
	if end > from && text[end-1] == '\r' {
		end--
	}
	return end
}
