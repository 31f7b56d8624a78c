package source_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stile-playground/stile/core/source"
)

var texts = []string{"", "\n", "a", "a\nb", "ε→b\n🐑x\n", "\n\n", "x\r\ny", "é\n\n🐑🐑\nend"}

func TestLocateCountsLinesAndCodePoints(t *testing.T) {
	for _, text := range texts {
		f := source.NewFile("t", text)
		line, column := 1, 1
		for i, r := range text {
			if got := f.Locate(source.Pos(i)); got != (source.Location{Line: line, Column: column}) {
				t.Errorf("%q at %d: %+v, want %d:%d", text, i, got, line, column)
			}
			column++
			if r == '\n' {
				line, column = line+1, 1
			}
		}
	}
}

func TestUTF16AgreesWithTheStandardLibrary(t *testing.T) {
	for _, text := range texts {
		f := source.NewFile("t", text)
		var at []source.Pos
		for i := range text {
			at = append([]source.Pos{source.Pos(i)}, at...) // unsorted on purpose
		}
		at = append(at, source.Pos(len(text)), -1, source.Pos(len(text)+9))
		for i, got := range f.UTF16(at) {
			p := min(max(int(at[i]), 0), len(text))
			if want := len(utf16.Encode([]rune(text[:p]))); got != want {
				t.Errorf("%q at %d: %d, want %d", text, at[i], got, want)
			}
		}
	}
}

func TestPositionsAreClampedToTheText(t *testing.T) {
	f := source.NewFile("t", "abc")
	for _, c := range []struct {
		span source.Span
		want string
	}{{source.Span{Start: -5, End: 2}, "ab"}, {source.Span{Start: 2, End: 99}, "c"}, {source.Span{Start: 9, End: 12}, ""}, {source.Span{Start: 2, End: 1}, ""}} {
		if got := f.Slice(c.span); got != c.want {
			t.Errorf("%v: %q, want %q", c.span, got, c.want)
		}
	}
	if got := f.Locate(99); got != (source.Location{Line: 1, Column: 4}) {
		t.Errorf("%+v", got)
	}
}

func TestCheckReportsUnreadableFiles(t *testing.T) {
	for _, c := range []struct {
		text, code string
		at         source.Pos
	}{
		{"S -> a\n", "", 0},
		{"", "", 0},
		{"ab\x00", "source.binary", 2},
		{"é\xc3", "source.utf8", 2},
		{"\xff", "source.utf8", 0},
		{strings.Repeat("a", source.MaxFileSize+1), "limit.file", source.MaxFileSize},
	} {
		found := source.NewFile("t", c.text).Check()
		if c.code == "" {
			if len(found) != 0 {
				t.Errorf("%.20q: %v", c.text, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Code != c.code || found[0].Span.Start != c.at {
			t.Errorf("%.20q: %+v", c.text, found)
		}
	}
}

func TestApplyMakesEditsInAnyOrder(t *testing.T) {
	edits := []source.Edit{
		{Span: source.Span{Start: 4, End: 5}, Text: "E"},
		{Span: source.Span{Start: 0, End: 0}, Text: "<"},
		{Span: source.Span{Start: 1, End: 3}, Text: ""},
	}
	if got := source.Apply("abcde", edits); got != "<adE" {
		t.Errorf("got %q", got)
	}
}

func TestNearestFindsOnlyTypos(t *testing.T) {
	names := []string{"Act", "Act-Inp", "Obs", "Final-Tht", "Ans"}
	for name, want := range map[string]string{
		"Act-Imp": "Act-Inp", "Final-Thy": "Final-Tht", "Acts": "Act", "Zebra": "", "Obs": "", "": "", "FinalTht": "Final-Tht",
	} {
		if got := source.Nearest(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestSortOrdersByPositionThenSeverity(t *testing.T) {
	list := []source.Diagnostic{
		{Code: "c", Span: source.Span{Start: 2, End: 3}},
		{Code: "b", Severity: source.SeverityWarning, Span: source.Span{Start: 0, End: 1}},
		{Code: "a", Span: source.Span{Start: 0, End: 1}},
	}
	source.Sort(list)
	if list[0].Code+list[1].Code+list[2].Code != "abc" || !source.HasErrors(list) || source.HasErrors(list[1:2]) {
		t.Errorf("%+v", list)
	}
}
