package meter_test

import (
	"errors"
	"testing"

	"github.com/stile-playground/stile/core/meter"
)

func TestLimitIsExactAndPermanent(t *testing.T) {
	for _, r := range []meter.Resource{meter.Steps, meter.States, meter.Tokens, meter.Calls, meter.Money} {
		m := meter.New(meter.Budget{Steps: 3, States: 3, Tokens: 3, Calls: 3, Money: 3e-6})
		if err := m.Spend(r, 3); err != nil {
			t.Fatalf("%v: the last unit is refused: %v", r, err)
		}
		var limit *meter.LimitError
		if err := m.Spend(r, 1); !errors.As(err, &limit) || limit.Code() != "limit."+r.String() || limit.Max != 3 {
			t.Errorf("%v: %v", r, err)
		}
		if m.Spend(meter.Calls, 0) == nil {
			t.Errorf("%v: a spent meter continues", r)
		}
	}
}

func TestZeroIsDefault(t *testing.T) {
	m := meter.New(meter.Budget{})
	if err := m.Spend(meter.States, meter.DefaultStates); err != nil {
		t.Error(err)
	}
	if m.Spend(meter.States, 1) == nil {
		t.Error("the default has no limit")
	}
}

func TestNilMeterCountsNothing(t *testing.T) {
	var m *meter.Meter
	m.Stop(meter.ErrCancelled)
	if m.Step(1<<40) != nil || m.Spent(meter.Steps) != 0 {
		t.Error("a nil meter counts")
	}
}

func TestPauseAfterEachSlice(t *testing.T) {
	m := meter.New(meter.Budget{})
	pauses := 0
	m.SetSlice(10, func() error { pauses++; return nil })
	for range 35 {
		if err := m.Step(1); err != nil {
			t.Fatal(err)
		}
	}
	if pauses != 3 {
		t.Errorf("%d pauses in 35 steps of 10", pauses)
	}
	m.SetSlice(0, nil)
	if err := m.Step(1000); err != nil || pauses != 3 {
		t.Error("pausing cannot be disabled")
	}
}

func TestPauseErrorEndsWork(t *testing.T) {
	m := meter.New(meter.Budget{})
	m.SetSlice(1, func() error { return meter.ErrCancelled })
	for range 2 {
		if err := m.Step(1); !errors.Is(err, meter.ErrCancelled) {
			t.Errorf("%v", err)
		}
	}
}

func TestDefaultsMatchTheirNames(t *testing.T) {
	for _, c := range []struct {
		resource meter.Resource
		max      int64
		name     string
	}{
		{meter.Steps, meter.DefaultSteps, "steps"}, {meter.States, meter.DefaultStates, "states"}, {meter.Tokens, meter.DefaultTokens, "tokens"},
		{meter.Calls, meter.DefaultCalls, "calls"}, {meter.Money, meter.DefaultMoney, "money"},
	} {
		m := meter.New(meter.Budget{})
		if err := m.Spend(c.resource, c.max); err != nil || m.Spent(c.resource) != c.max {
			t.Errorf("%s: %v, %d are spent", c.name, err, m.Spent(c.resource))
		}
		err := m.Spend(c.resource, 1)
		var limit *meter.LimitError
		if !errors.As(err, &limit) || limit.Max != c.max || limit.Resource.String() != c.name {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestLimitErrorMessages(t *testing.T) {
	for _, c := range []struct {
		limit meter.LimitError
		want  string
	}{
		{meter.LimitError{Resource: meter.Money, Max: 2_500_000}, "too expensive: more than $2.50 would be spent; raise the limit or choose a cheaper model"},
		{meter.LimitError{Resource: meter.Calls, Max: 7}, "too hard: more than 7 calls would be needed; make the spec smaller or raise the limit"},
		{meter.LimitError{Resource: meter.Tokens, Max: 7}, "too hard: more than 7 tokens would be needed; make the spec smaller or raise the limit"},
		{meter.LimitError{Resource: meter.Money, Max: meter.DefaultMoney}, "too expensive: more than $10.00 would be spent; raise the limit or choose a cheaper model"},
		{meter.LimitError{Resource: meter.States, Max: 7}, "too hard: more than 7 states would be needed; make the spec smaller"},
	} {
		if got := c.limit.Error(); got != c.want {
			t.Errorf("%q", got)
		}
	}
}

func TestSliceCountsStepsAndRestartsAfterPause(t *testing.T) {
	m := meter.New(meter.Budget{})
	pauses := 0
	m.SetSlice(10, func() error { pauses++; return nil })
	spend := func(r meter.Resource, n int64, want int) {
		t.Helper()
		if err := m.Spend(r, n); err != nil || pauses != want {
			t.Fatalf("%d pauses, want %d; %v", pauses, want, err)
		}
	}
	spend(meter.States, 1_000, 0)
	spend(meter.Steps, 9, 0)
	spend(meter.Steps, 1, 1)
	spend(meter.Steps, 9, 1)
	spend(meter.Steps, 25, 2)
	spend(meter.Steps, 9, 2)
	spend(meter.Steps, 1, 3)
	m.SetSlice(-5, nil)
	spend(meter.Steps, 100, 3)
}

func TestFirstStopReasonIsKept(t *testing.T) {
	m, first, second := meter.New(meter.Budget{}), errors.New("first"), errors.New("second")
	m.Stop(first)
	m.Stop(second)
	if err := m.Step(1); err != first || m.Spent(meter.Steps) != 0 {
		t.Errorf("%v, and %d steps are spent", err, m.Spent(meter.Steps))
	}
}

// Work that exceeds the limit of Within has spent its steps, but not its states. The
// meter's own limit and other errors are returned.
func TestWithinStopsAtItsLimit(t *testing.T) {
	other := errors.New("other")
	for _, c := range []struct {
		m                    *meter.Meter
		steps, states, slice int64
		fault                error
		enough, limit        bool
	}{
		{meter.New(meter.Budget{}), 100, 5, 160, nil, true, false},
		{meter.New(meter.Budget{}), 161, 0, 160, nil, false, false},
		{meter.New(meter.Budget{}), 1, 11, 160, nil, false, false},
		{meter.New(meter.Budget{Steps: 150}), 155, 0, 160, nil, false, true},
		{meter.New(meter.Budget{States: 5}), 1, 6, 160, nil, false, true},
		{meter.New(meter.Budget{}), 1, 1, 160, other, false, false},
		{nil, 161, 0, 160, nil, false, false},
		{nil, 160, 10, 160, nil, true, false},
	} {
		enough, err := c.m.Within(c.slice, func(m *meter.Meter) error {
			if err := m.Spend(meter.States, c.states); err != nil {
				return err
			}
			if err := m.Step(int(c.steps)); err != nil {
				return err
			}
			return c.fault
		})
		var limit *meter.LimitError
		if enough != c.enough || errors.As(err, &limit) != c.limit || c.fault != nil && err != c.fault {
			t.Errorf("%+v: %v, %v", c, enough, err)
		}
		if c.m != nil && !c.limit {
			if after := c.m.Step(1); after != nil {
				t.Errorf("%+v: the next step: %v", c, after)
			}
			if !enough && c.fault == nil && c.m.Spent(meter.States) != 0 {
				t.Errorf("%+v: %d states are spent", c, c.m.Spent(meter.States))
			}
		}
	}
}

func TestBudgetAffordsUntilOneBoundIsReached(t *testing.T) {
	for _, c := range []struct {
		budget meter.Budget
		code   string
	}{
		{meter.Budget{}, ""},
		{meter.Budget{Calls: 4, Tokens: 101, Money: 0.6, Steps: 1, States: 1}, ""},
		{meter.Budget{Calls: 3}, "limit.calls"}, {meter.Budget{Tokens: 100}, "limit.tokens"}, {meter.Budget{Money: 0.5}, "limit.money"},
	} {
		err := c.budget.Afford(3, 100, 0.5)
		var spent *meter.BudgetError
		if errors.As(err, &spent) != (c.code != "") || spent != nil && (spent.Code() != c.code || spent.Error() == "") {
			t.Errorf("%+v: got %v", c.budget, err)
		}
		if c.budget.Negative() || !(meter.Budget{Money: -1}).Negative() {
			t.Errorf("%+v: wrong sign", c.budget)
		}
	}
}
