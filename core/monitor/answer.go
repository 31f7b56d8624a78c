package monitor

import (
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/agent"
)

// answerOf returns the answer of a run: the content of the last state that speaks
// of one, or else the last that the agent wrote.
func answerOf(a *agent.Agent, segments []Segment) string {
	last := ""
	for i := len(segments) - 1; i >= 0; i-- {
		state := a.States[a.Index(segments[i].State)]
		text := segments[i].Text
		if text == "" {
			continue
		}
		if said := strings.ToLower(state.Text); strings.Contains(said, "answer") || strings.Contains(said, "response") {
			return text
		}
		if last == "" && !state.EnvInput {
			last = text
		}
	}
	return last
}

// SameAnswer reports whether an answer is the reference, as exact matches are
// counted (Rajpurkar et al. 2016, and the code that Crouse et al. released): but for
// the case of letters, punctuation, articles and space; where the reference is a
// number, whether it is the last number of the answer.
func SameAnswer(answer, reference string) bool {
	if number, ok := normalNumber(strings.TrimSpace(reference)); ok {
		last, found := lastNumber(answer)
		return found && last == number
	}
	return normalAnswer(answer) == normalAnswer(reference)
}

// lastNumber returns the last number in a text.
func lastNumber(text string) (string, bool) {
	text = strings.ReplaceAll(text, ",", "")
	isDigit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	end := len(text)
	for end > 0 && !isDigit(end-1) {
		end--
	}
	start := end
	for isDigit(start-1) || start > 0 && start < end && text[start-1] == '.' && isDigit(start-2) && !strings.Contains(text[start:end], ".") {
		start--
	}
	if start == end {
		return "", false
	}
	number := text[start:end]
	if start > 0 && text[start-1] == '-' {
		number = "-" + number
	}
	return normalNumber(number)
}

// normalAnswer is what is compared of an answer.
func normalAnswer(text string) string {
	var words []string
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if number, ok := normalNumber(word); ok {
			words = append(words, number)
			continue
		}
		word = strings.Map(func(r rune) rune {
			if unicode.IsPunct(r) || unicode.IsSymbol(r) {
				return -1
			}
			return r
		}, word)
		if word != "" && word != "a" && word != "an" && word != "the" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// normalNumber writes a number without what says nothing: thousands' commas, signs
// of money and per cent, zeros at its ends, a full stop after it.
func normalNumber(word string) (string, bool) {
	word = strings.TrimRight(strings.TrimLeft(word, "$€£"), "%.,;:!?")
	minus := strings.HasPrefix(word, "-")
	word = strings.TrimLeft(strings.TrimPrefix(word, "-"), "$€£")
	whole, part, _ := strings.Cut(strings.ReplaceAll(word, ",", ""), ".")
	if whole+part == "" || strings.Trim(whole+part, "0123456789") != "" {
		return "", false
	}
	whole, part = strings.TrimLeft(whole, "0"), strings.TrimRight(part, "0")
	if whole == "" {
		whole = "0"
	}
	if part != "" {
		whole += "." + part
	}
	if minus && whole != "0" {
		whole = "-" + whole
	}
	return whole, true
}
