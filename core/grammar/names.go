package grammar

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// unclosed completes a name that lacks one of its two angle brackets. It returns "" for other names.
func unclosed(name string) string {
	switch opens, closes := strings.HasPrefix(name, "<"), strings.HasSuffix(name, ">"); {
	case len(name) < 3 || opens == closes || strings.ContainsAny(name[1:len(name)-1], "<>"):
		return ""
	case opens:
		return name + ">"
	default:
		return "<" + name
	}
}

// decorated returns the name of a Lark rule without its priority, "sum" for "sum.2", or "" for other names.
func decorated(name string) string {
	if stem := strings.TrimRight(name, "0123456789"); stem != name && strings.HasSuffix(stem, ".") {
		return strings.TrimSuffix(stem, ".")
	}
	return ""
}

// disguised reports left sides with marks of other notations whose plain names are terminals, and
// drops the diagnostics that follow from them.
func (c *compiler) disguised() {
	said := map[string]bool{}
	for _, r := range c.rules {
		name, message := unclosed(r.left.Text), `unmatched bracket in the name `
		if name == "" {
			name, message = decorated(r.left.Text), "unsupported priority in the name "
		}
		s, used := c.g.lookup[name]
		if name == "" || said[r.left.Text] || !used || !c.g.IsTerminal(s) {
			continue
		}
		said[r.left.Text] = true
		var edits []source.Edit
		for _, other := range c.rules {
			if other.left.Text == r.left.Text && (len(edits) == 0 || edits[len(edits)-1].Span != other.left.Span) {
				edits = append(edits, source.Edit{Span: other.left.Span, Text: quoteName(name)})
			}
		}
		c.found = slices.DeleteFunc(c.found, func(d source.Diagnostic) bool {
			return d.Code == "cfg.suspect" && d.Span == c.g.spans[s] || d.Code == "cfg.unreachable" && d.Span == c.g.spans[c.g.lookup[r.left.Text]]
		})
		c.marked = append(c.marked, name, r.left.Text)
		c.warnAt(r.left.Span, "cfg.habit", message+strconv.Quote(r.left.Text)+"; write "+strconv.Quote(name), source.Fix{Title: "Write " + name, Edits: edits})
	}
}

// exchanged returns the nonterminal that differs from a terminal only in two exchanged letters or in a
// missing angle bracket, or "" if there is none.
func exchanged(name string, nonterminals []string) string {
	for _, other := range nonterminals {
		if other == unclosed(name) {
			return other
		}
		if len(name) <= 3 || len(other) != len(name) || !exchangeable(name, other) {
			continue
		}
		replaced := func(r rune) bool { return strings.Count(name, string(r)) != strings.Count(other, string(r)) }
		if source.Distance(name, other, 2) <= 1 && !strings.ContainsFunc(name, replaced) {
			return other
		}
	}
	return ""
}

// exchangeable reports whether two names of the same length may differ in two exchanged letters: in few bytes, with the same
// sum. Most names do not, and the distance of each pair of names is slow to compute.
func exchangeable(name, other string) bool {
	first, last := 0, len(name)-1
	for first < last && name[first] == other[first] {
		first++
	}
	for last > first && name[last] == other[last] {
		last--
	}
	sum := 0
	for i := first; i <= last; i++ {
		sum += int(name[i]) - int(other[i])
	}
	return sum == 0 && last-first < 2*utf8.UTFMax
}

// misspelt reports terminals that resemble an unreachable nonterminal. A terminal that is spelled
// like a nonterminal (see suspects), or that exchanged recognises, may resemble any nonterminal. It
// drops the diagnostics that follow from the misspelt name.
func (c *compiler) misspelt() {
	var nonterminals, lost []string
	reachable := c.g.Reachable()
	for i, name := range c.g.Names[c.g.NumTerminals:] {
		if c.helpers[name] != "" {
			continue
		}
		nonterminals = append(nonterminals, name)
		if !reachable[c.g.NumTerminals+i] {
			lost = append(lost, name)
		}
	}
	said := map[string]bool{}
	for _, r := range c.rules {
		if !reachable[c.g.lookup[r.left.Text]] {
			continue
		}
		for _, n := range r.alt.Symbols {
			if said[n.Text] || !c.bare(n) || slices.Contains(c.marked, n.Text) {
				continue
			}
			said[n.Text] = true
			near := source.Nearest(n.Text, lost)
			for _, name := range lost {
				if len(name) > 1 && strings.EqualFold(name, n.Text) {
					near = name
				}
			}
			suspect := slices.IndexFunc(c.found, func(d source.Diagnostic) bool { return d.Code == "cfg.suspect" && d.Span == n.Span })
			if suspect >= 0 && near == "" {
				near = source.Nearest(n.Text, nonterminals)
			}
			if near == "" {
				near = exchanged(n.Text, nonterminals)
			}
			if near == "" {
				continue
			}
			var edits []source.Edit
			for _, other := range c.rules {
				for _, s := range other.alt.Symbols {
					if s.Text == n.Text {
						edits = append(edits, source.Edit{Span: s.Span, Text: quoteName(near)})
					}
				}
			}
			c.found = slices.DeleteFunc(c.found, func(d source.Diagnostic) bool {
				return d.Code == "cfg.suspect" && d.Span == n.Span || d.Code == "cfg.unreachable" && d.Span == c.g.spans[c.g.lookup[near]]
			})
			c.warnAt(n.Span, "cfg.suspect", strconv.Quote(n.Text)+" has no rule, so it is a terminal; did you mean "+strconv.Quote(near)+"?",
				source.Fix{Title: "Write " + near, Edits: edits})
		}
	}
}
