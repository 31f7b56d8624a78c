(define (domain TIDYBOT)
  (:requirements :strips :typing :equality :negative-preconditions :action-costs)
  (:types robot obj xc yc)
  (:predicates 
     (leftof ?x1 ?x2 - xc)
     (above ?y1 ?y2 - yc)
     (base-obstacle ?x - xc ?y - yc)
     (base-pos ?r - robot ?x - xc ?y - yc)
     (holding ?r - robot ?o - obj)
     (not-holding ?r - robot)
     (object-pos ?o - obj ?x - xc ?y - yc)
     (object-done ?o - obj)
     (object-goal ?o - obj ?x - xc ?y - yc))
  (:functions (total-cost) - number)

  (:action base-left
     :parameters (?r - robot ?cx - xc ?dx - xc ?y - yc)
     :precondition (and (base-pos ?r ?cx ?y)
                        (leftof ?dx ?cx)
                        (not (base-obstacle ?dx ?y)))
     :effect (and (not (base-pos ?r ?cx ?y)) (base-pos ?r ?dx ?y)
                  (not (base-obstacle ?cx ?y)) (base-obstacle ?dx ?y) (increase (total-cost) 1)))
  (:action base-right
     :parameters (?r - robot ?cx - xc ?dx - xc ?y - yc)
     :precondition (and (base-pos ?r ?cx ?y)
                        (leftof ?cx ?dx)
                        (not (base-obstacle ?dx ?y)))
     :effect (and (not (base-pos ?r ?cx ?y)) (base-pos ?r ?dx ?y)
                  (not (base-obstacle ?cx ?y)) (base-obstacle ?dx ?y) (increase (total-cost) 1)))
  (:action base-up
     :parameters (?r - robot ?x - xc ?cy - yc ?dy - yc)
     :precondition (and (base-pos ?r ?x ?cy) (above ?dy ?cy) (not (base-obstacle ?x ?dy)))
     :effect (and (not (base-pos ?r ?x ?cy)) (base-pos ?r ?x ?dy)
                  (not (base-obstacle ?x ?cy)) (base-obstacle ?x ?dy) (increase (total-cost) 1)))
  (:action grasp-left
     :parameters (?r - robot ?o - obj ?rx ?ox - xc ?y - yc)
     :precondition (and (base-pos ?r ?rx ?y) (not-holding ?r) (object-pos ?o ?ox ?y) (leftof ?ox ?rx) (not (object-done ?o)))
     :effect (and (not (object-pos ?o ?ox ?y)) (not (base-obstacle ?ox ?y)) (holding ?r ?o) (not (not-holding ?r)) (increase (total-cost) 2)))
  (:action put-right
     :parameters (?r - robot ?o - obj ?rx ?ox - xc ?y - yc)
     :precondition (and (base-pos ?r ?rx ?y) (holding ?r ?o) (object-goal ?o ?ox ?y) (leftof ?rx ?ox) (not (base-obstacle ?ox ?y)))
     :effect (and (object-pos ?o ?ox ?y) (base-obstacle ?ox ?y) (not (holding ?r ?o)) (not-holding ?r) (object-done ?o) (increase (total-cost) 2)))
)

(define (problem test)
(:domain TIDYBOT)
(:objects
   pr2 - robot
   object0 - obj
   x0 x1 x2 - xc
   y0 y1 - yc
)
(:init
   (leftof x0 x1)
   (leftof x1 x2)
   (above y0 y1)
   (base-pos pr2 x1 y1)
   (base-obstacle x1 y1)
   (not-holding pr2)
   (object-pos object0 x0 y1) (base-obstacle x0 y1)
   (object-goal object0 x2 y0)
   (= (total-cost) 0)
)
(:goal (and (object-done object0)))
(:metric minimize (total-cost))
)
