package worker_test

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/wasm/worker"
)

const relayPath = "/relay/" + relayed

// keyed lists the headers of a request with a key from a page of the site, and further headers of
// a browser or an attacker.
func keyed() header {
	return asSite(
		"Authorization", "Bearer "+canary, "X-Api-Key", canary, "X-Goog-Api-Key", canary, "Api-Key", canary, "Anthropic-Version", "2023-06-01", "Content-Type", "application/json",
		"Cookie", "session=secret", "X-Forwarded-For", "10.0.0.1", "X-Forwarded-Host", "evil.test", "Referer", site+"#1:secret",
		"Anthropic-Dangerous-Direct-Browser-Access", "true", "X-Http-Method-Override", "DELETE", "Proxy-Authorization", "Basic c2VjcmV0",
		"Sec-Fetch-Site", "cross-site", "Accept-Language", "tlh", "X-Original-Url", "/admin", "True-Client-Ip", "10.0.0.1",
	)
}

// external lists the headers that the runtimes add: Cf-Worker names the worker's zone, and two
// disable caches.
var external = []string{"Cf-Worker", "Cache-Control", "Pragma", "Accept-Encoding", "Content-Length", "User-Agent", "Connection", "Host", "Accept"}

var relayLaws = []law{
	{"relays a request with its key and nothing else", func(t *testing.T, r *rig) {
		const body = `{"model":"m","messages":[{"role":"user","content":"§ \u0000 😀"}]}`
		for _, c := range []struct{ method, path, query, body string }{
			{"GET", "/v1/models", "", ""},
			{"GET", "/v1/models", "limit=5&key=a%20b", ""},
			{"POST", "/v1/models", "", body},
			{"POST", "/v1/models", "", ""},
		} {
			path := relayPath + c.path
			if c.query != "" {
				path += "?" + c.query
			}
			got := r.do(t, c.method, path, keyed(), c.body)
			if got.status != 200 || got.body != `{"data":[]}` || got.header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Fatalf("%s %s: %d %s", c.method, path, got.status, got.body)
			}
			s := r.up.last(t)
			if s.Method != c.method || s.Host != relayed || s.Path != c.path || s.Query != c.query || s.Body != c.body {
				t.Errorf("%s %s arrived as %+v", c.method, path, s)
			}
			for name, want := range map[string]string{"Authorization": "Bearer " + canary, "X-Api-Key": canary, "X-Goog-Api-Key": canary, "Api-Key": canary, "Anthropic-Version": "2023-06-01", "Content-Type": "application/json"} {
				if s.Header.Get(name) != want {
					t.Errorf("%s arrived as %q", name, s.Header.Get(name))
				}
				delete(s.Header, name)
			}
			for _, name := range external {
				delete(s.Header, name)
			}
			if len(s.Header) > 0 {
				t.Errorf("more arrived: %v", slices.Sorted(maps.Keys(s.Header)))
			}
			if c.method == "POST" && c.body != "" && s.Header.Get("Transfer-Encoding") != "" {
				t.Error("the length of the body was not told")
			}
		}
	}},
	{"passes an answer back without cookies", func(t *testing.T, r *rig) {
		got := r.do(t, "GET", relayPath+"/v1/models", keyed(), "")
		h := got.header
		if h.Get("Set-Cookie") != "" || h.Get("X-Powered-By") != "" || h.Get("Request-Id") != "req_1" || h.Get("Access-Control-Allow-Origin") != origin || h.Get("Access-Control-Allow-Credentials") != "" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%v", h)
		}
	}},
	{"passes an endpoint's refusal back", func(t *testing.T, r *rig) {
		got := r.do(t, "POST", relayPath+"/busy", keyed(), "{}")
		if got.status != 529 || got.body != `{"error":"overloaded"}` || got.header.Get("Retry-After") != "7" {
			t.Errorf("%+v", got)
		}
	}},
	{"passes what is no answer of a model on as bytes", func(t *testing.T, r *rig) {
		got := r.do(t, "GET", relayPath+"/page", keyed(), "")
		if got.status != 200 || got.header.Get("Content-Type") != "application/octet-stream" || !strings.Contains(got.header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%+v", got)
		}
	}},
	{"streams", func(t *testing.T, r *rig) {
		answer, err := r.request(t.Context(), "POST", relayPath+"/v1/stream", keyed(), strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		from := bufio.NewReader(answer.Body)
		if line, err := from.ReadString('\n'); line != "data: one\n" {
			t.Fatalf("%q %v", line, err)
		}
		r.up.gate <- struct{}{} // only now is the rest sent
		rest, err := io.ReadAll(from)
		if string(rest) != "\ndata: two\n\n" || err != nil || answer.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%q %v %v", rest, err, answer.Header)
		}
	}},
	{"ends the endpoint's stream when the person leaves", func(t *testing.T, r *rig) {
		ctx, leave := context.WithCancel(t.Context())
		answer, err := r.requestBy(leaver, ctx, "POST", relayPath+"/v1/stream", keyed(), strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if line, err := bufio.NewReader(answer.Body).ReadString('\n'); line != "data: one\n" {
			t.Fatalf("%q %v", line, err)
		}
		leave()
		if path := <-r.up.cancelled; path != "/v1/stream" {
			t.Errorf("%s was left", path)
		}
	}},
	{"ends a request that is not answered yet when the person leaves", func(t *testing.T, r *rig) {
		before := r.up.count()
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			answer, err := r.requestBy(leaver, ctx, "POST", relayPath+"/v1/never", keyed(), strings.NewReader("{}"))
			if err == nil {
				_ = answer.Body.Close()
			}
			done <- err
		}()
		for r.up.count() == before {
			select {
			case err := <-done:
				t.Fatalf("answered: %v", err)
			default:
				r.do(t, "GET", "/health", nil, "") // the others are served meanwhile
			}
		}
		leave()
		if path := <-r.up.cancelled; path != "/v1/never" {
			t.Errorf("%s was left", path)
		}
		<-done
	}},
	{"lets an answer that breaks off be seen as broken off", func(t *testing.T, r *rig) {
		answer, err := r.request(t.Context(), "GET", relayPath+"/broken", keyed(), nil)
		if err != nil {
			return // seen
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err == nil {
			t.Errorf("%q was taken for the whole", text)
		}
	}},
	{"follows no redirect and passes none on", func(t *testing.T, r *rig) {
		for _, to := range []string{"http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "https://second.test/v1/models", "/v1/models", "//second.test/", "file:///etc/passwd", "http://[::1]/"} {
			before := r.up.count()
			got := r.do(t, "GET", relayPath+"/redirect?to="+url.QueryEscape(to), keyed(), "")
			if got.status != 502 || got.code() != "relay.redirect" || got.header.Get("Location") != "" || r.up.count() != before+1 {
				t.Errorf("to %s: %d %s, %d requests", to, got.status, got.body, r.up.count()-before)
			}
		}
	}},
	{"takes a body of 1 MiB and not a byte more", func(t *testing.T, r *rig) {
		body := strings.Repeat("x", worker.MaxRelay)
		if got := r.do(t, "POST", relayPath+"/v1/models", keyed(), body); got.status != 200 || r.up.last(t).Body != body {
			t.Errorf("1 MiB: %d %.100s", got.status, got.body)
		}
		before := r.up.count()
		for name, from := range map[string]io.Reader{"of known length": strings.NewReader(body + "x"), "in pieces": io.MultiReader(strings.NewReader(body), strings.NewReader("x"))} {
			if got := r.doFrom(t, "POST", relayPath+"/v1/models", keyed(), from); got.status != 413 || got.code() != "body.size" {
				t.Errorf("1 MiB and a byte, %s: %d %.100s", name, got.status, got.body)
			}
		}
		if r.up.count() != before {
			t.Error("part of it was sent on")
		}
	}},
	{"relays for pages of the site only", func(t *testing.T, r *rig) {
		before := r.up.count()
		for _, h := range []header{
			nil, {"Origin", elsewhere}, {"Origin", "null"}, {"Origin", origin + ".evil.test"}, {"Origin", "http://stile.test"},
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "none"}, {"Referer", site}, {"Origin", origin, "Origin", elsewhere},
			{"Origin", elsewhere, "Sec-Fetch-Site", "same-origin"},
		} {
			for _, method := range []string{"GET", "POST"} {
				if got := r.do(t, method, relayPath+"/v1/models", h, ""); got.status != 403 || got.code() != "origin.refused" {
					t.Errorf("%s %v: %d %s", method, h, got.status, got.body)
				}
			}
		}
		if n := r.up.count() - before; n != 0 {
			t.Errorf("%d requests went out", n)
		}
		if got := r.do(t, "GET", relayPath+"/v1/models", header{"Sec-Fetch-Site", "same-origin"}, ""); got.status != 200 {
			t.Errorf("the site's own page, served beside the worker: %d %s", got.status, got.body)
		}
	}},
	{"relays to listed hosts only, however they are spelled", func(t *testing.T, r *rig) {
		before := r.up.count()
		for _, target := range refused() {
			for _, method := range []string{"GET", "POST"} {
				text := method + " /relay/" + target + " HTTP/1.1\r\nHost: worker.test\r\nOrigin: " + origin + "\r\nAuthorization: Bearer " + canary + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
				if got := r.raw(t, text, true); slices.ContainsFunc(got, func(status int) bool { return status < 400 || status >= 500 }) {
					t.Errorf("%s %q: %v", method, target, got)
				}
			}
		}
		if n := r.up.count() - before; n != 0 {
			t.Errorf("%d requests went out, the last to %+v", n, r.up.last(t))
		}
		// A target that browsers parse as a listed host with a path reaches that host or none.
		for _, target := range []string{relayed + "\\", relayed + "\\@evil.test/", relayed + " second.test/", "./" + relayed + "/", "evil.test/../" + relayed + "/", relayed + "/@evil.test", relayed + "//evil.test/", relayed + "/?@evil.test", relayed + "/%2f%2fevil.test"} {
			r.raw(t, "GET /relay/"+target+" HTTP/1.1\r\nHost: worker.test\r\nOrigin: "+origin+"\r\n\r\n", true)
		}
		for _, s := range r.up.since(before) {
			if s.Host != relayed {
				t.Errorf("%+v went out", s)
			}
		}
	}},
	{"cannot be talked into a second request", func(t *testing.T, r *rig) {
		before := r.up.count()
		const key = "Origin: " + origin + "\r\nAuthorization: Bearer " + canary + "\r\n"
		inner := "GET " + relayPath + "/smuggled HTTP/1.1\r\nHost: w\r\n" + key + "Connection: close\r\n\r\n"
		for name, text := range map[string]string{
			"two lengths":                   "POST " + relayPath + "/v1/models HTTP/1.1\r\nHost: w\r\n" + key + "Content-Length: 4\r\nContent-Length: 90\r\nConnection: close\r\n\r\nabcd",
			"length and chunks":             "POST /health HTTP/1.1\r\nHost: w\r\n" + key + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n" + inner,
			"a length that is not a number": "POST /health HTTP/1.1\r\nHost: w\r\nContent-Length: +5\r\nConnection: close\r\n\r\nabcde",
			"an unknown encoding":           "POST " + relayPath + "/v1/models HTTP/1.1\r\nHost: w\r\n" + key + "Transfer-Encoding: xchunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
			"a whole address":               "GET http://169.254.169.254/latest/meta-data/ HTTP/1.1\r\nHost: w\r\n" + key + "Connection: close\r\n\r\n",
			"a tunnel":                      "CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: 169.254.169.254:80\r\n" + key + "Connection: close\r\n\r\n",
			"a space before the colon":      "GET /health HTTP/1.1\r\nHost: w\r\nOrigin : " + origin + "\r\nConnection: close\r\n\r\n",
			"a bare line feed":              "GET /health HTTP/1.1\nHost: w\nConnection: close\n\n",
		} {
			r.raw(t, text, true)
			for _, s := range r.up.since(before) {
				if s.Path == "/smuggled" || s.Host != relayed {
					t.Errorf("%s: %+v went out", name, s)
				}
			}
		}
		// Line ends in forwarded values.
		for _, escaped := range []string{"%0d%0aX-Smuggled:%20yes", "%0aX-Smuggled:yes", "%00", "%e5%98%8a%e5%98%8dX-Smuggled:yes"} {
			r.do(t, "GET", relayPath+"/v1/models"+escaped+"?a="+escaped, keyed(), "")
			if s := r.up.last(t); s.Header.Get("X-Smuggled") != "" || s.Host != relayed {
				t.Errorf("%s arrived as %+v", escaped, s)
			}
		}
	}},
	{"does not wait for a body that trickles in", func(t *testing.T, r *rig) {
		if !r.live {
			t.Skip("under net/http the server's own limits hold")
		}
		before := r.up.count()
		for _, path := range []string{relayPath + "/v1/models", "/s"} {
			got := r.raw(t, "POST "+path+" HTTP/1.1\r\nHost: w\r\nOrigin: "+origin+"\r\nContent-Length: 100\r\n\r\nabc", false)
			if !slices.Equal(got, []int{http.StatusRequestTimeout}) {
				t.Errorf("%s: %v", path, got)
			}
		}
		if r.up.count() != before {
			t.Error("half a body was sent on")
		}
	}},
	{"tells no key in what it says", func(t *testing.T, r *rig) {
		for _, path := range []string{"/relay/evil.test/", relayPath + "/redirect?to=/&key=" + canary, relayPath + "/broken?key=" + canary, "/nothing/" + canary, "/s/" + canary} {
			if answer, err := r.request(t.Context(), "GET", path, keyed(), nil); err == nil {
				text, _ := io.ReadAll(answer.Body) // one of them breaks off
				_ = answer.Body.Close()
				if strings.Contains(string(text), canary) {
					t.Errorf("%s: %s", path, text)
				}
			}
		}
	}},
}

// since returns the requests after the first n.
func (u *upstream) since(count int) []seen {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.seen[count:])
}

// refused lists relay targets that lead to an unlisted host, or would under another parser.
func refused() []string {
	hosts := []string{
		// Loopback, in every spelling that some resolver accepts.
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "127.0.0.1.", "0", "0.0.0.0", "[::1]", "::1", "[::]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", "localhost", "LOCALHOST", "localhost.", "foo.localhost", "localhost.localdomain", "127.0.0.1.nip.io", "①②⑦.⓪.⓪.①",
		// Private and link-local addresses, and the metadata services of clouds.
		"10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "2852039166", "0xa9fea9fe", "169.254.169.254.nip.io", "[fe80::1]", "[fe80::1%25eth0]", "[fc00::1]", "[fd00:ec2::254]", "[64:ff9b::7f00:1]", "[::ffff:a9fe:a9fe]", "metadata.google.internal", "metadata", "instance-data", "printer.local", "router.lan", "db.internal", "wiki.corp", "1.0.0.127.in-addr.arpa", "255.255.255.255", "224.0.0.1",
		// Other hosts, and look-alikes of a listed one.
		"evil.test", "example.com", "", ".", "..", "...", "-", "*", "%2a",
		relayed + ".", relayed + "..", "." + relayed, strings.ToUpper(relayed), "Api.Model.Test", relayed + ":443", relayed + ":80", relayed + ":", relayed + ":0",
		"user@" + relayed, "user:pass@" + relayed, relayed + "@evil.test", relayed + "%40evil.test", relayed + "%2eevil.test", relayed + ".evil.test", "evil-" + relayed, "x" + relayed, relayed + "x", "model.test", "test",
		"api%2emodel%2etest", "%61pi.model.test", relayed + "%00", relayed + "%00.evil.test", relayed + "%20", "%20" + relayed, relayed + "%09", relayed + "%0d%0aHost:%20evil.test", relayed + "%2f", relayed + "%5c", relayed + "%23", relayed + "%3f", relayed + ";", relayed + ",evil.test", relayed + "%2c", relayed + "+", relayed + "%20second.test",
		"аpi.model.test", "xn--pi-7kc.model.test", "api.model.test\u200b", "api。model。test", "api．model．test", "ａｐｉ.model.test", "api.modeⅼ.test",
		"https:", "http:", "https%3a%2f%2f" + relayed, "file:", "unix", "ws:", strings.Repeat("a.", 200) + "test", strings.Repeat("a", 70) + ".test", "_dmarc." + relayed,
	}
	targets := []string{"", "/", "//", "//" + relayed, "/" + relayed, "https://" + relayed + "/", "https:/" + relayed, "http://127.0.0.1/", "../" + relayed + "/", "../../etc/passwd", "..%2f" + relayed}
	for _, h := range hosts {
		targets = append(targets, h+"/v1/models")
	}
	return targets
}
