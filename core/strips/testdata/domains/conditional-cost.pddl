(define (domain conditional-cost) (:requirements :adl :action-costs) (:types place) (:predicates (at ?p - place) (toll ?p - place) (pass)) (:functions (total-cost) - number)
 (:action go :parameters (?p ?q - place) :precondition (and (at ?p) (not (= ?p ?q))) :effect (and (at ?q) (not (at ?p)) (increase (total-cost) 1) (when (and (toll ?q) (not (pass))) (increase (total-cost) 5))))
 (:action buy-pass :effect (and (pass) (increase (total-cost) 7))))

(define (problem conditional-cost-1) (:domain conditional-cost)
 (:objects a b c - place)
 (:init (at a) (toll b))
 (:goal (at b))
 (:metric minimize (total-cost)))
