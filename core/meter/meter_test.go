package meter_test

import (
	"errors"
	"testing"

	"github.com/stile-playground/stile/core/meter"
)

func TestALimitIsReachedExactlyAndStays(t *testing.T) {
	for _, r := range []meter.Resource{meter.Steps, meter.States, meter.Tokens, meter.Calls, meter.Money} {
		m := meter.New(meter.Budget{Steps: 3, States: 3, Tokens: 3, Calls: 3, Money: 3})
		if err := m.Spend(r, 3); err != nil {
			t.Fatalf("%v: the last unit is refused: %v", r, err)
		}
		var limit *meter.LimitError
		if err := m.Spend(r, 1); !errors.As(err, &limit) || limit.Code() != "limit."+r.String() || limit.Max != 3 {
			t.Errorf("%v: %v", r, err)
		}
		if m.Spend(meter.Calls, 0) == nil {
			t.Errorf("%v: a spent meter goes on", r)
		}
	}
}

func TestZeroStandsForTheDefault(t *testing.T) {
	m := meter.New(meter.Budget{})
	if err := m.Spend(meter.States, meter.DefaultStates); err != nil {
		t.Error(err)
	}
	if m.Spend(meter.States, 1) == nil {
		t.Error("the default has no end")
	}
}

func TestANilMeterCountsNothing(t *testing.T) {
	var m *meter.Meter
	m.Stop(meter.ErrCancelled)
	if m.Step(1<<40) != nil || m.Spent(meter.Steps) != 0 {
		t.Error("a nil meter counts")
	}
}

func TestPauseComesAfterEachSlice(t *testing.T) {
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
		t.Error("pausing cannot be switched off")
	}
}

func TestAPauseCanEndTheWork(t *testing.T) {
	m := meter.New(meter.Budget{})
	m.SetSlice(1, func() error { return meter.ErrCancelled })
	for range 2 {
		if err := m.Step(1); !errors.Is(err, meter.ErrCancelled) {
			t.Errorf("%v", err)
		}
	}
}
