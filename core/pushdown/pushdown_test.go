package pushdown_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/pushdown"
)

// accepts runs the automaton itself, breadth first, over a word: a configuration
// is a state, a stack and the letters left. Stacks that can no longer become empty are
// dropped, judged by the minimum length of the words of each symbol.
func accepts(p *pushdown.PDA, g *grammar.Grammar, word []grammar.Symbol) bool {
	least := g.MinLength()
	type config struct {
		state int
		stack string // of bytes: 'A'+symbol, or 'Z' for the bottom
		read  int
	}
	letter := func(name string) string {
		if name == p.StackStart {
			return "Z"
		}
		s, _ := g.Lookup(name)
		return string(rune('a' + int(s)))
	}
	need := func(stack string) int {
		n := 0
		for _, c := range stack {
			if c != 'Z' {
				n += max(least[c-'a'], 0)
			}
		}
		return n
	}
	start := config{p.Start, "Z", 0}
	seen := map[config]bool{start: true}
	queue := []config{start}
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		if p.Accepting(c.state) && c.read == len(word) {
			return true
		}
		for _, t := range p.Transitions {
			next := config{t.To, "", c.read}
			if t.From != c.state || c.stack == "" || c.stack[:1] != letter(t.Pop) {
				continue
			}
			if t.Read != "" {
				if c.read == len(word) || g.Names[word[c.read]] != t.Read {
					continue
				}
				next.read++
			}
			for _, s := range t.Push {
				next.stack += letter(s)
			}
			next.stack += c.stack[1:]
			if need(next.stack) <= len(word)-next.read && len(next.stack) <= 3*len(word)+8 && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

func TestAutomatonAcceptsWordsOfTheGrammar(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	for range effort.Of(40) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		p := pushdown.FromGrammar(g)
		words := enum.Words(g, 3)[g.Start]
		for _, s := range enum.Strings(g.NumTerminals, 3) {
			if got := accepts(p, g, enum.Symbols(s)); got != words[s] {
				t.Fatalf("%s%q: the automaton says %v, the grammar %v\n%s", text, s, got, words[s], p)
			}
		}
	}
}

func TestLiveConfigurationsFollowViablePrefixesOnly(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	for range effort.Of(200) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		prefixes := enum.Prefixes(g, 3)[g.Start]
		parser := earley.New(g)
		for _, s := range enum.Strings(g.NumTerminals, 3) {
			w := enum.Symbols(s)
			configs, _, err := pushdown.Configs(g, w, 20, nil)
			if err != nil {
				t.Fatal(err)
			}
			if (len(configs) > 0) != prefixes[s] {
				t.Fatalf("%s%q: %d configurations, viable %v", text, s, len(configs), prefixes[s])
			}
			accepted, _ := parser.Recognize(w, nil)
			for i, c := range configs {
				if i > 0 && len(c.Stack) < len(configs[i-1].Stack) {
					t.Fatalf("%s%q: the shortest stack does not come first", text, s)
				}
				if c.State == 2 && !accepted {
					t.Fatalf("%s%q: an accepting configuration of a word that is not accepted", text, s)
				}
			}
		}
	}
}
