package draft

// Reference returns the manual of a language in a prompt, or "".
func Reference(language string) string { return references()[language] }

// references are the manuals in a prompt, by notation. Every fenced block in them is a
// complete file that compiles.
func references() map[string]string {
	return map[string]string{
		LanguageTeam: teamReference, LanguageProblem: problemReference, LanguageRules: rulesReference,
		"cfg": "### Grammars (.cfg)\n\n" +
			"A plan is a word: a sequence of symbols, each tool followed by its inputs, as in translate caption image. A grammar defines the valid words.\n\n" +
			"```cfg\n" +
			`# A comment goes to the end of the line.
%start S
S -> T                               # the plan as a whole
T -> caption I | translate T         # a text: a tool and its input
I -> denoise I | image               # an image
T as "text"
I as "image"
caption as "Image Captioning"
translate as "Machine Translation"
denoise as "Image Denoising"
image as "the input image"
limit 1 each except image
` + "```\n\n" +
			"- The symbol to the left of an arrow is replaced by one of the choices to its right, which `|` separates. All other symbols are tools and given inputs.\n" +
			"- ε is the empty choice. A symbol with spaces, or that is ε, as or limit, is written in double quotes.\n" +
			"- `as` gives a symbol a label for people. After a choice, it labels this choice, if the choice is a step.\n" +
			"- `limit 2 a b` limits how often symbols may be used in a plan, `limit 1 each except a b` all others.\n" +
			"- `%subset A salt pepper oil` replaces A with some of the symbols after it: at least one, each at most once, in this order.\n\n" +
			"```cfg\n" +
			`%start dish
dish -> pan A egg as "Fry the egg with the seasoning"
     | pot egg as "Boil the egg"
%subset A salt pepper "olive oil"
A as "the seasoning"
` + "```\n",
		"pda": "### Pushdown automata (.pda)\n\n" +
			"A plan is a word that an automaton reads from its start state to an accepting state. A transition `from -> to (read, pop; push)` reads a letter, removes the symbol on top of a stack and pushes others.\n\n" +
			"```pda\n" +
			`start hour/9 B
accept evening
limit 1 each
for h in 9..11 {                     # a transition for each hour
  hour/h -> hour/h+1 (work, *; *) as "{h}:00 Work"
  hour/h -> hour/h+1 (shop, *; *) as "{h}:00 Go shopping"
}
hour/9 -> hour/10 (breakfast, B; L)
hour/11 -> hour/12 (lunch, L; D)     # lunch only after breakfast
hour/12 -> evening (rest, *; *)
breakfast as "Have breakfast"
lunch as "Have lunch"
` + "```\n\n" +
			"- `start` names the first state and the first symbol on the stack, `accept` the states in which a plan may end.\n" +
			"- `*` is any symbol, which is pushed again; ε is none: (ε, B; B) reads nothing, (a, B; ε) removes B.\n" +
			"- `for x in 1..3, y in 0..1 if x > y { … }` makes a transition for each value. Numbers between slashes in a state's name are computed.\n" +
			"- `limit` and `as` are as in a grammar. A line `backwards` means that plans are written from the last step to the first.\n",
		"flow": "### Flowcharts (.flow)\n\n" +
			"A plan is a path of questions with one answer each, to an `accept` line.\n\n" +
			"```flow\n" +
			`let house "the house at the lake"
ask price "Can we pay for {house}?"
  yes -> checks
  no -> stop as "It is too expensive."
in any order checks {
  ask roof "Is the roof of {house} sound?"
    yes -> next    no -> next as "Have it repaired."
  ask noise "Is there a motorway near?"
    yes -> stop    no -> next
} -> buy
accept buy "Buy it."
` + "```\n\n" +
			"- An answer leads to a question, to an `accept` line, or to `stop`. `as` states the consequence.\n" +
			"- The questions of `in any order` are asked once each; `next` leads to the remaining questions, and after the last one to the target of the block's arrow.\n" +
			"- In words a letter is a question's name, a dot and the answer, as in price.yes; in a block it comes after the name of the question, as in roof roof.yes.\n",
		"ltl": "### Properties (.ltl)\n\n" +
			"Formulas of linear temporal logic are further requirements on every plan. They refer to the plan's symbols, one at a time, in the order of the word. A blank line separates formulas; each has a name.\n\n" +
			"```ltl\n" +
			`breakfast_first: breakfast

one_lunch: G (lunch -> WX G !lunch)

no_game_after_a_meal: G ((lunch | supper) -> WX !game)

shop_before_supper: !supper U shop | G !supper
` + "```\n\n" +
			"- G always, F at some time, X next (there is one), WX next if there is one, U until, W until or forever; `!`, `&`, `|`, `->`, `<->` as usual.\n" +
			"- A formula may name only symbols that the plans have.\n",
	}
}
