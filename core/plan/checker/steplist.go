package checker

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// result is a result that no step has taken yet.
type result struct {
	left   grammar.Symbol
	effect int32
	step   int    // index of its step if a later step refers to it; else -1
	mask   uint64 // of a subset: the items chosen so far
	made   *made
}

// made is the derivation of a result.
type made struct {
	rule   *stepRule
	at     int // index of the step; for a subset, of the step with its last item
	parts  []part
	subset *grammar.Subset
	mask   uint64
}

// part is an argument: the result of a step, or letters.
type part struct {
	made *made
	word []grammar.Symbol
}

// word appends the letters of the derivation to a word.
func (n *made) word(t *stepGrammar, out []grammar.Symbol) []grammar.Symbol {
	if n.subset != nil {
		for i, item := range n.subset.Items {
			if n.mask>>i&1 == 1 {
				out = append(out, item)
			}
		}
		return out
	}
	next := 0
	for _, s := range n.rule.right {
		if t.g.IsTerminal(s) {
			out = append(out, t.letter[s])
			continue
		}
		if p := n.parts[next]; p.made != nil {
			out = p.made.word(t, out)
		} else {
			out = append(out, p.word...)
		}
		next++
	}
	return out
}

// walk calls visit for each step, a step before its arguments.
func (n *made) walk(visit func(*made)) {
	visit(n)
	for _, p := range n.parts {
		if p.made != nil {
			p.made.walk(visit)
		}
	}
}

// want has the arguments that a step names.
type want struct {
	steps  []int            // results of steps, in the order they are named
	inputs []grammar.Symbol // letters
	kinds  []grammar.Symbol // nonterminals whose label is named, as a preference
	with   int              // 1 + the index of the step before, if both choose items in the same line; or 0
}

// stepList is a list of steps to be read.
type stepList struct {
	*order
	listed []grammar.Symbol
	wants  []want
	later  [][]int // by step: the steps that refer to its result
	spare  []int   // by step: by how many this step and the later ones can reduce the number of results
	dead   map[string]bool
	key    []byte
}

func (o *order) list(listed []grammar.Symbol, wants []want) *stepList {
	l := &stepList{order: o, listed: listed, wants: wants, later: make([][]int, len(listed)), spare: make([]int, len(listed)+1), dead: map[string]bool{}}
	if wants == nil {
		l.wants = make([]want, len(listed))
	}
	for k, w := range l.wants {
		for _, s := range w.steps {
			if s >= 0 && s < k && !slices.Contains(l.later[s], k) {
				l.later[s] = append(l.later[s], k)
			}
		}
		if w.with > 0 && !slices.Contains(l.later[w.with-1], k) {
			l.later[w.with-1] = append(l.later[w.with-1], k)
		}
	}
	for k := len(listed) - 1; k >= 0; k-- {
		most := 0
		for _, rule := range o.steps[listed[k]] {
			most = max(most, rule.takes)
		}
		if len(o.items[listed[k]]) > 0 {
			most = max(most, 1)
		}
		l.spare[k] = l.spare[k+1] + most - 1
	}
	return l
}

// state returns a key for a position and a set of results, regardless of the order of the results.
func (l *stepList) state(at int, results []result) string {
	sorted := slices.Clone(results)
	slices.SortFunc(sorted, result.compare)
	l.key = binary.AppendUvarint(l.key[:0], uint64(at))
	for _, r := range sorted {
		l.key = binary.AppendUvarint(l.key, uint64(r.left))
		l.key = binary.AppendUvarint(l.key, uint64(r.effect))
		l.key = binary.AppendVarint(l.key, int64(r.step))
		l.key = binary.AppendUvarint(l.key, r.mask)
	}
	return string(l.key)
}

func (r result) compare(o result) int {
	return cmp.Or(cmp.Compare(r.left, o.left), cmp.Compare(r.effect, o.effect), cmp.Compare(r.step, o.step), cmp.Compare(r.mask, o.mask))
}

// search calls found for each reading of the list until found returns false. any reports whether
// there is a reading.
func (l *stepList) search(found func(*made) (more bool)) (any bool, err error) {
	if !l.spend(l.listed) {
		return false, nil
	}
	stopped := false
	var visit func(k int, results []result) (bool, error)
	visit = func(k int, results []result) (bool, error) {
		if k == len(l.listed) {
			if len(results) != 1 || !l.accepts(results[0]) {
				return false, nil
			}
			stopped = !found(results[0].made)
			return true, nil
		}
		if len(results)-l.spare[k] > 1 {
			return false, nil
		}
		key := l.state(k, results)
		if l.dead[key] {
			return false, nil
		}
		good := false
		err := l.next(results, k, l.listed[k], func(after []result) (bool, error) {
			ok, err := visit(k+1, after)
			good = good || ok
			return !stopped, err
		})
		if err == nil && !good {
			err = l.meter.Spend(meter.States, int64(2+len(results)))
			l.dead[key] = true
		}
		return good, err
	}
	return visit(0, nil)
}

// next calls yield for each state after a step until yield returns false. It tries the most recent
// results first, so that a step prefers to continue the preceding one.
func (l *stepList) next(results []result, k int, visible grammar.Symbol, yield func([]result) (bool, error)) error {
	for _, rule := range l.steps[visible] {
		a := assignment{stepList: l, rule: rule, k: k, yield: yield, parts: make([]part, rule.takes), taken: make([]bool, len(results)), results: results}
		if more, err := a.choose(len(rule.right)-1, rule.takes-1, l.nothing()); err != nil || !more {
			return err
		}
	}
	for _, item := range l.items[visible] {
		if more, err := l.choose(results, k, item, yield); err != nil || !more {
			return err
		}
	}
	return nil
}

// assignment chooses the arguments of a step.
type assignment struct {
	*stepList
	rule    *stepRule
	k       int
	results []result
	taken   []bool
	parts   []part
	yield   func([]result) (bool, error)
}

// choose chooses the arguments from the last to the first. tail is the effect of the
// letters after them.
func (a *assignment) choose(at, next int, tail int32) (more bool, err error) {
	if err := a.meter.Step(1 + len(a.results)); err != nil {
		return false, err
	}
	if at < 0 {
		return a.done(tail)
	}
	s := a.rule.right[at]
	if a.t.g.IsTerminal(s) {
		if tail = a.join(a.letter(s), tail); tail == noEffect {
			return true, nil
		}
		return a.choose(at-1, next, tail)
	}
	for i := len(a.results) - 1; i >= 0; i-- {
		r := a.results[i]
		if a.taken[i] || !a.covers[[2]grammar.Symbol{s, r.left}] || r.step >= 0 && !slices.Contains(a.later[r.step], a.k) {
			continue
		}
		e := a.join(r.effect, tail)
		if e == noEffect {
			continue
		}
		a.taken[i], a.parts[next] = true, part{made: r.made}
		more, err := a.choose(at-1, next-1, e)
		a.taken[i] = false
		if err != nil || !more {
			return false, err
		}
	}
	for _, f := range a.silent[s] {
		e := a.join(f.effect, tail)
		if e == noEffect {
			continue
		}
		a.parts[next] = part{word: f.word}
		if more, err := a.choose(at-1, next-1, e); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// done yields the state after the step if its arguments are those that the text names.
func (a *assignment) done(e int32) (more bool, err error) {
	if !a.matchesText() {
		return true, nil
	}
	if err := a.meter.Step(8 + 4*len(a.results)); err != nil { // for sorting the state's key
		return false, err
	}
	after := make([]result, 0, len(a.results)+1)
	for i, r := range a.results {
		// Keep a taken result if a later step refers to it.
		if !a.taken[i] || r.step >= 0 && a.later[r.step][len(a.later[r.step])-1] > a.k {
			after = append(after, r)
		}
	}
	step := -1
	if a.k < len(a.later) && len(a.later[a.k]) > 0 {
		step = a.k
	}
	return a.yield(append(after, result{left: a.rule.left, effect: e, step: step, made: &made{rule: a.rule, at: a.k, parts: slices.Clone(a.parts)}}))
}

// matchesText reports whether a step takes all arguments that the text names.
func (a *assignment) matchesText() bool {
	if a.k >= len(a.wants) {
		return true
	}
	w := a.wants[a.k]
	if len(w.steps)+len(w.inputs) == 0 {
		return true
	}
	for _, s := range w.steps {
		if !slices.ContainsFunc(a.parts, func(p part) bool { return p.made != nil && p.made.at == s }) {
			return false
		}
	}
	given := a.rule.inputs(a.t, a.parts)
	for _, s := range w.inputs {
		i := slices.Index(given, s)
		if i < 0 {
			return false
		}
		given = slices.Delete(given, i, i+1)
	}
	return true
}

// inputs returns the letters among a step's arguments.
func (rule *stepRule) inputs(t *stepGrammar, parts []part) []grammar.Symbol {
	var out []grammar.Symbol
	for i, s := range rule.right {
		if i > 0 && t.g.IsTerminal(s) {
			out = append(out, t.letter[s])
		}
	}
	for _, p := range parts {
		if len(p.word) == 1 {
			out = append(out, p.word[0])
		}
	}
	return out
}

// choose yields the states after an item of a subset. The item extends a choice or begins
// one.
func (l *stepList) choose(results []result, k int, item subsetItem, yield func([]result) (bool, error)) (more bool, err error) {
	bit := uint64(1) << item.item
	with := -1
	if k < len(l.wants) {
		with = l.wants[k].with - 1
	}
	for i := len(results); i >= 0; i-- {
		if err := l.meter.Step(1); err != nil {
			return false, err
		}
		var after []result
		mask := bit
		if i < len(results) {
			r := results[i]
			if r.left != item.left || r.mask&bit != 0 || r.step != with {
				continue
			}
			mask |= r.mask
			after = append(slices.Clone(results[:i]), results[i+1:]...)
		} else if with >= 0 {
			continue
		} else {
			after = slices.Clone(results)
		}
		e := l.nothing()
		for n, s := range item.subset.Items {
			if mask>>n&1 == 1 {
				e = l.join(e, l.letter(s))
			}
		}
		if e == noEffect {
			continue
		}
		step := -1
		if k < len(l.later) && len(l.later[k]) > 0 {
			step = k
		}
		n := &made{at: k, subset: item.subset, mask: mask}
		if more, err := yield(append(after, result{left: item.left, effect: e, step: step, mask: mask, made: n})); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}
