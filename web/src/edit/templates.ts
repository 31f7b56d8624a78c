// Written by `go run ./build gen` from the rows of the notations in core; change them there.

/** The texts of new files by ending, then by name in a new folder; "" is the name of a file without one. */
export const templates: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  team: {
    "": "(define trip-team\n  (:executors\n    (flights\n      (:does \"Finds flights between two cities on a day.\")\n      (:gives \"{\\\"price\\\": 120}\")\n      (:constraints (check \"result.price <= 500\" \"the flight costs at most 500\")))\n    (hotels\n      (:does \"Finds a room near a place, with its price a night.\")\n      (:gives \"{\\\"price\\\": 80}\"))\n    (planner\n      (:does \"Makes an itinerary of what the others found.\")))\n  (:local \"Name where every figure is from.\")\n  (:global (ltl \"!started.planner W done.flights\" \"what is planned starts from a flight\"))\n  (:deliverer inference)\n  (:limits (retries 2)))\n",
  },
  problem: {
    "task.md": "A bakery bakes loaves and cakes, whole ones. Each takes flour and minutes in the oven, of which there is only so much a day, and each brings in money. The greatest takings are wanted.\n",
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
  lab: {
    "": "(experiment mine\n  (:title \"What I want to know\")\n  (:tasks (plans \"openagi-tasks\" (:first 3)))\n  (:methods (baseline zero-shot) (plan (:name \"constrained\")))\n  (:models (simulated rambler 0.3) (simulated first))\n  (:seeds 1 2)\n  (:columns (\"valid plans\" valid) (\"score\" score) (\"calls\" calls) (\"tokens\" tokens)))\n",
  },
};
