(define (domain undefined) (:requirements :numeric-fluents :disjunctive-preconditions) (:predicates (p) (q)) (:functions (f ?x) (g))
 (:action use :parameters (?x) :precondition (> (f ?x) 1) :effect (p))
 (:action set :effect (assign (g) 3)) (:action add :precondition (< (g) 6) :effect (increase (g) 1))
 (:action both :precondition (or (= (g) 4) (not (< (g) 9))) :effect (q)))

(define (problem undefined-1) (:domain undefined)
 (:objects a b)
 (:init (= (f b) 2))
 (:goal (and (p) (q))))

(define (problem undefined-2) (:domain undefined)
 (:objects a)
 (:init)
 (:goal (p)))

(define (problem undefined-3) (:domain undefined)
 (:objects a)
 (:init)
 (:goal (q)))
