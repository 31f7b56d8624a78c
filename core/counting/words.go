package counting

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Words returns the number of different words of each length from 0 to max. An
// ambiguous word counts once; see [Sampler].
func Words(g *grammar.Grammar, max int, m *meter.Meter) ([]*big.Int, error) {
	return NewSampler(g, m).Count(max)
}

// Sampler counts the different words of a grammar and draws random ones.
//
// It reads words letter by letter with all leftmost derivations at once: a state is
// the set of their stacks. A word is therefore counted once, and words that lead to
// the same set are counted together. Empty productions are eliminated first, so no
// stack is longer than the number of remaining letters. Counting the words of an
// ambiguous grammar is #P-hard (Bertoni, Goldwurm and Sabadini 1991), so the number
// of sets may be exponential; the meter bounds it.
type Sampler struct {
	g       *grammar.Grammar
	counter *wordCounter // nil for the empty language
}

// NewSampler returns the sampler of a grammar. It caches the counts of all its calls,
// and m meters all of them.
func NewSampler(g *grammar.Grammar, m *meter.Meter) *Sampler {
	w := &Sampler{g: g}
	if useful := g.Useful(); useful[g.Start] {
		w.counter = newWordCounter(g, useful, m)
	}
	return w
}

// Count returns the number of words of each length from 0 to max. The error is the
// meter's.
func (w *Sampler) Count(max int) ([]*big.Int, error) {
	counts := numbers(max + 1)
	if w.counter == nil {
		return counts, nil
	}
	if max > 0 {
		found, err := w.counter.count(w.counter.start(max), max)
		if err != nil {
			return nil, err
		}
		for n, count := range found {
			counts[n].Set(count)
		}
	}
	// Without empty productions the grammar does not derive the empty word.
	counts[0].SetInt64(0)
	if w.g.Nullable()[w.g.Start] {
		counts[0].Set(one())
	}
	return counts, nil
}

// Sample draws a word of a length, all words with equal probability (the recursive
// method of Flajolet, Zimmermann and Van Cutsem 1994, applied to words instead of
// trees). ok is false if no word has the length. The error is a limit of the meter.
func (w *Sampler) Sample(length int, random *rand.Rand) (word []grammar.Symbol, ok bool, err error) {
	switch {
	case w.counter == nil:
		return nil, false, nil
	case length == 0:
		return []grammar.Symbol{}, w.g.Nullable()[w.g.Start], nil
	}
	c := w.counter
	set := c.start(length)
	for left := length; left > 0; left-- {
		counts, err := c.count(set, left)
		if err != nil {
			return nil, false, err
		}
		if counts[left].Sign() == 0 {
			return nil, false, nil
		}
		at := below(counts[left], random)
		for _, move := range c.moves(set, left) {
			rest, err := c.count(move.set, left-1)
			if err != nil {
				return nil, false, err
			}
			if at.Cmp(rest[left-1]) < 0 {
				word = append(word, move.letter)
				set = move.set
				break
			}
			at.Sub(at, rest[left-1])
		}
	}
	return word, true, nil
}

// stack holds the symbols that a leftmost derivation still has to derive, the next
// one first.
type stack []grammar.Symbol

// wordCounter counts the words of a grammar without empty productions and with at
// most two symbols on each right side. Symbols from g.NumSymbols() on are the tails
// of longer right sides.
type wordCounter struct {
	g     *grammar.Grammar
	m     *meter.Meter
	right [][]stack // right sides by symbol; none for terminals
	least []int     // length of a shortest word by symbol
	memo  map[string][]*big.Int
	err   error // the meter's error, which ends all work
}

func newWordCounter(g *grammar.Grammar, useful []bool, m *meter.Meter) *wordCounter {
	w := &wordCounter{g: g, m: m, right: make([][]stack, g.NumSymbols()), memo: map[string][]*big.Int{}}
	nullable := slices.Clone(g.Nullable())
	for _, p := range g.Productions {
		if slices.ContainsFunc(p.Right, func(s grammar.Symbol) bool { return !useful[s] }) {
			continue
		}
		left, rest := p.Left, p.Right
		for len(rest) > 2 {
			tail := grammar.Symbol(len(w.right))
			w.right = append(w.right, nil)
			nullable = append(nullable, !slices.ContainsFunc(rest[1:], func(s grammar.Symbol) bool { return !nullable[s] }))
			w.add(left, rest[0], tail, nullable)
			left, rest = tail, rest[1:]
		}
		switch len(rest) {
		case 1:
			w.right[left] = append(w.right[left], stack{rest[0]})
		case 2:
			w.add(left, rest[0], rest[1], nullable)
		}
	}
	w.measure()
	return w
}

// start returns the set before the first letter.
func (w *wordCounter) start(left int) []stack { return w.close([]stack{{w.g.Start}}, left) }

// add adds a production of two symbols, and the productions that remain if either
// symbol derives the empty word.
func (w *wordCounter) add(left, a, b grammar.Symbol, nullable []bool) {
	w.right[left] = append(w.right[left], stack{a, b})
	if nullable[a] {
		w.right[left] = append(w.right[left], stack{b})
	}
	if nullable[b] {
		w.right[left] = append(w.right[left], stack{a})
	}
}

// infinite is the length of a symbol without words. It exceeds every length that is
// counted, and sums of it are capped so that they do not overflow.
const infinite = 1 << 30

// measure computes the length of a shortest word of every symbol.
func (w *wordCounter) measure() {
	w.least = make([]int, len(w.right))
	for s := range w.least {
		w.least[s] = infinite
		if s < w.g.NumTerminals {
			w.least[s] = 1
		}
	}
	for changed := true; changed; {
		changed = false
		// Symbols are mostly used before they are defined, so the forward order would need a
		// round for each link of a chain.
		for s, rights := range slices.Backward(w.right) {
			for _, r := range rights {
				if n := w.length(r); n < w.least[s] {
					w.least[s], changed = n, true
				}
			}
		}
	}
}

// length returns the length of a shortest word that a stack derives.
func (w *wordCounter) length(s stack) int {
	n := 0
	for _, symbol := range s {
		n = min(n+w.least[symbol], infinite)
	}
	return n
}

// close expands stacks until each is empty or has a terminal on top, and drops
// stacks that need more letters than are left.
func (w *wordCounter) close(stacks []stack, left int) []stack {
	seen := map[string]bool{}
	var out []stack
	for i := 0; i < len(stacks) && w.err == nil; i++ {
		s := stacks[i]
		// Measuring, hashing, sorting and copying a stack take time linear in its length.
		w.err = w.m.Step(8 + 4*len(s))
		key := stackKey(s)
		if seen[key] || w.length(s) > left {
			continue
		}
		seen[key] = true
		if len(s) == 0 || w.g.IsTerminal(s[0]) {
			out = append(out, s)
			continue
		}
		for _, r := range w.right[s[0]] {
			stacks = append(stacks, slices.Concat(r, s[1:]))
		}
	}
	sort.Slice(out, func(i, j int) bool { return slices.Compare(out[i], out[j]) < 0 })
	return out
}

func stackKey(s stack) string {
	var b []byte
	for _, symbol := range s {
		b = binary.AppendUvarint(b, uint64(symbol))
	}
	return string(b)
}

// count returns the number of words of each length from 0 to left that a set derives.
// The result is shared; callers must not change it.
func (w *wordCounter) count(set []stack, left int) ([]*big.Int, error) {
	written := binary.AppendUvarint(nil, uint64(left))
	size := 1
	for _, s := range set {
		written = append(binary.AppendUvarint(written, uint64(len(s))), stackKey(s)...)
		size += len(s)
	}
	key := string(written)
	if counts, ok := w.memo[key]; ok {
		return counts, nil
	}
	if w.err == nil {
		w.err = w.m.Spend(meter.States, int64(size))
	}
	if w.err != nil {
		return nil, w.err
	}
	counts := numbers(left + 1)
	for _, s := range set {
		if len(s) == 0 {
			counts[0].Set(one())
		}
	}
	for _, move := range w.moves(set, left) {
		rest, err := w.count(move.set, left-1)
		if err != nil {
			return nil, err
		}
		for n, count := range rest {
			counts[n+1].Add(counts[n+1], count)
		}
		if err := w.m.Step(left * (1 + left/32)); err != nil {
			return nil, err
		}
	}
	if w.err != nil {
		return nil, w.err
	}
	w.memo[key] = counts
	return counts, nil
}

// letterMove is a letter and the set that follows it.
type letterMove struct {
	letter grammar.Symbol
	set    []stack
}

// moves returns the successors of a set, with left letters remaining before the move.
func (w *wordCounter) moves(set []stack, left int) []letterMove {
	if left == 0 {
		return nil
	}
	var out []letterMove
	at := map[grammar.Symbol]int{}
	for _, s := range set {
		if len(s) == 0 {
			continue
		}
		i, known := at[s[0]]
		if !known {
			i = len(out)
			at[s[0]] = i
			out = append(out, letterMove{letter: s[0]})
		}
		out[i].set = append(out[i].set, s[1:])
	}
	for i := range out {
		out[i].set = w.close(out[i].set, left-1)
	}
	return out
}
