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
