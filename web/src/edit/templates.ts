// Written by `go run ./build gen` from the rows of the notations in core; change them there.

/** The texts of new files by ending, then by name in a new folder; "" is the name of a file without one. */
export const templates: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cfg: {
    "": "S -> a S b | ε\n",
  },
  pda: {
    "": "# from -> to (letter, top; pushed): reads the letter, pops the top of the stack, pushes\n# the symbols after the semicolon. * is any top.\nstart open Z\naccept done\n\nopen -> open (lock, *; L *)\nopen -> close (work, *; *)\nclose -> close (unlock, L; ε)\nclose -> done (ε, Z; ε)\n\nlimit 3 lock\nlock as \"Take a lock\"\nwork as \"Do the work\"\nunlock as \"Release the newest lock\"\n",
  },
  flow: {
    "": "# Each answer leads to the next question or to an end.\nlet limit \"100 euros\"\n\nask identity \"Does the address belong to the order?\"\n  yes -> amount\n  no -> stop as \"Refuse: the customer is unknown.\"\n\nask amount \"Is the refund at most {limit}?\"\n  yes -> paid as \"Make the refund.\"\n  no -> asked as \"Ask a colleague for approval.\"\n\naccept paid \"The refund is made.\"\naccept asked \"A colleague decides.\"\n",
  },
  ltl: {
    "": "# One formula per paragraph, with a name in front. Names of steps are those of the other\n# files: F a (a occurs), G !a (a never occurs), !b W a (no b before a), G(a -> X b).\ntwo_steps: X true\n",
  },
  agent: {
    "": "; An agent that acts at most three times, then answers. :text begins a state; :behavior\n; gives the order of the states.\n(define research-agent\n  (:states\n    (Question (:text \"[Question]\"))\n    (Thought (:text \"[Thought]\"))\n    (Action (:text \"[Action]\") (:one-of \"Search\"))\n    (Input (:text \"[Action Input]\"))\n    (Result (:text \"[Observation]\") (:flags :env-input))\n    (Answer (:text \"[Answer]\")))\n  (:behavior\n    (next Question\n          (until_3 (next Thought Action Input Result) (next Thought Answer)))))\n",
  },
  team: {
    "": "(define trip-team\n  (:executors\n    (flights\n      (:does \"Finds flights between two cities on a day.\")\n      (:gives \"{\\\"price\\\": 120}\")\n      (:constraints (check \"result.price <= 500\" \"the flight costs at most 500\")))\n    (hotels\n      (:does \"Finds a room near a place, with its price a night.\")\n      (:gives \"{\\\"price\\\": 80}\"))\n    (planner\n      (:does \"Makes an itinerary of what the others found.\")))\n  (:local \"Name where every figure is from.\")\n  (:global (ltl \"!started.planner W done.flights\" \"what is planned starts from a flight\"))\n  (:deliverer inference)\n  (:limits (retries 2)))\n",
  },
  problem: {
    "task.md": "A bakery bakes whole loaves and cakes. Each takes flour and minutes in the oven, of which there is only so much a day, and each brings in money. The greatest takings are wanted.\n",
    "data.json": "{\n  \"flour\": 40,\n  \"minutes\": 720,\n  \"loaf\": {\"flour\": 1, \"minutes\": 20, \"price\": 4},\n  \"cake\": {\"flour\": 2, \"minutes\": 30, \"price\": 7}\n}\n",
    "query.md": "How many loaves and how many cakes are to be baked tomorrow?\n",
    "output.json": "{\"takings\": \"{objective}\", \"bake\": \"{bake}\"}\n",
    "goal.md": "## Goal\nThe greatest takings.\n## Decision variables\n- how many of each are baked, a whole number\n## Reasoning\n- loaves and cakes share the flour and the oven\n## Constraints\n- no more flour is used than there is\n- the oven is used no longer than it is hot\n- no number is negative\n",
    "variables.json": "{\"variable_1\": {\"name\": \"bake\", \"SMT_variable\": true, \"number_of_variables\": 2, \"data_source\": \"loaf, cake\", \"value\": \"how many of each\", \"specific_requirement\": \"at least 0; flour and minutes within what there is\"},\n \"variable_2\": {\"name\": \"takings\", \"SMT_variable\": true, \"number_of_variables\": 1, \"data_source\": \"price\", \"value\": \"the sum of the prices\", \"specific_requirement\": \"maximize\"}}\n",
    "model.smt2": "; How many of each are baked. Named constraints appear in the unsatisfiable core.\n(declare-const bake.loaf Int)\n(declare-const bake.cake Int)\n(assert (! (and (>= bake.loaf 0) (>= bake.cake 0)) :named none-negative))\n(assert (! (<= (+ (* 1 bake.loaf) (* 2 bake.cake)) 40) :named flour))\n(assert (! (<= (+ (* 20 bake.loaf) (* 30 bake.cake)) 720) :named minutes))\n(maximize (+ (* 4 bake.loaf) (* 7 bake.cake)))\n",
  },
  smt2: {
    "": "; How many of each are baked. Named constraints appear in the unsatisfiable core.\n(declare-const bake.loaf Int)\n(declare-const bake.cake Int)\n(assert (! (and (>= bake.loaf 0) (>= bake.cake 0)) :named none-negative))\n(assert (! (<= (+ (* 1 bake.loaf) (* 2 bake.cake)) 40) :named flour))\n(assert (! (<= (+ (* 20 bake.loaf) (* 30 bake.cake)) 720) :named minutes))\n(maximize (+ (* 4 bake.loaf) (* 7 bake.cake)))\n",
  },
  lp: {
    "": "\\ How many of each are baked.\nMaximize\n takings: 4 bake_loaf + 7 bake_cake\nSubject To\n flour: bake_loaf + 2 bake_cake <= 40\n minutes: 20 bake_loaf + 30 bake_cake <= 720\nGeneral\n bake_loaf bake_cake\nEnd\n",
  },
  pddl: {
    "": "; A lamp that is lit where it is dark, and a person who walks from room to room.\n(define (domain lamps)\n  (:requirements :strips :typing)\n  (:types room)\n  (:predicates (at ?r - room) (door ?a ?b - room) (lit ?r - room))\n  (:action walk\n    :parameters (?from ?to - room)\n    :precondition (and (at ?from) (door ?from ?to))\n    :effect (and (at ?to) (not (at ?from))))\n  (:action light\n    :parameters (?r - room)\n    :precondition (at ?r)\n    :effect (lit ?r)))\n(define (problem evening)\n  (:domain lamps)\n  (:objects hall kitchen attic - room)\n  (:init (at hall) (door hall kitchen) (door kitchen hall) (door hall attic) (door attic hall))\n  (:goal (and (lit kitchen) (lit attic) (at hall))))\n",
  },
  tests: {
    "": "# Cases of the spec with the same base name, or of a file that is named:\n# spec react.agent\n\n# accept a b as \"a title\"\n# reject a b b\n# incomplete a\n",
  },
  rules: {
    "": "# Each rule holds at every event of a run. ?o stands for any order.\napproved: refund(order: ?o) -> once[10m] approve(order: ?o)\n",
  },
  lab: {
    "": "(experiment mine\n  (:title \"My experiment\")\n  (:tasks (plans \"openagi-tasks\" (:first 3)))\n  (:methods (baseline zero-shot) (plan (:name \"constrained\")))\n  (:models (simulated rambler 0.3) (simulated first))\n  (:seeds 1 2)\n  (:columns (\"valid plans\" valid) (\"score\" score) (\"calls\" calls) (\"tokens\" tokens)))\n",
  },
};

/** New workspaces by ending: their purpose, and their files with the spec first; none for a template alone. */
export const starters: Readonly<Record<string, { readonly about: string; readonly files?: readonly (readonly [name: string, text: string])[] }>> = {
  cfg: {
    about: "Valid plans, as rules that expand symbols to steps.",
    files: [
      ["plan.cfg", "# A symbol on the left of an arrow is expanded; the others are steps of a plan.\nS -> search Read answer\nRead -> read Read | read\n\nlimit 3 read\nsearch as \"Search the web\"\nread as \"Read a page\"\nanswer as \"Write the answer\"\n"],
      ["properties.ltl", "# Proved: a plan ends with the answer.\nends: F(answer & last)\n\n# Violated: a plan may read a single page. Replace \"| read\" in plan.cfg with \"| read read\"\n# to prove it.\ntwo_pages: F(read & X read)\n"],
      ["plan.tests", "accept search read answer\naccept search read read read answer as \"three pages\"\nreject search answer as \"without a page\"\n"],
      ["README.md", "# A grammar of plans\n\nEvery word of plan.cfg is a valid plan, and nothing else is.\n\n* Automaton: the results of the tests; step through a plan, and see the next steps that are valid.\n* Run: a simulated model chooses among these steps; choose your own under Endpoints.\n* Verify: the properties, with a counterexample for the violated one.\n"],
    ],
  },
  pda: {
    about: "States and a stack, written by hand.",
    files: [
      ["locks.pda", "# from -> to (letter, top; pushed): reads the letter, pops the top of the stack, pushes\n# the symbols after the semicolon. * is any top.\nstart open Z\naccept done\n\nopen -> open (lock, *; L *)\nopen -> close (work, *; *)\nclose -> close (unlock, L; ε)\nclose -> done (ε, Z; ε)\n\nlimit 3 lock\nlock as \"Take a lock\"\nwork as \"Do the work\"\nunlock as \"Release the newest lock\"\n"],
      ["properties.ltl", "# Proved: no lock is released before the work is done.\nheld: !unlock W work\n\n# Violated: the work may be done without a lock. To prove it, write \"start free Z\" in\n# locks.pda and add the line \"free -> open (lock, Z; L Z)\".\nlocked: !work W lock\n"],
      ["locks.tests", "accept work\naccept lock lock work unlock unlock\nreject lock work as \"a lock is kept\"\n"],
      ["README.md", "# An automaton with a stack\n\nThe stack holds the locks that are taken, so each one is released before the end.\n\n* Automaton: the results of the tests; step through \"lock lock work unlock unlock\" and watch the stack.\n* Run: a simulated model chooses among the steps that can still be completed.\n* Verify: the properties, with a counterexample for the violated one.\n"],
    ],
  },
  flow: {
    about: "One question per state; each answer leads to the next.",
    files: [
      ["refund.flow", "# Each answer leads to the next question or to an end.\nlet limit \"100 euros\"\n\nask identity \"Does the address belong to the order?\"\n  yes -> amount\n  no -> stop as \"Refuse: the customer is unknown.\"\n\nask amount \"Is the refund at most {limit}?\"\n  yes -> paid as \"Make the refund.\"\n  no -> asked as \"Ask a colleague for approval.\"\n\naccept paid \"The refund is made.\"\naccept asked \"A colleague decides.\"\n"],
      ["properties.ltl", "# Proved: the amount is not considered before the customer is known.\nknown: !(amount.yes | amount.no) W identity.yes\n\n# Violated: a large refund goes to a colleague. Replace \"no -> asked\" in refund.flow with\n# \"no -> stop\" to prove it.\nsmall: F amount.yes\n"],
      ["refund.tests", "accept identity.yes amount.yes\naccept identity.yes amount.no as \"a colleague decides\"\nreject identity.no\n"],
      ["README.md", "# A flowchart\n\nA model answers one question at a time; the chart defines the next one.\n\n* Automaton: the results of the tests; step through the answers, and read the report.\n* Run: a simulated model answers; choose your own under Endpoints.\n* Verify: the properties, with a counterexample for the violated one.\n"],
    ],
  },
  ltl: {
    about: "Temporal formulas, proved for every word of another file.",
    files: [
      ["properties.ltl", "# Proved: nothing is paid before an approval.\napproved: !pay W approve\n\n# Violated: a plan may end without a payment. Write F(pay | end) to prove it.\npaid: F pay\n\n# Proved: nothing follows a payment.\nfinal: G(pay -> last)\n"],
      ["orders.cfg", "S -> ask S | approve Paid | end\nPaid -> pay | end\n\nlimit 2 ask\n"],
      ["orders.tests", "accept ask approve pay\naccept end\nreject pay as \"without an approval\"\n"],
      ["README.md", "# Properties\n\nproperties.ltl has formulas about every word of orders.cfg. Each is proved, or violated by a\nshortest counterexample.\n\n* Automaton: the minimal automaton of a formula.\n* Run, on orders.cfg: a model keeps to the properties.\n"],
    ],
  },
  agent: {
    about: "The order of an agent’s states, which a monitor enforces.",
    files: [
      ["research.agent", "; An agent that acts at most three times, then answers. :text begins a state; :behavior\n; gives the order of the states.\n(define research-agent\n  (:states\n    (Question (:text \"[Question]\"))\n    (Thought (:text \"[Thought]\"))\n    (Action (:text \"[Action]\") (:one-of \"Search\"))\n    (Input (:text \"[Action Input]\"))\n    (Result (:text \"[Observation]\") (:flags :env-input))\n    (Answer (:text \"[Answer]\")))\n  (:behavior\n    (next Question\n          (until_3 (next Thought Action Input Result) (next Thought Answer)))))\n"],
      ["properties.ltl", "# Proved: a result follows each action.\nobserved: G(Input -> X Result)\n\n# Proved: at most three actions.\nat_most_three: !F(Action & X F(Action & X F(Action & X F Action)))\n\n# Violated: the agent may answer without an action. Replace until_3 in research.agent with\n# until_1_3 to prove it.\ninformed: !Answer W Result\n"],
      ["rehearsal.json", "{\n  \"question\": \"Who designed the iron tower that opened in Paris in 1889?\",\n  \"steps\": [\n    {\"thought\": \"The name of the tower comes first.\", \"tool\": \"Search\", \"input\": \"iron tower opened in Paris in 1889\", \"result\": \"The Eiffel Tower opened on 31 March 1889.\"},\n    {\"thought\": \"Its designers are not always those whose name it has.\", \"tool\": \"Search\", \"input\": \"designers of the Eiffel Tower\", \"result\": \"Maurice Koechlin and Émile Nouguier, engineers of Gustave Eiffel's company, designed it in 1884.\"}\n  ],\n  \"final\": \"The designers are Koechlin and Nouguier.\",\n  \"answer\": \"Maurice Koechlin and Émile Nouguier\"\n}\n"],
      ["research.tests", "accept Question Thought Answer\naccept Question Thought Action Input Result Thought Answer\nreject Question Answer as \"without a thought\"\n\nrun violated as \"an action without an input\"\n  [Question] Who designed the tower?\n  [Thought] I know that.\n  [Action] Search\n  [Answer] Eiffel\n"],
      ["README.md", "# An agent\n\nA monitor cuts the model's text at the prompts of the states, and stops the model at the first\ninvalid state.\n\n* Automaton: the results of the tests; step through a run.\n* Run: a simulated model writes the script in rehearsal.json; choose your own model under Endpoints.\n* Verify: the properties, with a counterexample for the violated one.\n"],
    ],
  },
  team: {
    about: "Executors with tools, and constraints on their results.",
  },
  problem: {
    about: "A task in words, which a model formulates and a solver solves.",
  },
  smt2: {
    about: "Constraints for Z3, with an unsatisfiable core.",
  },
  lp: {
    about: "A linear program for HiGHS.",
  },
  pddl: {
    about: "Actions, an initial state and a goal: the shortest plan.",
  },
  tests: {
    about: "Words, plans and runs with the verdicts that a spec must give.",
  },
  rules: {
    about: "Rules about the arguments, results, times and counts of calls.",
    files: [
      ["policy.rules", "# A refund needs an approval of the same order, at most 10 minutes old, that covers the amount.\napproved: refund(order: ?o, amount: ?a) -> once[10m] approve(order: ?o, limit: ?l) & ?a <= ?l\n\n# Another agent approves.\nfour-eyes: refund(order: ?o, @agent: ?a) -> once (approve(order: ?o, @agent: ?b) & ?a != ?b)\n\n# An approval is used up by a refund.\none-time: refund(order: ?o) -> count refund(order: ?o) <= count approve(order: ?o)\n\n# At most 1000 in 24 hours, and 3 refunds for each customer.\nbudget: refund() -> sum[24h] ?x for refund(amount: ?x) <= 1000\nrate: refund(customer: ?c) -> count[24h] refund(customer: ?c) <= 3\n\n# A transfer needs a login of the last hour, without a logout after it.\nfresh: transfer(account: ?a) -> (!logout()) since[1h] login.result(input.account: ?a, ok: true)\n\n# One agent at a time holds a lock.\nexclusive: lock(name: ?n, @agent: ?a) -> !((!unlock(name: ?n)) since (lock(name: ?n, @agent: ?b) & ?a != ?b))\n\n# A review of a file is no longer trusted after an edit, or after a day.\ntrust: publish(file: ?f) -> (!edit(file: ?f)) since[1d] review(file: ?f)\n\nnever-in-production: !delete(env: \"production\")\n\n# Close each file that was opened.\nclosed: end() -> !((!close(file: ?f)) since open(file: ?f))\n"],
      ["policy.tests", "run valid as \"approved by another agent\"\n  approve(order: 7, limit: 50, @agent: \"ann\")\n  refund(order: 7, amount: 50.00, customer: \"c\", @agent: \"bob\", @time: 600)\n  end(@time: 601)\n\nrun violated as \"the approval is too old\"\n  approve(order: 7, limit: 50, @agent: \"ann\")\n  refund(order: 7, amount: 50, customer: \"c\", @agent: \"bob\", @time: 601)\n\nrun violated as \"more than the limit\"\n  approve(order: 7, limit: 50, @agent: \"ann\")\n  refund(order: 7, amount: 50.01, customer: \"c\", @agent: \"bob\")\n\nrun violated as \"the same agent approves\"\n  approve(order: 7, limit: 50, @agent: \"bob\")\n  refund(order: 7, amount: 5, customer: \"c\", @agent: \"bob\")\n\nrun violated as \"one approval, two refunds\"\n  approve(order: 7, limit: 50, @agent: \"ann\")\n  refund(order: 7, amount: 5, customer: \"c\", @agent: \"bob\")\n  refund(order: 7, amount: 5, customer: \"c\", @agent: \"bob\")\n\nrun violated as \"more than the budget\"\n  approve(order: 1, limit: 900, @agent: \"ann\")\n  refund(order: 1, amount: 900, customer: \"c\", @agent: \"bob\")\n  approve(order: 2, limit: 900, @agent: \"ann\")\n  refund(order: 2, amount: 100.5, customer: \"d\", @agent: \"bob\")\n\nrun violated as \"four refunds of a customer\"\n  approve(order: 1, limit: 9, @agent: \"ann\")\n  approve(order: 2, limit: 9, @agent: \"ann\")\n  approve(order: 3, limit: 9, @agent: \"ann\")\n  approve(order: 4, limit: 9, @agent: \"ann\")\n  refund(order: 1, amount: 9, customer: \"c\", @agent: \"bob\")\n  refund(order: 2, amount: 9, customer: \"c\", @agent: \"bob\")\n  refund(order: 3, amount: 9, customer: \"c\", @agent: \"bob\")\n  refund(order: 4, amount: 9, customer: \"c\", @agent: \"bob\")\n\nrun valid as \"a fresh login\"\n  login.result(input.account: \"a\", ok: true)\n  transfer(account: \"a\", @time: 3600)\n\nrun violated as \"after the logout\"\n  login.result(input.account: \"a\", ok: true)\n  logout()\n  transfer(account: \"a\")\n\nrun valid as \"a lock that was released\"\n  lock(name: \"db\", @agent: \"ann\")\n  unlock(name: \"db\", @agent: \"ann\")\n  lock(name: \"db\", @agent: \"bob\")\n\nrun violated as \"a lock of another agent\"\n  lock(name: \"db\", @agent: \"ann\")\n  lock(name: \"db\", @agent: \"bob\")\n\nrun valid as \"reviewed after the edit\"\n  edit(file: \"a\")\n  review(file: \"a\")\n  publish(file: \"a\")\n\nrun violated as \"edited after the review\"\n  review(file: \"a\")\n  edit(file: \"a\")\n  publish(file: \"a\")\n\nrun violated as \"in production\"\n  delete(env: \"production\")\n\nrun valid as \"closed\"\n  open(file: \"a\")\n  close(file: \"a\")\n  end()\n\nrun violated as \"left open\"\n  open(file: \"a\")\n  open(file: \"b\")\n  close(file: \"a\")\n  end()\n"],
      ["README.md", "# Rules about data\n\npolicy.rules restricts the arguments, the times and the number of calls. policy.tests has runs, an event on each line, with the\nverdict that the rules must return.\n\n* Automaton: the results of the tests, with the rule and the values that a run violates.\n* Change a window or a limit, and see which runs change their verdict.\n"],
    ],
  },
  lab: {
    about: "Tasks × methods × models × seeds, as a table.",
  },
};
