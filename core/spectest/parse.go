package spectest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// maxFound is the maximum number of diagnostics of a text.
const maxFound = 50

// MaxCases is the maximum number of cases of a file: an editor shows them all, and runs them at
// each edit.
const MaxCases = 500

// Parse reads a file. It always returns the cases without errors, and every problem that it found.
func Parse(file *source.File) (*Tests, []source.Diagnostic) {
	t := &Tests{}
	if found := file.Check(); len(found) > 0 {
		return t, found
	}
	p := &parser{file: file, tests: t, seen: map[string]int{}}
	t.rows = read(file.Text)
	for i := 0; i < len(t.rows); i++ {
		r := &t.rows[i]
		if len(r.words) == 0 {
			continue
		}
		if n := p.unindented(t.rows[i:]); n > 0 {
			i += n
			continue
		}
		p.row(r)
	}
	if len(t.Cases) == 0 && len(p.found) == 0 {
		p.add(source.Diagnostic{Code: "tests.empty", Severity: source.SeverityWarning, Message: "no cases yet; add one, such as accept a b"})
	}
	return t, p.found
}

type parser struct {
	file  *source.File
	tests *Tests
	spec  Symbol
	seen  map[string]int // cases by their keys
	found []source.Diagnostic
}

func (p *parser) add(d source.Diagnostic) {
	if len(p.found) < maxFound {
		p.found = append(p.found, d)
	}
}

func (p *parser) errorAt(span source.Span, code, message string, fixes ...source.Fix) {
	p.add(source.Diagnostic{Code: code, Span: span, Message: message, Fixes: fixes})
}

// replace returns a fix that writes a text instead of a span.
func replace(span source.Span, text string) source.Fix {
	title := "Write " + strings.TrimSpace(text)
	if text == "" {
		title = "Remove it"
	}
	return source.Fix{Title: title, Edits: []source.Edit{{Span: span, Text: text}}}
}

func (p *parser) row(r *row) {
	first := r.words[0]
	for _, w := range r.words {
		if w.open {
			p.errorAt(w.span, "tests.quote", "missing closing quote", source.Fix{Title: "Close the quote", Edits: []source.Edit{{Span: source.Span{Start: w.span.End, End: w.span.End}, Text: `"`}}})
			return
		}
	}
	switch {
	case r.indent:
		p.errorAt(rowSpan(r), "tests.indent", "unexpected indentation; only the text of a plan or a run is indented", replace(source.Span{Start: source.Pos(lineStart(p.file.Text, first.span.Start)), End: first.span.Start}, ""))
	case first.is(kwSpec):
		p.specLine(r)
	case first.is(string(Plan)), first.is(string(Run)):
		p.blockCase(r)
	case !first.quoted && slices.Contains(Verdicts(Word), first.text):
		p.wordCase(r)
	default:
		p.unknown(first)
	}
}

// unindented reports a plan or a run whose text is not indented, and returns the number of its
// lines: they end before an empty line or a keyword.
func (p *parser) unindented(rows []row) (n int) {
	head := &rows[0]
	if head.form() == Word || head.indent || len(head.block) > 0 || len(head.words) < 2 || !slices.Contains(Verdicts(head.form()), head.words[1].text) {
		return 0
	}
	var edits []source.Edit
	for _, r := range rows[1:] {
		if r.blank > 0 || len(r.words) == 0 || slices.Contains(Keywords(), r.words[0].text) {
			break
		}
		at := source.Span{Start: r.words[0].span.Start, End: r.words[0].span.Start}
		edits = append(edits, source.Edit{Span: at, Text: "  "})
	}
	if len(edits) > 0 {
		p.errorAt(rowSpan(head), "tests.block", "indent the lines of the "+string(head.form())+" after this one", source.Fix{Title: "Indent them", Edits: edits})
	}
	return len(edits)
}

func lineStart(text string, at source.Pos) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// rowSpan returns the words of a row.
func rowSpan(r *row) source.Span { return r.words[0].span.Join(r.words[len(r.words)-1].span) }

// habits are words of other tools for a keyword.
var habits = []struct{ keyword, words string }{
	{Accept, " pass passes yes ok valid match matches accepts accepted good true + ✓ ✔ "},
	{Reject, " fail fails no invalid mismatch rejects rejected bad false deny ! ✗ × "},
	{Incomplete, " partial prefix pending unfinished "},
	{string(Run), " trace transcript log chat "},
	{string(Plan), " steps "},
	{kwSpec, " file of for grammar agent automaton flowchart target test tests "},
}

// meant returns the keyword that a word of another tool means, or "".
func meant(name string) string {
	name = strings.ToLower(strings.TrimRight(name, ":"))
	for _, h := range habits {
		if name == h.keyword || strings.Contains(h.words, " "+name+" ") {
			return h.keyword
		}
	}
	var words []string
	for _, h := range habits {
		words = append(words, h.keyword)
	}
	return source.Nearest(name, words)
}

func (p *parser) unknown(w word) {
	if w.text == "-" || w.text == "*" || w.text == "•" {
		p.errorAt(w.span, "tests.line", "unexpected "+strconv.Quote(w.text)+" at the beginning of a line", source.Fix{Title: "Remove it", Edits: []source.Edit{{Span: source.Span{Start: w.span.Start, End: w.span.End + 1}}}})
		return
	}
	if keyword := meant(w.text); keyword != "" && !w.quoted {
		p.errorAt(w.span, "tests.line", "unknown keyword "+strconv.Quote(w.text)+"; did you mean "+strconv.Quote(keyword)+"?", replace(w.span, keyword))
		return
	}
	message := "expected accept, reject, incomplete, plan, run or spec, not " + strconv.Quote(short(w.text))
	d := source.Diagnostic{Code: "tests.line", Span: w.span, Message: message}
	if strings.HasPrefix(w.text, "//") || strings.HasPrefix(w.text, ";") || strings.HasPrefix(w.text, "--") {
		end := w.span.Start + source.Pos(len(w.text)-len(strings.TrimLeft(w.text, "/;-")))
		d.Message = "comments begin with #"
		d.Fixes = []source.Fix{replace(source.Span{Start: w.span.Start, End: end}, "#")}
	} else {
		at := source.Span{Start: w.span.Start, End: w.span.Start}
		d.Fixes = []source.Fix{replace(at, "accept "), replace(at, "reject ")}
	}
	p.add(d)
}

// short cuts a long text for a message.
func short(text string) string {
	if runes := []rune(text); len(runes) > 24 {
		return string(runes[:24]) + "…"
	}
	return text
}

// title removes a title from the end of a row, and reports whether the row has no fault so far.
func (p *parser) title(words []word) (rest []word, title string, ok bool) {
	at := slices.IndexFunc(words, func(w word) bool { return w.is(kwAs) })
	switch {
	case at < 0:
		return words, "", true
	case at+1 == len(words):
		p.errorAt(words[at].span, "tests.title", `missing title after "as"; quote "as" if it is a symbol`, replace(words[at].span, `"as"`))
	case !words[at+1].quoted:
		span := words[at+1].span.Join(words[len(words)-1].span)
		p.errorAt(span, "tests.title", "quote the title", replace(span, quoteText(p.file.Slice(span))))
	case at+2 < len(words):
		span := words[at+2].span.Join(words[len(words)-1].span)
		p.errorAt(span, "tests.title", "unexpected text after the title", replace(span, ""))
	default:
		return words[:at], words[at+1].text, true
	}
	return words[:at], "", false
}

func (p *parser) specLine(r *row) {
	switch {
	case len(r.words) == 1:
		p.errorAt(r.words[0].span, "tests.spec", `expected the name of a file after "spec", such as spec react.agent`)
	case len(r.words) > 2:
		span := r.words[2].span.Join(r.words[len(r.words)-1].span)
		p.errorAt(span, "tests.spec", "unexpected text after the name of the file", replace(span, ""))
	default:
		p.spec = Symbol{r.words[1].text, r.words[1].span}
		p.tests.Specs = append(p.tests.Specs, p.spec)
	}
}

func (p *parser) wordCase(r *row) {
	words, title, ok := p.title(r.words[1:])
	if !ok {
		return
	}
	c := Case{Form: Word, Expect: r.words[0].text, Title: title}
	switch {
	case len(words) == 0:
		at := source.Span{Start: r.words[0].span.End, End: r.words[0].span.End}
		p.errorAt(r.words[0].span, "tests.word", "missing word; write ε for the empty word", replace(at, " ε"))
		return
	case len(words) > 1 && slices.ContainsFunc(words, func(w word) bool { return w.is(kwEmpty) }):
		i := slices.IndexFunc(words, func(w word) bool { return w.is(kwEmpty) })
		p.errorAt(words[i].span, "tests.word", `ε is the empty word; quote "ε" if it is a symbol`, replace(words[i].span, `"ε"`))
		return
	case words[0].is(kwEmpty):
	default:
		for _, w := range words {
			c.Word = append(c.Word, Symbol{w.text, w.span})
		}
	}
	p.accept(r, c)
}

func (p *parser) blockCase(r *row) {
	form := r.form()
	verdicts := Verdicts(form)
	words, title, ok := p.title(r.words[1:])
	if !ok {
		return
	}
	expected := "expected " + strings.Join(verdicts[:len(verdicts)-1], ", ") + " or " + verdicts[len(verdicts)-1]
	switch {
	case len(words) == 0:
		at := source.Span{Start: r.words[0].span.End, End: r.words[0].span.End}
		var fixes []source.Fix
		for _, v := range verdicts {
			fixes = append(fixes, replace(at, " "+v))
		}
		p.errorAt(r.words[0].span, "tests.verdict", expected+" after "+strconv.Quote(string(form)), fixes...)
		return
	case words[0].quoted || !slices.Contains(verdicts, words[0].text):
		d := source.Diagnostic{Code: "tests.verdict", Span: words[0].span, Message: expected + ", not " + strconv.Quote(short(words[0].text))}
		if near := verdictOf(form, words[0].text); near != "" {
			d.Message = "unknown verdict " + strconv.Quote(short(words[0].text)) + "; did you mean " + strconv.Quote(near) + "?"
			d.Fixes = []source.Fix{replace(words[0].span, near)}
		}
		p.add(d)
		return
	case len(words) > 1:
		span := words[1].span.Join(words[len(words)-1].span)
		p.errorAt(span, "tests.block", "write the text of the "+string(form)+" in indented lines after this one", replace(span, "\n  "+p.file.Slice(span)))
		return
	case len(r.block) == 0:
		p.errorAt(rowSpan(r), "tests.block", "missing text: indent the lines of the "+string(form)+" after this one")
		return
	}
	c := Case{Form: form, Expect: words[0].text, Title: title, Lines: r.block}
	for _, span := range r.block {
		c.Text += p.file.Slice(span) + "\n"
	}
	p.accept(r, c)
}

// verdictOf returns the verdict of a form that a word means, or "".
func verdictOf(form Form, name string) string {
	verdicts := Verdicts(form)
	bad := verdicts[1]
	switch meant(name) {
	case Accept:
		return Valid
	case Reject:
		return bad
	case Incomplete:
		if form == Run {
			return Incomplete
		}
		return bad
	}
	if name == Violated || name == Invalid {
		return bad
	}
	return source.Nearest(name, verdicts)
}

// rejects reports whether a verdict is compatible with [Reject].
func rejects(verdict string) bool { return verdict == Reject || verdict == Incomplete }

func (p *parser) accept(r *row, c Case) {
	c.Spec, c.Head = p.spec, rowSpan(r)
	c.Span = source.Span{Start: c.Head.Start, End: c.Head.End}
	if n := len(r.block); n > 0 {
		c.Span.End = r.block[n-1].End
	}
	if i, again := p.seen[c.Key()]; again {
		before := &p.tests.Cases[i]
		message := "duplicate case"
		if before.Expect != c.Expect && !(rejects(before.Expect) && rejects(c.Expect)) {
			message = "contradicts an earlier case"
		}
		p.add(source.Diagnostic{Code: "tests.duplicate", Severity: source.SeverityWarning, Span: c.Head, Message: message, Notes: []source.Note{{Span: before.Head, Message: "the earlier case"}}})
	} else {
		p.seen[c.Key()] = len(p.tests.Cases)
	}
	if len(p.tests.Cases) >= MaxCases {
		if len(p.tests.Cases) == MaxCases && !slices.ContainsFunc(p.found, func(d source.Diagnostic) bool { return d.Code == "limit.cases" }) {
			p.errorAt(c.Head, "limit.cases", "too many cases (maximum "+strconv.Itoa(MaxCases)+")")
		}
		return
	}
	p.tests.Cases = append(p.tests.Cases, c)
}
