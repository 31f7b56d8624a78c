package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// DefaultRounds is how often a model may try until its draft has no problems.
const DefaultRounds = 5

// MaxRounds is how often it may be told to try at most.
const MaxRounds = 20

// DefaultDraft is the prompt of a draft.
const DefaultDraft = `Write a specification of plans in the notation below.

What plans have to be like:
{description}

{examples}{files}The notation:

{reference}
Answer with the files {names}, each whole, in a fenced block whose first line is three backticks and the file's name.`

var draftPlaceholders = []string{"description", "examples", "files", "reference", "names"}

// DraftFile is a file of a draft.
type DraftFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// DraftExamples are plans that a draft must allow, and others that it must not. Each
// is written in any form in which plans are read.
type DraftExamples struct {
	Pass []string `json:"pass,omitempty"`
	Fail []string `json:"fail,omitempty"`
}

// DraftSettings of a run.
type DraftSettings struct {
	Description string        `json:"description"`
	Languages   []string      `json:"languages,omitempty"` // of "cfg", "pda", "flow", "ltl"; none: "cfg"
	Examples    DraftExamples `json:"examples,omitzero"`
	Files       []DraftFile   `json:"files,omitempty"` // to begin with
	Model       llm.Spec      `json:"model"`
	Rounds      int           `json:"rounds,omitempty"`   // 0: DefaultRounds
	Template    string        `json:"template,omitempty"` // of the prompt; "": DefaultDraft
}

// draftNames are how the files of a draft are called, by language.
var draftNames = map[string]string{"cfg": "plan.cfg", "pda": "plan.pda", "flow": "plan.flow", "ltl": "properties.ltl"}

// Check returns an error for settings that cannot be run.
func (s DraftSettings) Check() error {
	if err := s.Model.Check(); err != nil {
		return err
	}
	specs := 0
	for _, l := range s.Languages {
		if draftNames[l] == "" {
			return settingsError(fmt.Sprintf("drafts are written in cfg, pda, flow and ltl, not in %q", l))
		}
		if l != "ltl" {
			specs++
		}
	}
	switch {
	case strings.TrimSpace(s.Description) == "":
		return settingsError("say what plans have to be like")
	case specs > 1:
		return settingsError("a draft is one of cfg, pda and flow, with ltl or without")
	case s.Rounds < 0 || s.Rounds > MaxRounds:
		return settingsError(fmt.Sprintf("rounds are from 1 to %d, not %d", MaxRounds, s.Rounds))
	}
	return CheckNames("plan.template", s.Template, draftPlaceholders, "description")
}

// DraftPrompt is the event of what is put to the model in a round.
type DraftPrompt struct {
	Kind   string `json:"kind"`  // "draft.prompt"
	Round  int    `json:"round"` // from 1
	Prompt string `json:"prompt"`
}

// DraftDelta is a piece of the answer as it streams in.
type DraftDelta struct {
	Kind  string `json:"kind"` // "draft.delta"
	Round int    `json:"round"`
	Text  string `json:"text"`
}

// DraftRound is what a round came to.
type DraftRound struct {
	Kind     string      `json:"kind"` // "draft.round"
	Round    int         `json:"round"`
	Files    []DraftFile `json:"files"`
	Problems []string    `json:"problems"`
}

// DraftResult is the last draft.
type DraftResult struct {
	Kind     string      `json:"kind"` // "draft.done"
	Files    []DraftFile `json:"files"`
	Problems []string    `json:"problems"`
	Rounds   int         `json:"rounds"`
	Clean    bool        `json:"clean"` // it has no problems
	Calls    int         `json:"calls"`
	Usage    llm.Usage   `json:"usage"`
	Money    float64     `json:"money"`
}

// maxProblems is how many problems a model is told of in a round: the first usually
// cause the others.
const maxProblems = 12

// Draft has a model write a specification from a description. What it writes is
// checked, and the problems are put to it until there are none or the rounds are
// used up. check compiles the files and tries the examples.
func Draft(env *process.Env, s DraftSettings, check func(files []DraftFile) (problems []string, err error)) (*DraftResult, error) {
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
	out := &DraftResult{Kind: "draft.done", Files: slices.Clone(s.Files), Problems: []string{}}
	request := llm.Request{Messages: []llm.Message{{Role: "user", Content: s.prompt()}}}
	for round := 1; round <= s.Rounds && !out.Clean; round++ {
		out.Rounds = round
		env.Emit(DraftPrompt{Kind: "draft.prompt", Round: round, Prompt: request.Messages[len(request.Messages)-1].Content})
		reply, err := model.Generate(env, request, func(delta string) bool {
			env.Emit(DraftDelta{Kind: "draft.delta", Round: round, Text: delta})
			return true
		})
		if err != nil {
			return nil, err
		}
		out.Calls++
		out.Usage.Prompt += reply.Usage.Prompt
		out.Usage.Completion += reply.Usage.Completion
		out.Money += reply.Cost
		written := draftFiles(reply.Text, s.Languages)
		for _, f := range written {
			out.put(f)
		}
		if len(written) == 0 {
			out.Problems = []string{"there is no file in the answer; write each file in a fenced block whose first line is three backticks and the file's name"}
		} else if out.Problems, err = check(out.Files); err != nil {
			return nil, err
		}
		if out.Problems == nil {
			out.Problems = []string{}
		}
		out.Clean = len(out.Problems) == 0
		env.Emit(DraftRound{Kind: "draft.round", Round: round, Files: slices.Clone(out.Files), Problems: out.Problems})
		told := out.Problems
		more := ""
		if len(told) > maxProblems {
			more = fmt.Sprintf("\n- … and %d more", len(told)-maxProblems)
			told = told[:maxProblems]
		}
		request.Messages = append(request.Messages,
			llm.Message{Role: "assistant", Content: reply.Text},
			llm.Message{Role: "user", Content: "This does not work yet:\n\n- " + strings.Join(told, "\n- ") + more + "\n\nWrite every file that has to change once more, whole, as before."})
	}
	if out.Files == nil {
		out.Files = []DraftFile{}
	}
	env.Emit(out)
	return out, nil
}

// put adds a file, or replaces the one of its name.
func (r *DraftResult) put(f DraftFile) {
	for i := range r.Files {
		if r.Files[i].Name == f.Name {
			r.Files[i] = f
			return
		}
	}
	r.Files = append(r.Files, f)
}

// prompt writes what the model reads first.
func (s DraftSettings) prompt() string {
	template := s.Template
	if template == "" {
		template = DefaultDraft
	}
	names := make([]string, len(s.Languages))
	for i, l := range s.Languages {
		names[i] = draftNames[l]
	}
	return strings.TrimSpace(expand(template, func(name string, _ int) string {
		switch name {
		case "description":
			return strings.TrimSpace(s.Description)
		case "examples":
			return exampleList("These plans must be valid:", s.Examples.Pass) + exampleList("These must not be valid:", s.Examples.Fail)
		case "files":
			var b strings.Builder
			for i, f := range s.Files {
				if i == 0 {
					b.WriteString("What there is so far:\n\n")
				}
				fmt.Fprintf(&b, "```%s\n%s```\n\n", f.Name, strings.TrimRight(f.Text, "\n")+"\n")
			}
			return b.String()
		case "reference":
			list := make([]string, len(s.Languages))
			for i, l := range s.Languages {
				list[i] = draftReferences[l]
			}
			return strings.Join(list, "\n")
		default: // "names"
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

// draftFiles finds the files in an answer: fenced blocks, named behind the backticks
// or on the line before them, or an archive with "-- name --" lines.
func draftFiles(text string, languages []string) []DraftFile {
	var out []DraftFile
	put := func(name, body string) {
		for i := range out {
			if out[i].Name == name {
				out[i].Text = body
				return
			}
		}
		out = append(out, DraftFile{Name: name, Text: body})
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	before := ""
	for i := 0; i < len(lines); i++ {
		fence, info := openingFence(lines[i])
		if fence == "" {
			if strings.TrimSpace(lines[i]) != "" {
				before = lines[i]
			}
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != fence {
			end++
		}
		body := lines[i+1 : end]
		i = end
		if archive := archiveFiles(body, languages); len(archive) > 0 {
			for _, f := range archive {
				put(f.Name, f.Text)
			}
		} else if name := draftName(info, before, languages); name != "" {
			put(name, strings.Join(body, "\n")+"\n")
		}
		before = ""
	}
	if len(out) == 0 {
		out = archiveFiles(lines, languages)
	}
	return out
}

// openingFence returns the fence that a line begins, and what is said behind it.
func openingFence(line string) (fence, info string) {
	trimmed := strings.TrimSpace(line)
	n := 0
	for n < len(trimmed) && (trimmed[n] == '`' || trimmed[n] == '~') && trimmed[n] == trimmed[0] {
		n++
	}
	if n < 3 {
		return "", ""
	}
	return trimmed[:n], strings.TrimSpace(trimmed[n:])
}

// archiveFiles reads the files of an archive.
func archiveFiles(lines []string, languages []string) []DraftFile {
	var out []DraftFile
	for _, line := range lines {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		if name, ok = cutSuffix(name, " --", ok); ok && wantedFile(name, languages) {
			out = append(out, DraftFile{Name: name})
		} else if len(out) > 0 {
			out[len(out)-1].Text += line + "\n"
		}
	}
	return out
}

func cutSuffix(s, suffix string, ok bool) (string, bool) {
	if !ok {
		return s, false
	}
	return strings.CutSuffix(s, suffix)
}

// wantedFile reports whether a name is that of a file in one of the languages.
func wantedFile(name string, languages []string) bool {
	return slices.ContainsFunc(languages, func(l string) bool { return strings.HasSuffix(name, "."+l) && len(name) > len(l)+1 }) &&
		!strings.ContainsAny(name, " /\\")
}

// draftName returns the name of a file from what stands behind its fence, or on the
// line before that.
func draftName(info, before string, languages []string) string {
	for _, text := range []string{info, before} {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t*`:\"'()=,#", r) }) {
			if wantedFile(word, languages) {
				return word
			}
		}
	}
	language, _, _ := strings.Cut(strings.ToLower(info), " ")
	if slices.Contains(languages, language) {
		return draftNames[language]
	}
	if info == "" && len(languages) == 1 {
		return draftNames[languages[0]]
	}
	return ""
}

// DraftProblem writes a problem of a file with its place and the line it is in.
func DraftProblem(file *source.File, d source.Diagnostic) string {
	where := file.Locate(d.Span.Start)
	start := int(d.Span.Start) - (where.Column - 1)
	lines := strings.Split(file.Text, "\n")
	text := fmt.Sprintf("%s, line %d, column %d: %s", file.Name, where.Line, where.Column, d.Message)
	if start >= 0 && where.Line-1 < len(lines) {
		if line := strings.TrimSpace(lines[where.Line-1]); line != "" {
			text += fmt.Sprintf(" — in `%s`", line)
		}
	}
	for _, n := range d.Notes {
		at := file.Locate(n.Span.Start)
		text += fmt.Sprintf(" (%s: line %d)", n.Message, at.Line)
	}
	return text
}

// drafter returns the model that drafts. One that is simulated has no ideas: it
// writes down the examples, badly at first as often as its error rate says.
func drafter(s DraftSettings) (llm.Model, error) {
	switch s.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler:
		return llm.Simulate(func(env *process.Env, r llm.Request) (string, error) {
			return s.simulated(env, len(r.Messages) > 1), nil
		}), s.Model.Check()
	default:
		return llm.New(s.Model)
	}
}

func (s DraftSettings) simulated(env *process.Env, again bool) string {
	slip := s.Model.Kind == llm.KindRambler && env.Rand().Float64() < s.Model.ErrorRate
	var b strings.Builder
	if again {
		b.WriteString("Sorry, here it is once more.\n\n")
	} else {
		b.WriteString("Here is a first draft.\n\n")
	}
	for _, l := range s.Languages {
		fmt.Fprintf(&b, "```%s\n", draftNames[l])
		switch l {
		case "cfg":
			arrow := "->"
			if slip {
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
			if slip {
				b.WriteString("q => end\n")
			}
		case "flow":
			b.WriteString("ask ready \"Is everything there?\"\n  yes -> done\n  no -> stop\n")
			if !slip {
				b.WriteString("accept done \"Begin.\"\n")
			}
		default: // "ltl"
			b.WriteString("something_is_done: F true\n")
			if slip {
				b.WriteString("\nnever: G (\n")
			}
		}
		b.WriteString("```\n\n")
	}
	return strings.TrimSpace(b.String())
}
