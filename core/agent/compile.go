package agent

import (
	"errors"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Agent is a compiled specification. It never changes and may be shared.
type Agent struct {
	Name   string
	States []State
	DFA    *automaton.DFA // minimal and complete; letter i is States[i]
	Start  []int          // states that a run may begin with, in order
	Final  []int          // states that a complete run may end with, in order

	NeverEnds bool // it contains an "always" without bound

	Prompt   string   // the file with the prompt of the model, or ""
	Examples []string // files of transcripts that the model is shown

	distance []int // of the DFA's states; see [automaton.DFA.Distances]
	contents *contents
}

// Compile builds an agent from a specification: behaviour → nondeterministic automaton (Thompson
// 1968) → deterministic → minimal. The agent is nil if the specification has no valid behaviour. A
// loop whose expansion is too large is reported with the meter's code at the position of the loop.
func Compile(s *Spec, m *meter.Meter) (*Agent, []source.Diagnostic) {
	return compile(s, m, ltl.Translate)
}

// CompilePlain is [Compile] with [ltl.TranslatePlain], for the core module.
func CompilePlain(s *Spec, m *meter.Meter) (*Agent, []source.Diagnostic) {
	return compile(s, m, ltl.TranslatePlain)
}

func compile(s *Spec, m *meter.Meter, translate ltl.Translator) (*Agent, []source.Diagnostic) {
	if s.Behavior == nil {
		return nil, nil
	}
	c := compiler{letters: len(s.States), m: m, translate: translate}
	dfa, err := c.dfa(s.Behavior)
	if err != nil {
		return nil, []source.Diagnostic{limit(err, c.at)}
	}
	dead := source.Span{} // the first part that no run satisfies
	if empty(dfa) {
		dead = c.dead(s.Behavior)
	}
	for _, r := range s.Require {
		if dfa, err = c.require(dfa, s, r.Formula); err != nil {
			return nil, []source.Diagnostic{limit(err, r.Span)}
		}
		if dead.Len() == 0 && empty(dfa) {
			dead = r.Span
		}
	}
	a := &Agent{Name: s.Name, States: s.States, DFA: dfa, NeverEnds: c.always, distance: dfa.Distances(), Prompt: s.Prompt.Name, contents: &contents{}}
	for _, f := range s.Examples {
		a.Examples = append(a.Examples, f.Name)
	}
	a.ends()
	if dead.Len() > 0 {
		return a, []source.Diagnostic{{Code: "agent.no-run", Span: dead, Message: "unsatisfiable: no run satisfies the behaviour and all requirements"}}
	}
	return a, a.check(s)
}

func empty(d *automaton.DFA) bool { return d.Distances()[d.Start()] < 0 }

// dead returns the smallest part of a behaviour without a run that has no run either.
func (c *compiler) dead(b Behavior) source.Span {
	var parts []Behavior
	switch b := b.(type) {
	case Next:
		parts = b.Of
	case And:
		parts = b.Of
	case Until:
		parts = []Behavior{b.Loop, b.Then}
	case Always:
		parts = []Behavior{b.Loop}
	case Eventually:
		parts = []Behavior{b.Of}
	}
	for _, part := range parts {
		if d, err := c.dfa(part); err == nil && empty(d) {
			return c.dead(part)
		}
	}
	return b.Span()
}

// limit returns the diagnostic for a meter's error.
func limit(err error, at source.Span) source.Diagnostic {
	d := source.Diagnostic{Code: "cancelled", Span: at, Message: err.Error()}
	var l *meter.LimitError
	if errors.As(err, &l) {
		d.Code = l.Code()
		d.Message = fmt.Sprintf("behaviour is too large: more than %d %s; reduce its bounds", l.Max, l.Resource)
	}
	return d
}

type compiler struct {
	letters int
	nfa     *automaton.NFA
	m       *meter.Meter
	at      source.Span // of the behaviour being added
	always  bool

	translate ltl.Translator
}

// dfa returns the smallest automaton of a behaviour's non-empty words.
func (c *compiler) dfa(b Behavior) (*automaton.DFA, error) {
	c.at = b.Span()
	outer := c.nfa
	c.nfa = &automaton.NFA{Letters: c.letters}
	defer func() { c.nfa = outer }()
	start := c.nfa.State()
	end, err := c.add(b, start)
	if err != nil {
		return nil, err
	}
	c.nfa.Accept(end)
	d, err := c.nfa.Determinize(start, c.m)
	if err != nil {
		return nil, err
	}
	return d.WithoutEmpty().Minimize(c.m)
}

// require returns the automaton of the words that satisfy a formula.
func (c *compiler) require(d *automaton.DFA, s *Spec, f *ltl.Formula) (*automaton.DFA, error) {
	names := make([]string, len(s.States))
	for i, state := range s.States {
		names[i] = state.Name
	}
	alphabet, err := ltl.NewAlphabet(names, ltl.OneHot)
	if err != nil {
		return nil, err
	}
	holds, err := c.translate(f, alphabet, c.m)
	if err != nil {
		return nil, err
	}
	table, err := holds.Explicit()
	if err != nil {
		return nil, err
	}
	return c.combine(d, table, func(a, b bool) bool { return a && b })
}

func (c *compiler) combine(a, b *automaton.DFA, both func(a, b bool) bool) (*automaton.DFA, error) {
	d, err := automaton.Product(a, b, both, c.m)
	if err != nil {
		return nil, err
	}
	return d.WithoutEmpty().Minimize(c.m)
}

// complete returns the automaton of an operator on complete words: and, not, -> or eventually.
func (c *compiler) complete(b Behavior) (*automaton.DFA, error) {
	switch b := b.(type) {
	case Not:
		d, err := c.dfa(b.Of)
		if err != nil {
			return nil, err
		}
		return d.Complement().WithoutEmpty().Minimize(c.m)
	case Implies:
		first, err := c.dfa(b.If)
		if err != nil {
			return nil, err
		}
		then, err := c.dfa(b.Then)
		if err != nil {
			return nil, err
		}
		return c.combine(first, then, func(a, b bool) bool { return !a || b })
	case And:
		d, err := c.dfa(b.Of[0])
		for _, of := range b.Of[1:] {
			if err != nil {
				return nil, err
			}
			var other *automaton.DFA
			if other, err = c.dfa(of); err == nil {
				d, err = c.combine(d, other, func(a, b bool) bool { return a && b })
			}
		}
		return d, err
	}
	panic("not an operator on complete words")
}

// embed adds a copy of an automaton after the state start, and returns the final state of the copy.
func (c *compiler) embed(d *automaton.DFA, start int) (int, error) {
	if err := c.m.Spend(meter.States, int64(d.NumStates())); err != nil {
		return 0, err
	}
	distance := d.Distances()
	first := c.nfa.Len()
	for range d.NumStates() {
		c.nfa.State()
	}
	end := c.nfa.State()
	c.nfa.Free(start, first+d.Start())
	for q := range d.NumStates() {
		for letter := range c.letters {
			if to := d.Next(q, letter); distance[to] >= 0 {
				c.nfa.Edge(first+q, letter, first+to)
			}
		}
		if d.Accepting(q) {
			c.nfa.Free(first+q, end)
		}
	}
	return end, nil
}

// anything adds a state that reads any sequence of letters, reachable from the given state, and
// returns it.
func (c *compiler) anything(from int) int {
	loop := c.nfa.State()
	c.nfa.Free(from, loop)
	for letter := range c.letters {
		c.nfa.Edge(loop, letter, loop)
	}
	return loop
}

// add adds the automaton of a behaviour and returns its final state. The automaton begins in start
// and never enters this state again, so that a loop cannot restart after its exit.
func (c *compiler) add(b Behavior, start int) (int, error) {
	if err := c.m.Spend(meter.States, 1); err != nil {
		c.at = b.Span()
		return 0, err
	}
	switch b := b.(type) {
	case Step:
		end := c.nfa.State()
		c.nfa.Edge(start, b.State, end)
		return end, nil
	case Or:
		end := c.nfa.State()
		for _, of := range b.Of {
			inner, err := c.add(of, start)
			if err != nil {
				return 0, err
			}
			c.nfa.Free(inner, end)
		}
		return end, nil
	case Next:
		for _, of := range b.Of {
			var err error
			if start, err = c.add(of, start); err != nil {
				return 0, err
			}
		}
		return start, nil
	case Until:
		after, err := c.loop(b.Loop, start, b.Bounds)
		if err != nil {
			return 0, err
		}
		return c.add(b.Then, after)
	case Always:
		if b.Bounds.Bounded {
			return c.loop(b.Loop, start, b.Bounds)
		}
		c.always = true
		again := c.nfa.State()
		c.nfa.Free(start, again)
		end, err := c.add(b.Loop, again)
		if err != nil {
			return 0, err
		}
		c.nfa.Free(end, again)
		return end, nil
	case Eventually:
		end, err := c.add(b.Of, c.anything(start))
		if err != nil {
			return 0, err
		}
		return c.anything(end), nil
	case And, Not, Implies:
		d, err := c.complete(b)
		if err != nil {
			return 0, err
		}
		return c.embed(d, start)
	}
	panic("behaviours are a closed sum")
}

// loop adds a loop over a behaviour, with the number of iterations that the bounds allow, and
// returns its final state.
func (c *compiler) loop(b Behavior, start int, bounds Bounds) (int, error) {
	if !bounds.Bounded {
		again := c.nfa.State()
		c.nfa.Free(start, again)
		end, err := c.add(b, again)
		if err != nil {
			return 0, err
		}
		c.nfa.Free(end, again)
		after := c.nfa.State()
		c.nfa.Free(again, after)
		return after, nil
	}
	after := c.nfa.State()
	for i := range bounds.Max {
		if i >= bounds.Min {
			c.nfa.Free(start, after)
		}
		again := c.nfa.State()
		c.nfa.Free(start, again)
		var err error
		if start, err = c.add(b, again); err != nil {
			return 0, err
		}
	}
	c.nfa.Free(start, after)
	return after, nil
}

// ends finds the states that runs begin and end with.
func (a *Agent) ends() {
	d := a.DFA
	a.Start, a.Final = []int{}, []int{}
	for letter := range a.States {
		if a.Live(d.Next(d.Start(), letter)) {
			a.Start = append(a.Start, letter)
		}
		for s := range d.NumStates() {
			if d.Accepting(d.Next(s, letter)) {
				a.Final = append(a.Final, letter)
				break
			}
		}
	}
}

// check reports warnings about an agent that compiles.
func (a *Agent) check(s *Spec) []source.Diagnostic {
	var found []source.Diagnostic
	for letter, state := range a.States {
		used := false
		for q := range a.DFA.NumStates() {
			used = used || a.Live(a.DFA.Next(q, letter))
		}
		if !used {
			found = append(found, source.Diagnostic{
				Code: "agent.state-unused", Severity: source.SeverityWarning, Span: state.Span,
				Message: fmt.Sprintf("unreachable state %q", state.Name),
			})
		}
	}
	if a.NeverEnds {
		found = append(found, source.Diagnostic{
			Code: "agent.never-ends", Severity: source.SeverityInfo, Span: s.at,
			Message: "this agent never ends: a run may stop, but is never complete",
		})
	}
	return found
}

// Live reports whether a complete run can still be reached from a state of the
// automaton.
func (a *Agent) Live(q int) bool { return a.distance[q] >= 0 }

// Distance returns the number of states on a shortest way from a state of the automaton
// to a complete run, or -1.
func (a *Agent) Distance(q int) int { return a.distance[q] }

// Index returns the index of the state with the given name, or -1.
func (a *Agent) Index(name string) int {
	return slices.IndexFunc(a.States, func(s State) bool { return s.Name == name })
}

// Run is the current state of a run of an agent. It is a value, so a copy is a snapshot.
type Run struct {
	a *Agent
	q int
}

// Begin returns the empty run.
func (a *Agent) Begin() Run { return Run{a: a, q: a.DFA.Start()} }

// At returns the run whose automaton is in a state, as returned by [Run.State]. It reports false if
// no run from this state can be completed, or if there is no such state.
func (a *Agent) At(q int) (Run, bool) {
	return Run{a: a, q: q}, q >= 0 && q < a.DFA.NumStates() && a.Live(q)
}

// Step returns the run extended by a state, and true. If no complete run begins with the extended
// run, it returns the run unchanged, and false.
func (r Run) Step(state int) (Run, bool) {
	q := r.a.DFA.Next(r.q, state)
	if !r.a.Live(q) {
		return r, false
	}
	return Run{a: r.a, q: q}, true
}

// State returns the automaton's state.
func (r Run) State() int { return r.q }

// Next returns the states that may come next, in order.
func (r Run) Next() []int {
	var next []int
	for state := range r.a.States {
		if _, ok := r.Step(state); ok {
			next = append(next, state)
		}
	}
	return next
}

// Complete reports whether the run may stop here.
func (r Run) Complete() bool { return r.a.DFA.Accepting(r.q) }

// Verdict classifies a sequence of states.
type Verdict string

// The verdicts.
const (
	VerdictValid      Verdict = "valid"      // a complete run
	VerdictIncomplete Verdict = "incomplete" // a prefix of a complete run
	VerdictInvalid    Verdict = "invalid"    // neither
)

// Verdict classifies a sequence of state names. It also returns the names of the states that may
// follow (in order; none if the sequence is invalid) and the index of the first invalid state, or
// -1.
func (a *Agent) Verdict(sequence []string) (verdict Verdict, next []string, violation int) {
	r := a.Begin()
	for i, name := range sequence {
		state := a.Index(name)
		if state < 0 {
			return VerdictInvalid, nil, i
		}
		var ok bool
		if r, ok = r.Step(state); !ok {
			return VerdictInvalid, nil, i
		}
	}
	for _, state := range r.Next() {
		next = append(next, a.States[state].Name)
	}
	if r.Complete() {
		return VerdictValid, next, -1
	}
	return VerdictIncomplete, next, -1
}
