package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// pushdownWords returns the manual of the notation.
func pushdownWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"start"}, "start q0 Z", "The start state and the initial stack symbol.", "start q0 Z\naccept q1\nq0 -> q1 (a, Z; Z)\n"),
		entry([]string{"accept"}, "accept q1 q2", "States in which a word may end.", "start q0 Z\naccept q0 q1\nq0 -> q1 (a, Z; Z)\n"),
		entry([]string{"empty"}, "accept empty", "A word may end where the stack is empty.", "start q Z\naccept empty\nq -> q (a, Z; Z Z) (b, Z; ε)\n"),
		entry([]string{"ε"}, "q0 -> q1 (ε, Z; Z)", "The empty word: reads no letter, or pops or pushes no symbol.", "start q0 Z\naccept q1\nq0 -> q1 (ε, Z; Z)\n"),
		entry([]string{"*"}, "q0 -> q1 (a, *; *)", "Any letter or any symbol on top; after the semicolon, the popped symbol.", "start q0 Z\naccept q1\nq0 -> q1 (a, *; *)\n"),
		entry([]string{"as"}, `a as "Have a meal"`, "A label for a letter, or for the transition before it. People and models read the label.", "start q0 Z\naccept q1\nq0 -> q1 (a, Z; Z) as \"At noon\"\na as \"Have a meal\"\n"),
		entry([]string{"{*}"}, `q0 -> q1 (a, *; *) as "10:00 {*}"`, "In the label of a transition: the label of its letter.", "start q0 Z\naccept q1\nq0 -> q1 (a, *; *) as \"10:00 {*}\"\na as \"Have a meal\"\n"),
		entry([]string{"for"}, "for h in 20..11 { h -> h-1 (e, *; *) }", "A family: repeats the lines in the braces for each value of the variable. Arithmetic over the variable in a part of a name between slashes, and {h} in labels, is replaced by its value.", "start 3 Z\naccept 0\nfor h in 3..1 { h -> h-1 (e, *; *) }\n"),
		entry([]string{"in"}, "for d in [mon tue] { … }", "The values of a variable: a range such as 20..11, or a list of words.", "start mon Z\naccept end\nfor d in [mon tue] { d -> end (e, *; *) }\n"),
		entry([]string{"if"}, "for h in 5..1, g in 0..3 if h > g { … }", "A condition on the values: = != < <= > >=, and, or, not, + - *.", "start 2/1 Z\naccept 1/1\nfor h in 5..1, g in 0..3 if h > g { h/g -> h-1/g (e, *; *) }\n"),
		entry([]string{"limit"}, "limit 2 a b", "The maximum number of uses of each of these letters in a word.", "start q0 Z\naccept q0\nq0 -> q0 (a, *; *) (b, *; *)\nlimit 2 a b\n"),
		entry([]string{"each"}, "limit 1 each", "Applies the limit to every letter.", "start q0 Z\naccept q0\nq0 -> q0 (a, *; *)\nlimit 1 each\n"),
		entry([]string{"except"}, "limit 1 each except b", "Excludes these letters from the limit.", "start q0 Z\naccept q0\nq0 -> q0 (a, *; *) (b, *; *)\nlimit 1 each except b\n"),
		entry([]string{"backwards"}, "backwards", "Words list their steps from last to first. Plans are reversed before they are shown.", "start q0 Z\naccept q1\nq0 -> q1 (a, Z; Z)\nbackwards\n"),
	}
}
