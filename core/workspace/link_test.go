package workspace_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/workspace"
)

// oldLink is a row of testdata/links.jsonl: a published link, which opens forever. Rows are added,
// never changed.
type oldLink struct {
	Made  string           `json:"made"`
	Link  string           `json:"link"`
	Files []workspace.File `json:"files"`
	Run   json.RawMessage  `json:"run"`
}

func oldLinks(t *testing.T) []oldLink {
	t.Helper()
	data, err := os.ReadFile("testdata/links.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var links []oldLink
	for line := range bytes.Lines(data) {
		var l oldLink
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		links = append(links, l)
	}
	if len(links) < 17 {
		t.Fatalf("only %d links; rows must not be removed", len(links))
	}
	return links
}

func TestOldLinksOpen(t *testing.T) {
	for _, l := range oldLinks(t) {
		w, run, err := workspace.DecodeLink(l.Link)
		if err != nil || !reflect.DeepEqual(w.Files, l.Files) {
			t.Errorf("%s: %+v %v", l.Made, w, err)
		}
		var got, want any
		if len(l.Run) == 0 && run == "" {
			continue
		}
		if json.Unmarshal([]byte(run), &got) != nil || json.Unmarshal(l.Run, &want) != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the run is %s", l.Made, run)
		}
	}
}

// Other programs read and write links in the documented format.
func TestLinkIsDeflateFollowedByChecksum(t *testing.T) {
	w := one("plan.cfg", "S -> a S b | ε\n")
	link, err := workspace.EncodeLink(w, "")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(link, "#1:"))
	if err != nil {
		t.Fatal(err)
	}
	from := bytes.NewReader(packed)
	archive, err := io.ReadAll(flate.NewReader(from))
	if err != nil || string(archive) != w.Archive() {
		t.Fatalf("%q %v", archive, err)
	}
	end := len(packed) - 4
	if from.Len() != 4 || binary.LittleEndian.Uint32(packed[end:]) != crc32.ChecksumIEEE(packed[:end]) {
		t.Errorf("the sum is % x of % x", packed[end:], packed[:end])
	}
}

// randomRounds is the number of random workspaces that are encoded and decoded.
const randomRounds = 10_000

func TestLinkRoundTrip(t *testing.T) {
	rounds := effort.Sample(randomRounds, 1_000)
	r := rand.New(rand.NewPCG(5, 2026))
	largest, runs := 0, 0
	for n := range rounds {
		w, run := randomWorkspace(r, n)
		link, err := workspace.EncodeLink(w, run)
		if err != nil {
			t.Fatalf("workspace %d: %v", n, err)
		}
		got, gotRun, err := workspace.DecodeLink(link)
		if err != nil || gotRun != run || !reflect.DeepEqual(got, w) {
			t.Fatalf("workspace %d: %.2000q and the run %.200q came back as %.2000q, %.200q, %v", n, w, run, got, gotRun, err)
		}
		largest = max(largest, len(w.Archive()))
		if run != "" {
			runs++
		}
	}
	t.Logf("%d workspaces, %d with a run, the largest of %d bytes", rounds, runs, largest)
}

// pieces are the parts of random texts: everything that resembles an archive's own syntax.
var pieces = []string{
	"S -> a S b | ε\n", "-- x --\n", "-- x.cfg --", "-- >x --\n", "-- .stile/run.json --\n", "-- x (no newline) --\n", "--  --\n", "-- --\n", "--x--\n", " -- x --\n", "-- x -- \n",
	">", ">>", "\n", "\r\n", "\r", "\t", "\x00", "\ufeff", "\u2028", "\u202e", "é", "e\u0301", "🐑", "\U0010ffff", "文法", "(no newline)", "<script>", `"\\`, "%23", "#1:", "-- a\u2028b --\n", "-- a\r --\n",
}

// randomWorkspace returns the workspace of a seed: mostly small, sometimes up to a megabyte, one
// in three with a run.
func randomWorkspace(r *rand.Rand, n int) (w workspace.Workspace, run string) {
	text := func(most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			if r.IntN(4) == 0 {
				b.WriteRune(rune(r.IntN(0xd7ff)))
			} else {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		return b.String()
	}
	for range 1 + r.IntN(6) {
		name := strings.Join(strings.Fields(strings.Map(func(c rune) rune {
			if c < ' ' || strings.ContainsRune("\\/<>\u2028", c) {
				return -1
			}
			return c
		}, text(4))), " ")
		name = fmt.Sprintf("%s%d%s", name, len(w.Files), []string{".cfg", ".agent", ".ltl", "", ".json"}[r.IntN(5)])
		if r.IntN(4) == 0 {
			name = "Ordner/文/" + name
		}
		most := []int{0, 3, 12, 40, 40}[r.IntN(5)]
		if n%1_000 == 999 {
			most = 100_000
		}
		w.Files = append(w.Files, workspace.File{Name: name, Text: text(most)})
		if w.Check() != nil {
			w.Files = w.Files[:len(w.Files)-1]
		}
	}
	if n%3 == 0 {
		run = fmt.Sprintf(`{"version":2,"answers":[{"value":%q}]}`, text(10)) + "\n"
	}
	if len(w.Files) == 0 {
		w.Files = []workspace.File{{Name: "plan.cfg"}}
	}
	return w, run
}

func TestEncodeLinkRejectsLargeArchives(t *testing.T) {
	w := one("a.cfg", strings.Repeat("\r\n", workspace.MaxSize/2))
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := workspace.EncodeLink(w, ""); code(err) != "share.size" {
		t.Errorf("got %v", err)
	}
}

func TestTruncatedLinkIsReported(t *testing.T) {
	link, err := workspace.EncodeLink(one("plan.cfg", strings.Repeat("S -> a S b | c\nT -> d\n", 20)), "")
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(link) {
		_, _, err := workspace.DecodeLink(link[:n])
		if got := code(err); got != "share.truncated" && !(n < len("#1:") && got == "share.damaged") {
			t.Fatalf("cut at %d of %d: %q %v", n, len(link), got, err)
		}
	}
}

// damages calls f with every one-byte change of a link: each byte removed, doubled, replaced by
// every other, swapped with its neighbour, and every truncation.
func damages(link string, f func(damaged, how string)) {
	for i := range len(link) {
		f(link[:i], fmt.Sprintf("cut at byte %d", i))
		f(link[:i]+link[i+1:], fmt.Sprintf("byte %d removed", i))
		f(link[:i]+link[i:i+1]+link[i:], fmt.Sprintf("byte %d doubled", i))
		if i+1 < len(link) {
			f(link[:i]+link[i+1:i+2]+link[i:i+1]+link[i+2:], fmt.Sprintf("byte %d swapped with the next", i))
		}
		for b := 0; b < 256; b += effort.Step(15) {
			if byte(b) != link[i] {
				f(link[:i]+string([]byte{byte(b)})+link[i+1:], fmt.Sprintf("byte %d as %#02x", i, b))
			}
		}
	}
}

// plain returns a link without its optional parts: the number sign, white space, and the padding
// of base64.
func plain(link string) string {
	return strings.TrimRight(strings.TrimPrefix(strings.TrimSpace(link), "#"), "=")
}

// No link with a changed byte opens.
func TestDamagedLinkIsReported(t *testing.T) {
	for _, c := range []struct {
		w   workspace.Workspace
		run string
	}{
		{one("a.cfg", ""), ""},
		{one("plan.cfg", "S -> a S b | ε\n"), ""},
		{workspace.Workspace{Files: []workspace.File{{Name: "plan.cfg", Text: strings.Repeat("S -> a S b | c\nT -> d\n", 20)}, {Name: "größe.md", Text: "-- x --\r\n"}}}, ""},
		{one("plan.cfg", "S -> A B | C\nA -> a1 | a2 | i\nB -> b C | T c\n"), `{"version":2,"kind":"plan","answers":[{"value":"yes"}]}` + "\n"},
	} {
		link, err := workspace.EncodeLink(c.w, c.run)
		if err != nil {
			t.Fatal(err)
		}
		reported := map[string]int{}
		damages(link, func(damaged, how string) {
			got, run, err := workspace.DecodeLink(damaged)
			switch id := code(err); {
			case err == nil && run == c.run && reflect.DeepEqual(got, c.w) && plain(damaged) == plain(link):
				reported["none done"]++
			case id == "share.damaged" || id == "share.truncated" || id == "share.version" || id == "share.size":
				reported[id]++
				if len(err.Error()) < 40 {
					t.Errorf("%s: unhelpful message %q", how, err)
				}
			default:
				t.Errorf("%s: %.300q %q %v", how, got, run, err)
			}
		})
		if reported["share.damaged"] == 0 || reported["share.truncated"] == 0 {
			t.Errorf("%v of %d bytes", reported, len(link))
		}
		t.Logf("a link of %d bytes: %v", len(link), reported)
	}
}

func TestInvalidLinkErrors(t *testing.T) {
	for _, c := range []struct{ link, code string }{
		{"#2:AAAA", "share.version"},
		{"#77:", "share.version"},
		{"", "share.damaged"},
		{"#hello", "share.damaged"},
		{"#1:ab cd", "share.damaged"},
		{"#1:ab€cd", "share.damaged"},
		{"#1:", "share.truncated"},
		{"#1:_____w", "share.damaged"},
	} {
		if _, _, err := workspace.DecodeLink(c.link); code(err) != c.code {
			t.Errorf("%q: got %v, want %s", c.link, err, c.code)
		}
	}
}

func TestDecodeLinkLimitsUnpackedSize(t *testing.T) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, "-- a.cfg --\n"+strings.Repeat("a", workspace.MaxSize)+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	link := "#1:" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
	if _, _, err := workspace.DecodeLink(link); code(err) != "share.size" {
		t.Errorf("got %v", err)
	}
	if len(link) > 20_000 {
		t.Errorf("the link has %d bytes, too large for this test", len(link))
	}
}

// An intact link with an invalid workspace reports the reason, instead of damage.
func TestDecodeLinkReportsInvalidWorkspace(t *testing.T) {
	var many strings.Builder
	for i := range workspace.MaxFiles + 1 {
		fmt.Fprintf(&many, "-- f%d.cfg --\nS -> a\n", i)
	}
	for archive, want := range map[string]string{
		many.String():                              "workspace.files",
		"-- ../../etc/x.cfg --\nS -> a\n":          "workspace.name",
		"-- a\\b.cfg --\nS -> a\n":                 "workspace.name",
		"-- a.cfg --\nS -> a\n-- a.cfg --\nS -> b": "workspace.twice",
		"no file at all":                           "share.damaged",
		"":                                         "share.damaged",
	} {
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, archive)
		_ = w.Close()
		plain := packed.Bytes()
		summed := append([]byte("\x00\x00\x00\xff\xff"), plain...)
		summed = binary.LittleEndian.AppendUint32(summed, crc32.ChecksumIEEE(summed))
		for _, link := range [][]byte{plain, summed} {
			if _, _, err := workspace.DecodeLink("#1:" + base64.RawURLEncoding.EncodeToString(link)); code(err) != want {
				t.Errorf("%.40q: %v, want %s", archive, err, want)
			}
		}
	}
}

// EncodeLink rejects a workspace that DecodeLink would reject.
func TestEncodeLinkCountsTheRun(t *testing.T) {
	var w workspace.Workspace
	for i := range workspace.MaxFiles {
		w.Files = append(w.Files, workspace.File{Name: fmt.Sprintf("f%d.cfg", i), Text: "S -> a\n"})
	}
	if _, err := workspace.EncodeLink(w, ""); err != nil {
		t.Error(err)
	}
	if _, err := workspace.EncodeLink(w, `{"version":2}`); code(err) != "workspace.files" {
		t.Errorf("got %v, want workspace.files", err)
	}
}
