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
//	(or f g …)         the words of f, the words of g, …
//	(next f g …)       a word of f, then one of g, …
//	(until f g)        words of f, zero or more, then one of g
//	(until_M f g)      at most M words of f, then one of g;
//	                   (until_m_M f g): m to M words of f
//	(always f)         words of f, one or more, with no end: it may stop after
//	                   each, but nothing can follow
//	(always_M f)       at most M words of f
//
// Beyond the papers, on complete words:
//
//	(and f g …)        the words that f, g, … have in common
//	(not f)            all non-empty words that are not words of f
//	(-> f g)           the words that are not words of f, or are words of g
//	(eventually f)     the words that contain a word of f
//
// and, in addition to the behaviour, temporal formulas over the states that every run satisfies:
// (:require "G (Act -> X Act-Inp)" …).
//
// A state may restrict its content:
//
//	(:one-of "Search" "Lookup")   one of these texts
//	(:matches "#E[0-9]+")         the content matches a pattern
//	(:max-tokens 40)              at most 40 tokens
//	(:flags :empty)               no content
//	(:flags :env-input)           the environment writes the content, …
//	(:from summary "sum.txt")     … from this source, with a prompt from a file
//
// may declare other texts that a model writes for its prompt, at the start of a line:
//
//	(:aliases "Thought:" "**Thought:**")
//
// and the agent names the files of its prompt: (:prompt "prompt.txt") and (:examples
// "examples/one.txt" …).
//
// Segments replace the papers' temporal logic over single steps: with one state per
// step, the papers' own agents would accept runs that their figures forbid, or no run
// at all.
package agent

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Spec is a parsed text: an agent as written.
type Spec struct {
	File     *source.File
	Name     string
	NameSpan source.Span
	States   []State
	Behavior Behavior // nil if there is no valid one
	Require  []Requirement
	Prompt   FileName   // the prompt of the model; the default if it has no name
	Examples []FileName // of transcripts that a model is shown

	tree *sexpr.File
	at   source.Span // of the behaviour, or the closest position if it is missing

	defined bool // it begins with "(define"
}

// State is a state of an agent.
type State struct {
	Name     string
	Text     string   // the prompt that the state's text begins with
	EnvInput bool     // its content comes from the environment, not the model
	Empty    bool     // it has no content
	OneOf    []string // its content is one of these; empty if any text is allowed
	Matches  string   // the pattern that its content matches; "" if any text is allowed
	// MaxTokens is the maximum length of its content, at four characters a token; 0: no limit.
	MaxTokens int
	// Aliases are texts that count as the prompt at the start of a line, see [Alias].
	Aliases []Alias
	// From is the source of the environment's content, one of the From constants, or "".
	From     string
	Prompt   FileName // the prompt of the model that writes the content for the environment
	Span     source.Span
	TextSpan source.Span

	matchesSpan source.Span // of the pattern, with its quotes
}

// Alias is a text of one line, which a model may write at the start of a line in place of a state's prompt.
// Space in front of it does not matter. Of several prompts and aliases at a place, the longest counts.
type Alias struct {
	Text string
	Span source.Span
}

// Sources of content that the environment writes.
const (
	FromTools     = "tools"     // by running the requested calls
	FromSummary   = "summary"   // by running all requested calls and summarizing the results
	FromSolver    = "solver"    // by running the planned calls and answering from the results
	FromEvaluator = "evaluator" // by judging the proposals
	FromPerson    = "person"    // by asking a person
)

var fromNames = []string{FromTools, FromSummary, FromSolver, FromEvaluator, FromPerson}

// FileName is the name of a file of the workspace, with its position.
type FileName struct {
	Name string
	Span source.Span
}

// Requirement is a temporal formula that every run satisfies.
type Requirement struct {
	Formula *ltl.Formula
	Span    source.Span // of the formula's text
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

// Bounds are the numbers of iterations of a loop: Min to Max times, or, unless Bounded, any number
// of times.
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

// Span returns the behaviour's position in the source.
func (b Step) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Or) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Next) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Until) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Always) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b And) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Not) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Implies) Span() source.Span { return b.span }

// Span returns the behaviour's position in the source.
func (b Eventually) Span() source.Span { return b.span }

// Format prints the text again, tidied; see [sexpr.File.Format].
func (s *Spec) Format() string { return s.tree.Format() }
