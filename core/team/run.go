package team

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// maxTrace limits the events in a result, to the last ones of a long run.
const maxTrace = 2_000

type run struct {
	env      *process.Env
	spec     *Spec // with the executors that the graph creates
	base     *Spec // without them
	setup    Setup
	settings Settings
	retries  int
	most     int // sub-tasks at the same time

	scripts  map[string]llm.Model // scripted models by role, which continue where they stopped
	graph    *Graph
	works    []*work
	rules    []*property  // the global formulas
	enforced *enforce.Run // the rules about data; nil: none
	trace    []Event
	spent    Spent
	running  int
	changes  int            // number of changes so far
	answers  int            // number of StateEvents and ReplyEvents so far
	steps    int            // of all members so far
	redone   map[string]int // how often a global check has caused repetitions

	violations []Violation
}

// work is the work on a sub-task.
type work struct {
	sub      Subtask
	executor *Executor
	order    int    // its index in the graph
	state    string // one of the State constants
	task     string // as the supervisor rewrote it
	text     string // the result
	reason   string
	attempts int
	tried    []string    // executors
	given    []*Executor // all that had it, the current one last
	broken   []Violation // violations by a person's result, or of the properties of the executor's agent
	trouble  string      // the reason why the last attempt failed
	spent    Spent
	coro     *process.Task
}

func newRun(env *process.Env, p Problem, s Settings) (*run, error) {
	r := &run{
		env: env, spec: p.Spec, base: p.Spec, setup: p.Setup, settings: s, retries: p.Spec.Limits.Retries, most: p.Spec.Limits.Concurrent,
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
	if p.Setup.Rules != nil {
		r.enforced = p.Setup.Rules.Begin(0)
	}
	var err error
	r.rules, err = properties(p.Spec.Global, env.Meter())
	return r, err
}

// team plans a graph and executes it.
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
		if r.changeIsDue() { // after the events of blocked sub-tasks
			if err := r.change(); err != nil {
				return nil, err
			}
			continue
		}
		answer, broken, err := r.deliver()
		if err != nil {
			return nil, err
		}
		if r.changeIsDue() { // during the delivery
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

func (r *run) result(method, answer string) *Result {
	for _, w := range r.works {
		r.violations = append(r.violations, w.broken...)
	}
	out := &Result{Method: method, Answer: answer, Graph: r.graph, Violations: r.violations, Spent: r.spent, Trace: r.trace, Subtasks: []Done{}, Critical: []string{}}
	out.Valid, out.Refusal = len(out.Violations) == 0, choice.Refuses(answer)
	for _, w := range r.works {
		out.Valid, out.Refusal = out.Valid && w.state == StateDone, out.Refusal || choice.Refuses(w.text)
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

// adopt replaces the graph of the run. Unchanged sub-tasks keep their results, which are
// announced to new dependents; the others are cancelled and wait.
func (r *run) adopt(g *Graph, by string) {
	before, again := r.graph, g.After()
	r.spec = r.base.with(g.Executors)
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
			if old.state == StateBlocked { // by a reason that may no longer exist
				old.state, old.reason = StateWaiting, ""
				freed = append(freed, s.ID)
			}
			works = append(works, old)
			continue
		}
		r.end(old)
		w := &work{sub: s, order: i, task: s.Task, state: StateWaiting}
		if old != nil { // its constraints stay with the sub-task
			w.given = old.given
		}
		w.assign(r.spec.Executor(s.Executor))
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
			r.emitState(r.env, w)
			r.env.Emit(MessageEvent{Kind: "team.message", From: Manager, To: w.sub.ID, Text: w.sub.Task})
			continue
		}
		if slices.Contains(freed, w.sub.ID) {
			r.emitState(r.env, w)
		}
		if w.state == StateDone {
			r.notify(r.env, w, before)
		}
	}
}

// assign assigns a sub-task to an executor.
func (w *work) assign(e *Executor) {
	w.executor = e
	// Copy the list, because the works of the previous graph share it.
	w.given = append(slices.DeleteFunc(slices.Clone(w.given), func(g *Executor) bool { return g.Name == e.Name }), e)
}

// before returns the previous executors of the sub-task.
func (w *work) before() []string {
	var out []string
	for _, e := range w.given {
		if e.Name != w.executor.Name {
			out = append(out, e.Name)
		}
	}
	return out
}

// event returns an event of the sub-task.
func (w *work) event(kind string) Event {
	return Event{Kind: kind, Subtask: w.sub.ID, Executor: w.executor.Name, Instead: w.before()}
}

// constraints returns the local constraints of the team and the constraints of all
// executors that had the sub-task, which remain in force when another executor takes
// over.
func (w *work) constraints(spec *Spec) []Constraint {
	out := slices.Clone(spec.Local)
	for _, e := range w.given {
		out = append(out, e.Constraints...)
	}
	return out
}

// end cancels the work on a sub-task.
func (r *run) end(w *work) {
	if w == nil || w.coro == nil {
		return
	}
	w.coro.Stop()
	w.coro = nil
	if w.state == StateRunning {
		r.running--
		r.record(w.event(EventFailed))
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

// before returns the works that a sub-task needs, in the order of its needs.
func (r *run) before(w *work) []*work {
	out := make([]*work, len(w.sub.Needs))
	for i, id := range w.sub.Needs {
		out[i] = r.work(id)
	}
	return out
}

// emitState emits the state of a sub-task.
func (r *run) emitState(env *process.Env, w *work) {
	r.answers++
	env.Emit(StateEvent{
		Kind: "team.state", Subtask: w.sub.ID, State: w.state, At: env.Delivered(), After: env.Answered(), Answers: r.answers, Executor: w.executor.Name,
		Attempt: w.attempts, Task: w.task, Text: w.text, Reason: w.reason, Spent: w.spent,
	})
}

// record advances the global formulas by an event. It reports a violation at once; only
// events that the run cannot prevent cause one.
func (r *run) record(e Event) {
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

// carryOut starts every sub-task that may start, each in a separate task of the process,
// until no sub-task can start or continue. In between it makes a person's changes of the
// graph.
func (r *run) carryOut() error {
	for {
		for _, w := range r.works {
			if w.state == StateWaiting && w.coro == nil {
				w.coro = r.env.Go(func(env *process.Env) error { return r.workOn(env, w) })
			}
		}
		// The error of one task ends the run.
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

// resting reports whether no sub-task is running and none may start.
func (r *run) resting() bool {
	return r.running == 0 && !slices.ContainsFunc(r.works, r.mayStart)
}

// mayStart reports whether a sub-task may start: its needs are done, the limit of
// concurrent sub-tasks is not reached, no formula forbids it, and no change of the graph
// is due.
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

// block marks a waiting sub-task that can never start as blocked, with the reason.
func (r *run) block(w *work) {
	if w.state != StateWaiting {
		return
	}
	w.state, w.reason = StateBlocked, ""
	for _, b := range r.before(w) {
		if b.state != StateDone {
			w.reason = "missing result of sub-task " + b.sub.ID
		}
	}
	if w.reason == "" {
		if p := forbids(r.rules, w.event(EventStarted)); p != nil {
			w.reason = fmt.Sprintf("it may not start, because “%s” must hold", p.constraint)
		}
	}
	r.emitState(r.env, w)
}

// changeIsDue reports whether a person's change must be made now.
func (r *run) changeIsDue() bool {
	if r.changes == len(r.settings.Changes) {
		return false
	}
	c := r.settings.Changes[r.changes]
	return r.env.Answered() >= c.After && r.answers >= c.Answers
}

// yieldToChange yields if a change is due, so that the change precedes further work on a
// sub-task: a sub-task whose model answers at once would otherwise finish before the
// change. It returns an error if the change has cancelled the sub-task.
func (r *run) yieldToChange(env *process.Env) error {
	return env.Until(func() bool { return !r.changeIsDue() })
}

// change makes a person's change of the graph.
func (r *run) change() error {
	g := r.settings.Changes[r.changes].Graph.clone()
	r.changes++
	faults, err := r.reader().Check(g)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return graphError("the changed graph", faults)
	}
	r.adopt(g, "person")
	return nil
}

func (r *run) reader() Reader {
	return Reader{Spec: r.base, Shape: r.setup.Shape, Meter: r.env.Meter(), Create: r.settings.Create}
}

func graphError(which string, faults []string) error {
	return source.NewError("team.graph", which+" cannot be executed: "+strings.Join(faults, "; "))
}

// ends reports whether an error ends the run, not only an attempt.
func ends(err error) bool {
	var limit *meter.LimitError
	var budget *meter.BudgetError
	var coded *source.Error
	if errors.Is(err, meter.ErrCancelled) || errors.As(err, &limit) || errors.As(err, &budget) {
		return true
	}
	return errors.As(err, &coded) && (strings.HasPrefix(coded.ID, "limit.") || coded.ID == codeTotal || coded.ID == "internal" || coded.ID == "llm.script")
}
