package plan

import (
	"fmt"

	"github.com/stile-playground/stile/core/llm"
)

// cutOff returns the fault of an unreadable answer that its limit of tokens has cut off, or "". Earlier
// versions repeated the request with the same limit.
func (p *planner) cutOff(reply llm.Reply, read answer) string {
	if read.fault == "" || reply.Reason != llm.StopLength || p.settings.Model.Kind != llm.KindEndpoint || p.settings.Reading == ReadLogprobs || p.env.Earlier() {
		return ""
	}
	p.env.Revise()
	return fmt.Sprintf("the answer was cut off after %d tokens; raise the tokens per answer", reply.Usage.Completion)
}

// raise raises the limit of tokens after an answer that was cut off, and reports whether it did. It does so once for
// all requests of a run: a model that writes without end would otherwise spend the budget.
func (p *planner) raise(request *llm.Request, attempt int, reply llm.Reply) bool {
	if p.more > 0 {
		return false
	}
	p.more = llm.MoreTokens
	request.MaxTokens += llm.MoreTokens
	p.env.Emit(llm.CutRetry(p.settings.Model.Endpoint.Name, attempt, reply.Usage.Completion, request.MaxTokens))
	return true
}

func numberOfTries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}
