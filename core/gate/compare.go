package gate

import (
	"reflect"
	"slices"
)

// comparison is the relation of two specs that have a name in common.
type comparison struct {
	from, to *spec
	letters  []int // of the new spec by earlier letter; -1 for none
	altered  []bool
	events   []eventPair // that become other letters
}

// eventPair has the letters of an event in both specs.
type eventPair struct {
	name    string
	letters []int
}

// arrival is the state of the new spec after every run to a state of the earlier one, or a difference. A run that
// the new spec does not permit counts more than two runs to different states.
type arrival struct {
	place      place
	difference *Difference
	splits     bool // two runs lead to different states
	by         int  // index of a shortest run
}

const readOtherwise = "the new specs map an event to different steps"

func compare(from, to *spec) *comparison {
	c := &comparison{from: from, to: to, altered: make([]bool, len(from.Letters))}
	for i, name := range from.Letters {
		letter := slices.Index(to.Letters, name)
		if letter >= 0 {
			exact := slices.Contains(from.Map.Other, i) // names of tools outside ASCII need the list of contents
			if a, b := from.Contents[i], to.Contents[letter]; (b != nil || exact) && !reflect.DeepEqual(a, b) {
				letter, c.altered[i] = -1, true
			}
		}
		c.letters = append(c.letters, letter)
	}
	c.unread()
	return c
}

// unread collects the events that become other letters in the new spec. Texts of the model are compared in each
// state.
func (c *comparison) unread() {
	from, to := c.from, c.to
	add := func(name string, before, after []int, known bool) {
		if !known || !c.same(before, after) {
			c.events = append(c.events, eventPair{name, before})
		}
	}
	names := map[string]bool{"a tool that no spec has": true}
	results := map[string]bool{"": true}
	for _, s := range []*spec{from, to} {
		for _, list := range [][]Named{s.Map.Calls, s.Map.Plain} {
			for _, e := range list {
				names[e.Name] = true
			}
		}
		for name := range s.tools {
			names[name] = true
		}
		if len(s.Map.Other) > 1 && s.Contents[s.Map.Other[0]] != nil {
			for _, name := range s.Contents[s.Map.Other[0]].OneOf {
				names[name] = true
			}
		}
		for _, e := range s.Map.Results {
			results[e.Name] = true
		}
	}
	for _, name := range keys(names) {
		if before, ok := from.resolve(name); ok {
			after, known := to.resolve(name)
			add("the call of "+show(name), before, after, known)
		}
	}
	for _, name := range keys(results) {
		add("the result of a call", from.resultOf(name), to.resultOf(name), true)
	}
	add("a message of the user", from.Map.User, to.Map.User, true)
}

func keys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// same reports whether letters of both specs have the same names.
func (c *comparison) same(before, after []int) bool {
	return slices.EqualFunc(before, after, func(a, b int) bool { return c.from.Letters[a] == c.to.Letters[b] })
}

// step enters a letter of the earlier spec in the new one. It returns the reason why that is not permitted, or "".
func (c *comparison) step(p *place, letter int) string {
	next := c.letters[letter]
	switch {
	case c.altered[letter]:
		return "has different content constraints in the new specs"
	case next < 0 || !c.to.move(p, next):
		return "is not permitted by the new specs"
	}
	c.to.advance(p, next)
	last := len(p.properties) > 0 && c.to.isLast(*p)
	for k, q := range p.properties {
		property := &c.to.Properties[k]
		switch {
		case property.Violated[q] == 1:
			return "violates the property " + show(property.Name) + " of the new specs"
		case last && property.Accept[q] == 0:
			return "ends the run, in which the property " + show(property.Name) + " of the new specs does not hold"
		}
	}
	return ""
}

func (c *comparison) names(word []int) (out []string) {
	for _, letter := range word {
		out = append(out, c.from.Letters[letter])
	}
	return out
}

// pair is a state of both specs after a run. If reason is not empty, the new spec does not permit the run.
type pair struct {
	old, new place
	reason   string
	step     int // the step of the run for which reason is; -1 for none
	before   int // index of the pair before the last steps, or -1
	steps    []int
	length   int
}

// search explores two tables together, the shortest runs first.
type search struct {
	*comparison
	pairs    []pair
	byLength [][]int // indices of pairs
	seen     map[string]bool
}

// identical reports whether the new spec has the grammar of the earlier one, and no property that this lacks. Then
// the state of a session is valid for both. The properties have the indexes of the earlier ones.
func (c *comparison) identical() (properties []int, ok bool) {
	from, to := c.from, c.to
	ok = from.grammar != nil && !slices.Contains(c.altered, true) && slices.Equal(from.Letters, to.Letters) &&
		reflect.DeepEqual(from.Productions, to.Productions) && reflect.DeepEqual(from.Map, to.Map)
	for _, p := range to.Properties {
		old := slices.IndexFunc(from.Properties, func(other Property) bool { return reflect.DeepEqual(p, other) })
		properties, ok = append(properties, old), ok && old >= 0
	}
	return properties, ok
}

// states returns the states that replace those of an earlier spec, and whether these are all. They are not if the specs
// have too many, such as those of a grammar with an unbounded stack.
func (c *comparison) states() (arrivals map[string]*arrival, all bool) {
	most, longest := maxProduct, maxProduct
	if c.from.grammar != nil || c.to.grammar != nil {
		most, longest = maxNested, maxLength
	}
	s := search{comparison: c, seen: map[string]bool{}}
	s.push(pair{old: c.from.begin(), new: c.to.begin(), step: -1, before: -1})
	out := map[string]*arrival{}
	for length := 0; length < len(s.byLength); length++ {
		for n := 0; n < len(s.byLength[length]); n++ {
			i := s.byLength[length][n]
			if id := s.pairs[i].id(); !s.seen[id] {
				s.seen[id] = true
				s.arrive(out, i)
				s.follow(i)
			}
			if len(s.seen) > most || length > longest {
				return out, false
			}
		}
	}
	return out, true
}

// arrive records the new state of a pair, or a shortest difference.
func (s *search) arrive(out map[string]*arrival, i int) {
	at := s.pairs[i]
	known := out[key(at.old)]
	if known == nil {
		known = &arrival{place: at.new, by: i}
		out[key(at.old)] = known
	}
	switch {
	case at.reason != "" && (known.difference == nil || known.splits):
		known.difference = &Difference{Rule: s.to.Name, Run: s.run(i), Step: at.step, Reason: at.reason}
		known.splits = false
	case at.reason == "" && known.difference == nil && key(known.place) != key(at.new):
		known.splits = true
		known.difference = &Difference{Rule: s.to.Name, Run: s.run(i), Step: -1, Reason: "the new specs are in a different state from that after " + s.brief(known.by)}
	}
}

func (p pair) id() string {
	if p.reason != "" {
		return key(p.old)
	}
	return key(p.old) + "/" + key(p.new)
}

// push adds a pair, unless a run that is not longer reached it.
func (s *search) push(p pair) {
	if s.seen[p.id()] {
		return
	}
	for len(s.byLength) <= p.length {
		s.byLength = append(s.byLength, nil)
	}
	s.byLength[p.length] = append(s.byLength[p.length], len(s.pairs))
	s.pairs = append(s.pairs, p)
}

// follow adds the pairs after one step.
func (s *search) follow(i int) {
	at := s.pairs[i]
	for letter := range s.from.Letters {
		next := at
		next.before, next.steps, next.length = i, []int{letter}, at.length+1
		if !s.from.move(&next.old, letter) {
			if before, ok := s.from.implied[[2]int{at.old.at, letter}]; ok && at.reason == "" && s.implies(at, letter, before) {
				s.differ(i, []int{letter}, readOtherwise)
			}
			continue
		}
		s.from.advance(&next.old, letter)
		if at.reason == "" {
			if next.reason = s.step(&next.new, letter); next.reason != "" {
				next.step = at.length
			}
		}
		s.push(next)
		if next.reason == "" && s.splits(next, letter) {
			next.reason, next.step = "the new specs count its parts as several steps", -1
			s.push(next)
		}
	}
	if at.reason != "" {
		return
	}
	for _, e := range s.events {
		s.differ(i, e.letters, "the new specs map "+e.name+" to different steps")
	}
	for _, final := range []bool{false, true} {
		text := Event{Kind: "message", Name: "assistant", Final: final}
		if before := s.from.textOf(at.old, text); !s.same(before, s.to.textOf(at.new, text)) {
			s.differ(i, before, "the new specs map a text of the model to different steps")
		}
	}
}

// implies reports whether the new spec reads an event otherwise that implies letters in the earlier one.
func (s *search) implies(at pair, letter int, before []int) bool {
	next := s.letters[letter]
	if next < 0 {
		return false // the step itself is not permitted
	}
	if s.to.permits(at.new, next) {
		return true
	}
	after, ok := s.to.implied[[2]int{at.new.at, next}]
	return !ok || !s.same(before, after)
}

// splits reports whether another result is a part of the last step in the earlier spec, and a step in the new one.
func (s *search) splits(at pair, letter int) bool {
	only := func(letters []int) bool { return len(letters) == 1 && letters[0] == letter }
	result := only(s.from.Map.Result) || slices.ContainsFunc(s.from.Map.Results, func(e Named) bool { return only(e.Letters) })
	return result && !s.from.possible(at.old, letter) && s.to.possible(at.new, s.letters[letter])
}

// differ adds the state after an event that the new spec reads otherwise, if the earlier one permits it.
func (s *search) differ(i int, letters []int, reason string) {
	next := s.pairs[i]
	next.before, next.steps, next.reason, next.step = i, nil, reason, -1
	for _, letter := range letters {
		if before, ok := s.from.implied[[2]int{next.old.at, letter}]; ok && s.from.Next[next.old.at][letter] < 0 {
			next.steps = append(next.steps, before...)
		}
		if !s.from.enter(&next.old, letter) {
			return
		}
		next.steps = append(next.steps, letter)
	}
	next.length += len(next.steps)
	s.push(next)
}

// run returns the steps to a pair.
func (s *search) run(i int) []string {
	var parts [][]int
	for ; i >= 0; i = s.pairs[i].before {
		parts = append(parts, s.pairs[i].steps)
	}
	slices.Reverse(parts)
	return s.names(slices.Concat(parts...))
}

// brief returns the steps to a pair as text.
func (s *search) brief(i int) string {
	if run := s.run(i); len(run) > 0 {
		return "the run " + list(run)
	}
	return "no step"
}
