package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// modern answers server/discover as a stateless server, and leaves other requests to then.
func modern(then func(e process.Effect, c call) []process.Answer) func(e process.Effect, c call) []process.Answer {
	return func(e process.Effect, c call) []process.Answer {
		if c.method == "server/discover" {
			return result(e, c, `{"resultType":"complete","supportedVersions":["2031-01-01","2026-07-28"],"capabilities":{"tools":{}}}`)
		}
		return then(e, c)
	}
}

// The answer to server/discover decides the era; a server without a common revision, and one that
// cannot be reached or denies access, gets no other request.
func TestErasAreNegotiated(t *testing.T) {
	broken := func(code string) func(e process.Effect, c call) []process.Answer {
		return func(e process.Effect, c call) []process.Answer { return effects.Broken(e, code) }
	}
	status := func(status int, body string) func(e process.Effect, c call) []process.Answer {
		return func(e process.Effect, c call) []process.Answer { return effects.Value(e, status, body) }
	}
	fails := func(status int, id, rest string) func(e process.Effect, c call) []process.Answer {
		return func(e process.Effect, c call) []process.Answer {
			if id == "" {
				id = c.id
			}
			return effects.Value(e, status, `{"jsonrpc":"2.0","id":`+id+`,"error":{`+rest+`}}`)
		}
	}
	answers := func(text string) func(e process.Effect, c call) []process.Answer {
		return func(e process.Effect, c call) []process.Answer { return result(e, c, text) }
	}
	const all = "(expected 2026-07-28, 2025-06-18, 2025-11-25, 2025-03-26, 2024-11-05)"
	for _, c := range []struct {
		name   string
		serve  func(e process.Effect, c call) []process.Answer
		era    string // "stateless", "sessions" or the code of the fault
		reason string
	}{
		{"both eras", answers(`{"supportedVersions":["2026-07-28","2025-11-25"]}`), "stateless", ""},
		{"only sessions", answers(`{"supportedVersions":["2031-01-01","2025-11-25"]}`), "sessions", ""},
		{"no common revision", answers(`{"supportedVersions":["2031-01-01"]}`), tool.CodeProtocol, "unsupported revision 2031-01-01 of MCP " + all},
		{"no common revisions", answers(`{"supportedVersions":["2031-01-01","2030-01-01"]}`), tool.CodeProtocol, "unsupported revision 2031-01-01, 2030-01-01 of MCP " + all},
		{"an old server with such a method", answers(`{"hello":1}`), "sessions", ""},
		{"another result", answers(`[1]`), "sessions", ""},
		{"an unsupported revision", fails(400, "", `"code":-32022,"message":"no","data":{"supported":["2031-01-01"],"requested":"x"}`), tool.CodeProtocol, "unsupported revision 2031-01-01 of MCP " + all},
		{"an unsupported revision without an id", fails(400, "null", `"code":-32022,"message":"no","data":{"supported":["2031-01-01"]}`), tool.CodeProtocol, "unsupported revision 2031-01-01 of MCP " + all},
		{"an unsupported revision with sessions", fails(400, "", `"code":-32022,"message":"no","data":{"supported":["2031-01-01","2025-03-26"]}`), "sessions", ""},
		{"an unsupported revision without a list", fails(400, "", `"code":-32022,"message":"no"`), tool.CodeProtocol, "mcp.example reports error -32022: no"},
		{"an unsupported revision with odd data", fails(400, "", `"code":-32022,"message":"no","data":"x"`), tool.CodeProtocol, "mcp.example reports error -32022: no"},
		{"headers that a proxy removed", fails(400, "", `"code":-32020,"message":"Header mismatch"`), tool.CodeProtocol, "reports error -32020: Header mismatch"},
		{"headers that a proxy removed, without an id", fails(400, "null", `"code":-32020,"message":"Header mismatch"`), tool.CodeProtocol, "reports error -32020: Header mismatch"},
		{"a missing capability", fails(400, "", `"code":-32021,"message":"sampling"`), tool.CodeProtocol, "reports error -32021: sampling"},
		{"an unknown method", fails(404, "", `"code":-32601,"message":"Method not found"`), "sessions", ""},
		{"a server that is not initialised", fails(400, "null", `"code":-32000,"message":"Bad Request: Server not initialized"`), "sessions", ""},
		{"another error", fails(200, "", `"code":-32603,"message":"Internal error"`), "sessions", ""},
		{"plain text", status(400, "Bad Request: Unsupported protocol version"), "sessions", ""},
		{"another method of HTTP", status(405, ""), "sessions", ""},
		{"nothing there", status(404, ""), "sessions", ""},
		{"a crash", status(500, ""), "sessions", ""},
		{"an empty answer", status(200, ""), "sessions", ""},
		{"a page", status(200, "<html>hi"), "sessions", ""},
		{"headers that the server allows no page", broken("cors"), "sessions", ""},
		{"denied", status(401, ""), tool.CodeKey, "denies access"},
		{"forbidden", status(403, ""), tool.CodeKey, "denies access"},
		{"too many requests", status(429, ""), tool.CodeRate, "limits the rate"},
		{"elsewhere", status(302, ""), tool.CodeMoved, "redirects"},
		{"no server", broken("network"), "tool.network", "could not be reached"},
		{"no consent", broken("consent"), "tool.consent", "could not be reached"},
	} {
		calls, _, err := play(t, Server{}, func(e process.Effect, call call) []process.Answer {
			switch call.method {
			case "server/discover":
				return c.serve(e, call)
			case "initialize":
				return result(e, call, `{"protocolVersion":"2025-06-18"}`)
			case "notifications/initialized":
				return effects.Value(e, 202, "")
			}
			return result(e, call, `{"tools":[]}`)
		}, func(env *process.Env, client *Client) error {
			_, err := client.Connect(env)
			return err
		})
		era := codeOf(err)
		if err == nil {
			era = map[bool]string{true: "sessions", false: "stateless"}[slices.ContainsFunc(calls, func(c call) bool { return c.method == "initialize" })]
		}
		if era != c.era || err != nil && (!strings.Contains(err.Error(), c.reason) || len(calls) != 1) {
			t.Errorf("%s: %s after %d requests, %v", c.name, era, len(calls), err)
		}
	}
}

// Every request to a stateless server carries its metadata, in the body and in headers.
func TestStatelessRequestsCarryTheirMetadata(t *testing.T) {
	pages := 0
	calls, _, err := play(t, Server{}, modern(func(e process.Effect, c call) []process.Answer {
		if c.method != "tools/list" {
			return result(e, c, `{"resultType":"complete","content":[{"type":"text","text":"ok"}]}`)
		}
		if pages++; pages == 1 {
			return result(e, c, `{"tools":[{"name":"Größe","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}}],"nextCursor":"n"}`)
		}
		return result(e, c, `{"tools":[]}`)
	}), func(env *process.Env, c *Client) error {
		tools, err := c.Connect(env)
		if err != nil {
			return err
		}
		text, err := tools[0].Call(env, json.RawMessage(`{"a":"x"}`))
		c.Close(env)
		if text != "ok" {
			t.Error(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"stile","title":"Stile","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	want := []struct{ method, params, name, a string }{
		{"server/discover", `{` + meta + `}`, "", ""},
		{"tools/list", `{` + meta + `}`, "", ""},
		{"tools/list", `{` + meta + `,"cursor":"n"}`, "", ""},
		{"tools/call", `{` + meta + `,"name":"Größe","arguments":{"a":"x"}}`, "=?base64?R3LDtsOfZQ==?=", "x"},
	}
	if len(calls) != len(want) {
		t.Fatalf("%d requests", len(calls))
	}
	for i, c := range calls {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, i+1, want[i].method, want[i].params)
		h := c.headers
		if c.verb != "POST" || c.body != body || h["MCP-Protocol-Version"] != Stateless || h["Mcp-Method"] != want[i].method || h["Mcp-Name"] != want[i].name || h["Mcp-Param-A"] != want[i].a || h["Mcp-Session-Id"] != "" || h["Accept"] != "application/json, text/event-stream" {
			t.Errorf("%d: %+v, want %s", i, c, body)
		}
	}
}

// A server with sessions gets none of the headers.
func TestServersWithSessionsGetNoHeaders(t *testing.T) {
	_, calls, _, err := called(t, Server{}, "s", func(e process.Effect, c call) []process.Answer {
		return result(e, c, `{"content":[]}`)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls[1:] {
		if c.headers["Mcp-Method"] != "" || c.headers["Mcp-Name"] != "" || strings.Contains(c.body, "_meta") {
			t.Errorf("%+v", c)
		}
	}
	calls, _, err = play(t, Server{}, hello("s", func(e process.Effect, c call) []process.Answer {
		return result(e, c, `{"tools":[{"name":"a","inputSchema":{"x-mcp-header":""}}]}`)
	}), func(env *process.Env, c *Client) error {
		tools, err := c.Connect(env)
		if len(tools) != 1 {
			t.Errorf("%d tools", len(tools))
		}
		return err
	})
	if err != nil || len(calls) != 4 {
		t.Errorf("%d requests, %v", len(calls), err)
	}
}

// A result of a stateless server is complete, or the call fails.
func TestStatelessResultsAreComplete(t *testing.T) {
	const good = `{"content":[{"type":"text","text":"good"}]}`
	const more = "the server needs more than one request, which Stile does not support: "
	for _, c := range []struct{ name, result, want, code string }{
		{"no type", good, "good", ""},
		{"complete", `{"resultType":"complete",` + good[1:], "good", ""},
		{"a state", `{"resultType":"input_required","requestState":"1"}`, more + "input_required", tool.CodeProtocol},
		{"questions", `{"resultType":"input_required","inputRequests":{"b":{"method":"sampling/createMessage"},"a":{"method":"elicitation/create"}},"requestState":"1"}`, more + "input_required sampling/createMessage elicitation/create", tool.CodeProtocol},
		{"a task", `{"resultType":"task","content":[]}`, more + "task", tool.CodeProtocol},
		{"no object", `7`, "the result cannot be read: ", tool.CodeProtocol},
	} {
		text := ""
		calls, _, err := play(t, Server{}, modern(func(e process.Effect, call call) []process.Answer {
			if call.method == "tools/list" {
				return result(e, call, `{"tools":[{"name":"t"}]}`)
			}
			return result(e, call, c.result)
		}), func(env *process.Env, client *Client) error {
			tools, err := client.Connect(env)
			if err != nil {
				return err
			}
			text, err = tools[0].Call(env, json.RawMessage(`{}`))
			return err
		})
		if err != nil {
			text = err.Error()
		}
		if len(calls) != 3 || codeOf(err) != c.code || !strings.HasPrefix(text, c.want) || c.code == tool.CodeProtocol && c.result != `7` && text != c.want {
			t.Errorf("%s: %q after %d requests, %v", c.name, text, len(calls), err)
		}
	}
}

// A stateless server's stream is not resumed, and its requests get no reply.
func TestStatelessStreams(t *testing.T) {
	for _, c := range []struct{ name, body, code string }{
		{"a stream that ends early", "id: 5\ndata: {}\n\n", tool.CodeProtocol},
		{"a request of the server", `data: {"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n\n" + `data: {"id":3,"result":{"content":[]}}` + "\n\n", ""},
	} {
		calls, _, err := play(t, Server{}, modern(func(e process.Effect, call call) []process.Answer {
			if call.method == "tools/list" {
				return result(e, call, `{"tools":[{"name":"t"}]}`)
			}
			return effects.Value(e, 200, c.body)
		}), func(env *process.Env, client *Client) error {
			tools, err := client.Connect(env)
			if err != nil {
				return err
			}
			_, err = tools[0].Call(env, json.RawMessage(`{}`))
			return err
		})
		if len(calls) != 3 || codeOf(err) != c.code {
			t.Errorf("%s: %d requests, %v", c.name, len(calls), err)
		}
	}
}

// Tools whose annotations violate a rule of "Custom Headers from Tool Parameters" are left out.
func TestMirroredArguments(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"string"}}}`:         "",
		`{"properties":{"a":{"type":"string","x-mcp-header":"Region"}}}`: "Mcp-Param-Region=a",
		`{"properties":{"a":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"x!#$%&'*+-.^_|~09AZ"}}},"c":{"type":"boolean","x-mcp-header":"C"}}}`: "Mcp-Param-x!#$%&'*+-.^_|~09AZ=a.b Mcp-Param-C=c",
		`{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}`:                                                                                          "Mcp-Param-A=a",
		`{"properties":{"x-mcp-header":{"type":"string"}}}`:                                                                                                           "",
		`{"properties":{"a":{"type":"object","default":{"x-mcp-header":1},"enum":[{"x-mcp-header":1}]}}}`:                                                             "",
		`{"x-mcp-header":"A","type":"string"}`:                                                                                                                        "!",
		`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`:                                                                          "!",
		`{"properties":{"a":{"items":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}}}}`:                                                                    "!",
		`{"$defs":{"d":{"type":"string","x-mcp-header":"A"}},"properties":{"a":{"$ref":"#/$defs/d"}}}`:                                                                "!",
		`{"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`:                                                                                       "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                                                                                    "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`:                                                                                                     "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`:                                                                                                 "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A\r\nB"}}}`:                                                                                              "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":"Ä"}}}`:                                                                                                   "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A@"}}}`:                                                                                                  "!",
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                                                                   "!",
		`{"properties":{"a":{"type":["string","number"],"x-mcp-header":"A"}}}`:                                                                                        "!",
		`{"properties":{"a":{"type":[],"x-mcp-header":"A"}}}`:                                                                                                         "!",
		`{"properties":{"a":{"x-mcp-header":"A"}}}`:                                                                                                                   "!",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`:                                                          "!",
	} {
		found, ok := mirroredIn(json.RawMessage(schema))
		var got []string
		for _, m := range found {
			got = append(got, m.header+"="+strings.Join(m.path, "."))
		}
		if ok == (want == "!") || ok && strings.Join(got, " ") != want {
			t.Errorf("%s: %q %v", schema, got, ok)
		}
	}
	_, _, err := play(t, Server{Only: []string{"good", "gone"}}, modern(func(e process.Effect, c call) []process.Answer {
		return result(e, c, `{"tools":[{"name":"good"},{"name":"gone","inputSchema":{"x-mcp-header":""}}]}`)
	}), func(env *process.Env, c *Client) error {
		tools, err := c.Connect(env)
		if len(tools) != 1 || tools[0].Name() != "good" {
			t.Errorf("%d tools", len(tools))
		}
		return err
	})
	if codeOf(err) != tool.CodeProtocol || !strings.HasSuffix(err.Error(), "tools with an invalid x-mcp-header are left out: gone") {
		t.Error(err)
	}
}

// The examples of "Value Encoding"; numbers and values that no header can carry are left out.
func TestHeadersOfArguments(t *testing.T) {
	made := &remoteTool{remoteName: "t", mirrored: []mirrored{{"Mcp-Param-V", []string{"v"}}, {"Mcp-Param-W", []string{"o", "w"}}}}
	for arguments, want := range map[string]string{
		`{"v":"us-west1"}`:           "us-west1|-",
		`{"v":"Hello, 世界"}`:          "=?base64?SGVsbG8sIOS4lueVjA==?=|-",
		`{"v":" padded "}`:           "=?base64?IHBhZGRlZCA=?=|-",
		`{"v":"line1\nline2"}`:       "=?base64?bGluZTEKbGluZTI=?=|-",
		`{"v":"=?base64?literal?="}`: "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=|-",
		`{"v":"a b~"}`:               "a b~|-",
		`{"v":"\u007f"}`:             "=?base64?fw==?=|-",
		`{"v":""}`:                   "=?base64??=|-",
		`{"v":null,"o":{"w":"x"}}`:   "-|x",
		`{"o":{"x":1}}`:              "-|-",
		`{"o":7}`:                    "-|-",
		`{"v":true,"o":{"w":false}}`: "true|false",
		`{"v":42,"o":{"w":-7}}`:      "42|-7",
		`{"v":42.0,"o":{"w":1e3}}`:   "42|1000",
		`{"v":9007199254740991}`:     "9007199254740991|-",
		`{"v":-9007199254740991}`:    "-9007199254740991|-",
		`{"v":9007199254740992}`:     "-|-",
		`{"v":-9007199254740992}`:    "-|-",
		`{"o":{"w":0.5}}`:            "-|-",
		`{"v":1e999}`:                "-|-",
		`{"v":`:                      "-|-",
	} {
		headers := made.headers(json.RawMessage(arguments))
		var got []string
		for _, name := range []string{"Mcp-Param-V", "Mcp-Param-W"} {
			value, ok := headers[name]
			if !ok {
				value = "-"
			}
			got = append(got, value)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %s", arguments, got, want)
		}
	}
}
