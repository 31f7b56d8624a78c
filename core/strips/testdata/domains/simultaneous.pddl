(define (domain simultaneous) (:requirements :adl :numeric-fluents) (:types slot) (:predicates (a ?s - slot) (b ?s - slot)) (:functions (x) (y))
 (:action swap :effect (and (forall (?s - slot) (and (when (a ?s) (and (b ?s) (not (a ?s)))) (when (b ?s) (and (a ?s) (not (b ?s)))))) (assign (x) (y)) (assign (y) (x))))
 (:action mark :parameters (?s - slot) :precondition (< (x) (y)) :effect (and (a ?s) (increase (x) 1))))

(define (problem simultaneous-1) (:domain simultaneous)
 (:objects s t - slot)
 (:init (b s) (= (x) 0) (= (y) 2))
 (:goal (and (b t) (a s))))

(define (problem simultaneous-2) (:domain simultaneous)
 (:objects s t - slot)
 (:init (b s) (= (x) 3) (= (y) 2))
 (:goal (and (b s) (b t) (= (x) (y)))))

(define (problem simultaneous-3) (:domain simultaneous)
 (:objects s - slot)
 (:init (a s) (b s) (= (x) 1) (= (y) 1))
 (:goal (or (not (a s)) (not (b s)))))
