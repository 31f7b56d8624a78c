package regex

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode/utf8"
)

const (
	// maxSearchBytes bounds the memory of the states and letters of an automaton. A search that needs more forgets
	// them and continues from its current state.
	maxSearchBytes = 1 << 20
	// fewCharacters is the number of characters for each state, as in RE2, below which an automaton that is full cost
	// more than it saved: some texts are then searched by [Expression.MatchString].
	fewCharacters = 10
	// minPause and maxPause bound the bytes of these texts. Their number doubles each time that the automaton is full
	// after few characters again.
	minPause, maxPause = 1 << 14, 1 << 20
	// maxSearchKept bounds the automata that a search keeps; searches at the same time have one each.
	maxSearchKept = 4
	// stateBytes is about the memory of a state or a letter without its lists.
	stateBytes = 160
)

// Search searches texts for an expression. It keeps the states of a deterministic automaton that earlier texts
// reached (Cox 2010), so that a character takes one step instead of one for each alternative. It may be shared by
// goroutines. It keeps at most four automata, each with at most 1 MB of states and with two numbers for each
// instruction.
type Search struct {
	program  Expression
	alphabet func() *alphabet
	most     int // bytes of an automaton
	lock     sync.Mutex
	free     []*lazy // not in use
}

// Search returns a search for the expression.
func (p Expression) Search() *Search {
	return &Search{program: p, alphabet: sync.OnceValue(func() *alphabet { return newAlphabet(p) }), most: maxSearchBytes}
}

// MatchString reports whether a part of the text matches, as [Expression.MatchString] does.
func (s *Search) MatchString(text string) bool {
	s.lock.Lock()
	var d *lazy
	if n := len(s.free); n > 0 {
		d, s.free = s.free[n-1], s.free[:n-1]
	}
	s.lock.Unlock()
	if d == nil {
		d = newLazy(s.program, s.alphabet(), s.most)
	}
	matches, complete := d.match(text)
	s.lock.Lock()
	if len(s.free) < maxSearchKept {
		s.free = append(s.free, d)
	}
	s.lock.Unlock()
	if !complete {
		return s.program.MatchString(text)
	}
	return matches
}

// alphabet divides the characters into intervals that an expression does not distinguish.
type alphabet struct {
	parts []runePart // of all sets, without duplicates
	from  []rune     // of the intervals, in order; the first one is 0
	later bool       // a match may begin after the first character
}

func newAlphabet(p Expression) *alphabet {
	sets, seen := []*runeSet(nil), map[*runeSet]bool{}
	for i := range p {
		if set := p[i].set; set != nil && !seen[set] {
			seen[set] = true
			sets = append(sets, set)
		}
	}
	return &alphabet{parts: distinctParts(sets), from: boundaries(sets), later: p.beginsLater()}
}

// beginsLater reports whether a match may begin after the first character. It may be true for an expression whose
// assertions contradict each other.
func (p Expression) beginsLater() bool {
	seen, stack := make([]bool, len(p)), []int{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		switch in := &p[i]; in.op {
		case opSet, opMatch:
			return true
		case opSplit:
			stack = append(stack, in.x, in.y)
		case opBegin:
		default:
			stack = append(stack, in.x)
		}
	}
	return false
}

// lazy is an automaton whose states are computed when a text reaches them. A state is a set of instructions that
// follow the characters so far, and the kind of the last character. A letter is a class of characters that the
// sets of the program do not distinguish; letter 0 is the end of the text.
type lazy struct {
	*alphabet
	program Expression
	threads *threads
	most    int // bytes of states and letters; beyond it, they are forgotten

	states  []lazyState
	numbers map[string]int       // of states, by key
	letters map[string]int32     // by the parts that contain a character, and its kind
	sample  []rune               // a character of each letter
	ascii   [utf8.RuneSelf]int32 // letters of characters; 0 is unknown
	classes []int32              // letters of intervals; 0 is unknown
	size    int                  // bytes of states and letters

	read  int // characters since the states were forgotten
	pause int // bytes of texts that were not to be searched last time
	skip  int // bytes of texts that are not to be searched yet
}

type lazyState struct {
	before rune    // a character of the kind of the last one, -1 at the beginning
	seeds  []int32 // instructions
	next   []int32 // by letter: a state, or one of the constants below
}

const (
	unknown = -1 - iota
	matched
	failed
)

func newLazy(p Expression, a *alphabet, most int) *lazy {
	d := &lazy{alphabet: a, program: p, threads: newThreads(len(p)), most: most, classes: make([]int32, len(a.from))}
	d.forget()
	return d
}

// forget removes all states but the first one, and all letters.
func (d *lazy) forget() {
	d.states, d.numbers = nil, map[string]int{}
	d.letters, d.sample = map[string]int32{}, []rune{-1}
	clear(d.ascii[:])
	clear(d.classes)
	d.size, d.read = 0, 0
	d.state(-1, nil)
}

// match reports whether a part of the text matches. complete is false if the text is to be searched without the
// automaton.
func (d *lazy) match(text string) (matches, complete bool) {
	if d.skip > 0 {
		d.skip -= len(text)
		return false, false
	}
	q, from := 0, 0 // characters of the text before from are in d.read
	for at := 0; ; {
		letter := int32(0)
		if at < len(text) {
			if c := text[at]; c < utf8.RuneSelf && d.ascii[c] > 0 {
				letter = d.ascii[c]
				at++
			} else {
				r, size := utf8.DecodeRuneInString(text[at:])
				letter = d.letter(r)
				at += size
			}
		}
		state := &d.states[q]
		if int(letter) < len(state.next) && state.next[letter] >= 0 {
			q = int(state.next[letter])
			continue
		}
		if q = d.step(q, letter); q < 0 {
			d.read += at - from
			return q == matched, true
		}
		if d.size <= d.most {
			continue
		}
		d.read += at - from
		from = at
		now := d.states[q]
		if d.full() {
			d.skip -= len(text)
			return false, false
		}
		q = d.state(now.before, now.seeds)
	}
}

// full forgets the states, and reports whether they were reached by so few characters that texts are to be searched
// without the automaton.
func (d *lazy) full() bool {
	few := d.read < fewCharacters*(len(d.states)+len(d.sample))
	d.forget()
	if !few {
		d.pause = 0
		return false
	}
	d.pause = min(max(2*d.pause, minPause), maxPause)
	d.skip = d.pause
	return true
}

// letter returns the class of a character.
func (d *lazy) letter(r rune) int32 {
	at, found := slices.BinarySearch(d.from, r)
	if !found {
		at--
	}
	if d.classes[at] == 0 {
		d.classes[at] = d.class(r)
	}
	if r < utf8.RuneSelf {
		d.ascii[r] = d.classes[at]
	}
	return d.classes[at]
}

// class computes the class of a character.
func (d *lazy) class(r rune) int32 {
	key := []byte{kindOf(r)}
	for i := range d.parts {
		if part := &d.parts[i]; part.has(r) != part.not {
			key = binary.AppendUvarint(key, uint64(i))
		}
	}
	letter, ok := d.letters[string(key)]
	if !ok {
		letter = int32(len(d.sample))
		d.letters[string(key)] = letter
		d.sample = append(d.sample, r)
		d.size += stateBytes + len(key)
	}
	return letter
}

// step returns the state that follows a letter, or matched or failed.
func (d *lazy) step(q int, letter int32) int {
	state := &d.states[q]
	size := cap(state.next)
	for len(state.next) <= int(letter) {
		state.next = append(state.next, unknown)
	}
	d.size += 4 * (cap(state.next) - size)
	if state.next[letter] == unknown {
		next := d.after(*state, d.sample[letter])
		d.states[q].next[letter] = int32(next)
	}
	return int(d.states[q].next[letter])
}

// after computes the state that follows a character, or matched or failed.
func (d *lazy) after(state lazyState, r rune) int {
	p, t := d.program, d.threads
	t.n = 0
	for _, i := range state.seeds {
		if p.follow(t, int(i), state.before, r) {
			return matched
		}
	}
	if p.follow(t, 0, state.before, r) { // a match may begin at each character
		return matched
	}
	if r < 0 {
		return failed
	}
	var seeds []int32
	for _, i := range t.list[:t.n] {
		if in := &p[i]; in.op == opSet && in.set.has(r) {
			seeds = append(seeds, int32(in.x))
		}
	}
	if len(seeds) == 0 && !d.later {
		return failed
	}
	slices.Sort(seeds)
	return d.state(r, slices.Compact(seeds))
}

// state returns the number of a state.
func (d *lazy) state(before rune, seeds []int32) int {
	key := []byte{kindOf(before)}
	for _, i := range seeds {
		key = binary.AppendUvarint(key, uint64(i))
	}
	q, ok := d.numbers[string(key)]
	if !ok {
		q = len(d.states)
		d.numbers[string(key)] = q
		d.states = append(d.states, lazyState{before: before, seeds: seeds})
		d.size += stateBytes + len(key) + 4*cap(seeds)
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
