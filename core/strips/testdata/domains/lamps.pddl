(define (domain lamps) (:requirements :strips :negative-preconditions :disjunctive-preconditions) (:predicates (lit ?l) (fused) (day))
 (:action light :parameters (?l) :precondition (and (not (lit ?l)) (or (fused) (day))) :effect (lit ?l))
 (:action fuse :effect (fused)))

(define (problem lamps-1) (:domain lamps)
 (:objects a b)
 (:init)
 (:goal (and (lit a) (lit b))))

(define (problem lamps-2) (:domain lamps)
 (:objects a b)
 (:init (day))
 (:goal (and (lit a) (lit b))))

(define (problem lamps-3) (:domain lamps)
 (:objects a b c)
 (:init)
 (:goal (or (lit a) (fused))))
