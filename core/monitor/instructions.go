package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// DefaultTemplate is the template of the instructions for agents without a prompt file.
// {states} are the states with their constraints, {follows} the order of states, {tools}
// the descriptions of the tools and {tool_names} their names, {examples} the agent's
// transcripts, {question} the task. Without {question} in the template, the task is sent
// as a separate message.
const DefaultTemplate = `You act step by step. Each step begins on a new line with one of these marks, followed by its content:
{states}
The order of the marks:
{follows}
{tools}{examples}Write only steps. Stop after the last step.`

// placeholders are the names that a template may use.
var placeholders = []string{"states", "follows", "tools", "tool_names", "examples", "question"}

// sidePlaceholders are the names in templates of models that write for the environment.
var sidePlaceholders = []string{"question", "goal", "results", "proposal", "text"}

// unknownPlaceholders visits the placeholders of a template that are not among names.
func unknownPlaceholders(text string, names []string, visit func(name string, at source.Span)) {
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			return
		}
		start := at + open
		at = start + 1
		name, _, closed := strings.Cut(text[at:], "}")
		if !closed || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			continue
		}
		known := false
		for _, p := range names {
			known = known || p == name
		}
		if !known {
			visit(name, source.Span{Start: source.Pos(start), End: source.Pos(at + len(name) + 1)})
		}
	}
}

// checkTemplate returns an error with code "monitor.template" for a template with an
// unknown placeholder.
func checkTemplate(text string) error {
	for _, d := range CheckTemplate(text, false) {
		line := 1 + strings.Count(text[:d.Span.Start], "\n")
		return source.NewError("monitor.template", fmt.Sprintf("line %d of the prompt: %s", line, d.Message))
	}
	return nil
}

// fill replaces the placeholders of a template. Unknown ones stay as they are.
func fill(template string, values map[string]string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := values[name]
		if !closed || !known {
			b.WriteByte('{')
			template = rest
			continue
		}
		b.WriteString(value)
		template = after
	}
}

// instructions returns the messages before the model's own text. The error has code
// "monitor.template", or "monitor.file" if a file is missing.
func instructions(a *agent.Agent, setup Setup, tools []tool.Callable, s Settings) ([]llm.Message, error) {
	template := s.Template
	if template == "" {
		template = DefaultTemplate
		if a.Prompt != "" {
			text, err := setup.open(a.Prompt)
			if err != nil {
				return nil, err
			}
			if template = text; checkTemplate(text) != nil {
				return nil, source.NewError("monitor.template", a.Prompt+": "+checkTemplate(text).Error())
			}
		}
	}
	examples, err := setup.examples(a)
	if err != nil {
		return nil, err
	}
	if examples != "" && !strings.Contains(template, "{examples}") {
		template += "\n\n{examples}"
	}
	text := strings.TrimSpace(fill(template, map[string]string{
		"states": stateLines(a), "follows": strings.Join(follows(a), "\n"), "tools": toolLines(tools),
		"tool_names": strings.Join(toolNames(tools), ", "), "examples": examples, "question": s.Question,
	}))
	if setup.Instructions != "" {
		text += "\n\n" + setup.Instructions
	}
	if strings.Contains(template, "{question}") {
		return []llm.Message{{Role: "user", Content: text}}, nil
	}
	question := s.Question
	if question == "" {
		question = "Begin."
	}
	return []llm.Message{{Role: "system", Content: text}, {Role: "user", Content: question}}, nil
}

// open returns the text of a file that an agent names.
func (s Setup) open(name string) (string, error) {
	if s.File != nil {
		if text, ok := s.File(name); ok {
			return text, nil
		}
	}
	return "", source.NewError("monitor.file", fmt.Sprintf("unknown file %q: the agent names it, but the workspace does not have it", name))
}

// examples returns the example transcripts of an agent.
func (s Setup) examples(a *agent.Agent) (string, error) {
	if len(a.Examples) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("Examples of complete runs:\n\n")
	for _, name := range a.Examples {
		text, err := s.open(name)
		if err != nil {
			return "", err
		}
		b.WriteString(strings.TrimSpace(text) + "\n\n")
	}
	return b.String(), nil
}

func stateLines(a *agent.Agent) string {
	var lines []string
	for _, s := range a.States {
		line := s.Text
		switch {
		case s.EnvInput:
			line += " is written by the environment: stop before it and never write it yourself"
		case s.Empty:
			line += " has no content"
		case len(s.OneOf) > 0:
			line += " is exactly " + list(s.OneOf)
		case s.Matches != "":
			line += fmt.Sprintf(" matches %q", s.Matches)
		}
		if s.MaxTokens > 0 && !s.EnvInput {
			line += " (at most " + tokenCount(s.MaxTokens) + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func toolNames(tools []tool.Callable) []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name()
	}
	return names
}

func toolLines(tools []tool.Callable) string {
	if len(tools) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("The tools:\n")
	for _, t := range tools {
		fmt.Fprintf(&b, "%s: %s\n", t.Name(), t.Description())
	}
	return b.String()
}

// follows lists, for each state, the states that can follow it anywhere in the behaviour.
func follows(a *agent.Agent) []string {
	after := make([][]bool, len(a.States)+1) // the last row: at the beginning
	for i := range after {
		after[i] = make([]bool, len(a.States))
	}
	dfa := a.DFA
	into := make([]map[int]bool, dfa.NumStates()) // states read on the way into an automaton state
	for q := range into {
		into[q] = map[int]bool{}
	}
	into[dfa.Start()][len(a.States)] = true
	for q := range dfa.NumStates() {
		for s := range a.States {
			if to := dfa.Next(q, s); a.Live(q) && a.Live(to) {
				into[to][s] = true
			}
		}
	}
	for q := range dfa.NumStates() {
		for s := range a.States {
			if !a.Live(q) || !a.Live(dfa.Next(q, s)) {
				continue
			}
			for before := range into[q] {
				after[before][s] = true
			}
		}
	}
	line := func(name string, row []bool) string {
		var next []string
		for s, ok := range row {
			if ok {
				next = append(next, a.States[s].Text)
			}
		}
		if len(next) == 0 {
			return name + ": nothing; it is the last step"
		}
		return name + ": " + strings.Join(next, " or ")
	}
	out := []string{line("at the beginning", after[len(a.States)])}
	for s, state := range a.States {
		out = append(out, line("after "+state.Text, after[s]))
	}
	return out
}
