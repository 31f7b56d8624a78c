package team

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// maxTrace is how many events a result has: the last ones of a long run.
const maxTrace = 2_000

// run is a run of a team.
type run struct {
	env      *process.Env
	spec     *Spec
	setup    Setup
	settings Settings
	retries  int
	most     int // sub-tasks at the same time

	scripts map[string]llm.Model // models that go on where they stopped, by whose they are
	graph   *Graph
	works   []*work
	rules   []*property // the global formulas
	trace   []Event
	spent   Spent
	running int
	changes int            // made so far
	told    int            // states and replies so far
	redone  map[string]int // how often a global check has had sub-tasks done again

	violations []Violation
}

// work is a sub-task that is worked on.
type work struct {
	sub      Subtask
	executor *Executor
	order    int    // its place among all
	state    string // one of the State constants
	task     string // as the supervisor has it
	text     string // the result
	reason   string
	attempts int
	tried    []string    // executors
	given    []*Executor // those it was given to, the present one last
	broken   []Violation // of a result that a person wrote, or of its agent's properties
	trouble  string      // what was wrong with the last try
	spent    Spent
	coro     *process.Task
}

func newRun(env *process.Env, p Problem, s Settings) (*run, error) {
	r := &run{
		env: env, spec: p.Spec, setup: p.Setup, settings: s, retries: p.Spec.Limits.Retries, most: p.Spec.Limits.Concurrent,
		scripts: map[string]llm.Model{}, redone: map[string]int{}, violations: []Violation{}, trace: []Event{},
	}
	if s.Retries != nil {
		r.retries = *s.Retries
	}
	if s.Concurrent > 0 {
		r.most = s.Concurrent
	}
	if r.settings.MaxTokens <= 0 {
		r.settings.MaxTokens = DefaultMaxTokens
	}
	if r.settings.Environment == "" {
		r.settings.Environment = "simulated"
		if r.setup.Tools != nil {
			r.settings.Environment = "tools"
		}
	}
	var err error
	r.rules, err = properties(p.Spec.Global, env.Meter())
	return r, err
}

// team does the task by a graph.
func (r *run) team() (*Result, error) {
	graph, by, err := r.plan()
	if err != nil {
		return nil, err
	}
	r.adopt(graph, by)
	for {
		if err := r.carryOut(); err != nil {
			return nil, err
		}
		if r.checkGlobal() {
			continue
		}
		if r.changeIsDue() { // what is blocked was told last
			if err := r.change(); err != nil {
				return nil, err
			}
			continue
		}
		answer, broken, err := r.deliver()
		if err != nil {
			return nil, err
		}
		if r.changeIsDue() { // while the deliverer was at it
			if err := r.change(); err != nil {
				return nil, err
			}
			continue
		}
		r.violations = append(r.violations, broken...)
		r.delivered()
		return r.result(MethodTeam, answer), nil
	}
}

// result sums the run up.
func (r *run) result(method, answer string) *Result {
	for _, w := range r.works {
		r.violations = append(r.violations, w.broken...)
	}
	out := &Result{Method: method, Answer: answer, Graph: r.graph, Violations: r.violations, Spent: r.spent, Trace: r.trace, Subtasks: []Done{}, Critical: []string{}}
	out.Valid = len(out.Violations) == 0
	for _, w := range r.works {
		out.Valid = out.Valid && w.state == StateDone
		out.Subtasks = append(out.Subtasks, Done{
			Subtask: w.sub.ID, State: w.state, Executor: w.executor.Name, Task: w.task, Text: w.text, Reason: w.reason, Attempts: w.attempts, Spent: w.spent,
		})
	}
	if r.graph != nil {
		out.Critical, _ = r.graph.Critical(func(id string) int {
			s := r.works[r.graph.index(id)].spent
			if r.spent.Milliseconds > 0 {
				return s.Milliseconds
			}
			return s.Usage.Prompt + s.Usage.Completion
		})
	}
	return out
}

// adopt makes a graph the run's. Of what it leaves as it was the results stay, and who
// is new to them is told of them; the rest is ended and waits to be done.
func (r *run) adopt(g *Graph, by string) {
	before, again := r.graph, g.After()
	if r.graph == nil {
		for _, s := range g.Subtasks {
			again = append(again, s.ID)
		}
	} else {
		again = g.Consequences(r.graph)
	}
	var works []*work
	var freed []string
	for i, s := range g.Subtasks {
		old := r.work(s.ID)
		if old != nil && !slices.Contains(again, s.ID) {
			old.sub, old.order = s, i
			if old.state == StateBlocked { // by what may be otherwise now
				old.state, old.reason = StateWaiting, ""
				freed = append(freed, s.ID)
			}
			works = append(works, old)
			continue
		}
		r.end(old)
		w := &work{sub: s, order: i, task: s.Task, state: StateWaiting}
		if old != nil { // whose constraints stay with the sub-task
			w.given = old.given
		}
		w.give(r.spec.Executor(s.Executor))
		works = append(works, w)
	}
	for _, old := range r.works {
		if g.Subtask(old.sub.ID) == nil {
			r.end(old)
		}
	}
	r.graph, r.works = g, works
	critical, _ := g.Critical(func(string) int { return 1 })
	e := GraphEvent{Kind: "team.graph", At: r.env.Delivered(), After: r.env.Answered(), By: by, Graph: *g, Critical: critical, Again: again}
	if r.setup.Show != nil {
		r.setup.Show(r.env, e)
	} else {
		r.env.Emit(e)
	}
	for _, w := range r.works {
		if slices.Contains(again, w.sub.ID) {
			r.tell(r.env, w)
			r.env.Emit(MessageEvent{Kind: "team.message", From: Manager, To: w.sub.ID, Text: w.sub.Task})
			continue
		}
		if slices.Contains(freed, w.sub.ID) {
			r.tell(r.env, w)
		}
		if w.state == StateDone {
			r.handOn(r.env, w, before)
		}
	}
}

// give makes an executor the one who works on a sub-task.
func (w *work) give(e *Executor) {
	w.executor = e
	// A copy: the works of the graph before share the list.
	w.given = append(slices.DeleteFunc(slices.Clone(w.given), func(g *Executor) bool { return g == e }), e)
}

// before returns the executors that the sub-task was taken over from.
func (w *work) before() []string {
	var out []string
	for _, e := range w.given {
		if e != w.executor {
			out = append(out, e.Name)
		}
	}
	return out
}

// event returns an event of the sub-task.
func (w *work) event(kind string) Event {
	return Event{Kind: kind, Subtask: w.sub.ID, Executor: w.executor.Name, Instead: w.before()}
}

// constraints returns those of all sub-tasks and of every executor that it was given to:
// they stay with the sub-task when another executor takes over.
func (w *work) constraints(spec *Spec) []Constraint {
	out := slices.Clone(spec.Local)
	for _, e := range w.given {
		out = append(out, e.Constraints...)
	}
	return out
}

// end stops the work on a sub-task.
func (r *run) end(w *work) {
	if w == nil || w.coro == nil {
		return
	}
	w.coro.Stop()
	w.coro = nil
	if w.state == StateRunning {
		r.running--
		r.happens(w.event(EventFailed))
	}
}

// work returns the work on a sub-task, or nil.
func (r *run) work(id string) *work {
	for _, w := range r.works {
		if w.sub.ID == id {
			return w
		}
	}
	return nil
}

// before returns the works directly before one, in the order in which it names them.
func (r *run) before(w *work) []*work {
	out := make([]*work, len(w.sub.Needs))
	for i, id := range w.sub.Needs {
		out[i] = r.work(id)
	}
	return out
}

// tell shows what state a sub-task is in.
func (r *run) tell(env *process.Env, w *work) {
	r.told++
	env.Emit(StateEvent{
		Kind: "team.state", Subtask: w.sub.ID, State: w.state, At: env.Delivered(), After: env.Answered(), Told: r.told, Executor: w.executor.Name,
		Attempt: w.attempts, Task: w.task, Text: w.text, Reason: w.reason, Spent: w.spent,
	})
}

// happens takes an event. Where a formula is lost by it, which only what nobody can hold
// back does, that is said at once.
func (r *run) happens(e Event) {
	for _, p := range r.rules {
		had := p.lost()
		if p.state = p.after(p.state, e); p.lost() && !had {
			r.env.Emit(ViolationEvent{"team.violation", Violation{Constraint: p.constraint.String(), Reason: e.String() + " breaks it", Subtask: e.Subtask}})
		}
	}
	if len(r.trace) == maxTrace {
		r.trace = r.trace[1:]
	}
	r.trace = append(r.trace, e)
}

// carryOut works on all sub-tasks that wait, each in a task of its own, until none can
// be worked on any more. Changes that a person has made come in between.
func (r *run) carryOut() error {
	for {
		for _, w := range r.works {
			if w.state == StateWaiting && w.coro == nil {
				w.coro = r.env.Go(func(env *process.Env) error { return r.workOn(env, w) })
			}
		}
		// A task that has ended with an error ends all.
		failed := func() *work {
			for _, w := range r.works {
				if w.coro != nil && w.coro.Failed() {
					return w
				}
			}
			return nil
		}
		if err := r.env.Until(func() bool { return failed() != nil || r.changeIsDue() || r.resting() }); err != nil {
			return err
		}
		switch w := failed(); {
		case w != nil:
			return w.coro.Wait()
		case r.changeIsDue():
			if err := r.change(); err != nil {
				return err
			}
		default:
			for _, w := range r.works {
				r.block(w)
				r.end(w)
			}
			return nil
		}
	}
}

// resting reports whether nothing is worked on, and nothing can be begun.
func (r *run) resting() bool {
	return r.running == 0 && !slices.ContainsFunc(r.works, r.mayStart)
}

// mayStart reports whether a sub-task can be begun now: what it needs is done, there is
// room, no formula is against it, and no change of the graph has to come first.
func (r *run) mayStart(w *work) bool {
	if w.state != StateWaiting || r.running >= r.most || r.changeIsDue() {
		return false
	}
	for _, b := range r.before(w) {
		if b.state != StateDone {
			return false
		}
	}
	return forbids(r.rules, w.event(EventStarted)) == nil
}

// block says of a sub-task that waits and cannot be begun why that is.
func (r *run) block(w *work) {
	if w.state != StateWaiting {
		return
	}
	w.state, w.reason = StateBlocked, ""
	for _, b := range r.before(w) {
		if b.state != StateDone {
			w.reason = "what it needs of " + b.sub.ID + " is not there"
		}
	}
	if w.reason == "" {
		if p := forbids(r.rules, w.event(EventStarted)); p != nil {
			w.reason = fmt.Sprintf("it may not be begun, since “%s” has to hold", p.constraint)
		}
	}
	r.tell(r.env, w)
}

// changeIsDue reports whether a person's change comes now.
func (r *run) changeIsDue() bool {
	if r.changes == len(r.settings.Changes) {
		return false
	}
	c := r.settings.Changes[r.changes]
	return r.env.Answered() >= c.After && r.told >= c.Told
}

// giveWay lets a change that is due be made before a sub-task goes on: models that
// answer at once would be done with it first. The error is for a sub-task that the
// change has ended.
func (r *run) giveWay(env *process.Env) error {
	return env.Until(func() bool { return !r.changeIsDue() })
}

// change makes a person's change.
func (r *run) change() error {
	g := r.settings.Changes[r.changes].Graph.clone()
	r.changes++
	faults, err := Reader{Spec: r.spec, Shape: r.setup.Shape, Meter: r.env.Meter()}.Check(g)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return graphError("the graph that the run was changed to", faults)
	}
	r.adopt(g, "person")
	return nil
}

func graphError(what string, faults []string) error {
	return source.NewError("team.graph", what+" cannot be carried out: "+strings.Join(faults, "; "))
}

// ends reports whether an error ends the run and not only a try.
func ends(err error) bool {
	var limit *meter.LimitError
	var coded *source.Error
	if errors.Is(err, meter.ErrCancelled) || errors.As(err, &limit) {
		return true
	}
	return errors.As(err, &coded) && (strings.HasPrefix(coded.ID, "limit.") || coded.ID == "internal" || coded.ID == "llm.script")
}
