package earley

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/natural"
)

// CountWords returns how many different words of each length from 0 to max a
// grammar derives, exactly, however ambiguous it is; see [Words].
func CountWords(g *grammar.Grammar, max int, m *meter.Meter) ([]natural.Number, error) {
	return NewWords(g, m).Count(max)
}

// Words counts the different words of a grammar and draws from them.
//
// Words are read letter by letter by all leftmost derivations at once: a state is
// the set of the stacks they are in, so a word is counted once, and words that
// lead to the same set are counted together. The grammar is first freed of empty
// productions, so that no stack is longer than the letters that are left. Counting
// words is #P-hard for ambiguous grammars (Bertoni, Goldwurm and Sabadini 1991),
// so the sets may explode; the meter bounds them.
type Words struct {
	g       *grammar.Grammar
	counter *wordCounter // nil where the language is empty
}

// NewWords returns a counter of a grammar's words. What it has counted it keeps.
func NewWords(g *grammar.Grammar, m *meter.Meter) *Words {
	w := &Words{g: g}
	if useful := g.Useful(); useful[g.Start] {
		w.counter = newWordCounter(g, useful, m)
	}
	return w
}

// Count returns how many words there are of each length from 0 to max. The error
// is the meter's.
func (w *Words) Count(max int) ([]natural.Number, error) {
	counts := make([]natural.Number, max+1)
	if w.counter == nil {
		return counts, nil
	}
	if max > 0 {
		found, err := w.counter.count(w.counter.start(max), max)
		if err != nil {
			return nil, err
		}
		copy(counts, found)
	}
	// The freed grammar does not derive the empty word.
	counts[0] = natural.Number{}
	if w.g.Nullable()[w.g.Start] {
		counts[0] = natural.New(1)
	}
	return counts, nil
}

// Sample draws a word of a length, each as likely as any other (the recursive
// method: Flajolet, Zimmermann and Van Cutsem 1994, on words and not on trees); ok
// is false where there is none. The error is the meter's.
func (w *Words) Sample(length int, random *rand.Rand) (word []grammar.Symbol, ok bool, err error) {
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
		if counts[left].IsZero() {
			return nil, false, nil
		}
		at := counts[left].Below(random.Uint32N)
		for _, move := range c.moves(set, left) {
			rest, err := c.count(move.set, left-1)
			if err != nil {
				return nil, false, err
			}
			if at.Less(rest[left-1]) {
				word = append(word, move.letter)
				set = move.set
				break
			}
			at = at.Minus(rest[left-1])
		}
	}
	return word, true, nil
}

// stack is what a leftmost derivation still has to derive, the next symbol first.
type stack []grammar.Symbol

// wordCounter counts words with a grammar without empty productions and with at
// most two symbols on each right side. Symbols beyond the grammar's own stand for
// the rest of a longer right side.
type wordCounter struct {
	g     *grammar.Grammar
	m     *meter.Meter
	right [][]stack // by symbol; none for terminals
	least []int     // by symbol: letters of a shortest word
	memo  map[string][]natural.Number
	err   error // of the meter, once it ends the work
}

func newWordCounter(g *grammar.Grammar, useful []bool, m *meter.Meter) *wordCounter {
	w := &wordCounter{g: g, m: m, right: make([][]stack, g.NumSymbols()), memo: map[string][]natural.Number{}}
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

// add adds a production of two symbols, and what is left of it where either
// vanishes.
func (w *wordCounter) add(left, a, b grammar.Symbol, nullable []bool) {
	w.right[left] = append(w.right[left], stack{a, b})
	if nullable[a] {
		w.right[left] = append(w.right[left], stack{b})
	}
	if nullable[b] {
		w.right[left] = append(w.right[left], stack{a})
	}
}

// endless is the length of no word.
const endless = 1 << 30

// measure finds the length of a shortest word of every symbol.
func (w *wordCounter) measure() {
	w.least = make([]int, len(w.right))
	for s := range w.least {
		w.least[s] = endless
		if s < w.g.NumTerminals {
			w.least[s] = 1
		}
	}
	for changed := true; changed; {
		changed = false
		for s, rights := range w.right {
			for _, r := range rights {
				if n := w.length(r); n < w.least[s] {
					w.least[s], changed = n, true
				}
			}
		}
	}
}

// length returns the letters that a stack derives at least.
func (w *wordCounter) length(s stack) int {
	n := 0
	for _, symbol := range s {
		n = min(n+w.least[symbol], endless)
	}
	return n
}

// close expands stacks until a terminal is on top of each, and drops those that
// need more letters than are left.
func (w *wordCounter) close(stacks []stack, left int) []stack {
	seen := map[string]bool{}
	var out []stack
	for i := 0; i < len(stacks) && w.err == nil; i++ {
		s := stacks[i]
		// A stack is measured, made a key of, sorted and copied.
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

// count returns how many words of each length from 0 to left a set derives.
func (w *wordCounter) count(set []stack, left int) ([]natural.Number, error) {
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
	counts := make([]natural.Number, left+1)
	for _, s := range set {
		if len(s) == 0 {
			counts[0] = natural.New(1)
		}
	}
	for _, move := range w.moves(set, left) {
		rest, err := w.count(move.set, left-1)
		if err != nil {
			return nil, err
		}
		for n, count := range rest {
			counts[n+1] = counts[n+1].Plus(count)
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

// letterMove is a letter and the set that it leads to.
type letterMove struct {
	letter grammar.Symbol
	set    []stack
}

// moves returns where a set leads with each letter, with so many letters left.
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
