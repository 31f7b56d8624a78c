package lab

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/notation"
)

// manual has an entry for each word of the notation.
var manual = []notation.Entry{
	{Words: []string{"experiment"}, Form: "(experiment NAME SECTION …)", Text: "An experiment: tasks, methods and models, each task by each method with each model and seed.", Example: `(experiment plans (:tasks (plans "openagi-tasks")) (:methods (plan)) (:models (simulated first)))`},
	{Words: []string{":title"}, Form: `(:title "TEXT")`, Text: "The heading of the table.", Example: `(:title "Valid plans")`},
	{Words: []string{":note"}, Form: `(:note "TEXT")`, Text: "A remark on the table, such as a difference from a paper.", Example: `(:note "Ten tasks of its hundred.")`},
	{Words: []string{":tasks"}, Form: "(:tasks SOURCE …)", Text: "The sources of tasks.", Example: `(:tasks (plans "openagi-tasks" (:first 5)))`},
	{Words: []string{":methods"}, Form: "(:methods METHOD …)", Text: "The methods. Each method runs on the tasks of its kind.", Example: "(:methods (baseline zero-shot) (plan))"},
	{Words: []string{":models"}, Form: "(:models MODEL …)", Text: "The models. Without endpoints only simulated models run.", Example: `(:models (simulated rambler 0.3) (endpoint "lab"))`},
	{Words: []string{":seeds"}, Form: "(:seeds NUMBER …)", Text: "Every cell is run once with each seed. The default is the seed 1.", Example: "(:seeds 1 2 3)"},
	{Words: []string{":measures"}, Form: "(:measures MEASURE …)", Text: "The columns of the table, each titled by its measure.", Example: "(:measures valid score calls)"},
	{Words: []string{":columns"}, Form: `(:columns ("TITLE" MEASURE PART …) …)`, Text: "The columns of the table, with titles, over some groups of tasks or all. A share has a Wilson interval, a mean a Student interval.", Example: `(:columns ("Task 1" score (:of "Task 1")) ("calls" calls (:sum)))`},
	{Words: []string{":across"}, Form: "(:across methods) or (:across groups)", Text: "The table has a row for each measure and a column for each method and model; with groups, one column for each method, model and group.", Example: "(:across methods)"},
	{Words: []string{":budget"}, Form: "(:budget (calls N) (tokens N) (money DOLLARS))", Text: "The limits of the experiment. No call exceeds them; finished cells remain, and the experiment can be continued.", Example: "(:budget (calls 200) (money 0.5))"},
	{Words: []string{":concurrent"}, Form: "(:concurrent N)", Text: "The number of cells that run at the same time, and the maximum number of requests in flight at each endpoint.", Example: "(:concurrent 4)"},
	{Words: []string{":reference"}, Form: "(:reference TABLE …)", Text: "Published tables, shown next to the results.", Example: `(:reference (table "A paper, table 1" (row "plan" "GPT-4" 53% - - - - -)))`},
	{Words: []string{"table", "row", ":source"}, Form: `(table "TITLE" (:source "TEXT") (row "METHOD" "MODEL" FIGURE …) …)`, Text: "A published table: each row has a method, a model and a figure for each column, or - without one.", Example: `(:reference (table "A paper, table 1" (:source "somebody, 2024") (row "plan" "GPT-4" 53% - - - - -)))`},
	{Words: []string{SourcePlans}, Form: `(plans "FOLDER" PART …)`, Text: "Tasks of a folder with a tasks.json, its specs and its tools: for plan and baseline.", Example: `(plans "openagi-tasks" (:pick 0 3 7))`},
	{Words: []string{SourceQuestions}, Form: `(questions "FILE.jsonl" PART …)`, Text: "Questions with their answers, one object per line: for monitor and team.", Example: `(questions "questions/gsm8k.jsonl" (:first 5))`},
	{Words: []string{SourceProblems}, Form: `(problems DOMAIN PART …) or (problems "FOLDER.problem" PART …)`, Text: "Queries of one of LLMFP's nine domains, or the query of a problem of the workspace: for formulate.", Example: `(problems "coffee/coffee.problem" (:optimum 2612))`},
	{Words: []string{SourceBenchmark}, Form: "(benchmark NAME PART …)", Text: "Among tasks: queries of TravelPlanner or API-Bank. Among methods: a team or one agent that answers them.", Example: "(benchmark travelplanner)"},
	{Words: []string{":pick"}, Form: "(:pick NUMBER …)", Text: "The tasks of the source to run, by index from 0.", Example: `(plans "openagi-tasks" (:pick 0 3 7))`},
	{Words: []string{":first"}, Form: "(:first N)", Text: "The first tasks of the source, at most N.", Example: `(plans "openagi-tasks" (:first 5))`},
	{Words: []string{":group"}, Form: `(:group "NAME")`, Text: "The group of these tasks. It replaces the groups of the source.", Example: `(plans "openagi-tasks" (:group "easy"))`},
	{Words: []string{":kind"}, Form: `(:kind "NAME")`, Text: "The kind of a domain's queries, as named in its data set.", Example: `(problems coffee (:kind "demand-increase"))`},
	{Words: []string{":optimum"}, Form: "(:optimum NUMBER) or (:optimum infeasible)", Text: "The cost of the best plan of a problem of the workspace, or the number of steps of the shortest plan. A cell is correct if the solver reaches this number; without it, cells are not judged.", Example: `(problems "coffee/coffee.problem" (:optimum 2612))`},
	{Words: []string{MethodPlan}, Form: "(plan PART …)", Text: "The planner of Formal-LLM: it offers only choices that lead to a valid plan.", Example: `(plan (:name "Formal-LLM") (:otherwise first))`},
	{Words: []string{MethodBaseline}, Form: "(baseline zero-shot) or (baseline few-shot)", Text: "A plan in free text, which is checked afterwards. Few-shot prompts show the best plans of other tasks of the folder.", Example: "(baseline zero-shot)"},
	{Words: []string{MethodMonitor}, Form: `(monitor "FOLDER/FILE.agent" PART …)`, Text: "An agent under a monitor answers questions.", Example: `(monitor "react/react.agent" (:samples 5))`},
	{Words: []string{MethodFormulate}, Form: "(formulate WAY PART …)", Text: "LLMFP answers queries of a domain, or a baseline does: direct, cot or code.", Example: "(formulate formulate (:without definer))"},
	{Words: []string{MethodLearn}, Form: "(learn rltf PART …) or (learn formal-llm PART …)", Text: "A small policy learns from the rewards of its plans, without the automaton (rltf) or with it, and plans each task ten times; its score is that of other plans, not the reward. It replaces the model, and runs with simulated models only.", Example: `(learn rltf (:epochs 150))`},
	{Words: []string{":epochs"}, Form: "(:epochs NUMBER)", Text: "The number of epochs of a training, 30 by default.", Example: "(learn formal-llm (:epochs 150))"},
	{Words: []string{MethodTeam}, Form: `(team "FOLDER/FILE.team" PART …)`, Text: "A team of the workspace answers questions. Its constraints decide whether the result is valid.", Example: `(team "plaque/plaque.team")`},
	{Words: []string{":as"}, Form: "(:as react) or (:as cot)", Text: "One agent with all tools of the team (react) or one answer without tools (cot) replaces the team; the same constraints apply.", Example: `(team "plaque/plaque.team" (:as react))`},
	{Words: []string{":name"}, Form: `(:name "TEXT")`, Text: "The name of the method or the model in the rows of the table.", Example: `(plan (:name "Formal-LLM"))`},
	{Words: []string{":only"}, Form: `(:only "NAME" …)`, Text: "For a method: the groups of tasks that it runs on. For a model: the methods that call it.", Example: `(monitor "react/react.agent" (:only "GSM8K"))`},
	{Words: []string{":of"}, Form: `(:of "GROUP" …)`, Text: "The groups of tasks that a column includes.", Example: `(:columns ("easy" score (:of "Task 1" "Task 2")))`},
	{Words: []string{":sum"}, Form: "(:sum)", Text: "The column shows the sum over all cells instead of the mean.", Example: `(:columns ("calls, in all" calls (:sum)))`},
	{Words: []string{":naive"}, Form: "(:naive)", Text: "The planner does not look ahead for dead ends; it backtracks from them.", Example: "(plan (:naive))"},
	{Words: []string{":beam"}, Form: "(:beam NUMBER)", Text: "The width of a beam search: the planner keeps that many prefixes with the most probable choices, up to 16. It cannot be combined with :naive.", Example: "(plan (:beam 4))"},
	{Words: []string{":score"}, Form: "(:score logprobs) or (:score grades)", Text: "The probabilities in a beam: the model's log-probabilities, or grades from 0 to 10 that it writes. Default: log-probabilities if the model reports them.", Example: "(plan (:beam 4) (:score grades))"},
	{Words: []string{":attempts"}, Form: "(:attempts N)", Text: "The maximum number of attempts to get a valid choice from a model.", Example: "(plan (:attempts 3))"},
	{Words: []string{":otherwise"}, Form: "(:otherwise first)", Text: "The choice after all attempts of a model failed: the first.", Example: "(plan (:otherwise first))"},
	{Words: []string{":forced"}, Form: "(:forced)", Text: "The monitor forces the prompt of a valid state, as in the first version of the paper.", Example: `(monitor "react/react.agent" (:forced))`},
	{Words: []string{":samples"}, Form: "(:samples N)", Text: "The number of sampled answers; the most frequent one counts.", Example: `(monitor "cot/cot.agent" (:samples 5))`},
	{Words: []string{":then"}, Form: `(:then "FILE.agent") or (:then "GROUP" "FILE.agent")`, Text: "The agent that answers if all sampled answers differ; with a group, for its tasks.", Example: `(monitor "cot/cot.agent" (:samples 5) (:then "react.agent"))`},
	{Words: []string{":keep"}, Form: "(:keep likelier), (:keep summary) or (:keep results)", Text: "The text with which PASS continues after its calls.", Example: `(monitor "pass/pass.agent" (:keep results))`},
	{Words: []string{":loops"}, Form: "(:loops N)", Text: "The maximum number of iterations of the agent's loops.", Example: `(monitor "react/react.agent" (:loops 3))`},
	{Words: []string{":shots"}, Form: "(:shots N)", Text: "The maximum number of examples of the agent in the prompt.", Example: `(monitor "react/react.agent" (:shots 0))`},
	{Words: []string{":agent"}, Form: `(:agent "GROUP" "FOLDER/FILE.agent")`, Text: "The agent for the tasks of a group, instead of the method's agent.", Example: `(monitor "react/react.agent" (:agent "GSM8K" "react/calculate.agent"))`},
	{Words: []string{":rules"}, Form: "(:rules enforced) or (:rules observed)", Text: "The rules about data next to the spec: enforced, a call that violates a rule is not made; observed, it is made and counted. Without this part, rules are observed if a column measures them.", Example: `(monitor "react/react.agent" (:rules enforced))`},
	{Words: []string{":hints"}, Form: `(:hints "TEXT" …)`, Text: "Sentences for the deliverer of a team, or for the agent of a method without a team.", Example: `(benchmark team (:hints "No restaurant may be chosen twice on a trip."))`},
	{Words: []string{":prompt"}, Form: "(:prompt paper) or (:prompt ours)", Text: "The prompt of a baseline: the paper's, which has the task alone, or ours, which also names the tools and the rules.", Example: "(baseline zero-shot (:prompt paper))"},
	{Words: []string{":checked"}, Form: "(:checked)", Text: "TravelPlanner's team and its baselines receive our written constraints. Without this part they receive only the query.", Example: "(benchmark team (:checked))"},
	{Words: []string{":steps"}, Form: "(:steps all) or (:steps each)", Text: "The 30 steps of a trip limit all members together, or each executor.", Example: "(benchmark team (:steps each))"},
	{Words: []string{":rounds"}, Form: "(:rounds NUMBER)", Text: "The maximum number of rounds of self-assessment, 5 by default.", Example: "(formulate formulate (:rounds 2))"},
	{Words: []string{":without"}, Form: "(:without definer), (:without formulator) or (:without assessor)", Text: "The stage to omit.", Example: "(formulate formulate (:without definer))"},
	{Words: []string{":example"}, Form: "(:example)", Text: "The Formulator receives an example of the task.", Example: "(formulate formulate (:example))"},
	{Words: []string{"simulated"}, Form: "(simulated first), (simulated uniform) or (simulated rambler RATE)", Text: "A simulated model: it makes the first choice or a random choice, or errs at the given rate.", Example: "(simulated rambler 0.3)"},
	{Words: []string{"endpoint"}, Form: `(endpoint "NAME" PART …)`, Text: "A model at the endpoint of this name. The endpoint must be set up.", Example: `(endpoint "lab")`},
}

// Manual returns the entries of the notation. Their examples are complete files.
func Manual() []notation.Entry {
	out := slices.Clone(manual)
	for i := range out {
		out[i].Example = experimentWith(out[i].Example)
	}
	return out
}

// experimentWith returns an experiment that contains a part.
func experimentWith(part string) string {
	head, _, _ := strings.Cut(strings.TrimPrefix(part, "("), " ")
	head = strings.TrimSuffix(head, ")")
	tasks, methods, models := `(plans "openagi-tasks")`, "(plan)", "(simulated first)"
	more := ""
	among := map[string][2]string{ // compatible tasks and methods
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
	case sourceOf()[head] != "":
		tasks, methods = among[sourceOf()[head]][0], part
	default:
		more = " " + part
	}
	return "(experiment a (:tasks " + tasks + ") (:methods " + methods + ") (:models " + models + ")" + more + ")\n"
}

func entryOf(word string) (notation.Entry, bool) {
	at := slices.IndexFunc(manual, func(e notation.Entry) bool { return slices.Contains(e.Words, word) })
	if at < 0 {
		return notation.Entry{}, false
	}
	return manual[at], true
}

// measureText returns the sentence of a measure, or "".
func measureText(word string) string {
	for _, stage := range formulate.Stages {
		switch word {
		case stage + secondsOf:
			return "The time of the " + stage + " in all rounds."
		case stage + costOf:
			return "The cost of the " + stage + "'s calls in all rounds, in dollars."
		case stage + callsOf:
			return "The calls of the " + stage + " in all rounds: one each time that it runs, and one for each correction of a product with faults."
		}
	}
	if rule, ok := strings.CutPrefix(word, ofRule); ok {
		return "The number of events that violate the rule " + rule + ", and of calls that it denied."
	}
	return measureTexts[word]
}

// measureTexts has a sentence for each measure, except the measures of a formulation's stages.
var measureTexts = map[string]string{
	"calls": "The number of calls of models.", "tokens": "The tokens sent to models and received from them.", "seconds": "The time that models took to answer.", "cost": "The cost of calls, in dollars.",
	"valid": "Whether the result is valid: a plan of the automaton, a run of the agent, a solved formulation.", "score": "The quality of the result, from 0 to 1: the share of the wanted properties, or whether the answer is right.",
	"met": "Whether the plan's result satisfies the task.", "dead-ends": "How often the planner backtracked.", "choices": "The number of choices.",
	"violations": "How often the monitor had to correct the agent.", "tool-calls": "The number of tool calls.", "solved": "Whether the solver found a plan.", "optimal": "Whether the solver proved the plan optimal.", "checks": "The share of the grammars and formulas in a problem's folder that its plan satisfies.", "sub-tasks": "The share of a team's sub-tasks that were done.",
	"rounds": "Rounds of self-assessment.", "solves": "The number of calls of a solver.",
	measureKept: "Whether every rule about data holds of the run; a rule that could not be judged does not count.", measureViolated: "The number of events that violate a rule about data, counted for each rule.", measureDenied: "The number of calls that a rule about data denied, counted for each rule.",
	"correctness": "The share of correct calls.", "completeness": "The share of wanted calls that were made.", "repeats": "The number of repeated correct calls.", "rouge-l": "The similarity of the response and the reference.",
	"tasks-as-the-gold-calls": "Whether all calls are the gold calls.", "delivered": "Whether there is a plan.", "final-pass": "Whether all constraints hold.",
	"common-sense-micro": "The share of commonsense constraints that hold.", "common-sense-macro": "Whether all commonsense constraints hold.", "hard-micro": "The share of hard constraints that hold.", "hard-macro": "Whether all hard constraints hold.",
}
