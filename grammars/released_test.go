package grammars_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/grammars"
)

// releasedTools are the tools as the planner released with Formal-LLM lists them
// (agiresearch/Formal-LLM, src/closed_source; facts only): by what is on top of its
// stack, in groups.
var releasedTools = map[byte][]struct{ group, tools string }{
	'T': {{"B", "b1 b2 b3"}, {"D", "d1 d2 d3 d4 d5"}, {"F", "f1"}, {"E", "e1"}},
	'I': {{"A", "a1 a2 a3 a4"}, {"C", "c1"}},
}

// pushes is what a tool of a group puts on the stack, its top first. Visual
// question answering asks for its text first.
var pushes = map[string]string{"A": "I", "B": "I", "C": "T", "D": "T", "E": "TI", "F": "TT"}

// released plans as the released planner does: it asks at every symbol, even where
// one choice is left, uses each tool once, offers the inputs once a tool is chosen,
// and leaves out what would need more changes between image and text than there are
// tools for. The answers are drawn evenly. It returns the word, in its own order of
// arguments, and how often it asked.
func released(task grammars.Task, seed uint64) (word []string, calls int) {
	random := rand.New(rand.NewPCG(seed, uint64(task.ID)))
	inputs := map[byte][]string{}
	for _, in := range task.Inputs {
		letter := strings.ToUpper(in.Type[:1])[0]
		inputs[letter] = append(inputs[letter], in.Symbol)
	}
	used := map[string]bool{}
	unused := func(tools string) (left []string) {
		for _, name := range strings.Fields(tools) {
			if !used[name] {
				left = append(left, name)
			}
		}
		return left
	}
	stack := []byte{strings.ToUpper(task.Goal.Type[:1])[0]}
	for len(stack) > 0 {
		top, rest := stack[0], stack[1:]
		count := func(letter byte) int { return strings.Count(string(rest), string(letter)) }
		noImage, noText := len(inputs['I']) == 0, len(inputs['T']) == 0
		left := map[string]bool{"A": true, "B": true, "C": true, "D": true, "E": true, "F": true}
		toText, toImage := len(unused("b1 b2 b3")), len(unused("c1"))
		switch {
		case top == 'T' && noImage && toImage <= count('I'):
			left["B"], left["E"] = false, false
		case top == 'I' && noText && toText <= count('T'):
			left["C"] = false
		}
		if top == 'T' && noText && toText < 2+count('T') {
			left["F"] = false
		}
		type option struct{ name, group string }
		var options []option
		for _, g := range releasedTools[top] {
			for _, name := range unused(g.tools) {
				if left[g.group] {
					options = append(options, option{name, g.group})
				}
			}
		}
		if len(word) > 0 {
			for _, name := range inputs[top] {
				options = append(options, option{name, ""})
			}
		}
		calls++
		o := options[random.IntN(len(options))]
		word = append(word, o.name)
		used[o.name] = o.group != ""
		stack = slices.Concat([]byte(pushes[o.group]), rest)
	}
	return word, calls
}

// inPaperOrder turns the arguments of visual question answering around: the
// grammars have the paper's order, the image first.
func inPaperOrder(word []string) []string {
	out, _ := turned(word)
	return out
}

func turned(word []string) (out, rest []string) {
	arguments := len(pushes[strings.ToUpper(word[0][:1])])
	if len(word[0]) == 1 {
		arguments = 0 // an input
	}
	parts := make([][]string, arguments)
	rest = word[1:]
	for i := range parts {
		parts[i], rest = turned(rest)
	}
	if word[0] == "e1" {
		slices.Reverse(parts)
	}
	return append([]string{word[0]}, slices.Concat(parts...)...), rest
}
