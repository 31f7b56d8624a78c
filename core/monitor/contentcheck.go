package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// ContentCheck judges single contents without the prompts around them. It is immutable
// and may be shared.
type ContentCheck struct {
	a        *agent.Agent
	prompts  prompts
	question int // state of the task, or -1
}

// NewContentCheck returns the check of an agent's contents. The error is that of
// [agent.Agent.Contents].
func NewContentCheck(a *agent.Agent) (*ContentCheck, error) {
	c := &ContentCheck{a: a, prompts: newPrompts(a), question: -1}
	if q, ok := questionState(a); ok {
		c.question = q
	}
	return c, a.Contents()
}

// Fault returns the reason why a state cannot have a content, or "". A prompt within a
// content of the model is a fault, as it begins another state. In the task and in contents
// of the environment it is text, as in a run.
func (c *ContentCheck) Fault(state int, content string) string {
	content = strings.TrimSpace(content)
	s := c.a.States[state]
	switch at, other, length := c.prompts.scan(content).next(0, false); {
	case other < 0:
	case s.EnvInput || state == c.question:
		content = c.prompts.disguise(content)
	default:
		o := c.a.States[other]
		return fmt.Sprintf("%q contains the prompt %q; enter %q as a separate state", s.Name, content[at:at+length], o.Name)
	}
	return contentFault(c.a, state, content)
}

// contentFault returns the reason why a state cannot have a content, or "". It ignores
// prompts in it.
func contentFault(a *agent.Agent, state int, content string) string {
	c := newContents(a, state)
	if fault := c.read(content); fault != "" {
		return fault
	}
	return c.end()
}
