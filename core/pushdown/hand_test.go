package pushdown_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

func parsed(t testing.TB, text string) *pushdown.PDA {
	t.Helper()
	syntax, found := pushdown.Parse(source.NewFile("t.pda", text))
	p, more := pushdown.Compile(syntax)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%s%v", text, found)
	}
	return p
}

func words(t testing.TB, p *pushdown.PDA) *pushdown.Words {
	t.Helper()
	w, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// daily is the day of Formal-LLM's Figure 4 (Li et al. 2024, §4.4): planned
// backwards from 20 to 10 o'clock, each activity once. A state is the hour, whether
// basketball follows, whether the next activity is indoors, the hours without a meal
// that are still needed, and whether the laundry is done; the stack has the remaining
// meals. There is no idle hour, because it would leave too little time for the others.
// earliest is the first hour at which the laundry may start.
func daily(earliest int) string {
	return fmt.Sprintf(`start 20/0/0/0/0 D
accept done
limit 1 each
for h in 20..11, in in 0..1, l in 0..1 {   # a meal
  h/0/in/0/l -> h-1/0/0/3/l (supper, D; Z) (lunch, Z; E) (breakfast, E; N)
}
for in in 0..1, g in 0..3, l in 0..1, b in 0..1 {
  15/b/in/g/l -> 13/1/in/{(g-2)*(g>1)}/l (basketball, *; *)
}
for h in 20..11, b in 0..1, in in 0..1, g in 0..3, l in 0..1 {
  h/b/in/g/l -> h-1/0/1/{(g-1)*(g>0)}/l (cleaning, *; *)
  h/b/in/g/l -> h-1/0/0/{(g-1)*(g>0)}/l (grocery, *; *)
}
for h in 20..13, b in 0..1, in in 0..1, g in 0..3, l in 0..1 {
  h/b/in/g/l -> h-3/0/1/0/l (homework, *; *)
}
for h in 20..%d, b in 0..1, g in 0..3 {
  h/b/1/g/0 -> h/b/0/g/1 (laundry, *; *)
}
for b in 0..1, in in 0..1, g in 0..3 {
  10/b/in/g/1 -> done (ε, N; N)
}
`, earliest)
}

// plans lists all words within the limits, spaced and sorted.
func plans(t *testing.T, g *grammar.Grammar) []string {
	t.Helper()
	caps, err := g.Caps(g.DeclaredLimits())
	if err != nil {
		t.Fatal(err)
	}
	needs, err := grammar.ComputeNeeds(g, caps, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := earley.New(g).Start(nil)
	var out, word []string
	var walk func()
	walk = func() {
		_, complete, next, err := run.NextWithin(needs, caps)
		if err != nil {
			t.Fatal(err)
		}
		if complete {
			out = append(out, strings.Join(word, " "))
		}
		for _, symbol := range next {
			if _, err := run.Push(symbol); err != nil {
				t.Fatal(err)
			}
			caps[symbol]--
			word = append(word, g.Names[symbol])
			walk()
			word = word[:len(word)-1]
			caps[symbol]++
			run.Pop()
		}
	}
	walk()
	slices.Sort(out)
	return out
}

func TestDayAutomatonHasItsPlans(t *testing.T) {
	// Forwards in time, as the plans of the data are written.
	seven := []string{
		"breakfast laundry cleaning grocery basketball lunch homework supper",
		"grocery breakfast laundry cleaning basketball lunch homework supper",
		"breakfast grocery laundry cleaning basketball lunch homework supper",
		"cleaning breakfast grocery basketball lunch laundry homework supper",
		"breakfast cleaning grocery basketball lunch laundry homework supper",
		"grocery breakfast cleaning basketball lunch laundry homework supper",
		"breakfast grocery cleaning basketball lunch laundry homework supper",
	}
	eight := append([]string{"laundry cleaning breakfast grocery basketball lunch homework supper"}, seven...)
	for _, c := range []struct {
		earliest int
		want     []string
	}{{11, seven}, {10, eight}} {
		var want []string
		for _, plan := range c.want {
			list := strings.Fields(plan)
			slices.Reverse(list)
			want = append(want, strings.Join(list, " "))
		}
		slices.Sort(want)
		if got := plans(t, words(t, parsed(t, daily(c.earliest))).Grammar); !slices.Equal(got, want) {
			t.Errorf("laundry from %d: %d plans\n%s", c.earliest, len(got), strings.Join(got, "\n"))
		}
	}
}

func TestKnownAutomata(t *testing.T) {
	for _, c := range []struct {
		text string
		yes  []string
		no   []string
		runs int64 // of the first word
	}{
		{"start q Z\naccept end\nq -> q (a, *; A *) (b, A; ε)\nq -> end (ε, Z; Z)", []string{"a b", "", "a a b b a b"}, []string{"a", "b", "a b b"}, 1},
		{"start q Z\naccept empty\nq -> q (a, Z; Z Z) (b, Z; ε)", []string{"b", "a b b", "a a b b b"}, []string{"", "a b", "b b"}, 1},
		{"start q\naccept q\nq -> q (*, ε; ε)\nq -> r (x, ε; ε)", []string{"x x", ""}, []string{"y"}, 1},
		{"start q Z\naccept r\nq -> q (ε, Z; Z)\nq -> r (a, Z; Z)", []string{"a"}, []string{"", "a a"}, earley.InfinitelyMany},
		{"start q Z\naccept r\nq -> q (ε, *; A *)\nq -> r (a, A; ε)\nr -> r (a, A; ε)", []string{"a", "a a a"}, []string{"", "b"}, earley.InfinitelyMany},
		{"start q Z\naccept r s\nq -> r (a, Z; ε)\nq -> s (a, *; *)", []string{"a"}, []string{""}, 2},
		{"start q Z\naccept q\nfor t in [x y] { q -> q (t, *; s{t} *) (end, s{t}; ε) }", []string{"x", "x x end"}, []string{"z", "end"}, 1},
	} {
		w := words(t, parsed(t, c.text))
		for i, list := range [][]string{c.yes, c.no} {
			for _, word := range list {
				got, err := w.Accepts(strings.Fields(word), nil)
				if err != nil || got != (i == 0) {
					t.Errorf("%s\n%q: %v (%v)", c.text, word, got, err)
				}
			}
		}
		runs, count, err := w.Runs(strings.Fields(c.yes[0]), 10, nil)
		if err != nil || count != c.runs || len(runs) == 0 {
			t.Errorf("%s\n%q: %d runs %v (%v), not %d", c.text, c.yes[0], count, runs, err, c.runs)
		}
		for _, run := range runs {
			if fault := replay(w.PDA, run, strings.Fields(c.yes[0])); fault != "" {
				t.Errorf("%s\n%v: %s", c.text, run, fault)
			}
		}
	}
}

// replay returns the reason why a run does not accept a word, or "" if it does.
func replay(p *pushdown.PDA, run []int, word []string) string {
	state := p.Start
	var stack []string
	if p.StackStart != "" {
		stack = []string{p.StackStart}
	}
	for _, i := range run {
		tr := p.Transitions[i]
		if tr.From != state {
			return "a transition begins elsewhere"
		}
		if tr.ReadAny || tr.Read != "" {
			if len(word) == 0 || !tr.ReadAny && word[0] != tr.Read {
				return "it reads something else"
			}
			word = word[1:]
		}
		push := slices.Clone(tr.Push)
		if tr.PopAny || tr.Pop != "" {
			if len(stack) == 0 || !tr.PopAny && stack[0] != tr.Pop {
				return "it pops something else"
			}
			if tr.Keep {
				push = append(push, stack[0])
			}
			stack = stack[1:]
		}
		stack = append(push, stack...)
		state = tr.To
	}
	if len(word) > 0 {
		return "it does not read all"
	}
	if !p.Accepting(state) && (!p.AcceptEmpty || len(stack) > 0) {
		return "it does not accept"
	}
	return ""
}

// drawPDA draws an automaton in which everything may happen.
func drawPDA(random *rand.Rand) string {
	var b strings.Builder
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	b.WriteString("start p " + pick("Z", "") + "\n")
	b.WriteString("accept " + pick("p", "q", "empty", "r q") + "\n")
	b.WriteString("q -> q (a, Z; Z) (b, A; A)\n")
	for range 2 + random.IntN(6) {
		pop := pick("Z", "A", "*", "ε")
		push := pick("ε", "A", "Z", "A Z", "A A")
		if pop != "ε" && random.IntN(2) == 0 {
			push = pick("*", "A *", "Z *")
		}
		fmt.Fprintf(&b, "%s -> %s (%s, %s; %s)\n", pick("p", "q", "r"), pick("p", "q", "r"), pick("a", "b", "ε", "*"), pop, push)
	}
	return b.String()
}

// brute reports whether an automaton accepts a word with stacks up to a height, by
// searching all configurations.
func brute(p *pushdown.PDA, word []string, deepest int) bool {
	type config struct {
		state, at int
		stack     string
	}
	start := config{state: p.Start, stack: p.StackStart}
	seen := map[config]bool{start: true}
	for queue := []config{start}; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		stack := strings.Split(c.stack, "")
		if c.stack == "" {
			stack = nil
		}
		if c.at == len(word) && (p.Accepting(c.state) || p.AcceptEmpty && len(stack) == 0) {
			return true
		}
		for _, tr := range p.Transitions {
			next := config{state: tr.To, at: c.at}
			if tr.From != c.state {
				continue
			}
			if tr.ReadAny || tr.Read != "" {
				if c.at == len(word) || !tr.ReadAny && word[c.at] != tr.Read {
					continue
				}
				next.at++
			}
			rest := stack
			push := strings.Join(tr.Push, "")
			if tr.PopAny || tr.Pop != "" {
				if len(stack) == 0 || !tr.PopAny && stack[0] != tr.Pop {
					continue
				}
				rest = stack[1:]
				if tr.Keep {
					push += stack[0]
				}
			}
			next.stack = push + strings.Join(rest, "")
			if len(next.stack) <= deepest && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

func TestRandomAutomataEqualBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 1))
	for range effort.Sample(150, 20) {
		text := drawPDA(random)
		p := parsed(t, text)
		w := words(t, p)
		for _, s := range enum.Strings(2, 4) {
			word := strings.Split(strings.ToLower(s), "")
			if s == "" {
				word = nil
			}
			got, err := w.Accepts(word, nil)
			// The runs below check words that need deeper stacks than brute force explores.
			if err != nil || !got && brute(p, word, 6) {
				t.Fatalf("%s%q: accepted %v (%v), by brute force %v", text, word, got, err, !got)
			}
			runs, count, err := w.Runs(word, 20, nil)
			if err != nil && !strings.Contains(err.Error(), "too many") || (count != 0) != got && err == nil {
				t.Fatalf("%s%q: %d runs (%v), accepted %v", text, word, count, err, got)
			}
			if got && err == nil && len(runs) == 0 {
				t.Fatalf("%s%q: accepted without a run", text, word)
			}
			seen := map[string]bool{}
			for _, run := range runs {
				if fault := replay(p, run, word); fault != "" || seen[fmt.Sprint(run)] {
					t.Fatalf("%s%q: run %v: %s, twice %v", text, word, run, fault, seen[fmt.Sprint(run)])
				}
				seen[fmt.Sprint(run)] = true
			}
			list, truncated, err := w.Situations(word, 1000, nil)
			if err != nil {
				t.Fatal(err)
			}
			// Where a word is accepted there is a situation after it; and each of its
			// prefixes is the beginning of a word.
			if got && len(list) == 0 || !truncated && len(list) == 0 && viable(t, w, word) {
				t.Fatalf("%s%q: no situation", text, word)
			}
			if len(list) > 0 && !viable(t, w, word) {
				t.Fatalf("%s%q: situations %v, but no word begins so", text, word, list)
			}
		}
	}
}

func viable(t *testing.T, w *pushdown.Words, word []string) bool {
	run := earley.New(w.Grammar).Start(nil)
	symbols, ok := w.Symbols(word)
	if !ok {
		return false
	}
	for _, symbol := range symbols {
		if ok, err := run.Push(symbol); err != nil {
			t.Fatal(err)
		} else if !ok {
			return false
		}
	}
	return run.Viable()
}

func TestAutomataOfGrammarsHaveTheSameLanguage(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 2))
	for range effort.Of(200) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		w := words(t, pushdown.FromGrammar(g))
		p := earley.New(g)
		for _, s := range enum.Strings(g.NumTerminals, 3) {
			symbols := enum.Symbols(s)
			var word []string
			for _, symbol := range symbols {
				word = append(word, g.Names[symbol])
			}
			want, err := p.Recognize(symbols, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := w.Accepts(word, nil)
			if err != nil || got != want {
				t.Fatalf("%s%q: the automaton accepts %v (%v), the grammar %v", text, word, got, err, want)
			}
		}
	}
}

func TestExplosiveFamiliesEndWithLimit(t *testing.T) {
	nested := "start q Z\naccept q\n"
	for i := range 18 {
		nested += fmt.Sprintf("for v%d in [a b c] { ", i)
	}
	nested += strings.Repeat("}", 18)
	for _, text := range []string{nested, "start q Z\nfor h in 1..1000000, k in 1..1000 { accept h/k }"} {
		syntax, found := pushdown.Parse(source.NewFile("t.pda", text))
		_, more := pushdown.Compile(syntax)
		if len(found) > 0 || !slices.ContainsFunc(more, func(d source.Diagnostic) bool { return d.Code == "limit.transitions" }) {
			t.Errorf("%.60s: %v %v", text, found, more)
		}
	}
}

func TestLongPushIsNotEnumerated(t *testing.T) {
	text := "start q Z\naccept empty\nq -> q (a, Z; " + strings.Repeat("A ", 40) + "B)\n"
	text += "q -> q (x, A; ε)\nq -> r (x, A; ε)\nr -> q (x, A; ε)\nr -> r (x, A; ε)\nr -> r (y, C; ε)\n"
	w, err := parsed(t, text).Words(nil)
	if err != nil || !w.Grammar.Empty() {
		t.Errorf("no way leads out of B, but %v", err)
	}
}

func TestTextQuotesTheNameOfItsLetter(t *testing.T) {
	p := parsed(t, "start 2\naccept 0\nfor h in 2..1, t in [x y] {\n  h -> h-1 (t, ε; ε) as \"{h-1} to {h}: {*}, {*}\"\n}\n2 -> 2 (ε, ε; ε) as \"{*}\"\nx as \"the {*} letter\"\n")
	want := []string{"1 to 2: the {*} letter, the {*} letter", "1 to 2: y, y", "0 to 1: the {*} letter, the {*} letter", "0 to 1: y, y", "{*}"}
	for i, tr := range p.Transitions {
		if tr.Label != want[i] {
			t.Errorf("%q, want %q", tr.Label, want[i])
		}
	}
}
