// Package process runs code that needs the outside world without doing any I/O.
//
// A process is ordinary Go that looks as if it blocked: it starts a request and
// waits for the answer. In truth it is a coroutine ([iter.Pull]); waiting
// returns control to the host, which performs the effect, whoever the host is
// (the page's worker, the wazero host, a test), and resumes the process with
// the answer.
//
// A run is the fold of its answers. A process has no other input but its seed,
// so the same answers in the same order give the same run: replay, fork,
// resuming after a reload and deterministic tests are one mechanism. Answers
// are delivered one at a time and only when every task waits, so it does not
// matter how the host batches them or how its slices are cut.
//
// Why not goroutines and channels: in a WASI reactor an export that blocks with
// no goroutine left to run kills the instance, and a scheduler that is not ours
// would make a replay depend on luck.
package process

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
)

// DefaultSlice is how many steps of the meter a [Process.Resume] runs before it
// gives the host its turn: some tens of milliseconds in the page.
const DefaultSlice = 1_000_000

// ErrCancelled is what every waiting method returns once the process is
// stopped. It is the meter's, so that one test finds both.
var ErrCancelled = meter.ErrCancelled

// CodeInterrupted is the [EffectError] code that a streaming effect ends with
// when its run was cut off amid the stream and resumed from a log that was not
// [Settled]: what came is kept, the rest never will come.
const CodeInterrupted = "interrupted"

// CodeUnrecorded is the [EffectError] code of an effect that a log goes on without: it was
// recorded before there was such an effect.
const CodeUnrecorded = "unrecorded"

// codeCancelled is the [EffectError] code by which a log says that the process
// itself wanted no more of a stream. A host that answers with it is taken to say
// codeAborted, for a replay would pass over it.
const (
	codeCancelled = "cancelled"
	codeAborted   = "aborted"
)

// Settled returns a log without the beginnings of streams that were cut off when
// the run was interrupted. A run that is resumed from it asks for them anew, so
// that it ends as if it had never been interrupted.
func Settled(log []Answer) []Answer {
	ended := map[string]bool{}
	for _, a := range log {
		if a.Chunk == nil {
			ended[a.Effect] = true
		}
	}
	var out []Answer
	for _, a := range log {
		if ended[a.Effect] {
			out = append(out, a)
		}
	}
	return out
}

// Func is the body of a process. Its result must marshal to JSON.
type Func func(env *Env) (any, error)

// State says what a process needs from its host.
type State string

// The states.
const (
	StateWaiting State = "waiting" // for answers
	StateWorking State = "working" // for another slice: resume it without answers
	StateDone    State = "done"
	StateFailed  State = "failed"
)

// Output is what a [Process.Resume] has to say.
type Output struct {
	Effects []Effect          // to be performed, in the order they were started
	Cancel  []string          // identifiers of effects whose answers nobody wants any more
	Events  []json.RawMessage // what the process emitted; each an object with a "seq" from 0
	State   State
	Result  json.RawMessage // where State is done
	Err     error           // where State is failed
}

// Process is one run. It is not safe for use by several goroutines.
type Process struct {
	seed    uint64
	meter   *meter.Meter
	tasks   []*task // that have not ended, in the order they were started
	root    *task
	current *task

	open     map[string]*Pending // effects without a final answer
	started  map[string]int      // number of effects, by task
	issued   []*Pending          // not yet handed to the host, in order
	queue    []Answer            // accepted, not yet delivered
	replay   []Answer            // of the log, not yet delivered
	replayed bool                // the log has been delivered, but not yet checked for streams it breaks off
	log      []Answer            // delivered
	answered int                 // effects that were answered to the end
	cancel   []string
	events   []json.RawMessage
	seq      int

	sliced bool // the running slice is used up
	state  State
	result json.RawMessage
	err    error
}

// New returns a process that runs f, has not begun, and will first be fed the
// answers of log. The budget bounds the whole run.
func New(f Func, seed uint64, budget meter.Budget, log []Answer) *Process {
	p := &Process{
		seed:    seed,
		meter:   meter.New(budget),
		open:    map[string]*Pending{},
		started: map[string]int{},
		replay:  log,
		state:   StateWorking,
	}
	p.root = p.start("", func(env *Env) error {
		value, err := f(env)
		if err != nil {
			return err
		}
		p.result, err = json.Marshal(value)
		return err
	})
	return p
}

// Log returns the answers delivered so far, in order. Given to [New] with the
// same function and seed they give the same run.
func (p *Process) Log() []Answer { return p.log[:len(p.log):len(p.log)] }

// State returns the state that the last Resume returned.
func (p *Process) State() State { return p.state }

// Resume delivers the answers and runs the process until it waits for others,
// ends, or has spent slice steps (≤ 0 stands for [DefaultSlice]). An answer to
// an effect that is cancelled or already answered is dropped: hosts and
// processes may cross on the way. The error is for an answer to an effect that
// never was; nothing is delivered then.
func (p *Process) Resume(answers []Answer, slice int64) (Output, error) {
	for _, a := range answers {
		if !p.wasStarted(a.Effect) {
			return Output{}, fmt.Errorf("effect %q was never started", a.Effect)
		}
	}
	for _, a := range answers {
		if a.Error != nil && a.Error.Code == codeCancelled {
			a.Error = &EffectError{Code: codeAborted, Message: a.Error.Message}
		}
		p.queue = append(p.queue, a)
	}
	if p.state == StateDone || p.state == StateFailed {
		return p.flush(), nil
	}
	if slice <= 0 {
		slice = DefaultSlice
	}
	p.sliced = false
	p.meter.SetSlice(slice, p.pause)
	for {
		p.runReady()
		if p.root.done {
			p.finish()
			break
		}
		if p.sliced {
			p.state = StateWorking
			break
		}
		delivered, err := p.deliverNext()
		if err != nil {
			p.fail(err)
			break
		}
		if !delivered {
			p.state = StateWaiting
			if len(p.open) == 0 {
				p.fail(errors.New("every task waits for another; this is a fault of the process"))
			}
			break
		}
	}
	return p.flush(), nil
}

// Stop ends the process: whatever waits returns [ErrCancelled]. Stopping twice,
// or after the end, does nothing.
func (p *Process) Stop() Output {
	if p.state != StateDone && p.state != StateFailed {
		p.fail(ErrCancelled)
	}
	return p.flush()
}

func (p *Process) wasStarted(id string) bool {
	task, number, ok := splitEffectID(id)
	return ok && number <= p.started[task]
}

// runReady resumes tasks in the order they were started, again and again, until
// all wait or the slice is used up.
func (p *Process) runReady() {
	for progress := true; progress && !p.sliced && !p.root.done; {
		progress = false
		for i := 0; i < len(p.tasks) && !p.sliced; i++ {
			t := p.tasks[i]
			if t.done || (t.ready != nil && !t.ready()) {
				continue
			}
			t.ready = nil
			p.current = t
			t.resume()
			p.current = nil
			progress = true
			if p.root.done {
				return
			}
		}
		p.tasks = live(p.tasks)
	}
}

func live(tasks []*task) []*task {
	kept := tasks[:0]
	for _, t := range tasks {
		if !t.done {
			kept = append(kept, t)
		}
	}
	clear(tasks[len(kept):])
	return kept
}

// deliverNext delivers the next answer of the log, or else of the queue, and
// reports whether there was one.
func (p *Process) deliverNext() (bool, error) {
	if len(p.replay) > 0 {
		a := p.replay[0]
		p.replay = p.replay[1:]
		if a.Error != nil && a.Error.Code == codeCancelled {
			return true, nil // the process has said so itself by now
		}
		pending, ok := p.open[a.Effect]
		if !ok && p.passUnrecorded() {
			p.replay = append([]Answer{a}, p.replay...)
			return true, nil
		}
		if !ok {
			return false, &LogError{Effect: a.Effect, Index: len(p.log)}
		}
		p.deliver(pending, a)
		p.replayed = true
		return true, nil
	}
	if p.replayed {
		p.replayed = false
		p.interruptCut()
	}
	for len(p.queue) > 0 {
		a := p.queue[0]
		p.queue = p.queue[1:]
		if pending, ok := p.open[a.Effect]; ok {
			p.deliver(pending, a)
			return true, nil
		}
	}
	return false, nil
}

// passUnrecorded fails an open effect that the log lacks, and reports whether there is one.
func (p *Process) passUnrecorded() bool {
	for _, pending := range p.sortedOpen() {
		if pending.extra {
			p.deliver(pending, Answer{Effect: pending.effect.ID, Error: &EffectError{Code: CodeUnrecorded, Message: "the recording has no answer to this question"}})
			return true
		}
	}
	return false
}

// interruptCut queues the end of each stream that the log breaks off. They are
// ordered by their first chunk in the log.
func (p *Process) interruptCut() {
	seen := map[string]bool{}
	for _, a := range p.log {
		if pending, ok := p.open[a.Effect]; ok && pending.arrived > 0 && !seen[a.Effect] {
			seen[a.Effect] = true
			p.queue = append(p.queue, Answer{Effect: a.Effect, Error: &EffectError{
				Code: CodeInterrupted, Message: "the run was interrupted while this answer arrived",
			}})
			pending.handed = true // there is nothing left for the host to do
		}
	}
}

func (p *Process) deliver(pending *Pending, a Answer) {
	p.log = append(p.log, a)
	if a.Chunk != nil {
		pending.chunks = append(pending.chunks, *a.Chunk)
		pending.arrived++
		return
	}
	p.answered++
	pending.done = true
	pending.value = a.Value
	if a.Error != nil {
		pending.err = a.Error
	}
	delete(p.open, a.Effect)
}

// pause is the meter's: the task that spends gives way.
func (p *Process) pause() error {
	p.sliced = true
	if p.current == nil || !p.current.yield() {
		return ErrCancelled
	}
	return nil
}

func (p *Process) finish() {
	for _, pending := range p.sortedOpen() {
		p.logCancelled(pending)
	}
	if p.root.err != nil {
		p.fail(p.root.err)
		return
	}
	p.state = StateDone
	p.stopAll()
}

func (p *Process) fail(err error) {
	p.state, p.err, p.result = StateFailed, err, nil
	p.stopAll()
}

// stopAll unwinds every task and cancels what is still under way.
func (p *Process) stopAll() {
	p.meter.Stop(ErrCancelled)
	for _, t := range p.tasks {
		t.stopped = true
		t.stop()
	}
	p.tasks = nil
	for _, pending := range p.sortedOpen() {
		p.drop(pending)
	}
	p.queue, p.replay = nil, nil
}

func (p *Process) sortedOpen() []*Pending {
	var list []*Pending
	for _, pending := range p.open {
		list = append(list, pending)
	}
	sortPending(list)
	return list
}

// drop forgets an open effect and tells the host where it knows of it.
func (p *Process) drop(pending *Pending) {
	if _, open := p.open[pending.effect.ID]; !open {
		return
	}
	delete(p.open, pending.effect.ID)
	if p.state == StateWorking || p.state == StateWaiting {
		p.logCancelled(pending)
	}
	if pending.handed {
		p.cancel = append(p.cancel, pending.effect.ID)
	}
}

// logCancelled records that no more of a stream is wanted.
func (p *Process) logCancelled(pending *Pending) {
	if pending.arrived > 0 {
		p.log = append(p.log, Answer{Effect: pending.effect.ID, Error: &EffectError{Code: codeCancelled, Message: "no more was wanted"}})
	}
}

// flush hands over what has gathered. While a log is being replayed no effect
// leaves, for the log may yet answer it.
func (p *Process) flush() Output {
	out := Output{Cancel: p.cancel, Events: p.events, State: p.state, Result: p.result, Err: p.err}
	p.cancel, p.events = nil, nil
	if len(p.replay) > 0 {
		return out
	}
	for _, pending := range p.issued {
		if _, open := p.open[pending.effect.ID]; open && !pending.handed {
			pending.handed = true
			out.Effects = append(out.Effects, pending.effect)
		}
	}
	p.issued = nil
	return out
}

// LogError says that a log does not belong to the process it was given to.
type LogError struct {
	Effect string
	Index  int // of the answer in the log
}

// Error says which answer found no question.
func (e *LogError) Error() string {
	return "the recorded run does not fit: its answer " + strconv.Itoa(e.Index+1) +
		" is for effect " + strconv.Quote(e.Effect) + ", which this run does not ask for; the spec or the settings have changed since"
}

// newRand returns the source of random numbers of a task: its own, so that the
// order in which concurrent tasks draw does not matter.
func newRand(seed uint64, task string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(task))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
