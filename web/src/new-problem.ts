import { emptyExperiment } from "./new-experiment.js";
import type { File } from "./wire.js";

// What stands in files that have just become something for a solver. Each can be run at once.

const smt = `; How many of each are baked. What is named can be told where nothing fulfils it all.
(declare-const bake.loaf Int)
(declare-const bake.cake Int)
(assert (! (and (>= bake.loaf 0) (>= bake.cake 0)) :named none-negative))
(assert (! (<= (+ (* 1 bake.loaf) (* 2 bake.cake)) 40) :named flour))
(assert (! (<= (+ (* 20 bake.loaf) (* 30 bake.cake)) 720) :named minutes))
(maximize (+ (* 4 bake.loaf) (* 7 bake.cake)))
`;

const lp = `\\ How many of each are baked.
Maximize
 takings: 4 bake_loaf + 7 bake_cake
Subject To
 flour: bake_loaf + 2 bake_cake <= 40
 minutes: 20 bake_loaf + 30 bake_cake <= 720
General
 bake_loaf bake_cake
End
`;

const pddl = `; A lamp that is lit where it is dark, and a person who walks from room to room.
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
`;

const problem: Readonly<Record<string, string>> = {
  "task.md": "A bakery bakes loaves and cakes, whole ones. Each takes flour and minutes in the oven, of which there is only so much a day, and each brings in money. The greatest takings are wanted.\n",
  "data.json": '{\n  "flour": 40,\n  "minutes": 720,\n  "loaf": {"flour": 1, "minutes": 20, "price": 4},\n  "cake": {"flour": 2, "minutes": 30, "price": 7}\n}\n',
  "query.md": "How many loaves and how many cakes are to be baked tomorrow?\n",
  "output.json": '{"takings": "{objective}", "bake": "{bake}"}\n',
  "goal.md": `## Goal
The greatest takings.
## Decision variables
- how many of each are baked, a whole number
## Reasoning
- loaves and cakes share the flour and the oven
## Constraints
- no more flour is used than there is
- the oven is used no longer than it is hot
- no number is negative
`,
  "variables.json": '{"variable_1": {"name": "bake", "SMT_variable": true, "number_of_variables": 2, "data_source": "loaf, cake", "value": "how many of each", "specific_requirement": "at least 0; flour and minutes within what there is"},\n "variable_2": {"name": "takings", "SMT_variable": true, "number_of_variables": 1, "data_source": "price", "value": "the sum of the prices", "specific_requirement": "maximize"}}\n',
  "model.smt2": smt,
};

/** The files that a new file becomes by its name; none where its kind has no beginning of its own. */
export function newProblem(name: string): readonly File[] {
  const folder = name.slice(0, name.lastIndexOf("/"));
  if (folder.endsWith(".problem")) return Object.entries(problem).map(([base, text]) => ({ name: `${folder}/${base}`, text }));
  const text = { smt2: smt, lp, pddl, lab: emptyExperiment }[name.slice(name.lastIndexOf(".") + 1)];
  return text === undefined ? [] : [{ name, text }];
}
