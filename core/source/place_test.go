package source_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestSpansAreHalfOpen(t *testing.T) {
	s := source.Span{Start: 2, End: 5}
	for p, want := range []bool{false, false, true, true, true, false} {
		if got := s.Contains(source.Pos(p)); got != want {
			t.Errorf("%d in 2 to 5: %v", p, got)
		}
	}
	if empty := (source.Span{Start: 3, End: 3}); !empty.Contains(3) || empty.Contains(2) || empty.Contains(4) || empty.Len() != 0 {
		t.Error("an empty span contains more, or less, than its start")
	}
	if s.Len() != 3 {
		t.Errorf("2 to 5 are %d bytes", s.Len())
	}
	for _, other := range []source.Span{{Start: 0, End: 3}, {Start: 3, End: 9}, {Start: 7, End: 8}, {Start: 3, End: 4}} {
		got := s.Join(other)
		if got != other.Join(s) || got.Start != min(2, other.Start) || got.End != max(5, other.End) {
			t.Errorf("2 to 5 and %v are %v", other, got)
		}
	}
}

func TestLineEndsBeforeItsBreak(t *testing.T) {
	for _, c := range []struct {
		text string
		from int
		want int
	}{
		{"", 0, 0}, {"ab", 0, 2}, {"ab", 1, 2}, {"ab", 2, 2}, {"a\nb", 0, 1}, {"a\nb", 1, 1}, {"a\nb", 2, 3},
		{"a\r\nb", 0, 1}, {"a\r\nb", 1, 1}, {"a\r\nb", 2, 2}, {"a\r\r\n", 0, 2}, {"a\r", 0, 1}, {"\r\n", 0, 0},
	} {
		if got := source.LineEnd(c.text, c.from); got != c.want {
			t.Errorf("%q from %d: %d, want %d", c.text, c.from, got, c.want)
		}
	}
}

func TestUTF16OffsetsAreClampedToTheText(t *testing.T) {
	f := source.NewFile("t", "a🐑b")
	for units, want := range map[int]source.Pos{-3: 0, 0: 0, 1: 1, 2: 5, 3: 5, 4: 6, 5: 6} {
		if got := f.Offset(units); got != want {
			t.Errorf("%d units are %d bytes, want %d", units, got, want)
		}
	}
	if got := f.Full(); got != (source.Span{Start: 0, End: 6}) {
		t.Errorf("the whole is %v", got)
	}
}

func TestLargestFileIsAccepted(t *testing.T) {
	if found := source.NewFile("t", strings.Repeat("a", source.MaxFileSize)).Check(); len(found) != 0 {
		t.Errorf("%v", found)
	}
	for _, c := range []struct {
		text string
		want source.Span
	}{{"\x00b", source.Span{Start: 0, End: 1}}, {"ab\x00\x00", source.Span{Start: 2, End: 3}}, {"aé\xff", source.Span{Start: 3, End: 4}}, {"�\xff", source.Span{Start: 3, End: 4}}} {
		if found := source.NewFile("t", c.text).Check(); len(found) != 1 || found[0].Span != c.want {
			t.Errorf("%q: %+v, want it at %v", c.text, found, c.want)
		}
	}
}

func TestInvalidEditsAreSkipped(t *testing.T) {
	edit := func(start, end source.Pos, text string) source.Edit {
		return source.Edit{Span: source.Span{Start: start, End: end}, Text: text}
	}
	for _, c := range []struct {
		edits []source.Edit
		want  string
	}{
		{nil, "abcdef"},
		{[]source.Edit{edit(0, 2, "X"), edit(1, 3, "Y")}, "Xcdef"},
		{[]source.Edit{edit(0, 2, "X"), edit(2, 3, "Y")}, "XYdef"},
		{[]source.Edit{edit(2, 2, "X"), edit(2, 2, "Y")}, "abXYcdef"},
		{[]source.Edit{edit(3, 2, "X")}, "abcdef"},
		{[]source.Edit{edit(4, 6, "X")}, "abcdX"},
		{[]source.Edit{edit(4, 7, "X")}, "abcdef"},
		{[]source.Edit{edit(-1, 2, "X")}, "abcdef"},
	} {
		if got := source.Apply("abcdef", c.edits); got != c.want {
			t.Errorf("%v: %q, want %q", c.edits, got, c.want)
		}
	}
}

func TestDistancesEqualOptimalStringAlignments(t *testing.T) {
	for _, c := range []struct {
		from, to    string
		bound, want int
	}{
		{"", "", 9, 0}, {"a", "", 9, 1}, {"", "abc", 9, 3}, {"kitten", "sitting", 9, 3}, {"flaw", "lawn", 9, 2}, {"äöü", "aou", 9, 3}, {"abc", "abc", 1, 0},
		{"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 2}, {"abcdef", "a", 5, 5}, {"a", "abcdef", 5, 5}, {"abcdef", "ab", 5, 4}, {"ab", "abcdef", 5, 4}, {"ab", "ba", 9, 1}, {"lmap", "lamp", 9, 1}, {"abcd", "badc", 9, 2}, {"ca", "abc", 9, 3}, {"lmap", "lamp", 1, 1},
	} {
		if got := source.Distance(c.from, c.to, c.bound); got != c.want {
			t.Errorf("%q and %q, below %d: %d, want %d", c.from, c.to, c.bound, got, c.want)
		}
	}
}

func TestNearestAllowsAThirdOfTheLettersUpToThree(t *testing.T) {
	for _, c := range []struct{ name, candidate, want string }{
		{"ab", "ac", ""}, {"abc", "abd", "abd"}, {"abc", "add", ""}, {"abcdef", "abcdxx", "abcdxx"}, {"abcdef", "abcxxx", ""},
		{"abcdefghijklmno", "abcdefghijklxxx", "abcdefghijklxxx"}, {"abcdefghijklmno", "abcdefghijkxxxx", ""},
	} {
		if got := source.Nearest(c.name, []string{"zzzzzzzzz", c.candidate}); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.name, c.candidate, got, c.want)
		}
	}
	// Of equally near candidates the first one is meant; a nearer one takes precedence.
	if got := source.Nearest("abcdef", []string{"abcdxx", "abcdyy", "abcdez", "abcdey"}); got != "abcdez" {
		t.Errorf("it is %q", got)
	}
}

func TestErrorContainsCodeAndMessage(t *testing.T) {
	err := source.NewError("a.code", "the message")
	if err.Error() != "the message" {
		t.Errorf("it says %q", err.Error())
	}
	if err.Code() != "a.code" {
		t.Errorf("its code is %q", err.Code())
	}
	for s, want := range map[source.Severity]string{source.SeverityError: "error", source.SeverityWarning: "warning", source.SeverityInfo: "info"} {
		if s.String() != want {
			t.Errorf("%d is %q", s, s)
		}
	}
}

func TestDiagnosticsAtOnePositionAreSortedByEndAndSeverity(t *testing.T) {
	at := func(code string, severity source.Severity, start, end source.Pos) source.Diagnostic {
		return source.Diagnostic{Code: code, Severity: severity, Span: source.Span{Start: start, End: end}}
	}
	list := []source.Diagnostic{
		at("f", source.SeverityError, 1, 3), at("e", source.SeverityError, 1, 2), at("d", source.SeverityInfo, 0, 2),
		at("c", source.SeverityWarning, 0, 2), at("b", source.SeverityError, 0, 2), at("a", source.SeverityError, 0, 2),
	}
	source.Sort(list)
	order := ""
	for _, d := range list {
		order += d.Code
	}
	if order != "abcdef" {
		t.Errorf("the order is %s", order)
	}
}
