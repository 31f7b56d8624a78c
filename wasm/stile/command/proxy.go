package command

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// chatProxy judges the tool calls and the texts in the answers of a server with OpenAI's chat completions. The
// messages of a request are the run so far, so that the proxy has no state.
type chatProxy struct {
	guard    *gate.Guard
	options  gate.Options
	path     string
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
	guard, o, err := g.start(s, specs)
	if err != nil {
		return Error, err
	}
	h := httpFlags{listen: *listen}
	return h.serve(ctx, s, strings.TrimSuffix(*upstream, "/"), func(path string) handler { return &chatProxy{guard, o, path, *thoughts} })
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
	if ok && strings.HasPrefix(path, "/responses") {
		chatFault(w, http.StatusNotFound, "the proxy does not judge the Responses API; set the client to chat completions ("+p.path+"/chat/completions)")
		return false
	}
	if !ok || r.Method != http.MethodPost || path != "/chat/completions" {
		chatFault(w, http.StatusNotFound, "the proxy serves "+p.path+"/chat/completions and "+p.path+"/models only")
		return false
	}
	text, err := readAll(r.Body, "the request")
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
	forward(r, text)
	return true
}

func (p *chatProxy) done(*http.Request) {} // has no state

// response judges the text and the calls of an answer.
func (p *chatProxy) response(r *http.Response) error {
	session, ok := r.Request.Context().Value(chatKey{}).(*gate.Session)
	if !ok || r.StatusCode/100 != 2 {
		return nil // a list of models, or an error
	}
	judged := chatText{session: session, thoughts: p.thoughts}
	kind := kindOf(r)
	switch kind {
	case "text/event-stream":
		r.Header.Del("Content-Length")
		r.ContentLength = -1
		r.Body = newChatStream(r.Body, judged)
		return nil
	case "application/json":
		return deliver(r, judged.answer)
	}
	return fmt.Errorf("unknown content type %q of the answer", kind)
}
