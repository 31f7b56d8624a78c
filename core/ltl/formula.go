// Package ltl implements linear temporal logic over finite, non-empty traces (LTLf; De
// Giacomo and Vardi, IJCAI 2013). It parses and prints formulas, evaluates them on
// a trace, and translates them to minimal automata.
//
// A trace is a list of steps, each the set of the propositions that hold. The
// next operator comes in two strengths: X f states that there is a next step and that f
// holds there, WX f only that f holds there if there is one.
package ltl

import (
	"sort"
	"strings"
)

// Op is an operator of a formula, or the kind of a leaf.
type Op uint8

// The operators, leaves first. Prop has a name, the operators from Not to Globally have one
// argument, and the operators from And on have two.
const (
	True Op = iota
	False
	Last // there is no next step
	Prop
	Not
	Next     // X f: there is a next step, and f holds there
	WeakNext // WX f: if there is a next step, f holds there
	Finally  // F
	Globally // G
	And
	Or
	Implies
	Iff
	Until         // f U g: g holds at some step, and f until then
	Release       // f R g: g holds up to and including the first f, or to the end
	WeakUntil     // f W g: f U g, or f to the end
	StrongRelease // f M g: g holds up to and including an f, which must occur
)

// symbols are the operators as printed.
var symbols = [...]string{
	True: "true", False: "false", Last: "last", Not: "!", Next: "X", WeakNext: "WX", Finally: "F", Globally: "G",
	And: "&", Or: "|", Implies: "->", Iff: "<->", Until: "U", Release: "R", WeakUntil: "W", StrongRelease: "M",
}

// String returns the notation of the operator.
func (o Op) String() string { return symbols[o] }

// arity returns the number of an operator's arguments.
func (o Op) arity() int {
	switch {
	case o <= Prop:
		return 0
	case o <= Globally:
		return 1
	}
	return 2
}

// Formula is a formula. It is immutable, so parts may be shared.
type Formula struct {
	Op          Op
	Name        string   // of a Prop
	Left, Right *Formula // an operator of one argument has it on the left
}

// NewProp returns a proposition.
func NewProp(name string) *Formula { return &Formula{Op: Prop, Name: name} }

// New returns an operator applied to its arguments.
func New(op Op, arguments ...*Formula) *Formula {
	f := &Formula{Op: op}
	if len(arguments) > 0 {
		f.Left = arguments[0]
	}
	if len(arguments) > 1 {
		f.Right = arguments[1]
	}
	return f
}

// Props returns the propositions that occur, sorted.
func (f *Formula) Props() []string {
	out := []string{}
	seen := map[string]bool{}
	f.eachProp(func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	})
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// eachProp calls visit with every proposition, from left to right, as often as it
// occurs.
func (f *Formula) eachProp(visit func(name string)) {
	for ; f != nil; f = f.Right {
		if f.Op == Prop {
			visit(f.Name)
		}
		f.Left.eachProp(visit)
	}
}

// binding returns the precedence of an operator; that of a leaf is the highest.
func (o Op) binding() int {
	switch o {
	case Iff:
		return 1
	case Implies:
		return 2
	case Or:
		return 3
	case And:
		return 4
	case Until, Release, WeakUntil, StrongRelease:
		return 5
	case Not, Next, WeakNext, Finally, Globally:
		return 6
	}
	return 7
}

// String returns the formula without redundant parentheses; [Parse] reads it back.
func (f *Formula) String() string {
	var b strings.Builder
	f.print(&b, 0)
	return b.String()
}

// print writes a formula, in parentheses if its operator binds less strongly than least.
func (f *Formula) print(b *strings.Builder, least int) {
	open := 0
	for {
		own := f.Op.binding()
		if own < least {
			b.WriteByte('(')
			open++
		}
		least = own
		if f.Op == Prop {
			b.WriteString(quoteName(f.Name))
			break
		}
		if f.Op.arity() == 2 {
			// & and | may be read either way; the others group to the right.
			f.Left.print(b, own+1)
			b.WriteByte(' ')
		}
		b.WriteString(f.Op.String())
		if f.Op.arity() == 0 {
			break
		}
		if f.Op != Not {
			b.WriteByte(' ')
		}
		if f.Op.arity() == 1 {
			f = f.Left
		} else {
			f = f.Right
		}
	}
	b.WriteString(strings.Repeat(")", open))
}

// quoteName returns a proposition in the form that [Parse] reads back.
func quoteName(name string) string {
	if end := identifier(name); end == len(name) && end > 0 {
		if _, reserved := words[name]; !reserved {
			return name
		}
	}
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), `"`, `\"`) + `"`
}
