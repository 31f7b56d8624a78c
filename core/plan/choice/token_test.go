package choice

import (
	"fmt"
	"strings"
	"testing"
)

func TestNormalForms(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\u00a0c\u3000d": "a b c d", "a\r\nb": "a\n\nb", "①⑨⑩⑳": " 1  9  10  20 ", "❶❿": " 1  10 ", "➀➉": " 1  10 ", "➊➓": " 1  10 ", "Ⓐ": "Ⓐ",
		"！～３（Ａ）": "!~3(A)", "｟": "｟", "“a”‘b’«c»「d」": "\"a\"'b'\"c\"\"d\"", "3–4—5−6": "3—4—5-6", "5️⃣\u200b": "5", "$3$": " 3 ", "$3": "$3", "a…": "a...", "~": "~", "!": "!", "é": "é",
	} {
		if got := normalize(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"ÀÅÉÎÕÜÝÑÇ": "aaeiouync", "Straße Œuvre Æ": "strasse oeuvre ae", "×ÞƀƁ": "×þƀɓ", "ā ē ī ō ū": "a e i o u", "Ω": "ω"} {
		if got := foldText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// tokensOf writes tokens, each with a letter for its kind and a sign for bold and quoted ones.
func tokensOf(text string) string {
	var out []string
	for _, k := range tokenize(text) {
		s := string("wnopl"[k.kind]) + strings.ReplaceAll(k.text, "\n", "")
		if k.kind == number {
			s = fmt.Sprint("n", k.value)
		}
		if k.mark&bold != 0 {
			s += "*"
		}
		if k.mark&quoted != 0 {
			s += "'"
		}
		if k.space {
			s = "_" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Option 3", "woption _n3"},
		{"3.", "n3 p."},
		{"3.5 and 1,5", "o3.5 _wand _o1,5"},
		{"1,000.", "o1,000 p."},
		{"-2", "n-2"},
		{"x-2", "wx p- n2"},
		{"4-2", "n4 p- n2"},
		{"- 2", "p- _n2"},
		{"2-", "n2 p-"},
		{"a -2", "wa _n-2"},
		{"option3", "woption n3"},
		{"opt3 b1 Option12", "wopt n3 _wb1 _woption n12"},
		{"4x 2nd", "w4x _w2nd"},
		{"object_detection", "wobject _wdetection"},
		{"ObjectDetection HTTPServer aB", "wobject wdetection _whttpserver _wa wb"},
		{"can't", "wcan wnot"},
		{"Can’t", "wcan wnot"},
		{"I'd I'll I'm we're I've it's let's", "wi wwould _wi wwill _wi wam _wwe ware _wi whave _wit wis _wlet wus"},
		{"cannot cant", "wcan wnot _wcan wnot"},
		{"won't wont", "wwill wnot _wwill wnot"},
		{"isn't doesnt shouldn't", "wis wnot _wdoes wnot _wshould wnot"},
		{"rock'n'roll", "wrock wn wroll"},
		{"James' 3", "wjames p' _n3"},
		{"'3'", "n3'"},
		{"'option 3' fits", "woption' _n3' _wfits"},
		{"'3\n'", "n3 l"},
		{"'unclosed", "wunclosed"},
		{"\"3\"", "n3'"},
		{"\"3", "n3'"},
		{"**3** x", "n3* _wx"},
		{"* 3", "_n3"},
		{"**3\n4**", "n3* l n4"},
		{"`3`", "n3'"},
		{"\\(3\\) \\[4\\]", "_n3 _n4"},
		{"\\x", "p\\ wx"},
		{"选3号", "w选 n3 w号"},
		{"カー", "wカ wー"},
		{"3個", "n3 w個"},
		{"é2", "we2"},
		{"2é", "w2e"},
		{"12345678901", "n-1"},
		{"3,a", "n3 p, wa"},
		{"3.a", "n3 p. wa"},
		{"_3_", "_n3"},
		{"a_1", "wa _n1"},
		{"'" + strings.Repeat("x", 78) + "'", "w" + strings.Repeat("x", 78) + "'"},
		{"'" + strings.Repeat("x", 79) + "'", "w" + strings.Repeat("x", 79) + " p'"},
		{"“3”", "n3'"},
		{"5'", "n5 p'"},
		{"5't", "n5 p' wt"},
		{"o'clock", "wo wclock"},
		{"*", ""},
		{"**", ""},
		{"3*4*", "n3 n4*"},
	} {
		if got := tokensOf(c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
