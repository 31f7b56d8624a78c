package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

// Methods of planning that are compared.
const (
	MethodZeroShot = "zero-shot" // the model is asked once, in free text
	MethodFewShot  = "few-shot"  // the same, after a few examples
	MethodFormal   = "formal"    // the planner of this package
)

// The prompts of the baselines, in the structure of Formal-LLM's appendix A.3: the
// problem and a question for its steps, or solved problems before it. What may be
// used, and the rules, are told as well, since no plan can be valid whose maker does
// not know them.
const (
	DefaultZeroShot = `Problem: {task}
{tools}{rules}
How is it solved, step by step? Begin each line with "Step" and its number, and write nothing else.`
	DefaultFewShot = `{tools}{rules}
{examples}

Problem: {task}
Solution:`
)

var baselinePlaceholders = []string{"task", "tools", "rules", "examples"}

// Shot is a solved problem that a model is shown.
type Shot struct {
	Task  string   `json:"task"`
	Steps []string `json:"steps"`
}

// BaselineSettings of a run.
type BaselineSettings struct {
	Task     string          `json:"task,omitempty"`
	Limits   *grammar.Limits `json:"limits,omitempty"` // nil: those that the spec declares
	Model    llm.Spec        `json:"model"`
	Method   string          `json:"method,omitempty"`   // MethodZeroShot or MethodFewShot; "": MethodZeroShot
	Shots    []Shot          `json:"shots,omitempty"`    // of few-shot; none: valid plans are made up
	Template string          `json:"template,omitempty"` // of the prompt; "": DefaultZeroShot or DefaultFewShot
	Without  []string        `json:"without,omitempty"`  // properties that cannot be judged, and are left out
}

// Check returns an error for settings that cannot be run.
func (s BaselineSettings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	switch s.Method {
	case "", MethodZeroShot, MethodFewShot:
	default:
		return settingsError(fmt.Sprintf("there is no baseline %q (there is %s, %s)", s.Method, MethodZeroShot, MethodFewShot))
	}
	return CheckNames("plan.template", s.Template, baselinePlaceholders, "task")
}

// CheckNames returns an error with a code for a template that names what there is not,
// or leaves out what it needs. An empty one stands for a default.
func CheckNames(code, template string, names []string, needed string) error {
	var fault error
	expand(template, func(name string, _ int) string {
		if !slices.Contains(names, name) && fault == nil {
			fault = source.NewError(code, fmt.Sprintf("the prompt names {%s}, which there is not (there is {%s})", name, strings.Join(names, "}, {")))
		}
		return ""
	})
	if fault == nil && template != "" && !strings.Contains(template, "{"+needed+"}") {
		fault = source.NewError(code, fmt.Sprintf("the prompt does not show the {%s}", needed))
	}
	return fault
}

// BaselinePrompt is the event of a question put to the model.
type BaselinePrompt struct {
	Kind   string `json:"kind"` // "baseline.prompt"
	Method string `json:"method"`
	Prompt string `json:"prompt"`
}

// BaselineDelta is a piece of the answer as it streams in.
type BaselineDelta struct {
	Kind string `json:"kind"` // "baseline.delta"
	Text string `json:"text"`
}

// BaselineResult is what came of it.
type BaselineResult struct {
	Method       string    `json:"method"`
	Text         string    `json:"text"`
	Check        *Verdict  `json:"check"`
	Valid        bool      `json:"valid"`
	Calls        int       `json:"calls"`
	Usage        llm.Usage `json:"usage"`
	Milliseconds int       `json:"milliseconds"`
	Money        float64   `json:"money"`
}

// Baseline asks a model for a whole plan in free text, as Formal-LLM's baselines do
// (Li et al. 2024, §5.2), reads the tools in what it writes, and judges them with the
// checker. Going through a flowchart to a bad end is valid, as it is for the planner.
// Simulated models write lists of steps, as bad as their error rate.
func Baseline(env *process.Env, c *Checker, s BaselineSettings) (*BaselineResult, error) {
	model, err := c.author(s.Model)
	if err != nil {
		return nil, err
	}
	return c.baseline(env, model, s)
}

// author returns the model that writes plans in free text.
func (c *Checker) author(spec llm.Spec) (llm.Model, error) {
	switch spec.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler:
		return llm.Simulate(freePlanner{c, spec}.write), spec.Check()
	default:
		return llm.New(spec)
	}
}

func (c *Checker) baseline(env *process.Env, model llm.Model, s BaselineSettings) (*BaselineResult, error) {
	if s.Method == "" {
		s.Method = MethodZeroShot
	}
	prompt, err := c.freePrompt(s, env.Meter())
	if err != nil {
		return nil, err
	}
	env.Emit(BaselinePrompt{Kind: "baseline.prompt", Method: s.Method, Prompt: prompt})
	reply, err := model.Generate(env, llm.Request{Messages: []llm.Message{{Role: "user", Content: prompt}}}, func(delta string) bool {
		env.Emit(BaselineDelta{Kind: "baseline.delta", Text: delta})
		return true
	})
	if err != nil {
		return nil, err
	}
	out := &BaselineResult{Method: s.Method, Text: reply.Text, Calls: 1, Usage: reply.Usage, Milliseconds: reply.Milliseconds, Money: reply.Cost}
	if out.Check, err = c.Check(reply.Text, env.Meter()); err != nil {
		return nil, err
	}
	out.Valid = out.Check.Valid || out.Check.BadEnd != nil // a finding that ends a flowchart is no mistake
	return out, nil
}

func (c *Checker) freePrompt(s BaselineSettings, m *meter.Meter) (string, error) {
	template := s.Template
	if template == "" {
		if template = DefaultZeroShot; s.Method == MethodFewShot {
			template = DefaultFewShot
		}
	}
	task := s.Task
	if task == "" {
		task = "make a valid plan"
	}
	shots := s.Shots
	if len(shots) == 0 && s.Method == MethodFewShot {
		var err error
		if shots, err = c.Shots(defaultShots, m); err != nil {
			return "", err
		}
	}
	text := expand(template, func(name string, _ int) string {
		switch name {
		case "task":
			return task
		case "tools":
			return c.toolsText()
		case "rules":
			return c.rulesText()
		default: // "examples"
			return shotsText(shots)
		}
	})
	return strings.TrimSpace(text), nil
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

// tellable returns what the steps of a plan can be.
func (c *Checker) tellable() []string {
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	headed := make([]bool, c.g.NumTerminals) // it begins a production that does not say itself what it does
	for _, p := range c.g.Productions {
		if c.table == nil {
			break
		}
		if p.Label != "" {
			add(p.Label)
			continue
		}
		for _, s := range p.Right {
			if c.g.IsTerminal(s) {
				headed[s] = true
			}
		}
	}
	for t, label := range c.labels {
		_, told := c.telling.names[grammar.Symbol(t)]
		if told && !c.telling.inputs[t] && (headed[t] || c.table == nil) {
			add(label)
		}
	}
	return out
}

func (c *Checker) toolsText() string {
	text := "What can be done: " + strings.Join(c.tellable(), "; ") + ".\n"
	var given []string
	for t, input := range c.telling.inputs {
		if input && c.table != nil {
			given = append(given, c.labels[t])
		}
	}
	if len(given) > 0 {
		text += "What is given: " + strings.Join(given, "; ") + ".\n"
	}
	return text
}

// rulesText says the use limits and the properties.
func (c *Checker) rulesText() string {
	var b strings.Builder
	groups := map[int64][]string{}
	var counts []int64
	free := false
	for t, most := range c.rules.caps {
		if _, told := c.telling.names[grammar.Symbol(t)]; !told || c.telling.inputs[t] {
			continue
		}
		if most == grammar.Unlimited {
			free = true
			continue
		}
		if groups[most] == nil {
			counts = append(counts, most)
		}
		groups[most] = append(groups[most], c.labels[t])
	}
	slices.Sort(counts)
	for _, n := range counts {
		often := "at most " + times(n)
		if n == 0 {
			often = "never"
		}
		if len(counts) == 1 && !free {
			fmt.Fprintf(&b, "Each may be used %s.\n", often)
			continue
		}
		fmt.Fprintf(&b, "To be used %s: %s.\n", often, strings.Join(groups[n], "; "))
	}
	for _, p := range c.rules.properties {
		fmt.Fprintf(&b, "To be kept: %s, which is %s.\n", p.Name, p.Formula)
	}
	return b.String()
}

// defaultShots is how many examples a few-shot prompt has; the paper's have a few.
const defaultShots = 3

// Shots makes short valid plans to show as examples, always the same.
func (c *Checker) Shots(n int, m *meter.Meter) ([]Shot, error) {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	var out []Shot
	const tries = 8
	for i := range n * tries {
		steps, _, err := c.plausible(random, 1+i%4, m)
		if err != nil {
			return nil, err
		}
		shot := Shot{Task: "something else that can be done so"}
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

// plausible returns the valid plan that is nearest to some steps drawn by chance; none
// where there is no valid plan.
func (c *Checker) plausible(random *rand.Rand, length int, m *meter.Meter) (steps []Step, word []grammar.Symbol, err error) {
	var heard, told []grammar.Symbol
	for s, silent := range c.telling.silent {
		if !silent {
			heard = append(heard, grammar.Symbol(s))
		}
	}
	for range length {
		if len(heard) > 0 {
			told = append(told, heard[random.IntN(len(heard))])
		}
	}
	t := c.telling
	near, err := verify.NearestHeard(t.g, t.caps(c.rules.caps), t.automaton(c.rules.automaton), t.silent, told, m)
	if err != nil || near == nil {
		return nil, nil, err
	}
	word = t.word(near.Word)
	_, steps, err = c.render(word, nil, m)
	return steps, word, err
}
