package infer

import (
	"math"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxStates is the default bound of the states of an automaton.
const MaxStates = 50

// Options are the settings of [Spec]; zeros are the defaults.
type Options struct {
	States int  // the largest number of states; 0: [MaxStates]
	Strict bool // [Propose] keeps this bound, even if held-back runs are rejected
	// Verdicts means that only failing runs prevent a merge. By default, differences in how often the
	// passing runs continue in each way also prevent it.
	Verdicts bool
	Accept   [][]string // words that a person accepted
	Refuse   [][]string // words that a person refused
}

// Automaton is an automaton that runs were merged into. Its letters are the symbols.
type Automaton struct {
	Symbols []string
	DFA     *automaton.DFA // minimal and complete
	States  int            // number of states, without a dead state
	Forced  int            // merges against the evidence, for the bound of states
	// Visits and Edges count the passing runs by state, and by state and letter.
	Visits []int
	Edges  [][]int

	Pass, Fail int // runs, and words that a person decided
	Conflicts  int // failing runs that were ignored, because passing runs have the same steps
	Rejected   int // passing runs that the automaton rejects
	Unrejected int // failing runs that it accepts, apart from the conflicts

	Held Held // of [Propose]
}

// Spec returns an automaton that accepts the passing runs. The error has code "infer.runs" if no run
// passes, or the meter's.
func Spec(runs []Run, o Options, m *meter.Meter) (*Automaton, error) {
	s, err := o.sample(runs)
	if err != nil {
		return nil, err
	}
	most := o.States
	if most <= 0 {
		most = MaxStates
	}
	return s.automaton(o.tree(s, m), most, m)
}

// automaton returns the automaton that the tree of a sample is merged into. The tree changes.
func (s *sample) automaton(t *tree, most int, m *meter.Meter) (*Automaton, error) {
	dfa, forced, err := t.automaton(most, m)
	if err != nil {
		return nil, err
	}
	out := &Automaton{Symbols: s.symbols, DFA: dfa, Forced: forced, Conflicts: s.conflicts}
	out.count(s)
	return out, nil
}

// sample returns the words of runs, with the verdicts of a person.
func (o *Options) sample(runs []Run) (*sample, error) {
	s := newSample(runs)
	s.decide(o.Accept, true)
	s.decide(o.Refuse, false)
	s.settle()
	pass := 0
	for _, w := range s.words {
		pass += w.pass
	}
	if pass == 0 {
		return nil, source.NewError("infer.runs", "no passing run with steps to learn from")
	}
	return s, nil
}

// significance is the probability with which equal frequencies count as different.
const significance = 0.05

// tree returns the prefix tree of a sample.
func (o *Options) tree(s *sample, m *meter.Meter) *tree {
	t := newTree(s, m)
	t.statistics, t.confidence = !o.Verdicts, math.Sqrt(math.Log(2/significance)/2)
	return t
}

// automaton merges the nodes of a tree, which it changes. It returns the minimal automaton and the number of merges
// against the evidence.
func (t *tree) automaton(most int, m *meter.Meter) (*automaton.DFA, int, error) {
	red, forced, err := t.merge(most)
	if err != nil {
		return nil, 0, err
	}
	number := map[int]int{}
	for i, r := range red {
		number[r] = i
	}
	dead := len(red)
	next, accept := make([][]int, dead+1), make([]bool, dead+1)
	for i := range next {
		next[i] = make([]int, t.letters)
		for a := range next[i] {
			next[i][a] = dead
			if i < dead {
				if to := t.next(red[i], a); to >= 0 {
					next[i][a] = number[to]
				}
			}
		}
		accept[i] = i < dead && t.data[red[i]*t.row+passes] > 0
	}
	dfa, err := automaton.NewDFA(next, accept).WithoutEmpty().Minimize(m)
	return dfa, forced, err
}

// count counts the runs of a sample.
func (a *Automaton) count(s *sample) {
	distances := a.DFA.Distances()
	for _, d := range distances {
		if d >= 0 {
			a.States++
		}
	}
	a.Visits, a.Edges = make([]int, len(distances)), make([][]int, len(distances))
	for q := range a.Edges {
		a.Edges[q] = make([]int, len(a.Symbols))
	}
	for _, w := range s.words {
		accepted := a.DFA.Accepts(w.letters)
		a.Pass += w.pass
		a.Fail += w.fail
		if !accepted {
			a.Rejected += w.pass
		} else {
			a.Unrejected += w.fail
		}
		q := a.DFA.Start()
		a.Visits[q] += w.pass
		for _, letter := range w.letters {
			a.Edges[q][letter] += w.pass
			q = a.DFA.Next(q, letter)
			a.Visits[q] += w.pass
		}
	}
	a.Fail += s.conflicts
}

// Accepts reports whether the automaton accepts the steps of a run.
func (a *Automaton) Accepts(steps []string) bool {
	index := map[string]int{}
	for i, name := range a.Symbols {
		index[agent.PlainName(name)] = i
	}
	letters := make([]int, len(steps))
	for i, step := range steps {
		letter, ok := index[agent.PlainName(step)]
		if !ok {
			return false
		}
		letters[i] = letter
	}
	return a.DFA.Accepts(letters)
}
