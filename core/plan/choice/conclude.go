package choice

import (
	"slices"
	"strings"
)

// A reply may state its choice by form alone: the conclusion of a reason, a label in bold type at its end, or a last
// sentence that is a part of one label. This file reads these forms. Each needs a text without another option.

// concluded makes asides of the claims of a sentence that precede its conclusion, "at first glance 1, but the
// signature is missing, so the answer is 2". A verb of choice before an earlier option keeps it, unless a word such
// as "but" follows.
func (p *page) concluded(claims []claim) []claim {
	if len(claims) < 2 {
		return claims
	}
	last := claims[len(claims)-1]
	at := p.conclusion(last)
	if at < 0 {
		return claims
	}
	for i, c := range claims[:len(claims)-1] {
		contrary, same := false, true
		for k := c.to; k < at; k++ {
			contrary = contrary || adversatives[p.text(k)] || p.is(k, "但")
			same = same && !p.endsSentence(k)
		}
		if same && !c.denied && (contrary || !c.picked) {
			claims[i].aside = true
		}
	}
	return claims
}

// conclusion returns the token of the word such as "so" directly before a claim that ends the reply; -1 if there is
// none.
func (p *page) conclusion(c claim) int {
	if c.denied || c.aside || !c.picked || len(c.options) != 1 || c.options[0] < 1 || !p.onlyMarks(c.to, len(p.tokens)) || p.asked(c.to) {
		return -1
	}
	for i := c.from - 1; i > 0 && c.from-i <= maxTail; i-- {
		switch text := p.text(i); {
		case conclusive[text], text == "此" && p.is(i-1, "因"):
			return i
		case p.kind(i) == word && (p.covered[i] || p.filler(i) || articles[text] || copulas[text] || len(p.ends[i]) > 0):
		default:
			return -1
		}
	}
	return -1
}

// underlined reports whether a group is the predicate that ends the reply and the only option in it: a label in bold
// type, "La señal indica **azul**.", or in quotes after a verb such as "means". A label after a verb in the past or
// one that only mentions it is not.
func (p *page) underlined(g group) bool {
	verb := p.beforePhrase(g.from)
	mark := p.tokens[g.from].mark
	if !g.label || !g.marked || len(g.options) != 1 || mark&bold == 0 && !denotes[p.text(verb)] || p.asked(g.to) || !p.endsReply(g.tail) {
		return false
	}
	if slices.ContainsFunc(p.targets, func(t target) bool { return t.option != g.options[0] && (t.isLabel || t.optioned) }) {
		return false
	}
	assigned := false
	for i := verb; i >= 0 && !p.endsSentence(i); i-- {
		text := p.text(i)
		assigned = assigned || assigns[text] || denotes[text] || conclusive[text]
		if p.onlyMentions(i) {
			return false
		}
	}
	return assigned
}

// onlyMentions reports whether a word of a sentence shows that its object is not chosen: a verb in the past, an act
// of somebody else, a negation or a doubt.
func (p *page) onlyMentions(i int) bool {
	text := p.text(i)
	for _, words := range []map[string]bool{absentees, actors, ponders, withdrawals, modalVerbs, possibilities, past} {
		if words[text] {
			return true
		}
	}
	affirms := func(s span) bool {
		return s.sense == cuePick || s.sense == cueGood || s.sense == cueFinal || s.sense == cueFix
	}
	return musings[stem(text)] || len(text) > minStem && strings.HasSuffix(text, "ed") || slices.ContainsFunc(p.spans[i], func(s span) bool { return !affirms(s) })
}

// cites reports whether a quoted label is the text that somebody wrote, "用户写的是“批准”".
func (p *page) cites(g group) bool {
	return g.marked && p.is(g.from-1, "是") && p.is(g.from-2, "的") && absentees[p.text(g.from-3)]
}

var (
	// assigns are verbs that assign a case to a class. Verbs of motion need a conclusive word: "the train goes to **Rome**".
	assigns = set("makes puts places belongs counts corresponds ranks qualifies", "gehort fallt entspricht zahlt gilt", "releve correspond appartient", "senala corresponde pertenece marca", "appartiene corrisponde rientra", "属")

	// actors are subjects whose act is not the model's choice.
	actors = set("i he she they we you customer client user friend colleague boss author reviewer somebody someone people", "ich er wir kunde kundin nutzer kollege freund chef autor jemand", "je il elle on utilisateur collegue ami auteur cliente usuario colega amigo autor jefe alguien utente collega amico", "他 她 我 你 您 户")
	// denotes are verbs whose quoted object is the choice.
	denotes = set("means indicates denotes signals bedeutet heisst lautet signifie indique significa indica 为 是")

	// absentees state that their object is missing, the opposite or an input.
	absentees = set("missing lacks lack misses without opposite contrary unlike called named says said reads wrote writes typed entered mentions quotes word term had did were",
		"fehlt fehlen gegenteil schrieb schreibt steht wort hatte hatten", "manque manquent contraire inverse ecrit mot avait", "falta faltan contrario opuesto escribe escribio palabra dice tenia", "缺 写 词 字 说 曾")
)

// opines reports whether a label at the end of a sentence is the predicate of a verb such as "seems to me".
func (p *page) opines(g group) bool {
	ends := p.endsSentence(g.to) && !p.is(g.to, "?")
	first := p.text(g.from - 2)
	return g.label && ends && (p.is(g.from-1, "me") || first == "me" || first == "mir" || first == "mi") && seems[p.text(g.from-1)]
}

var seems = set("parait semble parece sembra erscheint scheint")

// repeats reports whether a shortened label is the object of a verb that repeats an act or names the first one:
// "volvería a llamar", "primero se reserva".
func (p *page) repeats(from int) bool {
	return p.is(from-1, "a") && p.is(from-2, "volveria") && p.beginsClause(from-2) || p.is(from-1, "se") && p.is(from-2, "primero") && p.walled(from-3)
}

// amends reports whether the predicate at the end of the reply corrects an earlier choice: "Correction: it's in
// yuan, and the authority is China's."
func (p *page) amends(i int, c claim) bool {
	after := c.to
	if p.is(after, "is") { // the "'s" of "China's"
		after++
	}
	return corrections[p.text(i)] && p.is(i+1, ":") && c.label && copulas[p.text(c.from-1)] && p.onlyMarks(after, len(p.tokens))
}

// corrections are the headings of a correction.
var corrections = set("correction korrektur berichtigung correccion correzione correcao")

// minPart is the number of words of a sentence that is a part of a label.
const minPart = 3

// lastSentence returns the option whose label begins or ends with all words of the last sentence of the reply, "The
// claim is supported."; 0 if there is none, if several labels have them, or if the text names another option or
// leaves the choice open.
func (p *page) lastSentence(claims []claim) int {
	said := p.lastWords()
	if len(said) < minPart || functionWords[said[len(said)-1]] || light[said[len(said)-1]] {
		return 0
	}
	found, count := 0, 0
	for i, words := range p.labels.whole {
		if !contiguous(said, words) {
			continue
		}
		if count++; slices.Equal(said, words[:len(said)]) || slices.Equal(said, words[len(words)-len(said):]) {
			found = i + 1
		}
	}
	others := slices.ContainsFunc(claims, func(c claim) bool { return c.denied == slices.Contains(c.options, found) || len(c.options) != 1 })
	if count != 1 || others || p.wary() {
		return 0
	}
	return found
}

// lastWords returns the words of the last sentence of the reply, which ends with a full stop, without a word such as
// "so:" before them; nil if it has no end.
func (p *page) lastWords() []string {
	end := len(p.tokens)
	for end > 0 && p.kind(end-1) == newline {
		end--
	}
	if end < 2 || !p.is(end-1, ".") && !p.is(end-1, "。") || p.kind(end-2) != word {
		return nil
	}
	from := end - 1
	for from > 0 && !p.endsSentence(from-1) {
		from--
	}
	if conclusive[p.text(from)] && (p.is(from+1, ":") || p.is(from+1, ",")) {
		from += 2
	}
	return wordsIn(p.tokens[from:end])
}

// wary reports whether the text has a condition, a doubt, a question or the opinion of somebody else.
func (p *page) wary() bool {
	for i := range p.tokens {
		if p.is(i, "?") {
			return true
		}
		for _, sense := range []cue{cueIf, cueHedge, cueOpen, cueAsk, cueRefuse, cueSorry, cueSaid, cueYield} {
			if has(p.spans[i], sense) {
				return true
			}
		}
	}
	return false
}

// contiguous reports whether a text has the words of another one without a gap.
func contiguous(part, text []string) bool {
	for i := 0; i+len(part) <= len(text); i++ {
		if slices.Equal(part, text[i:i+len(part)]) {
			return true
		}
	}
	return false
}
