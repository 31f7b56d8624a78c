package travel

// Only checks a plan, or a part of one, for one constraint. A hard one is evaluated without
// Complete Information and Within Sandbox, if the query has it. ok is false for an unknown
// name.
func (c Checker) Only(name string, q Query, p Plan) (check Check, ok bool) {
	t := c.trial(q, p)
	decide := commonsense(name)
	if decide == nil {
		asked := false
		if decide, asked = hard(name, q.Constraint); decide != nil && !asked {
			return skipped(name, false, "the query does not ask for it"), true
		}
	}
	if decide == nil {
		return Check{}, false
	}
	return t.judge(name, decide), true
}
