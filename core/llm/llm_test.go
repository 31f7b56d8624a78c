package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// event is one server-sent event of a stream.
func event(data string) string { return "data: " + data + "\n\n" }

func textEvent(text string) string {
	quoted, _ := json.Marshal(text)
	return event(`{"choices":[{"delta":{"content":` + string(quoted) + `}}]}`)
}

var stream = ": a comment\n\n" + event(`{"choices":[{"delta":{"role":"assistant"}}]}`) + textEvent("Grüße, ") + textEvent("[Act") +
	"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"two lines\"}}]}\n\n" +
	event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`) + event(`{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":7}}`) + event("[DONE]")

// decode feeds a stream in pieces and joins what comes of it.
func decode(pieces ...string) (text, reason string, usage Usage, fault string) {
	var d StreamDecoder
	for _, piece := range pieces {
		for _, delta := range d.Write(piece) {
			text += delta.Text
			if delta.Reason != "" {
				reason = delta.Reason
			}
			if delta.Usage != nil {
				usage = *delta.Usage
			}
			fault += delta.Error
		}
	}
	return
}

func TestAStreamMayBeCutAnywhere(t *testing.T) {
	for _, lines := range []string{stream, strings.ReplaceAll(stream, "\n", "\r\n"), strings.ReplaceAll(stream, "\n", "\r")} {
		for cut := range len(lines) + 1 {
			text, reason, usage, fault := decode(lines[:cut], lines[cut:])
			if text != "Grüße, [Acttwo lines" || reason != StopEnd || usage != (Usage{12, 7}) || fault != "" {
				t.Fatalf("cut at %d: %q %q %v %q", cut, text, reason, usage, fault)
			}
		}
		if text, _, _, _ := decode(strings.Split(lines, "")...); text != "Grüße, [Acttwo lines" {
			t.Fatalf("byte by byte: %q", text)
		}
	}
}

func TestWhatAStreamReports(t *testing.T) {
	for _, c := range []struct{ stream, text, reason, fault string }{
		{textEvent("a") + event(`{"choices":[{"delta":{"content":"b"},"finish_reason":"length"}]}`), "ab", StopLength, ""},
		{textEvent("a") + event(`{"error":{"message":"overloaded"}}`), "a", "", "overloaded"},
		{event(`not json`), "", "", "an event of the stream is not JSON: not json"},
		{"data: " + `{"choices":[{"delta":{"content":"never ended"}}]}`, "", "", ""},
	} {
		text, reason, _, fault := decode(c.stream)
		if text != c.text || reason != c.reason || fault != c.fault {
			t.Errorf("%q: got %q, %q, %q", c.stream, text, reason, fault)
		}
	}
}

func FuzzAStreamCutsTheSame(f *testing.F) {
	f.Add(stream, 7)
	f.Add("data:x\r\n\r\ndata: {}\n\n", 3)
	f.Fuzz(func(t *testing.T, s string, cut int) {
		if cut < 0 || cut > len(s) {
			cut = len(s) / 2
		}
		one, oneReason, oneUsage, oneFault := decode(s)
		two, twoReason, twoUsage, twoFault := decode(s[:cut], s[cut:])
		if one != two || oneReason != twoReason || oneUsage != twoUsage || oneFault != twoFault {
			t.Errorf("%q, cut at %d: %q and %q", s, cut, one, two)
		}
	})
}

// ask runs one Generate and answers its request with what answers gives.
func ask(t *testing.T, m Model, r Request, stopAfter int, answers func(process.Effect) []process.Answer) (Reply, string, []string, error) {
	t.Helper()
	var reply Reply
	var streamed string
	p := process.New(func(env *process.Env) (any, error) {
		n := 0
		var err error
		reply, err = m.Generate(env, r, func(delta string) bool {
			streamed += delta
			n++
			return n != stopAfter
		})
		return nil, err
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	var given []process.Answer
	var cancelled []string
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		cancelled = append(cancelled, out.Cancel...)
		given = nil
		for _, e := range out.Effects {
			given = append(given, answers(e)...)
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return reply, streamed, cancelled, out.Err
		}
		if len(given) == 0 && out.State == process.StateWaiting {
			t.Fatal("it waits for ever")
		}
	}
}

func chunks(effect string, status int, texts ...string) []process.Answer {
	var out []process.Answer
	for _, text := range texts {
		out = append(out, process.Answer{Effect: effect, Chunk: &text})
	}
	value, _ := json.Marshal(process.HTTPValue{Status: status})
	return append(out, process.Answer{Effect: effect, Value: value})
}

var endpoint = Spec{Kind: KindEndpoint, Endpoint: &Endpoint{Name: "mine", URL: "https://models.example/v1/", Model: "small"}}

func TestAnEndpointIsAskedInItsFormat(t *testing.T) {
	m, err := New(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	r := Request{
		Messages: []Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "hi"}}, Prefix: "[Act",
		Stop: []string{"1", "2", "3", "4", "5"}, MaxTokens: 9, Temperature: 0.5,
	}
	reply, streamed, _, err := ask(t, m, r, 0, func(e process.Effect) []process.Answer {
		h := e.HTTP
		if h.URL != "https://models.example/v1/chat/completions" || h.Method != "POST" || h.Auth != "endpoint:mine" || !h.Stream {
			t.Errorf("the request is %+v", h)
		}
		if len(h.Headers) != 1 || h.Headers["Content-Type"] != "application/json" {
			t.Errorf("headers that a preflight may refuse: %v", h.Headers)
		}
		var body struct {
			Model     string
			Messages  []Message
			Stop      []string
			MaxTokens int `json:"max_tokens"`
			Stream    bool
		}
		if err := json.Unmarshal([]byte(h.Body), &body); err != nil {
			t.Fatal(err)
		}
		if body.Model != "small" || len(body.Messages) != 4 || body.Messages[2].Content != "[Act" || !slices.Equal(body.Stop, []string{"1", "2", "3", "4"}) || body.MaxTokens != 9 || !body.Stream {
			t.Errorf("the body is %s", h.Body)
		}
		return chunks(e.ID, 200, stream[:50], stream[50:])
	})
	if err != nil || reply.Text != "Grüße, [Acttwo lines" || streamed != reply.Text || reply.Usage != (Usage{12, 7}) {
		t.Errorf("%+v, %q, %v", reply, streamed, err)
	}
}

func TestAStreamThatNobodyWantsIsCancelled(t *testing.T) {
	m, _ := New(endpoint)
	reply, streamed, cancelled, err := ask(t, m, Request{}, 1, func(e process.Effect) []process.Answer {
		text := textEvent("one") + textEvent("two")
		return []process.Answer{{Effect: e.ID, Chunk: &text}}
	})
	if err != nil || reply.Reason != StopAborted || streamed != "one" || !slices.Equal(cancelled, []string{"e1"}) {
		t.Errorf("%+v, %q, cancelled %v, %v", reply, streamed, cancelled, err)
	}
}

func TestRefusalsHaveTheirCodes(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		code   string
		says   string
	}{
		{401, `{"error":{"message":"bad key"}}`, "llm.key", "bad key"},
		{403, `{"error":"forbidden"}`, "llm.key", "forbidden"},
		{404, `{"message":"no model small"}`, "llm.path", "no model small"},
		{429, `{}`, "llm.rate", "fewer"},
		{503, `upstream down`, "llm.server", "upstream down"},
		{418, ``, "llm.status", "418"},
	} {
		m, _ := New(endpoint)
		_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer { return chunks(e.ID, c.status, c.body) })
		var fault *source.Error
		if !errors.As(err, &fault) || fault.Code() != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d %s: got %v", c.status, c.body, err)
		}
	}
}

func TestWhatTheHostReportsIsPassedOn(t *testing.T) {
	m, _ := New(endpoint)
	_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: "cors", Message: "the server forbids pages"}}}
	})
	var fault *source.Error
	if !errors.As(err, &fault) || fault.Code() != "llm.cors" {
		t.Errorf("got %v", err)
	}
}

func TestASimulatedModelHonoursStopsAndLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	text := "[Thought] é one two three\n[Obs] four"
	m := Simulate(func(*process.Env, Request) (string, error) { return text, nil })
	for range 200 {
		r := Request{MaxTokens: random.IntN(12)}
		if random.IntN(2) == 0 {
			r.Stop = []string{"[Obs]", "never"}
		}
		reply, streamed, _, err := ask(t, m, r, 0, nil)
		if err != nil || reply.Text != streamed || !strings.HasPrefix(text, streamed) {
			t.Fatalf("%+v: %+v, %q, %v", r, reply, streamed, err)
		}
		if r.MaxTokens > 0 && EstimateTokens(streamed) > r.MaxTokens {
			t.Fatalf("%+v: %q is too long", r, streamed)
		}
		if len(r.Stop) > 0 && strings.Contains(streamed, "[Obs]") {
			t.Fatalf("%+v: %q has the stop text", r, streamed)
		}
		if reply.Reason == StopText && reply.Stop != "[Obs]" {
			t.Fatalf("%+v: stopped at %q", r, reply.Stop)
		}
	}
}

func TestSpecsAreChecked(t *testing.T) {
	for i, c := range []struct {
		spec Spec
		says string
	}{
		{Spec{Kind: "uniform"}, ""},
		{Spec{Kind: "unifrom"}, "did you mean uniform"},
		{Spec{Kind: "scripted"}, "script"},
		{Spec{Kind: "rambler", ErrorRate: 1.5}, "1.5"},
		{Spec{Kind: "endpoint"}, "URL"},
		{Spec{Kind: "endpoint", Endpoint: &Endpoint{URL: "ftp://x", Model: "m"}}, "ftp://x"},
		{Spec{Kind: "endpoint", Endpoint: &Endpoint{URL: "https://x"}}, "name of a model"},
	} {
		_, err := New(c.spec)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("case %d: %v", i, err)
		}
	}
}

func ExampleStreamDecoder() {
	var d StreamDecoder
	for _, piece := range []string{"data: {\"choices\":[{\"delta\":{\"con", "tent\":\"hello\"}}]}\n\n"} {
		for _, delta := range d.Write(piece) {
			fmt.Println(delta.Text)
		}
	}
	// Output: hello
}
