package pushdown

import (
	"sort"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Symbols converts letters to terminals of the grammar; ok is false if any is not a letter of the
// automaton.
func (w *Words) Symbols(word []string) (symbols []grammar.Symbol, ok bool) {
	for _, letter := range word {
		s, known := w.Grammar.Lookup(letter)
		if !known || !w.Grammar.IsTerminal(s) {
			return symbols, false
		}
		symbols = append(symbols, s)
	}
	return symbols, true
}

// Accepts reports whether the automaton accepts a word, even with cycles of ε-moves. The error is
// the meter's.
func (w *Words) Accepts(word []string, m *meter.Meter) (bool, error) {
	symbols, ok := w.Symbols(word)
	if !ok {
		return false, nil
	}
	return earley.New(w.Grammar).Recognize(symbols, m)
}

// Runs returns accepting runs of a word, at most max of them, each a list of
// transitions, and their total number: [earley.InfinitelyMany] if ε-moves form a cycle, and then
// one run is returned. The error has code "limit.trees" above 2^53 runs; otherwise it is the
// meter's.
func (w *Words) Runs(word []string, max int, m *meter.Meter) (runs [][]int, count int64, err error) {
	symbols, ok := w.Symbols(word)
	if !ok {
		return nil, 0, nil
	}
	f, err := earley.New(w.Grammar).Forest(symbols, m)
	if f == nil || err != nil {
		return nil, 0, err
	}
	if count, err = f.Trees(); err != nil {
		return nil, 0, err
	}
	if count == earley.InfinitelyMany {
		return [][]int{w.run(f.First())}, count, nil
	}
	for n := range min(count, int64(max)) {
		t, err := f.Tree(n)
		if err != nil {
			return nil, 0, err
		}
		runs = append(runs, w.run(t))
	}
	return runs, count, nil
}

// run lists the transitions of a derivation in leftmost order, in which the automaton makes them.
func (w *Words) run(t *earley.Tree) []int {
	out := []int{}
	for stack := []*earley.Tree{t}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.Production < 0 {
			continue
		}
		if transition := w.Transitions[top.Production]; transition >= 0 {
			out = append(out, transition)
		}
		for i := len(top.Children) - 1; i >= 0; i-- {
			stack = append(stack, top.Children[i])
		}
	}
	return out
}

// Situation is a configuration of an automaton: its state and its stack, the top
// first.
type Situation struct {
	State int
	Stack []string
}

// Situations returns configurations that the automaton can be in after a prefix
// and from which it can still accept, before and after moves that read nothing.
// The shortest stacks come first; at most max are returned, and truncated reports whether there
// may be others, because such moves may push symbols without end.
func (w *Words) Situations(prefix []string, max int, m *meter.Meter) (list []Situation, truncated bool, err error) {
	x := &explorer{summaries: w.summaries, m: m}
	state, stack := w.summaries.start()
	var now []situation
	if first := stack[:len(stack)-1]; x.ends(state, first) {
		now = append(now, situation{state, first})
	}
	if now, err = x.quietly(now); err != nil {
		return nil, false, err
	}
	for _, letter := range prefix {
		read, ok := w.summaries.letters[letter]
		if !ok {
			return nil, false, nil
		}
		if now, err = x.read(now, read); err == nil {
			now, err = x.quietly(now)
		}
		if err != nil {
			return nil, false, err
		}
	}
	if len(now) > max {
		now, x.truncated = now[:max], true
	}
	for _, s := range now {
		names := make([]string, len(s.stack))
		for i, symbol := range s.stack {
			names[i] = w.summaries.names[symbol]
		}
		list = append(list, Situation{State: s.state, Stack: names})
	}
	return list, x.truncated, nil
}

type situation struct {
	state int
	stack []int
}

type explorer struct {
	*summaries
	m         *meter.Meter
	truncated bool
}

// moves calls visit with each successor of a configuration by a rule that reads a letter.
func (x *explorer) moves(s situation, fits func(read int) bool, visit func(situation)) {
	top, rest := x.bottom(), []int{}
	if len(s.stack) > 0 {
		top, rest = s.stack[0], s.stack[1:]
	}
	for _, r := range x.rulesOf(head{s.state, top}) {
		if r.transition < 0 || !fits(r.read) {
			continue
		}
		next := situation{state: r.to}
		for _, symbol := range append(append([]int{}, r.push...), rest...) {
			if symbol != x.bottom() {
				next.stack = append(next.stack, symbol)
			}
		}
		if x.ends(next.state, next.stack) {
			visit(next)
		}
	}
}

// collection gathers configurations, each once, the shortest stacks first.
type collection struct {
	list []situation
	seen map[string]bool
}

func (c *collection) add(s situation) bool {
	key := make([]byte, 0, 4*len(s.stack)+4)
	for _, n := range append([]int{s.state}, s.stack...) {
		key = append(key, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	if c.seen[string(key)] {
		return false
	}
	c.seen[string(key)] = true
	c.list = append(c.list, s)
	return true
}

func (x *explorer) read(from []situation, letter int) ([]situation, error) {
	c := collection{seen: map[string]bool{}}
	for _, s := range from {
		x.moves(s, func(read int) bool { return read == letter || read == readAny }, func(next situation) { c.add(next) })
		if err := x.m.Step(1 + len(s.stack)); err != nil {
			return nil, err
		}
	}
	return c.list, nil
}

// quietly returns configurations and all those that ε-moves reach from them.
func (x *explorer) quietly(from []situation) ([]situation, error) {
	c := collection{seen: map[string]bool{}}
	deepest := 0
	for _, s := range from {
		c.add(s)
		deepest = max(deepest, len(s.stack))
	}
	for i := 0; i < len(c.list); i++ {
		if i == maxExplored {
			x.truncated = true
			break
		}
		x.moves(c.list[i], func(read int) bool { return read == readNothing }, func(next situation) {
			if len(next.stack) > deepest+maxStack {
				x.truncated = true
				return
			}
			c.add(next)
		})
		if err := x.m.Step(1 + len(c.list[i].stack)); err != nil {
			return nil, err
		}
	}
	sort.SliceStable(c.list, func(i, j int) bool { return len(c.list[i].stack) < len(c.list[j].stack) })
	return c.list, nil
}
