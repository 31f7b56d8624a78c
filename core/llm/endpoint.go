package llm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Wire formats of endpoints.
const (
	FormatOpenAI         = "openai"          // chat completions; also the meaning of ""
	FormatCompletions    = "completions"     // OpenAI's older completions of plain text
	FormatResponses      = "responses"       // OpenAI's responses
	FormatAnthropic      = "anthropic"       // messages
	FormatOllama         = "ollama"          // chat
	FormatOllamaGenerate = "ollama-generate" // completions of plain text
	FormatGemini         = "gemini"          // Gemini's own: generateContent
	FormatBedrock        = "bedrock"         // Bedrock's Converse and ConverseStream
)

var formats = []string{
	FormatOpenAI, FormatCompletions, FormatResponses, FormatAnthropic, FormatOllama, FormatOllamaGenerate, FormatGemini, FormatBedrock,
}

// Endpoint is a model of a server. The key is not part of it: the host stores it under
// the endpoint's name.
type Endpoint struct {
	Name         string        `json:"name"`
	Format       string        `json:"format,omitempty"` // one of the Format constants; "" is "openai"
	URL          string        `json:"url"`              // the part before "/chat/completions", "/v1/messages", "/api/chat", "/models/…" or "/model/…"; its query is kept
	Model        string        `json:"model"`
	Server       string        `json:"server,omitempty"`       // one of Servers, whose extensions are used; "": unknown
	Capabilities *Capabilities `json:"capabilities,omitempty"` // nil: the defaults of the format and the server
	Price        *Price        `json:"price,omitempty"`        // nil: the price that PriceOf returns
	Idle         int           `json:"idle,omitempty"`         // idle timeout in milliseconds; 0: two minutes
	// Effort is the amount of thinking: "none", "minimal", "low", "medium", "high" or "xhigh", in
	// the field of the server; "": the model's default.
	Effort string `json:"effort,omitempty"`
	// Thinking is the number of thinking tokens; 0: the default of the server or of the
	// effort, whichever is larger.
	Thinking int `json:"thinking,omitempty"`
	// Body is an object that is merged into the body of each request. It must not contain the
	// ReservedFields.
	Body json.RawMessage `json:"body,omitempty"`
}

// defaultIdle exceeds the time that servers need to think or to load a model before the
// first token.
const defaultIdle = 120_000

// Check returns an error with the code "llm.spec" for an incomplete endpoint.
func (e *Endpoint) Check() error {
	switch {
	case e == nil:
		return source.NewError("llm.spec", "a model of kind endpoint needs an endpoint with its URL and model")
	case !strings.HasPrefix(e.URL, "https://") && !strings.HasPrefix(e.URL, "http://"):
		return source.NewError("llm.spec", fmt.Sprintf("the endpoint's URL %q does not begin with https:// or http://", e.URL))
	case e.Model == "":
		return source.NewError("llm.spec", "the endpoint needs the name of a model")
	case e.Format != "" && !contains(formats, e.Format):
		return unknownName("llm.spec", "unknown wire format", e.Format, formats)
	case e.Server != "" && !contains(Servers(), e.Server):
		return unknownName("llm.spec", "unknown server", e.Server, Servers())
	}
	return e.checkExtras()
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

func (e Endpoint) format() string {
	if e.Format == "" {
		return FormatOpenAI
	}
	return e.Format
}

// CopiedEndings returns the path endings of request addresses, which Base removes in this
// order. An asterisk matches the name of a model: a path segment, or the beginning of one.
func CopiedEndings() []string {
	return []string{
		"/chat/completions", "/completions", "/responses", "/messages", "/api/chat", "/api/generate", "/api",
		"/models/*:generateContent", "/models/*:streamGenerateContent", "/model/*/converse", "/model/*/converse-stream",
	}
}

// withoutEnding returns an address without an ending of CopiedEndings.
func withoutEnding(base, ending string) string {
	before, after, named := strings.Cut(ending, "*")
	rest, found := strings.CutSuffix(base, after)
	if !named {
		return strings.TrimSuffix(base, ending)
	}
	if at := strings.LastIndexByte(rest, '/') + 1; found && at < len(rest) && strings.HasSuffix(rest[:at], before) {
		return rest[:at-len(before)]
	}
	return base
}

// Base returns the URL without its query and the suffixes that a person may have copied with it.
// All requests go to addresses below it.
func (e Endpoint) Base() string {
	base, _ := e.parts()
	base = strings.TrimRight(base, "/")
	for _, end := range CopiedEndings() {
		base = withoutEnding(base, end)
	}
	return strings.TrimRight(base, "/")
}

// parts returns the URL without its query and fragment, and the query. The address of a proxy, whose
// query ends in the address for its requests, stays whole: paths are added to the latter.
func (e Endpoint) parts() (base, query string) {
	whole, _, _ := strings.Cut(e.URL, "#")
	base, query, _ = strings.Cut(whole, "?")
	last := strings.ToLower(query[strings.LastIndexByte(query, '&')+1:])
	for _, name := range []string{"", "url=", "uri=", "u=", "target=", "dest=", "destination=", "endpoint=", "to="} {
		address, found := strings.CutPrefix(unescaped(last), name)
		if found && (strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")) {
			return whole, ""
		}
	}
	return base, query
}

// CheckSecrets returns an error with the code "llm.spec" for settings of a run in which the URL of an
// endpoint contains a user, or a parameter with the name of a key: saved runs and links would contain it.
func CheckSecrets(settings json.RawMessage) error {
	tree, fault := json.Tree(string(settings))
	if fault != nil {
		return nil // other checks report it
	}
	secret := ""
	var visit func(n *json.Node)
	visit = func(n *json.Node) {
		if url := n.TextOf("url"); url != "" && secret == "" {
			if _, endpoint := n.Get("model"); endpoint {
				secret = Endpoint{URL: url}.secret()
			}
		}
		for _, item := range n.Items {
			visit(item)
		}
		for _, m := range n.Members {
			visit(m.Value)
		}
	}
	if visit(tree); secret == "" {
		return nil
	}
	return source.NewError("llm.spec", secret+" of the endpoint's URL gives access, and saved runs and links would contain it; remove it and set the endpoint's key")
}

// secret describes the part of the URL that gives access: the user, or a parameter of the query or
// the fragment, by its name. It returns "" without one.
func (e Endpoint) secret() string {
	for _, url := range []string{e.URL, unescaped(e.URL)} {
		for _, rest := range strings.Split(url, "://")[1:] {
			rest = strings.TrimLeft(rest, "/\\")
			if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
				rest = rest[:end]
			}
			if strings.Contains(rest, "@") || strings.Contains(rest, "%40") {
				return `the user before "@"`
			}
		}
	}
	at := strings.IndexAny(e.URL, "?#")
	if at < 0 {
		return ""
	}
	for _, parameter := range strings.FieldsFunc(unescaped(e.URL[at:]), func(r rune) bool { return strings.ContainsRune("?#&;", r) }) {
		name, _, _ := strings.Cut(parameter, "=")
		if givesAccess(name) {
			return fmt.Sprintf("the parameter %q", name)
		}
	}
	return ""
}

// givesAccess reports whether a parameter has the name of a key, a token, a password or a signature.
func givesAccess(name string) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "", "[", "", "]", "").Replace(name))
	if contains([]string{"sig", "sas", "hmac", "jwt", "bearer", "code", "auth", "pass", "pwd"}, plain) {
		return true
	}
	for _, part := range []string{"secret", "password", "passphrase", "passwd", "signature", "credential", "authorization", "apikey", "accesskey"} {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return strings.HasSuffix(plain, "key") || strings.HasSuffix(plain, "token")
}

// unescaped decodes the percent signs of a URL; one that encodes no byte stays.
func unescaped(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if b, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(b))
				i += 2
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// ofOpenAI reports whether the server is one of OpenAI's models.
func (e Endpoint) ofOpenAI() bool { return e.Server == "openai" || e.Server == "azure" }

// withQuery adds the query of the URL to an address. The parameters of the address win.
func (e Endpoint) withQuery(address string) string {
	_, query := e.parts()
	_, own, asked := strings.Cut(address, "?")
	for _, parameter := range strings.Split(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if parameter == "" || strings.HasPrefix(own, name+"=") {
			continue
		}
		if asked {
			address += "&" + parameter
			continue
		}
		address, asked = address+"?"+parameter, true
	}
	return address
}

// address returns the addresses for requests and for the list of models, "" without one.
func (e Endpoint) address() (ask, models string) {
	ask, models = e.paths()
	base := e.Base()
	if models != "" {
		models = e.withQuery(base + models)
	}
	return e.withQuery(base + ask), models
}

// paths returns the addresses for requests and for the list of models, below the base address.
func (e Endpoint) paths() (ask, models string) {
	switch e.format() {
	case FormatCompletions:
		ask = "/completions"
	case FormatResponses:
		ask = "/responses"
	case FormatAnthropic:
		if strings.HasSuffix(e.Base(), "/v1") {
			return "/messages", "/models"
		}
		return "/v1/messages", "/v1/models"
	case FormatOllama:
		return "/api/chat", "/api/tags"
	case FormatOllamaGenerate:
		return "/api/generate", "/api/tags"
	case FormatGemini:
		path := "/models/" + segment(strings.TrimPrefix(e.Model, "models/"))
		if tuned, ok := strings.CutPrefix(e.Model, "tunedModels/"); ok {
			path = "/tunedModels/" + segment(tuned)
		}
		return path + ":streamGenerateContent?alt=sse", "/models?pageSize=1000"
	case FormatBedrock:
		return "/model/" + segment(e.Model) + "/converse-stream", "" // it lists models elsewhere
	default:
		ask = "/chat/completions"
	}
	if e.Server == "azure" { // its list has the models, but a request names a deployment
		return ask, ""
	}
	return ask, "/models"
}

// segment percent-encodes a model's name for a path.
func segment(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~:", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// http returns a request to the endpoint. It has only headers that the CORS preflight of
// every server with the format allows.
func (e Endpoint) http(method, url, body string) process.HTTP {
	h := process.HTTP{
		Method: method, URL: url, Headers: map[string]string{}, Body: body,
		Auth: "endpoint:" + e.Name, Idle: e.Idle,
	}
	if h.Idle == 0 {
		h.Idle = defaultIdle
	}
	if body != "" {
		h.Headers["Content-Type"] = "application/json"
	}
	switch e.format() {
	case FormatAnthropic:
		h.AuthHeader = "x-api-key"
		h.Headers["anthropic-version"] = "2023-06-01"
		h.Headers["anthropic-dangerous-direct-browser-access"] = "true"
	case FormatGemini:
		h.AuthHeader = "x-goog-api-key"
	case FormatOpenAI, FormatCompletions, FormatResponses:
		if e.Server == "azure" {
			h.AuthHeader = "api-key"
		}
	}
	return h
}

// Encode returns the request for the wire, for an endpoint with the given capabilities.
func (e Endpoint) Encode(r Request) (process.HTTP, error) { return e.encode(r, concessions{}) }

// encode is Encode without the features that the endpoint refused.
func (e Endpoint) encode(r Request, without concessions) (process.HTTP, error) {
	caps := without.from(e.Known())
	if !caps.Tools {
		r.Tools, r.ToolChoice = nil, ""
	}
	if !caps.Logprobs {
		r.TopLogprobs = 0
	}
	if !caps.Stop {
		r.Stop = nil
	}
	w := wire{Request: r, caps: caps, without: without, enforcement: r.enforce(caps)}
	if r.Prefix == "" && len(r.Tools) == 0 {
		w.Prefix = w.enforcement.Prefix
	}
	if caps.MaxStops > 0 && len(w.Stop) > caps.MaxStops {
		w.Stop = w.Stop[:caps.MaxStops]
	}
	if w.enforcement.Wrapped {
		w.Stop = nil // they apply to the choice, not to the JSON around it
	}
	if w.MaxTokens > 0 {
		w.MaxTokens += caps.Thinking
	}
	var body any
	switch e.format() {
	case FormatCompletions:
		body = e.completions(w)
	case FormatResponses:
		body = e.responses(w)
	case FormatAnthropic:
		body = e.messages(w)
	case FormatOllama:
		body = e.ollamaChat(w)
	case FormatOllamaGenerate:
		body = e.ollamaGenerate(w)
	case FormatGemini:
		body = e.gemini(w)
	case FormatBedrock:
		body = e.converse(w)
	default:
		body = e.chat(w)
	}
	text, err := json.Marshal(body)
	if err == nil {
		text, err = e.withExtraBody(text, without.extra)
	}
	ask, _ := e.address()
	if without.stream && e.format() == FormatBedrock {
		ask = strings.Replace(ask, "/converse-stream", "/converse", 1)
	}
	h := e.http("POST", ask, string(text))
	h.Stream = true
	return h, err
}

// wire is a request with all decisions about its encoding.
type wire struct {
	Request
	caps        Capabilities
	without     concessions
	enforcement Enforcement
}

// temperature returns the temperature to send, nil if the endpoint refuses it.
func (w wire) temperature() *float64 {
	if w.without.temperature {
		return nil
	}
	return &w.Temperature
}

// NewDecoder returns a decoder for answers in a format.
func NewDecoder(format string) Decoder {
	switch format {
	case FormatResponses:
		return &sseDecoder{event: (&responsesReader{}).event}
	case FormatAnthropic:
		return &sseDecoder{event: (&anthropicReader{}).event}
	case FormatOllama, FormatOllamaGenerate:
		return &ndjsonDecoder{line: (&ollamaReader{}).line}
	case FormatGemini:
		return &sseDecoder{event: (&geminiReader{}).event}
	case FormatBedrock:
		return &sseDecoder{event: (&converseReader{}).event}
	}
	return &sseDecoder{event: openAIEvent}
}

// turns returns the messages with the beginning of the assistant's turn. Some models continue a last
// turn of the assistant if it does not end with a space. Otherwise a message asks the model to
// continue.
func (w wire) turns() []Message {
	if w.Prefix == "" {
		return w.Messages
	}
	turns := append(w.Messages[:len(w.Messages):len(w.Messages)], Message{Role: "assistant", Content: w.Prefix})
	if w.caps.Prefix != PrefixPrefill || strings.TrimRight(w.Prefix, " \t\r\n") != w.Prefix {
		turns = append(turns, Message{Role: "user", Content: goOn})
	}
	return turns
}

// goOn is the prompt for a model that cannot continue its own turn.
const goOn = "Go on from exactly where your text ends. Do not repeat any of it and do not comment on it."

// plainPrompt formats a conversation as one text for completions. The name of the speaker
// precedes each turn, unless only the user and the system speak.
func plainPrompt(messages []Message, prefix string) string {
	dialogue := false
	for _, m := range messages {
		dialogue = dialogue || m.Role == "assistant" || m.Role == "tool"
	}
	names := map[string]string{"user": "User: ", "assistant": "Assistant: ", "tool": "Result: "}
	var b strings.Builder
	for _, m := range messages {
		if dialogue {
			b.WriteString(names[m.Role])
		}
		b.WriteString(m.Content + "\n\n")
	}
	if dialogue {
		b.WriteString(names["assistant"])
	}
	b.WriteString(prefix)
	return b.String()
}
