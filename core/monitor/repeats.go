package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

const (
	// maxRepeats is the number of times that a run accepts an answer of an endpoint to the same
	// text. A model in a loop would otherwise spend the run's budget.
	maxRepeats = 8
	// maxInRow is the number of times in a row that a run accepts an answer, whatever the text
	// before it.
	maxInRow = 16
	// comparedTail is the number of bytes at the end of a prompt by which texts are compared: the
	// text before them grows with each answer of a loop.
	comparedTail = 400
	// maxCut is the number of times in a row that a run accepts an answer that its limit of tokens
	// has cut off.
	maxCut = 4
)

// repeats counts equal answers of an endpoint.
type repeats struct {
	endpoint string
	counts   map[[2]string]int // by the end of the prompt and the answer
	last     string
	inRow    int
	cut      int // equal answers in a row that were cut off
	more     int // tokens by which the limit of answers was raised
}

// add counts an answer. It returns an error if the model makes no progress. A replay of a
// run that was recorded before this rule existed ignores it.
func (r *repeats) add(env *process.Env, request llm.Request, reply llm.Reply) error {
	answer := strings.TrimSpace(reply.Text)
	for _, c := range reply.ToolCalls {
		answer += "\n" + c.Name + c.Arguments
	}
	if answer != r.last {
		r.inRow, r.cut = 0, 0
	}
	r.last = answer
	r.inRow++
	if r.cut++; reply.Reason != llm.StopLength {
		r.cut = 0
	}
	if r.counts == nil {
		r.counts = map[[2]string]int{}
	}
	key := [2]string{tail(request), answer}
	r.counts[key]++
	if r.cut > 1 && !env.Earlier() {
		env.Revise()
		if err := r.cutOff(env, request, reply); err != nil {
			return err
		}
	}
	stuck := r.counts[key] >= maxRepeats || r.inRow >= maxInRow || answer == "" && r.inRow >= maxRepeats
	if !stuck || env.Earlier() {
		return nil
	}
	env.Revise()
	n := max(r.counts[key], r.inRow)
	if answer == "" {
		return source.NewError("monitor.repeats", fmt.Sprintf("the model gave %d empty answers; choose another model, or change the prompt", n))
	}
	return source.NewError("monitor.repeats", fmt.Sprintf("the model gave the same answer %d times: %q; choose another model, raise the temperature, or change the prompt", n, shorten(answer)))
}

// cutOff handles an answer that was cut off at the same text as the one before it: the first one raises the
// limit of tokens for the rest of the run. Another limit than that of the settings is a part of the answer, after
// which the model continues.
func (r *repeats) cutOff(env *process.Env, request llm.Request, reply llm.Reply) error {
	tokens := reply.Usage.Completion
	switch {
	case r.more == 0:
		r.more, r.cut = llm.MoreTokens, 0
		env.Emit(llm.CutRetry(r.endpoint, 1, tokens, request.MaxTokens+r.more))
	case r.cut >= maxCut:
		return source.NewError("monitor.repeats", fmt.Sprintf("the answer was cut off after %d tokens, %d times in the same place: %q; raise the tokens per answer, or choose another model", tokens, r.inRow, shorten(r.last)))
	}
	return nil
}

// repeated counts an answer of an endpoint; see [repeats.add].
func (r *runner) repeated(request llm.Request, reply llm.Reply) error {
	if r.settings.Model.Kind != llm.KindEndpoint {
		return nil
	}
	r.ledger.repeats.endpoint = r.settings.Model.Endpoint.Name
	return r.ledger.repeats.add(r.env, request, reply)
}

// tail returns the last comparedTail bytes of a prompt: of the messages and the text that the model continues.
func tail(request llm.Request) string {
	text := request.Prefix
	for i := len(request.Messages) - 1; i >= 0 && len(text) < comparedTail; i-- {
		m := request.Messages[i]
		calls := ""
		for _, c := range m.ToolCalls {
			calls += c.Name + c.Arguments
		}
		text = m.Content + calls + "\n" + text
	}
	return text[max(len(text)-comparedTail, 0):]
}
