package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/tool"
)

// shots returns solved tasks for a task's few-shot prompt: one of its class, one with several inputs,
// and others of further classes, those that share a type of input first. It excludes the task itself,
// tasks with the same plan and, if enough others exist, tasks that the experiment asks. A copy of an
// example must not earn the asked task's score: an example's plan has no score there if enough such
// tasks exist, otherwise the lowest, and neither it nor a part of it meets the goal. So a task with a goal has an example
// of its class only if too few others exist, because the plans of a class are valid for all its tasks.
// Tasks that need more steps are preferred.
func (s *solver) shots(at int, asked []int) ([]baseline.Shot, error) {
	own, err := s.best(at)
	if err != nil {
		return nil, err
	}
	list := make([]int, len(s.tasks))
	for i := range list {
		list[i] = i
	}
	free := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(asked, i) })
	if len(free) >= maxShots {
		list = free
	}
	list = slices.DeleteFunc(list, func(i int) bool { return i == at || s.tasks[i].planned.Text == s.tasks[at].planned.Text })
	slices.SortStableFunc(list, func(a, b int) int { return s.tasks[b].planned.effort() - s.tasks[a].planned.effort() })
	e := examples{s: s, at: at, own: own, list: list}
	if asked := s.tasks[at].planned; asked.Goal != nil { // plans of its spec are valid, and have a score
		e.list = slices.DeleteFunc(slices.Clone(list), func(i int) bool { return s.tasks[i].planned.Spec == asked.Spec })
	}
	err = e.choose(func(met bool, score float64) bool { return !met && score == 0 })
	if e.list = list; err == nil && len(e.chosen) < maxShots {
		if err = e.sort(); err == nil {
			err = e.choose(func(met bool, score float64) bool { return !met })
		}
	}
	var shots []baseline.Shot
	for _, i := range e.chosen {
		shots = append(shots, baseline.Shot{Task: s.tasks[i].planned.Text, Steps: s.solved[i].steps})
	}
	return shots, err
}

// examples chooses the solved tasks of a few-shot prompt.
type examples struct {
	s      *solver
	at     int     // the asked task
	own    *solved // its best plan, or nil
	list   []int   // candidates, the preferred ones first
	chosen []int
}

// choose adds candidates of different classes, then any, whose plans are permitted by what a copy of
// them achieves for the asked task.
func (e *examples) choose(permitted func(met bool, score float64) bool) error {
	asked := e.s.tasks[e.at].planned
	fresh := func(t *plannedTask) bool {
		return !slices.ContainsFunc(e.chosen, func(i int) bool { return e.s.tasks[i].planned.Class == t.Class })
	}
	anything := func(*plannedTask) bool { return true }
	for _, fits := range []func(t *plannedTask) bool{
		func(t *plannedTask) bool { return t.Class == asked.Class && fresh(t) },
		func(t *plannedTask) bool { return len(t.Inputs) > 1 && fresh(t) },
		func(t *plannedTask) bool { return t.shares(asked) && fresh(t) },
		fresh, fresh, anything, anything, anything,
	} {
		if len(e.chosen) == maxShots {
			return nil
		}
		for _, i := range e.list {
			if slices.Contains(e.chosen, i) || !fits(e.s.tasks[i].planned) {
				continue
			}
			met, score, ok, err := e.copied(i)
			if err != nil {
				return err
			}
			if ok && permitted(met, score) {
				e.chosen = append(e.chosen, i)
				break
			}
		}
	}
	return nil
}

// sort orders the candidates by the scores of their copies.
func (e *examples) sort() error {
	scores := map[int]float64{}
	for _, i := range e.list {
		_, score, _, err := e.copied(i)
		if err != nil {
			return err
		}
		scores[i] = score
	}
	slices.SortStableFunc(e.list, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	return nil
}

// copied judges a candidate's plan as an answer to the asked task: whether it, or a part of it, meets the
// goal, and its score. ok is false if the candidate has no plan, or that of the asked task.
func (e *examples) copied(i int) (met bool, score float64, ok bool, err error) {
	other, err := e.s.best(i)
	if err != nil || other == nil || e.own != nil && slices.Equal(other.word, e.own.word) {
		return false, 0, false, err
	}
	t := e.s.tasks[e.at].planned
	if t.Goal == nil {
		return false, 0, true, nil
	}
	for at := range other.word {
		result := e.achieved(e.part(other.word[at:]))
		met = met || result != nil && t.Goal.Met(*result)
		if at == 0 {
			score = t.score(result)
		}
	}
	if met || score > 0 {
		return met, score, true, nil
	}
	// The words of its steps may be valid with other inputs than those that they name.
	word, err := e.s.reading(t.Spec, other.steps)
	if err != nil || word == nil {
		return false, 0, true, err
	}
	result := carryOut(e.s.tools.With(t.inputs()), word)
	return result != nil && t.Goal.Met(*result), t.score(result), true, nil
}

// reading returns the word of a plan in words under a spec, nil if it is not valid.
func (s *solver) reading(spec string, steps []string) ([]string, error) {
	var b strings.Builder
	for i, step := range steps {
		fmt.Fprintf(&b, "Step %d: %s\n", i+1, step)
	}
	key := spec + "\n" + b.String()
	if word, ok := s.read[key]; ok {
		return word, nil
	}
	m := meter.New(shotBudget)
	c, err := s.checker(spec, m)
	if c == nil || err != nil {
		return nil, err
	}
	v, err := c.Check(b.String(), m)
	if err != nil {
		return nil, err
	}
	s.read[key] = nil
	if v.Valid {
		s.read[key] = v.Word
	}
	return s.read[key], nil
}

// part returns the first complete plan of a word in prefix order.
func (e *examples) part(word []string) []string {
	open := 1
	for n, name := range word {
		takes, _ := e.s.tools.Takes(name) // inputs take nothing
		if open += len(takes) - 1; open == 0 {
			return word[:n+1]
		}
	}
	return word
}

// achieved returns the result of a plan with the asked task's inputs; nil if it uses other inputs, or if
// its result is not of the wanted type, so that it is not valid there.
func (e *examples) achieved(word []string) *tool.Value {
	t := e.s.tasks[e.at].planned
	inputs := t.inputs()
	for _, name := range word {
		_, given := inputs[name]
		if _, called := e.s.tools.Takes(name); !called && !given {
			return nil
		}
	}
	result := carryOut(e.s.tools.With(inputs), word)
	if result == nil || result.Type != t.Goal.Type {
		return nil
	}
	return result
}

// shares reports whether two tasks have an input of the same type.
func (t *plannedTask) shares(other *plannedTask) bool {
	for _, in := range t.Inputs {
		for _, of := range other.Inputs {
			if in.Type == of.Type {
				return true
			}
		}
	}
	return false
}
