package session

import (
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// MaxConfigurations is how many configurations the stepper shows at once; a
// very ambiguous prefix has more.
const MaxConfigurations = 12

// StepWalkParams are a spec and the word that a person has put together. A
// grammar's own "limit" lines apply.
type StepWalkParams struct {
	Files []File   `json:"files"`
	Name  string   `json:"name"`
	Word  []string `json:"word"`
}

// Configuration is what an automaton is in: its state and, for a pushdown
// automaton, its stack with the top first.
type Configuration struct {
	State string   `json:"state"`
	Stack []string `json:"stack"`
}

// Use says how often a terminal with a limit has been used.
type Use struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Used  int64  `json:"used"`
	Limit int64  `json:"limit"`
}

// StepWalkResult is where the word leads. Active lists the nodes and edge lines
// of the spec's drawing to light up: where the automaton is, and the step that
// brought it there.
type StepWalkResult struct {
	Verdict        string          `json:"verdict"` // "valid", "incomplete" or "invalid"
	Viable         bool            `json:"viable"`
	Complete       bool            `json:"complete"`
	Violation      *int            `json:"violation"`
	Next           []Letter        `json:"next"`
	Configurations []Configuration `json:"configurations"`
	Truncated      bool            `json:"truncated"`
	Active         []string        `json:"active"`
	Uses           []Use           `json:"uses"`
	Tree           *view.Tree      `json:"tree,omitempty"`
	TreeDrawing    *Drawing        `json:"treeDrawing,omitempty"`
}

func (s *Session) stepWalk(p StepWalkParams) (StepWalkResult, error) {
	file, err := openDocument(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return StepWalkResult{}, err
	}
	out := StepWalkResult{Next: []Letter{}, Configurations: []Configuration{}, Active: []string{}, Uses: []Use{}}
	switch workspace.KindOf(p.Name) {
	case workspace.KindGrammar:
		g, found := compileGrammar(file, "")
		if g == nil || source.HasErrors(found) {
			return out, invalid(file, found)
		}
		err = stepGrammar(g, p.Word, &out)
	case workspace.KindAgent:
		a, found := compileAgent(file)
		if a == nil || source.HasErrors(found) {
			return out, invalid(file, found)
		}
		stepAgent(a, p.Word, &out)
	case workspace.KindPushdown:
		automaton, found := compilePushdown(file)
		if automaton == nil || source.HasErrors(found) {
			return out, invalid(file, found)
		}
		err = stepWords(automaton, p.Word, &out)
	case workspace.KindFlow:
		chart, found := compileFlow(file)
		if chart == nil || source.HasErrors(found) {
			return out, invalid(file, found)
		}
		err = stepFlow(chart, p.Word, &out)
	default:
		err = source.NewError("step.kind", p.Name+" has no words or runs; open a grammar, an automaton, a flowchart or an agent to step through it")
	}
	switch {
	case !out.Viable:
		out.Verdict = "invalid"
	case out.Complete:
		out.Verdict = "valid"
	default:
		out.Verdict = "incomplete"
	}
	return out, err
}

func stepGrammar(g *grammar.Grammar, word []string, out *StepWalkResult) error {
	m := meter.New(callBudget)
	walked, err := stepLanguage(g, word, out, m)
	if err != nil || !out.Viable {
		return err
	}
	if err := stepPushdown(g, walked, out, m); err != nil {
		return err
	}
	if out.Complete {
		tree, err := earley.New(g).Derivation(walked, m)
		if err != nil {
			return err
		}
		out.Tree = wireTree(g, tree)
		out.TreeDrawing = wireDrawing(out.Tree.Drawing("Derivation tree"), nil)
	}
	return nil
}

// stepLanguage reads a word, within the grammar's own limits, and says what may
// come next. It returns the word up to the first symbol that does not fit.
func stepLanguage(g *grammar.Grammar, word []string, out *StepWalkResult, m *meter.Meter) ([]grammar.Symbol, error) {
	limits := g.DeclaredLimits()
	var apply *grammar.Limits
	if !limits.Empty() {
		apply = &limits
	}
	w, err := walkGrammar(g, word, apply, m)
	if err != nil {
		return nil, err
	}
	out.Viable, out.Complete, out.Violation = w.viable, w.complete, indexOrNil(w.violation)
	for _, t := range w.next {
		out.Next = append(out.Next, Letter{Name: g.Names[t], Label: g.Label(t)})
	}
	if apply != nil {
		caps, err := g.Caps(limits)
		if err != nil {
			return nil, err
		}
		for t, limit := range caps {
			if used := limit - w.remaining[t]; limit >= 0 && (used > 0 || len(caps) <= MaxShown) {
				out.Uses = append(out.Uses, Use{Name: g.Names[t], Label: g.Label(grammar.Symbol(t)), Used: used, Limit: limit})
			}
		}
	}
	return w.word, nil
}

// stepPushdown fills in the live configurations and what of the drawing is lit:
// the states they are in, and the transitions that read the last letter.
func stepPushdown(g *grammar.Grammar, word []grammar.Symbol, out *StepWalkResult, m *meter.Meter) error {
	configs, truncated, err := pushdown.Configs(g, word, MaxConfigurations, m)
	if err != nil {
		return err
	}
	p := pushdown.FromGrammar(g)
	out.Truncated = truncated
	for _, c := range configs {
		stack := make([]string, len(c.Stack))
		for i, symbol := range c.Stack {
			stack[i] = g.Names[symbol]
		}
		out.Configurations = append(out.Configurations, Configuration{State: p.States[c.State], Stack: append(stack, p.StackStart)})
	}
	_, nodeOf, lineOf := view.Pushdown(p, "", view.Picture)
	for _, c := range configs {
		out.light(nodeOf[c.State])
	}
	if len(word) == 0 {
		return nil
	}
	last := g.Names[word[len(word)-1]]
	for i, t := range p.Transitions {
		if t.Read == last {
			out.light(lineOf[i])
		}
	}
	return nil
}

func wireTree(g *grammar.Grammar, t *earley.Tree) *view.Tree {
	out := &view.Tree{Symbol: g.Names[t.Symbol], Label: g.Label(t.Symbol), Terminal: g.IsTerminal(t.Symbol)}
	if t.Production >= 0 && g.Productions[t.Production].Label != "" {
		out.Label = g.Productions[t.Production].Label
	}
	for _, child := range t.Children {
		out.Children = append(out.Children, wireTree(g, child))
	}
	return out
}
