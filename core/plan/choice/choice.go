// Package choice reads the choice that a reply of a language model states: one of the numbered
// options of its prompt, or none.
//
// Models answer "3", "**3**", {"choice": 3} and "\boxed{3}", but also "I'd choose option 3, since
// 1 and 2 need an image", the option's own words, or a list of all options with a verdict at its
// end. [Read] ranks the evidence:
//
//  1. the form that the prompt asks for: only a number, JSON, an XML tag, a box
//  2. a final answer, then an explicit statement ("go with 3", "the best choice is 3")
//  3. "option 3", a number or an option's words in bold, in quotes or alone on a line
//  4. an option's words in running text, a number at the start
//  5. a single number in running text that is not a quantity
//
// Evidence of a lower rank never overrides a higher one, and two different choices of equal rank
// are no choice. Thoughts are not evidence. Evidence counts if the model asserts it, here and now
// (assertion.go): in the clause of an option, a negation, a doubt, a condition, an unreal or past
// situation, a question, the subject of somebody else and an unknown verb in front of the option take it
// back. These, a refusal, an undecided reply and a number out of range are no choice, and the reading
// reports that: a request is repeated at the cost of one call, but a wrong choice spoils the plan in
// silence.
//
// The phrases are in English, German, French, Spanish, Italian, Portuguese, Chinese and
// Japanese (cues.go). They are matched as sequences of folded words, without regular
// expressions, in time linear in the reply.
package choice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxReply is the length in bytes up to which a reply is read, without its thoughts. An answer
// that names a choice takes a few kilobytes at most; longer texts are answers to another request.
const MaxReply = 1 << 16

// The evidence for a choice, in [Reading.How].
const (
	ByForm      = "form"      // the form that the prompt asks for
	ByStatement = "statement" // an explicit statement
	ByMention   = "mention"   // "option 3", or marked text
	ByLabel     = "label"     // the option's own words
	ByNumber    = "number"    // a number in running text
)

// Reading is the result of reading a reply: a choice with its evidence, or 0 with the reason.
type Reading struct {
	Choice int    // from 1 to the number of options; 0: none
	How    string // one of the By constants; "" without a choice
	Reason string // the reason why there is no choice; "" with one
}

// Read returns the choice that a reply states among options, which are numbered from 1 in
// their order. A lone number is the number of an option, even if it is also the label of
// another one.
func Read(options []string, reply string) Reading { return read(options, reply, false) }

// ReadLabel is [Read] for a prompt that asks for the words of an option: a lone label takes
// precedence over a number.
func ReadLabel(options []string, reply string) Reading { return read(options, reply, true) }

// ReadAll returns the numbers of all options that a reply names where several may be chosen,
// sorted: every number outside the thoughts, except excluded ones ("1 and 2, not 3"). The
// reason is that of a [Reading] without a choice.
func ReadAll(options []string, reply string) (chosen []int, reason string) {
	text, reason := legible(reply)
	if reason != "" {
		return nil, reason
	}
	// "1,2" is a list, not a number with a comma.
	r := &reader{labels: newLabels(options), count: len(options)}
	p := r.newPage(tokenize(strings.ReplaceAll(text, ",", " , ")))
	if p.refuses() {
		return nil, refusal
	}
	for _, k := range p.tokens {
		switch {
		case k.kind == other:
			return nil, k.text + " is not a whole number"
		case k.kind != number:
		case k.value < 1 || k.value > r.count:
			return nil, outOfRange(k.text, r.count)
		default:
			chosen = append(chosen, k.value)
		}
	}
	denied := map[int]bool{}
	for _, c := range p.claims() {
		for _, o := range c.options {
			denied[o] = c.denied
		}
	}
	chosen = slices.DeleteFunc(chosen, func(n int) bool { return denied[n] })
	slices.Sort(chosen)
	if chosen = slices.Compact(chosen); len(chosen) == 0 {
		return nil, nothing
	}
	return chosen, ""
}

// Refuses reports whether a reply refuses to answer, in words.
func Refuses(reply string) bool {
	text, reason := legible(reply)
	return reason == "" && (&reader{labels: newLabels(nil)}).newPage(tokenize(text)).refuses()
}

// Unanswered returns the reason why a reply contains no answer at all, as it is reported to a person: it is
// empty, has thoughts only, or refuses; "": none of these.
func Unanswered(reply string) string {
	switch text, reason := legible(reply); {
	case strings.TrimSpace(reply) == "":
		return "the answer is empty"
	case reason != "" && text == "":
		return reason
	case Refuses(reply):
		return fmt.Sprintf("the answer reads like a refusal: %.200q", strings.TrimSpace(reply))
	}
	return ""
}

// legible returns a reply without its thoughts, or the reason why nothing is left to read.
func legible(reply string) (text, reason string) {
	text, cut := WithoutThoughts(reply)
	if cut && strings.TrimSpace(text) == "" {
		text = unclosed(reply)
	}
	text = strings.TrimSpace(withoutQuotes(withoutNext(withoutCode(withoutStruck(text)))))
	switch {
	case text == "" && cut:
		return "", "the reply ends within its thoughts"
	case text == "" && strings.TrimSpace(reply) != "":
		return "", "the reply has thoughts only"
	case text == "":
		return "", "the reply is empty"
	case len(text) > MaxReply:
		return "", fmt.Sprintf("the reply is longer than %d bytes", MaxReply)
	}
	return text, ""
}

// Reasons of several readings.
const (
	refusal   = "the reply is a refusal"
	undecided = "the reply is undecided"
	nothing   = "no choice found"
)

func read(options []string, reply string, labelFirst bool) Reading {
	return newLabels(options).read(reply, labelFirst)
}

func (l *labels) read(reply string, labelFirst bool) Reading {
	text, reason := legible(reply)
	if reason != "" {
		return none(reason)
	}
	r := &reader{labels: l, count: l.count, labelFirst: labelFirst}
	text = r.withoutContinuation(text)
	if out, ok := r.whole(text); ok {
		return out
	}
	if out, ok := r.form(text); ok {
		return out
	}
	if out, ok := r.declared(text); ok {
		return out
	}
	return r.prose(text)
}

// reader reads one reply. The small methods of its pages have hundreds of calls and are not inlined: the
// module that a browser loads would be 50 kB larger.
type reader struct {
	labels     *labels
	count      int
	labelFirst bool
	loosely    bool // some words of a label name it
}

//go:noinline
func none(reason string) Reading { return Reading{Reason: reason} }

// chosen returns the reading of a number, which may be out of range.
//
//go:noinline
func (r *reader) chosen(n int, how string) Reading {
	if n < 1 || n > r.count {
		return none(outOfRange(strconv.Itoa(n), r.count))
	}
	return Reading{Choice: n, How: how}
}

func outOfRange(number string, n int) string {
	return fmt.Sprintf("%s is not between 1 and %d", number, n)
}

// whole reads a text that is only a number or only a label.
func (r *reader) whole(text string) (Reading, bool) {
	raw := strings.TrimSpace(text)
	if strings.ContainsAny(raw, "?？") {
		n := r.labels.raw[raw]
		return Reading{Choice: max(n, 0), How: ByLabel}, n > 0
	}
	plain := strings.Trim(normalize(raw), " \t\n\"'`*_.:;!,()[]{}>#=")
	label := r.labels.exactly(raw)
	if number, kind := wholeNumber(plain); kind != notNumber && (label == 0 || !r.labelFirst) {
		if kind == integer && number >= 1 && number <= r.count {
			return r.chosen(number, ByForm), true
		}
		if label > 0 {
			return r.chosen(label, ByLabel), true
		}
		if n := r.labels.shortened(raw); n > 0 {
			return r.chosen(n, ByLabel), true
		}
		if kind == decimal {
			return none(plain + " is not a whole number"), true
		}
		return none(outOfRange(plain, r.count)), true
	}
	if label == 0 {
		label = r.labels.shortened(raw)
		if first, _ := wholeNumber(firstDigits(plain)); label > 0 && first > 0 && first <= r.count && first != label {
			return Reading{}, false // "4. Music", where 2 is Music: the sentence is read for a contradiction
		}
	}
	if n := r.numbered(plain); label == 0 && n > 0 {
		return r.chosen(n, ByForm), true
	}
	if label > 0 {
		return r.chosen(label, ByLabel), true
	}
	return Reading{}, false
}

// numbered returns the number of an option that is written as a number word, if no label has it; 0
// otherwise.
func (r *reader) numbered(plain string) int {
	folded := foldText(plain)
	if r.labels.words[folded] {
		return 0
	}
	n := numerals[folded]
	if n > r.count {
		return 0
	}
	return n
}

// Kinds of texts that wholeNumber distinguishes.
const (
	notNumber = iota
	integer
	decimal
)

// maxDigits bounds the digits of a number that is converted; longer ones are out of range.
const maxDigits = 9

// wholeNumber returns the value of a text that is a number; -1 if it has too many digits.
func wholeNumber(text string) (value, kind int) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || !isDigit(rune(digits[0])) {
		return 0, notNumber
	}
	kind = integer
	for i, c := range digits {
		switch {
		case isDigit(c):
		case (c == '.' || c == ',') && i+1 < len(digits) && isDigit(rune(digits[i+1])):
			kind = decimal
		default:
			return 0, notNumber
		}
	}
	if kind == decimal {
		return 0, decimal
	}
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > maxDigits {
		return -1, integer
	}
	value, _ = strconv.Atoi("0" + digits)
	if text[0] == '-' {
		value = -value
	}
	return value, integer
}

// firstDigits returns the digits at the start of a text.
func firstDigits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }
