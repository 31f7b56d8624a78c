package regex

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode/utf8"
)

const (
	// maxSearchStates bounds the memory of a [Search]. An expression that needs more states is searched for by
	// [Expression.MatchString].
	maxSearchStates = 1000
	// maxSearchRunes bounds the characters beyond ASCII whose classes are kept.
	maxSearchRunes = 1000
)

// Search searches texts for an expression. It keeps the states of a deterministic automaton that earlier texts
// reached (Cox 2010), so that a character takes one step instead of one for each alternative. It may be shared by
// goroutines.
type Search struct {
	program Expression
	lock    sync.Mutex
	free    []*lazy // one for each search that ran at the same time
}

// Search returns a search for the expression.
func (p Expression) Search() *Search { return &Search{program: p} }

// MatchString reports whether a part of the text matches, as [Expression.MatchString] does.
func (s *Search) MatchString(text string) bool {
	s.lock.Lock()
	var d *lazy
	if n := len(s.free); n > 0 {
		d, s.free = s.free[n-1], s.free[:n-1]
	}
	s.lock.Unlock()
	if d == nil {
		d = newLazy(s.program)
	}
	matches, complete := d.match(text)
	s.lock.Lock()
	s.free = append(s.free, d)
	s.lock.Unlock()
	if !complete {
		return s.program.MatchString(text)
	}
	return matches
}

// lazy is an automaton whose states are computed when a text reaches them. A state is a set of instructions that
// follow the characters so far, and the kind of the last character. A letter is a class of characters that the
// sets of the program do not distinguish; letter 0 is the end of the text.
type lazy struct {
	program Expression
	sets    []*runeSet
	states  []lazyState
	numbers map[string]int // of states, by key
	letters map[string]int // by the sets that contain a character
	class   [utf8.RuneSelf]int
	runes   map[rune]int
	sample  []rune // a character of each letter
	threads *threads
	full    bool // the automaton has too many states
}

type lazyState struct {
	before rune  // a character of the kind of the last one, -1 at the beginning
	seeds  []int // instructions
	next   []int // by letter: a state, or one of the constants below
}

const (
	unknown = -1 - iota
	matched
	failed
)

func newLazy(p Expression) *lazy {
	d := &lazy{program: p, numbers: map[string]int{}, letters: map[string]int{}, runes: map[rune]int{}, sample: []rune{-1}, threads: newThreads(len(p))}
	for i := range p {
		if p[i].set != nil && !slices.Contains(d.sets, p[i].set) {
			d.sets = append(d.sets, p[i].set)
		}
	}
	d.state(-1, nil)
	return d
}

// match reports whether a part of the text matches. complete is false if the automaton has too many states.
func (d *lazy) match(text string) (matches, complete bool) {
	for q, at := 0, 0; !d.full; {
		letter := 0
		if at < len(text) {
			if c := text[at]; c < utf8.RuneSelf && d.class[c] > 0 {
				letter = d.class[c]
				at++
			} else {
				r, size := utf8.DecodeRuneInString(text[at:])
				letter = d.letter(r)
				at += size
			}
		}
		state := &d.states[q]
		if letter < len(state.next) && state.next[letter] >= 0 {
			q = state.next[letter]
			continue
		}
		if q = d.step(q, letter); q < 0 {
			return q == matched, true
		}
	}
	return false, false
}

// letter returns the class of a character.
func (d *lazy) letter(r rune) int {
	if r < utf8.RuneSelf && d.class[r] > 0 {
		return d.class[r]
	}
	if letter, ok := d.runes[r]; ok {
		return letter
	}
	signature := make([]byte, len(d.sets)+1)
	for i, s := range d.sets {
		signature[i] = bit(s.has(r))
	}
	signature[len(d.sets)] = kindOf(r)
	letter, ok := d.letters[string(signature)]
	if !ok {
		letter = len(d.sample)
		d.letters[string(signature)] = letter
		d.sample = append(d.sample, r)
	}
	switch {
	case r < utf8.RuneSelf:
		d.class[r] = letter
	case len(d.runes) < maxSearchRunes:
		d.runes[r] = letter
	}
	return letter
}

// step returns the state that follows a letter, or matched or failed.
func (d *lazy) step(q, letter int) int {
	state := &d.states[q]
	for len(state.next) <= letter {
		state.next = append(state.next, unknown)
	}
	if state.next[letter] == unknown {
		next := d.after(*state, d.sample[letter])
		d.states[q].next[letter] = next
	}
	return d.states[q].next[letter]
}

// after computes the state that follows a character, or matched or failed.
func (d *lazy) after(state lazyState, r rune) int {
	p, t := d.program, d.threads
	t.n = 0
	for _, i := range append(slices.Clip(state.seeds), 0) { // a match may begin at each character
		if p.follow(t, i, state.before, r) {
			return matched
		}
	}
	if r < 0 {
		return failed
	}
	var seeds []int
	for _, i := range t.list[:t.n] {
		if in := &p[i]; in.op == opSet && in.set.has(r) {
			seeds = append(seeds, in.x)
		}
	}
	slices.Sort(seeds)
	return d.state(r, slices.Compact(seeds))
}

// state returns the number of a state.
func (d *lazy) state(before rune, seeds []int) int {
	key := []byte{kindOf(before)}
	for _, i := range seeds {
		key = binary.AppendUvarint(key, uint64(i))
	}
	q, ok := d.numbers[string(key)]
	if !ok {
		q = len(d.states)
		d.full = q >= maxSearchStates
		d.numbers[string(key)] = q
		d.states = append(d.states, lazyState{before: before, seeds: seeds})
	}
	return q
}

// kindOf returns the kind of a character that the assertions distinguish; -1 is the beginning of the text.
func kindOf(r rune) byte {
	switch {
	case r < 0:
		return 0
	case r == '\n':
		return 1
	case isWord(r):
		return 2
	}
	return 3
}
