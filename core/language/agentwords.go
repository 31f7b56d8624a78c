package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// agentWords returns the manual of the notation.
func agentWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"define"}, "(define name (:states …) (:behavior …))", "An agent: its states and the order in which they may occur.", oneState),
		entry([]string{":states"}, `(:states (Ques (:text "[Question]")) …)`, "The states of a run. The text of each state begins with its prompt.", oneState),
		entry([]string{":text"}, `(:text "[Question]")`, "The prompt that the text of a state begins with. Transcripts are split at these prompts.", oneState),
		entry([]string{":flags"}, "(:flags :env-input)", "Properties of a state.", fromTools),
		entry([]string{":env-input"}, "(:flags :env-input)", "The environment writes the content of the state, never the model.", fromTools),
		entry([]string{":empty"}, "(:flags :empty)", "The state has no content, only its prompt.", "(define a (:states (End (:text \"[End]\") (:flags :empty))) (:behavior End))\n"),
		entry([]string{":one-of"}, `(:one-of "Search" "Lookup")`, "The content of the state is one of these values.", "(define a (:states (Act (:text \"[Action]\") (:one-of \"Search\" \"Lookup\"))) (:behavior Act))\n"),
		entry([]string{":matches"}, `(:matches "#E[0-9]+")`, "The complete content of the state matches this regular expression.", "(define a (:states (Label (:text \"[Label]\") (:matches \"#E[0-9]+\"))) (:behavior Label))\n"),
		entry([]string{":max-tokens"}, "(:max-tokens 40)", "The maximum length of the content in tokens, counted as four characters each.", "(define a (:states (Tht (:text \"[Thought]\") (:max-tokens 40))) (:behavior Tht))\n"),
		entry([]string{":aliases"}, `(:aliases "Thought:" "**Thought:**")`, "Texts that count as the prompt of the state at the start of a line.", "(define a (:states (Tht (:text \"[Thought]\") (:aliases \"Thought:\" \"**Thought:**\"))) (:behavior Tht))\n"),
		entry([]string{":from"}, `(:from summary "sum.txt")`, "How the environment produces the content of the state, and the prompt file where it asks a model.", fromTools),
		entry([]string{"tools"}, "(:from tools)", "Calls the requested tool.", fromTools),
		entry([]string{"summary"}, `(:from summary "sum.txt")`, "Calls all requested tools and summarizes the results.", from("summary")),
		entry([]string{"solver"}, `(:from solver "solve.txt")`, "Calls the planned tools and answers from the results.", from("solver")),
		entry([]string{"evaluator"}, `(:from evaluator "judge.txt")`, "Evaluates the proposed answer.", from("evaluator")),
		entry([]string{"person"}, "(:from person)", "Asks a person.", from("person")),
		entry([]string{":behavior"}, "(:behavior (next Ques Ans))", "The order in which the states may occur.", oneState),
		entry([]string{"next"}, "(next f g …)", "Sequence: each part follows the previous one.", behave("(next A B)")),
		entry([]string{"or"}, "(or f g …)", "Choice: any one of the parts.", behave("(or A B)")),
		entry([]string{"until"}, "(until f g)", "Repeats f any number of times, including zero, then g. until_5: at most five times; until_2_5: two to five times.", behave("(until_2_5 A B)")),
		entry([]string{"always"}, "(always f)", "Repeats f until the end of the run. always_5: at most five times.", behave("(next A (always B))")),
		entry([]string{"and"}, "(and f g …)", "Intersection: runs that match all parts.", behave("(and (until A B) (next A B))")),
		entry([]string{"not"}, "(not f)", "Complement: runs that do not match f.", behave("(and (until A B) (not (next A A B)))")),
		entry([]string{"->"}, "(-> f g)", "Implication: runs that match g or do not match f.", behave("(-> (next A A) (next A B))")),
		entry([]string{"eventually"}, "(eventually f)", "Runs that contain a part that matches f.", behave("(and (until A B) (eventually (next A A)))")),
		entry([]string{":require"}, `(:require "G(Act -> X Obs)")`, "Temporal formulas over the states that every run must satisfy.", "(define a (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (until A B)) (:require \"F A\"))\n"),
		entry([]string{":prompt"}, `(:prompt "prompt.txt")`, "The file with the system prompt of the model.", "(define a (:states (A (:text \"[A]\"))) (:behavior A) (:prompt \"prompt.txt\"))\n"),
		entry([]string{":examples"}, `(:examples "one.txt" "two.txt")`, "Files with example transcripts for the prompt. They are checked against the behaviour.", "(define a (:states (A (:text \"[A]\"))) (:behavior A) (:examples \"one.txt\"))\n"),
	}
}

const (
	oneState  = "(define a\n  (:states (Ques (:text \"[Question]\")) (Ans (:text \"[Answer]\")))\n  (:behavior (next Ques Ans)))\n"
	fromTools = "(define a\n  (:states (Act (:text \"[Action]\")) (Obs (:text \"[Observation]\") (:flags :env-input) (:from tools)))\n  (:behavior (next Act Obs)))\n"
)

func from(source string) string {
	file := ""
	if source != "person" {
		file = " \"" + source + ".txt\""
	}
	return "(define a\n  (:states (Act (:text \"[Action]\")) (Obs (:text \"[Observation]\") (:flags :env-input) (:from " + source + file + ")))\n  (:behavior (next Act Obs)))\n"
}

func behave(behavior string) string {
	return "(define a\n  (:states (A (:text \"[A]\")) (B (:text \"[B]\")))\n  (:behavior " + behavior + "))\n"
}
