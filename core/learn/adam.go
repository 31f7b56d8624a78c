package learn

import "math"

// The constants of Adam (Kingma and Ba 2015, Algorithm 1), beside its rate.
const (
	firstDecay  = 0.9
	secondDecay = 0.999
	epsilon     = 1e-8
)

// Adam adds to weights what lets a sum of rewards grow: it goes up a gradient by steps of
// about the rate, whatever the gradient's size.
type Adam struct {
	rate          float64
	first, second []float64 // moments
	firstPower    float64   // of the decays, by the steps made
	secondPower   float64
}

// NewAdam returns an Adam for so many weights.
func NewAdam(weights int, rate float64) *Adam {
	return &Adam{rate: rate, first: make([]float64, weights), second: make([]float64, weights), firstPower: 1, secondPower: 1}
}

// Step goes one step up a gradient.
func (a *Adam) Step(weights, gradient []float64) {
	a.firstPower *= firstDecay
	a.secondPower *= secondDecay
	first, second := 1-a.firstPower, 1-a.secondPower
	for i, g := range gradient {
		if g == 0 && a.second[i] == 0 && a.first[i] == 0 {
			continue // a weight that was never asked
		}
		m := float64(firstDecay*a.first[i]) + float64((1-firstDecay)*g)
		v := float64(secondDecay*a.second[i]) + float64((1-secondDecay)*float64(g*g))
		a.first[i], a.second[i] = m, v
		weights[i] += float64(a.rate*(m/first)) / (math.Sqrt(v/second) + epsilon)
	}
}
