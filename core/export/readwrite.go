package export

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/grammar"
)

// write returns the rules in .cfg. Groups and repetitions become separate rules, named
// after the rule that contains them.
func (p *reader) write() string {
	w := &cfgWriter{taken: map[string]bool{}, rules: map[string]string{}, isTerminal: map[string]bool{}}
	for _, r := range p.list {
		r.body.each(func(t *tree) {
			if t.kind == treeTerminal {
				w.isTerminal[Spell(t.part)] = true
				w.taken[Spell(t.part)] = true
			}
		})
	}
	for _, r := range p.list {
		w.taken[r.name] = true
		w.rules[r.name] = r.name
	}
	// Rules with the name of a terminal, and instances of templates, get new names.
	for _, r := range p.list {
		base, _, instance := strings.Cut(r.name, "{")
		if w.isTerminal[r.name] || instance {
			w.rules[r.name] = w.fresh(base)
		}
	}
	w.out.WriteString("%start " + grammar.Quote(w.rules[p.root]) + "\n")
	for _, r := range p.list {
		w.line(w.rules[r.name], r.body)
	}
	return w.out.String()
}

type cfgWriter struct {
	taken      map[string]bool
	isTerminal map[string]bool
	rules      map[string]string
	out        strings.Builder
}

func (w *cfgWriter) fresh(name string) string {
	for n := 1; ; n++ {
		if out := fmt.Sprintf("%s-%d", name, n); !w.taken[out] {
			w.taken[out] = true
			return out
		}
	}
}

// line writes a rule, followed by the rules that it needs.
func (w *cfgWriter) line(name string, body *tree) {
	l := cfgLine{w: w, name: name}
	alternatives := []*tree{body}
	if body.kind == treeChoice {
		alternatives = body.of
	}
	var parts []string
	for _, alternative := range alternatives {
		l.symbols = nil
		l.flatten(alternative)
		if len(l.symbols) == 0 {
			l.symbols = []string{"ε"}
		}
		parts = append(parts, strings.Join(l.symbols, " "))
	}
	w.out.WriteString(grammar.Quote(name) + " -> " + strings.Join(parts, " | ") + "\n")
	for _, write := range l.deferred {
		write()
	}
}

type cfgLine struct {
	w        *cfgWriter
	name     string
	symbols  []string
	deferred []func()
}

func (l *cfgLine) add(name string) { l.symbols = append(l.symbols, grammar.Quote(name)) }

// helper returns the name of a new rule for a tree.
func (l *cfgLine) helper(body *tree) string {
	fresh := l.w.fresh(l.name)
	l.deferred = append(l.deferred, func() { l.w.line(fresh, body) })
	return fresh
}

// quoteSign returns the name of a terminal as written in .cfg. A name without a letter or a digit is
// in quotes, because it looks like an operator of another notation.
func quoteSign(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '⟨' }) {
		return grammar.Quote(name)
	}
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), `"`, `\"`) + `"`
}

var emptyTree = &tree{kind: treeSequence}

// flatten returns the symbols of a tree.
func (l *cfgLine) flatten(t *tree) {
	switch t.kind {
	case treeTerminal:
		l.symbols = append(l.symbols, quoteSign(Spell(t.part)))
	case treeRule:
		l.add(l.w.rules[t.name])
	case treeSequence:
		for _, part := range t.of {
			l.flatten(part)
		}
	case treeChoice:
		if len(t.of) == 1 {
			l.flatten(t.of[0])
			return
		}
		l.add(l.helper(t))
	case treeRepeat:
		l.repeat(t)
	}
}

// maxInline limits the repetitions that are written out within a rule.
const maxInline = 100

func (l *cfgLine) repeat(t *tree) {
	if max(t.least, t.most) > maxInline { // a separate rule, so that no right side is too long
		fresh := l.w.fresh(l.name)
		l.add(fresh)
		l.deferred = append(l.deferred, func() { l.w.repeat(fresh, t) })
		return
	}
	for range t.least {
		l.flatten(t.of[0])
	}
	if t.most < 0 { // again -> f again | ε
		fresh := l.w.fresh(l.name)
		l.w.rules[fresh] = fresh
		again := &tree{kind: treeRule, name: fresh}
		l.add(fresh)
		l.deferred = append(l.deferred, func() {
			l.w.line(fresh, &tree{kind: treeChoice, of: []*tree{{kind: treeSequence, of: []*tree{t.of[0], again}}, emptyTree}})
		})
		return
	}
	if t.most > t.least { // (f (f …)?)?
		rest := &tree{kind: treeRepeat, of: t.of, most: t.most - t.least - 1}
		l.add(l.helper(&tree{kind: treeChoice, of: []*tree{{kind: treeSequence, of: []*tree{t.of[0], rest}}, emptyTree}}))
	}
}

// repeat writes a long repetition with a rule for the element, and one for each number of
// further repetitions.
func (w *cfgWriter) repeat(name string, t *tree) {
	one := w.fresh(name)
	w.line(one, t.of[0])
	one = grammar.Quote(one)
	right := strings.Repeat(one+" ", t.least)
	if t.most < 0 {
		again := w.fresh(name)
		w.out.WriteString(grammar.Quote(again) + " -> " + one + " " + grammar.Quote(again) + " | ε\n")
		right += grammar.Quote(again)
	}
	follows := ""
	for range t.most - t.least {
		follows = grammar.Quote(w.rule(name, strings.TrimSpace(one+" "+follows)+" | ε"))
	}
	w.out.WriteString(grammar.Quote(name) + " -> " + strings.TrimSpace(right+follows) + "\n")
}

// rule writes a rule with a new name and returns the name.
func (w *cfgWriter) rule(base, right string) string {
	name := w.fresh(base)
	w.out.WriteString(grammar.Quote(name) + " -> " + right + "\n")
	return name
}
