package draft

import (
	"strconv"
	"strings"
)

// simulatedOther returns the draft of a team or of a problem by a simulated model: the description,
// in the form of the files.
func (s Settings) simulatedOther(language string, mistake bool) string {
	text := strings.Join(strings.Fields(s.Description), " ")
	if language == LanguageTeam {
		gives := `(:gives "the answer alone")`
		if mistake {
			gives = "(:gave)"
		}
		return "```draft.team\n(define draft\n  (:executors\n    (worker (:does " + strconv.QuoteToGraphic(text) + ") " + gives + "))\n  (:deliverer inference))\n```\n\n"
	}
	output := `{"answer": "{objective}"}`
	if mistake {
		output = "{"
	}
	var b strings.Builder
	for i, body := range []string{text, "Which plan is best?", "{}", output} {
		b.WriteString("```" + ProblemFiles()[i] + "\n" + body + "\n```\n\n")
	}
	return b.String()
}

// teamReference is the manual of teams in a prompt.
const teamReference = "### Teams (.team)\n\n" +
	"A manager splits a task among executors. Each executor is an agent with its own instructions; its result is checked before another executor receives it.\n\n" +
	"```team\n" +
	`; A town to visit, within a budget.
(define outing
  (:executors
    (trains (:does "Finds train connections and their prices. Name the operator and the time of departure.")
            (:gives "{\"price\": 38.50, \"arrives\": \"10:40\"}")
            (:constraints (check "result.price > 0" "the price is known") "Use no connection with more than one change."))
    (tables (:does "Finds a place to eat near a station. Name its street.")
            (:gives "{\"price\": 22}"))
    (writer (:does "Writes the plan of the day, hour by hour, from the results of the other executors.")
            (:gives "the text alone")))
  (:hints "Prices are for two people.")
  (:local (check "length(text) < 2000" "it is short"))
  (:global
    (check "sum(of('trains'), r: r.result.price) <= 120" "the trains cost at most 120")
    (ltl "!started.writer W done.trains" "the writer starts after the arrival is known"))
  (:deliverer inference)
  (:limits (steps 10) (retries 2)))
` + "```\n\n" +
	"- `:does` is in the prompts of the manager and of the executor: its responsibility, its method, and the actions that it must avoid.\n" +
	"- `:gives` is an example of its result, JSON where figures are checked, or a description of a text.\n" +
	"- A constraint is a text for the model, a `check` over `result`, `text`, `answer` or `of('name')`, or an `ltl` formula over `started.NAME` and `done.NAME`; the second text of a check or a formula is its meaning in words.\n" +
	"- `:local` applies to every result, `:constraints` to those of one executor, `:global` to several results or the delivery. `:deliverer` is inference or reporting.\n" +
	"- Two to six executors, each with one responsibility; no tools, which a person adds.\n"

// problemReference is the manual of problems in a prompt.
const problemReference = "### Problems\n\n" +
	"A solver solves the problem later, so the data contains every number, and the files decide nothing in advance.\n\n" +
	"- task.md describes the kind of problem in sentences: the objects, the possible actions, the limits, and the criterion for the best plan.\n" +
	"- query.md has the question about this instance.\n" +
	"- data.json has the known names and numbers as one JSON object, {} if there are none.\n" +
	"- output.json is an example of the form of the answer, a JSON object. A text that begins with {objective} represents the best value, one with {NAME} for all values of the variables NAME.…, and a list at the member plan for the steps of a plan.\n\n" +
	"```task.md\nA bakery bakes whole loaves and cakes. Each uses flour and oven time, which are limited per day, and is sold at a price. Maximize the revenue.\n```\n\n" +
	"```query.md\nHow many loaves and how many cakes should be baked tomorrow?\n```\n\n" +
	"```data.json\n{\"flour\": 40, \"minutes\": 720, \"loaf\": {\"flour\": 1, \"minutes\": 20, \"price\": 4}, \"cake\": {\"flour\": 2, \"minutes\": 30, \"price\": 7}}\n```\n\n" +
	"```output.json\n{\"revenue\": \"{objective}\", \"bake\": \"{bake}\"}\n```\n"
