package choice

import "unicode"

// right looks for a verdict after a group, to the end of the clause.
func (p *page) right(from int) (s side) {
	s.bad = p.dismissed(from)
	for i := from; i < len(p.tokens) && i < from+maxRight; i++ {
		if p.endsVerdict(i, from) {
			return s
		}
		if i > from && p.tokens[i].mark&quoted != 0 && p.tokens[from-1].mark&quoted == 0 {
			continue // the words of a quotation
		}
		if p.judge(&s, i, from) || breaks[p.text(i)] && i > from {
			return s
		}
	}
	return s
}

// endsVerdict reports whether the clause after a group ends at a token.
func (p *page) endsVerdict(i, from int) bool {
	if p.at[i] >= 0 && !p.targets[p.at[i]].weak {
		return true
	}
	switch p.text(i) {
	case "\n", ",", "—":
		return true
	case ".":
		return i == from || p.stops(i)
	case ":":
		return i > from
	}
	return p.kind(i) == punct && p.stops(i)
}

// maxRemark bounds the tokens before a doubt in parentheses, "3 (or maybe 4)". A later doubt is
// about a reason.
const maxRemark = 2

// judge adds the cues that begin at a token, and reports whether the text after it is about another
// option.
func (p *page) judge(s *side, i, from int) (next bool) {
	doubts := !p.is(from, "(") || i <= from+maxRemark
	for _, found := range p.spans[i] {
		switch found.sense {
		case cueBad:
			s.bad = s.bad || p.condemns(found)
		case cueNot:
			next = next || p.targetNear(found.to)
		case cueGood:
			s.good = s.good || !p.compares(found) && !p.begins(found.to, cueSaid) && !p.begins(found.to+1, cueSaid)
		case cueAside:
			s.aside = s.aside || doubts
		case cueHedge:
			if p.exceeds(i) {
				s.bad = true
			}
			s.hedge = s.hedge || doubts
		}
	}
	return next
}

// exceeds reports whether a token is the "too" of "too expensive".
func (p *page) exceeds(i int) bool {
	next := p.text(i + 1)
	return p.is(i, "too") && p.kind(i+1) == word && !functionWords[next] && !breaks[next] && !conjunctions[next]
}

// compares reports whether an adjective describes a property of the option, "Denver has better hiking".
func (p *page) compares(s span) bool {
	return s.to == s.from+1 && verdictNouns[p.text(s.from)] && carriers[p.text(s.from-1)] && p.measures(s.to)
}

// describes reports whether the sentence of a group describes an option: the group is the subject of a verb that
// is no verdict, or of a subordinate clause.
func (p *page) describes(g group) bool {
	next := p.kind(g.to + 1)
	switch {
	case complementizers[p.text(g.from-1)], neutralVerbs[p.text(g.to)] && next != newline && next != punct:
		return true
	case g.optioned && !g.label:
		return !p.follows(g.to) && !p.sole(g)
	case g.label && g.to > g.from+1 && p.isVerb(g.to):
		return true
	}
	return (g.label || g.marked) && p.walled(p.beforePhrase(g.from)) && p.measures(g.to) && !successors[p.text(g.to)]
}

// isVerb reports whether a token after a label is a verb in the third person, with which the text
// describes the option: "Object Detection finds 15 things".
func (p *page) isVerb(i int) bool {
	text := p.text(i)
	return p.kind(i) == word && len(text) > 3 && text[len(text)-1] == 's' && text[len(text)-2] != 's' && !nonVerbs[text] && !units[text] && !breaks[text] && len(p.spans[i]) == 0
}

// conceded reports whether a clause such as "while Denver is cheaper," admits an advantage of a group:
// it begins its sentence, and a comma follows.
func (p *page) conceded(from, to int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence && !p.is(i, ",") && !p.walled(i); i-- {
		if !(concessions[p.text(i)] || contraries[p.text(i)]) || !p.walled(i-1) {
			continue
		}
		for end := to; p.kind(end) != newline && end-to < maxSentence && !(p.kind(end) == punct && p.stops(end)); end++ {
			if p.is(end, ",") {
				return true
			}
		}
	}
	return false
}

// contrasted reports whether a word such as "whereas" follows a comma and precedes a group in its clause.
func (p *page) contrasted(from int) bool {
	for i := from - 1; i > 0 && from-i <= maxTail && !p.walled(i); i-- {
		if contraries[p.text(i)] {
			return p.is(i-1, ",")
		}
	}
	return false
}

// contraries begin a clause about an option that is not the choice, at the start of a sentence.
var contraries = set("while whereas wahrend tandis mientras mentre enquanto")

// maxNoun bounds the words of a noun between a negation and the number of the noun in parentheses.
const maxNoun = 2

// spurned reports whether a group in parentheses numbers a noun that is negated: "no translation
// (3 or 4)".
func (p *page) spurned(g group) bool {
	if (p.is(g.from-1, "与") || p.is(g.from-1, "跟") || p.is(g.from-1, "和")) && p.is(g.to, "不") && p.is(g.to+1, "同") {
		return true // "unlike 2"
	}
	if !p.is(g.from-1, "(") {
		return false
	}
	for i := g.from - 2; i >= g.from-2-maxNoun && p.kind(i) == word; i-- {
		if has(p.ends[i], cueNot) {
			return i < g.from-2
		}
	}
	return false
}

// dismissed reports whether a remark in parentheses from a token excludes the option before it, "2
// (not available)". "2 (not 3)" excludes another option.
func (p *page) dismissed(from int) bool {
	return p.is(from, "(") && negations[p.text(from+1)] && !p.targetNear(from+2) && !p.targetNear(from+3)
}

// condemns reports whether a negation excludes the option before it: no other option follows, or
// the negation is Japanese and follows its noun, 1ではなく5.
func (p *page) condemns(s span) bool {
	return unicode.Is(unicode.Hiragana, []rune(p.text(s.from))[0]) || !p.targetNear(s.to)
}
