package worker_test

import (
	"encoding/xml"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/workspace"
)

// rich is an oEmbed reply as consumers decode it.
type rich struct {
	Version      string `json:"version" xml:"version"`
	Type         string `json:"type" xml:"type"`
	Title        string `json:"title" xml:"title"`
	ProviderName string `json:"provider_name" xml:"provider_name"`
	HTML         string `json:"html" xml:"html"`
	Width        int    `json:"width" xml:"width"`
	Height       int    `json:"height" xml:"height"`
}

// frameTag matches the only valid HTML of a reply: one frame whose attributes cannot be terminated
// by their values.
var frameTag = regexp.MustCompile(`^<iframe src="([^"<>]*)" title="([^"<>]*)" width="(\d+)" height="(\d+)" sandbox="[a-z -]+" loading="lazy" referrerpolicy="no-referrer" allowfullscreen></iframe>$`)

func (r *rig) embed(t *testing.T, link, more string) (reply, rich) {
	t.Helper()
	got := r.do(t, "GET", "/oembed?url="+url.QueryEscape(link)+more, nil, "")
	var e rich
	if got.status == 200 {
		if strings.Contains(more, "xml") {
			if err := xml.Unmarshal([]byte(got.body), &e); err != nil {
				t.Fatalf("%v in %s", err, got.body)
			}
		} else {
			got.json(t, &e)
		}
	}
	return got, e
}

// discoveryPage matches the only valid page of a short link: no inserted value can terminate its
// context.
var discoveryPage = regexp.MustCompile(`^<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>([^<>"]*)</title>
<link rel="alternate" type="application/json\+oembed" href="([^<>"]*)" title="[^<>"]*">
<link rel="alternate" type="text/xml\+oembed" href="([^<>"]*)" title="[^<>"]*">
<meta http-equiv="refresh" content="0; url=([^<>"]*)">
</head>
<body><p><a href="([^<>"]*)">Open it in Stile</a></p></body>
</html>
$`)

// hostile lists texts that vulnerable pages have interpreted as markup.
var hostile = []string{
	`"><script>alert(1)</script>.cfg`,
	`'><img src=x onerror=alert(1)>.cfg`,
	`</iframe><svg onload=alert(1)>.cfg`,
	`" onload="alert(1)" x=".cfg`,
	`]]><script>alert(1)</script><![CDATA[.cfg`,
	`<!--.cfg`, `&lt;b&gt;&quot;&#34;.cfg`, `javascript:alert(1).cfg`,
	"a\u2028b\u202ec.cfg", "a\x01\x0b\x1fb.cfg", "a\ufffeb.cfg", "</title><base href=x>.cfg",
}

var oembedLaws = []law{
	{"embeds short links, links and examples", func(t *testing.T, r *rig) {
		link := linkOf(t, one("plan.cfg", "S -> a\n"), "")
		short := r.store(t, link).URL
		for _, c := range []struct{ link, frame, title string }{
			{short, site + "embed.html" + link, "plan.cfg"},
			{site + link, site + "embed.html" + link, "plan.cfg"},
			{site + "index.html" + link, site + "embed.html" + link, "plan.cfg"},
			{strings.TrimSuffix(site, "/") + link, site + "embed.html" + link, "plan.cfg"},
			{site + "?example=anbn", site + "embed.html?example=anbn", ""},
		} {
			for _, format := range []string{"", "&format=json", "&format=xml"} {
				got, e := r.embed(t, c.link, format)
				parts := frameTag.FindStringSubmatch(e.HTML)
				if got.status != 200 || e.Version != "1.0" || e.Type != "rich" || e.ProviderName != "Stile" || parts == nil || html.UnescapeString(parts[1]) != c.frame || e.Title == "" || c.title != "" && e.Title != c.title {
					t.Errorf("%s%s: %d %s", c.link, format, got.status, got.body)
				}
				kind := "application/json; charset=utf-8"
				if strings.Contains(format, "xml") {
					kind = "text/xml; charset=utf-8"
				}
				if got.header.Get("Content-Type") != kind {
					t.Errorf("%s: the type is %q", format, got.header.Get("Content-Type"))
				}
			}
		}
	}},
	{"is found by readers of pages", func(t *testing.T, r *rig) {
		for _, name := range append([]string{"plan.cfg"}, hostile...) {
			s := r.store(t, linkOf(t, one(name, "S -> a\n"), ""))
			redirect := r.do(t, "GET", "/s/"+s.ID, header{"Accept", "*/*"}, "")
			got := r.do(t, "GET", "/s/"+s.ID, header{"Accept", "text/html, */*;q=0.1"}, "")
			if redirect.status != 302 || got.status != 200 || got.header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none';") {
				t.Fatalf("%q: %d %d %v", name, redirect.status, got.status, got.header)
			}
			parts := discoveryPage.FindStringSubmatch(got.body)
			if parts == nil || html.UnescapeString(parts[4]) != redirect.header.Get("Location") || html.UnescapeString(parts[5]) != html.UnescapeString(parts[4]) {
				t.Fatalf("%q: the page is %s", name, got.body)
			}
			for i, kind := range []string{"json", "xml"} {
				href := html.UnescapeString(parts[2+i])
				if !strings.Contains(redirect.header.Get("Link"), "<"+href+`>; rel="alternate"; type="`) {
					t.Errorf("the header is %s", redirect.header.Get("Link"))
				}
				at, err := url.Parse(href)
				if err != nil || at.Query().Get("format") != kind || at.Query().Get("url") != s.URL {
					t.Fatalf("%s leads to %s", kind, href)
				}
				description := r.do(t, "GET", "/oembed?"+at.RawQuery, nil, "")
				if description.status != 200 || !strings.Contains(description.header.Get("Content-Type"), kind) {
					t.Errorf("%s: %d %s", href, description.status, description.body)
				}
			}
		}
		// The site's own page does not know its location.
		if got, e := r.embed(t, "?example=anbn", ""); got.status != 200 || !strings.Contains(html.UnescapeString(e.HTML), site+"embed.html?example=anbn") {
			t.Errorf("%d %s", got.status, got.body)
		}
	}},
	{"keeps to the size asked for", func(t *testing.T, r *rig) {
		for _, c := range []struct {
			more          string
			width, height int
			status        int
		}{
			{"", 800, 500, 200}, {"&maxwidth=320", 320, 500, 200}, {"&maxheight=100&maxwidth=9999", 800, 100, 200}, {"&maxwidth=1", 1, 500, 200},
			{"&maxwidth=0", 0, 0, 400}, {"&maxwidth=-5", 0, 0, 400}, {"&maxheight=1e3", 0, 0, 400}, {"&maxwidth=%22onload%3D", 0, 0, 400}, {"&maxwidth=99999999999999999999", 0, 0, 400},
		} {
			got, e := r.embed(t, site+"?example=anbn", c.more)
			if got.status != c.status || e.Width != c.width || e.Height != c.height {
				t.Errorf("%q: %d %s", c.more, got.status, got.body)
			}
		}
	}},
	{"embeds nothing but what is ours", func(t *testing.T, r *rig) {
		link := linkOf(t, one("plan.cfg", "S -> a\n"), "")
		short := r.store(t, link).URL
		for _, c := range []struct {
			link, code string
			status     int
		}{
			{"", "oembed.url", 400},
			{"https://evil.test/" + link, "oembed.unknown", 404},
			{"https://stile.test.evil.test/" + link, "oembed.unknown", 404},
			{"https://stile.test@evil.test/" + link, "oembed.unknown", 404},
			{"https://evil.test@stile.test/" + link, "oembed.unknown", 404},
			{"https://stile.test:444/" + link, "oembed.unknown", 404},
			{"http://stile.test/" + link, "oembed.unknown", 404},
			{"//stile.test/" + link, "oembed.unknown", 404},
			{"javascript:alert(1)//" + short, "oembed.unknown", 404},
			{"data:text/html,<script>alert(1)</script>", "oembed.unknown", 404},
			{"https://stile.test\\@evil.test/" + link, "oembed.unknown", 404},
			{site, "oembed.unknown", 404},
			{site + "elsewhere" + link, "oembed.unknown", 404},
			{site + "?example=nothing", "oembed.unknown", 404},
			{site + "?example=" + url.QueryEscape(`"><script>`), "oembed.unknown", 404},
			{site + "#2:AAAA", "oembed.unknown", 404},
			{site + "#1:%22%3E%3Cscript%3E", "share.damaged", 400},
			{site + `#1:"><script>`, "share.damaged", 400},
			{site + link[:len(link)-4], "share.truncated", 400},
			{short + "x", "share.unknown", 404},
			{short[:len(short)-1], "share.unknown", 404},
			{strings.Replace(short, "/s/", "/t/", 1), "oembed.unknown", 404},
		} {
			if got, _ := r.embed(t, c.link, ""); got.status != c.status || got.code() != c.code {
				t.Errorf("%s: %d %s", c.link, got.status, got.body)
			}
		}
		if got, _ := r.embed(t, short, "&format=yaml"); got.status != 501 || got.code() != "oembed.format" {
			t.Errorf("yaml: %d %s", got.status, got.body)
		}
	}},
	{"lets no text become markup", func(t *testing.T, r *rig) {
		for _, name := range hostile {
			w := one(name, "S -> \"<script>alert(1)</script>\"\n")
			if err := w.Check(); err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			for _, link := range []string{r.store(t, linkOf(t, w, "")).URL, site + linkOf(t, w, "")} {
				for _, format := range []string{"", "&format=xml"} {
					got, e := r.embed(t, link, format)
					parts := frameTag.FindStringSubmatch(e.HTML)
					if got.status != 200 || parts == nil || html.UnescapeString(parts[2]) != "Stile: "+e.Title {
						t.Errorf("%q: %d %s", name, got.status, got.body)
						continue
					}
					opened, _, err := workspace.DecodeLink("#" + strings.SplitN(html.UnescapeString(parts[1]), "#", 2)[1])
					if err != nil || opened.Main() != name {
						t.Errorf("%q: the frame shows %+v %v", name, opened, err)
					}
					if format == "" && strings.ContainsAny(got.body, "<>") {
						t.Errorf("%q: the JSON has a bracket that a sniffing reader takes for a tag", name)
					}
					if strings.ContainsFunc(e.Title, func(c rune) bool { return c < ' ' || c >= 0x2028 && c <= 0x202e }) {
						t.Errorf("%q: the title %q is not printable", name, e.Title)
					}
				}
			}
		}
	}},
}
