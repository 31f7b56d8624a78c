(define (domain tetris)
(:requirements :strips :typing :equality :negative-preconditions :action-costs)
(:types  
	position  ; position of the grid
	one_square two_straight right_l - piece)

(:predicates
	(clear ?xy - position)
	(at_square ?element - one_square ?xy - position)
	(at_two ?element - two_straight ?xy - position ?xy2 - position)
	(at_right_l ?element - right_l ?xy - position ?xy2 - position ?xy3 - position)
	(connected ?x - position ?y - position)
)

(:functions 
(total-cost) - number)

(:action move_square
:parameters (?xy_initial - position ?xy_final - position ?element - one_square )
:precondition (and 
		(clear ?xy_final) 
		(at_square ?element ?xy_initial) 
		(connected ?xy_initial ?xy_final) 
		(connected ?xy_final ?xy_initial)
		)
:effect (and  
		(clear ?xy_initial) 
		(at_square ?element ?xy_final) 

		(not (clear ?xy_final))
		(not (at_square ?element ?xy_initial) )
		(increase (total-cost) 1)
		)
)

(:action move_two
:parameters (?xy_initial1 - position ?xy_initial2 - position ?xy_final - position ?element - two_straight )
:precondition (and 
		(clear ?xy_final) 
		(at_two ?element ?xy_initial1 ?xy_initial2)
		(connected ?xy_initial2 ?xy_final) 
		(not (= ?xy_initial1 ?xy_final))
		)
:effect (and  
		(clear ?xy_initial1) 
		(at_two ?element ?xy_initial2 ?xy_final)

		(not (clear ?xy_final))
		(not (at_two ?element ?xy_initial1 ?xy_initial2))
		(increase (total-cost) 2)
		)
)

(:action move_l_right
:parameters (?xy_initial1 - position ?xy_initial2 - position ?xy_initial3 - position ?xy_final - position ?xy_final2 - position ?element - right_l)
:precondition (and 
		(clear ?xy_final)
		(clear ?xy_final2)
		(at_right_l ?element ?xy_initial1 ?xy_initial2 ?xy_initial3)
		(connected ?xy_initial1 ?xy_final) 
		(connected ?xy_initial3 ?xy_final2) 
		(connected ?xy_initial2 ?xy_final2) 
		)
:effect (and  
		(clear ?xy_initial1) 
		(clear ?xy_initial3) 
		(at_right_l ?element ?xy_final ?xy_initial2 ?xy_final2)
		(not (clear ?xy_final))
		(not (clear ?xy_final2))
		(not (at_right_l ?element ?xy_initial1 ?xy_initial2 ?xy_initial3))
		(increase (total-cost) 3)
		)
)
)

(define (problem Tetris-3-2-2-1234)
(:domain tetris)
(:objects  
f0-0f f0-1f 
f1-0f f1-1f 
f2-0f f2-1f - position
square0 square1 - one_square
straight0 - two_straight
)
(:init
(connected f0-0f f0-1f)
(connected f0-1f f0-0f)
(connected f1-0f f1-1f)
(connected f1-1f f1-0f)
(connected f2-0f f2-1f)
(connected f2-1f f2-0f)
(connected f0-0f f1-0f)
(connected f1-0f f0-0f)
(connected f0-1f f1-1f)
(connected f1-1f f0-1f)
(connected f1-0f f2-0f)
(connected f2-0f f1-0f)
(connected f1-1f f2-1f)
(connected f2-1f f1-1f)
(clear f2-0f)
(clear f2-1f)
(at_square square0 f0-0f)
(at_square square1 f0-1f)
(at_two straight0 f1-0f f1-1f)
(=(total-cost) 0)
)
(:goal
(and
(clear f0-0f)
(clear f0-1f)
)
)
(:metric minimize (total-cost))
)
