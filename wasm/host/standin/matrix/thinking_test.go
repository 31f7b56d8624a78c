package matrix

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

// reactor plays a ReAct agent of several calculations that thinks before each answer. The limit of
// tokens includes the thoughts.
type reactor struct{ steps, thinks int }

func (r reactor) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var asked struct {
		MaxTokens int               `json:"max_tokens"`
		Tools     []json.RawMessage `json:"tools"`
		Messages  []struct{ Role, Content string }
	}
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	done := 0
	for _, m := range asked.Messages {
		if m.Role == "tool" {
			done++
		}
		if m.Role == "assistant" {
			done += strings.Count(m.Content, "[Observation]")
		}
	}
	if r.thinks > 0 {
		tokens := min(r.thinks, asked.MaxTokens)
		write(w, delta(`"reasoning_content":"`+strings.Repeat("hm, ", tokens)+`"`))
		if tokens == asked.MaxTokens {
			write(w, finish("length", tokens))
			return
		}
	}
	expression := fmt.Sprintf("%d+1", done)
	last := asked.Messages[len(asked.Messages)-1].Content
	for i := len(asked.Messages) - 1; i >= 0 && len(asked.Tools) == 0; i-- {
		if asked.Messages[i].Role == "assistant" {
			last = asked.Messages[i].Content
			break
		}
	}
	switch {
	case len(asked.Tools) > 0 && done < r.steps:
		write(w, call(0, fmt.Sprintf("c%d", done), "Calculator", `{"expression":"`+expression+`"}`), finish("tool_calls", r.thinks+20))
	case len(asked.Tools) > 0:
		write(w, content("42"), finish("stop", r.thinks+1))
	case done < r.steps:
		text := "I add.\n[Action] Calculator\n[Action Input] " + expression + "\n[Observation]"
		if !strings.HasSuffix(strings.TrimSpace(last), "[Thought]") {
			text = "[Thought] " + text
		}
		write(w, content(" "+text), finish("stop", r.thinks+20))
	default:
		write(w, content("[Final Thought] That is all.\n[Answer] 42"), finish("stop", r.thinks+10))
	}
}

// A monitored run of a model that thinks 800 tokens a turn needs at most 1.2 times the requests of
// one that does not think.
func TestThinkingCostsFewMoreRequests(t *testing.T) {
	for _, server := range []string{"deepseek", "vllm", "lmstudio", ""} {
		for _, s := range Surfaces()[1:3] {
			var counts [2]int
			for i, thinks := range []int{0, 800} {
				e := llm.Endpoint{Name: "e", URL: "https://standin.invalid/v1", Model: "m", Server: server}
				caps := e.Known()
				caps.Tools = true
				e.Capabilities = &caps
				out, err := s.Run(e, reactor{6, thinks}, nil)
				if err != nil || !out.Passes {
					t.Fatalf("%s, %s, %d tokens: %v %s %s %s", server, s.Name, thinks, err, out.Code, out.Message, out.Result)
				}
				counts[i] = len(out.Requests)
			}
			t.Logf("%q, %s: %d and %d requests", server, s.Name, counts[0], counts[1])
			if counts[0] < 6 || 5*counts[1] > 6*counts[0] {
				t.Errorf("%q, %s: %d requests without thoughts, %d with them", server, s.Name, counts[0], counts[1])
			}
		}
	}
}
