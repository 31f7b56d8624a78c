package earley_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func compile(t testing.TB, text, start string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("test.cfg", text))
	g, more := grammar.Compile(syntax, start)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%q: %v", text, found)
	}
	return g
}

// word returns the symbols of names; ok is false where one is no terminal.

func word(g *grammar.Grammar, names []string) (out []grammar.Symbol, ok bool) {
	for _, name := range names {
		s, ok := g.Lookup(name)
		if !ok || !g.IsTerminal(s) {
			return out, false
		}
		out = append(out, s)
	}
	return out, true
}

func names(g *grammar.Grammar, symbols []grammar.Symbol) []string {
	out := []string{}
	for _, s := range symbols {
		out = append(out, g.Names[s])
	}
	slices.Sort(out)
	return out
}

type cfgRecord struct {
	ID, Grammar, Start string
	Words              []struct {
		Word     []string
		Accepted bool
		Trees    json.RawMessage
	}
	Prefixes []struct {
		Prefix           []string
		Viable, Accepted bool
		Next             []string
	}
}

func TestWordsAndPrefixesOfConformanceData(t *testing.T) {
	words, prefixes := 0, 0
	for _, r := range conformance.Records[cfgRecord](t, "cfg.jsonl") {
		g := compile(t, r.Grammar, r.Start)
		p := earley.New(g)
		for _, w := range r.Words {
			words++
			symbols, ok := word(g, w.Word)
			trees := int64(0)
			if ok {
				var err error
				if trees, err = p.Trees(symbols, meter.New(meter.Budget{})); err != nil {
					t.Fatal(err)
				}
			}
			// The data does not count the trees of long words: null.
			want := trees
			if string(w.Trees) != "null" {
				if err := json.Unmarshal(w.Trees, &want); err != nil {
					want = earley.InfinitelyMany
				}
			}
			if trees != want || (trees != 0) != w.Accepted {
				t.Errorf("%s: %v: %d trees, want %s", r.ID, w.Word, trees, w.Trees)
			}
			checkDerivation(t, p, symbols, w.Accepted && ok)
		}
		for _, c := range r.Prefixes {
			prefixes++
			run := p.Start(nil)
			viable := run.Viable()
			for _, name := range c.Prefix {
				s, ok := g.Lookup(name)
				if !ok {
					viable = false
				}
				if viable {
					viable, _ = run.Push(s)
				}
			}
			complete, next := false, []string{}
			if viable {
				complete, next = run.Complete(), names(g, run.Next())
			}
			if viable != c.Viable || complete != c.Accepted || !slices.Equal(next, c.Next) {
				t.Errorf("%s: %v: viable %v complete %v next %v; want %v %v %v", r.ID, c.Prefix, viable, complete, next, c.Viable, c.Accepted, c.Next)
			}
		}
	}
	t.Logf("%d words, %d prefixes", words, prefixes)
}

// checkDerivation reports a tree that is no derivation of the word.

func checkDerivation(t *testing.T, p *earley.Parser, w []grammar.Symbol, accepted bool) {
	t.Helper()
	tree, err := p.Derivation(w, meter.New(meter.Budget{}))
	if err != nil {
		t.Fatal(err)
	}
	if !accepted {
		if tree != nil {
			t.Errorf("%v: a tree for a word that is not of the language", w)
		}
		return
	}
	if tree == nil {
		t.Errorf("%v: no tree", w)
		return
	}
	g := p.Grammar()
	var leaves []grammar.Symbol
	var walk func(*earley.Tree)
	walk = func(n *earley.Tree) {
		if n.Production < 0 {
			leaves = append(leaves, n.Symbol)
			return
		}
		production := g.Productions[n.Production]
		if production.Left != n.Symbol || len(production.Right) != len(n.Children) {
			t.Errorf("%v: a node does not fit its production", w)
			return
		}
		for i, c := range n.Children {
			if c.Symbol != production.Right[i] {
				t.Errorf("%v: a child does not fit its production", w)
			}
			walk(c)
		}
	}
	walk(tree)
	if tree.Symbol != g.Start || !slices.Equal(leaves, w) {
		t.Errorf("%v: the tree derives %v", w, leaves)
	}
}

type limitsRecord struct {
	ID, Grammar, Start string
	Limits             grammar.Limits
	Rows               []struct {
		Prefix           []string
		Viable, Complete bool
		Next             []string
	}
}

func TestLimitsOfConformanceData(t *testing.T) {
	rows := 0
	for _, r := range conformance.Records[limitsRecord](t, "limits.jsonl") {
		g := compile(t, r.Grammar, r.Start)
		caps, err := g.Caps(r.Limits)
		if err != nil {
			t.Fatal(err)
		}
		needs, err := grammar.ComputeNeeds(g, caps, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		p := earley.New(g)
		for _, row := range r.Rows {
			rows++
			run := p.Start(nil)
			left := slices.Clone(caps)
			viable, complete, next, err := run.NextWithin(needs, left)
			for _, name := range row.Prefix {
				s, _ := g.Lookup(name)
				if viable && slices.Contains(next, s) {
					run.Push(s)
					if left[s] > 0 {
						left[s]--
					}
					viable, complete, next, err = run.NextWithin(needs, left)
				} else {
					viable, complete, next = false, false, nil
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if viable != row.Viable || complete != row.Complete || !slices.Equal(names(g, next), row.Next) {
				t.Errorf("%s: %v: viable %v complete %v next %v; want %v %v %v", r.ID, row.Prefix, viable, complete, names(g, next), row.Viable, row.Complete, row.Next)
			}
		}
	}
	t.Logf("%d rows", rows)
}
