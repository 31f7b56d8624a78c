//go:build js && wasm

// Command edge is the worker as Cloudflare runs it: package worker's handlers,
// bound to the runtime by github.com/syumai/workers.
//
// That library makes an instance of the program for every request, which costs
// several milliseconds and megabytes each. Here one instance answers many (see
// worker.mjs), which three things make sound:
//
//   - A body never flows through Go on its way back: the library would close its
//     instance's channel a second time, and keep 16 KiB of every answer for ever.
//     See answer.go.
//   - A goroutine runs only in an event of its own request, for the runtime lets
//     nobody use another request's streams. So nothing here waits for another
//     request, and no Go timer is used, which would fire in anybody's.
//   - What little a request leaves behind goes with the instance, which worker.mjs
//     replaces from time to time.
package main

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/kv"

	"github.com/stile-playground/stile/wasm/worker"
)

// Names of bindings in wrangler.toml.
const (
	linksBinding = "LINKS"
	shareLimit   = "SHARE_LIMIT"
	relayLimit   = "RELAY_LIMIT"
)

func main() {
	workers.Serve(answering(handler()))
}

func handler() http.Handler {
	config, err := worker.Parse(variable)
	if err != nil {
		return misconfigured(err)
	}
	links, err := kv.NewNamespace(linksBinding)
	if err != nil {
		return misconfigured(err)
	}
	return worker.New(config, worker.Ports{
		Store:      store{links},
		Out:        fetcher{},
		ShareLimit: limiter(shareLimit, 20),
		RelayLimit: limiter(relayLimit, 60),
	})
}

// misconfigured says to whoever deploys it what is wrong.
func misconfigured(err error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("wrangler.toml: " + err.Error() + "\n"))
	})
}

// variable returns a variable of wrangler.toml, or "".
func variable(name string) string {
	v := cloudflare.GetBinding(name)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// store is a KV namespace.
type store struct{ namespace *kv.Namespace }

func (s store) Get(_ context.Context, key string) (string, bool, error) {
	text, err := s.namespace.GetString(key, nil)
	if err != nil {
		return "", false, err
	}
	// The library spells the null that stands for nothing so.
	return text, !strings.HasPrefix(text, "<"), nil
}

func (s store) Put(_ context.Context, key, text string) error {
	return s.namespace.PutString(key, text, nil)
}

// limiter returns Cloudflare's limiter where one is bound, else one in memory for
// so many a minute.
func limiter(name string, perMinute int) worker.Limiter {
	if binding := cloudflare.GetBinding(name); binding.Type() == js.TypeObject {
		return bound{binding}
	}
	if n, err := strconv.Atoi(variable(name + "_PER_MINUTE")); err == nil && n > 0 {
		perMinute = n
	}
	return &worker.Buckets{Size: perMinute, Period: minute, Now: func() int64 {
		return int64(js.Global().Get("Date").Call("now").Float())
	}}
}

// minute is the longest period that Cloudflare's limiter knows, in seconds.
const minute = 60

// bound is Cloudflare's limiter. It does not tell when the period ends.
type bound struct{ binding js.Value }

func (b bound) Allow(_ context.Context, key string) (int, error) {
	outcome, err := await(b.binding.Call("limit", map[string]any{"key": key}))
	if err != nil {
		return 0, err
	}
	if !outcome.Get("success").Truthy() {
		return minute, nil
	}
	return 0, nil
}
