package prose

import (
	"regexp"
	"strings"
)

// scriptTexts returns the comments of a TypeScript or JavaScript file and, outside
// tests, its strings of at least three words and the text of its templates.
func scriptTexts(file, text string) ([]Text, error) {
	s := &scanner{file: file, text: text, line: 1, strings: !strings.Contains(file, "/tests/") && !strings.HasPrefix(file, "build/")}
	s.scan(false)
	s.flushComment()
	return s.out, nil
}

// scanner finds comments, strings and templates. It knows of the grammar only enough to
// distinguish a regular expression from a division.
type scanner struct {
	file, text string
	at, line   int
	strings    bool
	before     byte // the last character that is neither space nor comment
	word       string
	comment    []Line // consecutive line comments
	out        []Text
}

// scan reads to the end of the text, or within a template to the closing brace.
func (s *scanner) scan(inTemplate bool) {
	depth := 0
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "//"):
			end := index(rest, "\n")
			s.comment = append(s.comment, Line{s.line, strings.TrimLeft(rest[2:end], "/")})
			s.at += end
			continue
		case strings.HasPrefix(rest, "/*"):
			s.flushComment()
			s.block()
			continue
		case c == '"' || c == '\'':
			s.quoted(c)
		case c == '`':
			s.template()
		case c == '/' && s.regular():
			s.expression()
		case c == '}' && inTemplate && depth == 0:
			s.at++
			return
		default:
			switch c {
			case '{':
				depth++
			case '}':
				depth--
			case '\n':
				s.newline()
			}
			s.at++
			if isLetter(c) {
				if !isLetter(s.before) {
					s.word = ""
				}
				s.word += string(c)
			}
			if c != ' ' && c != '\t' && c != '\n' {
				s.before = c
			}
			continue
		}
		s.before, s.word = '"', ""
	}
}

// newline counts a line; a line without a line comment ends a group of them.
func (s *scanner) newline() {
	if n := len(s.comment); n > 0 && s.comment[n-1].Number != s.line {
		s.flushComment()
	}
	s.line++
}

func (s *scanner) flushComment() {
	s.out = append(s.out, paragraphs(s.file, KindComment, s.comment)...)
	s.comment = nil
}

func (s *scanner) block() {
	rest := s.text[s.at:]
	end := index(rest[2:], "*/") + 2
	var lines []Line
	for i, text := range strings.Split(rest[2:end], "\n") {
		lines = append(lines, Line{s.line + i, strings.TrimLeft(strings.TrimSpace(text), "*")})
	}
	s.out = append(s.out, paragraphs(s.file, KindComment, lines)...)
	s.skip(min(end+2, len(rest)))
}

func (s *scanner) quoted(quote byte) {
	end := s.at + 1
	for end < len(s.text) && s.text[end] != quote && s.text[end] != '\n' {
		if s.text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(s.text))
	s.seen(s.line, s.text[s.at+1:end])
	s.skip(min(end+1, len(s.text)) - s.at)
}

// tag matches an element of HTML with its attributes; shown matches the attributes whose values
// people see or hear.
var (
	tag   = regexp.MustCompile(`(?s)<[^>]*>`)
	shown = regexp.MustCompile(`(?:aria-label|title|placeholder|label|alt)="([^"]*)"`)
)

// template reads a template with its nested expressions, which become "…".
func (s *scanner) template() {
	s.at++
	first := s.line
	var text strings.Builder
	for s.at < len(s.text) && s.text[s.at] != '`' {
		switch {
		case strings.HasPrefix(s.text[s.at:], "${"):
			s.at += 2
			s.scan(true)
			text.WriteString("…")
			continue
		case s.text[s.at] == '\\':
			s.at++
		case s.text[s.at] == '\n':
			s.line++
		}
		if s.at < len(s.text) {
			text.WriteByte(s.text[s.at])
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.text))
	all := text.String()
	for _, m := range shown.FindAllStringSubmatchIndex(all, -1) {
		s.seen(first+strings.Count(all[:m[2]], "\n"), all[m[2]:m[3]])
	}
	for i, line := range strings.Split(tag.ReplaceAllStringFunc(all, func(t string) string { return " " + strings.Repeat("\n", strings.Count(t, "\n")) }), "\n") {
		s.seen(first+i, line)
	}
}

// seen adds a string that people may see.
func (s *scanner) seen(line int, text string) {
	if s.strings && wordsOf(text) >= 3 {
		s.out = append(s.out, paragraphs(s.file, KindString, []Line{{line, text}})...)
	}
}

// regular reports whether a slash begins a regular expression: it does unless an operand
// precedes.
func (s *scanner) regular() bool {
	switch s.word {
	case "return", "typeof", "case", "in", "of", "void", "do", "else":
		return isLetter(s.before)
	}
	return !isLetter(s.before) && !strings.ContainsRune(")]}\"", rune(s.before))
}

func (s *scanner) expression() {
	end, class := s.at+1, false
	for ; end < len(s.text) && s.text[end] != '\n' && (class || s.text[end] != '/'); end++ {
		switch s.text[end] {
		case '\\':
			end++
		case '[':
			class = true
		case ']':
			class = false
		}
	}
	s.skip(min(end+1, len(s.text)) - s.at)
}

// skip advances by n bytes and counts their lines.
func (s *scanner) skip(n int) {
	s.line += strings.Count(s.text[s.at:s.at+n], "\n")
	s.at += n
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

// index is strings.Index with the end of the text instead of -1.
func index(text, part string) int {
	if at := strings.Index(text, part); at >= 0 {
		return at
	}
	return len(text)
}

// styleTexts returns the comments of a style sheet.
func styleTexts(file, text string) (out []Text, err error) {
	s := &scanner{file: file, text: text, line: 1}
	for {
		at := strings.Index(s.text[s.at:], "/*")
		if at < 0 {
			return s.out, nil
		}
		s.skip(at)
		s.block()
	}
}

// documentTexts returns the paragraphs of a Markdown file without code blocks and without
// the task in the header of an example.
func documentTexts(file, text string) ([]Text, error) {
	var lines []Line
	fence := ""
	header := false // of an example's README, between two lines of dashes
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "---" {
			header = i == 0
		}
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			line = ""
		case strings.HasPrefix(trimmed, "```"):
			fence, line = "```", ""
		case header && strings.HasPrefix(line, "task: "):
			line = "" // data: models read it
		case strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "* "):
			// Each row, heading and item is a separate paragraph.
			lines = append(lines, Line{i + 1, ""})
			line = strings.TrimLeft(trimmed, "#-*| ")
		}
		lines = append(lines, Line{i + 1, line})
		if strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "|") {
			lines = append(lines, Line{i + 1, ""})
		}
	}
	return paragraphs(file, KindDocument, lines), nil
}
