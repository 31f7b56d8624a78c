package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// maxHook bounds the input of a hook, in bytes.
const maxHook = 32 << 20

// hookEvent is the input of a hook of Claude Code or Codex.
type hookEvent struct {
	SessionID      string          `json:"session_id"`
	Event          string          `json:"hook_event_name"`
	Tool           string          `json:"tool_name"`
	Input          json.RawMessage `json:"tool_input"`
	Response       json.RawMessage `json:"tool_response"`
	ID             string          `json:"tool_use_id"`
	Failure        string          `json:"error"`
	Prompt         string          `json:"prompt"`
	Answer         string          `json:"last_assistant_message"`
	AgentID        string          `json:"agent_id"`
	StopHookActive bool            `json:"stop_hook_active"`
}

// hookState is the content of a session's file.
type hookState struct {
	Session string   `json:"session"` // the state of the guard, "" before the first event
	Asked   []string `json:"asked"`   // identifiers of calls that a person decides
}

// maxAsked bounds the calls that wait for a person's decision; the oldest ones beyond it are forgotten and so refused.
const maxAsked = 64

// hook judges one event.
type hook struct {
	agent   string // claude or codex
	guard   *gate.Guard
	options gate.Options
	prefix  string
	session *gate.Session
	state   hookState
}

// hookVerb judges an event of a coding agent. Every fault has exit code 2, which blocks the
// call: both agents continue after any other code.
func hookVerb(_ context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "hook")
	var g guarding
	g.add(flags)
	folder := flags.String("state", "", "`folder` of the sessions' states; default: stile/sessions in the user's folder of configurations")
	prefix := flags.String("prefix", "", "`text` before the names of tools, such as mcp__shop__, that the spec omits")
	rest, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(rest) < 2 || rest[0] != "claude" && rest[0] != "codex" {
		return Error, errors.New("expected hook claude SPEC… or hook codex SPEC…")
	}
	guard, err := g.open(rest[1:])
	if err != nil {
		return Error, err
	}
	var e hookEvent
	text, err := io.ReadAll(io.LimitReader(s.In, maxHook+1))
	if err == nil && len(text) > maxHook {
		err = fmt.Errorf("larger than %d bytes", maxHook)
	}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err == nil && (e.SessionID == "" || e.Event == "") {
		err = errors.New("session_id or hook_event_name is missing")
	}
	if err != nil {
		return Error, fmt.Errorf("the event of the hook cannot be read: %w", err)
	}
	if *folder == "" {
		base, err := os.UserConfigDir()
		if err != nil {
			return Error, err
		}
		*folder = filepath.Join(base, "stile", "sessions")
	}
	var logged error
	h := &hook{agent: rest[0], guard: guard, prefix: *prefix, options: g.options(func(err error) { logged = errors.Join(logged, err) })}
	answer, err := h.at(filepath.Join(*folder, gate.Sum(e.SessionID)[:32]+".json"), e)
	if err = errors.Join(err, logged); err != nil {
		return Error, err
	}
	if answer != nil {
		out, err := json.Marshal(answer)
		if err != nil {
			return Error, err
		}
		_, err = fmt.Fprintf(s.Out, "%s\n", out)
		return Pass, err
	}
	return Pass, nil
}

// at judges an event with the state in the named file, and replaces that state before it answers. Hooks of
// one session wait for each other.
func (h *hook) at(name string, e hookEvent) (answer any, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	unlock, err := lockFile(name + ".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		h.session, err = h.guard.Begin(h.options)
	} else if err == nil {
		if err = json.Unmarshal(text, &h.state); err == nil {
			h.session, err = h.guard.Load(h.state.Session, h.options)
		}
	}
	if err != nil {
		return nil, err
	}
	if answer, err = h.judge(e); err != nil {
		return nil, err
	}
	h.state.Session = h.session.Save()
	text, err = json.Marshal(h.state)
	if err != nil {
		return nil, err
	}
	return answer, replaceFile(name, text)
}

// replaceFile writes a file, so that after a crash it has the old or the new text.
func replaceFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

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
		return nil, h.prompt(e)
	case "Stop":
		return h.stop(e)
	case "SessionStart", "SessionEnd", "SubagentStart", "SubagentStop", "Notification", "PreCompact", "PostCompact":
	default:
		return nil, fmt.Errorf("unknown event %q of the hook", e.Event)
	}
	return nil, nil
}

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
		if e.Event == "PostToolUseFailure" {
			result.Kind, result.Content = "error", e.Failure
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

// textOf returns a text, or the JSON of another value.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// prompt enters a message of the person. It ignores a message for which the spec has no step, because
// a session of the agent may have more prompts than the run that the spec describes.
func (h *hook) prompt(e hookEvent) error {
	message := gate.Event{Kind: "message", Name: "user", Content: e.Prompt}
	trial, err := h.copy()
	if err != nil {
		return err
	}
	if d := trial.Record(message); d.Code == "order.event" {
		return nil
	}
	h.session.Record(message)
	return nil
}

// stop asks the agent once to continue a run that is not complete. The answer is judged on a
// copy, because the next prompt continues the run.
func (h *hook) stop(e hookEvent) (any, error) {
	next, _ := h.session.Next()
	if e.StopHookActive || len(next) == 0 {
		return nil, nil
	}
	trial, err := h.copy()
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

// copy returns an independent session in the same state, without a log.
func (h *hook) copy() (*gate.Session, error) {
	return h.guard.Load(h.session.Save(), gate.Options{Modes: h.options.Modes})
}
