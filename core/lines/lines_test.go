package lines

import (
	"fmt"
	"strings"
	"testing"
)

// list formats tokens with their spans.
func list(tokens []Token) string {
	var out []string
	for _, t := range tokens {
		text := fmt.Sprintf("%s%q@%d-%d", [...]string{"word", "text", "arrow", "mark", "comment", "line"}[t.Kind], t.Text, t.Span.Start, t.Span.End)
		if t.Open {
			text += "!"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestLex(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `line""@0-0`},
		{"a b\n", `word"a"@0-1 word"b"@2-3 line""@3-4 line""@4-4`},
		{"a->b -> →", `word"a->b"@0-4 arrow"->"@5-7 arrow"→"@8-11 line""@11-11`},
		{"a# no # yes \t\nb", `word"a#"@0-2 word"no"@3-5 comment"# yes"@6-13 line""@13-14 word"b"@14-15 line""@15-15`},
		{`(a,b;c)[d]`, `mark"("@0-1 word"a"@1-2 mark","@2-3 word"b"@3-4 mark";"@4-5 word"c"@5-6 mark")"@6-7 mark"["@7-8 word"d"@8-9 mark"]"@9-10 line""@10-10`},
		{`"a b" "c\"d\\e\f"`, `text"a b"@0-5 text"c\"d\\e\\f"@6-17 line""@17-17`},
		{"\"open\nb", `text"open"@0-5! line""@5-6 word"b"@6-7 line""@7-7`},
		{`"\"`, `text"\""@0-3! line""@3-3`},
		{`"\`, `text"\\"@0-2! line""@2-2`},
		{`"a\\"b`, `text"a\\"@0-5 word"b"@5-6 line""@6-6`},
		{"a(b", `word"a"@0-1 mark"("@1-2 word"b"@2-3 line""@3-3`},
		{`a"b"`, `word"a"@0-1 text"b"@1-4 line""@4-4`},
		{"x{i+1 } {b}", `word"x{i+1 }"@0-7 mark"{"@8-9 word"b"@9-10 mark"}"@10-11 line""@11-11`},
		{"x{i\n}", `word"x"@0-1 mark"{"@1-2 word"i"@2-3 line""@3-4 mark"}"@4-5 line""@5-5`},
		{"x{(}y)", `word"x{(}y"@0-5 mark")"@5-6 line""@6-6`},
		{"ä\u00a0ö", `word"ä"@0-2 word"ö"@4-6 line""@6-6`},
	} {
		if got := list(Lex(c.text)); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestTokenIs(t *testing.T) {
	list := Lex(`a "b" ( -> "c`)
	for i, want := range []struct{ is, name bool }{{true, true}, {false, true}, {true, false}, {false, false}, {false, false}} {
		token := list[i]
		if token.Is(token.Text) != want.is || token.IsName() != want.name || token.Is("other") {
			t.Errorf("%+v: Is %v, IsName %v", token, token.Is(token.Text), token.IsName())
		}
	}
}

func TestFormat(t *testing.T) {
	hangs := func(line []Token) bool { return line[0].Is("or") }
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"\n \n", ""}, {"a", "a\n"},
		{"  a   b  # c \n\n\n\nd\n\n", "a b  # c\n\nd\n"},
		{"a{\n", "a {\n"},
		{"a {\nb {\nc\n}\n}\nd", "a {\n  b {\n    c\n  }\n}\nd\n"},
		{"a {\n} b {\nc\n}", "a {\n} b {\n  c\n}\n"},
		{"}\na", "}\na\n"}, {"} {\nb\n}", "} {\nb\n}\n"},
		{"f ( a , b ;c ) [ d ]", "f (a, b; c) [d]\n"},
		{"q→r", "q→r\n"}, {"q → r", "q -> r\n"},
		{`x "a\"b" "open  `, "x \"a\\\"b\" \"open\n"},
		{"a\nor b\n{\nor c\n}", "a\n  or b\n{\n    or c\n}\n"},
		{"# first\n\na", "# first\n\na\n"},
		{`"(" a`, "\"(\" a\n"},
	} {
		got := Format(c.text, hangs)
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		if again := Format(got, hangs); again != got {
			t.Errorf("%q becomes %q, and that %q", c.text, got, again)
		}
	}
	if got := Format("or a", nil); got != "or a\n" {
		t.Errorf("without lines that hang: %q", got)
	}
	if got := Quote(`a"b\c`); got != `"a\"b\\c"` {
		t.Errorf("quoted it is %s", got)
	}
}
