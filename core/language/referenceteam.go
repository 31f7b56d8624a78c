package language

// teamReference says what the words of teams mean.
var teamReference = []Entry{
	{[]string{"define"}, "(define name (:executors …) …)", "A team: who works, and what has to hold.", oneExecutor},
	{[]string{":executors"}, `(:executors (writer (:does "Writes.")) …)`, "Those who work. A manager gives each sub-task to one of them.", oneExecutor},
	{[]string{":does"}, `(:does "Finds hotels in a city.")`, "What an executor does, in words: all that the manager knows of it.", oneExecutor},
	{[]string{":agent"}, `(:agent "react.agent")`, "The agent that an executor is. Without it, ReAct: it thinks, calls a tool and observes, and answers.", executor(`(:agent "react.agent")`)},
	{[]string{":tools"}, `(:tools "Search" "Calculator")`, "The tools that an executor may call, of those that the workspace declares.", executor(`(:tools "Search")`)},
	{[]string{":gives"}, `(:gives "{\"price\": …}")`, "The form of a result, in words or as an example. Checks look into results that are JSON.", executor(`(:gives "{\"price\": 80}")`)},
	{[]string{":constraints"}, `(:constraints "…" (check "…") (ltl "…"))`, "What each of an executor's results has to meet.", executor(`(:constraints "Name the source.")`)},
	{[]string{":steps"}, "(:steps 10)", "How many steps an executor may take for a sub-task: a thought, an action and what is observed.", executor("(:steps 10)")},
	{[]string{":hints"}, `(:hints "Prices are for one night.")`, "What everybody is told.", section(`(:hints "Be brief.")`)},
	{[]string{":local"}, `(:local "…" (check "…") (ltl "…"))`, "What the result of every sub-task has to meet.", section(`(:local (check "length(text) < 400"))`)},
	{[]string{":global"}, `(:global "…" (check "…") (ltl "…"))`, "What has to hold of several results together, of the delivery, or of what happens.", section(`(:global "Stay within the budget.")`)},
	{[]string{"check"}, `(check "result.price <= 100" "it is cheap")`, "An expression that is true or false, and what it means in words.", section(`(:local (check "result.price <= 100" "it is cheap"))`)},
	{[]string{"ltl"}, `(ltl "!started.b U done.a" "a comes first")`, "A temporal formula over what happens, and what it means in words.", section(`(:global (ltl "F done.writer"))`)},
	{[]string{":deliverer"}, "(:deliverer inference)", "The role of the one who answers for the whole.", section("(:deliverer reporting)")},
	{[]string{"inference"}, "(:deliverer inference)", "The deliverer decides, so that the conditions hold together.", section("(:deliverer inference)")},
	{[]string{"reporting"}, "(:deliverer reporting)", "The deliverer tells what was found, and adds nothing.", section("(:deliverer reporting)")},
	{[]string{":limits"}, "(:limits (steps 30) (retries 2))", "What bounds a run.", section("(:limits (steps 30) (retries 2) (concurrent 8) (sub-tasks 12))")},
	{[]string{"steps"}, "(steps 30)", "How many steps an executor may take for a sub-task that says nothing of its own. Without it, 30.", section("(:limits (steps 30))")},
	{[]string{"retries"}, "(retries 2)", "How often a graph, a sub-task or a delivery that cannot be used is tried again. Without it, twice.", section("(:limits (retries 2))")},
	{[]string{"concurrent"}, "(concurrent 8)", "How many sub-tasks are worked on at the same time. Without it, 8.", section("(:limits (concurrent 2))")},
	{[]string{"sub-tasks"}, "(sub-tasks 12)", "How many sub-tasks there may be. Without it, 12.", section("(:limits (sub-tasks 6))")},
	{[]string{":shape"}, `(:shape "order.cfg")`, "A grammar or flowchart over the executors. The sub-tasks, each behind those that it needs, have to come in the order of one of its words.", section(`(:shape "order.cfg")`)},
}

const oneExecutor = "(define a (:executors (writer (:does \"Writes.\"))))\n"

// executor is a team whose executor has a property.
func executor(property string) string {
	return "(define a (:executors (searcher (:does \"Searches.\") " + property + ")))\n"
}

// section is a team with a further section.
func section(text string) string {
	return "(define a\n  (:executors (writer (:does \"Writes.\")))\n  " + text + ")\n"
}
