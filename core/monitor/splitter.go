package monitor

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// prompts finds the states' prompts in a text, the longest first where one is
// the beginning of another (Crouse et al. 2024, §3.3).
type prompts struct {
	a       *agent.Agent
	longest []int // states, the longest prompt first
}

func newPrompts(a *agent.Agent) prompts {
	p := prompts{a: a}
	for i := range a.States {
		p.longest = append(p.longest, i)
	}
	sort.SliceStable(p.longest, func(i, j int) bool { return len(a.States[p.longest[i]].Text) > len(a.States[p.longest[j]].Text) })
	return p
}

// at returns the state whose prompt a text begins with, or -1. open reports
// that more text could make it another: the text, all of it, is the beginning of
// a prompt longer than the one found.
func (p prompts) at(text string) (state int, open bool) {
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
func (p prompts) apart(state int) string {
	prompt := p.a.States[state].Text
	if _, open := p.at(prompt); open {
		return prompt + "\n"
	}
	return prompt
}

// find returns the first place in a text where a prompt stands, and its state;
// state is -1 where there is none, and at is then the place up to which no
// prompt begins, whatever follows. A final text has nothing following.
func (p prompts) find(text string, final bool) (at, state int) {
	for i := range text {
		found, open := p.at(text[i:])
		if open && !final {
			return i, -1
		}
		if found >= 0 {
			return i, found
		}
	}
	return len(text), -1
}

// disguise breaks up every prompt in a text from outside, so that nothing in a
// question or an observation can pose as a state.
func (p prompts) disguise(text string) string {
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

func (p prompts) contains(text string) bool {
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
