package checker

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
)

// order reads a list of steps as a partial order: each step follows the steps whose results
// it takes, and branches may be interleaved in any way. A postfix step grammar accepts one
// order of each derivation only.
//
// Steps are read from the first to the last. The state is the multiset of results that no
// step has taken yet; a step removes its arguments and adds its result. A list is a plan if
// one result remains at the end. Results with the same behaviour (nonterminal, effect on
// the properties' automaton, use of limited inputs) are interchangeable, so that each
// position has few states: with k kinds of results and n steps at most n^k.
type order struct {
	t       *stepGrammar
	rules   *space.Rules
	steps   map[grammar.Symbol][]*stepRule  // by visible symbol
	items   map[grammar.Symbol][]subsetItem // by visible symbol: the items of subsets
	covers  map[[2]grammar.Symbol]bool      // unit productions derive the second symbol from the first
	silent  map[grammar.Symbol][]filler     // by nonterminal: the arguments that are not steps
	silence []silentRule                    // productions without a step
	caps    []int64                         // by letter; nil: no limits
	slots   map[grammar.Symbol]int          // by limited letter whose number the steps do not determine: its index in effect.uses
	dfa     *automaton.DFA                  // nil: no properties
	effects []effect
	numbers map[string]int32
	joined  map[[2]int32]int32
	meter   *meter.Meter
}

// stepRule is a production with one step: a tool with its arguments.
type stepRule struct {
	left    grammar.Symbol
	visible grammar.Symbol
	right   []grammar.Symbol // letters and arguments, in the order of the word
	takes   int              // arguments
}

type silentRule struct {
	left  grammar.Symbol
	right []grammar.Symbol
}

type subsetItem struct {
	left   grammar.Symbol
	subset *grammar.Subset
	item   int
}

// filler is an argument that is not the result of a step. In a postfix step grammar the
// number of a silent terminal is that of its letter.
type filler struct {
	word   []grammar.Symbol
	effect int32
}

// effect is the effect of a part of the word: the state transformation of the properties'
// automaton and the uses of the limited letters in slots.
type effect struct {
	to   []int
	uses []int64
}

// noEffect is the effect of a part that exceeds a limit or breaks a property.
const noEffect = int32(-1)

// newOrder returns a reader of step lists. If ruled is true, it applies limits and properties.
func newOrder(t *stepGrammar, r *space.Rules, ruled bool, m *meter.Meter) (*order, error) {
	o := &order{
		t: t, rules: r, meter: m, steps: map[grammar.Symbol][]*stepRule{}, items: map[grammar.Symbol][]subsetItem{}, covers: map[[2]grammar.Symbol]bool{},
		silent: map[grammar.Symbol][]filler{}, slots: map[grammar.Symbol]int{}, numbers: map[string]int32{}, joined: map[[2]int32]int32{},
	}
	if ruled {
		o.caps, o.dfa = r.Caps, r.Automaton
	}
	units := o.sort()
	o.limit()
	o.close(units)
	return o, o.fill()
}

// sort distributes the productions of the step grammar and returns the unit productions.
func (o *order) sort() (units [][2]grammar.Symbol) {
	g := o.t.g
	for _, p := range g.Productions {
		if o.t.literal[p.Left] {
			continue
		}
		rule := &stepRule{left: p.Left, visible: -1}
		for _, s := range p.Right {
			switch {
			case !g.IsTerminal(s):
				rule.takes++
				rule.right = append(rule.right, s)
			case o.t.silent[s]:
				rule.right = append(rule.right, s)
			default:
				rule.visible = s
			}
		}
		switch {
		case rule.visible >= 0:
			o.steps[rule.visible] = append(o.steps[rule.visible], rule)
		case len(p.Right) == 1 && rule.takes == 1:
			if units = append(units, [2]grammar.Symbol{p.Left, p.Right[0]}); !o.t.literal[p.Right[0]] {
				o.silence = append(o.silence, silentRule{p.Left, p.Right})
			}
		default:
			o.silence = append(o.silence, silentRule{p.Left, rule.right})
		}
	}
	for left, subset := range o.t.subsets {
		for i, item := range subset.Items {
			if i >= maxSubset {
				break
			}
			for _, visible := range []grammar.Symbol{o.t.names[item], o.t.chosen[item]} {
				o.items[visible] = append(o.items[visible], subsetItem{left, subset, i})
			}
		}
	}
	for _, list := range o.items {
		slices.SortFunc(list, func(a, b subsetItem) int { return cmp.Compare(a.left, b.left) })
	}
	return units
}

// maxSubset is the size of a subset that fits in a mask.
const maxSubset = 64

// limit finds the limited letters whose number of uses the steps do not determine: inputs, and
// letters of productions with a label.
func (o *order) limit() {
	if o.caps == nil {
		return
	}
	free := make([]bool, len(o.caps))
	mark := func(right []grammar.Symbol, visible grammar.Symbol) {
		named := grammar.Symbol(-1)
		if visible >= 0 {
			named = o.t.letter[visible]
		}
		for _, s := range right {
			if !o.t.g.IsTerminal(s) {
				continue
			}
			if letter := o.t.letter[s]; letter == named {
				named = -1
			} else {
				free[letter] = true
			}
		}
	}
	for _, rule := range o.silence {
		mark(rule.right, -1)
	}
	for _, list := range o.steps {
		for _, rule := range list {
			mark(rule.right, rule.visible)
		}
	}
	for letter, limit := range o.caps {
		if free[letter] && limit >= 0 {
			o.slots[grammar.Symbol(letter)] = len(o.slots)
		}
	}
}

// close computes covers from the unit productions.
func (o *order) close(units [][2]grammar.Symbol) {
	for s := o.t.g.NumTerminals; s < o.t.g.NumSymbols(); s++ {
		open := []grammar.Symbol{grammar.Symbol(s)}
		for len(open) > 0 {
			top := open[len(open)-1]
			open = open[:len(open)-1]
			if key := [2]grammar.Symbol{grammar.Symbol(s), top}; !o.covers[key] {
				o.covers[key] = true
				for _, u := range units {
					if u[0] == top {
						open = append(open, u[1])
					}
				}
			}
		}
	}
}

// fill computes the arguments without a step, as a least fixpoint.
func (o *order) fill() error {
	for changed := true; changed; {
		changed = false
		for _, rule := range o.silence {
			found := []filler{{effect: o.nothing()}}
			for _, s := range rule.right {
				var longer []filler
				for _, f := range found {
					for _, add := range o.fillers(s) {
						if err := o.meter.Step(1 + len(f.word)); err != nil {
							return err
						}
						if e := o.join(f.effect, add.effect); e != noEffect {
							longer = append(longer, filler{append(slices.Clip(f.word), add.word...), e})
						}
					}
				}
				found = longer
			}
			for _, f := range found {
				if !slices.ContainsFunc(o.silent[rule.left], f.replaces) {
					o.silent[rule.left], changed = append(o.silent[rule.left], f), true
				}
			}
		}
	}
	return nil
}

// replaces reports whether a filler makes a known one redundant: both have the same effect and, if
// either is a single input, both are the same input.
func (f filler) replaces(known filler) bool {
	single := len(f.word) == 1 || len(known.word) == 1
	return f.effect == known.effect && (!single || slices.Equal(f.word, known.word))
}

func (o *order) fillers(s grammar.Symbol) []filler {
	if o.t.g.IsTerminal(s) {
		return []filler{{[]grammar.Symbol{s}, o.letter(s)}}
	}
	return o.silent[s]
}

// number returns the index of an effect in o.effects, to which it adds a new effect.
func (o *order) number(e effect) int32 {
	var key []byte
	for _, q := range e.to {
		key = binary.AppendUvarint(key, uint64(q))
	}
	for _, n := range e.uses {
		key = binary.AppendUvarint(key, uint64(n))
	}
	n, known := o.numbers[string(key)]
	if !known {
		n = int32(len(o.effects))
		o.effects, o.numbers[string(key)] = append(o.effects, e), n
	}
	return n
}

func (o *order) states() int {
	if o.dfa == nil {
		return 1
	}
	return o.dfa.NumStates()
}

// nothing returns the effect of the empty word.
func (o *order) nothing() int32 {
	e := effect{make([]int, o.states()), make([]int64, len(o.slots))}
	for q := range e.to {
		e.to[q] = q
	}
	return o.number(e)
}

// letter returns the effect of a silent terminal.
func (o *order) letter(s grammar.Symbol) int32 {
	letter := o.t.letter[s]
	e := effect{make([]int, o.states()), make([]int64, len(o.slots))}
	if o.dfa != nil {
		for q := range e.to {
			e.to[q] = o.dfa.Next(q, int(letter))
		}
	}
	if slot, limited := o.slots[letter]; limited {
		if e.uses[slot] = 1; o.caps[letter] < 1 {
			return noEffect
		}
	}
	return o.number(e)
}

// join returns the effect of two parts of a word, one after the other.
func (o *order) join(a, b int32) int32 {
	if a == noEffect || b == noEffect {
		return noEffect
	}
	key := [2]int32{a, b}
	if n, known := o.joined[key]; known {
		return n
	}
	first, second := o.effects[a], o.effects[b]
	e := effect{make([]int, len(first.to)), make([]int64, len(first.uses))}
	hope := o.dfa == nil
	for q := range e.to {
		e.to[q] = second.to[first.to[q]]
		hope = hope || !o.rules.Hopeless(e.to[q])
	}
	within := true
	for letter, i := range o.slots {
		e.uses[i] = first.uses[i] + second.uses[i]
		within = within && e.uses[i] <= o.caps[letter]
	}
	n := noEffect
	if hope && within {
		n = o.number(e)
	}
	o.joined[key] = n
	return n
}

// accepts reports whether a result completes a plan.
func (o *order) accepts(r result) bool {
	if !o.covers[[2]grammar.Symbol{o.t.g.Start, r.left}] {
		return false
	}
	return o.dfa == nil || o.dfa.Accepting(o.effects[r.effect].to[o.dfa.Start()])
}

// spend reports whether the listed steps are within the limits.
func (o *order) spend(listed []grammar.Symbol) bool {
	if o.caps == nil {
		return true
	}
	used := map[grammar.Symbol]int64{}
	for _, s := range listed {
		letter := o.t.letter[s]
		if letter < 0 {
			continue
		}
		if used[letter]++; o.caps[letter] >= 0 && used[letter] > o.caps[letter] {
			return false
		}
	}
	return true
}
