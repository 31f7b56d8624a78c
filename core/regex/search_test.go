package regex

import (
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// searchFor returns a program, a search for it with at most some bytes of states, and the expression of package regexp.
func searchFor(t testing.TB, pattern string, most int) (Expression, *Search, *regexp.Regexp) {
	t.Helper()
	program, err := Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	search := program.Search()
	search.most = most
	return program, search, regexp.MustCompile(pattern)
}

// words returns a random text of words.
func words(r *rand.Rand, size int, list ...string) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(list[r.IntN(len(list))])
	}
	return b.String()
}

// pairs returns words of two Chinese characters.
func pairs(n int) (out []string) {
	for i := range n {
		out = append(out, string([]rune{rune(0x4e00 + 2*i), rune(0x5e00 + 3*i)}))
	}
	return out
}

// ideographs returns random characters of which none is in a word of pairs(400).
func ideographs(r *rand.Rand, n int) string {
	out := make([]rune, n)
	for i := range out {
		out[i] = rune(0x6800 + r.IntN(6000))
	}
	return string(out)
}

// distances is an expression whose automaton has a state for each set of distances to earlier words.
const distances = `(?i)(ignore|disregard).{0,300}(instructions|rules)`

// The memory is bounded by bytes, because one state may have as many instructions as the expression.
func TestSearchesTakeLittleMemory(t *testing.T) {
	var parts []string
	for i := range 90 {
		parts = append(parts, "a.{1000}"+string(rune(0x4e00+i)))
	}
	_, search, _ := searchFor(t, strings.Join(parts, "|"), maxSearchBytes)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := newLazy(search.program, search.alphabet(), maxSearchBytes)
	if _, complete := d.match(strings.Repeat("a", 500)); complete || len(d.states) != 1 || d.skip <= 0 {
		t.Errorf("%d states are kept, %v", len(d.states), complete)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if used := int(after.HeapAlloc) - int(before.HeapAlloc); used > 4<<20 {
		t.Errorf("%d bytes are kept", used)
	}
	runtime.KeepAlive(d)
}

// The size of an automaton is at least that of its lists.
func TestSearchSizes(t *testing.T) {
	_, search, _ := searchFor(t, distances, maxSearchBytes)
	d := newLazy(search.program, search.alphabet(), maxSearchBytes)
	d.match(words(rand.New(rand.NewPCG(1, 2)), 2000, "ignore ", "foo ", "bar\n"))
	size := 0
	for _, state := range d.states {
		size += 4*cap(state.seeds) + 4*cap(state.next)
	}
	for key := range d.numbers {
		size += len(key)
	}
	if len(d.states) < 300 || d.size < size || d.size > size+2*stateBytes*(len(d.states)+len(d.sample)) {
		t.Errorf("%d states and %d letters: %d bytes, not %d and more", len(d.states), len(d.sample), d.size, size)
	}
}

// A text that fills the automaton does not make the search of later texts slow.
func TestSearchAfterManyStates(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	_, search, _ := searchFor(t, distances, maxSearchBytes)
	hostile := words(r, 80_000, "ignore ", "foo ", "disregard ", "bar quux ")
	d := newLazy(search.program, search.alphabet(), maxSearchBytes)
	if _, complete := d.match(hostile); complete {
		t.Fatal("the automaton has few states")
	}
	for range 3 {
		if matches, complete := d.match(strings.Repeat("Please book the flight. ", 1000)); matches || !complete {
			t.Errorf("%v, %v", matches, complete)
		}
	}
}

// Texts that fill the automaton again and again are searched without it, and more of them each time.
func TestSearchWithoutGain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	_, search, _ := searchFor(t, distances, 1<<16)
	d := newLazy(search.program, search.alphabet(), 1<<16)
	read := 0
	for range 2000 {
		if _, complete := d.match(words(r, 1000, "ignore ", "foo ", "disregard ", "bar quux ")); complete {
			read++
		}
	}
	if read > 100 || d.pause != maxPause {
		t.Errorf("%d of 2000 texts by the automaton, then %d bytes without it", read, d.pause)
	}
}

// A full automaton that took many characters for each state continues with new states.
func TestSearchContinuesAfterForgetting(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	program, search, want := searchFor(t, `b.{6}c[de]{3}f|é\b$`, 1<<13)
	d := newLazy(program, search.alphabet(), 1<<13)
	unbounded := newLazy(program, search.alphabet(), maxSearchBytes)
	for i := range 200 {
		text := strings.Repeat("a", 4000) + words(r, 100, "b", "a", "a", "ac", "\n", "日", "d") + strings.Repeat("a", 4000) + []string{"", "é", "bxxxxxxcdedf"}[i%3]
		matches, complete := d.match(text)
		if unbounded.match(text); !complete || matches != want.MatchString(text) {
			t.Fatalf("%q: %v, %v", text, matches, complete)
		}
	}
	if unbounded.size < 4*d.most {
		t.Errorf("the automaton has only %d bytes", unbounded.size)
	}
}

// Characters that the expression does not distinguish are one letter, and a search ends where no match can begin.
func TestSearchLetters(t *testing.T) {
	list := strings.Join(pairs(400), "|")
	r := rand.New(rand.NewPCG(9, 10))
	other := ideographs(r, 5000)
	for _, test := range []struct {
		pattern, text   string
		states, letters int
	}{
		{list, other, 2, 3},
		{`^(?:` + list + `)`, other, 1, 2},
		{`\A(?:` + list + `)`, other, 1, 2},
		{`(?m)^(?:` + list + `)`, other, 2, 3},
		{`\b(?:^x|^y)`, "none" + other, 1, 2},
		{`(?i)[α-ω]`, strings.Repeat("a 日 Ж ", 50), 3, 4},
	} {
		program, search, want := searchFor(t, test.pattern, maxSearchBytes)
		d := newLazy(program, search.alphabet(), maxSearchBytes)
		matches, complete := d.match(test.text)
		if matches != want.MatchString(test.text) || !complete || len(d.states) > test.states || len(d.sample) > test.letters {
			t.Errorf("%.30q: %v, %v, %d states, %d letters", test.pattern, matches, complete, len(d.states), len(d.sample))
		}
	}
}

// Each character has the letter of all characters that the same sets of the expression contain.
func TestLettersAgreeWithSets(t *testing.T) {
	for _, pattern := range []string{`(?i)k`, `(?i)[^ks]`, `(?i)[α-ω]`, `(?i)\pL|\p{Lu}`, `(?i)\P{Lu}`, `[\w.]|\D|[^\n]`, `(?i)[a-z\x{100}-\x{17f}ǆ]|\b`, strings.Join(pairs(30), "|")} {
		program, search, _ := searchFor(t, pattern, maxSearchBytes)
		d := newLazy(program, search.alphabet(), maxSearchBytes)
		for r := rune(0); r < 0x11000; r++ {
			other := d.sample[d.letter(r)]
			for i := range program {
				if set := program[i].set; kindOf(r) != kindOf(other) || set != nil && set.has(r) != set.has(other) {
					t.Fatalf("%q: %q has the letter of %q", pattern, r, other)
				}
			}
		}
	}
}

// Expressions with many states, letters and instructions agree with package regexp, whatever the bound of the memory.
func TestLargeSearchesAgreeWithRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	for _, test := range []struct {
		pattern string
		words   []string
	}{
		{`a[ab]{14}c|é$`, []string{"a", "a", "b", "b", "b", "b", "c", "é", "\xc3"}},
		{`a.{100}X|a.{90}Y|a.{80}\n`, []string{"aaaa", "a", "b", "X", "\n"}},
		{distances, []string{"ignore ", "Disregard ", "the ", strings.Repeat("x", 280), "\n", "rules", "instruct"}},
		{`^(?:` + strings.Join(pairs(40), "|") + `)`, append(pairs(60), "日")},
		{`(?m)^(?:` + strings.Join(pairs(40), "|") + `)$|\bk\B`, append(pairs(60), "\n", "k", "K ")},
		{`(?i)(?:` + strings.Join(pairs(40), "|") + `)\w+ß\b`, append(pairs(50), "\n", "ß ", "ẞ", "k")},
	} {
		for _, most := range []int{1, 500, 5000, 1 << 15, maxSearchBytes} {
			program, search, want := searchFor(t, test.pattern, most)
			for range 40 {
				text := words(r, 1+r.IntN(600), test.words...)
				if search.MatchString(text) != want.MatchString(text) || program.MatchString(text) != want.MatchString(text) {
					t.Errorf("%.30q with %d bytes in %q: %v", test.pattern, most, text, !want.MatchString(text))
				}
				search.free[0].skip = 0
			}
		}
	}
}

// Goroutines share the automata of a search, of which few are kept.
//
//stile:race
func TestSearchesAtTheSameTime(t *testing.T) {
	for _, most := range []int{1000, maxSearchBytes} {
		_, search, _ := searchFor(t, `(?i)\b(yes|sure|go ahead)\b`, most)
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for n := range 200 {
					text := strings.Repeat("no, wait ", n) + []string{"Go ahead", "goahead"}[i%2]
					if search.MatchString(text) != (i%2 == 0) {
						t.Errorf("%q: %v", text, i%2 != 0)
					}
				}
			})
		}
		group.Wait()
		if n := len(search.free); n == 0 || n > maxSearchKept {
			t.Errorf("%d automata are kept", n)
		}
	}
}

// An ordinary text, one that needs many states, and one whose characters are all new.
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	plain := strings.Repeat("Please book the flight to Paris and pay with my card. ", 1500)
	for _, test := range []struct{ name, pattern, text string }{
		{"plain", distances, plain},
		{"states", distances, words(r, 80_000, "ignore ", "foo ", "disregard ", "bar quux ")},
		{"letters", strings.Join(pairs(400), "|"), ideographs(r, 30_000)},
		{"seeds", `a.{1000}X|a.{1000}Y|a.{1000}Z`, strings.Repeat("a", 1100)},
	} {
		program, search, _ := searchFor(b, test.pattern, maxSearchBytes)
		b.Run(test.name+"/search", func(b *testing.B) {
			b.SetBytes(int64(len(test.text)))
			for b.Loop() {
				search.MatchString(test.text)
			}
		})
		b.Run(test.name+"/program", func(b *testing.B) {
			b.SetBytes(int64(len(test.text)))
			for b.Loop() {
				program.MatchString(test.text)
			}
		})
	}
}
