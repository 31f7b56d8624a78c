package backtest

import (
	"slices"
	"strings"
)

// MaxExamples is the maximum number of runs that a row of a matrix names for each outcome that is
// not a pass. The counts have no limit.
const MaxExamples = 5

// Matrix has the counts of rules and runs. Its size grows with the number of rules and tools, not
// with the number of runs.
type Matrix struct {
	Rules []Row     `json:"rules"`
	Runs  []Counted `json:"runs"`  // by outcome, all of [Outcomes]
	Tools []Called  `json:"tools"` // sorted by name
}

// Row has the counts of a rule.
type Row struct {
	Rule     Rule      `json:"rule"`
	Outcomes []Counted `json:"outcomes"` // numbers of runs, all of [Outcomes]
	Tools    []Counted `json:"tools"`    // violations by the tool at their place, "" for none
	Agents   []Counted `json:"agents"`   // violations by the agent that acts there, "" for none
	Examples []Example `json:"examples"` // the first runs that do not pass
}

// Example refers to a run in a row.
type Example struct {
	Trace  string `json:"trace"`
	Number int    `json:"number"`
	Cell   Cell   `json:"cell"`
}

// Called is a tool that runs call. Named reports that a rule contains its name.
type Called struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
	Runs  int    `json:"runs"`
	Named bool   `json:"named"`
}

// Matrix returns the matrix of no runs.
func (s *Specs) Matrix() *Matrix {
	m := &Matrix{Runs: none(), Tools: []Called{}, Rules: []Row{}}
	for _, r := range s.rules {
		m.Rules = append(m.Rules, Row{Rule: r, Outcomes: none(), Tools: []Counted{}, Agents: []Counted{}, Examples: []Example{}})
	}
	return m
}

func none() []Counted {
	var out []Counted
	for _, o := range Outcomes() {
		out = append(out, Counted{Name: string(o)})
	}
	return out
}

// Add adds a run that these specs judged.
func (s *Specs) Add(m *Matrix, r Run) {
	add(m.Runs, r.Outcome, 1)
	for i, c := range r.Cells {
		row := &m.Rules[i]
		add(row.Outcomes, c.Outcome, 1)
		if c.Outcome == Violated {
			row.Tools, row.Agents = count(row.Tools, c.Tool, 1), count(row.Agents, c.Agent, 1)
		}
		if !c.Outcome.Passes() && len(row.Examples) < MaxExamples {
			row.Examples = append(row.Examples, Example{Trace: r.Trace, Number: r.Number, Cell: c})
		}
	}
	for _, c := range r.Calls {
		m.called(Called{Name: c.Name, Calls: c.Number, Runs: 1, Named: s.Names(c.Name)})
	}
}

// Merge adds the counts of a matrix of the same specs, whose runs follow those of m.
func (m *Matrix) Merge(other *Matrix) {
	addAll(m.Runs, other.Runs)
	for i := range m.Rules {
		row, more := &m.Rules[i], other.Rules[i]
		addAll(row.Outcomes, more.Outcomes)
		for _, c := range more.Tools {
			row.Tools = count(row.Tools, c.Name, c.Number)
		}
		for _, c := range more.Agents {
			row.Agents = count(row.Agents, c.Name, c.Number)
		}
		row.Examples = append(row.Examples, more.Examples[:min(len(more.Examples), MaxExamples-len(row.Examples))]...)
	}
	for _, c := range other.Tools {
		m.called(c)
	}
}

func (m *Matrix) called(c Called) {
	i, ok := slices.BinarySearchFunc(m.Tools, c.Name, func(known Called, name string) int { return strings.Compare(known.Name, name) })
	if !ok {
		m.Tools = slices.Insert(m.Tools, i, Called{Name: c.Name, Named: c.Named})
	}
	m.Tools[i].Calls += c.Calls
	m.Tools[i].Runs += c.Runs
}

func add(counts []Counted, o Outcome, n int) { counts[slices.Index(Outcomes(), o)].Number += n }

func addAll(counts, more []Counted) {
	for i := range counts {
		counts[i].Number += more[i].Number
	}
}

// Of returns the number of runs with an outcome, given the numbers for all [Outcomes] in order.
func Of(counts []Counted, o Outcome) int { return counts[slices.Index(Outcomes(), o)].Number }

// Total returns the number of runs.
func (m *Matrix) Total() int {
	n := 0
	for _, c := range m.Runs {
		n += c.Number
	}
	return n
}

// Passes reports whether there are runs and all of them pass.
func (m *Matrix) Passes() bool {
	return m.Total() > 0 && m.Total() == Of(m.Runs, Held)+Of(m.Runs, Untriggered)
}

// Idle reports that the rule was held or violated on no run: it was untriggered, or never
// judged.
func (r Row) Idle() bool {
	return Of(r.Outcomes, Held)+Of(r.Outcomes, Violated)+Of(r.Outcomes, Incomplete) == 0
}

// Fits reports whether a matrix has the rows of these specs and is complete.
func (s *Specs) Fits(m *Matrix) bool {
	if len(m.Rules) != len(s.rules) || len(m.Runs) != len(Outcomes()) {
		return false
	}
	for i, r := range m.Rules {
		if r.Rule != s.rules[i] || len(r.Outcomes) != len(Outcomes()) || len(r.Examples) > MaxExamples {
			return false
		}
	}
	return true
}
