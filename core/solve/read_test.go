package solve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestLPTokens(t *testing.T) {
	for text, want := range map[string]string{
		"3x4 1e5 2E-3x .5 1. 3.25e+7 4e 5e+ 09":            "n3 wx4 n1e5 n2E-3 wx n.5 n1. n3.25e+7 n4 we n5 we s+ n09",
		"x<=3 y=>2 z=<1 a<b c>d e==f":                      "wx r<= n3 wy r=> n2 wz r=< n1 wa r< wb wc r> wd we r== wf",
		"Subject To\nst\ns.t.\nst.\nsuch that x":           "[subject to] [subject to] [subject to] [subject to] [subject to] wx",
		"subject to: x\nst: y\nsubject x\nsuch than":       "[subject to] wx [subject to] wy wsubject wx wsuch wthan",
		"max\nbounds: 3\ngen <= 3\nend = 2\n x free\n min": "[maximize] wbounds : n3 wgen r<= n3 wend r= n2 wx wfree [minimize]",
		"semi-continuous\nsemi\nsemis\nsemi-x":             "[semi-continuous] [semi-continuous] [semi-continuous] [semi-continuous] s- wx",
		"\\ a comment\nx\\ another\n- [ y ^ 2 ] * / ,a (":  "wx s- o[ wy o^ n2 o] o* o/ o, wa o(",
		"ä!\"#$%&(),.;?@_'`{}~|1 zZ09":                     "wä!\"#$%&(),.;?@_'`{}~|1 wzZ09",
		". .a ..5":                                         "w. w.a w..5",
		"":                                                 "",
		"x <":                                              "wx r<",
		"x =":                                              "wx r=",
		"-.0 .9 .":                                         "s- n.0 n.9 w.",
		"3e":                                               "n3 we",
		"A Z a z À":                                        "wA wZ wa wz wÀ",
		"subject to":                                       "[subject to]",
		"such that":                                        "[subject to]",
	} {
		var got []string
		for _, token := range lpTokens(text) {
			switch token.kind {
			case lpEnd:
			case lpSection:
				got = append(got, "["+token.text+"]")
			default:
				got = append(got, map[lpKind]string{lpWord: "w", lpNumber: "n", lpSign: "s", lpRelation: "r", lpOther: "o"}[token.kind]+token.text)
			}
			if token.kind != lpSection && token.text != text[token.span.Start:token.span.End] {
				t.Errorf("%q stands at %q", token.text, text[token.span.Start:token.span.End])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s\nwant %s", text, strings.Join(got, " "), want)
		}
	}
}

// one reads a term from a solver's output.
func one(t *testing.T, text string) *term {
	t.Helper()
	r := smtReader{text: text, found: &faults{}, quiet: true}
	form, ok := r.next()
	if !ok {
		t.Fatalf("%q is no term", text)
	}
	return &form
}

func TestValuesOfZ3ArePlain(t *testing.T) {
	for text, want := range map[string]string{
		"4": "4", "4.0": "4", "0.250": "0.25", "100": "100", "(- 4)": "-4", "(- 0.0)": "0", "(- (- 3))": "3", "(/ 1 3)": "1/3", "(/ 4.0 1.0)": "4", "(- (/ 1.0 3.0))": "-1/3",
		"(/ (- 1) 3)": "-1/3", "(to_real 2)": "2", "(+ 1 2)": "(+ 1 2)", "(- 1 2)": "(- 1 2)", `(f "a""b" |x y| x)`: `(f "a""b" |x y| x)`, "true": "true", "(f)": "(f)", "(/ 1 2 3)": "(/ 1 2 3)",
		"#b01": "#b01", "(_ bv3 8)": "(_ bv3 8)",
	} {
		if got := rational(one(t, text)); got != want {
			t.Errorf("%s is written %s, not %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"oo": "∞ false", "(- oo)": "-∞ false", "(* (- 1) oo)": "-∞ false", "(* 2 oo)": "∞ false", "epsilon": "0 true", "(* (- 1) epsilon)": "0 true", "(+ 3 epsilon)": "3 true",
		"(+ 3.0 (* (- 1.0) epsilon))": "3 true", "(+ 0 oo)": "∞ false", "(+ epsilon 2)": "2 true", "(+ 1 2)": "1 false", "7": "7 false", "(* 2 3)": "(* 2 3) false",
	} {
		value, strict := limitOf(one(t, text))
		if got := fmt.Sprint(value, " ", strict); got != want {
			t.Errorf("%s is %s, not %s", text, got, want)
		}
	}
}

func TestZ3PlacesAreThoseOfWords(t *testing.T) {
	const text = "(assert\n  (> yy 1))\n(f |a b|)"
	file := source.NewFile("p", text)
	for _, c := range []struct {
		line, column int
		want         string
	}{
		{2, 7, "yy"}, {2, 6, "yy"}, {2, 5, "yy"}, {2, 3, ">"}, {2, 9, "1"}, {2, 0, " "}, {2, 10, ")"}, {2, 11, ")"}, {2, 99, ")"}, {1, 99, "assert"}, {1, 1, "assert"}, {1, 0, "("}, {3, 2, "f"}, {9, 3, "f"}, {2, -4, " "},
	} {
		if got := file.Slice(placeOf(file, c.line, c.column)); got != c.want {
			t.Errorf("line %d, column %d is at %q, not %q", c.line, c.column, got, c.want)
		}
	}
	for message, want := range map[string]string{
		"line 3 column 7: no": "3 7 no", "line 3: no": "0 0 line 3: no", "no": "0 0 no", "line x column 7: no": "0 0 line x column 7: no", "line 3 column y: no": "0 0 line 3 column y: no", "line 1 column 2": "0 0 line 1 column 2",
	} {
		line, column, rest := z3Place(message)
		if got := fmt.Sprint(line, column, " ", rest); got != want {
			t.Errorf("%q: %s", message, got)
		}
	}
}

func TestAtomKinds(t *testing.T) {
	kinds := []string{"symbol", "numeral", "decimal", "bits", "string", "keyword", "list"}
	for text, want := range map[string]string{
		"a": "symbol", "0": "numeral", "9.5": "decimal", "#b01": "bits", "#x0aF": "bits", `"s"`: "string", ":k": "keyword", "|a b|": "symbol", "()": "list", "~!@$%^&*_-+=<>.?/z": "symbol",
		"#b": "bits fault", "#b2": "bits fault", "#x": "bits fault", "#xg": "bits fault", "#q1": "bits fault", "1a": "numeral fault", "1.": "decimal fault", "1.a": "decimal fault", "1.2.3": "decimal fault",
		"-1": "numeral fault", "-": "symbol", "--1": "symbol", "-a": "symbol", "a,b": "symbol fault", "a[": "symbol fault", "a]": "symbol fault", "{": "symbol fault", "}": "symbol fault", "a\\": "symbol fault", "a'": "symbol fault",
		"a`": "symbol fault", "||": "symbol", `|\|`: "symbol fault", "a#": "symbol fault", "ä": "symbol fault", "!": "symbol", "\x7f": "symbol fault", "\x1f": "symbol fault", "|a": "symbol fault", `"a`: "string fault", `|a\|`: "symbol fault", `"a""b"`: "string",
	} {
		found := faults{}
		r := smtReader{text: text, found: &found}
		form, ok := r.next()
		got := kinds[form.kind]
		if len(found.list) > 0 {
			got += " fault"
		}
		if !ok || got != want || int(form.span.End) != len(text) {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}
