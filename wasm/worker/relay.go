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

// MaxRelay is how many bytes a relayed request's body has at most. Prompts are
// texts; this is a quarter of a million words.
const MaxRelay = 1 << 20

// Headers that pass the relay, and no others.
var (
	passedOut = []string{"Authorization", "X-Api-Key", "Anthropic-Version", "Content-Type"}
	// toldOnly may be sent to the relay, and ends there: a provider asks for it of
	// browsers, and the relay is none.
	toldOnly   = []string{"Anthropic-Dangerous-Direct-Browser-Access"}
	passedBack = []string{"Retry-After", "Request-Id", "X-Request-Id"}
)

// harmless are the types of answers that are passed on as such. Anything else, HTML
// above all, is passed on as bytes, for it would be read as a page of ours.
var harmless = []string{"application/json", "text/event-stream", "application/x-ndjson", "application/jsonl", "text/plain"}

// BodyTaker is a [http.ResponseWriter] that can take a whole body over, so that it
// flows past the handler. It reports whether it did.
type BodyTaker interface {
	TakeBody(io.ReadCloser) bool
}

// relay passes a request on. Target is what follows "/relay/".
func (s service) relay(w http.ResponseWriter, r *http.Request, target string) error {
	// Pages of the site itself name no origin when they only ask.
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
		// The cause is not told: it may quote the address, and a key in it.
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

// outgoing makes the request that goes out, without a body.
func (s service) outgoing(r *http.Request, target string) (*http.Request, error) {
	host, path, _ := strings.Cut(target, "/")
	// Byte for byte: no case, no dot at the end, no escape, no port, no user.
	if !slices.Contains(s.config.Hosts, host) || hostFault(host) != "" {
		return nil, fault{403, "relay.host", "the worker does not relay to this host; the hosts that it relays to are set in wrangler.toml"}
	}
	address := "https://" + host + "/" + path
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host != host || u.User != nil || u.Fragment != "" {
		return nil, fault{400, "relay.path", "this is no address that the worker can relay to"}
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
	// An agent's name that is not set is filled in, with that of the library.
	out.Header.Set("User-Agent", "stile-relay")
	return out, nil
}

// safeType returns the type that an answer is passed on as.
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

// stream copies a body as it comes: what a model has said is shown at once.
func stream(w http.ResponseWriter, body io.ReadCloser) {
	defer body.Close()
	control := http.NewResponseController(w)
	buffer := make([]byte, 16<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, werr := w.Write(buffer[:n]); werr != nil {
				return // the client went away, and with it the reason to read on
			}
			_ = control.Flush() // a writer that does not buffer cannot
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			// An answer that broke off must not look whole.
			panic(http.ErrAbortHandler)
		}
	}
}
