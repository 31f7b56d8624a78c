package grammars_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/grammars"
)

// released plans as the program released with Formal-LLM does: it asks at every symbol, even if
// one choice is left. The answers are drawn uniformly. It returns the word, in its own order of
// arguments, and the number of questions.
func released(task grammars.Task, seed uint64) (word []string, calls int) {
	random := rand.New(rand.NewPCG(seed, uint64(task.ID)))
	var a asker
	for _, in := range task.Inputs {
		a.inputs = append(a.inputs, in.Symbol)
	}
	at := asked{stack: strings.ToUpper(task.Goal.Type[:1])}
	for len(at.stack) > 0 {
		options := a.options(at)
		calls++
		at = a.take(at, options[random.IntN(len(options))])
	}
	return at.word, calls
}

// inPaperOrder swaps the arguments of visual question answering: the grammars have the paper's
// order, the image first.
func inPaperOrder(word []string) []string {
	out, _ := turned(word)
	return out
}

func turned(word []string) (out, rest []string) {
	arguments := map[byte]int{'a': 1, 'b': 1, 'c': 1, 'd': 1, 'e': 2, 'f': 2}[word[0][0]]
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
