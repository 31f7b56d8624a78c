(define (domain citycar)
(:requirements :typing :equality :negative-preconditions :action-costs :conditional-effects)
  (:types  
	junction - object
	car - object
	garage - object
	road - object)

(:predicates
    (same_line ?xy - junction ?xy2 - junction) 
    (diagonal ?x - junction ?y - junction)
    (at_car_jun ?c - car ?x - junction)
    (starting ?c - car ?x - garage)
    (arrived ?c - car ?x - junction)
    (road_connect ?r1 - road ?xy - junction ?xy2 - junction)
    (clear ?xy - junction)
    (in_place ?x - road)
    (at_car_road ?c - car ?x - road)
    (at_garage ?g - garage ?xy - junction)
)
(:functions (total-cost) - number)

(:action move_car_in_road
  :parameters (?xy_initial - junction ?xy_final - junction ?machine - car ?r1 - road)
  :precondition (and 
		(at_car_jun ?machine ?xy_initial) 
		(not (= ?xy_initial ?xy_final))
		(road_connect ?r1 ?xy_initial ?xy_final) 
		(in_place ?r1)
		)
  :effect (and  
		(clear ?xy_initial)
		(at_car_road ?machine ?r1)
		(not (at_car_jun ?machine ?xy_initial) )
		(increase (total-cost) 1)
		)
)

(:action move_car_out_road
  :parameters (?xy_initial - junction ?xy_final - junction ?machine - car ?r1 - road)
  :precondition (and 
		(at_car_road ?machine ?r1) 
		(clear ?xy_final) 
		(not (= ?xy_initial ?xy_final))
		(road_connect ?r1 ?xy_initial ?xy_final) 
		(in_place ?r1)
		)
  :effect (and  
		(at_car_jun ?machine ?xy_final)
		(not (clear ?xy_final))
		(not (at_car_road ?machine ?r1) )
		(increase (total-cost) 1)
		)
)

(:action car_arrived
  :parameters (?xy_final - junction ?machine - car )
  :precondition (and 
		(at_car_jun ?machine ?xy_final) 
		)
  :effect (and  
		(clear ?xy_final)
		(arrived ?machine ?xy_final)
		(not (at_car_jun ?machine ?xy_final))
		)
)

(:action car_start
  :parameters (?xy_final - junction ?machine - car ?g - garage)
  :precondition (and 
		(at_garage ?g ?xy_final) 
		(starting ?machine ?g)
		(clear ?xy_final)
		)
  :effect (and  
		(not (clear ?xy_final))
		(at_car_jun ?machine ?xy_final)
		(not (starting ?machine ?g))
		)
)

(:action build_straight_oneway
  :parameters (?xy_initial - junction ?xy_final - junction ?r1 - road)
  :precondition (and 
		(clear ?xy_final)
		(same_line ?xy_initial ?xy_final)
		(not (in_place ?r1))
		)
  :effect (and  
		(road_connect ?r1 ?xy_initial ?xy_final)
		(in_place ?r1)
                (increase (total-cost) 20)
		)
)

(:action destroy_road
  :parameters (?xy_initial - junction ?xy_final - junction ?r1 - road)
  :precondition (and 
		(road_connect ?r1 ?xy_initial ?xy_final)
		(in_place ?r1)
		)
  :effect (and  
		(not (in_place ?r1))
		(not (road_connect ?r1 ?xy_initial ?xy_final))
		(forall (?c1 - car)
                     (when (at_car_road ?c1 ?r1)
			(and
			  (not (at_car_road ?c1 ?r1))
			  (at_car_jun ?c1 ?xy_initial)
			)
		      )
		)
                (increase (total-cost) 10)
		)
)
)

(define (problem citycar-1-2-2)
(:domain citycar)
(:objects  
junction0-0 junction0-1 
junction1-1 - junction
car0 car1 - car
garage0 - garage
road0 - road
)
(:init
(same_line junction0-0 junction0-1)
(same_line junction0-1 junction0-0)
(same_line junction0-1 junction1-1)
(same_line junction1-1 junction0-1)
(diagonal junction0-0 junction1-1)
(clear junction0-0)
(clear junction0-1)
(clear junction1-1)
(at_garage garage0 junction0-0)
(starting car0 garage0)
(starting car1 garage0)
(= (total-cost) 0)
)
(:goal
(and
(arrived car0 junction0-1)
(arrived car1 junction1-1)
)
)
(:metric minimize (total-cost))
)
