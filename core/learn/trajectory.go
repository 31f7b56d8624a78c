package learn

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Trajectory is a plan as a list of decisions, with its reward.
type Trajectory struct {
	Group     string     `json:"group"` // the same for all plans of a task with a spec
	Plan      int        `json:"plan"`  // from 0 within the group
	Spec      string     `json:"spec"`
	Task      string     `json:"task"`
	Word      []string   `json:"word"` // empty if no plan was made
	Valid     bool       `json:"valid"`
	Reward    float64    `json:"reward"`
	Decisions []Decision `json:"decisions"`
}

// Decision is a choice of the model.
type Decision struct {
	Step    int      `json:"step"` // of the plan, from 1
	Prompt  string   `json:"prompt"`
	Choices []string `json:"choices"` // labels, in the order of their numbers
	Chosen  []int    `json:"chosen"`  // from 1
	Answer  string   `json:"answer"`  // the number or label that the model answered
	By      string   `json:"by"`      // one of plan's By constants
	Logprob *float64 `json:"logprob"` // of the answer; null if unknown
}

// groupOf returns the name of the group of a task's plans.
func groupOf(spec, task string) string {
	h := fnv.New64a()
	h.Write([]byte(spec + "\x00" + task))
	return fmt.Sprintf("%016x", h.Sum64())
}

// The formats of lines for fine-tuning.
const (
	LayoutChat  = "chat"  // a conversation per line, for supervised fine-tuning
	LayoutGroup = "group" // a choice per line with reward and advantage, for GRPO and REINFORCE
)

// ChatLine is a line of LayoutChat: a decision as prompt and answer.
type ChatLine struct {
	Messages []ChatMessage `json:"messages"`
	Reward   float64       `json:"reward"` // of the plan
	Valid    bool          `json:"valid"`  // of the plan
	Group    string        `json:"group"`
	Plan     int           `json:"plan"`
	Step     int           `json:"step"`
}

// ChatMessage is a message of a conversation.
type ChatMessage struct {
	Role    string `json:"role"` // "user" or "assistant"
	Content string `json:"content"`
}

// GroupLine is a line of LayoutGroup. Advantage is the plan's reward minus the mean of its
// group, in standard deviations of the group; 0 if all plans of the group have the same
// reward.
type GroupLine struct {
	Group      string   `json:"group"`
	Plan       int      `json:"plan"`
	Step       int      `json:"step"`
	Prompt     string   `json:"prompt"`
	Choices    []string `json:"choices"`
	Chosen     []int    `json:"chosen"`
	Completion string   `json:"completion"` // the model's answer
	By         string   `json:"by"`
	Logprob    *float64 `json:"logprob"`
	Reward     float64  `json:"reward"`
	Advantage  float64  `json:"advantage"`
	Valid      bool     `json:"valid"`
}

// Number numbers the plans of each group in order.
func Number(list []Trajectory) {
	count := map[string]int{}
	for i := range list {
		list[i].Plan = count[list[i].Group]
		count[list[i].Group]++
	}
}

// Write formats trajectories, a line of JSON for each decision, and returns the number of
// lines. The error has code "learn.layout".
func Write(list []Trajectory, layout string) (text string, lines int, err error) {
	if layout != LayoutChat && layout != LayoutGroup {
		return "", 0, source.NewError("learn.layout", fmt.Sprintf("the layout must be %q or %q, not %q", LayoutChat, LayoutGroup, layout))
	}
	advantage := advantages(list)
	var out []byte
	for i, t := range list {
		for _, d := range t.Decisions {
			var line any
			if layout == LayoutChat {
				line = ChatLine{
					Messages: []ChatMessage{{"user", d.Prompt}, {"assistant", d.Answer}},
					Reward:   t.Reward, Valid: t.Valid, Group: t.Group, Plan: t.Plan, Step: d.Step,
				}
			} else {
				line = GroupLine{
					Group: t.Group, Plan: t.Plan, Step: d.Step, Prompt: d.Prompt, Choices: d.Choices, Chosen: d.Chosen,
					Completion: d.Answer, By: d.By, Logprob: d.Logprob, Reward: t.Reward, Advantage: advantage[i], Valid: t.Valid,
				}
			}
			if out, err = json.Append(out, line); err != nil {
				return "", 0, err
			}
			out = append(out, '\n')
			lines++
		}
	}
	return string(out), lines, nil
}

// advantages returns the advantage of each plan in its group.
func advantages(list []Trajectory) []float64 {
	type group struct{ members, sum, squares float64 }
	groups := map[string]*group{}
	for _, t := range list {
		if groups[t.Group] == nil {
			groups[t.Group] = &group{}
		}
		groups[t.Group].members++
		groups[t.Group].sum += t.Reward
	}
	for _, t := range list {
		g := groups[t.Group]
		d := t.Reward - g.sum/g.members
		g.squares += float64(d * d)
	}
	out := make([]float64, len(list))
	for i, t := range list {
		g := groups[t.Group]
		// Rewards that differ only by rounding are equal.
		if deviation := math.Sqrt(g.squares / g.members); deviation > 1e-9 {
			out[i] = (t.Reward - g.sum/g.members) / deviation
		}
	}
	return out
}

// number formats a choice for the planner.
func number(choice int) string { return strconv.Itoa(choice) }
