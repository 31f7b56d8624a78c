(define (domain zero) (:requirements :strips :action-costs) (:predicates (p) (q) (r) (s)) (:functions (total-cost) - number)
 (:action free-p :effect (p)) (:action free-q :precondition (p) :effect (and (q) (increase (total-cost) 0)))
 (:action dear-r :effect (and (r) (increase (total-cost) 4))) (:action free-r :precondition (q) :effect (and (r) (not (p))))
 (:action s :precondition (r) :effect (and (s) (increase (total-cost) 1))))

(define (problem zero-1) (:domain zero)
 (:init)
 (:goal (s))
 (:metric minimize (total-cost)))

(define (problem zero-2) (:domain zero)
 (:init)
 (:goal (s)))

(define (problem zero-3) (:domain zero)
 (:init)
 (:goal (and (s) (not (q))))
 (:metric minimize (total-cost)))

(define (problem zero-4) (:domain zero)
 (:init)
 (:goal (and (p) (r)))
 (:metric minimize (total-cost)))
