package llm

import (
	"strconv"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// The total of the usage contains thoughts that its other counts lack. A replay of an earlier
// recording does not count them.
func TestTheTotalCountsHiddenThoughts(t *testing.T) {
	for _, c := range []struct {
		usage string
		want  Usage
	}{
		{`{"prompt_tokens":37,"completion_tokens":1,"total_tokens":338,"completion_tokens_details":{"reasoning_tokens":300}}`, Usage{37, 301}}, // xAI
		{`{"prompt_tokens":37,"completion_tokens":0,"total_tokens":337}`, Usage{37, 300}},                                                      // Gemini, without a text
		{`{"prompt_tokens":37,"completion_tokens":301,"total_tokens":338,"completion_tokens_details":{"reasoning_tokens":300}}`, Usage{37, 301}},
		{`{"prompt_tokens":37,"completion_tokens":301}`, Usage{37, 301}},
		{`{"prompt_tokens":37,"completion_tokens":301,"total_tokens":12}`, Usage{37, 301}},
		{`{"prompt_tokens":37,"completion_tokens":301,"total_tokens":"338"}`, Usage{37, 301}},
		{`{"prompt_tokens":37,"completion_tokens":301,"total_tokens":null}`, Usage{37, 301}},
		{`{"prompt_tokens":0,"completion_tokens":3,"total_tokens":40}`, Usage{10, 3}}, // the prompt is estimated
	} {
		bodies := []string{textEvent("3"), event(`{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":` + c.usage + `}`), event("[DONE]")}
		r := Request{Messages: user("0123456789012345678901234567890123456789")}
		reply, _, _, err := attempted(t, *endpoint.Endpoint, r, meter.Budget{}, nil, answering(200, nil, bodies...))
		if err != nil || reply.Usage != c.want {
			t.Errorf("%s: %+v, %v", c.usage, reply.Usage, err)
		}
	}
	log := chunks("e1", 200, textEvent("3"), event(`{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":37,"completion_tokens":1,"total_tokens":338}}`), event("[DONE]"))
	reply, _, _, err := attempted(t, *endpoint.Endpoint, Request{Messages: user("?")}, meter.Budget{}, append([]process.Answer{}, log...))
	if err != nil || reply.Usage != (Usage{37, 1}) {
		t.Errorf("a replay counts %+v, %v", reply.Usage, err)
	}
}

// Each event of a stream may report the usage so far.
func TestRunningUsageIsCountedOnce(t *testing.T) {
	var bodies []string
	for n := 1; n <= 3; n++ {
		bodies = append(bodies, event(`{"choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":5,"completion_tokens":`+strconv.Itoa(n)+`,"total_tokens":`+strconv.Itoa(105+n)+`}}`))
	}
	bodies = append(bodies, event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`), event("[DONE]"))
	reply, _, _, err := attempted(t, *endpoint.Endpoint, Request{Messages: user("?")}, meter.Budget{}, nil, answering(200, nil, bodies...))
	if err != nil || reply.Usage != (Usage{5, 103}) {
		t.Errorf("%+v, %v", reply.Usage, err)
	}
}
