package apibank

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// FindCalls returns the calls in an answer in order. It reports malformed calls, which are other
// texts that begin with "[Name(", and stops after fifty reports. No call extends into a line that
// begins with another call.
func FindCalls(text string) ([]Call, []source.Diagnostic) {
	calls, found := []Call{}, []source.Diagnostic{}
	eachCall(text, func(_ string, c Call, fault *source.Diagnostic) {
		if fault != nil {
			found = append(found, *fault)
		} else {
			calls = append(calls, c)
		}
	})
	return calls, found
}

// MadeIn returns the calls in an answer as written, for a [Transcript], including invalid
// ones up to the end of their line.
func MadeIn(text string) ([]Made, []source.Diagnostic) {
	made, found := []Made{}, []source.Diagnostic{}
	eachCall(text, func(written string, _ Call, fault *source.Diagnostic) {
		if fault != nil {
			found = append(found, *fault)
		}
		made = append(made, Made{Text: written})
	})
	return made, found
}

// eachCall calls do for each text that begins like a call.
func eachCall(text string, do func(written string, c Call, fault *source.Diagnostic)) {
	end := 0 // the next line that begins with a call
	for at, faults := 0, 0; at < len(text) && faults < maxFound; {
		open := strings.IndexByte(text[at:], '[')
		if open < 0 {
			break
		}
		at += open
		p := &callParser{text: text, at: at}
		if !p.begins() {
			at++
			continue
		}
		if end <= at {
			end = nextLine(text, at)
		}
		p.text, p.at = text[:end], at
		c, fault := p.call()
		if fault == nil {
			do(text[at:p.at], c, nil)
			at = p.at
			continue
		}
		line, _, _ := strings.Cut(text[at:], "\n")
		do(strings.TrimSpace(line), Call{}, fault)
		faults++
		at++
	}
}

// nextLine returns the start of the next line that begins with a call, or the end.
func nextLine(text string, at int) int {
	for {
		line := strings.IndexByte(text[at:], '\n')
		if line < 0 {
			return len(text)
		}
		at += line + 1
		p := &callParser{text: text, at: at}
		if p.space(); p.begins() {
			return at
		}
	}
}

const (
	maxFound = 50
	maxDepth = 50 // of nested lists
)

type callParser struct {
	text  string
	at    int
	depth int
}

func (p *callParser) fault(format string, args ...any) *source.Diagnostic {
	end := p.at
	if end < len(p.text) {
		_, size := utf8.DecodeRuneInString(p.text[end:])
		end += size
	}
	return &source.Diagnostic{Code: CodeCall, Span: source.Span{Start: source.Pos(p.at), End: source.Pos(end)}, Message: fmt.Sprintf(format, args...)}
}

func (p *callParser) space() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += size
	}
}

// peek returns the next byte, 0 at the end.
func (p *callParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// word reads a name of letters, digits and underscores.
func (p *callParser) word() string {
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !isWordRune(r) || r == utf8.RuneError {
			break
		}
		p.at += size
	}
	return p.text[start:p.at]
}

// begins reports whether "[Name(" follows, and skips it.
func (p *callParser) begins() bool {
	if p.peek() != '[' {
		return false
	}
	p.at++
	p.space()
	name := p.word()
	p.space()
	if name == "" || p.peek() != '(' {
		return false
	}
	p.at++
	return true
}

func (p *callParser) call() (Call, *source.Diagnostic) {
	c := Call{Arguments: []Argument{}}
	if p.peek() != '[' {
		return c, p.fault("expected \"[\" at the beginning of a call, as in [Calculator(formula='1+2')]")
	}
	p.at++
	p.space()
	if c.Name = p.word(); c.Name == "" {
		return c, p.fault("expected the name of a tool")
	}
	p.space()
	if p.peek() != '(' {
		return c, p.fault("expected \"(\" before the arguments of %s", c.Name)
	}
	p.at++
	names := map[string]bool{}
	for {
		p.space()
		if p.peek() == ')' {
			break
		}
		start := p.at
		a := Argument{Name: p.word()}
		switch {
		case a.Name == "":
			return c, p.fault("expected the name of a parameter or \")\"")
		case names[a.Name]:
			p.at = start
			return c, p.fault("duplicate parameter %q", a.Name)
		}
		names[a.Name] = true
		p.space()
		if p.peek() != '=' {
			return c, p.fault("expected \"=\" after the parameter %q", a.Name)
		}
		p.at++
		p.space()
		var fault *source.Diagnostic
		if a.Value, fault = p.value(p.closesArgument); fault != nil {
			return c, fault
		}
		c.Arguments = append(c.Arguments, a)
		p.space()
		if p.peek() == ',' {
			p.at++
			continue
		}
		if p.peek() != ')' {
			return c, p.fault("expected \",\" or \")\" after the parameter %q", a.Name)
		}
	}
	p.at++
	p.space()
	if p.peek() != ']' {
		return c, p.fault("expected \"]\" at the end of the call")
	}
	p.at++
	return c, nil
}

// closesArgument reports whether a quoted argument may end at an offset: another argument
// or the end of the call follows.
func (p *callParser) closesArgument(at int) bool {
	q := &callParser{text: p.text, at: at}
	q.space()
	switch q.peek() {
	case ')':
		q.at++
		q.space()
		return q.peek() == ']'
	case ',':
		q.at++
		q.space()
		if q.peek() == ')' {
			return true
		}
		name := q.word()
		q.space()
		return name != "" && q.peek() == '='
	}
	return false
}

// closesItem is closesArgument for items of a list or dictionary.
func (p *callParser) closesItem(at int) bool {
	q := &callParser{text: p.text, at: at}
	q.space()
	return strings.IndexByte(",]}:", q.peek()) >= 0 && q.peek() != 0
}

func (p *callParser) value(closes func(at int) bool) (json.RawMessage, *source.Diagnostic) {
	switch c := p.peek(); c {
	case '\'', '"':
		text, fault := p.quoted(c, closes)
		if fault != nil {
			return nil, fault
		}
		return marshal(text), nil
	case '[', '{':
		if p.depth++; p.depth > maxDepth {
			return nil, p.fault("lists are nested too deeply")
		}
		out, fault := p.list(c)
		p.depth--
		return out, fault
	}
	return p.bare(closes)
}

func (p *callParser) quoted(quote byte, closes func(at int) bool) (string, *source.Diagnostic) {
	open := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text); {
		c := p.text[p.at]
		switch {
		case c == '\\' && p.at+1 < len(p.text):
			switch next := p.text[p.at+1]; next {
			case '\\', '\'', '"':
				b.WriteByte(next)
				p.at++
			case 'n':
				b.WriteByte('\n')
				p.at++
			case 'r':
				b.WriteByte('\r')
				p.at++
			case 't':
				b.WriteByte('\t')
				p.at++
			default:
				b.WriteByte(c)
			}
			p.at++
		case c == quote && closes(p.at+1):
			p.at++
			return b.String(), nil
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	p.at = open
	return "", p.fault("unterminated text: expected %c followed by \",\" or a closing bracket", quote)
}

func (p *callParser) list(open byte) (json.RawMessage, *source.Diagnostic) {
	shut := open + 2 // key and value differ by two
	p.at++
	out := []byte{open}
	for n := 0; ; n++ {
		p.space()
		if p.peek() == shut {
			p.at++
			return append(out, shut), nil
		}
		if n > 0 {
			out = append(out, ',')
		}
		item, fault := p.value(p.closesItem)
		if fault != nil {
			return nil, fault
		}
		p.space()
		if open == '{' {
			if len(item) == 0 || item[0] != '"' {
				return nil, p.fault("expected a quoted key in the dictionary")
			}
			if p.peek() != ':' {
				return nil, p.fault("expected \":\" in a dictionary")
			}
			p.at++
			p.space()
			value, fault := p.value(p.closesItem)
			if fault != nil {
				return nil, fault
			}
			item = append(append(item, ':'), value...)
			p.space()
		}
		out = append(out, item...)
		switch p.peek() {
		case ',':
			p.at++
		case shut:
		default:
			return nil, p.fault("expected \",\" or \"%c\" in a list", shut)
		}
	}
}

// bare reads a number, a constant, or a word without quotes.
func (p *callParser) bare(closes func(at int) bool) (json.RawMessage, *source.Diagnostic) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("'\"[]{}\n", p.text[p.at]) < 0 && !(strings.IndexByte(",):", p.text[p.at]) >= 0 && closes(p.at)) {
		p.at++
	}
	text := strings.TrimSpace(p.text[start:p.at])
	switch text {
	case "":
		p.at = start
		return nil, p.fault("expected a value")
	case "True", "true":
		return json.RawMessage("true"), nil
	case "False", "false":
		return json.RawMessage("false"), nil
	case "None", "null":
		return json.RawMessage("null"), nil
	}
	if isNumber(text) {
		return json.RawMessage(text), nil
	}
	return marshal(text), nil
}

// isNumber reports whether a text is a JSON number.
func isNumber(text string) bool {
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return false
	}
	tree, fault := json.Tree(text)
	return fault == nil && tree.Kind == '0'
}
