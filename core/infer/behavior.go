package infer

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
)

// term is a behaviour of the notation of agents, over letters. It contains no empty word.
type term struct {
	kind    byte
	letters []int   // of 'a', an alternative of states, sorted
	of      []*term // of 'n' next, 'o' or, 'u' until
	size    int     // states that the text names
	key     string
}

// letters returns the term whose words are single letters from a list.
func letters(list []int) *term {
	var key strings.Builder
	key.WriteByte('a')
	for _, a := range list {
		key.WriteByte(byte(a))
		key.WriteByte(byte(a >> 8))
	}
	return &term{kind: 'a', letters: list, size: len(list), key: key.String()}
}

func compound(kind byte, of ...*term) *term {
	t := &term{kind: kind, of: of}
	var key strings.Builder
	key.WriteByte(kind)
	key.WriteByte('(')
	for _, part := range of {
		t.size += part.size
		key.WriteString(part.key)
		key.WriteByte(',')
	}
	key.WriteByte(')')
	t.key = key.String()
	return t
}

// sequence returns a term for the concatenation of the words of the terms.
func sequence(terms ...*term) *term {
	var of []*term
	for _, t := range terms {
		if t.kind == 'n' {
			of = append(of, t.of...)
		} else {
			of = append(of, t)
		}
	}
	return compound('n', of...)
}

// repeat returns a term for any number of words of loop, followed by a word of then.
func repeat(loop, then *term) *term {
	if loop == nil {
		return then
	}
	return compound('u', loop, then)
}

// either returns a term for the words of any of the terms; a nil term has no words. Equal first and
// last parts are written once.
func either(terms ...*term) *term {
	var set []int
	var others []*term
	seen := map[string]bool{}
	var add func(t *term)
	add = func(t *term) {
		switch {
		case t == nil:
		case t.kind == 'o':
			for _, part := range t.of {
				add(part)
			}
		case t.kind == 'a':
			set = append(set, t.letters...)
		case !seen[t.key]:
			seen[t.key] = true
			others = append(others, t)
		}
	}
	for _, t := range terms {
		add(t)
	}
	others = factored(factored(others, true), false)
	if len(set) > 0 {
		slices.Sort(set)
		others = append([]*term{letters(slices.Compact(set))}, others...)
	}
	switch len(others) {
	case 0:
		return nil
	case 1:
		return others[0]
	}
	return compound('o', others...)
}

// factored joins sequences with the same first part, or the same last part.
func factored(terms []*term, first bool) []*term {
	var out []*term
	done := make([]bool, len(terms))
	for i, t := range terms {
		if done[i] {
			continue
		}
		if t.kind != 'n' {
			out = append(out, t)
			continue
		}
		end := func(t *term) *term {
			if first {
				return t.of[0]
			}
			return t.of[len(t.of)-1]
		}
		rest := func(t *term) *term {
			of := t.of[1:]
			if !first {
				of = t.of[:len(t.of)-1]
			}
			if len(of) == 1 {
				return of[0]
			}
			return compound('n', of...)
		}
		var rests []*term
		for j := i; j < len(terms); j++ {
			if u := terms[j]; !done[j] && u.kind == 'n' && end(u).key == end(t).key {
				done[j] = true
				rests = append(rests, rest(u))
			}
		}
		switch {
		case len(rests) == 1:
			out = append(out, t)
		case first:
			out = append(out, sequence(end(t), either(rests...)))
		default:
			out = append(out, sequence(either(rests...), end(t)))
		}
	}
	return out
}

// behavior returns a term for the words of an automaton, or nil if it found no term whose size is
// within the bound most. The words of each state are an equation, linear on the right; states are eliminated in the
// order in which the terms grow least (Delgado and Morais 2004).
func behavior(d *automaton.DFA, most int) *term {
	distances := d.Distances()
	n := d.NumStates()
	to, end := make([][]*term, n), make([]*term, n) // the coefficients of the states, and the constants
	for q := range n {
		to[q] = make([]*term, n)
		sets, ends := make([][]int, n), []int{}
		for a := range d.NumLetters() {
			p := d.Next(q, a)
			if distances[q] < 0 || distances[p] < 0 {
				continue
			}
			if d.Accepting(p) {
				ends = append(ends, a)
			}
			// An accepting state without a continuation ends the word.
			if slices.ContainsFunc(follow(d, p), func(r int) bool { return distances[r] >= 0 }) {
				sets[p] = append(sets[p], a)
			}
		}
		for p, set := range sets {
			if len(set) > 0 {
				to[q][p] = letters(set)
			}
		}
		if len(ends) > 0 {
			end[q] = letters(ends)
		}
	}
	left := map[int]bool{}
	for q := range n {
		left[q] = distances[q] >= 0 && q != d.Start()
	}
	for {
		q := cheapest(to, end, left)
		if q < 0 {
			break
		}
		left[q] = false
		total := 0
		for r := range n {
			c := to[r][q]
			if r == q || c == nil {
				continue
			}
			to[r][q] = nil
			for p := range n {
				if p != q && to[q][p] != nil {
					to[r][p] = either(to[r][p], sequence(c, repeat(to[q][q], to[q][p])))
					total += to[r][p].size
				}
			}
			if end[q] != nil {
				end[r] = either(end[r], sequence(c, repeat(to[q][q], end[q])))
				total += end[r].size
			}
			if total > most {
				return nil
			}
		}
	}
	q := d.Start()
	if end[q] == nil {
		return nil
	}
	t := repeat(to[q][q], end[q])
	if t.size > most {
		return nil
	}
	return t
}

func follow(d *automaton.DFA, q int) []int {
	var out []int
	for a := range d.NumLetters() {
		out = append(out, d.Next(q, a))
	}
	return out
}

// cheapest returns the state whose elimination adds the least, or -1 if none is left.
func cheapest(to [][]*term, end []*term, left map[int]bool) int {
	found, least := -1, 0
	for q := range to {
		if !left[q] {
			continue
		}
		in, out, ins, outs := 0, 0, 0, 0
		for r := range to {
			if r != q && to[r][q] != nil {
				in, ins = in+to[r][q].size, ins+1
			}
			if r != q && to[q][r] != nil {
				out, outs = out+to[q][r].size, outs+1
			}
		}
		if end[q] != nil {
			out, outs = out+end[q].size, outs+1
		}
		cost := in*(outs-1) + out*(ins-1)
		if loop := to[q][q]; loop != nil {
			cost += loop.size * (ins*outs - 1)
		}
		if found < 0 || cost < least {
			found, least = q, cost
		}
	}
	return found
}

// write writes a term in the notation of agents.
func (t *term) write(b *strings.Builder, names []string) {
	open := map[byte]string{'a': "(or", 'o': "(or", 'n': "(next", 'u': "(until"}[t.kind]
	if t.kind == 'a' && len(t.letters) == 1 {
		b.WriteString(names[t.letters[0]])
		return
	}
	b.WriteString(open)
	for _, a := range t.letters {
		b.WriteString(" " + names[a])
	}
	for _, part := range t.of {
		b.WriteByte(' ')
		part.write(b, names)
	}
	b.WriteByte(')')
}
