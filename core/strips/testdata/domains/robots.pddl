(define (domain robots) (:requirements :typing :numeric-fluents :negative-preconditions) (:types robot room item) (:predicates (at ?r - robot ?x - room) (in ?i - item ?x - room) (holds ?r - robot ?i - item)) (:functions (load ?r - robot) (weight ?i - item) (strength ?r - robot))
 (:action go :parameters (?r - robot ?x ?y - room) :precondition (at ?r ?x) :effect (and (at ?r ?y) (not (at ?r ?x))))
 (:action grab :parameters (?r - robot ?i - item ?x - room) :precondition (and (at ?r ?x) (in ?i ?x) (<= (+ (load ?r) (weight ?i)) (strength ?r))) :effect (and (holds ?r ?i) (not (in ?i ?x)) (increase (load ?r) (weight ?i))))
 (:action drop :parameters (?r - robot ?i - item ?x - room) :precondition (and (at ?r ?x) (holds ?r ?i)) :effect (and (in ?i ?x) (not (holds ?r ?i)) (decrease (load ?r) (weight ?i)))))

(define (problem robots-1) (:domain robots)
 (:objects r - robot k l - room a b c - item)
 (:init (at r k) (in a k) (in b k) (in c k) (= (load r) 0) (= (strength r) 5) (= (weight a) 3) (= (weight b) 2) (= (weight c) 4))
 (:goal (and (in a l) (in b l) (in c l))))

(define (problem robots-2) (:domain robots)
 (:objects r s - robot k l - room a b - item)
 (:init (at r k) (at s l) (in a k) (in b k) (= (load r) 0) (= (load s) 0) (= (strength r) 2) (= (strength s) 9) (= (weight a) 3) (= (weight b) 2))
 (:goal (and (in a l) (in b l))))

(define (problem robots-3) (:domain robots)
 (:objects r - robot k l - room a - item)
 (:init (at r k) (in a k) (= (load r) 0) (= (strength r) 2) (= (weight a) 3))
 (:goal (in a l)))
