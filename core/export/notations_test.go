package export_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// readers are the importers of grammars by notation.
var readers = map[string]struct {
	write func(export.Rules) string
	read  func(*source.File) (string, []source.Diagnostic)
}{
	"GBNF": {export.Rules.GBNF, export.ReadGBNF},
	"Lark": {export.Rules.Lark, export.ReadLark},
}

func TestCharactersRoundTrip(t *testing.T) {
	var characters []rune
	for r := rune(1); r < 0x180; r++ {
		characters = append(characters, r)
	}
	characters = append(characters, '→', '\u2028', '\ufeff', '😀', 0x10FFFF)
	for name, notation := range readers {
		for _, r := range characters {
			for _, text := range []string{string(r), "x" + string(r) + "y"} {
				written := notation.write(export.Rules{List: []export.Rule{{Name: "root", Alternatives: [][]export.Part{{{Text: text}}}}}})
				back, found := notation.read(source.NewFile("t."+name, written))
				if len(found) > 0 {
					t.Errorf("%s: %q is written as %q: %v", name, text, written, found)
					continue
				}
				g := must.Grammar(t, back)
				if g.NumTerminals != 1 || export.Unspell(g.Names[0]) != (export.Part{Text: text}) {
					t.Errorf("%s: %q comes back as %q", name, text, g.Names[:g.NumTerminals])
				}
			}
		}
	}
}

func TestNamesAndTextsOfEachNotation(t *testing.T) {
	rules := export.Rules{List: []export.Rule{
		{Name: "Äpfel 9", Alternatives: [][]export.Part{{{Rule: 1}, {Rule: 2}}, {{Rule: 3}}, {}}},
		{Name: "9a", Alternatives: [][]export.Part{{{Text: "a\"b\tc\x01d\x1fe f"}}}},
		{Name: "--", Alternatives: [][]export.Part{{}, {{Class: &export.Class{Ranges: []export.Range{{First: 'a', Last: 'z'}, {First: ']', Last: ']'}, {First: '-', Last: '-'}, {First: '/', Last: '/'}}}}}}},
		{Name: "Zz.0", Alternatives: [][]export.Part{{{Text: `\`}, {Text: "\x7f"}}}},
		{Name: "zz 0", Alternatives: [][]export.Part{{}}},
		{Name: "zz-0", Alternatives: [][]export.Part{{{Rule: 4}, {Rule: 5}}, {{Text: "\""}}}},
	}}
	for name, c := range map[string]struct{ got, want string }{
		"GBNF": {rules.GBNF(), `pfel-9 ::= r9a r | Zz-0 | ""
r9a ::= "a\"b\tc\u0001d\u001Fe f"
r ::= "" | [a-z\]\u002D/]
Zz-0 ::= "\\" "\u007F"
zz-0 ::= ""
zz-0-2 ::= zz-0 zz-0-2 | "\""
`},
		"Lark": {rules.Lark(), `start: r9a r | zz_0 |
r9a: "a\"b\tc\u0001d\u001Fe f"
r:  | /[a-z\]\-\/]/
zz_0: "\\" "\u007F"
zz_0_2:
zz_0_3: zz_0_2 zz_0_3 | "\""
`},
		"W3C": {rules.W3C(), `pfel_9 ::= (r9a r | zz_0)?
r9a ::= "a" #x22 "b" #x9 "c" #x1 "d" #x1F "e f"
r ::= ([a-z#x5D#x2D/])?
zz_0 ::= "\" "` + "\x7f" + `"
zz_0_2 ::= zz_0_2 | #x22
`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, c.got, c.want)
		}
	}
}

func TestRuleNamesAreComplete(t *testing.T) {
	for name, c := range map[string]struct{ notation, text, want string }{
		"letters at the ends of the alphabet": {"GBNF", "root ::= azAZ_ z0-9 A\nazAZ_ ::= \"1\"\nz0-9 ::= \"2\"\nA ::= \"3\"", "%start root\nroot -> azAZ_ z0-9 A\nazAZ_ -> 1\nz0-9 -> 2\nA -> 3\n"},
		"a priority and marks":                {"Lark", "?start.10: az\n!az.-9 : \"a\"\n", "%start start\nstart -> az\naz -> a\n"},
		"an alias":                            {"Lark", "start: \"a\" -> one | \"b\" -> two\n", "%start start\nstart -> a | b\n"},
		"a rule on a line of its own":         {"GBNF", "root ::=\n  \"a\"\n  x\nx ::= y y*\ny ::= \"b\"", "%start root\nroot -> a x\nx -> y x-1\nx-1 -> y x-1 | ε\ny -> b\n"},
		"a name that is a terminal":           {"GBNF", "root ::= x \"x\" \"root\" \"x-1\"\nx ::= \"y\"+", "%start root-1\nroot-1 -> x-2 x root x-1\nx-2 -> y x-2-1\nx-2-1 -> y x-2-1 | ε\n"},
		"repetitions":                         {"GBNF", "root ::= \"a\"{2} \"b\"{0,2} \"c\"{1,} \"d\"{ 1 , 1 } \"e\"{0}", "%start root\nroot -> a a root-1 c root-2 d\nroot-1 -> b root-1-1 | ε\nroot-1-1 -> b | ε\nroot-2 -> c root-2 | ε\n"},
		"repetitions of repetitions":          {"GBNF", "root ::= \"a\"{2}* \"b\"?{2}", "%start root\nroot -> root-1 root-2 root-3\nroot-1 -> a a root-1 | ε\nroot-2 -> b | ε\nroot-3 -> b | ε\n"},
		"as often as may be":                  {"Lark", "start: \"a\"~100 \"b\"~0..1 \"c\"~1", "%start start\nstart -> " + strings.Repeat("a ", 100) + "start-1 c\nstart-1 -> b | ε\n"},
		"escapes":                             {"GBNF", `root ::= "\x41\u00e9\U0001F600\\" "\x4a"`, "%start root\nroot -> Aé😀\\ J\n"},
	} {
		got, found := readers[c.notation].read(source.NewFile("t", c.text))
		if len(found) > 0 || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, found, got, c.want)
		}
	}
}

func TestImportLimitsAreExact(t *testing.T) {
	deep := func(n int) string { return "root ::= " + strings.Repeat("(", n) + "\"a\"" + strings.Repeat(")", n) }
	not := func(n int, sign, end string) string {
		return "HOA: v1 Start: 0 AP: 1 \"a\" --BODY-- State: 0 [" + strings.Repeat(sign, n) + "0" + strings.Repeat(end, n) + "] 0 --END--"
	}
	hoa := func(file *source.File) (string, []source.Diagnostic) {
		_, _, found := export.ReadHOA(file, nil)
		return "", found
	}
	for name, c := range map[string]struct {
		read func(*source.File) (string, []source.Diagnostic)
		text string
		want int
		code string
	}{
		"as deep as may be":       {export.ReadGBNF, deep(199), 0, ""},
		"nine and ninety-nine":    {export.ReadGBNF, "root ::= \"a\"{9} \"b\"{0,99}", 0, ""},
		"many groups":             {export.ReadGBNF, "root ::= " + strings.Repeat("(\"a\") ", 150), 0, ""},
		"a name with a digit":     {export.ReadGBNF, "root ::= \"a\"\n9a ::= \"b\"", 0, ""},
		"a name with a dash":      {export.ReadGBNF, "-a ::= \"b\"\nroot ::= \"a\"", 0, ""},
		"a digit in Lark":         {export.ReadLark, "start: \"a\"\n9a: \"b\"", 1, "import.sign"},
		"too deep":                {export.ReadGBNF, deep(200), 50, "import."},
		"as often as may be":      {export.ReadGBNF, "root ::= \"a\"{2000} \"b\"{0,2000}", 0, ""},
		"too often":               {export.ReadGBNF, "root ::= \"a\"{2001}", 1, "import.repeat"},
		"up to too often":         {export.ReadGBNF, "root ::= \"a\"{0,2001}", 1, "import.repeat"},
		"the wrong way round":     {export.ReadGBNF, "root ::= \"a\"{2,1}", 1, "import.repeat"},
		"down to none":            {export.ReadGBNF, "root ::= \"a\"{1,0}", 1, "import.repeat"},
		"no number":               {export.ReadGBNF, "root ::= \"a\"{,2}", 1, "import.repeat"},
		"as many faults as said":  {export.ReadGBNF, strings.Repeat("x\n", 49) + "root ::= \"\"", 49, "import.rule"},
		"more faults than said":   {export.ReadGBNF, strings.Repeat("x\n", 80) + "root ::= \"\"", 50, "import.rule"},
		"many undefined":          {export.ReadGBNF, "root ::= " + strings.Repeat("x ", 80), 50, "import.undefined"},
		"the last character":      {export.ReadGBNF, `root ::= "\U0010FFFF"`, 0, ""},
		"beyond the last":         {export.ReadGBNF, `root ::= "\U00110000"`, 1, "import.escape"},
		"as many propositions":    {hoa, "HOA: v1 Start: 0 AP: 10001", 1, "hoa.number"},
		"as many states":          {hoa, "HOA: v1 States: 100000 Start: 0 AP: 0 --BODY-- --END--", 0, ""},
		"too many states":         {hoa, "HOA: v1 States: 100001 Start: 0 AP: 0 --BODY-- --END--", 1, "hoa.number"},
		"the last state":          {hoa, "HOA: v1 States: 2 Start: 0 AP: 0 --BODY-- State: 0 [t] 1 State: 1 --END--", 0, ""},
		"beyond the last state":   {hoa, "HOA: v1 States: 2 Start: 0 AP: 0 --BODY-- State: 0 [t] 2 --END--", 1, "hoa.number"},
		"a state below nought":    {hoa, "HOA: v1 Start: 0 AP: 0 --BODY-- State: 0 [t] -1 --END--", 1, "hoa.number"},
		"an unknown proposition":  {hoa, "HOA: v1 Start: 0 AP: 1 \"a\" --BODY-- State: 0 [1] 0 --END--", 1, "hoa.number"},
		"a set beyond the first":  {hoa, "HOA: v1 Start: 0 AP: 0 --BODY-- State: 0 {1} [t] 0 --END--", 1, "hoa.number"},
		"labels as deep":          {hoa, not(199, "!", ""), 0, ""},
		"labels too deep":         {hoa, not(200, "!", ""), 1, "hoa.depth"},
		"parentheses too deep":    {hoa, not(200, "(", ")"), 1, "hoa.depth"},
		"no states at all":        {hoa, "HOA: v1 States: 0 Start: 0 AP: 0 --BODY-- State: 0 [t] 0 --END--", 1, "hoa.number"},
		"a name of nothing":       {hoa, "HOA: v1 Start: 0 AP: 1 \"\" --BODY-- State: 0 [0] 0 --END--", 0, ""},
		"twice the same way":      {hoa, "HOA: v1 Start: 0 AP: 1 \"a\" --BODY-- State: 0 [0] 1 [t] 1 --END--", 0, ""},
		"two ways":                {hoa, "HOA: v1 Start: 0 AP: 1 \"a\" --BODY-- State: 0 [0] 1 [t] 3 --END--", 1, "hoa.deterministic"},
		"propositions too late":   {hoa, "HOA: v1 Start: 0 Alias: @a t AP: 1 \"a\" --BODY-- State: 0 [0 & @a] 0 --END--", 1, "hoa.ap"},
		"propositions twice":      {hoa, "HOA: v1 Start: 0 AP: 1 \"a\" AP: 1 \"b\" --BODY-- State: 0 [1] 0 --END--", 1, "hoa.ap"},
		"an open text":            {hoa, "HOA: v1 Start: 0 AP: 1 \"", 1, "hoa.ap"},
		"a text without an end":   {hoa, "HOA: v1 Start: 0 AP: 1 \"a\\", 1, ""},
		"a comment without one":   {hoa, "HOA: v1 Start: 0 /* ", 1, "hoa.body"},
		"two starts at once":      {hoa, "HOA: v1 Start: 0&1 AP: 0 --BODY-- --END--", 1, "hoa.start"},
		"no proposition in quote": {hoa, "HOA: v1 Start: 0 AP: 1 ", 1, "hoa.ap"},
	} {
		_, found := c.read(source.NewFile("t", c.text))
		if len(found) != c.want || slices.ContainsFunc(found, func(d source.Diagnostic) bool { return !strings.HasPrefix(d.Code, c.code) }) {
			t.Errorf("%s: %d diagnostics: %v; want %d %s", name, len(found), found[:min(2, len(found))], c.want, c.code)
		}
	}
}

// A grammar begins with its rule "start", or with its first rule in lower case.
func TestLarkStartsWithFirstRuleInLowerCase(t *testing.T) {
	for text, want := range map[string]string{"A: \"x\"\nz: A\na: z": "z", "a: \"x\"\nz: a": "a", "_z{x}: x\n_a: \"y\"": "_a", "z: \"x\"\nstart: z": ""} {
		_, found := export.ReadLark(source.NewFile("t", text))
		got := ""
		for _, d := range found {
			if d.Code == "import.start" {
				got = text[d.Span.Start:d.Span.End]
			}
		}
		if got != want {
			t.Errorf("%q begins with %q, want %q: %v", text, got, want, found)
		}
	}
}

// Formulas are listed for a choice only if there are several.
func TestOneFormulaIsNoChoice(t *testing.T) {
	for text, want := range map[string]int{"G a": 0, "G a\n\nF b": 2} {
		list, found := ltl.Parse(source.NewFile("t.ltl", text))
		s, err := export.SourceOfFormulas(list, export.Options{})
		if err != nil || len(found) > 0 || len(s.Formulas) != want {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}

// The rules of a regular expression are the states of its automaton; the limit is exact.
func TestLimitOfPatternRulesIsExact(t *testing.T) {
	for states, fits := range map[int]bool{500: true, 501: false} {
		// The texts of n letters have n + 1 live states and a dead one.
		rules := export.Rules{List: []export.Rule{{Name: "start", Alternatives: [][]export.Part{{{Pattern: fmt.Sprintf("a{%d}", states-2)}}}}}}
		if _, err := rules.Expand(meter.New(meter.Budget{})); (err == nil) != fits {
			t.Errorf("%d states: %v", states, err)
		}
	}
}

// drawLabel returns a random condition in the notation of labels, and its meaning.
func drawLabel(random *rand.Rand, depth int) (string, func(holds int) bool) {
	if depth == 0 {
		switch k := random.IntN(5); k {
		case 3:
			return "t", func(int) bool { return true }
		case 4:
			return "f", func(int) bool { return false }
		default:
			return fmt.Sprint(k), func(holds int) bool { return holds>>k&1 == 1 }
		}
	}
	a, isA := drawLabel(random, depth-1)
	b, isB := drawLabel(random, random.IntN(depth))
	switch random.IntN(4) {
	case 0:
		return "!(" + a + ")", func(holds int) bool { return !isA(holds) }
	case 1:
		return "(" + a + ") & (" + b + ")", func(holds int) bool { return isA(holds) && isB(holds) }
	case 2: // operators that bind tighter need no parentheses
		c, isC := drawLabel(random, 0)
		return "(" + a + ")&" + c + "|" + "!" + c + "&(" + b + ")", func(holds int) bool { return isA(holds) && isC(holds) || !isC(holds) && isB(holds) }
	}
	return a + " | " + b, func(holds int) bool { return isA(holds) || isB(holds) }
}

func TestLabelsHaveTheirMeaning(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 6))
	for range effort.Of(300) {
		label, is := drawLabel(random, 3)
		text := `HOA: v1 name: "Start:" tool: "x:y" AP: 3 "a" "b\"" "\\c" Start: 2 Alias: @zZ9_-aA0 ` + label + ` /* Start: 9 */ Acceptance: 1 Inf(0) --BODY--
State: 2 "two" [@zZ9_-aA0] 1 [!@zZ9_-aA0] 3 State: 0 {0} [t] 0
State: 1 {0} [` + label + `] 2 State: [!(` + label + `)] 3 {0} 0 --END--`
		s, names, found := export.ReadHOA(source.NewFile("t.hoa", text), nil)
		if len(found) > 0 || strings.Join(names, " ") != `a b" \c` {
			t.Fatalf("%s: %v %q", text, found, names)
		}
		next := func(q, holds int) int { return s.Next(q, func(v int) bool { return holds>>v&1 == 1 }) }
		for first := range 8 {
			q := next(s.Start(), first)
			// States 1 and 3 accept; state 1 leads to a rejecting state or to none.
			if !s.Accepting(q) || s.Accepting(s.Start()) {
				t.Fatalf("%s: %b leads to no state that accepts", text, first)
			}
			for second := range 8 {
				if !is(first) {
					if after := next(q, second); s.Accepting(after) != !is(second) {
						t.Fatalf("%s: after %b and %b it accepts: %v", text, first, second, s.Accepting(after))
					}
					continue
				}
				after := next(q, second)
				if s.Accepting(after) || (after == s.Start()) != is(second) {
					t.Fatalf("%s: %b and %b lead to %d", text, first, second, after)
				}
			}
		}
	}
}

func TestGuardsContainSpecificationUnchanged(t *testing.T) {
	for _, text := range []string{"", "plain", "two\nlines\twide", "`raw`", "a\r\nb", "\x01", "\ufeff", "ä\u2028\"\\", "`\r"} {
		_, rest, _ := strings.Cut(export.GuardGo("a", text, text), "\nconst Spec = ")
		literal, rest, _ := strings.Cut(rest, "\n\n// Properties")
		if again, _, _ := strings.Cut(rest, "\n\n// Violation"); !strings.HasSuffix(again, "\nconst Properties = "+literal) {
			t.Errorf("%q is written as %s", text, again)
		}
		if got, err := strconv.Unquote(literal); err != nil || got != text {
			t.Errorf("%q is written as %s (%v)", text, literal, err)
		}
		if raw := strings.HasPrefix(literal, "`"); raw == strings.ContainsAny(text, "`\r\x01\ufeff") {
			t.Errorf("%q is written as %s", text, literal)
		}
	}
	for _, c := range []struct{ name, said string }{{"Aa9.b-c_d:e+f", "Aa9.b-c_d:e+f"}, {"a/b*c", "a b c"}, {"Ä٣", "Ä٣"}} {
		if !strings.Contains(export.GuardGo(c.name, "", ""), "the agent "+c.said+".\n") {
			t.Errorf("%q is not named %q", c.name, c.said)
		}
	}
}

// A regular expression of the maximum length is exported, a longer one is not.
func TestRegexpLimitIsExact(t *testing.T) {
	one := automaton.NewDFA([][]int{{1}, {2}, {2}}, []bool{false, true, false})
	for _, c := range []struct {
		length int
		ok     bool
	}{{export.MaxRegexp, true}, {export.MaxRegexp + 1, false}} {
		text := strings.Repeat("a", c.length)
		expression, err := export.Regexp(one, []string{text}, " ")
		var fault *source.Error
		if c.ok && (err != nil || expression != "^(?:"+text+")$") || !c.ok && (!errors.As(err, &fault) || fault.Code() != "limit.regexp") {
			t.Errorf("%d: %d, %v", c.length, len(expression), err)
		}
	}
}

// States with the fewest paths are eliminated first, so that a chain of choices stays short.
func TestRegexpIsShort(t *testing.T) {
	const n = 12
	var rows [][]int
	for q := range n {
		rows = append(rows, []int{q + 1, q + 1, n + 1})
	}
	rows = append(rows, []int{n + 1, n + 1, 0}, []int{n + 1, n + 1, n + 1})
	accept := make([]bool, n+2)
	accept[n] = true
	expression, err := export.Regexp(automaton.NewDFA(rows, accept), []string{"a", "b", "c"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := "^(?:" + strings.Repeat("(?:a|b)", n) + "(?:c" + strings.Repeat("(?:a|b)", n) + ")*)$"; len(expression) > 2*len(want) {
		t.Errorf("%s\nis longer than\n%s", expression, want)
	}
	compiled := regexp.MustCompile(expression)
	for text, want := range map[string]bool{strings.Repeat("ab", 6): true, strings.Repeat("a", 11): false, strings.Repeat("b", 12) + "c" + strings.Repeat("a", 12): true, "": false} {
		if compiled.MatchString(text) != want {
			t.Errorf("%s of %s: %v", expression, text, !want)
		}
	}
}

func TestEmptyAndFirstRulesAreWritten(t *testing.T) {
	rule := func(name string, alternatives ...[]export.Part) export.Rule {
		return export.Rule{Name: name, Alternatives: alternatives}
	}
	for _, c := range []struct {
		list []export.Rule
		want string
	}{
		{[]export.Rule{rule("root", nil)}, "root ::= \"\"\n"},
		{[]export.Rule{rule("root", nil, nil)}, "root ::= \"\"\n"},
		{[]export.Rule{rule("root", []export.Part{{Text: "a"}, {Rule: 0}}, []export.Part{{Rule: 1}, {Text: "b"}}, nil), rule("x", nil)}, "root ::= (\"a\" root | \"b\")?\n"},
		{[]export.Rule{rule("0a", []export.Part{{Rule: 1}}), rule("9", []export.Part{{Rule: 2}}), rule(":", []export.Part{{Text: "x"}})}, "r0a ::= r9\nr9 ::= r\nr ::= \"x\"\n"},
	} {
		if got := (export.Rules{List: c.list}).W3C(); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

func TestGraphHasEdgesToStart(t *testing.T) {
	d := automaton.NewDFA([][]int{{0, 1, 2}, {0, 2, 1}, {2, 2, 2}}, []bool{false, true, false})
	g := export.GraphOfDFA("g", d, []string{"a", "b", "c"})
	if got := fmt.Sprintf("%v %v", g.States, g.Edges); got != "[{0 false} {1 true}] [{0 0 [a]} {0 1 [b]} {1 0 [a]} {1 1 [c]}]" {
		t.Error(got)
	}
	none := export.GraphOfDFA("g", automaton.NewDFA([][]int{{0}}, []bool{false}), []string{"a"})
	if got := fmt.Sprintf("%v %v", none.States, none.Edges); got != "[{0 false}] []" {
		t.Error(got)
	}
}

// A truncated text is imported as far as possible, with faults at its places.
func TestTruncatedTexts(t *testing.T) {
	hoa := func(file *source.File) (string, []source.Diagnostic) {
		_, _, found := export.ReadHOA(file, nil)
		return "", found
	}
	for text, read := range map[string]func(*source.File) (string, []source.Diagnostic){
		"# c\nroot ::= \"a\\x41\" b-1 | [a-z\\]]* (c? | .){2,3}\nb-1 ::= \"\"":             export.ReadGBNF,
		"// c\n?start.12: \"a\\u0041\"i b | /x\\/y/+ [c~2..3] -> name\n%ignore x\nb: \"\"": export.ReadLark,
		foreign: hoa,
	} {
		for end := range len(text) {
			_, found := read(source.NewFile("t", text[:end]))
			for _, d := range found {
				if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > end {
					t.Errorf("%q: %s stands at %v", text[:end], d.Code, d.Span)
				}
			}
		}
	}
}

func TestPickedCharactersAreInTheirClass(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, text := range []string{"⟨[a-z]⟩", "⟨[0-9a]⟩", "⟨[^a-z]⟩", "⟨[^ -~]⟩", "⟨.⟩"} {
		c := export.Unspell(text).Class
		for range 50 {
			if r := c.Pick(random.IntN); !c.Has(r) || !utf8.ValidRune(r) || unicode.IsControl(r) && text == "⟨.⟩" {
				t.Errorf("%s has no %q", text, r)
			}
		}
	}
	// Nothing below "~" is in this class, and nothing at all in the last two.
	for _, c := range []struct {
		class export.Class
		want  rune
	}{
		{export.Class{Not: true, Ranges: []export.Range{{First: 0, Last: '~'}}}, '~' + 1},
		{export.Class{Not: true, Ranges: []export.Range{{First: 0, Last: unicode.MaxRune}}}, unicode.ReplacementChar},
		{export.Class{}, unicode.ReplacementChar},
	} {
		if r := c.class.Pick(random.IntN); r != c.want {
			t.Errorf("%v: %q, want %q", c.class, r, c.want)
		}
	}
}
