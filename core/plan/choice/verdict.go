package choice

import (
	"strings"
	"unicode"
)

// right looks for a verdict after a group, to the end of the clause.
func (p *page) right(from int) (s side) {
	s.bad = p.dismissed(from) || p.is(from, ",") && p.exceeds(from+1)
	for i := from; i < len(p.tokens) && i < from+maxRight; i++ {
		if p.endsVerdict(i, from) {
			return s
		}
		if i > from && p.tokens[i].mark&quoted != 0 && p.tokens[from-1].mark&quoted == 0 {
			continue // the words of a quotation
		}
		if p.judge(&s, i, from) || breaks[p.text(i)] && i > from {
			return s
		}
	}
	return s
}

// endsVerdict reports whether the clause after a group ends at a token.
func (p *page) endsVerdict(i, from int) bool {
	if p.at[i] >= 0 && !p.targets[p.at[i]].weak {
		return true
	}
	switch p.text(i) {
	case "\n", ",", "—":
		return true
	case ".":
		return i == from || p.stops(i)
	case ":":
		return i > from
	}
	return p.kind(i) == punct && p.stops(i)
}

// maxRemark bounds the tokens before a doubt in parentheses, "3 (or maybe 4)". A later doubt is
// about a reason.
const maxRemark = 2

// judge adds the cues that begin at a token, and reports whether the text after it is about another
// option.
func (p *page) judge(s *side, i, from int) (next bool) {
	doubts := !p.is(from, "(") || i <= from+maxRemark
	s.bad = s.bad || p.exceeds(i)
	for _, found := range p.spans[i] {
		switch found.sense {
		case cueBad:
			s.bad = s.bad || p.condemns(found)
		case cueNot:
			next = next || p.targetNear(found.to)
		case cueGood:
			others := p.isOthers(found)
			s.aside = s.aside || others
			s.good = s.good || !others && !p.compares(found) && !p.begins(found.to, cueSaid) && !p.begins(found.to+1, cueSaid)
		case cueAside:
			s.aside = s.aside || doubts
		case cueHedge:
			s.hedge = s.hedge || doubts
		}
	}
	return next
}

// exceeds reports whether a token is the "too" of "too expensive".
func (p *page) exceeds(i int) bool {
	next := p.text(i + 1)
	switch {
	case !excesses[p.text(i)] || p.kind(i+1) != word || conjunctions[next]:
		return false
	case p.is(i, "太"):
		return true
	case p.is(i, "zu") && (!(copulas[p.text(i-1)] || p.is(i-1, "viel") || p.is(i-1, "ware") || p.is(i-1, ",")) || strings.HasSuffix(next, "en")):
		return false // "ist zu empfehlen"
	}
	return !functionWords[next] && !breaks[next]
}

// excesses precede a property that excludes an option.
var excesses = set("too zu trop demasiado troppo 太")

// isOthers reports whether a verdict that ends in "what" names the act of somebody else, such as a beginner's pick.
func (p *page) isOthers(s span) bool {
	if !p.is(s.to-1, "what") {
		return false
	}
	for i := s.to; i <= s.to+maxInner && p.kind(i) == word; i++ {
		if modalVerbs[p.text(i)] {
			subject := p.text(i - 1)
			return !speakers[subject] && subject != "you" && subject != "one"
		}
	}
	return false
}

// compares reports whether an adjective describes a property of the option, "Denver has better hiking".
func (p *page) compares(s span) bool {
	return s.to == s.from+1 && verdictNouns[p.text(s.from)] && carriers[p.text(s.from-1)] && p.measures(s.to)
}

// describes reports whether the sentence of a group describes an option: the group is the subject of a verb that
// is no verdict, or of a subordinate clause.
func (p *page) describes(g group) bool {
	next := p.kind(g.to + 1)
	enclosed := p.is(g.to-1, ")") // "Rome (3) is the fastest one"
	switch {
	case enclosed && copulas[p.text(g.to)]:
		return false
	case complementizers[p.text(g.from-1)], neutralVerbs[p.text(g.to)] && next != newline && next != punct:
		return true
	case enclosed:
		return false
	case g.optioned && !g.label:
		return !p.follows(g.to) && !p.sole(g)
	case g.label && g.to > g.from+1 && p.isVerb(g.to):
		return true
	}
	return (g.label || g.marked) && p.walled(p.beforePhrase(g.from)) && p.measures(g.to) && !successors[p.text(g.to)]
}

// isVerb reports whether a token after a label is a verb in the third person, with which the text
// describes the option: "Object Detection finds 15 things".
func (p *page) isVerb(i int) bool {
	text := p.text(i)
	return p.kind(i) == word && len(text) > 3 && text[len(text)-1] == 's' && text[len(text)-2] != 's' && !nonVerbs[text] && !units[text] && !breaks[text] && len(p.spans[i]) == 0
}

// conceded reports whether a clause such as "while Denver is cheaper," admits an advantage of a group:
// it begins its sentence, and a comma follows.
func (p *page) conceded(from, to int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence && !p.is(i, ",") && !p.walled(i); i-- {
		if !(concessions[p.text(i)] || contraries[p.text(i)]) || !p.walled(i-1) {
			continue
		}
		for end := to; end-to < maxSentence && !p.endsSentence(end); end++ {
			if p.is(end, ",") {
				return true
			}
		}
	}
	return false
}

// contrasted reports whether a word such as "whereas" follows a comma and precedes a group in its clause.
func (p *page) contrasted(from int) bool {
	for i := from - 1; i > 0 && from-i <= maxTail && !p.walled(i); i-- {
		if contraries[p.text(i)] {
			return p.is(i-1, ",")
		}
	}
	return false
}

// contraries begin a clause about an option that is not the choice, at the start of a sentence.
var contraries = set("while whereas wahrend tandis mientras mentre enquanto")

// exclusive reports whether only this option has a merit: "only 3 meets the deadline".
func (p *page) exclusive(g group) bool {
	before := p.beforePhrase(g.from)
	return onlys[p.text(before)] && (p.walled(before-1) || p.is(before-1, ",")) && (merits[p.text(g.to)] || p.is(g.to, "满"))
}

// onlys precede the single option with a property; merits are the verbs of properties for which an option is chosen.
var (
	onlys  = set("only just nur einzig allein seul seule solo unicamente somente 有 仅")
	merits = set("meets satisfies fulfils fulfills addresses covers handles helps solves resolves answers achieves delivers complies respects keeps",
		"erfullt deckt lost hilft erreicht beachtet", "repond satisfait remplit resout respecte atteint", "cumple satisface resuelve responde respeta ayuda", "soddisfa risolve risponde rispetta atende resolve")
)

// excepted reports whether an option is the exception from all options, "everything except 3", or the only one that
// remains of none, "nothing but 3".
func (p *page) excepted(from int) (universal, negative bool) {
	i := p.beforePhrase(from)
	if p.is(i, "than") && p.is(i-1, "other") || p.is(i, "from") && p.is(i-1, "apart") {
		i--
	} else if !exceptions[p.text(i)] {
		return false, false
	}
	for i--; i >= 0 && from-i <= maxTail+maxInner && p.kind(i) == word && p.at[i] < 0; i-- {
		universal, negative = universal || universals[p.text(i)], negative || nones[p.text(i)]
	}
	return universal && !negative, negative
}

var (
	exceptions = set("except but save excluding besides ausser bis sauf excepte hormis menos excepto salvo tranne exceto")
	universals = set("all everything anything every any alles alle jede jedes jeder tout tous toutes todo todos todas cualquier cualquiera tutto tutti tudo")
	nones      = set("nothing none no nichts keine keiner keines kein rien aucun aucune nada ninguna ninguno niente nessuna nessuno nenhuma nenhum")
)

// maxNoun bounds the words of a noun between a negation and the number of the noun in parentheses.
const maxNoun = 2

// spurned reports whether a group in parentheses numbers a noun that is negated: "no translation
// (3 or 4)".
func (p *page) spurned(g group) bool {
	if (p.is(g.from-1, "与") || p.is(g.from-1, "跟") || p.is(g.from-1, "和")) && p.is(g.to, "不") && p.is(g.to+1, "同") {
		return true // "unlike 2"
	}
	if !p.is(g.from-1, "(") {
		return false
	}
	for i := g.from - 2; i >= g.from-2-maxNoun && p.kind(i) == word; i-- {
		if has(p.ends[i], cueNot) {
			return i < g.from-2
		}
	}
	return false
}

// dismissed reports whether a remark in parentheses from a token excludes the option before it, "2
// (not available)". "2 (not 3)" excludes another option.
func (p *page) dismissed(from int) bool {
	return p.is(from, "(") && negations[p.text(from+1)] && !p.targetNear(from+2) && !p.targetNear(from+3)
}

// condemns reports whether a negation excludes the option before it: no other option follows, or
// the negation is Japanese and follows its noun, 1ではなく5.
func (p *page) condemns(s span) bool {
	return unicode.Is(unicode.Hiragana, []rune(p.text(s.from))[0]) || !p.targetNear(s.to)
}
