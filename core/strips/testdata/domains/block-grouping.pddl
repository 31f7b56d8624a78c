(define (domain mt-block-grouping)
  (:requirements :typing :fluents :disjunctive-preconditions)
  (:types block - object)
  (:functions (x ?b - block) (y ?b - block) (max_x) (min_x) (max_y) (min_y))
  (:action move_block_up
    :parameters (?b - block)
    :precondition (<= (+ (y ?b) 1) (max_y))
    :effect (increase (y ?b) 1))
  (:action move_block_down
    :parameters (?b - block)
    :precondition (>= (- (y ?b) 1) (min_y))
    :effect (decrease (y ?b) 1))
  (:action move_block_right
    :parameters (?b - block)
    :precondition (and (<= (+ (x ?b) 1) (max_x)))
    :effect (and (increase (x ?b) 1)))
  (:action move_block_left
    :parameters (?b - block)
    :precondition (>= (- (x ?b) 1) (min_x))
    :effect (and (decrease (x ?b) 1)))
)

(define (problem instance_4_3_2_1)
  (:domain mt-block-grouping)
  (:objects b1 b2 b3 - block)
  (:init
    (= (x b1) 1) (= (y b1) 1)
    (= (x b2) 3) (= (y b2) 2)
    (= (x b3) 4) (= (y b3) 1)
    (= (max_x) 4) (= (min_x) 1) (= (max_y) 3) (= (min_y) 1)
  )
  (:goal (and
    (= (x b1) (x b2)) (= (y b1) (y b2))
    (or (not (= (x b1) (x b3))) (not (= (y b1) (y b3))))
    (or (not (= (x b2) (x b3))) (not (= (y b2) (y b3))))
  ))
)
