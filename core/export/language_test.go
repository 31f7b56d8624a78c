package export_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/source"
)

// derives reports whether a grammar of characters derives a text, by the definition: the
// least fixpoint of the parts that each symbol derives.
func derives(g *grammar.Grammar, text string) bool {
	n := len(text) + 1
	ends := make([][][]bool, g.NumSymbols()) // by symbol, beginning and end
	for s := range ends {
		ends[s] = make([][]bool, n)
		for from := range n {
			ends[s][from] = make([]bool, n)
		}
	}
	for s := range g.NumTerminals {
		p := export.Unspell(g.Names[s])
		for from := range n {
			for to := from + 1; to < n; to++ {
				ends[s][from][to] = is(p, text[from:to])
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.Productions) - 1; i >= 0; i-- {
			for from := n - 1; from >= 0; from-- {
				at := []int{from}
				for _, s := range g.Productions[i].Right {
					seen := make([]bool, n)
					var next []int
					for _, a := range at {
						for to, is := range ends[s][a] {
							if is && !seen[to] {
								seen[to] = true
								next = append(next, to)
							}
						}
					}
					if at = next; at == nil {
						break
					}
				}
				for _, to := range at {
					if row := ends[g.Productions[i].Left][from]; !row[to] {
						row[to], changed = true, true
					}
				}
			}
		}
	}
	return ends[g.Start][0][n-1]
}

var compiled = map[string]*regexp.Regexp{}

// is reports whether a terminal is a text.
func is(p export.Part, text string) bool {
	switch {
	case p.Class != nil:
		letters := []rune(text)
		return len(letters) == 1 && p.Class.Has(letters[0])
	case p.Pattern != "":
		flags := ""
		if p.Flags != "" {
			flags = "(?" + strings.Trim(p.Flags, "u") + ")"
		}
		key := `\A(?:` + flags + "(?:" + p.Pattern + `))\z`
		if compiled[key] == nil {
			compiled[key] = regexp.MustCompile(key)
		}
		return compiled[key].MatchString(text)
	case p.Fold:
		return strings.EqualFold(p.Text, text)
	}
	return p.Text == text
}

// kinds are grammars with terminals of all kinds, and texts in and outside their languages.
var kinds = []struct{ notation, text, accepted, rejected string }{
	{"GBNF", `root ::= "." "x" | . "y"`, ".x|.y|ay|\ny|éy", "ax|y|.|.xy"},
	{"GBNF", `root ::= "[a-z]" | [a-z] "!"`, "[a-z]|a!|z!", "a|[!|[a-z]!|A!"},
	{"GBNF", `root ::= "\\n" "1" | "\n" "2"`, `\n1` + "|\n2", "\n1|" + `\n2|n1`},
	{"GBNF", `root ::= "⟨.⟩" | "⟨[a-z]⟩" .`, "⟨.⟩|⟨[a-z]⟩x", "a|aa|⟨x⟩"},
	{"GBNF", `root ::= [^a-c\n] [-x] [\-y] [\]\[]`, "d--]|é-y[|zx-]", "a--]|\n--]|da-]|d--a"},
	{"GBNF", `root ::= [a-] * "b" {2} ("c") ?`, "bb|a-abb|-bbc", "b|bbb|abbcc"},
	{"GBNF", `root ::= "é" [à-ü] "\u00fc"? 0-x
0-x ::= -y | "" 
-y ::= "😀"`, "éà|éêü|éü😀|éëü😀", "é|éa|éÀ|éàé"},
	{"GBNF", `root ::= "a"{0,3} ("b" | "cc"){150} | "d"{2,}`, strings.Repeat("b", 150) + "|dd|ddd", "b|d|a|" + strings.Repeat("b", 151)},
	{"Lark", `start: "/x/" | /x/ "!" | "a"i /b/i | "."  "1" | /./ "2" | /./s "3"`, "/x/|x!|ab|AB|aB|.1|.2|a2|\n3", "x|/x/!|b|a1|\n2"},
	{"Lark", `start: i /a/i
i: "i"`, "ia|iA", "a|iai|Ia"},
	{"Lark", `start: "a".."c" "x" * ["y"]  | /[^\d]/ "!" | "\d"`, `a|bxx|cxy|a!|\d`, "d|ay!|1!|1|ab"},
	{"Lark", `%import common.INT
%import common.ESCAPED_STRING -> S
start: INT | S | pair{"k"i, INT}
pair{a, b}: a ":" b`, `0|12|""|"a"|"\""|k:1|K:22`, `|"|"a|"a"b"|a:1|k:`},
	{"Lark", `start: "K"i | /ß|[k-l]+x?/i`, "k|K|\u212a|ß|ẞ|kl|KLx|lX", "kx?|ss|x"},
}

func TestTerminalKindsStayDistinct(t *testing.T) {
	for _, c := range kinds {

		imported, found := readers[c.notation].read(source.NewFile("t", c.text))
		if source.HasErrors(found) {
			t.Errorf("%s: %v", c.text, found)
			continue
		}
		judge := func(by, text string) {
			g := must.Grammar(t, text)
			for want, list := range map[bool]string{true: c.accepted, false: c.rejected} {
				for _, text := range strings.Split(list, "|") {
					if got := derives(g, text); got != want {
						t.Errorf("%s\nby way of %s: %q is derived: %v\n%s", c.text, by, text, got, g)
					}
				}
			}
		}
		judge(".cfg", imported)
		rules := export.FromGrammar(must.Grammar(t, imported), "")
		plain, err := rules.Expand(nil)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		for name, text := range map[string]string{"GBNF": plain.GBNF(), "Lark": rules.Lark()} {
			again, found := readers[name].read(source.NewFile("t", text))
			if source.HasErrors(found) {
				t.Errorf("%s\nis written in %s as\n%s\n%v", c.text, name, text, found)
				continue
			}
			judge(name+"\n"+text, again)
		}
	}
}

func TestUnspellInvertsSpell(t *testing.T) {
	for _, p := range []export.Part{
		{Text: "a"}, {Text: "[a-z]"}, {Text: "."}, {Text: "/x/"}, {Text: `\n`}, {Text: "\n"}, {Text: "⟨.⟩"}, {Text: "⟨x⟩"}, {Text: `⟨"a"⟩`}, {Text: "⟨"}, {Text: "⟩⟨"},
		{Text: "\x00\x01\u2028\U000E0001"}, {Text: "a", Fold: true}, {Text: `"`, Fold: true}, {Text: "\n", Fold: true},
		{Pattern: `a\/b`, Flags: "is"}, {Pattern: "x"}, {Pattern: `\\`},
	} {
		if got := export.Unspell(export.Spell(p)); got != p {
			t.Errorf("%+v is spelled %s, which is %+v", p, export.Spell(p), got)
		}
	}
	for _, c := range []export.Class{
		{Not: true}, {Ranges: []export.Range{{First: 'a', Last: 'z'}, {First: '-', Last: '-'}}}, {Not: true, Ranges: []export.Range{{First: 0, Last: '\n'}, {First: '[', Last: ']'}, {First: '^', Last: '^'}, {First: '/', Last: '/'}, {First: 0xE000, Last: 0x10FFFF}}},
	} {
		got := export.Unspell(export.Spell(export.Part{Class: &c})).Class
		if got == nil || fmt.Sprint(*got) != fmt.Sprint(c) {
			t.Errorf("%+v is spelled %s, which is %+v", c, export.Spell(export.Part{Class: &c}), got)
		}
	}
	for _, name := range []string{"[a-z]", ".", "/x/", `"a"`, "⟨⟩", "⟨a⟩", "⟨[⟩", "⟨[]⟩", "⟨[z-a]⟩", "⟨//⟩", "⟨/a⟩", `⟨"⟩`, `⟨""⟩`, `⟨"a"x⟩`, "⟨/a/q⟩", "⟨..⟩"} {
		if got := export.Unspell(name); got != (export.Part{Text: name}) {
			t.Errorf("%s is read as %+v", name, got)
		}
	}
}
