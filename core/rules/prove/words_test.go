package prove

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func compiled(t testing.TB, text string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("shop.cfg", text))
	g, more := grammar.Compile(syntax, "")
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%s\n%v", text, found)
	}
	return g
}

// listed returns the words of a grammar as the restriction of sessions; those of up to max calls are
// confirmed by lists of all words and of all their beginnings.
func listed(g *grammar.Grammar, max int) *Words {
	index := map[string]rune{}
	for i, letter := range g.Names[:g.NumTerminals] {
		index[letter] = rune('A' + i)
	}
	words, begins := enum.Words(g, max)[g.Start], enum.Prefixes(g, max)[g.Start]
	return &Words{Name: "shop.cfg", Letters: append([]string{}, g.Names[:g.NumTerminals]...), Grammar: g, Read: func(calls []string) (bool, bool) {
		var b strings.Builder
		for _, name := range calls {
			letter, ok := index[name]
			if !ok {
				return false, false
			}
			b.WriteRune(letter)
		}
		_, isWord := words[b.String()]
		_, isBegun := begins[b.String()]
		return isBegun, isWord
	}}
}

// definitions are the conjunctions and disjunctions that a text defines.
type definitions struct {
	names []string
	parts [][]string // operator and operands
}

func definitionsOf(text string) (out definitions) {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "(define-fun ")
		if !ok {
			continue
		}
		name, term, _ := strings.Cut(rest, " () Bool ")
		out.names = append(out.names, name)
		out.parts = append(out.parts, strings.Fields(strings.ReplaceAll(strings.Trim(term, "()"), "(not ", "!")))
	}
	return out
}

// truth returns the value of a name or of its negation.
func truth(term string, known map[string]bool) bool {
	name, negated := strings.CutPrefix(strings.ReplaceAll(strings.TrimSuffix(term, ")"), "(not ", "!"), "!")
	return known[name] != negated
}

// evaluate adds the values of the definitions to those of the declared names.
func (d definitions) evaluate(known map[string]bool) {
	for i, parts := range d.parts {
		and := parts[0] == "and"
		other := slices.ContainsFunc(parts[1:], func(p string) bool { return truth(p, known) != and })
		known[d.names[i]] = and != other
	}
}

// The terms for the words of random grammars, by derivation and, where there is one, by the automaton,
// have the values of a list of all words, for every sequence of calls and other events.
func TestWordsEqualListedWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	const most = 5
	grammars, automata := 0, 0
	for range effort.Sample(4_000, 100) {
		text := enum.Grammar(rng)
		g := compiled(t, text)
		w := listed(g, most)
		forms := []*Words{w}
		if d, err := counting.LanguageOf(g, nil).Automaton(w.Letters, meter.New(meter.Budget{Steps: 20_000, States: 1_000})); err == nil {
			forms = append(forms, &Words{Letters: w.Letters, Automaton: d, Read: w.Read})
			automata++
		}
		grammars++
		for _, form := range forms {
			for events := 1; events <= most; events++ {
				e := newEncoder(Query{Question: Violable, File: parsed(t, "a: end() -> false = true\n"), Tools: w.Letters, Words: form}, events, nil)
				var begins, complete string
				if form.Automaton != nil {
					begins, complete = e.read(form)
				} else {
					begins, complete = e.derive(g)
				}
				if e.err != nil {
					t.Fatal(e.err)
				}
				defined := definitionsOf(e.text.String())
				letters := append(slices.Clone(w.Letters), "")
				run := make([]int, events)
				for {
					known := map[string]bool{yes: true}
					var calls []string
					for i, letter := range run {
						if letters[letter] != "" {
							calls = append(calls, letters[letter])
							known[e.shape(i, "call", letters[letter])] = true
						}
					}
					defined.evaluate(known)
					isBegun, isWord := w.Read(calls)
					if b, c := truth(begins, known), truth(complete, known); b != isBegun || c != isWord {
						t.Fatalf("%s%d events, %v: begins %v, complete %v; expected %v, %v (automaton: %v)", text, events, calls, b, c, isBegun, isWord, form.Automaton != nil)
					}
					at := 0
					for at < events && run[at] == len(letters)-1 {
						run[at] = 0
						at++
					}
					if at == events {
						break
					}
					run[at]++
				}
			}
		}
	}
	t.Logf("%d grammars, %d with an automaton", grammars, automata)
	if automata*10 < grammars {
		t.Errorf("only %d of %d grammars have an automaton", automata, grammars)
	}
}

// The exact search within an automaton returns a shortest session, and none only if there is none.
func TestOrderWithinWordsIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	message, end := "message", "end"
	domain := []rules.RawEvent{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Kind: &message, Name: "user"}, {Kind: &end}}
	const most = 4
	found, none := 0, 0
	for range effort.Sample(2_000, 80) {
		// A random automaton over a, b and c.
		n := 1 + rng.IntN(3)
		rows, accept := make([][]int, n), make([]bool, n)
		for q := range rows {
			rows[q], accept[q] = []int{rng.IntN(n), rng.IntN(n), rng.IntN(n)}, rng.IntN(2) > 0
		}
		d := automaton.NewDFA(rows, accept)
		letters := []string{"a", "b", "c"}
		w := &Words{Name: "w", Letters: letters, Automaton: d, Read: func(calls []string) (bool, bool) {
			q := d.Start()
			for _, name := range calls {
				i := slices.Index(letters, name)
				if i < 0 {
					return false, false
				}
				q = d.Next(q, i)
			}
			// A word ends within as many letters as there are states.
			reach := map[int]bool{q: true}
			for range n {
				for from := range reach {
					for letter := range letters {
						reach[d.Next(from, letter)] = true
					}
				}
			}
			begins := false
			for to := range reach {
				begins = begins || d.Accepting(to)
			}
			return begins, d.Accepting(q)
		}}
		f := parsed(t, "r: "+orderFormula(rng, 1)+" -> "+orderFormula(rng, 2)+"\ns: "+orderFormula(rng, 2)+"\n")
		for _, q := range []Query{
			{Question: Violable, File: f}, {Question: Applies, File: f}, {Question: Superfluous, File: f}, {Question: Callable, File: f, Tool: "a"},
			{Question: Reachable, File: f, Goal: parsed(t, "goal: "+orderFormula(rng, 2)+"\n")},
		} {
			q.Words, q.Tools = w, letters
			a, ok := q.order(nil)
			if !ok || !a.Exact {
				t.Fatal("not exact")
			}
			if a = q.confirmed(a); a.Status == Unconfirmed {
				t.Fatalf("%s of\n%v: %s", q.Question, f.Rules[0].Name, a.Message)
			}
			shortest := 0
			var extend func(run []rules.RawEvent, length int) bool
			extend = func(run []rules.RawEvent, length int) bool {
				if len(run) == length {
					_, ok := q.Confirm(run)
					return ok
				}
				if len(run) > 0 && run[len(run)-1].Kind == &end {
					return false
				}
				for _, e := range domain {
					if extend(append(run, e), length) {
						return true
					}
				}
				return false
			}
			for length := 1; length <= most && shortest == 0; length++ {
				if extend(make([]rules.RawEvent, 0, length), length) {
					shortest = length
				}
			}
			switch {
			case shortest != len(a.Events) && (shortest != 0 || len(a.Events) <= most):
				t.Fatalf("%s: %v, expected %d events\n%s", q.Question, Lines(a.Events), shortest, d)
			case shortest != 0:
				found++
			default:
				none++
			}
		}
	}
	t.Logf("%d found, %d none", found, none)
	if found < 20 || none < 20 {
		t.Error(found, none)
	}
}
