; A hand moves blocks, one at a time, between a table and the tops of other blocks.
(define (domain blocksworld)
  (:requirements :strips)
  (:predicates (handempty) (holding ?x) (ontable ?x) (on ?x ?y) (clear ?x))
  (:action pick-up
    :parameters (?x)
    :precondition (and (handempty) (ontable ?x) (clear ?x))
    :effect (and (holding ?x) (not (handempty)) (not (ontable ?x)) (not (clear ?x))))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (handempty) (ontable ?x) (clear ?x) (not (holding ?x))))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (handempty) (on ?x ?y) (clear ?x) (not (holding ?x)) (not (clear ?y))))
  (:action unstack
    :parameters (?x ?y)
    :precondition (and (handempty) (on ?x ?y) (clear ?x))
    :effect (and (holding ?x) (clear ?y) (not (handempty)) (not (on ?x ?y)) (not (clear ?x)))))

(define (problem blocksworld-15)
  (:domain blocksworld)
  (:objects a b c d)
  (:init
    (handempty)
    (ontable a)
    (on b d)
    (on c b)
    (ontable d)
    (clear a)
    (clear c))
  (:goal (and (on a c) (on b a))))
