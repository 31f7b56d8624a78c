package tool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// exchange is a request to an MCP server that is under way.
type exchange struct {
	server  *mcpServer
	session *mcpSession
	env     *process.Env
	id      string
	first   bool // it begins the session: the headers of the answer are wanted

	events  eventReader
	whole   strings.Builder // a body that is one JSON value
	isWhole bool
	begun   bool
	size    int
	asked   []rpcMessage // of the client, by the server
	answer  *rpcMessage
	expired bool // the deadline
}

// rpcMessage is a message of JSON-RPC 2.0.
type rpcMessage struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// run sends the request and reads until its answer has come.
func (x *exchange) run(h process.HTTP) (json.RawMessage, error) {
	for resumes := 0; ; resumes++ {
		value, err := x.read(h)
		if x.answer != nil {
			return x.result(value)
		}
		switch {
		case x.expired:
			return nil, &CallFault{Code: "tool.timeout", Message: fmt.Sprintf("%s gave no answer within %d seconds", x.server.name(), x.server.deadline()/1000), Transient: true}
		case err != nil:
			var fault *CallFault
			if !errors.As(err, &fault) || !fault.Transient || !x.canResume(resumes) {
				return nil, err
			}
		default:
			if err := x.refusal(value); err != nil {
				return nil, err
			}
			if !x.canResume(resumes) {
				return nil, faultf(CodeProtocol, "%s gave no answer to the request", x.server.name())
			}
		}
		pause := firstWait
		if x.events.retry > 0 {
			pause = min(x.events.retry, maxToolWait)
		}
		if err := wait(x.env, pause); err != nil {
			return nil, err
		}
		h = x.server.message(x.session, "GET", "")
		h.Headers["Accept"] = "text/event-stream"
		h.Headers["Last-Event-ID"] = x.events.lastID
		x.begun, x.isWhole = false, false
		x.events.line.Reset()
		x.events.data.Reset()
	}
}

// canResume reports whether the stream can be taken up where it broke off.
func (x *exchange) canResume(resumes int) bool {
	return x.events.lastID != "" && resumes < maxResumes
}

// read performs one HTTP request of the exchange. It returns once the answer has
// come, or the body has ended.
func (x *exchange) read(h process.HTTP) (process.HTTPValue, error) {
	var value process.HTTPValue
	h.Stream = true
	pending := x.env.Start(process.Request{HTTP: &h})
	stop := x.watch(pending)
	defer stop()
	for {
		chunk, ok, err := pending.Chunk()
		if err != nil {
			return value, hostFault(h.URL, err)
		}
		if !ok {
			break
		}
		if x.size += len(chunk); x.size > maxStream {
			pending.Cancel()
			return value, faultf(CodeLong, "the answer of %s was ended after %s", x.server.name(), bytesOf(maxStream))
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
		return value, hostFault(h.URL, err)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return value, faultf(CodeAnswer, "the host's answer cannot be read: %s", err)
	}
	x.write(value.Body) // of a host that does not stream
	x.finish()
	return value, nil
}

// watch ends a request when its time is over. It is a task of its own, for
// otherwise a server that says something now and then could be listened to for
// ever.
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

// write takes a piece of the body.
func (x *exchange) write(piece string) {
	if !x.begun {
		if piece = strings.TrimLeft(piece, " \t\r\n\ufeff"); piece == "" {
			return
		}
		x.begun, x.isWhole = true, piece[0] == '{' || piece[0] == '['
	}
	if x.isWhole {
		x.whole.WriteString(piece)
		return
	}
	for _, data := range x.events.write(piece) {
		x.take(data)
	}
}

// finish reads what the body's end completes.
func (x *exchange) finish() {
	if x.isWhole {
		x.take(x.whole.String())
		return
	}
	if data := x.events.end(); data != "" {
		x.take(data)
	}
}

// take takes a message, or a list of messages.
func (x *exchange) take(text string) {
	var list []rpcMessage
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if json.Unmarshal([]byte(text), &list) != nil {
			return
		}
	} else {
		var one rpcMessage
		if json.Unmarshal([]byte(text), &one) != nil {
			return // said as an answer that never came
		}
		list = []rpcMessage{one}
	}
	for _, m := range list {
		switch {
		case m.Method != "" && len(m.ID) > 0:
			x.asked = append(x.asked, m)
		case m.Method == "" && (m.Result != nil || m.Error != nil) && (string(m.ID) == x.id || string(m.ID) == `"`+x.id+`"`):
			if x.answer == nil {
				x.answer = &m
			}
		}
	}
}

// maxAsked is how many requests of a server are answered while it is asked for
// something.
const maxAsked = 20

// serve answers what the server asks.
func (x *exchange) serve() error {
	asked := x.asked
	x.asked = nil
	for i, m := range asked {
		if i == maxAsked {
			return faultf(CodeProtocol, "%s asks too much of a client", x.server.name())
		}
		reply := `"error":{"code":-32601,"message":"this client only calls tools"}`
		if m.Method == "ping" {
			reply = `"result":{}`
		}
		if _, err := once(x.env, x.server.message(x.session, "POST", `{"jsonrpc":"2.0","id":`+string(m.ID)+`,`+reply+`}`)); err != nil {
			var fault *CallFault
			if !errors.As(err, &fault) {
				return err
			}
		}
	}
	return nil
}

// result returns the result of the answer, and keeps the session's name.
func (x *exchange) result(value process.HTTPValue) (json.RawMessage, error) {
	if x.first {
		if x.session.id = value.Headers["mcp-session-id"]; strings.IndexFunc(x.session.id, func(c rune) bool { return c <= ' ' || c > '~' }) >= 0 {
			x.session.id = ""
			return nil, faultf(CodeProtocol, "%s names its session with signs that no header may have", x.server.name())
		}
	}
	if e := x.answer.Error; e != nil {
		if value.Status == 404 && x.session.id != "" {
			return nil, errSession
		}
		said, _ := Cut(strings.TrimSpace(e.Message), maxSaid)
		return nil, faultf(CodeRemote, "%s reports error %d: %s", x.server.name(), e.Code, said)
	}
	return x.answer.Result, nil
}

// refusal makes an error of an answer that is none.
func (x *exchange) refusal(value process.HTTPValue) error {
	if value.Status == 404 && x.session.id != "" {
		return errSession
	}
	body := x.whole.String()
	if !x.isWhole {
		body = x.events.stray
	}
	var m rpcMessage
	if json.Unmarshal([]byte(body), &m) == nil && m.Error != nil {
		body = m.Error.Message
	}
	// Some servers say 400 where the protocol wants 404.
	if value.Status == 400 && x.session.id != "" && strings.Contains(strings.ToLower(body), "session") {
		return errSession
	}
	if fault := statusFault(x.server.URL, value, body); fault != nil {
		if value.Status == 400 && x.session.id == "" && !x.first {
			fault.Message += "; a server with sessions has to let pages read the header Mcp-Session-Id (Access-Control-Expose-Headers)"
		}
		if (value.Status == 404 || value.Status == 405) && x.first {
			fault.Message += "; an MCP server over streamable HTTP is expected there, often at /mcp"
		}
		return fault
	}
	if value.Status == 200 && x.events.stray != "" && x.events.lastID == "" {
		return faultf(CodeAnswer, "%s gave no answer of an MCP server, but %s", x.server.name(), oneLine(value.Headers["content-type"], x.events.stray))
	}
	return nil
}

// eventReader reads server-sent events (WHATWG HTML, section 9.2.6), cut anywhere.
type eventReader struct {
	line   strings.Builder
	data   strings.Builder
	cr     bool // the last character was a carriage return
	lastID string
	retry  int    // milliseconds
	stray  string // the beginning of what is no event
}

// write returns the data of the events that a piece completes.
func (r *eventReader) write(piece string) (events []string) {
	for piece != "" {
		if r.cr && piece[0] == '\n' {
			r.cr, piece = false, piece[1:]
			continue
		}
		r.cr = false
		i := strings.IndexAny(piece, "\r\n")
		if i < 0 {
			r.line.WriteString(piece)
			break
		}
		r.line.WriteString(piece[:i])
		r.cr = piece[i] == '\r'
		piece = piece[i+1:]
		if data := r.endLine(); data != "" {
			events = append(events, data)
		}
	}
	return events
}

// endLine takes a whole line and returns the data of the event that it ends.
func (r *eventReader) endLine() string {
	line := r.line.String()
	r.line.Reset()
	if line == "" {
		data := r.data.String()
		r.data.Reset()
		return data
	}
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "data":
		if r.data.Len() > 0 {
			r.data.WriteByte('\n')
		}
		r.data.WriteString(value)
	case "id":
		if strings.IndexFunc(value, func(c rune) bool { return c < ' ' || c > '~' }) < 0 {
			r.lastID = value
		}
	case "retry":
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			r.retry = n
		}
	case "event", "":
	default:
		if len(r.stray) < maxSaid {
			r.stray += line + "\n"
		}
	}
	return ""
}

// end returns the data of an event that the end of the body cuts off, for not every
// server ends its last.
func (r *eventReader) end() string {
	if r.line.Len() > 0 {
		r.endLine()
	}
	return r.endLine()
}
