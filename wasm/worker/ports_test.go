package worker_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stile-playground/stile/wasm/worker"
)

// errPort is an error that quotes a secret.
var errPort = errors.New("failed at https://" + relayed + "/?key=" + canary)

// faulty implements every port, with injected failures.
type faulty struct {
	memory
	put, get, limit bool
}

func (f *faulty) Put(ctx context.Context, key, text string) error {
	if f.put {
		return errPort
	}
	return f.memory.Put(ctx, key, text)
}

func (f *faulty) Get(ctx context.Context, key string) (string, bool, error) {
	if f.get {
		return "", false, errPort
	}
	return f.memory.Get(ctx, key)
}

func (f *faulty) Allow(context.Context, string) (int, error) {
	if f.limit {
		return 0, errPort
	}
	return 0, nil
}

func (f *faulty) RoundTrip(*http.Request) (*http.Response, error) { return nil, errPort }

func TestFailedPortIsReported(t *testing.T) {
	const id = "/s/AAAAAAAAAAAAAAAAAAAAAAAA"
	for _, c := range []struct {
		name         string
		ports        *faulty
		method, path string
		status       int
		code         string
	}{
		{"nothing can be stored", &faulty{put: true}, "POST", "/s", 503, "share.store"},
		{"nor read", &faulty{put: true, get: true}, "POST", "/s", 503, "share.store"},
		{"nothing can be read", &faulty{get: true}, "GET", id, 503, "share.store"},
		{"what can be no id is not looked up", &faulty{get: true}, "GET", "/s/x", 404, "share.unknown"},
		{"nor embedded", &faulty{get: true}, "GET", "/oembed?url=http://example.com" + id, 503, "share.store"},
		{"links cannot be counted", &faulty{limit: true}, "POST", "/s", 503, "limit.failed"},
		{"nor relayed requests", &faulty{limit: true}, "GET", relayPath + "/v1/models", 503, "limit.failed"},
		{"an endpoint is not there", &faulty{}, "GET", relayPath + "/v1/models", 502, "relay.unreachable"},
	} {
		got := c.ports.ask(t, c.method, c.path)
		if got.status != c.status || got.code() != c.code || strings.Contains(got.body, canary) {
			t.Errorf("%s: %d %s", c.name, got.status, got.body)
		}
	}
}

func TestStoredWorkspaceIsNotStoredAgain(t *testing.T) {
	f := &faulty{}
	first := f.ask(t, "POST", "/s")
	f.put = true
	if again := f.ask(t, "POST", "/s"); first.status != 200 || again.status != 200 || again.body != first.body {
		t.Errorf("%+v, then %+v", first, again)
	}
}

func TestUnrelatedValueIsNotAWorkspace(t *testing.T) {
	f := &faulty{}
	for _, text := range []string{"", "<null>", "https://evil.test/", "#2:AAAA"} {
		_ = f.memory.Put(t.Context(), "AAAAAAAAAAAAAAAAAAAAAAAA", text)
		if got := f.ask(t, "GET", "/s/AAAAAAAAAAAAAAAAAAAAAAAA"); got.code() != "share.unknown" {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// ask sends one request to a worker with these ports.
func (f *faulty) ask(t *testing.T, method, path string) reply {
	t.Helper()
	config, err := parse(terms{}.variables())
	if err != nil {
		t.Fatal(err)
	}
	q := httptest.NewRequest(method, path, strings.NewReader("-- a.cfg --\nS -> a\n"))
	q.Header.Set("Origin", origin)
	w := httptest.NewRecorder()
	worker.New(config, worker.Ports{Store: f, Out: f, ShareLimit: f, RelayLimit: f}).ServeHTTP(w, q)
	return reply{w.Code, w.Header(), w.Body.String()}
}
