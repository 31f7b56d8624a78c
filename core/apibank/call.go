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

// Call is a call of a tool as an agent writes it.
type Call struct {
	Name      string     `json:"name"`
	Arguments []Argument `json:"arguments"`
}

// Argument is a named value: JSON in the place of the call's own notation.
type Argument struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Input returns the arguments as a JSON object.
func (c Call) Input() json.RawMessage {
	var b strings.Builder
	b.WriteByte('{')
	for i, a := range c.Arguments {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(a.Name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(a.Value)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}

// CallOf makes a call of a name and a JSON object. The error is coded [CodeCall].
func CallOf(name string, input json.RawMessage) (Call, error) {
	tree, fault := json.Tree(string(input))
	if fault != nil || tree.Kind != '{' {
		return Call{}, source.NewError(CodeCall, fmt.Sprintf("the input of %s is no JSON object", name))
	}
	c := Call{Name: name, Arguments: []Argument{}}
	for _, m := range tree.Members {
		c.Arguments = append(c.Arguments, Argument{m.Key, raw(m.Value, string(input))})
	}
	return c, nil
}

// String writes the call: [Name(key='value', n=3, list=['a', 'b'])]. Texts are in
// single quotes, in which \\ and \' stand for what they end with, and \n, \r and \t
// for white space. [ParseCall] reads the same call of it.
func (c Call) String() string {
	var b strings.Builder
	b.WriteString("[" + c.Name + "(")
	for i, a := range c.Arguments {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.Name + "=")
		if tree, fault := json.Tree(string(a.Value)); fault == nil {
			write(&b, tree)
		}
	}
	b.WriteString(")]")
	return b.String()
}

func write(b *strings.Builder, n *json.Node) {
	switch n.Kind {
	case '"':
		writeText(b, n.Text)
	case '[':
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, item)
		}
		b.WriteByte(']')
	case '{':
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteString(", ")
			}
			writeText(b, m.Key)
			b.WriteString(": ")
			write(b, m.Value)
		}
		b.WriteByte('}')
	case 't':
		b.WriteString("True")
	case 'f':
		b.WriteString("False")
	case 'n':
		b.WriteString("None")
	default:
		b.WriteString(n.Text)
	}
}

func writeText(b *strings.Builder, text string) {
	b.WriteByte('\'')
	for _, r := range text {
		switch r {
		case '\\', '\'':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
}

// ParseCall reads a text that is one call, with nothing but space around it:
//
//	[AddMeeting(meeting_topic='Team Meeting', attendees=['Mary', "Peter's son"], floor=3)]
//
// A value is a text in single or double quotes, a number, True, False, None (true,
// false, null), a list, a dictionary {'a': 1}, or a word without quotes, which is a
// text. A quote within a text ends it only where the value may end there, so that
// 'it's fine' is one text: before a comma that another value follows, or what closes
// the value around it. The diagnostic, coded [CodeCall], has the place of what is
// wrong first; nil: there is a call.
func ParseCall(text string) (Call, *source.Diagnostic) {
	p := &callParser{text: text}
	p.space()
	c, fault := p.call()
	if fault == nil {
		if p.space(); p.at < len(text) {
			fault = p.fault("what follows the call has to go")
		}
	}
	if fault != nil {
		return Call{}, fault
	}
	return c, nil
}

// FindCalls reads all calls within an answer, in their order. What begins as a call,
// "[Name(", and is none is told by a diagnostic; after fifty of those no more is read. No
// call reaches into a line that begins with another.
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

// MadeIn returns the calls within an answer as they are written, for a [Transcript]:
// those that cannot be read, too, to the end of their line.
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

// eachCall goes through what begins as a call.
func eachCall(text string, do func(written string, c Call, fault *source.Diagnostic)) {
	end := 0 // where the next line begins that begins with a call
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

// nextLine is where the next line begins that begins with a call, or the end.
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
	maxDepth = 50 // of lists within lists
)

// callParser reads a call from left to right.
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

// word reads a name.
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

// begins reports whether "[Name(" stands here, and passes over it.
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
		return c, p.fault("a call begins with \"[\", as in [Calculator(formula='1+2')]")
	}
	p.at++
	p.space()
	if c.Name = p.word(); c.Name == "" {
		return c, p.fault("the name of a tool belongs here")
	}
	p.space()
	if p.peek() != '(' {
		return c, p.fault("\"(\" belongs here, before the arguments of %s", c.Name)
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
			return c, p.fault("the name of a parameter belongs here, or \")\"")
		case names[a.Name]:
			p.at = start
			return c, p.fault("the parameter %q is there twice", a.Name)
		}
		names[a.Name] = true
		p.space()
		if p.peek() != '=' {
			return c, p.fault("\"=\" belongs here, after the parameter %q", a.Name)
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
			return c, p.fault("\",\" or \")\" belongs here, after the parameter %q", a.Name)
		}
	}
	p.at++
	p.space()
	if p.peek() != ']' {
		return c, p.fault("\"]\" belongs here, at the end of the call")
	}
	p.at++
	return c, nil
}

// closesArgument reports whether an argument's text may end before a place: another
// argument follows, or the end of the call.
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

// closesItem is the same for what is in a list or a dictionary.
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
			return nil, p.fault("lists are nested too deep")
		}
		out, fault := p.list(c)
		p.depth--
		return out, fault
	}
	return p.bare(closes)
}

func marshal(text string) json.RawMessage {
	out, _ := json.Marshal(strings.ToValidUTF8(text, "\ufffd"))
	return out
}

// quoted reads a text in quotes.
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
	return "", p.fault("the text that begins here has no end: %c, and then \",\" or what closes the value around it", quote)
}

func (p *callParser) list(open byte) (json.RawMessage, *source.Diagnostic) {
	shut := open + 2 // both pairs are two apart
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
				return nil, p.fault("what a dictionary names is a text")
			}
			if p.peek() != ':' {
				return nil, p.fault("\":\" belongs here, in a dictionary")
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
			return nil, p.fault("\",\" or \"%c\" belongs here, in a list", shut)
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
		return nil, p.fault("a value belongs here")
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
