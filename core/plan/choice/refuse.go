package choice

// deciders are the last words of refusals that an option may follow: "I can't choose 1, so 3".
var deciders = set("choose pick select decide recommend answer use do make elegir escoger seleccionar choisir faire wahlen auswahlen scegliere escolher 选 择 選 hacer no not")

// refuses reports whether the text refuses to choose.
func (p *page) refuses() bool {
	for i := range p.tokens {
		for _, s := range p.spans[i] {
			if s.sense != cueRefuse || p.ofOption(s) {
				continue
			}
			if p.is(s.to-1, "answer") && p.is(s.to-2, "the") && p.is(s.to-3, "know") {
				continue // "I do not know the answer yet"
			}
			if deciders[p.text(s.to-1)] && p.targetNear(s.to) {
				continue
			}
			return true
		}
	}
	return false
}

// modals are the words that begin a refusal whose meaning depends on its subject.
var modals = set("can could will would may unable able going willing allowed")

// ofOption reports whether the subject of a phrase is an option, "1 and 2 can't help", or a thing.
func (p *page) ofOption(s span) bool {
	subject := s.from - 1
	named := p.kind(subject) == word && !p.filler(subject) && !functionWords[p.text(subject)] && !breaks[p.text(subject)] && len(p.ends[subject]) == 0
	for i := s.from - 1; i >= 0 && s.from-i <= 3 && (p.kind(i) == word || p.at[i] >= 0 || p.is(i, ")")); i-- {
		switch p.text(i) {
		case "i", "we", "ai", "ich", "wir", "je", "yo", "io", "eu":
			return false
		case "it", "they", "that", "this", "which", "these", "those":
			if modals[p.text(s.from)] {
				return true
			}
		}
		if p.at[i] >= 0 && !p.targets[p.at[i]].weak {
			return true
		}
	}
	return named && modals[p.text(s.from)]
}
