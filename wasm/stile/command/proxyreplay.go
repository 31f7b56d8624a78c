package command

import (
	"fmt"

	"github.com/stile-playground/stile/core/gate"
)

// replay returns a session with the messages of a request. After an event that the spec does not permit, the
// session refuses all calls.
func (p *chatProxy) replay(messages []chatMessage) (*gate.Session, error) {
	quiet := p.options
	quiet.Log = nil
	s, err := p.guard.Begin(quiet)
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		switch m.Role {
		case "user":
			s.Record(prompt(m.Text))
		case "assistant":
			if m.Text != "" {
				s.Record(gate.Event{Kind: "message", Name: "assistant", Content: m.Text})
			}
			for _, c := range m.ToolCalls {
				e, err := c.event()
				if err != nil {
					return nil, err
				}
				s.Record(e)
			}
		case "tool":
			s.Record(gate.Event{Kind: "result", ID: m.ToolCallID, Content: m.Text})
		case "system", "developer":
		default:
			return nil, fmt.Errorf("unknown role %q of a message", m.Role)
		}
	}
	return p.guard.Load(s.Save(), p.options)
}
