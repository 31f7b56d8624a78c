// Package standin is a test server that simulates the providers of language models: OpenAI's chat
// completions, completions and responses, Anthropic's messages, Ollama's chat and generate, Gemini's
// generateContent and Bedrock's Converse and ConverseStream, with their model lists, errors and CORS rules. Tests run the providers' official client libraries against
// it to confirm its formats.
//
// The model's name selects the answer: see [Models]. Equal requests have equal answers. The first
// part of the path selects options if it begins with "~", as in
// "/~cut=1,run=7/v1/chat/completions":
//
//	cut=N        send the body N bytes at a time; default: an event at a time
//	stream=off   reply to a streaming request with one value
//	crlf=on      end the lines of events with CR LF
//	cors=off     allow no page; cors=errors: no page may read an error
//	key=KEY      accept only this key
//	server=NAME  support the extensions of vllm, llamacpp, mistral, openai,
//	             plain (none), functions (no custom tools); default: all of them
//	provider=ID  act as one of [Providers], below its base path
//	run=ID       record requests and count faults under this name
//
// GET /requests?run=ID lists the recorded requests, DELETE deletes them. GET /providers lists the
// providers.
package standin

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Options of [New].
type Options struct {
	// Requests bounds the number of recorded requests; 0 means 10,000.
	Requests int
}

// Record is a recorded request.
type Record struct {
	N       int               `json:"n"` // from 1
	Run     string            `json:"run"`
	Method  string            `json:"method"`
	Path    string            `json:"path"` // without the part that begins with "~"
	Query   string            `json:"query,omitempty"`
	Model   string            `json:"model"`
	Headers map[string]string `json:"headers"` // names in lower case
	Body    string            `json:"body"`
	Status  int               `json:"status"` // 0: not answered, or not yet
}

// Server is the server's [http.Handler]. It is safe for concurrent use.
type Server struct {
	most int

	mu      sync.Mutex
	last    int
	records []Record
	counts  map[string]int // of requests, by run and model
}

// New returns a server without recorded requests.
func New(o Options) *Server {
	if o.Requests == 0 {
		o.Requests = 10_000
	}
	return &Server{most: o.Requests, counts: map[string]int{}}
}

// Requests returns the recorded requests of a run, in order.
func (s *Server) Requests(run string) []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []Record{}
	for _, r := range s.records {
		if r.Run == run {
			out = append(out, r)
		}
	}
	return out
}

func (s *Server) forget(run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = slices.DeleteFunc(s.records, func(r Record) bool { return r.Run == run })
	for key := range s.counts {
		if strings.HasPrefix(key, run+"\x00") {
			delete(s.counts, key)
		}
	}
}

// count returns the number of requests for a model in a run, including this one.
func (s *Server) count(run, model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := run + "\x00" + model
	s.counts[key]++
	return s.counts[key]
}

// record stores a request on arrival, because some are never answered.
func (s *Server) record(x *exchange) {
	headers := map[string]string{}
	for name := range x.request.Header {
		headers[strings.ToLower(name)] = x.request.Header.Get(name)
	}
	var asked struct{ Model string }
	_ = json.Unmarshal(x.body, &asked) // an invalid body names no model
	if model := modelOf(x.format); model != "" {
		asked.Model = model
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	x.n = s.last
	s.records = append(s.records, Record{
		N: s.last, Run: x.options["run"], Method: x.request.Method, Path: x.path, Query: x.request.URL.RawQuery, Model: asked.Model,
		Headers: headers, Body: string(x.body),
	})
	if len(s.records) > s.most {
		s.records = s.records[len(s.records)-s.most:]
	}
}

// answered stores the status of a reply.
func (s *Server) answered(x *exchange, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.records {
		if s.records[i].N == x.n {
			s.records[i].Status = status
		}
	}
}

// exchange is a request with its reply.
type exchange struct {
	server  *Server
	request *http.Request
	options map[string]string
	path    string // without the options
	body    []byte
	ask     ask
	format  format
	out     *writer
	n       int // of the record
}

// maxRequest bounds a request's body.
const maxRequest = 64 << 20

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{server: s, request: r, options: map[string]string{}, path: r.URL.Path}
	x.out = &writer{ResponseWriter: w, began: func(status int) { s.answered(x, status) }}
	if strings.HasPrefix(x.path, "/~") {
		list, rest, _ := strings.Cut(x.path[2:], "/")
		x.path = "/" + rest
		for _, option := range strings.Split(list, ",") {
			name, value, _ := strings.Cut(option, "=")
			x.options[name] = value
		}
	}
	x.out.cut, _ = strconv.Atoi(x.options["cut"])
	x.format = formatOf(x.path)
	if p := x.provider(); p != nil {
		x.format = p.formatOf(x.path)
	}
	switch x.path {
	case "/requests":
		s.serveRequests(w, r)
		return
	case "/providers":
		x.json(http.StatusOK, Providers())
		return
	}
	x.allowOrigin()
	// A server detects an abort only after it has read the complete request.
	x.body, _ = io.ReadAll(io.LimitReader(r.Body, maxRequest))
	s.record(x)
	if r.Method == http.MethodOptions {
		x.preflight()
		return
	}
	x.serve()
}

// serveRequests lists or deletes the recorded requests.
func (s *Server) serveRequests(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Methods", "GET, DELETE")
	run := r.URL.Query().Get("run")
	if r.Method == http.MethodDelete {
		s.forget(run)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.Requests(run)) // a disconnected client is not an error
}

// allowed returns the headers that a page may send to the format of the request. Like the providers, it allows
// Anthropic's headers only in Anthropic's format.
func (x *exchange) allowed() []string {
	list := []string{"authorization", "content-type"}
	switch x.format.(type) {
	case anthropic, anyModels:
		list = append(list, "x-api-key", "anthropic-version", direct)
	case gemini:
		list = append(list, googleKey)
	}
	return list
}

// direct is the header that Anthropic requires from pages.
const direct = "anthropic-dangerous-direct-browser-access"

// allowOrigin sets the CORS headers of a reply.
func (x *exchange) allowOrigin() {
	if x.options["cors"] == "off" || x.request.Header.Get("Origin") == "" {
		return
	}
	if _, ok := x.format.(anthropic); ok && x.request.Method != http.MethodOptions && x.request.Header.Get(direct) != "true" {
		return
	}
	h := x.out.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "retry-after, retry-after-ms, date, x-should-retry")
}

// preflight answers a CORS preflight.
func (x *exchange) preflight() {
	asked := strings.Split(strings.ToLower(x.request.Header.Get("Access-Control-Request-Headers")), ",")
	for i := range asked {
		asked[i] = strings.TrimSpace(asked[i])
	}
	_, wantsDirect := x.format.(anthropic)
	if x.options["cors"] == "off" || wantsDirect && !slices.Contains(asked, direct) {
		x.out.Header().Del("Access-Control-Allow-Origin")
		x.out.WriteHeader(http.StatusForbidden)
		return
	}
	for _, name := range asked {
		if name != "" && !slices.Contains(x.allowed(), name) {
			x.out.Header().Del("Access-Control-Allow-Origin")
			x.out.WriteHeader(http.StatusForbidden)
			return
		}
	}
	h := x.out.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", strings.Join(x.allowed(), ", "))
	h.Set("Access-Control-Allow-Private-Network", "true")
	x.out.WriteHeader(http.StatusNoContent)
}

// serve answers a request other than a preflight.
func (x *exchange) serve() {
	switch {
	case x.format == nil:
		http.Error(x.out, "404 page not found", http.StatusNotFound)
		return
	case x.options["key"] != "" && x.key() != x.options["key"]:
		x.refuse(refusal{status: 401, kind: "invalid_api_key", message: "Incorrect API key provided"})
		return
	case strings.HasSuffix(x.path, "/models") || strings.HasSuffix(x.path, "/tags"):
		x.json(http.StatusOK, x.format.models(x, Models()))
		return
	case x.request.Method != http.MethodPost:
		x.refuse(refusal{status: 405, kind: "invalid_request_error", message: "Method Not Allowed"})
		return
	}
	ask, err := x.format.read(x.body)
	if err != nil {
		x.refuse(refusal{status: 400, kind: "invalid_request_error", message: "The body could not be read: " + err.Error()})
		return
	}
	x.ask = ask
	if x.options["stream"] == "off" {
		x.ask.stream = false
	}
	if p := x.provider(); p != nil {
		x.serveAs(p)
		return
	}
	if r := x.strict(); r != nil {
		x.refuse(*r)
		return
	}
	x.honour()
	if strings.HasPrefix(ask.model, "fault-") {
		x.fault()
		return
	}
	answer, ok := x.script()
	if !ok {
		x.unknownModel()
		return
	}
	x.answer(answer)
}

// serveAs answers a request as a provider does.
func (x *exchange) serveAs(p *Provider) {
	if r := p.refuse(x.body); r != nil {
		x.refuse(*r)
		return
	}
	x.options["server"] = p.Server
	if !slices.Contains([]string{"vllm", "llamacpp", "mistral"}, p.Server) || p.Format != "openai" {
		x.options["server"] = ""
	}
	x.honour()
	x.answer(x.act(p))
}

// key returns the key of a request, from whichever header contains it.
func (x *exchange) key() string {
	if p := x.provider(); p != nil && p.KeyHeader != "" {
		return x.request.Header.Get(p.KeyHeader)
	}
	for _, name := range []string{"X-Api-Key", googleKey} {
		if key := x.request.Header.Get(name); key != "" {
			return key
		}
	}
	return strings.TrimPrefix(x.request.Header.Get("Authorization"), "Bearer ")
}

func (x *exchange) json(status int, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // a bug in this package
	}
	x.out.Header().Set("Content-Type", "application/json")
	x.out.WriteHeader(status)
	x.out.send(raw)
}

// refusal is an error reply.
type refusal struct {
	status        int
	kind, message string
}

func (x *exchange) refuse(r refusal) {
	if x.options["cors"] == "errors" {
		x.out.Header().Del("Access-Control-Allow-Origin")
	}
	x.json(r.status, x.format.failure(r))
}

// answer sends an answer, as a stream if requested.
func (x *exchange) answer(a answer) {
	if !x.ask.stream {
		x.json(http.StatusOK, x.format.complete(x.ask, a))
		return
	}
	x.begin()
	for _, event := range x.format.events(x.ask, a) {
		x.event(event)
	}
}

// begin sends the headers of a stream.
func (x *exchange) begin() {
	x.out.Header().Set("Content-Type", x.format.contentType())
	x.out.WriteHeader(http.StatusOK)
	x.out.flush()
}

func (x *exchange) event(text string) {
	if x.options["crlf"] == "on" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	x.out.send([]byte(text))
}

// writer sends a body in chunks.
type writer struct {
	http.ResponseWriter
	cut   int // bytes per chunk; 0: all
	began func(status int)
}

// WriteHeader implements [http.ResponseWriter].
func (w *writer) WriteHeader(status int) {
	w.began(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (w *writer) send(b []byte) {
	for len(b) > 0 {
		n := len(b)
		if w.cut > 0 {
			n = min(n, w.cut)
		}
		if _, err := w.Write(b[:n]); err != nil {
			panic(http.ErrAbortHandler) // the client disconnected
		}
		w.flush()
		b = b[n:]
	}
}
