package monitor

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/agent"
)

// answerOf returns the answer of a run: the content of the last state for answers, even if
// it is empty, or, in an agent without such a state, the last content of the agent. The
// task is not an answer.
func answerOf(a *agent.Agent, segments []Segment) string {
	last := ""
	for i := len(segments) - 1; i >= 0; i-- {
		state := a.States[a.Index(segments[i].State)]
		text := segments[i].Text
		if said := strings.ToLower(state.Text); !state.Empty && (strings.Contains(said, "answer") || strings.Contains(said, "response")) {
			return text
		}
		if last == "" && !state.EnvInput && !segments[i].task {
			last = text
		}
	}
	return last
}

// Conclusion returns the text after the last "Answer:" of an answer, or all of it. Agents
// without a state for answers write this mark.
func Conclusion(answer string) string {
	if at := strings.LastIndex(answer, "Answer:"); at >= 0 {
		return strings.TrimSpace(answer[at+len("Answer:"):])
	}
	return answer
}

// SameAnswer reports whether an answer is an exact match of the reference (Rajpurkar et
// al. 2016, and the code that Crouse et al. released): it ignores case, punctuation,
// articles and space. A reference that is a number is compared by [SameNumber]. Unlike
// the published code, an empty answer is always wrong, and a text that consists of
// articles and punctuation is not treated as empty.
func SameAnswer(answer, reference string) bool {
	if _, ok := normalNumber(strings.TrimSpace(reference)); ok {
		return SameNumber(answer, "", reference)
	}
	return strings.TrimSpace(answer) != "" && exactMatch(answer) == exactMatch(reference)
}

// normal joins the words of a text with spaces and leaves out the articles. A text that
// consists only of articles keeps them, and a text without words is returned without the
// space around it, so that "A" differs from "the" and "-" from "?".
func normal(text string, words []string) string {
	all := strings.Join(words, " ")
	if bare := strings.Join(withoutArticles(words), " "); bare != "" {
		return bare
	}
	if all != "" {
		return all
	}
	return strings.TrimSpace(text)
}

// exactMatch returns the normal form of a text without ASCII punctuation.
func exactMatch(text string) string {
	bare := strings.Map(func(r rune) rune {
		if r > ' ' && r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
	return normal(text, strings.Fields(bare))
}

func withoutArticles(words []string) []string {
	kept := words[:0]
	for _, word := range words {
		if word != "a" && word != "an" && word != "the" {
			kept = append(kept, word)
		}
	}
	return kept
}

// SameNumber reports whether the last number of an answer, or of the complete text if the
// answer has none, equals the reference to three decimals. Answers of GSM8K are scored in
// this way (Cobbe et al. 2021, and the code that Crouse et al. released).
func SameNumber(answer, text, reference string) bool {
	said, ok := lastNumber(answer)
	if !ok {
		said, ok = lastNumber(text)
	}
	wanted, wantedOK := normalNumber(strings.TrimSpace(reference))
	return ok && wantedOK && thirdDecimal(said) == thirdDecimal(wanted)
}

func thirdDecimal(number string) string {
	f, _ := strconv.ParseFloat(number, 64) // fails without digits; too many digits give infinity
	if rounded := strconv.FormatFloat(f, 'f', 3, 64); rounded != "-0.000" {
		return rounded
	}
	return "0.000"
}

// lastNumber returns the last number in a text: digits with an optional point and an
// optional minus. Commas are ignored.
func lastNumber(text string) (number string, ok bool) {
	text = strings.ReplaceAll(text, ",", "")
	for i := 0; i < len(text); {
		start := i
		if text[i] == '-' {
			i++
		}
		whole := digitsAt(text, i)
		if whole == i {
			i = start + 1
			continue
		}
		i = whole
		if i < len(text) && text[i] == '.' {
			i = digitsAt(text, i+1)
		}
		number = strings.TrimSuffix(text[start:i], ".")
	}
	return number, number != ""
}

// digitsAt returns the offset after the digits that begin at offset at.
func digitsAt(text string, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at
}

// normalAnswer returns the normal form of an answer for voting: it ignores punctuation and
// the format of numbers, but not operators, as in C++ and C#.
func normalAnswer(text string) string {
	var words []string
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if number, ok := normalNumber(word); ok {
			words = append(words, number)
			continue
		}
		word = strings.Map(func(r rune) rune {
			if r != '#' && unicode.IsPunct(r) || unicode.IsSymbol(r) && !unicode.Is(unicode.Sm, r) {
				return -1
			}
			return r
		}, word)
		if word != "" {
			words = append(words, word)
		}
	}
	return normal(text, words)
}

// normalNumber returns a number without thousands separators, currency and per cent
// signs, redundant zeros and a final full stop.
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
