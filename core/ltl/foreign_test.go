package ltl_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
)

// Formulas in other notations: the place, the message, and the text after the fix ("-"
// for none).
func TestForeignOperatorsAreReportedAndFixed(t *testing.T) {
	for _, c := range []struct{ text, at, message, fixed string }{
		{"G(a => F b)", "=>", `unknown operator "=>"; write "->"`, "G(a -> F b)"},
		{"G (a implies b)", "implies", `unknown operator "implies"; write "->"`, "G (a -> b)"},
		{"a --> b", "-->", `unknown operator "-->"; write "->"`, "a -> b"},
		{"a ==> b", "==>", `unknown operator "==>"; write "->"`, "a -> b"},
		{"a ⇒ b", "⇒", `unknown operator "⇒"; write "->"`, "a -> b"},
		{"a <=> b", "<=>", `unknown operator "<=>"; write "<->"`, "a <-> b"},
		{"a <--> b", "<-->", `unknown operator "<-->"; write "<->"`, "a <-> b"},
		{"a ⇔ b", "⇔", `unknown operator "⇔"; write "<->"`, "a <-> b"},
		{"a iff b", "iff", `unknown operator "iff"; write "<->"`, "a <-> b"},
		{"a == b", "==", `unknown operator "=="; write "<->"`, "a <-> b"},
		{"a = b", "=", `unknown operator "="; write "<->"`, "a <-> b"},
		{"a != b", "!=", `unknown operator "!="; write "<-> !"`, "a <-> ! b"},
		{"a xor b", "xor", `unknown operator "xor"; write "<-> !"`, "a <-> ! b"},
		{"a ^ b", "^", `unknown operator "^"; write "<-> !"`, "a <-> ! b"},
		{"a ⊕ b", "⊕", `unknown operator "⊕"; write "<-> !"`, "a <-> ! b"},
		{`a /\ b`, `/\`, `unknown operator "/\\"; write "&"`, "a & b"},
		{`a \/ b`, `\/`, `unknown operator "\\/"; write "|"`, "a | b"},
		{"a &&& b", "&&&", `unknown operator "&&&"; write "&&"`, "a && b"},
		{"a ||| b", "|||", `unknown operator "|||"; write "||"`, "a || b"},
		{"a and b", "and", `unknown operator "and"; write "&"`, "a & b"},
		{"a AND b", "AND", `unknown operator "AND"; write "&"`, "a & b"},
		{"a or b", "or", `unknown operator "or"; write "|"`, "a | b"},
		{"G (a OR b)", "OR", `unknown operator "OR"; write "|"`, "G (a | b)"},
		{"not a", "not", `unknown operator "not"; write "!"`, "! a"},
		{"not a U b", "not", `unknown operator "not"; write "!"`, "! a U b"},
		{"NOT (a)", "NOT", `unknown operator "NOT"; write "!"`, "! (a)"},
		{"G not a", "not", `unknown operator "not"; write "!"`, "G ! a"},
		{"always a", "always", `unknown operator "always"; write "G"`, "G a"},
		{"Always (a)", "Always", `unknown operator "Always"; write "G"`, "G (a)"},
		{"globally a", "globally", `unknown operator "globally"; write "G"`, "G a"},
		{"never a", "never", `unknown operator "never"; write "G !"`, "G ! a"},
		{"eventually a", "eventually", `unknown operator "eventually"; write "F"`, "F a"},
		{"finally a", "finally", `unknown operator "finally"; write "F"`, "F a"},
		{"next a", "next", `unknown operator "next"; write "X"`, "X a"},
		{"a until b", "until", `unknown operator "until"; write "U"`, "a U b"},
		{"a release b", "release", `unknown operator "release"; write "R"`, "a R b"},
		{"a V b", "V", `unknown operator "V"; write "R"`, "a R b"},
		{"a unless b", "unless", `unknown operator "unless"; write "W"`, "a W b"},
		{"GF a", "GF", `unknown operator "GF"; write "G F"`, "G F a"},
		{"FG a", "FG", `unknown operator "FG"; write "F G"`, "F G a"},
		{"XX a", "XX", `unknown operator "XX"; write "X X"`, "X X a"},
		{"XXX(a)", "XXX", `unknown operator "XXX"; write "X X X"`, "X X X(a)"},
		{"AG a", "AG", `unknown operator "AG"; write "G"`, "G a"},
		{"always eventually a", "always", `unknown operator "always"; write "G"`, "G F a"},
		{"safe: always (a implies eventually b)", "always", `unknown operator "always"; write "G"`, "safe: G (a -> F b)"},
		{"G (a and not b => F c)", "and", `unknown operator "and"; write "&"`, "G (a & ! b -> F c)"},
		{"safe: G !refund\nlive: F answer", "live: F answer", "formulas are separated by a blank line", "safe: G !refund\n\nlive: F answer"},
		{"G a\nF b", "F b", "formulas are separated by a blank line", "G a\n\nF b"},
		{"G a\n  F b\nX c\n", "F b", "formulas are separated by a blank line", "G a\n  \nF b\n\nX c\n"},
		{"# rules\nG a\n# more\nF b", "F b", "formulas are separated by a blank line", "# rules\nG a\n# more\n\nF b"},
		{"safe: always a\nmy rule: a => b", "always", `unknown operator "always"; write "G"`, "safe: G a\n\nmy_rule: a -> b"},
		{"my rule: G a", "my rule", `formula names have no blanks; write "my_rule"`, "my_rule: G a"},
		{"no refund before approval : G a", "no refund before approval", `formula names have no blanks; write "no_refund_before_approval"`, "no_refund_before_approval : G a"},
		{"P a", "P", `past operator "P" is not supported; formulas look forward`, "-"},
		{"G (a -> O b)", "O", `past operator "O" is not supported; formulas look forward`, "!a W b"},
		{"G (a -> H b)", "H", `past operator "H" is not supported; formulas look forward`, "G(!b -> G !a)"},
		{"G (a -> Y b)", "Y", `past operator "Y" is not supported; formulas look forward`, "!a & G(X a -> b)"},
		{"b after a", "after", `unknown operator "after"; write W with the event that may not come first`, "!b W a"},
		{"whenever a, F b", "whenever", `unknown operator "whenever"; write "G(a -> b)"`, "G(a -> F b)"},
		{"!a weak until b", "weak until", `unknown operator "weak until"; write "W"`, "!a W b"},
		{"G(a -> F[1,2] b)", "F[1,2]", `operators have no time bounds such as "[1,2]"`, "G(a -> X (b | X b))"},
		{"G[0,1] a", "G[0,1]", `operators have no time bounds such as "[0,1]"`, "(a & WX a)"},
		{"G(n(a) <= 3)", "n(a) <= 3", `comparisons are not supported; quote it as one proposition: "n(a) <= 3"`, `G("n(a) <= 3")`},
		{"a S b", "S", `past operator "S" is not supported; formulas look forward`, "-"},
		{"H a", "H", `past operator "H" is not supported; formulas look forward`, "-"},
		{"Y a", "Y", `past operator "Y" is not supported; formulas look forward`, "-"},
		{"a since b", "since", `past operator "since" is not supported; formulas look forward`, "-"},
		{"always (once a)", "once", `past operator "once" is not supported; formulas look forward`, "-"},
		{"G a;", ";", `unexpected ";"; a blank line ends a formula`, "G a"},
		{"G a;\nF b;", ";", `unexpected ";"; a blank line ends a formula`, "G a\n\nF b"},
		{"G a; F b", ";", `unexpected ";"; a blank line ends a formula`, "G a\n\n F b"},
		{"G (a).", ".", `unexpected "."; a blank line ends a formula`, "G (a)"},
		{"G a // always", "//", `unexpected "//"; comments begin with #`, "G a # always"},
		{"-- safety\nG a", "--", `unexpected "--"; comments begin with #`, "# safety\nG a"},
		{"G ◯ a", "◯", `unknown operator "◯"; write "X"`, "G X a"},
		{"⊤ U a", "⊤", `unknown operator "⊤"; write "true"`, "true U a"},
		// Faults that are not of another notation.
		{"G (a", "(", `unmatched "(": missing ")"`, "G (a)"},
		{"a )", ")", `unmatched ")"`, "a "},
		{"a\n) b", ")", `unmatched ")"`, "a\n \nb"},
		{"a b", "b", `expected an operator such as -> or & before "b"`, `"a b"`},
		{"a &", "&", `unexpected operator "&" at the end of the formula`, "a "},
	} {
		_, found := ltl.Parse(source.NewFile("f.ltl", c.text))
		if len(found) != 1 {
			t.Errorf("%q: %v", c.text, found)
			continue
		}
		d := found[0]
		at, fixed := c.text[d.Span.Start:d.Span.End], "-"
		if len(d.Fixes) > 0 {
			fixed = source.Apply(c.text, d.Fixes[0].Edits)
			if _, left := ltl.Parse(source.NewFile("f.ltl", fixed)); len(left) > 0 {
				t.Errorf("%q: the fix gives %q: %v", c.text, fixed, left)
			}
		}
		if at != c.at || d.Message != c.message || fixed != c.fixed {
			t.Errorf("%q:\n%q %s → %q, want\n%q %s → %q", c.text, at, d.Message, fixed, c.at, c.message, c.fixed)
		}
	}
}

// A valid formula keeps its meaning, with any names.
func TestForeignOperatorsAreValidNames(t *testing.T) {
	for _, text := range []string{"not", "always & next", "G and", "P -> O & S", "once U since", "GF | FG", `"=>" U "//"`, "or: F or", "V"} {
		if _, found := ltl.Parse(source.NewFile("f.ltl", text)); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
	}
}

func TestFaultsOfParagraphsHavePositions(t *testing.T) {
	text := "ok: G a\n\nnot a\n\nb => c\n"
	_, found := ltl.Parse(source.NewFile("f.ltl", text))
	if len(found) != 2 {
		t.Fatal(found)
	}
	for i := len(found) - 1; i >= 0; i-- {
		text = source.Apply(text, found[i].Fixes[0].Edits)
	}
	if text != "ok: G a\n\n! a\n\nb -> c\n" {
		t.Errorf("%q", text)
	}
}

func TestMeantSeparatesOperatorsFromNames(t *testing.T) {
	known := func(name string) bool { return strings.Contains(" a Act-Inp ", " "+name+" ") }
	for name, want := range map[string]string{"Fa": "F a", "GFa": "G F a", "a.": "a", "XAct-Inp": "X Act-Inp", "TRUE": "true", "False": "false", "b": "", "Fb": "", "a..": "", "F": ""} {
		if got := ltl.Meant(name, known); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
