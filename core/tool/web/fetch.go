// Package web performs the HTTP requests of tools and converts answers to text, and has the
// tools that search Wikipedia.
//
// A request is an effect of the process; the host performs it. GET requests are repeated
// after transient failures and follow redirects, other requests are sent once.
package web

import (
	"errors"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// Remote is the address of a server, with the key and the timeout of its requests.
type Remote struct {
	URL string
	// Auth names the endpoint whose key the host adds if the person agreed to that. The key
	// itself never enters the core. AuthHeader is the header for the key; "": a bearer token
	// in Authorization.
	Auth, AuthHeader string
	// Idle is the timeout in milliseconds without a received byte; 0: [DefaultIdle].
	Idle int
}

// DefaultIdle is the default idle timeout in milliseconds.
const DefaultIdle = 30_000

// Bounds of retries.
const (
	maxTries     = 3      // of a GET request
	FirstWait    = 1_000  // milliseconds before the first retry; doubled for each further one
	MaxWait      = 20_000 // maximum wait in milliseconds that a Retry-After header may ask for
	maxRedirects = 3
	MaxQuote     = 600 // bytes of an error body in a message
)

// Request returns a request with the name of the key and the timeout.
func (r Remote) Request(method, url string) process.HTTP {
	h := process.HTTP{Method: method, URL: url, Tool: true, AuthHeader: r.AuthHeader, Idle: r.Idle}
	if r.Auth != "" {
		h.Auth = "tool:" + r.Auth
	}
	if h.Idle == 0 {
		h.Idle = DefaultIdle
	}
	return h
}

// Fetch performs a request. GET requests are retried after transient failures, and follow
// redirects unless a key goes with them, as in a browser. The error is a [*tool.CallFault]
// or the process's; the value then holds the part of the answer that arrived.
func Fetch(env *process.Env, h process.HTTP) (process.HTTPValue, error) {
	redirects := 0
	for try := 1; ; {
		value, err := Once(env, h)
		if err != nil {
			var fault *tool.CallFault
			if h.Method == "GET" && errors.As(err, &fault) && fault.Transient && try < maxTries {
				if err := Wait(env, FirstWait<<(try-1)); err != nil {
					return value, err
				}
				try++
				continue
			}
			return value, err
		}
		if value.Status >= 300 && value.Status < 400 && h.Method == "GET" && h.Auth == "" && redirects < maxRedirects {
			if next, ok := resolveURL(h.URL, value.Headers["location"]); ok {
				h.URL = next
				redirects++
				continue
			}
		}
		fault := StatusFault(h.URL, value, value.Body)
		if fault == nil {
			return value, nil
		}
		again := h.Method == "GET" || fault.Code == tool.CodeRate // the server did not execute it
		pause := FirstWait << (try - 1)
		if after, ok := retryAfter(value.Headers); ok {
			pause = after
		}
		if !again || !fault.Transient || try >= maxTries || pause > MaxWait {
			return value, fault
		}
		if err := Wait(env, pause); err != nil {
			return value, err
		}
		try++
	}
}

// maxAnswer bounds an answer in bytes, because the run's log keeps it. The longest pages of
// Wikipedia have a fifth of this size.
const maxAnswer = 4 << 20

// Once performs a request without retries and returns the answer with any status. An
// answer that is too long is truncated, with a fault of [tool.CodeLong].
func Once(env *process.Env, h process.HTTP) (process.HTTPValue, error) {
	var value process.HTTPValue
	h.Stream = true
	pending := env.Start(process.Request{HTTP: &h})
	var body strings.Builder
	for {
		chunk, ok, err := pending.Chunk()
		if err != nil {
			return value, tool.HostFault(Host(h.URL), err)
		}
		if !ok {
			break
		}
		if body.Len()+len(chunk) > maxAnswer {
			pending.Cancel()
			value.Body = body.String()
			return value, tool.Faultf(tool.CodeLong, "the answer of %s was cut off after %s", Host(h.URL), phrase.Bytes(body.Len()))
		}
		body.WriteString(chunk)
	}
	raw, err := pending.Value()
	if err != nil {
		return value, tool.HostFault(Host(h.URL), err)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return value, tool.Faultf(tool.CodeAnswer, "the host's answer cannot be read: %s", err)
	}
	value.Body = body.String() + value.Body // set by hosts that do not stream
	return value, nil
}

// Wait suspends the task.
func Wait(env *process.Env, milliseconds int) error {
	_, err := env.Start(process.Request{Timer: &process.Timer{Milliseconds: milliseconds}}).Value()
	var effect *process.EffectError
	if errors.As(err, &effect) {
		return nil // hosts without a clock do not wait
	}
	return err
}

// StatusFault returns the fault of an answer whose status is not a success, or nil.
func StatusFault(url string, value process.HTTPValue, body string) *tool.CallFault {
	status := value.Status
	if status >= 200 && status < 300 {
		return nil
	}
	host := Host(url)
	var f *tool.CallFault
	switch {
	case status >= 300 && status < 400:
		f = tool.Faultf(tool.CodeMoved, "%s redirects (status %d)", host, status)
		if to := value.Headers["location"]; to != "" {
			f.Message += ": " + phrase.Shorten(to, 200) + "; change the tool's address to it"
		}
		return f
	case status == 401 || status == 403:
		f = tool.Faultf(tool.CodeKey, "%s denies access (status %d)", host, status)
	case status == 429:
		f = tool.Faultf(tool.CodeRate, "%s limits the rate of requests (status 429)", host)
		f.Transient = true
	default:
		f = tool.Faultf(tool.CodeStatus, "%s answered with status %d", host, status)
		f.Transient = status == 408 || status >= 500 && status <= 504 && status != 501
	}
	if said := strings.TrimSpace(Text(value.Headers["content-type"], body)); said != "" {
		said, _ = tool.Cut(said, MaxQuote)
		f.Message += ": " + said
	}
	return f
}

// retryAfter returns the milliseconds of a Retry-After header. The form with a date, which
// hardly any server uses, is ignored.
func retryAfter(headers map[string]string) (int, bool) {
	seconds, err := strconv.Atoi(strings.TrimSpace(headers["retry-after"]))
	if err != nil || seconds < 0 {
		return 0, false
	}
	return min(seconds, MaxWait) * 1000, true
}
