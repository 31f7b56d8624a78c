package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/source"
)

func agentMethods() []Method {
	return []Method{
		pure("agent.aliases", agentAliases),
		pure("agent.check", agentCheck),
		pure("agent.verdict", agentVerdict),
		method("monitor.check", (*Session).monitorCheck),
		pure("trace.read", traceRead),
	}
}

// openAgent compiles an agent for a method that requires one without errors.
func openAgent(text string) (*agent.Agent, error) {
	return language.SoundAgent(source.NewFile("spec.agent", text))
}

// AgentCheckParams are an agent in .agent notation.
type AgentCheckParams struct {
	Source string `json:"source"`
}

// Automaton is a complete deterministic automaton. Transitions[q][i] is the successor of state q
// for letter i.
type Automaton struct {
	Letters     []string `json:"letters"`
	States      int      `json:"states"`
	Start       int      `json:"start"`
	Accepting   []int    `json:"accepting"`
	Transitions [][]int  `json:"transitions"`
}

// AgentCheckResult is a compiled agent. Start and Final are the states that a complete run may
// begin and end with. Automaton is absent if the spec has errors. Agent is the name of the agent,
// and Examples are the example files that it lists.
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

func agentCheck(p AgentCheckParams) (AgentCheckResult, error) {
	file := source.NewFile("spec.agent", p.Source)
	a, found := language.CompileAgent(file)
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

// wireDFA returns the accepting states and the transition table of an automaton.
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

// AgentVerdictParams are an agent and a sequence of names of its states.
type AgentVerdictParams struct {
	Source   string   `json:"source"`
	Sequence []string `json:"sequence"`
}

// AgentVerdictResult is the verdict on a sequence: "valid" for a complete run, "incomplete" for a
// prefix of one, "invalid" otherwise. Next lists the states that may follow, sorted. Violation is
// the index of the first unexpected state.
type AgentVerdictResult struct {
	Verdict   agent.Verdict `json:"verdict"`
	Next      []string      `json:"next"`
	Violation *int          `json:"violation"`
}

func agentVerdict(p AgentVerdictParams) (AgentVerdictResult, error) {
	a, err := openAgent(p.Source)
	if err != nil {
		return AgentVerdictResult{}, err
	}
	verdict, next, violation := a.Verdict(p.Sequence)
	out := AgentVerdictResult{Verdict: verdict, Next: orEmpty(slices.Clone(next)), Violation: indexOrNil(violation)}
	slices.Sort(out.Next)
	return out, nil
}

// indexOrNil returns nil for -1, which is null in JSON.
func indexOrNil(i int) *int {
	if i < 0 {
		return nil
	}
	return &i
}

// AgentAliasesParams are an agent in .agent notation, one of its states, and the texts that shall count as the
// prompt of the state at the start of a line. Empty texts are ignored; without any, the state has no aliases.
type AgentAliasesParams struct {
	Source string   `json:"source"`
	State  string   `json:"state"`
	Texts  []string `json:"texts"`
}

// AgentAliasesResult has the agent with the declaration.
type AgentAliasesResult struct {
	Source string `json:"source"`
}

// agentAliases declares the aliases of a state. The error has code "agent.state" if there is no such state, and the
// code of the diagnostic if the agent with the declaration has one about aliases.
func agentAliases(p AgentAliasesParams) (AgentAliasesResult, error) {
	edit, ok := agent.SetAliases(source.NewFile("spec.agent", p.Source), p.State, p.Texts)
	if !ok {
		return AgentAliasesResult{}, source.NewError("agent.state", "unknown state "+strconv.Quote(p.State))
	}
	out := AgentAliasesResult{source.Apply(p.Source, []source.Edit{edit})}
	_, found := agent.Parse(source.NewFile("spec.agent", out.Source))
	for _, d := range found {
		if strings.HasPrefix(d.Code, "agent.alias") {
			return AgentAliasesResult{}, source.NewError(d.Code, d.Message)
		}
	}
	return out, nil
}
