;; Enrico Scala's style of numeric planning: boats move in a plane, people wait on diagonals.
(define (domain sailing)
    (:types boat - object person - object)
    (:predicates
        (saved ?t - person)
    )
    (:functions
        (x ?b - boat)
        (y ?b - boat)
        (d ?t - person)
    )
    (:action go_north_east
         :parameters (?b - boat)
	 :precondition (and (< (y ?b) 5))
         :effect (and (increase (x ?b) 1.5) (increase (y ?b) 1.5))
    )
    (:action go_north_west
         :parameters (?b - boat)
	 :precondition (and (< (y ?b) 5) (> (x ?b) -5))
         :effect (and (decrease (x ?b) 1.5) (increase (y ?b) 1.5))
    )
    (:action go_est
         :parameters (?b - boat)
	 :precondition (and (< (x ?b) 5))
         :effect (and (increase (x ?b) 3))
    )
    (:action go_south_west
         :parameters(?b - boat)
	 :precondition (and (> (y ?b) -5) (> (x ?b) -5))
         :effect (and (increase (x ?b) -2) (decrease (y ?b) 2))
    )
    (:action save_person
        :parameters(?b - boat ?t - person)
        :precondition ( and (>= (+ (x ?b) (y ?b)) (d ?t)) 
                            (>= (- (y ?b) (x ?b)) (d ?t)) 
                            (<= (+ (x ?b) (y ?b)) (+ (d ?t) 2)) 
                            (<= (- (y ?b) (x ?b)) (+ (d ?t) 2))
                      )
        :effect (and(saved ?t)))
)

(define (problem instance_1_1_1229)
	(:domain sailing)
	(:objects
		b0  - boat
		p0 p1  - person
	)
  (:init
		(= (x b0) 1)
		(= (y b0) 0)
		(= (d p0) 3)
		(= (d p1) -2)
	)
	(:goal
		(and
			(saved p0)
			(saved p1)
		)
	)
)
