package choice

import (
	"fmt"
	"slices"
	"strings"
)

// Ranks of evidence in running text.
const (
	rankNumber    = iota // a number
	rankLabel            // a label in running text, a number at the start
	rankMention          // "option 3", marked text
	rankStatement        // an explicit statement
	rankFinal            // a final answer
)

// claim is a group of options that a text states or excludes together.
type claim struct {
	options []int
	number  string // of an option out of range
	from    int    // token
	to      int
	rank    int
	denied  bool
	aside   bool // an alternative, a condition, a question, an item of a list
	label   bool
	picked  bool // a phrase before it picks it
	firm    bool // a verb of choice directly before it picks it
	first   bool // it is the first of several, if the text has others
	partial bool // it is a part of a label, and no verb of choice precedes it
	lacking bool // it is excluded by the predicate after it: "Image Denoising does not"
}

// prose reads running text. Some words of a label are evidence only in a text without another
// statement.
func (r *reader) prose(text string) Reading {
	tokens := tokenize(text)
	p := r.newPage(tokens)
	if p.refuses() {
		return none(refusal)
	}
	out, rank := p.decide(p.claims())
	if r.loosely || rank >= rankStatement || out.Reason == undecided || out.Reason == refusal {
		return out
	}
	if out.Choice == 0 {
		if n := p.lastSentence(p.claims()); n > 0 {
			return r.chosen(n, ByLabel)
		}
	}
	loose := &reader{labels: r.labels, count: r.count, labelFirst: r.labelFirst, loosely: true}
	p = loose.newPage(tokens)
	again, rank := p.decide(p.claims())
	if again.Choice > 0 && (rank >= rankStatement || out.Reason == nothing) {
		return again
	}
	return out
}

func (p *page) claims() []claim {
	var out []claim
	for k := 0; k < len(p.targets); {
		end := k + 1
		conjoined := false
		for end < len(p.targets) {
			joint, conjunction := p.joint(end-1, end)
			if !joint {
				break
			}
			conjoined = conjoined || conjunction
			end++
		}
		// "Compared to 4, 3 is better" has no list.
		if !conjoined && end == k+2 && !p.enclosed(p.targets[k], p.targets[k+1]) {
			end = k + 1
		}
		if c, ok := p.claim(k, end); ok {
			out = append(out, c)
		}
		k = end
	}
	return out
}

// claim describes the targets from one to another. It reports false if they name no option.
func (p *page) claim(first, end int) (claim, bool) {
	g := p.group(first, end)
	left, right := p.sides(g)
	left.pick = left.pick || p.meant[first] && end == first+1
	c := p.described(g, left, right)
	if p.quantifies(g) {
		return c, false
	}
	if p.except(&c, g, right) {
		return c, true
	}
	if !p.holds(g, c, left, right) {
		// It still is a mention of another option.
		c.aside = true
		quantity := !g.label && !g.optioned && p.measures(g.to) && p.inReason(g.from) // "because there are 4 trains"
		return c, !g.weak && !quantity && !slices.Contains(c.options, 0)
	}
	if g.weak && g.head.isLabel && c.rank < rankStatement {
		c.rank = rankLabel
	}
	c.aside = p.echoes(g.from) || p.isAside(g, left, right) || p.unasserted(g) || !left.pick && (p.conceded(g.from, g.to) || !right.good && p.contrasted(g.from))
	c.denied = c.denied || p.succeeds(g.from)
	if g.head.listed && !c.aside {
		c.rank = max(c.rank, rankMention)
	}
	return c, true
}

// except makes a claim of an option that is the exception of all options, and reports whether it is: "all except 3
// fail" and "nothing but 3 works" choose it, "anything but 3" excludes it.
func (p *page) except(c *claim, g group, right side) bool {
	universal, negative := p.excepted(g.from)
	if !universal && !negative {
		return false
	}
	c.denied = negative == right.bad
	c.rank, c.picked = rankStatement, true
	c.aside = p.conditional(g.from, g.to) || p.asked(g.to) || right.hedge || p.attributed(g.from, g.to)
	return true
}

// sides returns the evidence on both sides of a group.
func (p *page) sides(g group) (left, right side) {
	left, right = p.left(g.head.from), p.right(g.tail.to)
	if (left.fixed || left.pick) && p.is(g.to, ":") {
		right = side{} // "no, actually 2: 1 is closed"
	}
	acts := p.acts(g.head)
	spoken := g.head.partial && (speakers[p.text(g.from-1)] || p.proposes(g.from)) // "je fermerais la porte"
	spoken = spoken || g.head.partial && p.repeats(g.from) || p.opines(g)
	left.pick, left.strong = left.pick || acts || spoken, left.strong || acts
	return left, right
}

// described returns the claim of a group with the evidence next to it.
func (p *page) described(g group, left, right side) claim {
	c := g.claim
	c.picked, c.firm, c.first = left.pick, left.strong, left.first
	c.partial = g.head.partial && !left.strong && !(left.pick && g.head.loose == 0)
	open := g.label && p.isOpen(g.claim) && p.kind(g.to) == punct && (g.head.start || p.is(g.from-1, ":")) // "it is not stated: unclear"
	c.denied = !open && (left.not || right.bad && (!left.strong || p.predicated(g.to)) || p.spurned(g))
	c.lacking = c.denied && !left.not && !p.inReason(g.from)
	c.rank = p.rank(g, left, right)
	return c
}

// predicated reports whether the verb or the verdict of a sentence follows a group, which is its subject: "I
// guess 2 is wrong".
func (p *page) predicated(to int) bool {
	return p.kind(to) == word && (copulas[p.text(to)] || neutralVerbs[p.text(to)] || p.begins(to, cueBad))
}

// isAside reports whether a group is mentioned without being chosen.
func (p *page) isAside(g group, left, right side) bool {
	if left.aside || p.cites(g) || p.attributed(g.from, g.to) || p.conditional(g.from, g.to) || p.asked(g.to) || g.head.listed && !p.picked(g.head) {
		return true
	}
	if left.pick {
		return false
	}
	return right.aside || left.hedge || right.hedge || past[p.text(g.to)] || !right.good && !g.alone && !p.exclusive(g) && !p.underlined(g) && (left.doubt || p.describes(g) || !g.head.start && p.embedded(g))
}

func (p *page) rank(g group, left, right side) int {
	named := g.optioned && p.is(g.from-1, ":") && !g.head.listed // "Number: 3"
	switch {
	case left.final, g.alone && p.endsReply(g.tail), p.isPolar(g.claim), g.marked && p.is(g.from-1, ":") && p.endsReply(g.tail):
		return rankFinal
	case left.pick && !p.subjects(g, left), right.good && !right.bad, named, p.exclusive(g), g.alone && g.head.start, p.equated(g):
		return rankStatement
	case g.optioned, g.marked, g.alone, p.sole(g), p.concludes(g), p.opensReply(g):
		return rankMention
	case g.label && !g.weak, g.head.start && p.follows(g.to):
		return rankLabel
	}
	return rankNumber
}

// subjects reports whether several options after a word such as "so" are the subject of a description: "so
// 1 and 2 take longer".
func (p *page) subjects(g group, left side) bool {
	return len(g.options) > 1 && !left.strong && p.kind(g.to) == word
}

// equated reports whether a marked label is the predicate of a sentence: "the word is „Hundert“."
func (p *page) equated(g group) bool {
	before := g.from - 1
	for p.is(before, "the") || p.is(before, ":") {
		before--
	}
	return g.label && g.marked && copulas[p.text(before)] && (p.kind(g.to) == newline || p.kind(g.to) == punct && !p.is(g.to, "("))
}

// isPolar reports whether the reply begins with a label "yes" or "no" and a punctuation mark.
// Numbers after it belong to the reason.
func (p *page) isPolar(c claim) bool {
	return p.targets[p.at[c.from]].start && c.label && c.to == c.from+1 && polar[p.text(c.from)] && p.kind(c.to) == punct && !p.is(c.to, "?") && !p.optionNear(c.to+1)
}

// maxBare bounds the tokens of a text in which a bare number is evidence; in longer ones it may
// count anything.
const maxBare = 60

// sole reports whether a group is a separate sentence, with fillers at most: "Definitely 3."
func (p *page) sole(g group) bool {
	before, after := g.from-1, g.to
	for p.kind(before) == word && fillers[p.text(before)] && len(p.ends[before]) == 0 && p.at[before] < 0 {
		before--
	}
	if p.is(before, ",") && regardless[p.text(before-1)] && p.walled(before-2) {
		before -= 2 // "still, 3"
	}
	for fillers[p.text(after)] || listNouns[p.text(after)] || p.is(after, ")") {
		after++ // "Punkt 1 der Liste"
	}
	return p.endsSentence(before) && (p.endsSentence(after) || g.label && p.is(after, "—"))
}

// regardless are adverbs before a choice that an earlier remark does not change.
var regardless = set("still nonetheless nevertheless anyway regardless trotzdem dennoch gleichwohl neanmoins pourtant malgre")

// opensReply reports whether a group and a punctuation mark begin the reply, without another
// option next to them.
func (p *page) opensReply(g group) bool {
	next := g.to + 1
	return g.head.start && p.kind(g.to) == punct && (p.is(g.to, "(") || next >= len(p.tokens) || p.at[next] < 0)
}

// concludes reports whether a group ends the reply after a dash, a colon or an arrow.
func (p *page) concludes(g group) bool {
	before := g.from - 2
	compared := before >= 0 && p.at[before] >= 0 && p.targets[p.at[before]].option != g.options[0] // "2 > 3", "1 - 4"
	switch p.text(g.from - 1) {
	case ":":
		return !compared && (p.endsReply(g.tail) || p.kind(g.to) == newline)
	case ">":
		return !compared && (p.endsReply(g.tail) || p.is(g.from-2, "=") && p.endsLine(g.to)) // "=> 3"
	case "—", "-", "=":
		return !compared && p.endsReply(g.tail)
	case "→", "⇒":
		return !(compared && p.targets[p.at[before]].start) && p.endsReply(g.tail)
	}
	return false
}

// holds reports whether a group names options at all: words that may have another sense and
// numbers that may count something need more evidence.
func (p *page) holds(g group, c claim, left, right side) bool {
	if g.head.loose > 0 {
		return p.designates(g, left, right) && !c.denied
	}
	if g.weak {
		answers := g.head.isLabel && (p.sole(g) || polar[p.text(g.from)] && p.is(g.from-1, ",") && p.kind(g.to) != word || g.head.start && p.kind(g.to) == punct || copulas[p.text(g.from-1)] && p.kind(g.to) != word)
		if !c.denied && c.rank < rankStatement && !answers || g.head.isLabel && !p.bounded(g.to) {
			return false
		}
	}
	return c.rank > rankNumber || c.denied || p.follows(g.to) && p.precedes(g.from-1) && len(p.tokens) <= maxBare && !p.numbersNoun(g)
}

// numbersNoun reports whether a number in parentheses within a sentence belongs to the noun before it:
// "a payment (1) to this account".
func (p *page) numbersNoun(g group) bool {
	return !g.label && p.is(g.from-1, "(") && p.is(g.to, ")") && p.kind(g.to+1) == word && !isIdeograph([]rune(p.text(g.to + 1))[0])
}

// designates reports whether some of a label's words name the option: a verb of choice precedes
// them and their phrase ends after them, nothing else is on their line, or the text calls them the best.
func (p *page) designates(g group, left, right side) bool {
	next := g.to
	if conjunctions[p.text(next)] || !bounds(p.tokens, next) {
		return false
	}
	ends := p.kind(next) != word || breaks[p.text(next)] || reasons[p.text(next)]
	return (left.strong || speakers[p.text(g.from-1)]) && ends || g.alone || p.sole(g) || g.head.start && p.kind(next) == punct && !p.is(next, "(") || right.good && !right.bad && g.head.loose >= minContent
}

// bounded reports whether a word that may be a label ends its part of the sentence, so that it
// is no adjective or article of another word.
func (p *page) bounded(end int) bool {
	if end > 0 && p.at[end-1] >= 0 && p.targets[p.at[end-1]].isLabel && numerals[p.text(end-1)] > 0 {
		return true // "it is six seats"
	}
	if end > 1 && isIdeograph([]rune(p.text(end - 1))[0]) && p.at[end-1] >= 0 && p.at[end-1] == p.at[end-2] {
		return true
	}
	return p.kind(end) != word || optionNouns[p.text(end)] || functionWords[p.text(end)] || breaks[p.text(end)] || prepositions[p.text(end)] || orders[p.text(end)]
}

// follows reports whether the token after a number can follow the number of an option.
func (p *page) follows(i int) bool {
	if p.kind(i) != word {
		return p.kind(i) != number && p.kind(i) != other
	}
	return functionWords[p.text(i)] || breaks[p.text(i)] || conjunctions[p.text(i)] || isIdeograph([]rune(p.text(i))[0]) || p.at[i] >= 0 || len(p.spans[i]) > 0
}

// precedes reports whether the token before a number can precede the number of an option. A noun
// that the number counts or names cannot, as in "image 1".
func (p *page) precedes(i int) bool {
	return p.kind(i) != word || p.filler(i) || functionWords[p.text(i)] || breaks[p.text(i)] || conjunctions[p.text(i)] || isIdeograph([]rune(p.text(i))[0]) || len(p.ends[i]) > 0
}

// endsLine reports whether only punctuation follows on the line of a token.
func (p *page) endsLine(i int) bool {
	for p.kind(i) == punct {
		i++
	}
	return p.kind(i) == newline
}

// endsReply reports whether nothing follows a target.
func (p *page) endsReply(t target) bool {
	for i := t.to; i < len(p.tokens); i++ {
		if p.kind(i) != newline && p.kind(i) != punct {
			return false
		}
	}
	return true
}

// isSo reports whether a token is the German "also", which means "so".
func (p *page) isSo(i int) bool { return p.german && p.is(i, "also") }

// announces reports whether an answer follows a token: "final: 3".
//
//go:noinline
func (p *page) announces(i int) bool { return p.is(i+1, ":") || p.is(i+1, "is") }

//go:noinline
func (p *page) inPhrase(i int, sense cue) bool {
	return has(p.spans[i], sense) || has(p.ends[i], sense)
}

// abbreviates reports whether "no" is "number".
func (p *page) abbreviates(i int) bool {
	return p.is(i, "no") && (p.is(i+1, ".") || p.is(i+1, ",") || p.is(i+1, ":"))
}

//go:noinline
func (p *page) filler(i int) bool {
	text := p.text(i)
	return fillers[text] || optionNouns[text] || ideographNouns[text]
}

// opens reports whether a line break follows a colon or a heading such as "Answer", as before an
// answer on its own line.
func (p *page) opens(i int) bool {
	for i > 0 && p.kind(i) == newline {
		i--
	}
	return p.is(i, ":") || p.heads(i)
}

// maxHead bounds the words of a heading.
const maxHead = 3

// heads reports whether a token ends a line that is a heading of an answer.
func (p *page) heads(end int) bool {
	var words []string
	i := end
	for ; p.kind(i) == word && len(words) <= maxHead; i-- {
		words = append(words, p.text(i))
	}
	slices.Reverse(words)
	for p.kind(i) == punct && p.onlyBullets(i) {
		i--
	}
	return p.kind(i) == newline && (answerHeads[strings.Join(words, " ")] || answerHeads[strings.Join(words, "")])
}

// endsSentence reports whether a line or a sentence ends at a token.
//
//go:noinline
func (p *page) endsSentence(i int) bool {
	return p.kind(i) == newline || p.kind(i) == punct && p.stops(i)
}

// stops reports whether a mark ends a sentence.
//
//go:noinline
func (p *page) stops(i int) bool {
	switch p.text(i) {
	case "!", "?", "。", ";":
		return true
	case ".":
		// "No. 3", "Nr. 3", "opt. 3", and "3." at the start of a line.
		return !(optionNouns[p.text(i-1)] && p.kind(i+1) == number) && !(p.kind(i-1) == number && p.listNumber(i-1))
	}
	return false
}

//go:noinline
func (p *page) listNumber(i int) bool {
	return i == 0 || p.kind(i-1) == newline
}

func twoChoices(a, b int) string {
	if min(a, b) < 1 { // one is out of range, or not a single option
		return "the reply names more than one choice"
	}
	return fmt.Sprintf("the reply names more than one choice: %d and %d", min(a, b), max(a, b))
}
