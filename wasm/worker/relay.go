package worker

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// MaxRelay bounds the body of a relayed request, in bytes: about a quarter of a million words of
// prompt.
const MaxRelay = 1 << 20

// Headers that the relay forwards; it drops all others.
var (
	passedOut = []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key", "Anthropic-Version", "Content-Type"}
	// acceptedOnly is accepted and not forwarded: a provider requires it from browsers, and the
	// relay is not a browser.
	acceptedOnly = []string{"Anthropic-Dangerous-Direct-Browser-Access"}
	passedBack   = []string{"Retry-After", "Request-Id", "X-Request-Id"}
)

// harmless lists the content types that are forwarded unchanged. All others, HTML above all, are
// forwarded as bytes, because a browser would treat them as pages of this origin.
var harmless = []string{"application/json", "text/event-stream", "application/x-ndjson", "application/jsonl", "text/plain"}

// BodyTaker is a [http.ResponseWriter] that can forward a complete body without the handler. TakeBody
// reports whether it forwards the body.
type BodyTaker interface {
	TakeBody(io.ReadCloser) bool
}

// relay forwards a request. The target is the path after "/relay/".
func (s service) relay(w http.ResponseWriter, r *http.Request, target string) error {
	// Pages of the site itself send no origin with GET requests.
	if single(r.Header, "Origin") == "" && single(r.Header, "Sec-Fetch-Site") != "same-origin" || !s.ownOrigin(r) {
		return errOrigin
	}
	out, err := s.outgoing(r, target)
	if err != nil {
		return err
	}
	if err := s.limit(w, r, s.ports.RelayLimit); err != nil {
		return err
	}
	if r.Method == http.MethodPost {
		body, err := readBody(r, MaxRelay)
		if err != nil {
			return err
		}
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	answer, err := s.ports.Out.RoundTrip(out)
	if err != nil {
		// The cause is not reported: it may quote the address, and a key in it.
		return fault{502, "relay.unreachable", "the endpoint could not be reached through the worker"}
	}
	if answer.StatusCode < 200 || answer.StatusCode >= 300 && answer.StatusCode < 400 {
		_ = answer.Body.Close()
		return fault{502, "relay.redirect", "the endpoint answered with a redirect, which the worker does not follow; check the endpoint's address"}
	}
	h := w.Header()
	h.Set("Content-Type", safeType(answer.Header.Get("Content-Type")))
	for _, name := range passedBack {
		if v := single(answer.Header, name); v != "" {
			h.Set(name, v)
		}
	}
	w.WriteHeader(answer.StatusCode)
	if t, ok := w.(BodyTaker); ok && t.TakeBody(answer.Body) {
		return nil
	}
	stream(w, answer.Body)
	return nil
}

func (s service) ownOrigin(r *http.Request) bool {
	origin := single(r.Header, "Origin")
	return origin == "" || slices.Contains(s.config.Origins, origin)
}

// outgoing returns the outgoing request without a body.
func (s service) outgoing(r *http.Request, target string) (*http.Request, error) {
	host, path, _ := strings.Cut(target, "/")
	// Compared byte for byte: no other case, trailing dot, escape, port or user.
	if !slices.Contains(s.config.Hosts, host) || hostFault(host) != "" {
		return nil, fault{403, "relay.host", "the worker does not relay to this host; the hosts that it relays to are set in wrangler.toml"}
	}
	address := "https://" + host + "/" + path
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host != host || u.User != nil || u.Fragment != "" {
		return nil, fault{400, "relay.path", "the worker cannot relay to this address"}
	}
	out := (&http.Request{Method: r.Method, URL: u, Host: host, Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(r.Context())
	for _, name := range passedOut {
		v := single(r.Header, name)
		if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			return nil, fault{400, "relay.header", "the header " + name + " has a character that no header has"}
		}
		if v != "" {
			out.Header.Set(name, v)
		}
	}
	// An unset User-Agent would be replaced by the library's.
	out.Header.Set("User-Agent", "stile-relay")
	return out, nil
}

// safeType returns the content type of a forwarded reply.
func safeType(text string) string {
	t, parameters, err := mime.ParseMediaType(text)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !slices.Contains(harmless, t) {
		return "application/octet-stream"
	}
	if strings.EqualFold(parameters["charset"], "utf-8") {
		return t + "; charset=utf-8"
	}
	return t
}

// stream copies a body as it arrives, so that the text of a model is shown at once.
func stream(w http.ResponseWriter, body io.ReadCloser) {
	defer body.Close()
	control := http.NewResponseController(w)
	buffer := make([]byte, 16<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, werr := w.Write(buffer[:n]); werr != nil {
				return // the client disconnected
			}
			_ = control.Flush() // a writer that does not buffer cannot
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			// An interrupted reply must not look complete.
			panic(http.ErrAbortHandler)
		}
	}
}
