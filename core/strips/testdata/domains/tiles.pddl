(define (domain tiles) (:requirements :typing) (:types tile cell) (:predicates (on ?t - tile ?c - cell) (blank ?c - cell) (next ?c ?d - cell))
 (:action slide :parameters (?t - tile ?c ?d - cell) :precondition (and (on ?t ?c) (blank ?d) (next ?c ?d)) :effect (and (on ?t ?d) (blank ?c) (not (on ?t ?c)) (not (blank ?d)))))

(define (problem tiles-1) (:domain tiles)
 (:objects t1 t2 t3 - tile a b c d - cell)
 (:init (next a b) (next b a) (next a c) (next c a) (next b d) (next d b) (next c d) (next d c) (on t1 b) (on t2 a) (on t3 d) (blank c))
 (:goal (and (on t1 a) (on t2 c) (on t3 b))))

(define (problem tiles-2) (:domain tiles)
 (:objects t1 t2 t3 - tile a b c d - cell)
 (:init (next a b) (next b a) (next a c) (next c a) (next b d) (next d b) (next c d) (next d c) (on t1 b) (on t2 a) (on t3 d) (blank c))
 (:goal (and (on t1 a) (on t2 b) (on t3 d))))
