package habit

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Repair describes the texts of a notation for the search of a small edit, which follows the
// table of habits: at an error that no habit explains, it tries to rename, replace, remove, insert,
// separate, exchange and quote tokens near the error. The first edit after which the
// lines that it changes have no error, and the text has fewer errors, becomes the fix.
type Repair struct {
	Keywords []string // that a misspelt word may mean, in addition to the words of the text
	Signs    []string // that may be missing
	Words    []string // that may be missing before the error or at the beginning of its line
	Skip     []string // codes of errors that report a missing line
	Closers  string   // characters before which a text that needs quotes ends
	Tight    bool     // a bracket is part of a word unless a space separates it
}

// Limits of the search for a small edit.
const (
	maxEdits    = 72
	maxEditWork = 80_000 // bytes that are checked
	maxWord     = 40     // bytes up to which words are compared
)

// token is a word, a string, a run of operator characters, or one other character.
type token struct {
	start, end int
	text       string
	word       bool
}

// tokens splits a text without its comments. Strings are single tokens.
func (s *search) tokens(masked string) (out []token) {
	const operators = "-=<>~:|&+*!→⇒"
	tight := s.n.Repair.Tight
	for i := 0; i < len(masked); {
		c := masked[i]
		k := i + 1
		word := false
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
			continue
		case c == '"':
			k = stringEnd(masked, i, s.n.Lines)
		case tight:
			for k < len(masked) && strings.IndexByte(" \t\r\n\"", masked[k]) < 0 {
				k++
			}
			word = isName(masked[i:k])
		case isNameByte(c) || c == ':' && k < len(masked) && isNameByte(masked[k]) && (i == 0 || strings.IndexByte(" \t\n(", masked[i-1]) >= 0):
			for k < len(masked) && (isNameByte(masked[k]) || strings.IndexByte("/.-", masked[k]) >= 0 && !strings.HasPrefix(masked[k:], "->") && !strings.HasPrefix(masked[k:], "..")) {
				k++
			}
			word = true
		case strings.HasPrefix(masked[i:], ".."):
			k = i + 2
		case strings.IndexByte(operators, c) >= 0:
			for k < len(masked) && strings.IndexByte(operators, masked[k]) >= 0 {
				k++
			}
		}
		out = append(out, token{i, k, s.text[i:k], word})
		i = k
	}
	return out
}

func isNameByte(c byte) bool {
	return c == '_' || c == '?' || c == '%' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isName(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && !isNameByte(byte(r)) && !strings.ContainsRune("/.-", r) }) < 0
}

// repair tries small edits at the first error. safe selects the edits that hardly change the meaning of a
// text, and requires that no error remains: such an edit explains an error better than a
// habit does.
func (s *search) repair(masked string, safe bool) bool {
	if s.n.Repair == nil {
		return false
	}
	open := slices.IndexFunc(s.faults, func(d source.Diagnostic) bool {
		return d.Severity == source.SeverityError && len(d.Fixes) == 0 && !strings.HasPrefix(d.Code, "source.") && !strings.HasPrefix(d.Code, "limit.") && !slices.Contains(s.n.Repair.Skip, d.Code)
	})
	if open < 0 {
		return false
	}
	fault := s.faults[open]
	tokens := s.tokens(masked)
	at := slices.IndexFunc(tokens, func(t token) bool { return t.end > int(fault.Span.Start) })
	if at < 0 {
		at = len(tokens)
	}
	if len(tokens) == 0 {
		return false
	}
	r := &repairs{s: s, tokens: tokens, fault: fault, at: at}
	r.collect()
	if safe {
		r.out = r.out[:r.safe]
	}
	second := -1 // the first edit after which the text has other warnings
	for i, p := range r.out {
		if s.edits++; s.edits > maxEdits || s.edits*len(s.text) > maxEditWork {
			break
		}
		next := source.Apply(s.text, p.Edits)
		if next == s.text {
			continue
		}
		found := s.n.Check(next)
		removes, warns := s.removes(p, next, found)
		if safe && (warns || source.HasErrors(found)) {
			continue
		}
		if removes && !warns {
			return s.repaired(p, next, found)
		}
		if removes && second < 0 && i < r.safe {
			second = i
		}
	}
	if second >= 0 {
		p := r.out[second]
		next := source.Apply(s.text, p.Edits)
		return s.repaired(p, next, s.n.Check(next))
	}
	return false
}

func (s *search) repaired(p Proposal, next string, found []source.Diagnostic) bool {
	s.accept(p, next, s.n.faults(found))
	s.all = found
	return true
}

// removes reports whether an edit removes an error and leaves none on the lines that it changes, and
// whether the text has more warnings after it.
func (s *search) removes(p Proposal, next string, found []source.Diagnostic) (removes, warns bool) {
	was, now, more := 0, 0, 0
	for _, d := range s.all {
		switch d.Severity {
		case source.SeverityError:
			was++
		case source.SeverityWarning:
			more--
		}
	}
	start := strings.LastIndexByte(next[:min(int(p.Edits[0].Span.Start), len(next))], '\n')
	end := lineEnd(next, int(p.Edits[len(p.Edits)-1].Span.Start))
	for _, d := range found {
		switch d.Severity {
		case source.SeverityError:
			if now++; int(d.Span.Start) > start && int(d.Span.Start) <= end {
				return false, false
			}
		case source.SeverityWarning:
			more++
		}
	}
	return now < was, now == 0 && more > 0
}

// repairs collects the edits near an error, the most probable ones first.
type repairs struct {
	s      *search
	tokens []token
	fault  source.Diagnostic
	at     int // index of the first token of the error
	out    []Proposal
	safe   int // number of the edits that hardly change the meaning of a text
}

// plain reports whether the message of the error only says which token the parser expected, so that
// the message of an edit is more helpful.
func (r *repairs) plain() bool {
	for _, word := range []string{"expected", "unexpected", "unknown", "unmatched", "missing", "write "} {
		if strings.HasPrefix(r.fault.Message, word) {
			return true
		}
	}
	return false
}

// propose adds an edit. An empty message is that of the error.
func (r *repairs) propose(start, end int, text, title, message string, at source.Span) {
	if message == "" || !r.plain() {
		message, at = r.fault.Message, r.fault.Span
	}
	if title == "" {
		title = "Write " + text
	}
	r.out = append(r.out, Proposal{Edits: []source.Edit{{Span: span(start, end), Text: text}}, At: at, Message: message, Title: title, Code: r.fault.Code})
}

func (r *repairs) token(i int) (token, bool) {
	if i < 0 || i >= len(r.tokens) {
		return token{}, false
	}
	return r.tokens[i], true
}

// sameLine reports whether no line break is between two tokens.
func (r *repairs) sameLine(a, b token) bool {
	return !strings.Contains(r.s.text[min(a.end, b.start):max(a.end, b.start)], "\n")
}

func (r *repairs) collect() {
	after := slices.IndexFunc(r.tokens, func(t token) bool { return t.start >= int(r.fault.Span.End) })
	if after < 0 {
		after = r.at
	}
	near := []int{r.at, r.at - 1, r.at + 1}
	if after > r.at+1 {
		near = append(near, after, after-1)
	}
	for _, i := range append([]int{r.at - 2, r.at + 2}, near...) {
		r.rename(i)
	}
	line := r.line()
	for _, i := range line {
		r.repeated(i)
	}
	for _, i := range near {
		r.separate(i)
	}
	for _, i := range line {
		r.adjacent(i)
	}
	r.safe = len(r.out)
	for _, i := range near {
		r.replace(i)
	}
	for _, i := range line {
		r.unexpected(i)
	}
	for _, i := range []int{r.at - 1, r.at} {
		r.exchange(i)
	}
	r.quoted()
	r.missing(after)
	r.rest()
}

// line returns the indices of tokens near the error and on its line, the nearest ones first.
func (r *repairs) line() (out []int) {
	here := r.tokens[min(r.at, len(r.tokens)-1)]
	for d := range 10 {
		for _, i := range []int{r.at + d, r.at - d} {
			if t, ok := r.token(i); ok && (d < 2 || r.sameLine(t, here)) && (d > 0 || len(out) == 0) {
				out = append(out, i)
			}
		}
	}
	return out
}

// rename proposes the keywords and the words of the text that a word resembles.
func (r *repairs) rename(i int) {
	t, ok := r.token(i)
	if !ok || !t.word || len(t.text) > maxWord || !r.plain() {
		return
	}
	tried := map[string]bool{t.text: true}
	unknown := "unknown word " + Quote(t.text)
	if before, _, ok := strings.Cut(r.fault.Message, Quote(t.text)); ok && strings.HasPrefix(before, "unknown ") {
		unknown = before + Quote(t.text)
	}
	try := func(other string) {
		if tried[other] || !Resembles(t.text, other) {
			return
		}
		tried[other] = true
		r.propose(t.start, t.end, other, "", unknown+"; did you mean "+Quote(other)+"?", span(t.start, t.end))
	}
	for _, k := range r.s.n.Repair.Keywords {
		try(k)
	}
	for _, o := range r.tokens {
		if o.word && len(tried) < 4 {
			try(o.text)
		}
	}
}

// repeated proposes to remove a token that repeats the one before.
func (r *repairs) repeated(i int) {
	t, ok := r.token(i)
	before, more := r.token(i - 1)
	if ok && more && before.text == t.text && r.sameLine(before, t) && !strings.Contains(closers, t.text) {
		r.propose(before.end, t.end, "", "Remove it", "unexpected second "+Quote(t.text), span(t.start, t.end))
	}
}

const closers = ")]}"

var brackets = map[string]string{"[": "]", "{": "}", "(": ")", "<": ">"}

// replace proposes other tokens for a sign, and other brackets for a pair of brackets.
func (r *repairs) replace(i int) {
	t, ok := r.token(i)
	if !ok || t.word || t.text[0] == '"' {
		return
	}
	for _, other := range r.s.n.Repair.Signs {
		if other == t.text {
			continue
		}
		message := "unexpected " + Quote(t.text) + "; write " + Quote(other)
		r.propose(t.start, t.end, other, "", message, span(t.start, t.end))
		if end := brackets[t.text]; end != "" && brackets[other] != "" {
			for _, o := range r.tokens[i+1:] {
				if !r.sameLine(t, o) {
					break
				}
				if o.text == end {
					p := &r.out[len(r.out)-1]
					pair := *p
					pair.Title = "Write " + other + " " + brackets[other]
					pair.Edits = append(slices.Clone(p.Edits), source.Edit{Span: span(o.start, o.end), Text: brackets[other]})
					r.out[len(r.out)-1] = pair
					break
				}
			}
		}
	}
}

// separate proposes a space in a token that begins or ends with a keyword or a sign.
func (r *repairs) separate(i int) {
	t, ok := r.token(i)
	if !ok || t.text[0] == '"' {
		return
	}
	split := func(at int) {
		if at > 0 && at < len(t.text) {
			written := t.text[:at] + " " + t.text[at:]
			r.propose(t.start, t.end, written, "", "missing space in "+Quote(t.text), span(t.start, t.end))
		}
	}
	for _, k := range slices.Concat(r.s.n.Repair.Keywords, r.s.n.Repair.Signs) {
		if rest := strings.Replace(t.text, k, "", 1); !isName(rest) || isName(k) && !t.word {
			continue
		}
		if strings.HasPrefix(t.text, k) {
			split(len(k))
		}
		if strings.HasSuffix(t.text, k) {
			split(len(t.text) - len(k))
		}
	}
	for _, o := range r.tokens {
		if rest, ok := strings.CutPrefix(t.text, o.text); ok && o.word && len(o.text) > 1 && len(rest) > 1 &&
			slices.ContainsFunc(r.tokens, func(t token) bool { return t.text == rest }) {
			split(len(o.text))
			break
		}
	}
}

// adjacent proposes a space between an operator and a word next to it.
func (r *repairs) adjacent(i int) {
	t, ok := r.token(i)
	next, more := r.token(i + 1)
	if ok && more && next.start == t.end && t.word != next.word && (len(t.text) > 1 && !t.word || len(next.text) > 1 && !next.word) && t.text[0] != '"' && next.text[0] != '"' {
		r.propose(t.end, t.end, " ", "Insert a space", "missing space in "+Quote(t.text+next.text), span(t.start, next.end))
	}
}

// unexpected proposes to remove a sign.
func (r *repairs) unexpected(i int) {
	t, ok := r.token(i)
	if !ok || t.word || t.text[0] == '"' || isName(t.text) {
		return
	}
	what := "unexpected "
	if strings.Contains(closers, t.text) {
		what = "unmatched "
	}
	r.propose(t.start, t.end, "", "Remove it", what+Quote(t.text), span(t.start, t.end))
}

// missing proposes tokens before and after the error and at the ends of its line.
func (r *repairs) missing(after int) {
	here, ok := r.token(r.at)
	before, more := r.token(r.at - 1)
	start := strings.LastIndexByte(r.s.text[:r.fault.Span.Start], '\n') + 1
	end := lineEnd(r.s.text, int(r.fault.Span.Start))
	first := start + len(r.s.text[start:end]) - len(strings.TrimLeft(r.s.text[start:end], " \t"))
	for _, text := range r.s.n.Repair.Words {
		if ok {
			r.insert(here.start, text)
		}
		if t, more := r.token(r.at + 1); more && (here.text == "(" || t.text[0] == '"' && r.sameLine(here, t)) {
			r.insert(t.start, text)
		}
		if !ok || here.start != first {
			r.insert(first, text)
		}
	}
	var gaps []int
	if ok {
		gaps = append(gaps, here.start)
	}
	if t, ok := r.token(after); ok && after > r.at {
		gaps = append(gaps, t.start)
	}
	if ok {
		gaps = append(gaps, here.end)
	}
	if t, ok := r.token(r.at + 2); ok && r.sameLine(here, t) {
		gaps = append(gaps, t.start)
	}
	if more {
		gaps = append(gaps, before.end)
	}
	for i := len(r.tokens) - 1; i >= 0; i-- {
		if t := r.tokens[i]; t.start < end && t.start >= start {
			gaps = append(gaps, t.end)
			break
		}
	}
	tried := map[int]bool{}
	for _, gap := range gaps {
		place := len(strings.TrimRight(r.s.text[:gap], " \t"))
		if tried[place] {
			continue
		}
		tried[place] = true
		for _, text := range r.s.n.Repair.Signs {
			r.insert(gap, text)
		}
	}
}

// insert proposes a token at a gap.
func (r *repairs) insert(gap int, text string) {
	i := slices.IndexFunc(r.tokens, func(t token) bool { return t.end > gap })
	if t, ok := r.token(i); ok && t.start < gap {
		return // within a string of several lines
	}
	written, where := text, ""
	at := r.fault.Span
	if t, ok := r.token(i); ok && i >= 0 && (t.start == gap || !strings.Contains(r.s.text[gap:t.start], "\n")) {
		where, at = " before "+Quote(t.text), span(t.start, t.end)
		if t.start == gap && !strings.ContainsAny(text, "([") {
			written += " "
		}
	} else if t, ok := r.token(len(r.tokens) - 1); ok {
		if i > 0 {
			t = r.tokens[i-1]
		}
		where, at = " after "+Quote(t.text), span(t.start, t.end)
	}
	if gap > 0 && strings.IndexByte(" \t\n(", r.s.text[gap-1]) < 0 && !strings.ContainsAny(text, ");,]") {
		written = " " + written
	}
	if near := len(strings.TrimRight(r.s.text[:gap], " \t")); near < gap && strings.ContainsAny(text, ");,]") {
		gap, written = near, text
	}
	r.propose(gap, gap, written, "Write "+text, "missing "+source.Quote(text)+where, at)
}

// exchange proposes to exchange two tokens of a line.
func (r *repairs) exchange(i int) {
	a, ok := r.token(i)
	b, more := r.token(i + 1)
	sign := func(t token) bool { return !t.word && t.text[0] != '"' }
	if !ok || !more || !r.sameLine(a, b) || sign(a) || sign(b) {
		return
	}
	between := r.s.text[a.end:b.start]
	r.propose(a.start, b.end, b.text+between+a.text, "", "unexpected order of "+Quote(a.text+" "+b.text), span(a.start, b.end))
}

// quoted proposes quotes around the rest of a line.
func (r *repairs) quoted() {
	t, ok := r.token(r.at)
	if !ok || !t.word || r.s.n.Repair.Closers == "" {
		return
	}
	end := lineEnd(r.s.text, t.start)
	if i := strings.IndexAny(r.s.text[t.start:end], r.s.n.Repair.Closers); i > 0 {
		end = t.start + i
	}
	text := strings.TrimRight(r.s.text[t.start:end], " \t\r")
	if text == "" || strings.Contains(text, `"`) {
		return
	}
	r.propose(t.start, t.start+len(text), `"`+text+`"`, "Quote it", "quote the text "+Quote(text), span(t.start, t.start+len(text)))
}

// rest proposes to remove a word, and the line.
func (r *repairs) rest() {
	for _, i := range []int{r.at, r.at - 1, r.at + 1} {
		t, ok := r.token(i)
		if !ok || i != r.at && !r.sameLine(t, r.tokens[min(r.at, len(r.tokens)-1)]) {
			continue
		}
		message := ""
		if strings.HasPrefix(r.fault.Message, "expected") {
			message = "unexpected " + Quote(t.text)
		}
		r.propose(t.start, t.end, "", "Remove "+Quote(t.text), message, span(t.start, t.end))
	}
}

// Resembles reports whether name is probably a misspelling of other: whether they differ only in
// case or by a single edit. Names of a series, such as q1 and q2, do not resemble each other.
func Resembles(name, other string) bool {
	if strings.EqualFold(name, other) {
		return true
	}
	if len(name) > maxWord || len(other) > maxWord || source.Distance(name, other, 2) > 1 {
		return false
	}
	letters := strings.Trim(name, "0123456789") != strings.Trim(other, "0123456789") // they differ in a letter
	switch {
	case len(name) == len(other):
		return len(name) > 3 && letters || sorted(name) == sorted(other)
	case letters:
		return len(name)+len(other) > 4
	}
	return len(slices.Compact([]byte(name))) == len(slices.Compact([]byte(other)))
}

func sorted(text string) string {
	runes := []rune(text)
	slices.Sort(runes)
	return string(runes)
}
