package main

import (
	"html"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stile-playground/stile/grammars"
)

var docsSite = sync.OnceValues(func() (*site, error) {
	r, err := findRepo()
	if err != nil {
		return nil, err
	}
	s := &site{files: map[string][]byte{"index.html": []byte("the playground"), "icon.svg": nil}}
	// The page of a site with downloads links each of them.
	for _, p := range platforms() {
		s.files[p.file()] = []byte("a program")
	}
	s.files[checksums] = nil
	return s, r.addDocs(s, downloadsPage(s), licencesPage(nil))
})

// documentation returns the site's documentation.
func documentation(t *testing.T) *site {
	t.Helper()
	s, err := docsSite()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	linkOf = regexp.MustCompile(`(?:href|src|data-stile)="([^"]*)"`)
	idOf   = regexp.MustCompile(`\sid="([^"]*)"`)
)

func TestDocumentationLinksResolve(t *testing.T) {
	s := documentation(t)
	examples := map[string]bool{}
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		examples[e.ID] = true
	}
	ids := map[string]map[string]bool{}
	for name, text := range s.files {
		ids[name] = map[string]bool{}
		if !strings.HasPrefix(name, "docs/") {
			continue
		}
		for _, m := range idOf.FindAllStringSubmatch(string(text), -1) {
			if ids[name][m[1]] {
				t.Errorf("%s has two places %q", name, m[1])
			}
			ids[name][m[1]] = true
		}
	}
	for _, name := range sortedNames(s.files) {
		if !strings.HasPrefix(name, "docs/") {
			continue
		}
		links := linkOf.FindAllStringSubmatch(string(s.files[name]), -1)
		if len(links) < 10 {
			t.Errorf("%s has only %d links", name, len(links))
		}
		for _, m := range links {
			link := html.UnescapeString(m[1])
			if strings.HasPrefix(link, "https://") {
				continue
			}
			address, anchor, _ := strings.Cut(link, "#")
			address, query, _ := strings.Cut(address, "?")
			if id, ok := strings.CutPrefix(query, "example="); ok {
				if !examples[id] {
					t.Errorf("%s leads to the example %q, which is not there", name, id)
				}
			}
			target := name
			if address != "" {
				if target = path.Join(path.Dir(name), address); strings.HasSuffix(address, "/") {
					target = path.Join(target, "index.html")
				}
			}
			if _, ok := s.files[target]; !ok || strings.HasPrefix(address, "/") {
				t.Errorf("%s leads to %q, which is not there", name, link)
			}
			if anchor != "" && target != "index.html" && !ids[target][anchor] {
				t.Errorf("%s leads to %q, where there is no such place", name, link)
			}
		}
	}
}

func TestDocumentationHasNoInlineCode(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|<style|\sstyle="|\son\w+="|javascript:`)
	for name, text := range documentation(t).files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if at := inline.FindIndex(text); at != nil {
			t.Errorf("%s: %.80s", name, text[at[0]:])
		}
	}
}

func TestDocumentationUsesThePlaygroundColours(t *testing.T) {
	s := documentation(t)
	sheets := 0
	for name, text := range s.files {
		if strings.HasSuffix(name, ".css") {
			sheets++
			for _, want := range []string{"--paper:", "--accent:", ".stile-drawing", ".t-nonterminal", "data-theme=dark"} {
				if !strings.Contains(string(text), want) {
					t.Errorf("%s lacks %s", name, want)
				}
			}
		}
	}
	if sheets != 1 {
		t.Errorf("there are %d style sheets", sheets)
	}
}

func TestDocumentationShowsTheSentPolicy(t *testing.T) {
	policy := ""
	for _, h := range headerRules()[0].headers {
		if h[0] == "Content-Security-Policy" {
			policy = h[1]
		}
	}
	page := html.UnescapeString(strings.ReplaceAll(string(documentation(t).files["docs/security.html"]), "\n", " "))
	for directive := range strings.SplitSeq(policy, "; ") {
		if !strings.Contains(page, directive) {
			t.Errorf("docs/security.html does not tell %q", directive)
		}
	}
}

func TestServedPathsMatchStaticHosts(t *testing.T) {
	s := documentation(t)
	handler := serveSite(func() *site { return s }, policy())
	for _, c := range []struct {
		address string
		status  int
		holds   string
	}{
		{"/", http.StatusOK, "the playground"},
		{"/docs/", http.StatusOK, "<h1>Stile</h1>"},
		{"/docs/index.html", http.StatusOK, "<h1>Stile</h1>"},
		{"/docs/guide", http.StatusOK, "<h1>The guide</h1>"},
		{"/docs/guide.html", http.StatusOK, "<h1>The guide</h1>"},
		{"/docs", http.StatusMovedPermanently, ""},
		{"/docs/none", http.StatusNotFound, "there is no /docs/none"},
		{"/docs/../index.html", http.StatusOK, "the playground"},
		{"/stile-embed.js", http.StatusOK, "customElements.define"},
	} {
		reply := httptest.NewRecorder()
		handler.ServeHTTP(reply, httptest.NewRequest(http.MethodGet, c.address, nil))
		if reply.Code != c.status || !strings.Contains(reply.Body.String(), c.holds) {
			t.Errorf("%s: %d %.60s", c.address, reply.Code, reply.Body)
		}
	}
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequest(http.MethodGet, "/docs", nil))
	if to := reply.Header().Get("Location"); to != "/docs/" {
		t.Errorf("/docs leads to %q", to)
	}
}
