package notation

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Item is a completion candidate.
type Item struct {
	Label  string
	Kind   string // "keyword", or the kind of a symbol
	Detail string // a few words of explanation
	Insert string // the text to insert; "": the label
}

// Completion lists the candidates that replace the partial word at a position.
type Completion struct {
	Span  source.Span // of the partial word, up to the position
	Items []Item
}

// MaxItems is the largest number of candidates.
const MaxItems = 500

// Completer collects the candidates at a position. Before has the words that end before the
// position, Inside is the word around it, and From is the start of the text to replace.
type Completer struct {
	Table     Table
	Workspace workspace.Workspace
	File      workspace.File
	Row       *Notation
	Before    []Word
	Inside    *Word
	Place     source.Pos
	From      source.Pos
	Items     []Item

	offered map[string]bool
}

// Complete returns the candidates at a position of a file. It does not filter by the
// partial word; the editor does.
func (t Table) Complete(w workspace.Workspace, name string, at source.Pos) Completion {
	f, ok := w.File(name)
	if !ok || at < 0 || int(at) > len(f.Text) {
		return Completion{}
	}
	row := t.Of(name)
	if row.CompleteAt != nil {
		return row.CompleteAt(w, name, at)
	}
	c := &Completer{Table: t, Workspace: w, File: f, Row: row, Place: at, From: at}
	for _, word := range row.Split(f) {
		switch {
		case word.Span.End < at || word.Span.End == at && word.closed():
			c.Before = append(c.Before, word)
		case word.Span.Start < at:
			if word.Comment {
				return Completion{}
			}
			c.Inside = &word
			c.From = word.Span.Start
		}
	}
	if row.Complete != nil {
		row.Complete(c)
	}
	items := c.Items
	sort.SliceStable(items, func(i, j int) bool { return items[i].Kind != "keyword" && items[j].Kind == "keyword" })
	return Completion{Span: source.Span{Start: c.From, End: at}, Items: items[:min(len(items), MaxItems)]}
}

// Split returns the words of a file, or none if the text is not valid for any parser.
func (n *Notation) Split(f workspace.File) []Word {
	file := f.Source()
	if n.Lex == nil || len(file.Check()) > 0 {
		return nil
	}
	list := n.Lex(file)
	for i := range list {
		list[i].Text = file.Slice(list[i].Span)
		list[i].Quoted = strings.HasPrefix(list[i].Text, `"`)
	}
	return list
}

// closed reports whether a word that ends at the position is finished.
func (p Word) closed() bool {
	if p.Quoted {
		return len(p.Text) > 1 && strings.HasSuffix(p.Text, `"`)
	}
	return !p.Comment && len(p.Text) == 1 && strings.Contains("(),;[]{}", p.Text)
}

// Add adds a candidate, unless a candidate with the same label exists.
func (c *Completer) Add(i Item) {
	if c.offered == nil {
		c.offered = map[string]bool{}
	}
	if i.Label != "" && !c.offered[i.Label] {
		c.offered[i.Label] = true
		c.Items = append(c.Items, i)
	}
}

// Keywords adds reserved words, with their meaning.
func (c *Completer) Keywords(words ...string) {
	for _, word := range words {
		e, _ := c.Row.Entry(word)
		detail, _, _ := strings.Cut(e.Text, ".")
		c.Add(Item{Label: word, Kind: "keyword", Detail: detail})
	}
}

// Symbols adds the names of some kinds that occur in the file, formatted by quote.
func (c *Completer) Symbols(quote func(string) string, details map[string]string, kinds ...string) {
	// The placeholder only lets the parser read the rest of the text. Skip it.
	for _, o := range c.Row.Occur(c.Filled()) {
		if !slices.Contains(kinds, o.Kind) || strings.Contains(o.Name, Placeholder) {
			continue
		}
		i := Item{Label: o.Name, Kind: o.Kind, Detail: details[o.Name]}
		if quoted := quote(o.Name); quoted != o.Name {
			i.Insert = quoted
		}
		c.Add(i)
	}
}

// Placeholder is a name that does not occur in real texts.
const Placeholder = "\u2038here"

// Filled returns the file with [Placeholder] instead of the partial word.
func (c *Completer) Filled() workspace.File {
	f := c.File
	f.Text = c.File.Text[:c.From] + Placeholder + c.File.Text[c.Place:]
	return f
}

// Line returns the words on the line of the position that precede it.
func (c *Completer) Line() []Word {
	n := len(c.Before)
	for n > 0 && !strings.Contains(c.File.Text[c.Before[n-1].Span.End:c.From], "\n") {
		n--
	}
	return c.Before[n:]
}

// LastOf returns the index of the last word with one of some texts, or -1.
func LastOf(words []Word, texts ...string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if slices.Contains(texts, words[i].Text) {
			return i
		}
	}
	return -1
}

// Form is a list in parentheses that is open at the position.
type Form struct {
	Head  string
	Items int // after the head
}

// Around returns the open lists at the position, the innermost one, the head of the second one,
// and whether a list begins here.
func (c *Completer) Around() (open []Form, in Form, section string, starts bool) {
	if open = c.forms(); len(open) > 0 {
		in = open[len(open)-1]
	}
	if len(open) > 1 {
		section = open[1].Head
	}
	return open, in, section, len(c.Before) > 0 && c.Before[len(c.Before)-1].Text == "("
}

// forms returns the open lists at the position, outermost first.
func (c *Completer) forms() []Form {
	var open []Form
	for i, p := range c.Before {
		switch n := len(open); {
		case p.Comment:
		case p.Text == "(":
			if n > 0 {
				open[n-1].Items++
			}
			open = append(open, Form{Items: -1})
		case p.Text == ")":
			if n > 0 {
				open = open[:n-1]
			}
		case n > 0:
			if open[n-1].Items++; c.Before[i-1].Text == "(" {
				open[n-1].Head = p.Text
			}
		}
	}
	for i := range open {
		open[i].Items = max(open[i].Items, 0)
	}
	return open
}

// Opening adds words that begin a list, with the parenthesis if it is missing.
func (c *Completer) Opening(words ...string) {
	c.Keywords(words...)
	n := len(c.Before)
	if n > 0 && c.Before[n-1].Text == "(" {
		return
	}
	for i := range c.Items {
		if c.Items[i].Kind == "keyword" {
			c.Items[i].Insert = "(" + c.Items[i].Label
		}
	}
}
