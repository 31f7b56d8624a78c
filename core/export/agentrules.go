package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// maxContentStates bounds the states of an automaton of contents that is written as rules.
const maxContentStates = 400

// FromAgent returns the rules for the texts of a model in one turn of a run: prompts, each
// followed by a content, up to the end of the run or the prompt of a state that the
// environment fills. The first rule is for the first turn; a note names the rules for the
// turns after the environment. Contents contain no prompts. Listed contents have one space
// before and a line break after them.
func FromAgent(a *agent.Agent, m *meter.Meter) (Rules, []Note, error) {
	if err := a.Contents(); err != nil {
		return Rules{}, nil, err
	}
	b := agentRules{a: a, m: m, states: map[int]int{}, segments: map[int]int{}, content: -1}
	b.rules.List = []Rule{{Name: "root"}}
	first := b.turns(a.DFA.Start(), map[int]bool{})
	var later []string
	b.list(first)
	for q := range a.DFA.NumStates() {
		for s, state := range a.States {
			if to := a.DFA.Next(q, s); state.EnvInput && a.Live(to) && b.reachable(q) {
				for _, turn := range b.turns(to, map[int]bool{}) {
					name := fmt.Sprintf("state%d", turn)
					b.list([]int{turn})
					if text := fmt.Sprintf("%s after %s", name, state.Text); !slices.Contains(later, text) {
						later = append(later, text)
					}
				}
			}
		}
	}
	for at := 0; at < len(b.queue); at++ {
		b.fill(b.queue[at])
	}
	for _, q := range first {
		b.rules.List[0].Alternatives = append(b.rules.List[0].Alternatives, b.rules.List[b.states[q]].Alternatives...)
	}
	b.environment(later)
	b.rules.prune()
	return b.rules, b.notes, nil
}

type agentRules struct {
	a        *agent.Agent
	m        *meter.Meter
	rules    Rules
	states   map[int]int // rules of the automaton's states
	queue    []int
	segments map[int]int // rules of the agent's states
	content  int         // the rule of free contents, or -1
	notes    []Note
}

func (b *agentRules) note(lost bool, f Feature, format string, of ...any) {
	n := Note{Feature: f, Lost: lost, Text: fmt.Sprintf(format, of...)}
	if !slices.Contains(b.notes, n) {
		b.notes = append(b.notes, n)
	}
}

// reachable reports whether a run reaches a state of the automaton.
func (b *agentRules) reachable(q int) bool {
	seen := map[int]bool{b.a.DFA.Start(): true}
	queue := []int{b.a.DFA.Start()}
	for i := 0; i < len(queue); i++ {
		for s := range b.a.States {
			if to := b.a.DFA.Next(queue[i], s); b.a.Live(to) && !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return seen[q]
}

// turns returns the states of the automaton in which a turn of the model begins: the given
// state or, if only the environment can continue there, the states after the environment's turn.
func (b *agentRules) turns(q int, seen map[int]bool) []int {
	if seen[q] {
		return nil
	}
	seen[q] = true
	var after []int
	for s, state := range b.a.States {
		to := b.a.DFA.Next(q, s)
		switch {
		case !b.a.Live(to):
		case !state.EnvInput:
			return []int{q}
		default:
			for _, turn := range b.turns(to, seen) {
				if !slices.Contains(after, turn) {
					after = append(after, turn)
				}
			}
		}
	}
	return after
}

func (b *agentRules) list(states []int) {
	for _, q := range states {
		if _, ok := b.states[q]; !ok {
			b.states[q] = len(b.rules.List)
			b.rules.List = append(b.rules.List, Rule{Name: fmt.Sprintf("state%d", q)})
			b.queue = append(b.queue, q)
		}
	}
}

// fill adds the rule of a state of the automaton.
func (b *agentRules) fill(q int) {
	alternatives := [][]Part{}
	for s, state := range b.a.States {
		to := b.a.DFA.Next(q, s)
		switch {
		case !b.a.Live(to):
		case state.EnvInput:
			alternatives = append(alternatives, []Part{{Text: state.Text}})
		default:
			b.list([]int{to})
			alternatives = append(alternatives, []Part{{Rule: b.segment(s)}, {Rule: b.states[to]}})
		}
	}
	if b.a.DFA.Accepting(q) {
		alternatives = append(alternatives, nil)
	}
	b.rules.List[b.states[q]].Alternatives = alternatives
}

// segment returns the rule of a prompt with its content.
func (b *agentRules) segment(s int) int {
	if at, ok := b.segments[s]; ok {
		return at
	}
	at := len(b.rules.List)
	b.segments[s] = at
	state := b.a.States[s]
	b.rules.List = append(b.rules.List, Rule{Name: fmt.Sprintf("segment-%d", s)})
	prompt := b.apart(s)
	if state.MaxTokens > 0 {
		b.note(true, FeatureMaxTokens, ":max-tokens %d of %s; its content may be longer here.", state.MaxTokens, state.Name)
	}
	var alternatives [][]Part
	switch {
	case state.Empty:
		alternatives = [][]Part{{{Text: strings.TrimSuffix(prompt, "\n") + "\n"}}}
	case len(state.OneOf) > 0:
		for _, c := range state.OneOf {
			alternatives = append(alternatives, []Part{{Text: prompt + " " + strings.TrimSpace(c) + "\n"}})
		}
	case state.Matches != "":
		if rule, ok := b.matches(s); ok {
			alternatives = [][]Part{{{Text: prompt + " "}, {Rule: rule}, {Text: "\n"}}}
			break
		}
		b.note(true, FeatureMatches, ":matches %q of %s; it would take too many rules.", state.Matches, state.Name)
		fallthrough
	default:
		alternatives = [][]Part{{{Text: prompt}, {Rule: b.free()}}}
	}
	b.rules.List[at].Alternatives = alternatives
	return at
}

// apart returns a prompt, followed by a line break if it is a prefix of another prompt, so
// that no content completes the longer prompt.
func (b *agentRules) apart(s int) string {
	prompt := b.a.States[s].Text
	for _, other := range b.a.States {
		if other.Text != prompt && strings.HasPrefix(other.Text, prompt) {
			b.note(false, FeatureContents, "A line break follows the prompt %s, which is the beginning of another.", prompt)
			return prompt + "\n"
		}
	}
	return prompt
}

// free returns the rule of unconstrained contents: texts without a prompt.
func (b *agentRules) free() int {
	if b.content >= 0 {
		return b.content
	}
	if c, ok := b.withoutPrompts(); ok && !b.overlap() {
		b.content = b.rules.addCharacters("content", c, false)
		return b.content
	}
	b.content = len(b.rules.List)
	avoid := &Class{Not: true}
	for _, state := range b.a.States {
		if r, _ := utf8.DecodeRuneInString(state.Text); avoid.Has(r) {
			avoid.Ranges = append(avoid.Ranges, Range{r, r})
		}
	}
	b.rules.List = append(b.rules.List, Rule{Name: "content", Alternatives: [][]Part{{}, {{Class: avoid}, {Rule: b.content}}}})
	b.note(true, FeatureContents, "contents with the first character of a prompt; here they are in %s.", bracketed(avoid))
	return b.content
}

// overlap reports whether a prompt may begin in a content and end in the following prompt
// or later.
func (b *agentRules) overlap() bool {
	for _, p := range b.a.States {
		for i := range p.Text {
			end := p.Text[i:]
			for _, q := range b.a.States {
				if i > 0 && (strings.HasPrefix(q.Text, end) || strings.HasPrefix(end, q.Text)) {
					return true
				}
			}
		}
	}
	return false
}

// withoutPrompts returns the automaton of the texts without a prompt (Aho and Corasick
// 1975). It returns false if the automaton is too large.
func (b *agentRules) withoutPrompts() (agent.Characters, bool) {
	letters := map[rune]bool{}
	prefixes := []string{""}
	for _, state := range b.a.States {
		for i, r := range state.Text {
			letters[r] = true
			if prefix := state.Text[:i]; !slices.Contains(prefixes, prefix) {
				prefixes = append(prefixes, prefix)
			}
		}
	}
	if len(prefixes) > maxContentStates {
		return agent.Characters{}, false
	}
	c := agent.Characters{From: []rune{0}}
	for r := range letters {
		c.From = append(c.From, r, r+1)
	}
	slices.Sort(c.From)
	c.From = slices.Compact(c.From)
	dead := len(prefixes)
	rows, accept := make([][]int, dead+1), make([]bool, dead+1)
	for q := range rows {
		rows[q] = make([]int, len(c.From))
		accept[q] = q < dead
		for letter, r := range c.From {
			rows[q][letter] = dead
			if q < dead && letters[r] {
				rows[q][letter] = b.after(prefixes, prefixes[q]+string(r))
			} else if q < dead {
				rows[q][letter] = 0
			}
		}
	}
	d, err := automaton.NewDFA(rows, accept).Minimize(b.m)
	c.DFA = d
	return c, err == nil
}

// after returns the state after a text: its longest suffix that is a prefix of a prompt, or
// the dead state after a prompt.
func (b *agentRules) after(prefixes []string, text string) int {
	for _, state := range b.a.States {
		if strings.HasSuffix(text, state.Text) {
			return len(prefixes)
		}
	}
	for i := range text {
		if q := slices.Index(prefixes, text[i:]); q >= 0 {
			return q
		}
	}
	return 0
}

// matches returns the rule of contents that match a pattern, without prompts.
func (b *agentRules) matches(s int) (int, bool) {
	pattern, ok := b.a.Content(s).Characters()
	none, small := b.withoutPrompts()
	if !ok || !small || b.overlap() {
		return 0, false
	}
	from := slices.Concat(pattern.From, none.From)
	slices.Sort(from)
	from = slices.Compact(from)
	d, err := automaton.Product(refined(pattern, from), refined(none, from), func(a, b bool) bool { return a && b }, b.m)
	if err == nil {
		d, err = d.Minimize(b.m)
	}
	if err != nil || d.NumStates() > maxContentStates {
		return 0, false
	}
	return b.rules.addCharacters(fmt.Sprintf("matches-%d", s), agent.Characters{DFA: d, From: from}, false), true
}

// refined returns the automaton of c over the smaller classes of characters that begin at from.
func refined(c agent.Characters, from []rune) *automaton.DFA {
	rows, accept := make([][]int, c.DFA.NumStates()), make([]bool, c.DFA.NumStates())
	for q := range rows {
		accept[q] = c.DFA.Accepting(q)
		letter := 0
		for _, r := range from {
			for letter+1 < len(c.From) && c.From[letter+1] <= r {
				letter++
			}
			rows[q] = append(rows[q], c.DFA.Next(q, letter))
		}
	}
	return automaton.NewDFA(rows, accept)
}

// environment adds a note on the turns of the environment.
func (b *agentRules) environment(later []string) {
	var prompts []string
	for _, state := range b.a.States {
		if state.EnvInput {
			prompts = append(prompts, state.Text)
		}
	}
	if len(prompts) == 0 {
		return
	}
	if len(b.rules.List[0].Alternatives) == 0 {
		b.note(true, FeatureEnvironment, "no turn begins with the model; this grammar has no text.")
	}
	text := "Each text is one turn of the model. It ends with the run or with a prompt of the environment, which writes the content: " + strings.Join(prompts, ", ") + "."
	if len(later) > 0 {
		text += " Begin the turns after the first with another rule: " + strings.Join(later, ", ") + "."
	}
	b.note(false, FeatureEnvironment, "%s", text)
}

// prune drops alternatives that derive no text, unless the first rule has no others.
func (r *Rules) prune() {
	r.drop()
	if len(r.List) == 0 || r.List[0].Name != "root" {
		r.List = []Rule{{Name: "root", Alternatives: [][]Part{{{Rule: 0}}}}}
	}
}
