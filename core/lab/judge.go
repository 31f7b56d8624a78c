package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

// judge sets the measures of a finished cell, or the reason why it has none. A model's
// failure at its task is measured; a failed request is not.
func (c Cell) judge(made process.NestedResult, setup Setup) Outcome {
	out := c.measure(made, setup)
	out.Reason = withoutAddress(out.Reason, c.endpoint)
	return out
}

// withoutAddress removes an endpoint's address from a text, because results are shared.
func withoutAddress(text string, e *llm.Endpoint) string {
	if e == nil {
		return text
	}
	_, host, _ := strings.Cut(e.URL, "://")
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, "?")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if host == "" {
		return text
	}
	name, _, _ := strings.Cut(host, ":")
	var b strings.Builder
	for text != "" {
		stops := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`()[]<>“”‘’", r) }
		to := strings.IndexFunc(text, stops)
		if to < 0 {
			to = len(text)
		}
		word := strings.TrimRight(text[:to], ".,;:")
		bare, _, _ := strings.Cut(word, "/")
		if bare == host || bare == name || strings.HasPrefix(bare, name+":") || strings.Contains(word, "://") && strings.Contains(word, name) {
			b.WriteString("(its address)" + text[len(word):to])
		} else {
			b.WriteString(text[:to])
		}
		width := 0
		if to < len(text) {
			_, width = utf8.DecodeRuneInString(text[to:])
		}
		b.WriteString(text[to : to+width])
		text = text[to+width:]
	}
	return b.String()
}

func (c Cell) measure(made process.NestedResult, setup Setup) Outcome {
	out := c.Outcome
	out.State, out.Answers = StateDone, made.Log
	if made.Err != nil {
		out.Reason = made.Err.Error()
		if !taskFault(made.Err) {
			out.State = StateFailed
			return out
		}
	}
	var found []Measure
	var err error
	switch c.Kind {
	case MethodPlan:
		found, err = c.judgePlan(made)
	case MethodBaseline:
		found, err = c.judgeBaseline(made, setup)
	case MethodMonitor:
		found, err = judgeAnswer(made, c.task.question.Answer)
		if made.Err == nil {
			out.Reason = brokenProperties(made)
		}
	case MethodBenchmark:
		found, err = judgeBenchmark(made, &out)
	case MethodTeam:
		found, err = c.judgeTeam(made)
	case MethodFormulate:
		found, err = c.judgeFormulation(made, &out)
	case MethodLearn:
		found, err = judgeLearner(made)
	}
	if err != nil {
		out.State, out.Reason = StateFailed, err.Error()
		return out
	}
	kept, reason, err := c.judgeRules(made)
	if err != nil {
		out.State, out.Reason = StateFailed, err.Error()
		return out
	}
	if out.Reason == "" {
		out.Reason = reason
	}
	out.Measures = slices.Concat(found, kept, spentMeasures(made, c.priced()))
	return out
}

// taskFaults are the codes of errors in a model's work on its task; other errors are
// about the settings, or about a failed request to an endpoint.
var taskFaults = []string{"plan.none", "plan.unreadable", "plan.refused", "plan.steps", "monitor.refused", "monitor.environment", "monitor.vote", "monitor.repeats", llm.CodeRefused, "team.failed", "team.graph", "limit.steps", "limit.states", "formulate.product"}

func taskFault(err error) bool {
	var coded interface{ Code() string }
	var limit *meter.LimitError
	return errors.As(err, &coded) && slices.Contains(taskFaults, coded.Code()) || errors.As(err, &limit)
}

func yes(name string, is bool) Measure {
	if is {
		return Measure{name, 1, 1}
	}
	return Measure{name, 0, 1}
}

func number(name string, value float64) Measure { return Measure{Name: name, Count: value} }

// priced reports whether the cost of the cell is known: its model is simulated, or its endpoint has a price.
func (c Cell) priced() bool { return c.endpoint == nil || c.endpoint.PriceKnown() }

// spentMeasures returns the measures of effort that every run has. Without a price, the cost is unknown.
func spentMeasures(made process.NestedResult, priced bool) []Measure {
	milliseconds := 0
	for _, a := range made.Log {
		var took struct {
			Milliseconds int `json:"milliseconds"`
		}
		if len(a.Value) > 0 && json.Unmarshal(a.Value, &took) == nil {
			milliseconds += took.Milliseconds
		}
	}
	list := []Measure{
		number("calls", float64(made.Spent.Calls)), number("tokens", float64(made.Spent.Tokens)),
		number("seconds", float64(milliseconds)/1000),
	}
	if priced {
		list = append(list, number(costMeasure, made.Spent.Money))
	}
	return list
}

// unmade reports whether the model made none of a plan's choices, because none of its answers could
// be read: the plan is not the model's.
func unmade(p plan.Plan) bool { return p.Otherwise > 0 && p.Otherwise == p.Choices }

// judgePlan measures whether the model's plan is valid and, if it was executed, the score: the share of the
// wanted properties that its result has, from 0 to 1. The score replaces the papers' similarities
// of images and texts.
func (c Cell) judgePlan(made process.NestedResult) ([]Measure, error) {
	if c.trip != nil {
		return c.trip.judge(made)
	}
	if made.Err != nil {
		return []Measure{yes("valid", false), yes("met", false), number("score", 0)}, nil
	}
	var p plan.Plan
	if err := json.Unmarshal(made.Result, &p); err != nil {
		return nil, err
	}
	effort := []Measure{number("dead-ends", float64(p.DeadEnds)), number("choices", float64(p.Choices)), number("fallbacks", float64(p.Otherwise))}
	if unmade(p) {
		return append([]Measure{yes("valid", false), yes("met", false), number("score", 0)}, effort...), nil
	}
	met := c.task.planned.Goal == nil // every plan meets a missing goal; a plan that was not executed meets no other
	if p.Met != nil {
		met = *p.Met
	}
	return append([]Measure{yes("valid", true), yes("met", met), number("score", c.task.planned.score(p.Result))}, effort...), nil
}

func (c Cell) judgeBaseline(made process.NestedResult, setup Setup) ([]Measure, error) {
	var done struct {
		Check struct {
			Valid bool     `json:"valid"`
			Word  []string `json:"word"`
		} `json:"check"`
	}
	if made.Err == nil {
		if err := json.Unmarshal(made.Result, &done); err != nil {
			return nil, err
		}
	}
	if !done.Check.Valid {
		return []Measure{yes("valid", false), yes("met", false), number("score", 0)}, nil
	}
	met, score := true, 1.0
	if goal := c.task.planned.Goal; goal != nil {
		tools, err := setup.Tools(workspace.Workspace{Files: c.Files})
		if err != nil {
			return nil, err
		}
		var result *tool.Value
		if tools != nil {
			result = carryOut(tools.With(c.task.planned.inputs()), done.Check.Word)
		}
		met, score = result != nil && goal.Met(*result), c.task.planned.score(result)
	}
	return []Measure{yes("valid", true), yes("met", met), number("score", score)}, nil
}

// score is the share of a task's conditions that a result satisfies.
func (t *plannedTask) score(result *tool.Value) float64 {
	if t.Goal == nil {
		return 1
	}
	if result == nil {
		return 0
	}
	return t.Goal.Share(*result)
}

// carryOut executes a plan without random failures of tools and returns its result, or nil if
// the plan has no result.
func carryOut(tools *tool.Set, word []string) *tool.Value {
	steps, err := tools.Steps(word)
	if err != nil {
		return nil
	}
	uses := map[string]int{}
	var values []tool.Value
	for _, s := range steps {
		if s.Given {
			value, _ := tools.Input(s.Symbol)
			values = append(values, value)
			continue
		}
		args := make([]tool.Value, len(s.Args))
		for i, a := range s.Args {
			args[i] = values[a]
		}
		uses[s.Symbol]++
		value, err := tools.Call(tool.Context{Count: uses[s.Symbol]}, s.Symbol, args)
		if err != nil {
			return nil
		}
		values = append(values, value)
	}
	result := tools.Combine(values)
	if tools.Order == tool.OrderPrefix && len(values) > 0 {
		result = values[len(values)-1]
	}
	return &result
}

func judgeAnswer(made process.NestedResult, answer string) ([]Measure, error) {
	var t monitor.Transcript
	if made.Err == nil {
		if err := json.Unmarshal(made.Result, &t); err != nil {
			return nil, err
		}
	}
	list := []Measure{yes("valid", made.Err == nil && t.Verdict == agent.VerdictValid)}
	if answer != "" { // without an expected answer, no answer is right or wrong
		list = append(list, yes("score", made.Err == nil && monitor.SameAnswer(monitor.Conclusion(t.Answer), answer)))
	}
	if made.Err != nil {
		return list, nil
	}
	return append(list, number("violations", float64(t.Stats.Violations)), number("tool-calls", float64(t.Stats.ToolCalls))), nil
}

// brokenProperties lists the properties that a run violates, or that cannot be judged.
func brokenProperties(made process.NestedResult) string {
	var t monitor.Transcript
	if json.Unmarshal(made.Result, &t) != nil {
		return "" // judgeAnswer reports an unreadable result
	}
	var list []string
	for _, p := range t.Properties {
		switch {
		case p.Fault != "":
			list = append(list, fmt.Sprintf("property %q cannot be judged: %s", p.Name, p.Fault))
		case !p.Holds:
			list = append(list, fmt.Sprintf("property %q does not hold", p.Name))
		}
	}
	return strings.Join(list, "; ")
}

func judgeBenchmark(made process.NestedResult, out *Outcome) ([]Measure, error) {
	if made.Err != nil { // a fault of the method: other faults were handled before
		return []Measure{yes("score", false)}, nil
	}
	var done struct {
		Rows []struct {
			ToolCalls int `json:"toolCalls"`
			Scores    []struct {
				Name  string  `json:"name"`
				Value float64 `json:"value"`
				Share bool    `json:"share"`
				Count int     `json:"count"`
				Total int     `json:"total"`
			} `json:"scores"`
		} `json:"rows"`
		Tasks []struct {
			Pass   bool     `json:"pass"`
			Said   string   `json:"said"`
			Asked  []string `json:"asked"`
			Failed []string `json:"failed"`
		} `json:"tasks"`
	}
	if err := json.Unmarshal(made.Result, &done); err != nil {
		return nil, err
	}
	if len(done.Rows) != 1 || len(done.Tasks) != 1 {
		return nil, source.NewError("lab.benchmark", "the benchmark's run did not return exactly one row")
	}
	t := done.Tasks[0]
	out.Reason = t.Said
	list := []Measure{yes("score", t.Pass), number("tool-calls", float64(done.Rows[0].ToolCalls))}
	for _, s := range done.Rows[0].Scores {
		m := Measure{Name: Word(s.Name), Count: s.Value}
		if s.Total > 0 {
			m.Count, m.Of = float64(s.Count), float64(s.Total)
		} else if s.Share && m.Name != "rouge-l" {
			continue // a share of nothing
		}
		list = append(list, m)
	}
	for _, name := range t.Asked {
		list = append(list, yes(Word(name), !slices.Contains(t.Failed, name)))
	}
	return list, nil
}

// Word converts a title to the name of a measure: "Common sense, micro" to "common-sense-micro".
func Word(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	return strings.Join(words, "-")
}

func (c Cell) judgeFormulation(made process.NestedResult, out *Outcome) ([]Measure, error) {
	own := c.task.local
	if made.Err != nil {
		if own != nil {
			return own.failed(), nil
		}
		return []Measure{yes("valid", false), yes("score", false)}, nil
	}
	var r formulate.Result
	if err := json.Unmarshal(made.Result, &r); err != nil {
		return nil, err
	}
	if own != nil {
		return own.judge(&r, out, c.priced()), nil
	}
	// Only a plan is scored: the solver's objective belongs to a formulation that may be wrong.
	// A contradiction that says nothing about the problem does not prove that it has no plan.
	groundless := slices.ContainsFunc(r.Findings, func(f formulate.Finding) bool { return f.Mistake == formulate.MistakeGroundless })
	o := domains.Outcome{Infeasible: r.Status == formulate.StatusInfeasible && !groundless || r.NoPlan, Answer: string(r.Answer)}
	if r.Steps != nil && len(r.Steps.Plan) > 0 {
		o.Answer = strings.Join(r.Steps.Plan, "\n")
	}
	if r.Status == formulate.StatusFailed || r.Status == formulate.StatusUnknown || r.Status == formulate.StatusUnbounded {
		o = domains.Outcome{}
	}
	found, err := c.task.problem.set.Judge(c.task.problem.index, o)
	if err != nil {
		return nil, err
	}
	out.Reason = found.Reason
	return append([]Measure{
		yes("valid", r.Status == formulate.StatusSolved || r.Status == formulate.StatusFeasible || r.Status == formulate.StatusInfeasible), yes("score", found.Right),
		number("rounds", float64(r.Rounds)), number("solves", float64(r.Spent.Solves)),
	}, stagesOf(&r, c.priced())...), nil
}
