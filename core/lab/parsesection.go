package lab

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/sexpr"
)

func (p *parser) source(n *sexpr.Node) {
	s := Source{Kind: n.Head(), Span: n.Span}
	if p.full(n, len(p.x.Sources), MaxSources, "tasks") {
		return
	}
	if !slices.Contains(sourceKinds, s.Kind) {
		p.unknown(n.Items[0], "lab.tasks", "kind of tasks", sourceKinds)
		return
	}
	rest := n.Items[1:]
	if len(rest) == 0 || rest[0].Kind == sexpr.KindList || rest[0].Text == "" {
		p.report(n.Blame(), "lab.tasks", fmt.Sprintf(`expected a name: (%s "…")`, s.Kind))
		return
	}
	s.Name, s.NameSpan = rest[0].Text, rest[0].Span
	if s.Kind == SourceBenchmark && !slices.Contains(benchmarks, s.Name) {
		p.unknown(rest[0], "lab.benchmark", "benchmark", benchmarks)
		return
	}
	if s.Kind == SourceProblems && !s.isLocal() && !slices.Contains(domains.Names(), s.Name) {
		d := rest[0].Unknown("lab.problems", "domain", domains.Names())
		d.Message += fmt.Sprintf("; a problem of the workspace is the name of its folder: (problems %q)", "mine"+formulate.Ending)
		p.found = append(p.found, d)
		return
	}
	p.once(rest[1:], "parts such as (:pick …), (:first …) and (:group …)", func(item *sexpr.Node) {
		switch item.Head() {
		case ":pick":
			s.Pick = p.different(item, p.numbers(item, 0, 1<<20))
		case ":first":
			s.First = p.number(item, 1, 1<<20)
		case ":group":
			s.Group = p.text(item)
		case ":kind":
			if s.Of = p.text(item); s.Kind != SourceProblems {
				p.report(item.Blame(), "lab.part", ":kind is allowed only in (problems …)")
			} else if s.isLocal() {
				p.report(item.Blame(), "lab.part", "a problem of the workspace has one query and no :kind")
			}
		case ":optimum":
			if s.Optimum = p.optimum(item); !s.isLocal() {
				p.report(item.Blame(), "lab.part", fmt.Sprintf("%s is only for a problem of the workspace: (problems %q %s); the data of a domain contains it", ":optimum", "mine"+formulate.Ending, "(:optimum 154)"))
			}
		default:
			p.unknown(item.Items[0], "lab.part", "part of tasks", sourceParts)
		}
	})
	p.x.Sources = append(p.x.Sources, s)
}

func (p *parser) model(n *sexpr.Node) {
	m := Model{Span: n.Span}
	if p.full(n, len(p.x.Models), MaxMethods, "models") {
		return
	}
	rest := n.Items[1:]
	word := ""
	if len(rest) > 0 && rest[0].Kind != sexpr.KindList {
		word, rest = rest[0].Text, rest[1:]
	}
	switch n.Head() {
	case "endpoint":
		if word == "" {
			p.report(n.Blame(), "lab.model", `an endpoint is named: (endpoint "name")`)
			return
		}
		m.Endpoint, m.Name = word, word
	case "simulated":
		m.Name, m.Spec.Kind = word, word
		if !slices.Contains(simulated, word) {
			if word == "" {
				p.report(n.Blame(), "lab.model", "missing kind of simulated model: (simulated first), (simulated uniform) or (simulated rambler 0.3)")
			} else {
				p.unknown(n.Items[1], "lab.model", "simulated model", simulated)
			}
			return
		}
		if word == llm.KindRambler {
			rate, err := 0.0, error(nil)
			if len(rest) > 0 && rest[0].Kind == sexpr.KindAtom {
				rate, err = strconv.ParseFloat(rest[0].Text, 64)
				m.Name += " " + rest[0].Text
				rest = rest[1:]
			}
			if err != nil || rate < 0 || rate > 1 {
				p.report(n.Blame(), "lab.model", "expected an error rate from 0 to 1, such as (simulated rambler 0.3)")
				return
			}
			m.Spec.ErrorRate = rate
		}
	default:
		p.unknown(n.Items[0], "lab.model", "kind of model", modelKinds)
		return
	}
	p.once(rest, `(:name "…") and (:only "…")`, func(item *sexpr.Node) {
		switch item.Head() {
		case ":name":
			m.Name = p.text(item)
		case ":only":
			m.Only = p.texts(item)
		default:
			p.unknown(item.Items[0], "lab.part", "part of a model", modelParts)
		}
	})
	if slices.ContainsFunc(p.x.Models, func(o Model) bool { return o.Name == m.Name }) {
		p.report(n.Span, "lab.twice", fmt.Sprintf(`duplicate model %q; give one another name: (:name "…")`, m.Name))
		return
	}
	p.x.Models = append(p.x.Models, m)
}

func (p *parser) measures(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindAtom {
			p.report(item.Blame(), "lab.measure", "a measure is a word, such as valid, score or calls")
			continue
		}
		p.column(item, Column{Title: item.Text, Measure: item.Text})
	}
}

func (p *parser) columns(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindList || len(item.Items) < 2 || item.Items[0].Kind != sexpr.KindString || item.Items[1].Kind != sexpr.KindAtom {
			p.report(item.Blame(), "lab.column", `a column is its title and a measure: ("Task 1" score (:of "Task 1"))`)
			continue
		}
		c := Column{Title: item.Items[0].Text, Measure: item.Items[1].Text}
		p.once(item.Items[2:], `(:of "…") and (:sum)`, func(part *sexpr.Node) {
			switch part.Head() {
			case ":of":
				c.Of = p.texts(part)
			case ":sum":
				c.Sum = p.flag(part)
			default:
				p.unknown(part.Items[0], "lab.part", "part of a column", []string{":of", ":sum"})
			}
		})
		p.column(item.Items[1], c)
	}
}

// column adds a column with the measure at a node.
func (p *parser) column(n *sexpr.Node, c Column) {
	if !p.full(n, len(p.x.Columns), MaxColumns, "columns") {
		c.span = n.Span
		p.x.Columns, p.columnSpans = append(p.x.Columns, c), append(p.columnSpans, n.Span)
	}
}

func (p *parser) budget(n *sexpr.Node) {
	p.once(n.Items[1:], "(calls 200), (tokens 100000) and (money 0.5)", func(item *sexpr.Node) {
		b := &p.x.Budget
		switch item.Head() {
		case "calls":
			b.Calls = p.number(item, 1, 1<<30)
		case "tokens":
			b.Tokens = p.number(item, 1, 1<<40)
		case "money":
			if len(item.Items) == 2 {
				b.Money, _ = strconv.ParseFloat(item.Items[1].Text, 64)
			}
			if !(b.Money > 0 && b.Money < 1e6) {
				b.Money = 0
				p.report(item.Blame(), "lab.number", "expected an amount of dollars above 0 after money: (money 0.5)")
			}
		default:
			p.unknown(item.Items[0], "lab.budget", "budget", budgetNames)
		}
	})
}
