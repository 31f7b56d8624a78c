package grammar

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/meter"
)

// Needs decides, exactly and fast, whether the symbols that a planner has yet to expand can be
// derived with the remaining uses.
//
// For each nonterminal it holds the antichain of minimal needs. A need is a vector that counts uses
// of limited terminals; every word that the nonterminal derives has the uses of at least one need.
// A list of symbols can be derived within the remaining uses if and only if some sum of one minimal
// need of each symbol is within these uses. The antichains are the least fixpoint of
// M(A) = min ⋃ ΣM(αᵢ) over A → α, pruned by the limits, so they are finite (Dickson's lemma);
// deciding the question is NP-complete in general, and a grammar that is too hard ends in a
// [meter.LimitError].
//
// Terminals that are interchangeable wherever they occur, each at the beginning of a right side
// (a1 to a4 in A → a1 | a2 | a3 | a4), are counted as one class, whose limit is the sum of theirs.
// That is exact, and it keeps the antichains small. A terminal further to the right is not
// interchangeable: once its production is chosen, no other terminal can replace it.
//
// A Needs never changes once computed and may be shared.
type Needs struct {
	grammar *Grammar
	class   []int32 // by terminal; -1 for one without limit
	size    int     // number of classes
	caps    Vector  // by class
	minimal [][]Vector
	units   []Vector // by class
}

// Vector counts uses, by class of limited terminals.
type Vector []int32

// Antichain is a set of vectors none of which is within another: the minimal
// needs of something that is yet to be derived. An empty antichain means that it cannot be derived
// within the limits; an antichain of only the zero vector, that it needs no limited terminal.
type Antichain []Vector

// ComputeNeeds returns the minimal needs of every nonterminal under the caps of
// [Grammar.Caps]. It spends states for vectors kept and steps for vectors
// compared.
func ComputeNeeds(g *Grammar, caps []int64, m *meter.Meter) (*Needs, error) {
	n := &Needs{grammar: g, minimal: make([][]Vector, len(g.Names))}
	n.classify(caps)
	for s := range g.NumTerminals {
		n.minimal[s] = n.terminalNeed(Symbol(s))
	}
	users := make([][]int32, len(g.Names))
	var queue []int32
	queued := make([]bool, len(g.Productions))
	for i, p := range g.Productions {
		for _, s := range p.Right {
			if k := len(users[s]); !g.IsTerminal(s) && (k == 0 || users[s][k-1] != int32(i)) {
				users[s] = append(users[s], int32(i))
			}
		}
		queue, queued[i] = append(queue, int32(i)), true
	}
	for len(queue) > 0 {
		i := queue[0]
		queue, queued[i] = queue[1:], false
		p := g.Productions[i]
		sum, err := n.Sum(p.Right, m)
		if err != nil {
			return nil, err
		}
		merged, changed, err := merge(n.minimal[p.Left], sum, m)
		if err != nil {
			return nil, err
		}
		if !changed {
			continue
		}
		n.minimal[p.Left] = merged
		for _, u := range users[p.Left] {
			if !queued[u] {
				queue, queued[u] = append(queue, u), true
			}
		}
	}
	return n, nil
}

// classify groups the limited terminals: two belong to one class if each occurs only at
// the beginning of right sides and their occurrences, with the terminal itself left
// blank, are the same.
func (n *Needs) classify(caps []int64) {
	g := n.grammar
	contexts := make([]strings.Builder, g.NumTerminals)
	following := make([]bool, g.NumTerminals)
	for _, p := range g.Productions {
		for i, s := range p.Right {
			if !g.IsTerminal(s) || caps[s] == Unlimited {
				continue
			}
			if i > 0 {
				following[s] = true
				continue
			}
			fmt.Fprint(&contexts[s], p.Left, ":")
			for _, t := range p.Right[1:] {
				contexts[s].WriteString(" " + strconv.Itoa(int(t)))
			}
			contexts[s].WriteByte(';')
		}
	}
	n.class = make([]int32, g.NumTerminals)
	byContext := map[string]int32{}
	for s := range n.class {
		if caps[s] == Unlimited {
			n.class[s] = -1
			continue
		}
		key := contexts[s].String()
		if following[s] {
			key = "alone " + strconv.Itoa(s)
		}
		class, ok := byContext[key]
		if !ok {
			class = int32(n.size)
			byContext[key] = class
			n.size++
			n.caps = append(n.caps, 0)
		}
		n.class[s] = class
		n.caps[class] = int32(min(int64(n.caps[class])+caps[s], maxCount))
	}
	for c := range n.size {
		unit := make(Vector, n.size)
		unit[c] = 1
		n.units = append(n.units, unit)
	}
}

// maxCount is the largest count; no word that fits in memory needs more.
const maxCount = 1 << 30

func (n *Needs) terminalNeed(t Symbol) []Vector {
	class := n.class[t]
	switch {
	case class < 0:
		return []Vector{make(Vector, n.size)}
	case n.caps[class] == 0:
		return nil
	default:
		return []Vector{n.units[class]}
	}
}

// Nothing is the antichain of the empty list of symbols.
func (n *Needs) Nothing() Antichain { return Antichain{make(Vector, n.size)} }

// Of returns the minimal needs of one symbol. The antichain is shared.
func (n *Needs) Of(s Symbol) Antichain { return n.minimal[s] }

// Sum returns the minimal needs of a list of symbols, one after the other.
func (n *Needs) Sum(symbols []Symbol, m *meter.Meter) (Antichain, error) {
	sum := n.Nothing()
	for _, s := range symbols {
		var err error
		if sum, err = n.Add(sum, n.minimal[s], m); err != nil || len(sum) == 0 {
			return nil, err
		}
	}
	return sum, nil
}

// Add returns the minimal sums of one vector of each antichain that are within
// the limits.
func (n *Needs) Add(a, b Antichain, m *meter.Meter) (Antichain, error) {
	if len(a) == 1 && zero(a[0]) {
		return b, nil
	}
	if len(b) == 1 && zero(b[0]) {
		return a, nil
	}
	var out Antichain
	for _, v := range a {
		for _, w := range b {
			sum := make(Vector, n.size)
			fits := true
			for i := range sum {
				sum[i] = v[i] + w[i]
				fits = fits && sum[i] <= n.caps[i]
			}
			if !fits {
				continue
			}
			var err error
			if out, _, err = insert(out, sum, m); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Merge returns the minimal vectors of both antichains, and whether b added any
// to a.
func (n *Needs) Merge(a, b Antichain, m *meter.Meter) (Antichain, bool, error) {
	return merge(a, b, m)
}

func merge(a, b Antichain, m *meter.Meter) (Antichain, bool, error) {
	changed := false
	for _, v := range b {
		var added bool
		var err error
		if a, added, err = insert(a, v, m); err != nil {
			return nil, false, err
		}
		changed = changed || added
	}
	return a, changed, nil
}

// insert adds a vector unless the antichain has one within it, and drops those that it is within.
// The given antichain is not changed, because it may be shared.
func insert(a Antichain, v Vector, m *meter.Meter) (Antichain, bool, error) {
	if err := m.Step(1 + len(a)*len(v)/8); err != nil {
		return nil, false, err
	}
	keep := 0
	for _, w := range a {
		if within(w, v) {
			return a, false, nil
		}
		if !within(v, w) {
			keep++
		}
	}
	if err := m.Spend(meter.States, 1+int64(len(v))/16); err != nil {
		return nil, false, err
	}
	out := make(Antichain, 0, keep+1)
	for _, w := range a {
		if !within(v, w) {
			out = append(out, w)
		}
	}
	return append(out, v), true, nil
}

// within reports whether v ≤ w in every count.
func within(v, w Vector) bool {
	for i := range v {
		if v[i] > w[i] {
			return false
		}
	}
	return true
}

func zero(v Vector) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// Budget returns the remaining uses by class, given those of each terminal ([Unlimited] or a
// count).
func (n *Needs) Budget(remaining []int64) Vector {
	left := make(Vector, n.size)
	for t, class := range n.class {
		if class >= 0 && remaining[t] > 0 {
			left[class] = int32(min(int64(left[class])+remaining[t], maxCount))
		}
	}
	return left
}

// Fits reports whether some need of the antichain is within the budget.
func (n *Needs) Fits(a Antichain, budget Vector) bool {
	for _, v := range a {
		if within(v, budget) {
			return true
		}
	}
	return false
}

// FitsAfter is Fits after one more use of terminal t: it reports whether t may be used once and
// some need of a is within the budget that then remains.
func (n *Needs) FitsAfter(t Symbol, a Antichain, budget Vector) bool {
	class := n.class[t]
	if class < 0 {
		return n.Fits(a, budget)
	}
	if budget[class] == 0 {
		return false
	}
	for _, v := range a {
		fits := v[class]+1 <= budget[class]
		for i := 0; fits && i < len(v); i++ {
			fits = v[i] <= budget[i]
		}
		if fits {
			return true
		}
	}
	return false
}

// Class returns the class of a terminal, or -1 where it has no limit. Classes
// count from 0.
func (n *Needs) Class(t Symbol) int { return int(n.class[t]) }

// Completable reports whether the symbols can be derived, one after the other,
// to terminals of which no more than remaining are used.
func (n *Needs) Completable(symbols []Symbol, remaining []int64, m *meter.Meter) (bool, error) {
	sum, err := n.Sum(symbols, m)
	return err == nil && n.Fits(sum, n.Budget(remaining)), err
}
