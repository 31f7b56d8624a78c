package mcp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
	"github.com/stile-playground/stile/core/tool/web"
)

// exchange is a request to a server that is in progress.
type exchange struct {
	server  *Client
	session *session
	env     *process.Env
	id      string
	method  string
	first   bool // the initialize request, whose answer has the session's id in a header

	events  eventReader
	body    strings.Builder // if the answer is one JSON value
	isJSON  bool            // the answer is one JSON value, not events
	begun   bool
	size    int
	asked   []rpcMessage // requests of the server
	answer  *rpcMessage
	failed  *rpcError // the error in the answer, even if the answer has no id
	expired bool      // the timeout has expired
}

// rpcMessage is a JSON-RPC 2.0 message.
type rpcMessage struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *rpcError
}

// rpcError is a JSON-RPC 2.0 error.
type rpcError struct {
	Code    int
	Message string
	Data    json.RawMessage
}

// run sends the request and reads until the answer arrives.
func (x *exchange) run(params string, headers map[string]string) (json.RawMessage, error) {
	if x.session.stateless() {
		params = withMeta(params)
	}
	h := x.server.message(x.session, "POST", `{"jsonrpc":"2.0","id":`+x.id+`,"method":`+jsonfile.Quoted(x.method)+`,"params":`+params+`}`)
	if x.session.stateless() {
		h.Headers["Mcp-Method"] = x.method
		for name, value := range headers {
			h.Headers[name] = value
		}
	}
	for resumes := 0; ; resumes++ {
		value, err := x.read(h)
		if x.answer != nil {
			return x.result(value)
		}
		switch {
		case x.expired:
			return nil, &tool.CallFault{Code: "tool.timeout", Message: fmt.Sprintf("%s did not answer within %d seconds", x.server.Name(), x.server.deadline()/1000), Transient: true}
		case err != nil:
			var fault *tool.CallFault
			if !errors.As(err, &fault) || !fault.Transient || !x.canResume(resumes) {
				return nil, err
			}
		default:
			if err := x.refusal(value); err != nil {
				return nil, err
			}
			if !x.canResume(resumes) {
				return nil, tool.Faultf(tool.CodeProtocol, "%s did not answer the request", x.server.Name())
			}
		}
		pause := web.FirstWait
		if x.events.retry > 0 {
			pause = min(x.events.retry, web.MaxWait)
		}
		if err := web.Wait(x.env, pause); err != nil {
			return nil, err
		}
		h = x.server.message(x.session, "GET", "")
		h.Headers["Accept"] = "text/event-stream"
		h.Headers["Last-Event-ID"] = x.events.lastID
		x.begun, x.isJSON = false, false
		x.events.line.Reset()
		x.events.data.Reset()
	}
}

// canResume reports whether the stream can be resumed where it broke off. Streams of stateless
// servers cannot.
func (x *exchange) canResume(resumes int) bool {
	return x.events.lastID != "" && resumes < maxResumes && !x.session.stateless()
}

// read performs one HTTP request of the exchange. It returns when the answer arrives or the
// body ends.
func (x *exchange) read(h process.HTTP) (process.HTTPValue, error) {
	var value process.HTTPValue
	h.Stream = true
	pending := x.env.Start(process.Request{HTTP: &h})
	stop := x.watch(pending)
	defer stop()
	for {
		chunk, ok, err := pending.Chunk()
		if err != nil {
			return value, tool.HostFault(web.Host(h.URL), err)
		}
		if !ok {
			break
		}
		if x.size += len(chunk); x.size > maxStream {
			pending.Cancel()
			return value, tool.Faultf(tool.CodeLong, "the answer of %s was cut off after %s", x.server.Name(), phrase.Bytes(maxStream))
		}
		x.write(chunk)
		if err := x.serve(); err != nil {
			pending.Cancel()
			return value, err
		}
		if x.answer != nil && !x.first {
			pending.Cancel()
			return process.HTTPValue{Status: 200}, nil
		}
	}
	raw, err := pending.Value()
	if err != nil {
		return value, tool.HostFault(web.Host(h.URL), err)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return value, tool.Faultf(tool.CodeAnswer, "the host's answer cannot be read: %s", err)
	}
	x.write(value.Body) // set by hosts that do not stream
	x.finish()
	return value, nil
}

// watch cancels a request at its timeout. It is a separate task, because a server that sends
// a byte now and then never reaches the idle timeout.
func (x *exchange) watch(pending *process.Pending) (stop func()) {
	var timer *process.Pending
	over := false
	x.env.Go(func(env *process.Env) error {
		if over {
			return nil
		}
		timer = env.Start(process.Request{Timer: &process.Timer{Milliseconds: x.server.deadline()}})
		if _, err := timer.Value(); err == nil && !over {
			x.expired = true
			pending.Cancel()
		}
		return nil
	})
	return func() {
		over = true
		if timer != nil {
			timer.Cancel()
		}
	}
}

// write reads a piece of the body.
func (x *exchange) write(piece string) {
	if !x.begun {
		if piece = strings.TrimLeft(piece, " \t\r\n\ufeff"); piece == "" {
			return
		}
		x.begun, x.isJSON = true, piece[0] == '{' || piece[0] == '['
	}
	if x.isJSON {
		x.body.WriteString(piece)
		return
	}
	for _, data := range x.events.write(piece) {
		x.take(data)
	}
}

// finish reads the last message, which is complete only at the end of the body.
func (x *exchange) finish() {
	if x.isJSON {
		x.take(x.body.String())
		return
	}
	if data := x.events.end(); data != "" {
		x.take(data)
	}
}

// take reads a message, or a list of messages. It ignores malformed messages, so a request
// may end without an answer.
func (x *exchange) take(text string) {
	var list []rpcMessage
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if json.Unmarshal([]byte(text), &list) != nil {
			return
		}
	} else {
		var one rpcMessage
		if json.Unmarshal([]byte(text), &one) != nil {
			return
		}
		list = []rpcMessage{one}
	}
	for _, m := range list {
		switch {
		case m.Method != "" && len(m.ID) > 0:
			// A stateless server may not send requests, and a client may not answer any.
			if !x.session.stateless() {
				x.asked = append(x.asked, m)
			}
		case m.Method == "" && (m.Result != nil || m.Error != nil) && (string(m.ID) == x.id || string(m.ID) == `"`+x.id+`"`):
			if x.answer == nil {
				x.answer = &m
			}
		}
	}
}

// maxAsked bounds the requests of a server that are answered during one exchange.
const maxAsked = 20

// serve answers the server's requests.
func (x *exchange) serve() error {
	asked := x.asked
	x.asked = nil
	for i, m := range asked {
		if i == maxAsked {
			return tool.Faultf(tool.CodeProtocol, "%s sends too many requests to the client", x.server.Name())
		}
		reply := `"error":{"code":-32601,"message":"this client only calls tools"}`
		if m.Method == "ping" {
			reply = `"result":{}`
		}
		if _, err := web.Once(x.env, x.server.message(x.session, "POST", `{"jsonrpc":"2.0","id":`+string(m.ID)+`,`+reply+`}`)); err != nil {
			var fault *tool.CallFault
			if !errors.As(err, &fault) {
				return err
			}
		}
	}
	return nil
}

// result returns the result of the answer and stores the session's id.
func (x *exchange) result(value process.HTTPValue) (json.RawMessage, error) {
	if x.first {
		if x.session.id = value.Headers["mcp-session-id"]; strings.ContainsFunc(x.session.id, func(c rune) bool { return c <= ' ' || c > '~' }) {
			x.session.id = ""
			return nil, tool.Faultf(tool.CodeProtocol, "%s uses a session id that no header can contain", x.server.Name())
		}
	}
	if x.failed = x.answer.Error; x.failed != nil {
		if value.Status == 404 && x.session.id != "" {
			return nil, errSession
		}
		return nil, x.fault()
	}
	return x.answer.Result, nil
}

// refusal returns the error of an HTTP answer without a message for the request.
func (x *exchange) refusal(value process.HTTPValue) error {
	if value.Status == 404 && x.session.id != "" {
		return errSession
	}
	body := x.body.String()
	if !x.isJSON {
		body = x.events.stray
	}
	var m rpcMessage
	if json.Unmarshal([]byte(body), &m) == nil && m.Error != nil {
		if x.failed = m.Error; x.failed.isModern() {
			return x.fault()
		}
		body = m.Error.Message
	}
	// Some servers answer with 400 although the protocol requires 404.
	if value.Status == 400 && x.session.id != "" && strings.Contains(strings.ToLower(body), "session") {
		return errSession
	}
	if fault := web.StatusFault(x.server.URL, value, body); fault != nil {
		if value.Status == 400 && x.session.id == "" && !x.first {
			fault.Message += "; a server with sessions must expose the header Mcp-Session-Id to pages (Access-Control-Expose-Headers)"
		}
		if (value.Status == 404 || value.Status == 405) && x.first {
			fault.Message += "; expected an MCP server over streamable HTTP, whose path is often /mcp"
		}
		return fault
	}
	if value.Status == 200 && x.events.stray != "" && x.events.lastID == "" {
		return tool.Faultf(tool.CodeAnswer, "expected the answer of an MCP server from %s, got %s", x.server.Name(), web.Line(value.Headers["content-type"], x.events.stray))
	}
	return nil
}
