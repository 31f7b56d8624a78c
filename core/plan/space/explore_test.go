package space

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// spec is a text with its spaces: those of its words without and with properties.
type spec struct {
	name, text, property string
	longest              int // letters of a plan
}

var specs = []spec{
	{"a.cfg", "S -> A S | x\nA -> a | b\nlimit 1 a b", "", 3},
	{"a.cfg", "S -> A S | x\nA -> a | b\nlimit 1 a b", "F(a)", 3},
	{"a.cfg", "S -> A S | x\nA -> a | b\nlimit 2 a\nlimit 1 b", "F(a) & G(b -> X(x))", 4},
	{"b.cfg", "S -> T z | T y\nT -> a b T | c\nlimit 1 a", "", 4},
	{"b.cfg", "S -> T z | T y\nT -> a b T | c\nlimit 1 a", "G(a -> F(z))", 4},
	{"c.cfg", "S -> a S S | b | c\nlimit 1 each", "!c W a", 3},
	{"f.cfg", "S -> A B | c S\nA -> a | b\nB -> a | c d\nlimit 1 a\nlimit 2 c", "", 6},
	{"d.cfg", "S -> | a S | d S\nlimit 2 a\nlimit 0 d", "", 3},
	{"e.pda", "start q S\naccept e\nlimit 1 a c\nq -> q (a, S; S)\nq -> q (b, S; S)\nq -> q (c, S; S)\nq -> e (d, S; S)\nlimit 2 b\n", "", 5},
	{"e.pda", "start q S\naccept e\nlimit 1 a c\nq -> q (a, S; S)\nq -> q (b, S; S)\nq -> q (c, S; S)\nq -> e (d, S; S)\nlimit 2 b\n", "F(a) & (!c W b)", 5},
}

// compiled returns the grammar of a spec's words, its declared limits and a function that
// makes its space.
func (s spec) compiled(t *testing.T) (g *grammar.Grammar, limits grammar.Limits, with func(naive bool, properties ...Property) Space) {
	t.Helper()
	file := source.NewFile(s.name, s.text)
	if strings.HasSuffix(s.name, ".cfg") {
		g = must.Grammar(t, s.text)
		return g, g.DeclaredLimits(), func(naive bool, properties ...Property) Space {
			table, err := NewTable(g, g.DeclaredLimits(), nil, properties...)
			if err != nil {
				t.Fatal(err)
			}
			return table.derivation(naive, 100_000, nil)
		}
	}
	syntax, found := pushdown.Parse(file)
	p, more := pushdown.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatal(s.text, found, more)
	}
	words, err := p.Words(nil)
	if err != nil {
		t.Fatal(err)
	}
	return words.Grammar, p.Limits, func(naive bool, properties ...Property) Space {
		w, err := NewPushdown(words, p.Limits, nil, properties...)
		if err != nil {
			t.Fatal(err)
		}
		return w.Space(naive, nil)
	}
}

func (s spec) properties(t *testing.T) (out []Property) {
	t.Helper()
	if s.property == "" {
		return nil
	}
	list, found := ltl.Parse(source.NewFile("a.ltl", s.property))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return []Property{{Name: "it", Formula: list[0].Formula}}
}

// plans is the oracle: every word over the terminals up to a length that the grammar
// derives, the limits allow and the properties accept.
func (s spec) plans(t *testing.T) (out []string) {
	t.Helper()
	g, limits, _ := s.compiled(t)
	caps, err := g.Caps(limits)
	if err != nil {
		t.Fatal(err)
	}
	properties := s.properties(t)
	run := earley.New(g).Start(nil)
	used := make([]int64, g.NumTerminals)
	var word []string
	var visit func()
	visit = func() {
		if run.Complete() {
			holds := true
			for _, p := range properties {
				var trace []map[string]bool
				for _, letter := range word {
					trace = append(trace, map[string]bool{letter: true})
				}
				holds = holds && len(trace) > 0 && p.Formula.Holds(trace)
			}
			if holds {
				out = append(out, strings.Join(word, " "))
			}
		}
		if len(word) == s.longest+1 {
			return
		}
		for i := range used {
			if caps[i] >= 0 && used[i] == caps[i] {
				continue
			}
			if ok, err := run.Push(grammar.Symbol(i)); err != nil {
				t.Fatal(err)
			} else if ok {
				used[i]++
				word = append(word, g.Names[i])
				visit()
				run.Pop()
				word = word[:len(word)-1]
				used[i]--
			}
		}
	}
	visit()
	slices.Sort(out)
	return slices.Compact(out)
}

// explored visits all configurations of a space and returns the words of its plans. see is
// called where a choice is made.
func explored(t *testing.T, s Space, naive bool, see func(c Config, look Look), done func(c Config, o Outcome)) (out []string) {
	t.Helper()
	first, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var visit func(c Config, depth int)
	visit = func(c Config, depth int) {
		for {
			next, status, err := s.Step(c)
			if err != nil {
				t.Fatal(err)
			}
			c = next
			if status == Advanced {
				continue
			}
			if status == Finished {
				o, err := s.Finish(c)
				if err != nil {
					t.Fatal(err)
				}
				done(c, o)
				out = append(out, strings.Join(o.Word, " "))
				return
			}
			if status == Dead {
				if !naive {
					t.Fatalf("a dead end after %v", Names(s.Grammar(), c.Word()))
				}
				return
			}
			break
		}
		if depth > 12 {
			return // a naive space may be infinite
		}
		look, err := s.Look(c)
		if err != nil {
			t.Fatal(err)
		}
		see(c, look)
		for _, m := range look.Moves {
			next, _, err := s.Apply(c, m)
			var choice ChoiceError
			if errors.As(err, &choice) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if possible, err := s.Possible(next); err != nil || !possible && !naive {
				t.Fatalf("after %v, %q leads nowhere: %v", Names(s.Grammar(), c.Word()), s.Choice(c, m).Label, err)
			}
			visit(next, depth+1)
		}
	}
	visit(first, 0)
	slices.Sort(out)
	return slices.Compact(out)
}

// The choices of a space lead to exactly the plans, with lookahead to no dead end, and
// without it to the same plans.
func TestChoicesLeadToExactlyThePlans(t *testing.T) {
	for _, c := range specs {
		want := c.plans(t)
		if len(want) == 0 {
			t.Fatalf("%s has no plans", c.text)
		}
		_, _, with := c.compiled(t)
		for _, naive := range []bool{false, true} {
			s := with(naive, c.properties(t)...)
			if err := s.Feasible(); err != nil {
				t.Fatal(err)
			}
			got := explored(t, s, naive, func(Config, Look) {}, func(c Config, o Outcome) {
				for i, step := range o.Steps {
					if step.N != i+1 {
						t.Fatalf("the steps are %+v", o.Steps)
					}
				}
				if len(o.Word) > 0 && (o.Function == "" || len(s.Report(c)) == 0) || !slices.Equal(o.Word, Names(s.Grammar(), c.Word())) {
					t.Fatalf("%+v of %v", o, c.Word())
				}
			})
			if !slices.Equal(got, want) {
				t.Errorf("%q, %s, naive %v:\n got %q\nwant %q", c.text, c.property, naive, got, want)
			}
		}
	}
}

// letterOf returns the terminal that a move reads first, "" for none.
func letterOf(s Space, c Config, m Move) string { return s.Choice(c, m).Symbol }

// A withheld move has the reason that the rules give: a used-up limit, a property if it
// would be offered without properties, and otherwise the lookahead.
func TestReasonsOfWithheldMoves(t *testing.T) {
	counts := map[string]int{}
	for _, c := range specs {
		g, limits, with := c.compiled(t)
		caps, err := g.Caps(limits)
		if err != nil {
			t.Fatal(err)
		}
		// The moves offered after each word without properties.
		free := map[string][]string{}
		plain := with(false)
		explored(t, plain, false, func(now Config, look Look) {
			key := fmt.Sprint(Names(g, now.Word()), plain.StackNames(now))
			for _, m := range look.Moves {
				free[key] = append(free[key], plain.Choice(now, m).Label)
			}
		}, func(Config, Outcome) {})
		s := with(false, c.properties(t)...)
		explored(t, s, false, func(now Config, look Look) {
			word := Names(g, now.Word())
			key := fmt.Sprint(word, s.StackNames(now))
			if item, _ := s.Item(now); item == "" {
				t.Fatalf("after %v nothing is decided", word)
			}
			labels := map[string]bool{}
			for _, m := range look.Moves {
				labels[s.Choice(now, m).Label] = true
			}
			for _, m := range look.Withheld {
				choice := s.Choice(now, m)
				if choice.Label == "" || labels[choice.Label] {
					t.Fatalf("after %v, %+v is offered and withheld", word, choice)
				}
				why, reason, err := s.Refusal(now, m)
				if err != nil {
					t.Fatal(err)
				}
				counts[why]++
				want, text := WithheldLookahead, ""
				if t, ok := g.Lookup(letterOf(s, now, m)); ok && g.IsTerminal(t) {
					used := int64(0)
					for _, letter := range word {
						if letter == g.Names[t] {
							used++
						}
					}
					if caps[t] >= 0 && used == caps[t] {
						want = WithheldLimit
						text = map[int64]string{0: "it may not be used", 1: "it is used already"}[caps[t]]
					}
				}
				if want != WithheldLimit && slices.Contains(free[key], choice.Label) {
					want = WithheldProperty
				}
				if why != want || reason == "" || text != "" && reason != text || want == WithheldProperty && !strings.Contains(reason, "it") {
					t.Fatalf("%q, %s, after %v: %q is withheld by %s (%s), want %s", c.text, c.property, word, choice.Label, why, reason, want)
				}
			}
		}, func(Config, Outcome) {})
	}
	for _, why := range []string{WithheldLimit, WithheldProperty, WithheldLookahead} {
		if counts[why] == 0 {
			t.Errorf("nothing is withheld by %s: %v", why, counts)
		}
	}
}

// A flowchart offers the answers of the question in the order of the text, and answers that
// may be combined end with one without a group.
func TestFlowchartsOfferAnswersInOrder(t *testing.T) {
	const text = "ask where \"Where?\"\n  some far as \"Go far.\" near as \"Stay near.\" -> when\n  none -> when\nask when \"When?\"\n  now -> done as \"Now.\"\n  never -> stop as \"Never.\"\naccept done \"Well.\"\n"
	syntax, found := flow.Parse(source.NewFile("a.flow", text))
	chart, more := flow.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatal(found, more)
	}
	automaton, err := NewFlow(chart, grammar.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := automaton.Space(false, nil)
	now, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	look, err := s.Look(now)
	if err != nil || !look.Multiple || len(look.Withheld) != 0 || !s.Asks(now) {
		t.Fatalf("%+v %v", look, err)
	}
	var labels []string
	for _, m := range look.Moves {
		labels = append(labels, s.Choice(now, m).Label)
	}
	if item, purpose := s.Item(now); item != "Where?" || purpose != "" || strings.Join(labels, "; ") != "far; near; none" {
		t.Errorf("%q offers %q", item, labels)
	}
	if len(s.StackNames(now)) != 0 || s.Derives() || s.Backwards() {
		t.Error("a flowchart has a stack, derives or goes backwards")
	}
	both := Items{look.Moves[0].(Items)[0], look.Moves[1].(Items)[0]}
	if c := s.Choice(now, both); c.Label != "far, near" {
		t.Errorf("both are %+v", c)
	}
	for _, c := range []struct {
		move Move
		want string
	}{
		{both, "Where? far. Go far.; Where? Anything else? near. Stay near."}, {look.Moves[0], "Where? far. Go far.; Where? Anything else? enough."}, {look.Moves[1], "Where? near. Stay near."}, {look.Moves[2], "Where? none."},
	} {
		next, growth, err := s.Apply(now, c.move)
		if err != nil || len(growth) == 0 {
			t.Errorf("%v: %v", c.move, err)
			continue
		}
		then, err := s.Look(next)
		if err != nil || then.Multiple || len(then.Moves) != 2 {
			t.Fatalf("%+v %v", then, err)
		}
		last, _, err := s.Apply(next, then.Moves[0])
		if err != nil {
			t.Fatal(err)
		}
		after, status, err := s.Step(last)
		if err != nil || status != Finished {
			t.Fatal(status, err)
		}
		if got := strings.Join(s.Report(after), "; "); got != c.want+"; When? now. Now." {
			t.Errorf("%v: %s", c.move, got)
		}
		o, err := s.Finish(after)
		if err != nil || o.End == nil || !slices.Equal(o.Word, Names(s.Grammar(), after.Word())) {
			t.Errorf("%+v %v", o, err)
		}
	}
}

// Without a limited letter, a word of an automaton can become a plan if it begins one whose rest
// lacks that letter.
func TestWordsThatCanBecomePlansWithoutALetter(t *testing.T) {
	counts := map[bool]int{}
	for _, c := range specs {
		if !strings.HasSuffix(c.name, ".pda") {
			continue
		}
		plans := c.plans(t)
		g, limits, with := c.compiled(t)
		caps, err := g.Caps(limits)
		if err != nil {
			t.Fatal(err)
		}
		s := with(false, c.properties(t)...)
		explored(t, s, false, func(now Config, _ Look) {
			word := Names(g, now.Word())
			for letter := range grammar.Symbol(g.NumTerminals) {
				if caps[letter] < 0 {
					continue
				}
				want := slices.ContainsFunc(plans, func(plan string) bool {
					letters := strings.Fields(plan)
					return len(letters) >= len(word) && slices.Equal(letters[:len(word)], word) && !slices.Contains(letters[len(word):], g.Names[letter])
				})
				got, err := s.Possible(now.Without(letter))
				if counts[got]++; err != nil || got != want {
					t.Errorf("after %v without %s: %v, %v", word, g.Names[letter], got, err)
				}
			}
		}, func(Config, Outcome) {})
	}
	if counts[true] == 0 || counts[false] == 0 {
		t.Errorf("%v", counts)
	}
}

// Decisions are reported by the labels of productions, and choices from a subset with the step
// that takes them. A label of a production is that of its node.
func TestDecisionsAreReportedByTheirLabels(t *testing.T) {
	for text, want := range map[string][]string{
		"S -> a T as \"Do it\"\nT -> b as \"Then\"":          {"Do it; Then"},
		"S -> a T\nT -> b as \"Then\"":                       {"a; Then"},
		"S -> a T | b\nb as \"Bake\"\nT -> c\nT as \"tart\"": {"Bake", "a; c"},
		"S -> pan A as \"Fry\" | dish A\nA as \"spices\"\n%subset A salt oil\nlimit 1 each\nsalt as \"white salt\"": {
			"Fry; Prepare spices: oil, for: Fry", "Fry; Prepare spices: white salt, for: Fry", "dish; Prepare spices: oil", "dish; Prepare spices: white salt",
		},
	} {
		g := must.Grammar(t, text)
		table, err := NewTable(g, g.DeclaredLimits(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s := table.derivation(false, 100_000, nil)
		var got []string
		explored(t, s, false, func(Config, Look) {}, func(c Config, _ Outcome) { got = append(got, strings.Join(s.Report(c), "; ")) })
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	g := must.Grammar(t, "S -> a T as \"Do it\"\nT -> b\nT as \"tart\"")
	table, err := NewTable(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if tree := table.Tree([]int{0, 1}); tree.Label != "Do it" || tree.Children[1].Label != "tart" {
		t.Errorf("%+v", tree)
	}
}

// A word is within the limits if no letter occurs more often than its limit. A limit of 0 forbids
// the letter.
func TestWordsWithinLimits(t *testing.T) {
	g := must.Grammar(t, "S -> a S | b S | c\nlimit 0 a\nlimit 1 b")
	table, err := NewTable(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"c": true, "b c": true, "b b c": false, "a c": false} {
		var word []grammar.Symbol
		for _, name := range strings.Fields(text) {
			s, _ := g.Lookup(name)
			word = append(word, s)
		}
		if got := table.Rules().Satisfied(word); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
