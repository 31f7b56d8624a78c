package lab

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/language"
)

// manual says what the words of the notation mean.
var manual = []language.Entry{
	{Words: []string{"experiment"}, Form: "(experiment NAME SECTION …)", Text: "An experiment: tasks, methods and models, each task by each method with each model and seed.", Example: `(experiment plans (:tasks (plans "openagi-tasks")) (:methods (plan)) (:models (simulated first)))`},
	{Words: []string{":title"}, Form: `(:title "TEXT")`, Text: "What stands above the table.", Example: `(:title "Valid plans")`},
	{Words: []string{":note"}, Form: `(:note "TEXT")`, Text: "What is to be known of the table, such as what is otherwise than in a paper.", Example: `(:note "Ten tasks of its hundred.")`},
	{Words: []string{":tasks"}, Form: "(:tasks SOURCE …)", Text: "Where tasks come from.", Example: `(:tasks (plans "openagi-tasks" (:first 5)))`},
	{Words: []string{":methods"}, Form: "(:methods METHOD …)", Text: "How tasks are done. Each method does the tasks that it is for.", Example: "(:methods (baseline zero-shot) (plan))"},
	{Words: []string{":models"}, Form: "(:models MODEL …)", Text: "Which models are asked. Without their endpoints only simulated ones are.", Example: `(:models (simulated rambler 0.3) (endpoint "lab"))`},
	{Words: []string{":seeds"}, Form: "(:seeds NUMBER …)", Text: "Every cell is run once with each seed. Without seeds there is one, 1.", Example: "(:seeds 1 2 3)"},
	{Words: []string{":measures"}, Form: "(:measures MEASURE …)", Text: "The columns of the table, each called as its measure.", Example: "(:measures valid score calls)"},
	{Words: []string{":columns"}, Form: `(:columns ("TITLE" MEASURE PART …) …)`, Text: "The columns of the table, with titles of their own, over some groups of tasks or all. A share has the interval of Wilson, a mean that of Student.", Example: `(:columns ("Task 1" score (:of "Task 1")) ("calls" calls (:sum)))`},
	{Words: []string{":across"}, Form: "(:across methods) or (:across groups)", Text: "The table has a row for each measure, and a column for each method and model; with groups, for each of them a column for each group that its columns are of.", Example: "(:across methods)"},
	{Words: []string{":budget"}, Form: "(:budget (calls N) (tokens N) (money DOLLARS))", Text: "What the whole experiment may take. No call is made beyond it; what is done stays, and the rest can be gone on with.", Example: "(:budget (calls 200) (money 0.5))"},
	{Words: []string{":concurrent"}, Form: "(:concurrent N)", Text: "How many cells are run at a time, and how many requests are under way at most at each endpoint.", Example: "(:concurrent 4)"},
	{Words: []string{":reference"}, Form: "(:reference TABLE …)", Text: "Tables that were published, which are shown beside.", Example: `(:reference (table "A paper, table 1" (row "plan" "GPT-4" 53% - - - - -)))`},
	{Words: []string{"table", "row", ":source"}, Form: `(table "TITLE" (:source "TEXT") (row "METHOD" "MODEL" FIGURE …) …)`, Text: "A published table: rows of a method and a model with a figure for each column, - where there is none.", Example: `(:reference (table "A paper, table 1" (:source "somebody, 2024") (row "plan" "GPT-4" 53% - - - - -)))`},
	{Words: []string{SourcePlans}, Form: `(plans "FOLDER" PART …)`, Text: "Tasks of a folder with a tasks.json, its specs and its tools: for plan and baseline.", Example: `(plans "openagi-tasks" (:pick 0 3 7))`},
	{Words: []string{SourceQuestions}, Form: `(questions "FILE.jsonl" PART …)`, Text: "Questions with their answers, an object a line: for monitor and team.", Example: `(questions "questions/gsm8k.jsonl" (:first 5))`},
	{Words: []string{SourceProblems}, Form: `(problems DOMAIN PART …) or (problems "FOLDER.problem" PART …)`, Text: "Queries of one of LLMFP's nine domains, or the query of a problem of the workspace: for formulate.", Example: `(problems "coffee/coffee.problem" (:optimum 2612))`},
	{Words: []string{SourceBenchmark}, Form: "(benchmark NAME PART …)", Text: "Among tasks: queries of TravelPlanner or API-Bank. Among methods: how they are done, by a team or by one agent.", Example: "(benchmark travelplanner)"},
	{Words: []string{":pick"}, Form: "(:pick NUMBER …)", Text: "Which tasks of the source are done, by their places from 0.", Example: `(plans "openagi-tasks" (:pick 0 3 7))`},
	{Words: []string{":first"}, Form: "(:first N)", Text: "At most so many tasks of the source.", Example: `(plans "openagi-tasks" (:first 5))`},
	{Words: []string{":group"}, Form: `(:group "NAME")`, Text: "The group that these tasks are counted in, in the place of their own.", Example: `(plans "openagi-tasks" (:group "easy"))`},
	{Words: []string{":kind"}, Form: `(:kind "NAME")`, Text: "The kind of a domain's queries, as its data set calls it.", Example: `(problems coffee (:kind "demand-increase"))`},
	{Words: []string{":optimum"}, Form: "(:optimum NUMBER) or (:optimum infeasible)", Text: "What the best plan of a problem of the workspace costs, or how many steps the shortest has. A cell is right where the solver comes to it; without it nothing is called right or wrong.", Example: `(problems "coffee/coffee.problem" (:optimum 2612))`},
	{Words: []string{MethodPlan}, Form: "(plan PART …)", Text: "The planner of Formal-LLM: nothing but what leads to a valid plan can be chosen.", Example: `(plan (:name "Formal-LLM") (:otherwise first))`},
	{Words: []string{MethodBaseline}, Form: "(baseline zero-shot) or (baseline few-shot)", Text: "A plan in free text, which is checked afterwards.", Example: "(baseline zero-shot)"},
	{Words: []string{MethodMonitor}, Form: `(monitor "FOLDER/FILE.agent" PART …)`, Text: "An agent under a monitor answers questions.", Example: `(monitor "react/react.agent" (:samples 5))`},
	{Words: []string{MethodFormulate}, Form: "(formulate WAY PART …)", Text: "LLMFP answers queries of a domain, or one of its rivals: direct, cot or code.", Example: "(formulate formulate (:without definer))"},
	{Words: []string{MethodTeam}, Form: `(team "FOLDER/FILE.team" PART …)`, Text: "A team of the workspace answers questions. Its own constraints say whether what it did is valid.", Example: `(team "plaque/plaque.team")`},
	{Words: []string{":as"}, Form: "(:as react) or (:as cot)", Text: "In the place of the team one agent with all its tools, or one answer without any; the same constraints judge.", Example: `(team "plaque/plaque.team" (:as react))`},
	{Words: []string{":name"}, Form: `(:name "TEXT")`, Text: "What rows of the method or the model are called.", Example: `(plan (:name "Formal-LLM"))`},
	{Words: []string{":only"}, Form: `(:only "NAME" …)`, Text: "Of a method: the groups of tasks that it does. Of a model: the methods that ask it.", Example: `(monitor "react/react.agent" (:only "GSM8K"))`},
	{Words: []string{":of"}, Form: `(:of "GROUP" …)`, Text: "The groups of tasks that a column is of.", Example: `(:columns ("easy" score (:of "Task 1" "Task 2")))`},
	{Words: []string{":sum"}, Form: "(:sum)", Text: "The column shows the sum over all cells in the place of the mean.", Example: `(:columns ("calls, in all" calls (:sum)))`},
	{Words: []string{":naive"}, Form: "(:naive)", Text: "Dead ends are not looked ahead for: the planner goes back from them.", Example: "(plan (:naive))"},
	{Words: []string{":attempts"}, Form: "(:attempts N)", Text: "How often a model is asked for a choice that it does not make.", Example: "(plan (:attempts 3))"},
	{Words: []string{":otherwise"}, Form: "(:otherwise first)", Text: "What is taken where a model never makes the choice: the first.", Example: "(plan (:otherwise first))"},
	{Words: []string{":forced"}, Form: "(:forced)", Text: "The monitor forces the prompt of a valid state, as in the first version of the paper.", Example: `(monitor "react/react.agent" (:forced))`},
	{Words: []string{":samples"}, Form: "(:samples N)", Text: "So many answers are drawn, and the most frequent counts.", Example: `(monitor "cot/cot.agent" (:samples 5))`},
	{Words: []string{":then"}, Form: `(:then "FILE.agent")`, Text: "The agent that is asked where no answer comes twice.", Example: `(monitor "cot/cot.agent" (:samples 5) (:then "react.agent"))`},
	{Words: []string{":keep"}, Form: "(:keep likelier), (:keep summary) or (:keep results)", Text: "What PASS goes on with after its calls.", Example: `(monitor "pass/pass.agent" (:keep results))`},
	{Words: []string{":loops"}, Form: "(:loops N)", Text: "How often the agent's loops may be gone through.", Example: `(monitor "react/react.agent" (:loops 3))`},
	{Words: []string{":shots"}, Form: "(:shots N)", Text: "At most so many of the agent's examples are shown.", Example: `(monitor "react/react.agent" (:shots 0))`},
	{Words: []string{":agent"}, Form: `(:agent "GROUP" "FOLDER/FILE.agent")`, Text: "The agent for the tasks of a group, in the place of the method's own.", Example: `(monitor "react/react.agent" (:agent "GSM8K" "react/calculate.agent"))`},
	{Words: []string{":hints"}, Form: `(:hints "TEXT" …)`, Text: "Sentences that are put behind every task.", Example: `(benchmark team (:hints "No restaurant may be chosen twice on a trip."))`},
	{Words: []string{":without"}, Form: "(:without definer), (:without formulator) or (:without assessor)", Text: "The stage that is left out.", Example: "(formulate formulate (:without definer))"},
	{Words: []string{":example"}, Form: "(:example)", Text: "An example of the task is shown to the Formulator.", Example: "(formulate formulate (:example))"},
	{Words: []string{"simulated"}, Form: "(simulated first), (simulated uniform) or (simulated rambler RATE)", Text: "A model that is none: it takes the first choice, any choice, or slips as often as its rate says.", Example: "(simulated rambler 0.3)"},
	{Words: []string{"endpoint"}, Form: `(endpoint "NAME" PART …)`, Text: "A model that has to be given: an endpoint that is called so.", Example: `(endpoint "lab")`},
}

// Manual returns what the words of the notation mean. Examples are whole files.
func Manual() []language.Entry {
	out := slices.Clone(manual)
	for i := range out {
		out[i].Example = whole(out[i].Example)
	}
	return out
}

// whole is an experiment with a part of one.
func whole(part string) string {
	head, _, _ := strings.Cut(strings.TrimPrefix(part, "("), " ")
	head = strings.TrimSuffix(head, ")")
	tasks, methods, models := `(plans "openagi-tasks")`, "(plan)", "(simulated first)"
	more := ""
	among := map[string][2]string{ // tasks and methods that suit each other
		SourceQuestions: {`(questions "questions/gsm8k.jsonl")`, `(monitor "react/react.agent")`}, SourceProblems: {"(problems coffee)", "(formulate formulate)"},
		SourceBenchmark: {"(benchmark travelplanner)", "(benchmark team)"}, SourcePlans: {tasks, methods},
	}
	switch {
	case head == "experiment":
		return part + "\n"
	case head == ":tasks":
		tasks = strings.TrimSuffix(strings.TrimPrefix(part, "(:tasks "), ")")
	case head == ":methods":
		methods = strings.TrimSuffix(strings.TrimPrefix(part, "(:methods "), ")")
	case head == ":models":
		models = strings.TrimSuffix(strings.TrimPrefix(part, "(:models "), ")")
	case slices.Contains(modelKinds, head):
		models = part
	case slices.Contains(sourceKinds, head) && !strings.HasPrefix(part, "(benchmark team"):
		tasks, methods = part, among[head][1]
	case sourceOf[head] != "":
		tasks, methods = among[sourceOf[head]][0], part
	default:
		more = " " + part
	}
	return "(experiment a (:tasks " + tasks + ") (:methods " + methods + ") (:models " + models + ")" + more + ")\n"
}

// entryOf returns the entry of a word.
func entryOf(word string) (language.Entry, bool) {
	at := slices.IndexFunc(manual, func(e language.Entry) bool { return slices.Contains(e.Words, word) })
	if at < 0 {
		return language.Entry{}, false
	}
	return manual[at], true
}

// measureTexts say what measures are.
var measureTexts = map[string]string{
	"calls": "How often models were asked.", "tokens": "Tokens that went to models and came from them.", "seconds": "How long models took to answer.", "cost": "What calls cost, in dollars.",
	"valid": "Whether what was made is valid: a plan of the automaton, a run of the agent, a formulation that was solved.", "score": "How good it is, from 0 to 1: how much of what a task wants its result has, or whether the answer is right.",
	"met": "Whether the plan's result is what the task wants.", "dead-ends": "How often the planner went back.", "choices": "How many choices were made.",
	"violations": "How often the monitor had to correct the agent.", "tool-calls": "How many tools were called.", "solved": "Whether the solver found a plan.", "optimal": "Whether the solver found that no plan is better.", "checks": "The share of grammars and formulas beside a problem that hold of its plan.", "sub-tasks": "The share of a team's sub-tasks that were done.",
	"rounds": "Rounds of self-assessment.", "solves": "How often a solver was asked.",
	"correctness": "The share of calls that are right.", "completeness": "The share of wanted calls that were made.", "repeats": "Right calls that were made again.", "rouge-l": "How alike the response and the wanted one are.",
	"tasks-as-the-gold-calls": "Whether all calls are those that are wanted.", "delivered": "Whether there is a plan.", "final-pass": "Whether all constraints hold.",
	"common-sense-micro": "The share of constraints of common sense that hold.", "common-sense-macro": "Whether all constraints of common sense hold.", "hard-micro": "The share of hard constraints that hold.", "hard-macro": "Whether all hard constraints hold.",
}
