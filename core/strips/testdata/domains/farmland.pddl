(define (domain farmland)
    (:types farm - object)
    (:predicates (adj ?f1 ?f2 - farm))
    (:functions
        (x ?b - farm)
        (cost)
    )
    (:action move-fast
         :parameters (?f1 ?f2 - farm)
         :precondition (and (not (= ?f1 ?f2)) (>= (x ?f1) 4) (adj ?f1 ?f2))
         :effect (and(decrease (x ?f1) 4) (increase (x ?f2) 2) (increase (cost) 1))
    )
    (:action move-slow
         :parameters (?f1 ?f2 - farm)
         :precondition (and (not (= ?f1 ?f2)) (>= (x ?f1) 1) (adj ?f1 ?f2))
         :effect (and(decrease (x ?f1) 1) (increase (x ?f2) 1))
    )
)

(define (problem instance_3_8_1229)
	(:domain farmland)
	(:objects
		farm0 farm1 farm2  - farm
	)
  (:init
		(= (x farm0) 8)
		(= (x farm1) 1)
		(= (x farm2) 0)
		(adj farm0 farm1)
		(adj farm1 farm0)
		(adj farm1 farm2)
		(adj farm2 farm1)
		(= (cost) 0)
	)
	(:goal
		(and
			(>= (x farm0) 2)
			(>= (x farm2) 2)
			(>= (+ (* 1.0 (x farm0))(+ (* 1.5 (x farm1))(+ (* 2 (x farm2)) 0))) 9.5)
		)
	)
	(:metric minimize (cost))
)
