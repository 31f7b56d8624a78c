package team

import (
	"slices"

	"github.com/stile-playground/stile/core/process"
)

// globalScope returns the values of global checks.
func (r *run) globalScope(answer string) Scope {
	var done []*work
	for _, w := range r.works {
		if w.state == StateDone {
			done = append(done, w)
		}
	}
	s := Scope{Values: map[string]Value{"results": listOf(done)}, Missing: map[string]string{}}
	if answer != "" {
		s.Values["text"] = textValue(answer)
		structured(&s, "answer", answer, "the answer")
	}
	return s
}

// checkGlobal evaluates the global checks that refer to results only, once all results
// exist. If a check does not hold, the last sub-task that it refers to and all sub-tasks
// that depend on this one are done again. Each check may cause this at most r.retries
// times. again reports whether a sub-task must be done again.
func (r *run) checkGlobal() (again bool) {
	r.violations = r.violations[:0]
	for _, c := range r.spec.Global {
		if c.Check == nil || c.Check.Delivery() {
			continue
		}
		o := c.Check.Decide(r.globalScope(""))
		if o.Holds {
			continue
		}
		v := Violation{Constraint: c.String(), Reason: o.Reason}
		culprit := r.culprit(c.Check)
		if culprit == nil || r.redone[c.String()] >= r.retries {
			r.violated(r.env, v)
			r.violations = append(r.violations, v)
			continue
		}
		r.redone[c.String()]++
		v.Subtask = culprit.sub.ID
		fault := r.violated(r.env, v)
		text := culprit.text
		for _, id := range r.graph.After(culprit.sub.ID) {
			w := r.work(id)
			if w.state == StateDone || w.state == StateBlocked {
				w.state, w.coro, w.text, w.reason = StateWaiting, nil, "", ""
			}
		}
		culprit.text, culprit.trouble, culprit.reason = text, fault+" (together with what others found)", fault
		for _, id := range r.graph.After(culprit.sub.ID) {
			r.emitState(r.env, r.work(id))
		}
		return true
	}
	return false
}

// culprit returns the last finished sub-task, in the order of the graph, whose result a
// check refers to, or nil.
func (r *run) culprit(e *Expression) *work {
	var executors []string
	all := false
	e.root.each(func(n *node) {
		switch {
		case n.kind == kindCall && n.name == "of" && n.of[0].kind == kindLiteral:
			executors = append(executors, n.of[0].value.Text)
		case n.kind == kindName && n.name == "results", n.kind == kindCall && n.name == "of":
			all = true
		}
	})
	order, _ := r.graph.Order()
	for _, i := range slices.Backward(order) {
		w := r.works[i]
		if w.state == StateDone && (all || slices.ContainsFunc(w.given, func(e *Executor) bool { return slices.Contains(executors, e.Name) })) {
			return w
		}
	}
	return nil
}

// deliver asks the deliverer until its answer satisfies the global checks that refer to
// the answer, or no retry is left.
func (r *run) deliver() (answer string, broken []Violation, err error) {
	faults, err := r.conversation(r.env, Deliverer, nil, r.delivererPrompt(), "", func(text string) ([]string, error) {
		answer = text
		faults, violations := r.judge(r.env, text)
		broken = violations
		return faults, nil
	})
	return answer, incomplete(faults, broken), err
}

// incomplete adds the violation of an answer that was cut off: the only fault that has no
// violation yet.
func incomplete(faults []string, broken []Violation) []Violation {
	if len(faults) > len(broken) {
		broken = append(broken, Violation{Constraint: "the answer is complete", Reason: faults[0]})
	}
	return broken
}

// judge returns the faults of an answer and the violations that cause them.
func (r *run) judge(env *process.Env, answer string) (faults []string, violations []Violation) {
	if answer == "" {
		return []string{"the answer is empty"}, []Violation{{Constraint: "there is an answer", Reason: "it is empty"}}
	}
	for _, c := range r.spec.Global {
		if c.Check == nil || !c.Check.Delivery() {
			continue
		}
		if o := c.Check.Decide(r.globalScope(answer)); !o.Holds {
			v := Violation{Constraint: c.String(), Reason: o.Reason}
			violations = append(violations, v)
			faults = append(faults, r.violated(env, v))
		}
	}
	return faults, violations
}

// delivered ends the trace and reports the formulas that it does not satisfy.
func (r *run) delivered() {
	e := Event{Kind: EventDelivered}
	for _, p := range r.rules {
		if !p.ends(e) {
			v := Violation{Constraint: p.constraint.String(), Reason: "the events up to the delivery do not satisfy it"}
			if !p.lost() { // otherwise it is reported already
				r.violated(r.env, v)
			}
			r.violations = append(r.violations, v)
		}
	}
	r.record(e)
}
