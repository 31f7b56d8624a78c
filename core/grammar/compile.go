package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// LargeGrammar is the number of productions from which diagrams and tables are collapsed; the
// analyses still process all of them.
const LargeGrammar = 5_000

// Compile makes a grammar from a syntax tree. The start symbol is start, or else the symbol of
// %start, or else the first left side. The grammar is nil only if there is no rule; with errors in
// the text it consists of the valid lines.
//
// A line in extended BNF has a fix that expands it into rules; see [CompilePlain].
func Compile(s *Syntax, start string) (*Grammar, []source.Diagnostic) {
	return compile(s, start, (*compiler).expansion)
}

// CompilePlain is [Compile] without the fixes that expand extended BNF. The core module
// uses it to stay small; the full module repeats the analysis with [Compile].
func CompilePlain(s *Syntax, start string) (*Grammar, []source.Diagnostic) {
	return compile(s, start, func(*compiler, int, string) []source.Fix { return nil })
}

func compile(s *Syntax, start string, expand func(c *compiler, line int, left string) []source.Fix) (*Grammar, []source.Diagnostic) {
	if len(s.File.Check()) > 0 {
		return nil, nil // reported by Parse
	}
	c := compiler{syntax: s, expand: expand, g: &Grammar{lookup: map[string]Symbol{}}}
	c.collect()
	if len(c.rules) == 0 {
		if !c.broken {
			c.errorAt(source.Span{}, "cfg.no-rules", `no rules yet; add one, such as "S -> a S b | ε"`)
		}
		return nil, c.found
	}
	c.productions()
	c.recordSubsets()
	c.start(start)
	c.labels()
	c.limits()
	c.analyses()
	c.habits()
	return c.g, thin(c.found)
}

type rule struct {
	left Name
	alt  Alternative
}

type compiler struct {
	syntax *Syntax
	expand func(c *compiler, line int, left string) []source.Fix // a fix for extended BNF
	g      *Grammar
	found  []source.Diagnostic
	rules  []rule
	broken bool // some line is invalid

	subsets []subset
	helpers map[string]string // of subsets: the left side of each helper
	used    map[string]bool   // names that are not available for helpers

	signs, signsKnown bool     // see hasSigns
	marked            []string // names that disguised reports
}

func (c *compiler) report(d source.Diagnostic) { c.found = append(c.found, d) }

func (c *compiler) errorAt(span source.Span, code, message string) {
	c.report(source.Diagnostic{Code: code, Span: span, Message: message})
}

func (c *compiler) warnAt(span source.Span, code, message string, fixes ...source.Fix) {
	c.report(source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message, Fixes: fixes})
}

// collect gathers the right sides and numbers the symbols: terminals first.
func (c *compiler) collect() {
	var left Name
	var lefts []Name
	isLeft := map[string]bool{}
	ruled := c.ruled()
	add := func(alternatives []Alternative) {
		for _, a := range alternatives {
			c.rules = append(c.rules, rule{left: left, alt: a})
		}
	}
	for _, line := range c.syntax.Lines {
		switch st := line.Statement.(type) {
		case RuleLine:
			left = st.Left
			if !isLeft[left.Text] {
				isLeft[left.Text] = true
				lefts = append(lefts, left)
			}
			add(st.Alternatives)
		case SubsetLine:
			for _, n := range c.subset(st, ruled) {
				isLeft[n.Text] = true
				lefts = append(lefts, n)
			}
		case MoreLine:
			add(st.Alternatives)
		case BadLine:
			c.broken = true
		}
	}
	g := c.g
	define := func(n Name) {
		if _, ok := g.lookup[n.Text]; !ok {
			g.lookup[n.Text] = Symbol(len(g.Names))
			g.Names = append(g.Names, n.Text)
			g.spans = append(g.spans, n.Span)
		}
	}
	for _, r := range c.rules {
		for _, n := range r.alt.Symbols {
			if !isLeft[n.Text] {
				define(n)
			}
		}
	}
	g.NumTerminals = len(g.Names)
	for _, n := range lefts {
		define(n)
	}
	g.labels = make([]string, len(g.Names))
	g.byLeft = make([][]int, len(lefts))
}

func (c *compiler) productions() {
	g := c.g
	if len(c.rules) > MaxProductions {
		c.errorAt(c.rules[MaxProductions].alt.Span, "limit.productions", fmt.Sprintf("too many productions (maximum %d): this grammar has %d", MaxProductions, len(c.rules)))
		c.rules = c.rules[:MaxProductions]
	}
	seen := map[string]int{}
	var key strings.Builder
	for _, r := range c.rules {
		p := Production{Left: g.lookup[r.left.Text], Right: make([]Symbol, len(r.alt.Symbols)), Span: r.alt.Span}
		if p.Span.Len() == 0 {
			p.Span = r.left.Span // an empty right side has no span; use that of its rule
		}
		key.Reset()
		fmt.Fprint(&key, p.Left)
		for i, n := range r.alt.Symbols {
			p.Right[i] = g.lookup[n.Text]
			key.WriteByte(' ')
			key.WriteString(strconv.Itoa(int(p.Right[i])))
		}
		if r.alt.Label != nil {
			p.Label = r.alt.Label.Text
		}
		if first, ok := seen[key.String()]; ok {
			c.report(source.Diagnostic{
				Code: "cfg.duplicate", Severity: source.SeverityWarning, Span: p.Span,
				Message: "duplicate production (ignored)",
				Notes:   []source.Note{{Span: g.Productions[first].Span, Message: "first definition"}},
			})
			continue
		}
		seen[key.String()] = len(g.Productions)
		i := int(p.Left) - g.NumTerminals
		g.byLeft[i] = append(g.byLeft[i], len(g.Productions))
		g.Productions = append(g.Productions, p)
	}
	if len(g.Productions) >= LargeGrammar {
		c.report(source.Diagnostic{
			Code: "cfg.large", Severity: source.SeverityInfo, Span: c.rules[0].left.Span,
			Message: fmt.Sprintf("large grammar: %d productions; diagrams and tables are folded", len(g.Productions)),
		})
	}
}

func (c *compiler) start(wanted string) {
	g := c.g
	g.Start = g.Productions[0].Left
	var declared *StartLine
	for _, line := range c.syntax.Lines {
		st, ok := line.Statement.(StartLine)
		if !ok {
			continue
		}
		if declared != nil {
			c.warnAt(st.Symbol.Span, "cfg.start-twice", "duplicate %start (ignored); the first one applies", source.Fix{Title: "Remove it", Edits: []source.Edit{{Span: fullLine(c.syntax.File.Text, st.Symbol.Span.Start)}}})
			continue
		}
		declared = &st
	}
	span := source.Span{}
	if wanted == "" && declared != nil {
		wanted, span = declared.Symbol.Text, declared.Symbol.Span
	}
	if wanted == "" {
		return
	}
	s, ok := g.lookup[wanted]
	if !ok || g.IsTerminal(s) {
		d := source.Diagnostic{Code: "cfg.start-undefined", Span: span, Message: fmt.Sprintf("start symbol %q has no rule", wanted)}
		meant := c.rules[0].left.Text
		if near := source.Nearest(wanted, g.Names[g.NumTerminals:]); near != "" {
			d.Message += fmt.Sprintf("; did you mean %q?", near)
			meant = near
		}
		if span.Len() > 0 {
			d.Fixes = []source.Fix{{Title: "Write " + meant, Edits: []source.Edit{{Span: span, Text: quoteName(meant)}}}}
		}
		c.report(d)
		return
	}
	g.Start = s
}

func (c *compiler) labels() {
	for _, line := range c.syntax.Lines {
		st, ok := line.Statement.(LabelLine)
		if !ok {
			continue
		}
		s, ok := c.g.lookup[st.Symbol.Text]
		if !ok {
			c.unknown(st.Symbol, "cfg.label-unknown", "label for unknown symbol %q", c.g.Names)
			continue
		}
		if c.g.labels[s] != "" {
			c.warnAt(st.Label.Span, "cfg.label-twice", fmt.Sprintf("duplicate label for %q; the last one applies", st.Symbol.Text))
		}
		c.g.labels[s] = st.Label.Text
	}
	c.labelHelpers()
}

func (c *compiler) unknown(n Name, code, message string, candidates []string) {
	d := source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: n.Span, Message: fmt.Sprintf(message, n.Text)}
	if near := source.Nearest(n.Text, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: n.Span, Text: quoteName(near)}}}}
	}
	c.report(d)
}

func (c *compiler) limits() {
	g := c.g
	limits := Limits{}
	for _, line := range c.syntax.Lines {
		st, ok := line.Statement.(LimitLine)
		if !ok {
			continue
		}
		if g.limitSpan.Len() == 0 {
			g.limitSpan = st.Number
		}
		if st.Each && limits.Each != nil {
			c.warnAt(st.Number, "cfg.limit-twice", `duplicate "limit … each"; the last one applies`)
			limits.Except = nil
		}
		if st.Each {
			limits.Each = &st.N
		}
		for _, n := range st.Symbols {
			s, ok := g.lookup[n.Text]
			if !ok || !g.IsTerminal(s) {
				message := "limit for unknown symbol %q"
				if ok {
					message = "limit for nonterminal %q; only terminals can have limits"
				}
				c.unknown(n, "cfg.limit-unknown", message, g.Names[:g.NumTerminals])
				if !st.Each { // a limit on an unused terminal has no effect
					c.found[len(c.found)-1].Severity = source.SeverityError
				}
				continue
			}
			if st.Each {
				limits.Except = append(limits.Except, n.Text)
				continue
			}
			if _, twice := limits.Named[n.Text]; twice {
				c.warnAt(n.Span, "cfg.limit-twice", fmt.Sprintf("duplicate limit for %q; the last one applies", n.Text))
			}
			if limits.Named == nil {
				limits.Named = map[string]int64{}
			}
			limits.Named[n.Text] = st.N
		}
	}
	g.limits = limits
}

// analyses reports the problems found by the grammar's analyses.
func (c *compiler) analyses() {
	g := c.g
	productive, reachable := g.Productive(), g.Reachable()
	follows := g.followingUnproductive(productive)
	if !productive[g.Start] && !follows[g.Start] {
		c.warnAt(g.spans[g.Start], "cfg.empty", fmt.Sprintf("start symbol %q derives no word: every derivation is infinite", g.Names[g.Start]))
	}
	fixed := 0 // a fix scans every line, so only displayed diagnostics have one
	fix := func(name, title string) []source.Fix {
		if fixed++; fixed > 2*maxPerCode {
			return nil
		}
		return c.removal(name, title)
	}
	for i := g.NumTerminals; i < len(g.Names); i++ {
		switch {
		case Symbol(i) == g.Start || c.helpers[g.Names[i]] != "":
		case !reachable[i]:
			c.warnAt(g.spans[i], "cfg.unreachable", fmt.Sprintf("unreachable nonterminal %q: start symbol %q does not lead to it", g.Names[i], g.Names[g.Start]),
				fix(g.Names[i], "Remove its rules")...)
		case !productive[i] && !follows[Symbol(i)]:
			c.warnAt(g.spans[i], "cfg.unproductive", fmt.Sprintf("%q derives no word: all of its derivations are infinite", g.Names[i]),
				fix(g.Names[i], "Remove it and its uses")...)
		}
	}
	if cycle := g.cycle(); len(cycle) > 0 {
		names := make([]string, len(cycle)+1)
		for i := range names {
			names[i] = g.Names[cycle[i%len(cycle)]]
		}
		if len(names) > 3 {
			names = []string{names[0], "…", names[0]}
		}
		at := g.spans[cycle[0]]
		for _, i := range g.ByLeft(cycle[0]) {
			if p := g.Productions[i]; len(cycle) == 1 && len(p.Right) == 1 && p.Right[0] == cycle[0] {
				at = p.Span
			}
		}
		c.warnAt(at, "cfg.cyclic", "cyclic grammar: "+strings.Join(names, " ⇒ ")+"; some words have infinitely many derivations")
	}
	c.suspects()
	c.twins()
}

// followingUnproductive returns the nonterminals that derive no word only because others do not, which do not
// lead back to them.
func (g *Grammar) followingUnproductive(productive []bool) map[Symbol]bool {
	out := map[Symbol]bool{}
	leads := map[Symbol]map[Symbol]bool{} // from each unproductive nonterminal to others
	for i := g.NumTerminals; i < len(g.Names) && len(leads) < maxPerCode; i++ {
		s := Symbol(i)
		if productive[s] {
			continue
		}
		leads[s] = map[Symbol]bool{}
		for queue := []Symbol{s}; len(queue) > 0; queue = queue[1:] {
			for _, p := range g.ByLeft(queue[0]) {
				for _, to := range g.Productions[p].Right {
					if !productive[to] && !leads[s][to] {
						leads[s][to] = true
						queue = append(queue, to)
					}
				}
			}
		}
	}
	for s, reached := range leads {
		for to := range reached {
			if back, known := leads[to]; known && !back[s] {
				out[s] = true
			}
		}
	}
	return out
}

// words returns the number of names that are words with a capital, such as Act.
func words(names []string) (n int) {
	for _, name := range names {
		first, size := utf8.DecodeRuneInString(name)
		if unicode.IsUpper(first) && size < len(name) && strings.IndexFunc(name[size:], func(r rune) bool { return !unicode.IsLower(r) }) < 0 {
			n++
		}
	}
	return n
}

// suspects reports a terminal that is spelled like a nonterminal while other terminals are not:
// usually a misspelt nonterminal.
func (c *compiler) suspects() {
	g := c.g
	upper := func(name string) bool {
		r, _ := utf8.DecodeRuneInString(name)
		return unicode.IsUpper(r)
	}
	terminals, nonterminals := g.Names[:g.NumTerminals], g.Names[g.NumTerminals:]
	lower := 0
	for _, name := range terminals {
		if !upper(name) {
			lower++
		}
	}
	for _, name := range nonterminals {
		if !upper(name) {
			return
		}
	}
	if lower*2 < len(terminals) || lower == len(terminals) {
		return
	}
	for i, name := range terminals {
		if upper(name) {
			d := source.Diagnostic{
				Code: "cfg.suspect", Severity: source.SeverityInfo, Span: g.spans[i],
				Message: fmt.Sprintf("%q has no rule, so it is a terminal", name),
			}
			if near := source.Nearest(name, nonterminals); near != "" {
				d.Message += fmt.Sprintf("; did you mean %q?", near)
			}
			if words(nonterminals) > 1 && words(terminals[i:i+1]) == 1 && 3*(len(terminals)-lower) <= len(terminals)+1 {
				d.Severity = source.SeverityWarning
			}
			c.report(d)
		}
	}
}
