package process

import (
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
)

// Request is what a process asks of the world. Exactly one field is set.
type Request struct {
	HTTP     *HTTP
	Question *Question
	Timer    *Timer
	Solve    *solve.Query // its value is a [solve.Reply]
}

// HTTP is a request over HTTP. No key is ever in it: Auth names the endpoint
// whose key the host adds. A request of a tool goes where a workspace says, which may
// come from anywhere: a host performs it only if the person agreed to its method and
// address, and adds a key only if the person agreed to that, too.
type HTTP struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Auth    string            `json:"auth,omitempty"`   // "endpoint:NAME" of a model's request, "tool:NAME" of a tool's, or none
	Tool    bool              `json:"tool,omitempty"`   // a tool's request, not a model's
	Stream  bool              `json:"stream,omitempty"` // the body is wanted in chunks as it comes
	// AuthHeader is the header that the key goes into as it is. Where it is empty
	// the key goes into "authorization", as a bearer's.
	AuthHeader string `json:"authHeader,omitempty"`
	// Idle is how many milliseconds the host waits for a byte before it gives up
	// with the error code "timeout"; 0: for ever.
	Idle int `json:"idle,omitempty"`
}

// Timer asks to be woken when a time is over. Its value is null.
type Timer struct {
	Milliseconds int `json:"milliseconds"`
}

// Question is put to a person, who answers with a text: the answer's value is a
// JSON string.
type Question struct {
	Prompt    string   `json:"prompt"`
	Choices   []string `json:"choices,omitempty"` // offered as buttons; the answer is "1", "2", …
	Multiline bool     `json:"multiline,omitempty"`
}

// HTTPValue is the value that answers an [HTTP] request. When the request asked
// for a stream, the chunks have carried the body and Body is empty.
type HTTPValue struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	// Milliseconds from the sending to the end, as the host measured them: the core
	// has no clock, and what is recorded replays.
	Milliseconds int `json:"milliseconds,omitempty"`
}

// Effect is a request with the identifier that its answers name. Identifiers
// count per task ("e1", "e2"; of the root's second child "2.e1"), so they are
// the same in every replay, whatever order concurrent answers take.
type Effect struct {
	ID       string       `json:"id"`
	Kind     string       `json:"kind"` // "http", "question", "timer" or "solve"
	HTTP     *HTTP        `json:"http,omitempty"`
	Question *Question    `json:"question,omitempty"`
	Timer    *Timer       `json:"timer,omitempty"`
	Solve    *solve.Query `json:"solve,omitempty"`
}

// Answer is what the host says of an effect: any number of chunks, then one
// value or one error. Exactly one of Chunk, Value and Error is set.
type Answer struct {
	Effect string          `json:"effect"`
	Chunk  *string         `json:"chunk,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
	Error  *EffectError    `json:"error,omitempty"`
}

// EffectError is a failure that the host reports: the effect could not be
// performed, or broke off.
type EffectError struct {
	Code    string `json:"code"` // e.g. "network" (not reached), "cut" (broken off), "cors", "timeout"
	Message string `json:"message"`
}

// Error returns the message.
func (e *EffectError) Error() string { return e.Message }

// Pending is an effect under way.
type Pending struct {
	env    *Env
	effect Effect
	handed bool // the host knows of it
	agains int  // effects that follow from it
	extra  bool // it follows from another one: a log from before there were such may lack it

	chunks  []string // arrived, not yet read
	arrived int      // how many chunks have arrived
	done    bool
	value   json.RawMessage
	err     error
}

// Value waits for the final answer. Chunks that were not read are passed over.
func (p *Pending) Value() (json.RawMessage, error) {
	if err := p.env.wait(func() bool { return p.done }); err != nil {
		return nil, err
	}
	return p.value, p.err
}

// Chunk waits for the next chunk of a stream. It returns false at the end of
// the stream, with the error that the stream ended with, if any.
func (p *Pending) Chunk() (string, bool, error) {
	if err := p.env.wait(func() bool { return p.done || len(p.chunks) > 0 }); err != nil {
		return "", false, err
	}
	if len(p.chunks) > 0 {
		chunk := p.chunks[0]
		p.chunks = p.chunks[1:]
		return chunk, true, nil
	}
	return "", false, p.err
}

// Cancel says that no further answer is wanted: the host is told to abort.
// Afterwards Value and Chunk return [ErrCancelled]. Cancelling an answered
// effect does nothing.
func (p *Pending) Cancel() {
	if !p.done {
		p.done, p.err, p.chunks = true, ErrCancelled, nil
		p.env.process.drop(p)
	}
}

// splitEffectID splits "2.e1" into its task "2" and its number 1.
func splitEffectID(id string) (task string, number int, ok bool) {
	i := strings.LastIndexByte(id, 'e')
	if i < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(id[i+1:])
	if err != nil || number < 1 {
		return "", 0, false
	}
	return strings.TrimSuffix(id[:i], "."), number, true
}

// effectID is the inverse of splitEffectID.
func effectID(task string, number int) string {
	if task != "" {
		task += "."
	}
	return task + "e" + strconv.Itoa(number)
}

func sortPending(list []*Pending) {
	sort.Slice(list, func(i, j int) bool { return list[i].effect.ID < list[j].effect.ID })
}
