package choice

import (
	"slices"
	"strings"
)

// maxSentence bounds the search for the start and the end of a sentence, in tokens.
const maxSentence = 60

// conditional reports whether the sentence of a group has a condition. A condition before a word such as
// "therefore" belongs to the reason: "roll back when 5 % fail, therefore 3".
func (p *page) conditional(from, to int) bool {
	if p.conditionedBefore(from) {
		return true
	}
	for i := to; i < len(p.tokens) && i-to < maxSentence; i++ {
		if has(p.spans[i], cueIf) && !p.isIndirect(i) {
			return true
		}
		if reasons[p.text(i)] {
			return false // the condition concerns the reason
		}
		if p.endsSentence(i) || p.at[i] >= 0 {
			break
		}
	}
	return false
}

// conditionedBefore reports whether a condition precedes a group in its sentence.
func (p *page) conditionedBefore(from int) bool {
	comma := false
	for i := from - 1; i >= 0 && from-i < maxSentence && !consequences[p.text(i)]; i-- {
		if p.is(i, ";") && p.separate(i) {
			break
		}
		if p.kind(i) == newline && !p.opens(i) || p.kind(i) == punct && p.stops(i) && p.text(i) != ";" {
			break
		}
		if has(p.spans[i], cueIf) && !p.isIndirect(i) || comma && inversions[p.text(i)] && p.opensClause(i) || p.unreal(i, from) {
			return true
		}
		comma = comma || p.is(i, ",")
	}
	return false
}

// separate reports whether the clause before a semicolon states another option with its own condition: "2 would do if it
// were free; it's 3".
func (p *page) separate(semicolon int) bool {
	conditioned := false
	for i := semicolon - 1; !p.walled(i); i-- {
		conditioned = conditioned || has(p.spans[i], cueIf)
		if p.walled(i-1) && i > 0 && p.at[i-1] >= 0 {
			return conditioned
		}
	}
	return false
}

// consequences begin the conclusion of a reason.
var consequences = set("therefore hence consequently accordingly daher deshalb folglich demnach")

// inversions are the verbs that begin a condition without a conjunction: "had there been a backup, 1".
var inversions = set("had were should hatte hatten ware waren sollte sollten wurde musste konnte")

// opensClause reports whether a token is the first word of a sentence or follows its first conjunction.
func (p *page) opensClause(i int) bool {
	return p.walled(i-1) || p.beginsClause(i) && p.walled(i-2)
}

// isIndirect reports whether a token begins the question that a doubt is about, "it is unclear whether".
func (p *page) isIndirect(i int) bool {
	if !whether[p.text(i)] {
		return false
	}
	for at := i - 1; at >= 0 && i-at <= maxInner; at-- {
		if has(p.ends[at], cueOpen) || inquiries[p.text(at)] {
			return true
		}
	}
	return false
}

// inReason reports whether a word such as "because" precedes a group in its sentence.
func (p *page) inReason(from int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence && !p.endsSentence(i); i-- {
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

// coordinated reports whether the sentence of a claim names another option after it on equal terms: "tourists
// choose 2, hikers 6". A reason, a contrast, a comparison, a negation or parentheses between them make
// the other option a part of the statement.
func (p *page) coordinated(claims []claim, c claim, rank int) bool {
	if rank >= rankFinal {
		return false
	}
	if rank <= rankMention && p.alternates(c) || p.continued(c) || p.echoed(c) || p.extended(c) {
		return true
	}
	for i := c.to; i < len(p.tokens) && i-c.to < maxSentence; i++ {
		if p.at[i] < 0 {
			if p.separates(i) {
				return false
			}
			continue
		}
		t := p.targets[p.at[i]]
		i = max(i, t.to-1)
		if p.competes(c, t) {
			again := func(o claim) bool { // "… → 3"
				return o.from > t.from && !o.denied && !o.aside && slices.Equal(o.options, c.options)
			}
			return !p.qualified(t) && !slices.ContainsFunc(claims, again)
		}
	}
	return false
}

// competes reports whether a target after a claim names another option.
func (p *page) competes(c claim, t target) bool {
	quantity := !t.isLabel && !t.optioned && !t.marked && p.measures(t.to)
	either := alternatives[p.text(c.to)] && t.from-c.to <= maxInner           // "by train or by car"
	listed := p.is(t.from-1, ",") && t.from-1 == c.to && p.kind(t.to) != word // "python, bash"
	return (!t.weak || either || listed) && !quantity && t.option >= 1 && !slices.Contains(c.options, t.option)
}

// qualified reports whether the words next to a target exclude it, or mention or describe it only.
func (p *page) qualified(t target) bool {
	left, right := p.left(t.from), p.right(t.to)
	return left.not || left.aside || left.hedge || right.bad || right.aside || right.hedge || neutralVerbs[p.text(t.to)]
}

// proposes reports whether a verb in the conditional begins a clause, "enviaría un correo".
func (p *page) proposes(i int) bool {
	text := p.text(i)
	return len(text) > minStem+2 && strings.HasSuffix(text, "ria") && (i == 0 || p.beginsClause(i))
}

// alternates reports whether a word such as "or" before a claim joins it to something else: "by train or by
// car".
func (p *page) alternates(c claim) bool {
	for i := c.from - 1; i >= c.from-maxInner && p.kind(i) == word; i-- {
		if alternatives[p.text(i)] {
			return (p.kind(i-1) == word || p.kind(i-1) == number) && !p.beginsClause(i)
		}
	}
	if p.echoes(c.from) || p.paired(c) {
		return true
	}
	joined := false // "both 2 and 3"
	for i := c.from - 1; i >= 0 && c.from-i <= maxLeft && !p.endsSentence(i); i-- {
		joined = joined || conjunctions[p.text(i)]
		if joined && boths[p.text(i)] {
			return true
		}
	}
	return false
}

// echoes reports whether the clause of a group repeats the predicate of the clause before it: "2 might work, and so
// might 3", "1 is wrong, and neither is 3".
func (p *page) echoes(from int) bool {
	verb := p.beforePhrase(from)
	return auxiliaryVerbs[p.text(verb)] && likewise[p.text(verb-1)]
}

// extended reports whether a conjunction after a claim adds a word that only other options have: "I would book the
// flight and the hotel".
func (p *page) extended(c claim) bool {
	if !c.label || len(c.options) != 1 || !conjunctions[p.text(c.to)] {
		return false
	}
	i := c.to + 1
	for light[p.text(i)] || articles[p.text(i)] {
		i++
	}
	if p.kind(i) != word {
		return false
	}
	others := false
	for _, content := range p.labels.contents {
		for k, w := range content.words {
			if similar(p.text(i), w) && (k == 0 || i > c.to+1) {
				if content.option == c.options[0] {
					return false
				}
				others = true
			}
		}
	}
	return others
}

// echoed reports whether the sentence of a claim states the same of another option: "2 is fine, but so is 4".
func (p *page) echoed(c claim) bool {
	for i := c.to; i < len(p.tokens) && i-c.to < maxSentence && !p.endsSentence(i); i++ {
		if k := p.at[i]; k >= 0 && p.echoes(i) {
			return !slices.Contains(c.options, p.targets[k].option)
		}
	}
	return false
}

var (
	auxiliaryVerbs = set("is are was were does do did has have had would will could can might may should must")
	likewise       = set("so neither nor")
)

// paired reports whether "both" precedes a claim in its sentence, and a conjunction and another option follow it:
// "both 2 (fast) and 3 (cheap) are plausible".
func (p *page) paired(c claim) bool {
	if before := p.beforePhrase(c.from); !boths[p.text(before)] {
		return false
	}
	for i := c.to; i-c.to < maxTail && !p.endsSentence(i); i++ {
		if near := p.nearby(i + 1); conjunctions[p.text(i)] && near >= 0 {
			return !slices.Contains(c.options, p.targets[near].option)
		}
	}
	return false
}

// boths precede two options.
var boths = set("both sowohl ambos ambas entrambi entrambe")

// continued reports whether the sentence of a claim names another option as the next step: "2, and then 3".
func (p *page) continued(c claim) bool {
	for i := c.to; i-c.to < maxSentence && !p.endsSentence(i); i++ {
		if k := i + 2; conjunctions[p.text(i)] && sequels[p.text(i+1)] && !p.is(i+1, "finally") && k < len(p.tokens) && p.at[k] >= 0 {
			return !slices.Contains(c.options, p.targets[p.at[k]].option)
		}
	}
	return false
}

// separates reports whether a token between two options shows that they are not on equal terms.
func (p *page) separates(i int) bool {
	text := p.text(i)
	switch {
	case p.kind(i) == newline, p.kind(i) == punct && !p.is(i, ",") && !p.is(i, ")") && !p.is(i, "、") && !p.is(i, "/"):
		return true
	case reasons[text], concessions[text], adversatives[text], breaks[text] && !conjunctions[text] && !sequels[text], successors[text], subordinating[text]:
		return true
	}
	for _, s := range p.spans[i] {
		switch s.sense {
		case cueNot, cueBad, cueIf, cueAside, cueHedge:
			return true
		}
	}
	return false
}

// subordinating words begin a clause or a phrase about the choice.
var subordinating = set("followed than over after once which that who whose where when to for with without despite like versus vs als nach damit dass um ohne trotz qui que dont apres pour avec sans despues para con sin como 比 对 在")

// succeeds reports whether a word such as "before" in the clause of a group makes it a later step than the
// choice: "chop the onions before frying them".
func (p *page) succeeds(from int) bool {
	if p.is(from-1, "(") {
		from-- // "before I send anything (3)"
	}
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
