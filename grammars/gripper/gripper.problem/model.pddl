; Robots with two grippers each carry balls from room to room.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types robot gripper room ball)
  (:predicates
    (at-robby ?r - robot ?x - room)
    (at ?b - ball ?x - room)
    (free ?r - robot ?g - gripper)
    (carry ?r - robot ?b - ball ?g - gripper))
  (:action move
    :parameters (?r - robot ?from ?to - room)
    :precondition (at-robby ?r ?from)
    :effect (and (at-robby ?r ?to) (not (at-robby ?r ?from))))
  (:action pick
    :parameters (?r - robot ?b - ball ?x - room ?g - gripper)
    :precondition (and (at ?b ?x) (at-robby ?r ?x) (free ?r ?g))
    :effect (and (carry ?r ?b ?g) (not (at ?b ?x)) (not (free ?r ?g))))
  (:action drop
    :parameters (?r - robot ?b - ball ?x - room ?g - gripper)
    :precondition (and (carry ?r ?b ?g) (at-robby ?r ?x))
    :effect (and (at ?b ?x) (free ?r ?g) (not (carry ?r ?b ?g)))))

(define (problem gripper-14)
  (:domain gripper)
  (:objects
    robot1 robot2 - robot
    rgripper1 lgripper1 rgripper2 lgripper2 - gripper
    room1 room2 room3 - room
    ball1 ball2 ball3 ball4 - ball)
  (:init
    (at-robby robot1 room2)
    (free robot1 rgripper1)
    (free robot1 lgripper1)
    (at-robby robot2 room1)
    (free robot2 rgripper2)
    (free robot2 lgripper2)
    (at ball1 room1)
    (at ball2 room3)
    (at ball3 room3)
    (at ball4 room1))
  (:goal
    (and (at ball1 room1) (at ball2 room2) (at ball3 room2) (at ball4 room3))))
