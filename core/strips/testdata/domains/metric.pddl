(define (domain metric) (:requirements :strips :numeric-fluents :action-costs) (:predicates (a) (b)) (:functions (time) (money) (total-cost))
 (:action fast :effect (and (a) (increase (time) 1) (increase (money) 9) (increase (total-cost) 1)))
 (:action slow :effect (and (a) (increase (time) 5) (increase (money) 1) (increase (total-cost) 1)))
 (:action both :precondition (a) :effect (and (b) (increase (time) 2) (increase (money) (+ 1 (* 2 0.5))) (increase (total-cost) 1))))

(define (problem metric-1) (:domain metric)
 (:init (= (time) 0) (= (money) 0))
 (:goal (b))
 (:metric minimize (+ (time) (money))))

(define (problem metric-2) (:domain metric)
 (:init (= (time) 0) (= (money) 0))
 (:goal (b))
 (:metric minimize (+ (* 3 (time)) (money))))

(define (problem metric-3) (:domain metric)
 (:init (= (time) 2) (= (money) 0))
 (:goal (b))
 (:metric minimize (time)))

(define (problem metric-4) (:domain metric)
 (:init (= (time) 0) (= (money) 0))
 (:goal (and (b) (<= (money) 5)))
 (:metric minimize (time)))
