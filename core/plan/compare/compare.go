// Package compare runs the planner and the baselines on the same task and counts valid
// plans and their cost.
package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// Settings of a run.
type Settings struct {
	Task     string          `json:"task,omitempty"`
	Limits   *grammar.Limits `json:"limits,omitempty"`
	Model    llm.Spec        `json:"model"`
	Methods  []string        `json:"methods,omitempty"`  // none: zero-shot, few-shot and formal
	Tries    int             `json:"tries,omitempty"`    // plans of each method; 0: DefaultTries
	Shots    []baseline.Shot `json:"shots,omitempty"`    // for few-shot; none: random valid plans
	Solved   bool            `json:"solved,omitempty"`   // without Shots: other tasks of tasks.json with their best plans, if there are any
	Attempts int             `json:"attempts,omitempty"` // of the planner, to get a readable answer
	Wording  string          `json:"wording,omitempty"`  // of the planner's prompts, as in [plan.Settings]
	// MaxTokens and Temperature are those of all answers, as in [plan.Settings].
	MaxTokens   int      `json:"maxTokens,omitempty"`
	Temperature float64  `json:"temperature,omitempty"`
	Without     []string `json:"without,omitempty"` // properties to leave out because they cannot be judged
}

// MethodFormal is the planner, which the baselines are compared with.
const MethodFormal = "formal"

// DefaultTries is the number of plans per method: the paper averages five runs.
const DefaultTries = 5

// MaxTries bounds the number of plans per method.
const MaxTries = 1_000

// DefaultMethods returns the methods of settings without any.
func DefaultMethods() []string {
	return []string{baseline.MethodZeroShot, baseline.MethodFewShot, MethodFormal}
}

// Check returns an error for settings that cannot be run.
func (s Settings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	if err := (plan.Settings{Model: s.Model, Wording: s.Wording, MaxTokens: s.MaxTokens, Temperature: s.Temperature}).Check(); err != nil {
		return err
	}
	for _, method := range s.Methods {
		switch method {
		case baseline.MethodZeroShot, baseline.MethodFewShot, baseline.MethodGrammar, MethodFormal:
		default:
			return settingsError(fmt.Sprintf("unknown method %q (expected %s, %s, %s or %s)", method, baseline.MethodZeroShot, baseline.MethodFewShot, baseline.MethodGrammar, MethodFormal))
		}
	}
	if s.Tries < 0 || s.Tries > MaxTries {
		return settingsError(fmt.Sprintf("tries must be from 1 to %d, not %d", MaxTries, s.Tries))
	}
	return nil
}

// Row sums up the plans of one method.
type Row struct {
	Method           string  `json:"method"`
	Plans            int     `json:"plans"`
	Valid            int     `json:"valid"`
	Calls            int     `json:"calls"`
	PromptTokens     int     `json:"promptTokens"`
	CompletionTokens int     `json:"completionTokens"`
	Milliseconds     int     `json:"milliseconds"`
	Money            float64 `json:"money"`
	// Simulated is set for a model that is no language model.
	Simulated bool `json:"simulated,omitempty"`
	// RandomShots is set if the examples of its prompt are random valid plans instead of solved tasks.
	RandomShots bool `json:"randomShots,omitempty"`
	// Refused counts the plans that the model or a filter of its provider refused to write.
	Refused int `json:"refused,omitempty"`
}

// Event is the event of a plan, with the row of its method so far.
type Event struct {
	Kind     string `json:"kind"` // "compare.row"
	Row      Row    `json:"row"`
	Try      int    `json:"try"`  // from 1
	Text     string `json:"text"` // the model's text, or the function form
	Valid    bool   `json:"valid"`
	Fault    string `json:"fault,omitempty"`
	Function string `json:"function,omitempty"` // of a valid plan
	Enforced bool   `json:"enforced,omitempty"` // the server allowed no other answer
	Refusal  bool   `json:"refusal,omitempty"`  // the model or a filter refused, or the text reads like a refusal
}

// Result is the table of a comparison.
type Result struct {
	Kind     string `json:"kind"` // "compare.done"
	Rows     []Row  `json:"rows"`
	Markdown string `json:"markdown"`
}

// Run makes plans with several methods and counts the valid ones and their cost. formal
// runs the planner.
func Run(env *process.Env, c *checker.Checker, s Settings, formal func(*process.Env, plan.Settings) (*plan.Plan, error)) (*Result, error) {
	methods := s.Methods
	if len(methods) == 0 {
		methods = DefaultMethods()
	}
	if s.Tries == 0 {
		s.Tries = DefaultTries
	}
	model, err := authorOf(env, c, s)
	if err != nil {
		return nil, err
	}
	out := &Result{Kind: "compare.done", Rows: []Row{}}
	simulated := slices.Contains([]string{llm.KindUniform, llm.KindFirst, llm.KindRambler}, s.Model.Kind)
	for _, method := range methods {
		row := Row{Method: method, Simulated: simulated, RandomShots: method == baseline.MethodFewShot && len(s.Shots) == 0}
		for try := range s.Tries {
			e := Event{Kind: "compare.row", Try: try + 1}
			if method == MethodFormal {
				err = e.formal(env, &row, s, formal)
			} else {
				err = e.baseline(env, &row, c, model, baseline.Settings{Task: s.Task, Model: s.Model, Method: method, Shots: s.Shots, MaxTokens: s.MaxTokens, Temperature: s.Temperature})
			}
			if err != nil {
				return nil, err
			}
			row.Plans++
			if e.Refusal {
				row.Refused++
			}
			if e.Valid {
				row.Valid++
			}
			e.Row = row
			env.Emit(e)
		}
		out.Rows = append(out.Rows, row)
	}
	out.Markdown = out.markdown()
	env.Emit(out)
	return out, nil
}

// authorOf returns the model that writes plans in free text. Simulated models know no valid plans, except
// in the replay of a run without a wording that was recorded when they were made from the grammar.
func authorOf(env *process.Env, c *checker.Checker, s Settings) (llm.Model, error) {
	if s.Model.Kind != llm.KindEndpoint && s.Wording == "" {
		// The log has no text of a simulated model, so it records by which rules the text is made.
		if env.Decide(true, json.RawMessage(`"free"`)) == nil {
			return baseline.Author(c, s.Model)
		}
	}
	return baseline.FreeAuthor(c, s.Model)
}

func (e *Event) baseline(env *process.Env, row *Row, c *checker.Checker, author llm.Model, s baseline.Settings) error {
	before := spent(env)
	made, err := baseline.RunWith(env, c, author, s)
	if err != nil {
		return e.failed(env, row, err, before, "")
	}
	row.add(made.Calls, made.Usage, made.Milliseconds, made.Money)
	e.Text, e.Valid, e.Fault = made.Text, made.Valid, made.Check.Fault
	e.Function, e.Enforced, e.Refusal = made.Check.Function, made.Enforced, made.Refusal
	return nil
}

// formal makes a plan with the planner. An error with a "plan." code is a result; any other
// error, except a refusal, ends the comparison.
func (e *Event) formal(env *process.Env, row *Row, s Settings, formal func(*process.Env, plan.Settings) (*plan.Plan, error)) error {
	before := spent(env)
	made, err := formal(env, plan.Settings{Task: s.Task, Limits: s.Limits, Model: s.Model, Attempts: s.Attempts, Wording: s.Wording, MaxTokens: s.MaxTokens, Temperature: s.Temperature})
	if err != nil {
		return e.failed(env, row, err, before, "plan.")
	}
	e.Text, e.Function, e.Valid = made.Function, made.Function, true
	row.add(made.Calls, made.Usage, int(1000*made.Seconds), made.Money)
	return nil
}

// spent returns the calls and tokens of the run so far.
func spent(env *process.Env) [2]int64 {
	return [2]int64{env.Meter().Spent(meter.Calls), env.Meter().Spent(meter.Tokens)}
}

// failed records an error that is a result: one whose code has the prefix, unless that is empty, or a
// refusal. It returns any other error. Without a plan the cost is that of the meter.
func (e *Event) failed(env *process.Env, row *Row, err error, before [2]int64, prefix string) error {
	var coded interface{ Code() string }
	if !errors.As(err, &coded) {
		return err
	}
	e.Refusal = coded.Code() == llm.CodeRefused || coded.Code() == "plan.refused"
	switch {
	case prefix != "" && strings.HasPrefix(coded.Code(), prefix):
	case !e.Refusal || env.Earlier(): // in earlier recordings, a refusal ended the comparison
		return err
	default:
		env.Revise()
	}
	e.Fault = err.Error()
	after := spent(env)
	row.Calls += int(after[0] - before[0])
	row.PromptTokens += int(after[1] - before[1])
	return nil
}

func (r *Row) add(calls int, usage llm.Usage, milliseconds int, money float64) {
	r.Calls += calls
	r.PromptTokens += usage.Prompt
	r.CompletionTokens += usage.Completion
	r.Milliseconds += milliseconds
	r.Money += money
}

// markdown writes the table.
func (c *Result) markdown() string {
	var b strings.Builder
	b.WriteString("| method | plans | valid | calls | tokens sent | tokens written | seconds | dollars |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range c.Rows {
		share := 0.0
		if r.Plans > 0 {
			share = 100 * float64(r.Valid) / float64(r.Plans)
		}
		method := r.Method
		if r.RandomShots {
			method += " (random examples)"
		}
		if r.Simulated {
			method += " (simulated)"
		}
		if r.Refused > 0 {
			method += fmt.Sprintf(" (%d refused)", r.Refused)
		}
		fmt.Fprintf(&b, "| %s | %d | %.0f %% | %d | %d | %d | %.1f | %.4f |\n", method, r.Plans, share, r.Calls, r.PromptTokens, r.CompletionTokens, float64(r.Milliseconds)/1000, r.Money)
	}
	return b.String()
}

func settingsError(message string) error { return source.NewError("plan.settings", message) }
