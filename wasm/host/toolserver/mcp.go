package toolserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// session is a session of the MCP server.
type session struct {
	calls   int
	pending map[string]string // the replies of interrupted streams, by event
	replies []string          // of the client to requests of the server
}

// has reports whether the request selects a mode of the MCP server. Several modes are joined by a plus:
//
//	        sse       replies are event streams
//	        noisy     notifications, server requests and unrelated events precede the reply
//	        break     a stream is interrupted before the reply; a request with Last-Event-ID receives the reply
//	        breaks    every stream is interrupted
//		nosession the server has no sessions
//		forget    the server forgets the session before the first call of a tool
//		amnesia   the server forgets every session at once
//	        refuses   an unknown session is rejected with 400
//	        pages     the list of tools has one tool per page
//		endless   the list of tools has no end
//	        old       the server uses another revision of the protocol
//		notools   the server has no tools
//	        silent    a call never returns; the server sends comments until the client disconnects
//	        batch     replies are batched in a list
//	        modern    the server is stateless (revision 2026-07-28)
//	        future    the server is stateless and supports only a revision of the future
func (x *exchange) has(mode string) bool {
	for _, m := range strings.Split(x.options["mode"], "+") {
		if m == mode {
			return true
		}
	}
	return false
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string
		Cursor          string
		Name            string
		Arguments       map[string]any
		Meta            struct {
			Version      string          `json:"io.modelcontextprotocol/protocolVersion"`
			Client       json.RawMessage `json:"io.modelcontextprotocol/clientInfo"`
			Capabilities json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

const mcpTools = `{"name":"echo","description":"Says it again.","inputSchema":{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}}|` +
	`{"name":"add","title":"Adds","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}|` +
	`{"name":"fail","inputSchema":{"type":"object"}}|{"name":"refuse","inputSchema":{"type":"object"}}|{"name":"mixed","inputSchema":{"type":"object"}}|{"name":"structured","inputSchema":{"type":"object"}}|{"name":"long","inputSchema":{"type":"object"}}|{"name":"bare"}`

// serveMCP handles one message of the protocol.
func (s *Server) serveMCP(x *exchange) {
	modern := x.has("modern") || x.has("future")
	if modern && x.Method != http.MethodPost {
		x.json(http.StatusMethodNotAllowed, `{"error":"only POST is answered here"}`)
		return
	}
	if x.Method == http.MethodGet {
		s.resume(x)
		return
	}
	if x.Method == http.MethodDelete {
		s.mu.Lock()
		delete(s.mcp, x.Header.Get("Mcp-Session-Id"))
		s.mu.Unlock()
		x.out.WriteHeader(http.StatusNoContent)
		return
	}
	accept := x.Header.Get("Accept")
	if !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") || x.Header.Get("Content-Type") != "application/json" {
		x.json(http.StatusNotAcceptable, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Not Acceptable: the client must accept both kinds"}}`)
		return
	}
	var m message
	if err := json.Unmarshal(x.body, &m); err != nil {
		x.json(http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`)
		return
	}
	if modern {
		s.serveModern(x, m)
		return
	}
	current, ok := s.sessionOf(x, m)
	if !ok {
		status := http.StatusNotFound
		if x.has("refuses") {
			status = http.StatusBadRequest
		}
		x.json(status, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
		return
	}
	if m.Method == "" || len(m.ID) == 0 { // an answer or a notification
		s.mu.Lock()
		current.replies = append(current.replies, string(x.body))
		s.mu.Unlock()
		x.out.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method != "initialize" && x.Header.Get("Mcp-Protocol-Version") != "2025-06-18" {
		x.json(http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Unsupported protocol version"}}`)
		return
	}
	s.answer(x, m, current, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, x.outcome(m)))
}

// serveModern handles a message to a stateless server, as revision 2026-07-28 requires in "Request
// Metadata" and "Server Validation".
func (s *Server) serveModern(x *exchange, m message) {
	refuse := func(status, code int, said, data string) {
		x.json(status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q,"data":%s}}`, m.ID, code, said, data))
	}
	version, name := x.Header.Get("Mcp-Protocol-Version"), x.Header.Get("Mcp-Name")
	supported := "2026-07-28"
	if x.has("future") {
		supported = "2031-01-01"
	}
	switch {
	case len(m.ID) == 0 || m.Method == "":
		x.json(http.StatusBadRequest, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"}}`)
	case version == "" || version != m.Params.Meta.Version || x.Header.Get("Mcp-Method") != m.Method || name != m.Params.Name:
		refuse(http.StatusBadRequest, -32020, "Header mismatch", "null")
	case version != supported:
		refuse(http.StatusBadRequest, -32022, "Unsupported protocol version", `{"supported":["`+supported+`"],"requested":"`+version+`"}`)
	case len(m.Params.Meta.Client) == 0 || len(m.Params.Meta.Capabilities) == 0:
		refuse(http.StatusBadRequest, -32602, "Invalid params: incomplete _meta", "null")
	case m.Method == "server/discover":
		s.answer(x, m, nil, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`, m.ID))
	case m.Method != "tools/list" && m.Method != "tools/call":
		refuse(http.StatusNotFound, -32601, "Method not found", "null")
	default:
		said := strings.Replace(x.outcome(m), `"result":{`, `"result":{"resultType":"complete",`, 1)
		s.answer(x, m, nil, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, strings.Replace(said, ",}", "}", 1)))
	}
}

// sessionOf returns the session of a message, a new one for the first.
func (s *Server) sessionOf(x *exchange, m message) (*session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.has("nosession") {
		return &session{pending: map[string]string{}}, true
	}
	name := x.Header.Get("Mcp-Session-Id")
	if m.Method == "initialize" {
		s.next++
		name = "s" + strconv.Itoa(s.next)
		s.mcp[name] = &session{pending: map[string]string{}}
		x.out.Header().Set("Mcp-Session-Id", name)
	}
	current := s.mcp[name]
	if current == nil {
		return nil, false
	}
	if m.Method == "tools/call" {
		if current.calls++; x.has("amnesia") || x.has("forget") && name == "s1" {
			delete(s.mcp, name)
			return nil, false
		}
	}
	return current, true
}

// outcome is the result or the error of a request.
func (x *exchange) outcome(m message) string {
	text := func(t string) string {
		raw, _ := json.Marshal(t) // a string always has one
		return `{"type":"text","text":` + string(raw) + `}`
	}
	switch m.Method {
	case "initialize":
		version := "2025-06-18"
		if x.has("old") {
			version = "2023-01-01"
		}
		return `"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"toolserver","version":"1"}}`
	case "tools/list":
		return x.listTools(m.Params.Cursor)
	case "tools/call":
		switch m.Params.Name {
		case "echo":
			return fmt.Sprintf(`"result":{"content":[%s]}`, text(fmt.Sprint("You said: ", m.Params.Arguments["message"])))
		case "add":
			a, _ := m.Params.Arguments["a"].(float64)
			b, _ := m.Params.Arguments["b"].(float64)
			return fmt.Sprintf(`"result":{"content":[%s],"structuredContent":{"sum":%v}}`, text(fmt.Sprint(a+b)), a+b)
		case "fail":
			return fmt.Sprintf(`"result":{"isError":true,"content":[%s]}`, text("the disk is full"))
		case "mixed":
			return fmt.Sprintf(`"result":{"content":[%s,{"type":"image","mimeType":"image/png","data":"%s"},{"type":"resource_link","name":"notes","uri":"file:///notes"},{"type":"resource","resource":{"uri":"file:///a","text":"inside"}},{"type":"odd"}]}`, text("seen"), strings.Repeat("AAAA", 1000))
		case "structured":
			return `"result":{"content":[],"structuredContent":{"answer":[1,2]}}`
		case "long":
			return fmt.Sprintf(`"result":{"content":[%s]}`, text(strings.Repeat("many words ", 2_000)))
		case "bare":
			return `"result":{}`
		}
		return `"error":{"code":-32602,"message":"Unknown tool: ` + m.Params.Name + `"}`
	}
	return `"error":{"code":-32601,"message":"Method not found"}`
}

func (x *exchange) listTools(cursor string) string {
	tools := strings.Split(mcpTools, "|")
	switch {
	case x.has("notools"):
		return `"error":{"code":-32601,"message":"Method not found"}`
	case x.has("endless"):
		return `"result":{"tools":[],"nextCursor":"again"}`
	case !x.has("pages"):
		return `"result":{"tools":[` + strings.Join(tools, ",") + `]}`
	}
	n, _ := strconv.Atoi(cursor)
	next := ""
	if n+1 < len(tools) {
		next = fmt.Sprintf(`,"nextCursor":"%d"`, n+1)
	}
	return `"result":{"tools":[` + tools[n] + `]` + next + `}`
}

// answer sends a reply according to the modes.
func (s *Server) answer(x *exchange, m message, current *session, body string) {
	if x.has("batch") {
		body = "[" + body + "]"
	}
	if !x.has("sse") {
		x.json(200, body)
		return
	}
	x.out.Header().Set("Cache-Control", "no-cache")
	x.send(200, "text/event-stream", ": welcome\n\n")
	if x.has("noisy") {
		x.write("event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\r\ndata: \"params\":{\"data\":\"id\"}}\r\n\r\n" +
			"data: {\"jsonrpc\":\"2.0\",\"id\":\"p1\",\"method\":\"ping\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"params\":{}}\n\n" +
			"data: {\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{\"content\":[]}}\n\ndata: no JSON\n\ndata\n\n")
	}
	if m.Method == "tools/call" {
		switch {
		case x.has("silent"):
			for x.Context().Err() == nil {
				x.write(": still there\n")
			}
			return
		case x.has("break"), x.has("breaks"):
			s.mu.Lock()
			s.next++
			id := "e" + strconv.Itoa(s.next)
			current.pending[id] = body
			s.mu.Unlock()
			x.write("id: " + id + "\nretry: 30\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\ndata: {\"jsonrpc\":")
			panic(http.ErrAbortHandler)
		}
	}
	x.write("event: message\ndata: " + body + "\n\n")
}

// resume resumes an interrupted stream.
func (s *Server) resume(x *exchange) {
	s.mu.Lock()
	current := s.mcp[x.Header.Get("Mcp-Session-Id")]
	body := ""
	if current != nil {
		body = current.pending[x.Header.Get("Last-Event-Id")]
	}
	s.mu.Unlock()
	if body == "" || x.Header.Get("Accept") != "text/event-stream" {
		x.json(http.StatusMethodNotAllowed, `{"error":"there is no stream"}`)
		return
	}
	if x.has("breaks") {
		panic(http.ErrAbortHandler)
	}
	x.send(200, "text/event-stream", "data: "+body+"\n\n")
}

// Replies returns the replies and notifications of a client, by session name.
func (s *Server) Replies(name string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mcp[name] == nil {
		return nil
	}
	return append([]string(nil), s.mcp[name].replies...)
}

// Sessions returns the number of open sessions.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.mcp)
}
