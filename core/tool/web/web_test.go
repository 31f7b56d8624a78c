package web

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// reply is the answer of a server.
type reply struct {
	status   int
	body     string
	location string
	after    string // Retry-After
	broken   string // the host's error instead
}

// fetched performs a request to a server with these replies, of which the last is repeated.
func fetched(t *testing.T, h process.HTTP, replies ...reply) (value process.HTTPValue, urls []string, waits []int, err error) {
	t.Helper()
	_, _ = effects.Play(t, func(e process.Effect) []process.Answer {
		if e.Timer != nil {
			waits = append(waits, e.Timer.Milliseconds)
			return []process.Answer{{Effect: e.ID, Value: json.RawMessage("null")}}
		}
		r := replies[min(len(urls), len(replies)-1)]
		urls = append(urls, e.HTTP.URL)
		if r.broken != "" {
			return effects.Broken(e, r.broken)
		}
		var headers []string
		for name, value := range map[string]string{"location": r.location, "retry-after": r.after} {
			if value != "" {
				headers = append(headers, name, value)
			}
		}
		return effects.Value(e, r.status, r.body, headers...)
	}, func(env *process.Env) error {
		value, err = Fetch(env, h)
		return err
	})
	return value, urls, waits, err
}

func codeOf(err error) (code string, transient bool) {
	var fault *tool.CallFault
	if errors.As(err, &fault) {
		return fault.Code, fault.Transient
	}
	return "", false
}

// GET requests are repeated after failures that may pass, with doubled waits, and others
// are sent once: the server may have performed them.
func TestTransientFailuresAreRetried(t *testing.T) {
	for _, c := range []struct {
		method string
		reply  reply
		asked  int
		code   string
	}{
		{"GET", reply{status: 200}, 1, ""}, {"GET", reply{status: 299}, 1, ""}, {"POST", reply{status: 204}, 1, ""},
		{"GET", reply{status: 199}, 1, tool.CodeStatus},
		{"GET", reply{status: 400}, 1, tool.CodeStatus}, {"GET", reply{status: 408}, 3, tool.CodeStatus}, {"GET", reply{status: 499}, 1, tool.CodeStatus},
		{"GET", reply{status: 500}, 3, tool.CodeStatus}, {"GET", reply{status: 501}, 1, tool.CodeStatus}, {"GET", reply{status: 504}, 3, tool.CodeStatus}, {"GET", reply{status: 505}, 1, tool.CodeStatus},
		{"POST", reply{status: 500}, 1, tool.CodeStatus}, {"POST", reply{status: 429}, 3, tool.CodeRate}, {"GET", reply{status: 429}, 3, tool.CodeRate},
		{"GET", reply{status: 401}, 1, tool.CodeKey}, {"GET", reply{status: 403}, 1, tool.CodeKey}, {"GET", reply{status: 402}, 1, tool.CodeStatus},
		{"GET", reply{status: 300}, 1, tool.CodeMoved}, {"GET", reply{status: 399}, 1, tool.CodeMoved},
		{"GET", reply{broken: "timeout"}, 3, "tool.timeout"}, {"POST", reply{broken: "timeout"}, 1, "tool.timeout"}, {"GET", reply{broken: "cors"}, 1, "tool.cors"},
	} {
		_, urls, waits, err := fetched(t, Remote{}.Request(c.method, "https://x.example/a"), c.reply)
		code, _ := codeOf(err)
		if len(urls) != c.asked || code != c.code || (err == nil) != (c.code == "") {
			t.Errorf("%s %+v: asked %d times, %v", c.method, c.reply, len(urls), err)
		}
		want := []int{FirstWait, 2 * FirstWait}[:c.asked-1]
		if !slices.Equal(waits, want) {
			t.Errorf("%s %+v: waited %v, want %v", c.method, c.reply, waits, want)
		}
	}
	value, urls, waits, err := fetched(t, Remote{}.Request("GET", "https://x.example"), reply{broken: "network"}, reply{status: 503}, reply{status: 200, body: "ok"})
	if err != nil || value.Body != "ok" || len(urls) != 3 || !slices.Equal(waits, []int{FirstWait, 2 * FirstWait}) {
		t.Errorf("%+v after %d requests and the waits %v: %v", value, len(urls), waits, err)
	}
}

// A server states how long to wait; a wait above the bound is a fault at once.
func TestRetryAfterIsRespected(t *testing.T) {
	for _, c := range []struct {
		after string
		waits []int
	}{
		{"7", []int{7000, 7000}}, {"0", []int{0, 0}}, {"20", []int{20_000, 20_000}}, {"21", nil}, {"99999999999", nil},
		{"-1", []int{FirstWait, 2 * FirstWait}}, {"soon", []int{FirstWait, 2 * FirstWait}}, {" 3 ", []int{3000, 3000}},
	} {
		_, _, waits, err := fetched(t, Remote{}.Request("GET", "https://x.example"), reply{status: 429, after: c.after})
		if !slices.Equal(waits, c.waits) || err == nil {
			t.Errorf("after %q: waited %v, %v", c.after, waits, err)
		}
	}
}

// Redirects are followed for GET without a key, a few times, and never to a weaker scheme.
func TestRedirects(t *testing.T) {
	for _, c := range []struct {
		name string
		h    process.HTTP
		to   []string
		want []string
	}{
		{"another address", Remote{}.Request("GET", "https://a.example/1"), []string{"https://b.example/2"}, []string{"https://a.example/1", "https://b.example/2"}},
		{"a path", Remote{}.Request("GET", "https://a.example/1?x"), []string{"/2?y"}, []string{"https://a.example/1?x", "https://a.example/2?y"}},
		{"from http", Remote{}.Request("GET", "http://a.example/1"), []string{"http://b.example"}, []string{"http://a.example/1", "http://b.example"}},
		{"to http", Remote{}.Request("GET", "https://a.example/1"), []string{"http://a.example/2"}, []string{"https://a.example/1"}},
		{"without a scheme", Remote{}.Request("GET", "https://a.example/1"), []string{"//b.example"}, []string{"https://a.example/1"}},
		{"a relative path", Remote{}.Request("GET", "https://a.example/1"), []string{"2"}, []string{"https://a.example/1"}},
		{"nowhere", Remote{}.Request("GET", "https://a.example/1"), []string{""}, []string{"https://a.example/1"}},
		{"with a key", Remote{Auth: "k"}.Request("GET", "https://a.example/1"), []string{"/2"}, []string{"https://a.example/1"}},
		{"another method", Remote{}.Request("POST", "https://a.example/1"), []string{"/2"}, []string{"https://a.example/1"}},
		{"three times", Remote{}.Request("GET", "https://a.example/0"), []string{"/1", "/2", "/3"}, []string{"https://a.example/0", "https://a.example/1", "https://a.example/2", "https://a.example/3"}},
		{"four times", Remote{}.Request("GET", "https://a.example/0"), []string{"/1", "/2", "/3", "/4"}, []string{"https://a.example/0", "https://a.example/1", "https://a.example/2", "https://a.example/3"}},
	} {
		var replies []reply
		for _, to := range c.to {
			replies = append(replies, reply{status: 302, location: to})
		}
		_, urls, _, err := fetched(t, c.h, append(replies, reply{status: 200})...)
		if !slices.Equal(urls, c.want) {
			t.Errorf("%s: %q", c.name, urls)
		}
		if code, _ := codeOf(err); (err != nil) != (len(c.to) >= len(c.want)) || err != nil && code != tool.CodeMoved {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && c.to[len(c.to)-1] != "" && !strings.Contains(err.Error(), c.to[len(c.to)-1]+"; change the tool's address") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestRequestsCarryKeyAndTimeout(t *testing.T) {
	if h := (Remote{}).Request("GET", "u"); h.Auth != "" || h.Idle != DefaultIdle || h.URL != "u" || h.Method != "GET" || !h.Tool {
		t.Errorf("%+v", h)
	}
	if h := (Remote{Auth: "k", AuthHeader: "X-Key", Idle: 5}).Request("PUT", "u"); h.Auth != "tool:k" || h.AuthHeader != "X-Key" || h.Idle != 5 {
		t.Errorf("%+v", h)
	}
	_, _, _, err := fetched(t, Remote{}.Request("GET", "https://x.example/"), reply{status: 418, body: strings.Repeat("tea ", 1000)})
	if err == nil || !strings.HasPrefix(err.Error(), "x.example answered with status 418: tea tea") || len(err.Error()) > MaxQuote+200 {
		t.Error(err)
	}
	if _, _, _, err = fetched(t, Remote{}.Request("GET", "https://x.example/"), reply{status: 418}); err == nil || strings.HasSuffix(err.Error(), ": ") || !strings.HasSuffix(err.Error(), "418") {
		t.Error(err)
	}
}

// An answer is read up to its limit, however it is cut into chunks.
func TestAnswersHaveALimit(t *testing.T) {
	for _, c := range []struct {
		chunks []int
		whole  bool
	}{{[]int{maxAnswer}, true}, {[]int{maxAnswer - 1, 1}, true}, {[]int{maxAnswer, 1}, false}, {[]int{maxAnswer + 1}, false}, {[]int{5, maxAnswer}, false}} {
		var got process.HTTPValue
		_, err := effects.Play(t, func(e process.Effect) []process.Answer {
			var out []process.Answer
			for _, n := range c.chunks {
				text := strings.Repeat("a", n)
				out = append(out, process.Answer{Effect: e.ID, Chunk: &text})
			}
			return append(out, effects.Value(e, 200, "")...)
		}, func(env *process.Env) (err error) {
			got, err = Once(env, Remote{}.Request("GET", "https://x.example"))
			return err
		})
		read := 0
		for _, n := range c.chunks {
			if read+n <= maxAnswer {
				read += n
			} else {
				break
			}
		}
		if code, _ := codeOf(err); (err == nil) != c.whole || err != nil && code != tool.CodeLong || len(got.Body) != read {
			t.Errorf("%v: %d bytes, %v", c.chunks, len(got.Body), err)
		}
	}
}

func TestAddressesAreChecked(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://a": true, "http://a/b?c=d": true, "ftp://a": false, "a": false, "": false, "https://": false, "https:///b": false, "https://a b": false, "https://a/{b}": false, "https://a/#b": false,
		"https://u:p@a": false, "https://a/u@b": true, "HTTPS://a": false,
	} {
		if fault := CheckURL(address); (fault == "") != ok {
			t.Errorf("%q: %q", address, fault)
		}
	}
	for address, want := range map[string]string{"https://a": "a", "https://a/b": "a", "https://a:1?b": "a:1", "https://a#b": "a", "a": "a", "x://": ""} {
		if got := Host(address); got != want {
			t.Errorf("%q: %q", address, got)
		}
	}
	for _, c := range [][3]string{{"https://a", "", "https://a"}, {"https://a", "b=c", "https://a?b=c"}, {"https://a?x=y", "b=c", "https://a?x=y&b=c"}} {
		if got := WithQuery(c[0], c[1]); got != c[2] {
			t.Errorf("%q: %q", c, got)
		}
	}
	if got := Query([][2]string{{"a b", "c&d"}, {"é", ""}}); got != "a%20b=c%26d&%C3%A9=" {
		t.Error(got)
	}
}

// Escape leaves exactly the unreserved characters (RFC 3986) unchanged, and its result
// decodes to the text.
func TestEscapeLeavesUnreservedCharacters(t *testing.T) {
	for c := range 256 {
		text := string([]byte{byte(c)})
		got := Escape(text)
		if plain := strings.Contains("-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", text); (got == text) != plain {
			t.Errorf("%q: %q", text, got)
		}
		if back, err := url.PathUnescape(got); err != nil || back != text {
			t.Errorf("%q: %q is read as %q", text, got, back)
		}
	}
}

func TestBodiesBecomeText(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"text/html; charset=utf-8", "<p>a</p>", "a"}, {"TEXT/HTML", "<b>a</b>", "a"}, {"text/plain", " <b>a</b> ", "<b>a</b>"}, {"", "a", "a"},
		{"image/png", "x", `(an answer of type "image/png", which is not text)`}, {"image/svg+xml", "<svg>", "<svg>"}, {"audio/ogg", "x", "(an"}, {"video/x", "x", "(an"}, {"application/pdf; a", "x", `(an answer of type "application/pdf", which`},
		{"application/zip", "x", "(an"}, {"application/octet-stream", "x", "(an"}, {"text/plain", "\x00b", "(an"}, {"text/plain", "a\x00b", "(an"},
	} {
		if got := Text(c.kind, c.body); got != c.want && !(strings.HasPrefix(c.want, "(") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s %q: %q", c.kind, c.body, got)
		}
	}
	if got := Line("text/plain", " a\n b "); got != "a b" {
		t.Error(got)
	}
	if got := Line("", ""); got != "nothing" {
		t.Error(got)
	}
	for n := range 300 { // control characters and the no-break space are spaces
		want := string(rune(n))
		if n < 32 || n == 160 {
			want = " "
		}
		if got := entity(fmt.Sprintf("#%d", n)); got != want {
			t.Errorf("#%d is %q", n, got)
		}
		if got := entity(fmt.Sprintf("#X%x", n)); got != want {
			t.Errorf("#X%x is %q", n, got)
		}
	}
	for name, want := range map[string]string{"amp": "&", "nbsp": " ", "shy": "", "rsquo": "’", "": "&;", "#": "&#;", "#x": "&#x;", "#-1": "&#-1;", "foo": "&foo;", "#1114111": "\U0010FFFF", "#1114112": "\uFFFD", "#55296": "\uFFFD"} {
		if got := entity(name); got != want {
			t.Errorf("&%s; is %q", name, got)
		}
	}
	for text, want := range map[string]string{
		"&amp;": "&", "&a;": "&a;", "&;": "&;", "&&amp;": "&&", "&amp": "&amp", "&hellip;x": "…x", "a&b;c&lt;": "a&b;c<", "&123456789;": "&123456789;", "&1234567890;": "&1234567890;", "& lt;": "& lt;", "&l\nt;": "&l\nt;",
	} {
		if got := unescapeHTML(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for html, want := range map[string]string{
		"<h1>a</h1>b": "a\nb", "<h7>a</h7>b": "ab", "<9>a": "<9>a", "<A9 x>b": "b", "<zz>a": "a", "<ZZ>a": "a", "<!doctype x>a": "a", "<?xml?>a": "a", "< a": "< a", "</ a": "</ a", "a<": "a<",
		"<a x=\"'>\">b": "b", "<a x='\">'>b": "b", "<a x=\">b": "", "<a \">b": "b", "<svg/>a": "a", "<svg><svg/>b</svg>a": "a", "<svg><svg>b</svg>c</svg>a": "a", "<svg><b>x</b></svg>a": "a",
		"<script>a</scrip></script>b": "b", "<script></script>b": "b", "a<script>b</scr": "a", "<svg0>a": "a", "<svg9>a": "a", "a<!--b": "a", "<td>a<th>b": "a b", "a<!---->b": "ab", "a<!-->b-->c": "ab-->c",
	} {
		if got := htmlText(html); got != want {
			t.Errorf("%q: %q, want %q", html, got, want)
		}
	}
}

// encyclopedia is a wiki with pages; its answers depend on the kind of request.
type encyclopedia struct {
	pages   map[string]string // the extract of a title
	near    map[string]string // the title that differs in case
	similar []string
	html    bool // extracts are missing
	queries []url.Values
}

func (w *encyclopedia) answer(e process.Effect) []process.Answer {
	address, _ := url.Parse(e.HTTP.URL)
	q := address.Query()
	w.queries = append(w.queries, q)
	quoted := func(v any) string { text, _ := json.Marshal(v); return string(text) }
	switch {
	case q.Get("action") == "parse":
		return effects.Value(e, 200, `{"parse":{"text":`+quoted("<p>"+w.pages[q.Get("page")]+"</p>")+`}}`)
	case q.Get("list") == "search" && q.Get("srwhat") == "nearmatch":
		if near, ok := w.near[q.Get("srsearch")]; ok {
			return effects.Value(e, 200, `{"query":{"search":[{"title":`+quoted(near)+`}]}}`)
		}
		return effects.Value(e, 200, `{"query":{"search":[]}}`)
	case q.Get("list") == "search":
		var list []string
		for _, title := range w.similar {
			list = append(list, `{"title":`+quoted(title)+`}`)
		}
		return effects.Value(e, 200, `{"query":{"search":[`+strings.Join(list, ",")+`]}}`)
	}
	title := q.Get("titles")
	text, ok := w.pages[title]
	switch {
	case title == "none":
		return effects.Value(e, 200, `{"query":{"pages":[]}}`)
	case !ok:
		return effects.Value(e, 200, `{"query":{"pages":[{"title":`+quoted(title)+`,"missing":true}]}}`)
	case text == "?":
		return effects.Value(e, 200, `{"query":{"pages":[{"title":`+quoted(title)+`,"extract":"x","pageprops":{"disambiguation":""}}]}}`)
	case w.html:
		return effects.Value(e, 200, `{"query":{"pages":[{"title":`+quoted(title)+`}]}}`)
	}
	return effects.Value(e, 200, `{"query":{"pages":[{"title":`+quoted(title)+`,"extract":`+quoted(text)+`}]}}`)
}

func TestWikipediaFindsPagesAndSentences(t *testing.T) {
	pages := map[string]string{
		"Kiln": "A kiln is an oven. It is hot.\n== Uses ==\nIt dries wood. Kilns fire clay. They glow. Enough.", "Empty": "", "Mercury": "?", "Java": "Java may refer to:\nAn island. A language.", "Pun": "A pun may refer to: it.",
	}
	w := &encyclopedia{pages: pages, near: map[string]string{"kiln": "Kiln"}, similar: []string{"Java", "A", "B", "C"}}
	call := func(set Wikipedia, steps ...[2]string) (out []string) {
		t.Helper()
		_, err := effects.Play(t, w.answer, func(env *process.Env) error {
			search, lookup := NewWikipedia(set)
			for _, s := range steps {
				c, name := search, "entity"
				if s[0] == "lookup" {
					c, name = lookup, "text"
				}
				arguments, _ := json.Marshal(map[string]string{name: s[1]})
				text, err := c.Call(env, arguments)
				if err != nil {
					code, _ := codeOf(err)
					text = code
				}
				out = append(out, text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct {
		set   Wikipedia
		steps [][2]string
		want  []string
	}{
		{Wikipedia{}, [][2]string{{"search", " Kiln "}}, []string{"A kiln is an oven. It is hot. It dries wood. Kilns fire clay. They glow."}},
		{Wikipedia{Sentences: 2}, [][2]string{{"search", "Kiln"}}, []string{"A kiln is an oven. It is hot."}},
		{Wikipedia{Sentences: 99}, [][2]string{{"search", "kiln"}}, []string{"A kiln is an oven. It is hot. It dries wood. Kilns fire clay. They glow. Enough."}},
		{Wikipedia{}, [][2]string{{"search", "Empty"}, {"lookup", "a"}}, []string{`The page "Empty" has no text.`, `No results for "a" in "Empty".`}},
		{Wikipedia{}, [][2]string{{"search", "Mercury"}}, []string{"Could not find Mercury. Similar: ['Java', 'A', 'B', 'C']."}},
		{Wikipedia{Similar: 2}, [][2]string{{"search", "Java"}}, []string{"Could not find Java. Similar: ['A', 'B']."}},
		{Wikipedia{Similar: 1}, [][2]string{{"search", "Nothing"}}, []string{"Could not find Nothing. Similar: ['Java']."}},
		{Wikipedia{}, [][2]string{{"search", "Pun"}}, []string{"A pun may refer to: it."}},
		{Wikipedia{}, [][2]string{{"search", "none"}}, []string{"Could not find none. Similar: ['Java', 'A', 'B', 'C']."}},
		{Wikipedia{}, [][2]string{{"lookup", "x"}, {"search", "Kiln"}, {"lookup", "KILN"}, {"lookup", "kiln"}, {"lookup", "kiln"}, {"lookup", "It"}, {"lookup", "kiln"}, {"lookup", "zebra"}},
			[]string{tool.CodeLookup, "A kiln is an oven. It is hot. It dries wood. Kilns fire clay. They glow.", "(Result 1 / 2) A kiln is an oven.", "(Result 2 / 2) Kilns fire clay.", "No more results.", "(Result 1 / 2) It is hot.", "(Result 1 / 2) A kiln is an oven.", `No results for "zebra" in "Kiln".`}},
	} {
		if got := call(c.set, c.steps...); !slices.Equal(got, c.want) {
			t.Errorf("%+v %q:\n got %q\nwant %q", c.set, c.steps, got, c.want)
		}
	}
	w.similar = nil
	if got := call(Wikipedia{}, [2]string{"search", "Nothing"}); got[0] != "Could not find Nothing. Nothing similar was found." {
		t.Errorf("%q", got)
	}
	w.html, w.queries = true, nil
	if got := call(Wikipedia{HTML: true}, [2]string{"search", "Ki|ln"}, [2]string{"search", "Kiln"}); got[1] != "A kiln is an oven. It is hot. == Uses == It dries wood. Kilns fire clay. They glow." && !strings.HasPrefix(got[1], "A kiln is an oven.") {
		t.Errorf("%q", got)
	}
	if q := w.queries[0]; q.Get("prop") != "pageprops" || q.Get("titles") != "Ki ln" || q.Get("origin") != "*" {
		t.Errorf("%v", q)
	}
}

func TestAWikisFaultsAreReported(t *testing.T) {
	for _, c := range []struct {
		status    int
		body      string
		code      string
		transient bool
	}{
		{200, `{"error":{"code":"maxlag","info":"wait"}}`, tool.CodeAnswer, true}, {200, `{"error":{"code":"ratelimited","info":"wait"}}`, tool.CodeAnswer, true}, {200, `{"error":{"code":"badvalue","info":"no"}}`, tool.CodeAnswer, false},
		{200, `<html>`, tool.CodeAnswer, false}, {200, `{"query":7}`, tool.CodeAnswer, false}, {404, ``, tool.CodeStatus, false},
	} {
		_, err := effects.Play(t, func(e process.Effect) []process.Answer { return effects.Value(e, c.status, c.body) }, func(env *process.Env) error {
			search, _ := NewWikipedia(Wikipedia{})
			_, err := search.Call(env, json.RawMessage(`{"entity":"x"}`))
			return err
		})
		if code, transient := codeOf(err); code != c.code || transient != c.transient {
			t.Errorf("%d %s: %v", c.status, c.body, err)
		}
	}
	search, lookup := NewWikipedia(Wikipedia{})
	for _, c := range []tool.Callable{search, lookup} {
		if _, err := c.Call(nil, json.RawMessage(`7`)); err == nil {
			t.Errorf("%s accepts a number", c.Name())
		}
	}
	if search.Name() != "Search" || lookup.Name() != "Lookup" || !strings.Contains(lookup.Description(), "Search") {
		t.Error(search.Name(), lookup.Name())
	}
	s, l := NewWikipedia(Wikipedia{Search: "Find", Lookup: "Next", Remote: Remote{URL: "https://w.example"}})
	if s.Name() != "Find" || l.Name() != "Next" || (Wikipedia{}).Filled().URL != WikipediaURL("en") || (Wikipedia{Remote: Remote{URL: "x"}}).Filled().URL != "x" {
		t.Error(s.Name(), l.Name())
	}
}

// Statuses from 300 to 399 redirect.
func TestRedirectsHaveTheirStatuses(t *testing.T) {
	for status, want := range map[int]int{299: 1, 300: 2, 301: 2, 399: 2, 400: 1} {
		_, urls, _, _ := fetched(t, Remote{}.Request("GET", "https://a.example/1"), reply{status: status, location: "/2"}, reply{status: 200})
		if len(urls) != want {
			t.Errorf("%d: %q", status, urls)
		}
	}
}

// An address needs a host.
func TestHosts(t *testing.T) {
	for url, want := range map[string]string{"https://a.example/x?y": "a.example", "https://a.example": "a.example", "https://a.example?x": "a.example", "https:///x": "", "a.example": "a.example"} {
		if got := Host(url); got != want {
			t.Errorf("%s: %q", url, got)
		}
	}
	if CheckURL("https:///x") == "" {
		t.Error("an address without a host is accepted")
	}
}

// A page is a list of meanings if a meaning follows the phrase that introduces them.
func TestListsOfMeanings(t *testing.T) {
	for _, phrase := range []string{"may refer to:", "may also refer to:", "can refer to:"} {
		if !isListOfMeanings([]string{"Java " + phrase, "An island."}) || isListOfMeanings([]string{"Java " + phrase}) || isListOfMeanings([]string{"An island.", "Java " + phrase}) {
			t.Error(phrase)
		}
	}
}

// A search for titles in another case that the wiki cannot answer is no fault; one that it rejects
// is. Similar titles are requested with one more than is shown, because one of them may be the page
// itself.
func TestSearchesForSimilarTitles(t *testing.T) {
	for status, want := range map[int]string{200: "Could not find Kilm. Similar: ['Java', 'A'].", 404: tool.CodeStatus} {
		w := &encyclopedia{similar: []string{"Java", "A", "B"}}
		got := ""
		_, err := effects.Play(t, func(e process.Effect) []process.Answer {
			if strings.Contains(e.HTTP.URL, "nearmatch") {
				return effects.Value(e, status, "<html>")
			}
			return w.answer(e)
		}, func(env *process.Env) error {
			search, _ := NewWikipedia(Wikipedia{Similar: 2})
			text, err := search.Call(env, json.RawMessage(`{"entity":"Kilm"}`))
			if got = text; err != nil {
				got, _ = codeOf(err)
			}
			return nil
		})
		if err != nil || got != want {
			t.Errorf("%d: %q, %v", status, got, err)
		}
		if last := w.queries[len(w.queries)-1]; status == 200 && last.Get("srlimit") != "3" {
			t.Errorf("%v", last)
		}
	}
}
