package grammars_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// asker offers tools as the program released with Formal-LLM does
// (agiresearch/Formal-LLM, src/closed_source; only the facts are taken): a stack of the symbols
// still needed, each tool once, an input only after a tool is chosen, the text argument of e1
// first.
type asker struct{ inputs []string }

// asked is the state of an asker: the stack with its top last, and the plan so far.
type asked struct {
	stack string
	word  []string
}

var toolsOf = map[byte][]string{
	'A': {"a1", "a2", "a3", "a4"}, 'B': {"b1", "b2", "b3"}, 'C': {"c1"}, 'D': {"d1", "d2", "d3", "d4", "d5"}, 'E': {"e1"}, 'F': {"f1"},
}

// of returns the inputs of a modality: symbols that begin with i or t.
func (a asker) of(modality byte) []string {
	var out []string
	for _, symbol := range a.inputs {
		if symbol[0] == modality|0x20 {
			out = append(out, symbol)
		}
	}
	return out
}

// options returns the options for the top of the stack.
func (a asker) options(s asked) []string {
	left := func(kind byte) []string {
		var out []string
		for _, tool := range toolsOf[kind] {
			if !slices.Contains(s.word, tool) {
				out = append(out, tool)
			}
		}
		return out
	}
	top, rest := s.stack[len(s.stack)-1], s.stack[:len(s.stack)-1]
	kinds := "AC"
	if top == 'T' {
		kinds = "BDFE"
	}
	noImage, noText := len(a.of('I')) == 0, len(a.of('T')) == 0
	switch { // no task has neither
	case top == 'T' && noImage && len(left('C')) <= strings.Count(rest, "I"):
		kinds = "DF"
	case top == 'T' && noText && len(left('B')) < 2+strings.Count(rest, "T"):
		kinds = "BDE"
	case top == 'I' && noText && len(left('B')) <= strings.Count(rest, "T"):
		kinds = "A"
	}
	var out []string
	for i := range len(kinds) {
		out = append(out, left(kinds[i])...)
	}
	if len(s.word) > 0 {
		out = append(out, a.of(top)...)
	}
	return out
}

// take returns the asker's state after an option.
func (a asker) take(s asked, option string) asked {
	needs := map[byte]string{'a': "I", 'b': "I", 'c': "T", 'd': "T", 'e': "IT", 'f': "TT"}[option[0]]
	return asked{stack: s.stack[:len(s.stack)-1] + needs, word: append(s.word[:len(s.word):len(s.word)], option)}
}

// class is one of the six kinds of tasks.
type class struct {
	name, spec string
	inputs     []string
	output     string
}

var classes = []class{
	{"image->image", "image-to-image.cfg", []string{"i"}, "I"},
	{"image->text", "image-to-text.cfg", []string{"i"}, "T"},
	{"text->image", "text-to-image.cfg", []string{"t"}, "I"},
	{"text->text", "text-to-text.cfg", []string{"t"}, "T"},
	{"image+text->text", "image-and-text-to-text.cfg", []string{"i", "t"}, "T"},
	{"text+text->text", "two-texts-to-text.cfg", []string{"t1", "t2"}, "T"},
}

// The released pruning is exact for these tools: at every step it offers exactly the viable
// options, in its own order of arguments.
func TestReleasedPruningIsExact(t *testing.T) {
	e := example(t, "openagi-tasks")
	random := rand.New(rand.NewPCG(7, 8))
	for _, c := range classes {
		f, _ := e.Workspace().File(c.spec)
		e := grammars.Example{ID: "released", Files: []workspace.File{{Name: "released.cfg", Text: strings.ReplaceAll(f.Text, "E I T", "E T I")}}}
		d := openGrammar(t, e, "released.cfg")
		a := asker{c.inputs}
		for range 300 {
			at := asked{stack: c.output}
			d.walk(t, func(next []string, complete bool) int {
				offered := a.options(at)
				slices.Sort(offered)
				sorted := slices.Sorted(slices.Values(next))
				if !slices.Equal(offered, sorted) {
					t.Fatalf("%s after %v: offers %v, but what can be finished is %v", c.name, at.word, offered, sorted)
				}
				n := random.IntN(len(next))
				at = a.take(at, next[n])
				return n
			})
		}
	}
}
