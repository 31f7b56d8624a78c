package pushdown

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// MaxTransitions is the maximum number of transitions of a text, with families expanded.
const MaxTransitions = 100_000

// Compile makes an automaton of a text. It is nil if there is no transition or no start; with
// errors it consists of the valid lines.
func Compile(s *Syntax) (*PDA, []source.Diagnostic) {
	c := &compiler{p: &PDA{labels: map[string]string{}}, states: map[string]int{}, member: map[int]bool{}, accepts: map[int]bool{}, whole: map[source.Span]source.Span{}, tried: map[source.Pos]bool{}, held: map[source.Pos]bool{}}
	variables := c.checkUnknown(s)
	c.block(s.statements, nil)
	switch {
	case len(s.File.Check()) > 0:
		return nil, nil
	case source.HasErrors(c.found) && c.start == nil && len(c.p.Transitions) == 0:
		return nil, c.found
	case len(s.statements) == 0:
		c.errorAt(source.Span{}, "pda.empty", `no automaton yet; add "start q0 Z", "accept q0" and transitions such as "q0 -> q0 (a, Z; A Z)"`)
		return nil, c.found
	case c.start == nil:
		c.errorAt(source.Span{}, "pda.start-missing", `missing start; add a state and a stack symbol, such as "start q0 Z"`)
		return nil, c.found
	}
	c.p.Start = c.state(c.start.state, nil)
	if len(c.start.stack) > 1 {
		c.errorAt(c.start.stack[1].Span, "pda.start-stack", "too many stack symbols at the start (maximum 1)")
	}
	if len(c.start.stack) > 0 {
		c.p.StackStart = symbolText(c.start.stack[0])
	}
	if len(c.p.Accept) == 0 && !c.p.AcceptEmpty && !s.broken {
		c.errorAt(c.start.state.Span, "pda.accept-missing", `missing accepting state; add "accept q0" or "accept empty"`)
	}
	c.quoteLetters()
	if !s.broken {
		c.check() // the checks need the complete text
		c.checkLimits()
		c.checkTexts()
		if !source.HasErrors(c.found) {
			c.checkDuplicates()
			c.checkVariables(s, variables)
			c.checkConditions(s)
		}
	}
	return c.p, c.found
}

// quoteLetters replaces {*} in the text of a transition with the label of the letter that it
// reads.
func (c *compiler) quoteLetters() {
	for i := range c.p.Transitions {
		t := &c.p.Transitions[i]
		if t.Read == "" || !strings.Contains(t.Label, "{*}") {
			continue
		}
		name := c.p.labels[t.Read]
		if name == "" {
			name = t.Read
		}
		t.Label = strings.ReplaceAll(t.Label, "{*}", name)
	}
}

type compiler struct {
	p        *PDA
	states   map[string]int
	member   map[int]bool // states that a family names
	accepts  map[int]bool
	limited  []letterUse
	excepted []letterUse
	texts    []letterUse
	empty    source.Span                 // of "accept empty"
	whole    map[source.Span]source.Span // transitions with one label, by the place of the label
	tried    map[source.Pos]bool         // families with a condition, by place
	held     map[source.Pos]bool         // families whose condition holds for some values
	start    *startLine
	found    []source.Diagnostic
	steps    int  // families expanded, and their members: at most 4 MaxTransitions
	full     bool // no more is expanded
}

func (c *compiler) report(d source.Diagnostic) {
	for _, said := range c.found {
		if said.Code == d.Code && said.Span == d.Span {
			return // a family reports it once
		}
	}
	if len(c.found) < maxFound {
		c.found = append(c.found, d)
	}
}

func (c *compiler) errorAt(span source.Span, code, message string) {
	c.report(source.Diagnostic{Code: code, Span: span, Message: message})
}

func (c *compiler) warnAt(span source.Span, code, message string, fixes ...source.Fix) {
	c.report(source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message, Fixes: fixes})
}

// binding is the value of a family's variable, with the bindings of the enclosing families.
type binding struct {
	name   string
	number int
	word   string // if it is not a number
	outer  *binding
}

func (b *binding) find(name string) *binding {
	for ; b != nil; b = b.outer {
		if b.name == name {
			return b
		}
	}
	return nil
}

func (b *binding) numberOf(name string) (int, bool) {
	found := b.find(name)
	switch {
	case found == nil:
		return 0, false
	case found.word != "":
		n, err := strconv.Atoi(found.word)
		return n, err == nil && n <= lines.MaxNumber
	}
	return found.number, true
}

// state returns the number of a state.
func (c *compiler) state(t lines.Token, b *binding) int {
	name := resolve(t, b)
	n, ok := c.states[name]
	if !ok {
		n = len(c.p.States)
		c.states[name] = n
		c.p.States = append(c.p.States, name)
		c.p.spans = append(c.p.spans, t.Span)
	}
	if b != nil {
		c.member[n] = true
	}
	return n
}

// resolve returns a name with the values of variables in it.
func resolve(t lines.Token, b *binding) string {
	if b == nil || t.Kind == lines.Text {
		return t.Text
	}
	parts := strings.Split(t.Text, "/")
	for i, part := range parts {
		parts[i] = resolvePart(part, b)
	}
	return strings.Join(parts, "/")
}

func resolvePart(part string, b *binding) string {
	if strings.Contains(part, "{") {
		return interpolate(part, b)
	}
	if v := b.find(part); v != nil && v.word != "" {
		return v.word
	}
	e, fault, _ := lines.ParseExpression(part)
	if fault != "" {
		return part
	}
	has := false
	e.Variables(func(string) { has = true })
	if value, ok := e.Value(b.numberOf); ok && has {
		return strconv.Itoa(value)
	}
	return part
}

// interpolate replaces the expressions in braces with their values.
func interpolate(text string, b *binding) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		inner, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if found {
				out.WriteString("{" + rest)
			}
			return out.String()
		}
		if value := resolvePart(inner, b); value != inner {
			out.WriteString(value)
		} else {
			out.WriteString("{" + inner + "}")
		}
		text = after
	}
}

func (c *compiler) block(list []statement, b *binding) {
	for _, st := range list {
		if c.full {
			return
		}
		switch st := st.(type) {
		case startLine:
			switch {
			case b != nil:
				c.errorAt(st.state.Span, "pda.start-family", "unexpected start in a family; declare it outside")
			case c.start != nil:
				c.errorAt(st.state.Span, "pda.start-twice", "duplicate start")
			default:
				c.start = &st
			}
		case acceptLine:
			if st.empty.Len() > 0 {
				c.p.AcceptEmpty, c.empty = true, st.empty
			}
			for _, t := range st.states {
				if state := c.state(t, b); !c.accepts[state] {
					c.accepts[state] = true
					c.p.Accept = append(c.p.Accept, state)
				} else if b == nil {
					c.warnAt(t.Span, "pda.duplicate", fmt.Sprintf("duplicate accepting state %q (ignored)", t.Text))
				}
			}
		case moveLine:
			c.move(st, b)
		case labelLine:
			name := resolve(st.symbol, b)
			if _, twice := c.p.labels[name]; twice && b == nil {
				c.warnAt(st.symbol.Span, "pda.duplicate", fmt.Sprintf("duplicate text of %q; the last one applies", name))
			}
			c.p.labels[name] = interpolate(st.text.Text, b)
			c.texts = append(c.texts, letterUse{name, st.symbol.Span})
		case limitLine:
			c.limit(st, b)
		case backwardsLine:
			if c.p.Backwards && b == nil {
				c.warnAt(st.span, "pda.duplicate", `duplicate "backwards" (ignored)`)
			}
			c.p.Backwards = true
		case family:
			c.family(st, st.variables, b)
		}
	}
}

func (c *compiler) limit(st limitLine, b *binding) {
	l := &c.p.Limits
	if st.each {
		if l.Each != nil && b == nil {
			c.warnAt(st.span, "pda.duplicate", `duplicate "limit … each"; the last one applies`)
		}
		n := st.n
		l.Each = &n
	} else if l.Named == nil {
		l.Named = map[string]int64{}
	}
	for _, t := range st.names {
		name := resolve(t, b)
		if st.each {
			c.excepted = append(c.excepted, letterUse{name, t.Span})
			l.Except = append(l.Except, name)
			continue
		}
		c.limited = append(c.limited, letterUse{name, t.Span})
		if _, twice := l.Named[name]; twice && b == nil {
			c.warnAt(t.Span, "pda.duplicate", fmt.Sprintf("duplicate limit of %q; the last one applies", name))
		}
		l.Named[name] = st.n
	}
}

// letterUse is a letter with a limit or a text.
type letterUse struct {
	name string
	span source.Span
}

// checkLimits reports limits without effect, because no transition reads the letter.
func (c *compiler) checkLimits() {
	fault := source.Diagnostic{Code: "pda.limit-unknown", Message: "unknown letter %q in a limit"}
	c.checkUses(c.limited, fault)
	fault.Severity = source.SeverityWarning
	c.checkUses(c.excepted, fault)
}

// checkTexts reports texts of letters that no transition reads.
func (c *compiler) checkTexts() {
	c.checkUses(c.texts, source.Diagnostic{Code: "pda.text-unknown", Severity: source.SeverityWarning, Message: "unknown letter %q in a text"})
}

// checkUses reports letters that no transition reads. Of the letters that a name with variables
// expands to, it is enough that a transition reads one.
func (c *compiler) checkUses(uses []letterUse, fault source.Diagnostic) {
	letters := c.p.Letters()
	read, inForce := map[string]bool{}, map[source.Span]bool{}
	for _, name := range letters {
		read[name] = true
	}
	for _, l := range uses {
		inForce[l.span] = inForce[l.span] || read[l.name]
	}
	for _, l := range uses {
		if inForce[l.span] {
			continue
		}
		d := fault
		d.Span, d.Message = l.span, fmt.Sprintf(fault.Message, l.name)
		_, state := c.states[l.name]
		if near := source.Nearest(l.name, letters); state {
			d.Message = fmt.Sprintf("%q is a state; only letters have texts and limits", l.name)
		} else if near != "" {
			d.Message += fmt.Sprintf("; did you mean %q?", near)
			d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: l.span, Text: near}}}}
		}
		c.report(d)
	}
}

// family expands the body for all values of the remaining variables.
func (c *compiler) family(f family, left []variable, b *binding) {
	if c.steps++; c.steps > 4*MaxTransitions {
		c.tooMany(f.span)
		return
	}
	if len(left) == 0 {
		if f.condition != nil {
			holds, ok := f.condition.Value(b.numberOf)
			if !ok {
				c.invalid(f.when, "pda.condition", f.condition, b)
				return
			}
			c.tried[f.span.Start] = true
			if holds == 0 {
				return
			}
			c.held[f.span.Start] = true
		}
		c.block(f.body, b)
		return
	}
	v := left[0]
	if v.from == nil {
		for _, word := range v.words {
			if c.full {
				return
			}
			c.family(f, left[1:], &binding{name: v.name.Text, word: resolve(word, b), outer: b})
		}
		return
	}
	from, ok := v.from.Value(b.numberOf)
	to, okTo := v.to.Value(b.numberOf)
	switch {
	case !ok:
		c.invalid(v.through, "pda.range", v.from, b)
		return
	case !okTo:
		c.invalid(v.through, "pda.range", v.to, b)
		return
	}
	step := 1
	if to < from {
		step = -1
	}
	for n := from; !c.full; n += step {
		c.family(f, left[1:], &binding{name: v.name.Text, number: n, outer: b})
		if n == to {
			return
		}
	}
}

// invalid reports an expression without a value and ends the expansion. An unknown variable has been reported.
func (c *compiler) invalid(at source.Span, code string, e *lines.Expression, b *binding) {
	if !source.HasErrors(c.found) {
		c.errorAt(at, code, notNumber(e, b))
	}
	c.full = true
}

func (c *compiler) tooMany(span source.Span) {
	if !c.full {
		c.errorAt(span, "limit.transitions", fmt.Sprintf("too many transitions after expanding families (maximum %d)", MaxTransitions))
	}
	c.full = true
}

func (c *compiler) move(st moveLine, b *binding) {
	from, to := c.state(st.from, b), c.state(st.to, b)
	for _, l := range st.labels {
		if len(c.p.Transitions) == MaxTransitions {
			c.tooMany(l.span)
			return
		}
		t := Transition{From: from, To: to, Span: l.span, Production: -1}
		if len(st.labels) == 1 {
			c.whole[l.span] = st.from.Span.Join(l.span)
			if st.text != nil {
				c.whole[l.span] = st.from.Span.Join(st.text.Span)
			}
		}
		t.Read, t.ReadAny = symbolOf(l.read, b)
		t.Pop, t.PopAny = symbolOf(l.pop, b)
		for i, push := range l.push {
			name, any := symbolOf(push, b)
			switch {
			case any && i < len(l.push)-1:
				c.errorAt(push.Span, "pda.keep", "* must be last: the popped symbol stays below the pushed ones")
			case any && t.Pop == "" && !t.PopAny:
				c.errorAt(push.Span, "pda.keep", "* has no value: this transition pops no symbol")
			case any && t.Pop != "":
				t.Push = append(t.Push, t.Pop)
			case any:
				t.Keep = true
			case name != "":
				t.Push = append(t.Push, name)
			}
		}
		if st.text != nil {
			t.Label = interpolate(st.text.Text, b)
		}
		c.p.Transitions = append(c.p.Transitions, t)
	}
}

// symbolOf returns a letter or stack symbol: "" for ε, any for *.
func symbolOf(t lines.Token, b *binding) (name string, any bool) {
	if t.Kind == lines.Word {
		switch t.Text {
		case "ε", "%empty":
			return "", false
		case "*":
			return "", true
		}
	}
	return resolve(t, b), false
}

// like returns the state that a misspelt short name probably means: the nearest name, or else the
// last that differs in one letter, or else the start.
func (c *compiler) like(name string, states []string) string {
	near := source.Nearest(name, states)
	if near != "" {
		return near
	}
	for _, s := range states {
		if source.Distance(name, s, 2) == 1 && (near == "" || s != c.p.States[c.p.Start]) {
			near = s
		}
	}
	return near
}
