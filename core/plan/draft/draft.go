// Package draft asks a model to write a specification from a description: plans, a team or a
// problem, or rules from a policy. It reports the problems of each draft to the model until
// the draft compiles and its examples hold.
package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/prompt"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// DefaultRounds is the default number of attempts to write a draft without problems.
const DefaultRounds = 5

// MaxRounds bounds the number of attempts.
const MaxRounds = 20

// DefaultPrompt is the prompt of a draft.
const DefaultPrompt = `Write a specification of plans in the notation below.

The requirements for the plans:
{description}

{examples}{files}The notation:

{reference}
Answer with the files {names}, each complete, in a fenced block whose first line is three backticks and the file's name.`

// DefaultTeamPrompt is the prompt of a draft of a team.
const DefaultTeamPrompt = `Write a team of agents in the notation below: the executors with their responsibilities and instructions, and the constraints on their results.

The task of the team, or its kind of tasks:
{description}

{files}The notation:

{reference}
Answer with the complete file {names}, in a fenced block whose first line is three backticks and the file's name.`

// DefaultProblemPrompt is the prompt of a draft of a problem.
const DefaultProblemPrompt = `Write a planning problem as the files described below. Do not solve it, and do not invent numbers.

The description of the problem:
{description}

{files}The files:

{reference}
Answer with the files {names}, each complete, in a fenced block whose first line is three backticks and the file's name.`

// Languages of drafts that are not plans.
const (
	LanguageTeam    = "team"
	LanguageProblem = "problem"
	LanguageRules   = "rules" // the description is the text of a policy
)

// ProblemFolder is the folder of a drafted problem, and ProblemFiles are its files.
const ProblemFolder = "draft.problem"

// ProblemFiles returns the files of a drafted problem, in the order of the prompt.
func ProblemFiles() []string { return []string{"task.md", "query.md", "data.json", "output.json"} }

var placeholders = []string{"description", "examples", "files", "reference", "names"}

// File is a file of a draft.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Examples are plans that a draft must accept or reject, in any form that the checker
// reads.
type Examples struct {
	Pass []string `json:"pass,omitempty"`
	Fail []string `json:"fail,omitempty"`
}

// Settings of a run.
type Settings struct {
	Description string   `json:"description"`
	Languages   []string `json:"languages,omitempty"` // of "cfg", "pda", "flow", "ltl", "team", "problem", "rules"; none: "cfg"
	Examples    Examples `json:"examples,omitzero"`
	Files       []File   `json:"files,omitempty"` // the first draft
	Model       llm.Spec `json:"model"`
	Rounds      int      `json:"rounds,omitempty"`   // 0: DefaultRounds
	Template    string   `json:"template,omitempty"` // of the prompt; "": DefaultPrompt
	// MaxTokens bounds an answer; 0: the provider's limit. Temperature is from 0 to 2.
	MaxTokens   int     `json:"maxTokens,omitempty"`
	Temperature float64 `json:"temperature,omitempty"`
}

// fileNames are the names of a draft's files, by language.
var fileNames = map[string]string{"cfg": "plan.cfg", "pda": "plan.pda", "flow": "plan.flow", "ltl": "properties.ltl", LanguageTeam: "draft.team", LanguageProblem: ProblemFolder, LanguageRules: RulesFile}

// Check returns an error for settings that cannot be run.
func (s Settings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	specs := 0
	for _, l := range s.Languages {
		if fileNames[l] == "" {
			return settingsError(fmt.Sprintf("unknown language %q (expected cfg, pda, flow, ltl, team, problem or rules)", l))
		}
		if l != "ltl" {
			specs++
		}
	}
	switch other := s.other(); {
	case other != "" && len(s.Languages) > 1:
		return settingsError("a draft of a " + other + " has no other languages")
	case other != "" && len(s.Examples.Pass)+len(s.Examples.Fail) > 0:
		return settingsError("a draft of a " + other + " has no examples of plans")
	case other == LanguageRules && (s.Template != "" || len(s.Files) > 0):
		return settingsError("a draft of rules has no template and no files")
	case strings.TrimSpace(s.Description) == "":
		return settingsError("the description is missing")
	case specs > 1:
		return settingsError("a draft must have one spec in cfg, pda or flow, with or without ltl")
	case s.Rounds < 0 || s.Rounds > MaxRounds:
		return settingsError(fmt.Sprintf("rounds must be from 1 to %d, not %d", MaxRounds, s.Rounds))
	}
	if err := llm.CheckSampling(s.MaxTokens, s.Temperature); err != nil {
		return settingsError(err.Error())
	}
	return prompt.Check("plan.template", s.Template, placeholders, "description")
}

// other returns the language of a draft of a team, a problem or rules, or "".
func (s Settings) other() string {
	for _, l := range s.Languages {
		if l == LanguageTeam || l == LanguageProblem || l == LanguageRules {
			return l
		}
	}
	return ""
}

// Prompt is the event of a round's prompt.
type Prompt struct {
	Kind   string `json:"kind"`  // "draft.prompt"
	Round  int    `json:"round"` // from 1
	Prompt string `json:"prompt"`
}

// Delta is the event of a chunk of the streamed answer.
type Delta struct {
	Kind  string `json:"kind"` // "draft.delta"
	Round int    `json:"round"`
	Text  string `json:"text"`
}

// Round is the event of a finished round.
type Round struct {
	Kind     string   `json:"kind"` // "draft.round"
	Round    int      `json:"round"`
	Files    []File   `json:"files"`
	Problems []string `json:"problems"`
}

// Result is the last draft.
type Result struct {
	Kind     string    `json:"kind"` // "draft.done"
	Files    []File    `json:"files"`
	Problems []string  `json:"problems"`
	Rounds   int       `json:"rounds"`
	Clean    bool      `json:"clean"` // it has no problems
	Calls    int       `json:"calls"`
	Usage    llm.Usage `json:"usage"`
	Money    float64   `json:"money"`
}

// maxProblems bounds the problems in a prompt: the first ones usually cause the others.
const maxProblems = 12

// Run lets a model write a specification from a description. It reports the problems of each
// draft to the model until there are none or the rounds are used up. check compiles the
// files and tries the examples.
func Run(env *process.Env, s Settings, check func(files []File) (problems []string, err error)) (*Result, error) {
	if len(s.Languages) == 0 {
		s.Languages = []string{"cfg"}
	}
	if s.Rounds == 0 {
		s.Rounds = DefaultRounds
	}
	model, err := drafter(s)
	if err != nil {
		return nil, err
	}
	out := &Result{Kind: "draft.done", Files: slices.Clone(s.Files), Problems: []string{}}
	request := llm.Request{Messages: []llm.Message{{Role: "user", Content: s.prompt()}}, MaxTokens: s.MaxTokens, Temperature: s.Temperature}
	wrote := false
	for round := 1; round <= s.Rounds && !out.Clean; round++ {
		out.Rounds = round
		reply, err := out.ask(env, model, request)
		if err != nil {
			return nil, err
		}
		written, cut := s.cutOff(env, &request, reply)
		wrote = wrote || len(written) > 0
		for _, f := range written {
			out.put(f)
		}
		if len(written) == 0 {
			out.Problems = []string{"the answer contains no file; write each file in a fenced block whose first line is three backticks and the file's name"}
		} else if out.Problems, err = check(out.Files); err != nil {
			return nil, err
		}
		out.Problems = append(cut, out.Problems...)
		out.Clean = len(out.Problems) == 0
		env.Emit(Round{Kind: "draft.round", Round: round, Files: slices.Clone(out.Files), Problems: out.Problems})
		problems := out.Problems
		more := ""
		if len(problems) > maxProblems {
			more = fmt.Sprintf("\n- … and %d more", len(problems)-maxProblems)
			problems = problems[:maxProblems]
		}
		answer := reply.Text
		if wrote && !env.Earlier() {
			env.Revise()
			request.Messages, answer = request.Messages[:1:1], fenced(out.Files) // also those of earlier answers
		} else {
			request.Messages = llm.BeforeFault(env, request.Messages)
		}
		request.Messages = append(request.Messages,
			llm.Message{Role: "assistant", Content: answer},
			llm.Message{Role: "user", Content: "The files have these problems:\n\n- " + strings.Join(problems, "\n- ") + more + "\n\nWrite each file that you change again, complete, in the same format."})
	}
	if out.Files == nil {
		out.Files = []File{}
	}
	env.Emit(out)
	return out, nil
}

// cutOff returns the files of an answer. If a limit of tokens has cut the answer off, the file in which it ends is not
// among them, the problem says so, and the limit of the settings is raised once.
func (s Settings) cutOff(env *process.Env, request *llm.Request, reply llm.Reply) (files []File, problems []string) {
	files, open := readFiles(reply.Text, s.Languages)
	problems = []string{}
	if reply.Reason != llm.StopLength || len(files) > 0 && open == "" || env.Earlier() {
		return files, problems
	}
	env.Revise()
	place := ""
	if open != "" {
		place = " in " + open
		files = slices.DeleteFunc(files, func(f File) bool { return f.Name == open })
	}
	if request.MaxTokens > 0 && request.MaxTokens == s.MaxTokens {
		request.MaxTokens = max(s.MaxTokens, reply.Usage.Completion) + llm.MoreTokens
	}
	return files, []string{fmt.Sprintf("the answer was cut off after %d tokens%s; be brief", reply.Usage.Completion, place)}
}

// fenced renders files as an answer.
func fenced(files []File) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString("```" + f.Name + "\n" + strings.TrimRight(f.Text, "\n") + "\n```\n\n")
	}
	return strings.TrimSpace(b.String())
}

// ask requests the answer of a round, whose number is r.Rounds, and counts its cost.
func (r *Result) ask(env *process.Env, model llm.Model, request llm.Request) (llm.Reply, error) {
	round := r.Rounds
	env.Emit(Prompt{Kind: "draft.prompt", Round: round, Prompt: request.Messages[len(request.Messages)-1].Content})
	reply, err := model.Generate(env, request, func(delta string) bool {
		env.Emit(Delta{Kind: "draft.delta", Round: round, Text: delta})
		return true
	})
	if err != nil {
		return reply, err
	}
	r.Calls++
	r.Usage.Prompt += reply.Usage.Prompt
	r.Usage.Completion += reply.Usage.Completion
	r.Money += reply.Cost
	return reply, nil
}

// put adds a file or replaces the one with its name.
func (r *Result) put(f File) {
	for i := range r.Files {
		if r.Files[i].Name == f.Name {
			r.Files[i] = f
			return
		}
	}
	r.Files = append(r.Files, f)
}

// prompt returns the first prompt.
func (s Settings) prompt() string {
	template := s.Template
	if template == "" {
		switch s.other() {
		case LanguageTeam:
			template = DefaultTeamPrompt
		case LanguageProblem:
			template = DefaultProblemPrompt
		default:
			template = DefaultPrompt
		}
	}
	var names []string
	for _, l := range s.Languages {
		if l == LanguageProblem {
			names = append(names, ProblemFiles()...)
		} else {
			names = append(names, fileNames[l])
		}
	}
	return strings.TrimSpace(prompt.Expand(template, func(name string) string {
		switch name {
		case "description":
			return strings.TrimSpace(s.Description)
		case "examples":
			return exampleList("These plans must be valid:", s.Examples.Pass) + exampleList("These must not be valid:", s.Examples.Fail)
		case "files":
			var b strings.Builder
			for i, f := range s.Files {
				if i == 0 {
					b.WriteString("The current files:\n\n")
				}
				fmt.Fprintf(&b, "```%s\n%s```\n\n", f.Name, strings.TrimRight(f.Text, "\n")+"\n")
			}
			return b.String()
		case "reference":
			list := make([]string, len(s.Languages))
			for i, l := range s.Languages {
				list[i] = references()[l]
			}
			return strings.Join(list, "\n")
		default: // "names"
			if len(names) > 2 {
				return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
			}
			return strings.Join(names, " and ")
		}
	}))
}

func exampleList(title string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(title + "\n\n")
	for _, text := range list {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n")
	}
	return b.String() + "\n"
}

// Problem formats a diagnostic with its place and line.
func Problem(file *source.File, d source.Diagnostic) string {
	where := file.Locate(d.Span.Start)
	lines := strings.Split(file.Text, "\n")
	text := fmt.Sprintf("%s, line %d, column %d: %s", file.Name, where.Line, where.Column, d.Message)
	if line := strings.TrimSpace(lines[where.Line-1]); line != "" {
		text += fmt.Sprintf(" — in `%s`", line)
	}
	for _, n := range d.Notes {
		at := file.Locate(n.Span.Start)
		text += fmt.Sprintf(" (%s: line %d)", n.Message, at.Line)
	}
	return text
}

// drafter returns the model that writes drafts. A simulated one writes down the examples,
// with mistakes at its error rate.
func drafter(s Settings) (llm.Model, error) {
	switch s.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler:
		return llm.Simulate(func(env *process.Env, r llm.Request) (string, error) {
			return s.simulated(env, len(r.Messages) > 1), nil
		}), s.Model.Check()
	default:
		return llm.New(s.Model)
	}
}

func (s Settings) simulated(env *process.Env, again bool) string {
	mistake := s.Model.Kind == llm.KindRambler && env.Rand().Float64() < s.Model.ErrorRate
	var b strings.Builder
	if again {
		b.WriteString("Here is the corrected draft.\n\n")
	} else {
		b.WriteString("Here is a first draft.\n\n")
	}
	for _, l := range s.Languages {
		if l == LanguageTeam || l == LanguageProblem {
			b.WriteString(s.simulatedOther(l, mistake))
			continue
		}
		fmt.Fprintf(&b, "```%s\n", fileNames[l])
		switch l {
		case "cfg":
			arrow := "->"
			if mistake {
				arrow = "="
			}
			b.WriteString("S " + arrow)
			for i, text := range s.Examples.Pass {
				if i > 0 {
					b.WriteString("\n  |")
				}
				b.WriteString(" " + strings.Join(strings.Fields(text), " "))
			}
			b.WriteString("\n")
		case "pda":
			b.WriteString("start q\naccept end\n")
			for i, text := range s.Examples.Pass {
				from := "q"
				fields := strings.Fields(text)
				for k, letter := range fields {
					to := fmt.Sprintf("q%d_%d", i+1, k+1)
					if k == len(fields)-1 {
						to = "end"
					}
					fmt.Fprintf(&b, "%s -> %s (%s, ε; ε)\n", from, to, letter)
					from = to
				}
			}
			if mistake {
				b.WriteString("q => end\n")
			}
		case "flow":
			b.WriteString("ask ready \"Is everything there?\"\n  yes -> done\n  no -> stop\n")
			if !mistake {
				b.WriteString("accept done \"Begin.\"\n")
			}
		default: // "ltl"
			b.WriteString("something_is_done: F true\n")
			if mistake {
				b.WriteString("\nnever: G (\n")
			}
		}
		b.WriteString("```\n\n")
	}
	return strings.TrimSpace(b.String())
}

func settingsError(message string) error { return source.NewError("plan.settings", message) }
