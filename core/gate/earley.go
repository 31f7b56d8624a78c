package gate

// earley is the recogniser of a grammar (Earley 1970; nullable nonterminals as in Aycock and
// Horspool 2002). Every production occurs in the derivation of a word, so a prefix with items
// is the prefix of a word.
type earley struct {
	letters  int
	rules    []Production
	byLeft   map[int][]int
	nullable map[int]bool
}

func newEarley(s *Spec) *earley {
	e := &earley{letters: len(s.Letters), rules: s.Productions, byLeft: map[int][]int{}, nullable: map[int]bool{}}
	for i, p := range e.rules {
		e.byLeft[p.Left] = append(e.byLeft[p.Left], i)
	}
	for grown := true; grown; {
		grown = false
		for _, p := range e.rules {
			all := !e.nullable[p.Left]
			for _, symbol := range p.Right {
				all = all && e.nullable[symbol]
			}
			if all {
				e.nullable[p.Left], grown = true, true
			}
		}
	}
	return e
}

type item struct{ rule, dot, origin int }

// itemSet has the items after a letter. It is not changed once it is closed.
type itemSet struct {
	items    []item
	waiting  map[int][]item // by the symbol after the dot
	complete bool
}

// start returns the set before the first letter.
func (e *earley) start() []*itemSet {
	var items []item
	for _, i := range e.byLeft[e.rules[0].Left] {
		items = append(items, item{i, 0, 0})
	}
	return []*itemSet{e.close(nil, items)}
}

// step returns the sets after a letter, or false if no word has this prefix.
func (e *earley) step(sets []*itemSet, letter int) ([]*itemSet, bool) {
	var items []item
	for _, it := range sets[len(sets)-1].waiting[letter] {
		items = append(items, item{it.rule, it.dot + 1, it.origin})
	}
	if len(items) == 0 {
		return sets, false
	}
	return append(sets[:len(sets):len(sets)], e.close(sets, items)), true
}

// close adds the items that others predict and complete.
func (e *earley) close(before []*itemSet, items []item) *itemSet {
	at := len(before)
	s := &itemSet{waiting: map[int][]item{}}
	seen := map[item]bool{}
	add := func(it item) {
		if !seen[it] {
			seen[it] = true
			s.items = append(s.items, it)
		}
	}
	for _, it := range items {
		add(it)
	}
	for i := 0; i < len(s.items); i++ {
		it := s.items[i]
		p := e.rules[it.rule]
		if it.dot == len(p.Right) {
			s.complete = s.complete || p.Left == e.rules[0].Left && it.origin == 0
			if it.origin == at {
				continue // its waiting items skipped the nullable symbol
			}
			for _, w := range before[it.origin].waiting[p.Left] {
				add(item{w.rule, w.dot + 1, w.origin})
			}
			continue
		}
		symbol := p.Right[it.dot]
		s.waiting[symbol] = append(s.waiting[symbol], it)
		if symbol < e.letters {
			continue
		}
		for _, rule := range e.byLeft[symbol] {
			add(item{rule, 0, at})
		}
		if e.nullable[symbol] {
			add(item{it.rule, it.dot + 1, it.origin})
		}
	}
	return s
}
