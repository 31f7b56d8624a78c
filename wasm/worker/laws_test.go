package worker_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// law is a property of the worker in every environment.
type law struct {
	name string
	test func(t *testing.T, r *rig)
}

func allLaws() []law {
	var all []law
	all = append(all, shareLaws...)
	all = append(all, oembedLaws...)
	all = append(all, relayLaws...)
	return append(all, routeLaws...)
}

//stile:race
func TestNativelyTheWorker(t *testing.T) { runLaws(t, native) }

func TestLawsUnderWorkerd(t *testing.T) {
	needWorker(t)
	runLaws(t, workerd)
}

// needWorker skips a test that needs the built worker.
func needWorker(t *testing.T) {
	t.Helper()
	if os.Getenv(folderEnv) == "" {
		t.Skip("runs with `go run ./build test worker`")
	}
}

func runLaws(t *testing.T, start starter) {
	r := start(t, terms{})
	for _, l := range allLaws() {
		t.Run(l.name, func(t *testing.T) { l.test(t, r) })
	}
	t.Run("counts by address and refuses beyond the limit", func(t *testing.T) {
		limitLaw(t, start(t, terms{limits: map[string]int{"SHARE_LIMIT": 3, "RELAY_LIMIT": 3}}))
	})
}

var routeLaws = []law{
	{"is healthy", func(t *testing.T, r *rig) {
		got := r.do(t, "GET", "/health", nil, "")
		if got.status != 200 || strings.TrimSpace(got.body) != `{"ok":true}` || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%+v", got)
		}
	}},
	{"says what is not there and what is not taken", func(t *testing.T, r *rig) {
		for _, c := range []struct {
			method, path string
			status       int
			code         string
		}{
			{"GET", "/", 404, "route.unknown"},
			{"GET", "/favicon.ico", 404, "route.unknown"},
			{"GET", "/relay", 404, "route.unknown"},
			{"GET", "/health/x", 404, "route.unknown"},
			{"GET", "/s", 405, "route.method"},
			{"DELETE", "/s", 405, "route.method"},
			{"POST", "/s/" + strings.Repeat("A", 24), 405, "route.method"},
			{"PUT", "/relay/" + relayed + "/v1/models", 405, "route.method"},
			{"DELETE", "/relay/" + relayed + "/v1/models", 405, "route.method"},
			{"POST", "/oembed", 405, "route.method"},
		} {
			got := r.do(t, c.method, c.path, nil, "")
			if got.status != c.status || got.code() != c.code {
				t.Errorf("%s %s: %d %s", c.method, c.path, got.status, got.body)
			}
			if c.status == 405 && !strings.HasSuffix(got.header.Get("Allow"), ", OPTIONS") {
				t.Errorf("%s %s: Allow is %q", c.method, c.path, got.header.Get("Allow"))
			}
		}
	}},
	{"refuses an address that cannot be read, and goes on", func(t *testing.T, r *rig) {
		for range 20 {
			for _, path := range []string{"/%zz", "/s/%", "/relay/" + relayed + "/%g1?key=" + canary, "/relay/%zz/"} {
				if got := r.raw(t, "GET "+path+" HTTP/1.1\r\nHost: w\r\nOrigin: "+origin+"\r\n\r\n", true); !slices.Equal(got, []int{400}) {
					t.Fatalf("%s: %v", path, got)
				}
			}
		}
		if got := r.do(t, "GET", "/health", nil, ""); got.status != 200 {
			t.Errorf("%+v", got)
		}
	}},
	{"lets only the site's origins call from a browser", func(t *testing.T, r *rig) {
		for from, allowed := range map[string]bool{
			origin: true, "https://other.test": true,
			elsewhere: false, "null": false, "http://stile.test": false, "https://stile.test.evil.test": false, "https://stile.test:444": false, "https://STILE.test": false, "https://evilstile.test": false,
		} {
			for _, path := range []string{"/s", "/relay/" + relayed + "/v1/models", "/oembed", "/health"} {
				got := r.do(t, "OPTIONS", path, header{"Origin", from, "Access-Control-Request-Method", "POST"}, "")
				want := 403
				echoed := ""
				if allowed {
					want, echoed = 204, from
				}
				if got.status != want || got.header.Get("Access-Control-Allow-Origin") != echoed || !strings.Contains(got.header.Get("Vary"), "Origin") {
					t.Errorf("preflight of %s from %s: %d %v", path, from, got.status, got.header)
				}
				if allowed && !strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "X-Api-Key, X-Goog-Api-Key") || allowed && !strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Anthropic-Dangerous-Direct-Browser-Access") {
					t.Errorf("preflight of %s from %s allows the headers %q", path, from, got.header.Get("Access-Control-Allow-Headers"))
				}
			}
			for _, path := range []string{"/s", "/relay/" + relayed + "/v1/models"} {
				got := r.do(t, "POST", path, header{"Origin", from}, "-- a.cfg --\nS -> a\n")
				if allowed != (got.status == 200) || allowed != (got.header.Get("Access-Control-Allow-Origin") == from) {
					t.Errorf("POST %s from %s: %d %s", path, from, got.status, got.body)
				}
			}
		}
	}},
	{"never lets a cookie of ours or a type be guessed", func(t *testing.T, r *rig) {
		for _, path := range []string{"/health", "/nothing", "/s/" + strings.Repeat("A", 24)} {
			got := r.do(t, "GET", path, nil, "")
			h := got.header
			if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Set-Cookie") != "" || !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s: %v", path, h)
			}
		}
	}},
}

// limitLaw is a property of a worker that allows each address 3 requests of each kind per minute.
func limitLaw(t *testing.T, r *rig) {
	share := func(from string) reply {
		return r.do(t, "POST", "/s", header{"CF-Connecting-IP", from}, "-- a.cfg --\nS -> a\n")
	}
	relay := func(from string) reply {
		return r.do(t, "GET", "/relay/"+relayed+"/v1/models", asSite("CF-Connecting-IP", from), "")
	}
	for _, c := range []struct {
		what string
		send func(from string) reply
	}{{"share", share}, {"relay", relay}} {
		// A fixed window may end once in between; then twice as many requests pass.
		refused := reply{}
		passed := 0
		for range 7 {
			if got := c.send("192.0.2.1"); got.status == 429 {
				refused = got
				break
			}
			passed++
		}
		if passed < 3 || refused.code() != "limit.reached" || refused.header.Get("Retry-After") == "" || refused.header.Get("Retry-After") == "0" {
			t.Errorf("%s: %d passed, then %+v", c.what, passed, refused)
		}
		if got := c.send("192.0.2.2"); got.status != 200 {
			t.Errorf("%s: another address is refused: %d %s", c.what, got.status, got.body)
		}
		// All spellings of one customer's 64 bits share a count.
		passed = 0
		for _, from := range []string{"2001:db8::1", "2001:db8::2", "2001:DB8:0:0:ffff::3", "2001:db8::4", "2001:db8::5", "2001:db8::6", "2001:db8:0::7"} {
			if c.send(from).status == 200 {
				passed++
			}
		}
		if passed < 3 || passed > 6 {
			t.Errorf("%s: of 7 addresses in one /64 pass %d", c.what, passed)
		}
		if got := c.send("2001:db8:0:1::1"); got.status != 200 {
			t.Errorf("%s: another /64 is refused: %d", c.what, got.status)
		}
	}
	// A rejected request has no other effect: reads are not counted.
	for range 8 {
		if got := r.do(t, "GET", "/health", header{"CF-Connecting-IP", "192.0.2.1"}, ""); got.status != 200 {
			t.Errorf("health: %d", got.status)
		}
	}
}
