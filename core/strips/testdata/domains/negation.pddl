(define (domain negation) (:requirements :adl) (:predicates (p ?x) (q ?x) (r))
 (:action a :parameters (?x) :precondition (not (and (p ?x) (q ?x))) :effect (and (p ?x) (when (p ?x) (q ?x))))
 (:action b :precondition (not (imply (r) (exists (?x) (q ?x)))) :effect (not (r)))
 (:action c :precondition (not (forall (?x) (or (p ?x) (q ?x)))) :effect (r)))

(define (problem negation-1) (:domain negation)
 (:objects x y)
 (:init)
 (:goal (and (forall (?x) (q ?x)) (not (r)))))

(define (problem negation-2) (:domain negation)
 (:objects x y)
 (:init)
 (:goal (and (r) (forall (?x) (q ?x)))))

(define (problem negation-3) (:domain negation)
 (:objects x)
 (:init (r))
 (:goal (and (not (r)) (q x))))

(define (problem negation-4) (:domain negation)
 (:init)
 (:goal (r)))
