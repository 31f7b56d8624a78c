package agent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func TestCappedAgentHasRunsWithinTheCap(t *testing.T) {
	a := compile(t, specText([]string{"Q", "T", "A", "O", "F"}, []string{"O"}, "(next Q (until (next T (until A O)) F))"))
	for most := 1; most <= 3; most++ {
		capped, err := a.Capped(most, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		var walk func(word []int, counts [5]int)
		walk = func(word []int, counts [5]int) {
			want := a.DFA.Accepts(word)
			for _, n := range counts {
				want = want && n <= most
			}
			if len(word) > 0 && capped.DFA.Accepts(word) != want {
				t.Fatalf("at most %d: %v is accepted: %v", most, word, !want)
			}
			if len(word) == 8 {
				return
			}
			for letter := range 5 {
				c := counts
				c[letter]++
				walk(append(word[:len(word):len(word)], letter), c)
			}
		}
		walk(nil, [5]int{})
	}
	ever, err := compile(t, specText([]string{"A", "B"}, nil, "(next B (always A))")).Capped(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]agent.Verdict{"B A A": agent.VerdictValid, "B A A A": agent.VerdictInvalid, "B": agent.VerdictIncomplete} {
		if verdict, _, _ := ever.Verdict(strings.Fields(text)); verdict != want {
			t.Errorf("%s is %s", text, verdict)
		}
	}
	twice := compile(t, specText([]string{"A", "B"}, nil, "(next A B A (until B A))"))
	var fault *source.Error
	if _, err := twice.Capped(1, nil); !errors.As(err, &fault) || fault.Code() != "agent.capped" {
		t.Errorf("%v", err)
	}
}
