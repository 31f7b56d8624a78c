package earley

import "github.com/stile-playground/stile/core/grammar"

// Completion returns a shortest list of terminals that completes the prefix to a word; ok is false
// if the language is empty or the list would be longer than [grammar.MaxMinLength]. The first call
// takes time linear in the chart, later calls in the terminals read since.
func (r *Run) Completion() (rest []grammar.Symbol, ok bool) {
	if r.p.shortest == nil {
		return nil, false
	}
	for i := range r.sets {
		r.computeCompletions(i)
	}
	best := completion{length: -1}
	for _, it := range r.sets[len(r.sets)-1].kernel {
		if w := r.completionFrom(it); w.length >= 0 && (best.length < 0 || w.length < best.length) {
			best = w
		}
	}
	if best.length < 0 || best.length > grammar.MaxMinLength {
		return nil, false
	}
	rest = make([]grammar.Symbol, 0, best.length)
	for w := best; ; {
		for rule := w.rule; r.p.next[rule] != complete; rule++ {
			rest = spell(r.p.g, r.p.shortest, rest, r.p.next[rule])
		}
		if r.p.prod[w.rule] < 0 {
			return rest, true
		}
		w = r.sets[w.origin].completions[int(r.p.left[w.rule])-r.p.g.NumTerminals]
	}
}

// completion is a shortest completion: the symbols after the dot of a rule, then the symbols that follow
// its left side in the set of its origin.
type completion struct {
	length int // or -1 for none
	rule   int32
	origin int32
}

// completionFrom returns the shortest completion of an item.
func (r *Run) completionFrom(it item) completion {
	length := r.p.least[it.rule]
	if length < 0 {
		return completion{length: -1}
	}
	if r.p.prod[it.rule] >= 0 {
		following := r.sets[it.origin].completions[int(r.p.left[it.rule])-r.p.g.NumTerminals].length
		if following < 0 {
			return completion{length: -1}
		}
		length += following
	}
	return completion{length: length, rule: it.rule, origin: it.origin}
}

// computeCompletions computes, for every nonterminal predicted in a set, the shortest completion
// after it. The completions of earlier sets must be computed already. A completion is replaced only
// by a shorter one, so the chain of completions has no cycle.
func (r *Run) computeCompletions(i int) {
	set := r.sets[i]
	if set.completions != nil {
		return
	}
	terminals := r.p.g.NumTerminals
	set.completions = make([]completion, r.p.g.NumSymbols()-terminals)
	for s := range set.completions {
		set.completions[s].length = -1
	}
	var queue []int
	queued := make([]bool, len(set.completions))
	offer := func(symbol grammar.Symbol, w completion) {
		s := int(symbol) - terminals
		if w.length < 0 || set.completions[s].length >= 0 && set.completions[s].length <= w.length {
			return
		}
		set.completions[s] = w
		if !queued[s] {
			queue, queued[s] = append(queue, s), true
		}
	}
	for _, w := range set.wants {
		offer(w.symbol, r.completionFrom(item{rule: w.item.rule + 1, origin: w.item.origin}))
	}
	for len(queue) > 0 {
		left := queue[0]
		queue, queued[left] = queue[1:], false
		for _, production := range r.p.g.ByLeft(grammar.Symbol(left + terminals)) {
			if r.p.first[production] < 0 {
				continue
			}
			for k, s := range r.p.g.Productions[production].Right {
				if !r.p.g.IsTerminal(s) {
					offer(s, r.completionFrom(item{rule: r.p.first[production] + int32(k) + 1, origin: int32(i)}))
				}
				if !r.p.nullable[s] {
					break
				}
			}
		}
	}
}

// lengths computes, by dotted rule, the least number of letters that the symbols after its dot
// derive, and the productions that begin shortest words.
func (p *Parser) lengths() {
	length := p.g.MinLength()
	if length[p.g.Start] < 0 {
		return
	}
	p.shortest = shortestProductions(p.g, length)
	p.least = make([]int, len(p.next))
	for rule := len(p.next) - 1; rule >= 0; rule-- {
		s := p.next[rule]
		switch {
		case s == complete:
		case length[s] < 0 || p.least[rule+1] < 0:
			p.least[rule] = -1
		default:
			p.least[rule] = length[s] + p.least[rule+1]
		}
	}
}
