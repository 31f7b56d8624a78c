package backtest

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/source"
)

// Change is a run on which two versions of the specs differ. Rules lists the rules whose outcome
// changed, and the rules of only one version that do not pass.
type Change struct {
	Trace  string       `json:"trace"`
	Number int          `json:"number"`
	Name   string       `json:"name,omitempty"`
	Before Outcome      `json:"before"`
	After  Outcome      `json:"after"`
	Rules  []RuleChange `json:"rules"`
}

// RuleChange is the outcome of a rule in both versions. An outcome is "" if the version does
// not have the rule. Reason, Line and Tool are those of the later outcome, or of the earlier
// one if the later version does not have the rule.
type RuleChange struct {
	Name   string  `json:"name"`
	Before Outcome `json:"before"`
	After  Outcome `json:"after"`
	Reason string  `json:"reason,omitempty"`
	Line   int     `json:"line,omitempty"`
	Tool   string  `json:"tool,omitempty"`
}

// Difference compares two versions of specs on the same runs.
type Difference struct {
	Runs     int      `json:"runs"`     // compared runs
	Stopped  int      `json:"stopped"`  // runs that pass before and not after
	Released int      `json:"released"` // runs that pass after and not before
	Added    []string `json:"added"`    // rules of the later version only
	Removed  []string `json:"removed"`  // rules of the earlier version only
	Changes  []Change `json:"changes"`
}

// NewDifference returns the difference of two versions on no runs.
func NewDifference(before, after *Specs) *Difference {
	d := &Difference{Changes: []Change{}}
	d.Added, d.Removed = missing(after, before), missing(before, after)
	return d
}

// missing returns the names of the rules of s that other does not have.
func missing(s, other *Specs) []string {
	out := []string{}
	for _, r := range s.rules {
		if other.index(r.Name) < 0 {
			out = append(out, r.Name)
		}
	}
	return out
}

func (s *Specs) index(name string) int {
	return slices.IndexFunc(s.rules, func(r Rule) bool { return r.Name == name })
}

// Compare adds the runs of a trace, as both versions judged them. The error has code
// "backtest.runs" if the versions read different numbers of runs.
func (d *Difference) Compare(before, after *Specs, earlier, later []Run) error {
	if len(earlier) != len(later) {
		return source.NewError("backtest.runs", fmt.Sprintf("the versions read different numbers of runs from the trace: %d and %d", len(earlier), len(later)))
	}
	for i := range later {
		d.add(before, after, earlier[i], later[i])
	}
	return nil
}

func (d *Difference) add(before, after *Specs, earlier, later Run) {
	d.Runs++
	c := Change{Trace: later.Trace, Number: later.Number, Name: later.Name, Before: earlier.Outcome, After: later.Outcome, Rules: []RuleChange{}}
	for i, r := range after.rules {
		cell := later.Cells[i]
		change := RuleChange{Name: r.Name, After: cell.Outcome, Reason: cell.Reason, Line: cell.Line, Tool: cell.Tool}
		if j := before.index(r.Name); j >= 0 {
			change.Before = earlier.Cells[j].Outcome
		}
		if change.Before != change.After && (change.Before != "" || !change.After.Passes()) {
			c.Rules = append(c.Rules, change)
		}
	}
	for j, r := range before.rules {
		cell := earlier.Cells[j]
		if after.index(r.Name) < 0 && !cell.Outcome.Passes() {
			c.Rules = append(c.Rules, RuleChange{Name: r.Name, Before: cell.Outcome, Reason: cell.Reason, Line: cell.Line, Tool: cell.Tool})
		}
	}
	switch {
	case c.Before.Passes() && !c.After.Passes():
		d.Stopped++
	case !c.Before.Passes() && c.After.Passes():
		d.Released++
	}
	if len(c.Rules) > 0 || c.Before != c.After {
		d.Changes = append(d.Changes, c)
	}
}
