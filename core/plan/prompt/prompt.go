// Package prompt fills in the templates of prompts. A template is text with
// placeholders such as {task}; braces around anything but lower-case letters are
// text.
package prompt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Expand replaces each placeholder with the value of its name.
func Expand(template string, value func(name string) string) string {
	return expand(template, func(name string, _ int) string { return value(name) })
}

// Check returns an error with the code given for a template that has an unknown
// placeholder or lacks the needed one. An empty template is accepted: it means the
// default.
func Check(code, template string, known []string, needed string) error {
	var fault error
	expand(template, func(name string, at int) string {
		if fault != nil || slices.Contains(known, name) {
			return ""
		}
		message := fmt.Sprintf("unknown placeholder {%s} in line %d of the prompt", name, 1+strings.Count(template[:at], "\n"))
		if near := source.Nearest(name, known); near != "" {
			message += fmt.Sprintf("; did you mean {%s}?", near)
		}
		fault = source.NewError(code, message+" (expected {"+strings.Join(known, "}, {")+"})")
		return ""
	})
	if fault == nil && template != "" && !strings.Contains(template, "{"+needed+"}") {
		fault = source.NewError(code, fmt.Sprintf("the prompt lacks the placeholder {%s}", needed))
	}
	return fault
}

func expand(template string, value func(name string, at int) string) string {
	var b strings.Builder
	for at := 0; at < len(template); {
		open := strings.IndexByte(template[at:], '{')
		if open < 0 {
			b.WriteString(template[at:])
			break
		}
		open += at
		end := open + 1
		for end < len(template) && template[end] >= 'a' && template[end] <= 'z' {
			end++
		}
		b.WriteString(template[at:open])
		if end == open+1 || end == len(template) || template[end] != '}' {
			b.WriteString(template[open:end])
			at = end
			continue
		}
		b.WriteString(value(template[open+1:end], open))
		at = end + 1
	}
	return b.String()
}

// Article returns a name with "a" or "an" before it. It returns a name unchanged if it
// has an article, has one letter or does not begin with a letter.
func Article(name string) string {
	for _, has := range []string{"a ", "an ", "the ", "some ", "any "} {
		if strings.HasPrefix(strings.ToLower(name), has) {
			return name
		}
	}
	if len(name) < 2 || !isLetter(name[0]) {
		return name
	}
	if strings.IndexByte("aeiouAEIOU", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// Times returns a count as an adverb: "once", "twice", "3 times".
func Times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return fmt.Sprintf("%d times", n)
	}
}
