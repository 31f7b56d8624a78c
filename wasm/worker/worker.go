// Package worker is the optional service beside the static page: short links,
// oEmbed, and a relay to the endpoints of models that browsers may not call
// themselves. The page works without it.
//
//	POST /s                 store a workspace: a link's fragment "#1:…" or a txtar archive
//	GET  /s/ID              go to the page with the workspace, or {id,url,page,fragment} as JSON;
//	                        for readers of pages HTML that says where its oEmbed is
//	GET  /oembed?url=…      oEmbed 1.0 for short links, links and examples of the gallery
//	GET, POST /relay/HOST/… pass a request on to https://HOST/…
//	GET  /health            {"ok":true}
//
// Every error is JSON {code,message} with its status. Handlers are plain
// [http.Handler]s over four small ports, so that they run natively in tests;
// package edge binds them to Cloudflare's runtime.
//
// # What the relay may not do
//
// A relay is a way to make a server call what its caller cannot. This one calls
// only the hosts that its configuration names, compared byte for byte, by https at
// the usual port; whatever else a host may be spelled as is refused before it is
// looked at more closely. It follows no redirect, and passes none on. Of the
// caller's headers four go out and of the answer's four come back (see relay.go);
// cookies go neither way. It is for the site's own pages only. Nothing is ever
// written to a log: there is no logger in this package.
//
// A name on the list is resolved by the platform, not here, so a host that is
// listed has to be one whose owner is trusted not to let it point inwards.
package worker

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Ports are what the handlers need of the world.
type Ports struct {
	Store Store
	// Out sends the relay's requests. It must not follow redirects.
	Out http.RoundTripper
	// ShareLimit and RelayLimit bound what one address may do.
	ShareLimit, RelayLimit Limiter
}

// New returns the worker's handler. The configuration must come from [Parse].
func New(c Config, p Ports) http.Handler {
	return service{c, p}
}

type service struct {
	config Config
	ports  Ports
}

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	// The path as it was sent: a host or an id has no business being escaped.
	name, rest, deeper := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	var err error
	switch {
	case name == "s" && !deeper:
		err = s.guarded(w, r, "POST", s.share)
	case name == "s":
		err = s.guarded(w, r, "GET, HEAD", func(w http.ResponseWriter, r *http.Request) error { return s.open(w, r, rest) })
	case name == "oembed" && !deeper:
		err = s.guarded(w, r, "GET, HEAD", s.oembed)
	case name == "relay" && deeper:
		err = s.guarded(w, r, "GET, POST", func(w http.ResponseWriter, r *http.Request) error { return s.relay(w, r, rest) })
	case name == "health" && !deeper:
		err = s.guarded(w, r, "GET, HEAD", func(w http.ResponseWriter, r *http.Request) error {
			return reply(w, map[string]bool{"ok": true})
		})
	default:
		err = fault{404, "route.unknown", "there is nothing at this address; the worker answers /s, /oembed, /relay and /health"}
	}
	if err != nil {
		refuse(w, err)
	}
}

// guarded checks the method and the origin before it lets a handler answer.
// Methods are as in the header Allow.
func (s service) guarded(w http.ResponseWriter, r *http.Request, methods string, handle func(http.ResponseWriter, *http.Request) error) error {
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := single(r.Header, "Origin")
	known := slices.Contains(s.config.Origins, origin)
	if known {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "Retry-After, Request-Id, X-Request-Id")
	}
	if r.Method == http.MethodOptions {
		if !known {
			return errOrigin
		}
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers", strings.Join(slices.Concat(passedOut, toldOnly), ", "))
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if !slices.Contains(strings.Split(methods, ", "), r.Method) {
		h.Set("Allow", methods+", OPTIONS")
		return fault{405, "route.method", "this address takes " + methods}
	}
	// A page elsewhere could otherwise spend its visitors' limits.
	if origin != "" && !known && r.Method == http.MethodPost {
		return errOrigin
	}
	return handle(w, r)
}

var errOrigin = fault{403, "origin.refused", "this worker answers only the pages of its own site; the site's origin is set in wrangler.toml"}

// fault is an error with the status that goes with it.
type fault struct {
	status        int
	code, message string
}

func (f fault) Error() string { return f.message }

// refuse answers an error. Errors that are neither a fault nor the core's own are
// not told: they may quote what was sent.
func refuse(w http.ResponseWriter, err error) {
	f := fault{500, "worker.failed", "the worker failed at this request"}
	var coded *source.Error
	if !errors.As(err, &f) && errors.As(err, &coded) {
		f = fault{400, coded.ID, coded.Message}
		if strings.HasSuffix(f.code, ".size") {
			f.status = http.StatusRequestEntityTooLarge
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(f.status)
	// Two strings cannot fail to be encoded, and a client that went away is no
	// fault of ours.
	_ = json.NewEncoder(w).Encode(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{f.code, f.message})
}

// reply answers a value as JSON.
func reply(w http.ResponseWriter, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(append(text, '\n')) // a client that went away is no fault of ours
	return nil
}

// single returns a header's value, with what was sent in several lines, or was
// split at its commas on the way, put together again.
func single(h http.Header, name string) string {
	return strings.TrimSpace(strings.Join(h.Values(name), ","))
}
