// Package process runs code that depends on the outside world, and performs no I/O itself.
//
// A process is ordinary Go code that appears to block: it starts a request and waits for
// the answer. It is a coroutine ([iter.Pull]), so waiting returns control to the host
// (the page's worker, the wazero host, a test), which performs the effect and resumes the
// process with the answer.
//
// A run is the fold of its answers. Its only other input is the seed, so the same answers
// in the same order give the same run: replay, fork, resuming after a reload and
// deterministic tests use one mechanism. Answers are delivered one at a time and only
// when every task waits, so batching by the host and the length of slices do not matter.
//
// Why not goroutines and channels: in a WASI reactor an export that blocks without a
// runnable goroutine kills the instance, and with Go's scheduler a replay would not be
// deterministic.
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

// DefaultSlice is the default number of meter steps of a [Process.Resume]: some tens of
// milliseconds in the page.
const DefaultSlice = 1_000_000

// ErrCancelled is the error of every waiting method after the process is stopped. It is
// the meter's, so that one test matches both.
var ErrCancelled = meter.ErrCancelled

// CodeInterrupted is the [EffectError] code at the end of a stream that was cut off when
// its run was interrupted, if the run resumes from a log that is not [Settled]. The
// received chunks are kept; the rest is lost.
const CodeInterrupted = "interrupted"

// CodeUnrecorded is the [EffectError] code of an effect that the log does not contain,
// because it was recorded before that kind of effect existed.
const CodeUnrecorded = "unrecorded"

// codeCancelled is the [EffectError] code in a log for a stream that the process cancelled.
// If a host answers with this code, the process changes it to codeAborted, because a replay
// skips answers with codeCancelled.
const (
	codeCancelled = "cancelled"
	codeAborted   = "aborted"
)

// codeRevised is the [EffectError] code of an entry that answers nothing: from here on the run
// follows rules that differ from those of earlier versions. Logs without it need no mark of
// their version, and an earlier version of this package rejects a log that has it.
const codeRevised = "revised"

// codeDecided replaces codeRevised in logs that also record decisions. If an entry with this
// code has a value, the value is a decision by the current rules that differs from the decision
// by the earlier rules. A replay repeats it even if a later version decides in another way.
const codeDecided = "decided"

// Current returns the log of a run that has no answers yet and follows the current rules; an empty log
// follows those of earlier versions (see [Env.Earlier]).
func Current() []Answer {
	return []Answer{{Error: &EffectError{Code: codeDecided, Message: revisedMessage}}}
}

const revisedMessage = "from here on the run follows the current rules"

// Settled returns a log without streams that were cut off when the run was interrupted. A
// run that resumes from it starts them again, so that it ends as if it had not been
// interrupted.
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

// State determines how the host continues a process.
type State string

// The states.
const (
	StateWaiting State = "waiting" // for answers
	StateWorking State = "working" // for another slice: resume it without answers
	StateDone    State = "done"
	StateFailed  State = "failed"
)

// Output is the result of a [Process.Resume].
type Output struct {
	Effects []Effect          // to perform, in the order of their start
	Cancel  []string          // identifiers of effects to abort
	Events  []json.RawMessage // emitted events; each an object with a "seq" from 0
	State   State
	Result  json.RawMessage // if State is done
	Err     error           // if State is failed
}

// Process is one run. It is not safe for use by several goroutines.
type Process struct {
	seed    uint64
	meter   *meter.Meter
	tasks   []*task // not ended, in the order of their start
	root    *task
	current *task

	open     map[string]*Pending // effects without a final answer
	started  map[string]int      // number of started effects, by the task or effect that they belong to
	issued   []*Pending          // not yet handed to the host, in order
	queue    []Answer            // accepted, not yet delivered
	replay   []Answer            // of the log, not yet delivered
	replayed bool                // the log was delivered, and must be checked for streams that it cuts off
	log      []Answer            // delivered
	answered int                 // number of completely answered effects
	outer    *Process            // the process in which this one is nested
	ceiling  Ceiling             // bounds the requests to endpoints
	recorded int                 // length of the replayed log; -1: the run is new
	revised  bool                // the run follows the current rules (see codeRevised)
	decides  bool                // the log records decisions (see codeDecided)
	mark     []Answer            // the entry of the log about the rules, until they make a difference or an answer follows
	cancel   []string
	events   []json.RawMessage
	seq      int

	sliced bool // the current slice is used up
	state  State
	result json.RawMessage
	err    error
}

// New returns a process that will run f and replay the answers of log, which is nil for a new
// run. The budget bounds the whole run.
func New(f Func, seed uint64, budget meter.Budget, log []Answer) *Process {
	p := &Process{
		seed:    seed,
		meter:   meter.New(budget),
		open:    map[string]*Pending{},
		started: map[string]int{},
		replay:  log,
		state:   StateWorking,

		recorded: -1,
	}
	if log != nil {
		p.recorded = len(log)
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

// Log returns the delivered answers, in order. With the same function and seed, [New]
// repeats the run from them.
func (p *Process) Log() []Answer { return append(p.log[:len(p.log):len(p.log)], p.mark...) }

// State returns the state that the last Resume returned.
func (p *Process) State() State { return p.state }

// Resume delivers the answers and runs the process until it waits, ends, or has spent slice
// steps (≤ 0: [DefaultSlice]). Answers to cancelled or answered effects are dropped,
// because a host may send an answer before it receives the cancellation. The error reports
// an answer to an effect that was never started; then no answer is delivered.
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
				p.fail(errors.New("deadlock: every task waits for another (internal error)"))
			}
			break
		}
	}
	return p.flush(), nil
}

// Stop ends the process: waiting methods return [ErrCancelled]. Stopping twice or after
// the end has no effect.
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

// runReady resumes tasks in the order of their start, repeatedly, until all wait or the
// slice is used up.
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

// deliverNext delivers the next answer of the log or the queue, and reports whether there
// was one.
func (p *Process) deliverNext() (bool, error) {
	if p.passRevised(); p.keepMark() {
		return true, nil
	}
	if len(p.replay) > 0 {
		a := p.replay[0]
		p.replay = p.replay[1:]
		if a.Error != nil && a.Error.Code == codeCancelled {
			return true, nil // the process has cancelled it by now
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

// passRevised skips the entry of the log after which the current rules hold, if that is the
// next entry.
func (p *Process) passRevised() {
	if len(p.replay) == 0 || p.replay[0].Error == nil {
		return
	}
	switch next := p.replay[0]; {
	case next.Error.Code == codeDecided && len(next.Value) > 0:
		p.revised, p.decides = true, true // decide passes it
	case next.Error.Code == codeRevised, next.Error.Code == codeDecided:
		p.mark, p.replay = p.replay[:1:1], p.replay[1:]
		p.revised, p.decides = true, p.decides || next.Error.Code == codeDecided
	}
}

// keepMark adds the entry that passRevised skipped to the log, and reports whether there was one.
func (p *Process) keepMark() bool {
	if len(p.mark) == 0 {
		return false
	}
	p.log, p.mark = append(p.log, p.mark...), nil
	return true
}

// earlier implements [Env.Earlier].
func (p *Process) earlier() bool {
	if p.outer != nil {
		return p.outer.earlier()
	}
	p.passRevised()
	return !p.revised && len(p.log) <= p.recorded
}

// revise implements [Env.Revise].
func (p *Process) revise() {
	if p.outer != nil {
		p.outer.revise()
	}
	if p.keepMark() || p.revised {
		return // a decision without a difference may have skipped the entry
	}
	p.note(nil)
}

// note adds an entry about the rules to the log, with a decision or nil.
func (p *Process) note(decision json.RawMessage) {
	p.revised, p.decides = true, true
	a := Answer{Value: decision, Error: &EffectError{Code: codeDecided, Message: revisedMessage}}
	if len(p.log) > 0 {
		a.Effect = p.log[len(p.log)-1].Effect
	}
	p.log = append(p.log, a)
}

// decide implements [Env.Decide].
func (p *Process) decide(differs bool, current json.RawMessage) json.RawMessage {
	if p.outer != nil {
		decision := p.outer.decide(differs, current)
		if decision != nil && (differs || string(decision) != string(current)) {
			p.note(decision)
		}
		return decision
	}
	p.passRevised()
	if len(p.replay) > 0 {
		if a := p.replay[0]; a.Error != nil && a.Error.Code == codeDecided && len(a.Value) > 0 {
			p.keepMark()
			p.log, p.replay, p.revised, p.decides = append(p.log, a), p.replay[1:], true, true
			return a.Value
		}
	}
	recorded := len(p.log)+len(p.mark) <= p.recorded
	switch {
	case p.earlier(), differs && recorded && p.decides:
		return nil
	case differs && !recorded:
		p.keepMark()
		p.note(current)
	}
	return current
}

// passUnrecorded ends an open effect that the log lacks with an error, and reports whether
// there was such an effect.
func (p *Process) passUnrecorded() bool {
	for _, pending := range p.sortedOpen() {
		if pending.extra {
			p.deliver(pending, Answer{Effect: pending.effect.ID, Error: &EffectError{Code: CodeUnrecorded, Message: "the recording contains no reply to this request"}})
			return true
		}
	}
	return false
}

// interruptCut queues the end of each stream that the log cuts off, ordered by their
// first chunks in the log.
func (p *Process) interruptCut() {
	seen := map[string]bool{}
	for _, a := range p.log {
		if pending, ok := p.open[a.Effect]; ok && pending.arrived > 0 && !seen[a.Effect] {
			seen[a.Effect] = true
			p.queue = append(p.queue, Answer{Effect: a.Effect, Error: &EffectError{
				Code: CodeInterrupted, Message: "the run was interrupted before this reply was complete",
			}})
			pending.delivered = true // the host has nothing left to do
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

// pause is called by the meter at the end of a slice: the current task yields.
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

// stopAll ends every task and cancels the open effects.
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

// drop removes an open effect, and cancels it if it was handed to the host.
func (p *Process) drop(pending *Pending) {
	if _, open := p.open[pending.effect.ID]; !open {
		return
	}
	delete(p.open, pending.effect.ID)
	if p.state == StateWorking || p.state == StateWaiting {
		p.logCancelled(pending)
	}
	if pending.delivered {
		p.cancel = append(p.cancel, pending.effect.ID)
	}
}

// logCancelled records that the process cancelled a stream.
func (p *Process) logCancelled(pending *Pending) {
	if pending.arrived > 0 {
		p.log = append(p.log, Answer{Effect: pending.effect.ID, Error: &EffectError{Code: codeCancelled, Message: "the run cancelled the stream"}})
	}
}

// flush returns the collected output. During the replay of a log it returns no effects,
// because the log may answer them.
func (p *Process) flush() Output {
	out := Output{Cancel: p.cancel, Events: p.events, State: p.state, Result: p.result, Err: p.err}
	p.cancel, p.events = nil, nil
	if len(p.replay) > 0 {
		return out
	}
	for _, pending := range p.issued {
		if _, open := p.open[pending.effect.ID]; open && !pending.delivered {
			pending.delivered = true
			out.Effects = append(out.Effects, pending.effect)
		}
	}
	p.issued = nil
	return out
}

// LogError reports that a log belongs to another process.
type LogError struct {
	Effect string
	Index  int // of the answer in the log
}

// Error returns the answer without an effect.
func (e *LogError) Error() string {
	return "the recorded run does not match: its answer " + strconv.Itoa(e.Index+1) +
		" is for effect " + strconv.Quote(e.Effect) + ", which this run does not ask for; the spec or the settings have changed since"
}

// newRand returns the random source of a task. Each task has its own, so the order in
// which concurrent tasks draw does not matter.
func newRand(seed uint64, task string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(task))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
