package earley_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
)

// All grammars of up to three productions over two nonterminals and two terminals
// with at most two symbols on a right side, on all words of up to six letters; a sample
// of them in short tests.
func TestSmallGrammarsOnShortWords(t *testing.T) {
	var rights []string
	symbols := []string{"S", "A", "a", "b"}
	rights = append(rights, "ε")
	for _, x := range symbols {
		rights = append(rights, x)
		for _, y := range symbols {
			rights = append(rights, x+" "+y)
		}
	}
	var productions []string
	for _, left := range []string{"S", "A"} {
		for _, right := range rights {
			productions = append(productions, left+" -> "+right)
		}
	}
	random := rand.New(rand.NewPCG(10, 1))
	share := effort.Sample(12_000, 2_000)
	checked, all := 0, 0
	check := func(chosen ...int) {
		all++
		if !effort.Long() && random.IntN(12_000) >= share {
			return
		}
		checked++
		var lines []string
		for _, i := range chosen {
			lines = append(lines, productions[i])
		}
		checkSmall(t, strings.Join(lines, "\n"))
	}
	for i := range productions {
		check(i)
		for j := range i {
			check(j, i)
			for k := range j {
				check(k, j, i)
			}
		}
	}
	t.Logf("%d of %d grammars", checked, all)
}

func checkSmall(t *testing.T, text string) {
	t.Helper()
	g := compile(t, "%start S\nS -> S\n"+text, "") // so that there is an S; S -> S derives nothing new
	if strings.Contains(text, "S ->") {
		g = compile(t, "%start S\n"+text, "")
	}
	words, prefixes := enum.Words(g, 6), enum.Prefixes(g, 6)
	p := earley.New(g)
	run := p.Start(nil)
	count := make([]int, 7)
	shortest := -1
	for _, s := range enum.Strings(g.NumTerminals, 6) {
		w := enum.Symbols(s)
		for run.Len() > 0 {
			run.Pop()
		}
		read := true
		for _, symbol := range w {
			ok, err := run.Push(symbol)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				read = false
				break
			}
		}
		isWord := words[g.Start][s]
		if isWord {
			count[len(s)]++
			if shortest < 0 {
				shortest = len(s)
			}
		}
		if (read && run.Viable()) != prefixes[g.Start][s] || (read && run.Complete()) != isWord {
			t.Fatalf("%s\n%q: read %v, word %v", text, s, read, isWord)
		}
		trees, err := p.Trees(w, nil)
		if err != nil || (trees != 0) != isWord {
			t.Fatalf("%s\n%q: %d trees (%v), word %v", text, s, trees, err, isWord)
		}
	}
	counts, err := counting.Words(g, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range count {
		if counts[n].Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%s\n%s words of length %d, not %d", text, counts[n], n, want)
		}
	}
	word, ok, err := earley.Shortest(g)
	if err != nil || shortest >= 0 && (!ok || len(word) != shortest) || shortest < 0 && ok && len(word) <= 6 {
		t.Fatalf("%s\nshortest word %v %v (%v), not of length %d", text, word, ok, err, shortest)
	}
}
