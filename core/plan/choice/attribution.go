package choice

// reportVerbs are the verbs at the end of a clause whose subject [cueSaid] is: "der Kunde hat 2
// empfohlen", 同僚は4を勧めています.
var reportVerbs = set("empfohlen vorgeschlagen gesagt gewahlt genannt bevorzugt gemeint geschrieben gewunscht verlangt ausgewahlt 勧 薦 言 提 思 選 述")

// auxiliaries end a phrase of [cueSaid] that needs a verb of reportVerbs.
var auxiliaries = set("hat habe hatte haben は が")

// sources precede the words of somebody else: "User: 2", "the task: choose option 2".
var sources = set("user human customer client task question prompt request instruction example query problem aufgabe frage kunde benutzer beispiel utilisateur tache exemple usuario tarea pregunta ejemplo pergunta tarefa 务 题 户 例 題")

// attributed reports whether a clause states the opinion of somebody else: "the user recommended
// option 2", "my colleague thinks that 3 is right".
func (p *page) attributed(from, to int) bool {
	for i := from - 1; i >= 0 && from-i < maxSentence; i-- {
		if has(p.ends[i], cueSaid) && (!auxiliaries[p.text(i)] || p.reported(to)) {
			return true
		}
		if p.is(i, ":") && sources[p.text(i-1)] && (p.beginsClause(i-1) || articles[p.text(i-2)] && p.beginsClause(i-2)) {
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

// continues reports whether the clause of a token before a punctuation mark continues after it.
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
