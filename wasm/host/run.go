package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
)

// Handler answers requests of the protocol: an [Instance], or the core itself
// through [Native].
type Handler interface {
	Handle(ctx context.Context, request []byte) ([]byte, error)
}

// Native is the core linked into this program as a [Handler].
func Native(s *session.Session) Handler { return native{s} }

type native struct{ session *session.Session }

// Handle implements [Handler]; it never fails.
func (n native) Handle(_ context.Context, request []byte) ([]byte, error) {
	return n.session.Handle(request), nil
}

// CallError is an error reply of the core.
type CallError struct {
	Method string
	Fault  session.Error
}

// Error returns the method and the core's message.
func (e *CallError) Error() string { return e.Method + ": " + e.Fault.Message }

// Call calls a method of the protocol and decodes its result.
func Call(ctx context.Context, h Handler, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("%s: encode the parameters: %w", method, err)
	}
	request, err := json.Marshal(struct {
		ID     int             `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}{1, method, raw})
	if err != nil {
		return err
	}
	reply, err := h.Handle(ctx, request)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var envelope struct {
		Result json.RawMessage `json:"result"`
		Error  *session.Error  `json:"error"`
	}
	if err := json.Unmarshal(reply, &envelope); err != nil {
		return fmt.Errorf("%s: the reply does not follow the protocol: %w", method, err)
	}
	if envelope.Error != nil {
		return &CallError{method, *envelope.Error}
	}
	return json.Unmarshal(envelope.Result, result)
}

// Runner drives runs: it performs their effects and resumes them slice by slice.
type Runner struct {
	Handler Handler
	Client  *http.Client                      // nil: http.DefaultClient
	Key     func(endpoint, url string) string // the key of an endpoint for a model's request, "" for none; nil: no keys
	// ToolKey returns the key of an endpoint for a tool's request, or "" to reject the request. The workspace
	// chooses endpoint and address, so return a key only for addresses that a person has approved.
	// nil rejects every request that needs a key.
	ToolKey func(endpoint, method, url string) string
	Ask     func(process.Question) string // answers for a person; nil: questions end the run with an error
	Event   func(event json.RawMessage)   // observes the run; may be nil
	// Solve answers a solver query, as [Solvers.Solve] does; nil answers every query with an
	// error.
	Solve func(ctx context.Context, q solve.Query) (solve.Reply, error)
	Slice int64 // see session.RunResumeParams

	// After is the clock of timers, and Stopwatch starts a measurement and returns a function that
	// reads it; nil uses package time. Both are called concurrently. Idle limits always use
	// package time.
	After     func(time.Duration) <-chan time.Time
	Stopwatch func() (elapsed func() time.Duration)
	// Now is the clock that runs read; nil: time.Now.
	Now func() time.Time
}

// Outcome is the result of a run.
type Outcome struct {
	Result json.RawMessage
	Log    session.RunLog
}

// Run starts a run and drives it to its end. A failed run returns a [CallError] with the run's
// code, and an outcome with its log. Cancelling ctx stops the run, aborts its requests and returns
// ctx's error.
func (r *Runner) Run(ctx context.Context, params session.RunStartParams) (outcome Outcome, err error) {
	var started session.RunStartResult
	if err := Call(ctx, r.Handler, "run.start", params, &started); err != nil {
		return outcome, err
	}
	number := session.RunParams(started)
	effects := newEffects(ctx, r)
	defer func() {
		effects.close()
		var log session.RunLogResult
		err = errors.Join(err, Call(context.WithoutCancel(ctx), r.Handler, "run.log", number, &log))
		outcome.Log = log.Log
		err = errors.Join(err, Call(context.WithoutCancel(ctx), r.Handler, "run.stop", number, &session.RunResumeResult{}))
	}()
	var answers []process.Answer
	for {
		var out session.RunResumeResult
		resume := session.RunResumeParams{Run: started.Run, Answers: answers, Slice: r.Slice}
		if err := Call(ctx, r.Handler, "run.resume", resume, &out); err != nil {
			return outcome, err
		}
		if r.Event != nil {
			for _, e := range out.Events {
				r.Event(json.RawMessage(e))
			}
		}
		effects.cancel(out.Cancel)
		for _, e := range out.Effects {
			if err := effects.start(e); err != nil {
				return outcome, err
			}
		}
		answers = nil
		switch out.State {
		case process.StateDone:
			outcome.Result = json.RawMessage(out.Result)
			return outcome, nil
		case process.StateFailed:
			return outcome, &CallError{"run", *out.Error}
		case process.StateWaiting:
			if answers, err = effects.wait(); err != nil {
				return outcome, err
			}
		default:
			if err := ctx.Err(); err != nil {
				return outcome, err
			}
		}
	}
}

// effects holds the pending effects of one run.
type effects struct {
	runner  *Runner
	ctx     context.Context
	stop    context.CancelFunc
	answers chan process.Answer
	aborts  map[string]context.CancelFunc
}

func newEffects(ctx context.Context, r *Runner) *effects {
	e := &effects{runner: r, answers: make(chan process.Answer), aborts: map[string]context.CancelFunc{}}
	e.ctx, e.stop = context.WithCancel(ctx)
	return e
}

func (e *effects) close() { e.stop() }

func (e *effects) cancel(ids []string) {
	for _, id := range ids {
		if abort := e.aborts[id]; abort != nil {
			abort()
		}
		delete(e.aborts, id)
	}
}

// wait returns the next answer whose effect is still pending.
func (e *effects) wait() ([]process.Answer, error) {
	for {
		select {
		case answer := <-e.answers:
			if e.aborts[answer.Effect] == nil {
				continue
			}
			if answer.Chunk == nil {
				e.aborts[answer.Effect]()
				delete(e.aborts, answer.Effect)
			}
			return []process.Answer{answer}, nil
		case <-e.ctx.Done():
			return nil, e.ctx.Err()
		}
	}
}

func (e *effects) start(effect process.Effect) error {
	ctx, abort := context.WithCancel(e.ctx)
	e.aborts[effect.ID] = abort
	var perform func() process.Answer
	switch {
	case effect.HTTP != nil:
		perform = func() process.Answer { return e.fetch(ctx, effect.ID, *effect.HTTP) }
	case effect.Question != nil && e.runner.Ask != nil:
		perform = func() process.Answer {
			value, err := json.Marshal(e.runner.Ask(*effect.Question))
			return answerOf(effect.ID, value, err)
		}
	case effect.Solve != nil:
		perform = func() process.Answer { return e.solve(ctx, effect.ID, *effect.Solve) }
	case effect.Timer != nil:
		perform = func() process.Answer { return e.wake(ctx, effect.ID, *effect.Timer) }
	case effect.Clock != nil:
		perform = func() process.Answer { return e.clock(effect.ID) }
	default:
		abort()
		return fmt.Errorf("the run wants an effect of kind %q, which this host does not perform", effect.Kind)
	}
	go func() { e.send(ctx, perform()) }()
	return nil
}

// send delivers an answer unless its effect was cancelled.
func (e *effects) send(ctx context.Context, a process.Answer) {
	select {
	case e.answers <- a:
	case <-ctx.Done():
	}
}

// wake answers a timer when it expires.
func (e *effects) wake(ctx context.Context, id string, t process.Timer) process.Answer {
	after := e.runner.After
	if after == nil {
		after = time.After
	}
	select {
	case <-after(time.Duration(t.Milliseconds) * time.Millisecond):
	case <-ctx.Done():
	}
	return process.Answer{Effect: id, Value: []byte("null")}
}

// clock answers with the present time.
func (e *effects) clock(id string) process.Answer {
	now := e.runner.Now
	if now == nil {
		now = time.Now
	}
	return process.Answer{Effect: id, Value: fmt.Appendf(nil, "%.3f", float64(now().UnixMilli())/1000)}
}

// solve answers a solver query.
func (e *effects) solve(ctx context.Context, id string, q solve.Query) process.Answer {
	if e.runner.Solve == nil {
		return process.Answer{Effect: id, Error: &process.EffectError{Code: solve.CodeUnavailable, Message: "this host has no solvers"}}
	}
	reply, err := e.runner.Solve(ctx, q)
	var fault *process.EffectError
	if errors.As(err, &fault) {
		return process.Answer{Effect: id, Error: fault}
	}
	raw, marshalErr := json.Marshal(reply)
	return answerOf(id, raw, errors.Join(err, marshalErr))
}

func answerOf(id string, value json.RawMessage, err error) process.Answer {
	if err != nil {
		return process.Answer{Effect: id, Error: &process.EffectError{Code: codeOf(err), Message: err.Error()}}
	}
	return process.Answer{Effect: id, Value: []byte(value)}
}

// errCut reports an interrupted answer, which is billed even if only a part of it arrived.
var errCut = errors.New("the connection broke off")

// errIdle ends a request after too long without data.
var errIdle = errors.New("no data arrived for too long")

func codeOf(err error) string {
	switch {
	case errors.Is(err, errIdle), errors.Is(err, errKeptAlive):
		return "timeout"
	case errors.Is(err, errCut):
		return "cut"
	case errors.Is(err, errConsent):
		return "consent"
	default:
		return "network"
	}
}

// maxBody bounds the bytes read from a response that is not streamed.
const maxBody = 32 << 20

// errConsent rejects a tool request with a key that no person has approved.
var errConsent = errors.New("no key is approved for this tool's address")

// keyFor returns the key for a request, "" for none.
func (e *effects) keyFor(h process.HTTP) (string, error) {
	if name, ok := strings.CutPrefix(h.Auth, "endpoint:"); ok && !h.Tool && e.runner.Key != nil {
		return e.runner.Key(name, h.URL), nil
	}
	if name, ok := strings.CutPrefix(h.Auth, "tool:"); ok {
		if e.runner.ToolKey != nil {
			if key := e.runner.ToolKey(name, h.Method, h.URL); key != "" {
				return key, nil
			}
		}
		return "", errConsent
	}
	return "", nil
}

// Under reports whether an address equals a base address or lies below it: same scheme, host and
// port, and a path that starts with all segments of the base path. A key for a base is sent to
// such addresses only.
func Under(address, base string) bool {
	a, errA := url.Parse(address)
	b, errB := url.Parse(base)
	if errA != nil || errB != nil || a.Scheme != b.Scheme || a.Host != b.Host || b.Host == "" || a.User != nil {
		return false
	}
	within, prefix := path.Clean("/"+a.Path), strings.TrimSuffix(path.Clean("/"+b.Path), "/")
	return within == prefix || strings.HasPrefix(within, prefix+"/")
}

// fetch performs an HTTP effect and sends the chunks of a stream as they arrive. It removes the
// key from everything that the core receives, because some servers repeat it.
func (e *effects) fetch(ctx context.Context, id string, h process.HTTP) process.Answer {
	key, err := e.keyFor(h)
	if err != nil {
		return answerOf(id, nil, err)
	}
	began := time.Now()
	elapsed := func() time.Duration { return time.Since(began) }
	if e.runner.Stopwatch != nil {
		elapsed = e.runner.Stopwatch()
	}
	value, err := e.request(ctx, id, h, key)
	if err != nil {
		return answerOf(id, nil, hideIn(err, key))
	}
	value.Milliseconds = int(elapsed().Milliseconds())
	raw, err := json.Marshal(value)
	return answerOf(id, raw, err)
}

func (e *effects) request(ctx context.Context, id string, h process.HTTP, key string) (process.HTTPValue, error) {
	value := process.HTTPValue{Headers: map[string]string{}}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := newSilence(time.Duration(h.Idle)*time.Millisecond, stop)
	defer silence.heard(nil)
	request, err := http.NewRequestWithContext(ctx, h.Method, h.URL, strings.NewReader(h.Body))
	if err != nil {
		return value, err
	}
	for name, text := range h.Headers {
		request.Header.Set(name, text)
	}
	switch {
	case key == "":
	case h.AuthHeader == "":
		request.Header.Set("Authorization", "Bearer "+key)
	default:
		request.Header.Set(h.AuthHeader, key)
	}
	response, err := e.client().Do(request)
	if err != nil {
		return value, because(ctx, err)
	}
	defer response.Body.Close()
	silence.heard([]byte("headers\n"))
	value.Status = response.StatusCode
	for name := range response.Header {
		value.Headers[strings.ToLower(name)] = hide(response.Header.Get(name), key)
	}
	body := io.Reader(listener{response.Body, silence})
	if h.Stream && strings.HasPrefix(response.Header.Get("Content-Type"), eventStream) {
		body = &eventReader{in: body}
	}
	if h.Stream {
		err = e.stream(ctx, id, body, &hider{key: key})
	} else {
		var text []byte
		text, err = io.ReadAll(io.LimitReader(body, maxBody))
		value.Body = hide(string(bytes.ToValidUTF8(text, []byte("\uFFFD"))), key)
	}
	err = because(ctx, err)
	if err != nil && codeOf(err) != "timeout" && value.Status < 300 {
		err = fmt.Errorf("%w: %w", errCut, err)
	}
	return value, err
}

// because returns the cause of a failed request: the cause of its context if the context has ended, otherwise err.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && (errors.Is(cause, errIdle) || errors.Is(cause, errKeptAlive)) {
		return cause
	}
	return err
}

// client returns a client that follows no redirects, because the key is for the endpoint's address only.
func (e *effects) client() *http.Client {
	client := http.Client{}
	if e.runner.Client != nil {
		client = *e.runner.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// listener reports the start and the end of each wait for bytes.
type listener struct {
	io.Reader
	silence *silence
}

// Read implements [io.Reader].
func (l listener) Read(p []byte) (int, error) {
	l.silence.wait()
	n, err := l.Reader.Read(p)
	l.silence.heard(p[:n])
	return n, err
}

// stream sends a body in chunks, none of which ends within a character.
func (e *effects) stream(ctx context.Context, id string, body io.Reader, h *hider) error {
	buffer := make([]byte, 32<<10)
	var rest []byte
	send := func(text string) {
		if text != "" {
			e.send(ctx, process.Answer{Effect: id, Chunk: &text})
		}
	}
	for {
		n, err := body.Read(buffer)
		rest = append(rest, buffer[:n]...)
		whole := len(rest)
		if err == nil {
			whole = completeRunes(rest)
		}
		if whole > 0 {
			send(h.write(string(bytes.ToValidUTF8(rest[:whole], []byte("\uFFFD")))))
			rest = append(rest[:0], rest[whole:]...)
		}
		if err != nil {
			send(h.rest())
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// completeRunes returns the length of b without a final character that may be incomplete.
func completeRunes(b []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if c := b[len(b)-back]; utf8.RuneStart(c) {
			if utf8.FullRune(b[len(b)-back:]) {
				return len(b)
			}
			return len(b) - back
		}
	}
	return len(b)
}
