// Package baseline asks a model for a complete plan in free text, the method that
// Formal-LLM (Li et al. 2024, §5.2) compares its planner with.
package baseline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/choice"
	"github.com/stile-playground/stile/core/plan/prompt"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// The baselines.
const (
	MethodZeroShot = "zero-shot" // the model is asked once, in free text
	MethodFewShot  = "few-shot"  // the same, after a few examples
	MethodGrammar  = "grammar"   // the model is asked once for a word; servers with grammars allow no other answer
)

// The prompts of the baselines, in the structure of Formal-LLM's appendix A.3: a problem
// and the question for its steps, or solved problems before it. They include the tools and
// the rules because no model can make a valid plan without knowing them.
const (
	DefaultZeroShot = `Problem: {task}
{tools}{rules}
How is it solved, step by step? Begin each line with "Step" and its number, and write nothing else.`
	DefaultFewShot = `{tools}{rules}
{examples}

Problem: {task}
Solution:`
	DefaultGrammar = `Problem: {task}
{tools}{rules}
How is it solved? Answer with the symbols of the plan in one line, in the order of the grammar, with a space between two of them, and write nothing else. The symbols are:
{symbols}`
)

var placeholders = []string{"task", "tools", "rules", "examples", "symbols"}

// Shot is a solved problem in a few-shot prompt.
type Shot struct {
	Task  string   `json:"task"`
	Steps []string `json:"steps"`
}

// Settings of a run.
type Settings struct {
	Task     string          `json:"task,omitempty"`
	Limits   *grammar.Limits `json:"limits,omitempty"` // nil: the limits of the spec
	Model    llm.Spec        `json:"model"`
	Method   string          `json:"method,omitempty"`   // one of the Method constants; "": MethodZeroShot
	Shots    []Shot          `json:"shots,omitempty"`    // for few-shot; none: generated valid plans
	Template string          `json:"template,omitempty"` // of the prompt; "": the default of the method
	Without  []string        `json:"without,omitempty"`  // properties to leave out because they cannot be judged
	// MaxTokens bounds the answer; 0: the provider's limit. Temperature is from 0 to 2.
	MaxTokens   int     `json:"maxTokens,omitempty"`
	Temperature float64 `json:"temperature,omitempty"`
}

// Check returns an error for settings that cannot be run.
func (s Settings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	switch s.Method {
	case "", MethodZeroShot, MethodFewShot, MethodGrammar:
	default:
		return settingsError(fmt.Sprintf("unknown baseline %q (expected %s, %s or %s)", s.Method, MethodZeroShot, MethodFewShot, MethodGrammar))
	}
	if err := llm.CheckSampling(s.MaxTokens, s.Temperature); err != nil {
		return settingsError(err.Error())
	}
	return prompt.Check("plan.template", s.Template, placeholders, "task")
}

// Prompt is the event of a prompt.
type Prompt struct {
	Kind   string `json:"kind"` // "baseline.prompt"
	Method string `json:"method"`
	Prompt string `json:"prompt"`
}

// Delta is the event of a chunk of the streamed answer.
type Delta struct {
	Kind string `json:"kind"` // "baseline.delta"
	Text string `json:"text"`
}

// Result is the answer with its verdict and cost.
type Result struct {
	Method       string           `json:"method"`
	Text         string           `json:"text"`
	Check        *checker.Verdict `json:"check"`
	Valid        bool             `json:"valid"`
	Refusal      bool             `json:"refusal,omitempty"`  // the answer of an endpoint reads like a refusal
	Enforced     bool             `json:"enforced,omitempty"` // the server allowed no other answer
	Calls        int              `json:"calls"`
	Usage        llm.Usage        `json:"usage"`
	Milliseconds int              `json:"milliseconds"`
	Money        float64          `json:"money"`
}

// Run asks a model for a complete plan in free text, as Formal-LLM's baselines do (Li et
// al. 2024, §5.2), and checks it. A way through a flowchart to a bad end counts as valid,
// as it does for the planner. Simulated models are those of [FreeAuthor], or those of
// [Author] in the replay of a run that was recorded before FreeAuthor existed.
func Run(env *process.Env, c *checker.Checker, s Settings) (*Result, error) {
	author := FreeAuthor
	if s.Model.Kind != llm.KindEndpoint {
		// The log has no text of a simulated model, so it records by which rules the text is made.
		if env.Earlier() {
			author = Author
		} else {
			env.Revise()
		}
	}
	model, err := author(c, s.Model)
	if err != nil {
		return nil, err
	}
	return RunWith(env, c, model, s)
}

// Author returns the model that writes plans in free text. A simulated model makes them from the
// grammar: it serves runs that were recorded before [FreeAuthor] existed.
func Author(c *checker.Checker, spec llm.Spec) (llm.Model, error) {
	switch spec.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler:
		return llm.Simulate(freePlanner{c, spec}.write), spec.Check()
	default:
		return llm.New(spec)
	}
}

// FreeAuthor is like [Author], but a simulated model knows no valid plans: it draws steps by their
// names alone, unless its server enforces the grammar.
func FreeAuthor(c *checker.Checker, spec llm.Spec) (llm.Model, error) {
	switch spec.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler:
		return llm.Simulate(freePlanner{c, spec}.draw), spec.Check()
	default:
		return llm.New(spec)
	}
}

// RunWith is like [Run] but uses the given model, which several runs may share.
func RunWith(env *process.Env, c *checker.Checker, model llm.Model, s Settings) (*Result, error) {
	if s.Method == "" {
		s.Method = MethodZeroShot
	}
	text, err := freePrompt(c, s, env.Meter())
	if err != nil {
		return nil, err
	}
	env.Emit(Prompt{Kind: "baseline.prompt", Method: s.Method, Prompt: text})
	request := llm.Request{Messages: []llm.Message{{Role: "user", Content: text}}, MaxTokens: s.MaxTokens, Temperature: s.Temperature}
	if s.Method == MethodGrammar {
		if request.Constraint, err = grammarOf(c); err != nil {
			return nil, err
		}
	}
	reply, err := model.Generate(env, request, func(delta string) bool {
		env.Emit(Delta{Kind: "baseline.delta", Text: delta})
		return true
	})
	if err != nil {
		return nil, err
	}
	out := &Result{Method: s.Method, Text: reply.Text, Calls: 1, Usage: reply.Usage, Milliseconds: reply.Milliseconds, Money: reply.Cost, Enforced: reply.Constrained}
	if out.Check, err = c.Check(reply.Text, env.Meter()); err != nil {
		return nil, err
	}
	out.Valid = out.Check.Valid || out.Check.BadEnd != nil // a bad end of a flowchart is a finding, not a mistake
	if reply.Reason == llm.StopLength && s.MaxTokens > 0 && !env.Earlier() {
		env.Revise()
		out.Valid, out.Check.Fault = false, fmt.Sprintf("the answer was cut off after %d tokens", reply.Usage.Completion)
	}
	if s.Model.Kind == llm.KindEndpoint && choice.Refuses(reply.Text) && !env.Earlier() {
		env.Revise()
		out.Refusal = true
	}
	return out, nil
}

func freePrompt(c *checker.Checker, s Settings, m *meter.Meter) (string, error) {
	template := s.Template
	if template == "" {
		switch template = DefaultZeroShot; s.Method {
		case MethodFewShot:
			template = DefaultFewShot
		case MethodGrammar:
			template = DefaultGrammar
		}
	}
	task := s.Task
	if task == "" {
		task = "make a valid plan"
	}
	shots := s.Shots
	if len(shots) == 0 && s.Method == MethodFewShot {
		var err error
		if shots, err = makeShots(c, defaultShots, m); err != nil {
			return "", err
		}
	}
	text := prompt.Expand(template, func(name string) string {
		switch name {
		case "task":
			return task
		case "tools":
			return toolsText(c)
		case "rules":
			return rulesText(c)
		case "symbols":
			return strings.Join(c.Symbols(), "\n")
		default: // "examples"
			return shotsText(shots)
		}
	})
	return strings.TrimSpace(text), nil
}

// grammarBudget bounds the work of writing a grammar for a server.
var grammarBudget = meter.Budget{Steps: 20_000_000}

// grammarOf returns the grammar of the words that a checker accepts, without its properties, in the
// notations of servers that enforce one. It returns an error if a notation cannot express the
// grammar.
func grammarOf(c *checker.Checker) (*llm.Constraint, error) {
	out := &llm.Constraint{}
	for _, t := range []struct {
		format string
		text   *string
	}{{"gbnf", &out.Grammar}, {"lark", &out.Lark}} {
		o := export.Options{Name: "the plan", Format: t.format, Budget: grammarBudget}
		var err error
		if *t.text, err = export.SourceOfGrammar(c.Grammar(), o).Write(o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func shotsText(shots []Shot) string {
	list := make([]string, len(shots))
	for i, shot := range shots {
		list[i] = "Problem: " + shot.Task + "\nSolution:"
		for k, step := range shot.Steps {
			list[i] += fmt.Sprintf("\nStep %d: %s", k+1, step)
		}
	}
	return strings.Join(list, "\n\n")
}

// toolsText lists the steps and inputs of plans.
func toolsText(c *checker.Checker) string {
	text := "Steps: " + strings.Join(c.StepLabels(), "; ") + ".\n"
	if given := c.InputLabels(); len(given) > 0 {
		text += "Given: " + strings.Join(given, "; ") + ".\n"
	}
	return text
}

// rulesText lists the use limits and the properties.
func rulesText(c *checker.Checker) string {
	var b strings.Builder
	groups := map[int64][]string{}
	var counts []int64
	free := false
	for _, l := range c.UseLimits() {
		if l.Times == grammar.Unlimited {
			free = true
			continue
		}
		if groups[l.Times] == nil {
			counts = append(counts, l.Times)
		}
		groups[l.Times] = append(groups[l.Times], l.Label)
	}
	slices.Sort(counts)
	for _, n := range counts {
		often := "at most " + prompt.Times(n)
		if n == 0 {
			often = "never"
		}
		if len(counts) == 1 && !free {
			fmt.Fprintf(&b, "Each may be used %s.\n", often)
			continue
		}
		fmt.Fprintf(&b, "Use %s: %s.\n", often, strings.Join(groups[n], "; "))
	}
	for _, p := range c.Properties() {
		fmt.Fprintf(&b, "The plan must satisfy %s: %s.\n", p.Name, p.Formula)
	}
	return b.String()
}

// defaultShots is the number of examples in a few-shot prompt; the paper uses a few.
const defaultShots = 3

// makeShots generates short valid plans. It is deterministic.
func makeShots(c *checker.Checker, n int, m *meter.Meter) ([]Shot, error) {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	var out []Shot
	const tries = 8
	for i := range n * tries {
		steps, _, err := c.Random(random, 1+i%4, m)
		if err != nil {
			return nil, err
		}
		shot := Shot{Task: "another task with such a plan"}
		for _, s := range steps {
			shot.Steps = append(shot.Steps, s.Text)
		}
		again := slices.ContainsFunc(out, func(o Shot) bool { return slices.Equal(o.Steps, shot.Steps) })
		if len(shot.Steps) > 0 && !again {
			if out = append(out, shot); len(out) == n {
				break
			}
		}
	}
	return out, nil
}

func settingsError(message string) error { return source.NewError("plan.settings", message) }
