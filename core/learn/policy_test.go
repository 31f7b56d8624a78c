package learn

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The gradient is that of the log-probability, by central differences at every weight.
func TestGradientEqualsLogProbabilityDerivative(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const features, actions = 6, 7
	for range 20 {
		p := NewPolicy(features, actions)
		for i := range p.weights {
			p.weights[i] = random.NormFloat64()
		}
		holding, offered := random.Perm(features)[:3], random.Perm(actions)[:4]
		chosen, factor := random.IntN(len(offered)), random.NormFloat64()
		probabilities := make([]float64, len(offered))
		p.Probabilities(holding, offered, probabilities)
		gradient := make([]float64, len(p.weights))
		p.Grow(gradient, holding, offered, probabilities, chosen, factor)
		value := func() float64 {
			out := make([]float64, len(offered))
			p.Probabilities(holding, offered, out)
			return factor * math.Log(out[chosen])
		}
		for i := range p.weights {
			const step = 1e-5
			before := p.weights[i]
			p.weights[i] = before + step
			high := value()
			p.weights[i] = before - step
			low := value()
			p.weights[i] = before
			if want := (high - low) / (2 * step); math.Abs(gradient[i]-want) > 1e-8 {
				t.Fatalf("weight %d: the gradient is %v, by differences %v", i, gradient[i], want)
			}
		}
	}
}

func TestProbabilitiesOfAllChoicesSumToOne(t *testing.T) {
	p := NewPolicy(1, 3)
	p.weights = []float64{700, -700, 700}
	got := make([]float64, 3)
	p.Probabilities([]int{0}, []int{0, 1, 2}, got)
	if got[0] != 0.5 || got[2] != 0.5 || got[1] != 0 {
		t.Errorf("%v", got)
	}
	p.Probabilities([]int{0}, []int{2, 1}, got[:2])
	if got[0] != 1 {
		t.Errorf("%v", got)
	}
	p.Probabilities(nil, []int{0, 1, 2}, got)
	for _, x := range got {
		if math.Abs(x-1.0/3) > 1e-15 {
			t.Errorf("without features: %v", got)
		}
	}
}

func TestDrawsFollowTheProbabilities(t *testing.T) {
	p := []float64{0.25, 0, 0.5, 0.25}
	for _, c := range []struct {
		at   float64
		want int
	}{{0, 0}, {0.24, 0}, {0.25, 2}, {0.74, 2}, {0.76, 3}, {0.999, 3}, {1, 3}} {
		if got := draw(p, c.at); got != c.want {
			t.Errorf("%v draws %d, want %d", c.at, got, c.want)
		}
	}
}

// Two steps, computed by hand after Kingma and Ba's Algorithm 1.
func TestAdamStepsMatchThePaper(t *testing.T) {
	weights := []float64{1, 1, 1}
	a := NewAdam(3, 0.1)
	a.Step(weights, []float64{2, -0.5, 0})
	// The first step is the rate for any gradient: m̂ = g, v̂ = g².
	for i, want := range []float64{1.1, 0.9, 1} {
		if math.Abs(weights[i]-want) > 1e-8 {
			t.Fatalf("after a step the weights are %v", weights)
		}
	}
	a.Step(weights, []float64{-1, -0.5, 0})
	// m = 0.9·0.2 − 0.1·1 = 0.08, m̂ = 0.08/0.19; v = 0.999·0.004 + 0.001·1 = 0.004996, v̂ = v/0.001999.
	first := 1.1 + 0.1*(0.08/0.19)/(math.Sqrt(0.004996/0.001999)+1e-8)
	for i, want := range []float64{first, 0.8, 1} {
		if math.Abs(weights[i]-want) > 1e-7 {
			t.Errorf("after two steps the weights are %v; number %d is to be %v", weights, i, want)
		}
	}
	// A weight that had a gradient once still moves without one.
	before := weights[0]
	a.Step(weights, []float64{0, 0, 0})
	if weights[0] == before || weights[2] != 1 {
		t.Errorf("after a step without a gradient the weights are %v", weights)
	}
}
