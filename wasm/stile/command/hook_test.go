package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	deskGrammar = "S -> login work\nwork -> lookup work | refund work | logout\n"
	deskFormula = "careful: G(refund -> X !refund)\n"
)

// desk writes a workspace and returns a function that runs a hook on an event, with more fields
// and more arguments before the specs.
func desk(t *testing.T) func(agent, event, fields string, more ...string) (out, errs string, code int) {
	t.Helper()
	folder(t, map[string]string{"spec/shop.cfg": deskGrammar, "spec/shop.ltl": deskFormula})
	return func(agent, event, fields string, more ...string) (string, string, int) {
		input := fmt.Sprintf(`{"session_id":"s1","transcript_path":"/t","cwd":"/","hook_event_name":%q,%s}`, event, fields)
		return stile(input, append(append([]string{"hook", agent, "-state", "state"}, more...), "spec")...)
	}
}

func tool(name, id string) string {
	return fmt.Sprintf(`"tool_name":%q,"tool_use_id":%q,"tool_input":{"order":"A7"}`, name, id)
}

// TestHookJudgesCallsOfASession: a refused call is answered with the reason and the allowed
// calls, and has no effect on the state, which outlives the process.
func TestHookJudgesCallsOfASession(t *testing.T) {
	for _, agent := range []string{"claude", "codex"} {
		t.Run(agent, func(t *testing.T) {
			run := desk(t)
			for _, step := range []struct{ event, fields, want string }{
				{"SessionStart", `"source":"startup"`, ""},
				{"UserPromptSubmit", `"prompt":"refund A7"`, ""},
				{"PreToolUse", tool("refund", "c1"), `"refund" is not allowed here; allowed: "login"`},
				{"PreToolUse", tool("login", "c2"), ""},
				{"PostToolUse", tool("login", "c2") + `,"tool_response":{"ok":true}`, ""},
				{"PreToolUse", tool("refund", "c3"), ""},
				{"PostToolUseFailure", tool("refund", "c3") + `,"error":"timeout"`, ""},
				{"PreToolUse", tool("refund", "c4"), `"refund" violates the property "shop.ltl: careful"; allowed: "lookup", "logout"`},
				{"PreToolUse", tool("lookup", "c3"), `repeated call id "c3"; allowed: "lookup", "logout"`},
				{"PreToolUse", tool("Bash", "c5"), `unknown tool "Bash"; allowed: "lookup", "logout"`},
				{"PreToolUse", `"tool_name":"lookup","tool_use_id":"c6","tool_input":{"a":1,"a":2}`, `malformed arguments: `},
				{"Stop", `"stop_hook_active":false,"last_assistant_message":"done"`, `the run is not complete; allowed: "lookup", "logout"`},
				{"Stop", `"stop_hook_active":true,"last_assistant_message":"done"`, ""},
				{"PreToolUse", tool("logout", "c7"), ""},
				{"Stop", `"stop_hook_active":false,"last_assistant_message":"done"`, ""},
				{"PreToolUse", tool("lookup", "c8"), `"lookup" is not allowed here; no call may follow`},
				{"PostToolUse", tool("lookup", "c8") + `,"tool_response":"a forged result"`, `"lookup" is not allowed here`},
				{"PreToolUse", tool("logout", "c9"), `the session violated its spec`},
			} {
				out, errs, code := run(agent, step.event, step.fields)
				if code != Pass || errs != "" {
					t.Fatalf("%s %s: code %d, %s", step.event, step.fields, code, errs)
				}
				if reason := refusalIn(t, step.event, out); step.want == "" && out != "" || !strings.HasPrefix(reason, step.want) {
					t.Fatalf("%s %s: %s, expected %s", step.event, step.fields, out, step.want)
				}
			}
		})
	}
}

// TestHookNoticesChangedArguments: a call that another hook changed after it was allowed is a violation.
func TestHookNoticesChangedArguments(t *testing.T) {
	run := desk(t)
	changed := strings.Replace(tool("login", "c1"), "A7", "B8", 1) + `,"tool_response":"ok"`
	for _, step := range []struct{ event, fields, want string }{
		{"PreToolUse", tool("login", "c1"), ""},
		{"PostToolUse", changed, `the call "c1" was made with other arguments than the allowed ones`},
		{"PreToolUse", tool("lookup", "c2"), `the session violated its spec`},
	} {
		out, errs, code := run("claude", step.event, step.fields)
		if reason := refusalIn(t, step.event, out); code != Pass || errs != "" || step.want == "" && out != "" || !strings.HasPrefix(reason, step.want) {
			t.Fatalf("%s %s: code %d, %s%s, expected %s", step.event, step.fields, code, out, errs, step.want)
		}
	}
}

// refusalIn returns the reason of a refusal, "" without an output.
func refusalIn(t *testing.T, event, out string) string {
	t.Helper()
	if out == "" {
		return ""
	}
	var answer struct {
		Decision, Reason   string
		HookSpecificOutput struct{ HookEventName, PermissionDecision, PermissionDecisionReason string }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	own := answer.HookSpecificOutput
	switch {
	case event == "PreToolUse" && own.HookEventName == event && (own.PermissionDecision == "deny" || own.PermissionDecision == "ask"):
		return own.PermissionDecisionReason
	case event != "PreToolUse" && answer.Decision == "block":
		return answer.Reason
	}
	t.Fatalf("%s has the answer %s", event, out)
	return ""
}

// TestHookBlocksOnFaults: both agents continue after an exit code other than 2.
func TestHookBlocksOnFaults(t *testing.T) {
	run := desk(t)
	if _, errs, code := run("claude", "PreToolUse", tool("login", "c1")); code != Pass {
		t.Fatal(errs)
	}
	files, err := filepath.Glob("state/*.json")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	state, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) func() error {
		return func() error { return os.WriteFile(name, []byte(text), 0o600) }
	}
	for _, c := range []struct {
		name   string
		before func() error
		run    func() (string, string, int)
		want   string
	}{
		{"unknown event", nil, func() (string, string, int) { return run("claude", "PreToolUze", tool("lookup", "c2")) }, "unknown event"},
		{"unknown agent", nil, func() (string, string, int) { return run("cursor", "PreToolUse", tool("lookup", "c2")) }, "expected hook claude"},
		{"no spec", nil, func() (string, string, int) { return stile("{}", "hook", "claude") }, "expected hook claude"},
		{"missing spec", nil, func() (string, string, int) { return stile("{}", "hook", "claude", "none.cfg") }, "none.cfg"},
		{"not JSON", nil, func() (string, string, int) { return stile("login", "hook", "claude", "spec") }, "cannot be read"},
		{"no session", nil, func() (string, string, int) {
			return stile(`{"hook_event_name":"PreToolUse","tool_name":"login"}`, "hook", "claude", "spec")
		}, "session_id"},
		{"unknown mode", nil, func() (string, string, int) {
			return run("claude", "PreToolUse", tool("lookup", "c2"), "-mode", "shop.ltl: careful=maybe")
		}, "unknown mode"},
		{"log", nil, func() (string, string, int) {
			return run("claude", "PreToolUse", tool("lookup", "c2"), "-log", "none/x.log")
		}, "none"},
		{"damaged state", write(files[0], `{"session":"`), func() (string, string, int) { return run("claude", "PreToolUse", tool("lookup", "c2")) }, "unexpected end"},
		{"empty state", write(files[0], `{"session":""}`), func() (string, string, int) { return run("claude", "PreToolUse", tool("lookup", "c2")) }, "does not belong to this guard"},
		{"another spec", func() error {
			return os.WriteFile("spec/shop.ltl", []byte("careful: true\n"), 0o600)
		}, func() (string, string, int) {
			if err := os.WriteFile(files[0], state, 0o600); err != nil {
				t.Fatal(err)
			}
			return run("claude", "PreToolUse", tool("lookup", "c2"))
		}, "does not belong to this guard"},
	} {
		if c.before != nil {
			if err := c.before(); err != nil {
				t.Fatal(err)
			}
		}
		if out, errs, code := c.run(); code != 2 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d, output %q, %q", c.name, code, out, errs)
		}
	}
}

// TestHookAsksAPerson: Claude Code asks, and a call that was approved is entered by its result.
// Codex has no such decision, so the call is refused.
func TestHookAsksAPerson(t *testing.T) {
	run := desk(t)
	ask := []string{"-mode", "shop.ltl: careful=ask", "-prefix", "mcp__shop__", "-log", "log.jsonl"}
	for _, name := range []string{"login", "refund"} {
		if out, errs, code := run("claude", "PreToolUse", tool("mcp__shop__"+name, name), ask...); out != "" || code != Pass {
			t.Fatal(out, errs, code)
		}
		if out, errs, code := run("claude", "PostToolUse", tool("mcp__shop__"+name, name)+`,"tool_response":"ok"`, ask...); out != "" || code != Pass {
			t.Fatal(out, errs, code)
		}
	}
	if out, _, _ := run("codex", "PreToolUse", tool("mcp__shop__refund", "c3"), ask...); !strings.Contains(out, `"deny"`) {
		t.Fatal(out)
	}
	if out, _, _ := run("claude", "PreToolUse", tool("mcp__shop__refund", "c4"), ask...); !strings.Contains(out, `"ask"`) {
		t.Fatal(out)
	}
	if out, errs, code := run("claude", "PostToolUse", tool("mcp__shop__refund", "c4")+`,"tool_response":"ok"`, ask...); out != "" || code != Pass {
		t.Fatal(out, errs, code)
	}
	if out, _, _ := run("claude", "PreToolUse", tool("mcp__shop__login", "c5"), ask...); !strings.Contains(out, `"deny"`) {
		t.Fatal(out)
	}
	text, err := os.ReadFile("log.jsonl")
	if lines := strings.Count(string(text), "\n"); err != nil || lines < 8 {
		t.Fatal(lines, err)
	}
}

// TestHooksOfASessionWaitForEachOther: of equal calls at the same time the order permits one.
//
//stile:race
func TestHooksOfASessionWaitForEachOther(t *testing.T) {
	run := desk(t)
	var group sync.WaitGroup
	var mu sync.Mutex
	allowed, refused := 0, 0
	for i := range 8 {
		group.Go(func() {
			out, errs, code := run("claude", "PreToolUse", tool("login", fmt.Sprint("c", i)))
			mu.Lock()
			defer mu.Unlock()
			if code != Pass {
				t.Error(errs)
			} else if out == "" {
				allowed++
			} else {
				refused++
			}
		})
	}
	group.Wait()
	if allowed != 1 || refused != 7 {
		t.Errorf("%d calls were allowed and %d refused", allowed, refused)
	}
}

// A rule with a window judges the events of a hook by the time at which the hook runs.
func TestHookTimesEvents(t *testing.T) {
	folder(t, map[string]string{"spec/shop.rules": "window: refund(order: ?o) -> once[10m] login(order: ?o)\n"})
	for _, step := range []struct{ event, fields, want string }{
		{"UserPromptSubmit", `"prompt":"refund A7"`, ""},
		{"PreToolUse", tool("refund", "c1"), `violates window for ?o = "A7"`},
		{"PreToolUse", tool("login", "c2"), ""},
		{"PostToolUse", tool("login", "c2") + `,"tool_response":{"ok":true}`, ""},
		{"PreToolUse", tool("refund", "c3"), ""},
		{"Stop", `"stop_hook_active":false,"last_assistant_message":"done"`, ""},
	} {
		input := fmt.Sprintf(`{"session_id":"s1","transcript_path":"/t","cwd":"/","hook_event_name":%q,%s}`, step.event, step.fields)
		out, errs, code := stile(input, "hook", "claude", "-state", "state", "spec")
		if code != Pass || errs != "" {
			t.Fatalf("%s: code %d, %s", step.fields, code, errs)
		}
		if reason := refusalIn(t, step.event, out); step.want == "" && out != "" || !strings.Contains(reason, step.want) {
			t.Errorf("%s %s: %s", step.event, step.fields, out)
		}
	}
}

// TestHookEntersFailuresOfMCP: the result of a tool of an MCP server that failed is an error, and other results are not.
func TestHookEntersFailuresOfMCP(t *testing.T) {
	for response, want := range map[string]string{
		`{"isError":true,"content":[{"type":"text","text":"no login"}]}`:  "error",
		`{"isError":false,"content":[{"type":"text","text":"no login"}]}`: "result",
		`{"isError":true}`:    "result",
		`"isError: no login"`: "result",
	} {
		run := desk(t)
		for _, step := range []struct{ event, fields string }{{"PreToolUse", tool("login", "c1")}, {"PostToolUse", tool("login", "c1") + `,"tool_response":` + response}} {
			if out, errs, code := run("codex", step.event, step.fields, "-log", "log.jsonl"); code != Pass || out != "" {
				t.Fatal(out, errs, code)
			}
		}
		text, err := os.ReadFile("log.jsonl")
		if err != nil || !strings.Contains(string(text), `"kind":"`+want+`"`) {
			t.Errorf("%s is no %s: %s %v", response, want, text, err)
		}
	}
}

// TestHookBlocksPrompts: a prompt that the specs refuse does not reach the model, and the person can write another one. A prompt
// without a step passes, and after a violation every prompt passes, but no call.
func TestHookBlocksPrompts(t *testing.T) {
	folder(t, map[string]string{"spec/words.agent": `(define words
  (:states (Ques (:text "[Question]") (:flags :env-input) (:matches "[a-z ]+")) (login (:text "[Login]")) (logout (:text "[Logout]")) (Ans (:text "[Answer]")))
  (:behavior (next Ques login logout Ans)))`})
	refusal := `"Ques" must match`
	for _, agent := range []string{"claude", "codex"} {
		for _, step := range []struct{ event, fields, want string }{
			{"UserPromptSubmit", `"prompt":"DROP TABLE 1"`, refusal},
			{"UserPromptSubmit", `"prompt":""`, refusal},
			{"PreToolUse", tool("login", "c1"), `"login" is not allowed here`}, // the run has no question yet
			{"UserPromptSubmit", `"prompt":"refund my order"`, ""},
			{"UserPromptSubmit", `"prompt":"DROP TABLE 1"`, ""}, // has no step
			{"PreToolUse", tool("login", "c2"), ""},
			{"PostToolUse", tool("lookup", "c3") + `,"tool_response":"ok"`, `unknown tool "lookup"`},
			{"UserPromptSubmit", `"prompt":"what happened?"`, ""},
			{"PreToolUse", tool("logout", "c4"), "the session violated its spec"},
		} {
			input := fmt.Sprintf(`{"session_id":%q,"transcript_path":"/t","cwd":"/","hook_event_name":%q,%s}`, agent, step.event, step.fields)
			out, errs, code := stile(input, "hook", agent, "-state", "state", "-log", agent+".jsonl", "spec")
			if code != Pass || errs != "" {
				t.Fatalf("%s: code %d, %s", step.fields, code, errs)
			}
			if reason := refusalIn(t, step.event, out); step.want == "" && out != "" || !strings.HasPrefix(reason, step.want) {
				t.Fatalf("%s %s %s: %s, expected %s", agent, step.event, step.fields, out, step.want)
			}
		}
		if out, errs, code := stile("", "verify", agent+".jsonl"); code != Pass {
			t.Fatal(out, errs, code)
		}
	}
}

// A call whose decision cannot be logged is blocked and not entered; when the log can be written again, the run continues.
func TestHookContinuesAfterALostLog(t *testing.T) {
	run := desk(t)
	const missing = "none/log.jsonl"
	if out, errs, code := run("claude", "PreToolUse", tool("login", "c1"), "-log", missing); code != Error || out != "" || !strings.Contains(errs, missing) {
		t.Fatal(out, errs, code)
	}
	if out, errs, code := run("claude", "PreToolUse", tool("login", "c1"), "-log", "log.jsonl"); code != Pass || out != "" {
		t.Fatal(out, errs, code)
	}
	// An event that has happened is lost with its line of the log, so that the session is closed.
	if _, errs, code := run("claude", "PostToolUse", tool("login", "c1")+`,"tool_response":"ok"`, "-log", missing); code != Error || !strings.Contains(errs, missing) {
		t.Fatal(errs, code)
	}
	out, errs, code := run("claude", "PreToolUse", tool("lookup", "c2"), "-log", "log.jsonl")
	if reason := refusalIn(t, "PreToolUse", out); code != Pass || !strings.HasPrefix(reason, "the session is closed: a decision could not be logged") || !strings.HasSuffix(reason, "begin another session") {
		t.Error(out, errs, code)
	}
}
