; Blocksworld under names that say nothing: only the rules are left to reason from.
(define (domain mystery-blocksworld)
  (:requirements :strips)
  (:predicates (harmony) (pain ?x) (planet ?x) (craves ?x ?y) (province ?x))
  (:action attack
    :parameters (?x)
    :precondition (and (harmony) (planet ?x) (province ?x))
    :effect (and (pain ?x) (not (harmony)) (not (planet ?x)) (not (province ?x))))
  (:action succumb
    :parameters (?x)
    :precondition (pain ?x)
    :effect (and (harmony) (planet ?x) (province ?x) (not (pain ?x))))
  (:action overcome
    :parameters (?x ?y)
    :precondition (and (pain ?x) (province ?y))
    :effect (and (harmony) (craves ?x ?y) (province ?x) (not (pain ?x)) (not (province ?y))))
  (:action feast
    :parameters (?x ?y)
    :precondition (and (harmony) (craves ?x ?y) (province ?x))
    :effect (and (pain ?x) (province ?y) (not (harmony)) (not (craves ?x ?y)) (not (province ?x)))))

(define (problem mystery-blocksworld-15)
  (:domain mystery-blocksworld)
  (:objects a b c d)
  (:init
    (harmony)
    (planet a)
    (craves b d)
    (craves c b)
    (planet d)
    (province a)
    (province c))
  (:goal (and (craves a c) (craves b a))))
