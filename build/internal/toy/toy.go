// Package toy is a notation that only tests use: a list of words, one per line. The tests show that
// a row in the table of notations is all that a notation needs to have every service.
//
//	# dishes
//	wash dry
//	wash dry shelve
package toy

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// Kind is the ending of the files.
const Kind = "toy"

// List is a parsed file.
type List struct {
	Words    [][]Letter // with at least one letter each
	Comments []source.Span
}

// Letter is a letter of a word.
type Letter struct {
	Name string
	Span source.Span
}

// Parse reads a file. It reports a word that occurs twice.
func Parse(file *source.File) (*List, []source.Diagnostic) {
	found := file.Check()
	list := &List{}
	seen := map[string]bool{}
	at := 0
	for line := range strings.Lines(file.Text) {
		start := at
		at += len(line)
		if trimmed := strings.TrimRight(line, " \n"); strings.HasPrefix(trimmed, "#") {
			list.Comments = append(list.Comments, source.Span{Start: source.Pos(start), End: source.Pos(start + len(trimmed))})
			continue
		}
		word := letters(line, start)
		if len(word) == 0 {
			continue
		}
		if key := text(word); seen[key] {
			found = append(found, source.Diagnostic{
				Code: "toy.duplicate", Severity: source.SeverityError,
				Span: word[0].Span.Join(word[len(word)-1].Span), Message: "duplicate word",
			})
		} else {
			seen[key] = true
		}
		list.Words = append(list.Words, word)
	}
	return list, found
}

func letters(line string, start int) (out []Letter) {
	at := 0
	for _, name := range strings.Fields(line) {
		at += strings.Index(line[at:], name)
		out = append(out, Letter{name, source.Span{Start: source.Pos(start + at), End: source.Pos(start + at + len(name))}})
		at += len(name)
	}
	return out
}

func text(word []Letter) string {
	var names []string
	for _, l := range word {
		names = append(names, l.Name)
	}
	return strings.Join(names, " ")
}

// Format returns the file with one space between letters.
func Format(file *source.File) (string, []source.Diagnostic) {
	_, found := Parse(file)
	if source.HasErrors(found) {
		return file.Text, found
	}
	var b strings.Builder
	for line := range strings.Lines(file.Text) {
		if !strings.HasPrefix(line, "#") {
			line = strings.Join(strings.Fields(line), " ") + "\n"
		}
		b.WriteString(line)
	}
	return b.String(), found
}

// Tokens returns the coloured ranges of a file.
func Tokens(file *source.File) (out []source.Token) {
	list, _ := Parse(file)
	for _, span := range list.Comments {
		out = append(out, source.Token{Span: span, Class: source.ClassComment})
	}
	for _, word := range list.Words {
		for _, l := range word {
			out = append(out, source.Token{Span: l.Span, Class: source.ClassTerminal})
		}
	}
	slices.SortFunc(out, func(a, b source.Token) int { return int(a.Span.Start - b.Span.Start) })
	return out
}

// Occurrences returns the letters of a file; the first of each name is its definition.
func Occurrences(file *source.File) (out []source.Occurrence) {
	list, _ := Parse(file)
	seen := map[string]bool{}
	for _, word := range list.Words {
		for _, l := range word {
			out = append(out, source.Occurrence{Kind: "letter", Name: l.Name, Span: l.Span, Defines: !seen[l.Name]})
			seen[l.Name] = true
		}
	}
	return out
}

// Compile returns the grammar of the words, nil for a file without any.
func Compile(file *source.File) (*grammar.Grammar, []source.Diagnostic) {
	list, found := Parse(file)
	if len(list.Words) == 0 || source.HasErrors(found) {
		return nil, found
	}
	var rules strings.Builder
	for _, word := range list.Words {
		rules.WriteString("words ->")
		for _, l := range word {
			rules.WriteString(" " + grammar.Quote(l.Name))
		}
		rules.WriteString("\n")
	}
	syntax, _ := grammar.Parse(source.NewFile("words.cfg", rules.String()))
	g, more := grammar.Compile(syntax, "")
	return g, append(found, more...)
}
