package command

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// promptSpecs are an agent with one question, and a grammar without messages.
var promptSpecs = map[string]string{
	"spec/desk.agent": `(define desk
  (:states (Ques (:text "[Question]") (:flags :env-input)) (login (:text "[Login]")) (Obs (:text "[Observation]") (:flags :env-input)) (logout (:text "[Logout]")) (Ans (:text "[Answer]")))
  (:behavior (next Ques login Obs logout Obs Ans)))`,
	"spec/words.cfg": "S -> login logout\n",
}

// prompts runs the events of a session of Claude Code and Codex with the specs of a folder, and compares the answers.
func prompts(t *testing.T, args []string, steps []struct{ event, fields, want string }) {
	t.Helper()
	for _, agent := range []string{"claude", "codex"} {
		for _, step := range steps {
			input := fmt.Sprintf(`{"session_id":%q,"transcript_path":"/t","cwd":"/","hook_event_name":%q,%s}`, agent, step.event, step.fields)
			out, errs, code := stile(input, append([]string{"hook", agent, "-state", "state", "-log", agent + ".jsonl", "spec"}, args...)...)
			if code != Pass || errs != "" {
				t.Fatalf("%s: code %d, %s", step.fields, code, errs)
			}
			if reason := refusalIn(t, step.event, out); step.want == "" && out != "" || !strings.Contains(reason, step.want) {
				t.Fatalf("%s %s %s: %s, expected %s", agent, step.event, step.fields, out, step.want)
			}
		}
		if out, errs, code := stile("", "verify", agent+".jsonl"); code != Pass {
			t.Fatal(out, errs, code)
		}
	}
}

// TestHookJudgesPromptsByAllSpecs: a prompt for which one spec has no step is judged by the rules and the other specs, and entered in
// them.
func TestHookJudgesPromptsByAllSpecs(t *testing.T) {
	login := []struct{ event, fields, want string }{
		{"UserPromptSubmit", `"prompt":"refund my order"`, ""},
		{"UserPromptSubmit", `"prompt":"now"`, ""}, // is the second one for the rule
		{"PreToolUse", tool("login", "c1"), ""},
		{"PostToolUse", tool("login", "c1") + `,"tool_response":"ok"`, ""},
	}
	files := map[string]string{"spec/shop.rules": "m: message.user() -> count login() <= 0\n"}
	for name, text := range promptSpecs {
		files[name] = text
	}
	folder(t, files)
	prompts(t, nil, append(login, []struct{ event, fields, want string }{
		{"UserPromptSubmit", `"prompt":"and another one"`, "violates m"},
		{"PreToolUse", tool("logout", "c2"), ""},
	}...))
	if err := os.WriteFile("spec/shop.rules", []byte("m: logout() -> count message.user() <= 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll("state"); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"claude", "codex"} {
		if err := os.Remove(agent + ".jsonl"); err != nil {
			t.Fatal(err)
		}
	}
	prompts(t, nil, append(login, []struct{ event, fields, want string }{
		{"UserPromptSubmit", `"prompt":"and another one"`, ""}, // is entered
		{"PreToolUse", tool("logout", "c2"), "violates m"},
	}...))
}

// TestHookEntersPromptsThatAsk: a prompt with the verdict ask is entered, because a person wrote it.
func TestHookEntersPromptsThatAsk(t *testing.T) {
	folder(t, map[string]string{"spec/shop.rules": "m: message.user() -> count login() <= 0\n\nn: logout() -> count message.user() <= 1\n"})
	prompts(t, []string{"-mode", "shop.rules: m=ask"}, []struct{ event, fields, want string }{
		{"UserPromptSubmit", `"prompt":"refund my order"`, ""},
		{"PreToolUse", tool("login", "c1"), ""},
		{"PostToolUse", tool("login", "c1") + `,"tool_response":"ok"`, ""},
		{"UserPromptSubmit", `"prompt":"and another one"`, ""},
		{"PreToolUse", tool("logout", "c2"), "violates n"},
		{"PreToolUse", tool("lookup", "c3"), ""},
	})
}
