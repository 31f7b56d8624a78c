package worker_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stile-playground/stile/wasm/worker"
)

// Addresses of the tests. None of them exists; requests to relay hosts reach the rig's upstream.
const (
	site      = "https://stile.test/"
	origin    = "https://stile.test"
	relayed   = "api.model.test"
	canary    = "sk-canary-5f0e8d1c7b"
	elsewhere = "https://evil.test"
)

// terms are the parameters of a rig.
type terms struct {
	main   string            // the module to serve; "" is the worker
	vars   map[string]string // override the defaults
	limits map[string]int    // of bound limiters, uses per minute; nil means no practical limit
}

func (c terms) variables() map[string]string {
	vars := map[string]string{"SITE": site, "ORIGINS": "https://other.test", "RELAY_HOSTS": relayed + " second.test", "BODY_MS": "400"}
	for name, value := range c.vars {
		vars[name] = value
	}
	return vars
}

func (c terms) bound() map[string]int {
	if c.limits == nil {
		return map[string]int{"SHARE_LIMIT": 1_000_000, "RELAY_LIMIT": 1_000_000}
	}
	return c.limits
}

// rig is a running worker with its upstream.
type rig struct {
	base string
	up   *upstream
	live bool // under workerd
	// stop ends the worker and returns its output.
	stop func() string
}

type starter func(t *testing.T, c terms) *rig

// native serves the handlers by net/http.
func native(t *testing.T, c terms) *rig {
	up := newUpstream(t)
	vars := c.variables()
	config, err := worker.Parse(func(name string) string { return vars[name] })
	if err != nil {
		t.Fatal(err)
	}
	toUpstream := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", up.host())
	}
	out := &http.Transport{DialContext: toUpstream, DialTLSContext: toUpstream}
	limiter := func(name string) worker.Limiter {
		return &worker.Buckets{Size: c.bound()[name], Period: 60, Now: func() int64 { return 0 }}
	}
	server := httptest.NewServer(worker.New(config, worker.Ports{
		Store: &memory{}, Out: out, ShareLimit: limiter("SHARE_LIMIT"), RelayLimit: limiter("RELAY_LIMIT"),
	}))
	t.Cleanup(func() {
		server.Close()
		out.CloseIdleConnections()
	})
	return &rig{base: server.URL, up: up, stop: func() string { return "" }}
}

// memory is a store for tests.
type memory struct{ texts sync.Map }

func (m *memory) Get(_ context.Context, key string) (string, bool, error) {
	text, ok := m.texts.Load(key)
	if !ok {
		return "", false, nil
	}
	return text.(string), true, nil
}

func (m *memory) Put(_ context.Context, key, text string) error {
	m.texts.Store(key, text)
	return nil
}

// folderEnv names the folder of the built worker; `go run ./build test worker` sets it.
const folderEnv = "STILE_WORKER"

// workerd serves the built worker under workerd.
func workerd(t *testing.T, c terms) *rig {
	up := newUpstream(t)
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder, module := os.Getenv(folderEnv), c.main
	if module == "" {
		module = "worker.mjs"
	} else {
		folder = filepath.Join(repo, "build", "worker")
	}
	options, err := json.Marshal(map[string]any{"folder": folder, "main": module, "vars": c.variables(), "limits": c.bound(), "upstream": up.host()})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "serve.mjs", string(options))
	cmd.Dir = filepath.Join(repo, "build", "worker")
	printed := &recorder{}
	cmd.Stderr = printed
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &rig{up: up, live: true}
	r.stop = sync.OnceValue(func() string {
		_ = input.Close()
		_, _ = io.Copy(printed, output) // its output to the end
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve.mjs: %v", err)
		}
		return printed.String()
	})
	t.Cleanup(func() {
		if text := r.stop(); c.main == "" && strings.Contains(text, canary) {
			t.Errorf("a key was printed:\n%s", text)
		}
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	base, ok := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if !ok {
		t.Fatalf("serve.mjs did not start: %q %v\n%s", line, err, r.stop())
	}
	r.base = base
	return r
}

// recorder collects the output of a program.
type recorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// header is a request's headers, in pairs.
type header []string

// asSite are the headers of a page of the site.
func asSite(more ...string) header { return append(header{"Origin", origin}, more...) }

// reply is a response with its complete body.
type reply struct {
	status int
	header http.Header
	body   string
}

// code returns the code of an error.
func (r reply) code() string {
	var e struct{ Code, Message string }
	if json.Unmarshal([]byte(r.body), &e) != nil || e.Message == "" {
		return ""
	}
	return e.Code
}

func (r reply) json(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.body), into); err != nil {
		t.Fatalf("%v in %d %q", err, r.status, r.body)
	}
}

var client = &http.Client{
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// leaver is a client that resets the connection when a request is cancelled. The peer of a
// connection that is only closed notices nothing before it writes.
var leaver = &http.Client{Transport: &http.Transport{
	DisableKeepAlives: true,
	DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetLinger(0)
		}
		return conn, err
	},
}}

func (r *rig) request(ctx context.Context, method, path string, h header, body io.Reader) (*http.Response, error) {
	return r.requestBy(client, ctx, method, path, h, body)
}

func (r *rig) requestBy(client *http.Client, ctx context.Context, method, path string, h header, body io.Reader) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, r.base+path, body)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(h); i += 2 {
		q.Header.Add(h[i], h[i+1])
	}
	return client.Do(q)
}

func (r *rig) do(t *testing.T, method, path string, h header, body string) reply {
	t.Helper()
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	return r.doFrom(t, method, path, h, from)
}

func (r *rig) doFrom(t *testing.T, method, path string, h header, body io.Reader) reply {
	t.Helper()
	answer, err := r.request(t.Context(), method, path, h, body)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(text)}
}

// raw sends bytes unchanged. It returns the status of the first reply or, for the last request, of
// all replies until the connection ends.
func (r *rig) raw(t *testing.T, text string, whole bool) []int {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	if whole {
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
	}
	var statuses []int
	for from := bufio.NewReader(conn); ; {
		answer, err := http.ReadResponse(from, nil)
		if err != nil {
			return statuses
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		statuses = append(statuses, answer.StatusCode)
		if !whole {
			return statuses
		}
	}
}

// upstream simulates every host that the relay calls.
type upstream struct {
	server *httptest.Server

	mu   sync.Mutex
	seen []seen

	gate      chan struct{} // a stream's second half waits for it
	cancelled chan string   // paths whose caller went away
}

// seen is a received request.
type seen struct {
	Method, Host, Path, Query, Body string
	Header                          http.Header
}

func newUpstream(t *testing.T) *upstream {
	u := &upstream{gate: make(chan struct{}), cancelled: make(chan string, 16)}
	u.server = httptest.NewServer(u)
	t.Cleanup(u.server.Close)
	return u
}

func (u *upstream) host() string { return strings.TrimPrefix(u.server.URL, "http://") }

// count returns the number of received requests.
func (u *upstream) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.seen)
}

// last returns the last received request.
func (u *upstream) last(t *testing.T) seen {
	t.Helper()
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.seen) == 0 {
		t.Fatal("nothing came")
	}
	return u.seen[len(u.seen)-1]
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	u.mu.Lock()
	u.seen = append(u.seen, seen{r.Method, r.Host, r.URL.Path, r.URL.RawQuery, string(body), r.Header.Clone()})
	u.mu.Unlock()
	flush := http.NewResponseController(w).Flush
	switch r.URL.Path {
	case "/v1/models":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Set-Cookie", "tracked=yes")
		w.Header().Set("Request-Id", "req_1")
		w.Header().Set("X-Powered-By", "tubes")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_, _ = io.WriteString(w, `{"data":[]}`)
	case "/v1/stream":
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: one\n\n")
		_ = flush()
		select {
		case <-u.gate:
			_, _ = io.WriteString(w, "data: two\n\n")
		case <-r.Context().Done():
			u.cancelled <- r.URL.Path
		}
	case "/v1/never":
		<-r.Context().Done()
		u.cancelled <- r.URL.Path
	case "/redirect":
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	case "/busy":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(529)
		_, _ = io.WriteString(w, `{"error":"overloaded"}`)
	case "/page":
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<script>alert(1)</script>")
	case "/broken":
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
	}
}
