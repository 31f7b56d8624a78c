package counting_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
)

// wordsWithin lists the words of up to max letters within caps, joined by blanks.
func wordsWithin(g *grammar.Grammar, caps []int64, max int) map[string]int {
	out := map[string]int{}
	for w := range enum.Words(g, max)[g.Start] {
		uses := map[string]int64{}
		within := true
		var names []string
		for _, letter := range w {
			s := grammar.Symbol(letter - 'A')
			name := g.Names[s]
			names = append(names, name)
			uses[name]++
			within = within && (caps == nil || caps[s] < 0 || uses[name] <= caps[s])
		}
		if within {
			out[strings.Join(names, " ")] = len(names)
		}
	}
	return out
}

func randomCaps(g *grammar.Grammar, random *rand.Rand) []int64 {
	if random.IntN(2) == 0 {
		return nil
	}
	caps := make([]int64, g.NumTerminals)
	for i := range caps {
		caps[i] = int64(random.IntN(4)) - 1
	}
	return caps
}

func TestLanguagesEqualBruteForce(t *testing.T) {
	const most = 5
	random := rand.New(rand.NewPCG(31, 2))
	for range effort.Of(400) {
		first, second := enum.Grammar(random), enum.Grammar(random)
		a, b := compile(t, first, ""), compile(t, second, "")
		capsA, capsB := randomCaps(a, random), randomCaps(b, random)
		l, other := counting.LanguageOf(a, capsA), counting.LanguageOf(b, capsB)
		words, others := wordsWithin(a, capsA, most), wordsWithin(b, capsB, most)
		counts := make([]int, most+1)
		want := -1
		for w, n := range words {
			counts[n]++
			if _, both := others[w]; !both && (want < 0 || n < want) {
				want = n
			}
		}
		for n, count := range counts {
			if got, err := l.Number(n, nil); err != nil || got.String() != strconv.Itoa(count) {
				t.Fatalf("%swithin %v: %s words of length %d, want %d; %v", first, capsA, got, n, count, err)
			}
		}
		word, upTo, err := counting.Missing(l, other, most, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case want < 0 && (word != nil || upTo != most):
			t.Fatalf("%swithin %v lacks %v in\n%swithin %v; no difference up to %d", second, capsB, word, first, capsA, most)
		case want >= 0 && (word == nil || len(word) != want || upTo != want-1):
			t.Fatalf("%s\n%s: the missing word is %v after %d, want one of length %d", first, second, word, upTo, want)
		case word != nil:
			text := strings.Join(word, " ")
			_, in := words[text]
			if _, both := others[text]; !in || both {
				t.Fatalf("%s\n%s: %q is no difference", first, second, text)
			}
		}
	}
}

// A language that has an automaton has the same words as the automaton.
func TestAutomataOfLanguagesEqualBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 3))
	some, tried := 0, effort.Of(200)
	for range tried {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		caps := randomCaps(g, random)
		l := counting.LanguageOf(g, caps)
		d, err := l.Automaton(l.Letters(), meter.New(meter.Budget{Steps: 20_000, States: 2_000}))
		if err != nil {
			continue
		}
		some++
		words := wordsWithin(g, caps, 4)
		again := counting.LanguageOfDFA(d, l.Letters())
		for n := range 5 {
			want := 0
			for _, length := range words {
				if length == n {
					want++
				}
			}
			if got, err := again.Number(n, nil); err != nil || got.String() != strconv.Itoa(want) {
				t.Fatalf("%swithin %v: the automaton accepts %s words of length %d, want %d\n%s", text, caps, got, n, want, d)
			}
		}
	}
	if 10*some < tried {
		t.Errorf("only %d of %d grammars have an automaton", some, tried)
	}
}

// The words of a language within an automaton are those of both.
func TestWordsWithinAnAutomatonEqualBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 5))
	shared := 0
	for range effort.Of(600) {
		g, h := compile(t, enum.Grammar(random), ""), compile(t, enum.Grammar(random), "")
		capsG, capsH := randomCaps(g, random), randomCaps(h, random)
		l, other := counting.LanguageOf(g, capsG), counting.LanguageOf(h, capsH)
		if !slices.Equal(l.Letters(), other.Letters()) {
			continue
		}
		d, err := other.Automaton(l.Letters(), meter.New(meter.Budget{Steps: 20_000, States: 2_000}))
		if err != nil {
			continue
		}
		words, others := wordsWithin(g, capsG, 4), wordsWithin(h, capsH, 4)
		for n := range 5 {
			want := 0
			for w, length := range words {
				if _, both := others[w]; both && length == n {
					want++
				}
			}
			shared += want
			if got, err := l.NumberWithin(d, n, nil); err != nil || got.String() != strconv.Itoa(want) {
				t.Fatalf("%s words of length %d in both, not %d; %v", got, n, want, err)
			}
			all, err := l.NumberWithin(nil, n, nil)
			if number, other := l.Number(n, nil); err != nil || other != nil || all.Cmp(number) != 0 {
				t.Fatalf("%s words of length %d, not %s", all, n, number)
			}
		}
		m := meter.New(meter.Budget{States: 1})
		if _, err := l.NumberWithin(d, 4, m); err == nil && len(words) > 3 && shared > 100 && m.Spent(meter.States) > 1 {
			t.Error("a spent budget has no effect")
		}
	}
	if shared == 0 {
		t.Errorf("only %d words in both", shared)
	}
}

func TestSamplesOfLanguagesAreUniform(t *testing.T) {
	caps := []int64{2, grammar.Unlimited}
	l := counting.LanguageOf(compile(t, "S -> a S | b S | ε", ""), caps)
	random := rand.New(rand.NewPCG(7, 7))
	drawn := map[string]int{}
	for range 1_100 {
		word, ok, err := l.Sample(4, random, nil)
		if !ok || err != nil {
			t.Fatal(err)
		}
		drawn[strings.Join(word, "")]++
	}
	if len(drawn) != 11 { // at most two of four letters are a
		t.Errorf("%d different words, want 11", len(drawn))
	}
	for word, n := range drawn {
		if n < 60 || n > 140 {
			t.Errorf("%s is drawn %d times of 1,100; 100 expected", word, n)
		}
	}
	if word, ok, err := l.First(3, nil); !ok || err != nil || strings.Join(word, "") != "aab" {
		t.Errorf("the first word is %v, %v, %v", word, ok, err)
	}
	none := counting.LanguageOf(compile(t, "S -> a S", ""), nil)
	if _, ok, err := none.Sample(0, random, nil); ok || err != nil {
		t.Errorf("the empty language has a word: %v", err)
	}
	if _, ok, err := none.First(0, nil); ok || err != nil {
		t.Errorf("the empty language has a first word: %v", err)
	}
}

// The letters of two languages are matched by their names.
func TestLanguagesAreComparedByNames(t *testing.T) {
	ab := counting.LanguageOf(compile(t, "S -> a b", ""), nil)
	// The words of b and a, in which letter 1 is a.
	ba := counting.LanguageOfDFA(automaton.NewDFA([][]int{{3, 1}, {2, 3}, {3, 3}, {3, 3}}, []bool{false, false, true, false}), []string{"b", "a"})
	if word, upTo, err := counting.Missing(ab, ba, 4, nil); word != nil || upTo != 4 || err != nil {
		t.Errorf("%v, %d, %v", word, upTo, err)
	}
	if got := counting.Joined(ab, counting.LanguageOf(compile(t, "S -> c a", ""), nil)); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("joined: %v", got)
	}
}

// A search that exhausts its budget returns the lengths that it completed; other errors of the
// meter are returned.
func TestComparisonStopsWithItsBudget(t *testing.T) {
	a := func() *counting.Language { return counting.LanguageOf(compile(t, "S -> a S b | S S | ε", ""), nil) }
	word, upTo, err := counting.Missing(a(), a(), 100, meter.New(meter.Budget{Steps: 20_000}))
	if word != nil || upTo < 2 || upTo >= 100 || err != nil {
		t.Errorf("%v, %d, %v", word, upTo, err)
	}
	stopped := meter.New(meter.Budget{})
	stopped.Stop(meter.ErrCancelled)
	if _, _, err := counting.Missing(a(), a(), 100, stopped); err != meter.ErrCancelled {
		t.Errorf("%v", err)
	}
	if _, err := a().Automaton([]string{"a", "b"}, meter.New(meter.Budget{States: 1_000})); err == nil {
		t.Error("a language that is not regular has an automaton")
	}
}
