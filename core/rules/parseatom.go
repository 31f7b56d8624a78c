package rules

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/regex"
	"github.com/stile-playground/stile/core/source"
)

// reserved lists the words that must be quoted if they are names of tools.
var reserved = strings.Fields("once historically previous since O H Y S and or not implies count sum min max distinct for in has true false null")

// kinds are the names after the dot of a tool, and roles those after the dot of a message.
var (
	kinds = []string{"call", "result", "error"}
	roles = []string{"user", "assistant", "system"}
)

func (p *parser) atom() *Formula {
	t := p.peek()
	a := &Atom{Kind: "call", Name: t.text, NameSpan: t.span}
	switch {
	case t.kind == tokenString:
		a.Name = t.value
	case t.is("*"):
		a.Any = true
	case t.is("message"):
		a.Kind, a.Any = "message", true
	case t.is("end"):
		a.Kind, a.Any = "end", true
	case t.kind == tokenName && slices.Contains(reserved, t.text):
		var fixes []source.Fix
		if p.ahead(1).is("(", ".") {
			fixes = []source.Fix{{Title: "Quote the name", Edits: []source.Edit{{Span: t.span, Text: `"` + t.text + `"`}}}}
		}
		p.fail(t.span, quoteText(t.text)+" is a reserved word; quote the name of a tool", fixes...)
		return nil
	case t.kind != tokenName:
		p.unexpected(`a formula, such as a tool's name with "("`)
		return nil
	}
	p.next()
	if p.accept(".") {
		p.kind(a, t)
	}
	if p.expect("("); p.failed {
		return nil
	}
	if !p.peek().is(")") {
		if a.Kind == "end" && !p.run {
			p.fail(p.peek().span, `"end" has no fields; write end()`)
		}
		a.Patterns = append(a.Patterns, p.pattern())
		for p.accept(",") {
			a.Patterns = append(a.Patterns, p.pattern())
		}
	}
	shut := p.expect(")")
	if p.failed {
		return nil
	}
	p.settleHints(shut)
	a.Span = t.span.Join(shut.span)
	return &Formula{Op: OpAtom, Atom: a, Span: a.Span}
}

// kind reads the name after the dot of an atom.
func (p *parser) kind(a *Atom, tool token) {
	t := p.peek()
	if t.kind != tokenName && t.kind != tokenString && t.kind != tokenNumber {
		p.unexpected("call, result or error")
		return
	}
	p.next()
	known := kinds
	switch {
	case tool.is("message"):
		known = roles
	case tool.is("end"):
		known = nil
	}
	if t.kind != tokenName || !slices.Contains(known, t.text) {
		d := source.Diagnostic{Code: "rules.kind", Span: t.span, Message: "unknown kind " + quoteText(t.text) + "; expected " + strings.Join(known, ", ")}
		if known == nil {
			d.Message = `"end" has no kinds; write end()`
		} else if near := source.Nearest(t.text, known); near != "" && t.kind == tokenName {
			d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: t.span, Text: near}}}}
		}
		if p.ahead(0).is(".") && t.kind == tokenName && known != nil {
			d.Message += "; quote a tool's name that contains dots"
		}
		p.report(d)
		for p.accept(".") { // a tool's name with dots
			p.next()
		}
		return
	}
	if a.Kind == "message" {
		a.Name, a.Any, a.NameSpan = t.text, false, t.span
		return
	}
	a.Kind = t.text
}

func (p *parser) pattern() Pattern {
	p.count()
	out := p.path()
	p.expect(":")
	t := p.peek()
	switch {
	case p.failed:
	case t.kind == tokenVariable:
		out.Var = p.variable()
	case t.is("_"):
		p.next()
	case t.is("=", "!=", "<", "<=", ">", ">="):
		p.next()
		out.Test = t.text
		if p.peek().kind == tokenVariable {
			p.comparedPattern(out, t)
		} else if v, _ := p.literal(false); v != nil {
			out.Values = []*Value{v}
		}
	case t.is("~"):
		p.next()
		p.regex(&out)
	case t.is("in"):
		p.next()
		out.Test = "in"
		p.expect("(")
		for more := true; more && !p.failed; more = p.accept(",") {
			p.count()
			v, _ := p.literal(false)
			out.Values = append(out.Values, v)
		}
		p.expect(")")
	case t.is("has"):
		p.next()
		v, _ := p.literal(false)
		out.Test, out.Values = "has", []*Value{v}
	default:
		out.Test = "="
		if v, _ := p.literal(false); v != nil {
			out.Values = []*Value{v}
		}
	}
	return out
}

func (p *parser) path() Pattern {
	t := p.peek()
	out := Pattern{Span: t.span}
	if p.accept("@") {
		name := p.peek()
		if !name.is("time", "agent", "id") {
			p.unexpected("time, agent or id")
		}
		p.next()
		return Pattern{Path: []string{"@" + name.text}, Meta: true, Span: t.span.Join(name.span)}
	}
	for {
		t := p.peek()
		switch t.kind {
		case tokenName:
			out.Path = append(out.Path, t.text)
		case tokenString:
			out.Path = append(out.Path, t.value)
		case tokenNumber:
			p.fail(t.span, "paths have no indices; quote a name that begins with a digit")
			return out
		default:
			p.unexpected("the name of a field")
			return out
		}
		out.Span = out.Span.Join(t.span)
		if p.next(); !p.accept(".") {
			return out
		}
	}
}

// regex reads the pattern after ~.
func (p *parser) regex(out *Pattern) {
	t := p.peek()
	if t.kind != tokenRegex {
		p.unexpected("a regular expression in quotes")
		return
	}
	p.next()
	out.Test, out.Source = "~", t.value
	var err error
	if out.Regex, err = regex.Compile(t.value); err != nil {
		p.report(source.Diagnostic{Code: "rules.regex", Span: t.span, Message: "invalid regular expression (RE2): " + err.Error()})
	}
	out.search = out.Regex.Search()
}

// comparedPattern reports `amount: <= ?l`, which atoms cannot decide, and prepares its correction.
func (p *parser) comparedPattern(out Pattern, sign token) {
	v := p.next()
	fresh := p.fresh(out.Path[len(out.Path)-1])
	relation := fresh + " " + sign.text + " " + v.text
	p.hints = append(p.hints, hint{
		index: len(p.found), add: " & " + relation,
		fix: source.Fix{Title: "Compare after the atom", Edits: []source.Edit{{Span: sign.span.Join(v.span), Text: fresh}}},
	})
	p.report(source.Diagnostic{
		Code: "rules.syntax", Span: sign.span.Join(v.span),
		Message: "a pattern compares with literals only; bind the field and compare it: & " + relation,
	})
}

// settleHints completes the corrections of an atom's patterns at its end.
func (p *parser) settleHints(shut token) {
	at := source.Span{Start: shut.span.End, End: shut.span.End}
	for i, h := range p.hints {
		if i > 0 && len(p.hints) > 1 {
			break // one correction at a time
		}
		h.fix.Edits = append(h.fix.Edits, source.Edit{Span: at, Text: h.add})
		p.found[h.index].Fixes = []source.Fix{h.fix}
	}
	p.hints = nil
}

// fresh returns the name of a variable that the rule does not have yet: the initial of the
// field, or the complete name.
func (p *parser) fresh(field string) string {
	used := map[string]bool{}
	for _, t := range p.chunk.tokens {
		if t.kind == tokenVariable {
			used[t.value] = true
		}
	}
	name := strings.TrimLeft(field, "@")
	if !plainName(name) || strings.Contains(name, "-") {
		name = "value"
	}
	for _, candidate := range []string{name[:1], name} {
		if !used[candidate] {
			return "?" + candidate
		}
	}
	for used[name] {
		name += "_"
	}
	return "?" + name
}
