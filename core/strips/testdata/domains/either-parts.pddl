(define (domain either-parts) (:requirements :adl) (:types dog cat bird - animal box) (:predicates (in ?a - (either dog cat) ?b - box) (free ?a - animal) (calm))
 (:action put :parameters (?a - (either dog cat) ?b - box) :precondition (and (free ?a) (forall (?c - (either dog cat)) (not (in ?c ?b)))) :effect (and (in ?a ?b) (not (free ?a))))
 (:action sing :precondition (exists (?x - (either bird cat)) (free ?x)) :effect (when (forall (?d - dog) (not (free ?d))) (calm))))

(define (problem either-parts-1) (:domain either-parts)
 (:objects rex - dog tom - cat b c - box)
 (:init (free rex) (free tom))
 (:goal (and (calm) (in tom c))))

(define (problem either-parts-2) (:domain either-parts)
 (:objects rex max - dog tom - cat b - box)
 (:init (free rex) (free max) (free tom))
 (:goal (calm)))

(define (problem either-parts-3) (:domain either-parts)
 (:objects rex - dog tui - bird b - box)
 (:init (free rex) (free tui))
 (:goal (calm)))
