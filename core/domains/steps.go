package domains

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// The four domains of LLMFP with steps. Predicates and actions are those of the data sets
// (see core/testdata/README.md); the texts are ours.
const (
	Blocksworld = `; A hand moves blocks, one at a time, between a table and the tops of other blocks.
(define (domain blocksworld)
  (:requirements :strips)
  (:predicates (handempty) (holding ?x) (ontable ?x) (on ?x ?y) (clear ?x))
  (:action pick-up
    :parameters (?x)
    :precondition (and (handempty) (ontable ?x) (clear ?x))
    :effect (and (holding ?x) (not (handempty)) (not (ontable ?x)) (not (clear ?x))))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (handempty) (ontable ?x) (clear ?x) (not (holding ?x))))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (handempty) (on ?x ?y) (clear ?x) (not (holding ?x)) (not (clear ?y))))
  (:action unstack
    :parameters (?x ?y)
    :precondition (and (handempty) (on ?x ?y) (clear ?x))
    :effect (and (holding ?x) (clear ?y) (not (handempty)) (not (on ?x ?y)) (not (clear ?x)))))
`

	MysteryBlocksworld = `; Blocksworld with meaningless names, so that only the rules carry information.
(define (domain mystery-blocksworld)
  (:requirements :strips)
  (:predicates (harmony) (pain ?x) (planet ?x) (craves ?x ?y) (province ?x))
  (:action attack
    :parameters (?x)
    :precondition (and (harmony) (planet ?x) (province ?x))
    :effect (and (pain ?x) (not (harmony)) (not (planet ?x)) (not (province ?x))))
  (:action succumb
    :parameters (?x)
    :precondition (pain ?x)
    :effect (and (harmony) (planet ?x) (province ?x) (not (pain ?x))))
  (:action overcome
    :parameters (?x ?y)
    :precondition (and (pain ?x) (province ?y))
    :effect (and (harmony) (craves ?x ?y) (province ?x) (not (pain ?x)) (not (province ?y))))
  (:action feast
    :parameters (?x ?y)
    :precondition (and (harmony) (craves ?x ?y) (province ?x))
    :effect (and (pain ?x) (province ?y) (not (harmony)) (not (craves ?x ?y)) (not (province ?x)))))
`

	Movie = `; An evening with a film: snacks are fetched, the film is watched, and in the end the tape is
; rewound with its counter at zero.
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
`

	Gripper = `; Robots with two grippers each carry balls from room to room.
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
`
)

// Instance is an instance in the form of the data sets: atoms without parentheses, objects
// without types.
type Instance struct {
	Name                string
	Objects, Init, Goal []string
}

// Problem returns the PDDL text of an instance. The type of an object is the last part of
// its name without the number: rgripper1 is a gripper.
func (i Instance) Problem(d *strips.Domain) string {
	p := &strips.Problem{Name: i.Name, Domain: d.Name}
	for _, o := range i.Objects {
		kind := strips.Object
		for _, t := range d.Types {
			if strings.HasSuffix(strings.TrimRight(o, "0123456789"), t.Name) {
				kind = t.Name
			}
		}
		p.Objects = append(p.Objects, strips.Typed{Name: o, Type: kind})
	}
	for _, text := range i.Init {
		p.Init = append(p.Init, atom(text))
	}
	for _, text := range i.Goal {
		p.Goal = append(p.Goal, strips.Literal{Atom: atom(text)})
	}
	return p.String()
}

func atom(text string) strips.Atom {
	words := strings.Fields(text)
	return strips.Atom{Predicate: words[0], Terms: words[1:]}
}

// Steps parses one of the four texts. A test checks that they are valid.
func Steps(text string) *strips.Domain {
	spec, _ := strips.Parse(source.NewFile("domain.pddl", text))
	return spec.Domain
}
