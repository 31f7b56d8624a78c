package grammar

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// expansion returns the fix that rewrites a line of extended BNF: groups, options and
// repetitions become new nonterminals. There is no fix for a line with labels or unbalanced
// brackets.
func (c *compiler) expansion(line int, left string) []source.Fix {
	text := c.syntax.File.Text
	var start source.Pos
	switch st := c.syntax.Lines[line].Statement.(type) {
	case RuleLine:
		start = st.Left.Span.End
		for _, arrow := range []string{"->", "→", "::="} {
			if rest := strings.TrimLeft(text[start:], " \t"); strings.HasPrefix(rest, arrow) {
				start += source.Pos(len(text[start:]) - len(rest) + len(arrow))
				break
			}
		}
	case MoreLine:
		start = st.Bar.End
	}
	end := source.Pos(source.LineEnd(text, int(start)))
	if comment := c.syntax.Lines[line].Comment; comment.Len() > 0 {
		end = comment.Start
	}
	body := strings.TrimRight(text[start:end], " \t\r")
	x := &expander{text: strings.TrimSuffix(body, ";"), left: left, used: map[string]bool{}}
	for _, name := range c.g.Names {
		x.used[name] = true
	}
	whole := x.alternatives()
	if x.fault || x.at < len(x.text) {
		return nil
	}
	edits := []source.Edit{{Span: source.Span{Start: start, End: start + source.Pos(len(body))}, Text: " " + whole}}
	if x.rules != "" {
		// After the rule, with the lines that continue it.
		for line+1 < len(c.syntax.Lines) {
			if _, more := c.syntax.Lines[line+1].Statement.(MoreLine); !more {
				break
			}
			line++
			end = c.syntax.Lines[line].Statement.(MoreLine).Bar.End
		}
		after := source.Pos(source.LineEnd(text, int(end)))
		edits = append(edits, source.Edit{Span: source.Span{Start: after, End: after}, Text: x.rules})
	}
	return []source.Fix{{Title: "Expand into rules", Edits: edits}}
}

// expander reads extended BNF and writes rules.
type expander struct {
	text  string
	at    int
	depth int
	left  string
	used  map[string]bool
	rules string // additional rules, each after a line break
	fault bool
}

// peek returns the next byte that is not a blank, or 0 at the end.
func (x *expander) peek() byte {
	for x.at < len(x.text) && (x.text[x.at] == ' ' || x.text[x.at] == '\t') {
		x.at++
	}
	if x.at == len(x.text) || x.fault {
		return 0
	}
	return x.text[x.at]
}

func (x *expander) alternatives() string {
	if x.depth++; x.depth > 50 {
		x.fault = true
	}
	out := x.sequence()
	for x.peek() == '|' {
		x.at++
		out += " | " + x.sequence()
	}
	x.depth--
	return out
}

func (x *expander) sequence() string {
	var parts []string
	for {
		switch c := x.peek(); c {
		case 0, '|', ')', ']', '}':
			if len(parts) == 0 {
				return "ε"
			}
			return strings.Join(parts, " ")
		default:
			parts = append(parts, x.repeated(x.element(c)))
		}
	}
}

// element reads a symbol, or a group in brackets of any kind.
func (x *expander) element(c byte) string {
	closing := map[byte]byte{'(': ')', '[': ']', '{': '}'}[c]
	if closing == 0 {
		return x.symbol()
	}
	x.at++
	inner := x.alternatives()
	if x.peek() != closing {
		x.fault = true
		return ""
	}
	x.at++
	switch c {
	case '[':
		return x.rule(inner + " | ε")
	case '{':
		return x.repetition(x.single(inner), "ε")
	}
	return x.single(inner)
}

// single returns one symbol that derives the alternatives, for which it may add a rule.
func (x *expander) single(inner string) string {
	if strings.ContainsAny(inner, " ") || inner == "ε" {
		return x.rule(inner)
	}
	return inner
}

// symbol reads a name up to the first character that cannot be part of it.
func (x *expander) symbol() string {
	start := x.at
	if x.text[start] == '"' {
		t, end := lexString(x.text, start)
		x.at, x.fault = end, x.fault || t.open
		return x.text[start:end]
	}
	for x.at < len(x.text) {
		r, size := utf8.DecodeRuneInString(x.text[x.at:])
		if unicode.IsSpace(r) || strings.ContainsRune("()[]{}|\"", r) || x.at > start && strings.ContainsRune("*+?", r) && x.ends(x.at+size) {
			break
		}
		x.at += size
	}
	name := x.text[start:x.at]
	if name == "as" || x.at == start {
		x.fault = true
	}
	return name
}

// ends reports whether a symbol ends at a place.
func (x *expander) ends(at int) bool {
	return at >= len(x.text) || strings.IndexByte(" \t()[]{}|", x.text[at]) >= 0
}

// repeated applies the operator that follows an element directly.
func (x *expander) repeated(element string) string {
	if x.at == len(x.text) || x.fault || !x.ends(x.at+1) {
		return element
	}
	switch x.text[x.at] {
	case '*':
		x.at++
		return x.repetition(element, "ε")
	case '+':
		x.at++
		return x.repetition(element, element)
	case '?':
		x.at++
		return x.rule(element + " | ε")
	}
	return element
}

func (x *expander) repetition(element, last string) string {
	name := x.free()
	x.rules += "\n" + quoteName(name) + " -> " + element + " " + quoteName(name) + " | " + last
	return quoteName(name)
}

// rule adds a rule of a new nonterminal.
func (x *expander) rule(right string) string {
	name := x.free()
	x.rules += "\n" + quoteName(name) + " -> " + right
	return quoteName(name)
}

// free returns a name that no symbol has.
func (x *expander) free() string {
	for i := 1; ; i++ {
		if name := x.left + strconv.Itoa(i); !x.used[name] {
			x.used[name] = true
			return name
		}
	}
}
