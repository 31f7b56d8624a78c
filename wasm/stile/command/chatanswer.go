package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// refused describes a refused call or text: the sentence for the model, and the member stile for programs.
type refused struct {
	Tool   string `json:"tool"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Rule   string `json:"rule"`

	written bool // a text of the model was refused, not a call
}

func (r *refused) text() string {
	if r.written {
		return "The text was refused: " + r.Reason + "."
	}
	return fmt.Sprintf("The call of %q was refused: %s.", r.Tool, r.Reason)
}

// judgeCall judges a call of an answer. It returns nil if the call is allowed.
func judgeCall(s *gate.Session, text json.RawMessage) *refused {
	var c chatCall
	if err := json.Unmarshal(text, &c); err != nil {
		return &refused{Code: "call.arguments", Reason: "the call cannot be read"}
	}
	e, err := c.event()
	if err != nil {
		return &refused{Code: "call.tool", Reason: err.Error()}
	}
	if d := s.Allow(e); d.Verdict != gate.Allow {
		return &refused{Tool: e.Name, Code: d.Code, Reason: refusal(d), Rule: d.Rule}
	}
	return nil
}

// answer returns an answer without its refused part: the rest of the text and all calls, or the first refused
// call and the calls after it. The reason of the refusal becomes a text of the model.
func (t *chatText) answer(text []byte) ([]byte, error) {
	var answer, choice, message object
	var choices, calls []json.RawMessage
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answer["choices"], &choices); err != nil || len(choices) != 1 {
		return nil, errors.New("the answer has to have one choice")
	}
	if err := errors.Join(json.Unmarshal(choices[0], &choice), json.Unmarshal(choice["message"], &message)); err != nil {
		return nil, err
	}
	if c := message["tool_calls"]; c != nil {
		if err := json.Unmarshal(c, &calls); err != nil {
			return nil, err
		}
	}
	if err := t.delivered(answer, choice, message); err != nil {
		return nil, err
	}
	member, content, r, err := t.judge(message, true)
	allowed := 0
	for r == nil && err == nil && allowed < len(calls) {
		if r = judgeCall(t.session, calls[allowed]); r == nil {
			allowed++
		}
	}
	if err != nil {
		return nil, err
	}
	if r != nil {
		delete(message, "refusal")
		set(message, "content", strings.TrimSpace(content+"\n"+r.text()))
		set(message, "tool_calls", calls[:allowed])
		set(choice, "finish_reason", "tool_calls")
		if allowed == 0 {
			delete(message, "tool_calls")
			set(choice, "finish_reason", "stop")
		}
		set(answer, "stile", r)
	} else if content != "" {
		set(message, member, content)
	}
	set(choice, "message", message)
	set(answer, "choices", []object{choice})
	return json.Marshal(answer)
}
