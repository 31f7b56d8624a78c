package learn

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExponentialsAndLogarithmsAgreeWithTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	near := func(name string, x, got, want float64) {
		t.Helper()
		if difference := math.Abs(got - want); difference > 1e-14*math.Max(math.Abs(want), 1e-2) {
			t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
		}
	}
	for range 20_000 {
		x := (random.Float64() - 0.5) * 60
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-14 {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
		near("log", math.Exp(x), log(math.Exp(x)), math.Log(math.Exp(x)))
		y := 1 + (random.Float64()-0.5)*1e-3
		near("log", y, log(y), math.Log(y))
	}
	for _, c := range []struct{ got, want float64 }{
		{exp(0), 1}, {exp(-1_000), 0}, {exp(1_000), math.Inf(1)}, {exp(math.Inf(-1)), 0}, {exp(math.Inf(1)), math.Inf(1)},
		{log(1), 0}, {log(0), math.Inf(-1)}, {log(-1), math.Inf(-1)},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if !math.IsNaN(exp(math.NaN())) {
		t.Error("the exponential of no number is one")
	}
	if x := exp(-707.9); math.Abs(x/math.Exp(-707.9)-1) > 1e-12 {
		t.Errorf("exp(-707.9) = %v", x)
	}
	if x := exp(708.9); math.Abs(x/math.Exp(708.9)-1) > 1e-12 {
		t.Errorf("exp(708.9) = %v", x)
	}
}

func TestIntervalsUseStudentsT(t *testing.T) {
	// Mean 3, deviation √2.5, five values: 3 ± 2.776·√(2.5/5).
	got := IntervalOf([]float64{1, 2, 3, 4, 5})
	if half := 2.776 * math.Sqrt(0.5); got.Mean != 3 || math.Abs(got.Low-(3-half)) > 1e-12 || math.Abs(got.High-(3+half)) > 1e-12 {
		t.Errorf("%+v", got)
	}
	if got := IntervalOf([]float64{7}); got != (Interval{7, 7, 7}) {
		t.Errorf("of one value: %+v", got)
	}
	if got := IntervalOf(nil); got != (Interval{}) {
		t.Errorf("of none: %+v", got)
	}
	for _, c := range []struct {
		freedom int
		want    float64
	}{{1, 12.706}, {19, 2.093}, {30, 2.042}, {40, 2.021}, {60, 2.000}, {99, 1.984}} {
		if got := student(c.freedom); math.Abs(got-c.want) > 0.002 {
			t.Errorf("t of %d is %v, want %v", c.freedom, got, c.want)
		}
	}
}
