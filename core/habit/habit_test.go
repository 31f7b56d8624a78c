package habit

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// check reports each "bad", each line that begins with "!" and, from there on, each "far".
func check(text string) (found []source.Diagnostic) {
	for i := range len(text) {
		for _, word := range []string{"bad", "!", "far"} {
			if strings.HasPrefix(text[i:], word) && (word != "far" || strings.Contains(text[:i], "!")) {
				found = append(found, source.Diagnostic{Code: "test." + word, Span: span(i, i+len(word)), Message: word, Notes: []source.Note{{Message: "of the check"}}})
			}
		}
	}
	return found
}

func notation() Notation {
	return Notation{Check: check, Comments: "#", Lines: true, Habits: []Habit{
		{Pattern: `x(bad)`, Message: "write good, not $0", Write: "good"},
		{Pattern: `^(!+)`, Message: "unexpected $0", Write: ""},
		{Pattern: `\bnone\b.*(bad)`, Message: "unsupported $0", Write: "gone", None: true},
		{Pattern: `bad(ly)`, Message: "no improvement", Write: "bad"},
		{Pattern: `very bad`, Message: "write $0 without a group, not $1", Write: "fine"},
		{Pattern: `bad( \w+)`, Message: "unexpected $0", Write: ""},
		{Pattern: `(more) bad`, Message: "longer", Write: "still more"},
		{Pattern: `badbad`, Message: "fewer", Write: "bad"},
	}}
}

func TestConstructsReplaceTheFaultsThatFollow(t *testing.T) {
	for _, c := range []struct{ text, want, fixed string }{
		{"ok", "", ""},
		{"a xbad b", `test.bad "bad": write good, not "bad"`, "a xgood b"},
		{"xbad\nxbad", `test.bad "bad": write good, not "bad"`, "xgood\nxgood"},
		{"!a far\nfar", `test.! "!": unexpected "!"`, "a far\nfar"},
		{"!a xbad", `test.bad "bad": write good, not "bad"|test.! "!": unexpected "!"`, "a xgood"},
		{"none bad", `test.bad "bad": unsupported "bad"`, ""},
		{"badly", `test.bad "bad": bad`, ""},
		{"very badvery bad", `test.bad "very bad": write "very bad" without a group, not ""`, "finefine"},
		{"bad tail", `test.bad " tail": unexpected "tail"|test.bad "bad": bad`, "bad"},
		{"more bad", `test.bad "bad": bad`, ""},
		{"badbad", `test.bad "badbad": fewer`, ""},
		{"xbad bad", `test.bad "bad": write good, not "bad"|test.bad "bad": bad`, "xgood bad"},
		{`"xbad`, `test.bad "bad": write good, not "bad"`, `"xgood`},
		{`"xbad"`, `test.bad "bad": bad`, ""},
		{`# xbad`, `test.bad "bad": bad`, ""},
	} {
		n := notation()
		found := n.Explain(c.text, check(c.text))
		var got []string
		fixed := ""
		for i, d := range found {
			got = append(got, d.Code+` "`+c.text[d.Span.Start:d.Span.End]+`": `+d.Message)
			if ofCheck := slices.Contains([]string{"bad", "!", "far"}, d.Message); ofCheck != (len(d.Notes) > 0) {
				t.Errorf("%q: %q has the notes %v", c.text, d.Message, d.Notes)
			}
			if i == 0 && len(d.Fixes) > 0 {
				fixed = source.Apply(c.text, d.Fixes[0].Edits)
			}
		}
		if strings.Join(got, "|") != c.want || fixed != c.fixed {
			t.Errorf("%q:\n%s → %q, want\n%s → %q", c.text, strings.Join(got, "|"), fixed, c.want, c.fixed)
		}
	}
}

// The title of a fix names its text, or states that it removes the construct.
func TestTitlesOfFixes(t *testing.T) {
	for text, want := range map[string]string{"xbad": "Write good", "!a": "Remove it", "!xbad": "Rewrite it"} {
		n := notation()
		if found := n.Explain(text, check(text)); found[0].Fixes[0].Title != want {
			t.Errorf("%q: %+v", text, found[0].Fixes)
		}
	}
}

// An error is explained before a warning that precedes it.
func TestErrorsPrecedeWarnings(t *testing.T) {
	n := Notation{Least: source.SeverityWarning}
	warning := source.Diagnostic{Severity: source.SeverityWarning, Span: span(0, 1)}
	first, second := source.Diagnostic{Span: span(3, 4)}, source.Diagnostic{Span: span(5, 6)}
	if got, want := n.faults([]source.Diagnostic{second, warning, first}), []source.Diagnostic{first, second, warning}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestMaskHidesCommentsAndStrings(t *testing.T) {
	for _, c := range []struct{ comments, text, want string }{
		{"#", "a #b", "a   "},
		{"#", "a#b c", "a#b c"},
		{"#", "#b\nc", "  \nc"},
		{"#", "x(#b", "x(  "},
		{";", "a;b", "a  "},
		{"#", `a "b#c" d`, `a "___" d`},
		{"#", "\"b\nc", "\"b\nc"},
		{"#", `"a\"b" #c`, `"____"   `},
		{"#", `"a" b "c"`, `"_" b "_"`},
	} {
		n := Notation{Comments: c.comments, Lines: true}
		if got := n.Mask(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	n := Notation{}
	if got := n.Mask("\"a\nb\" c"); got != "\"_\n_\" c" {
		t.Errorf("a string of two lines is masked as %q", got)
	}
}

func TestLongTextsKeepTheirFaults(t *testing.T) {
	n := notation()
	text := "xbad" + strings.Repeat(" ", maxText)
	if found := n.Explain(text, check(text)); len(found) != 1 || found[0].Message != "bad" {
		t.Error(found)
	}
}

// The edit between two texts replaces the characters between their common ends, and no part of one.
func TestDifferenceIsTheEditBetweenTexts(t *testing.T) {
	texts := []string{"", "a", "ab", "äb", "öb", "aöb", "aäöb", "abab", "xé", "xè", "é", "©", "a©b", "aéb", "b©"}
	for _, from := range texts {
		for _, to := range texts {
			got := Difference(from, to)
			if result := source.Apply(from, []source.Edit{got}); result != to {
				t.Errorf("%q to %q: %q", from, to, result)
			}
			old, next := []rune(from), []rune(to)
			start := 0
			for start < min(len(old), len(next)) && old[start] == next[start] {
				start++
			}
			end := 0
			for end < min(len(old), len(next))-start && old[len(old)-1-end] == next[len(next)-1-end] {
				end++
			}
			at := len(string(old[:start]))
			if want := (source.Edit{Span: span(at, at+len(string(old[start:len(old)-end]))), Text: string(next[start : len(next)-end])}); got != want {
				t.Errorf("%q to %q: %+v, want %+v", from, to, got, want)
			}
		}
	}
	// Bytes that are not characters are compared as well.
	if got := Difference("\x80a", "\x81a"); source.Apply("\x80a", []source.Edit{got}) != "\x81a" {
		t.Errorf("%+v", got)
	}
}
