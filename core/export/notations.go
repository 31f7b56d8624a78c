package export

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// GBNF returns the rules in the notation of llama.cpp.
func (r Rules) GBNF() string { return r.write(gbnf()) }

// EBNF returns the rules in the notation of XGrammar.
func (r Rules) EBNF() string { return r.write(xgrammar()) }

// Lark returns the rules in the notation of llguidance and the servers that use it.
func (r Rules) Lark() string { return r.write(lark()) }

// W3C returns the rules in the notation of the XML recommendation (§6), which tools for
// railroad diagrams read.
func (r Rules) W3C() string { return r.withoutEmptyRules().write(w3c()) }

// Write returns the rules for a target, preceded by notes as comments. The error has code
// "export.pattern" for an unsupported regular expression, and "export.format" for a target
// without rules.
func (r Rules) Write(target string, notes []Note, m *meter.Meter) (string, error) {
	if target == "lark" {
		return Comment(target, notes) + r.Lark(), nil
	}
	r, err := r.Expand(m)
	if err != nil {
		return "", err
	}
	head := Comment(target, notes)
	switch target {
	case "gbnf":
		return head + r.GBNF(), nil
	case "ebnf":
		return head + r.EBNF(), nil
	case "w3c":
		return head + r.W3C(), nil
	case "structural-tag":
		return marshal(map[string]any{
			"type":   "structural_tag",
			"format": map[string]any{"type": "grammar", "grammar": head + r.EBNF()},
		})
	}
	return "", source.NewError("export.format", fmt.Sprintf("rules cannot be written as %q", target))
}

// dialect describes how a notation writes the parts of a grammar.
type dialect struct {
	arrow   string
	root    string // the name of the first rule; "" keeps it
	name    func(string) string
	text    func(string) string
	class   func(*Class) string
	fold    func(string) string // a text in any case; nil: as classes
	pattern func(pattern, flags string) string
	empty   string
	comment [2]string // around a line of a comment
	// optional marks a notation that writes an empty alternative as a question mark after
	// the others.
	optional bool
}

// The dialects are functions, so that a program without exports does not link them.

func gbnf() dialect {
	return dialect{arrow: " ::= ", name: dashed, text: quoteC, empty: `""`, class: anyAs(".", bracketsC), comment: hashComment}
}

func xgrammar() dialect {
	return dialect{arrow: " ::= ", name: dashed, text: quoteC, empty: `""`, class: anyAs("[^]", bracketsC), comment: hashComment}
}

func lark() dialect {
	return dialect{
		arrow: ": ", root: "start", name: underscored, text: quoteC, comment: slashComment,
		class:   anyAs("/./s", func(c *Class) string { return "/" + bracketed(c) + "/" }),
		fold:    func(text string) string { return quoteC(text) + "i" },
		pattern: func(pattern, flags string) string { return "/" + pattern + "/" + flags },
	}
}

func w3c() dialect {
	return dialect{
		arrow: " ::= ", name: underscored, text: quoteW3C, class: anyAs("[#x0-#x10FFFF]", classW3C), empty: `""`,
		optional: true, comment: starComment,
	}
}

var (
	hashComment  = [2]string{"# ", ""}
	slashComment = [2]string{"// ", ""}
	starComment  = [2]string{"/* ", " */"}
)

// anyAs returns a function that writes the class of all characters as the given text, and other classes
// as class does.
func anyAs(text string, class func(*Class) string) func(*Class) string {
	return func(c *Class) string {
		if c.any() {
			return text
		}
		return class(c)
	}
}

// withoutEmptyRules drops rules that derive only the empty text.
func (r Rules) withoutEmptyRules() Rules {
	number := make([]int, len(r.List))
	kept := 0
	for i, rule := range r.List {
		number[i] = -1
		if i == 0 || len(rule.Alternatives) != 1 || len(rule.Alternatives[0]) > 0 {
			number[i] = kept
			kept++
		}
	}
	var out Rules
	for i, rule := range r.List {
		if number[i] < 0 {
			continue
		}
		left := Rule{Name: rule.Name}
		for _, parts := range rule.Alternatives {
			var some []Part
			for _, p := range parts {
				if p.isRule() {
					if p.Rule = number[p.Rule]; p.Rule < 0 {
						continue
					}
				}
				some = append(some, p)
			}
			left.Alternatives = append(left.Alternatives, some)
		}
		out.List = append(out.List, left)
	}
	return out
}

// classW3C returns a class of characters; special and invisible characters are written by
// number.
func classW3C(c *Class) string {
	var b strings.Builder
	b.WriteByte('[')
	if c.Not {
		b.WriteByte('^')
	}
	one := func(r rune) {
		if strings.ContainsRune(`[]^-#`, r) || hidden(r) {
			fmt.Fprintf(&b, "#x%X", r)
		} else {
			b.WriteRune(r)
		}
	}
	for _, i := range c.Ranges {
		one(i.First)
		if i.Last != i.First {
			b.WriteByte('-')
			one(i.Last)
		}
	}
	return b.String() + "]"
}

func (r Rules) write(d dialect) string {
	names := make([]string, len(r.List))
	taken := map[string]bool{}
	for i, rule := range r.List {
		name := d.name(rule.Name)
		if i == 0 && d.root != "" {
			name = d.root
		}
		unique := name
		for n := 2; taken[unique]; n++ {
			unique = d.name(fmt.Sprintf("%s-%d", name, n))
		}
		taken[unique] = true
		names[i] = unique
	}
	var b strings.Builder
	for i, rule := range r.List {
		b.WriteString(names[i] + d.arrow)
		alternatives, may := rule.Alternatives, false
		if d.optional && len(alternatives) > 1 {
			alternatives, may = withoutEmpty(alternatives)
		}
		if may {
			b.WriteByte('(')
		}
		for k, parts := range alternatives {
			if k > 0 {
				b.WriteString(" | ")
			}
			if len(parts) == 0 {
				b.WriteString(d.empty)
			}
			for j, p := range parts {
				if j > 0 {
					b.WriteByte(' ')
				}
				if p.isRule() {
					b.WriteString(names[p.Rule])
				} else {
					b.WriteString(d.terminal(p))
				}
			}
		}
		if may {
			b.WriteString(")?")
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// terminal returns the notation of a part that is not a reference.
func (d dialect) terminal(p Part) string {
	switch {
	case p.Class != nil:
		return d.class(p.Class)
	case p.Pattern != "":
		return d.pattern(p.Pattern, p.Flags)
	case p.Fold && d.fold != nil:
		return d.fold(p.Text)
	case p.Fold:
		var letters []string
		for _, r := range p.Text {
			letters = append(letters, d.class(&Class{Ranges: folded(Range{r, r})}))
		}
		return strings.Join(letters, " ")
	}
	return d.text(p.Text)
}

// folded returns the characters of a range with their other cases (simple folding of
// Unicode).
func folded(of Range) []Range {
	out := []Range{of}
	for r := of.First; r <= min(of.Last, lastCased); r++ {
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if other < of.First || other > of.Last {
				out = append(out, Range{other, other})
			}
		}
	}
	return out
}

// lastCased is the last character that has cases.
const lastCased = 0x1E943

// withoutEmpty returns the non-empty alternatives, or one empty one if all are, and whether
// an alternative is empty.
func withoutEmpty(alternatives [][]Part) (out [][]Part, was bool) {
	for _, parts := range alternatives {
		if len(parts) > 0 {
			out = append(out, parts)
		}
	}
	if len(out) == 0 {
		return alternatives[:1], false
	}
	return out, len(out) < len(alternatives)
}

// dashed returns a name of letters, digits and dashes.
func dashed(name string) string { return identifier(name, '-') }

// underscored returns a name of lower-case letters, digits and underscores.
func underscored(name string) string { return strings.ToLower(identifier(name, '_')) }

func identifier(name string, fill rune) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		default:
			b.WriteRune(fill)
		}
	}
	out := strings.Trim(b.String(), string(fill))
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		out = "r" + out
	}
	return out
}

// quoteW3C returns a quoted text; characters that quotes cannot contain are written by
// number.
func quoteW3C(text string) string {
	var parts []string
	plain := ""
	flush := func() {
		if plain != "" {
			parts = append(parts, `"`+plain+`"`)
		}
		plain = ""
	}
	for _, r := range text {
		if r == '"' || r < ' ' {
			flush()
			parts = append(parts, fmt.Sprintf("#x%X", r))
			continue
		}
		plain += string(r)
	}
	flush()
	return strings.Join(parts, " ")
}
