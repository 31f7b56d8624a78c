package language

// Templates of new files. Each has no errors and can be run at once.

const grammarTemplate = "S -> a S b | ε\n"

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
A bakery bakes loaves and cakes, whole ones. Each takes flour and minutes in the oven, of which there is only so much a day, and each brings in money. The greatest takings are wanted.
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
