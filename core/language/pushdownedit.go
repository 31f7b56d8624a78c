package language

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/verify"
)

func completePushdown(c *notation.Completer) {
	if c.Inside != nil && c.Inside.Quoted && len(c.Before) > 0 && c.Before[len(c.Before)-1].Text == "as" {
		return
	}
	line := c.Line()
	if i := notation.LastOf(line, "{", "}"); i >= 0 {
		line = line[i+1:]
	}
	is := func(i int, text string) bool { return i >= 0 && i < len(line) && line[i].Text == text }
	last := len(line) - 1
	all := func(kinds ...string) { c.Symbols(quoteWord, nil, kinds...) }
	if notation.LastOf(line, "(") > notation.LastOf(line, ")") {
		completeMove(c, line)
		return
	}
	switch {
	case len(line) == 0:
		all(pushdown.KindState, pushdown.KindFamily, pushdown.KindLetter)
		c.Keywords("start", "accept", "for", "limit", "backwards")
	case is(last, "as"):
	case is(last, "->"), is(last, "→"):
		all(pushdown.KindState, pushdown.KindFamily)
	case is(last, ")"):
		c.Keywords("as")
	case is(0, "start"):
		if last == 0 {
			all(pushdown.KindState)
		} else {
			all(pushdown.KindStack)
		}
	case is(0, "accept"):
		all(pushdown.KindState)
		c.Keywords("empty")
	case is(0, "limit"):
		completeLimit(c, line, func() { all(pushdown.KindLetter) })
	case is(0, "for"):
		switch {
		case is(last-1, "for"), is(last-1, ","):
			c.Keywords("in")
		case is(last-1, "in"), is(last, "]"):
			c.Keywords("if")
		case notation.LastOf(line, "if") >= 0:
			all(pushdown.KindVariable)
		}
	case last == 0:
		c.Keywords("->", "as")
	}
}

// completeMove completes the letter or the stack symbols of a transition such as (a, A ; B A).
func completeMove(c *notation.Completer, line []notation.Word) {
	kind := pushdown.KindLetter
	if notation.LastOf(line, ";", ",") > notation.LastOf(line, "(") {
		kind = pushdown.KindStack
	}
	c.Symbols(quoteWord, nil, kind)
	c.Keywords("ε", "*")
}

// completeLimit completes a line such as limit 2 a b or limit 1 each except c.
func completeLimit(c *notation.Completer, line []notation.Word, letters func()) {
	switch {
	case len(line) == 2:
		letters()
		c.Keywords("each")
	case len(line) == 3 && line[2].Text == "each":
		c.Keywords("except")
	case len(line) > 2:
		letters()
	}
}

func describePushdown(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	syntax, _ := pushdown.Parse(d.File)
	p, _ := pushdown.Compile(syntax)
	if p == nil {
		return
	}
	switch s.Kind {
	case pushdown.KindState:
		in, out, accepts := 0, 0, false
		for _, t := range p.Transitions {
			if p.States[t.To] == s.Name {
				in++
			}
			if p.States[t.From] == s.Name {
				out++
			}
		}
		for _, q := range p.Accept {
			accepts = accepts || p.States[q] == s.Name
		}
		c.Add(notation.Count(in, "transition") + " in, " + notation.Count(out, "transition") + " out.")
		if p.States[p.Start] == s.Name {
			c.Add("Words begin here.")
		}
		if accepts {
			c.Add("Words may end here.")
		}
	case pushdown.KindFamily:
		c.Add("It is a family: one name for each value of its variables.")
	case pushdown.KindLetter, ltl.KindProposition:
		c.Kind = pushdown.KindLetter
		if label := p.LetterLabels()[s.Name]; label != "" {
			c.Add(label)
		}
		g, err := p.Grammar(meter.New(hoverBudget))
		if err != nil {
			return
		}
		if letter, ok := g.Lookup(s.Name); ok {
			if word, found, err := verify.Shortest(g, seen(g.NumTerminals, int(letter)), meter.New(hoverBudget)); found && err == nil {
				c.Example(names(g, word))
			}
		}
	}
}
