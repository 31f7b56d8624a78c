package tool

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// Remote is where a server is and how it is asked.
type Remote struct {
	URL string
	// Auth names the endpoint whose key the host adds if the person agreed to that; the
	// key itself is never here. AuthHeader is the header that it goes into, "" for a
	// bearer's.
	Auth, AuthHeader string
	// Idle is after how many milliseconds without a byte the host gives up; 0:
	// [DefaultIdle].
	Idle int
}

// DefaultIdle is how many milliseconds a server may be silent.
const DefaultIdle = 30_000

// Bounds of asking again.
const (
	maxTries     = 3      // of a request that changes nothing
	firstWait    = 1_000  // milliseconds before the second try
	maxToolWait  = 20_000 // the longest that a server may ask to wait
	maxRedirects = 3
	maxSaid      = 600 // bytes of what a server says of a refusal
)

// request returns an HTTP request with the key's name and the time limit.
func (r Remote) request(method, url string) process.HTTP {
	h := process.HTTP{Method: method, URL: url, Tool: true, AuthHeader: r.AuthHeader, Idle: r.Idle}
	if r.Auth != "" {
		h.Auth = "tool:" + r.Auth
	}
	if h.Idle == 0 {
		h.Idle = DefaultIdle
	}
	return h
}

// fetch performs a request. What only reads is tried again
// where the server is not ready, and follows where it sends unless a key goes with
// it, as in a browser. The error is a [*CallFault] or the process's; with a fault there
// is what came of the answer.
func fetch(env *process.Env, h process.HTTP) (process.HTTPValue, error) {
	redirects := 0
	for try := 1; ; {
		value, err := once(env, h)
		if err != nil {
			var fault *CallFault
			if h.Method == "GET" && errors.As(err, &fault) && fault.Transient && try < maxTries {
				if err := wait(env, firstWait<<(try-1)); err != nil {
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
		fault := statusFault(h.URL, value, value.Body)
		if fault == nil {
			return value, nil
		}
		again := h.Method == "GET" || fault.Code == CodeRate // which was not carried out
		pause := firstWait << (try - 1)
		if after, ok := retryAfter(value.Headers); ok {
			pause = after
		}
		if !again || !fault.Transient || try >= maxTries || pause > maxToolWait {
			return value, fault
		}
		if err := wait(env, pause); err != nil {
			return value, err
		}
		try++
	}
}

// maxAnswer is how many bytes of an answer are read. The longest pages of Wikipedia
// have a fifth of that; it is kept in the run's log.
const maxAnswer = 4 << 20

// once performs a request; whatever the server answers is a value. Of an answer
// that is too long there is the beginning, with a fault of [CodeLong].
func once(env *process.Env, h process.HTTP) (process.HTTPValue, error) {
	var value process.HTTPValue
	h.Stream = true
	pending := env.Start(process.Request{HTTP: &h})
	var body strings.Builder
	for {
		chunk, ok, err := pending.Chunk()
		if err != nil {
			return value, hostFault(h.URL, err)
		}
		if !ok {
			break
		}
		if body.Len()+len(chunk) > maxAnswer {
			pending.Cancel()
			value.Body = body.String()
			return value, faultf(CodeLong, "the answer of %s was ended after %s", hostOf(h.URL), bytesOf(body.Len()))
		}
		body.WriteString(chunk)
	}
	raw, err := pending.Value()
	if err != nil {
		return value, hostFault(h.URL, err)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return value, faultf(CodeAnswer, "the host's answer cannot be read: %s", err)
	}
	value.Body = body.String() + value.Body // of a host that does not stream
	return value, nil
}

func wait(env *process.Env, milliseconds int) error {
	_, err := env.Start(process.Request{Timer: &process.Timer{Milliseconds: milliseconds}}).Value()
	var effect *process.EffectError
	if errors.As(err, &effect) {
		return nil // a host without a clock does not wait
	}
	return err
}

// hostFault makes a fault of what a host reports; other errors are the process's.
func hostFault(url string, err error) error {
	var effect *process.EffectError
	if !errors.As(err, &effect) {
		return err
	}
	said := strings.TrimRight(effect.Message, ". ")
	switch effect.Code {
	case "cors":
		said += "; the server has to allow this page with Access-Control-Allow-Origin"
	case "timeout":
		said += "; try again later or ask for less"
	}
	fault := faultf("tool."+effect.Code, "%s could not be asked: %s", hostOf(url), said)
	switch effect.Code {
	case "network", "offline", "timeout", "cut", process.CodeInterrupted:
		fault.Transient = true
	}
	return fault
}

// statusFault says what a status that is no success means, or nil.
func statusFault(url string, value process.HTTPValue, body string) *CallFault {
	status := value.Status
	if status >= 200 && status < 300 {
		return nil
	}
	host := hostOf(url)
	var f *CallFault
	switch {
	case status >= 300 && status < 400:
		f = faultf(CodeMoved, "%s sends elsewhere (status %d)", host, status)
		if to := value.Headers["location"]; to != "" {
			f.Message += ": " + shorten(to, 200) + "; set the tool's address to that"
		}
		return f
	case status == 401 || status == 403:
		f = faultf(CodeKey, "%s refuses access (status %d)", host, status)
	case status == 429:
		f = faultf(CodeRate, "%s wants fewer requests (status 429)", host)
		f.Transient = true
	default:
		f = faultf(CodeStatus, "%s answered with status %d", host, status)
		f.Transient = status == 408 || status >= 500 && status <= 504 && status != 501
	}
	if said := strings.TrimSpace(bodyText(value.Headers["content-type"], body)); said != "" {
		said, _ = Cut(said, maxSaid)
		f.Message += ": " + said
	}
	return f
}

// retryAfter returns how many milliseconds a server asks to wait, in seconds as
// nearly all servers do.
func retryAfter(headers map[string]string) (int, bool) {
	seconds, err := strconv.Atoi(strings.TrimSpace(headers["retry-after"]))
	if err != nil || seconds < 0 {
		return 0, false
	}
	return min(seconds, maxToolWait) * 1000, true
}

// bodyText returns a body as text for a model: of HTML what a reader sees.
func bodyText(kind, body string) string {
	kind = strings.ToLower(kind)
	switch {
	case strings.Contains(kind, "html"):
		return htmlText(body)
	case strings.HasPrefix(kind, "image/") && !strings.Contains(kind, "xml") || strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/") ||
		strings.Contains(kind, "octet-stream") || strings.Contains(kind, "pdf") || strings.Contains(kind, "zip") || strings.IndexByte(body, 0) >= 0:
		kind, _, _ = strings.Cut(kind, ";")
		return fmt.Sprintf("(an answer of type %q, which is no text)", shorten(kind, 60))
	}
	return strings.TrimSpace(body)
}

// oneLine returns the beginning of an answer, for a message.
func oneLine(kind, body string) string {
	text, _ := Cut(bodyText(kind, body), 400)
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	return shorten(text, 100)
}

// checkURL says what is wrong with an address of a server, or "".
func checkURL(url string) string {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(url, "http://")
	}
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case !ok:
		return "an address begins with https:// or http://"
	case host == "" || strings.ContainsAny(url, " \t\r\n\"<>\\^`{|}#"):
		return "this is no address"
	case strings.Contains(host, "@"):
		return "a name and a password do not belong in an address; write \"auth\" with the name of an endpoint"
	}
	return ""
}

// hostOf names a server in messages.
func hostOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// resolveURL returns where a Location header leads: an address, or a path on the
// same server. What else it may be is not followed.
func resolveURL(base, location string) (string, bool) {
	if strings.HasPrefix(location, "/") && !strings.HasPrefix(location, "//") {
		scheme, _, _ := strings.Cut(base, "://")
		location = scheme + "://" + hostOf(base) + location
	}
	if checkURL(location) != "" || strings.HasPrefix(base, "https:") && !strings.HasPrefix(location, "https:") {
		return "", false
	}
	return location, true
}

// percentEncoded writes a text so that it can stand anywhere in an address (RFC
// 3986, section 2.3).
func percentEncoded(text string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '.', c == '_', c == '~':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

func percentDecoded(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// query writes names and values as a query.
func query(pairs [][2]string) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = percentEncoded(p[0]) + "=" + percentEncoded(p[1])
	}
	return strings.Join(parts, "&")
}

// withQuery adds a query to an address that may have one.
func withQuery(url, query string) string {
	switch {
	case query == "":
		return url
	case strings.Contains(url, "?"):
		return url + "&" + query
	}
	return url + "?" + query
}
