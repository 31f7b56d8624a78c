// Package backtest judges recorded runs by the rules of specs. It returns a matrix of
// rules and runs with its counts, and the difference between two versions of the specs on
// the same runs.
//
// It fails closed. A run that cannot be read, and a rule that cannot be judged on a run,
// are outcomes of their own and never a pass. Specs with errors are not opened.
package backtest

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Outcome is the verdict of one rule on one run, or of all rules on it.
type Outcome string

// The outcomes, from best to worst. Held and Untriggered pass.
const (
	Held        Outcome = "held"
	Untriggered Outcome = "untriggered" // the rule's condition is never true in the run
	Incomplete  Outcome = "incomplete"  // the run ends before the rule is satisfied
	Fault       Outcome = "fault"       // the rule cannot be judged on the run
	Unread      Outcome = "unread"      // a part of the trace is not understood
	Violated    Outcome = "violated"
)

// Outcomes returns all outcomes, from best to worst.
func Outcomes() []Outcome {
	return []Outcome{Held, Untriggered, Incomplete, Fault, Unread, Violated}
}

// Passes reports whether the outcome is a pass.
func (o Outcome) Passes() bool { return o == Held || o == Untriggered }

// Worse returns the worse of two outcomes. Of Held and Untriggered it returns Held, so that a run
// is untriggered only if all its rules were.
func Worse(a, b Outcome) Outcome {
	if a.Passes() && b.Passes() {
		if a == Untriggered && b == Untriggered {
			return Untriggered
		}
		return Held
	}
	all := Outcomes()
	if slices.Index(all, a) < slices.Index(all, b) {
		return b
	}
	return a
}

// Kinds of rules.
const (
	Behaviour = "behaviour" // of an agent: the order and the contents of its states
	Property  = "property"  // a formula about an agent's states
	DataRule  = "rule"      // a rule about the data of events
)

// Rule is one rule of the specs, a row of the matrix. Names are unique.
type Rule struct {
	Name string `json:"name"` // "shop.agent", "shop.ltl: safe"
	Kind string `json:"kind"`
	File string `json:"file"`
	Line int    `json:"line"` // from 1
}

// Cell is the outcome of a rule on a run. Reason, Line, Tool and Agent describe the first violation, or
// the reason why the rule was not judged; Line is the line in the trace, 0 if it is unknown.
type Cell struct {
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Line    int     `json:"line,omitempty"`
	Tool    string  `json:"tool,omitempty"`
	Agent   string  `json:"agent,omitempty"` // that acts; "" if the trace names none

	// Part is the part of a rule about data that is false at a violation, and Near are the lines of the earlier events
	// that the violation depends on, in their order.
	Part string `json:"part,omitempty"`
	Near []int  `json:"near,omitempty"`
}

// Evidence describes the part of a rule that a violation makes false, and the earlier events that it depends on; "" for
// other outcomes.
func (c Cell) Evidence() string {
	if c.Part == "" {
		return ""
	}
	out := c.Part + " is false"
	for i, line := range c.Near {
		sep := ", "
		switch {
		case i == 0:
			sep = "; see line "
		case i == maxNear:
			return out + fmt.Sprintf(" and %d more", len(c.Near)-i)
		}
		out += sep + strconv.Itoa(line)
	}
	return out
}

// maxNear bounds the lines that a description lists.
const maxNear = 5

// Run is a column of the matrix: one run of a trace, with a cell for each rule.
type Run struct {
	Trace   string    `json:"trace"`          // the name of the file
	Number  int       `json:"number"`         // of the run in the file, from 1
	Name    string    `json:"name,omitempty"` // of the run, if the trace has one
	Line    int       `json:"line"`           // at which it begins, from 1
	Outcome Outcome   `json:"outcome"`        // the worst of the cells
	Reason  string    `json:"reason,omitempty"`
	Cells   []Cell    `json:"cells"`
	Calls   []Counted `json:"calls"` // by tool
}

// Counted is a name with a number of occurrences.
type Counted struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
}

// Options are the settings with which traces are read; see [monitor.JudgeTrace]. A format
// of "" detects the format; one that begins with "{" is a description, which trace.ParseMap reads.
type Options struct {
	Format  string            `json:"format,omitempty"`
	Mapping []monitor.Mapping `json:"mapping,omitempty"`
	Roles   monitor.Roles     `json:"roles,omitzero"`
}

// Specs are compiled specs. They are immutable and may be shared by goroutines.
type Specs struct {
	rules  []Rule
	agents []subject
	files  []ruleFile      // their rules follow those of the agents
	named  map[string]bool // names of tools that a rule contains
}

// subject is an agent with the formulas about it.
type subject struct {
	agent    *agent.Agent
	judge    *monitor.Judge // without a mapping and roles
	formulas []formula
}

type formula struct {
	whole, condition *ltl.Formula // condition is nil for a formula without one
	automaton        *ltl.Automaton
	verdicts         []ltl.Verdict // by state
}

// Open compiles the agents, the formulas and the rules about data of a workspace. Its other files,
// and symbols, only define symbols of formulas: no run is judged by an agent in symbols. The error
// has code "backtest.spec" for a workspace with neither agents nor rules, the code of the compiler
// for a spec with errors, and "property.unjudged" for a formula that no spec can judge.
func Open(table notation.Table, files []workspace.File, symbols ...workspace.File) (*Specs, error) {
	isAgent := func(f workspace.File) bool { return table.Of(f.Name).Kind == workspace.KindAgent }
	isRules := func(f workspace.File) bool { return table.Of(f.Name).Kind == workspace.KindRules }
	if !slices.ContainsFunc(files, isAgent) && !slices.ContainsFunc(files, isRules) {
		return nil, source.NewError("backtest.spec", "no spec to judge runs by: expected an .agent file, with .ltl files about its states, or a .rules file")
	}
	s := &Specs{named: map[string]bool{}}
	properties := table.Properties(files)
	if err := language.CheckProperties(table, slices.Concat(files, symbols), nil); err != nil {
		return nil, err
	}
	for _, f := range files {
		if !isAgent(f) {
			continue
		}
		a, err := language.SoundAgent(f.Source())
		if err != nil {
			return nil, err
		}
		if err := s.add(f.Name, a, properties); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		if isRules(f) {
			if err := s.addRules(f); err != nil {
				return nil, err
			}
		}
	}
	if len(s.rules) == 0 {
		return nil, source.NewError("backtest.spec", "no spec has a rule to judge runs by; write one, such as: never: !delete_all()")
	}
	return s, nil
}

func (s *Specs) addRules(f workspace.File) error {
	file := f.Source()
	parsed := rules.Parse(file)
	if source.HasErrors(parsed.Diagnostics) {
		return notation.Invalid(file, parsed.Diagnostics)
	}
	out := ruleFile{file: parsed, spellings: SpellingsOf(parsed)}
	for _, r := range parsed.Rules {
		s.rules = append(s.rules, Rule{Name: f.Name + ": " + r.Name, Kind: DataRule, File: f.Name, Line: file.Locate(r.NameSpan.Start).Line})
		uses := r.Uses()
		out.uses = append(out.uses, uses)
		for _, tool := range uses.Tools {
			s.named[tool] = true
		}
	}
	s.files = append(s.files, out)
	return nil
}

// add adds an agent and the formulas about it.
func (s *Specs) add(name string, a *agent.Agent, properties []notation.PropertyFile) error {
	s.rules = append(s.rules, Rule{Name: name, Kind: Behaviour, File: name, Line: 1})
	sub := subject{agent: a, judge: monitor.NewJudge(a, nil, monitor.Roles{})}
	states := notation.Subject{}
	for _, state := range a.States {
		states.Letters = append(states.Letters, state.Name)
		for _, content := range state.OneOf {
			s.named[content] = true
		}
		s.named[state.Name] = true
	}
	alphabet, err := ltl.NewAlphabet(states.Letters, ltl.OneHot)
	if err != nil {
		return err
	}
	for _, p := range properties {
		for _, n := range p.Formulas {
			part := states.Part(n.Formula)
			if part == nil {
				continue
			}
			f := formula{whole: part, condition: condition(part)}
			if f.automaton, err = ltl.Translate(part, alphabet, meter.New(language.AnalysisBudget)); err != nil {
				return fmt.Errorf("%s: %w", language.PropertyName(n), err)
			}
			f.verdicts = f.automaton.Verdicts()
			sub.formulas = append(sub.formulas, f)
			s.rules = append(s.rules, s.unique(Rule{
				Name: p.File.Name + ": " + language.PropertyName(n), Kind: Property, File: p.File.Name, Line: p.File.Locate(n.Span.Start).Line,
			}, name))
		}
	}
	s.agents = append(s.agents, sub)
	return nil
}

// unique adds the name of the agent to the name of a rule if another rule already has that name.
func (s *Specs) unique(r Rule, agent string) Rule {
	name := r.Name
	for n := 1; slices.ContainsFunc(s.rules, func(known Rule) bool { return known.Name == r.Name }); n++ {
		r.Name = name + " (" + agent + ")"
		if n > 1 {
			r.Name = fmt.Sprintf("%s (%s, %d)", name, agent, n)
		}
	}
	return r
}

// condition returns the formula that must be true somewhere for a formula to be triggered:
// the left side of an implication, at the first step or, under G, at any step. It returns
// nil for a formula of another form.
func condition(f *ltl.Formula) *ltl.Formula {
	switch f.Op {
	case ltl.Globally:
		if c := condition(f.Left); c != nil {
			return ltl.New(ltl.Finally, c)
		}
	case ltl.Implies:
		return f.Left
	}
	return nil
}

// Rules returns the rows of the matrix.
func (s *Specs) Rules() []Rule { return slices.Clone(s.rules) }

// Names reports whether a rule contains the name of a tool, as a state or as a content
// that a state may have.
func (s *Specs) Names(tool string) bool {
	return s.named[tool] || slices.ContainsFunc(s.agents, func(sub subject) bool { return sub.agent.Index(tool) >= 0 })
}
