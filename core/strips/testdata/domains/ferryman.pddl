(define (domain ferryman) (:requirements :adl) (:types side thing) (:constants wolf goat cabbage - thing) (:predicates (at ?t - thing ?s - side) (man ?s - side) (eats ?a ?b - thing))
 (:action cross :parameters (?s ?r - side) :precondition (and (man ?s) (not (= ?s ?r)) (forall (?a ?b - thing) (imply (eats ?a ?b) (not (and (at ?a ?s) (at ?b ?s)))))) :effect (and (man ?r) (not (man ?s))))
 (:action carry :parameters (?t - thing ?s ?r - side) :precondition (and (man ?s) (at ?t ?s) (not (= ?s ?r)) (not (exists (?a ?b - thing) (and (eats ?a ?b) (not (= ?a ?t)) (not (= ?b ?t)) (at ?a ?s) (at ?b ?s))))) :effect (and (man ?r) (not (man ?s)) (at ?t ?r) (not (at ?t ?s)))))

(define (problem ferryman-1) (:domain ferryman)
 (:objects l r - side)
 (:init (man l) (at wolf l) (at goat l) (at cabbage l) (eats wolf goat) (eats goat cabbage))
 (:goal (forall (?t - thing) (at ?t r))))

(define (problem ferryman-2) (:domain ferryman)
 (:objects l r - side)
 (:init (man l) (at wolf l) (at goat l) (at cabbage l) (eats wolf goat) (eats goat cabbage) (eats wolf cabbage))
 (:goal (forall (?t - thing) (at ?t r))))
