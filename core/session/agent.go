package session

import (
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

func agentMethods() []Method {
	return []Method{
		method("agent.check", (*Session).agentCheck),
		method("agent.verdict", (*Session).agentVerdict),
		method("monitor.check", (*Session).monitorCheck),
	}
}

// compileAgent parses and compiles, and joins what both report.
func compileAgent(file *source.File) (*agent.Agent, []source.Diagnostic) {
	spec, found := agent.Parse(file)
	a, more := agent.Compile(spec, meter.New(callBudget))
	return a, append(found, more...)
}

// openAgent compiles an agent for a method that needs a sound one.
func openAgent(text string) (*agent.Agent, error) {
	return soundAgent(source.NewFile("spec.agent", text))
}

// soundAgent compiles a file that has to be a sound agent, with contents that are
// sound, too.
func soundAgent(file *source.File) (*agent.Agent, error) {
	spec, found := agent.Parse(file)
	a, more := agent.Compile(spec, meter.New(callBudget))
	found = append(append(found, more...), agent.CheckContents(spec)...)
	if source.HasErrors(found) || a == nil {
		return nil, invalid(file, found)
	}
	return a, nil
}

// AgentCheckParams are an agent in .agent notation.
type AgentCheckParams struct {
	Source string `json:"source"`
}

// Automaton is a complete deterministic automaton. Transitions[q][i] is where
// state q goes with letter i.
type Automaton struct {
	Letters     []string `json:"letters"`
	States      int      `json:"states"`
	Start       int      `json:"start"`
	Accepting   []int    `json:"accepting"`
	Transitions [][]int  `json:"transitions"`
}

// AgentCheckResult is what a spec compiles to. Start and Final are the states
// that a complete run may begin and end with. Automaton is absent where the spec
// has errors. Agent is its name, and Examples are the files of examples that it names.
type AgentCheckResult struct {
	Agent       string       `json:"agent"`
	Examples    []string     `json:"examples"`
	States      []string     `json:"states"`
	EnvInput    []string     `json:"envInput"`
	Start       []string     `json:"start"`
	Final       []string     `json:"final"`
	Automaton   *Automaton   `json:"automaton,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

func (s *Session) agentCheck(p AgentCheckParams) (AgentCheckResult, error) {
	file := source.NewFile("spec.agent", p.Source)
	a, found := compileAgent(file)
	spec, _ := agent.Parse(file)
	found = append(found, agent.CheckContents(spec)...)
	out := AgentCheckResult{
		Agent: spec.Name, Examples: []string{},
		States: []string{}, EnvInput: []string{}, Start: []string{}, Final: []string{},
		Diagnostics: wireDiagnostics(file, found),
	}
	for _, example := range spec.Examples {
		out.Examples = append(out.Examples, example.Name)
	}
	if a == nil {
		return out, nil
	}
	for _, state := range a.States {
		out.States = append(out.States, state.Name)
		if state.EnvInput {
			out.EnvInput = append(out.EnvInput, state.Name)
		}
	}
	out.Start, out.Final = stateNames(a, a.Start), stateNames(a, a.Final)
	out.Automaton = wireAutomaton(a)
	return out, nil
}

func stateNames(a *agent.Agent, states []int) []string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = a.States[s].Name
	}
	return names
}

func wireAutomaton(a *agent.Agent) *Automaton {
	out := &Automaton{Letters: []string{}, States: a.DFA.NumStates(), Start: a.DFA.Start()}
	for _, s := range a.States {
		out.Letters = append(out.Letters, s.Name)
	}
	out.Accepting, out.Transitions = wireDFA(a.DFA)
	return out
}

// wireDFA lists the accepting states of an automaton, and its rows.
func wireDFA(d *automaton.DFA) (accepting []int, rows [][]int) {
	accepting, rows = []int{}, make([][]int, d.NumStates())
	for q := range rows {
		if d.Accepting(q) {
			accepting = append(accepting, q)
		}
		rows[q] = make([]int, d.NumLetters())
		for letter := range rows[q] {
			rows[q][letter] = d.Next(q, letter)
		}
	}
	return accepting, rows
}

// AgentVerdictParams are an agent and a sequence of its states' names.
type AgentVerdictParams struct {
	Source   string   `json:"source"`
	Sequence []string `json:"sequence"`
}

// AgentVerdictResult says whether the sequence is a complete run ("valid"), can
// become one ("incomplete"), or cannot ("invalid", with the index of the first
// state that does not fit), and which states (sorted) may follow.
type AgentVerdictResult struct {
	Verdict   agent.Verdict `json:"verdict"`
	Next      []string      `json:"next"`
	Violation *int          `json:"violation"`
}

func (s *Session) agentVerdict(p AgentVerdictParams) (AgentVerdictResult, error) {
	a, err := openAgent(p.Source)
	if err != nil {
		return AgentVerdictResult{}, err
	}
	verdict, next, violation := a.Verdict(p.Sequence)
	out := AgentVerdictResult{Verdict: verdict, Next: orEmpty(slices.Clone(next)), Violation: indexOrNil(violation)}
	sort.Slice(out.Next, func(i, j int) bool { return out.Next[i] < out.Next[j] })
	return out, nil
}

// indexOrNil makes of -1 the null of the wire.
func indexOrNil(i int) *int {
	if i < 0 {
		return nil
	}
	return &i
}

// stepAgent walks an agent's automaton.
func stepAgent(a *agent.Agent, word []string, out *StepWalkResult) {
	out.Viable = true
	before, state := -1, a.DFA.Start()
	for i, name := range word {
		letter, next := a.Index(name), -1
		if letter >= 0 {
			next = a.DFA.Next(state, letter)
		}
		if letter < 0 || !a.Live(next) {
			out.Viable, out.Violation = false, indexOrNil(i)
			return
		}
		out.Active = []string{view.AgentNode(letter, next)}
		if i > 0 {
			out.Active = append(out.Active, view.AgentEdge(before, state, letter, next))
		}
		before, state = letter, next
	}
	out.Complete = a.DFA.Accepting(state)
	for letter, s := range a.States {
		if a.Live(a.DFA.Next(state, letter)) {
			out.Next = append(out.Next, Letter{Name: s.Name, Label: s.Text})
		}
	}
}
