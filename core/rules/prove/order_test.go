package prove

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/rules"
)

func orderFormula(rng *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a()", "b()", "*()", "end()"}[rng.IntN(4)]
	}
	inner := func() string { return "(" + orderFormula(rng, depth-1) + ")" }
	switch rng.IntN(8) {
	case 0:
		return "!" + inner()
	case 1:
		return inner() + " & " + inner()
	case 2:
		return inner() + " | " + inner()
	case 3:
		return "once " + inner()
	case 4:
		return "historically " + inner()
	case 5:
		return "previous " + inner()
	case 6:
		return inner() + " since " + inner()
	}
	return orderFormula(rng, 0)
}

// The exact search returns a session of the length of the shortest one that trying all finds, and
// none only if there is none.
func TestOrderIsSearchedExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	message, end := "message", "end"
	domain := []rules.RawEvent{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Kind: &message, Name: "user"}, {Kind: &end}}
	const most = 4
	found, none, long := 0, 0, 0
	for range effort.Sample(1_000, 150) {
		rule := func(name string) string {
			if rng.IntN(3) == 0 {
				return name + ": " + orderFormula(rng, 2) + "\n"
			}
			return name + ": " + orderFormula(rng, 1) + " -> " + orderFormula(rng, 2) + "\n"
		}
		first, second := rule("r")+rule("s"), rule("r")+rule("s")
		f, other := parsed(t, first), parsed(t, second)
		for _, q := range []Query{
			{Question: Violable, File: f}, {Question: Applies, File: f}, {Question: Superfluous, File: f}, {Question: Callable, File: f, Tool: "a"},
			{Question: Stricter, File: f, Other: other}, {Question: Looser, File: f, Other: other}, {Question: Reachable, File: f, Goal: parsed(t, "goal: "+orderFormula(rng, 2)+"\n")},
		} {
			a, ok := q.order(nil)
			if !ok || !a.Exact {
				t.Fatalf("%s of\n%s: not exact", q.Question, first)
			}
			if a = q.confirmed(a); a.Status == Unconfirmed {
				t.Fatalf("%s of\n%swith\n%s: %s", q.Question, first, second, a.Message)
			}
			shortest := 0
			var extend func(run []rules.RawEvent, length int) bool
			extend = func(run []rules.RawEvent, length int) bool {
				if len(run) == length {
					_, ok := q.Confirm(run)
					return ok
				}
				if len(run) > 0 && run[len(run)-1].Kind == &end {
					return false
				}
				for _, e := range domain {
					if extend(append(run, e), length) {
						return true
					}
				}
				return false
			}
			for length := 1; length <= most && shortest == 0; length++ {
				if len(a.Events) > 0 && length > len(a.Events) || length == most && rng.IntN(10) > 0 {
					break
				}
				if extend(make([]rules.RawEvent, 0, length), length) {
					shortest = length
				}
			}
			switch {
			case shortest != 0 && len(a.Events) != shortest:
				t.Fatalf("%s of\n%swith\n%s: %v, expected %d events", q.Question, first, second, Lines(a.Events), shortest)
			case shortest != 0:
				found++
			case a.Status == None:
				none++
			case len(a.Events) < most-1:
				t.Fatalf("%s of\n%swith\n%s: %v, expected none", q.Question, first, second, Lines(a.Events))
			default:
				long++
			}
		}
	}
	t.Logf("%d found, %d none, %d longer", found, none, long)
	if found < 50 || none < 50 {
		t.Error(found, none)
	}
}

func TestOtherRulesHaveNoExactSearch(t *testing.T) {
	if _, ok := (Query{Question: Violable, File: parsed(t, "a: refund(order: ?o) -> once approve(order: ?o)\n")}).order(nil); ok {
		t.Error("a rule about fields")
	}
	if _, ok := (Query{Question: Reachable, File: parsed(t, "a: !pay()\n"), Goal: parsed(t, "goal: a(x: 1)\n")}).order(nil); ok {
		t.Error("a goal about fields")
	}
	a, ok := (Query{Question: Superfluous, File: parsed(t, "a: !refund()\nb: refund() -> once approve()\n"), Rule: 1}).order(nil)
	if text := (Query{Question: Superfluous}).Sentence(a); !ok || text != "the other rules imply this one in all sessions of any length" {
		t.Error(text)
	}
}
