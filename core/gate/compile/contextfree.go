package compile

import (
	"encoding/binary"
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

const (
	// maxTable bounds the states of a table; a grammar with more is a grammar in the file.
	maxTable = 4000
	// maxStack bounds the stack of a configuration, and maxConfigs their number in a state.
	maxStack   = 48
	maxConfigs = 200
)

// ofContextFree returns the spec of a grammar: a table if its words need a bounded stack and the
// table is small, otherwise the grammar. The error has code "guard.spec" for a grammar with
// limits that is not a table, since only a table represents limits exactly.
func ofContextFree(name string, g *grammar.Grammar, limits grammar.Limits, backwards bool) (*gate.Spec, error) {
	if g.Empty() {
		return nil, source.NewError("guard.spec", name+" has no word; every call would be refused")
	}
	s := ofWords(name, slices.Clone(g.Names[:g.NumTerminals]))
	useful := g.Useful()
	for _, p := range g.Productions {
		if !useful[p.Left] || slices.ContainsFunc(p.Right, func(symbol grammar.Symbol) bool { return int(symbol) >= g.NumTerminals && !useful[symbol] }) {
			continue
		}
		production := gate.Production{Left: int(p.Left), Right: []int{}}
		for _, symbol := range p.Right {
			production.Right = append(production.Right, int(symbol))
		}
		if backwards {
			slices.Reverse(production.Right)
		}
		if p.Left == g.Start {
			s.Productions = slices.Insert(s.Productions, 0, production)
		} else {
			s.Productions = append(s.Productions, production)
		}
	}
	var caps []int64
	if !limits.Empty() {
		var err error
		if caps, err = g.Caps(limits); err != nil {
			return nil, err
		}
	}
	d, err := determinize(s, caps)
	if err != nil {
		return nil, err
	}
	switch {
	case d != nil:
		s.Productions = nil
		return s, setTable(s, d)
	case caps != nil:
		return nil, source.NewError("guard.spec", name+" has limits, and its words need an unbounded stack or too large a table; a guard cannot enforce it exactly")
	}
	s.Kind = "grammar"
	return s, nil
}

// explorer determinizes the leftmost derivations of a grammar: a state is a set of stacks whose
// top is a letter, with the numbers of letters that limits count.
type explorer struct {
	letters int
	byLeft  map[int][][]int
	caps    []int64
}

// determinize returns the automaton of a grammar's words, or nil if it needs an unbounded stack
// or too many states.
func determinize(s *gate.Spec, caps []int64) (*automaton.DFA, error) {
	x := &explorer{letters: len(s.Letters), byLeft: map[int][][]int{}, caps: caps}
	for _, p := range s.Productions {
		x.byLeft[p.Left] = append(x.byLeft[p.Left], p.Right)
	}
	type state struct {
		stacks []string
		counts []int64
	}
	first, ok := x.close([]string{pack([]int{s.Productions[0].Left})})
	if !ok {
		return nil, nil
	}
	index := map[string]int{}
	var states []state
	add := func(stacks []string, counts []int64) int {
		key := ""
		for _, stack := range stacks {
			key += string(binary.AppendUvarint(nil, uint64(len(stack)))) + stack
		}
		for _, n := range counts {
			key += string(binary.AppendVarint(nil, n))
		}
		q, known := index[key]
		if !known {
			q = len(states)
			index[key] = q
			states = append(states, state{stacks, counts})
		}
		return q
	}
	add(first, slices.Clone(caps))
	const dead = -1
	var next [][]int
	var accept []bool
	for q := 0; q < len(states); q++ {
		if len(states) > maxTable {
			return nil, nil
		}
		at := states[q]
		successors := make([]int, x.letters)
		for letter := range successors {
			successors[letter] = dead
		}
		byLetter := map[int][]string{}
		ends := false
		for _, stack := range at.stacks {
			symbols := unpack(stack)
			if len(symbols) == 0 {
				ends = true
			} else {
				byLetter[symbols[0]] = append(byLetter[symbols[0]], pack(symbols[1:]))
			}
		}
		for letter := range x.letters {
			stacks := byLetter[letter]
			if len(stacks) == 0 || at.counts != nil && at.counts[letter] == 0 {
				continue
			}
			closed, ok := x.close(stacks)
			if !ok {
				return nil, nil
			}
			counts := slices.Clone(at.counts)
			if counts != nil && counts[letter] > 0 {
				counts[letter]--
			}
			successors[letter] = add(closed, counts)
		}
		next, accept = append(next, successors), append(accept, ends)
	}
	sink := len(next)
	for _, row := range next {
		for letter, to := range row {
			if to == dead {
				row[letter] = sink
			}
		}
	}
	all := make([]int, x.letters)
	for letter := range all {
		all[letter] = sink
	}
	return automaton.NewDFA(append(next, all), append(accept, false)).Minimize(meter.New(budget))
}

// close expands stacks until their tops are letters. It is false if that exceeds the bounds.
func (x *explorer) close(stacks []string) ([]string, bool) {
	seen := map[string]bool{}
	var out []string
	queue := slices.Clone(stacks)
	for len(queue) > 0 {
		stack := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[stack] {
			continue
		}
		if seen[stack] = true; len(seen) > 4*maxConfigs || len(out) > maxConfigs {
			return nil, false
		}
		symbols := unpack(stack)
		if len(symbols) > maxStack {
			return nil, false
		}
		if len(symbols) == 0 || symbols[0] < x.letters {
			out = append(out, stack)
			continue
		}
		for _, right := range x.byLeft[symbols[0]] {
			queue = append(queue, pack(slices.Concat(right, symbols[1:])))
		}
	}
	slices.Sort(out)
	return out, true
}

func pack(symbols []int) string {
	var b []byte
	for _, symbol := range symbols {
		b = binary.AppendUvarint(b, uint64(symbol))
	}
	return string(b)
}

func unpack(text string) []int {
	var out []int
	for b := []byte(text); len(b) > 0; {
		symbol, n := binary.Uvarint(b)
		out, b = append(out, int(symbol)), b[n:]
	}
	return out
}
