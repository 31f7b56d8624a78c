package web

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// Text converts a body to text for a model. HTML becomes its visible text; binary formats
// become a note.
func Text(kind, body string) string {
	kind = strings.ToLower(kind)
	switch {
	case strings.Contains(kind, "html"):
		return htmlText(body)
	case strings.HasPrefix(kind, "image/") && !strings.Contains(kind, "xml") || strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/") ||
		strings.Contains(kind, "octet-stream") || strings.Contains(kind, "pdf") || strings.Contains(kind, "zip") || strings.IndexByte(body, 0) >= 0:
		kind, _, _ = strings.Cut(kind, ";")
		return fmt.Sprintf("(an answer of type %q, which is not text)", phrase.Shorten(kind, 60))
	}
	return strings.TrimSpace(body)
}

// Line returns the beginning of a body on one line, for a message.
func Line(kind, body string) string {
	text, _ := tool.Cut(Text(kind, body), 400)
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	return phrase.Shorten(text, 100)
}

// htmlText returns the visible text of HTML: a line for each paragraph, without tags,
// scripts, styles, references and a wiki's info boxes. It scans the text once, so it takes
// linear time for any input. It is not a parser: its result must not be used as HTML.
func htmlText(html string) string {
	var b strings.Builder
	hidden := "" // the hidden element that is open
	depth := 0   // nesting depth of elements with that name
	for html != "" {
		i := strings.IndexByte(html, '<')
		if i < 0 {
			i = len(html)
		}
		if hidden == "" {
			b.WriteString(html[:i])
		}
		if html = html[i:]; html == "" {
			break
		}
		if strings.HasPrefix(html, "<!--") {
			_, html, _ = strings.Cut(html, "-->")
			continue
		}
		name, closing := tagName(html)
		if name == "" { // a bare <
			if hidden == "" {
				b.WriteByte('<')
			}
			html = html[1:]
			continue
		}
		end := tagEnd(html)
		tag := html[:end]
		html = html[end:]
		switch {
		case hidden != "":
			if name == hidden && !strings.HasSuffix(tag, "/>") {
				if closing {
					depth--
				} else {
					depth++
				}
				if depth == 0 {
					hidden = ""
				}
			}
		case !closing && !strings.HasSuffix(tag, "/>") && isHidden(name, tag):
			hidden, depth = name, 1
			if name == "script" || name == "style" { // their content is not HTML
				html = html[indexFold(html, "</"+name):]
			}
		case isBlock(name):
			b.WriteByte('\n')
		case name == "td" || name == "th":
			b.WriteByte(' ')
		}
	}
	return tidy(unescapeHTML(b.String()))
}

// indexFold returns the index of the beginning of a tag, ignoring case, or len(html).
func indexFold(html, tag string) int {
	for at := 0; ; {
		i := strings.IndexByte(html[at:], '<')
		if i < 0 {
			return len(html)
		}
		if at += i; strings.EqualFold(html[at:min(at+len(tag), len(html))], tag) {
			return at
		}
		at++
	}
}

// tagName returns the lower-case name of the tag at the beginning of a text.
func tagName(html string) (name string, closing bool) {
	i := 1
	if strings.HasPrefix(html, "</") {
		i, closing = 2, true
	}
	start := i
	for i < len(html) && (html[i] >= 'a' && html[i] <= 'z' || html[i] >= 'A' && html[i] <= 'Z' || i > start && html[i] >= '0' && html[i] <= '9') {
		i++
	}
	if i == start && i < len(html) && (html[i] == '!' || html[i] == '?') {
		return "!", closing
	}
	return strings.ToLower(html[start:i]), closing
}

// tagEnd returns the end of the tag at the beginning of a text. A > in a quoted attribute
// does not end it.
func tagEnd(html string) int {
	quote := byte(0)
	for i := 1; i < len(html); i++ {
		switch c := html[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i + 1
		case (c == '"' || c == '\'') && html[i-1] == '=':
			quote = c
		}
	}
	return len(html)
}

func isHidden(name, tag string) bool {
	marks := ""
	switch name {
	case "sup":
		marks = "reference"
	case "table":
		marks = "infobox navbox metadata sidebar"
	case "span", "div":
		marks = "mw-editsection navbox shortdescription hatnote display:none class=\"toc\" reflist"
	default:
		return phrase.OneOf(name, "script style head noscript template svg math figure")
	}
	for _, mark := range strings.Fields(marks) {
		if strings.Contains(tag, mark) {
			return true
		}
	}
	return false
}

func isBlock(name string) bool {
	return phrase.OneOf(name, "p div li ul ol dl dt dd tr table h1 h2 h3 h4 h5 h6 section article header footer blockquote pre title hr br")
}

// entity returns the text of an entity. Only common ones are known; others stay as written.
func entity(name string) string {
	const known = " amp=& lt=< gt=> quot=\" apos=' ndash=– mdash=— hellip=… lsquo=‘ rsquo=’ ldquo=“ rdquo=” times=× deg=° shy= zwnj= zwj= lrm= rlm= "
	if _, rest, ok := strings.Cut(known, " "+name+"="); ok && name != "" {
		text, _, _ := strings.Cut(rest, " ")
		return text
	}
	if name == "nbsp" {
		return " "
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return "&" + name + ";"
	}
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil:
		return "&" + name + ";"
	case n == 160 || n < 32:
		return " "
	case n > utf8.MaxRune || !utf8.ValidRune(rune(n)):
		return string(utf8.RuneError)
	}
	return string(rune(n))
}

func unescapeHTML(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '&')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i:]
		name, _, ended := strings.Cut(text[1:min(len(text), 12)], ";")
		if !ended || strings.ContainsAny(name, "& \n<") {
			b.WriteByte('&')
			text = text[1:]
			continue
		}
		b.WriteString(entity(name))
		text = text[len("&;")+len(name):]
	}
}

// tidy collapses runs of spaces and of line breaks.
func tidy(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
