package command

import (
	"encoding/json"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// refusedCall returns the result of a call that the server does not receive.
func refusedCall(call rpc, reason string) []byte {
	result := map[string]any{"content": []any{map[string]string{"type": "text", "text": reason}}, "isError": true}
	var meta struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(call.Params, &meta) // parameters without _meta are those of an older revision
	if meta.Meta["io.modelcontextprotocol/protocolVersion"] != nil {
		result["resultType"] = "complete" // required since revision 2026-07-28
	}
	return answerRPC(call.ID, "result", result)
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
