package ltl

import (
	"strconv"
	"strings"
)

// Reason explains why a formula holds, or does not hold, at the steps From to To of a trace
// (counted from 0, inclusive). Because has the reasons it follows from, down to
// propositions; it is empty for a proposition and for a truth that follows from the end of
// the trace alone. Reasons are shared, so they form a graph, which may be much larger as a
// tree.
type Reason struct {
	Formula  *Formula
	From, To int
	Holds    bool
	Because  []*Reason
}

// Explain returns the reason why a formula holds, or does not hold, on a trace of at least
// one step. If one of several steps or arguments suffices, it is the first. Every trace of
// that length with the same truth of the propositions at the reason's leaves has the same
// truth of the formula, unless reasons would be nested deeper than [MaxDepth].
func Explain(f *Formula, trace []map[string]bool) *Reason {
	e := &explainer{truth: map[*Formula][]bool{}, known: map[moment]*Reason{}, last: len(trace) - 1}
	e.evaluate(f, trace)
	return e.at(f, 0)
}

type moment struct {
	f    *Formula
	step int
}

type explainer struct {
	truth map[*Formula][]bool // by step
	known map[moment]*Reason
	last  int
	depth int
}

func (e *explainer) evaluate(f *Formula, trace []map[string]bool) {
	for _, g := range f.spine() {
		if e.truth[g] == nil {
			e.evaluate(g.Left, trace)
			e.truth[g] = g.combine(trace, e.truth[g.Left], e.truth[g.Right])
		}
	}
}

// at explains a formula at one step.
func (e *explainer) at(f *Formula, i int) *Reason {
	if r := e.known[moment{f, i}]; r != nil {
		return r
	}
	r := &Reason{Formula: f, From: i, To: i, Holds: e.truth[f][i]}
	e.known[moment{f, i}] = r
	if e.depth++; e.depth > MaxDepth {
		e.depth--
		return r
	}
	switch f.Op {
	case Not:
		r.Because = e.all(f.Left, i, i)
	case Next, WeakNext:
		r.Because = e.all(f.Left, i+1, min(i+1, e.last))
	case And:
		r.Because = e.chain(f, i, !r.Holds, r.Holds)
	case Or:
		r.Because = e.chain(f, i, r.Holds, r.Holds)
	case Implies:
		switch {
		case !r.Holds:
			r.Because = append(e.all(f.Left, i, i), e.all(f.Right, i, i)...)
		case !e.truth[f.Left][i]:
			r.Because = e.all(f.Left, i, i)
		default:
			r.Because = e.all(f.Right, i, i)
		}
	case Iff:
		r.Because = append(e.all(f.Left, i, i), e.all(f.Right, i, i)...)
	case Finally:
		r.Because = e.search(f.Left, i, true)
	case Globally:
		r.Because = e.search(f.Left, i, false)
	case Until, WeakUntil:
		r.Because = e.until(f, i, r.Holds)
	case Release, StrongRelease:
		r.Because = e.release(f, i, r.Holds)
	}
	e.depth--
	return r
}

// all explains why a formula has the same truth at all steps of a range.
func (e *explainer) all(f *Formula, from, to int) []*Reason {
	switch {
	case from > to:
		return nil
	case from == to:
		return []*Reason{e.at(f, from)}
	}
	r := &Reason{Formula: f, From: from, To: to, Holds: e.truth[f][from]}
	if f.Op != Prop {
		for i := from; i <= to; i++ {
			r.Because = append(r.Because, e.at(f, i))
		}
	}
	return []*Reason{r}
}

// chain explains the arguments of a chain of one operator: the first that determines the
// truth of the chain if one suffices, otherwise all.
func (e *explainer) chain(f *Formula, i int, one, holds bool) (out []*Reason) {
	op := f.Op
	for more := true; more; f = f.Right {
		g := f
		if more = f.Op == op; more {
			g = f.Left
		}
		if !one {
			out = append(out, e.all(g, i, i)...)
		} else if e.truth[g][i] == holds {
			return e.all(g, i, i)
		}
	}
	return out
}

// find returns the first step from i on at which a formula has a truth, or one
// past the last.
func (e *explainer) find(f *Formula, i int, holds bool) int {
	for i <= e.last && e.truth[f][i] != holds {
		i++
	}
	return i
}

// search explains a truth by the first step that has it, or its absence by all steps.
func (e *explainer) search(f *Formula, i int, wanted bool) []*Reason {
	if at := e.find(f, i, wanted); at <= e.last {
		return e.all(f, at, at)
	}
	return e.all(f, i, e.last)
}

func (e *explainer) until(f *Formula, i int, holds bool) []*Reason {
	if !holds {
		// The right side fails up to and including the first step at which the left one does.
		stop := e.find(f.Left, i, false)
		return append(e.all(f.Right, i, min(stop, e.last)), e.all(f.Left, stop, min(stop, e.last))...)
	}
	if end := e.find(f.Right, i, true); end <= e.last {
		return append(e.all(f.Left, i, end-1), e.all(f.Right, end, end)...)
	}
	return e.all(f.Left, i, e.last)
}

func (e *explainer) release(f *Formula, i int, holds bool) []*Reason {
	release := e.find(f.Left, i, true)
	if holds {
		return append(e.all(f.Right, i, min(release, e.last)), e.all(f.Left, release, min(release, e.last))...)
	}
	if broken := e.find(f.Right, i, false); broken <= e.last {
		return append(e.all(f.Left, i, broken-1), e.all(f.Right, broken, broken)...)
	}
	return e.all(f.Left, i, e.last)
}

// maxReasons is the maximal number of lines of [Reason.String].
const maxReasons = 40

// String returns the reason, a line for each part, with the reasons it follows from
// indented below; steps are counted from 1. After 40 lines it ends in "…".
func (r *Reason) String() string {
	var b strings.Builder
	lines := 0
	var write func(r *Reason, depth int)
	write = func(r *Reason, depth int) {
		if lines++; lines > maxReasons {
			if lines == maxReasons+1 {
				b.WriteString("…\n")
			}
			return
		}
		b.WriteString(strings.Repeat("  ", depth) + "step " + strconv.Itoa(r.From+1))
		if r.To > r.From {
			b.WriteString(" to " + strconv.Itoa(r.To+1))
		}
		verb := ": not "
		if r.Holds {
			verb = ": "
		}
		text := r.Formula.String()
		if !r.Holds && r.Formula.Op != Prop {
			text = "(" + text + ")"
		}
		b.WriteString(verb + text + "\n")
		for _, because := range r.Because {
			write(because, depth+1)
		}
	}
	write(r, 0)
	return b.String()
}
