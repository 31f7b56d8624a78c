package ltl

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// listed recognises formulas as lists that begin with their operator, as in Lisp.
func listed(p *parser, _, _ string) (change, bool) {
	start, end := int(p.start()), p.paragraph()
	if m := match(`(?:\(\s*(?:define|defproperty|assert|property|rule|ltl)\s+)([\w.-]+)\s+\(`, p.text[start:end]); m != nil && strings.HasSuffix(p.text[:end], ")") {
		formula, ok := prefixed(p.text[start+len(m[0])-1 : end-1])
		if ok {
			c, _ := p.change(source.Pos(start), source.Pos(end), m[1]+": "+formula, "ltl.name", `write a name as "`+m[1]+`:"`)
			c.at = source.Span{Start: source.Pos(start), End: source.Pos(start + len(strings.TrimRight(m[0], "( ")))}
			return c, true
		}
	}
	at := p.fault.Span.Start
	for i := min(int(at), end-1); i >= start; i-- {
		if p.text[i] != '(' {
			continue
		}
		n, _ := arguments(p.text[i:end])
		if n == 0 {
			continue
		}
		formula, ok := prefixed(p.text[i : i+n])
		if !ok {
			continue
		}
		head := i + 1 + len(p.text[i+1:]) - len(strings.TrimLeft(p.text[i+1:], " "))
		op := strings.Fields(p.text[head:])[0]
		if head > int(at) || head+len(op) < int(p.before.Start) {
			continue
		}
		c, _ := p.change(source.Pos(i), source.Pos(i+n), formula, "ltl.foreign", "write "+strconv.Quote(ownOperator(op))+" between its arguments, not before them")
		c.at, c.title = source.Span{Start: source.Pos(head), End: source.Pos(head + len(op))}, "Write "+formula
		return c, true
	}
	return change{}, false
}

// ownOperator returns the operator of this notation for a word, or "".
func ownOperator(word string) string {
	if f, own := native(word); f == word && own != "" {
		return own
	}
	q := &parser{text: word, end: len(word)}
	q.next()
	if q.now.kind == tokenOp && int(q.now.span.End) == len(word) && q.now.op.arity() > 0 {
		return word
	}
	return ""
}

// prefixed rewrites a list with its operator in front, such as (-> a (F b)); ok reports that the list,
// or one in it, has an operator of two arguments.
func prefixed(text string) (formula string, ok bool) {
	items := listItems(text)
	if len(items) < 2 {
		return "", false
	}
	own := ownOperator(items[0])
	if own == "" {
		return "", false
	}
	var of []string
	for _, item := range items[1:] {
		if strings.HasPrefix(item, "(") {
			inner, more := prefixed(item)
			if inner == "" {
				return "", false
			}
			item, ok = inner, ok || more
		}
		of = append(of, item)
	}
	unary := strings.Contains(" ! G F X WX N ~ [] <> ", " "+own+" ")
	switch {
	case unary && len(of) == 1:
		return own + " " + of[0], ok
	case unary || len(of) < 2:
		return "", false
	}
	return "(" + strings.Join(of, " "+own+" ") + ")", true
}

// listItems returns the items of a list in parentheses: names, operators, quoted names and lists.
func listItems(text string) (items []string) {
	for at := 1; at < len(text)-1; {
		rest := text[at : len(text)-1]
		n := len(rest) - len(strings.TrimLeft(rest, " \t\n"))
		if n > 0 {
			at += n
			continue
		}
		switch {
		case rest[0] == '(':
			n, _ = arguments(rest)
		case rest[0] == '"':
			n = strings.IndexByte(rest[1:], '"') + 2
		default:
			if n = strings.IndexAny(rest, " \t\n()\""); n < 0 {
				n = len(rest)
			}
		}
		if n < 1 || at+n > len(text)-1 {
			return nil
		}
		items = append(items, rest[:n])
		at += n
	}
	return items
}

// recorded recognises formulas as the values of JSON.
func recorded(p *parser, rest, _ string) (change, bool) {
	start, end := p.start(), p.paragraph()
	text := p.text[start:end]
	if match(`[\[{]\s*["{\[]`, text) == nil {
		return change{}, false
	}
	var out, name string
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '"')
		if i < 0 {
			break
		}
		n := strings.IndexByte(text[at+i+1:], '"')
		if n < 0 {
			return change{}, false
		}
		value := text[at+i+1 : at+i+1+n]
		at += i + n + 2
		key := match(`\s*:`, text[at:]) != nil
		switch {
		case key && match(`(?:name|id|title|formula|ltl|spec|property|expr|expression|description|rules|properties)$`, value) != nil:
		case key || identifier(value) == len(value):
			name = value
		case parses(value):
			if name != "" {
				value = quoteName(name) + ": " + value
			}
			out, name = out+"\n\n"+value, ""
		}
	}
	if out == "" {
		return p.unsupported(start, start+1, "unexpected "+strconv.Quote(text[:1])+"; a file is a list of formulas, not JSON")
	}
	c, ok := p.change(start, source.Pos(end), out[2:], "ltl.foreign", "unexpected "+strconv.Quote(text[:1])+"; write a formula as name: formula")
	c.at, c.title = source.Span{Start: start, End: start + 1}, "Write formulas"
	return c, ok
}

// conditional recognises conditional expressions.
func conditional(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	if m := match(`\?\s*(!?[\w.-]+|[GFX]+\s*!?[\w.-]+)\s*:\s*(!?[\w.-]+|[GFX]+\s*!?[\w.-]+)`, rest); m != nil && last != "" && identifier(last) == len(last) {
		own := "(" + last + " -> " + m[1] + ") & (!" + last + " -> " + m[2] + ")"
		c, ok := p.change(p.before.Start, at+source.Pos(len(m[0])), own, "ltl.foreign", `unknown operator "?"; write "(a -> b) & (!a -> c)"`)
		c.at, c.title = source.Span{Start: at, End: at + 1}, "Write "+own
		return c, ok
	}
	if strings.EqualFold(last, "if") && identifier(rest) > 0 {
		return p.change(p.before.Start, at, "", "ltl.foreign", `unknown operator "`+last+`"; write "->"`)
	}
	return change{}, false
}

// chances recognises the probability operators of PRISM and Storm.
func chances(p *parser, rest, last string) (change, bool) {
	start := p.fault.Span.Start
	if last == "P" || last == "S" || last == "R" || last == "Pmax" || last == "Pmin" {
		start = p.before.Start
	}
	m := match(`(?:P|S|R|Pmax|Pmin|Rmax|Rmin)(?:\{[^}]*\})?\s*(?:max|min)?\s*(>=|<=|>|<|=|≥|≤)\s*(\?|[\d.]+)\s*\[([^\]\n]*)\]`, p.text[start:])
	if m == nil {
		return change{}, false
	}
	operator := strings.TrimSpace(m[0][:strings.LastIndexByte(m[0], '[')])
	if i := strings.IndexByte(m[0], '['); i > 0 {
		operator = strings.TrimSpace(m[0][:i])
	}
	c, ok := p.change(start, start+source.Pos(len(m[0])), "("+strings.TrimSpace(m[3])+")", "ltl.foreign", "probabilities such as "+strconv.Quote(operator)+" are not supported; formulas hold on every trace")
	c.at, c.title = source.Span{Start: start, End: start + source.Pos(len(operator))}, "Remove it"
	return c, ok
}
