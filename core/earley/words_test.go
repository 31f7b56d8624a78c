package earley_test

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
)

func TestWordCountsOfTheData(t *testing.T) {
	type record struct {
		ID, Grammar, Start string
		Words              []int `json:"words_per_length"`
	}
	for _, r := range conformance.Records[record](t, "cfg.jsonl") {
		if len(r.Words) == 0 {
			continue
		}
		counts, err := earley.CountWords(compile(t, r.Grammar, r.Start), len(r.Words)-1, meter.New(meter.Budget{}))
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		for n, want := range r.Words {
			if counts[n].String() != itoa(want) {
				t.Errorf("%s: %s words of length %d, not %d", r.ID, counts[n], n, want)
			}
		}
	}
}

func TestWordCountsAreThoseByBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 1))
	for range effort.Of(600) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		want := make([]int, 6)
		for w := range enum.Words(g, 5)[g.Start] {
			want[len(w)]++
		}
		counts, err := earley.CountWords(g, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range want {
			if counts[n].String() != itoa(want[n]) {
				t.Fatalf("%s%s words of length %d, not %d", text, counts[n], n, want[n])
			}
		}
	}
}

func TestLongWordsAreCountedTogether(t *testing.T) {
	counts, err := earley.CountWords(compile(t, "S -> a S | b S | ε", ""), 100, meter.New(meter.Budget{}))
	if err != nil || counts[100].String() != "1267650600228229401496703205376" {
		t.Errorf("%v, %v", counts, err)
	}
	// Dyck words: Catalan numbers.
	counts, err = earley.CountWords(compile(t, "S -> a S b S | ε", ""), 40, meter.New(meter.Budget{}))
	if err != nil || counts[40].String() != "6564120420" || counts[39].String() != "0" {
		t.Errorf("%v, %v", counts, err)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func TestShortestWords(t *testing.T) {
	type record struct {
		ID, Grammar, Start string
		Shortest           *int `json:"shortest_word_length"`
	}
	for _, r := range conformance.Records[record](t, "cfg.jsonl") {
		g := compile(t, r.Grammar, r.Start)
		checkShortest(t, r.ID, g, r.Shortest)
	}
	random := rand.New(rand.NewPCG(32, 1))
	for range effort.Of(2000) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		var want *int
		for w := range enum.Words(g, 6)[g.Start] {
			if want == nil || len(w) < *want {
				n := len(w)
				want = &n
			}
		}
		if word, ok, err := earley.Shortest(g); want == nil && ok && len(word) > 6 && err == nil {
			continue // beyond what was enumerated
		}
		checkShortest(t, text, g, want)
	}
}

func checkShortest(t *testing.T, what string, g *grammar.Grammar, want *int) {
	t.Helper()
	word, ok, err := earley.Shortest(g)
	if err != nil || ok != (want != nil) || ok && len(word) != *want {
		t.Fatalf("%s: %v %v %v", what, word, ok, err)
	}
	if accepted, err := earley.New(g).Recognize(word, nil); ok && (err != nil || !accepted) {
		t.Fatalf("%s: %v is no word (%v)", what, word, err)
	}
}

func TestAShortestWordThatIsTooLongIsALimit(t *testing.T) {
	text := ""
	for i := range 40 {
		text += "N" + itoa(i) + " -> N" + itoa(i+1) + " N" + itoa(i+1) + "\n"
	}
	_, _, err := earley.Shortest(compile(t, text+"N40 -> a\n", ""))
	var limit *meter.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}
