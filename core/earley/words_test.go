package earley_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
)

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
	for range effort.Sample(2000, 400) {
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
			continue // longer than the enumerated words
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

func TestTooLongShortestWordEndsWithLimit(t *testing.T) {
	text := ""
	for i := range 40 {
		text += "N" + strconv.Itoa(i) + " -> N" + strconv.Itoa(i+1) + " N" + strconv.Itoa(i+1) + "\n"
	}
	_, _, err := earley.Shortest(compile(t, text+"N40 -> a\n", ""))
	var limit *meter.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}

// Words of more than a million letters are ignored: productions that lead only to them are not
// used.

func TestTooLongWordsAreAvoided(t *testing.T) {
	var long, chain strings.Builder
	for i := range 21 {
		fmt.Fprintf(&long, "L%d -> L%d L%d\n", i, i+1, i+1)
	}
	long.WriteString("L21 -> a\n")
	for i := range 40 {
		fmt.Fprintf(&chain, "C%d -> C%d\n", i, i+1)
	}
	chain.WriteString("C40 -> d\n")
	g := compile(t, "S -> L0 | A L0 | b L0 | c A d | C0 | c c | e L1\nA -> b c | b L0\n"+long.String()+chain.String(), "")
	word, ok, err := earley.Shortest(g)
	if err != nil || !ok || len(word) != 1 || g.Names[word[0]] != "d" {
		t.Errorf("a shortest word of %d letters, %v %v", len(word), ok, err)
	}
	p := earley.New(g)
	for _, c := range []struct {
		read, rest string
		ok         bool
	}{
		{"", "d", true}, {"d", "", true}, {"a", "", false}, {"b", "", false}, {"b c", "", false}, {"b c a", "", false},
		{"c", "c", true}, {"c b", "c d", true}, {"c b c", "d", true}, {"c b a", "", false}, {"c b c d", "", true},
		{"e", strings.Repeat(" a", 10)[1:], true},
	} {
		run := p.Start(nil)
		for _, letter := range spelled(t, g, c.read) {
			if ok, err := run.Push(letter); !ok || err != nil {
				t.Fatalf("%q is not read (%v)", c.read, err)
			}
		}
		rest, ok := run.Completion()
		var names []string
		for _, letter := range rest[:min(len(rest), 10)] { // ten of a million letters suffice
			names = append(names, g.Names[letter])
		}
		if ok != c.ok || strings.Join(names, " ") != c.rest {
			t.Errorf("%q is completed by %d letters, %q (%v), not %q (%v)", c.read, len(rest), names, ok, c.rest, c.ok)
		}
	}
}

// A hundred and fifty nonterminals and two hundred terminals: sets of them have several

// words.

func TestManySymbols(t *testing.T) {
	const size = 150
	text := "%start S\n"
	for i := range size {
		text += fmt.Sprintf("N%d -> t%d N%d | t%d\n", i, i, (7*i+3)%size, size+i%50)
	}
	text += "S -> N0 | N70 | N149\n"
	g := compile(t, text, "")
	caps := make([]int64, g.NumTerminals)
	for i := range caps {
		caps[i] = grammar.Unlimited
	}
	needs, err := grammar.ComputeNeeds(g, caps, nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(33, 1))
	for range effort.Of(20) {
		run := earley.New(g).Start(nil)
		here := []int{0, 70, 149}
		for range 20 {
			want := []string{}
			for _, i := range here {
				want = append(want, "t"+strconv.Itoa(i), "t"+strconv.Itoa(size+i%50))
			}
			slices.Sort(want)
			want = slices.Compact(want)
			viable, complete, within, err := run.NextWithin(needs, caps)
			if got := names(g, run.Next()); !slices.Equal(got, want) || !slices.Equal(names(g, within), want) || !viable || complete || err != nil {
				t.Fatalf("next are %v, within limits %v (%v), not %v", got, names(g, within), err, want)
			}
			if rest, ok := run.Completion(); !ok || len(rest) != 1 || !slices.Contains(want, g.Names[rest[0]]) {
				t.Fatalf("completed by %v (%v)", names(g, rest), ok)
			}
			at := here[random.IntN(len(here))]
			letter, _ := g.Lookup("t" + strconv.Itoa(at))
			if ok, err := run.Push(letter); !ok || err != nil {
				t.Fatalf("t%d is not read (%v)", at, err)
			}
			here = []int{(7*at + 3) % size}
		}
	}
}
