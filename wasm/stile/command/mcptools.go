package command

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

var errMCPTool = errors.New("unknown tool")

func mcpTools() []any {
	number := map[string]any{"type": "number", "description": "Seconds, which rules with a window need."}
	agent := map[string]any{"type": "string", "description": "The agent that acts."}
	events := map[string]any{
		"type": "array", "description": "The events of the run so far: calls, results and messages, in their order.",
		"items": map[string]any{"type": "object", "required": []string{"kind"}, "properties": map[string]any{
			"kind": map[string]any{"enum": []string{"call", "result", "error", "message"}},
			"name": map[string]any{"type": "string", "description": "The tool, or the role of a message."},
			"id":   map[string]any{"type": "string"}, "arguments": map[string]any{}, "content": map[string]any{}, "final": map[string]any{"type": "boolean"},
			"time": number, "agent": agent,
		}},
	}
	call := map[string]any{
		"type": "object", "description": "The call: its tool and its arguments.", "required": []string{"name"},
		"properties": map[string]any{"name": map[string]any{"type": "string"}, "arguments": map[string]any{}, "time": number, "agent": agent},
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
		return explainGuard(m.guard, len(m.guard.Text())), nil
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
	if p.Call == nil {
		return "", errors.New("the argument call is missing: an object with the name of the tool and its arguments")
	}
	event, err := gate.ReadEvent(string(p.Call))
	if err != nil {
		return "", err
	}
	return session.Allow(event).JSON(), nil
}
