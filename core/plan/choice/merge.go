package choice

import "slices"

// merge joins a number with the label next to it: "3 - X", "3: X", "X (3)", "option 3, i.e. X". If
// they name different options, the result names none, except for the numbers of the reply's own list.
func (p *page) merge() {
	var out []target
	for _, t := range p.targets {
		if len(out) > 0 {
			last := &out[len(out)-1]
			if last.isLabel != t.isLabel && p.apposed(*last, t) {
				*last = p.joined(*last, t)
				continue
			}
		}
		out = append(out, t)
	}
	p.targets = out
}

// apposed reports whether two targets are separated only by marks that introduce an explanation.
func (p *page) apposed(a, b target) bool {
	if b.from-a.to > 5 || a.isLabel && b.from == a.to {
		return false
	}
	marks := false
	for i := a.to; i < b.from; i++ {
		switch p.text(i) {
		case ".", ";":
			if p.closes(i, a) {
				return false
			}
			marks = true
		case ":", ")", "(", "-", "—", "=", "→", "[", "]", "|":
			marks = true
		case ",":
			// "3, i.e. X" is one option, and "3, X" a list.
			if !p.is(i+1, "i") {
				return false
			}
			marks = true
		default:
			if !optionNouns[p.text(i)] && !p.is(i, "i") && !p.is(i, "e") && !p.is(i, "the") && p.kind(i) != punct {
				return false
			}
		}
	}
	// A label ends its line, unless parentheses hold the number.
	if a.isLabel && !p.is(b.from-1, "(") && !b.optioned {
		return false
	}
	// "X(17, 23)" and "3 (X was tried)" have an argument and a reason in the parentheses.
	if p.is(b.from-1, "(") && (p.kind(b.to) == word || p.kind(b.to) == number) {
		return false
	}
	return marks || b.marked || !a.isLabel && b.from == a.to
}

// closes reports whether a mark after a target ends its sentence or clause. The full stop of "3." does not.
func (p *page) closes(i int, t target) bool {
	return p.is(i, ";") || t.isLabel || t.to > t.from+1
}

// joined returns two adjacent targets as one.
func (p *page) joined(a, b target) target {
	out := a
	out.to = b.to
	if p.is(b.from-1, "(") && p.is(b.to, ")") {
		out.to++
	}
	out.marked, out.optioned = a.marked || b.marked, a.optioned || b.optioned
	out.weak = false
	out.alone = a.lead && b.alone || a.lead && p.kind(b.to) == newline || a.alone
	switch {
	case a.option == b.option:
		if a.lead {
			out.optioned = true
		}
		p.titled(&out)
	case !a.isLabel && a.lead && !a.optioned && p.is(a.to, ".") && p.enumerates(a):
		out.option, out.isLabel = b.option, true
	default:
		out.option = ambiguous
	}
	return out
}

// enumerates reports whether a number at the start of a line numbers an item of the reply's own list: it
// is 1, out of range, or one more than the number of an item before it.
func (p *page) enumerates(t target) bool {
	return t.option <= 1 || slices.ContainsFunc(p.tokens[:t.from], func(k token) bool { return k.kind == number && k.value == t.option-1 })
}

// titled treats any noun in front of a number with its label as an option noun: "Ville 4 : Nantes".
func (p *page) titled(t *target) {
	if t.isLabel || p.kind(t.from-1) != word || functionWords[p.text(t.from-1)] || fillers[p.text(t.from-1)] || len([]rune(p.text(t.from-1))) < minNoun {
		return
	}
	t.optioned = true
	before := t.from - 2
	for p.kind(before) == punct && p.onlyBullets(before) {
		before--
	}
	if p.kind(before) == newline {
		t.lead, t.start = true, before < 0
		t.alone = p.kind(t.to) == newline
	}
}

// minNoun is the length of the shortest noun in front of a number.
const minNoun = 3
