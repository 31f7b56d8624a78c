package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
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

// CallError is an error that the core answered with.
type CallError struct {
	Method string
	Fault  session.Error
}

// Error returns what the core says, with the method that said it.
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
		return fmt.Errorf("%s: the reply is not of the protocol: %w", method, err)
	}
	if envelope.Error != nil {
		return &CallError{method, *envelope.Error}
	}
	return json.Unmarshal(envelope.Result, result)
}

// Runner drives runs: it performs their effects and gives them their slices.
type Runner struct {
	Handler Handler
	Client  *http.Client                      // nil: http.DefaultClient
	Key     func(endpoint, url string) string // the key of an endpoint, "" for none; nil: there are none
	Ask     func(process.Question) string     // a person; nil: questions end the run with an error
	Event   func(event json.RawMessage)       // watches the run; may be nil
	Slice   int64                             // see session.RunResumeParams
}

// Outcome is how a run ended.
type Outcome struct {
	Result json.RawMessage
	Log    session.RunLog
}

// Run starts a run and drives it to its end. A run that fails is a [CallError]
// with the code the run failed with; the outcome has its log all the same. When
// ctx is cancelled the run is stopped, its requests are aborted, and ctx's error
// is returned.
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

// effects are the effects of one run under way.
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

// wait returns the next answer that is still wanted.
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
	default:
		abort()
		return fmt.Errorf("the run wants an effect of kind %q, which this host does not perform", effect.Kind)
	}
	go func() { e.send(ctx, perform()) }()
	return nil
}

// send delivers an answer unless nobody wants it any more.
func (e *effects) send(ctx context.Context, a process.Answer) {
	select {
	case e.answers <- a:
	case <-ctx.Done():
	}
}

func answerOf(id string, value json.RawMessage, err error) process.Answer {
	if err != nil {
		return process.Answer{Effect: id, Error: &process.EffectError{Code: "network", Message: err.Error()}}
	}
	return process.Answer{Effect: id, Value: []byte(value)}
}

// maxBody bounds what is read of a response that is not streamed.
const maxBody = 32 << 20

// fetch performs an HTTP effect; the chunks of a stream are sent as they come.
func (e *effects) fetch(ctx context.Context, id string, h process.HTTP) process.Answer {
	request, err := http.NewRequestWithContext(ctx, h.Method, h.URL, strings.NewReader(h.Body))
	if err != nil {
		return answerOf(id, nil, err)
	}
	for name, value := range h.Headers {
		request.Header.Set(name, value)
	}
	if name, ok := strings.CutPrefix(h.Auth, "endpoint:"); ok && e.runner.Key != nil {
		if key := e.runner.Key(name, h.URL); key != "" {
			request.Header.Set("Authorization", "Bearer "+key)
		}
	}
	client := e.runner.Client
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	if err != nil {
		return answerOf(id, nil, err)
	}
	defer response.Body.Close()
	value := process.HTTPValue{Status: response.StatusCode, Headers: map[string]string{}}
	for name := range response.Header {
		value.Headers[strings.ToLower(name)] = response.Header.Get(name)
	}
	if h.Stream {
		err = e.stream(ctx, id, response.Body)
	} else {
		var body []byte
		body, err = io.ReadAll(io.LimitReader(response.Body, maxBody))
		value.Body = string(bytes.ToValidUTF8(body, []byte("\uFFFD")))
	}
	if err != nil {
		return answerOf(id, nil, err)
	}
	raw, err := json.Marshal(value)
	return answerOf(id, raw, err)
}

// stream sends a body piece by piece, cut only between characters.
func (e *effects) stream(ctx context.Context, id string, body io.Reader) error {
	buffer := make([]byte, 32<<10)
	var rest []byte
	for {
		n, err := body.Read(buffer)
		rest = append(rest, buffer[:n]...)
		whole := len(rest)
		if err == nil {
			whole = wholeRunes(rest)
		}
		if whole > 0 {
			text := string(bytes.ToValidUTF8(rest[:whole], []byte("\uFFFD")))
			e.send(ctx, process.Answer{Effect: id, Chunk: &text})
			rest = append(rest[:0], rest[whole:]...)
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// wholeRunes returns how many bytes of b there are up to its last character that
// may still be incomplete.
func wholeRunes(b []byte) int {
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
