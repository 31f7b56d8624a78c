package infer

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

func sourceFile(text string) *source.File { return source.NewFile("t.ltl", text) }

// recorded reads the runs of a file in testdata.
func recorded(t *testing.T, name string) (runs []Run) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	symbols := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		numbers := strings.Fields(line)
		r := Run{Failed: numbers[0] == "-"}
		for _, n := range numbers[1:] {
			i, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			r.Steps = append(r.Steps, symbols[i])
		}
		runs = append(runs, r)
	}
	return runs
}

// TestHeldBackRunsAreAccepted learns from three quarters of published runs. The last quarter
// is held out.
func TestHeldBackRunsAreAccepted(t *testing.T) {
	runs := recorded(t, "tau-bench-airline.txt")
	if len(runs) != 200 {
		t.Fatalf("%d runs", len(runs))
	}
	for _, c := range []struct {
		name string
		use  func(r *Run) bool
	}{
		{"passing and failing", func(*Run) bool { return true }},
		{"passing", func(r *Run) bool { return !r.Failed }},
		{"all as passing", func(r *Run) bool { r.Failed = false; return true }},
	} {
		accepted, held := 0, 0
		for part := range 4 {
			var train, back []Run
			for i, r := range runs {
				switch {
				case !c.use(&r):
				case i%4 != part:
					train = append(train, r)
				case !r.Failed:
					back = append(back, r)
				}
			}
			p, err := Propose(train, Options{}, "learned", free())
			if err != nil {
				t.Fatal(err)
			}
			if p.States > 50 {
				t.Errorf("%s: %d states", c.name, p.States)
			}
			for _, r := range back {
				held++
				if p.Accepts(r.Steps) {
					accepted++
				}
			}
		}
		t.Logf("%s: %d of %d", c.name, accepted, held)
		if accepted*100 < 95*held {
			t.Errorf("%s: %d of %d held-back runs are accepted", c.name, accepted, held)
		}
	}
}

// TestHeldBackRunsOfSWEAgentAreAccepted leaves out two runs at a time. No learner accepts a run with a
// tool that the others do not call: two runs have one.
func TestHeldBackRunsOfSWEAgentAreAccepted(t *testing.T) {
	runs := recorded(t, "swe-agent.txt")
	accepted, held, unseen := 0, 0, 0
	for part := range 11 {
		var train, back []Run
		for i, r := range runs {
			if i%11 == part {
				back = append(back, r)
			} else {
				train = append(train, r)
			}
		}
		p, err := Propose(train, Options{}, "learned", free())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range back {
			switch {
			case slices.ContainsFunc(r.Steps, func(step string) bool { return !slices.Contains(p.Symbols, step) }):
				unseen++
			case p.Accepts(r.Steps):
				accepted++
				held++
			default:
				held++
			}
		}
	}
	if unseen != 2 || accepted*100 < 95*held {
		t.Errorf("%d of %d held-back runs are accepted, %d have new tools", accepted, held, unseen)
	}
}

// TestPropertiesOfPublishedRuns logs the time, which tests do not judge.
func TestPropertiesOfPublishedRuns(t *testing.T) {
	runs := recorded(t, "tau-bench-airline.txt")
	start := time.Now()
	if _, err := Propose(runs, Options{}, "learned", free()); err != nil {
		t.Fatal(err)
	}
	spec := time.Since(start)
	p, err := Find(runs, PropertyOptions{}, free())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("200 runs: automaton %v, properties %v, %d properties, size %d, separated %v", spec, time.Since(start)-spec, len(p.List), p.Size, p.Separated)
	for _, name := range []string{"precedence_get_reservation_details_cancel_reservation", "init_User"} {
		if !slices.ContainsFunc(p.List, func(q Property) bool { return q.Name == name && q.Chosen && q.Against.Number == 0 }) {
			t.Errorf("%s is not proposed", name)
		}
	}
}

// TestTemplatesAreTheirDefinitions compares the formulas of templates with definitions over indices.
func TestTemplatesAreTheirDefinitions(t *testing.T) {
	const a, b = 0, 1
	definitions := map[string]func(w []int) bool{
		"init":      func(w []int) bool { return w[0] == a },
		"end":       func(w []int) bool { return w[len(w)-1] == a },
		"absence":   func(w []int) bool { return number(w, a) == 0 },
		"existence": func(w []int) bool { return number(w, a) > 0 },
		"at most 1": func(w []int) bool { return number(w, a) <= 1 },
		"at most 2": func(w []int) bool { return number(w, a) <= 2 },
		"at most 3": func(w []int) bool { return number(w, a) <= 3 },
		"chain response": func(w []int) bool {
			return each(w, a, func(i int) bool { return i+1 < len(w) && w[i+1] == b })
		},
		"chain precedence": func(w []int) bool {
			return each(w, b, func(i int) bool { return i > 0 && w[i-1] == a })
		},
		"alternate response": func(w []int) bool {
			return each(w, a, func(i int) bool {
				rest := w[i+1:]
				at := slices.Index(rest, b)
				return at >= 0 && number(rest[:at], a) == 0
			})
		},
		"alternate precedence": func(w []int) bool {
			return each(w, b, func(i int) bool {
				for j := i - 1; j >= 0 && w[j] != b; j-- {
					if w[j] == a {
						return true
					}
				}
				return false
			})
		},
		"response":            func(w []int) bool { return each(w, a, func(i int) bool { return number(w[i+1:], b) > 0 }) },
		"precedence":          func(w []int) bool { return each(w, b, func(i int) bool { return number(w[:i], a) > 0 }) },
		"responded existence": func(w []int) bool { return number(w, a) == 0 || number(w, b) > 0 },
		"not co-existence":    func(w []int) bool { return number(w, a) == 0 || number(w, b) == 0 },
		"not succession":      func(w []int) bool { return each(w, a, func(i int) bool { return number(w[i+1:], b) == 0 }) },
		"not chain succession": func(w []int) bool {
			return each(w, a, func(i int) bool { return i+1 >= len(w) || w[i+1] != b })
		},
	}
	definitions["succession"] = func(w []int) bool { return definitions["response"](w) && definitions["precedence"](w) }
	definitions["chain succession"] = func(w []int) bool {
		return definitions["chain response"](w) && definitions["chain precedence"](w)
	}
	for _, c := range templates() {
		definition := definitions[c.name]
		if definition == nil || c.sentence("a", "b") == "" {
			t.Errorf("%s has no definition or no sentence", c.name)
			continue
		}
		f := c.formula(ltl.NewProp("a"), ltl.NewProp("b"))
		for _, w := range allWords(3, 6)[1:] {
			if f.Holds(traceOf(w)) != definition(w) {
				t.Fatalf("%s: %s on %v is not %v", c.name, f, w, definition(w))
			}
			for _, weaker := range c.weaker() {
				if definitions[weaker] == nil {
					t.Fatalf("%s implies the unknown template %q", c.name, weaker)
				}
				// Succession of a run without steps of either implies nothing that is counted.
				if definition(w) && !definitions[weaker](w) {
					t.Fatalf("%s does not imply %s on %v", c.name, weaker, w)
				}
			}
		}
	}
}

func number(w []int, letter int) (n int) {
	for _, a := range w {
		if a == letter {
			n++
		}
	}
	return n
}

func each(w []int, letter int, f func(i int) bool) bool {
	for i, a := range w {
		if a == letter && !f(i) {
			return false
		}
	}
	return true
}

const twoAgents = `(define one (:states (A (:text "[A]")) (B (:text "[B]"))) (:behavior (until A B)))`

// TestQuestionsAreShortestDifferences compares the first question with all words in their order.
func TestQuestionsAreShortestDifferences(t *testing.T) {
	for _, behavior := range []string{"(next A B)", "(until_2 A B)", "(until A (next B B))", "(until A B)", "(or A B)"} {
		other := strings.Replace(twoAgents, "(until A B)", behavior, 1)
		got, err := Ask(twoAgents, other, 0, free())
		if err != nil {
			t.Fatal(err)
		}
		x, err := open(twoAgents, free())
		if err != nil {
			t.Fatal(err)
		}
		y, err := open(other, free())
		if err != nil {
			t.Fatal(err)
		}
		shortest := 0
		for _, w := range allWords(2, 5)[1:] {
			steps := strings.Split(strings.NewReplacer("a", "A", "b", "B").Replace(strings.Join(runOf(w, false).Steps, " ")), " ")
			v, _, _ := x.Verdict(steps)
			u, _, _ := y.Verdict(steps)
			if (v == "valid") != (u == "valid") {
				shortest = len(w)
				break
			}
		}
		switch {
		case shortest == 0 && len(got) > 0 || shortest > 0 && len(got) == 0:
			t.Errorf("%s: %v, expected a word of %d", behavior, got, shortest)
		case shortest > 0 && len(got[0].Steps) != shortest:
			t.Errorf("%s: %v, expected a word of %d", behavior, got, shortest)
		}
		for _, q := range got {
			v, _, _ := x.Verdict(q.Steps)
			u, _, _ := y.Verdict(q.Steps)
			if (v == "valid") == (u == "valid") || (v == "valid") != q.Left {
				t.Errorf("%s: %v: %s and %s", behavior, q, v, u)
			}
		}
	}
	if _, err := Ask(twoAgents, "(define", 0, free()); err == nil || !strings.Contains(err.Error(), "second proposal") {
		t.Error(err)
	}
}

// TestStepsOfConversations lists the steps of the parts of a conversation.
func TestStepsOfConversations(t *testing.T) {
	parts := []monitor.Part{
		{Kind: monitor.PartSystem, Text: "s"}, {Kind: monitor.PartUser, Text: "u"},
		{Kind: monitor.PartText, Text: "t", Thought: true}, {Kind: monitor.PartText, Text: "m", Turn: 1},
		{Kind: monitor.PartCall, Tool: "look up"}, {Kind: monitor.PartCall, Tool: "next"}, {Kind: monitor.PartCall, Tool: "answer"},
		{Kind: monitor.PartResult, Tool: "look up"}, {Kind: monitor.PartText, Text: "done", Turn: 2},
	}
	if got := strings.Join(FromConversation(parts), " "); got != "User Message look-up tool-next tool-answer Answer" {
		t.Error(got)
	}
}
