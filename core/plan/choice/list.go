package choice

import "slices"

// findLists marks the items of lists of several options, each by its style: "Option 1: …",
// "1. X", "1. …" and "X: …".
func (p *page) findLists() {
	style := func(t target) int {
		switch {
		case p.labelled(t):
			return 0
		case t.isLabel:
			return 1
		case t.optioned:
			return 2
		}
		return 3
	}
	seen := [4]map[int]bool{{}, {}, {}, {}}
	items := make([]bool, len(p.targets))
	for k, t := range p.targets {
		if items[k] = p.isItem(t); items[k] {
			seen[style(t)][t.option] = true
		}
	}
	for k := 0; k+1 < len(p.targets); k++ { // "1. read 2. write"
		a, b := p.targets[k], p.targets[k+1]
		if p.labelled(a) && p.labelled(b) && b.option == a.option+1 && p.onlyMarks(a.to, b.from) {
			items[k], items[k+1] = true, true
			seen[0][a.option], seen[0][b.option] = true, true
		}
	}
	for k := range p.targets {
		p.targets[k].listed = items[k] && len(seen[style(p.targets[k])]) > 1
	}
}

// isItem reports whether a target may be an item of a list: the first one on its line, with a mark or
// the end of the line after it.
func (p *page) isItem(t target) bool {
	switch {
	case !t.lead || t.weak && t.isLabel && !p.is(t.to, "|") || p.endsReply(t) && p.headed(t):
		return false
	case p.labelled(t) || t.isLabel && p.kind(t.to) == newline:
		return true
	}
	return p.kind(t.to) == punct && !p.is(t.to, ",") && !p.is(t.to, "!") && !p.is(t.to, "?")
}

// headed reports whether a target is the first one after a heading such as "Answer".
func (p *page) headed(t target) bool {
	i := t.from - 1
	for p.kind(i) == punct {
		i--
	}
	return i > 0 && p.kind(i) == newline && p.opens(i)
}

// labelled reports whether a target is a number with its label.
func (p *page) labelled(t target) bool {
	return t.number != "" && t.to > t.from+2 && t.option > 0 && !t.isLabel
}

// picked reports whether the line of a list's item states that it is the choice, and no
// other item's line does.
func (p *page) picked(t target) bool { return len(p.praised) == 1 && p.praised[t.option] }

// ticks mark the item of a list that is the choice.
var ticks = set("✅ ✓ ✔ ← ☑ → ➡ 👉 ⬅ ★ ⭐ ●")

// praises reports whether the line of an item calls it the choice: by a tick, by bold type that no
// other item has, or by its words.
func (p *page) praises(t target) bool {
	for i := t.from - 1; p.kind(i) == punct; i-- {
		if ticks[p.text(i)] && !p.is(i, "●") {
			return true
		}
	}
	if p.tokens[t.to-1].mark&bold != 0 && p.onlyBold(t) {
		return true
	}
	good := p.affirms(t.to)
	for i := t.to; p.kind(i) != newline && i-t.to < maxSentence; i++ {
		if ticks[p.text(i)] && !p.is(i, "→") && !p.is(i, "➡") {
			return true
		}
		good = good || praises[p.text(i)] && p.onlyMarks(t.to, i) && (p.kind(i+1) != word || p.tokens[i+1].mark != p.tokens[i].mark)
		for _, s := range p.spans[i] {
			switch s.sense {
			case cueGood:
				good = true
			case cueBad, cueNot, cueIf, cueAside:
				return false
			}
		}
	}
	return good
}

// onlyBold reports whether no other item of a list is in bold type.
func (p *page) onlyBold(t target) bool {
	return !slices.ContainsFunc(p.targets, func(o target) bool {
		return o.listed && o.option != t.option && p.tokens[o.to-1].mark&bold != 0
	})
}

// affirms reports whether the first word from a token on its line is "yes".
func (p *page) affirms(i int) bool {
	for p.kind(i) == punct {
		i++
	}
	return affirmations[p.text(i)]
}
