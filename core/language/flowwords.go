package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// flowWords returns the manual of the notation.
func flowWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"ask"}, `ask sold "May it be sold?" yes -> good no -> stop`, "A question with its answers and the target of each answer.", "ask sold \"May it be sold?\"\n  yes -> good\n  no -> stop\naccept good\n"),
		entry([]string{"some"}, "some europe usa china -> next", "A multiple choice: any number of these answers, in this order.", "ask where \"Where is it sold?\"\n  some europe usa china -> good\naccept good\n"),
		entry([]string{"enough"}, "", "The answer that ends a multiple choice.", "ask where \"Where is it sold?\"\n  some europe usa -> good\naccept good\n"),
		entry([]string{"as"}, `yes -> good as "It may be sold."`, "The text of an answer, which becomes a line of the report.", "ask sold \"May it be sold?\" yes -> good as \"It may be sold.\"\naccept good\n"),
		entry([]string{"accept"}, `accept good "It is passed."`, "An accepting end.", "ask sold \"May it be sold?\" yes -> good no -> stop\naccept good \"It is passed.\"\n"),
		entry([]string{"stop"}, `stop bad "It is not."`, "A rejecting end. The end named stop is predefined.", "ask sold \"May it be sold?\" yes -> good no -> bad\naccept good\nstop bad \"It is not.\"\n"),
		entry([]string{"let"}, `let seller "Alpha"`, "The value of a variable. Texts refer to it as {seller}.", "let seller \"Alpha\"\nask sold \"May {seller} sell it?\" yes -> good\naccept good\n"),
		entry([]string{"start"}, "start sold", "The first question of the chart. Default: the first one in the file.", "start sold\nask other \"Is it?\" yes -> good\nask sold \"May it be sold?\" yes -> other\naccept good\n"),
		phrase([]string{"in", "any", "order"}, "in any order checks { ask … } -> good", "A block of questions, each asked once, in any order.", "in any order checks {\n  ask a \"A?\" yes -> next no -> stop\n  ask b \"B?\" yes -> next no -> stop\n} -> good\naccept good\n"),
		entry([]string{"next"}, "yes -> next", "In a block: continues with one of the remaining questions, and after the last one with the target of the block.", "in any order checks {\n  ask a \"A?\" yes -> next\n} -> good\naccept good\n"),
	}
}
