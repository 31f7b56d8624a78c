package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/grammar"
)

// Forms of a plan in a text.
const (
	FormWord     = "word"     // e1 a1 i b1 i
	FormFunction = "function" // e1(a1(i), b1(i))
	FormSteps    = "steps"    // sentences, one for each thing that is done
)

// Found is a symbol read in a text. Places are in bytes.
type Found struct {
	Symbol string `json:"symbol"` // "" where it is none of the spec's
	Label  string `json:"label"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Step   int    `json:"step,omitempty"` // of a list of steps, from 1
	Note   string `json:"note,omitempty"` // how it was read where it is not written so

	told   grammar.Symbol // of the telling, or -1
	letter grammar.Symbol // of the plan, or -1
	args   []argument
	kinds  []grammar.Symbol // nonterminals whose label it names: results that it takes
	bare   bool             // its line says nothing else
	chosen bool             // it is said to be chosen of a subset
}

// Unread is a line in which nothing of the spec was found.
type Unread struct {
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Step  bool   `json:"step"` // it looks like a step, not like a remark
}

// argument is what a step says that a tool takes: the result of another step, or an
// input.
type argument struct {
	step  int            // index among what was found, or -1
	input grammar.Symbol // where step is -1
}

// reading is a text as it was read.
type reading struct {
	form   string
	found  []Found
	unread []Unread
	notes  []string
	alone  []Found // inputs that have a line of their own
	fault  string  // of the text as a whole: it is no single plan
}

// readText reads a plan in whatever form it is written.
func (c *Checker) readText(text string) reading {
	if trimmed := strings.TrimSpace(text); trimmed == "" || trimmed == "ε" {
		return reading{form: FormWord}
	}
	lines := splitLines(text)
	marked := false
	for _, l := range lines {
		marked = marked || l.marker
	}
	if !marked {
		if r, ok := c.readFunction(text); ok {
			return r
		}
		if r, ok := c.readWord(text); ok {
			return r
		}
	}
	if !marked && c.table != nil {
		lines = (&stepReader{Checker: c, text: text}).sentences(lines)
	}
	return c.readSteps(text, lines, marked)
}

// symbolAt returns the symbol whose name or label begins at a place of a text, the
// longest, and where it ends. A name must end where the text has one of the bytes
// given, or ends itself.
func (c *Checker) symbolAt(text string, at int, ends string) (s grammar.Symbol, end int) {
	s, end = -1, at
	try := func(name string, symbol grammar.Symbol, exactly bool) {
		stop := at + len(name)
		if stop <= end || stop > len(text) || name == "" {
			return
		}
		if said := text[at:stop]; said != name && (exactly || !strings.EqualFold(said, name)) {
			return
		}
		if stop < len(text) && !strings.ContainsRune(ends, rune(text[stop])) {
			return
		}
		s, end = symbol, stop
	}
	g := c.g
	for t := range grammar.Symbol(g.NumTerminals) {
		try(g.Names[t], t, true)
	}
	if s >= 0 || ends == functionEnds && c.nonterminalAt(text, at) > at {
		return s, end
	}
	for t := range grammar.Symbol(g.NumTerminals) {
		try(g.Names[t], t, false)
		try(g.Label(t), t, false)
	}
	if s >= 0 {
		return s, end
	}
	return c.identifierAt(text, at, ends)
}

// identifierAt returns the symbol whose label an identifier of a text spells.
func (c *Checker) identifierAt(text string, at int, ends string) (s grammar.Symbol, end int) {
	end = at
	for end < len(text) && strings.IndexByte(ends, text[end]) < 0 {
		end++
	}
	if end > at {
		if n := c.lexicon.resolve(text[at:end]); n >= 0 && c.lexicon.phrases[n].letter >= 0 {
			return c.lexicon.phrases[n].letter, end
		}
	}
	return -1, at
}

// nonterminalAt returns where the name of a nonterminal ends that a term has at a
// place of a text, or the place itself.
func (c *Checker) nonterminalAt(text string, at int) int {
	end := at
	for _, name := range c.g.Names[c.g.NumTerminals:] {
		if stop := at + len(name); stop > end && stop < len(text) && text[at:stop] == name && strings.IndexByte(functionEnds, text[stop]) >= 0 {
			end = stop
		}
	}
	return end
}

const wordEnds = " \t\r\n,;\"'[]"

// readWord reads symbols with spaces or commas between. ok is false for a text that
// is more likely something else.
func (c *Checker) readWord(text string) (r reading, ok bool) {
	r.form = FormWord
	unknown := 0
	for at := 0; at < len(text); {
		if strings.IndexByte(wordEnds, text[at]) >= 0 {
			// A name may itself begin with such a byte.
			if s, end := c.symbolAt(text, at, wordEnds); s >= 0 {
				r.found = append(r.found, c.found(s, at, end))
				at = end
			} else {
				at++
			}
			continue
		}
		s, end := c.symbolAt(text, at, wordEnds)
		if s < 0 {
			for end < len(text) && strings.IndexByte(wordEnds, text[end]) < 0 {
				end++
			}
			unknown++
			r.found = append(r.found, Found{Label: text[at:end], Start: at, End: end, told: -1, letter: -1, Note: c.unknown(text[at:end])})
		} else {
			r.found = append(r.found, c.found(s, at, end))
		}
		at = end
	}
	known := len(r.found) - unknown
	prose := slices.ContainsFunc(r.found, func(f Found) bool { return f.Symbol == "" && !likeSymbol(f.Label) })
	lines := strings.Count(strings.TrimSpace(text), "\n") + 1
	switch {
	case known == 0 || lines > 1 && lines >= len(r.found):
		return r, false // a symbol a line is a list of steps
	default:
		return r, unknown <= len(r.found)/3 || !prose
	}
}

// likeSymbol reports whether a word is rather a symbol than prose: it has a digit, or is a
// letter that is no English word.
func likeSymbol(word string) bool {
	return strings.ContainsAny(word, "0123456789") || len(word) == 1 && !strings.ContainsAny(word, "aAIO&.:;-")
}

func (c *Checker) found(s grammar.Symbol, start, end int) Found {
	return Found{Symbol: c.g.Names[s], Label: c.labels[s], Start: start, End: end, told: -1, letter: s}
}

const functionEnds = "(), \t\r\n"

// readFunction reads a term such as e1(a1(i), b1(i)).
func (c *Checker) readFunction(text string) (r reading, ok bool) {
	r.form = FormFunction
	depth, known, unknown := 0, 0, 0
	applied := false
	for at := 0; at < len(text); {
		b := text[at]
		if s, end := c.symbolAt(text, at, functionEnds); s >= 0 {
			r.found = append(r.found, c.found(s, at, end))
			known++
			at = end
			continue
		}
		if end := c.nonterminalAt(text, at); end > at {
			at = end // it only holds others together
			continue
		}
		switch {
		case b == '(':
			applied = true
			depth++
			at++
		case b == ')':
			depth--
			at++
		case b == ',' || b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == ';' || b == '.':
			at++
		default:
			end := at
			for end < len(text) && strings.IndexByte("(),", text[end]) < 0 {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
			}
			name := strings.TrimSpace(text[at:end])
			if n, nonterminal := c.g.Lookup(name); nonterminal && !c.g.IsTerminal(n) || name == "ε" {
				at = end
				continue
			}
			unknown++
			r.found = append(r.found, Found{Label: name, Start: at, End: at + len(name), told: -1, letter: -1, Note: c.unknown(name)})
			at = end
		}
		if depth < 0 {
			return r, false
		}
	}
	if depth > 0 {
		r.fault = "unmatched \"(\""
	}
	return r, applied && known > 0 && unknown <= len(r.found)/2
}

// line is a line of a list of steps, without what numbers it.
type line struct {
	start, end int // of the whole
	text       int // where what it says begins
	marker     bool
	number     int // 0 where it has none
}

// splitLines divides a text into lines, and a line that has several steps into those.
func splitLines(text string) []line {
	var out []line
	at := 0
	for raw := range strings.Lines(text) {
		start, end := at, at+len(strings.TrimRight(raw, "\r\n"))
		at += len(raw)
		for _, cut := range stepCuts(text[start:end]) {
			if cut > 0 {
				out = append(out, newLine(text, start, at-len(raw)+cut))
				start = at - len(raw) + cut
			}
		}
		out = append(out, newLine(text, start, end))
	}
	kept := out[:0]
	for _, l := range out {
		if strings.TrimSpace(text[l.start:l.end]) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// stepCuts returns where "Step 2:" and the like begin in a line.
func stepCuts(text string) []int {
	var out []int
	list := pieces(text, 0)
	for i := range list {
		if list[i].text != "step" || i+1 == len(list) || !isNumber(list[i+1].text) {
			continue
		}
		rest := strings.TrimLeft(text[list[i+1].end:], " *_")
		if rest == "" || strings.IndexByte(":.)-", rest[0]) < 0 && !strings.HasPrefix(rest, "–") && !strings.HasPrefix(rest, "—") {
			continue // it is spoken of
		}
		if rest[:min(1, len(rest))] == ")" && !strings.HasSuffix(text[:list[i].start], "(") {
			continue // an argument
		}
		begin := len(strings.TrimRight(text[:list[i].start], "*_#( "))
		if begin > 0 && rest[0] != ':' && strings.IndexByte(".:;,!?", text[begin-1]) < 0 {
			continue
		}
		if begin > 0 {
			begin = list[i].start
		}
		out = append(out, begin)
	}
	return out
}

func isNumber(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// newLine takes off what numbers a line: "- ", "* ", "2. ", "(2) ", "Step 2: ", and
// notes a time of day, "10:00–11:00", which is left.
func newLine(text string, start, end int) line {
	l := line{start: start, end: end}
	at := start
	skip := func(cutset string) {
		at += len(text[at:end]) - len(strings.TrimLeft(text[at:end], cutset))
	}
	skip(" \t>#")
	for _, bullet := range []string{"- ", "* ", "• ", "– ", "+ ", "◦ ", "‣ "} {
		if strings.HasPrefix(text[at:end], bullet) {
			at += len(bullet)
			l.marker = true
			break
		}
	}
	skip(" \t*_(")
	head := at
	if len(text[at:end]) > 4 && strings.EqualFold(text[at:at+4], "step") {
		head = at + 4
		for head < end && text[head] == ' ' {
			head++
		}
	}
	digits := head
	for digits < end && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits > head && digits-head < 6 {
		rest := text[digits:end]
		after := strings.TrimLeft(rest, "*_ ")
		isStep := head > at
		closing := after != "" && strings.IndexByte(".):", after[0]) >= 0
		// "10:00" is a time, "1.5" no number of a line.
		spaced := len(after) < 2 || after[1] == ' ' || after[1] == '*' || after[1] == '\t' || after[1] == '_'
		switch {
		case closing && spaced || isStep:
			for _, d := range text[head:digits] {
				l.number = 10*l.number + int(d-'0')
			}
			l.marker = true
			at = digits
			skip(" \t*_.):-–—")
		case after != "" && after[0] == ':' && len(after) > 2 && after[1] >= '0' && after[1] <= '9':
			l.marker = true
		}
	}
	skip(" \t*_")
	l.text = at
	return l
}

// noTool is the note of a step that is not read.
const noTool = "names no known tool"

// stepReader reads one line after the other.
type stepReader struct {
	*Checker
	text    string
	r       *reading
	step    int         // lines that are steps
	last    map[int]int // by number of a line: the last thing found in it
	waiting *int        // the number of a line in which nothing was found
	unclear string      // why the last line was not read; "": it names no tool
	later   []reference // to steps that are listed further down
	down    bool        // the steps are listed from the last to the first

	remarked []int // phrases that remarks name
}

// reference is what a step says about a later one in the list.
type reference struct {
	from   int  // among what was found
	number int  // of the other line
	takes  bool // its result; otherwise it takes that of from
}

// mention is something found in a line.
type mention struct {
	phrase     int // or -1 for a step spoken of
	step       int // its number
	start, end int
	first      int  // its first piece
	taken      bool // a tool takes it
	bare       bool // the line says nothing else
	chosen     bool // it is said to be chosen of a subset
	note       string
}

// longLine is how many words a line has at most in which misspelt names are looked
// for.
const longLine = 60

// line reads one line, and reports whether anything was found.
func (s *stepReader) line(l line, number int) bool {
	s.unclear = ""
	list := pieces(s.text[l.text:l.end], l.text)
	mentions, exact := s.template(list)
	if !exact {
		mentions = s.scan(list)
	}
	tools := false
	for _, m := range mentions {
		tools = tools || m.phrase >= 0 && !m.taken && s.lexicon.phrases[m.phrase].told >= 0
	}
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
		mentions, tools = s.said(mentions, list, number)
	}
	if s.unclear != "" {
		return false
	}
	if !tools {
		if len(mentions) > 0 && mentions[0].phrase >= 0 { // an input, which is no step
			s.given(mentions)
			return true
		}
		return false
	}
	return s.put(mentions, list, number, exact)
}

// guessed adds a phrase that some pieces of a line are read as, and reports whether it
// is a step.
func (s *stepReader) guessed(n, start, size int, list []piece, mentions *[]mention) bool {
	if n < 0 || s.lexicon.phrases[n].told < 0 {
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

// given notes inputs that have a line of their own. They are steps only where a
// plan is nothing else.
func (s *stepReader) given(mentions []mention) {
	for _, m := range mentions {
		if m.phrase < 0 {
			continue
		}
		p := s.lexicon.phrases[m.phrase]
		if told, ok := s.telling.names[p.letter]; ok {
			s.r.alone = append(s.r.alone, Found{Symbol: s.nameOf(p), Label: s.labelOf(p), Start: m.start, End: m.end, Step: s.step, told: told, letter: p.letter, bare: m.bare})
		}
	}
}

// scan finds all that a line mentions, the longest phrase at each place.
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
		if slices.Contains(numberedWords, list[i].text) && i+1 < len(list) && stepNumber(list[i+1].text) > 0 {
			i++
			for i < len(list) && (stepNumber(list[i].text) > 0 || list[i].text == "and" && i+1 < len(list) && stepNumber(list[i+1].text) > 0) {
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

// stepNumber returns the number that digits or a word name, or 0.
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

// template reads "use X on the result of step 1 and Y" where a line is that and
// nothing else, so that any text may stand for X and Y.
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
		if p.told < 0 || at >= len(list) || list[at].text != "on" {
			continue
		}
		if args, ok := s.takes(list, at+1); ok {
			return append([]mention{{phrase: n, start: list[1].start, end: list[at-1].end, first: 1}}, args...), true
		}
	}
	return nil, false
}

// chosen reads "prepare the seasoning: garlic, salt, for: …": what was chosen of a
// subset, and the sentence of the step that it is for, which has its own line.
func (s *stepReader) chosen(list []piece) ([]mention, bool) {
	end := len(list)
	for k := len(list) - 1; k > 0; k-- {
		if list[k].text != "for" {
			continue
		}
		for _, n := range s.lexicon.at(s.text, list[k+1:]) {
			if len(s.lexicon.phrases[n].pieces) == len(list)-k-1 {
				end = k
			}
		}
	}
	for _, subset := range s.g.Subsets {
		label := pieces(s.g.Label(subset.Left), 0)
		if len(label)+1 >= end || !samePieces(label, list[1:1+len(label)]) {
			continue
		}
		if out := s.scan(list[1+len(label) : end]); len(out) > 0 {
			for i := range out {
				out[i].chosen = true
			}
			return out, true
		}
	}
	return nil, false
}

func samePieces(a, b []piece) bool {
	for i := range a {
		if a[i].text != b[i].text {
			return false
		}
	}
	return true
}

// takes reads the things, with "and" between, that a tool is used on.
func (s *stepReader) takes(list []piece, at int) ([]mention, bool) {
	type way struct {
		m    mention
		next int
	}
	var ways []way
	if at+4 < len(list) && list[at].text == "the" && list[at+1].text == "result" && list[at+2].text == "of" && list[at+3].text == "step" && isNumber(list[at+4].text) {
		ways = append(ways, way{mention{phrase: -1, step: number(list[at+4].text), start: list[at+4].start, end: list[at+4].end, first: at + 4}, at + 5})
	}
	for _, n := range s.lexicon.at(s.text, list[min(at, len(list)):]) {
		size := len(s.lexicon.phrases[n].pieces)
		ways = append(ways, way{mention{phrase: n, start: list[at].start, end: list[at+size-1].end, first: at, taken: true}, at + size})
	}
	for _, w := range ways {
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
