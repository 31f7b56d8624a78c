package sexpr_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// parsed parses a text without errors.
func parsed(t *testing.T, text string) *sexpr.File {
	t.Helper()
	f, found := sexpr.Parse(source.NewFile("t", text))
	if len(found) > 0 {
		t.Fatalf("%q: %v", text, found)
	}
	return f
}

func TestNodeSpans(t *testing.T) {
	file := source.NewFile("t", " (a \"b c\"\n (d)) e")
	f, _ := sexpr.Parse(file)
	var got []string
	var walk func(n *sexpr.Node)
	walk = func(n *sexpr.Node) {
		got = append(got, file.Slice(n.Span))
		for _, item := range n.Items {
			walk(item)
		}
	}
	for _, n := range f.Nodes {
		walk(n)
	}
	if want := "(a \"b c\"\n (d))|a|\"b c\"|(d)|d|e"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}

func TestHead(t *testing.T) {
	for text, want := range map[string]string{"(a b)": "a", "()": "", "a": "", `("a" b)`: "", "((a) b)": ""} {
		if got := parsed(t, text).Nodes[0].Head(); got != want {
			t.Errorf("the head of %s is %q", text, got)
		}
	}
	file := source.NewFile("t", `((a) b) () c`)
	f, _ := sexpr.Parse(file)
	for i, want := range []string{"(a)", "()", "c"} {
		if got := file.Slice(f.Nodes[i].Blame()); got != want {
			t.Errorf("the place to blame is %q, want %q", got, want)
		}
	}
}

func TestUnknownSuggestsNearestOrListsCandidates(t *testing.T) {
	n := parsed(t, "untill").Nodes[0]
	twelve := strings.Fields("a b c d e f g h i j k l")
	for _, c := range []struct {
		candidates []string
		want       string
		fixes      int
	}{
		{[]string{"next", "until"}, `unknown operator "untill"; did you mean "until"?`, 1},
		{[]string{"x", "y"}, `unknown operator "untill" (expected x, y)`, 0},
		{twelve, `unknown operator "untill" (expected ` + strings.Join(twelve, ", ") + ")", 0},
		{append(twelve, "m"), `unknown operator "untill"`, 0},
		{nil, `unknown operator "untill"`, 0},
	} {
		d := n.Unknown("a.b", "operator", c.candidates)
		if d.Message != c.want || d.Code != "a.b" || d.Span != n.Span || len(d.Fixes) != c.fixes {
			t.Errorf("%+v, want %q", d, c.want)
		}
		if c.fixes > 0 && (d.Fixes[0].Title != "Write until" || d.Fixes[0].Edits[0] != source.Edit{Span: n.Span, Text: "until"}) {
			t.Errorf("%+v", d.Fixes)
		}
	}
}

func TestPlacesOfStringBytes(t *testing.T) {
	file := source.NewFile("t", `x "a\"b\\\c"`)
	f, _ := sexpr.Parse(file)
	n := f.Nodes[1]
	at := n.Places(file)
	if len(at) != len(n.Text)+1 {
		t.Fatalf("%d places of %d bytes", len(at), len(n.Text))
	}
	for i := range len(n.Text) {
		written := file.Text[at[i]]
		if written == '\\' && i+1 < len(at) && at[i+1] == at[i]+2 {
			written = file.Text[at[i]+1]
		}
		if written != n.Text[i] {
			t.Errorf("byte %d, %q, is at %d, where %q stands", i, n.Text[i], at[i], written)
		}
	}
	if want := []source.Pos{3, 4, 6, 7, 9, 10, 11}; !slices.Equal(at, want) {
		t.Errorf("%v, want %v", at, want)
	}
	file = source.NewFile("t", `"\\\"\a\\" "b\\"`)
	f, _ = sexpr.Parse(file)
	if at, want := f.Nodes[0].Places(file), []source.Pos{1, 3, 5, 6, 7, 9}; !slices.Equal(at, want) {
		t.Errorf("%v, want %v", at, want)
	}
	if text := f.Nodes[1].Text; text != `b\` {
		t.Errorf("%q", text)
	}
}

func TestNestingLimit(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("(", n) + strings.Repeat(")", n) }
	parsed(t, nested(sexpr.MaxDepth))
	_, found := sexpr.Parse(source.NewFile("t", nested(sexpr.MaxDepth+1)))
	if len(found) != 1 || found[0].Code != "sexpr.depth" || found[0].Span.Start != sexpr.MaxDepth {
		t.Errorf("%+v", found)
	}
}

func TestUnclosedListsAreReportedOnce(t *testing.T) {
	for _, c := range []struct {
		text  string
		notes int
		at    source.Pos // of the note
	}{{"(a (b", 1, 3}, {"a (b", 0, 0}, {"(a (b (c) ", 1, 3}} {
		f, found := sexpr.Parse(source.NewFile("t", c.text))
		if len(found) != 1 || found[0].Code != "sexpr.open" || found[0].Span.Len() != 1 || len(found[0].Notes) != c.notes {
			t.Fatalf("%q: %+v", c.text, found)
		}
		if c.notes > 0 && (found[0].Notes[0].Span != source.Span{Start: c.at, End: c.at + 1} || !strings.HasPrefix(found[0].Notes[0].Message, "2 unclosed lists")) {
			t.Errorf("%q: %+v", c.text, found[0].Notes)
		}
		last := f.Nodes[len(f.Nodes)-1]
		if want := source.Pos(len(strings.TrimRight(c.text, " "))); last.Span.End != want {
			t.Errorf("%q: the list ends at %d, want %d", c.text, last.Span.End, want)
		}
	}
	_, found := sexpr.Parse(source.NewFile("t", "a\x00"))
	if len(found) != 1 || found[0].Code != "source.binary" {
		t.Errorf("%+v", found)
	}
}

func TestTokens(t *testing.T) {
	var got []string
	const text = "(a\u00a0b)\"c\\\"\"d;e \t\r\n#f\n\"open\ng\\"
	for token := range sexpr.Tokens(text) {
		s := [...]string{"atom", "string", "open", "close", "comment"}[token.Kind] + " " + token.Text + " " + text[token.Span.Start:token.Span.End]
		if token.Bad {
			s += " bad"
		}
		got = append(got, s)
	}
	want := []string{"open  (", "atom a a", "atom b b", "close  )", "string c\" \"c\\\"\"", "atom d d", "comment ;e ;e \t", "comment #f #f", "string open \"open bad", "atom g\\ g\\"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q\nwant %q", got, want)
	}
	// A consumer that stops receives no further token.
	n := 0
	for range sexpr.Tokens("a b c") {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d tokens", n)
	}
}

// fill returns an atom of n letters.
func fill(n int) string { return strings.Repeat("x", n) }

func TestFormatBreaksLinesAtEightyCharacters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(a " + fill(76) + ")", "(a " + fill(76) + ")\n"},
		{"(a " + fill(77) + ")", "(a " + fill(77) + ")\n"},
		{"(a b " + fill(74) + ")", "(a b " + fill(74) + ")\n"},
		{"(a b " + fill(75) + ")", "(a b\n   " + fill(75) + ")\n"},
		{"(:a b " + fill(75) + ")", "(:a\n  b\n  " + fill(75) + ")\n"},
		{"(äb c " + strings.Repeat("ö", 73) + ")", "(äb c " + strings.Repeat("ö", 73) + ")\n"},
		{"(abc d " + fill(74) + ")", "(abc d\n     " + fill(74) + ")\n"},
		{"(äbc d " + fill(74) + ")", "(äbc d\n     " + fill(74) + ")\n"},
		{"(define a b " + fill(80) + ")", "(define a\n  b\n  " + fill(80) + ")\n"},
		{"(" + fill(20) + " a " + fill(60) + ")", "(" + fill(20) + " a\n" + strings.Repeat(" ", 22) + fill(60) + ")\n"},
		{"(" + fill(21) + " a " + fill(60) + ")", "(" + fill(21) + "\n  a\n  " + fill(60) + ")\n"},
		{"((a) b " + fill(80) + ")", "((a)\n b\n " + fill(80) + ")\n"},
		{"(" + fill(90) + ")", "(" + fill(90) + ")\n"},
		{"(\"a\nb\" c)", "(\"a\nb\"\n c)\n"},
		{"(a \"b\nc\" d)", "(a \"b\nc\"\n   d)\n"},
		{"((next b " + fill(72) + ") c)", "((next b\n       " + fill(72) + ")\n c)\n"},
		{"(next (define a b " + fill(70) + ") c)", "(next (define a\n        b\n        " + fill(70) + ")\n      c)\n"},
	} {
		got := parsed(t, c.text).Format()
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		if again := parsed(t, got).Format(); again != got {
			t.Errorf("%q does not settle: %q", got, again)
		}
	}
}

func TestFormatKeepsCommentsAndEmptyLines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\nb", "a\nb\n"}, {"a\n\n\nb", "a\n\nb\n"}, {"a\n(b)", "a\n\n(b)\n"}, {"a ; x\nb", "a  ; x\nb\n"},
		{"; only", "; only\n"}, {"a\n; end\n; more", "a\n\n; end\n; more\n"}, {"; x\n\na", "; x\na\n"}, {"a\n\n; x\nb", "a\n\n; x\nb\n"},
		{"(a b ; x\n)", "(a b  ; x\n   )\n"}, {"(; x\n a b)", "(; x\n a\n b)\n"}, {"(a ; x\n ; y\n b)", "(a  ; x\n ; y\n b)\n"},
		{"(a\n\n b ; x\n\n\n c)", "(a b  ; x\n\n   c)\n"}, {"(a b)  ; x\n", "(a b)  ; x\n"}, {"(a (b) ; x\n ; y\n)", "(a (b)  ; x\n   ; y\n   )\n"},
		{"(a b) c ; x ; y", "(a b)\nc  ; x ; y\n"}, {"(a\n ; x\n)", "(a\n  ; x\n  )\n"},
		{"(a ; x\n)", "(a  ; x\n )\n"},
	} {
		got := parsed(t, c.text).Format()
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		if again := parsed(t, got).Format(); again != got {
			t.Errorf("%q does not settle: %q", got, again)
		}
	}
}

func TestFormatInPairs(t *testing.T) {
	f := parsed(t, "(:action move :parameters (?a ?b) :precondition (and (at ?a) (free ?b) (near ?a ?b)) :effect (at ?b))")
	f.Nodes[0].InPairs()
	want := "(:action move\n  :parameters (?a ?b)\n  :precondition (and (at ?a) (free ?b) (near ?a ?b))\n  :effect (at ?b))\n"
	if got := f.Format(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestFormatIndentsPropertyValues(t *testing.T) {
	f := parsed(t, "(:action :move :effect (and (at ?b) "+fill(70)+") :done)")
	f.Nodes[0].InPairs()
	want := "(:action :move\n  :effect (and (at ?b)\n               " + fill(70) + ")\n  :done)\n"
	if got := f.Format(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestFormatFilled(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(objects a " + fill(80) + " b c)", "(objects a\n         " + fill(80) + "\n         b c)\n"},
		{"(a b " + fill(37) + " " + fill(36) + " c d)", "(a b " + fill(37) + " " + fill(36) + "\n   c d)\n"},
		{"(a b " + fill(37) + " " + fill(35) + " c d)", "(a b " + fill(37) + " " + fill(35) + "\n   c d)\n"},
		{"(a b " + fill(37) + " " + fill(34) + " c d)", "(a b " + fill(37) + " " + fill(34) + " c\n   d)\n"},
		{"(a b " + strings.Repeat("ö", 37) + " \"" + strings.Repeat("ö", 34) + "\" c)", "(a b " + strings.Repeat("ö", 37) + " \"" + strings.Repeat("ö", 34) + "\"\n   c)\n"},
		{"(a b (c) d ; x\n e f\n ; y\n g h ; z\n i " + fill(70) + ")", "(a b\n   (c)\n   d  ; x\n   e f\n   ; y\n   g\n   h  ; z\n   i " + fill(70) + ")\n"},
		{"(a ; x\n b c\n d)", "(a  ; x\n b c d)\n"},
	} {
		f := parsed(t, c.text)
		f.Nodes[0].Filled()
		got := f.Format()
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		again := parsed(t, got)
		again.Nodes[0].Filled()
		if twice := again.Format(); twice != got {
			t.Errorf("%q does not settle: %q", got, twice)
		}
	}
}

func TestColours(t *testing.T) {
	file := source.NewFile("t", "(define a (:when (not b) \"c\")) ; d\n\"e")
	var got []string
	for _, c := range sexpr.Colours(file, "define", func(word string) bool { return word == "not" }) {
		got = append(got, fmt.Sprintf("%s %q", c.Class, file.Slice(c.Span)))
	}
	want := `keyword "define", state "a", keyword ":when", operator "not", state "b", string "\"c\"", comment "; d", invalid "\"e"`
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	if c := sexpr.Colours(source.NewFile("t", "a\x00"), "", nil); c != nil {
		t.Errorf("a text that cannot be read has colours: %v", c)
	}
}
