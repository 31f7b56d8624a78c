package solve

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Link is a constraint, or what is to be the best, with the variables that it is about.
type Link struct {
	Name  string // of a constraint that has one
	Text  string // as it is written, without its name
	Sense string // "minimize", "maximize" or "soft"; "" for a constraint
	Span  source.Span
	Uses  []int // indices of [Problem.Names], ascending
}

// Links returns the constraints and objectives of a problem that [Check] has read, in
// the order of the text. What a definition is about, who uses it is about.
func Links(file *source.File, p Problem) []Link {
	index := map[string]int{}
	for i, n := range p.Names {
		index[n.Name] = i
	}
	if p.Solver == HiGHS {
		return lpLinks(file, index)
	}
	l := &smtLinks{file: file, index: index, defined: map[string]map[int]bool{}}
	r := smtReader{text: file.Text, found: &faults{}, quiet: true}
	for {
		form, ok := r.next()
		if !ok {
			return l.out
		}
		l.command(&form)
	}
}

type smtLinks struct {
	file    *source.File
	index   map[string]int
	defined map[string]map[int]bool // by definition: what it is about
	spent   int
	out     []Link
}

// maxUses bounds what is followed through definitions, of which each may name another:
// what is drawn of a text in which it is reached is folded in any case.
const maxUses = 1_000_000

func (l *smtLinks) command(form *term) {
	if len(form.items) < 2 {
		return
	}
	body := &form.items[1]
	link := Link{Span: form.span}
	switch form.head() {
	case "define-fun", "define-fun-rec", "define-const":
		uses := map[int]bool{}
		l.uses(&form.items[len(form.items)-1], uses)
		l.defined[form.items[1].text] = uses
		return
	case "assert":
	case "assert-soft":
		link.Sense = "soft"
	case "minimize", "maximize":
		link.Sense = form.head()
	default:
		return
	}
	if body.head() == "!" && len(body.items) > 1 {
		for i := 2; i+1 < len(body.items); i++ {
			if body.items[i].text == ":named" {
				link.Name = body.items[i+1].text
			}
		}
		body = &body.items[1]
	}
	link.Text = strings.Join(strings.Fields(l.file.Slice(body.span)), " ")
	uses := map[int]bool{}
	l.uses(body, uses)
	link.Uses = sortedKeys(uses)
	l.out = append(l.out, link)
}

func (l *smtLinks) uses(t *term, into map[int]bool) {
	if t.kind == termSymbol {
		if i, ok := l.index[t.text]; ok {
			into[i] = true
		}
		through := l.defined[t.text]
		if l.spent += len(through); l.spent > maxUses {
			return
		}
		for i := range through {
			into[i] = true
		}
		return
	}
	for i := range t.items {
		l.uses(&t.items[i], into)
	}
}

func sortedKeys(set map[int]bool) []int {
	out := make([]int, 0, len(set))
	for i := range set {
		out = append(out, i)
	}
	sort.Ints(out)
	return out
}

// lpLinks reads the objective and the rows, of which each begins with its name, or at
// the beginning of a line behind a number on a right side.
func lpLinks(file *source.File, index map[string]int) []Link {
	var out []Link
	section := ""
	uses := map[int]bool{}
	var open *Link
	related := false // the row has its relation
	finish := func(end source.Pos) {
		if open != nil && end > open.Span.Start {
			open.Span.End = end
			open.Uses = sortedKeys(uses)
			open.Text = strings.Join(strings.Fields(file.Slice(open.Span)), " ")
			if name, rest, ok := strings.Cut(open.Text, ":"); ok && strings.TrimSpace(name) == open.Name {
				open.Text = strings.TrimSpace(rest)
			}
			out = append(out, *open)
		}
		open, related = nil, false
		uses = map[int]bool{}
	}
	end := source.Pos(0)
	tokens := lpTokens(file.Text)
	for i, t := range tokens {
		if t.kind == lpSection || t.kind == lpEnd {
			finish(end)
			section = t.text
			if lpOrder[section] >= 2 && t.kind == lpSection {
				return out
			}
			end = t.span.End
			continue
		}
		label := t.kind == lpWord && tokens[i+1].kind == lpColon
		if label || open != nil && related && strings.Contains(file.Text[end:t.span.Start], "\n") {
			finish(end)
		}
		if open == nil {
			open = &Link{Span: t.span}
			if lpOrder[section] == 0 {
				open.Sense = section
			}
			if label {
				open.Name = t.text
			}
		}
		switch {
		case t.kind == lpRelation:
			related = true
		case t.kind == lpWord && !label:
			if n, ok := index[t.text]; ok {
				uses[n] = true
			}
		}
		end = t.span.End
	}
	return out
}

// FamilyOf returns what variables that are named alike have in common: the first word
// of the name, "ship" of ship.supplier1.roastery1.
func FamilyOf(name string) string {
	if words := nameWords(name); len(words) > 0 {
		return words[0]
	}
	return name
}
