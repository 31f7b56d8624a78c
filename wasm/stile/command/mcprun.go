package command

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/gate"
)

// mcpRun judges the tool calls of one run. It is safe for concurrent use.
type mcpRun struct {
	mu      sync.Mutex
	session *gate.Session
	calls   map[string]mcpCall // by the scope and the identifier of the waiting request
	inputs  map[string]mcpCall // by tool and arguments: calls that wait for input of the client
	last    int

	// Fields that mcpServer.mu protects.
	used    float64 // time of the last message in seconds
	entered bool    // the server answered a request with another status than 404, so that it has the session
}

// mcpCall is a call that the guard allowed.
type mcpCall struct {
	id, tool, key string
	lost          bool // the client cancelled the call or left, so that the run does not wait for its result
}

func newMCPRun(guard *gate.Guard, o gate.Options) (*mcpRun, error) {
	session, err := guard.Begin(o)
	return &mcpRun{session: session, calls: map[string]mcpCall{}, inputs: map[string]mcpCall{}}, err
}

// end ends the run. Later calls are refused.
func (r *mcpRun) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.session.End()
}

// waits reports whether a call has no result yet.
func (r *mcpRun) waits() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, call := range r.calls {
		if !call.lost {
			return true
		}
	}
	return len(r.inputs) > 0
}

// lose notes that the client does not wait for the call of a request. A result that arrives nevertheless is entered.
func (r *mcpRun) lose(request string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if call, ok := r.calls[request]; ok {
		call.lost = true
		r.calls[request] = call
	}
}

// fail enters an error for the call of a request, if it has no result.
func (r *mcpRun) fail(request, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if call, ok := r.calls[request]; ok {
		delete(r.calls, request)
		r.session.Record(gate.Event{Kind: "error", Name: call.tool, ID: call.id, Content: reason})
	}
}

// fromClient judges a message of the client. It returns either the message to forward or the answer to the
// client. It returns neither for a tool call without an identifier, which expects no answer and is dropped.
func (r *mcpRun) fromClient(scope string, text []byte) (forward, answer []byte) {
	m, err := parseRPC(text)
	if err != nil {
		return nil, faultRPC(m.ID, -32600, err.Error())
	}
	if m.Method == "tools/call" {
		if len(m.ID) == 0 || string(m.ID) == "null" {
			return nil, nil
		}
		params, reason := r.judge(scope+keyOf(m.ID), m.Params)
		if reason != "" {
			return nil, refusedCall(m, reason)
		}
		m.Params = params
	}
	if m.Method == "notifications/cancelled" {
		var cancelled struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(m.Params, &cancelled) == nil {
			r.lose(scope + keyOf(cancelled.RequestID))
		}
	}
	if forward, err = json.Marshal(m); err != nil {
		return nil, faultRPC(nil, -32600, err.Error())
	}
	return forward, nil
}

// judge judges a call. It returns the parameters to forward, or the reason of a refusal.
func (r *mcpRun) judge(request string, text json.RawMessage) (params json.RawMessage, reason string) {
	var members map[string]json.RawMessage
	var tool string
	if json.Unmarshal(text, &members) != nil || json.Unmarshal(members["name"], &tool) != nil {
		return nil, "the call has no name"
	}
	if members["task"] != nil {
		return nil, "the proxy does not judge calls that run as tasks, whose results have other requests"
	}
	for _, known := range []string{"name", "arguments", "task", "_meta", "inputResponses", "requestState"} {
		for name := range members {
			if name != known && strings.EqualFold(name, known) {
				return nil, fmt.Sprintf("unknown parameter %q of the call", name)
			}
		}
	}
	params, err := json.Marshal(members)
	if err != nil {
		return nil, err.Error()
	}
	arguments := string(members["arguments"])
	if arguments == "null" {
		arguments = ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, waits := r.calls[request]; waits {
		return nil, "a request with this id waits for its answer"
	}
	key := tool + "\x00" + arguments
	call, continued := r.inputs[key]
	if continued && (members["inputResponses"] != nil || members["requestState"] != nil) {
		delete(r.inputs, key)
	} else {
		r.last++
		call = mcpCall{id: fmt.Sprintf("call-%d", r.last), tool: tool, key: key}
		if d := r.session.Allow(gate.Event{Name: tool, ID: call.id, Arguments: arguments}); d.Verdict != gate.Allow {
			return nil, refusal(d)
		}
	}
	r.calls[request] = call
	return params, ""
}
