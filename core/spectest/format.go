package spectest

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Format prints a text again: one space between words, texts indented by two spaces, at most one
// empty line between rows. It keeps comments. Format is idempotent.
func Format(file *source.File) string {
	var b strings.Builder
	for i, r := range read(file.Text) {
		if r.blank > 0 && i > 0 {
			b.WriteByte('\n')
		}
		for j, w := range r.words {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(written(file, r.words, j, w))
		}
		if r.comment.Len() > 0 {
			if len(r.words) > 0 {
				b.WriteString("  ")
			}
			b.WriteString(file.Slice(r.comment))
		}
		b.WriteByte('\n')
		for _, span := range r.block {
			if span.Len() > 0 {
				b.WriteString("  " + file.Slice(span))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// written returns a word in its usual spelling. A title keeps its quotes.
func written(file *source.File, words []word, i int, w word) string {
	switch {
	case i == 0 || !w.quoted || w.open:
		return file.Slice(w.span)
	case words[i-1].is(kwAs):
		return quoteText(w.text)
	}
	return Quote(w.text)
}

// Write returns the lines of a case.
func (c *Case) Write() string {
	var b strings.Builder
	if c.Form == Word {
		b.WriteString(c.Expect)
		for _, s := range c.Word {
			b.WriteString(" " + Quote(s.Name))
		}
		if len(c.Word) == 0 {
			b.WriteString(" " + kwEmpty)
		}
	} else {
		b.WriteString(string(c.Form) + " " + c.Expect)
	}
	if c.Title != "" {
		b.WriteString(" " + kwAs + " " + quoteText(c.Title))
	}
	b.WriteByte('\n')
	if c.Form != Word {
		text := strings.TrimRight(c.Text, "\n \t\r")
		for _, span := range dedent(linesOf(text)) {
			if span.Len() > 0 {
				b.WriteString("  " + text[span.Start:span.End])
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Add returns the text of a file with another case for a spec at its end, and the span of the case.
// The case begins a section for that spec, unless the last section is already about the spec, or
// there is no section and cases outside sections are about it.
func Add(file *source.File, c Case, spec string, unnamed bool) (text string, at source.Span) {
	t, _ := Parse(file)
	last, named := "", len(t.Specs) > 0
	if named {
		last = t.Specs[len(t.Specs)-1].Name
	}
	text = strings.TrimRight(file.Text, "\n \t\r")
	if text != "" {
		text += "\n"
	}
	if named && last != spec || !named && !unnamed {
		if text != "" {
			text += "\n"
		}
		text += kwSpec + " " + Quote(spec) + "\n"
	}
	start := len(text)
	text += c.Write()
	return text, source.Span{Start: source.Pos(start), End: source.Pos(len(text) - 1)}
}
