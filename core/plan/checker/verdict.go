package checker

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
)

// Verdict is the result of a check. Offsets are in bytes of the text.
type Verdict struct {
	Form   string   `json:"form"` // one of the Form constants
	Found  []Found  `json:"found"`
	Unread []Unread `json:"unread"`
	Notes  []string `json:"notes"`

	Valid    bool         `json:"valid"`
	Word     []string     `json:"word"`     // of the plan; empty if it is unknown
	Function string       `json:"function"` // of a valid plan, with its steps
	Steps    []space.Step `json:"steps"`

	BadEnd   *space.End     `json:"badEnd,omitempty"` // the bad end of a flowchart to which the plan leads
	Fault    string         `json:"fault,omitempty"`  // the first fault
	Reason   string         `json:"reason,omitempty"` // why the plan violates a property, line by line
	At       int            `json:"at"`               // the index of the fault in Found; -1 for the plan as a whole
	Start    int            `json:"start"`            // the place of the fault
	End      int            `json:"end"`
	Expected []space.Choice `json:"expected"` // valid symbols at the fault
	Nearest  *NearPlan      `json:"nearest,omitempty"`
}

// NearPlan is the valid plan with the fewest edits.
type NearPlan struct {
	Word     []string     `json:"word"`
	Function string       `json:"function"`
	Steps    []space.Step `json:"steps"`
	Distance int          `json:"distance"`
	Edits    []PlanEdit   `json:"edits"`
}

// PlanEdit is an edit of Found: Op is "insert" (before index At), "delete" or "substitute".
type PlanEdit struct {
	Op     string `json:"op"`
	At     int    `json:"at"`
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
	Text   string `json:"text"` // "insert Colorization in front of step 2"
}

// MaxPlanText bounds the bytes of a plan's text.
const MaxPlanText = 50_000

// Check reads and judges a plan. The error is a [meter.LimitError], or has code
// "limit.text" for a text that is too long. If the nearest plan is too expensive to find,
// it is left out and a note says so.
func (c *Checker) Check(text string, m *meter.Meter) (*Verdict, error) {
	if len(text) > MaxPlanText {
		return nil, source.NewError("limit.text", fmt.Sprintf("the text has %d bytes; plans are limited to %d", len(text), MaxPlanText))
	}
	v, err := c.judge(text, c.readText(text), m)
	if err == nil && !v.Valid && c.onlyLabels(text, v) {
		// Labels in a row may be steps without inputs.
		if steps, err := c.judge(text, c.readSteps(text, splitLines(text), false), m); err != nil || steps.Valid {
			return steps, err
		}
	}
	return v, err
}

// onlyLabels reports whether a word consists of labels of tools, or of their names with
// commas or brackets, and has no inputs.
func (c *Checker) onlyLabels(text string, v *Verdict) bool {
	return v.Form == FormWord && len(v.Found) > 0 && !slices.ContainsFunc(v.Found, func(f Found) bool {
		return f.letter < 0 || c.stepGrammar.inputs[f.letter] || text[f.Start:f.End] == f.Symbol && !strings.ContainsAny(text, ",[;")
	})
}

// judge judges a plan as it was read.
func (c *Checker) judge(text string, r reading, m *meter.Meter) (*Verdict, error) {
	v := &Verdict{Form: r.form, Found: r.found, Unread: r.unread, Notes: r.notes, At: -1, Word: []string{}, Steps: []space.Step{}, Expected: []space.Choice{}}
	if r.form == FormSteps && len(r.found) == 0 {
		v.Found = r.alone
	}
	if v.Form == FormSteps && len(v.Found) == 0 {
		v.Fault = "no step of a plan was found in the text"
		return v.orEmpty(), nil
	}
	p := c.given(v)
	word, made, err := c.read(v, p, m)
	if err != nil {
		return nil, err
	}
	if word == nil && p.word == nil && c.stepGrammar.reversed && r.form == FormSteps {
		if p, word, err = c.readReversed(v, p, m); err != nil {
			return nil, err
		}
	}
	if word != nil {
		err := c.accept(v, text, r, readPlan{word, made}, p, m)
		return v.orEmpty(), err
	}
	for i, t := range p.word {
		name := v.Found[p.from[i]].Label
		if t >= 0 {
			name = c.g.Names[t]
		}
		v.Word = append(v.Word, name)
	}
	if v.Fault = r.fault; v.Fault == "" {
		if err := c.diagnose(v, p, m); err != nil {
			return nil, err
		}
	}
	if v.At >= 0 && v.At < len(v.Found) {
		v.Start, v.End = v.Found[v.At].Start, v.Found[v.At].End
	} else if v.At == len(v.Found) {
		v.Start, v.End = len(text), len(text)
	}
	v.Nearest, err = c.nearestPlan(v, p, m)
	var limit *meter.LimitError
	switch {
	case errors.As(err, &limit):
		v.Notes, err = append(v.Notes, "the nearest valid plan was not found: "+err.Error()), nil
	case err == nil && v.Nearest == nil:
		v.Notes = append(v.Notes, "no valid plan exists")
	case err == nil && v.Nearest.Distance == 0 && r.fault == "":
		v.Notes = append(v.Notes, "without their references the same steps are a valid plan")
	}
	return v.orEmpty(), err
}

// readReversed reads steps in the order of the word although the automaton writes its words
// from the last step to the first.
func (c *Checker) readReversed(v *Verdict, p *given, m *meter.Meter) (*given, []grammar.Symbol, error) {
	straight := *p
	straight.listed, straight.at = slices.Clone(p.listed), slices.Clone(p.at)
	slices.Reverse(straight.listed)
	slices.Reverse(straight.at)
	word, err := c.wordOf(&straight, m)
	if word == nil || err != nil {
		return p, nil, err
	}
	v.Notes = append(v.Notes, "the steps are listed from the last to the first")
	return &straight, word, nil
}

// accept completes the verdict on a plan that is valid, unless its text as a whole or
// its parentheses have a fault.
func (c *Checker) accept(v *Verdict, text string, r reading, read readPlan, p *given, m *meter.Meter) (err error) {
	v.Word = space.Names(c.g, read.word)
	if read.made != nil {
		v.Function, v.Steps, err = c.renderAs(read, m)
	} else {
		v.Function, v.Steps, err = c.render(read.word, m)
	}
	if err != nil {
		return err
	}
	if v.Form == FormSteps {
		v.compareTimes(text)
		if r.fault == "" {
			if r.fault, err = c.misplacedInputs(r, read, p, m); err != nil {
				return err
			}
		}
	}
	if v.Form == FormFunction && r.fault == "" {
		if r.fault, err = c.misshapen(text, r, read.word, m); err != nil {
			return err
		}
	}
	if v.Valid = r.fault == ""; !v.Valid {
		v.Fault, v.Nearest = r.fault, &NearPlan{Word: v.Word, Function: v.Function, Steps: v.Steps, Edits: []PlanEdit{}}
		v.Word, v.Function, v.Steps = []string{}, "", []space.Step{}
	}
	return nil
}

// orEmpty replaces nil lists with empty ones, which are arrays in JSON.
func (v *Verdict) orEmpty() *Verdict {
	if v.Found == nil {
		v.Found = []Found{}
	}
	if v.Unread == nil {
		v.Unread = []Unread{}
	}
	if v.Notes == nil {
		v.Notes = []string{}
	}
	return v
}
