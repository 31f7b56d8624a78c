package formulate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

// A repeated request has the prompt, the last answer and its faults, and not the answers before it. A replay of an
// earlier recording counts the complete conversation.
func TestRetriesDoNotSendAllFaultyAnswers(t *testing.T) {
	more, rounds := 3, 0
	settings := func(definer llm.Spec) Settings {
		return Settings{Model: simulatedModel, Models: map[string]llm.Spec{StageDefiner: definer}, Regenerations: &more, Rounds: &rounds}
	}
	faulty := []string{"first (", "second (", "third ("}
	h := &host{models: append(slices.Clone(faulty), tea().Goal)}
	if _, _, err := played(t, tea(), Setup{}, settings(llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m"}}), h); err != nil {
		t.Fatal(err)
	}
	var counts []int
	for i, raw := range h.bodies {
		var body struct{ Messages []struct{ Content string } }
		if err := json.Unmarshal([]byte(raw), &body); err != nil {
			t.Fatal(err)
		}
		counts = append(counts, len(body.Messages))
		if i > 0 && body.Messages[1].Content != faulty[i-1] {
			t.Errorf("request %d has the answer %q", i+1, body.Messages[1].Content)
		}
	}
	if !slices.Equal(counts, []int{1, 3, 3, 3}) {
		t.Errorf("the requests have %v messages", counts)
	}

	tokens := func(log []process.Answer) (int, []process.Answer) {
		h := &host{log: log}
		r, _, err := played(t, tea(), Setup{}, settings(script(append(slices.Clone(faulty), tea().Goal)...)), h)
		if err != nil {
			t.Fatal(err)
		}
		return r.Spent.Usage.Prompt, h.log
	}
	now, log := tokens(nil)
	again, _ := tokens(log)
	unmarked := slices.DeleteFunc(slices.Clone(log), func(a process.Answer) bool {
		return a.Error != nil && strings.Contains(a.Error.Message, "rules")
	})
	earlier, _ := tokens(unmarked)
	const complete = 2431 // tokens of the complete conversation, as earlier versions counted them
	if again != now || earlier != complete || len(unmarked) == len(log) {
		t.Errorf("%d tokens, %d in its replay, %d in that of an earlier recording", now, again, earlier)
	}
}
