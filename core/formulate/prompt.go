package formulate

import (
	"strings"

	"github.com/stile-playground/stile/core/plan/prompt"
)

// The prompts follow the structure of Hao et al. (2024, §A.7), in our own words.
const (
	DefaultDefiner = `A planning problem is to be solved exactly: it will be written down for a solver. First say what it is about.

The problem:
{task}

What is known:
{data}{api}
The question:
{query}
{trouble}
Go through every pair of decision variables and ask how they are related: by what is said, by what follows, by what nobody says because it goes without saying. Whatever ties them together is a constraint.
Answer in this form, without formulas:
## Goal
What is to be the least or the greatest.
## Decision variables
- one line each: what is chosen, and of what kind it is
## Reasoning
- one line for each pair: how the two are related
## Constraints
- one line each, those of the question among them{kinds}`

	DefaultFormulator = `A planning problem is to be written down for a solver. Describe the variables that takes, as JSON.

Two examples show the form.
A choice: from blocks of several colours and scores, so and so many are to be picked, all different, of certain colours, with the greatest score. The question: 20 black or red ones were wanted, and 9 % more are wanted now.
{"variable_1": {"name": "picked", "SMT_variable": true, "number_of_variables": "one for each black or red block", "data_source": "data.blocks", "value": "1 if the block is picked, else 0", "specific_requirement": "exactly 22 of them are 1, for 20 * 1.09 is rounded up"}, "variable_2": {"name": "score", "SMT_variable": false, "number_of_variables": "one for each block", "data_source": "data.scores", "value": "the block's score", "specific_requirement": null}, "variable_3": {"name": "total", "SMT_variable": true, "number_of_variables": 1, "data_source": "variable_1, variable_2", "value": "the sum of the scores of what is picked", "specific_requirement": "maximize"}}
A round trip: every one of ten cities is visited once, the way being the shortest.
{"variable_1": {"name": "place", "SMT_variable": true, "number_of_variables": 10, "data_source": null, "value": "at which place of the trip each city stands", "specific_requirement": "all different, from 0 to 9"}, "variable_2": {"name": "leg", "SMT_variable": true, "number_of_variables": 10, "data_source": "distance, variable_1", "value": "the distance from each place of the trip to the next, and from the last to the first", "specific_requirement": null}, "variable_3": {"name": "way", "SMT_variable": true, "number_of_variables": 1, "data_source": "variable_2", "value": "the sum of the legs", "specific_requirement": "minimize"}}
{example}
Now the problem:
{task}

What is known:
{data}{api}
The question:
{query}

What was made out about it:
{goal}
{why}{trouble}
Take every constraint into account, and what the question asks for. Quantities that cannot be negative say so in their requirement.
Answer with the JSON object alone.`

	DefaultSteps = `A plan of several steps is to be found by a solver. Describe what that takes, as JSON with the five parts objects, predicates, actions, update and goal.

An example shows the form. Packages go by truck from place to place within a city; the question: package p is at x, the truck at y; p has to be at y.
{"objects": {"variable_1": {"name": "objects", "value": "package: p; truck: t; place: x, y", "data_source": "query"}}, "predicates": {"variable_2": {"name": "at", "value": "whether a package or a truck is at a place", "specific_requirement": "in the first state (at p x) and (at t y), nothing else"}, "variable_3": {"name": "in", "value": "whether a package is in a truck", "specific_requirement": "in the first state nothing"}}, "actions": {"variable_4": {"name": "load", "value": "package, truck, place"}, "variable_5": {"name": "unload", "value": "package, truck, place"}, "variable_6": {"name": "drive", "value": "truck, from, to"}}, "update": {"step_1": {"name": "load", "specific_requirement": "needs at(package, place) and at(truck, place); makes in(package, truck) true and at(package, place) false"}, "step_2": {"name": "unload", "specific_requirement": "needs in(package, truck) and at(truck, place); makes at(package, place) true and in(package, truck) false"}, "step_3": {"name": "drive", "specific_requirement": "needs at(truck, from); makes at(truck, to) true and at(truck, from) false"}}, "goal": {"step_4": {"specific_requirement": "at(p, y)"}}}
{example}
Now the problem:
{task}
{data}{api}
The question:
{query}
{trouble}
What an action does not change stays as it is, which need not be said. One action is done in each step, and the least number of steps is looked for from the first one on, which need not be said either; where plans of less than some number of steps are not wanted, or more than some number are not, add a member "horizon" like {"from": 3, "most": 20}.
Answer with the JSON object alone.`

	DefaultGenerator = `A planning problem is to be written down for a solver, from a description of its variables.

The problem:
{task}

What is known:
{data}{api}
The question:
{query}

What was made out about it:
{goal}

The variables:
{variables}
{why}
{notation}{trouble}
Answer with the text alone, in a fence of three backticks.`

	DefaultFormatter = `A solver has solved a planning problem. Put its solution into the form that was asked for, and check it.

The problem:
{task}

The question:
{query}

The solution, which is all that the answer may be taken from:
{solution}

The form of the answer:
{output}

The constraints:
{constraints}
{trouble}
Answer with one JSON object, and with nothing else: {"answer": the answer in its form, "constraints": [{"constraint": each of the constraints, "holds": true or false, "reason": in a sentence}], "sensible": {"holds": whether the plan makes sense and could be carried out, "reason": in a sentence}}`

	DefaultAssessor = `A planning problem was written down for a solver in steps. Judge each step.

The problem:
{task}

What is known:
{data}{api}
The question:
{query}
{why}
Step 1, what it is about:
{goal}

Step 2, the variables:
{variables}

Step 3, the text for the solver:
{model}

What came of it:
{solution}
{found}
Of step 1: are the goal and all constraints right, those that go without saying too; is one missing, or one too many? Of step 2: do the variables take up the question, the goal and every constraint? Of step 3: does the text say what step 2 says, without inventing anything and without defining anew what is given; does it answer the question that was asked? And of each: does what came of it make sense, as a plan that people would carry out?
Answer with one JSON object, and with nothing else: {"steps": [{"step": 1, "reason": why it is right or wrong, "right": true or false, "how": how it is to be mended, or null, "instead": the step as it should be, whole, or null}, {"step": 2, …}, {"step": 3, …}]}`

	DefaultDirect = `{task}

What is known:
{data}{api}
The question:
{query}

What is the plan? Answer by filling in this JSON, and with nothing else:
{output}`

	DefaultCoT = `{task}

What is known:
{data}{api}
The question:
{query}

What is the plan? Think it through step by step, and then fill in this JSON as the last thing you write:
{output}`

	DefaultCode = `{task}

What is known:
{data}{api}
The question:
{query}

Write this down for a solver.
{notation}
Answer with the text alone, in a fence of three backticks.`
)

// genericExamples begins the two examples of [DefaultFormulator], which an example of the task
// replaces.
const genericExamples = "Two examples show the form."

// DefaultTemplates returns the default prompts.
func DefaultTemplates() Templates {
	return Templates{DefaultDefiner, DefaultFormulator, DefaultSteps, DefaultGenerator, DefaultFormatter, DefaultAssessor, DefaultDirect, DefaultCoT, DefaultCode}
}

// notations contains the instructions for each notation.
func notations() map[string]string {
	return map[string]string{
		NotationSMT:  `Write SMT-LIB 2 for Z3. Declare every variable with (declare-const name Int), Real or Bool, named with dots between its words, ship.supplier1.roastery1. Say of every quantity that it is at least 0. Give each assertion a name, (assert (! (<= … …) :named supply.supplier1)); those that answer the question, and no others, get names that begin with query., and what holds without the question is said without it. End with (minimize …) or (maximize …). Ask nothing of the solver and set nothing: no check-sat, no get-model, no options.`,
		NotationLP:   `Write the LP format of CPLEX, for HiGHS: Minimize or Maximize, Subject To, Bounds where needed, General for whole numbers, Binary for 0 or 1, End. Name the variables with underscores between their words, ship_supplier1_roastery1, and the rows likewise; those that answer the question, and no others, have names that begin with query_. Only numbers stand on the right of a row.`,
		NotationPDDL: `Write PDDL: a domain with :strips, :typing and :negative-preconditions as needed, and behind it a problem with :objects, :init and :goal. What is not in :init is false in the first state. Write nothing about numbers of steps and nothing about what stays as it is.`,
	}
}

// modelFile returns the file of a notation.
func modelFile(notation string) string {
	switch notation {
	case NotationLP:
		return FileLP
	case NotationPDDL:
		return FilePDDL
	}
	return FileSMT
}

func whys() map[string]string {
	return map[string]string{
		AskWhy:    "The question asks why the plan has something. The answer is what it costs to do without: forbid it, and only it.\n",
		AskWhyNot: "The question asks why the plan does not have something. The answer is what it costs to have it: force it, and only it.\n",
	}
}

// placeholders contains the placeholders of the templates, and the required ones of each.
var placeholders = []struct {
	of     func(t Templates) string
	usual  string
	needed string
	names  []string
}{
	{func(t Templates) string { return t.Definer }, DefaultDefiner, "query", []string{"task", "data", "api", "query", "trouble", "kinds"}},
	{func(t Templates) string { return t.Formulator }, DefaultFormulator, "query", []string{"example", "task", "data", "api", "query", "goal", "why", "trouble"}},
	{func(t Templates) string { return t.Steps }, DefaultSteps, "query", []string{"example", "task", "data", "api", "query", "trouble"}},
	{func(t Templates) string { return t.Generator }, DefaultGenerator, "variables", []string{"task", "data", "api", "query", "goal", "variables", "why", "notation", "trouble"}},
	{func(t Templates) string { return t.Formatter }, DefaultFormatter, "solution", []string{"task", "query", "solution", "output", "constraints", "trouble"}},
	{func(t Templates) string { return t.Assessor }, DefaultAssessor, "model", []string{"task", "data", "api", "query", "why", "goal", "variables", "model", "solution", "found"}},
	{func(t Templates) string { return t.Direct }, DefaultDirect, "query", []string{"task", "data", "api", "query", "output"}},
	{func(t Templates) string { return t.CoT }, DefaultCoT, "query", []string{"task", "data", "api", "query", "output"}},
	{func(t Templates) string { return t.Code }, DefaultCode, "query", []string{"task", "data", "api", "query", "notation"}},
}

func (t Templates) check() error {
	for _, p := range placeholders {
		if err := prompt.Check("formulate.template", p.of(t), p.names, p.needed); err != nil {
			return err
		}
	}
	return nil
}

// fill replaces the placeholders of a template, or of its default. Runs of empty lines
// that an empty value leaves are collapsed.
func fill(template, usual string, values map[string]string) string {
	if template == "" {
		template = usual
	}
	text := prompt.Expand(template, func(name string) string { return values[name] })
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.TrimSpace(text)
}

// bullets lists texts under a title; "" without texts.
func bullets(title string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return title + "\n- " + strings.Join(list, "\n- ") + "\n"
}
