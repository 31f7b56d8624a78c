(define (domain counters) (:requirements :typing :numeric-fluents) (:types counter) (:functions (value ?c - counter) (max))
 (:action inc :parameters (?c - counter) :precondition (<= (+ (value ?c) 1) (max)) :effect (increase (value ?c) 1))
 (:action dec :parameters (?c - counter) :precondition (>= (value ?c) 1) :effect (decrease (value ?c) 1)))

(define (problem counters-1) (:domain counters)
 (:objects a b c - counter)
 (:init (= (value a) 0) (= (value b) 0) (= (value c) 0) (= (max) 6))
 (:goal (and (< (value a) (value b)) (< (value b) (value c)))))

(define (problem counters-2) (:domain counters)
 (:objects a b - counter)
 (:init (= (value a) 3) (= (value b) 0) (= (max) 4))
 (:goal (and (= (* (value a) (value b)) 4) (> (value b) (value a)))))

(define (problem counters-3) (:domain counters)
 (:objects a b - counter)
 (:init (= (value a) 1) (= (value b) 0) (= (max) 2))
 (:goal (> (+ (value a) (value b)) 4)))
