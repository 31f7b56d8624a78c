package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// Agent explains the states of an agent, its behaviour with each of its parts, and the formulas
// that it requires.
func Agent(s *agent.Spec) []Sentence {
	var out []Sentence
	for _, state := range s.States {
		out = append(out, Sentence{state.Name, sentence(stateText(state)), state.Span})
	}
	if s.Behavior != nil {
		a := agentText{s}
		out = append(out, Sentence{"behaviour", sentence("a run is " + a.phrase(s.Behavior)), s.Behavior.Span()})
		a.parts(s.Behavior, func(b agent.Behavior) {
			if !plain(b) {
				out = append(out, Sentence{"", sentence(a.phrase(b)), b.Span()})
			}
		})
	}
	for _, r := range s.Require {
		out = append(out, Sentence{"requirement", Formula(r.Formula), r.Span})
	}
	slices.SortStableFunc(out, func(a, b Sentence) int { return int(a.Span.Start - b.Span.Start) })
	return out
}

// sources has the explanation of each source of content other than the model.
var sources = map[string]string{
	agent.FromTools:     "the results of the requested tool calls",
	agent.FromSummary:   "a summary of the results of all requested tool calls",
	agent.FromSolver:    "an answer from the results of the planned tool calls",
	agent.FromEvaluator: "a judgement of the proposals",
	agent.FromPerson:    "the answer of a person",
}

func stateText(s agent.State) string {
	text := s.Name + " is written by the model"
	if s.EnvInput {
		text = s.Name + " is written by the environment"
	}
	if s.Text != "" {
		text += " after the prompt “" + s.Text + "”"
	}
	var aliases []string
	for _, alias := range s.Aliases {
		aliases = append(aliases, "“"+alias.Text+"”")
	}
	if len(aliases) > 0 {
		text += "; at the start of a line, " + list(aliases, "or") + " counts as its prompt"
	}
	if from := sources[s.From]; from != "" {
		text += "; its content is " + from
	}
	switch {
	case s.Empty:
		text += "; it has no content"
	case len(s.OneOf) > 0:
		var quoted []string
		for _, t := range s.OneOf {
			quoted = append(quoted, "“"+t+"”")
		}
		text += "; its content is " + list(quoted, "or")
	}
	if s.Matches != "" {
		text += "; its content matches /" + s.Matches + "/"
	}
	if s.MaxTokens > 0 {
		text += "; its content has at most " + strconv.Itoa(s.MaxTokens) + " tokens"
	}
	return text
}

type agentText struct{ spec *agent.Spec }

// parts calls visit with the behaviours within another.
func (a agentText) parts(b agent.Behavior, visit func(agent.Behavior)) {
	for _, part := range of(b) {
		visit(part)
		a.parts(part, visit)
	}
}

func of(b agent.Behavior) []agent.Behavior {
	switch b := b.(type) {
	case agent.Or:
		return b.Of
	case agent.Next:
		return b.Of
	case agent.And:
		return b.Of
	case agent.Until:
		return []agent.Behavior{b.Loop, b.Then}
	case agent.Always:
		return []agent.Behavior{b.Loop}
	case agent.Not:
		return []agent.Behavior{b.Of}
	case agent.Implies:
		return []agent.Behavior{b.If, b.Then}
	case agent.Eventually:
		return []agent.Behavior{b.Of}
	}
	return nil
}

// phrase explains a behaviour.
func (a agentText) phrase(b agent.Behavior) string {
	switch b := b.(type) {
	case agent.Step:
		return a.spec.States[b.State].Name
	case agent.Next:
		var parts []string
		for _, part := range b.Of {
			parts = append(parts, a.then(part))
		}
		return strings.Join(parts, ", then ")
	case agent.Or:
		return a.choice(b)
	case agent.And:
		return "both " + a.join(b.Of, " and ")
	case agent.Until:
		return times(b.Bounds, "zero or more times") + " " + a.inner(b.Loop) + ", then " + a.then(b.Then)
	case agent.Always:
		return times(b.Bounds, "one or more times") + " " + a.inner(b.Loop) + ", to the end of the run"
	case agent.Not:
		return "anything but " + a.inner(b.Of)
	case agent.Implies:
		return "either not " + a.inner(b.If) + " or " + a.inner(b.Then)
	case agent.Eventually:
		return "any sequence that contains " + a.inner(b.Of)
	}
	return ""
}

func (a agentText) choice(b agent.Or) string {
	var parts []string
	plain := true
	for _, part := range b.Of {
		_, single := part.(agent.Step)
		plain = plain && single
		parts = append(parts, a.inner(part))
	}
	if plain {
		return "one of " + list(parts, "and")
	}
	return "either " + strings.Join(parts, " or ")
}

func (a agentText) join(list []agent.Behavior, word string) string {
	var parts []string
	for _, part := range list {
		parts = append(parts, a.inner(part))
	}
	return strings.Join(parts, word)
}

// then explains a part of a sequence. The parts of another sequence need no parentheses.
func (a agentText) then(b agent.Behavior) string {
	switch b.(type) {
	case agent.Next, agent.Until:
		return a.phrase(b)
	}
	return a.inner(b)
}

// plain reports whether a behaviour is a state, or a sequence of states.
func plain(b agent.Behavior) bool {
	switch b := b.(type) {
	case agent.Step:
		return true
	case agent.Next:
		return !slices.ContainsFunc(b.Of, func(part agent.Behavior) bool { return !plain(part) })
	}
	return false
}

// inner explains a part, in parentheses if it is not a single state.
func (a agentText) inner(b agent.Behavior) string {
	if _, single := b.(agent.Step); single {
		return a.phrase(b)
	}
	return "(" + a.phrase(b) + ")"
}

// times writes the number of iterations of a loop.
func times(b agent.Bounds, any string) string {
	switch {
	case !b.Bounded:
		return any
	case b.Min == b.Max:
		return "exactly " + repetitions(b.Max)
	case b.Min == 0:
		return "at most " + repetitions(b.Max)
	}
	return strconv.Itoa(b.Min) + " to " + strconv.Itoa(b.Max) + " times"
}

func repetitions(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}
