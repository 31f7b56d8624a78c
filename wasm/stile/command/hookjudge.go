package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

func (h *hook) judge(e hookEvent) (answer any, err error) {
	call := gate.Event{Kind: "call", Name: strings.TrimPrefix(e.Tool, h.prefix), ID: e.ID, Arguments: string(e.Input), Agent: e.AgentID}
	switch e.Event {
	case "PreToolUse":
		return h.before(call), nil
	case "PostToolUse", "PostToolUseFailure":
		return h.after(call, e), nil
	case "PermissionDenied":
		h.session.Cancel(e.ID)
	case "UserPromptSubmit":
		return h.prompted(e.Prompt)
	case "Stop":
		return h.stop(e)
	case "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop", "Notification", "PreCompact", "PostCompact":
	default:
		return nil, fmt.Errorf("unknown event %q of the hook", e.Event)
	}
	return nil, nil
}

// prompted blocks a prompt that the specs refuse, before the model receives it, and enters another one. The session is as
// before after a blocked prompt, so that the person can write another one. The verdict ask does not block, because a person
// wrote the prompt. After a violation every prompt passes, so that a person can ask what happened; calls remain refused.
func (h *hook) prompted(text string) (any, error) {
	message := h.session.Timed(prompt(text), h.options.Clock)
	trial, err := fork(h.guard, h.session, h.options)
	if err != nil {
		return nil, err
	}
	d := trial.Record(message)
	if d.Code == violated {
		return nil, nil
	}
	if d.Verdict != gate.Allow && d.Verdict != gate.Ask {
		return block(d), nil
	}
	h.session.Record(message)
	return nil, nil
}

// violated is the code of the events after a violation.
const violated = "session.violated"

// before judges a call. An allowed call has no answer, so that the agent's own permissions apply.
func (h *hook) before(call gate.Event) any {
	d := h.session.Allow(call)
	decision := "deny"
	switch {
	case d.Verdict == gate.Allow:
		return nil
	case d.Verdict == gate.Ask && h.agent == "claude": // Codex ignores the decision ask
		decision = "ask"
		h.state.Asked = append(h.state.Asked, call.ID)
		h.state.Asked = h.state.Asked[max(0, len(h.state.Asked)-maxAsked):]
	}
	return map[string]any{"hookSpecificOutput": map[string]string{
		"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": refusal(d),
	}}
}

// after enters a result. A call that a person approved is entered before it.
func (h *hook) after(call gate.Event, e hookEvent) any {
	if i := slices.Index(h.state.Asked, e.ID); i >= 0 {
		h.state.Asked = slices.Delete(h.state.Asked, i, i+1)
		call.Approved = true
	}
	d := h.session.Record(call)
	if d.Verdict == gate.Allow {
		result := gate.Event{Kind: "result", Name: call.Name, ID: call.ID, Agent: call.Agent, Content: textOf(e.Response)}
		var mcp struct {
			IsError bool
			Content []json.RawMessage
		}
		if e.Event == "PostToolUseFailure" {
			result.Kind, result.Content = "error", e.Failure
		} else if json.Unmarshal(e.Response, &mcp) == nil && mcp.IsError && mcp.Content != nil {
			result.Kind = "error" // of a tool of an MCP server that failed
		}
		d = h.session.Record(result)
	}
	return block(d)
}

func block(d gate.Decision) any {
	if d.Verdict == gate.Allow {
		return nil
	}
	return map[string]string{"decision": "block", "reason": refusal(d)}
}

// stop asks the agent once to continue a run that is not complete. The answer is judged on a
// copy, because the next prompt continues the run.
func (h *hook) stop(e hookEvent) (any, error) {
	next, _ := h.session.Next()
	if e.StopHookActive || len(next) == 0 {
		return nil, nil
	}
	trial, err := fork(h.guard, h.session, h.options)
	if err != nil {
		return nil, err
	}
	if e.Answer != "" {
		if d := trial.Record(gate.Event{Kind: "message", Name: "assistant", Content: e.Answer, Final: true}); d.Verdict != gate.Allow {
			d.Next = next
			return block(d), nil
		}
	}
	d := trial.End()
	d.Next = next
	return block(d), nil
}
