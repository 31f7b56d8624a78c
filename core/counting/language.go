package counting

import (
	"encoding/binary"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Language is the set of words of a grammar within limits, or of a finite automaton. It reads
// words letter by letter and deterministically, so every word is counted once, and two
// languages can be compared by reading them side by side. It caches its states: use one meter
// for all calls that belong together, and one Language in one goroutine.
type Language struct {
	letters []string
	reader  reader
	counts  map[situation]*big.Int
}

// reader reads the words of a language. left is the number of letters that may follow, which
// lets a reader drop states that need more; [unbounded] drops none.
type reader interface {
	// begin returns the state before the first letter, or noState.
	begin(left int, m *meter.Meter) (int32, error)
	// steps returns the moves of a state, with at most one for each letter.
	steps(state int32, left int, m *meter.Meter) ([]step, error)
	accepts(state int32) bool
}

// step is a letter, as an index, and the state that follows it.
type step struct {
	letter int
	to     int32
}

// noState is the state of words that no continuation completes.
const noState int32 = -1

// unbounded is a number of letters that no stack exceeds.
const unbounded = infinite

// situation is a state with the number of letters that follow it.
type situation struct {
	state, left int32
}

// LanguageOf returns the words of a grammar in which no terminal occurs more often than caps
// allow (see [grammar.Grammar.Caps]); nil caps limit nothing.
func LanguageOf(g *grammar.Grammar, caps []int64) *Language {
	if !slices.ContainsFunc(caps, func(n int64) bool { return n != grammar.Unlimited }) {
		caps = nil
	}
	r := &stackReader{caps: caps, ids: map[string]int32{}, known: map[situation][]step{}, nullable: g.Nullable()[g.Start]}
	if useful := g.Useful(); useful[g.Start] {
		r.counter = newWordCounter(g, useful, nil)
	}
	return &Language{letters: g.Names[:g.NumTerminals], reader: r, counts: map[situation]*big.Int{}}
}

// LanguageOfDFA returns the words of an automaton over letters with names.
func LanguageOfDFA(d *automaton.DFA, letters []string) *Language {
	return &Language{letters: letters, reader: tableReader{d, d.Distances()}, counts: map[situation]*big.Int{}}
}

// Letters returns the names of the letters.
func (l *Language) Letters() []string { return l.letters }

// Number returns the number of words of a length.
func (l *Language) Number(length int, m *meter.Meter) (*big.Int, error) {
	start, err := l.reader.begin(length, m)
	if err != nil {
		return nil, err
	}
	return l.number(start, length, m)
}

// number returns the number of words of a length that complete a state. The result is shared;
// callers must not change it.
func (l *Language) number(state int32, left int, m *meter.Meter) (*big.Int, error) {
	if state == noState {
		return new(big.Int), nil
	}
	if left == 0 {
		if l.reader.accepts(state) {
			return one(), nil
		}
		return new(big.Int), nil
	}
	key := situation{state, int32(left)}
	if n, ok := l.counts[key]; ok {
		return n, nil
	}
	if err := m.Spend(meter.States, 1); err != nil {
		return nil, err
	}
	moves, err := l.reader.steps(state, left, m)
	if err != nil {
		return nil, err
	}
	sum := new(big.Int)
	for _, move := range moves {
		n, err := l.number(move.to, left-1, m)
		if err != nil {
			return nil, err
		}
		sum.Add(sum, n)
	}
	l.counts[key] = sum
	return sum, m.Step(1 + len(moves)*(1+left/32))
}

// Sample draws a word of a length, all words with equal probability. ok is false if no word has
// the length.
func (l *Language) Sample(length int, random *rand.Rand, m *meter.Meter) (word []string, ok bool, err error) {
	state, err := l.reader.begin(length, m)
	if err != nil {
		return nil, false, err
	}
	total, err := l.number(state, length, m)
	if err != nil || total.Sign() == 0 {
		return nil, false, err
	}
	return l.pick(state, length, func(n *big.Int) *big.Int { return below(n, random) }, m)
}

// First returns the first word of a length in the order of the letters.
func (l *Language) First(length int, m *meter.Meter) (word []string, ok bool, err error) {
	state, err := l.reader.begin(length, m)
	if err != nil {
		return nil, false, err
	}
	return l.pick(state, length, func(*big.Int) *big.Int { return new(big.Int) }, m)
}

// pick returns a word of a length. Of the n words that remain possible, in the order of the
// letters, it follows the one whose index draw returns.
func (l *Language) pick(state int32, length int, draw func(n *big.Int) *big.Int, m *meter.Meter) ([]string, bool, error) {
	word := []string{}
	for left := length; ; left-- {
		total, err := l.number(state, left, m)
		if err != nil || total.Sign() == 0 {
			return nil, false, err
		}
		if left == 0 {
			return word, true, nil
		}
		at := new(big.Int).Set(draw(total))
		moves, err := l.reader.steps(state, left, m)
		if err != nil {
			return nil, false, err
		}
		for _, move := range moves {
			n, err := l.number(move.to, left-1, m)
			if err != nil {
				return nil, false, err
			}
			if at.Cmp(n) < 0 {
				word, state = append(word, l.letters[move.letter]), move.to
				break
			}
			at.Sub(at, n)
		}
	}
}

// Automaton returns the automaton of a language over letters that include those of the language.
// The error is a limit of the meter; it is also returned for a language that cannot be read with finitely
// many states.
func (l *Language) Automaton(letters []string, m *meter.Meter) (*automaton.DFA, error) {
	place := places(l.letters, letters)
	start, err := l.reader.begin(unbounded, m)
	if err != nil {
		return nil, err
	}
	numbers, states := map[int32]int{start: 0}, []int32{start}
	var rows [][]int
	var accept []bool
	for i := 0; i < len(states); i++ {
		row := make([]int, len(letters))
		for j := range row {
			row[j] = -1
		}
		rows, accept = append(rows, row), append(accept, states[i] != noState && l.reader.accepts(states[i]))
		if err := m.Spend(meter.States, int64(1+len(letters)/8)); err != nil {
			return nil, err
		}
		if states[i] == noState {
			continue
		}
		moves, err := l.reader.steps(states[i], unbounded, m)
		if err != nil {
			return nil, err
		}
		for _, move := range moves {
			n, ok := numbers[move.to]
			if !ok {
				n = len(states)
				numbers[move.to] = n
				states = append(states, move.to)
			}
			row[place[move.letter]] = n
		}
	}
	return automaton.NewDFA(completed(rows), append(accept, false)), nil
}

// completed adds a dead state, which replaces -1 as the target of transitions.
func completed(rows [][]int) [][]int {
	dead := make([]int, len(rows[0]))
	for j := range dead {
		dead[j] = -1
	}
	rows = append(rows, dead)
	for _, row := range rows {
		for j, to := range row {
			if to < 0 {
				row[j] = len(rows) - 1
			}
		}
	}
	return rows
}

// places returns the index of each letter of a list in another, or -1.
func places(letters, in []string) []int {
	index := map[string]int{}
	for i, name := range in {
		index[name] = i
	}
	out := make([]int, len(letters))
	for i, name := range letters {
		out[i] = -1
		if at, ok := index[name]; ok {
			out[i] = at
		}
	}
	return out
}

// Joined returns the letters of two languages, without duplicates.
func Joined(a, b *Language) []string {
	out := slices.Clone(a.letters)
	for i, at := range places(b.letters, a.letters) {
		if at < 0 {
			out = append(out, b.letters[i])
		}
	}
	return out
}

// Missing returns a shortest word of up to max letters that l has and other lacks, or nil. upTo is
// the length up to which other has every word of l. If the budget of the meter ends before max, the
// search stops with the lengths that it completed; the other errors of a meter are returned.
func Missing(l, other *Language, max int, m *meter.Meter) (word []string, upTo int, err error) {
	c := comparison{l, other, places(l.letters, other.letters), map[[3]int32]bool{}, m}
	for upTo = -1; upTo < max; upTo++ {
		length := upTo + 1
		a, err := l.reader.begin(length, m)
		if err != nil {
			return nil, upTo, unlessLimit(err)
		}
		b, err := other.reader.begin(length, m)
		if err != nil {
			return nil, upTo, unlessLimit(err)
		}
		letters, err := c.search(a, b, length, []int{})
		if err != nil {
			return nil, upTo, unlessLimit(err)
		}
		if letters != nil {
			word = []string{}
			for _, letter := range letters {
				word = append(word, l.letters[letter])
			}
			return word, upTo, nil
		}
	}
	return nil, upTo, nil
}

// unlessLimit returns the error, or nil if it reports an exhausted budget.
func unlessLimit(err error) error {
	var limit *meter.LimitError
	if errors.As(err, &limit) {
		return nil
	}
	return err
}

// comparison searches the words of one language that another lacks.
type comparison struct {
	l, other *Language
	place    []int // by letter of l: the letter of other, or -1
	equal    map[[3]int32]bool
	m        *meter.Meter
}

// search looks for exactly left letters that complete the state a of l but not the state b of
// other. It returns them after the letters of read, or nil if there are none.
func (c *comparison) search(a, b int32, left int, read []int) ([]int, error) {
	number, err := c.l.number(a, left, c.m)
	if err != nil || number.Sign() == 0 {
		return nil, err
	}
	if left == 0 {
		if b != noState && c.other.reader.accepts(b) {
			return nil, nil
		}
		return read, nil
	}
	key := [3]int32{a, b, int32(left)}
	if c.equal[key] {
		return nil, nil
	}
	if err := c.m.Spend(meter.States, 1); err != nil {
		return nil, err
	}
	follow := map[int]int32{}
	if b != noState {
		moves, err := c.other.reader.steps(b, left, c.m)
		if err != nil {
			return nil, err
		}
		for _, move := range moves {
			follow[move.letter] = move.to
		}
	}
	moves, err := c.l.reader.steps(a, left, c.m)
	if err != nil {
		return nil, err
	}
	if err := c.m.Step(len(moves) + len(follow)); err != nil {
		return nil, err
	}
	for _, move := range moves {
		next, ok := follow[c.place[move.letter]]
		if !ok {
			next = noState
		}
		word, err := c.search(move.to, next, left-1, append(read[:len(read):len(read)], move.letter))
		if word != nil || err != nil {
			return word, err
		}
	}
	c.equal[key] = true
	return nil, nil
}

// tableReader reads the words of an automaton.
type tableReader struct {
	d        *automaton.DFA
	distance []int
}

func (r tableReader) begin(left int, _ *meter.Meter) (int32, error) {
	return r.live(r.d.Start(), left), nil
}

func (r tableReader) live(state, left int) int32 {
	if r.distance[state] < 0 || r.distance[state] > left {
		return noState
	}
	return int32(state)
}

func (r tableReader) accepts(state int32) bool { return r.d.Accepting(int(state)) }

func (r tableReader) steps(state int32, left int, m *meter.Meter) ([]step, error) {
	var out []step
	for letter := range r.d.NumLetters() {
		if to := r.live(r.d.Next(int(state), letter), left-1); to != noState {
			out = append(out, step{letter, to})
		}
	}
	return out, m.Step(1 + r.d.NumLetters())
}

// stackReader reads the words of a grammar: a state is the set of stacks of all leftmost
// derivations ([Sampler]) with the remaining uses of the limited terminals.
type stackReader struct {
	counter  *wordCounter // nil for a grammar without words but the empty one
	nullable bool
	caps     []int64 // nil without limits
	ids      map[string]int32
	states   []stacks
	known    map[situation][]step
}

// stacks is a state of a [stackReader].
type stacks struct {
	set  []stack
	uses []int64 // by terminal; [grammar.Unlimited] for any number; nil without limits
}

func (r *stackReader) begin(left int, m *meter.Meter) (int32, error) {
	set := []stack{}
	if r.nullable {
		set = append(set, stack{})
	}
	if r.counter == nil {
		return r.number(stacks{set, nil}, left), nil
	}
	r.counter.m, r.counter.err = m, nil
	set = r.counter.close(append(set, stack{r.counter.g.Start}), left)
	return r.number(stacks{set, r.caps}, left), r.counter.err
}

// number returns the number of a state, noState for one without stacks.
func (r *stackReader) number(s stacks, left int) int32 {
	if len(s.set) == 0 {
		return noState
	}
	var key []byte
	for _, one := range s.set {
		key = append(binary.AppendUvarint(key, uint64(len(one))), stackKey(one)...)
	}
	if s.uses != nil {
		s.uses = slices.Clone(s.uses)
		key = append(key, 0xff)
		for i, n := range s.uses {
			if n >= int64(left) { // the rest of a word cannot exceed the limit
				s.uses[i] = grammar.Unlimited
			}
			key = binary.AppendVarint(key, s.uses[i])
		}
	}
	id, ok := r.ids[string(key)]
	if !ok {
		id = int32(len(r.states))
		r.ids[string(key)] = id
		r.states = append(r.states, s)
	}
	return id
}

func (r *stackReader) accepts(state int32) bool {
	return slices.ContainsFunc(r.states[state].set, func(s stack) bool { return len(s) == 0 })
}

func (r *stackReader) steps(state int32, left int, m *meter.Meter) ([]step, error) {
	key := situation{state, int32(left)}
	if known, ok := r.known[key]; ok || r.counter == nil {
		return known, nil
	}
	at := r.states[state]
	r.counter.m, r.counter.err = m, nil
	moves := r.counter.moves(at.set, left)
	if r.counter.err != nil {
		return nil, r.counter.err
	}
	var out []step
	for _, move := range moves {
		uses := at.uses
		if uses != nil && uses[move.letter] >= 0 {
			if uses[move.letter] == 0 {
				continue
			}
			uses = slices.Clone(uses)
			uses[move.letter]--
		}
		rest := left - 1
		if left == unbounded {
			rest = unbounded
		}
		if to := r.number(stacks{move.set, uses}, rest); to != noState {
			out = append(out, step{int(move.letter), to})
		}
	}
	slices.SortFunc(out, func(a, b step) int { return a.letter - b.letter })
	r.known[key] = out
	return out, m.Spend(meter.States, int64(1+len(out)))
}
