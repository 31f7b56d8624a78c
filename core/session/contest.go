package session

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/apibank"
	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
)

// travelContest is the sample of TravelPlanner.
type travelContest struct {
	db      *travel.DB
	trips   []travel.Sample
	bare    bool // the team has no written constraints
	reports []travel.Report
}

func (c *travelContest) count() int { return len(c.trips) }
func (c *travelContest) begin()     { c.reports = nil }

func (c *travelContest) title(task int) string {
	q := c.trips[task].Query
	return fmt.Sprintf("%s to %s, %s", q.Org, q.Dest, notation.Count(q.Days, "day"))
}

func (c *travelContest) stage(task int, _ string) (stage, error) {
	trip := c.trips[task]
	text := travel.TranscriptTeam
	if c.bare {
		text = travel.BareTeam
	}
	return stage{text, trip.Query.Words(), c.db.Rehearsal(trip.Query, trip.Plan), c.db.Tools(), false}, nil
}

func (c *travelContest) judge(task int, made played) (bool, string) {
	plan, _ := readTrip(made.answer)
	r := travel.Checker{DB: c.db}.Check(c.trips[task].Query, plan)
	c.reports = append(c.reports, r)
	var failed []string
	for _, check := range constraintsOf(r) {
		if check.Asked && check.Verdict == travel.Fail {
			failed = append(failed, check.Constraint)
		}
	}
	switch {
	case r.Final:
		return true, "all constraints pass"
	case !r.Delivered:
		return false, "no plan"
	}
	return false, strings.Join(failed, ", ")
}

func (c *travelContest) checks() (asked, failed []string) {
	for _, check := range constraintsOf(c.reports[len(c.reports)-1]) {
		if check.Asked {
			asked = append(asked, check.Constraint)
			if check.Verdict != travel.Pass {
				failed = append(failed, check.Constraint)
			}
		}
	}
	return asked, failed
}

func constraintsOf(r travel.Report) []travel.Check {
	return append(r.Commonsense[:len(r.Commonsense):len(r.Commonsense)], r.Hard...)
}

func (c *travelContest) scores() []BenchmarkScore {
	s := travel.ScoreAll(c.reports)
	return []BenchmarkScore{
		shareScore("Delivered", s.Delivery), shareScore("Common sense, micro", s.CommonsenseMicro), shareScore("Common sense, macro", s.CommonsenseMacro),
		shareScore("Hard, micro", s.HardMicro), shareScore("Hard, macro", s.HardMacro), shareScore("Final pass", s.Final),
	}
}

func shareScore(name string, r bench.Rate) BenchmarkScore {
	return BenchmarkScore{Name: name, Value: r.Share, Share: true, Of: fmt.Sprintf("%d of %d", r.Count, r.Of), Count: r.Count, Total: r.Of}
}

// apibankContest is level 3 of API-Bank.
type apibankContest struct {
	sim  *apibank.Simulator
	done []apibank.TaskScores
}

func (c *apibankContest) count() int            { return len(c.sim.Tasks()) }
func (c *apibankContest) begin()                { c.done = nil }
func (c *apibankContest) title(task int) string { return c.sim.Tasks()[task].Requirement }

// callsAsked is the request for a method that does not call tools.
const callsAsked = "\n\nWrite the calls that do it, a line each, as [ToolName(parameter='value')]. Tools are searched for by [" + apibank.Searcher + "(keywords='…')]. Then write \"Answer:\" and what you would tell whoever has asked."

func (c *apibankContest) stage(task int, method string) (stage, error) {
	t := c.sim.Tasks()[task]
	asked := t.Requirement
	if method == team.MethodCoT || method == team.MethodSole {
		asked += callsAsked
	}
	return stage{apibank.Team, asked, c.sim.Rehearsal(t), c.sim.Tools(), true}, nil
}

func (c *apibankContest) judge(task int, made played) (bool, string) {
	t := apibank.Transcript{Sample: c.sim.Tasks()[task].Sample, Calls: made.calls, Response: made.answer}
	if made.method == team.MethodCoT || made.method == team.MethodSole {
		calls, answer, _ := strings.Cut(made.answer, "Answer:")
		t.Calls, _ = apibank.MadeIn(calls)
		t.Response = answer
	}
	s, err := c.sim.Judge(t)
	if err != nil {
		return false, err.Error()
	}
	c.done = append(c.done, s)
	said := fmt.Sprintf("%d of %s correct, %d of %d gold calls, ROUGE-L %.0f %%", s.Correctness.Count, notation.Count(s.Correctness.Of, "call"), s.Completeness.Count, s.Completeness.Of, 100*s.Rouge.F)
	return s.Correctness.Share == 1 && s.Completeness.Share == 1 && s.Repeats == 0, said
}

func (c *apibankContest) checks() (asked, failed []string) { return nil, nil }

func (c *apibankContest) scores() []BenchmarkScore {
	s := apibank.Sum(c.done)
	return []BenchmarkScore{
		shareScore("Correctness", s.Correctness), shareScore("Completeness", s.Completeness), {Name: "Repeats", Value: float64(s.Repeats)},
		{Name: "ROUGE-L", Value: s.Rouge, Share: true}, shareScore("Tasks with exactly the gold calls", s.SampleAccuracy),
	}
}

// recording returns a function that makes registries of tools, whose calls are recorded. If search
// is true, the first tool finds the others.
func recording(tools []tool.Callable, search bool, calls *[]apibank.Made) func() *tool.Registry {
	return func() *tool.Registry {
		out := &tool.Registry{}
		for i, c := range tools {
			if search && i > 0 {
				_ = out.AddHidden(kept{c, calls})
			} else {
				_ = out.Add(kept{c, calls})
			}
		}
		return out
	}
}

type kept struct {
	tool.Callable
	calls *[]apibank.Made
}

// Call implements [tool.Callable].
func (r kept) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	*r.calls = append(*r.calls, apibank.Made{Name: r.Name(), Input: arguments})
	return r.Callable.Call(env, arguments)
}

// player is a simulated model that follows a script. It remembers the last result of each part,
// because the final answer depends on nothing else. After a report of a fault it corrects the
// answer.
type player struct {
	r        bench.Rehearsal
	mistakes float64
	method   string
	drawn    []int
}

func newPlayer(r bench.Rehearsal, mistakes float64, method string) *player {
	return &player{r, mistakes, method, make([]int, len(r.Parts))}
}

// variant draws the variant of a step: 0 is correct.
func (p *player) variant(env *process.Env, variants int) int {
	if variants > 1 && env.Rand().Float64() < p.mistakes {
		return 1 + env.Rand().IntN(variants-1)
	}
	return 0
}

// play returns the model of a member of the team.
func (p *player) play(who string) llm.Model {
	switch who {
	case team.Manager:
		return llm.Simulate(func(env *process.Env, _ llm.Request) (string, error) {
			text := bench.Written(p.r.Graph)
			if p.variant(env, 2) > 0 {
				text = text[:len(text)/2]
			}
			return text, nil
		})
	case team.Supervisor:
		if p.r.Supervisor == "" {
			return nil
		}
		return llm.Simulate(func(*process.Env, llm.Request) (string, error) { return p.r.Supervisor, nil })
	case team.Deliverer:
		return llm.Simulate(func(env *process.Env, r llm.Request) (string, error) {
			drawn := p.drawn
			if len(r.Messages) > 1 {
				drawn = make([]int, len(p.drawn))
			}
			return p.r.Answer(drawn, p.variant(env, p.r.Answers)), nil
		})
	case team.Alone:
		return llm.Simulate(func(env *process.Env, _ llm.Request) (string, error) {
			p.draw(env)
			return p.r.Alone(p.method == team.MethodSole, p.drawn, p.variant(env, p.r.Answers)), nil
		})
	case "executors": // one agent with all tools
		return says(func(env *process.Env) []string {
			p.draw(env)
			var all []string
			for i, part := range p.r.Parts {
				variant := part.Variants[p.drawn[i]]
				all = append(all, variant[:len(variant)-1]...)
			}
			all = append(all, bench.FinalAnswer(p.r.Answer(p.drawn, p.variant(env, p.r.Answers))))
			if p.method == team.MethodAct {
				for i, text := range all {
					all[i] = text[max(strings.Index(text, "\n[A")+1, 0):]
				}
			}
			return all
		})
	}
	for i, s := range p.r.Graph.Subtasks {
		if who == "task "+s.ID {
			return says(func(env *process.Env) []string {
				p.drawn[i] = p.variant(env, len(p.r.Parts[i].Variants))
				return p.r.Parts[i].Variants[p.drawn[i]]
			})
		}
	}
	return nil
}

// draw draws the variant of each part.
func (p *player) draw(env *process.Env) {
	for i, part := range p.r.Parts {
		p.drawn[i] = p.variant(env, len(part.Variants))
	}
}

// says returns a model that gives the drawn answers in order and repeats the last one.
func says(draw func(env *process.Env) []string) llm.Model {
	var all []string
	at := -1
	return llm.Simulate(func(env *process.Env, _ llm.Request) (string, error) {
		if at < 0 {
			all = draw(env)
		}
		at = min(at+1, len(all)-1)
		return all[at], nil
	})
}
