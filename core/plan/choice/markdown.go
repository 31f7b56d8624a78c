package choice

import "strings"

// withoutStruck removes the text that Markdown strikes through, "~~2~~".
func withoutStruck(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "~~")
		struck, after, closed := strings.Cut(rest, "~~")
		if !found || !closed || strings.Contains(struck, "\n") {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		text = after
	}
}

// answerFences are the languages of fenced blocks that may hold an answer.
var answerFences = map[string]bool{"": true, "json": true, "jsonc": true, "json5": true, "yaml": true, "yml": true, "toml": true, "xml": true, "html": true, "text": true, "txt": true, "plain": true, "plaintext": true, "markdown": true, "md": true, "latex": true, "tex": true, "tool_call": true, "tool_code": true}

// withoutCode removes the fenced blocks of programs with several lines. Their numbers are no choices.
func withoutCode(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	var b, block strings.Builder
	inside, lines := false, 0
	language := ""
	for line := range strings.Lines(text) {
		name, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && !inside:
			inside, lines, language = true, 0, strings.ToLower(strings.TrimSpace(name))
			block.Reset()
			block.WriteString(line)
		case inside:
			block.WriteString(line)
			if !fence {
				lines++
				continue
			}
			inside = false
			if lines <= 1 || answerFences[language] {
				b.WriteString(block.String())
			}
		default:
			b.WriteString(line)
		}
	}
	if inside && (lines <= 1 || answerFences[language]) {
		b.WriteString(block.String())
	}
	return b.String()
}
