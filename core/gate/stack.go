package gate

import (
	"cmp"
	"slices"
	"strconv"
)

// stacks reads the words of a grammar with a stack that has all parses (a graph-structured stack, Tomita 1985; nullable
// nonterminals as in Aycock and Horspool 2002). Calls at the end of a production leave nothing on the stack, and parts of
// it that permit the same continuations are one, so that its size depends on the nesting of a run and not on its length.
// Every production occurs in the derivation of a word, so a run with a stack is the prefix of a word.
type stacks struct {
	letters  int
	byLeft   map[int][]int // the right sides of a nonterminal, as rests
	nullable map[int]bool
	rests    [][]int // the ends of right sides, each once
	after    []int   // by rest: the rest without its first symbol
	first    *stack  // before the first letter
}

// stack has the continuations of a run. It is not changed once it is complete.
type stack struct {
	opens []open
	ends  bool   // the word may end here
	size  int    // opens of all parts, at the top only
	shape string // the rests and ends, of other parts than the top
}

// open is a production that has begun: its rest, and the stack after it.
type open struct {
	rest int
	up   *stack
}

func newStacks(s *Spec) *stacks {
	g := &stacks{letters: len(s.Letters), byLeft: map[int][]int{}, nullable: map[int]bool{}}
	written := closed(s, func(p Production, known map[int]bool) bool {
		return slices.ContainsFunc(p.Right, func(symbol int) bool { return symbol < g.letters || known[symbol] })
	})
	g.nullable = closed(s, func(p Production, known map[int]bool) bool {
		return !slices.ContainsFunc(p.Right, func(symbol int) bool { return !known[symbol] })
	})
	ids := map[string]int{}
	for _, p := range s.Productions {
		right := slices.DeleteFunc(slices.Clone(p.Right), func(symbol int) bool { return symbol >= g.letters && !written[symbol] })
		before := -1
		for dot := range len(right) + 1 {
			key := join(right[dot:], strconv.Itoa)
			id, known := ids[key]
			if !known {
				id = len(g.rests)
				ids[key] = id
				g.rests, g.after = append(g.rests, right[dot:]), append(g.after, -1)
			}
			if before < 0 {
				g.byLeft[p.Left] = append(g.byLeft[p.Left], id)
			} else {
				g.after[before] = id
			}
			before = id
		}
	}
	var opens []open
	bottom := &stack{ends: true}
	bottom.shape = bottom.outline()
	for _, rest := range g.byLeft[s.Productions[0].Left] {
		opens = append(opens, open{rest, bottom})
	}
	g.first = g.close(opens)
	return g
}

// Nested reports whether a nonterminal of a grammar occurs between other symbols in a derivation from itself. If none does,
// the state of a session is bounded, and otherwise it grows with the depth of this nesting.
func (s *Spec) Nested() bool {
	g := newStacks(s)
	inner, reach := map[[2]int]int{}, map[[2]int]bool{} // sides of a nonterminal that have symbols: 1 for the left, 2 for the right
	var all []int
	for _, p := range s.Productions {
		all = append(all, p.Left)
		for _, id := range g.byLeft[p.Left] {
			right := g.rests[id]
			for i, symbol := range right {
				if pair := [2]int{p.Left, symbol}; symbol >= g.letters {
					reach[pair] = true
					inner[pair] |= bit(i > 0) | bit(i < len(right)-1)<<1
				}
			}
		}
	}
	for _, through := range all {
		for _, from := range all {
			for _, to := range all {
				if reach[[2]int{from, through}] && reach[[2]int{through, to}] {
					reach[[2]int{from, to}] = true
				}
			}
		}
	}
	for _, a := range all {
		sides := 0
		for pair, side := range inner {
			if (pair[0] == a || reach[[2]int{a, pair[0]}]) && (pair[1] == a || reach[[2]int{pair[1], a}]) {
				sides |= side
			}
		}
		if sides == 3 {
			return true
		}
	}
	return false
}

// closed returns the nonterminals with a production that a test accepts, which depends on those that are known.
func closed(s *Spec, test func(p Production, known map[int]bool) bool) map[int]bool {
	known := map[int]bool{}
	for grown := true; grown; {
		grown = false
		for _, p := range s.Productions {
			if !known[p.Left] && test(p, known) {
				known[p.Left], grown = true, true
			}
		}
	}
	return known
}

// permits reports whether a letter may follow.
func (g *stacks) permits(top *stack, letter int) bool {
	return slices.ContainsFunc(top.opens, func(o open) bool { return g.rests[o.rest][0] == letter })
}

// step returns the stack after a letter that is permitted.
func (g *stacks) step(top *stack, letter int) *stack {
	var opens []open
	for _, o := range top.opens {
		if g.rests[o.rest][0] == letter {
			opens = append(opens, open{g.after[o.rest], o.up})
		}
	}
	return g.close(opens)
}

// called is the stack after a nonterminal that is called, while it is collected.
type called struct {
	*stack
	tails []*stack // whose continuations it shares, because the call is the end of a production
}

// close returns the stack whose opens begin with letters: those after productions that ended, and of nonterminals.
func (g *stacks) close(queue []open) *stack {
	top := &stack{}
	calls, list := map[int]*called{}, []*called{}
	fresh := map[*stack]bool{}
	seen := map[open]bool{}
	for i := 0; i < len(queue); i++ {
		o := queue[i]
		if seen[o] {
			continue
		}
		seen[o] = true
		rest := g.rests[o.rest]
		if len(rest) == 0 {
			if !fresh[o.up] { // otherwise the caller skipped the nullable nonterminal
				queue = append(queue, o.up.opens...)
				top.ends = top.ends || o.up.ends
			}
			continue
		}
		if rest[0] < g.letters {
			top.opens = append(top.opens, o)
			continue
		}
		call := calls[rest[0]]
		if call == nil {
			call = &called{stack: &stack{}}
			calls[rest[0]], fresh[call.stack] = call, true
			list = append(list, call)
			for _, right := range g.byLeft[rest[0]] {
				queue = append(queue, open{right, call.stack})
			}
		}
		next := open{g.after[o.rest], o.up}
		if len(rest) == 1 {
			call.tails = append(call.tails, o.up)
		} else {
			call.opens = append(call.opens, next)
		}
		if g.nullable[rest[0]] {
			queue = append(queue, next)
		}
	}
	for grown := true; grown; {
		grown = false
		for _, call := range list {
			for _, tail := range call.tails {
				grown = call.share(tail) || grown
			}
		}
	}
	return top.merge(list)
}

// share adds the continuations of another stack. It reports whether one was missing.
func (s *stack) share(other *stack) bool {
	before := len(s.opens)
	for _, o := range other.opens {
		if !slices.Contains(s.opens, o) {
			s.opens = append(s.opens, o)
		}
	}
	grown := len(s.opens) > before || other.ends && !s.ends
	s.ends = s.ends || other.ends
	return grown
}

// parts returns the stacks that a stack has, each once, beginning with itself.
func (s *stack) parts() []*stack {
	out, seen := []*stack{s}, map[*stack]bool{s: true}
	for i := 0; i < len(out); i++ {
		for _, o := range out[i].opens {
			if !seen[o.up] {
				seen[o.up] = true
				out = append(out, o.up)
			}
		}
	}
	return out
}

// merge replaces each new stack by one with the same continuations, an old one if possible. The old stacks differ from
// each other. It returns the top.
func (s *stack) merge(list []*called) *stack {
	fresh := map[*stack]bool{}
	for _, call := range list {
		fresh[call.stack] = true
	}
	var old, added []*stack
	for _, part := range s.parts()[1:] {
		if fresh[part] {
			added = append(added, part)
		} else {
			old = append(old, part)
		}
	}
	equal := map[[2]*stack]bool{}
	for i, a := range added {
		a.shape = a.outline()
		for _, b := range slices.Concat(old, added[:i]) {
			if a.shape == b.shape {
				equal[[2]*stack{a, b}] = true
			}
		}
	}
	same := func(a, b *stack) bool { return a == b || equal[[2]*stack{a, b}] || equal[[2]*stack{b, a}] }
	covers := func(a, b *stack) bool {
		return !slices.ContainsFunc(b.opens, func(o open) bool {
			return !slices.ContainsFunc(a.opens, func(p open) bool { return p.rest == o.rest && same(p.up, o.up) })
		})
	}
	for changed := true; changed; {
		changed = false
		for pair := range equal {
			if !covers(pair[0], pair[1]) || !covers(pair[1], pair[0]) {
				delete(equal, pair)
				changed = true
			}
		}
	}
	instead := map[*stack]*stack{}
	for _, a := range added {
		instead[a] = a
		for _, b := range slices.Concat(old, added) {
			if same(a, b) {
				instead[a] = b
				break
			}
		}
	}
	for _, part := range append(added, s) {
		var opens []open
		for _, o := range part.opens {
			if kept := instead[o.up]; kept != nil {
				o.up = kept
			}
			if !slices.Contains(opens, o) {
				opens = append(opens, o)
			}
		}
		part.opens = opens
	}
	for _, part := range s.parts() {
		s.size += len(part.opens)
	}
	return s
}

// outline returns the rests of a stack and whether it ends, as text.
func (s *stack) outline() string {
	var rests []int
	for _, o := range s.opens {
		rests = append(rests, o.rest)
	}
	slices.Sort(rests)
	return join(slices.Compact(rests), strconv.Itoa) + number(bit(s.ends))
}

// ranks orders the parts of a stack by their continuations. Equal stacks have equal ranks in all runtimes.
func ranks(parts []*stack) map[*stack]int {
	rank := map[*stack]int{}
	for classes := 0; ; {
		signs := map[*stack][]int{}
		var list [][]int
		for _, part := range parts {
			sign := []int{rank[part], bit(part.ends)}
			for _, o := range part.sorted(rank) {
				sign = append(sign, o.rest, rank[o.up])
			}
			signs[part] = sign
			list = append(list, sign)
		}
		slices.SortFunc(list, slices.Compare)
		list = slices.CompactFunc(list, slices.Equal)
		for _, part := range parts {
			rank[part], _ = slices.BinarySearchFunc(list, signs[part], slices.Compare)
		}
		if len(list) == classes {
			return rank
		}
		classes = len(list)
	}
}

// sorted returns the opens in the order of their rests, and of ranks.
func (s *stack) sorted(rank map[*stack]int) []open {
	return slices.SortedFunc(slices.Values(s.opens), func(a, b open) int {
		return cmp.Or(cmp.Compare(a.rest, b.rest), cmp.Compare(rank[a.up], rank[b.up]))
	})
}

// table returns a stack as lists: for each part 1 if a word may end, and the rest and the number of the part after it for
// each open. Part 0 is the stack itself. Equal stacks have equal tables.
func (s *stack) table() [][]int {
	if s == nil {
		return nil
	}
	parts, rank := s.parts(), map[*stack]int{}
	if slices.ContainsFunc(parts, (*stack).tied) {
		rank = ranks(parts)
	}
	queue, index := []*stack{s}, map[*stack]int{s: 0}
	var out [][]int
	for i := 0; i < len(queue); i++ {
		row := []int{bit(queue[i].ends)}
		for _, o := range queue[i].sorted(rank) {
			at, known := index[o.up]
			if !known {
				at = len(queue)
				index[o.up], queue = at, append(queue, o.up)
			}
			row = append(row, o.rest, at)
		}
		out = append(out, row)
	}
	return out
}

// tied reports whether two opens have the same rest, so that their order depends on the parts after them.
func (s *stack) tied() bool {
	seen := map[int]bool{}
	for _, o := range s.opens {
		if seen[o.rest] {
			return true
		}
		seen[o.rest] = true
	}
	return false
}

// stack restores a stack from its table, or returns nil for a table that no stack of the grammar has.
func (g *stacks) stack(table [][]int) *stack {
	parts := make([]*stack, len(table))
	for i := range parts {
		parts[i] = &stack{}
	}
	for i, row := range table {
		if len(row)%2 == 0 || row[0] < 0 || row[0] > 1 {
			return nil
		}
		parts[i].ends = row[0] == 1
		for k := 1; k < len(row); k += 2 {
			rest, at := row[k], row[k+1]
			if rest < 0 || rest >= len(g.rests) || at < 1 || at >= len(parts) || len(g.rests[rest]) == 0 || i == 0 && g.rests[rest][0] >= g.letters {
				return nil
			}
			parts[i].opens = append(parts[i].opens, open{rest, parts[at]})
			parts[0].size++
		}
		parts[i].shape = parts[i].outline()
	}
	if len(parts) == 0 || len(parts[0].parts()) < len(parts) {
		return nil
	}
	return parts[0]
}
