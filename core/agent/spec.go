// Package agent reads the agent specifications of Crouse et al. (2023, 2024) and
// compiles them to automata.
//
//	(define react-agent
//	  (:states (Ques (:text "[Question]"))
//	           (Obs (:text "[Observation]") (:flags :env-input))
//	           (Act (:text "[Action]") (:one-of "Search" "Lookup")) …)
//	  (:behavior (next Ques (until (next Tht Act Act-Inp Obs) Final-Tht) Ans)))
//
// A behaviour denotes a set of non-empty words over the states, by segments:
//
//	s                  the word s
//	(or f g …)         the words of any of them
//	(next f g …)       a word of f, then one of g, …
//	(until f g)        words of f, zero or more, then one of g
//	(until_M f g)      at most M of them;  (until_m_M f g)  m to M
//	(always f)         words of f, one or more, with no end: it may stop after
//	                   each, but nothing can follow
//	(always_M f)       at most M words of f
//
// Beyond the papers, on the words as wholes:
//
//	(and f g …)        the words of all of them
//	(not f)            all other non-empty words
//	(-> f g)           the words that are none of f, or of g
//	(eventually f)     the words that have a word of f in them
//
// and, beside the behaviour, temporal formulas over the states that every run
// satisfies: (:require "G (Act -> X Act-Inp)" …).
//
// A state may say more of its content than its prompt:
//
//	(:one-of "Search" "Lookup")   it is one of these
//	(:matches "#E[0-9]+")         it matches a pattern as a whole
//	(:max-tokens 40)              it is no longer than that
//	(:flags :empty)               nothing stands in it
//	(:flags :env-input)           the environment writes it, …
//	(:from summary "sum.txt")     … in a way of its own, with a prompt from a file
//
// and the agent from which files its prompt is made: (:prompt "prompt.txt") and
// (:examples "examples/one.txt" …).
//
// Why segments and not temporal logic over single steps, as the papers write:
// read so, under one state a step, the papers' own agents accept what their
// figures forbid or nothing at all.
package agent

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Spec is a parsed text: an agent as it is written.
type Spec struct {
	File     *source.File
	Name     string
	NameSpan source.Span
	States   []State
	Behavior Behavior // nil where there is none that was understood
	Require  []Requirement
	Prompt   FileName   // of what a model is told; without a name the usual
	Examples []FileName // of transcripts that a model is shown

	tree *sexpr.File
	at   source.Span // of the behaviour, or what stands for it

	defined bool // it begins with "(define"
}

// State is a state of an agent.
type State struct {
	Name     string
	Text     string   // the prompt that the state's text begins with
	EnvInput bool     // its content comes from the environment, not the model
	Empty    bool     // it has no content
	OneOf    []string // its content is one of these; empty where anything goes
	Matches  string   // the pattern that its content matches; "" where anything goes
	// MaxTokens is how long its content may be, at four characters a token; 0: as
	// long as it likes.
	MaxTokens int
	// From says how the environment comes by the content, where that is said: one
	// of the From constants.
	From     string
	Prompt   FileName // of what a model is told that writes it for the environment
	Span     source.Span
	TextSpan source.Span

	matchesSpan source.Span // of the pattern, with its quotes
}

// Ways in which the environment comes by a content.
const (
	FromTools     = "tools"     // by calling what was asked for
	FromSummary   = "summary"   // by calling all that was asked for and summing the results up
	FromSolver    = "solver"    // by calling what was planned and answering from the results
	FromEvaluator = "evaluator" // by judging what was proposed
	FromPerson    = "person"    // by asking a person
)

var fromNames = []string{FromTools, FromSummary, FromSolver, FromEvaluator, FromPerson}

// FileName is the name of a file of the workspace, where it is written.
type FileName struct {
	Name string
	Span source.Span
}

// Requirement is a temporal formula that every run satisfies.
type Requirement struct {
	Formula *ltl.Formula
	Span    source.Span // of the text it stands in
}

// Behavior is one of [Step], [Or], [Next], [Until], [Always], [And], [Not],
// [Implies] and [Eventually].
type Behavior interface {
	behavior()
	Span() source.Span
}

// Step is one state: "Ques".
type Step struct {
	State int // index into the states
	span  source.Span
}

// Or is "(or f g …)".
type Or struct {
	Of   []Behavior
	span source.Span
}

// Next is "(next f g …)".
type Next struct {
	Of   []Behavior
	span source.Span
}

// Until is "(until f g)", "(until_M f g)" or "(until_m_M f g)".
type Until struct {
	Loop, Then Behavior
	Bounds     Bounds
	span       source.Span
}

// Always is "(always f)" or "(always_M f)".
type Always struct {
	Loop   Behavior
	Bounds Bounds
	span   source.Span
}

// And is "(and f g …)".
type And struct {
	Of   []Behavior
	span source.Span
}

// Not is "(not f)".
type Not struct {
	Of   Behavior
	span source.Span
}

// Implies is "(-> f g)".
type Implies struct {
	If, Then Behavior
	span     source.Span
}

// Eventually is "(eventually f)".
type Eventually struct {
	Of   Behavior
	span source.Span
}

// Bounds say how often a loop is gone through: Min to Max times, or, unless
// Bounded, any number of times.
type Bounds struct {
	Bounded  bool
	Min, Max int
}

func (Step) behavior()       {}
func (Or) behavior()         {}
func (Next) behavior()       {}
func (Until) behavior()      {}
func (Always) behavior()     {}
func (And) behavior()        {}
func (Not) behavior()        {}
func (Implies) behavior()    {}
func (Eventually) behavior() {}

// Span returns where the behaviour is written.
func (b Step) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Or) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Next) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Until) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Always) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b And) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Not) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Implies) Span() source.Span { return b.span }

// Span returns where the behaviour is written.
func (b Eventually) Span() source.Span { return b.span }

// Format prints the text again, tidied; see [sexpr.File.Format].
func (s *Spec) Format() string { return s.tree.Format() }
