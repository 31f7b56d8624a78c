package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

// The text of an answer that may begin within a thought does not depend on the pieces in which it arrives.
func TestThoughtsWithoutAnOpeningTag(t *testing.T) {
	for _, c := range []struct {
		answer, text, thought string
		cut                   bool
	}{
		{"1 or 2?</think>\n\n3", "3", "1 or 2?", false},
		{"1 or 2?</think><think>again</think>3", "3", "1 or 2?again", false},
		{"<think>1 or 2?</think>3", "3", "1 or 2?", false},
		{"[THINK]1[/THINK]3", "3", "1", false},
		{"</think>3", "3", "", false},
		{"3", "3", "", false},
		{" 3 < 4", " 3 < 4", "", false},
		{"1 or 2, and th", "", "1 or 2, and th", true},
		{"1 or 2?</think>3", "3", "1 or 2?", true},
	} {
		for length := 1; length <= len(c.answer); length++ {
			f := newInlineThoughts(Request{}, func() bool { return true })
			f.unopened = true
			var text, thought strings.Builder
			for rest := c.answer; rest != ""; {
				n := min(length, len(rest))
				more, hidden := f.write(rest[:n])
				text.WriteString(more)
				thought.WriteString(hidden)
				rest = rest[n:]
			}
			more, hidden := f.close(c.cut)
			text.WriteString(more)
			thought.WriteString(hidden)
			if text.String() != c.text || thought.String() != c.thought {
				t.Fatalf("%q in pieces of %d: %q and %q", c.answer, length, text.String(), thought.String())
			}
		}
	}
}

// answered generates an answer for each body, with one model.
func answered(t *testing.T, e Endpoint, bodies ...string) []Reply {
	t.Helper()
	m, err := New(Spec{Kind: KindEndpoint, Endpoint: &e})
	if err != nil {
		t.Fatal(err)
	}
	var out []Reply
	for _, body := range bodies {
		reply, _, err := charged(t, m, Request{Messages: user("1, 2 or 3?"), MaxTokens: 100}, func(e process.Effect) []process.Answer {
			return chunks(e.ID, 200, body)
		})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, reply)
	}
	return out
}

func TestModelsWithUnopenedThoughts(t *testing.T) {
	end := event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`) + event("[DONE]")
	bare := textEvent("1 or") + textEvent(" 2?</think>") + textEvent("\n\n3") + end
	plain := textEvent("3") + end
	parsed := event(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`) + plain
	plainly := *endpoint.Endpoint
	named, tested := plainly, plainly
	named.Model = "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B"
	tested.Capabilities = &Capabilities{Unopened: true}
	for _, c := range []struct {
		name   string
		e      Endpoint
		bodies []string
		texts  string
	}{
		{"the name of the model", named, []string{bare, plain, bare}, "3|3|3"},
		{"a name, and a server with a parser", named, []string{parsed, plain}, "3|3"},
		{"a name, and an answer without a thought", named, []string{plain, plain}, "3|3"},
		{"a test of the endpoint", tested, []string{bare, plain}, "3|3"},
		{"an earlier answer", plainly, []string{bare, bare}, "1 or 2?</think>\n\n3|3"},
	} {
		var texts []string
		for _, reply := range answered(t, c.e, c.bodies...) {
			texts = append(texts, reply.Text)
		}
		if got := strings.Join(texts, "|"); got != c.texts {
			t.Errorf("%s: %q, want %q", c.name, got, c.texts)
		}
	}
}

// The test of an endpoint finds that answers begin within a thought.
func TestProbeFindsUnopenedThoughts(t *testing.T) {
	e := Endpoint{Name: "mine", URL: "http://localhost:8000/v1", Model: "m", Server: "vllm"}
	result, steps, err := probed(t, ProbeSettings{Endpoint: e}, func(h *process.HTTP) (int, string) {
		if h.Method == "GET" {
			return 200, `{"data":[{"id":"m","owned_by":"vllm"}]}`
		}
		var body struct {
			MaxTokens int `json:"max_tokens"`
		}
		if err := json.Unmarshal([]byte(h.Body), &body); err != nil {
			t.Fatal(err)
		}
		if body.MaxTokens < 300 {
			return 200, `{"choices":[{"message":{"content":"Okay, the user wants the word ready"},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":16}}`
		}
		return 200, says("Okay, the user wants the word ready.\n</think>\n\nready")
	})
	if err != nil || !result.Capabilities.Unopened || result.Capabilities.Thinking == 0 || result.Reply != "ready" || result.Usage.Completion != 18 {
		t.Errorf("%v %+v %s", err, result, stepsOf(steps))
	}
}
