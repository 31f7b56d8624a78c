package session

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
)

func planCheckMethods() []Method {
	return []Method{method("plan.check", (*Session).planCheck), pure("choice.read", choiceRead)}
}

// PlanCheckParams are a workspace, its spec for the plans ("": the main file), a text
// with a plan in any form, and use limits that replace those of the spec. Formulas of the
// workspace that refer only to the spec's symbols are checked as well. If no spec can
// judge a formula, the plan is not valid, unless Without names the formula.
type PlanCheckParams struct {
	Files  []File          `json:"files"`
	Name   string          `json:"name,omitempty"`
	Text   string          `json:"text"`
	Limits *grammar.Limits `json:"limits,omitempty"`

	Without []string `json:"without,omitempty"`
}

// PlanCheckResult reports how a text was read as a plan (Form is "word", "function" or
// "steps"), whether the plan is valid, and if not, its first fault and the valid plan at
// the smallest edit distance. At is the index of the fault in Found: its length if the
// plan ends too early, -1 if the complete plan is at fault. Word is the plan's word,
// empty if the text does not determine it.
type PlanCheckResult struct {
	Form     string            `json:"form"`
	Found    []PlanFound       `json:"found"`
	Unread   []PlanUnread      `json:"unread"`
	Notes    []string          `json:"notes"`
	Valid    bool              `json:"valid"`
	Word     []string          `json:"word"`
	Function string            `json:"function"`
	Steps    []space.Step      `json:"steps"`
	Fault    string            `json:"fault,omitempty"`
	Reason   string            `json:"reason,omitempty"` // of a formula, a line per part
	At       int               `json:"at"`
	From     int               `json:"from"`
	To       int               `json:"to"`
	Expected []PlanExpected    `json:"expected"`
	Nearest  *checker.NearPlan `json:"nearest,omitempty"`
}

// PlanFound is a symbol that was read, with its place in UTF-16 code units. Symbol is
// empty if the spec has no such symbol. Step is the number of the
// step in a list, from 1; without a list it is 0.
type PlanFound struct {
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
	From   int    `json:"from"`
	To     int    `json:"to"`
	Step   int    `json:"step,omitempty"`
	Note   string `json:"note,omitempty"`
}

// PlanUnread is a line without a symbol of the spec; Step marks a line that looks like a
// step.
type PlanUnread struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
	Step bool   `json:"step"`
}

// PlanExpected is a valid alternative at the fault.
type PlanExpected struct {
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
}

func (s *Session) planCheck(p PlanCheckParams) (PlanCheckResult, error) {
	w := s.project(p.Files)
	if err := w.Check(); err != nil {
		return PlanCheckResult{}, err
	}
	if p.Name == "" {
		p.Name = w.Main()
	}
	file, ok := w.File(p.Name)
	if !ok {
		return PlanCheckResult{}, missingFile(p.Name, w.Workspace)
	}
	spec, err := openPlannable(w, file, p.Limits, true)
	if err != nil {
		return PlanCheckResult{}, err
	}
	m := meter.New(callBudget)
	checker, err := spec.checker(m)
	if err != nil {
		return PlanCheckResult{}, err
	}
	v, err := checker.Check(p.Text, m)
	if err != nil {
		return PlanCheckResult{}, err
	}
	out := wireVerdict(p.Text, v)
	if err := language.CheckProperties(w.table, p.Files, p.Without); err != nil {
		if out.Notes = append(out.Notes, err.Error()); out.Valid {
			out.Valid, out.Fault = false, err.Error()
		}
	}
	return out, nil
}

func wireVerdict(text string, v *checker.Verdict) PlanCheckResult {
	out := PlanCheckResult{
		Form: v.Form, Found: make([]PlanFound, len(v.Found)), Unread: make([]PlanUnread, len(v.Unread)), Notes: v.Notes, Valid: v.Valid,
		Word: v.Word, Function: v.Function, Steps: v.Steps, Fault: v.Fault, Reason: v.Reason, At: v.At, Expected: []PlanExpected{}, Nearest: v.Nearest,
	}
	at := places{file: source.NewFile("plan.txt", text)}
	place := func(from, to *int, start, end int) {
		at.span(from, to, source.Span{Start: source.Pos(start), End: source.Pos(end)})
	}
	for i, f := range v.Found {
		out.Found[i] = PlanFound{Symbol: f.Symbol, Label: f.Label, Step: f.Step, Note: f.Note}
		place(&out.Found[i].From, &out.Found[i].To, f.Start, f.End)
	}
	for i, u := range v.Unread {
		out.Unread[i] = PlanUnread{Text: u.Text, Step: u.Step}
		place(&out.Unread[i].From, &out.Unread[i].To, u.Start, u.End)
	}
	place(&out.From, &out.To, v.Start, v.End)
	at.settle()
	for _, c := range v.Expected {
		out.Expected = append(out.Expected, PlanExpected{Symbol: c.Symbol, Label: c.Label})
	}
	return out
}
