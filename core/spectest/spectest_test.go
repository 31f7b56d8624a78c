package spectest_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
)

// written prints the cases of a file, one per line, with their texts.
func written(t *spectest.Tests) string {
	var b strings.Builder
	for _, c := range t.Cases {
		fmt.Fprintf(&b, "%q %s %s %q as %q\n", c.Spec.Name, c.Form, c.Expect, c.Names(), c.Title)
		for line := range strings.Lines(c.Text) {
			fmt.Fprintf(&b, "  %q\n", line)
		}
	}
	return b.String()
}

// coloured prints the tokens of a file, one per line.
func coloured(file *source.File) string {
	var b strings.Builder
	for _, token := range spectest.Tokens(file) {
		fmt.Fprintf(&b, "%d:%d %s %q\n", file.Locate(token.Span.Start).Line, file.Locate(token.Span.Start).Column, token.Class, file.Slice(token.Span))
	}
	return b.String()
}

func TestCases(t *testing.T) {
	golden.Run(t, func(t *testing.T, in map[string]string) []golden.File {
		file := source.NewFile("in.tests", in["in.tests"])
		parsed, found := spectest.Parse(file)
		return []golden.File{
			{Name: "diagnostics", Text: golden.Diagnostics(file, found)},
			{Name: "cases", Text: written(parsed)},
			{Name: "tokens", Text: coloured(file)},
			{Name: "occurrences", Text: golden.Occurrences(file, spectest.Occurrences(file))},
			{Name: "formatted", Text: spectest.Format(file)},
		}
	})
}

// The codes of diagnostics that need the specs are shown by package language.
func TestEveryCodeHasACase(t *testing.T) { golden.EveryCode(t, "tests") }

// plain returns the cases without their places.
func plain(t *spectest.Tests) []spectest.Case {
	out := []spectest.Case{}
	for _, c := range t.Cases {
		c.Head, c.Span, c.Lines, c.Spec.Span = source.Span{}, source.Span{}, nil, source.Span{}
		for i := range c.Word {
			c.Word[i].Span = source.Span{}
		}
		out = append(out, c)
	}
	return out
}

// random returns a text of words and lines that the parser distinguishes.
func random(r *rand.Rand) string {
	parts := []string{
		"accept", "reject", "incomplete", "plan", "run", "spec", "as", "ε", "valid", "violated", "a", "b2", `"two words"`, `"as"`, `"q\"\\"`, `"open`, "#", "# note", " ", "  ", "\t", "\n", "\n\n", "\n  ", "\n\t\t", "\n    ", "\r\n", "é{", `""`,
	}
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString(parts[r.IntN(len(parts))])
		if r.IntN(3) > 0 {
			b.WriteByte(' ')
		}
		if r.IntN(6) == 0 {
			b.WriteString("\naccept a")
		}
		if r.IntN(9) == 0 {
			b.WriteString("\nrun valid\n  [A] x\n")
		}
	}
	return b.String()
}

// checkFormat checks that formatting keeps the cases of a sound text, and is idempotent.
func checkFormat(t *testing.T, text string) {
	t.Helper()
	file := source.NewFile("in.tests", text)
	before, found := spectest.Parse(file)
	for _, c := range before.Cases {
		for _, span := range append(c.Lines, c.Span, c.Head) {
			if span.Start < 0 || span.End < span.Start || int(span.End) > len(text) {
				t.Fatalf("%q: span %v is outside of the text", text, span)
			}
		}
	}
	if source.HasErrors(found) {
		return
	}
	formatted := spectest.Format(file)
	after, found := spectest.Parse(source.NewFile("in.tests", formatted))
	if source.HasErrors(found) || !reflect.DeepEqual(plain(before), plain(after)) {
		t.Fatalf("%q becomes\n%s\nbefore %+v\nafter  %+v\n%v", text, formatted, plain(before), plain(after), found)
	}
	if again := spectest.Format(source.NewFile("in.tests", formatted)); again != formatted {
		t.Fatalf("%q is formatted to %q, and that to %q", text, formatted, again)
	}
}

func TestFormatKeepsTheCases(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 6_000 {
		checkFormat(t, random(r))
	}
}

func TestFormatRemovesEmptyLines(t *testing.T) {
	for text, want := range map[string]string{"": "", "\n\n": "", "\n\naccept a\n\n\naccept b\n\n": "accept a\n\naccept b\n", "  # note": "# note\n"} {
		if got := spectest.Format(source.NewFile("in.tests", text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func FuzzFormatKeepsTheCases(f *testing.F) {
	f.Add("accept a \"b c\" as \"t\" # note\n\nrun violated\n  [A]\n\n   x\n")
	f.Fuzz(checkFormat)
}

// A case that is written and read again is the same.
func TestWrittenCasesAreRead(t *testing.T) {
	for _, c := range []spectest.Case{
		{Form: spectest.Word, Expect: spectest.Reject},
		{Form: spectest.Word, Expect: spectest.Accept, Title: `two "as"`, Word: []spectest.Symbol{{Name: "as"}, {Name: "ε"}, {Name: ""}, {Name: `"`}, {Name: "#"}, {Name: "a b"}, {Name: `\`}}},
		{Form: spectest.Plan, Expect: spectest.Invalid, Text: "1. a\n\n     # b\n"},
		{Form: spectest.Run, Expect: spectest.Violated, Title: "t", Text: "[A] x\n  y\n"},
	} {
		if strings.Contains(c.Write(), " \n") {
			t.Errorf("%q has trailing white space", c.Write())
		}
		parsed, found := spectest.Parse(source.NewFile("in.tests", c.Write()))
		if len(found) > 0 || len(parsed.Cases) != 1 {
			t.Fatalf("%q: %v", c.Write(), found)
		}
		if got := plain(parsed)[0]; got.Key() != c.Key() || got.Expect != c.Expect || got.Title != c.Title {
			t.Errorf("%+v becomes %+v", c, got)
		}
	}
}

func TestAddNamesTheSpec(t *testing.T) {
	c := spectest.Case{Form: spectest.Word, Expect: spectest.Accept, Word: []spectest.Symbol{{Name: "a"}}}
	for _, x := range []struct {
		text, spec string
		unnamed    bool
		want       string
	}{
		{"", "g.cfg", true, "accept a\n"},
		{"", "g.cfg", false, "spec g.cfg\naccept a\n"},
		{"accept b\n\n\n", "g.cfg", true, "accept b\naccept a\n"},
		{"spec g.cfg\nreject b", "g.cfg", false, "spec g.cfg\nreject b\naccept a\n"},
		{"spec g.cfg\nspec h.cfg\nreject b\n", "g.cfg", true, "spec g.cfg\nspec h.cfg\nreject b\n\nspec g.cfg\naccept a\n"},
	} {
		text, at := spectest.Add(source.NewFile("g.tests", x.text), c, x.spec, x.unnamed)
		if text != x.want || text[at.Start:at.End] != "accept a" {
			t.Errorf("%q: %q, %q", x.text, text, text[at.Start:at.End])
		}
	}
}

func TestPlaceOfATextIsInTheFile(t *testing.T) {
	file := source.NewFile("a.tests", "run valid\n    one\n\n      two\n    three\n")
	parsed, _ := spectest.Parse(file)
	c := parsed.Cases[0]
	for i, line := range []string{"one", "", "  two", "three"} {
		start := 0
		for _, before := range []string{"one\n", "\n", "  two\n"}[:i] {
			start += len(before)
		}
		if span := c.Place(start, start+len(line)); file.Slice(span) != line || c.Text[start:start+len(line)] != line {
			t.Errorf("%q is at %q", line, file.Slice(span))
		}
	}
	if span := c.Place(len(c.Text)+9, len(c.Text)+10); span.Start != c.Span.End {
		t.Errorf("a place after the text is %v", span)
	}
}

func TestCaseLimit(t *testing.T) {
	text := ""
	for i := range spectest.MaxCases + 3 {
		text += fmt.Sprintf("accept a%d\n", i)
	}
	parsed, found := spectest.Parse(source.NewFile("a.tests", text))
	if len(parsed.Cases) != spectest.MaxCases || len(found) != 1 || found[0].Code != "limit.cases" || found[0].Severity != source.SeverityError {
		t.Errorf("%d cases, %+v", len(parsed.Cases), found)
	}
	if _, found := spectest.Parse(source.NewFile("a.tests", strings.TrimSuffix(text, fmt.Sprintf("accept a%d\naccept a%d\naccept a%d\n", spectest.MaxCases, spectest.MaxCases+1, spectest.MaxCases+2)))); len(found) > 0 {
		t.Errorf("at the limit: %+v", found)
	}
	parsed, found = spectest.Parse(source.NewFile("a.tests", strings.Repeat("x\n", 100)))
	if len(parsed.Cases) != 0 || len(found) != 50 {
		t.Errorf("%d diagnostics", len(found))
	}
}

func TestLabelIsTheTitleOrTheText(t *testing.T) {
	for text, want := range map[string]string{
		"accept a \"b c\"\n": `a "b c"`, "accept ε\n": "ε", "accept a as \"t\"\n": "t", "run valid\n\n  first line\n  second\n": "first line",
		"plan valid\n  0123456789012345678901234 56\n": "012345678901234567890123…", "plan valid\n  012345678901234567890123\n": "012345678901234567890123",
	} {
		parsed, _ := spectest.Parse(source.NewFile("a.tests", text))
		if len(parsed.Cases) != 1 || parsed.Cases[0].Label() != want {
			t.Errorf("%q: %+v", text, parsed.Cases)
		}
	}
}

func TestQuotedSymbolsAreUnquoted(t *testing.T) {
	for _, name := range []string{"a", "a b", " a", "", `"`, `\`, "#", "#a", "a#", "as", "ε", "accept", "é", "{\"x\":"} {
		written := spectest.Quote(name)
		if got := spectest.Unquote(written); got != name {
			t.Errorf("%q is written %s and read %q", name, written, got)
		}
		if quoted := strings.HasPrefix(written, `"`); quoted != slices.Contains([]string{"a b", " a", "", `"`, "#", "#a", "as", "ε"}, name) {
			t.Errorf("%q is written %s", name, written)
		}
	}
}
