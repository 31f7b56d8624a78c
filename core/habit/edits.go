package habit

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// repairs collects the edits near an error, the most probable ones first.
type repairs struct {
	s      *search
	tokens []token
	fault  source.Diagnostic
	at     int // index of the first token of the error
	out    []Proposal
	safe   int // number of the edits that hardly change the meaning of a text

	checked [][]source.Diagnostic // of the text after an edit; nil before its check
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
