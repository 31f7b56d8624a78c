package verify_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/verify"
)

// distance is the edit distance, a row of the table of Wagner and Fischer at a time.
func distance(a, b []grammar.Symbol) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, s := range a {
		before := row[0]
		row[0] = i + 1
		for j, t := range b {
			cost := before
			if s != t {
				cost++
			}
			before, row[j+1] = row[j+1], min(cost, 1+row[j], 1+row[j+1])
		}
	}
	return row[len(b)]
}

// edited applies edits to a word.
func edited(word []grammar.Symbol, edits []verify.Edit) []grammar.Symbol {
	out := []grammar.Symbol{}
	at := 0
	for _, e := range edits {
		out = append(out, word[at:e.At]...)
		at = e.At
		if e.Op != verify.EditInsert {
			at++
		}
		if e.Op != verify.EditDelete {
			out = append(out, e.Symbol)
		}
	}
	return append(out, word[at:]...)
}

func randomDFA(random *rand.Rand, letters int) *automaton.DFA {
	states := 1 + random.IntN(3)
	rows, accept := make([][]int, states), make([]bool, states)
	for s := range rows {
		accept[s] = random.IntN(3) > 0
		for range letters {
			rows[s] = append(rows[s], random.IntN(states))
		}
	}
	return automaton.NewDFA(rows, accept)
}

func TestNearestWordHasLeastDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 77))
	exact, none, limited := 0, 0, 0
	for i := range effort.Sample(3_000, 1_200) {
		text, longest := enum.Grammar(random), 6
		if i%4 == 0 {
			longest = 4
			text += "S -> a A b B c A\nA -> a1 | a2 | a3\nB -> A A\n"
		}
		g := must.Grammar(t, text)
		var caps []int64
		if random.IntN(4) > 0 {
			caps = make([]int64, g.NumTerminals)
			for s := range caps {
				caps[s] = []int64{grammar.Unlimited, 0, 1, 1, 2}[random.IntN(5)]
			}
		}
		var extra *automaton.DFA
		if random.IntN(2) == 0 {
			extra = randomDFA(random, g.NumTerminals)
		}
		word := make([]grammar.Symbol, random.IntN(longest-1))
		for k := range word {
			word[k] = grammar.Symbol(random.IntN(g.NumTerminals+1) - 1)
		}
		valid := func(w []grammar.Symbol) bool {
			used := make([]int64, g.NumTerminals)
			for _, s := range w {
				if used[s]++; caps != nil && caps[s] >= 0 && used[s] > caps[s] {
					return false
				}
			}
			letters := make([]int, len(w))
			for k, s := range w {
				letters[k] = int(s)
			}
			return extra == nil || extra.Accepts(letters)
		}
		best, relaxed := -1, -1
		words := enum.Words(g, longest)[g.Start]
		for w := range words {
			d := distance(word, enum.Symbols(w))
			if relaxed < 0 || d < relaxed {
				relaxed = d
			}
			if valid(enum.Symbols(w)) && (best < 0 || d < best) {
				best = d
			}
		}
		got, err := verify.Nearest(g, caps, extra, word, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatalf("%s%v: %v", text, word, err)
		}
		if got == nil {
			none++
			if possible(t, g, caps, extra) {
				t.Fatalf("%s%v within %v\nthere is a valid word, but none was found", text, word, caps)
			}
			continue
		}
		if !slices.Equal(edited(word, got.Edits), got.Word) || len(got.Edits) != got.Distance || distance(word, got.Word) != got.Distance {
			t.Fatalf("%s%v: the edits %v do not make %v of it", text, word, got.Edits, got.Word)
		}
		if !valid(got.Word) || len(got.Word) <= longest && !words[letters(got.Word)] {
			t.Fatalf("%s%v within %v\n%v is not valid", text, word, caps, got.Word)
		}
		// A word longer than those that were tried is at least this far away.
		if beyond := longest + 1 - len(word); best >= 0 && best <= beyond && got.Distance != best || got.Distance < best && got.Distance < beyond {
			t.Fatalf("%s%v within %v\n%v is %d edits away, not %d", text, word, caps, got.Word, got.Distance, best)
		}
		if best >= 0 {
			exact++
			if best > relaxed {
				limited++
			}
		}
		again, _ := verify.Nearest(g, caps, extra, word, nil)
		if !slices.Equal(again.Word, got.Word) {
			t.Fatalf("%s%v: two answers", text, word)
		}
	}
	t.Logf("%d distances, %d of them larger for the limits, %d grammars without a valid word", exact, limited, none)
	if exact == 0 || none == 0 || limited == 0 {
		t.Error("the grammars are too much alike")
	}
}

// possible reports whether there is a valid word.
func possible(t *testing.T, g *grammar.Grammar, caps []int64, extra *automaton.DFA) bool {
	t.Helper()
	if extra == nil {
		extra = automaton.NewDFA([][]int{make([]int, g.NumTerminals)}, []bool{true})
	}
	return completable(t, g, caps, verify.Deterministic(extra))
}

// completable reports whether a grammar and an automaton have a word within caps.
func completable(t *testing.T, g *grammar.Grammar, caps []int64, a verify.Nondeterministic) bool {
	t.Helper()
	p, err := verify.IntersectNeeded(g, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if caps == nil {
		return !p.Grammar.Empty()
	}
	needs, err := grammar.ComputeNeeds(p.Grammar, caps, nil)
	if err != nil {
		t.Fatal(err)
	}
	ok, err := needs.Completable([]grammar.Symbol{p.Grammar.Start}, caps, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// levenshtein accepts the words within a number of edits of a word, without silent moves:
// a state is a position in the word and the number of edits so far.
type levenshtein struct {
	word  []grammar.Symbol
	edits int
}

func (a levenshtein) NumStates() int { return (len(a.word) + 1) * (a.edits + 1) }
func (a levenshtein) Start() int     { return 0 }

func (a levenshtein) Accepting(state int) bool {
	return len(a.word)-state/(a.edits+1) <= a.edits-state%(a.edits+1)
}

func (a levenshtein) Next(state, letter int) []int {
	at, edits := state/(a.edits+1), state%(a.edits+1)
	var out []int
	add := func(at, edits int) {
		if at <= len(a.word) && edits <= a.edits {
			out = append(out, at*(a.edits+1)+edits)
		}
	}
	add(at, edits+1)
	add(at+1, edits+1)
	for to := at; to < len(a.word); to++ {
		if int(a.word[to]) == letter {
			add(to+1, edits+to-at)
		}
	}
	return out
}

func TestDistancesOfToolsAgreeWithThoseOfAnAutomaton(t *testing.T) {
	text, err := os.ReadFile("../../grammars/openagi/openagi.cfg")
	if err != nil {
		t.Fatal(err)
	}
	g := must.Grammar(t, string(text))
	caps, _ := g.Caps(g.DeclaredLimits())
	random := rand.New(rand.NewPCG(8, 8))
	words := counting.NewSampler(g, nil)
	seen := map[int]int{}
	for range effort.Of(60) {
		word, ok, err := words.Sample(2+random.IntN(9), random)
		if err != nil || !ok {
			continue
		}
		for range random.IntN(4) {
			word[random.IntN(len(word))] = grammar.Symbol(random.IntN(g.NumTerminals))
		}
		got, err := verify.Nearest(g, caps, nil, word, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		seen[got.Distance]++
		if got.Distance > 5 {
			continue // the automaton has too many states
		}
		if !completable(t, g, caps, levenshtein{word, got.Distance}) {
			t.Fatalf("%v: nothing is %d edits away", word, got.Distance)
		}
		if got.Distance > 0 && completable(t, g, caps, levenshtein{word, got.Distance - 1}) {
			t.Fatalf("%v: something is nearer than %d edits", word, got.Distance)
		}
	}
	t.Logf("words by distance: %v", seen)
}

func letters(word []grammar.Symbol) string {
	var b strings.Builder
	for _, s := range word {
		b.WriteString(enum.Letter(s))
	}
	return b.String()
}

func TestInterchangeableToolsAreUsedOnceEach(t *testing.T) {
	g := must.Grammar(t, "S -> A A A i\nA -> a1 | a2 | a3\nlimit 1 each\n")
	caps, _ := g.Caps(g.DeclaredLimits())
	i, _ := g.Lookup("i")
	got, err := verify.Nearest(g, caps, nil, []grammar.Symbol{i}, nil)
	if err != nil || got.Distance != 3 {
		t.Fatal(got, err)
	}
	slices.Sort(got.Word)
	if len(slices.Compact(got.Word)) != 4 {
		t.Errorf("something is used twice: %v", got.Word)
	}
}

func TestOnlyInterchangeableTerminalsAreSubstituted(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{"S -> A A i\nA -> a1 | a2\nlimit 1 a1 a2\n", "i", "a1 a2 i"},
		{"S -> i A A\nA -> a1 | a2\nlimit 1 a1 a2\n", "i", "i a1 a2"},
		{"S -> a b | b c\nlimit 0 a\nlimit 1 c\n", "a b", "b c"},
		{"S -> a b | b c\nlimit 1 a\nlimit 0 c\n", "b c", "a b"},
		{"S -> a x x | x b x\nlimit 0 a\nlimit 1 b\n", "a x x", "x b x"},
		{"S -> a x | P\nP -> b x\nlimit 0 a\nlimit 1 b\n", "x", "b x"},
		{"S -> a x | b y\nlimit 0 a\nlimit 1 b\n", "x", "b y"},
	} {
		g := must.Grammar(t, c.text)
		caps, err := g.Caps(g.DeclaredLimits())
		if err != nil {
			t.Fatal(err)
		}
		var word []grammar.Symbol
		for _, name := range strings.Fields(c.word) {
			s, _ := g.Lookup(name)
			word = append(word, s)
		}
		near, err := verify.Nearest(g, caps, nil, word, nil)
		if err != nil || near == nil {
			t.Errorf("%s%s: nothing is near (%v)", c.text, c.word, err)
			continue
		}
		var names []string
		for _, s := range near.Word {
			names = append(names, g.Names[s])
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s%s: %s is the nearest, not %s", c.text, c.word, got, c.want)
		}
	}
}

func TestSilentTerminalsAreNotInterchangeableWithOthers(t *testing.T) {
	for _, c := range []struct {
		text     string
		heard    bool // the empty word
		distance int
	}{
		{"S -> A A\nA -> s | a\nlimit 1 each\n", false, 1},
		{"S -> A A\nA -> s | a\nlimit 2 each\n", true, 0},
		{"S -> A\nA -> a | s\nlimit 0 s\nlimit 1 a\n", false, 1},
		{"S -> A\nA -> a | s\nlimit 1 s\nlimit 0 a\n", true, 0},
	} {
		g := must.Grammar(t, c.text)
		caps, err := g.Caps(g.DeclaredLimits())
		if err != nil {
			t.Fatal(err)
		}
		silent := make([]bool, g.NumTerminals)
		s, _ := g.Lookup("s")
		silent[s] = true
		word, err := verify.WithoutSilent(g, caps, nil, silent, nil, nil)
		if err != nil || (word != nil) != c.heard || slices.ContainsFunc(word, func(of grammar.Symbol) bool { return of != s }) {
			t.Errorf("%s: %v is heard as nothing (%v)", c.text, word, err)
		}
		near, err := verify.NearestWithSilent(g, caps, nil, silent, nil, nil)
		if err != nil || near == nil || near.Distance != c.distance {
			t.Errorf("%s: %+v (%v) is near, want %d edits", c.text, near, err, c.distance)
		}
	}
}

// Words with silent terminals are compared by their other terminals: with all words of the
// oracle up to a length.
func TestNearestIgnoresSilentTerminals(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 78))
	const longest = 6
	heard, none, edits := 0, 0, 0
	for range effort.Of(800) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		if g.NumTerminals == 0 {
			continue
		}
		silent := make([]bool, g.NumTerminals)
		for s := range silent {
			silent[s] = random.IntN(3) == 0
		}
		var caps []int64
		if random.IntN(3) > 0 {
			caps = make([]int64, g.NumTerminals)
			for s := range caps {
				caps[s] = []int64{grammar.Unlimited, 0, 1, 2}[random.IntN(4)]
			}
		}
		var extra *automaton.DFA
		if random.IntN(2) == 0 {
			extra = randomDFA(random, g.NumTerminals)
		}
		var word []grammar.Symbol
		for range random.IntN(4) {
			if s := random.IntN(g.NumTerminals); !silent[s] {
				word = append(word, grammar.Symbol(s))
			}
		}
		aloud := func(w []grammar.Symbol) (out []grammar.Symbol) {
			for _, s := range w {
				if !silent[s] {
					out = append(out, s)
				}
			}
			return out
		}
		valid := func(w []grammar.Symbol) bool {
			used := make([]int64, g.NumTerminals)
			states := make([]int, len(w))
			for k, s := range w {
				if used[s]++; caps != nil && caps[s] >= 0 && used[s] > caps[s] {
					return false
				}
				states[k] = int(s)
			}
			return extra == nil || extra.Accepts(states)
		}
		best, words := -1, enum.Words(g, longest)[g.Start]
		for w := range words {
			if symbols := enum.Symbols(w); valid(symbols) {
				if d := distance(word, aloud(symbols)); best < 0 || d < best {
					best = d
				}
			}
		}
		same, err := verify.WithoutSilent(g, caps, extra, silent, word, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		near, err := verify.NearestWithSilent(g, caps, extra, silent, word, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		is := func(w []grammar.Symbol) bool { return valid(w) && (len(w) > longest || words[letters(w)]) }
		switch {
		case same != nil && (!is(same) || !slices.Equal(aloud(same), word)):
			t.Fatalf("%s%v, silent %v, within %v: %v is not heard so", text, word, silent, caps, same)
		case same == nil && best == 0:
			t.Fatalf("%s%v, silent %v, within %v: there is a word of which it is heard", text, word, silent, caps)
		case (near != nil && near.Distance == 0) != (same != nil):
			t.Fatalf("%s%v, silent %v, within %v: %v is heard, and %+v is the nearest", text, word, silent, caps, same, near)
		case near == nil && best >= 0:
			t.Fatalf("%s%v, silent %v, within %v: nothing is near", text, word, silent, caps)
		case near == nil:
			none++
			continue
		case best >= 0 && near.Distance > best:
			t.Fatalf("%s%v, silent %v, within %v: %v is %d edits away, not %d", text, word, silent, caps, near.Word, near.Distance, best)
		case !is(near.Word) || len(near.Edits) != near.Distance || !slices.Equal(edited(word, near.Edits), aloud(near.Word)):
			t.Fatalf("%s%v, silent %v, within %v: %+v", text, word, silent, caps, near)
		}
		for _, e := range near.Edits {
			if (e.Op == verify.EditDelete) != (e.Symbol == -1) {
				t.Fatalf("%+v", e)
			}
		}
		if same != nil {
			heard++
		} else {
			edits++
		}
	}
	if heard == 0 || none == 0 || edits == 0 {
		t.Errorf("%d are heard, %d need edits, %d have none: too much alike", heard, edits, none)
	}
}

func BenchmarkTheNearestPlanOfTwentyTools(b *testing.B) {
	text, err := os.ReadFile("../../grammars/openagi/openagi.cfg")
	if err != nil {
		b.Fatal(err)
	}
	g := must.Grammar(b, string(text))
	caps, _ := g.Caps(g.DeclaredLimits())
	// Twenty symbols, some of them wrong.
	names := strings.Fields("f1 d1 d1 d3 e1 a1 a1 c1 d4 b1 a3 i b2 a4 i f1 b3 i d5 i")
	word := make([]grammar.Symbol, len(names))
	for i, name := range names {
		word[i], _ = g.Lookup(name)
	}
	for b.Loop() {
		near, err := verify.Nearest(g, caps, nil, word, meter.New(meter.Budget{}))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(near.Distance), "edits")
	}
}
