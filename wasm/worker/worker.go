// Package worker is the optional service for the static page: short links, oEmbed, and a relay to
// the endpoints of models that browsers may not call themselves. The page works without it.
//
//		POST /s                 store a workspace: a link's fragment "#1:…" or a txtar archive
//		GET  /s/ID              redirect to the page with the workspace, or {id,url,page,fragment} as JSON;
//	                                for crawlers, HTML with an oEmbed link
//		GET  /oembed?url=…      oEmbed 1.0 for short links, links and examples of the gallery
//		GET, POST /relay/HOST/… pass a request on to https://HOST/…
//		GET  /health            {"ok":true}
//
// Every error is JSON {code,message} with its status. Handlers are plain
// [http.Handler]s over four small ports, so that they run natively in tests;
// package edge binds them to Cloudflare's runtime.
//
// # Limits of the relay
//
// A relay lets a client reach hosts through a server. This one calls only configured hosts,
// compared byte for byte, over https at the default port; any other spelling is rejected before it
// is parsed. It neither follows nor forwards redirects. It forwards four request headers and four
// reply headers (see relay.go), and no cookies. Only pages of the site may use it. The package has
// no logger.
//
// The platform resolves host names, so list only hosts whose owners are trusted not to point them
// at private addresses.
package worker

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Ports are the external services that the handlers use.
type Ports struct {
	Store Store
	// Out sends the relay's requests. It must not follow redirects.
	Out http.RoundTripper
	// ShareLimit and RelayLimit bound the requests of one address.
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
	// The path as sent: hosts and ids need no escapes.
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
		err = fault{404, "route.unknown", "unknown address; the worker answers /s, /oembed, /relay and /health"}
	}
	if err != nil {
		refuse(w, err)
	}
}

// guarded checks the method and the origin before it calls a handler. The allowed methods are given in the form
// of the header Allow.
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
		h.Set("Access-Control-Allow-Headers", strings.Join(slices.Concat(passedOut, acceptedOnly), ", "))
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if !slices.Contains(strings.Split(methods, ", "), r.Method) {
		h.Set("Allow", methods+", OPTIONS")
		return fault{405, "route.method", "this address accepts " + methods}
	}
	// Otherwise a foreign page could use up its visitors' limits.
	if origin != "" && !known && r.Method == http.MethodPost {
		return errOrigin
	}
	return handle(w, r)
}

var errOrigin = fault{403, "origin.refused", "this worker answers only the pages of its own site; the site's origin is set in wrangler.toml"}

// fault is an error with its HTTP status.
type fault struct {
	status        int
	code, message string
}

func (f fault) Error() string { return f.message }

// refuse replies with an error. The text of an error that is neither a fault nor from the core is
// withheld: it may quote the request.
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
	// Encoding two strings cannot fail, and a disconnected client is not an error.
	_ = json.NewEncoder(w).Encode(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{f.code, f.message})
}

// reply sends a value as JSON.
func reply(w http.ResponseWriter, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(append(text, '\n')) // a client that disconnected is not an error of the worker
	return nil
}

// single returns the value of a header, joined if it was sent in several lines or split at commas.
func single(h http.Header, name string) string {
	return strings.TrimSpace(strings.Join(h.Values(name), ","))
}
