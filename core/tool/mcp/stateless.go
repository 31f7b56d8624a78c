package mcp

import (
	"errors"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/jsonfile"
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

// isModern reports whether only a stateless server reports such an error.
func (e *rpcError) isModern() bool {
	return e.Code == codeHeaders || e.Code == codeCapability || e.Code == codeVersion
}

// supported returns the revisions that the server lists in an error.
func (e *rpcError) supported() []string {
	var data struct{ Supported []string }
	if json.Unmarshal(e.Data, &data) != nil {
		return nil
	}
	return data.Supported
}

// stateless reports whether the session is that of a stateless server.
func (s *session) stateless() bool { return s.version == Stateless }

// fault returns the fault of the answer's error.
func (x *exchange) fault() *tool.CallFault {
	e := x.failed
	said, _ := tool.Cut(strings.TrimSpace(e.Message), web.MaxQuote)
	f := tool.Faultf(tool.CodeRemote, "%s reports error %d: %s", x.server.Name(), e.Code, said)
	switch list := e.supported(); {
	case e.Code == codeHeaders:
		f.Code = tool.CodeProtocol
		f.Message += "; either the tool has changed since the run listed it, or a proxy changes the Mcp headers"
	case e.Code == codeCapability:
		f.Code = tool.CodeProtocol
		f.Message += "; Stile calls tools, and answers no requests of servers"
	case e.Code == codeVersion && len(list) > 0:
		return unsupported(list...)
	}
	return f
}

// unsupported returns the fault of a server without a common revision.
func unsupported(have ...string) *tool.CallFault {
	noun := "revision"
	if len(have) > 1 {
		noun = "revisions"
	}
	return tool.Faultf(tool.CodeProtocol, "unsupported %s %s of MCP (expected %s, %s)", noun, phrase.Shorten(strings.Join(have, ", "), 60), Stateless, strings.Join(versions[:], ", "))
}

// legacyFaults are the codes with which servers of older revisions answer server/discover. A page
// also gets tool.cors from them if they allow only the headers that they know.
var legacyFaults = [...]string{tool.CodeStatus, tool.CodeRemote, tool.CodeAnswer, tool.CodeProtocol, "tool.cors"}

// discover reports whether the server is stateless; otherwise it has sessions. The error is
// that of a server which cannot be reached, denies access, or has no common revision.
func (s *Client) discover(env *process.Env) (stateless bool, err error) {
	x := s.exchange(env, &session{version: Stateless}, "server/discover")
	raw, err := x.run("{}", nil)
	var found struct{ SupportedVersions []string }
	var fault *tool.CallFault
	switch {
	case x.failed != nil && x.failed.Code == codeVersion:
		found.SupportedVersions = x.failed.supported()
	case x.failed != nil && x.failed.isModern():
		return false, err
	case err == nil && json.Unmarshal(raw, &found) == nil && len(found.SupportedVersions) > 0:
		if slices.Contains(found.SupportedVersions, Stateless) {
			return true, nil
		}
		err = unsupported(found.SupportedVersions...)
	case err == nil, errors.As(err, &fault) && slices.Contains(legacyFaults[:], fault.Code):
		return false, nil
	default:
		return false, err
	}
	if slices.ContainsFunc(versions[:], func(v string) bool { return slices.Contains(found.SupportedVersions, v) }) {
		return false, nil
	}
	return false, err
}

// maxRounds bounds the requests for one result of a stateless server.
const maxRounds = 5

// rounds sends a request to a stateless server. A server that answers with a state and no
// question gets the request again with that state.
func (s *Client) rounds(env *process.Env, session *session, method, params string, headers map[string]string) (json.RawMessage, error) {
	state := ""
	for range maxRounds {
		sent := params
		if state != "" {
			sent = `{"requestState":` + jsonfile.Quoted(state) + "," + params[1:]
		}
		raw, err := s.ask(env, session, method, sent, headers)
		if err != nil {
			return nil, err
		}
		var r struct {
			ResultType    string
			RequestState  string
			InputRequests map[string]struct{ Method string }
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, tool.Faultf(tool.CodeProtocol, "the result of %s cannot be read: %s", method, err)
		}
		switch r.ResultType {
		case "", "complete":
			return raw, nil
		case "input_required":
		default:
			return nil, tool.Faultf(tool.CodeProtocol, "%s returned a result of the unknown type %q", s.Name(), phrase.Shorten(r.ResultType, 30))
		}
		var asked []string
		for _, q := range r.InputRequests {
			asked = append(asked, q.Method)
		}
		slices.Sort(asked)
		if len(asked) > 0 || r.RequestState == "" {
			return nil, tool.Faultf(tool.CodeProtocol, "%s asks the client for input (%s), which Stile does not support", s.Name(), phrase.Shorten(strings.Join(asked, ", "), 80))
		}
		state = r.RequestState
	}
	return nil, tool.Faultf(tool.CodeProtocol, "%s did not complete the request in %d rounds", s.Name(), maxRounds)
}

// headers returns the headers of a call: the tool's name and the mirrored arguments. Servers
// with sessions need none.
func (t *remoteTool) headers(arguments json.RawMessage) (map[string]string, *tool.CallFault) {
	headers := map[string]string{"Mcp-Name": headerValue(t.remoteName)}
	if len(t.mirrored) == 0 {
		return headers, nil
	}
	tree, fault := json.Tree(string(arguments))
	if fault != nil {
		return nil, tool.Faultf(tool.CodeArguments, "arguments: are not JSON: %s", fault.Message)
	}
	for _, m := range t.mirrored {
		value, ok := tree, true
		for _, name := range m.path {
			if value, ok = value.Get(name); !ok {
				break
			}
		}
		switch {
		case !ok || value.Kind == 'n':
			continue
		case value.Kind == '0':
			number, ok := safeInteger(value.Text)
			if !ok {
				return nil, tool.Faultf(tool.CodeArguments, "arguments.%s: is %s, expected an integer between -(2^53-1) and 2^53-1", strings.Join(m.path, "."), phrase.Shorten(value.Text, 40))
			}
			headers[m.header] = number
		default:
			headers[m.header] = headerValue(value.Text)
		}
	}
	return headers, nil
}
