package tool

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// htmlText returns what a reader sees of HTML: paragraphs as lines, without tags,
// scripts, styles, tables of a wiki's boxes and references. It is one pass over the
// text, whatever the text is; it is not a parser, and its result is a text that is
// never taken for HTML again.
func htmlText(html string) string {
	var b strings.Builder
	hidden := "" // the element whose end is awaited
	depth := 0   // of elements of that name within it
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
			if end := strings.Index(html, "-->"); end >= 0 {
				html = html[end+3:]
			} else {
				html = ""
			}
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
			if name == "script" || name == "style" { // whose text is no HTML
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

// indexFold returns where a text first has a tag's beginning in whatever case, its
// length where it has not.
func indexFold(html, tag string) int {
	for at := 0; ; {
		i := strings.IndexByte(html[at:], '<')
		if i < 0 {
			return len(html)
		}
		if at += i; at+len(tag) <= len(html) && strings.EqualFold(html[at:at+len(tag)], tag) {
			return at
		}
		at++
	}
}

// tagName returns the name of the tag that a text begins with, in lower case.
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

// tagEnd returns where the tag ends that a text begins with: a > in a quoted
// attribute does not end it.
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
		return oneOf(name, "script style head noscript template svg math figure")
	}
	for _, mark := range strings.Fields(marks) {
		if strings.Contains(tag, mark) {
			return true
		}
	}
	return false
}

func isBlock(name string) bool {
	return oneOf(name, "p div li ul ol dl dt dd tr table h1 h2 h3 h4 h5 h6 section article header footer blockquote pre title hr br")
}

// entity returns what an entity stands for: those that texts have, any other stays
// as it is written.
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
		end := strings.IndexByte(text[:min(len(text), 12)], ';')
		if end < 2 || strings.ContainsAny(text[1:end], "& \n<") {
			b.WriteByte('&')
			text = text[1:]
			continue
		}
		b.WriteString(entity(text[1:end]))
		text = text[end+1:]
	}
}

// tidy makes one space of spaces and one line break of line breaks.
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
