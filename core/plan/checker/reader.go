package checker

import (
	"slices"
)

// noTool is the note of a step without a tool.
const noTool = "names no known tool"

// stepReader reads a list of steps line by line.
type stepReader struct {
	*Checker
	text    string
	r       *reading
	step    int         // the number of steps so far
	last    map[int]int // by line number: the last index among Found
	waiting *int        // the number of the last line without a tool
	unclear string      // the reason why the last line was not read; "" if it names no tool
	later   []reference // to steps that are listed further down
	down    bool        // the steps are listed from the last to the first

	remarked []int // phrases in remarks
}

// reference is a reference to a later line of the list.
type reference struct {
	from   int  // index among Found
	number int  // of the later line
	takes  bool // from takes the later step's result; otherwise the later step takes from's
}

// mention is a phrase or a reference in a line.
type mention struct {
	phrase     int // -1 for a reference to a step
	step       int // the number of the referenced step
	start, end int
	first      int  // its first piece
	taken      bool // it is an argument
	bare       bool // it is the complete line
	chosen     bool // it is a choice of a subset
	note       string
}

// longLine is the number of words up to which a line is searched for misspelt names.
const longLine = 60

// guessed adds a mention of phrase n and reports whether it is a step.
func (s *stepReader) guessed(n, start, size int, list []piece, mentions *[]mention) bool {
	if n < 0 || s.lexicon.phrases[n].listed < 0 {
		return false
	}
	from, to := list[start].start, list[start+size-1].end
	m := mention{phrase: n, start: from, end: to, first: start, note: "“" + s.text[from:to] + "” was read as " + s.lexicon.phrases[n].text}
	*mentions = append([]mention{m}, s.without(*mentions, m)...)
	return true
}

func (s *stepReader) without(mentions []mention, m mention) []mention {
	var out []mention
	for _, o := range mentions {
		if o.end <= m.start || o.start >= m.end {
			out = append(out, o)
		}
	}
	return out
}

// isTool reports whether a mention is one of a tool, and not of an argument or a step.
func (s *stepReader) isTool(m mention) bool {
	return m.phrase >= 0 && !m.taken && s.lexicon.phrases[m.phrase].listed >= 0
}

// onlyInputs reports whether a line without tools is about inputs, which are not steps:
// "take the input image". A line with other words may name a tool that is not known.
func (s *stepReader) onlyInputs(mentions []mention, list []piece) bool {
	return len(mentions) > 0 && mentions[0].phrase >= 0 && !slices.ContainsFunc(list, func(p piece) bool {
		return !within(mentions, p) && !isNumber(p.text) && !slices.Contains(fillerWords, p.text) && !slices.Contains(inputWords, p.text)
	})
}

// given notes inputs on separate lines. They are steps only in a plan without others.
func (s *stepReader) given(mentions []mention) {
	for _, m := range mentions {
		if m.phrase < 0 {
			continue
		}
		p := s.lexicon.phrases[m.phrase]
		if listed, ok := s.stepGrammar.names[p.letter]; ok {
			s.r.alone = append(s.r.alone, Found{Symbol: s.nameOf(p), Label: s.labelOf(p), Start: m.start, End: m.end, Step: s.step, listed: listed, letter: p.letter, bare: m.bare})
		}
	}
}

// scan returns the mentions of a line, the longest phrase at each place.
func (s *stepReader) scan(list []piece) []mention {
	var out []mention
	for i := 0; i < len(list); {
		if phrases := s.lexicon.at(s.text, list[i:]); len(phrases) > 0 {
			size := len(s.lexicon.phrases[phrases[0]].pieces)
			out = append(out, mention{phrase: phrases[0], start: list[i].start, end: list[i+size-1].end, first: i})
			i += size
			continue
		}
		if slices.Contains(earlierWords, list[i].text) && i+1 < len(list) && slices.Contains(resultWords, list[i+1].text) {
			out = append(out, mention{phrase: -1, step: previousStep, start: list[i].start, end: list[i+1].end, first: i})
			i += 2
			continue
		}
		if slices.Contains(numberedWords, list[i].text) {
			i++
			for i < len(list) && (stepNumber(list[i].text) > 0 || list[i].text == "and") {
				if n := stepNumber(list[i].text); n > 0 {
					out = append(out, mention{phrase: -1, step: n, start: list[i].start, end: list[i].end, first: i})
				}
				i++
			}
			continue
		}
		if n := slices.Index(ordinals, list[i].text); n >= 0 && i+1 < len(list) && list[i+1].text == "step" {
			out = append(out, mention{phrase: -1, step: n + 1, start: list[i].start, end: list[i+1].end, first: i})
			i += 2
			continue
		}
		i++
	}
	return out
}

// stepNumber returns the value of digits or of a number word, or 0.
func stepNumber(text string) int {
	if isNumber(text) {
		return number(text)
	}
	return 1 + slices.Index(cardinals, text)
}

func number(digits string) int {
	n := 0
	for _, d := range digits[:min(len(digits), 6)] {
		n = 10*n + int(d-'0')
	}
	return n
}

// template reads a line of the form "use X on the result of step 1 and Y". X and Y may be
// any text.
func (s *stepReader) template(list []piece) ([]mention, bool) {
	if len(list) == 0 {
		return nil, false
	}
	for _, n := range s.lexicon.at(s.text, list) {
		if p := s.lexicon.phrases[n]; len(p.pieces) == len(list) {
			return []mention{{phrase: n, start: list[0].start, end: list[len(list)-1].end, bare: true}}, true
		}
	}
	switch list[0].text {
	case "prepare":
		return s.chosen(list)
	case "use":
	default:
		return nil, false
	}
	for _, n := range s.lexicon.at(s.text, list[1:]) {
		p := s.lexicon.phrases[n]
		at := 1 + len(p.pieces)
		if p.listed < 0 || at >= len(list) || list[at].text != "on" {
			continue
		}
		if args, ok := s.takes(list, at+1); ok {
			return append([]mention{{phrase: n, start: list[1].start, end: list[at-1].end, first: 1}}, args...), true
		}
	}
	return nil, false
}

// chosen reads a line of the form "prepare the seasoning: garlic, salt, for: …" as a choice from a
// subset. It skips the sentence after "for" or "for the step", which states the step that takes the
// choice and has its own line.
func (s *stepReader) chosen(list []piece) ([]mention, bool) {
	said := list[1:]
	for k, p := range said {
		sentence := said[k+1:]
		if len(sentence) > 2 && sentence[0].text == "the" && sentence[1].text == "step" {
			sentence = sentence[2:]
		}
		if p.text == "for" && slices.ContainsFunc(s.lexicon.at(s.text, sentence), func(n int) bool {
			return len(s.lexicon.phrases[n].pieces) == len(sentence)
		}) {
			said = said[:k]
			break
		}
	}
	for _, subset := range s.g.Subsets {
		label := pieces(s.g.Label(subset.Left), 0)
		named := min(len(label), len(said))
		if !slices.Equal(wordsOf(label), wordsOf(said[:named])) {
			continue
		}
		if out := s.scan(said[named:]); len(out) > 0 {
			for i := range out {
				out[i].chosen = true
			}
			return out, true
		}
	}
	return nil, false
}

// takes reads arguments joined by "and".
func (s *stepReader) takes(list []piece, at int) ([]mention, bool) {
	type reading struct {
		m    mention
		next int
	}
	var readings []reading
	if at+4 < len(list) && list[at].text == "the" && list[at+1].text == "result" && list[at+2].text == "of" && list[at+3].text == "step" && isNumber(list[at+4].text) {
		readings = append(readings, reading{mention{phrase: -1, step: number(list[at+4].text), start: list[at+4].start, end: list[at+4].end, first: at + 4}, at + 5})
	}
	for _, n := range s.lexicon.at(s.text, list[min(at, len(list)):]) {
		size := len(s.lexicon.phrases[n].pieces)
		readings = append(readings, reading{mention{phrase: n, start: list[at].start, end: list[at+size-1].end, first: at, taken: true}, at + size})
	}
	for _, w := range readings {
		if w.next == len(list) {
			return []mention{w.m}, true
		}
		if list[w.next].text == "and" {
			if more, ok := s.takes(list, w.next+1); ok {
				return append([]mention{w.m}, more...), true
			}
		}
	}
	return nil, false
}

// line reads a line and reports whether it mentions a step or an input.
func (s *stepReader) line(l line, number int) bool {
	s.unclear = ""
	list := pieces(s.text[l.text:l.end], l.text)
	mentions, exact := s.template(list)
	if !exact {
		mentions = s.scan(list)
	}
	tools := slices.ContainsFunc(mentions, s.isTool)
	if !tools && len(list) <= longLine {
		n, start, size := s.lexicon.misspelt(list)
		if tools = s.guessed(n, start, size, list, &mentions); !tools {
			tools = s.similar(list, &mentions)
		}
		if !tools && s.unclear == "" {
			n, start, size = s.lexicon.part(list)
			tools = s.guessed(n, start, size, list, &mentions)
		}
	}
	if !exact {
		mentions, tools = s.checkUses(mentions, list, number)
	}
	if s.unclear != "" {
		return false
	}
	if !tools {
		if s.onlyInputs(mentions, list) {
			s.given(mentions)
			return true
		}
		return false
	}
	return s.put(mentions, list, number, exact)
}
