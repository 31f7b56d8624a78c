package process

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
)

// Env is a task's interface to its process. It belongs to that task only.
type Env struct {
	process *Process
	task    *task
}

// Task is a child task that runs concurrently with its parent.
type Task struct {
	env  *Env // of the parent
	task *task
}

// task is one coroutine.
type task struct {
	id      string // path of child numbers, "" for the root
	next    func() (struct{}, bool)
	stop    func()
	suspend func(struct{}) bool
	ready   func() bool // nil: not waiting
	stopped bool
	done    bool
	err     error

	effects, children int // started so far
	rand              *rand.Rand
	tag               []byte // added to the events that it emits: ,"name":value
	quiet             bool   // it emits no events
}

// PanicError is a panic in a process's code.
type PanicError struct{ Value any }

// Error returns the message of the panic.
func (e *PanicError) Error() string { return fmt.Sprintf("internal fault: %v", e.Value) }

func (p *Process) start(id string, f func(*Env) error) *task {
	t := &task{id: id, rand: newRand(p.seed, id)}
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.suspend = yield
		defer func() {
			if r := recover(); r != nil {
				t.err = &PanicError{Value: r}
			}
			t.done = true
		}()
		t.err = f(&Env{process: p, task: t})
	})
	p.tasks = append(p.tasks, t)
	return t
}

// resume runs the task until it yields or ends.
func (t *task) resume() { t.next() }

// yield suspends the task and reports whether it may continue.
func (t *task) yield() bool {
	if t.stopped {
		return false
	}
	if !t.suspend(struct{}{}) {
		t.stopped = true
	}
	return !t.stopped
}

// wait suspends the task until ready returns true.
func (e *Env) wait(ready func() bool) error {
	for !ready() {
		if e.task.stopped {
			return ErrCancelled
		}
		e.task.ready = ready
		if !e.task.yield() {
			return ErrCancelled
		}
	}
	if e.task.stopped {
		return ErrCancelled
	}
	return nil
}

// Until waits until ready returns true, a condition that depends on other tasks of the
// process. The condition is evaluated again whenever another task may have changed it, and
// must have no side effects.
func (e *Env) Until(ready func() bool) error { return e.wait(ready) }

// Pause ends the slice, so that the host can show events or stop the process; the task
// continues in the next slice. It is for work that takes long and spends few steps. The
// error is [ErrCancelled] if the process was stopped meanwhile.
func (e *Env) Pause() error { return e.process.pause() }

// Meter returns the meter of the whole run. Spending yields to the host when a slice is
// used up.
func (e *Env) Meter() *meter.Meter { return e.process.meter }

// Rand returns the task's random source, seeded by the run's seed and the task's path.
func (e *Env) Rand() *rand.Rand { return e.task.rand }

// Delivered returns the number of delivered answers: the index in the log at which the
// run can be forked here.
func (e *Env) Delivered() int { return len(e.process.log) }

// Answered returns the number of completely answered effects. Unlike Delivered it is the
// same after resuming from a [Settled] log.
func (e *Env) Answered() int { return e.process.answered }

// Earlier reports whether the next decision has to follow the rules of earlier versions: the
// process replays a log that was recorded under these rules, or that has not reached the point
// from which the current rules make a difference. After the end of the log, decisions follow
// the current rules.
func (e *Env) Earlier() bool { return e.process.earlier() }

// Revise records in the log that the current rules made a difference, so that a replay follows
// them from here on. It must not be called while [Env.Earlier] returns true.
func (e *Env) Revise() { e.process.revise() }

// Decide returns the decision current, which follows the current rules, or nil if the earlier
// rules apply, because the replayed log was recorded under them. differs states whether the two
// decisions differ. If they do, the log records the decision, and a replay returns it even if
// the rules have changed since.
func (e *Env) Decide(differs bool, current json.RawMessage) json.RawMessage {
	return e.process.decide(differs, current)
}

// Tag adds a field to all events that the task, and tasks that it starts, emit from now
// on.
func (e *Env) Tag(name string, value any) {
	key, _ := json.Marshal(name) // strings always marshal
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("the tag %s cannot be written: %v", name, err))
	}
	e.task.tag = append(append(append(append(e.task.tag[:len(e.task.tag):len(e.task.tag)], ','), key...), ':'), text...)
}

// Quiet suppresses or allows the events of the task and of tasks that it starts from now
// on.
func (e *Env) Quiet(quiet bool) { e.task.quiet = quiet }

// Emit emits an event, which must marshal to a JSON object. A field "seq" counts the
// events of the run.
func (e *Env) Emit(event any) {
	if e.task.stopped || e.task.quiet {
		return
	}
	text, err := json.Marshal(event)
	if err != nil || len(text) < 2 || text[0] != '{' {
		panic(fmt.Sprintf("event %T is not a JSON object: %v", event, err))
	}
	p := e.process
	head := append([]byte(`{"seq":`+strconv.Itoa(p.seq)), e.task.tag...)
	if len(text) > 2 {
		head = append(head, ',')
	}
	p.seq++
	p.events = append(p.events, append(head, text[1:]...))
}

// Start starts an effect without waiting. In a stopped process the effect is cancelled at
// once.
func (e *Env) Start(r Request) *Pending {
	e.task.effects++
	return e.start(r, e.task.id, e.task.effects)
}

// again starts an effect that follows from this one. Its identifier, "e3.e1" after "e3", is
// not among the task's own, so that logs from before such effects remain valid; if such a
// log continues without its answer, the effect fails with [CodeUnrecorded].
func (p *Pending) again(r Request) *Pending {
	p.agains++
	next := p.env.start(r, p.effect.ID, p.agains)
	next.extra = true
	return next
}

// start starts an effect. of is the identifier of the task or the effect that it belongs
// to, and number counts its effects.
func (e *Env) start(r Request, of string, number int) *Pending {
	effect := Effect{ID: effectID(of, number), HTTP: r.HTTP, Question: r.Question, Timer: r.Timer, Solve: r.Solve, Clock: r.Clock}
	for _, kind := range []struct {
		name string
		set  bool
	}{{"http", r.HTTP != nil}, {"question", r.Question != nil}, {"timer", r.Timer != nil}, {"solve", r.Solve != nil}, {"clock", r.Clock != nil}} {
		if kind.set && effect.Kind != "" {
			panic("a request has exactly one kind")
		}
		if kind.set {
			effect.Kind = kind.name
		}
	}
	if effect.Kind == "" {
		panic("a request needs a kind")
	}
	p := &Pending{env: e, effect: effect}
	if e.task.stopped {
		p.done, p.err = true, ErrCancelled
		return p
	}
	e.process.started[of] = number
	e.process.open[effect.ID] = p
	e.process.issued = append(e.process.issued, p)
	return p
}

// Go starts f as a concurrent task, which begins when the caller next waits. Tasks that
// are running when the process's function returns are stopped.
func (e *Env) Go(f func(*Env) error) *Task {
	e.task.children++
	id := strconv.Itoa(e.task.children)
	if e.task.id != "" {
		id = e.task.id + "." + id
	}
	if e.task.stopped {
		return &Task{env: e, task: &task{id: id, done: true, err: ErrCancelled}}
	}
	t := e.process.start(id, f)
	t.tag, t.quiet = e.task.tag, e.task.quiet
	return &Task{env: e, task: t}
}

// Failed reports whether the task has ended with an error, which Wait returns.
func (t *Task) Failed() bool { return t.task.done && t.task.err != nil }

// Stop ends the task and its children: waiting methods return [ErrCancelled], and the
// host aborts their effects. A task must not stop itself. Stopping an ended task has no
// effect.
func (t *Task) Stop() {
	p, current := t.env.process, t.env.process.current
	of := func(id string) bool { return id == t.task.id || strings.HasPrefix(id, t.task.id+".") }
	for _, o := range p.tasks {
		if of(o.id) && !o.done {
			o.stopped = true
			o.stop()
			o.done = true // even if the task had not begun
			p.current = current
		}
	}
	for _, pending := range p.sortedOpen() {
		if of(pending.env.task.id) {
			pending.done, pending.err = true, ErrCancelled
			p.drop(pending)
		}
	}
}

// Wait waits until the task has ended and returns its error.
func (t *Task) Wait() error {
	if err := t.env.wait(func() bool { return t.task.done }); err != nil {
		return err
	}
	return t.task.err
}
