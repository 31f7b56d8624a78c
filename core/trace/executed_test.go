package trace

import (
	"encoding/json"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// Code that an environment runs is an action: a trace with it is never read as texts alone.
func TestExecutedCodeIsUnread(t *testing.T) {
	for _, test := range []struct {
		code, reply string
		unread      bool
	}{
		{"I delete it.\n```python\nprint(apis.venmo.delete_account(account_id=3))\n```", "Output:\n```\n{'message': 'deleted'}\n```", true},
		{"Thought: go\nCode:\n```py\ndelete_account(3)\n```<end_code>", "Observation:\nExecution logs:\nok", true},
		{"Thought: go\n<code>\ndelete_account(3)\n</code>", "Observation:\nok", true},
		{"I run it. <execute_ipython>\ndelete_account(3)\n</execute_ipython>", "OBSERVATION:\nok", true},
		{"I run it. <execute>\ndelete_account(3)\n</execute>", "ok", true},
		{"THOUGHT: go\n```bash\nrm -rf /\n```", "<returncode>0</returncode>\n<output>\n</output>", true},
		{"Here is the program.\n```python\nprint(1)\n```", "Thanks!", false},
		{"No code.", "Output: what does it mean?", false},
	} {
		text, _ := json.Marshal([]map[string]string{
			{"role": "user", "content": "Go."}, {"role": "assistant", "content": test.code}, {"role": "user", "content": test.reply}, {"role": "assistant", "content": "Done."},
		})
		got, err := Open(source.NewFile("a.json", string(text)), "")
		if err != nil || len(got.Unread) > 0 != test.unread {
			t.Errorf("%q, then %q: %+v, %v", test.code, test.reply, got, err)
		}
	}
}

// Without a known reply, code in each turn but the last is an action.
func TestCodeInEachTurnIsUnread(t *testing.T) {
	code := map[string]string{"role": "assistant", "content": "```python\nf()\n```"}
	reply := map[string]string{"role": "user", "content": "17"}
	text, _ := json.Marshal([]map[string]string{reply, code, reply, code, reply, {"role": "assistant", "content": "Done."}})
	got, err := Open(source.NewFile("a.json", string(text)), "")
	if err != nil || len(got.Unread) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}
