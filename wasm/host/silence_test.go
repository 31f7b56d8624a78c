package host

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stile-playground/stile/core/process"
)

// slowly is a server that sends parts of a body, each after a time, and the last one again and
// again.
type slowly struct {
	every time.Duration
	parts []string
}

func (s *slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(&slowBody{slowly: s, ctx: r.Context()})}, nil
}

type slowBody struct {
	*slowly
	ctx  context.Context
	left string // of a part
}

func (b *slowBody) Read(p []byte) (int, error) {
	if b.left == "" {
		select {
		case <-time.After(b.every):
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		}
		b.left = b.parts[0]
		if len(b.parts) > 1 {
			b.parts = b.parts[1:]
		}
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// A server that keeps a connection alive without data is bounded by five minutes or by a longer
// idle time, and one that sends nothing by the idle time.
func TestKeepAlivesAreBounded(t *testing.T) {
	const data = "data: {}\n\n"
	for _, c := range []struct {
		idle, every time.Duration
		parts       []string
		want        error
		after       time.Duration
	}{
		{time.Minute, 10 * time.Second, []string{": keep-alive\n\n"}, errKeptAlive, 5 * time.Minute},
		{time.Minute, 45 * time.Second, []string{": keep-alive\n\n"}, errKeptAlive, 5 * time.Minute},
		{2 * time.Minute, 7 * time.Second, []string{"event: ping\ndata: {\"type\": \"ping\"}\n\n"}, errKeptAlive, 5 * time.Minute},
		{time.Minute, 30 * time.Second, []string{": wait\n\n", data, "\n"}, errKeptAlive, 6 * time.Minute},
		{10 * time.Minute, time.Minute, []string{"\r\n"}, errKeptAlive, 10 * time.Minute},
		{time.Minute, 61 * time.Second, []string{": keep-alive\n\n"}, errIdle, time.Minute},
		{time.Minute, 61 * time.Second, []string{data}, errIdle, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := newEffects(t.Context(), &Runner{Client: &http.Client{Transport: &slowly{c.every, c.parts}}})
			defer e.close()
			began := time.Now()
			_, err := e.request(e.ctx, "e1", process.HTTP{Method: "POST", URL: "https://example.org/", Idle: int(c.idle.Milliseconds())}, "")
			if after := time.Since(began); !errors.Is(err, c.want) || codeOf(err) != "timeout" || after != c.after {
				t.Errorf("%v, %v, %q: %v after %v, want %v after %v", c.idle, c.every, c.parts, err, after, c.want, c.after)
			}
		})
	}
}

// Data of any kind is no keep-alive.
func TestDataIsNoKeepAlive(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "\n": true, "\r\n\r\n": true, ": x\n\n": true, ":\n": true, "event: ping\n": true, "event: ping\ndata: {\"type\": \"ping\"}\n\n": true, `data:{"type":"ping"}`: true,
		"data: x\n": false, ": x\n\ndata: {}\n\n": false, "{": false, "x": false, `data: {"type":"pinged"}`: false, "retry: 3": false,
	} {
		if keepsAlive([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if strings.Contains(errIdle.Error(), "alive") || !strings.Contains(errKeptAlive.Error(), "alive") {
		t.Error("the errors do not name their causes")
	}
}
