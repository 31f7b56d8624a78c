package llm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Endpoint is a server that speaks the chat completions format of OpenAI, as
// most do. The key is not here: the host knows it by the endpoint's name.
type Endpoint struct {
	Name  string `json:"name"`
	URL   string `json:"url"` // up to and without "/chat/completions"
	Model string `json:"model"`
}

func (e *Endpoint) check() error {
	switch {
	case e == nil:
		return source.NewError("llm.spec", "a model of kind endpoint needs an endpoint with its URL and model")
	case !strings.HasPrefix(e.URL, "https://") && !strings.HasPrefix(e.URL, "http://"):
		return source.NewError("llm.spec", fmt.Sprintf("the endpoint's URL %q does not begin with https:// or http://", e.URL))
	case e.Model == "":
		return source.NewError("llm.spec", "the endpoint needs the name of a model")
	}
	return nil
}

// chatRequest is the body of a request.
type chatRequest struct {
	Model       string    `json:"model"`
	Messages    []Message `json:"messages"`
	Stop        []string  `json:"stop,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	Temperature float64   `json:"temperature"`
	Stream      bool      `json:"stream"`
}

// maxStops is how many stop texts the format takes.
const maxStops = 4

// httpRequest returns the request as it goes over the wire. No endpoint of this
// format is sure to continue a turn of its own, so a prefix goes as a turn
// begun, followed by the wish to go on from its very end.
func (e Endpoint) httpRequest(r Request) (process.HTTP, error) {
	messages := r.Messages
	if r.Prefix != "" {
		messages = append(messages[:len(messages):len(messages)],
			Message{Role: "assistant", Content: r.Prefix},
			Message{Role: "user", Content: "Go on from exactly where your text ends. Do not repeat any of it and do not comment on it."})
	}
	body, err := json.Marshal(chatRequest{
		Model: e.Model, Messages: messages, Stop: r.Stop[:min(len(r.Stop), maxStops)],
		MaxTokens: r.MaxTokens, Temperature: r.Temperature, Stream: true,
	})
	return process.HTTP{
		Method: "POST", URL: strings.TrimRight(e.URL, "/") + "/chat/completions",
		Headers: map[string]string{"Content-Type": "application/json"},
		Body:    string(body), Auth: "endpoint:" + e.Name, Stream: true,
	}, err
}

type endpointModel struct{ Endpoint }

// Generate implements [Model]. A stream that a reload cut off is asked for again.
func (m endpointModel) Generate(env *process.Env, r Request, yield func(string) bool) (Reply, error) {
	if err := spendCall(env, r); err != nil {
		return Reply{}, err
	}
	request, err := m.httpRequest(r)
	if err != nil {
		return Reply{}, err
	}
	for {
		reply, err := m.attempt(env, request, yield)
		var effect *process.EffectError
		if errors.As(err, &effect) && effect.Code == process.CodeInterrupted && reply.Text == "" {
			continue
		}
		if err != nil {
			return reply, endpointError(err)
		}
		if reply.Usage.Prompt == 0 {
			reply.Usage = Usage{Prompt: r.promptTokens(), Completion: EstimateTokens(reply.Text)}
		}
		return reply, env.Meter().Spend(meter.Tokens, int64(reply.Usage.Completion))
	}
}

func (m endpointModel) attempt(env *process.Env, request process.HTTP, yield func(string) bool) (Reply, error) {
	pending := env.Start(process.Request{HTTP: &request})
	reply := Reply{Reason: StopEnd}
	var decoder StreamDecoder
	var text strings.Builder
	var raw strings.Builder // what came, for the message of a failure
	for {
		chunk, ok, err := pending.Chunk()
		if err != nil {
			reply.Text = text.String()
			return reply, err
		}
		if !ok {
			break
		}
		if raw.Len() < maxErrorBody {
			raw.WriteString(chunk)
		}
		for _, d := range decoder.Write(chunk) {
			if d.Error != "" {
				pending.Cancel()
				return reply, source.NewError("llm.provider", "the endpoint reports: "+d.Error)
			}
			if d.Reason != "" {
				reply.Reason = d.Reason
			}
			if d.Usage != nil {
				reply.Usage = *d.Usage
			}
			if d.Text == "" {
				continue
			}
			text.WriteString(d.Text)
			if !yield(d.Text) {
				pending.Cancel()
				reply.Reason, reply.Text = StopAborted, text.String()
				return reply, nil
			}
		}
	}
	value, err := pending.Value()
	if err != nil {
		return reply, err
	}
	var answer process.HTTPValue
	if err := json.Unmarshal(value, &answer); err != nil {
		return reply, err
	}
	if answer.Status >= 300 {
		return reply, statusError(answer.Status, raw.String()+answer.Body)
	}
	reply.Text = text.String()
	return reply, nil
}

// maxErrorBody is how much of an error's body is kept for its message.
const maxErrorBody = 4 << 10

// endpointError gives an error of the host a code of this package.
func endpointError(err error) error {
	var effect *process.EffectError
	if errors.As(err, &effect) {
		return source.NewError("llm."+effect.Code, "the endpoint could not be asked: "+effect.Message)
	}
	return err
}

// statusError says what an endpoint's refusal means.
func statusError(status int, body string) error {
	code, meaning := "llm.status", fmt.Sprintf("the endpoint answered with status %d", status)
	switch {
	case status == 401 || status == 403:
		code, meaning = "llm.key", "the endpoint refused the key"
	case status == 404:
		code, meaning = "llm.path", "the endpoint knows no such path or model"
	case status == 429:
		code, meaning = "llm.rate", "the endpoint wants fewer requests"
	case status >= 500:
		code, meaning = "llm.server", fmt.Sprintf("the endpoint failed with status %d", status)
	}
	if said := providerMessage(body); said != "" {
		meaning += ": " + said
	}
	return source.NewError(code, meaning)
}

// providerMessage finds what an error's body says, in any of the usual shapes.
func providerMessage(body string) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal([]byte(body), &shape) != nil {
		return strings.TrimSpace(cutTokens(body, 50))
	}
	var text string
	var inner struct{ Message string }
	switch {
	case json.Unmarshal(shape.Error, &text) == nil && text != "":
		return text
	case json.Unmarshal(shape.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	default:
		return shape.Message
	}
}
