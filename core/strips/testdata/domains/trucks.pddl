(define (domain Trucks)
(:requirements :adl :typing) 
(:types truckarea location locatable time - object
        truck package - locatable)

(:predicates (at ?x - locatable ?l - location)
	     (in ?p - package ?t - truck ?a - truckarea) 
	     (connected ?x ?y - location)
	     (free ?a - truckarea ?t - truck)
             (time-now ?t - time)
             (next ?t1 ?t2 - time)
             (le ?t1 ?t2 - time)
	     (delivered ?p - package ?l - location ?t - time) 
	     (at-destination ?p - package ?l - location)
	     (closer ?a1 ?a2 - truckarea))

(:action load
 :parameters (?p - package ?t - truck ?a1 - truckarea ?l - location)
 :precondition (and (at ?t ?l) (at ?p ?l) (free ?a1 ?t) 
		    (forall (?a2 - truckarea)
		       (imply (closer ?a2 ?a1) (free ?a2 ?t))))
 :effect (and (not (at ?p ?l)) (not (free ?a1 ?t)) (in ?p ?t ?a1)))

(:action unload
 :parameters (?p - package ?t - truck ?a1 - truckarea ?l - location)
 :precondition (and (at ?t ?l) (in ?p ?t ?a1) 
		    (forall (?a2 - truckarea)
			    (imply (closer ?a2 ?a1) (free ?a2 ?t))))
 :effect (and (not (in ?p ?t ?a1)) (free ?a1 ?t) (at ?p ?l)))

(:action drive
 :parameters (?t - truck ?from ?to - location ?t1 ?t2 - time)
 :precondition (and (at ?t ?from) (connected ?from ?to) (time-now ?t1) (next ?t1 ?t2))
 :effect (and (not (at ?t ?from)) (at ?t ?to) (not (time-now ?t1)) (time-now ?t2)))

(:action deliver
 :parameters (?p - package ?l - location ?t1 ?t2 - time)
 :precondition (and (at ?p ?l) (time-now ?t1) (le ?t1 ?t2))
 :effect (and (not (at ?p ?l)) (delivered ?p ?l ?t2) (at-destination ?p ?l)))
)

(define (problem truck-1)
(:domain Trucks)
(:objects
	truck1 - truck
	package1 package2 - package
	l1 l2 l3 - location
	t0 t1 t2 t3 - time
	a1 a2 - truckarea)
(:init
	(at truck1 l3)
	(free a1 truck1)
	(free a2 truck1)
	(closer a1 a2)
	(at package1 l2)
	(at package2 l2)
	(connected l1 l2) (connected l1 l3) (connected l2 l1)
	(connected l2 l3) (connected l3 l1) (connected l3 l2)
	(time-now t0)
	(next t0 t1) (next t1 t2) (next t2 t3)
	(le t1 t1) (le t1 t2) (le t1 t3) (le t2 t2) (le t2 t3) (le t3 t3))
(:goal (and
	(delivered package1 l3 t3)
	(delivered package2 l1 t2)))
)
