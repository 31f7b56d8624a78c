package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stile-playground/stile/core/gate"
)

// writtenDesk returns the guard of an agent whose texts have prompts.
func writtenDesk(t *testing.T) *gate.Guard {
	t.Helper()
	folder(t, map[string]string{"a.agent": `(define a
  (:states (Act (:text "[Act]") (:one-of "prüfen" "refund")) (Ans (:text "[Ans]") (:one-of "fertig 😀")))
  (:behavior (next Act Ans)))`})
	var g guarding
	guard, err := g.open([]string{"a.agent"})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

func begin(t *testing.T, g *gate.Guard) *gate.Session {
	t.Helper()
	session, err := g.Begin(gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// writtenTexts are texts of a model with their permitted beginnings.
var writtenTexts = []struct{ text, permitted, reason string }{
	{"[Act]prüfen[Ans]fertig 😀", "[Act]prüfen[Ans]fertig 😀", ""},
	{"[Act]prü😀fen[Ans]", "[Act]prü", `"Act" must be one of: "pr\u{fc}fen", "refund"`},
	{"[Act]refund[Ans]fertig é", "[Act]refund[Ans]fertig ", `"Ans" must be one of: "fertig \u{1f600}"`},
}

// streamed returns the texts that a client reads from a stream whose contents have the given JSON, and the events.
func streamed(t *testing.T, session *gate.Session, contents []string) (string, []string) {
	t.Helper()
	var b strings.Builder
	for _, c := range append(contents, "") {
		fmt.Fprintf(&b, "data: %s\n\n", delta(`"content":"`+c+`"`))
	}
	b.WriteString("data: " + chatEnd + "\n\ndata: " + chatDone + "\n\n")
	stream := newChatStream(io.NopCloser(iotest.OneByteReader(strings.NewReader(b.String()))), chatText{session: session})
	text, err := io.ReadAll(stream)
	if err != nil {
		t.Fatalf("%q: %v", contents, err)
	}
	events := delivered(t, string(text))
	return strings.Join(events[:len(events)-2], ""), events[len(events)-2:]
}

// The chunks of a stream have the permitted beginning of a text, wherever the text is split, and then the refusal.
func TestChatStreamStopsAtTheFirstRefusedCharacter(t *testing.T) {
	guard := writtenDesk(t)
	for _, c := range writtenTexts {
		want, ends := c.permitted, []string{"tool_calls", "DONE"}
		if c.reason != "" {
			want, ends = want+"The text was refused: "+c.reason+".", []string{"stop", "DONE"}
		}
		splits := [][]string{strings.Split(c.text, "")}
		bytes := []string{}
		for i := range len(c.text) + 1 {
			splits = append(splits, []string{c.text[:i], c.text[i:]})
			if i > 0 {
				bytes = append(bytes, c.text[i-1:i])
			}
		}
		splits = append(splits, bytes)
		for _, split := range splits {
			if got, end := streamed(t, begin(t, guard), split); got != want || fmt.Sprint(end) != fmt.Sprint(ends) {
				t.Errorf("%q: %q %q, want %q", split, got, end, want)
			}
		}
	}
}

// The halves of a character may be escapes, and a half without the other one is delivered as U+FFFD.
func TestChatStreamKeepsHalvesOfCharacters(t *testing.T) {
	p := chatDesk(t)
	for _, c := range []struct {
		contents []string
		want     string
	}{
		{[]string{`a\ud83d`, `\ude00b`}, "a😀b"},
		{[]string{`\\\uD83D`, ``, `\uDE00`}, `\😀`},
		{[]string{`\\ud83d`, `\ude00`}, `\ud83d` + "\ufffd"},
		{[]string{`a\ud83d`, `b`}, "a\ufffdb"},
		{[]string{`a\ud83d`}, "a\ufffd"},
		{[]string{"a\xf0\x9f", "\x98", "\x80"}, "a😀"},
		{[]string{"a\xf0\x9f\x98"}, "a\ufffd\ufffd\ufffd"},
		{[]string{"\x98a", "\xff", "b"}, "\ufffda\ufffdb"},
	} {
		if got, _ := streamed(t, begin(t, p.guard), c.contents); got != c.want {
			t.Errorf("%q: %q, want %q", c.contents, got, c.want)
		}
	}
}

// A text that is refused for an earlier byte has no further part, and a stream without an end is flushed at its
// last event.
func TestChatStreamJudgesTheEndOfTexts(t *testing.T) {
	guard := writtenDesk(t)
	for _, c := range []struct {
		name   string
		events []string
		want   string
		fails  bool
	}{
		{"prompt in two chunks", []string{delta(`"content":"[An"`), delta(`"content":"s]fertig"`), delta(`"content":"more"`)}, `[An The text was refused: "Ans" is not allowed here; expected: "Act". stop DONE`, false},
		{"no end", []string{delta(`"content":"[Act]pr` + "\xc3" + `"`), chatDone}, `[Act]pr The text was refused: "Act" must be one of: "pr\u{fc}fen", "refund". stop DONE`, false},
		{"refused text with a call", []string{delta(`"role":"assistant","content":"[Ans]","tool_calls":[` + part(0, "Act", `{"x":"refund"}`) + `]`)}, `The text was refused: "Ans" is not allowed here; expected: "Act". stop DONE`, false},
		{"broken stream", []string{parts(part(0, "Act", `{"x":"refund"}`)), parts(part(1, "Act", `{"x":"refund"}`))}, `Act{"x":"refund"}`, true},
		{"text after a call", []string{delta(`"content":"[Act]"`), parts(part(0, "Act", `{"x":"refund"}`)), chatEnd, delta(`"content":"[Ans]fertx"`)},
			`[Act] Act{"x":"refund"} tool_calls [Ans]fert The text was refused: "Ans" must be one of: "fertig \u{1f600}". tool_calls DONE`, false},
		{"parts", []string{delta(`"content":[{"type":"text","text":"[Act]"}]`)}, "", true},
		{"null", []string{delta(`"content":null`), `{"choices":[{"index":0}]}`, `{"choices":[{"index":0,"delta":null}]}`, chatDone}, "DONE", false},
	} {
		body := "data: " + strings.Join(c.events, "\n\ndata: ") + "\n\n"
		text, err := io.ReadAll(newChatStream(io.NopCloser(strings.NewReader(body)), chatText{session: begin(t, guard)}))
		if got := strings.Join(delivered(t, string(text)), " "); (err != nil) != c.fails || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, error %v", c.name, got, err)
		}
	}
}

// An answer has the permitted beginning of its text, and no calls after a refused text.
func TestChatAnswersLoseRefusedTexts(t *testing.T) {
	guard := writtenDesk(t)
	for _, c := range writtenTexts {
		content, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		out, err := (&chatText{session: begin(t, guard)}).answer([]byte(`{"choices":[{"index":0,"message":{"role":"assistant","content":` + string(content) + `,"tool_calls":[` + part(0, "Act", `{"x":"refund"}`) + `]},"finish_reason":"tool_calls"}]}`))
		var answer struct {
			Choices []struct {
				Message      chatMessage
				FinishReason string `json:"finish_reason"`
			}
			Stile *refused
		}
		if err == nil {
			err = json.Unmarshal(out, &answer)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, want, calls, finish := answer.Choices[0], c.permitted, 1, "tool_calls"
		if c.reason != "" {
			want, calls, finish = strings.TrimSpace(want)+"\nThe text was refused: "+c.reason+".", 0, "stop"
		}
		if len(got.Message.ToolCalls) != calls || got.FinishReason != finish || (answer.Stile == nil) != (c.reason == "") || strings.ReplaceAll(got.Message.Text, " \n", "\n") != want {
			t.Errorf("%q: %s", c.text, out)
		}
	}
	if _, err := (&chatText{session: begin(t, guard)}).answer([]byte(`{"choices":[{"message":{"content":[{"text":"[Act]"}]}}]}`)); err == nil {
		t.Error("a content with parts is forwarded")
	}
}
