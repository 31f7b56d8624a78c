package process

import "github.com/stile-playground/stile/core/meter"

// Ceiling bounds the requests to endpoints of a run and of the processes nested in it. The
// budget in a run's settings bounds the calls of all models and ends the run first if it is
// smaller.
type Ceiling struct {
	most   meter.Budget
	calls  int
	tokens int
	money  float64
}

// SetCeiling bounds the requests of the run to endpoints; 0 in a field is no bound.
func (p *Process) SetCeiling(most meter.Budget) { p.ceiling.most = most }

// Ceiling returns the ceiling of the outermost process.
func (e *Env) Ceiling() *Ceiling {
	p := e.process
	for p.outer != nil {
		p = p.outer
	}
	return &p.ceiling
}

// Bound bounds the requests by resources that have no bound yet.
func (c *Ceiling) Bound(most meter.Budget) { c.most = c.most.Or(most) }

// Afford returns a *[meter.CeilingError] if the run may make no further request.
func (c *Ceiling) Afford() error {
	return c.most.AffordCeiling(c.calls, c.tokens, c.money)
}

// AffordAnswer returns a *[meter.CeilingError] if the run may not continue an answer that has a
// number of tokens so far, at a price in dollars per token.
func (c *Ceiling) AffordAnswer(tokens int, price float64) error {
	return c.most.AffordCeiling(0, c.tokens+tokens, c.money+price*float64(tokens))
}

// Spent returns the requests, tokens and dollars so far.
func (c *Ceiling) Spent() meter.Budget {
	return meter.Budget{Calls: c.calls, Tokens: c.tokens, Money: c.money}
}

// Add counts requests, tokens of both directions, and dollars.
func (c *Ceiling) Add(calls, tokens int, money float64) {
	c.calls += calls
	c.tokens += tokens
	c.money += money
}
