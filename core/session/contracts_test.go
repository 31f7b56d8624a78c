package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool/mcp"
	"github.com/stile-playground/stile/core/tool/web"
	"github.com/stile-playground/stile/core/workspace"
)

// The tools of a server become a file whose contracts the rules are compared with.
func TestContractsAreReadFromServers(t *testing.T) {
	const url = "http://127.0.0.1:9/mcp"
	files := []File{{Name: "agent-tools.json", Text: `{"tools": [{"mcp": {"url": "` + url + `", "prefix": "shop_"}}]}`}}
	const listed = `{"tools":[{"name":"refund","title":"Refunds","inputSchema":{"type":"object","properties":{"order":{"type":"string"}}},"outputSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}},{"name":"bare"}]}`
	drive := func(status int) RunResumeResult {
		s := New()
		number := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunContracts, Workspace: RunWorkspace{Files: files}, Settings: []byte(`{"server":"` + url + `"}`)}).Run
		var answers []process.Answer
		for {
			out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: answers})
			answers = nil
			for _, e := range out.Effects {
				var m struct {
					ID     json.RawMessage
					Method string
				}
				reply := func(code int, body string) {
					answers = append(answers, process.Answer{Effect: e.ID, Value: []byte(encoded(map[string]any{"status": code, "body": body, "headers": map[string]string{"content-type": "application/json"}}))})
				}
				switch {
				case e.HTTP == nil:
				case json.Unmarshal([]byte(e.HTTP.Body), &m) != nil || m.Method == "notifications/initialized":
					reply(202, "")
				case status != 200:
					reply(status, "")
				case m.Method == "initialize":
					reply(200, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"protocolVersion":"2025-11-25"}}`)
				case m.Method == "tools/list":
					reply(200, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":`+listed+`}`)
				default:
					reply(200, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"error":{"code":-32601,"message":"Method not found"}}`)
				}
			}
			if out.State == process.StateDone || out.State == process.StateFailed {
				return out
			}
		}
	}
	out := drive(200)
	var file workspace.File
	if err := json.Unmarshal(out.Result, &file); err != nil || file.Name != "127.0.0.1-9.mcp.json" {
		t.Fatalf("%+v, %v", out, err)
	}
	c := language.Contracts([]workspace.File{file})
	if got := strings.Join(c.Names(), " ") + ": " + strings.Join(c.Fields("call", "shop_refund", nil), " ") + ", " + strings.Join(c.Fields("result", "shop_refund", nil), " "); got != "shop_refund shop_bare: order, ok" {
		t.Errorf("%s\n%s", got, file.Text)
	}
	if out := drive(403); out.State != process.StateFailed || !strings.Contains(out.Error.Message, "127.0.0.1") {
		t.Errorf("%+v", out)
	}
	if _, fault := call(t, New(), "run.start", RunStartParams{Kind: RunContracts, Workspace: RunWorkspace{Files: files}, Settings: []byte(`{"server":"http://127.0.0.1:8/mcp"}`)}); fault == nil || fault.Code != "contracts.server" {
		t.Errorf("%+v", fault)
	}
}

// Servers of one host have files of their own, in any order of reading, and a file keeps its server.
func TestContractsOfServersOnOneHost(t *testing.T) {
	const a, b, c = "https://h.example:8443/a/mcp", "https://h.example:8443/b/mcp?x=1", "https://h.example:8443/b-mcp?x=1"
	var declared []mcp.Server
	for _, url := range []string{"https://other.example/mcp", a, b, c} {
		declared = append(declared, mcp.Server{Remote: web.Remote{URL: url}})
	}
	file := func(name, server string) workspace.File {
		return workspace.File{Name: name, Text: `{"server": "` + server + `", "tools": []}`}
	}
	old := workspace.File{Name: "h.example-8443.mcp.json", Text: `{"tools": []}`}
	short, long := file("h.example-8443.mcp.json", b), file("h.example-8443-a-mcp.mcp.json", a)
	for _, test := range []struct {
		files    []workspace.File
		url      string
		expected string
	}{
		{nil, a, "h.example-8443.mcp.json"},
		{nil, b, "h.example-8443.mcp.json"},
		{[]workspace.File{old}, a, "h.example-8443.mcp.json"},
		{[]workspace.File{old}, b, "h.example-8443-b-mcp.mcp.json"},
		{[]workspace.File{short}, b, "h.example-8443.mcp.json"},
		{[]workspace.File{short}, a, "h.example-8443-a-mcp.mcp.json"},
		{[]workspace.File{short, long}, a, "h.example-8443-a-mcp.mcp.json"},
		{[]workspace.File{old, file("h.example-8443-b-mcp.mcp.json", b)}, c, "h.example-8443-b-mcp-2.mcp.json"},
		{[]workspace.File{old, file("mine.mcp.json", a)}, a, "mine.mcp.json"},
		{[]workspace.File{short, {Name: "bad.mcp.json", Text: "{"}}, "https://other.example/mcp", "other.example.mcp.json"},
	} {
		if got := contractsFile(workspace.Workspace{Files: test.files}, declared, test.url); got != test.expected {
			t.Errorf("%v, %s: %s, want %s", test.files, test.url, got, test.expected)
		}
	}
}
