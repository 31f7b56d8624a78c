package session

import (
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// RunProve is the kind of run in which a solver answers questions about rules by sessions of a
// bounded number of events.
const RunProve = "prove"

// The questions that consist of others.
const (
	proveCheck   = "check"
	proveCompare = "compare"
)

// ProveSettings ask a question about the rules of a text: "violable", "applies" or "superfluous" for
// a rule; "callable" for a tool; "reachable" for a formula; "stricter", "looser" or "compare" for
// another version; "check" for the first four about all rules and tools.
type ProveSettings struct {
	Source   string   `json:"source"`
	Question string   `json:"question"`
	Rule     string   `json:"rule,omitempty"`
	Tool     string   `json:"tool,omitempty"`
	Goal     string   `json:"goal,omitempty"`  // a formula
	Other    string   `json:"other,omitempty"` // the text of the other version
	Tools    []string `json:"tools,omitempty"` // the tools that exist; none: any
	Words    *File    `json:"words,omitempty"` // a spec whose words the calls of a session begin; none: any calls
	Max      int      `json:"max,omitempty"`   // maximum number of events in a session; 0: prove.DefaultEvents
	// Spend are the milliseconds of the solver for a question after which sessions of more than prove.DefaultEvents events
	// are not searched; 0: no limit.
	Spend  int          `json:"spend,omitempty"`
	Limits solve.Limits `json:"limits,omitzero"` // of one request to the solver
}

// ProveAnswer is the answer to a question about a rule, a tool or two versions. Good reports the
// usual answer: that a rule can be violated and applies, that no other rule implies it, that a tool
// can be called. Text is a sentence with the bound. Lines are the events in the notation of tests.
type ProveAnswer struct {
	Question string       `json:"question"`
	Rule     string       `json:"rule,omitempty"`
	Tool     string       `json:"tool,omitempty"`
	Good     bool         `json:"good"`
	Text     string       `json:"text"`
	Lines    []string     `json:"lines"`
	Answer   prove.Answer `json:"answer"`
}

// ProveOutcome is the result of a run of this kind. Contracts is the hash of the contracts of the
// tools that the workspace declares, "" for none: if the rules have a comment "# contracts: HASH",
// a change of the contracts is reported as a diagnostic.
type ProveOutcome struct {
	Answers   []ProveAnswer `json:"answers"`
	Contracts string        `json:"contracts"`
}

// ProveTriedEvent reports a number of events for which the solver is queried or, if it has a
// status, the solver's answer.
type ProveTriedEvent struct {
	Kind     string      `json:"kind"` // "prove.tried"
	Question string      `json:"question"`
	Rule     string      `json:"rule,omitempty"`
	Tool     string      `json:"tool,omitempty"`
	Tried    prove.Tried `json:"tried"`
}

// ProveAnswerEvent reports the answer to one question as soon as it is known.
type ProveAnswerEvent struct {
	Kind   string      `json:"kind"` // "prove.answer"
	Answer ProveAnswer `json:"answer"`
}

func proveEvents() []any {
	return []any{ProveTriedEvent{Kind: "prove.tried"}, ProveAnswerEvent{Kind: "prove.answer"}}
}

func proveBody(w project, _ workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings ProveSettings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if settings.Max == 0 {
		settings.Max = prove.DefaultEvents
	}
	if settings.Max < 1 || settings.Max > prove.MaxEvents {
		return nil, source.NewError("limit.prove", "the events of a session are out of range (expected 1 to "+strconv.Itoa(prove.MaxEvents)+")")
	}
	contracts := language.Contracts(w.Files)
	list, err := settings.queries(w.table)
	if err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		out := ProveOutcome{Answers: []ProveAnswer{}}
		if len(contracts.List) > 0 {
			out.Contracts = contracts.Hash()
		}
		for i := range list {
			list[i].Contracts = contracts
		}
		// The two directions of a comparison take turns, so that the first difference is found early.
		together := 1
		if settings.Question == proveCompare {
			together = len(list)
		}
		for group := range slices.Chunk(list, together) {
			answers, err := settings.answer(env, group)
			if err != nil {
				return nil, err
			}
			out.Answers = append(out.Answers, answers...)
		}
		return out, nil
	}, nil
}

// wordsOfSessions returns the words of a spec. A grammar with limits needs an automaton, because
// the search has no other way to decide which words can be completed within the limits.
func wordsOfSessions(t notation.Table, f File) (*prove.Words, error) {
	set, err := generatorOf(t, source.NewFile(f.Name, f.Text), meter.New(automatonBudget))
	if err != nil {
		return nil, err
	}
	out := &prove.Words{Name: f.Name, Letters: set.Language.Letters(), Grammar: set.Grammar}
	if out.Automaton, err = automatonOf(set.Language, out.Letters); err != nil {
		return nil, err
	}
	if out.Automaton == nil && out.Grammar == nil {
		return nil, source.NewError("prove.words", f.Name+" has limits, and its words need an unbounded stack or too many states; remove the limits to search its words")
	}
	out.Read = func(calls []string) (begins, complete bool) {
		r, err := set.Read(calls, meter.New(compareBudget))
		return err == nil && r.Fit == len(calls), err == nil && r.Complete
	}
	return out, nil
}

// rulesOf parses a text of rules, which must have no errors.
func rulesOf(name, text string) (*rules.File, error) {
	file := source.NewFile(name, text)
	f := rules.Parse(file)
	if source.HasErrors(f.Diagnostics) {
		return nil, notation.Invalid(file, f.Diagnostics)
	}
	if len(f.Rules) == 0 {
		return nil, source.NewError("prove.rules", name+" has no rules")
	}
	return f, nil
}

func (s *ProveSettings) queries(t notation.Table) ([]prove.Query, error) {
	f, err := rulesOf("policy.rules", s.Source)
	if err != nil {
		return nil, err
	}
	base := prove.Query{Question: prove.Question(s.Question), File: f, Tools: s.Tools, Spend: s.Spend}
	if s.Words != nil {
		if base.Words, err = wordsOfSessions(t, *s.Words); err != nil {
			return nil, err
		}
		base.Tools = slices.DeleteFunc(append([]string{}, base.Words.Letters...), func(tool string) bool { return s.Tools != nil && !slices.Contains(s.Tools, tool) })
	}
	switch s.Question {
	case proveCheck:
		return s.all(base), nil
	case proveCompare, string(prove.Stricter), string(prove.Looser):
		if base.Other, err = rulesOf("other.rules", s.Other); err != nil {
			return nil, err
		}
		if s.Question != proveCompare {
			return []prove.Query{base}, nil
		}
		first, second := base, base
		first.Question, second.Question = prove.Stricter, prove.Looser
		return []prove.Query{first, second}, nil
	case string(prove.Callable):
		if s.Tool == "" {
			return nil, source.NewError("prove.tool", `missing tool for the question "callable"`)
		}
		base.Tool = s.Tool
		return []prove.Query{base}, nil
	case string(prove.Reachable):
		if base.Goal, err = rulesOf("goal", "goal: "+s.Goal); err != nil {
			return nil, err
		}
		return []prove.Query{base}, nil
	case string(prove.Violable), string(prove.Applies), string(prove.Superfluous):
		base.Rule = slices.IndexFunc(f.Rules, func(r *rules.Rule) bool { return r.Name == s.Rule })
		if base.Rule < 0 {
			return nil, source.NewError("prove.rule", `unknown rule "`+s.Rule+`"`)
		}
		return []prove.Query{base}, nil
	}
	message := `unknown question "` + s.Question + `" (expected ` + proveCheck + ", " + proveCompare
	for _, q := range prove.Questions {
		message += ", " + string(q)
	}
	return nil, source.NewError("prove.question", message+")")
}

// all returns the questions about each rule and each tool.
func (s *ProveSettings) all(base prove.Query) (out []prove.Query) {
	tools := slices.Clone(base.Tools)
	for i, r := range base.File.Rules {
		for _, question := range []prove.Question{prove.Violable, prove.Applies, prove.Superfluous} {
			if q := base; question != prove.Superfluous || len(base.File.Rules) > 1 {
				q.Question, q.Rule = question, i
				out = append(out, q)
			}
		}
		if s.Tools == nil {
			for _, tool := range prove.Called(r) {
				if !slices.Contains(tools, tool) {
					tools = append(tools, tool)
				}
			}
		}
	}
	for _, tool := range tools {
		q := base
		q.Question, q.Tool = prove.Callable, tool
		out = append(out, q)
	}
	return out
}

// answer returns the answers to questions that take turns. It emits each as soon as it is known.
func (s *ProveSettings) answer(env *process.Env, list []prove.Query) ([]ProveAnswer, error) {
	out := make([]ProveAnswer, len(list))
	for i, q := range list {
		out[i] = ProveAnswer{Question: string(q.Question), Tool: q.Tool}
		switch q.Question {
		case prove.Violable, prove.Applies, prove.Superfluous:
			out[i].Rule = q.File.Rules[q.Rule].Name
		}
	}
	progress := func(i int, t prove.Tried) {
		env.Emit(ProveTriedEvent{Kind: "prove.tried", Question: out[i].Question, Rule: out[i].Rule, Tool: out[i].Tool, Tried: t})
	}
	return out, prove.SearchAll(env, list, s.Max, s.Limits, progress, func(i int, a prove.Answer) error {
		q, o := list[i], &out[i]
		o.Answer, o.Lines = a, prove.Lines(a.Events)
		found := a.Status == prove.Found
		o.Good = found == (q.Question != prove.Stricter && q.Question != prove.Looser) && (found || a.Status == prove.None)
		o.Text = q.Sentence(a)
		if q.Question == prove.Applies && a.Status == prove.None && len(q.File.Rules) > 1 {
			q.Alone = true
			alone, err := q.Search(env, s.Max, s.Limits, func(t prove.Tried) { progress(i, t) })
			if err != nil {
				return err
			}
			if alone.Status == prove.Found {
				o.Text += "; without the other rules it applies in a session of " + notation.Count(len(alone.Events), "event")
			}
		}
		env.Emit(ProveAnswerEvent{Kind: "prove.answer", Answer: *o})
		return nil
	})
}
