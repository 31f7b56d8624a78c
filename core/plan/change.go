package plan

import (
	"fmt"

	"github.com/stile-playground/stile/core/llm"
)

// Change overrides settings from offer From onwards: a person or another model takes over,
// or the prompt changes. Empty fields keep their setting. Earlier offers stay the same, so
// that a run forked at From can be replayed from its log and continue with the change.
type Change struct {
	From     int       `json:"from"` // the offer, from 1
	Model    *llm.Spec `json:"model,omitempty"`
	Attempts int       `json:"attempts,omitempty"`
	Reading  string    `json:"reading,omitempty"`
	Template string    `json:"template,omitempty"`
}

// in returns the settings with the change applied.
func (c Change) in(s Settings) Settings {
	if c.Model != nil {
		s.Model = *c.Model
	}
	if c.Attempts > 0 {
		s.Attempts = c.Attempts
	}
	if c.Reading != "" {
		s.Reading = c.Reading
	}
	if c.Template != "" {
		s.Template = c.Template
	}
	return s
}

// checkChanges returns an error for a change that cannot be applied.
func (s Settings) checkChanges() error {
	list := s.Changes
	s.Changes = nil
	for _, c := range list {
		if c.From < 1 {
			return settingsError(fmt.Sprintf("a change must begin at offer 1 or later, not %d", c.From))
		}
		if err := c.in(s).Check(); err != nil {
			return err
		}
	}
	return nil
}

// change applies the changes that begin with the current offer.
func (p *planner) change() error {
	for _, c := range p.settings.Changes {
		if c.From != p.offers {
			continue
		}
		p.settings = c.in(p.settings)
		if c.Model != nil {
			var err error
			if p.model, err = llm.New(*c.Model); err != nil {
				return err
			}
		}
	}
	return nil
}
