// Package strips plans by steps: objects, predicates that hold or do not, actions
// with preconditions and effects, a first state and a goal.
//
// The notation is the part of PDDL (McDermott et al. 1998) that is called :strips,
// with :typing, :negative-preconditions and :equality. What a text says besides is
// named and refused: a planner that passes over a condition gives plans that do not
// work. Case does not matter in PDDL, so all names are kept in lower case.
//
// The stages: [Parse] a text to a [Spec]; [Ground] its actions over its objects to a
// [Task]; [Task.Encode] that to SMT-LIB 2 for a number of steps; [Search] for the
// least number that is satisfiable. [Validate] does not rest on any of them: it
// carries a plan out on the spec as written.
//
// Why an encoding for each number of steps, and not one with a number left open: with
// all steps there, a solver has to do with propositions alone, and the first number
// that is satisfiable is the length of a shortest plan (Kautz and Selman 1992).
package strips

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Object is the type that every object has.
const Object = "object"

// Equal is the predicate that holds of a thing and itself only. It may stand in
// preconditions.
const Equal = "="

// Type is a kind of objects: "block - thing".
type Type struct {
	Name, Parent string
	Span         source.Span
}

// Typed is an object, or a parameter without its question mark: "a - block".
type Typed struct {
	Name, Type string
	Span       source.Span
}

// Predicate is what may hold of objects: "(on ?x ?y - block)".
type Predicate struct {
	Name       string
	Parameters []Typed
	Span       source.Span
}

// Atom is a predicate of terms: "(on ?x b)". A term with a question mark is a
// parameter, another an object.
type Atom struct {
	Predicate string
	Terms     []string
	Span      source.Span
	places    []source.Span // of the terms
}

// String returns the atom as it is written.
func (a Atom) String() string {
	return "(" + strings.Join(append([]string{a.Predicate}, a.Terms...), " ") + ")"
}

// Literal is an atom that has to hold, or not to hold: "(not (clear ?x))".
type Literal struct {
	Atom
	Negated bool
}

// String returns the literal as it is written.
func (l Literal) String() string {
	if l.Negated {
		return "(not " + l.Atom.String() + ")"
	}
	return l.Atom.String()
}

// Action is what can be done: its precondition has to hold in a state, its effect
// holds in the next. What an effect makes both true and false is true.
type Action struct {
	Name         string
	Parameters   []Typed
	Precondition []Literal
	Effect       []Literal
	Span         source.Span
}

// Domain is what a kind of problems has in common.
type Domain struct {
	Name       string
	Types      []Type
	Constants  []Typed
	Predicates []Predicate
	Actions    []Action
	Span       source.Span
}

// Problem is a first state and a goal.
type Problem struct {
	Name    string
	Domain  string
	Objects []Typed
	Init    []Atom // all that holds; all else does not
	Goal    []Literal
	Span    source.Span
}

// Spec is a domain, a problem or both.
type Spec struct {
	Domain  *Domain
	Problem *Problem
}

// predicate returns a predicate by its name, nil where there is none.
func (d *Domain) predicate(name string) *Predicate {
	for i := range d.Predicates {
		if d.Predicates[i].Name == name {
			return &d.Predicates[i]
		}
	}
	return nil
}

// Action returns an action by its name, nil where there is none.
func (d *Domain) Action(name string) *Action {
	for i := range d.Actions {
		if d.Actions[i].Name == name {
			return &d.Actions[i]
		}
	}
	return nil
}

// isA reports whether everything of a type is of another.
func (d *Domain) isA(name, wanted string) bool {
	for range len(d.Types) + 1 {
		if name == wanted || wanted == Object {
			return true
		}
		name = d.parent(name)
	}
	return false
}

func (d *Domain) parent(name string) string {
	for _, t := range d.Types {
		if t.Name == name {
			return t.Parent
		}
	}
	return Object
}

// objects returns the constants of the domain and the objects of a problem.
func (d *Domain) objects(p *Problem) []Typed {
	if p == nil {
		return d.Constants
	}
	return append(append([]Typed(nil), d.Constants...), p.Objects...)
}
