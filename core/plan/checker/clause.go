package checker

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words of a step that change the meaning of the tool in it.
var (
	negations     = []string{"not", "never", "without", "avoid", "avoiding", "skip", "skipping", "no", "nor", "cannot", "instead", "rather", "than", "unlike", "except", "omit"}
	conditions    = []string{"unless", "whenever", "otherwise", "else", "alternatively", "optionally", "optional", "maybe", "perhaps", "possibly"}
	questionWords = []string{"check", "checks", "see", "determine", "decide", "detect", "verify", "find", "out", "know", "ask"}
	needWords     = []string{"necessary", "needed", "required", "applicable", "appropriate", "possible"}
	clauseWords   = []string{"if", "so", "that", "because", "when", "since", "to", "and", "but", "which", "while", "for"}
	numberedWords = []string{"step", "steps", "result", "results", "output", "outputs"}
	cardinals     = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	ordinals      = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	earlierWords  = []string{"previous", "preceding", "prior", "last", "earlier"}
	resultWords   = []string{"step", "result", "output"}
	aheadWords    = []string{"for", "in", "by", "to", "as", "into"}
	makingWords   = []string{"obtain", "generate", "produce", "get", "create", "derive", "make", "yield", "giving", "generating", "producing", "obtaining", "yielding", "into"}
	repetitions   = []string{"twice", "thrice", "times", "repeatedly", "repeat"}
	endingWords   = []string{"the", "a", "return", "output", "give", "present", "show", "obtain", "get", "deliver", "provide", "you", "we", "it", "finish", "stop", "end"}
	joiningWords  = []string{"and", "then", "with", "plus", "use", "by", "apply"}
	listWords     = []string{"plan", "option", "alternative", "alternatively", "variant", "version", "solution", "or"}
	orderWords    = []string{"before", "until", "after", "following", "once"}
)

// excludes begins the note of a step that only excludes tools.
const excludes = "says not to use "

// previousStep is the number of a mention of the preceding step.
const previousStep = -1

// checkUses removes the mentions that a line excludes, and reports whether tools remain. It sets
// s.unclear for a line that does not say which tool is used.
func (s *stepReader) checkUses(mentions []mention, list []piece, number int) (kept []mention, tools bool) {
	var excluded []string
	var last *mention
	for i, m := range mentions {
		if !s.isTool(m) {
			kept = append(kept, m)
			continue
		}
		label := s.labelOf(s.lexicon.phrases[m.phrase])
		if s.negated(list, m) || len(excluded) > 0 && s.listed(list, mentions[i-1], m) {
			excluded = append(excluded, label)
			continue
		}
		if last != nil && s.lexicon.phrases[last.phrase].listed != s.lexicon.phrases[m.phrase].listed && s.alternative(list, *last, m) {
			s.unclear = fmt.Sprintf("names %s or %s; expected one", s.labelOf(s.lexicon.phrases[last.phrase]), label)
		}
		last, tools = &mentions[i], true
		kept = append(kept, m)
	}
	switch {
	case len(excluded) > 0 && !tools:
		s.unclear = excludes + strings.Join(excluded, " and ")
	case len(excluded) > 0:
		s.r.notes = append(s.r.notes, fmt.Sprintf("step %d says not to use %s", s.step, strings.Join(excluded, " and ")))
	}
	if tools {
		if fault := s.unclearUse(kept, list); fault != "" {
			s.unclear = fault
		}
	}
	return kept, tools
}

// unclearUse returns the reason why a line with tools does not say which are used, or "".
func (s *stepReader) unclearUse(mentions []mention, list []piece) string {
	has := func(words []string) bool {
		return slices.ContainsFunc(list, func(p piece) bool { return slices.Contains(words, p.text) && !within(mentions, p) })
	}
	if name := s.unknownName(mentions, list); name != "" {
		return "names “" + name + "”, which is not a known tool"
	}
	if s.walk == nil {
		if clause := s.unreadClause(mentions, list); clause != "" {
			return "names no known tool in “" + clause + "”"
		}
		if has(repetitions) {
			return "repeats a tool; expected a step for each use"
		}
	}
	if has(conditions) || s.conditional(mentions, list) {
		return "is conditional"
	}
	return ""
}

// conditional reports whether a line uses its tools in some cases only: "if it is noisy", "in case
// of noise", "where necessary". A question that a tool answers is not a condition: "use X to check
// if it is noisy".
func (s *stepReader) conditional(mentions []mention, list []piece) bool {
	for i, p := range list {
		before := ""
		if i > 0 {
			before = list[i-1].text
		}
		switch {
		case within(mentions, p):
		case p.text == "if" && before != "even" && before != "as":
			question := slices.Contains(questionWords, before)
			used := slices.ContainsFunc(mentions, func(m mention) bool { return s.isTool(m) && m.start > p.start })
			if !question || used {
				return true
			}
		case p.text == "case" && before == "in",
			slices.Contains(needWords, p.text) && (before == "as" || before == "when" || before == "where"):
			return true
		}
	}
	return false
}

// unreadClause returns a clause that begins with "then" and mentions no tool. A clause that
// returns the result does not count.
func (s *stepReader) unreadClause(mentions []mention, list []piece) string {
	for i := 1; i+1 < len(list); i++ {
		if list[i].text != "then" || within(mentions, list[i]) || slices.Contains(endingWords, list[i+1].text) {
			continue
		}
		end := i + 1
		for end < len(list) && list[end].text != "then" {
			end++
		}
		from, to := list[i].start, list[end-1].end
		if !slices.ContainsFunc(mentions, func(m mention) bool {
			return m.phrase >= 0 && s.lexicon.phrases[m.phrase].listed >= 0 && m.start > from && m.end <= to
		}) {
			return s.text[from:to]
		}
	}
	return ""
}

// unknownName returns a name of several capitalised words that a line joins to its
// tools: "and the Magic Wand".
func (s *stepReader) unknownName(mentions []mention, list []piece) string {
	capital := func(i int) bool {
		first, _ := utf8.DecodeRuneInString(s.text[list[i].start:])
		return unicode.IsUpper(first) && !within(mentions, list[i]) && len(stems([]string{list[i].text})) > 0
	}
	for i := 1; i+1 < len(list); i++ {
		joined := list[i-1].text == "the" && i > 1 && slices.Contains(joiningWords, list[i-2].text) || slices.Contains(joiningWords, list[i-1].text)
		if joined && capital(i) && capital(i+1) && s.text[list[i].end:list[i+1].start] == " " {
			return s.text[list[i].start:list[i+1].end]
		}
	}
	return ""
}

func within(mentions []mention, p piece) bool {
	return slices.ContainsFunc(mentions, func(m mention) bool { return m.start <= p.start && p.end <= m.end })
}

// negated reports whether a line says not to use a tool: "do not use X", "X is not
// needed".
func (s *stepReader) negated(list []piece, m mention) bool {
	negation := func(i int) bool {
		p := list[i]
		next := ""
		if i+1 < len(list) {
			next = list[i+1].text
		}
		if p.text == "t" && i > 0 && strings.HasSuffix(list[i-1].text, "n") {
			return next != "forget"
		}
		return slices.Contains(negations, p.text) && next != "only" && next != "forget" && next != "later"
	}
	for i := m.first - 1; i >= 0 && i >= m.first-5; i-- {
		if strings.ContainsAny(s.text[list[i].end:list[i+1].start], ".;:!?,()") || list[i].text == "but" {
			break
		}
		if negation(i) {
			return true
		}
	}
	next := following(list, m)
	for i := next; i < min(next+3, len(list)); i++ {
		if strings.ContainsAny(s.text[max(m.end, list[i-1].end):list[i].start], ".;:!?,()") || slices.Contains(clauseWords, list[i].text) {
			break
		}
		if list[i].text == "unnecessary" || i > next && negation(i) {
			return true
		}
	}
	return false
}

// following returns the index of the first piece after a mention.
func following(list []piece, m mention) int {
	i := m.first
	for i < len(list) && list[i].start < m.end {
		i++
	}
	return i
}

// between returns the words between two mentions.
func between(list []piece, a, b mention) []string {
	var out []string
	for _, p := range list {
		if p.start >= a.end && p.end <= b.start {
			out = append(out, p.text)
		}
	}
	return out
}

// listed reports whether two mentions belong to one list: "X, Y or Z".
func (s *stepReader) listed(list []piece, a, b mention) bool {
	return !slices.ContainsFunc(between(list, a, b), func(w string) bool { return w != "or" && w != "and" && w != "the" })
}

// alternative reports whether either of two tools is meant: "X or Y", "X/Y".
func (s *stepReader) alternative(list []piece, a, b mention) bool {
	words := between(list, a, b)
	return slices.Contains(words, "or") && len(words) < 6 || len(words) == 0 && strings.TrimSpace(s.text[a.end:b.start]) == "/"
}

// wordBefore returns the word of a list that occurs nearest before a mention, within the given
// number of pieces; otherwise "".
func wordBefore(list []piece, first, most int, words []string) string {
	for i := first - 1; i >= 0 && i >= first-most; i-- {
		if slices.Contains(words, list[i].text) {
			return list[i].text
		}
	}
	return ""
}

// similar reads a line by the stems of its words.
func (s *stepReader) similar(list []piece, mentions *[]mention) bool {
	if s.chart != nil {
		return false // answers differ in words that stems ignore
	}
	found, start, end := s.lexicon.similar(list)
	if len(found) == 0 {
		return false
	}
	if len(found) > 1 {
		names := make([]string, len(found))
		for i, n := range found {
			names[i] = s.labelOf(s.lexicon.phrases[n])
		}
		s.unclear = "may be " + strings.Join(names, " or ")
		return false
	}
	label := s.labelOf(s.lexicon.phrases[found[0]])
	m := mention{phrase: found[0], start: start, end: end, note: "“" + s.text[start:end] + "” was read as " + label}
	for i, p := range list {
		if p.start == start {
			m.first = i
		}
	}
	*mentions = append([]mention{m}, s.without(*mentions, m)...)
	return true
}
