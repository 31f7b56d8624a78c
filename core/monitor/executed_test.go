package monitor

import (
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Code in the content of an agent's state is judged; other code that the environment ran is unread.
func TestExecutedCodeInStates(t *testing.T) {
	a := compile(t, `(define a (:states (Thought (:text "Thought:")) (Code (:text "Code:"))) (:behavior (next Thought Code)))`)
	for text, want := range map[string]int{"Thought: go\nCode: ```py\nf()\n```": 0, "```py\nf()\n```": 1, "Thought: go\n```py\nf()\n```\nCode: ```py\nf()\n```": 1} {
		part := Part{Kind: PartText, Text: text, Span: source.Span{Start: 3, End: 9}}
		read := &Trace{Conversations: []Conversation{{Parts: []Part{part}}}, Unread: []Unread{trace.Unread{Span: part.Span, Executed: true}}}
		if got := NewJudge(a, nil, Roles{}).unread(read); len(got) != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
