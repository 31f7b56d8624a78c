package agent

import (
	"strings"
	"unicode"
)

// PlainName returns the form of the name of a tool or a state that its spellings share: lower-case
// letters and digits.
func PlainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// CallPrompt returns the prompt of a state that is only for calls of the tool with its name; see
// [State.OfOneTool].
func CallPrompt(state string) string { return callPrompt + state + "]" }

const callPrompt = "[Call "

// OfOneTool reports whether a state is only for calls of the tool that it is named after, because its
// prompt is that of [CallPrompt] in any spelling.
func (s *State) OfOneTool() bool {
	tool, ok := strings.CutPrefix(s.Text, callPrompt)
	return ok && PlainName(strings.TrimSuffix(tool, "]")) == PlainName(s.Name)
}
