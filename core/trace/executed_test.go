package trace

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// messages returns a trace of texts that begin with a role: s(ystem), u(ser) or a(ssistant).
func messages(texts ...string) string {
	var out []map[string]any
	for _, text := range texts {
		role := map[byte]string{'s': "system", 'u': "user", 'a': "assistant"}[text[0]]
		content := any(text[2:])
		if parts := strings.Split(text[2:], "|||"); len(parts) > 1 {
			content = []map[string]string{{"type": "text", "text": parts[0]}, {"type": "text", "text": parts[1]}}
		}
		out = append(out, map[string]any{"role": role, "content": content})
	}
	text, _ := json.Marshal(out)
	return string(text)
}

// Code that an environment runs is an action: a trace with it is never read as texts alone. A chat about code is read.
func TestExecutedCodeIsUnread(t *testing.T) {
	const py, bare = "a:```py\ndelete_account(3)\n```", "a:```\ndelete_account 3\n```"
	for _, test := range []struct {
		name   string
		unread bool
		trace  []string
	}{
		{"AppWorld", true, []string{"u:Go.", "a:I delete it.\n```python\nprint(apis.delete_account(3))\n```", "u:Output:\n```\n{'message': 'deleted'}\n```", "a:Done."}},
		{"smolagents", true, []string{"u:Go.", "a:Thought: go\nCode:\n```py\ndelete_account(3)\n```<end_code>", "u:Observation:\nExecution logs:\nok", "a:Done."}},
		{"smolagents, tag", true, []string{"u:Go.", "a:Thought: go\n<code>\ndelete_account(3)\n</code>", "u:Observation:\nok", "a:Done."}},
		{"OpenHands", true, []string{"u:Go.", "a:<execute_ipython>\ndelete_account(3)\n</execute_ipython>", "u:OBSERVATION:\nok", "a:Done."}},
		{"CodeAct", true, []string{"u:Go.", "a:<execute>\ndelete_account(3)\n</execute>", "u:ok", "a:Done."}},
		{"mini-SWE-agent", true, []string{"u:Go.", "a:THOUGHT: go\n```bash\nrm -rf /\n```", "u:<returncode>0</returncode>\n<output>\n</output>", "a:Done."}},
		{"SWE-agent, bare fence", true, []string{"u:Go.", bare, "u:OBSERVATION:\nok", "a:Done."}},
		{"AutoGen", true, []string{"u:Go.", py, "u:exitcode: 0 (execution succeeded)\nCode output: ok", "a:Done."}},
		{"CRLF, sh", true, []string{"u:Go.", "a:```sh\r\nrm x\r\n```", "u:Output:\r\nok", "a:Done."}},
		{"CRLF, py", true, []string{"u:Go.", "a:```py\r\nf()\r\n```", "u:Output:\r\nok", "a:Done."}},
		{"unknown language", true, []string{"u:Go.", "a:```foo\nf()\n```", "u:Output:\nok", "a:Done."}},
		{"data and a mark", true, []string{"u:Go.", "a:```json\n{}\n```", "u:Observation: ok", "a:Done."}},
		{"mark in bold", true, []string{"u:Go.", py, "u:**Output:**\nok", "a:Done."}},
		{"output with a question", true, []string{"u:Go.", py, "u:Output:\nCan you come?", "a:Done."}},
		{"dict", true, []string{"u:Go.", py, "u:{'message': 'deleted'}", "a:Done."}},
		{"list", true, []string{"u:Go.", bare, "u:[1, 2]", "a:Done."}},
		{"number", true, []string{"u:Go.", py, "u:17", "a:Done."}},
		{"None", true, []string{"u:Go.", py, "u:None", "a:Done."}},
		{"traceback", true, []string{"u:Go.", py, "u:Traceback (most recent call last):\nNameError: x", "a:Done."}},
		{"error", true, []string{"u:Go.", py, "u:NameError: name 'x' is not defined", "a:Done."}},
		{"shell error", true, []string{"u:Go.", bare, "u:sh: delete_account: command not found", "a:Done."}},
		{"no output", true, []string{"u:Go.", py, "u:17", bare, "u:", "a:Done."}},
		{"split content", true, []string{"u:Go.", py + "|||Waiting.", "u:Output:\nok", "a:Done."}},
		{"two messages", true, []string{"u:Go.", py, "a:Waiting.", "u:Output:\nok", "a:Done."}},
		{"a turn without code", true, []string{"u:Go.", py, "u:17", "a:I think.", "u:Continue.", py, "u:18", "a:Done."}},
		{"prose twice", true, []string{"u:Go.", py, "u:Deleted.", py, "u:Sent.", "a:Done."}},
		{"announced by the system", true, []string{"s:Your code will be executed.", "u:Go.", py, "u:Deleted.", "a:Done."}},
		{"announced by the user", true, []string{"u:You have an interactive Python shell. Go.", py, "u:Deleted.", "a:Done."}},

		{"output with a word of a person, announced", true, []string{"s:Your code will be executed.", "u:Go.", py, "u:Your account was deleted.", "a:Done."}},
		{"three mails, announced", true, []string{"s:Your code will be executed.", "u:Go.", py, "u:Dear you", py, "u:I am here.", py, "u:We meet.", "a:Done."}},
		{"answer to no question, announced", true, []string{"s:Your code will be executed.", "u:Go.", "a:Which?\n```py\nf()\n```\nOr?", "u:2", "a:Done."}},
		{"IPython", true, []string{"u:Go.", py, "u:Out[1]: 17 accounts deleted", "a:Done."}},
		{"tildes", true, []string{"u:Go.", "a:~~~py\nf()\n~~~", "u:Output: deleted", "a:Done."}},

		{"answer to a question", false, []string{"u:Write f.", "a:```py\nf()\n```\nWhich option?", "u:2", "a:Done."}},
		{"no constraints", false, []string{"u:Write f.", "a:```py\nf()\n```\nAny constraints?", "u:None", "a:Done."}},
		{"quoted question", false, []string{"u:Write f.", py, "u:`foo` is not defined, can you rename it to `bar`", "a:Done."}},
		{"quoted thanks", false, []string{"u:Write f.", py, "u:\"Thanks, can you explain it?\"", "a:Done."}},
		{"code of the person", false, []string{"u:Write f.", py, "u:```py\ng()\n```", "a:Done."}},
		{"traceback with a question", false, []string{"u:Write f.", py, "u:Traceback (most recent call last):\nNameError: x\nHow can I fix this?", "a:Done."}},
		{"exit code with a question", false, []string{"u:Write f.", py, "u:Exit code 1. Why?", "a:Done."}},
		{"shell with a question", false, []string{"u:Write f.", py, "u:$ npm i fails. What can I do?", "a:Done."}},
		{"mail in a fence", false, []string{"u:Write a mail.", "a:```\nDear Bob\n```", "u:Shorter.", "a:```\nBob\n```", "u:Add greetings.", "a:Done."}},
		{"two parts with code", false, []string{"u:Write f.", py + "|||```py\ng()\n```", "u:With a docstring.", "a:Done."}},
		{"terse requests", false, []string{"u:Write f.", py, "u:Add a docstring.", py, "u:Make it async.", "a:Done."}},
		{"question about an interpreter", false, []string{"u:How do you start the Python interpreter?", py, "u:With type hints.", "a:Done."}},

		{"thanks", false, []string{"u:Go.", "a:Here is the program.\n```python\nprint(1)\n```", "u:Thanks!", "a:Done."}},
		{"no code", false, []string{"u:Go.", "a:No code.", "u:Output: what does it mean?", "a:Done."}},
		{"chat of two functions", false, []string{"u:Write f.", py, "u:Now g, too.", py, "u:Thanks!", "a:You are welcome."}},
		{"question about output", false, []string{"u:Write f.", py, "u:Output: 3, but I expected 4. Why?", "a:Because."}},
		{"last text", false, []string{"u:Write f.", py}},
		{"one reply in prose", false, []string{"u:Write f.", py, "u:Deleted.", "a:Fine."}},
		{"data and a value", false, []string{"u:Convert it.", "a:```yaml\na: 1\n```", "u:{\"b\": 2}", "a:```yaml\nb: 2\n```"}},
		{"announced chat", false, []string{"u:Explain the Python interpreter.", py, "u:Thanks!", "a:You are welcome."}},
		{"question about an error", false, []string{"u:Write f.", py, "u:I get NameError: x. Why?", "a:Because."}},
	} {
		got, err := Open(source.NewFile("a.json", messages(test.trace...)), "")
		if err != nil || len(got.Unread) > 0 != test.unread {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
}

// Refused texts have places in the order of the trace.
func TestExecutedCodeHasItsPlace(t *testing.T) {
	const code = "a:```python\nf()\n```"
	text := strings.Replace(messages("u:1", code, "u:17", code, "u:18", "a:Done."), `"18"`, `[{"type":"new","x":1}]`, 1)
	got, err := Open(source.NewFile("a.json", text), "openai")
	if err != nil || len(got.Unread) < 2 || !slices.IsSortedFunc(got.Unread, func(a, b Unread) int { return int(a.Span.Start - b.Span.Start) }) {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, u := range got.Unread {
		if u.Path == "" {
			t.Errorf("%+v", u)
		}
	}
}

// Events and described formats state their calls.
func TestExactEventsHaveNoExecutedCode(t *testing.T) {
	const events = `[{"name":"assistant","kind":"message","fields":{"text":"` + "```py\\nf()\\n```" + `"}},{"name":"user","kind":"message","fields":{"text":"Output:\nok"}}]`
	if got, err := Open(source.NewFile("a.json", strings.ReplaceAll(events, "Output:\n", `Output:\n`)), "events"); err != nil || len(got.Unread) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
	const format = `{"items":".[]","rows":[{"kind":"user","where":{".role":"user"},"text":".content"},{"kind":"text","where":{".role":"assistant"},"text":".content"}]}`
	if got, err := Open(source.NewFile("a.json", messages("u:Go.", "a:```py\nf()\n```", "u:Output:\nok")), format); err != nil || len(got.Unread) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
