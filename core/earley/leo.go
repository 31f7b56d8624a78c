package earley

import (
	"github.com/stile-playground/stile/core/grammar"
)

// leoItem is the topmost item of a chain of completions that each have one continuation (Leo
// 1991). Without it, a right-recursive grammar completes the entire chain at every terminal, in
// quadratic time.
type leoItem struct {
	left grammar.Symbol // the completed symbol
	top  item
	ok   bool
}

// leo returns the item to add when left, begun in set origin, is complete: the last of the chain of
// completions, if exactly one item of the set waits for left and no symbol follows left in that
// item.
func (r *Run) leo(origin int32, left grammar.Symbol) (item, bool) {
	// Walk up to a cached item or to the end of the chain, then cache the result for every link,
	// because a chain may be as long as the word. It has no cycle: the item that enters a cycle of
	// unit rules waits there as well, so two items wait.
	type place struct {
		origin int32
		left   grammar.Symbol
	}
	var path []place
	var top leoItem
	for {
		set := r.sets[origin]
		if known := set.answered(left); known != nil {
			if known.ok {
				top = *known
			}
			if !known.ok && len(path) == 0 {
				return item{}, false
			}
			break
		}
		only, ok := r.onlyWaiting(set, origin, left)
		if !ok {
			set.leo = append(set.leo, leoItem{left: left})
			break
		}
		path = append(path, place{origin, left})
		top = leoItem{top: only, ok: true}
		if only.rule == acceptedRule {
			break
		}
		origin, left = only.origin, r.p.left[only.rule]
	}
	for _, p := range path {
		set := r.sets[p.origin]
		set.leo = append(set.leo, leoItem{left: p.left, top: top.top, ok: top.ok})
	}
	return top.top, top.ok
}

// answered returns the cached item of left, or nil.
func (s *itemSet) answered(left grammar.Symbol) *leoItem {
	for i := range s.leo {
		if s.leo[i].left == left {
			return &s.leo[i]
		}
	}
	return nil
}

// onlyWaiting returns the item that results from completing left in the set, if
// it is the only one and complete itself.
func (r *Run) onlyWaiting(set *itemSet, origin int32, left grammar.Symbol) (item, bool) {
	var only item
	count := 0
	for _, w := range set.wants {
		if w.symbol == left {
			only = item{rule: w.item.rule + 1, origin: w.item.origin}
			count++
		}
	}
	for _, st := range r.p.starters[left] {
		if set.predicted.Has(int(st.left) - r.p.g.NumTerminals) {
			only = item{rule: st.after, origin: origin}
			count++
		}
		if count > 1 {
			return item{}, false
		}
	}
	return only, count == 1 && r.p.next[only.rule] == complete
}
