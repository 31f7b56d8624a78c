package monitor

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// prompts finds the states' prompts in a text: the first that begins, and of
// those that begin together the longest (Crouse et al. 2024, §2.2.2).
//
// It is the automaton of Aho and Corasick (1975) with a match that waits while a
// longer one, or one that begins earlier, may still come of what was read. Each
// character is read once, whatever the text, so a million of them take a million
// steps.
type prompts struct {
	a       *agent.Agent
	longest []int // states, the longest prompt first
	nodes   []promptNode
}

// promptNode is a text that a prompt begins with.
type promptNode struct {
	edges []promptEdge
	fail  int // the longest proper end of the text that a prompt begins with, too
	depth int // the text's length
	state int // whose prompt is the longest end of the text that is a prompt, or -1
}

type promptEdge struct {
	b  byte
	to int
}

func newPrompts(a *agent.Agent) prompts {
	p := prompts{a: a, nodes: []promptNode{{state: -1}}}
	for i, s := range a.States {
		p.longest = append(p.longest, i)
		p.add(i, s.Text)
	}
	sort.SliceStable(p.longest, func(i, j int) bool { return len(a.States[p.longest[i]].Text) > len(a.States[p.longest[j]].Text) })
	p.link()
	return p
}

func (p *prompts) add(state int, text string) {
	at := 0
	for i := range len(text) {
		next := p.next(at, text[i])
		if next < 0 {
			next = len(p.nodes)
			p.nodes = append(p.nodes, promptNode{depth: i + 1, state: -1})
			p.nodes[at].edges = append(p.nodes[at].edges, promptEdge{text[i], next})
		}
		at = next
	}
	p.nodes[at].state = state
}

func (p *prompts) next(node int, b byte) int {
	for _, e := range p.nodes[node].edges {
		if e.b == b {
			return e.to
		}
	}
	return -1
}

// link finds where to go on from a text that nothing longer comes of.
func (p *prompts) link() {
	queue := []int{0}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for _, e := range p.nodes[at].edges {
			queue = append(queue, e.to)
			to := 0
			for fail := at; fail != 0 && to == 0; {
				fail = p.nodes[fail].fail
				to = max(p.next(fail, e.b), 0)
			}
			p.nodes[e.to].fail = to
			if p.nodes[e.to].state < 0 {
				p.nodes[e.to].state = p.nodes[to].state
			}
		}
	}
}

// at returns the state whose prompt a text begins with, or -1. open reports
// that more text could make it another: the text, all of it, is the beginning of
// a prompt longer than the one found.
func (p *prompts) at(text string) (state int, open bool) {
	for _, s := range p.longest {
		prompt := p.a.States[s].Text
		switch {
		case strings.HasPrefix(text, prompt):
			return s, open
		case strings.HasPrefix(prompt, text):
			open = true
		}
	}
	return -1, open
}

// apart returns a state's prompt as it is written for a model: followed by a line
// break where it is the beginning of another state's prompt, so that what the
// model adds cannot make it that.
func (p *prompts) apart(state int) string {
	prompt := p.a.States[state].Text
	if _, open := p.at(prompt); open {
		return prompt + "\n"
	}
	return prompt
}

// find returns the first place in a text where a prompt stands, and its state;
// state is -1 where there is none, and at is then the place up to which no
// prompt begins, whatever follows. A final text has nothing following.
func (p *prompts) find(text string, final bool) (at, state int) {
	node, found, begin := 0, -1, 0
	for i := range len(text) {
		next := p.next(node, text[i])
		for next < 0 && node != 0 {
			node = p.nodes[node].fail
			if found >= 0 && i-p.nodes[node].depth > begin {
				return begin, found
			}
			next = p.next(node, text[i])
		}
		node = max(next, 0)
		n := &p.nodes[node]
		if n.state >= 0 {
			if start := i + 1 - len(p.a.States[n.state].Text); found < 0 || start <= begin {
				found, begin = n.state, start
			}
		}
		if found >= 0 && len(n.edges) == 0 {
			return begin, found
		}
	}
	switch {
	case final && found < 0:
		return len(text), -1
	case final:
		return begin, found
	default:
		return len(text) - p.nodes[node].depth, -1
	}
}

// disguise breaks up every prompt in a text from outside, so that nothing in a
// question or an observation can pose as a state.
func (p *prompts) disguise(text string) string {
	var b strings.Builder
	for {
		at, state := p.find(text, true)
		if state < 0 {
			b.WriteString(text)
			break
		}
		prompt := p.a.States[state].Text
		first := len(prompt)
		for i := range prompt {
			if i > 0 {
				first = i
				break
			}
		}
		b.WriteString(text[:at] + prompt[:first] + "·")
		text = text[at+first:]
	}
	// What was put in may have completed a prompt with a dot in it, and a prompt
	// of one character is not broken up by what follows it. Both are too odd to
	// be worth more than this.
	if out := b.String(); !p.contains(out) {
		return out
	}
	return "(left out: it contains the prompt of a state)"
}

func (p *prompts) contains(text string) bool {
	_, state := p.find(text, true)
	return state >= 0
}

// commonPrefix returns the longest common prefix of texts, in whole characters.
func commonPrefix(texts []string) string {
	prefix := texts[0]
	for _, t := range texts[1:] {
		n := 0
		for i, r := range prefix {
			if !strings.HasPrefix(t[min(i, len(t)):], string(r)) {
				break
			}
			n = i + len(string(r))
		}
		prefix = prefix[:n]
	}
	return prefix
}
