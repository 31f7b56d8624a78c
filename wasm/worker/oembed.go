package worker

import (
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// The default size of a frame, in CSS pixels.
const (
	frameWidth  = 800
	frameHeight = 500
)

// embedded is a reply of oEmbed 1.0, type "rich".
type embedded struct {
	Version      string `json:"version"`
	Type         string `json:"type"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	CacheAge     int    `json:"cache_age"`
	HTML         string `json:"html"`
	Width        int    `json:"width"`
	Height       int    `json:"height"`
}

// examples are the gallery's titles, by id.
var examples = sync.OnceValues(func() (map[string]string, error) {
	all, err := grammars.All()
	titles := map[string]string{}
	for _, e := range all {
		titles[e.ID] = e.Title
	}
	return titles, err
})

// oembed returns the frame that a page shows for one of our links.
func (s service) oembed(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	format := query.Get("format")
	if format != "" && format != "json" && format != "xml" {
		return fault{501, "oembed.format", "the worker answers in the formats json and xml"}
	}
	link := query.Get("url")
	if link == "" {
		return fault{400, "oembed.url", "the parameter url is missing: it is the link to embed"}
	}
	answer := embedded{Version: "1.0", Type: "rich", ProviderName: "Stile", ProviderURL: s.config.Site.String(), CacheAge: 86400}
	var err error
	if answer.Width, err = atMost(query.Get("maxwidth"), frameWidth); err != nil {
		return err
	}
	if answer.Height, err = atMost(query.Get("maxheight"), frameHeight); err != nil {
		return err
	}
	frame, title, err := s.frame(r, link)
	if err != nil {
		return err
	}
	answer.Title = printable(title)
	answer.HTML = `<iframe src="` + html.EscapeString(frame) + `" title="` + html.EscapeString("Stile: "+answer.Title) +
		`" width="` + strconv.Itoa(answer.Width) + `" height="` + strconv.Itoa(answer.Height) +
		`" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox" loading="lazy" referrerpolicy="no-referrer" allowfullscreen></iframe>`
	w.Header().Set("Cache-Control", "public, max-age=86400")
	if format == "xml" {
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, _ = w.Write([]byte(answer.xml())) // a client that disconnected is not an error of the worker
		return nil
	}
	return reply(w, answer)
}

// frame returns the address to show in a frame for a link, and its title.
func (s service) frame(r *http.Request, link string) (frame, title string, err error) {
	foreign := fault{404, "oembed.unknown", "not a link to a workspace of this site"}
	u, err := url.Parse(link)
	if err == nil && strings.HasPrefix(link, "?") {
		// A relative address, as in the site's own page, which does not know its location.
		u = s.config.Site.ResolveReference(u)
	}
	if err != nil || u.User != nil || u.Opaque != "" {
		return "", "", foreign
	}
	origin, self := originOf(u), s.self(r)
	if id, ok := strings.CutPrefix(u.EscapedPath(), strings.TrimSuffix(self.Path, "/")+"/s/"); ok && origin == originOf(self) {
		fragment, err := s.stored(r.Context(), id)
		if err != nil {
			return "", "", err
		}
		// Stored fragments were encoded by share.
		opened, _, err := workspace.DecodeLink(fragment)
		return s.config.Embed.String() + fragment, opened.Main(), err
	}
	if origin != originOf(s.config.Site) || strings.TrimSuffix(u.EscapedPath(), "index.html") != s.config.Site.Path && u.EscapedPath() != "" {
		return "", "", foreign
	}
	if fragment := "#" + u.EscapedFragment(); strings.HasPrefix(fragment, linkPrefix) {
		return s.frameOf(fragment)
	}
	if id := u.Query().Get("example"); id != "" {
		titles, err := examples()
		if err != nil {
			return "", "", err
		}
		if title, ok := titles[id]; ok {
			return s.config.Embed.String() + "?example=" + url.QueryEscape(id), title, nil
		}
	}
	return "", "", foreign
}

// frameOf does the same as frame for a fragment from a request. It encodes the workspace again.
func (s service) frameOf(fragment string) (frame, title string, err error) {
	w, run, err := workspace.DecodeLink(fragment)
	if err != nil {
		return "", "", err
	}
	clean, err := workspace.EncodeLink(w, run)
	if err != nil {
		return "", "", err
	}
	if len(clean) > MaxShare {
		return "", "", errTooLarge(MaxShare)
	}
	return s.config.Embed.String() + clean, w.Main(), nil
}

// atMost returns the default size usual, or the value of a parameter, text, if that is smaller.
func atMost(text string, usual int) (int, error) {
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fault{400, "oembed.size", "maxwidth and maxheight are whole numbers of pixels"}
	}
	return min(n, usual), nil
}

// xml returns the answer in oEmbed's other format.
func (e embedded) xml() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8" standalone="yes"?>` + "\n<oembed>")
	for _, f := range [][2]string{
		{"version", e.Version}, {"type", e.Type}, {"title", e.Title}, {"provider_name", e.ProviderName},
		{"provider_url", e.ProviderURL}, {"cache_age", strconv.Itoa(e.CacheAge)}, {"html", e.HTML},
		{"width", strconv.Itoa(e.Width)}, {"height", strconv.Itoa(e.Height)},
	} {
		b.WriteString("<" + f[0] + ">" + html.EscapeString(f[1]) + "</" + f[0] + ">")
	}
	b.WriteString("</oembed>\n")
	return b.String()
}

// printable replaces characters that XML forbids and those that change the text direction.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || r >= 0xfffe,
			r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x2028 || r == 0x2029:
			if r > 0xffff {
				return r
			}
			return '�'
		}
		return r
	}, text)
}
