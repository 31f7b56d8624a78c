package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// properties parses the properties of a state.
func (p *parser) properties(n *sexpr.Node, s *State) {
	seen := map[string]*sexpr.Node{}
	odd := false // one of the items may be meant as the prompt
	for _, item := range n.Items[1:] {
		if first := seen[item.Head()]; first != nil && slices.Contains(stateSections, item.Head()) {
			p.errorAt(head(item), "agent.twice", "duplicate "+item.Head(), source.Note{Span: head(first), Message: "first definition"})
			continue
		}
		seen[item.Head()] = item
		switch item.Head() {
		case ":text":
			p.text(item, s)
		case ":flags":
			p.flags(item, s)
		case ":one-of":
			p.oneOf(item, s)
		case ":matches":
			p.matches(item, s)
		case ":max-tokens":
			p.maxTokens(item, s)
		case ":aliases":
			p.aliasesOf(item, s)
		case ":from":
			p.from(item, s)
		default:
			odd = true
			if item.Kind == sexpr.KindList && len(item.Items) > 0 && item.Items[0].Kind == sexpr.KindAtom {
				p.unknown(item.Items[0], "agent.property", "property", stateSections)
			} else {
				p.errorAt(item.Span, "agent.misplaced", "expected a property such as (:text …)")
			}
		}
	}
	if seen[":text"] == nil && !odd {
		p.errorAt(s.Span, "agent.text-missing", fmt.Sprintf("state %q has no prompt; add (:text \"[%s]\")", s.Name, s.Name))
	}
	switch constrained := len(s.OneOf) > 0 || s.Matches != "" || s.MaxTokens > 0; {
	case len(s.OneOf) > 0 && s.Matches != "":
		p.errorAt(s.Span, "agent.content-twice", fmt.Sprintf("state %q has both :one-of and :matches; remove one", s.Name))
	case s.Empty && (constrained || s.EnvInput):
		p.errorAt(s.Span, "agent.content-twice", fmt.Sprintf("state %q is :empty and cannot have other properties of its content", s.Name))
	case s.From != "" && !s.EnvInput:
		p.errorAt(head(seen[":from"]), "agent.from", fmt.Sprintf("state %q has :from but is not an input; add (:flags :env-input)", s.Name))
	}
}

// text parses (:text "[Name]").
func (p *parser) text(n *sexpr.Node, s *State) {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString {
		p.errorAt(head(n), "agent.text-form", `expected one quoted text, such as (:text "[Name]")`)
		return
	}
	s.Text, s.TextSpan = n.Items[1].Text, n.Items[1].Span
	if strings.TrimSpace(s.Text) == "" {
		p.errorAt(s.TextSpan, "agent.text-empty", "empty prompt; write one, such as \"[Name]\"")
	}
}

// flags parses (:flags :env-input :empty).
func (p *parser) flags(n *sexpr.Node, s *State) {
	for _, flag := range n.Items[1:] {
		switch {
		case flag.Kind == sexpr.KindAtom && flag.Text == ":env-input":
			s.EnvInput = true
		case flag.Kind == sexpr.KindAtom && flag.Text == ":empty":
			s.Empty = true
		default:
			p.unknown(flag, "agent.flag", "flag", flags)
		}
	}
}

// oneOf parses (:one-of "yes" "no").
func (p *parser) oneOf(n *sexpr.Node, s *State) {
	for _, choice := range n.Items[1:] {
		if choice.Kind == sexpr.KindList || strings.TrimSpace(choice.Text) == "" || choice.Kind == sexpr.KindAtom && strings.ContainsAny(choice.Text, ",[]{}'`“”‘’") {
			p.errorAt(choice.Span, "agent.one-of", "expected quoted texts after :one-of")
			continue
		}
		s.OneOf = append(s.OneOf, choice.Text)
	}
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.one-of", "expected at least one quoted text after :one-of")
	}
}

// maxTokens parses (:max-tokens 100).
func (p *parser) maxTokens(n *sexpr.Node, s *State) {
	number := 0
	if len(n.Items) == 2 {
		number, _ = strconv.Atoi(n.Items[1].Text)
		if n.Items[1].Kind == sexpr.KindString {
			p.errorAt(n.Items[1].Span, "agent.max-tokens", "write the number after :max-tokens without quotes")
			return
		}
	}
	if number < 1 || number > MaxContent {
		p.errorAt(head(n), "agent.max-tokens", fmt.Sprintf("expected a whole number from 1 to %d; for no content use :empty", MaxContent))
		return
	}
	s.MaxTokens = number
}

// matches reads (:matches "pattern").
func (p *parser) matches(n *sexpr.Node, s *State) {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || n.Items[1].Text == "" {
		p.errorAt(head(n), "agent.matches", `expected one quoted pattern, such as (:matches "[0-9]+")`)
		return
	}
	s.Matches, s.matchesSpan = n.Items[1].Text, n.Items[1].Span
}

// from reads (:from way "file").
func (p *parser) from(n *sexpr.Node, s *State) {
	if len(n.Items) < 2 || len(n.Items) > 3 || n.Items[1].Kind == sexpr.KindList || len(n.Items) == 3 && n.Items[2].Kind != sexpr.KindString {
		p.errorAt(head(n), "agent.from", `expected a source and its prompt file after :from, such as (:from summary "summary.txt")`)
		return
	}
	for _, name := range fromNames {
		if n.Items[1].Text == name {
			s.From = name
		}
	}
	if s.From == "" {
		p.unknown(n.Items[1], "agent.from", "source", fromNames)
		return
	}
	if len(n.Items) == 3 {
		s.Prompt = FileName{n.Items[2].Text, n.Items[2].Span}
	}
}
