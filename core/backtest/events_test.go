package backtest_test

import (
	"testing"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// The field "input" of a result is the arguments of its call, also if the tool returns a member of this name.
func TestInputOfResultsIsThatOfTheCall(t *testing.T) {
	text := `{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"login","arguments":"{\"account\":\"A\"}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"{\"ok\":true,\"input\":\"B\"}"},{"role":"assistant","content":"done"}]}`
	s := open(t, workspace.File{Name: "r.rules", Text: "own: login.result() -> login.result(input.account: \"A\")\nother: !login.result(input: \"B\")\n"})
	for _, c := range s.Judge("t.json", text, backtest.Options{})[0].Cells {
		if c.Outcome != backtest.Held {
			t.Errorf("%+v", c)
		}
	}
}

// A file of rules without a rule judges nothing.
func TestSpecsWithoutRulesAreRefused(t *testing.T) {
	if _, err := backtest.Open(language.Table(), []workspace.File{{Name: "r.rules", Text: "# none\n"}}); err == nil {
		t.Error("opened")
	}
}
