package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/gate"
)

// maxMessage bounds a message of JSON-RPC, in bytes.
const maxMessage = 32 << 20

// mcpRun judges the tool calls of one run. It is safe for concurrent use.
type mcpRun struct {
	mu      sync.Mutex
	session *gate.Session
	calls   map[string]mcpCall // by the scope and the identifier of the waiting request
	inputs  map[string]mcpCall // by tool and arguments: calls that wait for input of the client
	last    int
}

// mcpCall is a call that the guard allowed.
type mcpCall struct{ id, tool, key string }

func newMCPRun(guard *gate.Guard, o gate.Options) (*mcpRun, error) {
	session, err := guard.Begin(o)
	return &mcpRun{session: session, calls: map[string]mcpCall{}, inputs: map[string]mcpCall{}}, err
}

// rpc is a message of JSON-RPC. Other members are not forwarded, because a server could read
// "Method" as a method.
type rpc struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// parseRPC reads a message by the exact names of its members.
func parseRPC(text []byte) (rpc, error) {
	m := rpc{Version: "2.0"}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return m, errors.New("a message has to be one JSON object")
	}
	if method, ok := members["method"]; ok {
		if err := json.Unmarshal(method, &m.Method); err != nil || m.Method == "" {
			return m, errors.New("the method is not a text")
		}
	}
	m.ID, m.Params, m.Result, m.Error = members["id"], members["params"], members["result"], members["error"]
	return m, nil
}

// answerRPC returns the encoding of a message; its parts are valid JSON.
func answerRPC(id json.RawMessage, member string, value any) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	out, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, member: value})
	if err != nil {
		panic(err) // maps of texts and valid JSON always encode
	}
	return out
}

func faultRPC(id json.RawMessage, code int, reason string) []byte {
	return answerRPC(id, "error", map[string]any{"code": code, "message": reason})
}

// fromClient judges a message of the client. It returns either the message to forward or the answer to the
// client. It returns neither for a tool call without an identifier, which expects no answer and is dropped.
func (r *mcpRun) fromClient(scope string, text []byte) (forward, answer []byte) {
	m, err := parseRPC(text)
	if err != nil {
		return nil, faultRPC(nil, -32600, err.Error())
	}
	if m.Method == "tools/call" {
		if len(m.ID) == 0 || string(m.ID) == "null" {
			return nil, nil
		}
		params, reason := r.judge(scope+keyOf(m.ID), m.Params)
		if reason != "" {
			result := map[string]any{"content": []any{map[string]string{"type": "text", "text": reason}}, "isError": true}
			var meta struct {
				Meta map[string]json.RawMessage `json:"_meta"`
			}
			_ = json.Unmarshal(m.Params, &meta) // parameters without _meta are those of an older revision
			if meta.Meta["io.modelcontextprotocol/protocolVersion"] != nil {
				result["resultType"] = "complete" // required since revision 2026-07-28
			}
			return nil, answerRPC(m.ID, "result", result)
		}
		m.Params = params
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
		call = mcpCall{fmt.Sprintf("call-%d", r.last), tool, key}
		if d := r.session.Allow(gate.Event{Name: tool, ID: call.id, Arguments: arguments}); d.Verdict != gate.Allow {
			return nil, refusal(d)
		}
	}
	r.calls[request] = call
	return params, ""
}

// keyOf returns a text that is equal for equal identifiers, such as 1 and 1.0.
func keyOf(id json.RawMessage) string {
	var value any
	if json.Unmarshal(id, &value) != nil {
		return string(id)
	}
	return fmt.Sprintf("%T %v", value, value)
}

// fromServer enters the result of a call, and those of the calls in a batch. Other messages have no effect.
func (r *mcpRun) fromServer(scope string, text []byte) {
	var batch []json.RawMessage
	if json.Unmarshal(text, &batch) == nil {
		for _, one := range batch {
			r.fromServer(scope, one)
		}
		return
	}
	m, err := parseRPC(text)
	if err != nil || m.Method != "" || len(m.ID) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	call, ok := r.calls[scope+keyOf(m.ID)]
	if !ok {
		return
	}
	delete(r.calls, scope+keyOf(m.ID))
	e := gate.Event{Kind: "error", Name: call.tool, ID: call.id, Content: string(m.Error)}
	if m.Error == nil {
		var result struct {
			ResultType        string
			IsError           bool
			Content           []struct{ Type, Text string }
			StructuredContent json.RawMessage
		}
		e.Kind, e.Content = "result", string(m.Result)
		if json.Unmarshal(m.Result, &result) == nil {
			if result.ResultType == "input_required" {
				r.inputs[call.key] = call
				return
			}
			if result.IsError {
				e.Kind = "error"
			}
			var texts []string
			for _, part := range result.Content {
				if part.Type == "text" {
					texts = append(texts, part.Text)
				}
			}
			if len(result.Content) > 0 && len(texts) == len(result.Content) {
				e.Content = strings.Join(texts, "\n")
			} else if len(result.Content) == 0 && result.StructuredContent != nil {
				e.Content = string(result.StructuredContent)
			}
		}
	}
	r.session.Record(e)
}

// mcpProxyVerb judges the calls between an MCP client and a server.
func mcpProxyVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "mcp-proxy")
	var g guarding
	g.add(flags)
	var h httpFlags
	h.add(flags)
	url := flags.String("url", "", "`address` of a server with streamable HTTP; without it, the proxy starts the command after -- and uses stdio")
	var program []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, program = args[:i], args[i+1:]
	}
	specs, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if (*url == "") == (len(program) == 0) {
		return Error, errors.New("expected SPEC… -- COMMAND ARGUMENT… or -url ADDRESS SPEC…")
	}
	guard, err := g.open(specs)
	if err != nil {
		return Error, err
	}
	o := g.options(func(err error) { fmt.Fprintln(s.Err, "stile: "+err.Error()) })
	if *url != "" {
		return h.serve(ctx, s, *url, func(upstream string) (handler, error) { return newMCPServer(guard, o, upstream, h.session) })
	}
	run, err := newMCPRun(guard, o)
	if err != nil {
		return Error, err
	}
	if err := run.stdio(ctx, s, program); err != nil {
		return Error, err
	}
	return Pass, nil
}

// stdio starts a server and forwards messages, one per line, until either side closes.
func (r *mcpRun) stdio(ctx context.Context, s Streams, program []string) error {
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stderr = s.Err
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var writing sync.Mutex
	write := func(line []byte) error {
		writing.Lock()
		defer writing.Unlock()
		_, err := s.Out.Write(append(bytes.TrimSpace(line), '\n'))
		return err
	}
	client := make(chan error, 1)
	go func() {
		client <- errors.Join(eachLine(s.In, func(line []byte) error {
			forward, answer := r.fromClient("", line)
			if answer != nil {
				return write(answer)
			}
			if forward == nil {
				return nil
			}
			_, err := in.Write(append(forward, '\n'))
			return err
		}), in.Close())
	}()
	err = eachLine(out, func(line []byte) error {
		r.fromServer("", line)
		return write(line)
	})
	select {
	case fault := <-client:
		err = errors.Join(err, fault)
	default: // the server closed first
	}
	r.mu.Lock()
	r.session.End()
	r.mu.Unlock()
	return errors.Join(err, cmd.Wait())
}

// eachLine calls a function for each line that is not empty.
func eachLine(r io.Reader, f func(line []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := f(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}
