package rules

// Index returns the index of a variable in its rule, less than 64.
func (v *Variable) Index() int { return v.index }

// Locals returns the variables that are existentially quantified in f, which is an operand of the
// rule or its formula: bit i is set for the variable with index i.
func (r *Rule) Locals(f *Formula) uint64 {
	if region := r.regions[f]; region != nil {
		return uint64(region.locals)
	}
	return 0
}

// Some returns the names of the variables of [Rule.Locals].
func (r *Rule) Some(f *Formula) (out []string) {
	locals := set(r.Locals(f))
	for _, v := range r.variables {
		if locals.has(v.index) {
			out = append(out, "?"+v.Name)
		}
	}
	return out
}

// Binds returns the variables that a formula binds, as bits like those of [Rule.Locals].
func (r *Rule) Binds(f *Formula) uint64 { return uint64(binds(f)) }

// Past evaluates the formula of a rule for which [Rule.Order] is true, event by event.
type Past struct{ past past }

// NewPast returns the evaluation of a formula about the order of calls.
func NewPast(f *Formula) *Past {
	p := &Past{}
	p.past.add(f)
	return p
}

// Start returns the state before the first event. Equal states have equal continuations.
func (p *Past) Start() []byte { return p.past.start() }

// Step returns the state after an event of a kind and a name, and whether the formula holds at it.
func (p *Past) Step(before []byte, kind, name string) (after []byte, holds bool) {
	return p.past.step(before, kind, name)
}
