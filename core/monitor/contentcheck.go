package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// ContentCheck judges contents that are handed over one by one, without the prompts
// around them. It never changes and may be shared.
type ContentCheck struct {
	a        *agent.Agent
	prompts  prompts
	question int // the state of the task, or -1
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

// Fault returns why a state cannot have a content, or "". A prompt in a content that
// the model wrote begins another state. In a task and in the environment's answers it
// is text, as it is in a run.
func (c *ContentCheck) Fault(state int, content string) string {
	content = strings.TrimSpace(content)
	s := c.a.States[state]
	switch at, other := c.prompts.find(content, true); {
	case other < 0:
	case s.EnvInput || state == c.question:
		content = c.prompts.disguise(content)
	default:
		o := c.a.States[other]
		return fmt.Sprintf("%q contains the prompt %q; enter %q as a state of its own", s.Name, content[at:at+len(o.Text)], o.Name)
	}
	return wholeFault(c.a, state, content)
}

// wholeFault returns why a state cannot have a whole content, or "".
func wholeFault(a *agent.Agent, state int, content string) string {
	c := newContents(a, state)
	if fault := c.read(content); fault != "" {
		return fault
	}
	return c.end()
}
