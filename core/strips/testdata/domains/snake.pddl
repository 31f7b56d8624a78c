(define (domain snake)
(:requirements :strips :negative-preconditions)
(:constants
    dummypoint
)
(:predicates
    (ISADJACENT ?x ?y)       ;; the fields of the board
    (tailsnake ?x)
    (headsnake ?x)
    (nextsnake ?x ?y)        ;; y is behind x in the snake
    (blocked ?x)
    (spawn ?x)
    (NEXTSPAWN ?x ?y)
    (ispoint ?x)
)
(:action move
    :parameters (?head ?newhead ?tail ?newtail)
    :precondition
    (and
        (headsnake ?head)
        (ISADJACENT ?head ?newhead)
        (tailsnake ?tail)
        (nextsnake ?newtail ?tail)
        (not (blocked ?newhead))
        (not (ispoint ?newhead))
    )
    :effect
    (and
        (blocked ?newhead)
        (headsnake ?newhead)
        (nextsnake ?newhead ?head)
        (not (headsnake ?head))
        (not (blocked ?tail))
        (not (tailsnake ?tail))
        (not (nextsnake ?newtail ?tail))
        (tailsnake ?newtail)
    )
)
(:action move-and-eat-no-spawn
    :parameters (?head ?newhead)
    :precondition
    (and
        (headsnake ?head)
        (ISADJACENT ?head ?newhead)
        (not (blocked ?newhead))
        (ispoint ?newhead)
        (spawn dummypoint)
    )
    :effect
    (and
        (blocked ?newhead)
        (headsnake ?newhead)
        (nextsnake ?newhead ?head)
        (not (headsnake ?head))
        (not (ispoint ?newhead))
    )
)
(:action move-and-eat-spawn
    :parameters  (?head ?newhead ?spawnpoint ?nextspawnpoint)
    :precondition
    (and
        (headsnake ?head)
        (ISADJACENT ?head ?newhead)
        (not (blocked ?newhead))
        (ispoint ?newhead)
        (spawn ?spawnpoint)
        (NEXTSPAWN ?spawnpoint ?nextspawnpoint)
        (not (= ?spawnpoint dummypoint))
    )
    :effect
    (and
        (blocked ?newhead)
        (headsnake ?newhead)
        (nextsnake ?newhead ?head)
        (not (headsnake ?head))
        (not (ispoint ?newhead))
        (ispoint ?spawnpoint)
        (not (spawn ?spawnpoint))
        (spawn ?nextspawnpoint)
    )
)
)

(define (problem snake-empty-3x2-1-3-1)
(:domain snake)
(:objects
    pos0-0 pos1-0 pos2-0
    pos0-1 pos1-1 pos2-1
)
(:init
    (ISADJACENT pos0-0 pos1-0) (ISADJACENT pos1-0 pos0-0)
    (ISADJACENT pos1-0 pos2-0) (ISADJACENT pos2-0 pos1-0)
    (ISADJACENT pos0-1 pos1-1) (ISADJACENT pos1-1 pos0-1)
    (ISADJACENT pos1-1 pos2-1) (ISADJACENT pos2-1 pos1-1)
    (ISADJACENT pos0-0 pos0-1) (ISADJACENT pos0-1 pos0-0)
    (ISADJACENT pos1-0 pos1-1) (ISADJACENT pos1-1 pos1-0)
    (ISADJACENT pos2-0 pos2-1) (ISADJACENT pos2-1 pos2-0)
    (tailsnake pos0-0)
    (headsnake pos1-0)
    (nextsnake pos1-0 pos0-0)
    (blocked pos0-0)
    (blocked pos1-0)
    (spawn pos0-1)
    (NEXTSPAWN pos0-1 pos2-0)
    (NEXTSPAWN pos2-0 dummypoint)
    (ispoint pos2-1)
)
(:goal
(and
    (not (ispoint pos0-1))
    (not (ispoint pos2-0))
    (not (ispoint pos2-1))
    (spawn dummypoint)
)
)
)
