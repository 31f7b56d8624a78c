package gate

import (
	"reflect"
	"slices"
	"strconv"
)

// maxProduct bounds the pairs of states that [Guard.Adopt] compares.
const maxProduct = 100_000

// Adoption moves sessions of one guard to another one.
type Adoption struct {
	from, to *Guard
	states   []map[string]*place // by spec and state; nil for a state whose sessions do not move
}

// Adopt prepares moving sessions of an earlier guard to this one. A session moves if this guard
// permits every run that may have led to its state, and all of them lead to one state. The
// run of a grammar is read again. The names of the specs have to be those of the earlier guard,
// and a letter whose contents are restricted differently counts as another letter.
func (g *Guard) Adopt(from *Guard) *Adoption {
	a := &Adoption{from: from, to: g}
	if len(g.specs) != len(from.specs) || !reflect.DeepEqual(g.File.Rules, from.File.Rules) || !reflect.DeepEqual(g.File.Schemas, from.File.Schemas) {
		return a
	}
	for i, old := range from.specs {
		a.states = append(a.states, g.specs[i].successors(old))
	}
	return a
}

// letterOf maps the letters of an earlier spec by their names. A letter whose name is missing, or
// whose content is restricted otherwise, has none: -1.
func (s *spec) letterOf(old *spec) []int {
	out := make([]int, len(old.Letters))
	for i, name := range old.Letters {
		letter := slices.Index(s.Letters, name)
		if letter >= 0 && s.Contents[letter] != nil && !reflect.DeepEqual(s.Contents[letter], old.Contents[i]) {
			letter = -1
		}
		out[i] = letter
	}
	return out
}

func key(p place) string {
	k := strconv.Itoa(p.at)
	for _, q := range p.properties {
		k += "," + strconv.Itoa(q)
	}
	return k
}

// successors returns the states that replace those of an earlier table, by exploring both
// together. A state with two successors, or with a run that is not permitted, has none.
func (s *spec) successors(old *spec) map[string]*place {
	letters := s.letterOf(old)
	if s.Name != old.Name || old.earley != nil || s.earley != nil {
		return nil
	}
	type pair struct {
		old, new place
		dead     bool
	}
	first := pair{old: old.begin(), new: s.begin()}
	out := map[string]*place{}
	seen := map[string]bool{}
	queue := []pair{first}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		k := key(at.old)
		id := k + "/" + key(at.new) + strconv.FormatBool(at.dead)
		if seen[id] {
			continue
		}
		if seen[id] = true; len(seen) > maxProduct {
			return nil
		}
		known, has := out[k]
		switch {
		case at.dead || has && (known == nil || key(*known) != key(at.new)):
			out[k] = nil
		case !has:
			successor := at.new
			out[k] = &successor
		}
		for letter := range old.Letters {
			next := at
			if !old.move(&next.old, letter) {
				continue
			}
			old.advance(&next.old, letter)
			if next.dead = next.dead || letters[letter] < 0 || !s.move(&next.new, letters[letter]); !next.dead {
				s.advance(&next.new, letters[letter])
				for k, q := range next.new.properties {
					next.dead = next.dead || s.Properties[k].Violated[q] == 1
				}
			}
			queue = append(queue, next)
		}
	}
	return out
}

// Move returns the session of this guard with the state of an earlier one, or false if the
// session has to keep its guard.
func (a *Adoption) Move(s *Session, o Options) (*Session, bool) {
	if s.guard != a.from || len(a.states) != len(s.places) || s.status != "open" || a.to.check(o) != nil {
		return nil, false
	}
	out := &Session{guard: a.to, options: o, moment: s.moment, recent: s.recent, status: s.status, lines: s.lines, hash: s.hash}
	out.places = nil
	for i, p := range s.places {
		next, ok := a.place(i, p)
		if !ok {
			return nil, false
		}
		out.places = append(out.places, next)
	}
	return out, true
}

func (a *Adoption) place(i int, p place) (place, bool) {
	old, spec := a.from.specs[i], a.to.specs[i]
	letters := spec.letterOf(old)
	if p.lost || spec.Name != old.Name {
		return place{}, false
	}
	next := spec.begin()
	if old.earley != nil {
		for _, letter := range p.word {
			if letters[letter] < 0 || !spec.enter(&next, letters[letter]) {
				return place{}, false
			}
		}
		for k, q := range next.properties {
			if spec.Properties[k].Violated[q] == 1 {
				return place{}, false
			}
		}
	} else {
		found := a.states[i][key(p)]
		if found == nil {
			return place{}, false
		}
		next = *found
	}
	if next.last = p.last; p.last >= 0 {
		next.last = letters[p.last]
	}
	return next, true
}
