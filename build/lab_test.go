package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

// The requests of an experiment are in the log, without the key; a request without its line is not sent.
//
//stile:norace sends one request at a time
func TestLabLogsRequests(t *testing.T) {
	var received []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received = append(received, string(body))
	}))
	defer server.Close()
	var log bytes.Buffer
	send := func(to io.Writer, body string) error {
		request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, server.URL+"/v1/chat", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer secret")
		reply, err := (&http.Client{Transport: &requestLog{to: to}}).Do(request)
		if err != nil {
			return err
		}
		return reply.Body.Close()
	}
	bodies := []string{`{"prompt":"one < two & three"}`, "no JSON"}
	for _, body := range bodies {
		if err := send(&log, body); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
	if len(lines) != 2 || len(received) != 2 || received[0] != bodies[0] || received[1] != bodies[1] || strings.Contains(log.String(), "secret") {
		t.Fatalf("%q and %q", lines, received)
	}
	for i, want := range []string{bodies[0], `"no JSON"`} {
		var line struct {
			URL  string
			Body json.RawMessage
		}
		if err := json.Unmarshal([]byte(lines[i]), &line); err != nil || line.URL != server.URL+"/v1/chat" || string(line.Body) != want {
			t.Errorf("%s: %v", lines[i], err)
		}
	}
	full := errors.New("no space left")
	if err := send(failing{full}, bodies[0]); !errors.Is(err, full) || len(received) != 2 {
		t.Errorf("%v, %d requests", err, len(received))
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// The price of an endpoint has two parts in dollars; without the flags, none is set.
func TestPricesOfTheLab(t *testing.T) {
	for _, c := range []struct {
		args []string
		want *llm.Price
		fail bool
	}{
		{nil, nil, false},
		{[]string{"-prompt-price", "2.5", "-completion-price", "10"}, &llm.Price{Prompt: 2.5, Completion: 10}, false},
		{[]string{"-prompt-price", "0"}, &llm.Price{}, false},
		{[]string{"-prompt-price", "-1"}, nil, true}, {[]string{"-completion-price", "NaN"}, nil, true}, {[]string{"-completion-price", "much"}, nil, true},
	} {
		flags := flag.NewFlagSet("lab", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		price := priceFlags(flags)
		err := flags.Parse(c.args)
		if (err != nil) != c.fail || err == nil && !reflect.DeepEqual(*price, c.want) {
			t.Errorf("%q: %v, %v", c.args, *price, err)
		}
	}
}
