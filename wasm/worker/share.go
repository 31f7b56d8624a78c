package worker

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/workspace"
)

// MaxShare bounds a shared workspace in bytes, as sent and as stored. It is sent in the header
// Location, for which browsers and proxies accept slightly more.
const MaxShare = 64 << 10

// Store keeps immutable texts by key.
type Store interface {
	// Get returns the text of a key; ok reports whether the key exists.
	Get(ctx context.Context, key string) (text string, ok bool, err error)
	Put(ctx context.Context, key, text string) error
}

const (
	linkPrefix = "#1:"
	forever    = "public, max-age=31536000, immutable"
)

// share stores a workspace under the hash of its contents and replies with {id,url}.
func (s service) share(w http.ResponseWriter, r *http.Request) error {
	if err := s.limit(w, r, s.ports.ShareLimit); err != nil {
		return err
	}
	body, err := readBody(r, MaxShare)
	if err != nil {
		return err
	}
	opened, run, err := openShared(body)
	if err != nil {
		return err
	}
	// Encoded again, so that only our own encoding is stored.
	fragment, err := workspace.EncodeLink(opened, run)
	if err != nil {
		return err
	}
	if len(fragment) > MaxShare {
		return errTooLarge(MaxShare)
	}
	id := idOf(opened, run)
	if err := s.ports.Store.Put(r.Context(), id, fragment); err != nil {
		// Some stores reject two writes of one key within a second.
		kept, ok, getErr := s.ports.Store.Get(r.Context(), id)
		if getErr != nil || !ok || idOfLink(kept) != id {
			return fault{503, "share.store", "the workspace could not be stored; try again, or use the long link"}
		}
	}
	return reply(w, struct {
		ID  string `json:"id"`
		URL string `json:"url"`
	}{id, s.self(r).JoinPath("s", id).String()})
}

// openShared reads a request body: a link's fragment or an archive.
func openShared(body []byte) (w workspace.Workspace, run string, err error) {
	text := string(body)
	version, _, colon := strings.Cut(strings.TrimPrefix(text, "#"), ":")
	if strings.HasPrefix(text, "#") && colon && strings.Trim(version, "0123456789") == "" {
		return workspace.DecodeLink(text)
	}
	if !utf8.ValidString(text) {
		return w, "", fault{400, "share.utf8", "this is neither a link nor a txtar archive: it is not UTF-8"}
	}
	w, err = workspace.ParseArchive(text)
	return w, "", err
}

// idOf names a workspace and its run by their contents: 144 bits of SHA-256. It depends on the
// texts, not on their encoding.
func idOf(w workspace.Workspace, run string) string {
	sum := sha256.Sum256([]byte(run + "\x00" + w.Archive()))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

func idOfLink(fragment string) string {
	w, run, err := workspace.DecodeLink(fragment)
	if err != nil {
		return ""
	}
	return idOf(w, run)
}

// isID reports whether a text can be an id, so that nothing else is looked up.
func isID(text string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(raw) == 18 && !strings.ContainsAny(text, "\r\n")
}

// open resolves a short link: with a redirect to the page, or as JSON.
func (s service) open(w http.ResponseWriter, r *http.Request, id string) error {
	w.Header().Add("Vary", "Accept")
	fragment, err := s.stored(r.Context(), id)
	if err != nil {
		return err
	}
	page := s.config.Site.String() + fragment
	w.Header().Set("Cache-Control", forever)
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	accept := single(r.Header, "Accept")
	if strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html") {
		return reply(w, struct {
			ID       string `json:"id"`
			URL      string `json:"url"`
			Page     string `json:"page"`
			Fragment string `json:"fragment"`
		}{id, s.self(r).JoinPath("s", id).String(), page, fragment})
	}
	json, xml := s.discovery(r, id)
	w.Header().Set("Link", "<"+json+`>; rel="alternate"; type="application/json+oembed", <`+xml+`>; rel="alternate"; type="text/xml+oembed"`)
	// Browsers mark navigations. Other clients that request HTML look for an oEmbed link, and
	// would lose the workspace after a redirect.
	w.Header().Add("Vary", "Sec-Fetch-Mode")
	if strings.Contains(accept, "text/html") && single(r.Header, "Sec-Fetch-Mode") == "" {
		return s.discoverable(w, page, fragment, json, xml)
	}
	w.Header().Set("Location", page)
	w.WriteHeader(http.StatusFound)
	return nil
}

// discovery returns the oEmbed addresses of a short link.
func (s service) discovery(r *http.Request, id string) (json, xml string) {
	at := s.self(r).JoinPath("oembed").String() + "?url=" + url.QueryEscape(s.self(r).JoinPath("s", id).String()) + "&format="
	return at + "json", at + "xml"
}

// discoverable serves the page of a short link to crawlers. It redirects an old browser to the
// workspace.
func (s service) discoverable(w http.ResponseWriter, page, fragment, json, xml string) error {
	opened, _, err := workspace.DecodeLink(fragment)
	if err != nil {
		return err
	}
	title := html.EscapeString("Stile: " + printable(opened.Main()))
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title + "</title>\n")
	for _, l := range [][2]string{{"application/json+oembed", json}, {"text/xml+oembed", xml}} {
		b.WriteString(`<link rel="alternate" type="` + l[0] + `" href="` + html.EscapeString(l[1]) + `" title="` + title + "\">\n")
	}
	b.WriteString(`<meta http-equiv="refresh" content="0; url=` + html.EscapeString(page) + "\">\n</head>\n<body><p><a href=\"" + html.EscapeString(page) + "\">Open it in Stile</a></p></body>\n</html>\n")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	_, _ = w.Write([]byte(b.String())) // a client that disconnected is not an error of the worker
	return nil
}

// stored returns the fragment that is stored under an id.
func (s service) stored(ctx context.Context, id string) (string, error) {
	missing := fault{404, "share.unknown", "there is no workspace at this short link: it was mistyped, or it is less than a minute old and is not yet available everywhere"}
	if !isID(id) {
		return "", missing
	}
	fragment, ok, err := s.ports.Store.Get(ctx, id)
	if err != nil {
		return "", fault{503, "share.store", "the workspace could not be read just now; try again"}
	}
	if !ok || !strings.HasPrefix(fragment, linkPrefix) {
		return "", missing
	}
	return fragment, nil
}

// self is the worker's own address, without a slash at its end.
func (s service) self(r *http.Request) *url.URL {
	if s.config.Self != nil {
		return s.config.Self
	}
	if r.URL.Host != "" {
		return &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host}
	}
	return &url.URL{Scheme: "http", Host: r.Host}
}

// errTooLarge reports a body whose size, or encoded size, exceeds a limit.
func errTooLarge(limit int) fault {
	return fault{413, "body.size", "this is larger than the " + sizeText(limit) + " that the worker accepts"}
}

// ErrSlow is the error of reading a request body that arrives too slowly.
var ErrSlow = fault{408, "body.slow", "the body of the request took too long to arrive"}

// maxRest bounds the bytes that are drained from a body rejected for its size.
const maxRest = 8 << 20

// readBody reads a request's body up to a limit.
func readBody(r *http.Request, limit int) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(body) > limit {
		// If the connection closes while the client still sends, the client sees a failure instead
		// of the reply, so the rest is drained first.
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxRest))
		return nil, errTooLarge(limit)
	}
	return body, nil
}
