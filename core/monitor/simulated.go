package monitor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

func (s Setup) model(a *agent.Agent, spec llm.Spec, rehearsal *Rehearsal) (llm.Model, error) {
	made, err := newModel(a, spec, rehearsal)
	if err == nil && s.Model != nil {
		made = s.Model(made)
	}
	return made, err
}

// newModel returns the model of a spec; a simulated model acts as the agent.
func newModel(a *agent.Agent, s llm.Spec, rehearsal *Rehearsal) (llm.Model, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	switch s.Kind {
	case llm.KindUniform:
		return actor(a, chooseEvenly, 0, rehearsal), nil
	case llm.KindFirst:
		return actor(a, chooseInTurn, 0, rehearsal), nil
	case llm.KindRambler:
		return actor(a, chooseEvenly, s.ErrorRate, rehearsal), nil
	default:
		return llm.New(s)
	}
}

// longEnough is the number of states after which a simulated model takes the shortest way
// to the end.
const longEnough = 24

// chooser returns the next state of a run, or -1 to stop. used counts the visits to each
// state.
type chooser func(random *rand.Rand, next []int, complete bool, used []int) int

// chooseEvenly draws a state; a stop, if allowed, counts as one more state.
func chooseEvenly(random *rand.Rand, next []int, complete bool, _ []int) int {
	n := len(next)
	if complete {
		n++
	}
	if i := random.IntN(n); i < len(next) {
		return next[i]
	}
	return -1
}

// chooseInTurn stops as soon as it is allowed, and otherwise returns the first of the
// states with the fewest visits, so that it passes each loop once.
func chooseInTurn(_ *rand.Rand, next []int, complete bool, used []int) int {
	if complete {
		return -1
	}
	best := next[0]
	for _, s := range next {
		if used[s] < used[best] {
			best = s
		}
	}
	return best
}

// chooseRehearsed returns the first state for which the rehearsal has a text left, and
// falls back to chooseInTurn.
func (w *writer) chooseRehearsed(random *rand.Rand, next []int, complete bool, used []int) int {
	for _, s := range next {
		if _, left := w.rehearsal.says(w.a, s, used, ""); left {
			return s
		}
	}
	return chooseInTurn(random, next, complete, used)
}

// actor returns a model that writes as the agent should, except for mistakes at a rate:
// wrong states, prompts with a missing letter, chatter, empty or invalid contents, early
// ends, and text after the end.
func actor(a *agent.Agent, choose chooser, errorRate float64, rehearsal *Rehearsal) llm.Model {
	return llm.Simulate(func(env *process.Env, r llm.Request) (string, error) {
		w := newWriter(a, env.Rand(), r.Prefix)
		w.choose, w.errorRate, w.text = choose, errorRate, r.Prefix
		if rehearsal != nil {
			w.rehearsal, w.choose = rehearsal, w.chooseRehearsed
		}
		w.write()
		return w.out.String(), nil
	})
}

// writer writes one reply of an actor.
type writer struct {
	a         *agent.Agent
	prompts   *prompts
	random    *rand.Rand
	choose    chooser
	errorRate float64
	rehearsal *Rehearsal // nil: contents are filler
	text      string     // the text that the reply continues

	run     agent.Run
	used    []int
	count   int
	partial string // beginning of a prompt at the end of the text
	inside  bool   // the content of the last state is missing
	last    int
	out     strings.Builder
}

// newWriter returns a writer in the state of the run in which a text ends.
func newWriter(a *agent.Agent, random *rand.Rand, text string) *writer {
	p := newPrompts(a)
	w := &writer{a: a, prompts: &p, random: random, run: a.Begin(), used: make([]int, len(a.States)), last: -1}
	for text != "" {
		at, state := w.prompts.find(text, true)
		w.inside = w.inside && strings.TrimSpace(text[:at]) == ""
		if state < 0 {
			break
		}
		text = text[at+len(a.States[state].Text):]
		w.enter(state)
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	if line != "" && slices.ContainsFunc(a.States, func(s agent.State) bool { return strings.HasPrefix(s.Text, line) }) {
		w.partial = line
	}
	if w.last >= 0 && a.Content(w.last) != nil && !w.inside && w.partial == "" {
		// The text ends with the beginning of a valid content.
		run, fits := a.Content(w.last).Begin(), true
		for _, char := range strings.TrimSpace(text) {
			if run, fits = run.Step(char); !fits {
				break
			}
		}
		if fits {
			w.out.WriteString(run.Shortest())
		}
	}
	return w
}

func (w *writer) enter(state int) {
	if run, ok := w.run.Step(state); ok {
		w.run = run
	}
	w.used[state]++
	w.count++
	w.last, w.inside = state, true
}

func (w *writer) errs() bool { return w.errorRate > 0 && w.random.Float64() < w.errorRate }

// maxWritten is the maximum number of states in a simulated reply.
const maxWritten = 60

func (w *writer) write() {
	if w.last < 0 && w.partial == "" && w.errs() {
		w.out.WriteString("Sure, let me think about that.\n")
	}
	for range maxWritten {
		if w.inside {
			w.content()
		}
		next := w.next()
		complete := w.run.Complete()
		if w.errs() && w.partial == "" && w.mistake() {
			return
		}
		state := -1
		if len(next) > 0 {
			state = w.choose(w.random, next, complete, w.used)
		}
		if state < 0 {
			if w.errs() { // continues after the end
				w.prompt(w.random.IntN(len(w.a.States)))
				w.out.WriteString(" and one more thing")
			}
			return
		}
		w.prompt(state)
		w.enter(state)
	}
}

// next returns the allowed states whose prompts match a begun prompt; in a long run only
// those on the shortest way to the end.
func (w *writer) next() []int {
	next := w.run.Next()
	if w.partial != "" {
		fit := slices.DeleteFunc(slices.Clone(next), func(s int) bool { return !strings.HasPrefix(w.a.States[s].Text, w.partial) })
		if len(fit) > 0 {
			next = fit
		}
	}
	if w.count < longEnough {
		return next
	}
	best := -1
	var out []int
	for _, s := range next {
		after, _ := w.run.Step(s)
		switch d := w.a.Distance(after.State()); {
		case best < 0 || d < best:
			best, out = d, []int{s}
		case d == best:
			out = append(out, s)
		}
	}
	return out
}

// prompt writes a state's prompt on a new line, or the rest of a begun prompt.
func (w *writer) prompt(state int) {
	text := w.a.States[state].Text
	if rest, ok := strings.CutPrefix(text, w.partial); ok && w.partial != "" {
		w.out.WriteString(rest)
	} else {
		if w.count > 0 || w.out.Len() > 0 {
			w.out.WriteByte('\n')
		}
		w.out.WriteString(text)
	}
	w.partial = ""
}

// content writes the content of the last state.
func (w *writer) content() {
	w.inside = false
	state := w.a.States[w.last]
	allowed := w.a.Content(w.last)
	if w.errs() {
		switch {
		case state.Empty:
			w.out.WriteString(" so that is that")
			return
		case w.random.IntN(2) == 0:
			return // nothing
		case allowed != nil:
			w.out.WriteString(" something else")
			return
		case state.MaxTokens > 0:
			w.out.WriteString(strings.Repeat(" and so on", state.MaxTokens))
			return
		}
	}
	if w.rehearsal != nil && !state.Empty && !w.errs() {
		before := slices.Clone(w.used)
		before[w.last]--
		if said, ok := w.rehearsal.says(w.a, w.last, before, w.text+w.out.String()); ok && (allowed == nil || allowed.Fits(said)) {
			for i, line := range strings.Split(said, "\n") {
				if i > 0 && w.errs() {
					return // a mistake: the rest is missing
				}
				w.out.WriteString([]string{" ", "\n"}[min(i, 1)] + line)
			}
			return
		}
	}
	switch {
	case state.Empty:
		return
	case len(state.OneOf) > 0:
		w.out.WriteString(" " + state.OneOf[w.random.IntN(len(state.OneOf))])
		return
	case allowed != nil:
		w.out.WriteString(" " + allowed.Begin().Shortest())
		return
	}
	w.out.WriteString(" " + filler[w.random.IntN(len(filler))])
	fmt.Fprintf(&w.out, " (%d)", w.count)
}

var filler = []string{
	"the name that was asked for", "one step nearer", "what the page says", "the next thing to find out",
	"this follows from the last", "a short remark", "the year, the place and the people",
}

// mistake writes a mistake and reports whether the reply ends with it.
func (w *writer) mistake() (ends bool) {
	switch w.random.IntN(3) {
	case 0: // a state that is not allowed
		state := w.random.IntN(len(w.a.States))
		w.prompt(state)
		w.enter(state)
		return false
	case 1: // a prompt with a missing letter
		text := w.a.States[w.random.IntN(len(w.a.States))].Text
		runes := []rune(text)
		cut := w.random.IntN(len(runes))
		w.out.WriteString("\n" + string(runes[:cut]) + string(runes[cut+1:]) + " hm")
		return false
	default: // stops early
		return true
	}
}
