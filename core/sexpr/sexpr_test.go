package sexpr_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// shape formats a tree without its spans.
func shape(nodes []*sexpr.Node) string {
	var parts []string
	for _, n := range nodes {
		switch n.Kind {
		case sexpr.KindList:
			parts = append(parts, "("+shape(n.Items)+")")
		case sexpr.KindString:
			parts = append(parts, sexpr.Quote(n.Text))
		default:
			parts = append(parts, n.Text)
		}
	}
	return strings.Join(parts, " ")
}

func TestParseRecovers(t *testing.T) {
	for _, c := range []struct{ text, want, code, at string }{
		{"", "", "", ""},
		{"(a b (c \"d e\") ())", `(a b (c "d e") ())`, "", ""},
		{"a ; note\n# note (\nb", "a b", "", ""},
		{"a#b", "a#b", "", ""},
		{`"say \"hi\" \\ \n (it's)"`, `"say \"hi\" \\ \\n (it's)"`, "", ""},
		{"(a (b c)", "(a (b c))", "sexpr.open", "("},
		{"(a) ) b", "(a) b", "sexpr.close", ")"},
		{"(a \"b c\n d)", `(a "b c" d)`, "sexpr.string", "\"b c"},
		{"(a\"b\"c;d\n)", `(a "b" c)`, "", ""},
	} {
		file := source.NewFile("t", c.text)
		parsed, found := sexpr.Parse(file)
		if got := shape(parsed.Nodes); got != c.want {
			t.Errorf("%q: read %s, want %s", c.text, got, c.want)
		}
		switch {
		case c.code == "" && len(found) > 0:
			t.Errorf("%q: %v", c.text, found)
		case c.code != "" && (len(found) != 1 || found[0].Code != c.code || file.Slice(found[0].Span) != c.at):
			t.Errorf("%q: %v, want %s at %q", c.text, found, c.code, c.at)
		}
	}
}

func TestMillionParenthesesGiveOneDiagnostic(t *testing.T) {
	for _, text := range []string{strings.Repeat("(", 1<<20), strings.Repeat("( ", 1<<19)} {
		if _, found := sexpr.Parse(source.NewFile("t", text)); len(found) != 1 || found[0].Code != "sexpr.depth" {
			t.Errorf("%d diagnostics", len(found))
		}
	}
}

const long = "a-rather-long-name-that-fills-a-line another-rather-long-name-that-fills-it and-a-third-one"

func TestFormatBreaksLongListsAndKeepsComments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"(a   b\n c)", "(a b c)\n"},
		{"(next " + long + ")", "(next a-rather-long-name-that-fills-a-line\n      another-rather-long-name-that-fills-it\n      and-a-third-one)\n"},
		{"(:x " + long + ")", "(:x\n  a-rather-long-name-that-fills-a-line\n  another-rather-long-name-that-fills-it\n  and-a-third-one)\n"},
		{"; top\n(a ; first\n b)\n; end", "; top\n(a  ; first\n b)\n\n; end\n"},
		{"(a\n ; inside\n b\n ; last\n)", "(a\n  ; inside\n  b\n  ; last\n  )\n"},
		{"(a) (b)", "(a)\n\n(b)\n"},
	} {
		parsed, _ := sexpr.Parse(source.NewFile("t", c.text))
		if got := parsed.Format(); got != c.want {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

func FuzzFormatKeepsTheMeaningAndSettles(f *testing.F) {
	for _, seed := range []string{
		"(a b)", "; c\n(a ; x\n b)", "(define x (:states (a (:text \"[A]\"))) (:behavior (next a b)))", "(" + long + ")",
		"(a\n\n\n b ;c\n ;d\n)", "\"a\nb\" c", "(;x\n)", "((a) ;y\n (b))", "a ;1\n;2\n\n;3", "(define ;n\n x y " + long + ")",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, found := sexpr.Parse(source.NewFile("t", text))
		for _, d := range found {
			if d.Span.Start < 0 || int(d.Span.End) > len(text) || d.Span.Start > d.Span.End {
				t.Fatalf("a diagnostic lies outside the text: %+v", d)
			}
		}
		if len(found) > 0 {
			return
		}
		once := parsed.Format()
		again, found := sexpr.Parse(source.NewFile("t", once))
		if len(found) > 0 || shape(again.Nodes) != shape(parsed.Nodes) {
			t.Fatalf("formatting changes the meaning:\n%q\n%q\n%v", text, once, found)
		}
		if strings.Count(text, ";")+strings.Count(text, "#") > 0 && commentCount(text) != commentCount(once) {
			t.Fatalf("formatting loses a comment:\n%q\n%q", text, once)
		}
		if twice := again.Format(); twice != once {
			t.Fatalf("formatting does not settle:\n%q\n%q\n%q", text, once, twice)
		}
	})
}

func commentCount(text string) int {
	n := 0
	for t := range sexpr.Tokens(text) {
		if t.Kind == sexpr.TokenComment {
			n++
		}
	}
	return n
}
