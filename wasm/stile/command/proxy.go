package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// chatProxy judges the tool calls and the texts in the answers of a server with OpenAI's chat completions. The
// messages of a request are the run so far, so that the proxy has no state.
type chatProxy struct {
	guard   *gate.Guard
	options gate.Options
	path    string
}

// proxyVerb serves chat completions whose tool calls and texts are judged.
func proxyVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "proxy")
	var g guarding
	g.add(flags)
	listen := flags.String("listen", "127.0.0.1:0", "`address` of the proxy")
	upstream := flags.String("upstream", "", "`address` of the server of models, such as https://api.openai.com/v1")
	specs, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	guard, err := g.open(specs)
	if err != nil {
		return Error, err
	}
	o := g.options(func(err error) { fmt.Fprintln(s.Err, "stile: "+err.Error()) })
	if _, err := guard.Begin(o); err != nil {
		return Error, err
	}
	h := httpFlags{listen: *listen}
	return h.serve(ctx, s, strings.TrimSuffix(*upstream, "/"), func(upstream string) (handler, error) {
		u, err := url.Parse(upstream)
		if err != nil {
			return nil, err
		}
		return &chatProxy{guard, o, u.Path}, nil
	})
}

// chatCall is a tool call of a model.
type chatCall struct {
	ID       string
	Type     string
	Function *chatFunction
}

type chatFunction struct{ Name, Arguments string }

// UnmarshalJSON reads a call by the exact names of its members, as clients do.
func (c *chatCall) UnmarshalJSON(text []byte) error {
	var call, function object
	err := json.Unmarshal(text, &call)
	read := func(o object, name string, to *string) {
		if v := o[name]; v != nil && string(v) != "null" {
			err = errors.Join(err, json.Unmarshal(v, to))
		}
	}
	read(call, "id", &c.ID)
	read(call, "type", &c.Type)
	if f := call["function"]; f != nil {
		err = errors.Join(err, json.Unmarshal(f, &function))
		c.Function = &chatFunction{}
		read(function, "name", &c.Function.Name)
		read(function, "arguments", &c.Function.Arguments)
	}
	return err
}

// chatMessage is a message of a request or of an answer.
type chatMessage struct {
	Role         string
	Content      json.RawMessage
	ToolCalls    []chatCall      `json:"tool_calls"`
	ToolCallID   string          `json:"tool_call_id"`
	FunctionCall json.RawMessage `json:"function_call"`
}

// text returns the texts of a message.
func (m *chatMessage) text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(m.Content, &parts) // other contents have no text
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// event returns the call for the guard. A call of another type than function is not supported.
func (c *chatCall) event() (gate.Event, error) {
	if c.Type != "" && c.Type != "function" || c.Function == nil {
		return gate.Event{}, fmt.Errorf("the proxy does not judge calls of the type %q", c.Type)
	}
	return gate.Event{Kind: "call", Name: c.Function.Name, ID: c.ID, Arguments: c.Function.Arguments}, nil
}

// replay returns a session with the messages of a request. After an event that the spec does not permit, the
// session refuses all calls.
func (p *chatProxy) replay(messages []chatMessage) (*gate.Session, error) {
	quiet := p.options
	quiet.Log = nil
	s, err := p.guard.Begin(quiet)
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		switch m.Role {
		case "user":
			trial, err := p.guard.Load(s.Save(), quiet)
			if err != nil {
				return nil, err
			}
			// A conversation may have more questions than the run that the spec describes.
			if d := trial.Record(gate.Event{Kind: "message", Name: "user", Content: m.text()}); d.Code != "order.event" {
				s = trial
			}
		case "assistant":
			if len(m.FunctionCall) > 0 && string(m.FunctionCall) != "null" {
				return nil, errors.New("the proxy does not judge function_call; use tool_calls")
			}
			if text := m.text(); text != "" {
				s.Record(gate.Event{Kind: "message", Name: "assistant", Content: text})
			}
			for _, c := range m.ToolCalls {
				e, err := c.event()
				if err != nil {
					return nil, err
				}
				s.Record(e)
			}
		case "tool":
			s.Record(gate.Event{Kind: "result", ID: m.ToolCallID, Content: m.text()})
		case "system", "developer":
		default:
			return nil, fmt.Errorf("unknown role %q of a message", m.Role)
		}
	}
	return p.guard.Load(s.Save(), p.options)
}

func chatFault(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": reason, "type": "invalid_request_error", "code": "stile"}}) // the client has left
}

type chatKey struct{}

func (p *chatProxy) request(w http.ResponseWriter, r *http.Request) bool {
	path, ok := strings.CutPrefix(r.URL.Path, p.path)
	if ok && r.Method == http.MethodGet && (path == "/models" || strings.HasPrefix(path, "/models/")) {
		return true
	}
	if !ok || r.Method != http.MethodPost || path != "/chat/completions" {
		chatFault(w, http.StatusNotFound, "the proxy serves "+p.path+"/chat/completions and "+p.path+"/models only")
		return false
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		chatFault(w, http.StatusRequestEntityTooLarge, err.Error())
		return false
	}
	var body struct {
		Messages  []chatMessage
		N         int
		Functions json.RawMessage
	}
	if err = json.Unmarshal(text, &body); err == nil && (body.N > 1 || body.Functions != nil) {
		err = errors.New("the proxy does not support n and functions")
	}
	var session *gate.Session
	if err == nil {
		session, err = p.replay(body.Messages)
	}
	if err != nil {
		chatFault(w, http.StatusBadRequest, err.Error())
		return false
	}
	*r = *r.WithContext(context.WithValue(r.Context(), chatKey{}, session))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return true
}

// response judges the text and the calls of an answer.
func (p *chatProxy) response(r *http.Response) error {
	session, ok := r.Request.Context().Value(chatKey{}).(*gate.Session)
	if !ok || r.StatusCode/100 != 2 {
		return nil // a list of models, or an error
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // "" for none
	r.Header.Del("Content-Length")
	r.ContentLength = -1
	switch kind {
	case "text/event-stream":
		r.Body = newChatStream(r.Body, session)
		return nil
	case "application/json":
		text, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
		if err = errors.Join(err, r.Body.Close()); err == nil && len(text) > maxMessage {
			err = fmt.Errorf("the answer is larger than %d bytes", maxMessage)
		}
		if err == nil {
			text, err = judgeAnswer(session, text)
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		return err
	}
	return fmt.Errorf("unknown content type %q of the answer", kind)
}

// refused describes a refused call or text: the sentence for the model, and the member stile for programs.
type refused struct {
	Tool   string `json:"tool"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Rule   string `json:"rule"`

	written bool // a text of the model was refused, not a call
}

func (r *refused) text() string {
	if r.written {
		return "The text was refused: " + r.Reason + "."
	}
	return fmt.Sprintf("The call of %q was refused: %s.", r.Tool, r.Reason)
}

// judgeCall judges a call of an answer. It returns nil if the call is allowed.
func judgeCall(s *gate.Session, text json.RawMessage) *refused {
	var c chatCall
	if err := json.Unmarshal(text, &c); err != nil {
		return &refused{Code: "call.arguments", Reason: "the call cannot be read"}
	}
	e, err := c.event()
	if err != nil {
		return &refused{Code: "call.tool", Reason: err.Error()}
	}
	if d := s.Allow(e); d.Verdict != gate.Allow {
		return &refused{Tool: e.Name, Code: d.Code, Reason: refusal(d), Rule: d.Rule}
	}
	return nil
}

// object is a JSON object with its members as they are.
type object = map[string]json.RawMessage

// set encodes a member.
func set(o object, name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts, and parts that were parsed, always encode
	}
	o[name] = text
}

// judgeAnswer returns an answer without its refused part: the rest of the text and all calls, or the first refused
// call and the calls after it. The reason of the refusal becomes a text of the model.
func judgeAnswer(s *gate.Session, text []byte) ([]byte, error) {
	var answer, choice, message object
	var choices, calls []json.RawMessage
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answer["choices"], &choices); err != nil || len(choices) != 1 {
		return nil, errors.New("the answer has to have one choice")
	}
	if err := errors.Join(json.Unmarshal(choices[0], &choice), json.Unmarshal(choice["message"], &message)); err != nil {
		return nil, err
	}
	if f := message["function_call"]; f != nil && string(f) != "null" {
		return nil, errors.New("the proxy does not judge function_call")
	}
	if c := message["tool_calls"]; c != nil {
		if err := json.Unmarshal(c, &calls); err != nil {
			return nil, err
		}
	}
	texts := chatText{session: s}
	content, r, err := texts.judge(message["content"], true)
	allowed := 0
	for r == nil && err == nil && allowed < len(calls) {
		if r = judgeCall(s, calls[allowed]); r == nil {
			allowed++
		}
	}
	if r == nil || err != nil {
		return text, err
	}
	set(message, "content", strings.TrimSpace(content+"\n"+r.text()))
	set(message, "tool_calls", calls[:allowed])
	set(choice, "finish_reason", "tool_calls")
	if allowed == 0 {
		delete(message, "tool_calls")
		set(choice, "finish_reason", "stop")
	}
	set(choice, "message", message)
	set(answer, "choices", []object{choice})
	set(answer, "stile", r)
	return json.Marshal(answer)
}
