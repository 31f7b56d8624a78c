package grammar_test

import (
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/source"
)

func TestAnalysesOfConformanceData(t *testing.T) {
	type record struct {
		ID, Grammar, Start                                               string
		Terminals, Nonterminals, Productive, Reachable, Useful, Nullable []string
		Empty, Finite, Cyclic                                            bool
		Shortest                                                         *int `json:"shortest_word_length"`
	}
	for _, r := range conformance.Records[record](t, "cfg.jsonl") {
		syntax, found := grammar.Parse(source.NewFile("t.cfg", r.Grammar))
		g, more := grammar.Compile(syntax, r.Start)
		if source.HasErrors(append(found, more...)) {
			t.Fatalf("%s: %v %v", r.ID, found, more)
		}
		nonterminals := func(in []bool) []string {
			out := []string{}
			for s := g.NumTerminals; s < len(in); s++ {
				if in == nil || in[s] {
					out = append(out, g.Names[s])
				}
			}
			slices.Sort(out)
			return out
		}
		every := make([]bool, g.NumSymbols())
		for i := range every {
			every[i] = true
		}
		for _, c := range []struct {
			what      string
			got, want []string
		}{
			{"terminals", sorted(g.Names[:g.NumTerminals]), r.Terminals},
			{"nonterminals", nonterminals(every), r.Nonterminals},
			{"productive", nonterminals(g.Productive()), r.Productive},
			{"reachable", nonterminals(g.Reachable()), r.Reachable},
			{"useful", nonterminals(g.Useful()), r.Useful},
			{"nullable", nonterminals(g.Nullable()), r.Nullable},
		} {
			if !slices.Equal(c.got, sorted(c.want)) {
				t.Errorf("%s: %s %v, want %v", r.ID, c.what, c.got, c.want)
			}
		}
		if g.Empty() != r.Empty || g.Finite() != r.Finite || g.Cyclic() != r.Cyclic {
			t.Errorf("%s: empty %v finite %v cyclic %v, want %v %v %v", r.ID, g.Empty(), g.Finite(), g.Cyclic(), r.Empty, r.Finite, r.Cyclic)
		}
		want := -1
		if r.Shortest != nil {
			want = *r.Shortest
		}
		if got := g.MinLength()[g.Start]; got != want {
			t.Errorf("%s: shortest word %d, want %d", r.ID, got, want)
		}
	}
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	slices.Sort(out)
	return out
}
