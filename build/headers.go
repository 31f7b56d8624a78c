package main

import (
	"fmt"
	"net/http"
	"strings"
)

// headerRule sets headers for a file, or for the files in a folder: its pattern is the
// file's path, or the folder's followed by "/*", which all hosts interpret equally.
type headerRule struct {
	pattern string
	headers [][2]string
}

// policy returns the site's content security policy. It is sent as a header, and every page
// also has it in a meta element, for hosts that do not send our headers.
func policy() string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval'",
		"style-src 'self'",
		"img-src 'self' data: blob:",
		"font-src 'self'",
		// A person's own endpoints: any host over https, and this device.
		"connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
		// In a frame without an origin a worker starts as a data: URL that imports its script (trusted.ts).
		// Such a worker has no origin either, but script-src still limits its imports.
		"worker-src 'self' data:",
		"frame-src 'self'", // live figures of the documentation are frames
		"manifest-src 'self'",
		// No frame-ancestors: any document may embed the page, also a sandboxed one, which even *
		// does not match.
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types stile lit-html",
	}, "; ")
}

// localPolicy returns the policy of a site that this machine serves to itself. It allows plain http,
// because model servers in the local network rarely have certificates, and a policy cannot name
// ranges of addresses. The page sends no key over plain http outside private networks.
func localPolicy() string {
	return strings.Replace(policy(), "http://localhost:* http://127.0.0.1:*", "http:", 1)
}

// headerRules returns the headers of the site on every host: netlify.toml is generated from
// them, and the local server sends them. No two rules that match one file set the same
// header, because hosts resolve that differently.
func headerRules() []headerRule {
	csp := policy()
	const forever = "public, max-age=31536000, immutable"
	return []headerRule{
		{"/*", [][2]string{
			{"Content-Security-Policy", csp},
			// A page that requires isolation embeds only files with both of these.
			{"Cross-Origin-Embedder-Policy", "credentialless"},
			{"Cross-Origin-Resource-Policy", "cross-origin"},
			{"Referrer-Policy", "no-referrer"},
			{"X-Content-Type-Options", "nosniff"},
		}},
		// A frame without an origin makes all requests across origins.
		{"/assets/*", [][2]string{{"Cache-Control", forever}, {"Access-Control-Allow-Origin", "*"}}},
		{"/module/*", [][2]string{{"Cache-Control", forever}, {"Access-Control-Allow-Origin", "*"}, {"Access-Control-Expose-Headers", "Content-Encoding"}}},
		{"/module/br/*", [][2]string{{"Content-Type", "application/wasm"}, {"Content-Encoding", "br"}}},
		{"/module/gz/*", [][2]string{{"Content-Type", "application/octet-stream"}}},
		// Pages of other origins load the script as a module.
		{"/" + embedScript, [][2]string{{"Access-Control-Allow-Origin", "*"}}},
		{"/" + guardModule, [][2]string{{"Access-Control-Allow-Origin", "*"}}},
		{"/gallery/*", [][2]string{{"Access-Control-Allow-Origin", "*"}}},
	}
}

// matches reports whether a rule applies to a path.
func (h headerRule) matches(path string) bool {
	folder, isFolder := strings.CutSuffix(h.pattern, "*")
	return path == h.pattern || isFolder && strings.HasPrefix(path, folder)
}

// setHeaders sets a response's headers by the rules.
func setHeaders(w http.ResponseWriter, p string) {
	for _, rule := range headerRules() {
		if rule.matches(p) {
			for _, h := range rule.headers {
				w.Header().Set(h[0], h[1])
			}
		}
	}
}

func netlifyTOML() []byte {
	var b strings.Builder
	b.WriteString("# Written by `go run ./build gen` from build/headers.go; change it there.\n\n")
	b.WriteString("[build]\n  command = \"go run ./build site -downloads\"\n  publish = \"dist\"\n\n")
	b.WriteString("[build.environment]\n  GO_VERSION = \"1.26\"\n  NODE_VERSION = \"22\"\n")
	for _, rule := range headerRules() {
		fmt.Fprintf(&b, "\n[[headers]]\n  for = %q\n  [headers.values]\n", rule.pattern)
		for _, h := range rule.headers {
			fmt.Fprintf(&b, "    %s = %q\n", h[0], h[1])
		}
	}
	return []byte(b.String())
}
