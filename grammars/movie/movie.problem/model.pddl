; An evening with a film: snacks are fetched, the film is watched, and the tape is left
; as it was found, rewound and with its counter at zero.
(define (domain movie)
  (:requirements :strips)
  (:predicates
    (movie-rewound) (counter-at-zero) (counter-at-two-hours) (counter-at-other-than-two-hours)
    (have-chips) (have-dip) (have-pop) (have-cheese) (have-crackers)
    (chips ?x) (dip ?x) (pop ?x) (cheese ?x) (crackers ?x))
  (:action start-movie
    :parameters ()
    :precondition (counter-at-zero)
    :effect (and (counter-at-other-than-two-hours) (not (counter-at-zero)) (not (movie-rewound))))
  (:action rewind-movie
    :parameters ()
    :precondition (counter-at-other-than-two-hours)
    :effect (and (movie-rewound) (not (counter-at-zero))))
  (:action rewind-movie-2
    :parameters ()
    :precondition (counter-at-two-hours)
    :effect (movie-rewound))
  (:action reset-counter
    :parameters ()
    :precondition ()
    :effect (counter-at-zero))
  (:action get-chips
    :parameters (?x)
    :precondition (chips ?x)
    :effect (have-chips))
  (:action get-dip
    :parameters (?x)
    :precondition (dip ?x)
    :effect (have-dip))
  (:action get-pop
    :parameters (?x)
    :precondition (pop ?x)
    :effect (have-pop))
  (:action get-cheese
    :parameters (?x)
    :precondition (cheese ?x)
    :effect (have-cheese))
  (:action get-crackers
    :parameters (?x)
    :precondition (crackers ?x)
    :effect (have-crackers)))

(define (problem movie-8)
  (:domain movie)
  (:objects object_0 object_1 object_2 object_3 object_4 object_5 object_6)
  (:init
    (chips object_0)
    (chips object_1)
    (dip object_2)
    (pop object_3)
    (cheese object_4)
    (crackers object_5)
    (crackers object_6)
    (counter-at-zero))
  (:goal (and (movie-rewound) (counter-at-zero) (have-cheese) (have-chips) (have-crackers) (have-dip))))
