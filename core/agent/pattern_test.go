package agent_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// content compiles a pattern; nil if it is invalid.
func content(pattern string) *agent.Content {
	text := fmt.Sprintf("(define a (:states (A (:text \"[A]\") (:matches %s))) (:behavior A))", sexpr.Quote(pattern))
	spec, found := agent.Parse(source.NewFile("t.agent", text))
	a, more := agent.Compile(spec, meter.New(meter.Budget{}))
	if a == nil || source.HasErrors(append(found, more...)) || a.Contents() != nil {
		return nil
	}
	return a.Content(0)
}

// compare follows every text over a few characters up to a length, and compares the result with
// package regexp: whether the text matches, and, if the content rejects it, that no longer text up
// to the length matches.
func compare(t *testing.T, pattern string, characters []rune, length int) {
	c := content(pattern)
	if c == nil {
		return // only texts with space around them match
	}
	oracle := regexp.MustCompile(`\A(?s:)(?:` + strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") + `)\z`)
	var walk func(text string, r agent.ContentRun, left int) bool
	walk = func(text string, r agent.ContentRun, left int) bool {
		some := oracle.MatchString(text) && text == strings.Trim(text, " \t\r\n")
		if r.Complete() != some {
			t.Fatalf("%q matches %q: %v", pattern, text, r.Complete())
		}
		if left == 0 {
			return some
		}
		for _, char := range characters {
			next, ok := r.Step(char)
			if ok {
				some = walk(text+string(char), next, left-1) || some
				continue
			}
			for _, more := range []string{"", "a", "b", "0", " ", "ab", "ba", "00", "é"} {
				if whole := text + string(char) + more; oracle.MatchString(whole) && whole == strings.Trim(whole, " \t\r\n") {
					t.Fatalf("%q is stopped after %q, but %q matches", pattern, text+string(char), whole)
				}
			}
		}
		rest := r.Shortest()
		if !oracle.MatchString(text + rest) {
			t.Fatalf("%q: %q does not complete %q", pattern, rest, text)
		}
		forced := r.Forced()
		for _, char := range forced {
			for _, other := range characters {
				if _, ok := r.Step(other); ok && other != char {
					t.Fatalf("%q: after %q %q is not forced", pattern, text, forced)
				}
			}
			r, _ = r.Step(char)
		}
		return some
	}
	walk("", c.Begin(), length)
}

func TestPatternsAgreeWithRegexpPackage(t *testing.T) {
	characters := []rune("ab0 é\n")
	for _, p := range []string{
		"a", "a|b", "a*", "a+b?", "(ab)*", "(a|b0)+", "[ab]{2}", "[^a]", "a{0}", "a{2,}", "a{1,3}b", ".", ".*a", "\\d+", "\\w\\s\\w", "\\D\\S?\\W?",
		"[a-z]*0", "[]a]", "[^]a]", "[a-]b", "[\\d ]+", "^ab$", "", "a||b", "(?:a|)b", "(a*)*", "(a?)+b", "\\.", "[.]", "é+", "[^\\n]*", "((a|b)*0)?", "(?:a{2}){2}", "a+?b??", "a*?", "(a{0,2}?b)+",
	} {
		if p == "" {
			continue
		}
		if content(p) == nil {
			t.Errorf("%q is no pattern", p)
		}
		compare(t, p, characters, 4)
	}
}

func TestRandomPatternsAgreeWithRegexpPackage(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	var draw func(depth int) string
	draw = func(depth int) string {
		if depth == 0 {
			return []string{"a", "b", "0", "[ab]", "[^a]", ".", "\\d", "[a-b0]"}[random.IntN(8)]
		}
		switch random.IntN(6) {
		case 0:
			return draw(depth-1) + draw(depth-1)
		case 1:
			return "(" + draw(depth-1) + "|" + draw(depth-1) + ")"
		case 2:
			return "(" + draw(depth-1) + ")" + []string{"*", "+", "?"}[random.IntN(3)]
		case 3:
			least := random.IntN(3)
			return fmt.Sprintf("(%s){%d,%d}", draw(depth-1), least, least+random.IntN(2))
		default:
			return draw(depth - 1)
		}
	}
	for range effort.Of(400) {
		compare(t, draw(4), []rune("ab0\n"), 4)
	}
}

func TestInvalidPatternsAreRejected(t *testing.T) {
	for _, p := range []string{"(", ")", "[", "[a", "a**", "a{2}{2}", "a+??", "*", "a{", "a{x}", "a{3,1}", "a{9999}", "\\", "\\q", "[b-a]", "a$b", "(?!a)", "[\\d-z", "[a-", "a{3,0}", "\\0", "\\9", "\\A", "\\Z", "\\a", "\\z"} {
		if content(p) != nil {
			t.Errorf("%q is taken", p)
		}
	}
	if content(strings.Repeat("(", 200)+"a"+strings.Repeat(")", 200)) != nil {
		t.Error("a pattern nested 200 deep is taken")
	}
	deep := func(n int) *agent.Content { return content(strings.Repeat("(", n) + "a" + strings.Repeat(")", n)) }
	if deep(99) == nil || deep(100) != nil {
		t.Error("a pattern is nested 99 deep at most")
	}
	if content(strings.Repeat("(a)", 150)) == nil {
		t.Error("groups after one another are not taken")
	}
	for _, mark := range "/:@[`{.\\$^ " {
		if c := content("x\\" + string(mark) + "y"); c == nil || !c.Fits("x"+string(mark)+"y") {
			t.Errorf("\\%c is not taken", mark)
		}
	}
}

func TestOptionsAreMatchedByCharacter(t *testing.T) {
	a := compile(t, `(define a (:states (A (:text "[A]") (:one-of "left" "leftmost" "right" "é b"))) (:behavior A))`)
	c := a.Content(0)
	for text, want := range map[string]struct {
		ok, complete bool
		forced       string
		shortest     string
	}{
		"": {true, false, "", "left"}, "l": {true, false, "eft", "eft"}, "left": {true, true, "", ""}, "leftm": {true, false, "ost", "ost"},
		"x": {ok: false}, "righte": {ok: false}, "é": {true, false, " b", " b"}, "leftmost": {true, true, "", ""},
	} {
		r, ok := c.Begin(), true
		for _, char := range text {
			if r, ok = r.Step(char); !ok {
				break
			}
		}
		if ok != want.ok || ok && (r.Complete() != want.complete || r.Forced() != want.forced || r.Shortest() != want.shortest) {
			t.Errorf("%q: %v %v %q %q", text, ok, r.Complete(), r.Forced(), r.Shortest())
		}
	}
}

// The shortest text that a pattern matches consists of readable characters, preferably
// letters and digits, if its classes have any.
func TestShortestTextIsReadable(t *testing.T) {
	for pattern, want := range map[string]string{
		".":               "0",
		"\\d{3}":          "000",
		"\\w|-":           "0",
		"[a-z]+":          "a",
		"[B-Y]":           "B",
		"[b-z]":           "x",
		"[+b]":            "b",
		"[-B]":            "B",
		"-|5":             "5",
		"é|!":             "!",
		"é|~":             "~",
		"[^\\w]":          "!",
		"[\\W]x":          "!x",
		"[^ -~]x":         "\u007fx",
		"!|0":             "0",
		"!|9":             "9",
		"!|A":             "A",
		"!|Z":             "Z",
		"!|a":             "a",
		"!|z":             "z",
		"!|/":             "!",
		"!|:":             "!",
		"!|@":             "!",
		"!|\\[":           "!",
		"!|`":             "!",
		"!|\\{":           "!",
		"x( |!)y":         "x!y",
		"x( |\x7f)y":      "x y",
		"[0-z]":           "0",
		"[!-0]":           "0",
		"[^\x01-\ud7ff]":  "\ue000",
		"(?:ab|c)d":       "cd",
		"a{2,}b{1,3}":     "aab",
		"x[\x01-\x7f]y":   "x0y",
		"x[\x01- ]y":      "x y",
		"[é-\U0010FFFF]":  "é",
		"x[\\n ]?[\\n ]y": "x y",
	} {
		c := content(pattern)
		if c == nil {
			t.Errorf("%q is no pattern", pattern)
			continue
		}
		if got := c.Begin().Shortest(); got != want || !c.Fits(got) {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}

// Text is forced up to a choice, or to a position where the content may end.
func TestForcedTextEndsAtChoice(t *testing.T) {
	for pattern, want := range map[string]string{
		"abc": "abc", "ab|ac": "a", "ab?": "a", "a[bc]": "a", "a[b-b]c": "abc", "a{3}b*": "aaa",
		"[^\x01-\U0010ffff]a": "\x00a", "([^\x01-\U0010ffff]|b)c": "",
		"a{1000}a{1000}": strings.Repeat("a", 1_000), "\U0010FFFFx": "\U0010FFFFx",
	} {
		c := content(pattern)
		if c == nil {
			t.Errorf("%q is no pattern", pattern)
			continue
		}
		if got := c.Begin().Forced(); got != want {
			t.Errorf("%q forces %q, not %q", pattern, got, want)
		}
	}
}

func TestShortestPathMayVisitTheStart(t *testing.T) {
	r, ok := content("(a[0-9é])*c").Begin().Step('a')
	if got := r.Shortest(); !ok || got != "0c" {
		t.Errorf("%q completes it", got)
	}
}

// A content neither begins nor ends with an ASCII white space character.
func TestContentHasNoSpaceAtItsEnds(t *testing.T) {
	c := content("[^~]*")
	for char := range '~' {
		r, ok := c.Begin().Step(char)
		is := strings.ContainsRune(" \t\r\n", char)
		if ok == is || ok && !r.Complete() {
			t.Errorf("%q begins a content: %v", char, ok)
		}
		r, _ = c.Begin().Step('x')
		if r, ok = r.Step(char); !ok || r.Complete() == is {
			t.Errorf("%q ends a content: %v", char, r.Complete())
		}
	}
}

func TestLargestCharacterMatches(t *testing.T) {
	for pattern, want := range map[string]bool{"[^\U0010ffff]": false, "[^\x01-\U0010fffe]": true, ".": true, "\U0010ffff": true, "[a-\U0010ffff]": true, "\\S": true} {
		if _, ok := content(pattern).Begin().Step('\U0010ffff'); ok != want {
			t.Errorf("%q: %v", pattern, ok)
		}
	}
}

func TestPatternFaultsHavePositions(t *testing.T) {
	for pattern, want := range map[string]string{
		"ab**":   `3 invalid pattern: '*' cannot follow another repetition; add parentheses`,
		"ab+{2}": `3 invalid pattern: '{' cannot follow another repetition; add parentheses`,
		"a$b":    `1 invalid pattern: '$' is only allowed at an end of the pattern; write \$ for the character`,
		"(a":     `2 invalid pattern: missing )`,
		"[a-":    `3 invalid pattern: missing ]`,
		"a\\q":   `2 invalid pattern: unknown escape \q (expected \d \w \s \n, or \ before punctuation)`,
	} {
		text := `(define a (:states (A (:text "[A]") (:matches ` + sexpr.Quote(pattern) + `))) (:behavior A))`
		spec, _ := agent.Parse(source.NewFile("t.agent", text))
		found := agent.CheckContents(spec)
		if len(found) != 1 {
			t.Errorf("%q: %v", pattern, found)
			continue
		}
		at := int(found[0].Span.Start) - strings.Index(text, `"`+pattern) - 1
		if strings.Contains(pattern, `\`) { // its spelling in the file differs, so the span is the entire text
			at = 2
		}
		if got := fmt.Sprintf("%d %s", at, found[0].Message); got != want {
			t.Errorf("%q: %s\nwant %s", pattern, got, want)
		}
	}
}

// The content continues where another character may follow.
func TestContentContinuesWhereMoreMayFollow(t *testing.T) {
	follow := func(c *agent.Content, pattern string) {
		for _, text := range []string{"", "a", "ab", "abc", "abcd"} {
			r, ok := c.Begin(), true
			for _, char := range text {
				if r, ok = r.Step(char); !ok {
					break
				}
			}
			if !ok {
				continue
			}
			goes := false
			for char := range rune(0x80) {
				_, ok := r.Step(char)
				goes = goes || ok
			}
			if r.Goes() != goes {
				t.Errorf("%s: after %q it goes on: %v", pattern, text, r.Goes())
			}
		}
	}
	for _, pattern := range []string{"a", "ab?", "abc*", "[abc]{3}", ".{2}"} {
		follow(content(pattern), pattern)
	}
	a := compile(t, `(define a (:states (A (:text "[A]") (:one-of "ab" "abc" "b"))) (:behavior A))`)
	follow(a.Content(0), "a list")
}

func TestMatchesTrimsSpace(t *testing.T) {
	c := content("a b")
	for text, want := range map[string]bool{"a b": true, " a b\n": true, "a": false, "a b c": false, "": false, "x": false} {
		if c.Fits(text) != want {
			t.Errorf("%q fits: %v", text, !want)
		}
	}
}

func TestContentsReportTheFirstInvalidPattern(t *testing.T) {
	text := `(define a (:states (A (:text "[A]") (:matches "a")) (B (:text "[B]") (:matches " ")) (C (:text "[C]") (:matches "("))) (:behavior (next A B C)))`
	spec, _ := agent.Parse(source.NewFile("t.agent", text))
	a, _ := agent.Compile(spec, nil)
	err := a.Contents()
	if fault, ok := err.(*source.Error); !ok || fault.Code() != "agent.matches" || !strings.Contains(err.Error(), `the pattern of "B"`) {
		t.Errorf("%v", err)
	}
	if a.Content(0) == nil || a.Content(1) != nil {
		t.Errorf("%v and %v may stand there", a.Content(0), a.Content(1))
	}
}

// The automaton of a pattern's content accepts its texts; a list of texts has none.
func TestAutomatonOfContentAcceptsItsTexts(t *testing.T) {
	a := compile(t, `(define a (:states (P (:text "[P]") (:matches "a[0-9]+")) (L (:text "[L]") (:one-of "a1"))) (:behavior (next P L)))`)
	if err := a.Contents(); err != nil {
		t.Fatal(err)
	}
	if c, ok := a.Content(1).Characters(); ok {
		t.Errorf("a list of texts has the automaton %v", c)
	}
	c, ok := a.Content(0).Characters()
	if !ok {
		t.Fatal("a pattern has no automaton")
	}
	for text, want := range map[string]bool{"a": false, "a1": true, "a12": true, "b1": false, "": false} {
		q := c.DFA.Start()
		for _, r := range text {
			class := sort.Search(len(c.From), func(i int) bool { return c.From[i] > r }) - 1
			q = c.DFA.Next(q, class)
		}
		if c.DFA.Accepting(q) != want {
			t.Errorf("%q is accepted: %v", text, !want)
		}
	}
}

// A number is the state of a run if a run leads to it.
func TestStatesOfRuns(t *testing.T) {
	a := compile(t, specText([]string{"Q", "A"}, nil, "(next Q A)"))
	reached := map[int]bool{a.Begin().State(): true}
	r := a.Begin()
	for letter := range 2 {
		r, _ = r.Step(letter)
		reached[r.State()] = true
	}
	for q := -2; q < a.DFA.NumStates()+2; q++ {
		if _, ok := a.At(q); ok != reached[q] {
			t.Errorf("%d is the state of a run: %v", q, ok)
		}
	}
}
