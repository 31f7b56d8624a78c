package checker

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/grammar"
)

func (c *Checker) readSteps(text string, lines []line, marked bool) reading {
	r := reading{form: FormSteps}
	s := stepReader{Checker: c, text: text, r: &r, last: map[int]int{}}
	same := false
	s.down, same = r.numbered(lines)
	if r.fault == "" && severalLists(text, lines, same) {
		r.fault = "the text has several lists; expected one plan"
	}
	for _, l := range lines {
		if !strings.ContainsFunc(text[l.start:l.end], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || strings.HasPrefix(text[l.start:l.end], "```") {
			continue // brackets and fences
		}
		if marked && !l.marker {
			// A remark, or more about the step before it.
			if s.waiting == nil || !unicode.IsSpace(rune(text[l.start])) || !s.continued(l) {
				r.unread = append(r.unread, Unread{Text: strings.TrimSpace(text[l.start:l.end]), Start: l.start, End: l.end})
				s.remark(l)
				continue
			}
			s.waiting = nil
			continue
		}
		s.step++
		number := l.number
		if number == 0 || same {
			number = s.step
		}
		s.waiting = nil
		if s.line(l, number) {
			continue
		}
		said := strings.TrimSpace(text[l.text:l.end])
		if !marked && strings.HasPrefix(s.unclear, excludes) {
			r.notes = append(r.notes, "the text "+s.unclear)
			continue
		}
		isStep := marked || !strings.HasSuffix(said, ":")
		s.waiting = &number
		if isStep {
			note := noTool
			if s.unclear != "" {
				note = s.unclear
			}
			r.found = append(r.found, Found{Label: said, Start: l.text, End: l.end, Step: s.step, listed: -1, letter: -1, Note: note})
			s.last[number] = len(r.found) - 1
		}
		r.unread = append(r.unread, Unread{Text: said, Start: l.text, End: l.end, Step: isStep})
	}
	s.finish()
	if s.down && c.table != nil {
		r.reverse()
	}
	return r
}

// sentences divides lines of prose into sentences. A label may contain several.
func (s *stepReader) sentences(lines []line) []line {
	var out []line
	for _, l := range lines {
		mentions := s.scan(pieces(s.text[l.text:l.end], l.text))
		for at := l.text; at+2 < l.end; at++ {
			next, _ := utf8.DecodeRuneInString(s.text[at+2:])
			if strings.IndexByte(".!?;", s.text[at]) >= 0 && s.text[at+1] == ' ' && unicode.IsUpper(next) && !within(mentions, piece{start: at, end: at + 1}) {
				first := l
				first.end = at + 1
				out = append(out, first)
				l.start = at + 2
				l.text = l.start
			}
		}
		out = append(out, l)
	}
	return out
}

// continued reads the line that follows a step without a tool as a part of this step, and reports
// whether the line names a tool.
func (s *stepReader) continued(l line) bool {
	before := len(s.r.found)
	if before == 0 || !s.line(l, *s.waiting) || len(s.r.found) == before {
		return false
	}
	for k, at := range s.last {
		if at >= before {
			s.last[k] = at - 1
		}
	}
	s.r.found = slices.Delete(s.r.found, before-1, before)
	s.r.unread = s.r.unread[:len(s.r.unread)-1]
	return true
}

// numbered checks the numbers of the lines, which have to increase, to decrease or to be all the
// same. Otherwise the text has several lists.
func (r *reading) numbered(lines []line) (backwards, same bool) {
	var numbers []int
	for _, l := range lines {
		if l.number > 0 {
			numbers = append(numbers, l.number)
		}
	}
	if len(numbers) < 2 {
		return false, false
	}
	up, down, lists := 0, 0, 1
	for i, n := range numbers[1:] {
		switch {
		case n > numbers[i]:
			up++
		case n < numbers[i]:
			down++
		}
		if n == 1 {
			lists++
		}
	}
	steps := len(numbers) - 1
	switch {
	case up == steps:
	case down == steps:
		return true, false
	case up+down == 0:
		return false, true
	case lists > 1:
		r.fault = fmt.Sprintf("the text has %d numbered lists; expected one plan", lists)
	default:
		r.fault = "the numbers of the steps are not in order"
	}
	return false, false
}

// severalLists reports whether a heading such as "Plan B:" divides the steps, or any
// heading divides steps that all have the same number.
func severalLists(text string, lines []line, same bool) bool {
	heading, steps := false, false
	for _, l := range lines {
		if l.marker {
			if steps && heading {
				return true
			}
			steps = true
			continue
		}
		words := pieces(text[l.start:l.end], 0)
		if len(words) > 0 && !unicode.IsSpace(rune(text[l.start])) {
			heading = heading || steps && (same || slices.Contains(listWords, words[0].text) && len(words) < 4)
		}
	}
	return false
}

// reverse reverses steps that are listed from the last to the first.
func (r *reading) reverse() {
	last := len(r.found) - 1
	slices.Reverse(r.found)
	for i := range r.found {
		for k, a := range r.found[i].args {
			if a.step >= 0 {
				r.found[i].args[k].step = last - a.step
			}
		}
	}
	r.notes = append(r.notes, "the steps are listed from the last to the first")
}

// remark records the tools that a remark after the first step names. Each of them must be a tool
// of a step.
func (s *stepReader) remark(l line) {
	if len(s.r.found) == 0 || s.walk != nil {
		return
	}
	list := pieces(s.text[l.start:l.end], l.start)
	for _, m := range s.scan(list) {
		if m.phrase >= 0 && s.lexicon.phrases[m.phrase].listed >= 0 && !s.negated(list, m) {
			s.remarked = append(s.remarked, m.phrase)
		}
	}
}

// finish adds the references to later steps, and checks the tools that remarks name.
func (s *stepReader) finish() {
	for _, l := range s.later {
		at, known := s.last[l.number]
		switch {
		case !known:
			s.r.fault = fmt.Sprintf("step %d refers to step %d, which is missing", s.r.found[l.from].Step, l.number)
		case l.takes:
			s.r.found[l.from].args = append(s.r.found[l.from].args, argument{step: at})
		default:
			s.r.found[at].args = append(s.r.found[at].args, argument{step: l.from})
		}
	}
	for _, n := range s.remarked {
		p := s.lexicon.phrases[n]
		if !slices.ContainsFunc(s.r.found, func(f Found) bool { return f.listed == p.listed || f.letter >= 0 && f.letter == p.letter }) {
			s.r.fault = fmt.Sprintf("%s is named outside the list, but is not a step of it", s.labelOf(p))
		}
	}
}

// stepLine is a line whose mentions are being read as steps.
type stepLine struct {
	list   []piece
	number int
	first  int  // index of its first step in Found
	exact  bool // the line is a template filled in
	tools  []mention
	other  []mention  // references and inputs
	args   []argument // of other
	passed int        // the last mention that is a result; -1
}

// put adds the steps of a line: its tools in the order in which they are named, with the results
// and inputs that the line states as their arguments. It reports false, with s.unclear set, for a
// line whose references cannot be followed.
func (s *stepReader) put(mentions []mention, list []piece, number int, exact bool) (read bool) {
	l := stepLine{list: list, number: number, first: len(s.r.found), exact: exact, passed: -1}
	defer func() {
		if !read {
			s.r.found = s.r.found[:l.first]
		}
	}()
	for i := range mentions {
		if s.add(&l, mentions, i); s.unclear != "" {
			return false
		}
	}
	if len(l.tools) == 0 {
		return false
	}
	found := s.r.found[l.first:]
	for i, a := range l.args {
		n := s.taker(l.tools, l.other[i])
		if a.step < -1 {
			s.later = append(s.later, reference{l.first + n, int(a.input), a.step == laterResult})
			continue
		}
		found[n].args = append(found[n].args, a)
	}
	if len(l.tools) == 1 {
		found[0].kinds = s.kinds(list, mentions)
	}
	s.several(found)
	s.inOrder(found)
	s.last[number] = len(s.r.found) - 1
	if !exact {
		s.strays(list, mentions)
	}
	return true
}

// add adds a mention of a line to its tools, references or inputs. It sets s.unclear if
// the line does not say which.
func (s *stepReader) add(l *stepLine, mentions []mention, i int) {
	m := mentions[i]
	if m.phrase < 0 {
		if a, taken := s.refer(m, l.list, l.number, l.first); taken && s.unclear == "" {
			l.other, l.args = append(l.other, m), append(l.args, a)
		}
		return
	}
	p := s.lexicon.phrases[m.phrase]
	if p.listed < 0 || m.taken && p.letter >= 0 {
		l.other, l.args = append(l.other, m), append(l.args, argument{step: -1, input: p.letter})
		return
	}
	if !l.exact && !s.isUse(l, mentions, i) {
		return
	}
	listed := p.listed
	if chosen, ok := s.stepGrammar.chosen[p.letter]; ok && m.chosen {
		listed = chosen
	}
	l.tools = append(l.tools, m)
	s.r.found = append(s.r.found, Found{
		Symbol: s.nameOf(p), Label: s.labelOf(p), Start: m.start, End: m.end, Step: s.step, Note: m.note, listed: listed, letter: p.letter, bare: m.bare, chosen: m.chosen,
	})
	if m.note != "" {
		s.r.notes = append(s.r.notes, m.note)
	}
}

// isUse reports whether the mention of a tool is a use of it, and adds it to the
// arguments if it is the result of an earlier step. It sets s.unclear if the line leaves
// that open.
func (s *stepReader) isUse(l *stepLine, mentions []mention, i int) bool {
	m := mentions[i]
	p := s.lexicon.phrases[m.phrase]
	at, label := s.earlier(p, l.first), s.labelOf(p)
	result := s.isResult(l.list, m) || l.passed >= 0 && s.listed(l.list, mentions[l.passed], m)
	cue := wordBefore(l.list, m.first, 2, orderWords)
	ahead := cue == "before" || cue == "until"
	switch {
	case s.repeated(l.tools, m):
		return false
	case at >= 0 && (result || s.argument(l.tools, m)):
		l.passed = i
		l.other, l.args = append(l.other, m), append(l.args, argument{step: at})
		return false
	case result && wordBefore(l.list, m.first, 1, []string{"from"}) == "":
		s.unclear = "takes the result of " + label + ", which no step before it makes"
		return false
	case cue != "" && !ahead && at >= 0:
		return false // the order of the list
	case ahead || cue != "" && len(l.tools) > 0:
		s.unclear = "does not say clearly when " + label + " is used"
		return false
	}
	return true
}

// argument reports whether a mention is an argument, in parentheses, of the preceding tool, as in
// f(x, y).
func (s *stepReader) argument(tools []mention, m mention) bool {
	if len(tools) == 0 {
		return false
	}
	before := strings.TrimSpace(s.text[tools[len(tools)-1].end:m.start])
	return strings.HasPrefix(before, "(") && !strings.Contains(before, ")")
}

// repeated reports whether a mention explains a tool of the line: "X (x)", "X: use X".
func (s *stepReader) repeated(tools []mention, m mention) bool {
	for _, t := range tools {
		before := s.text[t.end:m.start]
		if s.lexicon.phrases[t.phrase].listed == s.lexicon.phrases[m.phrase].listed && (strings.ContainsAny(before, ":([—–") || strings.Contains(before, " - ")) {
			return true
		}
	}
	return false
}

// several adds a note about the order in which the tools of one step were read.
func (s *stepReader) several(found []Found) {
	names := make([]string, len(found))
	for i, f := range found {
		if names[i] = f.Label; f.chosen || slices.ContainsFunc(s.g.Subsets, func(subset grammar.Subset) bool { return slices.Contains(subset.Items, f.letter) }) {
			return
		}
	}
	if len(names) > 1 {
		s.r.notes = append(s.r.notes, fmt.Sprintf("step %d names %d tools, read in this order: %s", s.step, len(names), strings.Join(names, ", ")))
	}
}

// taker returns the index of the tool of a line to which a reference belongs: the tool in front of
// the reference or, if a clause ends between them, the next tool.
func (s *stepReader) taker(tools []mention, m mention) int {
	for i := len(tools) - 1; i >= 0; i-- {
		if t := tools[i]; t.end <= m.start {
			if i+1 < len(tools) && strings.ContainsAny(s.text[t.end:m.start], ",.;:") {
				return i + 1
			}
			return i
		}
	}
	return 0
}

// Values of argument.step for a reference to a later line. The number of this line is in
// argument.input.
const (
	laterStep   = -2 // the later step takes the result of this one
	laterResult = -3 // this step takes the result of the later one
)

// refer returns the argument that a mention of a step refers to. taken is false if the mention is
// not an argument; s.unclear is set for an unknown step.
func (s *stepReader) refer(m mention, list []piece, number, first int) (a argument, taken bool) {
	cue := wordBefore(list, m.first, 2, orderWords)
	at, known := s.last[m.step]
	if m.step == previousStep {
		at, known = first-1, first > 0
	}
	switch {
	case m.step == number:
		return a, false
	case known && cue == "":
		return argument{step: at}, true
	case known && cue != "before" && cue != "until", !known && m.step > number && (cue == "before" || cue == "until"):
		return a, false // in the listed order
	case s.down && !known && cue == "" && m.step < number:
		return argument{step: laterResult, input: grammar.Symbol(m.step)}, true
	case !known && cue == "" && m.step > number && wordBefore(list, m.first, 2, aheadWords) != "":
		return argument{step: laterStep, input: grammar.Symbol(m.step)}, true
	case m.step == previousStep:
		s.unclear = "refers to the step before it, which is missing"
	default:
		s.unclear = fmt.Sprintf("refers to step %d, which does not precede it", m.step)
		if known {
			s.unclear = fmt.Sprintf("is declared to precede step %d, which is listed before it", m.step)
		}
	}
	return a, false
}

// kinds returns the nonterminals whose label a line names as a result that it takes:
// "the output image", "the generated text".
func (s *stepReader) kinds(list []piece, mentions []mention) []grammar.Symbol {
	var out []grammar.Symbol
	for i, p := range list {
		if i == 0 || within(mentions, p) {
			continue
		}
		if slices.Contains(makingWords, p.text) && p.start > mentions[0].start {
			break // its result
		}
		before := list[i-1].text
		if before != "output" && before != "resulting" && before != "new" && !strings.HasSuffix(before, "ed") {
			continue
		}
		for n := grammar.Symbol(s.g.NumTerminals); int(n) < s.g.NumSymbols(); n++ {
			if label := s.g.Label(n); label != s.g.Names[n] && strings.EqualFold(label, p.text) {
				out = append(out, n)
			}
		}
	}
	return out
}

// inOrder sorts items of one subset, which may be mentioned in any order, in the order
// of the subset.
func (s *stepReader) inOrder(found []Found) {
	for _, subset := range s.g.Subsets {
		if !slices.ContainsFunc(found, func(f Found) bool { return !slices.Contains(subset.Items, f.letter) }) {
			sort.SliceStable(found, func(i, j int) bool {
				return slices.Index(subset.Items, found[i].letter) < slices.Index(subset.Items, found[j].letter)
			})
		}
	}
}

// earlier returns the index of the last step with the tool of a phrase among the steps before an
// index; -1 if there is none.
func (s *stepReader) earlier(p phrase, before int) int {
	for i := before - 1; i >= 0; i-- {
		if s.r.found[i].listed == p.listed {
			return i
		}
	}
	return -1
}

// isResult reports whether a mention refers to the result of a tool, and not to its use:
// "the output of X", "the X output".
func (s *stepReader) isResult(list []piece, m mention) bool {
	next := following(list, m)
	if next < len(list) && list[next].text == "s" {
		next++
	}
	if next < len(list) && m.first > 0 && strings.TrimSpace(strings.ReplaceAll(s.text[m.end:list[next].start], "’", "'")) != "," && slices.Contains(resultWords[1:], list[next].text) && list[m.first-1].text == "the" {
		return true
	}
	for i := m.first - 1; i >= max(m.first-3, 0); i-- {
		switch list[i].text {
		case "output", "outputs", "result", "results", "from":
			return true
		case "of", "the", "by":
		default:
			return false
		}
	}
	return false
}
