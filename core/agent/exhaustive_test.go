package agent_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// language is a set of words over two states, A and B, of up to six steps: bit i
// is the i-th word, the shorter ones first.
type language [2]uint64

func (l language) has(i int) bool { return l[i/64]>>(i%64)&1 == 1 }

func (l *language) add(i int) { l[i/64] |= 1 << (i % 64) }

// all has the words of up to six steps by number; place is its inverse.
var all, place = func() (words []string, place map[string]int) {
	words = []string{""}
	for i := 0; i < len(words); i++ {
		if len(words[i]) < 6 {
			words = append(words, words[i]+"A", words[i]+"B")
		}
	}
	place = map[string]int{}
	for i, w := range words {
		place[w] = i
	}
	return words, place
}()

func concat(a, b language) language {
	var out language
	for i, v := range all {
		if !a.has(i) {
			continue
		}
		for j, w := range all {
			if b.has(j) && len(v)+len(w) <= 6 {
				out.add(place[v+w])
			}
		}
	}
	return out
}

func union(a, b language) language { return language{a[0] | b[0], a[1] | b[1]} }

// complement has all other words but the empty one.
func complement(a language) language {
	var out language
	for i := range all {
		if i > 0 && !a.has(i) {
			out.add(i)
		}
	}
	return out
}

// repeat has least to most words of a language, one after another; most < 0 is
// any number.
func repeat(a language, least, most int) language {
	var out language
	power := language{1} // the empty word
	for n := 0; n <= 7 && (most < 0 || n <= most); n++ {
		if n >= least {
			out = union(out, power)
		}
		power = concat(power, a)
	}
	return out
}

type behaved struct {
	text string
	l    language
}

func TestSmallBehaviorsEqualDefinition(t *testing.T) {
	everything := union(complement(language{}), language{1})
	one := []behaved{{"A", language{1 << place["A"]}}, {"B", language{1 << place["B"]}}}
	apply := func(operator string, f, g behaved) behaved {
		text := fmt.Sprintf("(%s %s %s)", operator, f.text, g.text)
		switch operator {
		case "not", "eventually", "always_2":
			text = fmt.Sprintf("(%s %s)", operator, f.text)
		}
		var l language
		switch operator {
		case "next":
			l = concat(f.l, g.l)
		case "or":
			l = union(f.l, g.l)
		case "until":
			l = concat(repeat(f.l, 0, -1), g.l)
		case "until_2":
			l = concat(repeat(f.l, 0, 2), g.l)
		case "until_1_2":
			l = concat(repeat(f.l, 1, 2), g.l)
		case "always_2":
			l = repeat(f.l, 0, 2) // zero repetitions as well, if a sibling is not empty
		case "and":
			l = complement(union(complement(f.l), complement(g.l)))
		case "->":
			l = complement(complement(union(complement(f.l), g.l)))
		case "not":
			l = complement(f.l)
		case "eventually":
			l = concat(concat(everything, f.l), everything)
		}
		return behaved{text, l}
	}
	deeper := func(list []behaved, visit func(operator string, f, g behaved)) {
		for _, f := range list {
			for _, operator := range []string{"not", "eventually", "always_2"} {
				visit(operator, f, f)
			}
			for _, g := range list {
				for _, operator := range []string{"next", "or", "until", "until_2", "until_1_2", "and", "->"} {
					visit(operator, f, g)
				}
			}
		}
	}
	two := append([]behaved{}, one...)
	deeper(one, func(operator string, f, g behaved) { two = append(two, apply(operator, f, g)) })
	random := rand.New(rand.NewPCG(17, 1))
	share := effort.Of(10_000)
	checked := 0
	check := func(b behaved) {
		checked++
		a := compile(t, specText([]string{"A", "B"}, nil, b.text))
		for i, w := range all {
			word := make([]int, len(w))
			for k := range w {
				word[k] = int(w[k] - 'A')
			}
			if a.DFA.Accepts(word) != (i > 0 && b.l.has(i)) {
				t.Fatalf("%s: %q is accepted: %v", b.text, w, a.DFA.Accepts(word))
			}
		}
	}
	for _, b := range two {
		if b.l[0]&^1|b.l[1] != 0 {
			check(b)
		}
	}
	deeper(two, func(operator string, f, g behaved) {
		if !effort.Long() && random.IntN(10_000) >= share {
			return
		}
		// A behaviour without any word up to six steps may have none at all, which
		// is an error, and is tried elsewhere.
		if b := apply(operator, f, g); b.l[0]&^1|b.l[1] != 0 {
			check(b)
		}
	})
	t.Logf("%d behaviours on %d words", checked, len(all))
}
