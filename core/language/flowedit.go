package language

import (
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

func completeFlow(c *notation.Completer) {
	last := len(c.Before) - 1
	is := func(i int, text string) bool { return i >= 0 && c.Before[i].Text == text }
	details := map[string]string{}
	for i, p := range c.Before {
		if p.Text == "ask" && i+2 < len(c.Before) && c.Before[i+2].Quoted {
			details[c.Before[i+1].Text] = strings.Trim(c.Before[i+2].Text, `"`)
		}
	}
	all := func(kinds ...string) { c.Symbols(quoteWord, details, kinds...) }
	if c.Inside != nil && c.Inside.Quoted {
		if open := strings.LastIndexAny(c.File.Text[c.Inside.Span.Start:c.Place], "{}"); open >= 0 && c.File.Text[int(c.Inside.Span.Start)+open] == '{' {
			c.From = c.Inside.Span.Start + source.Pos(open+1)
			c.Symbols(func(name string) string { return name }, nil, flow.KindVariable)
		}
		return
	}
	inBlock := 0
	for _, p := range c.Before {
		switch p.Text {
		case "{":
			inBlock++
		case "}":
			inBlock--
		}
	}
	switch {
	case is(last, "->"), is(last, "→"):
		all(flow.KindQuestion, flow.KindEnd)
		if inBlock > 0 {
			c.Keywords("next")
		}
		c.Keywords("stop")
	case is(last, "start"):
		all(flow.KindQuestion)
	case is(last, "in"):
		c.Keywords("any")
	case is(last, "any"):
		c.Keywords("order")
	case is(last, "ask"), is(last, "let"), is(last, "accept"), is(last, "stop") && !is(last-1, "->"), is(last, "order"), is(last, "as"):
	default:
		all(flow.KindAnswer)
		if is(last-1, "->") || is(last-1, "→") {
			c.Keywords("as")
		}
		c.Keywords("ask", "some")
		if inBlock == 0 {
			c.Keywords("accept", "stop", "in any order", "let", "start")
		}
	}
}

func describeFlow(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	syntax, _ := flow.Parse(d.File)
	chart, _ := flow.Compile(syntax)
	if chart == nil {
		return
	}
	if value, ok := chart.Values[s.Name]; ok && s.Kind == flow.KindVariable {
		c.Add(value)
	}
	question := s.Name
	if s.Kind == flow.KindAnswer {
		question = s.Of
	}
	for _, state := range chart.States {
		name, _, _ := strings.Cut(state.Name, "{")
		if name != question || s.Kind == flow.KindVariable {
			continue
		}
		if state.Question != "" {
			c.Add(chart.Text(state.Question, nil))
		}
		for _, e := range state.Edges {
			if to := chart.States[e.To].Name; s.Kind == flow.KindAnswer && e.Answer == s.Name {
				c.Add("Leads to " + to + ".")
			} else if s.Kind == flow.KindQuestion {
				c.Add(e.Answer + " leads to " + to + ".")
			}
		}
		return
	}
}
