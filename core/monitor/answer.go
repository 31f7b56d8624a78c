package monitor

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/agent"
)

// answerOf returns the answer of a run: the content of the last state for one, even if
// it is empty, or, in an agent without such a state, the last that the agent wrote. The
// task is no answer.
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

// Conclusion returns what follows "Answer:" in an answer of an agent that has no state
// for it, else the answer.
func Conclusion(answer string) string {
	if at := strings.LastIndex(answer, "Answer:"); at >= 0 {
		return strings.TrimSpace(answer[at+len("Answer:"):])
	}
	return answer
}

// SameAnswer reports whether an answer is the reference, as exact matches are
// counted (Rajpurkar et al. 2016, and the code that Crouse et al. released): but for
// the case of letters, punctuation, articles and space; where the reference is a
// number, as [SameNumber] does. Unlike there, an empty answer is never right, and a text
// of nothing but articles and punctuation is not the empty text: see [normal].
func SameAnswer(answer, reference string) bool {
	if _, ok := normalNumber(strings.TrimSpace(reference)); ok {
		return SameNumber(answer, "", reference)
	}
	return strings.TrimSpace(answer) != "" && exactMatch(answer) == exactMatch(reference)
}

// normal returns the words that are compared of a text, without articles. Where
// nothing else is left they stay, and a text without words is compared as written:
// "A" is not "the", and "-" is not "?".
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

// exactMatch is what is compared of a text: only the punctuation of ASCII is left
// out.
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

// SameNumber reports whether the last number of an answer, or, where it has none, of
// the whole text, is the reference to three decimals, as answers of GSM8K are scored
// (Cobbe et al. 2021, and the code that Crouse et al. released).
func SameNumber(answer, text, reference string) bool {
	said, ok := lastNumber(answer)
	if !ok {
		said, ok = lastNumber(text)
	}
	wanted, wantedOK := normalNumber(strings.TrimSpace(reference))
	return ok && wantedOK && thirdDecimal(said) == thirdDecimal(wanted)
}

func thirdDecimal(number string) string {
	f, _ := strconv.ParseFloat(number, 64) // digits are a number, or an infinite one
	if rounded := strconv.FormatFloat(f, 'f', 3, 64); rounded != "-0.000" {
		return rounded
	}
	return "0.000"
}

// lastNumber returns the last number in a text: digits, with a point or without, and
// a minus before them. Commas are passed over.
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

// digitsAt returns where the digits end that begin at a place.
func digitsAt(text string, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at
}

// normalAnswer is what is compared of answers that vote: other punctuation and ways to
// write a number do not make another answer. Operators do, as in C++ and C#.
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
