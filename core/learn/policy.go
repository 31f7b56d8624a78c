package learn

// Policy chooses: the probability of an action among those that are offered is a softmax
// of scores, and a score is a sum of weights, one for each feature that holds.
type Policy struct {
	actions int
	weights []float64 // by feature, then by action
}

// NewPolicy returns a policy for which all choices are alike.
func NewPolicy(features, actions int) *Policy {
	return &Policy{actions: actions, weights: make([]float64, features*actions)}
}

// Probabilities writes those of the offered actions into p, which is as long.
func (p *Policy) Probabilities(features, offered []int, into []float64) {
	for i := range into {
		into[i] = 0
	}
	for _, f := range features {
		row := p.weights[f*p.actions : (f+1)*p.actions]
		for i, a := range offered {
			into[i] += row[a]
		}
	}
	highest := into[0]
	for _, s := range into[1:] {
		if s > highest {
			highest = s
		}
	}
	sum := 0.0
	for i, s := range into {
		into[i] = exp(s - highest)
		sum += into[i]
	}
	for i := range into {
		into[i] /= sum
	}
}

// Grow adds the gradient of a choice's log-probability to a gradient, times a factor.
// Its derivative by the weight of a feature that holds and an offered action is 1 for
// the chosen one, less the action's probability.
func (p *Policy) Grow(gradient []float64, features, offered []int, probabilities []float64, chosen int, factor float64) {
	for _, f := range features {
		row := gradient[f*p.actions : (f+1)*p.actions]
		for i, a := range offered {
			row[a] -= float64(factor * probabilities[i])
		}
		row[offered[chosen]] += factor
	}
}

// draw returns which of several things with probabilities a number from 0 to 1 hits.
func draw(probabilities []float64, at float64) int {
	for i, p := range probabilities {
		if at -= p; at < 0 {
			return i
		}
	}
	// What is left is rounding.
	return len(probabilities) - 1
}
