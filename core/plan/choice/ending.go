package choice

// incomplete reports whether the reply ends within a sentence after weak evidence for a choice.
func (p *page) incomplete(last claim) bool {
	if last.rank <= rankMention && !p.targets[p.at[last.from]].start && p.cutOff() {
		return true
	}
	if last.rank <= rankMention && p.objects(last.to) {
		return true
	}
	return (last.rank <= rankLabel || last.rank == rankMention && last.from > 0 && p.onLastLine(last)) && p.breaksOff()
}

// breaksOff reports whether the reply ends within a sentence.
func (p *page) breaksOff() bool {
	last := p.text(len(p.tokens) - 1)
	return last == "," || p.at[len(p.tokens)-1] < 0 && (reasons[last] || conjunctions[last] && p.kind(len(p.tokens)-1) == word || articles[last] && last != "o" && last != "a")
}

// cutOff reports whether the last sentence of a text of several sentences has no end.
func (p *page) cutOff() bool {
	end := len(p.tokens) - 1
	if end < 0 || p.kind(end) != word || p.at[end] >= 0 || p.tokens[end].mark != 0 {
		return false
	}
	for i := end; i >= 0 && p.kind(i) != newline; i-- {
		if p.kind(i) == punct && (p.is(i, ".") || p.is(i, "。")) && p.stops(i) {
			return functionWords[p.text(end)] || fillers[p.text(end)] || neutralVerbs[p.text(end)] || breaks[p.text(end)] || conjunctions[p.text(end)]
		}
	}
	return false
}

// maxObjection bounds the words of an objection that breaks off.
const maxObjection = 3

// objects reports whether the reply ends shortly after a word such as "but" behind a claim, without the
// end of a sentence: "Music Generation: writes songs, but the user".
func (p *page) objects(to int) bool {
	for i := len(p.tokens) - 1; i >= to && len(p.tokens)-i <= maxObjection+1; i-- {
		switch {
		case p.kind(i) != word || p.at[i] >= 0:
			return false
		case adversatives[p.text(i)]:
			return p.is(i-1, ",") && determiners[p.text(i+1)]
		}
	}
	return false
}
