package view_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// rails prints a rail: [a b] is a sequence, (a|b) a choice, a? an option, a+ a loop, and a+b a loop
// with a separator.
func rails(r *view.Rail) string {
	var parts []string
	for _, part := range r.Of {
		parts = append(parts, rails(part))
	}
	switch r.Kind {
	case view.RailSequence:
		return "[" + strings.Join(parts, " ") + "]"
	case view.RailChoice:
		return "(" + strings.Join(parts, "|") + ")"
	case view.RailOptional:
		return parts[0] + "?"
	case view.RailLoop:
		return parts[0] + "+" + strings.Join(parts[1:], "")
	case view.RailEmpty:
		return "ε"
	case view.RailNote:
		return "«" + r.Text + "»"
	case view.RailNonterminal:
		return "<" + r.Text + ">"
	}
	if r.Label != "" {
		return r.Text + ":" + r.Label
	}
	return r.Text
}

func TestRailroads(t *testing.T) {
	for _, c := range []struct{ grammar, want string }{
		{"S -> a S b | ε", "S [a <S> b]?"},
		{"S -> a S | b", "S [a+? b]"},
		{"S -> S a | b c", "S [b c a+?]"},
		{"S -> a S | ε", "S a+?"},
		{"S -> a | a S", "S a+"},
		{"S -> x , S | x", "S x+,"},
		{"S -> S , x | x", "S x+,"},
		{"S -> S , ; x y | x y", "S [x y]+[, ;]"},
		{"S -> a S | b S | c d", "S [(a|b)+? c d]"},
		{"S -> S S | a", "S ([<S> <S>]|a)"},
		{"S -> a S | S b | c", "S ([a <S>]|[<S> b]|c)"},
		{"S -> S | a", "S (<S>|a)"},
		{"S -> a S", "S [a <S>]"},
		{"S -> ε", "S ε"},
		{"S -> a | b | ε", "S (a|b)?"},
		{"S -> T\n  | a\nT -> b\nS -> c", "S (<T>|a|c)\nT b"},
		{"S -> a as \"x\" | a b as \"y\"\nb as \"bee\"", "S (a:x|[a b:bee «y»])"},
		{"S -> m A\n%subset A x y", "S [m <A>]\nA [x? y?] at least one of them"},
	} {
		file := source.NewFile("in.cfg", c.grammar)
		syntax, _ := grammar.Parse(file)
		var lines []string
		for _, r := range view.Railroads(syntax, compile(t, c.grammar)) {
			if file.Slice(r.Span) != r.Name {
				t.Errorf("%q: the place of %s is %q", c.grammar, r.Name, file.Slice(r.Span))
			}
			if r.Start != (r.Name == "S") {
				t.Errorf("%q: %s is the start: %t", c.grammar, r.Name, r.Start)
			}
			lines = append(lines, strings.TrimSpace(r.Name+" "+rails(r.Rail)+" "+r.Note))
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.grammar, got, c.want)
		}
	}
}

// Each symbol of a diagram links to its occurrence in the text.
func TestRailsHaveThePlacesOfTheirSymbols(t *testing.T) {
	file := source.NewFile("in.cfg", "S -> a T | \"b c\" S | ε\n%subset T x y")
	syntax, _ := grammar.Parse(file)
	var check func(r *view.Rail)
	check = func(r *view.Rail) {
		if text := strings.Trim(file.Slice(r.Span), `"`); r.Text != text {
			t.Errorf("the place of %q is %q", r.Text, text)
		}
		for _, part := range r.Of {
			check(part)
		}
	}
	for _, r := range view.Railroads(syntax, compile(t, file.Text)) {
		check(r.Rail)
	}
}
