package llm

import (
	"slices"
	"strings"
	"unicode"
)

// Templates of DeepSeek R1, QwQ, Qwen3-Thinking and others write <think> into the prompt. A server without a
// parser for thoughts then returns "thoughts</think>answer". Read as a text, such thoughts are violations,
// and a monitor cancels the answer before the closing tag arrives. So the first answer of a model whose
// name states that it reasons is held back until its kind is known.

// opening is the knowledge about the beginning of a model's answers.
type opening int

const (
	openingUnknown opening = iota
	openingText            // a text, or a thought between marks
	openingThought         // a thought without an opening tag
)

// reasoners are the parts of names of models whose templates open the thought.
var reasoners = []string{"r1", "qwq", "thinking", "reasoning"}

// beginsInThought reports whether the next answer may begin within a thought.
func (m *endpointModel) beginsInThought() bool {
	tested := m.Endpoint.Capabilities
	switch {
	case tested != nil && tested.Unopened:
		return true
	case m.opening != openingUnknown || tested != nil:
		return m.opening == openingThought
	}
	apart := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	parts := strings.FieldsFunc(strings.ToLower(m.Model), apart)
	return m.format() == FormatOpenAI && slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(reasoners, part) })
}

// learn records how an answer began. A replay learns the same.
func (m *endpointModel) learn(a *attempt) {
	switch {
	case a.inline.bare, !a.inline.found && strings.Contains(a.reply.Text, closingTag) && !a.request.mentions(closingTag):
		m.opening = openingThought
	case m.opening == openingUnknown && a.done && a.written() != "" && a.reply.Reason != StopLength:
		m.opening = openingText
	}
}

// afterThought returns the text after a thought without an opening tag.
func afterThought(text string) string {
	_, after, found := strings.Cut(text, closingTag)
	if !found {
		return text
	}
	return strings.TrimSpace(after)
}
