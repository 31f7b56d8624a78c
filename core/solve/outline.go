//go:build !first

package solve

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Outline is what a text is made of: which parts speak of which variables.
type Outline struct {
	Names   []Name // variables and functions that the text declares, in order
	Defines []Name // what it defines: (define-fun …), (define-const …)
	Low     []bool // by variable: something says how low it may go at least
	Parts   []Part // in order
	Numbers []string
	// End is where the first question stands that the text itself asks, or where it ends:
	// what is added to it goes before that.
	End  source.Pos
	Uses []string // symbols that the text uses and does not declare or define, each once: operators, and what is given
}

// Part is an assertion, a row, or what is to be the best.
type Part struct {
	Name      string // "" without one
	Span      source.Span
	Body      source.Span // of what it says, without its name
	Sense     string      // "minimize", "maximize" or "soft"; "" for a constraint
	Variables []int       // indices of names, each once, in the order of their first use
	Bounds    bool        // it does no more than say how low variables may go
}

// Objective reports whether a part says what is to be the best, or rather than not.
func (p Part) Objective() bool { return p.Sense != "" }

// Aim reports whether a variable is by itself what is to be the best: a name for the sum
// that a text minimizes.
func (o *Outline) Aim(variable int) bool {
	for _, p := range o.Parts {
		if p.Objective() && len(p.Variables) == 1 && p.Variables[0] == variable {
			return true
		}
	}
	return false
}

// Aims reports whether a part says what is to be the best by a name for it.
func (o *Outline) Aims(p Part) bool {
	for _, v := range p.Variables {
		if o.Aim(v) && !p.Objective() {
			return true
		}
	}
	return false
}

// Outlined reads a text that [Check] finds no fault with; of another it returns what it
// understands.
func Outlined(solver Solver, file *source.File) *Outline {
	if solver == HiGHS {
		return outlineLP(file)
	}
	return outlineSMT(file)
}

// smtOutline gathers the outline of a text of SMT-LIB.
type smtOutline struct {
	Outline
	index   map[string]int
	through map[string][]int // by what is defined: the variables that it stands for
	numbers map[string]bool
	used    map[string]bool

	followed int
}

// maxFollowed bounds what is followed through definitions, of which each may name another:
// what is drawn of a text in which it is reached is folded in any case.
const maxFollowed = 1_000_000

func outlineSMT(file *source.File) *Outline {
	o := &smtOutline{index: map[string]int{}, through: map[string][]int{}, numbers: map[string]bool{}, used: map[string]bool{}}
	var found faults
	r := smtReader{text: file.Text, found: &found, quiet: true}
	o.End = source.Pos(len(file.Text))
	for {
		form, ok := r.next()
		if !ok {
			break
		}
		if strings.HasPrefix(form.head(), "check-sat") {
			o.End = min(o.End, form.span.Start)
		}
		o.form(&form)
	}
	return &o.Outline
}

func (o *smtOutline) form(form *term) {
	if len(form.items) < 2 {
		return
	}
	name := &form.items[1]
	last := &form.items[len(form.items)-1]
	switch head := form.head(); head {
	case "declare-const", "declare-fun":
		o.index[name.text] = len(o.Names)
		o.Names = append(o.Names, Name{Name: name.text, Sort: last.text, Span: name.span})
		o.Low = append(o.Low, last.text != "Int" && last.text != "Real" || head == "declare-fun" && len(form.items) > 2 && len(form.items[2].items) > 0)
	case "define-fun", "define-const", "define-fun-rec":
		o.Defines = append(o.Defines, Name{Name: name.text, Span: name.span})
		o.through[name.text] = o.variables(last)
	case "assert", "assert-soft":
		body, label := name, ""
		if body.head() == "!" && len(body.items) > 1 {
			for i, t := range body.items {
				if t.kind == termKeyword && strings.TrimPrefix(t.text, ":") == "named" && i+1 < len(body.items) {
					label = body.items[i+1].text
				}
			}
			body = &body.items[1]
		}
		part := Part{Name: label, Span: form.span, Body: body.span, Variables: o.variables(body)}
		if head == "assert-soft" {
			part.Sense = "soft"
		}
		part.Bounds = o.bounds(body, true)
		o.Parts = append(o.Parts, part)
	case "minimize", "maximize":
		o.Parts = append(o.Parts, Part{Span: form.span, Body: name.span, Sense: head, Variables: o.variables(name)})
	}
}

// variables returns the variables of a term, and remembers its numbers and all else that
// it uses.
func (o *smtOutline) variables(t *term) []int {
	var list []int
	seen := map[int]bool{}
	add := func(i int) {
		if !seen[i] {
			seen[i] = true
			list = append(list, i)
		}
	}
	var walk func(t *term)
	walk = func(t *term) {
		switch t.kind {
		case termSymbol:
			if i, ok := o.index[t.text]; ok {
				add(i)
			} else if through, ok := o.through[t.text]; ok {
				if o.followed += len(through); o.followed > maxFollowed {
					return
				}
				for _, i := range through {
					add(i)
				}
			} else if !o.used[t.text] {
				o.used[t.text] = true
				o.Uses = append(o.Uses, t.text)
			}
		case termNumeral, termDecimal:
			if !o.numbers[t.text] {
				o.numbers[t.text] = true
				o.Numbers = append(o.Numbers, t.text)
			}
		case termList:
			for i := range t.items {
				walk(&t.items[i])
			}
		}
	}
	walk(t)
	return list
}

// bounds reports whether a term does no more than bound variables from below by numbers
// that are not negative; mark remembers of which it says so.
func (o *smtOutline) bounds(t *term, mark bool) bool {
	low := func(x, n *term) bool {
		i, ok := o.index[x.text]
		if x.kind != termSymbol || !ok || n.kind != termNumeral && n.kind != termDecimal {
			return false
		}
		if mark {
			o.Low[i] = true
		}
		return true
	}
	n := len(t.items)
	switch head := t.head(); {
	case head == "and":
		all := n > 1
		for i := 1; i < n; i++ {
			all = o.bounds(&t.items[i], mark) && all
		}
		return all
	case (head == ">=" || head == ">") && n == 3:
		return low(&t.items[1], &t.items[2])
	case (head == "<=" || head == "<") && n == 3:
		return low(&t.items[2], &t.items[1])
	case (head == "<=" || head == "<") && n == 4: // 0 <= x <= 3
		low(&t.items[2], &t.items[1])
	case head == "=" && n == 3:
		if !low(&t.items[1], &t.items[2]) {
			low(&t.items[2], &t.items[1])
		}
	case head == "or": // (or (= x 0) (= x 1)) bounds x as well
		for i := 1; i < n; i++ {
			if t.items[i].head() == "=" {
				o.bounds(&t.items[i], mark)
			}
		}
	}
	return false
}

// outlineLP reads the rows of an LP text. A variable is not negative there unless the
// text says so.
func outlineLP(file *source.File) *Outline {
	tokens := lpTokens(file.Text)
	o := &Outline{}
	index := map[string]int{}
	numbers := map[string]bool{}
	section := ""
	var part *Part
	seen := map[int]bool{}
	end := func() {
		if part != nil && len(part.Variables) > 0 {
			o.Parts = append(o.Parts, *part)
		}
		part = nil
	}
	for i, t := range tokens {
		switch {
		case t.kind == lpSection:
			end()
			section = t.text
			if section == "minimize" || section == "maximize" {
				part, seen = &Part{Sense: section, Span: t.span, Body: source.Span{Start: t.span.End, End: t.span.End}}, map[int]bool{}
			}
			continue
		case section == "bounds":
			lpBound(tokens, i, index, o.Low)
			continue
		case section != "subject to" && section != "minimize" && section != "maximize":
			continue
		}
		labelled := t.kind == lpWord && tokens[i+1].kind == lpColon // the last token is the end, and no word
		if section == "subject to" && (labelled || part == nil && t.kind != lpEnd) {
			end()
			part, seen = &Part{Span: t.span, Body: t.span}, map[int]bool{}
		}
		if part == nil {
			continue
		}
		part.Span.End = max(part.Span.End, t.span.End)
		part.Body.End = part.Span.End
		switch {
		case labelled:
			part.Name = t.text
			part.Body.Start = tokens[i+1].span.End
		case t.kind == lpWord && !isInfinity(t.text):
			v, known := index[t.text]
			if !known {
				v = len(o.Names)
				index[t.text] = v
				o.Names = append(o.Names, Name{Name: t.text, Sort: "Real", Span: t.span})
				o.Low = append(o.Low, true)
			}
			if !seen[v] {
				seen[v] = true
				part.Variables = append(part.Variables, v)
			}
		case t.kind == lpNumber:
			if !numbers[t.text] {
				numbers[t.text] = true
				o.Numbers = append(o.Numbers, t.text)
			}
			// A number on the right ends a row.
			if !part.Objective() && lpRight(tokens, i) {
				end()
			}
		}
	}
	end()
	return o
}

// lpRight reports whether the number at i, in a section, stands on the right of a relation.
func lpRight(tokens []lpToken, i int) bool {
	for i--; tokens[i].kind == lpSign; i-- {
	}
	return tokens[i].kind == lpRelation
}

// lpBound notes what a bound says of how low a variable may go: x free, or a bound below
// 0 on its left.
func lpBound(tokens []lpToken, i int, index map[string]int, low []bool) {
	t := tokens[i]
	v, known := index[t.text]
	if t.kind != lpWord || !known {
		return
	}
	// Behind a word, and behind a relation, stands the end at least. What is known has stood
	// in another section before, so that two sections and itself stand before it.
	if tokens[i+1].kind == lpWord && strings.EqualFold(tokens[i+1].text, "free") {
		low[v] = false
	}
	below := func(number int) bool { return tokens[number].kind == lpSign && tokens[number].text == "-" }
	if tokens[i-1].kind == lpRelation && below(i-3) { // -5 <= x
		low[v] = false
	}
	if tokens[i+1].kind == lpRelation && strings.HasPrefix(tokens[i+1].text, ">") && below(i+2) { // x >= -5
		low[v] = false
	}
}

// Without returns a text without some of its parts: blanks stand in their place, so that
// all else keeps its place.
func Without(text string, parts []Part) string {
	b := []byte(text)
	for _, p := range parts {
		for i := p.Span.Start; i < p.Span.End && int(i) < len(b); i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}
