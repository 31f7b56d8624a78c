package choice

// romans are the numbers of options in Roman numerals, after an option noun: "option III".
var romans = map[string]int{"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}

// letterAt returns the option that a letter names, as if letters numbered the options: "B", "(B)",
// "option B". Models of tests with several choices write them also for a numbered list. A letter
// names no option if a label has a single letter as a word, and the article "A" does so only after
// an option noun or before a mark.
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
	glued := p.kind(i-1) == punct && !p.tokens[i].space && !p.is(i-1, "(") && !p.is(i-1, ":")
	if len(raw) != 1 || p.labels.lettered || glued {
		return target{}, false
	}
	n := letterNumber(raw[0])
	closed := p.kind(i+1) != word && p.kind(i+1) != number && p.kind(i+1) != other && !p.is(i+1, "'") && !p.is(i+1, "-")
	small := raw[0] >= 'a'
	enclosed := p.is(i-1, "(") && p.is(i+1, ")")
	switch {
	case n == 0 || n > p.count, small && !enclosed && !(p.listNumber(i) && (p.is(i+1, ")") || p.is(i+1, "."))):
		return target{}, false
	case !closed && (articles[p.text(i)] || !bounds(p.tokens, i+1) && !named):
		return target{}, false
	case !named && articles[p.text(i)] && !p.is(i+1, ")") && !p.is(i+1, ":") && p.kind(i+1) != newline:
		return target{}, false
	}
	return target{option: n, number: raw, from: i, to: i + 1, optioned: named, weak: !named}, true
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
