package language

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// Item is something that could be written at a place.
type Item struct {
	Label  string
	Kind   string // "keyword", or that of a symbol
	Detail string // a few words on it
	Insert string // what is written; "": the label
}

// Completion is what could be written at a place in the stead of the word that has
// been begun there.
type Completion struct {
	Span  source.Span // of that word up to the place
	Items []Item
}

// MaxItems is how many of them there are at most.
const MaxItems = 500

// Complete returns what could be written at a place of a file. What has been begun
// there plays no part in it but to be replaced: who shows the list narrows it down.
func Complete(w workspace.Workspace, name string, at source.Pos) Completion {
	f, ok := w.File(name)
	if !ok || at < 0 || int(at) > len(f.Text) {
		return Completion{}
	}
	c := &completer{w: w, f: f, kind: workspace.KindOf(name), place: at, from: at}
	for _, p := range pieces(f) {
		switch {
		case p.span.End < at || p.span.End == at && c.closed(p):
			c.before = append(c.before, p)
		case p.span.Start < at:
			if p.comment {
				return Completion{}
			}
			c.inside = &p
			c.from = p.span.Start
		}
	}
	switch c.kind {
	case workspace.KindGrammar:
		c.grammar()
	case workspace.KindPushdown:
		c.pushdown()
	case workspace.KindFlow:
		c.flow()
	case workspace.KindFormulas:
		c.formulas(c.before)
	case workspace.KindAgent:
		c.agent()
	case workspace.KindTeam:
		c.team()
	case workspace.KindSMT:
		c.smt()
	case workspace.KindLP:
		c.lp()
	case workspace.KindPDDL:
		c.steps()
	}
	items := c.items
	sort.SliceStable(items, func(i, j int) bool { return items[i].Kind != "keyword" && items[j].Kind == "keyword" })
	return Completion{Span: source.Span{Start: c.from, End: at}, Items: items[:min(len(items), MaxItems)]}
}

// completer finds out what could stand at a place.
type completer struct {
	w      workspace.Workspace
	f      workspace.File
	kind   workspace.Kind
	before []piece // the tokens before the place
	inside *piece  // the token in which the place is
	place  source.Pos
	from   source.Pos // where the word begins in whose stead the items stand
	items  []Item
	said   map[string]bool
}

// closed reports whether a token that ends at the place is finished.
func (c *completer) closed(p piece) bool {
	if p.quoted {
		return len(p.text) > 1 && strings.HasSuffix(p.text, `"`)
	}
	return !p.comment && len(p.text) == 1 && strings.Contains("(),;[]{}", p.text)
}

func (c *completer) add(i Item) {
	if c.said == nil {
		c.said = map[string]bool{}
	}
	if i.Label != "" && !c.said[i.Label] {
		c.said[i.Label] = true
		c.items = append(c.items, i)
	}
}

// keywords adds reserved words, with what they mean.
func (c *completer) keywords(words ...string) {
	for _, word := range words {
		e, _ := entry(c.kind, word)
		detail, _, _ := strings.Cut(e.Text, ".")
		c.add(Item{Label: word, Kind: "keyword", Detail: detail})
	}
}

// symbols adds the names of some kinds that the file has.
func (c *completer) symbols(quote func(string) string, details map[string]string, kinds ...string) {
	// A word in the stead of the one that has been begun lets the parser understand
	// the rest, and is none of the file's.
	for _, o := range occurrences(c.filled()) {
		if !slices.Contains(kinds, o.Kind) || strings.Contains(o.Name, placeholder) {
			continue
		}
		i := Item{Label: o.Name, Kind: o.Kind, Detail: details[o.Name]}
		if quoted := quote(o.Name); quoted != o.Name {
			i.Insert = quoted
		}
		c.add(i)
	}
}

// placeholder is a name that nobody writes.
const placeholder = "\u2038here"

// line returns the tokens before the place on its line.
func (c *completer) line() []piece {
	n := len(c.before)
	for n > 0 && !strings.Contains(c.f.Text[c.before[n-1].span.End:c.from], "\n") {
		n--
	}
	return c.before[n:]
}

func (c *completer) grammar() {
	line := c.line()
	is := func(i int, text string) bool { return i >= 0 && i < len(line) && line[i].text == text }
	last := len(line) - 1
	details := c.labels()
	all := func(kinds ...string) { c.symbols(grammar.Quote, details, kinds...) }
	arrow := slices.ContainsFunc(line, func(p piece) bool { return p.text == "->" || p.text == "→" || p.text == "::=" })
	switch {
	case is(last, "as"):
	case c.inside != nil && c.inside.quoted && is(last, "as"):
	case len(line) == 0:
		all(grammar.KindNonterminal, grammar.KindTerminal)
		c.keywords("%start", "%subset", "limit")
	case is(0, "%start"):
		if len(line) == 1 {
			all(grammar.KindNonterminal)
		}
	case is(0, "%subset"):
		all(grammar.KindTerminal)
	case is(0, "limit") && !arrow:
		switch {
		case len(line) == 2:
			all(grammar.KindTerminal)
			c.keywords("each")
		case is(2, "each") && len(line) == 3:
			c.keywords("except")
		case len(line) > 2:
			all(grammar.KindTerminal)
		}
	case arrow || is(0, "|"):
		all(grammar.KindNonterminal, grammar.KindTerminal)
		if is(last, "|") || is(last, "->") || is(last, "→") || is(last, "::=") {
			c.keywords("ε")
		} else {
			c.keywords("|", "as")
		}
	case len(line) == 1:
		c.keywords("->", "as")
	}
}

// labels returns what the symbols of a grammar are called.
func (c *completer) labels() map[string]string {
	out := map[string]string{}
	syntax, _ := grammar.Parse(c.f.Source())
	for _, l := range syntax.Lines {
		if label, ok := l.Statement.(grammar.LabelLine); ok {
			out[label.Symbol.Text] = label.Label.Text
		}
	}
	return out
}

// word writes a name of the notations that are read by [lines].
func word(name string) string {
	if plain := lines.Lex(name); len(plain) == 2 && plain[0].Kind == lines.Word {
		return name
	}
	return lines.Quote(name)
}

func (c *completer) pushdown() {
	if c.inside != nil && c.inside.quoted && len(c.before) > 0 && c.before[len(c.before)-1].text == "as" {
		return
	}
	line := c.line()
	if i := lastOf(line, "{", "}"); i >= 0 {
		line = line[i+1:]
	}
	is := func(i int, text string) bool { return i >= 0 && i < len(line) && line[i].text == text }
	last := len(line) - 1
	all := func(kinds ...string) { c.symbols(word, nil, kinds...) }
	if open := lastOf(line, "("); open > lastOf(line, ")") {
		switch {
		case lastOf(line, ";") > open:
			all(pushdown.KindStack)
			c.keywords("ε", "*")
		case lastOf(line, ",") > open:
			all(pushdown.KindStack)
			c.keywords("ε", "*")
		default:
			all(pushdown.KindLetter)
			c.keywords("ε", "*")
		}
		return
	}
	switch {
	case len(line) == 0:
		all(pushdown.KindState, pushdown.KindFamily, pushdown.KindLetter)
		c.keywords("start", "accept", "for", "limit", "backwards")
	case is(last, "as"):
	case is(last, "->"), is(last, "→"):
		all(pushdown.KindState, pushdown.KindFamily)
	case is(last, ")"):
		c.keywords("as")
	case is(0, "start"):
		if last == 0 {
			all(pushdown.KindState)
		} else {
			all(pushdown.KindStack)
		}
	case is(0, "accept"):
		all(pushdown.KindState)
		c.keywords("empty")
	case is(0, "limit"):
		switch {
		case last == 1:
			all(pushdown.KindLetter)
			c.keywords("each")
		case last == 2 && is(2, "each"):
			c.keywords("except")
		case last > 1:
			all(pushdown.KindLetter)
		}
	case is(0, "for"):
		switch {
		case is(last-1, "for"), is(last-1, ","):
			c.keywords("in")
		case is(last-1, "in"), is(last, "]"):
			c.keywords("if")
		case lastOf(line, "if") >= 0:
			all(pushdown.KindVariable)
		}
	case last == 0:
		c.keywords("->", "as")
	}
}

func lastOf(line []piece, texts ...string) int {
	for i := len(line) - 1; i >= 0; i-- {
		if slices.Contains(texts, line[i].text) {
			return i
		}
	}
	return -1
}

func (c *completer) flow() {
	last := len(c.before) - 1
	is := func(i int, text string) bool { return i >= 0 && c.before[i].text == text }
	details := map[string]string{}
	for i, p := range c.before {
		if p.text == "ask" && i+2 < len(c.before) && c.before[i+2].quoted {
			details[c.before[i+1].text] = strings.Trim(c.before[i+2].text, `"`)
		}
	}
	all := func(kinds ...string) { c.symbols(word, details, kinds...) }
	if c.inside != nil && c.inside.quoted {
		if open := strings.LastIndexAny(c.f.Text[c.inside.span.Start:c.place], "{}"); open >= 0 && c.f.Text[int(c.inside.span.Start)+open] == '{' {
			c.from = c.inside.span.Start + source.Pos(open+1)
			c.symbols(func(name string) string { return name }, nil, flow.KindVariable)
		}
		return
	}
	inBlock := 0
	for _, p := range c.before {
		switch p.text {
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
			c.keywords("next")
		}
		c.keywords("stop")
	case is(last, "start"):
		all(flow.KindQuestion)
	case is(last, "in"):
		c.keywords("any")
	case is(last, "any"):
		c.keywords("order")
	case is(last, "ask"), is(last, "let"), is(last, "accept"), is(last, "stop") && !is(last-1, "->"), is(last, "order"), is(last, "as"):
	default:
		all(flow.KindAnswer)
		if is(last-1, "->") || is(last-1, "→") {
			c.keywords("as")
		}
		c.keywords("ask", "some")
		if inBlock == 0 {
			c.keywords("accept", "stop", "in any order", "let", "start")
		}
	}
}

// formulas completes a formula of which these are the tokens before.
func (c *completer) formulas(before []piece) {
	if n := len(before); n > 0 && isOperand(before[n-1].text, c.f.Text[before[n-1].span.End:c.from]) {
		c.keywords("->", "&", "|", "U", "W", "R", "M", "<->")
		return
	}
	for _, i := range letters(c.w) {
		if quoted := ltl.Quote(i.Label); quoted != i.Label {
			i.Insert = quoted
		}
		c.add(i)
	}
	c.keywords("G", "F", "X", "WX", "!", "true", "false", "last")
}

// isOperand reports whether a formula is complete behind a token and what stands
// between it and the place.
func isOperand(token, gap string) bool {
	gap = strings.TrimRight(gap, " \t")
	switch {
	case strings.HasSuffix(gap, ")"):
		return true
	case strings.ContainsAny(gap, "(:") || strings.Contains(strings.ReplaceAll(gap, "\r", ""), "\n\n"):
		return false
	}
	e, known := entry(workspace.KindFormulas, token)
	return !known || slices.Contains([]string{"true", "false", "last"}, e.Words[0])
}

// letters returns the letters of the specs of a workspace.
func letters(w workspace.Workspace) []Item {
	var out []Item
	seen := map[string]bool{}
	add := func(name, kind, detail string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, Item{Label: name, Kind: kind, Detail: detail})
		}
	}
	for _, f := range w.Files {
		for _, o := range occurrences(f) {
			switch {
			case o.Kind == flow.KindAnswer:
				add(o.Of+"."+o.Name, o.Kind, f.Name)
			case isLetter(workspace.KindOf(f.Name), o.Kind),
				o.Defines && (o.Kind == strips.KindPredicate || o.Kind == strips.KindAction):
				add(o.Name, o.Kind, f.Name)
			}
		}
	}
	return out
}
