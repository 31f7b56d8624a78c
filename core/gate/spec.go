package gate

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// spec is a [Spec] that was checked, with its indexes.
type spec struct {
	*Spec
	calls, plain map[string][]int
	results      map[string][]int
	tools        map[string]bool // nil if none are declared
	implied      map[[2]int][]int
	grammar      *stacks   // nil for a table
	longest      []int     // letters with prompts, the longest prompt first
	initial      [256]bool // the first bytes of prompts
	environment  map[int]bool
}

// newSpec checks a spec, so that judging cannot leave its tables. It returns the fault of an invalid spec.
func newSpec(s *Spec, tools []string) (*spec, string) {
	n := len(s.Letters)
	out := &spec{Spec: s, implied: map[[2]int][]int{}}
	switch s.Kind {
	case "dfa":
		if !tableFits(s.Next, len(s.Accept), n, -1) {
			return nil, "the table of " + show(s.Name) + " is damaged"
		}
	case "grammar":
		if len(s.Productions) == 0 || len(s.Next) > 0 {
			return nil, "the grammar of " + show(s.Name) + " is damaged"
		}
		for _, p := range s.Productions {
			if p.Left < n || slices.ContainsFunc(p.Right, func(symbol int) bool { return symbol < 0 }) {
				return nil, "the grammar of " + show(s.Name) + " is damaged"
			}
		}
		out.grammar = newStacks(s)
	default:
		return nil, "unknown kind " + show(s.Kind) + " of " + show(s.Name)
	}
	for _, i := range s.Implied {
		if i.State < 0 || i.State >= len(s.Next) || !lettersFit(n, []int{i.Letter}, i.Before) {
			return nil, "the implied letters of " + show(s.Name) + " are damaged"
		}
		out.implied[[2]int{i.State, i.Letter}] = i.Before
	}
	if len(s.Contents) != n || slices.ContainsFunc(s.Contents, func(c *Content) bool { return !c.fits() }) {
		return nil, "the contents of " + show(s.Name) + " are damaged"
	}
	for _, p := range s.Properties {
		if !tableFits(p.Next, len(p.Accept), n, 0) || len(p.Violated) != len(p.Next) {
			return nil, "the property " + show(p.Name) + " is damaged"
		}
	}
	m := s.Map
	ok := lettersFit(n, m.Other, m.Result, m.User, m.Text, m.Final, m.Thoughts, m.Free, m.Answers)
	index := func(list []Named) map[string][]int {
		names := map[string][]int{}
		for _, e := range list {
			_, twice := names[e.Name]
			ok = ok && !twice && lettersFit(n, e.Letters)
			names[e.Name] = e.Letters
		}
		return names
	}
	out.calls, out.plain, out.results = index(m.Calls), index(m.Plain), index(m.Results)
	if !ok {
		return nil, "the map of " + show(s.Name) + " is damaged"
	}
	if !out.readPrompts() {
		return nil, "the prompts of " + show(s.Name) + " are damaged"
	}
	if tools != nil {
		out.tools = map[string]bool{}
		for _, name := range tools {
			out.tools[name] = true
		}
	}
	return out, ""
}

// tableFits reports whether a table has rows of n letters with successors from least on.
func tableFits(next [][]int, accept, n, least int) bool {
	ok := len(next) > 0 && accept == len(next)
	for _, row := range next {
		ok = ok && len(row) == n
		for _, to := range row {
			ok = ok && to >= least && to < len(next)
		}
	}
	return ok
}

func lettersFit(n int, lists ...[]int) bool {
	for _, letters := range lists {
		for _, letter := range letters {
			if letter < 0 || letter >= n {
				return false
			}
		}
	}
	return true
}

func (c *Content) fits() bool {
	if c == nil || c.Pattern == nil {
		return true
	}
	p := c.Pattern
	return len(p.From) > 0 && p.From[0] == 0 && slices.IsSorted(p.From) && tableFits(p.Next, len(p.Accept), len(p.From), -1)
}

// resolve returns the letters of a tool, or false if the tool is unknown. A name with characters
// outside ASCII is known only if the spec has exactly this name.
func (s *spec) resolve(tool string) ([]int, bool) {
	if letters, ok := s.calls[tool]; ok {
		return letters, true
	}
	if s.tools != nil && !s.tools[tool] {
		return nil, false
	}
	plainName := ascii(tool)
	if plainName {
		if letters, ok := s.plain[plain(tool)]; ok {
			return letters, true
		}
	}
	if s.Map.Other == nil {
		return nil, false
	}
	if !plainName {
		if len(s.Map.Other) < 2 {
			return nil, false
		}
		c := s.Contents[s.Map.Other[0]]
		if c == nil || !slices.Contains(c.OneOf, tool) {
			return nil, false
		}
	}
	return s.Map.Other, true
}

// ascii reports whether all characters of a text are in ASCII.
func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plain returns the lower-case letters and digits of a name in ASCII.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, name)
}

// fault returns the reason why a letter cannot have a content, or "".
func (s *spec) fault(letter int, content string) string {
	c := s.Contents[letter]
	if c == nil {
		return ""
	}
	content = trim(content)
	name := show(s.Letters[letter])
	if c.Empty && content != "" {
		return name + " has no content"
	}
	if c.MaxChars > 0 && utf8.RuneCountInString(content) > c.MaxChars {
		return name + " is longer than " + number(c.MaxChars) + " characters"
	}
	if c.OneOf != nil && !slices.Contains(c.OneOf, content) {
		return name + " must be one of: " + list(c.OneOf)
	}
	if c.Pattern != nil && !c.Pattern.matches(content) {
		return name + " must match " + show(c.Pattern.Source)
	}
	return ""
}

func (p *Pattern) matches(text string) bool {
	q := 0
	for _, char := range text {
		if q = p.Next[q][p.class(char)]; q < 0 {
			return false
		}
	}
	return p.Accept[q] == 1
}

// class returns the class of a character.
func (p *Pattern) class(char rune) int {
	class, found := slices.BinarySearch(p.From, int(char))
	if !found {
		class--
	}
	return class
}

// place is the state of a spec in a session. Its slices are never changed.
type place struct {
	at         int
	stack      *stack // of a grammar
	properties []int
	last       int  // letter, or -1
	lost       bool // a step that the spec does not permit was taken
}

func (s *spec) begin() place {
	p := place{properties: make([]int, len(s.Properties)), last: -1}
	if s.grammar != nil {
		p.stack = s.grammar.first
	}
	return p
}

// move enters a letter in the order, without the properties.
func (s *spec) move(p *place, letter int) bool {
	if !s.permits(*p, letter) {
		return false
	}
	if s.grammar == nil {
		p.at = s.Next[p.at][letter]
	} else {
		p.stack = s.grammar.step(p.stack, letter)
	}
	p.last = letter
	return true
}

// permits reports whether a letter is the next one in the order.
func (s *spec) permits(p place, letter int) bool {
	if s.grammar == nil {
		return s.Next[p.at][letter] >= 0
	}
	return !s.full(p) && s.grammar.permits(p.stack, letter)
}

// full reports whether a grammar has too many open productions for another letter.
func (s *spec) full(p place) bool { return s.grammar != nil && p.stack.size >= MaxOpen }

// enter enters a letter after those that it implies, and advances the properties.
func (s *spec) enter(p *place, letter int) bool {
	if s.grammar == nil && s.Next[p.at][letter] < 0 {
		before, ok := s.implied[[2]int{p.at, letter}]
		if !ok {
			return false
		}
		for _, other := range before {
			if !s.move(p, other) {
				return false
			}
			s.advance(p, other)
		}
	}
	if !s.move(p, letter) {
		return false
	}
	s.advance(p, letter)
	return true
}

func (s *spec) advance(p *place, letter int) {
	if len(p.properties) == 0 {
		return
	}
	next := make([]int, len(p.properties))
	for i, q := range p.properties {
		next[i] = s.Properties[i].Next[q][letter]
	}
	p.properties = next
}

// possible reports whether a letter is permitted next, perhaps after letters that it implies.
func (s *spec) possible(p place, letter int) bool {
	if s.permits(p, letter) {
		return true
	}
	q := p
	return s.grammar == nil && s.enter(&q, letter)
}

// isLast reports whether no letter is permitted next.
func (s *spec) isLast(p place) bool {
	if s.grammar == nil {
		for _, q := range s.Next[p.at] {
			if q >= 0 {
				return false
			}
		}
		return true
	}
	return len(p.stack.opens) == 0
}

// complete reports whether the order permits an end.
func (s *spec) complete(p place) bool {
	if s.grammar == nil {
		return s.Accept[p.at] == 1
	}
	return p.stack.ends
}
