package automaton

import "github.com/stile-playground/stile/core/meter"

// Minimize returns the smallest complete automaton of the same language, its
// states numbered in the order in which a breadth-first walk from the start
// finds them. It is Hopcroft's algorithm (1971): O(k n log n) for n states and k
// letters.
func (d *DFA) Minimize(m *meter.Meter) (*DFA, error) {
	d = d.reachable()
	n, k := d.NumStates(), d.letters
	if err := m.Spend(meter.States, int64(n)); err != nil {
		return nil, err
	}
	p := newPartition(n, d.accept)
	before, offset := d.inverse()
	type splitter struct{ block, letter int32 }
	var work []splitter
	enqueue := func(block int32) {
		for letter := range k {
			work = append(work, splitter{block, int32(letter)})
		}
	}
	for b := range p.blocks() {
		enqueue(int32(b))
	}
	var members []int32
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		members = append(members[:0], p.members(w.block)...)
		for _, to := range members {
			at := int(to)*k + int(w.letter)
			for _, s := range before[offset[at]:offset[at+1]] {
				p.mark(s)
			}
		}
		if err := m.Step(1 + len(members)); err != nil {
			return nil, err
		}
		// The fresh block is the smaller one. If the old one is still queued for a letter,
		// both are processed; otherwise the smaller one suffices.
		p.split(enqueue)
	}
	return d.quotient(p), nil
}

// reachable drops the states that no word leads to, and numbers the others in
// breadth-first order.
func (d *DFA) reachable() *DFA {
	number := make([]int32, d.NumStates())
	for i := range number {
		number[i] = -1
	}
	order := []int{0}
	number[0] = 0
	for i := 0; i < len(order); i++ {
		for letter := range d.letters {
			if to := d.Next(order[i], letter); number[to] < 0 {
				number[to] = int32(len(order))
				order = append(order, to)
			}
		}
	}
	out := &DFA{letters: d.letters}
	for _, s := range order {
		out.accept = append(out.accept, d.accept[s])
		for letter := range d.letters {
			out.next = append(out.next, number[d.Next(s, letter)])
		}
	}
	return out
}

// inverse returns the states that lead to state s with a letter: those at
// before[offset[s*k+letter]:offset[s*k+letter+1]].
func (d *DFA) inverse() (before, offset []int32) {
	k := d.letters
	offset = make([]int32, len(d.next)+1)
	for i, to := range d.next {
		offset[int(to)*k+i%k+1]++
	}
	for i := 1; i < len(offset); i++ {
		offset[i] += offset[i-1]
	}
	before = make([]int32, len(d.next))
	fill := append([]int32(nil), offset...)
	for i, to := range d.next {
		at := int(to)*k + i%k
		before[fill[at]] = int32(i / k)
		fill[at]++
	}
	return before, offset
}

// quotient makes one state of each block.
func (d *DFA) quotient(p *partition) *DFA {
	out := &DFA{letters: d.letters, accept: make([]bool, p.blocks()), next: make([]int32, p.blocks()*d.letters)}
	// The start's block must be state 0 for the renumbering that follows.
	start := p.block[0]
	swap := func(b int32) int32 {
		switch b {
		case start:
			return 0
		case 0:
			return start
		}
		return b
	}
	for b := range p.blocks() {
		s := int(p.members(int32(b))[0])
		at := int(swap(int32(b)))
		out.accept[at] = d.accept[s]
		for letter := range d.letters {
			out.next[at*d.letters+letter] = swap(p.block[d.Next(s, letter)])
		}
	}
	return out.reachable()
}

// partition is a refinable partition of 0, …, n-1 (Valmari and Lehtinen 2008):
// each block is a run of elems, its marked elements first.
type partition struct {
	elems, place, block []int32 // place is the inverse of elems
	first, past, marked []int32 // by block
	touched             []int32
}

func newPartition(n int, accept []bool) *partition {
	p := &partition{elems: make([]int32, n), place: make([]int32, n), block: make([]int32, n)}
	for i := range n {
		p.elems[i], p.place[i] = int32(i), int32(i)
	}
	p.first, p.past, p.marked = []int32{0}, []int32{int32(n)}, []int32{0}
	for i, a := range accept {
		if a {
			p.mark(int32(i))
		}
	}
	p.split(func(int32) {})
	return p
}

func (p *partition) blocks() int { return len(p.first) }

func (p *partition) members(b int32) []int32 { return p.elems[p.first[b]:p.past[b]] }

func (p *partition) mark(e int32) {
	b := p.block[e]
	at, to := p.place[e], p.first[b]+p.marked[b]
	if at < to {
		return // marked already
	}
	other := p.elems[to]
	p.elems[at], p.elems[to] = other, e
	p.place[other], p.place[e] = at, to
	if p.marked[b] == 0 {
		p.touched = append(p.touched, b)
	}
	p.marked[b]++
}

// split divides each touched block into its marked and its other elements. The smaller
// part becomes a fresh block, for which done is called.
func (p *partition) split(done func(fresh int32)) {
	for _, b := range p.touched {
		first, past, middle := p.first[b], p.past[b], p.first[b]+p.marked[b]
		p.marked[b] = 0
		if middle == past {
			continue
		}
		fresh := int32(len(p.first))
		if middle-first <= past-middle {
			p.first, p.past = append(p.first, first), append(p.past, middle)
			p.first[b] = middle
		} else {
			p.first, p.past = append(p.first, middle), append(p.past, past)
			p.past[b] = middle
		}
		p.marked = append(p.marked, 0)
		for _, e := range p.members(fresh) {
			p.block[e] = fresh
		}
		done(fresh)
	}
	p.touched = p.touched[:0]
}
