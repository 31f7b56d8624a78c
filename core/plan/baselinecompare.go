package plan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// CompareSettings of a run.
type CompareSettings struct {
	Task     string          `json:"task,omitempty"`
	Limits   *grammar.Limits `json:"limits,omitempty"`
	Model    llm.Spec        `json:"model"`
	Methods  []string        `json:"methods,omitempty"`  // none: all three
	Tries    int             `json:"tries,omitempty"`    // plans of each method; 0: DefaultTries
	Shots    []Shot          `json:"shots,omitempty"`    // of few-shot
	Attempts int             `json:"attempts,omitempty"` // of formal, to get a readable answer
	Without  []string        `json:"without,omitempty"`  // properties that cannot be judged, and are left out
}

// DefaultTries is how many plans each method makes: the paper averages five runs.
const DefaultTries = 5

// MaxTries is how many plans each method may make in a run.
const MaxTries = 1_000

// Check returns an error for settings that cannot be run.
func (s CompareSettings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	for _, method := range s.Methods {
		switch method {
		case MethodZeroShot, MethodFewShot, MethodFormal:
		default:
			return settingsError(fmt.Sprintf("there is no method %q (there is %s, %s, %s)", method, MethodZeroShot, MethodFewShot, MethodFormal))
		}
	}
	if s.Tries < 0 || s.Tries > MaxTries {
		return settingsError(fmt.Sprintf("tries are from 1 to %d, not %d", MaxTries, s.Tries))
	}
	return nil
}

// CompareRow is what the plans of one method came to.
type CompareRow struct {
	Method           string  `json:"method"`
	Plans            int     `json:"plans"`
	Valid            int     `json:"valid"`
	Calls            int     `json:"calls"`
	PromptTokens     int     `json:"promptTokens"`
	CompletionTokens int     `json:"completionTokens"`
	Milliseconds     int     `json:"milliseconds"`
	Money            float64 `json:"money"`
}

// CompareEvent is a plan that was made, and its method's row with it.
type CompareEvent struct {
	Kind     string     `json:"kind"` // "compare.row"
	Row      CompareRow `json:"row"`
	Try      int        `json:"try"`  // from 1
	Text     string     `json:"text"` // of the plan, as the model wrote it or as a function
	Valid    bool       `json:"valid"`
	Fault    string     `json:"fault,omitempty"`
	Function string     `json:"function,omitempty"` // of a valid plan
}

// Comparison is the table of a comparison.
type Comparison struct {
	Kind     string       `json:"kind"` // "compare.done"
	Rows     []CompareRow `json:"rows"`
	Markdown string       `json:"markdown"`
}

// Compare makes plans by several methods and counts how many are valid and what they
// cost. formal is the planner that is compared with the baselines.
func Compare(env *process.Env, c *Checker, s CompareSettings, formal func(*process.Env, Settings) (*Plan, error)) (*Comparison, error) {
	methods := s.Methods
	if len(methods) == 0 {
		methods = []string{MethodZeroShot, MethodFewShot, MethodFormal}
	}
	if s.Tries == 0 {
		s.Tries = DefaultTries
	}
	author, err := c.author(s.Model)
	if err != nil {
		return nil, err
	}
	out := &Comparison{Kind: "compare.done", Rows: []CompareRow{}}
	for _, method := range methods {
		row := CompareRow{Method: method}
		for try := range s.Tries {
			e := CompareEvent{Kind: "compare.row", Try: try + 1}
			if method == MethodFormal {
				err = e.formal(env, &row, s, formal)
			} else {
				err = e.baseline(env, &row, c, author, BaselineSettings{Task: s.Task, Method: method, Shots: s.Shots})
			}
			if err != nil {
				return nil, err
			}
			row.Plans++
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

func (e *CompareEvent) baseline(env *process.Env, row *CompareRow, c *Checker, author llm.Model, s BaselineSettings) error {
	made, err := c.baseline(env, author, s)
	if err != nil {
		return err
	}
	row.add(made.Calls, made.Usage, made.Milliseconds, made.Money)
	e.Text, e.Valid, e.Fault = made.Text, made.Valid, made.Check.Fault
	e.Function = made.Check.Function
	return nil
}

// formal makes a plan with the planner. That there is none, or that the model cannot
// be read, is a result; anything else ends the comparison.
func (e *CompareEvent) formal(env *process.Env, row *CompareRow, s CompareSettings, formal func(*process.Env, Settings) (*Plan, error)) error {
	calls, tokens := env.Meter().Spent(meter.Calls), env.Meter().Spent(meter.Tokens)
	made, err := formal(env, Settings{Task: s.Task, Limits: s.Limits, Model: s.Model, Attempts: s.Attempts})
	var fault *source.Error
	switch {
	case errors.As(err, &fault) && strings.HasPrefix(fault.Code(), "plan."):
		// The plan is not there to say what it took; the meter is.
		e.Fault = err.Error()
		row.Calls += int(env.Meter().Spent(meter.Calls) - calls)
		row.PromptTokens += int(env.Meter().Spent(meter.Tokens) - tokens)
	case err != nil:
		return err
	default:
		e.Text, e.Function, e.Valid = made.Function, made.Function, true
		row.add(made.Calls, made.Usage, int(1000*made.Seconds), made.Money)
	}
	return nil
}

func (r *CompareRow) add(calls int, usage llm.Usage, milliseconds int, money float64) {
	r.Calls += calls
	r.PromptTokens += usage.Prompt
	r.CompletionTokens += usage.Completion
	r.Milliseconds += milliseconds
	r.Money += money
}

// markdown writes the table.
func (c *Comparison) markdown() string {
	var b strings.Builder
	b.WriteString("| method | plans | valid | calls | tokens sent | tokens written | seconds | dollars |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range c.Rows {
		share := 0.0
		if r.Plans > 0 {
			share = 100 * float64(r.Valid) / float64(r.Plans)
		}
		fmt.Fprintf(&b, "| %s | %d | %.0f %% | %d | %d | %d | %.1f | %.4f |\n", r.Method, r.Plans, share, r.Calls, r.PromptTokens, r.CompletionTokens, float64(r.Milliseconds)/1000, r.Money)
	}
	return b.String()
}
