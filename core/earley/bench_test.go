package earley_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// The grammars that engines for constrained decoding are measured by.
var measured = map[string]string{
	"openagi": `S -> T
I -> A I | C T | i
T -> B I | D T | E I T | F T T | t
A -> a1 | a2 | a3 | a4
B -> b1 | b2 | b3
C -> c1
D -> d1 | d2 | d3 | d4
E -> e1
F -> f1 | f2
`,
	"json":     jsonGrammar(),
	"thousand": tools(1000),
}

// jsonGrammar is JSON by characters.
func jsonGrammar() string {
	var b strings.Builder
	b.WriteString(`V -> O | L | S | N | t r u e | f a l s e | n u l l
O -> { W } | { M }
M -> W S W : E | W S W : E , M
L -> [ W ] | [ Es ]
Es -> E | E , Es
E -> W V W
W -> ε | sp W | nl W
N -> I F X
I -> D | D19 Ds | - D | - D19 Ds
F -> ε | . Ds
X -> ε | e G Ds | E' G Ds
G -> ε | + | -
Ds -> D | D Ds
D -> 0 | D19
D19 -> 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
S -> qu Cs qu
Cs -> ε | C Cs
C -> D | - | + | . | : | , | { | } | [ | ] | sp | bs Esc
Esc -> qu | bs | n | t
C ->`)
	for c := 'a'; c <= 'z'; c++ {
		fmt.Fprintf(&b, " %c |", c)
	}
	b.WriteString(" E'\n")
	return b.String()
}

// tools is a flat list of tools, any number of them.
func tools(n int) string {
	var b strings.Builder
	b.WriteString("S -> step | step S\nstep ->")
	for i := range n {
		if i > 0 {
			b.WriteString(" |")
		}
		fmt.Fprintf(&b, " tool%d", i)
	}
	return b.String() + "\n"
}

// BenchmarkTools compiles grammars of more and more tools.
func BenchmarkTools(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		text := tools(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				syntax, _ := grammar.Parse(source.NewFile("g.cfg", text))
				g, _ := grammar.Compile(syntax, "")
				earley.New(g)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"openagi", "json", "thousand"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				syntax, _ := grammar.Parse(source.NewFile("g.cfg", measured[name]))
				g, _ := grammar.Compile(syntax, "")
				earley.New(g)
			}
		})
	}
}

// BenchmarkNext reads one more terminal, requests the valid next terminals, and undoes
// the step.
func BenchmarkNext(b *testing.B) {
	for _, c := range []struct{ name, word string }{
		{"openagi", "b1 a1 a2 c1 f1"}, {"json", "{ qu a b qu : [ 1 , 2"}, {"thousand", "tool1 tool2 tool3 tool4"},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := compile(b, measured[c.name], "")
			run := earley.New(g).Start(nil)
			var last grammar.Symbol
			for _, name := range strings.Fields(c.word) {
				last, _ = g.Lookup(name)
				if ok, err := run.Push(last); !ok || err != nil {
					b.Fatal(name, err)
				}
			}
			run.Pop()
			for b.Loop() {
				if _, err := run.Push(last); err != nil {
					b.Fatal(err)
				}
				if len(run.Next()) == 0 {
					b.Fatal("nothing may follow")
				}
				run.Pop()
			}
		})
	}
}

// BenchmarkRecognize reads words of growing length.
func BenchmarkRecognize(b *testing.B) {
	for _, c := range []struct {
		name, grammar, begin, again string
		sizes                       []int
	}{
		{"leftrec", "E -> E + T | T\nT -> T * F | F\nF -> ( E ) | n", "n", "+ n", []int{1_000, 10_000, 100_000}},
		{"rightrec", "S -> a S | a", "a", "a", []int{1_000, 10_000, 100_000}},
		{"dyck", "S -> ( S ) S | ε", "( )", "( )", []int{1_000, 10_000, 100_000}},
		{"ambiguous", "E -> E + E | E * E | n", "n", "+ n", []int{21, 23, 251, 501, 1_000}},
		{"ambiguous2", "S -> S S | a", "a", "a", []int{1_000}},
	} {
		for _, n := range c.sizes {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				g := compile(b, c.grammar, "")
				var word []grammar.Symbol
				add := func(text string) {
					for _, name := range strings.Fields(text) {
						s, _ := g.Lookup(name)
						word = append(word, s)
					}
				}
				for add(c.begin); len(word) < n; {
					add(c.again)
				}
				p := earley.New(g)
				for b.Loop() {
					if ok, err := p.Recognize(word, meter.New(meter.Budget{Steps: 1 << 40, States: 1 << 40})); !ok || err != nil {
						b.Fatal(ok, err)
					}
				}
			})
		}
	}
}
