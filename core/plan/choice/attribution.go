package choice

// reportVerbs are the verbs at the end of a clause whose subject is a phrase of [cueSaid]: "der
// Kunde hat 2 empfohlen", 同僚は4を勧めています.
var reportVerbs = set("empfohlen vorgeschlagen gesagt gewahlt genannt bevorzugt gemeint geschrieben gewunscht verlangt ausgewahlt 勧 薦 言 提 思 選 述")

// auxiliaries end a phrase of [cueSaid] that needs a verb of reportVerbs.
var auxiliaries = set("hat habe hatte haben は が")

// sources precede the words of somebody else: "User: 2", "the task: choose option 2".
var sources = set("quote zitat citation cita error warning loading fehler erreur 误 user human customer client task question prompt request instruction example query problem aufgabe frage kunde benutzer beispiel utilisateur tache exemple usuario tarea pregunta ejemplo pergunta tarefa 务 题 户 例 題")

// attributed reports whether a clause states the opinion of somebody else: "the user recommended
// option 2", "my colleague thinks that 3 is right".
func (p *page) attributed(from, to int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence; i-- {
		if p.reports(i) || p.isMajority(i) || has(p.ends[i], cueSaid) && (!auxiliaries[p.text(i)] || p.reported(to)) {
			return true
		}
		if p.is(i, ":") && sources[p.text(i-1)] && (p.beginsClause(i-1) || articles[p.text(i-2)] && p.beginsClause(i-2)) {
			return true
		}
		if p.is(i, ",") && p.quotes(i) {
			return true
		}
		quotes := p.is(i, ":") && i > 0 && has(p.ends[i-1], cueSaid)
		if p.is(i, ",") && p.introduces(i-1) {
			return true
		}
		if p.kind(i) == newline || p.kind(i) == punct && !quotes && !p.continues(i) || breaks[p.text(i)] {
			return false
		}
	}
	return false
}

// quotes reports whether a clause that ends at a comma has somebody else as the subject of its verb: "der Chef hat
// gesagt, wir sollen".
func (p *page) quotes(comma int) bool {
	if !reportVerbs[p.text(comma-1)] {
		return false
	}
	for i := comma - 1; i >= 0 && comma-i <= maxTail && !p.walled(i); i-- {
		if has(p.ends[i], cueSaid) {
			return true
		}
	}
	return false
}

// introduces reports whether a phrase of [cueSaid] that begins its sentence ends at a token:
// "according to the customer, 4".
func (p *page) introduces(i int) bool {
	for _, s := range p.ends[max(i, 0)] {
		if s.sense == cueSaid && p.walled(s.from-1) {
			return true
		}
	}
	name := p.tokens[max(i, 0)].raw
	return i > 0 && authorities[p.text(i-1)] && name != "" && name != p.text(i)
}

// authorities precede a name that a statement is attributed to.
var authorities = set("to laut selon segun segundo secondo")

// reports reports whether a token is a verb whose subject is neither the model nor a thing: "Anna
// thinks 4", "the supervisor ordered 4".
func (p *page) reports(i int) bool {
	text, subject := p.text(i), p.text(i-1)
	if opinions[text] && len(subject) > minNoun && subject[len(subject)-1] == 's' && !things[subject] && !nonVerbs[subject] && p.at[i-1] < 0 {
		return true // "critics say"
	}
	third, past := thirdPerson[text], pastTense[text]
	if !third && !past || p.kind(i-1) != word || things[subject] || articles[subject] || possessives[subject] {
		return false
	}
	if past && (functionWords[subject] || fillers[subject] || breaks[subject]) && !persons[subject] {
		return false
	}
	for at := i - 1; at >= 0 && p.kind(at) == word && i-at <= maxInner; at-- {
		if speakers[p.text(at)] {
			return false
		}
	}
	return true
}

// isMajority reports whether a token is a verb of choice whose subject is a number of people: "many teams
// pick 2", "most travellers would choose 2".
func (p *page) isMajority(i int) bool {
	if !preferences[p.text(i)] {
		return false
	}
	subject := i - 1
	for adverbs[p.text(subject)] {
		subject--
	}
	noun := p.text(subject)
	plural := noun == "people" || len(noun) > minNoun && noun[len(noun)-1] == 's' && !nonVerbs[noun]
	return plural && (quantifiers[p.text(subject-1)] || quantifiers[p.text(subject-2)])
}

var (
	preferences = set("choose pick prefer recommend suggest select take use like go opt vote")
	adverbs     = set("would will usually often normally typically generally probably likely perhaps certainly surely definitely might could may tend to")
	quantifiers = set("many most some several other few")
)

// thirdPerson and pastTense are verbs that report somebody's opinion. Those of pastTense are also
// participles, as in "the recommended option".
var (
	thirdPerson = set("told", "tells", "says said thinks believes believed recommends suggests proposes prefers wants wanted advises insists claims argues asks asked orders demands",
		"sagt sagte meint meinte denkt glaubt empfiehlt empfahl verlangt will rat", "dit pense croit recommande suggere propose prefere preconise conseille veut demande", "dice dijo piensa cree recomienda recomendo sugiere sugirio propone propuso prefiere quiere pide", "diz disse acha pensa recomenda recomendou sugere sugeriu propoe prefere quer pede", "dice pensa crede consiglia suggerisce propone preferisce vuole")
	pastTense = set("chose picked selected preferred recommended suggested proposed voted advised requested ordered")
)

// opinions are verbs whose subject in the plural has an opinion.
var opinions = set("say think believe recommend suggest prefer claim argue advise")

// speakers are the pronouns for the model itself.
var speakers = set("i we ich wir je j nous yo nosotros eu nos io noi")

// persons are the pronouns for anybody but the model.
var persons = set("he she they who you er sie il elle ils on el ella ellos ele ela voce lui lei")

// things are subjects whose verb gives a reason: "this suggests option 3".
var things = set("this that which it all everything evidence context description image picture text question task message error log data result results name title se ca cela das es dies esto eso isso isto ci si")

// continues reports whether the clause of a token before a punctuation mark continues after the
// mark.
func (p *page) continues(i int) bool {
	switch p.text(i) {
	case "(", ")", "#", "[", "]":
		return true
	}
	return p.is(i, ".") && !p.stops(i)
}

// reported reports whether a verb of reportVerbs ends the clause of an option.
func (p *page) reported(to int) bool {
	for i := to; i < len(p.tokens) && i < to+maxRight && p.kind(i) != newline && p.kind(i) != punct; i++ {
		if reportVerbs[p.text(i)] {
			return true
		}
	}
	return false
}
