package learn

import (
	"bytes"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/tool"
)

// Recording converts the events of a planner's run to a trajectory.
type Recording struct {
	out   Trajectory
	goal  *tool.Goal
	offer offered
	text  string // the model's answer to the current offer
	read  []int  // the choices that the run read in it
	end   *plan.Plan
}

// offered has the fields of a [plan.OfferEvent] that a trajectory needs. Decoding only
// these saves time over thousands of events.
type offered struct {
	Offer    int    `json:"offer"`
	Step     int    `json:"step"`
	Prompt   string `json:"prompt"`
	Multiple bool   `json:"many"`
	Choices  []struct {
		Label string `json:"label"`
	} `json:"choices"`
}

// kindOf returns the kind of an event. The core writes it first; other writers may not.
func kindOf(event json.RawMessage) (string, error) {
	if rest, ok := bytes.CutPrefix(event, []byte(`{"kind":"`)); ok {
		if kind, _, ok := bytes.Cut(rest, []byte(`"`)); ok {
			return string(kind), nil
		}
	}
	var head struct {
		Kind string `json:"kind"`
	}
	err := json.Unmarshal(event, &head)
	return head.Kind, err
}

// NewRecording returns a recording of a run with a spec and settings.
func NewRecording(spec string, s plan.Settings) *Recording {
	return &Recording{goal: s.Goal, out: Trajectory{Group: groupOf(spec, s.Task), Spec: spec, Task: s.Task, Word: []string{}, Decisions: []Decision{}}}
}

// Add adds an event. It ignores events that are not decisions.
func (r *Recording) Add(event json.RawMessage) error {
	kind, err := kindOf(event)
	if err != nil {
		return err
	}
	switch kind {
	case "plan.offer":
		r.offer, r.text, r.read = offered{}, "", nil
		if err := json.Unmarshal(event, &r.offer); err != nil {
			return err
		}
		// After backtracking, the decisions that were undone are not part of the plan.
		kept := len(r.out.Decisions)
		for kept > 0 && r.out.Decisions[kept-1].Step >= r.offer.Step {
			kept--
		}
		r.out.Decisions = r.out.Decisions[:kept]
	case "plan.reply":
		var reply plan.ReplyEvent
		if err := json.Unmarshal(event, &reply); err != nil {
			return err
		}
		if reply.Fault == "" {
			r.text, r.read = strings.TrimSpace(reply.Text), reply.Chosen
		}
	case "plan.take":
		var take plan.TakeEvent
		if err := json.Unmarshal(event, &take); err != nil {
			return err
		}
		if take.Offer > 0 && take.Offer == r.offer.Offer {
			r.decide(take)
		}
	case "plan.done":
		var done struct {
			Plan plan.Plan `json:"plan"`
		}
		if err := json.Unmarshal(event, &done); err != nil {
			return err
		}
		r.end = &done.Plan
	}
	return nil
}

// decide adds the decision on an offer.
func (r *Recording) decide(take plan.TakeEvent) {
	d := Decision{Step: r.offer.Step, Prompt: r.offer.Prompt, Chosen: []int{take.N}, Answer: r.text, By: take.By}
	for _, c := range r.offer.Choices {
		d.Choices = append(d.Choices, c.Label)
	}
	if r.offer.Multiple && len(r.read) > 0 {
		d.Chosen = r.read
	}
	// A person's choice has no text.
	if d.By != plan.ByModel || d.Answer == "" {
		d.Answer = number(take.N)
	}
	r.out.Decisions = append(r.out.Decisions, d)
}

// Trajectory returns the trajectory. An executed plan with a goal scores by [Quality],
// another valid plan 1, and a run without a plan 0.
func (r *Recording) Trajectory() Trajectory {
	out := r.out
	if r.end == nil {
		return out
	}
	out.Word, out.Valid, out.Reward = r.end.Word, true, 1
	if r.goal != nil && r.end.Result != nil {
		out.Reward = Quality(*r.goal, *r.end.Result, len(r.end.Steps))
	}
	return out
}
