(define (domain lightsout) (:requirements :adl) (:predicates (on ?x) (joined ?x ?y))
 (:action toggle :parameters (?x) :effect (and (forall (?y) (when (and (on ?y) (or (= ?x ?y) (joined ?x ?y) (joined ?y ?x))) (not (on ?y))))
  (forall (?y) (when (and (not (on ?y)) (or (= ?x ?y) (joined ?x ?y) (joined ?y ?x))) (on ?y))))))

(define (problem lightsout-1) (:domain lightsout)
 (:objects a b c d)
 (:init (joined a b) (joined b c) (joined c d) (on a) (on b) (on c) (on d))
 (:goal (forall (?x) (not (on ?x)))))

(define (problem lightsout-2) (:domain lightsout)
 (:objects a b c d e)
 (:init (joined a b) (joined b c) (joined c d) (joined d e) (on a) (on c))
 (:goal (not (exists (?x) (on ?x)))))

(define (problem lightsout-3) (:domain lightsout)
 (:objects a b)
 (:init (joined a b) (on a))
 (:goal (not (or (on a) (on b)))))
