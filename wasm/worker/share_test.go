package worker_test

import (
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/worker"
)

// stored is the reply to a stored workspace.
type stored struct{ ID, URL string }

func (r *rig) store(t *testing.T, body string) stored {
	t.Helper()
	got := r.do(t, "POST", "/s", nil, body)
	var s stored
	got.json(t, &s)
	if got.status != 200 || s.ID == "" || s.URL != r.base+"/s/"+s.ID {
		t.Fatalf("%d %s", got.status, got.body)
	}
	return s
}

func linkOf(t *testing.T, w workspace.Workspace, run string) string {
	t.Helper()
	link, err := workspace.EncodeLink(w, run)
	if err != nil {
		t.Fatal(err)
	}
	return link
}

func one(name, text string) workspace.Workspace {
	return workspace.Workspace{Files: []workspace.File{{Name: name, Text: text}}}
}

// archiveOf returns a txtar archive of n bytes.
func archiveOf(size int) string {
	const head = "-- a.cfg --\n"
	return head + strings.Repeat("S", size-len(head)-1) + "\n"
}

// bombOf returns a small link that decompresses to more than the size limit.
func bombOf(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#1:")
	encoder := base64.NewEncoder(base64.RawURLEncoding, &b)
	w, err := flate.NewWriter(encoder, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(w, "-- a.cfg --\n"+strings.Repeat("a", workspace.MaxSize)+"\n")
	if err := errors.Join(err, w.Close(), encoder.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var shareLaws = []law{
	{"stores a workspace under its contents, however it is sent", func(t *testing.T, r *rig) {
		w := workspace.Workspace{Files: []workspace.File{{Name: "plan.cfg", Text: "S -> a S b | ε\n"}, {Name: "notes.md", Text: "no newline"}}}
		first := r.store(t, w.Archive())
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{24}$`).MatchString(first.ID) {
			t.Errorf("the id is %q", first.ID)
		}
		link := linkOf(t, w, "")
		for _, body := range []string{w.Archive(), link, link + "\n"} {
			if again := r.store(t, body); again != first {
				t.Errorf("%.40q: %v, not %v", body, again, first)
			}
		}
		if other := r.store(t, linkOf(t, w, `{"run":1}`)); other.ID == first.ID {
			t.Error("a recorded run is not part of the id")
		}
		if other := r.store(t, one("plan.cfg", "S -> a\n").Archive()); other.ID == first.ID {
			t.Error("two workspaces have one id")
		}
	}},
	{"opens a short link as the page or as JSON", func(t *testing.T, r *rig) {
		w, run := one("ünï <b>.cfg", "S -> \"</script>\" | a b\r\nno end"), "{\"log\": \"§\"}"
		link := linkOf(t, w, run)
		s := r.store(t, link)
		path := "/s/" + s.ID
		for _, accept := range []string{"", "*/*", "text/html,application/xhtml+xml,application/json;q=0.9"} {
			got := r.do(t, "GET", path, header{"Accept", accept, "Sec-Fetch-Mode", "navigate"}, "")
			if got.status != 302 || got.header.Get("Location") != site+link {
				t.Errorf("Accept %q: %d %v", accept, got.status, got.header)
			}
			if cached := got.header.Get("Cache-Control"); cached != "public, max-age=31536000, immutable" || !strings.Contains(strings.Join(got.header.Values("Vary"), ","), "Accept") {
				t.Errorf("Accept %q: caches may take it %q, by %q", accept, cached, got.header.Values("Vary"))
			}
		}
		if got := r.do(t, "HEAD", path, nil, ""); got.status != 302 || got.header.Get("Location") == "" || got.body != "" {
			t.Errorf("HEAD: %+v", got)
		}
		got := r.do(t, "GET", path, asSite("Accept", "application/json"), "")
		var opened struct{ ID, URL, Page, Fragment string }
		got.json(t, &opened)
		if got.status != 200 || opened.ID != s.ID || opened.URL != s.URL || opened.Page != site+link || opened.Fragment != link || got.header.Get("Access-Control-Allow-Origin") != origin {
			t.Errorf("%d %v %+v", got.status, got.header, opened)
		}
		again, ran, err := workspace.DecodeLink(opened.Fragment)
		if err != nil || !reflect.DeepEqual(again, w) || ran != run {
			t.Errorf("%+v %q %v", again, ran, err)
		}
	}},
	{"takes 64 KiB and not a byte more", func(t *testing.T, r *rig) {
		if got := r.do(t, "POST", "/s", nil, archiveOf(worker.MaxShare)); got.status != 200 {
			t.Errorf("64 KiB: %d %s", got.status, got.body)
		}
		over := archiveOf(worker.MaxShare + 1)
		for name, body := range map[string]io.Reader{"of known length": strings.NewReader(over), "in pieces": io.MultiReader(strings.NewReader(over))} {
			if got := r.doFrom(t, "POST", "/s", nil, body); got.status != 413 || got.code() != "body.size" {
				t.Errorf("64 KiB and a byte, %s: %d %s", name, got.status, got.body)
			}
		}
	}},
	{"refuses what packs to more than 64 KiB", func(t *testing.T, r *rig) {
		random := rand.New(rand.NewPCG(1, 2))
		var b strings.Builder
		b.WriteString("-- noise.txt --\n")
		for b.Len() < worker.MaxShare-1 {
			b.WriteByte(byte('!' + random.IntN(90)))
		}
		b.WriteString("\n")
		if got := r.do(t, "POST", "/s", nil, b.String()); got.status != 413 || got.code() != "body.size" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}},
	{"stores only what opens", func(t *testing.T, r *rig) {
		bomb := bombOf(t)
		if len(bomb) > worker.MaxShare {
			t.Fatalf("the bomb has %d bytes", len(bomb))
		}
		good := linkOf(t, one("a.cfg", strings.Repeat("S -> a\n", 50)), "")
		for _, c := range []struct {
			name, body string
			status     int
			code       string
		}{
			{"nothing", "", 400, "workspace.empty"},
			{"a text", "hello", 400, "workspace.empty"},
			{"JSON", `{"files":[]}`, 400, "workspace.empty"},
			{"a page", "<script>alert(1)</script>", 400, "workspace.empty"},
			{"bytes", "-- a.cfg --\n\xff\xfe\n", 400, "share.utf8"},
			{"a path upwards", "-- ../a.cfg --\nS -> a\n", 400, "workspace.name"},
			{"an absolute path", "-- /etc/passwd --\nS -> a\n", 400, "workspace.name"},
			{"a name twice", "-- a --\n-- a --\n", 400, "workspace.twice"},
			{"many files", strings.Repeat("-- a --\n", 300), 400, "workspace.files"},
			{"a newer link", "#2:AAAA", 400, "share.version"},
			{"a cut link", good[:len(good)-5], 400, "share.truncated"},
			{"a changed link", good[:20] + "*" + good[21:], 400, "share.damaged"},
			{"no link's body", "#1:", 400, "share.truncated"},
			{"a link that unpacks without end", bomb, 413, "share.size"},
		} {
			got := r.do(t, "POST", "/s", nil, c.body)
			if got.status != c.status || got.code() != c.code {
				t.Errorf("%s: %d %s", c.name, got.status, got.body)
			}
		}
	}},
	{"says in words that a short link leads nowhere", func(t *testing.T, r *rig) {
		for _, id := range []string{"", "x", strings.Repeat("A", 23), strings.Repeat("A", 24), strings.Repeat("A", 25), strings.Repeat("A", 4000), strings.Repeat("A", 20) + "%41%41%41%41", "%00" + strings.Repeat("A", 23), strings.Repeat("A", 12) + "/" + strings.Repeat("A", 11), "__proto__", strings.Repeat("*", 24)} {
			got := r.do(t, "GET", "/s/"+id, nil, "")
			if got.status != 404 || got.code() != "share.unknown" || got.header.Get("Cache-Control") != "no-store" || !strings.Contains(got.body, "there is no workspace at this short link") {
				t.Errorf("%.60q: %d %s", id, got.status, got.body)
			}
		}
	}},
	{"keeps random workspaces byte for byte", func(t *testing.T, r *rig) {
		random := rand.New(rand.NewPCG(3, 4))
		letters := []rune("ab->|\n\r\t -§ε😀<>&\"'#:")
		texts := func() string {
			var b strings.Builder
			for range random.IntN(200) {
				b.WriteRune(letters[random.IntN(len(letters))])
			}
			return b.String()
		}
		times := 1000
		if r.live && os.Getenv("STILE_LONG") == "" {
			times = 100
		}
		for i := range times {
			var w workspace.Workspace
			for j := range 1 + random.IntN(3) {
				w.Files = append(w.Files, workspace.File{Name: string(rune('a'+j)) + ".cfg", Text: texts()})
			}
			link := linkOf(t, w, "")
			got := r.do(t, "GET", "/s/"+r.store(t, link).ID, nil, "")
			if got.status != http.StatusFound || got.header.Get("Location") != site+link {
				t.Fatalf("%d: %q became %d %q", i, link, got.status, got.header.Get("Location"))
			}
		}
	}},
}
