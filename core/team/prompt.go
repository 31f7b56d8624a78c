package team

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/plan/prompt"
)

// Default prompts, in the structure of Zhang et al. (2024, Figure 2 and §F). The manager
// gets its role, the task, the executors and a JSON template; an executor its sub-task,
// its constraints and rules against aimless calls; the supervisor the results of the
// direct predecessors; the deliverer all results and its role. They contain no examples.
// The settings may replace them.
const (
	DefaultManager = `You manage a team. Divide a task into sub-tasks, each for one member of the team, and list the sub-tasks whose results each of them needs. Do not solve any sub-task yourself.

The task:
{task}

The members of the team:
{executors}
{hints}{global}
Answer only with one JSON object of this form:
{"thought": …, "subtasks": [{"id": …, "task": …, "executor": …, "needs": […], "local": […]}, …], "global": […]}

The fields:
- thought: first, how to divide the task, in a few sentences.
- id: t1, t2, t3, …
- task: complete instructions that can be understood without the other sub-tasks. Leave open only values that another sub-task will find.
- executor: the name of one member who is able to do the sub-task.
- needs: the ids of the sub-tasks whose results are required to begin this one, and no others. Sub-tasks that do not depend on each other run concurrently. The dependencies have no cycles.
- local: constraints that this sub-task alone can satisfy, such as the unit of its result.
- global: constraints on the results of several sub-tasks together, such as a limit of their sum.
Include the constraints that the task states and those that it implies. Use at most {most} sub-tasks.{shape}`

	DefaultSupervisor = `A team does a task in sub-tasks. A sub-task was planned before the results that it needs were known. They are known now: make the sub-task precise.

The sub-task: {subtask}
Its executor: {executor}, who {does}

The results that it needs:
{results}

Rewrite the sub-task so that it contains every place, date, number and choice from these results on which it depends; its executor sees only your text. Do not solve the sub-task, add no requirements, and invent nothing.
Answer only with one JSON object of this form:
{"task": …}`

	DefaultExecutor = `You are {executor}, who {does}
You do one sub-task of a larger task; other executors do the others.
{given}{constraints}{gives}{hints}{trouble}Before each action, state the known facts and the missing ones. Call no tool twice with the same input; if one tool does not help, try another. The other executors see only your answer: include all facts that you found, with names and numbers, and no others.`

	DefaultInference = `A team has worked on a task. Write the answer to the task from the team's results.

The task:
{task}

The results of the team:
{results}
{missing}{global}{gives}{hints}
Think before you answer: make choices that satisfy all constraints together, including implicit ones. Use only facts from the results.`

	DefaultReporting = `A team has worked on a task. Report its results.

The task:
{task}

The results of the team:
{results}
{missing}{global}{gives}{hints}
Answer the task from these results: completely, in order, without additions and without conclusions of your own.`

	DefaultAlone = `{task}
{known}{global}{gives}{hints}
{method}`
)

// earlierManager is [DefaultManager] of runs without a wording: its examples of constraints are those of
// trips, which is a hint where a benchmark tests for them.
var earlierManager = strings.NewReplacer("such as the unit of its result", "such as a minimum stay", "such as a limit of their sum", "such as a budget").Replace(DefaultManager)

// DefaultTemplates returns the default prompts.
func DefaultTemplates() Templates {
	return Templates{DefaultManager, DefaultExecutor, DefaultSupervisor, DefaultInference, DefaultReporting, DefaultAlone}
}

var (
	managerNames    = []string{"task", "executors", "hints", "global", "most", "shape"}
	supervisorNames = []string{"subtask", "executor", "does", "results"}
	executorNames   = []string{"executor", "does", "given", "constraints", "gives", "hints", "trouble"}
	delivererNames  = []string{"task", "results", "missing", "global", "gives", "hints"}
	aloneNames      = []string{"task", "known", "global", "gives", "hints", "method"}
)

// fill replaces the placeholders of a template, or of its default if it is empty, and
// merges consecutive blank lines.
func fill(template, usual string, values map[string]string) string {
	if template == "" {
		template = usual
	}
	text := prompt.Expand(template, func(name string) string { return values[name] })
	return strings.TrimSpace(text)
}

// bullets lists texts under a title. Without texts it returns "".
func bullets(title string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(title + "\n")
	for _, text := range list {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n")
	}
	return b.String()
}

// wanted returns the constraints in words, without formulas over events, because the run
// enforces these formulas itself.
func wanted(lists ...[]Constraint) []string {
	var out []string
	for _, list := range lists {
		for _, c := range list {
			if c.Formula == nil || c.Text != "" {
				out = append(out, c.String())
			}
		}
	}
	return out
}

func (r *run) hints() string { return bullets("Keep in mind:", r.spec.Hints) }

// allHints adds the hints of the settings to those of the team: the deliverer, or an agent without a
// team, reads them (Zhang et al. 2024, §5.1.1).
func (r *run) allHints() string {
	return bullets("Keep in mind:", slices.Concat(r.spec.Hints, r.settings.Hints))
}

// gives returns the sentence of a prompt that states the form of a result.
func gives(form string) string {
	if form == "" {
		return ""
	}
	return "Write the result in this form: " + form + "\n"
}

// gives returns the forms of all executors that had the sub-task.
func (w *work) gives() string {
	var b strings.Builder
	for _, e := range w.given {
		if form := gives(e.Gives); !strings.Contains(b.String(), form) {
			b.WriteString(form)
		}
	}
	return b.String()
}

// members lists the executors.
func (r *run) members() string {
	var b strings.Builder
	for _, e := range r.spec.Executors {
		fmt.Fprintf(&b, "- %s: %s", e.Name, e.Does)
		if len(e.Tools) > 0 {
			names := make([]string, len(e.Tools))
			for i, t := range e.Tools {
				names[i] = t.Name
			}
			b.WriteString(" (with " + strings.Join(names, ", ") + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (r *run) managerPrompt() string {
	shape := ""
	if s := r.setup.Shape; s != nil {
		shape = "\n\nThe executors of the sub-tasks, in some order in which every sub-task follows those that it needs, must be a word of this specification:\n\n" + strings.TrimSpace(s.Text)
	}
	usual := DefaultManager
	if r.settings.Wording == "" {
		usual = earlierManager
	}
	return fill(r.settings.Templates.Manager, usual, map[string]string{
		"task": r.task(), "executors": r.members(), "hints": r.hints(), "shape": shape,
		"global": bullets("The result must satisfy:", wanted(r.spec.Global)), "most": fmt.Sprint(r.spec.Limits.Subtasks),
	})
}

// task returns the task for prompts.
func (r *run) task() string {
	if r.settings.Task == "" {
		return "(no task)"
	}
	return r.settings.Task
}

func (r *run) supervisorPrompt(w *work) string {
	return fill(r.settings.Templates.Supervisor, DefaultSupervisor, map[string]string{
		"subtask": w.sub.Task, "executor": w.executor.Name, "does": lowerFirst(w.executor.Does), "results": r.results(r.before(w)),
	})
}

func (r *run) executorPrompt(w *work, trouble string) string {
	given := ""
	if r.settings.Supervisor == SupervisorPass && len(w.sub.Needs) > 0 {
		given = "The results that it needs:\n" + r.results(r.before(w)) + "\n"
	}
	return fill(r.settings.Templates.Executor, DefaultExecutor, map[string]string{
		"executor": w.executor.Name, "does": lowerFirst(w.executor.Does), "given": given, "gives": w.gives(), "hints": r.hints(), "trouble": trouble,
		"constraints": bullets("Your result must satisfy:", append(wanted(w.constraints(r.spec)), w.sub.Local...)),
	})
}

// results lists the results of sub-tasks.
func (r *run) results(list []*work) string {
	var b strings.Builder
	for i, w := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s] %s\n%s\n", w.sub.ID, w.task, strings.TrimSpace(w.text))
	}
	if b.Len() == 0 {
		return "(none)\n"
	}
	return b.String()
}

func (r *run) delivererPrompt() string {
	template, usual := r.settings.Templates.Inference, DefaultInference
	if r.spec.Role == RoleReporting {
		template, usual = r.settings.Templates.Reporting, DefaultReporting
	}
	var missing []string
	var done []*work
	for _, w := range r.works {
		if w.state == StateDone {
			done = append(done, w)
		} else {
			missing = append(missing, fmt.Sprintf("[%s] %s: %s", w.sub.ID, w.sub.Task, w.reason))
		}
	}
	return fill(template, usual, map[string]string{
		"task": r.task(), "results": r.results(done), "hints": r.allHints(), "gives": gives(r.spec.Gives),
		"missing": bullets("Sub-tasks without a result; mention them if the answer depends on them:", missing),
		"global":  bullets("The complete answer must satisfy:", append(wanted(r.spec.Global), r.graph.Global...)),
	})
}

// lowerFirst returns a sentence with a lower-case first letter.
func lowerFirst(text string) string {
	if len(text) > 1 && text[0] >= 'A' && text[0] <= 'Z' && (text[1] < 'A' || text[1] > 'Z') {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}
