package learn

import (
	"bytes"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/tool"
)

// Recording gathers the events of a run of the planner and makes a trajectory of them.
type Recording struct {
	out   Trajectory
	goal  *tool.Goal
	offer offered
	text  string // the model's answer to the offer
	end   *plan.Plan
}

// offered is what a trajectory has of a [plan.OfferEvent]. To read no more of it is worth a
// line, for there are thousands.
type offered struct {
	Offer   int    `json:"offer"`
	Step    int    `json:"step"`
	Prompt  string `json:"prompt"`
	Many    bool   `json:"many"`
	Choices []struct {
		Label string `json:"label"`
	} `json:"choices"`
}

// kindOf returns an event's kind, which the core writes first; elsewhere it may stand anywhere.
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

// Add takes an event. Those that are none of a plan's decisions are passed over.
func (r *Recording) Add(event json.RawMessage) error {
	kind, err := kindOf(event)
	if err != nil {
		return err
	}
	switch kind {
	case "plan.offer":
		r.offer, r.text = offered{}, ""
		if err := json.Unmarshal(event, &r.offer); err != nil {
			return err
		}
		// A planner that has gone back decides anew what it then decides: what it took
		// back made no part of the plan.
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
			r.text = strings.TrimSpace(reply.Text)
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

// decide adds the decision that an offer came to.
func (r *Recording) decide(take plan.TakeEvent) {
	d := Decision{Step: r.offer.Step, Prompt: r.offer.Prompt, Chosen: []int{take.N}, Answer: r.text, By: take.By}
	for _, c := range r.offer.Choices {
		d.Choices = append(d.Choices, c.Label)
	}
	if r.offer.Many {
		if chosen, fault := plan.ReadChoices(r.text, len(r.offer.Choices)); fault == "" {
			d.Chosen = chosen
		}
	}
	// What a person took has no text of a model's.
	if d.By != plan.ByModel || d.Answer == "" {
		d.Answer = number(take.N)
	}
	r.out.Decisions = append(r.out.Decisions, d)
}

// Trajectory returns what the run came to. A run that was carried out and has a goal
// scores as [Quality] says, any other valid plan 1, and one without a plan 0.
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
