package grammar

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Limits of a text. They are far beyond handwritten texts; a text that reaches one is a mistake,
// and one error is better than a hang.
const (
	MaxSymbolLength = 256     // bytes of a name
	MaxRightLength  = 10_000  // symbols of one right side
	MaxProductions  = 100_000 // of a grammar
	MaxSubset       = 64      // items of one %subset line
	maxPerCode      = 20      // diagnostics of one code; another one reports the number of the rest
)

// Parse reads a text in the .cfg notation. It always returns a syntax tree of the parsed part and
// every problem that it found.
func Parse(file *source.File) (*Syntax, []source.Diagnostic) {
	s := &Syntax{File: file}
	if found := file.Check(); len(found) > 0 {
		return s, found
	}
	p := parser{text: file.Text, syntax: s}
	tokens := lex(file.Text)
	for start := 0; start < len(tokens); {
		end := start
		for tokens[end].kind != tokenLine {
			end++
		}
		p.line(tokens[start:end])
		start = end + 1
	}
	// The lexer ends every text with the end of a line; a text that ends with a
	// line break has no further line.
	if strings.HasSuffix(file.Text, "\n") {
		s.Lines = s.Lines[:len(s.Lines)-1]
	}
	return s, thin(p.found)
}

type parser struct {
	text   string
	syntax *Syntax
	found  []source.Diagnostic
	rule   bool // a rule has been seen that a line with | may continue
	// excused is set after an invalid rule: lines that continue it are not reported.
	excused bool
}

func (p *parser) report(d source.Diagnostic) { p.found = append(p.found, d) }

func (p *parser) errorAt(span source.Span, code, message string) {
	p.report(source.Diagnostic{Code: code, Span: span, Message: message})
}

func (p *parser) line(tokens []token) {
	var line Line
	if n := len(tokens); n > 0 && tokens[n-1].kind == tokenComment {
		line.Comment = tokens[n-1].span
		tokens = tokens[:n-1]
	}
	if len(tokens) > 0 {
		whole := tokens[0].span.Join(tokens[len(tokens)-1].span)
		if p.sound(tokens) {
			line.Statement = p.statement(tokens, whole)
		}
		if line.Statement == nil {
			line.Statement = BadLine{Span: whole}
		}
	}
	p.syntax.Lines = append(p.syntax.Lines, line)
}

// sound reports faults of tokens. A line with one is not parsed further, because subsequent faults
// would be noise.
func (p *parser) sound(tokens []token) bool {
	for _, t := range tokens {
		switch {
		case t.open:
			p.errorAt(t.span, "cfg.string-open", "missing closing quote on this line")
			return false
		case t.kind == tokenSymbol && len(t.name) > MaxSymbolLength && !t.quoted:
			p.errorAt(t.span, "cfg.symbol-long", fmt.Sprintf("symbol is too long: %d bytes (maximum %d); a space may be missing", len(t.name), MaxSymbolLength))
			return false
		}
	}
	return true
}

func (p *parser) statement(tokens []token, whole source.Span) Statement {
	first := tokens[0]
	switch {
	case first.kind == tokenStart:
		return p.start(tokens)
	case first.kind == tokenSubset:
		return p.subset(tokens)
	case first.kind == tokenBar:
		switch {
		case p.rule:
		case p.excused:
			return nil
		default:
			p.errorAt(first.span, "cfg.continue-alone", "unexpected \"|\": no rule precedes this line")
			return nil
		}
		return MoreLine{Bar: first.span, Alternatives: p.alternatives(tokens[1:], first.span.End)}
	case first.kind == tokenArrow:
		p.errorAt(first.span, "cfg.left-missing", "missing nonterminal before the arrow")
		return nil
	case first.kind == tokenSymbol && len(tokens) > 1 && tokens[1].kind == tokenArrow:
		p.rule, p.excused = true, false
		left := p.name(first)
		return RuleLine{Left: left, Alternatives: p.alternatives(tokens[2:], tokens[1].span.End)}
	case first.kind == tokenSymbol && first.name == "limit" && !first.quoted:
		return p.limit(tokens)
	case first.kind == tokenSymbol && len(tokens) > 1 && tokens[1].kind == tokenAs:
		return p.label(tokens)
	}
	return p.noRule(tokens, whole)
}

// noRule reports a line that is not a statement.
func (p *parser) noRule(tokens []token, whole source.Span) Statement {
	first := tokens[0]
	for i, t := range tokens {
		if t.kind == tokenArrow {
			p.errorAt(tokens[0].span.Join(tokens[i-1].span), "cfg.left-many", "expected exactly one symbol before the arrow")
			return nil
		}
	}
	d := source.Diagnostic{Code: "cfg.arrow-missing", Span: whole, Message: `missing arrow "->" in this rule`}
	if first.kind == tokenSymbol && !first.quoted && (first.name[0] == '|' || glued(strings.ReplaceAll(first.name, "|", ""))) {
		d.Message = "missing spaces around the arrow"
		if first.name[0] == '|' {
			d.Message, d.Span = `missing space after "|"`, first.span
		}
		d.Fixes = []source.Fix{unglue(first)}
	} else if d.Fixes = meantArrow(tokens); d.Fixes != nil {
		p.rule, p.excused = false, true // lines that continue it are not reported
	} else if strings.HasPrefix(first.name, "%") {
		near := source.Nearest(first.name, []string{"%start", "%subset"})
		if near == "" {
			near = "%start"
		}
		d.Code, d.Span, d.Message = "cfg.directive", first.span, fmt.Sprintf("unknown directive %q; did you mean %s?", first.name, near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: first.span, Text: near}}}}
	}
	p.report(d)
	return nil
}

// unglue is the fix that puts spaces around each | and arrow of a word.
func unglue(t token) source.Fix {
	text := strings.ReplaceAll(t.name, "||", "|")
	for _, operator := range []string{"::=", "->", "→", "|"} {
		text = strings.ReplaceAll(text, operator, " "+operator+" ")
	}
	return source.Fix{Title: "Put spaces around it", Edits: []source.Edit{{Span: t.span, Text: strings.Join(strings.Fields(text), " ")}}}
}

// name parses a symbol and warns if it looks like several.
func (p *parser) name(t token) Name {
	if t.quoted && t.name == "" {
		p.errorAt(t.span, "cfg.symbol-empty", "empty symbol name; write ε for the empty word")
	}
	if !t.quoted && glued(t.name) {
		p.report(source.Diagnostic{
			Code: "cfg.glued", Severity: source.SeverityWarning, Span: t.span,
			Message: fmt.Sprintf("%q is one symbol; separate symbols with spaces", t.name),
			Fixes:   []source.Fix{unglue(t), {Title: "Quote it", Edits: []source.Edit{{Span: t.span, Text: quoteText(t.name)}}}},
		})
	}
	return Name{Text: t.name, Span: t.span}
}

func (p *parser) start(tokens []token) Statement {
	if len(tokens) != 2 || tokens[1].kind != tokenSymbol {
		p.errorAt(tokens[0].span.Join(tokens[len(tokens)-1].span), "cfg.start-one", "expected exactly one symbol after %start")
		return nil
	}
	return StartLine{Symbol: p.name(tokens[1])}
}

func (p *parser) subset(tokens []token) Statement {
	whole := tokens[0].span.Join(tokens[len(tokens)-1].span)
	if len(tokens) < 3 {
		p.errorAt(whole, "cfg.subset-form", `expected a symbol and its items, such as "%subset A onions garlic ginger"`)
		return nil
	}
	for _, t := range tokens[1:] {
		if t.kind != tokenSymbol {
			p.errorAt(t.span, "cfg.subset-form", `expected a symbol, such as in "%subset A onions garlic ginger"`)
			return nil
		}
	}
	p.rule = false
	line := SubsetLine{Left: p.name(tokens[1])}
	seen := map[string]bool{}
	for i, t := range tokens[2:] {
		if len(line.Items) == MaxSubset {
			p.errorAt(t.span, "limit.subset", fmt.Sprintf("too many items in %%subset (maximum %d)", MaxSubset))
			break
		}
		if t.name == line.Left.Text {
			p.errorAt(t.span, "cfg.subset-self", fmt.Sprintf("%q cannot be its own item", t.name))
			return nil
		}
		if seen[t.name] {
			p.report(source.Diagnostic{
				Code: "cfg.subset-twice", Severity: source.SeverityWarning, Span: t.span, Message: fmt.Sprintf("duplicate item %q (ignored)", t.name),
				Fixes: []source.Fix{{Title: "Remove it", Edits: []source.Edit{{Span: source.Span{Start: tokens[i+1].span.End, End: t.span.End}}}}},
			})
			continue
		}
		seen[t.name] = true
		if stem := strings.TrimRight(t.name, ",;"); stem != "" && stem != t.name && !t.quoted {
			p.report(source.Diagnostic{
				Code: "cfg.glued", Severity: source.SeverityWarning, Span: t.span, Message: fmt.Sprintf("%q is one item; separate items with spaces", t.name),
				Fixes: []source.Fix{{Title: "Write " + stem, Edits: []source.Edit{{Span: t.span, Text: stem}}}},
			})
		}
		line.Items = append(line.Items, p.name(t))
	}
	return line
}

func (p *parser) label(tokens []token) Statement {
	if len(tokens) < 3 || !tokens[2].quoted {
		p.errorAt(tokens[1].span, "cfg.as-text", `expected a quoted text after "as"`)
		return nil
	}
	if len(tokens) > 3 {
		p.errorAt(tokens[3].span, "cfg.after-label", "unexpected text after the label")
		return nil
	}
	return LabelLine{Symbol: p.name(tokens[0]), Label: Text{Text: tokens[2].name, Span: tokens[2].span}}
}

func (p *parser) limit(tokens []token) Statement {
	whole := tokens[0].span.Join(tokens[len(tokens)-1].span)
	if len(tokens) < 3 {
		p.errorAt(whole, "cfg.limit-form", `expected "limit 1 each", "limit 1 each except i" or "limit 2 a1 a2"`)
		return nil
	}
	n, err := strconv.ParseInt(tokens[1].name, 10, 32)
	if err != nil || n < 0 || tokens[1].kind != tokenSymbol {
		p.errorAt(tokens[1].span, "cfg.limit-number", "expected a limit: a whole number from 0")
		return nil
	}
	line := LimitLine{N: n, Number: tokens[1].span}
	rest := tokens[2:]
	if rest[0].name == "each" && !rest[0].quoted {
		line.Each = true
		rest = rest[1:]
		switch {
		case len(rest) == 0:
		case rest[0].name != "except" || rest[0].quoted:
			p.errorAt(rest[0].span, "cfg.limit-form", `expected "except" and symbols after "each"`)
			return nil
		case len(rest) == 1:
			p.errorAt(rest[0].span, "cfg.limit-form", `expected symbols after "except"`)
			return nil
		default:
			rest = rest[1:]
		}
	}
	for _, t := range rest {
		if t.kind != tokenSymbol {
			p.errorAt(t.span, "cfg.limit-form", "expected a symbol")
			return nil
		}
		line.Symbols = append(line.Symbols, p.name(t))
	}
	return line
}

// alternatives parses right sides; after is the start of the first.
func (p *parser) alternatives(tokens []token, after source.Pos) []Alternative {
	var list []Alternative
	for {
		end := 0
		for end < len(tokens) && tokens[end].kind != tokenBar {
			end++
		}
		list = append(list, p.alternative(tokens[:end], after))
		if end == len(tokens) {
			return list
		}
		after, tokens = tokens[end].span.End, tokens[end+1:]
	}
}

func (p *parser) alternative(tokens []token, after source.Pos) Alternative {
	a := Alternative{Span: source.Span{Start: after, End: after}}
	if len(tokens) == 0 {
		return a
	}
	a.Span = tokens[0].span.Join(tokens[len(tokens)-1].span)
	for i, t := range tokens {
		switch t.kind {
		case tokenSymbol:
			if len(a.Symbols) == MaxRightLength {
				p.errorAt(t.span, "limit.right-side", fmt.Sprintf("too many symbols on this right side (maximum %d)", MaxRightLength))
				return a
			}
			a.Symbols = append(a.Symbols, p.name(t))
		case tokenEmpty:
			a.Empty = true
			if len(tokens) > 1 && (i > 0 || tokens[1].kind == tokenSymbol) {
				p.report(source.Diagnostic{
					Code: "cfg.empty-beside", Severity: source.SeverityWarning, Span: t.span,
					Message: "redundant ε next to other symbols",
					Fixes:   []source.Fix{{Title: "Remove it", Edits: []source.Edit{{Span: t.span}}}},
				})
			}
		case tokenAs:
			if i+1 >= len(tokens) || !tokens[i+1].quoted {
				p.errorAt(t.span, "cfg.as-text", `expected a quoted text after "as"`)
				return a
			}
			a.Label = &Text{Text: tokens[i+1].name, Span: tokens[i+1].span}
			if i+2 < len(tokens) {
				p.errorAt(tokens[i+2].span, "cfg.after-label", "unexpected symbol after a label; separate right sides with |")
			}
			return a
		case tokenArrow:
			d := source.Diagnostic{Code: "cfg.arrow-twice", Span: t.span, Message: "unexpected second arrow; begin each rule on a new line"}
			if i > 0 {
				start := tokens[i-1].span.Start
				d.Fixes = []source.Fix{{Title: "Begin a new line", Edits: []source.Edit{{Span: source.Span{Start: start, End: start}, Text: "\n"}}}}
			}
			p.report(d)
			return a
		default:
			p.errorAt(t.span, "cfg.misplaced", fmt.Sprintf("unexpected %q", t.name))
			return a
		}
	}
	return a
}

// thin keeps the first diagnostics of each code and reports the number of the others, because
// a list of a thousand is useless.
func thin(found []source.Diagnostic) []source.Diagnostic {
	source.Sort(found)
	counts := map[string]int{}
	for _, d := range found {
		counts[d.Code]++
	}
	seen := map[string]int{}
	kept := found[:0:0]
	for _, d := range found {
		seen[d.Code]++
		n := seen[d.Code]
		if more := counts[d.Code] - maxPerCode; n == maxPerCode && more > 0 {
			d.Notes = append(d.Notes[:len(d.Notes):len(d.Notes)], source.Note{Span: d.Span, Message: "and " + strconv.Itoa(more) + " more like this"})
		}
		if n <= maxPerCode {
			kept = append(kept, d)
		}
	}
	return kept
}
