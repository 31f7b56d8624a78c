package choice

import "strings"

// findCues records every phrase, except inside labels and inside phrases that mean
// something else.
func (p *page) findCues() {
	p.spans, p.ends, p.covered = make([][]span, len(p.tokens)), make([][]span, len(p.tokens)), make([]bool, len(p.tokens))
	for i := 0; i < len(p.tokens); i++ {
		if p.tokens[i].kind != word || p.at[i] >= 0 && p.inLabel(i) {
			continue
		}
		var found []span
		skip := 0
		for _, known := range lexicon()[p.tokens[i].text] {
			end := match(known.elements, p.tokens, i)
			switch {
			case end < 0:
			case known.sense == cueSkip:
				skip = max(skip, end)
			default:
				found = append(found, span{known.sense, i, end})
			}
		}
		longest := 0
		for _, s := range found {
			longest = max(longest, s.to)
		}
		for _, s := range found {
			if p.misleads(s) {
				continue
			}
			// A negation that begins a longer phrase is part of it: 不如.
			partial := s.to < longest && (s.sense == cueNot || s.sense == cueBad) && isIdeograph([]rune(p.tokens[i].text)[0])
			if (s.to > skip || s.to == skip && s.sense == cueNot) && !partial {
				p.add(s)
			}
		}
		if skip > 0 && len(p.spans[i]) == 0 {
			i = skip - 1
		}
	}
}

// misleads reports whether the words around a phrase show that it does not have its sense.
func (p *page) misleads(s span) bool {
	switch i := s.from; s.sense {
	case cueIf:
		return s.to == i+1 && strings.ContainsAny(p.tokens[i].raw, "íì") // "sí" is yes
	case cueBad:
		return s.to == i+1 && p.is(i, "out") && p.kind(i+1) == word
	case cueNot:
		return (interrogatives[p.text(i)] || interrogatives[p.text(i-1)]) && p.asked(i) // "Why not 3?"
	case cuePick:
		if s.to == i+1 && p.is(i, "do") {
			return !p.walled(i - 1) // "do step 5"
		}
		return s.to == i+1 && announcers[p.text(i)] && !p.announces(i)
	}
	return false
}

// inLabel reports whether a token is a word of a label.
func (p *page) inLabel(i int) bool {
	t := p.targets[p.at[i]]
	return t.isLabel || i > t.from && p.labelled(t)
}

//go:noinline
func has(spans []span, sense cue) bool {
	for _, s := range spans {
		if s.sense == sense {
			return true
		}
	}
	return false
}
