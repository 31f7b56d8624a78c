//go:build js && wasm

// Command edge is the Worker for Cloudflare: package worker's handlers, bound to the runtime by
// github.com/syumai/workers.
//
// The library creates an instance of the program for every request, which costs several
// milliseconds and megabytes. Here one instance serves many requests (see worker.mjs). Three rules
// make this sound:
//
//   - A reply body never passes through Go code: the library would close its
//     instance's channel a second time, and keep 16 KiB of every reply forever.
//     See answer.go.
//   - A goroutine runs only in an event of its own request, because the runtime forbids
//     the use of another request's streams. So nothing here waits for another
//     request. Go timers are not used, because one could fire in another request's event.
//   - The little memory that a request leaks is freed with the instance, which worker.mjs
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

// misconfigured replies to every request with the configuration error.
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
	// The library returns null as this string.
	return text, !strings.HasPrefix(text, "<"), nil
}

func (s store) Put(_ context.Context, key, text string) error {
	return s.namespace.PutString(key, text, nil)
}

// limiter returns Cloudflare's limiter if one is bound, otherwise one in memory with the given
// number per minute.
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

// minute is the longest period of Cloudflare's limiter, in seconds.
const minute = 60

// bound is Cloudflare's limiter, which does not report the end of its period.
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
