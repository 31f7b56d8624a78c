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

	thoughts bool // deliver the model's reasoning, which is not judged
}

// proxyVerb serves chat completions whose tool calls and texts are judged.
func proxyVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "proxy")
	var g guarding
	g.add(flags)
	listen := flags.String("listen", "127.0.0.1:0", "`address` of the proxy")
	upstream := flags.String("upstream", "", "`address` of the server of models, such as https://api.openai.com/v1")
	thoughts := flags.Bool("thoughts", false, "deliver the reasoning of the model, which the specs do not judge; without it, the proxy removes it")
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
		return &chatProxy{guard, o, u.Path, *thoughts}, nil
	})
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
			if d := trial.Record(gate.Event{Kind: "message", Name: "user", Content: m.Text}); d.Code != "order.event" {
				s = trial
			}
		case "assistant":
			if m.Text != "" {
				s.Record(gate.Event{Kind: "message", Name: "assistant", Content: m.Text})
			}
			for _, c := range m.ToolCalls {
				e, err := c.event()
				if err != nil {
					return nil, err
				}
				s.Record(e)
			}
		case "tool":
			s.Record(gate.Event{Kind: "result", ID: m.ToolCallID, Content: m.Text})
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
	text, messages, err := readChat(text)
	var session *gate.Session
	if err == nil {
		session, err = p.replay(messages)
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
		r.Body = newChatStream(r.Body, chatText{session: session, thoughts: p.thoughts})
		return nil
	case "application/json":
		text, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
		if err = errors.Join(err, r.Body.Close()); err == nil && len(text) > maxMessage {
			err = fmt.Errorf("the answer is larger than %d bytes", maxMessage)
		}
		if err == nil {
			text, err = (&chatText{session: session, thoughts: p.thoughts}).answer(text)
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		return err
	}
	return fmt.Errorf("unknown content type %q of the answer", kind)
}
