package language

import (
	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

func agentRow() notation.Notation {
	document := agentDocument(CompileAgent, verify.Agent)
	judged := document.Subject
	document.Subject = func(file *source.File) (notation.Subject, bool) {
		out, ok := judged(file)
		out.Missing = func(d *automaton.DFA, m *meter.Meter) ([]string, bool, error) {
			a, _ := CompileAgent(file)
			return verify.AgentMissing(a, d, m)
		}
		return out, ok
	}
	document.Refine, document.Draw, document.Format, document.Spec = explainAgent, drawAgent, formatAgent, specOfAgent
	return notation.Notation{
		Kind:     workspace.KindAgent,
		Facts:    notation.Facts{Name: "agent", Title: "an agent’s behaviour", Offer: "an agent", Embed: "agent.agent", Runs: []string{runMonitor}, Exports: export.FormatsOfAutomata, Template: agentTemplate, About: "The order of an agent’s states, which a monitor enforces.", Starter: agentStarter},
		Document: document,
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(agent.Parse(file)) },
			Occurrences: agent.Occurrences,
			Lex:         lexForms,
			Words:       agentWords,
			Bounded:     true,
			Define:      defineLetters(agent.KindState),
			Resolve:     resolvePropositions(false),
			Key: func(_ string, o source.Occurrence) string {
				if o.Kind == agent.KindState {
					return notation.LetterKey(o)
				}
				return choiceKey(o)
			},
			Fixed:    fixedFiles,
			Complete: completeAgent,
			Explain:  agentSentences,
			Describe: describeAgent,
			Fold:     FoldForms,
			Spell:    spellAgent,
		},
	}
}

// agentCompiler is [CompileAgent] or [compileAgentPlain].
type agentCompiler func(file *source.File) (*agent.Agent, []source.Diagnostic)

// agentVerifier is [verify.Agent] or [verify.AgentPlain].
type agentVerifier func(a *agent.Agent, f *ltl.Formula, m *meter.Meter) (bool, []string, error)

func agentDocument(compile agentCompiler, verify agentVerifier) notation.Document {
	return notation.Document{
		Analyze:  func(s *notation.Scope) notation.Analysis { return analyzeAgent(s.File, compile) },
		Temporal: true,
		Walk: func(s *notation.Scope, word []string) (out notation.Walk, err error) {
			a, found := compile(s.File)
			if a == nil || source.HasErrors(found) {
				return out, notation.Invalid(s.File, found)
			}
			stepAgent(a, word, &out)
			return out, nil
		},
		Subject: func(file *source.File) (notation.Subject, bool) {
			a, found := compile(file)
			if a == nil || source.HasErrors(found) {
				return notation.Subject{}, false
			}
			var names []string
			for _, s := range a.States {
				names = append(names, s.Name)
			}
			return notation.Subject{Name: file.Name, Letters: names, Traces: notation.Runs, Verify: func(f *ltl.Formula, m *meter.Meter) (bool, []string, error) {
				return verify(a, f, m)
			}}, true
		},
	}
}

// CompileAgent parses and compiles an agent, and returns the diagnostics of both steps.
func CompileAgent(file *source.File) (*agent.Agent, []source.Diagnostic) {
	spec, found := agent.Parse(file)
	a, more := agent.Compile(spec, meter.New(callBudget))
	return a, append(found, more...)
}

// SoundAgent compiles an agent and returns an error if the agent or its contents have errors.
func SoundAgent(file *source.File) (*agent.Agent, error) {
	a, found := compileContents(file)
	if source.HasErrors(found) || a == nil {
		return nil, notation.Invalid(file, found)
	}
	return a, nil
}

// compileContents is [CompileAgent] that also returns the diagnostics of the contents.
func compileContents(file *source.File) (*agent.Agent, []source.Diagnostic) {
	spec, found := agent.Parse(file)
	a, more := agent.Compile(spec, meter.New(callBudget))
	return a, append(append(found, more...), agent.CheckContents(spec)...)
}

// compileAgentPlain is [CompileAgent] for the core module.
func compileAgentPlain(file *source.File) (*agent.Agent, []source.Diagnostic) {
	spec, found := agent.ParsePlain(file)
	a, more := agent.CompilePlain(spec, meter.New(callBudget))
	return a, append(found, more...)
}

func analyzeAgent(file *source.File, compile agentCompiler) (a notation.Analysis) {
	compiled, found := compile(file)
	a.Add(found...)
	a.Tokens = agent.Tokens(file)
	if compiled == nil {
		a.Summary = "no agent yet"
		return a
	}
	a.Summary = notation.Count(len(compiled.States), "state") + ", automaton of " + notation.Count(compiled.DFA.NumStates(), "state")
	for _, s := range compiled.States[:min(len(compiled.States), notation.MaxShown)] {
		a.Symbols = append(a.Symbols, notation.Letter{Name: s.Name, Label: s.Text})
		a.Outline = append(a.Outline, notation.OutlineItem{Name: s.Name, Detail: s.Text, Span: s.Span})
	}
	if a.Sound() {
		a.Draw(view.Agent(compiled, view.Picture))
	}
	return a
}

func formatAgent(file *source.File) (string, []source.Diagnostic) {
	spec, found := agent.Parse(file)
	return formatted(file, found, spec.Format)
}

func drawAgent(s *notation.Scope, w *notation.Graph) {
	a, found := CompileAgent(s.File)
	if a == nil || source.HasErrors(found) {
		return
	}
	d := view.Agent(a, view.Complete)
	w.Drawing = &d
	w.PlaceNames(agent.Occurrences(s.File), agent.KindState)
}

// stepAgent walks an agent's automaton.
func stepAgent(a *agent.Agent, word []string, out *notation.Walk) {
	out.Viable = true
	before, state := -1, a.DFA.Start()
	for i, name := range word {
		letter, next := a.Index(name), -1
		if letter >= 0 {
			next = a.DFA.Next(state, letter)
		}
		if letter < 0 || !a.Live(next) {
			out.Viable, out.Violation = false, &i
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
			out.Next = append(out.Next, notation.Letter{Name: s.Name, Label: s.Text})
		}
	}
}

// fixedFiles rejects renaming a file from within a spec.
func fixedFiles(s *notation.Symbol) string {
	if s.Kind == agent.KindFile {
		return "rename the file at its tab"
	}
	return ""
}

// spellAgent formats a name. In a formula within quotes the name is escaped.
func spellAgent(f workspace.File, at source.Pos, name string) string {
	for t := range sexpr.Tokens(f.Text) {
		if t.Kind == sexpr.TokenString && t.Span.Contains(at) {
			quoted := lines.Quote(ltl.Quote(name))
			return quoted[1 : len(quoted)-1]
		}
	}
	return name
}
