package ltl

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// spacedWeakNext recognises the operator WX with a space in it.
func spacedWeakNext(p *parser, rest, _ string) (change, bool) {
	m := match(`W[ \t]+X\b`, rest)
	if m == nil || p.fault.Code != "ltl.argument" {
		return change{}, false
	}
	at := p.fault.Span.Start
	return p.change(at, at+source.Pos(len(m[0])), "WX", "ltl.foreign", "unexpected space in "+strconv.Quote(m[0])+`; write "WX"`)
}

// phrased recognises operators of several words.
func phrased(p *parser, rest, _ string) (change, bool) {
	at := p.fault.Span.Start
	for _, ph := range phrases {
		first, _, _ := strings.Cut(ph.text, " ")
		for _, start := range []source.Pos{at - source.Pos(min(len(first)+1, int(at))), at} {
			text := p.text[start:]
			if len(text) > len(ph.text) && strings.EqualFold(text[:len(ph.text)], ph.text) && identifier(text[len(ph.text)-1:]) == 1 && (start == 0 || identifier(p.text[start-1:start]) == 0) {
				return p.operator(start, text[:len(ph.text)], ph.own)
			}
		}
	}
	return change{}, false
}

// translated recognises the formulas of translations, as a whole paragraph after its name.
func translated(p *parser, _, _ string) (change, bool) {
	start := p.start()
	end := start + source.Pos(strings.IndexByte(p.text[start:]+"\n", '\n'))
	if m := match(`[\w.-]+\s*:\s*`, p.text[start:end]); m != nil {
		start += source.Pos(len(m[0]))
	}
	text := strings.TrimRight(p.text[start:end], " \t\r.;")
	for _, t := range translations {
		at := habit.NewPattern(t.pattern).Find(text, 0)
		if at == nil || at[0] != 0 {
			continue
		}
		own := t.own
		for g := len(at)/2 - 1; g > 0; g-- {
			own = strings.ReplaceAll(own, "$"+strconv.Itoa(g), text[at[2*g]:at[2*g+1]])
		}
		c, ok := p.change(start, start+source.Pos(len(text)), own, t.code, strings.ReplaceAll(t.message, "$2", strconv.Quote(text[at[4]:at[5]])))
		c.at, c.title = source.Span{Start: start + source.Pos(at[4]), End: start + source.Pos(at[5])}, "Write "+own
		return c, ok
	}
	return change{}, false
}

// reserved recognises an operator or a constant as the name of a formula.
func reserved(p *parser, rest, last string) (change, bool) {
	if _, is := words[last]; !is || !strings.HasPrefix(rest, ":") || p.before.Start != p.start() {
		return change{}, false
	}
	return p.change(p.before.Start, p.before.End, quoteText(last), "ltl.name", strconv.Quote(last)+" is an operator; quote it as a name")
}

// misspelt recognises an operator of another notation with a typing mistake.
func misspelt(p *parser, rest, last string) (change, bool) {
	if p.fault.Code != "ltl.rest" && p.fault.Code != "ltl.open" {
		return change{}, false
	}
	word := rest[:identifier(rest)]
	for _, f := range foreign {
		switch {
		case len(f.text) < 4 || identifier(f.text) != len(f.text):
		case habit.Resembles(last, f.text):
			return p.operator(p.before.Start, last, f.own)
		case habit.Resembles(word, f.text):
			return p.operator(p.fault.Span.Start, word, f.own)
		}
	}
	return change{}, false
}

// operand returns the length of the operand at the beginning of a text: a name, perhaps negated, or
// a formula in parentheses; 0 for others.
func operand(text string) int {
	if strings.HasPrefix(text, "(") {
		n, _ := arguments(text)
		return n
	}
	n := identifier(strings.TrimPrefix(text, "!"))
	if _, reserved := words[text[:n]]; reserved || n == 0 {
		return 0
	}
	return n + len(text) - len(strings.TrimPrefix(text, "!"))
}

// steps writes F or G with a bound in steps as nested X or WX.
func steps(op, bound, rest string) (string, bool) {
	rest = strings.TrimLeft(rest, " \t")
	n := operand(rest)
	numbers := match(`[^0-9]*(\d+)(?:[^0-9]+(\d+))?[^0-9]*$`, bound)
	if n == 0 || numbers == nil || op != "F" && op != "G" || strings.Contains(bound, ".") {
		return "", false
	}
	from, _ := strconv.Atoi(numbers[1])
	to, _ := strconv.Atoi(numbers[2])
	switch {
	case numbers[2] == "" && strings.ContainsAny(bound, ">=≥") && !strings.ContainsAny(bound, "<≤"):
		return "", false
	case numbers[2] == "":
		from, to = 0, from
	}
	if strings.ContainsAny(bound, "<") && !strings.Contains(bound, "=") {
		to--
	}
	if to > maxSteps || from > to {
		return "", false
	}
	next, join := "X ", " | "
	if op == "G" {
		next, join = "WX ", " & "
	}
	out := rest[:n]
	for i := from; i < to; i++ {
		out = "(" + rest[:n] + join + next + out + ")"
	}
	return strings.Repeat(next, from) + out, true
}
