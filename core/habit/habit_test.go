package habit

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// check reports each "bad", each line that begins with "!" and, from there on, each "far".
func check(text string) (found []source.Diagnostic) {
	for i := range len(text) {
		for _, word := range []string{"bad", "!", "far"} {
			if strings.HasPrefix(text[i:], word) && (word != "far" || strings.Contains(text[:i], "!")) {
				found = append(found, source.Diagnostic{Code: "test." + word, Span: span(i, i+len(word)), Message: word})
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
			if i == 0 && len(d.Fixes) > 0 {
				fixed = source.Apply(c.text, d.Fixes[0].Edits)
			}
		}
		if strings.Join(got, "|") != c.want || fixed != c.fixed {
			t.Errorf("%q:\n%s → %q, want\n%s → %q", c.text, strings.Join(got, "|"), fixed, c.want, c.fixed)
		}
	}
}

func TestLongTextsKeepTheirFaults(t *testing.T) {
	n := notation()
	text := "xbad" + strings.Repeat(" ", maxText)
	if found := n.Explain(text, check(text)); len(found) != 1 || found[0].Message != "bad" {
		t.Error(found)
	}
}

func TestDifferenceIsTheEditBetweenTexts(t *testing.T) {
	texts := []string{"", "a", "ab", "äb", "öb", "aöb", "aäöb", "abab", "xé", "xè"}
	for _, from := range texts {
		for _, to := range texts {
			if got := source.Apply(from, []source.Edit{difference(from, to)}); got != to {
				t.Errorf("%q to %q: %q", from, to, got)
			}
		}
	}
}
