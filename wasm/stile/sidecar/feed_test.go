package sidecar

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/gate"
)

const written = `(define a
  (:states (Act (:text "[Act]") (:one-of "prüfen" "refund")) (Ans (:text "[Ans]") (:one-of "fertig 😀")))
  (:behavior (next Act Ans)))`

// body is the request with a part of a text.
func body(t *testing.T, part string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"content": part})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A text has the decision of its parts, wherever it is split between characters, also if the server is killed and
// resumes between them.
func TestTextsAreJudgedInParts(t *testing.T) {
	text := guardOf(t, "a.agent", written)
	for _, c := range []struct {
		content string
		verdict gate.Verdict
		code    string
		at      int
	}{
		{"[Act]prüfen[Ans]fertig 😀", gate.Allow, "ok", 28},
		{"[Act]prüfe[Ans]", gate.Deny, "content", 11},
		{"[Act]prü😀fen", gate.Deny, "content", 9},
		{"[Ans]fertig 😀", gate.Deny, "order.event", 0},
	} {
		for i := range len(c.content) + 1 {
			if i < len(c.content) && !utf8.RuneStart(c.content[i]) {
				continue
			}
			name := filepath.Join(t.TempDir(), "journal")
			post(t, open(t, text, Options{Journal: name}), "/sessions/a/feed", body(t, c.content[:i]))
			s := open(t, text, Options{Journal: name})
			for range 2 { // the refusal is repeated after another restart
				status, d := post(t, s, "/sessions/a/feed", body(t, c.content[i:]))
				if status != http.StatusOK || d.Verdict != c.verdict || d.Code != c.code || d.At == nil || *d.At != c.at {
					t.Errorf("%q at %d: %d %+v", c.content, i, status, d)
				}
				if d.Verdict == gate.Allow {
					break
				}
				s = open(t, text, Options{Journal: name})
			}
		}
	}
}

// A part that ends within a character is no JSON. It is refused and changes nothing, so that the client can send it
// again with the rest of the character.
func TestPartsEndBetweenCharacters(t *testing.T) {
	text := guardOf(t, "a.agent", written)
	name := filepath.Join(t.TempDir(), "journal")
	s := open(t, text, Options{Journal: name})
	const content = "[Act]prüfen[Ans]fertig 😀"
	sent := 0
	for i := 1; i <= len(content); i++ {
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		status, d := post(t, s, "/sessions/a/feed", `{"content":"`+content[sent:i]+`"}`)
		if utf8.ValidString(content[sent:i]) {
			if sent = i; status != http.StatusOK || d.Verdict != gate.Allow || *d.At != i {
				t.Errorf("byte %d: %d %+v", i, status, d)
			}
			continue
		}
		after, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if status != http.StatusBadRequest || d.Verdict != gate.Fault || string(before) != string(after) {
			t.Errorf("byte %d: %d %+v", i, status, d)
		}
	}
	for _, half := range []string{`{"content":"\ud83d"}`, `{"content":"\ude00"}`} {
		if status, d := post(t, s, "/sessions/a/feed", half); status != http.StatusBadRequest || d.Verdict != gate.Fault {
			t.Errorf("%s: %d %+v", half, status, d)
		}
	}
	if again := open(t, text, Options{Journal: name}); again.sessions["a"].Save() != s.sessions["a"].Save() {
		t.Error("the resumed session has another text")
	}
}

// Discard ends a refused text, and the session is where it was before the text.
func TestTextsAreDiscarded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	text := guardOf(t, "a.agent", written)
	for _, c := range []struct {
		path, body string
		verdict    gate.Verdict
	}{
		{"feed", body(t, "[Ans]"), gate.Deny},
		{"feed", body(t, "[Act]"), gate.Deny},
		{"discard", "", gate.Allow},
		{"feed", body(t, "[Act]prü"), gate.Allow},
		{"allow", `{"name":"Act","arguments":{"what":"refund"}}`, gate.Allow},
		{"feed", body(t, "[Ans]fertig"), gate.Allow},
		{"end", "", gate.Deny},
		{"feed", body(t, " 😀"), gate.Deny},
	} {
		s := open(t, text, Options{Journal: name})
		if status, d := post(t, s, "/sessions/a/"+c.path, c.body); status != http.StatusOK || d.Verdict != c.verdict {
			t.Errorf("%s %s: %d %+v", c.path, c.body, status, d)
		}
	}
}

// kill -9 between the parts of a text loses none of them.
func TestKilledServerLosesNoText(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop.guard"), []byte(guardOf(t, "a.agent", written)), 0o600); err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, part := range []string{"[Act]pr", "üfen[A", "ns]", "fertig 😀"} {
		server := startServer(t, folder)
		sent += len(part)
		if d, err := server.decide("a/feed", body(t, part)); err != nil || d.Verdict != gate.Allow || d.At == nil || *d.At != sent {
			t.Errorf("%q: %+v, %v", part, d, err)
		}
		server.kill(t)
	}
	server := startServer(t, folder)
	defer server.kill(t)
	if d, err := server.decide("a/feed", body(t, strings.Repeat("x", 3))); err != nil || d.Verdict != gate.Deny || d.At == nil || *d.At != sent {
		t.Errorf("%+v, %v", d, err)
	}
}
