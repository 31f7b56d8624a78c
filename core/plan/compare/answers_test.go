package compare

import (
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

// The settings of the planner's answers are checked like those of a plan.
func TestSettingsOfAnswersAreChecked(t *testing.T) {
	for _, c := range []struct {
		s     Settings
		valid bool
	}{
		{Settings{MaxTokens: 20, Temperature: 0.5}, true},
		{Settings{MaxTokens: -1}, false},
		{Settings{Temperature: 3}, false},
	} {
		c.s.Model = llm.Spec{Kind: llm.KindFirst}
		if err := c.s.Check(); (err == nil) != c.valid {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
}
