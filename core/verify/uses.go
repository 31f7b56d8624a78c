package verify

import (
	"encoding/binary"

	"github.com/stile-playground/stile/core/grammar"
)

// uses counts limited terminals. Terminals that do not occur in the word and that are
// interchangeable in the grammar and the automaton form one class, whose limit is the sum
// of theirs.
type uses struct {
	class   []int32 // by terminal; -1 for one without limit
	members [][]grammar.Symbol
	limits  []int64 // by terminal
	caps    []int64 // by class
	given   []int64 // by class: the maximum number of its occurrences in a word at distance 0
}

// boundless is the limit of silent terminals.
const boundless = 1 << 40

func newUses(q *question, caps []int64) *uses {
	g, d := q.g, q.d
	u := &uses{class: make([]int32, g.NumTerminals), limits: caps}
	given := make([]int64, g.NumTerminals)
	for _, s := range q.word {
		if s >= 0 {
			given[s]++
		}
	}
	contexts := contextsOf(g)
	classes := map[string]int32{}
	for s := range u.class {
		u.class[s] = -1
		if caps == nil || caps[s] == grammar.Unlimited {
			continue
		}
		key := contexts[s]
		if given[s] > 0 {
			key = ""
		}
		if key != "" && q.silent[s] {
			key += "silent "
		}
		for q := 0; key != "" && q < d.NumStates(); q++ {
			key = string(binary.AppendUvarint([]byte(key), uint64(d.Next(q, s))))
		}
		class, known := classes[key]
		if !known || key == "" {
			class = int32(len(u.caps))
			classes[key] = class
			u.members, u.caps, u.given = append(u.members, nil), append(u.caps, 0), append(u.given, given[s])
			if q.silent[s] {
				u.given[class] = boundless
			}
		}
		u.class[s] = class
		u.members[class] = append(u.members[class], grammar.Symbol(s))
		u.caps[class] += caps[s]
	}
	return u
}

// contextsOf returns, for each terminal, the productions that contain it, with a blank in
// its place. It is empty for a terminal that occurs twice in a production, or nowhere.
func contextsOf(g *grammar.Grammar) []string {
	contexts := make([][]byte, g.NumTerminals)
	twice := make([]bool, g.NumTerminals)
	blank := grammar.Symbol(g.NumSymbols())
	for _, p := range g.Productions {
		last := map[grammar.Symbol]bool{}
		for i, s := range p.Right {
			if !g.IsTerminal(s) {
				continue
			}
			twice[s] = twice[s] || last[s]
			last[s] = true
			c := binary.AppendUvarint(contexts[s], uint64(p.Left))
			c = binary.AppendUvarint(c, uint64(len(p.Right)))
			for j, t := range p.Right {
				if j == i {
					t = blank
				}
				c = binary.AppendUvarint(c, uint64(t))
			}
			contexts[s] = c
		}
	}
	out := make([]string, g.NumTerminals)
	for s, c := range contexts {
		if !twice[s] {
			out[s] = string(c)
		}
	}
	return out
}

// binding returns the limits that a word with at most bound edits can exceed, and by class
// the index of its limit among them, or -1.
func (u *uses) binding(bound int32) (caps []int32, place []int32) {
	place = make([]int32, len(u.caps))
	for class, cap := range u.caps {
		place[class] = -1
		if cap < u.given[class]+int64(bound) {
			place[class] = int32(len(caps))
			caps = append(caps, int32(min(cap, int64(unreachable))))
		}
	}
	return caps, place
}

// assign replaces the occurrences of a class with its terminals, in their order, each as
// often as its limit allows.
func (u *uses) assign(word []grammar.Symbol) []grammar.Symbol {
	used := make([]int64, len(u.class))
	out := make([]grammar.Symbol, len(word))
	for i, s := range word {
		out[i] = s
		if class := u.class[s]; class >= 0 {
			for _, member := range u.members[class] {
				if used[member] < u.limits[member] {
					used[member]++
					out[i] = member
					break
				}
			}
		}
	}
	return out
}

// adjust raises the price of each class that a word uses too often, and lowers that
// of each that it does not use up. It reports whether any class is used too
// often, and whether any price has changed.
func (u *uses) adjust(prices []int32, word []grammar.Symbol) (over, changed bool) {
	used := make([]int64, len(u.caps))
	for _, s := range word {
		if class := u.class[s]; class >= 0 {
			used[class]++
		}
	}
	for class, cap := range u.caps {
		switch {
		case used[class] > cap:
			over, changed = true, true
			prices[class]++
		case used[class] < cap && prices[class] > 0:
			changed = true
			prices[class]--
		}
	}
	return over, changed
}
