package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/process"
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
