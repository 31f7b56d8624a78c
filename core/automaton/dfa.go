package automaton

import (
	"strconv"
	"strings"
)

// DFA is a complete deterministic automaton; its start is state 0. It is immutable and may
// be shared.
type DFA struct {
	letters int
	next    []int32 // by state, then letter
	accept  []bool
}

// NewDFA returns the automaton with the given rows, next[state][letter], and
// accepting states; state 0 is the start.
func NewDFA(next [][]int, accept []bool) *DFA {
	d := &DFA{accept: accept}
	for _, row := range next {
		d.letters = len(row)
		for _, to := range row {
			d.next = append(d.next, int32(to))
		}
	}
	return d
}

// NumStates returns the number of states.
func (d *DFA) NumStates() int { return len(d.accept) }

// NumLetters returns the number of letters.
func (d *DFA) NumLetters() int { return d.letters }

// Start returns the start state.
func (d *DFA) Start() int { return 0 }

// Next returns the successor of a state for a letter.
func (d *DFA) Next(state, letter int) int { return int(d.next[state*d.letters+letter]) }

// Accepting reports whether a state accepts.
func (d *DFA) Accepting(state int) bool { return d.accept[state] }

// Accepts reports whether the automaton accepts a word.
func (d *DFA) Accepts(word []int) bool {
	state := 0
	for _, letter := range word {
		state = d.Next(state, letter)
	}
	return d.accept[state]
}

// Distances returns, by state, the length of a shortest word that leads from it
// to an accepting state, or -1 where none does: such a state is dead.
func (d *DFA) Distances() []int {
	before := make([][]int32, d.NumStates())
	for s := range d.accept {
		for letter := range d.letters {
			to := d.Next(s, letter)
			before[to] = append(before[to], int32(s))
		}
	}
	distance := make([]int, d.NumStates())
	var queue []int
	for s := range distance {
		distance[s] = -1
		if d.accept[s] {
			distance[s] = 0
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, s := range before[queue[i]] {
			if distance[s] < 0 {
				distance[s] = distance[queue[i]] + 1
				queue = append(queue, int(s))
			}
		}
	}
	return distance
}

// WithoutEmpty returns an automaton for the same language without the empty word.
func (d *DFA) WithoutEmpty() *DFA {
	if !d.accept[0] {
		return d
	}
	// State 0 becomes a copy of the old start state, which becomes state 1.
	out := &DFA{letters: d.letters, accept: append([]bool{false}, d.accept...)}
	for letter := range d.letters {
		out.next = append(out.next, d.next[letter]+1)
	}
	for _, to := range d.next {
		out.next = append(out.next, to+1)
	}
	return out
}

// String prints the automaton, a line a state: its number, a * if it accepts,
// and its successor for each letter.
func (d *DFA) String() string {
	var b strings.Builder
	for s, accept := range d.accept {
		b.WriteString(strconv.Itoa(s))
		if accept {
			b.WriteByte('*')
		}
		b.WriteByte(':')
		for letter := range d.letters {
			b.WriteString(" " + strconv.Itoa(d.Next(s, letter)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
