package main

import (
	"strings"
	"testing"
)

func TestNoHeaderIsSetTwiceForAFile(t *testing.T) {
	for _, file := range []string{"/index.html", "/assets/main.js", "/module/br/stile.wasm", "/module/gz/stile.wasm", "/gallery/index.json"} {
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

func TestThePolicyAllowsNoInlineCode(t *testing.T) {
	text := string(netlifyTOML())
	for _, loose := range []string{"'unsafe-inline'", "'unsafe-eval'"} {
		if strings.Contains(text, loose) {
			t.Errorf("the policy allows %s", loose)
		}
	}
}
