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

// Env is the world as a task of a process sees it. It belongs to the task that
// it was given to.
type Env struct {
	process *Process
	task    *task
}

// Task is a child that runs concurrently with whoever started it.
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
	tag               []byte // of the events that it emits: ,"name":value
	quiet             bool   // it emits none
}

// PanicError is a panic of a process's code, caught at the task's end.
type PanicError struct{ Value any }

// Error says what the panic said.
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

// resume runs the task until it gives way or ends.
func (t *task) resume() { t.next() }

// yield gives way and reports whether the task may go on.
func (t *task) yield() bool {
	if t.stopped {
		return false
	}
	if !t.suspend(struct{}{}) {
		t.stopped = true
	}
	return !t.stopped
}

// wait gives way until ready holds.
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

// Until waits until ready holds, which is about what other tasks of the process do. It
// is asked again whenever one of them may have done something, and changes nothing.
func (e *Env) Until(ready func() bool) error { return e.wait(ready) }

// Pause ends the host's slice, so that it can show what was told so far, or stop the
// process: what follows comes with the next one. It is for work that takes long and
// spends few steps. The error is [ErrCancelled] where the process was stopped meanwhile.
func (e *Env) Pause() error { return e.process.pause() }

// Meter returns the meter of the whole run. Spending from it gives the host its
// turn when a slice is used up.
func (e *Env) Meter() *meter.Meter { return e.process.meter }

// Rand returns the task's source of random numbers, seeded by the run's seed
// and the task's place.
func (e *Env) Rand() *rand.Rand { return e.task.rand }

// Delivered returns how many answers the run has been given: the place in the
// log at which it could be forked to go another way from here.
func (e *Env) Delivered() int { return len(e.process.log) }

// Answered returns how many effects of the run were answered to their end. Unlike
// Delivered it is the same in a run that is resumed from a [Settled] log.
func (e *Env) Answered() int { return e.process.answered }

// Tag gives every event that the task emits from here on, and every task that it
// starts from here on, a further field.
func (e *Env) Tag(name string, value any) {
	key, _ := json.Marshal(name) // a string marshals
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("the tag %s cannot be written: %v", name, err))
	}
	e.task.tag = append(append(append(append(e.task.tag[:len(e.task.tag):len(e.task.tag)], ','), key...), ':'), text...)
}

// Quiet keeps the task, and every task that it starts from here on, from showing events
// until it is told otherwise.
func (e *Env) Quiet(quiet bool) { e.task.quiet = quiet }

// Emit shows an event to whoever watches. It must marshal to a JSON object; a
// "seq" is added that counts the events of the run.
func (e *Env) Emit(event any) {
	if e.task.stopped || e.task.quiet {
		return
	}
	text, err := json.Marshal(event)
	if err != nil || len(text) < 2 || text[0] != '{' {
		panic(fmt.Sprintf("event %T is no JSON object: %v", event, err))
	}
	p := e.process
	head := append([]byte(`{"seq":`+strconv.Itoa(p.seq)), e.task.tag...)
	if len(text) > 2 {
		head = append(head, ',')
	}
	p.seq++
	p.events = append(p.events, append(head, text[1:]...))
}

// Start asks the host for an effect and does not wait. After the process has
// been stopped the effect is cancelled from the start.
func (e *Env) Start(r Request) *Pending {
	e.task.effects++
	return e.start(r, e.task.id, e.task.effects)
}

// again starts an effect that follows from this one. Its identifier, "e3.e1" of "e3", is
// none of the task's own, so that a log from before it existed fits; where such a log goes
// on without it, it fails with [CodeUnrecorded].
func (p *Pending) again(r Request) *Pending {
	p.agains++
	next := p.env.start(r, p.effect.ID, p.agains)
	next.extra = true
	return next
}

// start starts the effect of a number.
func (e *Env) start(r Request, of string, number int) *Pending {
	effect := Effect{ID: effectID(of, number), HTTP: r.HTTP, Question: r.Question, Timer: r.Timer, Solve: r.Solve}
	for _, kind := range []struct {
		name string
		set  bool
	}{{"http", r.HTTP != nil}, {"question", r.Question != nil}, {"timer", r.Timer != nil}, {"solve", r.Solve != nil}} {
		if kind.set && effect.Kind != "" {
			panic("a request has exactly one kind")
		}
		if kind.set {
			effect.Kind = kind.name
		}
	}
	if effect.Kind == "" {
		panic("a request has a kind")
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

// Go starts f as a concurrent task. It begins when the caller next waits. Tasks
// that are still running when the process's function returns are stopped.
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

// Stop ends the task and those that it has started: what they wait for returns
// [ErrCancelled], and the host is told to abort their effects. A task does not stop
// itself. Stopping one that has ended does nothing.
func (t *Task) Stop() {
	p, current := t.env.process, t.env.process.current
	of := func(id string) bool { return id == t.task.id || strings.HasPrefix(id, t.task.id+".") }
	for _, o := range p.tasks {
		if of(o.id) && !o.done {
			o.stopped = true
			o.stop()
			o.done = true // also where it had not begun
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
