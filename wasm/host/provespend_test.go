package host_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/wasm/host"
)

// The bound grows beyond 8 events while the time of a question lasts, and never beyond the maximum. An
// unanswered request leaves the bound that is known.
func TestBoundGrowsWhileTimeIsLeft(t *testing.T) {
	for _, c := range []struct {
		settings session.ProveSettings
		silent   int // the request from which on the solver does not answer
		text     string
	}{
		{session.ProveSettings{}, 99, "no session of up to 8 events violates the rule"},
		{session.ProveSettings{Max: 16}, 99, "no session of up to 16 events violates the rule"},
		{session.ProveSettings{Max: 16, Spend: 10_000}, 99, "no session of up to 16 events violates the rule"},
		{session.ProveSettings{Max: 16, Spend: 1000}, 99, "no session of up to 10 events violates the rule"},
		{session.ProveSettings{Max: 9, Spend: 1000}, 99, "no session of up to 9 events violates the rule"},
		{session.ProveSettings{Max: 16, Spend: 1}, 99, "no session of up to 8 events violates the rule"},
		{session.ProveSettings{Max: 16, Spend: 1000}, 9, "no session of up to 9 events violates the rule"},
		{session.ProveSettings{Max: 16}, 9, "not decided for 10 events: Z3 gave up without a reason"},
	} {
		c.settings.Source, c.settings.Question, c.settings.Rule = "a: pay(x: ?x) -> ?x = ?x\n", "violable", "a"
		raw, err := json.Marshal(c.settings)
		if err != nil {
			t.Fatal(err)
		}
		requests := 0
		runner := host.Runner{Handler: host.Native(session.New()), Solve: func(_ context.Context, q solve.Query) (solve.Reply, error) {
			if requests++; requests > c.silent {
				return solve.Reply{Text: "unknown\n", Milliseconds: 1}, nil
			}
			return solve.Reply{Text: "unsat\n", Milliseconds: 100}, nil
		}}
		done, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunProve, Settings: raw})
		if err != nil {
			t.Fatal(err)
		}
		var out session.ProveOutcome
		if err := json.Unmarshal(done.Result, &out); err != nil {
			t.Fatal(err)
		}
		if got := out.Answers[0].Text; got != c.text {
			t.Errorf("%+v: %s, expected %s", c.settings, got, c.text)
		}
	}
}
