package pushdown

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Config is a configuration of the automaton of a grammar: its state and its
// stack, the top first and without the bottom symbol.
type Config struct {
	State int
	Stack []grammar.Symbol
}

// maxStack bounds how much stacks grow between two letters. A left-recursive grammar pushes
// symbols without reading anything; a stack this deep is not readable.
const maxStack = 64

// maxExplored is the maximum number of configurations explored after one letter.
const maxExplored = 2_000

// Configs returns configurations that the automaton of a grammar can be in after reading a prefix
// and from which it can still accept. They are those directly after the last letter, before any
// move that reads nothing; only a finished automaton is also listed in its accepting state. The
// shortest stacks come first; at most max configurations are returned, and truncated reports
// whether there may be others. The work is bounded even with left recursion.
func Configs(g *grammar.Grammar, prefix []grammar.Symbol, max int, m *meter.Meter) (configs []Config, truncated bool, err error) {
	useful := g.Useful()
	if !useful[g.Start] {
		return nil, false, nil
	}
	now := []Config{{State: stateWork, Stack: []grammar.Symbol{g.Start}}}
	if len(prefix) == 0 {
		return []Config{{State: stateStart, Stack: nil}}, false, nil
	}
	for _, letter := range prefix {
		x := expansion{g: g, useful: useful, letter: letter, seen: map[string]bool{}, m: m}
		next, err := x.run(now)
		if err != nil {
			return nil, false, err
		}
		truncated = truncated || x.truncated
		if len(next) == 0 {
			return nil, truncated, nil
		}
		now = next
	}
	for _, c := range now {
		if len(c.Stack) == 0 {
			configs = append(configs, Config{State: stateAccept})
		}
	}
	configs = append(configs, now...)
	if len(configs) > max {
		configs, truncated = configs[:max], true
	}
	return configs, truncated, nil
}

// expansion is the search for the configurations after one letter: moves that read nothing, then a
// move that reads the letter.
type expansion struct {
	g         *grammar.Grammar
	useful    []bool
	letter    grammar.Symbol
	seen      map[string]bool
	out       []Config
	truncated bool
	m         *meter.Meter
}

func (x *expansion) run(from []Config) ([]Config, error) {
	// By length, the shortest stack first, so that growing stacks are explored last.
	deepest := x.deepest(from)
	queue := make([][][]grammar.Symbol, deepest+1)
	shortest := deepest
	push := func(stack []grammar.Symbol) {
		queue[len(stack)] = append(queue[len(stack)], stack)
		shortest = min(shortest, len(stack))
	}
	for _, c := range from {
		push(c.Stack)
	}
	reached := map[string]bool{}
	for explored := 0; ; explored++ {
		for shortest < deepest && len(queue[shortest]) == 0 {
			shortest++
		}
		if len(queue[shortest]) == 0 {
			break
		}
		if explored == maxExplored {
			x.truncated = true
			break
		}
		stack := queue[shortest][0]
		queue[shortest] = queue[shortest][1:]
		if len(stack) == 0 {
			continue
		}
		top, rest := stack[0], stack[1:]
		if x.g.IsTerminal(top) {
			if top == x.letter {
				x.reach(rest, reached)
			}
			continue
		}
		for _, production := range x.g.ByLeft(top) {
			right := x.g.Productions[production].Right
			if !x.allUseful(right) {
				continue
			}
			if err := x.m.Step(1 + len(stack)); err != nil {
				return nil, err
			}
			next := slices.Concat(right, rest)
			switch {
			case len(right) > 0 && x.g.IsTerminal(right[0]):
				if right[0] == x.letter {
					x.reach(next[1:], reached)
				}
			case len(next) > deepest:
				x.truncated = true
			default:
				if key := stackKey(next); !x.seen[key] {
					x.seen[key] = true
					push(next)
				}
			}
		}
	}
	sort.SliceStable(x.out, func(i, j int) bool { return len(x.out[i].Stack) < len(x.out[j].Stack) })
	return x.out, nil
}

// deepest returns the maximum depth of a stack between two letters. It leaves room for the longest
// right side of the grammar.
func (x *expansion) deepest(from []Config) int {
	stack, right := 0, 0
	for _, c := range from {
		stack = max(stack, len(c.Stack))
	}
	for _, p := range x.g.Productions {
		right = max(right, len(p.Right))
	}
	return stack + right + maxStack
}

func (x *expansion) reach(stack []grammar.Symbol, reached map[string]bool) {
	if key := stackKey(stack); !reached[key] {
		reached[key] = true
		x.out = append(x.out, Config{State: stateWork, Stack: stack})
	}
}

func (x *expansion) allUseful(right []grammar.Symbol) bool {
	for _, s := range right {
		if !x.useful[s] {
			return false
		}
	}
	return true
}

func stackKey(stack []grammar.Symbol) string {
	key := make([]byte, 0, 4*len(stack))
	for _, s := range stack {
		key = binary.LittleEndian.AppendUint32(key, uint32(s))
	}
	return string(key)
}
