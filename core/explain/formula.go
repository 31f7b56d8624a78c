package explain

import (
	"fmt"

	"github.com/stile-playground/stile/core/ltl"
)

// Formula explains a formula in one English sentence. Formulas that are instances of a property
// specification pattern (Dwyer, Avrunin and Corbett 1999: absence, existence, universality,
// precedence, response and their combinations) have the sentence of the pattern; others are
// explained operator by operator. A "p step" is a step of the trace at which p holds.
// A formula whose operators are nested deeper than maxNesting has a sentence that reports
// the depth.
func Formula(f *ltl.Formula) string {
	if deep(f) {
		return fmt.Sprintf("A formula with operators in more than %d levels; explain its parts.", maxNesting)
	}
	return sentence(whole(f))
}

// maxNesting bounds the recursion of explanations. Browsers have room for some thousand calls of
// WebAssembly, and nobody reads longer sentences.
const maxNesting = 300

// deep reports whether operators are nested in more than maxNesting levels. Its stack is on the heap.
func deep(f *ltl.Formula) bool {
	level := []*ltl.Formula{f}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxNesting {
			return true
		}
		var next []*ltl.Formula
		known := map[*ltl.Formula]bool{} // definitions may share parts
		for _, f := range level {
			for _, part := range []*ltl.Formula{f.Left, f.Right} {
				if part != nil && !known[part] {
					known[part] = true
					next = append(next, part)
				}
			}
		}
		level = next
	}
	return false
}

// whole explains a formula at the first step of a trace, without a capital letter and a full stop.
func whole(f *ltl.Formula) string {
	if text := pattern(f); text != "" {
		return text
	}
	switch f.Op {
	case ltl.And:
		return listed(operands(f, ltl.And), "and", whole)
	case ltl.Or:
		return "either " + listed(operands(f, ltl.Or), "or", whole)
	case ltl.Implies:
		return "if " + whole(f.Left) + ", then " + whole(f.Right)
	case ltl.Iff:
		return whole(f.Left) + " if and only if " + whole(f.Right)
	case ltl.Not:
		return "the following is false: " + whole(f.Left)
	}
	return at(f, "the first step")
}

// pattern returns the explanation of an instance of a pattern, or "".
func pattern(f *ltl.Formula) string {
	switch f.Op {
	case ltl.True:
		return "every trace is valid"
	case ltl.False:
		return "no trace is valid"
	case ltl.Globally:
		return always(f.Left)
	case ltl.Finally:
		return eventually(f.Left)
	case ltl.Until, ltl.WeakUntil:
		return until(f)
	case ltl.Release, ltl.StrongRelease:
		return release(f)
	case ltl.Not:
		switch p, n := repeated(f.Left); {
		case n == 1:
			return always(ltl.New(ltl.Not, p))
		case n == 2:
			return "at most one " + step(p) + " occurs"
		case n > 2:
			return "at most " + number(n-1) + " " + plural(step(p)) + " occur"
		}
	}
	return ""
}

// repeated returns p and n for F(p & X F(p & …)), which states that p occurs n times; n is 0 for
// other formulas.
func repeated(f *ltl.Formula) (p *ltl.Formula, n int) {
	for f.Op == ltl.Finally {
		n++
		if state(f.Left) {
			if p != nil && !equal(p, f.Left) {
				return nil, 0
			}
			return f.Left, n
		}
		g := f.Left
		if g.Op != ltl.And || !state(g.Left) || p != nil && !equal(p, g.Left) || g.Right.Op != ltl.Next {
			return nil, 0
		}
		p, f = g.Left, g.Right.Left
	}
	return nil, 0
}

// later returns f and n for n next operators before f.
func later(f *ltl.Formula) (of *ltl.Formula, n int) {
	for ; f.Op == ltl.Next; n++ {
		f = f.Left
	}
	return f, n
}

// ends reports whether a formula states that there is no next step.
func ends(f *ltl.Formula) bool {
	return f.Op == ltl.Last || f.Op == ltl.WeakNext && f.Left.Op == ltl.False || f.Op == ltl.Not && f.Left.Op == ltl.Next && f.Left.Left.Op == ltl.True
}

// always explains G f.
func always(f *ltl.Formula) string {
	switch {
	case f.Op == ltl.Not && state(f.Left):
		return "no " + step(f.Left) + " occurs"
	case f.Op == ltl.Implies && f.Left.Op == ltl.Next && state(f.Left.Left) && state(f.Right):
		return "every " + step(f.Left.Left) + " after the first step is immediately preceded by " + article(step(f.Right))
	case f.Op == ltl.Implies && state(f.Left) && f.Left.Op != ltl.Last:
		return conditional(f.Left, f.Right)
	case f.Op == ltl.Implies && f.Left.Op == ltl.Last && state(f.Right):
		return "the last step is " + kind(f.Right)
	case f.Op == ltl.Or && f.Left.Op == ltl.Not && state(f.Left.Left) && !state(f.Right): // !p | f is p -> f
		return conditional(f.Left.Left, f.Right)
	case f.Op == ltl.And:
		return listed(operands(f, ltl.And), "and", always)
	case f.Op == ltl.Finally && state(f.Left):
		return "the last step is " + kind(f.Left)
	case state(f):
		return "every step is " + kind(f)
	}
	return ""
}

// conditional explains G (p -> f).
func conditional(p, f *ltl.Formula) string {
	for _, explain := range []func(p, f *ltl.Formula) string{excluded, response, between} {
		if text := explain(p, f); text != "" {
			return text
		}
	}
	every := "every " + step(p)
	switch {
	case ends(f):
		return "only the last step can be " + article(step(p))
	case f.Op == ltl.Not && state(f.Left):
		return "no step is both " + kind(p) + " and " + kind(f.Left)
	case state(f):
		return every + " is also " + kind(f)
	}
	return "at " + every + ", " + at(f, "it")
}

// excluded explains G (p -> f) if f excludes a kind of steps from then on, or returns "".
func excluded(p, f *ltl.Formula) string {
	q := never(f)
	switch {
	case q == nil:
		return ""
	case equal(p, q) && strictlyLater(f):
		return "at most one " + step(p) + " occurs"
	}
	after := "after " + article(step(p))
	if f.Op == ltl.Next {
		after += ", which is never the last step"
	}
	return after + ", no " + step(q) + " occurs"
}

// response explains G (p -> f) if f requires or excludes a step after p, or returns "".
func response(p, f *ltl.Formula) string {
	every := "every " + step(p)
	switch {
	case f.Op == ltl.Finally && state(f.Left):
		return every + " is eventually followed by " + article(step(f.Left))
	case f.Op == ltl.Next && f.Left.Op == ltl.Finally && state(f.Left.Left):
		return every + " is followed, at a later step, by " + article(step(f.Left.Left))
	case f.Op == ltl.Next && state(f.Left):
		return every + " is immediately followed by " + article(step(f.Left))
	case f.Op == ltl.Next:
		if text := inSteps(f); text != "" {
			return every + text
		}
	case ends(f) || f.Op != ltl.WeakNext:
	case f.Left.Op == ltl.Not && state(f.Left.Left):
		return "no " + step(p) + " is immediately followed by " + article(step(f.Left.Left))
	case state(f.Left):
		return every + " is either the last step or immediately followed by " + article(step(f.Left))
	}
	return ""
}

// between explains G (p -> f) if f is about the steps up to another one, or returns "".
func between(p, f *ltl.Formula) string {
	switch {
	case (f.Op == ltl.Next || f.Op == ltl.WeakNext) && scope(f.Left) != "":
		return "after every " + step(p) + ", " + scope(f.Left)
	case f.Op == ltl.Globally && state(f.Left):
		return "from the first " + step(p) + " on, every step is " + kind(f.Left)
	case f.Op == ltl.Until && state(f.Left) && state(f.Right):
		return "from " + article(step(p)) + " until the next " + step(f.Right) + ", which must occur, every step is " + kind(f.Left)
	case f.Op == ltl.WeakUntil && state(f.Left) && state(f.Right):
		return "from " + article(step(p)) + " until the next " + step(f.Right) + " or the end, every step is " + kind(f.Left)
	}
	return ""
}

// inSteps explains X X q after "every p step", or returns "".
func inSteps(f *ltl.Formula) string {
	q, n := later(f)
	if n < 2 || !state(q) {
		return ""
	}
	return " is followed, exactly " + number(n) + " steps later, by " + article(step(q))
}

// scope explains !p U q and !p W q after a step, or returns "".
func scope(f *ltl.Formula) string {
	switch f.Op {
	case ltl.Until, ltl.WeakUntil:
		if !state(f.Left) || !state(f.Right) || f.Left.Op != ltl.Not {
			return ""
		}
		text := "no " + step(f.Left.Left) + " occurs before the next " + step(f.Right)
		if f.Op == ltl.Until {
			text += ", which must occur"
		}
		return text
	}
	return ""
}

// never returns q for a formula that excludes q from now or from the next step on.
func never(f *ltl.Formula) *ltl.Formula {
	if f.Op == ltl.WeakNext || f.Op == ltl.Next {
		f = f.Left
	}
	switch {
	case f.Op == ltl.Globally && f.Left.Op == ltl.Not && state(f.Left.Left):
		return f.Left.Left
	case f.Op == ltl.Not && f.Left.Op == ltl.Finally && state(f.Left.Left):
		return f.Left.Left
	case f.Op == ltl.Not && f.Left.Op == ltl.Next && f.Left.Left.Op == ltl.Finally && state(f.Left.Left.Left):
		return f.Left.Left.Left
	}
	return nil
}

// strictlyLater reports whether a formula of [never] is about the steps after the current one only,
// so that it holds at the last step.
func strictlyLater(f *ltl.Formula) bool {
	return f.Op == ltl.WeakNext || f.Op == ltl.Not && f.Left.Op == ltl.Next
}

// eventually explains F f.
func eventually(f *ltl.Formula) string {
	switch {
	case f.Op == ltl.And && ends(f.Left) && state(f.Right):
		return "the last step is " + kind(f.Right)
	case f.Op == ltl.And && ends(f.Right) && state(f.Left):
		return "the last step is " + kind(f.Left)
	case f.Op == ltl.And && state(f.Left) && f.Right.Op == ltl.Finally && state(f.Right.Left):
		return article(step(f.Left)) + " occurs, and at that step or later " + article(step(f.Right.Left))
	case f.Op == ltl.And && state(f.Left) && f.Right.Op == ltl.Next && f.Right.Left.Op == ltl.Finally:
		if p, n := repeated(ltl.New(ltl.Finally, f)); n > 1 {
			return "at least " + number(n) + " " + plural(step(p)) + " occur"
		}
		if rest := eventually(f.Right.Left.Left); rest != "" {
			return article(step(f.Left)) + " occurs, and after it " + rest
		}
	case f.Op == ltl.Globally && state(f.Left):
		return "the last step is " + kind(f.Left)
	case state(f):
		return "at least one " + step(f) + " occurs"
	}
	return ""
}

// until explains f U g and f W g.
func until(f *ltl.Formula) string {
	if !state(f.Left) || !state(f.Right) {
		return ""
	}
	q := step(f.Right)
	if f.Left.Op == ltl.Not {
		if f.Op == ltl.Until {
			return article(q) + " occurs, and no " + step(f.Left.Left) + " occurs before it"
		}
		return "every " + step(f.Left.Left) + " is preceded by " + article(q)
	}
	text := "every step before the first " + q + " is " + kind(f.Left)
	if f.Op == ltl.Until {
		text += ", and " + article(q) + " occurs"
	}
	return text
}

// release explains f R g and f M g.
func release(f *ltl.Formula) string {
	if !state(f.Left) || !state(f.Right) {
		return ""
	}
	p := step(f.Left)
	text := "every step up to and including the first " + p + " is " + kind(f.Right)
	if f.Right.Op == ltl.Not {
		text = "every " + step(f.Right.Left) + " is preceded by an earlier " + p
	}
	if f.Op == ltl.StrongRelease {
		text += ", and " + article(p) + " occurs"
	}
	return text
}

// at explains a formula at the step with the name now.
func at(f *ltl.Formula, now string) string {
	if state(f) {
		return now + " is " + kind(f)
	}
	switch f.Op {
	case ltl.Not:
		return "it is false that " + at(f.Left, now)
	case ltl.Next:
		if f.Left.Op == ltl.True {
			return now + " is not the last step"
		}
		return at(f.Left, after(now))
	case ltl.WeakNext:
		if ends(f) {
			return now + " is the last step"
		}
		return "if " + after(now) + " exists, " + at(f.Left, after(now))
	case ltl.Finally:
		if state(f.Left) {
			return "at " + now + " or later, " + article(step(f.Left)) + " occurs"
		}
		return "at " + now + " or later, " + at(f.Left, "some step")
	case ltl.Globally:
		switch {
		case f.Left.Op == ltl.Not && state(f.Left.Left):
			return "from " + now + " on, no " + step(f.Left.Left) + " occurs"
		case state(f.Left):
			return "from " + now + " on, every step is " + kind(f.Left)
		}
		return "from " + now + " on, at every step, " + at(f.Left, "that step")
	case ltl.And:
		return listed(operands(f, ltl.And), "and", again(now))
	case ltl.Or:
		return "either " + listed(operands(f, ltl.Or), "or", again(now))
	case ltl.Implies:
		of := again(now)
		return "if " + of(f.Left) + ", then " + of(f.Right)
	case ltl.Iff:
		of := again(now)
		return of(f.Left) + " if and only if " + of(f.Right)
	case ltl.Until:
		return "at " + now + " or later, " + at(f.Right, "some step") + ", and at each step before it, " + at(f.Left, "that step")
	case ltl.WeakUntil:
		return "from " + now + " on, " + at(f.Left, "each step") + ", until " + at(f.Right, "some step") + " or the trace ends"
	case ltl.Release:
		return "from " + now + " on, " + at(f.Right, "each step") + ", up to and including one at which " + at(f.Left, "that step") + ", or to the end"
	case ltl.StrongRelease:
		return "from " + now + " on, " + at(f.Right, "each step") + ", up to and including one at which " + at(f.Left, "that step") + ", which must occur"
	}
	return f.String()
}

// clause writes a formula of [state] with words for its operators.
func clause(f *ltl.Formula, inner bool) string {
	text := ""
	switch f.Op {
	case ltl.True:
		return "anything"
	case ltl.False:
		return "nothing"
	case ltl.Last:
		return "the end of the trace"
	case ltl.Prop:
		return name(f)
	case ltl.Not:
		return "not " + clause(f.Left, true)
	case ltl.And, ltl.Or:
		text = listed(operands(f, f.Op), map[ltl.Op]string{ltl.And: "and", ltl.Or: "or"}[f.Op], func(g *ltl.Formula) string { return clause(g, true) })
	case ltl.Implies:
		text = clause(f.Right, true) + " if " + clause(f.Left, true)
	case ltl.Iff:
		text = clause(f.Left, true) + " exactly if " + clause(f.Right, true)
	}
	if inner {
		return "(" + text + ")"
	}
	return text
}

// atoms reports whether the operands of a chain of an operator are propositions.
func atoms(f *ltl.Formula, op ltl.Op) bool {
	for _, g := range operands(f, op) {
		if g.Op != ltl.Prop {
			return false
		}
	}
	return true
}

// operands returns the operands of a chain of an operator; a formula with another operator is its
// only operand.
func operands(f *ltl.Formula, op ltl.Op) []*ltl.Formula {
	if f.Op != op {
		return []*ltl.Formula{f}
	}
	return append(operands(f.Left, op), operands(f.Right, op)...)
}

// equal reports whether two formulas are the same text.
func equal(f, g *ltl.Formula) bool { return f.String() == g.String() }
