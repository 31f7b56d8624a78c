package spectest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// row is a line with the indented lines after it.
type row struct {
	words   []word
	comment source.Span
	blank   int // empty lines before the row
	indent  bool
	block   []source.Span // the indented lines without their common indentation, without line ends
}

// word is a symbol, a keyword or a text.
type word struct {
	text   string // unquoted
	span   source.Span
	quoted bool
	open   bool // the closing quote is missing
}

// is reports whether the word is a keyword.
func (w word) is(keyword string) bool { return !w.quoted && w.text == keyword }

// form returns the form that the first word of a row announces.
func (r *row) form() Form {
	for _, f := range []Form{Plan, Run} {
		if len(r.words) > 0 && r.words[0].is(string(f)) {
			return f
		}
	}
	return Word
}

// textLine is a line of a file without its end.
type textLine struct {
	text string
	at   int
}

func (l textLine) blank() bool { return strings.TrimSpace(l.text) == "" }

func (l textLine) indented() bool { return l.text != "" && (l.text[0] == ' ' || l.text[0] == '\t') }

// span returns the line from an offset on.
func (l textLine) span(from int) source.Span {
	from = min(from, len(l.text))
	return source.Span{Start: source.Pos(l.at + from), End: source.Pos(l.at + len(l.text))}
}

func linesOf(text string) (out []textLine) {
	at := 0
	for line := range strings.Lines(text) {
		out = append(out, textLine{strings.TrimRight(line, "\r\n"), at})
		at += len(line)
	}
	return out
}

// read splits a text into rows.
func read(text string) (out []row) {
	all := linesOf(text)
	blank := 0
	for i := 0; i < len(all); i++ {
		line := all[i]
		if line.blank() {
			blank++
			continue
		}
		r := row{blank: blank, indent: line.indented()}
		blank = 0
		r.words, r.comment = split(line)
		if r.form() != Word {
			// The block ends before the first line that is not indented; empty lines at its end
			// separate rows.
			end := i
			for j := i + 1; j < len(all) && (all[j].blank() || all[j].indented()); j++ {
				if !all[j].blank() {
					end = j
				}
			}
			r.block = dedent(all[i+1 : end+1])
			i = end
		}
		out = append(out, r)
	}
	return out
}

// dedent returns the lines without their common indentation.
func dedent(list []textLine) (out []source.Span) {
	common, first := "", true
	for _, l := range list {
		if l.blank() {
			continue
		}
		indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))]
		if first {
			common, first = indent, false
		}
		for !strings.HasPrefix(indent, common) {
			common = common[:len(common)-1]
		}
	}
	for _, l := range list {
		from := len(common)
		if l.blank() {
			from = len(l.text)
		}
		out = append(out, l.span(from))
	}
	return out
}

// split returns the words of a line, and its comment.
func split(line textLine) (out []word, comment source.Span) {
	text := line.text
	for i := 0; i < len(text); {
		if r, size := utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(r) {
			i += size
			continue
		}
		if text[i] == '#' {
			end := len(strings.TrimRightFunc(text, unicode.IsSpace))
			return out, source.Span{Start: source.Pos(line.at + i), End: source.Pos(line.at + end)}
		}
		w, end := word{}, i
		if text[i] == '"' {
			w.quoted = true
			w.text, end, w.open = quoted(text, i)
		} else {
			rest := strings.TrimLeftFunc(text[i:], func(r rune) bool { return !unicode.IsSpace(r) })
			end = len(text) - len(rest)
			w.text = text[i:end]
		}
		w.span = source.Span{Start: source.Pos(line.at + i), End: source.Pos(line.at + end)}
		out = append(out, w)
		i = end
	}
	return out, comment
}

func quoted(text string, start int) (value string, end int, open bool) {
	var b strings.Builder
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), i + 1, false
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), len(text), true
}

// Quote returns the name of a symbol as written in a word: in quotes if it would otherwise not be
// read as one symbol.
func Quote(name string) string {
	if name == "" || name == kwAs || name == kwEmpty || name[0] == '"' || name[0] == '#' || strings.IndexFunc(name, unicode.IsSpace) >= 0 {
		return quoteText(name)
	}
	return name
}

func quoteText(text string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}

// Unquote returns the name of a symbol that is written in a word.
func Unquote(written string) string {
	if !strings.HasPrefix(written, `"`) {
		return written
	}
	name, _, _ := quoted(written, 0)
	return name
}
