// Package toolserver is a test server that simulates the servers of an agent's tools: a wiki under
// /wiki/api.php, an HTTP API that describes itself under /api/openapi.json, and a server of the
// Model Context Protocol under /mcp. Equal requests have equal replies.
//
// The first part of the path selects options if it begins with "~", as in
// "/~fault=429,run=7/wiki/api.php":
//
//	fault=NAME  see [Faults]; NAME-once affects only the first request of a run
//	cut=N       send the body N bytes at a time
//	key=KEY     accept only this key, as a bearer token or in x-api-key
//	cors=off    allow no page
//	mode=NAME   a mode of the MCP server (see mcp.go)
//	run=ID      record requests and count faults under this name
package toolserver

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Faults lists the faults of all servers.
var Faults = []string{"401", "404", "429", "429-later", "500", "503", "garbage", "html", "empty", "redirect", "loop", "elsewhere", "huge", "hang", "cut", "binary"}

// Record is a recorded request.
type Record struct {
	Method, Path, Query, Body string
	Headers                   http.Header
}

// Server is the server's [http.Handler]. It is safe for concurrent use.
type Server struct {
	mu      sync.Mutex
	records map[string][]Record
	mcp     map[string]*session // by name
	next    int
}

// New returns a server without recorded requests.
func New() *Server { return &Server{records: map[string][]Record{}, mcp: map[string]*session{}} }

// Requests returns the requests of a run, in order.
func (s *Server) Requests(run string) []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Record(nil), s.records[run]...)
}

// exchange is a request with its options.
type exchange struct {
	*http.Request
	out     http.ResponseWriter
	options map[string]string
	path    string
	body    []byte
	count   int // of the run's requests, from 1
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{Request: r, out: w, options: map[string]string{}, path: r.URL.Path}
	if rest, ok := strings.CutPrefix(r.URL.Path, "/~"); ok {
		options, path, _ := strings.Cut(rest, "/")
		x.path = "/" + path
		for _, option := range strings.Split(options, ",") {
			name, value, _ := strings.Cut(option, "=")
			x.options[name] = value
		}
	}
	var err error
	if x.body, err = io.ReadAll(io.LimitReader(r.Body, 4<<20)); err != nil {
		return // the client has disconnected
	}
	if x.options["cors"] != "off" {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*, authorization")
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH")
		w.Header().Set("Access-Control-Expose-Headers", "mcp-session-id, retry-after")
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.mu.Lock()
	run := x.options["run"]
	s.records[run] = append(s.records[run], Record{r.Method, x.path, r.URL.RawQuery, string(x.body), r.Header.Clone()})
	x.count = len(s.records[run])
	s.mu.Unlock()
	if key := x.options["key"]; key != "" && r.Header.Get("Authorization") != "Bearer "+key && r.Header.Get("X-Api-Key") != key {
		x.json(http.StatusUnauthorized, `{"error":"the key `+r.Header.Get("X-Api-Key")+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+` is not known"}`)
		return
	}
	if x.fails() {
		return
	}
	switch {
	case x.path == "/wiki/api.php":
		x.wiki()
	case strings.HasPrefix(x.path, "/api/"):
		x.api()
	case x.path == "/mcp":
		s.serveMCP(x)
	default:
		x.json(http.StatusNotFound, `{"error":"there is nothing here"}`)
	}
}

// send writes a reply, in chunks if requested.
func (x *exchange) send(status int, kind, body string) {
	x.out.Header().Set("Content-Type", kind)
	x.out.WriteHeader(status)
	x.write(body)
}

func (x *exchange) write(body string) {
	size, _ := strconv.Atoi(x.options["cut"])
	if size <= 0 {
		size = max(len(body), 1)
	}
	for body != "" {
		n := min(size, len(body))
		if _, err := io.WriteString(x.out, body[:n]); err != nil {
			return
		}
		x.flush()
		body = body[n:]
	}
}

func (x *exchange) flush() { _ = http.NewResponseController(x.out).Flush() } // or it is sent at the end

func (x *exchange) json(status int, body string) { x.send(status, "application/json", body) }

// fails replies with the requested fault, and reports whether there is one.
func (x *exchange) fails() bool {
	fault := x.options["fault"]
	if once, ok := strings.CutSuffix(fault, "-once"); ok {
		if fault = once; x.count > 1 {
			return false
		}
	}
	switch fault {
	case "":
		return false
	case "401", "404", "500", "503":
		status, _ := strconv.Atoi(fault)
		x.json(status, `{"error":"a fault of status `+fault+`"}`)
	case "429":
		x.out.Header().Set("Retry-After", "2")
		x.json(429, `{"error":"too many requests"}`)
	case "429-later":
		x.out.Header().Set("Retry-After", "3600")
		x.json(429, `{"error":"come back in an hour"}`)
	case "garbage":
		x.json(200, "{\"query\": \xff\x00 no")
	case "html":
		x.send(200, "text/html", "<html><head><title>Sign in</title></head><body><h1>Welcome</h1><p>Please sign in.</p></body></html>")
	case "empty":
		x.json(200, "")
	case "redirect":
		if x.count > 1 {
			return false
		}
		http.Redirect(x.out, x.Request, x.URL.RequestURI(), http.StatusFound)
	case "loop":
		http.Redirect(x.out, x.Request, x.URL.RequestURI(), http.StatusFound)
	case "elsewhere":
		http.Redirect(x.out, x.Request, "ftp://elsewhere.example/", http.StatusMovedPermanently)
	case "huge":
		x.send(200, "text/plain", strings.Repeat("A sentence of the greatest length. ", 400_000))
	case "hang":
		<-x.Context().Done()
	case "cut":
		x.out.Header().Set("Content-Length", "1000")
		x.json(200, `{"query":`)
		panic(http.ErrAbortHandler)
	case "binary":
		x.send(200, "image/png", "\x89PNG\r\n\x1a\n"+strings.Repeat("\x00\xff", 5000))
	default:
		x.json(500, fmt.Sprintf(`{"error":"unknown fault %q"}`, fault))
	}
	return true
}
