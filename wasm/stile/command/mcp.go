package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// mcpRevisions are the revisions of the Model Context Protocol that the server speaks, the
// preferred one first.
var mcpRevisions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// mcpVerb serves the Model Context Protocol on the standard streams. Its tools judge without
// entering anything: an agent asks before it acts.
func mcpVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "mcp")
	var g guardFlags
	g.add(flags)
	modes := map[string]gate.Mode{}
	addModes(flags, modes)
	names, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(names) == 0 {
		flags.Usage()
		return Error, errUsage
	}
	text, err := g.text(names)
	if err != nil {
		return Error, err
	}
	guard, err := gate.Read(text)
	if err == nil {
		_, err = guard.Begin(gate.Options{Modes: modes})
	}
	if err != nil {
		return Error, err
	}
	m := ownServer{guard: guard, options: gate.Options{Modes: modes}, size: len(text)}
	lines := bufio.NewScanner(s.In)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if ctx.Err() != nil {
			return Pass, nil
		}
		if reply := m.answer(lines.Bytes()); reply != nil {
			if err := json.NewEncoder(s.Out).Encode(reply); err != nil {
				return Error, err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return Error, err
	}
	return Pass, nil
}

type ownServer struct {
	guard   *gate.Guard
	options gate.Options
	size    int // of the guard's file
}

// mcpRequest is a message of JSON-RPC.
type mcpRequest struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type mcpReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *mcpError       `json:"error,omitempty"`
}

type mcpError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// answer returns the reply to a message, nil for a notification.
func (m *ownServer) answer(message []byte) *mcpReply {
	var r mcpRequest
	if err := json.Unmarshal(message, &r); err != nil {
		return &mcpReply{Version: "2.0", ID: json.RawMessage("null"), Error: &mcpError{-32700, "the message is not JSON"}}
	}
	if len(r.ID) == 0 {
		return nil
	}
	reply := &mcpReply{Version: "2.0", ID: r.ID}
	switch r.Method {
	case "initialize":
		var p struct {
			Version string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(r.Params, &p) // an unknown revision is answered with the preferred one
		if !slices.Contains(mcpRevisions, p.Version) {
			p.Version = mcpRevisions[0]
		}
		reply.Result = map[string]any{
			"protocolVersion": p.Version, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo":   map[string]any{"name": "stile", "version": Version()},
			"instructions": "The tools judge calls by the specification of this agent. They perform nothing.",
		}
	case "ping":
		reply.Result = map[string]any{}
	case "tools/list":
		reply.Result = map[string]any{"tools": mcpTools()}
	case "tools/call":
		var p struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(r.Params, &p); err != nil {
			reply.Error = &mcpError{-32602, "malformed parameters"}
			return reply
		}
		text, err := m.call(p.Name, p.Arguments)
		if errors.Is(err, errMCPTool) {
			reply.Error = &mcpError{-32602, "unknown tool " + p.Name}
			return reply
		}
		if err != nil {
			text = err.Error()
		}
		reply.Result = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "isError": err != nil}
	default:
		reply.Error = &mcpError{-32601, "unknown method " + r.Method}
	}
	return reply
}

var errMCPTool = errors.New("unknown tool")

func mcpTools() []any {
	events := map[string]any{
		"type": "array", "description": "The events of the run so far: calls, results and messages, in their order.",
		"items": map[string]any{"type": "object", "required": []string{"kind"}, "properties": map[string]any{
			"kind": map[string]any{"enum": []string{"call", "result", "error", "message"}},
			"name": map[string]any{"type": "string", "description": "The tool, or the role of a message."},
			"id":   map[string]any{"type": "string"}, "arguments": map[string]any{}, "content": map[string]any{}, "final": map[string]any{"type": "boolean"},
		}},
	}
	call := map[string]any{
		"type": "object", "description": "The call: its tool and its arguments.", "required": []string{"name"},
		"properties": map[string]any{"name": map[string]any{"type": "string"}, "arguments": map[string]any{}},
	}
	tool := func(name, description string, properties map[string]any, required ...string) any {
		return map[string]any{
			"name": name, "description": description, "annotations": map[string]any{"readOnlyHint": true, "openWorldHint": false},
			"inputSchema": map[string]any{"type": "object", "properties": properties, "required": append([]string{}, required...)},
		}
	}
	return []any{
		tool("allowed_next", "Lists the calls that the specification may allow after a run, and whether the run may end.", map[string]any{"events": events}),
		tool("would_be_allowed", "Judges a call after a run, with the reason of a refusal. The call is not made.", map[string]any{"events": events, "call": call}, "call"),
		tool("explain", "Describes the specification: its sources, tables, properties and rules.", map[string]any{}),
	}
}

func (m *ownServer) call(name string, arguments json.RawMessage) (string, error) {
	if name == "explain" {
		return explainGuard(m.guard, m.size), nil
	}
	if name != "allowed_next" && name != "would_be_allowed" {
		return "", errMCPTool
	}
	var p struct {
		Events []json.RawMessage `json:"events"`
		Call   json.RawMessage   `json:"call"`
	}
	if len(arguments) > 0 {
		d := json.NewDecoder(strings.NewReader(string(arguments)))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
	}
	session, err := m.guard.Begin(m.options)
	if err != nil {
		return "", err
	}
	for _, raw := range p.Events {
		event, err := gate.ReadEvent(string(raw))
		if err != nil {
			return "", err
		}
		if d := session.Record(event); d.Verdict != gate.Allow {
			return d.JSON(), nil
		}
	}
	if name == "allowed_next" {
		d := gate.Decision{Verdict: gate.Allow, Code: "ok"}
		d.Next, d.MayEnd = session.Next()
		return d.JSON(), nil
	}
	event, err := gate.ReadEvent(string(p.Call))
	if err != nil {
		return "", err
	}
	return session.Allow(event).JSON(), nil
}
