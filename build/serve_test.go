package main

import (
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A site that this machine serves to itself allows plain http, in the header and in the pages;
// everything else of the policy stays.
func TestLocalPolicyAllowsPlainHTTP(t *testing.T) {
	page := "<meta http-equiv=\"Content-Security-Policy\" content=\"" + html.EscapeString(policy()) + "\">"
	s := &site{files: map[string][]byte{"index.html": []byte(page), "assets/a.js": []byte(policy())}}
	for csp, connect := range map[string]string{policy(): "connect-src 'self' https: http://localhost:* http://127.0.0.1:*; ", localPolicy(): "connect-src 'self' https: http:; "} {
		for _, name := range []string{"/", "/assets/a.js"} {
			w := httptest.NewRecorder()
			serveSite(func() *site { return s }, csp).ServeHTTP(w, httptest.NewRequest(http.MethodGet, name, nil))
			body := html.UnescapeString(w.Body.String())
			if got := w.Header().Get("Content-Security-Policy"); got != csp || !strings.Contains(got, connect) || name == "/" && !strings.Contains(body, connect) || name != "/" && body != policy() || w.Header().Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
				t.Errorf("%s: %s\n%s", name, got, body)
			}
		}
	}
	if strings.Replace(localPolicy(), "http:;", "http://localhost:* http://127.0.0.1:*;", 1) != policy() {
		t.Errorf("the local policy is %s", localPolicy())
	}
}

// No model server of the page's presets uses serve's default port.
func TestDefaultPortDiffersFromModelServers(t *testing.T) {
	presets, err := os.ReadFile("../web/src/models/endpoint-presets.ts")
	if err != nil {
		t.Fatal(err)
	}
	ports := presetPort.FindAllStringSubmatch(string(presets), -1)
	if len(ports) < 4 {
		t.Fatalf("%d ports found in the presets", len(ports))
	}
	for _, p := range ports {
		if p[1] == strconv.Itoa(defaultPort) {
			t.Errorf("%s is also the port of a preset", p[1])
		}
	}
}

var presetPort = regexp.MustCompile(`localhost:(\d+)`)
