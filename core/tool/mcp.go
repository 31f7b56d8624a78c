package tool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// MCP is a server of the Model Context Protocol that is reached over streamable
// HTTP (revision 2025-06-18, "Transports"). Its tools are asked for when a run
// begins (see [Registry.Connect]).
//
// Every message is a POST of its own; the answer is one JSON value or a stream of
// events, in which other messages may come first: notifications are passed over, a
// ping is answered, and whatever else a server asks of a client is declined. A
// stream that breaks off is taken up again where its events are numbered. A session
// that the server has forgotten is begun anew, once for a call.
type MCP struct {
	Remote
	Prefix   string   // put before the names of its tools
	Only     []string // its names of the tools that are wanted; none: all
	Deadline int      // milliseconds that a request may take; 0: [DefaultDeadline]
}

// DefaultDeadline is how many milliseconds a request to an MCP server may take.
const DefaultDeadline = 120_000

// The revisions of the protocol that are spoken, the one that is offered first.
var mcpVersions = [...]string{"2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"}

// Limits of what is taken from an MCP server.
const (
	maxStream    = 8 << 20 // bytes of an answer
	maxListPages = 50      // of the list of its tools
	maxListTools = 500
	maxResumes   = 3     // of one answer
	closeWait    = 3_000 // milliseconds that the end of a session may take
)

// mcpServer is a server in a run.
type mcpServer struct {
	MCP
	current *mcpSession // nil before the first
	last    int         // the number of the last request
}

// mcpSession is what was agreed on with a server. It does not change: a call that
// runs while another one begins a new session keeps its own.
type mcpSession struct {
	id      string // "" where the server has no sessions
	version string
}

func (s *mcpServer) name() string { return hostOf(s.URL) }

// connect begins a session and returns the tools. With an error the tools that are
// known so far.
func (s *mcpServer) connect(env *process.Env) ([]Callable, error) {
	var out []Callable
	cursor := ""
	for range maxListPages {
		params := "{}"
		if cursor != "" {
			params = `{"cursor":` + quoted(cursor) + `}`
		}
		raw, err := s.request(env, "tools/list", params)
		if err != nil {
			return out, err
		}
		var page struct {
			Tools []struct {
				Name, Title, Description string
				InputSchema              json.RawMessage
			}
			NextCursor string
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return out, faultf(CodeProtocol, "the list of tools cannot be read: %s", err)
		}
		for _, t := range page.Tools {
			if t.Name == "" || len(s.Only) > 0 && !contains(s.Only, t.Name) {
				continue
			}
			if len(out) == maxListTools {
				return out, faultf(CodeLong, "it has more than %d tools; name those that are wanted in \"only\"", maxListTools)
			}
			about := t.Description
			if about == "" {
				about = t.Title
			}
			schema := t.InputSchema
			if len(schema) == 0 || len(schema) > maxSchemaSize {
				schema = json.RawMessage(`{"type":"object"}`)
			}
			out = append(out, &mcpTool{server: s, remoteName: t.Name, about: about, schema: schema})
		}
		if cursor = page.NextCursor; cursor == "" {
			return out, s.lacking(out)
		}
	}
	return out, faultf(CodeLong, "its list of tools has no end")
}

// lacking says which tools were wanted and are not there.
func (s *mcpServer) lacking(have []Callable) error {
	var names, missing []string
	for _, c := range have {
		names = append(names, c.(*mcpTool).remoteName)
	}
	for _, name := range s.Only {
		if !contains(names, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return faultf(CodeUnknown, "it has no tool %s", strings.Join(missing, ", "))
	}
	return nil
}

// begin begins a session in the place of another. Of concurrent calls that do so
// the first is followed by the others.
func (s *mcpServer) begin(env *process.Env, instead *mcpSession) error {
	begun := &mcpSession{}
	raw, err := s.ask(env, begun, "initialize", `{"protocolVersion":`+quoted(mcpVersions[0])+`,"capabilities":{},"clientInfo":{"name":"stile","title":"Stile","version":"1"}}`)
	if err != nil {
		return err
	}
	var hello struct{ ProtocolVersion string }
	if err := json.Unmarshal(raw, &hello); err != nil || hello.ProtocolVersion == "" {
		return faultf(CodeProtocol, "it does not say which revision of MCP it speaks")
	}
	if !contains(mcpVersions[:], hello.ProtocolVersion) {
		return faultf(CodeProtocol, "it speaks revision %s of MCP; here %s are spoken", shorten(hello.ProtocolVersion, 30), strings.Join(mcpVersions[:], ", "))
	}
	begun.version = hello.ProtocolVersion
	if err := s.notify(env, begun, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		return err
	}
	if s.current != instead {
		s.end(env, begun)
		return nil
	}
	s.current = begun
	return nil
}

// close ends the session.
func (s *mcpServer) close(env *process.Env) {
	if s.current != nil {
		s.end(env, s.current)
		s.current = nil
	}
}

// end ends a session, which a server need not allow.
func (s *mcpServer) end(env *process.Env, session *mcpSession) {
	if session.id == "" {
		return
	}
	h := s.message(session, "DELETE", "")
	h.Idle = closeWait
	_, _ = once(env, h) // there is nobody to tell
}

// message returns an HTTP request with the protocol's headers.
func (s *mcpServer) message(session *mcpSession, method, body string) process.HTTP {
	h := s.Remote.request(method, s.URL)
	h.Body = body
	h.Headers = map[string]string{"Accept": "application/json, text/event-stream"}
	if body != "" {
		h.Headers["Content-Type"] = "application/json"
	}
	if session.id != "" {
		h.Headers["Mcp-Session-Id"] = session.id
	}
	if session.version != "" {
		h.Headers["MCP-Protocol-Version"] = session.version
	}
	if s.Idle == 0 {
		h.Idle = s.deadline()
	}
	return h
}

func (s *mcpServer) deadline() int {
	if s.Deadline == 0 {
		return DefaultDeadline
	}
	return s.Deadline
}

// notify sends what is not answered.
func (s *mcpServer) notify(env *process.Env, session *mcpSession, body string) error {
	value, err := once(env, s.message(session, "POST", body))
	if err != nil {
		return err
	}
	if fault := statusFault(s.URL, value, value.Body); fault != nil {
		return fault
	}
	return nil
}

// errSession is the server's having forgotten the session.
var errSession = errors.New("the session is over")

// request asks for something within the session, in a new one if it is over.
func (s *mcpServer) request(env *process.Env, method, params string) (json.RawMessage, error) {
	for range 2 {
		session := s.current
		if session == nil {
			if err := s.begin(env, nil); err != nil {
				return nil, err
			}
			session = s.current
		}
		raw, err := s.ask(env, session, method, params)
		if !errors.Is(err, errSession) {
			return raw, err
		}
		if s.current == session { // no concurrent call has begun another
			if err := s.begin(env, session); err != nil {
				return nil, err
			}
		}
	}
	return nil, faultf(CodeProtocol, "%s forgets its sessions", s.name())
}

// ask sends a request and returns its result.
func (s *mcpServer) ask(env *process.Env, session *mcpSession, method, params string) (json.RawMessage, error) {
	s.last++
	id := strconv.Itoa(s.last)
	x := &exchange{server: s, session: session, env: env, id: id, first: method == "initialize"}
	return x.run(s.message(session, "POST", `{"jsonrpc":"2.0","id":`+id+`,"method":`+quoted(method)+`,"params":`+params+`}`))
}

// mcpTool is a tool of a server.
type mcpTool struct {
	server     *mcpServer
	remoteName string
	about      string
	schema     json.RawMessage
}

// Name implements [Callable].
func (t *mcpTool) Name() string { return t.server.Prefix + t.remoteName }

// Description implements [Callable].
func (t *mcpTool) Description() string { return t.about }

// Schema implements [Callable].
func (t *mcpTool) Schema() json.RawMessage { return t.schema }

// mcpContent is a part of a tool's result.
type mcpContent struct {
	Type, Text, Data, MimeType, URI, Name string
	Resource                              struct{ URI, MimeType, Text, Blob string }
}

// Call implements [Callable].
func (t *mcpTool) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	raw, err := t.server.request(env, "tools/call", `{"name":`+quoted(t.remoteName)+`,"arguments":`+string(arguments)+`}`)
	if err != nil {
		return "", err
	}
	var result struct {
		Content           []mcpContent
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return "", faultf(CodeProtocol, "the result cannot be read: %s", err)
	}
	var parts []string
	said := false // something that is text
	for _, c := range result.Content {
		text, isText := c.plain()
		said = said || isText
		parts = append(parts, text)
	}
	if len(result.StructuredContent) > 0 && string(result.StructuredContent) != "null" && !said {
		parts = append(parts, string(result.StructuredContent))
	}
	text := strings.TrimSpace(strings.Join(parts, "\n"))
	if result.IsError {
		if text == "" {
			text = "the tool failed and does not say why"
		}
		text, _ = Cut(text, DefaultLimit)
		return "", &CallFault{Code: CodeFailed, Message: text}
	}
	return text, nil
}

// plain returns a part as text for a model.
func (c mcpContent) plain() (text string, isText bool) {
	switch c.Type {
	case "text":
		return c.Text, c.Text != ""
	case "image", "audio":
		return fmt.Sprintf("(%s of type %s, %s, which is no text)", c.Type, c.MimeType, bytesOf(len(c.Data)/4*3)), false
	case "resource_link":
		return strings.TrimSpace(c.Name + " " + c.URI), true
	case "resource":
		if c.Resource.Text != "" {
			return c.Resource.Text, true
		}
		return fmt.Sprintf("(%s of type %s, %s, which is no text)", c.Resource.URI, c.Resource.MimeType, bytesOf(len(c.Resource.Blob)/4*3)), false
	}
	return fmt.Sprintf("(a part of type %q)", shorten(c.Type, 30)), false
}

// NewMCP returns the tools of a server in a run that has begun, without a
// registry. The error is a [*CallFault] or the process's; the tools that could be
// had come with it.
func NewMCP(env *process.Env, m MCP) ([]Callable, error) {
	if said := checkURL(m.URL); said != "" {
		return nil, source.NewError("tool.address", said)
	}
	return (&mcpServer{MCP: m}).connect(env)
}
