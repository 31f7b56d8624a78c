package standin

import "encoding/json"

// format is one of the wire formats.
type format interface {
	read(body []byte) (ask, error)
	complete(a ask, out answer) any
	events(a ask, out answer) []string // the stream's chunks
	contentType() string               // of a stream
	failure(r refusal) any
	failureEvent(r refusal) string // in a stream
	garbage() string               // in a stream
	noModel(name string) refusal
	models(x *exchange, names []string) any
}

// formatOf returns the format of a path, or nil.
func formatOf(path string) format {
	switch {
	case path == "/v1/chat/completions":
		return chat{}
	case path == "/v1/completions":
		return completions{}
	case path == "/v1/responses":
		return responses{}
	case path == "/v1/messages":
		return anthropic{}
	case path == "/v1/models":
		return anyModels{}
	case path == "/api/chat":
		return ollama{}
	case path == "/api/generate":
		return ollama{generate: true}
	case path == "/api/tags":
		return ollama{}
	}
	if f := geminiOf(path); f != nil {
		return f
	}
	return bedrockOf(path)
}

// anyModels is the model list of OpenAI's and Anthropic's formats, which share an address.
type anyModels struct{ chat }

// text is a JSON string, or a list of text parts.
type text string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = text(s)
		return nil
	}
	var parts []struct{ Text string }
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*t += text(p.Text)
	}
	return nil
}

// fieldsOf returns the names of request fields that only some servers support.
func fieldsOf(body []byte) []string {
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return nil
	}
	var out []string
	for _, name := range []string{"structured_outputs", "grammar", "continue_final_message", "max_tokens", "prompt"} {
		if _, ok := all[name]; ok {
			out = append(out, name)
		}
	}
	return out
}

// sse is a server-sent event without a name.
func sse(value any) string { return "data: " + marshal(value) + "\n\n" }

func marshal(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // a bug in this package
	}
	return string(raw)
}

type object = map[string]any
