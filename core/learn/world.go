package learn

import (
	"fmt"
	"math/rand/v2"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// world is the state that all learners of a run share. Actions are the letters of all
// specs, by name, followed by the end of a plan.
type world struct {
	meter    *meter.Meter
	features Features
	actions  []string
	end      int
	tasks    []*assignment
	specs    map[string]*planSpace
	judged   int // total size of the judged maps
	parsed   int // total size of the valid maps

	first int   // feature of the first choice
	after []int // by action: feature of the letter before
	has   []int
	at    [longestCounted + 1]int
}

// planSpace is a spec with its actions.
type planSpace struct {
	name   string
	table  *space.Table
	graph  *space.Graph
	start  int
	action []int                  // by terminal
	symbol map[int]grammar.Symbol // by action
	all    []int                  // actions without the automaton
	once   []grammar.Symbol       // letters that may be used once
	valid  map[string]bool        // by word: whether the parser accepts it
}

// assignment is a task with its cached judgements.
type assignment struct {
	Task
	space    *planSpace
	tools    *tool.Set // with the task's inputs
	features []int
	judged   map[string]judgement // by word
}

// judgement is the result of a plan.
type judgement struct {
	valid  bool
	reward float64
	score  float64 // the share of the goal's conditions that the result satisfies
}

// maxJudged is the maximum number of cached judgements and parser results, about 20 MB in all. The
// cache helps because learners increasingly repeat plans: their own, and those of other learners
// for the same task or grammar.
const maxJudged = 200_000

// maxPlaces is the maximum number of places in the cached graph of a spec, which then has some tens
// of megabytes. A place that was dropped is recomputed quickly.
const maxPlaces = 20_000

func newWorld(p Problem, places []int, m *meter.Meter) (*world, error) {
	w := &world{meter: m, specs: map[string]*planSpace{}}
	numbers := map[string]int{}
	if len(places) == 0 {
		for i := range p.Tasks {
			places = append(places, i)
		}
	}
	for _, i := range places {
		if i < 0 || i >= len(p.Tasks) {
			return nil, source.NewError("learn.tasks", fmt.Sprintf("unknown task %d of %d, numbered from 0", i, len(p.Tasks)))
		}
		task := p.Tasks[i]
		s, err := w.space(p, task.Spec, numbers)
		if err != nil {
			return nil, err
		}
		w.tasks = append(w.tasks, &assignment{Task: task, space: s, tools: p.Tools.With(task.Inputs), features: w.features.ofTask(task), judged: map[string]judgement{}})
	}
	if len(w.tasks) == 0 {
		return nil, source.NewError("learn.tasks", "missing tasks to learn from")
	}
	w.end = len(w.actions)
	for _, name := range w.actions {
		w.after, w.has = append(w.after, w.features.number("after "+name)), append(w.has, w.features.number("has "+name))
	}
	w.first = w.features.number("at first")
	for n := range w.at {
		w.at[n] = w.features.number(fmt.Sprintf("at %d", n))
	}
	for _, t := range w.tasks {
		if len(t.space.all) == 0 || t.space.all[len(t.space.all)-1] != w.end {
			t.space.all = append(t.space.all, w.end)
		}
	}
	return w, nil
}

// space returns the planSpace of a spec, made on first use.
func (w *world) space(p Problem, name string, numbers map[string]int) (*planSpace, error) {
	if s, ok := w.specs[name]; ok {
		return s, nil
	}
	for _, spec := range p.Specs {
		if spec.Name != name {
			continue
		}
		table, err := space.NewTable(spec.Grammar, spec.Limits, w.meter)
		if err != nil {
			return nil, err
		}
		s := &planSpace{name: name, table: table, symbol: map[int]grammar.Symbol{}, valid: map[string]bool{}}
		if s.graph, s.start, err = table.Graph(w.meter); err != nil {
			return nil, err
		}
		g := spec.Grammar
		caps, err := g.Caps(spec.Limits)
		if err != nil {
			return nil, err
		}
		if missing := p.Tools.Missing(g.Names[:g.NumTerminals]); len(missing) > 0 {
			return nil, source.NewError("learn.tools", fmt.Sprintf("tools.json does not define %s of %s", missing[0], name))
		}
		for t := range grammar.Symbol(g.NumTerminals) {
			n, ok := numbers[g.Names[t]]
			if !ok {
				n = len(w.actions)
				numbers[g.Names[t]], w.actions = n, append(w.actions, g.Names[t])
			}
			s.action, s.symbol[n], s.all = append(s.action, n), t, append(s.all, n)
			if caps[t] == 1 {
				s.once = append(s.once, t)
			}
		}
		w.specs[name] = s
		return s, nil
	}
	return nil, source.NewError("learn.tasks", fmt.Sprintf("missing grammar %s, which a task requires", name))
}

// prior returns the initial weights: letters that can follow another are more likely after
// it.
func (w *world) prior(weight float64) []float64 {
	p := NewPolicy(len(w.features.names), len(w.actions)+1)
	row := func(s *planSpace, before grammar.Symbol) int {
		if before < 0 {
			return w.first
		}
		return w.after[s.action[before]]
	}
	done := map[*planSpace]bool{}
	for _, t := range w.tasks {
		s := t.space
		if done[s] {
			continue
		}
		done[s] = true
		follows(s.table.Grammar(), func(before, after grammar.Symbol) {
			action := w.end
			if after >= 0 {
				action = s.action[after]
			}
			p.weights[row(s, before)*p.actions+action] = weight
		})
		for _, symbol := range s.once {
			a := s.action[symbol]
			p.weights[w.has[a]*p.actions+a] = -weight
		}
	}
	return p.weights
}

// judge returns the result of a plan, a word of actions.
func (w *world) judge(t *assignment, word []int, key []byte) (judgement, error) {
	if j, ok := t.judged[string(key)]; ok {
		return j, nil
	}
	var j judgement
	var err error
	if j.valid, err = w.isPlan(t.space, word, key); err != nil {
		return j, err
	}
	if j.valid {
		names := make([]string, len(word))
		for i, a := range word {
			names[i] = w.actions[a]
		}
		if result, tools, ok := carryOut(t.tools, names); ok {
			j.reward, j.score = Quality(t.Goal, result, tools), t.Goal.Share(result)
		}
	}
	if w.judged++; w.judged > maxJudged {
		w.judged = 1
		for _, other := range w.tasks {
			clear(other.judged)
		}
	}
	t.judged[string(key)] = j
	return j, nil
}

// isPlan reports whether a word is a plan of a spec.
func (w *world) isPlan(s *planSpace, word []int, key []byte) (bool, error) {
	if valid, ok := s.valid[string(key)]; ok {
		return valid, nil
	}
	symbols := make([]grammar.Symbol, len(word))
	for i, a := range word {
		symbols[i] = s.symbol[a]
	}
	valid, err := s.table.Valid(symbols, w.meter)
	if err != nil {
		return false, err
	}
	if w.parsed++; w.parsed > maxJudged {
		w.parsed = 1
		for _, other := range w.specs {
			clear(other.valid)
		}
	}
	s.valid[string(key)] = valid
	return valid, nil
}

// episode is a plan being made. Its buffers are reused.
type episode struct {
	word      []int
	key       []byte
	decisions []decision
	has       []bool // by action
}

// decision is a choice among several.
type decision struct {
	features, offered []int
	probabilities     []float64
	chosen            int
}

// next returns a buffer for a decision.
func (e *episode) next() *decision {
	if len(e.decisions) < cap(e.decisions) {
		e.decisions = e.decisions[:len(e.decisions)+1]
	} else {
		e.decisions = append(e.decisions, decision{})
	}
	d := &e.decisions[len(e.decisions)-1]
	d.features, d.offered, d.probabilities = d.features[:0], d.offered[:0], d.probabilities[:0]
	return d
}

// featuresAt appends the features of a choice to into.
func (w *world) featuresAt(t *assignment, e *episode, into []int) []int {
	into = append(into, t.features...)
	if n := len(e.word); n > 0 {
		into = append(into, w.after[e.word[n-1]])
	} else {
		into = append(into, w.first)
	}
	for a, has := range e.has {
		if has {
			into = append(into, w.has[a])
		}
	}
	return append(into, w.at[min(len(e.word), longestCounted)])
}

// play makes a plan of a task with a policy, with or without the automaton. finished is
// false for a word that reached MaxLetters.
func (w *world) play(p *Policy, t *assignment, with bool, e *episode, random *rand.Rand) (finished bool, err error) {
	e.word, e.key, e.decisions = e.word[:0], e.key[:0], e.decisions[:0]
	if e.has == nil {
		e.has = make([]bool, len(w.actions))
	}
	clear(e.has)
	if with && t.space.graph.Places() > maxPlaces {
		if t.space.graph, t.space.start, err = t.space.table.Graph(w.meter); err != nil {
			return false, err
		}
	}
	at := t.space.start
	if with {
		for _, s := range t.space.graph.Begun() {
			w.add(e, t.space.action[s])
		}
	}
	for len(e.word) < MaxLetters {
		var offers []grammar.Symbol
		if with {
			if t.space.graph.Done(at) {
				return true, nil
			}
			if offers, err = t.space.graph.Offers(at); err != nil {
				return false, err
			}
		}
		n := 0
		if !with || len(offers) > 1 {
			d := e.next()
			d.features = w.featuresAt(t, e, d.features)
			if with {
				for _, s := range offers {
					if s < 0 {
						return false, source.NewError("learn.spec", fmt.Sprintf("some choices of %s have no letter, so a policy cannot name them", t.Spec))
					}
					d.offered = append(d.offered, t.space.action[s])
				}
			} else {
				d.offered = append(d.offered, t.space.all...)
			}
			for range d.offered {
				d.probabilities = append(d.probabilities, 0)
			}
			if err := w.meter.Step(2 * len(d.features) * len(d.offered)); err != nil {
				return false, err
			}
			p.Probabilities(d.features, d.offered, d.probabilities)
			d.chosen = draw(d.probabilities, random.Float64())
			n = d.chosen
			if d.offered[n] == w.end {
				return true, nil
			}
		}
		if !with {
			w.add(e, t.space.all[n])
			continue
		}
		var read []grammar.Symbol
		if at, read, err = t.space.graph.Take(at, n); err != nil {
			return false, err
		}
		for _, s := range read {
			w.add(e, t.space.action[s])
		}
	}
	return with && t.space.graph.Done(at), nil
}

// add appends a letter to a plan.
func (w *world) add(e *episode, action int) {
	e.word, e.key, e.has[action] = append(e.word, action), utf8.AppendRune(e.key, rune(action+1)), true
}
