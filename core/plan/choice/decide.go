package choice

import "slices"

// decide returns the choice of the highest-ranking claims, and their rank; -1 if there are none.
func (p *page) decide(claims []claim) (out Reading, rank int) {
	claims = p.concluded(p.corrected(p.sequenced(p.answered(claims))))
	top, best := p.foremost(claims)
	if best < 0 {
		return none(p.whyNone(claims)), best
	}
	last := top[len(top)-1]
	options := union(top)
	if len(options) > 1 && last.picked && len(last.options) == 1 && !slices.ContainsFunc(top, func(c claim) bool { return !slices.Contains(c.options, last.options[0]) }) {
		options = last.options // "it remains to do 3 and then 4; so the next step is 3"
	}
	if p.rankings(claims) || p.coordinated(claims, last, best) {
		return none(undecided), best
	}
	if len(options) > 1 {
		return none(twoChoices(options[0], options[1])), best
	}
	switch option := options[0]; {
	case option == ambiguous:
		return none("a number and the words of another choice contradict each other"), best
	case option == 0:
		return none(outOfRange(last.number, p.count)), best
	}
	if p.incomplete(last) {
		return none("the reply breaks off"), best
	}
	if best <= rankLabel && p.rivalled(claims, last, options[0]) || last.partial && p.contested(last) {
		return none(undecided), best
	}
	if reason := p.doubt(last); reason != "" {
		return none(reason), best
	}
	how := [...]string{ByNumber, ByNumber, ByMention, ByStatement, ByStatement}[best]
	if last.label && (best <= rankMention || p.isPolar(last)) {
		how = ByLabel
	}
	return Reading{Choice: options[0], How: how}, best
}

// rankings reports whether several lines call different options the best ones of their kind: "Best for
// families: 2" and "Best view: 5".
func (p *page) rankings(claims []claim) bool {
	first := 0
	for _, c := range claims {
		i := c.from
		for p.kind(i) != newline && c.from-i < maxTitleTokens {
			i--
		}
		if p.kind(i) != newline {
			continue
		}
		for i++; p.kind(i) == punct; {
			i++
		}
		if c.denied || len(c.options) != 1 || !superlatives[p.text(i)] || p.is(i+1, ":") || p.is(i+1, "alternative") {
			continue
		}
		if first != 0 && c.options[0] != first {
			return true
		}
		first = c.options[0]
	}
	return false
}

// maxTitleTokens bounds the tokens before the option on a line of a ranking.
const maxTitleTokens = 8

// superlatives begin the heading of a line of a ranking.
var superlatives = set("best cheapest fastest safest easiest top beste bester bestes gunstigste schnellste meilleur meilleure mejor mejores")

// foremost returns the claims of the highest rank, and this rank; -1 if there are no claims.
func (p *page) foremost(claims []claim) (top []claim, best int) {
	best = -1
	for _, c := range p.standing(claims) {
		if c.rank > best {
			top, best = nil, c.rank
		}
		if c.rank == best {
			top = append(top, c)
		}
	}
	switch best {
	case rankFinal:
		top = top[len(top)-1:]
	case rankStatement:
		top = p.headline(top)
	}
	return top, best
}

// answered makes an aside of a "yes" at the start, if a phrase picks another option after it: "Yes, I can
// help! The answer is: maybe".
func (p *page) answered(claims []claim) []claim {
	if len(claims) == 0 || !p.isPolar(claims[0]) {
		return claims
	}
	for _, c := range claims[1:] {
		if c.picked && !c.denied && !c.aside && c.label && !slices.Equal(c.options, claims[0].options) {
			claims[0].aside = true
		}
	}
	return claims
}

// succeeded reports whether the next claim is the second step of the same sentence: "first 2, then 3".
func (p *page) succeeded(c, next claim) bool {
	for i := c.to; i < next.from; i++ {
		if p.endsSentence(i) {
			return false
		}
	}
	return sequels[p.text(p.beforePhrase(next.from))]
}

// bracketed reports whether the sentence of a group is in parentheses: "2. (3 would be needed for a trip.)"
func (p *page) bracketed(from, to int) bool {
	if p.kind(to) != word {
		return false
	}
	for i := from - 1; i >= 0 && from-i < maxSentence && p.kind(i) != newline && !p.is(i, ")"); i-- {
		if p.is(i, "(") {
			return p.walled(i-1) && i > 0
		}
	}
	return false
}

// postponed reports whether the sentence of a group begins with a word such as "afterwards".
func (p *page) postponed(from int) bool {
	i := from
	for !p.walled(i - 1) {
		i--
	}
	return from > i && from-i < maxLeft && (afterwards[p.text(i)] || thereafter[p.text(i)] && (p.is(i+1, "that") || p.is(i+1, "cela") || p.is(i+1, "eso") || p.is(i+1, "which")) || p.is(i, "之") && p.is(i+1, "后") || p.is(i, "随") && p.is(i+1, "后"))
}

// afterwards are words for a later step at the start of a sentence; thereafter need a pronoun after them.
var (
	afterwards = set("afterwards subsequently thereafter later danach anschliessend hinterher spater ensuite despues dopo depois")
	thereafter = set("after following apres")
)

// sequenced makes an aside of a claim for the first of several options, and of one for the step after it.
func (p *page) sequenced(claims []claim) []claim {
	for i, c := range claims {
		claims[i].aside = c.aside || i > 0 && p.bracketed(c.from, c.to)
		if p.postponed(c.from) && slices.ContainsFunc(claims[:i], func(o claim) bool {
			return o.rank >= rankStatement && !o.denied && !o.aside && !slices.Equal(o.options, c.options)
		}) {
			claims[i].aside = true
		}
		if !c.first || !slices.ContainsFunc(claims, func(o claim) bool { return !o.denied && !o.aside && !slices.Equal(o.options, c.options) }) {
			continue
		}
		followed := i+1 < len(claims) && p.succeeded(c, claims[i+1])
		claims[i].aside = !(followed && c.firm) // "first 2, then 3", but "I would first do 2, then 3"
		if followed {
			claims[i+1].aside = true
		}
	}
	return claims
}

// headline returns the claims that a verb of choice states, if the others, which only praise an
// option, follow in other sentences without a contrast: "I choose 3. It is better than 2."
func (p *page) headline(claims []claim) []claim {
	var picked []claim
	for _, c := range claims {
		switch {
		case c.picked:
			picked = append(picked, c)
		case len(picked) == 0 || p.contrasts(c.from):
			return claims
		}
	}
	if len(picked) == 0 {
		return claims
	}
	return picked
}

// contrasts reports whether a word such as "however" precedes a token in its sentence.
func (p *page) contrasts(from int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence && !p.endsSentence(i); i-- {
		if adversatives[p.text(i)] {
			return true
		}
	}
	return false
}

// rivalled reports whether one of the claims names an option other than the given one. The caller asks
// this of options with weak evidence only. A number out of range in running text is a quantity, not a choice. A label
// that its own predicate excludes, "Image Denoising does not", counts as another option: the text
// compares two options, and states no reason for one of them.
func (p *page) rivalled(claims []claim, last claim, option int) bool {
	for _, c := range claims {
		joined := c.from > 1 && conjunctions[p.text(c.from-1)] && p.at[c.from-2] >= 0
		quantity := len(c.options) == 1 && c.options[0] == 0 && (c.rank == rankNumber && !joined || c.aside)
		if (!c.denied || c.lacking && c.label) && !quantity && !p.justifies(last.to, c.from) && !slices.Contains(c.options, option) {
			return true
		}
	}
	return false
}

// justifies reports whether a token is in the reason that follows a claim in its sentence: "2, because 3 is full".
func (p *page) justifies(claimed, at int) bool {
	reason := false
	for i := claimed; i < at; i++ {
		if p.endsSentence(i) {
			return false
		}
		reason = reason || reasons[p.text(i)] && !p.is(i, "as")
	}
	return reason
}

// contested reports whether the text also praises another option or calls it possible, by some words
// of its label.
func (p *page) contested(c claim) bool {
	for i := 0; i < len(p.tokens); i++ {
		if i >= c.from && i < c.to {
			continue
		}
		option, end, matched := p.labels.loose(p.tokens, i)
		if matched < minContent {
			continue
		}
		left, right := p.left(i), p.right(end)
		if option != c.options[0] && !left.not && !right.bad && (right.good || right.aside || right.hedge || left.aside || left.hedge || left.pick) {
			return true
		}
		i = end - 1
	}
	return false
}

// onLastLine reports whether no line break follows a claim.
func (p *page) onLastLine(c claim) bool {
	return !slices.ContainsFunc(p.tokens[c.to:], func(t token) bool { return t.kind == newline })
}

// union returns the options of claims in the order of their first occurrence.
func union(claims []claim) []int {
	var out []int
	for _, c := range claims {
		for _, o := range c.options {
			if !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// standing returns the claims that are neither asides nor excluded. An exclusion removes an option
// from claims before it, and from all claims of a rank below rankStatement.
func (p *page) standing(claims []claim) []claim {
	first, last := map[int]int{}, map[int]int{} // exclusions, by option
	for i, c := range claims {
		for _, o := range c.options {
			if !c.denied || c.aside {
				break
			}
			if _, known := first[o]; !known {
				first[o] = i
			}
			last[o] = i
		}
	}
	var out []claim
	for i, c := range claims {
		if c.denied || c.aside {
			continue
		}
		c.options = slices.DeleteFunc(slices.Clone(c.options), func(o int) bool {
			_, denied := first[o]
			return denied && (last[o] > i || c.rank < rankStatement)
		})
		if len(c.options) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// maxFix bounds the tokens between a correction and a bare number.
const maxFix = 5

// corrected drops the claims before the last correction that a claim follows.
func (p *page) corrected(claims []claim) []claim {
	from, next := 0, 0
	for i := range p.tokens {
		if !has(p.spans[i], cueFix) || !p.beginsClause(i) {
			continue
		}
		for next < len(claims) && (claims[next].from <= i || claims[next].denied || claims[next].aside) {
			next++
		}
		if next < len(claims) && next > from && (claims[next].rank >= rankMention || claims[next].from-i <= maxFix || p.amends(i, claims[next])) {
			from = next
		}
	}
	kept := slices.Clone(claims[from:])
	if from > 0 && kept[0].rank < rankStatement {
		kept[0].rank = rankStatement
	}
	// An exclusion before the correction stays.
	before := slices.DeleteFunc(slices.Clone(claims[:from]), func(c claim) bool { return !c.denied })
	return append(before, kept...)
}

// beginsClause reports whether a mark or a line break precedes a token.
//
//go:noinline
func (p *page) beginsClause(i int) bool {
	return p.kind(i-1) == punct || p.kind(i-1) == newline || breaks[p.text(i-1)]
}

// maxInner bounds the tokens between the start of a phrase and that of a phrase within it.
const maxInner = 3

// doubt returns the reason why a claim does not count: a doubt after it or, unless the claim is an
// explicit statement, a doubt anywhere in the text; "" if there is none.
func (p *page) doubt(c claim) string {
	if p.wavers(c) || p.depends(c) {
		return undecided
	}
	open := p.isOpen(c)
	for i := range p.tokens {
		for _, s := range p.spans[i] {
			after := s.from > c.from
			switch {
			case s.sense == cueYield && !c.firm && !p.contrasts(c.from):
				return undecided
			case s.sense == cueOpen && p.concludedFrom(s.to, c.from):
			case s.sense == cueOpen && !open && !p.within(s, cueBad) && (after || c.rank < rankStatement) && !(s.from <= c.from && c.from < s.to) && !p.explains(c, s):
				return undecided
			case s.sense == cueAsk && c.rank < rankMention:
				return "the reply is a question"
			case s.sense == cueSorry && c.rank < rankMention, s.sense == cueSorry && c.rank == rankMention && s.from < c.from:
				return refusal
			}
		}
	}
	return ""
}

// concludedFrom reports whether a word such as "so" makes a claim the conclusion of a doubt in the same sentence: "I
// do not know the figure, so I look it up: web_search".
func (p *page) concludedFrom(doubt, from int) bool {
	concluded := false
	for i := doubt; i < from; i++ {
		if p.endsSentence(i) || verdictNouns[p.text(i)] || optionNouns[p.text(i)] {
			return false
		}
		concluded = concluded || conclusive[p.text(i)] && p.is(i-1, ",")
	}
	return concluded
}

// explains reports whether a doubt after a claim states its reason or a concession, "ask the user,
// because the request is ambiguous", rather than a doubt about the choice.
func (p *page) explains(c claim, s span) bool {
	if s.from < c.to || c.rank < rankMention {
		return false
	}
	rival := false // "Option 1 would also work, but we do not know the path."
	for i := s.from - 1; ; i-- {
		if reasons[p.text(i)] || concessions[p.text(i)] {
			break
		}
		rival = rival || i >= c.to && p.at[i] >= 0 && !slices.Contains(c.options, p.targets[p.at[i]].option)
		if i < c.to || p.endsSentence(i) {
			// "Answer: 4. It is unclear who signed it."
			fact := impersonal[p.text(s.to-1)] && subordinates[p.text(s.to)]
			if c.rank < rankStatement || !fact && !(rival && i >= c.to && p.kind(s.to) == word) {
				return false
			}
			break
		}
	}
	return p.concernsFacts(s)
}

// begins reports whether a phrase with the given sense begins at a token.
func (p *page) begins(i int, sense cue) bool { return i < len(p.spans) && has(p.spans[i], sense) }

// concernsFacts reports whether the rest of a sentence after a doubt does not mention the choice.
func (p *page) concernsFacts(s span) bool {
	others, i := map[int]bool{}, s.to
	for ; !p.endsSentence(i); i++ {
		if verdictNouns[p.text(i)] || optionNouns[p.text(i)] {
			return false
		}
		if p.at[i] >= 0 {
			others[p.targets[p.at[i]].option] = true
		}
	}
	return len(others) < 2 && (i > s.to || !p.speaks(s))
}

// speaks reports whether the subject of a phrase is the model itself: "I am not sure".
func (p *page) speaks(s span) bool {
	for i := s.from; i > s.from-maxInner; i-- {
		if speakers[p.text(i)] || p.is(i, "我") {
			return true
		}
	}
	return false
}

// isOpen reports whether a claim is for an option whose label states that the answer is open,
// "insufficient information".
func (p *page) isOpen(c claim) bool {
	return len(c.options) == 1 && p.labels.open[c.options[0]]
}

// depends reports whether the reply begins with "it depends" and has no "but" before a claim.
func (p *page) depends(c claim) bool {
	for i := 0; i < min(c.from, 2); i++ {
		for _, s := range p.spans[i] {
			if s.sense == cueOpen && dependence[p.text(i)] || s.sense == cueOpen && dependence[p.text(s.to-1)] {
				return c.rank < rankFinal && !p.contrasts(c.from)
			}
		}
	}
	return false
}

// wavers reports whether a question after a claim names another choice: "2. Or 3?"
func (p *page) wavers(c claim) bool {
	for i := c.to; i < len(p.tokens); i++ {
		if alternatives[p.text(i)] && p.beginsClause(i) && p.asked(i) && (p.kind(i+1) == number || p.targetNear(i+1)) {
			return true
		}
	}
	return false
}

// within reports whether a phrase is the end of a longer one with the given sense: ありません in
// 2ではありません.
func (p *page) within(s span, sense cue) bool {
	for i := max(s.from-maxInner, 0); i < s.from; i++ {
		for _, longer := range p.spans[i] {
			if longer.sense == sense && longer.to == s.to {
				return true
			}
		}
	}
	return false
}

// maxYield bounds the tokens before a word of choice in a phrase that leaves the choice to the person.
const maxYield = 5

// yields reports whether a phrase is part of one that leaves the choice to the person: "I leave the
// decision to you".
func (p *page) yields(s span) bool {
	for i := max(s.from-maxYield, 0); i < s.from; i++ {
		for _, longer := range p.spans[i] {
			if longer.sense == cueYield && longer.to >= s.to {
				return true
			}
		}
	}
	return false
}

// whyNone returns the reason why no claim is left.
func (p *page) whyNone(claims []claim) string {
	open, sorry := false, false
	for i := range p.tokens {
		open = open || has(p.spans[i], cueOpen) || has(p.spans[i], cueAsk) || has(p.spans[i], cueYield)
		sorry = sorry || has(p.spans[i], cueSorry)
	}
	aside := slices.ContainsFunc(claims, func(c claim) bool { return c.aside && !c.denied })
	denied := slices.ContainsFunc(claims, func(c claim) bool { return c.denied })
	switch {
	case open:
		return undecided
	case sorry:
		return refusal
	case aside:
		return "the reply names a choice only as a possibility"
	case denied:
		return "the reply only excludes choices"
	}
	return nothing
}
