package choice

import "strings"

// A statement counts if the model itself asserts it, here and now. This file finds the words of a clause
// that take the assertion back: a negation or a doubt at a distance, an act that failed, is past or is
// forbidden, an unreal situation, a subject other than the model, and a verb that only looks at an option.

// unasserted reports whether the sentence of a group does not assert it.
func (p *page) unasserted(g group) bool {
	return p.withdrawn(g.from, g.to) || p.muses(g.from) || p.fails(g.to)
}

// withdrawn reports whether the clause in front of a group takes its statement back. The clause of a German
// infinitive, "es wäre falsch, 2 zu wählen", and an object clause also have the clause before their comma.
func (p *page) withdrawn(from, to int) bool {
	infinitive := p.is(to, "zu")
	if p.isForeign(from) {
		return true
	}
	for i := from - 1; i >= 0 && from-i < maxSentence && !p.walled(i) && !conclusive[p.text(i)]; i-- {
		switch {
		case p.is(i, ",") && (complementizers[p.text(i+1)] || infinitive):
		case clauseMarks[p.text(i)] || p.is(i, ":"):
			return false
		case withdrawals[p.text(i)], faults[p.text(i)] && indefinites[p.text(i-1)], infinitive && blockers[p.text(i)]:
			return true
		case successors[p.text(i)] && p.beginsClause(i): // "before choosing 4, I need"
			return true
		case attitudes[p.text(i)] && p.denies(i), p.isForeign(i), p.isGoverned(i):
			return true
		}
	}
	return false
}

// unreal reports whether a phrase such as "without the strike," begins the sentence of a group, whose verb is
// in the conditional.
func (p *page) unreal(i, from int) bool {
	if !absences[p.text(i)] || !p.walled(i-1) {
		return false
	}
	for at := from - maxTail; at < from+maxTail; at++ {
		if text := p.text(at); at > i && (modalVerbs[text] || irrealis[text] || strings.HasSuffix(text, "ria") || strings.HasSuffix(text, "rais") || strings.HasSuffix(text, "rait")) {
			return true
		}
	}
	return false
}

// muses reports whether a group is the object of a verb such as "consider" or "look at".
func (p *page) muses(from int) bool {
	verb := p.beforePhrase(from)
	if objects[p.text(verb)] {
		verb--
		if regards[p.text(verb)] {
			return true
		}
	}
	return ponders[p.text(verb)]
}

// beforePhrase returns the token before the articles and option nouns of a group.
func (p *page) beforePhrase(from int) int {
	i := from - 1
	for articles[p.text(i)] || optionNouns[p.text(i)] || p.is(i, "l") || p.is(i, "#") {
		i--
	}
	return i
}

// embedded reports whether a word without a sense precedes a group, which then is the object of an unknown verb
// or part of an unknown noun. A number with its label names the option in any place, and so does a word
// after its title, "Seat A2, because A1 is taken".
func (p *page) embedded(g group) bool {
	before := p.beforePhrase(g.from)
	if linking[p.text(before)] {
		before--
	}
	labelled := p.labelled(g.head) || g.label && p.kind(g.to-1) == number
	title := p.walled(before-1) && p.kind(g.to) == punct && !strings.HasSuffix(p.text(before), "ing")
	return !labelled && !title && p.plain(before) && !callers[p.text(before)]
}

// plain reports whether a token is a word without a sense, a noun or a verb that no list has.
func (p *page) plain(i int) bool {
	text := p.text(i)
	return p.kind(i) == word && len(p.ends[i]) == 0 && !p.covered[i] && !p.filler(i) && !functionWords[text] && !breaks[text] && !conjunctions[text] && !copulas[text] && !prepositions[text] && !speakers[text] && !orders[text] && !isIdeograph([]rune(text)[0])
}

// fails reports whether the sentence of a group continues with an adversative and the statement that it is not
// possible: "I'd love to choose 2, but I can't".
func (p *page) fails(to int) bool {
	clause, contrary, denied, able := false, false, false, false
	for i := to; i < len(p.tokens) && i-to < maxSentence && p.at[i] < 0; i++ {
		if p.endsSentence(i) {
			return false
		}
		if p.is(i, ",") {
			clause, contrary, denied, able = true, false, false, false
		}
		contrary = contrary || clause && (adversatives[p.text(i)] || p.is(i-1, ",") && has(p.spans[i], cueSorry))
		denied = denied || clause && has(p.ends[i], cueNot)
		able = able || clause && (ableness[p.text(i)] || (p.is(i, "will") || p.is(i, "would")) && speakers[p.text(i-1)])
		if contrary && (denied && (able || trusts[p.text(i)]) || p.defers(i)) {
			return true
		}
	}
	return false
}

// defers reports whether the model announces at a token to find out more first: "let me check", "I need to ask".
func (p *page) defers(i int) bool {
	switch {
	case p.is(i, "let") && p.is(i+1, "me"):
	case p.is(i, "i") && (p.is(i+1, "need") || p.is(i+1, "have") || p.is(i+1, "want") || p.is(i+1, "must")):
	default:
		return false
	}
	for at := i + 2; at < i+2+maxInner; at++ {
		if inquiries[p.text(at)] || ponders[p.text(at)] || p.is(at, "verify") || p.is(at, "wait") {
			return true
		}
	}
	return false
}

// trusts are verbs whose negation takes a suggestion back.
var trusts = set("trust agree believe buy")

// denies reports whether a negation belongs to the verb at a token: "I don't think", "ich glaube nicht".
func (p *page) denies(i int) bool {
	for at := i - maxInner; at <= i+1; at++ {
		if at >= 0 && at < len(p.tokens) && has(p.spans[at], cueNot) {
			return true
		}
	}
	return false
}

// isForeign reports whether a verb of choice at a token has a subject other than the model and its reader:
// "a careless reader would choose", "andere würden", "mi colega elegiría".
func (p *page) isForeign(i int) bool {
	text, before := p.text(i), p.text(i-1)
	switch {
	case irrealis[text] && p.plain(i-1) && p.at[i-1] < 0 && !things[before] && !speakers[p.text(i+1)]:
		return true
	case !has(p.spans[i], cuePick) && p.at[i] < 0:
		return false
	case p.isThird(i):
		return true
	case strings.HasSuffix(text, "ria") && p.kind(i-1) == word && (articles[p.text(i-2)] || possessives[p.text(i-2)]):
		return true
	}
	modal := i - 1
	for adverbs[p.text(modal)] && !modalVerbs[p.text(modal)] {
		modal--
	}
	subject := p.text(modal - 1)
	return modalVerbs[p.text(modal)] && p.kind(modal-1) == word && subject != "you" && !speakers[subject] && !things[subject] && p.at[modal-1] < 0 && !has(p.ends[modal-1], cuePick)
}

// thirdAuxiliaries begin the perfect of a verb whose subject is somebody else.
var thirdAuxiliaries = set("a ha hat has had avait hatte habia")

// isThird reports whether somebody else is the subject of the perfect of a verb: "mon collègue a opté pour".
func (p *page) isThird(i int) bool {
	before := p.text(i - 1)
	if !thirdAuxiliaries[before] || before == "a" && !strings.Contains(p.tokens[i].raw, "é") && !p.is(i, "choisi") {
		return false
	}
	return p.plain(i-2) && p.at[max(i-2, 0)] < 0 && !things[p.text(i-2)] && p.kind(i-2) == word
}

// isGoverned reports whether the infinitive at a token states a purpose, "to proceed with 2, I need", or is the
// object of a word that does not state the model's own choice, "the request to use".
func (p *page) isGoverned(i int) bool {
	if !p.is(i, "to") || !p.begins(i+1, cuePick) {
		return false
	}
	return p.walled(i-1) || p.kind(i-1) == word && p.at[i-1] < 0 && !governors[p.text(i-1)] && !has(p.ends[i-1], cuePick)
}

// acts reports whether the object of the model's own act is an option named by its words or a noun: "I would
// shortlist Candidate A".
func (p *page) acts(t target) bool {
	verb := t.from - 1
	for articles[p.text(verb)] {
		verb--
	}
	if !t.isLabel && !t.optioned || p.kind(verb) != word || p.filler(verb) || functionWords[p.text(verb)] || musings[p.text(verb)] || len(p.ends[verb]) > 0 && !has(p.ends[verb], cuePick) {
		return false
	}
	modal := verb - 1
	for modal > 0 && adverbs[p.text(modal)] && !intents[p.text(modal)] {
		modal--
	}
	return intents[p.text(modal)] && (p.is(modal-1, "i") || p.is(modal-1, "we")) || p.is(modal, "us") && p.is(modal-1, "let")
}

// intents are the verbs with which the model states its own act.
var intents = set("would will shall")

// musings are verbs whose object is not chosen.
var musings = set("doubt question ignore drop remove strike cross hesitate compare discuss consider weigh describe need like love hate miss check verify examine review delay postpone defer leave rank mention note wonder expect rate stop cancel")

var (
	// past forms of a copula describe an earlier choice.
	past = set("was war etait era fue")

	// conclusive words begin the conclusion of the clause before them.
	conclusive = set("so therefore thus hence consequently accordingly daher deshalb also somit folglich demnach donc ainsi luego entonces quindi portanto 所")

	// withdrawals take a statement back.
	withdrawals = set(
		"whether ob never hardly barely scarcely seldom rarely nobody nothing reluctant hesitate hesitant doubt doubtful unwise forbidden prohibited forbid forbids prohibit prohibits disallow disallows verbietet verbieten untersagt untersagen prohibe prohiben interdisent refuse refuses oppose almost nearly tempted wanted wish unless until unlikely improbable previous earlier formerly yesterday attempt attempted tried blocked prevent prevents prevented prevent beyond pretend imagine loved example examples placeholder instance",
		"beispiel exemple ejemplo esempio exemplo nie niemals keinesfalls keineswegs kaum niemand fast beinahe bezweifle bezweifeln zweifle verboten zogere unwahrscheinlich fruher gestern versucht abraten wollte",
		"jamais guere doute douterais hesite improbable interdit interdite deconseille deconseillerais",
		"nunca jamas dudo duda ayer prohibido desaconsejo",
		"mai dubito sconsiglio nunca duvido desaconselho 绝 怀 疑 误 禁 止 别",
	)

	// faults after an indefinite article call the choice one, "it would be a mistake to".
	faults      = set("mistake error fehler erreur errore erro")
	indefinites = set("a an ein une un um")

	// attitudes are verbs whose negation denies their object clause.
	attitudes = set("think believe convinced say claim feel glaube denke finde uberzeugt pense crois creo pienso credo penso acho acredito 认 觉")

	// absences begin an unreal situation if the verb of the sentence is in the conditional.
	absences = set("without ohne sans sin senza sem")
	irrealis = set("wurde wurden")

	// ponders are verbs that look at an option, regards those that do so with one of the prepositions of objects.
	objects = set("de at about into with over on uber an auf sur sobre whether ob if")
	ponders = set("confirm explain clarify before avant antes bevor vor consider considering check checking examine review compare comparing discuss weigh describe analyze analyse investigate explore evaluate test inspect study prufe prufen betrachte betrachten vergleiche vergleichen regarder comparer examiner comparar examinar revisar")
	regards = set("look looking think thinking denke nachdenken")

	// linking prepositions connect an option to the verb or noun before them, callers need the option as their object.
	linking = set("to by in on at from with of about into for mit bei um von auf avec sur dans con por sobre")
	callers = set("corresponds corresponding back folgt toca bleiben falta suit sigue means mean bedeutet heisst signifie significa bleibt qu need needs require requires demand demands want wants requested matches fits")

	// ableness words negated state that the choice is not possible.
	ableness   = set("permission access erlaubnis berechtigung permiso autorisation permesso can could may allowed possible permitted able available today geht darf erlaubt moglich kann peux peut possible permis puedo posible permitido 行 能")
	modalVerbs = set("would will might could")

	// governors precede an infinitive that may state the choice.
	governors = set("need needs have has had want wants going decide decided choose chose prefer ready time best better wise sensible reasonable necessary required important sense is be step action option decision tool thing way us me like love required try best logical natural appropriate safe safest right correct advisable recommended about left remains up ought able next first again back on")
)
