package grammar_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// lint returns the diagnostics of a text, without those that every small text has.
func lint(text string) (*source.File, []source.Diagnostic) {
	file := source.NewFile("g.cfg", text)
	syntax, found := grammar.Parse(file)
	g, more := grammar.Compile(syntax, "")
	found = append(found, more...)
	if g != nil && !source.HasErrors(found) {
		found = append(found, g.CheckLimits(meter.New(meter.Budget{}))...)
	}
	return file, found
}

// Syntax of other notations: the place, the message and the text after the first fix.
// Valid text has no error.
func TestSyntaxOfOtherNotationsIsReported(t *testing.T) {
	for _, c := range []struct{ text, at, message, fixed string }{
		{"S -> (a | b) c", "(a", `"(a" is one terminal; rules do not support groups`, "S -> S1 c\nS1 -> a | b"},
		{"S -> ( a | b ) c\n", "(", `"(" is a terminal; rules do not support groups`, "S -> S1 c\nS1 -> a | b\n"},
		{"S -> { a | b } c", "{", `"{" is a terminal; rules do not support groups`, "S -> S2 c\nS1 -> a | b\nS2 -> S1 S2 | ε"},
		{"S -> a*", "a*", `"a*" is one terminal; rules do not support the operator "*"`, "S -> S1\nS1 -> a S1 | ε"},
		{"S -> a+ b", "a+", `"a+" is one terminal; rules do not support the operator "+"`, "S -> S1 b\nS1 -> a S1 | a"},
		{"S -> a? b", "a?", `"a?" is one terminal; rules do not support the operator "?"`, "S -> S1 b\nS1 -> a | ε"},
		{"S -> T* b\nT -> a", "T*", `"T*" is one terminal; rules do not support the operator "*"`, "S -> S1 b\nS1 -> T S1 | ε\nT -> a"},
		{"S -> [a] b", "[a]", `"[a]" is one terminal; rules do not support groups`, "S -> S1 b\nS1 -> a | ε"},
		{"S -> {a b} c", "{a", `"{a" is one terminal; rules do not support groups`, "S -> S2 c\nS1 -> a b\nS2 -> S1 S2 | ε"},
		{"S -> (a b)* c # note", "(a", `"(a" is one terminal; rules do not support groups`, "S -> S2 c # note\nS1 -> a b\nS2 -> S1 S2 | ε"},
		{"S -> (a (b | c))+\nS1 -> d", "(a", `"(a" is one terminal; rules do not support groups`, "S -> S4\nS2 -> b | c\nS3 -> a S2\nS4 -> S3 S4 | S3\nS1 -> d"},
		{"S -> d\n  | (a | b) c\n  | e\nT -> f", "(a", `"(a" is one terminal; rules do not support groups`, "S -> d\n  | S1 c\n  | e\nS1 -> a | b\nT -> f"},
		{"S -> ( a b )* c", ")*", `")*" is one terminal; rules do not support groups`, "S -> S2 c\nS1 -> a b\nS2 -> S1 S2 | ε"},
		{"S -> a;", "a;", `";" is part of the symbol "a;"`, "S -> a"},
		{"S -> a T;\nT -> b;", "T;", `";" is part of the symbol "T;"`, "S -> a T\nT -> b;"},
		{"S -> a ;", ";", `";" is a terminal; rules end at the end of the line`, "S -> a "},
		{"S -> 'a' B\nB -> b", "'a'", `"'a'" includes its quotation marks; quote with "`, "S -> \"a\" B\nB -> b"},
		{"S -> 'two words' b", "'two words'", `"'two words'" includes its quotation marks; quote with "`, "S -> \"two words\" b"},
		{"S -> “a” b", "“a”", `"“a”" includes its quotation marks; quote with "`, "S -> \"a\" b"},
		{"S -> `a`", "`a`", "\"`a`\" includes its quotation marks; quote with \"", "S -> \"a\""},
		{"S -> a // note here", "// note here", `"//" is part of a terminal; comments begin with #`, "S -> a # note here"},
		{"S -> a //note", "//note", `"//" is part of a terminal; comments begin with #`, "S -> a #note"},
		{"S -> a /* note */", "/* note */", `"/*" is part of a terminal; comments begin with #`, "S -> a # note"},
		{"S -> epsilon | a", "epsilon", `"epsilon" is a terminal; write ε for the empty word`, "S -> ε | a"},
		{"S -> a S | eps", "eps", `"eps" is a terminal; write ε for the empty word`, "S -> a S | ε"},
		{"S -> a S | lambda", "lambda", `"lambda" is a terminal; write ε for the empty word`, "S -> a S | ε"},
		{"S -> a S | λ", "λ", `"λ" is a terminal; write ε for the empty word`, "S -> a S | ε"},
		{"S -> a S | empty", "empty", `"empty" is a terminal; write ε for the empty word`, "S -> a S | ε"},
		{"S -> a <verb>\nverb -> go", "<verb>", `"<verb>" has no rule; did you mean "verb"?`, "S -> a verb\nverb -> go"},
		{"<s> -> a <verb>\n<verbs> -> go", "<verb>", `"<verb>" has no rule; did you mean "<verbs>"?`, "<s> -> a <verbs>\n<verbs> -> go"},
		{"S ->", ">", "empty alternative; write ε to make it explicit", "S -> ε"},
		{"S -> a |", "|", "empty alternative; write ε to make it explicit", "S -> a | ε"},
		{"S -> | a", ">", "empty alternative; write ε to make it explicit", "S -> ε | a"},
		{"S -> a a\nlimit 1 each", "1", "no word satisfies the limits", "-"},
		{"S -> a b | c c\nlimit 0 b\nlimit 1 c", "0", "no word satisfies the limits", "-"},
		{"S = a", "S = a", `missing arrow "->" in this rule`, "S -> a"},
		{"S : a | b\n  | c", "S : a | b", `missing arrow "->" in this rule`, "S -> a | b\n  | c"},
		{"S: a", "S: a", `missing arrow "->" in this rule`, "S -> a"},
		{"S := a", "S := a", `missing arrow "->" in this rule`, "S -> a"},
		{"S --> a", "S --> a", `missing arrow "->" in this rule`, "S -> a"},
		{"S => a", "S => a", `missing arrow "->" in this rule`, "S -> a"},
		{"S ⇒ a", "S ⇒ a", `missing arrow "->" in this rule`, "S -> a"},
		{"start S\nS -> a", "start S", `missing arrow "->" in this rule`, "%start S\nS -> a"},
		{"start: S\nS -> a", "start: S", `missing arrow "->" in this rule`, "%start S\nS -> a"},
		{"// note\nS -> a", "// note", `missing arrow "->" in this rule`, "# note\nS -> a"},
		// These texts have no such diagnostics.
		{"E -> E + T | T\nT -> T * F | F\nF -> ( E ) | id", "", "", ""},
		{"S -> f(x) g(x,y) a:b 3/4 c++ i?x --flag <= >= -> \nT -> S", "", "", ""},
		{"S -> {\"a\":[ T }] ,{\"b\":2}\nT -> {x:1 }] ([])", "", "", ""},
		{"S -> \"(a\" | \"b)\" \"a*\" \"'q'\" \"//\" \";\" \"epsilon\"", "", "", ""},
		{"Stmt -> E ; Stmt | E ;\nE -> x", "", "", ""},
		{"S -> a b\nlimit 1 each", "", "", ""},
		{"eps -> a\nS -> eps", "", "", ""},
		{"S -> <op> op\n<op> -> a", "", "", ""},
		{"S -> ε | a |  ε b as \"x\"", "", "", ""},
	} {
		file, all := lint(c.text)
		var found []source.Diagnostic
		for _, d := range all {
			if strings.HasPrefix(d.Code, "cfg.habit") || d.Code == "cfg.empty-silent" || d.Code == "cfg.limit-empty" || d.Severity == source.SeverityError && d.Code != "cfg.no-rules" && d.Code != "cfg.arrow-twice" {
				found = append(found, d)
			}
		}
		if c.message == "" {
			if len(found) > 0 {
				t.Errorf("%q: %v", c.text, found)
			}
			continue
		}
		if len(found) == 0 {
			t.Errorf("%q: nothing is said", c.text)
			continue
		}
		d, fixed := found[0], "-"
		if len(d.Fixes) > 0 {
			fixed = source.Apply(c.text, d.Fixes[0].Edits)
		}
		if at := file.Slice(d.Span); at != c.at || d.Message != c.message || fixed != c.fixed {
			t.Errorf("%q:\n%q %s → %q, want\n%q %s → %q", c.text, at, d.Message, fixed, c.at, c.message, c.fixed)
		}
		if d.Code == "cfg.habit" && len(d.Fixes) > 1 {
			quoted := source.Apply(c.text, d.Fixes[1].Edits)
			if _, again := lint(quoted); source.HasErrors(again) {
				t.Errorf("%q: quoted, %q: %v", c.text, quoted, again)
			}
		}
	}
}
