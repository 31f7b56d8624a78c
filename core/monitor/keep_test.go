package monitor

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

// scored is a stream of an endpoint that reports each word's log-probability.
func scored(text string, each float64) string {
	var b strings.Builder
	for i, word := range strings.SplitAfter(text, " ") {
		token, _ := json.Marshal(word)
		fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{\"content\":%s},\"logprobs\":{\"content\":[{\"token\":%s,\"logprob\":%v}]}}]}\n\n", token, token, each-float64(i)/1000)
	}
	return b.String() + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
}

// served plays a run with an endpoint that gives these replies, and returns the bodies of
// the requests and the events.
func served(t *testing.T, s shipped, settings Settings, replies ...string) (*Transcript, []string, []string) {
	t.Helper()
	var bodies []string
	transcript, events, err := perform(t, s.agent, s.setup, settings, 1, func(e process.Effect) []process.Answer {
		if len(bodies) == len(replies) {
			t.Fatalf("unexpected request: %s", e.HTTP.Body)
		}
		bodies = append(bodies, e.HTTP.Body)
		value, _ := json.Marshal(process.HTTPValue{Status: 200})
		return []process.Answer{{Effect: e.ID, Chunk: &replies[len(bodies)-1]}, {Effect: e.ID, Value: value}}
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(events, "\n"))
	}
	return transcript, bodies, events
}

func TestPASSKeepsLikelierText(t *testing.T) {
	s := find(t, "pass/pass.agent")
	s.setup = s.setup.with(replayed{"Search", map[string]string{"a": "a lived from 1 to 2", "b": "b lived from 3 to 4"}})
	results := "1. a lived from 1 to 2\n2. b lived from 3 to 4"
	summary := "a came first"
	plan := "[Thought] both\n[Action] Search\n[Action Input] a\n[Action] Search\n[Action Input] b\n[Summary]"
	for _, c := range []struct {
		name            string
		server          string
		settings        Settings
		summary, result float64 // log-probability of each word
		asked           int
		keeps, how      string
	}{
		{"the summary is likelier", "vllm", Settings{}, -0.2, -0.9, 5, "summary", "logprobs"},
		{"the results are likelier", "vllm", Settings{}, -9, -0.1, 5, "results", "logprobs"},
		{"length counts", "vllm", Settings{Alpha: 3}, -1.5, -0.4, 5, "results", "logprobs"},
		{"and does not without alpha", "vllm", Settings{Alpha: 1e-9}, -1.5, -0.4, 5, "summary", "logprobs"},
		{"a server with grammars", "llamacpp", Settings{}, -9, -0.1, 5, "results", "logprobs"},
		{"an endpoint without log-probabilities of given texts", "openai", Settings{}, 0, 0, 3, "summary", "rule"},
		{"an endpoint that tells nothing", "", Settings{}, 0, 0, 3, "summary", "rule"},
		{"the settings say it", "vllm", Settings{Keep: KeepSummary}, 0, 0, 3, "summary", "setting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := c.settings
			settings.Question, settings.Environment = "who came first?", EnvironmentTools
			settings.Model = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "http://localhost:8000/v1", Model: "m", Server: c.server}}
			last := scored("[Final Thought] so\n[Answer] a", -1)
			replies := []string{scored(plan, -1), scored(summary, -1), last}
			if c.asked == 5 {
				replies = []string{scored(plan, -1), scored(summary, -1), scored(summary, c.summary), scored(results, c.result), last}
			}
			transcript, bodies, events := served(t, s, settings, replies...)
			if len(bodies) != c.asked {
				t.Fatalf("%d requests", len(bodies))
			}
			kept := only(events, "monitor.keep")
			if len(kept) != 1 || !strings.Contains(kept[0], `"kept":"`+c.keeps+`","how":"`+c.how+`"`) {
				t.Fatalf("%v", kept)
			}
			want := map[string]string{"summary": summary, "results": results}[c.keeps]
			if got := transcript.Segments[6].Text; got != want || transcript.Answer != "a" {
				t.Errorf("%q", got)
			}
			if c.how != "logprobs" {
				return
			}
			var e KeepEvent
			if err := json.Unmarshal([]byte(kept[0]), &e); err != nil {
				t.Fatal(err)
			}
			alpha := c.settings.Alpha
			if alpha == 0 {
				alpha = DefaultAlpha
			}
			score := func(text string, each float64) float64 {
				n, sum := 0, 0.0
				for i := range strings.SplitAfter(text, " ") {
					sum += each - float64(i)/1000
					n++
				}
				return sum / math.Pow(float64(5+n)/6, alpha)
			}
			if math.Abs(e.Summary-score(summary, c.summary)) > 1e-5 || math.Abs(e.Results-score(results, c.result)) > 1e-5 {
				t.Errorf("%+v, want %v and %v", e, score(summary, c.summary), score(results, c.result))
			}
			if constrained := `"structured_outputs":{"choice":["a came first"]}`; !strings.Contains(bodies[2], map[string]string{"vllm": constrained, "llamacpp": `"grammar":`}[c.server]) || !strings.Contains(bodies[2], `"logprobs":true`) {
				t.Errorf("%s", bodies[2])
			}
		})
	}
}

func TestRequestsExplainStopsWithoutPrefixSupport(t *testing.T) {
	s := find(t, "react/react.agent")
	settings := Settings{Question: "q", Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "openai"}}}
	_, bodies, _ := served(t, s, settings, scored("[Answer] at once", -1), scored("Final Thought] f\n[Answer] a", -1))
	if len(bodies) != 2 || strings.Contains(bodies[0], "You were stopped") || !strings.Contains(bodies[1], `You were stopped here`) || !strings.Contains(bodies[1], `is not allowed here`) {
		t.Errorf("%v", bodies)
	}
	settings.Model.Endpoint.Server = "vllm"
	_, bodies, _ = served(t, s, settings, scored("[Answer] at once", -1), scored("Final Thought] f\n[Answer] a", -1))
	if strings.Contains(bodies[1], "You were stopped") || !strings.Contains(bodies[1], `"continue_final_message":true`) {
		t.Errorf("%v", bodies[1])
	}
}

func TestEndpointWithoutStopTextsGetsChunks(t *testing.T) {
	s := find(t, "react/react.agent")
	e := &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Capabilities: &llm.Capabilities{}}
	settings := Settings{Question: "q", Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: e}}
	_, bodies, _ := served(t, s, settings, scored("[Final Thought] f\n[Answer] a", -1))
	if !strings.Contains(bodies[0], fmt.Sprint(DefaultChunk)) {
		t.Errorf("%s", bodies[0])
	}
	long := "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n"
	transcript, bodies, _ := served(t, s, settings,
		fmt.Sprintf(long, "[Final Tho", "length"), fmt.Sprintf(long, "ught] one two", "length"), fmt.Sprintf(long, " three\n[Ans", "length"), fmt.Sprintf(long, "wer] a", "stop"))
	if want := "[Question] q\n[Final Thought] one two three\n[Answer] a"; transcript.Text != want || len(bodies) != 4 || transcript.Stats.Violations != 0 {
		t.Errorf("%d requests: %s", len(bodies), transcript.Text)
	}
}
