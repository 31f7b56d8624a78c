(define (domain driverlog)
  (:requirements :typing :fluents) 
  (:types         location locatable - object
		driver truck obj - locatable
  )
  (:predicates 
		(at ?obj - locatable ?loc - location)
		(in ?obj1 - obj ?obj - truck)
		(driving ?d - driver ?v - truck)
		(link ?x ?y - location) (path ?x ?y - location)
		(empty ?v - truck)
)
  (:functions (time-to-walk ?l ?l1 - location)
   (time-to-drive ?l ?l1 - location)
   (driven)
   (walked))

(:action LOAD-TRUCK
  :parameters
   (?obj - obj
    ?truck - truck
    ?loc - location)
  :precondition
   (and (at ?truck ?loc) (at ?obj ?loc))
  :effect
   (and (not (at ?obj ?loc)) (in ?obj ?truck)))

(:action UNLOAD-TRUCK
  :parameters
   (?obj - obj
    ?truck - truck
    ?loc - location)
  :precondition
   (and (at ?truck ?loc) (in ?obj ?truck))
  :effect
   (and (not (in ?obj ?truck)) (at ?obj ?loc)))

(:action BOARD-TRUCK
  :parameters
   (?driver - driver
    ?truck - truck
    ?loc - location)
  :precondition
   (and (at ?truck ?loc) (at ?driver ?loc) (empty ?truck))
  :effect
   (and (not (at ?driver ?loc)) (driving ?driver ?truck) (not (empty ?truck))))

(:action DISEMBARK-TRUCK
  :parameters
   (?driver - driver
    ?truck - truck
    ?loc - location)
  :precondition
   (and (at ?truck ?loc) (driving ?driver ?truck))
  :effect
   (and (not (driving ?driver ?truck)) (at ?driver ?loc) (empty ?truck)))

(:action DRIVE-TRUCK
  :parameters
   (?truck - truck
    ?loc-from - location
    ?loc-to - location
    ?driver - driver)
  :precondition
   (and (at ?truck ?loc-from)
   (driving ?driver ?truck) (link ?loc-from ?loc-to))
  :effect
   (and (not (at ?truck ?loc-from)) (at ?truck ?loc-to)
	(increase (driven) (time-to-drive ?loc-from ?loc-to))))

(:action WALK
  :parameters
   (?driver - driver
    ?loc-from - location
    ?loc-to - location)
  :precondition
   (and (at ?driver ?loc-from) (path ?loc-from ?loc-to))
  :effect
   (and (not (at ?driver ?loc-from)) (at ?driver ?loc-to)
	(increase (walked) (time-to-walk ?loc-from ?loc-to))))
)

(define (problem DLOG-1-1-1)
	(:domain driverlog)
	(:objects
	driver1 - driver
	truck1 - truck
	package1 - obj
	s0 - location
	s1 - location
	s2 - location
	p0-1 - location
	)
	(:init
	(at driver1 s2)
	(at truck1 s0)
	(empty truck1)
	(at package1 s0)
	(path s2 p0-1)
	(path p0-1 s2)
	(path s0 p0-1)
	(path p0-1 s0)
	(= (time-to-walk s2 p0-1) 13)
	(= (time-to-walk p0-1 s2) 13)
	(= (time-to-walk s0 p0-1) 99)
	(= (time-to-walk p0-1 s0) 99)
	(link s0 s1)
	(link s1 s0)
	(= (time-to-drive s0 s1) 84)
	(= (time-to-drive s1 s0) 84)
	(link s0 s2)
	(link s2 s0)
	(= (time-to-drive s0 s2) 21)
	(= (time-to-drive s2 s0) 21)
	(link s2 s1)
	(link s1 s2)
	(= (time-to-drive s2 s1) 40)
	(= (time-to-drive s1 s2) 40)
	(= (driven) 0)
	(= (walked) 0)
)
	(:goal (and
	(at driver1 s2)
	(at package1 s1)
	))

(:metric minimize (+ (* 2  (driven)) (* 3  (walked))))

)

(define (problem DLOG-1-1-1-steps)
	(:domain driverlog)
	(:objects
	driver1 - driver
	truck1 - truck
	package1 - obj
	s0 - location
	s1 - location
	s2 - location
	p0-1 - location
	)
	(:init
	(at driver1 s2)
	(at truck1 s0)
	(empty truck1)
	(at package1 s0)
	(path s2 p0-1)
	(path p0-1 s2)
	(path s0 p0-1)
	(path p0-1 s0)
	(= (time-to-walk s2 p0-1) 13)
	(= (time-to-walk p0-1 s2) 13)
	(= (time-to-walk s0 p0-1) 99)
	(= (time-to-walk p0-1 s0) 99)
	(link s0 s1)
	(link s1 s0)
	(= (time-to-drive s0 s1) 84)
	(= (time-to-drive s1 s0) 84)
	(link s0 s2)
	(link s2 s0)
	(= (time-to-drive s0 s2) 21)
	(= (time-to-drive s2 s0) 21)
	(link s2 s1)
	(link s1 s2)
	(= (time-to-drive s2 s1) 40)
	(= (time-to-drive s1 s2) 40)
	(= (driven) 0)
	(= (walked) 0)
)
	(:goal (and
	(at driver1 s2)
	(at package1 s1)
	))

(:metric minimize (total-time))

)

(define (problem DLOG-1-1-1-both)
	(:domain driverlog)
	(:objects
	driver1 - driver
	truck1 - truck
	package1 - obj
	s0 - location
	s1 - location
	s2 - location
	p0-1 - location
	)
	(:init
	(at driver1 s2)
	(at truck1 s0)
	(empty truck1)
	(at package1 s0)
	(path s2 p0-1)
	(path p0-1 s2)
	(path s0 p0-1)
	(path p0-1 s0)
	(= (time-to-walk s2 p0-1) 13)
	(= (time-to-walk p0-1 s2) 13)
	(= (time-to-walk s0 p0-1) 99)
	(= (time-to-walk p0-1 s0) 99)
	(link s0 s1)
	(link s1 s0)
	(= (time-to-drive s0 s1) 102)
	(= (time-to-drive s1 s0) 84)
	(link s0 s2)
	(link s2 s0)
	(= (time-to-drive s0 s2) 21)
	(= (time-to-drive s2 s0) 21)
	(link s2 s1)
	(link s1 s2)
	(= (time-to-drive s2 s1) 40)
	(= (time-to-drive s1 s2) 40)
	(= (driven) 0)
	(= (walked) 0)
)
	(:goal (and
	(at driver1 s2)
	(at package1 s1)
	))

(:metric minimize (+ (* 40 (total-time)) (* 1 (driven))))

)
