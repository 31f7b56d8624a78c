package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// MaxAliases bounds the aliases of a state. Each start of a line is compared with all of them.
const MaxAliases = 40

// aliasesOf parses (:aliases "Thought:" "**Thought:**").
func (p *parser) aliasesOf(n *sexpr.Node, s *State) {
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.alias", "expected at least one quoted text after :aliases")
	}
	for i, item := range n.Items[1:] {
		text := strings.TrimSpace(item.Text)
		switch {
		case item.Kind != sexpr.KindString || text == "" || strings.ContainsAny(text, "\r\n"):
			p.errorAt(item.Span, "agent.alias", "expected quoted texts of one line after :aliases")
		case i == MaxAliases:
			p.errorAt(item.Span, "agent.alias", fmt.Sprintf("too many aliases (maximum %d)", MaxAliases))
			return
		default:
			s.Aliases = append(s.Aliases, Alias{text, item.Span})
		}
	}
}

// aliases reports aliases that are equal to a prompt or to another alias.
func (p *parser) aliases() {
	type owner struct {
		state string
		span  source.Span
	}
	known := map[string]owner{}
	for _, s := range p.spec.States {
		known[s.Text] = owner{s.Name, s.TextSpan}
	}
	for _, s := range p.spec.States {
		for _, alias := range s.Aliases {
			other, ok := known[alias.Text]
			if !ok {
				known[alias.Text] = owner{s.Name, alias.Span}
				continue
			}
			message := fmt.Sprintf("ambiguous alias %q: %q and %q have it", alias.Text, other.state, s.Name)
			if other.state == s.Name {
				message = fmt.Sprintf("duplicate alias %q", alias.Text)
			}
			p.errorAt(alias.Span, "agent.alias-twice", message, source.Note{Span: other.span, Message: "first definition"})
		}
	}
}

// SetAliases returns the edit of a text that declares the aliases of a state, in place of the ones that it
// declares. Empty texts are left out; without any, the edit removes the declaration. ok is false if the text has
// no such state.
func SetAliases(file *source.File, state string, texts []string) (edit source.Edit, ok bool) {
	spec, _ := Parse(file)
	node := spec.node(state)
	if node == nil {
		return source.Edit{}, false
	}
	written := ""
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			written += " " + sexpr.Quote(text)
		}
	}
	if written != "" {
		written = "(:aliases" + written + ")"
	}
	heads := func(name string) int {
		return slices.IndexFunc(node.Items, func(n *sexpr.Node) bool { return n.Head() == name })
	}
	if at := heads(":aliases"); at > 0 {
		span := node.Items[at].Span
		if written == "" {
			span.Start = source.Pos(len(strings.TrimRight(file.Text[:span.Start], " \t"))) // a comment may end before a line break
		}
		return source.Edit{Span: span, Text: written}, true
	}
	after := node.Items[max(heads(":text"), 0)].Span.End
	if written != "" {
		written = " " + written
	}
	return source.Edit{Span: source.Span{Start: after, End: after}, Text: written}, true
}

// node returns the list that defines a state, or nil.
func (s *Spec) node(state string) *sexpr.Node {
	if s.tree == nil || len(s.tree.Nodes) == 0 {
		return nil
	}
	for _, section := range s.tree.Nodes[0].Items {
		if section.Head() != ":states" {
			continue
		}
		for _, item := range section.Items[1:] {
			if item.Head() == state && state != "" {
				return item
			}
		}
	}
	return nil
}
