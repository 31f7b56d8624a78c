package rules

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/source"
)

// orderFormula returns a random formula about the calls of a, b and any tool, and the end.
func orderFormula(rng *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a()", "b()", "*()", "end()"}[rng.IntN(4)]
	}
	inner := func() string { return "(" + orderFormula(rng, depth-1) + ")" }
	switch rng.IntN(9) {
	case 0:
		return "!" + inner()
	case 1:
		return inner() + " & " + inner()
	case 2:
		return inner() + " | " + inner()
	case 3:
		return inner() + " -> " + inner()
	case 4:
		return "once " + inner()
	case 5:
		return "historically " + inner()
	case 6:
		return "previous " + inner()
	case 7:
		return inner() + " since " + inner()
	}
	return orderFormula(rng, 0)
}

// The automaton of a rule accepts the words of which the monitor says that the rule holds, as runs
// that are over.
func TestAutomataAcceptWhatTheMonitorPermits(t *testing.T) {
	letters := []string{"a", "b", "c"}
	rng := rand.New(rand.NewPCG(3, 4))
	accepted, rejected := 0, 0
	for range effort.Sample(500, 15) {
		text := "r: " + orderFormula(rng, 1+rng.IntN(4))
		f := Parse(source.NewFile("r.rules", text))
		if len(f.Rules) != 1 || !f.Rules[0].Order() {
			t.Fatalf("%s: %+v", text, f.Diagnostics)
		}
		d, err := f.Rules[0].Automaton(letters, nil)
		if err != nil {
			t.Fatal(err)
		}
		var try func(word []int)
		try = func(word []int) {
			m := NewMonitor(f)
			for i, letter := range word {
				m.Step(NewEvent("call", letters[letter], nil, i, ""))
			}
			m.Step(NewEvent("end", "", nil, len(word), ""))
			verdict := m.Verdict(0)
			holds := verdict == Holds || verdict == Untriggered
			if d.Accepts(word) != holds {
				t.Fatalf("%s: the word %v is %s, the automaton says %v", text, word, verdict, !holds)
			}
			if holds {
				accepted++
			} else {
				rejected++
			}
			if len(word) < 6 {
				for letter := range letters {
					try(append(word[:len(word):len(word)], letter))
				}
			}
		}
		try(nil)
	}
	if accepted < 1000 || rejected < 1000 {
		t.Error(accepted, rejected)
	}
}

func TestOrder(t *testing.T) {
	for text, order := range map[string]bool{
		"refund() -> once approve()":                  true,
		"end() -> once *()":                           true,
		"refund(order: _) -> once approve()":          false,
		"refund() -> once[1h] approve()":              false,
		"refund() -> once approve.result()":           false,
		"refund() -> once message.user()":             false,
		"refund() -> count approve() > 1":             false,
		"refund() -> 1 = 1":                           false,
		"refund() -> (!cancel()) since[1d] approve()": false,
		"refund( -> a()":                              false,
	} {
		f := Parse(source.NewFile("r.rules", "r: "+text))
		if got := f.Rules[0].Order(); got != order {
			t.Errorf("%s: %v", text, got)
		}
	}
}
