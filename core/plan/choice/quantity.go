package choice

import "slices"

// counts reports whether a target names an option rather than a quantity.
func (p *page) counts(t target) bool {
	if t.isLabel {
		return true
	}
	if !t.optioned && p.isQuantity(t) || p.isDocument(t) {
		return false
	}
	next := p.text(t.to)
	switch {
	case next == "%" || next == "€" || next == "°":
		return t.optioned
	case next == "am": // "3 am", but not "3 am besten"
		return t.optioned || p.german
	case next == "of":
		return t.optioned || p.ofOptions(t)
	case next == "out":
		return true
	}
	return !units[next] && !(p.is(t.from-1, "第") && ideographCounters[next]) || t.optioned && isIdeograph([]rune(next)[0]) && !ideographCounters[next]
}

// isDocument reports whether a number out of range is that of a document: "invoice no. 2231".
func (p *page) isDocument(t target) bool {
	sign := t.from - 1
	if p.is(sign, ".") {
		sign--
	}
	return t.optioned && t.option == 0 && len(t.number) > maxOption && numberSigns[p.text(sign)]
}

// isQuantity reports whether the words next to a number show that it counts or numbers something else.
func (p *page) isQuantity(t target) bool {
	before := p.text(t.from - 1)
	total := before == "the" || partitives[before]
	switch {
	case p.isStill(t.from - 1), t.option == 0 && p.measures(t.to):
		return true
	case totals[before], sequence[before] && p.kind(t.to) == word, total && !t.weak && (t.option == p.count || p.isPart(t)):
		return true
	case partitives[before] && collectives[p.text(t.from-2)]:
		return true // "a family of 4"
	case p.is(t.to, ".") && dayArticles[before] && p.kind(t.to+1) == word && p.tokens[t.to+1].raw == p.text(t.to+1):
		return true // "seit dem 4. verreist"
	case p.is(t.from-1, "#") && p.measures(t.from-2) && !p.filler(t.from-2):
		return true // "run #3"
	case t.option == 0 && p.labels.words[t.number]:
		return true // a number of a label
	case conjunctions[p.text(t.to)] && p.kind(t.to+1) == number && p.isPlural(t.to+2): // "2 or 3 people"
		return true
	}
	return countedNouns[before] && !p.precedesLabel(t) || currencies[before]
}

// currencies precede an amount.
var currencies = set("$ €")

// isPart reports whether a noun follows a number after "the", "the 2 holiday pictures".
func (p *page) isPart(t target) bool {
	return p.is(t.from-1, "the") && p.measures(t.to) && !optionNouns[p.text(t.to)]
}

// collectives precede the number of their members.
var collectives = set("family group party team total set batch pair series score maximum minimum average rating familie gruppe team summe famille groupe equipe familia grupo equipo famiglia gruppo squadra equipe")

// quantifies reports whether the words next to a bare number show that it counts something: "the only
// city with 2 museums", "your preferences (2 beds)".
func (p *page) quantifies(g group) bool {
	if g.label || g.optioned || g.marked || g.alone || !p.measures(g.to) {
		return false
	}
	return p.is(g.from-1, "(") || carriers[p.text(g.from-1)] && !has(p.ends[g.from-1], cuePick)
}

// carriers precede the number of the parts or properties of a thing.
var carriers = set("with has have having offers mit hat bietet avec propose possede con tiene ofrece tem oferece ha offre")

// dayArticles precede the ordinal of a day: "am 4."
var dayArticles = set("dem am vom zum im den der")

// numberSigns also precede the numbers of documents, and maxOption is the number of digits up to which
// such a number names an option.
var numberSigns = set("no nr num number # nummer numero n")

const maxOption = 2

// measures reports whether the token after a number that is out of range is a noun or a unit.
func (p *page) measures(i int) bool {
	text := p.text(i)
	return p.kind(i) == word && len(lexicon()[text]) == 0 && !functionWords[text] && !breaks[text] && !conjunctions[text] && !isIdeograph([]rune(text)[0])
}

// isPlural reports whether a token is the plural of a unit.
func (p *page) isPlural(i int) bool {
	text := p.text(i)
	return units[text] && !optionNouns[text] && (text == "people" || len(text) > minNoun && text[len(text)-1] == 's')
}

// precedesLabel reports whether a noun and a number begin the reply, the label of the option follows
// after a mark, "step 6: finish", and no other item has the noun.
func (p *page) precedesLabel(t target) bool {
	same := func(k token) bool { return k.text == p.text(t.from-1) }
	if next := t.to + 1; p.onlyMarks(0, t.from-1) && p.kind(t.to) == punct && !slices.ContainsFunc(p.tokens[t.to:], same) {
		found, _ := p.labels.at(p.tokens, min(next, len(p.tokens)-1))
		return found.option == t.option
	}
	return false
}

// ofOptions reports whether a number is one of the options, "3 of 10", and not a share of other
// things, "2 of 2 checks".
func (p *page) ofOptions(t target) bool {
	total := t.to + 1
	return p.kind(total) == number && (t.from == 0 || p.tokens[total].value == p.count) && (p.kind(total+1) != word || optionNouns[p.text(total+1)])
}

// operators join the parts of a date, a fraction or a formula.
var operators = set("/ × ÷ + * ^ = < > ≤ ≥")

// isDated reports whether the number at a token is a part of a date, "7/12", or of a formula, "17 ×
// 23", and not one of a pair of options.
func (p *page) isDated(i int) bool {
	out := func(at int) bool { return p.tokens[at].value < 1 || p.tokens[at].value > p.count }
	pair := func(a, b int) bool {
		operator := operators[p.text(a+1)] && (!p.is(a+1, "/") || !p.tokens[a+1].space && !p.tokens[b].space)
		return operator && p.kind(a) == number && p.kind(b) == number && (out(a) || out(b))
	}
	return pair(i-2, i) || pair(i, i+2) || p.isDay(i)
}

// isDay reports whether a month follows the number at a token: "22. September", "1 de mayo".
func (p *page) isDay(i int) bool {
	next := i + 1
	for p.is(next, ".") || p.is(next, "de") || p.is(next, "of") || p.is(next, "di") {
		next++
	}
	if _, end := p.labels.at(p.tokens, min(next, len(p.tokens)-1)); end > next {
		return false // "4. Mars" names a planet
	}
	return (months[p.text(next)] || p.is(next, "may") && p.tokens[next].raw == "May") && !p.is(next-1, "\n") && next-i <= 2
}
