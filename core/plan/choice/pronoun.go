package choice

import "slices"

// maxRecall bounds the tokens between an option and the pronoun that names it.
const maxRecall = 40

// findPronouns finds the options that a pronoun names as the choice: "Rome is the cheapest, so I
// recommend it." The pronoun names the option of its sentence, or else of the sentence before it,
// if there is only one.
func (p *page) findPronouns() {
	p.meant = map[int]bool{}
	for i := range p.tokens {
		if !has(p.spans[i], cueThat) || p.negated(i) || p.conditional(i, i+1) || p.asked(i) {
			continue
		}
		var named []int
		crossed := false
		for at := i - 1; at >= 0 && i-at <= maxRecall; at-- {
			if p.endsSentence(at) {
				if len(named) > 0 || crossed {
					break
				}
				crossed = at < i-1
			}
			if k := p.at[at]; k >= 0 && !slices.Contains(named, k) {
				named = append(named, k)
			}
		}
		same := len(named) > 0
		for _, k := range named {
			same = same && p.targets[k].option == p.targets[named[0]].option
		}
		if same {
			p.meant[named[0]] = true
		}
	}
}

// maxNegation bounds the tokens between a negation and the verb that it negates.
const maxNegation = 3

// negated reports whether a negation precedes the phrase at a token, or is in it.
func (p *page) negated(i int) bool {
	end := i
	for _, s := range p.spans[i] {
		if s.sense == cueThat {
			end = s.to
		}
	}
	for at := max(i-maxNegation, 0); at < end; at++ {
		if has(p.spans[at], cueNot) || has(p.spans[at], cueBad) || has(p.spans[at], cueHedge) || has(p.spans[at], cueAside) {
			return true
		}
	}
	return false
}
