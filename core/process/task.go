package process

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"

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

// Meter returns the meter of the whole run. Spending from it gives the host its
// turn when a slice is used up.
func (e *Env) Meter() *meter.Meter { return e.process.meter }

// Rand returns the task's source of random numbers, seeded by the run's seed
// and the task's place.
func (e *Env) Rand() *rand.Rand { return e.task.rand }

// Delivered returns how many answers the run has been given: the place in the
// log at which it could be forked to go another way from here.
func (e *Env) Delivered() int { return len(e.process.log) }

// Emit shows an event to whoever watches. It must marshal to a JSON object; a
// "seq" is added that counts the events of the run.
func (e *Env) Emit(event any) {
	if e.task.stopped {
		return
	}
	text, err := json.Marshal(event)
	if err != nil || len(text) < 2 || text[0] != '{' {
		panic(fmt.Sprintf("event %T is no JSON object: %v", event, err))
	}
	p := e.process
	head := []byte(`{"seq":` + strconv.Itoa(p.seq))
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
	effect := Effect{ID: effectID(e.task.id, e.task.effects), HTTP: r.HTTP, Question: r.Question, Timer: r.Timer}
	for _, kind := range []struct {
		name string
		set  bool
	}{{"http", r.HTTP != nil}, {"question", r.Question != nil}, {"timer", r.Timer != nil}} {
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
	e.process.started[e.task.id] = e.task.effects
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
	return &Task{env: e, task: e.process.start(id, f)}
}

// Wait waits until the task has ended and returns its error.
func (t *Task) Wait() error {
	if err := t.env.wait(func() bool { return t.task.done }); err != nil {
		return err
	}
	return t.task.err
}
