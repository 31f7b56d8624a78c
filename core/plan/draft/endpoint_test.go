package draft

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// sent is the body of a request to the endpoint of a draft.
type sent struct {
	MaxTokens   int `json:"max_tokens"`
	Temperature float64
	Messages    []struct{ Role, Content string }
}

// draftedBy runs a draft with an endpoint that gives the answers, each with the reason for its end, and returns the
// bodies of the requests.
func draftedBy(t *testing.T, s Settings, answers ...[2]string) (bodies []sent, made Result) {
	t.Helper()
	s.Model = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m"}}
	p := process.New(func(env *process.Env) (any, error) {
		if s.other() == LanguageRules {
			return RunPolicy(env, s, "", nil)
		}
		return Run(env, s, func(files []File) ([]string, error) {
			if len(files) < 2 {
				return []string{"a file is missing"}, nil
			}
			return nil, nil
		})
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		if out.State == process.StateDone {
			if err := json.Unmarshal(out.Result, &made); err != nil {
				t.Fatal(err)
			}
			return bodies, made
		}
		given = nil
		for _, e := range out.Effects {
			var body sent
			if err := json.Unmarshal([]byte(e.HTTP.Body), &body); err != nil {
				t.Fatal(err)
			}
			bodies = append(bodies, body)
			text := fmt.Sprintf(`{"choices":[{"message":{"content":%q},"finish_reason":%q}],"usage":{"prompt_tokens":9,"completion_tokens":50}}`, answers[0][0], answers[0][1])
			value, err := json.Marshal(process.HTTPValue{Status: 200, Body: text})
			if err != nil {
				t.Fatal(err)
			}
			given = append(given, process.Answer{Effect: e.ID, Value: value})
			answers = answers[1:]
		}
	}
}

// TestRetriesOfDraftsSendTheLastFilesOnly has a cut answer, which raises the limit once, an answer that is cut within a
// file, one without a file, and a complete one that is cut after its files.
func TestRetriesOfDraftsSendTheLastFilesOnly(t *testing.T) {
	settings := Settings{Description: "x", Languages: []string{"cfg", "ltl"}, MaxTokens: 60, Temperature: 0.5}
	answers := [][2]string{
		{"I think that", "length"},
		{"```cfg\nS -> a\n```\n```ltl\nG (a", "length"},
		{"I am sorry, let me think", "stop"},
		{"```cfg\nS -> a\n```\n```ltl\nF a\n```\nThat is all that", "length"},
	}
	bodies, made := draftedBy(t, settings, answers...)
	if !made.Clean || len(bodies) != 4 {
		t.Fatalf("%+v", made)
	}
	var limits, messages []int
	for _, b := range bodies {
		limits, messages = append(limits, b.MaxTokens), append(messages, len(b.Messages))
		if b.Temperature != 0.5 {
			t.Errorf("the temperature is %v", b.Temperature)
		}
	}
	if want := []int{60, 60 + llm.MoreTokens, 60 + llm.MoreTokens, 60 + llm.MoreTokens}; !reflect.DeepEqual(limits, want) {
		t.Errorf("the limits are %v, not %v", limits, want)
	}
	if want := []int{1, 3, 3, 3}; !reflect.DeepEqual(messages, want) {
		t.Errorf("the requests have %v messages, not %v", messages, want)
	}
	for _, b := range bodies[2:] { // an answer without a file keeps the earlier ones
		if last := b.Messages[1].Content; last != "```plan.cfg\nS -> a\n```" {
			t.Errorf("the last answer is %q", last)
		}
	}
	if faults := bodies[2].Messages[2].Content; !strings.Contains(faults, "- the answer was cut off after 50 tokens in properties.ltl; be brief\n- a file is missing") {
		t.Errorf("the problems are %q", faults)
	}
}

func TestRetriesOfPoliciesSendTheLastAnswerOnly(t *testing.T) {
	settings := Settings{Description: "A refund needs an approval.", Languages: []string{LanguageRules}, Rounds: 3}
	bodies, _ := draftedBy(t, settings, [2]string{"no", "stop"}, [2]string{"never", "length"}, [2]string{"no", "stop"})
	if len(bodies) != 3 || len(bodies[1].Messages) != 3 || len(bodies[2].Messages) != 3 {
		t.Fatalf("%d requests", len(bodies))
	}
	if last := bodies[2].Messages; last[1].Content != "never" || !strings.Contains(last[2].Content, "cut off after 50 tokens") || bodies[2].MaxTokens != 0 {
		t.Errorf("%+v", bodies[2])
	}
}
