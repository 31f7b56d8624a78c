package team

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

// maxIdeals bounds the automaton of a graph's orders, which has one state for each
// downward closed set of sub-tasks.
const maxIdeals = 20_000

// Shape is the language of a grammar or a flowchart. At least one topological order of
// the task graph must be a word of it, where the word lists the executors of the
// sub-tasks in this order. The letters of a flowchart are its answers.
type Shape struct {
	Name    string
	Text    string // of the file, for the manager's prompt
	grammar *grammar.Grammar
	words   []string // the grammar's terminals
}

// GrammarShape makes a grammar over the names of executors a shape of graphs.
func GrammarShape(file *source.File, g *grammar.Grammar) *Shape {
	return &Shape{Name: file.Name, Text: file.Text, grammar: g, words: g.Names[:g.NumTerminals]}
}

// FlowShape returns the shape of a flowchart.
func FlowShape(file *source.File, f *flow.Flow) *Shape {
	s := GrammarShape(file, f.Grammar())
	s.words = slices.Clone(s.words)
	for i, w := range s.words {
		if at := strings.LastIndexByte(w, '.'); at >= 0 {
			s.words[i] = w[at+1:]
		}
	}
	return s
}

// Unknown returns the letters of a shape that are not executors.
func (s *Shape) Unknown(spec *Spec) []string {
	var out []string
	for _, w := range s.words {
		if spec.Executor(w) == nil && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// hint lists the letters of the shape if they are few.
func (s *Shape) hint() string {
	var names []string
	for _, w := range s.words {
		if !slices.Contains(names, w) {
			names = append(names, w)
		}
	}
	if len(names) == 0 || len(names) > 12 {
		return ""
	}
	return fmt.Sprintf("; it mentions %s", strings.Join(names, ", "))
}

// orders is the automaton of a graph's orders: a state is a set of finished sub-tasks, and
// a letter is the executor of the next one.
type orders struct {
	states []uint64
	next   [][]orderStep
	full   uint64
	words  []string
}

type orderStep struct {
	executor string
	to       int
}

func (o *orders) NumStates() int           { return len(o.states) }
func (o *orders) Start() int               { return 0 }
func (o *orders) Accepting(state int) bool { return o.states[state] == o.full }
func (o *orders) Next(state, letter int) []int {
	var out []int
	for _, s := range o.next[state] {
		if s.executor == o.words[letter] && !slices.Contains(out, s.to) {
			out = append(out, s.to)
		}
	}
	return out
}

// newOrders returns the automaton; ok is false if it is too large.
func newOrders(g *Graph, words []string, m *meter.Meter) (o *orders, ok bool, err error) {
	needs := make([]uint64, len(g.Subtasks))
	for i, s := range g.Subtasks {
		for _, id := range s.Needs {
			needs[i] |= 1 << g.index(id)
		}
	}
	o = &orders{states: []uint64{0}, words: words, full: 1<<len(g.Subtasks) - 1}
	index := map[uint64]int{0: 0}
	for at := 0; at < len(o.states); at++ {
		if err := m.Step(1 + len(needs)); err != nil {
			return nil, false, err
		}
		var steps []orderStep
		for i := range needs {
			set := o.states[at]
			if set>>i&1 == 1 || needs[i]&^set != 0 {
				continue
			}
			set |= 1 << i
			to, known := index[set]
			if !known {
				if to = len(o.states); to == maxIdeals {
					return nil, false, nil
				}
				index[set] = to
				o.states = append(o.states, set)
			}
			steps = append(steps, orderStep{g.Subtasks[i].Executor, to})
		}
		o.next = append(o.next, steps)
	}
	return o, true, nil
}

// fits reports whether some order of the graph is a word of the shape. If the graph has
// too many orders, only the first is tried.
func (s *Shape) fits(g *Graph, m *meter.Meter) (bool, error) {
	o, ok, err := newOrders(g, s.words, m)
	if err != nil {
		return false, err
	}
	if !ok {
		chain := g.clone()
		order, _ := g.Order()
		for k, i := range order[1:] {
			chain.Subtasks[i].Needs = []string{g.Subtasks[order[k]].ID}
		}
		if o, _, err = newOrders(chain, s.words, m); err != nil {
			return false, err
		}
	}
	product, err := verify.IntersectNeeded(s.grammar, o, m)
	if err != nil {
		return false, err
	}
	return len(product.Grammar.ByLeft(product.Grammar.Start)) > 0 && s.withinLimits(g), nil
}

// withinLimits reports whether the graph respects the grammar's "limit" lines. All orders
// of the graph have the same number of sub-tasks of each executor, so one count decides.
func (s *Shape) withinLimits(g *Graph) bool {
	caps, _ := s.grammar.Caps(s.grammar.DeclaredLimits()) // the grammar has no errors
	for i, most := range caps {
		used := int64(0)
		for _, t := range g.Subtasks {
			if t.Executor == s.words[i] {
				used++
			}
		}
		if most >= 0 && used > most {
			return false
		}
	}
	return true
}

// CheckShape reports the letters of a shape that are not executors, at the file name in the
// team.
func (s *Spec) CheckShape(shape *Shape) []source.Diagnostic {
	var found []source.Diagnostic
	for _, w := range shape.Unknown(s) {
		d := source.Diagnostic{Code: "team.shape-word", Severity: source.SeverityWarning, Span: s.Shape.Span,
			Message: fmt.Sprintf("unknown executor %[2]q in %[1]s", shape.Name, w)}
		if near := source.Nearest(w, s.names()); near != "" {
			d.Message += fmt.Sprintf("; did you mean %q?", near)
		}
		found = append(found, d)
	}
	return found
}

// ones counts the sub-tasks in a set.
func ones(set uint64) int { return bits.OnesCount64(set) }
