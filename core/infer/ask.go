package infer

import (
	"fmt"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Question is a word that one of two proposals accepts and the other rejects.
type Question struct {
	Steps []string `json:"steps"`
	Left  bool     `json:"left"` // the first proposal accepts it
}

// MaxQuestions bounds the questions of a call of [Ask].
const MaxQuestions = 20

// Ask returns shortest words on which two agents differ, the shortest first: for each pair of states
// in which exactly one of them may end, one word, at most n. The error is that of an agent that does
// not compile, with its code, or the meter's.
func Ask(left, right string, n int, m *meter.Meter) ([]Question, error) {
	if n <= 0 || n > MaxQuestions {
		n = MaxQuestions
	}
	var symbols []string
	known := map[string]bool{}
	a, err := open(left, m)
	if err != nil {
		return nil, side("the first proposal", err)
	}
	b, err := open(right, m)
	if err != nil {
		return nil, side("the second proposal", err)
	}
	for _, s := range append(append(a.States[:0:0], a.States...), b.States...) {
		if !known[s.Name] {
			known[s.Name] = true
			symbols = append(symbols, s.Name)
		}
	}
	x, y := overSymbols(a, symbols), overSymbols(b, symbols)
	type pair struct{ x, y int }
	type place struct {
		pair
		from, letter int
	}
	queue, seen := []place{{pair{x.Start(), y.Start()}, -1, -1}}, map[pair]bool{{x.Start(), y.Start()}: true}
	out := []Question{}
	for i := 0; i < len(queue) && len(out) < n; i++ {
		if err := m.Step(len(symbols)); err != nil {
			return nil, err
		}
		p := queue[i]
		if x.Accepting(p.x) != y.Accepting(p.y) {
			var steps []string
			for at := i; queue[at].from >= 0; at = queue[at].from {
				steps = append([]string{symbols[queue[at].letter]}, steps...)
			}
			out = append(out, Question{Steps: steps, Left: x.Accepting(p.x)})
		}
		for letter := range symbols {
			next := pair{x.Next(p.x, letter), y.Next(p.y, letter)}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, place{next, i, letter})
			}
		}
	}
	return out, nil
}

func side(name string, err error) error {
	code := "source.invalid"
	if coded, ok := err.(interface{ Code() string }); ok {
		code = coded.Code()
	}
	return source.NewError(code, fmt.Sprintf("%s: %s", name, err))
}
