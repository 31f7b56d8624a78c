package command

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/stile-playground/stile/core/gate"
)

// mcpRevisions are the revisions of the Model Context Protocol that the server speaks, the
// preferred one first.
var mcpRevisions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// mcpVerb serves the Model Context Protocol on the standard streams. Its tools judge without
// entering anything: an agent asks before it acts.
func mcpVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "mcp")
	var g guarding
	g.addSpec(flags)
	names, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	guard, o, err := g.start(s, names)
	if err != nil {
		return Error, err
	}
	m := ownServer{guard, o}
	err = eachLine(s.In, func(line []byte) (err error) {
		if ctx.Err() != nil {
			return io.EOF
		}
		if answer := m.answer(line); answer != nil {
			_, err = s.Out.Write(append(answer, '\n'))
		}
		return err
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return Error, err
	}
	return Pass, nil
}

type ownServer struct {
	guard   *gate.Guard
	options gate.Options
}

// answer returns the reply to a message, nil for a notification.
func (m *ownServer) answer(message []byte) []byte {
	if !json.Valid(message) {
		return faultRPC(idOf(message), -32700, notJSON)
	}
	r, err := parseRPC(message)
	if err != nil {
		return faultRPC(r.ID, -32600, err.Error())
	}
	if len(r.ID) == 0 {
		return nil
	}
	result := map[string]any{}
	switch r.Method {
	case "ping":
	case "initialize":
		var p struct {
			Version string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(r.Params, &p) // an unknown revision is answered with the preferred one
		if !slices.Contains(mcpRevisions, p.Version) {
			p.Version = mcpRevisions[0]
		}
		result = map[string]any{
			"protocolVersion": p.Version, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo":   map[string]any{"name": "stile", "version": Version()},
			"instructions": "The tools judge calls by the specification of this agent. They perform nothing.",
		}
	case "tools/list":
		result["tools"] = mcpTools()
	case "tools/call":
		var p struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if err := json.Unmarshal(r.Params, &p); err != nil {
			return faultRPC(r.ID, -32602, "malformed parameters")
		}
		text, err := m.call(p.Name, p.Arguments)
		if errors.Is(err, errMCPTool) {
			return faultRPC(r.ID, -32602, "unknown tool "+p.Name)
		}
		if err != nil {
			text = err.Error()
		}
		result["content"], result["isError"] = []any{map[string]any{"type": "text", "text": text}}, err != nil
	default:
		return faultRPC(r.ID, -32601, "unknown method "+r.Method)
	}
	return answerRPC(r.ID, "result", result)
}
