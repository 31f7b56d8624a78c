package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

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

// hook judges one event.
type hook struct {
	agent   string // claude or codex
	guard   *gate.Guard
	options gate.Options
	prefix  string
	session *gate.Session
	state   hookState
	logged  *error // of the log
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
	text, err := readAll(s.In, "the event")
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
	h := &hook{agent: rest[0], guard: guard, prefix: *prefix, options: g.options(func(err error) { logged = errors.Join(logged, err) }), logged: &logged}
	h.options.Clock = sidecar.SystemClock
	answer, err := h.at(filepath.Join(*folder, gate.Sum(e.SessionID)[:32]+".json"), e)
	if err == nil {
		err = logged
	}
	if err != nil {
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
