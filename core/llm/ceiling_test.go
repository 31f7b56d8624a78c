package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// bounded makes a request under a ceiling. The answer consists of pieces that the server repeats
// until the request ends, at most 100,000 times. It returns the number of pieces.
func bounded(t *testing.T, r Request, most meter.Budget, price *Price, piece string) (pieces int, spent meter.Budget, err error) {
	t.Helper()
	e := *endpoint.Endpoint
	e.Price = price
	m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
	p := process.New(func(env *process.Env) (any, error) {
		_, err := m.Generate(env, r, func(string) bool { return true })
		spent = env.Ceiling().Spent()
		return nil, err
	}, 1, meter.Budget{Tokens: 1 << 50}, nil)
	defer p.Stop()
	p.SetCeiling(most)
	out, err := p.Resume(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	id := out.Effects[0].ID
	for out.State == process.StateWaiting {
		if pieces++; pieces > 100_000 {
			value, _ := json.Marshal(process.HTTPValue{Status: 200})
			out, err = p.Resume([]process.Answer{{Effect: id, Value: value}}, 0)
		} else {
			out, err = p.Resume([]process.Answer{{Effect: id, Chunk: &piece}}, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return pieces, spent, out.Err
}

// An answer without end costs no more than the ceiling, or its own limit if that is larger.
func TestAnswersEndAtTheCeiling(t *testing.T) {
	text := textEvent(strings.Repeat("x", 400)) // 100 tokens
	arguments := event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"look","arguments":"` + strings.Repeat("1", 400) + `"}}]}}]}`)
	for _, c := range []struct {
		name        string
		limit       int
		most        meter.Budget
		price       *Price
		piece, code string
		pieces      int
	}{
		{"tokens", 0, meter.Budget{Tokens: 5_000}, nil, text, "limit.tokens", 50},
		{"thoughts", 0, meter.Budget{Tokens: 5_000}, nil, event(`{"choices":[{"delta":{"reasoning_content":"` + strings.Repeat("x", 400) + `"}}]}`), "limit.tokens", 50},
		{"arguments", 0, meter.Budget{Tokens: 5_000}, nil, arguments, "limit.tokens", 50},
		{"dollars", 0, meter.Budget{Tokens: 5_000, Money: 0.1}, &Price{1, 100}, text, "limit.money", 10},
		{"a larger limit of the request", 7_950, meter.Budget{Tokens: 5_000}, nil, text, "limit.tokens", 80},
		{"no ceiling", 0, meter.Budget{}, nil, textEvent(strings.Repeat("x", 1<<20)), CodeLong, 9},
		{"keep-alives", 0, meter.Budget{Tokens: 5_000}, nil, strings.Repeat(": wait\n\n", 1<<17), CodeLong, 17},
		{"empty pieces", 0, meter.Budget{}, nil, strings.Repeat(textEvent(""), 1<<14), CodeLong, 0},
	} {
		pieces, spent, err := bounded(t, Request{Messages: user("?"), MaxTokens: c.limit}, c.most, c.price, c.piece)
		var coded interface{ Code() string }
		if !errors.As(err, &coded) || coded.Code() != c.code || c.pieces > 0 && (pieces < c.pieces || pieces > c.pieces+1) || pieces > 100 {
			t.Errorf("%s: %v after %d pieces", c.name, err, pieces)
		}
		if c.code == "limit.tokens" && spent.Tokens > max(c.most.Tokens, c.limit)+200 {
			t.Errorf("%s: %+v", c.name, spent)
		}
	}
}

// Usage in an unexpected form is estimated; a sum of it does not overflow.
func TestOddUsage(t *testing.T) {
	for usage, want := range map[string]Usage{
		`{"prompt_tokens":12,"completion_tokens":7}`:     {12, 7},
		`{"prompt_tokens":"12","completion_tokens":"7"}`: {1, 2},
		`{"prompt_tokens":1.5,"completion_tokens":7}`:    {1, 2},
		`[]`:     {1, 2},
		`"none"`: {1, 2},
		`{"prompt_tokens":-5,"completion_tokens":-7}`:                          {1, 2},
		fmt.Sprintf(`{"prompt_tokens":3,"completion_tokens":%d}`, math.MaxInt): {3, maxUsage},
	} {
		m, _ := New(endpoint)
		reply, _, err := charged(t, m, Request{Messages: user("?")}, func(e process.Effect) []process.Answer {
			return chunks(e.ID, 200, textEvent("hello")+event(`{"choices":[],"usage":`+usage+`}`)+event("[DONE]"))
		})
		if (err != nil) != (want.Completion == maxUsage) || reply.Usage != want || reply.Text != "hello" {
			t.Errorf("%s: %+v %v", usage, reply, err)
		}
	}
}

// Each attempt is a call, and costs its prompt if the endpoint accepted it, also in the answer's usage.
func TestAttemptsAreCharged(t *testing.T) {
	usage := event(`{"type":"message_start","message":{"usage":{"input_tokens":70}}}`)
	refused := answering(400, nil, `{"error":{"message":"unsupported parameter: temperature"}}`)
	fine := answering(200, nil, textEvent("3"), event("[DONE]"))
	for _, c := range []struct {
		name          string
		format        string
		answers       []func(string) []process.Answer
		calls, tokens int
		code          string
	}{
		{"broke off before it began", "", []func(string) []process.Answer{answering(200, nil)}, 4, 40, CodeCut},
		{"keep-alives and a lost connection", "", []func(string) []process.Answer{failing("network", ": wait\n\n")}, 4, 40, "llm.network"},
		{"timeout", "", []func(string) []process.Answer{failing("timeout")}, 4, 40, "llm.timeout"},
		{"interrupted", "", []func(string) []process.Answer{failing(process.CodeInterrupted), fine}, 2, 21, ""},
		{"reported usage", FormatAnthropic, []func(string) []process.Answer{answering(200, nil, usage)}, 4, 280, CodeCut},
		{"refused connection", "", []func(string) []process.Answer{failing("network")}, 4, 0, "llm.network"},
		{"overloaded", "", []func(string) []process.Answer{answering(503, nil), answering(503, nil), fine}, 3, 11, ""},
		{"a body of an error", "", []func(string) []process.Answer{answering(503, nil, `{"error":{"message":"busy"}}`), fine}, 2, 11, ""},
		{"parameter", "", []func(string) []process.Answer{refused, fine}, 2, 11, ""},
		{"no ceiling for a refused key", "", []func(string) []process.Answer{answering(401, nil)}, 1, 0, "llm.key"},
	} {
		e := *endpoint.Endpoint
		e.Format, e.Price = c.format, &Price{1, 1}
		r := Request{Messages: user(strings.Repeat("x", 40)), Temperature: 1}
		reply, spent, tokens, err := attempted(t, e, r, meter.Budget{}, nil, c.answers...)
		if codeOf(err) != c.code || spent.Calls != c.calls || spent.Tokens != c.tokens || math.Abs(spent.Money-float64(c.tokens)/1e6) > 1e-12 {
			t.Errorf("%s: %+v, %v", c.name, spent, err)
		}
		if reply.Usage.Prompt+reply.Usage.Completion != c.tokens || math.Abs(reply.Cost-spent.Money) > 1e-12 {
			t.Errorf("%s: the reply has %+v and $%g", c.name, reply.Usage, reply.Cost)
		}
		if prompts := 10 * max(c.tokens/10, 1); tokens != int64(max(c.tokens, prompts)) {
			t.Errorf("%s: the run is charged %d tokens", c.name, tokens)
		}
	}
}

// A run whose answers break off before they begin ends at its ceiling.
func TestAttemptsEndAtTheCeiling(t *testing.T) {
	e := *endpoint.Endpoint
	r := Request{Messages: user(strings.Repeat("x", 40))}
	_, spent, _, err := attempted(t, e, r, meter.Budget{Calls: 3}, nil, failing("timeout"))
	if codeOf(err) != "limit.calls" || spent.Calls != 3 {
		t.Errorf("%+v, %v", spent, err)
	}
	_, spent, _, err = attempted(t, e, r, meter.Budget{Tokens: 15}, nil, failing("timeout"))
	if codeOf(err) != "limit.tokens" || spent.Tokens != 20 {
		t.Errorf("%+v, %v", spent, err)
	}
	_, spent, _, err = attempted(t, e, Request{Messages: user("?"), Temperature: 1}, meter.Budget{Calls: 1}, nil,
		answering(400, nil, `{"error":{"message":"unsupported parameter: temperature"}}`), answering(200, nil, textEvent("3"), event("[DONE]")))
	if codeOf(err) != "limit.calls" || spent.Calls != 1 {
		t.Errorf("%+v, %v", spent, err)
	}
}

// A replay of a run that was recorded before attempts were charged charges one.
func TestEarlierAttemptsAreNotCharged(t *testing.T) {
	first := failing("timeout")("e1")
	timer := process.Answer{Effect: "e2", Value: []byte("null")}
	second := chunks("e3", 200, textEvent("3"), event("[DONE]"))
	log := append(append(first, timer), second...)
	reply, spent, _, err := attempted(t, *endpoint.Endpoint, Request{Messages: user(strings.Repeat("x", 40))}, meter.Budget{Calls: 1}, log)
	if err != nil || reply.Usage != (Usage{10, 1}) || spent.Calls != 1 {
		t.Errorf("%+v %+v, %v", reply.Usage, spent, err)
	}
}

// attempted makes a request under a ceiling, with a log or answers to its attempts, the last of them
// repeatedly. It returns the reply, the expense, and the tokens that the meter of the run counts.
func attempted(t *testing.T, e Endpoint, r Request, most meter.Budget, log []process.Answer, answers ...func(string) []process.Answer) (reply Reply, spent meter.Budget, tokens int64, err error) {
	t.Helper()
	m, fault := New(Spec{Kind: KindEndpoint, Endpoint: &e})
	if fault != nil {
		t.Fatal(fault)
	}
	p := process.New(func(env *process.Env) (any, error) {
		var err error
		reply, err = m.Generate(env, r, func(string) bool { return true })
		spent, tokens = env.Ceiling().Spent(), env.Meter().Spent(meter.Tokens)
		return nil, err
	}, 1, meter.Budget{}, log)
	defer p.Stop()
	p.SetCeiling(most)
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			return reply, spent, tokens, out.Err
		}
		given = nil
		for _, e := range out.Effects {
			if e.Timer != nil {
				given = append(given, process.Answer{Effect: e.ID, Value: []byte("null")})
				continue
			}
			given = append(given, answers[0](e.ID)...)
			if len(answers) > 1 {
				answers = answers[1:]
			}
		}
	}
}
