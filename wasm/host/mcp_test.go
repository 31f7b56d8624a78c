package host_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mcpEnv names the environment variable with the addresses of servers of the official
// libraries, as "NAME=ADDRESS" with spaces between. `go run ./build test mcp` sets it.
const mcpEnv = "STILE_MCP"

// headerWatch records the protocol's headers and methods of requests.
type headerWatch struct {
	mu      sync.Mutex
	methods []string
	params  http.Header // Mcp-Param-*
}

// RoundTrip implements [http.RoundTripper].
func (w *headerWatch) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte("{}")
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	var m struct{ Method string }
	_ = json.Unmarshal(body, &m) // a GET and a DELETE have no body
	w.mu.Lock()
	if m.Method == "" {
		m.Method = r.Method
	}
	w.methods = append(w.methods, m.Method)
	for name, values := range r.Header {
		if strings.HasPrefix(name, "Mcp-Param-") {
			w.params[name] = values
		}
	}
	w.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// The servers of the official libraries, of both eras: the TypeScript library 1 (npm
// @modelcontextprotocol/server-everything) and the Go library 1.6 have sessions; the TypeScript
// library 2 (npm @modelcontextprotocol/server) and the Go library 1.8 are stateless.
func TestRealMCPServers(t *testing.T) {
	given := os.Getenv(mcpEnv)
	if given == "" {
		t.Skip("go run ./build test mcp starts the servers")
	}
	urls := map[string]string{}
	for _, pair := range strings.Fields(given) {
		name, url, _ := strings.Cut(pair, "=")
		urls[name] = url
	}
	type step struct {
		call
		want string
	}
	typescript := []step{
		{call{"echo", "Grüße 🌍"}, "Echo: Grüße 🌍"}, {call{"echo", `{"message":1}`}, "tool.arguments: Error: arguments.message: is a number; expected a string"},
		{call{"route", `{"region":"Zürich","where":{"zone":42},"dry":true}`}, `{"region":"Zürich","where":{"zone":42},"dry":true}`}, {call{"route", `{"region":" us "}`}, `{"region":" us "}`}, {call{"route", `{"region":""}`}, `{"region":""}`},
		{call{"fail", ""}, "tool.failed: Error: the disk is full"}, {call{"structured", ""}, `{"answer":[1,2]}`}, {call{"ask", ""}, "tool.protocol: Error: HOST reports error -32021: "},
	}
	golang := []step{
		{call{"test_simple_text", ""}, "This is a simple text response for testing."}, {call{"test_image_content", ""}, "(image of type image/png,"}, {call{"test_multiple_content_types", ""}, "This is an embedded resource"}, {call{"test_tool_with_progress", ""}, ""},
		{call{"test_error_handling", ""}, "tool.failed: Error: "},
	}
	for _, c := range []struct {
		name      string
		stateless bool
		steps     []step
	}{
		{"everything", false, []step{
			{call{"echo", "Grüße 🌍"}, "Echo: Grüße 🌍"}, {call{"get-sum", `{"a":2,"b":40}`}, "42"}, {call{"get-sum", `{"a":2,"b":"x"}`}, `tool.arguments: Error: arguments.b: is a string; expected a number`}, {call{"get-tiny-image", ""}, "(image of type image/png,"},
			{call{"get-structured-content", `{"location":"Chicago"}`}, `"temperature"`}, {call{"get-structured-content", `{"location":"Paris"}`}, `tool.arguments: Error: arguments.location: must be one of: "New York", "Chicago", "Los Angeles"`},
			{call{"trigger-long-running-operation", `{"duration":0.2,"steps":4}`}, "Long running operation completed"}, {call{"get-resource-links", `{"count":2}`}, "resource"}, {call{"get-annotated-message", `{"messageType":"error","includeImage":true}`}, "Error"}, {call{"get-resource-reference", `{"resourceType":"Text","resourceId":1}`}, "Resource"},
		}},
		{"go16", false, golang},
		{"both", true, typescript},
		{"modern", true, typescript},
		{"go18", true, append(slices.Clone(golang), step{call{"test_x_mcp_header", `{"region":"eu 1","level":2}`}, ""}, step{call{"test_missing_capability", ""}, "tool.protocol: Error: HOST reports error -32021: "}, step{call{"test_input_required_result_elicitation", ""}, "tool.protocol: Error: "})},
	} {
		t.Run(c.name, func(t *testing.T) {
			if urls[c.name] == "" {
				t.Fatalf("no address of %s in %s", c.name, mcpEnv)
			}
			watch := &headerWatch{params: http.Header{}}
			b := &toolbench{t: t, url: urls[c.name], client: &http.Client{Transport: watch}}
			var calls []call
			for _, s := range c.steps {
				calls = append(calls, s.call)
			}
			results, faults, _ := b.run(`{"mcp":{"url":"SERVER"}}`, calls...)
			if len(faults) > 0 {
				t.Fatalf("%+v", faults[0])
			}
			host := strings.Split(strings.TrimPrefix(b.url, "http://"), "/")[0]
			for i, s := range c.steps {
				if got := strings.ReplaceAll(messageOf(results[i]), host, "HOST"); !strings.Contains(got, s.want) || s.want == "" && results[i].Err != nil {
					t.Errorf("%s: %.300s, want %s", s.tool, got, s.want)
				}
			}
			if got := !slices.Contains(watch.methods, "initialize"); got != c.stateless || watch.methods[0] != "server/discover" {
				t.Errorf("requests: %q", watch.methods)
			}
			if wants := c.stateless; wants != (len(watch.params) > 0) {
				t.Errorf("headers of arguments: %v", watch.params)
			}
			if _, faults, _ := b.run(`{"mcp":{"url":"SERVER","only":["` + c.steps[0].tool + `"]}}`); len(faults) > 0 {
				t.Fatalf("a second run: %+v", faults[0])
			}
		})
	}
}
