package choice

// side is the evidence on one side of a group.
type side struct {
	pick, final, not, good, bad, aside, hedge, first, fixed bool

	strong bool // a verb of choice directly precedes
	doubt  bool // a negation of something else precedes
}

// Bounds of the search for cues next to a group, in tokens.
const (
	maxLeft  = 14
	maxTail  = 6
	maxRight = 12
)

// left looks for a cue before a group, skipping fillers, and for a negation before that cue.
func (p *page) left(from int) (s side) {
	clear := true // only fillers so far
	tail, comma, colon, sealed := maxTail, false, false, false
	for i := from - 1; i >= 0 && from-i <= maxLeft; i-- {
		k := p.tokens[i]
		if k.kind == newline && p.opens(i) && !s.pick {
			continue
		}
		if p.walled(i) {
			break
		}
		p.gather(&s, i, clear, comma, colon, sealed)
		s.doubt = s.doubt || !clear && !s.pick && !comma && !colon && has(p.ends[i], cueNot)
		switch {
		case k.text == ":":
			// "no: the answer is 3" excludes nothing.
			colon, sealed = true, sealed || s.pick
		case p.opened(i, s.pick):
			clear = false
		case clauseMarks[k.text]:
			comma = true
			if s.pick {
				return s
			}
		case k.kind == punct, p.fills(i), len(p.ends[i]) > 0, p.covered[i]:
		default:
			clear = false
			if tail--; tail < 0 || !s.pick && breaks[k.text] {
				return s
			}
		}
		if s.pick && breaks[k.text] && !p.inPhrase(i, cuePick) {
			return s
		}
	}
	return s
}

// fills reports whether a token may be between a cue and its choice: a filler, a noun such as "step" in
// front of a label, or a light word in front of a part of a label.
func (p *page) fills(i int) bool {
	text := p.text(i)
	return p.filler(i) || p.loosely && (light[text] || p.labels.common[text]) || countedNouns[text] && i+1 < len(p.at) && p.at[i+1] >= 0 && p.targets[p.at[i+1]].isLabel
}

// clauseMarks separate clauses of a sentence.
var clauseMarks = set(", — ;")

// walled reports whether a token separates a group from the text before it: another group, or the
// end of a sentence.
func (p *page) walled(i int) bool {
	return i < 0 || p.kind(i) == newline || p.at[i] >= 0 && !p.targets[p.at[i]].weak || p.kind(i) == punct && p.stops(i)
}

// gather adds the cues that end at a token.
func (p *page) gather(s *side, i int, clear, comma, colon, sealed bool) {
	near := !colon || p.is(i+1, ":") // "alternatively: 3"
	for _, found := range p.ends[i] {
		s.not = s.not || !sealed && p.excludes(found, i, clear && !comma, s.pick && !comma, s.pick)
		switch found.sense {
		case cuePick:
			p.pick(s, found, comma, clear)
		case cueFinal:
			s.final = s.final || s.pick || clear && p.announces(i)
		case cueAside:
			s.aside = s.aside || near && !p.isSo(i) && (!comma || p.is(i+1, ","))
		case cueFix:
			s.fixed = s.fixed || clear
		case cueFirst:
			s.first = s.first || near
		case cueHedge:
			p.hedge(s, i, near && !comma)
		}
	}
}

// possibilities are modal verbs with which the model names an act that it may do.
var possibilities = set("could might may konnte konnten pourrais pourrait pourrions podria podriamos potrei potremmo poderia poderiamos")

// hedge adds a weak mention that ends at a token. One that governs the verb of choice, "I could call 2", is an aside.
func (p *page) hedge(s *side, i int, near bool) {
	s.hedge = s.hedge || near && !p.titles(i)
	s.aside = s.aside || s.pick && possibilities[p.text(i)] && p.begins(i+1, cuePick)
}

// titles reports whether a token is an option noun in front of a group: "la alternativa 1".
func (p *page) titles(i int) bool {
	return optionNouns[p.text(i)] && i+1 < len(p.at) && p.at[i+1] >= 0
}

// pick adds a cue that picks the group, if only fillers are between them. A comma follows only a cue that begins its sentence: "so, 3".
func (p *page) pick(s *side, found span, comma, clear bool) {
	if !clear || p.yields(found) || past[p.text(found.from-1)] && p.at[max(found.from-2, 0)] < 0 && demonstratives[p.text(found.from-2)] {
		return // "that was call 1"
	}
	last := p.text(found.to - 1)
	s.pick = s.pick || !comma || p.walled(found.from-1) || restatements[last]
	s.strong = s.strong || !comma && !connectives[last] && !connectives[p.text(found.from)]
}

// demonstratives refer to something before them.
var demonstratives = set("that this das dies cela c esto eso")

// excludes reports whether a phrase that ends at a token excludes the group after it. A negation
// does so next to the group, or if a cue that picks the group, and no comma, is between them; a
// refusal only next to the group; a word such as "wrong" only before a cue that picks the group.
func (p *page) excludes(found span, i int, next, cued, picked bool) bool {
	switch found.sense {
	case cueNot:
		return (next || cued) && !p.abbreviates(i) && !(polar[p.text(i)] && p.is(i+1, ":") && p.beginsClause(i)) // "No: 3"
	case cueRefuse:
		return next && deciders[p.text(i)] && !p.ofOption(found) // 不能选 1
	case cueBad:
		return picked && blockers[p.text(i)] // "it would be wrong to choose"
	}
	return false
}
