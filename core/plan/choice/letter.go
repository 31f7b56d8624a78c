package choice

import "strings"

// romans are the numbers of options in Roman numerals, after an option noun: "option III".
var romans = map[string]int{"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}

// letterAt returns the option that a letter names: "B", "(B)", "option B". A letter names an option of a
// numbered list only if the reply defines it, or if it is the difference between the labels.
func (p *page) letterAt(i int) (target, bool) {
	raw := p.tokens[i].raw
	before := i - 1
	for before >= 0 && (links[p.text(before)] || p.is(before, "(")) {
		before--
	}
	named := before >= 0 && (optionNouns[p.text(before)] || ideographCues[p.text(before)])
	if n := romans[raw]; n > 1 && named {
		return p.ranged(target{option: n, number: raw, from: i, to: i + 1, optioned: true}), true
	}
	if len(raw) != 1 {
		return target{}, false
	}
	n := p.defined[strings.ToUpper(raw)]
	if p.labels.lettered {
		n = p.labels.letters[raw]
	}
	if n < 1 || !p.numbers(i, named) {
		return target{}, false
	}
	return target{option: n, number: raw, from: i, to: i + 1, optioned: named, isLabel: p.labels.lettered, weak: !named}, true
}

// findLetters returns the options by the letters that the reply gives them: "A = Reply, B = Forward".
func (p *page) findLetters() {
	p.defined = map[string]int{}
	for i := 0; i+2 < len(p.tokens); i++ {
		if raw := p.tokens[i].raw; len(raw) != 1 || letterNumber(raw[0]) == 0 || p.kind(i+1) != punct || p.is(i+1, ",") {
			continue
		}
		found, end := p.labels.at(p.tokens, i+2)
		if end == i+2 {
			continue
		}
		letter := strings.ToUpper(p.tokens[i].raw)
		if known := p.defined[letter]; known != 0 && known != found.option {
			found.option = ambiguous
		}
		p.defined[letter] = found.option
	}
}

// numbers reports whether the marks around a letter show that it numbers an option. A small letter
// needs parentheses or the start of a line, and an article such as "A" a noun in front of it or a mark after it.
func (p *page) numbers(i int, named bool) bool {
	raw, next := p.tokens[i].raw, i+1
	if p.kind(i-1) == punct && !p.tokens[i].space && !p.is(i-1, "(") && !p.is(i-1, ":") {
		return false // "°C"
	}
	if raw >= "a" {
		return p.is(next, ")") && p.is(i-1, "(") || p.listNumber(i) && (p.is(next, ")") || p.is(next, "."))
	}
	closed := p.kind(next) == punct && !p.is(next, "'") && !p.is(next, "-") || p.kind(next) == newline
	if articles[p.text(i)] {
		return closed && (named || p.labels.lettered || p.is(next, ")") || p.is(next, ":") || p.kind(next) == newline)
	}
	return closed || named || bounds(p.tokens, next)
}

// letterNumber returns the place of a letter from A to H, or 0. "I" is a pronoun.
func letterNumber(c byte) int {
	switch {
	case c >= 'A' && c < 'I':
		return int(c-'A') + 1
	case c >= 'a' && c < 'i':
		return int(c-'a') + 1
	}
	return 0
}

// lettersOf returns the options by their letters if the labels are the same up to a capital letter that ends them or
// their title, "Candidate A", "Step A: search".
func lettersOf(options []string) map[string]int {
	out, stem := map[string]int{}, ""
	for i, text := range options {
		title := text
		if head, _, found := strings.Cut(text, ":"); found {
			title = strings.TrimSpace(head)
		}
		at := strings.LastIndexByte(title, ' ')
		if at < 0 || i > 0 && title[:at] != stem || len(title) != at+2 || letterNumber(title[at+1]) == 0 || out[title[at+1:]] > 0 {
			return nil
		}
		stem = title[:at]
		out[title[at+1:]] = i + 1
	}
	return out
}
