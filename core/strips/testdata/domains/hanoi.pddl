(define (domain hanoi) (:requirements :adl) (:types disk peg) (:predicates (on ?d - disk ?p - peg) (smaller ?d ?e - disk))
 (:action move :parameters (?d - disk ?p ?q - peg) :precondition (and (on ?d ?p) (not (= ?p ?q)) (forall (?e - disk) (imply (smaller ?e ?d) (and (not (on ?e ?p)) (not (on ?e ?q)))))) :effect (and (on ?d ?q) (not (on ?d ?p)))))

(define (problem hanoi-1) (:domain hanoi)
 (:objects a b c - disk p q r - peg)
 (:init (on a p) (on b p) (on c p) (smaller a b) (smaller a c) (smaller b c))
 (:goal (forall (?d - disk) (on ?d r))))

(define (problem hanoi-2) (:domain hanoi)
 (:objects a b c d - disk p q r - peg)
 (:init (on a p) (on b p) (on c p) (on d q) (smaller a b) (smaller a c) (smaller b c) (smaller a d) (smaller b d) (smaller c d))
 (:goal (forall (?d - disk) (on ?d r))))
