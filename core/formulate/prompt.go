package formulate

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/plan/prompt"
)

// The prompts follow the structure of Hao et al. (2024, §A.7), in our own words.
const (
	DefaultDefiner = `A solver will solve a planning problem exactly. First define the problem: its goal, its decision variables and its constraints.

The problem:
{task}

Data:
{data}{api}
The question:
{query}
{trouble}
For every pair of decision variables, decide how the two are related: by an explicit statement, by a consequence of one, or by an implicit assumption that the text omits because it is obvious. Each such relation is a constraint.
Answer in this form, without formulas:
## Goal
The quantity to minimize or to maximize.
## Decision variables
- one line for each variable: its meaning and its type
## Reasoning
- one line for each pair: the relation of the two variables
## Constraints
- one line for each constraint, including those of the question{kinds}`

	DefaultFormulator = `A planning problem will be formulated for a solver. Describe the variables of the formulation as JSON.

Two examples show the form.
A selection: pick a given number of different blocks of given colours such that the sum of their scores is maximal. The question: the demand was 20 black or red blocks, and it grows by 9 %.
{"variable_1": {"name": "picked", "SMT_variable": true, "number_of_variables": "one for each black or red block", "data_source": "data.blocks", "value": "1 if the block is picked, else 0", "specific_requirement": "exactly 22 of them are 1, because 20 * 1.09 is rounded up"}, "variable_2": {"name": "score", "SMT_variable": false, "number_of_variables": "one for each block", "data_source": "data.scores", "value": "the block's score", "specific_requirement": null}, "variable_3": {"name": "total", "SMT_variable": true, "number_of_variables": 1, "data_source": "variable_1, variable_2", "value": "the sum of the scores of the picked blocks", "specific_requirement": "maximize"}}
A round trip: visit each of ten cities once, on the shortest route.
{"variable_1": {"name": "place", "SMT_variable": true, "number_of_variables": 10, "data_source": null, "value": "the position of each city in the trip", "specific_requirement": "all different, from 0 to 9"}, "variable_2": {"name": "leg", "SMT_variable": true, "number_of_variables": 10, "data_source": "distance, variable_1", "value": "the distance from each position of the trip to the next, and from the last to the first", "specific_requirement": null}, "variable_3": {"name": "length", "SMT_variable": true, "number_of_variables": 1, "data_source": "variable_2", "value": "the sum of the legs", "specific_requirement": "minimize"}}
{example}
Now the problem:
{task}

Data:
{data}{api}
The question:
{query}

Goal, decision variables and constraints:
{goal}
{why}{trouble}
Represent every constraint and the request of the question. State in the requirement of a quantity if it cannot be negative.
Answer only with the JSON object.`

	DefaultSteps = `A solver will find a plan of several steps. Describe the problem as JSON with the five parts objects, predicates, actions, update and goal.

An example shows the form. Trucks transport packages between the places of a city. The question: package p is at x and the truck is at y; transport p to y.
{"objects": {"variable_1": {"name": "objects", "value": "package: p; truck: t; place: x, y", "data_source": "query"}}, "predicates": {"variable_2": {"name": "at", "value": "whether a package or a truck is at a place", "specific_requirement": "in the first state (at p x) and (at t y), nothing else"}, "variable_3": {"name": "in", "value": "whether a package is in a truck", "specific_requirement": "in the first state nothing"}}, "actions": {"variable_4": {"name": "load", "value": "package, truck, place"}, "variable_5": {"name": "unload", "value": "package, truck, place"}, "variable_6": {"name": "drive", "value": "truck, from, to"}}, "update": {"step_1": {"name": "load", "specific_requirement": "needs at(package, place) and at(truck, place); makes in(package, truck) true and at(package, place) false"}, "step_2": {"name": "unload", "specific_requirement": "needs in(package, truck) and at(truck, place); makes at(package, place) true and in(package, truck) false"}, "step_3": {"name": "drive", "specific_requirement": "needs at(truck, from); makes at(truck, to) true and at(truck, from) false"}}, "goal": {"step_4": {"specific_requirement": "at(p, y)"}}}
{example}
Now the problem:
{task}
{data}{api}
The question:
{query}
{trouble}
An action changes only the listed facts and numbers. Preconditions and goals may use not, or, forall, exists and comparisons of numbers; an effect may depend on a condition, and it may increase, decrease or assign a number. Each step is one action, and the solver looks for the smallest number of steps or, if the question asks for it, for the smallest or largest cost: then state the cost of each action in its requirement and the metric in the goal. Do not write constraints for the number of steps or for unchanged facts. If the number of steps has a minimum or a maximum, add a member "horizon" such as {"from": 3, "most": 20}.
Answer only with the JSON object.`

	DefaultGenerator = `Formulate a planning problem for a solver. A description of its variables is given.

The problem:
{task}

Data:
{data}{api}
The question:
{query}

Goal, decision variables and constraints:
{goal}

The variables:
{variables}
{why}
{notation}{trouble}
Answer only with the text, in a fence of three backticks.`

	DefaultFormatter = `A solver has solved a planning problem. Write its solution in the requested form, and check it.

The problem:
{task}

The question:
{query}

The solution, the only source of the answer:
{solution}

The form of the answer:
{output}

The constraints:
{constraints}
{trouble}
Answer only with one JSON object: {"answer": the answer in its form, "constraints": [{"constraint": a constraint; list all of them, "holds": true or false, "reason": one sentence}], "sensible": {"holds": true if the plan is sensible and can be executed, else false, "reason": one sentence}}`

	DefaultAssessor = `A planning problem was formulated for a solver in three steps. Judge each step.

The problem:
{task}

Data:
{data}{api}
The question:
{query}
{why}
Step 1, the goal, the decision variables and the constraints:
{goal}

Step 2, the variables:
{variables}

Step 3, the text for the solver:
{model}

The solver's result:
{solution}
{found}
Step 1: are the goal and all constraints correct, including implicit ones; is a constraint missing or superfluous? Step 2: do the variables represent the question, the goal and every constraint? Step 3: does the text agree with step 2, without invented data and without a second definition of given names; does it answer the question? Each step: is the result a sensible plan that people would execute?
Answer only with one JSON object: {"steps": [{"step": 1, "reason": why the step is right or wrong, "right": true or false, "how": how to correct the step, or null, "instead": the complete corrected step, or null}, {"step": 2, …}, {"step": 3, …}]}`

	DefaultDirect = `{task}

Data:
{data}{api}
The question:
{query}

What is the plan? Answer only with this JSON, filled in:
{output}`

	DefaultCoT = `{task}

Data:
{data}{api}
The question:
{query}

What is the plan? Think step by step, and end your answer with this JSON, filled in:
{output}`

	DefaultCode = `{task}

Data:
{data}{api}
The question:
{query}

Formulate this problem for a solver.
{notation}
Answer only with the text, in a fence of three backticks.`
)

// genericExamples begins the two examples of [DefaultFormulator], which an example of the task
// replaces.
const genericExamples = "Two examples show the form."

// noPlan ends the prompts of direct answers: a question may have no plan, which the form of the answer
// cannot express. Prompts of runs without a wording do not have it.
const noPlan = "\nIf no plan exists, answer with {\"no_plan\": true} instead."

// statesNoPlan reports whether an answer states that no plan exists.
func statesNoPlan(n *json.Node) bool {
	return n.Kind == '{' && len(n.Members) == 1 && n.Members[0].Key == "no_plan" && n.Members[0].Value.Kind == 't'
}

// Prompts of runs without a wording: they name the smallest part of PDDL.
var (
	earlierSteps = strings.Replace(DefaultSteps, DefaultSteps[strings.Index(DefaultSteps, "An action changes only"):strings.Index(DefaultSteps, " If the number of steps has")],
		"An action changes only the listed facts. Each step is one action, and the solver looks for the smallest number of steps; do not write constraints for either.", 1)
	earlierPDDL = `Write PDDL: a domain with :strips, :typing and :negative-preconditions as needed, followed by a problem with :objects, :init and :goal. Facts that are not in :init are false in the initial state. Write nothing about the number of steps or about unchanged facts.`
)

// notationText returns the instructions for the notation of the run.
func (r *run) notationText() string {
	if r.settings.Wording == "" && r.notation == NotationPDDL {
		return earlierPDDL
	}
	return notations()[r.notation]
}

// DefaultTemplates returns the default prompts.
func DefaultTemplates() Templates {
	return Templates{DefaultDefiner, DefaultFormulator, DefaultSteps, DefaultGenerator, DefaultFormatter, DefaultAssessor, DefaultDirect, DefaultCoT, DefaultCode}
}

// notations contains the instructions for each notation.
func notations() map[string]string {
	return map[string]string{
		NotationSMT:  `Write SMT-LIB 2 for Z3. Declare every variable with (declare-const name Int), Real or Bool, with dots between the words of a name, such as ship.supplier1.roastery1. Assert that every quantity is at least 0. Give each assertion a name: (assert (! (<= … …) :named supply.supplier1)). Begin the names of the assertions that express the question, and of no others, with query. and keep them separate from the constraints of the problem. End with (minimize …) or (maximize …). Write no commands and no options: no check-sat, no get-model, no set-option.`,
		NotationLP:   `Write the LP format of CPLEX, for HiGHS: Minimize or Maximize, Subject To, Bounds if needed, General for integers, Binary for 0 or 1, End. Write underscores between the words of the names of variables and rows, such as ship_supplier1_roastery1. Begin the names of the rows that express the question, and of no others, with query_. The right side of a row is a number.`,
		NotationPDDL: `Write PDDL: a domain with :requirements, followed by a problem with :objects, :init and :goal. Use the parts of PDDL that the problem needs: types, =, not, or, imply, forall and exists in conditions; forall and when in effects; numbers as :functions, with comparisons in conditions and assign, increase and decrease in effects; and (:metric minimize …) or (:metric maximize …) for costs, such as (total-cost). Without a metric, a plan has the fewest steps. Facts that are not in :init are false in the initial state. Write nothing about the number of steps or about unchanged facts.`,
	}
}

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
		AskWhy:    "The question asks why the plan has a property. The answer is the cost of a plan without this property: forbid this property and nothing else.\n",
		AskWhyNot: "The question asks why the plan lacks a property. The answer is the cost of a plan with this property: require this property and nothing else.\n",
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
