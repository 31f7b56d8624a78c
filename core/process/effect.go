package process

import (
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
)

// Request is a request to the host. Exactly one field is set.
type Request struct {
	HTTP     *HTTP
	Question *Question
	Timer    *Timer
	Solve    *solve.Query // its value is a [solve.Reply]
	Clock    *Clock
}

// HTTP is an HTTP request. It never contains a key: Auth names the endpoint whose key the
// host adds. The address of a tool's request comes from a workspace of any origin, so a
// host performs it only if the person agreed to its method and address, and adds a key
// only if the person agreed to that, too.
type HTTP struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Auth    string            `json:"auth,omitempty"`   // "endpoint:NAME" of a model's request, "tool:NAME" of a tool's, or none
	Tool    bool              `json:"tool,omitempty"`   // a tool's request, not a model's
	Stream  bool              `json:"stream,omitempty"` // the body is delivered in chunks
	// AuthHeader is the header for the key without a prefix. If it is empty, the key is a
	// bearer token in "authorization".
	AuthHeader string `json:"authHeader,omitempty"`
	// Idle is the timeout in milliseconds without a received byte, after which the host
	// answers with the code "timeout"; 0: none. A host also ends a request that receives
	// only keep-alives for five minutes, or for Idle if that is longer.
	Idle int `json:"idle,omitempty"`
}

// Timer requests an answer after a time. Its value is null.
type Timer struct {
	Milliseconds int `json:"milliseconds"`
}

// Clock requests the present time. Its value is the number of seconds since the beginning of 1970. The
// core has no clock; because the answer is in the log, a replay has the same times.
type Clock struct{}

// Question asks a person for a text; the value is a JSON string.
type Question struct {
	Prompt    string   `json:"prompt"`
	Choices   []string `json:"choices,omitempty"` // offered as buttons; the answer is "1", "2", …
	Multiline bool     `json:"multiline,omitempty"`
}

// HTTPValue is the value for an [HTTP] request. For a streamed request the chunks contain
// the body and Body is empty.
type HTTPValue struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	// Milliseconds from sending to the end, as measured by the host, because the core has
	// no clock and the log must replay.
	Milliseconds int `json:"milliseconds,omitempty"`
}

// Effect is a request with the identifier for its answers. Identifiers are counted per
// task ("e1", "e2"; "2.e1" in the root's second child), so they are the same in every
// replay, whatever the order of concurrent answers.
type Effect struct {
	ID       string       `json:"id"`
	Kind     string       `json:"kind"` // "http", "question", "timer", "solve" or "clock"
	HTTP     *HTTP        `json:"http,omitempty"`
	Question *Question    `json:"question,omitempty"`
	Timer    *Timer       `json:"timer,omitempty"`
	Solve    *solve.Query `json:"solve,omitempty"`
	Clock    *Clock       `json:"clock,omitempty"`
}

// Answer is a host's answer to an effect: any number of chunks, then one value or one
// error. Exactly one of Chunk, Value and Error is set.
type Answer struct {
	Effect string          `json:"effect"`
	Chunk  *string         `json:"chunk,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
	Error  *EffectError    `json:"error,omitempty"`
}

// EffectError is a failure of an effect, as the host reports it.
type EffectError struct {
	Code    string `json:"code"` // e.g. "network" (not reached), "cut" (broken off), "cors", "timeout"
	Message string `json:"message"`
}

// Error returns the message.
func (e *EffectError) Error() string { return e.Message }

// Pending is an effect in progress.
type Pending struct {
	env       *Env
	effect    Effect
	delivered bool // the host has received it
	agains    int  // number of effects that follow from it
	extra     bool // it follows from another effect, so old logs may lack it

	chunks  []string // arrived, not yet read
	arrived int      // how many chunks have arrived
	done    bool
	value   json.RawMessage
	err     error
}

// Value waits for the final answer and skips unread chunks.
func (p *Pending) Value() (json.RawMessage, error) {
	if err := p.env.wait(func() bool { return p.done }); err != nil {
		return nil, err
	}
	return p.value, p.err
}

// Chunk waits for the next chunk of a stream. At the end it returns false, with the
// stream's error if there is one.
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

// Cancel aborts the effect. Value and Chunk then return [ErrCancelled]. Cancelling an
// answered effect has no effect.
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
