package draft

// Reference returns the manual of a language in a prompt, or "".
func Reference(language string) string { return references()[language] }

// references are the manuals in a prompt, by notation. Every fenced block in them is a
// complete file that compiles.
func references() map[string]string {
	return map[string]string{
		LanguageTeam: teamReference, LanguageProblem: problemReference,
		"cfg": "### Grammars (.cfg)\n\n" +
			"A plan is a word: symbols in a row, a tool before what it takes, as in translate caption image. A grammar says which words there are.\n\n" +
			"```cfg\n" +
			`# A comment goes to the end of the line.
%start S
S -> T                               # the plan as a whole
T -> caption I | translate T         # a text: a tool and what it takes, or another
I -> denoise I | image               # an image
T as "text"
I as "image"
caption as "Image Captioning"
translate as "Machine Translation"
denoise as "Image Denoising"
image as "the input image"
limit 1 each except image
` + "```\n\n" +
			"- What stands left of an arrow is replaced by one of the choices on its right, which `|` separates. All other symbols are the tools and what is given.\n" +
			"- ε stands for nothing. A symbol with spaces, or that is ε, as or limit, is written in double quotes.\n" +
			"- `as` says what a person reads: of a symbol, or of one choice, written behind it, where that is a step in itself.\n" +
			"- `limit 2 a b` limits how often symbols may be used in a plan, `limit 1 each except a b` all others.\n" +
			"- `%subset A salt pepper oil` makes of A any of the symbols behind it, at least one, each once, in this order.\n\n" +
			"```cfg\n" +
			`%start dish
dish -> pan A egg as "Fry the egg with the seasoning"
     | pot egg as "Boil the egg"
%subset A salt pepper "olive oil"
A as "the seasoning"
` + "```\n",
		"pda": "### Pushdown automata (.pda)\n\n" +
			"A plan is what an automaton reads on the way from its start to an accepting state. A transition `from -> to (read, pop; push)` reads a letter, takes the symbol on top of a stack away and puts others there.\n\n" +
			"```pda\n" +
			`start hour/9 B
accept evening
limit 1 each
for h in 9..11 {                     # a transition for each hour
  hour/h -> hour/h+1 (work, *; *) as "{h}:00 Work"
  hour/h -> hour/h+1 (shop, *; *) as "{h}:00 Go shopping"
}
hour/9 -> hour/10 (breakfast, B; L)
hour/11 -> hour/12 (lunch, L; D)     # lunch only where breakfast was before
hour/12 -> evening (rest, *; *)
breakfast as "Have breakfast"
lunch as "Have lunch"
` + "```\n\n" +
			"- `start` names the first state and what lies on the stack, `accept` the states in which a plan may end.\n" +
			"- `*` is any symbol, and puts the same one back; ε is none: (ε, B; B) reads nothing, (a, B; ε) takes B away.\n" +
			"- `for x in 1..3, y in 0..1 if x > y { … }` makes a transition for each value. Numbers between slashes in a state's name are computed.\n" +
			"- `limit` and `as` are as in a grammar. `backwards` on a line of its own says that plans are written from the last step to the first.\n",
		"flow": "### Flowcharts (.flow)\n\n" +
			"A plan is a way through questions, an answer each, to a good end.\n\n" +
			"```flow\n" +
			`let house "the house at the lake"
ask price "Can we pay for {house}?"
  yes -> checks
  no -> stop as "It is too dear."
in any order checks {
  ask roof "Is the roof of {house} sound?"
    yes -> next    no -> next as "Have it mended."
  ask noise "Is there a motorway near?"
    yes -> stop    no -> next
} -> buy
accept buy "Buy it."
` + "```\n\n" +
			"- An answer leads to a question, to an `accept` line, or to `stop`. `as` says what follows from it.\n" +
			"- The questions of `in any order` are asked once each; `next` leads on to those that are left, and then to where the block's arrow points.\n" +
			"- In words a letter is a question's name, a dot and the answer, as in price.yes; in a block it comes after the name of the question, as in roof roof.yes.\n",
		"ltl": "### Properties (.ltl)\n\n" +
			"Formulas of linear temporal logic say what must hold of every plan besides. Each speaks of a plan's symbols, one at a time, in the order in which the word has them. A blank line separates formulas; each has a name.\n\n" +
			"```ltl\n" +
			`breakfast_first: breakfast

one_lunch: G (lunch -> WX G !lunch)

no_game_after_a_meal: G ((lunch | supper) -> WX !game)

shop_before_supper: !supper U shop | G !supper
` + "```\n\n" +
			"- G always, F at some time, X next (there is one), WX next if there is one, U until, W until or for ever; `!`, `&`, `|`, `->`, `<->` as usual.\n" +
			"- A formula may name only symbols that the plans have.\n",
	}
}
