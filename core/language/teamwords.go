package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// teamWords returns the manual of the notation.
func teamWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"define"}, "(define name (:executors …) …)", "A team: its executors and constraints.", oneExecutor),
		entry([]string{":executors"}, `(:executors (writer (:does "Writes.")) …)`, "The executors. The manager assigns each sub-task to one of them.", oneExecutor),
		entry([]string{":does"}, `(:does "Finds hotels in a city.")`, "A description of the executor. The manager knows nothing else about it.", oneExecutor),
		entry([]string{":agent"}, `(:agent "react.agent")`, "The agent that runs the executor. Default: ReAct (thought, tool call, observation, answer).", executor(`(:agent "react.agent")`)),
		entry([]string{":tools"}, `(:tools "Search" "Calculator")`, "The tools of the workspace that the executor may call.", executor(`(:tools "Search")`)),
		entry([]string{":gives"}, `(:gives "{\"price\": …}")`, "The form of a result, in words or as an example. Checks can read fields of results that are JSON.", executor(`(:gives "{\"price\": 80}")`)),
		entry([]string{":constraints"}, `(:constraints "…" (check "…") (ltl "…"))`, "Constraints on each result of the executor.", executor(`(:constraints "Name the source.")`)),
		entry([]string{":steps"}, "(:steps 10)", "The maximum number of steps for a sub-task. A step is a thought, an action and an observation.", executor("(:steps 10)")),
		entry([]string{":hints"}, `(:hints "Prices are for one night.")`, "Hints for every member of the team.", section(`(:hints "Be brief.")`)),
		entry([]string{":local"}, `(:local "…" (check "…") (ltl "…"))`, "Constraints on the result of every sub-task.", section(`(:local (check "length(text) < 400"))`)),
		entry([]string{":global"}, `(:global "…" (check "…") (ltl "…"))`, "Constraints on several results, on the delivery or on the order of events.", section(`(:global "Stay within the budget.")`)),
		entry([]string{"check"}, `(check "result.price <= 100" "it is cheap")`, "A Boolean expression and its meaning in words.", section(`(:local (check "result.price <= 100" "it is cheap"))`)),
		entry([]string{"ltl"}, `(ltl "!started.b U done.a" "a comes first")`, "A temporal formula over the events of a run and its meaning in words.", section(`(:global (ltl "F done.writer"))`)),
		entry([]string{":deliverer"}, "(:deliverer inference)", "The role of the deliverer, who writes the final answer.", section("(:deliverer reporting)")),
		entry([]string{"inference"}, "(:deliverer inference)", "The deliverer makes decisions so that all constraints hold.", section("(:deliverer inference)")),
		entry([]string{"reporting"}, "(:deliverer reporting)", "The deliverer reports the results and adds nothing.", section("(:deliverer reporting)")),
		entry([]string{":limits"}, "(:limits (steps 30) (retries 2))", "The limits of a run.", section("(:limits (steps 30) (retries 2) (concurrent 8) (sub-tasks 12))")),
		entry([]string{"steps"}, "(steps 30)", "The maximum number of steps for a sub-task of an executor without :steps. Default: 30.", section("(:limits (steps 30))")),
		entry([]string{"retries"}, "(retries 2)", "The maximum number of retries of a rejected graph, sub-task or delivery. Default: 2.", section("(:limits (retries 2))")),
		entry([]string{"concurrent"}, "(concurrent 8)", "The maximum number of concurrent sub-tasks. Default: 8.", section("(:limits (concurrent 2))")),
		entry([]string{"sub-tasks"}, "(sub-tasks 12)", "The maximum number of sub-tasks. Default: 12.", section("(:limits (sub-tasks 6))")),
		entry([]string{":shape"}, `(:shape "order.cfg")`, "A grammar or flowchart over the executors. The sub-tasks, each after its dependencies, must follow the order of one of its words.", section(`(:shape "order.cfg")`)),
	}
}

const oneExecutor = "(define a (:executors (writer (:does \"Writes.\"))))\n"

// executor returns a team whose executor has a property.
func executor(property string) string {
	return "(define a (:executors (searcher (:does \"Searches.\") " + property + ")))\n"
}

// section returns a team with an additional section.
func section(text string) string {
	return "(define a\n  (:executors (writer (:does \"Writes.\")))\n  " + text + ")\n"
}
