package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/workspace"
)

// Entry says what words of a notation mean.
type Entry struct {
	Words   []string // that are written alike: the usual one first
	Form    string   // how they are used
	Text    string   // what that means, in sentences
	Example string   // a whole file
}

// Reference returns what the words of a notation mean, in the order in which a person
// meets them. It is what an editor shows and what the manual is made of.
func Reference(kind workspace.Kind) []Entry {
	switch kind {
	case workspace.KindTeam:
		return teamReference
	case workspace.KindSMT:
		return smtReference
	case workspace.KindLP:
		return lpReference
	case workspace.KindPDDL:
		return stepsReference
	}
	return reference[kind]
}

// entry returns what a word means.
func entry(kind workspace.Kind, word string) (Entry, bool) {
	folded := kind == workspace.KindLP || kind == workspace.KindPDDL // in which case does not matter
	for _, e := range Reference(kind) {
		if slices.Contains(e.Words, word) || folded && slices.Contains(e.Words, strings.ToLower(word)) {
			return e, true
		}
	}
	return Entry{}, false
}

var reference = map[workspace.Kind][]Entry{
	workspace.KindGrammar: {
		{[]string{"->", "→", "::="}, "S -> a S b", "A production: what stands left may be replaced by what stands right. A symbol that never stands left is a terminal, a step of a plan.", "S -> a S b | a b\n"},
		{[]string{"|"}, "S -> a | b", "Another right side for the same symbol. A line that begins with it goes on with the rule above.", "S -> a\n  | b\n"},
		{[]string{"ε", "%empty"}, "S -> a S | ε", "The empty word: the symbol may be left out.", "S -> a S | ε\n"},
		{[]string{"%start"}, "%start S", "The symbol that words are derived from. Without it that is the first left side.", "%start S\nT -> a\nS -> T T\n"},
		{[]string{"%subset"}, "%subset A onions garlic", "The symbol stands for some of these, at least one, in the order in which they are written here.", "S -> mix A\n%subset A onions garlic \"cooking oil\"\n"},
		{[]string{"as"}, `a as "Cut the onions"`, "What a person and a model read for a symbol, or for the production before it.", "S -> a b as \"First a, then b.\"\na as \"Cut the onions\"\n"},
		{[]string{"limit"}, "limit 2 a b", "How often each of these terminals may be used in a word.", "S -> a S | b S | a\nlimit 2 a b\n"},
		{[]string{"each"}, "limit 1 each", "Every terminal has this limit.", "S -> a S | b\nlimit 1 each\n"},
		{[]string{"except"}, "limit 1 each except b", "These terminals have no such limit.", "S -> a S | b S | a\nlimit 1 each except b\n"},
	},
	workspace.KindPushdown: {
		{[]string{"start"}, "start q0 Z", "The state to begin in, and the symbol that the stack holds then.", "start q0 Z\naccept q1\nq0 -> q1 (a, Z; Z)\n"},
		{[]string{"accept"}, "accept q1 q2", "States in which a word may end.", "start q0 Z\naccept q0 q1\nq0 -> q1 (a, Z; Z)\n"},
		{[]string{"empty"}, "accept empty", "A word may end where the stack is empty.", "start q Z\naccept empty\nq -> q (a, Z; Z Z) (b, Z; ε)\n"},
		{[]string{"ε"}, "q0 -> q1 (ε, Z; Z)", "Nothing: no letter is read, or no symbol is popped or pushed.", "start q0 Z\naccept q1\nq0 -> q1 (ε, Z; Z)\n"},
		{[]string{"*"}, "q0 -> q1 (a, *; *)", "Any letter, any symbol on top, and, behind the semicolon, the symbol that was popped.", "start q0 Z\naccept q1\nq0 -> q1 (a, *; *)\n"},
		{[]string{"as"}, `a as "Have a meal"`, "What a person and a model read for a letter, or for the transition before it.", "start q0 Z\naccept q1\nq0 -> q1 (a, Z; Z) as \"At noon\"\na as \"Have a meal\"\n"},
		{[]string{"{*}"}, `q0 -> q1 (a, *; *) as "10:00 {*}"`, "In the text of a transition: what its letter is called.", "start q0 Z\naccept q1\nq0 -> q1 (a, *; *) as \"10:00 {*}\"\na as \"Have a meal\"\n"},
		{[]string{"for"}, "for h in 20..11 { h -> h-1 (e, *; *) }", "A family: what stands in the braces, once for each value of the variable. Parts of names between slashes that are arithmetic over it become its value; so does {h}.", "start 3 Z\naccept 0\nfor h in 3..1 { h -> h-1 (e, *; *) }\n"},
		{[]string{"in"}, "for d in [mon tue] { … }", "What a variable runs through: a range such as 20..11, or a list of words.", "start mon Z\naccept end\nfor d in [mon tue] { d -> end (e, *; *) }\n"},
		{[]string{"if"}, "for h in 5..1, g in 0..3 if h > g { … }", "Only the values for which this holds: = != < <= > >=, and, or, not, + - *.", "start 2/1 Z\naccept 1/1\nfor h in 5..1, g in 0..3 if h > g { h/g -> h-1/g (e, *; *) }\n"},
		{[]string{"limit"}, "limit 2 a b", "How often each of these letters may be read in a word.", "start q0 Z\naccept q0\nq0 -> q0 (a, *; *) (b, *; *)\nlimit 2 a b\n"},
		{[]string{"each"}, "limit 1 each", "Every letter has this limit.", "start q0 Z\naccept q0\nq0 -> q0 (a, *; *)\nlimit 1 each\n"},
		{[]string{"except"}, "limit 1 each except b", "These letters have no such limit.", "start q0 Z\naccept q0\nq0 -> q0 (a, *; *) (b, *; *)\nlimit 1 each except b\n"},
		{[]string{"backwards"}, "backwards", "Words are written from their last step to the first; a plan is turned round before it is shown.", "start q0 Z\naccept q1\nq0 -> q1 (a, Z; Z)\nbackwards\n"},
	},
	workspace.KindFlow: {
		{[]string{"ask"}, `ask sold "May it be sold?" yes -> good no -> stop`, "A question, its answers, and where each leads.", "ask sold \"May it be sold?\"\n  yes -> good\n  no -> stop\naccept good\n"},
		{[]string{"some"}, "some europe usa china -> next", "Answers of which several may be taken, in this order.", "ask where \"Where is it sold?\"\n  some europe usa china -> good\naccept good\n"},
		{[]string{"enough"}, "", "How the choice among answers of which several may be taken ends.", "ask where \"Where is it sold?\"\n  some europe usa -> good\naccept good\n"},
		{[]string{"as"}, `yes -> good as "It may be sold."`, "What the answer says, which becomes a line of the report.", "ask sold \"May it be sold?\" yes -> good as \"It may be sold.\"\naccept good\n"},
		{[]string{"accept"}, `accept good "It is passed."`, "A good end.", "ask sold \"May it be sold?\" yes -> good no -> stop\naccept good \"It is passed.\"\n"},
		{[]string{"stop"}, `stop bad "It is not."`, "A bad end. An end of the name stop is there without being declared.", "ask sold \"May it be sold?\" yes -> good no -> bad\naccept good\nstop bad \"It is not.\"\n"},
		{[]string{"let"}, `let seller "Alpha"`, "The value of a variable, which stands in texts as {seller}.", "let seller \"Alpha\"\nask sold \"May {seller} sell it?\" yes -> good\naccept good\n"},
		{[]string{"start"}, "start sold", "The question to begin with. Without it that is the first.", "start sold\nask other \"Is it?\" yes -> good\nask sold \"May it be sold?\" yes -> other\naccept good\n"},
		{[]string{"in", "any", "order"}, "in any order checks { ask … } -> good", "Questions that are each asked once, the next one chosen from those that are left.", "in any order checks {\n  ask a \"A?\" yes -> next no -> stop\n  ask b \"B?\" yes -> next no -> stop\n} -> good\naccept good\n"},
		{[]string{"next"}, "yes -> next", "In a block: on to another of its questions, and behind the last to where its arrow points.", "in any order checks {\n  ask a \"A?\" yes -> next\n} -> good\naccept good\n"},
	},
	workspace.KindFormulas: {
		{[]string{"G", "[]", "□"}, "G f", "Always: f holds at every step from here on.", "G(pay -> approved)\n"},
		{[]string{"F", "<>", "◇"}, "F f", "Eventually: f holds at some step from here on.", "F answer\n"},
		{[]string{"X", "○"}, "X f", "Next: there is a next step, and f holds there.", "G(ask -> X answer)\n"},
		{[]string{"WX", "N"}, "WX f", "Weak next: if there is a next step, f holds there.", "G(meal -> WX !game)\n"},
		{[]string{"U"}, "f U g", "Until: g holds at some step, and f at every step before.", "!pay U approved\n"},
		{[]string{"W"}, "f W g", "Weak until: f U g, or f holds to the end.", "!pay W approved\n"},
		{[]string{"R"}, "f R g", "Release: g holds up to and with the first step at which f does, or to the end.", "approved R !pay\n"},
		{[]string{"M"}, "f M g", "Strong release: f R g, and f holds at some step.", "approved M !pay\n"},
		{[]string{"!", "~", "¬"}, "!f", "Not: f does not hold.", "G !crash\n"},
		{[]string{"&", "&&", "∧"}, "f & g", "And: both hold.", "F a & F b\n"},
		{[]string{"|", "||", "∨"}, "f | g", "Or: at least one of them holds.", "F a | F b\n"},
		{[]string{"->", "→"}, "f -> g", "Implies: where f holds, g does, too.", "G(a -> F b)\n"},
		{[]string{"<->", "↔"}, "f <-> g", "If and only if: both hold, or neither.", "F a <-> F b\n"},
		{[]string{"true"}, "true", "Holds at every step.", "X true\n"},
		{[]string{"false"}, "false", "Holds at no step.", "G(a -> WX false)\n"},
		{[]string{"last"}, "last", "Holds at the last step only.", "F(last & answer)\n"},
	},
	workspace.KindAgent: {
		{[]string{"define"}, "(define name (:states …) (:behavior …))", "An agent: its states, and in which order they may come.", oneState},
		{[]string{":states"}, `(:states (Ques (:text "[Question]")) …)`, "What an agent writes, piece by piece, each piece with a prompt that it begins with.", oneState},
		{[]string{":text"}, `(:text "[Question]")`, "The prompt that the text of a state begins with. A transcript is cut at these.", oneState},
		{[]string{":flags"}, "(:flags :env-input)", "What is special about a state.", fromTools},
		{[]string{":env-input"}, "(:flags :env-input)", "The environment writes what stands in the state, never the model.", fromTools},
		{[]string{":empty"}, "(:flags :empty)", "Nothing stands in the state but its prompt.", "(define a (:states (End (:text \"[End]\") (:flags :empty))) (:behavior End))\n"},
		{[]string{":one-of"}, `(:one-of "Search" "Lookup")`, "What stands in the state is one of these.", "(define a (:states (Act (:text \"[Action]\") (:one-of \"Search\" \"Lookup\"))) (:behavior Act))\n"},
		{[]string{":matches"}, `(:matches "#E[0-9]+")`, "What stands in the state matches this pattern as a whole.", "(define a (:states (Label (:text \"[Label]\") (:matches \"#E[0-9]+\"))) (:behavior Label))\n"},
		{[]string{":max-tokens"}, "(:max-tokens 40)", "What stands in the state is no longer than that, at four characters a token.", "(define a (:states (Tht (:text \"[Thought]\") (:max-tokens 40))) (:behavior Tht))\n"},
		{[]string{":from"}, `(:from summary "sum.txt")`, "How the environment comes by what stands in the state, and the file of the prompt where a model is asked for it.", fromTools},
		{[]string{"tools"}, "(:from tools)", "By calling the tool that was asked for.", fromTools},
		{[]string{"summary"}, `(:from summary "sum.txt")`, "By calling all tools that were asked for and summing the results up.", from("summary")},
		{[]string{"solver"}, `(:from solver "solve.txt")`, "By calling what was planned and answering from the results.", from("solver")},
		{[]string{"evaluator"}, `(:from evaluator "judge.txt")`, "By judging what was proposed.", from("evaluator")},
		{[]string{"person"}, "(:from person)", "By asking a person.", from("person")},
		{[]string{":behavior"}, "(:behavior (next Ques Ans))", "In which order the states may come.", oneState},
		{[]string{"next"}, "(next f g …)", "One after the other.", behave("(next A B)")},
		{[]string{"or"}, "(or f g …)", "Any one of them.", behave("(or A B)")},
		{[]string{"until"}, "(until f g)", "f as often as you like, or not at all, then g. until_5: at most five times; until_2_5: two to five times.", behave("(until_2_5 A B)")},
		{[]string{"always"}, "(always f)", "f again and again, with nothing behind it. always_5: at most five times.", behave("(next A (always B))")},
		{[]string{"and"}, "(and f g …)", "Runs that fit all of them.", behave("(and (until A B) (next A B))")},
		{[]string{"not"}, "(not f)", "All runs that do not fit f.", behave("(and (until A B) (not (next A A B)))")},
		{[]string{"->"}, "(-> f g)", "Runs that fit g, or do not fit f.", behave("(-> (next A A) (next A B))")},
		{[]string{"eventually"}, "(eventually f)", "Runs with a part that fits f.", behave("(and (until A B) (eventually (next A A)))")},
		{[]string{":require"}, `(:require "G(Act -> X Obs)")`, "Temporal formulas over the states that every run keeps to.", "(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until A B)) (:require \"F A\"))\n"},
		{[]string{":prompt"}, `(:prompt "prompt.txt")`, "The file of what a model is told before it begins.", "(define a (:states (A (:text \"[A]\"))) (:behavior A) (:prompt \"prompt.txt\"))\n"},
		{[]string{":examples"}, `(:examples "one.txt" "two.txt")`, "Files of transcripts that a model is shown. They are held against the behaviour.", "(define a (:states (A (:text \"[A]\"))) (:behavior A) (:examples \"one.txt\"))\n"},
	},
}

const (
	oneState  = "(define a\n  (:states (Ques (:text \"[Question]\")) (Ans (:text \"[Answer]\")))\n  (:behavior (next Ques Ans)))\n"
	fromTools = "(define a\n  (:states (Act (:text \"[Action]\")) (Obs (:text \"[Observation]\") (:flags :env-input) (:from tools)))\n  (:behavior (next Act Obs)))\n"
)

func from(way string) string {
	file := ""
	if way != "person" {
		file = " \"" + way + ".txt\""
	}
	return "(define a\n  (:states (Act (:text \"[Action]\")) (Obs (:text \"[Observation]\") (:flags :env-input) (:from " + way + file + ")))\n  (:behavior (next Act Obs)))\n"
}

func behave(behavior string) string {
	return "(define a\n  (:states (A (:text \"[A]\")) (B (:text \"[B]\")))\n  (:behavior " + behavior + "))\n"
}
