package choice

import "strings"

// target is a place in a text that names an option.
type target struct {
	option   int // 0: a number out of range; ambiguous: a number and a label that contradict
	number   string
	from, to int // tokens

	isLabel  bool
	partial  bool // a form of a label that is not equal to it
	loose    int  // the number of a label's words, if they do not begin with its first one
	weak     bool // it names an option only with other evidence
	optioned bool // "option 3"
	lead     bool // the first one on its line, with nothing but marks before it
	start    bool // the first word of the text
	alone    bool // nothing else is on its line
	marked   bool // in bold or in quotes
	listed   bool // an item of a list of several options
}

// page is a text with its tokens and places.
type page struct {
	*reader
	tokens  []token
	chained bool     // the text has several arrows
	german  bool     // the text is German, where "also" means "so"
	spans   [][]span // of cues, by their first token
	ends    [][]span // of cues, by their last token
	covered []bool   // by token: it is part of a cue
	targets []target
	at      []int          // by token: the index of its target, or -1
	praised map[int]bool   // the options of a list whose lines call them the choice
	defined map[string]int // options by the letters that the text gives them
	meant   map[int]bool   // targets, by index, that a pronoun names as the choice: "I recommend it"
}

// span is an occurrence of a phrase.
type span struct {
	sense    cue
	from, to int
}

// newPage finds the cues and the targets of a text.
func (r *reader) newPage(tokens []token) *page {
	p := &page{reader: r, tokens: tokens}
	arrows := 0
	for _, k := range p.tokens {
		p.german = p.german || germanWords[k.text]
		if k.text == "→" {
			arrows++
		}
	}
	p.chained = arrows > 1
	p.findLetters()
	p.findTargets()
	p.merge()
	p.at = make([]int, len(p.tokens))
	for i := range p.at {
		p.at[i] = -1
	}
	for k, t := range p.targets {
		for i := t.from; i < t.to; i++ {
			p.at[i] = k
		}
	}
	p.findLists()
	p.findCues()
	p.findComparisons()
	p.findPronouns()
	p.praised = map[int]bool{}
	for _, t := range p.targets {
		if t.listed && p.praises(t) {
			p.praised[t.option] = true
		}
	}
	return p
}

// is reports whether a token is a certain punctuation mark or word.
//
//go:noinline
func (p *page) is(i int, text string) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].text == text
}

//go:noinline
func (p *page) kind(i int) int {
	if i < 0 || i >= len(p.tokens) {
		return newline
	}
	return p.tokens[i].kind
}

//go:noinline
func (p *page) text(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].text
}

// findTargets finds labels, numbers, numerals and ordinals.
func (p *page) findTargets() {
	for i := 0; i < len(p.tokens); {
		t, ok := p.targetAt(i)
		if !ok {
			i++
			continue
		}
		floor := 0
		if len(p.targets) > 0 {
			floor = p.targets[len(p.targets)-1].to
		}
		p.place(&t, floor)
		if p.counts(t) {
			p.targets = append(p.targets, t)
		}
		i = t.to
		if t.isLabel && p.is(i, "(") && !p.tokens[i].space && t.to > t.from && p.kind(i+1) == word && p.is(i+2, "=") {
			for i < len(p.tokens) && !p.is(i, ")") && p.kind(i) != newline {
				i++ // the arguments of a call
			}
		}
	}
}

// targetAt returns the target that begins at a token.
func (p *page) targetAt(i int) (target, bool) {
	k := p.tokens[i]
	if k.kind == punct || k.kind == newline {
		return target{}, false
	}
	found, end := p.labels.at(p.tokens, i)
	if end == i+1 && isIdeograph([]rune(k.text)[0]) {
		end = p.lone(i)
	}
	if end > i && (k.kind != number || end > i+1 || k.value < 1 || k.value > p.count) {
		return target{option: found.option, from: i, to: end, isLabel: true, weak: p.weakLabel(found, i, end)}, true
	}
	if option, end := p.labels.partial(p.tokens, i); option > 0 {
		return target{option: option, from: i, to: end, isLabel: true, weak: true, partial: true}, true
	}
	var option, to, matched int
	if p.loosely {
		option, to, matched = p.labels.loose(p.tokens, i)
	}
	part := target{option: option, from: i, to: to, isLabel: true, weak: true, partial: true, loose: matched}
	switch {
	case k.kind == number && option > 0 && k.value > p.count:
		return part, true
	case k.kind == number:
		return p.numberAt(i)
	case k.kind == other:
		return target{}, false
	}
	if t, ok := p.ordinalAt(i); ok {
		return t, true
	}
	if k.text == "最" && (p.is(i+1, "后") || p.is(i+1, "後")) {
		to := i + 2
		if p.is(to, "一") {
			to++
		}
		if ideographNouns[p.text(to)] {
			return target{option: p.count, from: i, to: to + 1, optioned: true}, true
		}
	}
	if n := numerals[k.text]; n != 0 {
		return p.numeralAt(i, n)
	}
	if t, ok := p.letterAt(i); ok {
		return t, true
	}
	return part, option > 0
}

// lone returns the end of the one-character word at a token, 是 in "答案是是。" or "是的，", or the token
// itself if the character is part of another word.
func (p *page) lone(i int) int {
	end := i + 1
	if p.is(end, "的") {
		end++
	}
	mark := p.tokens[i].mark
	before := p.kind(i-1) != word || mark != p.tokens[i-1].mark || ideographCues[p.text(i-1)]
	if before && (p.kind(end) != word && p.kind(end) != number || mark != p.tokens[end].mark) {
		return end
	}
	return i
}

// ordinalAt returns the target of the ordinal at a token.
func (p *page) ordinalAt(i int) (target, bool) {
	text := p.text(i)
	n := ordinal(text)
	if n < 0 {
		n = p.count
	}
	switch {
	case n == 0, possessives[p.text(i-1)]: // "my second choice"
	case (ordinalNouns[p.text(i+1)] || p.labels.common[p.text(i+1)]) && !p.ranks(i+1):
		return p.ranged(target{option: n, number: text, from: i, to: i + 2, optioned: true}), true
	case i == 0 && p.onlyMarks(i+1, len(p.tokens)):
		return p.ranged(target{option: n, number: text, from: i, to: i + 1, optioned: true}), true
	case articles[p.text(i-1)] && p.kind(i+1) != number && (p.kind(i+1) != word || functionWords[p.text(i+1)]):
		return p.ranged(target{option: n, number: text, from: i - 1, to: i + 1, weak: true}), true
	}
	return target{}, false
}

// ordinal returns the place of an ordinal, -1 for the last one, or 0.
func ordinal(text string) int {
	if !isDigit(rune(text[0])) {
		return ordinals[text]
	}
	stem := strings.TrimLeft(text, "0123456789")
	if !ordinalEndings[stem] {
		return 0
	}
	n, _ := wholeNumber(text[:len(text)-len(stem)])
	return max(n, 0)
}

// ranks reports whether an ordinal and a noun announce an option instead of naming one: "first
// choice: 3".
func (p *page) ranks(noun int) bool {
	if p.is(noun, "choice") && p.is(noun+1, "is") {
		return true
	}
	if !p.is(noun+1, ":") || noun+2 >= len(p.tokens) {
		return false
	}
	_, end := p.labels.at(p.tokens, noun+2)
	return p.kind(noun+2) == number || p.kind(noun+2) == newline || p.tokens[noun+2].mark != 0 || end > noun+2
}

// ranged clears the option of a target that is out of range.
func (p *page) ranged(t target) target {
	if t.option < 1 || t.option > p.count {
		t.option = 0
	}
	return t
}

// numberAt returns the number at a token, unless it is part of a range, a fraction or a date.
func (p *page) numberAt(i int) (target, bool) {
	k := p.tokens[i]
	if p.isRange(i) || p.isTotal(i) {
		return target{}, false
	}
	to := i + 1
	if p.is(to, "/") && p.kind(to+1) == number && p.tokens[to+1].value == p.count {
		to += 2
	}
	if p.is(to, "out") && p.is(to+1, "of") && p.kind(to+2) == number && p.tokens[to+2].value == p.count {
		to += maxInner // "3 out of 5"
	}
	t := target{option: k.value, number: k.text, from: i, to: to}
	t.optioned = p.is(i+1, "番") || p.is(i+1, "号")
	return p.ranged(t), true
}

// isTotal reports whether the number at a token is the number of options in "3 of 10" or "3 (of 10)".
func (p *page) isTotal(i int) bool {
	if !partitives[p.text(i-1)] {
		return false
	}
	return p.kind(i-2) == number || p.is(i-2, "out")
}

// isRange reports whether the number at a token is an end of "1 to 4" or "2024-05-01".
func (p *page) isRange(i int) bool {
	joint := func(at int) bool {
		switch p.text(at) {
		case "to", "through", "h", "uhr", "bis", "à", "至", "到", "~", "から":
			return true
		case "-", "—", ":":
			return !p.tokens[at].space && at+1 < len(p.tokens) && !p.tokens[at+1].space
		case "a":
			// French "1 à 4" and Spanish "1 a 4".
			return true
		}
		return p.tokens[at].kind == other
	}
	before := i >= 2 && (p.tokens[i-2].kind == number || p.tokens[i-2].kind == other) && joint(i-1)
	after := i+2 < len(p.tokens) && (p.tokens[i+2].kind == number || p.tokens[i+2].kind == other) && joint(i+1)
	// "-05" of a date is a separate number.
	glued := i >= 1 && p.tokens[i-1].kind == number && !p.tokens[i].space && p.tokens[i].kind == number || i+1 < len(p.tokens) && p.tokens[i+1].kind == number && !p.tokens[i+1].space
	return before || after || glued || p.isGrouped(i) || p.isDated(i)
}

// thousand is the number of digits after the space of a large number, "1 250".
const thousand = 3

// isGrouped reports whether the number at a token is a part of a large number with spaces.
func (p *page) isGrouped(i int) bool {
	pair := func(a, b int) bool {
		return p.kind(a) == number && p.kind(b) == number && len(p.text(a)) <= thousand && len(p.text(b)) == thousand
	}
	return pair(i-1, i) || pair(i, i+1)
}

// links occur between an option noun and its number word.
var links = set(": is ist est es 是 は e la die the number lautet")

// numeralAt returns the number of a number word. It counts after an option noun only, or after
// a cue (see claims); the words that are also articles count after a noun only.
func (p *page) numeralAt(i, n int) (target, bool) {
	before := i - 1
	for before >= 0 && links[p.text(before)] {
		before--
	}
	named := before >= 0 && (optionNouns[p.text(before)] || ideographNouns[p.text(before)])
	if !named && p.labels.words[p.text(i)] {
		return target{}, false
	}
	if isIdeograph([]rune(p.tokens[i].text)[0]) {
		ordinal := p.is(i-1, "第")
		if !ordinal && (!named || p.kind(i+1) == word && !ideographNouns[p.text(i+1)]) {
			return target{}, false
		}
		return p.ranged(target{option: n, number: p.tokens[i].text, from: i, to: i + 1, optioned: true}), true
	}
	if units[p.text(i+1)] || p.is(i+1, "of") || !named && p.isCount(i) {
		return target{}, false
	}
	if n == 1 && (!named || p.is(i-1, "no")) {
		return target{}, false
	}
	return p.ranged(target{option: n, number: p.tokens[i].text, from: i, to: i + 1, optioned: named, weak: !named}), true
}

// isCount reports whether an article in front of a number word makes it a count: "the two best",
// "les deux". A German numeral that names an option is a noun with a capital: "die Zwei".
func (p *page) isCount(i int) bool {
	return pluralArticles[p.text(i-1)] || p.is(i-1, "die") && p.tokens[i].raw == p.text(i)
}

// weakLabel reports whether the single word at a token may have another sense.
func (p *page) weakLabel(found label, i, end int) bool {
	k := p.tokens[i]
	// "my search" and "I finish" are no labels, although "Search" and "Finish" are.
	if !found.weak && !(end == i+1 && owners[p.text(i-1)] && k.raw != found.raw) {
		return false
	}
	if k.mark != 0 && (i == 0 || p.tokens[i-1].mark != k.mark || p.kind(i-1) == newline) && (end == len(p.tokens) || p.tokens[end].mark != k.mark || p.tokens[end].kind == punct) {
		return false
	}
	return true
}

// place sets the fields of a target that describe its place on its line. The tokens before floor
// belong to other targets.
func (p *page) place(t *target, floor int) {
	before := t.from - 1
	named := false
	for before >= floor && p.kind(before) != newline {
		noun := p.nounAt(before, t)
		if !noun && (p.kind(before) != punct || !p.onlyBullets(before) && !named && !strings.Contains(":([.", p.text(before))) {
			break
		}
		if noun {
			named = true
			t.optioned = t.optioned || p.names(before, t)
		}
		before--
	}
	t.lead = before < 0 || p.kind(before) == newline
	for before >= 0 && (p.kind(before) == newline || p.kind(before) == punct) {
		before--
	}
	t.start = t.lead && before < 0
	after := t.to
	for after < len(p.tokens) && p.kind(after) == punct {
		after++
	}
	t.alone = t.lead && p.kind(after) == newline
	first, last := p.tokens[t.from], p.tokens[t.to-1]
	t.marked = first.mark != 0 && first.mark == last.mark && p.edges(*t)
}

// nounAt reports whether a token is an option noun in front of a target.
func (p *page) nounAt(i int, t *target) bool {
	text := p.text(i)
	return optionNouns[text] && (text != "no" || p.is(i+1, ".")) || ideographNouns[text] && !t.isLabel || text == "#"
}

// names reports whether a noun makes the number after it that of an option.
func (p *page) names(i int, t *target) bool {
	switch text := p.text(i); {
	case text == "#":
		return i == t.from-1 && (p.kind(i-1) != word || p.filler(i-1) || functionWords[p.text(i-1)] || opinions[p.text(i-1)] || len(lexicon()[p.text(i-1)]) > 0)
	case optionNouns[text]:
		return p.onlyMarks(i+1, t.from)
	}
	return p.sign(i, t.from)
}

// sign reports whether the characters from a token to the number are those of an option noun.
func (p *page) sign(from, to int) bool {
	for i := from; i < to; i++ {
		if !ideographNouns[p.text(i)] && p.kind(i) != punct {
			return false
		}
	}
	return p.is(from, "项") || p.is(from, "項") || p.is(from, "第") || p.is(from, "肢") || p.is(from, "案") || p.is(from, "号") || p.is(from, "番")
}

// targetNear reports whether a target begins at a token, or after fillers.
func (p *page) targetNear(i int) bool { return p.nearby(i) >= 0 }

// optionNear reports whether such a target is not a number out of range.
func (p *page) optionNear(i int) bool {
	near := p.nearby(i)
	return near >= 0 && p.targets[near].option != 0
}

// nearby returns the index of the target that begins at a token or after fillers; -1 if there is none.
func (p *page) nearby(i int) int {
	for n := 0; n < 3 && i < len(p.tokens); n, i = n+1, i+1 {
		if p.at[i] >= 0 {
			return p.at[i]
		}
		if !p.filler(i) && !has(p.spans[i], cuePick) && !conjunctions[p.text(i)] {
			break
		}
	}
	return -1
}

// edges reports whether only option nouns and punctuation precede the target in the marked text:
// "**Option 3: X**".
func (p *page) edges(t target) bool {
	mark := p.tokens[t.from].mark
	for i := t.from - 1; i >= 0 && p.tokens[i].mark == mark && p.kind(i) != newline; i-- {
		if p.kind(i) != punct && !optionNouns[p.text(i)] {
			return false
		}
	}
	return true
}

//go:noinline
func (p *page) onlyMarks(from, to int) bool {
	for i := from; i < to; i++ {
		if p.kind(i) != punct {
			return false
		}
	}
	return true
}

//go:noinline
func (p *page) onlyBullets(i int) bool { return bullets[p.text(i)] }

// bullets are the marks before the items of a list.
var bullets = set("- > # • * · → ( [ — | ✅ ✔ 👉 ☑ ☐ ➡ ❌ ✗ ✘ ○ ●")
