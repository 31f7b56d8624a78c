package monitor

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// prompts finds the states' prompts in a text: the earliest, and of those that begin at
// the same place the longest (Crouse et al. 2024, §2.2.2).
//
// It is the automaton of Aho and Corasick (1975). A match is delayed while a longer match,
// or an earlier one, is still possible. The time is linear in the text.
type prompts struct {
	a       *agent.Agent
	longest []int  // states, the longest prompt first
	forms   []form // the declared aliases
	nodes   []promptNode
}

type promptNode struct {
	edges []promptEdge
	fail  int // node of the longest proper suffix of the prefix that is a prefix, too
	depth int // length of the prefix
	state int // the state whose prompt is the longest suffix of the prefix that is a prompt, or -1
}

type promptEdge struct {
	b  byte
	to int
}

func newPrompts(a *agent.Agent) prompts {
	p := prompts{a: a, forms: declaredForms(a), nodes: []promptNode{{state: -1}}}
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

// link computes the fail edges.
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

// at returns the state whose prompt a text begins with, or -1. open reports that more
// text may change the result: the complete text is a prefix of a longer prompt.
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

// apart returns a state's prompt as the monitor writes it: followed by a line break if it
// is a prefix of another state's prompt, so that the model's text cannot complete the
// longer prompt.
func (p *prompts) apart(state int) string {
	prompt := p.a.States[state].Text
	if _, open := p.at(prompt); open {
		return prompt + "\n"
	}
	return prompt
}

// find returns the offset of the first prompt in a text, and its state. If there is none,
// state is -1, and no prompt begins before at, however the text continues. If final is
// true, the text does not continue.
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

// scan finds the prompts and the declared aliases of a complete text one after the other. Its time is linear.
type scan struct {
	*prompts
	text          string
	prompt, state int // the first prompt from an earlier place; it is searched again when the place is after it
}

func (p *prompts) scan(text string) *scan { return &scan{prompts: p, text: text, prompt: -1} }

// next returns the offset of the first prompt or declared alias from a place, its state and its length. An alias
// counts at the start of a line, and the longer one of a prompt and an alias at the same place. lined reports that the
// place begins a line. The state is -1 if there is none.
func (s *scan) next(from int, lined bool) (at, state, length int) {
	if s.prompt < from {
		s.prompt, s.state = s.find(s.text[from:], true)
		s.prompt += from
	}
	at, state = s.prompt, s.state
	if state >= 0 {
		length = len(s.a.States[state].Text)
	}
	for line := from; len(s.forms) > 0 && line <= at; line++ {
		if lined {
			start := len(s.text) - len(strings.TrimLeft(s.text[line:], " \t\r\n"))
			if start > at {
				break
			}
			if f, _ := longestForm(s.forms, s.text[start:]); f != nil && (start < at || len(f.text) > length) {
				return start, f.state, len(f.text)
			}
			line = start
		}
		next := strings.IndexByte(s.text[line:at], '\n')
		if next < 0 {
			break
		}
		line, lined = line+next, true
	}
	return at, state, length
}

// disguise breaks every prompt in a text of the environment, so that no question and no
// observation can pose as a state.
func (p *prompts) disguise(text string) string {
	var b strings.Builder
	scan := p.scan(text)
	for from := 0; ; {
		at, state, length := scan.next(from, from == 0)
		if state < 0 {
			b.WriteString(text[from:])
			break
		}
		prompt := text[at : at+length]
		first := len(prompt)
		for i := range prompt {
			if i > 0 {
				first = i
				break
			}
		}
		b.WriteString(text[from:at] + prompt[:first] + "·")
		from = at + first
	}
	// The inserted dot may complete a prompt that contains a dot, and does not break a
	// prompt of one character. Both cases are rare, so the complete text is replaced with a
	// remark.
	if out := b.String(); !p.contains(out) {
		return out
	}
	return "(left out: it contains the prompt of a state)"
}

func (p *prompts) contains(text string) bool {
	_, state, _ := p.scan(text).next(0, true)
	return state >= 0
}

// commonPrefix returns the longest common prefix of texts that ends between characters.
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
