(define (domain fuel) (:requirements :typing :numeric-fluents) (:types place) (:predicates (at ?p - place) (road ?p ?q - place) (pump ?p - place)) (:functions (fuel) (tank) (len ?p ?q - place))
 (:action drive :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q) (>= (fuel) (len ?p ?q))) :effect (and (at ?q) (not (at ?p)) (decrease (fuel) (len ?p ?q))))
 (:action fill :parameters (?p - place) :precondition (and (at ?p) (pump ?p) (< (fuel) (tank))) :effect (assign (fuel) (tank))))

(define (problem fuel-1) (:domain fuel)
 (:objects a b c - place)
 (:init (at a) (road a b) (road b c) (pump a) (= (fuel) 1) (= (tank) 7) (= (len a b) 3) (= (len b c) 4))
 (:goal (at c)))

(define (problem fuel-2) (:domain fuel)
 (:objects a b c d - place)
 (:init (at a) (road a b) (road b a) (road b c) (road c d) (pump b) (= (fuel) 3) (= (tank) 5) (= (len a b) 3) (= (len b a) 3) (= (len b c) 4) (= (len c d) 2))
 (:goal (at d)))

(define (problem fuel-3) (:domain fuel)
 (:objects a b c d - place)
 (:init (at a) (road a b) (road b c) (road c d) (pump b) (= (fuel) 3.5) (= (tank) 6) (= (len a b) 3) (= (len b c) 3.5) (= (len c d) 2.5))
 (:goal (and (at d) (= (fuel) 0))))
