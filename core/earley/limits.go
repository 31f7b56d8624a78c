package earley

import (
	"github.com/stile-playground/stile/core/bitset"
	"github.com/stile-playground/stile/core/grammar"
)

// NextWithin combines [Run.Next], [Run.Complete] and [Run.Viable] under use limits: whether the
// terminals read are a prefix of a word (viable), whether they are a word (complete), and the
// valid next terminals (in increasing order), if each further terminal is used at most remaining
// times ([grammar.Unlimited] or a count).
//
// It is exact. The minimal needs after an item are those of the rest of its right side plus those
// of the symbols that follow its left side in the set of its origin. The latter are computed once
// per set, as a least fixpoint, and cached with the set.
func (r *Run) NextWithin(n *grammar.Needs, remaining []int64) (viable, complete_ bool, next []grammar.Symbol, err error) {
	if r.needs != n {
		r.needs = n
		for i := range r.sets {
			r.sets[i].needs = nil
		}
	}
	here := len(r.sets) - 1
	for i := range r.sets {
		if err := r.computeNeeds(i); err != nil {
			return false, false, nil, err
		}
	}
	set := r.sets[here]
	budget := n.Budget(remaining)
	found := bitset.New(r.p.g.NumTerminals)
	offer := func(t grammar.Symbol, rest []grammar.Symbol, following grammar.Antichain) error {
		if found.Has(int(t)) || remaining[t] == 0 || len(following) == 0 {
			return nil
		}
		need, err := r.sum(rest, following)
		if err == nil && n.FitsAfter(t, need, budget) {
			found.Add(int(t))
		}
		return err
	}
	for _, it := range set.kernel {
		t := r.p.next[it.rule]
		if t == complete || !r.p.g.IsTerminal(t) {
			continue
		}
		if err := offer(t, r.rest(it.rule+1), r.following(it)); err != nil {
			return false, false, nil, err
		}
	}
	for t := range r.p.g.NumTerminals {
		for _, st := range r.p.starters[t] {
			if left := int(st.left) - r.p.g.NumTerminals; set.predicted.Has(left) {
				if err := offer(grammar.Symbol(t), r.rest(st.after), set.needs[left]); err != nil {
					return false, false, nil, err
				}
			}
		}
	}
	found.Each(func(t int) { next = append(next, grammar.Symbol(t)) })
	complete_ = r.Complete()
	return complete_ || len(next) > 0, complete_, next, nil
}

// rest returns the symbols after the dot of a rule.
func (r *Run) rest(rule int32) []grammar.Symbol {
	production := r.p.prod[rule]
	return r.p.g.Productions[production].Right[rule-r.p.first[production]:]
}

// following returns the needs of the symbols that follow an item once it is complete.
func (r *Run) following(it item) grammar.Antichain {
	if r.p.prod[it.rule] < 0 {
		return r.needs.Nothing()
	}
	return r.sets[it.origin].needs[int(r.p.left[it.rule])-r.p.g.NumTerminals]
}

func (r *Run) sum(symbols []grammar.Symbol, following grammar.Antichain) (grammar.Antichain, error) {
	if len(following) == 0 {
		return nil, nil
	}
	need, err := r.needs.Sum(symbols, r.m)
	if err != nil || len(need) == 0 {
		return nil, err
	}
	return r.needs.Add(need, following, r.m)
}

// computeNeeds computes, for every nonterminal predicted in a set, the needs of the symbols that
// follow it. The needs of earlier sets must be computed already.
func (r *Run) computeNeeds(i int) error {
	set := r.sets[i]
	if set.needs != nil {
		return nil
	}
	terminals := r.p.g.NumTerminals
	set.needs = make([]grammar.Antichain, r.p.g.NumSymbols()-terminals)
	var queue []int
	queued := make([]bool, len(set.needs))
	add := func(symbol grammar.Symbol, need grammar.Antichain) error {
		s := int(symbol) - terminals
		merged, changed, err := r.needs.Merge(set.needs[s], need, r.m)
		if err != nil {
			set.needs = nil
			return err
		}
		set.needs[s] = merged
		if changed && !queued[s] {
			queue, queued[s] = append(queue, s), true
		}
		return nil
	}
	for _, w := range set.wants {
		var rest []grammar.Symbol
		if r.p.prod[w.item.rule] >= 0 {
			rest = r.rest(w.item.rule + 1)
		}
		need, err := r.sum(rest, r.following(w.item))
		if err == nil {
			err = add(w.symbol, need)
		}
		if err != nil {
			set.needs = nil
			return err
		}
	}
	// The needs after a nonterminal in a predicted rule include the needs after the rule's left
	// side, so a change of the latter is propagated.
	for len(queue) > 0 {
		left := queue[0]
		queue, queued[left] = queue[1:], false
		for _, production := range r.p.g.ByLeft(grammar.Symbol(left + terminals)) {
			if r.p.first[production] < 0 {
				continue
			}
			right := r.p.g.Productions[production].Right
			for k, s := range right {
				if !r.p.g.IsTerminal(s) {
					need, err := r.sum(right[k+1:], set.needs[left])
					if err == nil {
						err = add(s, need)
					}
					if err != nil {
						set.needs = nil
						return err
					}
				}
				if !r.p.nullable[s] {
					break
				}
			}
		}
	}
	return nil
}
