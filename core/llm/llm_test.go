package llm

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// ask runs one Generate and answers its requests by calling answers.
func ask(t *testing.T, m Model, r Request, stopAfter int, answers func(process.Effect) []process.Answer) (Reply, string, []string, error) {
	t.Helper()
	return askSeeded(t, 1, m, r, stopAfter, answers)
}

func askSeeded(t *testing.T, seed uint64, m Model, r Request, stopAfter int, answers func(process.Effect) []process.Answer) (Reply, string, []string, error) {
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
	}, seed, meter.Budget{Tokens: 10_000_000}, nil) // more than the longest answer has
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

func TestRequestsHaveTheFormatOfTheEndpoint(t *testing.T) {
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

func TestCallerCancelsAStream(t *testing.T) {
	m, _ := New(endpoint)
	reply, streamed, cancelled, err := ask(t, m, Request{}, 1, func(e process.Effect) []process.Answer {
		text := textEvent("one") + textEvent("two")
		return []process.Answer{{Effect: e.ID, Chunk: &text}}
	})
	if err != nil || reply.Reason != StopAborted || streamed != "one" || !slices.Equal(cancelled, []string{"e1"}) {
		t.Errorf("%+v, %q, cancelled %v, %v", reply, streamed, cancelled, err)
	}
}

// The text ends before the first stop text and the stream is cancelled there, for every
// division into deltas, whether or not the server supports stop texts.
func TestStopTextsAreFoundAcrossDeltas(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 500 {
		text, stops := "", []string{}
		for range 3 + random.IntN(12) {
			text += string("abé"[random.IntN(2)])
		}
		for range random.IntN(4) {
			stop := ""
			for range 1 + random.IntN(3) {
				stop += string("ab"[random.IntN(2)])
			}
			stops = append(stops, stop)
		}
		var pieces []string
		for rest := text; rest != ""; {
			n := 1 + random.IntN(len(rest))
			pieces, rest = append(pieces, textEvent(rest[:n])), rest[n:]
		}
		pieces = append(pieces, event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`))
		want, reason, stopped := text, StopEnd, ""
		for end := 1; end <= len(text) && stopped == ""; end++ {
			for _, s := range stops {
				if strings.HasSuffix(text[:end], s) && len(s) > len(stopped) {
					want, reason, stopped = text[:end-len(s)], StopText, s
				}
			}
		}
		m, _ := New(endpoint)
		reply, streamed, cancelled, err := ask(t, m, Request{Stop: stops}, 0, func(e process.Effect) []process.Answer { return chunks(e.ID, 200, pieces...) })
		if err != nil || reply.Text != want || streamed != want || reply.Reason != reason || reply.Stop != stopped || (len(cancelled) > 0) != (reason == StopText) {
			t.Fatalf("%q, %q: %+v, cancelled %v, %v", pieces, stops, reply, cancelled, err)
		}
	}
}

func TestTextAfterTheEndIsIgnored(t *testing.T) {
	m, _ := New(endpoint)
	reply, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return append(chunks(e.ID, 200, textEvent("whole"), event("[DONE]"), event("junk"))[:3],
			process.Answer{Effect: e.ID, Error: &process.EffectError{Code: "network", Message: "reset"}})
	})
	if err != nil || reply.Text != "whole" {
		t.Errorf("%+v %v", reply, err)
	}
}

// A host that does not stream delivers the complete body at its end.
func TestUnstreamedAndStreamedBodiesEndAlike(t *testing.T) {
	plain := `{"choices":[{"message":{"content":"one STOP two"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":9}}`
	streamed := textEvent("one ") + textEvent("STOP two") + event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`) + event("[DONE]")
	for _, c := range []struct {
		name, body   string
		stop         []string
		after        int
		text, reason string
	}{
		{"a stop text in one answer", plain, []string{"STOP"}, 0, "one ", StopText},
		{"a stop text in a stream", streamed, []string{"STOP"}, 0, "one ", StopText},
		{"the caller stops reading one answer", plain, nil, 1, "one STOP two", StopAborted},
		{"the caller stops reading a stream", streamed, nil, 1, "one ", StopAborted},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, _ := New(endpoint)
			reply, handed, _, err := ask(t, m, Request{Stop: c.stop}, c.after, func(e process.Effect) []process.Answer {
				value, _ := json.Marshal(process.HTTPValue{Status: 200, Body: c.body})
				return []process.Answer{{Effect: e.ID, Value: value}}
			})
			if err != nil || reply.Text != c.text || handed != c.text || reply.Reason != c.reason {
				t.Errorf("%+v, handed over %q, %v", reply, handed, err)
			}
		})
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
		{404, `{"message":"no model small"}`, "llm.model", "no model small"},
		{404, `404 page not found`, "llm.path", "page not found"},
		{429, `{}`, "llm.rate", "too many requests"},
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

func TestHostErrorsAreReported(t *testing.T) {
	m, _ := New(endpoint)
	_, _, _, err := ask(t, m, Request{}, 0, func(e process.Effect) []process.Answer {
		return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: "cors", Message: "the server forbids pages"}}}
	})
	var fault *source.Error
	if !errors.As(err, &fault) || fault.Code() != "llm.cors" {
		t.Errorf("got %v", err)
	}
}

func TestSimulatedModelObservesStopsAndLengths(t *testing.T) {
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
