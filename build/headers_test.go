package main

import (
	"strings"
	"testing"
)

func TestHeadersAreUniquePerFile(t *testing.T) {
	for _, file := range []string{"/index.html", "/assets/main.js", "/module/br/stile.wasm", "/module/gz/stile.wasm", "/gallery/index.json", "/stile-embed.js", "/docs/guide"} {
		seen := map[string]string{}
		for _, rule := range headerRules() {
			if !rule.matches(file) {
				continue
			}
			for _, h := range rule.headers {
				if before := seen[h[0]]; before != "" {
					t.Errorf("%s: %s is set by %s and by %s", file, h[0], before, rule.pattern)
				}
				seen[h[0]] = rule.pattern
			}
		}
		if seen["Content-Security-Policy"] == "" {
			t.Errorf("%s has no content security policy", file)
		}
	}
}

func TestPolicyForbidsInlineCode(t *testing.T) {
	text := string(netlifyTOML())
	for _, loose := range []string{"'unsafe-inline'", "'unsafe-eval'"} {
		if strings.Contains(text, loose) {
			t.Errorf("the policy allows %s", loose)
		}
	}
}

func TestEmbedScriptAllowsEveryOrigin(t *testing.T) {
	for file, want := range map[string]bool{"/stile-embed.js": true, "/stile-embed.js/more": false, "/embed.js": false, "/docs/": false} {
		found := false
		for _, rule := range headerRules() {
			for _, h := range rule.headers {
				found = found || rule.matches(file) && h == [2]string{"Access-Control-Allow-Origin", "*"}
			}
		}
		if found != want {
			t.Errorf("%s may be loaded from anywhere: %v", file, found)
		}
	}
}
