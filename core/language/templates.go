package language

// Templates of new files, and starters, which are archives of new workspaces. Every template and
// starter is free of errors and can be run at once. In a starter some properties are proved and one
// is violated, with the fix in its comment.

const grammarTemplate = "S -> a S b | ε\n"

const grammarStarter = `-- plan.cfg --
# A symbol on the left of an arrow is expanded; the others are steps of a plan.
S -> search Read answer
Read -> read Read | read

limit 3 read
search as "Search the web"
read as "Read a page"
answer as "Write the answer"
-- properties.ltl --
# Proved: a plan ends with the answer.
ends: F(answer & last)

# Violated: a plan may read a single page. Replace "| read" in plan.cfg with "| read read"
# to prove it.
two_pages: F(read & X read)
-- plan.tests --
accept search read answer
accept search read read read answer as "three pages"
reject search answer as "without a page"
-- README.md --
# A grammar of plans

Every word of plan.cfg is a valid plan, and nothing else is.

* Automaton: the results of the tests; step through a plan, and see the next steps that are valid.
* Run: a simulated model chooses among these steps; choose your own under Endpoints.
* Verify: the properties, with a counterexample for the violated one.
`

const pushdownTemplate = `# from -> to (letter, top; pushed): reads the letter, pops the top of the stack, pushes
# the symbols after the semicolon. * is any top.
start open Z
accept done

open -> open (lock, *; L *)
open -> close (work, *; *)
close -> close (unlock, L; ε)
close -> done (ε, Z; ε)

limit 3 lock
lock as "Take a lock"
work as "Do the work"
unlock as "Release the newest lock"
`

const pushdownStarter = `-- locks.pda --
` + pushdownTemplate + `-- properties.ltl --
# Proved: no lock is released before the work is done.
held: !unlock W work

# Violated: the work may be done without a lock. To prove it, write "start free Z" in
# locks.pda and add the line "free -> open (lock, Z; L Z)".
locked: !work W lock
-- locks.tests --
accept work
accept lock lock work unlock unlock
reject lock work as "a lock is kept"
-- README.md --
# An automaton with a stack

The stack holds the locks that are taken, so each one is released before the end.

* Automaton: the results of the tests; step through "lock lock work unlock unlock" and watch the stack.
* Run: a simulated model chooses among the steps that can still be completed.
* Verify: the properties, with a counterexample for the violated one.
`

const flowTemplate = `# Each answer leads to the next question or to an end.
let limit "100 euros"

ask identity "Does the address belong to the order?"
  yes -> amount
  no -> stop as "Refuse: the customer is unknown."

ask amount "Is the refund at most {limit}?"
  yes -> paid as "Make the refund."
  no -> asked as "Ask a colleague for approval."

accept paid "The refund is made."
accept asked "A colleague decides."
`

const flowStarter = `-- refund.flow --
` + flowTemplate + `-- properties.ltl --
# Proved: the amount is not considered before the customer is known.
known: !(amount.yes | amount.no) W identity.yes

# Violated: a large refund goes to a colleague. Replace "no -> asked" in refund.flow with
# "no -> stop" to prove it.
small: F amount.yes
-- refund.tests --
accept identity.yes amount.yes
accept identity.yes amount.no as "a colleague decides"
reject identity.no
-- README.md --
# A flowchart

A model answers one question at a time; the chart defines the next one.

* Automaton: the results of the tests; step through the answers, and read the report.
* Run: a simulated model answers; choose your own under Endpoints.
* Verify: the properties, with a counterexample for the violated one.
`

const formulaTemplate = `# One formula per paragraph, with a name in front. Names of steps are those of the other
# files: F a (a occurs), G !a (a never occurs), !b W a (no b before a), G(a -> X b).
two_steps: X true
`

const formulaStarter = `-- properties.ltl --
# Proved: nothing is paid before an approval.
approved: !pay W approve

# Violated: a plan may end without a payment. Write F(pay | end) to prove it.
paid: F pay

# Proved: nothing follows a payment.
final: G(pay -> last)
-- orders.cfg --
S -> ask S | approve Paid | end
Paid -> pay | end

limit 2 ask
-- orders.tests --
accept ask approve pay
accept end
reject pay as "without an approval"
-- README.md --
# Properties

properties.ltl has formulas about every word of orders.cfg. Each is proved, or violated by a
shortest counterexample.

* Automaton: the minimal automaton of a formula.
* Run, on orders.cfg: a model keeps to the properties.
`

const agentTemplate = `; An agent that acts at most three times, then answers. :text begins a state; :behavior
; gives the order of the states.
(define research-agent
  (:states
    (Question (:text "[Question]"))
    (Thought (:text "[Thought]"))
    (Action (:text "[Action]") (:one-of "Search"))
    (Input (:text "[Action Input]"))
    (Result (:text "[Observation]") (:flags :env-input))
    (Answer (:text "[Answer]")))
  (:behavior
    (next Question
          (until_3 (next Thought Action Input Result) (next Thought Answer)))))
`

const agentStarter = `-- research.agent --
` + agentTemplate + `-- properties.ltl --
# Proved: a result follows each action.
observed: G(Input -> X Result)

# Proved: at most three actions.
at_most_three: !F(Action & X F(Action & X F(Action & X F Action)))

# Violated: the agent may answer without an action. Replace until_3 in research.agent with
# until_1_3 to prove it.
informed: !Answer W Result
-- rehearsal.json --
{
  "question": "Who designed the iron tower that opened in Paris in 1889?",
  "steps": [
    {"thought": "The name of the tower comes first.", "tool": "Search", "input": "iron tower opened in Paris in 1889", "result": "The Eiffel Tower opened on 31 March 1889."},
    {"thought": "Its designers are not always those whose name it has.", "tool": "Search", "input": "designers of the Eiffel Tower", "result": "Maurice Koechlin and Émile Nouguier, engineers of Gustave Eiffel's company, designed it in 1884."}
  ],
  "final": "The designers are Koechlin and Nouguier.",
  "answer": "Maurice Koechlin and Émile Nouguier"
}
-- research.tests --
accept Question Thought Answer
accept Question Thought Action Input Result Thought Answer
reject Question Answer as "without a thought"

run violated as "an action without an input"
  [Question] Who designed the tower?
  [Thought] I know that.
  [Action] Search
  [Answer] Eiffel
-- README.md --
# An agent

A monitor cuts the model's text at the prompts of the states, and stops the model at the first
invalid state.

* Automaton: the results of the tests; step through a run.
* Run: a simulated model writes the script in rehearsal.json; choose your own model under Endpoints.
* Verify: the properties, with a counterexample for the violated one.
`

const teamTemplate = `(define trip-team
  (:executors
    (flights
      (:does "Finds flights between two cities on a day.")
      (:gives "{\"price\": 120}")
      (:constraints (check "result.price <= 500" "the flight costs at most 500")))
    (hotels
      (:does "Finds a room near a place, with its price a night.")
      (:gives "{\"price\": 80}"))
    (planner
      (:does "Makes an itinerary of what the others found.")))
  (:local "Name where every figure is from.")
  (:global (ltl "!started.planner W done.flights" "what is planned starts from a flight"))
  (:deliverer inference)
  (:limits (retries 2)))
`

const smtTemplate = `; How many of each are baked. Named constraints appear in the unsatisfiable core.
(declare-const bake.loaf Int)
(declare-const bake.cake Int)
(assert (! (and (>= bake.loaf 0) (>= bake.cake 0)) :named none-negative))
(assert (! (<= (+ (* 1 bake.loaf) (* 2 bake.cake)) 40) :named flour))
(assert (! (<= (+ (* 20 bake.loaf) (* 30 bake.cake)) 720) :named minutes))
(maximize (+ (* 4 bake.loaf) (* 7 bake.cake)))
`

const lpTemplate = `\ How many of each are baked.
Maximize
 takings: 4 bake_loaf + 7 bake_cake
Subject To
 flour: bake_loaf + 2 bake_cake <= 40
 minutes: 20 bake_loaf + 30 bake_cake <= 720
General
 bake_loaf bake_cake
End
`

const pddlTemplate = `; A lamp that is lit where it is dark, and a person who walks from room to room.
(define (domain lamps)
  (:requirements :strips :typing)
  (:types room)
  (:predicates (at ?r - room) (door ?a ?b - room) (lit ?r - room))
  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (at ?from) (door ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action light
    :parameters (?r - room)
    :precondition (at ?r)
    :effect (lit ?r)))
(define (problem evening)
  (:domain lamps)
  (:objects hall kitchen attic - room)
  (:init (at hall) (door hall kitchen) (door kitchen hall) (door hall attic) (door attic hall))
  (:goal (and (lit kitchen) (lit attic) (at hall))))
`

// problemTemplate is the archive of a folder.
const problemTemplate = `-- task.md --
A bakery bakes whole loaves and cakes. Each takes flour and minutes in the oven, of which there is only so much a day, and each brings in money. The greatest takings are wanted.
-- data.json --
{
  "flour": 40,
  "minutes": 720,
  "loaf": {"flour": 1, "minutes": 20, "price": 4},
  "cake": {"flour": 2, "minutes": 30, "price": 7}
}
-- query.md --
How many loaves and how many cakes are to be baked tomorrow?
-- output.json --
{"takings": "{objective}", "bake": "{bake}"}
-- goal.md --
## Goal
The greatest takings.
## Decision variables
- how many of each are baked, a whole number
## Reasoning
- loaves and cakes share the flour and the oven
## Constraints
- no more flour is used than there is
- the oven is used no longer than it is hot
- no number is negative
-- variables.json --
{"variable_1": {"name": "bake", "SMT_variable": true, "number_of_variables": 2, "data_source": "loaf, cake", "value": "how many of each", "specific_requirement": "at least 0; flour and minutes within what there is"},
 "variable_2": {"name": "takings", "SMT_variable": true, "number_of_variables": 1, "data_source": "price", "value": "the sum of the prices", "specific_requirement": "maximize"}}
-- model.smt2 --
` + smtTemplate
