package command

import (
	"os"
	"strings"
	"testing"
)

func TestPoliciesAreImported(t *testing.T) {
	folder(t, map[string]string{
		"a.cedar": "permit (principal, action == Action::\"pay\", resource) when { context.amount <= 5 };\npermit (principal in G::\"x\", action, resource);\n",
		"b.dw":    "forbid (principal in G::\"x\", action, resource);\n", "c.txt": "x",
		"t.jsonl": `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"pay","arguments":"{\"amount\":6}"}}]}]}` + "\n",
	})
	stdout, stderr, code := stile("", "import", "a.cedar")
	if code != Pass || !strings.Contains(stdout, "pay(amount: <= 5)") || !strings.Contains(stderr, `a.cedar:2:9: warning: this permit is left out`) || !strings.Contains(stderr, "note: ") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	if _, stderr, code := stile("", "import", "a.cedar", "-o", "a.rules"); code != Pass {
		t.Error(stderr)
	}
	if text, err := os.ReadFile("a.rules"); err != nil || string(text) != stdout {
		t.Errorf("%v %s", err, text)
	}
	if stdout, _, code := stile("", "check", "a.rules", "t.jsonl"); code != Fail || !strings.Contains(stdout, "permit-pay") {
		t.Errorf("%d %s", code, stdout)
	}
	if stdout, stderr, code := stile("", "import", "b.dw"); code != Error || stdout != "" || !strings.Contains(stderr, "b.dw:1:9: error: this forbid cannot be imported") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"import"}, {"import", "c.txt"}, {"import", "none.cedar"}, {"import", "a.cedar", "b.dw"}} {
		if stdout, _, code := stile("", args...); code != Error || stdout != "" {
			t.Errorf("%v: %d %s", args, code, stdout)
		}
	}
}
