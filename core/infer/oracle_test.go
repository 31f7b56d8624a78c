package infer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

func free() *meter.Meter { return meter.New(meter.Budget{}) }

// randomDFA returns a minimal automaton without the empty word.
func randomDFA(r *rand.Rand, states, letters int) *automaton.DFA {
	next, accept := make([][]int, states), make([]bool, states)
	for q := range next {
		for range letters {
			next[q] = append(next[q], r.IntN(states))
		}
		accept[q] = r.IntN(3) == 0
	}
	d, err := automaton.NewDFA(next, accept).WithoutEmpty().Minimize(free())
	if err != nil {
		panic(err)
	}
	return d
}

// accessWords returns the shortest word to each state.
func accessWords(d *automaton.DFA) [][]int {
	words, seen := [][]int{{}}, map[int]bool{d.Start(): true}
	for i := 0; i < len(words); i++ {
		for a := range d.NumLetters() {
			if q := state(d, words[i]); !seen[d.Next(q, a)] {
				seen[d.Next(q, a)] = true
				words = append(words, append(slices.Clone(words[i]), a))
			}
		}
	}
	return words
}

func state(d *automaton.DFA, word []int) int {
	q := d.Start()
	for _, a := range word {
		q = d.Next(q, a)
	}
	return q
}

// characteristic returns words that distinguish all states of an automaton, after the shortest words
// to all of them and one more letter.
func characteristic(d *automaton.DFA) (words [][]int) {
	var suffixes [][]int
	for i := range 3000 {
		// Words in the order of their length.
		var w []int
		for n := i; n > 0; n = (n - 1) / d.NumLetters() {
			w = append(w, (n-1)%d.NumLetters())
		}
		new := false
		for p := range d.NumStates() {
			for q := range p {
				same, empty := true, q == d.Start() // no run is empty: the sample has no verdict on the start
				for _, s := range suffixes {
					same = same && (empty && len(s) == 0 || accepts(d, p, s) == accepts(d, q, s))
				}
				new = new || same && (len(w) > 0 || !empty) && accepts(d, p, w) != accepts(d, q, w)
			}
		}
		if new {
			suffixes = append(suffixes, w)
		}
	}
	for _, access := range accessWords(d) {
		for a := -1; a < d.NumLetters(); a++ {
			prefix := slices.Clone(access)
			if a >= 0 {
				prefix = append(prefix, a)
			}
			for _, s := range suffixes {
				words = append(words, slices.Concat(prefix, s))
			}
		}
	}
	return words
}

func accepts(d *automaton.DFA, q int, word []int) bool {
	for _, a := range word {
		q = d.Next(q, a)
	}
	return d.Accepting(q)
}

func runOf(word []int, failed bool) Run {
	r := Run{Steps: []string{}, Failed: failed}
	for _, a := range word {
		r.Steps = append(r.Steps, string(rune('a'+a)))
	}
	return r
}

// TestCharacteristicSampleGivesTheAutomaton is the theorem of RPNI.
func TestCharacteristicSampleGivesTheAutomaton(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range effort.Of(400) {
		d := randomDFA(r, 1+r.IntN(8), 2+r.IntN(2))
		if d.Empty() {
			continue
		}
		words := characteristic(d)
		for range 50 {
			w := []int{}
			for range r.IntN(12) {
				w = append(w, r.IntN(d.NumLetters()))
			}
			words = append(words, w)
		}
		var runs []Run
		fails := false
		for _, w := range words {
			if len(w) > 0 {
				runs = append(runs, runOf(w, !d.Accepts(w)))
				fails = fails || !d.Accepts(w)
			}
		}
		if !fails {
			continue // of all words
		}
		a, err := Spec(runs, Options{States: 1000, Verdicts: true}, free())
		if err != nil {
			t.Fatal(err)
		}
		if a.Forced > 0 || a.Rejected > 0 || a.Unrejected > 0 {
			t.Errorf("forced %d, rejected %d, unrejected %d", a.Forced, a.Rejected, a.Unrejected)
		}
		for range 500 {
			w := []int{}
			for range r.IntN(14) {
				w = append(w, r.IntN(d.NumLetters()))
			}
			if len(w) > 0 && a.Accepts(runOf(w, false).Steps) != d.Accepts(w) {
				t.Fatalf("%v is learned wrongly of\n%s\ngot\n%s", w, d, a.DFA)
			}
		}
	}
}

// randomRuns returns runs of a random automaton over 3 symbols.
func randomRuns(r *rand.Rand, n int) []Run {
	d := randomDFA(r, 2+r.IntN(6), 3)
	var runs []Run
	for range n {
		w := []int{}
		for range 1 + r.IntN(9) {
			w = append(w, r.IntN(3))
		}
		runs = append(runs, runOf(w, !d.Accepts(w)))
	}
	return runs
}

func allWords(letters, most int) [][]int {
	out := [][]int{{}}
	for i := 0; i < len(out); i++ {
		if len(out[i]) < most {
			for a := range letters {
				out = append(out, append(slices.Clone(out[i]), a))
			}
		}
	}
	return out
}

// TestTextIsTheAutomaton compares the runs of the agent's text with the words of the automaton.
func TestTextIsTheAutomaton(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range effort.Of(150) {
		runs := randomRuns(r, 20+r.IntN(60))
		for _, most := range []int{0, 1 + r.IntN(6)} {
			p, err := Propose(runs, Options{States: most}, "learned", free())
			if err != nil {
				if strings.Contains(err.Error(), "no passing run") {
					continue
				}
				t.Fatal(err)
			}
			if most > 0 && p.States > most+1 { // one more state rejects the empty word
				t.Errorf("%d states, at most %d", p.States, most)
			}
			a, err := open(p.Text, free())
			if err != nil {
				t.Fatalf("%v in\n%s", err, p.Text)
			}
			for _, w := range allWords(3, 6)[1:] {
				steps := runOf(w, false).Steps
				verdict, _, _ := a.Verdict(steps)
				if p.Accepts(steps) != (verdict == "valid") {
					t.Fatalf("%v: %s in\n%s", steps, verdict, p.Text)
				}
			}
			again, err := Propose(runs, Options{States: most}, "learned", free())
			if err != nil || again.Text != p.Text {
				t.Errorf("the same runs give other texts:\n%s\n%s", p.Text, again.Text)
			}
			for _, run := range runs {
				if !run.Failed && !p.Accepts(run.Steps) {
					t.Errorf("the passing run %v is rejected", run.Steps)
				}
			}
		}
	}
}

func TestVerdictsOfPeoplePrecedeRuns(t *testing.T) {
	var many []Run
	for range 4 {
		many = append(many, runOf([]int{0}, false), runOf([]int{0, 1}, false), runOf([]int{0, 1, 1}, false))
	}
	if p, err := Propose(many, Options{States: 1, Refuse: [][]string{{"a", "b"}}}, "learned", free()); err != nil || p.Accepts([]string{"a", "b"}) || p.Rejected > 0 {
		t.Errorf("a refused word is accepted: %+v, %v", p, err)
	}
	runs := []Run{runOf([]int{0, 1}, false), runOf([]int{0, 1, 1}, false), runOf([]int{0, 1, 1, 1}, false), runOf([]int{1}, true)}
	for i, o := range []Options{{}, {Refuse: [][]string{{"a", "b", "b"}}}, {Accept: [][]string{{"b"}}}} {
		p, err := Propose(runs, o, "learned", free())
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Accepts([]string{"a", "b", "b"}); got != (i != 1) {
			t.Errorf("%d: a b b: %v", i, got)
		}
		if got := p.Accepts([]string{"b"}); got != (i == 2) {
			t.Errorf("%d: b: %v", i, got)
		}
	}
}

func TestRunsWithoutStepsAreAnError(t *testing.T) {
	if _, err := Propose([]Run{{Steps: []string{}}, {Steps: []string{"a"}, Failed: true}}, Options{}, "a", free()); err == nil || !strings.Contains(err.Error(), "no passing run") {
		t.Error(err)
	}
	if _, err := Find(nil, PropertyOptions{}, free()); err == nil {
		t.Error("no runs have properties")
	}
}

// randomFormula returns a formula of a size over symbols.
func randomFormula(r *rand.Rand, size, symbols int) *ltl.Formula {
	switch {
	case size == 1:
		if r.IntN(12) == 0 {
			return ltl.New(ltl.Last)
		}
		return ltl.NewProp(string(rune('a' + r.IntN(symbols))))
	case size == 2 || r.IntN(3) == 0:
		return ltl.New(unary[r.IntN(len(unary))], randomFormula(r, size-1, symbols))
	}
	left := 1 + r.IntN(size-2)
	return ltl.New(binary[r.IntN(len(binary))], randomFormula(r, left, symbols), randomFormula(r, size-1-left, symbols))
}

func traceOf(word []int) (out []map[string]bool) {
	for _, a := range word {
		out = append(out, map[string]bool{string(rune('a' + a)): true})
	}
	return out
}

// TestBitsAreTheDefinition compares the bits of a formula with its definition at every position.
func TestBitsAreTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range effort.Of(300) {
		var runs []Run
		for range 1 + r.IntN(12) {
			n := 1 + r.IntN(10)
			if r.IntN(6) == 0 {
				n = 60 + r.IntN(80)
			}
			w := []int{}
			for range n {
				w = append(w, r.IntN(3))
			}
			runs = append(runs, runOf(w, false))
		}
		s := newSample(runs)
		p := layOut(s)
		f := randomFormula(r, 1+r.IntN(9), 3)
		got := p.eval(f, s)
		for i, w := range s.words {
			for from := range w.letters {
				var steps []map[string]bool
				for _, letter := range w.letters[from:] {
					steps = append(steps, map[string]bool{s.symbols[letter]: true})
				}
				at := 0
				for 1<<at != p.first[i].bit {
					at++
				}
				at += 64*p.first[i].unit + from
				if bit := got[at/64]>>(at%64)&1 == 1; bit != f.Holds(steps) {
					t.Fatalf("%s at %d of %v: %v", f, from, s.names(w.letters), bit)
				}
			}
		}
	}
}

// TestKnownFormulasAreFound draws formulas, and runs on which they hold or not, and expects an
// equivalent formula for nine of ten.
func TestKnownFormulasAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	alphabet, err := ltl.NewAlphabet([]string{"a", "b", "c"}, ltl.OneHot)
	if err != nil {
		t.Fatal(err)
	}
	found, all, longest := 0, 0, time.Duration(0)
	var missed []string
	for all < effort.Of(60) {
		f := randomFormula(r, 2+r.IntN(6), 3)
		whole, err := ltl.Translate(f, alphabet, free())
		if err != nil {
			t.Fatal(err)
		}
		if _, constant := whole.Constant(); constant {
			continue
		}
		var runs []Run
		count := [2]int{}
		for range 4000 {
			w := []int{}
			for range 1 + r.IntN(8) {
				w = append(w, r.IntN(3))
			}
			class := 0
			if !f.Holds(traceOf(w)) {
				class = 1
			}
			if count[class] < 100 {
				count[class]++
				runs = append(runs, runOf(w, class == 1))
			}
		}
		if count[0] < 20 || count[1] < 20 {
			continue
		}
		all++
		start := time.Now()
		p, err := Find(runs, PropertyOptions{}, free())
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, time.Since(start))
		equal := false
		for _, q := range p.List {
			g, _ := ltl.Parse(sourceFile(q.Formula))
			b, err := ltl.Translate(ltl.New(ltl.Iff, f, g[0].Formula), alphabet, free())
			if err != nil {
				t.Fatal(err)
			}
			if holds, constant := b.Constant(); constant && holds {
				equal = true
			}
		}
		if equal {
			found++
		} else {
			missed = append(missed, fmt.Sprint(f, " size ", p.Size, " ", p.Separated))
		}
	}
	t.Logf("%d of %d, longest %v, missed %s", found, all, longest, strings.Join(missed, "; "))
	if found*10 < all*9 {
		t.Errorf("%d of %d formulas were found", found, all)
	}
}
