package export

import (
	"fmt"
	"strings"
	"unicode"
)

// GBNF writes the rules as llama.cpp reads them.
func (r Rules) GBNF() string {
	return r.write(dialect{arrow: " ::= ", name: dashed, text: quoteC, empty: `""`, class: brackets})
}

// EBNF writes the rules as XGrammar reads them.
func (r Rules) EBNF() string { return r.GBNF() }

// Lark writes the rules as llguidance, and the servers that build on it, read
// them.
func (r Rules) Lark() string {
	return r.write(dialect{arrow: ": ", root: "start", name: underscored, text: quoteC, class: func(c string) string { return "/[" + strings.ReplaceAll(c, "/", `\/`) + "]/" }})
}

// W3C writes the rules in the notation of the XML recommendation (§6), which
// railroad diagrams are drawn of.
func (r Rules) W3C() string {
	return r.withoutEmptyRules().write(dialect{arrow: " ::= ", name: underscored, text: quoteW3C, class: classW3C, empty: `""`, optional: true})
}

// withoutEmptyRules leaves out rules that derive nothing but the empty text.
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
				if p.Text == "" && p.Class == "" {
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

// classW3C writes a class of characters; what is escaped stands by number.
func classW3C(class string) string {
	var b strings.Builder
	escaped := false
	for _, r := range class {
		switch {
		case escaped:
			fmt.Fprintf(&b, "#x%X", r)
			escaped = false
		case r == '\\':
			escaped = true
		default:
			b.WriteRune(r)
		}
	}
	return "[" + b.String() + "]"
}

func brackets(class string) string { return "[" + class + "]" }

type dialect struct {
	arrow string
	root  string
	name  func(string) string
	text  func(string) string
	class func(string) string
	empty string
	// optional says that an empty alternative is written by a question mark behind
	// the others.
	optional bool
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
				switch {
				case p.Class != "":
					b.WriteString(d.class(p.Class))
				case p.Text != "":
					b.WriteString(d.text(p.Text))
				default:
					b.WriteString(names[p.Rule])
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

// withoutEmpty returns the alternatives that are not empty, and whether one was; of those
// that are all empty one.
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

// dashed makes a name of letters, digits and dashes.
func dashed(name string) string { return identifier(name, '-') }

// underscored makes a name of small letters, digits and underscores.
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

// quoteC writes a text in double quotes with backslashes.
func quoteC(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 127:
			fmt.Fprintf(&b, `\x%02X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// quoteW3C writes a text in quotes; characters that those cannot have stand for
// themselves by number.
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
