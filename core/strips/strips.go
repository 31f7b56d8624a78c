// Package strips finds plans with steps: objects, predicates, actions with preconditions
// and effects, an initial state and a goal.
//
// The notation is PDDL (McDermott et al. 1998; Fox and Long 2003) without time: conditions
// of first-order logic, derived predicates, conditional effects, numbers and action costs. Any other part of
// PDDL is an error that names the part: a planner that ignores a condition returns plans
// that do not work. PDDL ignores case, so all names are kept in lower case.
//
// The stages: [Parse] reads a text to a [Spec]; [Ground] instantiates its actions with its
// objects to a [Task]; [Task.Encode] translates that to SMT-LIB 2 for a number of steps;
// [Search] finds the smallest number of steps whose encoding is satisfiable. For a task
// with costs, or with more than literals, [Encoding.Cheapest] searches for a plan without
// a solver, and its texts are for other tools. [Validate] uses none of these: it executes
// a plan on the spec as written.
//
// Why each number of steps has an encoding, instead of one encoding with a variable
// number: with all steps present the solver has only propositions to decide, and the
// first satisfiable number is the length of a shortest plan (Kautz and Selman 1992).
package strips

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Object is the type of every object.
const Object = "object"

// Equal is the predicate that is true if its two terms are the same object. It is allowed
// in preconditions.
const Equal = "="

// Type is a declared type: "block - thing". The parent "(either a b)" is a supertype of
// two types: an object of the type is of both.
type Type struct {
	Name, Parent string
	Span         source.Span
}

// Typed is an object, or a parameter without its question mark: "a - block".
type Typed struct {
	Name, Type string
	Span       source.Span

	typeAt source.Span   // of the type, if it is written
	parts  []source.Span // of the names in (either …)
}

// Predicate is a declared predicate: "(on ?x ?y - block)".
type Predicate struct {
	Name       string
	Parameters []Typed
	Span       source.Span
}

// Atom is a predicate with terms: "(on ?x b)". A term with a question mark is a
// parameter; any other term is an object.
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

// Literal is an atom or its negation: "(not (clear ?x))".
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

// Action is a declared action. Its precondition must be true in a state, and its effect
// is true in the next. A fact that an effect makes both true and false becomes true.
type Action struct {
	Name         string
	Parameters   []Typed
	Precondition []Literal
	Conditions   []*Condition // more preconditions
	Effect       []Literal
	Effects      []Effect // more effects
	Span         source.Span
}

// Domain is the common part of a family of problems.
type Domain struct {
	Name       string
	Types      []Type
	Constants  []Typed
	Predicates []Predicate
	Functions  []Predicate
	Actions    []Action
	Axioms     []Axiom // of the derived predicates
	Span       source.Span

	uses     []use
	declared map[string]bool // requirements
}

// Problem is an initial state and a goal.
type Problem struct {
	Name    string
	Domain  string
	Objects []Typed
	Init    []Atom // all true atoms; all others are false
	Values  []Value
	Goal    []Literal
	Goals   []*Condition   // more conditions of the goal
	Metric  *Number        // the cost of the plan; nil: the number of steps
	Largest bool           // the metric is maximized, not minimized
	Length  map[string]int // the hint (:length (:serial n) (:parallel m)) by its words
	Span    source.Span

	domainAt source.Span // of the name of the domain
	initAt   source.Span // of the keyword :init
	uses     []use
	declared map[string]bool // requirements
	end      source.Pos      // the place of a missing requirement
	section  bool            // of requirements
	close    source.Pos      // of its closing parenthesis
}

// HasInit reports whether the problem has a section :init.
func (p *Problem) HasInit() bool { return p.initAt.Len() > 0 }

// Spec is a domain, a problem or both.
type Spec struct {
	Domain  *Domain
	Problem *Problem
}

// predicate returns a predicate by its name, or nil.
func (d *Domain) predicate(name string) *Predicate {
	for i := range d.Predicates {
		if d.Predicates[i].Name == name {
			return &d.Predicates[i]
		}
	}
	return nil
}

// function returns a function by its name, or nil.
func (d *Domain) function(name string) *Predicate {
	for i := range d.Functions {
		if d.Functions[i].Name == name {
			return &d.Functions[i]
		}
	}
	return nil
}

// Action returns an action by its name, or nil.
func (d *Domain) Action(name string) *Action {
	for i := range d.Actions {
		if d.Actions[i].Name == name {
			return &d.Actions[i]
		}
	}
	return nil
}

// objects returns the constants of the domain and the objects of a problem.
func (d *Domain) objects(p *Problem) []Typed {
	if p == nil {
		return d.Constants
	}
	return append(append([]Typed(nil), d.Constants...), p.Objects...)
}
