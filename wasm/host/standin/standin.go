// Package standin is a server for tests that stands in for the providers of
// language models: it speaks OpenAI's chat completions and completions,
// Anthropic's messages and Ollama's chat and generate, with their lists of
// models, their errors and their rules for web pages. The official libraries of
// the providers are run against it, which is what says that it speaks as they do.
//
// What it answers is decided by the model's name: see [Models]. The same request
// always has the same answer. How it answers is decided by the first part of the
// path, if that begins with "~": "/~cut=1,run=7/v1/chat/completions". There are
//
//	cut=N        the body is sent N bytes at a time; without it, an event at a time
//	stream=off   a stream that is asked for is answered as one value
//	crlf=on      the lines of events end in both characters
//	cors=off     no page is let in; cors=errors: none may read a refusal
//	key=KEY      only this key is taken
//	server=NAME  whose extensions are honoured: vllm, llamacpp, mistral, openai,
//	             plain (none at all); without it, all of them
//	run=ID       requests are recorded under this name, and faults counted by it
//
// GET /requests?run=ID lists the requests that came, DELETE forgets them.
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
	// Requests bounds how many requests are remembered; 0 stands for 10,000.
	Requests int
}

// Record is a request that came.
type Record struct {
	N       int               `json:"n"` // from 1
	Run     string            `json:"run"`
	Method  string            `json:"method"`
	Path    string            `json:"path"` // without the part that begins with "~"
	Model   string            `json:"model"`
	Headers map[string]string `json:"headers"` // names in lower case
	Body    string            `json:"body"`
	Status  int               `json:"status"` // 0: it was not answered, or not yet
}

// Server is the server's [http.Handler]. It is safe for use by several
// goroutines.
type Server struct {
	most int

	mu      sync.Mutex
	last    int
	records []Record
	counts  map[string]int // of requests, by run and model
}

// New returns a server that has seen no request.
func New(o Options) *Server {
	if o.Requests == 0 {
		o.Requests = 10_000
	}
	return &Server{most: o.Requests, counts: map[string]int{}}
}

// Requests returns the requests of a run that are not forgotten, in order.
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

// count returns how often a model was asked in a run, this time included.
func (s *Server) count(run, model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := run + "\x00" + model
	s.counts[key]++
	return s.counts[key]
}

// record notes a request when it comes, for some are never answered.
func (s *Server) record(x *exchange) {
	headers := map[string]string{}
	for name := range x.request.Header {
		headers[strings.ToLower(name)] = x.request.Header.Get(name)
	}
	var asked struct{ Model string }
	_ = json.Unmarshal(x.body, &asked) // a body that is no JSON names no model
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	x.n = s.last
	s.records = append(s.records, Record{
		N: s.last, Run: x.options["run"], Method: x.request.Method, Path: x.path, Model: asked.Model,
		Headers: headers, Body: string(x.body),
	})
	if len(s.records) > s.most {
		s.records = s.records[len(s.records)-s.most:]
	}
}

// answered notes with which status a request was answered.
func (s *Server) answered(x *exchange, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.records {
		if s.records[i].N == x.n {
			s.records[i].Status = status
		}
	}
}

// exchange is a request with its answer.
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
	if x.path == "/requests" {
		s.serveRequests(w, r)
		return
	}
	x.allowOrigin()
	// Only a server that has read the whole request notices that it is aborted.
	x.body, _ = io.ReadAll(io.LimitReader(r.Body, maxRequest))
	s.record(x)
	if r.Method == http.MethodOptions {
		x.preflight()
		return
	}
	x.serve()
}

// serveRequests shows the requests that came, or forgets them.
func (s *Server) serveRequests(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Methods", "GET, DELETE")
	run := r.URL.Query().Get("run")
	if r.Method == http.MethodDelete {
		s.forget(run)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.Requests(run)) // a client that went away is no fault of ours
}

// allowed are the headers that a page may send, by format, as the providers have
// them: Ollama's list is long, but has none of Anthropic's.
func (x *exchange) allowed() []string {
	list := []string{"authorization", "content-type"}
	switch x.format.(type) {
	case anthropic, anyModels:
		list = append(list, "x-api-key", "anthropic-version", direct)
	}
	return list
}

// direct is the header without which Anthropic lets no page in.
const direct = "anthropic-dangerous-direct-browser-access"

// allowOrigin lets pages read the answer, if they may.
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

// preflight answers a browser that asks what a page may send.
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

// serve answers a request that is no preflight.
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

// key returns the key that came, wherever it was.
func (x *exchange) key() string {
	if key := x.request.Header.Get("X-Api-Key"); key != "" {
		return key
	}
	return strings.TrimPrefix(x.request.Header.Get("Authorization"), "Bearer ")
}

func (x *exchange) json(status int, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // of our own making
	}
	x.out.Header().Set("Content-Type", "application/json")
	x.out.WriteHeader(status)
	x.out.send(raw)
}

// refusal is an error instead of an answer.
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

// answer sends an answer, as a stream where one was asked for.
func (x *exchange) answer(a answer) {
	if !x.ask.stream {
		x.json(http.StatusOK, x.format.whole(x.ask, a))
		return
	}
	x.begin()
	for _, event := range x.format.events(x.ask, a) {
		x.event(event)
	}
}

// begin sends the head of a stream.
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

// writer sends a body in pieces.
type writer struct {
	http.ResponseWriter
	cut   int // bytes in a piece; 0: as many as there are
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
			panic(http.ErrAbortHandler) // the client went away
		}
		w.flush()
		b = b[n:]
	}
}
