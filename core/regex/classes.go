package regex

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode"
)

// Class is a set of strings that the same regular expressions match.
type Class struct {
	Matches []bool   // for each expression, whether it matches
	Samples []string // members, the shortest first
}

const (
	// maxClassVisits bounds the samples that end in one state.
	maxClassVisits = 8
	// maxClassSamples bounds the samples of a class.
	maxClassSamples = 32
)

// Classes partitions all texts by which expressions match them. It explores the product of the
// automata of the expressions, in order of length, and spends a budget of transitions. It returns false
// if the budget ends first: further classes may exist.
func Classes(programs []Expression, budget int) ([]Class, bool) {
	s := &classSearch{programs: programs, letters: representatives(programs), visits: map[string]int{}, budget: budget}
	complete := s.run()
	slices.SortStableFunc(s.classes, func(a, b Class) int { return len(a.Samples[0]) - len(b.Samples[0]) })
	return s.classes, complete
}

// classSearch is a breadth-first search over texts.
type classSearch struct {
	programs []Expression
	letters  []rune
	visits   map[string]int
	budget   int
	classes  []Class
}

// textState is the state of all programs after a text. Each program either has matched, or has
// pending instructions, which can be followed once the next character is known.
type textState struct {
	text    string
	before  rune
	pending [][]int
	matched []bool
}

func (s *classSearch) run() bool {
	n := len(s.programs)
	queue := []*textState{{before: -1, pending: make([][]int, n), matched: make([]bool, n)}}
	s.visits[queue[0].key()]++
	for len(queue) > 0 {
		now := queue[0]
		queue = queue[1:]
		s.end(now)
		for _, r := range s.letters {
			if s.budget--; s.budget < 0 {
				return false
			}
			next := s.step(now, r)
			key := next.key()
			if s.visits[key] >= maxClassVisits {
				continue
			}
			s.visits[key]++
			queue = append(queue, next)
		}
	}
	return true
}

// end adds the text of a state to its class.
func (s *classSearch) end(now *textState) {
	matches := slices.Clone(now.matched)
	for i, p := range s.programs {
		if !matches[i] {
			matches[i] = now.follow(p, i, -1, newThreads(len(p)))
		}
	}
	for i := range s.classes {
		if slices.Equal(s.classes[i].Matches, matches) {
			if len(s.classes[i].Samples) < maxClassSamples {
				s.classes[i].Samples = append(s.classes[i].Samples, now.text)
			}
			return
		}
	}
	s.classes = append(s.classes, Class{Matches: matches, Samples: []string{now.text}})
}

// follow adds the instructions that program i reaches before the character after, and reports whether it matches.
func (t *textState) follow(p Expression, i int, after rune, threads *threads) bool {
	if p.follow(threads, 0, t.before, after) {
		return true
	}
	for _, from := range t.pending[i] {
		if p.follow(threads, from, t.before, after) {
			return true
		}
	}
	return false
}

func (s *classSearch) step(now *textState, r rune) *textState {
	next := &textState{text: now.text + string(r), before: r, pending: make([][]int, len(s.programs)), matched: slices.Clone(now.matched)}
	for i, p := range s.programs {
		if next.matched[i] {
			continue
		}
		threads := newThreads(len(p))
		if now.follow(p, i, r, threads) {
			next.matched[i] = true
			continue
		}
		for _, at := range threads.list[:threads.n] {
			if in := &p[at]; in.op == opSet && in.set.has(r) {
				next.pending[i] = append(next.pending[i], in.x)
			}
		}
		slices.Sort(next.pending[i])
		next.pending[i] = slices.Compact(next.pending[i])
	}
	return next
}

// key returns a text that identifies the state: states with the same key have the same continuations.
func (t *textState) key() string {
	b := []byte{kindOf(t.before)}
	for i, list := range t.pending {
		if t.matched[i] {
			b = append(b, 1)
			continue
		}
		b = append(b, 0)
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, at := range list {
			b = binary.AppendUvarint(b, uint64(at))
		}
	}
	return string(b)
}

// representatives returns a character for each set of characters that no program distinguishes.
func representatives(programs []Expression) []rune {
	var sets []*runeSet
	for _, p := range programs {
		for i := range p {
			if p[i].set != nil {
				sets = append(sets, p[i].set)
			}
		}
	}
	var candidates []rune
	for r := 'a'; r <= 'z'; r++ {
		candidates = append(candidates, r)
	}
	for r := rune(0x20); r < 0x7f; r++ {
		candidates = append(candidates, r)
	}
	candidates = append(candidates, '\n', 'é', 0, unicode.MaxRune)
	bounds, folding := changes(sets)
	candidates = append(append(candidates, bounds...), folding...)
	seen := map[string]bool{}
	done := map[rune]bool{}
	var out []rune
	signature := make([]byte, len(sets)+2)
	for _, r := range candidates {
		if r < 0 || r > unicode.MaxRune || 0xd800 <= r && r < 0xe000 || done[r] {
			continue
		}
		done[r] = true
		for i, s := range sets {
			signature[i] = bit(s.has(r))
		}
		signature[len(sets)], signature[len(sets)+1] = bit(isWord(r)), bit(r == '\n')
		if !seen[string(signature)] {
			seen[string(signature)] = true
			out = append(out, r)
		}
	}
	return out
}

// changes returns the characters at which membership in a set may change: the bounds of its parts, and, if a
// part ignores case, the characters with more than one case.
func changes(sets []*runeSet) (bounds, folding []rune) {
	fold := false
	for _, s := range sets {
		for i := range s.parts {
			bounds = s.parts[i].bounds(bounds)
			fold = fold || s.parts[i].fold
		}
	}
	if fold {
		folding = cased()
	}
	return bounds, folding
}

// cased returns the characters with more than one case.
var cased = sync.OnceValue(func() (out []rune) {
	for r := rune(0); r < 0x1f000; r++ {
		if unicode.SimpleFold(r) != r {
			out = append(out, r)
		}
	}
	return out
})

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// bounds adds the characters at which membership may change.
func (p *runePart) bounds(out []rune) []rune {
	around := func(low, high rune) { out = append(out, low, high, low-1, high+1) }
	low := rune(-1)
	for _, bound := range p.ranges {
		if low < 0 {
			low = bound
			continue
		}
		around(low, bound)
		low = -1
	}
	if p.table == nil {
		return out
	}
	add := func(low, high, stride rune) {
		if stride == 1 {
			around(low, high)
			return
		}
		for r := low; r <= high; r += stride {
			around(r, r)
		}
	}
	for _, r := range p.table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range p.table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out
}
