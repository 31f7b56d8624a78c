package choice

import "slices"

// comparers begin a preference whose second part follows a conjunction: "plutôt 3 que 2".
var comparers = set("plutot mieux lieber eher besser mejor preferiblemente meglio piuttosto melhor antes")

// comparisons precede the option that a preference rejects.
var comparisons = set("que als denn che di do")

// findComparisons records that a preference picks the option before its conjunction, and excludes
// the one after it. A comparer then is no correction of an earlier choice.
func (p *page) findComparisons() {
	for i := range p.tokens {
		if p.kind(i) != word || !comparers[p.text(i)] {
			continue
		}
		at, met := i+1, false // met: an option
		for at < len(p.tokens) && at-i <= maxLeft && p.kind(at) != newline && (p.kind(at) != punct || p.is(at, "(") || p.is(at, ")")) {
			if met && comparisons[p.text(at)] && p.targetNear(at+1) {
				p.drop(i, cueFix)
				p.add(span{cuePick, i, i + 1})
				p.add(span{cueNot, at, at + 1})
				break
			}
			met = met || p.at[at] >= 0
			at++
		}
	}
}

// opposites precede the German "noch" that excludes an option: "weder 1 noch 2".
var opposites = set("weder nicht kein keine keiner keines")

// isStill reports whether a token is a "noch" before a number of things, "es fehlen noch 2": the
// token before it is a word but no conjunction, and no negation precedes it in its sentence.
func (p *page) isStill(at int) bool {
	if !p.is(at, "noch") || p.is(at-1, "nur") || p.kind(at-1) != word || conjunctions[p.text(at-1)] {
		return false
	}
	for i := at - 1; i >= 0 && at-i < maxSentence; i-- {
		if opposites[p.text(i)] {
			return false
		}
		if p.kind(i) == punct && p.stops(i) {
			return true
		}
	}
	return true
}

// add records a phrase.
//
//go:noinline
func (p *page) add(s span) {
	p.spans[s.from] = append(p.spans[s.from], s)
	p.ends[s.to-1] = append(p.ends[s.to-1], s)
	for i := s.from; i < s.to; i++ {
		p.covered[i] = true
	}
}

// drop removes the phrase that consists of the word at a token and has the given sense.
func (p *page) drop(i int, sense cue) {
	same := func(s span) bool { return s == span{sense, i, i + 1} }
	p.spans[i] = slices.DeleteFunc(p.spans[i], same)
	p.ends[i] = slices.DeleteFunc(p.ends[i], same)
}
