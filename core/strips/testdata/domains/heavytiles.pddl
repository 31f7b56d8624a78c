(define (domain heavytiles) (:requirements :typing :action-costs) (:types tile cell) (:predicates (on ?t - tile ?c - cell) (blank ?c - cell) (next ?c ?d - cell)) (:functions (weight ?t - tile) (total-cost) - number)
 (:action slide :parameters (?t - tile ?c ?d - cell) :precondition (and (on ?t ?c) (blank ?d) (next ?c ?d)) :effect (and (on ?t ?d) (blank ?c) (not (on ?t ?c)) (not (blank ?d)) (increase (total-cost) (weight ?t)))))

(define (problem heavytiles-1) (:domain heavytiles)
 (:objects t1 t2 t3 - tile a b c d - cell)
 (:init (= (weight t1) 5) (= (weight t2) 1) (= (weight t3) 2) (next a b) (next b a) (next a c) (next c a) (next b d) (next d b) (next c d) (next d c) (on t1 b) (on t2 a) (on t3 d) (blank c))
 (:goal (and (on t1 a) (on t2 c)))
 (:metric minimize (total-cost)))

(define (problem heavytiles-2) (:domain heavytiles)
 (:objects t1 t2 - tile a b c d - cell)
 (:init (= (weight t1) 0) (= (weight t2) 10) (next a b) (next b a) (next a c) (next c a) (next b d) (next d b) (next c d) (next d c) (on t1 a) (on t2 b) (blank c) (blank d))
 (:goal (and (on t1 b) (on t2 a)))
 (:metric minimize (total-cost)))
