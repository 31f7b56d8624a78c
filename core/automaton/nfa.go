// Package automaton implements finite automata over letters 0, 1, …, n-1.
//
// Automata are flat slices of small integers. An [NFA] is an intermediate form; a [DFA]
// is complete, never changes, and prints itself. Minimal automata are numbered in one
// way only, so equal languages give equal bytes.
package automaton

import (
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/meter"
)

// epsilon is the letter of a move without input.
const epsilon = -1

// NFA is a nondeterministic automaton with epsilon moves. Its zero
// value with Letters set has no state.
type NFA struct {
	Letters int
	edges   [][]edge
	accept  []bool
}

type edge struct{ letter, to int32 }

// State adds a state and returns its number.
func (n *NFA) State() int {
	n.edges = append(n.edges, nil)
	n.accept = append(n.accept, false)
	return len(n.edges) - 1
}

// Len returns the number of states.
func (n *NFA) Len() int { return len(n.edges) }

// Edge adds a move that reads a letter.
func (n *NFA) Edge(from, letter, to int) {
	n.edges[from] = append(n.edges[from], edge{int32(letter), int32(to)})
}

// Free adds an epsilon move.
func (n *NFA) Free(from, to int) { n.Edge(from, epsilon, to) }

// Accept makes a state accepting.
func (n *NFA) Accept(state int) { n.accept[state] = true }

// Determinize returns the subset automaton (Rabin and Scott 1959), reachable
// states only, with a dead state where one is needed. It spends a state for each
// state made, so an automaton that explodes ends in a [meter.LimitError].
func (n *NFA) Determinize(start int, m *meter.Meter) (*DFA, error) {
	d := &DFA{letters: n.Letters}
	index := map[string]int{}
	var sets [][]int32
	intern := func(set []int32) (int, error) {
		key := setKey(set)
		if i, ok := index[key]; ok {
			return i, nil
		}
		if err := m.Spend(meter.States, 1+int64(len(set))/16); err != nil {
			return 0, err
		}
		index[key] = len(sets)
		sets = append(sets, set)
		d.accept = append(d.accept, slices.ContainsFunc(set, func(s int32) bool { return n.accept[s] }))
		return len(sets) - 1, nil
	}
	mark := make([]bool, len(n.edges))
	if _, err := intern(n.close([]int32{int32(start)}, mark)); err != nil {
		return nil, err
	}
	moves := make([][]int32, n.Letters)
	for i := 0; i < len(sets); i++ {
		for _, s := range sets[i] {
			for _, e := range n.edges[s] {
				if e.letter != epsilon {
					moves[e.letter] = append(moves[e.letter], e.to)
				}
			}
		}
		for letter := range moves {
			to, err := intern(n.close(moves[letter], mark))
			if err != nil {
				return nil, err
			}
			d.next = append(d.next, int32(to))
			moves[letter] = moves[letter][:0]
		}
		if err := m.Step(len(sets[i]) + n.Letters); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// close returns the states reachable by epsilon moves, sorted. mark is
// scratch of the automaton's length, all false before and after.
func (n *NFA) close(from []int32, mark []bool) []int32 {
	var set []int32
	for _, s := range from {
		if !mark[s] {
			mark[s] = true
			set = append(set, s)
		}
	}
	for i := 0; i < len(set); i++ {
		for _, e := range n.edges[set[i]] {
			if e.letter == epsilon && !mark[e.to] {
				mark[e.to] = true
				set = append(set, e.to)
			}
		}
	}
	for _, s := range set {
		mark[s] = false
	}
	sort.Slice(set, func(i, j int) bool { return set[i] < set[j] })
	return set
}

func setKey(set []int32) string {
	key := make([]byte, 0, 4*len(set))
	for _, s := range set {
		key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(key)
}
