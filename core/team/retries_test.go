package team

import (
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

// listener is a model that records the messages of its requests.
type listener struct {
	requests [][]llm.Message
	answers  []string
}

// Generate implements [llm.Model].
func (l *listener) Generate(_ *process.Env, r llm.Request, _ func(string) bool) (llm.Reply, error) {
	l.requests = append(l.requests, slices.Clone(r.Messages))
	text := l.answers[min(len(l.requests), len(l.answers))-1]
	return llm.Reply{Text: text, Reason: llm.StopEnd, Usage: llm.Usage{Prompt: len(r.Messages), Completion: 1}}, nil
}

// A repeated request has the prompt, the last answer and its faults, and not the answers before it. A replay of an
// earlier recording sends the complete conversation.
func TestRetriesDoNotSendAllFaultyAnswers(t *testing.T) {
	text := `(define a (:executors (one (:does "x")) (two (:does "y"))) (:limits (retries 3)))`
	for _, earlier := range []bool{false, true} {
		manager := &listener{answers: []string{"first", "second", "third", "fourth"}}
		setup := Setup{Play: func(who string) llm.Model {
			if who == "manager" {
				return manager
			}
			return nil
		}}
		var log []process.Answer
		if earlier { // a log that is longer than the conversation
			log = []process.Answer{{Effect: "e1", Value: []byte("null")}}
		}
		h := newHost(mustTeam(t, text), setup, Settings{Task: "t", Model: llm.Spec{Kind: llm.KindFirst}}, log)
		if out := h.run(t, inTurn, -1); out.Err == nil {
			t.Fatal("the manager's answers are usable")
		}
		want := []int{1, 3, 3, 3}
		if earlier {
			want = []int{1, 3, 5, 7}
		}
		var counts []int
		for i, messages := range manager.requests {
			counts = append(counts, len(messages))
			if last := messages[max(len(messages)-2, 0)].Content; i > 0 && last != manager.answers[i-1] {
				t.Errorf("request %d has the answer %q", i+1, last)
			}
		}
		if !slices.Equal(counts, want) {
			t.Errorf("the requests have %v messages, want %v", counts, want)
		}
	}
}
