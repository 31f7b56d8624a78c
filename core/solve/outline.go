package solve

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Outline lists the parts of a text with the variables they use.
type Outline struct {
	Names   []Name // declared variables and functions, in order
	Defines []Name // definitions: (define-fun …), (define-const …)
	Low     []bool // by variable: whether it has a lower bound
	Parts   []Part // in order
	Numbers []string
	// End is the offset of the first check-sat of the text, or its end. Additions to the
	// text go there.
	End  source.Pos
	Uses []string // symbols that the text uses without declaring them, each once: operators, and names from a text before it
}

// Part is an assertion, a row, or an objective.
type Part struct {
	Name      string // "" without one
	Span      source.Span
	Body      source.Span // of its content, without its name
	Sense     string      // "minimize", "maximize" or "soft"; "" for a constraint
	Variables []int       // indices of names, each once, in the order of first use
	Bounds    bool        // it only bounds variables from below
}

// Objective reports whether a part is an objective or a soft constraint.
func (p Part) Objective() bool { return p.Sense != "" }

// Aim reports whether an objective consists of a single variable, which names the sum
// that the text optimizes.
func (o *Outline) Aim(variable int) bool {
	for _, p := range o.Parts {
		if p.Objective() && len(p.Variables) == 1 && p.Variables[0] == variable {
			return true
		}
	}
	return false
}

// Aims reports whether a part defines a variable that is an objective.
func (o *Outline) Aims(p Part) bool {
	for _, v := range p.Variables {
		if o.Aim(v) && !p.Objective() {
			return true
		}
	}
	return false
}

// Outlined returns the outline of a text that [Check] accepts. For any other text it
// returns the parts that it can read.
func Outlined(solver Solver, file *source.File) *Outline {
	if solver == HiGHS {
		return outlineLP(file)
	}
	return outlineSMT(file)
}

// smtOutline builds the outline of an SMT-LIB text.
type smtOutline struct {
	Outline
	index   map[string]int
	through map[string][]int // by definition: the variables that its body uses
	numbers map[string]bool
	used    map[string]bool

	followed int
}

// maxFollowed bounds the work of following definitions, each of which may use others.
// Texts that exceed it are drawn folded anyway.
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

// variables returns the variables of a term, and records its numbers and other symbols.
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

// bounds reports whether a term only bounds variables from below by numbers that are not
// negative; mark records the variables.
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
	case head == "or": // (or (= x 0) (= x 1)) bounds x, too
		for i := 1; i < n; i++ {
			if t.items[i].head() == "=" {
				o.bounds(&t.items[i], mark)
			}
		}
	}
	return false
}

// lpOutline is the outline of an LP text that is being read.
type lpOutline struct {
	*Outline
	tokens  []lpToken
	index   map[string]int  // the variables in Names
	numbers map[string]bool // in Numbers
	part    *Part           // the open row or objective; nil without one
	used    map[int]bool    // the variables of part
}

// outlineLP reads the rows of an LP text. Its variables are at least 0 by default.
func outlineLP(file *source.File) *Outline {
	o := lpOutline{Outline: &Outline{}, tokens: lpTokens(file.Text), index: map[string]int{}, numbers: map[string]bool{}}
	section := ""
	for i, t := range o.tokens {
		switch {
		case t.kind == lpSection:
			o.close()
			section = t.text
			if section == "minimize" || section == "maximize" {
				o.open(Part{Sense: section, Span: t.span, Body: source.Span{Start: t.span.End, End: t.span.End}})
			}
		case section == "minimize" || section == "maximize":
			o.add(i)
		case section == "subject to":
			if o.label(i) || o.part == nil && t.kind != lpEnd {
				o.close()
				o.open(Part{Span: t.span, Body: t.span})
			}
			o.add(i)
		case section == "bounds":
			lpBound(o.tokens, i, o.index, o.Low)
		}
	}
	o.close()
	return o.Outline
}

func (o *lpOutline) open(p Part) { o.part, o.used = &p, map[int]bool{} }

// close ends the open row or objective. A part without variables is dropped.
func (o *lpOutline) close() {
	if o.part != nil && len(o.part.Variables) > 0 {
		o.Parts = append(o.Parts, *o.part)
	}
	o.part = nil
}

// label reports whether the token at i is the name of a row.
func (o *lpOutline) label(i int) bool {
	return o.tokens[i].kind == lpWord && o.tokens[i+1].kind == lpColon // the last token marks the end and has no text
}

// add adds the token at i to the open row or objective, if there is one.
func (o *lpOutline) add(i int) {
	if o.part == nil {
		return
	}
	t := o.tokens[i]
	o.part.Span.End = max(o.part.Span.End, t.span.End)
	o.part.Body.End = o.part.Span.End
	switch {
	case o.label(i):
		o.part.Name = t.text
		o.part.Body.Start = o.tokens[i+1].span.End
	case t.kind == lpWord && !isInfinity(t.text):
		o.variable(t)
	case t.kind == lpNumber:
		if !o.numbers[t.text] {
			o.numbers[t.text] = true
			o.Numbers = append(o.Numbers, t.text)
		}
		// A number on the right ends a row.
		if !o.part.Objective() && lpRight(o.tokens, i) {
			o.close()
		}
	}
}

// variable adds a variable to the open row or objective.
func (o *lpOutline) variable(t lpToken) {
	v, known := o.index[t.text]
	if !known {
		v = len(o.Names)
		o.index[t.text] = v
		o.Names = append(o.Names, Name{Name: t.text, Sort: "Real", Span: t.span})
		o.Low = append(o.Low, true)
	}
	if !o.used[v] {
		o.used[v] = true
		o.part.Variables = append(o.part.Variables, v)
	}
}

// lpRight reports whether the number at i, in a section, is on the right of a relation.
func lpRight(tokens []lpToken, i int) bool {
	for i--; tokens[i].kind == lpSign; i-- {
	}
	return tokens[i].kind == lpRelation
}

// lpBound reads the lower bound in a bound: x free, or a number below 0 on its left.
func lpBound(tokens []lpToken, i int, index map[string]int, low []bool) {
	t := tokens[i]
	v, known := index[t.text]
	if t.kind != lpWord || !known {
		return
	}
	// At least the end token follows a word and a relation. A known variable was used in
	// an earlier section, so at least three tokens precede it.
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

// Without returns a text with some of its parts replaced by spaces, so that all offsets
// stay the same.
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
