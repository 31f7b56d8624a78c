package mcp

import (
	"errors"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/web"
)

// Stateless is the supported revision without sessions.
const Stateless = "2026-07-28"

// clientInfo names the client.
const clientInfo = `{"name":"stile","title":"Stile","version":"1"}`

// requestMeta begins the params of stateless requests.
const requestMeta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + Stateless + `","io.modelcontextprotocol/clientInfo":` + clientInfo + `,"io.modelcontextprotocol/clientCapabilities":{}}`

// withMeta adds the metadata of stateless requests to params.
func withMeta(params string) string {
	if params == "{}" {
		return requestMeta + "}"
	}
	return requestMeta + "," + params[1:]
}

// The errors that only stateless servers report.
const (
	codeHeaders    = -32020 // HeaderMismatch
	codeCapability = -32021 // MissingRequiredClientCapability
	codeVersion    = -32022 // UnsupportedProtocolVersion
)

// isModern reports whether only stateless servers report errors with this code.
func (e *rpcError) isModern() bool {
	return e.Code == codeHeaders || e.Code == codeCapability || e.Code == codeVersion
}

// supported returns the revisions that the server lists in an error.
func (e *rpcError) supported() []string { return revisions(e.Data, "supported") }

// revisions returns the list in a field of an object.
func revisions(object json.RawMessage, field string) (out []string) {
	tree, _ := json.Tree(string(object)) // nil has no fields
	list, _ := tree.Get(field)
	for _, v := range list.Items {
		out = append(out, v.Text)
	}
	return out
}

// stateless reports whether the session is that of a stateless server.
func (s *session) stateless() bool { return s.version == Stateless }

// fault returns the fault of the answer's error.
func (x *exchange) fault() *tool.CallFault {
	e := x.failed
	said, _ := tool.Cut(strings.TrimSpace(e.Message), web.MaxQuote)
	f := tool.Faultf(tool.CodeRemote, "%s reports error %d: %s", x.server.Name(), e.Code, said)
	if e.isModern() {
		f.Code = tool.CodeProtocol
		if list := e.supported(); len(list) > 0 {
			return unsupported(list)
		}
	}
	return f
}

// unsupported returns the fault of a server without a common revision.
func unsupported(have []string) *tool.CallFault {
	return tool.Faultf(tool.CodeProtocol, "unsupported revision %s of MCP (expected %s, %s)", phrase.Shorten(strings.Join(have, ", "), 60), Stateless, strings.Join(versions[:], ", "))
}

// legacyFaults are the codes with which servers of older revisions answer server/discover. If
// such a server allows only the headers that it knows, a browser reports tool.cors instead.
var legacyFaults = [...]string{tool.CodeStatus, tool.CodeRemote, tool.CodeAnswer, tool.CodeProtocol, "tool.cors"}

// discover reports whether the server is stateless; otherwise it has sessions. The error is
// that of a server which cannot be reached, denies access, or has no common revision.
func (s *Client) discover(env *process.Env) (stateless bool, err error) {
	x := s.exchange(env, &session{version: Stateless}, "server/discover")
	raw, err := x.run("{}", nil)
	found := revisions(raw, "supportedVersions")
	var fault *tool.CallFault
	switch {
	case x.failed != nil && x.failed.isModern():
		found = x.failed.supported()
	case errors.As(err, &fault) && slices.Contains(legacyFaults[:], fault.Code):
		err = nil
	case err == nil && len(found) > 0:
		if slices.Contains(found, Stateless) {
			return true, nil
		}
		err = unsupported(found)
	}
	for _, v := range versions {
		if slices.Contains(found, v) {
			err = nil
		}
	}
	return false, err
}

// completed returns a fault if a stateless server's result asks for input instead of being
// complete, or nil. Stile declares no capabilities, so servers should not ask.
func completed(result json.RawMessage) error {
	tree, _ := json.Tree(string(result)) // nil is complete, and unreadable for the caller
	kind := tree.TextOf("resultType")
	if kind == "" || kind == "complete" {
		return nil
	}
	asked, _ := tree.Get("inputRequests")
	for _, m := range asked.Members {
		kind += " " + m.Value.TextOf("method")
	}
	return tool.Faultf(tool.CodeProtocol, "the server needs more than one request, which Stile does not support: %s", phrase.Shorten(kind, 80))
}

// headers returns the headers of a call: the tool's name and the mirrored arguments. Servers
// with sessions need none. A number that no header can carry is left out; the server then
// reports the missing header.
func (t *remoteTool) headers(arguments json.RawMessage) map[string]string {
	headers := map[string]string{"Mcp-Name": headerValue(t.remoteName)}
	for _, m := range t.mirrored {
		value, _ := json.Tree(string(arguments)) // nil has no members
		for _, name := range m.path {
			value, _ = value.Get(name)
		}
		text, ok := headerText(value)
		if ok {
			headers[m.header] = headerValue(text)
		}
	}
	return headers
}
