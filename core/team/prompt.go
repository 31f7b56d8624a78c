package team

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/plan/prompt"
)

// Default prompts, in the structure of Zhang et al. (2024, Figure 2 and §F). The manager
// gets its role, the task, the executors and a JSON template; an executor its sub-task,
// its constraints and rules against aimless calls; the supervisor the results of the
// direct predecessors; the deliverer all results and its role. They contain no examples.
// The settings may replace them.
const (
	DefaultManager = `You lead a team. Divide a task into sub-tasks that the members of the team can do one by one, and say which sub-task needs the results of which. You do none of them yourself.

The task:
{task}

The members of the team, who alone can do anything:
{executors}
{hints}{global}
Answer with one JSON object of this form, and with nothing else:
{"thought": …, "subtasks": [{"id": …, "task": …, "executor": …, "needs": […], "local": […]}, …], "global": […]}

How it is filled in:
- thought: how the task can be divided, in a few sentences, before anything else.
- id: t1, t2, t3 and so on.
- task: what is to be done, so that it can be understood without the rest; what only another sub-task will find out is left open.
- executor: the name of the one member who does it. Give nobody what they cannot do.
- needs: the ids of those sub-tasks whose results it cannot be begun without, and no others: sub-tasks that need nothing of each other are done at the same time. No circles.
- local: conditions that can be met within this sub-task alone, such as a shortest stay.
- global: conditions that bind the results of several sub-tasks together, such as a budget.
Find the conditions in the task, and those that go without saying. At most {most} sub-tasks.{shape}`

	DefaultSupervisor = `A team does a task in parts. A part that was planned beforehand is to be made precise, now that the parts directly before it are done.

The part: {subtask}
Who does it: {executor}, who {does}

What the parts before it came to:
{results}

Rewrite the part so that it names every place, date, figure and choice that it depends on, taken from these results; whoever does it sees nothing else of them. Do not solve it, add nothing that was not wanted, and invent nothing.
Answer with one JSON object of this form, and with nothing else:
{"task": …}`

	DefaultExecutor = `You are {executor}, who {does}
Others do the other parts of a larger task; you do this part alone.
{given}{constraints}{gives}{hints}{trouble}Say each time what is known by now and what is still wanted. Call no tool a second time with what it was given already; where one does not help, try another rather than give up. Others go on from your answer and see nothing else of your work: put into it all that was found, with names and figures, and nothing that was not.`

	DefaultInference = `A team has worked on a task. You put together what the task asks for, from what the team found.

The task:
{task}

What the team found:
{results}
{missing}{global}{gives}{hints}
Think it through before you answer: choose so that all conditions hold together, and heed what goes without saying, too. Use nothing that was not found.`

	DefaultReporting = `A team has worked on a task. You report what came of it.

The task:
{task}

What the team found:
{results}
{missing}{global}{gives}{hints}
Answer the task from these results: complete, in order, with nothing added and no conclusion of your own.`

	DefaultAlone = `{task}
{known}{global}{gives}{hints}
{method}`
)

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

// gives returns the sentence of a prompt that states the form of a result.
func gives(form string) string {
	if form == "" {
		return ""
	}
	return "Give it in this form: " + form + "\n"
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
		shape = "\n\nIn some order in which every sub-task stands behind those that it needs, their executors have to be a word of this specification:\n\n" + strings.TrimSpace(s.Text)
	}
	return fill(r.settings.Templates.Manager, DefaultManager, map[string]string{
		"task": r.task(), "executors": r.members(), "hints": r.hints(), "shape": shape,
		"global": bullets("The result has to meet:", wanted(r.spec.Global)), "most": fmt.Sprint(r.spec.Limits.Subtasks),
	})
}

// task returns the task for prompts.
func (r *run) task() string {
	if r.settings.Task == "" {
		return "(nothing was said)"
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
		given = "What the parts before it came to:\n" + r.results(r.before(w)) + "\n"
	}
	return fill(r.settings.Templates.Executor, DefaultExecutor, map[string]string{
		"executor": w.executor.Name, "does": lowerFirst(w.executor.Does), "given": given, "gives": w.gives(), "hints": r.hints(), "trouble": trouble,
		"constraints": bullets("Your result has to meet:", append(wanted(w.constraints(r.spec)), w.sub.Local...)),
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
		return "(nothing)\n"
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
		"task": r.task(), "results": r.results(done), "hints": r.hints(), "gives": gives(r.spec.Gives),
		"missing": bullets("What could not be done; say so where it matters:", missing),
		"global":  bullets("What has to hold of the whole:", append(wanted(r.spec.Global), r.graph.Global...)),
	})
}

// lowerFirst returns a sentence with a lower-case first letter.
func lowerFirst(text string) string {
	if len(text) > 1 && text[0] >= 'A' && text[0] <= 'Z' && (text[1] < 'A' || text[1] > 'Z') {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}
