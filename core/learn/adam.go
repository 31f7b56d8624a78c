package learn

import "math"

// The constants of Adam (Kingma and Ba 2015, Algorithm 1), except its rate.
const (
	firstDecay  = 0.9
	secondDecay = 0.999
	epsilon     = 1e-8
)

// Adam is the optimiser of Kingma and Ba (2015). Step ascends the gradient; the size of its steps
// is about the rate, whatever the size of the gradient.
type Adam struct {
	rate          float64
	first, second []float64 // moments
	firstPower    float64   // powers of the decay rates
	secondPower   float64
}

// NewAdam returns an Adam for the given number of weights.
func NewAdam(weights int, rate float64) *Adam {
	return &Adam{rate: rate, first: make([]float64, weights), second: make([]float64, weights), firstPower: 1, secondPower: 1}
}

// Step ascends the gradient once. It computes the factors that all weights share once per step, in
// the order that Kingma and Ba give at the end of section 2.
func (a *Adam) Step(weights, gradient []float64) {
	a.firstPower *= firstDecay
	a.secondPower *= secondDecay
	root := math.Sqrt(1 - a.secondPower)
	rate, small := float64(a.rate*root)/(1-a.firstPower), float64(epsilon*root)
	first, second := a.first[:len(gradient)], a.second[:len(gradient)]
	weights = weights[:len(gradient)]
	for i, g := range gradient {
		m, v := first[i], second[i]
		if g == 0 && v == 0 && m == 0 {
			continue // an unused weight
		}
		m = float64(firstDecay*m) + float64((1-firstDecay)*g)
		v = float64(secondDecay*v) + float64((1-secondDecay)*float64(g*g))
		first[i], second[i] = m, v
		weights[i] += float64(rate*m) / (math.Sqrt(v) + small)
	}
}
