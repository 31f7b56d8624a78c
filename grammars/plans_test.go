package grammars_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// derivable is the grammar of the words of a spec.
type derivable struct {
	*grammar.Grammar
	parser *earley.Parser
	needs  *grammar.Needs
	caps   []int64
	meter  *meter.Meter
	words  *pushdown.Words // of an automaton
}

// openGrammar reads a .cfg or .pda of an example.
func openGrammar(t testing.TB, e grammars.Example, name string) *derivable {
	t.Helper()
	f, ok := e.Workspace().File(name)
	if !ok {
		t.Fatalf("%s has no %s", e.ID, name)
	}
	d := &derivable{meter: meter.New(meter.Budget{Steps: 1 << 40, States: 1 << 40})}
	var found, more []source.Diagnostic
	if workspace.KindOf(name) == workspace.KindPushdown {
		syntax, said := pushdown.Parse(f.Source())
		p, also := pushdown.Compile(syntax)
		found, more = said, also
		words, err := p.Words(d.meter)
		if err != nil {
			t.Fatal(err)
		}
		d.words, d.Grammar = words, words.Grammar
	} else {
		syntax, said := grammar.Parse(f.Source())
		g, also := grammar.Compile(syntax, "")
		found, more, d.Grammar = said, also, g
	}
	if source.HasErrors(append(found, more...)) {
		t.Fatalf("%s/%s: %+v", e.ID, name, append(found, more...))
	}
	var err error
	if d.caps, err = d.Caps(d.DeclaredLimits()); err != nil {
		t.Fatal(err)
	}
	if d.needs, err = grammar.ComputeNeeds(d.Grammar, d.caps, d.meter); err != nil {
		t.Fatal(err)
	}
	d.parser = earley.New(d.Grammar)
	return d
}

// walk reads letters that choose picks among the viable ones, and returns the word when choose
// returns -1, which is allowed if the word is complete.
func (d *derivable) walk(t testing.TB, choose func(next []string, complete bool) int) []string {
	t.Helper()
	r := d.parser.Start(d.meter)
	left := append([]int64(nil), d.caps...)
	var word []string
	for {
		viable, complete, next, err := r.NextWithin(d.needs, left)
		if err != nil || !viable {
			t.Fatalf("after %v: viable %v, %v", word, viable, err)
		}
		names := make([]string, len(next))
		for i, s := range next {
			names[i] = d.Names[s]
		}
		at := -1
		if len(next) > 0 {
			at = choose(names, complete)
		}
		if at < 0 {
			if !complete {
				t.Fatalf("%v is not whole", word)
			}
			return word
		}
		if _, err := r.Push(next[at]); err != nil {
			t.Fatal(err)
		}
		spend(left, next[at], 1)
		word = append(word, names[at])
	}
}

// spend subtracts uses from the rest of a letter's limit, if it has one.
func spend(left []int64, s grammar.Symbol, uses int64) {
	if left[s] != grammar.Unlimited {
		left[s] -= uses
	}
}

// draw returns a random word: each letter, and the end, has the same probability.
func (d *derivable) draw(t testing.TB, random *rand.Rand) []string {
	return d.walk(t, func(next []string, complete bool) int {
		n := len(next)
		if complete {
			n++
		}
		if at := random.IntN(n); at < len(next) {
			return at
		}
		return -1
	})
}

// all returns every word, at most max of them.
func (d *derivable) all(t testing.TB, max int) [][]string {
	t.Helper()
	var out [][]string
	r := d.parser.Start(d.meter)
	left := append([]int64(nil), d.caps...)
	var word []string
	var search func()
	search = func() {
		_, complete, next, err := r.NextWithin(d.needs, left)
		if err != nil {
			t.Fatal(err)
		}
		if complete {
			out = append(out, append([]string(nil), word...))
		}
		for _, s := range next {
			if len(out) >= max {
				return
			}
			if _, err := r.Push(s); err != nil {
				t.Fatal(err)
			}
			spend(left, s, 1)
			word = append(word, d.Names[s])
			search()
			word = word[:len(word)-1]
			spend(left, s, -1)
			r.Pop()
		}
	}
	search()
	return out
}

// derives reports whether the spec accepts a word, within its limits.
func (d *derivable) derives(word []string) bool {
	left := append([]int64(nil), d.caps...)
	symbols := make([]grammar.Symbol, len(word))
	for i, name := range word {
		s, ok := d.Lookup(name)
		if !ok || !d.IsTerminal(s) || left[s] == 0 {
			return false
		}
		spend(left, s, 1)
		symbols[i] = s
	}
	ok, err := d.parser.Recognize(symbols, d.meter)
	return ok && err == nil
}

func TestPlansAreWellTyped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	check := func(e grammars.Example, name string, plans int) {
		d, set := openGrammar(t, e, name), tools(t, e)
		if missing := set.Missing(d.Names[:d.NumTerminals]); len(missing) > 0 {
			t.Errorf("%s/%s: nothing stands for %v", e.ID, name, missing)
		}
		for range plans {
			word := d.draw(t, random)
			if _, err := carryOut(set, word); err != nil && !strings.Contains(err.Error(), "no edges can be made out") {
				t.Errorf("%s/%s: %v: %v", e.ID, name, word, err)
			}
		}
	}
	check(example(t, "openagi"), "openagi.cfg", 1000)
	e := example(t, "openagi-tasks")
	for _, f := range e.Files {
		if workspace.KindOf(f.Name) == workspace.KindGrammar {
			check(e, f.Name, 200)
		}
	}
}
