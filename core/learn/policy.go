package learn

// Policy is a softmax policy: the score of an action is the sum of its weights over the
// active features.
type Policy struct {
	actions int
	weights []float64 // by feature, then by action
}

// NewPolicy returns a policy with equal probabilities.
func NewPolicy(features, actions int) *Policy {
	return &Policy{actions: actions, weights: make([]float64, features*actions)}
}

// Probabilities writes the probabilities of the offered actions to into, which has the same
// length.
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

// Grow adds factor times the gradient of the chosen action's log-probability. The
// derivative by the weight of an active feature and an offered action is 1 for the chosen
// action minus the action's probability.
func (p *Policy) Grow(gradient []float64, features, offered []int, probabilities []float64, chosen int, factor float64) {
	for _, f := range features {
		row := gradient[f*p.actions : (f+1)*p.actions]
		for i, a := range offered {
			row[a] -= float64(factor * probabilities[i])
		}
		row[offered[chosen]] += factor
	}
}

// draw returns the index of the probability that contains at, a number from 0 to 1, if the
// probabilities are laid end to end.
func draw(probabilities []float64, at float64) int {
	for i, p := range probabilities {
		if at -= p; at < 0 {
			return i
		}
	}
	// Because of rounding, the probabilities may add up to less than at.
	return len(probabilities) - 1
}
