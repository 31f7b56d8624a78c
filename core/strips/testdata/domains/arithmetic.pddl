(define (domain arithmetic) (:requirements :numeric-fluents) (:predicates (done)) (:functions (n) (k))
 (:action double :precondition (and (> (n) 0) (< (n) 40)) :effect (assign (n) (* (n) 2)))
 (:action less :precondition (> (n) -5) :effect (decrease (n) 3))
 (:action finish :precondition (= (- (n) (* 4 (k))) 0) :effect (done)))

(define (problem arithmetic-1) (:domain arithmetic)
 (:init (= (n) 5) (= (k) 3.5))
 (:goal (done)))

(define (problem arithmetic-2) (:domain arithmetic)
 (:init (= (n) 2) (= (k) 7))
 (:goal (done)))

(define (problem arithmetic-3) (:domain arithmetic)
 (:init (= (n) 6) (= (k) 0.25))
 (:goal (done)))
