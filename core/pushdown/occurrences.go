package pushdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindState    = "state"
	KindStack    = "stack symbol"
	KindLetter   = "letter" // its label line, if any, is its definition
	KindVariable = "variable"
	KindFamily   = "family" // a name with variables
)

// Occurrences returns the occurrences of the names of states, stack symbols, letters and
// variables. Variables are scoped to their family.
func Occurrences(file *source.File) []source.Occurrence {
	s, _ := Parse(file)
	o := &occurrences{file: file}
	o.block(s.statements, nil)
	return o.out
}

type occurrences struct {
	file *source.File
	out  []source.Occurrence
	// token is the name that contains the variables.
	token string
	// unknown is called with each variable that no enclosing family declares; nil: none.
	unknown func(name string, at source.Span, in *scope, where place)
}

// place is the kind of the text that contains a variable.
type place uint8

const (
	inName   place = iota // of a state, a letter or a stack symbol, without braces
	inText                // in braces in a text
	inBraces              // in braces in a name
	inRange               // of a family
	inCondition
)

// scope is a variable that holds in a block.
type scope struct {
	name, of string
	outer    *scope
}

func (o *occurrences) block(list []statement, in *scope) {
	all := func(kind string, names []lines.Token) {
		for _, t := range names {
			o.name(kind, t, in, false)
		}
	}
	for _, st := range list {
		switch st := st.(type) {
		case startLine:
			o.name(KindState, st.state, in, false)
			all(KindStack, st.stack)
		case acceptLine:
			all(KindState, st.states)
		case moveLine:
			o.name(KindState, st.from, in, false)
			o.name(KindState, st.to, in, false)
			for _, l := range st.labels {
				o.name(KindLetter, l.read, in, false)
				o.name(KindStack, l.pop, in, false)
				all(KindStack, l.push)
			}
			if text := st.text; text != nil && strings.Contains(text.Text, "{") {
				o.variables(o.file.Slice(text.Span), text.Span.Start, in, inText)
			}
		case labelLine:
			o.name(KindLetter, st.symbol, in, true)
		case limitLine:
			all(KindLetter, st.names)
		case family:
			o.family(st, in)
		}
	}
}

func (o *occurrences) family(f family, in *scope) {
	of := strconv.Itoa(int(f.span.Start))
	for _, v := range f.variables {
		o.identifiers(v.through, in, inRange)
		in = &scope{v.name.Text, of, in}
		o.out = append(o.out, source.Occurrence{Kind: KindVariable, Of: of, Name: v.name.Text, Span: v.name.Span, Defines: true})
	}
	o.identifiers(f.when, in, inCondition)
	o.block(f.body, in)
}

// name adds a name, and the variables in it.
func (o *occurrences) name(kind string, t lines.Token, in *scope, defines bool) {
	if t.Span.Len() == 0 || t.Kind == lines.Word && (t.Text == "ε" || t.Text == "*" || t.Text == "%empty") {
		return
	}
	before := len(o.out)
	o.out = append(o.out, source.Occurrence{Kind: kind, Name: t.Text, Span: t.Span, Defines: defines})
	if in == nil || t.Kind == lines.Text {
		return
	}
	at := t.Span.Start
	o.token = t.Text
	for i, part := range strings.Split(t.Text, "/") {
		if i > 0 {
			at++
		}
		o.variables(part, at, in, inBraces)
		at += source.Pos(len(part))
	}
	if len(o.out) > before+1 {
		o.out[before].Kind, o.out[before].Defines = KindFamily, false
	}
}

// variables adds the variables in a part of a name.
func (o *occurrences) variables(part string, at source.Pos, in *scope, braces place) {
	whole := func(text string, at source.Pos, where place) {
		if _, fault, _ := lines.ParseExpression(text); fault == "" {
			o.identifiers(source.Span{Start: at, End: at + source.Pos(len(text))}, in, where)
		}
	}
	if !strings.Contains(part, "{") {
		unknown := o.unknown
		if !arithmetic(part) {
			o.unknown = nil // a name with a hyphen
		}
		whole(part, at, inName)
		o.unknown = unknown
		return
	}
	for {
		before, rest, found := strings.Cut(part, "{")
		inner, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return
		}
		at += source.Pos(len(before) + 1)
		whole(inner, at, braces)
		at += source.Pos(len(inner) + 1)
		part = after
	}
}

// arithmetic reports whether a part of a name ends in an operator and a number, such as h-1.
func arithmetic(part string) bool {
	i := strings.LastIndexAny(part, "+-*")
	return i > 0 && strings.Trim(part[i+1:], "0123456789") == "" && i+1 < len(part)
}

// identifiers adds the variables of an expression.
func (o *occurrences) identifiers(span source.Span, in *scope, where place) {
	text := o.file.Slice(span)
	for i := 0; i < len(text); {
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsLetter(r) && r != '_' && (end == i || !unicode.IsDigit(r)) {
				break
			}
			end += size
		}
		if end == i {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		name, at := text[i:end], source.Span{Start: span.Start + source.Pos(i), End: span.Start + source.Pos(end)}
		v := in
		for v != nil && v.name != name {
			v = v.outer
		}
		switch {
		case v != nil:
			o.out = append(o.out, source.Occurrence{Kind: KindVariable, Of: v.of, Name: name, Span: at})
		case o.unknown != nil && name != "and" && name != "or" && name != "not":
			o.unknown(name, at, in, where)
		}
		i = end
	}
}

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	return []string{"start", "accept", "empty", "for", "in", "if", "limit", "each", "except", "backwards", "as", "ε", "*", "{*}"}
}
