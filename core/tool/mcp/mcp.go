// Package mcp calls the tools of servers of the Model Context Protocol over streamable HTTP.
//
// Every message is a separate POST. The answer is one JSON value or a stream of events, in
// which other messages may come first.
//
// Servers belong to one of two eras (revision 2026-07-28, "Versioning and Compatibility"). The
// first request, server/discover, finds out which:
//
//   - Revision 2026-07-28 is stateless: every request carries its revision, the client's name
//     and its capabilities. Headers repeat the method, the tool and the arguments that the
//     tool's schema selects. A result that asks for input is a fault, because Stile declares
//     no capabilities.
//   - Older revisions have sessions, which begin with initialize. Notifications are ignored, a
//     ping is answered, and other requests of the server are declined. A stream that breaks
//     off is resumed if its events are numbered. If the server has forgotten the session, a
//     call starts a new one, once.
//
// If client and server have no revision in common, connecting fails and the message names both
// lists.
package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/schema"
	"github.com/stile-playground/stile/core/tool/web"
)

// Server is the address of a server and the selection of its tools.
type Server struct {
	web.Remote
	Prefix   string   // prepended to the names of its tools
	Only     []string // the tools to add, by the server's names; none: all
	Deadline int      // timeout of a request in milliseconds; 0: [DefaultDeadline]
}

// DefaultDeadline is the default timeout of a request in milliseconds.
const DefaultDeadline = 120_000

// versions are the supported revisions with sessions; the first is offered to servers.
var versions = [...]string{"2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"}

// Limits of a server's answers.
const (
	maxStream    = 8 << 20 // bytes of an answer
	maxListPages = 50      // pages of the list of tools
	maxListTools = 500
	maxResumes   = 3     // attempts to resume one answer
	closeWait    = 3_000 // timeout of ending a session in milliseconds
)

// Client is the connection of a run to a server. It implements [tool.Connection].
type Client struct {
	Server
	current *session // nil before the first request
	last    int      // number of the last request
}

// session is an initialised session, or the fact that the server needs none. It is immutable,
// so a call that runs while another one starts a new session keeps its own.
type session struct {
	id      string // "" if the server has no sessions
	version string
}

// Name returns the server's host.
func (s *Client) Name() string { return web.Host(s.URL) }

// Connect starts a session and lists the tools. With an error it returns the tools listed
// so far.
func (s *Client) Connect(env *process.Env) ([]tool.Callable, error) {
	var out []tool.Callable
	var rejected, large []string // the tools that are left out, and those whose schemas are
	cursor := ""
	for range maxListPages {
		params := "{}"
		if cursor != "" {
			params = `{"cursor":` + jsonfile.Quoted(cursor) + `}`
		}
		raw, err := s.request(env, "tools/list", params, nil)
		if err != nil {
			return out, err
		}
		var page struct {
			Tools []struct {
				Name, Title, Description string
				InputSchema              json.RawMessage
				OutputSchema             json.RawMessage
			}
			NextCursor string
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return out, tool.Faultf(tool.CodeProtocol, "the list of tools cannot be read: %s", err)
		}
		for _, t := range page.Tools {
			if t.Name == "" || len(s.Only) > 0 && !slices.Contains(s.Only, t.Name) {
				continue
			}
			if len(out) == maxListTools {
				return out, tool.Faultf(tool.CodeLong, "the server has more than %d tools; select some with \"only\"", maxListTools)
			}
			about := t.Description
			if about == "" {
				about = t.Title
			}
			declared := t.InputSchema
			if len(declared) > schema.MaxSize {
				large = append(large, t.Name)
			}
			if len(declared) == 0 || len(declared) > schema.MaxSize {
				declared = json.RawMessage(`{"type":"object"}`)
			}
			made := &remoteTool{server: s, remoteName: t.Name, about: about, schema: declared, output: t.OutputSchema}
			if s.current.stateless() {
				var ok bool
				if made.mirrored, ok = mirroredIn(t.InputSchema); !ok {
					rejected = append(rejected, t.Name)
					continue
				}
			}
			out = append(out, made)
		}
		if cursor = page.NextCursor; cursor == "" {
			return out, s.lacking(out, rejected, large)
		}
	}
	return out, tool.Faultf(tool.CodeLong, "the list of tools has too many pages")
}

// lacking returns a fault for tools that were rejected, for selected tools that the server does not have, or for schemas that
// are too large.
func (s *Client) lacking(have []tool.Callable, rejected, large []string) error {
	if len(rejected) > 0 {
		return tool.Faultf(tool.CodeProtocol, "tools with an invalid x-mcp-header are left out: %s", strings.Join(rejected, ", "))
	}
	var names, missing []string
	for _, c := range have {
		names = append(names, c.(*remoteTool).remoteName)
	}
	for _, name := range s.Only {
		if !slices.Contains(names, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return tool.Faultf(tool.CodeUnknown, "the server has no tool %s", strings.Join(missing, ", "))
	}
	if len(large) > 0 {
		return tool.Faultf(tool.CodeLong, "schemas of more than %d bytes are left out, so that any object is accepted: %s", schema.MaxSize, strings.Join(large, ", "))
	}
	return nil
}

// begin starts a session. instead is the session that it replaces; nil: none. If a
// concurrent call has replaced that session already, the session of the concurrent call is
// used.
func (s *Client) begin(env *process.Env, instead *session) error {
	if instead == nil {
		stateless, err := s.discover(env)
		if err != nil {
			return err
		}
		if stateless {
			s.current = &session{version: Stateless}
			return nil
		}
	}
	begun := &session{}
	raw, err := s.ask(env, begun, "initialize", `{"protocolVersion":`+jsonfile.Quoted(versions[0])+`,"capabilities":{},"clientInfo":`+clientInfo+`}`, nil)
	if err != nil {
		return err
	}
	var hello struct{ ProtocolVersion string }
	if err := json.Unmarshal(raw, &hello); err != nil || hello.ProtocolVersion == "" {
		return tool.Faultf(tool.CodeProtocol, "missing protocolVersion in the answer to initialize")
	}
	if !slices.Contains(versions[:], hello.ProtocolVersion) {
		return unsupported([]string{hello.ProtocolVersion})
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

// Close ends the session.
func (s *Client) Close(env *process.Env) {
	if s.current != nil {
		s.end(env, s.current)
		s.current = nil
	}
}

// end ends a session. Servers may refuse to end a session, so faults are ignored.
func (s *Client) end(env *process.Env, session *session) {
	if session.id == "" {
		return
	}
	h := s.message(session, "DELETE", "")
	h.Idle = closeWait
	_, _ = web.Once(env, h)
}

// message returns an HTTP request with the protocol's headers.
func (s *Client) message(session *session, method, body string) process.HTTP {
	h := s.Remote.Request(method, s.URL)
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

func (s *Client) deadline() int {
	if s.Deadline == 0 {
		return DefaultDeadline
	}
	return s.Deadline
}

// notify sends a message that has no answer.
func (s *Client) notify(env *process.Env, session *session, body string) error {
	value, err := web.Once(env, s.message(session, "POST", body))
	if err != nil {
		return err
	}
	if fault := web.StatusFault(s.URL, value, value.Body); fault != nil {
		return fault
	}
	return nil
}

// errSession reports that the server has forgotten the session.
var errSession = errors.New("the session has ended")

// request sends a request in the session, or in a new one if the server has forgotten it.
//
// headers are the additional headers of a stateless request.
func (s *Client) request(env *process.Env, method, params string, headers map[string]string) (json.RawMessage, error) {
	for range 2 {
		session := s.current
		if session == nil {
			if err := s.begin(env, nil); err != nil {
				return nil, err
			}
			session = s.current
		}
		if session.stateless() {
			raw, err := s.ask(env, session, method, params, headers)
			if err == nil {
				err = completed(raw)
			}
			return raw, err
		}
		raw, err := s.ask(env, session, method, params, nil)
		if !errors.Is(err, errSession) {
			return raw, err
		}
		if s.current == session { // no concurrent call has begun another
			if err := s.begin(env, session); err != nil {
				return nil, err
			}
		}
	}
	return nil, tool.Faultf(tool.CodeProtocol, "%s lost two sessions in a row", s.Name())
}

// ask sends a request in a session and returns its result.
func (s *Client) ask(env *process.Env, session *session, method, params string, headers map[string]string) (json.RawMessage, error) {
	return s.exchange(env, session, method).run(params, headers)
}

// exchange returns a request that is not yet sent.
func (s *Client) exchange(env *process.Env, session *session, method string) *exchange {
	s.last++
	return &exchange{server: s, session: session, env: env, id: strconv.Itoa(s.last), method: method, first: method == "initialize"}
}

type remoteTool struct {
	server     *Client
	remoteName string
	about      string
	schema     json.RawMessage
	output     json.RawMessage // schema of its results; nil if the server has none
	mirrored   []mirrored      // only of stateless servers
}

// Name implements [tool.Callable].
func (t *remoteTool) Name() string { return t.server.Prefix + t.remoteName }

// Description implements [tool.Callable].
func (t *remoteTool) Description() string { return t.about }

// Schema implements [tool.Callable].
func (t *remoteTool) Schema() json.RawMessage { return t.schema }

// content is one part of a tool's result.
type content struct {
	Type, Text, Data, MimeType, URI, Name string
	Resource                              struct{ URI, MimeType, Text, Blob string }
}

// Call implements [tool.Callable].
func (t *remoteTool) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	raw, err := t.server.request(env, "tools/call", `{"name":`+jsonfile.Quoted(t.remoteName)+`,"arguments":`+string(arguments)+`}`, t.headers(arguments))
	if err != nil {
		return "", err
	}
	var result struct {
		Content           []content
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return "", tool.Faultf(tool.CodeProtocol, "the result cannot be read: %s", err)
	}
	var parts []string
	hasText := false
	for _, c := range result.Content {
		text, isText := c.plain()
		hasText = hasText || isText
		parts = append(parts, text)
	}
	if string(result.StructuredContent) != "null" && !hasText {
		parts = append(parts, string(result.StructuredContent))
	}
	text := strings.TrimSpace(strings.Join(parts, "\n"))
	if result.IsError {
		if text == "" {
			text = "the tool failed without a message"
		}
		text, _ = tool.Cut(text, tool.DefaultLimit)
		return "", &tool.CallFault{Code: tool.CodeFailed, Message: text}
	}
	return text, nil
}

// plain returns a part as text for the model; isText is false for a note about binary data.
func (c content) plain() (text string, isText bool) {
	switch c.Type {
	case "text":
		return c.Text, c.Text != ""
	case "image", "audio":
		return fmt.Sprintf("(%s of type %s, %s, which is not text)", c.Type, c.MimeType, phrase.Bytes(len(c.Data)/4*3)), false
	case "resource_link":
		return strings.TrimSpace(c.Name + " " + c.URI), true
	case "resource":
		if c.Resource.Text != "" {
			return c.Resource.Text, true
		}
		return fmt.Sprintf("(%s of type %s, %s, which is not text)", c.Resource.URI, c.Resource.MimeType, phrase.Bytes(len(c.Resource.Blob)/4*3)), false
	}
	return fmt.Sprintf("(a part of type %q)", phrase.Shorten(c.Type, 30)), false
}

// New returns a client that is not connected.
func New(s Server) *Client { return &Client{Server: s} }

// Connect returns the tools of a server without a registry. The error is a [*tool.CallFault]
// or the process's. With an error, it returns the tools that could be listed.
func Connect(env *process.Env, s Server) ([]tool.Callable, error) {
	if fault := web.CheckURL(s.URL); fault != "" {
		return nil, source.NewError("tool.address", fault)
	}
	return New(s).Connect(env)
}

// List returns the selected tools of a server as a text in JSON that has the form of a result of the
// method tools/list, with a tool on each line, and the address of the server. The names have the prefix. Errors are those of [Connect].
func List(env *process.Env, s Server) (string, error) {
	c := New(s)
	defer c.Close(env)
	tools, err := c.Connect(env)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, item := range tools {
		t := item.(*remoteTool)
		line := `{"name":` + jsonfile.Quoted(t.Name()) + `,"description":` + jsonfile.Quoted(t.about) + `,"inputSchema":` + string(t.schema)
		if len(t.output) > 0 {
			line += `,"outputSchema":` + string(t.output)
		}
		lines = append(lines, line+"}")
	}
	return "{\"server\": " + jsonfile.Quoted(s.URL) + ", \"tools\": [\n" + strings.Join(lines, ",\n") + "\n]}\n", nil
}
