package choice

// maxSentence bounds the search for the start and the end of a sentence, in tokens.
const maxSentence = 60

// conditional reports whether the sentence of a group has a condition.
func (p *page) conditional(from, to int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence; i-- {
		if p.kind(i) == newline && !p.opens(i) || p.kind(i) == punct && p.stops(i) && p.text(i) != ";" {
			break
		}
		if has(p.spans[i], cueIf) && !p.isIndirect(i) {
			return true
		}
	}
	for i := to; i < len(p.tokens) && i-to < maxSentence; i++ {
		if p.kind(i) == newline || p.kind(i) == punct && p.stops(i) || p.at[i] >= 0 {
			break
		}
		if has(p.spans[i], cueIf) && !p.isIndirect(i) {
			return true
		}
	}
	return false
}

// isIndirect reports whether a token begins the question that a doubt is about, "it is unclear whether".
func (p *page) isIndirect(i int) bool {
	if !whether[p.text(i)] {
		return false
	}
	for at := i - 1; at >= 0 && i-at <= maxInner; at-- {
		if has(p.ends[at], cueOpen) {
			return true
		}
	}
	return false
}

// inReason reports whether a word such as "because" precedes a group in its sentence.
func (p *page) inReason(from int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence && p.kind(i) != newline && !(p.kind(i) == punct && p.stops(i)); i-- {
		if reasons[p.text(i)] {
			return true
		}
	}
	return false
}

// asked reports whether the sentence of a group is a question.
func (p *page) asked(to int) bool {
	inner := 0 // parentheses
	for i := to; i < len(p.tokens) && i-to < maxSentence; i++ {
		switch {
		case p.is(i, "("):
			inner++
		case p.is(i, ")"):
			inner--
		}
		if inner > 0 && p.kind(i) != newline {
			continue
		}
		if p.kind(i) == newline {
			return false
		}
		if p.kind(i) == punct && p.stops(i) {
			return p.is(i, "?")
		}
	}
	return false
}

// succeeds reports whether a word such as "before" in the clause of a group makes it a later step than the
// choice: "chop the onions before frying them".
func (p *page) succeeds(from int) bool {
	for i := from - 1; i > 0 && from-i <= maxTail && p.kind(i) == word && !p.walled(i); i-- {
		if successors[p.text(i)] {
			return !p.beginsClause(i)
		}
	}
	return false
}

// opened reports whether a phrase that leaves the choice open ends at a token, so that no phrase before
// it picks the group: "I would leave it to you: 3". A negation, "no valid action", also concerns the group.
func (p *page) opened(i int, picked bool) bool {
	open := false
	for _, s := range p.ends[i] {
		if s.sense == cueOpen && has(p.spans[s.from], cueNot) {
			return has(p.ends[i], cueYield)
		}
		open = open || s.sense == cueYield || s.sense == cueOpen && !picked
	}
	return open
}
